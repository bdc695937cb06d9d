// Fonts: families, chains, synthesised styles, bitmap fonts, assets that are loaded, changed and broken.

#include "text/fixture.h"
#include "text/tiny_font.h"

#include "support/warnings.h"

#include <filo/time.h>

#include <stdlib.h>

typedef struct Fixture {
    FiloJobs *jobs;
    FiloAssets *assets;
    FiloTypesetter *setter;
} Fixture;

static Fixture open_fixture(void) {
    Fixture f = { 0 };
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "error,assets=off,text=off"));
    assert_ok(filo_jobs_create(&f.jobs, &(FiloJobsDesc){ .threads = 2 }));
    assert_ok(filo_assets_create(
        &f.assets, &(FiloAssetsDesc){ .jobs = f.jobs, .folder = filo_test_folder(), .watch = true }));
    assert_ok(filo_typesetter_create(&f.setter, &(FiloTypesetterDesc){ .assets = f.assets }));
    return f;
}

static void close_fixture(Fixture *f) {
    filo_typesetter_destroy(f->setter);
    filo_assets_destroy(f->assets);
    filo_jobs_destroy(f->jobs, FILO_JOBS_FINISH);
}

static void update(Fixture *f) {
    filo_assets_wait_all(f->assets);
    filo_typesetter_update(f->setter);
}

// The number of the font that shows the first glyph of a text.
static uint16_t font_of(FiloTypesetter *setter, FiloTextStyle style, const char *text) {
    size_t count;
    const FiloTextGlyph *glyphs = filo_text_glyphs(lay_out(setter, style, text), &count);
    assert_in_range(count, 1, 100);
    return glyphs[0].font;
}

static const char *font_name(FiloTypesetter *setter, FiloTextStyle style, const char *text) {
    return filo_name_text(text_font_at(setter, font_of(setter, style, text))->name);
}

// ---- Chains ---------------------------------------------------------------------------------------------

FILO_TEST(a_font_without_the_no_break_space_shows_its_own_space_there) {
    static TinyFile file;
    const TinyFont font = { .glyph_count = 3,
                            .glyphs = { { 0, 0, 400, 400, 500, 0, { { 0 } }, 0 },
                                        { 0, 0, 0, 0, 250, ' ', { { 0 } }, 0 },
                                        { 0, 0, 500, 700, 600, 'A', { { 0 } }, 0 } } };
    tiny_write(&file, &font);
    FiloTypesetter *setter = open_setter();
    assert_ok(filo_text_add_font(setter, "tiny", file.bytes, file.size));
    FiloTextStyle style = { .font = filo_name("tiny"), .size = 100 };
    size_t count;
    const FiloTextGlyph *glyphs = filo_text_glyphs(lay_out(setter, style,
                                                           "A\xC2\xA0\xC2\xA0"
                                                           "A"),
                                                   &count);
    assert_int_equal(count, 4);
    for (size_t i = 1; i < count; i++) assert_int_equal(glyphs[i].font, glyphs[0].font);
    assert_float_equal(glyphs[3].x - glyphs[0].x, 110, 0.1);
    filo_typesetter_destroy(setter);
}

FILO_TEST(the_built_in_font_needs_no_file) {
    FiloTypesetter *setter = open_setter();
    const TextFont *font = text_font_at(setter, font_of(setter, PLAIN(0), "a"));
    assert_int_equal(font->file->kind, TEXT_FONT_BUILT_IN);
    assert_int_equal(filo_font_state(setter, (FiloName){ 0 }), FILO_FONT_READY);
    FiloFontMetrics metrics = filo_font_metrics(setter, (FiloName){ 0 }, 32);
    assert_float_equal(metrics.ascent, 24, 0);
    assert_float_equal(metrics.descent, 8, 0);
    assert_float_equal(metrics.line_height, 32, 0);
    assert_null(text_font_at(setter, 500));
    filo_typesetter_destroy(setter);
}

FILO_TEST(metrics_of_fonts_that_were_not_used_before_are_theirs) {
    const char *path = font_path(DEJAVU);
    FiloTypesetter *setter = open_setter();
    for (int i = 0; i < 40; i++) { // so many that the list of fonts moves
        char name[16];
        snprintf(name, sizeof name, "font %d", i);
        assert_ok(filo_text_load_font(setter, name, path));
        FiloFontMetrics metrics = filo_font_metrics(setter, filo_name(name), 32);
        assert_float_equal(metrics.line_height,
                           filo_font_metrics(setter, filo_name("font 0"), 32).line_height, 0);
        assert_true(metrics.ascent > 24 && metrics.descent > 0);
    }
    filo_typesetter_destroy(setter);
}

FILO_TEST(characters_come_from_the_first_font_that_has_them) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    use_font(setter, DEVANAGARI);
    use_font(setter, JAPANESE);
    assert_ok(filo_text_set_fallback(setter, (const char *[]){ DEVANAGARI, JAPANESE }, 2));
    assert_string_equal(font_name(setter, PLAIN(0), "a"), DEJAVU);
    assert_string_equal(font_name(setter, PLAIN(0), "या"), DEVANAGARI);
    assert_string_equal(font_name(setter, PLAIN(0), "旅"), JAPANESE);
    filo_typesetter_destroy(setter);
}

// For each glyph of a text, in the order in which they are seen, whether it is of the first font ("1") or of another one.
static const char *first_fonts(FiloTypesetter *setter, const char *text) {
    static char marks[64];
    size_t count;
    const FiloTextGlyph *glyphs = filo_text_glyphs(lay_out(setter, PLAIN(0), text), &count);
    uint16_t first = text_fonts_chain(setter, (FiloName){ 0 }, false, false, 0)->fonts[0];
    assert_in_range(count, 1, sizeof marks - 1);
    for (size_t i = 0; i < count; i++) marks[i] = glyphs[i].font == first ? '1' : '-';
    marks[count] = '\0';
    return marks;
}

FILO_TEST(spaces_between_letters_of_one_font_are_in_that_font) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    use_font(setter, JAPANESE);
    assert_ok(filo_text_set_fallback(setter, (const char *[]){ JAPANESE }, 1));
    assert_string_equal(first_fonts(setter, "a b"), "111");
    assert_string_equal(first_fonts(setter, "旅 旅  旅"), "------");
    assert_string_equal(first_fonts(setter, "旅  "), "---"); // nothing follows
    assert_string_equal(first_fonts(setter, "旅 \n旅"), "---");
    // Between two fonts they are in the first one.
    assert_string_equal(first_fonts(setter, "a 旅  b 旅 旅"), "11-1111---");
    assert_string_equal(first_fonts(setter, "  旅"), "11-");
    filo_typesetter_destroy(setter);
}

FILO_TEST(spaces_between_emoji_are_as_wide_as_those_between_words) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    use_font(setter, EMOJI);
    assert_ok(filo_text_set_fallback(setter, (const char *[]){ EMOJI }, 1));
    assert_string_equal(first_fonts(setter, "😀 😀  😀 "), "-1-11-1");
    float space = filo_text_size(setter, NULL, "a a").x - filo_text_size(setter, NULL, "aa").x;
    assert_true(space > 0 && space < 8); // of an em of 16
    assert_float_equal(filo_text_size(setter, NULL, "😀 😀").x, filo_text_size(setter, NULL, "😀😀").x + space,
                       1e-3f);
    // If emoji are the first font, their space is taken.
    filo_text_set_default_font(setter, filo_name(EMOJI));
    assert_string_equal(first_fonts(setter, "😀 😀"), "111");
    filo_typesetter_destroy(setter);
}

FILO_TEST(emoji_come_from_a_font_with_colour) {
    FiloTypesetter *setter = open_setter_with(DEJAVU); // which has some of them, in black
    use_font(setter, EMOJI);
    assert_ok(filo_text_set_fallback(setter, (const char *[]){ EMOJI }, 1));
    assert_string_equal(font_name(setter, PLAIN(0), "😀"), EMOJI);
    assert_string_equal(font_name(setter, PLAIN(0), "😀\xEF\xB8\x8E"), DEJAVU); // as text
    assert_string_equal(font_name(setter, PLAIN(0), "❤"), DEJAVU);
    assert_string_equal(font_name(setter, PLAIN(0), "❤\xEF\xB8\x8F"), EMOJI); // as a picture
    assert_string_equal(font_name(setter, PLAIN(0), "1"), DEJAVU);
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_missing_character_is_a_box_and_logged_once) {
    FiloTypesetter *setter = open_setter();
    expect_warning(
        "no font has the character U+65C5 (of a text in the built-in font): add one that has it as fallback",
        assert_int_equal(font_of(setter, PLAIN(0), "旅"), 0));
    expect_no_warning(lay_out(setter, PLAIN(0), "旅旅"));
    size_t count;
    assert_int_equal(filo_text_glyphs(lay_out(setter, PLAIN(0), "旅"), &count)[0].glyph, 0);
    filo_typesetter_destroy(setter);
}

FILO_TEST(accents_need_no_glyph_of_their_own) {
    FiloTypesetter *setter = open_setter();
    size_t count;
    const FiloTextGlyph *glyphs = NULL;
    expect_no_warning(glyphs = filo_text_glyphs(lay_out(setter, PLAIN(0), "e\xCC\x81"), &count));
    assert_int_equal(count, 1);
    assert_int_equal(glyphs[0].glyph, 0xE9);
    filo_typesetter_destroy(setter);
}

// ---- Families -------------------------------------------------------------------------------------------

FILO_TEST(a_family_has_files_for_its_styles) {
    FiloTypesetter *setter = open_setter();
    use_font(setter, DEJAVU);
    use_font(setter, "DejaVuSans-Bold.ttf");
    assert_ok(filo_text_add_family(
        setter, &(FiloFontFamily){ .name = "body", .regular = DEJAVU, .bold = "DejaVuSans-Bold.ttf" }));
    FiloName body = filo_name("body");
    assert_int_equal(filo_font_state(setter, body), FILO_FONT_READY);
    assert_string_equal(font_name(setter, PLAIN(.font = body), "a"), DEJAVU);
    assert_string_equal(font_name(setter, PLAIN(.font = body, .bold = true), "a"), "DejaVuSans-Bold.ttf");
    const TextFont *font = text_font_at(setter, font_of(setter, PLAIN(.font = body, .bold = true), "a"));
    assert_false(font->bold);
    font = text_font_at(setter, font_of(setter, PLAIN(.font = body, .bold = true, .italic = true), "a"));
    assert_string_equal(filo_name_text(font->name), "DejaVuSans-Bold.ttf");
    assert_true(!font->bold && font->slanted); // only what the file lacks is synthesised
    filo_typesetter_destroy(setter);
}

FILO_TEST(missing_styles_are_synthesised) {
    FiloTypesetter *setter = open_setter_with(DEJAVU);
    const TextFont *bold = text_font_at(setter, font_of(setter, PLAIN(.bold = true), "a"));
    assert_true(bold->bold && !bold->slanted);
    // Bold letters take a little more room.
    float regular = filo_text_size(setter, &PLAIN(.size = 28), "abc").x;
    assert_float_equal(filo_text_size(setter, &PLAIN(.size = 28, .bold = true), "abc").x, regular + 3, 0.001);
    assert_float_equal(filo_text_size(setter, &PLAIN(.size = 28, .italic = true), "abc").x, regular, 0.001);
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_family_has_its_own_fallback) {
    FiloTypesetter *setter = open_setter();
    use_font(setter, DEJAVU);
    use_font(setter, JAPANESE);
    assert_ok(filo_text_add_family(setter, &(FiloFontFamily){ .name = "body",
                                                              .regular = DEJAVU,
                                                              .fallback = (const char *[]){ JAPANESE },
                                                              .fallback_count = 1 }));
    assert_string_equal(font_name(setter, PLAIN(.font = filo_name("body")), "旅"), JAPANESE);
    assert_int_equal(font_of(setter, PLAIN(.font = filo_name(DEJAVU)), "旅") != 0,
                     true); // a box of that font
    // Replacing it changes what is laid out.
    assert_ok(filo_text_add_family(setter, &(FiloFontFamily){ .name = "body", .regular = JAPANESE }));
    assert_string_equal(font_name(setter, PLAIN(.font = filo_name("body")), "a"), JAPANESE);
    // Mark-up names it.
    size_t count;
    const FiloTextGlyph *glyphs =
        filo_text_glyphs(lay_out(setter, PLAIN(.markup = true), "a[font=body]a[/font]a"), &count);
    assert_int_equal(count, 3);
    assert_string_equal(filo_name_text(text_font_at(setter, glyphs[1].font)->name), JAPANESE);
    assert_int_equal(glyphs[2].font, 0);
    filo_typesetter_destroy(setter);
}

// ---- Assets ---------------------------------------------------------------------------------------------

static void copy_font(const char *file, const char *to, size_t size) {
    FiloFileData data;
    assert_ok(filo_file_read(&data, font_path(file), NULL));
    assert_ok(filo_file_write(filo_test_path(to), data.bytes, size != 0 ? size : data.size, NULL));
    filo_file_free(&data);
}

FILO_TEST(a_font_is_loaded_when_it_is_first_used) {
    copy_font(DEJAVU, "a.ttf", 0);
    Fixture f = open_fixture();
    FiloTextStyle style = { .font = filo_name("a.ttf") };
    assert_int_equal(filo_font_state(f.setter, style.font), FILO_FONT_UNKNOWN);
    const FiloTextLayout *before = lay_out(f.setter, style, "abc"); // in the built-in font, for now
    size_t count;
    assert_int_equal(filo_text_glyphs(before, &count)[0].font, 0);
    update(&f);
    assert_int_equal(filo_font_state(f.setter, style.font), FILO_FONT_READY);
    const FiloTextLayout *after = lay_out(f.setter, style, "abc");
    assert_ptr_not_equal(before, after);
    assert_int_not_equal(filo_text_glyphs(after, &count)[0].font, 0);
    close_fixture(&f);
}

FILO_TEST(a_font_that_changes_is_laid_out_again) {
    copy_font(DEJAVU, "a.ttf", 0);
    Fixture f = open_fixture();
    FiloTextStyle style = { .font = filo_name("a.ttf") };
    lay_out(f.setter, style, "abc");
    update(&f);
    uint16_t index = font_of(f.setter, style, "abc");
    const TextFont *font = text_font_at(f.setter, index);
    uint32_t version = font->version;
    TextFontFile *file = text_font_file_retain(font->file); // as a worker does
    float width = filo_text_size(f.setter, &style, "abc").x;
    copy_font("DejaVuSansMono.ttf", "a.ttf", 0);
    for (int i = 0; i < 1000 && font->version == version; i++) {
        filo_assets_update(f.assets, 0);
        filo_assets_wait_all(f.assets);
        filo_typesetter_update(f.setter);
        filo_sleep_ns(1000000);
    }
    assert_true(font->version > version);
    assert_int_equal(font_of(f.setter, style, "abc"), index); // the same number
    assert_true(filo_text_size(f.setter, &style, "abc").x != width);
    // The old file stays as long as it is used.
    assert_ptr_not_equal(file, font->file);
    assert_int_equal(file->bytes[0], 0);
    text_font_file_release(file);
    close_fixture(&f);
}

FILO_TEST(a_broken_font_keeps_the_last_good_version) {
    copy_font(DEJAVU, "a.ttf", 0);
    Fixture f = open_fixture();
    FiloTextStyle style = { .font = filo_name("a.ttf") };
    lay_out(f.setter, style, "abc");
    update(&f);
    float width = filo_text_size(f.setter, &style, "abc").x;
    FiloAsset asset = filo_assets_find(f.assets, style.font);
    assert_ok(filo_file_write(filo_test_path("a.ttf"), "broken", 6, NULL));
    for (int i = 0; i < 1000 && filo_asset_error(f.assets, asset)->code == FILO_OK; i++) {
        filo_assets_update(f.assets, 0);
        filo_assets_wait_all(f.assets);
        filo_sleep_ns(1000000);
    }
    assert_error(*filo_asset_error(f.assets, asset), FILO_ERROR_DATA,
                 "a.ttf: not a font that can be used (neither TrueType nor OpenType)");
    filo_typesetter_update(f.setter);
    assert_int_equal(filo_font_state(f.setter, style.font), FILO_FONT_READY);
    assert_float_equal(filo_text_size(f.setter, &style, "abc").x, width, 0);
    close_fixture(&f);
}

FILO_TEST(a_missing_font_is_replaced_by_the_next_of_the_chain) {
    Fixture f = open_fixture();
    FiloTextStyle style = { .font = filo_name("none.ttf") };
    expect_warning("none.ttf", {
        lay_out(f.setter, style, "abc");
        update(&f);
        lay_out(f.setter, style, "abcd");
        update(&f);
    });
    assert_int_equal(filo_font_state(f.setter, style.font), FILO_FONT_FAILED);
    assert_int_equal(font_of(f.setter, style, "abc"), 0);
    close_fixture(&f);
    FiloTypesetter *setter = open_setter();
    expect_warning("there is no font none.ttf: add it with filo_text_add_font", {
        lay_out(setter, style, "abc");
        lay_out(setter, style, "abcd");
    });
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_missing_default_font_is_reported_though_nothing_is_written_with_it) {
    Fixture f = open_fixture();
    expect_warning("none.ttf", {
        filo_text_set_default_font(f.setter, filo_name("none.ttf"));
        update(&f);
    });
    expect_no_warning(filo_text_set_default_font(f.setter, filo_name("body"))); // a family may follow
    close_fixture(&f);
}

FILO_TEST(assets_serve_one_typesetter_at_a_time) {
    Fixture f = open_fixture();
    FiloTypesetter *second;
    assert_int_equal(filo_typesetter_create(&second, &(FiloTypesetterDesc){ .assets = f.assets }).code,
                     FILO_ERROR_EXISTS);
    assert_null(second);
    filo_typesetter_destroy(f.setter);
    assert_ok(filo_typesetter_create(&f.setter, &(FiloTypesetterDesc){ .assets = f.assets }));
    close_fixture(&f);
}

FILO_TEST(translations_are_assets_too) {
    const char json[] = "{\"texts\": {\"a\": \"first\"}}", changed[] = "{\"texts\": {\"a\": \"second\"}}";
    assert_ok(filo_file_write(filo_test_path("de.json"), json, sizeof json - 1, NULL));
    Fixture f = open_fixture();
    assert_ok(filo_text_use_translations(f.setter, "de.json"));
    update(&f);
    assert_string_equal(filo_text_translate(f.setter, "a"), "first");
    uint32_t version = filo_text_translations_version(f.setter);
    assert_ok(filo_file_write(filo_test_path("de.json"), changed, sizeof changed - 1, NULL));
    for (int i = 0; i < 1000 && filo_text_translations_version(f.setter) == version; i++) {
        filo_assets_update(f.assets, 0);
        update(&f);
        filo_sleep_ns(1000000);
    }
    assert_string_equal(filo_text_translate(f.setter, "a"), "second");
    close_fixture(&f);
}

// ---- Bitmap fonts ---------------------------------------------------------------------------------------

#define PIXEL_FONT                                                                                           \
    "info face=\"Pixel font\" size=8 smooth=0\n"                                                             \
    "common lineHeight=10 base=7 scaleW=64 scaleH=64 pages=1\n"                                              \
    "page id=0 file=\"pixel.png\"\n"                                                                         \
    "chars count=4\n"                                                                                        \
    "char id=86 x=9 y=1 width=5 height=7 xoffset=0 yoffset=0 xadvance=6 page=0 chnl=15\n"                    \
    "char id=65 x=1 y=2 width=5 height=7 xoffset=1 yoffset=0 xadvance=7 page=0 chnl=15\r\n"                  \
    "char id=32 xadvance=3\n"                                                                                \
    "char id=233 x=20 y=1 width=4 height=7 xoffset=0 yoffset=0 xadvance=5 page=0 chnl=15\n"                  \
    "kernings count=1\n"                                                                                     \
    "kerning first=65 second=86 amount=-2\n"

FILO_TEST(bitmap_fonts_are_kerned) {
    FiloTypesetter *setter = open_setter();
    assert_ok(filo_text_add_font(setter, "fonts/pixel.fnt", PIXEL_FONT, sizeof PIXEL_FONT - 1));
    FiloTextStyle style = { .font = filo_name("fonts/pixel.fnt"), .size = 8 };
    size_t count;
    const FiloTextLayout *layout = lay_out(setter, style, "AV A");
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    assert_int_equal(count, 4);
    assert_float_equal(glyphs[1].x, 5, 0);
    assert_float_equal(glyphs[2].x, 11, 0);
    assert_float_equal(glyphs[3].x, 14, 0);
    assert_float_equal(glyphs[0].y, 7, 0);
    assert_float_equal(filo_rect_size(filo_text_bounds(layout)).y, 10, 0);
    const TextFont *font = text_font_at(setter, glyphs[0].font);
    assert_int_equal(font->file->kind, TEXT_FONT_BITMAP);
    const TextBitmapFont *bitmap = font->file->bitmap;
    assert_int_equal(bitmap->glyphs[glyphs[0].glyph].code_point, 65);
    assert_int_equal(bitmap->glyphs[glyphs[0].glyph].y, 2);
    assert_int_equal(bitmap->page_count, 1);
    assert_string_equal(filo_name_text(bitmap->pages[0]), "fonts/pixel.png");
    // Twice the size, twice the distances; accents are combined.
    style.size = 16;
    assert_float_equal(filo_text_glyphs(lay_out(setter, style, "AV"), &count)[1].x, 10, 0);
    glyphs = filo_text_glyphs(lay_out(setter, style, "e\xCC\x81"), &count);
    assert_int_equal(bitmap->glyphs[glyphs[0].glyph].code_point, 0xE9);
    filo_typesetter_destroy(setter);
}

FILO_TEST(a_wrong_bitmap_font_is_refused_with_its_line) {
    FiloTypesetter *setter = open_setter();
    const struct {
        const char *text, *message;
    } wrong[] = {
        { "info size=8\n", "p.fnt:1: the font has no chars" },
        { "info size=8\nchar id=65 xadvance=3\n", "p.fnt:2: the font has no lineHeight" },
        { "info size=x\n", "p.fnt:1: size must be a whole number from -4096 to 4096" },
        { "info size=8\nchar id=65 x=70000\n", "p.fnt:2: x must be a whole number from 0 to 65535" },
        { "info size=8\nchar x=7\n", "p.fnt:2: a char needs an id" },
        { "info size=8\npage id=0\n", "p.fnt:2: a page needs an id and a file" },
        { "info size=8\npage id=16 file=a\n", "p.fnt:2: id must be a whole number from 0 to 15" },
        { "info size=8\ncommon lineHeight=9 packed=1\n",
          "p.fnt:2: letters are packed into single channels: export the font without packing them" },
        { "info size=8\nkerning first=3\n", "p.fnt:2: a kerning needs first and second" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(wrong); i++)
        assert_error(filo_text_add_font(setter, "p.fnt", wrong[i].text, strlen(wrong[i].text)),
                     FILO_ERROR_DATA, wrong[i].message);
    filo_typesetter_destroy(setter);
}

// ---- Finding --------------------------------------------------------------------------------------------

FILO_TEST(installed_fonts_are_found_by_their_file) {
    char path[FILO_PATH_SIZE];
    assert_error(filo_font_find(path, sizeof path, "no such font.ttf"), FILO_ERROR_NOT_FOUND,
                 "no such font.ttf: no such font is installed");
    assert_string_equal(path, "");
    const char *found = font_path(DEJAVU);
    assert_contains(found, "/fonts/");
    assert_error(filo_font_find(path, 5, DEJAVU), FILO_ERROR_LIMIT, "DejaVuSans.ttf: its path is too long");
    assert_string_equal(path, "");
}

FILO_TEST(the_fonts_of_the_user_come_first) {
    assert_ok(filo_folder_make(filo_test_path("home/fonts/deep")));
    assert_ok(filo_file_write(filo_test_path("home/fonts/deep/DejaVuSans.ttf"), "x", 1, NULL));
    setenv("XDG_DATA_HOME", filo_test_path("home"), 1);
    char path[FILO_PATH_SIZE];
    assert_ok(filo_font_find(path, sizeof path, "DejaVuSans.ttf"));
    assert_string_equal(path, filo_test_path("home/fonts/deep/DejaVuSans.ttf"));
}
