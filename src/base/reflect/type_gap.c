// Bytes of a struct that its description leaves out.
//
// A buffer has one byte for each byte of the struct. First all are set; then the bytes of padding are cleared, and the
// bytes of described fields. The remaining bytes are not described.
//
// A gap that the alignment of the next field explains counts as padding, so a missing field that is as small as such a
// gap is not found. (__builtin_clear_padding would find it, but in gcc 12 it is wrong for arrays of structs.)

#include "base/reflect_value.h"

#include <filo/memory.h>

#include <string.h>

static size_t end_of(const FiloField *field) {
    return field->offset + filo_field_type(field)->size * FILO_MAX(field->count, (size_t)1);
}

// The end of the described fields that begin before `offset`.
static size_t end_before(const FiloType *type, size_t offset) {
    size_t end = 0;
    for (size_t i = 0; i < type->field_count; i++)
        if (type->fields[i].offset < offset) end = FILO_MAX(end, end_of(&type->fields[i]));
    return end;
}

// Clears a gap before `offset`, if an alignment to `align` explains it.
static void clear_gap(const FiloType *type, uint8_t *bytes, size_t offset, size_t align) {
    size_t end = end_before(type, offset);
    if (end < offset && FILO_ALIGN_UP(end, align) == offset) memset(bytes + end, 0, offset - end);
}

static void clear_padding(const FiloType *type, uint8_t *bytes) {
    if (type->kind != FILO_KIND_STRUCT) return;
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        const FiloType *element = filo_field_type(field);
        clear_gap(type, bytes, field->offset, FILO_MAX(element->align, (size_t)1));
        for (size_t k = 0; k < FILO_MAX(field->count, (size_t)1); k++)
            clear_padding(element, bytes + field->offset + k * element->size);
    }
    clear_gap(type, bytes, type->size, FILO_MAX(type->align, (size_t)1));
}

static void clear_described(const FiloType *type, uint8_t *bytes) {
    if (type->kind != FILO_KIND_STRUCT) {
        memset(bytes, 0, type->size);
        return;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        const FiloType *element = filo_field_type(field);
        for (size_t k = 0; k < FILO_MAX(field->count, (size_t)1); k++)
            clear_described(element, bytes + field->offset + k * element->size);
    }
}

bool base_type_gap(const FiloType *type, size_t *offset, size_t *size) {
    size_t align = FILO_MAX(type->align, (size_t)1);
    if (*offset >= type->size) return false;
    uint8_t *bytes = filo_alloc(NULL, type->size, align);
    if (bytes == NULL) return false;
    memset(bytes, 0xFF, type->size);
    clear_padding(type, bytes);
    clear_described(type, bytes);
    size_t begin = *offset;
    while (begin < type->size && bytes[begin] == 0) begin++;
    size_t end = begin;
    while (end < type->size && bytes[end] != 0) end++;
    filo_free(NULL, bytes, type->size, align);
    *offset = begin;
    *size = end - begin;
    return end > begin;
}
