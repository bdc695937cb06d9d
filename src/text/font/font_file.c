// Font files of TrueType and OpenType: checked by HarfBuzz and FreeType when they are decoded, on any thread.

#include "text/font/font_file.h"

#include <filo/check.h>
#include <filo/log.h>

#include "text/font/freetype.h"

#include <freetype/tttables.h>
#include <harfbuzz/hb-ot.h>
#include <string.h>

TextFontFile *text_font_file_retain(TextFontFile *file) {
    if (file != NULL) __atomic_fetch_add(&file->references, 1, __ATOMIC_RELAXED);
    return file;
}

void text_font_file_release(TextFontFile *file) {
    // Release and acquire: what other threads did with the file happens before it is freed.
    if (file == NULL || __atomic_sub_fetch(&file->references, 1, __ATOMIC_ACQ_REL) > 0) return;
    const FiloAllocator *allocator = file->allocator;
    hb_face_destroy(file->face);
    hb_face_destroy(file->tables);
    filo_free(allocator, file->bytes, file->size, 0);
    text_bitmap_free(file->bitmap, allocator);
    filo_free(allocator, file, sizeof *file, 0);
}

TextFontFile *text_font_file_create(TextFontKind kind, const FiloAllocator *allocator) {
    TextFontFile *file = filo_alloc_zero(allocator, sizeof *file, 0);
    if (file == NULL) return NULL;
    file->references = 1;
    file->kind = kind;
    file->allocator = allocator;
    // An empty face, not HarfBuzz's constant one, which is not shaped.
    if (kind != TEXT_FONT_OUTLINE) {
        file->face = hb_face_create(hb_blob_get_empty(), 0);
        if (file->face == hb_face_get_empty()) {
            filo_out_of_memory("text", 0, "HarfBuzz has no memory for a font");
            text_font_file_release(file);
            return NULL;
        }
    }
    return file;
}

// ---- Outlines -------------------------------------------------------------------------------------------

static FiloResult bad_font(const char *name, const char *why) {
    return filo_error(FILO_ERROR_DATA, "%s: not a font that can be used (%s)", name, why);
}

// A lack of memory in a library: it is reported here, since no allocator of Filo has done it.
static FiloResult no_memory(const char *name, const char *library) {
    filo_out_of_memory("text", 0, library);
    return filo_error(FILO_ERROR_MEMORY, "%s: no memory to read the font", name);
}

// FreeType makes the glyphs later; what it does not open is refused here.
static FiloResult check_freetype(TextFontFile *file, const char *name) {
    TextFreeType freetype;
    FT_Face face;
    if (!text_freetype_init(&freetype, file->allocator))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory to read the font", name);
    bool usable = text_freetype_ok(
        &freetype, FT_New_Memory_Face(freetype.library, file->bytes, (FT_Long)file->size, 0, &face));
    if (usable) {
        file->has_outlines = FT_IS_SCALABLE(face);
        file->has_color =
            hb_ot_color_has_layers(file->face) || (!file->has_outlines && hb_ot_color_has_png(file->face));
        usable = FT_IS_SCALABLE(face) || face->num_fixed_sizes > 0;
        FT_Done_Face(face);
    }
    text_freetype_deinit(&freetype);
    if (freetype.failed) return filo_error(FILO_ERROR_MEMORY, "%s: no memory to read the font", name);
    return usable ? filo_ok() : bad_font(name, "its tables are damaged");
}

// Gradients (version 1 of COLR) and SVG: the letters are seen in one colour, if the font has outlines for them.
static void report_colors(const TextFontFile *file, const char *name) {
    static const hb_tag_t tags[] = { HB_TAG('C', 'O', 'L', 'R'), HB_TAG('S', 'V', 'G', ' ') };
    bool some = false;
    for (size_t i = 0; i < FILO_COUNT_OF(tags) && !file->has_color; i++) {
        hb_blob_t *table = hb_face_reference_table(file->face, tags[i]);
        some = some || hb_blob_get_length(table) > 0;
        hb_blob_destroy(table);
    }
    if (some)
        filo_log_warn("text",
                      "%s: its colours are in a format that is not shown (COLR version 1 or SVG): use a "
                      "version of the font with bitmaps (CBDT, sbix) or COLR version 0",
                      name);
}

static float metric(hb_font_t *font, hb_ot_metrics_tag_t tag, float otherwise) {
    hb_position_t value;
    return hb_ot_metrics_get_position(font, tag, &value) ? (float)value : otherwise;
}

static void read_metrics(TextFontFile *file) {
    hb_font_t *font = hb_font_create(file->face); // its scale is that of the units
    float em = (float)hb_face_get_upem(file->face);
    file->units_per_em = em;
    hb_font_extents_t extents = { 0 };
    hb_font_get_h_extents(font, &extents);
    // Some fonts have no metrics, and some bad ones: lines must have a height that can be used.
    bool usable = extents.ascender > 0 && (float)extents.ascender < 8.0f * em && extents.descender <= 0 &&
                  (float)extents.descender > -8.0f * em;
    file->ascent = usable ? (float)extents.ascender : 0.8f * em;
    file->descent = usable ? (float)-extents.descender : 0.2f * em;
    file->line_gap = FILO_CLAMP((float)extents.line_gap, 0.0f, 4.0f * em);
    file->underline_y = metric(font, HB_OT_METRICS_TAG_UNDERLINE_OFFSET, -0.1f * em);
    file->underline_width = metric(font, HB_OT_METRICS_TAG_UNDERLINE_SIZE, 0.05f * em);
    file->strike_y = metric(font, HB_OT_METRICS_TAG_STRIKEOUT_OFFSET, 0.3f * em);
    file->strike_width = metric(font, HB_OT_METRICS_TAG_STRIKEOUT_SIZE, file->underline_width);
    file->underline_y = FILO_CLAMP(file->underline_y, -em, 0.0f);
    file->strike_y = FILO_CLAMP(file->strike_y, 0.0f, em);
    file->underline_width = FILO_CLAMP(file->underline_width, em / 64.0f, em / 4.0f);
    file->strike_width = FILO_CLAMP(file->strike_width, em / 64.0f, em / 4.0f);
    hb_font_destroy(font);
}

static FiloResult check_characters(hb_face_t *face, const char *name) {
    hb_set_t *characters = hb_set_create();
    hb_face_collect_unicodes(face, characters);
    bool some = !hb_set_is_empty(characters), memory = hb_set_allocation_successful(characters);
    hb_set_destroy(characters);
    if (!memory) return no_memory(name, "HarfBuzz has no memory for the characters of a font");
    return some ? filo_ok() : bad_font(name, "it has no characters");
}

static uint32_t number_at(const void *data, size_t size, size_t at, size_t bytes) {
    uint32_t number = 0;
    if (at > size || size - at < bytes) return 0;
    for (size_t i = 0; i < bytes; i++) number = number << 8 | ((const uint8_t *)data)[at + i];
    return number;
}

// Whether the directory of the file, or of its first font, has a table with bytes inside the file.
static bool has_table(const TextFontFile *file, hb_tag_t tag) {
    size_t start = number_at(file->bytes, file->size, 0, 4) == HB_TAG('t', 't', 'c', 'f')
                       ? number_at(file->bytes, file->size, 12, 4)
                       : 0;
    uint32_t count = number_at(file->bytes, file->size, start + 4, 2);
    for (uint32_t i = 0; i < count; i++) {
        size_t record = start + 12 + 16 * (size_t)i;
        if (number_at(file->bytes, file->size, record, 4) == tag)
            return number_at(file->bytes, file->size, record + 8, 4) < file->size &&
                   number_at(file->bytes, file->size, record + 12, 4) > 0;
    }
    return false;
}

// HarfBuzz loads tables when it needs them. A table that it has no memory for counts as missing, on any thread and for good.
static hb_blob_t *reference_table(hb_face_t *face, hb_tag_t tag, void *user) {
    FILO_UNUSED(face);
    TextFontFile *file = user;
    hb_blob_t *table = hb_face_reference_table(file->tables, tag);
    if (table == hb_blob_get_empty() && has_table(file, tag))
        filo_out_of_memory("text", 0, "HarfBuzz has no memory for a table of a font");
    return table;
}

static FiloResult read_outline(TextFontFile *file, const char *name) {
    hb_blob_t *blob =
        hb_blob_create((const char *)file->bytes, (unsigned)file->size, HB_MEMORY_MODE_READONLY, NULL, NULL);
    bool memory = blob != hb_blob_get_empty(), known = hb_face_count(blob) > 0;
    file->tables = hb_face_create(blob, 0);
    hb_blob_destroy(blob);
    file->face = hb_face_create_for_tables(reference_table, file, NULL);
    memory = memory && file->tables != hb_face_get_empty() && file->face != hb_face_get_empty();
    hb_face_make_immutable(file->face);
    if (!memory) return no_memory(name, "HarfBuzz has no memory for a font");
    if (!known) return bad_font(name, "neither TrueType nor OpenType");
    if (hb_face_get_glyph_count(file->face) == 0) return bad_font(name, "it has no glyphs");
    FiloResult r = check_characters(file->face, name);
    if (r.code != FILO_OK) return r;
    r = check_freetype(file, name);
    if (r.code != FILO_OK) return r;
    report_colors(file, name);
    read_metrics(file);
    return r;
}

// Formats that fonts often have, and that are not read, with what to do instead.
static FiloResult check_format(const FiloAssetBytes *bytes) {
    static const struct {
        const char *start, *advice;
    } formats[] = {
        { "<?xml", "a bitmap font in XML: export it in the text format of BMFont" },
        { "<font", "a bitmap font in XML: export it in the text format of BMFont" },
        { "BMF\3", "a binary bitmap font: export it in the text format of BMFont" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(formats); i++)
        if (bytes->size >= strlen(formats[i].start) &&
            memcmp(bytes->bytes, formats[i].start, strlen(formats[i].start)) == 0)
            return bad_font(bytes->name, formats[i].advice);
    return filo_ok();
}

// ---- Web fonts ------------------------------------------------------------------------------------------

static bool is_web_font(const FiloAssetBytes *bytes) {
    uint32_t start = number_at(bytes->bytes, bytes->size, 0, 4);
    return start == HB_TAG('w', 'O', 'F', 'F') || start == HB_TAG('w', 'O', 'F', '2');
}

static FiloResult too_large(const char *name) {
    return filo_error(FILO_ERROR_LIMIT, "%s: a font of more than 256 MiB", name);
}

static FiloResult copy_unpacked(TextFontFile *file, FT_Face face, const char *name) {
    FT_ULong size = 0;
    if (FT_Load_Sfnt_Table(face, 0, 0, NULL, &size) != 0 || size == 0) // 0: the whole file
        return bad_font(name, "a web font that is damaged");
    if (size > TEXT_FONT_BYTES_MAX) return too_large(name);
    file->bytes = filo_alloc(file->allocator, size, 0);
    if (file->bytes == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the font", name);
    file->size = size;
    return FT_Load_Sfnt_Table(face, 0, 0, file->bytes, &size) == 0
               ? filo_ok()
               : bad_font(name, "a web font that is damaged");
}

// FreeType makes a TrueType or OpenType file of a WOFF or WOFF2 one, which is kept instead.
static FiloResult unpack(TextFontFile *file, const FiloAssetBytes *bytes) {
    if (number_at(bytes->bytes, bytes->size, 16, 4) > TEXT_FONT_BYTES_MAX) return too_large(bytes->name);
    TextFreeType freetype;
    FT_Face face;
    if (!text_freetype_init(&freetype, file->allocator))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory to read the font", bytes->name);
    FT_Error error = FT_New_Memory_Face(freetype.library, bytes->bytes, (FT_Long)bytes->size, 0, &face);
    FiloResult r;
    if (text_freetype_ok(&freetype, error)) {
        r = copy_unpacked(file, face, bytes->name);
        FT_Done_Face(face);
    } else {
        r = bad_font(bytes->name,
                     error == FT_Err_Unimplemented_Feature
                         ? "a web font, which this FreeType cannot unpack: convert it to TTF or OTF"
                         : "a web font that is damaged");
    }
    text_freetype_deinit(&freetype);
    return freetype.failed ? filo_error(FILO_ERROR_MEMORY, "%s: no memory to read the font", bytes->name) : r;
}

static FiloResult copy_bytes(TextFontFile *file, const FiloAssetBytes *bytes) {
    file->bytes = filo_alloc(file->allocator, bytes->size, 0);
    if (file->bytes == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the font", bytes->name);
    file->size = bytes->size;
    memcpy(file->bytes, bytes->bytes, bytes->size);
    return filo_ok();
}

// The text format begins with "info", after a mark of UTF-8 if there is one.
static bool is_bitmap_font(const uint8_t *bytes, size_t size) {
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) bytes += 3, size -= 3;
    return size >= 5 && memcmp(bytes, "info ", 5) == 0;
}

FiloResult text_font_file_read(TextFontFile **out, const FiloAssetBytes *bytes) {
    *out = NULL;
    if (bytes->size == 0) return bad_font(bytes->name, "it is empty");
    if (bytes->size > TEXT_FONT_BYTES_MAX) return too_large(bytes->name);
    FiloResult r = check_format(bytes);
    if (r.code != FILO_OK) return r;
    bool bitmap = is_bitmap_font(bytes->bytes, bytes->size);
    TextFontFile *file =
        text_font_file_create(bitmap ? TEXT_FONT_BITMAP : TEXT_FONT_OUTLINE, bytes->allocator);
    if (file == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the font", bytes->name);
    if (bitmap) {
        r = text_bitmap_read(file, bytes);
    } else {
        r = is_web_font(bytes) ? unpack(file, bytes) : copy_bytes(file, bytes);
        if (r.code == FILO_OK) r = read_outline(file, bytes->name);
    }
    if (r.code != FILO_OK)
        text_font_file_release(file);
    else
        *out = file;
    return r;
}

// ---- The type of assets ---------------------------------------------------------------------------------

static FiloResult decode(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    TextFontFile *file;
    FiloResult r = text_font_file_read(&file, bytes);
    *data = file;
    return r;
}

static void free_file(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(allocator);
    FILO_UNUSED(user);
    text_font_file_release(data);
}

static size_t file_size(const void *data, void *user) {
    FILO_UNUSED(user);
    const TextFontFile *file = data;
    size_t size = sizeof *file + file->size;
    if (file->bitmap != NULL)
        size += sizeof *file->bitmap + file->bitmap->glyph_count * sizeof *file->bitmap->glyphs +
                file->bitmap->kerning_count * sizeof *file->bitmap->kernings;
    return size;
}

FiloAssetType text_font_type(void) {
    return (FiloAssetType){ .name = "font",
                            .extensions = { "ttf", "otf", "ttc", "otc", "woff", "woff2", "fnt" },
                            .decode = decode,
                            .free = free_file,
                            .size = file_size };
}
