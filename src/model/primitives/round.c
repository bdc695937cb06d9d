// Shapes of rotation: spheres, capsules, cylinders, cones and tori.
//
// Each is a profile, rows from the top to the bottom, that is turned around y. Column i of a row is at u = i / sectors,
// where u = 0.5 looks along +z. The first and the last column are at the same place with different u. A row with radius 0
// is a pole: it has one vertex for each triangle that meets there, with the u of the triangle's middle.

#include "model/primitives/grid.h"

#include <filo/check.h>

typedef struct Row {
    float radius, y;
    float normal_out, normal_y; // of length 1 together
    float v;
} Row;

typedef struct Lathe {
    FiloMeshData *mesh;
    uint32_t sectors;
    uint32_t vertex, index; // filled so far
} Lathe;

static uint32_t row_length(const Lathe *lathe, const Row *row) {
    return row->radius == 0.0f ? lathe->sectors : lathe->sectors + 1;
}

// The direction of a column, of length 1.
static FiloSinCos column_direction(const Lathe *lathe, float column) {
    float turn = column / (float)lathe->sectors;
    return filo_sincos(((turn < 1.0f ? turn : 0.0f) - 0.5f) * FILO_TAU);
}

// Adds the vertices of a row; returns the first of them.
static uint32_t add_row(Lathe *lathe, const Row *row) {
    uint32_t first = lathe->vertex;
    bool pole = row->radius == 0.0f;
    for (uint32_t i = 0; i < row_length(lathe, row); i++) {
        float column = (float)i + (pole ? 0.5f : 0.0f);
        FiloSinCos d = column_direction(lathe, column);
        model_set_vertex(lathe->mesh, lathe->vertex++,
                         filo_vec3(d.sin * row->radius, row->y, d.cos * row->radius),
                         filo_vec3(d.sin * row->normal_out, row->normal_y, d.cos * row->normal_out),
                         filo_vec3(d.cos, 0.0f, -d.sin), filo_vec2(column / (float)lathe->sectors, row->v));
    }
    return first;
}

// Adds the triangles between two rows.
static void add_band(Lathe *lathe, const Row *upper, uint32_t first_upper, const Row *lower,
                     uint32_t first_lower) {
    uint32_t *indices = lathe->mesh->indices;
    for (uint32_t i = 0; i < lathe->sectors; i++) {
        uint32_t u = first_upper + i, l = first_lower + i;
        if (upper->radius == 0.0f)
            model_add_triangle(indices, &lathe->index, u, l, l + 1);
        else if (lower->radius == 0.0f)
            model_add_triangle(indices, &lathe->index, u, l, u + 1);
        else
            model_add_quad(indices, &lathe->index, u, u + 1, l, l + 1);
    }
}

typedef Row (*RowFunction)(const void *shape, uint32_t row);

// Adds all rows of a profile.
static void add_profile(Lathe *lathe, RowFunction row_of, const void *shape, uint32_t rows) {
    Row upper = row_of(shape, 0);
    uint32_t first_upper = add_row(lathe, &upper);
    for (uint32_t i = 1; i < rows; i++) {
        Row lower = row_of(shape, i);
        uint32_t first_lower = add_row(lathe, &lower);
        add_band(lathe, &upper, first_upper, &lower, first_lower);
        upper = lower;
        first_upper = first_lower;
    }
}

// Vertices and indices of a profile with this many poles, which are its first or last row.
static uint64_t profile_vertices(uint64_t sectors, uint64_t rows, uint64_t poles) {
    return (sectors + 1) * rows - poles;
}
static uint64_t profile_indices(uint64_t sectors, uint64_t rows, uint64_t poles) {
    return 6 * sectors * (rows - 1) - 3 * sectors * poles;
}

static bool good_counts(uint32_t sectors, uint32_t rings, uint32_t least_rings) {
    return sectors >= 3 && rings >= least_rings;
}

// ---- Sphere and capsule ---------------------------------------------------------------------------------

typedef struct Capsule {
    float radius, half; // half of the length between the caps' centres
    uint32_t cap_rows;  // rows of the upper cap
    uint32_t rows;
} Capsule;

// A row of a sphere or a capsule. Both caps have their own equator, unless there is nothing between them.
static Row capsule_row(const void *shape, uint32_t row) {
    const Capsule *c = shape;
    bool lower = row >= c->cap_rows;
    uint32_t bands = c->half > 0.0f ? c->rows - 2 : c->rows - 1;
    uint32_t band = lower && c->half > 0.0f ? row - 1 : row;
    bool pole = row == 0 || row == c->rows - 1;
    FiloSinCos d = filo_sincos(FILO_PI * (float)band / (float)bands);
    if (2 * band == bands) d = (FiloSinCos){ 1.0f, 0.0f };
    if (pole) d = (FiloSinCos){ 0.0f, row == 0 ? 1.0f : -1.0f };
    // v is the length along the profile.
    float arc = FILO_PI * (float)band / (float)bands * c->radius,
          total = FILO_PI * c->radius + 2.0f * c->half;
    float v = pole ? (row == 0 ? 0.0f : 1.0f) : (arc + (lower ? 2.0f * c->half : 0.0f)) / total;
    return (Row){ d.sin * c->radius, d.cos * c->radius + (lower ? -c->half : c->half), d.sin, d.cos, v };
}

static FiloResult make_capsule(FiloMeshData *mesh, const Capsule *capsule, uint32_t sectors, const char *what,
                               const FiloAllocator *allocator) {
    FiloResult r = model_primitive_create(mesh, profile_vertices(sectors, capsule->rows, 2),
                                          profile_indices(sectors, capsule->rows, 2), what, allocator);
    if (r.code != FILO_OK) return r;
    Lathe lathe = { .mesh = mesh, .sectors = sectors };
    add_profile(&lathe, capsule_row, capsule, capsule->rows);
    filo_mesh_update_bounds(mesh);
    return r;
}

FiloResult filo_mesh_sphere(FiloMeshData *mesh, const FiloSphereDesc *desc, const FiloAllocator *allocator) {
    if (mesh == NULL) return FILO_MISTAKE("pass a mesh for the sphere");
    *mesh = (FiloMeshData){ 0 };
    FiloSphereDesc d = desc != NULL ? *desc : (FiloSphereDesc){ 0 };
    d.radius = model_or(d.radius, 0.5f);
    d.sectors = model_or_count(d.sectors, 32);
    d.rings = model_or_count(d.rings, 16);
    if (!model_is_length(d.radius) || !good_counts(d.sectors, d.rings, 2))
        return FILO_MISTAKE("a sphere has a radius above 0, at least 3 sectors and at least 2 rings");
    if (d.rings >= MODEL_PRIMITIVE_LIMIT) d.rings = (uint32_t)MODEL_PRIMITIVE_LIMIT; // too many anyway
    Capsule capsule = { .radius = d.radius, .cap_rows = d.rings + 1, .rows = d.rings + 1 };
    return make_capsule(mesh, &capsule, d.sectors, "sphere", allocator);
}

FiloResult filo_mesh_capsule(FiloMeshData *mesh, const FiloCapsuleDesc *desc,
                             const FiloAllocator *allocator) {
    if (mesh == NULL) return FILO_MISTAKE("pass a mesh for the capsule");
    *mesh = (FiloMeshData){ 0 };
    FiloCapsuleDesc d = desc != NULL ? *desc : (FiloCapsuleDesc){ 0 };
    d.radius = model_or(d.radius, 0.5f);
    d.height = model_or(d.height, 2.0f);
    d.sectors = model_or_count(d.sectors, 32);
    d.rings = model_or_count(d.rings, 16);
    if (!model_is_length(d.radius) || !model_is_length(d.height) || !good_counts(d.sectors, d.rings, 2))
        return FILO_MISTAKE(
            "a capsule has a radius and a height above 0, at least 3 sectors and at least 2 rings");
    if (d.rings >= MODEL_PRIMITIVE_LIMIT) d.rings = (uint32_t)MODEL_PRIMITIVE_LIMIT;
    uint32_t cap = (d.rings + 1) / 2; // both caps have the same number of rings
    float half = filo_max(d.height * 0.5f - d.radius, 0.0f);
    Capsule capsule = { .radius = d.radius, .half = half, .cap_rows = cap + 1 };
    capsule.rows = half > 0.0f ? 2 * (cap + 1) : 2 * cap + 1;
    return make_capsule(mesh, &capsule, d.sectors, "capsule", allocator);
}

// ---- Cylinder and cone ----------------------------------------------------------------------------------

typedef struct Cylinder {
    float bottom, top, height;
    uint32_t rings;
} Cylinder;

static Row cylinder_row(const void *shape, uint32_t row) {
    const Cylinder *c = shape;
    float v = (float)row / (float)c->rings;
    FiloVec2 normal = filo_vec2_normalise(filo_vec2(c->height, c->bottom - c->top));
    float radius = row == c->rings ? c->bottom : filo_lerp(c->top, c->bottom, v);
    return (Row){ row == 0 ? c->top : radius, (0.5f - v) * c->height, normal.x, normal.y, v };
}

// A cap at height y that looks up (1) or down (-1).
static void add_cap(Lathe *lathe, float radius, float y, float side) {
    uint32_t centre = lathe->vertex, sectors = lathe->sectors;
    FiloVec3 normal = filo_vec3(0.0f, side, 0.0f), tangent = filo_vec3(1, 0, 0);
    model_set_vertex(lathe->mesh, lathe->vertex++, filo_vec3(0, y, 0), normal, tangent,
                     filo_vec2(0.5f, 0.5f));
    for (uint32_t i = 0; i < sectors; i++) {
        FiloSinCos d = column_direction(lathe, (float)i);
        model_set_vertex(lathe->mesh, lathe->vertex++, filo_vec3(d.sin * radius, y, d.cos * radius), normal,
                         tangent, filo_vec2(0.5f + 0.5f * d.sin, 0.5f + 0.5f * d.cos * side));
    }
    for (uint32_t i = 0; i < sectors; i++) {
        uint32_t a = centre + 1 + i, b = centre + 1 + (i + 1) % sectors;
        model_add_triangle(lathe->mesh->indices, &lathe->index, centre, side > 0.0f ? a : b,
                           side > 0.0f ? b : a);
    }
}

FiloResult filo_mesh_cylinder(FiloMeshData *mesh, const FiloCylinderDesc *desc,
                              const FiloAllocator *allocator) {
    if (mesh == NULL) return FILO_MISTAKE("pass a mesh for the cylinder");
    *mesh = (FiloMeshData){ 0 };
    FiloCylinderDesc d = desc != NULL ? *desc : (FiloCylinderDesc){ 0 };
    d.radius = model_or(d.radius, 0.5f);
    d.height = model_or(d.height, 1.0f);
    d.top_radius = model_or(d.top_radius, d.radius);
    d.sectors = model_or_count(d.sectors, 32);
    d.rings = model_or_count(d.rings, 1);
    if (!model_is_length(d.radius) || !model_is_length(d.height) || !model_is_length(d.top_radius) ||
        !good_counts(d.sectors, d.rings, 1))
        return FILO_MISTAKE(
            "a cylinder has radii and a height above 0, at least 3 sectors and at least 1 ring");
    uint64_t poles = d.cone ? 1 : 0, caps = d.open ? 0 : (d.cone ? 1 : 2);
    FiloResult r = model_primitive_create(
        mesh, profile_vertices(d.sectors, (uint64_t)d.rings + 1, poles) + caps * ((uint64_t)d.sectors + 1),
        profile_indices(d.sectors, (uint64_t)d.rings + 1, poles) + caps * d.sectors * 3,
        d.cone ? "cone" : "cylinder", allocator);
    if (r.code != FILO_OK) return r;
    Cylinder cylinder = { d.radius, d.cone ? 0.0f : d.top_radius, d.height, d.rings };
    Lathe lathe = { .mesh = mesh, .sectors = d.sectors };
    add_profile(&lathe, cylinder_row, &cylinder, d.rings + 1);
    if (!d.open && !d.cone) add_cap(&lathe, cylinder.top, d.height * 0.5f, 1.0f);
    if (!d.open) add_cap(&lathe, cylinder.bottom, d.height * -0.5f, -1.0f);
    filo_mesh_update_bounds(mesh);
    return r;
}

FiloResult filo_mesh_cone(FiloMeshData *mesh, const FiloCylinderDesc *desc, const FiloAllocator *allocator) {
    FiloCylinderDesc d = desc != NULL ? *desc : (FiloCylinderDesc){ 0 };
    d.cone = true;
    return filo_mesh_cylinder(mesh, &d, allocator);
}

// ---- Torus ----------------------------------------------------------------------------------------------

typedef struct Torus {
    float radius, tube;
    uint32_t sides;
} Torus;

// From the inside over the top, the outside and the bottom back to the inside.
static Row torus_row(const void *shape, uint32_t row) {
    const Torus *t = shape;
    FiloSinCos d = filo_sincos(FILO_TAU * (float)(row % t->sides) / (float)t->sides);
    float out = -d.cos, up = d.sin;
    return (Row){ t->radius + out * t->tube, up * t->tube, out, up, (float)row / (float)t->sides };
}

FiloResult filo_mesh_torus(FiloMeshData *mesh, const FiloTorusDesc *desc, const FiloAllocator *allocator) {
    if (mesh == NULL) return FILO_MISTAKE("pass a mesh for the torus");
    *mesh = (FiloMeshData){ 0 };
    FiloTorusDesc d = desc != NULL ? *desc : (FiloTorusDesc){ 0 };
    d.radius = model_or(d.radius, 0.5f);
    d.tube = model_or(d.tube, 0.2f);
    d.sectors = model_or_count(d.sectors, 48);
    d.sides = model_or_count(d.sides, 24);
    if (!model_is_length(d.radius) || !model_is_length(d.tube) || !(d.tube < d.radius) ||
        !good_counts(d.sectors, d.sides, 3))
        return FILO_MISTAKE(
            "a torus has a radius above that of its tube, at least 3 sectors and at least 3 sides");
    uint64_t rows = (uint64_t)d.sides + 1;
    FiloResult r = model_primitive_create(mesh, profile_vertices(d.sectors, rows, 0),
                                          profile_indices(d.sectors, rows, 0), "torus", allocator);
    if (r.code != FILO_OK) return r;
    Torus torus = { d.radius, d.tube, d.sides };
    Lathe lathe = { .mesh = mesh, .sectors = d.sectors };
    add_profile(&lathe, torus_row, &torus, d.sides + 1);
    filo_mesh_update_bounds(mesh);
    return r;
}
