// Typography: a page of text. It shows
//   - eight scripts, each with the fonts that have its letters: right to left, joined, stacked, coloured;
//   - alignments, and a paragraph that is justified and hyphenated;
//   - one letter at many sizes, and effects, both from distance fields;
//   - mark-up with an icon and a link, and a text that is revealed letter by letter;
//   - texts as components: a ring of letters in the world, which a system turns.
//
// The fonts are those of Debian's packages fonts-noto-core, fonts-vlgothic and fonts-noto-color-emoji. Without them the
// page has the built-in letters, and says what is missing.
//
// Try: other words in `scripts`; another font in `families`; ./dev run typography --shot out/typography.png

#include <filo/filo.h>

#include <stdio.h>
#include <string.h>

#define WIDTH  1280
#define HEIGHT 800

static FiloColor ink(uint32_t rgb) { return filo_color_from_hex(rgb << 8 | 0xFF); }
#define PAPER ink(0xF5EFE3)
#define BLACK ink(0x2A2522)
#define GREY  ink(0x8C8175)
#define RED   ink(0xB23A26)
#define CARD  ink(0xFFFBF2)
#define NIGHT ink(0x2F3B52)

// ---- Fonts --------------------------------------------------------------------------------------------------

static const char *const fallback[] = { "NotoNaskhArabic-Regular.ttf",     "NotoSerifHebrew-Regular.ttf",
                                        "NotoSerifDevanagari-Regular.ttf", "NotoSansThai-Regular.ttf",
                                        "VL-Gothic-Regular.ttf",           "NotoColorEmoji.ttf" };
static const char *const files[] = { "NotoSerifDisplay-Bold.ttf", "NotoSerif-Regular.ttf",
                                     "NotoSerif-Bold.ttf",        "NotoSerif-Italic.ttf",
                                     "NotoSerif-BoldItalic.ttf",  "NotoSans-Regular.ttf",
                                     "NotoSans-Bold.ttf" };
static const FiloFontFamily families[] = {
    { .name = "title", .regular = "NotoSerifDisplay-Bold.ttf" },
    { .name = "serif",
      .regular = "NotoSerif-Regular.ttf",
      .bold = "NotoSerif-Bold.ttf",
      .italic = "NotoSerif-Italic.ttf",
      .bold_italic = "NotoSerif-BoldItalic.ttf" },
    { .name = "sans", .regular = "NotoSans-Regular.ttf", .bold = "NotoSans-Bold.ttf" },
};
static int missing_fonts; // of `files`
static bool missing_fallback;

// A family; without its files, the built-in font.
static FiloName font(const char *family) { return missing_fonts > 0 ? (FiloName){ 0 } : filo_name(family); }

static bool load_font(FiloTypesetter *setter, const char *file) {
    char path[1024];
    FiloResult r = filo_font_find(path, sizeof path, file);
    if (r.code == FILO_OK) r = filo_text_load_font(setter, file, path);
    return r.code == FILO_OK;
}

static FiloResult load_fonts(FiloTypesetter *setter) {
    const char *found[FILO_COUNT_OF(fallback)];
    size_t count = 0;
    for (size_t i = 0; i < FILO_COUNT_OF(files); i++) missing_fonts += !load_font(setter, files[i]);
    for (size_t i = 0; i < FILO_COUNT_OF(fallback); i++)
        if (load_font(setter, fallback[i])) found[count++] = fallback[i];
    missing_fallback = count < FILO_COUNT_OF(fallback);
    if (missing_fonts > 0 || missing_fallback)
        puts("Fonts are missing: sudo apt-get install fonts-noto-core fonts-vlgothic fonts-noto-color-emoji");
    FiloResult r = filo_text_set_fallback(setter, found, count);
    for (size_t i = 0; i < FILO_COUNT_OF(families) && r.code == FILO_OK && missing_fonts == 0; i++)
        r = filo_text_add_family(setter, &families[i]);
    return r;
}

// ---- Parts of the page ----------------------------------------------------------------------------------------

typedef struct Page {
    FiloTypesetter *setter;
    FiloDraw *draw;
    float time;
} Page;

static FiloRect box(float x, float y, float width, float height) {
    return filo_rect_from_size(filo_vec2(x, y), filo_vec2(width, height));
}

static void write(const Page *page, float x, float y, FiloTextStyle style, const char *text) {
    filo_text_draw(page->setter, page->draw, filo_vec2(x, y), &style, text);
}

static void heading(const Page *page, float x, float y, const char *text) {
    write(page, x, y,
          (FiloTextStyle){
              .font = font("sans"), .size = 12, .bold = true, .color = RED, .letter_spacing = 0.14f },
          text);
}

static void draw_title(const Page *page) {
    write(page, 43, 6, (FiloTextStyle){ .font = font("title"), .size = 104, .color = BLACK }, "Typography");
    write(page, 44, 147, (FiloTextStyle){ .font = font("serif"), .size = 21, .italic = true, .color = GREY },
          "Every script, every size, one set of letters.");
}

static void draw_scripts(const Page *page) {
    static const struct {
        const char *script, *word;
        float size;
    } scripts[] = { { "Latin", "Journey", 40 },    { "Greek", "Ταξίδι", 40 },
                    { "Arabic", "رِحْلَة", 42 },      { "Hebrew", "מַסָּע", 40 },
                    { "Devanagari", "यात्रा", 44 }, { "Thai", "การเดินทาง", 32 },
                    { "Japanese", "旅路", 40 },    { "Emoji", "🚀🌍👩‍🚀", 36 } };
    heading(page, 44, 190, "EIGHT SCRIPTS");
    for (size_t i = 0; i < FILO_COUNT_OF(scripts); i++) {
        float x = 44 + (float)(i % 4) * 194, y = 214 + (float)(i / 4) * 122;
        filo_draw_box(page->draw, box(x + 2, y + 3, 182, 110), filo_color(0, 0, 0, 22));
        filo_draw_box(page->draw, box(x, y, 182, 110), CARD);
        write(page, x + 91, y + 66,
              (FiloTextStyle){ .font = font("serif"),
                               .size = scripts[i].size,
                               .color = BLACK,
                               .align = FILO_TEXT_CENTRE,
                               .vertical = FILO_TEXT_BASELINE },
              scripts[i].word);
        write(page, x + 91, y + 88,
              (FiloTextStyle){
                  .font = font("sans"), .size = 11, .color = GREY, .align = FILO_TEXT_CENTRE_SNAPPED },
              scripts[i].script);
    }
}

static void draw_effects(const Page *page) {
    filo_draw_box(page->draw, box(850, 36, 394, 250), NIGHT);
    FiloTextStyle style = { .font = font("serif"),
                            .bold = true,
                            .size = 58,
                            .align = FILO_TEXT_CENTRE,
                            .vertical = FILO_TEXT_MIDDLE };
    style.color = ink(0xFFD98A), style.outline = 0.05f, style.outline_color = ink(0x8A2F1C);
    write(page, 1047, 80, style, "Outline");
    style.color = ink(0xF5EFE3), style.outline = 0;
    style.shadow = filo_vec2(0.06f, 0.08f), style.shadow_blur = 0.08f,
    style.shadow_color = filo_color(0, 0, 0, 230);
    write(page, 1047, 161, style, "Shadow");
    style.shadow_color = filo_color(0, 0, 0, 0), style.color = ink(0xE9FBFF), style.glow = 0.14f;
    style.glow_color = filo_color_fade(ink(0x2FB6FF), 0.65f + 0.35f * filo_sin(page->time * 2));
    write(page, 1047, 242, style, "Glow");
}

// One distance field, from very small to very large.
static void draw_sizes(const Page *page) {
    static const float sizes[] = { 10, 15, 22, 33, 50, 76, 116, 176 };
    heading(page, 850, 306, "ONE LETTER, ANY SIZE");
    float x = 850;
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        FiloTextStyle style = {
            .font = font("serif"), .size = sizes[i], .color = BLACK, .vertical = FILO_TEXT_BASELINE
        };
        write(page, x, 428, style, "g");
        x += filo_text_size(page->setter, &style, "g").x + 7;
    }
    filo_draw_line(page->draw, filo_vec2(850, 428.5f), filo_vec2(1244, 428.5f), 1,
                   filo_color_fade(RED, 0.5f));
}

static void draw_alignments(const Page *page) {
    static const struct {
        FiloTextAlign align;
        const char *name;
    } aligned[] = { { FILO_TEXT_LEFT, "Left" },
                    { FILO_TEXT_CENTRE, "Centre" },
                    { FILO_TEXT_RIGHT, "Right" } };
    heading(page, 44, 472, "ALIGNMENT");
    FiloTextStyle style = { .font = font("serif"), .size = 14, .color = BLACK, .width = 118 };
    for (size_t i = 0; i < FILO_COUNT_OF(aligned); i++) {
        float x = 44 + (float)i * 138;
        char text[128];
        (void)snprintf(text, sizeof text, "%s: lines end where words do, and begin as told.",
                       aligned[i].name);
        style.align = aligned[i].align;
        float anchor = i == 0 ? x : i == 1 ? x + 59 : x + 118;
        filo_draw_box(page->draw, box(x - 6, 497, 1, 86), filo_color_fade(RED, 0.35f));
        filo_draw_box(page->draw, box(x + 123, 497, 1, 86), filo_color_fade(RED, 0.35f));
        write(page, anchor, 496, style, text);
    }
    style.align = FILO_TEXT_JUSTIFY, style.width = 348;
    write(page, 464, 496, style,
          "Justified text fills its column: the spaces of every line but the last grow un\u00ADtil both "
          "edges are "
          "straight. A soft hy\u00ADphen says where a long word may be di\u00ADvided, and is seen only "
          "there.");
}

static void draw_markup(const Page *page) {
    heading(page, 44, 606, "MARK-UP");
    write(page, 44, 630,
          (FiloTextStyle){ .font = font("serif"),
                           .size = 17,
                           .color = BLACK,
                           .markup = true,
                           .width = 360,
                           .line_spacing = 1.1f },
          "A text may be [b]bold[/b], [i]italic[/i] or [b][i]both[/i][/b], [u]underlined[/u], [s]struck[/s], "
          "[color=#b23a26]coloured[/color], [size=140%]larger[/size] or [size=75%]smaller[/size], "
          "[axes=wght 700]heavier[/axes], lead [link=door]somewhere else[/link], and show a coin [icon=coin] "
          "in its line.");
    static const char *const story =
        "“Ταξίδι,” said the captain, and then once more, slowly, as if the word were a map: "
        "“سفر — यात्रा — 旅.” Nobody answered. The wind had learnt all of them long ago.";
    heading(page, 464, 606, "REVEALED LETTER BY LETTER");
    float shown = filo_clamp01(filo_fract(page->time / 14) * 1.5f);
    write(page, 464, 630,
          (FiloTextStyle){ .font = font("serif"),
                           .size = 17,
                           .italic = true,
                           .color = BLACK,
                           .width = 348,
                           .line_spacing = 1.1f,
                           .hidden = 1 - shown },
          story);
}

static void draw(FiloApp *app, FiloDraw *draw) {
    Page page = { filo_app_typesetter(app), draw, (float)filo_app_time(app) };
    if (page.setter == NULL) { // Filo was built without text
        filo_draw_text(draw, 40, 40, 2, BLACK, "Build Filo with -DFILO_TEXT=ON to see this page.");
        return;
    }
    // All coordinates are for 1280 × 800. In a window of another size the page is scaled, and stays sharp.
    FiloVec2 size = filo_draw_size(draw);
    float scale = filo_min(size.x / WIDTH, size.y / HEIGHT);
    filo_draw_push(draw);
    if (scale != 1) {
        filo_draw_translate(draw, filo_vec2((size.x - WIDTH * scale) / 2, (size.y - HEIGHT * scale) / 2));
        filo_draw_scale(draw, filo_vec2(scale, scale));
    }
    draw_title(&page);
    draw_scripts(&page);
    draw_effects(&page);
    draw_sizes(&page);
    draw_alignments(&page);
    draw_markup(&page);
    if (missing_fonts > 0 || missing_fallback)
        filo_draw_text(
            draw, 44, HEIGHT - 24, 1, RED,
            "Install fonts-noto-core, fonts-vlgothic and fonts-noto-color-emoji to see all letters.");
    filo_draw_pop(draw);
}

// ---- The ring ---------------------------------------------------------------------------------------------------

// A letter on the ring, at this part of a turn.
typedef struct OnRing {
    float part;
} OnRing;
FILO_REFLECT(OnRing, FILO_FIELD(float, part))

#define RING_X      410.0f
#define RING_Y      -222.0f
#define RING_RADIUS 118.0f

static void turn_ring(FiloIter *it) {
    const OnRing *letters = filo_read(it, OnRing);
    FiloTransform2 *transforms = filo_write(it, FiloTransform2);
    float turn = (float)filo_world_ticks(it->world) * 0.002f;
    for (size_t i = 0; i < it->count; i++) {
        float angle = FILO_HALF_PI - letters[i].part * FILO_TAU - turn;
        transforms[i].position =
            filo_vec2(RING_X + filo_cos(angle) * RING_RADIUS, RING_Y + filo_sin(angle) * RING_RADIUS);
        transforms[i].rotation = angle - FILO_HALF_PI;
    }
}

static void create_ring(FiloWorld *world) {
    static const char words[] = "ROTATED * SCALED * SORTED WITH THE SPRITES * ";
    size_t count = strlen(words);
    for (size_t i = 0; i < count; i++) {
        if (words[i] == ' ') continue;
        char letter[4] = "•";
        if (words[i] != '*') letter[0] = words[i], letter[1] = '\0';
        FiloEntity entity = filo_create(
            world, FILO_SET(OnRing, .part = (float)i / (float)count),
            FILO_SET(FiloText, .font = font(words[i] == '*' ? "sans" : "serif"), .size = 23, .bold = true,
                     .color = BLACK, .align = FILO_TEXT_CENTRE, .vertical = FILO_TEXT_MIDDLE, .layer = 2));
        FiloText *text = filo_edit(world, entity, FiloText);
        if (text == NULL) return; // no memory, which has been reported
        memcpy(text->text, letter, sizeof letter);
        if (words[i] == '*') text->color = RED;
    }
    FiloEntity middle =
        filo_create(world, FILO_SET(FiloTransform2, .position = { RING_X, RING_Y }, .rotation = 0.18f),
                    FILO_SET(FiloText, .text = "&", .font = font("title"), .size = 170, .color = RED,
                             .align = FILO_TEXT_CENTRE, .vertical = FILO_TEXT_MIDDLE, .layer = 1));
    filo_set(world, middle, FiloTextEffects, .shadow = { 0.02f, 0.03f }, .shadow_blur = 0.06f,
             .shadow_color = { 0, 0, 0, 55 });
}

// ---- Setup ------------------------------------------------------------------------------------------------------

static FiloResult add_coin(FiloGfx2d *gfx) {
    FiloPixels coin;
    if (!filo_pixels_create(&coin, 32, 32, NULL))
        return filo_error(FILO_ERROR_MEMORY, "no memory for a coin");
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++) {
            float distance = filo_vec2_length(filo_vec2((float)x - 15.5f, (float)y - 15.5f));
            float cover = filo_clamp01(15.5f - distance);
            FiloColor gold = distance > 12 ? ink(0xB07818) : ink(0xF2C14E);
            if (distance < 9 && x >= 14 && x <= 17 && y >= 9 && y <= 22) gold = ink(0xB07818);
            *filo_pixels_at(&coin, x, y) = filo_color_fade(gold, cover);
        }
    FiloResult r = filo_gfx2d_add_image(gfx, filo_name("coin"), &coin);
    filo_pixels_free(&coin, NULL);
    return r;
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    FiloResult r = filo_ok();
    if (filo_app_typesetter(app) != NULL) {
        r = load_fonts(filo_app_typesetter(app));
        filo_component(world, OnRing);
        filo_system_add(
            world, &(FiloSystemDesc){ .name = "turn the ring",
                                      .run = turn_ring,
                                      .query.terms = { FILO_READ(OnRing), FILO_WRITE(FiloTransform2) } });
        create_ring(world);
    }
    filo_create(world, FILO_SET(FiloCamera, .background = PAPER, .height = HEIGHT));
    if (r.code == FILO_OK && filo_app_gfx2d(app) != NULL) r = add_coin(filo_app_gfx2d(app));
    return r;
}

int main(int argc, char **argv) {
    return filo_run(
        argc, argv,
        &(FiloAppDesc){ .name = "typography",
                        .summary = "A page of text: scripts, alignments, sizes, effects, mark-up.",
                        .window = { .title = "Typography", .width = WIDTH, .height = HEIGHT },
                        .create = create,
                        .draw = draw });
}
