// Tags of mark-up.

#ifndef TEXT_MARKUP_H
#define TEXT_MARKUP_H

#include "text/shape/work.h"

typedef enum TextTagKind {
    TEXT_TAG_BOLD,
    TEXT_TAG_ITALIC,
    TEXT_TAG_UNDERLINE,
    TEXT_TAG_STRIKE,
    TEXT_TAG_COLOR,
    TEXT_TAG_SIZE,
    TEXT_TAG_FONT,
    TEXT_TAG_LINK,
    TEXT_TAG_ICON,
    TEXT_TAG_AXES,
} TextTagKind;

typedef struct TextTag {
    TextTagKind kind;
    bool ends;    // [/b]
    bool percent; // of `number`
    float number; // of a size
    FiloColor color;
    FiloName font;    // permanent only if it was before
    FiloString value; // after '='
    uint32_t link;    // 1 + index; set by the parser
} TextTag;

// Reads a tag at the beginning of a text; returns its length, 0 if there is none.
size_t text_tag_read(TextTag *tag, FiloString text);

#endif
