// Bounds of quads, four floats at a time, and whether they overlap a rectangle.

#ifndef FILO_GFX2D_BOX4_H
#define FILO_GFX2D_BOX4_H

#include <filo/raster.h>

#include <string.h>

typedef float Gfx2dFloat4 __attribute__((vector_size(16)));
typedef uint32_t Gfx2dBits4 __attribute__((vector_size(16)));
typedef uint64_t Gfx2dBits2 __attribute__((vector_size(16)));
#define GFX2D_SHUFFLE4(v, a, b, c, d) __builtin_shufflevector(v, v, a, b, c, d)

// A rectangle for gfx2d_box4_overlaps: upper limits of lower edges, and negated lower limits of upper edges, so that
// all four are compared by one `<`.
static inline Gfx2dFloat4 gfx2d_box4_limits(FiloRect r) {
    return (Gfx2dFloat4){ r.max.x, r.max.y, -r.min.x, -r.min.y };
}

// The edges of a box, which is its centre and half its size: the lower ones, and the negated upper ones.
static inline Gfx2dFloat4 gfx2d_box4_edges(Gfx2dFloat4 box) {
    const Gfx2dBits4 signs = { 0, 0, 0x80000000u, 0x80000000u };
    return (Gfx2dFloat4)((Gfx2dBits4)GFX2D_SHUFFLE4(box, 0, 1, 0, 1) ^ signs) -
           GFX2D_SHUFFLE4(box, 2, 3, 2, 3);
}

// Whether the box overlaps the rectangle. A box with NaN does not.
static inline bool gfx2d_box4_overlaps(Gfx2dFloat4 edges, Gfx2dFloat4 limits) {
    Gfx2dBits2 inside = (Gfx2dBits2)(edges < limits);
    return (inside[0] & inside[1]) == UINT64_MAX;
}

// Centre and half size of the bounds of a quad.
static inline Gfx2dFloat4 gfx2d_box4_bounds(const FiloQuad *quad) {
    Gfx2dFloat4 first;
    uint64_t rest;
    memcpy(&first, &quad->x, sizeof first); // centre, a
    memcpy(&rest, &quad->bx, sizeof rest);  // b
    Gfx2dFloat4 second = (Gfx2dFloat4)(Gfx2dBits2){ rest, 0 };
    Gfx2dFloat4 a = (Gfx2dFloat4)((Gfx2dBits4)first & 0x7FFFFFFFu),
                b = (Gfx2dFloat4)((Gfx2dBits4)second & 0x7FFFFFFFu);
    return __builtin_shufflevector(first, GFX2D_SHUFFLE4(a, 2, 3, 2, 3) + b, 0, 1, 4, 5);
}

#endif
