// Creating and destroying, settings that mean nothing, misuse, running out of memory, and steady ticks.

#include "placement_world/scenario.h"
#include "support/failing_allocator.h"
#include "support/malloc_count.h"
#include "support/warnings.h"

static void refuse(Fixture *fixture, FiloCode code, const char *text) {
    FiloPlacementWorldDesc desc = fixture_desc(fixture);
    FiloPlacementWorld *forest = fixture->forest;
    assert_error(filo_placement_world_create(&forest, fixture->world, &desc), code, text);
    assert_null(forest);
}

FILO_TEST(settings_that_mean_nothing_are_refused) {
    Fixture *fixture = fixture_open(0);
    refuse(fixture, FILO_ERROR_EXISTS, "the world has a FiloPlacementWorld already");
    filo_placement_world_destroy(fixture->forest);
    fixture->forest = NULL;
    FiloPlacementWorldDesc good = fixture->desc;
    FiloPlacementTiers *trees = &fixture->desc.footprints[0];
    trees->distance = -1;
    refuse(fixture, FILO_ERROR_DATA, "footprint 0: distance -1, promote 30 and demote 0 must be from 0 to");
    trees->distance = filo_float_from_bits(0x7FC00000u);
    refuse(fixture, FILO_ERROR_DATA, "distance nan");
    trees->distance = 120;
    trees->demote = 20;
    refuse(fixture, FILO_ERROR_DATA, "objects are entities up to 30 metres, so demote must not be 20");
    trees->demote = 0;
    trees->tile = 3;
    refuse(fixture, FILO_ERROR_DATA, "a tile has 3 cells a side; it must be a power of two up to 64");
    trees->tile = 2;
    trees->square = 4;
    refuse(fixture, FILO_ERROR_DATA, "a square has 4 cells a side, which is more than the 2 of a tile");
    trees->square = trees->tile = 1;
    trees->distance = 100000;
    refuse(fixture, FILO_ERROR_LIMIT, "at most 128: make a tile larger");
    trees->square = trees->tile = 0;
    trees->distance = 1e6f;
    refuse(fixture, FILO_ERROR_LIMIT, "at most 128: make the distance smaller, at most 235776 metres");
    fixture->desc = good;
    fixture->desc.origin_x = (double)filo_float_from_bits(0x7F800000u);
    refuse(fixture, FILO_ERROR_DATA, "the origin inf, 0 is not a number");
    fixture->desc = good;
    fixture->entities[0].layer = "elm";
    refuse(fixture, FILO_ERROR_NOT_FOUND, "the placement has no layer \"elm\"");
    fixture->entities[0].layer = "tree";
    fixture->maps[1].name = "snow";
    refuse(fixture, FILO_ERROR_NOT_FOUND, "the placement has no map \"snow\"");
    fixture->maps[1].map.data = NULL;
    refuse(fixture, FILO_ERROR_DATA, "the map \"snow\" has no values");
    fixture->maps[1] = fixture->maps[0];
    refuse(fixture, FILO_ERROR_DATA, "the map \"tree\" is listed twice");
    fixture->maps[1] = (FiloNamedMap){ "bush", fixture_map(fixture->bushes) };
    fixture->maps[1].map.width /= 2;
    refuse(fixture, FILO_ERROR_DATA,
           "the map \"bush\" has 32 × 64 texels, and that of the placement 64 × 64");
    fixture->maps[1].map.full_width = FIXTURE_SIDE;
    refuse(fixture, FILO_ERROR_DATA, "the map \"bush\" is not in memory as a whole: give `windows`");
    ticks(fixture, 3); // the world goes on without
    fixture_close(fixture);
}

FILO_TEST(settings_that_could_have_no_effect_are_refused) {
    Fixture *fixture = fixture_open(0);
    filo_placement_world_destroy(fixture->forest);
    fixture->forest = NULL;
    const FiloPlacementWorldDesc good = fixture->desc;
    fixture->desc.entities_count = 0;
    refuse(fixture, FILO_ERROR_DATA, "there are `entities`, but entities_count is 0");
    fixture->desc = good, fixture->desc.map_count = 0;
    refuse(fixture, FILO_ERROR_DATA, "there are `maps`, but map_count is 0");
    fixture->desc = good, fixture->desc.footprints[1].promote = 10;
    refuse(fixture, FILO_ERROR_DATA,
           "footprint 1: `promote` is 10, and no layer of this footprint is in `entities`");
    fixture->desc = good, fixture->desc.footprints[2].distance = 10;
    refuse(fixture, FILO_ERROR_DATA, "there are tiers of footprint 2, and the placement has 2");
    fixture->desc = good, fixture->desc.entities_count = 2;
    refuse(fixture, FILO_ERROR_DATA, "entities 1 (layer \"\") need a prefab or a function `make`");
    fixture->entities[1] = fixture->entities[0];
    refuse(fixture, FILO_ERROR_DATA, "layer \"tree\" has two kinds of entities");
    fixture->entities[0].layer = fixture->entities[1].layer = NULL;
    refuse(fixture, FILO_ERROR_DATA, "two kinds of entities are for all other layers");
    fixture_close(fixture);
}

FILO_TEST(misuse_is_reported_and_harmless) {
    Fixture *fixture = fixture_open(0);
    FiloPlacementWorld *forest = fixture->forest;
    FiloPlacementTile tile;
    expect_mistake("pass a pointer for the object, a world, and a description with a placement",
                   filo_placement_world_create(NULL, fixture->world, NULL));
    expect_mistake("pass a pointer for the object",
                   filo_placement_world_create(&forest, fixture->world, &(FiloPlacementWorldDesc){ 0 }));
    assert_null(forest);
    FiloPlacementWorldDesc desc = fixture_desc(fixture);
    desc.maps = NULL;
    expect_mistake("pass the entities and maps whose number you give",
                   filo_placement_world_create(&forest, fixture->world, &desc));
    expect_fault("pass the object that filo_placement_world_create made", filo_placement_world_update(NULL));
    expect_fault("pass the object that filo_placement_world_create made",
                 assert_false(filo_placement_world_wait(NULL)));
    expect_fault("pass a FiloPlacementWorld, and a tile to fill",
                 assert_false(filo_placement_world_tile(NULL, 0, &tile)));
    filo_placement_world_wait(fixture->forest);
    assert_true(filo_placement_world_tile(fixture->forest, 0, &tile));
    expect_fault("the number of one of its objects", filo_placement_world_id(&tile, tile.result->count));
    assert_int_equal(filo_placement_world_stats(NULL).tiles, 0);
    filo_placement_world_destroy(NULL);
    fixture_close(fixture);
}

FILO_TEST(the_world_may_be_destroyed_first) {
    Fixture *fixture = scenario_open(4);
    scenario_run(fixture, 9);
    assert_true(stats(fixture).under_way > 0);
    filo_world_destroy(fixture->world);
    fixture->world = NULL;
    expect_fault("the world of this FiloPlacementWorld was destroyed",
                 filo_placement_world_update(fixture->forest));
    assert_int_equal(stats(fixture).entities, 0);
    fixture_close(fixture);
}

// A release build goes on after the report.
FILO_TEST(a_placement_that_is_destroyed_first_lives_as_long_as_its_placement_world) {
    Fixture *fixture = scenario_open(2);
    scenario_run(fixture, 9);
    expect_fault("1 objects use it; destroy them first", filo_placement_destroy(fixture->placement));
    fixture->placement = NULL;
    scenario_run(fixture, 9);
    assert_true(stats(fixture).squares > 0);
    fixture_close(fixture);
}

FILO_TEST(an_object_is_found_by_its_world) {
    Fixture *fixture = fixture_open(0);
    assert_ptr_equal(filo_placement_world_of(fixture->world), fixture->forest);
    filo_placement_world_destroy(fixture->forest);
    fixture->forest = NULL;
    assert_null(filo_placement_world_of(fixture->world));
    fixture_close(fixture);
}

// ---- Windows --------------------------------------------------------------------------------------------------------

typedef struct Windows {
    const Fixture *fixture;
    FiloMapWindow windows[2];
    uint32_t calls, released;
    bool fails;
} Windows;

static FiloResult give_windows(FiloPlacementWindows *windows, const FiloPlacementArea *area, void *user) {
    Windows *w = user;
    w->calls++;
    if (w->fails) return filo_error(FILO_ERROR_IO, "the disk is on fire");
    assert_true(area->x0 < area->x1);
    *windows = (FiloPlacementWindows){ .windows = w->windows, .count = 2, .held = w };
    return filo_ok();
}

static void release_windows(FiloPlacementWindows *windows, void *user) {
    assert_ptr_equal(windows->held, user);
    ((Windows *)user)->released++;
}

// A placement without values, whose maps come as windows; painted, too.
FILO_TEST(windows_take_the_place_of_maps) {
    Fixture *expected = fixture_open(0), *fixture = fixture_new();
    Windows windows = { .fixture = fixture };
    static uint8_t trees[FIXTURE_SIDE * FIXTURE_SIDE], bushes[FIXTURE_SIDE * FIXTURE_SIDE];
    memcpy(trees, fixture->trees, sizeof trees);
    memcpy(bushes, fixture->bushes, sizeof bushes);
    memset(fixture->trees, 0, sizeof trees);
    memset(fixture->bushes, 0, sizeof bushes);
    fixture->desc.windows = give_windows;
    fixture->desc.release_windows = release_windows;
    fixture->desc.windows_user = &windows;
    fixture_start(fixture, 0);
    windows.windows[0] =
        (FiloMapWindow){ filo_placement_map_find(fixture->placement, "tree"), fixture_map(trees) };
    windows.windows[1] =
        (FiloMapWindow){ filo_placement_map_find(fixture->placement, "bush"), fixture_map(bushes) };
    fixture->viewer = fixture_viewer(fixture, 256, 256);
    for (int painted = 0; painted < 2; painted++) {
        filo_placement_world_wait(fixture->forest);
        filo_placement_world_wait(expected->forest);
        ticks(fixture, 6);
        ticks(expected, 6);
        assert_true(stats(fixture).objects > 500);
        assert_int_equal(stats(fixture).objects, stats(expected).objects);
        assert_int_equal(stats(fixture).entities, stats(expected).entities);
        assert_true(filo_world_hash(fixture->world) == filo_world_hash(expected->world));
        const FiloPlacementEdit stroke = { .kind = FILO_PLACEMENT_SUBTRACT,
                                           .map = filo_name("tree"),
                                           .x = 250,
                                           .y = 260,
                                           .radius = 25,
                                           .strength = 0.5f };
        filo_create(fixture->world, FILO_SET_COPY(FiloPlacementEdit, &stroke));
        filo_create(expected->world, FILO_SET_COPY(FiloPlacementEdit, &stroke));
    }
    assert_true(windows.calls > 20);
    assert_int_equal(windows.calls, windows.released);
    windows.fails = true;
    move(fixture, 900, 256);
    // Ends; what is missing is tried again when viewers move.
    expect_warning("objects around 863", filo_placement_world_wait(fixture->forest));
    assert_true(stats(fixture).tiles_missing > 0);
    ticks(fixture, 6);
    windows.fails = false;
    ticks(fixture, 2); // squares are tried again in the next tick
    assert_int_not_equal(tree_at(fixture, 900, 256).id, 0);
    fixture_close(fixture);
    fixture_close(expected);
}

static FiloResult update_again(FiloPlacementWindows *windows, const FiloPlacementArea *area, void *user) {
    const Fixture *fixture = user;
    FILO_UNUSED(area);
    *windows = (FiloPlacementWindows){ 0 };
    expect_fault("the FiloPlacementWorld is being updated already",
                 filo_placement_world_update(fixture->forest));
    return filo_ok();
}

FILO_TEST(an_update_during_another_is_reported_and_harmless) {
    Fixture *fixture = fixture_new();
    fixture->desc.windows = update_again;
    fixture->desc.windows_user = fixture;
    fixture_start(fixture, 0);
    fixture->viewer = fixture_viewer(fixture, 256, 256);
    filo_placement_world_wait(fixture->forest);
    ticks(fixture, 6); // the end of a tick counts, too
    assert_true(stats(fixture).objects > 500 && stats(fixture).entities > 50);
    fixture_close(fixture);
}

// The placement of a streamed world: one texel of each map is in memory.
static FiloPlacement *streamed_placement(const Fixture *fixture) {
    FiloPlacementDesc desc = fixture_placement(fixture);
    for (int i = 0; i < 2; i++) {
        FiloTerrainMap *map = &desc.footprints[i].layers[0].density.map;
        map->full_width = map->width, map->full_height = map->height;
        map->width = map->height = 1;
    }
    FiloPlacement *placement;
    assert_ok(filo_placement_create(&placement, &desc));
    return placement;
}

FILO_TEST(maps_that_are_not_in_memory_are_never_smeared_over_the_world) {
    Fixture *fixture = fixture_open(0);
    filo_placement_world_destroy(fixture->forest);
    filo_placement_destroy(fixture->placement);
    fixture->forest = NULL;
    fixture->placement = streamed_placement(fixture);
    refuse(fixture, FILO_ERROR_DATA,
           "the map \"tree\" of the placement is not in memory as a whole: give `windows`");
    Windows windows = { .fixture = fixture };
    fixture->desc.windows = give_windows;
    fixture->desc.release_windows = release_windows;
    fixture->desc.windows_user = &windows;
    const int tree = filo_placement_map_find(fixture->placement, "tree"),
              bush = filo_placement_map_find(fixture->placement, "bush");
    FiloTerrainMap small = fixture_map(fixture->trees);
    small.full_width = small.full_height = FIXTURE_SIDE, small.width = 10;
    FiloTerrainMap other = fixture_map(fixture->trees);
    other.full_width = 99, other.full_height = FIXTURE_SIDE;
    const struct {
        FiloMapWindow window;
        const char *text;
    } cases[] = {
        { { bush, fixture_map(fixture->bushes) }, "gave no window of map \"tree\", which is not in memory" },
        { { tree, small }, "of map \"tree\", and `windows` gave 0, 0 to 9, 63" },
        { { tree, other }, "gave a window of 99 × 64 texels of map \"tree\", which has 64 × 64" },
        { { tree, { 0 } }, "gave an empty window of map \"tree\"" },
        { { 77, small }, "gave a window of map 77, which the placement does not have" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        windows.windows[0] = cases[i].window;
        windows.windows[1] = (FiloMapWindow){ bush, fixture_map(fixture->bushes) };
        FiloPlacementWorldDesc desc = fixture_desc(fixture);
        assert_ok(filo_placement_world_create(&fixture->forest, fixture->world, &desc));
        filo_create(fixture->world,
                    FILO_SET(FiloPlacementEdit, .kind = FILO_PLACEMENT_SET, .map = filo_name("tree"),
                             .x = 256, .y = 256, .radius = 9, .strength = 1));
        expect_warning(cases[i].text, filo_placement_world_wait(fixture->forest));
        ticks(fixture, 6);
        assert_int_equal(stats(fixture).objects, 0);
        assert_int_equal(stats(fixture).entities, 0);
        filo_placement_world_destroy(fixture->forest);
        fixture->forest = NULL;
    }
    fixture_close(fixture);
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

FILO_TEST(running_out_of_memory_leaks_nothing_and_crashes_nowhere) {
    FiloFaultHandler previous = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    size_t runs = 0;
    for (size_t at = 0; more; at += 1 + at / 24, runs++) {
        FailingAllocator failing = FAILING_AT(failing, at);
        Fixture *fixture = fixture_new();
        fixture->desc.allocator = &failing.allocator;
        assert_ok(filo_world_create(&fixture->world, NULL));
        FiloPlacementDesc placement = fixture_placement(fixture);
        assert_ok(filo_placement_create(&fixture->placement, &placement));
        FiloPlacementWorldDesc desc = fixture_desc(fixture);
        FiloResult r = filo_placement_world_create(&fixture->forest, fixture->world, &desc);
        if (r.code == FILO_OK) {
            filo_component(fixture->world, Health);
            filo_component(fixture->world, Walk);
            fixture->viewer = fixture_viewer(fixture, 256, 256);
            for (int i = 0; i < 12; i++) {
                if (i == 6) {
                    const FiloEntity tree = tree_at(fixture, 256, 256);
                    if (tree.id != 0) filo_entity_destroy(fixture->world, tree);
                    filo_create(fixture->world, FILO_SET(FiloPlacementEdit, .kind = FILO_PLACEMENT_SET,
                                                         .map = filo_name("tree"), .x = 256, .y = 256,
                                                         .radius = 9, .strength = 1));
                    move(fixture, 290, 256);
                }
                tick(fixture);
                filo_placement_world_update(fixture->forest);
            }
            const char *list =
                "{ \"edits\": [ { \"kind\": \"clear\", \"x\": 0, \"y\": 0, \"radius\": 5 } ] }";
            r = filo_placement_edits_read(fixture->forest, list, strlen(list), NULL);
            assert_true(r.code == FILO_OK || r.code == FILO_ERROR_MEMORY);
            // Memory is back: everything is there after the viewer has moved.
            failing.fail_at = SIZE_MAX;
            move(fixture, 256, 256);
            ticks(fixture, 8);
            move(fixture, 256.5f, 256);
            ticks(fixture, 8);
            assert_true(stats(fixture).entities > 50);
            filo_placement_world_wait(fixture->forest);
            assert_int_equal(stats(fixture).tiles_missing, 0);
        } else {
            assert_int_equal(r.code, FILO_ERROR_MEMORY);
        }
        more = failing.calls > at;
        filo_placement_world_destroy(fixture->forest);
        assert_int_equal(failing.blocks, 0);
        filo_world_destroy(fixture->world);
        filo_placement_destroy(fixture->placement);
        free(fixture);
    }
    assert_true(runs > 40);
    filo_fault_set_handler(previous);
}

FILO_TEST(a_steady_tick_with_still_viewers_does_not_allocate) {
    if (!FILO_TEST_COUNTS_MALLOC) skip_because("a sanitizer replaces malloc");
    for (int threads = 0; threads <= 2; threads++) {
        Fixture *fixture = fixture_open(threads);
        visit(fixture, 256, 256);
        filo_entity_destroy(fixture->world, tree_at(fixture, 256, 256));
        filo_placement_world_wait(fixture->forest);
        ticks(fixture, 12);
        filo_placement_world_wait(fixture->forest);
        // On several threads it is a matter of chance when a pool of the scheduler grows for the last time.
        bool steady = false;
        for (int round = 0; round < (threads > 1 ? 20 : 1) && !steady; round++) {
            uint64_t before = filo_test_malloc_calls();
            for (int i = 0; i < 50; i++) {
                tick(fixture);
                filo_placement_world_update(fixture->forest);
            }
            steady = filo_test_malloc_calls() == before;
        }
        assert_true(steady);
        fixture_close(fixture);
    }
}

// ---- The module -----------------------------------------------------------------------------------------------------

static FiloWorld *world_of_module;
static FiloResult load_world(FiloModules *modules, void *user) {
    FILO_UNUSED(user);
    FILO_SET_OBJECT(modules, FiloWorld, world_of_module);
    return filo_ok();
}

static FiloResult prepare(FiloPlacementWorldDesc *desc, FiloModules *modules, void *user) {
    assert_non_null(FILO_OBJECT(modules, FiloWorld));
    *desc = fixture_desc(user);
    return filo_ok();
}

static int finished;
static void finish(FiloModules *modules, void *user) {
    const Fixture *fixture = user;
    assert_non_null(modules);
    assert_null(filo_placement_world_of(fixture->world)); // what it used can be closed
    finished++;
}

// A module that provides the world of the fixture, and the one that needs it.
static FiloModules *register_module(FiloPlacementWorldModule *module, const Fixture *fixture) {
    world_of_module = fixture->world;
    FiloModules *modules;
    assert_ok(filo_modules_create(&modules, NULL));
    const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(FiloWorld) };
    assert_ok(filo_modules_register(
        modules,
        &(FiloModuleDesc){ .name = "world", .load = load_world, .provides = provides, .provide_count = 1 }));
    const FiloModuleDesc desc = filo_placement_world_module(module);
    assert_ok(filo_modules_register(modules, &desc));
    return modules;
}

FILO_TEST(a_module_whose_object_cannot_be_made_finishes_what_it_prepared) {
    Fixture *fixture = fixture_open(0);
    filo_placement_world_destroy(fixture->forest);
    fixture->forest = NULL;
    fixture->entities[0].layer = "elm";
    FiloPlacementWorldModule module = { .prepare = prepare, .finish = finish, .user = fixture };
    FiloModules *modules = register_module(&module, fixture);
    finished = 0;
    assert_error(filo_modules_load_all(modules), FILO_ERROR_NOT_FOUND, "no layer \"elm\"");
    filo_modules_destroy(modules);
    assert_int_equal(finished, 1);
    fixture_close(fixture);
}

FILO_TEST(the_module_makes_the_object_and_updates_it_in_each_frame) {
    Fixture *fixture = fixture_open(0);
    filo_placement_world_destroy(fixture->forest);
    FiloPlacementWorldModule module = { .prepare = prepare, .finish = finish, .user = fixture };
    FiloModules *modules = register_module(&module, fixture);
    assert_ok(filo_modules_load_all(modules));
    fixture->forest = FILO_OBJECT(modules, FiloPlacementWorld);
    assert_ptr_equal(fixture->forest, filo_placement_world_of(fixture->world));
    assert_ok(filo_modules_call(modules, FILO_FRAME_BEFORE_TICKS));
    assert_int_equal(stats(fixture).tiles, 1);
    assert_ok(filo_modules_call(modules, FILO_FRAME_WAIT));
    assert_true(filo_modules_frame(modules)->waited);
    assert_int_equal(stats(fixture).tiles_missing, 0);
    double tiles;
    assert_true(filo_modules_stat(modules, "placement_tiles", &tiles));
    assert_true(tiles == (double)stats(fixture).tiles);
    FiloLine lines[8];
    FiloLines page = { .items = lines, .capacity = 8 };
    filo_modules_debug(modules, &page);
    assert_int_equal(page.count, 4);
    assert_contains(lines[1].text, "tiles");
    finished = 0;
    filo_modules_destroy(modules);
    assert_int_equal(finished, 1);
    fixture->forest = NULL;
    fixture_close(fixture);
}
