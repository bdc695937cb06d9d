// The scene and its members.
//
// Members are the entities that were loaded or added, in the order in which they are saved. Children of members
// belong to the scene without being members. An instance is followed by the copies of its prefab's children, each
// with a record of its source. Members may be destroyed at any time. That is detected by their ids, and scene_prune
// removes them.

#include "scene/scene.h"

FiloResult scene_new(FiloScene **scene, FiloWorld *world, const FiloSceneDesc *desc) {
    const FiloAllocator *allocator = desc->allocator;
    FiloScene *created = filo_alloc_zero(allocator, sizeof *created, 0);
    if (created == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a scene");
    created->world = world;
    created->allocator = allocator;
    created->problem = desc->problem;
    created->user = desc->user;
    filo_array_init(&created->members, allocator);
    filo_array_init(&created->unknown, allocator);
    filo_array_init(&created->globals, allocator);
    filo_array_init(&created->definitions, allocator);
    filo_map_init(&created->records, sizeof(SceneRecord), allocator);
    filo_map_init(&created->ids, sizeof(FiloEntity), allocator);
    if (desc->prefix != NULL && desc->prefix[0] != '\0') {
        created->prefix_length = strlen(desc->prefix);
        created->prefix = filo_alloc(allocator, created->prefix_length + 1, 1);
        if (created->prefix == NULL) {
            filo_scene_release(created);
            return filo_error(FILO_ERROR_MEMORY, "no memory for a scene");
        }
        memcpy(created->prefix, desc->prefix, created->prefix_length + 1);
    }
    *scene = created;
    return filo_ok();
}

FiloResult filo_scene_create(FiloScene **scene, FiloWorld *world, const FiloSceneDesc *desc) {
    if (scene == NULL || world == NULL) return FILO_MISTAKE("pass a world, and where to put the scene");
    *scene = NULL;
    return scene_new(scene, world, desc != NULL ? desc : &(FiloSceneDesc){ 0 });
}

void filo_scene_release(FiloScene *scene) {
    if (scene == NULL) return;
    const FiloAllocator *allocator = scene->allocator;
    filo_array_each (&scene->unknown, unknown) filo_free(allocator, unknown->name, unknown->block_size, 1);
    filo_array_deinit(&scene->unknown);
    filo_array_deinit(&scene->members);
    filo_array_deinit(&scene->globals);
    filo_array_deinit(&scene->definitions);
    filo_map_deinit(&scene->records);
    filo_map_deinit(&scene->ids);
    filo_free(allocator, scene->prefix, scene->prefix_length + 1, 1);
    filo_free(allocator, scene, sizeof *scene, 0);
}

void filo_scene_unload(FiloScene *scene) {
    if (scene == NULL) return;
    filo_entity_destroy_many(scene->world, scene->members.items, scene->members.count);
    filo_scene_release(scene);
}

// ---- Members --------------------------------------------------------------------------------------------

SceneRecord *scene_record(const FiloScene *scene, FiloEntity entity) {
    return entity.id != 0 ? filo_map_get(&scene->records, entity.id) : NULL;
}

bool scene_add_member(FiloScene *scene, FiloEntity entity, SceneRecord record) {
    if (!filo_array_push(&scene->members, entity)) return false;
    if (filo_map_set(&scene->records, entity.id, &record)) return true;
    scene->members.count--;
    return false;
}

bool scene_add_unknown(FiloScene *scene, FiloEntity entity, FiloString name, FiloString text) {
    SceneUnknown unknown = { .block_size = name.length + text.length + 2, .entity = entity };
    unknown.name = filo_alloc(scene->allocator, unknown.block_size, 1);
    if (unknown.name == NULL) return false;
    unknown.text = unknown.name + name.length + 1;
    filo_string_copy(name, unknown.name, name.length + 1);
    filo_string_copy(text, unknown.text, text.length + 1);
    SceneRecord *record = scene_record(scene, entity);
    uint32_t *first = record != NULL ? &record->first_unknown : &scene->first_unknown_global;
    unknown.next = *first;
    if (!filo_array_push(&scene->unknown, unknown)) {
        filo_free(scene->allocator, unknown.name, unknown.block_size, 1);
        return false;
    }
    *first = (uint32_t)scene->unknown.count;
    return true;
}

FiloEntity scene_member_of(const FiloScene *scene, FiloEntity entity) {
    while (entity.id != 0 && scene_record(scene, entity) == NULL)
        entity = filo_entity_parent(scene->world, entity);
    return entity;
}

void scene_prune(FiloScene *scene) {
    size_t count = 0;
    filo_array_each (&scene->members, member) {
        if (filo_entity_exists(scene->world, *member))
            scene->members.items[count++] = *member;
        else
            filo_map_remove(&scene->records, member->id);
    }
    scene->members.count = count;
}

FiloEntity scene_next_in_tree(const FiloWorld *world, FiloEntity root, FiloEntity entity) {
    FiloEntity next = filo_entity_first_child(world, entity);
    while (next.id == 0 && entity.id != root.id && entity.id != 0) {
        next = filo_entity_next_sibling(world, entity);
        entity = filo_entity_parent(world, entity);
    }
    return next;
}

// ---- Contents -------------------------------------------------------------------------------------------

FiloWorld *filo_scene_world(const FiloScene *scene) {
    return FILO_CHECK(scene != NULL, "pass a scene") ? scene->world : NULL;
}
size_t filo_scene_problems(const FiloScene *scene) {
    return FILO_CHECK(scene != NULL, "pass a scene") ? scene->problem_count : 0;
}

bool filo_scene_has(const FiloScene *scene, FiloEntity entity) {
    if (!FILO_CHECK(scene != NULL, "pass a scene")) return false;
    return filo_entity_exists(scene->world, entity) && scene_member_of(scene, entity).id != 0;
}

// Whether a member exists and is not part of another member.
static bool is_listed(const FiloScene *scene, FiloEntity member) {
    return filo_entity_exists(scene->world, member) &&
           scene_member_of(scene, filo_entity_parent(scene->world, member)).id == 0;
}

size_t filo_scene_entities(const FiloScene *scene, FiloEntity *entities, size_t capacity) {
    if (!FILO_CHECK(scene != NULL, "pass a scene")) return 0;
    size_t count = 0;
    filo_array_each (&scene->members, member) {
        if (!is_listed(scene, *member)) continue;
        if (count < capacity) entities[count] = *member;
        count++;
    }
    return count;
}

FiloEntity filo_scene_source(const FiloScene *scene, FiloEntity entity) {
    if (!FILO_CHECK(scene != NULL, "pass a scene")) return FILO_ENTITY_NONE;
    const SceneRecord *record = scene_record(scene, entity);
    bool ok = record != NULL && filo_entity_exists(scene->world, entity) &&
              filo_entity_exists(scene->world, record->source);
    return ok ? record->source : FILO_ENTITY_NONE;
}

bool filo_scene_add(FiloScene *scene, FiloEntity entity) {
    if (!FILO_CHECK(scene != NULL, "pass a scene")) return false;
    if (!FILO_CHECK(filo_entity_exists(scene->world, entity), "add an entity that exists to a scene"))
        return false;
    if (scene_member_of(scene, entity).id != 0) return true;
    return scene_add_member(scene, entity, (SceneRecord){ .root = entity });
}

bool filo_scene_add_global(FiloScene *scene, FiloComponent component) {
    if (!FILO_CHECK(scene != NULL, "pass a scene")) return false;
    const FiloComponentInfo *info = filo_component_info(scene->world, component);
    if (!FILO_CHECK(info != NULL && info->storage == FILO_STORAGE_GLOBAL,
                    "add a component that is registered as global"))
        return false;
    filo_array_each (&scene->globals, global)
        if (global->id == component.id) return true;
    return filo_array_push(&scene->globals, component);
}

bool filo_scene_add_world(FiloScene *scene) {
    if (!FILO_CHECK(scene != NULL, "pass a scene")) return false;
    for (uint32_t i = 0; i < filo_entity_index_end(scene->world); i++) {
        FiloEntity entity = filo_entity_at(scene->world, i);
        if (entity.id == 0 || filo_entity_parent(scene->world, entity).id != 0) continue;
        if (!filo_scene_add(scene, entity)) return false;
    }
    for (uint32_t i = 1; i <= filo_component_count(scene->world); i++) {
        const FiloComponentInfo *info = filo_component_info(scene->world, (FiloComponent){ i });
        if (info->storage != FILO_STORAGE_GLOBAL || info->transient) continue;
        if (!filo_scene_add_global(scene, (FiloComponent){ i })) return false;
    }
    return true;
}

FiloEntity filo_scene_instance(FiloScene *scene, FiloEntity prefab, FiloEntity parent) {
    if (!FILO_CHECK(scene != NULL, "pass a scene")) return FILO_ENTITY_NONE;
    FiloWorld *world = scene->world;
    if (!FILO_CHECK(filo_entity_exists(world, prefab) && filo_has(world, prefab, FiloPrefab),
                    "make an instance of a prefab: filo_prefab_make makes one of an entity"))
        return FILO_ENTITY_NONE;
    FiloEntity root = { 0 };
    if (!filo_prefab_instantiate(world, prefab, &(FiloInstanceDesc){ .parent = parent, .entities = &root }))
        return FILO_ENTITY_NONE;
    size_t before = scene->members.count;
    FiloEntity copy = root;
    for (FiloEntity source = prefab; source.id != 0 && copy.id != 0;
         source = scene_next_in_tree(world, prefab, source)) {
        if (!scene_add_member(scene, copy, (SceneRecord){ .source = source, .root = root })) {
            for (size_t i = before; i < scene->members.count; i++)
                filo_map_remove(&scene->records, scene->members.items[i].id);
            scene->members.count = before;
            filo_entity_destroy(world, root);
            return FILO_ENTITY_NONE;
        }
        copy = scene_next_in_tree(world, root, copy);
    }
    return root;
}

bool filo_scene_remove(FiloScene *scene, FiloEntity entity) {
    if (!FILO_CHECK(scene != NULL, "pass a scene")) return false;
    if (scene_record(scene, entity) == NULL || !is_listed(scene, entity)) return false;
    for (FiloEntity part = entity; part.id != 0; part = scene_next_in_tree(scene->world, entity, part))
        filo_map_remove(&scene->records, part.id);
    size_t count = 0;
    filo_array_each (&scene->members, member)
        if (scene_record(scene, *member) != NULL) scene->members.items[count++] = *member;
    scene->members.count = count;
    return true;
}
