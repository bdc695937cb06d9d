// Any bytes as a scene, in a world with all modules: it is refused and changes nothing, or it is loaded, and can be saved and
// loaded again as the same.

#include "scene/components.h"
#include "support/everything.h"

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

static Everything open_world(bool requiring) {
    Everything all = everything_open();
    if (requiring)
        register_requiring(all.world);
    else
        register_components(all.world);
    return all;
}

static void use(FiloScene *scene, FiloWorld *other, const FiloSceneDesc *desc) {
    FiloBuilder first = save(scene);
    if (first.length > 0) {
        FiloScene *again;
        FiloResult result = filo_scene_load_text(&again, other, filo_builder_string(&first), desc);
        if (result.code != FILO_OK) abort();
        FiloBuilder second = save(again);
        if (!filo_string_equal(filo_builder_string(&first), filo_builder_string(&second))) abort();
        filo_builder_deinit(&second);
        filo_scene_unload(again);
    }
    filo_builder_deinit(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t seen = 0;
    FiloSceneDesc desc = { .source = "fuzz", .entity_limit = 200, .problem = ignore, .user = &seen };
    bool requiring = size % 2 != 0;
    Everything all = open_world(requiring), other = open_world(requiring);
    FiloScene *scene;
    bool loaded =
        filo_scene_load_text(&scene, all.world, filo_string_from((const char *)data, size), &desc).code ==
        FILO_OK;
    if (loaded) {
        use(scene, other.world, &desc);
        everything_run(&all, 2);
    }
    filo_scene_unload(scene);
    // Systems may have made entities of their own.
    if (filo_world_stats(other.world).entities != 0 || (!loaded && filo_world_stats(all.world).entities != 0))
        abort();
    everything_close(&all);
    everything_close(&other);
    return 0;
}
