// Distances of convex shapes, and shapes that move until they touch.
//
// Shapes have at most eight points, so all pairs of edges are compared: that has no special cases. A movement is followed by
// conservative advancement: the distance, divided by the greatest speed at which it can shrink, is a time in which the
// shapes cannot touch.

#include "physics2d/physics2d.h"

static FiloVec2 at(FiloVec2 p, FiloVec2 q, float t) {
    return filo_vec2_add_scaled(p, filo_vec2_sub(q, p), t);
}

// Closest points of two segments, or points, as fractions.
static void closest(FiloVec2 p1, FiloVec2 q1, FiloVec2 p2, FiloVec2 q2, float *s, float *t) {
    FiloVec2 d1 = filo_vec2_sub(q1, p1), d2 = filo_vec2_sub(q2, p2), r = filo_vec2_sub(p1, p2);
    float a = filo_vec2_dot(d1, d1), e = filo_vec2_dot(d2, d2), f = filo_vec2_dot(d2, r);
    float c = filo_vec2_dot(d1, r), b = filo_vec2_dot(d1, d2), denominator = a * e - b * b;
    *s = 0;
    *t = 0;
    if (a <= FLT_MIN && e <= FLT_MIN) return;
    if (a <= FLT_MIN) {
        *t = filo_clamp(f / e, 0.0f, 1.0f);
        return;
    }
    if (e <= FLT_MIN) {
        *s = filo_clamp(-c / a, 0.0f, 1.0f);
        return;
    }
    if (denominator > 1e-6f * a * e) *s = filo_clamp((b * f - c * e) / denominator, 0.0f, 1.0f);
    *t = (b * *s + f) / e;
    if (*t < 0) {
        *t = 0;
        *s = filo_clamp(-c / a, 0.0f, 1.0f);
    } else if (*t > 1) {
        *t = 1;
        *s = filo_clamp((b - c) / a, 0.0f, 1.0f);
    }
}

bool physics2d_hull_contains(const Physics2dHull *hull, FiloVec2 p) {
    if (hull->count < 3) return false;
    for (uint32_t i = 0; i < hull->count; i++) {
        FiloVec2 a = hull->v[i], b = hull->v[i + 1 < hull->count ? i + 1 : 0];
        if (filo_vec2_cross(filo_vec2_sub(b, a), filo_vec2_sub(p, a)) < 0) return false;
    }
    return true;
}

// The direction of an edge turned by a quarter, of length 1, towards a point.
static FiloVec2 across(FiloVec2 p, FiloVec2 q, FiloVec2 point) {
    FiloVec2 edge = filo_vec2_normalise(filo_vec2_sub(q, p)), normal = { -edge.y, edge.x };
    return filo_vec2_dot(normal, filo_vec2_sub(point, p)) < 0 ? filo_vec2_negate(normal) : normal;
}

// Closest points on edges, and where on these they are.
typedef struct Closest {
    FiloVec2 p, q, u, w;
    float s, t;
} Closest;

// How far all points of a hull are beyond a line.
static float separation(FiloVec2 on_line, FiloVec2 normal, const Physics2dHull *hull) {
    float least = FLT_MAX;
    for (uint32_t i = 0; i < hull->count; i++)
        least = filo_min(least, filo_vec2_dot(normal, filo_vec2_sub(hull->v[i], on_line)));
    return least;
}

// The normal is that of an edge, unless two corners are nearest. The difference of two points that are near each other on
// long edges has no exact direction. And on edges that are nearly parallel, or that cross, floats take a corner for a point
// beside it: so the edge counts that separates the hulls by more, and hulls that no edge separates touch.
static float set_normal(Physics2dDistance *best, const Closest *at_edges, const Physics2dHull *a,
                        const Physics2dHull *b, float length) {
    bool on_a = at_edges->s > 0 && at_edges->s<1, on_b = at_edges->t> 0 && at_edges->t < 1;
    if (!on_a && !on_b) {
        best->normal = filo_vec2_scale(filo_vec2_sub(best->b, best->a), 1.0f / length);
        return length;
    }
    float by_a = -FLT_MAX, by_b = -FLT_MAX;
    FiloVec2 normal_a = { 0, 0 }, normal_b = { 0, 0 };
    if (on_a) {
        normal_a = across(at_edges->p, at_edges->q, best->b);
        by_a = separation(at_edges->p, normal_a, b);
    }
    if (on_b) {
        normal_b = across(at_edges->u, at_edges->w, best->a);
        by_b = separation(at_edges->u, normal_b, a);
    }
    best->normal = by_b > by_a ? filo_vec2_negate(normal_b) : normal_a;
    return filo_max(filo_max(by_a, by_b), 0.0f);
}

Physics2dDistance physics2d_distance(const Physics2dHull *a, const Physics2dHull *b) {
    Physics2dDistance best = { .distance = FLT_MAX };
    Closest nearest = { 0 };
    float square = FLT_MAX;
    uint32_t edges_a = a->count > 2 ? a->count : 1, edges_b = b->count > 2 ? b->count : 1;
    for (uint32_t i = 0; i < edges_a; i++) {
        FiloVec2 p = a->v[i], q = a->v[i + 1 < a->count ? i + 1 : 0];
        for (uint32_t k = 0; k < edges_b; k++) {
            FiloVec2 u = b->v[k], w = b->v[k + 1 < b->count ? k + 1 : 0];
            float s, t;
            closest(p, q, u, w, &s, &t);
            FiloVec2 x = at(p, q, s), y = at(u, w, t);
            float d = filo_vec2_distance_squared(x, y);
            if (d < square) {
                square = d;
                best.a = x;
                best.b = y;
                nearest = (Closest){ p, q, u, w, s, t };
            }
        }
    }
    if (physics2d_hull_contains(a, b->v[0]) || physics2d_hull_contains(b, a->v[0])) square = 0;
    float length = filo_sqrt(square);
    if (length > 1e-9f) length = set_normal(&best, &nearest, a, b, length);
    best.distance = length - a->radius - b->radius;
    return best;
}

void physics2d_hull_of(Physics2dHull *hull, const Physics2dShape *shape, const Physics2dPolygon *polygon,
                       FiloVec2 position, float c, float s) {
    hull->count = shape->count;
    hull->radius = shape->radius;
    for (uint32_t i = 0; i < shape->count; i++) {
        FiloVec2 v = shape->kind == PHYSICS2D_CIRCLE ? filo_vec2(shape->x, shape->y) : polygon->v[i];
        hull->v[i] = filo_vec2(position.x + (c * v.x - s * v.y), position.y + (s * v.x + c * v.y));
    }
}

// `a` moves by `move` and does not turn. True if it touches within `move`; then `t` is the fraction.
bool physics2d_cast_hull(const Physics2dHull *a, FiloVec2 move, const Physics2dHull *b, float touch, float *t,
                         Physics2dDistance *found) {
    Physics2dHull moved = *a;
    *t = 0;
    for (int i = 0; i < 32; i++) {
        for (uint32_t k = 0; k < a->count; k++) moved.v[k] = filo_vec2_add_scaled(a->v[k], move, *t);
        *found = physics2d_distance(&moved, b);
        if (found->distance <= touch) return true;
        float approach = filo_vec2_dot(move, found->normal);
        if (approach <= 0) return false;
        *t += (found->distance - 0.5f * touch) / approach;
        if (!(*t <= 1)) return false;
    }
    return found->distance <= 4 * touch; // as close as floats can tell, or it passes by
}
