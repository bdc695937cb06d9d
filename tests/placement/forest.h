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

#endif
