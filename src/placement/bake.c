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

static void bake_rows(size_t begin, size_t end, void *user) {
    const Bake *bake = user;
    PlacementFootprint *f = bake->footprint;
    const PlacementMap *maps = bake->placement->maps;
    int width = maps[f->layers[0].map].reader.width, level = PLACEMENT_ONE / f->points,
        words = f->baked_words;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < width; x++) {
            uint8_t levels[FILO_PLACEMENT_LAYERS];
            memset(levels, 127, sizeof levels); // of layers that are not there: above every threshold
            int32_t sum = 0, largest = 0;
            for (int l = 0; l < f->layer_count; l++) {
                int32_t value =
                    (int32_t)(placement_sample_at(&maps[f->layers[l].map], x * 256, (int32_t)y * 256) >> 16);
                sum += placement_density(&f->layers[l], value);
                largest = FILO_MAX(largest, sum);
                int32_t below = (largest + level - 1) / level;
                levels[l] = (uint8_t)FILO_MIN(below, f->points);
            }
            memcpy(f->baked + (y * (size_t)width + (size_t)x) * (size_t)words, levels,
                   (size_t)words * sizeof(uint32_t));
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
