// A typesetter with fonts of the system. A test is skipped if a font that it needs is not installed.

#ifndef FILO_TEST_TEXT_FIXTURE_H
#define FILO_TEST_TEXT_FIXTURE_H

#include "text/typesetter.h"

#include "support/test.h"

#include <filo/files.h>
#include <filo/log.h>

#define DEJAVU     "DejaVuSans.ttf"
#define ARABIC     "NotoSansArabic-Regular.ttf"
#define HEBREW     "NotoSansHebrew-Regular.ttf"
#define DEVANAGARI "NotoSansDevanagari-Regular.ttf"
#define THAI       "NotoSansThai-Regular.ttf"
#define JAPANESE   "VL-Gothic-Regular.ttf"
#define EMOJI      "NotoColorEmoji.ttf"

static inline FiloTypesetter *open_setter(void) {
    FiloTypesetter *setter;
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "error,text=off"));
    assert_ok(filo_typesetter_create(&setter, &(FiloTypesetterDesc){ 0 }));
    return setter;
}

// The path of an installed font; skips the test without it.
static inline const char *font_path(const char *file) {
    static char path[FILO_PATH_SIZE];
    FiloResult r = filo_font_find(path, sizeof path, file);
    if (r.code != FILO_OK) skip_because(r.message);
    return path;
}

// Adds an installed font under the name of its file.
static inline FiloName use_font(FiloTypesetter *setter, const char *file) {
    assert_ok(filo_text_load_font(setter, file, font_path(file)));
    return filo_name(file);
}

static inline FiloTypesetter *open_setter_with(const char *file) {
    const char *path = font_path(file); // before there is something to free
    FiloTypesetter *setter = open_setter();
    assert_ok(filo_text_load_font(setter, file, path));
    filo_text_set_default_font(setter, filo_name(file));
    return setter;
}

static inline const FiloTextLayout *lay_out(FiloTypesetter *setter, FiloTextStyle style, const char *text) {
    const FiloTextLayout *layout = filo_text_layout(setter, &style, filo_string(text));
    assert_non_null(layout);
    return layout;
}

// The bytes at which the lines of a layout begin, as a text: "0 6 12".
static inline const char *line_starts(const FiloTextLayout *layout) {
    static char text[512];
    size_t count, length = 0;
    const FiloTextLine *lines = filo_text_lines(layout, &count);
    text[0] = '\0';
    for (size_t i = 0; i < count && length < sizeof text; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, i > 0 ? " %u" : "%u", lines[i].first_byte);
    return text;
}

// The bytes of the glyphs of a layout in the order in which they are seen: "0 1 2".
static inline const char *seen_order(const FiloTextLayout *layout) {
    static char text[512];
    size_t count, length = 0;
    const FiloTextGlyph *glyphs = filo_text_glyphs(layout, &count);
    text[0] = '\0';
    for (size_t i = 0; i < count && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, i > 0 ? " %u" : "%u", glyphs[i].byte);
    return text;
}

// Text in the built-in font: letters are 8 wide, lines 16 high.
#define PLAIN(...) ((FiloTextStyle){ __VA_ARGS__ })

#endif
