// filo/signal_function.h: C functions of values, for networks of signal functions (filo/signal.h includes this header).

#ifndef FILO_SIGNAL_FUNCTION_H
#define FILO_SIGNAL_FUNCTION_H

#include <filo/reflect.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// A function of values, to be applied at each instant. It must be pure: its result depends on its arguments alone.
//
//     FILO_SF_FUNCTION(squared, float, float, x) { return x * x; }              // name, result, then arguments
//     FILO_SF_FUNCTION2(distance, float, FiloVec2, a, FiloVec2, b) { return filo_vec2_distance(a, b); }
//     FILO_SF_PREDICATE(is_low, float, health) { return health < 10; }          // result bool
//     FILO_SF_MAYBE(target_of, FiloVec2, Order, order, target) {                // may have a result, in *target
//         if (!order.has_target) return false;
//         *target = order.target;
//         return true;
//     }
//
// The macros define a constant of this type, with a loop over rows around the function, outside of functions. The
// compiler inlines and vectorises it. All types are described (filo/reflect.h).
typedef struct FiloSfFunction {
    const char *name;
    // Calls the function for `count` rows. `present` is for functions that may have no result; else NULL.
    void (*rows)(size_t count, const void *const *arguments, void *result, uint8_t *present);
    FiloTypeFunction result;
    FiloTypeFunction arguments[4];
    uint32_t argument_count;
    bool maybe;
} FiloSfFunction;

// ---- Behind the macros ----------------------------------------------------------------------------------------------------

#define FILO_SF_FUNCTION(name_, Result, A, a)                                                                \
    static inline Result name_##_of_one(A a);                                                                \
    static void name_##_of_rows(size_t count, const void *const *in, void *result, uint8_t *present) {       \
        const A *a_ = (const A *)in[0];                                                                      \
        Result *result_ = (Result *)result;                                                                  \
        (void)present;                                                                                       \
        for (size_t i = 0; i < count; i++) result_[i] = name_##_of_one(a_[i]);                               \
    }                                                                                                        \
    static const FiloSfFunction name_ = { #name_, name_##_of_rows, filo_type_##Result, { filo_type_##A }, 1, \
                                          false };                                                           \
    static inline Result name_##_of_one(A a)

#define FILO_SF_FUNCTION2(name_, Result, A, a, B, b)                                                         \
    static inline Result name_##_of_one(A a, B b);                                                           \
    static void name_##_of_rows(size_t count, const void *const *in, void *result, uint8_t *present) {       \
        const A *a_ = (const A *)in[0];                                                                      \
        const B *b_ = (const B *)in[1];                                                                      \
        Result *result_ = (Result *)result;                                                                  \
        (void)present;                                                                                       \
        for (size_t i = 0; i < count; i++) result_[i] = name_##_of_one(a_[i], b_[i]);                        \
    }                                                                                                        \
    static const FiloSfFunction name_ = {                                                                    \
        #name_, name_##_of_rows, filo_type_##Result, { filo_type_##A, filo_type_##B }, 2, false              \
    };                                                                                                       \
    static inline Result name_##_of_one(A a, B b)

#define FILO_SF_FUNCTION3(name_, Result, A, a, B, b, C, c)                                                   \
    static inline Result name_##_of_one(A a, B b, C c);                                                      \
    static void name_##_of_rows(size_t count, const void *const *in, void *result, uint8_t *present) {       \
        const A *a_ = (const A *)in[0];                                                                      \
        const B *b_ = (const B *)in[1];                                                                      \
        const C *c_ = (const C *)in[2];                                                                      \
        Result *result_ = (Result *)result;                                                                  \
        (void)present;                                                                                       \
        for (size_t i = 0; i < count; i++) result_[i] = name_##_of_one(a_[i], b_[i], c_[i]);                 \
    }                                                                                                        \
    static const FiloSfFunction name_ = { #name_,                                                            \
                                          name_##_of_rows,                                                   \
                                          filo_type_##Result,                                                \
                                          { filo_type_##A, filo_type_##B, filo_type_##C },                   \
                                          3,                                                                 \
                                          false };                                                           \
    static inline Result name_##_of_one(A a, B b, C c)

#define FILO_SF_FUNCTION4(name_, Result, A, a, B, b, C, c, D, d)                                             \
    static inline Result name_##_of_one(A a, B b, C c, D d);                                                 \
    static void name_##_of_rows(size_t count, const void *const *in, void *result, uint8_t *present) {       \
        const A *a_ = (const A *)in[0];                                                                      \
        const B *b_ = (const B *)in[1];                                                                      \
        const C *c_ = (const C *)in[2];                                                                      \
        const D *d_ = (const D *)in[3];                                                                      \
        Result *result_ = (Result *)result;                                                                  \
        (void)present;                                                                                       \
        for (size_t i = 0; i < count; i++) result_[i] = name_##_of_one(a_[i], b_[i], c_[i], d_[i]);          \
    }                                                                                                        \
    static const FiloSfFunction name_ = { #name_,                                                            \
                                          name_##_of_rows,                                                   \
                                          filo_type_##Result,                                                \
                                          { filo_type_##A, filo_type_##B, filo_type_##C, filo_type_##D },    \
                                          4,                                                                 \
                                          false };                                                           \
    static inline Result name_##_of_one(A a, B b, C c, D d)

#define FILO_SF_PREDICATE(name_, A, a) FILO_SF_FUNCTION(name_, bool, A, a)

#define FILO_SF_MAYBE(name_, Result, A, a, result_name)                                                      \
    static inline bool name_##_of_one(A a, Result *result_name);                                             \
    static void name_##_of_rows(size_t count, const void *const *in, void *result, uint8_t *present) {       \
        const A *a_ = (const A *)in[0];                                                                      \
        Result *result_ = (Result *)result;                                                                  \
        for (size_t i = 0; i < count; i++) present[i] = name_##_of_one(a_[i], &result_[i]);                  \
    }                                                                                                        \
    static const FiloSfFunction name_ = { #name_, name_##_of_rows, filo_type_##Result, { filo_type_##A }, 1, \
                                          true };                                                            \
    static inline bool name_##_of_one(A a, Result *result_name)

#define FILO_SF_MAYBE2(name_, Result, A, a, B, b, result_name)                                               \
    static inline bool name_##_of_one(A a, B b, Result *result_name);                                        \
    static void name_##_of_rows(size_t count, const void *const *in, void *result, uint8_t *present) {       \
        const A *a_ = (const A *)in[0];                                                                      \
        const B *b_ = (const B *)in[1];                                                                      \
        Result *result_ = (Result *)result;                                                                  \
        for (size_t i = 0; i < count; i++) present[i] = name_##_of_one(a_[i], b_[i], &result_[i]);           \
    }                                                                                                        \
    static const FiloSfFunction name_ = {                                                                    \
        #name_, name_##_of_rows, filo_type_##Result, { filo_type_##A, filo_type_##B }, 2, true               \
    };                                                                                                       \
    static inline bool name_##_of_one(A a, B b, Result *result_name)

FILO_END_DECLS

#endif
