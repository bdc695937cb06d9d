// Writes values of components: only the fields that differ from their base, and references as names.
//
// The layout depends on the text alone: short objects and lists of single values are on one line. So unknown
// components have the same layout as registered ones.

#include "scene/scene.h"

#define ONE_LINE_MEMBERS 4

// ---- Described values -------------------------------------------------------------------------------------

static bool is_field_equal(const FiloField *field, const void *value, const void *base) {
    FiloType one = { .name = "", .kind = FILO_KIND_STRUCT, .fields = field, .field_count = 1 };
    return filo_reflect_equal(&one, value, base);
}

static bool is_written(const FiloField *field, const void *value, const void *base) {
    return (field->flags & FILO_FIELD_TRANSIENT) == 0 &&
           (base == NULL || !is_field_equal(field, value, base));
}

static const void *or_zeroes(SceneWriter *writer, const void *base, size_t size) {
    if (base != NULL) return base;
    if (writer->zeroes.count < size && !filo_array_resize(&writer->zeroes, size)) {
        scene_write_no_memory(writer);
        return NULL;
    }
    return writer->zeroes.items;
}

bool scene_fields_differ(SceneWriter *writer, const FiloType *type, const void *value, const void *base) {
    if (type->size == 0 || (base = or_zeroes(writer, base, type->size)) == NULL) return false;
    for (size_t i = 0; i < type->field_count; i++)
        if (is_written(&type->fields[i], value, base)) return true;
    return false;
}

static FiloKind kind_of(const FiloField *field, const FiloType *type) {
    return field->choices != NULL ? field->choices()->kind : type->kind;
}

// Whether a field is written as a single value: a number, a text, a name, a reference.
static bool is_single(const FiloField *field) {
    const FiloType *type = filo_field_type(field);
    FiloKind kind = kind_of(field, type);
    if (kind == FILO_KIND_STRUCT || kind == FILO_KIND_FLAGS) return false;
    return field->count == 0 || kind == FILO_KIND_CHAR;
}

static void write_object(SceneWriter *writer, const FiloType *type, const void *value, const void *base);

static void write_element(SceneWriter *writer, const FiloField *field, const FiloType *type,
                          const void *data) {
    if (type->kind == FILO_KIND_ENTITY) {
        FiloEntity target;
        memcpy(&target, data, sizeof target);
        scene_write_reference(writer, target);
    } else if (type->kind == FILO_KIND_STRUCT) {
        write_object(writer, type, data, NULL);
    } else if (field->choices != NULL) { // an integer that is written by name
        FiloType named = *field->choices();
        named.size = type->size;
        named.align = type->align;
        named.is_signed = type->kind == FILO_KIND_INT;
        filo_reflect_write_json(&named, data, &writer->json);
    } else {
        filo_reflect_write_json(type, data, &writer->json);
    }
}

static void write_field(SceneWriter *writer, const FiloField *field, const void *data) {
    const FiloType *type = filo_field_type(field);
    filo_json_key(&writer->json, field->name);
    if (type->kind == FILO_KIND_CHAR && field->count > 0) {
        filo_json_write_string(&writer->json, filo_string_from(data, strnlen(data, field->count)));
        return;
    }
    if (field->count == 0) {
        write_element(writer, field, type, data);
        return;
    }
    FiloKind kind = kind_of(field, type);
    if (kind != FILO_KIND_STRUCT && kind != FILO_KIND_FLAGS) filo_json_on_one_line(&writer->json);
    filo_json_begin_array(&writer->json);
    for (size_t i = 0; i < field->count; i++)
        write_element(writer, field, type, (const uint8_t *)data + i * type->size);
    filo_json_end_array(&writer->json);
}

// The fields that differ from `base`; NULL: all.
static void write_object(SceneWriter *writer, const FiloType *type, const void *value, const void *base) {
    size_t count = 0;
    bool single = true;
    for (size_t i = 0; i < type->field_count; i++) {
        if (!is_written(&type->fields[i], value, base)) continue;
        count++;
        single = single && is_single(&type->fields[i]);
    }
    if (single && count <= ONE_LINE_MEMBERS) filo_json_on_one_line(&writer->json);
    filo_json_begin_object(&writer->json);
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        if (is_written(field, value, base))
            write_field(writer, field, (const uint8_t *)value + field->offset);
    }
    filo_json_end_object(&writer->json);
}

void scene_write_fields(SceneWriter *writer, const FiloType *type, const void *value, const void *base) {
    if (type->size == 0) { // a tag
        filo_json_begin_object(&writer->json);
        filo_json_end_object(&writer->json);
        return;
    }
    base = or_zeroes(writer, base, type->size);
    if (base != NULL) write_object(writer, type, value, base);
}

// ---- Unknown components --------------------------------------------------------------------------------------

static bool is_single_value(FiloJsonToken token) { return token.kind <= FILO_JSON_STRING; }

// Whether the object or list at the reader has only single values, and an object only a few.
static bool is_one_line(FiloJsonReader reader, bool object) {
    FiloJsonToken token;
    for (size_t count = 0;;) {
        token = filo_json_next(&reader);
        if (token.kind == FILO_JSON_OBJECT_END || token.kind == FILO_JSON_ARRAY_END) return true;
        if (token.kind == FILO_JSON_KEY) continue;
        if (!is_single_value(token) || (object && ++count > ONE_LINE_MEMBERS)) return false;
    }
}

// Writes a token without changing its text. Writing null, and removing it again, leaves the comma and line break that
// the JSON writer puts before a value.
static void write_token(FiloJsonWriter *json, FiloJsonToken token) {
    filo_json_write_null(json);
    if (json->failed || json->builder.failed) return;
    json->builder.length -= 4;
    bool quoted = token.kind == FILO_JSON_STRING;
    if (quoted) filo_builder_add_byte(&json->builder, '"');
    filo_builder_add(&json->builder, filo_string_from(token.text, token.length));
    if (quoted) filo_builder_add_byte(&json->builder, '"');
}

static void write_key(SceneWriter *writer, FiloJsonToken key) {
    size_t length = filo_json_as_text(key, NULL, 0);
    filo_builder_clear(&writer->text);
    if (!filo_builder_reserve(&writer->text, length + 1)) {
        scene_write_no_memory(writer);
        return;
    }
    filo_json_as_text(key, writer->text.data, length + 1);
    filo_json_key(&writer->json, writer->text.data);
}

void scene_write_raw(SceneWriter *writer, const char *text) {
    FiloJsonReader reader;
    FiloJsonToken token;
    FiloJsonWriter *json = &writer->json;
    filo_json_reader_init(&reader, text, strlen(text), "");
    while (writer->result.code == FILO_OK && (token = filo_json_next(&reader)).kind < FILO_JSON_END) {
        switch (token.kind) {
        case FILO_JSON_KEY: write_key(writer, token); break;
        case FILO_JSON_OBJECT_END: filo_json_end_object(json); break;
        case FILO_JSON_ARRAY_END: filo_json_end_array(json); break;
        case FILO_JSON_OBJECT_BEGIN:
        case FILO_JSON_ARRAY_BEGIN:
            if (json->depth >= FILO_JSON_DEPTH) {
                scene_write_failed(
                    writer,
                    filo_error(FILO_ERROR_LIMIT, "values inside values are deeper than %d", FILO_JSON_DEPTH));
                return;
            }
            if (is_one_line(reader, token.kind == FILO_JSON_OBJECT_BEGIN)) filo_json_on_one_line(json);
            if (token.kind == FILO_JSON_OBJECT_BEGIN)
                filo_json_begin_object(json);
            else
                filo_json_begin_array(json);
            break;
        default: write_token(json, token); break;
        }
    }
}
