// Figures made of balls and cones, on a meadow with stones and bushes.

#include "scene.h"

FiloQuat scene_facing(FiloVec2 direction) {
    return filo_quat_look(filo_vec3(direction.x, 0, -direction.y), filo_vec3(0, 1, 0));
}

// ---- Figures ----------------------------------------------------------------------------------------------------

#define PARTS 6

typedef struct Part {
    bool cone;
    FiloVec3 at, size;
    float tilt;        // about z, radians
    uint32_t material; // 0: the colour of the entity, 1: dark
} Part;

// A figure looks along −z. Without ears it has two parts less.
static const Part parts[PARTS] = {
    { false, { 0, 0.62f, 0 }, { 1.1f, 1.2f, 1.05f }, 0, 0 },
    { false, { -0.22f, 0.88f, -0.42f }, { 0.2f, 0.26f, 0.16f }, 0, 1 },
    { false, { 0.22f, 0.88f, -0.42f }, { 0.2f, 0.26f, 0.16f }, 0, 1 },
    { false, { 0, 0.66f, -0.52f }, { 0.14f, 0.1f, 0.12f }, 0, 1 },
    { true, { -0.34f, 1.3f, 0 }, { 0.34f, 0.6f, 0.22f }, 0.4f, 0 },
    { true, { 0.34f, 1.3f, 0 }, { 0.34f, 0.6f, 0.22f }, -0.4f, 0 },
};

static FiloResult merge_parts(FiloMeshData *figure, const FiloMeshData *ball, const FiloMeshData *cone,
                              size_t count) {
    const FiloMeshData *meshes[PARTS];
    FiloMat4 matrices[PARTS];
    for (size_t i = 0; i < count; i++) {
        meshes[i] = parts[i].cone ? cone : ball;
        matrices[i] = filo_mat4_from_parts(
            parts[i].at, filo_quat_from_axis_angle(filo_vec3(0, 0, 1), parts[i].tilt), parts[i].size);
    }
    FiloResult r = filo_mesh_merge(figure, meshes, matrices, count, NULL);
    for (size_t i = 0; i < count && r.code == FILO_OK; i++) figure->parts[i].material = parts[i].material;
    return r;
}

static FiloResult add_figure(FiloGfx3d *gfx, const char *name, const FiloMeshData *ball,
                             const FiloMeshData *cone, size_t count) {
    const FiloName materials[] = { filo_name("fur"), filo_name("dark") };
    FiloMeshData figure = { 0 };
    FiloResult r = merge_parts(&figure, ball, cone, count);
    if (r.code == FILO_OK)
        r = filo_gfx3d_add_mesh_levels(
            gfx, filo_name(name),
            &(FiloMeshLevel){ .data = &figure, .materials = materials, .material_count = 2 }, 1);
    filo_mesh_free(&figure, NULL);
    return r;
}

FiloResult scene_add_figures(FiloGfx3d *gfx) {
    FiloMeshData ball = { 0 }, cone = { 0 };
    FiloResult r = filo_gfx3d_add_material(
        gfx, filo_name("fur"), &(FiloMaterialDesc){ .values = { FILO_FLOAT("roughness", 0.75f) } });
    if (r.code == FILO_OK)
        r = filo_gfx3d_add_material(
            gfx, filo_name("dark"),
            &(FiloMaterialDesc){
                .values = { FILO_VEC4("color", 0.02f, 0.02f, 0.03f, 1), FILO_FLOAT("roughness", 0.2f) } });
    if (r.code == FILO_OK) r = filo_mesh_sphere(&ball, &(FiloSphereDesc){ .sectors = 20, .rings = 12 }, NULL);
    if (r.code == FILO_OK) r = filo_mesh_cone(&cone, &(FiloCylinderDesc){ .sectors = 12 }, NULL);
    if (r.code == FILO_OK) r = add_figure(gfx, "hunter", &ball, &cone, PARTS);
    if (r.code == FILO_OK) r = add_figure(gfx, "player", &ball, &cone, PARTS - 2);
    filo_mesh_free(&ball, NULL);
    filo_mesh_free(&cone, NULL);
    return r;
}

// ---- The meadow -------------------------------------------------------------------------------------------------

// Stones and bushes, at random.
static void create_plants(FiloWorld *world) {
    for (uint32_t i = 0; i < 500; i++) {
        FiloRandom random = filo_random_keyed(17, 0, 1, i);
        float x = filo_random_float_range(&random, -2 * FIELD, 2 * FIELD);
        float z = filo_random_float_range(&random, -2 * FIELD, 2 * FIELD);
        float size = filo_random_float_range(&random, 0.15f, 0.5f), tint = filo_random_float(&random);
        bool is_inside = filo_abs(x) < FIELD && filo_abs(z) < FIELD, is_stone = i % 3 == 0;
        if (!is_inside) size *= 4;
        FiloColor color = is_stone
                              ? filo_color_from_hsv(0.1f, 0.08f, 0.4f + 0.2f * tint, 1)
                              : filo_color_from_hsv(0.24f + 0.08f * tint, 0.55f, 0.32f + 0.15f * tint, 1);
        FiloQuat turn = filo_quat_from_axis_angle(filo_vec3(0.2f, 1, 0.1f), 6 * tint);
        filo_create(
            world,
            FILO_SET(FiloTransform3, .position = { x, is_stone ? 0 : size * 0.3f, z }, .rotation = turn,
                     .scale = { size * 1.6f, size, size * 1.2f }),
            FILO_SET(FiloMesh, .mesh = filo_name("sphere"), .material = filo_name("fur"), .color = color));
    }
}

void scene_create(FiloWorld *world, FiloEntity player) {
    *(FiloEnvironment *)filo_global_edit(world, filo_component_of(world, FILO_TYPE(FiloEnvironment))) =
        (FiloEnvironment){ .fog_density = 0.005f };
    filo_create(world, FILO_SET(FiloTransform3, .scale = { 900, 1, 900 }),
                FILO_SET(FiloMesh, .mesh = filo_name("plane"), .material = filo_name("fur"),
                         .color = filo_color_from_hex(0x5A7340FF)));
    create_plants(world);
    FiloQuat sun = filo_quat_look(filo_vec3(-0.6f, -0.8f, -0.5f), filo_vec3(0, 1, 0));
    filo_create(world, FILO_SET(FiloTransform3, .rotation = sun),
                FILO_SET(FiloLight, .shadows = true, .shadow_distance = 45));
    filo_create(
        world, FILO_SET(FiloTransform3, .position = { 0, 9, 12 }), FILO_SET(FiloCamera3, .far = 600),
        FILO_SET(FiloFollow3, .target = player, .offset = { 0, 9, 12 }, .look = { 0, 0.5f, -2 }, .speed = 6));
}

void scene_draw_ring(FiloGfx3d *gfx, FiloVec2 centre, float radius) {
    FiloVec3 last = { 0, 0, 0 };
    for (int i = 0; i <= 48; i++) {
        FiloVec2 at =
            filo_vec2_add(centre, filo_vec2_scale(filo_vec2_from_angle((float)i * FILO_PI / 24), radius));
        FiloVec3 next = { at.x, 0.1f, -at.y };
        if (i > 0) filo_lines3_line(gfx, last, next, FILO_COLOR_WHITE);
        last = next;
    }
}
