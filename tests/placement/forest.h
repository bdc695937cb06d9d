// Worlds to place objects in, for tests: maps of random values that vary smoothly, and areas.

#ifndef FILO_TESTS_PLACEMENT_FOREST_H
#define FILO_TESTS_PLACEMENT_FOREST_H

#include <filo/placement.h>
#include <filo/random.h>

#include <stdlib.h>
#include <string.h>

#define FOREST_SIDE 128

typedef struct Forest {
    uint8_t bytes[4][FOREST_SIDE * FOREST_SIDE];
    uint16_t words[FOREST_SIDE * FOREST_SIDE];
    float floats[FOREST_SIDE * FOREST_SIDE];
    FiloPlacementDesc desc;
} Forest;

static inline FiloTerrainMap forest_bytes(const Forest *forest, int map) {
    return (FiloTerrainMap){
        .data = forest->bytes[map], .format = FILO_MAP_U8, .width = FOREST_SIDE, .height = FOREST_SIDE
    };
}
static inline FiloTerrainMap forest_words(const Forest *forest) {
    return (FiloTerrainMap){
        .data = forest->words, .format = FILO_MAP_U16, .width = FOREST_SIDE, .height = FOREST_SIDE
    };
}
static inline FiloTerrainMap forest_floats(const Forest *forest) {
    return (FiloTerrainMap){
        .data = forest->floats, .format = FILO_MAP_FLOAT, .width = FOREST_SIDE, .height = FOREST_SIDE
    };
}

// Fills all maps from a seed. The description has a world of 300 m with four layers of one footprint.
static inline void forest_make(Forest *forest, uint64_t seed) {
    FiloRandom random = filo_random_sequence(seed);
    for (int map = 0; map < 4; map++) {
        uint32_t value = 0;
        for (size_t i = 0; i < FOREST_SIDE * FOREST_SIDE; i++) {
            if (i % 7 == 0) value = filo_random_u32(&random) % 130;
            forest->bytes[map][i] = (uint8_t)(value + filo_random_u32(&random) % 16);
        }
    }
    for (size_t i = 0; i < FOREST_SIDE * FOREST_SIDE; i++) {
        forest->words[i] = (uint16_t)filo_random_u32(&random);
        forest->floats[i] = filo_random_float(&random);
    }
    memset(&forest->desc, 0, sizeof forest->desc);
    forest->desc.size = (FiloVec3){ 300, 300, 80 };
    forest->desc.height = forest_words(forest);
    forest->desc.seed = seed;
    forest->desc.footprints[0].footprint = 1.75f;
    for (int map = 0; map < 4; map++) {
        forest->desc.footprints[0].layers[map].density.map = forest_bytes(forest, map);
        forest->desc.footprints[0].layers[map].density.filter = FILO_MAP_NEAREST;
    }
}

static inline Forest *forest_new(uint64_t seed) {
    Forest *forest = malloc(sizeof *forest);
    if (forest != NULL) forest_make(forest, seed);
    return forest;
}

// A random placement: sizes of patterns, formats, filters, numbers and footprints differ.
static inline void forest_random_desc(Forest *forest, FiloRandom *random) {
    FiloPlacementDesc *desc = &forest->desc;
    desc->height_filter = filo_random_chance(random, 0.3f) ? FILO_MAP_NEAREST : FILO_MAP_BILINEAR;
    desc->corner_x =
        filo_random_chance(random, 0.5f) ? 0 : (double)filo_random_float_range(random, -500, 500);
    desc->lowest = filo_random_float_range(random, -10, 10);
    int footprints = filo_random_range(random, 1, 3);
    float footprint = filo_random_float_range(random, 2, 4);
    for (int f = 0; f < footprints; f++) {
        FiloFootprint *to = &desc->footprints[f];
        static const int sizes[] = { 4, 8, 8, 16 };
        int size = sizes[filo_random_range(random, 0, 3)];
        to->pattern = filo_pattern_for(size, filo_random_u32(random), 0);
        to->footprint = footprint;
        footprint *= filo_random_float_range(random, 0.5f, 1);
        int layers = filo_random_range(random, 1, 6);
        memset(to->layers, 0, sizeof to->layers);
        for (int l = 0; l < layers; l++) {
            FiloPlacementLayer *layer = &to->layers[l];
            int kind = filo_random_range(random, 0, 5);
            layer->density.map = kind < 4    ? forest_bytes(forest, kind)
                                 : kind == 4 ? forest_words(forest)
                                             : forest_floats(forest);
            layer->density.filter = filo_random_chance(random, 0.5f) ? FILO_MAP_NEAREST : FILO_MAP_BILINEAR;
            if (filo_random_chance(random, 0.7f)) {
                layer->density.scale = filo_random_float_range(random, -0.5f, 1);
                layer->density.offset = filo_random_float_range(random, -0.3f, 0.3f);
                layer->density.min = filo_random_float_range(random, -0.5f, 0.1f);
                layer->density.max = filo_random_float_range(random, 0.1f, 1.2f);
            }
        }
    }
}

// Near the origin or 100 km away, inside the maps and outside.
static inline FiloPlacementArea forest_random_area(FiloRandom *random) {
    double far = filo_random_chance(random, 0.3f) ? 100000 : 0;
    double x = (double)filo_random_float_range(random, -200, 300) + far,
           y = (double)filo_random_float_range(random, -200, 300);
    double width = (double)filo_random_float_range(random, 1, 120),
           height = (double)filo_random_float_range(random, 1, 120);
    return (FiloPlacementArea){ x, y, x + width, y + height };
}

#endif
