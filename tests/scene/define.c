// Components that a file defines.

#include "scene/scenes.h"

#define HEAD "{\n    \"filo\": \"scene\",\n    \"version\": 1"

static const char loot[] =
    HEAD ",\n"
         "    \"components\": {\n"
         "        \"Loot\": {\n"
         "            \"storage\": \"sparse\",\n"
         "            \"fields\": {\n"
         "                \"gold\": {\n"
         "                    \"type\": \"int32_t\",\n"
         "                    \"max\": 500,\n"
         "                    \"step\": 0.5,\n"
         "                    \"unit\": \"g\",\n"
         "                    \"help\": \"what it weighs\"\n"
         "                },\n"
         "                \"label\": \"char[12]\",\n"
         "                \"owner\": \"FiloEntity\",\n"
         "                \"place\": \"FiloVec2[2]\",\n"
         "                \"seen\": {\"type\": \"bool\", \"transient\": true}\n"
         "            },\n"
         "            \"default\": {\n"
         "                \"gold\": 5,\n"
         "                \"place\": [\n"
         "                    {\"x\": 0, \"y\": 0},\n"
         "                    {\"x\": 1, \"y\": 0}\n"
         "                ]\n"
         "            }\n"
         "        },\n"
         "        \"Shiny\": {\n"
         "            \"storage\": \"tag\"\n"
         "        },\n"
         "        \"Wind\": {\n"
         "            \"storage\": \"global\",\n"
         "            \"fields\": {\n"
         "                \"force\": \"float\"\n"
         "            }\n"
         "        },\n"
         "        \"Track\": {\n"
         "            \"transient\": true,\n"
         "            \"fields\": {\n"
         "                \"age\": \"double\"\n"
         "            }\n"
         "        }\n"
         "    },\n"
         "    \"globals\": {\n"
         "        \"Wind\": {\"force\": 3}\n"
         "    },\n"
         "    \"entities\": [\n"
         "        {\n"
         "            \"name\": \"chest\",\n"
         "            \"components\": {\n"
         "                \"Loot\": {\"gold\": 70, \"label\": \"old\", \"owner\": \"chest\"},\n"
         "                \"Shiny\": {}\n"
         "            }\n"
         "        },\n"
         "        {\n"
         "            \"name\": \"sack\",\n"
         "            \"components\": {\n"
         "                \"Loot\": {}\n"
         "            }\n"
         "        }\n"
         "    ]\n"
         "}\n";

FILO_TEST(components_of_a_file_are_registered_used_and_saved) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(world, loot);
    FiloComponent component = filo_component_named(world, "Loot");
    const FiloComponentInfo *info = filo_component_info(world, component);
    assert_int_equal(info->storage, FILO_STORAGE_SPARSE);
    FiloEntity chest = filo_scene_find(scene, "chest"), sack = filo_scene_find(scene, "sack");
    FiloValue value;
    assert_ok(filo_reflect_find(&value, info->type, filo_entity_edit(world, chest, component), "gold"));
    assert_int_equal(*(const int32_t *)value.data, 70);
    assert_string_equal(value.field->help, "what it weighs");
    assert_ok(filo_reflect_find(&value, info->type, filo_entity_edit(world, chest, component), "owner"));
    assert_true(((const FiloEntity *)value.data)->id == chest.id);
    assert_ok(filo_reflect_find(&value, info->type, filo_entity_edit(world, sack, component), "gold"));
    assert_int_equal(*(const int32_t *)value.data, 5);
    assert_true(filo_entity_has(world, chest, filo_component_named(world, "Shiny")));
    assert_true(filo_component_info(world, filo_component_named(world, "Track"))->transient);
    assert_true(*(const float *)filo_global_get(world, filo_component_named(world, "Wind")) == 3.0f);
    expect_saved(scene, loot);
    destroy_with_scene(world, scene);
}

FILO_TEST(a_component_is_defined_once_and_outlives_its_scene) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(world, loot);
    FiloComponent component = filo_component_named(world, "Loot");
    filo_scene_unload(scene);
    FiloEntity entity = filo_entity_create(world);
    assert_non_null(filo_entity_add(world, entity, component));
    scene = load(world, loot);
    assert_int_equal(filo_component_named(world, "Loot").id, component.id);
    expect_saved(scene, loot);
    filo_scene_unload(scene);
    assert_int_equal(filo_component_info(world, component)->type->field_count, 5);
    filo_world_destroy(world);
}

FILO_TEST(a_definition_may_agree_with_a_c_struct) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(world, SCENE("\"components\": {\"Position\": {\"fields\": {\"x\": \"float\", "
                                         "\"y\": \"float\"}}}, \"entities\": [{\"name\": \"a\", "
                                         "\"components\": {\"Position\": {\"y\": 2}}}]"));
    assert_true(filo_get(world, filo_scene_find(scene, "a"), Position)->y == 2.0f);
    destroy_with_scene(world, scene);
    const char *other =
        "a.json:1:48: component Position is registered already, with other fields or another storage";
    expect_rejected(
        SCENE("\"components\": {\"Position\": {\"fields\": {\"x\": \"float\", \"z\": \"float\"}}}"),
        FILO_ERROR_EXISTS, other);
    expect_rejected(SCENE("\"components\": {\"Position\": {\"fields\": {\"x\": \"float\"}}}"),
                    FILO_ERROR_EXISTS, other);
    expect_rejected(SCENE("\"components\": {\"Position\": {\"fields\": {\"x\": \"float\", \"y\": \"int\"}}}"),
                    FILO_ERROR_EXISTS, other);
    expect_rejected(SCENE("\"components\": {\"Position\": {\"storage\": \"map\", \"fields\": {\"x\": "
                          "\"float\", \"y\": \"float\"}}}"),
                    FILO_ERROR_EXISTS, other);
    expect_rejected(SCENE("\"components\": {\"A\": {}, \"A\": {\"storage\": \"tag\"}}"), FILO_ERROR_EXISTS,
                    "a.json:1:57: component A is registered already, with other fields or another storage");
}

FILO_TEST(bad_definitions_are_rejected) {
    expect_rejected(SCENE("\"components\": []"), FILO_ERROR_DATA,
                    "a.json:1:47: components: expected an object, found a list");
    expect_rejected(SCENE("\"components\": {\"A\": 1}"), FILO_ERROR_DATA,
                    "a.json:1:53: components: expected an object, found a number");
    expect_rejected(SCENE("\"components\": {\"\": {}}"), FILO_ERROR_DATA,
                    "a.json:1:48: components: the text is empty");
    expect_rejected(
        SCENE("\"components\": {\"A\": {\"storage\": \"heap\"}}"), FILO_ERROR_DATA,
        "a.json:1:65: storage: expected \"table\", \"sparse\", \"array\", \"map\", \"tag\" or \"global\"");
    expect_rejected(SCENE("\"components\": {\"A\": {\"transient\": 1}}"), FILO_ERROR_DATA,
                    "a.json:1:67: transient: expected true or false, found a number");
    expect_rejected(SCENE("\"components\": {\"A\": {\"fields\": []}}"), FILO_ERROR_DATA,
                    "a.json:1:64: fields: expected an object, found a list");
    expect_rejected(SCENE("\"components\": {\"A\": {\"fields\": {\"x\": 1}}}"), FILO_ERROR_DATA,
                    "a.json:1:70: x: expected a type in quotes, or an object, found a number");
    expect_rejected(SCENE("\"components\": {\"A\": {\"fields\": {\"x\": \"flota\"}}}"), FILO_ERROR_DATA,
                    "a.json:1:70: x: there is no type \"flota\"");
    expect_rejected(SCENE("\"components\": {\"A\": {\"fields\": {\"x\": \"float[0]\"}}}"), FILO_ERROR_DATA,
                    "a.json:1:70: x: there is no type \"float[0]\"");
    expect_rejected(SCENE("\"components\": {\"A\": {\"fields\": {\"x\": \"float[2\"}}}"), FILO_ERROR_DATA,
                    "a.json:1:70: x: there is no type \"float[2\"");
    expect_rejected(SCENE("\"components\": {\"A\": {\"fields\": {\"x\": {}}}}"), FILO_ERROR_DATA,
                    "a.json:1:70: x: there is no type \"\"");
    expect_rejected(SCENE("\"components\": {\"A\": {\"fields\": {\"x.y\": \"int\"}}}"), FILO_ERROR_DATA,
                    "a.json:1:48: type A: field name \"x.y\" has one of . [ ] \" in it");
    expect_rejected(SCENE("\"components\": {\"A\": {\"fields\": {\"x\": \"int\", \"x\": \"int\"}}}"),
                    FILO_ERROR_EXISTS, "a.json:1:48: type A: two fields are called x");
    expect_rejected(SCENE("\"components\": {\"A\": {\"fields\": {\"x\": \"double[60000]\"}}}"),
                    FILO_ERROR_LIMIT, "a.json:1:48: A: 480000 bytes, there may be 65536");
    expect_rejected(
        SCENE("\"components\": {\"A\": {\"fields\": {\"x\": \"int\"}, \"fields\": {\"x\": \"int\"}}}"),
        FILO_ERROR_DATA, "a.json:1:78: fields: given more than once");
    expect_rejected(SCENE("\"components\": {\"A\": {\"storage\": \"tag\", \"fields\": {\"x\": \"int\"}}}"),
                    FILO_ERROR_DATA, "a.json:1:48: A: it has fields, so it cannot be stored as a tag");
    expect_rejected(SCENE("\"components\": {\"A\": {\"storage\": \"global\"}}"), FILO_ERROR_DATA,
                    "a.json:1:48: A: it has no fields, so it cannot be global");
}

FILO_TEST(a_component_without_fields_can_have_any_storage) {
    static const char *const storages[] = { "table", "sparse", "array", "map", "tag" };
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        FiloWorld *world = new_world();
        char text[300];
        snprintf(text, sizeof text,
                 SCENE("\"components\": {\"A\": {\"storage\": \"%s\"}}, \"entities\": [{\"name\": \"a\", "
                       "\"components\": {\"A\": {}}}, {\"name\": \"b\"}, {\"components\": {\"A\": {}}}]"),
                 storages[i]);
        FiloScene *scene = load(world, text);
        FiloComponent component = filo_component_named(world, "A");
        assert_true(filo_entity_has(world, filo_scene_find(scene, "a"), component));
        assert_false(filo_entity_has(world, filo_scene_find(scene, "b"), component));
        char *first = saved(scene);
        // The saved definition is the same.
        assert_int_equal(filo_test_count(first, "\"A\": {}"), i == 0 ? 3 : 2);
        filo_scene_unload(scene);
        scene = load(world, first);
        expect_saved(scene, first);
        free(first);
        destroy_with_scene(world, scene);
    }
}

FILO_TEST(problems_of_definitions_are_reported) {
    expect_problems(SCENE("\"components\": {\"A\": {\"colour\": 1, \"fields\": {\"x\": {\"type\": \"int\", "
                          "\"min\": \"a\", \"far\": 1}, \"e\": \"FiloEntity\"}, "
                          "\"default\": {\"x\": true, \"e\": 5, \"z\": 1}}}, \"entities\": [{\"components\": "
                          "{\"A\": {}}}]"),
                    "a.json:1:54: there is no \"colour\" here\n"
                    "a.json:1:106: A: x.min: expected a number, found a string\n"
                    "a.json:1:111: A: x: a definition has no field \"far\"\n"
                    "a.json:1:159: A: default.x: expected a whole number, found true or false\n"
                    "a.json:1:173: A: default: A has no field \"z\"\n");
}
