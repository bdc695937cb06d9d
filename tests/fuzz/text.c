// Any bytes as a text with any style: a layout whose parts agree with each other. The first eight bytes are the style.

#include "text/typesetter.h"

#include <filo/log.h>

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FiloTypesetter *open_setter(void) {
    static FiloTypesetter *setter;
    if (setter != NULL) return setter;
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    if (filo_typesetter_create(&setter, &(FiloTypesetterDesc){ .cache_size = 1 }).code != FILO_OK) abort();
    char path[4096];
    if (filo_font_find(path, sizeof path, "DejaVuSans.ttf").code == FILO_OK)
        (void)filo_text_load_font(setter, "dejavu", path);
    return setter;
}

static FiloTextStyle read_style(const uint8_t *data) {
    return (FiloTextStyle){ .font = data[0] % 2 == 1 ? filo_name("dejavu") : (FiloName){ 0 },
                            .markup = (data[0] & 2) != 0,
                            .bold = (data[0] & 4) != 0,
                            .italic = (data[0] & 8) != 0,
                            .underline = (data[0] & 16) != 0,
                            .size = (float)data[1],
                            .width = (float)data[2] * 2.0f,
                            .height = data[3] > 200 ? (float)data[3] : 0.0f,
                            .max_lines = data[3] < 8 ? data[3] : 0,
                            .align = (FiloTextAlign)(data[4] % FILO_TEXT_ALIGN_COUNT),
                            .vertical = (FiloTextVertical)(data[4] / 16 % FILO_TEXT_VERTICAL_COUNT),
                            .direction = (FiloTextDirection)(data[5] % FILO_TEXT_DIRECTION_COUNT),
                            .wrap = (FiloTextWrap)(data[5] / 16 % FILO_TEXT_WRAP_COUNT),
                            .letter_spacing = data[6] > 128 ? (float)(data[6] - 190) / 64.0f : 0.0f,
                            .language = data[7] % 4 == 0 ? "ja" : NULL };
}

static void check_lines(const FiloTextLayout *layout, size_t length) {
    size_t line_count, glyph_count, next = 0;
    const FiloTextLine *lines = filo_text_lines(layout, &line_count);
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &glyph_count);
    if (line_count == 0) abort();
    for (size_t i = 0; i < line_count; i++) {
        if (lines[i].first_glyph != next || !isfinite(lines[i].x) || !isfinite(lines[i].y) ||
            !(lines[i].width >= -1e6f))
            abort();
        if (lines[i].first_byte > lines[i].end_byte || lines[i].end_byte > length) abort();
        if (i > 0 && lines[i].first_byte < lines[i - 1].end_byte) abort();
        next += lines[i].glyph_count;
    }
    if (next != glyph_count) abort();
    for (size_t i = 0; i < glyph_count; i++)
        if (glyphs[i].byte > length || glyphs[i].order > filo_text_letter_count(layout) ||
            !isfinite(glyphs[i].x))
            abort();
}

static void check_steps(const FiloTextLayout *layout, size_t length) {
    uint32_t letters = 0;
    // Mark-up may stand before the first letter.
    for (size_t byte = filo_text_move(layout, 0, FILO_TEXT_LETTER, 0);; letters++) {
        size_t next = filo_text_move(layout, byte, FILO_TEXT_LETTER, 1);
        FiloTextCaret caret = filo_text_caret(layout, byte);
        if (!isfinite(caret.top.x) || !isfinite(caret.bottom.y)) abort();
        if (next > byte && filo_text_move(layout, next, FILO_TEXT_LETTER, -1) != byte) abort();
        if (filo_text_move(layout, byte, FILO_TEXT_WORD, 1) < byte) abort();
        if (filo_text_move(layout, byte, FILO_TEXT_WORD, -1) > byte) abort();
        if (filo_text_hit(layout, caret.top, NULL) > length) abort();
        if (next == byte) break;
        byte = next;
    }
    if (letters != filo_text_letter_count(layout)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 8) return 0;
    FiloTypesetter *setter = open_setter();
    FiloTextStyle style = read_style(data);
    FiloString text = filo_string_from((const char *)data + 8, size - 8);
    const FiloTextLayout *layout = filo_text_layout(setter, &style, text);
    if (layout == NULL) abort();
    check_lines(layout, text.length);
    check_steps(layout, text.length);
    FiloRect rects[8];
    (void)filo_text_selection(layout, 0, text.length, rects, 8);
    FiloString target;
    for (size_t i = 0; filo_text_link_rects(layout, i, &target, rects, 8) > 0; i++)
        if (target.length > text.length) abort();
    filo_typesetter_update(setter);
    filo_typesetter_update(setter);
    return 0;
}
