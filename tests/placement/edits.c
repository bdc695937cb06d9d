// Clearings and pins.

#include "placement/placing.h"

#include <math.h>

static const uint8_t one = 255;

// Trees with two layers, and undergrowth that they push away.
static Forest *trees_and_bushes(uint64_t seed) {
    Forest *forest = forest_new(seed);
    assert_non_null(forest);
    memset(forest->desc.footprints, 0, sizeof forest->desc.footprints);
    FiloFootprint *trees = &forest->desc.footprints[0], *bushes = &forest->desc.footprints[1];
    trees->footprint = 3;
    trees->layers[0].density.map = forest_bytes(forest, 0);
    trees->layers[1].density = placing_density(&one, 0.4f);
    bushes->footprint = 1;
    bushes->layers[0].density = placing_density(&one, 0.8f);
    return forest;
}

enum { TREES = 2, BUSHES = 2 }; // layers of trees; the layer of bushes

static const FiloPlacementArea area = { -20, -20, 60, 60 };

static FiloPlacementResult place(const FiloPlacement *placement, const FiloClearing *clearings,
                                 size_t clearing_count, const FiloPin *pins, size_t pin_count) {
    FiloPlacementEdits edits = { clearings, clearing_count, pins, pin_count };
    return placing_request(placement, (FiloPlacementRequest){ .area = area, .edits = edits });
}

static double distance_to(const FiloPlacementResult *result, const FiloPlaced *object, double x, double y) {
    FiloPlacementPosition at = filo_placement_position(result, object);
    return hypot(at.x - x, at.y - y);
}

static bool contains(const FiloPlacementResult *result, const FiloPlaced *object) {
    for (size_t i = result->first[object->layer]; i < result->first[object->layer + 1]; i++)
        if (memcmp(&result->objects[i], object, sizeof *object) == 0) return true;
    return false;
}

// The object of a candidate, or NULL.
static const FiloPlaced *object_of(const FiloPlacementResult *result, FiloPlacementId id) {
    for (size_t i = 0; i < result->count; i++) {
        FiloPlacementId other = filo_placement_id(result, &result->objects[i]);
        if (memcmp(&other, &id, sizeof id) == 0) return &result->objects[i];
    }
    return NULL;
}

// ---- Clearings ----------------------------------------------------------------------------------------------

FILO_TEST(nothing_is_placed_inside_a_clearing) {
    const FiloClearing clearings[] = { { 10, 10, 16, 0 }, { -19, 55, 12, 0 }, { 40.5, 3.25, 0.75f, 0 } };
    Forest *forest = trees_and_bushes(1);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult before = place(placement, NULL, 0, NULL, 0);
    FiloPlacementResult after = place(placement, clearings, FILO_COUNT_OF(clearings), NULL, 0);
    const double rounding = 1e-3;
    for (size_t c = 0; c < FILO_COUNT_OF(clearings); c++)
        for (size_t i = 0; i < after.count; i++)
            assert_true(distance_to(&after, &after.objects[i], clearings[c].x, clearings[c].y) >=
                        (double)clearings[c].radius - rounding);
    // Outside, all trees are left; and all bushes, with those that came up where trees were.
    size_t cleared = 0;
    for (size_t i = 0; i < before.count; i++) {
        bool inside = false;
        for (size_t c = 0; c < FILO_COUNT_OF(clearings); c++)
            inside = inside || distance_to(&before, &before.objects[i], clearings[c].x, clearings[c].y) <=
                                   (double)clearings[c].radius + rounding;
        cleared += inside;
        if (!inside) assert_true(contains(&after, &before.objects[i]));
    }
    assert_true(cleared > 30);
    for (size_t i = 0; i < after.first[TREES]; i++) assert_true(contains(&before, &after.objects[i]));
    size_t grown = 0;
    for (size_t i = after.first[BUSHES]; i < after.count; i++) {
        if (contains(&before, &after.objects[i])) continue;
        grown++;
        bool near = false; // a tree that was there: within both radii and a unit
        for (size_t k = 0; k < before.first[TREES]; k++) {
            FiloPlacementPosition tree = filo_placement_position(&before, &before.objects[k]);
            near = near || distance_to(&after, &after.objects[i], tree.x, tree.y) < 2.02;
        }
        assert_true(near);
    }
    assert_true(grown > 3);
    filo_placement_result_free(&before);
    filo_placement_result_free(&after);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(a_clearing_concerns_the_footprints_that_it_names) {
    Forest *forest = trees_and_bushes(2);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult before = place(placement, NULL, 0, NULL, 0);
    FiloClearing clearing = { 20, 20, 12, 2 }; // bushes
    FiloPlacementResult after = place(placement, &clearing, 1, NULL, 0);
    assert_int_equal(after.first[TREES], before.first[TREES]);
    assert_memory_equal(after.objects, before.objects, after.first[TREES] * sizeof(FiloPlaced));
    for (size_t i = after.first[BUSHES]; i < after.count; i++)
        assert_true(distance_to(&after, &after.objects[i], 20, 20) > 11.99);
    filo_placement_result_free(&after);
    clearing.footprints = 1; // trees: bushes take their ground
    after = place(placement, &clearing, 1, NULL, 0);
    for (size_t i = 0; i < after.first[TREES]; i++)
        assert_true(distance_to(&after, &after.objects[i], 20, 20) > 11.99);
    assert_true(filo_placement_result_count(&after, BUSHES) >
                filo_placement_result_count(&before, BUSHES) + 5);
    filo_placement_result_free(&after);
    clearing.footprints = 0xFFFFFFFC; // footprints that are not there
    after = place(placement, &clearing, 1, NULL, 0);
    placing_assert_same(&before, &after);
    filo_placement_result_free(&before);
    filo_placement_result_free(&after);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(a_clearing_of_everything_leaves_nothing) {
    Forest *forest = trees_and_bushes(3);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloClearing clearing = { 20, 20, 1e6f, 0 };
    FiloPlacementResult result = place(placement, &clearing, 1, NULL, 0);
    assert_int_equal(result.count, 0);
    filo_placement_result_free(&result);
    // Far away it leaves everything.
    clearing = (FiloClearing){ 1e8, -1e8, 100, 0 };
    FiloPlacementResult before = place(placement, NULL, 0, NULL, 0);
    result = place(placement, &clearing, 1, NULL, 0);
    placing_assert_same(&before, &result);
    filo_placement_result_free(&before);
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    free(forest);
}

// ---- Pins ---------------------------------------------------------------------------------------------------

FILO_TEST(a_pin_removes_or_forces_an_object) {
    Forest *forest = trees_and_bushes(4);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult before = place(placement, NULL, 0, NULL, 0);
    for (size_t i = 0; i < before.first[TREES]; i += 17) {
        FiloPlaced tree = before.objects[i];
        FiloPin pin = { filo_placement_id(&before, &tree), -1 };
        FiloPlacementResult without = place(placement, NULL, 0, &pin, 1);
        assert_int_equal(without.first[TREES], before.first[TREES] - 1);
        assert_false(contains(&without, &tree));
        // All other trees are left.
        for (size_t k = 0; k < before.first[TREES]; k++)
            assert_true(k == i || contains(&without, &before.objects[k]));
        filo_placement_result_free(&without);
        pin.layer = 1 - tree.layer; // the other kind
        FiloPlacementResult other = place(placement, NULL, 0, &pin, 1);
        assert_int_equal(other.first[TREES], before.first[TREES]);
        const FiloPlaced *forced = object_of(&other, pin.id);
        assert_non_null(forced);
        assert_int_equal(forced->layer, 1 - tree.layer);
        assert_true(forced->x == tree.x && forced->y == tree.y && forced->z == tree.z);
        filo_placement_result_free(&other);
    }
    filo_placement_result_free(&before);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(the_last_of_several_pins_counts) {
    Forest *forest = trees_and_bushes(5);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult before = place(placement, NULL, 0, NULL, 0);
    FiloPlacementId id = filo_placement_id(&before, &before.objects[3]);
    FiloPin pins[] = { { id, -1 }, { id, 1 }, { id, 0 }, { id, 1 } };
    for (size_t count = 1; count <= FILO_COUNT_OF(pins); count++) {
        FiloPlacementResult after = place(placement, NULL, 0, pins, count);
        const FiloPlaced *object = object_of(&after, id);
        if (count == 1)
            assert_null(object);
        else
            assert_int_equal(object->layer, pins[count - 1].layer);
        filo_placement_result_free(&after);
    }
    filo_placement_result_free(&before);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(pins_beat_clearings_and_claims) {
    Forest *forest = trees_and_bushes(6);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult before = place(placement, NULL, 0, NULL, 0);
    // A bush in every candidate of a cell, though trees are there; and all of it in a clearing.
    FiloPin pins[64];
    for (int i = 0; i < 64; i++)
        pins[i] = (FiloPin){ { .cell_x = 1, .cell_y = 1, .footprint = 1, .point = (uint16_t)i }, BUSHES };
    FiloClearing clearing = { 14, 14, 20, 0 };
    for (int clear = 0; clear < 2; clear++) {
        FiloPlacementResult after = place(placement, &clearing, (size_t)clear, pins, 64);
        size_t missing = 0;
        for (int i = 0; i < 64; i++) {
            assert_non_null(object_of(&after, pins[i].id));
            missing += object_of(&before, pins[i].id) == NULL;
        }
        assert_true(missing > 10);
        // A bush does not push trees.
        if (clear == 0) assert_int_equal(after.first[TREES], before.first[TREES]);
        filo_placement_result_free(&after);
    }
    // A pinned tree pushes bushes as any tree does.
    FiloPin tree = { { 0 }, 0 };
    while (object_of(&before, tree.id) != NULL) tree.id.point++;
    FiloPlacementPosition at = filo_placement_id_position(placement, tree.id);
    FiloPlacementResult after = place(placement, NULL, 0, &tree, 1);
    assert_non_null(object_of(&after, tree.id));
    size_t gone = 0;
    for (size_t i = 0; i < before.count; i++) gone += !contains(&after, &before.objects[i]);
    assert_true(gone > 0);
    for (size_t i = after.first[BUSHES]; i < after.count; i++)
        assert_true(distance_to(&after, &after.objects[i], at.x, at.y) > 2 - 0.02);
    filo_placement_result_free(&before);
    filo_placement_result_free(&after);
    filo_placement_destroy(placement);
    free(forest);
}

FILO_TEST(pins_outside_of_the_area_are_not_seen) {
    Forest *forest = trees_and_bushes(7);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult before = place(placement, NULL, 0, NULL, 0);
    const FiloPin pins[] = { { { 1000, 0, 0, 5 }, 0 },
                             { { INT32_MAX, INT32_MIN, 1, 5 }, -1 },
                             { { INT32_MIN, INT32_MAX, 0, 63 }, 1 } };
    FiloPlacementResult after = place(placement, NULL, 0, pins, FILO_COUNT_OF(pins));
    placing_assert_same(&before, &after);
    filo_placement_result_free(&before);
    filo_placement_result_free(&after);
    filo_placement_destroy(placement);
    free(forest);
}

// ---- Independence -------------------------------------------------------------------------------------------

FILO_TEST(parts_of_an_area_with_edits_are_the_whole) {
    Forest *forest = trees_and_bushes(8);
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloJobs *jobs = NULL;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 4 }));
    FiloRandom random = filo_random_sequence(8);
    static const double corners[] = { -30, 1800, 100000, -3000000 };
    for (size_t corner = 0; corner < FILO_COUNT_OF(corners); corner++) {
        double from = corners[corner];
        FiloPlacementResult there = placing_area(placement, from, from, from + 50, from + 50);
        FiloClearing clearings[12];
        FiloPin pins[60];
        for (size_t i = 0; i < FILO_COUNT_OF(clearings); i++) {
            clearings[i].x = from + (double)filo_random_float_range(&random, -10, 60);
            clearings[i].y = from + (double)filo_random_float_range(&random, -10, 60);
            clearings[i].radius = filo_random_float_range(&random, 0, 9);
            clearings[i].footprints = filo_random_u32(&random) % 4;
        }
        for (size_t i = 0; i < FILO_COUNT_OF(pins); i++) {
            size_t object = filo_random_u32(&random) % there.count;
            pins[i].id = filo_placement_id(&there, &there.objects[object]);
            pins[i].id.point = (uint16_t)(filo_random_u32(&random) % 64);
            pins[i].layer = pins[i].id.footprint == 1 ? BUSHES : filo_random_range(&random, -1, 1);
        }
        FiloPlacementRequest request = {
            .area = there.area, .edits = { clearings, FILO_COUNT_OF(clearings), pins, FILO_COUNT_OF(pins) }
        };
        placing_assert_partition(placement, request, 3, 2);
        placing_assert_partition(placement, request, 1, 5);
        FiloPlacementResult best = placing_request(placement, request);
        request.jobs = jobs;
        for (int path = FILO_PLACEMENT_SCALAR; path <= FILO_PLACEMENT_AVX2; path++) {
            request.path = (FiloPlacementPath)path;
            FiloPlacementResult other = placing_request(placement, request);
            placing_assert_same(&best, &other);
            filo_placement_result_free(&other);
        }
        filo_placement_result_free(&best);
        filo_placement_result_free(&there);
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_placement_destroy(placement);
    free(forest);
}

// ---- Bad edits ----------------------------------------------------------------------------------------------

FILO_TEST(edits_that_cannot_be_are_refused) {
    Forest *forest = trees_and_bushes(9);
    forest->desc.footprints[1].name = "bushes";
    FiloPlacement *placement = placing_create(&forest->desc);
    FiloPlacementResult result = { 0 };
    FiloClearing clearings[] = { { 0, 0, 1, 0 }, { 0, 0, 1, 0 } };
    FiloPlacementRequest request = { .area = { 0, 0, 20, 20 }, .edits = { .clearings = clearings } };
    request.edits.clearing_count = 2;
    assert_ok(filo_placement_compute(placement, &request, &result));
    static const struct {
        FiloClearing clearing;
        const char *message;
    } wrong[] = {
        { { 0, 0, -1, 0 }, "clearing 1: x 0, y 0, radius -1 cannot be" },
        { { 0, 0, 2e6f, 0 }, "clearing 1: x 0, y 0, radius 2e+06 cannot be" },
        { { 0, 0, INFINITY, 0 }, "clearing 1: x 0, y 0, radius inf cannot be" },
        { { 2e8, 0, 1, 0 }, "clearing 1: x 2e+08, y 0, radius 1 cannot be" },
        { { 0, -(double)INFINITY, 1, 0 }, "clearing 1: x 0, y -inf, radius 1 cannot be" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(wrong); i++) {
        clearings[1] = wrong[i].clearing;
        assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA, wrong[i].message);
        assert_int_equal(result.count, 0);
    }
    clearings[1] = (FiloClearing){ (double)NAN, 0, 1, 0 };
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA, "clearing 1: x ");
    clearings[1] = (FiloClearing){ 0, 0, NAN, 0 };
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA, "clearing 1: x ");
    request.edits.clearings = NULL;
    expect_mistake("pass the clearings and pins whose number you give",
                   filo_placement_compute(placement, &request, &result));
    FiloPin pin = { { 0, 0, 2, 0 }, 0 };
    request.edits = (FiloPlacementEdits){ .pins = &pin, .pin_count = 1 };
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA,
                 "pin 0: there is no point 0 of footprint 2");
    pin = (FiloPin){ { 0, 0, 1, 64 }, 0 };
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA,
                 "pin 0: there is no point 64 of footprint 1");
    pin = (FiloPin){ { 0, 0, 1, 0 }, 1 };
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA,
                 "pin 0: footprint \"bushes\" has no layer 1");
    pin.layer = 3;
    assert_error(filo_placement_compute(placement, &request, &result), FILO_ERROR_DATA,
                 "pin 0: footprint \"bushes\" has no layer 3");
    pin.layer = INT32_MIN; // none, too
    assert_ok(filo_placement_compute(placement, &request, &result));
    request.edits.pins = NULL;
    expect_mistake("pass the clearings and pins whose number you give",
                   filo_placement_compute(placement, &request, &result));
    filo_placement_result_free(&result);
    filo_placement_destroy(placement);
    free(forest);
}
