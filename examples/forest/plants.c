// All kinds of objects: their meshes with levels of detail, images and materials.

#include "meshes.h"

#include <stdio.h>
#include <string.h>

#define VARIANTS KIND_VARIANTS
#define ROCKS    (TREE_KINDS * VARIANTS)
#define STUMP    ((TREE_KINDS + ROCK_KINDS) * VARIANTS)

static const Kind kinds[] = {
    { "maple", SET_OBJECTS, 0.05f, 0 * VARIANTS, false },
    { "birch", SET_OBJECTS, 0.05f, 1 * VARIANTS, false },
    { "oak", SET_OBJECTS, 0.05f, 2 * VARIANTS, false },
    { "larch", SET_OBJECTS, 0.05f, 3 * VARIANTS, false },
    { "pine", SET_OBJECTS, 0.05f, 4 * VARIANTS, false },
    { "spruce", SET_OBJECTS, 0.05f, 5 * VARIANTS, false },
    { "dead", SET_OBJECTS, 0.05f, 6 * VARIANTS, false },
    { "bush", SET_OBJECTS, 0.10f, 7 * VARIANTS, false },
    { "crag", SET_OBJECTS, 0.30f, ROCKS + 0 * VARIANTS, false },
    { "slab", SET_OBJECTS, 0.10f, ROCKS + 1 * VARIANTS, false },
    { "shard", SET_OBJECTS, 0.15f, ROCKS + 2 * VARIANTS, false },
    { "scree", SET_OBJECTS, 0.05f, ROCKS + 3 * VARIANTS, true },
    { "boulder", SET_OBJECTS, 0.15f, ROCKS + 4 * VARIANTS, false },
    { "mossy", SET_OBJECTS, 0.15f, ROCKS + 5 * VARIANTS, false },
    { "stone", SET_OBJECTS, 0.06f, ROCKS + 6 * VARIANTS, true },
    { "cobble", SET_OBJECTS, 0.03f, ROCKS + 7 * VARIANTS, true },
    { "wet stone", SET_OBJECTS, 0.08f, ROCKS + 8 * VARIANTS, false },
    { "pebble", SET_OBJECTS, 0.02f, ROCKS + 9 * VARIANTS, true },
    { "grass", SET_GRASS, 0, 0 * VARIANTS, false },
    { "tall grass", SET_GRASS, 0, 1 * VARIANTS, false },
    { "fern", SET_GRASS, 0, 2 * VARIANTS, false },
    { "flower", SET_GRASS, 0, 3 * VARIANTS, false },
    { "heather", SET_GRASS, 0, 4 * VARIANTS, false },
    { "reed", SET_GRASS, 0, 5 * VARIANTS, false },
    { "stump", SET_OBJECTS, 0, STUMP, false },
};

const Kind *kind_of(const char *layer) {
    size_t last = FILO_COUNT_OF(kinds) - 1;
    for (size_t i = 0; i < last && layer != NULL; i++)
        if (strcmp(kinds[i].layer, layer) == 0) return &kinds[i];
    return &kinds[last];
}

static FiloName name_of(const char *what, uint32_t number) {
    char text[32];
    snprintf(text, sizeof text, "%s %u", what, number);
    return filo_name(text);
}

// ---- Meshes -------------------------------------------------------------------------------------------------------

typedef struct Making {
    FiloGfx3d *gfx;
    Builder near, middle, far;
    FiloPixels trees, cards;
} Making;

static FiloResult add_tree(Making *making, FiloName name, FiloName far_name, uint32_t kind,
                           uint32_t variant) {
    uint32_t number = kind * VARIANTS + variant;
    tree_build(&making->near, kind, variant, 0);
    tree_build(&making->middle, kind, variant, 1);
    FiloMeshData near = builder_mesh(&making->near), middle = builder_mesh(&making->middle);
    card_take(&making->cards, number, &near, &making->trees);
    card_build(&making->far, number, near.bounds);
    FiloMeshData far = builder_mesh(&making->far);
    const FiloName tree = filo_name("tree"), card = filo_name("card");
    bool bush = kind == TREE_KINDS - 1;
    const FiloMeshLevel levels[] = {
        { .data = &near, .materials = &tree, .material_count = 1 },
        { .data = &middle, .distance = bush ? 12 : 30, .materials = &tree, .material_count = 1 },
        { .data = &far, .distance = bush ? 40 : 85, .materials = &card, .material_count = 1 },
    };
    FiloResult r = filo_gfx3d_add_mesh_levels(making->gfx, name, levels, 3);
    FiloMeshLevel alone = levels[2];
    alone.distance = 0;
    return r.code == FILO_OK ? filo_gfx3d_add_mesh_levels(making->gfx, far_name, &alone, 1) : r;
}

static FiloResult add_rock(Making *making, FiloName name, uint32_t kind, uint32_t variant) {
    rock_build(&making->near, kind, variant);
    FiloMeshData made = builder_mesh(&making->near), mesh;
    FiloResult r = filo_mesh_copy(&mesh, &made, NULL); // optimising needs a mesh that owns its arrays
    if (r.code != FILO_OK) return r;
    r = filo_mesh_optimise(
        &mesh, &(FiloMeshOptimise){ .weld = true, .levels = 5, .level_ratio = 0.35f, .max_error = 0.2f },
        NULL);
    const FiloName rock = filo_name("rock");
    FiloMeshLevel level = { .data = &mesh, .materials = &rock, .material_count = 1 };
    if (r.code == FILO_OK) r = filo_gfx3d_add_mesh_levels(making->gfx, name, &level, 1);
    filo_mesh_free(&mesh, NULL);
    return r;
}

static FiloResult add_grass(Making *making, FiloName name, uint32_t kind, uint32_t variant) {
    grass_build(&making->near, kind, variant, 0);
    grass_build(&making->middle, kind, variant, 1);
    FiloMeshData near = builder_mesh(&making->near), middle = builder_mesh(&making->middle);
    const FiloName grass = filo_name("grass");
    const FiloMeshLevel levels[] = {
        { .data = &near, .materials = &grass, .material_count = 1 },
        { .data = &middle, .distance = 14, .materials = &grass, .material_count = 1 }
    };
    return filo_gfx3d_add_mesh_levels(making->gfx, name, levels, 2);
}

static FiloResult add_stump(Making *making, FiloName name) {
    stump_build(&making->near);
    FiloMeshData near = builder_mesh(&making->near);
    const FiloName tree = filo_name("tree");
    return filo_gfx3d_add_mesh_levels(
        making->gfx, name, &(FiloMeshLevel){ .data = &near, .materials = &tree, .material_count = 1 }, 1);
}

// ---- Materials ----------------------------------------------------------------------------------------------------

static FiloResult add_materials(FiloGfx3d *gfx) {
    const FiloMaterialDesc tree = { .shader = "tree.glsl",
                                    .mode = FILO_MATERIAL_MASK,
                                    .cutoff = 0.5f,
                                    .double_sided = true,
                                    .values = { FILO_FLOAT("roughness", 0.85f) },
                                    .textures = { { .name = "color_map", .image = filo_name("trees") } } };
    const FiloMaterialDesc card = { .shader = "card.glsl",
                                    .mode = FILO_MATERIAL_MASK,
                                    .cutoff = 0.42f,
                                    .double_sided = true,
                                    .values = { FILO_FLOAT("roughness", 0.9f) },
                                    .textures = { { .name = "color_map", .image = filo_name("cards") } } };
    const FiloMaterialDesc rock = { .shader = "rock.glsl",
                                    .values = { FILO_FLOAT("roughness", 0.9f) },
                                    .textures = { { .name = "stone", .image = filo_name("ground 2") } } };
    const FiloMaterialDesc grass = { .shader = "grass.glsl",
                                     .double_sided = true,
                                     .no_shadow = true,
                                     .values = { FILO_FLOAT("roughness", 0.8f) } };
    FiloResult r = filo_gfx3d_add_material(gfx, filo_name("tree"), &tree);
    if (r.code == FILO_OK) r = filo_gfx3d_add_material(gfx, filo_name("card"), &card);
    if (r.code == FILO_OK) r = filo_gfx3d_add_material(gfx, filo_name("rock"), &rock);
    if (r.code == FILO_OK) r = filo_gfx3d_add_material(gfx, filo_name("grass"), &grass);
    return r;
}

static FiloResult make(Making *making, Plants *plants) {
    FiloResult r = filo_ok();
    for (uint32_t i = 0; i < TREE_KINDS * VARIANTS && r.code == FILO_OK; i++)
        r = add_tree(making, plants->objects[i] = name_of("tree", i), plants->far[i] = name_of("far tree", i),
                     i / VARIANTS, i % VARIANTS);
    for (uint32_t i = 0; i < ROCK_KINDS * VARIANTS && r.code == FILO_OK; i++)
        r = add_rock(making, plants->objects[ROCKS + i] = name_of("rock", i), i / VARIANTS, i % VARIANTS);
    for (uint32_t i = 0; i < GRASS_KINDS * VARIANTS && r.code == FILO_OK; i++)
        r = add_grass(making, plants->grass[i] = name_of("grass", i), i / VARIANTS, i % VARIANTS);
    if (r.code == FILO_OK) r = add_stump(making, plants->objects[STUMP] = filo_name("stump"));
    if (r.code == FILO_OK) r = filo_gfx3d_add_texture(making->gfx, filo_name("trees"), &making->trees, false);
    if (r.code == FILO_OK) r = filo_gfx3d_add_texture(making->gfx, filo_name("cards"), &making->cards, false);
    bool failed = making->near.failed || making->middle.failed || making->far.failed;
    return failed ? filo_error(FILO_ERROR_MEMORY, "no memory for meshes") : r;
}

FiloResult plants_make(Plants *plants, FiloGfx3d *gfx, FiloJobs *jobs) {
    Making making = { .gfx = gfx };
    FiloResult r = paint_all(gfx, jobs, &making.trees);
    if (r.code == FILO_OK) r = add_materials(gfx);
    if (r.code == FILO_OK && !filo_pixels_create(&making.cards, CARD_PIXELS, CARD_PIXELS, NULL))
        r = filo_error(FILO_ERROR_MEMORY, "no memory for pictures of trees");
    if (r.code == FILO_OK) r = make(&making, plants);
    filo_pixels_free(&making.trees, NULL);
    filo_pixels_free(&making.cards, NULL);
    builder_free(&making.near);
    builder_free(&making.middle);
    builder_free(&making.far);
    return r;
}
