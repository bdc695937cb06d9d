// Access to single values through their description, shared by the sources of reflection.

#ifndef FILO_BASE_REFLECT_VALUE_H
#define FILO_BASE_REFLECT_VALUE_H

#include <filo/reflect.h>

// The enum or flags whose names a value of this field uses; NULL if it has none.
static inline const FiloType *base_value_names(const FiloType *type, const FiloField *field) {
    if (field != NULL && field->choices != NULL) return field->choices();
    return type->kind == FILO_KIND_ENUM || type->kind == FILO_KIND_FLAGS ? type : NULL;
}

// The kind of a value. An integer field with choices is an enum or flags stored in an integer.
static inline FiloKind base_value_kind(const FiloType *type, const FiloField *field) {
    const FiloType *names = base_value_names(type, field);
    return names != NULL ? names->kind : type->kind;
}

// True if an array of this type is text.
static inline bool base_value_is_text(const FiloType *type, size_t count) {
    return type->kind == FILO_KIND_CHAR && count > 0;
}

// Load and store integers, enums, flags, bools and single chars, by size and sign.
bool base_value_is_signed(const FiloType *type);
int64_t base_value_load(const FiloType *type, const void *data);
void base_value_store(const FiloType *type, void *data, int64_t value);
// True if `value` can be stored. `value_is_unsigned`: it is a uint64_t.
bool base_value_fits(const FiloType *type, int64_t value, bool value_is_unsigned);
double base_value_load_float(const FiloType *type, const void *data);

// The path of a field in a nested struct: "position.x", "loot[2]". Cut if it does not fit.
typedef struct BaseFieldPath {
    char text[192];
    size_t length;
} BaseFieldPath;

// Adds a step, and returns the length before it; base_field_path_cut with that length removes the step.
size_t base_field_path_add_field(BaseFieldPath *path, const char *name);
size_t base_field_path_add_index(BaseFieldPath *path, size_t index);
void base_field_path_cut(BaseFieldPath *path, size_t length);

// Reads the value that begins with `token`, as filo_reflect_read_json does after its first check. The text must be
// well-formed up to the end of the value.
typedef struct BaseReadContext {
    FiloJsonReader *reader;
    const FiloReadOptions *options;
    BaseFieldPath path;
} BaseReadContext;
void base_reflect_read_value(BaseReadContext *context, FiloValue value, FiloJsonToken token);

// Writes a value: a single one, an array, or text.
void base_reflect_write_value(FiloJsonWriter *writer, FiloValue value);

// Finds the first bytes from *offset on that are neither described by a field nor padding. False if there are none, or
// without memory. A gap that the alignment of the next field explains counts as padding. Allocates, so use it only for
// messages.
bool base_type_gap(const FiloType *type, size_t *offset, size_t *size);

#endif
