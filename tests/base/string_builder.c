#include <filo/strings.h>

#include "support/failing_allocator.h"
#include "support/test.h"

#define S(literal) FILO_STRING(literal)

FILO_TEST(additions_follow_each_other) {
    FiloBuilder builder = { 0 };
    assert_string_equal(filo_builder_text(&builder), "");
    assert_true(filo_builder_add(&builder, S("entity ")));
    assert_true(filo_builder_printf(&builder, "%d of %s", 7, "9"));
    assert_true(filo_builder_add_byte(&builder, ','));
    assert_true(filo_builder_add_character(&builder, 0x20AC));
    assert_true(filo_builder_add_character(&builder, 0xD800));
    assert_true(filo_builder_add_text(&builder, "!"));
    assert_true(filo_builder_add_text(&builder, NULL));
    assert_true(filo_builder_add(&builder, (FiloString){ 0 }));
    assert_string_equal(filo_builder_text(&builder), "entity 7 of 9,€\uFFFD!");
    assert_int_equal(filo_builder_string(&builder).length, strlen(filo_builder_text(&builder)));
    filo_builder_clear(&builder);
    assert_string_equal(filo_builder_text(&builder), "");
    assert_true(filo_builder_add(&builder, S("a\0b")));
    assert_true(filo_string_equal(filo_builder_string(&builder), S("a\0b")));
    filo_builder_deinit(&builder);
    assert_string_equal(filo_builder_text(&builder), "");
}

FILO_TEST(texts_of_every_length_end_in_a_zero) {
    FiloBuilder builder = { 0 };
    for (size_t length = 0; length < 300; length++) {
        assert_int_equal(strlen(filo_builder_text(&builder)), length);
        assert_true(length % 2 == 0 ? filo_builder_add_byte(&builder, 'x')
                                    : filo_builder_printf(&builder, "y"));
    }
    filo_builder_clear(&builder);
    for (int length = 0; length < 300; length++) {
        filo_builder_deinit(&builder);
        assert_true(filo_builder_printf(&builder, "%*s", length, ""));
        assert_int_equal(strlen(filo_builder_text(&builder)), length);
    }
    filo_builder_deinit(&builder);
}

FILO_TEST(a_part_of_the_text_itself_can_be_added) {
    FiloBuilder builder = { 0 };
    assert_true(filo_builder_add(&builder, S("abc")));
    for (int i = 0; i < 10; i++) assert_true(filo_builder_add(&builder, filo_builder_string(&builder)));
    assert_int_equal(builder.length, 3 * 1024);
    for (size_t i = 0; i < builder.length; i++) assert_int_equal(builder.data[i], "abc"[i % 3]);
    assert_true(filo_builder_add(&builder, filo_string_slice(filo_builder_string(&builder), 3070, 2)));
    assert_memory_equal(builder.data + 3072, "bc", 3);
    filo_builder_deinit(&builder);
}

FILO_TEST(a_reserved_builder_does_not_allocate) {
    FailingAllocator failing = FAILING_AT(failing, 1);
    FiloBuilder builder;
    filo_builder_init(&builder, &failing.allocator);
    assert_true(filo_builder_reserve(&builder, 1000));
    assert_string_equal(filo_builder_text(&builder), "");
    for (int i = 0; i < 500; i++) assert_true(filo_builder_add_byte(&builder, 'x'));
    assert_true(filo_builder_printf(&builder, "%0500d", 1));
    assert_true(filo_builder_reserve(&builder, 10));
    assert_int_equal(failing.calls, 1);
    filo_builder_deinit(&builder);
    assert_int_equal(failing.blocks, 0);
}

FILO_TEST(a_builder_can_work_in_an_arena) {
    FiloArena arena;
    assert_ok(filo_arena_init(&arena, &(FiloArenaDesc){ .reserve = FILO_MIB(1) }));
    FiloAllocator allocator = filo_arena_allocator(&arena);
    FiloBuilder builder;
    filo_builder_init(&builder, &allocator);
    for (int i = 0; i < 1000; i++) assert_true(filo_builder_printf(&builder, "%d,", i));
    assert_true(filo_string_ends_with(filo_builder_string(&builder), S("998,999,")));
    filo_arena_deinit(&arena);
}

// Adds a text of about 2 kB by every function, until one fails.
static void build(FiloBuilder *builder) {
    for (int i = 0; i < 20; i++) {
        filo_builder_add(builder, S("0123456789"));
        filo_builder_printf(builder, "%s", "0123456789");
        filo_builder_add_text(builder, "0123456");
        filo_builder_add_byte(builder, '7');
        filo_builder_add_character(builder, '8');
        filo_builder_add_byte(builder, '9');
        filo_builder_printf(
            builder, "%s",
            "01234567890123456789012345678901234567890123456789012345678901234567890123456789");
    }
}

FILO_TEST(without_memory_the_text_stays_as_it_was_and_has_no_hole) {
    bool failed = true;
    for (size_t fail_at = 0; failed; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloBuilder builder;
        filo_builder_init(&builder, &failing.allocator);
        build(&builder);
        failed = failing.calls > fail_at;
        assert_int_equal(builder.failed, failed);
        assert_true(failed ? builder.length < 2200 : builder.length == 2200);
        assert_int_equal(strlen(filo_builder_text(&builder)), builder.length);
        for (size_t i = 0; i < builder.length; i++) assert_int_equal(builder.data[i], (int)('0' + i % 10));
        if (failed) {
            assert_false(filo_builder_add_byte(&builder, 'x'));
            assert_false(filo_builder_printf(&builder, "x"));
            filo_builder_clear(&builder);
            assert_true(filo_builder_add_byte(&builder, 'x'));
            assert_string_equal(filo_builder_text(&builder), "x");
        }
        filo_builder_deinit(&builder);
        assert_int_equal(failing.blocks, 0);
    }
}

FILO_TEST(a_length_that_overflows_is_refused) {
    FiloBuilder builder = { 0 };
    assert_true(filo_builder_add(&builder, S("abc")));
    expect_fault("the size is too large", assert_false(filo_builder_reserve(&builder, SIZE_MAX)));
    assert_false(builder.failed);
    expect_fault("the size is too large",
                 assert_false(filo_builder_add(&builder, filo_string_from("x", SIZE_MAX))));
    assert_true(builder.failed);
    assert_string_equal(filo_builder_text(&builder), "abc");
    filo_builder_deinit(&builder);
}
