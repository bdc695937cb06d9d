// Layouts: from a text and a style to one block of memory.

#include "text/typesetter.h"

#include <filo/check.h>
#include <filo/log.h>

#include <math.h>

// ---- Styles ---------------------------------------------------------------------------------------------

static float usable(float value, float otherwise, float low, float high) {
    if (!isfinite(value) || value == 0.0f) return otherwise;
    return FILO_CLAMP(value, low, high);
}

FiloTextStyle text_style_normalise(const FiloTextStyle *style) {
    FiloTextStyle s = style != NULL ? *style : (FiloTextStyle){ 0 };
    s.size = usable(s.size > 0.0f ? s.size : 0.0f, 16.0f, 1e-4f, FILO_TEXT_SIZE_MAX);
    s.width = usable(s.width, 0.0f, 0.0f, 1e9f);
    s.height = usable(s.height, 0.0f, 0.0f, 1e9f);
    s.line_spacing = usable(s.line_spacing, 1.0f, -16.0f, 16.0f);
    s.letter_spacing = usable(s.letter_spacing, 0.0f, -1.0f, 16.0f);
    s.tab = usable(s.tab, 4.0f, 0.01f, 1000.0f);
    s.max_lines = FILO_MAX(s.max_lines, 0);
    if ((unsigned)s.align >= FILO_TEXT_ALIGN_COUNT) s.align = FILO_TEXT_LEFT;
    if ((unsigned)s.vertical >= FILO_TEXT_VERTICAL_COUNT) s.vertical = FILO_TEXT_TOP;
    if ((unsigned)s.direction >= FILO_TEXT_DIRECTION_COUNT) s.direction = FILO_TEXT_AUTO;
    if ((unsigned)s.wrap >= FILO_TEXT_WRAP_COUNT) s.wrap = FILO_TEXT_WRAP_WORDS;
    return s;
}

// The number of the axes of a style. Those that cannot be read count as none.
static uint16_t axes_of(FiloTypesetter *setter, const char *text) {
    if (text == NULL) return 0;
    TextAxes axes = { 0 };
    if (text_axes_read(&axes, filo_string(text))) return text_fonts_axes(setter, &axes);
    if (!setter->cache.axes_reported)
        filo_log_warn(
            "text",
            "the axes of a style cannot be read, \"%s\": write \"wght 650, wdth 80\"; further ones are "
            "not reported",
            text);
    setter->cache.axes_reported = true;
    return 0;
}

static TextLayoutKey make_key(FiloTypesetter *setter, const FiloTextStyle *s) {
    TextLayoutKey key;
    memset(&key, 0, sizeof key);
    key.font = s->font.id;
    key.generation = setter->fonts.generation;
    key.size = s->size;
    key.width = s->width;
    key.height = s->height;
    key.line_spacing = s->line_spacing;
    key.letter_spacing = s->letter_spacing;
    key.tab = s->tab;
    key.max_lines = s->max_lines;
    key.bold = s->bold;
    key.italic = s->italic;
    key.underline = s->underline;
    key.strike = s->strike;
    key.markup = s->markup;
    key.align = (uint8_t)s->align;
    key.vertical = (uint8_t)s->vertical;
    key.direction = (uint8_t)s->direction;
    key.wrap = (uint8_t)s->wrap;
    key.axes = axes_of(setter, s->axes);
    key.language = s->language != NULL ? hb_language_from_string(s->language, -1) : NULL;
    return key;
}

// ---- One block ------------------------------------------------------------------------------------------

// Takes `size` bytes off a block; with a block of NULL, only counts.
static void *take(char *block, size_t *used, size_t size) {
    size_t start = FILO_ALIGN_UP(*used, (size_t)8);
    *used = start + size;
    return block != NULL ? block + start : NULL;
}

static size_t lay_out_block(FiloTextLayout *layout, char *block) {
    size_t used = sizeof(FiloTextLayout);
    layout->lines = take(block, &used, layout->line_count * sizeof *layout->lines);
    layout->line_letters = take(block, &used, (layout->line_count + 1) * sizeof *layout->line_letters);
    layout->glyphs = take(block, &used, layout->glyph_count * sizeof *layout->glyphs);
    layout->icons = take(block, &used, layout->icon_count * sizeof *layout->icons);
    layout->bars = take(block, &used, layout->bar_count * sizeof *layout->bars);
    layout->letters = take(block, &used, (layout->shown_count + 1) * sizeof *layout->letters);
    layout->links = take(block, &used, layout->link_count * sizeof *layout->links);
    layout->text = take(block, &used, layout->text_length + 1);
    return used;
}

static void copy(void *to, const void *from, size_t size) {
    if (size > 0) memcpy(to, from, size);
}

static void copy_contents(FiloTextLayout *layout, const TextPlaced *placed, FiloString text) {
    copy(layout->lines, placed->lines.items, layout->line_count * sizeof *layout->lines);
    copy(layout->line_letters, placed->line_letters.items,
         (layout->line_count + 1) * sizeof *layout->line_letters);
    copy(layout->glyphs, placed->glyphs.items, layout->glyph_count * sizeof *layout->glyphs);
    copy(layout->icons, placed->icons.items, layout->icon_count * sizeof *layout->icons);
    copy(layout->bars, placed->bars.items, layout->bar_count * sizeof *layout->bars);
    copy(layout->letters, placed->letters.items, (layout->shown_count + 1) * sizeof *layout->letters);
    copy(layout->links, placed->links.items, layout->link_count * sizeof *layout->links);
    copy(layout->text, text.data, text.length);
    layout->text[text.length] = '\0';
}

// Names of icons come from texts, so they are counted. One that cannot be made is {0}.
static void name_icons(FiloTextLayout *layout, const TextWork *work, const TextPlaced *placed) {
    for (size_t i = 0; i < layout->icon_count; i++) {
        uint32_t icon = work->spans.items[placed->icon_spans.items[i]].icon;
        TextReference name = work->icons.items[icon - 1];
        (void)filo_name_retain(&layout->icons[i].image,
                               filo_string_from(layout->text + name.start, name.length));
    }
}

static FiloTextLayout *pack(FiloTypesetter *setter, FiloString text) {
    const TextWork *work = &setter->work;
    const TextPlaced *placed = &setter->cache.placed;
    FiloTextLayout counts = { .bounds = placed->bounds,
                              .cut = work->cut,
                              .letter_count = work->letter_count,
                              .line_count = placed->lines.count,
                              .glyph_count = placed->glyphs.count,
                              .icon_count = placed->icons.count,
                              .bar_count = placed->bars.count,
                              .shown_count = placed->letters.count - 1,
                              .link_count = placed->links.count,
                              .text_length = text.length };
    size_t block_size;
    FiloTextLayout *layout = text_cache_block(setter, lay_out_block(&counts, NULL), &block_size);
    if (layout == NULL) return NULL;
    *layout = counts;
    layout->block_size = block_size;
    lay_out_block(layout, (char *)layout);
    copy_contents(layout, placed, text);
    name_icons(layout, work, placed);
    return layout;
}

// ---- The layout of a text -------------------------------------------------------------------------------

static FiloString limit_length(FiloTypesetter *setter, FiloString text) {
    if (text.data == NULL) text.length = 0;
    if (text.length <= FILO_TEXT_BYTES_MAX) return text;
    if (!setter->cache.cut_reported)
        filo_log_warn("text", "a text of %zu bytes is cut after %zu", text.length,
                      (size_t)FILO_TEXT_BYTES_MAX);
    setter->cache.cut_reported = true;
    return filo_utf8_cut(text, FILO_TEXT_BYTES_MAX);
}

static FiloTextLayout *lay_out(FiloTypesetter *setter, const FiloTextStyle *style, const TextLayoutKey *key,
                               FiloString text) {
    TextWork *work = &setter->work;
    work->letter_spacing = style->letter_spacing;
    work->axes = key->axes;
    work->language = key->language;
    work->language_text = style->language;
    work->wraps = style->width > 0.0f && style->wrap == FILO_TEXT_WRAP_WORDS;
    setter->cache.laid_out++;
    setter->laid_out_frame = setter->frame;
    if (!text_parse(setter, style, text) || !text_analyse(work, style->direction)) return NULL;
    work->measures = style->width > 0.0f || (work->seen & TEXT_PLAIN_TAB) != 0;
    if (!text_itemise(setter) || !text_shape_all(setter) || !text_wrap(setter, style) ||
        !text_place(setter, style))
        return NULL;
    return pack(setter, text);
}

// Numbers that make no sense are often the result of a mistake elsewhere.
static void report_style(FiloTypesetter *setter, const FiloTextStyle *s) {
    if (s == NULL || setter->cache.style_reported) return;
    bool finite = isfinite(s->size) && isfinite(s->width) && isfinite(s->height) &&
                  isfinite(s->line_spacing) && isfinite(s->letter_spacing) && isfinite(s->tab);
    if (finite && s->size >= 0.0f && s->width >= 0.0f && s->height >= 0.0f && s->tab >= 0.0f) return;
    setter->cache.style_reported = true;
    filo_log_warn("text",
                  "a text of size %g, width %g, height %g, line spacing %g, letter spacing %g, tab %g: sizes "
                  "below 0 and what is not a number count as 0; further ones are not reported",
                  (double)s->size, (double)s->width, (double)s->height, (double)s->line_spacing,
                  (double)s->letter_spacing, (double)s->tab);
}

static FiloTextLayout *find_or_make(FiloTypesetter *setter, const FiloTextStyle *style, FiloString text) {
    FiloTextStyle normal = text_style_normalise(style);
    TextLayoutKey key = make_key(setter, &normal);
    text = limit_length(setter, text);
    uint64_t hash = filo_hash_combine(filo_hash(&key, sizeof key), filo_hash(text.data, text.length));
    FiloTextLayout *layout = text_cache_find(setter, hash, &key, text);
    if (layout != NULL) {
        text_cache_touch(setter, layout);
        return layout;
    }
    report_style(setter, style);
    layout = lay_out(setter, &normal, &key, text);
    if (layout == NULL) return NULL;
    layout->key = key;
    layout->hash = hash;
    return text_cache_add(setter, layout) ? layout : NULL;
}

const FiloTextLayout *filo_text_layout(FiloTypesetter *setter, const FiloTextStyle *style, FiloString text) {
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned") ||
        !text_enter(setter))
        return NULL;
    const FiloTextLayout *layout = find_or_make(setter, style, text);
    text_leave(setter);
    return layout;
}

FiloVec2 filo_text_size(FiloTypesetter *setter, const FiloTextStyle *style, const char *text) {
    return filo_rect_size(filo_text_bounds(filo_text_layout(setter, style, filo_string(text))));
}

FiloFontMetrics filo_font_metrics(FiloTypesetter *setter, FiloName font, float size) {
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned"))
        return (FiloFontMetrics){ 0 };
    size = text_style_normalise(&(FiloTextStyle){ .size = size }).size;
    const TextChain *chain = text_fonts_chain(setter, font, false, false, 0); // may move the list of fonts
    const TextFontFile *file = setter->fonts.fonts.items[chain->fonts[0]]->file;
    float scale = size / file->units_per_em;
    return (FiloFontMetrics){ .ascent = file->ascent * scale,
                              .descent = file->descent * scale,
                              .line_height = (file->ascent + file->descent + file->line_gap) * scale };
}
