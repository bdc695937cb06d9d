// Prefabs that contain or are based on others, and instances, which have only their differences in the file.

#include "scene/scenes.h"

#define HEAD "{\n    \"filo\": \"scene\",\n    \"version\": 1"

// A heavy tank is based on a tank, which has a cannon, which has a barrel.
static const char tanks[] =
    HEAD ",\n"
         "    \"prefabs\": {\n"
         "        \"heavy tank\": {\n"
         "            \"prefab\": \"tank\",\n"
         "            \"without\": [\"Frozen\"],\n"
         "            \"components\": {\n"
         "                \"Health\": {\"points\": 900}\n"
         "            },\n"
         "            \"overrides\": {\n"
         "                \"gun/barrel\": {\n"
         "                    \"components\": {\n"
         "                        \"Position\": {\"x\": 20}\n"
         "                    }\n"
         "                }\n"
         "            },\n"
         "            \"children\": [\n"
         "                {\n"
         "                    \"name\": \"flag\",\n"
         "                    \"components\": {\n"
         "                        \"Follow\": {\n"
         "                            \"target\": \"gun/barrel\",\n"
         "                            \"others\": [\".\", \"wheel\", \"mechanic\"]\n"
         "                        }\n"
         "                    }\n"
         "                }\n"
         "            ]\n"
         "        },\n"
         "        \"tank\": {\n"
         "            \"components\": {\n"
         "                \"Follow\": {\"target\": \"gun\"},\n"
         "                \"Frozen\": {},\n"
         "                \"Health\": {}\n"
         "            },\n"
         "            \"children\": [\n"
         "                {\n"
         "                    \"name\": \"gun\",\n"
         "                    \"prefab\": \"cannon\",\n"
         "                    \"components\": {\n"
         "                        \"Position\": {\"y\": 1}\n"
         "                    }\n"
         "                },\n"
         "                {\n"
         "                    \"components\": {\n"
         "                        \"Follow\": {\"target\": \".\"}\n"
         "                    }\n"
         "                }\n"
         "            ]\n"
         "        },\n"
         "        \"cannon\": {\n"
         "            \"components\": {\n"
         "                \"Position\": {}\n"
         "            },\n"
         "            \"children\": [\n"
         "                {\n"
         "                    \"name\": \"barrel\",\n"
         "                    \"components\": {\n"
         "                        \"Follow\": {\"target\": \".\"},\n"
         "                        \"Position\": {\"x\": 10}\n"
         "                    }\n"
         "                }\n"
         "            ]\n"
         "        }\n"
         "    },\n"
         "    \"entities\": [\n"
         "        {\n"
         "            \"name\": \"first\",\n"
         "            \"prefab\": \"tank\"\n"
         "        },\n"
         "        {\n"
         "            \"name\": \"second\",\n"
         "            \"prefab\": \"heavy tank\",\n"
         "            \"active\": false,\n"
         "            \"without\": [\"Health\"],\n"
         "            \"components\": {\n"
         "                \"Follow\": {\"target\": \"first/gun/barrel\", \"speed\": 2},\n"
         "                \"Marked\": {}\n"
         "            },\n"
         "            \"overrides\": {\n"
         "                \"#1\": null,\n"
         "                \"flag\": {\n"
         "                    \"components\": {\n"
         "                        \"Follow\": {\"speed\": 3},\n"
         "                        \"Frozen\": {}\n"
         "                    },\n"
         "                    \"children\": [\n"
         "                        {\n"
         "                            \"name\": \"crow\",\n"
         "                            \"prefab\": \"cannon\"\n"
         "                        }\n"
         "                    ]\n"
         "                },\n"
         "                \"gun\": {\n"
         "                    \"name\": \"big gun\",\n"
         "                    \"active\": false,\n"
         "                    \"without\": [\"Position\"]\n"
         "                }\n"
         "            },\n"
         "            \"children\": [\n"
         "                {\n"
         "                    \"name\": \"mechanic\",\n"
         "                    \"components\": {\n"
         "                        \"Follow\": {\n"
         "                            \"target\": \"second/gun/barrel\",\n"
         "                            \"others\": [\"second/flag\", \"first/#1\", \"tank\"]\n"
         "                        }\n"
         "                    }\n"
         "                }\n"
         "            ]\n"
         "        }\n"
         "    ]\n"
         "}\n";

static const char wheel[] =
    HEAD ",\n    \"entities\": [\n        {\n            \"name\": \"wheel\"\n        }\n    ]\n}\n";

typedef struct Tanks {
    FiloWorld *world;
    FiloScene *other, *scene;
} Tanks;

static Tanks load_tanks(void) {
    Tanks tanks_ = { .world = new_world() };
    tanks_.other = load(tanks_.world, wheel);
    tanks_.scene = load(tanks_.world, tanks);
    return tanks_;
}

static void unload_tanks(Tanks *all) {
    filo_scene_unload(all->scene);
    filo_scene_unload(all->other);
    assert_int_equal(filo_world_stats(all->world).entities, 0);
    filo_world_destroy(all->world);
}

static FiloEntity find(const Tanks *all, const char *name) {
    FiloEntity entity = filo_scene_find(all->scene, name);
    assert_true(filo_entity_exists(all->world, entity));
    return entity;
}

static FiloEntity target(const Tanks *all, const char *name) {
    return filo_get(all->world, find(all, name), Follow)->target;
}

FILO_TEST(prefabs_instances_and_overrides_are_saved_as_they_were_loaded) {
    Tanks all = load_tanks();
    expect_saved(all.scene, tanks);
    unload_tanks(&all);
}

FILO_TEST(prefabs_are_prefabs_of_the_world_with_their_base) {
    Tanks all = load_tanks();
    FiloEntity tank = filo_world_find(all.world, "tank"), heavy = filo_world_find(all.world, "heavy tank");
    assert_true(filo_has(all.world, tank, FiloPrefab));
    assert_true(filo_entity_equal(filo_get(all.world, heavy, FiloPrefab)->base, tank));
    for (FiloEntity part = heavy; part.id != 0; part = part.id == heavy.id
                                                           ? filo_entity_first_child(all.world, heavy)
                                                           : filo_entity_next_sibling(all.world, part))
        assert_false(filo_entity_active(all.world, part));
    assert_int_equal(filo_entity_child_count(all.world, heavy), 3);
    assert_true(filo_world_find(all.world, "heavy tank/gun/barrel").id != 0);
    assert_true(filo_world_find(all.world, "heavy tank/flag").id != 0);
    assert_true(filo_world_find(all.world, "tank/gun/barrel").id != 0);
    assert_true(filo_get(all.world, filo_world_find(all.world, "heavy tank/gun/barrel"), Position)->x ==
                20.0f);
    assert_true(filo_get(all.world, filo_world_find(all.world, "tank/gun/barrel"), Position)->x == 10.0f);
    unload_tanks(&all);
}

FILO_TEST(instances_have_the_components_of_their_prefabs_and_overrides) {
    Tanks all = load_tanks();
    FiloEntity first = find(&all, "first"), second = find(&all, "second");
    assert_true(filo_has(all.world, first, Frozen) &&
                !filo_has(all.world, second, Frozen)); // by the derived prefab
    assert_int_equal(filo_get(all.world, first, Health)->points, 100);
    assert_false(filo_has(all.world, second, Health));
    assert_true(filo_has(all.world, second, Marked) && !filo_has(all.world, first, Marked));
    assert_true(filo_entity_active(all.world, first) && !filo_entity_active(all.world, second));
    assert_true(filo_entity_active(all.world, find(&all, "first/gun")) &&
                !filo_entity_active(all.world, find(&all, "second/gun")));
    assert_true(filo_entity_equal(filo_world_find(all.world, "big gun"), find(&all, "second/gun")));
    assert_int_equal(filo_entity_child_count(all.world, first), 2);
    assert_int_equal(filo_entity_child_count(all.world, second),
                     3); // gun, flag, mechanic; the child without a name was removed
    assert_true(filo_get(all.world, find(&all, "second/gun/barrel"), Position)->x == 20.0f);
    assert_true(filo_has(all.world, find(&all, "second/flag"), Frozen));
    assert_true(
        filo_entity_equal(filo_entity_parent(all.world, find(&all, "crow")), find(&all, "second/flag")));
    assert_true(
        filo_entity_equal(filo_scene_source(all.scene, second), filo_world_find(all.world, "heavy tank")));
    assert_true(filo_entity_equal(filo_scene_source(all.scene, find(&all, "second/gun")),
                                  filo_world_find(all.world, "heavy tank/gun")));
    assert_int_equal(filo_scene_source(all.scene, find(&all, "mechanic")).id, 0);
    unload_tanks(&all);
}

FILO_TEST(references_inside_a_prefab_become_references_inside_the_instance) {
    Tanks all = load_tanks();
    assert_true(filo_entity_equal(target(&all, "first"), find(&all, "first/gun")));
    assert_true(filo_entity_equal(target(&all, "first/gun/barrel"), find(&all, "first/gun")));
    assert_true(filo_entity_equal(target(&all, "second/gun/barrel"), find(&all, "second/gun")));
    assert_true(filo_entity_equal(target(&all, "crow/barrel"), find(&all, "crow")));
    assert_true(filo_entity_equal(target(&all, "second/flag"), find(&all, "second/gun/barrel")));
    const Follow *flag = filo_get(all.world, find(&all, "second/flag"), Follow);
    assert_true(filo_entity_equal(flag->others[0], find(&all, "second")));
    assert_true(filo_entity_equal(flag->others[1], filo_world_find(all.world, "wheel"))); // of another scene
    assert_true(filo_entity_equal(flag->others[2],
                                  find(&all, "mechanic"))); // a forward reference to outside of the prefab
    assert_true(filo_entity_equal(target(&all, "first/#1"), find(&all, "first")));
    assert_true(filo_entity_equal(target(&all, "second"), find(&all, "first/gun/barrel")));
    const Follow *mechanic = filo_get(all.world, find(&all, "mechanic"), Follow);
    assert_true(filo_entity_equal(mechanic->target, find(&all, "second/gun/barrel")));
    assert_true(filo_entity_equal(mechanic->others[0], find(&all, "second/flag")));
    assert_true(filo_entity_equal(mechanic->others[1], find(&all, "first/#1")));
    assert_true(filo_entity_equal(mechanic->others[2], filo_world_find(all.world, "tank")));
    unload_tanks(&all);
}

FILO_TEST(prefabs_of_another_scene_can_be_used) {
    FiloWorld *world = new_world();
    FiloScene *library = load(world, SCENE("\"prefabs\": {\"crate\": {\"components\": {\"Health\": "
                                           "{\"points\": 5}}, \"children\": [{\"name\": \"lid\"}]}}"));
    static const char text[] = HEAD
        ",\n    \"prefabs\": {\n        \"box\": {\n            \"prefab\": \"crate\"\n        }\n    },\n"
        "    \"entities\": [\n        {\n            \"name\": \"a\",\n            \"prefab\": \"crate\",\n"
        "            \"components\": {\n                \"Follow\": {\"target\": \"a/lid\"}\n            }\n "
        "       },\n"
        "        {\n            \"prefab\": \"box\"\n        }\n    ]\n}\n";
    FiloScene *scene = load(world, text);
    FiloEntity a = filo_scene_find(scene, "a");
    assert_int_equal(filo_get(world, a, Health)->points, 5);
    assert_true(filo_entity_equal(filo_get(world, a, Follow)->target, filo_scene_find(scene, "a/lid")));
    expect_saved(scene, text);
    // Without its prefab an instance is saved in full.
    filo_scene_unload(library);
    assert_int_equal(filo_scene_source(scene, a).id, 0);
    char *full = saved(scene);
    assert_null(strstr(full, "\"prefab\": \"crate\""));
    assert_contains(full, "\"Health\": {\"points\": 5}");
    free(full);
    destroy_with_whole_scene(world, scene);
}

FILO_TEST(changes_of_a_prefab_are_differences_of_its_existing_instances) {
    Tanks all = load_tanks();
    // Existing instances do not follow later changes of their prefab.
    filo_edit(all.world, filo_world_find(all.world, "tank"), Health)->most = 1;
    FiloEntity added = filo_entity_create(all.world);
    filo_entity_set_parent(all.world, added, filo_world_find(all.world, "tank"));
    char *text = saved(all.scene);
    assert_contains(
        text,
        "            \"name\": \"first\",\n            \"prefab\": \"tank\",\n            \"components\": {\n"
        "                \"Health\": {\"most\": 100}\n            },\n            \"overrides\": {\n         "
        "       \"#2\": null\n");
    free(text);
    unload_tanks(&all);
}

FILO_TEST(children_with_another_parent_are_no_copies_of_the_prefab_any_more) {
    Tanks all = load_tanks();
    filo_entity_set_parent(all.world, find(&all, "first/gun/barrel"), find(&all, "first"));
    filo_edit(all.world, find(&all, "second"), Follow)->target = FILO_ENTITY_NONE;
    char *text = saved(all.scene);
    assert_contains(text, "            \"overrides\": {\n                \"gun/barrel\": null\n            "
                          "},\n            \"children\": [\n");
    FiloWorld *world = new_world();
    filo_scene_release(load(world, wheel));
    FiloScene *again = load(world, text);
    expect_saved(again, text);
    assert_int_equal(filo_entity_child_count(world, filo_scene_find(again, "first")), 3);
    assert_ok(filo_world_reset(world, 0));
    filo_scene_release(again);
    filo_world_destroy(world);
    free(text);
    unload_tanks(&all);
}

FILO_TEST(an_instance_that_is_created_later_is_saved_as_an_instance) {
    FiloWorld *world = new_world();
    FiloScene *scene =
        load(world, SCENE("\"prefabs\": {\"p\": {\"components\": {\"Health\": {}}, \"children\": [{\"name\": "
                          "\"c\", \"components\": {\"Position\": {}}}]}}, "
                          "\"entities\": [{\"name\": \"a\"}]"));
    FiloEntity instance = filo_scene_instance(scene, filo_world_find(world, "p"), FILO_ENTITY_NONE);
    filo_edit(world, filo_entity_first_child(world, instance), Position)->x = 3;
    FiloEntity below = filo_scene_instance(scene, filo_world_find(world, "p"), filo_scene_find(scene, "a"));
    assert_true(filo_entity_equal(filo_entity_parent(world, below), filo_scene_find(scene, "a")));
    char *text = saved(scene);
    assert_contains(text, "        {\n            \"name\": \"a\",\n            \"children\": [\n            "
                          "    {\n                    \"prefab\": \"p\"\n"
                          "                }\n            ]\n        },\n        {\n            \"prefab\": "
                          "\"p\",\n            \"overrides\": {\n"
                          "                \"c\": {\n                    \"components\": {\n                 "
                          "       \"Position\": {\"x\": 3}\n");
    destroy_with_scene(world, scene);
    expect_round_trip(text);
    free(text);
}

FILO_TEST(prefabs_that_were_created_by_code_can_be_saved) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    Problems problems = { .count = 0 };
    FiloSceneDesc desc = { .problem = log_problem, .user = &problems };
    FiloEntity crate = filo_create(world, FILO_SET(Health, 1, 1)),
               lid = filo_create(world, FILO_SET(Position, 1, 2));
    filo_entity_set_parent(world, lid, crate);
    filo_entity_set_name(world, lid, "lid");
    filo_set(world, crate, Follow, .target = lid);
    filo_prefab_make(world, crate);
    assert_ok(filo_scene_create(&scene, world, &desc));
    filo_scene_add(scene, crate);
    char *without = saved(scene);
    assert_string_equal(problems.text, "a prefab without a name that a file can have is not saved\n");
    assert_null(strstr(without, "prefabs"));
    expect_round_trip(without);
    free(without);
    filo_entity_set_name(world, crate, "crate");
    filo_scene_instance(scene, crate, FILO_ENTITY_NONE);
    char *text = saved(scene);
    assert_contains(text, "\"prefabs\": {\n        \"crate\": {\n            \"components\": {\n             "
                          "   \"Follow\": {\"target\": \"lid\"},\n");
    assert_contains(text, "        {\n            \"prefab\": \"crate\"\n        }\n");
    assert_int_equal(problems.count, 1);
    destroy_with_scene(world, scene);
    expect_round_trip(text);
    free(text);
}

FILO_TEST(many_instances_are_created_and_saved_in_order) {
    FiloWorld *world = new_world();
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, "{\"filo\": \"scene\", \"version\": 1, \"prefabs\": {\"p\": "
                                 "{\"components\": {\"Position\": {\"y\": 7}}, "
                                 "\"children\": [{\"name\": \"c\"}]}}, \"entities\": [");
    for (int i = 0; i < 3000; i++)
        filo_builder_printf(&text, "%s{%s\"components\": {\"Position\": {\"x\": %d}%s}}", i > 0 ? ", " : "",
                            i % 1000 < 900 ? "\"prefab\": \"p\", " : "", i,
                            i % 7 == 0 ? ", \"Frozen\": {}" : "");
    filo_builder_add_text(&text, "]}");
    FiloScene *scene = load(world, filo_builder_text(&text));
    static FiloEntity listed[3001];
    assert_int_equal(filo_scene_entities(scene, listed, 3001), 3001);
    for (int i = 0; i < 3000; i++) {
        const Position *position = filo_get(world, listed[i + 1], Position);
        bool instance = i % 1000 < 900;
        assert_true(position->x == (float)i && position->y == (instance ? 7.0f : 0.0f));
        assert_int_equal(filo_entity_child_count(world, listed[i + 1]), instance ? 1 : 0);
        assert_int_equal(filo_has(world, listed[i + 1], Frozen), i % 7 == 0);
    }
    char *first = saved(scene);
    filo_scene_unload(scene);
    scene = load(world, first);
    expect_saved(scene, first);
    destroy_with_scene(world, scene);
    filo_builder_deinit(&text);
    free(first);
}

FILO_TEST(overrides_of_unknown_children_are_reported) {
    expect_problems(SCENE("\"prefabs\": {\"p\": {\"children\": [{\"name\": \"c\", \"children\": [{\"name\": "
                          "\"d\"}]}]}}, \"entities\": [{\"name\": \"a\", \"prefab\": \"p\", "
                          "\"without\": [\"Health\"], \"overrides\": {\"x\": {}, \"\": {}, \"c/x\": null, "
                          "\"#1\": {}, \"#x\": {}, \"c\": null, \"c/d\": {}}}]"),
                    "a.json:1:165: a: without Health: it has none anyway\n"
                    "a.json:1:190: a: there is no \"x\" in prefab p\n"
                    "a.json:1:199: a: there is no \"\" in prefab p\n"
                    "a.json:1:207: a: there is no \"c/x\" in prefab p\n"
                    "a.json:1:220: a: there is no \"#1\" in prefab p\n"
                    "a.json:1:230: a: there is no \"#x\" in prefab p\n"
                    "a.json:1:251: a: there is no \"c/d\" in prefab p\n");
}

FILO_TEST(invalid_prefabs_are_rejected) {
    expect_rejected(SCENE("\"entities\": [{\"prefab\": \"none\"}]"), FILO_ERROR_NOT_FOUND,
                    "a.json:1:57: prefab: there is no \"none\"");
    expect_rejected(SCENE("\"entities\": [{\"name\": \"a\"}, {\"prefab\": \"a\"}]"), FILO_ERROR_KIND,
                    "a.json:1:72: prefab: \"a\" is an entity, not a prefab");
    expect_rejected(
        SCENE("\"prefabs\": {\"a/b\": {}}"), FILO_ERROR_DATA,
        "a.json:1:45: prefabs: in a prefab, \"a/b\" must not begin with #, have a / in it, or be a point");
    expect_rejected(
        SCENE("\"prefabs\": {\"a\": {\"children\": [{\"name\": \"#b\"}]}}"), FILO_ERROR_DATA,
        "a.json:1:73: name: in a prefab, \"#b\" must not begin with #, have a / in it, or be a point");
    expect_rejected(SCENE("\"entities\": [{\"prefab\": 3}]"), FILO_ERROR_DATA,
                    "a.json:1:57: prefab: expected text in quotes, found a number");
    expect_rejected(SCENE("\"prefabs\": {\"a\": {}}, \"entities\": [{\"prefab\": \"a\", \"overrides\": []}]"),
                    FILO_ERROR_DATA, "a.json:1:97: overrides: expected an object, found a list");
    expect_rejected(
        SCENE("\"prefabs\": {\"a\": {}}, \"entities\": [{\"prefab\": \"a\", \"overrides\": {\"b\": 1}}]"),
        FILO_ERROR_DATA, "a.json:1:103: overrides: expected an object or null, found a number");
}

FILO_TEST(cycles_of_prefabs_are_rejected) {
    expect_rejected(SCENE("\"prefabs\": {\"a\": {\"prefab\": \"a\"}}"), FILO_ERROR_DATA,
                    "a.json:1:45: a prefab is made of itself: a → a");
    expect_rejected(SCENE("\"prefabs\": {\"x\": {},\n\"a\": {\"prefab\": \"b\"},\n\"b\": {\"children\": "
                          "[{\"children\": [{\"prefab\": \"c\"}]}]},\n"
                          "\"c\": {\"prefab\": \"x\", \"overrides\": {\"y\": {\"children\": [{\"prefab\": "
                          "\"a\"}]}}},\n\"d\": {\"prefab\": \"a\"}}"),
                    FILO_ERROR_DATA, "a.json:2:1: a prefab is made of itself: a → b → c → a");
}

FILO_TEST(a_leading_slash_refers_to_outside_of_the_prefab) {
    static const char text[] = HEAD
        ",\n    \"prefabs\": {\n        \"p\": {\n            \"components\": {\n"
        "                \"Follow\": {\n                    \"target\": \"/door\",\n"
        "                    \"others\": [\"door\", \"/#1\", \"lamp\"]\n                }\n            },\n"
        "            \"children\": [\n                {\n                    \"name\": \"door\"\n            "
        "    },\n"
        "                {}\n            ]\n        }\n    },\n"
        "    \"entities\": [\n        {\n            \"name\": \"door\"\n        },\n"
        "        {\n            \"id\": 1\n        },\n        {\n            \"name\": \"lamp\"\n        "
        "},\n"
        "        {\n            \"name\": \"i\",\n            \"prefab\": \"p\"\n        }\n    ]\n}\n";
    FiloWorld *world = new_world();
    FiloScene *scene = load(world, text);
    const Follow *follow = filo_get(world, filo_scene_find(scene, "i"), Follow);
    assert_true(filo_entity_equal(follow->target, filo_world_find(world, "door")));
    assert_true(filo_entity_equal(follow->others[0], filo_scene_find(scene, "i/door")));
    assert_true(filo_entity_equal(follow->others[1], filo_scene_find(scene, "#1")));
    assert_true(filo_entity_equal(follow->others[2], filo_scene_find(scene, "/lamp")));
    expect_saved(scene, text);
    destroy_with_scene(world, scene);
}

FILO_TEST(a_reference_from_the_base_into_the_prefab_becomes_one_inside_the_instance) {
    FiloWorld *world = new_world();
    FiloScene *scene =
        load(world, SCENE("\"prefabs\": {\"base\": {\"components\": {\"Follow\": {\"target\": \"more/c\"}}}, "
                          "\"more\": {\"prefab\": \"base\", "
                          "\"children\": [{\"name\": \"c\"}]}}, \"entities\": [{\"name\": \"i\", \"prefab\": "
                          "\"more\"}, {\"name\": \"j\", \"prefab\": \"base\"}]"));
    assert_true(filo_entity_equal(filo_get(world, filo_scene_find(scene, "i"), Follow)->target,
                                  filo_scene_find(scene, "i/c")));
    assert_true(filo_entity_equal(filo_get(world, filo_scene_find(scene, "j"), Follow)->target,
                                  filo_world_find(world, "more/c")));
    destroy_with_scene(world, scene);
}

// The index of a child without a name is the one in the loaded file: copies of the prefab's children come first.
FILO_TEST(indices_of_children_are_those_of_the_loaded_file) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(world, SCENE("\"prefabs\": {\"p\": {\"children\": [{\"name\": \"first\"}, "
                                         "{\"components\": {\"Frozen\": {}}}]}, \"q\": {\"prefab\": \"p\"}}, "
                                         "\"entities\": [{\"name\": \"i\", \"prefab\": \"q\", "
                                         "\"components\": {\"Follow\": {\"target\": \"i/#1\"}}}]"));
    FiloEntity frozen = filo_get(world, filo_scene_find(scene, "i"), Follow)->target;
    assert_true(filo_has(world, frozen, Frozen));
    filo_entity_destroy(world, filo_world_find(world, "p/first")); // in q it is no copy any more
    char *text = saved(scene);
    assert_contains(text, "\"target\": \"i/#0\"");
    filo_scene_unload(scene);
    scene = load(world, text);
    assert_true(filo_has(world, filo_get(world, filo_scene_find(scene, "i"), Follow)->target, Frozen));
    expect_saved(scene, text);
    free(text);
    destroy_with_scene(world, scene);
}
