// Faces of OBJ files: their corners, the vertices of the mesh that these become, and normals that are missing.

#include "model/obj/obj.h"

#include <string.h>

// ---- Corners --------------------------------------------------------------------------------------------

static FiloResult no_such(const ModelText *text, const char *what, int64_t index, size_t count) {
    if (index == 0)
        return model_text_error(text, FILO_ERROR_DATA, "%s 0 does not exist: they are counted from 1", what);
    return model_text_error(text, FILO_ERROR_DATA, "%s %lld does not exist, there are %zu so far", what,
                            (long long)index, count);
}

// The index of an element, which is counted from 1, or from the end if it is negative. MODEL_OBJ_NONE: it does not exist.
static inline uint32_t resolve(int64_t index, size_t count) {
    int64_t from_zero = index > 0 ? index - 1 : (int64_t)count + index;
    return index != 0 && from_zero >= 0 && from_zero < (int64_t)count ? (uint32_t)from_zero : MODEL_OBJ_NONE;
}

static FiloResult bad_corner(const ModelText *text) {
    ModelText copy = *text;
    FiloString word = model_text_word(&copy);
    return model_text_error(text, FILO_ERROR_DATA, "\"%.*s\" is not the corner of a face, such as 1/2/3",
                            (int)FILO_MIN(word.length, (size_t)40), word.data);
}

// Some exporters give numbers of normals, and no normals.
static bool has_normals(ModelObjReader *obj, const ModelText *text) {
    if (obj->normals.count > 0) return true;
    if (!obj->said_normals)
        model_text_warn(text, "the file has no normals (vn) before this face, so they are computed");
    obj->said_normals = true;
    return false;
}

// Reads position, position/uv, position//normal or position/uv/normal.
static inline FiloResult read_corner(ModelObjReader *obj, ModelText *text, ModelObjCorner *corner) {
    const char *p = text->p;
    int64_t v, t, n;
    if (!model_read_int(&p, &v)) return bad_corner(text);
    corner->position = resolve(v, obj->positions.count);
    if (corner->position == MODEL_OBJ_NONE) return no_such(text, "vertex", v, obj->positions.count);
    corner->uv = corner->normal = MODEL_OBJ_NONE;
    if (*p == '/') {
        p++;
        if (model_read_int(&p, &t)) {
            corner->uv = resolve(t, obj->uvs.count);
            if (corner->uv == MODEL_OBJ_NONE) return no_such(text, "texture coordinate", t, obj->uvs.count);
        }
        if (*p == '/') {
            p++;
            if (model_read_int(&p, &n) && has_normals(obj, text)) {
                corner->normal = resolve(n, obj->normals.count);
                if (corner->normal == MODEL_OBJ_NONE) return no_such(text, "normal", n, obj->normals.count);
            }
        }
    }
    if (!model_ends_word(*p)) return bad_corner(text);
    text->p = p;
    return filo_ok();
}

// ---- Normals that are missing ---------------------------------------------------------------------------

static FiloVec3 position_of(const ModelObjReader *obj, const ModelObjCorner *corner) {
    const ModelObjPosition *p = &obj->positions.data[corner->position];
    return filo_vec3(p->x, p->y, p->z);
}

// The normal of a polygon, also if it is not plane (M. Newell). Its length is twice the area.
static FiloVec3 polygon_normal(const ModelObjReader *obj) {
    size_t count = obj->corners.count;
    FiloVec3 sum = filo_vec3(0, 0, 0), origin = position_of(obj, &obj->corners.data[0]);
    FiloVec3 a = filo_vec3(0, 0, 0);
    for (size_t i = 1; i < count; i++) {
        FiloVec3 b = filo_vec3_sub(position_of(obj, &obj->corners.data[i]), origin);
        sum = filo_vec3_add(sum, filo_vec3_cross(a, b));
        a = b;
    }
    return sum;
}

static bool reserve_smooth_of(ModelObjReader *obj) {
    if (!MODEL_OBJ_RESERVE(obj, &obj->smooth_of, obj->positions.count)) return false;
    while (obj->smooth_of.count < obj->positions.count)
        obj->smooth_of.data[obj->smooth_of.count++] = MODEL_OBJ_NONE;
    return true;
}

// The computed normal of a position in the current smoothing group. MODEL_OBJ_NONE without memory.
static uint32_t smooth_normal(ModelObjReader *obj, uint32_t position) {
    uint32_t *head = &obj->smooth_of.data[position];
    int steps = 0;
    for (uint32_t i = *head; i != MODEL_OBJ_NONE && steps < MODEL_OBJ_SEARCH_LIMIT;
         i = obj->smooth.data[i].next, steps++)
        if (obj->smooth.data[i].group == obj->group) return i;
    if (!MODEL_OBJ_RESERVE(obj, &obj->smooth, obj->smooth.count + 1)) return MODEL_OBJ_NONE;
    obj->smooth.data[obj->smooth.count] = (ModelObjSmooth){ .group = obj->group, .next = *head };
    *head = (uint32_t)obj->smooth.count;
    return (uint32_t)obj->smooth.count++;
}

static float corner_angle(const ModelObjReader *obj, size_t i) {
    size_t count = obj->corners.count;
    FiloVec3 p = position_of(obj, &obj->corners.data[i]);
    FiloVec3 a = filo_vec3_sub(position_of(obj, &obj->corners.data[(i + 1) % count]), p);
    FiloVec3 b = filo_vec3_sub(position_of(obj, &obj->corners.data[(i + count - 1) % count]), p);
    return filo_acos(filo_vec3_dot(filo_vec3_normalise(a), filo_vec3_normalise(b)));
}

// Gives computed normals to the corners that have none. False without memory.
static bool add_normals(ModelObjReader *obj) {
    FiloVec3 normal = filo_vec3_normalise(polygon_normal(obj));
    if (!reserve_smooth_of(obj)) return false;
    uint32_t flat = (uint32_t)obj->smooth.count;
    if (obj->group == 0) {
        if (!MODEL_OBJ_RESERVE(obj, &obj->smooth, obj->smooth.count + 1)) return false;
        obj->smooth.data[obj->smooth.count++] = (ModelObjSmooth){ .next = MODEL_OBJ_NONE, .sum = normal };
    }
    for (size_t i = 0; i < obj->corners.count; i++) {
        ModelObjCorner *corner = &obj->corners.data[i];
        if (corner->normal != MODEL_OBJ_NONE) continue;
        uint32_t index = obj->group == 0 ? flat : smooth_normal(obj, corner->position);
        if (index == MODEL_OBJ_NONE) return false;
        corner->normal = index | MODEL_OBJ_GENERATED;
        if (obj->group == 0) continue;
        FiloVec3 *sum = &obj->smooth.data[index].sum;
        *sum = filo_vec3_add_scaled(*sum, normal, corner_angle(obj, i));
    }
    return true;
}

// ---- Vertices -------------------------------------------------------------------------------------------

// The vertex of a corner, relative to the first one of the object. There is room for a new one.
static inline uint32_t vertex_of(ModelObjReader *obj, const ModelObjCorner *corner, uint32_t first) {
    ModelObjPosition *position = &obj->positions.data[corner->position];
    uint32_t i = position->vertex;
    for (int steps = 0; i != MODEL_OBJ_NONE && i >= first && steps < MODEL_OBJ_SEARCH_LIMIT; steps++) {
        const ModelObjVertex *vertex = &obj->vertices.data[i];
        if (vertex->uv == corner->uv && vertex->normal == corner->normal) return i - first;
        i = vertex->next;
    }
    uint32_t added = (uint32_t)obj->vertices.count++;
    obj->vertices.data[added] =
        (ModelObjVertex){ corner->position, corner->uv, corner->normal, position->vertex };
    position->vertex = added;
    return added - first;
}

bool model_obj_add_triangle(ModelObjReader *obj, uint32_t a, uint32_t b, uint32_t c) {
    if (a == b || b == c || c == a) return true; // without area
    if (!MODEL_OBJ_RESERVE(obj, &obj->indices, obj->indices.count + 3)) return false;
    uint32_t *out = obj->indices.data + obj->indices.count;
    out[0] = a;
    out[1] = b;
    out[2] = c;
    obj->indices.count += 3;
    return true;
}

FiloResult model_obj_face(ModelObjReader *obj, ModelText *text) {
    size_t count = 0;
    bool missing = false, has_uvs = false;
    while (model_text_spaces(text)) {
        if (!MODEL_OBJ_RESERVE(obj, &obj->corners, count + 1)) return obj->reader->result;
        ModelObjCorner *corner = &obj->corners.data[count++];
        FiloResult r = read_corner(obj, text, corner);
        if (FILO_UNLIKELY(r.code != FILO_OK)) return r;
        missing |= corner->normal == MODEL_OBJ_NONE;
        has_uvs |= corner->uv != MODEL_OBJ_NONE;
    }
    obj->corners.count = count;
    if (count < 3)
        return model_text_error(text, FILO_ERROR_DATA, "a face has at least 3 corners, not %zu", count);
    if (missing && !add_normals(obj)) return obj->reader->result;
    if (!MODEL_OBJ_RESERVE(obj, &obj->vertices, obj->vertices.count + count)) return obj->reader->result;
    if (!MODEL_OBJ_RESERVE(obj, &obj->polygon, count)) return obj->reader->result;
    ModelObjObject *object = &obj->objects.data[obj->objects.count - 1];
    object->has_uvs |= has_uvs;
    uint32_t *polygon = obj->polygon.data, first = object->first_vertex;
    for (size_t i = 0; i < count; i++) polygon[i] = vertex_of(obj, &obj->corners.data[i], first);
    obj->polygon.count = count;
    if (FILO_UNLIKELY(count > 3)) return model_obj_triangulate(obj, text);
    return model_obj_add_triangle(obj, polygon[0], polygon[1], polygon[2]) ? filo_ok() : obj->reader->result;
}
