// Components that a file defines: { "Loot": { "fields": { "gold": "int32_t" }, "default": { "gold": 5 },
// "required": ["Position"] } }.
//
// Their types are created while the file is parsed, and owned by the world afterwards. A component that is registered
// already with the same fields is used, so a scene can be loaded several times.

#include "scene/scene.h"

#include <stdio.h>

#define COMPONENT_SIZE FILO_KIB(64) // at most

// ---- The form of a definition -----------------------------------------------------------------------------

typedef struct SceneField {
    char type[64];
    double min, max, step;
    char unit[32], help[256], was[64];
    bool transient, read_only, hidden;
} SceneField;
FILO_REFLECT(SceneField, FILO_FIELD(char, type), FILO_FIELD(double, min), FILO_FIELD(double, max),
             FILO_FIELD(double, step), FILO_FIELD(char, unit), FILO_FIELD(char, help), FILO_FIELD(char, was),
             FILO_FIELD(_Bool, transient), FILO_FIELD(_Bool, read_only), FILO_FIELD(_Bool, hidden))

static const FiloTypeFunction field_types[] = {
    filo_type__Bool,    filo_type_char,      filo_type_int8_t,      filo_type_int16_t,    filo_type_int32_t,
    filo_type_int64_t,  filo_type_uint8_t,   filo_type_uint16_t,    filo_type_uint32_t,   filo_type_uint64_t,
    filo_type_int,      filo_type_float,     filo_type_double,      filo_type_FiloEntity, filo_type_FiloName,
    filo_type_FiloVec2, filo_type_FiloVec3,  filo_type_FiloVec4,    filo_type_FiloIVec2,  filo_type_FiloQuat,
    filo_type_FiloRect, filo_type_FiloAabb3, filo_type_FiloAffine2, filo_type_FiloMat4,   filo_type_FiloColor,
};

static const char *const storage_names[] = { "table", "sparse", "array", "map", "tag", "global" };

// ---- Parsing ----------------------------------------------------------------------------------------------

static const FiloType *type_named(FiloString name) {
    for (size_t i = 0; i < FILO_COUNT_OF(field_types); i++)
        if (filo_string_equal(name, filo_string(field_types[i]()->name))) return field_types[i]();
    return NULL;
}

// "float", "float[4]".
static bool parse_type(FiloString text, const FiloType **type, size_t *count) {
    FiloString name, rest;
    uint32_t number = 0;
    if (filo_string_cut(text, FILO_STRING("["), &name, &rest)) {
        if (!filo_string_ends_with(rest, FILO_STRING("]"))) return false;
        rest.length--;
        if (filo_parse_uint32(rest, &number).code != FILO_OK || number == 0 || number > COMPONENT_SIZE)
            return false;
    }
    *type = type_named(name);
    *count = number;
    return *type != NULL;
}

typedef struct FormContext {
    SceneLoader *loader;
    FiloString component;
    const char *field;
} FormContext;

static void form_problem(const FiloProblem *problem, void *user) {
    const FormContext *form = user;
    char path[256];
    // The message begins with the path.
    size_t skip = problem->path[0] != '\0' ? strlen(problem->path) + 2 : 0;
    snprintf(path, sizeof path, "%s%s%s", form->field,
             problem->path[0] != '\0' && form->field[0] != '\0' ? "." : "", problem->path);
    scene_report(form->loader->scene,
                 &(SceneReport){ .kind = FILO_SCENE_VALUE,
                                 .value = problem->kind,
                                 .source = form->loader->source,
                                 .location = { 0, problem->line, problem->column },
                                 .entity = form->component,
                                 .path = path },
                 "%s", problem->message + skip);
}

static const char *copy_text(SceneLoader *loader, FiloString string) {
    char *text = scene_alloc_text(loader, string.length);
    if (text != NULL) filo_string_copy(string, text, string.length + 1);
    return text;
}

static const char *copy_optional_text(SceneLoader *loader, const char *hint) {
    return hint[0] != '\0' ? copy_text(loader, filo_string(hint)) : NULL;
}

static bool parse_field(SceneLoader *loader, FiloString component, FiloJsonToken key, FiloField *field) {
    SceneField form = { .type = "" };
    FiloString name;
    if (!scene_parse_name(loader, key, "fields", &name) || (field->name = copy_text(loader, name)) == NULL)
        return false;
    FiloJsonReader ahead = loader->reader;
    FiloJsonToken token = filo_json_next(&ahead);
    SceneLocation location = scene_location(loader, token);
    if (token.kind == FILO_JSON_STRING) {
        filo_json_as_text(token, form.type, sizeof form.type);
        loader->reader = ahead;
    } else if (token.kind == FILO_JSON_OBJECT_BEGIN) {
        FormContext context = { loader, component, field->name };
        FiloReadOptions options = { .problem = form_problem, .user = &context, .partial = true };
        loader->reader.source = ""; // form_problem adds the location to messages
        FiloType type = *FILO_TYPE(SceneField);
        type.name = "a definition"; // in messages
        filo_reflect_read_json(&type, &form, &loader->reader, &options);
        loader->reader.source = loader->source;
    } else {
        return scene_wrong_kind(loader, token, field->name, "a type in quotes, or an object");
    }
    if (!parse_type(filo_string(form.type), &field->type, &field->count))
        return scene_fail(loader, location, FILO_ERROR_DATA, "%s: there is no type \"%s\"", field->name,
                          form.type);
    field->min = form.min;
    field->max = form.max;
    field->step = form.step;
    field->unit = copy_optional_text(loader, form.unit);
    field->help = copy_optional_text(loader, form.help);
    field->was = copy_optional_text(loader, form.was);
    field->flags = (form.transient ? (uint32_t)FILO_FIELD_TRANSIENT : 0) |
                   (form.read_only ? (uint32_t)FILO_FIELD_READ_ONLY : 0) |
                   (form.hidden ? (uint32_t)FILO_FIELD_HIDDEN : 0);
    return loader->result.code == FILO_OK;
}

// A type without fields, followed by its name in one block.
typedef struct TagType {
    FiloType type;
    size_t block_size;
    char name[];
} TagType;

static const FiloType *create_tag(FiloString name) {
    size_t size = sizeof(TagType) + name.length + 1;
    TagType *tag = filo_alloc(NULL, size, 0);
    if (tag == NULL) return NULL;
    *tag = (TagType){ .type = { .kind = FILO_KIND_STRUCT, .align = 1 }, .block_size = size };
    filo_string_copy(name, tag->name, name.length + 1);
    tag->type.name = tag->name;
    return &tag->type;
}

static void release_type(const FiloType *type) {
    if (type == NULL) return;
    if (type->field_count == 0)
        filo_free(NULL, (TagType *)(uintptr_t)type, ((const TagType *)(const void *)type)->block_size, 0);
    else
        filo_type_destroy(type, NULL);
}

void scene_definitions_deinit(SceneLoader *loader) {
    filo_array_each (&loader->definitions, definition) release_type(definition->type);
    filo_array_deinit(&loader->definitions);
}

static bool parse_fields(SceneLoader *loader, FiloJsonToken token, SceneDefinition *definition) {
    FiloArray(FiloField) fields;
    filo_array_init(&fields, loader->allocator);
    if (token.kind != FILO_JSON_OBJECT_BEGIN) return scene_wrong_kind(loader, token, "fields", "an object");
    FiloJsonToken key;
    bool ok = true;
    while (ok && (key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        FiloField field = { 0 };
        ok = parse_field(loader, definition->name, key, &field);
        if (ok && !filo_array_push(&fields, field)) ok = scene_no_memory(loader);
    }
    const char *name = ok ? scene_c_text(loader, definition->name) : NULL;
    if (ok && name == NULL) ok = scene_no_memory(loader);
    if (ok && fields.count > 0) {
        FiloResult result = filo_type_create(&definition->type, name, fields.items, fields.count, NULL);
        if (result.code != FILO_OK)
            ok = scene_fail(loader, definition->location, result.code, "%s", result.message);
        else if (definition->type->size > COMPONENT_SIZE)
            ok = scene_fail(loader, definition->location, FILO_ERROR_LIMIT, "%s: %zu bytes, there may be %zu",
                            name, definition->type->size, COMPONENT_SIZE);
    }
    filo_array_deinit(&fields);
    return ok;
}

static bool parse_storage(SceneLoader *loader, FiloJsonToken token, FiloStorage *storage) {
    for (unsigned i = 0; i < FILO_COUNT_OF(storage_names); i++) {
        if (token.kind != FILO_JSON_STRING || !filo_json_equal(token, storage_names[i])) continue;
        *storage = (FiloStorage)i;
        return true;
    }
    return scene_fail(loader, scene_location(loader, token), FILO_ERROR_DATA,
                      "storage: expected \"table\", \"sparse\", \"array\", \"map\", \"tag\" or \"global\"");
}

static bool parse_required(SceneLoader *loader, FiloJsonToken token, SceneDefinition *definition) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN)
        return scene_wrong_kind(loader, token, "required", "a list of names");
    definition->required_count = 0;
    while ((token = filo_json_next(&loader->reader)).kind != FILO_JSON_ARRAY_END) {
        if (token.kind != FILO_JSON_STRING)
            return scene_wrong_kind(loader, token, "required", "text in quotes");
        SceneLocation location = scene_location(loader, token);
        if (definition->required_count == FILO_REQUIRED_MAX)
            return scene_fail(loader, location, FILO_ERROR_LIMIT, "required: more than %d",
                              FILO_REQUIRED_MAX);
        definition->required_locations[definition->required_count] = location;
        if (!scene_parse_name(loader, token, "required", &definition->required[definition->required_count]))
            return false;
        definition->required_count++;
    }
    return true;
}

static bool parse_definition(SceneLoader *loader, SceneDefinition *definition) {
    FiloJsonToken key, token = filo_json_next(&loader->reader);
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return scene_wrong_kind(loader, token, "components", "an object");
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        if (filo_json_equal(key, "fields")) {
            if (definition->type != NULL)
                return scene_fail(loader, scene_location(loader, key), FILO_ERROR_DATA,
                                  "fields: given more than once");
            if (!parse_fields(loader, filo_json_next(&loader->reader), definition)) return false;
        } else if (filo_json_equal(key, "storage")) {
            if (!parse_storage(loader, filo_json_next(&loader->reader), &definition->storage)) return false;
        } else if (filo_json_equal(key, "required")) {
            if (!parse_required(loader, filo_json_next(&loader->reader), definition)) return false;
        } else if (filo_json_equal(key, "transient")) {
            token = filo_json_next(&loader->reader);
            if (token.kind != FILO_JSON_TRUE && token.kind != FILO_JSON_FALSE)
                return scene_wrong_kind(loader, token, "transient", "true or false");
            definition->transient = token.kind == FILO_JSON_TRUE;
        } else if (filo_json_equal(key, "default")) {
            token = filo_json_next(&loader->reader);
            definition->default_value = scene_location(loader, token);
            definition->has_default = true;
            filo_json_skip(&loader->reader, token);
        } else {
            scene_unknown_member(loader, key);
            filo_json_skip(&loader->reader, key);
        }
    }
    if (definition->type == NULL && (definition->type = create_tag(definition->name)) == NULL)
        return scene_no_memory(loader);
    return true;
}

static bool check_definition(SceneLoader *loader, const SceneDefinition *definition) {
    const FiloType *type = definition->type;
    const char *reason = NULL;
    if (definition->storage == FILO_STORAGE_TAG && type->size > 0)
        reason = "it has fields, so it cannot be stored as a tag";
    else if (definition->storage == FILO_STORAGE_GLOBAL && type->size == 0)
        reason = "it has no fields, so it cannot be global";
    else if (definition->storage == FILO_STORAGE_GLOBAL && definition->required_count > 0)
        reason = "it is global, so it cannot require others";
    else if (type->align > (definition->storage == FILO_STORAGE_MAP ? 16 : FILO_CACHE_LINE))
        reason = "its fields cannot be aligned in that storage";
    return reason == NULL ||
           scene_fail(loader, definition->location, FILO_ERROR_DATA, "%s: %s", type->name, reason);
}

bool scene_parse_definitions(SceneLoader *loader, FiloJsonToken token) {
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return scene_wrong_kind(loader, token, "components", "an object");
    FiloJsonToken key;
    while ((key = filo_json_next(&loader->reader)).kind == FILO_JSON_KEY) {
        SceneDefinition definition = { .location = scene_location(loader, key) };
        if (!scene_parse_name(loader, key, "components", &definition.name)) return false;
        bool ok = parse_definition(loader, &definition) && check_definition(loader, &definition);
        if (!filo_array_push(&loader->definitions, definition)) {
            release_type(definition.type);
            return scene_no_memory(loader);
        }
        if (!ok) return false;
    }
    return true;
}

// ---- Registering ------------------------------------------------------------------------------------------

static bool same_type(const FiloType *a, const FiloType *b) {
    if (a->field_count != b->field_count || a->size != b->size) return false;
    for (size_t i = 0; i < a->field_count; i++) {
        const FiloField *x = &a->fields[i], *y = &b->fields[i];
        if (strcmp(x->name, y->name) != 0 || x->count != y->count || x->offset != y->offset ||
            strcmp(filo_field_type(x)->name, filo_field_type(y)->name) != 0)
            return false;
    }
    return true;
}

static void clear_entity(FiloEntity *entity, void *user) {
    (void)user;
    *entity = FILO_ENTITY_NONE;
}

bool scene_requires(const FiloWorld *world, FiloComponent component, FiloComponent required) {
    const FiloComponentInfo *info = filo_component_info(world, component);
    for (size_t i = 0; i < info->required_count; i++)
        if (info->required[i].id == required.id) return true;
    return false;
}

// Finds the required components of a definition. Those of the file must be defined before it.
static bool find_required(SceneLoader *loader, const SceneDefinition *definition, FiloRequired *required) {
    for (size_t i = 0; i < definition->required_count; i++) {
        SceneLocation location = definition->required_locations[i];
        const char *name = scene_c_text(loader, definition->required[i]);
        if (name == NULL) return scene_no_memory(loader);
        required[i].component = filo_component_resolve(loader->world, name);
        const FiloComponentInfo *info = filo_component_info(loader->world, required[i].component);
        if (info == NULL || filo_string_equal(definition->required[i], definition->name))
            return scene_fail(loader, location, FILO_ERROR_NOT_FOUND,
                              "required: there is no component %s before this one", name);
        if (info->storage == FILO_STORAGE_GLOBAL || info->type == FILO_TYPE(FiloFamily) ||
            info->type == FILO_TYPE(FiloEntityName) || info->type == FILO_TYPE(FiloPrefab))
            return scene_fail(loader, location, FILO_ERROR_KIND,
                              "required: %s is no component that entities are given", name);
    }
    return true;
}

// Whether a component requires exactly these components and those that they require.
static bool same_required(const FiloWorld *world, FiloComponent component, const FiloRequired *required,
                          size_t count) {
    const FiloComponentInfo *info = filo_component_info(world, component);
    for (size_t i = 0; i < count; i++)
        if (!scene_requires(world, component, required[i].component)) return false;
    for (size_t n = 0; n < info->required_count; n++) {
        bool found = false;
        for (size_t i = 0; i < count && !found; i++)
            found = required[i].component.id == info->required[n].id ||
                    scene_requires(world, required[i].component, info->required[n]);
        if (!found) return false;
    }
    return true;
}

static bool register_definition(SceneLoader *loader, SceneDefinition *definition,
                                const FiloRequired *required) {
    const FiloType *type = definition->type;
    uint8_t *default_value = NULL;
    FiloNameBatch names = { 0 };
    if (definition->has_default && type->size > 0) {
        default_value = filo_alloc_zero(loader->allocator, type->size, type->align);
        if (default_value == NULL) return scene_no_memory(loader);
        FormContext context = { loader, definition->name, "default" };
        FiloReadOptions options = { form_problem, &context, true, &names };
        FiloJsonReader reader = scene_reader(loader, definition->default_value);
        filo_reflect_read_json(type, default_value, &reader, &options);
        filo_reflect_entities(type, default_value, clear_entity, NULL); // a default value has no references
    }
    FiloComponentDesc desc = { .type = type,
                               .storage = definition->storage,
                               .default_value = default_value,
                               .transient = definition->transient,
                               .release = release_type };
    memcpy(desc.required, required, sizeof desc.required);
    FiloResult result = names.result;
    if (result.code == FILO_OK) definition->component = filo_component_register(loader->world, &desc);
    filo_free(loader->allocator, default_value, type->size, type->align);
    filo_name_batch_end(&names, definition->component.id != 0);
    if (result.code != FILO_OK)
        return scene_fail(loader, definition->location, result.code, "%s: %s", type->name, result.message);
    if (definition->component.id == 0) return scene_no_memory(loader);
    definition->type = NULL; // owned by the world
    return true;
}

bool scene_define(SceneLoader *loader) {
    filo_array_each (&loader->definitions, definition) {
        FiloComponent existing = filo_component_named(loader->world, definition->type->name);
        const FiloComponentInfo *info = filo_component_info(loader->world, existing);
        FiloRequired required[FILO_REQUIRED_MAX] = { 0 };
        if (!find_required(loader, definition, required)) return false;
        if (info != NULL &&
            (!same_type(info->type, definition->type) || info->storage != definition->storage ||
             info->transient != definition->transient))
            return scene_fail(loader, definition->location, FILO_ERROR_EXISTS,
                              "component %s is registered already, with other fields or another storage",
                              info->name);
        if (info != NULL && !same_required(loader->world, existing, required, definition->required_count))
            return scene_fail(loader, definition->location, FILO_ERROR_EXISTS,
                              "component %s is registered already, with other required components",
                              info->name);
        definition->component = existing;
        if (info == NULL && !register_definition(loader, definition, required)) return false;
        if (!filo_array_push(&loader->scene->definitions, definition->component))
            return scene_no_memory(loader);
    }
    return true;
}

// ---- Writing ----------------------------------------------------------------------------------------------

static void write_field(SceneWriter *writer, const FiloField *field) {
    SceneField form = { .min = field->min, .max = field->max, .step = field->step }, defaults = { .min = 0 };
    const char *type = filo_field_type(field)->name;
    if (field->count > 0)
        snprintf(form.type, sizeof form.type, "%s[%zu]", type, field->count);
    else
        snprintf(form.type, sizeof form.type, "%s", type);
    snprintf(form.unit, sizeof form.unit, "%s", field->unit != NULL ? field->unit : "");
    snprintf(form.help, sizeof form.help, "%s", field->help != NULL ? field->help : "");
    snprintf(form.was, sizeof form.was, "%s", field->was != NULL ? field->was : "");
    form.transient = (field->flags & FILO_FIELD_TRANSIENT) != 0;
    form.read_only = (field->flags & FILO_FIELD_READ_ONLY) != 0;
    form.hidden = (field->flags & FILO_FIELD_HIDDEN) != 0;
    filo_json_key(&writer->json, field->name);
    memcpy(defaults.type, form.type, sizeof defaults.type);
    if (filo_reflect_equal(FILO_TYPE(SceneField), &form, &defaults)) {
        filo_json_write_text(&writer->json, form.type);
        return;
    }
    defaults.type[0] = '\0';
    scene_write_fields(writer, FILO_TYPE(SceneField), &form, &defaults);
}

// Whether required component `n` is also required by another one.
static bool is_implied(const FiloWorld *world, const FiloComponentInfo *info, size_t n) {
    for (size_t i = 0; i < info->required_count; i++)
        if (scene_requires(world, info->required[i], info->required[n])) return true;
    return false;
}

static void write_required(SceneWriter *writer, const FiloComponentInfo *info) {
    FiloJsonWriter *json = &writer->json;
    const char *names[FILO_REQUIRED_MAX]; // sorted
    size_t count = 0;
    for (size_t i = 0; i < info->required_count && count < FILO_REQUIRED_MAX; i++) {
        if (is_implied(writer->world, info, i)) continue;
        const char *name = filo_component_info(writer->world, info->required[i])->name;
        size_t at = count++;
        for (; at > 0 && strcmp(names[at - 1], name) > 0; at--) names[at] = names[at - 1];
        names[at] = name;
    }
    if (count == 0) return;
    filo_json_key(json, "required");
    filo_json_on_one_line(json);
    filo_json_begin_array(json);
    for (size_t i = 0; i < count; i++) filo_json_write_text(json, names[i]);
    filo_json_end_array(json);
}

static void write_definition(SceneWriter *writer, const FiloComponentInfo *info) {
    FiloJsonWriter *json = &writer->json;
    filo_json_key(json, info->name);
    filo_json_begin_object(json);
    if (info->storage != FILO_STORAGE_TABLE && (size_t)info->storage < FILO_COUNT_OF(storage_names))
        filo_json_key(json, "storage"), filo_json_write_text(json, storage_names[info->storage]);
    if (info->transient) filo_json_key(json, "transient"), filo_json_write_bool(json, true);
    write_required(writer, info);
    if (info->type->field_count > 0) {
        filo_json_key(json, "fields");
        filo_json_begin_object(json);
        for (size_t i = 0; i < info->type->field_count; i++) write_field(writer, &info->type->fields[i]);
        filo_json_end_object(json);
    }
    if (info->default_value != NULL && scene_fields_differ(writer, info->type, info->default_value, NULL)) {
        filo_json_key(json, "default");
        scene_write_fields(writer, info->type, info->default_value, NULL);
    }
    filo_json_end_object(json);
}

void scene_write_definitions(SceneWriter *writer) {
    if (writer->scene->definitions.count == 0) return;
    filo_json_key(&writer->json, "components");
    filo_json_begin_object(&writer->json);
    filo_array_each (&writer->scene->definitions, component)
        write_definition(writer, filo_component_info(writer->world, *component));
    filo_json_end_object(&writer->json);
}
