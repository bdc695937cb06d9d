// The cache of layouts: the same text costs nothing, memory is bounded, running out of it is survived.

#include "text/fixture.h"

#include "support/failing_allocator.h"

#include <stdlib.h>

FILO_TEST(the_same_text_is_the_same_layout) {
    FiloTypesetter *setter = open_setter();
    FiloTextStyle style = { .width = 100, .language = "de" };
    char text[] = "some text";
    const FiloTextLayout *layout = lay_out(setter, style, text);
    for (int frame = 0; frame < 10; frame++) {
        filo_typesetter_update(setter);
        char language[] = "de"; // another pointer
        style.language = language;
        style.color = filo_color(255, (uint8_t)frame, 0, 255); // no part of a layout, like what follows
        style.outline = (float)frame;
        style.hidden = 0.1f * (float)frame;
        assert_ptr_equal(lay_out(setter, style, text), layout);
    }
    assert_int_equal(filo_text_stats(setter).laid_out, 1);
    // Everything else is part of it.
    style = (FiloTextStyle){ .width = 100, .language = "de" };
    FiloTextStyle others[] = { style, style, style, style, style, style,
                               style, style, style, style, style, style };
    others[0].width = 101;
    others[1].size = 17;
    others[2].bold = true;
    others[3].align = FILO_TEXT_RIGHT;
    others[4].vertical = FILO_TEXT_MIDDLE;
    others[5].direction = FILO_TEXT_RTL;
    others[6].wrap = FILO_TEXT_WRAP_LETTERS;
    others[7].max_lines = 3;
    others[8].markup = true;
    others[9].language = "ja";
    others[10].letter_spacing = 0.1f;
    others[11].line_spacing = 2;
    for (size_t i = 0; i < FILO_COUNT_OF(others); i++)
        assert_ptr_not_equal(lay_out(setter, others[i], text), layout);
    assert_int_equal(filo_text_stats(setter).laid_out, 13);
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_layout_is_valid_until_the_second_update) {
    FiloTypesetter *setter;
    assert_ok(filo_typesetter_create(&setter, &(FiloTypesetterDesc){ .cache_size = 1 })); // keeps nothing
    const FiloTextLayout *layout = filo_text_layout(setter, NULL, FILO_STRING("text"));
    filo_typesetter_update(setter);
    assert_int_equal(filo_text_letter_count(layout), 4);
    assert_int_equal(filo_text_stats(setter).layouts, 1);
    filo_typesetter_update(setter);
    assert_int_equal(filo_text_stats(setter).layouts, 0);
    assert_int_equal(filo_text_stats(setter).memory, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(the_cache_keeps_to_its_size) {
    FiloTypesetter *setter;
    assert_ok(filo_typesetter_create(&setter, &(FiloTypesetterDesc){ .cache_size = 100000 }));
    const FiloTextLayout *kept = NULL;
    for (int i = 0; i < 2000; i++) {
        char text[32];
        snprintf(text, sizeof text, "score %d", i);
        assert_non_null(filo_text_layout(setter, NULL, filo_string(text)));
        const FiloTextLayout *same = filo_text_layout(setter, NULL, FILO_STRING("always used"));
        if (kept != NULL) assert_ptr_equal(same, kept); // what is used stays
        kept = same;
        filo_typesetter_update(setter);
        assert_in_range(filo_text_stats(setter).memory, 1, 105000);
    }
    assert_int_equal(filo_text_stats(setter).laid_out, 2001);
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_text_that_changes_does_not_allocate_in_the_long_run) {
    FiloTypesetter *setter;
    assert_ok(filo_typesetter_create(&setter, &(FiloTypesetterDesc){ .cache_size = 200000 }));
    uint64_t before = 0;
    for (int i = 0; i < 3000; i++) {
        if (i == 1000) before = filo_memory_system_calls();
        char text[32];
        snprintf(text, sizeof text, "score %06d", i);
        assert_non_null(filo_text_layout(setter, NULL, filo_string(text)));
        filo_typesetter_update(setter);
    }
    assert_int_equal(filo_memory_system_calls(), before);
    filo_typesetter_destroy(setter);
}

FILO_TEST(texts_that_do_not_change_allocate_nothing) {
    FiloTypesetter *setter = open_setter();
    char texts[200][24];
    for (int i = 0; i < 200; i++) snprintf(texts[i], sizeof texts[i], "label %d", i);
    uint64_t before = 0;
    for (int frame = 0; frame < 5; frame++) {
        if (frame == 1) before = filo_memory_system_calls();
        for (int i = 0; i < 200; i++) lay_out(setter, PLAIN(0), texts[i]);
        filo_typesetter_update(setter);
    }
    assert_int_equal(filo_memory_system_calls(), before);
    assert_int_equal(filo_text_stats(setter).laid_out, 200);
    filo_typesetter_destroy(setter);
}

FILO_TEST(memory_of_a_long_text_is_freed_later) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloTypesetter *setter;
    assert_ok(filo_typesetter_create(
        &setter, &(FiloTypesetterDesc){ .allocator = &failing.allocator, .cache_size = 1000 }));
    size_t few = failing.blocks;
    char *text = malloc(200000);
    assert_non_null(text);
    memset(text, 'a', 200000);
    assert_non_null(filo_text_layout(setter, NULL, filo_string_from(text, 200000)));
    free(text);
    assert_true(failing.blocks > few + 10);
    for (int i = 0; i < 130; i++) filo_typesetter_update(setter);
    assert_in_range(failing.blocks, few, few + 4);
    assert_non_null(filo_text_layout(setter, NULL, FILO_STRING("still works")));
    filo_typesetter_destroy(setter);
    assert_int_equal(failing.blocks, 0);
}

// ---- Without memory -------------------------------------------------------------------------------------

#define RICH "[b]a[/b] [link=x]link[/link] [icon=i] [u]under[/u]\nsecond \xD7\x90\xD7\x91 line[size=8]x"

// All that a typesetter does, with failures ignored: nothing leaks, and what is returned is usable.
static void use_all(FiloTypesetter *setter) {
    static const char font[] =
        "info size=8\ncommon lineHeight=10 base=7\nchar id=97 xadvance=3\nchar id=98 xadvance=3\n"
        "page id=0 file=a.png\nkerning first=97 second=98 amount=1\n";
    (void)filo_text_add_font(setter, "f", font, sizeof font - 1);
    (void)filo_text_add_family(setter, &(FiloFontFamily){ .name = "fam",
                                                          .regular = "f",
                                                          .fallback = (const char *[]){ "f" },
                                                          .fallback_count = 1 });
    (void)filo_text_set_fallback(setter, (const char *[]){ "fam" }, 1);
    filo_text_set_default_font(setter, filo_name("fam"));
    (void)filo_text_add_translations(
        setter, "t",
        FILO_STRING("{\"language\": \"de\", \"texts\": {\"k\": {\"one\": \"1\", \"other\": \"{0}\"}}}"));
    (void)filo_text_translate(setter, "k");
    (void)filo_text_translate(setter, "missing");
    for (int i = 0; i < 3; i++) {
        FiloTextStyle style = { .markup = true, .width = 60, .max_lines = 3, .bold = i == 1 };
        const FiloTextLayout *layout = filo_text_layout(setter, &style, FILO_STRING(RICH));
        size_t count;
        filo_text_glyphs(layout, &count);
        filo_text_hit(layout, filo_vec2(10, 10), NULL);
        filo_text_caret(layout, 5);
        filo_text_selection(layout, 0, 100, NULL, 0);
        filo_typesetter_update(setter);
    }
}

FILO_TEST(running_out_of_memory_is_survived_everywhere) {
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloTypesetter *setter;
        FiloResult r =
            filo_typesetter_create(&setter, &(FiloTypesetterDesc){ .allocator = &failing.allocator });
        if (r.code == FILO_OK) {
            use_all(setter);
            (void)filo_text_layout(setter, &(FiloTextStyle){ .markup = true },
                                   FILO_STRING(RICH)); // may be the one
            // Memory is there again: everything works.
            assert_non_null(filo_text_layout(setter, &(FiloTextStyle){ .markup = true }, FILO_STRING(RICH)));
        } else {
            assert_null(setter);
            assert_int_equal(r.code, FILO_ERROR_MEMORY);
        }
        filo_typesetter_destroy(setter);
        assert_int_equal(failing.blocks, 0);
        more = failing.calls > fail_at;
        assert_in_range(fail_at, 0, 2000);
    }
}
