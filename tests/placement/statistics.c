// What a forest looks like: how dense, how regular, and without seams.

#include "placement/placing.h"

#include <math.h>

static const uint8_t one = 255;

// A flat world with layers of these densities, up to the first negative one.
static FiloPlacement *constant(float footprint, FiloPattern pattern, uint64_t seed, const float *densities) {
    FiloPlacementDesc *desc = calloc(1, sizeof *desc);
    assert_non_null(desc);
    desc->size = (FiloVec3){ 1000, 1000, 1 };
    desc->seed = seed;
    desc->footprints[0].footprint = footprint;
    desc->footprints[0].pattern = pattern;
    for (int l = 0; densities[l] >= 0; l++)
        desc->footprints[0].layers[l].density = placing_density(&one, densities[l]);
    FiloPlacement *placement = placing_create(desc);
    free(desc);
    return placement;
}

// ---- Density ------------------------------------------------------------------------------------------------

// Counts of a layer in each of side × side cells.
static void count_cells(const FiloPlacementResult *result, int layer, int first, int side, int *counts) {
    memset(counts, 0, (size_t)(side * side) * sizeof *counts);
    for (size_t i = result->first[layer]; i < result->first[layer + 1]; i++) {
        FiloPlacementId id = filo_placement_id(result, &result->objects[i]);
        assert_true(id.cell_x >= first && id.cell_x < first + side && id.cell_y >= first);
        counts[(id.cell_y - first) * side + id.cell_x - first]++;
    }
}

FILO_TEST(every_cell_has_the_density_of_the_map) {
    enum { SIDE = 12 };
    static const float densities[] = { 0, 1.0f / 64, 0.1f, 0.25f, 1.0f / 3, 0.5f, 0.9f, 0.999f, 1 };
    for (int n = 4; n <= 16; n *= 2)
        for (size_t d = 0; d < FILO_COUNT_OF(densities); d++) {
            FiloPlacement *placement =
                constant(2, filo_pattern(n, 1), 0, (const float[]){ densities[d], -1 });
            double cell = filo_placement_cell_size(placement, 0);
            for (int first = -SIDE / 2; first <= 1000; first += 1006) {
                FiloPlacementResult result = placing_area(placement, first * cell, first * cell,
                                                          (first + SIDE) * cell, (first + SIDE) * cell);
                int counts[SIDE * SIDE];
                count_cells(&result, 0, first, SIDE, counts);
                // Every level of the dither matrix occurs once: exact to one object, and exact if it is a level.
                double wanted = (double)densities[d] * n * n;
                for (int i = 0; i < SIDE * SIDE; i++) {
                    assert_true(counts[i] >= wanted - 1e-3 && counts[i] < wanted + 1);
                    if (wanted == floor(wanted)) assert_true(counts[i] == wanted);
                }
                filo_placement_result_free(&result);
            }
            filo_placement_destroy(placement);
        }
}

FILO_TEST(layers_share_the_density_in_their_order) {
    enum { SIDE = 8 };
    static const float densities[] = { 0.25f, 0.125f, 0, 0.3f, 0.5f, 0.5f, -1 }; // more than there is
    static const double shares[] = { 0.25, 0.125, 0, 0.3, 0.325, 0 };
    FiloPlacement *placement = constant(2, filo_pattern(8, 0), 0, densities);
    double cell = filo_placement_cell_size(placement, 0);
    FiloPlacementResult result = placing_area(placement, 0, 0, SIDE * cell, SIDE * cell);
    assert_int_equal(result.count, SIDE * SIDE * 64);
    for (int l = 0; l < 6; l++) {
        int counts[SIDE * SIDE];
        count_cells(&result, l, 0, SIDE, counts);
        for (int i = 0; i < SIDE * SIDE; i++) assert_true(fabs(counts[i] / 64.0 - shares[l]) <= 1.0 / 64);
    }
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
}

FILO_TEST(gradients_are_followed) {
    uint16_t ramp[256];
    for (int i = 0; i < 256; i++) ramp[i] = (uint16_t)(i * 65535 / 255);
    for (int filter = FILO_MAP_BILINEAR; filter <= FILO_MAP_NEAREST; filter++) {
        FiloPlacementDesc *desc = calloc(1, sizeof *desc);
        desc->size = (FiloVec3){ 600, 600, 1 };
        desc->footprints[0].footprint = 1;
        desc->footprints[0].layers[0].density.map =
            (FiloTerrainMap){ .data = ramp, .format = FILO_MAP_U16, .width = 256, .height = 1 };
        desc->footprints[0].layers[0].density.filter = (FiloMapFilter)filter;
        FiloPlacement *placement = placing_create(desc);
        double cell = filo_placement_cell_size(placement, 0);
        // Strips of a cell, ten cells high.
        for (int strip = 0; strip < 60; strip += 3) {
            FiloPlacementResult result =
                placing_area(placement, strip * cell, 0, (strip + 1) * cell, 10 * cell);
            double share = (double)result.count / (64 * 10), wanted = (strip + 0.5) * cell / 600;
            assert_true(fabs(share - wanted) < 0.02);
            filo_placement_result_free(&result);
        }
        filo_placement_destroy(placement);
        free(desc);
    }
}

// ---- Distance -----------------------------------------------------------------------------------------------

static int compare_x(const void *a, const void *b) {
    double x = ((const FiloPlacementPosition *)a)->x, y = ((const FiloPlacementPosition *)b)->x;
    return (x > y) - (x < y);
}

// The least distance of all objects of a square, which is computed in four areas that have nothing to do with each other.
static double least_distance(const FiloPlacement *placement, double x, double y, double half) {
    FiloPlacementPosition *all = NULL;
    size_t count = 0;
    for (int quarter = 0; quarter < 4; quarter++) {
        double x0 = quarter % 2 == 0 ? x - half : x, y0 = quarter / 2 == 0 ? y - half : y;
        FiloPlacementResult result = placing_area(placement, x0, y0, x0 + half, y0 + half);
        all = realloc(all, (count + result.count + 1) * sizeof *all);
        for (size_t i = 0; i < result.count; i++)
            all[count++] = filo_placement_position(&result, &result.objects[i]);
        filo_placement_result_free(&result);
    }
    assert_true(count > 500);
    qsort(all, count, sizeof *all, compare_x);
    double least = half;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && all[k].x - all[i].x < least; k++)
            least = fmin(least, hypot(all[k].x - all[i].x, all[k].y - all[i].y));
    free(all);
    return least;
}

FILO_TEST(objects_of_a_footprint_are_never_nearer_than_it) {
    static const float footprints[] = { 0.01f, 0.1f, 1, 1.75f, 3.3333f, 777, 10000 };
    for (size_t f = 0; f < FILO_COUNT_OF(footprints); f++)
        for (int n = 4; n <= 16; n *= 2) {
            double footprint = (double)footprints[f];
            FiloPlacement *placement =
                constant(footprints[f], filo_pattern(n, f % 4), 0, (const float[]){ 0.25f, 0.25f, 0.5f, -1 });
            double block = filo_placement_cell_size(placement, 0) * FILO_PLACEMENT_BLOCK;
            double far = floor(fmin(100000 + 500 * footprint, 9e7) / block);
            // At borders of cells, of blocks, of areas; negative; 100 km away; as far as it goes.
            const double places[] = {
                0, block, -block, -3 * block + 7 * footprint, far * block, -far * block
            };
            for (size_t p = 0; p < FILO_COUNT_OF(places); p++) {
                double least = least_distance(placement, places[p], -places[p] / 2, 20 * footprint);
                assert_true(least >= footprint);
                assert_true(least < footprint * 1.1);
            }
            filo_placement_destroy(placement);
        }
}

FILO_TEST(every_built_in_pattern_keeps_the_footprint_at_the_far_end_of_a_block) {
    for (int n = 4; n <= 16; n *= 2)
        for (size_t p = 0; p < filo_pattern_count(n); p++) {
            FiloPlacement *placement = constant(1.7f, filo_pattern(n, p), 0, (const float[]){ 1, -1 });
            double block = filo_placement_cell_size(placement, 0) * FILO_PLACEMENT_BLOCK;
            assert_true(least_distance(placement, block, block, 30) >= (double)1.7f);
            filo_placement_destroy(placement);
        }
}

// ---- Seams --------------------------------------------------------------------------------------------------

FILO_TEST(borders_of_areas_cannot_be_seen) {
    enum { TILES = 9 };
    // Metres; a strip lies on either side of a border. 31 metres are no multiple of a cell: the borders go through all parts
    // of the pattern.
    const double tile = 31, strip = 1;
    static const float densities[] = { 0.3f, 0.6f, 1 };
    for (size_t d = 0; d < FILO_COUNT_OF(densities); d++) {
        FiloPlacement *placement = constant(0.5f, (FiloPattern){ 0 }, d, (const float[]){ densities[d], -1 });
        size_t in_strips = 0, elsewhere = 0;
        for (int i = 0; i < TILES * TILES; i++) {
            double x = i % TILES * tile - 100, y = i / TILES * tile + 1000;
            FiloPlacementResult result = placing_area(placement, x, y, x + tile, y + tile);
            for (size_t k = 0; k < result.count; k++) {
                FiloPlacementPosition at = filo_placement_position(&result, &result.objects[k]);
                bool near = at.x < x + strip || at.x >= x + tile - strip || at.y < y + strip ||
                            at.y >= y + tile - strip;
                in_strips += near, elsewhere += !near;
            }
            filo_placement_result_free(&result);
        }
        double inner = (tile - 2 * strip) * (tile - 2 * strip), outer = tile * tile - inner;
        double ratio = ((double)in_strips / outer) / ((double)elsewhere / inner);
        assert_true(in_strips > 5000 && fabs(ratio - 1) < 0.03);
        filo_placement_destroy(placement);
    }
}

// ---- Repetition ---------------------------------------------------------------------------------------------

enum { GRID = 16 };

// How much what is placed resembles itself, shifted by cells: 1 is repetition, 0 chance, −1 the opposite.
static double correlation(const bool *placed, int shift_x, int shift_y) {
    double both = 0, sum = 0, n = GRID * GRID * 64;
    for (int y = 0; y < GRID; y++)
        for (int x = 0; x < GRID; x++)
            for (int i = 0; i < 64; i++) {
                bool here = placed[(y * GRID + x) * 64 + i];
                int other_x = (x + shift_x) % GRID, other_y = (y + shift_y) % GRID;
                both += here && placed[(other_y * GRID + other_x) * 64 + i], sum += here;
            }
    double mean = sum / n;
    return (both / n - mean * mean) / (mean - mean * mean);
}

// The pattern repeats from cell to cell. The dither matrix is shifted by one for each cell, so that other points of it are
// taken: at a distance of one cell along an axis, what is placed resembles itself less than by chance.
FILO_TEST(what_is_placed_does_not_repeat_from_cell_to_cell) {
    for (int level = 4; level <= 60; level += 4) {
        FiloPlacement *placement =
            constant(1.75f, (FiloPattern){ 0 }, (uint64_t)level, (const float[]){ (float)level / 64, -1 });
        double cell = filo_placement_cell_size(placement, 0);
        FiloPlacementResult result = placing_area(placement, 0, 0, GRID * cell, GRID * cell);
        bool *placed = calloc(GRID * GRID * 64, sizeof *placed),
             *unshifted = calloc(GRID * GRID * 64, sizeof *placed);
        for (size_t i = 0; i < result.count; i++) {
            FiloPlacementId id = filo_placement_id(&result, &result.objects[i]);
            placed[(id.cell_y * GRID + id.cell_x) * 64 + id.point] = true;
        }
        for (int i = 0; i < GRID * GRID * 64; i++) unshifted[i] = placed[i % 64];
        assert_true(correlation(unshifted, 1, 0) > 0.999 && correlation(unshifted, 3, 5) > 0.999);
        assert_true(correlation(placed, 1, 0) < 0 && correlation(placed, 0, 1) < 0);
        // What is left: halves repeat along the diagonal, and quarters after two cells along an axis.
        assert_true((correlation(placed, 1, 1) > 0.999) == (level == 32));
        assert_true((correlation(placed, 2, 0) > 0.999) == (level % 16 == 0));
        assert_true((correlation(placed, 0, 2) > 0.999) == (level % 16 == 0));
        // Over all shifts below the period of the matrix, nothing is left of it.
        double mean = 0;
        for (int shift = 1; shift < 64; shift++) mean += correlation(placed, shift % 8, shift / 8) / 63;
        assert_true(fabs(mean) < 0.02);
        free(placed), free(unshifted);
        filo_placement_result_free(&result);
        filo_placement_destroy(placement);
    }
}

FILO_TEST(the_seed_and_the_footprint_choose_the_pattern) {
    size_t different = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        FiloPlacementDesc *desc = calloc(1, sizeof *desc);
        desc->size = (FiloVec3){ 100, 100, 1 };
        desc->seed = seed;
        for (int f = 0; f < 3; f++) {
            desc->footprints[f].footprint = 1;
            desc->footprints[f].layers[0] =
                (FiloPlacementLayer){ .density = placing_density(&one, 1), .radius = -1 };
        }
        FiloPlacement *placement = placing_create(desc);
        for (uint32_t f = 0; f < 3; f++) {
            FiloPattern pattern = filo_pattern_for(8, seed, f);
            for (uint16_t i = 0; i < 64; i++) {
                FiloPlacementId id = { .footprint = (uint16_t)f, .point = i };
                FiloPlacementPosition at = filo_placement_id_position(placement, id);
                assert_true(at.x == (double)pattern.points[i].x && at.y == (double)pattern.points[i].y);
            }
            different += pattern.points != filo_pattern_for(8, seed, 0).points;
            different += pattern.points != filo_pattern_for(8, 0, f).points;
        }
        filo_placement_destroy(placement);
        free(desc);
    }
    assert_true(different > 20);
}
