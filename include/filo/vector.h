// filo/vector.h: vectors of two, three and four floats, of two integers, rectangles and boxes.
//
//     FiloVec2 to_player = filo_vec2_sub(player, self);
//     FiloVec2 velocity = filo_vec2_scale(filo_vec2_normalise(to_player), speed);
//     if (filo_rect_contains(room, filo_vec2_add(self, velocity))) …
//
// Plain structs that are passed by value. Everything is inline, gives the same bits on every machine (filo/scalar.h
// explains how) and is safe on any thread. The conventions are in filo/maths.h.

#ifndef FILO_VECTOR_H
#define FILO_VECTOR_H

#include <filo/scalar.h>

typedef struct FiloVec2 {
    float x, y;
} FiloVec2;

typedef struct FiloVec3 {
    float x, y, z;
} FiloVec3;

typedef struct FiloVec4 {
    float x, y, z, w;
} FiloVec4;

typedef struct FiloIVec2 {
    int32_t x, y;
} FiloIVec2;

FILO_BEGIN_DECLS

// ---- Two floats -------------------------------------------------------------------------------------

static inline FiloVec2 filo_vec2(float x, float y) {
    FiloVec2 v = { x, y };
    return v;
}

// The unit vector at this angle from +x towards +y.
static inline FiloVec2 filo_vec2_from_angle(float angle) {
    return filo_vec2(filo_cos(angle), filo_sin(angle));
}

static inline FiloVec2 filo_vec2_add(FiloVec2 a, FiloVec2 b) { return filo_vec2(a.x + b.x, a.y + b.y); }
static inline FiloVec2 filo_vec2_sub(FiloVec2 a, FiloVec2 b) { return filo_vec2(a.x - b.x, a.y - b.y); }
static inline FiloVec2 filo_vec2_mul(FiloVec2 a, FiloVec2 b) { return filo_vec2(a.x * b.x, a.y * b.y); }
static inline FiloVec2 filo_vec2_scale(FiloVec2 v, float s) { return filo_vec2(v.x * s, v.y * s); }
static inline FiloVec2 filo_vec2_negate(FiloVec2 v) { return filo_vec2(-v.x, -v.y); }

// a + b * s, rounded twice: no fused multiply-add.
static inline FiloVec2 filo_vec2_add_scaled(FiloVec2 a, FiloVec2 b, float s) {
    return filo_vec2(a.x + b.x * s, a.y + b.y * s);
}

static inline float filo_vec2_dot(FiloVec2 a, FiloVec2 b) { return a.x * b.x + a.y * b.y; }

// The z of the 3D cross product: positive if b lies on the side of a towards which angles grow.
static inline float filo_vec2_cross(FiloVec2 a, FiloVec2 b) { return a.x * b.y - a.y * b.x; }

// Lengths are accurate from 1.1e-19 to 1.8e19, whose squares a float can hold.
static inline float filo_vec2_length_squared(FiloVec2 v) { return filo_vec2_dot(v, v); }
static inline float filo_vec2_length(FiloVec2 v) { return filo_sqrt(filo_vec2_dot(v, v)); }
static inline float filo_vec2_distance(FiloVec2 a, FiloVec2 b) {
    return filo_vec2_length(filo_vec2_sub(a, b));
}
static inline float filo_vec2_distance_squared(FiloVec2 a, FiloVec2 b) {
    return filo_vec2_length_squared(filo_vec2_sub(a, b));
}

// Behind the normalise functions: 1 / length, or 0 for vectors outside the accurate lengths.
static inline float filo_inverse_length(float length_squared) {
    bool is_good = (length_squared >= FLT_MIN) & (length_squared <= FLT_MAX);
    float inverse = 1.0f / filo_sqrt(filo_select(is_good, length_squared, 1.0f));
    return filo_select(is_good, inverse, 0.0f);
}

// The same direction with length 1 (to 2 ulp). The zero vector, and what is shorter than 1.1e-19 or longer
// than 1.8e19, gives the zero vector.
static inline FiloVec2 filo_vec2_normalise(FiloVec2 v) {
    return filo_vec2_scale(v, filo_inverse_length(filo_vec2_dot(v, v)));
}

static inline FiloVec2 filo_vec2_lerp(FiloVec2 a, FiloVec2 b, float t) {
    return filo_vec2(filo_lerp(a.x, b.x, t), filo_lerp(a.y, b.y, t));
}

// Component by component.
static inline FiloVec2 filo_vec2_min(FiloVec2 a, FiloVec2 b) {
    return filo_vec2(filo_min(a.x, b.x), filo_min(a.y, b.y));
}
static inline FiloVec2 filo_vec2_max(FiloVec2 a, FiloVec2 b) {
    return filo_vec2(filo_max(a.x, b.x), filo_max(a.y, b.y));
}
static inline FiloVec2 filo_vec2_floor(FiloVec2 v) { return filo_vec2(filo_floor(v.x), filo_floor(v.y)); }

// v, shortened to `length` if it is longer.
static inline FiloVec2 filo_vec2_clamp_length(FiloVec2 v, float length) {
    float squared = filo_vec2_dot(v, v);
    bool is_longer = squared > length * length;
    return filo_vec2_scale(v, filo_select(is_longer, length * filo_inverse_length(squared), 1.0f));
}

// From a towards b by at most `step`, never past it.
static inline FiloVec2 filo_vec2_approach(FiloVec2 a, FiloVec2 b, float step) {
    FiloVec2 offset = filo_vec2_sub(b, a);
    float distance = filo_vec2_length(offset), length = filo_max(step, 0.0f);
    if (distance <= length) return b;
    return filo_vec2_add_scaled(a, offset, length / distance);
}

// Rotated by `angle` from +x towards +y.
static inline FiloVec2 filo_vec2_rotate(FiloVec2 v, float angle) {
    float s = filo_sin(angle), c = filo_cos(angle);
    return filo_vec2(v.x * c - v.y * s, v.x * s + v.y * c);
}

// Rotated by a quarter turn from +x towards +y: (1, 0) becomes (0, 1).
static inline FiloVec2 filo_vec2_perpendicular(FiloVec2 v) { return filo_vec2(-v.y, v.x); }

// The direction, from -pi to pi; 0 for the zero vector.
static inline float filo_vec2_angle(FiloVec2 v) { return filo_atan2(v.y, v.x); }

// The direction v after bouncing off a wall with this unit normal.
static inline FiloVec2 filo_vec2_reflect(FiloVec2 v, FiloVec2 normal) {
    return filo_vec2_add_scaled(v, normal, -2.0f * filo_vec2_dot(v, normal));
}

// The part of v that runs along `onto`, which need not have length 1. Zero if `onto` is.
static inline FiloVec2 filo_vec2_project(FiloVec2 v, FiloVec2 onto) {
    FiloVec2 direction = filo_vec2_normalise(onto);
    return filo_vec2_scale(direction, filo_vec2_dot(v, direction));
}

static inline bool filo_vec2_equal(FiloVec2 a, FiloVec2 b) { return a.x == b.x && a.y == b.y; }

// ---- Three floats -----------------------------------------------------------------------------------
//
// As for two floats, unless stated otherwise.

static inline FiloVec3 filo_vec3(float x, float y, float z) {
    FiloVec3 v = { x, y, z };
    return v;
}
static inline FiloVec3 filo_vec3_from_vec2(FiloVec2 v, float z) { return filo_vec3(v.x, v.y, z); }
static inline FiloVec2 filo_vec3_xy(FiloVec3 v) { return filo_vec2(v.x, v.y); }

static inline FiloVec3 filo_vec3_add(FiloVec3 a, FiloVec3 b) {
    return filo_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline FiloVec3 filo_vec3_sub(FiloVec3 a, FiloVec3 b) {
    return filo_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline FiloVec3 filo_vec3_mul(FiloVec3 a, FiloVec3 b) {
    return filo_vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}
static inline FiloVec3 filo_vec3_scale(FiloVec3 v, float s) { return filo_vec3(v.x * s, v.y * s, v.z * s); }
static inline FiloVec3 filo_vec3_negate(FiloVec3 v) { return filo_vec3(-v.x, -v.y, -v.z); }

static inline FiloVec3 filo_vec3_add_scaled(FiloVec3 a, FiloVec3 b, float s) {
    return filo_vec3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

static inline float filo_vec3_dot(FiloVec3 a, FiloVec3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }

// Perpendicular to both, by the right-hand rule: x cross y is z.
static inline FiloVec3 filo_vec3_cross(FiloVec3 a, FiloVec3 b) {
    return filo_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float filo_vec3_length_squared(FiloVec3 v) { return filo_vec3_dot(v, v); }
static inline float filo_vec3_length(FiloVec3 v) { return filo_sqrt(filo_vec3_dot(v, v)); }
static inline float filo_vec3_distance(FiloVec3 a, FiloVec3 b) {
    return filo_vec3_length(filo_vec3_sub(a, b));
}
static inline float filo_vec3_distance_squared(FiloVec3 a, FiloVec3 b) {
    return filo_vec3_length_squared(filo_vec3_sub(a, b));
}

static inline FiloVec3 filo_vec3_normalise(FiloVec3 v) {
    return filo_vec3_scale(v, filo_inverse_length(filo_vec3_dot(v, v)));
}

static inline FiloVec3 filo_vec3_lerp(FiloVec3 a, FiloVec3 b, float t) {
    return filo_vec3(filo_lerp(a.x, b.x, t), filo_lerp(a.y, b.y, t), filo_lerp(a.z, b.z, t));
}

static inline FiloVec3 filo_vec3_min(FiloVec3 a, FiloVec3 b) {
    return filo_vec3(filo_min(a.x, b.x), filo_min(a.y, b.y), filo_min(a.z, b.z));
}
static inline FiloVec3 filo_vec3_max(FiloVec3 a, FiloVec3 b) {
    return filo_vec3(filo_max(a.x, b.x), filo_max(a.y, b.y), filo_max(a.z, b.z));
}

static inline FiloVec3 filo_vec3_clamp_length(FiloVec3 v, float length) {
    float squared = filo_vec3_dot(v, v);
    bool is_longer = squared > length * length;
    return filo_vec3_scale(v, filo_select(is_longer, length * filo_inverse_length(squared), 1.0f));
}

static inline FiloVec3 filo_vec3_approach(FiloVec3 a, FiloVec3 b, float step) {
    FiloVec3 offset = filo_vec3_sub(b, a);
    float distance = filo_vec3_length(offset), length = filo_max(step, 0.0f);
    if (distance <= length) return b;
    return filo_vec3_add_scaled(a, offset, length / distance);
}

// A unit vector perpendicular to v, always the same one for the same v; zero if v is zero.
static inline FiloVec3 filo_vec3_perpendicular(FiloVec3 v) {
    // Crossed with the axis that v lies along least, so that the result is not short.
    float ax = filo_abs(v.x), ay = filo_abs(v.y), az = filo_abs(v.z);
    FiloVec3 axis = ax <= ay && ax <= az ? filo_vec3(1.0f, 0.0f, 0.0f)
                    : ay <= az           ? filo_vec3(0.0f, 1.0f, 0.0f)
                                         : filo_vec3(0.0f, 0.0f, 1.0f);
    return filo_vec3_normalise(filo_vec3_cross(filo_vec3_normalise(v), axis));
}

static inline FiloVec3 filo_vec3_reflect(FiloVec3 v, FiloVec3 normal) {
    return filo_vec3_add_scaled(v, normal, -2.0f * filo_vec3_dot(v, normal));
}

static inline FiloVec3 filo_vec3_project(FiloVec3 v, FiloVec3 onto) {
    FiloVec3 direction = filo_vec3_normalise(onto);
    return filo_vec3_scale(direction, filo_vec3_dot(v, direction));
}

static inline bool filo_vec3_equal(FiloVec3 a, FiloVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// ---- Four floats ------------------------------------------------------------------------------------

static inline FiloVec4 filo_vec4(float x, float y, float z, float w) {
    FiloVec4 v = { x, y, z, w };
    return v;
}
static inline FiloVec4 filo_vec4_from_vec3(FiloVec3 v, float w) { return filo_vec4(v.x, v.y, v.z, w); }
static inline FiloVec3 filo_vec4_xyz(FiloVec4 v) { return filo_vec3(v.x, v.y, v.z); }

static inline FiloVec4 filo_vec4_add(FiloVec4 a, FiloVec4 b) {
    return filo_vec4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
static inline FiloVec4 filo_vec4_sub(FiloVec4 a, FiloVec4 b) {
    return filo_vec4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}
static inline FiloVec4 filo_vec4_mul(FiloVec4 a, FiloVec4 b) {
    return filo_vec4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}
static inline FiloVec4 filo_vec4_scale(FiloVec4 v, float s) {
    return filo_vec4(v.x * s, v.y * s, v.z * s, v.w * s);
}
static inline FiloVec4 filo_vec4_negate(FiloVec4 v) { return filo_vec4(-v.x, -v.y, -v.z, -v.w); }
static inline FiloVec4 filo_vec4_add_scaled(FiloVec4 a, FiloVec4 b, float s) {
    return filo_vec4(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s, a.w + b.w * s);
}

static inline float filo_vec4_dot(FiloVec4 a, FiloVec4 b) {
    return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}
static inline float filo_vec4_length_squared(FiloVec4 v) { return filo_vec4_dot(v, v); }
static inline float filo_vec4_length(FiloVec4 v) { return filo_sqrt(filo_vec4_dot(v, v)); }
static inline float filo_vec4_distance(FiloVec4 a, FiloVec4 b) {
    return filo_vec4_length(filo_vec4_sub(a, b));
}
static inline FiloVec4 filo_vec4_normalise(FiloVec4 v) {
    return filo_vec4_scale(v, filo_inverse_length(filo_vec4_dot(v, v)));
}

static inline FiloVec4 filo_vec4_lerp(FiloVec4 a, FiloVec4 b, float t) {
    return filo_vec4(filo_lerp(a.x, b.x, t), filo_lerp(a.y, b.y, t), filo_lerp(a.z, b.z, t),
                     filo_lerp(a.w, b.w, t));
}
static inline FiloVec4 filo_vec4_min(FiloVec4 a, FiloVec4 b) {
    return filo_vec4(filo_min(a.x, b.x), filo_min(a.y, b.y), filo_min(a.z, b.z), filo_min(a.w, b.w));
}
static inline FiloVec4 filo_vec4_max(FiloVec4 a, FiloVec4 b) {
    return filo_vec4(filo_max(a.x, b.x), filo_max(a.y, b.y), filo_max(a.z, b.z), filo_max(a.w, b.w));
}
static inline FiloVec4 filo_vec4_clamp_length(FiloVec4 v, float length) {
    float squared = filo_vec4_dot(v, v);
    bool is_longer = squared > length * length;
    return filo_vec4_scale(v, filo_select(is_longer, length * filo_inverse_length(squared), 1.0f));
}
static inline bool filo_vec4_equal(FiloVec4 a, FiloVec4 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

// ---- Two integers: cells of a grid, sizes in pixels -----------------------------------------------------
//
// Overflow wraps round, in every build.

static inline FiloIVec2 filo_ivec2(int32_t x, int32_t y) {
    FiloIVec2 v = { x, y };
    return v;
}
static inline FiloIVec2 filo_ivec2_add(FiloIVec2 a, FiloIVec2 b) {
    return filo_ivec2((int32_t)((uint32_t)a.x + (uint32_t)b.x), (int32_t)((uint32_t)a.y + (uint32_t)b.y));
}
static inline FiloIVec2 filo_ivec2_sub(FiloIVec2 a, FiloIVec2 b) {
    return filo_ivec2((int32_t)((uint32_t)a.x - (uint32_t)b.x), (int32_t)((uint32_t)a.y - (uint32_t)b.y));
}
static inline FiloIVec2 filo_ivec2_mul(FiloIVec2 a, FiloIVec2 b) {
    return filo_ivec2((int32_t)((uint32_t)a.x * (uint32_t)b.x), (int32_t)((uint32_t)a.y * (uint32_t)b.y));
}
static inline FiloIVec2 filo_ivec2_scale(FiloIVec2 v, int32_t s) {
    return filo_ivec2_mul(v, filo_ivec2(s, s));
}
static inline FiloIVec2 filo_ivec2_min(FiloIVec2 a, FiloIVec2 b) {
    return filo_ivec2(FILO_MIN(a.x, b.x), FILO_MIN(a.y, b.y));
}
static inline FiloIVec2 filo_ivec2_max(FiloIVec2 a, FiloIVec2 b) {
    return filo_ivec2(FILO_MAX(a.x, b.x), FILO_MAX(a.y, b.y));
}
static inline bool filo_ivec2_equal(FiloIVec2 a, FiloIVec2 b) { return a.x == b.x && a.y == b.y; }

// In 64 bits, which overflow only if all four components are INT32_MIN.
static inline int64_t filo_ivec2_dot(FiloIVec2 a, FiloIVec2 b) {
    return (int64_t)((uint64_t)((int64_t)a.x * b.x) + (uint64_t)((int64_t)a.y * b.y));
}

// The cell of size 1 that v lies in; the vector at a cell's lower corner.
static inline FiloIVec2 filo_ivec2_from_vec2(FiloVec2 v) {
    return filo_ivec2(filo_floor_to_int(v.x), filo_floor_to_int(v.y));
}
static inline FiloVec2 filo_vec2_from_ivec2(FiloIVec2 v) { return filo_vec2((float)v.x, (float)v.y); }

// ---- Rectangles -------------------------------------------------------------------------------------
//
// From `min`, inclusive, up to `max`, exclusive: so that rectangles side by side share no point. One whose
// max is not larger than its min in both directions is empty: it contains and overlaps nothing. {0} is empty.

typedef struct FiloRect {
    FiloVec2 min, max;
} FiloRect;

static inline FiloRect filo_rect(FiloVec2 min, FiloVec2 max) {
    FiloRect r = { min, max };
    return r;
}

// From the corner and the size, and from the centre and the size.
static inline FiloRect filo_rect_from_size(FiloVec2 min, FiloVec2 size) {
    return filo_rect(min, filo_vec2_add(min, size));
}
static inline FiloRect filo_rect_from_centre(FiloVec2 centre, FiloVec2 size) {
    FiloVec2 half = filo_vec2_scale(size, 0.5f);
    return filo_rect(filo_vec2_sub(centre, half), filo_vec2_add(centre, half));
}

static inline FiloVec2 filo_rect_size(FiloRect r) { return filo_vec2_sub(r.max, r.min); }
static inline FiloVec2 filo_rect_centre(FiloRect r) { return filo_vec2_lerp(r.min, r.max, 0.5f); }
static inline bool filo_rect_is_empty(FiloRect r) { return !(r.min.x < r.max.x && r.min.y < r.max.y); }

static inline bool filo_rect_contains(FiloRect r, FiloVec2 p) {
    return p.x >= r.min.x && p.x < r.max.x && p.y >= r.min.y && p.y < r.max.y;
}

// The intersection; all zero if it is empty.
static inline FiloRect filo_rect_intersection(FiloRect a, FiloRect b) {
    FiloRect r = filo_rect(filo_vec2_max(a.min, b.min), filo_vec2_min(a.max, b.max));
    return filo_rect_is_empty(r) ? filo_rect(filo_vec2(0.0f, 0.0f), filo_vec2(0.0f, 0.0f)) : r;
}

// Whether they share some area; touching is not enough.
static inline bool filo_rect_overlaps(FiloRect a, FiloRect b) {
    return !filo_rect_is_empty(filo_rect(filo_vec2_max(a.min, b.min), filo_vec2_min(a.max, b.max)));
}

// The smallest rectangle around both; an empty one does not count.
static inline FiloRect filo_rect_union(FiloRect a, FiloRect b) {
    if (filo_rect_is_empty(a)) return b;
    if (filo_rect_is_empty(b)) return a;
    return filo_rect(filo_vec2_min(a.min, b.min), filo_vec2_max(a.max, b.max));
}

// Larger by `margin` on every side; smaller where that is negative, until it is empty.
static inline FiloRect filo_rect_expand(FiloRect r, float margin) {
    FiloVec2 m = filo_vec2(margin, margin);
    return filo_rect(filo_vec2_sub(r.min, m), filo_vec2_add(r.max, m));
}

static inline FiloRect filo_rect_move(FiloRect r, FiloVec2 by) {
    return filo_rect(filo_vec2_add(r.min, by), filo_vec2_add(r.max, by));
}

// The point of the closed rectangle that is nearest to p; p itself inside.
static inline FiloVec2 filo_rect_clamp(FiloRect r, FiloVec2 p) {
    return filo_vec2(filo_clamp(p.x, r.min.x, r.max.x), filo_clamp(p.y, r.min.y, r.max.y));
}

// ---- Boxes along the axes ---------------------------------------------------------------------------
//
// As rectangles, but in three dimensions.

typedef struct FiloAabb3 {
    FiloVec3 min, max;
} FiloAabb3;

static inline FiloAabb3 filo_aabb3(FiloVec3 min, FiloVec3 max) {
    FiloAabb3 box = { min, max };
    return box;
}
static inline FiloAabb3 filo_aabb3_from_size(FiloVec3 min, FiloVec3 size) {
    return filo_aabb3(min, filo_vec3_add(min, size));
}
static inline FiloAabb3 filo_aabb3_from_centre(FiloVec3 centre, FiloVec3 size) {
    FiloVec3 half = filo_vec3_scale(size, 0.5f);
    return filo_aabb3(filo_vec3_sub(centre, half), filo_vec3_add(centre, half));
}

static inline FiloVec3 filo_aabb3_size(FiloAabb3 box) { return filo_vec3_sub(box.max, box.min); }
static inline FiloVec3 filo_aabb3_centre(FiloAabb3 box) { return filo_vec3_lerp(box.min, box.max, 0.5f); }
static inline bool filo_aabb3_is_empty(FiloAabb3 box) {
    return !(box.min.x < box.max.x && box.min.y < box.max.y && box.min.z < box.max.z);
}

static inline bool filo_aabb3_contains(FiloAabb3 box, FiloVec3 p) {
    return p.x >= box.min.x && p.x < box.max.x && p.y >= box.min.y && p.y < box.max.y && p.z >= box.min.z &&
           p.z < box.max.z;
}

static inline FiloAabb3 filo_aabb3_intersection(FiloAabb3 a, FiloAabb3 b) {
    FiloAabb3 box = filo_aabb3(filo_vec3_max(a.min, b.min), filo_vec3_min(a.max, b.max));
    FiloVec3 zero = filo_vec3(0.0f, 0.0f, 0.0f);
    return filo_aabb3_is_empty(box) ? filo_aabb3(zero, zero) : box;
}

static inline bool filo_aabb3_overlaps(FiloAabb3 a, FiloAabb3 b) {
    return !filo_aabb3_is_empty(filo_aabb3(filo_vec3_max(a.min, b.min), filo_vec3_min(a.max, b.max)));
}

static inline FiloAabb3 filo_aabb3_union(FiloAabb3 a, FiloAabb3 b) {
    if (filo_aabb3_is_empty(a)) return b;
    if (filo_aabb3_is_empty(b)) return a;
    return filo_aabb3(filo_vec3_min(a.min, b.min), filo_vec3_max(a.max, b.max));
}

static inline FiloAabb3 filo_aabb3_expand(FiloAabb3 box, float margin) {
    FiloVec3 m = filo_vec3(margin, margin, margin);
    return filo_aabb3(filo_vec3_sub(box.min, m), filo_vec3_add(box.max, m));
}

static inline FiloAabb3 filo_aabb3_move(FiloAabb3 box, FiloVec3 by) {
    return filo_aabb3(filo_vec3_add(box.min, by), filo_vec3_add(box.max, by));
}

static inline FiloVec3 filo_aabb3_clamp(FiloAabb3 box, FiloVec3 p) {
    return filo_vec3(filo_clamp(p.x, box.min.x, box.max.x), filo_clamp(p.y, box.min.y, box.max.y),
                     filo_clamp(p.z, box.min.z, box.max.z));
}

FILO_END_DECLS

#endif
