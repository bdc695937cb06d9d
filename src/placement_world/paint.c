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

static int clamp_texel(double texel, int count) {
    return texel < 0 ? 0 : texel > (double)count - 1 ? count - 1 : (int)texel;
}

// The texels that the area needs, with those that a filter blends. At least one, if the area is outside of the map.
static Rectangle texels_of(const FiloPlacementWorld *pw, const FiloTerrainMap *map,
                           const FiloPlacementArea *area) {
    int width = placement_world_map_width(map), height = placement_world_map_height(map);
    double sx = width / pw->size_x, sy = height / pw->size_y;
    return (Rectangle){ clamp_texel(floor((area->x0 - pw->reach - pw->corner_x) * sx) - 2, width),
                        clamp_texel(floor((area->y0 - pw->reach - pw->corner_y) * sy) - 2, height),
                        clamp_texel(ceil((area->x1 + pw->reach - pw->corner_x) * sx) + 2, width),
                        clamp_texel(ceil((area->y1 + pw->reach - pw->corner_y) * sy) + 2, height) };
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
    double dx = pw->size_x / placement_world_map_width(map),
           dy = pw->size_y / placement_world_map_height(map);
    for (int y = r.y0; y <= r.y1; y++) {
        double ay = pw->corner_y + ((double)y + 0.5) * dy - edit->y;
        if (fabs(ay) > (double)edit->radius) {
            texels += r.x1 - r.x0 + 1;
            continue;
        }
        for (int x = r.x0; x <= r.x1; x++, texels++) {
            double ax = pw->corner_x + ((double)x + 0.5) * dx - edit->x;
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

// ---- Windows that were given --------------------------------------------------------------------------------------

// The texels that the area needs at least.
static Rectangle least_texels_of(const FiloPlacementWorld *pw, const FiloTerrainMap *map,
                                 const FiloPlacementArea *area) {
    int width = placement_world_map_width(map), height = placement_world_map_height(map);
    double sx = width / pw->size_x, sy = height / pw->size_y;
    return (Rectangle){ clamp_texel(floor((area->x0 - pw->reach - pw->corner_x) * sx), width),
                        clamp_texel(floor((area->y0 - pw->reach - pw->corner_y) * sy), height),
                        clamp_texel(floor((area->x1 + pw->reach - pw->corner_x) * sx), width),
                        clamp_texel(floor((area->y1 + pw->reach - pw->corner_y) * sy), height) };
}

static FiloResult check_window(const FiloPlacementWorld *pw, const FiloMapWindow *window,
                               const FiloPlacementArea *area) {
    FiloPlacementMapInfo info = filo_placement_map_info(pw->placement, window->map);
    const FiloTerrainMap *map = &window->window;
    if (info.name[0] == '\0')
        return filo_error(FILO_ERROR_DATA,
                          "`windows` gave a window of map %d, which the placement does not have",
                          window->map);
    if (map->data == NULL || map->width < 1 || map->height < 1 || map->x < 0 || map->y < 0)
        return filo_error(FILO_ERROR_DATA, "`windows` gave an empty window of map \"%s\"", info.name);
    if (info.width > 0 &&
        (placement_world_map_width(map) != info.width || placement_world_map_height(map) != info.height))
        return filo_error(FILO_ERROR_DATA,
                          "`windows` gave a window of %d × %d texels of map \"%s\", which has %d × %d",
                          placement_world_map_width(map), placement_world_map_height(map), info.name,
                          info.width, info.height);
    Rectangle r = least_texels_of(pw, map, area);
    if (r.x0 < map->x || r.y0 < map->y || r.x1 >= map->x + map->width || r.y1 >= map->y + map->height)
        return filo_error(
            FILO_ERROR_DATA,
            "the area needs texels %d, %d to %d, %d of map \"%s\", and `windows` gave %d, %d to %d, %d", r.x0,
            r.y0, r.x1, r.y1, info.name, map->x, map->y, map->x + map->width - 1, map->y + map->height - 1);
    return filo_ok();
}

FiloResult placement_world_check_windows(const PlacementWorldWork *work) {
    const FiloPlacementWorld *pw = work->owner;
    uint64_t given[(FILO_PLACEMENT_MAPS + 1) / 64 + 1] = { 0 };
    for (size_t i = 0; i < work->window_count; i++) {
        FiloResult r = check_window(pw, &work->windows[i], &work->area);
        if (r.code != FILO_OK) return r;
        given[work->windows[i].map / 64] |= UINT64_C(1) << work->windows[i].map % 64;
    }
    for (int map = 0;; map++) {
        FiloPlacementMapInfo info = filo_placement_map_info(pw->placement, map);
        if (info.name[0] == '\0') return filo_ok();
        if (!info.whole && (given[map / 64] >> map % 64 & 1) == 0)
            return filo_error(FILO_ERROR_DATA,
                              "`windows` gave no window of map \"%s\", which is not in memory as a whole",
                              info.name);
    }
}

// ---- Painting -----------------------------------------------------------------------------------------------------

static FiloResult paint_map(PlacementWorldWork *work, size_t index) {
    const FiloPlacementWorld *pw = work->owner;
    FiloMapWindow *window = window_of(work, pw->maps[index].map);
    if (window == NULL && work->window_count == FILO_COUNT_OF(work->windows))
        return filo_error(FILO_ERROR_LIMIT, "too many windows of maps");
    FiloTerrainMap base = window != NULL ? window->window : pw->maps[index].base;
    if (window == NULL && !placement_world_map_whole(&base))
        return filo_error(
            FILO_ERROR_DATA,
            "`windows` gave no window of map \"%s\", which is painted and not in memory as a whole",
            filo_name_text(pw->maps[index].name));
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
                                           .full_width = placement_world_map_width(&base),
                                           .full_height = placement_world_map_height(&base) } };
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
