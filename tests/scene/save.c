// Saving: a fixed order and layout, without default values.

#include "scene/scenes.h"

#include <filo/files.h>

#define HEAD "{\n    \"filo\": \"scene\",\n    \"version\": 1"

FILO_TEST(an_empty_scene_is_saved) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    assert_ok(filo_scene_create(&scene, world, NULL));
    expect_saved(scene, HEAD "\n}\n");
    destroy_with_scene(world, scene);
    expect_round_trip(HEAD "\n}\n");
}

static const char yard[] = HEAD ",\n"
                                "    \"globals\": {\n"
                                "        \"Tempest\": {\"rain\": 0.75, \"cloud\": \"cat\"}\n"
                                "    },\n"
                                "    \"entities\": [\n"
                                "        {\n"
                                "            \"name\": \"door\",\n"
                                "            \"components\": {\n"
                                "                \"Frozen\": {},\n"
                                "                \"Health\": {\"points\": 30},\n"
                                "                \"Position\": {\"x\": 4}\n"
                                "            }\n"
                                "        },\n"
                                "        {\n"
                                "            \"id\": 7,\n"
                                "            \"active\": false\n"
                                "        },\n"
                                "        {\n"
                                "            \"name\": \"cat\",\n"
                                "            \"components\": {\n"
                                "                \"Follow\": {\n"
                                "                    \"target\": \"#7\",\n"
                                "                    \"others\": [\"door\", null, \"flea\"]\n"
                                "                },\n"
                                "                \"Soul\": {\n"
                                "                    \"mood\": \"angry\",\n"
                                "                    \"chosen\": \"angry\",\n"
                                "                    \"powers\": [\"swim\"],\n"
                                "                    \"motto\": \"\\\"hé\\n\",\n"
                                "                    \"lucky\": [0, 0, 9],\n"
                                "                    \"mounts\": [\n"
                                "                        {\n"
                                "                            \"on\": \"flea\",\n"
                                "                            \"at\": {\"x\": 0.1, \"y\": -3e-07}\n"
                                "                        },\n"
                                "                        {\n"
                                "                            \"on\": null,\n"
                                "                            \"at\": {\"x\": 0, \"y\": 0}\n"
                                "                        }\n"
                                "                    ],\n"
                                "                    \"age\": 0.1,\n"
                                "                    \"seed\": 18446744073709551615\n"
                                "                }\n"
                                "            },\n"
                                "            \"children\": [\n"
                                "                {\n"
                                "                    \"name\": \"flea\"\n"
                                "                }\n"
                                "            ]\n"
                                "        }\n"
                                "    ]\n"
                                "}\n";

FILO_TEST(loading_and_saving_gives_the_same_bytes) { expect_round_trip(yard); }

// The number of lines that differ; −1 if the texts have different numbers of lines.
static int different_lines(const char *a, const char *b) {
    int count = 0;
    while (*a != '\0' && *b != '\0') {
        size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
        count += n != m || memcmp(a, b, n) != 0;
        a += n + 1;
        b += m + 1;
    }
    return *a == '\0' && *b == '\0' ? count : -1;
}

FILO_TEST(a_small_change_changes_one_line) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(world, yard);
    filo_edit(world, filo_scene_find(scene, "door"), Position)->y = 2;
    char *text = saved(scene);
    assert_int_equal(different_lines(yard, text), 1);
    assert_contains(text, "\"Position\": {\"x\": 4, \"y\": 2}\n");
    free(text);
    filo_edit(world, filo_scene_find(scene, "door"), Position)->y = 0;
    filo_edit(world, filo_scene_find(scene, "cat"), Follow)->others[1] = filo_scene_find(scene, "door");
    text = saved(scene);
    assert_int_equal(different_lines(yard, text), 1);
    assert_contains(text, "\"others\": [\"door\", \"door\", \"flea\"]\n");
    free(text);
    destroy_with_scene(world, scene);
}

FILO_TEST(default_values_and_transient_fields_are_not_saved) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    assert_ok(filo_scene_create(&scene, world, NULL));
    FiloEntity entity =
        filo_create(world, FILO_SET(Position, 0, 0), FILO_SET(Health, 100, 50), FILO_SET(Trail, 3));
    filo_set(world, entity, Soul, .cache = 7);
    filo_scene_add(scene, entity);
    expect_saved(scene, HEAD ",\n    \"entities\": [\n        {\n            \"components\": {\n"
                             "                \"Health\": {\"most\": 50},\n"
                             "                \"Position\": {},\n"
                             "                \"Soul\": {}\n"
                             "            }\n        }\n    ]\n}\n");
    destroy_with_scene(world, scene);
}

FILO_TEST(a_whole_world_is_saved_in_the_order_of_indices) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world), c = filo_entity_create(world);
    filo_entity_set_name(world, a, "a");
    filo_entity_set_name(world, b, "b");
    filo_entity_set_name(world, c, "c");
    filo_entity_set_parent(world, a, b);
    assert_ok(filo_scene_create(&scene, world, NULL));
    assert_true(filo_scene_add_world(scene));
    assert_true(filo_scene_add_world(scene)); // changes nothing
    static const char text[] = HEAD ",\n    \"globals\": {\n        \"Tempest\": {}\n    },\n"
                                    "    \"entities\": [\n"
                                    "        {\n            \"name\": \"b\",\n            \"children\": [\n"
                                    "                {\n                    \"name\": \"a\"\n                "
                                    "}\n            ]\n        },\n"
                                    "        {\n            \"name\": \"c\"\n        }\n    ]\n}\n";
    expect_saved(scene, text);
    destroy_with_whole_scene(world, scene);
    expect_round_trip(text);
}

FILO_TEST(added_moved_and_removed_entities_are_saved) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(world, SCENE("\"entities\": [{\"name\": \"a\"}, {\"name\": \"b\", \"children\": "
                                         "[{\"name\": \"c\"}]}, {\"name\": \"d\"}]"));
    FiloEntity a = filo_scene_find(scene, "a"), b = filo_scene_find(scene, "b"),
               d = filo_scene_find(scene, "d");
    filo_entity_destroy(world, a); // gone
    filo_entity_set_parent(world, filo_scene_find(scene, "c"),
                           FILO_ENTITY_NONE); // becomes a member without a parent
    FiloEntity child = filo_entity_create(world);
    filo_entity_set_name(world, child, "e");
    filo_entity_set_parent(world, child, b); // belongs to b
    FiloEntity root = filo_entity_create(world);
    filo_entity_set_name(world, root, "f");
    assert_false(filo_scene_has(scene, root));
    assert_true(filo_scene_add(scene, root));
    assert_true(filo_scene_remove(scene, d)); // is not destroyed
    assert_false(filo_scene_remove(scene, d));
    assert_false(filo_scene_remove(scene, child));
    expect_saved(scene, HEAD ",\n    \"entities\": [\n"
                             "        {\n            \"name\": \"b\",\n            \"children\": [\n"
                             "                {\n                    \"name\": \"e\"\n                }\n    "
                             "        ]\n        },\n"
                             "        {\n            \"name\": \"c\"\n        },\n"
                             "        {\n            \"name\": \"f\"\n        }\n    ]\n}\n");
    filo_scene_unload(scene);
    assert_int_equal(filo_world_stats(world).entities, 1);
    assert_true(filo_entity_exists(world, d));
    filo_world_destroy(world);
}

FILO_TEST(an_entity_without_a_name_that_is_referred_to_gets_a_permanent_id) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(
        world, SCENE("\"entities\": [{}, {\"name\": \"a\", \"components\": {\"Follow\": {}}}, {\"id\": 4}]"));
    FiloEntity listed[3], a = filo_scene_find(scene, "a");
    filo_scene_entities(scene, listed, 3);
    filo_edit(world, a, Follow)->target = listed[0];
    FiloEntity child = filo_entity_create(world);
    filo_entity_set_parent(world, child, listed[2]);
    filo_edit(world, a, Follow)->others[0] = child;
    static const char text[] = HEAD
        ",\n    \"entities\": [\n        {\n            \"id\": 5\n        },\n"
        "        {\n            \"name\": \"a\",\n            \"components\": {\n"
        "                \"Follow\": {\n                    \"target\": \"#5\",\n"
        "                    \"others\": [\"#6\", null, null]\n                }\n            }\n        },\n"
        "        {\n            \"id\": 4,\n            \"children\": [\n"
        "                {\n                    \"id\": 6\n                }\n            ]\n        }\n    "
        "]\n}\n";
    expect_saved(scene, text);
    expect_saved(scene, text);
    assert_true(filo_entity_equal(filo_scene_find(scene, "#6"), child));
    assert_true(filo_entity_equal(filo_scene_find(scene, "#4"), listed[2]));
    assert_int_equal(filo_scene_find(scene, "#9").id, 0);
    destroy_with_scene(world, scene);
    expect_round_trip(text);
}

FILO_TEST(references_that_cannot_be_saved_are_reported) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    Problems problems = { .count = 0 };
    assert_ok(try_load(
        &scene, world,
        SCENE("\"entities\": [{\"name\": \"a\", \"components\": {\"Follow\": {}}}, {\"name\": \"x\"}]"),
        &problems));
    Follow *follow = filo_edit(world, filo_scene_find(scene, "a"), Follow);
    FiloEntity outside = filo_entity_create(world), named = filo_entity_create(world),
               gone = filo_entity_create(world);
    filo_entity_destroy(world, gone);
    filo_entity_set_name(world, named, "lamp");
    *follow = (Follow){ .target = outside, .others = { named, gone } };
    char *text = saved(scene);
    assert_null(strstr(text, "target"));
    assert_contains(text, "\"others\": [\"lamp\", null, null]\n");
    assert_string_equal(problems.text,
                        "a: Follow.target: refers to an entity outside of the scene that has no name\n"
                        "a: Follow.others[1]: refers to an entity that does not exist any more\n");
    assert_int_equal(problems.last.kind, FILO_SCENE_NOT_SAVED);
    assert_int_equal(problems.last.line, 0);
    // A reference to a named entity outside of the scene is saved.
    FiloScene *again;
    filo_scene_unload(scene);
    assert_ok(filo_scene_load_text(&again, world, filo_string(text), NULL));
    assert_true(filo_entity_equal(filo_get(world, filo_scene_find(again, "a"), Follow)->others[0], named));
    filo_scene_unload(again);
    free(text);
    filo_world_destroy(world);
}

FILO_TEST(names_with_special_characters_are_saved_and_referred_to_by_id) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(world, SCENE("\"entities\": [{\"name\": \"a/b\", \"components\": {\"Follow\": "
                                         "{\"target\": \"#1\"}}}, {\"name\": \"#1\", \"id\": 1}]"));
    FiloEntity slash = filo_scene_find(scene, "a/b"), hash = filo_world_find(world, "#1");
    assert_true(slash.id != 0 && filo_entity_equal(filo_get(world, slash, Follow)->target, hash));
    filo_edit(world, slash, Follow)->others[0] = slash;
    char *text = saved(scene);
    assert_contains(text, "\"name\": \"a/b\",\n            \"id\": 2,\n");
    assert_contains(text, "\"target\": \"#1\",\n");
    assert_contains(text, "\"others\": [\"#2\", null, null]\n");
    destroy_with_scene(world, scene);
    expect_round_trip(text);
    free(text);
}

FILO_TEST(names_that_a_file_cannot_have_are_reported) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    Problems problems = { .count = 0 };
    assert_ok(
        try_load(&scene, world, SCENE("\"entities\": [{\"name\": \"a\"}, {\"name\": \"b\"}]"), &problems));
    char name[300];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    filo_entity_set_name(world, filo_scene_find(scene, "a"), name);
    filo_entity_set_name(world, filo_scene_find(scene, "b"), "\xFF");
    char *text = saved(scene);
    assert_null(strstr(text, "name"));
    assert_int_equal(problems.count, 2);
    assert_contains(problems.text,
                    ": a file cannot have this name, or another entity of the scene has it: saved without\n");
    free(text);
    destroy_with_scene(world, scene);
}

FILO_TEST(a_name_that_equals_another_without_the_prefix_is_not_saved) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    Problems problems = { .count = 0 };
    FiloSceneDesc desc = { .prefix = "one/", .problem = log_problem, .user = &problems };
    assert_ok(
        filo_scene_load_text(&scene, world, FILO_STRING(SCENE("\"entities\": [{\"name\": \"a\"}]")), &desc));
    FiloEntity other = filo_entity_create(world);
    filo_entity_set_name(world, other, "a");
    filo_scene_add(scene, other);
    char *text = saved(scene);
    assert_int_equal(filo_test_count(text, "\"name\": \"a\""), 1);
    assert_int_equal(problems.count, 1);
    free(text);
    destroy_with_scene(world, scene);
}

static const char unknown[] =
    HEAD ",\n"
         "    \"globals\": {\n"
         "        \"Moon\": {\"phase\": 1e+30},\n"
         "        \"Tempest\": {}\n"
         "    },\n"
         "    \"prefabs\": {\n"
         "        \"p\": {\n"
         "            \"components\": {\n"
         "                \"Wings\": {}\n"
         "            }\n"
         "        }\n"
         "    },\n"
         "    \"entities\": [\n"
         "        {\n"
         "            \"prefab\": \"p\",\n"
         "            \"without\": [\"Wings\"],\n"
         "            \"components\": {\n"
         "                \"Arms\": {\"a\": 1.50, \"b\": null, \"c\": \"\\u00e9\", \"d\": true},\n"
         "                \"Frozen\": {},\n"
         "                \"Legs\": {\n"
         "                    \"a\": 1,\n"
         "                    \"b\": 2,\n"
         "                    \"c\": 3,\n"
         "                    \"d\": 4,\n"
         "                    \"e\": [1, \"2\", []]\n"
         "                },\n"
         "                \"Tail\": [1, 2, 3, 4, 5, 6]\n"
         "            }\n"
         "        }\n"
         "    ]\n"
         "}\n";

FILO_TEST(unknown_components_are_saved_again) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    Problems problems = { .count = 0 };
    // A list that contains a list is not on one line.
    char text[sizeof unknown + 200];
    const char *list = strstr(unknown, "[1, \"2\", []]");
    snprintf(text, sizeof text,
             "%.*s[\n                        1,\n                        \"2\",\n                        "
             "[]\n                    ]%s",
             (int)(list - unknown), unknown, list + strlen("[1, \"2\", []]"));
    assert_ok(try_load(&scene, world, unknown, &problems));
    assert_int_equal(problems.count, 6);
    expect_saved(scene, text);
    filo_scene_unload(scene);
    assert_ok(try_load(&scene, world, text, &problems));
    expect_saved(scene, text);
    destroy_with_scene(world, scene);
}

FILO_TEST(unknown_components_have_the_layout_of_registered_ones) {
    FiloWorld *bare;
    assert_ok(filo_world_create(&bare, NULL));
    FiloScene *scene;
    Problems problems = { .count = 0 };
    assert_ok(try_load(&scene, bare, yard, &problems));
    assert_int_equal(problems.count, 6);
    expect_saved(scene, yard);
    destroy_with_scene(bare, scene);
}

FILO_TEST(an_unknown_component_that_is_registered_later_is_not_written_twice) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    FiloScene *scene;
    Problems problems = { .count = 0 };
    assert_ok(try_load(&scene, world,
                       SCENE("\"entities\": [{\"name\": \"a\", \"components\": {\"Position\": {\"x\": 1}}}]"),
                       &problems));
    register_components(world);
    filo_set(world, filo_scene_find(scene, "a"), Position, .x = 2);
    char *text = saved(scene);
    assert_int_equal(filo_test_count(text, "Position"), 1);
    assert_contains(text, "\"Position\": {\"x\": 2}");
    free(text);
    destroy_with_scene(world, scene);
}

FILO_TEST(families_that_are_too_deep_are_not_saved) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    FiloEntity root = filo_entity_create(world), at = root;
    for (int i = 0; i < FILO_SCENE_DEPTH; i++) {
        FiloEntity child = filo_entity_create(world);
        filo_set(world, child, Soul, .lucky = { 1 });
        filo_entity_set_parent(world, child, at);
        at = child;
    }
    assert_ok(filo_scene_create(&scene, world, NULL));
    filo_scene_add(scene, root);
    char *text = saved(scene);
    expect_round_trip(text);
    free(text);
    filo_entity_set_parent(world, filo_entity_create(world), at);
    FiloBuilder builder = { 0 };
    filo_builder_add_text(&builder, "before");
    assert_error(filo_scene_write(scene, &builder), FILO_ERROR_LIMIT,
                 "children inside children, more than 100 deep");
    assert_string_equal(filo_builder_text(&builder), "before");
    filo_builder_deinit(&builder);
    destroy_with_scene(world, scene);
}

FILO_TEST(a_scene_is_saved_to_a_file_and_a_bad_path_is_an_error) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(world, yard);
    const char *path = filo_test_path("saved.json");
    assert_ok(filo_scene_save(scene, path));
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    assert_string_equal(data.text, yard);
    filo_file_free(&data);
    assert_error(filo_scene_save(scene, filo_test_path("none/saved.json")), FILO_ERROR_NOT_FOUND,
                 "none/saved.json");
    destroy_with_scene(world, scene);
}

FILO_TEST(the_locale_has_no_effect) {
    filo_test_use_decimal_comma();
    expect_round_trip(yard);
}
