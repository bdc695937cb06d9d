// Writes entities as text.
//
// An entity without a prefab is written in full. An instance, or a prefab that is based on another, is compared with
// its prefab, entity by entity: each has a record of its source. An entity without a name that others refer to gets
// an id. If that happens after it was written, the whole scene is written again.

#include "scene/scene.h"

#include <filo/files.h>

#include <stdio.h>
#include <stdlib.h>

// ---- Failures and problems --------------------------------------------------------------------------------

bool scene_write_failed(SceneWriter *writer, FiloResult result) {
    if (writer->result.code == FILO_OK) writer->result = result;
    writer->json.failed = true; // the JSON writer ignores all later calls
    return false;
}

bool scene_write_no_memory(SceneWriter *writer) {
    return scene_write_failed(writer, filo_error(FILO_ERROR_MEMORY, "no memory to save the scene"));
}

// Reports a problem of the entity that is being written.
static void not_saved(SceneWriter *writer, const char *path, const char *reason) {
    if (writer->silent) return;
    FiloString name = filo_string(filo_entity_name(writer->world, writer->entity));
    scene_report(writer->scene, &(SceneReport){ .kind = FILO_SCENE_NOT_SAVED, .entity = name, .path = path },
                 "%s", reason);
}

// ---- Components -------------------------------------------------------------------------------------------

// A component of an entity, or the text of an unknown one.
typedef struct Item {
    const char *name;
    FiloComponent component;
    const char *unknown; // its text; NULL: `component` is registered
} Item;

typedef FiloArray(Item) ItemArray;

static int compare_items(const void *a, const void *b) {
    return strcmp(((const Item *)a)->name, ((const Item *)b)->name);
}

static bool is_saved(const FiloComponentInfo *info) {
    return !info->transient && info->type != FILO_TYPE(FiloFamily) &&
           info->type != FILO_TYPE(FiloEntityName) && info->type != FILO_TYPE(FiloPrefab);
}

// Lists the components of an entity that are saved, without unknown ones.
static bool list_components(SceneWriter *writer, FiloEntity entity, ItemArray *items) {
    SceneComponentArray components;
    filo_array_init(&components, writer->scene->allocator);
    size_t count = filo_entity_components(writer->world, entity, NULL, 0);
    bool ok = filo_array_resize(&components, count) || count == 0;
    if (ok) filo_entity_components(writer->world, entity, components.items, count);
    for (size_t i = 0; ok && i < count; i++) {
        const FiloComponentInfo *info = filo_component_info(writer->world, components.items[i]);
        if (is_saved(info)) ok = filo_array_push(items, (Item){ info->name, components.items[i], NULL });
    }
    filo_array_deinit(&components);
    return ok;
}

static bool add_unknown(SceneWriter *writer, uint32_t first, bool without, ItemArray *items) {
    for (uint32_t i = first; i != 0; i = writer->scene->unknown.items[i - 1].next) {
        const SceneUnknown *unknown = &writer->scene->unknown.items[i - 1];
        // If it has been registered since, it is written like others.
        if ((unknown->text[0] == '\0') != without ||
            filo_component_resolve(writer->world, unknown->name).id != 0)
            continue;
        if (!filo_array_push(items, (Item){ unknown->name, { 0 }, unknown->text })) return false;
    }
    return true;
}

static uint32_t first_unknown(const SceneWriter *writer, FiloEntity entity) {
    const SceneRecord *record = scene_record(writer->scene, entity);
    return record != NULL ? record->first_unknown : 0;
}

// ---- Values -----------------------------------------------------------------------------------------------

// A reference that cannot be saved counts as none, as in the file. Otherwise, saving the scene again after loading it
// would find other differences.
static void clear_unsaved(FiloEntity *entity, void *user) {
    if (scene_reference_problem(user, *entity) != NULL) *entity = FILO_ENTITY_NONE;
}

static void *copy_value(SceneWriter *writer, SceneByteArray *copy, const FiloComponentInfo *info,
                        const void *value) {
    if (copy->count < info->size && !filo_array_resize(copy, info->size)) {
        scene_write_no_memory(writer);
        return NULL;
    }
    return memcpy(copy->items, value, info->size);
}

// A value as it is saved. NULL for a tag, or without memory.
static const void *saved_value(SceneWriter *writer, const FiloComponentInfo *info, const void *value) {
    if (info->size == 0 || !info->has_entities) return info->size > 0 ? value : NULL;
    void *copy = copy_value(writer, &writer->value, info, value);
    if (copy != NULL) filo_reflect_entities(info->type, copy, clear_unsaved, writer);
    return copy;
}

typedef struct RemapContext {
    SceneWriter *writer;
    FiloEntity instance, prefab;
} RemapContext;

static void remap_reference(FiloEntity *entity, void *user) {
    const RemapContext *map = user;
    SceneWriter *writer = map->writer;
    FiloEntity ancestor = *entity, scope = writer->prefab;
    writer->prefab = map->prefab; // as when the prefab is saved
    clear_unsaved(entity, writer);
    writer->prefab = scope;
    while (ancestor.id != 0 && ancestor.id != map->prefab.id)
        ancestor = filo_entity_parent(writer->world, ancestor);
    if (ancestor.id != 0 && entity->id != 0) *entity = scene_copy_of(writer->scene, map->instance, *entity);
}

// The base that a component is compared with: the value of the prefab, with its references to entities of the prefab
// mapped to their copies; without a prefab, the default value. NULL: zeroes.
static const void *base_value(SceneWriter *writer, FiloEntity entity, FiloEntity source,
                              FiloComponent component) {
    const FiloComponentInfo *info = filo_component_info(writer->world, component);
    const void *value = source.id != 0 ? filo_entity_get(writer->world, source, component) : NULL;
    if (value == NULL || info->size == 0) return info->default_value;
    if (!info->has_entities) return value;
    void *copy = copy_value(writer, &writer->base, info, value);
    if (copy == NULL) return NULL;
    FiloEntity root = scene_record(writer->scene, entity)->root;
    RemapContext map = { writer, root, scene_instance_of(writer->scene, root) };
    filo_reflect_entities(info->type, copy, remap_reference, &map);
    return copy;
}

// Reports the references of a value that cannot be saved.
static void report_unsaved(SceneWriter *writer, const FiloType *type, const uint8_t *value,
                           const char *path) {
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        const FiloType *element = filo_field_type(field);
        if ((field->flags & FILO_FIELD_TRANSIENT) != 0 || !scene_has_entities(element)) continue;
        for (size_t k = 0; k < FILO_MAX(field->count, (size_t)1); k++) {
            const uint8_t *at = value + field->offset + k * element->size;
            char full[256];
            if (field->count > 0)
                snprintf(full, sizeof full, "%s.%s[%zu]", path, field->name, k);
            else
                snprintf(full, sizeof full, "%s.%s", path, field->name);
            if (element->kind != FILO_KIND_ENTITY) {
                report_unsaved(writer, element, at, full);
                continue;
            }
            FiloEntity target;
            memcpy(&target, at, sizeof target);
            const char *reason = scene_reference_problem(writer, target);
            if (reason != NULL) not_saved(writer, full, reason);
        }
    }
}

static bool component_differs(SceneWriter *writer, FiloEntity entity, FiloEntity source,
                              FiloComponent component) {
    const FiloComponentInfo *info = filo_component_info(writer->world, component);
    const void *value = info->size > 0 ? filo_entity_get(writer->world, entity, component) : NULL;
    if (value != NULL && info->has_entities && !writer->silent)
        report_unsaved(writer, info->type, value, info->name);
    if (source.id == 0 || !filo_entity_has(writer->world, source, component)) return true;
    if (value == NULL) return false;
    const void *base = base_value(writer, entity, source, component);
    value = saved_value(writer, info, value);
    return value != NULL && scene_fields_differ(writer, info->type, value, base);
}

// Lists what is written under "components".
static bool list_different(SceneWriter *writer, FiloEntity entity, FiloEntity source, ItemArray *items) {
    if (!list_components(writer, entity, items)) return scene_write_no_memory(writer);
    size_t count = 0;
    for (size_t i = 0; i < items->count; i++)
        if (component_differs(writer, entity, source, items->items[i].component))
            items->items[count++] = items->items[i];
    items->count = count;
    return add_unknown(writer, first_unknown(writer, entity), false, items) || scene_write_no_memory(writer);
}

static bool has_item(const ItemArray *items, FiloComponent component) {
    filo_array_each (items, item)
        if (item->component.id == component.id) return true;
    return false;
}

// Lists required components that were removed from an entity: they would be added again when the file is loaded.
// Components of the source do not count, because loading does not add what they require.
static bool list_removed(SceneWriter *writer, FiloEntity entity, FiloEntity source, ItemArray *items) {
    const FiloWorld *world = writer->world;
    ItemArray own;
    filo_array_init(&own, writer->scene->allocator);
    bool ok = list_components(writer, entity, &own);
    filo_array_each (&own, item) {
        const FiloComponentInfo *info = filo_component_info(world, item->component);
        if (source.id != 0 && filo_entity_has(world, source, item->component)) continue;
        for (size_t i = 0; i < info->required_count && ok; i++) {
            FiloComponent required = info->required[i];
            if (filo_entity_has(world, entity, required) || has_item(items, required)) continue;
            ok = filo_array_push(items, (Item){ filo_component_info(world, required)->name, required, NULL });
        }
    }
    filo_array_deinit(&own);
    return ok;
}

// Lists what is written under "without".
static bool list_without(SceneWriter *writer, FiloEntity entity, FiloEntity source, ItemArray *items) {
    if (source.id != 0 && !list_components(writer, source, items)) return scene_write_no_memory(writer);
    size_t count = 0;
    for (size_t i = 0; i < items->count; i++)
        if (!filo_entity_has(writer->world, entity, items->items[i].component))
            items->items[count++] = items->items[i];
    items->count = count;
    if (!list_removed(writer, entity, source, items)) return scene_write_no_memory(writer);
    return add_unknown(writer, first_unknown(writer, entity), true, items) || scene_write_no_memory(writer);
}

static void sort_items(ItemArray *items) {
    if (items->count > 1) qsort(items->items, items->count, sizeof *items->items, compare_items);
}

static void write_without(SceneWriter *writer, ItemArray *items) {
    if (items->count == 0) return;
    sort_items(items);
    filo_json_key(&writer->json, "without");
    filo_json_on_one_line(&writer->json);
    filo_json_begin_array(&writer->json);
    filo_array_each (items, item) filo_json_write_text(&writer->json, item->name);
    filo_json_end_array(&writer->json);
}

static void write_components(SceneWriter *writer, FiloEntity entity, FiloEntity source, ItemArray *items) {
    if (items->count == 0) return;
    sort_items(items);
    filo_json_key(&writer->json, "components");
    filo_json_begin_object(&writer->json);
    filo_array_each (items, item) {
        filo_json_key(&writer->json, item->name);
        if (item->unknown != NULL) {
            scene_write_raw(writer, item->unknown);
            continue;
        }
        const FiloComponentInfo *info = filo_component_info(writer->world, item->component);
        const void *base = base_value(writer, entity, source, item->component);
        const void *value = info->size > 0 ? filo_entity_get(writer->world, entity, item->component) : NULL;
        value = saved_value(writer, info, value);
        if (value != NULL || info->size == 0) scene_write_fields(writer, info->type, value, base);
    }
    filo_json_end_object(&writer->json);
}

// ---- Entities ---------------------------------------------------------------------------------------------

static void write_entity(SceneWriter *writer, FiloEntity entity);

static bool has_own_children(SceneWriter *writer, FiloEntity entity) {
    filo_entity_each_child (writer->world, entity, child)
        if (!scene_is_copy(writer->scene, child)) return true;
    return false;
}

// Writes the children that are no copies of a prefab's.
static void write_children(SceneWriter *writer, FiloEntity entity) {
    if (!has_own_children(writer, entity)) return;
    if (writer->depth >= FILO_SCENE_DEPTH) {
        scene_write_failed(writer, filo_error(FILO_ERROR_LIMIT, "children inside children, more than %d deep",
                                              FILO_SCENE_DEPTH));
        return;
    }
    writer->depth++;
    filo_json_key(&writer->json, "children");
    filo_json_begin_array(&writer->json);
    filo_entity_each_child (writer->world, entity, child)
        if (writer->result.code == FILO_OK && !scene_is_copy(writer->scene, child))
            write_entity(writer, child);
    filo_json_end_array(&writer->json);
    writer->depth--;
}

// Writes the differences of an entity to its source, as the override with this path. If there are none, returns false
// and writes nothing. `override` NULL: writes the root of an instance, or an entity in full, into the current object.
static bool write_difference(SceneWriter *writer, FiloEntity entity, FiloEntity source,
                             const char *override) {
    ItemArray components, without;
    filo_array_init(&components, writer->scene->allocator);
    filo_array_init(&without, writer->scene->allocator);
    FiloString name = { 0 };
    if (override != NULL && writer->prefab.id == 0) name = scene_saved_name(writer->scene, entity, false);
    bool inactive = writer->prefab.id == 0 && !filo_entity_active(writer->world, entity);
    bool ok =
        list_different(writer, entity, source, &components) && list_without(writer, entity, source, &without);
    bool any = override == NULL || name.length > 0 || inactive || components.count > 0 || without.count > 0 ||
               has_own_children(writer, entity);
    if (ok && any) {
        if (override != NULL) filo_json_key(&writer->json, override), filo_json_begin_object(&writer->json);
        if (name.length > 0)
            filo_json_key(&writer->json, "name"), filo_json_write_string(&writer->json, name);
        if (inactive) filo_json_key(&writer->json, "active"), filo_json_write_bool(&writer->json, false);
        write_without(writer, &without);
        write_components(writer, entity, source, &components);
        if (override != NULL) write_children(writer, entity), filo_json_end_object(&writer->json);
    }
    filo_array_deinit(&components);
    filo_array_deinit(&without);
    return any;
}

// The next entity in preorder that is not a descendant of `part`.
static FiloEntity next_after_subtree(const FiloWorld *world, FiloEntity root, FiloEntity part) {
    FiloEntity next = { 0 };
    while (next.id == 0 && part.id != root.id && part.id != 0) {
        next = filo_entity_next_sibling(world, part);
        part = filo_entity_parent(world, part);
    }
    return next;
}

// Maps the sources of an instance to their copies.
static bool list_copies(SceneWriter *writer, FiloEntity instance, FiloMap *copies) {
    for (FiloEntity part = instance; part.id != 0; part = scene_next_in_tree(writer->world, instance, part)) {
        const SceneRecord *record = scene_record(writer->scene, part);
        if (record == NULL || record->root.id != instance.id || !scene_is_copy(writer->scene, part)) continue;
        if (!filo_map_set(copies, record->source.id, &part)) return scene_write_no_memory(writer);
    }
    return true;
}

// A descendant of a prefab, and its copy in an instance.
typedef struct Part {
    char *path; // an allocation
    size_t path_size;
    FiloEntity source, copy; // copy {0}: the instance has none
} Part;

typedef FiloArray(Part) PartArray;

static int compare_parts(const void *a, const void *b) {
    return strcmp(((const Part *)a)->path, ((const Part *)b)->path);
}

static bool add_part(SceneWriter *writer, PartArray *parts, FiloEntity prefab, Part part) {
    filo_builder_clear(&writer->text);
    scene_add_path(&writer->text, writer->world, prefab, part.source, writer);
    part.path_size = writer->text.length + 1;
    part.path = writer->text.failed ? NULL : filo_alloc(writer->scene->allocator, part.path_size, 1);
    if (part.path == NULL) return scene_write_no_memory(writer);
    memcpy(part.path, filo_builder_text(&writer->text), part.path_size);
    if (filo_array_push(parts, part)) return true;
    filo_free(writer->scene->allocator, part.path, part.path_size, 1);
    return scene_write_no_memory(writer);
}

// Lists the descendants of a prefab, sorted by path. Those below a descendant without a copy are left out.
static bool list_parts(SceneWriter *writer, FiloEntity instance, FiloEntity prefab, PartArray *parts) {
    FiloMap copies;
    filo_map_init(&copies, sizeof(FiloEntity), writer->scene->allocator);
    FiloEntity part = filo_entity_first_child(writer->world, prefab);
    bool ok = part.id == 0 || list_copies(writer, instance, &copies);
    while (ok && part.id != 0) {
        const FiloEntity *copy = filo_map_get(&copies, part.id);
        ok = add_part(writer, parts, prefab,
                      (Part){ .source = part, .copy = copy != NULL ? *copy : FILO_ENTITY_NONE });
        part = copy != NULL ? scene_next_in_tree(writer->world, prefab, part)
                            : next_after_subtree(writer->world, prefab, part);
    }
    filo_map_deinit(&copies);
    if (ok && parts->count > 1) qsort(parts->items, parts->count, sizeof *parts->items, compare_parts);
    return ok;
}

// Writes a member of "overrides". False if nothing differs.
static bool write_override(SceneWriter *writer, const Part *part) {
    writer->entity = part->copy;
    if (part->copy.id != 0) return write_difference(writer, part->copy, part->source, part->path);
    filo_json_key(&writer->json, part->path), filo_json_write_null(&writer->json);
    return true;
}

static void write_overrides(SceneWriter *writer, FiloEntity entity, FiloEntity prefab) {
    PartArray parts;
    filo_array_init(&parts, writer->scene->allocator);
    list_parts(writer, entity, prefab, &parts);
    bool open = false;
    writer->depth++;
    for (size_t i = 0; i < parts.count && writer->result.code == FILO_OK; i++) {
        FiloJsonWriter before = writer->json;
        if (!open) filo_json_key(&writer->json, "overrides"), filo_json_begin_object(&writer->json);
        bool written = write_override(writer, &parts.items[i]);
        if (!open && !written && writer->result.code == FILO_OK) { // remove the empty object again
            FiloBuilder builder = writer->json.builder;
            builder.length = before.builder.length;
            writer->json = before;
            writer->json.builder = builder;
        }
        open = open || written;
    }
    writer->depth--;
    if (open && writer->result.code == FILO_OK) filo_json_end_object(&writer->json);
    filo_array_each (&parts, part) filo_free(writer->scene->allocator, part->path, part->path_size, 1);
    filo_array_deinit(&parts);
}

// Writes everything except name and id.
static void write_content(SceneWriter *writer, FiloEntity entity) {
    FiloEntity prefab = scene_instance_of(writer->scene, entity);
    if (prefab.id != 0) {
        bool inside = filo_scene_has(writer->scene, prefab);
        FiloString name = filo_string(filo_entity_name(writer->world, prefab));
        FiloString saved = inside ? scene_saved_name(writer->scene, prefab, true) : name;
        filo_json_key(&writer->json, "prefab");
        filo_json_write_string(&writer->json, saved.length > 0 ? saved : name);
    }
    writer->entity = entity;
    write_difference(writer, entity, prefab, NULL);
    if (prefab.id != 0) write_overrides(writer, entity, prefab);
    write_children(writer, entity);
}

static void write_entity(SceneWriter *writer, FiloEntity entity) {
    bool in_prefab = writer->prefab.id != 0;
    FiloString name = scene_saved_name(writer->scene, entity, in_prefab);
    const SceneRecord *record = scene_record(writer->scene, entity);
    writer->entity = entity;
    filo_json_begin_object(&writer->json);
    if (name.length > 0)
        filo_json_key(&writer->json, "name"), filo_json_write_string(&writer->json, name);
    else if (filo_entity_name(writer->world, entity) != NULL)
        not_saved(writer, "",
                  "a file cannot have this name, or another entity of the scene has it: saved without");
    if (record != NULL && record->id != 0 && !in_prefab)
        filo_json_key(&writer->json, "id"), filo_json_write_uint64(&writer->json, record->id);
    write_content(writer, entity);
    filo_json_end_object(&writer->json);
}

// ---- The whole scene --------------------------------------------------------------------------------------

// The name that a prefab is saved with. If it cannot be saved, reports that and returns an empty name.
static FiloString name_of_prefab(SceneWriter *writer, FiloEntity entity) {
    writer->entity = entity;
    FiloString name = scene_saved_name(writer->scene, entity, true);
    if (name.length == 0) not_saved(writer, "", "a prefab without a name that a file can have is not saved");
    return name;
}

static void write_prefab(SceneWriter *writer, FiloEntity entity, FiloString name) {
    filo_builder_clear(&writer->text);
    filo_builder_add(&writer->text, name);
    filo_json_key(&writer->json, filo_builder_text(&writer->text));
    writer->prefab = entity;
    filo_json_begin_object(&writer->json);
    write_content(writer, entity);
    filo_json_end_object(&writer->json);
    writer->prefab = FILO_ENTITY_NONE;
}

static void write_global(SceneWriter *writer, const FiloComponentInfo *info, const void *value) {
    if (info->has_entities && !writer->silent) report_unsaved(writer, info->type, value, info->name);
    value = saved_value(writer, info, value);
    if (value != NULL) scene_write_fields(writer, info->type, value, info->default_value);
}

static void write_globals(SceneWriter *writer) {
    ItemArray items;
    filo_array_init(&items, writer->scene->allocator);
    bool ok = add_unknown(writer, writer->scene->first_unknown_global, false, &items);
    filo_array_each (&writer->scene->globals, component) {
        const FiloComponentInfo *info = filo_component_info(writer->world, *component);
        ok = ok && filo_array_push(&items, (Item){ info->name, *component, NULL });
    }
    if (!ok) scene_write_no_memory(writer);
    if (ok && items.count > 0) {
        sort_items(&items);
        writer->entity = FILO_ENTITY_NONE;
        filo_json_key(&writer->json, "globals");
        filo_json_begin_object(&writer->json);
        filo_array_each (&items, item) {
            filo_json_key(&writer->json, item->name);
            const FiloComponentInfo *info = filo_component_info(writer->world, item->component);
            if (info == NULL)
                scene_write_raw(writer, item->unknown);
            else
                write_global(writer, info, filo_global_get(writer->world, item->component));
        }
        filo_json_end_object(&writer->json);
    }
    filo_array_deinit(&items);
}

static void write_members(SceneWriter *writer, const FiloEntity *entities, size_t count, bool prefabs) {
    bool open = false;
    for (size_t i = 0; i < count && writer->result.code == FILO_OK; i++) {
        if (filo_has(writer->world, entities[i], FiloPrefab) != prefabs) continue;
        FiloString name = { 0 };
        if (prefabs && (name = name_of_prefab(writer, entities[i])).length == 0) continue;
        if (!open) {
            filo_json_key(&writer->json, prefabs ? "prefabs" : "entities");
            if (prefabs)
                filo_json_begin_object(&writer->json);
            else
                filo_json_begin_array(&writer->json);
        }
        open = true;
        if (prefabs)
            write_prefab(writer, entities[i], name);
        else
            write_entity(writer, entities[i]);
    }
    if (!open || writer->result.code != FILO_OK) return;
    if (prefabs)
        filo_json_end_object(&writer->json);
    else
        filo_json_end_array(&writer->json);
}

static void write_all(SceneWriter *writer, const FiloEntity *entities, size_t count) {
    FiloJsonWriter *json = &writer->json;
    filo_json_begin_object(json);
    filo_json_key(json, "filo"), filo_json_write_text(json, "scene");
    filo_json_key(json, "version"), filo_json_write_int64(json, FILO_SCENE_VERSION);
    scene_write_definitions(writer);
    write_globals(writer);
    write_members(writer, entities, count, true);
    write_members(writer, entities, count, false);
    if (writer->result.code == FILO_OK) filo_json_end_object(json);
    if (writer->result.code == FILO_OK && !filo_json_writer_ok(json)) scene_write_no_memory(writer);
}

static FiloResult write_scene(FiloScene *scene, SceneWriter *writer) {
    scene_prune(scene);
    size_t count = filo_scene_entities(scene, NULL, 0);
    SceneEntityArray entities;
    filo_array_init(&entities, scene->allocator);
    if (count > 0 && !filo_array_resize(&entities, count))
        return filo_error(FILO_ERROR_MEMORY, "no memory to save the scene");
    filo_scene_entities(scene, entities.items, count);
    FiloJsonWriterDesc desc = { .indent = 4, .allocator = scene->allocator };
    filo_json_writer_init(&writer->json, &desc);
    write_all(writer, entities.items, count);
    if (writer->ids_added && writer->result.code == FILO_OK) {
        filo_json_writer_deinit(&writer->json);
        filo_json_writer_init(&writer->json, &desc);
        writer->silent = true;
        write_all(writer, entities.items, count);
    }
    filo_array_deinit(&entities);
    return writer->result;
}

FiloResult filo_scene_write(FiloScene *scene, FiloBuilder *text) {
    if (scene == NULL || text == NULL) return FILO_MISTAKE("pass a scene and a builder");
    SceneWriter writer = { .scene = scene, .world = scene->world };
    filo_builder_init(&writer.text, scene->allocator);
    filo_array_init(&writer.zeroes, scene->allocator);
    filo_array_init(&writer.base, scene->allocator);
    filo_array_init(&writer.value, scene->allocator);
    filo_map_init(&writer.child_indices, sizeof(uint32_t), scene->allocator);
    FiloResult result = write_scene(scene, &writer);
    if (result.code == FILO_OK &&
        (!filo_builder_reserve(text, text->length + writer.json.builder.length + 1) ||
         !filo_builder_add(text, filo_builder_string(&writer.json.builder)) ||
         !filo_builder_add_byte(text, '\n')))
        result = filo_error(FILO_ERROR_MEMORY, "no memory to save the scene");
    filo_json_writer_deinit(&writer.json);
    filo_builder_deinit(&writer.text);
    filo_array_deinit(&writer.zeroes);
    filo_array_deinit(&writer.base);
    filo_array_deinit(&writer.value);
    filo_map_deinit(&writer.child_indices);
    return result;
}

FiloResult filo_scene_save(FiloScene *scene, const char *path) {
    if (scene == NULL || path == NULL) return FILO_MISTAKE("pass a scene and a path");
    FiloBuilder text;
    filo_builder_init(&text, scene->allocator);
    FiloResult result = filo_scene_write(scene, &text);
    if (result.code == FILO_OK) result = filo_file_write(path, filo_builder_text(&text), text.length, NULL);
    filo_builder_deinit(&text);
    return result;
}
