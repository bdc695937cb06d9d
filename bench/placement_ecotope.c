// Ecotopes of 5, 20 and 80 expressions on a square of 1,000 metres, with vectors beside candidate by candidate.

#include "placement.h"

#include <stdio.h>

typedef struct EcotopeSite {
    PlacementSite *site;
    FiloPlacement *placement;
    FiloPlacementResult result;
    size_t placed;
} EcotopeSite;

static double compute(EcotopeSite *site, FiloPlacementPath path) {
    FiloPlacementRequest request = { .area = site->site->request.area, .path = path };
    int64_t start = filo_time_ns();
    FiloResult r = filo_placement_compute(site->placement, &request, &site->result);
    double us = (double)(filo_time_ns() - start) * 1e-3;
    if (site->placed == 0) site->placed = site->result.count;
    bench_expect(r.code == FILO_OK && site->result.count == site->placed && site->placed > 0,
                 "all paths place the same number");
    return us;
}

static double sample_vectors(void *state) { return compute(state, FILO_PLACEMENT_BEST); }

static double sample_scalar(void *state) { return compute(state, FILO_PLACEMENT_SCALAR); }

// Five expressions, of which every layer has some: a map, curves of height and slope, noise in every fourth.
static void write_layer(FiloBuilder *text, int layer) {
    filo_builder_printf(text, "%s{\"name\": \"l%d\", \"density\": ", layer > 0 ? ", " : "", layer);
    if (layer % 4 == 3)
        filo_builder_printf(
            text, "{\"min\": [\"d%d\", 0.3, {\"invert\": {\"noise\": 60, \"octaves\": 2, \"seed\": %d}}]}}",
            layer % 4, layer / 4);
    else
        filo_builder_printf(
            text, "{\"multiply\": [\"d%d\", 0.%d, {\"curve\": [[%d, 0], [%d, 1]], \"of\": \"%s\"}]}}",
            layer % 4, 5 + layer % 3, 10 + layer, 30 + layer, layer % 2 == 0 ? "height" : "slope");
}

static FiloPlacement *create(const PlacementSite *site, int layers) {
    static const char *const names[PLACEMENT_LAYERS] = { "d0", "d1", "d2", "d3" };
    FiloBuilder text = { 0 };
    filo_builder_printf(
        &text,
        "{\"maps\": {\"d0\": {\"filter\": \"nearest\"}, \"d1\": {\"filter\": \"nearest\"}, \"d2\": "
        "{\"filter\": "
        "\"nearest\"}, \"d3\": {\"filter\": \"nearest\"}}, \"footprints\": {\"f\": {\"metres\": %.9g}}, "
        "\"ecotopes\": [{\"name\": \"e\", \"layers\": [",
        (double)site->desc.footprints[0].footprint);
    for (int l = 0; l < layers; l++) write_layer(&text, l);
    filo_builder_add_text(&text, "]}]}");
    FiloEcotope *ecotope = NULL;
    FiloResult r = filo_ecotope_parse(&ecotope, filo_builder_text(&text), text.length, "bench", NULL);
    bench_expect(r.code == FILO_OK, "the ecotope is read");
    FiloNamedMap maps[PLACEMENT_LAYERS];
    for (int l = 0; l < PLACEMENT_LAYERS; l++)
        maps[l] = (FiloNamedMap){ names[l], site->desc.footprints[0].layers[l].density.map };
    FiloPlacement *placement = NULL;
    r = filo_placement_create(&placement, &(FiloPlacementDesc){ .size = site->desc.size,
                                                                .height = site->desc.height,
                                                                .ecotope = ecotope,
                                                                .maps = maps,
                                                                .map_count = PLACEMENT_LAYERS });
    bench_expect(r.code == FILO_OK, "a placement is created from an ecotope");
    filo_ecotope_free(ecotope);
    filo_builder_deinit(&text);
    return placement;
}

FILO_BENCH(placement_ecotope) {
    static const int layers[] = { 1, 4, 16 };
    if (!bench_wanted("placement.ecotope")) return;
    PlacementSite *site = placement_site_create(1000);
    for (size_t i = 0; i < FILO_COUNT_OF(layers); i++) {
        EcotopeSite ecotope = { .site = site, .placement = create(site, layers[i]) };
        char name[64];
        snprintf(name, sizeof name, "placement.ecotope.%d", 5 * layers[i]);
        bench_compare(&(BenchFigure){ .name = name,
                                      .unit = "us",
                                      .ours = sample_vectors,
                                      .reference = sample_scalar,
                                      .reference_name = "candidate by candidate",
                                      .state = &ecotope });
        filo_placement_result_free(&ecotope.result);
        filo_placement_destroy(ecotope.placement);
    }
    placement_site_destroy(site);
}
