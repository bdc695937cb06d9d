// Malicious files: they are rejected, or their valid parts are loaded, within the limits of time and memory.

#include "scene/scenes.h"

#include <filo/random.h>

static FiloResult load_limited(const char *text, size_t limit) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    Problems *problems = calloc(1, sizeof *problems);
    FiloSceneDesc desc = {
        .source = "a.json", .entity_limit = limit, .problem = log_problem, .user = problems
    };
    FiloResult result = filo_scene_load_text(&scene, world, filo_string(text), &desc);
    destroy_with_whole_scene(world, scene);
    free(problems);
    return result;
}

// Each prefab contains ten of the one before.
FILO_TEST(a_small_file_cannot_describe_a_huge_world) {
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, "{\"filo\": \"scene\", \"version\": 1, \"prefabs\": {\"p0\": {}");
    for (int i = 1; i < 40; i++) {
        filo_builder_printf(&text, ",\n\"p%d\": {\"children\": [", i);
        for (int k = 0; k < 10; k++)
            filo_builder_printf(&text, "%s{\"prefab\": \"p%d\"}", k > 0 ? ", " : "", i - 1);
        filo_builder_add_text(&text, "]}");
    }
    filo_builder_add_text(&text, "}}");
    FiloResult result = load_limited(filo_builder_text(&text), 0);
    assert_string_equal(result.message, "a.json:8:1: more than 4194304 entities");
    assert_int_equal(result.code, FILO_ERROR_LIMIT);
    filo_builder_deinit(&text);
}

FILO_TEST(the_limit_of_entities_counts_all_of_them) {
    const char *text = SCENE("\"prefabs\": {\"p\": {\"children\": [{}, {}]}}, \"entities\": [{}, "
                             "{\"prefab\": \"p\"}, {\"children\": [{}]}]");
    assert_error(load_limited(text, 8), FILO_ERROR_LIMIT, "more than 8 entities");
    assert_ok(load_limited(text, 9));
    assert_error(load_limited(text, 3), FILO_ERROR_LIMIT, "more than 3 entities");
}

FILO_TEST(deep_nesting_is_rejected) {
    FiloBuilder text = { 0 };
    for (int depth = 99; depth <= 300; depth = depth == 99 ? 100 : depth == 100 ? 101 : depth + 99) {
        filo_builder_clear(&text);
        filo_builder_add_text(&text, "{\"filo\": \"scene\", \"version\": 1, \"entities\": [{");
        for (int i = 0; i < depth; i++) filo_builder_add_text(&text, "\"children\": [{");
        for (int i = 0; i < depth; i++) filo_builder_add_text(&text, "}]");
        filo_builder_add_text(&text, "}]}");
        FiloResult result = load_limited(filo_builder_text(&text), 0);
        assert_int_equal(result.code == FILO_OK, depth <= FILO_SCENE_DEPTH);
    }
    filo_builder_deinit(&text);
}

FILO_TEST(depth_hidden_in_prefabs_is_rejected) {
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, "{\"filo\": \"scene\", \"version\": 1, \"prefabs\": {\"p0\": {}");
    for (int i = 1; i < 2000; i++)
        filo_builder_printf(&text, ", \"p%d\": {\"children\": [{\"prefab\": \"p%d\"}]}", i, i - 1);
    filo_builder_add_text(&text, "}}");
    assert_error(load_limited(filo_builder_text(&text), 0), FILO_ERROR_LIMIT,
                 "children inside children, more than 100 deep");
    filo_builder_deinit(&text);
}

FILO_TEST(long_chains_and_cycles_of_prefabs_need_no_deep_stack) {
    FiloBuilder text = { 0 };
    for (int circle = 0; circle < 2; circle++) {
        filo_builder_clear(&text);
        filo_builder_add_text(&text, "{\"filo\": \"scene\", \"version\": 1, \"prefabs\": {");
        for (int i = 0; i < 20000; i++)
            filo_builder_printf(&text, "\"p%d\": {\"prefab\": \"p%d\"}, ", i, i + 1);
        filo_builder_add_text(&text, circle ? "\"p20000\": {\"prefab\": \"p0\"}}}" : "\"p20000\": {}}}");
        FiloResult result = load_limited(filo_builder_text(&text), 0);
        if (circle)
            assert_error(result, FILO_ERROR_DATA, "a prefab is made of itself: p0 → p1 → p2");
        else
            assert_ok(result);
    }
    filo_builder_deinit(&text);
}

FILO_TEST(too_many_components_are_rejected) {
    FiloBuilder text = { 0 };
    for (int global = 0; global < 2; global++) {
        filo_builder_clear(&text);
        filo_builder_add_text(&text, "{\"filo\": \"scene\", \"version\": 1, ");
        filo_builder_add_text(&text, global ? "\"globals\": {" : "\"entities\": [{\"components\": {");
        for (int i = 0; i < 1001; i++) filo_builder_printf(&text, "%s\"C%d\": 1", i > 0 ? ", " : "", i);
        filo_builder_add_text(&text, global ? "}}" : "}}]}");
        assert_error(load_limited(filo_builder_text(&text), 0), FILO_ERROR_LIMIT, "more than 1000");
    }
    filo_builder_deinit(&text);
}

FILO_TEST(huge_numbers_and_long_texts_are_handled) {
    expect_problems(SCENE("\"entities\": [{\"components\": {\"Position\": {\"x\": 1e999, \"y\": "
                          "123456789012345678901234567890}, \"Health\": {\"points\": 1e99}}}]"),
                    "a.json:1:80: Position.x: 1e999 does not fit into float\n"
                    "a.json:1:146: Health.points: 1e99 does not fit into int32_t\n");
    char text[2000], name[600];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, SCENE("\"entities\": [{\"name\": \"%s\"}]"), name);
    assert_error(load_limited(text, 0), FILO_ERROR_LIMIT, "a.json:1:55: name: 599 bytes, there may be 200");
    snprintf(text, sizeof text,
             SCENE("\"entities\": [{\"components\": {\"%s\": {}, \"Follow\": {\"target\": \"%s\"}}}]"), name,
             name);
    assert_ok(load_limited(text, 0));
    assert_error(load_limited(SCENE("\"entities\": [{\"id\": 99999999999999999999999}]"), 0), FILO_ERROR_DATA,
                 "is outside 1 … 2147483647");
}

// Every prefix of a valid file, and the file with single bytes changed, is loaded or rejected without leaks.
FILO_TEST(damaged_files_leave_no_entities) {
    static const char text[] =
        SCENE("\"components\": {\"Loot\": {\"fields\": {\"gold\": \"int32_t\"}, \"default\": {\"gold\": "
              "5}}}, \"globals\": {\"Tempest\": {\"cloud\": \"a\"}}, "
              "\"prefabs\": {\"p\": {\"prefab\": \"q\", \"overrides\": {\"c\": null}}, \"q\": "
              "{\"components\": {\"Follow\": {\"target\": \"c\"}}, "
              "\"children\": [{\"name\": \"c\"}]}}, \"entities\": [{\"name\": \"a\", \"id\": 1, \"prefab\": "
              "\"q\", \"overrides\": {\"c\": {\"active\": "
              "false, \"without\": [\"Loot\"]}}, \"components\": {\"Loot\": {}, \"Soul\": {\"mounts\": "
              "[{\"on\": \"#1\"}]}}}]");
    FiloWorld *world = new_world();
    Problems *problems = calloc(1, sizeof *problems);
    FiloRandom random = filo_random_sequence(7);
    size_t loaded = 0;
    for (size_t i = 0; i < 4 * sizeof text; i++) {
        char copy[sizeof text];
        memcpy(copy, text, sizeof text);
        size_t length = sizeof text - 1;
        size_t index = filo_random_below(&random, (uint32_t)length);
        char other = "{}[]\",:0a#/.\\ "[filo_random_below(&random, 14)];
        if (i < sizeof text - 1)
            length = i;
        else
            copy[index] = other;
        FiloScene *scene;
        FiloSceneDesc desc = { .problem = log_problem, .user = problems };
        problems->text[0] = '\0';
        FiloResult result = filo_scene_load_text(&scene, world, filo_string_from(copy, length), &desc);
        loaded += result.code == FILO_OK;
        assert_true((result.code == FILO_OK) == (scene != NULL));
        if (scene != NULL) free(saved(scene));
        filo_scene_unload(scene);
        assert_int_equal(filo_world_stats(world).entities, 0);
    }
    assert_true(loaded > 0);
    filo_world_destroy(world);
    free(problems);
}
