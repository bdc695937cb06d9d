// Bitmap fonts that are drawn: every texel where it should be, on all backends; kerning, sizes, effects, files that change.
//
// The font has three letters of 3 × 5 texels on a picture of 32 × 16: an "L", a "T", and an "i" of one column.

#include "text/draw_fixture.h"

#include <filo/files.h>
#include <filo/log.h>
#include <filo/time.h>

static const char font_text[] =
    "info face=\"Tiny\" size=8 smooth=0\n"
    "common lineHeight=8 base=6 scaleW=32 scaleH=16 pages=1\n"
    "page id=0 file=\"tiny.png\"\n"
    "char id=76 x=2 y=3 width=3 height=5 xoffset=0 yoffset=1 xadvance=4 page=0\n"
    "char id=84 x=10 y=3 width=3 height=5 xoffset=0 yoffset=1 xadvance=4 page=0\n"
    "char id=105 x=20 y=3 width=1 height=5 xoffset=1 yoffset=1 xadvance=3 page=0\n"
    "char id=32 xadvance=2\n"
    "kerning first=76 second=84 amount=-1\n";

static const char *const letters[5] = {
    // at x = 2, 10 and 20
    "..#.......###.......#...........", "..#........#....................",
    "..#........#........#...........", "..#........#........#...........",
    "..###......#........#...........",
};

static void write_font(const char *text) {
    assert_ok(filo_folder_make(filo_test_path("fonts")));
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 32, 16, NULL));
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 32; x++)
            if (letters[y][x] == '#') *filo_pixels_at(&pixels, x, y + 3) = FILO_COLOR_WHITE;
    assert_ok(filo_image_save(&pixels, filo_test_path("fonts/tiny.png")));
    filo_pixels_free(&pixels, NULL);
    assert_ok(filo_file_write(filo_test_path("fonts/tiny.fnt"), text, strlen(text), NULL));
}

static FiloTextStyle drawn;
static const char *drawn_text;
static FiloVec2 drawn_at;
static void draw_one(Fixture *f) {
    drawn.font = filo_name("fonts/tiny.fnt");
    filo_text_draw(f->setter, f->draw, drawn_at, &drawn, drawn_text);
}

static void load(Fixture *f) {
    for (int i = 0; i < 4; i++) {
        (void)picture_of(f, draw_one);
        filo_assets_wait_all(f->assets);
        filo_assets_update(f->assets, 0);
    }
}

static Fixture open_tiny(Backend backend) {
    write_font(font_text);
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "error"));
    Fixture f = fixture_open(
        (FixtureDesc){ .backend = backend, .threads = 2, .width = 128, .height = 96, .assets = true });
    drawn = (FiloTextStyle){ .size = 8 }, drawn_at = filo_vec2(10, 20), drawn_text = "LTi L";
    load(&f);
    return f;
}

// The pixels from (x, y) on, as lines of letters: '#' white, 'r' red, '.' black, '?' anything else.
static const char *seen(FiloPixels p, int x, int y, int width, int height) {
    static char text[2048];
    size_t length = 0;
    for (int v = y; v < y + height; v++) {
        for (int u = x; u < x + width; u++) {
            FiloColor c = *filo_pixels_at(&p, u, v);
            bool white = c.r == 255 && c.g == 255 && c.b == 255, black = (c.r | c.g | c.b) == 0;
            bool red = filo_color_equal(c, FILO_COLOR_RED);
            text[length++] = white ? '#' : red ? 'r' : black ? '.' : '?';
        }
        text[length++] = '\n';
    }
    text[length] = '\0';
    return text;
}

// L and T are kerned by one texel; the baseline is 6 below the top of the line, the letters begin one below it.
static const char word[] = "..................\n"
                           "#..###..#...#.....\n"
                           "#...#.......#.....\n"
                           "#...#...#...#.....\n"
                           "#...#...#...#.....\n"
                           "###.#...#...###...\n"
                           "..................\n";

static void check_word(Backend backend) {
    Fixture f = open_tiny(backend);
    FiloPixels p = picture_of(&f, draw_one);
    save_picture(p, backend == ON_CPU ? "bitmap_font" : "bitmap_font_gl");
    assert_string_equal(seen(p, 10, 20, 18, 7), word);
    assert_int_equal(lit_pixels(p), 7 + 7 + 4 + 7);
    fixture_close(&f);
}
FILO_TEST(every_texel_of_a_bitmap_font_is_drawn_on_the_cpu) { check_word(ON_CPU); }
FILO_TEST(every_texel_of_a_bitmap_font_is_drawn_by_gl_45) { check_word(ON_GL45); }
FILO_TEST(every_texel_of_a_bitmap_font_is_drawn_by_gl_33) { check_word(ON_GL33); }

FILO_TEST(a_bitmap_font_is_enlarged_without_blur) {
    Fixture f = open_tiny(ON_CPU);
    drawn.size = 24, drawn_text = "L", drawn.color = FILO_COLOR_RED;
    FiloPixels p = picture_of(&f, draw_one);
    assert_int_equal(lit_pixels(p), 7 * 9);
    assert_string_equal(seen(p, 10, 20 + 3 + 11, 9, 4), "rrr......\nrrrrrrrrr\nrrrrrrrrr\nrrrrrrrrr\n");
    fixture_close(&f);
}

FILO_TEST(outline_and_shadow_of_a_bitmap_font_are_whole_texels) {
    Fixture f = open_tiny(ON_CPU);
    drawn_text = "i", drawn.outline = 0.1f, drawn.outline_color = FILO_COLOR_RED;
    assert_string_equal(seen(picture_of(&f, draw_one), 9, 19, 6, 9), "......\n"
                                                                     ".rrr..\n"
                                                                     ".r#r..\n"
                                                                     ".rrr..\n"
                                                                     ".r#r..\n"
                                                                     ".r#r..\n"
                                                                     ".r#r..\n"
                                                                     ".rrr..\n"
                                                                     "......\n");
    drawn.outline = 0, drawn.shadow = filo_vec2(0.125f, 0.125f), drawn.shadow_color = FILO_COLOR_RED;
    assert_string_equal(seen(picture_of(&f, draw_one), 9, 20, 6, 8), "......\n"
                                                                     "..#...\n"
                                                                     "...r..\n"
                                                                     "..#...\n"
                                                                     "..#r..\n"
                                                                     "..#r..\n"
                                                                     "...r..\n"
                                                                     "......\n");
    fixture_close(&f);
}

FILO_TEST(a_bitmap_font_in_the_world_stands_upright) {
    Fixture f = open_tiny(ON_CPU);
    filo_create(f.world, FILO_SET(FiloText, .text = "L", .font = filo_name("fonts/tiny.fnt"), .size = 8));
    drawn_text = "";
    FiloPixels p = picture_of(&f, draw_one);
    int x = f.width / 2, y = f.height / 2; // the top of the line, without a camera
    assert_string_equal(seen(p, x, y, 4, 7), "....\n#...\n#...\n#...\n#...\n###.\n....\n");
    fixture_close(&f);
}

// A picture that is not there is a placeholder, not a crash; the file of the font and its picture may change.
FILO_TEST(a_bitmap_font_that_changes_is_drawn_again) {
    Fixture f = open_tiny(ON_CPU);
    drawn_text = "T";
    assert_int_equal(lit_pixels(picture_of(&f, draw_one)), 7);
    char changed[sizeof font_text];
    memcpy(changed, font_text, sizeof changed);
    char *t = strstr(changed, "x=10");
    assert_non_null(t);
    memcpy(t, "x=02", 4); // a T that looks like an L
    write_font(changed);
    const char *wanted = "#...\n#...\n#...\n#...\n###.\n", *now = "";
    for (int i = 0; i < 2000 && strcmp(now, wanted) != 0; i++) {
        filo_sleep_ns(1000000);
        filo_assets_update(f.assets, 0);
        filo_assets_wait_all(f.assets);
        now = seen(picture_of(&f, draw_one), 10, 21, 4, 5);
    }
    assert_string_equal(now, wanted);
    fixture_close(&f);
}

FILO_TEST(letters_outside_of_their_picture_are_not_drawn) {
    char wrong[sizeof font_text];
    Fixture f = open_tiny(ON_CPU);
    memcpy(wrong, font_text, sizeof wrong);
    memcpy(strstr(wrong, "x=10"), "x=31", 4);
    assert_ok(filo_text_add_font(f.setter, "fonts/tiny.fnt", wrong, sizeof wrong - 1));
    drawn_text = "T";
    assert_int_equal(lit_pixels(picture_of(&f, draw_one)), 0);
    fixture_close(&f);
}
