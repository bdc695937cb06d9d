// Loading: entities are created as in the file, and problems are reported with their location.

#include "scene/scenes.h"

FILO_TEST(entities_have_the_components_of_the_file) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(
        world, SCENE("\"entities\": ["
                     "{\"name\": \"door\", \"components\": {\"Position\": {\"x\": 4}, \"Frozen\": {}, "
                     "\"Marked\": {}}},"
                     "{\"name\": \"cat\", \"active\": false, \"components\": {\"Health\": {\"points\": 7}},"
                     " \"children\": [{\"name\": \"flea\"}, {\"name\": \"tick\"}]}]"));
    FiloEntity door = filo_scene_find(scene, "door"), cat = filo_scene_find(scene, "cat");
    assert_true(filo_entity_equal(door, filo_world_find(world, "door")));
    const Position *position = filo_get(world, door, Position);
    assert_true(position->x == 4.0f && position->y == 0.0f);
    assert_true(filo_has(world, door, Frozen) && filo_has(world, door, Marked) &&
                !filo_has(world, door, Health));
    const Health *health = filo_get(world, cat, Health);
    assert_int_equal(health->points, 7);
    assert_int_equal(health->most, 100); // the default value of the component
    assert_true(filo_entity_active(world, door) && !filo_entity_active(world, cat));
    FiloEntity flea = filo_scene_find(scene, "flea");
    assert_true(filo_entity_equal(filo_entity_parent(world, flea), cat));
    assert_true(filo_entity_equal(filo_entity_next_sibling(world, flea), filo_scene_find(scene, "tick")));
    assert_int_equal(filo_world_stats(world).entities, 4);
    FiloEntity listed[8];
    assert_int_equal(filo_scene_entities(scene, listed, 8), 2);
    assert_true(filo_entity_equal(listed[0], door) && filo_entity_equal(listed[1], cat));
    destroy_with_whole_scene(world, scene);
}

FILO_TEST(every_kind_of_field_is_read) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(world, SCENE("\"entities\": [{\"name\": \"a\", \"components\": {\"Soul\": "
                                         "{\"mood\": \"angry\", \"chosen\": \"angry\", \"powers\": [\"fly\", "
                                         "\"swim\"], \"motto\": \"h\\u00e9\", \"kind\": \"cat\", \"lucky\": "
                                         "[1, 2, 3], \"mounts\": [{\"on\": \"b\"}, {\"on\": \"a\", "
                                         "\"at\": {\"y\": 2}}], \"age\": 0.1, \"seed\": "
                                         "18446744073709551615, \"brave\": true}}}, {\"name\": \"b\"}]"));
    FiloEntity a = filo_scene_find(scene, "a"), b = filo_scene_find(scene, "b");
    const Soul *soul = filo_get(world, a, Soul);
    assert_true(soul->mood == TEMPER_ANGRY && soul->chosen == TEMPER_ANGRY &&
                soul->powers == (POWER_FLY | POWER_SWIM));
    assert_string_equal(soul->motto, "h\xC3\xA9");
    assert_string_equal(filo_name_text(soul->kind), "cat");
    assert_true(soul->lucky[0] == 1 && soul->lucky[2] == 3);
    assert_true(filo_entity_equal(soul->mounts[0].on, b) && filo_entity_equal(soul->mounts[1].on, a));
    assert_true(soul->mounts[1].at.y == 2.0f && soul->age == 0.1 && soul->seed == UINT64_MAX && soul->brave);
    destroy_with_scene(world, scene);
}

FILO_TEST(globals_are_set_and_other_fields_have_their_default_value) {
    FiloWorld *world = new_world();
    filo_edit_global(world, Tempest)->rain = 9;
    FiloScene *scene = load(
        world, SCENE("\"globals\": {\"Tempest\": {\"cloud\": \"c\"}}, \"entities\": [{\"name\": \"c\"}]"));
    assert_true(filo_get_global(world, Tempest)->rain == 0.5f);
    assert_true(filo_entity_equal(filo_get_global(world, Tempest)->cloud, filo_scene_find(scene, "c")));
    destroy_with_scene(world, scene);
}

FILO_TEST(a_prefix_lets_a_scene_be_loaded_twice) {
    FiloWorld *world = new_world();
    const char *text = SCENE("\"prefabs\": {\"p\": {\"children\": [{\"name\": \"q\"}]}}, \"entities\": "
                             "[{\"name\": \"a\", \"components\": "
                             "{\"Follow\": {\"target\": \"i/q\"}}}, {\"name\": \"i\", \"prefab\": \"p\"}]");
    FiloScene *scenes[2];
    const char *prefixes[2] = { "one/", "two/" };
    for (int i = 0; i < 2; i++) {
        FiloSceneDesc desc = { .prefix = prefixes[i] };
        assert_ok(filo_scene_load_text(&scenes[i], world, filo_string(text), &desc));
    }
    FiloEntity a = filo_scene_find(scenes[1], "a");
    assert_true(a.id != 0 && filo_entity_equal(a, filo_world_find(world, "two/a")));
    FiloEntity target = filo_get(world, a, Follow)->target;
    assert_true(filo_entity_equal(filo_entity_parent(world, target), filo_world_find(world, "two/i")));
    char *first = saved(scenes[0]), *second = saved(scenes[1]);
    assert_string_equal(first, second);
    assert_null(strstr(first, "one/"));
    free(first);
    free(second);
    filo_scene_unload(scenes[0]);
    assert_true(filo_entity_exists(world, a));
    filo_scene_unload(scenes[1]);
    assert_int_equal(filo_world_stats(world).entities, 0);
    filo_world_destroy(world);
}

FILO_TEST(a_scene_can_be_loaded_under_a_parent) {
    FiloWorld *world = new_world();
    FiloEntity parent = filo_entity_create(world);
    FiloScene *scene;
    const char *text = SCENE(
        "\"prefabs\": {\"p\": {}}, \"entities\": [{\"name\": \"a\"}, {\"name\": \"i\", \"prefab\": \"p\"}]");
    FiloSceneDesc desc = { .parent = parent };
    assert_ok(filo_scene_load_text(&scene, world, filo_string(text), &desc));
    assert_int_equal(filo_entity_child_count(world, parent), 2);
    assert_true(filo_entity_equal(filo_entity_first_child(world, parent), filo_scene_find(scene, "a")));
    assert_false(filo_scene_has(scene, parent));
    FiloEntity listed[4];
    assert_int_equal(filo_scene_entities(scene, listed, 4), 3);
    filo_scene_unload(scene);
    assert_int_equal(filo_world_stats(world).entities, 1);
    filo_world_destroy(world);
}

FILO_TEST(a_released_scene_leaves_its_entities) {
    FiloWorld *world = new_world();
    filo_scene_release(load(world, SCENE("\"entities\": [{}, {}]")));
    assert_int_equal(filo_world_stats(world).entities, 2);
    filo_scene_release(NULL);
    filo_scene_unload(NULL);
    filo_world_destroy(world);
}

FILO_TEST(unloading_destroys_entities_with_new_parents_and_new_children) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(
        world,
        SCENE("\"entities\": [{\"name\": \"a\", \"children\": [{\"name\": \"b\"}]}, {\"name\": \"c\"}]"));
    filo_entity_set_parent(world, filo_scene_find(scene, "b"), FILO_ENTITY_NONE);
    FiloEntity child = filo_entity_create(world);
    filo_entity_set_parent(world, child, filo_scene_find(scene, "a"));
    filo_entity_destroy(world, filo_scene_find(scene, "c"));
    assert_true(filo_scene_has(scene, child));
    destroy_with_whole_scene(world, scene);
}

FILO_TEST(a_file_is_read_and_named_in_messages) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    const char *path = filo_test_path("yard.json");
    static const char text[] = SCENE("\"entities\": [{\"name\": \"a\"}]");
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    assert_ok(filo_scene_load(&scene, world, path, NULL));
    assert_true(filo_scene_find(scene, "a").id != 0);
    FiloScene *second;
    char message[FILO_MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s:1:55: the name \"a\" is used already, by an entity of the world",
             path);
    FiloResult result = filo_scene_load(&second, world, path, NULL);
    assert_string_equal(result.message, message);
    assert_null(second);
    assert_error(filo_scene_load(&second, world, filo_test_path("none.json"), NULL), FILO_ERROR_NOT_FOUND,
                 "none.json");
    destroy_with_scene(world, scene);
}

FILO_TEST(problems_have_location_entity_field_and_reason) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    Problems problems = { .count = 0 };
    assert_ok(try_load(
        &scene, world,
        SCENE("\n\"entities\": [\n {\"name\": \"door\", \"components\": {\"Position\": {\"x\": \"4\"}}}]"),
        &problems));
    assert_string_equal(problems.text, "a.json:3:52: door: Position.x: expected a number, found a string\n");
    assert_int_equal(problems.last.kind, FILO_SCENE_VALUE);
    assert_int_equal(problems.last.value, FILO_PROBLEM_WRONG_KIND);
    assert_int_equal(problems.last.line, 3);
    assert_int_equal(problems.last.column, 52);
    destroy_with_scene(world, scene);
}

FILO_TEST(values_of_the_wrong_kind_are_reported) {
    expect_problems(
        SCENE("\"entities\": [{\"components\": {\"Health\": {\"points\": 2000, \"colour\": 1}}}]"),
        "a.json:1:83: Health.points: 2000 is outside 0 … 1000\n"
        "a.json:1:89: Health: Health has no field \"colour\"\n");
    expect_problems(SCENE("\"entities\": [{\"components\": {\"Position\": 5}}]"),
                    "a.json:1:74: Position: expected an object, found a number\n");
    expect_problems(SCENE("\"entities\": [{\"components\": {\"Frozen\": {\"x\": 1}, \"Marked\": true}}]"),
                    "a.json:1:73: Frozen: Frozen has no field \"x\"\n"
                    "a.json:1:92: Marked: expected an object, found true or false\n");
}

FILO_TEST(invalid_references_are_reported) {
    expect_problems(
        SCENE("\"entities\": [{\"name\": \"a\", \"components\": {\"Follow\": {\"target\": \"nobody\"}}}]"),
        "a.json:1:96: a: Follow.target: there is no entity \"nobody\"\n");
    expect_problems(
        SCENE("\"entities\": [{\"components\": {\"Follow\": {\"target\": 5, \"others\": [null, true, \"#9\", "
              "\"x\"]}}}]"),
        "a.json:1:83: Follow.target: expected the name of an entity, or null, found a number\n"
        "a.json:1:103: Follow.others[1]: expected the name of an entity, or null, found true or false\n"
        "a.json:1:96: Follow.others: 4 elements, there is room for 3\n"
        "a.json:1:109: Follow.others[2]: there is no entity \"#9\"\n");
    expect_problems(SCENE("\"entities\": [{\"components\": {\"Follow\": {\"speed\": null, \"others\": {}, "
                          "\"leader\": null, \"target\": null, \"far\": 1}}}]"),
                    "a.json:1:82: Follow.speed: expected a number, found null\n"
                    "a.json:1:98: Follow.others: expected a list, found an object\n"
                    "a.json:1:118: Follow.target: given more than once, the last one holds\n"
                    "a.json:1:134: Follow: Follow has no field \"far\"\n");
    expect_problems(
        SCENE("\"entities\": [{\"components\": {\"Soul\": {\"mounts\": [3, {\"at\": 1, \"no\": 2}]}}}]"),
        "a.json:1:82: Soul.mounts[0]: expected an object, found a number\n"
        "a.json:1:92: Soul.mounts[1].at: expected an object, found a number\n"
        "a.json:1:95: Soul.mounts[1]: Mount has no field \"no\"\n");
    expect_problems(SCENE("\"globals\": {\"Tempest\": {\"cloud\": \"none\"}}"),
                    "a.json:1:66: Tempest.cloud: there is no entity \"none\"\n");
}

FILO_TEST(misplaced_components_are_reported) {
    expect_problems(SCENE("\"entities\": [{\"name\": \"a\", \"components\": {\"Wings\": {}, \"FiloFamily\": "
                          "{}, \"Tempest\": {}, \"\": 1, \"Frozen\": {}, \"Frozen\": {}}}], "
                          "\"globals\": {\"Position\": {}, \"Wind\": {}}"),
                    "a.json:1:75: a: Wings: there is no such component\n"
                    "a.json:1:88: a: FiloFamily: names, children and prefabs are not written as components\n"
                    "a.json:1:106: a: Tempest: a global component: it belongs under \"globals\"\n"
                    "a.json:1:121: a: : there is no such component\n"
                    "a.json:1:142: a: Frozen: given more than once, the last one holds\n"
                    "a.json:1:171: Position: not a global component: it belongs to entities\n"
                    "a.json:1:187: Wind: there is no such component\n");
}

FILO_TEST(unknown_members_are_reported) {
    expect_problems(SCENE("\"comment\": [1, {}], \"entities\": [{\"colour\": {\"a\": []}}], \"prefabs\": "
                          "{\"p\": {\"name\": 3, \"id\": 1, \"active\": true}}"),
                    "a.json:1:33: there is no \"comment\" here\n"
                    "a.json:1:67: there is no \"colour\" here\n"
                    "a.json:1:108: there is no \"name\" here\n"
                    "a.json:1:119: there is no \"id\" here\n"
                    "a.json:1:128: there is no \"active\" here\n");
}

FILO_TEST(a_text_that_is_not_a_scene_is_rejected) {
    expect_rejected("", FILO_ERROR_DATA, "a.json:1:1: expected a value, but the text ends here");
    expect_rejected("[", FILO_ERROR_DATA, "a.json:1:2: expected a value, but the text ends here");
    expect_rejected("[]", FILO_ERROR_DATA, "a.json:1:1: a scene: expected an object, found a list");
    expect_rejected("{} {}", FILO_ERROR_DATA, "a.json:1:4: expected nothing more after the value");
    expect_rejected("{\"version\": 1}", FILO_ERROR_KIND,
                    "a.json:1:1: not a scene: there is no \"filo\" in it");
    expect_rejected("{\"filo\": \"scene\"}", FILO_ERROR_KIND,
                    "a.json:1:1: not a scene: there is no \"version\" in it");
    expect_rejected("{\"filo\": \"save\", \"version\": 1}", FILO_ERROR_KIND,
                    "a.json:1:10: filo: expected \"scene\": this is something else");
    expect_rejected("{\"filo\": \"scene\", \"version\": 2}", FILO_ERROR_UNSUPPORTED,
                    "a.json:1:30: version: 2 is not 1, the one that this program understands");
    expect_rejected("{\"filo\": \"scene\", \"version\": \"1\"}", FILO_ERROR_DATA,
                    "a.json:1:30: version: expected a whole number, found a string");
    expect_rejected("{\"filo\": \"scene\", \"version\": 1, \"version\": 1}", FILO_ERROR_DATA,
                    "a.json:1:33: version: given more than once");
}

FILO_TEST(a_wrong_structure_is_rejected) {
    expect_rejected(SCENE("\"entities\": {}"), FILO_ERROR_DATA,
                    "a.json:1:45: entities: expected a list, found an object");
    expect_rejected(SCENE("\"entities\": [{}, 3]"), FILO_ERROR_DATA,
                    "a.json:1:50: entities: expected an object, found a number");
    expect_rejected(SCENE("\"entities\": [{\"name\": 3}]"), FILO_ERROR_DATA,
                    "a.json:1:55: name: expected text in quotes, found a number");
    expect_rejected(SCENE("\"entities\": [{\"name\": \"\"}]"), FILO_ERROR_DATA,
                    "a.json:1:55: name: the text is empty");
    expect_rejected(SCENE("\"entities\": [{\"name\": \"a\\u0000b\"}]"), FILO_ERROR_DATA,
                    "a.json:1:55: name: the text has a zero byte in it");
    expect_rejected(SCENE("\"entities\": [{\"id\": 0}]"), FILO_ERROR_DATA,
                    "a.json:1:53: id: 0 is outside 1 … 2147483647");
    expect_rejected(SCENE("\"entities\": [{\"id\": \"1\"}]"), FILO_ERROR_DATA,
                    "a.json:1:53: id: expected a whole number, found a string");
    expect_rejected(SCENE("\"entities\": [{\"active\": 1}]"), FILO_ERROR_DATA,
                    "a.json:1:57: active: expected true or false, found a number");
    expect_rejected(SCENE("\"entities\": [{\"components\": []}]"), FILO_ERROR_DATA,
                    "a.json:1:61: components: expected an object, found a list");
    expect_rejected(SCENE("\"entities\": [{\"children\": {}}]"), FILO_ERROR_DATA,
                    "a.json:1:59: children: expected a list, found an object");
    expect_rejected(SCENE("\"entities\": [{\"without\": \"a\"}]"), FILO_ERROR_DATA,
                    "a.json:1:58: without: expected a list of names, found a string");
    expect_rejected(SCENE("\"entities\": [{\"without\": [1]}]"), FILO_ERROR_DATA,
                    "a.json:1:59: without: expected text in quotes, found a number");
    expect_rejected(SCENE("\"entities\": [{\"name\": \"a\", \"name\": \"b\"}]"), FILO_ERROR_DATA,
                    "a.json:1:60: name: given more than once");
    expect_rejected(SCENE("\"entities\": [{\"overrides\": {\"a\": null}}]"), FILO_ERROR_DATA,
                    "a.json:1:46: overrides: only an instance of a prefab has something to override");
    expect_rejected(SCENE("\"globals\": 1"), FILO_ERROR_DATA,
                    "a.json:1:44: globals: expected an object, found a number");
    expect_rejected(SCENE("\"prefabs\": []"), FILO_ERROR_DATA,
                    "a.json:1:44: prefabs: expected an object, found a list");
    expect_rejected(SCENE("\"prefabs\": {\"a\": 1}"), FILO_ERROR_DATA,
                    "a.json:1:50: prefabs: expected an object, found a number");
}

FILO_TEST(names_and_ids_are_unique) {
    expect_rejected(SCENE("\"entities\": [{\"name\": \"a\"},\n{\"children\": [{\"name\": \"a\"}]}]"),
                    FILO_ERROR_EXISTS, "a.json:2:24: the name \"a\" is used already, at line 1");
    expect_rejected(SCENE("\"prefabs\": {\"a\": {}}, \"entities\": [{\"name\": \"a\"}]"), FILO_ERROR_EXISTS,
                    "a.json:1:77: the name \"a\" is used already, at line 1");
    expect_rejected(SCENE("\"entities\": [{\"id\": 3},\n{\"id\": 3}]"), FILO_ERROR_EXISTS,
                    "a.json:2:1: the id 3 is used already, at line 1");
    expect_rejected(SCENE("\"prefabs\": {\"p\": {\"children\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}}"),
                    FILO_ERROR_EXISTS, "a.json:1:88: the name \"p/a\" is used already");
}

FILO_TEST(misuse_is_reported) {
    only_in_debug_builds();
    FiloWorld *world = new_world();
    FiloScene *scene = NULL;
    expect_mistake("pass a world, and where to put the scene", filo_scene_create(&scene, NULL, NULL));
    expect_mistake("pass a world, and where to put the scene",
                   filo_scene_load_text(&scene, NULL, FILO_STRING("{}"), NULL));
    expect_mistake("pass a world, a path, and where to put the scene",
                   filo_scene_load(&scene, world, NULL, NULL));
    FiloEntity gone = filo_entity_create(world);
    filo_entity_destroy(world, gone);
    expect_mistake(
        "the parent of a scene's entities must exist",
        filo_scene_load_text(&scene, world, FILO_STRING("{}"), &(FiloSceneDesc){ .parent = gone }));
    assert_ok(filo_scene_create(&scene, world, NULL));
    expect_mistake("pass a scene and a path", filo_scene_save(scene, NULL));
    expect_mistake("pass a scene and a builder", filo_scene_write(scene, NULL));
    expect_fault("pass the name", filo_scene_find(scene, NULL));
    expect_fault("add an entity that exists", filo_scene_add(scene, gone));
    expect_fault("registered as global",
                 filo_scene_add_global(scene, filo_component_of(world, FILO_TYPE(Position))));
    FiloEntity plain = filo_entity_create(world);
    expect_fault("make an instance of a prefab", filo_scene_instance(scene, plain, FILO_ENTITY_NONE));
    filo_scene_release(scene);
    filo_world_destroy(world);
}

// ---- Components that were renamed ------------------------------------------------------------------------

typedef struct Armour {
    int32_t plates;
} Armour;
FILO_REFLECT(Armour, FILO_FIELD(int32_t, plates))

FILO_TEST(a_component_is_found_by_its_former_name) {
    FiloWorld *world = new_world();
    filo_component(world, Armour, .formerly = { "Shell" });
    FiloScene *scene = load(world, SCENE("\"entities\": [{\"name\": \"crab\", \"components\": {\"Shell\": "
                                         "{\"plates\": 4}}}]"));
    FiloEntity crab = filo_scene_find(scene, "crab");
    assert_int_equal(filo_get(world, crab, Armour)->plates, 4);
    filo_edit(world, crab, Armour)->plates = 5;
    char *text = saved(scene);
    assert_contains(text, "\"Armour\"");
    assert_null(strstr(text, "Shell"));
    free(text);
    destroy_with_scene(world, scene);
}

FILO_TEST(a_misspelt_component_is_reported_with_a_similar_name) {
    expect_problems(SCENE("\"entities\": [{\"name\": \"a\", \"components\": {\"Helath\": {}}}]"),
                    "a.json:1:75: a: Helath: there is no such component: did you mean \"Health\"?\n");
}
