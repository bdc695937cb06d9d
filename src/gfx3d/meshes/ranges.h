// Pieces of a buffer: a list of free ranges, the first that fits is taken.

#ifndef FILO_GFX3D_RANGES_H
#define FILO_GFX3D_RANGES_H

#include <filo/containers.h>

typedef struct Gfx3dRange {
    uint32_t first, count;
} Gfx3dRange;

typedef struct Gfx3dRanges {
    uint32_t end;               // items of the buffer
    FiloArray(Gfx3dRange) free; // by first; neighbours are merged
} Gfx3dRanges;

// Takes `count` items: returns the first, or UINT32_MAX if no free range is large enough.
uint32_t gfx3d_ranges_take(Gfx3dRanges *ranges, uint32_t count);
// Gives items back. Without memory for the list they are lost until the buffer is created anew.
void gfx3d_ranges_give(Gfx3dRanges *ranges, uint32_t first, uint32_t count);
// Adds items at the end. False without memory.
bool gfx3d_ranges_grow(Gfx3dRanges *ranges, uint32_t end);

#endif
