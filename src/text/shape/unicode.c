// Grapheme clusters by the rules of UAX #29 (extended clusters, revision 41), one code point at a time.

#include "text/shape/unicode.h"

#include <harfbuzz/hb.h>

#define HANGUL_FIRST 0xAC00u
#define HANGUL_LAST  0xD7A3u
#define HANGUL_TAILS 28u

TextClusterClass text_cluster_class(uint32_t c) {
    if (c >= 0x20 && c < 0x7F) return TEXT_CLUSTER_OTHER;
    if (c >= HANGUL_FIRST && c <= HANGUL_LAST)
        return (c - HANGUL_FIRST) % HANGUL_TAILS == 0 ? TEXT_CLUSTER_HANGUL_LV : TEXT_CLUSTER_HANGUL_LVT;
    size_t low = 0, high = text_cluster_range_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const TextClusterRange *range = &text_cluster_ranges[middle];
        if (c < range->first)
            high = middle;
        else if (c > range->last)
            low = middle + 1;
        else
            return range->kind;
    }
    return TEXT_CLUSTER_OTHER;
}

static bool is_control(TextClusterClass kind) {
    return kind == TEXT_CLUSTER_CR || kind == TEXT_CLUSTER_LF || kind == TEXT_CLUSTER_CONTROL;
}

// Rules GB6 to GB8.
static bool joins_hangul(TextClusterClass before, TextClusterClass after) {
    switch (before) {
    case TEXT_CLUSTER_HANGUL_L:
        return after == TEXT_CLUSTER_HANGUL_L || after == TEXT_CLUSTER_HANGUL_V ||
               after == TEXT_CLUSTER_HANGUL_LV || after == TEXT_CLUSTER_HANGUL_LVT;
    case TEXT_CLUSTER_HANGUL_LV:
    case TEXT_CLUSTER_HANGUL_V: return after == TEXT_CLUSTER_HANGUL_V || after == TEXT_CLUSTER_HANGUL_T;
    case TEXT_CLUSTER_HANGUL_LVT:
    case TEXT_CLUSTER_HANGUL_T: return after == TEXT_CLUSTER_HANGUL_T;
    default: return false;
    }
}

static bool joins(const TextClusterState *state, TextClusterClass after) {
    TextClusterClass before = state->previous;
    if (before == TEXT_CLUSTER_CR && after == TEXT_CLUSTER_LF) return true; // GB3
    if (is_control(before) || is_control(after)) return false;              // GB4, GB5
    if (joins_hangul(before, after)) return true;
    if (after == TEXT_CLUSTER_EXTEND || after == TEXT_CLUSTER_ZWJ) return true;       // GB9
    if (after == TEXT_CLUSTER_SPACING || before == TEXT_CLUSTER_PREPEND) return true; // GB9a, GB9b
    if (after == TEXT_CLUSTER_PICTURE && state->picture_joined) return true;          // GB11
    return before == TEXT_CLUSTER_REGIONAL && after == TEXT_CLUSTER_REGIONAL &&
           state->odd_regional; // GB12, GB13
}

bool text_cluster_begins(TextClusterState *state, uint32_t code_point) {
    TextClusterClass kind = text_cluster_class(code_point);
    bool begins = !state->started || !joins(state, kind);
    state->started = true;
    state->previous = (uint8_t)kind;
    state->picture_joined = state->picture && kind == TEXT_CLUSTER_ZWJ;
    state->picture = kind == TEXT_CLUSTER_PICTURE || (state->picture && kind == TEXT_CLUSTER_EXTEND);
    state->odd_regional = kind == TEXT_CLUSTER_REGIONAL && !state->odd_regional;
    return begins;
}

bool text_is_emoji(uint32_t c) {
    if (c < 0x231A) return false;
    size_t low = 0, high = text_emoji_range_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c > text_emoji_ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < text_emoji_range_count && c >= text_emoji_ranges[low].first;
}

bool text_is_ignorable(uint32_t c) {
    if (c < 0x20) return true;
    if (c < 0xAD) return c >= 0x7F && c < 0xA0;
    return c == 0xAD || c == 0x34F || c == 0x61C || c == 0x115F || c == 0x1160 || c == 0x17B4 ||
           c == 0x17B5 || (c >= 0x180B && c <= 0x180F) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0x3164 ||
           (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF || c == 0xFFA0 || (c >= 0xFFF0 && c <= 0xFFFB) ||
           (c >= 0x1BCA0 && c <= 0x1BCA3) || (c >= 0x1D173 && c <= 0x1D17A) || (c >= 0xE0000 && c <= 0xE0FFF);
}

bool text_is_space(uint32_t c) {
    return c == ' ' || c == '\t' || c == 0x1680 || (c >= 0x2000 && c <= 0x200B && c != 0x2007) ||
           c == 0x205F || c == 0x3000;
}

bool text_is_newline(uint32_t c) {
    return (c >= '\n' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
}

bool text_in_word(uint32_t c) {
    if (c == '_') return true;
    hb_unicode_general_category_t kind = hb_unicode_general_category(hb_unicode_funcs_get_default(), c);
    return (kind >= HB_UNICODE_GENERAL_CATEGORY_LOWERCASE_LETTER &&
            kind <= HB_UNICODE_GENERAL_CATEGORY_OTHER_NUMBER) ||
           text_is_emoji(c);
}
