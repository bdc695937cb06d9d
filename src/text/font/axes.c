// Sets of axes: see axes.h.

#include "text/font/axes.h"

#include <harfbuzz/hb-ot.h>
#include <math.h>

#define VALUE_MAX 32767.0f // of the fixed-point numbers in fonts

const float *text_axes_find(const TextAxes *axes, hb_tag_t tag) {
    for (uint32_t i = 0; i < axes->count; i++)
        if (axes->items[i].tag == tag) return &axes->items[i].value;
    return NULL;
}

bool text_axes_set(TextAxes *axes, hb_tag_t tag, float value) {
    uint32_t at = 0;
    while (at < axes->count && axes->items[at].tag < tag) at++;
    if (at == axes->count || axes->items[at].tag != tag) {
        if (axes->count == TEXT_AXES_MAX) return false;
        memmove(&axes->items[at + 1], &axes->items[at], (axes->count++ - at) * sizeof *axes->items);
    }
    // Not -0, which is compared as bytes.
    axes->items[at] = (hb_variation_t){ tag, FILO_CLAMP(value, -VALUE_MAX, VALUE_MAX) + 0.0f };
    return true;
}

void text_axes_merge(TextAxes *axes, const TextAxes *over) {
    for (uint32_t i = 0; i < over->count; i++)
        (void)text_axes_set(axes, over->items[i].tag, over->items[i].value);
}

bool text_axes_equal(const TextAxes *a, const TextAxes *b) {
    return a->count == b->count && memcmp(a->items, b->items, a->count * sizeof *a->items) == 0;
}

bool text_axes_read(TextAxes *axes, FiloString text) {
    FiloString item;
    while (text.length > 0) {
        (void)filo_string_cut(text, FILO_STRING(","), &item, &text); // without one: all of it
        hb_variation_t axis;
        if (!hb_variation_from_string(item.data, (int)item.length, &axis) || !isfinite(axis.value) ||
            !text_axes_set(axes, axis.tag, axis.value))
            return false;
    }
    return true;
}

bool text_axes_has(hb_face_t *face, hb_tag_t tag) {
    hb_ot_var_axis_info_t info;
    return hb_ot_var_find_axis_info(face, tag, &info);
}

TextAxes text_axes_of_face(hb_face_t *face, const TextAxes *axes) {
    TextAxes own = { 0 };
    for (uint32_t i = 0; i < axes->count; i++) {
        hb_ot_var_axis_info_t info;
        if (!hb_ot_var_find_axis_info(face, axes->items[i].tag, &info)) continue;
        float value = FILO_CLAMP(axes->items[i].value, info.min_value, info.max_value);
        if (value != info.default_value) (void)text_axes_set(&own, axes->items[i].tag, value);
    }
    return own;
}
