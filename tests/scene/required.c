// Required components in scenes: they are added by loading, removed ones are saved as such, and components of a file
// may require others.

#include "scene/scenes.h"

#define HEAD "{\n    \"filo\": \"scene\",\n    \"version\": 1"

// Follow requires Position; Soul requires Follow, Trail and Marked, Trail requires Health; Frozen requires Health.
static FiloWorld *requiring_world(void) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    register_requiring(world);
    return world;
}

static FiloEntity found(const FiloScene *scene, const char *reference) {
    FiloEntity entity = filo_scene_find(scene, reference);
    assert_int_not_equal(entity.id, 0);
    return entity;
}

FILO_TEST(entities_of_a_file_get_required_components) {
    FiloWorld *world = requiring_world();
    FiloScene *scene = load(
        world, SCENE("\"prefabs\": {\"tank\": {\"components\": {\"Frozen\": {}}, \"children\": [{\"name\": "
                     "\"gun\"}]}, \"heavy\": {\"prefab\": \"tank\", \"components\": {\"Follow\": {}}}}, "
                     "\"entities\": [{\"name\": \"a\", \"components\": {\"Soul\": {}}}, "
                     "{\"name\": \"b\", \"prefab\": \"heavy\", \"components\": {\"Soul\": {}}, "
                     "\"overrides\": {\"gun\": {\"components\": {\"Soul\": {}, \"Position\": {\"x\": 3}}}}}, "
                     "{\"name\": \"c\", \"components\": {\"Follow\": {}, \"Position\": {\"y\": 2}}, "
                     "\"children\": [{\"name\": \"d\", \"components\": {\"Frozen\": {}}}]}]"));
    FiloEntity a = found(scene, "a"), b = found(scene, "b"), gun = found(scene, "b/gun"),
               c = found(scene, "c"), d = found(scene, "d"), tank = found(scene, "tank");
    FiloEntity souls[] = { a, b, gun };
    for (size_t i = 0; i < FILO_COUNT_OF(souls); i++) {
        assert_true(filo_has(world, souls[i], Soul) && filo_has(world, souls[i], Follow) &&
                    filo_has(world, souls[i], Trail) && filo_has(world, souls[i], Marked));
        assert_int_equal(filo_get(world, souls[i], Health)->points, 100);
        assert_true(filo_get(world, souls[i], Position)->x == (i == 2 ? 3 : 0));
    }
    assert_true(filo_has(world, tank, Health) && filo_has(world, b, Frozen));
    assert_true(filo_has(world, found(scene, "heavy"), Position));
    assert_true(filo_get(world, c, Position)->y == 2);
    assert_int_equal(filo_get(world, d, Health)->points, 100);
    destroy_with_scene(world, scene);
}

// An entity, an instance, and a copy in an instance.
static const char without[] = HEAD ",\n"
                                   "    \"prefabs\": {\n"
                                   "        \"tank\": {\n"
                                   "            \"components\": {\n"
                                   "                \"Health\": {}\n"
                                   "            },\n"
                                   "            \"children\": [\n"
                                   "                {\n"
                                   "                    \"name\": \"gun\"\n"
                                   "                }\n"
                                   "            ]\n"
                                   "        }\n"
                                   "    },\n"
                                   "    \"entities\": [\n"
                                   "        {\n"
                                   "            \"name\": \"plain\",\n"
                                   "            \"without\": [\"Marked\", \"Position\"],\n"
                                   "            \"components\": {\n"
                                   "                \"Follow\": {},\n"
                                   "                \"Health\": {},\n"
                                   "                \"Soul\": {}\n"
                                   "            }\n"
                                   "        },\n"
                                   "        {\n"
                                   "            \"name\": \"instance\",\n"
                                   "            \"prefab\": \"tank\",\n"
                                   "            \"without\": [\"Health\", \"Position\"],\n"
                                   "            \"components\": {\n"
                                   "                \"Follow\": {\"speed\": 2},\n"
                                   "                \"Frozen\": {}\n"
                                   "            },\n"
                                   "            \"overrides\": {\n"
                                   "                \"gun\": {\n"
                                   "                    \"without\": [\"Health\"],\n"
                                   "                    \"components\": {\n"
                                   "                        \"Frozen\": {}\n"
                                   "                    }\n"
                                   "                }\n"
                                   "            }\n"
                                   "        }\n"
                                   "    ]\n"
                                   "}\n";

FILO_TEST(required_components_of_without_are_not_added) {
    FiloWorld *world = requiring_world();
    FiloScene *scene = load(world, without);
    FiloEntity plain = found(scene, "plain"), instance = found(scene, "instance"),
               gun = found(scene, "instance/gun");
    assert_true(filo_has(world, plain, Soul) && filo_has(world, plain, Trail));
    assert_false(filo_has(world, plain, Marked) || filo_has(world, plain, Position));
    assert_false(filo_has(world, instance, Position) || filo_has(world, instance, Health));
    assert_true(filo_has(world, gun, Frozen) && !filo_has(world, gun, Health));
    expect_saved(scene, without);
    destroy_with_scene(world, scene);
}

FILO_TEST(required_components_that_were_removed_are_saved_as_without) {
    FiloWorld *world = requiring_world(), *other = requiring_world();
    FiloScene *scene, *again;
    assert_ok(filo_scene_create(&scene, world, NULL));
    FiloEntity tank = filo_create(world, FILO_ADD(Health)), gun = filo_entity_create(world);
    filo_entity_set_name(world, tank, "tank");
    filo_entity_set_name(world, gun, "tank/gun");
    filo_entity_set_parent(world, gun, tank);
    filo_prefab_make(world, tank);
    FiloEntity plain = filo_entity_create(world);
    assert_true(filo_scene_add(scene, tank) && filo_scene_add(scene, plain));
    FiloEntity instance = filo_scene_instance(scene, tank, FILO_ENTITY_NONE);
    filo_entity_set_name(world, plain, "plain");
    filo_entity_set_name(world, instance, "instance");
    filo_add(world, plain, Soul);
    filo_remove(world, plain, Marked);
    filo_remove(world, plain, Position);
    filo_set(world, instance, Follow, .speed = 2);
    filo_add(world, instance, Frozen);
    filo_remove(world, instance, Position);
    filo_remove(world, instance, Health);
    FiloEntity part = filo_entity_first_child(world, instance);
    filo_add(world, part, Frozen);
    filo_remove(world, part, Health);
    expect_saved(scene, without);
    // The same for a transient component.
    filo_remove(world, plain, Trail);
    char *text = saved(scene);
    assert_contains(text, "\"without\": [\"Marked\", \"Position\", \"Trail\"]");
    again = load(other, text);
    assert_false(filo_has(other, found(again, "plain"), Trail));
    expect_saved(again, text);
    free(text);
    filo_scene_unload(again);
    destroy_with_scene(other, scene);
    filo_world_destroy(world);
}

FILO_TEST(without_a_component_that_would_not_be_added_is_a_problem) {
    expect_problems(SCENE("\"entities\": [{\"name\": \"a\", \"without\": [\"Health\"], \"components\": "
                          "{\"Position\": {}}}]"),
                    "a.json:1:72: a: without Health: it has none anyway\n");
}

// ---- Components of a file -----------------------------------------------------------------------------

static const char defined[] = HEAD ",\n"
                                   "    \"components\": {\n"
                                   "        \"Gold\": {\n"
                                   "            \"required\": [\"Health\", \"Position\"],\n"
                                   "            \"fields\": {\n"
                                   "                \"weight\": \"int32_t\"\n"
                                   "            }\n"
                                   "        },\n"
                                   "        \"Hoard\": {\n"
                                   "            \"storage\": \"tag\",\n"
                                   "            \"required\": [\"Gold\"]\n"
                                   "        }\n"
                                   "    },\n"
                                   "    \"entities\": [\n"
                                   "        {\n"
                                   "            \"name\": \"chest\",\n"
                                   "            \"without\": [\"Position\"],\n"
                                   "            \"components\": {\n"
                                   "                \"Gold\": {\"weight\": 3},\n"
                                   "                \"Health\": {},\n"
                                   "                \"Hoard\": {}\n"
                                   "            }\n"
                                   "        }\n"
                                   "    ]\n"
                                   "}\n";

FILO_TEST(a_component_of_a_file_may_require_others) {
    expect_round_trip(defined);
    FiloWorld *world = new_world();
    FiloScene *scene = load(world, defined), *again;
    FiloComponent gold = filo_component_named(world, "Gold"), hoard = filo_component_named(world, "Hoard");
    assert_int_equal(filo_component_info(world, gold)->required_count, 2);
    assert_int_equal(filo_component_info(world, hoard)->required_count, 3);
    FiloEntity entity = filo_entity_create(world);
    filo_entity_add(world, entity, hoard);
    assert_int_equal(filo_get(world, entity, Health)->points, 100);
    assert_true(filo_has(world, entity, Position) && filo_entity_has(world, entity, gold));
    filo_scene_unload(scene);
    // Again, with an equal definition.
    again =
        load(world, SCENE("\"components\": {\"Hoard\": {\"storage\": \"tag\", \"required\": [\"Position\", "
                          "\"Gold\"]}}"));
    destroy_with_scene(world, again);
}

FILO_TEST(bad_requirements_of_a_file_are_rejected) {
    expect_rejected(SCENE("\"components\": {\"A\": {\"required\": \"B\"}}"), FILO_ERROR_DATA,
                    "a.json:1:66: required: expected a list of names, found a string");
    expect_rejected(SCENE("\"components\": {\"A\": {\"required\": [1]}}"), FILO_ERROR_DATA,
                    "a.json:1:67: required: expected text in quotes, found a number");
    expect_rejected(SCENE("\"components\": {\"A\": {\"required\": [\"\"]}}"), FILO_ERROR_DATA,
                    "a.json:1:67: required: the text is empty");
    expect_rejected(SCENE("\"components\": {\"A\": {\"required\": [\"B\"]}, \"B\": {}}"),
                    FILO_ERROR_NOT_FOUND, "a.json:1:67: required: there is no component B before this one");
    expect_rejected(SCENE("\"components\": {\"A\": {\"required\": [\"A\"]}}"), FILO_ERROR_NOT_FOUND,
                    "a.json:1:67: required: there is no component A before this one");
    expect_rejected(SCENE("\"components\": {\"A\": {\"required\": [\"Tempest\"]}}"), FILO_ERROR_KIND,
                    "a.json:1:67: required: Tempest is no component that entities are given");
    expect_rejected(SCENE("\"components\": {\"A\": {\"required\": [\"FiloFamily\"]}}"), FILO_ERROR_KIND,
                    "a.json:1:67: required: FiloFamily is no component that entities are given");
#define EIGHT "\"B\", \"B\", \"B\", \"B\", \"B\", \"B\", \"B\", \"B\", "
    expect_rejected(SCENE("\"components\": {\"A\": {\"required\": [" EIGHT EIGHT EIGHT "\"B\"]}}"),
                    FILO_ERROR_LIMIT, "a.json:1:187: required: more than 24");
#undef EIGHT
    expect_rejected(SCENE("\"components\": {\"A\": {\"storage\": \"global\", \"fields\": {\"x\": \"int\"}, "
                          "\"required\": [\"Health\"]}}"),
                    FILO_ERROR_DATA, "a.json:1:48: A: it is global, so it cannot require others");
    expect_rejected(SCENE("\"components\": {\"A\": {}, \"A\": {\"required\": [\"Health\"]}}"),
                    FILO_ERROR_EXISTS,
                    "a.json:1:57: component A is registered already, with other required components");
    expect_rejected(SCENE("\"components\": {\"A\": {\"required\": [\"Health\", \"Position\"]}, \"A\": "
                          "{\"required\": [\"Health\"]}}"),
                    FILO_ERROR_EXISTS,
                    "a.json:1:91: component A is registered already, with other required components");
}
