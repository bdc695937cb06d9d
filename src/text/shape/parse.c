// Mark-up and UTF-8: a text becomes characters and spans.
//
// The tags that are open form a list, innermost last. An end tag closes the innermost one of its name, wherever it is in
// the list; the style of what follows is computed from the list anew. So tags may overlap.

#include "text/shape/markup.h"
#include "text/shape/unicode.h"
#include "text/typesetter.h"

#define OPEN_MAX 64

typedef struct Parser {
    FiloTypesetter *setter;
    TextWork *work;
    const FiloTextStyle *style;
    FiloString text;
    TextTag open[OPEN_MAX];
    size_t open_count;
    bool failed;
} Parser;

// There is room: a character takes at least a byte.
static void add_character(Parser *parser, uint32_t character, size_t byte) {
    TextWork *work = parser->work;
    work->characters.items[work->characters.count++] = character;
    work->bytes.items[work->bytes.count++] = (uint32_t)byte;
}

static void apply_tag(TextSpan *span, const TextTag *tag) {
    switch (tag->kind) {
    case TEXT_TAG_BOLD: span->bold = true; break;
    case TEXT_TAG_ITALIC: span->italic = true; break;
    case TEXT_TAG_UNDERLINE: span->underline = true; break;
    case TEXT_TAG_STRIKE: span->strike = true; break;
    case TEXT_TAG_COLOR: span->color = tag->color; break;
    case TEXT_TAG_SIZE:
        span->size = tag->percent ? span->size * tag->number / 100.0f : tag->number;
        span->size = FILO_CLAMP(span->size, 0.001f, FILO_TEXT_SIZE_MAX);
        break;
    case TEXT_TAG_FONT: span->font = tag->font; break;
    case TEXT_TAG_LINK:
        span->link = tag->link;
        span->underline = true;
        break;
    default: break;
    }
}

// The axes of the style with those of the open tags.
static uint16_t open_axes(const Parser *parser) {
    TextAxes axes = parser->setter->fonts.axes.items[parser->work->axes];
    bool changed = false;
    for (size_t i = 0; i < parser->open_count; i++)
        if (parser->open[i].kind == TEXT_TAG_AXES) {
            (void)text_axes_read(&axes, parser->open[i].value); // more than there may be are left out
            changed = true;
        }
    return changed ? text_fonts_axes(parser->setter, &axes) : parser->work->axes;
}

// Begins a span with the style of the open tags, here. Replaces one that would be empty.
static TextSpan *begin_span(Parser *parser) {
    TextWork *work = parser->work;
    const FiloTextStyle *style = parser->style;
    TextSpan span = { .start = (uint32_t)work->characters.count,
                      .font = style->font,
                      .size = style->size,
                      .axes = open_axes(parser),
                      .bold = style->bold,
                      .italic = style->italic,
                      .underline = style->underline,
                      .strike = style->strike };
    for (size_t i = 0; i < parser->open_count; i++) apply_tag(&span, &parser->open[i]);
    if (work->spans.count > 0 && work->spans.items[work->spans.count - 1].start == span.start)
        work->spans.count--;
    if (!filo_array_push(&work->spans, span)) {
        parser->failed = true;
        return NULL;
    }
    return &work->spans.items[work->spans.count - 1];
}

static bool close_tag(Parser *parser, TextTagKind kind) {
    for (size_t i = parser->open_count; i-- > 0;)
        if (parser->open[i].kind == kind) {
            memmove(&parser->open[i], &parser->open[i + 1],
                    (--parser->open_count - i) * sizeof *parser->open);
            begin_span(parser);
            return true;
        }
    return false;
}

static TextReference reference(const Parser *parser, FiloString value) {
    return (TextReference){ (uint32_t)(value.data - parser->text.data), (uint32_t)value.length };
}

static bool open_tag(Parser *parser, TextTag *tag, size_t byte) {
    TextWork *work = parser->work;
    if (tag->kind == TEXT_TAG_ICON) {
        if (!filo_array_push(&work->icons, reference(parser, tag->value))) parser->failed = true;
        TextSpan *span = begin_span(parser);
        if (parser->failed) return true;
        span->icon = (uint32_t)work->icons.count;
        add_character(parser, 0xFFFC, byte);
        begin_span(parser);
        return true;
    }
    if (parser->open_count == OPEN_MAX) return false;
    if (tag->kind == TEXT_TAG_LINK) {
        if (!filo_array_push(&work->links, reference(parser, tag->value))) parser->failed = true;
        tag->link = (uint32_t)work->links.count;
    }
    parser->open[parser->open_count++] = *tag;
    begin_span(parser);
    return true;
}

// Reads what begins with '[' at `byte`; returns how many bytes it takes, 0 if it is no mark-up.
static size_t read_bracket(Parser *parser, size_t byte) {
    FiloString rest = filo_string_slice(parser->text, byte, SIZE_MAX);
    if (rest.length >= 2 && rest.data[1] == '[') {
        add_character(parser, '[', byte);
        return 2;
    }
    TextTag tag;
    size_t length = text_tag_read(&tag, rest);
    if (length == 0) return 0;
    bool known = tag.ends ? close_tag(parser, tag.kind) : open_tag(parser, &tag, byte);
    return known ? length : 0;
}

// ']' needs no doubling; "]]" is one, so that filo_text_escape may double both.
static size_t read_character(Parser *parser, size_t byte) {
    FiloString rest = filo_string_slice(parser->text, byte, 4);
    uint32_t character;
    size_t length = filo_utf8_decode(rest, &character);
    if (parser->style->markup && character == ']' && rest.length >= 2 && rest.data[1] == ']') length = 2;
    // Control characters show nothing. The word joiner is one that shows nothing in every font.
    bool control = character < 0x20 ? character != '\t' && !text_is_newline(character)
                                    : character >= 0x7F && character < 0xA0 && character != 0x85;
    add_character(parser, control ? 0x2060 : character, byte);
    return length;
}

// Adds printable ASCII up to what is none, or may be mark-up; returns where that is.
static size_t read_ascii(Parser *parser, size_t byte) {
    TextWork *work = parser->work;
    const unsigned char *data = (const unsigned char *)parser->text.data;
    uint32_t *characters = work->characters.items, *bytes = work->bytes.items;
    size_t count = work->characters.count, length = parser->text.length;
    bool markup = parser->style->markup;
    for (; byte < length; byte++) {
        uint32_t c = data[byte];
        if (c < 0x20 || c >= 0x7F || (markup && (c == '[' || c == ']'))) break;
        characters[count] = c;
        bytes[count++] = (uint32_t)byte;
    }
    work->characters.count = work->bytes.count = count;
    return byte;
}

bool text_parse(FiloTypesetter *setter, const FiloTextStyle *style, FiloString text) {
    TextWork *work = &setter->work;
    Parser parser;
    parser.setter = setter;
    parser.work = work;
    parser.style = style;
    parser.text = text;
    parser.open_count = 0;
    parser.failed = false;
    if (!text_array_set_count(&work->characters, text.length + 1) ||
        !text_array_set_count(&work->bytes, text.length + 1))
        return false;
    filo_array_clear(&work->characters);
    filo_array_clear(&work->bytes);
    filo_array_clear(&work->spans);
    filo_array_clear(&work->links);
    filo_array_clear(&work->icons);
    begin_span(&parser);
    for (size_t byte = 0; byte < text.length && !parser.failed;) {
        byte = read_ascii(&parser, byte);
        if (byte == text.length) break;
        size_t length = style->markup && text.data[byte] == '[' ? read_bracket(&parser, byte) : 0;
        byte += length > 0 ? length : read_character(&parser, byte);
    }
    work->bytes.items[work->bytes.count++] = (uint32_t)text.length; // the end has a place, too
    return !parser.failed;
}
