// Checks the description of a placement. Nothing is allocated here.

#include "placement/create.h"

#include <stdio.h>
#include <string.h>

#define PATTERN_WIDEST 1024.0f // footprints, as filo_pattern_make makes them

// ---- Checking -----------------------------------------------------------------------------------------------

static bool finite(float x) { return x - x == 0.0f; }
static bool finite_double(double x) { return x - x == 0.0; }

bool placement_has_pattern(const FiloPattern *pattern) { return pattern->points != NULL; }

// `advice` ends the message.
static FiloResult check_floats(const FiloTerrainMap *map, const char *what, const char *advice) {
    size_t step = map->step != 0 ? map->step : sizeof(float);
    size_t stride = map->stride != 0 ? map->stride : (size_t)map->width * step;
    for (int y = 0; y < map->height && map->format == FILO_MAP_FLOAT; y++) {
        const uint8_t *row = (const uint8_t *)map->data + (size_t)y * stride;
        for (int x = 0; x < map->width; x++) {
            float value;
            memcpy(&value, row + (size_t)x * step, sizeof value);
            if (!(value >= 0 && value <= 1)) // or NaN
                return filo_error(FILO_ERROR_DATA, "%s: texel %d, %d is %g; values are from 0 to 1%s", what,
                                  map->x + x, map->y + y, (double)value, advice);
        }
    }
    return filo_ok();
}

static FiloResult check_shape(const FiloTerrainMap *map, const char *what) {
    if (map->format < FILO_MAP_U8 || map->format > FILO_MAP_FLOAT)
        return filo_error(FILO_ERROR_DATA, "%s: the format of the map is %d, which is none", what,
                          (int)map->format);
    if (map->data == NULL) return filo_error(FILO_ERROR_DATA, "%s: the map has no data", what);
    if (map->width < 1 || map->height < 1)
        return filo_error(FILO_ERROR_DATA, "%s: the map is %d × %d; it needs at least one value", what,
                          map->width, map->height);
    size_t size = placement_texel_size(map->format);
    size_t step = map->step != 0 ? map->step : size;
    if (step < size || step > 1024)
        return filo_error(FILO_ERROR_DATA,
                          "%s: the map has %zu bytes from a value to the next, and values of %zu", what, step,
                          size);
    size_t row = (size_t)map->width * step;
    size_t stride = map->stride != 0 ? map->stride : row;
    if (stride < (size_t)(map->width - 1) * step + size)
        return filo_error(FILO_ERROR_DATA,
                          "%s: the map has %zu bytes from a row to the next, and rows of %zu", what, stride,
                          row);
    if (stride > INT32_MAX || (size_t)map->height > INT32_MAX / stride)
        return filo_error(FILO_ERROR_LIMIT,
                          "%s: the map has %d × %d values, more than 2 GiB; use windows of it", what,
                          map->width, map->height);
    int full_width = map->full_width != 0 ? map->full_width : map->width;
    int full_height = map->full_height != 0 ? map->full_height : map->height;
    if (full_width < 1 || full_height < 1 || full_width > PLACEMENT_TEXELS || full_height > PLACEMENT_TEXELS)
        return filo_error(FILO_ERROR_LIMIT, "%s: the whole map is %d × %d; it may be %d a side", what,
                          full_width, full_height, PLACEMENT_TEXELS);
    if (map->x < 0 || map->y < 0 || map->x > full_width - map->width || map->y > full_height - map->height)
        return filo_error(FILO_ERROR_DATA,
                          "%s: the window %d × %d at %d, %d is not inside of its map, %d × %d", what,
                          map->width, map->height, map->x, map->y, full_width, full_height);
    return filo_ok();
}

FiloResult placement_check_map(const FiloTerrainMap *map, const char *what) {
    FiloResult r = check_shape(map, what);
    return r.code == FILO_OK ? check_floats(map, what, "") : r;
}

static FiloResult check_filter(FiloMapFilter filter, const char *what) {
    if (filter != FILO_MAP_BILINEAR && filter != FILO_MAP_NEAREST)
        return filo_error(FILO_ERROR_DATA, "%s: the filter %d is none", what, (int)filter);
    return filo_ok();
}

FiloResult placement_check_variation(const FiloVariation *v, const char *what) {
    if (!finite(v->turn_range) || !finite(v->tilt) || !finite(v->scale_min) || !finite(v->scale_max))
        return filo_error(FILO_ERROR_DATA, "%s: turn_range, tilt and scale must be finite", what);
    if (v->tilt < 0 || v->tilt > 1)
        return filo_error(FILO_ERROR_DATA, "%s: the tilt is %g; it goes from 0 to 1", what, (double)v->tilt);
    if (v->scale_min < 0 || v->scale_min > v->scale_max)
        return filo_error(
            FILO_ERROR_DATA,
            "%s: the scale goes from %g to %g; set scale_min and scale_max, the smaller one first", what,
            (double)v->scale_min, (double)v->scale_max);
    if (v->turn > FILO_TURN_TOWARDS)
        return filo_error(FILO_ERROR_DATA, "%s: the turn %d is none", what, (int)v->turn);
    if (v->turn == FILO_TURN_TOWARDS) return placement_check_map(&v->towards, what);
    return filo_ok();
}

static FiloResult check_layer(const FiloPlacementLayer *layer, const char *what) {
    const FiloDensityMap *density = &layer->density;
    FiloResult r = placement_check_map(&density->map, what);
    if (r.code == FILO_OK) r = check_filter(density->filter, what);
    if (r.code != FILO_OK) return r;
    if (!finite(density->scale) || !finite(density->offset) || !finite(density->min) || !finite(density->max))
        return filo_error(FILO_ERROR_DATA, "%s: scale %g, offset %g, min %g and max %g must be finite", what,
                          (double)density->scale, (double)density->offset, (double)density->min,
                          (double)density->max);
    if (density->min > density->max)
        return filo_error(FILO_ERROR_DATA, "%s: min is %g and max %g; min must not be above max", what,
                          (double)density->min, (double)density->max);
    if (density->min < -64 || density->max > 64)
        return filo_error(FILO_ERROR_LIMIT,
                          "%s: densities go from %g to %g; −64 to 64 are allowed, and 1 is all there is",
                          what, (double)density->min, (double)density->max);
    if (!finite(layer->radius)) return filo_error(FILO_ERROR_DATA, "%s: the radius must be finite", what);
    return placement_check_variation(&layer->variation, what);
}

FiloResult placement_check_footprint(float footprint, const FiloPattern *pattern, float previous,
                                     const char *what) {
    if (!finite(footprint) || footprint < PLACEMENT_SMALLEST || footprint > PLACEMENT_LARGEST)
        return filo_error(FILO_ERROR_DATA, "%s: the footprint is %g metres; it must be from %g to %g", what,
                          (double)footprint, (double)PLACEMENT_SMALLEST, (double)PLACEMENT_LARGEST);
    if (previous > 0 && footprint > previous)
        return filo_error(
            FILO_ERROR_DATA,
            "%s: its %g metres are more than the %g of the footprint before; list the largest first", what,
            (double)footprint, (double)previous);
    if (pattern == NULL || !placement_has_pattern(pattern)) return filo_ok();
    FiloResult r = filo_pattern_check(pattern);
    if (r.code != FILO_OK) return filo_error(r.code, "%s: %s", what, r.message);
    if (pattern->size > PATTERN_WIDEST)
        return filo_error(FILO_ERROR_LIMIT, "%s: a cell of the pattern is %g footprints wide; %g is the most",
                          what, (double)pattern->size, (double)PATTERN_WIDEST);
    return filo_ok();
}

static void name_layer(char *what, size_t size, const FiloPlacementDesc *desc, size_t f, size_t l) {
    const char *name = desc->footprints[f].layers[l].name;
    if (name != NULL)
        snprintf(what, size, "layer \"%.40s\"", name);
    else
        snprintf(what, size, "footprint %zu, layer %zu", f, l);
}

size_t placement_layers_of(const FiloFootprint *footprint) {
    size_t count = 0;
    while (count < FILO_PLACEMENT_LAYERS && footprint->layers[count].density.map.data != NULL) count++;
    return count;
}

size_t placement_footprints_of(const FiloPlacementDesc *desc) {
    size_t count = 0;
    while (count < FILO_PLACEMENT_FOOTPRINTS && placement_layers_of(&desc->footprints[count]) > 0) count++;
    return count;
}

static FiloResult check_world(const FiloPlacementDesc *desc) {
    if (!finite(desc->size.x) || !finite(desc->size.y) || !finite(desc->size.z) || !finite(desc->lowest) ||
        !finite_double(desc->corner_x) || !finite_double(desc->corner_y))
        return filo_error(FILO_ERROR_DATA, "the world: its size, corner and lowest height must be finite");
    if (desc->size.x < PLACEMENT_SMALLEST || desc->size.y < PLACEMENT_SMALLEST ||
        desc->size.x > PLACEMENT_WORLD || desc->size.y > PLACEMENT_WORLD)
        return filo_error(FILO_ERROR_DATA, "the world: it is %g × %g metres; a side must be from %g to %g",
                          (double)desc->size.x, (double)desc->size.y, (double)PLACEMENT_SMALLEST,
                          (double)PLACEMENT_WORLD);
    if (desc->corner_x < -PLACEMENT_WORLD || desc->corner_x > PLACEMENT_WORLD ||
        desc->corner_y < -PLACEMENT_WORLD || desc->corner_y > PLACEMENT_WORLD)
        return filo_error(FILO_ERROR_LIMIT, "the world: its corner is further from the origin than %g metres",
                          (double)PLACEMENT_WORLD);
    FiloResult r = check_filter(desc->height_filter, "the heightmap");
    if (r.code != FILO_OK || desc->height.data == NULL) return r;
    if (desc->size.z <= 0)
        return filo_error(
            FILO_ERROR_DATA,
            "the world: size.z is %g metres, and there is a heightmap: set it to the height of its "
            "value 1 above its value 0",
            (double)desc->size.z);
    r = check_shape(&desc->height, "the heightmap");
    return r.code == FILO_OK ? check_floats(&desc->height, "the heightmap", ": divide heights by size.z") : r;
}

// Whether a layer that is not used was meant to be.
static bool is_started(const FiloPlacementLayer *layer) {
    const FiloDensityMap *density = &layer->density;
    return layer->name != NULL || density->map.data != NULL || density->map.width != 0 ||
           density->map.height != 0 || density->scale != 0 || density->offset != 0;
}

// A mistake that is easily made: a map without data ends the list. So does a footprint without layers.
static FiloResult check_gaps(const FiloPlacementDesc *desc, size_t count) {
    char what[96];
    for (size_t f = count; f < FILO_PLACEMENT_FOOTPRINTS; f++) {
        bool started = desc->footprints[f].footprint != 0;
        for (size_t l = 0; l < FILO_PLACEMENT_LAYERS; l++)
            started = started || is_started(&desc->footprints[f].layers[l]);
        if (started)
            return filo_error(FILO_ERROR_DATA,
                              "footprint %zu: it has no layers; give its first layer a density map", count);
    }
    for (size_t f = 0; f < count; f++) {
        size_t layers = placement_layers_of(&desc->footprints[f]);
        for (size_t l = layers; l < FILO_PLACEMENT_LAYERS; l++)
            if (is_started(&desc->footprints[f].layers[l])) {
                name_layer(what, sizeof what, desc, f, layers);
                return filo_error(FILO_ERROR_DATA, "%s: the map has no data", what);
            }
    }
    return filo_ok();
}

static FiloResult check_name(const char *name, const char *what) {
    if (name != NULL && strlen(name) >= PLACEMENT_NAME)
        return filo_error(FILO_ERROR_LIMIT, "%s: its name has more than %d bytes", what, PLACEMENT_NAME - 1);
    return filo_ok();
}

// Layers are found by their names, and so are their maps: "height" is the heightmap.
static FiloResult check_unique(const FiloPlacementDesc *desc, size_t footprint, size_t layer) {
    const char *name = desc->footprints[footprint].layers[layer].name;
    if (name != NULL && strcmp(name, "height") == 0)
        return filo_error(FILO_ERROR_DATA,
                          "layer \"height\": the heightmap is called so; give it another name");
    for (size_t f = 0; name != NULL && f <= footprint; f++)
        for (size_t l = 0; l < (f == footprint ? layer : placement_layers_of(&desc->footprints[f])); l++) {
            const char *other = desc->footprints[f].layers[l].name;
            if (other != NULL && strcmp(name, other) == 0)
                return filo_error(FILO_ERROR_DATA,
                                  "two layers are called \"%s\"; give each a name of its own", name);
        }
    return filo_ok();
}

static FiloResult check_footprints(const FiloPlacementDesc *desc) {
    char what[96];
    size_t count = placement_footprints_of(desc);
    FiloResult r = check_gaps(desc, count);
    if (r.code != FILO_OK) return r;
    if (count == 0) return filo_error(FILO_ERROR_DATA, "there is nothing to place: no footprint has a layer");
    float previous = 0;
    for (size_t f = 0; f < count; f++) {
        const FiloFootprint *footprint = &desc->footprints[f];
        if (footprint->name != NULL)
            snprintf(what, sizeof what, "footprint \"%.40s\"", footprint->name);
        else
            snprintf(what, sizeof what, "footprint %zu", f);
        r = placement_check_footprint(footprint->footprint, &footprint->pattern, previous, what);
        if (r.code == FILO_OK) r = check_name(footprint->name, what);
        if (r.code != FILO_OK) return r;
        previous = footprint->footprint;
        size_t layers = placement_layers_of(footprint);
        for (size_t l = 0; l < layers; l++) {
            name_layer(what, sizeof what, desc, f, l);
            r = check_layer(&footprint->layers[l], what);
            if (r.code == FILO_OK) r = check_name(footprint->layers[l].name, what);
            if (r.code == FILO_OK) r = check_unique(desc, f, l);
            if (r.code != FILO_OK) return r;
        }
    }
    return filo_ok();
}

// ---- Checking footprints together ---------------------------------------------------------------------------

// Distances between objects of different footprints are measured in units that are fine enough for the smallest footprint,
// and coarse enough that squares of the largest distance fit into 31 bits.
int32_t placement_units_for(float smallest) {
    int32_t units = 1;
    while ((float)units * smallest < 256.0f && units < 1 << 20) units *= 2;
    return units;
}

float placement_reach_of(const PlacementGround *earlier, const PlacementGround *later) {
    return earlier->radius >= 0 && later->radius >= 0 ? earlier->radius + later->radius : 0;
}

FiloResult placement_check_radius(const char *layer, float radius, float smallest) {
    const float most = 32767.0f / (float)placement_units_for(smallest);
    if (radius > most)
        return filo_error(
            FILO_ERROR_LIMIT,
            "layer \"%s\": its radius is %g metres, too much beside a footprint of %g: at most %g", layer,
            (double)radius, (double)smallest, (double)most);
    return filo_ok();
}

// Positions in a block are converted to units.
FiloResult placement_check_block(const PlacementGround *ground, float smallest) {
    const double most = (double)(1 << 30) / placement_units_for(smallest);
    if (ground->block > most)
        return filo_error(
            FILO_ERROR_LIMIT,
            "footprint \"%s\": its blocks of %g metres are too wide beside a footprint of %g: at most %g",
            ground->name, ground->block, (double)smallest, most);
    return filo_ok();
}

FiloResult placement_check_together(const PlacementGround *earlier, const PlacementGround *later,
                                    float smallest) {
    const float most = 32760.0f / (float)placement_units_for(smallest),
                reach = placement_reach_of(earlier, later);
    if (reach > most)
        return filo_error(FILO_ERROR_LIMIT,
                          "footprints \"%s\" and \"%s\": their radii add up to %g metres, too much beside a "
                          "footprint of %g: at most %g",
                          earlier->name, later->name, (double)reach, (double)smallest, (double)most);
    FiloResult r = reach > 0 ? placement_check_block(earlier, smallest) : filo_ok();
    return reach > 0 && r.code == FILO_OK ? placement_check_block(later, smallest) : r;
}

float placement_radius(const FiloPlacementLayer *layer, float footprint) {
    return layer->radius == 0 ? footprint * 0.5f : layer->radius < 0 ? -1 : layer->radius;
}

void placement_set_name(char to[PLACEMENT_NAME], const char *name, const char *kind, size_t number) {
    if (name != NULL)
        snprintf(to, PLACEMENT_NAME, "%s", name);
    else
        snprintf(to, PLACEMENT_NAME, "%s %zu", kind, number);
}

static FiloResult check_ground(const FiloPlacementDesc *desc) {
    char names[FILO_PLACEMENT_FOOTPRINTS][PLACEMENT_NAME], layer_name[PLACEMENT_NAME];
    PlacementGround grounds[FILO_PLACEMENT_FOOTPRINTS];
    size_t count = placement_footprints_of(desc), number = 0;
    float smallest = desc->footprints[count - 1].footprint;
    for (size_t f = 0; f < count; f++) {
        const FiloFootprint *from = &desc->footprints[f];
        FiloPattern pattern = placement_has_pattern(&from->pattern) ? from->pattern : filo_pattern(8, 0);
        placement_set_name(names[f], from->name, "footprint", f);
        grounds[f] =
            (PlacementGround){ names[f], -1,
                               (double)pattern.size * (double)from->footprint * FILO_PLACEMENT_BLOCK };
        for (size_t l = 0; l < placement_layers_of(from); l++) {
            float radius = placement_radius(&from->layers[l], from->footprint);
            placement_set_name(layer_name, from->layers[l].name, "layer", number++);
            FiloResult r = placement_check_radius(layer_name, radius, smallest);
            if (r.code != FILO_OK) return r;
            grounds[f].radius = filo_max(grounds[f].radius, radius);
        }
        for (size_t e = 0; e < f; e++) {
            FiloResult r = placement_check_together(&grounds[e], &grounds[f], smallest);
            if (r.code != FILO_OK) return r;
        }
    }
    return filo_ok();
}

// ---- Counting maps ------------------------------------------------------------------------------------------

FiloResult placement_too_many_maps(const char *name) {
    return filo_error(FILO_ERROR_LIMIT, "the map \"%s\": there are more than %d maps", name,
                      FILO_PLACEMENT_MAPS);
}

typedef struct SeenMaps {
    const void *data[FILO_PLACEMENT_MAPS];
    PlacementReader readers[FILO_PLACEMENT_MAPS];
    size_t count;
} SeenMaps;

// Counts as placement_add_map does: maps of bytes and 16 bits are shared.
static FiloResult see_map(SeenMaps *seen, const FiloTerrainMap *map, FiloMapFilter filter, const char *name) {
    PlacementReader reader = placement_reader(map, filter);
    for (size_t i = 0; i < seen->count && map->format != FILO_MAP_FLOAT; i++)
        if (seen->data[i] == map->data && placement_same_reader(&seen->readers[i], &reader)) return filo_ok();
    if (seen->count == FILO_PLACEMENT_MAPS) return placement_too_many_maps(name);
    seen->data[seen->count] = map->data;
    seen->readers[seen->count++] = reader;
    return filo_ok();
}

static FiloResult check_map_count(const FiloPlacementDesc *desc) {
    SeenMaps seen;
    char name[PLACEMENT_NAME];
    size_t number = 0;
    seen.count = 0;
    for (size_t f = 0; f < placement_footprints_of(desc); f++)
        for (size_t l = 0; l < placement_layers_of(&desc->footprints[f]); l++) {
            const FiloPlacementLayer *layer = &desc->footprints[f].layers[l];
            placement_set_name(name, layer->name, "layer", number++);
            FiloResult r = see_map(&seen, &layer->density.map, layer->density.filter, name);
            if (r.code == FILO_OK && layer->variation.turn == FILO_TURN_TOWARDS)
                r = see_map(&seen, &layer->variation.towards, FILO_MAP_NEAREST, "towards");
            if (r.code != FILO_OK) return r;
        }
    return filo_ok();
}

FiloResult placement_check_desc(const FiloPlacementDesc *desc) {
    FiloResult r = check_world(desc);
    if (desc->ecotope != NULL) return r.code == FILO_OK ? placement_ecotope_check(desc) : r;
    if (r.code == FILO_OK) r = check_footprints(desc);
    if (r.code == FILO_OK) r = check_ground(desc);
    if (r.code == FILO_OK) r = check_map_count(desc);
    return r;
}
