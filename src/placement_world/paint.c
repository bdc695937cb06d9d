// Windows of maps with strokes painted into them.
//
// A painted map is not stored: what an area needs of it is made when the area is computed, from the map as it was given and
// the strokes that touch the area, in their order. So a stroke that is undone leaves no trace, and no computation can see
// half a stroke.

#include "placement_world/placement_world.h"

#include <math.h>
#include <string.h>

typedef struct Rectangle {
    int x0, y0, x1, y1; // texels, inclusive
} Rectangle;

static int whole_width(const FiloTerrainMap *map) {
    return map->full_width > 0 ? map->full_width : map->width;
}
static int whole_height(const FiloTerrainMap *map) {
    return map->full_height > 0 ? map->full_height : map->height;
}

static int clamp_texel(double texel, int count) {
    return texel < 0 ? 0 : texel > (double)count - 1 ? count - 1 : (int)texel;
}

// The texels that the area needs, with those that a filter blends. At least one, if the area is outside of the map.
static Rectangle texels_of(const FiloPlacementWorld *pw, const FiloTerrainMap *map,
                           const FiloPlacementArea *area) {
    int width = whole_width(map), height = whole_height(map);
    double sx = width / (double)pw->desc.size.x, sy = height / (double)pw->desc.size.y;
    return (Rectangle){ clamp_texel(floor((area->x0 - pw->reach - pw->desc.corner_x) * sx) - 2, width),
                        clamp_texel(floor((area->y0 - pw->reach - pw->desc.corner_y) * sy) - 2, height),
                        clamp_texel(ceil((area->x1 + pw->reach - pw->desc.corner_x) * sx) + 2, width),
                        clamp_texel(ceil((area->y1 + pw->reach - pw->desc.corner_y) * sy) + 2, height) };
}

static uint16_t quantise(float value) {
    if (!(value > 0)) return 0;
    return (uint16_t)(value >= 1 ? 65535 : (int32_t)rintf(value * 65535.0f));
}

static uint16_t read_texel(const uint8_t *at, FiloMapFormat format) {
    if (format == FILO_MAP_U8) return (uint16_t)(*at * 257);
    if (format == FILO_MAP_U16) {
        uint16_t value;
        memcpy(&value, at, sizeof value);
        return value;
    }
    float value;
    memcpy(&value, at, sizeof value);
    return quantise(value);
}

static void copy_base(uint16_t *to, const FiloTerrainMap *map, Rectangle r) {
    size_t size = map->format == FILO_MAP_U8 ? 1 : map->format == FILO_MAP_U16 ? 2 : 4;
    size_t step = map->step > 0 ? map->step : size;
    size_t stride = map->stride > 0 ? map->stride : (size_t)map->width * step;
    for (int y = r.y0; y <= r.y1; y++) {
        int row = FILO_MIN(FILO_MAX(y - map->y, 0), map->height - 1);
        for (int x = r.x0; x <= r.x1; x++) {
            int column = FILO_MIN(FILO_MAX(x - map->x, 0), map->width - 1);
            *to++ = read_texel((const uint8_t *)map->data + (size_t)row * stride + (size_t)column * step,
                               map->format);
        }
    }
}

// How much of a stroke a point at a distance from its centre gets: 1 in its hard part, then less and less.
static double weight(const FiloPlacementEdit *edit, double distance) {
    double radius = (double)edit->radius, fade = radius * (double)edit->softness;
    if (distance > radius) return 0;
    return distance <= radius - fade || fade <= 0 ? 1 : (radius - distance) / fade;
}

static uint16_t stroked(const FiloPlacementEdit *edit, uint16_t value, double w) {
    double v = (double)value, strength = (double)edit->strength * 65535;
    if (edit->kind == FILO_PLACEMENT_ADD)
        v += strength * w;
    else if (edit->kind == FILO_PLACEMENT_SUBTRACT)
        v -= strength * w;
    else
        v += (strength - v) * w;
    return (uint16_t)(v <= 0 ? 0 : v >= 65535 ? 65535 : (int)floor(v + 0.5));
}

static void stroke(const FiloPlacementWorld *pw, const FiloTerrainMap *map, uint16_t *texels, Rectangle r,
                   const FiloPlacementEdit *edit) {
    double dx = (double)pw->desc.size.x / whole_width(map), dy = (double)pw->desc.size.y / whole_height(map);
    for (int y = r.y0; y <= r.y1; y++) {
        double ay = pw->desc.corner_y + ((double)y + 0.5) * dy - edit->y;
        if (fabs(ay) > (double)edit->radius) {
            texels += r.x1 - r.x0 + 1;
            continue;
        }
        for (int x = r.x0; x <= r.x1; x++, texels++) {
            double ax = pw->desc.corner_x + ((double)x + 0.5) * dx - edit->x;
            double w = weight(edit, sqrt(ax * ax + ay * ay));
            if (w > 0) *texels = stroked(edit, *texels, w);
        }
    }
}

// The window of a map that the work has already: that of a world that is streamed. NULL: none.
static FiloMapWindow *window_of(PlacementWorldWork *work, int map) {
    for (size_t i = 0; i < work->window_count; i++)
        if (work->windows[i].map == map) return &work->windows[i];
    return NULL;
}

static FiloResult paint_map(PlacementWorldWork *work, size_t index) {
    const FiloPlacementWorld *pw = work->owner;
    FiloMapWindow *window = window_of(work, pw->maps[index].map);
    if (window == NULL && work->window_count == FILO_COUNT_OF(work->windows))
        return filo_error(FILO_ERROR_LIMIT, "too many windows of maps");
    FiloTerrainMap base = window != NULL ? window->window : pw->maps[index].base;
    Rectangle r = texels_of(pw, &base, &work->area);
    int width = r.x1 - r.x0 + 1, height = r.y1 - r.y0 + 1;
    PlacementWorldPainted *painted = &work->painted[index];
    if (!filo_array_resize(&painted->texels, (size_t)width * (size_t)height))
        return filo_error(FILO_ERROR_MEMORY, "no memory for a painted map");
    copy_base(painted->texels.items, &base, r);
    filo_array_each (&work->strokes, s)
        if (s->target == (int)index) stroke(pw, &base, painted->texels.items, r, &s->edit);
    if (window == NULL) window = &work->windows[work->window_count++];
    *window = (FiloMapWindow){ .map = pw->maps[index].map,
                               .window = { .data = painted->texels.items,
                                           .format = FILO_MAP_U16,
                                           .width = width,
                                           .height = height,
                                           .x = r.x0,
                                           .y = r.y0,
                                           .full_width = whole_width(&base),
                                           .full_height = whole_height(&base) } };
    return filo_ok();
}

FiloResult placement_world_paint(PlacementWorldWork *work) {
    for (size_t i = 0; i < work->owner->map_count; i++) {
        bool any = false;
        filo_array_each (&work->strokes, s) any |= s->target == (int)i;
        if (!any) continue;
        FiloResult r = paint_map(work, i);
        if (r.code != FILO_OK) return r;
    }
    return filo_ok();
}
