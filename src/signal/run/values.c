// Kernels of values: one loop over the rows each.

#include "signal/run/run.h"

#include <filo/scalar.h>
#include <math.h>

#define IN(k, Type)  ((const Type *)frame->registers[op->in[k]])
#define OUT(k, Type) ((Type *)frame->registers[op->out[k]])

SIGNAL_KERNEL(constant) { signal_fill(OUT(0, void), op->data, frame->count, op->size); }

SIGNAL_KERNEL(parameter) {
    uint8_t *out = OUT(0, uint8_t);
    for (size_t i = 0; i < frame->count; i++)
        memcpy(out + i * op->size, signal_state_at(frame, op, i), op->size);
}

SIGNAL_KERNEL(arr) {
    const void *arguments[4] = { NULL };
    for (uint32_t i = 0; i < op->number; i++) arguments[i] = frame->registers[op->in[i]];
    uint8_t *present = op->flag ? OUT(1, uint8_t) : NULL;
    if (op->flag) memset(OUT(0, void), 0, frame->count * op->size); // where there is no result
    op->rows(frame->count, arguments, OUT(0, void), present);
}

// The size of an argument, from its register.
static size_t argument_size(const SignalFrame *frame, const SignalOp *op, uint32_t i) {
    return frame->program->registers[op->in[i]].size;
}

// The function is called for runs of rows in which the event occurs. Elsewhere the result is 0.
SIGNAL_KERNEL(arr_event) {
    const uint8_t *presence = frame->registers[frame->program->operands[op->more]];
    uint8_t *out = OUT(0, uint8_t), *present = op->flag ? OUT(1, uint8_t) : NULL;
    memset(out, 0, frame->count * op->size);
    if (present != NULL) memset(present, 0, frame->count);
    size_t begin = 0;
    while (begin < frame->count) {
        const uint8_t *next = memchr(presence + begin, 1, frame->count - begin);
        if (next == NULL) return;
        begin = (size_t)(next - presence);
        size_t end = begin;
        while (end < frame->count && presence[end]) end++;
        const void *arguments[4] = { NULL };
        for (uint32_t i = 0; i < op->number; i++)
            arguments[i] = IN(i, uint8_t) + begin * argument_size(frame, op, i);
        op->rows(end - begin, arguments, out + begin * op->size, present != NULL ? present + begin : NULL);
        begin = end;
    }
}

// ---- Arithmetic ---------------------------------------------------------------------------------------------------

#define FLOATS(name, expression)                                                                             \
    SIGNAL_KERNEL(name) {                                                                                    \
        const float *restrict a = IN(0, float), *restrict b = IN(1, float);                                  \
        float *restrict out = OUT(0, float);                                                                 \
        size_t count = frame->count * op->lanes;                                                             \
        for (size_t i = 0; i < count; i++) out[i] = (expression);                                            \
    }
FLOATS(add, a[i] + b[i])
FLOATS(sub, a[i] - b[i])
FLOATS(mul, a[i] * b[i])
FLOATS(div, a[i] / b[i])
FLOATS(min, a[i] < b[i] ? a[i] : b[i])
FLOATS(max, a[i] > b[i] ? a[i] : b[i])

// Integers wrap around.
#define INTS(name, expression)                                                                               \
    SIGNAL_KERNEL(name) {                                                                                    \
        const uint32_t *restrict a = IN(0, uint32_t), *restrict b = IN(1, uint32_t);                         \
        uint32_t *restrict out = OUT(0, uint32_t);                                                           \
        for (size_t i = 0; i < frame->count; i++) out[i] = (expression);                                     \
    }
static inline uint32_t divide(uint32_t a, uint32_t b) {
    if (b == 0) return 0;
    if (b == UINT32_MAX) return 0u - a; // by −1, which could overflow
    return (uint32_t)((int32_t)a / (int32_t)b);
}
INTS(add_int, a[i] + b[i])
INTS(sub_int, a[i] - b[i])
INTS(mul_int, a[i] * b[i])
INTS(div_int, divide(a[i], b[i]))
INTS(min_int, (int32_t)a[i] < (int32_t)b[i] ? a[i] : b[i])
INTS(max_int, (int32_t)a[i] > (int32_t)b[i] ? a[i] : b[i])

#define UNARY(name, Type, lanes_, expression)                                                                \
    SIGNAL_KERNEL(name) {                                                                                    \
        const Type *restrict a = IN(0, Type);                                                                \
        Type *restrict out = OUT(0, Type);                                                                   \
        size_t count = frame->count * (lanes_);                                                              \
        for (size_t i = 0; i < count; i++) out[i] = (expression);                                            \
    }
UNARY(negate, float, op->lanes, -a[i])
UNARY(abs, float, op->lanes, fabsf(a[i]))
UNARY(negate_int, uint32_t, 1, 0u - a[i])
UNARY(abs_int, uint32_t, 1, (int32_t)a[i] < 0 ? 0u - a[i] : a[i])
UNARY(sqrt, float, 1, sqrtf(a[i]))
UNARY(not, uint8_t, 1, a[i] ^ 1)

SIGNAL_KERNEL(scale) {
    const float *restrict a = IN(0, float);
    float *restrict out = OUT(0, float), factor = op->seconds;
    size_t count = frame->count * op->lanes;
    for (size_t i = 0; i < count; i++) out[i] = a[i] * factor;
}

SIGNAL_KERNEL(sin) {
    const float *a = IN(0, float);
    float *out = OUT(0, float);
    for (size_t i = 0; i < frame->count; i++) out[i] = filo_sin(a[i]);
}
SIGNAL_KERNEL(cos) {
    const float *a = IN(0, float);
    float *out = OUT(0, float);
    for (size_t i = 0; i < frame->count; i++) out[i] = filo_cos(a[i]);
}

SIGNAL_KERNEL(mul_vector) {
    const float *restrict a = IN(0, float), *restrict b = IN(1, float);
    float *restrict out = OUT(0, float);
    for (size_t i = 0; i < frame->count; i++)
        for (uint32_t k = 0; k < op->lanes; k++) out[i * op->lanes + k] = a[i * op->lanes + k] * b[i];
}
SIGNAL_KERNEL(div_vector) {
    const float *restrict a = IN(0, float), *restrict b = IN(1, float);
    float *restrict out = OUT(0, float);
    for (size_t i = 0; i < frame->count; i++)
        for (uint32_t k = 0; k < op->lanes; k++) out[i * op->lanes + k] = a[i * op->lanes + k] / b[i];
}

static inline float dot_product(const float *a, const float *b, uint32_t lanes) {
    float sum = a[0] * b[0];
    for (uint32_t k = 1; k < lanes; k++) sum += a[k] * b[k];
    return sum;
}

SIGNAL_KERNEL(length) {
    const float *restrict a = IN(0, float);
    float *restrict out = OUT(0, float);
    for (size_t i = 0; i < frame->count; i++)
        out[i] = sqrtf(dot_product(a + i * op->lanes, a + i * op->lanes, op->lanes));
}
SIGNAL_KERNEL(dot) {
    const float *restrict a = IN(0, float), *restrict b = IN(1, float);
    float *restrict out = OUT(0, float);
    for (size_t i = 0; i < frame->count; i++)
        out[i] = dot_product(a + i * op->lanes, b + i * op->lanes, op->lanes);
}

#define COMPARE(name, Type, operator)                                                                        \
    SIGNAL_KERNEL(name) {                                                                                    \
        const Type *restrict a = IN(0, Type), *restrict b = IN(1, Type);                                     \
        uint8_t *restrict out = OUT(0, uint8_t);                                                             \
        for (size_t i = 0; i < frame->count; i++) out[i] = a[i] operator b[i];                               \
    }
COMPARE(less, float, <)
COMPARE(greater, float, >)
COMPARE(less_int, int32_t, <)
COMPARE(greater_int, int32_t, >)
COMPARE(and, uint8_t, &)
COMPARE(or, uint8_t, |)

SIGNAL_KERNEL(equal) {
    const uint8_t *a = IN(0, uint8_t), *b = IN(1, uint8_t);
    uint8_t *out = OUT(0, uint8_t);
    for (size_t i = 0; i < frame->count; i++)
        out[i] = filo_reflect_equal(op->type, a + i * op->size, b + i * op->size);
}

SIGNAL_KERNEL(select) {
    const uint8_t *restrict condition = IN(0, uint8_t);
    if (op->size == 4) {
        const uint32_t *restrict a = IN(1, uint32_t), *restrict b = IN(2, uint32_t);
        uint32_t *restrict out = OUT(0, uint32_t);
        for (size_t i = 0; i < frame->count; i++) out[i] = condition[i] ? a[i] : b[i];
    } else if (op->size == 1) {
        const uint8_t *restrict a = IN(1, uint8_t), *restrict b = IN(2, uint8_t);
        uint8_t *restrict out = OUT(0, uint8_t);
        for (size_t i = 0; i < frame->count; i++) out[i] = condition[i] ? a[i] : b[i];
    } else {
        const uint8_t *a = IN(1, uint8_t), *b = IN(2, uint8_t);
        uint8_t *out = OUT(0, uint8_t);
        for (size_t i = 0; i < frame->count; i++)
            memcpy(out + i * op->size, (condition[i] ? a : b) + i * op->size, op->size);
    }
}

SIGNAL_KERNEL(field) {
    const uint8_t *in = IN(0, uint8_t) + op->number;
    uint8_t *out = OUT(0, uint8_t);
    for (size_t i = 0; i < frame->count; i++) memcpy(out + i * op->size, in + i * op->lanes, op->size);
}

SIGNAL_KERNEL(fold) {
    const uint8_t *lists = IN(0, uint8_t);
    uint8_t *out = OUT(0, uint8_t);
    void *result = signal_scratch(frame, op->size);
    for (size_t i = 0; i < frame->count; i++) {
        const FiloSfList *list = (const FiloSfList *)(const void *)(lists + i * op->lanes);
        uint8_t *accumulator = out + i * op->size;
        memcpy(accumulator, op->data, op->size);
        for (uint32_t k = 0; k < list->count; k++) {
            const void *arguments[4] = { accumulator, filo_sf_list_at(list, op->type, k), NULL, NULL };
            op->rows(1, arguments, result, NULL);
            memcpy(accumulator, result, op->size);
        }
    }
}

// ---- Lists ----------------------------------------------------------------------------------------------------------

static size_t list_values(const FiloSfList *list, const FiloType *type) {
    size_t offset = sizeof *list + (list->keyed ? (size_t)list->capacity * sizeof(uint32_t) : 0);
    return (offset + type->align - 1) & ~(type->align - 1);
}

const void *filo_sf_list_at(const FiloSfList *list, const FiloType *type, size_t n) {
    if (!FILO_CHECK(list != NULL && type != NULL, "pass a list, and the type of its elements")) return NULL;
    if (n >= list->count) return NULL;
    return (const uint8_t *)list + list_values(list, type) + n * type->size;
}

uint32_t filo_sf_list_key(const FiloSfList *list, size_t n) {
    if (!FILO_CHECK(list != NULL, "pass a list")) return 0;
    if (n >= list->count || !list->keyed) return 0;
    uint32_t key;
    memcpy(&key, (const uint8_t *)list + sizeof *list + n * sizeof key, sizeof key);
    return key;
}
