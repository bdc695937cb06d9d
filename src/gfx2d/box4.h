// Four floats at a time, and the test whether a box is in a rectangle.

#ifndef FILO_GFX2D_BOX4_H
#define FILO_GFX2D_BOX4_H

#include <filo/raster.h>

#include <string.h>

typedef float FiloFloat4 __attribute__((vector_size(16)));
typedef uint32_t FiloBits4 __attribute__((vector_size(16)));
typedef uint64_t FiloBits2 __attribute__((vector_size(16)));
#define FILO_PICK4(v, a, b, c, d) __builtin_shufflevector(v, v, a, b, c, d)

// A rectangle to compare with: upper limits for lower edges; lower limits for upper edges, with their signs
// changed, so that one comparison does.
static inline FiloFloat4 filo_box4_limits(FiloRect r) {
    return (FiloFloat4){ r.max.x, r.max.y, -r.min.x, -r.min.y };
}

// `box`: the middle, and half the size. Its edges, as above: the lower ones, and the upper ones with their signs
// changed.
static inline FiloFloat4 filo_box4_edges(FiloFloat4 box) {
    const FiloBits4 signs = { 0, 0, 0x80000000u, 0x80000000u };
    return (FiloFloat4)((FiloBits4)FILO_PICK4(box, 0, 1, 0, 1) ^ signs) - FILO_PICK4(box, 2, 3, 2, 3);
}

// Whether they have some area in common with the rectangle. What is not a number has none.
static inline bool filo_box4_seen(FiloFloat4 edges, FiloFloat4 limits) {
    FiloBits2 inside = (FiloBits2)(edges < limits);
    return (inside[0] & inside[1]) == UINT64_MAX;
}

// The box around a quad.
static inline FiloFloat4 filo_box4_of(const FiloQuad *quad) {
    FiloFloat4 first;
    uint64_t rest;
    memcpy(&first, &quad->x, sizeof first); // middle, a
    memcpy(&rest, &quad->bx, sizeof rest);  // b
    FiloFloat4 second = (FiloFloat4)(FiloBits2){ rest, 0 };
    FiloFloat4 a = (FiloFloat4)((FiloBits4)first & 0x7FFFFFFFu),
               b = (FiloFloat4)((FiloBits4)second & 0x7FFFFFFFu);
    return __builtin_shufflevector(first, FILO_PICK4(a, 2, 3, 2, 3) + b, 0, 1, 4, 5);
}

#endif
