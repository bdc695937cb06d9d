#include <filo/strings.h>

#include "support/failing_allocator.h"
#include "support/test.h"

#include <stdlib.h>

#define S(literal) FILO_STRING(literal)

static int64_t parse_int64(const char *text) {
    int64_t number = 12345;
    assert_ok(filo_parse_int64(filo_string(text), &number));
    return number;
}

FILO_TEST(whole_numbers_are_read) {
    assert_int_equal(parse_int64("0"), 0);
    assert_int_equal(parse_int64("-0"), 0);
    assert_int_equal(parse_int64("+42"), 42);
    assert_int_equal(parse_int64("-42"), -42);
    assert_int_equal(parse_int64("007"), 7);
    assert_int_equal(parse_int64("0x1F"), 31);
    assert_int_equal(parse_int64("-0Xff"), -255);
    assert_int_equal(parse_int64("9223372036854775807"), INT64_MAX);
    assert_int_equal(parse_int64("-9223372036854775808"), INT64_MIN);
    assert_int_equal(parse_int64("-0x8000000000000000"), INT64_MIN);
    uint64_t number = 0;
    assert_ok(filo_parse_uint64(S("18446744073709551615"), &number));
    assert_int_equal(number, UINT64_MAX);
    assert_ok(filo_parse_uint64(S("0xFFFFFFFFFFFFFFFF"), &number));
    assert_int_equal(number, UINT64_MAX);
    assert_ok(filo_parse_uint64(S("+5"), &number));
    assert_int_equal(number, 5);
    int32_t small = 0;
    assert_ok(filo_parse_int32(S("-2147483648"), &small));
    assert_int_equal(small, INT32_MIN);
    uint32_t natural = 0;
    assert_ok(filo_parse_uint32(S("4294967295"), &natural));
    assert_int_equal(natural, UINT32_MAX);
}

FILO_TEST(only_the_slice_is_read) {
    int64_t number = 0;
    assert_ok(filo_parse_int64(filo_string_from("12345", 2), &number));
    assert_int_equal(number, 12);
    double fraction = 0;
    assert_ok(filo_parse_double(filo_string_from("1.5e9", 3), &fraction));
    assert_true(fraction == 1.5);
    char *exact = malloc(3); // for the sanitizer
    memcpy(exact, "1e5", 3);
    assert_ok(filo_parse_double(filo_string_from(exact, 3), &fraction));
    assert_true(fraction == 1e5);
    free(exact);
}

FILO_TEST(what_is_not_wholly_a_whole_number_is_refused) {
    static const FiloString bad[] = {
        { NULL, 0 },    { "-", 1 },        { "+", 1 },
        { " 1", 2 },    { "1 ", 2 },       { "1\n", 2 },
        { "1\0", 2 },   { "12a", 3 },      { "0x", 2 },
        { "-0x", 3 },   { "0xG", 3 },      { "--1", 3 },
        { "1.0", 3 },   { "1e3", 3 },      { "x1", 2 },
        { "1_000", 5 }, { "\xD9\xA3", 2 }, { "99999999999999999999x", 21 },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        int64_t number = 77;
        uint64_t natural = 77;
        assert_error(filo_parse_int64(bad[i], &number), FILO_ERROR_DATA, "is not a whole number");
        assert_error(filo_parse_uint64(bad[i], &natural), FILO_ERROR_DATA, "is not a whole number");
        assert_int_equal(number, 77);
        assert_int_equal(natural, 77);
    }
    uint32_t natural = 77;
    assert_error(filo_parse_uint32(S("-1"), &natural), FILO_ERROR_DATA,
                 "\"-1\" is not a whole number without");
    assert_int_equal(natural, 77);
}

FILO_TEST(whole_numbers_that_do_not_fit_are_reported) {
    int64_t number = 77;
    uint64_t natural = 77;
    int32_t small = 77;
    uint32_t small_natural = 77;
    assert_error(filo_parse_int64(S("9223372036854775808"), &number), FILO_ERROR_LIMIT,
                 "9223372036854775808 is not between -9223372036854775808 and 9223372036854775807");
    assert_error(filo_parse_int64(S("-9223372036854775809"), &number), FILO_ERROR_LIMIT, "is not between");
    assert_error(filo_parse_uint64(S("18446744073709551616"), &natural), FILO_ERROR_LIMIT,
                 "is more than 18446744073709551615");
    assert_error(filo_parse_uint64(S("0x10000000000000000"), &natural), FILO_ERROR_LIMIT, "is more than");
    // 2^64 + 5: wrong if only the last step is watched
    assert_error(filo_parse_uint64(S("184467440737095516210"), &natural), FILO_ERROR_LIMIT, "is more than");
    assert_error(filo_parse_int32(S("2147483648"), &small), FILO_ERROR_LIMIT, "between -2147483648 and");
    assert_error(filo_parse_int32(S("-2147483649"), &small), FILO_ERROR_LIMIT, "is not between");
    assert_error(filo_parse_uint32(S("4294967296"), &small_natural), FILO_ERROR_LIMIT,
                 "more than 4294967295");
    assert_int_equal(number, 77);
    assert_int_equal(natural, 77);
    assert_int_equal(small, 77);
    assert_int_equal(small_natural, 77);
}

// ---- Fractions ----------------------------------------------------------------------------------------

static double parse_double(const char *text) {
    double number = 12345;
    assert_ok(filo_parse_double(filo_string(text), &number));
    return number;
}

// Bit for bit, so that -0 is not 0.
static void assert_same(double a, double b) {
    uint64_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    assert_int_equal(x, y);
}

FILO_TEST(fractions_are_read) {
    assert_same(parse_double("0"), 0.0);
    assert_same(parse_double("-0.0"), -0.0);
    assert_same(parse_double("1.5"), 1.5);
    assert_same(parse_double("+.5"), 0.5);
    assert_same(parse_double("5."), 5.0);
    assert_same(parse_double("-12.5e-1"), -1.25);
    assert_same(parse_double("1E+3"), 1000.0);
    assert_same(parse_double("0.1"), 0.1);
    assert_same(parse_double("000123.4560"), 123.456);
    assert_same(parse_double("0.000001234"), 0.000001234);
    assert_same(parse_double("123456789012345678901234567890"), 123456789012345678901234567890.0);
    assert_same(parse_double("1.7976931348623157e308"), 1.7976931348623157e308);
    assert_same(parse_double("4.9406564584124654e-324"), 4.9406564584124654e-324);
    assert_same(parse_double("2.2250738585072011e-308"), 2.2250738585072011e-308);
    assert_same(parse_double("1e-999999999999999999999"), 0.0);
    assert_same(parse_double("-1e-400"), -0.0);
    assert_same(parse_double("0e999999999999999999999"), 0.0);
}

FILO_TEST(what_is_not_wholly_a_fraction_is_refused) {
    static const char *const bad[] = { "",      "-",   ".",   "e5",    "1e",   "1e+",  "1e5x", "1.2.3",
                                       " 1",    "1 ",  "1,5", "0x1p3", "inf",  "-inf", "nan",  "infinity",
                                       "1e5.0", "--1", "+-1", "1f",    "1e 5", "-.e1" };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        double number = 77;
        float small = 77;
        assert_error(filo_parse_double(filo_string(bad[i]), &number), FILO_ERROR_DATA, "is not a number");
        assert_error(filo_parse_float(filo_string(bad[i]), &small), FILO_ERROR_DATA, "is not a number");
        assert_true(number == 77 && small == 77);
    }
    double number = 77;
    assert_error(filo_parse_double(S("1\0"), &number), FILO_ERROR_DATA, "\"1?\" is not a number");
}

FILO_TEST(fractions_that_do_not_fit_are_reported) {
    double number = 77;
    float small = 77;
    assert_error(filo_parse_double(S("1e309"), &number), FILO_ERROR_LIMIT, "1e309 is too large for a double");
    assert_error(filo_parse_double(S("-1e999999999999999999999"), &number), FILO_ERROR_LIMIT, "too large");
    assert_error(filo_parse_float(S("3.5e38"), &small), FILO_ERROR_LIMIT, "3.5e38 is too large for a float");
    assert_true(number == 77 && small == 77);
}

FILO_TEST(fractions_are_rounded_to_the_nearest) {
    // 2^53 + 1 lies in the middle between two doubles; the even one is taken, unless anything follows.
    assert_same(parse_double("9007199254740993"), 9007199254740992.0);
    assert_same(parse_double("9007199254740993.00000000000000000000000000000000000001"), 9007199254740994.0);
    char *text = malloc(5000);
    memset(text, '0', 5000);
    memcpy(text, "9007199254740993.", 17);
    double number = 0;
    assert_ok(filo_parse_double(filo_string_from(text, 5000), &number));
    assert_same(number, 9007199254740992.0);
    text[4999] = '1'; // far beyond the digits that are stored
    assert_ok(filo_parse_double(filo_string_from(text, 5000), &number));
    assert_same(number, 9007199254740994.0);
    free(text);
    // Through a double this would be rounded twice, to the wrong side.
    float small = 0;
    assert_ok(filo_parse_float(S("1.00000017881393432617187499"), &small));
    assert_true(small == 1.00000011920928955078125f);
}

FILO_TEST(numbers_of_thousands_of_digits_are_read) {
    enum { ZEROS = 3000 };
    char text[ZEROS + 16];
    // 1000…0e-3000
    memset(text, '0', sizeof text);
    text[0] = '1';
    snprintf(text + 1 + ZEROS, 15, "e-%d", ZEROS);
    assert_same(parse_double(text), 1.0);
    // 0.000…01e3001
    memset(text, '0', sizeof text);
    text[1] = '.';
    snprintf(text + 2 + ZEROS, 14, "1e%d", ZEROS + 1);
    assert_same(parse_double(text), 1.0);
    // 999…9 with an exponent
    memset(text, '9', sizeof text);
    snprintf(text + ZEROS, 16, "e-%d", ZEROS - 1);
    assert_same(parse_double(text), 10.0);
}

FILO_TEST(random_numbers_survive_printing_and_reading) {
    uint64_t random = 4;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = (uint64_t)test_random(&random) << 62;
        bits ^= (uint64_t)test_random(&random) << 31;
        bits ^= test_random(&random);
        double number;
        memcpy(&number, &bits, sizeof number);
        if (number - number != 0) continue; // infinite or not a number
        char text[64];
        snprintf(text, sizeof text, i % 2 == 0 ? "%.17g" : "%.16e", number);
        assert_same(parse_double(text), number);
        float small, small_back = 0;
        memcpy(&small, &bits, sizeof small);
        if (small - small != 0) continue;
        snprintf(text, sizeof text, "%.9g", (double)small);
        assert_ok(filo_parse_float(filo_string(text), &small_back));
        assert_memory_equal(&small, &small_back, sizeof small);
    }
}

FILO_TEST(reading_does_not_depend_on_the_locale) {
    filo_test_use_decimal_comma();
    double number = 77;
    assert_same(parse_double("1.5"), 1.5);
    assert_error(filo_parse_double(S("1,5"), &number), FILO_ERROR_DATA, "is not a number");
}

FILO_TEST(messages_show_hostile_text_harmlessly) {
    int64_t number = 0;
    FiloResult r = filo_parse_int64(S("\x1B[31m\xFF\xC2\x9B\n7"), &number);
    assert_error(r, FILO_ERROR_DATA, "\"?[31m???7\" is not");
    char large[1000];
    memset(large, 'x', sizeof large);
    r = filo_parse_int64(filo_string_from(large, sizeof large), &number);
    assert_error(r, FILO_ERROR_DATA, "xxx…\" is not a whole number");
    for (size_t i = 0; i + 1 < sizeof large; i += 2) memcpy(large + i, "é", 2);
    r = filo_parse_int64(filo_string_from(large, sizeof large), &number);
    assert_error(r, FILO_ERROR_DATA, "éé…\" is not a whole number");
    memset(large, '9', sizeof large);
    assert_error(filo_parse_int64(filo_string_from(large, sizeof large), &number), FILO_ERROR_LIMIT,
                 "99… is");
}
