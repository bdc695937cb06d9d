// Values of components from the text.
//
// Most is done by reflection. References to entities are texts in a file, which reflection does not know: a
// struct that has some is read in two goes, its other fields by reflection and the references here. A
// reference may point to an entity that does not exist yet, so it is first a placeholder with the number of
// the reference, and is replaced when all entities exist. Copying a prefab copies its placeholders; those
// that point to inside of the prefab are replaced before, so that the copies refer to their own parts.

#include "scene/scene.h"

#include <stdio.h>

typedef struct Reading {
    SceneLoader *loader;
    uint32_t node;  // SCENE_NONE: a global
    char path[256]; // to the struct that is being read: "Enemy", "Enemy.weapon"
    bool with_references;
} Reading;

static void report(Reading *reading, FiloProblemKind value, int line, int column, const char *path,
                   const char *text) {
    SceneLoader *loader = reading->loader;
    char full[512];
    snprintf(full, sizeof full, "%s%s%s", reading->path, path[0] != '\0' ? "." : "", path);
    FiloString entity = { 0 };
    if (reading->node != SCENE_NONE) entity = scene_node(loader, reading->node)->name;
    scene_report(loader->scene,
                 &(SceneReport){ .kind = FILO_SCENE_VALUE,
                                 .value = value,
                                 .source = loader->source,
                                 .place = { 0, line, column },
                                 .entity = entity,
                                 .path = full },
                 "%s", text);
}

bool scene_has_entities(const FiloType *type) {
    if (type->kind == FILO_KIND_ENTITY) return true;
    for (size_t i = 0; i < type->field_count; i++)
        if (scene_has_entities(filo_field_type(&type->fields[i]))) return true;
    return false;
}

static void on_problem(const FiloProblem *problem, void *user) {
    Reading *reading = user;
    // Of a struct with references, reflection sees only the other fields; read_references reports what is
    // really unknown.
    if (reading->with_references && problem->kind == FILO_PROBLEM_UNKNOWN_FIELD && problem->path[0] == '\0')
        return;
    size_t skip =
        problem->path[0] != '\0' ? strlen(problem->path) + 2 : 0; // the message begins with the path
    report(reading, problem->kind, problem->line, problem->column, problem->path, problem->message + skip);
}

// ---- References -------------------------------------------------------------------------------------------

static size_t extend_path(Reading *reading, const char *field, size_t index) {
    size_t before = strlen(reading->path), room = sizeof reading->path - before;
    if (field != NULL)
        snprintf(reading->path + before, room, ".%s", field);
    else
        snprintf(reading->path + before, room, "[%zu]", index);
    return before;
}

static void wrong_kind(Reading *reading, FiloJsonToken token, const char *expected, const char *found) {
    char text[128];
    snprintf(text, sizeof text, "expected %s, found %s", expected, found);
    report(reading, FILO_PROBLEM_WRONG_KIND, token.line, token.column, "", text);
}

// A placeholder for the reference that the token is.
static bool read_reference(Reading *reading, FiloJsonReader *reader, FiloJsonToken token, void *value) {
    SceneLoader *loader = reading->loader;
    FiloEntity entity = { 0 };
    if (token.kind != FILO_JSON_NULL && token.kind != FILO_JSON_STRING) {
        wrong_kind(reading, token, "the name of an entity, or null", filo_json_kind_name(token.kind));
        filo_json_skip(reader, token);
        return true;
    }
    if (token.kind == FILO_JSON_STRING) {
        SceneReference reference = { .place = scene_place(loader, token),
                                     .node = reading->node,
                                     .path = (uint32_t)loader->paths.length };
        reference.text = scene_text(loader, token);
        if (reference.text.data == NULL) return false;
        filo_builder_add(&loader->paths, filo_string_from(reading->path, strlen(reading->path) + 1));
        if (loader->paths.failed || !filo_array_push(&loader->references, reference))
            return scene_no_memory(loader);
        entity.id = SCENE_PLACEHOLDER | (loader->references.count - 1);
    }
    memcpy(value, &entity, sizeof entity);
    return true;
}

// Names that values have are kept when the whole file is accepted.
static bool names_are_good(const Reading *reading) {
    SceneLoader *loader = reading->loader;
    const FiloResult *result = &loader->value_names.result;
    if (result->code == FILO_OK) return true;
    ScenePlace place = { 0, 1, 1 };
    if (reading->node != SCENE_NONE) place = scene_node(loader, reading->node)->place;
    return scene_fail(loader, place, result->code, "%s: %s", reading->path, result->message);
}

static bool read_struct(Reading *reading, FiloJsonReader *reader, FiloJsonToken token, const FiloType *type,
                        void *data);

static bool read_element(Reading *reading, FiloJsonReader *reader, FiloJsonToken token, const FiloType *type,
                         void *data) {
    return type->kind == FILO_KIND_ENTITY ? read_reference(reading, reader, token, data)
                                          : read_struct(reading, reader, token, type, data);
}

// A field that is, or has in it, a reference.
static bool read_field(Reading *reading, FiloJsonReader *reader, const FiloField *field, void *data) {
    const FiloType *type = filo_field_type(field);
    FiloJsonToken token = filo_json_next(reader);
    if (field->count == 0) return read_element(reading, reader, token, type, data);
    if (token.kind != FILO_JSON_ARRAY_BEGIN) {
        wrong_kind(reading, token, "a list", filo_json_kind_name(token.kind));
        filo_json_skip(reader, token);
        return true;
    }
    FiloJsonToken begin = token;
    size_t count = 0;
    for (; (token = filo_json_next(reader)).kind != FILO_JSON_ARRAY_END; count++) {
        if (count >= field->count) {
            filo_json_skip(reader, token);
            continue;
        }
        size_t before = extend_path(reading, NULL, count);
        if (!read_element(reading, reader, token, type, (uint8_t *)data + count * type->size)) return false;
        reading->path[before] = '\0';
    }
    if (count > field->count) {
        char text[96];
        snprintf(text, sizeof text, "%zu elements, there is room for %zu", count, field->count);
        report(reading, FILO_PROBLEM_DOES_NOT_FIT, begin.line, begin.column, "", text);
    }
    return true;
}

// The second go: the fields that have references.
static bool read_references(Reading *reading, FiloJsonReader *reader, const FiloType *type, void *data) {
    uint64_t seen[FILO_TYPE_FIELDS / 64] = { 0 };
    FiloJsonToken key;
    while ((key = filo_json_next(reader)).kind == FILO_JSON_KEY) {
        char name[256];
        size_t length = filo_json_as_text(key, name, sizeof name);
        const FiloField *field = length < sizeof name ? filo_type_field(type, name) : NULL;
        if (field == NULL) {
            char text[384];
            snprintf(text, sizeof text, "%s has no field \"%.60s\"", type->name, name);
            report(reading, FILO_PROBLEM_UNKNOWN_FIELD, key.line, key.column, "", text);
        }
        if (field == NULL || !scene_has_entities(filo_field_type(field))) {
            filo_json_skip(reader, key);
            continue;
        }
        size_t before = extend_path(reading, field->name, 0), index = (size_t)(field - type->fields);
        if ((seen[index / 64] >> index % 64 & 1) != 0)
            report(reading, FILO_PROBLEM_REPEATED_FIELD, key.line, key.column, "",
                   "given more than once, the last one holds");
        seen[index / 64] |= UINT64_C(1) << index % 64;
        if (!read_field(reading, reader, field, (uint8_t *)data + field->offset)) return false;
        reading->path[before] = '\0';
    }
    return true;
}

// The struct that `token` begins, which has references.
static bool read_struct(Reading *reading, FiloJsonReader *reader, FiloJsonToken token, const FiloType *type,
                        void *data) {
    if (token.kind != FILO_JSON_OBJECT_BEGIN) {
        wrong_kind(reading, token, "an object", filo_json_kind_name(token.kind));
        filo_json_skip(reader, token);
        return true;
    }
    FiloField fields[FILO_TYPE_FIELDS];
    FiloType plain = *type;
    plain.fields = fields;
    plain.field_count = 0;
    for (size_t i = 0; i < type->field_count; i++)
        if (!scene_has_entities(filo_field_type(&type->fields[i])))
            fields[plain.field_count++] = type->fields[i];
    FiloReadOptions options = { on_problem, reading, true, &reading->loader->value_names };
    FiloJsonReader again = scene_reader(reading->loader, scene_place(reading->loader, token));
    reading->with_references = true;
    filo_reflect_read_json(&plain, data, &again, &options);
    if (!names_are_good(reading)) return false;
    return read_references(reading, reader, type, data);
}

bool scene_read(SceneLoader *loader, uint32_t node, const SceneUse *use, void *value) {
    const FiloComponentInfo *info = filo_component_info(loader->world, use->component);
    Reading reading = { .loader = loader, .node = node };
    snprintf(reading.path, sizeof reading.path, "%s", info->name);
    FiloJsonReader reader = scene_reader(loader, use->value);
    if (info->has_entities) {
        filo_bits_set(&loader->with_references, use->component.id);
        return read_struct(&reading, &reader, filo_json_next(&reader), info->type, value);
    }
    uint8_t nothing[16]; // what a tag is read into
    FiloReadOptions options = { on_problem, &reading, true, &loader->value_names };
    filo_reflect_read_json(info->type, value != NULL ? value : nothing, &reader, &options);
    return names_are_good(&reading);
}

// ---- Replacing placeholders -------------------------------------------------------------------------------

// The copy of a prefab's part in the instance that a node made.
static FiloEntity copy_in_instance(SceneLoader *loader, uint32_t number, FiloEntity source) {
    const SceneNode *node = scene_node(loader, number);
    const uint32_t *place = source.id != 0 ? filo_map_get(&loader->source_order, source.id) : NULL;
    if (place == NULL) return FILO_ENTITY_NONE;
    FiloEntity copy = loader->scene->members.items[node->member + *place];
    return filo_entity_exists(loader->world, copy)
               ? copy
               : FILO_ENTITY_NONE; // it may have been removed by an override
}

// "tank/turret", where the first part is a node of the file.
static FiloEntity find_below(SceneLoader *loader, uint32_t number, FiloString path) {
    const SceneNode *node = scene_node(loader, number);
    if (node->entity.id == 0) return FILO_ENTITY_NONE; // not yet
    if (node->kind == SCENE_NODE_PREFAB) return scene_walk_path(loader->world, node->entity, path);
    if (node->info == SCENE_NONE) return FILO_ENTITY_NONE;
    FiloEntity prefab = loader->infos.items[node->info].entity;
    return copy_in_instance(loader, number, scene_walk_path(loader->world, prefab, path));
}

static FiloEntity find_in_file(SceneLoader *loader, FiloString text) {
    FiloString first, rest;
    bool deeper = filo_string_cut(text, FILO_STRING("/"), &first, &rest);
    uint32_t number = SCENE_NONE, id;
    if (!filo_string_starts_with(first, FILO_STRING("#"))) {
        number = scene_find_node(loader, first);
    } else if (filo_parse_uint32(filo_string_slice(first, 1, SIZE_MAX), &id).code == FILO_OK) {
        const uint32_t *known = filo_map_get(&loader->ids, id);
        number = known != NULL ? *known : SCENE_NONE;
    }
    FiloEntity found = { 0 };
    if (number != SCENE_NONE)
        found = deeper ? find_below(loader, number, rest) : scene_node(loader, number)->entity;
    if (found.id == 0 && (number = scene_find_node(loader, text)) != SCENE_NONE) // a name may have slashes
        found = scene_node(loader, number)->entity;
    return found;
}

static FiloEntity find_in_world(SceneLoader *loader, FiloString text) {
    const char *name = scene_c_text(loader, text);
    return name != NULL ? filo_world_find(loader->world, name) : FILO_ENTITY_NONE;
}

// A reference to inside of the prefab that was just made. It may stand in the prefab that this one is based
// on.
static FiloEntity find_in_prefab(SceneLoader *loader, uint32_t prefab, const SceneReference *reference,
                                 uint32_t owner) {
    FiloEntity root = scene_node(loader, prefab)->entity, found = { 0 };
    FiloString text = reference->text;
    bool outside = filo_string_starts_with(text, FILO_STRING("/"));
    if (owner == prefab && !outside)
        found = filo_string_equal(text, FILO_STRING(".")) ? root : scene_walk_path(loader->world, root, text);
    if (found.id != 0) return found;
    found = find_in_file(loader, outside ? filo_string_slice(text, 1, SIZE_MAX) : text);
    return scene_prefab_root(loader->world, found).id == root.id ? found : FILO_ENTITY_NONE;
}

typedef struct Linking {
    SceneLoader *loader;
    uint32_t prefab; // the node of the prefab that is being made; SCENE_NONE: everything is there
} Linking;

static void report_unknown(SceneLoader *loader, const SceneReference *reference) {
    FiloString entity = { 0 };
    if (reference->node != SCENE_NONE) entity = scene_node(loader, reference->node)->name;
    scene_report(loader->scene,
                 &(SceneReport){ .kind = FILO_SCENE_UNKNOWN_REFERENCE,
                                 .source = loader->source,
                                 .place = reference->place,
                                 .entity = entity,
                                 .path = filo_builder_text(&loader->paths) + reference->path },
                 "there is no entity \"%.*s\"", SCENE_SHOWN(reference->text));
}

static void link_reference(FiloEntity *entity, void *user) {
    const Linking *linking = user;
    SceneLoader *loader = linking->loader;
    uint64_t number = entity->id & ~SCENE_PLACEHOLDER;
    if ((entity->id & SCENE_PLACEHOLDER) != SCENE_PLACEHOLDER || number >= loader->references.count) return;
    SceneReference *reference = &loader->references.items[number];
    uint32_t owner = reference->node != SCENE_NONE ? scene_node(loader, reference->node)->owner : SCENE_NONE;
    if (linking->prefab != SCENE_NONE) {
        FiloEntity found = find_in_prefab(loader, linking->prefab, reference, owner);
        if (found.id != 0) *entity = found;
        return;
    }
    if (!reference->known) {
        FiloString text = reference->text;
        if (filo_string_starts_with(text, FILO_STRING("/"))) text = filo_string_slice(text, 1, SIZE_MAX);
        reference->known = true;
        reference->entity = find_in_file(loader, text);
        if (reference->entity.id == 0) reference->entity = find_in_world(loader, text);
        if (reference->entity.id == 0) report_unknown(loader, reference);
    }
    *entity = reference->entity;
}

static void link_members(Linking *linking, size_t first, size_t end) {
    SceneLoader *loader = linking->loader;
    filo_bits_each (&loader->with_references, id) {
        FiloComponent component = { (uint32_t)id };
        const FiloComponentInfo *info = filo_component_info(loader->world, component);
        for (size_t i = first; i < end; i++) {
            FiloEntity member = loader->scene->members.items[i];
            if (!filo_entity_has(loader->world, member, component))
                continue; // it may be gone again: removed by an override
            filo_reflect_entities(info->type, filo_entity_edit(loader->world, member, component),
                                  link_reference, linking);
        }
    }
}

void scene_link_prefab(SceneLoader *loader, uint32_t prefab, size_t first_member) {
    Linking linking = { loader, prefab };
    link_members(&linking, first_member, loader->scene->members.count);
}

void scene_link(SceneLoader *loader) {
    Linking linking = { loader, SCENE_NONE };
    if (loader->references.count > 0) link_members(&linking, 0, loader->scene->members.count);
}

void scene_link_global(SceneLoader *loader, const FiloType *type, void *value) {
    Linking linking = { loader, SCENE_NONE };
    filo_reflect_entities(type, value, link_reference, &linking);
}
