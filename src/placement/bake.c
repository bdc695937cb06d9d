// Combines the maps of a footprint beforehand.
//
// The dither matrix has n² levels, i / n². A layer claims a candidate of level i if the sum of densities exceeds i / n²
// there, and no layer before it does: if the largest sum so far exceeds it for the first time. So one number for each
// texel and layer is enough: how many levels are below the largest sum so far. It goes from 0 to n², does not decrease from
// layer to layer, and fits into a byte for patterns of up to 8 × 8.

#include "placement/scalar.h"

typedef struct Bake {
    const FiloPlacement *placement;
    PlacementFootprint *footprint;
} Bake;

static FiloResult check(const FiloPlacement *p, const PlacementFootprint *f) {
    if (!f->plain)
        return filo_error(FILO_ERROR_UNSUPPORTED,
                          "footprint \"%s\": its densities are computed, not read from maps", f->name);
    if (f->n > 8)
        return filo_error(FILO_ERROR_UNSUPPORTED,
                          "footprint \"%s\": a pattern of %d × %d has more levels than a byte", f->name, f->n,
                          f->n);
    const PlacementReader *first = &p->maps[f->layers[0].map].reader;
    for (int l = 0; l < f->layer_count; l++) {
        const PlacementReader *r = &p->maps[f->layers[l].map].reader;
        if (r->filter != FILO_MAP_NEAREST)
            return filo_error(FILO_ERROR_UNSUPPORTED,
                              "layer \"%s\": its map is blended; set FILO_MAP_NEAREST", f->layers[l].name);
        if (r->width != r->full_width || r->height != r->full_height)
            return filo_error(FILO_ERROR_UNSUPPORTED, "layer \"%s\": its map is a window", f->layers[l].name);
        if (r->width != first->width || r->height != first->height)
            return filo_error(
                FILO_ERROR_UNSUPPORTED, "layer \"%s\": its map is %d × %d, and that of layer \"%s\" %d × %d",
                f->layers[l].name, r->width, r->height, f->layers[0].name, first->width, first->height);
    }
    size_t texel = (size_t)(f->layer_count + 3) / 4 * sizeof(uint32_t);
    if ((size_t)first->width * (size_t)first->height > INT32_MAX / texel)
        return filo_error(FILO_ERROR_LIMIT, "footprint \"%s\": its maps combined have more than 2 GiB",
                          f->name);
    return filo_ok();
}

#define PIECE 256 // texels of a row that are combined at once

// The values of a piece of a row: 16 bits.
static void load_piece(const PlacementMap *map, size_t y, int x, int count, int32_t *values) {
    const PlacementReader *r = &map->reader;
    const uint8_t *from = map->data + y * r->stride + (size_t)x * r->step;
    if (r->format == FILO_MAP_U8) {
        for (int i = 0; i < count; i++) values[i] = from[(size_t)i * r->step] * 257;
        return;
    }
    for (int i = 0; i < count; i++) {
        uint16_t value;
        memcpy(&value, from + (size_t)i * r->step, sizeof value);
        values[i] = value;
    }
}

// Layer by layer over a piece, in loops that become vector code.
static void bake_piece(const Bake *bake, size_t y, int x, int count, uint8_t *to) {
    const PlacementFootprint *f = bake->footprint;
    int32_t values[PIECE], sums[PIECE] = { 0 }, largest[PIECE] = { 0 };
    int level = PLACEMENT_ONE / f->points, shift = __builtin_ctz((unsigned)level), step = f->baked_words * 4;
    memset(to, 127, (size_t)count * (size_t)step); // of layers that are not there: above every threshold
    for (int l = 0; l < f->layer_count; l++) {
        const PlacementLayer layer = f->layers[l];
        load_piece(&bake->placement->maps[layer.map], y, x, count, values);
        for (int i = 0; i < count; i++) {
            sums[i] += placement_density(&layer, values[i]);
            largest[i] = largest[i] > sums[i] ? largest[i] : sums[i];
            int32_t below = (largest[i] + level - 1) >> shift;
            values[i] = below < f->points ? below : f->points;
        }
        for (int i = 0; i < count; i++) to[i * step + l] = (uint8_t)values[i];
    }
}

static void bake_rows(size_t begin, size_t end, void *user) {
    const Bake *bake = user;
    const PlacementFootprint *f = bake->footprint;
    int width = bake->placement->maps[f->layers[0].map].reader.width;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < width; x += PIECE) {
            uint32_t *to = f->baked + (y * (size_t)width + (size_t)x) * (size_t)f->baked_words;
            bake_piece(bake, y, x, FILO_MIN(PIECE, width - x), (uint8_t *)to);
        }
}

FiloResult filo_placement_bake(FiloPlacement *placement, size_t footprint, FiloJobs *jobs) {
    if (placement == NULL || footprint >= (size_t)placement->footprint_count)
        return FILO_MISTAKE("pass a placement, and the number of one of its footprints");
    PlacementFootprint *f = &placement->footprints[footprint];
    FiloResult r = check(placement, f);
    if (r.code != FILO_OK) return r;
    const PlacementReader *reader = &placement->maps[f->layers[0].map].reader;
    if (f->baked == NULL) {
        f->baked_words = (f->layer_count + 3) / 4;
        f->baked_size =
            (size_t)reader->width * (size_t)reader->height * (size_t)f->baked_words * sizeof(uint32_t);
        f->baked = filo_alloc(placement->allocator, f->baked_size, 64);
        if (f->baked == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory to combine maps");
    }
    Bake bake = { placement, f };
    if (jobs != NULL)
        filo_jobs_for(jobs, (size_t)reader->height, bake_rows, &bake);
    else
        bake_rows(0, (size_t)reader->height, &bake);
    return r;
}

void filo_placement_unbake(FiloPlacement *placement, size_t footprint) {
    if (!FILO_CHECK(placement != NULL && footprint < (size_t)placement->footprint_count,
                    "pass a placement, and the number of one of its footprints"))
        return;
    PlacementFootprint *f = &placement->footprints[footprint];
    filo_free(placement->allocator, f->baked, f->baked_size, 64);
    f->baked = NULL;
}
