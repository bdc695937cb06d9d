// Numbers in text. The whole slice must be the number, otherwise it is an error.
//
// Fractions are read by the C library, which rounds correctly. Before, they are converted to a form that is the same in
// every locale and has a bounded length: digits, 'e', exponent, without a point. 767 digits are enough to round to the
// nearest double, so of the digits beyond DIGITS it only matters whether any is not zero.

#include <filo/strings.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define DIGITS       800
#define MAX_EXPONENT 100000 // beyond this every number of DIGITS digits is 0 or too large

// ---- Messages -----------------------------------------------------------------------------------------

// The text for a message: not too long, in valid UTF-8, without control characters.
typedef struct Quote {
    char text[96];
} Quote;

static Quote quote(FiloString string) {
    Quote quote;
    size_t length = 0;
    FiloString shown = filo_utf8_cut(string, 64);
    for (uint32_t c; length + 4 <= sizeof quote.text - 4 && filo_utf8_next(&shown, &c);)
        length += filo_utf8_encode(
            c < 0x20 || (c >= 0x7F && c < 0xA0) || c == FILO_UTF8_REPLACEMENT ? '?' : c, quote.text + length);
    filo_string_copy(filo_string(string.length > 64 ? "…" : ""), quote.text + length,
                     sizeof quote.text - length);
    return quote;
}

static FiloResult malformed(FiloString string, const char *wanted) {
    return filo_error(FILO_ERROR_DATA, "\"%s\" is not %s", quote(string).text, wanted);
}

// ---- Whole numbers ------------------------------------------------------------------------------------

static int digit_value(char byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
    return 16;
}

typedef enum Status { VALID, MALFORMED, TOO_LARGE } Status;

static bool take_sign(FiloString *string) {
    bool signed_text = string->length > 0 && (string->data[0] == '-' || string->data[0] == '+');
    bool negative = signed_text && string->data[0] == '-';
    if (signed_text) *string = filo_string_slice(*string, 1, SIZE_MAX);
    return negative;
}

// Reads to the end even when the number is too large: "99999999999999999999x" is malformed.
static Status read_whole(FiloString string, bool *negative, uint64_t *magnitude) {
    *negative = take_sign(&string);
    unsigned base = 10;
    if (string.length > 2 && string.data[0] == '0' && (string.data[1] == 'x' || string.data[1] == 'X')) {
        base = 16;
        string = filo_string_slice(string, 2, SIZE_MAX);
    }
    if (string.length == 0) return MALFORMED;
    uint64_t number = 0;
    bool fits = true;
    for (size_t i = 0; i < string.length; i++) {
        unsigned digit = (unsigned)digit_value(string.data[i]);
        if (digit >= base) return MALFORMED;
        fits = fits && !__builtin_mul_overflow(number, base, &number) &&
               !__builtin_add_overflow(number, digit, &number);
    }
    *magnitude = number;
    return fits ? VALID : TOO_LARGE;
}

static FiloResult parse_signed(FiloString string, int64_t least, int64_t most, int64_t *number) {
    bool negative = false;
    uint64_t magnitude = 0;
    Status status = read_whole(string, &negative, &magnitude);
    if (status == MALFORMED) return malformed(string, "a whole number");
    // 0 - x wraps to the two's complement of x, which is correct for the least number too.
    uint64_t limit = negative ? 0 - (uint64_t)least : (uint64_t)most;
    if (status == TOO_LARGE || magnitude > limit)
        return filo_error(FILO_ERROR_LIMIT, "%s is not between %" PRId64 " and %" PRId64, quote(string).text,
                          least, most);
    *number = (int64_t)(negative ? 0 - magnitude : magnitude);
    return filo_ok();
}

static FiloResult parse_unsigned(FiloString string, uint64_t most, uint64_t *number) {
    bool negative = false;
    uint64_t magnitude = 0;
    Status status = read_whole(string, &negative, &magnitude);
    if (status == MALFORMED || negative) return malformed(string, "a whole number without a sign");
    if (status == TOO_LARGE || magnitude > most)
        return filo_error(FILO_ERROR_LIMIT, "%s is more than %" PRIu64, quote(string).text, most);
    *number = magnitude;
    return filo_ok();
}

FiloResult filo_parse_int64(FiloString string, int64_t *number) {
    return parse_signed(string, INT64_MIN, INT64_MAX, number);
}

FiloResult filo_parse_uint64(FiloString string, uint64_t *number) {
    return parse_unsigned(string, UINT64_MAX, number);
}

FiloResult filo_parse_int32(FiloString string, int32_t *number) {
    int64_t wide = 0;
    FiloResult r = parse_signed(string, INT32_MIN, INT32_MAX, &wide);
    if (r.code == FILO_OK) *number = (int32_t)wide;
    return r;
}

FiloResult filo_parse_uint32(FiloString string, uint32_t *number) {
    uint64_t wide = 0;
    FiloResult r = parse_unsigned(string, UINT32_MAX, &wide);
    if (r.code == FILO_OK) *number = (uint32_t)wide;
    return r;
}

// ---- Fractions ----------------------------------------------------------------------------------------

// A decimal number, digits × 10^exponent, as text for strtod.
typedef struct Decimal {
    char text[DIGITS + 16];
    size_t count;     // digits in text, without leading zeros
    bool inexact;     // a digit beyond DIGITS is not zero
    int64_t exponent; // of the last digit
} Decimal;

static void add_digit(Decimal *decimal, char digit, bool after_point) {
    bool fits = decimal->count < DIGITS;
    if (after_point) decimal->exponent -= fits;
    if (!fits) {
        decimal->inexact = decimal->inexact || digit != '0';
        decimal->exponent += !after_point;
    } else if (digit != '0' || decimal->count > 0) {
        decimal->text[decimal->count++] = digit;
    }
}

// The digits before the exponent; false if there are none.
static bool take_digits(FiloString *string, Decimal *decimal) {
    bool after_point = false;
    size_t i = 0, digits = 0;
    for (; i < string->length; i++) {
        char byte = string->data[i];
        if (byte == '.' && !after_point) {
            after_point = true;
        } else if (byte >= '0' && byte <= '9') {
            add_digit(decimal, byte, after_point);
            digits++;
        } else {
            break;
        }
    }
    *string = filo_string_slice(*string, i, SIZE_MAX);
    return digits > 0;
}

// What follows the digits: nothing, or an exponent up to the end.
static bool take_exponent(FiloString string, Decimal *decimal) {
    if (string.length == 0) return true;
    if (string.data[0] != 'e' && string.data[0] != 'E') return false;
    string = filo_string_slice(string, 1, SIZE_MAX);
    bool negative = take_sign(&string);
    if (string.length == 0) return false;
    int64_t exponent = 0;
    for (size_t i = 0; i < string.length; i++) {
        if (string.data[i] < '0' || string.data[i] > '9') return false;
        // The text cannot have enough digits to compensate for an exponent beyond this limit.
        if (exponent < INT64_MAX / 100) exponent = exponent * 10 + (string.data[i] - '0');
    }
    decimal->exponent += negative ? -exponent : exponent;
    return true;
}

static bool read_decimal(FiloString string, Decimal *decimal) {
    decimal->count = 0, decimal->inexact = false, decimal->exponent = 0;
    if (!take_digits(&string, decimal) || !take_exponent(string, decimal)) return false;
    size_t count = decimal->count;
    if (count == 0) decimal->text[count++] = '0';
    if (decimal->inexact) {
        // Any digit that is not zero: the number is above the value of the digits before it.
        decimal->text[count++] = '1';
        decimal->exponent--;
    }
    int exponent = (int)FILO_CLAMP(decimal->exponent, -MAX_EXPONENT, MAX_EXPONENT);
    snprintf(decimal->text + count, sizeof decimal->text - count, "e%d", exponent);
    return true;
}

FiloResult filo_parse_double(FiloString string, double *number) {
    Decimal decimal;
    FiloString unsigned_text = string;
    bool negative = take_sign(&unsigned_text);
    if (!read_decimal(unsigned_text, &decimal)) return malformed(string, "a number");
    double value = strtod(decimal.text, NULL);
    if (__builtin_isinf(value))
        return filo_error(FILO_ERROR_LIMIT, "%s is too large for a double", quote(string).text);
    *number = negative ? -value : value;
    return filo_ok();
}

FiloResult filo_parse_float(FiloString string, float *number) {
    Decimal decimal;
    FiloString unsigned_text = string;
    bool negative = take_sign(&unsigned_text);
    if (!read_decimal(unsigned_text, &decimal)) return malformed(string, "a number");
    float value = strtof(decimal.text, NULL); // not strtod, which would round twice
    if (__builtin_isinf(value))
        return filo_error(FILO_ERROR_LIMIT, "%s is too large for a float", quote(string).text);
    *number = negative ? -value : value;
    return filo_ok();
}
