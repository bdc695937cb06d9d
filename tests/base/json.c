#include "support/test.h"

#include <filo/json.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

// ---- Reading ------------------------------------------------------------------------------------------

static FiloJsonReader reader;

static FiloJsonToken next(void) { return filo_json_next(&reader); }

static void read_text(const char *text) { filo_json_reader_init(&reader, text, strlen(text), "test"); }

// Reads to the end or the first mistake, and returns the message, "" if there is none.
static const char *message_for(const char *text) {
    read_text(text);
    FiloJsonKind kind;
    while ((kind = next().kind) < FILO_JSON_END) {}
    return kind == FILO_JSON_ERROR ? reader.error.message : "";
}

FILO_TEST(tokens_come_in_order_with_line_and_column) {
    read_text("{\"a\": [1,\n  true]}");
    static const struct {
        FiloJsonKind kind;
        int line, column;
    } expected[] = {
        { FILO_JSON_OBJECT_BEGIN, 1, 1 }, { FILO_JSON_KEY, 1, 2 },  { FILO_JSON_ARRAY_BEGIN, 1, 7 },
        { FILO_JSON_NUMBER, 1, 8 },       { FILO_JSON_TRUE, 2, 3 }, { FILO_JSON_ARRAY_END, 2, 7 },
        { FILO_JSON_OBJECT_END, 2, 8 },   { FILO_JSON_END, 2, 9 },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(expected); i++) {
        FiloJsonToken token = next();
        assert_int_equal(token.kind, expected[i].kind);
        assert_int_equal(token.line, expected[i].line);
        assert_int_equal(token.column, expected[i].column);
    }
    assert_int_equal(next().kind, FILO_JSON_END); // and stays there
}

FILO_TEST(every_kind_of_value_may_be_the_whole_text) {
    static const char *const texts[] = { "null",   "true", "false", "0",  "-0",
                                         "1.5e-3", "\"\"", "{}",    "[]", " [ ] " };
    for (size_t i = 0; i < FILO_COUNT_OF(texts); i++) assert_string_equal(message_for(texts[i]), "");
}

FILO_TEST(errors_are_named_with_their_position) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "", "test:1:1: expected a value, but the text ends here" },
        { "[1 2]", "test:1:4: expected a comma or ]" },
        { "{\"a\" 1}", "test:1:6: expected a colon after the name" },
        { "{\"a\": 1,}", "test:1:9: expected a name in quotes after the comma" },
        { "[1,]", "test:1:4: expected a value" },
        { "{1: 2}", "test:1:2: expected a name in quotes or }" },
        { "[1]\n]", "test:2:1: expected nothing more after the value" },
        { "[1", "test:1:3: expected a comma or ], but the text ends here" },
        { "{\"a\": 1", "test:1:8: expected a comma or }, but the text ends here" },
        { "\"abc", "test:1:5: expected a closing quote, but the text ends here" },
        { "\"a\\x\"", "test:1:3: not a valid escape" },
        { "\"\\ud800\"", "test:1:2: not a valid escape" },
        { "\"\\u12g4\"", "test:1:2: not a valid escape" },
        { "\"a\nb\"", "test:1:3: write this control character as an escape" },
        { "\"\xff\"", "test:1:2: not UTF-8" },
        { "\"\xed\xa0\x80\"", "test:1:2: not UTF-8" },
        { "\"\xc0\xaf\"", "test:1:2: not UTF-8" },
        { "01", "test:1:1: a number does not begin with 0" },
        { "1.", "test:1:3: expected a digit, but the text ends here" },
        { "-", "test:1:2: expected a digit" },
        { "1e+", "test:1:4: expected a digit" },
        { "+1", "test:1:1: expected a value" },
        { "nul", "test:1:1: expected a value" },
        { "tru e", "test:1:1: expected a value" },
        { "NaN", "test:1:1: expected a value" },
        { "// comment", "test:1:1: expected a value" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++)
        assert_contains(message_for(cases[i].text), cases[i].message);
}

FILO_TEST(an_error_stays) {
    read_text("[1 2]");
    while (next().kind != FILO_JSON_ERROR) {}
    assert_int_equal(next().kind, FILO_JSON_ERROR);
    assert_int_equal(reader.error.code, FILO_ERROR_DATA);
}

FILO_TEST(every_beginning_of_a_text_is_refused_without_reading_past_it) {
    static const char text[] =
        "{\"name\": \"\\u00e4\\ud83d\\ude00\", \"list\": [1, -2.5e3, true, null], \"o\": {}}";
    for (size_t length = 0; length < sizeof text - 1; length++) {
        char *exact = malloc(length + 1); // so that the address sanitizer sees a step too far
        assert_non_null(exact);
        char *copy = exact + 1;
        memcpy(copy, text, length);
        filo_json_reader_init(&reader, copy, length, "cut");
        FiloJsonKind kind;
        while ((kind = next().kind) < FILO_JSON_END) {}
        assert_int_equal(kind, FILO_JSON_ERROR);
        free(exact);
    }
    assert_string_equal(message_for(text), "");
}

FILO_TEST(depth_has_a_limit_and_no_recursion) {
    size_t size = 1000000;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, '[', size);
    filo_json_reader_init(&reader, text, size, "deep");
    FiloJsonKind kind;
    while ((kind = next().kind) < FILO_JSON_END) {}
    assert_contains(reader.error.message, "deep:1:257: nested too deep");
    memset(text, '[', FILO_JSON_DEPTH);
    memset(text + FILO_JSON_DEPTH, ']', FILO_JSON_DEPTH);
    filo_json_reader_init(&reader, text, 2 * FILO_JSON_DEPTH, "deep");
    while ((kind = next().kind) < FILO_JSON_END) {}
    assert_int_equal(kind, FILO_JSON_END);
    free(text);
}

FILO_TEST(a_byte_order_mark_is_skipped) { assert_string_equal(message_for("\xEF\xBB\xBF{}"), ""); }

FILO_TEST(a_missing_text_is_an_error_not_a_crash) {
    filo_json_reader_init(&reader, NULL, 10, NULL);
    assert_int_equal(next().kind, FILO_JSON_ERROR);
    assert_contains(reader.error.message, "JSON:1:1: expected a value");
}

FILO_TEST(strings_are_decoded_and_cut_on_whole_characters) {
    char buffer[64];
    read_text("\"a\\n\\u00e4\\ud83d\\ude00\\\"\\/\"");
    FiloJsonToken token = next();
    assert_true(token.escaped);
    assert_int_equal(filo_json_as_text(token, buffer, sizeof buffer), 10);
    assert_string_equal(buffer, "a\nä😀\"/");
    assert_int_equal(filo_json_as_text(token, buffer, 4), 10); // a, \n and no half of ä
    assert_string_equal(buffer, "a\n");
    assert_int_equal(filo_json_as_text(token, NULL, 0), 10);
    assert_true(filo_json_equal(token, "a\nä😀\"/"));
    assert_false(filo_json_equal(token, "a\nä😀\""));
    assert_false(filo_json_equal(token, "a\nä😀\"/x"));
    read_text("\"plain\"");
    token = next();
    assert_false(token.escaped);
    assert_true(filo_json_equal(token, "plain"));
    assert_false(filo_json_equal(token, "plain2"));
}

FILO_TEST(integers_are_exact_to_64_bits) {
    int64_t whole;
    uint64_t large;
    read_text("[9223372036854775807, -9223372036854775808, 18446744073709551615, 9223372036854775808, 1e3, "
              "2.0, 2.5, "
              "18446744073709551616, -1, -0, 1e300]");
    next();
    assert_true(filo_json_as_int64(next(), &whole));
    assert_int_equal(whole, INT64_MAX);
    assert_true(filo_json_as_int64(next(), &whole));
    assert_int_equal(whole, INT64_MIN);
    FiloJsonToken token = next();
    assert_true(filo_json_as_uint64(token, &large));
    assert_int_equal(large, UINT64_MAX);
    assert_false(filo_json_as_int64(token, &whole));
    assert_false(filo_json_as_int64(next(), &whole));
    assert_true(filo_json_as_int64(next(), &whole));
    assert_int_equal(whole, 1000);
    assert_true(filo_json_as_int64(next(), &whole));
    assert_int_equal(whole, 2);
    assert_false(filo_json_as_int64(next(), &whole));
    assert_false(filo_json_as_uint64(next(), &large));
    assert_false(filo_json_as_uint64(next(), &large));
    assert_true(filo_json_as_uint64(next(), &large));
    assert_int_equal(large, 0);
    assert_false(filo_json_as_int64(next(), &whole));
}

FILO_TEST(numbers_beyond_a_double_are_refused_when_read) {
    double number = 5;
    read_text("[1e999, \"1\", 1e-999]");
    next();
    assert_false(filo_json_as_double(next(), &number));
    assert_false(filo_json_as_double(next(), &number));
    assert_true(number == 5);
    assert_true(filo_json_as_double(next(), &number));
    assert_true(number == 0);
}

FILO_TEST(a_number_may_have_any_number_of_digits) {
    char text[5000];
    memset(text, '0', sizeof text);
    memcpy(text, "0.", 2);
    text[4000] = '1';
    memcpy(text + 4001, "e4001", 5);
    double number;
    filo_json_reader_init(&reader, text, 4006, "long");
    assert_true(filo_json_as_double(next(), &number));
    assert_true(number == 100);
    memset(text, '1', sizeof text);
    filo_json_reader_init(&reader, text, sizeof text, "long");
    assert_false(filo_json_as_double(next(), &number));
}

FILO_TEST(skip_skips_whole_values) {
    read_text("{\"a\": {\"b\": [1, {\"c\": 2}]}, \"d\": 3}");
    next();
    assert_true(filo_json_skip(&reader, next()));
    FiloJsonToken key = next();
    assert_true(filo_json_equal(key, "d"));
    assert_true(filo_json_skip(&reader, next()));
    assert_int_equal(next().kind, FILO_JSON_OBJECT_END);
    read_text("[[1, 2");
    assert_false(filo_json_skip(&reader, next()));
}

// ---- Writing ------------------------------------------------------------------------------------------

static FiloJsonWriter writer;
static void start_writer(int indent) {
    filo_json_writer_init(&writer, &(FiloJsonWriterDesc){ .indent = indent });
}

static void write_sample(void) {
    filo_json_begin_object(&writer);
    filo_json_key(&writer, "score"), filo_json_write_int64(&writer, -1200);
    filo_json_key(&writer, "list");
    filo_json_begin_array(&writer);
    filo_json_write_bool(&writer, true), filo_json_write_null(&writer),
        filo_json_write_uint64(&writer, UINT64_MAX);
    filo_json_end_array(&writer);
    filo_json_key(&writer, "at");
    filo_json_on_one_line(&writer);
    filo_json_begin_object(&writer);
    filo_json_key(&writer, "x"), filo_json_write_float(&writer, 0.1f);
    filo_json_key(&writer, "y"), filo_json_write_double(&writer, 0.1);
    filo_json_end_object(&writer);
    filo_json_key(&writer, "empty");
    filo_json_begin_array(&writer);
    filo_json_end_array(&writer);
    filo_json_end_object(&writer);
}

FILO_TEST(compact_text_has_no_blanks) {
    start_writer(0);
    write_sample();
    assert_true(filo_json_writer_ok(&writer));
    assert_string_equal(filo_json_writer_text(&writer),
                        "{\"score\":-1200,\"list\":[true,null,18446744073709551615],"
                        "\"at\":{\"x\":0.1,\"y\":0.1},\"empty\":[]}");
    filo_json_writer_deinit(&writer);
}

FILO_TEST(indented_text_keeps_small_things_on_one_line) {
    start_writer(2);
    write_sample();
    assert_true(filo_json_writer_ok(&writer));
    assert_string_equal(
        filo_json_writer_text(&writer),
        "{\n  \"score\": -1200,\n  \"list\": [\n    true,\n    null,\n    "
        "18446744073709551615\n  ],\n  \"at\": {\"x\": 0.1, \"y\": 0.1},\n  \"empty\": []\n}");
    filo_json_writer_deinit(&writer);
}

FILO_TEST(text_is_escaped_and_bad_utf8_replaced) {
    start_writer(0);
    filo_json_write_string(&writer, filo_string_from("a\"\\\n\t\r\x01\0ä\xff😀", 15));
    assert_string_equal(filo_json_writer_text(&writer), "\"a\\\"\\\\\\n\\t\\r\\u0001\\u0000ä\xEF\xBF\xBD😀\"");
    filo_json_writer_deinit(&writer);
}

FILO_TEST(floats_read_back_as_the_same_bits) {
    uint32_t bits = 1;
    for (int i = 0; i < 20000; i++, bits = bits * 1664525u + 1013904223u) {
        float value, back;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        start_writer(0);
        filo_json_write_float(&writer, value);
        back = strtof(filo_json_writer_text(&writer), NULL);
        assert_memory_equal(&value, &back, sizeof value);
        filo_json_writer_deinit(&writer);
    }
}

FILO_TEST(doubles_read_back_as_the_same_bits_and_short) {
    static const struct {
        double value;
        const char *text;
    } cases[] = { { 0.1, "0.1" },
                  { 1e21, "1e+21" },
                  { -0.0, "-0" },
                  { DBL_MAX, "1.7976931348623157e+308" },
                  { 5e-324, "5e-324" },
                  { 1.0 / 3, "0.3333333333333333" },
                  { 123456789, "123456789" } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        start_writer(0);
        filo_json_write_double(&writer, cases[i].value);
        assert_string_equal(filo_json_writer_text(&writer), cases[i].text);
        filo_json_writer_deinit(&writer);
    }
    start_writer(0);
    filo_json_write_float(&writer, 1e-45f);
    assert_string_equal(filo_json_writer_text(&writer), "1e-45");
    filo_json_writer_deinit(&writer);
}

FILO_TEST(infinities_and_nan_are_strings) {
    start_writer(0);
    filo_json_begin_array(&writer);
    filo_json_write_float(&writer, INFINITY), filo_json_write_double(&writer, -INFINITY),
        filo_json_write_float(&writer, NAN);
    filo_json_end_array(&writer);
    assert_string_equal(filo_json_writer_text(&writer), "[\"inf\",\"-inf\",\"nan\"]");
    filo_json_writer_deinit(&writer);
}

FILO_TEST(the_locale_does_not_matter) {
    filo_test_use_decimal_comma();
    start_writer(0);
    filo_json_write_double(&writer, 1.5);
    assert_string_equal(filo_json_writer_text(&writer), "1.5");
    filo_json_writer_deinit(&writer);
    double number;
    read_text("1.5");
    assert_true(filo_json_as_double(next(), &number));
    assert_true(number == 1.5);
}

FILO_TEST(running_out_of_memory_fails_the_text_and_leaks_nothing) {
    FiloHeap heap;
    filo_heap_init(&heap, "json", 400);
    filo_json_writer_init(&writer, &(FiloJsonWriterDesc){ .allocator = &heap.allocator });
    filo_json_begin_array(&writer);
    expect_fault("json: cannot allocate", for (int i = 0; i < 200; i++) filo_json_write_int64(&writer, i));
    filo_json_end_array(&writer);
    assert_false(filo_json_writer_ok(&writer));
    filo_json_writer_deinit(&writer);
    filo_heap_deinit(&heap);
}

FILO_TEST(misuse_of_the_writer_is_named_and_fails_the_text) {
    start_writer(0);
    filo_json_write_int64(&writer, 1);
    expect_fault("a JSON text is one value", filo_json_write_int64(&writer, 2));
    assert_false(filo_json_writer_ok(&writer));
    filo_json_writer_deinit(&writer);

    start_writer(0);
    filo_json_begin_object(&writer);
    expect_fault("write a key before each value", filo_json_write_int64(&writer, 2));
    filo_json_writer_deinit(&writer);

    start_writer(0);
    filo_json_begin_array(&writer);
    expect_fault("write a JSON key inside an object", filo_json_key(&writer, "a"));
    filo_json_writer_deinit(&writer);

    start_writer(0);
    filo_json_begin_array(&writer);
    expect_fault("in the order in which they began", filo_json_end_object(&writer));
    filo_json_writer_deinit(&writer);

    start_writer(0);
    expect_fault("write filo_json_write_null where there is no text", filo_json_write_text(&writer, NULL));
    filo_json_writer_deinit(&writer);

    start_writer(0);
    for (int i = 0; i < FILO_JSON_DEPTH; i++) filo_json_begin_array(&writer);
    expect_fault("nested deeper than 256 levels", filo_json_begin_array(&writer));
    filo_json_writer_deinit(&writer);
}

FILO_TEST(an_unfinished_text_is_not_ok) {
    start_writer(0);
    assert_false(filo_json_writer_ok(&writer)); // nothing yet
    filo_json_begin_object(&writer);
    assert_false(filo_json_writer_ok(&writer));
    filo_json_writer_deinit(&writer);
}
