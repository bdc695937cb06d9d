// Prepares a placement from its description, which check.c has checked before anything is allocated.

#include "placement/create.h"

#include "placement/claims.h"

#include <filo/log.h>

#include <stdio.h>
#include <string.h>

#define NO_PLACEMENT "pass the placement that filo_placement_create made"

// ---- Preparing ----------------------------------------------------------------------------------------------

size_t placement_texel_size(FiloMapFormat format) {
    return format == FILO_MAP_U8 ? 1 : format == FILO_MAP_U16 ? 2 : 4;
}

PlacementReader placement_reader(const FiloTerrainMap *map, FiloMapFilter filter) {
    size_t step = map->step != 0 ? map->step : placement_texel_size(map->format);
    return (PlacementReader){
        .format = map->format,
        .filter = filter,
        .x = map->x,
        .y = map->y,
        .width = map->width,
        .height = map->height,
        .full_width = map->full_width != 0 ? map->full_width : map->width,
        .full_height = map->full_height != 0 ? map->full_height : map->height,
        .stride = map->stride != 0 ? map->stride : (size_t)map->width * step,
        .step = step,
    };
}

bool placement_same_reader(const PlacementReader *a, const PlacementReader *b) {
    return a->format == b->format && a->filter == b->filter && a->x == b->x && a->y == b->y &&
           a->width == b->width && a->height == b->height && a->full_width == b->full_width &&
           a->full_height == b->full_height && a->stride == b->stride && a->step == b->step;
}

// Floats from 0 to 1 as 16 bits.
static uint16_t quantise(float value) { return (uint16_t)(int32_t)placement_round(value * 65535.0f); }

static FiloResult convert_floats(FiloPlacement *p, PlacementMap *map) {
    size_t width = (size_t)map->reader.width, height = (size_t)map->reader.height;
    map->owned_size = width * height * sizeof(uint16_t);
    map->owned = filo_alloc(p->allocator, map->owned_size, 0);
    if (map->owned == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the map \"%s\"", map->name);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            float value;
            memcpy(&value, map->data + y * map->reader.stride + x * map->reader.step, sizeof value);
            map->owned[y * width + x] = quantise(value);
        }
    map->data = (const uint8_t *)map->owned;
    map->reader.format = FILO_MAP_U16;
    map->reader.step = sizeof(uint16_t);
    map->reader.stride = width * sizeof(uint16_t);
    return filo_ok();
}

FiloResult placement_add_map(FiloPlacement *p, const FiloTerrainMap *map, FiloMapFilter filter,
                             const char *name, int *index) {
    *index = -1;
    PlacementReader reader = placement_reader(map, filter);
    // Two layers may have the same map.
    for (int i = 1; i < p->map_count; i++)
        if (p->maps[i].data == map->data && p->maps[i].owned == NULL &&
            placement_same_reader(&p->maps[i].reader, &reader)) {
            *index = i;
            return filo_ok();
        }
    if (p->map_count > FILO_PLACEMENT_MAPS) return placement_too_many_maps(name);
    PlacementMap *to = &p->maps[p->map_count];
    *to = (PlacementMap){ .data = map->data, .reader = reader };
    snprintf(to->name, sizeof to->name, "%s", name);
    if (reader.format == FILO_MAP_FLOAT) {
        FiloResult r = convert_floats(p, to);
        if (r.code != FILO_OK) return r;
    }
    *index = p->map_count++;
    return filo_ok();
}

// The dither matrix of n × n in the recursive order of Bayer: M(2n) = [4 M, 4 M + 2; 4 M + 3, 4 M + 1].
static int dither(int n, int x, int y) {
    if (n == 1) return 0;
    int half = n / 2;
    static const int add[2][2] = { { 0, 2 }, { 3, 1 } };
    return 4 * dither(half, x % half, y % half) + add[y / half][x / half];
}

bool placement_setup_footprint(FiloPlacement *p, PlacementFootprint *f, float footprint,
                               const FiloPattern *pattern, int index) {
    FiloPattern chosen = pattern != NULL && placement_has_pattern(pattern)
                             ? *pattern
                             : filo_pattern_for(8, p->seed, (uint32_t)index);
    f->footprint = footprint;
    f->size = chosen.size;
    f->cell = (double)chosen.size * (double)footprint;
    f->block = f->cell * FILO_PLACEMENT_BLOCK;
    f->n = chosen.n;
    f->points = chosen.n * chosen.n;
    for (int i = 0; i < f->points; i++) {
        f->px[i] = chosen.points[i].x;
        f->py[i] = chosen.points[i].y;
        f->threshold[i] = dither(f->n, i % f->n, i / f->n) * (PLACEMENT_ONE / f->points);
    }
    size_t points = (size_t)f->points;
    f->shifted = filo_alloc(p->allocator, points * points * sizeof(int32_t), 64);
    if (f->shifted == NULL) return false;
    for (int cell = 0; cell < f->points; cell++)
        for (int i = 0; i < f->points; i++)
            f->shifted[cell * f->points + i] = placement_threshold(f, cell % f->n, cell / f->n, i);
    return true;
}

FiloResult placement_set_variation(FiloPlacement *p, PlacementLayer *layer, const FiloVariation *variation) {
    layer->variation = *variation;
    layer->towards = -1;
    FiloVariation *v = &layer->variation;
    if (v->scale_max == 0) v->scale_min = v->scale_max = 1;
    if (v->variants == 0) v->variants = 1;
    uint32_t a, b;
    memcpy(&a, &v->color_a, sizeof a), memcpy(&b, &v->color_b, sizeof b);
    if (a == 0 && b == 0) v->color_a = v->color_b = FILO_COLOR_WHITE;
    if (v->turn != FILO_TURN_TOWARDS) return filo_ok();
    return placement_add_map(p, &v->towards, FILO_MAP_NEAREST, "towards", &layer->towards);
}

static FiloResult setup_layer(FiloPlacement *p, PlacementFootprint *f, const FiloPlacementLayer *from) {
    PlacementLayer *layer = &f->layers[f->layer_count];
    placement_set_name(layer->name, from->name, "layer", (size_t)p->layer_count);
    const FiloDensityMap *density = &from->density;
    layer->scale = density->scale == 0 && density->offset == 0 ? 1 : density->scale;
    layer->scale = layer->scale / 65535.0f;
    layer->offset = density->offset;
    layer->min = density->min;
    layer->max = density->min == 0 && density->max == 0 ? 1 : density->max;
    layer->radius = placement_radius(from, f->footprint);
    FiloResult r = placement_add_map(p, &density->map, density->filter, layer->name, &layer->map);
    if (r.code == FILO_OK) r = placement_set_variation(p, layer, &from->variation);
    f->layer_count++;
    p->layer_count++;
    return r;
}

// The program of density maps alone.
static FiloResult plain_program(FiloPlacement *p, PlacementFootprint *f) {
    f->plain = true;
    f->program.ops = filo_alloc(p->allocator, (size_t)f->layer_count * sizeof(PlacementOp), 0);
    if (f->program.ops == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a placement");
    f->program.op_count = (size_t)f->layer_count;
    for (int l = 0; l < f->layer_count; l++)
        f->program.ops[l] = (PlacementOp){ PLACEMENT_OP_MAP_LAYER, 0, 0, 0, l };
    return filo_ok();
}

static FiloResult setup_footprints(FiloPlacement *p, const FiloPlacementDesc *desc) {
    size_t count = placement_footprints_of(desc);
    for (size_t i = 0; i < count; i++) {
        const FiloFootprint *from = &desc->footprints[i];
        PlacementFootprint *f = &p->footprints[p->footprint_count++];
        placement_set_name(f->name, from->name, "footprint", i);
        f->first_layer = p->layer_count;
        if (!placement_setup_footprint(p, f, from->footprint, &from->pattern, (int)i))
            return filo_error(FILO_ERROR_MEMORY, "no memory for a placement");
        size_t layers = placement_layers_of(from);
        for (size_t l = 0; l < layers; l++) {
            FiloResult r = setup_layer(p, f, &from->layers[l]);
            if (r.code != FILO_OK) return r;
        }
        FiloResult r = plain_program(p, f);
        if (r.code != FILO_OK) return r;
    }
    return filo_ok();
}

static PlacementGround ground_of(const PlacementFootprint *f) {
    PlacementGround ground = { f->name, -1, f->block };
    for (int l = 0; l < f->layer_count; l++) ground.radius = filo_max(ground.radius, f->layers[l].radius);
    return ground;
}

static FiloResult setup_reach(FiloPlacement *p) {
    float smallest = p->footprints[p->footprint_count - 1].footprint;
    int32_t units = placement_units_for(smallest);
    p->units = units;
    for (int f = 0; f < p->footprint_count; f++) {
        PlacementFootprint *later = &p->footprints[f];
        for (int l = 0; l < later->layer_count; l++) {
            PlacementLayer *layer = &later->layers[l];
            FiloResult r = placement_check_radius(layer->name, layer->radius, smallest);
            if (r.code != FILO_OK) return r;
            layer->radius_units =
                layer->radius < 0 ? -1 : (int32_t)placement_round(layer->radius * (float)units);
        }
        for (size_t i = 0; i < later->program.near_count; i++) {
            PlacementNear *near = &later->program.nears[i];
            if (near->within * (float)units > 32767.0f)
                return filo_error(FILO_ERROR_LIMIT,
                                  "\"near\" reaches %g metres, too far beside a footprint of %g",
                                  (double)near->within, (double)smallest);
            near->within_units = (int32_t)placement_round(near->within * (float)units);
            near->factor = 32768.0f / ((float)near->within_units * (float)near->within_units / 64.0f);
        }
        for (int e = 0; e < f; e++) {
            const PlacementFootprint *earlier = &p->footprints[e];
            PlacementGround mine = ground_of(later), theirs = ground_of(earlier);
            FiloResult r = placement_check_together(&theirs, &mine, smallest);
            if (r.code != FILO_OK) return r;
            float reach = placement_reach_of(&theirs, &mine);
            for (size_t i = 0; i < later->program.near_count; i++)
                for (int l = 0; l < earlier->layer_count; l++) {
                    int layer = earlier->first_layer + l;
                    if (later->program.nears[i].layers[layer / 32] >> (layer % 32) & 1)
                        reach = filo_max(reach, later->program.nears[i].within);
                }
            if (reach > 0) r = placement_check_block(&theirs, smallest);
            if (reach > 0 && r.code == FILO_OK) r = placement_check_block(&mine, smallest);
            if (r.code != FILO_OK) return r;
            later->reach[e] = reach > 0 ? reach + 8.0f / (float)units : 0;
        }
    }
    return filo_ok();
}

static FiloResult setup(FiloPlacement *p, const FiloPlacementDesc *desc) {
    p->size = desc->size;
    p->inverse_x = 1.0f / desc->size.x;
    p->inverse_y = 1.0f / desc->size.y;
    p->corner_x = desc->corner_x;
    p->corner_y = desc->corner_y;
    p->lowest = desc->lowest;
    p->height_scale = desc->size.z / (65535.0f * 256.0f);
    p->seed = desc->seed;
    p->map_count = 1;
    PlacementMap *height = &p->maps[PLACEMENT_HEIGHT];
    snprintf(height->name, sizeof height->name, "height");
    height->reader.filter = desc->height_filter; // of windows, where there is no map
    if (desc->height.data != NULL) {
        height->data = desc->height.data;
        height->reader = placement_reader(&desc->height, desc->height_filter);
        if (height->reader.format == FILO_MAP_FLOAT) {
            FiloResult r = convert_floats(p, height);
            if (r.code != FILO_OK) return r;
        }
    }
    FiloResult r = desc->ecotope != NULL ? placement_ecotope_apply(p, desc) : setup_footprints(p, desc);
    return r.code == FILO_OK ? setup_reach(p) : r;
}

FiloResult filo_placement_create(FiloPlacement **placement, const FiloPlacementDesc *desc) {
    if (placement == NULL) return FILO_MISTAKE("pass a pointer for the placement");
    *placement = NULL;
    if (desc == NULL) return FILO_MISTAKE("pass a description of what to place");
    FiloResult r = placement_check_desc(desc);
    if (r.code != FILO_OK) return r;
    const FiloAllocator *allocator = desc->allocator != NULL ? desc->allocator : filo_heap();
    FiloPlacement *p = filo_alloc_zero(allocator, sizeof *p, 64);
    if (p == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a placement");
    p->allocator = allocator;
    filo_mutex_init(&p->lock);
    r = setup(p, desc);
    if (r.code != FILO_OK) {
        filo_placement_destroy(p);
        return r;
    }
    *placement = p;
    return r;
}

void placement_program_free(PlacementProgram *program, const FiloAllocator *allocator) {
    filo_free(allocator, program->ops, program->op_count * sizeof *program->ops, 0);
    filo_free(allocator, program->segments, program->segment_count * sizeof *program->segments, 0);
    filo_free(allocator, program->curves, program->curve_count * sizeof *program->curves, 0);
    filo_free(allocator, program->noises, program->noise_count * sizeof *program->noises, 0);
    filo_free(allocator, program->nears, program->near_count * sizeof *program->nears, 0);
    *program = (PlacementProgram){ 0 };
}

static void free_placement(FiloPlacement *placement) {
    const FiloAllocator *allocator = placement->allocator;
    placement_futures_free_all(placement);
    placement_scratch_free_all(placement);
    for (int i = 0; i < placement->map_count; i++)
        filo_free(allocator, placement->maps[i].owned, placement->maps[i].owned_size, 0);
    for (int i = 0; i < placement->footprint_count; i++) {
        placement_program_free(&placement->footprints[i].program, allocator);
        PlacementFootprint *f = &placement->footprints[i];
        filo_free(allocator, f->baked, f->baked_size, 64);
        filo_free(allocator, f->shifted, (size_t)f->points * (size_t)f->points * sizeof(int32_t), 64);
    }
    filo_mutex_deinit(&placement->lock);
    filo_free(allocator, placement, sizeof *placement, 64);
}

void filo_placement_destroy(FiloPlacement *placement) {
    if (placement == NULL) return;
    size_t futures = placement_futures_running(placement);
    (void)FILO_CHECK(futures == 0,
                     "filo_placement_destroy: %zu futures of it have not been taken or cancelled", futures);
    filo_mutex_lock(&placement->lock);
    uint32_t users = placement->users;
    bool again = placement->destroyed;
    placement->destroyed = true;
    filo_mutex_unlock(&placement->lock);
    if (!FILO_CHECK(!again, "filo_placement_destroy: it has been destroyed already")) return;
    if (FILO_CHECK(users == 0, "filo_placement_destroy: %u objects use it; destroy them first", users))
        free_placement(placement);
}

void filo_placement_retain(const FiloPlacement *placement) {
    if (!FILO_CHECK(placement != NULL, NO_PLACEMENT)) return;
    FiloPlacement *p = (FiloPlacement *)(uintptr_t)placement; // its count, behind a lock
    filo_mutex_lock(&p->lock);
    p->users++;
    filo_mutex_unlock(&p->lock);
}

void filo_placement_release(const FiloPlacement *placement) {
    if (!FILO_CHECK(placement != NULL, NO_PLACEMENT)) return;
    FiloPlacement *p = (FiloPlacement *)(uintptr_t)placement;
    filo_mutex_lock(&p->lock);
    bool retained = p->users > 0;
    if (retained) p->users--;
    bool last = retained && p->users == 0 && p->destroyed;
    filo_mutex_unlock(&p->lock);
    (void)FILO_CHECK(retained, "filo_placement_release: it is not retained");
    if (last) free_placement(p);
}

// ---- What there is ------------------------------------------------------------------------------------------

size_t filo_placement_layer_count(const FiloPlacement *placement) {
    if (!FILO_CHECK(placement != NULL, NO_PLACEMENT)) return 0;
    return (size_t)placement->layer_count;
}

size_t filo_placement_footprint_count(const FiloPlacement *placement) {
    if (!FILO_CHECK(placement != NULL, NO_PLACEMENT)) return 0;
    return (size_t)placement->footprint_count;
}

const PlacementLayer *placement_layer(const FiloPlacement *placement, size_t layer) {
    const PlacementFootprint *f = placement->footprints;
    while ((int)layer >= f->first_layer + f->layer_count) f++;
    return &f->layers[layer - (size_t)f->first_layer];
}

const char *filo_placement_layer_name(const FiloPlacement *placement, size_t layer) {
    if (!FILO_CHECK(placement != NULL, NO_PLACEMENT)) return "";
    return layer < (size_t)placement->layer_count ? placement_layer(placement, layer)->name : "";
}

int filo_placement_layer_find(const FiloPlacement *placement, const char *name) {
    if (!FILO_CHECK(placement != NULL && name != NULL, "pass a placement and the name of a layer")) return -1;
    for (size_t i = 0; i < (size_t)placement->layer_count; i++)
        if (strcmp(placement_layer(placement, i)->name, name) == 0) return (int)i;
    return -1;
}

size_t filo_placement_layer_footprint(const FiloPlacement *placement, size_t layer) {
    if (!FILO_CHECK(placement != NULL, NO_PLACEMENT)) return 0;
    size_t f = 0;
    if (layer >= (size_t)placement->layer_count) return 0;
    while ((int)layer >= placement->footprints[f].first_layer + placement->footprints[f].layer_count) f++;
    return f;
}

static const PlacementFootprint *footprint_at(const FiloPlacement *placement, size_t footprint) {
    if (!FILO_CHECK(placement != NULL, NO_PLACEMENT)) return NULL;
    if (!FILO_CHECK(footprint < (size_t)placement->footprint_count,
                    "there are %d footprints, and no number %zu", placement->footprint_count, footprint))
        return NULL;
    return &placement->footprints[footprint];
}

const char *filo_placement_footprint_name(const FiloPlacement *placement, size_t footprint) {
    const PlacementFootprint *f = footprint_at(placement, footprint);
    return f != NULL ? f->name : "";
}

float filo_placement_footprint_size(const FiloPlacement *placement, size_t footprint) {
    const PlacementFootprint *f = footprint_at(placement, footprint);
    return f != NULL ? f->footprint : 0;
}

double filo_placement_cell_size(const FiloPlacement *placement, size_t footprint) {
    const PlacementFootprint *f = footprint_at(placement, footprint);
    return f != NULL ? f->cell : 0;
}

size_t filo_placement_point_count(const FiloPlacement *placement, size_t footprint) {
    const PlacementFootprint *f = footprint_at(placement, footprint);
    return f != NULL ? (size_t)f->points : 0;
}

double filo_placement_reach(const FiloPlacement *placement) {
    if (!FILO_CHECK(placement != NULL, NO_PLACEMENT)) return 0;
    double margins[FILO_PLACEMENT_FOOTPRINTS], most = 0;
    placement_margins(placement, UINT32_MAX, margins);
    for (int f = 0; f < placement->footprint_count; f++) most = FILO_MAX(most, margins[f]);
    return most;
}

size_t filo_placement_map_count(const FiloPlacement *placement) {
    if (!FILO_CHECK(placement != NULL, NO_PLACEMENT)) return 0;
    return (size_t)placement->map_count;
}

int filo_placement_map_find(const FiloPlacement *placement, const char *name) {
    if (!FILO_CHECK(placement != NULL && name != NULL, "pass a placement and the name of a map")) return -1;
    for (int i = 0; i < placement->map_count; i++)
        if (strcmp(placement->maps[i].name, name) == 0) return i;
    // Layers that share a map have it under the name of the first of them.
    int layer = filo_placement_layer_find(placement, name);
    return layer < 0 ? -1 : placement_layer(placement, (size_t)layer)->map;
}
