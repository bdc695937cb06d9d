// Pictures of text, compared with those of HarfBuzz's own tool, hb-view.
//
// The two differ at the edges of letters: hb-view puts glyphs at whole pixels, Filo at quarters of one, and in distance
// fields coverage follows from the distance to the edge. So every pixel may differ by as much as its neighbours do. Two
// numbers are compared: how much light there is in all, and what is left of the difference between both pictures after
// they were blurred over a few pixels, as a part of the light.

#include "text/draw_fixture.h"

#include <filo/files.h>

#include <freetype/freetype.h>

enum { MARGIN = 24 };

typedef struct Sample {
    const char *file, *text;
    float size;
} Sample;

static const Sample *sample; // that is drawn

static void draw_sample(Fixture *f) {
    filo_text_draw(f->setter, f->draw, filo_vec2(MARGIN, MARGIN + sample->size * 1.25f),
                   &(FiloTextStyle){ .font = filo_name(sample->file),
                                     .size = sample->size,
                                     .vertical = FILO_TEXT_BASELINE,
                                     .align = FILO_TEXT_LEFT },
                   sample->text);
}

static FiloPixels run_hb_view(const char *font) {
    if (system("command -v hb-view >/dev/null 2>&1") != 0) skip_because("hb-view is not installed");
    assert_ok(filo_file_write(filo_test_path("text.txt"), sample->text, strlen(sample->text), NULL));
    char command[FILO_PATH_SIZE * 3 + 256], picture[FILO_PATH_SIZE], text[FILO_PATH_SIZE];
    (void)snprintf(picture, sizeof picture, "%s", filo_test_path("view.png"));
    (void)snprintf(text, sizeof text, "%s", filo_test_path("text.txt"));
    double size = (double)sample->size;
    (void)snprintf(command, sizeof command,
                   "hb-view --background=000000 --foreground=FFFFFF --margin=%d --font-size=%g "
                   "--font-extents='%g %g 0' -O png -o '%s' --text-file='%s' '%s'",
                   MARGIN, size, size * 1.25, size * 0.5, picture, text, font);
    assert_int_equal(system(command), 0);
    FiloPixels pixels;
    assert_ok(filo_image_load(&pixels, picture, NULL));
    return pixels;
}

// ---- Comparing ------------------------------------------------------------------------------------------------

static double light_of(FiloColor c) { return (c.r + c.g + c.b) / 3.0; }

// The light of a picture, each pixel the mean of 5 × 5.
static double *blurred(FiloPixels pixels, double *total) {
    double *light = calloc((size_t)pixels.width * (size_t)pixels.height, sizeof *light);
    assert_non_null(light);
    *total = 0;
    for (int y = 0; y < pixels.height; y++)
        for (int x = 0; x < pixels.width; x++) {
            double value = light_of(*filo_pixels_at(&pixels, x, y));
            *total += value;
            for (int i = 0; i < 25; i++) {
                int u = x + i % 5 - 2, v = y + i / 5 - 2;
                if (u >= 0 && v >= 0 && u < pixels.width && v < pixels.height)
                    light[v * pixels.width + u] += value / 25;
            }
        }
    return light;
}

typedef struct Difference {
    double light; // how much brighter one of them is, as a part
    double blur;  // the difference after blurring, as a part of the light
} Difference;

static Difference difference_of(FiloPixels a, FiloPixels b) {
    double light_a, light_b, sum = 0, *x = blurred(a, &light_a), *y = blurred(b, &light_b);
    for (int i = 0; i < a.width * a.height; i++) sum += x[i] < y[i] ? y[i] - x[i] : x[i] - y[i];
    free(x);
    free(y);
    assert_true(light_b > 0);
    return (Difference){ (light_a > light_b ? light_a - light_b : light_b - light_a) / light_b,
                         sum / light_b };
}

#define LIGHT_TOLERANCE 0.01
#define BLUR_TOLERANCE  0.1

static void compare_with(const Sample *tested, double light, double blur) {
    sample = tested;
    char path[FILO_PATH_SIZE];
    FiloResult r = filo_font_find(path, sizeof path, sample->file);
    if (r.code != FILO_OK) skip_because(r.message);
    FiloPixels wanted = run_hb_view(path);
    Fixture f = fixture_open((FixtureDesc){ .threads = 2, .width = wanted.width, .height = wanted.height });
    add_font(&f, sample->file);
    FiloPixels found = picture_of(&f, draw_sample);
    Difference d = difference_of(found, wanted);
    char name[96];
    (void)snprintf(name, sizeof name, "%s_%d", sample->file, (int)sample->size);
    save_picture(found, name);
    (void)snprintf(name, sizeof name, "%s_%d_hb", sample->file, (int)sample->size);
    save_picture(wanted, name);
    if (d.light > light || d.blur > blur)
        fail_msg("%s: the light differs by %.3f, the blurred picture by %.3f", sample->text, d.light, d.blur);
    filo_pixels_free(&wanted, NULL);
    fixture_close(&f);
}

// At 40 pixels from pictures of the exact size, at 144 from distance fields.
static void compare(const char *file, const char *text) {
    compare_with(&(Sample){ file, text, 40 }, LIGHT_TOLERANCE, BLUR_TOLERANCE);
    compare_with(&(Sample){ file, text, 144 }, LIGHT_TOLERANCE, BLUR_TOLERANCE);
}

FILO_TEST(latin_looks_as_by_hb_view) { compare("DejaVuSans.ttf", "AVATAR office flight, 1234 & Größe"); }
FILO_TEST(greek_looks_as_by_hb_view) { compare("DejaVuSerif.ttf", "Ταξίδι στα Κύθηρα"); }
FILO_TEST(arabic_looks_as_by_hb_view) { compare("NotoSansArabic-Regular.ttf", "رحلة طويلة إلى المدينة"); }
FILO_TEST(hebrew_looks_as_by_hb_view) { compare("NotoSansHebrew-Regular.ttf", "מסע ארוך אל העיר"); }
FILO_TEST(devanagari_looks_as_by_hb_view) { compare("NotoSansDevanagari-Regular.ttf", "क्षत्रिय यात्रा हिन्दी"); }
FILO_TEST(thai_looks_as_by_hb_view) { compare("NotoSansThai-Regular.ttf", "การเดินทางที่ยาวนาน"); }
FILO_TEST(japanese_looks_as_by_hb_view) { compare("VL-Gothic-Regular.ttf", "旅は道連れ、世は情け"); }

// hb-view leaves coloured bitmaps out. Filo's emoji are compared with the picture in the font, which FreeType decodes.
FILO_TEST(emoji_look_as_in_their_font) {
    char path[FILO_PATH_SIZE];
    FiloResult r = filo_font_find(path, sizeof path, "NotoColorEmoji.ttf");
    if (r.code != FILO_OK) skip_because(r.message);
    FT_Library library;
    FT_Face face;
    assert_int_equal(FT_Init_FreeType(&library), 0);
    assert_int_equal(FT_New_Face(library, path, 0, &face), 0);
    assert_int_equal(FT_Select_Size(face, 0), 0);
    assert_int_equal(FT_Load_Char(face, 0x1F680, FT_LOAD_COLOR), 0);
    const FT_Bitmap *bitmap = &face->glyph->bitmap;
    int top = face->glyph->bitmap_top, left = face->glyph->bitmap_left;
    Sample rocket = { "NotoColorEmoji.ttf", "🚀", (float)face->size->metrics.y_ppem };
    sample = &rocket;
    Fixture f = fixture_open((FixtureDesc){ .width = 200, .height = 200 });
    add_font(&f, sample->file);
    FiloPixels found = picture_of(&f, draw_sample), wanted = copy_picture(found);
    filo_pixels_fill(&wanted, FILO_COLOR_BLACK);
    // Where draw_sample puts its origin.
    int x0 = MARGIN + left, y0 = (int)(MARGIN + sample->size * 1.25f) - top;
    for (int y = 0; y < (int)bitmap->rows; y++)
        for (int x = 0; x < (int)bitmap->width; x++) {
            const uint8_t *p = bitmap->buffer + (ptrdiff_t)y * bitmap->pitch + (ptrdiff_t)x * 4;
            *filo_pixels_at(&wanted, x0 + x, y0 + y) = filo_color(p[2], p[1], p[0], 255);
        }
    save_picture(found, "emoji");
    save_picture(wanted, "emoji_font");
    Difference d = difference_of(found, wanted);
    if (d.light > 0.01 || d.blur > 0.05) fail_msg("light %.3f, blurred %.3f", d.light, d.blur);
    filo_pixels_free(&wanted, NULL);
    fixture_close(&f);
    FT_Done_FreeType(library);
}
