// Tags of mark-up, and colours by name.

#include "text/shape/markup.h"

#include <filo/check.h>

#include <math.h>

#define TAG_MAX 256 // bytes; longer ones are shown as they are, so that reading them costs no more than this

// ---- Colours --------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    uint32_t rgb;
} colors[] = {
    { "black", 0x000000 }, { "blue", 0x3B82F6 },    { "brown", 0x92400E }, { "cyan", 0x22D3EE },
    { "gold", 0xFFD700 },  { "gray", 0x808080 },    { "green", 0x22C55E }, { "grey", 0x808080 },
    { "lime", 0xA3E635 },  { "magenta", 0xFF00FF }, { "navy", 0x1E3A8A },  { "orange", 0xFF8C00 },
    { "pink", 0xFF69B4 },  { "purple", 0x9333EA },  { "red", 0xEF4444 },   { "silver", 0xC0C0C0 },
    { "sky", 0x7DD3FC },   { "teal", 0x14B8A6 },    { "white", 0xFFFFFF }, { "yellow", 0xFACC15 },
};

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool parse_hex(FiloString digits, FiloColor *color) {
    size_t n = digits.length;
    if (n != 3 && n != 4 && n != 6 && n != 8) return false;
    uint8_t bytes[4] = { 0, 0, 0, 255 };
    size_t per_byte = n <= 4 ? 1 : 2;
    for (size_t i = 0; i < n / per_byte; i++) {
        int high = hex_digit(digits.data[i * per_byte]);
        int low = hex_digit(digits.data[i * per_byte + per_byte - 1]);
        if (high < 0 || low < 0) return false;
        bytes[i] = (uint8_t)(high * 16 + low);
    }
    *color = filo_color_from_bytes(bytes[0], bytes[1], bytes[2], bytes[3]);
    return true;
}

bool filo_text_parse_color(FiloString string, FiloColor *color) {
    if (!FILO_CHECK(color != NULL, "pass a place for the colour")) return false;
    *color = (FiloColor){ 0 };
    if (string.data == NULL || string.length == 0) return false;
    if (string.data[0] == '#') return parse_hex(filo_string_slice(string, 1, SIZE_MAX), color);
    for (size_t i = 0; i < FILO_COUNT_OF(colors); i++)
        if (filo_string_equal(string, filo_string(colors[i].name))) {
            *color = filo_color_from_hex(colors[i].rgb << 8 | 0xFF);
            return true;
        }
    return false;
}

// ---- Tags -----------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    bool has_value;
} tags[] = {
    [TEXT_TAG_BOLD] = { "b", false },      [TEXT_TAG_ITALIC] = { "i", false },
    [TEXT_TAG_UNDERLINE] = { "u", false }, [TEXT_TAG_STRIKE] = { "s", false },
    [TEXT_TAG_COLOR] = { "color", true },  [TEXT_TAG_SIZE] = { "size", true },
    [TEXT_TAG_FONT] = { "font", true },    [TEXT_TAG_LINK] = { "link", true },
    [TEXT_TAG_ICON] = { "icon", true },    [TEXT_TAG_AXES] = { "axes", true },
};

static bool read_size(TextTag *tag, FiloString value) {
    tag->percent = value.length > 0 && value.data[value.length - 1] == '%';
    if (tag->percent) value.length--;
    return filo_parse_float(value, &tag->number).code == FILO_OK && isfinite(tag->number) &&
           tag->number > 0.0f;
}

static bool read_value(TextTag *tag) {
    if (tag->value.length == 0) return false;
    switch (tag->kind) {
    case TEXT_TAG_COLOR:
        // A colour of zeroes would be that of the style.
        return filo_text_parse_color(tag->value, &tag->color) && !text_color_is_zero(tag->color);
    case TEXT_TAG_SIZE: return read_size(tag, tag->value);
    // Names are never freed, so mark-up makes none: the families, and fonts that are used, have theirs.
    case TEXT_TAG_FONT: tag->font = filo_name_find(tag->value); return tag->font.id != 0;
    case TEXT_TAG_AXES: return text_axes_read(&(TextAxes){ 0 }, tag->value);
    default: return true;
    }
}

size_t text_tag_read(TextTag *tag, FiloString text) {
    *tag = (TextTag){ 0 };
    text.length = FILO_MIN(text.length, TAG_MAX);
    size_t end = 1, equals = 0;
    while (end < text.length && text.data[end] != ']' && text.data[end] != '[' && text.data[end] != '\n') {
        if (text.data[end] == '=' && equals == 0) equals = end;
        end++;
    }
    if (end >= text.length || text.data[end] != ']') return 0;
    tag->ends = text.data[1] == '/';
    size_t start = tag->ends ? 2 : 1;
    FiloString name = filo_string_slice(text, start, (equals != 0 ? equals : end) - start);
    if (equals != 0) tag->value = filo_string_slice(text, equals + 1, end - equals - 1);
    for (size_t i = 0; i < FILO_COUNT_OF(tags); i++) {
        if (!filo_string_equal(name, filo_string(tags[i].name))) continue;
        tag->kind = (TextTagKind)i;
        if (tag->ends) return equals == 0 && tag->kind != TEXT_TAG_ICON ? end + 1 : 0;
        if (tags[i].has_value != (equals != 0)) return 0;
        return !tags[i].has_value || read_value(tag) ? end + 1 : 0;
    }
    return 0;
}

size_t filo_text_escape(char *escaped, size_t size, FiloString text) {
    if (!FILO_CHECK(escaped != NULL || size == 0, "pass memory for the text")) size = 0;
    if (text.data == NULL) text.length = 0;
    size_t length = 0, written = 0;
    bool fits = true;
    for (size_t i = 0; i < text.length;) {
        uint32_t character;
        size_t bytes = filo_utf8_decode(filo_string_slice(text, i, 4), &character);
        size_t times = character == '[' || character == ']' ? 2 : 1;
        fits = fits && length + bytes * times < size;
        for (size_t t = 0; t < times && fits; t++) {
            memcpy(escaped + written, text.data + i, bytes);
            written += bytes;
        }
        length += bytes * times;
        i += bytes;
    }
    if (size > 0) escaped[written] = '\0';
    return length;
}
