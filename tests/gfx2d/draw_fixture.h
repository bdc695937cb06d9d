// What the tests of immediate drawing share: a fake renderer that only has the regions of frames, and reading the
// lists.

#ifndef FILO_TEST_GFX2D_DRAW_FIXTURE_H
#define FILO_TEST_GFX2D_DRAW_FIXTURE_H

#include "gfx2d/draw/draw.h"
#include "gfx2d/images/frames.h"
#include "support/test.h"

struct FiloGfx2d {
    float pixels_per_unit;
    bool without_font;
};

static const Gfx2dFrameRegion font_region = { .u0 = 256,
                                              .v0 = 512,
                                              .u1 = 384,
                                              .v1 = 736,
                                              .page = 3,
                                              .width = 128,
                                              .height = 224,
                                              .trimmed_width = 128,
                                              .trimmed_height = 224 };
// 20 × 10 pixels, of which 4 on the left, 6 on the right, 1 above and 4 below were trimmed away.
static const Gfx2dFrameRegion trimmed_region = { .u0 = 100,
                                                 .v0 = 50,
                                                 .u1 = 110,
                                                 .v1 = 55,
                                                 .page = 1,
                                                 .width = 20,
                                                 .height = 10,
                                                 .left = 4,
                                                 .top = 1,
                                                 .trimmed_width = 10,
                                                 .trimmed_height = 5 };
static const Gfx2dFrameRegion placeholder = {
    .u1 = 8, .v1 = 8, .width = 8, .height = 8, .trimmed_width = 8, .trimmed_height = 8
};
static unsigned requested_frame;

const Gfx2dFrameRegion *gfx2d_frame(FiloGfx2d *gfx, FiloName image, unsigned frame) {
    requested_frame = frame;
    if (image.id == filo_name(GFX2D_FONT_IMAGE).id && !gfx->without_font) return &font_region;
    return image.id == filo_name("trimmed.png").id ? &trimmed_region : &placeholder;
}

float gfx2d_pixels_per_unit(const FiloGfx2d *gfx) { return gfx->pixels_per_unit; }

static FiloGfx2d gfx = { .pixels_per_unit = 1 };

static FiloDraw *open_draw(void) {
    gfx = (FiloGfx2d){ .pixels_per_unit = 1 };
    FiloDraw *draw;
    assert_ok(gfx2d_draw_create(&draw, &gfx, NULL));
    gfx2d_draw_begin(draw, 320, 200);
    return draw;
}

static const FiloQuad *screen(const FiloDraw *draw, size_t count) {
    FiloQuadSpan span = gfx2d_draw_screen_quads(draw);
    assert_int_equal(span.count, count);
    return span.quads;
}

static const FiloQuad *world(const FiloDraw *draw, size_t count) {
    FiloQuadSpan span = gfx2d_draw_world_quads(draw);
    assert_int_equal(span.count, count);
    return span.quads;
}

static void assert_quad(const FiloQuad *q, float x, float y, float ax, float ay, float bx, float by) {
    const float is[] = { q->x, q->y, q->ax, q->ay, q->bx, q->by }, expected[] = { x, y, ax, ay, bx, by };
    for (size_t i = 0; i < FILO_COUNT_OF(is); i++)
        if (filo_abs(is[i] - expected[i]) > 1e-4f)
            fail_msg("the quad is at %g %g with %g %g and %g %g", (double)is[0], (double)is[1], (double)is[2],
                     (double)is[3], (double)is[4], (double)is[5]);
}

#endif
