// Builds the tree of a JSON text from the tokens of the engine's reader.

#include "model/gltf/json.h"

#include <filo/containers.h>
#include <filo/hash.h>

#include <string.h>

static ModelJson value_of(FiloJsonToken token) {
    return (ModelJson){ .text = token.text,
                        .length = (uint32_t)token.length,
                        .span = 1,
                        .line = token.line,
                        .column = token.column,
                        .kind = (uint8_t)token.kind,
                        .escaped = token.escaped };
}

// How many values and keys a text has at most, so that the tree does not grow in steps, with twice the memory.
static size_t count_values(const char *text, size_t length) {
    size_t count = 1;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '"') quoted = !quoted;
        if (quoted && c == '\\') i++;
        count += !quoted && (c == ',' || c == ':' || c == '[' || c == '{');
    }
    return count;
}

static bool reserve(ModelJsonTree *tree, ModelReader *reader, size_t count) {
    void *values = model_temporary_grow(reader, tree->values, &tree->capacity, count, sizeof *tree->values);
    if (values != NULL) tree->values = values;
    return values != NULL;
}

static bool add(ModelJsonTree *tree, ModelReader *reader, FiloJsonToken token) {
    if (!reserve(tree, reader, tree->count + 1)) return false;
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

// ---- Members of one name --------------------------------------------------------------------------------

#define FEW      16 // members that are compared in pairs
#define KEY_SIZE 1024

static bool same_key(const ModelJson *a, const ModelJson *b) {
    if (!a->escaped && !b->escaped) return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
    char first[KEY_SIZE], second[KEY_SIZE];
    return filo_json_as_text(model_json_token(a), first, sizeof first) ==
               filo_json_as_text(model_json_token(b), second, sizeof second) &&
           strcmp(first, second) == 0;
}

static uint64_t hash_key(const ModelJson *key) {
    if (!key->escaped) return filo_hash(key->text, FILO_MIN(key->length, (uint32_t)KEY_SIZE - 1));
    char text[KEY_SIZE];
    (void)filo_json_as_text(model_json_token(key), text, sizeof text);
    return filo_hash_text(text);
}

static const ModelJson *find_pair(const ModelJson *object) {
    MODEL_JSON_EACH(object, key) {
        if (key->kind != FILO_JSON_KEY) continue;
        for (const ModelJson *other = object + 1; other < key; other += other->span)
            if (other->kind == FILO_JSON_KEY && same_key(other, key)) return key;
    }
    return NULL;
}

// Of many members. Keys that differ and have one hash are taken for different ones, so a pair may be missed among those.
static const ModelJson *find_pair_by_hash(const ModelJson *object, const ModelReader *reader,
                                          bool *no_memory) {
    FiloMap keys;
    filo_map_init(&keys, sizeof(const ModelJson *), reader->allocator);
    const ModelJson *pair = NULL;
    MODEL_JSON_EACH(object, key) {
        if (key->kind != FILO_JSON_KEY) continue;
        uint64_t hash = hash_key(key);
        const ModelJson *const *other = filo_map_get(&keys, hash);
        if (other != NULL && same_key(*other, key)) pair = key;
        *no_memory = other == NULL && !filo_map_set(&keys, hash, &key);
        if (pair != NULL || *no_memory) break;
    }
    filo_map_deinit(&keys);
    return pair;
}

static FiloResult check_members(const ModelJson *object, const ModelReader *reader,
                                const FiloJsonReader *json) {
    if (object->kind != FILO_JSON_OBJECT_BEGIN) return filo_ok();
    bool no_memory = false;
    const ModelJson *key =
        object->count <= FEW ? find_pair(object) : find_pair_by_hash(object, reader, &no_memory);
    if (no_memory) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for its JSON", reader->name);
    if (key == NULL) return filo_ok();
    char text[64];
    (void)filo_json_as_text(model_json_token(key), text, sizeof text);
    return filo_json_error_at(json, model_json_token(key), "\"%s\" is there twice", text);
}

// ---- Reading --------------------------------------------------------------------------------------------

FiloResult model_json_parse(ModelJsonTree *tree, ModelReader *reader, const char *text, size_t length) {
    *tree = (ModelJsonTree){ 0 };
    if (length >= UINT32_MAX)
        return filo_error(FILO_ERROR_LIMIT, "%s: %zu bytes of JSON are too many", reader->name, length);
    FiloJsonReader json;
    filo_json_reader_init(&json, text, length, reader->name);
    if (!reserve(tree, reader, count_values(text, length))) return reader->result;
    Open open = { .depth = 0 };
    for (;;) {
        FiloJsonToken token = filo_json_next(&json);
        if (token.kind == FILO_JSON_END) return filo_ok();
        if (token.kind == FILO_JSON_ERROR) return json.error;
        if (token.kind == FILO_JSON_OBJECT_END || token.kind == FILO_JSON_ARRAY_END) {
            close(tree, &open);
            FiloResult r = check_members(&tree->values[open.index[open.depth]], reader, &json);
            if (r.code != FILO_OK) return r;
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
