// Creates entities from nodes: prefabs first, each after its dependencies, then the other entities.
//
// Consecutive nodes that are instances of one prefab, or have the same components, are created as a batch: ten thousand
// crates are one call of filo_prefab_instantiate. Their differences are set afterwards, without moving them to other
// tables. After a failure, all created entities are destroyed.

#include "scene/scene.h"

#include <stdlib.h>

static bool build_list(SceneLoader *loader, SceneList list, FiloEntity parent);

static bool in_prefab(const SceneNode *node) { return node->owner != SCENE_NONE; }

// ---- Names ------------------------------------------------------------------------------------------------

static bool set_name(SceneLoader *loader, FiloEntity entity, const char *name, SceneLocation location) {
    if (name == NULL) return scene_no_memory(loader);
    if (filo_world_find(loader->world, name).id != 0)
        return scene_fail(loader, location, FILO_ERROR_EXISTS, "the name \"%s\" is used already", name);
    FiloName counted; // reports the limit of names, which filo_entity_set_name does not
    FiloResult result = filo_name_retain(&counted, filo_string(name));
    if (result.code == FILO_ERROR_LIMIT)
        return scene_fail(loader, location, result.code, "%s", result.message);
    bool ok = filo_entity_set_name(loader->world, entity, name);
    filo_name_release(counted);
    return ok || scene_no_memory(loader);
}

// Inside a prefab, names are paths that begin with the name of its root.
static bool set_label(SceneLoader *loader, FiloEntity entity, FiloString label, SceneLocation location) {
    FiloEntity root = loader->building, parent = filo_entity_parent(loader->world, entity);
    filo_builder_clear(&loader->name);
    filo_builder_add_text(&loader->name, filo_entity_name(loader->world, root));
    if (parent.id != root.id) {
        filo_builder_add_byte(&loader->name, '/');
        scene_add_path(&loader->name, loader->world, root, parent, NULL);
    }
    filo_builder_add_byte(&loader->name, '/');
    filo_builder_add(&loader->name, label);
    return set_name(loader, entity, loader->name.failed ? NULL : filo_builder_text(&loader->name), location);
}

static bool name_node(SceneLoader *loader, uint32_t number) {
    const SceneNode *node = scene_node(loader, number);
    if (node->name.length == 0) return true;
    if (in_prefab(node) && node->kind != SCENE_NODE_PREFAB)
        return set_label(loader, node->entity, node->name, node->name_location);
    return set_name(loader, node->entity, scene_world_name(loader, node->name), node->name_location);
}

// ---- Members ----------------------------------------------------------------------------------------------

// Adds the entity of a node, and the copies of its prefab's children, to the members.
static bool list_members(SceneLoader *loader, uint32_t number) {
    FiloScene *scene = loader->scene;
    SceneNode *node = scene_node(loader, number);
    SceneRecord record = { .root = node->entity, .id = node->id };
    node->member = (uint32_t)scene->members.count;
    if (node->id != 0 && !filo_map_set(&scene->ids, node->id, &node->entity)) return scene_no_memory(loader);
    scene->last_id = FILO_MAX(scene->last_id, node->id);
    if (node->info == SCENE_NONE)
        return scene_add_member(scene, node->entity, record) || scene_no_memory(loader);
    const ScenePrefabInfo *info = &loader->infos.items[node->info];
    FiloEntity copy = node->entity;
    for (uint32_t i = 0; i < info->count; i++) {
        record.source = loader->sources.items[info->first + i];
        if (!scene_add_member(scene, copy, record)) return scene_no_memory(loader);
        record.id = 0;
        copy = scene_next_in_tree(loader->world, node->entity, copy);
    }
    return true;
}

// Names the copies of a prefab inside another prefab. Copies in instances have no names.
static bool name_copies(SceneLoader *loader, uint32_t number) {
    const SceneNode *node = scene_node(loader, number);
    if (!in_prefab(node) || node->info == SCENE_NONE) return true;
    uint32_t first = loader->infos.items[node->info].first, count = loader->infos.items[node->info].count;
    for (uint32_t i = 1; i < count; i++) {
        FiloString label =
            scene_label(filo_string(filo_entity_name(loader->world, loader->sources.items[first + i])));
        FiloEntity copy = loader->scene->members.items[node->member + i];
        if (label.length > 0 && !set_label(loader, copy, label, node->location)) return false;
    }
    return true;
}

// ---- Differences ------------------------------------------------------------------------------------------

static bool add_unknown(SceneLoader *loader, FiloEntity entity, const SceneEntry *entry) {
    FiloString text =
        filo_string_from(loader->text + entry->value.offset, entry->value_end - entry->value.offset);
    return scene_add_unknown(loader->scene, entity, entry->name, text) || scene_no_memory(loader);
}

static bool read_components(SceneLoader *loader, uint32_t number) {
    const SceneNode *node = scene_node(loader, number);
    for (uint32_t i = 0; i < node->entry_count; i++) {
        const SceneEntry *entry = &loader->entries.items[node->first_entry + i];
        if (entry->dropped) continue;
        if (entry->component.id == 0) {
            if (!add_unknown(loader, node->entity, entry)) return false;
            continue;
        }
        const FiloComponentInfo *info = filo_component_info(loader->world, entry->component);
        void *value = info->size > 0 ? filo_entity_edit(loader->world, node->entity, entry->component) : NULL;
        if (info->size > 0 && value == NULL) return scene_no_memory(loader);
        if (!scene_read(loader, number, entry, value)) return false;
    }
    return true;
}

// Whether a node lists a component, or (`required`) one that requires it.
static bool lists_component(const SceneLoader *loader, const SceneNode *node, FiloComponent component,
                            bool required) {
    for (uint32_t i = 0; i < node->entry_count; i++) {
        const SceneEntry *entry = &loader->entries.items[node->first_entry + i];
        if (entry->dropped || entry->component.id == 0) continue;
        if (!required && entry->component.id == component.id) return true;
        if (required && scene_requires(loader->world, entry->component, component)) return true;
    }
    return false;
}

static bool remove_components(SceneLoader *loader, uint32_t number) {
    const SceneNode *node = scene_node(loader, number);
    for (uint32_t i = 0; i < node->without_count; i++) {
        const SceneEntry *entry = &loader->withouts.items[node->first_without + i];
        if (entry->dropped) continue;
        if (entry->component.id == 0) {
            if (!scene_add_unknown(loader->scene, node->entity, entry->name, FILO_STRING("")))
                return scene_no_memory(loader);
        } else if (!filo_entity_has(loader->world, node->entity, entry->component)) {
            if (lists_component(loader, node, entry->component, true))
                continue; // add_components has left it out
            scene_report(loader->scene,
                         &(SceneReport){ .kind = FILO_SCENE_UNKNOWN_OVERRIDE,
                                         .source = loader->source,
                                         .location = entry->location,
                                         .entity = node->name },
                         "without %.*s: it has none anyway", SCENE_EXCERPT(entry->name));
        } else if (!filo_entity_remove(loader->world, node->entity, entry->component))
            return scene_no_memory(loader);
    }
    return true;
}

static bool set_active(SceneLoader *loader, const SceneNode *node) {
    if (!node->active && !node->inactive) return true;
    filo_entity_set_active(loader->world, node->entity, node->active);
    return filo_entity_active(loader->world, node->entity) == node->active || scene_no_memory(loader);
}

// Adds the components that the entity does not have yet, with the components that they require, except those that are
// listed in "without".
static bool add_components(SceneLoader *loader, uint32_t number) {
    const SceneNode *node = scene_node(loader, number);
    SceneComponentArray *without = &loader->other_set;
    filo_array_clear(&loader->values);
    filo_array_clear(without);
    for (uint32_t i = 0; i < node->entry_count; i++) {
        const SceneEntry *entry = &loader->entries.items[node->first_entry + i];
        if (entry->dropped || entry->component.id == 0 ||
            filo_entity_has(loader->world, node->entity, entry->component))
            continue;
        if (!filo_array_push(&loader->values, (FiloComponentValue){ .component = entry->component }))
            return scene_no_memory(loader);
    }
    if (loader->values.count == 0) return true;
    for (uint32_t i = 0; i < node->without_count; i++) {
        const SceneEntry *entry = &loader->withouts.items[node->first_without + i];
        if (entry->dropped || entry->component.id == 0 ||
            lists_component(loader, node, entry->component, false))
            continue;
        if (!filo_array_push(without, entry->component)) return scene_no_memory(loader);
    }
    return filo_entity_change(loader->world, node->entity, loader->values.items, loader->values.count,
                              without->items, without->count) ||
           scene_no_memory(loader);
}

static bool apply_override(SceneLoader *loader, uint32_t instance, uint32_t number) {
    SceneNode *node = scene_node(loader, number);
    const SceneNode *instance_node = scene_node(loader, instance);
    FiloEntity source =
        scene_find_path(loader->world, loader->infos.items[instance_node->info].entity, node->name);
    const uint32_t *index = source.id != 0 ? filo_map_get(&loader->source_order, source.id) : NULL;
    FiloEntity copy = { 0 };
    if (index != NULL && *index > 0) copy = loader->scene->members.items[instance_node->member + *index];
    if (!filo_entity_exists(loader->world, copy)) { // the prefab has no such child, or an override removed it
        scene_report(loader->scene,
                     &(SceneReport){ .kind = FILO_SCENE_UNKNOWN_OVERRIDE,
                                     .source = loader->source,
                                     .location = node->location,
                                     .entity = instance_node->name },
                     "there is no \"%.*s\" in prefab %.*s", SCENE_EXCERPT(node->name),
                     SCENE_EXCERPT(instance_node->prefab));
        return true;
    }
    if (node->removed) {
        filo_entity_destroy(loader->world, copy);
        return true;
    }
    node->entity = copy;
    if (node->rename.length > 0 &&
        !set_name(loader, copy, scene_world_name(loader, node->rename), node->name_location))
        return false;
    return set_active(loader, node) && remove_components(loader, number) && add_components(loader, number) &&
           read_components(loader, number) && build_list(loader, node->children, copy);
}

static bool apply_overrides(SceneLoader *loader, uint32_t number) {
    uint32_t i = scene_node(loader, number)->overrides.first;
    for (; i != SCENE_NONE; i = scene_node(loader, i)->next)
        if (!apply_override(loader, number, i)) return false;
    return true;
}

// The remaining steps for a node whose entity was created.
static bool finish_node(SceneLoader *loader, uint32_t number) {
    return list_members(loader, number) && name_node(loader, number) && name_copies(loader, number) &&
           set_active(loader, scene_node(loader, number)) && remove_components(loader, number) &&
           add_components(loader, number) && read_components(loader, number) &&
           apply_overrides(loader, number) &&
           build_list(loader, scene_node(loader, number)->children, scene_node(loader, number)->entity);
}

// ---- Batches ----------------------------------------------------------------------------------------------

static int compare_components(const void *a, const void *b) {
    uint32_t x = ((const FiloComponent *)a)->id, y = ((const FiloComponent *)b)->id;
    return x < y ? -1 : x > y;
}

// The components that an entity is created with: its own, without those of its prefab.
static bool list_components(SceneLoader *loader, const SceneNode *node, SceneComponentArray *components) {
    FiloEntity prefab = node->info != SCENE_NONE ? loader->infos.items[node->info].entity : FILO_ENTITY_NONE;
    filo_array_clear(components);
    for (uint32_t i = 0; i < node->entry_count; i++) {
        const SceneEntry *entry = &loader->entries.items[node->first_entry + i];
        if (entry->dropped || entry->component.id == 0) continue;
        if (prefab.id != 0 && filo_entity_has(loader->world, prefab, entry->component)) continue;
        if (!filo_array_push(components, entry->component)) return scene_no_memory(loader);
    }
    if (components->count > 1)
        qsort(components->items, components->count, sizeof *components->items, compare_components);
    return true;
}

// Sets loader->set and loader->values to these components.
static bool list_values(SceneLoader *loader, const SceneNode *node) {
    if (!list_components(loader, node, &loader->set)) return false;
    filo_array_clear(&loader->values);
    filo_array_each (&loader->set, component)
        if (!filo_array_push(&loader->values, (FiloComponentValue){ .component = *component }))
            return scene_no_memory(loader);
    return true;
}

static bool is_same_set(const SceneLoader *loader) {
    return loader->set.count == loader->other_set.count &&
           (loader->set.count == 0 || memcmp(loader->set.items, loader->other_set.items,
                                             loader->set.count * sizeof *loader->set.items) == 0);
}

// Counts the nodes from this one on that can be created as a batch. Sets loader->values to their components.
static bool count_batch(SceneLoader *loader, uint32_t first, size_t *count) {
    const SceneNode *node = scene_node(loader, first);
    if (!list_values(loader, node)) return false;
    *count = 1;
    for (uint32_t i = node->next; i != SCENE_NONE; i = scene_node(loader, i)->next) {
        const SceneNode *other = scene_node(loader, i);
        if (other->info != node->info) break;
        if (!list_components(loader, other, &loader->other_set)) return false;
        if (!is_same_set(loader)) break;
        ++*count;
    }
    return true;
}

// Grows loader->created by doubling: filo_array_reserve allocates exactly what is requested.
static bool reserve_created(SceneLoader *loader, size_t count) {
    size_t needed = loader->created.count + count;
    return needed <= loader->created.capacity ||
           filo_array_reserve(&loader->created, FILO_MAX(needed, loader->created.capacity * 2)) ||
           scene_no_memory(loader);
}

static bool create_batch(SceneLoader *loader, uint32_t first, size_t count, FiloEntity parent) {
    const SceneNode *node = scene_node(loader, first);
    if (!reserve_created(loader, count)) return false;
    FiloEntity *entities = loader->created.items + loader->created.count;
    bool ok;
    if (node->kind == SCENE_NODE_PREFAB && node->info != SCENE_NONE) {
        *entities = filo_prefab_derive(loader->world, loader->infos.items[node->info].entity,
                                       loader->values.items, loader->values.count);
        ok = entities->id != 0;
    } else if (node->info != SCENE_NONE) {
        FiloInstanceDesc desc = { .count = count,
                                  .parent = parent,
                                  .values = loader->values.items,
                                  .value_count = loader->values.count,
                                  .entities = entities };
        ok = filo_prefab_instantiate(loader->world, loader->infos.items[node->info].entity, &desc);
    } else {
        FiloBlockDesc desc = { .count = count,
                               .values = loader->values.items,
                               .value_count = loader->values.count,
                               .entities = entities };
        ok = filo_entity_create_block(loader->world, &desc);
    }
    if (!ok) return scene_no_memory(loader);
    loader->created.count += count;
    uint32_t number = first;
    for (size_t i = 0; i < count; i++, number = scene_node(loader, number)->next) {
        scene_node(loader, number)->entity = entities[i];
        if (node->info == SCENE_NONE && parent.id != 0 &&
            !filo_entity_set_parent(loader->world, entities[i], parent))
            return scene_no_memory(loader);
    }
    return true;
}

static bool build_list(SceneLoader *loader, SceneList list, FiloEntity parent) {
    uint32_t number = list.first;
    while (number != SCENE_NONE) {
        size_t count = 0;
        if (!count_batch(loader, number, &count) || !create_batch(loader, number, count, parent))
            return false;
        for (size_t i = 0; i < count; i++, number = scene_node(loader, number)->next)
            if (!finish_node(loader, number)) return false;
    }
    return true;
}

// ---- The whole file ---------------------------------------------------------------------------------------

// Lists the entities of a prefab in `sources`.
static bool list_sources(SceneLoader *loader, ScenePrefabInfo *info) {
    info->first = (uint32_t)loader->sources.count;
    info->count = 0;
    for (FiloEntity part = info->entity; part.id != 0;
         part = scene_next_in_tree(loader->world, info->entity, part)) {
        if (!filo_map_set(&loader->source_order, part.id, &info->count) ||
            !filo_array_push(&loader->sources, part))
            return scene_no_memory(loader);
        info->count++;
    }
    return true;
}

static bool build_prefab(SceneLoader *loader, uint32_t number) {
    uint32_t node = loader->infos.items[number].node;
    size_t first_member = loader->scene->members.count;
    if (!list_values(loader, scene_node(loader, node))) return false;
    if (!create_batch(loader, node, 1, FILO_ENTITY_NONE)) return false;
    FiloEntity root = loader->building = scene_node(loader, node)->entity;
    if (!finish_node(loader, node)) return false;
    if (!filo_prefab_make(loader->world, root)) return scene_no_memory(loader);
    loader->infos.items[number].entity = root;
    loader->infos.items[number].first_member = (uint32_t)first_member;
    loader->infos.items[number].member_count = (uint32_t)(loader->scene->members.count - first_member);
    scene_link_prefab(loader, node, first_member);
    return list_sources(loader, &loader->infos.items[number]);
}

static bool build_globals(SceneLoader *loader) {
    filo_array_each (&loader->globals, entry) {
        if (entry->dropped) continue;
        if (entry->component.id == 0) {
            if (!add_unknown(loader, FILO_ENTITY_NONE, entry)) return false;
            continue;
        }
        if (!filo_scene_add_global(loader->scene, entry->component)) return scene_no_memory(loader);
    }
    return true;
}

// Reads into copies, because setting a global cannot be undone after a failure.
static bool read_globals(SceneLoader *loader) {
    filo_array_each (&loader->globals, entry) {
        if (entry->dropped || entry->component.id == 0) continue;
        const FiloComponentInfo *info = filo_component_info(loader->world, entry->component);
        void *value = filo_alloc_zero(loader->allocator, info->size, info->type->align);
        if (value == NULL ||
            !filo_array_push(&loader->global_values,
                             (FiloComponentValue){ .component = entry->component, .value = value })) {
            filo_free(loader->allocator, value, info->size, info->type->align);
            return scene_no_memory(loader);
        }
        if (info->default_value != NULL) memcpy(value, info->default_value, info->size);
        if (!scene_read(loader, SCENE_NONE, entry, value)) return false;
    }
    return true;
}

// Copies only the described fields: other bytes may belong to hooks.
static void copy_fields(const FiloType *type, uint8_t *to, const uint8_t *from) {
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        memcpy(to + field->offset, from + field->offset,
               filo_field_type(field)->size * FILO_MAX(field->count, (size_t)1));
    }
}

static void set_globals(SceneLoader *loader) {
    filo_array_each (&loader->global_values, global) {
        const FiloComponentInfo *info = filo_component_info(loader->world, global->component);
        void *value = (void *)(uintptr_t)global->value;
        if (info->has_entities) scene_link_global(loader, info->type, value);
        copy_fields(info->type, filo_global_edit(loader->world, global->component), value);
    }
}

// Lists the members in the order of the file. Prefabs were created in the order of their dependencies.
static bool list_in_order(SceneLoader *loader, SceneEntityArray *members) {
    if (loader->scene->members.count == 0) return true;
    if (!filo_array_reserve(members, loader->scene->members.count)) return false;
    uint32_t prefab_members = 0;
    filo_array_each (&loader->infos, info) {
        if (info->node == SCENE_NONE) continue;
        filo_array_push_many(members, loader->scene->members.items + info->first_member, info->member_count);
        prefab_members += info->member_count;
    }
    filo_array_push_many(members, loader->scene->members.items + prefab_members,
                         loader->scene->members.count - prefab_members);
    return true;
}

bool scene_build(SceneLoader *loader) {
    if (!filo_bits_resize(&loader->with_references, filo_component_count(loader->world) + 1))
        return scene_no_memory(loader);
    filo_array_each (&loader->order, number)
        if (!build_prefab(loader, *number)) return false;
    if (!build_list(loader, loader->entities, loader->desc->parent)) return false;
    if (!build_globals(loader) || !read_globals(loader)) return false;
    SceneEntityArray ordered;
    filo_array_init(&ordered, loader->allocator);
    if (!list_in_order(loader, &ordered)) return scene_no_memory(loader);
    scene_link(loader);
    set_globals(loader);
    filo_array_deinit(&loader->scene->members);
    loader->scene->members = ordered;
    return true;
}
