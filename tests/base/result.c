#include "base/text/text.h"
#include "support/test.h"

#include <errno.h>
#include <locale.h>
#include <wchar.h>

// ---- results ------------------------------------------------------------------------------------------

FILO_TEST(success_has_no_message) {
    FiloResult result = filo_ok();
    assert_int_equal(result.code, FILO_OK);
    assert_string_equal(result.message, "");
}

FILO_TEST(an_error_carries_its_code_and_formatted_message) {
    assert_error(filo_error(FILO_ERROR_DATA, "%s: line %d", "level.json", 7), FILO_ERROR_DATA,
                 "level.json: line 7");
}

FILO_TEST(a_message_that_just_fits_is_unchanged) {
    char text[FILO_MESSAGE_SIZE];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_string_equal(filo_error(FILO_ERROR_IO, "%s", text).message, text);
}

FILO_TEST(a_longer_message_ends_in_an_ellipsis_and_fills_the_space) {
    char text[FILO_MESSAGE_SIZE + 1];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    FiloResult result = filo_error(FILO_ERROR_IO, "%s", text);
    assert_int_equal(strlen(result.message), FILO_MESSAGE_SIZE - 1);
    assert_string_equal(result.message + FILO_MESSAGE_SIZE - 1 - strlen("…"), "…");
}

FILO_TEST(a_failure_of_the_system_names_the_thing_and_the_cause) {
    FiloResult result = filo_error_from_errno(ENOENT, "crate.png");
    assert_int_equal(result.code, FILO_ERROR_NOT_FOUND);
    assert_string_equal(result.message, "crate.png: No such file or directory");
}

FILO_TEST(every_errno_is_mapped_to_its_code) {
    static const struct {
        int errno_value;
        FiloCode code;
    } cases[] = {
        { ENOENT, FILO_ERROR_NOT_FOUND },
        { EACCES, FILO_ERROR_DENIED },
        { EPERM, FILO_ERROR_DENIED },
        { EROFS, FILO_ERROR_DENIED },
        { EEXIST, FILO_ERROR_EXISTS },
        { ENOTEMPTY, FILO_ERROR_EXISTS },
        { EISDIR, FILO_ERROR_KIND },
        { ENOTDIR, FILO_ERROR_KIND },
        { ENOSPC, FILO_ERROR_SPACE },
        { EDQUOT, FILO_ERROR_SPACE },
        { EFBIG, FILO_ERROR_SPACE },
        { ENOMEM, FILO_ERROR_MEMORY },
        { ENAMETOOLONG, FILO_ERROR_LIMIT },
        { ELOOP, FILO_ERROR_LIMIT },
        { EMFILE, FILO_ERROR_LIMIT },
        { ENFILE, FILO_ERROR_LIMIT },
        { EBUSY, FILO_ERROR_BUSY },
        { EAGAIN, FILO_ERROR_BUSY },
        { ETXTBSY, FILO_ERROR_BUSY },
        { ETIMEDOUT, FILO_ERROR_TIMEOUT },
        { ECANCELED, FILO_ERROR_CANCELLED },
        { ENOSYS, FILO_ERROR_UNSUPPORTED },
        { ENOTSUP, FILO_ERROR_UNSUPPORTED },
        { EINVAL, FILO_ERROR_ARGUMENT },
        { EIO, FILO_ERROR_IO },
        { 4000, FILO_ERROR_IO },
        { -1, FILO_ERROR_IO },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloResult result = filo_error_from_errno(cases[i].errno_value, "it");
        assert_int_equal(result.code, cases[i].code);
        assert_memory_equal(result.message, "it: ", 4);
        assert_true(strlen(result.message) > 4);
    }
}

// The message of a path of `length` bytes.
static FiloResult error_for_length(size_t length) {
    static char path[600];
    for (size_t i = 0; i < length; i++) path[i] = (char)('a' + i % 26);
    path[length] = '\0';
    return filo_error_from_errno(ENOENT, path);
}

FILO_TEST(a_path_is_only_shortened_when_its_message_would_not_fit) {
    size_t cause = strlen(": No such file or directory");
    size_t longest = FILO_MESSAGE_SIZE - 1 - cause;
    for (size_t length = longest - 8; length <= longest + 8; length++) {
        FiloResult result = error_for_length(length);
        assert_int_equal(memcmp(result.message, "…", strlen("…")) == 0, length > longest);
        assert_int_equal(strlen(result.message), FILO_MIN(length + cause, FILO_MESSAGE_SIZE - 1));
        assert_string_equal(result.message + strlen(result.message) - cause, ": No such file or directory");
    }
}

FILO_TEST(of_a_long_path_the_end_and_the_cause_are_shown) {
    char path[600];
    memset(path, 'x', sizeof path);
    snprintf(path + 500, 100, "/levels/forest/crate.png");
    FiloResult result = filo_error_from_errno(EACCES, path);
    assert_contains(result.message, "xxx/levels/forest/crate.png: Permission denied");
    assert_memory_equal(result.message, "…", strlen("…"));
}

FILO_TEST(a_long_path_is_never_cut_inside_a_character) {
    for (size_t ascii = 0; ascii < 4; ascii++) { // every phase of a character of four bytes
        char path[600] = "";
        for (size_t i = 0; i < ascii; i++) strcat(path, "x");
        while (strlen(path) < 500) strcat(path, "🚀");
        const char *text = filo_error_from_errno(ENOENT, path).message;
        text += strlen("…");
        while (memcmp(text, "🚀", 4) == 0) text += 4;
        assert_string_equal(text, ": No such file or directory");
    }
}

FILO_TEST(every_code_has_a_name_of_its_own) {
    for (int i = 0; i < FILO_CODE_COUNT; i++) {
        assert_non_null(filo_code_name((FiloCode)i));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(filo_code_name((FiloCode)i), filo_code_name((FiloCode)j));
    }
    assert_string_equal(filo_code_name(FILO_OK), "ok");
    assert_string_equal(filo_code_name(FILO_ERROR_NOT_FOUND), "not found");
    assert_string_equal(filo_code_name(FILO_ERROR_MEMORY), "no memory");
}

FILO_TEST(a_code_that_does_not_exist_is_called_unknown) {
    assert_string_equal(filo_code_name(FILO_CODE_COUNT), "unknown code");
    assert_string_equal(filo_code_name((FiloCode)-1), "unknown code");
    assert_string_equal(filo_code_name((FiloCode)9999), "unknown code");
}

// ---- text ---------------------------------------------------------------------------------------------

static size_t format(char *buffer, size_t size, const char *format_text, ...) FILO_PRINTF(3, 4);
static size_t format(char *buffer, size_t size, const char *format_text, ...) {
    va_list arguments;
    va_start(arguments, format_text);
    size_t length = base_text_format(buffer, size, format_text, arguments);
    va_end(arguments);
    return length;
}

// Whether `text` is whole UTF-8.
static bool whole(const char *text) {
    for (const unsigned char *byte = (const unsigned char *)text; *byte != '\0';) {
        int more = *byte < 0x80 ? 0 : *byte >= 0xF0 ? 3 : *byte >= 0xE0 ? 2 : *byte >= 0xC0 ? 1 : -1;
        if (more < 0) return false;
        for (byte++; more > 0; more--, byte++)
            if ((*byte & 0xC0) != 0x80) return false;
    }
    return true;
}

FILO_TEST(text_is_never_cut_inside_a_character_whatever_the_size) {
    static const char *const texts[] = { "héllo wörld", "日本語のテキスト", "🚀🚀🚀🚀", "a🚀é日b", "plain" };
    for (size_t t = 0; t < FILO_COUNT_OF(texts); t++) {
        for (size_t size = 1; size <= strlen(texts[t]) + 2; size++) {
            char buffer[64];
            memset(buffer, 'Z', sizeof buffer);
            size_t length = format(buffer, size, "%s", texts[t]);
            assert_int_equal(length, strlen(buffer));
            assert_true(length < size);
            assert_int_equal(buffer[size], 'Z'); // nothing past the end
            assert_true(whole(buffer));
            if (size > strlen(texts[t]))
                assert_string_equal(buffer, texts[t]);
            else if (size > strlen("…"))
                assert_string_equal(buffer + length - strlen("…"), "…");
        }
    }
}

FILO_TEST(a_buffer_of_no_size_is_not_accessed) {
    char buffer[2] = { 'Z', 'Z' };
    assert_int_equal(format(buffer, 0, "%s", "text"), 0);
    assert_int_equal(buffer[0], 'Z');
}

FILO_TEST(text_that_is_no_utf8_keeps_all_but_its_end) {
    char latin[64], buffer[32];
    memset(latin, 0xB0, sizeof latin - 1); // continuation bytes without a first byte
    latin[sizeof latin - 1] = '\0';
    size_t length = format(buffer, sizeof buffer, "%s", latin);
    assert_true(length >= sizeof buffer - 1 - 3);
    assert_string_equal(buffer + length - strlen("…"), "…");
}

FILO_TEST(arguments_that_cannot_be_formatted_are_reported) {
    setlocale(LC_ALL, "C");
    wchar_t wide[] = { 0x1F680, 0 }; // no such character in the C locale
    assert_string_equal(filo_error(FILO_ERROR_DATA, "name %ls", wide).message,
                        "(a message that cannot be shown)");
}

// ---- macros -------------------------------------------------------------------------------------------

FILO_TEST(align_up_rounds_to_the_next_multiple) {
    assert_int_equal(FILO_ALIGN_UP((size_t)0, 16), 0);
    assert_int_equal(FILO_ALIGN_UP((size_t)1, 16), 16);
    assert_int_equal(FILO_ALIGN_UP((size_t)16, 16), 16);
    assert_int_equal(FILO_ALIGN_UP((size_t)17, 16), 32);
    assert_int_equal(FILO_ALIGN_UP((size_t)17, 1), 17);
}

FILO_TEST(align_up_keeps_large_sizes_whatever_the_type_of_the_alignment) {
    uint32_t narrow = 16;
    size_t size = FILO_GIB(5) + 1;
    assert_true(FILO_ALIGN_UP(size, narrow) == FILO_GIB(5) + 16);
    assert_true(FILO_ALIGN_UP(size, (uint8_t)64) == FILO_GIB(5) + 64);
    assert_true(FILO_ALIGN_UP(size, 4096) == FILO_GIB(5) + 4096);
}

FILO_TEST(small_macros_have_the_right_values) {
    int array[7];
    assert_int_equal(FILO_COUNT_OF(array), 7);
    assert_int_equal(FILO_MIN(2, 3), 2);
    assert_int_equal(FILO_MAX(2, 3), 3);
    assert_int_equal(FILO_CLAMP(1, 2, 3), 2);
    assert_int_equal(FILO_CLAMP(9, 2, 3), 3);
    assert_true(FILO_GIB(8) == (size_t)8 * 1024 * 1024 * 1024);
    assert_int_equal(FILO_KIB(1) * 1024, FILO_MIB(1));
}
