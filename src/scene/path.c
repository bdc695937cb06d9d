// The text of references, which consists of labels.
//
// The name of a child inside a prefab begins with the name of its parent: "tank/turret". The part after the last
// slash is its label. Names are not copied to instances of a prefab, so copies are found by their sources.

#include "scene/scene.h"

FiloString scene_label(FiloString name) {
    size_t slash = filo_string_find_last(name, FILO_STRING("/"));
    return slash == FILO_STRING_NOT_FOUND ? name : filo_string_slice(name, slash + 1, SIZE_MAX);
}

bool scene_is_label(FiloString name) {
    return name.length > 0 && name.data[0] != '#' && memchr(name.data, '/', name.length) == NULL &&
           !filo_string_equal(name, FILO_STRING("."));
}

static FiloString label_of(const FiloWorld *world, FiloEntity entity) {
    return scene_label(filo_string(filo_entity_name(world, entity)));
}

static unsigned child_index(const FiloWorld *world, FiloEntity entity) {
    FiloEntity parent = filo_entity_parent(world, entity);
    unsigned number = 0;
    filo_entity_each_child (world, parent, child) {
        if (child.id == entity.id) break;
        number++;
    }
    return number;
}

void scene_add_path(FiloBuilder *text, const FiloWorld *world, FiloEntity root, FiloEntity entity,
                    SceneWriter *writer) {
    // Each step searches the next ancestor from `entity` upwards. That is fast enough, because families are not deep.
    for (FiloEntity ancestor = root; ancestor.id != entity.id;) {
        FiloEntity step = entity;
        for (FiloEntity parent;
             (parent = filo_entity_parent(world, step)).id != ancestor.id && parent.id != 0;)
            step = parent;
        if (ancestor.id != root.id) filo_builder_add_byte(text, '/');
        FiloString label = label_of(world, step);
        if (label.length > 0)
            filo_builder_add(text, label);
        else
            filo_builder_printf(text, "#%u",
                                writer != NULL ? scene_saved_child_index(writer, step)
                                               : child_index(world, step));
        ancestor = step;
    }
}

static FiloEntity child_by_index(const FiloWorld *world, FiloEntity parent, FiloString digits) {
    uint32_t number;
    FiloEntity child = filo_entity_first_child(world, parent);
    if (filo_parse_uint32(digits, &number).code != FILO_OK) return FILO_ENTITY_NONE;
    while (number-- > 0 && child.id != 0) child = filo_entity_next_sibling(world, child);
    return child;
}

static FiloEntity child_by_label(const FiloWorld *world, FiloEntity parent, FiloString label) {
    if (filo_string_starts_with(label, FILO_STRING("#")))
        return child_by_index(world, parent, filo_string_slice(label, 1, SIZE_MAX));
    if (label.length == 0) return FILO_ENTITY_NONE;
    // The full name is the fast path. It fails if the prefab was renamed or changed.
    char name[512];
    FiloString parent_name = filo_string(filo_entity_name(world, parent));
    if (parent_name.length > 0 && parent_name.length + label.length + 2 <= sizeof name) {
        memcpy(name, parent_name.data, parent_name.length);
        name[parent_name.length] = '/';
        filo_string_copy(label, name + parent_name.length + 1, sizeof name - parent_name.length - 1);
        FiloEntity found = filo_world_find(world, name);
        if (found.id != 0 && filo_entity_parent(world, found).id == parent.id) return found;
    }
    filo_entity_each_child (world, parent, child)
        if (filo_string_equal(label_of(world, child), label)) return child;
    return FILO_ENTITY_NONE;
}

FiloEntity scene_find_path(const FiloWorld *world, FiloEntity root, FiloString path) {
    FiloSplit split = filo_string_split(path, FILO_STRING("/"));
    FiloEntity entity = root;
    for (FiloString label; entity.id != 0 && filo_split_next(&split, &label);)
        entity = child_by_label(world, entity, label);
    return entity;
}

FiloEntity scene_copy_of(const FiloScene *scene, FiloEntity instance, FiloEntity source) {
    for (FiloEntity part = instance; part.id != 0; part = scene_next_in_tree(scene->world, instance, part)) {
        const SceneRecord *record = scene_record(scene, part);
        if (record != NULL && record->root.id == instance.id && record->source.id == source.id)
            return scene_is_copy(scene, part) || part.id == instance.id ? part : FILO_ENTITY_NONE;
    }
    return FILO_ENTITY_NONE;
}

FiloEntity scene_prefab_root(const FiloWorld *world, FiloEntity entity) {
    FiloEntity root = { 0 };
    for (; entity.id != 0; entity = filo_entity_parent(world, entity))
        if (filo_has(world, entity, FiloPrefab)) root = entity;
    return root;
}

FiloEntity scene_find_name(const FiloScene *scene, FiloString name) {
    char text[1024];
    if (name.length == 0 || scene->prefix_length + name.length >= sizeof text) return FILO_ENTITY_NONE;
    if (scene->prefix_length > 0) memcpy(text, scene->prefix, scene->prefix_length);
    filo_string_copy(name, text + scene->prefix_length, sizeof text - scene->prefix_length);
    FiloEntity entity = filo_world_find(scene->world, text);
    return filo_scene_has(scene, entity) ? entity : FILO_ENTITY_NONE;
}

static FiloEntity find_id(const FiloScene *scene, FiloString digits) {
    uint32_t id;
    if (filo_parse_uint32(digits, &id).code != FILO_OK) return FILO_ENTITY_NONE;
    const FiloEntity *entity = filo_map_get(&scene->ids, id);
    return entity != NULL && filo_scene_has(scene, *entity) ? *entity : FILO_ENTITY_NONE;
}

FiloEntity scene_resolve(const FiloScene *scene, FiloString reference) {
    FiloString first, rest;
    if (filo_string_starts_with(reference, FILO_STRING("/")))
        reference = filo_string_slice(reference, 1, SIZE_MAX);
    bool deeper = filo_string_cut(reference, FILO_STRING("/"), &first, &rest);
    FiloEntity entity = filo_string_starts_with(first, FILO_STRING("#"))
                            ? find_id(scene, filo_string_slice(first, 1, SIZE_MAX))
                            : scene_find_name(scene, first);
    if (!deeper) return entity;
    FiloEntity found = { 0 };
    if (entity.id != 0 && scene_prefab_root(scene->world, entity).id != 0) {
        found = scene_find_path(scene->world, entity, rest);
    } else if (entity.id != 0) {
        FiloEntity source = filo_scene_source(scene, entity);
        source = source.id != 0 ? scene_find_path(scene->world, source, rest) : source;
        found = source.id != 0 ? scene_copy_of(scene, entity, source) : source;
    }
    return found.id != 0 ? found : scene_find_name(scene, reference); // a name may have slashes
}

FiloEntity filo_scene_find(const FiloScene *scene, const char *reference) {
    if (!FILO_CHECK(scene != NULL && reference != NULL, "pass the name of an entity, and its scene"))
        return FILO_ENTITY_NONE;
    return scene_resolve(scene, filo_string(reference));
}
