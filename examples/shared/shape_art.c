// Pictures of shapes: every pixel is a formula of its distance to the edge.

#include "shared/shape_art.h"

#define EDGE   0.06f // width of the edge, in units of the world
#define AROUND 0.03f // free space around the shape

float shape_art_to_segment(FiloVec2 p, FiloVec2 a, FiloVec2 b) {
    FiloVec2 along = filo_vec2_sub(b, a), from = filo_vec2_sub(p, a);
    float part = filo_clamp01(filo_vec2_dot(from, along) / filo_max(filo_vec2_dot(along, along), 1e-9f));
    return filo_vec2_length(filo_vec2_sub(from, filo_vec2_scale(along, part)));
}

// Signed: negative inside. The polygon may go round in either direction.
static float to_polygon(FiloVec2 p, const FiloVec2 *points, uint32_t count) {
    float nearest = 1e9f;
    bool inside = false;
    for (uint32_t i = 0, j = count - 1; i < count; j = i++) {
        FiloVec2 a = points[i], b = points[j];
        nearest = filo_min(nearest, shape_art_to_segment(p, a, b));
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
            inside = !inside;
    }
    return inside ? -nearest : nearest;
}

static uint32_t corners_of(const FiloShape2 *shape, FiloVec2 corners[FILO_SHAPE_POINTS]) {
    uint32_t count =
        shape->kind == FILO_SHAPE_POLYGON ? FILO_MIN(shape->point_count, (uint32_t)FILO_SHAPE_POINTS) : 0;
    for (uint32_t i = 0; i < count; i++) corners[i] = shape->points[i];
    if (shape->kind == FILO_SHAPE_CAPSULE || shape->kind == FILO_SHAPE_SEGMENT) {
        corners[count++] = shape->points[0];
        corners[count++] = shape->points[1];
    } else if (shape->kind == FILO_SHAPE_CIRCLE) {
        corners[count++] = shape->centre;
    } else if (shape->kind == FILO_SHAPE_BOX) {
        static const FiloVec2 signs[] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
        for (size_t i = 0; i < FILO_COUNT_OF(signs); i++)
            corners[count++] = filo_vec2_add(
                shape->centre, filo_vec2_rotate(filo_vec2_mul(signs[i], shape->half_size), shape->angle));
    }
    return count;
}

static FiloRect bounds_of(const FiloShape2 *shape) {
    FiloVec2 corners[FILO_SHAPE_POINTS];
    uint32_t count = corners_of(shape, corners);
    FiloRect bounds = { { 1e9f, 1e9f }, { -1e9f, -1e9f } };
    float around = shape->radius + AROUND;
    for (uint32_t i = 0; i < count; i++) {
        bounds.min = filo_vec2_min(bounds.min, filo_vec2(corners[i].x - around, corners[i].y - around));
        bounds.max = filo_vec2_max(bounds.max, filo_vec2(corners[i].x + around, corners[i].y + around));
    }
    return bounds;
}

static FiloColor color_at(const FiloShape2 *shape, const FiloVec2 *corners, uint32_t count, FiloVec2 p,
                          FiloColor color, float detail) {
    float d = count > 2    ? to_polygon(p, corners, count)
              : count == 2 ? shape_art_to_segment(p, corners[0], corners[1])
                           : filo_vec2_distance(p, corners[0]);
    d -= shape->radius;
    FiloColor dark = filo_color_lerp(color, filo_color_from_hex(0x10141EFF), 0.55f);
    bool spoke = shape->kind == FILO_SHAPE_CIRCLE && p.x > shape->centre.x &&
                 filo_abs(p.y - shape->centre.y) < 0.6f * EDGE;
    FiloColor inner =
        spoke ? dark : filo_color_lerp(color, FILO_COLOR_WHITE, 0.12f * filo_clamp01(-d / 0.4f));
    FiloColor edge = filo_color_lerp(dark, inner, filo_clamp01(0.5f - (d + EDGE) * detail));
    return filo_color_fade(edge, filo_clamp01(0.5f - d * detail));
}

bool shape_art_add(FiloAssets *assets, const char *name, const FiloShape2 *shape, FiloColor color,
                   float detail) {
    FiloVec2 corners[FILO_SHAPE_POINTS];
    uint32_t count = corners_of(shape, corners);
    FiloRect bounds = bounds_of(shape);
    FiloVec2 size = filo_rect_size(bounds);
    FiloPixels p;
    if (!filo_pixels_create(&p, (int)filo_ceil(size.x * detail), (int)filo_ceil(size.y * detail), NULL))
        return false;
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++) {
            FiloVec2 at = filo_vec2(bounds.min.x + ((float)x + 0.5f) * size.x / (float)p.width,
                                    bounds.max.y - ((float)y + 0.5f) * size.y / (float)p.height);
            *filo_pixels_at(&p, x, y) = color_at(shape, corners, count, at, color, detail);
        }
    bool added = filo_assets_add_pixels(assets, name, &p).id != 0;
    filo_pixels_free(&p, NULL);
    return added;
}

FiloVec2 shape_art_pivot(const FiloShape2 *shape) {
    FiloRect bounds = bounds_of(shape);
    FiloVec2 size = filo_rect_size(bounds);
    return filo_vec2(-bounds.min.x / size.x - 0.5f, -bounds.min.y / size.y - 0.5f);
}
