// Woodcutter: an endless forest, of which only a function is stored. A woodcutter walks through it and fells trees.
//
// Trees far away are points in tiles that the module placement_world computes around the woodcutter. Trees near him are
// entities, which he can fell. Where he has been, the trees are no entities any more, but what he has felled stays felled.
// He walks by himself, in a circle; the arrow keys or a gamepad lead him elsewhere, and he fells what he comes near.
//
// Try: another SEED, trees that are entities from farther away (promote), --stats, F3 for the numbers of placement.

#include <filo/filo.h>

#define SEED   11
#define TEXELS 128
#define SIZE   1024.0f // metres of the density maps; outside, their borders go on
#define SPEED  9.0f    // metres a second
#define CIRCLE 45.0f   // metres
#define AXE    2.2f    // metres that it reaches

// ---- Components -----------------------------------------------------------------------------------------

typedef struct Woodcutter {
    FiloCooldown axe;
    float angle; // of his way around the circle
    int32_t felled;
} Woodcutter;
FILO_REFLECT(Woodcutter, FILO_FIELD(FiloCooldown, axe), FILO_FIELD(float, angle), FILO_FIELD(int32_t, felled))

typedef struct Tree {
    float crown; // metres
    FiloColor color;
} Tree;
FILO_REFLECT(Tree, FILO_FIELD(float, crown), FILO_FIELD(FiloColor, color))

FILO_TAG(Stump)

// ---- Systems --------------------------------------------------------------------------------------------

static void walk(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    Woodcutter *cutter = filo_write(it, Woodcutter);
    FiloVec2 wanted = filo_input_move(filo_read_global(it, FiloInput));
    for (size_t i = 0; i < it->count; i++) {
        FiloVec2 *at = &transform[i].position;
        if (wanted.x == 0 && wanted.y == 0) {
            cutter[i].angle = filo_angle_wrap(cutter[i].angle + SPEED / CIRCLE * it->delta);
            FiloSinCos to = filo_sincos(cutter[i].angle);
            *at = filo_vec2_move_towards(*at, filo_vec2(to.cos * CIRCLE, to.sin * CIRCLE),
                                         1.2f * SPEED * it->delta);
        } else {
            *at = filo_vec2_add_scaled(*at, wanted, SPEED * it->delta);
        }
    }
}

// Fells the nearest tree that the axe reaches. Destroying its entity is all: it never grows again.
static void fell(FiloIter *it) {
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    Woodcutter *cutter = filo_write(it, Woodcutter);
    for (size_t i = 0; i < it->count; i++) {
        filo_cooldown_advance(&cutter[i].axe, it->delta);
        FiloEntity nearest = { 0 };
        FiloVec2 there = { 0, 0 };
        float least = AXE;
        FiloEach trees = filo_iter_each_over(it, filo_iter_extra_query(it, 0));
        while (filo_each_next(&trees)) {
            FiloVec2 at = filo_each_read(&trees, FiloTransform2)->position;
            float distance = filo_vec2_distance(at, transform[i].position);
            if (distance < least) least = distance, nearest = trees.entity, there = at;
        }
        if (nearest.id == 0 || !filo_cooldown_use(&cutter[i].axe)) continue;
        filo_destroy(it->changes, nearest);
        filo_create(it->changes, FILO_SET(FiloTransform2, .position = there), FILO_ADD(Stump));
        cutter[i].felled++;
    }
}

// ---- The forest -------------------------------------------------------------------------------------------

static uint8_t density[3][TEXELS * TEXELS]; // of spruces, oaks and bushes
static FiloPlacement *placement;
static FiloPlacementWorldModule forest;

// What trees look like, far and near.
static Tree look_of(size_t layer, const FiloVariant *variant) {
    return (Tree){ (layer == 2 ? 0.5f : layer == 1 ? 1.9f : 1.3f) * variant->scale, variant->color };
}

static void make_tree(FiloChanges *changes, FiloEntity entity, const FiloPlacementObject *object,
                      void *user) {
    FILO_UNUSED(user);
    FiloTransform2 at = filo_placement_transform2(forest.placement_world, object);
    Tree tree = look_of(object->layer, &object->variant);
    filo_set(changes, entity, FiloTransform2, .position = at.position);
    filo_set(changes, entity, Tree, tree.crown, tree.color);
}

static void paint_maps(void) {
    for (int i = 0; i < TEXELS * TEXELS; i++) {
        float x = (float)(i % TEXELS) * 0.11f, y = (float)(i / TEXELS) * 0.11f; // hills and hollows
        float wet = filo_sin(x * 1.3f + 2 * filo_sin(y * 0.7f)) * filo_cos(y + filo_sin(x * 0.5f));
        density[0][i] = (uint8_t)(filo_clamp01(0.35f + 0.6f * wet) * 230);
        density[1][i] = (uint8_t)(filo_clamp01(0.20f - 0.8f * wet) * 230);
        density[2][i] = (uint8_t)(filo_clamp01(0.30f - 0.3f * wet) * 255);
    }
}

static FiloPlacementLayer layer_of(const char *name, const uint8_t *map, uint32_t dark, uint32_t light,
                                   float radius) {
    return (FiloPlacementLayer){ .name = name,
                                 .density.map = { map, FILO_MAP_U8, TEXELS, TEXELS },
                                 .radius = radius,
                                 .variation = { .scale_min = 0.7f,
                                                .scale_max = 1.25f,
                                                .color_a = filo_color_from_hex(dark),
                                                .color_b = filo_color_from_hex(light) } };
}

static FiloResult plant(void) {
    paint_maps();
    FiloPlacementDesc desc = {
        .size = { SIZE, SIZE, 1 }, .corner_x = -SIZE / 2, .corner_y = -SIZE / 2, .seed = SEED
    };
    desc.footprints[0].footprint = 3.4f;
    desc.footprints[0].layers[0] = layer_of("spruce", density[0], 0x1D4A2BFF, 0x34703BFF, 1.2f);
    desc.footprints[0].layers[1] = layer_of("oak", density[1], 0x4C7A2DFF, 0x86A344FF, 1.8f);
    desc.footprints[1].footprint = 1.1f;
    desc.footprints[1].layers[0] = layer_of("bush", density[2], 0x5B8C3EFF, 0x9DB45AFF, 0.3f);
    static const FiloPlacementEntities trees[] = { { .layer = "spruce", .make = make_tree },
                                                   { .layer = "oak", .make = make_tree } };
    forest.desc =
        (FiloPlacementWorldDesc){ .footprints = { { .distance = 90, .promote = 20 }, { .distance = 70 } },
                                  .entities = trees,
                                  .entities_count = FILO_COUNT_OF(trees) };
    FiloResult r = filo_placement_create(&placement, &desc);
    forest.desc.placement = placement;
    return r;
}

// ---- Drawing ----------------------------------------------------------------------------------------------

typedef struct Seen { // by `draw`, which must not look at the world
    FiloVec2 cutter;
    int32_t felled;
    FiloArray(FiloVec2) stumps, places;
    FiloArray(Tree) trees;
} Seen;

static FiloQuery *cutters, *near_trees, *stumps;

static void extract(FiloApp *app) {
    Seen *seen = filo_app_user(app);
    filo_array_clear(&seen->stumps), filo_array_clear(&seen->places), filo_array_clear(&seen->trees);
    FiloEach each = filo_query_each(cutters);
    while (filo_each_next(&each)) {
        seen->cutter = filo_each_read(&each, FiloTransform2)->position;
        seen->felled = filo_each_read(&each, Woodcutter)->felled;
    }
    each = filo_query_each(near_trees);
    while (filo_each_next(&each))
        if (filo_array_push(&seen->places, filo_each_read(&each, FiloTransform2)->position) &&
            !filo_array_push(&seen->trees, *filo_each_read(&each, Tree)))
            seen->places.count--; // no memory: it is not drawn
    each = filo_query_each(stumps);
    while (filo_each_next(&each))
        (void)filo_array_push(&seen->stumps, filo_each_read(&each, FiloTransform2)->position);
}

static void draw_tree(FiloDraw *draw, FiloVec2 at, Tree tree) {
    filo_draw_circle(draw, filo_vec2(at.x + 0.35f, at.y - 0.35f), tree.crown,
                     filo_color_from_hex(0x00000050));
    filo_draw_circle(draw, at, tree.crown, tree.color);
    filo_draw_circle(draw, filo_vec2(at.x - 0.25f * tree.crown, at.y + 0.25f * tree.crown),
                     0.55f * tree.crown, filo_color_from_hex(0xFFFFFF18));
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Seen *seen = filo_app_user(app);
    filo_draw_in_world(draw, 0);
    filo_array_each (&seen->stumps, stump)
        filo_draw_circle(draw, *stump, 0.45f, filo_color_from_hex(0xC79A5BFF));
    FiloPlacementTile tile; // bushes first, then far trees
    for (uint32_t footprint = 2; footprint-- > 0;)
        for (size_t n = 0; filo_placement_world_tile(forest.placement_world, n, &tile); n++)
            for (size_t i = 0; i < tile.result->count && tile.footprint == footprint; i++) {
                const FiloPlaced *object = &tile.result->objects[i];
                if (tile.promoted != NULL && tile.promoted[i] != 0) continue; // is an entity
                FiloVariant variant = filo_placement_variant(tile.result, object);
                FiloVec2 at = { (float)(tile.origin_x + (double)object->x),
                                (float)(tile.origin_y + (double)object->y) };
                draw_tree(draw, at, look_of(object->layer, &variant));
            }
    for (size_t i = 0; i < seen->trees.count; i++)
        draw_tree(draw, seen->places.items[i], seen->trees.items[i]);
    filo_draw_circle(draw, seen->cutter, 0.8f, filo_color_from_hex(0xB4402FFF));
    filo_draw_circle(draw, seen->cutter, 0.45f, filo_color_from_hex(0xF2D0A9FF));
    filo_draw_on_screen(draw);
    filo_draw_format(draw, 12, 8, 2, FILO_COLOR_WHITE, "felled %d", (int)seen->felled);
}

// ---- Main -------------------------------------------------------------------------------------------------

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Woodcutter);
    filo_component(world, Tree);
    filo_component(world, Stump);
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "walk",
                                       .run = walk,
                                       .query.terms = { FILO_WRITE(FiloTransform2), FILO_WRITE(Woodcutter),
                                                        FILO_READ(FiloInput) } });
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "fell",
                                       .run = fell,
                                       .query.terms = { FILO_READ(FiloTransform2), FILO_WRITE(Woodcutter) },
                                       .extra_queries[0].terms = { FILO_READ(FiloTransform2),
                                                                   FILO_WITH(FiloPlacedObject) } });
    cutters = filo_query(world, FILO_READ(FiloTransform2), FILO_READ(Woodcutter));
    near_trees = filo_query(world, FILO_READ(FiloTransform2), FILO_READ(Tree));
    stumps = filo_query(world, FILO_READ(FiloTransform2), FILO_WITH(Stump));
    FiloEntity cutter =
        filo_create(world, FILO_SET(FiloTransform2, .position = { CIRCLE, 0 }),
                    FILO_SET(Woodcutter, .axe = { .duration = 0.3f }), FILO_ADD(FiloPlacementViewer));
    filo_create(world, FILO_SET(FiloCamera, .height = 64, .follow = cutter), FILO_ADD(FiloTransform2));
    return filo_out_of_memory_result();
}

int main(int argc, char **argv) {
    FiloResult r = plant();
    if (r.code != FILO_OK) return filo_log_error("woodcutter", "%s", r.message), 1;
    const FiloModuleDesc module = filo_placement_world_module(&forest);
    Seen seen = { 0 };
    int code = filo_run(argc, argv,
                        &(FiloAppDesc){ .name = "woodcutter",
                                        .summary = "A woodcutter walks through an endless forest.",
                                        .window = { .title = "Woodcutter", .width = 960, .height = 640 },
                                        .background = filo_color_from_hex(0x6F8A4BFF),
                                        .modules = &module,
                                        .module_count = 1,
                                        .define = define,
                                        .extract = extract,
                                        .draw = draw,
                                        .user = &seen });
    filo_placement_destroy(placement);
    filo_array_deinit(&seen.stumps), filo_array_deinit(&seen.places), filo_array_deinit(&seen.trees);
    return code;
}
