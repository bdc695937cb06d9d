// Names and ids of saved entities, and references to them.

#include "scene/scene.h"

#include <stdlib.h>

FiloEntity scene_instance_of(const FiloScene *scene, FiloEntity entity) {
    const SceneRecord *record = scene_record(scene, entity);
    if (record == NULL || record->root.id != entity.id || !filo_entity_exists(scene->world, record->source))
        return FILO_ENTITY_NONE;
    bool ok = filo_has(scene->world, record->source, FiloPrefab) &&
              filo_entity_name(scene->world, record->source) != NULL;
    return ok ? record->source : FILO_ENTITY_NONE;
}

bool scene_is_copy(const FiloScene *scene, FiloEntity entity) {
    const SceneRecord *record = scene_record(scene, entity);
    if (record == NULL || record->root.id == entity.id || !filo_entity_exists(scene->world, record->root))
        return false;
    FiloEntity root = record->root, prefab = scene_instance_of(scene, root), source = record->source;
    if (prefab.id == 0) return false;
    while (entity.id != root.id) { // compare all ancestors with those of the source
        record = scene_record(scene, entity);
        if (record == NULL || record->root.id != root.id || record->source.id != source.id ||
            !filo_entity_exists(scene->world, source))
            return false;
        entity = filo_entity_parent(scene->world, entity);
        source = filo_entity_parent(scene->world, source);
    }
    return source.id == prefab.id;
}

// ---- Indices of children ----------------------------------------------------------------------------------

// The entity whose children the children of `parent` are copied from; {0}: none.
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

// Sets the indices of the children of a parent. The children of its source have theirs already.
static bool index_children(SceneWriter *writer, FiloEntity parent) {
    FiloArray(Child) children;
    filo_array_init(&children, writer->scene->allocator);
    bool ok = true;
    filo_entity_each_child (writer->world, parent, child) {
        Child entry = { (UINT64_C(1) << 32) + children.count, child };
        if (scene_is_copy(writer->scene, child)) {
            const uint32_t *number =
                filo_map_get(&writer->child_indices, scene_record(writer->scene, child)->source.id);
            if (number != NULL) entry.key = *number;
        }
        ok = ok && filo_array_push(&children, entry);
    }
    if (ok && children.count > 1)
        qsort(children.items, children.count, sizeof *children.items, compare_children);
    for (uint32_t i = 0; ok && i < children.count; i++)
        ok = filo_map_set(&writer->child_indices, children.items[i].entity.id, &i);
    filo_array_deinit(&children);
    return ok;
}

unsigned scene_saved_child_index(SceneWriter *writer, FiloEntity entity) {
    const uint32_t *index = filo_map_get(&writer->child_indices, entity.id);
    if (index != NULL) return *index;
    SceneEntityArray parents; // each with its source as the next
    filo_array_init(&parents, writer->scene->allocator);
    bool ok = true;
    FiloEntity parent = filo_entity_parent(writer->world, entity);
    for (; ok && parent.id != 0; parent = source_of(writer->scene, parent))
        ok = filo_array_push(&parents, parent);
    while (ok && filo_array_pop(&parents, &parent)) ok = index_children(writer, parent);
    filo_array_deinit(&parents);
    index = ok ? filo_map_get(&writer->child_indices, entity.id) : NULL;
    if (index == NULL) scene_write_no_memory(writer);
    return index != NULL ? *index : 0;
}

// ---- Names ------------------------------------------------------------------------------------------------

static bool is_name(FiloString name) {
    return name.length > 0 && name.length <= SCENE_NAME_LENGTH && filo_utf8_valid(name);
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
        if (!is_name(name) || (in_prefab && !scene_is_label(name))) return none;
        // Without the prefix, two names may be equal.
        FiloEntity same = scene_find_name(scene, name);
        return same.id == 0 || same.id == entity.id ? name : none;
    }
    name = scene_label(name);
    if (!is_name(name) || !scene_is_label(name)) return none;
    FiloEntity parent = filo_entity_parent(scene->world, entity);
    return scene_find_path(scene->world, parent, name).id == entity.id ? name : none;
}

// ---- References -------------------------------------------------------------------------------------------

// The id of an entity of the scene. If it has none, it gets one; in a dry run the id is 0 then.
static bool assign_id(SceneWriter *writer, FiloEntity entity, uint32_t *id) {
    FiloScene *scene = writer->scene;
    SceneRecord *record = scene_record(scene, entity);
    *id = record != NULL ? record->id : 0;
    if (*id != 0 || writer->dry_run) return true;
    if (record == NULL) {
        if (!scene_add_member(scene, entity, (SceneRecord){ .root = entity })) return false;
        record = scene_record(scene, entity);
    }
    if (!filo_map_set(&scene->ids, scene->last_id + 1, &entity)) return false;
    *id = record->id = ++scene->last_id;
    writer->ids_added = true;
    return true;
}

// Adds the name of an entity if it is unambiguous, or else its id.
static bool add_name_or_id(SceneWriter *writer, FiloEntity entity) {
    FiloString name = scene_saved_name(writer->scene, entity, false);
    uint32_t id;
    if (name.length > 0 && name.data[0] != '#' && memchr(name.data, '/', name.length) == NULL)
        return filo_builder_add(&writer->text, name);
    if (!assign_id(writer, entity, &id)) return !(writer->text.failed = true);
    return filo_builder_printf(&writer->text, "#%u", id);
}

// In a prefab, a leading slash means an entity outside of it. It is needed if an entity of the prefab has the same
// name.
static void add_slash(SceneWriter *writer, FiloEntity target) {
    FiloString name = filo_string(filo_entity_name(writer->world, target)), first;
    if (writer->prefab.id == 0) return;
    filo_string_cut(name, FILO_STRING("/"), &first, NULL);
    bool clear = name.length > 0 && name.data[0] != '#' &&
                 scene_find_path(writer->world, writer->prefab, first).id == 0;
    if (!clear) filo_builder_add_byte(&writer->text, '/');
}

// The text of a reference to an entity outside of the scene, or of another prefab: its name in the world.
static const char *external_text(SceneWriter *writer, FiloEntity target, FiloEntity prefab) {
    FiloScene *scene = writer->scene;
    FiloEntity named = prefab.id != 0 ? prefab : target;
    FiloString name = filo_string(filo_entity_name(writer->world, named));
    if (name.length == 0) return "refers to an entity outside of the scene that has no name";
    bool inside = scene_member_of(scene, named).id != 0;
    FiloString saved = inside ? without_prefix(scene, name) : name;
    // An entity of the scene with this name would be found first, and a leading slash has another meaning.
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

// Writes the text of a reference to writer->text. Returns NULL, or why it cannot be saved.
static const char *reference_text(SceneWriter *writer, FiloEntity target) {
    FiloScene *scene = writer->scene;
    FiloBuilder *text = &writer->text;
    filo_builder_clear(text);
    if (!filo_entity_exists(writer->world, target)) return "refers to an entity that does not exist any more";
    FiloEntity prefab = scene_prefab_root(writer->world, target);
    if (prefab.id != 0 && prefab.id == writer->prefab.id) { // an entity of the prefab that is being written
        if (target.id == prefab.id)
            filo_builder_add_byte(text, '.');
        else
            scene_add_path(text, writer->world, prefab, target, writer);
        return NULL;
    }
    if (prefab.id != 0 || scene_member_of(scene, target).id == 0)
        return external_text(writer, target, prefab);
    FiloEntity root = target, source = { 0 };
    if (scene_is_copy(scene, target) && scene_saved_name(scene, target, false).length == 0) {
        root = scene_record(scene, target)->root;
        source = scene_record(scene, target)->source;
    }
    add_slash(writer, root);
    add_name_or_id(writer, root);
    if (source.id != 0) {
        filo_builder_add_byte(text, '/');
        scene_add_path(text, writer->world, scene_instance_of(scene, root), source, writer);
    }
    return NULL;
}

static const char *try_reference(SceneWriter *writer, FiloEntity target) {
    const char *reason = target.id != 0 ? reference_text(writer, target) : NULL;
    if (writer->text.failed) scene_write_no_memory(writer);
    return reason;
}

const char *scene_reference_problem(SceneWriter *writer, FiloEntity target) {
    writer->dry_run = true;
    const char *reason = try_reference(writer, target);
    writer->dry_run = false;
    return reason;
}

void scene_write_reference(SceneWriter *writer, FiloEntity target) {
    if (target.id == 0 || try_reference(writer, target) != NULL)
        filo_json_write_null(&writer->json);
    else
        filo_json_write_string(&writer->json, filo_builder_string(&writer->text));
}
