// Any bytes as a scene: it is refused and changes nothing, or it is loaded, and can be saved and loaded again as the
// same.

#include "scene/components.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(const FiloSceneProblem *problem, void *user) {
    *(size_t *)user += strlen(problem->message) + strlen(problem->entity) + strlen(problem->path);
}

static FiloBuilder save(FiloScene *scene) {
    FiloBuilder text = { 0 };
    FiloResult result = filo_scene_write(scene, &text);
    if (result.code != FILO_OK && result.code != FILO_ERROR_LIMIT) abort();
    return text;
}

static FiloWorld *make_world(bool requiring) {
    FiloWorld *world;
    if (filo_world_create(&world, NULL).code != FILO_OK) abort();
    if (requiring)
        register_requiring(world);
    else
        register_components(world);
    return world;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t seen = 0;
    FiloSceneDesc desc = { .source = "fuzz", .entity_limit = 200, .problem = ignore, .user = &seen };
    bool requiring = size % 2 != 0;
    FiloWorld *world = make_world(requiring), *other = make_world(requiring);
    FiloScene *scene, *again;
    if (filo_scene_load_text(&scene, world, filo_string_from((const char *)data, size), &desc).code ==
        FILO_OK) {
        FiloBuilder first = save(scene);
        if (first.length > 0) {
            FiloResult result = filo_scene_load_text(&again, other, filo_builder_string(&first), &desc);
            if (result.code != FILO_OK) abort();
            FiloBuilder second = save(again);
            if (!filo_string_equal(filo_builder_string(&first), filo_builder_string(&second))) abort();
            filo_builder_deinit(&second);
            filo_scene_unload(again);
        }
        filo_builder_deinit(&first);
    }
    filo_scene_unload(scene);
    if (filo_world_stats(world).entities != 0 || filo_world_stats(other).entities != 0) abort();
    filo_world_destroy(world);
    filo_world_destroy(other);
    return 0;
}
