// Glyphs and positions are those of HarfBuzz's own tool, hb-shape, to the last unit of the font.

#include "text/fixture.h"

#include <stdlib.h>

typedef struct Expected {
    unsigned glyph;
    double x, y; // units of the font, y up
} Expected;

// Reads "[36=0+1401|5@10,20=1+0|…]": glyph, offset, cluster, advance.
static size_t parse_shaped(const char *text, Expected *expected, size_t capacity) {
    size_t count = 0;
    double pen = 0;
    const char *at = strchr(text, '[');
    assert_non_null(at);
    while (*at == '[' || *at == '|') {
        char *end;
        assert_in_range(count, 0, capacity - 1);
        Expected *e = &expected[count++];
        e->glyph = (unsigned)strtoul(at + 1, &end, 10);
        long x = 0, y = 0;
        if (*end == '=') (void)strtol(end + 1, &end, 10);
        if (*end == '@') {
            x = strtol(end + 1, &end, 10);
            y = strtol(end + 1, &end, 10);
        }
        assert_int_equal(*end, '+');
        long advance = strtol(end + 1, &end, 10);
        e->x = pen + (double)x;
        e->y = (double)y;
        pen += (double)advance;
        at = end;
    }
    assert_int_equal(*at, ']');
    return count;
}

static size_t run_hb_shape(const char *font, const char *axes, const char *text, Expected *expected,
                           size_t capacity) {
    if (system("command -v hb-shape >/dev/null 2>&1") != 0) skip_because("hb-shape is not installed");
    assert_ok(filo_file_write(filo_test_path("text.txt"), text, strlen(text), NULL));
    char command[FILO_PATH_SIZE * 2 + 128], output[65536];
    snprintf(command, sizeof command, "hb-shape --no-glyph-names --variations='%s' --text-file='%s' '%s'",
             axes, filo_test_path("text.txt"), font);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t length = fread(output, 1, sizeof output - 1, pipe);
    output[length] = '\0';
    assert_int_equal(pclose(pipe), 0);
    return parse_shaped(output, expected, capacity);
}

// Lays the text out at one pixel a unit, and compares each glyph.
static void compare_at(const char *path, const char *axes, const char *text) {
    static Expected expected[4096];
    size_t wanted = run_hb_shape(path, axes, text, expected, FILO_COUNT_OF(expected));
    FiloTypesetter *setter = open_setter();
    assert_ok(filo_text_load_font(setter, "font", path));
    FiloName font = filo_name("font");
    float units =
        text_font_at(setter, text_fonts_chain(setter, font, false, false, 0)->fonts[0])->file->units_per_em;
    const FiloTextLayout *layout =
        lay_out(setter, (FiloTextStyle){ .font = font, .size = units, .axes = axes }, text);
    size_t count;
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    assert_int_equal(count, wanted);
    size_t line_count;
    const FiloTextLine *lines = filo_text_lines(layout, &line_count);
    assert_int_equal(line_count, 1);
    for (size_t i = 0; i < count; i++) {
        if (glyphs[i].glyph != expected[i].glyph || (double)glyphs[i].x != expected[i].x ||
            (double)(lines[0].y - glyphs[i].y) != expected[i].y)
            fail_msg("%s, glyph %zu: %u at %g, %g instead of %u at %g, %g", text, i, glyphs[i].glyph,
                     (double)glyphs[i].x, (double)(lines[0].y - glyphs[i].y), expected[i].glyph,
                     expected[i].x, expected[i].y);
    }
    filo_typesetter_destroy(setter);
}

static void compare(const char *file, const char *text) { compare_at(font_path(file), "", text); }

FILO_TEST(latin_is_kerned) { compare(DEJAVU, "AVAToday Weather: \"To Wit\""); }
FILO_TEST(latin_has_ligatures) { compare(DEJAVU, "office fluffy affine flight"); }
FILO_TEST(accents_are_combined) { compare(DEJAVU, "é ǫ̈ ệ Å̊ ṩ ỵ̆"); }
FILO_TEST(greek) { compare(DEJAVU, "Ταξίδι στην Ιθάκη, ᾧ οὐδὲν ἀδύνατον"); }
FILO_TEST(arabic_is_joined) { compare(ARABIC, "السَّلَامُ عَلَيْكُمْ لا إله"); }
FILO_TEST(hebrew_has_points) { compare(HEBREW, "בְּרֵאשִׁית בָּרָא אֱלֹהִים"); }
FILO_TEST(devanagari_is_reordered) { compare(DEVANAGARI, "यात्रा क्षत्रिय किताब र्कि श्री"); }
FILO_TEST(thai_stacks_its_marks) { compare(THAI, "การเดินทางที่ยิ่งใหญ่ น้ำ ผู้"); }
FILO_TEST(japanese) { compare(JAPANESE, "旅行は楽しい。「カタカナ」が"); }
FILO_TEST(emoji_are_sequences) {
    compare(EMOJI, "😀👩‍👩‍👧‍👦👍🏽🇩🇪🇫🇷1️⃣");
}
FILO_TEST(variable_fonts_are_at_their_axes) {
    static const char *const axes[] = { "",
                                        "wght=700",
                                        "wght=900,wdth=200",
                                        "wght=250",
                                        "wdth=75",
                                        "GRAD=50",
                                        "wght=5000,wdth=1,GRAD=-1e6",
                                        "XXXX=3",
                                        "wdth=133",
                                        "wght=333",
                                        "wdth=60,wght=150" };
    for (size_t i = 0; i < FILO_COUNT_OF(axes); i++)
        compare_at(FILO_TEST_SOURCES "/fonts/variable.ttf", axes[i], "AB C");
}
