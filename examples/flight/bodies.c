// Rocks are spheres whose vertices are moved by noise and craters. Stations and ships are made of boxes and rings.

#include "bodies.h"

#include <stdio.h>

FiloName rock_name(uint32_t variant) {
    char name[16];
    snprintf(name, sizeof name, "rock %u", variant % ROCKS);
    return filo_name(name);
}

// ---- Noise ------------------------------------------------------------------------------------------------------

// A value of a corner of the grid, −1 to 1.
static float corner(int x, int y, int z, uint32_t seed) {
    return filo_random_float_at(seed, (uint64_t)(uint32_t)x, (uint32_t)y, (uint64_t)(uint32_t)z, 0) * 2 - 1;
}

static float smooth(float t) { return t * t * (3 - 2 * t); }

static float noise(FiloVec3 p, uint32_t seed) {
    int x = filo_floor_to_int(p.x), y = filo_floor_to_int(p.y), z = filo_floor_to_int(p.z);
    float u = smooth(p.x - (float)x), v = smooth(p.y - (float)y), w = smooth(p.z - (float)z), planes[2];
    for (int k = 0; k < 2; k++)
        planes[k] =
            filo_lerp(filo_lerp(corner(x, y, z + k, seed), corner(x + 1, y, z + k, seed), u),
                      filo_lerp(corner(x, y + 1, z + k, seed), corner(x + 1, y + 1, z + k, seed), u), v);
    return filo_lerp(planes[0], planes[1], w);
}

static float fractal(FiloVec3 p, uint32_t seed) {
    return 0.55f * noise(p, seed) + 0.28f * noise(filo_vec3_scale(p, 2.1f), seed + 1) +
           0.17f * noise(filo_vec3_scale(p, 4.3f), seed + 2);
}

// ---- Rocks ------------------------------------------------------------------------------------------------------

#define CRATERS 9

// How deep the surface is at a direction: a bowl with a rim for each crater.
static float craters(FiloVec3 direction, uint32_t seed) {
    float depth = 0;
    for (uint32_t i = 0; i < CRATERS; i++) {
        FiloRandom random = filo_random_keyed(seed, 0, 7, i);
        float at[3];
        filo_random_unit_3d(&random, at);
        float size = filo_random_float_range(&random, 0.15f, 0.5f);
        float part = filo_vec3_distance(direction, filo_vec3(at[0], at[1], at[2])) / size;
        if (part < 1) depth += size * 0.35f * (1 - part * part);
        if (part >= 0.8f && part < 1.3f) depth -= size * 0.09f * (1 - filo_abs(part - 1.05f) * 4);
    }
    return depth;
}

static void shape_rock(FiloMeshData *mesh, uint32_t seed) {
    FiloRandom random = filo_random_keyed(seed, 0, 8, 0);
    FiloVec3 stretch;
    stretch.x = filo_random_float_range(&random, 0.8f, 1.3f);
    stretch.y = filo_random_float_range(&random, 0.6f, 1);
    stretch.z = filo_random_float_range(&random, 0.7f, 1.1f);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        FiloVec3 direction = filo_vec3_normalise(mesh->positions[i]);
        float bumps = fractal(filo_vec3_scale(direction, 1.7f), seed), depth = craters(direction, seed);
        float shade = filo_clamp01(0.72f + 0.35f * bumps - 1.1f * depth);
        mesh->positions[i] =
            filo_vec3_mul(filo_vec3_scale(direction, 0.5f * (1 + 0.55f * bumps - depth)), stretch);
        mesh->colors[i] = filo_color_from_straight(filo_vec4(shade, shade, shade, 1));
    }
    filo_mesh_update_bounds(mesh);
    filo_mesh_update_normals(mesh);
}

static FiloResult add_rock(FiloGfx3d *gfx, uint32_t variant) {
    FiloMeshData ball = { 0 }, rock = { 0 };
    FiloResult r = filo_mesh_sphere(&ball, &(FiloSphereDesc){ .sectors = 28, .rings = 18 }, NULL);
    FiloMeshDesc desc = { ball.vertex_count, ball.index_count,
                          .arrays = FILO_MESH_NORMALS | FILO_MESH_COLORS };
    if (r.code == FILO_OK) r = filo_mesh_create(&rock, &desc, NULL);
    if (r.code == FILO_OK) {
        memcpy(rock.positions, ball.positions, ball.vertex_count * sizeof *ball.positions);
        memcpy(rock.indices, ball.indices, ball.index_count * sizeof *ball.indices);
        // Without texture coordinates the seam of the sphere is closed.
        r = filo_mesh_optimise(&rock, &(FiloMeshOptimise){ .weld = true }, NULL);
    }
    if (r.code == FILO_OK) {
        shape_rock(&rock, 100 + variant * 31);
        r = filo_mesh_optimise(&rock, &(FiloMeshOptimise){ .reorder = true, .levels = 7, .max_error = 0.3f },
                               NULL);
    }
    if (r.code == FILO_OK) r = filo_gfx3d_add_mesh(gfx, rock_name(variant), &rock);
    filo_mesh_free(&ball, NULL);
    filo_mesh_free(&rock, NULL);
    return r;
}

// ---- Machines ---------------------------------------------------------------------------------------------------

typedef enum Shape { BOX, RING, TUBE } Shape;

typedef struct Piece {
    Shape shape;
    FiloVec3 at, size;
    uint32_t material; // 0: hull, 1: windows
} Piece;

// A wheel around a hub, with docks and panels.
static const Piece station[] = {
    { RING, { 0, 0, 0 }, { 20, 16, 20 }, 0 },
    { RING, { 0, 0, 0 }, { 20.5f, 4, 20.5f }, 1 },
    { TUBE, { 0, 0, 0 }, { 4, 22, 4 }, 0 },
    { TUBE, { 0, 5, 0 }, { 4.15f, 0.5f, 4.15f }, 1 },
    { TUBE, { 0, -5, 0 }, { 4.15f, 0.5f, 4.15f }, 1 },
    { BOX, { 0, 0, 0 }, { 22, 0.9f, 0.9f }, 0 },
    { BOX, { 0, 0, 0 }, { 0.9f, 0.9f, 22 }, 0 },
    { BOX, { 0, 12, 0 }, { 26, 0.12f, 5 }, 0 },
    { BOX, { 0, -12, 0 }, { 5, 0.12f, 26 }, 0 },
    { TUBE, { 0, 14, 0 }, { 0.35f, 6, 0.35f }, 1 },
};
static const Piece ship[] = {
    { BOX, { 0, 0, 0 }, { 0.7f, 0.5f, 2.6f }, 0 },
    { BOX, { 0, 0.05f, 0.5f }, { 3.0f, 0.12f, 1.1f }, 0 },
    { BOX, { 0, 0.3f, -0.5f }, { 0.4f, 0.3f, 0.7f }, 1 },
    { BOX, { -0.7f, 0, 1.1f }, { 0.35f, 0.35f, 0.8f }, 0 },
    { BOX, { 0.7f, 0, 1.1f }, { 0.35f, 0.35f, 0.8f }, 0 },
};

#define PIECES 16

static FiloResult build(FiloMeshData *mesh, const Piece *pieces, size_t count, const FiloMeshData shapes[3]) {
    const FiloMeshData *meshes[PIECES];
    FiloMat4 matrices[PIECES];
    for (size_t i = 0; i < count; i++) {
        meshes[i] = &shapes[pieces[i].shape];
        matrices[i] = filo_mat4_from_parts(pieces[i].at, filo_quat_identity(), pieces[i].size);
    }
    FiloResult r = filo_mesh_merge(mesh, meshes, matrices, count, NULL);
    for (size_t i = 0; i < count && r.code == FILO_OK; i++) mesh->parts[i].material = pieces[i].material;
    return r;
}

static FiloResult add_machine(FiloGfx3d *gfx, const char *name, const Piece *pieces, size_t count,
                              const FiloMeshData shapes[3]) {
    const FiloName materials[] = { filo_name("hull"), filo_name("windows") };
    FiloMeshData mesh = { 0 };
    FiloResult r = build(&mesh, pieces, count, shapes);
    if (r.code == FILO_OK)
        r = filo_gfx3d_add_mesh_levels(
            gfx, filo_name(name),
            &(FiloMeshLevel){ .data = &mesh, .materials = materials, .material_count = 2 }, 1);
    filo_mesh_free(&mesh, NULL);
    return r;
}

static FiloResult add_machines(FiloGfx3d *gfx) {
    FiloMeshData shapes[3] = { 0 };
    FiloResult r = filo_mesh_box(&shapes[BOX], NULL, NULL);
    if (r.code == FILO_OK)
        r = filo_mesh_torus(&shapes[RING], &(FiloTorusDesc){ .tube = 0.04f, .sides = 10 }, NULL);
    if (r.code == FILO_OK) r = filo_mesh_cylinder(&shapes[TUBE], NULL, NULL);
    if (r.code == FILO_OK) r = add_machine(gfx, "station", station, FILO_COUNT_OF(station), shapes);
    if (r.code == FILO_OK) r = add_machine(gfx, "ship", ship, FILO_COUNT_OF(ship), shapes);
    for (size_t i = 0; i < 3; i++) filo_mesh_free(&shapes[i], NULL);
    return r;
}

// ---- The planet, and materials ----------------------------------------------------------------------------------

// Bands of a gas giant, bent by noise; its air glows at the rim.
static const char planet_shader[] =
    "//! fragment\n"
    "float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }\n"
    "float noise(vec2 p) {\n"
    "    vec2 i = floor(p), f = fract(p);\n"
    "    f = f * f * (3.0 - 2.0 * f);\n"
    "    return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), "
    "f.x), f.y);\n"
    "}\n"
    "void surface(inout FiloSurface s) {\n"
    "    vec3 d = normalize(s.position);\n"
    "    float longitude = atan(d.z, d.x);\n"
    "    vec2 p = vec2(longitude * 5.0, d.y * 14.0);\n"
    "    float swirl = noise(p) + 0.5 * noise(p * 2.3) + 0.25 * noise(p * 5.1);\n"
    "    float band = d.y * 9.0 + 0.55 * swirl;\n"
    "    float a = 0.5 + 0.5 * sin(band * 2.2), b = 0.5 + 0.5 * sin(band * 5.3 + 1.7);\n"
    "    vec3 sand = vec3(0.82, 0.60, 0.38), rust = vec3(0.46, 0.22, 0.13), cream = vec3(0.93, 0.83, 0.66);\n"
    "    s.color.rgb = mix(mix(rust, sand, a), cream, 0.55 * b * b);\n"
    "    s.roughness = 1.0;\n"
    "    vec3 view = normalize(frame.eye - s.position);\n"
    "    float rim = pow(1.0 - max(dot(d, view), 0.0), 3.5);\n"
    "    float day = clamp(dot(d, frame.sun_direction) * 1.6 + 0.35, 0.0, 1.0);\n"
    "    s.emissive += vec3(0.9, 0.55, 0.3) * rim * day * 1.6;\n"
    "}\n";

static FiloResult add_materials(FiloGfx3d *gfx) {
    const FiloMaterialDesc rock = { .values = { FILO_FLOAT("roughness", 0.95f) } };
    const FiloMaterialDesc ice = { .values = { FILO_FLOAT("roughness", 0.35f) } };
    const FiloMaterialDesc hull = { .values = { FILO_VEC4("color", 0.42f, 0.44f, 0.48f, 1),
                                                FILO_FLOAT("metallic", 0.4f),
                                                FILO_FLOAT("roughness", 0.5f) } };
    const FiloMaterialDesc windows = { .values = { FILO_VEC4("color", 0.1f, 0.1f, 0.1f, 1),
                                                   FILO_VEC3("emissive", 5.0f, 3.2f, 1.4f) } };
    const FiloMaterialDesc planet = { .shader = "planet", .source = planet_shader, .no_shadow = true };
    FiloResult r = filo_gfx3d_add_material(gfx, filo_name("rock"), &rock);
    if (r.code == FILO_OK) r = filo_gfx3d_add_material(gfx, filo_name("ice"), &ice);
    if (r.code == FILO_OK) r = filo_gfx3d_add_material(gfx, filo_name("hull"), &hull);
    if (r.code == FILO_OK) r = filo_gfx3d_add_material(gfx, filo_name("windows"), &windows);
    if (r.code == FILO_OK) r = filo_gfx3d_add_material(gfx, filo_name("planet"), &planet);
    return r;
}

static FiloResult add_planet(FiloGfx3d *gfx) {
    FiloMeshData ball = { 0 };
    FiloResult r = filo_mesh_sphere(&ball, &(FiloSphereDesc){ .sectors = 128, .rings = 64 }, NULL);
    if (r.code == FILO_OK) r = filo_gfx3d_add_mesh(gfx, filo_name("planet"), &ball);
    filo_mesh_free(&ball, NULL);
    return r;
}

FiloResult bodies_add(FiloGfx3d *gfx) {
    FiloResult r = add_materials(gfx);
    for (uint32_t i = 0; i < ROCKS && r.code == FILO_OK; i++) r = add_rock(gfx, i);
    if (r.code == FILO_OK) r = add_machines(gfx);
    return r.code == FILO_OK ? add_planet(gfx) : r;
}
