// Placements: what grows where, as the keys choose it. Each choice is a placement of its own. It is made when it is first
// needed, and destroyed when no tile has it any more.

#include "forest.h"

#include "shared/footprints.h"

typedef struct Entry {
    View view; // the choice
    FiloPlacement *placement;
    uint32_t uses; // by tiles
    bool failed;   // reported
} Entry;

struct Placements {
    const Land *land;
    FiloJobs *jobs;
    uint64_t seed;
    FiloFileData ecotopes[ECOTOPES];
    FiloArray(Entry) list;
};

static const char *const ecotope_files[ECOTOPES] = { FILO_EXAMPLE_ASSETS "/valley.ecotope.json",
                                                     FILO_EXAMPLE_ASSETS "/taiga.ecotope.json" };

// ---- Making -------------------------------------------------------------------------------------------------------

static FiloResult make(FiloPlacement **placement, const Placements *placements, const View *view) {
    const Land *land = placements->land;
    const FiloFileData *file = &placements->ecotopes[view->ecotope];
    FiloEcotope *ecotope;
    FiloResult r = footprints_parse(&ecotope, filo_string_from(file->text, file->size),
                                    1 + 0.1f * (float)view->footprints, ecotope_files[view->ecotope]);
    int side = land->side;
    FiloNamedMap maps[] = { { "woods", filo_terrain_map(land->woods[view->woods], FILO_MAP_U8, side, side) },
                            { "slope", filo_terrain_map(land->slope, FILO_MAP_U16, side, side) },
                            { "wetness", filo_terrain_map(land->wetness, FILO_MAP_U16, side, side) },
                            { "water_distance",
                              filo_terrain_map(land->water_distance, FILO_MAP_U16, side, side) } };
    FiloPlacementDesc desc = { .size = { land->metres, land->metres, land->high },
                               .lowest = -land->water,
                               .height = filo_terrain_map(land->height, FILO_MAP_U16, 2 * side, 2 * side),
                               .seed = placements->seed + view->seed,
                               .ecotope = ecotope,
                               .maps = maps,
                               .map_count = FILO_COUNT_OF(maps) };
    if (r.code == FILO_OK) r = filo_placement_create(placement, &desc);
    filo_ecotope_free(ecotope);
    return r;
}

static bool is_same(const View *a, const View *b) {
    return a->seed == b->seed && a->footprints == b->footprints && a->woods == b->woods &&
           a->ecotope == b->ecotope;
}

const FiloPlacement *placements_get(Placements *placements, const View *view) {
    filo_array_each (&placements->list, entry)
        if (is_same(&entry->view, view)) return entry->placement;
    Entry entry = { .view = *view };
    FiloResult r = make(&entry.placement, placements, view);
    if (r.code != FILO_OK) filo_log_error("forest", "%s", r.message);
    if (filo_array_push(&placements->list, entry)) return entry.placement;
    filo_placement_destroy(entry.placement);
    return NULL;
}

// ---- Lifetime -----------------------------------------------------------------------------------------------------

void placements_use(Placements *placements, const FiloPlacement *placement, int change) {
    filo_array_each (&placements->list, entry)
        if (entry->placement == placement) entry->uses += (uint32_t)change;
}

void placements_trim(Placements *placements, const View *view) {
    for (size_t i = placements->list.count; i-- > 0;) {
        Entry *entry = &placements->list.items[i];
        if (entry->uses > 0 || is_same(&entry->view, view)) continue;
        filo_placement_destroy(entry->placement);
        filo_array_remove(&placements->list, i);
    }
}

const Land *placements_land(const Placements *placements) { return placements->land; }
FiloJobs *placements_jobs(const Placements *placements) { return placements->jobs; }

FiloResult placements_create(Placements **out, const Land *land, FiloJobs *jobs, uint64_t seed) {
    *out = filo_alloc_zero(NULL, sizeof **out, 0);
    if (*out == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for placements");
    **out = (Placements){ .land = land, .jobs = jobs, .seed = seed };
    FiloResult r = filo_ok();
    for (int i = 0; i < ECOTOPES && r.code == FILO_OK; i++)
        r = filo_file_read(&(*out)->ecotopes[i], ecotope_files[i], NULL);
    return r;
}

void placements_destroy(Placements *placements) {
    if (placements == NULL) return;
    filo_array_each (&placements->list, entry) filo_placement_destroy(entry->placement);
    filo_array_deinit(&placements->list);
    for (int i = 0; i < ECOTOPES; i++) filo_file_free(&placements->ecotopes[i]);
    filo_free(NULL, placements, sizeof *placements, 0);
}
