// All that the UI needs of text, in the built-in letters of 8 × 16 pixels.

#include "ui/ui.h"

#define LETTER_WIDTH  8
#define LETTER_HEIGHT 16
#define TAB_LETTERS   4
#define COLUMNS       16 // letters in a row of the image of the font
#define FIRST         32

FiloResult ui_text_create(FiloUi *ui) {
    FILO_UNUSED(ui);
    return filo_ok();
}

void ui_text_destroy(FiloUi *ui) { FILO_UNUSED(ui); }

UiTextStyle ui_text_style(const FiloUi *ui) {
    const FiloUiTheme *theme = ui_theme(ui);
    return (UiTextStyle){ .font = theme->font,
                          .size = theme->text_size * ui->scale,
                          .color = ui->disabled > 0 ? theme->text_disabled : theme->text };
}

// Letters are sharp only at whole multiples of their size.
static float zoom(const UiTextStyle *style) { return filo_max(filo_round(style->size / 15), 1); }

float ui_text_line(FiloUi *ui, const UiTextStyle *style) {
    FILO_UNUSED(ui);
    return LETTER_HEIGHT * zoom(style);
}

static float advance(float x, uint32_t character, float letter) {
    if (character != '\t') return x + letter;
    float stop = letter * TAB_LETTERS;
    return (filo_floor(x / stop) + 1) * stop;
}

static float line_width(const UiTextStyle *style, FiloString line) {
    float x = 0;
    for (uint32_t c; filo_utf8_next(&line, &c);) x = advance(x, c, LETTER_WIDTH * zoom(style));
    return x;
}

// Takes the next line off `rest`: up to its end, or to the last space before `width`, or else to the last letter. False
// if there is none.
static bool next_line(const UiTextStyle *style, FiloString *rest, float width, FiloString *line, bool *more) {
    if (!*more) return false;
    FiloString left = *rest;
    size_t space = 0, at = 0;
    float x = 0;
    bool any = false;
    while (at < rest->length) {
        uint32_t c;
        FiloString before = left;
        (void)filo_utf8_next(&left, &c);
        if (c == '\n') {
            *line = filo_string_slice(*rest, 0, at);
            *rest = left;
            return true;
        }
        x = advance(x, c, LETTER_WIDTH * zoom(style));
        if (width > 0 && x > width && any && c != ' ') {
            size_t end = space > 0 ? space : at;
            *line = filo_string_slice(*rest, 0, end);
            *rest = filo_string_slice(*rest, end, rest->length);
            while (rest->length > 0 && rest->data[0] == ' ')
                *rest = filo_string_slice(*rest, 1, rest->length);
            return true;
        }
        any = true;
        at += before.length - left.length;
        if (c == ' ') space = at;
    }
    *line = *rest;
    *more = false;
    return true;
}

FiloVec2 ui_text_measure(FiloUi *ui, const UiTextStyle *style, FiloString text, float width) {
    FiloVec2 size = { 0, 0 };
    FiloString line;
    for (bool more = true; next_line(style, &text, width, &line, &more);) {
        size.x = filo_max(size.x, line_width(style, line));
        size.y += ui_text_line(ui, style);
    }
    return size;
}

static unsigned letter_of(uint32_t c) {
    if (c < FIRST || c > 255 || (c >= 127 && c < 160)) c = c == '\t' ? ' ' : 127;
    return c - FIRST;
}

void ui_text_paint_line(FiloUi *ui, const UiTextStyle *style, FiloVec2 at, FiloString line) {
    const float scale = zoom(style), width = LETTER_WIDTH * scale, height = LETTER_HEIGHT * scale;
    float x = 0;
    FILO_NAME(font, "filo font");
    for (uint32_t c; filo_utf8_next(&line, &c);) {
        FiloRect rect =
            filo_rect_from_size(filo_vec2(filo_round(at.x) + x, filo_round(at.y)), filo_vec2(width, height));
        x = advance(x, c, width);
        if (rect.min.x > ui->clip.max.x) break;
        if (rect.max.x < ui->clip.min.x || c == ' ' || c == '\t' || c == 0xA0) continue;
        unsigned letter = letter_of(c);
        FiloRect part = filo_rect_from_size(
            filo_vec2((float)(letter % COLUMNS * LETTER_WIDTH), (float)(letter / COLUMNS * LETTER_HEIGHT)),
            filo_vec2(LETTER_WIDTH, LETTER_HEIGHT));
        ui_paint_image(ui, font, 0, part, rect, style->color, false);
    }
}

// The longest beginning of a line that fits with an ellipsis.
static FiloString shorten(const UiTextStyle *style, FiloString line, float width) {
    float letter = LETTER_WIDTH * zoom(style);
    float room = width - 2 * letter, x = 0;
    FiloString left = line;
    size_t length = 0;
    for (uint32_t c; filo_utf8_next(&left, &c);) {
        x = advance(x, c, letter);
        if (x > room) break;
        length = line.length - left.length;
    }
    return filo_string_slice(line, 0, length);
}

void ui_text_paint(FiloUi *ui, const UiTextStyle *style, FiloRect box, UiTextAlign align, bool wrap,
                   FiloString text) {
    FiloVec2 size = filo_rect_size(box);
    FiloString line;
    if (text.length == 0 || !(size.x > 0)) return;
    float y = box.min.y, height = ui_text_line(ui, style);
    for (bool more = true; next_line(style, &text, wrap ? size.x : 0, &line, &more); y += height) {
        float width = line_width(style, line), x = box.min.x;
        bool cut = !wrap && width > size.x + 0.5f;
        if (cut) {
            line = shorten(style, line, size.x);
            width = line_width(style, line);
        } else if (align != UI_TEXT_LEFT) {
            x += (size.x - width) * (align == UI_TEXT_CENTRE ? 0.5f : 1.0f);
        }
        if (y > ui->clip.max.y) break;
        if (y + height < ui->clip.min.y) continue;
        ui_text_paint_line(ui, style, filo_vec2(x, y), line);
        if (cut) ui_text_paint_line(ui, style, filo_vec2(x + width, y), FILO_STRING(".."));
    }
}

float ui_text_caret(FiloUi *ui, const UiTextStyle *style, FiloString line, size_t byte) {
    FILO_UNUSED(ui);
    return line_width(style, filo_string_slice(line, 0, byte));
}

size_t ui_text_hit(FiloUi *ui, const UiTextStyle *style, FiloString line, float x) {
    FILO_UNUSED(ui);
    FiloString left = line;
    float at = 0;
    for (uint32_t c; left.length > 0;) {
        FiloString before = left;
        (void)filo_utf8_next(&left, &c);
        float next = advance(at, c, LETTER_WIDTH * zoom(style));
        if (x < (at + next) / 2) return line.length - before.length;
        at = next;
    }
    return line.length;
}

void ui_text_draw(FiloUi *ui, FiloDraw *draw, const UiCommand *command) {
    FILO_UNUSED(ui), FILO_UNUSED(draw), FILO_UNUSED(command);
}
