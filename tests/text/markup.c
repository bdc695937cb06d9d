// Mark-up: what tags do, and how wrong ones are shown.

#include "text/fixture.h"

// The text that a layout shows, in the built-in font, whose glyphs are characters.
static const char *shown(const FiloTextLayout *layout) {
    static char text[256];
    size_t count;
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    assert_in_range(count, 0, sizeof text - 1);
    for (size_t i = 0; i < count; i++) text[i] = (char)glyphs[i].glyph;
    text[count] = '\0';
    return text;
}

#define MARKUP(...) ((FiloTextStyle){ .markup = true, __VA_ARGS__ })

FILO_TEST(tags_are_not_shown) {
    FiloTypesetter *setter = open_setter();
    assert_string_equal(
        shown(lay_out(setter, MARKUP(), "[b]a[/b][i]b[/i][u]c[/u][s]d[/s][color=red]e[/color][size=8]f")),
        "abcdef");
    assert_string_equal(shown(lay_out(setter, PLAIN(0), "[b]a[/b]")), "[b]a[/b]");
    filo_typesetter_destroy(setter);
}

FILO_TEST(what_is_not_a_tag_is_shown_as_it_is) {
    FiloTypesetter *setter = open_setter();
    static const char *const texts[] = {
        "[",
        "[]",
        "[/]",
        "[x]",
        "[/b]",
        "a[b",
        "[b=1]a",
        "[color=nix]",
        "[color=]",
        "[color]",
        "[size=-1]",
        "[size=x%]",
        "[size=nan]",
        "[/icon]",
        "[icon=]",
        "[link]",
        "[b\n]",
        "[ b]",
        "[color=#12345]",
        "[font=never named]",
        "[color=#0000]",
    };
    for (size_t i = 0; i < FILO_COUNT_OF(texts); i++) {
        char wanted[64];
        size_t length = 0;
        for (const char *c = texts[i]; *c != '\0'; c++)
            if (*c != '\n') wanted[length++] = *c;
        wanted[length] = '\0';
        const char *got = shown(lay_out(setter, MARKUP(), texts[i]));
        assert_string_equal(got, wanted);
    }
    filo_typesetter_destroy(setter);
}

FILO_TEST(doubled_brackets_are_brackets) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, MARKUP(), "[[b]]x");
    assert_string_equal(shown(layout), "[b]x");
    assert_string_equal(seen_order(layout), "0 2 3 5");
    char escaped[32];
    assert_int_equal(filo_text_escape(escaped, sizeof escaped, FILO_STRING("a[b]c")), 7);
    assert_string_equal(escaped, "a[[b]]c");
    assert_string_equal(shown(lay_out(setter, MARKUP(), escaped)), "a[b]c");
    assert_int_equal(filo_text_escape(escaped, 4, FILO_STRING("a[\xC3\xA4")), 5); // cut between characters
    assert_string_equal(escaped, "a[[");
    assert_int_equal(filo_text_escape(NULL, 0, FILO_STRING("[")), 2);
    filo_typesetter_destroy(setter);
}

FILO_TEST(colours_are_of_the_letters_inside) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextGlyph *glyphs = filo_text_glyphs(
        lay_out(setter, MARKUP(), "a[color=#ff0000]b[color=#00f8]c[/color]d[/color]e"), &count);
    assert_int_equal(count, 5);
    assert_true(text_color_is_zero(glyphs[0].color) && text_color_is_zero(glyphs[4].color));
    assert_int_equal(glyphs[1].color.r, 255);
    assert_int_equal(glyphs[1].color.a, 255);
    assert_int_equal(glyphs[2].color.a, 0x88);
    assert_int_equal(glyphs[2].color.b, 0x88); // premultiplied
    assert_int_equal(glyphs[3].color.r, 255);
    filo_typesetter_destroy(setter);
}

FILO_TEST(colours_have_names_and_numbers) {
    FiloColor color;
    assert_true(filo_text_parse_color(FILO_STRING("gold"), &color));
    assert_int_equal(color.g, 0xD7);
    assert_true(filo_text_parse_color(FILO_STRING("#123"), &color));
    assert_int_equal(color.b, 0x33);
    assert_true(filo_text_parse_color(FILO_STRING("#A0b0C0"), &color));
    assert_int_equal(color.r, 0xA0);
    assert_false(filo_text_parse_color(FILO_STRING("#12"), &color));
    assert_false(filo_text_parse_color(FILO_STRING("#12345g"), &color));
    assert_false(filo_text_parse_color(FILO_STRING("Gold"), &color));
    assert_false(filo_text_parse_color((FiloString){ 0 }, &color));
}

FILO_TEST(sizes_are_absolute_or_relative) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextLayout *layout =
        lay_out(setter, MARKUP(.size = 32), "a[size=50%]b[size=50%]c[/size][/size][size=64]d");
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    assert_float_equal(glyphs[1].size, 16, 0);
    assert_float_equal(glyphs[2].size, 8, 0);
    assert_float_equal(glyphs[3].size, 64, 0);
    assert_float_equal(glyphs[3].x, 28, 0);
    assert_float_equal(glyphs[0].y, glyphs[3].y, 0); // on one baseline
    assert_float_equal(filo_rect_size(filo_text_bounds(layout)).y, 64, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(tags_may_overlap) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextGlyph *glyphs =
        filo_text_glyphs(lay_out(setter, MARKUP(), "[color=red]a[size=32]b[/color]c[/size]d"), &count);
    assert_false(text_color_is_zero(glyphs[1].color));
    assert_true(text_color_is_zero(glyphs[2].color));
    assert_float_equal(glyphs[2].size, 32, 0);
    assert_float_equal(glyphs[3].size, 16, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(more_than_64_open_tags_are_shown) {
    FiloTypesetter *setter = open_setter();
    char text[512] = "";
    for (int i = 0; i < 66; i++) strcat(text, "[b]");
    assert_string_equal(shown(lay_out(setter, MARKUP(), text)), "[b][b]");
    filo_typesetter_destroy(setter);
}

FILO_TEST(bars_lie_under_and_through_letters) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextBar *bars = filo_text_bars(lay_out(setter, MARKUP(), "a[u]bc[/u] [s]d[/s]"), &count);
    assert_int_equal(count, 2);
    assert_float_equal(bars[0].rect.min.x, 8, 0);
    assert_float_equal(bars[0].rect.max.x, 24, 0);
    assert_float_equal(bars[0].rect.min.y, 13, 0); // below the baseline, at 12
    assert_int_equal(bars[0].order, 1);
    assert_int_equal(bars[0].end_order, 3);
    assert_true(bars[1].rect.max.y < 12);
    // A style has them, too; spaces at the end of a line have none.
    bars = filo_text_bars(lay_out(setter, PLAIN(.underline = true, .width = 30), "abc def"), &count);
    assert_int_equal(count, 2);
    assert_float_equal(bars[0].rect.max.x, 24, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(icons_take_the_place_of_a_letter) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextLayout *layout = lay_out(setter, MARKUP(), "a[icon=ui/coin.png]b");
    const FiloTextIcon *icons = filo_text_icons(layout, &count);
    assert_int_equal(count, 1);
    assert_string_equal(filo_name_text(icons[0].image), "ui/coin.png");
    assert_float_equal(icons[0].rect.min.x, 8, 0);
    assert_float_equal(icons[0].rect.max.x, 24, 0);
    assert_float_equal(filo_rect_size(icons[0].rect).y, 16, 0.001);
    assert_int_equal(icons[0].byte, 1);
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    assert_int_equal(count, 2);
    assert_float_equal(glyphs[1].x, 24, 0);
    assert_int_equal(filo_text_letter_count(layout), 3);
    filo_typesetter_destroy(setter);
}

FILO_TEST(names_of_icons_are_freed_with_their_layouts) {
    uint32_t before = filo_name_in_use();
    for (int round = 0; round < 3; round++) {
        FiloTypesetter *setter = open_setter();
        for (int i = 0; i < 100; i++) {
            char text[64];
            snprintf(text, sizeof text, "[icon=of player %d]", i);
            lay_out(setter, MARKUP(), text);
        }
        filo_typesetter_destroy(setter);
        assert_int_equal(filo_name_in_use(), before);
    }
}

FILO_TEST(links_are_found_by_a_point) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout =
        lay_out(setter, MARKUP(.width = 60), "ab [link=door:3]cd [b]ef[/b][/link] gh");
    FiloString target = filo_text_link_at(layout, filo_vec2(28, 8));
    assert_true(filo_string_equal(target, FILO_STRING("door:3")));
    assert_true(filo_string_equal(filo_text_link_at(layout, filo_vec2(4, 24)), FILO_STRING("door:3")));
    assert_int_equal(filo_text_link_at(layout, filo_vec2(4, 8)).length, 0);
    assert_int_equal(filo_text_link_at(layout, filo_vec2(30, 24)).length, 0);
    assert_int_equal(filo_text_link_at(layout, filo_vec2(28, 80)).length, 0);
    FiloRect rects[4];
    assert_int_equal(filo_text_link_rects(layout, 0, &target, rects, 4), 2); // of two lines
    assert_true(filo_string_equal(target, FILO_STRING("door:3")));
    assert_float_equal(rects[0].min.x, 24, 0);
    assert_float_equal(rects[1].max.x, 16, 0);
    assert_int_equal(filo_text_link_rects(layout, 1, &target, rects, 4), 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(letters_are_revealed_from_the_beginning) {
    FiloTypesetter *setter = open_setter();
    const FiloTextLayout *layout = lay_out(setter, MARKUP(), "[b]ab[/b]cd");
    assert_int_equal(filo_text_letters_shown(layout, 0), 4);
    assert_int_equal(filo_text_letters_shown(layout, 0.5f), 2);
    assert_int_equal(filo_text_letters_shown(layout, 1), 0);
    // It is the same layout.
    FiloTextStyle hidden = MARKUP(.hidden = 0.5f, .color = FILO_COLOR_RED);
    assert_ptr_equal(filo_text_layout(setter, &hidden, FILO_STRING("[b]ab[/b]cd")), layout);
    filo_typesetter_destroy(setter);
}
