// References as texts, and the labels of which they consist.
//
// A child inside a prefab has a world name that begins with its parent's: "tank/turret". What stands behind
// the last slash is its label. Names are not copied when a prefab is instanced, so the copies are found by
// what they were copied from.

#include "scene/scene.h"

static FiloString label_of(const FiloWorld *world, FiloEntity entity) {
    FiloString name = filo_string(filo_entity_name(world, entity));
    size_t slash = filo_string_find_last(name, FILO_STRING("/"));
    return slash == FILO_STRING_NOT_FOUND ? name : filo_string_slice(name, slash + 1, SIZE_MAX);
}

static unsigned number_of(const FiloWorld *world, FiloEntity entity) {
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
    // From the end to the start would need the text turned round; families are shallow, so each step looks
    // for its ancestor instead.
    for (FiloEntity above = root; above.id != entity.id;) {
        FiloEntity step = entity;
        for (FiloEntity parent; (parent = filo_entity_parent(world, step)).id != above.id && parent.id != 0;)
            step = parent;
        if (above.id != root.id) filo_builder_add_byte(text, '/');
        FiloString label = label_of(world, step);
        if (label.length > 0)
            filo_builder_add(text, label);
        else
            filo_builder_printf(text, "#%u",
                                writer != NULL ? scene_saved_number(writer, step) : number_of(world, step));
        above = step;
    }
}

static FiloEntity child_by_number(const FiloWorld *world, FiloEntity parent, FiloString digits) {
    uint32_t number;
    FiloEntity child = filo_entity_first_child(world, parent);
    if (filo_parse_uint32(digits, &number).code != FILO_OK) return FILO_ENTITY_NONE;
    while (number-- > 0 && child.id != 0) child = filo_entity_next_sibling(world, child);
    return child;
}

static FiloEntity child_by_label(const FiloWorld *world, FiloEntity parent, FiloString label) {
    if (filo_string_starts_with(label, FILO_STRING("#")))
        return child_by_number(world, parent, filo_string_slice(label, 1, SIZE_MAX));
    if (label.length == 0) return FILO_ENTITY_NONE;
    // The full name is the quick way; a prefab that was renamed or taken apart needs the slow one.
    char name[512];
    FiloString above = filo_string(filo_entity_name(world, parent));
    if (above.length > 0 && above.length + label.length + 2 <= sizeof name) {
        memcpy(name, above.data, above.length);
        name[above.length] = '/';
        filo_string_copy(label, name + above.length + 1, sizeof name - above.length - 1);
        FiloEntity found = filo_world_find(world, name);
        if (found.id != 0 && filo_entity_parent(world, found).id == parent.id) return found;
    }
    filo_entity_each_child (world, parent, child)
        if (filo_string_equal(label_of(world, child), label)) return child;
    return FILO_ENTITY_NONE;
}

FiloEntity scene_walk_path(const FiloWorld *world, FiloEntity root, FiloString path) {
    FiloSplit split = filo_string_split(path, FILO_STRING("/"));
    FiloEntity entity = root;
    for (FiloString label; entity.id != 0 && filo_split_next(&split, &label);)
        entity = child_by_label(world, entity, label);
    return entity;
}

FiloEntity scene_copy_of(const FiloScene *scene, FiloEntity instance, FiloEntity source) {
    for (FiloEntity part = instance; part.id != 0; part = scene_walk(scene->world, instance, part)) {
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
        found = scene_walk_path(scene->world, entity, rest);
    } else if (entity.id != 0) {
        FiloEntity source = filo_scene_source(scene, entity);
        source = source.id != 0 ? scene_walk_path(scene->world, source, rest) : source;
        found = source.id != 0 ? scene_copy_of(scene, entity, source) : source;
    }
    return found.id != 0 ? found : scene_find_name(scene, reference); // a name may have slashes
}

FiloEntity filo_scene_find(const FiloScene *scene, const char *reference) {
    if (!FILO_CHECK(scene != NULL && reference != NULL, "pass the name of an entity, and its scene"))
        return FILO_ENTITY_NONE;
    return scene_resolve(scene, filo_string(reference));
}
