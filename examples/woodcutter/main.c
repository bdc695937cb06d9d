// Woodcutter: an endless forest, of which only a function is stored. A woodcutter walks through it and fells trees.
//
// Trees far away are points in tiles that the module placement_world computes around the woodcutter. Trees near him are
// entities, which he can fell. Where he has been, trees are no entities any more, but what he has felled stays felled. He
// walks by himself, in a circle; the arrow keys or a gamepad lead him elsewhere, and he fells what he comes near.
//
// Without a display: 800 frames.
//
// Try: another SEED, trees that are entities from farther away (promote), and F3, for the numbers of placement.

#include "pictures.h"

#define SEED   11
#define TEXELS 128
#define SIZE   1024.0f // metres of the density maps; outside, their borders go on
#define SPEED  12.0f   // metres a second
#define CIRCLE 28.0f   // metres
#define AXE    4.0f    // metres that it reaches
#define LAWN   12.8f   // metres of a piece of grass

// ---- Components -----------------------------------------------------------------------------------------

typedef struct Woodcutter {
    FiloCooldown axe;
    float angle; // of his way around the circle
    int32_t felled;
} Woodcutter;
FILO_REFLECT(Woodcutter, FILO_FIELD(FiloCooldown, axe), FILO_FIELD(float, angle), FILO_FIELD(int32_t, felled))

// ---- Systems --------------------------------------------------------------------------------------------

static void walk(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    Woodcutter *cutter = filo_write(it, Woodcutter);
    FiloVec2 wanted = filo_input_move(filo_read_global(it, FiloInput));
    for (size_t i = 0; i < it->count; i++) {
        FiloVec2 *at = &transform[i].position;
        FiloVec2 to = filo_vec2_add_scaled(*at, wanted, SPEED * it->delta);
        if (wanted.x == 0 && wanted.y == 0) {
            cutter[i].angle = filo_angle_wrap(cutter[i].angle + SPEED / CIRCLE * it->delta);
            to = filo_vec2_scale(filo_vec2_from_angle(cutter[i].angle), CIRCLE);
        }
        FiloVec2 step = filo_vec2_clamp_length(filo_vec2_sub(to, *at), 1.2f * SPEED * it->delta);
        *at = filo_vec2_add(*at, step);
        transform[i].rotation = filo_atan2(step.y, step.x) - FILO_PI / 2; // the picture looks up
    }
}

// Fells the nearest tree that the axe reaches. Destroying its entity is all: it never grows again.
static void fell(FiloIter *it) {
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    Woodcutter *cutter = filo_write(it, Woodcutter);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity nearest = { 0 };
        FiloVec2 there = { 0, 0 };
        float least = AXE;
        FiloEach trees = filo_iter_each_over(it, filo_iter_extra_query(it, 0));
        while (filo_each_next(&trees)) {
            FiloVec2 at = filo_each_read(&trees, FiloTransform2)->position;
            float distance = filo_vec2_distance(at, transform[i].position);
            if (distance < least) least = distance, nearest = trees.entity, there = at;
        }
        filo_cooldown_advance(&cutter[i].axe, it->delta);
        if (nearest.id == 0 || !filo_cooldown_use(&cutter[i].axe)) continue;
        filo_destroy(it->changes, nearest);
        filo_create(it->changes, FILO_SET(FiloTransform2, .position = there, .scale = { 1.5f, 1.5f }),
                    FILO_SET(FiloSprite, .image = filo_name("stump"), .layer = 1,
                             .color = filo_color_from_hex(0xE8BE82FF)));
        cutter[i].felled++;
    }
}

// ---- The forest -------------------------------------------------------------------------------------------

static uint8_t density[3][TEXELS * TEXELS];          // of spruces, oaks and bushes
static const float crowns[3] = { 4.4f, 5.6f, 1.7f }; // metres
static const char *const pictures[3] = { "spruce", "oak", "bush" };
static FiloPlacement *placement;
static FiloPlacementWorldModule forest;

static void make_tree(FiloChanges *changes, FiloEntity entity, const FiloPlacementObject *object,
                      void *user) {
    FILO_UNUSED(user);
    FiloTransform2 at = filo_placement_transform2(forest.placement_world, object);
    filo_set(changes, entity, FiloTransform2, at.position, 0,
             filo_vec2_scale(at.scale, crowns[object->layer] / PICTURE_CROWN));
    filo_set(changes, entity, FiloSprite, .image = filo_name(pictures[object->layer]), .layer = 2,
             .flags = FILO_SPRITE_LINEAR, .color = object->variant.color);
}

static FiloPlacementLayer layer_of(const char *name, const uint8_t *map, uint32_t dark, uint32_t light) {
    return (FiloPlacementLayer){ .name = name,
                                 .density.map = { .data = map, .width = TEXELS, .height = TEXELS },
                                 .variation = { .scale_min = 0.7f,
                                                .scale_max = 1.25f,
                                                .color_a = filo_color_from_hex(dark),
                                                .color_b = filo_color_from_hex(light) } };
}

static FiloResult plant(void) {
    for (int i = 0; i < TEXELS * TEXELS; i++) {
        int column = i % TEXELS, row = i / TEXELS;
        float x = (float)column * 0.11f, y = (float)row * 0.11f;
        float wet = filo_sin(x * 1.3f + 2 * filo_sin(y * 0.7f)) * filo_cos(y + filo_sin(x * 0.5f));
        density[0][i] = (uint8_t)(filo_clamp01(0.45f + 0.6f * wet) * 255);
        density[1][i] = (uint8_t)(filo_clamp01(0.25f - 0.8f * wet) * 255);
        density[2][i] = (uint8_t)(filo_clamp01(0.30f - 0.3f * wet) * 255);
    }
    FiloPlacementDesc desc = {
        .size = { SIZE, SIZE, 1 }, .corner_x = -SIZE / 2, .corner_y = -SIZE / 2, .seed = SEED
    };
    desc.footprints[0].footprint = 3.4f;
    desc.footprints[0].layers[0] = layer_of("spruce", density[0], 0x1D4A2BFF, 0x34703BFF);
    desc.footprints[0].layers[1] = layer_of("oak", density[1], 0x4C7A2DFF, 0x86A344FF);
    desc.footprints[1].footprint = 1.1f;
    desc.footprints[1].layers[0] = layer_of("bush", density[2], 0x5B8C3EFF, 0x9DB45AFF);
    static const FiloPlacementEntities trees[] = { { .layer = "spruce", .make = make_tree },
                                                   { .layer = "oak", .make = make_tree } };
    FiloResult r = filo_placement_create(&placement, &desc);
    forest.desc =
        (FiloPlacementWorldDesc){ .placement = placement,
                                  .footprints = { { .distance = 90, .promote = 20 }, { .distance = 70 } },
                                  .entities = trees,
                                  .entities_count = FILO_COUNT_OF(trees) };
    return r;
}

// ---- Drawing ----------------------------------------------------------------------------------------------

typedef struct View {
    int felled;
    FiloVec2 centre; // where the woodcutter is
} View;

static FiloResult load(FiloApp *app) { return pictures_add(filo_app_assets(app)); }

static void extract(FiloApp *app) {
    const FiloWorld *world = filo_app_world(app);
    FiloEntity entity = filo_world_find(world, "woodcutter");
    const Woodcutter *cutter = filo_get(world, entity, Woodcutter);
    const FiloTransform2 *transform = filo_get(world, entity, FiloTransform2);
    if (cutter != NULL && transform != NULL)
        *(View *)filo_app_user(app) = (View){ cutter->felled, transform->position };
}

static void draw_ground(FiloDraw *draw, FiloVec2 centre) {
    filo_draw_in_world(draw, 0);
    float first_x = filo_floor(centre.x / LAWN) * LAWN, first_y = filo_floor(centre.y / LAWN) * LAWN;
    for (int row = -4; row <= 4; row++)
        for (int column = -4; column <= 4; column++)
            filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("grass"),
                                                      .position = { first_x + LAWN * (float)column,
                                                                    first_y + LAWN * (float)row },
                                                      .size = { LAWN, LAWN } });
}

// What is far away; sprites are what is near.
static void draw(FiloApp *app, FiloDraw *draw) {
    const View *view = filo_app_user(app);
    const FiloName images[] = { filo_name(pictures[0]), filo_name(pictures[1]), filo_name(pictures[2]) };
    draw_ground(draw, view->centre);
    FiloPlacementTile tile;
    for (size_t n = 0; filo_placement_world_tile(forest.placement_world, n, &tile); n++) {
        filo_draw_in_world(draw, tile.footprint == 0 ? 2 : 1);
        for (size_t i = 0; i < tile.result->count; i++) {
            if (tile.promoted != NULL && tile.promoted[i] != 0) continue; // is an entity
            const FiloPlaced *object = &tile.result->objects[i];
            FiloVariant variant = filo_placement_variant(tile.result, object);
            float size = crowns[object->layer] / PICTURE_CROWN * variant.scale;
            FiloVec2 at = { (float)(tile.origin_x + (double)object->x),
                            (float)(tile.origin_y + (double)object->y) };
            filo_draw_sprite(draw, &(FiloDrawSprite){ .image = images[object->layer],
                                                      .position = at,
                                                      .size = { size, size },
                                                      .flags = FILO_SPRITE_LINEAR,
                                                      .color = variant.color });
        }
    }
    filo_draw_on_screen(draw);
    filo_draw_format(draw, 12, 8, 2, FILO_COLOR_WHITE, "felled %d", view->felled);
}

// ---- Main -------------------------------------------------------------------------------------------------

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Woodcutter);
    const FiloQueryDesc cutters = { .terms = { FILO_WRITE(FiloTransform2), FILO_WRITE(Woodcutter),
                                               FILO_READ(FiloInput) } };
    const FiloQueryDesc trees = { .terms = { FILO_READ(FiloTransform2), FILO_WITH(FiloPlacedObject) } };
    filo_system_add(world, &(FiloSystemDesc){ .name = "walk", .run = walk, .query = cutters });
    filo_system_add(world, &(FiloSystemDesc){
                               .name = "fell", .run = fell, .query = cutters, .extra_queries = { trees } });
    FiloEntity cutter = filo_create(
        world, FILO_SET(FiloTransform2, .position = { CIRCLE, 0 }, .scale = { 3.4f, 3.4f }),
        FILO_SET(FiloSprite, .image = filo_name("woodcutter"), .layer = 3, .flags = FILO_SPRITE_LINEAR),
        FILO_SET(Woodcutter, .axe = { .duration = 0.15f }), FILO_ADD(FiloPlacementViewer));
    filo_entity_set_name(world, cutter, "woodcutter");
    filo_create(world, FILO_SET(FiloCamera, .height = 42, .follow = cutter));
    return filo_out_of_memory_result();
}

int main(int argc, char **argv) {
    View view = { 0 };
    if (plant().code != FILO_OK) return 1; // no memory, which was logged
    const FiloModuleDesc module = filo_placement_world_module(&forest);
    FiloAppDesc desc = { .name = "woodcutter", .summary = "A woodcutter walks through an endless forest." };
    desc.window = (FiloWindowDesc){ .title = "Woodcutter", .width = 960, .height = 640 };
    desc.background = filo_color_from_hex(0x5D7A3FFF);
    desc.pixels_per_unit = PICTURE;
    desc.modules = &module, desc.module_count = 1;
    desc.load = load, desc.define = define, desc.extract = extract, desc.draw = draw, desc.user = &view;
    int code = filo_run(argc, argv, &desc);
    filo_placement_destroy(placement);
    return code;
}
