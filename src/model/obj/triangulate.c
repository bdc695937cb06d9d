// Triangles of polygons: a fan if they are convex, ear clipping if they are not (G. Meisters, 1975).

#include "model/obj/obj.h"

static FiloVec3 corner(const ModelObjReader *obj, size_t i) {
    const ModelObjPosition *p = &obj->positions.data[obj->corners.data[i].position];
    return filo_vec3(p->x, p->y, p->z);
}

// All triangles at one corner.
static bool add_fan(ModelObjReader *obj, size_t centre) {
    size_t count = obj->polygon.count;
    const uint32_t *v = obj->polygon.data;
    for (size_t i = 1; i + 1 < count; i++)
        if (!model_obj_add_triangle(obj, v[centre], v[(centre + i) % count], v[(centre + i + 1) % count]))
            return false;
    return true;
}

// A quad is cut from corner 0 to 2, unless the triangles look to opposite sides: then corner 1 or 3 is concave.
static bool add_quad(ModelObjReader *obj) {
    FiloVec3 a = corner(obj, 0), b = corner(obj, 1), c = corner(obj, 2), d = corner(obj, 3);
    FiloVec3 ac = filo_vec3_sub(c, a);
    FiloVec3 first = filo_vec3_cross(filo_vec3_sub(b, a), ac),
             second = filo_vec3_cross(ac, filo_vec3_sub(d, a));
    return add_fan(obj, filo_vec3_dot(first, second) < 0.0f ? 1 : 0);
}

// Twice the area of a triangle; positive if its corners go counter-clockwise.
static float area(FiloVec2 a, FiloVec2 b, FiloVec2 c) {
    return filo_vec2_cross(filo_vec2_sub(b, a), filo_vec2_sub(c, a));
}

// Projects the polygon along the axis that its normal lies along most, so that it goes counter-clockwise.
static bool make_outline(ModelObjReader *obj) {
    size_t count = obj->corners.count;
    if (!MODEL_OBJ_RESERVE(obj, &obj->outline, count)) return false;
    FiloVec3 origin = corner(obj, 0), normal = filo_vec3(0, 0, 0), previous = normal;
    for (size_t i = 1; i < count; i++) {
        FiloVec3 next = filo_vec3_sub(corner(obj, i), origin);
        normal = filo_vec3_add(normal, filo_vec3_cross(previous, next));
        previous = next;
    }
    float x = filo_abs(normal.x), y = filo_abs(normal.y), z = filo_abs(normal.z);
    bool along_x = x >= y && x >= z, along_y = !along_x && y >= z;
    float side = along_x ? normal.x : along_y ? normal.y : normal.z;
    for (size_t i = 0; i < count; i++) {
        FiloVec3 p = filo_vec3_sub(corner(obj, i), origin);
        FiloVec2 flat = along_x ? filo_vec2(p.y, p.z) : along_y ? filo_vec2(p.z, p.x) : filo_vec2(p.x, p.y);
        obj->outline.data[i] = side < 0.0f ? filo_vec2(flat.y, flat.x) : flat;
    }
    return true;
}

static bool is_convex(const ModelObjReader *obj) {
    size_t count = obj->corners.count;
    const FiloVec2 *p = obj->outline.data;
    for (size_t i = 0; i < count; i++)
        if (area(p[i], p[(i + 1) % count], p[(i + 2) % count]) < 0.0f) return false;
    return true;
}

// The corners that are left, as a ring.
typedef struct Ring {
    const FiloVec2 *p;
    uint32_t *next, *previous;
    uint32_t *ear; // whether the corner can be cut off: 1 or 0
    uint32_t count;
} Ring;

static bool inside(const Ring *ring, uint32_t a, uint32_t b, uint32_t c, uint32_t point) {
    FiloVec2 q = ring->p[point];
    return area(ring->p[a], ring->p[b], q) >= 0.0f && area(ring->p[b], ring->p[c], q) >= 0.0f &&
           area(ring->p[c], ring->p[a], q) >= 0.0f;
}

// Whether the triangle at corner b has no other corner inside.
static bool is_ear(const Ring *ring, uint32_t b) {
    uint32_t a = ring->previous[b], c = ring->next[b];
    if (!(area(ring->p[a], ring->p[b], ring->p[c]) > 0.0f)) return false;
    for (uint32_t i = ring->next[c]; i != a; i = ring->next[i]) {
        // Corners at the same place as one of the triangle occur where a hole is connected by two equal edges.
        FiloVec2 q = ring->p[i];
        if (filo_vec2_equal(q, ring->p[a]) || filo_vec2_equal(q, ring->p[b]) ||
            filo_vec2_equal(q, ring->p[c]))
            continue;
        if (inside(ring, a, b, c, i)) return false;
    }
    return true;
}

// The next corner to cut off, from `start` on. If a polygon that crosses itself has no ear, any corner.
static uint32_t find_ear(const Ring *ring, uint32_t start) {
    uint32_t b = start;
    for (uint32_t i = 0; i < ring->count; i++, b = ring->next[b])
        if (ring->ear[b] != 0) return b;
    return start;
}

static bool clip_ears(ModelObjReader *obj) {
    uint32_t count = (uint32_t)obj->corners.count;
    if (!MODEL_OBJ_RESERVE(obj, &obj->ring, (size_t)count * 3)) return false;
    Ring ring = { .p = obj->outline.data, .count = count };
    ring.next = obj->ring.data;
    ring.previous = ring.next + count;
    ring.ear = ring.previous + count;
    for (uint32_t i = 0; i < count; i++) {
        ring.next[i] = (i + 1) % count;
        ring.previous[i] = (i + count - 1) % count;
    }
    for (uint32_t i = 0; i < count; i++) ring.ear[i] = is_ear(&ring, i);
    const uint32_t *v = obj->polygon.data;
    for (uint32_t b = 0; ring.count > 2; ring.count--) {
        b = find_ear(&ring, b);
        uint32_t a = ring.previous[b], c = ring.next[b];
        if (!model_obj_add_triangle(obj, v[a], v[b], v[c])) return false;
        ring.next[a] = c;
        ring.previous[c] = a;
        ring.ear[a] = is_ear(&ring, a);
        ring.ear[c] = is_ear(&ring, c);
        b = c;
    }
    return true;
}

FiloResult model_obj_triangulate(ModelObjReader *obj, ModelText *text) {
    size_t count = obj->polygon.count;
    bool done;
    if (count == 4) {
        done = add_quad(obj);
    } else if (!make_outline(obj)) {
        done = false;
    } else if (is_convex(obj)) {
        done = add_fan(obj, 0);
    } else if (count > MODEL_OBJ_CONCAVE_MAX) {
        return model_text_error(text, FILO_ERROR_LIMIT,
                                "a face of %zu corners that is not convex is too large: %d are the most",
                                count, MODEL_OBJ_CONCAVE_MAX);
    } else {
        done = clip_ears(obj);
    }
    return done ? filo_ok() : obj->reader->result;
}
