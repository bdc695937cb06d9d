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
        if (a->kind == PHYSICS2D_CIRCLE)
            collide_points(filo_vec2(a->x, a->y), a->radius, centre, b->radius, margin, 0, m);
        else if (a->kind == PHYSICS2D_CAPSULE)
            collide_line_point(pa->v[0], pa->v[1], a->radius, centre, b->radius, margin, m);
        else
            collide_hull_point(&hull, centre, b->radius, margin, m);
    } else {
        Physics2dPolygon moved;
        for (uint32_t i = 0; i < b->count; i++) {
            FiloVec2 v = pb->v[i], n = pb->n[i];
            moved.v[i] = filo_vec2(offset.x + (c * v.x - s * v.y), offset.y + (s * v.x + c * v.y));
            moved.n[i] = filo_vec2(c * n.x - s * n.y, s * n.x + c * n.y);
        }
        Hull first = { pa->v, pa->n, a->count, a->radius },
             second = { moved.v, moved.n, b->count, b->radius };
        collide_hulls(&first, &second, margin, m);
    }
}
