// Descriptions of placements: what is refused, and what the defaults are.

#include "placement/placing.h"

#include "support/failing_allocator.h"

#include <filo/scalar.h>

#include <math.h>

static const uint8_t one = 255;
static float map_floats[16];

// The smallest description: every test changes one thing.
static FiloPlacementDesc *small(void) {
    static FiloPlacementDesc desc;
    memset(&desc, 0, sizeof desc);
    desc.size = (FiloVec3){ 100, 100, 10 };
    desc.footprints[0].footprint = 2;
    desc.footprints[0].layers[0].density.map = placing_constant(&one);
    return &desc;
}

// Nothing may be allocated for a description that is refused.
static void refused(FiloPlacementDesc *desc, FiloCode code, const char *message, const char *file, int line) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    desc->allocator = &failing.allocator;
    FiloPlacement *placement = (FiloPlacement *)desc;
    FiloResult r = filo_placement_create(&placement, desc);
    if (r.code != code || strcmp(r.message, message) != 0) {
        print_error("got      %s: %s\nexpected %s: %s\n", filo_code_name(r.code), r.message,
                    filo_code_name(code), message);
        _fail(file, line);
    }
    if (placement != NULL || failing.calls != 0) {
        print_error("%zu allocations before it was refused: %s\n", failing.calls, message);
        _fail(file, line);
    }
}

// Refuses small() after `change`, a statement on `desc`.
#define REFUSED(code, message, change)                                                                       \
    do {                                                                                                     \
        FiloPlacementDesc *desc = small();                                                                   \
        FiloFootprint *f = desc->footprints;                                                                 \
        FiloPlacementLayer *layer = f->layers;                                                               \
        FiloTerrainMap *map = &layer->density.map;                                                           \
        (void)f, (void)layer, (void)map;                                                                     \
        change;                                                                                              \
        refused(desc, (code), (message), __FILE__, __LINE__);                                                \
    } while (0)

#define DATA(message, change)  REFUSED(FILO_ERROR_DATA, message, change)
#define LIMIT(message, change) REFUSED(FILO_ERROR_LIMIT, message, change)

FILO_TEST(the_smallest_description_is_enough) {
    FiloPlacement *placement = placing_create(small());
    assert_string_equal(filo_placement_layer_name(placement, 0), "layer 0");
    assert_string_equal(filo_placement_footprint_name(placement, 0), "footprint 0");
    filo_placement_destroy(placement);
    filo_placement_destroy(NULL);
    expect_mistake("pass a pointer for the placement", filo_placement_create(NULL, small()));
    placement = (FiloPlacement *)&one;
    expect_mistake("pass a description of what to place", filo_placement_create(&placement, NULL));
    assert_null(placement);
}

// ---- The world ----------------------------------------------------------------------------------------------

FILO_TEST(worlds_that_cannot_be_are_refused) {
    const char *finite = "the world: its size, corner and lowest height must be finite";
    DATA(finite, desc->size.x = NAN);
    DATA(finite, desc->size.y = INFINITY);
    DATA(finite, desc->size.z = -INFINITY);
    DATA(finite, desc->lowest = NAN);
    DATA(finite, desc->corner_x = (double)NAN);
    DATA(finite, desc->corner_y = -(double)INFINITY);
    DATA("the world: it is 0 × 100 metres; a side must be from 0.01 to 1e+07", desc->size.x = 0);
    DATA("the world: it is 100 × -5 metres; a side must be from 0.01 to 1e+07", desc->size.y = -5);
    DATA("the world: it is 2e+07 × 100 metres; a side must be from 0.01 to 1e+07", desc->size.x = 2e7f);
    LIMIT("the world: its corner is further from the origin than 1e+07 metres", desc->corner_x = 1.1e7);
    LIMIT("the world: its corner is further from the origin than 1e+07 metres", desc->corner_y = -1e300);
    DATA("the heightmap: the filter 2 is none", desc->height_filter = (FiloMapFilter)2);
    DATA("the heightmap: the map is 0 × 0; it needs at least one value",
         (desc->height.data = &one, desc->size.z = 1));
    DATA("the world: size.z is 0 metres, and there is a heightmap: set it to the height of its value 1 above "
         "its value 0",
         (desc->height = *map, desc->size.z = 0));
    DATA(
        "the world: size.z is -3 metres, and there is a heightmap: set it to the height of its value 1 above "
        "its value 0",
        (desc->height = *map, desc->size.z = -3));
}

FILO_TEST(a_flat_world_needs_no_height) {
    FiloPlacementDesc *desc = small();
    desc->size.z = 0;
    filo_placement_destroy(placing_create(desc));
}

// ---- Maps ---------------------------------------------------------------------------------------------------

FILO_TEST(maps_that_cannot_be_are_refused) {
    DATA("footprint 0, layer 0: the format of the map is 3, which is none", map->format = (FiloMapFormat)3);
    DATA("layer \"oak\": the format of the map is 7, which is none",
         (layer->name = "oak", map->format = (FiloMapFormat)7));
    DATA("there is nothing to place: no footprint has a layer",
         (*map = (FiloTerrainMap){ 0 }, f->footprint = 0));
    DATA("footprint 0, layer 0: the map is 0 × 1; it needs at least one value", map->width = 0);
    DATA("footprint 0, layer 0: the map is 1 × -4; it needs at least one value", map->height = -4);
    DATA("footprint 0, layer 0: the map has 1 bytes from a value to the next, and values of 2",
         (map->format = FILO_MAP_U16, map->step = 1));
    DATA("footprint 0, layer 0: the map has 3 bytes from a value to the next, and values of 4",
         (map->format = FILO_MAP_FLOAT, map->step = 3));
    DATA("footprint 0, layer 0: the map has 1025 bytes from a value to the next, and values of 1",
         map->step = 1025);
    DATA("footprint 0, layer 0: the map has 15 bytes from a row to the next, and rows of 16",
         (map->width = 16, map->height = 2, map->stride = 15));
    DATA("footprint 0, layer 0: the filter -1 is none", layer->density.filter = (FiloMapFilter)-1);
}

// Sets one value of a map of 4 × 3 floats, and makes it the heightmap or that of the layer.
static FiloTerrainMap floats_with(int x, int y, float value) {
    static float values[12];
    for (int i = 0; i < 12; i++) values[i] = i % 2 == 0 ? 0.0f : 1.0f;
    values[y * 4 + x] = value;
    return (FiloTerrainMap){ .data = values, .format = FILO_MAP_FLOAT, .width = 4, .height = 3 };
}

FILO_TEST(floats_that_are_not_between_0_and_1_are_refused) {
    DATA("footprint 0, layer 0: texel 3, 2 is 1.5; values are from 0 to 1", *map = floats_with(3, 2, 1.5f));
    DATA("layer \"oak\": texel 0, 0 is -1e-06; values are from 0 to 1",
         (layer->name = "oak", *map = floats_with(0, 0, -1e-6f)));
    DATA("footprint 0, layer 0: texel 1, 0 is nan; values are from 0 to 1", *map = floats_with(1, 0, NAN));
    DATA("footprint 0, layer 0: texel 1, 2 is -inf; values are from 0 to 1",
         *map = floats_with(1, 2, -INFINITY));
    DATA("the heightmap: texel 2, 1 is 340; values are from 0 to 1: divide heights by size.z",
         (desc->height = floats_with(2, 1, 340), desc->size.z = 500));
    DATA("the heightmap: texel 2, 1 is nan; values are from 0 to 1: divide heights by size.z",
         (desc->height = floats_with(2, 1, NAN), desc->size.z = 500));
    // Texels are those of the whole map.
    DATA("footprint 0, layer 0: texel 12, 21 is 7; values are from 0 to 1",
         (*map = floats_with(2, 1, 7), map->x = 10, map->y = 20, map->full_width = map->full_height = 64));
    DATA("footprint 0, layer 0: texel 1, 1 is 2; values are from 0 to 1",
         (*map = floats_with(2, 1, 2), map->step = 8, map->width = 2, map->stride = 16));
    FiloPlacementDesc *desc = small();
    desc->footprints[0].layers[0].density.map = floats_with(0, 0, -0.0f);
    filo_placement_destroy(placing_create(desc));
}

FILO_TEST(maps_that_are_too_large_are_refused) {
    LIMIT("footprint 0, layer 0: the map has 100000 × 100000 values, more than 2 GiB; use windows of it",
          (map->width = 100000, map->height = 100000));
    LIMIT("the heightmap: the map has 2147483647 × 2147483647 values, more than 2 GiB; use windows of it",
          (desc->height = *map, desc->height.width = INT32_MAX, desc->height.height = INT32_MAX));
    LIMIT("footprint 0, layer 0: the map has 1 × 2 values, more than 2 GiB; use windows of it",
          (map->height = 2, map->stride = SIZE_MAX));
    LIMIT("footprint 0, layer 0: the map has 2 × 2147483647 values, more than 2 GiB; use windows of it",
          (map->width = 2, map->height = INT32_MAX, map->step = 1024));
    LIMIT("footprint 0, layer 0: the whole map is 2000000 × 1; it may be 1048576 a side",
          map->full_width = 2000000);
    LIMIT("footprint 0, layer 0: the whole map is 1 × -1; it may be 1048576 a side", map->full_height = -1);
    LIMIT("footprint 0, layer 0: the whole map is 2000000 × 1; it may be 1048576 a side",
          map->width = 2000000);
}

FILO_TEST(windows_that_are_not_inside_are_refused) {
    DATA("footprint 0, layer 0: the window 1 × 1 at 5, 0 is not inside of its map, 5 × 1",
         (map->full_width = 5, map->x = 5));
    DATA("footprint 0, layer 0: the window 1 × 1 at 0, -1 is not inside of its map, 1 × 1", map->y = -1);
    DATA("footprint 0, layer 0: the window 4 × 4 at 0, 0 is not inside of its map, 4 × 3",
         (map->width = map->height = 4, map->full_height = 3));
    DATA("footprint 0, layer 0: the window 1 × 1 at 2147483647, 0 is not inside of its map, 1 × 1",
         map->x = INT32_MAX);
}

// ---- Footprints and layers ----------------------------------------------------------------------------------

FILO_TEST(footprints_that_cannot_be_are_refused) {
    DATA("footprint 0: the footprint is 0 metres; it must be from 0.01 to 10000", f->footprint = 0);
    DATA("footprint 0: the footprint is -1 metres; it must be from 0.01 to 10000", f->footprint = -1);
    DATA("footprint \"trees\": the footprint is nan metres; it must be from 0.01 to 10000",
         (f->name = "trees", f->footprint = fabsf(NAN)));
    DATA("footprint 0: the footprint is inf metres; it must be from 0.01 to 10000", f->footprint = INFINITY);
    DATA("footprint 0: the footprint is 20000 metres; it must be from 0.01 to 10000", f->footprint = 20000);
    DATA("footprint 1: its 3 metres are more than the 2 of the footprint before; list the largest first",
         (f[1] = f[0], f[1].footprint = 3));
    static const FiloVec2 heap[16];
    DATA("footprint 0: pattern: it must have 4 × 4, 8 × 8 or 16 × 16 points, not 5 × 5",
         (f->pattern = (FiloPattern){ 5, 5, heap }));
    LIMIT("footprint 0: a cell of the pattern is 2000 footprints wide; 1024 is the most",
          (f->pattern = filo_pattern(4, 0), f->pattern.size = 2000));
}

FILO_TEST(gaps_in_the_lists_are_refused) {
    DATA("footprint 0: it has no layers; give its first layer a density map", map->data = NULL);
    DATA("footprint 1: it has no layers; give its first layer a density map", f[1].footprint = 1);
    DATA("footprint 1: it has no layers; give its first layer a density map", f[1].layers[0].name = "grass");
    // One that is all zero ends the list, but then there is another.
    DATA("footprint 1: it has no layers; give its first layer a density map", f[2] = f[0]);
    DATA("footprint 1: it has no layers; give its first layer a density map",
         f[1].layers[1] = f[0].layers[0]);
    DATA("layer \"elm\": the map has no data", layer[1].name = "elm");
    DATA("footprint 0, layer 1: the map has no data", layer[1].density.scale = 2);
    DATA("footprint 0, layer 1: the map has no data", layer[1].density.offset = 0.5f);
    DATA("footprint 0, layer 1: the map has no data", layer[1].density.map.width = 16);
    DATA("footprint 0, layer 1: the map has no data", layer[2] = layer[0]);
    DATA("footprint 0, layer 1: the map has no data", layer[31] = layer[0]);
}

FILO_TEST(numbers_of_layers_that_cannot_be_are_refused) {
    DATA("footprint 0, layer 0: scale nan, offset 0, min 0 and max 0 must be finite",
         layer->density.scale = fabsf(NAN));
    DATA("footprint 0, layer 0: scale 0, offset inf, min 0 and max 0 must be finite",
         layer->density.offset = INFINITY);
    DATA("footprint 0, layer 0: scale 0, offset 0, min -inf and max 0 must be finite",
         layer->density.min = -INFINITY);
    DATA("footprint 0, layer 0: scale 0, offset 0, min 0 and max inf must be finite",
         layer->density.max = INFINITY);
    DATA("footprint 0, layer 0: min is 0.5 and max 0.25; min must not be above max",
         (layer->density.min = 0.5f, layer->density.max = 0.25f));
    DATA("footprint 0, layer 0: min is 0.5 and max 0; min must not be above max", layer->density.min = 0.5f);
    LIMIT("footprint 0, layer 0: densities go from -65 to 0; −64 to 64 are allowed, and 1 is all there is",
          layer->density.min = -65);
    LIMIT("footprint 0, layer 0: densities go from 0 to 100; −64 to 64 are allowed, and 1 is all there is",
          layer->density.max = 100);
    DATA("footprint 0, layer 0: the radius must be finite", layer->radius = -NAN);
    DATA("footprint 0, layer 0: the radius must be finite", layer->radius = INFINITY);
}

FILO_TEST(variations_that_cannot_be_are_refused) {
    const char *finite = "footprint 0, layer 0: turn_range, tilt and scale must be finite";
    DATA(finite, layer->variation.turn_range = NAN);
    DATA(finite, layer->variation.tilt = NAN);
    DATA(finite, layer->variation.scale_max = INFINITY);
    DATA("footprint 0, layer 0: the tilt is -0.5; it goes from 0 to 1", layer->variation.tilt = -0.5f);
    DATA("footprint 0, layer 0: the tilt is 2; it goes from 0 to 1", layer->variation.tilt = 2);
    DATA("footprint 0, layer 0: the scale goes from 2 to 1; set scale_min and scale_max, the smaller one "
         "first",
         (layer->variation.scale_min = 2, layer->variation.scale_max = 1));
    DATA("footprint 0, layer 0: the scale goes from -1 to 1; set scale_min and scale_max, the smaller one "
         "first",
         (layer->variation.scale_min = -1, layer->variation.scale_max = 1));
    DATA("footprint 0, layer 0: the turn 3 is none", layer->variation.turn = 3);
    DATA("footprint 0, layer 0: the map has no data", layer->variation.turn = FILO_TURN_TOWARDS);
}

FILO_TEST(footprints_that_cannot_be_compared_are_refused) {
    // Units of 1/256 metre, because the footprint is 1: 127.99 metres are 32767 of them.
    LIMIT("layer \"city\": its radius is 129 metres, too much beside a footprint of 1: at most 127.996",
          (f->footprint = 300, layer->radius = 129, f[1] = f[0], f[1].footprint = 1, layer->name = "city"));
    LIMIT(
        "footprints \"footprint 0\" and \"footprint 1\": their radii add up to 130 metres, too much beside a "
        "footprint of 1: at most 127.969",
        (f->footprint = 300, layer->radius = 65, f[1] = f[0], f[1].footprint = 1));
    // Blocks of the larger one are so wide that its positions are no whole numbers of units any more.
    LIMIT("footprint \"footprint 0\": its blocks of 6.14e+06 metres are too wide beside a footprint of 0.1: "
          "at most 262144",
          (f->footprint = 10000, layer->radius = 0.1f, f[1] = f[0], f[1].footprint = 0.1f));
}

FILO_TEST(more_maps_than_there_can_be_are_refused) {
    static uint8_t bytes[FILO_PLACEMENT_MAPS + 1];
    FiloPlacementDesc *desc = small();
    for (int i = 0; i < FILO_PLACEMENT_MAPS; i++) {
        FiloFootprint *f = &desc->footprints[i / FILO_PLACEMENT_LAYERS];
        f->footprint = 1;
        f->layers[i % FILO_PLACEMENT_LAYERS].density.map = placing_constant(&bytes[i]);
    }
    FiloPlacement *placement = placing_create(desc);
    assert_int_equal(filo_placement_layer_count(placement), FILO_PLACEMENT_MAPS);
    filo_placement_destroy(placement);
    desc->footprints[2].footprint = 1;
    desc->footprints[2].layers[0].density.map = placing_constant(&bytes[0]); // that one is there
    placement = placing_create(desc);
    filo_placement_destroy(placement);
    desc->footprints[2].layers[1].density.map = placing_constant(&bytes[FILO_PLACEMENT_MAPS]);
    desc->footprints[2].layers[1].name = "moss";
    refused(desc, FILO_ERROR_LIMIT, "the map \"moss\": there are more than 64 maps", __FILE__, __LINE__);
    desc->footprints[2].layers[1] = desc->footprints[2].layers[0];
    desc->footprints[2].layers[1].variation.turn = FILO_TURN_TOWARDS;
    desc->footprints[2].layers[1].variation.towards = placing_constant(&bytes[FILO_PLACEMENT_MAPS]);
    refused(desc, FILO_ERROR_LIMIT, "the map \"towards\": there are more than 64 maps", __FILE__, __LINE__);
}

FILO_TEST(names_that_could_not_be_found_again_are_refused) {
    static const char fits[] = "a name of 47 bytes, which is as long as one can";
    static const char longer[] = "a name of 48 bytes, which is longer than one can";
    FiloPlacementDesc *named = small();
    named->footprints[0].layers[0].name = fits;
    named->footprints[0].name = fits;
    FiloPlacement *placement = placing_create(named);
    assert_int_equal(filo_placement_layer_find(placement, fits), 0);
    assert_int_equal(filo_placement_map_find(placement, fits), 1);
    filo_placement_destroy(placement);
    LIMIT("layer \"a name of 48 bytes, which is longer than\": its name has more than 47 bytes",
          layer->name = longer);
    LIMIT("footprint \"a name of 48 bytes, which is longer than\": its name has more than 47 bytes",
          f->name = longer);
}

// ---- Defaults -----------------------------------------------------------------------------------------------

static double share_of(float scale, float offset, float min, float max, uint8_t value) {
    FiloPlacementDesc *desc = small();
    FiloDensityMap *density = &desc->footprints[0].layers[0].density;
    *density = (FiloDensityMap){ placing_constant(&value), FILO_MAP_BILINEAR, scale, offset, min, max };
    FiloPlacement *placement = placing_create(desc);
    double side = 8 * filo_placement_cell_size(placement, 0);
    FiloPlacementResult result = placing_area(placement, 0, 0, side, side);
    double share = (double)result.count / (64 * 64);
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    return share;
}

FILO_TEST(two_layers_with_one_name_are_refused) {
    Forest *forest = forest_new(1);
    assert_non_null(forest);
    FiloFootprint *footprints = forest->desc.footprints;
    footprints[1] = footprints[0];
    footprints[0].layers[2].name = "pine";
    footprints[1].layers[0].name = "pine";
    FiloPlacement *placement = NULL;
    FiloResult r = filo_placement_create(&placement, &forest->desc);
    assert_int_equal(r.code, FILO_ERROR_DATA);
    assert_string_equal(r.message, "two layers are called \"pine\"; give each a name of its own");
    DATA("layer \"height\": the heightmap is called so; give it another name", layer->name = "height");
    footprints[1].layers[0].name = "spruce";
    assert_ok(filo_placement_create(&placement, &forest->desc));
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(densities_at_a_point_are_those_of_the_maps) {
    Forest *forest = forest_new(2);
    assert_non_null(forest);
    FiloPlacementLayer *layers = forest->desc.footprints[0].layers;
    layers[1].density.scale = 0.5f, layers[1].density.offset = 0.25f;
    FiloPlacement *placement = NULL;
    assert_ok(filo_placement_create(&placement, &forest->desc));
    for (int texel = 0; texel < FOREST_SIDE; texel += 9) {
        double x = (texel + 0.5) * 300.0 / FOREST_SIDE, y = (texel / 2 + 0.5) * 300.0 / FOREST_SIDE;
        int at = texel / 2 * FOREST_SIDE + texel;
        float first = (float)forest->bytes[0][at] / 255,
              second = (float)forest->bytes[1][at] / 255 * 0.5f + 0.25f;
        assert_true(filo_abs(filo_placement_density(placement, 0, x, y) - first) < 2e-5f);
        assert_true(filo_abs(filo_placement_density(placement, 1, x, y) - second) < 2e-5f);
    }
    assert_true(filo_placement_density(placement, 4, 1, 1) == 0);
    assert_true(filo_placement_density(placement, 0, (double)NAN, 1) == 0);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(numbers_that_are_zero_have_defaults) {
    const double level = 1.0 / 64;
    assert_true(share_of(0, 0, 0, 0, 255) == 1);
    assert_true(share_of(0, 0, 0, 0, 0) == 0);
    assert_true(fabs(share_of(0, 0, 0, 0, 128) - 128 / 255.0) <= level);
    assert_true(fabs(share_of(0.5f, 0, 0, 0, 255) - 0.5) <= level);
    assert_true(fabs(share_of(0, 0.25f, 0, 0, 255) - 0.25) <= level); // only one of both: what they say
    assert_true(fabs(share_of(-1, 1, 0, 0, 64) - 191 / 255.0) <= level);
    assert_true(fabs(share_of(0, 0, 0, 0.75f, 255) - 0.75) <= level);
    assert_true(fabs(share_of(0, 0, 0.125f, 1, 0) - 0.125) <= level);
    assert_true(share_of(0, 0, -1, 0, 255) == 0); // max is 0, because min is not
    assert_true(share_of(64, 0, -64, 64, 255) == 1);
    assert_true(share_of(FILO_TAU * 1e37f, -FILO_TAU * 1e37f, -64, 64, 254) == 0); // clamped, however large
    assert_true(share_of(3e38f, 3e38f, -64, 64, 255) == 1);
}

FILO_TEST(questions_about_a_placement_have_answers) {
    FiloPlacementDesc *desc = small();
    desc->footprints[0].name = "trees";
    desc->footprints[0].layers[0].name = "oak";
    desc->footprints[0].layers[1] = desc->footprints[0].layers[0];
    desc->footprints[0].layers[1].name = "elm";
    desc->footprints[1].footprint = 0.5f;
    desc->footprints[1].layers[0].density.map =
        (FiloTerrainMap){ .data = map_floats, .format = FILO_MAP_FLOAT, .width = 4, .height = 4 };
    FiloPlacement *placement = placing_create(desc);
    memset(desc, 0xEE, sizeof *desc); // it was copied
    assert_int_equal(filo_placement_layer_count(placement), 3);
    assert_int_equal(filo_placement_footprint_count(placement), 2);
    assert_string_equal(filo_placement_footprint_name(placement, 0), "trees");
    assert_string_equal(filo_placement_footprint_name(placement, 1), "footprint 1");
    assert_string_equal(filo_placement_layer_name(placement, 1), "elm");
    assert_string_equal(filo_placement_layer_name(placement, 2), "layer 2");
    assert_string_equal(filo_placement_layer_name(placement, 3), "");
    assert_int_equal(filo_placement_layer_find(placement, "elm"), 1);
    assert_int_equal(filo_placement_layer_find(placement, "fir"), -1);
    assert_int_equal(filo_placement_layer_footprint(placement, 1), 0);
    assert_int_equal(filo_placement_layer_footprint(placement, 2), 1);
    assert_int_equal(filo_placement_map_find(placement, "height"), 0);
    assert_int_equal(filo_placement_map_find(placement, "oak"), 1);
    assert_int_equal(filo_placement_map_find(placement, "elm"), 1); // the same map
    assert_int_equal(filo_placement_map_find(placement, "layer 2"), 2);
    assert_int_equal(filo_placement_map_find(placement, "fir"), -1);
    assert_true(filo_placement_footprint_size(placement, 1) == 0.5f);
    assert_true(filo_placement_cell_size(placement, 1) == 0.5 * 307 / 256 * 8);
    assert_true(filo_placement_reach(placement) > 1.25 && filo_placement_reach(placement) < 1.3);
    expect_fault("there are 2 footprints, and no number 2", filo_placement_footprint_name(placement, 2));
    expect_fault("there are 2 footprints, and no number 9", filo_placement_cell_size(placement, 9));
    filo_placement_destroy(placement);
}

// ---- Memory -------------------------------------------------------------------------------------------------

// Two footprints, edits, maps of floats, and a combined one.
static FiloResult place_everything(const Forest *forest, size_t *count) {
    FiloPlacement *placement = NULL;
    FiloPlacementResult result = { 0 };
    FiloClearing clearing = { 50, 50, 5, 0 };
    FiloPlacementRequest request = { .area = { 30, 30, 70, 70 }, .edits = { &clearing, 1, NULL, 0 } };
    FiloResult r = filo_placement_create(&placement, &forest->desc);
    if (r.code == FILO_OK) r = filo_placement_bake(placement, 0, NULL);
    if (r.code == FILO_OK) r = filo_placement_compute(placement, &request, &result);
    *count = result.count;
    if (r.code != FILO_OK) assert_int_equal(result.count, 0);
    if (r.code != FILO_OK && placement != NULL) {
        // Afterwards it works again, with what is left.
        FiloAllocator *allocator = (FiloAllocator *)(uintptr_t)forest->desc.allocator;
        failing_end(allocator->user);
        assert_ok(filo_placement_compute(placement, &request, &result));
        assert_true(result.count > 100);
    }
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    return r;
}

FILO_TEST(lack_of_memory_is_reported_at_every_allocation) {
    Forest *forest = forest_new(3);
    assert_non_null(forest);
    forest->desc.height = forest_floats(forest);
    forest->desc.footprints[0].layers[3].density.map = forest_floats(forest);
    forest->desc.footprints[1].footprint = 0.7f;
    forest->desc.footprints[1].layers[0].density.map = forest_words(forest);
    bool more = true;
    size_t calls = 0, count = 0;
    for (; more; calls++) {
        FailingAllocator failing = FAILING_AT(failing, calls);
        forest->desc.allocator = &failing.allocator;
        FiloResult r = place_everything(forest, &count);
        assert_int_equal(failing.blocks, 0);
        more = r.code != FILO_OK;
        if (more) assert_int_equal(r.code, FILO_ERROR_MEMORY);
        if (more) assert_contains(r.message, "no memory");
    }
    assert_true(count > 100 && calls > 15);
    free(forest);
}

FILO_TEST(the_second_computation_of_an_area_allocates_nothing) {
    Forest *forest = forest_new(4);
    assert_non_null(forest);
    forest->desc.footprints[1].footprint = 0.7f;
    forest->desc.footprints[1].layers[0].density.map = forest_words(forest);
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    forest->desc.allocator = &failing.allocator;
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult result = placing_area(placement, 0, 0, 60, 60);
    size_t calls = failing.calls, count = result.count;
    for (int i = 0; i < 5; i++) {
        FiloPlacementRequest request = { .area = { 0, 0, 60, 60 } };
        assert_ok(filo_placement_compute(placement, &request, &result));
        assert_int_equal(result.count, count);
    }
    assert_int_equal(failing.calls, calls);
    // A result may go from one placement to another with another allocator.
    forest->desc.allocator = NULL;
    FiloPlacement *other = placing_create(&forest->desc);
    FiloPlacementRequest request = { .area = { 0, 0, 90, 90 } };
    assert_ok(filo_placement_compute(other, &request, &result));
    assert_true(result.count > count);
    filo_placement_destroy(placement);
    assert_int_equal(failing.blocks, 0);
    filo_placement_result_free(&result);
    filo_placement_destroy(other);
    free(forest);
}
