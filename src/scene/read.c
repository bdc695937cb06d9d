// Values of components from the text.
//
// Most fields are read by reflection. References to entities are texts in a file, which reflection does not support:
// a struct with references is read in two passes, its other fields by reflection and its references here. A reference
// may point to an entity that does not exist yet. So it is first a placeholder with the index of the reference, and
// is replaced when all entities exist. Instances of a prefab copy its placeholders. References to entities of the
// prefab are replaced before, so that the copies refer to the copies of these entities.

#include "scene/scene.h"

#include <stdio.h>

typedef struct ReadContext {
    SceneLoader *loader;
    uint32_t node;  // SCENE_NONE: a global
    char path[256]; // to the struct that is being read: "Enemy", "Enemy.weapon"
    bool with_references;
} ReadContext;

static void report(ReadContext *context, FiloProblemKind value, int line, int column, const char *path,
                   const char *text) {
    SceneLoader *loader = context->loader;
    char full[512];
    snprintf(full, sizeof full, "%s%s%s", context->path, path[0] != '\0' ? "." : "", path);
    FiloString entity = { 0 };
    if (context->node != SCENE_NONE) entity = scene_node(loader, context->node)->name;
    scene_report(loader->scene,
                 &(SceneReport){ .kind = FILO_SCENE_VALUE,
                                 .value = value,
                                 .source = loader->source,
                                 .location = { 0, line, column },
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
    ReadContext *context = user;
    // Of a struct with references, reflection reads only the other fields. read_references reports unknown fields.
    if (context->with_references && problem->kind == FILO_PROBLEM_UNKNOWN_FIELD && problem->path[0] == '\0')
        return;
    // The message begins with the path.
    size_t skip = problem->path[0] != '\0' ? strlen(problem->path) + 2 : 0;
    report(context, problem->kind, problem->line, problem->column, problem->path, problem->message + skip);
}

// ---- References -------------------------------------------------------------------------------------------

static size_t extend_path(ReadContext *context, const char *field, size_t index) {
    size_t before = strlen(context->path), room = sizeof context->path - before;
    if (field != NULL)
        snprintf(context->path + before, room, ".%s", field);
    else
        snprintf(context->path + before, room, "[%zu]", index);
    return before;
}

static void wrong_kind(ReadContext *context, FiloJsonToken token, const char *expected, const char *found) {
    char text[128];
    snprintf(text, sizeof text, "expected %s, found %s", expected, found);
    report(context, FILO_PROBLEM_WRONG_KIND, token.line, token.column, "", text);
}

// Reads a reference as a placeholder.
static bool read_reference(ReadContext *context, FiloJsonReader *reader, FiloJsonToken token, void *value) {
    SceneLoader *loader = context->loader;
    FiloEntity entity = { 0 };
    if (token.kind != FILO_JSON_NULL && token.kind != FILO_JSON_STRING) {
        wrong_kind(context, token, "the name of an entity, or null", filo_json_kind_name(token.kind));
        filo_json_skip(reader, token);
        return true;
    }
    if (token.kind == FILO_JSON_STRING) {
        SceneReference reference = { .location = scene_location(loader, token),
                                     .node = context->node,
                                     .path = (uint32_t)loader->paths.length };
        reference.text = scene_text(loader, token);
        if (reference.text.data == NULL) return false;
        filo_builder_add(&loader->paths, filo_string_from(context->path, strlen(context->path) + 1));
        if (loader->paths.failed || !filo_array_push(&loader->references, reference))
            return scene_no_memory(loader);
        entity.id = SCENE_PLACEHOLDER | (loader->references.count - 1);
    }
    memcpy(value, &entity, sizeof entity);
    return true;
}

// Whether there was memory for the names in values. They are retained when the whole file was loaded.
static bool check_names(const ReadContext *context) {
    SceneLoader *loader = context->loader;
    const FiloResult *result = &loader->value_names.result;
    if (result->code == FILO_OK) return true;
    SceneLocation location = { 0, 1, 1 };
    if (context->node != SCENE_NONE) location = scene_node(loader, context->node)->location;
    return scene_fail(loader, location, result->code, "%s: %s", context->path, result->message);
}

static bool read_struct(ReadContext *context, FiloJsonReader *reader, FiloJsonToken token,
                        const FiloType *type, void *data);

static bool read_element(ReadContext *context, FiloJsonReader *reader, FiloJsonToken token,
                         const FiloType *type, void *data) {
    return type->kind == FILO_KIND_ENTITY ? read_reference(context, reader, token, data)
                                          : read_struct(context, reader, token, type, data);
}

// Reads a field that is, or contains, a reference.
static bool read_field(ReadContext *context, FiloJsonReader *reader, const FiloField *field, void *data) {
    const FiloType *type = filo_field_type(field);
    FiloJsonToken token = filo_json_next(reader);
    if (field->count == 0) return read_element(context, reader, token, type, data);
    if (token.kind != FILO_JSON_ARRAY_BEGIN) {
        wrong_kind(context, token, "a list", filo_json_kind_name(token.kind));
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
        size_t before = extend_path(context, NULL, count);
        if (!read_element(context, reader, token, type, (uint8_t *)data + count * type->size)) return false;
        context->path[before] = '\0';
    }
    if (count > field->count) {
        char text[96];
        snprintf(text, sizeof text, "%zu elements, there is room for %zu", count, field->count);
        report(context, FILO_PROBLEM_DOES_NOT_FIT, begin.line, begin.column, "", text);
    }
    return true;
}

// The second pass: the fields that have references.
static bool read_references(ReadContext *context, FiloJsonReader *reader, const FiloType *type, void *data) {
    uint64_t seen[FILO_TYPE_FIELDS / 64] = { 0 };
    FiloJsonToken key;
    while ((key = filo_json_next(reader)).kind == FILO_JSON_KEY) {
        char name[256];
        size_t length = filo_json_as_text(key, name, sizeof name);
        const FiloField *field = length < sizeof name ? filo_type_field(type, name) : NULL;
        if (field == NULL) {
            char text[384];
            snprintf(text, sizeof text, "%s has no field \"%.60s\"", type->name, name);
            report(context, FILO_PROBLEM_UNKNOWN_FIELD, key.line, key.column, "", text);
        }
        if (field == NULL || !scene_has_entities(filo_field_type(field))) {
            filo_json_skip(reader, key);
            continue;
        }
        size_t before = extend_path(context, field->name, 0), index = (size_t)(field - type->fields);
        if ((seen[index / 64] >> index % 64 & 1) != 0)
            report(context, FILO_PROBLEM_REPEATED_FIELD, key.line, key.column, "",
                   "given more than once, the last one holds");
        seen[index / 64] |= UINT64_C(1) << index % 64;
        if (!read_field(context, reader, field, (uint8_t *)data + field->offset)) return false;
        context->path[before] = '\0';
    }
    return true;
}

// Reads a struct with references, which begins with `token`.
static bool read_struct(ReadContext *context, FiloJsonReader *reader, FiloJsonToken token,
                        const FiloType *type, void *data) {
    if (token.kind != FILO_JSON_OBJECT_BEGIN) {
        wrong_kind(context, token, "an object", filo_json_kind_name(token.kind));
        filo_json_skip(reader, token);
        return true;
    }
    FiloField fields[FILO_TYPE_FIELDS];
    FiloType without_references = *type;
    without_references.fields = fields;
    without_references.field_count = 0;
    for (size_t i = 0; i < type->field_count; i++)
        if (!scene_has_entities(filo_field_type(&type->fields[i])))
            fields[without_references.field_count++] = type->fields[i];
    FiloReadOptions options = { on_problem, context, true, &context->loader->value_names };
    FiloJsonReader again = scene_reader(context->loader, scene_location(context->loader, token));
    context->with_references = true;
    filo_reflect_read_json(&without_references, data, &again, &options);
    if (!check_names(context)) return false;
    return read_references(context, reader, type, data);
}

bool scene_read(SceneLoader *loader, uint32_t node, const SceneEntry *entry, void *value) {
    const FiloComponentInfo *info = filo_component_info(loader->world, entry->component);
    ReadContext context = { .loader = loader, .node = node };
    snprintf(context.path, sizeof context.path, "%s", info->name);
    FiloJsonReader reader = scene_reader(loader, entry->value);
    if (info->has_entities) {
        filo_bits_set(&loader->with_references, entry->component.id);
        return read_struct(&context, &reader, filo_json_next(&reader), info->type, value);
    }
    uint8_t nothing[16]; // the value of a tag
    FiloReadOptions options = { on_problem, &context, true, &loader->value_names };
    filo_reflect_read_json(info->type, value != NULL ? value : nothing, &reader, &options);
    return check_names(&context);
}

// ---- Replacing placeholders -------------------------------------------------------------------------------

// The copy of a prefab's entity in the instance of a node.
static FiloEntity copy_in_instance(SceneLoader *loader, uint32_t number, FiloEntity source) {
    const SceneNode *node = scene_node(loader, number);
    const uint32_t *index = source.id != 0 ? filo_map_get(&loader->source_order, source.id) : NULL;
    if (index == NULL) return FILO_ENTITY_NONE;
    FiloEntity copy = loader->scene->members.items[node->member + *index];
    return filo_entity_exists(loader->world, copy)
               ? copy
               : FILO_ENTITY_NONE; // it may have been removed by an override
}

// The entity with this path below the entity of a node.
static FiloEntity find_below(SceneLoader *loader, uint32_t number, FiloString path) {
    const SceneNode *node = scene_node(loader, number);
    if (node->entity.id == 0) return FILO_ENTITY_NONE; // not created yet
    if (node->kind == SCENE_NODE_PREFAB) return scene_find_path(loader->world, node->entity, path);
    if (node->info == SCENE_NONE) return FILO_ENTITY_NONE;
    FiloEntity prefab = loader->infos.items[node->info].entity;
    return copy_in_instance(loader, number, scene_find_path(loader->world, prefab, path));
}

static FiloEntity find_in_file(SceneLoader *loader, FiloString text) {
    FiloString first, rest;
    bool deeper = filo_string_cut(text, FILO_STRING("/"), &first, &rest);
    uint32_t number = SCENE_NONE, id;
    if (!filo_string_starts_with(first, FILO_STRING("#"))) {
        number = scene_find_node(loader, first);
    } else if (filo_parse_uint32(filo_string_slice(first, 1, SIZE_MAX), &id).code == FILO_OK) {
        const uint32_t *node = filo_map_get(&loader->ids, id);
        number = node != NULL ? *node : SCENE_NONE;
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

// Resolves a reference to an entity of the prefab that was just created; {0} if it refers to another entity. The
// reference may belong to the prefab that this one is based on.
static FiloEntity find_in_prefab(SceneLoader *loader, uint32_t prefab, const SceneReference *reference,
                                 uint32_t owner) {
    FiloEntity root = scene_node(loader, prefab)->entity, found = { 0 };
    FiloString text = reference->text;
    bool outside = filo_string_starts_with(text, FILO_STRING("/"));
    if (owner == prefab && !outside)
        found = filo_string_equal(text, FILO_STRING(".")) ? root : scene_find_path(loader->world, root, text);
    if (found.id != 0) return found;
    found = find_in_file(loader, outside ? filo_string_slice(text, 1, SIZE_MAX) : text);
    return scene_prefab_root(loader->world, found).id == root.id ? found : FILO_ENTITY_NONE;
}

typedef struct LinkContext {
    SceneLoader *loader;
    uint32_t prefab; // the node of the prefab that is being created; SCENE_NONE: all entities exist
} LinkContext;

static void report_unknown(SceneLoader *loader, const SceneReference *reference) {
    FiloString entity = { 0 };
    if (reference->node != SCENE_NONE) entity = scene_node(loader, reference->node)->name;
    scene_report(loader->scene,
                 &(SceneReport){ .kind = FILO_SCENE_UNKNOWN_REFERENCE,
                                 .source = loader->source,
                                 .location = reference->location,
                                 .entity = entity,
                                 .path = filo_builder_text(&loader->paths) + reference->path },
                 "there is no entity \"%.*s\"", SCENE_EXCERPT(reference->text));
}

static void link_reference(FiloEntity *entity, void *user) {
    const LinkContext *context = user;
    SceneLoader *loader = context->loader;
    uint64_t number = entity->id & ~SCENE_PLACEHOLDER;
    if ((entity->id & SCENE_PLACEHOLDER) != SCENE_PLACEHOLDER || number >= loader->references.count) return;
    SceneReference *reference = &loader->references.items[number];
    uint32_t owner = reference->node != SCENE_NONE ? scene_node(loader, reference->node)->owner : SCENE_NONE;
    if (context->prefab != SCENE_NONE) {
        FiloEntity found = find_in_prefab(loader, context->prefab, reference, owner);
        if (found.id != 0) *entity = found;
        return;
    }
    if (!reference->resolved) {
        FiloString text = reference->text;
        if (filo_string_starts_with(text, FILO_STRING("/"))) text = filo_string_slice(text, 1, SIZE_MAX);
        reference->resolved = true;
        reference->entity = find_in_file(loader, text);
        if (reference->entity.id == 0) reference->entity = find_in_world(loader, text);
        if (reference->entity.id == 0) report_unknown(loader, reference);
    }
    *entity = reference->entity;
}

static void link_members(LinkContext *context, size_t first, size_t end) {
    SceneLoader *loader = context->loader;
    filo_bits_each (&loader->with_references, id) {
        FiloComponent component = { (uint32_t)id };
        const FiloComponentInfo *info = filo_component_info(loader->world, component);
        for (size_t i = first; i < end; i++) {
            FiloEntity member = loader->scene->members.items[i];
            if (!filo_entity_has(loader->world, member, component))
                continue; // it may have been removed by an override
            filo_reflect_entities(info->type, filo_entity_edit(loader->world, member, component),
                                  link_reference, context);
        }
    }
}

void scene_link_prefab(SceneLoader *loader, uint32_t prefab, size_t first_member) {
    LinkContext context = { loader, prefab };
    link_members(&context, first_member, loader->scene->members.count);
}

void scene_link(SceneLoader *loader) {
    LinkContext context = { loader, SCENE_NONE };
    if (loader->references.count > 0) link_members(&context, 0, loader->scene->members.count);
}

void scene_link_global(SceneLoader *loader, const FiloType *type, void *value) {
    LinkContext context = { loader, SCENE_NONE };
    filo_reflect_entities(type, value, link_reference, &context);
}
