// The components of sprites in a world: registration, reflection, saving, and the same result on any number of threads.

#include <filo/hash.h>
#include <filo/snapshot.h>

#include "gfx2d/test_world.h"
#include "support/malloc_count.h"
#include "support/registration.h"

#define TICKS 200
#define LAST  UINT64_C(0xc26c9a388609b27b) // hash of the world after these, with every compiler

// ---- Registering ----------------------------------------------------------------------------------------

static FiloAssets *registered_assets;

static bool register_gfx2d(FiloWorld *world) { return filo_gfx2d_register(world, registered_assets); }

FILO_TEST(registering_again_changes_nothing) {
    TestWorld test;
    test_world_open(&test, 0);
    registered_assets = &test.assets;
    expect_nothing_registered(test.world, register_gfx2d);
    test_world_close(&test);
}

FILO_TEST(registering_without_a_world_is_a_mistake) {
    only_in_debug_builds();
    expect_fault("pass the world", assert_false(filo_gfx2d_register(NULL, NULL)));
}

FILO_TEST(a_component_that_is_there_with_another_storage_is_a_mistake) {
    only_in_debug_builds();
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, FiloSprite, .storage = FILO_STORAGE_SPARSE);
    expect_fault(
        "component FiloSprite is registered already, with another storage, layout or hooks, or other "
        "required components; leave it to filo_gfx2d_register(world, assets)",
        assert_false(filo_gfx2d_register(world, NULL)));
    filo_world_destroy(world);
}

FILO_TEST(what_systems_compute_is_transient_and_the_rest_is_not) {
    TestWorld test;
    test_world_open(&test, 0);
    static const ExpectedComponent components[] = {
        { "FiloTransform2", false }, { "FiloPreviousTransform2", true }, { "FiloWorldTransform2", true },
        { "FiloSprite", false },     { "FiloAnimation", false },         { "FiloCamera", false }
    };
    expect_components(test.world, components, FILO_COUNT_OF(components));
    test_world_close(&test);
}

FILO_TEST(systems_run_in_the_documented_order) {
    TestWorld test;
    test_world_open(&test, 0);
    static const char *const order[] = { "follow teleports",         "begin world transforms",
                                         "save previous transforms", "animate sprites",
                                         "follow with cameras",      "propagate transforms" };
    tick(&test, 0.1f);
    for (size_t i = 0; i + 1 < FILO_COUNT_OF(order); i++)
        assert_true(filo_system_stats(test.world, filo_system_named(test.world, order[i])).stage <
                    filo_system_stats(test.world, filo_system_named(test.world, order[i + 1])).stage);
    test_world_close(&test);
}

FILO_TEST(registering_without_memory_fails_cleanly) {
    FiloAssets assets = { 0 };
    registered_assets = &assets;
    expect_registration_to_fail_cleanly(register_gfx2d);
}

// ---- Descriptions ---------------------------------------------------------------------------------------

FILO_TEST(a_sprite_and_a_camera_survive_json) {
    FiloSprite sprite = { .image = filo_name("ship.png"),
                          .frame = 3,
                          .layer = 7,
                          .flags = FILO_SPRITE_FLIP_X | FILO_SPRITE_ADD,
                          .order = -2,
                          .shader = 4,
                          .color = { 1, 2, 3, 4 },
                          .pivot = { -0.5f, 0.25f } };
    FiloCamera camera = {
        .zoom = 2, .hidden_layers = { 1, 0, 5 }, .shake = 0.5f, .clear = true, .target = 9
    };
    FiloSprite read_sprite = { 0 };
    FiloCamera read_camera = { 0 };
    const struct {
        const FiloType *type;
        void *value, *read;
        const char *text;
    } cases[] = { { FILO_TYPE(FiloSprite), &sprite, &read_sprite, "flip x" },
                  { FILO_TYPE(FiloCamera), &camera, &read_camera, "zoom" } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloValue value, read;
        assert_ok(filo_reflect_find(&value, cases[i].type, cases[i].value, ""));
        assert_ok(filo_reflect_find(&read, cases[i].type, cases[i].read, ""));
        char text[2048];
        assert_true(filo_reflect_print(value, text, sizeof text) < sizeof text);
        assert_contains(text, cases[i].text);
        assert_false(filo_reflect_equal(cases[i].type, cases[i].value, cases[i].read));
        assert_ok(filo_reflect_parse(read, text));
        assert_true(filo_reflect_equal(cases[i].type, cases[i].value, cases[i].read));
    }
}

// ---- A world with everything ----------------------------------------------------------------------------

static FiloSheetFrame frames[6];
static FiloSheetClip clips[2];

typedef struct Drift {
    FiloVec2 velocity;
    float spin;
    uint32_t steps;
} Drift;
FILO_REFLECT(Drift, FILO_FIELD(FiloVec2, velocity), FILO_FIELD(float, spin), FILO_FIELD(uint32_t, steps))

typedef struct Steps { // counts the events of animations
    uint64_t told, mixed;
} Steps;
FILO_REFLECT(Steps, FILO_FIELD(uint64_t, told), FILO_FIELD(uint64_t, mixed))

static void drift(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    const Drift *drifts = filo_read(it, Drift);
    for (size_t i = 0; i < it->count; i++) {
        FiloTransform2 *t = &transform[i];
        const Drift *d = &drifts[i];
        t->position = filo_vec2_add_scaled(t->position, d->velocity, it->delta);
        t->rotation += d->spin * it->delta;
    }
}

// Animations play different clips, and families are dissolved and formed again.
static void meddle(FiloIter *it) {
    FiloAnimation *animations = filo_write(it, FiloAnimation);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        if (filo_random_chance(&random, 0.05f))
            filo_animation_play(&animations[i], clips[filo_random_below(&random, 2)].name);
        if (filo_random_chance(&random, 0.01f)) {
            FiloEntity self = filo_iter_entity(it, i);
            filo_changes_set_parent(it->changes, self, FILO_ENTITY_NONE);
        }
    }
}

static void count_steps(FiloIter *it, const FiloEvent *event) {
    const FiloAnimationEvent *told = event->payload;
    Steps *steps = filo_edit_global(it->world, Steps);
    steps->told++;
    steps->mixed = steps->mixed * 31 + told->frame + filo_entity_index(told->entity);
}

static void add_sheets(TestWorld *test) {
    for (int i = 0; i < 6; i++)
        frames[i] = (FiloSheetFrame){ .seconds = 0.02f * (float)(i + 1),
                                      .event = i % 2 == 0 ? filo_name("step") : (FiloName){ 0 } };
    clips[0] = (FiloSheetClip){ filo_name("walk"), 0, 5, FILO_CLIP_LOOP, 0, 0 };
    clips[1] = (FiloSheetClip){ filo_name("die"), 5, 2, FILO_CLIP_ONCE, 24, 0 };
    add_sheet(&test->assets, "walker.json",
              (FiloSheet){ .frames = frames, .frame_count = 6, .clips = clips, .clip_count = 2 });
}

static void populate(TestWorld *test, int count) {
    FiloWorld *world = test->world;
    FiloRandom random = filo_random_sequence(3);
    FiloEntity last = FILO_ENTITY_NONE, first = FILO_ENTITY_NONE;
    for (int i = 0; i < count; i++) {
        float x = filo_random_float_range(&random, -100, 100),
              y = filo_random_float_range(&random, -100, 100);
        FiloEntity entity = filo_create(world, FILO_SET(FiloTransform2, .position = { x, y }),
                                        FILO_SET(FiloSprite, .image = filo_name("walker.json")));
        if (i == 0) first = entity;
        if (i % 3 != 0) assert_true(filo_entity_set_parent(world, entity, last));
        if (i % 4 != 0) filo_set(world, entity, Drift, .velocity = { y, -x }, .spin = x * 0.01f);
        if (i % 2 == 0)
            filo_set(world, entity, FiloAnimation, .clip = clips[i % 4 / 2].name, .speed = x * 0.05f);
        last = entity;
    }
    for (int i = 0; i < 3; i++)
        filo_create(world, FILO_ADD(FiloTransform2),
                    FILO_SET(FiloCamera, .follow = first, .follow_speed = (float)i, .shake = 1,
                             .bounds = { { -50, -50 }, { 50, 50 } }));
}

static void open_everything(TestWorld *test, int threads, int count) {
    test_world_open(test, threads);
    add_sheets(test);
    FiloWorld *world = test->world;
    filo_component(world, Drift);
    filo_component(world, Steps, .storage = FILO_STORAGE_GLOBAL);
    assert_true(filo_system_add(world, &(FiloSystemDesc){ .name = "drift",
                                                          .run = drift,
                                                          .parallel = true,
                                                          .query.terms = { FILO_WRITE(FiloTransform2),
                                                                           FILO_READ(Drift) } })
                    .id != 0);
    assert_true(filo_system_add(world, &(FiloSystemDesc){ .name = "meddle",
                                                          .run = meddle,
                                                          .parallel = true,
                                                          .query.terms = { FILO_WRITE(FiloAnimation) } })
                    .id != 0);
    filo_world_handle(world, &(FiloWorldHandlerDesc){ .name = "count steps",
                                                      .event = filo_name(FILO_EVENT_ANIMATION),
                                                      .type = FILO_TYPE(FiloAnimationEvent),
                                                      .run = count_steps,
                                                      .extra_access = { FILO_WRITE(Steps) } });
    populate(test, count);
}

// Hash of the transient components, which are not in the hash of the world.
static uint64_t hash_of_what_is_drawn(const TestWorld *test) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < filo_entity_index_end(test->world); i++) {
        FiloEntity entity = filo_entity_at(test->world, i);
        const FiloWorldTransform2 *in_world = filo_get(test->world, entity, FiloWorldTransform2);
        const FiloPreviousTransform2 *previous = filo_get(test->world, entity, FiloPreviousTransform2);
        if (in_world != NULL) hash = filo_reflect_hash(FILO_TYPE(FiloWorldTransform2), in_world, hash);
        if (previous != NULL) hash = filo_reflect_hash(FILO_TYPE(FiloPreviousTransform2), previous, hash);
    }
    return hash;
}

FILO_TEST(two_hundred_ticks_give_the_same_on_any_number_of_threads) {
    static const int threads[] = { 1, 2, 4, 8 };
    static uint64_t hashes[TICKS], drawn_hashes[TICKS];
    for (size_t t = 0; t < FILO_COUNT_OF(threads); t++) {
        TestWorld test;
        open_everything(&test, threads[t], 1500);
        for (int i = 0; i < TICKS; i++) {
            tick(&test, 1.0f / 60);
            uint64_t hash = filo_world_hash(test.world);
            uint64_t drawn = i % 20 == 19 ? hash_of_what_is_drawn(&test) : 0;
            if (t == 0) hashes[i] = hash, drawn_hashes[i] = drawn;
            if (hashes[i] != hash || drawn_hashes[i] != drawn)
                fail_msg("tick %d on %d threads comes to something else", i, threads[t]);
        }
        assert_true(filo_get_global(test.world, Steps)->told > 1000);
        assert_int_equal(hashes[TICKS - 1], LAST);
        test_world_close(&test);
    }
}

FILO_TEST(a_restored_world_continues_as_before) {
    TestWorld test;
    open_everything(&test, 2, 300);
    for (int i = 0; i < 30; i++) tick(&test, 1.0f / 60);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, test.world));
    for (int i = 0; i < 30; i++) tick(&test, 1.0f / 60);
    uint64_t hash = filo_world_hash(test.world), drawn = hash_of_what_is_drawn(&test);
    assert_ok(filo_snapshot_restore(snapshot, test.world));
    for (int i = 0; i < 30; i++) tick(&test, 1.0f / 60);
    assert_int_equal(filo_world_hash(test.world), hash);
    assert_int_equal(hash_of_what_is_drawn(&test), drawn);
    filo_snapshot_destroy(snapshot);
    test_world_close(&test);
}

FILO_TEST(a_world_loaded_from_a_file_computes_world_transforms_again) {
    TestWorld test;
    open_everything(&test, 2, 300);
    for (int i = 0; i < 30; i++) tick(&test, 1.0f / 60);
    const char *path = filo_test_path("plane.save");
    assert_ok(filo_world_save(test.world, path, NULL));
    tick(&test, 1.0f / 60);
    uint64_t hash = filo_world_hash(test.world);
    assert_ok(filo_world_load(test.world, path, NULL));
    tick(&test, 1.0f / 60);
    assert_int_equal(filo_world_hash(test.world), hash);
    FiloQuery *placed = filo_query(test.world, FILO_READ(FiloWorldTransform2));
    assert_true(filo_query_count(placed) > 100);
    FiloIter it = filo_query_iter(placed);
    while (filo_iter_next(&it)) {
        const FiloWorldTransform2 *column = filo_read(&it, FiloWorldTransform2);
        for (size_t i = 0; i < it.count; i++) assert_true(column[i].valid);
    }
    filo_query_release(placed);
    test_world_close(&test);
}

FILO_TEST(a_steady_tick_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    TestWorld test;
    open_everything(&test, 2, 600);
    filo_system_set_enabled(test.world, filo_system_named(test.world, "meddle"), false);
    // How many parts run in parallel is a matter of chance, and each allocates some memory the first time.
    bool steady = false;
    for (int round = 0; round < 20 && !steady; round++) {
        uint64_t calls = filo_test_malloc_calls(), system_calls = filo_memory_system_calls();
        for (int i = 0; i < 60; i++) tick(&test, 1.0f / 60);
        steady = filo_test_malloc_calls() == calls && filo_memory_system_calls() == system_calls;
    }
    assert_true(steady);
    test_world_close(&test);
}

FILO_TEST(a_world_that_runs_out_of_memory_continues) {
    FiloFaultHandler old = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    FiloWorld *world;
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .memory_budget = FILO_MIB(1) }));
    FiloAssets assets = { 0 };
    assert_true(filo_gfx2d_register(world, &assets));
    FiloEntity root = filo_create(world, FILO_ADD(FiloTransform2), FILO_ADD(FiloSprite));
    size_t count = 0;
    for (; count < 100000; count++) { // until there is no more
        FiloEntity entity = filo_create(world, FILO_ADD(FiloTransform2), FILO_ADD(FiloSprite));
        if (entity.id == 0 || !filo_entity_set_parent(world, entity, root)) break;
    }
    assert_true(count > 100 && count < 100000);
    for (int i = 0; i < 5; i++) assert_ok(filo_world_tick(world, 0.1f));
    filo_entity_destroy(world, root);
    for (int i = 0; i < 2; i++) assert_ok(filo_world_tick(world, 0.1f));
    filo_world_destroy(world);
    filo_fault_set_handler(old);
}
