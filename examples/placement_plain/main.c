// Placement alone: trees and bushes around a pond, from two plain arrays. It links the module `placement` and what that
// needs (jobs, base), and nothing else of the engine.
//   - Any memory is a map: here bytes, row 0 at the smallest y.
//   - Trees come first and claim ground; bushes are placed between them.
//   - Half of the area computed alone is half of the picture: nothing depends on what else is computed.
//
// Try: another .seed, footprint or .scale; FILO_MAP_NEAREST as a .filter; an area of { 0, 0, 40, 50 }.

#include <filo/args.h>
#include <filo/log.h>
#include <filo/placement.h>

#include <stdio.h>
#include <string.h>

enum { SIDE = 64, COLUMNS = 80, ROWS = 25 };
static uint8_t land[SIDE * SIDE], shore[SIDE * SIDE]; // 255 where there is land; where the pond is near

static void print_objects(const FiloPlacementResult *result) {
    char picture[ROWS][COLUMNS];
    memset(picture, ' ', sizeof picture);
    for (size_t i = 0; i < result->count; i++) {
        FiloPlacementPosition at = filo_placement_position(result, &result->objects[i]);
        picture[ROWS - 1 - (int)(at.y / 2)][(int)at.x] = "Y+~"[result->objects[i].layer];
    }
    for (int row = 0; row < ROWS; row++) printf("|%.*s|\n", COLUMNS, picture[row]);
    for (size_t layer = 0; layer < filo_placement_layer_count(result->placement); layer++)
        printf("%4zu %s\n", filo_placement_result_count(result, layer),
               filo_placement_layer_name(result->placement, layer));
}

int main(int argc, char **argv) {
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Trees and bushes around a pond, from two plain arrays.",
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_FRAMES | FILO_ARGS_THREADS |
                                     FILO_ARGS_SEED | FILO_ARGS_HASH | FILO_ARGS_STATS | FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int from_pond = (x - 34) * (x - 34) + 2 * (y - 30) * (y - 30); // squared, in texels
            land[y * SIDE + x] = from_pond > 400 ? 255 : 0;
            shore[y * SIDE + x] = from_pond > 250 && from_pond < 400 ? 255 : 0;
        }
    FiloDensityMap woods = { .map = { .data = land, .width = SIDE, .height = SIDE }, .scale = 0.8f };
    FiloDensityMap thicket = { .map = woods.map, .scale = 0.25f };
    FiloDensityMap swamp = { .map = { .data = shore, .width = SIDE, .height = SIDE } };
    FiloPlacementDesc pond = {
        .size = { COLUMNS, 2 * ROWS, 1 }, // metres
        .footprints = { { .footprint = 4, .layers = { { .name = "trees", .density = woods } } },
                        { .footprint = 2,
                          .layers = { { .name = "bushes", .density = thicket },
                                      { .name = "reeds", .density = swamp } } } },
    };
    FiloPlacement *placement;
    FiloPlacementResult result = { 0 };
    FiloPlacementRequest request = { .area = { 0, 0, COLUMNS, 2 * ROWS } };
    FiloResult r = filo_placement_create(&placement, &pond);
    if (r.code == FILO_OK) r = filo_placement_compute(placement, &request, &result);
    if (r.code == FILO_OK) print_objects(&result);
    if (r.code != FILO_OK) filo_log_error("placement_plain", "%s", r.message);
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//  |Y              +  Y   +         +    +    Y         Y         Y             Y   |
//  |         Y                   Y    Y            Y                   Y    Y       |
//  | Y   Y         Y   Y     Y             Y   Y         Y    Y    Y             Y  |
//  |          +                                     Y                   Y           |
//  |                    Y    Y         Y                      Y       +      Y      |
//  |Y    Y   Y     Y                       Y    +     +  Y                       Y  |
//  |      +                +          Y          +  +            Y     Y            |
//  |                  Y                        ~  ~    Y                            |
//  |        Y                 Y    ~ ~  ~             ~  ~ ~    +    +     Y   Y    |
//  |  Y          Y       Y       ~         ~                ~ ~  ~                 Y|
//  |                 Y      ~ ~                                ~  ~    Y      Y     |
//  |      Y   +         ~ ~                                      ~                + |
//  |  Y            Y      ~                                        ~ ~    Y         |
//  |     Y    Y         ~  ~                                        ~ ~        Y    |
//  |                    ~ ~                                           ~   Y         |
//  |Y       Y      Y                                           ~  ~~             Y  |
//  |                          ~                                 ~      Y            |
//  | +   +            Y    Y        ~    ~ ~              ~ ~ ~           +    + +  |
//  |        Y                   Y    Y            Y   ~               Y     Y       |
//  |Y   Y         Y   Y    Y    +         Y   Y         Y    Y    Y             Y   |
//  |                                  Y            Y                   Y    Y       |
//  |     Y         Y   Y     Y     +                     Y    Y      +         +    |
//  | Y        Y                   Y        Y    +   Y                   Y           |
//  |                    Y              Y                      Y              Y      |
//  | +   Y         Y         Y                 Y         Y          Y          +  + |
//   111 trees
//    29 bushes
//    42 reeds
