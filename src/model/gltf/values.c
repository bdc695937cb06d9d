// Errors with their place, temporary memory, and typed values of the JSON.

#include "model/gltf/gltf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- Errors ---------------------------------------------------------------------------------------------

// "mesh 2: primitive 0: ", or "".
static void print_place(const ModelGltf *g, char *text, size_t size) {
    text[0] = '\0';
    if (g->place.part == NULL) return;
    int length = g->place.part_index == MODEL_GLTF_NONE
                     ? snprintf(text, size, "%s: ", g->place.part)
                     : snprintf(text, size, "%s %u: ", g->place.part, (unsigned)g->place.part_index);
    if (g->place.detail != NULL && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, "%s %u: ", g->place.detail,
                 (unsigned)g->place.detail_index);
}

// `where` is "" or ":line:column".
FILO_PRINTF(3, 0)
static void fail_with(ModelGltf *g, const char *where, const char *format, va_list arguments) {
    char place[96], message[FILO_MESSAGE_SIZE];
    vsnprintf(message, sizeof message, format, arguments);
    print_place(g, place, sizeof place);
    g->result = filo_error(FILO_ERROR_DATA, "%s%s: %s%s", g->reader->name, where, place, message);
}

bool model_gltf_fail(ModelGltf *g, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_with(g, "", format, arguments);
    va_end(arguments);
    return false;
}

bool model_gltf_fail_at(ModelGltf *g, const ModelJson *value, const char *format, ...) {
    char where[32];
    snprintf(where, sizeof where, ":%d:%d", (int)value->line, (int)value->column);
    va_list arguments;
    va_start(arguments, format);
    fail_with(g, where, format, arguments);
    va_end(arguments);
    return false;
}

// Whether `what` was noted: it is in the text, followed by a place, a comma, or the end.
static bool is_noted(const ModelGltf *g, const char *what) {
    size_t length = strlen(what);
    for (const char *at = strstr(g->left_out, what); at != NULL; at = strstr(at + 1, what)) {
        bool begins = at == g->left_out || at[-1] == ' ',
             ends = at[length] == '\0' || strchr(" ,", at[length]) != NULL;
        if (begins && ends) return true;
    }
    return false;
}

void model_gltf_leave_out(ModelGltf *g, const char *what) {
    char place[96];
    if (is_noted(g, what)) return;
    print_place(g, place, sizeof place);
    size_t end = strlen(place), room = sizeof g->left_out - g->left_out_length;
    if (end >= 2) place[end - 2] = '\0'; // ": "
    int length =
        snprintf(g->left_out + g->left_out_length, room, "%s%s%s%s%s", g->left_out_length > 0 ? ", " : "",
                 what, end >= 2 ? " (" : "", place, end >= 2 ? ")" : "");
    if (length > 0 && (size_t)length < room) {
        g->left_out_length += (uint32_t)length;
    } else {
        g->left_out[g->left_out_length] = '\0';
        g->left_out_more++;
    }
}

bool model_gltf_failed(ModelGltf *g, FiloResult result) {
    g->result = result;
    return false;
}

bool model_gltf_check_parts(ModelGltf *g, const char *what, uint32_t count) {
    return count <= MODEL_PARTS ||
           model_gltf_failed(g, filo_error(FILO_ERROR_LIMIT, "%s: has %u %s, and %d are the most",
                                           g->reader->name, count, what, MODEL_PARTS));
}

void model_gltf_place(ModelGltf *g, const char *part, uint32_t index) {
    g->place = (ModelGltfPlace){ .part = part, .part_index = index };
}

void model_gltf_place_in(ModelGltf *g, const char *detail, uint32_t index) {
    g->place.detail = detail;
    g->place.detail_index = index;
}

// ---- Memory ---------------------------------------------------------------------------------------------

#define HEADER FILO_ALIGN_UP(sizeof(ModelGltfBlock), 16)

void *model_gltf_temporary(ModelGltf *g, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) bytes = SIZE_MAX / 2;
    ModelGltfBlock *block = model_temporary(g->reader, NULL, 0, HEADER + bytes);
    if (block == NULL) {
        g->result = g->reader->result;
        return NULL;
    }
    *block = (ModelGltfBlock){ .next = g->blocks, .size = HEADER + bytes };
    if (g->blocks != NULL) g->blocks->previous = block;
    g->blocks = block;
    return memset((uint8_t *)block + HEADER, 0, bytes);
}

void model_gltf_release(ModelGltf *g, void *memory) {
    if (memory == NULL) return;
    ModelGltfBlock *block = (ModelGltfBlock *)(void *)((uint8_t *)memory - HEADER);
    if (block->next != NULL) block->next->previous = block->previous;
    if (block->previous != NULL)
        block->previous->next = block->next;
    else
        g->blocks = block->next;
    model_temporary_free(g->reader, block, block->size);
}

void model_gltf_release_all(ModelGltf *g) {
    while (g->blocks != NULL) model_gltf_release(g, (uint8_t *)g->blocks + HEADER);
}

// ---- Values ---------------------------------------------------------------------------------------------

static bool wrong_kind(ModelGltf *g, const ModelJson *value, const char *key, const char *wanted) {
    return model_gltf_fail_at(g, value, "\"%s\" must be %s, not %s", key, wanted,
                              filo_json_kind_name((FiloJsonKind)value->kind));
}

static bool member_of_kind(ModelGltf *g, const ModelJson *object, const char *key, FiloJsonKind kind,
                           const ModelJson **value) {
    const ModelJson *member = model_json_member(object, key);
    if (member == NULL) return true;
    if (member->kind != kind) return wrong_kind(g, member, key, filo_json_kind_name(kind));
    *value = member;
    return true;
}

bool model_gltf_object(ModelGltf *g, const ModelJson *object, const char *key, const ModelJson **value) {
    return member_of_kind(g, object, key, FILO_JSON_OBJECT_BEGIN, value);
}

bool model_gltf_array(ModelGltf *g, const ModelJson *object, const char *key, const ModelJson **value) {
    return member_of_kind(g, object, key, FILO_JSON_ARRAY_BEGIN, value);
}

bool model_gltf_text(ModelGltf *g, const ModelJson *object, const char *key, const ModelJson **value) {
    return member_of_kind(g, object, key, FILO_JSON_STRING, value);
}

bool model_gltf_bool(ModelGltf *g, const ModelJson *object, const char *key, bool *value) {
    const ModelJson *member = model_json_member(object, key);
    if (member == NULL) return true;
    if (member->kind != FILO_JSON_TRUE && member->kind != FILO_JSON_FALSE)
        return wrong_kind(g, member, key, "true or false");
    *value = member->kind == FILO_JSON_TRUE;
    return true;
}

bool model_gltf_uint(ModelGltf *g, const ModelJson *object, const char *key, uint64_t *value) {
    const ModelJson *member = model_json_member(object, key);
    if (member == NULL || filo_json_as_uint64(model_json_token(member), value)) return true;
    if (member->kind != FILO_JSON_NUMBER) return wrong_kind(g, member, key, "a whole number");
    return model_gltf_fail_at(g, member, "\"%s\" must be a whole number from 0 on, not %.*s", key,
                              (int)FILO_MIN(member->length, 32u), member->text);
}

// A number that is finite as a float.
static bool float_of(ModelGltf *g, const ModelJson *number, const char *key, float *value) {
    double d;
    if (number->kind != FILO_JSON_NUMBER) return wrong_kind(g, number, key, "a number");
    if (!filo_json_as_double(model_json_token(number), &d) ||
        !(d <= (double)FLT_MAX && d >= -(double)FLT_MAX))
        return model_gltf_fail_at(g, number, "\"%s\" is too large: %.*s", key,
                                  (int)FILO_MIN(number->length, 32u), number->text);
    *value = (float)d;
    return true;
}

bool model_gltf_float(ModelGltf *g, const ModelJson *object, const char *key, float *value) {
    const ModelJson *member = model_json_member(object, key);
    return member == NULL || float_of(g, member, key, value);
}

bool model_gltf_floats(ModelGltf *g, const ModelJson *object, const char *key, float *values,
                       uint32_t count) {
    const ModelJson *array = NULL;
    if (!model_gltf_array(g, object, key, &array)) return false;
    if (array == NULL) return true;
    if (array->count != count)
        return model_gltf_fail_at(g, array, "\"%s\" must have %u numbers, not %u", key, (unsigned)count,
                                  (unsigned)array->count);
    MODEL_JSON_EACH(array, number) {
        if (!float_of(g, number, key, values++)) return false;
    }
    return true;
}

bool model_gltf_index_of(ModelGltf *g, const ModelJson *value, const char *what, uint32_t count,
                         uint32_t *index) {
    uint64_t number;
    if (value->kind != FILO_JSON_NUMBER) return wrong_kind(g, value, what, "a whole number");
    if (!filo_json_as_uint64(model_json_token(value), &number) || number >= count)
        return model_gltf_fail(g, "there is no %s %.*s: the file has %u", what,
                               (int)FILO_MIN(value->length, 32u), value->text, (unsigned)count);
    *index = (uint32_t)number;
    return true;
}

bool model_gltf_index(ModelGltf *g, const ModelJson *object, const char *key, const char *what,
                      uint32_t count, uint32_t *value) {
    const ModelJson *member = model_json_member(object, key);
    return member == NULL || model_gltf_index_of(g, member, what, count, value);
}

bool model_gltf_extension(ModelGltf *g, const ModelJson *object, const char *name, const ModelJson **value) {
    const ModelJson *extensions = NULL;
    *value = NULL;
    return model_gltf_object(g, object, "extensions", &extensions) &&
           model_gltf_object(g, extensions, name, value);
}

bool model_gltf_list(ModelGltf *g, const char *key, const ModelJson **list, uint32_t *count) {
    *list = NULL;
    *count = 0;
    if (!model_gltf_array(g, g->root, key, list)) return false;
    MODEL_JSON_EACH(*list, element) {
        if (element->kind != FILO_JSON_OBJECT_BEGIN) return wrong_kind(g, element, key, "a list of objects");
    }
    *count = model_json_count(*list);
    return true;
}

bool model_gltf_each(ModelGltf *g, const ModelJson *list, const char *part,
                     bool (*read)(ModelGltf *g, const ModelJson *json, uint32_t index, ModelNames *names)) {
    ModelNames names = { 0 };
    uint32_t index = 0;
    bool ok = true;
    MODEL_JSON_EACH(list, json) {
        model_gltf_place(g, part, index);
        ok = read(g, json, index++, &names);
        if (!ok) break;
    }
    model_names_free(g->reader, &names);
    return ok;
}

// ---- Texts ----------------------------------------------------------------------------------------------

char *model_gltf_string(ModelGltf *g, const ModelJson *text, size_t *length) {
    size_t size = (size_t)text->length + 1; // escapes only become shorter
    char *string = model_gltf_temporary(g, size, 1);
    if (string == NULL) return NULL;
    *length = filo_json_as_text(model_json_token(text), string, size);
    return string;
}

bool model_gltf_name(ModelGltf *g, const ModelJson *object, ModelNames *names, const char *fallback,
                     const char **name) {
    const ModelJson *text = NULL;
    if (!model_gltf_text(g, object, "name", &text)) return false;
    char *string = NULL;
    size_t length = 0;
    if (text != NULL && text->length > 0) {
        string = model_gltf_string(g, text, &length);
        if (string == NULL) return false;
        length = strlen(string); // a name ends at a zero in it
    }
    *name = model_unique_name(g->reader, names, string, length, fallback);
    bool ok = *name != NULL || model_gltf_failed(g, g->reader->result);
    model_gltf_release(g, string); // after the result of the reader was read
    return ok;
}
