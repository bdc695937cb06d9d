// Bitmap fonts in the text format of BMFont (AngelCode): lines of a word and pairs name=value.
//
//     info face="Pixel" size=8 smooth=0
//     common lineHeight=10 base=7 pages=1
//     page id=0 file="pixel.png"
//     char id=65 x=1 y=1 width=5 height=7 xoffset=0 yoffset=1 xadvance=6 page=0
//     kerning first=65 second=86 amount=-1
//
// Unknown words and names are skipped. Numbers that do not fit are an error, so that a font is whole or refused.

#include "text/font/font_file.h"

#include <filo/containers.h>

#include <stdio.h>
#include <stdlib.h>

typedef FiloArray(TextBitmapGlyph) GlyphArray;
typedef FiloArray(TextKerning) KerningArray;

typedef struct Reader {
    const FiloAssetBytes *bytes;
    FiloString rest;
    int line;
    TextBitmapFont *font;
    GlyphArray glyphs;
    KerningArray kernings; // by code points, until all glyphs are known
    FiloResult result;
} Reader;

// The most that a font may have; a font of all of Unicode has fewer.
#define GLYPHS_MAX   0x110000u
#define KERNINGS_MAX 0x400000u

static bool fail(Reader *reader, FiloCode code, const char *why) {
    if (reader->result.code == FILO_OK)
        reader->result = filo_error(code, "%s:%d: %s", reader->bytes->name, reader->line, why);
    return false;
}

// ---- Pairs ----------------------------------------------------------------------------------------------

// Takes "name=value" or name="value" off a line; false at its end.
static bool next_pair(FiloString *line, FiloString *name, FiloString *value) {
    *line = filo_string_trim(*line);
    if (line->length == 0) return false;
    size_t end = 0;
    while (end < line->length && line->data[end] != '=' && line->data[end] != ' ' && line->data[end] != '\t')
        end++;
    *name = filo_string_slice(*line, 0, end);
    *value = filo_string_from(NULL, 0);
    if (end == line->length || line->data[end] != '=') {
        *line = filo_string_slice(*line, FILO_MAX(end, 1), SIZE_MAX);
        return true;
    }
    size_t start = end + 1, stop = start;
    bool quoted = start < line->length && line->data[start] == '"';
    if (quoted) {
        stop = ++start;
        while (stop < line->length && line->data[stop] != '"') stop++;
    } else {
        while (stop < line->length && line->data[stop] != ' ' && line->data[stop] != '\t') stop++;
    }
    *value = filo_string_slice(*line, start, stop - start);
    *line = filo_string_slice(*line, quoted ? stop + 1 : stop, SIZE_MAX);
    return true;
}

typedef struct Field {
    const char *name;
    int32_t *value;
    int32_t low, high;
} Field;

// Reads the numbers of a line that are named in `fields`.
static bool read_fields(Reader *reader, FiloString line, const Field *fields, size_t count) {
    FiloString name, value;
    while (next_pair(&line, &name, &value))
        for (size_t i = 0; i < count; i++) {
            if (!filo_string_equal(name, filo_string(fields[i].name))) continue;
            int32_t number;
            if (filo_parse_int32(value, &number).code != FILO_OK || number < fields[i].low ||
                number > fields[i].high) {
                char why[96];
                snprintf(why, sizeof why, "%s must be a whole number from %d to %d", fields[i].name,
                         (int)fields[i].low, (int)fields[i].high);
                return fail(reader, FILO_ERROR_DATA, why);
            }
            *fields[i].value = number;
        }
    return true;
}

// ---- Lines ----------------------------------------------------------------------------------------------

static bool read_info(Reader *reader, FiloString line) {
    int32_t size = 0, smooth = 0;
    const Field fields[] = { { "size", &size, -4096, 4096 }, { "smooth", &smooth, 0, 1 } };
    if (!read_fields(reader, line, fields, FILO_COUNT_OF(fields))) return false;
    reader->font->size = abs(size); // negative: it is that of the letters, otherwise of the cell
    reader->font->smooth = smooth != 0;
    return true;
}

static bool read_common(Reader *reader, FiloString line) {
    int32_t packed = 0;
    const Field fields[] = { { "lineHeight", &reader->font->line_height, 0, 4096 },
                             { "base", &reader->font->base, 0, 4096 },
                             { "packed", &packed, 0, 1 } };
    if (!read_fields(reader, line, fields, FILO_COUNT_OF(fields))) return false;
    if (packed != 0)
        return fail(reader, FILO_ERROR_DATA,
                    "letters are packed into single channels: export the font without packing them");
    return true;
}

// The file of a page is relative to the folder of the font.
static bool read_page(Reader *reader, FiloString line) {
    int32_t id = -1;
    const Field fields[] = { { "id", &id, 0, TEXT_BITMAP_PAGES - 1 } };
    if (!read_fields(reader, line, fields, FILO_COUNT_OF(fields))) return false;
    FiloString name, value, file = { 0 };
    while (next_pair(&line, &name, &value))
        if (filo_string_equal(name, FILO_STRING("file"))) file = value;
    if (id < 0 || file.length == 0) return fail(reader, FILO_ERROR_DATA, "a page needs an id and a file");
    FiloString folder = filo_string(reader->bytes->name);
    while (folder.length > 0 && folder.data[folder.length - 1] != '/') folder.length--;
    char path[512];
    int length = snprintf(path, sizeof path, FILO_STRING_FORMAT FILO_STRING_FORMAT, FILO_STRING_PRINT(folder),
                          FILO_STRING_PRINT(file));
    if (length < 0 || (size_t)length >= sizeof path)
        return fail(reader, FILO_ERROR_LIMIT, "the path of a page is too long");
    TextBitmapFont *font = reader->font;
    filo_name_release(font->pages[id]);
    FiloResult r = filo_name_retain(&font->pages[id], filo_string(path));
    if (r.code != FILO_OK) return fail(reader, r.code, r.message);
    font->page_count = FILO_MAX(font->page_count, (uint32_t)id + 1);
    if (reader->bytes->asset.id != 0)
        font->page_assets[id] = filo_assets_depend(reader->bytes->assets, reader->bytes->asset, path);
    return true;
}

static bool read_char(Reader *reader, FiloString line) {
    int32_t id = -2, x = 0, y = 0, width = 0, height = 0, left = 0, top = 0, advance = 0, page = 0;
    const Field fields[] = { { "id", &id, -1, 0x10FFFF },
                             { "x", &x, 0, 65535 },
                             { "y", &y, 0, 65535 },
                             { "width", &width, 0, 65535 },
                             { "height", &height, 0, 65535 },
                             { "xoffset", &left, -32768, 32767 },
                             { "yoffset", &top, -32768, 32767 },
                             { "xadvance", &advance, -32768, 32767 },
                             { "page", &page, 0, TEXT_BITMAP_PAGES - 1 } };
    if (!read_fields(reader, line, fields, FILO_COUNT_OF(fields))) return false;
    if (id == -2) return fail(reader, FILO_ERROR_DATA, "a char needs an id");
    TextBitmapGlyph glyph = { .code_point = (uint32_t)id,
                              .x = (uint16_t)x,
                              .y = (uint16_t)y,
                              .width = (uint16_t)width,
                              .height = (uint16_t)height,
                              .left = (int16_t)left,
                              .top = (int16_t)top,
                              .advance = (int16_t)advance,
                              .page = (uint8_t)page };
    if (id == -1) {
        glyph.code_point = 0;
        reader->glyphs.items[0] = glyph;
        return true;
    }
    if (reader->glyphs.count > GLYPHS_MAX) return fail(reader, FILO_ERROR_LIMIT, "there are too many chars");
    return filo_array_push(&reader->glyphs, glyph) ||
           fail(reader, FILO_ERROR_MEMORY, "no memory for the font");
}

static bool read_kerning(Reader *reader, FiloString line) {
    int32_t first = -1, second = -1, amount = 0;
    const Field fields[] = { { "first", &first, 0, 0x10FFFF },
                             { "second", &second, 0, 0x10FFFF },
                             { "amount", &amount, -32768, 32767 } };
    if (!read_fields(reader, line, fields, FILO_COUNT_OF(fields))) return false;
    if (first < 0 || second < 0) return fail(reader, FILO_ERROR_DATA, "a kerning needs first and second");
    if (reader->kernings.count >= KERNINGS_MAX)
        return fail(reader, FILO_ERROR_LIMIT, "there are too many kernings");
    TextKerning kerning = { (uint32_t)first, (uint32_t)second, amount };
    return filo_array_push(&reader->kernings, kerning) ||
           fail(reader, FILO_ERROR_MEMORY, "no memory for the font");
}

static bool read_line(Reader *reader, FiloString line) {
    static const struct {
        const char *word;
        bool (*read)(Reader *, FiloString);
    } kinds[] = { { "info", read_info },
                  { "common", read_common },
                  { "page", read_page },
                  { "char", read_char },
                  { "kerning", read_kerning } };
    line = filo_string_trim(line);
    size_t end = 0;
    while (end < line.length && line.data[end] != ' ' && line.data[end] != '\t') end++;
    FiloString word = filo_string_slice(line, 0, end);
    for (size_t i = 0; i < FILO_COUNT_OF(kinds); i++)
        if (filo_string_equal(word, filo_string(kinds[i].word)))
            return kinds[i].read(reader, filo_string_slice(line, end, SIZE_MAX));
    return true;
}

// ---- The whole ------------------------------------------------------------------------------------------

static int compare_glyphs(const void *a, const void *b) {
    uint32_t x = ((const TextBitmapGlyph *)a)->code_point, y = ((const TextBitmapGlyph *)b)->code_point;
    return (x > y) - (x < y);
}

static int compare_kernings(const void *a, const void *b) {
    const TextKerning *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

uint32_t text_bitmap_glyph(const TextBitmapFont *font, uint32_t code_point) {
    uint32_t low = 1, high = font->glyph_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (font->glyphs[middle].code_point < code_point)
            low = middle + 1;
        else
            high = middle;
    }
    return low < font->glyph_count && font->glyphs[low].code_point == code_point ? low : 0;
}

// Sorts glyphs and drops repeated ones, of which any may stay: they are equal in files that are not broken.
static void sort_glyphs(GlyphArray *glyphs) {
    qsort(glyphs->items + 1, glyphs->count - 1, sizeof *glyphs->items, compare_glyphs);
    size_t kept = 1;
    for (size_t i = 1; i < glyphs->count; i++)
        if (kept == 1 || glyphs->items[i].code_point != glyphs->items[kept - 1].code_point)
            glyphs->items[kept++] = glyphs->items[i];
    glyphs->count = kept;
}

static void sort_kernings(KerningArray *kernings, const TextBitmapFont *font) {
    size_t kept = 0;
    for (size_t i = 0; i < kernings->count; i++) {
        TextKerning kerning = kernings->items[i];
        kerning.first = text_bitmap_glyph(font, kerning.first);
        kerning.second = text_bitmap_glyph(font, kerning.second);
        if (kerning.first != 0 && kerning.second != 0) kernings->items[kept++] = kerning;
    }
    kernings->count = kept;
    if (kept > 1) qsort(kernings->items, kept, sizeof *kernings->items, compare_kernings);
}

// Makes the arrays exactly as long as what is in them, so that they can be freed by their counts.
static bool finish(Reader *reader) {
    TextBitmapFont *font = reader->font;
    if (reader->glyphs.count < 2) return fail(reader, FILO_ERROR_DATA, "the font has no chars");
    if (font->line_height == 0) return fail(reader, FILO_ERROR_DATA, "the font has no lineHeight");
    if (font->size == 0) font->size = font->line_height;
    if (font->base == 0 || font->base > font->line_height) font->base = font->line_height;
    sort_glyphs(&reader->glyphs);
    font->glyphs = filo_alloc(reader->bytes->allocator, reader->glyphs.count * sizeof *font->glyphs, 0);
    if (font->glyphs == NULL) return fail(reader, FILO_ERROR_MEMORY, "no memory for the font");
    font->glyph_count = (uint32_t)reader->glyphs.count;
    memcpy(font->glyphs, reader->glyphs.items, font->glyph_count * sizeof *font->glyphs);
    if (font->glyphs[0].advance == 0 && font->glyphs[0].width == 0)
        font->glyphs[0].advance = (int16_t)(font->size / 2);
    sort_kernings(&reader->kernings, font);
    if (reader->kernings.count == 0) return true;
    font->kernings = filo_alloc(reader->bytes->allocator, reader->kernings.count * sizeof *font->kernings, 0);
    if (font->kernings == NULL) return fail(reader, FILO_ERROR_MEMORY, "no memory for the font");
    font->kerning_count = (uint32_t)reader->kernings.count;
    memcpy(font->kernings, reader->kernings.items, font->kerning_count * sizeof *font->kernings);
    return true;
}

void text_bitmap_free(TextBitmapFont *font, const FiloAllocator *allocator) {
    if (font == NULL) return;
    for (uint32_t i = 0; i < TEXT_BITMAP_PAGES; i++) filo_name_release(font->pages[i]);
    filo_free(allocator, font->glyphs, font->glyph_count * sizeof *font->glyphs, 0);
    filo_free(allocator, font->kernings, font->kerning_count * sizeof *font->kernings, 0);
    filo_free(allocator, font, sizeof *font, 0);
}

static void read_lines(Reader *reader) {
    FiloString line;
    reader->rest = filo_string_from(reader->bytes->bytes, reader->bytes->size);
    if (reader->rest.length >= 3 && memcmp(reader->rest.data, "\xEF\xBB\xBF", 3) == 0)
        reader->rest = filo_string_slice(reader->rest, 3, SIZE_MAX);
    while (reader->rest.length > 0) {
        reader->line++;
        (void)filo_string_cut(reader->rest, FILO_STRING("\n"), &line,
                              &reader->rest); // without one: all of it
        if (!read_line(reader, line)) return;
    }
    finish(reader);
}

FiloResult text_bitmap_read(TextFontFile *file, const FiloAssetBytes *bytes) {
    Reader reader = { .bytes = bytes };
    filo_array_init(&reader.glyphs, bytes->allocator);
    filo_array_init(&reader.kernings, bytes->allocator);
    reader.font = file->bitmap = filo_alloc_zero(bytes->allocator, sizeof *file->bitmap, 0);
    if (file->bitmap == NULL || !filo_array_push(&reader.glyphs, (TextBitmapGlyph){ 0 }))
        fail(&reader, FILO_ERROR_MEMORY, "no memory for the font");
    else
        read_lines(&reader);
    filo_array_deinit(&reader.glyphs);
    filo_array_deinit(&reader.kernings);
    if (reader.result.code != FILO_OK) return reader.result;
    const TextBitmapFont *font = file->bitmap;
    file->units_per_em = (float)font->size;
    file->ascent = (float)font->base;
    file->descent = (float)(font->line_height - font->base);
    file->underline_y = -1.0f;
    file->strike_y = (float)font->base * 0.35f;
    file->underline_width = file->strike_width = FILO_MAX(1.0f, (float)(font->size / 16));
    return filo_ok();
}
