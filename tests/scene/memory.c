// Running out of memory: every allocation fails in turn. A scene is loaded or saved completely or not at all, without
// leaks.

#include "scene/scenes.h"
#include "support/failing_allocator.h"

static const char text[] = SCENE(
    "\"components\": {\"Loot\": {\"storage\": \"sparse\", \"fields\": {\"gold\": {\"type\": "
    "\"int32_t\", \"unit\": \"g\"}}, \"default\": {\"gold\": 5}, \"required\": [\"Health\", \"Marked\"]}, "
    "\"Shiny\": {\"required\": [\"Loot\", \"Position\"]}}, "
    "\"globals\": {\"Tempest\": {\"rain\": 1, \"cloud\": \"b\"}, \"Moon\": {}}, "
    "\"prefabs\": {\"heavy\": {\"prefab\": \"tank\", \"without\": [\"Frozen\", \"Wings\"], "
    "\"overrides\": {\"gun\": {\"components\": {\"Position\": {}}}}}, "
    "\"tank\": {\"components\": {\"Frozen\": {}, \"Follow\": {\"target\": \"gun\"}}, \"children\": "
    "[{\"name\": \"gun\"}, {}]}}, "
    "\"entities\": [{\"name\": \"a\", \"prefab\": \"heavy\", \"components\": {\"Loot\": {\"gold\": "
    "1}}, \"overrides\": {\"gun\": {\"name\": \"g\", \"active\": false, "
    "\"components\": {\"Wings\": {\"span\": [1, {\"x\": 2}]}, \"Health\": {}}, \"children\": "
    "[{\"name\": \"fl\\u0065a\"}]}, \"#1\": null}}, "
    "{\"name\": \"b\", \"id\": 3, \"without\": [\"Health\"], \"components\": {\"Soul\": {\"mounts\": "
    "[{\"on\": \"a/gun\"}, "
    "{\"on\": \"#3\"}]}, \"Shiny\": {}}}, {\"prefab\": \"tank\"}, "
    "{\"prefab\": \"tank\"}]");

typedef struct Fixture {
    FailingAllocator failing;
    FiloWorld *world;
    Problems problems;
    FiloSceneDesc desc;
} Fixture;

static void open_fixture(Fixture *fixture) {
    *fixture = (Fixture){ .problems = { .count = 0 } };
    failing_init(&fixture->failing, SIZE_MAX);
    assert_ok(
        filo_world_create(&fixture->world, &(FiloWorldDesc){ .allocator = &fixture->failing.allocator }));
    register_components(fixture->world);
    fixture->desc = (FiloSceneDesc){ .source = "a.json",
                                     .prefix = "one/",
                                     .problem = log_problem,
                                     .user = &fixture->problems,
                                     .allocator = &fixture->failing.allocator };
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
}

static void close_fixture(Fixture *fixture) {
    filo_world_destroy(fixture->world);
    assert_int_equal(fixture->failing.blocks, 0);
    filo_fault_set_handler((FiloFaultHandler){ 0 });
}

static void fail_at(Fixture *fixture, size_t call) {
    fixture->failing.calls = 0;
    fixture->failing.fail_at = call;
}

FILO_TEST(a_scene_is_loaded_completely_or_not_at_all) {
    static Fixture fixture;
    bool more = true;
    for (size_t i = 0; more; i++) {
        open_fixture(&fixture);
        filo_edit_global(fixture.world, Tempest)->rain = 9;
        fail_at(&fixture, i);
        FiloScene *scene;
        FiloResult result = filo_scene_load_text(&scene, fixture.world, filo_string(text), &fixture.desc);
        more = fixture.failing.calls > i;
        fail_at(&fixture, SIZE_MAX);
        if (result.code != FILO_OK) {
            assert_true(more);
            assert_int_equal(result.code, FILO_ERROR_MEMORY);
            assert_null(scene);
            assert_int_equal(filo_world_stats(fixture.world).entities, 0);
            assert_true(filo_get_global(fixture.world, Tempest)->rain == 9.0f);
            assert_ok(filo_scene_load_text(&scene, fixture.world, filo_string(text),
                                           &fixture.desc)); // succeeds with memory
        }
        assert_int_equal(filo_world_stats(fixture.world).entities, 16);
        filo_scene_unload(scene);
        assert_int_equal(filo_world_stats(fixture.world).entities, 0);
        close_fixture(&fixture);
        assert_true(i < 5000);
    }
}

FILO_TEST(a_scene_is_saved_completely_or_not_at_all) {
    static Fixture fixture;
    open_fixture(&fixture);
    FiloScene *scene;
    assert_ok(filo_scene_load_text(&scene, fixture.world, filo_string(text), &fixture.desc));
    FiloEntity listed[8];
    filo_scene_entities(scene, listed, 8);
    filo_set(fixture.world, listed[2], Follow, .target = listed[4]); // the target gets an id
    FiloBuilder builder;
    filo_builder_init(&builder, &fixture.failing.allocator);
    bool more = true;
    for (size_t i = 0; more; i++) {
        fail_at(&fixture, i);
        FiloResult result = filo_scene_write(scene, &builder);
        more = fixture.failing.calls > i;
        assert_true(more || result.code == FILO_OK);
        if (result.code != FILO_OK) {
            assert_int_equal(result.code, FILO_ERROR_MEMORY);
            assert_int_equal(builder.length, 0);
        }
        filo_builder_deinit(&builder);
        assert_true(i < 5000);
    }
    fail_at(&fixture, SIZE_MAX);
    char *first = saved(scene);
    filo_scene_unload(scene);
    assert_ok(filo_scene_load_text(&scene, fixture.world, filo_string(first), &fixture.desc));
    expect_saved(scene, first);
    free(first);
    filo_scene_unload(scene);
    close_fixture(&fixture);
}

FILO_TEST(adding_to_a_scene_fails_cleanly) {
    static Fixture fixture;
    bool more = true;
    for (size_t i = 0; more; i++) {
        open_fixture(&fixture);
        FiloEntity prefab = filo_create(fixture.world, FILO_SET(Health, 1, 2)),
                   child = filo_create(fixture.world, FILO_ADD(Soul));
        filo_entity_set_parent(fixture.world, child, prefab);
        filo_prefab_make(fixture.world, prefab);
        fail_at(&fixture, i);
        FiloScene *scene;
        FiloResult result = filo_scene_create(&scene, fixture.world, &fixture.desc);
        if (result.code == FILO_OK) {
            FiloEntity instance = filo_scene_instance(scene, prefab, FILO_ENTITY_NONE);
            size_t entities = filo_world_stats(fixture.world).entities;
            assert_int_equal(entities, instance.id != 0 ? 4 : 2);
            assert_int_equal(filo_scene_entities(scene, NULL, 0), instance.id != 0 ? 1 : 0);
            bool added = filo_scene_add_world(scene);
            more = fixture.failing.calls > i;
            assert_true(more || (added && instance.id != 0));
            filo_scene_release(scene);
        }
        fail_at(&fixture, SIZE_MAX);
        close_fixture(&fixture);
    }
}

FILO_TEST(reading_a_file_without_memory_is_an_error) {
    static Fixture fixture;
    open_fixture(&fixture);
    const char *path = filo_test_path("small.json");
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    fail_at(&fixture, 0);
    FiloScene *scene;
    assert_error(filo_scene_load(&scene, fixture.world, path, &fixture.desc), FILO_ERROR_MEMORY,
                 "small.json");
    assert_null(scene);
    close_fixture(&fixture);
}
