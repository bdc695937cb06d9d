// All that the UI needs of text: sizes, carets and drawing, by filo/text.h.
//
// Layouts are cached by the typesetter, so measuring a text and painting it costs two look-ups. A text is clipped by the
// renderer, which costs a draw call, only if it reaches out of the clip; a cut that an ellipsis can do is no such case.

#include "ui/ui.h"

#define BUILT_IN_SIZE 16.0f // of the built-in letters, which are sharp at multiples of it only

struct UiTextRun {
    const FiloTextLayout *layout;
    FiloVec2 at;
    FiloColor color;
    FiloRect clip;
    bool clipped;
};

FiloResult ui_text_create(FiloUi *ui) {
    if (ui->typesetter != NULL) return filo_ok();
    FiloResult r =
        filo_typesetter_create(&ui->typesetter, &(FiloTypesetterDesc){ .allocator = ui->allocator });
    if (r.code != FILO_OK) return r;
    ui->owns_typesetter = true;
    if (ui->gfx != NULL) r = filo_text_attach(ui->typesetter, &(FiloTextDrawDesc){ .gfx = ui->gfx });
    return r;
}

void ui_text_destroy(FiloUi *ui) {
    if (!ui->owns_typesetter) return;
    filo_text_detach(ui->typesetter);
    filo_typesetter_destroy(ui->typesetter);
}

void ui_text_frame(FiloUi *ui) {
    if (ui->owns_typesetter) filo_typesetter_update(ui->typesetter);
}

UiTextStyle ui_text_style(const FiloUi *ui) {
    const FiloUiTheme *theme = ui_theme(ui);
    return (UiTextStyle){ .font = theme->font,
                          .size = theme->text_size * ui->scale,
                          .color = ui->disabled > 0 ? theme->text_disabled : theme->text };
}

// ---- Layouts -----------------------------------------------------------------------------------------------------

// Whether a text in this font is shown in the built-in letters. Remembered for the font that was asked for last.
static bool is_built_in(FiloUi *ui, FiloName font) {
    if (ui->asked_frame == ui->frame && ui->asked_font.id == font.id) return ui->asked_built_in;
    const FiloTextLayout *layout =
        filo_text_layout(ui->typesetter, &(FiloTextStyle){ .font = font }, FILO_STRING("a"));
    size_t count;
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    ui->asked_frame = ui->frame;
    ui->asked_font = font;
    ui->asked_built_in = count > 0 && glyphs[0].font == 0;
    return ui->asked_built_in;
}

static FiloTextStyle text_style(FiloUi *ui, const UiTextStyle *style) {
    float size = style->size;
    bool built_in = is_built_in(ui, style->font);
    if (built_in) size = filo_max(filo_round(size / BUILT_IN_SIZE), 1) * BUILT_IN_SIZE;
    return (FiloTextStyle){ .font = style->font,
                            .size = size,
                            .bold = style->bold && !built_in,
                            .direction = style->direction,
                            .wrap = FILO_TEXT_WRAP_NEVER };
}

static const FiloTextLayout *layout_line(FiloUi *ui, const UiTextStyle *style, FiloString line) {
    FiloTextStyle s = text_style(ui, style);
    return filo_text_layout(ui->typesetter, &s, line);
}

static const FiloTextLayout *layout_in(FiloUi *ui, const UiTextStyle *style, FiloString text, float width,
                                       bool wrap, UiTextAlign align) {
    static const FiloTextAlign aligns[] = { FILO_TEXT_LEFT, FILO_TEXT_CENTRE, FILO_TEXT_RIGHT };
    FiloTextStyle s = text_style(ui, style);
    if (wrap) s.align = aligns[align];
    if (width > 0) s.width = filo_max(width, 1);
    if (wrap && width > 0)
        s.wrap = FILO_TEXT_WRAP_WORDS;
    else if (width > 0)
        s.max_lines = 1;
    return filo_text_layout(ui->typesetter, &s, text);
}

float ui_text_line(FiloUi *ui, const UiTextStyle *style) {
    FiloTextStyle s = text_style(ui, style);
    return filo_max(filo_ceil(filo_font_metrics(ui->typesetter, s.font, s.size).line_height), 1);
}

FiloVec2 ui_text_measure(FiloUi *ui, const UiTextStyle *style, FiloString text, float width) {
    const FiloTextLayout *layout =
        width > 0 ? layout_in(ui, style, text, width, true, UI_TEXT_LEFT) : layout_line(ui, style, text);
    FiloVec2 size = filo_rect_size(filo_text_bounds(layout));
    size_t lines;
    (void)filo_text_lines(layout, &lines);
    return filo_vec2(filo_ceil(size.x), filo_max((float)lines, 1) * ui_text_line(ui, style));
}

// ---- Painting ----------------------------------------------------------------------------------------------------

static bool is_inside(FiloRect inner, FiloRect outer) {
    return inner.min.x >= outer.min.x && inner.max.x <= outer.max.x && inner.min.y >= outer.min.y &&
           inner.max.y <= outer.max.y;
}

static void paint_layout(FiloUi *ui, const FiloTextLayout *layout, FiloVec2 at, FiloColor color) {
    FiloRect bounds = filo_rect_move(filo_text_bounds(layout), at);
    if (layout == NULL || !filo_rect_overlaps(filo_rect_expand(bounds, 2), ui->clip)) return;
    struct UiTextRun *run = ui_new(ui, struct UiTextRun);
    if (run == NULL) return;
    *run = (struct UiTextRun){ .layout = layout,
                               .at = at,
                               .color = ui->fade < 1 ? filo_color_fade(color, ui->fade) : color,
                               .clip = ui->clip,
                               .clipped = !is_inside(bounds, filo_rect_expand(ui->clip, 1)) };
    (void)filo_array_push(&ui->commands, (UiCommand){ .kind = UI_PAINT_TEXT, .text = run });
}

void ui_text_paint_line(FiloUi *ui, const UiTextStyle *style, FiloVec2 at, FiloString line) {
    if (line.length == 0) return;
    paint_layout(ui, layout_line(ui, style, line), filo_vec2(filo_round(at.x), filo_round(at.y)),
                 style->color);
}

void ui_text_paint(FiloUi *ui, const UiTextStyle *style, FiloRect box, UiTextAlign align, bool wrap,
                   FiloString text) {
    FiloVec2 room = filo_rect_size(box);
    if (text.length == 0 || !(room.x > 0)) return;
    // Most texts fit: their layout is the one that they were measured with.
    const FiloTextLayout *layout =
        wrap ? layout_in(ui, style, text, room.x, true, align) : layout_line(ui, style, text);
    float width = filo_rect_size(filo_text_bounds(layout)).x;
    if (!wrap && width > room.x + 0.5f) {
        layout = layout_in(ui, style, text, room.x, false, align);
        width = filo_rect_size(filo_text_bounds(layout)).x;
    }
    float x = box.min.x - filo_text_bounds(layout).min.x;
    if (align != UI_TEXT_LEFT) x += (room.x - width) * (align == UI_TEXT_CENTRE ? 0.5f : 1.0f);
    paint_layout(ui, layout, filo_vec2(filo_round(x), filo_round(box.min.y)), style->color);
}

void ui_text_draw(FiloUi *ui, FiloDraw *draw, const UiCommand *command) {
    const struct UiTextRun *run = command->text;
    FiloTextStyle style = { .color = run->color };
    if (!ui_color_set(run->color)) return;
    if (run->clipped) {
        filo_draw_push(draw);
        filo_draw_clip(draw, run->clip);
    }
    filo_text_draw_layout(ui->typesetter, draw, run->at, &style, run->layout);
    if (run->clipped) filo_draw_pop(draw);
}

void ui_text_row(FiloUi *ui, const UiTextStyle *style, FiloString text, float width, size_t byte,
                 size_t *from, size_t *to, bool *rtl) {
    size_t count, i = 0;
    const FiloTextLine *lines =
        filo_text_lines(layout_in(ui, style, text, width, true, UI_TEXT_LEFT), &count);
    while (i + 1 < count && lines[i + 1].first_byte <= byte) i++;
    *from = i > 0 ? lines[i].first_byte : 0;
    *to = i + 1 < count ? lines[i + 1].first_byte : text.length;
    *rtl = count > 0 && lines[i].rtl;
}

// ---- Carets ------------------------------------------------------------------------------------------------------

float ui_text_caret(FiloUi *ui, const UiTextStyle *style, FiloString line, size_t byte) {
    if (line.length == 0) return 0;
    return filo_text_caret(layout_line(ui, style, line), byte).top.x;
}

size_t ui_text_hit(FiloUi *ui, const UiTextStyle *style, FiloString line, float x) {
    if (line.length == 0) return 0;
    return filo_text_hit(layout_line(ui, style, line), filo_vec2(x, ui_text_line(ui, style) / 2), NULL);
}

size_t ui_text_step(FiloUi *ui, const UiTextStyle *style, FiloString line, size_t byte, bool word,
                    int direction) {
    if (line.length == 0) return 0;
    return filo_text_move(layout_line(ui, style, line), byte, word ? FILO_TEXT_WORD : FILO_TEXT_LETTER,
                          direction);
}

bool ui_text_is_rtl(FiloUi *ui, const UiTextStyle *style, FiloString line, size_t byte) {
    return line.length > 0 && filo_text_caret(layout_line(ui, style, line), byte).rtl;
}

void ui_text_word(FiloUi *ui, const UiTextStyle *style, FiloString line, size_t byte, size_t *from,
                  size_t *to) {
    *from = *to = 0;
    if (line.length > 0) filo_text_word_at(layout_line(ui, style, line), byte, from, to);
}

size_t ui_text_selection(FiloUi *ui, const UiTextStyle *style, FiloString line, size_t from, size_t to,
                         FiloRect *rects, size_t capacity) {
    if (line.length == 0) return 0;
    return FILO_MIN(filo_text_selection(layout_line(ui, style, line), from, to, rects, capacity), capacity);
}
