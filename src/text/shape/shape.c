// Shaping by HarfBuzz, in units of the font, which are then scaled to the size.

#include "text/typesetter.h"

// What is done with each array of the work.
#define EACH_ARRAY(do_)                                                                                      \
    do_(characters) do_(bytes) do_(marks) do_(levels) do_(scripts) do_(letters) do_(starts) do_(widths)      \
        do_(spans) do_(links) do_(icons) do_(paragraphs) do_(pieces) do_(glyphs) do_(lines) do_(fragments)   \
            do_(breaks) do_(known) do_(bidi_types) do_(bidi_brackets) do_(thai) do_(thai_breaks)

bool text_work_init(TextWork *work, const FiloAllocator *allocator) {
#define INIT(array) filo_array_init(&work->array, allocator);
    EACH_ARRAY(INIT)
    work->buffer = hb_buffer_create();
    return hb_buffer_allocation_successful(work->buffer);
}

static void free_arrays(TextWork *work) {
#define DEINIT(array) filo_array_deinit(&work->array);
    EACH_ARRAY(DEINIT)
}

void text_work_trim(TextWork *work) {
    free_arrays(work);
    hb_buffer_reset(work->buffer); // frees its memory
}

void text_work_deinit(TextWork *work) {
    free_arrays(work);
    text_thai_free(work->thai_dictionary);
    hb_buffer_destroy(work->buffer);
}

// Letters of these scripts are joined: space between them would tear words apart.
static bool is_joined(hb_script_t script) {
    return script == HB_SCRIPT_ARABIC || script == HB_SCRIPT_SYRIAC || script == HB_SCRIPT_MONGOLIAN ||
           script == HB_SCRIPT_NKO || script == HB_SCRIPT_MANDAIC || script == HB_SCRIPT_PHAGS_PA ||
           script == HB_SCRIPT_MANICHAEAN || script == HB_SCRIPT_HANIFI_ROHINGYA ||
           script == HB_SCRIPT_ADLAM || script == HB_SCRIPT_DEVANAGARI || script == HB_SCRIPT_BENGALI ||
           script == HB_SCRIPT_GURMUKHI;
}

// False without memory: HarfBuzz shapes with any font, and gives up on a bad one in its buffer.
static bool run_shaper(TextWork *work, const TextPiece *piece, const TextFont *font, float spacing) {
    hb_buffer_set_direction(work->buffer, piece->level % 2 == 1 ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_buffer_set_script(work->buffer, piece->script);
    hb_buffer_set_language(work->buffer, work->language);
    static const hb_feature_t apart[] = {
        { HB_TAG('l', 'i', 'g', 'a'), 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END },
        { HB_TAG('c', 'l', 'i', 'g'), 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END },
    };
    if (hb_shape_full(font->hb, work->buffer, apart, spacing != 0.0f ? FILO_COUNT_OF(apart) : 0, NULL))
        return true;
    filo_out_of_memory("text", 0, "HarfBuzz has no memory to shape a text");
    return false;
}

// Copies the glyphs of the buffer. Of an emboldened font, those that take space take a little more.
static bool take_glyphs(TextWork *work, TextPiece *piece, const TextFont *font, float size) {
    unsigned count = 0;
    const hb_glyph_info_t *infos = hb_buffer_get_glyph_infos(work->buffer, &count);
    const hb_glyph_position_t *positions = hb_buffer_get_glyph_positions(work->buffer, NULL);
    // A font may make the shaper give up; then there is nothing to show.
    if (!hb_buffer_allocation_successful(work->buffer)) count = 0;
    piece->first_glyph = (uint32_t)work->glyphs.count;
    piece->glyph_count = count;
    if (!text_array_set_count(&work->glyphs, work->glyphs.count + count)) return false;
    TextShapedGlyph *glyphs = work->glyphs.items + piece->first_glyph;
    float scale = size / font->file->units_per_em;
    float wider = font->bold ? TEXT_BOLD_WIDTH * size : 0.0f;
    for (unsigned i = 0; i < count; i++) {
        float advance = (float)positions[i].x_advance * scale;
        glyphs[i] = (TextShapedGlyph){
            .glyph = infos[i].codepoint,
            .character = infos[i].cluster,
            .advance = positions[i].x_advance > 0 ? advance + wider : advance,
            .x = (float)positions[i].x_offset * scale,
            .y = (float)positions[i].y_offset * scale,
            .unsafe = (hb_glyph_info_get_glyph_flags(&infos[i]) & HB_GLYPH_FLAG_UNSAFE_TO_BREAK) != 0,
        };
    }
    return true;
}

// Adds the space after letters, to the last glyph of each cluster, and the widths of the clusters to those of their letters.
// A cluster of several letters (a ligature) is divided evenly.
static void measure(TextWork *work, const TextPiece *piece, float spacing) {
    TextShapedGlyph *glyphs = work->glyphs.items + piece->first_glyph;
    bool rtl = piece->level % 2 == 1;
    uint32_t count = piece->glyph_count, end = piece->end;
    for (uint32_t i = 0; i < count;) {
        uint32_t stop = i + 1, character = glyphs[i].character;
        while (stop < count && glyphs[stop].character == character) stop++;
        uint32_t next = rtl ? end : (stop < count ? glyphs[stop].character : piece->end);
        end = character;
        uint32_t first = work->letters.items[character], last = work->letters.items[next - 1];
        if ((work->marks.items[character] & TEXT_AT_LETTER) == 0 && first < last) first++;
        uint32_t letters = last - first + 1;
        float width = 0.0f;
        if ((work->marks.items[character] & TEXT_AT_LETTER) != 0)
            glyphs[stop - 1].advance += spacing * (float)letters;
        for (uint32_t k = i; k < stop; k++) width += glyphs[k].advance;
        for (uint32_t letter = first; letter <= last; letter++)
            work->widths.items[letter] += width / (float)letters;
        i = stop;
    }
}

bool text_shape(FiloTypesetter *setter, TextPiece *piece) {
    TextWork *work = &setter->work;
    const TextFont *font = setter->fonts.fonts.items[piece->font];
    float size = work->spans.items[piece->span].size;
    float spacing = is_joined(piece->script) ? 0.0f : work->letter_spacing * size;
    hb_buffer_clear_contents(work->buffer);
    // The parser lets no invalid code point through.
    hb_buffer_add_codepoints(work->buffer, work->characters.items, (int)work->characters.count, piece->start,
                             (int)(piece->end - piece->start));
    if (!run_shaper(work, piece, font, spacing) || !take_glyphs(work, piece, font, size)) return false;
    if (!work->measures && spacing == 0.0f) return true;
    for (uint32_t i = work->letters.items[piece->start]; i <= work->letters.items[piece->end - 1]; i++)
        work->widths.items[i] = 0.0f;
    measure(work, piece, spacing);
    return true;
}

bool text_shape_extra(FiloTypesetter *setter, TextPiece *piece, const uint32_t *characters, size_t count) {
    TextWork *work = &setter->work;
    const TextFont *font = setter->fonts.fonts.items[piece->font];
    hb_buffer_clear_contents(work->buffer);
    hb_buffer_add_utf32(work->buffer, characters, (int)count, 0, (int)count);
    return run_shaper(work, piece, font, 0.0f) &&
           take_glyphs(work, piece, font, work->spans.items[piece->span].size);
}
