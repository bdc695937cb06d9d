// Shared by the tests of scenes: a world with components, and loading and saving texts.

#ifndef FILO_TEST_SCENES_H
#define FILO_TEST_SCENES_H

#include "scene/components.h"
#include "support/test.h"

#include <stdlib.h>

static inline FiloWorld *new_world(void) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    register_components(world);
    return world;
}

static inline void destroy_with_scene(FiloWorld *world, FiloScene *scene) {
    filo_scene_unload(scene);
    filo_world_destroy(world);
}

// The scene has all entities of the world.
static inline void destroy_with_whole_scene(FiloWorld *world, FiloScene *scene) {
    filo_scene_unload(scene);
    assert_int_equal(filo_world_stats(world).entities, 0);
    filo_world_destroy(world);
}

// The messages of all problems, one per line.
typedef struct Problems {
    char text[8192];
    FiloSceneProblem last;
    int count;
} Problems;

static inline void log_problem(const FiloSceneProblem *problem, void *user) {
    Problems *problems = user;
    size_t length = strlen(problems->text);
    snprintf(problems->text + length, sizeof problems->text - length, "%s\n", problem->message);
    problems->last = *problem;
    problems->count++;
}

#define SCENE(content) "{\"filo\": \"scene\", \"version\": 1, " content "}"

static inline FiloResult try_load(FiloScene **scene, FiloWorld *world, const char *text, Problems *problems) {
    FiloSceneDesc desc = { .source = "a.json", .problem = log_problem, .user = problems };
    return filo_scene_load_text(scene, world, filo_string(text), &desc);
}

// Loads a text that has no problems.
static inline FiloScene *load(FiloWorld *world, const char *text) {
    FiloScene *scene;
    Problems *problems = calloc(1, sizeof *problems);
    FiloSceneDesc desc = { .source = "a.json", .problem = log_problem, .user = problems };
    assert_ok(filo_scene_load_text(&scene, world, filo_string(text), &desc));
    assert_string_equal(problems->text, "");
    free(problems);
    return scene;
}

// Loads a text that has these problems, and unloads the scene.
static inline void expect_problems(const char *text, const char *messages) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    Problems *problems = calloc(1, sizeof *problems);
    assert_ok(try_load(&scene, world, text, problems));
    assert_string_equal(problems->text, messages);
    assert_int_equal(filo_scene_problems(scene), problems->count);
    destroy_with_whole_scene(world, scene);
    free(problems);
}

// Loads a text that is an error: nothing is created.
static inline void expect_rejected(const char *text, FiloCode code, const char *message) {
    FiloWorld *world = new_world();
    FiloScene *scene;
    Problems *problems = calloc(1, sizeof *problems);
    FiloResult result = try_load(&scene, world, text, problems);
    assert_string_equal(result.message, message);
    assert_int_equal(result.code, code);
    assert_null(scene);
    assert_int_equal(filo_world_stats(world).entities, 0);
    filo_world_destroy(world);
    free(problems);
}

// The saved text. The caller frees it.
static inline char *saved(FiloScene *scene) {
    FiloBuilder text = { 0 };
    assert_ok(filo_scene_write(scene, &text));
    char *copy = strdup(filo_builder_text(&text));
    filo_builder_deinit(&text);
    return copy;
}

static inline void expect_saved(FiloScene *scene, const char *text) {
    char *actual = saved(scene);
    assert_string_equal(actual, text);
    free(actual);
}

// Loads a text and saves it as the same text.
static inline void expect_round_trip(const char *text) {
    FiloWorld *world = new_world();
    FiloScene *scene = load(world, text);
    expect_saved(scene, text);
    destroy_with_whole_scene(world, scene);
}

#endif
