// How saved entities are called, and what others call them.

#include "scene/scene.h"

#include <stdlib.h>

#define NAME_LENGTH 200 // as when reading

FiloEntity scene_instance_of(const FiloScene *scene, FiloEntity entity) {
    const SceneRecord *record = scene_record(scene, entity);
    if (record == NULL || record->root.id != entity.id || !filo_entity_exists(scene->world, record->source))
        return FILO_ENTITY_NONE;
    bool good = filo_has(scene->world, record->source, FiloPrefab) &&
                filo_entity_name(scene->world, record->source) != NULL;
    return good ? record->source : FILO_ENTITY_NONE;
}

bool scene_is_copy(const FiloScene *scene, FiloEntity entity) {
    const SceneRecord *record = scene_record(scene, entity);
    if (record == NULL || record->root.id == entity.id || !filo_entity_exists(scene->world, record->root))
        return false;
    FiloEntity root = record->root, prefab = scene_instance_of(scene, root), source = record->source;
    if (prefab.id == 0) return false;
    while (entity.id != root.id) { // up in both families, step by step
        record = scene_record(scene, entity);
        if (record == NULL || record->root.id != root.id || record->source.id != source.id ||
            !filo_entity_exists(scene->world, source))
            return false;
        entity = filo_entity_parent(scene->world, entity);
        source = filo_entity_parent(scene->world, source);
    }
    return source.id == prefab.id;
}

// ---- Numbers of children ----------------------------------------------------------------------------------

// What a parent's children are copied from: the children of this; {0}: from nothing.
static FiloEntity source_of(const FiloScene *scene, FiloEntity parent) {
    FiloEntity prefab = scene_instance_of(scene, parent);
    if (prefab.id != 0) return prefab;
    return scene_is_copy(scene, parent) ? scene_record(scene, parent)->source : FILO_ENTITY_NONE;
}

typedef struct Child {
    uint64_t key;
    FiloEntity entity;
} Child;

static int compare_children(const void *a, const void *b) {
    uint64_t x = ((const Child *)a)->key, y = ((const Child *)b)->key;
    return x < y ? -1 : x > y;
}

// Numbers the children of a parent; those of its source have their numbers already.
static bool number_children(SceneWriter *writer, FiloEntity parent) {
    FiloArray(Child) children;
    filo_array_init(&children, writer->scene->allocator);
    bool good = true;
    filo_entity_each_child (writer->world, parent, child) {
        Child entry = { (UINT64_C(1) << 32) + children.count, child };
        if (scene_is_copy(writer->scene, child)) {
            const uint32_t *number =
                filo_map_get(&writer->numbers, scene_record(writer->scene, child)->source.id);
            if (number != NULL) entry.key = *number;
        }
        good = good && filo_array_push(&children, entry);
    }
    if (good && children.count > 1)
        qsort(children.items, children.count, sizeof *children.items, compare_children);
    for (uint32_t i = 0; good && i < children.count; i++)
        good = filo_map_set(&writer->numbers, children.items[i].entity.id, &i);
    filo_array_deinit(&children);
    return good;
}

unsigned scene_saved_number(SceneWriter *writer, FiloEntity entity) {
    const uint32_t *known = filo_map_get(&writer->numbers, entity.id);
    if (known != NULL) return *known;
    SceneEntityArray parents; // each copied from the next
    filo_array_init(&parents, writer->scene->allocator);
    bool good = true;
    FiloEntity parent = filo_entity_parent(writer->world, entity);
    for (; good && parent.id != 0; parent = source_of(writer->scene, parent))
        good = filo_array_push(&parents, parent);
    while (good && filo_array_pop(&parents, &parent)) good = number_children(writer, parent);
    filo_array_deinit(&parents);
    known = good ? filo_map_get(&writer->numbers, entity.id) : NULL;
    if (known == NULL)
        scene_write_failed(writer, filo_error(FILO_ERROR_MEMORY, "no memory to save the scene"));
    return known != NULL ? *known : 0;
}

// ---- Names ------------------------------------------------------------------------------------------------

static bool is_name(FiloString name) {
    return name.length > 0 && name.length <= NAME_LENGTH && filo_utf8_valid(name);
}

static bool is_label(FiloString name) {
    return is_name(name) && name.data[0] != '#' && memchr(name.data, '/', name.length) == NULL &&
           !filo_string_equal(name, FILO_STRING("."));
}

static FiloString without_prefix(const FiloScene *scene, FiloString name) {
    FiloString prefix = filo_string_from(scene->prefix, scene->prefix_length);
    return filo_string_starts_with(name, prefix) ? filo_string_slice(name, prefix.length, SIZE_MAX) : name;
}

FiloString scene_saved_name(const FiloScene *scene, FiloEntity entity, bool in_prefab) {
    FiloString none = { 0 }, name = filo_string(filo_entity_name(scene->world, entity));
    if (name.length == 0) return none;
    if (!in_prefab || filo_has(scene->world, entity, FiloPrefab)) {
        name = without_prefix(scene, name);
        if (!(in_prefab ? is_label(name) : is_name(name))) return none;
        // A name that never had the prefix may be the same as one that had.
        FiloEntity same = scene_find_name(scene, name);
        return same.id == 0 || same.id == entity.id ? name : none;
    }
    size_t slash = filo_string_find_last(name, FILO_STRING("/"));
    name = slash != FILO_STRING_NOT_FOUND ? filo_string_slice(name, slash + 1, SIZE_MAX) : name;
    if (!is_label(name)) return none;
    FiloEntity parent = filo_entity_parent(scene->world, entity);
    return scene_walk_path(scene->world, parent, name).id == entity.id ? name : none;
}

// ---- References -------------------------------------------------------------------------------------------

// The number of an entity of the scene. If it has none it gets one, unless nothing is written yet: then it is
// 0.
static bool number(SceneWriter *writer, FiloEntity entity, uint32_t *id) {
    FiloScene *scene = writer->scene;
    SceneRecord *record = scene_record(scene, entity);
    *id = record != NULL ? record->id : 0;
    if (*id != 0 || writer->looking) return true;
    if (record == NULL) {
        if (!scene_add_member(scene, entity, (SceneRecord){ .root = entity })) return false;
        record = scene_record(scene, entity);
    }
    if (!filo_map_set(&scene->ids, scene->last_id + 1, &entity)) return false;
    *id = record->id = ++scene->last_id;
    writer->numbered = true;
    return true;
}

// By name if that is clear, by number otherwise.
static bool add_name_or_number(SceneWriter *writer, FiloEntity entity) {
    FiloString name = scene_saved_name(writer->scene, entity, false);
    uint32_t id;
    if (name.length > 0 && name.data[0] != '#' && memchr(name.data, '/', name.length) == NULL)
        return filo_builder_add(&writer->text, name);
    if (!number(writer, entity, &id)) return !(writer->text.failed = true);
    return filo_builder_printf(&writer->text, "#%u", id);
}

// In a prefab, a leading slash looks outside of it at once. Whether it is needed: something in the prefab may
// be called the same.
static void add_slash(SceneWriter *writer, FiloEntity target) {
    FiloString name = filo_string(filo_entity_name(writer->world, target)), first;
    if (writer->prefab.id == 0) return;
    filo_string_cut(name, FILO_STRING("/"), &first, NULL);
    bool clear = name.length > 0 && name.data[0] != '#' &&
                 scene_walk_path(writer->world, writer->prefab, first).id == 0;
    if (!clear) filo_builder_add_byte(&writer->text, '/');
}

// An entity outside of the scene, or a part of another prefab: by its name in the world.
static const char *foreign_text(SceneWriter *writer, FiloEntity target, FiloEntity prefab) {
    FiloScene *scene = writer->scene;
    FiloEntity named = prefab.id != 0 ? prefab : target;
    FiloString name = filo_string(filo_entity_name(writer->world, named));
    if (name.length == 0) return "refers to an entity outside of the scene that has no name";
    bool inside = scene_member_of(scene, named).id != 0;
    FiloString saved = inside ? without_prefix(scene, name) : name;
    // Somebody else may come first; and a slash at the start means something else.
    FiloEntity found = scene_resolve(scene, saved);
    if (name.data[0] == '/' || (found.id != named.id && (found.id != 0 || inside)))
        return "refers to an entity whose name means another one here";
    add_slash(writer, named);
    filo_builder_add(&writer->text, saved);
    if (target.id != named.id) {
        filo_builder_add_byte(&writer->text, '/');
        scene_add_path(&writer->text, writer->world, named, target, writer);
    }
    return NULL;
}

// The text of a reference, in writer->text; NULL, or why there is none.
static const char *reference_text(SceneWriter *writer, FiloEntity target) {
    FiloScene *scene = writer->scene;
    FiloBuilder *text = &writer->text;
    filo_builder_clear(text);
    if (!filo_entity_exists(writer->world, target)) return "refers to an entity that does not exist any more";
    FiloEntity prefab = scene_prefab_root(writer->world, target);
    if (prefab.id != 0 && prefab.id == writer->prefab.id) { // inside the prefab that is written
        if (target.id == prefab.id)
            filo_builder_add_byte(text, '.');
        else
            scene_add_path(text, writer->world, prefab, target, writer);
        return NULL;
    }
    if (prefab.id != 0 || scene_member_of(scene, target).id == 0) return foreign_text(writer, target, prefab);
    FiloEntity root = target, source = { 0 };
    if (scene_is_copy(scene, target) && scene_saved_name(scene, target, false).length == 0) {
        root = scene_record(scene, target)->root;
        source = scene_record(scene, target)->source;
    }
    add_slash(writer, root);
    add_name_or_number(writer, root);
    if (source.id != 0) {
        filo_builder_add_byte(text, '/');
        scene_add_path(text, writer->world, scene_instance_of(scene, root), source, writer);
    }
    return NULL;
}

static const char *try_reference(SceneWriter *writer, FiloEntity target) {
    const char *reason = target.id != 0 ? reference_text(writer, target) : NULL;
    if (writer->text.failed)
        scene_write_failed(writer, filo_error(FILO_ERROR_MEMORY, "no memory to save the scene"));
    return reason;
}

const char *scene_reference_lost(SceneWriter *writer, FiloEntity target) {
    writer->looking = true;
    const char *reason = try_reference(writer, target);
    writer->looking = false;
    return reason;
}

void scene_write_reference(SceneWriter *writer, FiloEntity target) {
    if (target.id == 0 || try_reference(writer, target) != NULL)
        filo_json_write_null(&writer->json);
    else
        filo_json_write_string(&writer->json, filo_builder_string(&writer->text));
}
