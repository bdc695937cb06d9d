// Manifolds: where two shapes touch, or nearly touch.
//
// Everything is computed in the coordinates of body a, relative to its origin, so that accuracy does not depend on where
// the bodies are. A capsule is a polygon of two points with a radius. Polygons are compared by separating axes; the
// edge of the other that is most opposed to the best one is clipped to it. Where two corners are nearest to each other, the
// axis between them is the normal.

#include "physics2d/physics2d.h"

#define SLOP 0.005f // of lengths of a metre: what counts as touching

typedef struct Hull {
    const FiloVec2 *v, *n;
    uint32_t count;
    float radius;
} Hull;

static FiloVec2 lerp(FiloVec2 a, FiloVec2 b, float t) {
    return filo_vec2_add_scaled(a, filo_vec2_sub(b, a), t);
}

static void one_point(Physics2dManifold *m, FiloVec2 normal, FiloVec2 point, float separation, uint32_t id) {
    m->normal = normal;
    m->count = 1;
    m->points[0].point = point;
    m->points[0].separation = separation;
    m->points[0].id = id;
}

// Two points with radii.
static void collide_points(FiloVec2 a, float ra, FiloVec2 b, float rb, float margin, uint32_t id,
                           Physics2dManifold *m) {
    FiloVec2 d = filo_vec2_sub(b, a);
    float square = filo_vec2_dot(d, d), reach = ra + rb + margin;
    if (square > reach * reach) return;
    float distance = filo_sqrt(square);
    FiloVec2 normal = distance > 1e-9f ? filo_vec2_scale(d, 1.0f / distance) : filo_vec2(0, 1);
    float separation = distance - (ra + rb);
    one_point(m, normal, filo_vec2_add_scaled(a, normal, ra + 0.5f * separation), separation, id);
}

static void collide_line_point(FiloVec2 p, FiloVec2 q, float ra, FiloVec2 b, float rb, float margin,
                               Physics2dManifold *m) {
    FiloVec2 edge = filo_vec2_sub(q, p);
    float t = filo_clamp(filo_vec2_dot(filo_vec2_sub(b, p), edge) / filo_vec2_dot(edge, edge), 0.0f, 1.0f);
    collide_points(filo_vec2_add_scaled(p, edge, t), ra, b, rb, margin, 0, m);
}

static void collide_hull_point(const Hull *a, FiloVec2 b, float rb, float margin, Physics2dManifold *m) {
    uint32_t best = 0;
    float separation = -FLT_MAX, reach = a->radius + rb + margin;
    for (uint32_t i = 0; i < a->count; i++) {
        float s = filo_vec2_dot(a->n[i], filo_vec2_sub(b, a->v[i]));
        if (s > separation) {
            separation = s;
            best = i;
        }
    }
    if (separation > reach) return;
    FiloVec2 p = a->v[best], q = a->v[best + 1 < a->count ? best + 1 : 0], edge = filo_vec2_sub(q, p);
    float u = filo_vec2_dot(filo_vec2_sub(b, p), edge);
    if (separation > 1e-6f && (u < 0 || u > filo_vec2_dot(edge, edge))) { // nearest to a corner
        collide_points(u < 0 ? p : q, a->radius, b, rb, margin, 0, m);
        return;
    }
    FiloVec2 normal = a->n[best];
    float depth = separation - a->radius - rb;
    one_point(m, normal, filo_vec2_add_scaled(b, normal, -(rb + 0.5f * depth)), depth, 0);
}

// ---- Two polygons -----------------------------------------------------------------------------------------

static float best_edge(const Hull *a, const Hull *b, uint32_t *edge) {
    float best = -FLT_MAX;
    for (uint32_t i = 0; i < a->count; i++) {
        FiloVec2 n = a->n[i];
        float low = FLT_MAX, offset = filo_vec2_dot(n, a->v[i]);
        for (uint32_t k = 0; k < b->count; k++) low = filo_min(low, filo_vec2_dot(n, b->v[k]));
        if (low - offset > best) {
            best = low - offset;
            *edge = i;
        }
    }
    return best;
}

// Clips an edge of `b` to the edge of `a` with index `i`. `flip`: b is the first shape of the contact.
static void clip(const Hull *a, const Hull *b, uint32_t i, uint32_t k, bool flip, float margin,
                 Physics2dManifold *m) {
    uint32_t i2 = i + 1 < a->count ? i + 1 : 0, k2 = k + 1 < b->count ? k + 1 : 0;
    FiloVec2 v1 = a->v[i], normal = a->n[i], tangent = filo_vec2(-normal.y, normal.x);
    FiloVec2 w1 = b->v[k], w2 = b->v[k2];
    // The edge of b runs the other way.
    float upper1 = filo_vec2_dot(filo_vec2_sub(a->v[i2], v1), tangent);
    float upper2 = filo_vec2_dot(filo_vec2_sub(w1, v1), tangent),
          lower2 = filo_vec2_dot(filo_vec2_sub(w2, v1), tangent), width = upper2 - lower2;
    FiloVec2 low = lower2 < 0 && width > 1e-9f ? lerp(w2, w1, (0 - lower2) / width) : w2;
    FiloVec2 high = upper2 > upper1 && width > 1e-9f ? lerp(w2, w1, (upper1 - lower2) / width) : w1;
    float low_gap = filo_vec2_dot(filo_vec2_sub(low, v1), normal),
          high_gap = filo_vec2_dot(filo_vec2_sub(high, v1), normal);
    low = filo_vec2_add_scaled(low, normal, 0.5f * (a->radius - b->radius - low_gap));
    high = filo_vec2_add_scaled(high, normal, 0.5f * (a->radius - b->radius - high_gap));
    float radius = a->radius + b->radius;
    uint32_t low_id = flip ? k2 << 8 | i : i << 8 | k2, high_id = flip ? k << 8 | i2 : i2 << 8 | k;
    m->normal = flip ? filo_vec2_negate(normal) : normal;
    m->count = 0;
    for (int n = 0; n < 2; n++) {
        bool is_low = (n == 0) != flip;
        float gap = (is_low ? low_gap : high_gap) - radius;
        if (gap > margin) continue;
        m->points[m->count].point = is_low ? low : high;
        m->points[m->count].separation = gap;
        m->points[m->count].id = is_low ? low_id : high_id;
        m->count++;
    }
}

// Closest points of two segments, as fractions.
static void closest(FiloVec2 p1, FiloVec2 q1, FiloVec2 p2, FiloVec2 q2, float *s, float *t) {
    FiloVec2 d1 = filo_vec2_sub(q1, p1), d2 = filo_vec2_sub(q2, p2), r = filo_vec2_sub(p1, p2);
    float a = filo_vec2_dot(d1, d1), e = filo_vec2_dot(d2, d2), f = filo_vec2_dot(d2, r);
    float c = filo_vec2_dot(d1, r), b = filo_vec2_dot(d1, d2), denominator = a * e - b * b;
    *s = denominator > 1e-12f ? filo_clamp((b * f - c * e) / denominator, 0.0f, 1.0f) : 0.0f;
    *t = (b * *s + f) / e;
    if (*t < 0) {
        *t = 0;
        *s = filo_clamp(-c / a, 0.0f, 1.0f);
    } else if (*t > 1) {
        *t = 1;
        *s = filo_clamp((b - c) / a, 0.0f, 1.0f);
    }
}

static void collide_hulls(const Hull *a, const Hull *b, float margin, Physics2dManifold *m) {
    uint32_t edge_a = 0, edge_b = 0;
    float reach = a->radius + b->radius + margin;
    float gap_a = best_edge(a, b, &edge_a);
    if (gap_a > reach) return;
    float gap_b = best_edge(b, a, &edge_b);
    if (gap_b > reach) return;
    // The first is preferred, so that the choice does not change from step to step.
    bool flip = gap_b > gap_a + 0.1f * SLOP;
    const Hull *r = flip ? b : a, *o = flip ? a : b;
    uint32_t i = flip ? edge_b : edge_a, k = 0;
    float lowest = FLT_MAX;
    for (uint32_t n = 0; n < o->count; n++) {
        float along = filo_vec2_dot(o->n[n], r->n[i]);
        if (along < lowest) {
            lowest = along;
            k = n;
        }
    }
    if (filo_max(gap_a, gap_b) > 0.1f * SLOP) {
        uint32_t i2 = i + 1 < r->count ? i + 1 : 0, k2 = k + 1 < o->count ? k + 1 : 0;
        float s, t;
        closest(r->v[i], r->v[i2], o->v[k], o->v[k2], &s, &t);
        if ((s <= 0 || s >= 1) && (t <= 0 || t >= 1)) {
            FiloVec2 p = s <= 0 ? r->v[i] : r->v[i2], q = t <= 0 ? o->v[k] : o->v[k2];
            uint32_t first = s <= 0 ? i : i2, second = t <= 0 ? k : k2;
            uint32_t id = 0x10000u | (flip ? second << 8 | first : first << 8 | second);
            collide_points(flip ? q : p, flip ? o->radius : r->radius, flip ? p : q,
                           flip ? r->radius : o->radius, margin, id, m);
            return;
        }
    }
    clip(r, o, i, k, flip, margin, m);
}

// ---- Chains -----------------------------------------------------------------------------------------------

// A segment with neighbours, seen from the side on which the other shape is. That is its left side, from p to q.
typedef struct Side {
    FiloVec2 p, q, normal;
    FiloVec2 before, after; // other ends of the neighbours at p and q
    bool has_before, has_after;
    bool is_near;  // the other one is in front of the segment itself, not only of a neighbour
    uint32_t edge; // of the segment as a hull
} Side;

static FiloVec2 left_of(FiloVec2 from, FiloVec2 to) { return filo_vec2(from.y - to.y, to.x - from.x); }

static bool is_left(FiloVec2 from, FiloVec2 to, FiloVec2 point) {
    return filo_vec2_dot(left_of(from, to), filo_vec2_sub(point, from)) > 0;
}

// Beyond an outer corner, what is in front of the neighbour is in front of the segment too.
bool physics2d_chain_front(const FiloVec2 *v, uint32_t chain, FiloVec2 point) {
    if (is_left(v[0], v[1], point)) return true;
    if ((chain & PHYSICS2D_CHAIN_BEFORE) != 0 && !is_left(v[0], v[1], v[2]) && is_left(v[2], v[0], point))
        return true;
    return (chain & PHYSICS2D_CHAIN_AFTER) != 0 && !is_left(v[0], v[1], v[3]) && is_left(v[1], v[3], point);
}

static Side side_of(const Hull *segment, uint32_t chain, FiloVec2 centre) {
    const FiloVec2 *v = segment->v;
    bool before = (chain & PHYSICS2D_CHAIN_BEFORE) != 0, after = (chain & PHYSICS2D_CHAIN_AFTER) != 0;
    if (physics2d_chain_front(v, chain, centre))
        return (Side){ v[0], v[1], segment->n[1], v[2], v[3], before, after, is_left(v[0], v[1], centre), 1 };
    return (Side){ v[1], v[0], segment->n[0], v[3], v[2], after, before, true, 0 };
}

// The neighbour at an end has what is nearest to that end and before the neighbour.
static bool is_of_neighbour(bool has, FiloVec2 end, FiloVec2 other_end, FiloVec2 point) {
    return has && filo_vec2_dot(filo_vec2_sub(point, end), filo_vec2_sub(other_end, end)) > 0;
}

static void collide_side_point(const Side *side, FiloVec2 point, float radius, float margin,
                               Physics2dManifold *m) {
    FiloVec2 edge = filo_vec2_sub(side->q, side->p);
    float u = filo_vec2_dot(filo_vec2_sub(point, side->p), edge), length = filo_vec2_dot(edge, edge);
    if (u <= 0 && is_of_neighbour(side->has_before, side->p, side->before, point)) return;
    if (u >= length && is_of_neighbour(side->has_after, side->q, side->after, point)) return;
    if (u <= 0 || u >= length) {
        collide_points(u <= 0 ? side->p : side->q, 0, point, radius, margin, 0, m);
        return;
    }
    float separation = filo_vec2_dot(filo_vec2_sub(point, side->p), side->normal) - radius;
    if (separation > margin) return;
    one_point(m, side->normal, filo_vec2_add_scaled(point, side->normal, -(radius + 0.5f * separation)),
              separation, 0);
}

typedef enum Fit {
    FIT,     // the normal is one of this segment
    SNAP,    // it must be that of the segment
    FOREIGN, // it is one of a neighbour
} Fit;

static Fit fit_corner(const Side *side, bool has, FiloVec2 end, FiloVec2 other_end, FiloVec2 normal) {
    if (!has) return FIT;
    FiloVec2 along = filo_vec2_sub(other_end, end);
    float length = filo_vec2_length(along);
    if (filo_vec2_dot(side->normal, along) > 1e-4f * length) return SNAP; // an inner corner
    if (filo_vec2_dot(normal, along) <= 1e-3f * length) return FIT;
    // Beyond the normal of the neighbour. A body that lies here and is tilted a little is not there yet.
    return filo_vec2_dot(normal, side->normal) > 0.8f ? SNAP : FOREIGN;
}

static Fit fit(const Side *side, FiloVec2 normal) {
    float along = filo_vec2_dot(normal, filo_vec2_normalise(filo_vec2_sub(side->q, side->p)));
    if (filo_vec2_dot(normal, side->normal) < 0) return side->is_near ? SNAP : FOREIGN;
    if (filo_abs(along) < 1e-3f) return FIT;
    return along < 0 ? fit_corner(side, side->has_before, side->p, side->before, normal)
                     : fit_corner(side, side->has_after, side->q, side->after, normal);
}

// Whether an edge of the hull is in front of, or behind, some of the segment, so that it can be clipped.
static bool is_beside(const Side *side, FiloVec2 a, FiloVec2 b) {
    FiloVec2 edge = filo_vec2_sub(side->q, side->p);
    float u = filo_vec2_dot(filo_vec2_sub(a, side->p), edge),
          w = filo_vec2_dot(filo_vec2_sub(b, side->p), edge);
    return filo_max(u, w) > 0 && filo_min(u, w) < filo_vec2_dot(edge, edge);
}

static void collide_chain(const Hull *segment, uint32_t chain, const Hull *other, FiloVec2 centre, bool flip,
                          float margin, Physics2dManifold *m) {
    Side side = side_of(segment, chain, centre);
    if (other->count == 1) {
        collide_side_point(&side, other->v[0], other->radius, margin, m);
        return;
    }
    collide_hulls(flip ? other : segment, flip ? segment : other, margin, m);
    if (m->count == 0) return;
    Fit found = fit(&side, flip ? filo_vec2_negate(m->normal) : m->normal);
    if (found == FIT) return;
    m->count = 0;
    if (found == FOREIGN) return;
    uint32_t k = 0;
    for (uint32_t i = 1; i < other->count; i++)
        if (filo_vec2_dot(other->n[i], side.normal) < filo_vec2_dot(other->n[k], side.normal)) k = i;
    if (is_beside(&side, other->v[k], other->v[k + 1 < other->count ? k + 1 : 0]))
        clip(segment, other, side.edge, k, flip, margin, m);
}

// ---- Any shapes -------------------------------------------------------------------------------------------

void physics2d_collide(const Physics2dShape *a, const Physics2dPolygon *pa, const Physics2dBody *ba,
                       const Physics2dShape *b, const Physics2dPolygon *pb, const Physics2dBody *bb,
                       float margin, Physics2dManifold *m) {
    m->count = 0;
    // From the coordinates of b to those of a.
    float dx = bb->px - ba->px, dy = bb->py - ba->py;
    FiloVec2 offset = { ba->c * dx + ba->s * dy, ba->c * dy - ba->s * dx };
    float c = ba->c * bb->c + ba->s * bb->s, s = ba->c * bb->s - ba->s * bb->c;
    if (b->kind == PHYSICS2D_CIRCLE) {
        FiloVec2 centre = { offset.x + (c * b->x - s * b->y), offset.y + (s * b->x + c * b->y) };
        Hull hull = { pa->v, pa->n, a->count, a->radius };
        if (a->chain != 0)
            collide_chain(&hull, a->chain, &(Hull){ &centre, NULL, 1, b->radius }, centre, false, margin, m);
        else if (a->kind == PHYSICS2D_CIRCLE)
            collide_points(filo_vec2(a->x, a->y), a->radius, centre, b->radius, margin, 0, m);
        else if (a->kind == PHYSICS2D_CAPSULE)
            collide_line_point(pa->v[0], pa->v[1], a->radius, centre, b->radius, margin, m);
        else
            collide_hull_point(&hull, centre, b->radius, margin, m);
    } else {
        Physics2dPolygon moved;
        uint32_t i = 0, count = b->chain != 0 ? 4u : b->count;
        do { // there are at least two
            FiloVec2 v = pb->v[i], n = pb->n[i];
            moved.v[i] = filo_vec2(offset.x + (c * v.x - s * v.y), offset.y + (s * v.x + c * v.y));
            moved.n[i] = filo_vec2(c * n.x - s * n.y, s * n.x + c * n.y);
        } while (++i < count);
        Hull first = { pa->v, pa->n, a->count, a->radius },
             second = { moved.v, moved.n, b->count, b->radius };
        if (a->chain != 0 && b->chain == 0) {
            FiloVec2 centre = { offset.x + (c * b->x - s * b->y), offset.y + (s * b->x + c * b->y) };
            collide_chain(&first, a->chain, &second, centre, false, margin, m);
        } else if (b->chain != 0 && a->chain == 0) {
            collide_chain(&second, b->chain, &first, filo_vec2(a->x, a->y), true, margin, m);
        } else {
            collide_hulls(&first, &second, margin, m);
        }
    }
}
