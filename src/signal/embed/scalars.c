// The numbers inside values of described types, and numbers as text.

#include "signal/embed/embed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PATH_SIZE 128

typedef struct Visit {
    bool (*visit)(const SignalScalar *scalar, void *user);
    void *user;
    char path[PATH_SIZE];
} Visit;

static bool visit_value(Visit *visit, const FiloType *type, const FiloField *field, void *data,
                        size_t length);

// `length` is that of the path so far.
static bool visit_field(Visit *visit, const FiloField *field, uint8_t *data, size_t length) {
    const FiloType *type = filo_field_type(field);
    int wrote =
        snprintf(visit->path + length, PATH_SIZE - length, "%s%s", length > 0 ? "." : "", field->name);
    size_t end = FILO_MIN(length + (size_t)wrote, (size_t)PATH_SIZE - 1);
    if (field->count == 0) return visit_value(visit, type, field, data + field->offset, end);
    if (type->kind == FILO_KIND_CHAR) return true; // text
    for (size_t i = 0; i < field->count; i++) {
        wrote = snprintf(visit->path + end, PATH_SIZE - end, "[%zu]", i);
        size_t inner = FILO_MIN(end + (size_t)wrote, (size_t)PATH_SIZE - 1);
        if (!visit_value(visit, type, field, data + field->offset + i * type->size, inner)) return false;
    }
    return true;
}

static bool visit_value(Visit *visit, const FiloType *type, const FiloField *field, void *data,
                        size_t length) {
    switch (type->kind) {
    case FILO_KIND_STRUCT:
        for (size_t i = 0; i < type->field_count; i++)
            if (!visit_field(visit, &type->fields[i], data, length)) return false;
        return true;
    case FILO_KIND_NAME:
    case FILO_KIND_ENTITY:
    case FILO_KIND_CHAR: return true;
    default: break;
    }
    visit->path[length] = 0;
    return visit->visit(&(SignalScalar){ type, field, data, visit->path }, visit->user);
}

bool signal_scalars(const FiloType *type, void *data, bool (*visit)(const SignalScalar *scalar, void *user),
                    void *user) {
    Visit all = { .visit = visit, .user = user };
    return visit_value(&all, type, NULL, data, 0);
}

static bool is_signed(const FiloType *type) {
    return type->kind == FILO_KIND_INT || (type->kind == FILO_KIND_ENUM && type->is_signed);
}

static int64_t read_signed(const void *data, size_t size) {
    uint64_t bits = 0;
    memcpy(&bits, data, size); // little endian
    int shift = 64 - 8 * (int)size;
    return (int64_t)(bits << shift) >> shift;
}

double signal_scalar_get(const SignalScalar *scalar) {
    const FiloType *type = scalar->type;
    if (type->kind == FILO_KIND_FLOAT && type->size == sizeof(float)) {
        float value;
        memcpy(&value, scalar->data, sizeof value);
        return (double)value;
    }
    if (type->kind == FILO_KIND_FLOAT) {
        double value;
        memcpy(&value, scalar->data, sizeof value);
        return value;
    }
    if (type->kind == FILO_KIND_BOOL) return *(const uint8_t *)scalar->data != 0;
    if (is_signed(type)) return (double)read_signed(scalar->data, type->size);
    uint64_t bits = 0;
    memcpy(&bits, scalar->data, type->size);
    return (double)bits;
}

void signal_scalar_set(const SignalScalar *scalar, double value) {
    const FiloType *type = scalar->type;
    if (type->kind == FILO_KIND_FLOAT && type->size == sizeof(float)) {
        float narrow = (float)value;
        memcpy(scalar->data, &narrow, sizeof narrow);
        return;
    }
    if (type->kind == FILO_KIND_FLOAT) {
        memcpy(scalar->data, &value, sizeof value);
        return;
    }
    if (type->kind == FILO_KIND_BOOL) {
        *(uint8_t *)scalar->data = value != 0;
        return;
    }
    // The largest powers of two are representable as double; the number below them is not for 64 bits.
    int width = 8 * (int)type->size - (is_signed(type) ? 1 : 0);
    double limit = ldexp(1, width), whole = isnan(value) ? 0 : nearbyint(value);
    uint64_t bits;
    if (is_signed(type)) {
        int64_t most = (int64_t)((UINT64_C(1) << width) - 1);
        bits = (uint64_t)(whole >= limit ? most : whole < -limit ? -most - 1 : (int64_t)whole);
    } else {
        uint64_t most = UINT64_MAX >> (64 - width);
        bits = whole >= limit ? most : whole < 0 ? 0 : (uint64_t)whole;
    }
    memcpy(scalar->data, &bits, type->size);
}

bool signal_leaf_is_list(const FiloSfLeaf *leaf) {
    return leaf->type->kind == FILO_KIND_STRUCT && strcmp(leaf->type->name, "FiloSfList") == 0;
}

// ---- Texts ------------------------------------------------------------------------------------------------------

void signal_add_number(FiloBuilder *text, double number, int digits) {
    static const double powers[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
    if (isnan(number)) {
        filo_builder_add_text(text, "nan");
        return;
    }
    digits = FILO_CLAMP(digits, 0, 9);
    double scaled = fabs(number) * powers[digits];
    if (!(scaled < 1e18)) { // no digits after the point are left
        filo_builder_printf(text, "%.0f", number);
        return;
    }
    uint64_t whole = (uint64_t)(scaled + 0.5);
    while (digits > 0 && whole % 10 == 0) {
        whole /= 10;
        digits--;
    }
    if (number < 0 && whole > 0) filo_builder_add_byte(text, '-');
    uint64_t unit = (uint64_t)powers[digits];
    filo_builder_printf(text, "%llu", (unsigned long long)(whole / unit));
    if (digits > 0) filo_builder_printf(text, ".%0*llu", digits, (unsigned long long)(whole % unit));
}
