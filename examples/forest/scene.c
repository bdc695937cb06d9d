// Ground, water and clouds.

#include "meshes.h"

// ---- Ground -------------------------------------------------------------------------------------------------------

static FiloResult make_ground(Scene *scene, FiloGfx3d *gfx, const Land *land) {
    uint32_t side = (uint32_t)(2 * land->side);
    float texel = 0.5f * LAND_TEXEL;
    // Heights are those of the lake plus so many metres; slopes are rise by run.
    FiloGroundDesc desc = {
        .heights = land->height,
        .columns = side,
        .rows = side,
        .spacing = texel,
        .height = land->high,
        .position = { 0.5f * texel - land->half, -land->water, land->half - 0.5f * texel },
        .flip_z = true,
        .layers = { { .image = filo_name("ground 0"), // meadow
                      .size = 5 },
                    { .image = filo_name("ground 1"), // wood
                      .size = 4.5f,
                      .painted = true },
                    { .image = filo_name("ground 2"), .size = 13, .slope = { 0.95f, 100 } }, // rock
                    { .image = filo_name("ground 3"),                                        // scree
                      .size = 6,
                      .slope = { 0.72f, 0.9f },
                      .height = { 60, 2000 },
                      .blend = 60 },
                    { .image = filo_name("ground 4"), // shore
                      .size = 3.5f,
                      .height = { -1000, 4 },
                      .blend = 3,
                      .painted = true },
                    { .image = filo_name("ground 5"), // snow
                      .size = 9,
                      .slope = { -1, 1.05f },
                      .height = { 470, 5000 },
                      .blend = 90,
                      .roughness = 0.7f } },
        .weights = land->weights,
        .weight_columns = (uint32_t)land->side,
        .weight_rows = (uint32_t)land->side,
        .detail = 11,
        .shader = "ground_surface.glsl",
    };
    return filo_gfx3d_ground_create(&scene->ground, gfx, &desc);
}

// ---- Water --------------------------------------------------------------------------------------------------------

static FiloResult make_heights(Scene *scene, const Land *land) {
    size_t side = (size_t)land->side, size = side * side * sizeof(uint16_t);
    uint16_t *heights = filo_alloc(NULL, size, 0);
    if (heights == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the lake");
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++) heights[y * side + x] = land->height[2 * y * 2 * side + 2 * x];
    FiloResult r = filo_gpu_texture_create(&scene->heights, scene->gpu,
                                           &(FiloTextureDesc){ .label = "heights for the lake",
                                                               .format = FILO_TEXTURE_R16,
                                                               .width = land->side,
                                                               .height = land->side,
                                                               .linear = true,
                                                               .data = heights });
    filo_free(NULL, heights, size, 0);
    return r;
}

static FiloResult make_water(Scene *scene, FiloGfx3d *gfx, FiloWorld *world, const Land *land) {
    FiloResult r = make_heights(scene, land);
    const FiloMaterialDesc water = {
        .shader = "water.glsl",
        .mode = FILO_MATERIAL_BLEND,
        .own_light = true,
        .no_shadow = true,
        .values = { FILO_VEC4("land", land->half, 1 / land->metres, land->high, land->water) },
        .textures = { { .name = "heights", .texture = scene->heights } },
    };
    if (r.code == FILO_OK) r = filo_gfx3d_add_material(gfx, filo_name("water"), &water);
    FiloMeshData mesh = { 0 };
    float size = 2.6f * land->metres; // beyond the land there is nothing but water
    if (r.code == FILO_OK)
        r = filo_mesh_plane(&mesh, &(FiloPlaneDesc){ .size = { size, size }, .columns = 24, .rows = 24 },
                            NULL);
    if (r.code == FILO_OK) r = filo_gfx3d_add_mesh(gfx, filo_name("water"), &mesh);
    filo_mesh_free(&mesh, NULL);
    if (r.code == FILO_OK &&
        filo_create(world, FILO_SET(FiloMesh, .mesh = filo_name("water"), .material = filo_name("water"),
                                    .flags = FILO_MESH_NO_SHADOW))
                .id == 0)
        r = filo_error(FILO_ERROR_MEMORY, "no memory for the lake");
    return r;
}

// ---- Clouds -------------------------------------------------------------------------------------------------------

static FiloResult make_clouds(FiloGfx3d *gfx, FiloWorld *world) {
    const FiloMaterialDesc clouds = {
        .shader = "clouds.glsl",
        .mode = FILO_MATERIAL_BLEND,
        .double_sided = true,
        .own_light = true,
        .no_shadow = true,
        .textures = { { .name = "noise", .image = filo_name("clouds"), .linear = true } },
    };
    FiloResult r = filo_gfx3d_add_material(gfx, filo_name("clouds"), &clouds);
    FiloMeshData mesh = { 0 };
    if (r.code == FILO_OK)
        r = filo_mesh_plane(&mesh, &(FiloPlaneDesc){ .size = { 17000, 17000 }, .columns = 12, .rows = 12 },
                            NULL);
    if (r.code == FILO_OK) r = filo_gfx3d_add_mesh(gfx, filo_name("clouds"), &mesh);
    filo_mesh_free(&mesh, NULL);
    if (r.code == FILO_OK &&
        filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 1500, 0 }),
                    FILO_SET(FiloMesh, .mesh = filo_name("clouds"), .material = filo_name("clouds"),
                             .flags = FILO_MESH_NO_SHADOW))
                .id == 0)
        r = filo_error(FILO_ERROR_MEMORY, "no memory for clouds");
    return r;
}

FiloResult forest_scene_make(Scene *scene, FiloGfx3d *gfx, FiloGpu *gpu, FiloWorld *world, const Land *land) {
    scene->gpu = gpu;
    FiloResult r = make_ground(scene, gfx, land);
    if (r.code == FILO_OK) r = make_water(scene, gfx, world, land);
    return r.code == FILO_OK ? make_clouds(gfx, world) : r;
}

void forest_scene_end(Scene *scene) {
    if (scene->gpu != NULL) filo_gpu_texture_destroy(scene->gpu, scene->heights);
}
