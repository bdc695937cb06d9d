// Loading a scene: runs the steps of a loader.

#include "scene/scene.h"

#include <filo/files.h>

static void loader_init(SceneLoader *loader, FiloScene *scene, FiloString text, const FiloSceneDesc *desc) {
    const FiloAllocator *allocator = desc->allocator;
    *loader =
        (SceneLoader){ .scene = scene,
                       .world = scene->world,
                       .allocator = allocator,
                       .desc = desc,
                       .source = desc->source != NULL ? desc->source : "scene",
                       .text = text.data != NULL ? text.data : "",
                       .length = text.length,
                       .entity_limit = desc->entity_limit != 0 ? desc->entity_limit : FILO_SCENE_ENTITIES };
    loader->prefabs = loader->entities = (SceneList){ SCENE_NONE, SCENE_NONE };
    filo_array_init(&loader->nodes, allocator);
    filo_array_init(&loader->entries, allocator);
    filo_array_init(&loader->withouts, allocator);
    filo_array_init(&loader->globals, allocator);
    filo_array_init(&loader->definitions, allocator);
    filo_array_init(&loader->infos, allocator);
    filo_array_init(&loader->dependants, allocator);
    filo_array_init(&loader->order, allocator);
    filo_array_init(&loader->sources, allocator);
    filo_array_init(&loader->references, allocator);
    filo_array_init(&loader->created, allocator);
    filo_array_init(&loader->values, allocator);
    filo_array_init(&loader->set, allocator);
    filo_array_init(&loader->other_set, allocator);
    filo_array_init(&loader->global_values, allocator);
    filo_map_init(&loader->names, sizeof(uint32_t), allocator);
    filo_map_init(&loader->ids, sizeof(uint32_t), allocator);
    filo_map_init(&loader->info_by_entity, sizeof(uint32_t), allocator);
    filo_map_init(&loader->source_order, sizeof(uint32_t), allocator);
    filo_builder_init(&loader->paths, allocator);
    filo_builder_init(&loader->name, allocator);
    filo_bits_init(&loader->with_references, allocator);
}

static void loader_deinit(SceneLoader *loader) {
    for (SceneText *text = loader->texts; text != NULL;) {
        SceneText *next = text->next;
        filo_free(loader->allocator, text, text->block_size, 0);
        text = next;
    }
    filo_array_each (&loader->global_values, global) {
        const FiloComponentInfo *info = filo_component_info(loader->world, global->component);
        filo_free(loader->allocator, (void *)(uintptr_t)global->value, info->size, info->type->align);
    }
    scene_definitions_deinit(loader);
    filo_array_deinit(&loader->nodes);
    filo_array_deinit(&loader->entries);
    filo_array_deinit(&loader->withouts);
    filo_array_deinit(&loader->globals);
    filo_array_deinit(&loader->infos);
    filo_array_deinit(&loader->dependants);
    filo_array_deinit(&loader->order);
    filo_array_deinit(&loader->sources);
    filo_array_deinit(&loader->references);
    filo_array_deinit(&loader->created);
    filo_array_deinit(&loader->values);
    filo_array_deinit(&loader->set);
    filo_array_deinit(&loader->other_set);
    filo_array_deinit(&loader->global_values);
    filo_map_deinit(&loader->names);
    filo_map_deinit(&loader->ids);
    filo_map_deinit(&loader->info_by_entity);
    filo_map_deinit(&loader->source_order);
    filo_builder_deinit(&loader->paths);
    filo_builder_deinit(&loader->name);
    filo_bits_deinit(&loader->with_references);
}

FiloResult filo_scene_load_text(FiloScene **scene, FiloWorld *world, FiloString text,
                                const FiloSceneDesc *desc) {
    static const FiloSceneDesc defaults;
    if (desc == NULL) desc = &defaults;
    if (scene == NULL || world == NULL) return FILO_MISTAKE("pass a world, and where to put the scene");
    *scene = NULL;
    if (desc->parent.id != 0 && !filo_entity_exists(world, desc->parent))
        return FILO_MISTAKE("the parent of a scene's entities must exist");
    FiloScene *created;
    FiloResult result = scene_new(&created, world, desc);
    if (result.code != FILO_OK) return result;
    SceneLoader loader;
    loader_init(&loader, created, text, desc);
    bool ok = scene_parse(&loader) && scene_check(&loader) && scene_build(&loader);
    result = loader.result;
    if (!ok) filo_entity_destroy_many(world, loader.created.items, loader.created.count);
    filo_name_batch_end(&loader.value_names, ok);
    loader_deinit(&loader);
    if (!ok) {
        filo_scene_release(created);
        return result;
    }
    *scene = created;
    return filo_ok();
}

FiloResult filo_scene_load(FiloScene **scene, FiloWorld *world, const char *path, const FiloSceneDesc *desc) {
    if (scene == NULL || world == NULL || path == NULL)
        return FILO_MISTAKE("pass a world, a path, and where to put the scene");
    *scene = NULL;
    FiloSceneDesc named = { 0 };
    if (desc != NULL) named = *desc;
    named.source = path;
    FiloFileData data;
    FiloResult result = filo_file_read(&data, path, &(FiloFileReadDesc){ .allocator = named.allocator });
    if (result.code != FILO_OK) return result;
    result = filo_scene_load_text(scene, world, filo_string_from(data.text, data.size), &named);
    filo_file_free(&data);
    return result;
}
