// Values of the naive interpreter (machine.h): immutable, tagged, on an arena that is emptied after each case.

#ifndef FILO_TEST_SIGNAL_VALUE_H
#define FILO_TEST_SIGNAL_VALUE_H

#include <filo/maths.h>
#include <filo/signal.h>

#include "support/failing_allocator.h"

#include <stdlib.h>

// ---- Memory -----------------------------------------------------------------------------------------------------

typedef struct ValueBlock {
    struct ValueBlock *next;
    size_t used;
    _Alignas(16) uint8_t bytes[1 << 18];
} ValueBlock;

static ValueBlock *value_blocks;

static inline void *value_allocate(size_t size) {
    size = (size + 15) & ~(size_t)15;
    assert_true(size <= sizeof value_blocks->bytes);
    if (value_blocks == NULL || value_blocks->used + size > sizeof value_blocks->bytes) {
        ValueBlock *block = malloc(sizeof *block);
        assert_non_null(block);
        block->next = value_blocks;
        block->used = 0;
        value_blocks = block;
    }
    void *memory = value_blocks->bytes + value_blocks->used;
    value_blocks->used += size;
    memset(memory, 0, size);
    return memory;
}

// Keeps one block for the next case.
static inline void value_reset(void) {
    while (value_blocks != NULL && value_blocks->next != NULL) {
        ValueBlock *next = value_blocks->next;
        free(value_blocks);
        value_blocks = next;
    }
    if (value_blocks != NULL) value_blocks->used = 0;
}

static inline void value_free(void) {
    value_reset();
    free(value_blocks);
    value_blocks = NULL;
}

// ---- Types ------------------------------------------------------------------------------------------------------

typedef enum TypeKind {
    TYPE_UNIT, // the value of an event without a value
    TYPE_FLOAT,
    TYPE_VEC2,
    TYPE_INT,
    TYPE_BOOL,
    TYPE_EVENT,  // of a
    TYPE_TUPLE,  // of a, b, c …
    TYPE_EITHER, // of a or b
    TYPE_LIST,   // of a
} TypeKind;

#define TYPE_ELEMENTS 8

typedef struct Type {
    TypeKind kind;
    int count;
    const struct Type *of[TYPE_ELEMENTS];
} Type;

static const Type type_unit = { TYPE_UNIT, 0, { NULL } };
static const Type type_float = { TYPE_FLOAT, 0, { NULL } };
static const Type type_vec2 = { TYPE_VEC2, 0, { NULL } };
static const Type type_int = { TYPE_INT, 0, { NULL } };
static const Type type_bool = { TYPE_BOOL, 0, { NULL } };
static const Type type_event_unit = { TYPE_EVENT, 1, { &type_unit } };
static const Type type_event_float = { TYPE_EVENT, 1, { &type_float } };
static const Type type_event_vec2 = { TYPE_EVENT, 1, { &type_vec2 } };
static const Type type_event_int = { TYPE_EVENT, 1, { &type_int } };
static const Type type_event_bool = { TYPE_EVENT, 1, { &type_bool } };

static inline bool type_equal(const Type *a, const Type *b) {
    if (a == b) return true;
    if (a->kind != b->kind || a->count != b->count) return false;
    for (int i = 0; i < a->count; i++)
        if (!type_equal(a->of[i], b->of[i])) return false;
    return true;
}

static inline const Type *type_of2(TypeKind kind, const Type *a, const Type *b) {
    Type *type = value_allocate(sizeof *type);
    *type = (Type){ kind, b != NULL ? 2 : 1, { a, b } };
    return type;
}
static inline const Type *type_pair(const Type *a, const Type *b) { return type_of2(TYPE_TUPLE, a, b); }
static inline const Type *type_event(const Type *a) { return type_of2(TYPE_EVENT, a, NULL); }

// The description of a plain type; NULL for unit.
static inline const FiloType *type_filo(const Type *type) {
    switch (type->kind) {
    case TYPE_FLOAT: return FILO_TYPE(float);
    case TYPE_VEC2: return FILO_TYPE(FiloVec2);
    case TYPE_INT: return FILO_TYPE(int32_t);
    case TYPE_BOOL: return FILO_TYPE(bool);
    case TYPE_UNIT:
    case TYPE_EVENT:
    case TYPE_TUPLE:
    case TYPE_EITHER:
    case TYPE_LIST: break;
    }
    return NULL;
}

static inline bool type_is_plain(const Type *type) { return type_filo(type) != NULL; }

static inline void type_print(const Type *type) {
    static const char *const names[] = { "()", "F", "V", "I", "B", "E", "", "Either", "List" };
    fputs(names[type->kind], stderr);
    if (type->count == 0) return;
    fputc('(', stderr);
    for (int i = 0; i < type->count; i++) {
        if (i > 0) fputc(',', stderr);
        type_print(type->of[i]);
    }
    fputc(')', stderr);
}

// ---- Values -----------------------------------------------------------------------------------------------------

typedef enum ValueKind {
    VALUE_UNIT,
    VALUE_PLAIN, // float, vector, int32_t or bool, in `bytes`
    VALUE_NO_EVENT,
    VALUE_EVENT, // of[0]
    VALUE_TUPLE,
    VALUE_LEFT,  // of[0]
    VALUE_RIGHT, // of[0]
    VALUE_LIST,
} ValueKind;

typedef struct Value {
    ValueKind kind;
    TypeKind plain;
    union {
        float f;
        FiloVec2 v;
        int32_t i;
        bool b;
        uint8_t bytes[8];
    };
    int count;
    const struct Value **of;
} Value;

static const Value value_unit = { .kind = VALUE_UNIT };
static const Value value_no_event = { .kind = VALUE_NO_EVENT };

static inline Value *value_new(ValueKind kind, int count) {
    Value *value = value_allocate(sizeof *value);
    value->kind = kind;
    value->count = count;
    if (count > 0) value->of = value_allocate((size_t)count * sizeof(Value *));
    return value;
}

static inline Value *value_new_plain(TypeKind plain) {
    Value *value = value_new(VALUE_PLAIN, 0);
    value->plain = plain;
    return value;
}

static inline const Value *value_float(float f) {
    Value *value = value_new_plain(TYPE_FLOAT);
    value->f = f;
    return value;
}
static inline const Value *value_vec2(float x, float y) {
    Value *value = value_new_plain(TYPE_VEC2);
    value->v = (FiloVec2){ x, y };
    return value;
}
static inline const Value *value_int(int32_t i) {
    Value *value = value_new_plain(TYPE_INT);
    value->i = i;
    return value;
}
static inline const Value *value_bool(bool b) {
    Value *value = value_new_plain(TYPE_BOOL);
    value->b = b;
    return value;
}
static inline const Value *value_of1(ValueKind kind, const Value *a) {
    Value *value = value_new(kind, 1);
    value->of[0] = a;
    return value;
}
static inline const Value *value_event(const Value *a) { return value_of1(VALUE_EVENT, a); }
static inline const Value *value_pair(const Value *a, const Value *b) {
    Value *value = value_new(VALUE_TUPLE, 2);
    value->of[0] = a;
    value->of[1] = b;
    return value;
}

static inline size_t value_size(TypeKind kind) {
    return kind == TYPE_VEC2 ? sizeof(FiloVec2) : kind == TYPE_BOOL ? sizeof(bool) : 4;
}

static inline const Value *value_from_bytes(TypeKind kind, const void *bytes) {
    Value *value = value_new_plain(kind);
    memcpy(value->bytes, bytes, value_size(kind));
    return value;
}

static inline const Value *value_zero(const Type *type) {
    switch (type->kind) {
    case TYPE_UNIT: return &value_unit;
    case TYPE_EVENT: return &value_no_event;
    case TYPE_FLOAT:
    case TYPE_VEC2:
    case TYPE_INT:
    case TYPE_BOOL: return value_new_plain(type->kind);
    case TYPE_EITHER: return value_of1(VALUE_LEFT, value_zero(type->of[0]));
    case TYPE_LIST: return value_new(VALUE_LIST, 0);
    case TYPE_TUPLE: break;
    }
    Value *value = value_new(VALUE_TUPLE, type->count);
    for (int i = 0; i < type->count; i++) value->of[i] = value_zero(type->of[i]);
    return value;
}

// Bit for bit; every NaN equals every NaN.
static inline bool value_same_float(float a, float b) {
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static inline bool value_same(const Value *a, const Value *b) {
    if (a->kind != b->kind || a->count != b->count) return false;
    for (int i = 0; i < a->count; i++)
        if (!value_same(a->of[i], b->of[i])) return false;
    if (a->kind != VALUE_PLAIN) return true;
    if (a->plain == TYPE_FLOAT) return value_same_float(a->f, b->f);
    if (a->plain == TYPE_VEC2) return value_same_float(a->v.x, b->v.x) && value_same_float(a->v.y, b->v.y);
    return memcmp(a->bytes, b->bytes, value_size(a->plain)) == 0;
}

static inline void value_print(const Value *value) {
    switch (value->kind) {
    case VALUE_UNIT: fputs("()", stderr); return;
    case VALUE_NO_EVENT: fputs("-", stderr); return;
    case VALUE_PLAIN:
        if (value->plain == TYPE_FLOAT) fprintf(stderr, "%.9g", (double)value->f);
        if (value->plain == TYPE_VEC2) fprintf(stderr, "(%.9g %.9g)", (double)value->v.x, (double)value->v.y);
        if (value->plain == TYPE_INT) fprintf(stderr, "%di", value->i);
        if (value->plain == TYPE_BOOL) fputs(value->b ? "true" : "false", stderr);
        return;
    case VALUE_EVENT: fputs("!", stderr); break;
    case VALUE_LEFT: fputs("L ", stderr); break;
    case VALUE_RIGHT: fputs("R ", stderr); break;
    case VALUE_TUPLE: fputs("(", stderr); break;
    case VALUE_LIST: fputs("[", stderr); break;
    }
    for (int i = 0; i < value->count; i++) {
        if (i > 0) fputs(", ", stderr);
        value_print(value->of[i]);
    }
    if (value->kind == VALUE_TUPLE) fputs(")", stderr);
    if (value->kind == VALUE_LIST) fputs("]", stderr);
}

#endif
