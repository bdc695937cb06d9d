// Values through their descriptions: comparing, hashing, finding by path, printing and parsing.
//
// All functions recurse in the same way: over the fields of a struct, the elements of an array, and by kind for a
// single value. Comparing and hashing have the same definition of equality (filo_reflect_equal in reflect.h).

#include <filo/check.h>
#include <filo/hash.h>
#include <filo/reflect.h>
#include <filo/strings.h>

#include "base/reflect_value.h"
#include "base/text/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Single values ------------------------------------------------------------------------------------

bool base_value_is_signed(const FiloType *type) {
    return type->kind == FILO_KIND_INT || (type->kind == FILO_KIND_ENUM && type->is_signed);
}

int64_t base_value_load(const FiloType *type, const void *data) {
    uint64_t bits = 0;
    unsigned size = (unsigned)FILO_MIN(type->size, sizeof bits);
    // By size, so that neither alignment nor byte order matters.
    if (size == 1)
        bits = *(const uint8_t *)data;
    else if (size == 2) {
        uint16_t part;
        memcpy(&part, data, 2);
        bits = part;
    } else if (size == 4) {
        uint32_t part;
        memcpy(&part, data, 4);
        bits = part;
    } else
        memcpy(&bits, data, 8);
    unsigned shift = 64 - size * 8;
    return base_value_is_signed(type) ? (int64_t)(bits << shift) >> shift : (int64_t)bits;
}

void base_value_store(const FiloType *type, void *data, int64_t value) {
    uint64_t bits = (uint64_t)value;
    if (type->size == 1)
        *(uint8_t *)data = (uint8_t)bits;
    else if (type->size == 2) {
        uint16_t part = (uint16_t)bits;
        memcpy(data, &part, 2);
    } else if (type->size == 4) {
        uint32_t part = (uint32_t)bits;
        memcpy(data, &part, 4);
    } else
        memcpy(data, &bits, 8);
}

bool base_value_fits(const FiloType *type, int64_t value, bool value_is_unsigned) {
    if (value_is_unsigned && value < 0) // above INT64_MAX
        return type->size == 8 && !base_value_is_signed(type);
    if (base_value_is_signed(type)) {
        int64_t limit = type->size >= 8 ? INT64_MAX : (INT64_C(1) << (type->size * 8 - 1)) - 1;
        return value <= limit && value >= -limit - 1;
    }
    return value >= 0 && (type->size >= 8 || value < INT64_C(1) << (type->size * 8));
}

double base_value_load_float(const FiloType *type, const void *data) {
    if (type->size == sizeof(float)) {
        float value;
        memcpy(&value, data, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, data, sizeof value);
    return value;
}

// ---- Paths --------------------------------------------------------------------------------------------

static size_t add_step(BaseFieldPath *path, const char *format, const char *name, size_t index) {
    size_t before = path->length;
    size_t available = sizeof path->text - path->length;
    int written = name != NULL ? snprintf(path->text + path->length, available, "%s%s", format, name)
                               : snprintf(path->text + path->length, available, "[%zu]", index);
    if (written > 0) path->length = FILO_MIN(path->length + (size_t)written, sizeof path->text - 1);
    return before;
}

size_t base_field_path_add_field(BaseFieldPath *path, const char *name) {
    return add_step(path, path->length > 0 ? "." : "", name, 0);
}

size_t base_field_path_add_index(BaseFieldPath *path, size_t index) {
    return add_step(path, NULL, NULL, index);
}

void base_field_path_cut(BaseFieldPath *path, size_t length) {
    path->length = length;
    path->text[length] = '\0';
}

// ---- Comparing ----------------------------------------------------------------------------------------

static bool same_float(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool struct_differs(const FiloType *type, const uint8_t *a, const uint8_t *b, BaseFieldPath *path);

static bool element_differs(const FiloType *type, const uint8_t *a, const uint8_t *b, BaseFieldPath *path) {
    if (type->kind == FILO_KIND_STRUCT) return struct_differs(type, a, b, path);
    if (type->kind == FILO_KIND_FLOAT)
        return !same_float(base_value_load_float(type, a), base_value_load_float(type, b));
    return memcmp(a, b, type->size) != 0;
}

static bool field_differs(const FiloField *field, const uint8_t *a, const uint8_t *b, BaseFieldPath *path) {
    const FiloType *type = filo_field_type(field);
    if (base_value_is_text(type, field->count))
        return strncmp((const char *)a, (const char *)b, field->count) != 0;
    if (field->count == 0) return element_differs(type, a, b, path);
    for (size_t i = 0; i < field->count; i++) {
        size_t before = base_field_path_add_index(path, i);
        if (element_differs(type, a + i * type->size, b + i * type->size, path)) return true;
        base_field_path_cut(path, before);
    }
    return false;
}

static bool struct_differs(const FiloType *type, const uint8_t *a, const uint8_t *b, BaseFieldPath *path) {
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        if ((field->flags & FILO_FIELD_TRANSIENT) != 0) continue;
        size_t before = base_field_path_add_field(path, field->name);
        if (field_differs(field, a + field->offset, b + field->offset, path)) return true;
        base_field_path_cut(path, before);
    }
    return false;
}

bool filo_reflect_difference(const FiloType *type, const void *a, const void *b, char *path, size_t size) {
    if (!FILO_CHECK(type != NULL, "pass a type")) return false;
    BaseFieldPath found = { .length = 0 };
    bool differs = element_differs(type, a, b, &found);
    if (path != NULL && size > 0) snprintf(path, size, "%s", differs ? found.text : "");
    return differs;
}

bool filo_reflect_equal(const FiloType *type, const void *a, const void *b) {
    return FILO_CHECK(type != NULL, "pass a type") && !filo_reflect_difference(type, a, b, NULL, 0);
}

// ---- Hashing ------------------------------------------------------------------------------------------

static uint64_t float_bits(double value) {
    if (isnan(value)) return UINT64_C(0x7FF8000000000000);
    if (value == 0) return 0; // also −0
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t hash_struct(const FiloType *type, const uint8_t *data, uint64_t hash);

static uint64_t hash_element(const FiloType *type, const uint8_t *data, uint64_t hash) {
    switch (type->kind) {
    case FILO_KIND_STRUCT: return hash_struct(type, data, hash);
    case FILO_KIND_FLOAT: return filo_hash_combine(hash, float_bits(base_value_load_float(type, data)));
    case FILO_KIND_NAME: {
        FiloName name;
        memcpy(&name, data, sizeof name);
        return filo_hash_combine(hash, filo_name_hash(name)); // not the id, which differs between runs
    }
    case FILO_KIND_ENTITY: { // a temporary id differs between worlds: it counts as {0}
        uint64_t id = (uint64_t)base_value_load(type, data);
        return filo_hash_combine(hash, id >> 63 == 0 ? id : 0);
    }
    default: return filo_hash_combine(hash, (uint64_t)base_value_load(type, data));
    }
}

static uint64_t hash_struct(const FiloType *type, const uint8_t *data, uint64_t hash) {
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        if ((field->flags & FILO_FIELD_TRANSIENT) != 0) continue;
        const FiloType *element = filo_field_type(field);
        const uint8_t *at = data + field->offset;
        if (base_value_is_text(element, field->count)) {
            hash = filo_hash_combine(hash, filo_hash(at, strnlen((const char *)at, field->count)));
            continue;
        }
        for (size_t k = 0; k < FILO_MAX(field->count, (size_t)1); k++)
            hash = hash_element(element, at + k * element->size, hash);
    }
    return hash;
}

uint64_t filo_reflect_hash(const FiloType *type, const void *data, uint64_t seed) {
    return FILO_CHECK(type != NULL, "pass a type") ? hash_element(type, data, seed) : 0;
}

// ---- Entities -----------------------------------------------------------------------------------------

void filo_reflect_entities(const FiloType *type, void *data, void (*visit)(FiloEntity *entity, void *user),
                           void *user) {
    if (!FILO_CHECK(type != NULL, "pass a type")) return;
    if (type->kind == FILO_KIND_ENTITY) visit(data, user);
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        const FiloType *element = filo_field_type(field);
        if (element->kind != FILO_KIND_ENTITY && element->kind != FILO_KIND_STRUCT) continue;
        for (size_t k = 0; k < FILO_MAX(field->count, (size_t)1); k++)
            filo_reflect_entities(element, (uint8_t *)data + field->offset + k * element->size, visit, user);
    }
}

// ---- Finding by path ----------------------------------------------------------------------------------

static FiloResult find_index(FiloValue *value, const char **path, const char *whole) {
    char *end;
    if ((*path)[1] < '0' || (*path)[1] > '9')
        return filo_error(FILO_ERROR_NOT_FOUND, "%s: expected a number after [", whole);
    unsigned long index = strtoul(*path + 1, &end, 10);
    if (*end != ']') return filo_error(FILO_ERROR_NOT_FOUND, "%s: expected a ]", whole);
    if (value->count == 0 || base_value_is_text(value->type, value->count))
        return filo_error(FILO_ERROR_NOT_FOUND, "%s: %.*s is not a list", whole, (int)(*path - whole), whole);
    if (index >= value->count)
        return filo_error(FILO_ERROR_NOT_FOUND, "%s: the list has %zu elements, counted from 0", whole,
                          value->count);
    value->data = (uint8_t *)value->data + index * value->type->size;
    value->count = 0;
    *path = end + 1;
    return filo_ok();
}

static FiloResult find_field(FiloValue *value, const char **path, const char *whole) {
    size_t length = strcspn(*path, ".[");
    char name[128];
    if (length == 0) return filo_error(FILO_ERROR_NOT_FOUND, "%s: a name is missing", whole);
    snprintf(name, sizeof name, "%.*s", (int)length, *path);
    if (value->count > 0 || value->type->kind != FILO_KIND_STRUCT)
        return filo_error(FILO_ERROR_NOT_FOUND, "%s: there is nothing called %s inside a %s%s", whole, name,
                          value->type->name, value->count > 0 ? " list" : "");
    const FiloField *field = filo_type_field(value->type, name);
    if (field == NULL)
        return filo_error(FILO_ERROR_NOT_FOUND, "%s: %s has no field %s", whole, value->type->name, name);
    *value =
        (FiloValue){ filo_field_type(field), field, (uint8_t *)value->data + field->offset, field->count };
    *path += length;
    return filo_ok();
}

FiloResult filo_reflect_find(FiloValue *value, const FiloType *type, void *data, const char *path) {
    FiloValue found = { type, NULL, data, 0 };
    if (value != NULL) *value = (FiloValue){ 0 };
    if (value == NULL || type == NULL || data == NULL || path == NULL)
        return FILO_MISTAKE("find needs a type, data and a path");
    for (const char *rest = path; *rest != '\0';) {
        if (*rest == '.' && rest != path) rest++;
        FiloResult result = *rest == '[' ? find_index(&found, &rest, path) : find_field(&found, &rest, path);
        if (result.code != FILO_OK) return result;
    }
    *value = found;
    return filo_ok();
}

// ---- Printing and parsing -----------------------------------------------------------------------------

static size_t copy_out(char *text, size_t size, const char *from, size_t length) {
    if (size > 0) {
        size_t fits = FILO_MIN(length, size - 1);
        memcpy(text, from, fits);
        text[fits] = '\0';
    }
    return length;
}

static size_t print_as_json(FiloValue value, char *text, size_t size) {
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, NULL);
    base_reflect_write_value(&writer, value);
    size_t length = copy_out(text, size, filo_json_writer_text(&writer), filo_json_writer_length(&writer));
    filo_json_writer_deinit(&writer);
    return length;
}

static const char *name_of_value(const FiloType *names, int64_t value) {
    for (size_t i = 0; i < names->value_count; i++)
        if (names->values[i].value == value) return names->values[i].name;
    return NULL;
}

size_t filo_reflect_print(FiloValue value, char *text, size_t size) {
    if (!FILO_CHECK(value.type != NULL && value.data != NULL, "print a value that filo_reflect_find found"))
        return copy_out(text, size, "", 0);
    if (base_value_is_text(value.type, value.count))
        return copy_out(text, size, value.data, strnlen(value.data, value.count));
    if (value.count > 0) return print_as_json(value, text, size);
    char number[BASE_NUMBER_TEXT];
    switch (base_value_kind(value.type, value.field)) {
    case FILO_KIND_NAME: {
        FiloName name;
        memcpy(&name, value.data, sizeof name);
        const char *name_text = filo_name_text(name);
        return copy_out(text, size, name_text, strlen(name_text));
    }
    case FILO_KIND_ENUM: {
        int64_t number_of_value = base_value_load(value.type, value.data);
        const char *name = name_of_value(base_value_names(value.type, value.field), number_of_value);
        if (name != NULL) return copy_out(text, size, name, strlen(name));
        snprintf(number, sizeof number, "%" PRId64, number_of_value);
        return copy_out(text, size, number, strlen(number));
    }
    case FILO_KIND_FLOAT:
        if (value.type->size == sizeof(float))
            base_number_print_float(number, (float)base_value_load_float(value.type, value.data));
        else
            base_number_print_double(number, base_value_load_float(value.type, value.data));
        return copy_out(text, size, number, strlen(number));
    case FILO_KIND_CHAR: return copy_out(text, size, value.data, *(const char *)value.data != '\0' ? 1 : 0);
    default: return print_as_json(value, text, size);
    }
}

static void store_first_problem(const FiloProblem *problem, void *user) {
    FiloResult *first = user;
    if (problem->kind == FILO_PROBLEM_OUT_OF_RANGE || first->code != FILO_OK) return;
    *first = filo_error(FILO_ERROR_DATA, "%s", problem->message);
}

// True if the text of such a value is not JSON, but the value itself without quotes.
static bool is_bare_text(FiloValue value, const char *text) {
    if (base_value_is_text(value.type, value.count)) return true;
    if (value.count > 0) return false;
    bool numeric = text[0] == '-' || (text[0] >= '0' && text[0] <= '9');
    switch (base_value_kind(value.type, value.field)) {
    case FILO_KIND_CHAR:
    case FILO_KIND_NAME: return true;
    case FILO_KIND_ENUM: return !numeric;
    case FILO_KIND_FLOAT:
        return strcmp(text, "nan") == 0 || strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0;
    default: return false;
    }
}

// The kind of text that a single value needs, for messages; NULL for values that are JSON.
static const char *expected_text(FiloValue value) {
    switch (base_value_kind(value.type, value.field)) {
    case FILO_KIND_FLOAT: return "a number";
    case FILO_KIND_BOOL: return "true or false";
    case FILO_KIND_INT:
    case FILO_KIND_UINT:
    case FILO_KIND_ENUM:
    case FILO_KIND_ENTITY: return "a whole number";
    default: return NULL;
    }
}

static FiloResult parse_into(FiloValue value, const char *text, FiloNameBatch *names) {
    FiloResult first = filo_ok();
    FiloReadOptions options = {
        .problem = store_first_problem, .user = &first, .partial = true, .names = names
    };
    FiloJsonReader reader;
    filo_json_reader_init(&reader, text, strlen(text), "");
    BaseReadContext context = { &reader, &options, { .length = 0 } };
    if (value.field != NULL) base_field_path_add_field(&context.path, value.field->name);
    FiloJsonToken token = { FILO_JSON_STRING, text, strlen(text), 1, 1, false };
    if (!is_bare_text(value, text)) {
        FiloJsonReader ahead = reader; // the whole text must be well-formed before anything is set
        bool well_formed =
            filo_json_skip(&ahead, filo_json_next(&ahead)) && filo_json_next(&ahead).kind == FILO_JSON_END;
        if (!well_formed && value.count == 0 && expected_text(value) != NULL)
            return filo_error(FILO_ERROR_DATA, "%s%s\"%s\" is not %s", context.path.text,
                              context.path.length > 0 ? ": " : "", text, expected_text(value));
        if (!well_formed) return ahead.error;
        token = filo_json_next(&reader);
    }
    base_reflect_read_value(&context, value, token);
    return first.code == FILO_OK ? names->result : first;
}

FiloResult filo_reflect_parse(FiloValue value, const char *text) {
    if (value.type == NULL || value.data == NULL || text == NULL)
        return FILO_MISTAKE("parse into a value that filo_reflect_find found");
    // Into a temporary copy: the value changes only if all parts of the text are valid.
    size_t size = value.type->size * FILO_MAX(value.count, (size_t)1);
    uint64_t small[32];
    void *copy = size <= sizeof small ? small : filo_alloc(NULL, size, 0);
    if (copy == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory to parse %zu bytes", size);
    memcpy(copy, value.data, size);
    FiloValue target = value;
    target.data = copy;
    FiloNameBatch names = { 0 };
    FiloResult result = parse_into(target, text, &names);
    filo_name_batch_end(&names, result.code == FILO_OK);
    if (result.code == FILO_OK) memcpy(value.data, copy, size);
    if (copy != small) filo_free(NULL, copy, size, 0);
    return result;
}
