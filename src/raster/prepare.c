// Turns quads into commands.
//
// Corners are computed in doubles, which lose nothing of the floats, and rounded to 1/256 of a pixel. The corners are
// rounded, not centre and size. So adjacent boxes of any size have the same rounded edge, and a sprite of 16 pixels is
// 16 pixels wide at any position.

#include <filo/check.h>

#include "raster/raster.h"

#include <float.h>
#include <string.h>

// x and y in one vector: the same bits as scalar code, in half the time.
typedef double Pair __attribute__((vector_size(16)));
typedef int64_t LongPair __attribute__((vector_size(16)));
typedef int32_t Four __attribute__((vector_size(16)));
typedef int16_t ShortFour __attribute__((vector_size(8)));

static inline Pair pair(double x, double y) { return (Pair){ x, y }; }

// Rounds coordinates in pixels to multiples of 1/256; the results are in lanes 0 and 2. Adding 1.5 · 2⁵² leaves no bits
// for a fraction: the sum is rounded to the nearest integer (ties to even), which is in its low bits.
static inline Four to_subpixels(Pair pixels) {
    Pair shifted = pixels * pair(RASTER_SUBPIXELS, RASTER_SUBPIXELS) + pair(0x1.8p52, 0x1.8p52);
    Four bits;
    memcpy(&bits, &shifted, sizeof bits);
    return bits;
}

// A quad in pixels: its centre, and the vectors to the middle of its right and upper edges.
typedef struct PixelQuad {
    Pair c, a, b;
} PixelQuad;

static inline Pair absolute(Pair p) {
    LongPair bits;
    memcpy(&bits, &p, sizeof bits);
    bits &= INT64_MAX;
    memcpy(&p, &bits, sizeof p);
    return p;
}

static inline bool is_near(const PixelQuad *f) { // not if any is NaN
    Pair reach = absolute(f->c) + absolute(f->a) + absolute(f->b);
    return reach[0] <= RASTER_FAR && reach[1] <= RASTER_FAR;
}

static double clamp_far(double x) {
    return x > RASTER_FAR / 2 ? RASTER_FAR / 2 : x < -RASTER_FAR / 2 ? -RASTER_FAR / 2 : x;
}

// Of quads that are too far away or too large, only axis-aligned boxes can be drawn: their edges can be moved without
// changing the picture, as long as they stay outside of every target.
FILO_COLD static bool clip_box(PixelQuad *f) {
    Pair reach = absolute(f->c) + absolute(f->a) + absolute(f->b);
    if (!(reach[0] <= DBL_MAX && reach[1] <= DBL_MAX)) return false; // not finite
    bool along = f->a[1] == 0 && f->b[0] == 0, across = f->a[0] == 0 && f->b[1] == 0;
    if (!along && !across) return false;
    double half_width = along ? f->a[0] : f->b[0], half_height = along ? f->b[1] : f->a[1];
    double left = clamp_far(f->c[0] - half_width), right = clamp_far(f->c[0] + half_width);
    double top = clamp_far(f->c[1] - half_height), bottom = clamp_far(f->c[1] + half_height);
    f->c = pair((left + right) / 2, (top + bottom) / 2);
    f->a = pair((right - left) / 2, 0);
    f->b = pair(0, (bottom - top) / 2);
    return is_near(f);
}

static inline bool transform_quad(const FiloAffine2 *view, const FiloQuad *q, RasterParallelogram *result) {
    Pair x = pair(view->x.x, view->x.y), y = pair(view->y.x, view->y.y);
    PixelQuad f;
    f.c = x * pair(q->x, q->x) + y * pair(q->y, q->y) + pair(view->origin.x, view->origin.y);
    f.a = x * pair(q->ax, q->ax) + y * pair(q->ay, q->ay);
    f.b = x * pair(q->bx, q->bx) + y * pair(q->by, q->by);
    if (FILO_UNLIKELY(!is_near(&f)) && !(q->kind == FILO_QUAD_BOX && clip_box(&f))) return false;
    Four o = to_subpixels(f.c - f.a + f.b);     // upper left
    Four e = to_subpixels(f.c + f.a + f.b) - o; // to the upper right
    Four d = to_subpixels(f.c - f.a - f.b) - o; // to the lower left
    *result = (RasterParallelogram){ o[0], o[2], e[0], e[2], d[0], d[2] };
    return true;
}

static inline int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

// False if thinner than 1/4096 of a pixel. Otherwise texel coordinates fit into their fixed point format.
static inline bool has_area(const RasterParallelogram *p) {
    int64_t area = magnitude(raster_area(p));
    int64_t size =
        FILO_MAX(FILO_MAX(magnitude(p->ex), magnitude(p->ey)), FILO_MAX(magnitude(p->fx), magnitude(p->fy)));
    return area >= size >> 4 && area != 0;
}

static inline Four clamp_four(Four x, Four low, Four high) {
    Four below = x<low, above = x> high;
    x = (x & ~below) | (low & below);
    return (x & ~above) | (high & above);
}

// The minimum of the left and upper sides, the maximum of the right and lower sides.
static inline Four outer(Four a, Four b) {
    const Four far_sides = { 0, 0, -1, -1 };
    Four first = (a < b) ^ far_sides;
    return (a & first) | (b & ~first);
}

// The pixels whose centres are in the bounding rectangle of a quad or triangle; if `touching`, the pixels that
// intersect that rectangle. Lanes are left, top, right, bottom.
static inline RasterBounds pixel_bounds(const RasterParallelogram *p, RasterBounds all, bool triangle,
                                        bool touching) {
    const Four zero = { 0, 0, 0, 0 }, centre = { 127, 127, 127, 127 }, touch = { 0, 0, 255, 255 };
    Four o = { p->ox, p->oy, p->ox, p->oy };
    Four e = { p->ex, p->ey, p->ex, p->ey }, f = { p->fx, p->fy, p->fx, p->fy };
    Four sides = o + (triangle ? outer(outer(zero, f), e + f) : outer(zero, e) + outer(zero, f));
    sides = (sides + (touching ? touch : centre)) >> RASTER_SUBPIXEL_BITS;
    sides =
        clamp_four(sides, (Four){ all.x0, all.y0, all.x0, all.y0 }, (Four){ all.x1, all.y1, all.x1, all.y1 });
    ShortFour packed = __builtin_convertvector(sides, ShortFour);
    RasterBounds bounds;
    memcpy(&bounds, &packed, sizeof bounds);
    return bounds;
}

static bool is_valid_image(const FiloPixels *image) {
    return image->data != NULL && image->width > 0 && image->width <= FILO_PIXELS_MAX && image->height > 0 &&
           image->height <= FILO_PIXELS_MAX && image->stride >= image->width && image->stride <= 1 << 16;
}

// Makes a blit if the image has one texel per pixel, upside down or mirrored or not: the centre of every pixel then
// lies in another texel. With FILO_QUAD_LINEAR, it must be the centre of the texel.
static inline bool try_blit(RasterCommand *command, const FiloQuad *quad, const FiloPixels *image) {
    const RasterParallelogram *p = &command->parallelogram;
    int32_t width = quad->u1 - quad->u0, height = quad->v1 - quad->v0;
    bool upside_down = p->fy == -height * RASTER_SUBPIXELS, mirrored = p->ex == -width * RASTER_SUBPIXELS;
    if ((p->ey | p->fx) != 0 || (p->ex != width * RASTER_SUBPIXELS && !mirrored)) return false;
    if (p->fy != height * RASTER_SUBPIXELS && !upside_down) return false;
    int u = FILO_MIN(quad->u0, quad->u1), v = FILO_MIN(quad->v0, quad->v1);
    int u_end = FILO_MAX(quad->u0, quad->u1), v_end = FILO_MAX(quad->v0, quad->v1);
    if (u_end > image->width || v_end > image->height) return false;
    if ((quad->flags & FILO_QUAD_LINEAR) != 0 && ((p->ox | p->oy) & (RASTER_SUBPIXELS - 1)) != 0)
        return false;
    int to_centre = RASTER_SUBPIXELS / 2 - 1;
    int left = (FILO_MIN(p->ox, p->ox + p->ex) + to_centre) >> RASTER_SUBPIXEL_BITS;
    int top = (FILO_MIN(p->oy, p->oy + p->fy) + to_centre) >> RASTER_SUBPIXEL_BITS;
    int column = command->bounds.x0 - left,
        row = command->bounds.y0 - top; // of the first texel that is shown
    command->operation = mirrored ? RASTER_MIRRORED : RASTER_BLIT;
    command->blit.texels = filo_pixels_at(image, mirrored ? u_end - 1 - column : u + column,
                                          upside_down ? v_end - 1 - row : v + row);
    command->blit.stride = upside_down ? -image->stride : image->stride;
    return true;
}

static inline bool prepare_image(const RasterSource *source, const FiloQuad *quad, RasterCommand *command) {
    if (quad->image >= source->image_count) return false;
    const FiloPixels *image = &source->images[quad->image];
    if (!is_valid_image(image)) return false;
    command->bounds = pixel_bounds(&command->parallelogram, source->bounds, false, false);
    if (raster_bounds_empty(command->bounds)) return false;
    if (quad->kind == FILO_QUAD_IMAGE && try_blit(command, quad, image)) return true;
    command->operation = quad->kind == FILO_QUAD_IMAGE ? RASTER_IMAGE : RASTER_DISTANCE;
    command->soft = quad->kind == FILO_QUAD_DISTANCE_SOFT;
    command->image.pixels = image;
    command->image.u0 = quad->u0, command->image.v0 = quad->v0;
    command->image.u1 = quad->u1, command->image.v1 = quad->v1;
    return true;
}

// Whether all four edges lie between pixels.
static bool is_pixel_aligned(const RasterParallelogram *p) {
    return raster_axis_aligned(p) &&
           ((p->ox | p->oy | p->ex | p->ey | p->fx | p->fy) & (RASTER_SUBPIXELS - 1)) == 0;
}

bool raster_prepare(const RasterSource *source, const FiloQuad *quad, RasterCommand *command) {
    FiloColor color = quad->color;
    if ((color.r | color.g | color.b | color.a) == 0) return false;
    if (!transform_quad(&source->view, quad, &command->parallelogram) || !has_area(&command->parallelogram))
        return false;
    command->color = color;
    command->flags = quad->flags;
    switch (quad->kind) {
    case FILO_QUAD_IMAGE:
    case FILO_QUAD_DISTANCE:
    case FILO_QUAD_DISTANCE_SOFT: return prepare_image(source, quad, command);
    case FILO_QUAD_BOX:
        command->operation = is_pixel_aligned(&command->parallelogram) ? RASTER_SOLID : RASTER_BOX;
        break;
    case FILO_QUAD_ELLIPSE:
        command->operation = RASTER_ELLIPSE;
        command->hole = quad->u0;
        break;
    case FILO_QUAD_TRIANGLE: command->operation = RASTER_TRIANGLE; break;
    default:
        return FILO_CHECK(
            false, "a quad is of kind %d: set one of FILO_QUAD_IMAGE to FILO_QUAD_DISTANCE_SOFT", quad->kind);
    }
    bool triangle = quad->kind == FILO_QUAD_TRIANGLE;
    command->bounds = pixel_bounds(&command->parallelogram, source->bounds, triangle, !triangle);
    return !raster_bounds_empty(command->bounds);
}
