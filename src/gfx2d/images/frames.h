// Where the frames of images lie on the pages of the renderer: what sprites and drawing at once share.

#ifndef FILO_GFX2D_FRAMES_H
#define FILO_GFX2D_FRAMES_H

#include <filo/gfx2d.h>

// One frame, ready to become a quad.
typedef struct Gfx2dFramePlace {
    uint16_t u0, v0, u1, v1;       // texels on the page
    uint16_t page;                 // FiloQuad.image
    uint16_t frame_count;          // of the image that it belongs to
    float width, height;           // of the whole frame in pixels, before it was trimmed
    float left, top;               // where the trimmed part begins inside it, and
    float part_width, part_height; // its size
} Gfx2dFramePlace;

// The place of a frame. An image that was never asked for is asked for now; until it is there, and if it is
// broken, the place is that of the stand-in, with its size. A frame beyond the last is the last. {0} is a
// white square of 1 × 1 pixel. Never NULL; good until the next update of the assets. Any thread during
// extraction, since nothing changes then; otherwise main.
const Gfx2dFramePlace *gfx2d_frame(FiloGfx2d *gfx, FiloName image, unsigned frame);

float gfx2d_pixels_per_unit(const FiloGfx2d *gfx);

#endif
