// Ecotopes for tests: their text with ' instead of ", a world with maps for them, and the density of a layer at a point.

#ifndef FILO_TESTS_PLACEMENT_ECOTOPES_H
#define FILO_TESTS_PLACEMENT_ECOTOPES_H

#include <filo/ecotope.h>

#include "placement/forest.h"
#include "placement/scalar.h"
#include "support/test.h"

// The text with " for '. Valid until four more calls.
static inline const char *quoted(const char *text) {
    static char buffers[4][1 << 16];
    static int next;
    char *buffer = buffers[next++ % 4];
    assert_true(strlen(text) < sizeof buffers[0]);
    for (size_t i = 0; (buffer[i] = text[i] == '\'' ? '"' : text[i]) != '\0';) i++;
    return buffer;
}

static inline FiloResult parse_text(FiloEcotope **ecotope, const char *text, const FiloAllocator *allocator) {
    text = quoted(text);
    return filo_ecotope_parse(ecotope, text, strlen(text), "a.json", allocator);
}

static inline FiloEcotope *parse(const char *text) {
    FiloEcotope *ecotope;
    assert_ok(parse_text(&ecotope, text, NULL));
    return ecotope;
}

// A file with one layer of one footprint, with the maps a, b (plain), road (0 to 200 metres) and wind (a direction).
#define ONE_LAYER(density)                                                                                   \
    "{'maps': {'a': {}, 'b': {'filter': 'nearest'}, 'road': {'range': [0, 200]}, 'wind': {'range': [0, "     \
    "360], "                                                                                                 \
    "'wraps': true}, 'half': {'range': [-1, 1]}}, 'footprints': {'all': {'metres': 2}}, 'ecotopes': "        \
    "[{'name': "                                                                                             \
    "'land', 'layers': [{'name': 'layer', 'density': " density "}]}]}"

// The maps of a forest under the names of ONE_LAYER.
typedef struct NamedMaps {
    FiloNamedMap maps[5];
} NamedMaps;

static inline NamedMaps name_maps(const Forest *forest) {
    return (NamedMaps){ { { "a", forest_words(forest) },
                          { "b", forest_bytes(forest, 1) },
                          { "road", forest_words(forest) },
                          { "wind", forest_words(forest) },
                          { "half", forest_words(forest) } } };
}

static inline FiloResult create_text(FiloPlacement **placement, const Forest *forest, const char *text,
                                     const FiloAllocator *allocator) {
    FiloEcotope *ecotope;
    *placement = NULL;
    FiloResult result = parse_text(&ecotope, text, allocator);
    if (result.code != FILO_OK) return result;
    NamedMaps maps = name_maps(forest);
    FiloPlacementDesc desc = { .size = forest->desc.size,
                               .height = forest->desc.height,
                               .lowest = 100,
                               .seed = 3,
                               .ecotope = ecotope,
                               .maps = maps.maps,
                               .map_count = FILO_COUNT_OF(maps.maps),
                               .allocator = allocator };
    result = filo_placement_create(placement, &desc);
    filo_ecotope_free(ecotope);
    return result;
}

static inline FiloPlacement *create_from(const Forest *forest, const char *text) {
    FiloPlacement *placement;
    assert_ok(create_text(&placement, forest, text, NULL));
    return placement;
}

// A candidate of the first footprint.
static inline PlacementCandidate candidate_of(const FiloPlacement *p, int i) {
    const PlacementFootprint *f = &p->footprints[0];
    int32_t cell_x = i / f->points % 8, cell_y = i / f->points / 8;
    return (PlacementCandidate){ .placement = p,
                                 .footprint = f,
                                 .maps = p->maps,
                                 .at = placement_point(f, cell_x, cell_y, i % f->points) };
}

// The density of the only layer of a footprint at a candidate, in 1/65536: found with other thresholds.
static inline int32_t density_of(PlacementCandidate candidate) {
    int32_t low = -1, high = PLACEMENT_ONE; // the density is above `low` and not above `high`
    while (high - low > 1) {
        candidate.threshold = low + (high - low) / 2;
        *(placement_evaluate(&candidate) != 0 ? &low : &high) = candidate.threshold;
    }
    return high;
}

static inline int32_t density_at(const FiloPlacement *p, int i) { return density_of(candidate_of(p, i)); }

// The value of a map at a candidate, 0 to 1, as a program gets it.
static inline double input_at(const FiloPlacement *p, const char *name, int i) {
    int map = filo_placement_map_find(p, name);
    assert_true(map >= 0);
    return ((placement_sample(p, &p->maps[map], candidate_of(p, i).at) + 1) >> 1) / 32768.0;
}

#endif
