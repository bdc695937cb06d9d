// Numbers of OBJ and MTL files. The text must end in a newline, at which every loop here stops.

#ifndef FILO_MODEL_OBJ_NUMBER_H
#define FILO_MODEL_OBJ_NUMBER_H

#include <filo/scalar.h>
#include <filo/strings.h>

static inline bool model_is_digit(char c) { return (unsigned char)(c - '0') <= 9; }

// Whether a word ends before this character.
static inline bool model_ends_word(char c) { return (unsigned char)c <= ' ' || c == '\\' || c == '#'; }

// The slow way, for long numbers and those between two floats: text.c.
FILO_COLD bool model_read_float_slow(const char *start, const char *end, float *number);

// Reads the float at *text and moves *text behind it. The result is the nearest float. False if there is none, or if it is
// too large; *text is then unchanged.
//
// Up to 2^53, and with a power of ten up to 10^22, both the digits and the power are exact doubles, so that their product
// or quotient is the nearest double (W. Clinger, "How to Read Floating Point Numbers Accurately", 1990). The nearest float
// to it is also the nearest to the number, unless the double is exactly in the middle between two floats.
static inline bool model_read_float(const char **text, float *number) {
    static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    const char *p = *text;
    bool negative = *p == '-';
    p += negative || *p == '+';
    const char *first = p;
    uint64_t digits = 0;
    for (; model_is_digit(*p); p++) digits = digits * 10 + (uint64_t)(*p - '0');
    ptrdiff_t count = p - first, exponent = 0;
    if (*p == '.') {
        const char *fraction = ++p;
        for (; model_is_digit(*p); p++) digits = digits * 10 + (uint64_t)(*p - '0');
        exponent = fraction - p;
        count -= exponent;
    }
    if (count == 0) return false;
    if ((*p | 0x20) == 'e') {
        const char *e = p + 1;
        bool minus = *e == '-';
        e += minus || *e == '+';
        if (!model_is_digit(*e)) return false;
        ptrdiff_t value = 0;
        for (; model_is_digit(*e); e++)
            if (value < 100000) value = value * 10 + (*e - '0');
        exponent += minus ? -value : value;
        p = e;
    }
    if (!model_ends_word(*p)) return false;
    if (FILO_LIKELY(count <= 19 && digits <= (uint64_t)1 << 53 && exponent >= -22 && exponent <= 22)) {
        double value = (double)digits;
        value = exponent < 0 ? value / powers[-exponent] : value * powers[exponent];
        bool middle = (filo_double_to_bits(value) & 0x1FFFFFFF) == 0x10000000;
        // Below the smallest normal float, floats are farther apart.
        if (FILO_LIKELY((!middle && value >= 0x1p-126 && value <= 0x1p127) || value == 0.0)) {
            *number = negative ? -(float)value : (float)value;
            *text = p;
            return true;
        }
    }
    if (!model_read_float_slow(*text, p, number)) return false;
    *text = p;
    return true;
}

// Reads an integer with an optional sign. False if there is none. Too large a one is ±INT64_MAX / 16, which no index is.
static inline bool model_read_int(const char **text, int64_t *number) {
    const char *p = *text;
    bool negative = *p == '-';
    p += negative;
    if (!model_is_digit(*p)) return false;
    int64_t value = 0;
    for (; model_is_digit(*p); p++)
        if (FILO_LIKELY(value < INT64_MAX / 16)) value = value * 10 + (*p - '0');
    *number = negative ? -value : value;
    *text = p;
    return true;
}

#endif
