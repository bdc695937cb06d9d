// Builds the tree of a JSON text from the tokens of the engine's reader.

#include "model/gltf/json.h"

static ModelJson value_of(FiloJsonToken token) {
    return (ModelJson){ .text = token.text,
                        .length = (uint32_t)token.length,
                        .span = 1,
                        .line = token.line,
                        .column = token.column,
                        .kind = (uint8_t)token.kind,
                        .escaped = token.escaped };
}

static bool add(ModelJsonTree *tree, ModelReader *reader, FiloJsonToken token) {
    void *values =
        model_temporary_grow(reader, tree->values, &tree->capacity, tree->count + 1, sizeof *tree->values);
    if (values == NULL) return false;
    tree->values = values;
    tree->values[tree->count++] = value_of(token);
    return true;
}

// The objects and arrays that are open, by their indices.
typedef struct Open {
    uint32_t index[FILO_JSON_DEPTH];
    int depth;
} Open;

static void close(ModelJsonTree *tree, Open *open) {
    uint32_t index = open->index[--open->depth];
    tree->values[index].span = (uint32_t)tree->count - index;
}

FiloResult model_json_parse(ModelJsonTree *tree, ModelReader *reader, const char *text, size_t length) {
    *tree = (ModelJsonTree){ 0 };
    if (length >= UINT32_MAX)
        return filo_error(FILO_ERROR_LIMIT, "%s: %zu bytes of JSON are too many", reader->name, length);
    FiloJsonReader json;
    filo_json_reader_init(&json, text, length, reader->name);
    Open open = { .depth = 0 };
    for (;;) {
        FiloJsonToken token = filo_json_next(&json);
        if (token.kind == FILO_JSON_END) return filo_ok();
        if (token.kind == FILO_JSON_ERROR) return json.error;
        if (token.kind == FILO_JSON_OBJECT_END || token.kind == FILO_JSON_ARRAY_END) {
            close(tree, &open);
            continue;
        }
        if (!add(tree, reader, token)) return reader->result;
        uint32_t index = (uint32_t)tree->count - 1;
        ModelJson *parent = open.depth > 0 ? &tree->values[open.index[open.depth - 1]] : NULL;
        if (parent != NULL && (parent->kind == FILO_JSON_ARRAY_BEGIN || token.kind == FILO_JSON_KEY))
            parent->count++;
        if (token.kind == FILO_JSON_OBJECT_BEGIN || token.kind == FILO_JSON_ARRAY_BEGIN)
            open.index[open.depth++] = index;
    }
}

void model_json_free(ModelJsonTree *tree, ModelReader *reader) {
    model_temporary_free(reader, tree->values, tree->capacity * sizeof *tree->values);
    *tree = (ModelJsonTree){ 0 };
}

const ModelJson *model_json_member(const ModelJson *object, const char *key) {
    if (!model_json_is_object(object)) return NULL;
    MODEL_JSON_EACH(object, name) {
        if (name->kind == FILO_JSON_KEY && filo_json_equal(model_json_token(name), key)) return name + 1;
    }
    return NULL;
}
