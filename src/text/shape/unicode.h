// Properties of code points that no library here has: classes of grapheme clusters (UAX #29), and emoji.

#ifndef TEXT_UNICODE_H
#define TEXT_UNICODE_H

#include <filo/types.h>

typedef enum TextClusterClass {
    TEXT_CLUSTER_OTHER,
    TEXT_CLUSTER_CR,
    TEXT_CLUSTER_LF,
    TEXT_CLUSTER_CONTROL,
    TEXT_CLUSTER_EXTEND,
    TEXT_CLUSTER_ZWJ,
    TEXT_CLUSTER_REGIONAL,
    TEXT_CLUSTER_PREPEND,
    TEXT_CLUSTER_SPACING,
    TEXT_CLUSTER_HANGUL_L,
    TEXT_CLUSTER_HANGUL_V,
    TEXT_CLUSTER_HANGUL_T,
    TEXT_CLUSTER_HANGUL_LV,
    TEXT_CLUSTER_HANGUL_LVT,
    TEXT_CLUSTER_PICTURE,
} TextClusterClass;

typedef struct TextClusterRange {
    uint32_t first, last;
    TextClusterClass kind;
} TextClusterRange;
typedef struct TextCodeRange {
    uint32_t first, last;
} TextCodeRange;

extern const TextClusterRange text_cluster_ranges[];
extern const size_t text_cluster_range_count;
extern const TextCodeRange text_emoji_ranges[];
extern const size_t text_emoji_range_count;

TextClusterClass text_cluster_class(uint32_t code_point);

// The state of a search for the beginnings of grapheme clusters, from code point to code point. All zero at the
// beginning of a text.
typedef struct TextClusterState {
    uint8_t previous;    // TextClusterClass
    bool started;        // there was a code point
    bool picture;        // an emoji, and what extends it, was read
    bool picture_joined; // the same, and then a joiner
    bool odd_regional;   // an odd number of regional indicators
} TextClusterState;
// Whether a cluster begins at this code point.
bool text_cluster_begins(TextClusterState *state, uint32_t code_point);

// Emoji that are shown in colour, unless U+FE0E follows.
bool text_is_emoji(uint32_t code_point);
// What has no glyph of its own if a font lacks it: joiners, marks of direction, selectors.
bool text_is_ignorable(uint32_t code_point);
// Spaces at which a line may end, and that are not shown there.
bool text_is_space(uint32_t code_point);
// What ends a paragraph or a line.
bool text_is_newline(uint32_t code_point);
// Letters, digits, marks and emoji, of which words consist.
bool text_in_word(uint32_t code_point);

#endif
