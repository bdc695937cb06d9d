// A JSON text as a tree in one array, for glTF, whose parts refer to each other in any order.
//
// A value is followed by its elements; in objects, each key is followed by its value. `span` is the number of values with
// all that is inside, so value + value->span is the next one on the same level. Texts point into the JSON.

#ifndef FILO_MODEL_GLTF_JSON_H
#define FILO_MODEL_GLTF_JSON_H

#include "model/model.h"

#include <filo/json.h>

typedef struct ModelJson {
    const char *text;
    uint32_t length, span;
    int32_t line, column;
    uint32_t count; // elements of an array, members of an object
    uint8_t kind;   // FiloJsonKind; objects and arrays have that of their beginning
    bool escaped;
} ModelJson;

typedef struct ModelJsonTree {
    ModelJson *values; // [0] is the root
    size_t count, capacity;
} ModelJsonTree;

// Reads a whole text; an object with two members of one name is refused. The tree is temporary memory of the reader, and is freed in any case.
FiloResult model_json_parse(ModelJsonTree *tree, ModelReader *reader, const char *text, size_t length);
void model_json_free(ModelJsonTree *tree, ModelReader *reader);

// The value of a member; NULL if there is none, or `object` is NULL or not an object.
const ModelJson *model_json_member(const ModelJson *object, const char *key);

// The token of a value, for filo_json_as_text and its neighbours.
static inline FiloJsonToken model_json_token(const ModelJson *value) {
    return (FiloJsonToken){ .kind = (FiloJsonKind)value->kind,
                            .text = value->text,
                            .length = value->length,
                            .line = value->line,
                            .column = value->column,
                            .escaped = value->escaped };
}

static inline bool model_json_is_array(const ModelJson *value) {
    return value != NULL && value->kind == FILO_JSON_ARRAY_BEGIN;
}
static inline bool model_json_is_object(const ModelJson *value) {
    return value != NULL && value->kind == FILO_JSON_OBJECT_BEGIN;
}
static inline uint32_t model_json_count(const ModelJson *array) { return array != NULL ? array->count : 0; }

// The head of a loop over the elements of an array, or over the keys and values of an object in turn; NULL is empty.
#define MODEL_JSON_EACH(array, element)                                                                      \
    for (const ModelJson *element = (array) != NULL ? (array) + 1 : NULL;                                    \
         element != NULL && element < (array) + (array)->span; element += element->span)

#endif
