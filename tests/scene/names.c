// Files with many names.

#include "scene/scenes.h"

// Each prefab has two named instances of the one before.
static void add_doubling(FiloBuilder *text, int levels) {
    filo_builder_add_text(text, "{\"filo\": \"scene\", \"version\": 1, \"prefabs\": {\"p0\": {\"children\": "
                                "[{\"name\": \"leaf\"}]}");
    for (int i = 1; i <= levels; i++)
        filo_builder_printf(text,
                            ",\n\"p%d\": {\"children\": [{\"name\": \"l\", \"prefab\": \"p%d\"}, "
                            "{\"name\": \"r\", \"prefab\": \"p%d\"}]}",
                            i, i - 1, i - 1);
    filo_builder_add_text(text, "}}");
}

FILO_TEST(a_small_file_with_a_million_names_is_rejected_and_releases_them) {
    FiloBuilder text = { 0 };
    add_doubling(&text, 18);
    assert_true(text.length < 4096);
    FiloWorld *world = new_world();
    uint32_t before = filo_name_in_use();
    FiloScene *scene;
    FiloResult result = filo_scene_load_text(&scene, world, filo_builder_string(&text), NULL);
    assert_error(result, FILO_ERROR_LIMIT, "there are too many names");
    assert_null(scene);
    assert_int_equal(filo_name_in_use(), before);
    assert_int_equal(filo_world_stats(world).entities, 0);
    FiloEntity entity = filo_entity_create(world);
    assert_true(filo_entity_set_name(world, entity, "a normal name"));
    assert_int_not_equal(filo_name("a name of the program").id, 0);
    filo_builder_clear(&text);
    add_doubling(&text, 3);
    assert_ok(filo_scene_load_text(&scene, world, filo_builder_string(&text), NULL));
    assert_true(filo_world_find(world, "p3/l/r/l/leaf").id != 0);
    filo_scene_unload(scene);
    filo_builder_deinit(&text);
    filo_world_destroy(world);
}

FILO_TEST(a_rejected_file_releases_its_names) {
    static const char *const contents[] = {
        // Rejected after entities were named and values read: the second "same" is inside a prefab.
        SCENE("\"prefabs\": {\"tank\": {\"children\": [{\"name\": \"same\", \"components\": {\"Soul\": "
              "{\"kind\": "
              "\"refused kind\"}}}, {\"name\": \"same\"}]}}"),
        // Rejected before.
        SCENE("\"entities\": [{\"name\": \"refused\"}, {\"name\": \"refused\"}]"),
        SCENE("\"entities\": [{\"name\": \"refused\", \"components\": {\"Soul\": {\"kind\": \"refused "
              "kind\"}}}, "
              "{\"prefab\": \"nowhere\"}]"),
    };
    for (size_t i = 0; i < FILO_COUNT_OF(contents); i++) {
        FiloWorld *world = new_world();
        uint32_t before = filo_name_in_use();
        FiloScene *scene;
        FiloResult result = filo_scene_load_text(&scene, world, filo_string(contents[i]), NULL);
        assert_int_not_equal(result.code, FILO_OK);
        assert_int_equal(filo_name_in_use(), before);
        filo_world_destroy(world);
    }
    assert_int_equal(filo_name_find(FILO_STRING("refused kind")).id, 0);
}

FILO_TEST(names_of_entities_are_released_with_the_scene_and_names_in_values_are_not) {
    FiloWorld *world = new_world();
    uint32_t before = filo_name_in_use();
    FiloScene *scene =
        load(world, SCENE("\"entities\": [{\"name\": \"hero of a scene\", \"components\": {\"Soul\": "
                          "{\"kind\": \"kind of a scene\"}}}]"));
    assert_int_equal(filo_name_in_use(), before + 2);
    assert_string_equal(
        filo_name_text(filo_get(world, filo_world_find(world, "hero of a scene"), Soul)->kind),
        "kind of a scene");
    filo_scene_unload(scene);
    assert_int_equal(filo_name_in_use(), before + 1);
    assert_int_not_equal(filo_name_find(FILO_STRING("kind of a scene")).id, 0);
    filo_world_destroy(world);
}

FILO_TEST(too_many_names_in_values_are_rejected_and_released) {
    enum { COUNT = 2000 };
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, "{\"filo\": \"scene\", \"version\": 1, \"entities\": [");
    for (int i = 0; i < COUNT; i++)
        filo_builder_printf(&text, "%s{\"components\": {\"Soul\": {\"kind\": \"species %d\"}}}",
                            i > 0 ? ",\n" : "", i);
    filo_builder_add_text(&text, "]}");
    FiloWorld *world = new_world();
    static FiloName others[FILO_NAME_LIMIT];
    uint32_t count = 0;
    while (filo_name_in_use() < FILO_NAME_LIMIT - FILO_NAME_RESERVE - COUNT / 2) {
        char name[32];
        snprintf(name, sizeof name, "resident %u", count);
        assert_ok(filo_name_retain(&others[count++], filo_string(name)));
    }
    uint32_t before = filo_name_in_use();
    FiloScene *scene;
    assert_error(filo_scene_load_text(&scene, world, filo_builder_string(&text), NULL), FILO_ERROR_LIMIT,
                 "Soul: there are too many names");
    assert_int_equal(filo_name_in_use(), before);
    // The default value of a component that the file defines.
    filo_builder_clear(&text);
    filo_builder_add_text(&text,
                          "{\"filo\": \"scene\", \"version\": 1, \"components\": {\"Names\": {\"fields\": "
                          "{\"all\": \"FiloName[2000]\"}, \"default\": {\"all\": [");
    for (int i = 0; i < COUNT; i++) filo_builder_printf(&text, "%s\"first %d\"", i > 0 ? "," : "", i);
    filo_builder_add_text(&text, "]}}}}");
    assert_error(filo_scene_load_text(&scene, world, filo_builder_string(&text), NULL), FILO_ERROR_LIMIT,
                 "Names: there are too many names");
    assert_int_equal(filo_name_in_use(), before);
    while (count > 0) filo_name_release(others[--count]);
    assert_ok(filo_scene_load_text(&scene, world, filo_builder_string(&text), NULL));
    filo_scene_unload(scene);
    filo_builder_deinit(&text);
    filo_world_destroy(world);
}
