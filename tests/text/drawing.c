// Drawn text: pictures on the CPU and on GL.

#include "text/draw_fixture.h"

static void draw_page(Fixture *f) {
    static const char *const lines[] = {
        "The quick brown fox jumps over the lazy dog — fi ffi AVATAR To.",
        "Ταξίδι στα Κύθηρα · Привет, мир!",
        "سفر طويل إلى المدينة", "שלום עולם, מה שלומך?", "यात्रा क्षत्रिय हिन्दी", "การเดินทางไกล",
        "旅は道連れ世は情け", "😀 🚀 🌍 ❤️ 👩‍🚀",
    };
    float y = 8;
    for (size_t i = 0; i < FILO_COUNT_OF(lines); i++, y += 30)
        filo_text_draw(f->setter, f->draw, filo_vec2(10, y),
                       &(FiloTextStyle){ .font = filo_name("DejaVuSans.ttf"), .size = 18 }, lines[i]);
    filo_draw_push(f->draw);
    filo_draw_translate(f->draw, filo_vec2(360, 120));
    filo_draw_rotate(f->draw, -0.3f);
    filo_text_draw(f->setter, f->draw, filo_vec2(0, 0),
                   &(FiloTextStyle){ .font = filo_name("DejaVuSerif.ttf"),
                                     .size = 40,
                                     .outline = 0.06f,
                                     .outline_color = filo_color(120, 20, 20, 255),
                                     .shadow = { 0.08f, 0.1f },
                                     .shadow_blur = 0.06f,
                                     .shadow_color = filo_color(0, 0, 0, 160),
                                     .color = FILO_COLOR_YELLOW },
                   "Rotated");
    filo_draw_pop(f->draw);
    filo_text_draw(f->setter, f->draw, filo_vec2(300, 150),
                   &(FiloTextStyle){ .font = filo_name("DejaVuSerif.ttf"),
                                     .size = 100,
                                     .glow = 0.1f,
                                     .glow_color = filo_color(0, 120, 255, 255) },
                   "Rg8");
    filo_text_draw(f->setter, f->draw, filo_vec2(10, 270),
                   &(FiloTextStyle){ .font = filo_name("DejaVuSans.ttf"), .size = 16, .markup = true },
                   "[b]bold[/b] [i]italic[/i] [u]underlined[/u] [s]struck[/s] [color=gold]gold[/color] [size=150%]big[/size]");
    filo_text_draw(f->setter, f->draw, filo_vec2(10, 310), NULL, "Built-in, 16 pixels: Größe");
    filo_text_draw(f->setter, f->draw, filo_vec2(300, 310), &(FiloTextStyle){ .size = 32, .outline = 0.05f, .bold = true }, "Pixels");
    filo_draw_text(f->draw, 10, 340, 1, FILO_COLOR_WHITE, "filo_draw_text: Größe");
    filo_draw_text(f->draw, 210, 340, 1, FILO_COLOR_WHITE, "и кириллица");
    FiloTextStyle huge = { .font = filo_name("DejaVuSans.ttf"), .size = 480, .color = filo_color(90, 160, 220, 255) };
    filo_text_draw(f->setter, f->draw, filo_vec2(620, -60), &huge, "RaK");
}

static void add_fonts(Fixture *f) {
    static const char *const fallback[] = { "NotoNaskhArabic-Regular.ttf", "NotoSansHebrew-Regular.ttf",
                                            "NotoSansDevanagari-Regular.ttf", "NotoSansThai-Regular.ttf",
                                            "VL-Gothic-Regular.ttf", "NotoColorEmoji.ttf" };
    add_font(f, "DejaVuSans.ttf");
    add_font(f, "DejaVuSerif.ttf");
    for (size_t i = 0; i < FILO_COUNT_OF(fallback); i++) add_font(f, fallback[i]);
    assert_ok(filo_text_set_fallback(f->setter, fallback, FILO_COUNT_OF(fallback)));
}

FILO_TEST(a_page) {
    Fixture f = fixture_open((FixtureDesc){ .threads = 2, .width = 1300, .height = 520 });
    add_fonts(&f);
    FiloPixels page = picture_of(&f, draw_page);
    save_picture(page, "text_page");
    fixture_close(&f);
}
