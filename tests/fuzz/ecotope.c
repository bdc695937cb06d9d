// Any bytes as an ecotope: they are refused with a message, or a placement is created with maps for all names, and places
// the same objects with and without vectors.

#include <filo/ecotope.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SIDE 16

static void compare(const FiloPlacement *placement) {
    FiloPlacementResult scalar = { 0 }, best = { 0 };
    FiloPlacementRequest request = { .area = { 1, 1, 2, 2.5 }, .path = FILO_PLACEMENT_SCALAR };
    FiloResult result = filo_placement_compute(placement, &request, &scalar);
    request.path = FILO_PLACEMENT_BEST;
    if (filo_placement_compute(placement, &request, &best).code != result.code) abort();
    if (scalar.count != best.count) abort();
    if (scalar.count > 0 && memcmp(scalar.objects, best.objects, best.count * sizeof(FiloPlaced)) != 0)
        abort();
    filo_placement_result_free(&scalar);
    filo_placement_result_free(&best);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint16_t values[SIDE * SIDE];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) values[i] = (uint16_t)(i * 40503u);
    FiloEcotope *ecotope;
    FiloResult result = filo_ecotope_parse(&ecotope, (const char *)data, size, "fuzz", NULL);
    if (result.code != FILO_OK) {
        if (ecotope != NULL || strncmp(result.message, "fuzz:", 5) != 0) abort();
        return 0;
    }
    FiloTerrainMap map = { .data = values, .format = FILO_MAP_U16, .width = SIDE, .height = SIDE };
    FiloNamedMap maps[FILO_PLACEMENT_MAPS];
    size_t count = filo_ecotope_map_count(ecotope);
    for (size_t i = 0; i < count; i++) maps[i] = (FiloNamedMap){ filo_ecotope_map_name(ecotope, i), map };
    FiloPlacementDesc desc = { .size = { 4, 4, 2 },
                               .height = map,
                               .lowest = 100,
                               .ecotope = ecotope,
                               .maps = maps,
                               .map_count = count };
    FiloPlacement *placement;
    result = filo_placement_create(&placement, &desc);
    filo_ecotope_free(ecotope);
    if (result.code == FILO_OK) {
        compare(placement);
        filo_placement_destroy(placement);
    } else if (result.message[0] == '\0') {
        abort();
    }
    return 0;
}
