// Where the frames of images are on the atlas pages: used by sprites and by immediate drawing.

#ifndef FILO_GFX2D_FRAMES_H
#define FILO_GFX2D_FRAMES_H

#include <filo/gfx2d.h>

// The region of an atlas page that a frame occupies.
typedef struct Gfx2dFrameRegion {
    uint16_t u0, v0, u1, v1;             // texels on the page
    uint16_t page;                       // FiloQuad.image
    float width, height;                 // of the whole frame in pixels, before it was trimmed
    float left, top;                     // offset of the trimmed frame in the whole frame
    float trimmed_width, trimmed_height; // of what is on the page
} Gfx2dFrameRegion;

// The region of a frame. An image that was never requested is requested now. Until it is loaded, and if it cannot be,
// the region is that of the placeholder. A frame beyond the last is the last. {0} is a white square of 1 × 1 pixel.
// Never NULL; valid until the next update of the assets. Main thread, or any thread during extraction.
const Gfx2dFrameRegion *gfx2d_frame(FiloGfx2d *gfx, FiloName image, unsigned frame);

float gfx2d_pixels_per_unit(const FiloGfx2d *gfx);

#endif
