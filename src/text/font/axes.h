// Places on the axes of variable fonts. Those that spans have are numbered, so that keys are small and exact.

#ifndef TEXT_AXES_H
#define TEXT_AXES_H

#include <filo/text.h>

#include <harfbuzz/hb.h>

#define TEXT_AXES_MAX      16   // more are refused
#define TEXT_AXES_SETS_MAX 1024 // sets of a typesetter
#define TEXT_AXIS_WEIGHT   HB_TAG('w', 'g', 'h', 't')

typedef struct TextAxes {
    uint32_t count;
    hb_variation_t items[TEXT_AXES_MAX]; // by tag, each once; all zero behind `count`
} TextAxes;

// "wght 650, wdth 80": changes these axes of a set. False if it cannot be read; the set may then be changed in part.
bool text_axes_read(TextAxes *axes, FiloString text);
// The value of an axis; NULL if it is not set.
const float *text_axes_find(const TextAxes *axes, hb_tag_t tag);
bool text_axes_set(TextAxes *axes, hb_tag_t tag, float value); // false if there are too many
void text_axes_merge(TextAxes *axes, const TextAxes *over);
bool text_axes_equal(const TextAxes *a, const TextAxes *b);
bool text_axes_has(hb_face_t *face, hb_tag_t tag); // whether a font has an axis
// What a font has of a set, inside of its limits and without its defaults.
TextAxes text_axes_of_face(hb_face_t *face, const TextAxes *axes);

#endif
