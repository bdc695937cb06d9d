// Signed distance fields of outlines, as FILO_QUAD_DISTANCE takes them (filo/raster.h).

#ifndef TEXT_GLYPHS_FIELD_H
#define TEXT_GLYPHS_FIELD_H

#include <filo/pixels.h>

#include <freetype/ftoutln.h>

// Makes the field of an outline in 1/64 of a texel. `em` is that of its font, in texels. (left, top) is the upper left
// corner of the pixels, y up. An outline without an inside gives no pixels. Any thread. False without memory.
bool text_field_make(FiloPixels *pixels, int *left, int *top, const FT_Outline *outline, float em,
                     const FiloAllocator *allocator);

#endif
