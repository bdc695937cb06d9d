// Sources, fonts and families: see fonts.h.

#include "base/suggest.h"
#include "text/font/font_file.h"
#include "text/typesetter.h"

#include <filo/check.h>
#include <filo/files.h>
#include <filo/log.h>

// ---- Fonts of a source ----------------------------------------------------------------------------------

const TextFont *text_font_at(const FiloTypesetter *setter, uint16_t index) {
    return setter != NULL && index < setter->fonts.fonts.count ? setter->fonts.fonts.items[index] : NULL;
}

// Replaces the file of a font; on failure it stays as it was.
static bool set_file(TextFont *font, TextFontFile *file) {
    hb_font_t *hb = text_shaper_font_create(file, font, font->plain);
    if (hb == NULL) return false;
    hb_font_destroy(font->hb);
    text_font_file_release(font->file);
    font->hb = hb;
    font->file = text_font_file_retain(file);
    font->version++;
    return true;
}

// Adds a font of a file, in the style of `desc`; TEXT_NO_SOURCE if there are too many, or without memory.
static uint16_t add_font(FiloTypesetter *setter, TextFontFile *file, const TextFont *desc) {
    TextFonts *fonts = &setter->fonts;
    if (fonts->fonts.count >= FILO_TEXT_FONTS_MAX) {
        if (!fonts->full_reported)
            filo_log_warn("text", "%s is not shown: there are %d fonts already", filo_name_text(desc->name),
                          FILO_TEXT_FONTS_MAX);
        fonts->full_reported = true;
        return TEXT_NO_SOURCE;
    }
    TextFont *font = filo_alloc_zero(setter->allocator, sizeof *font, 0);
    if (font == NULL) return TEXT_NO_SOURCE;
    *font = *desc;
    font->index = (uint16_t)fonts->fonts.count;
    if (!set_file(font, file) || !filo_array_push(&fonts->fonts, font)) {
        hb_font_destroy(font->hb);
        text_font_file_release(font->file);
        filo_free(setter->allocator, font, sizeof *font, 0);
        return TEXT_NO_SOURCE;
    }
    return font->index;
}

// The font of a source at these axes, with these styles synthesised, as far as no axis has them. Bitmap fonts are not
// slanted. If there is no room for another font, the one that is shown without axes.
static uint16_t font_of(FiloTypesetter *setter, uint16_t source_index, unsigned style, const TextAxes *axes) {
    const TextSource *source = &setter->fonts.sources.items[source_index];
    if (source->file == NULL) return TEXT_NO_SOURCE;
    TextFont desc = { .source = source_index,
                      .name = source->name,
                      .bold = (style & 1) != 0 && !text_axes_has(source->file->face, TEXT_AXIS_WEIGHT),
                      .slanted = (style & 2) != 0,
                      .axes = text_axes_of_face(source->file->face, axes) };
    filo_array_each (&setter->fonts.fonts, font)
        if ((*font)->source == desc.source && (*font)->bold == desc.bold &&
            (*font)->slanted == desc.slanted && text_axes_equal(&(*font)->axes, &desc.axes))
            return (*font)->index;
    uint16_t added = add_font(setter, source->file, &desc);
    if (added != TEXT_NO_SOURCE || desc.axes.count == 0) return added;
    return font_of(setter, source_index, style, &(TextAxes){ 0 });
}

static void set_source_file(TextSource *source, TextFonts *fonts, TextFontFile *file) {
    uint16_t index = (uint16_t)(source - fonts->sources.items);
    text_font_file_release(source->file);
    source->file = text_font_file_retain(file);
    source->failed = false;
    filo_array_each (&fonts->fonts, font)
        if ((*font)->source == index) set_file(*font, file);
}

// ---- Sources --------------------------------------------------------------------------------------------

// Finds the source of a name, or adds it, without loading anything.
static FiloResult put_source(FiloTypesetter *setter, FiloString text, uint16_t *index) {
    TextFonts *fonts = &setter->fonts;
    FiloName name;
    *index = TEXT_NO_SOURCE;
    FiloResult r = filo_name_retain(&name, text);
    if (r.code != FILO_OK) return r;
    uint16_t *found = filo_map_get(&fonts->source_of, name.id);
    if (found != NULL) {
        *index = *found;
        filo_name_release(name);
        return r;
    }
    TextSource source = { .name = name };
    uint16_t added = (uint16_t)fonts->sources.count;
    bool room = added < FILO_TEXT_FONTS_MAX;
    if (room && filo_array_push(&fonts->sources, source)) {
        if (filo_map_set(&fonts->source_of, name.id, &added)) {
            *index = added;
            return r;
        }
        fonts->sources.count--;
    }
    filo_name_release(name);
    return room ? filo_error(FILO_ERROR_MEMORY, FILO_STRING_FORMAT ": no memory for another font",
                             FILO_STRING_PRINT(text))
                : filo_error(FILO_ERROR_LIMIT, FILO_STRING_FORMAT ": there are %d fonts already",
                             FILO_STRING_PRINT(text), FILO_TEXT_FONTS_MAX);
}

static void take_asset(FiloTypesetter *setter, TextSource *source) {
    uint32_t version = filo_asset_version(setter->assets, source->asset);
    FiloAssetState state = filo_asset_state(setter->assets, source->asset);
    if (state == FILO_ASSET_FAILED) source->failed = true;
    if (version == source->asset_version || state != FILO_ASSET_READY) return;
    source->asset_version = version;
    set_source_file(source, &setter->fonts, (TextFontFile *)filo_asset_data(setter->assets, source->asset));
    setter->fonts.generation++;
}

// A name without an extension is probably meant to be a family, or a font that the program has added.
static void report_name(const FiloTypesetter *setter, FiloName name) {
    const TextFonts *fonts = &setter->fonts;
    FiloString text = filo_name_string(name);
    BaseSuggestion suggestion = base_suggest(text);
    filo_array_each (&fonts->families, family)
        base_suggest_offer(&suggestion, filo_name_string(family->name));
    filo_array_each (&fonts->sources, source)
        if (source->file != NULL) base_suggest_offer(&suggestion, filo_name_string(source->name));
    char meant[BASE_SUGGEST_SIZE];
    base_suggest_print(&suggestion, meant);
    if (setter->assets == NULL)
        filo_log_warn("text", "there is no font %s%s%s", filo_name_text(name), meant,
                      meant[0] != '\0' ? "" : ": add it with filo_text_add_font");
    else if (memchr(text.data, '.', text.length) == NULL)
        filo_log_warn("text", "%s is no family or font of the program, and is looked for as a file%s",
                      filo_name_text(name), meant);
}

// The source of a name, which starts to load if it is new.
static uint16_t load_source(FiloTypesetter *setter, FiloString text) {
    uint16_t index;
    FiloResult r = put_source(setter, text, &index);
    if (r.code != FILO_OK) {
        filo_log_warn("text", "%s", r.message);
        return index;
    }
    TextSource *source = &setter->fonts.sources.items[index];
    if (source->file != NULL || source->asset.id != 0 || source->failed) return index;
    report_name(setter, source->name);
    if (setter->assets != NULL)
        source->asset = filo_assets_load_as(setter->assets, "font", filo_name_text(source->name));
    if (source->asset.id != 0) {
        take_asset(setter, source);
    } else {
        source->failed = true;
    }
    return index;
}

bool text_fonts_update(FiloTypesetter *setter) {
    TextFonts *fonts = &setter->fonts;
    uint32_t before = fonts->generation;
    for (size_t i = 0; i < fonts->sources.count; i++)
        if (fonts->sources.items[i].asset.id != 0) take_asset(setter, &fonts->sources.items[i]);
    return fonts->generation != before;
}

FiloResult filo_text_add_font(FiloTypesetter *setter, const char *name, const void *bytes, size_t size) {
    if (setter == NULL) return FILO_MISTAKE("pass the typesetter that filo_typesetter_create returned");
    if (name == NULL || name[0] == '\0') return FILO_MISTAKE("give the font a name");
    if (bytes == NULL && size > 0) return FILO_MISTAKE("pass the bytes of the font");
    FiloAssetBytes file_bytes = {
        .name = name, .bytes = bytes, .size = size, .allocator = setter->allocator
    };
    TextFontFile *file;
    FiloResult r = text_font_file_read(&file, &file_bytes);
    if (r.code != FILO_OK) return r;
    uint16_t index;
    r = put_source(setter, filo_string(name), &index);
    if (r.code != FILO_OK) {
        text_font_file_release(file);
        return r;
    }
    TextSource *source = &setter->fonts.sources.items[index];
    if (source->asset.id != 0) filo_assets_unload(setter->assets, source->asset);
    source->asset = (FiloAsset){ 0 };
    set_source_file(source, &setter->fonts, file);
    text_font_file_release(file);
    setter->fonts.generation++;
    return filo_ok();
}

FiloResult filo_text_load_font(FiloTypesetter *setter, const char *name, const char *path) {
    if (setter == NULL) return FILO_MISTAKE("pass the typesetter that filo_typesetter_create returned");
    if (name == NULL || name[0] == '\0') return FILO_MISTAKE("give the font a name");
    if (path == NULL) return FILO_MISTAKE("pass the path of the font");
    FiloFileData file;
    FiloResult r = filo_file_read(
        &file, path, &(FiloFileReadDesc){ .allocator = setter->allocator, .limit = TEXT_FONT_BYTES_MAX });
    if (r.code != FILO_OK) return r;
    r = filo_text_add_font(setter, name, file.bytes, file.size);
    filo_file_free(&file);
    return r;
}

// ---- Families -------------------------------------------------------------------------------------------

static void release_names(FiloName *names, size_t count) {
    for (size_t i = 0; i < count; i++) filo_name_release(names[i]);
}

static FiloResult retain_names(FiloName *names, size_t *kept, const char *const *texts, size_t count) {
    *kept = 0;
    for (size_t i = 0; i < count; i++) {
        FiloResult r = texts[i] == NULL ? FILO_MISTAKE("fallback font %zu has no name", i)
                                        : filo_name_retain(&names[i], filo_string(texts[i]));
        if (r.code != FILO_OK) {
            release_names(names, i);
            return r;
        }
        *kept = i + 1;
    }
    return filo_ok();
}

FiloResult filo_text_add_family(FiloTypesetter *setter, const FiloFontFamily *desc) {
    if (setter == NULL) return FILO_MISTAKE("pass the typesetter that filo_typesetter_create returned");
    if (desc == NULL || desc->name == NULL || desc->name[0] == '\0')
        return FILO_MISTAKE("give the family a name");
    if (desc->regular == NULL) return FILO_MISTAKE("the family %s needs a regular font", desc->name);
    if (desc->fallback_count > TEXT_FALLBACK_MAX || (desc->fallback == NULL && desc->fallback_count > 0))
        return FILO_MISTAKE("pass up to %d fallback fonts", TEXT_FALLBACK_MAX);
    TextFonts *fonts = &setter->fonts;
    TextFamily family = { 0 };
    if (desc->axes != NULL && !text_axes_read(&family.axes, filo_string(desc->axes)))
        return FILO_MISTAKE("the axes of the family %s cannot be read, \"%s\": write \"wght 650, wdth 80\"",
                            desc->name, desc->axes);
    FiloResult r =
        retain_names(family.fallback, &family.fallback_count, desc->fallback, desc->fallback_count);
    if (r.code != FILO_OK) return r;
    const char *const files[TEXT_STYLES] = { desc->regular, desc->bold, desc->italic, desc->bold_italic };
    for (unsigned i = 0; i < TEXT_STYLES; i++)
        family.sources[i] = files[i] != NULL ? load_source(setter, filo_string(files[i])) : TEXT_NO_SOURCE;
    r = filo_name_retain(&family.name, filo_string(desc->name));
    if (r.code != FILO_OK) {
        release_names(family.fallback, family.fallback_count);
        return r;
    }
    fonts->generation++;
    uint16_t *index = filo_map_get(&fonts->family_of, family.name.id);
    if (index != NULL) {
        TextFamily *old = &fonts->families.items[*index];
        release_names(old->fallback, old->fallback_count);
        filo_name_release(old->name);
        *old = family;
        return filo_ok();
    }
    uint16_t added = (uint16_t)fonts->families.count;
    bool room = added < FILO_TEXT_FONTS_MAX;
    if (room && filo_array_push(&fonts->families, family)) {
        if (filo_map_set(&fonts->family_of, family.name.id, &added)) return filo_ok();
        fonts->families.count--;
    }
    release_names(family.fallback, family.fallback_count);
    filo_name_release(family.name);
    return room ? filo_error(FILO_ERROR_MEMORY, "no memory for the family %s", desc->name)
                : filo_error(FILO_ERROR_LIMIT, "there are %d families already", FILO_TEXT_FONTS_MAX);
}

FiloResult filo_text_set_fallback(FiloTypesetter *setter, const char *const *names, size_t count) {
    if (setter == NULL) return FILO_MISTAKE("pass the typesetter that filo_typesetter_create returned");
    if (count > TEXT_FALLBACK_MAX || (names == NULL && count > 0))
        return FILO_MISTAKE("pass up to %d fallback fonts", TEXT_FALLBACK_MAX);
    FiloName kept[TEXT_FALLBACK_MAX];
    size_t kept_count;
    FiloResult r = retain_names(kept, &kept_count, names, count);
    if (r.code != FILO_OK) return r;
    release_names(setter->fonts.fallback, setter->fonts.fallback_count);
    memcpy(setter->fonts.fallback, kept, kept_count * sizeof *kept);
    setter->fonts.fallback_count = kept_count;
    setter->fonts.generation++;
    return filo_ok();
}

// ---- Chains ---------------------------------------------------------------------------------------------

static void add_to_chain(FiloTypesetter *setter, TextChain *chain, uint16_t index) {
    if (index == TEXT_NO_SOURCE || chain->count == TEXT_CHAIN_MAX) return;
    for (size_t i = 0; i < chain->count; i++)
        if (chain->fonts[i] == index) return;
    chain->fonts[chain->count++] = index;
    chain->has_color = chain->has_color || setter->fonts.fonts.items[index]->file->has_color;
}

static const TextFamily *find_family(const TextFonts *fonts, FiloName name) {
    const uint16_t *index = filo_map_get(&fonts->family_of, name.id);
    return index != NULL ? &fonts->families.items[*index] : NULL;
}

// Bold is a weight of at least 700 in fonts with that axis, and a weight of 600 is bold in those
// without. Returns the style.
static unsigned join_weight(TextAxes *axes, unsigned style) {
    const float *weight = text_axes_find(axes, TEXT_AXIS_WEIGHT);
    if ((style & 1) != 0)
        (void)text_axes_set(axes, TEXT_AXIS_WEIGHT, weight != NULL ? FILO_MAX(*weight, 700.0f) : 700.0f);
    return weight != NULL && *weight >= 600.0f ? style | 1 : style;
}

// Which files of a family are asked for a style, in this order, and what each of them lacks.
static uint16_t family_font(FiloTypesetter *setter, const TextFamily *family, unsigned style,
                            const TextAxes *over) {
    static const uint8_t nearest[TEXT_STYLES][TEXT_STYLES] = {
        { 0, 2, 1, 3 }, { 1, 0, 3, 2 }, { 2, 0, 3, 1 }, { 3, 1, 2, 0 }
    };
    TextAxes axes = family->axes;
    text_axes_merge(&axes, over);
    style = join_weight(&axes, style);
    for (unsigned i = 0; i < TEXT_STYLES; i++) {
        unsigned have = nearest[style][i], lacks = style & ~have;
        if (family->sources[have] == TEXT_NO_SOURCE) continue;
        uint16_t font = font_of(setter, family->sources[have], lacks, &axes);
        if (font != TEXT_NO_SOURCE) return font;
    }
    return TEXT_NO_SOURCE;
}

// The font of a family or of an asset in a style; TEXT_NO_SOURCE if it is not there.
static uint16_t named_font(FiloTypesetter *setter, FiloName name, unsigned style, const TextAxes *axes) {
    if (name.id == 0) return TEXT_NO_SOURCE;
    const TextFamily *family = find_family(&setter->fonts, name);
    if (family != NULL) return family_font(setter, family, style, axes);
    uint16_t source = load_source(setter, filo_name_string(name));
    if (source == TEXT_NO_SOURCE) return source;
    TextAxes own = *axes;
    style = join_weight(&own, style);
    return font_of(setter, source, style, &own);
}

void filo_text_set_default_font(FiloTypesetter *setter, FiloName font) {
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned")) return;
    setter->fonts.default_font = font;
    setter->fonts.generation++;
    FiloString name = filo_name_string(font);
    // A file, and not a family that may be added later: one that is missing is reported, though nothing is written with it.
    if (setter->assets != NULL && memchr(name.data, '.', name.length) != NULL)
        (void)named_font(setter, font, 0, &(TextAxes){ 0 });
}

static void build_chain(FiloTypesetter *setter, TextChain *chain, FiloName name, unsigned style,
                        const TextAxes *axes) {
    *chain = (TextChain){ 0 };
    if (name.id == 0) add_to_chain(setter, chain, 0); // there is no default font
    add_to_chain(setter, chain, named_font(setter, name, style, axes));
    const TextFamily *family = find_family(&setter->fonts, name);
    if (family != NULL)
        for (size_t i = 0; i < family->fallback_count; i++)
            add_to_chain(setter, chain, named_font(setter, family->fallback[i], style, axes));
    for (size_t i = 0; i < setter->fonts.fallback_count; i++)
        add_to_chain(setter, chain, named_font(setter, setter->fonts.fallback[i], style, axes));
    add_to_chain(setter, chain, named_font(setter, setter->fonts.default_font, style, axes));
    add_to_chain(setter, chain, 0);
}

typedef struct ChainEntry {
    uint32_t generation;
    TextChain chain;
} ChainEntry;

uint16_t text_fonts_axes(FiloTypesetter *setter, const TextAxes *axes) {
    TextFonts *fonts = &setter->fonts;
    for (size_t i = 0; i < fonts->axes.count; i++)
        if (text_axes_equal(&fonts->axes.items[i], axes)) return (uint16_t)i;
    if (fonts->axes.count < TEXT_AXES_SETS_MAX)
        return filo_array_push(&fonts->axes, *axes) ? (uint16_t)(fonts->axes.count - 1) : 0;
    if (!fonts->axes_reported)
        filo_log_warn("text", "there are %d places on axes of fonts already: further ones are not shown",
                      TEXT_AXES_SETS_MAX);
    fonts->axes_reported = true;
    return 0;
}

const TextChain *text_fonts_chain(FiloTypesetter *setter, FiloName name, bool bold, bool italic,
                                  uint16_t axes) {
    static const TextChain built_in = { .fonts = { 0 }, .count = 1 };
    TextFonts *fonts = &setter->fonts;
    if (name.id == 0) name = fonts->default_font;
    unsigned style = (bold ? 1u : 0u) | (italic ? 2u : 0u);
    ChainEntry **slot = filo_map_put(&fonts->chains, (uint64_t)axes << 34 | (uint64_t)name.id << 2 | style);
    if (slot == NULL) return &built_in;
    ChainEntry *entry = *slot;
    if (entry != NULL && entry->generation == fonts->generation) return &entry->chain;
    if (entry == NULL) entry = *slot = filo_alloc_zero(setter->allocator, sizeof *entry, 0);
    if (entry == NULL) return &built_in;
    // A font that is loaded here may be ready at once, which changes the generation.
    uint32_t generation;
    do {
        generation = fonts->generation;
        build_chain(setter, &entry->chain, name, style, &fonts->axes.items[axes]);
    } while (generation != fonts->generation);
    entry->generation = generation;
    return &entry->chain;
}

// ---- Beginning and end ----------------------------------------------------------------------------------

bool text_fonts_init(FiloTypesetter *setter) {
    TextFonts *fonts = &setter->fonts;
    filo_array_init(&fonts->sources, setter->allocator);
    filo_array_init(&fonts->fonts, setter->allocator);
    filo_array_init(&fonts->families, setter->allocator);
    filo_array_init(&fonts->axes, setter->allocator);
    filo_map_init(&fonts->source_of, sizeof(uint16_t), setter->allocator);
    filo_map_init(&fonts->family_of, sizeof(uint16_t), setter->allocator);
    filo_map_init(&fonts->chains, sizeof(ChainEntry *), setter->allocator);
    filo_map_init(&fonts->missing, 0, setter->allocator);
    fonts->generation = 1;
    TextFontFile *built_in = text_built_in_create(setter->allocator);
    bool ready = built_in != NULL && filo_array_push(&fonts->axes, (TextAxes){ 0 }) &&
                 add_font(setter, built_in, &(TextFont){ .source = TEXT_NO_SOURCE }) == 0;
    text_font_file_release(built_in);
    return ready;
}

void text_fonts_deinit(FiloTypesetter *setter) {
    TextFonts *fonts = &setter->fonts;
    if (fonts->generation == 0) return; // never initialised
    filo_map_each (&fonts->chains, i)
        filo_free(setter->allocator, *(ChainEntry **)filo_map_value_at(&fonts->chains, i), sizeof(ChainEntry),
                  0);
    for (size_t i = 0; i < fonts->fonts.count; i++) {
        hb_font_destroy(fonts->fonts.items[i]->hb);
        text_font_file_release(fonts->fonts.items[i]->file);
        filo_free(setter->allocator, fonts->fonts.items[i], sizeof(TextFont), 0);
    }
    for (size_t i = 0; i < fonts->sources.count; i++) {
        TextSource *source = &fonts->sources.items[i];
        text_font_file_release(source->file);
        if (source->asset.id != 0) filo_assets_unload(setter->assets, source->asset);
        filo_name_release(source->name);
    }
    for (size_t i = 0; i < fonts->families.count; i++) {
        release_names(fonts->families.items[i].fallback, fonts->families.items[i].fallback_count);
        filo_name_release(fonts->families.items[i].name);
    }
    release_names(fonts->fallback, fonts->fallback_count);
    filo_map_deinit(&fonts->chains);
    filo_map_deinit(&fonts->missing);
    filo_map_deinit(&fonts->source_of);
    filo_map_deinit(&fonts->family_of);
    filo_array_deinit(&fonts->sources);
    filo_array_deinit(&fonts->fonts);
    filo_array_deinit(&fonts->families);
    filo_array_deinit(&fonts->axes);
}

// ---- Queries --------------------------------------------------------------------------------------------

#define MISSING_MAX 256 // characters that are reported

void text_fonts_report_missing(FiloTypesetter *setter, FiloName font, uint32_t code_point) {
    FiloMap *missing = &setter->fonts.missing;
    if (missing->count >= MISSING_MAX || filo_map_has(missing, code_point)) return;
    if (filo_map_put(missing, code_point) == NULL) return;
    if (font.id == 0) font = setter->fonts.default_font;
    filo_log_warn("text",
                  "no font has the character U+%04X (of a text in %s): add one that has it as fallback%s",
                  (unsigned)code_point, font.id != 0 ? filo_name_text(font) : "the built-in font",
                  missing->count == MISSING_MAX ? "; further ones are not reported" : "");
}

FiloFontState filo_font_state(const FiloTypesetter *setter, FiloName font) {
    if (!FILO_CHECK(setter != NULL, "pass the typesetter that filo_typesetter_create returned"))
        return FILO_FONT_UNKNOWN;
    if (font.id == 0) font = setter->fonts.default_font;
    if (font.id == 0) return FILO_FONT_READY; // the built-in one
    const TextFamily *family = find_family(&setter->fonts, font);
    const uint16_t *index =
        family != NULL ? &family->sources[0] : filo_map_get(&setter->fonts.source_of, font.id);
    if (index == NULL) return FILO_FONT_UNKNOWN;
    if (*index == TEXT_NO_SOURCE) return FILO_FONT_FAILED;
    const TextSource *source = &setter->fonts.sources.items[*index];
    if (source->file != NULL) return FILO_FONT_READY;
    return source->failed ? FILO_FONT_FAILED : FILO_FONT_LOADING;
}
