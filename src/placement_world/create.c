// Settings, creating and destroying, and the end of ticks.

#include <filo/hash.h>

#include "placement_world/placement_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DELAY    8
#define BUDGET   FILO_MIB(64)
#define PER_TICK 16
#define FARTHEST 1e6 // metres of a distance, at most

static const char key; // of the data beside the world

// The data beside the world, which stays until the world is destroyed.
typedef struct Link {
    FiloPlacementWorld *pw;
} Link;

static void after_tick(FiloWorld *world, void *data) {
    FILO_UNUSED(world);
    const Link *link = data;
    if (link->pw == NULL || !placement_world_enter(link->pw)) return;
    placement_world_squares_process(link->pw);
    placement_world_leave(link->pw);
}

bool placement_world_enter(FiloPlacementWorld *pw) {
    // Acquire: pairs with the release in placement_world_leave, for threads that take turns.
    return FILO_CHECK(
        !base_exchange_acquire(&pw->busy, true),
        "the FiloPlacementWorld is being updated already: update it between ticks, by one thread, "
        "and not in `windows`");
}

void placement_world_leave(FiloPlacementWorld *pw) { base_store_release(&pw->busy, false); }

// Releases everything that is in the world.
static void detach(FiloPlacementWorld *pw) {
    if (pw->world == NULL) return;
    placement_world_squares_forget(pw);
    filo_query_release(pw->viewers2);
    filo_query_release(pw->viewers3);
    filo_query_release(pw->lost_viewers);
    filo_query_release(pw->edit_query);
    filo_query_release(pw->square_query);
    filo_query_release(pw->object_query);
    filo_changes_destroy(pw->changes);
    pw->world = NULL;
}

static void destroy_link(FiloWorld *world, void *data) {
    Link *link = data;
    if (link->pw != NULL) detach(link->pw);
    filo_free(filo_world_allocator(world), link, sizeof *link, 0);
}

static Link *find_link(FiloWorld *world) {
    Link *link = filo_world_data(world, &key);
    if (link != NULL) return link;
    link = filo_alloc_zero(filo_world_allocator(world), sizeof *link, 0);
    if (link == NULL) return NULL;
    if (filo_world_add_data(
            world,
            &(FiloWorldData){ .key = &key, .data = link, .after_tick = after_tick, .destroy = destroy_link }))
        return link;
    filo_free(filo_world_allocator(world), link, sizeof *link, 0);
    return NULL;
}

FiloPlacementWorld *filo_placement_world_of(const FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    const Link *link = filo_world_data(world, &key);
    return link != NULL ? link->pw : NULL;
}

// ---- Grids --------------------------------------------------------------------------------------------------------

// Cells a side: as given, or the least power of two with at least `wanted` metres.
static int choose_cells(int given, double cell, double wanted, int most) {
    if (given != 0) return given;
    int cells = 1;
    while (cells < most && cells * cell < wanted) cells *= 2;
    return cells;
}

static FiloResult make_grid(PlacementWorldGrid *grid, const char *what, const char *footprint, int cells,
                            double cell, float distance, float away) {
    if (cells < 1 || cells > FILO_PLACEMENT_BLOCK || (cells & (cells - 1)) != 0)
        return filo_error(FILO_ERROR_DATA, "%s: a %s has %d cells a side; it must be a power of two up to %d",
                          footprint, what, cells, FILO_PLACEMENT_BLOCK);
    *grid = (PlacementWorldGrid){ cells, cells * cell, (double)distance, (double)away };
    if (grid->away / grid->side <= PLACEMENT_WORLD_AROUND) return filo_ok();
    double most = PLACEMENT_WORLD_AROUND * cell * FILO_PLACEMENT_BLOCK;
    char advice[96];
    if (grid->away > most)
        snprintf(advice, sizeof advice, "make the distance smaller, at most %g metres", most);
    else
        snprintf(advice, sizeof advice, "make a %s larger", what);
    return filo_error(FILO_ERROR_LIMIT,
                      "%s: there are %g squares of %g metres within %g metres; at most %d: %s", footprint,
                      ceil(grid->away / grid->side), grid->side, grid->away, PLACEMENT_WORLD_AROUND, advice);
}

static bool is_distance(float distance) { return distance >= 0 && (double)distance <= FARTHEST; }

static FiloResult make_grids(FiloPlacementWorld *pw, size_t f) {
    FiloPlacementTiers *t = &pw->desc.footprints[f];
    const char *name = filo_placement_footprint_name(pw->placement, f);
    double cell = filo_placement_cell_size(pw->placement, f);
    if (!is_distance(t->distance) || !is_distance(t->promote) || !is_distance(t->demote))
        return filo_error(FILO_ERROR_DATA,
                          "%s: distance %g, promote %g and demote %g must be from 0 to %g metres", name,
                          (double)t->distance, (double)t->promote, (double)t->demote, FARTHEST);
    if (t->demote == 0) t->demote = t->promote * 1.25f;
    if (t->demote < t->promote)
        return filo_error(FILO_ERROR_DATA,
                          "%s: objects are entities up to %g metres, so demote must not be %g", name,
                          (double)t->promote, (double)t->demote);
    t->tile = choose_cells(t->tile, cell, (double)t->distance / 8, FILO_PLACEMENT_BLOCK);
    t->square = choose_cells(t->square, cell, (double)t->promote / 4,
                             t->distance > 0 ? t->tile : FILO_PLACEMENT_BLOCK);
    if (t->distance > 0 && t->promote > 0 && t->square > t->tile)
        return filo_error(FILO_ERROR_DATA,
                          "%s: a square has %d cells a side, which is more than the %d of a tile", name,
                          t->square, t->tile);
    FiloResult r = make_grid(&pw->tile_grids[f], "tile", name, t->tile, cell, t->distance, t->distance);
    if (r.code == FILO_OK)
        r = make_grid(&pw->square_grids[f], "square", name, t->square, cell, t->promote, t->demote);
    return r;
}

// Tiers of footprints that do not exist are a mistake in counting them.
static FiloResult check_tiers(const FiloPlacementWorld *pw) {
    for (size_t f = pw->footprints; f < FILO_PLACEMENT_FOOTPRINTS; f++) {
        const FiloPlacementTiers *t = &pw->desc.footprints[f];
        if (t->distance != 0 || t->tile != 0 || t->promote != 0 || t->demote != 0 || t->square != 0)
            return filo_error(FILO_ERROR_DATA, "there are tiers of footprint %zu, and the placement has %zu",
                              f, pw->footprints);
    }
    return filo_ok();
}

// What squares and entities of a world depend on, besides maps.
static uint64_t hash_settings(const FiloPlacementWorld *pw) {
    uint64_t hash = 1;
    for (size_t f = 0; f < pw->footprints; f++) {
        hash = filo_hash_combine(hash, (uint64_t)pw->square_grids[f].cells);
        hash = filo_hash_combine(hash, filo_double_to_bits(filo_placement_cell_size(pw->placement, f)));
        hash = filo_hash_combine(hash, filo_placement_point_count(pw->placement, f));
    }
    for (size_t layer = 0; layer < pw->layers; layer++) {
        hash = filo_hash_combine(hash, filo_hash_text(filo_placement_layer_name(pw->placement, layer)));
        hash = filo_hash_combine(hash, filo_placement_layer_footprint(pw->placement, layer));
    }
    return hash != 0 ? hash : 1;
}

// ---- Lists --------------------------------------------------------------------------------------------------------

static FiloResult check_maker(const FiloPlacementWorldDesc *desc, size_t index) {
    const FiloPlacementEntities *from = &desc->entities[index];
    if (from->make == NULL && (from->prefab == NULL || from->prefab[0] == '\0'))
        return filo_error(FILO_ERROR_DATA, "entities %zu (layer \"%s\") need a prefab or a function `make`",
                          index, from->layer != NULL ? from->layer : "");
    for (size_t i = 0; i < index; i++) {
        const char *other = desc->entities[i].layer;
        if (other == NULL && from->layer == NULL)
            return filo_error(FILO_ERROR_DATA, "two kinds of entities are for all other layers");
        if (other != NULL && from->layer != NULL && strcmp(other, from->layer) == 0)
            return filo_error(FILO_ERROR_DATA, "layer \"%s\" has two kinds of entities", other);
    }
    return filo_ok();
}

// Where objects are promoted, a layer must have entities.
static FiloResult check_promoted(const FiloPlacementWorld *pw) {
    for (size_t f = 0; f < pw->footprints; f++) {
        bool any = pw->desc.footprints[f].promote == 0;
        for (size_t layer = 0; layer < pw->layers && !any; layer++)
            any = filo_placement_layer_footprint(pw->placement, layer) == f && pw->maker_of[layer] >= 0;
        if (!any)
            return filo_error(
                FILO_ERROR_DATA, "%s: `promote` is %g, and no layer of this footprint is in `entities`",
                filo_placement_footprint_name(pw->placement, f), (double)pw->desc.footprints[f].promote);
    }
    return filo_ok();
}

static FiloResult copy_makers(FiloPlacementWorld *pw, const FiloPlacementWorldDesc *desc) {
    for (size_t i = 0; i < FILO_COUNT_OF(pw->maker_of); i++) pw->maker_of[i] = -1;
    if (desc->entities_count == 0) return filo_ok();
    pw->makers = filo_alloc_zero(pw->allocator, desc->entities_count * sizeof *pw->makers, 0);
    if (pw->makers == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the kinds of entities");
    pw->maker_count = desc->entities_count;
    for (size_t i = 0; i < desc->entities_count; i++) {
        const FiloPlacementEntities *from = &desc->entities[i];
        PlacementWorldMaker *maker = &pw->makers[i];
        maker->desc = *from;
        FiloResult r = check_maker(desc, i);
        if (r.code != FILO_OK) return r;
        maker->desc.layer = maker->desc.prefab = NULL;
        if (from->prefab != NULL && from->prefab[0] != '\0') {
            maker->prefab = filo_name(from->prefab);
            if (maker->prefab.id == 0)
                return filo_error(FILO_ERROR_MEMORY, "no memory for the name of a prefab");
        }
        int layer = from->layer != NULL ? filo_placement_layer_find(pw->placement, from->layer) : 0;
        if (layer < 0)
            return filo_error(FILO_ERROR_NOT_FOUND, "the placement has no layer \"%s\"", from->layer);
        if (from->layer != NULL) pw->maker_of[layer] = (int16_t)i;
    }
    for (size_t i = 0; i < desc->entities_count; i++)
        for (size_t layer = 0; layer < pw->layers && desc->entities[i].layer == NULL; layer++)
            if (pw->maker_of[layer] < 0) pw->maker_of[layer] = (int16_t)i;
    return filo_ok();
}

static FiloResult check_map(const FiloPlacementWorld *pw, const FiloNamedMap *map) {
    const FiloTerrainMap *m = &map->map;
    if (m->data == NULL || m->width < 1 || m->height < 1 || m->x < 0 || m->y < 0 ||
        m->format > FILO_MAP_FLOAT || (m->full_width != 0 && m->full_width < m->x + m->width) ||
        (m->full_height != 0 && m->full_height < m->y + m->height))
        return filo_error(FILO_ERROR_DATA, "the map \"%s\" has no values", map->name);
    int found = filo_placement_map_find(pw->placement, map->name);
    if (found < 0) return filo_error(FILO_ERROR_NOT_FOUND, "the placement has no map \"%s\"", map->name);
    FiloPlacementMapInfo info = filo_placement_map_info(pw->placement, found);
    int width = placement_world_map_width(m), height = placement_world_map_height(m);
    if (info.width > 0 && (width != info.width || height != info.height))
        return filo_error(FILO_ERROR_DATA,
                          "the map \"%s\" has %d × %d texels, and that of the placement %d × %d", map->name,
                          width, height, info.width, info.height);
    if (pw->desc.windows == NULL && !placement_world_map_whole(m))
        return filo_error(FILO_ERROR_DATA, "the map \"%s\" is not in memory as a whole: give `windows`",
                          map->name);
    for (size_t i = 0; i < pw->map_count; i++)
        if (pw->maps[i].base.data != NULL && pw->maps[i].map == found)
            return filo_error(FILO_ERROR_DATA, "the map \"%s\" is listed twice", map->name);
    return filo_ok();
}

static FiloResult copy_maps(FiloPlacementWorld *pw, const FiloPlacementWorldDesc *desc) {
    if (desc->map_count == 0) return filo_ok();
    pw->maps = filo_alloc_zero(pw->allocator, desc->map_count * sizeof *pw->maps, 0);
    if (pw->maps == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the list of maps");
    pw->map_count = desc->map_count;
    for (size_t i = 0; i < desc->map_count; i++) {
        const FiloNamedMap *from = &desc->maps[i];
        if (from->name == NULL) return FILO_MISTAKE("give a name to each map that can be painted");
        FiloResult r = check_map(pw, from);
        if (r.code != FILO_OK) return r;
        pw->maps[i] = (PlacementWorldMap){ .name = filo_name(from->name),
                                           .map = filo_placement_map_find(pw->placement, from->name),
                                           .base = from->map };
        if (pw->maps[i].name.id == 0) return filo_error(FILO_ERROR_MEMORY, "no memory for the name of a map");
    }
    return filo_ok();
}

// Without windows, a map of which a part is in memory would be smeared over the world.
static FiloResult check_in_memory(const FiloPlacementWorld *pw) {
    if (pw->desc.windows != NULL) return filo_ok();
    for (int map = 0;; map++) {
        FiloPlacementMapInfo info = filo_placement_map_info(pw->placement, map);
        if (info.name[0] == '\0') return filo_ok();
        if (!info.whole)
            return filo_error(FILO_ERROR_DATA,
                              "the map \"%s\" of the placement is not in memory as a whole: give `windows`",
                              info.name);
    }
}

// ---- Components ---------------------------------------------------------------------------------------------------

static bool register_components(FiloWorld *world) {
    return filo_transform_register(world) && filo_component(world, FiloPlacementViewer).id != 0 &&
           filo_component(world, FiloPlacedObject).id != 0 &&
           filo_component(world, FiloPlacedKeep, .storage = FILO_STORAGE_TAG).id != 0 &&
           filo_component(world, FiloPlacedAsleep, .storage = FILO_STORAGE_TAG).id != 0 &&
           filo_component(world, FiloPlacementEdit).id != 0 &&
           filo_component(world, FiloPlacedTile).id != 0 &&
           filo_component(world, FiloPlacementState, .storage = FILO_STORAGE_GLOBAL).id != 0;
}

static bool make_queries(FiloPlacementWorld *pw) {
    FiloWorld *world = pw->world;
    pw->viewers2 = filo_query(world, FILO_READ(FiloPlacementViewer), FILO_WITH(FiloTransform2));
    pw->viewers3 = filo_query(world, FILO_READ(FiloPlacementViewer), FILO_WITH(FiloTransform3),
                              FILO_WITHOUT(FiloTransform2));
    pw->lost_viewers = filo_query(world, FILO_READ(FiloPlacementViewer), FILO_WITHOUT(FiloTransform2),
                                  FILO_WITHOUT(FiloTransform3));
    pw->edit_query = filo_query(world, FILO_READ(FiloPlacementEdit));
    pw->square_query = filo_query(world, FILO_READ(FiloPlacedTile));
    pw->object_query = filo_query_create(
        world, &(FiloQueryDesc){ .terms = { FILO_READ(FiloPlacedObject) }, .activity = FILO_ANY_ACTIVITY });
    pw->changes = filo_changes_create(world);
    return pw->viewers2 != NULL && pw->viewers3 != NULL && pw->lost_viewers != NULL &&
           pw->edit_query != NULL && pw->square_query != NULL && pw->object_query != NULL &&
           pw->changes != NULL;
}

// ---- Creating -----------------------------------------------------------------------------------------------------

static void set_defaults(FiloPlacementWorld *pw) {
    FiloPlacementWorldDesc *desc = &pw->desc;
    if (desc->delay == 0) desc->delay = DELAY;
    if (desc->no_delay) desc->delay = 0;
    if (desc->budget == 0) desc->budget = BUDGET;
    if (desc->per_update == 0) desc->per_update = PER_TICK;
    if (desc->under_way == 0)
        desc->under_way = pw->jobs != NULL ? 2 * (uint32_t)filo_jobs_threads(pw->jobs) : 1;
    desc->entities = NULL;
    desc->maps = NULL;
}

static void init(FiloPlacementWorld *pw, FiloWorld *world, const FiloPlacementWorldDesc *desc) {
    pw->world = world;
    pw->allocator = desc->allocator != NULL ? desc->allocator : filo_heap();
    pw->placement = desc->placement;
    filo_placement_retain(pw->placement);
    pw->desc = *desc;
    // One thread would run jobs only while it waits for something.
    FiloJobs *jobs = filo_world_jobs(world);
    pw->jobs = jobs != NULL && filo_jobs_threads(jobs) > 1 ? jobs : NULL;
    pw->reach = filo_placement_reach(desc->placement);
    FiloVec3 size = filo_placement_size(desc->placement);
    FiloPlacementPosition corner = filo_placement_corner(desc->placement);
    pw->size_x = (double)size.x, pw->size_y = (double)size.y;
    pw->corner_x = corner.x, pw->corner_y = corner.y;
    pw->footprints = filo_placement_footprint_count(desc->placement);
    pw->layers = filo_placement_layer_count(desc->placement);
    set_defaults(pw);
    filo_map_init(&pw->bad_viewers, sizeof(bool), pw->allocator);
    filo_map_init(&pw->edits.buckets, sizeof(uint32_t), pw->allocator);
    filo_array_init(&pw->edits.list, pw->allocator);
    filo_array_init(&pw->edits.before, pw->allocator);
    filo_array_init(&pw->edits.fresh, pw->allocator);
    filo_map_init(&pw->edits.known, sizeof(uint32_t), pw->allocator);
    filo_array_init(&pw->edits.nodes, pw->allocator);
    filo_array_init(&pw->edits.large, pw->allocator);
    filo_array_init(&pw->edits.found, pw->allocator);
    filo_array_init(&pw->free_works, pw->allocator);
    filo_array_init(&pw->dropped_works, pw->allocator);
    placement_world_tiles_init(pw);
    placement_world_squares_init(pw);
}

// A list without its count would have no effect.
static FiloResult check_counts(const FiloPlacementWorldDesc *desc) {
    if (desc->entities != NULL && desc->entities_count == 0)
        return filo_error(FILO_ERROR_DATA, "there are `entities`, but entities_count is 0");
    if (desc->maps != NULL && desc->map_count == 0)
        return filo_error(FILO_ERROR_DATA, "there are `maps`, but map_count is 0");
    return filo_ok();
}

static FiloResult prepare(FiloPlacementWorld *pw, const FiloPlacementWorldDesc *desc) {
    FiloResult r = check_counts(desc);
    for (size_t i = 0; i < pw->footprints && r.code == FILO_OK; i++) r = make_grids(pw, i);
    if (r.code == FILO_OK && (!isfinite(desc->origin_x) || !isfinite(desc->origin_y)))
        r = filo_error(FILO_ERROR_DATA, "the origin %g, %g is not a number", desc->origin_x, desc->origin_y);
    if (r.code == FILO_OK) r = check_tiers(pw);
    if (r.code == FILO_OK) r = copy_makers(pw, desc);
    if (r.code == FILO_OK) r = check_promoted(pw);
    if (r.code == FILO_OK) r = copy_maps(pw, desc);
    if (r.code == FILO_OK) r = check_in_memory(pw);
    if (r.code == FILO_OK) pw->settings = hash_settings(pw);
    if (r.code == FILO_OK && (!register_components(pw->world) || !make_queries(pw)))
        r = filo_error(FILO_ERROR_MEMORY, "no memory for the components of placement");
    return r;
}

static void free_all(FiloPlacementWorld *pw) {
    placement_world_tiles_deinit(pw);
    placement_world_squares_deinit(pw);
    placement_world_works_deinit(pw);
    placement_world_edits_deinit(&pw->edits);
    filo_map_deinit(&pw->bad_viewers);
    filo_free(pw->allocator, pw->makers, pw->maker_count * sizeof *pw->makers, 0);
    filo_free(pw->allocator, pw->maps, pw->map_count * sizeof *pw->maps, 0);
    filo_placement_release(pw->placement);
    filo_free(pw->allocator, pw, sizeof *pw, 0);
}

FiloResult filo_placement_world_create(FiloPlacementWorld **placement_world, FiloWorld *world,
                                       const FiloPlacementWorldDesc *desc) {
    if (placement_world != NULL) *placement_world = NULL;
    if (placement_world == NULL || world == NULL || desc == NULL || desc->placement == NULL)
        return FILO_MISTAKE("pass a pointer for the object, a world, and a description with a placement");
    if ((desc->entities == NULL && desc->entities_count > 0) || (desc->maps == NULL && desc->map_count > 0))
        return FILO_MISTAKE("pass the entities and maps whose number you give");
    if (filo_placement_world_of(world) != NULL)
        return filo_error(FILO_ERROR_EXISTS, "the world has a FiloPlacementWorld already");
    const FiloAllocator *allocator = desc->allocator != NULL ? desc->allocator : filo_heap();
    FiloPlacementWorld *pw = filo_alloc_zero(allocator, sizeof *pw, 0);
    if (pw == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the placement of a world");
    init(pw, world, desc);
    FiloResult r = prepare(pw, desc);
    Link *link = r.code == FILO_OK ? find_link(world) : NULL;
    if (r.code == FILO_OK &&
        (link == NULL || !filo_component_complete(world, FILO_TYPE(FiloPlacementViewer)) ||
         !placement_world_entities_watch(pw)))
        r = filo_error(FILO_ERROR_MEMORY, "no memory for the placement of a world");
    if (r.code != FILO_OK) {
        detach(pw);
        free_all(pw);
        return r;
    }
    link->pw = *placement_world = pw;
    return filo_ok();
}

void filo_placement_world_destroy(FiloPlacementWorld *pw) {
    if (pw == NULL) return;
    if (pw->world != NULL) {
        ((Link *)filo_world_data(pw->world, &key))->pw = NULL;
        filo_observer_remove(pw->world, pw->observer);
        detach(pw);
    }
    free_all(pw);
}

// ---- Numbers ------------------------------------------------------------------------------------------------------

static void count_tiles(const FiloPlacementWorld *pw, FiloPlacementWorldStats *stats) {
    for (size_t i = 0; i < pw->tiles.map.count; i++) {
        const PlacementWorldTile *tile = filo_map_value_at(&pw->tiles.map, i);
        bool needed = tile->needed == pw->tiles.needed;
        stats->tiles += tile->block != NULL;
        stats->tiles_needed += needed;
        stats->tiles_missing += needed && (tile->block == NULL || tile->computed != tile->signature);
        stats->objects += tile->block != NULL ? tile->block->result.count : 0;
    }
}

static void count_entities(const FiloPlacementWorld *pw, FiloPlacementWorldStats *stats) {
    FiloIter it = filo_query_iter(pw->object_query);
    while (filo_iter_next(&it))
        for (size_t i = 0; i < it.count; i++) {
            bool active = filo_entity_active(pw->world, filo_iter_entity(&it, i));
            stats->entities += active;
            stats->asleep += !active;
        }
}

FiloPlacementWorldStats filo_placement_world_stats(const FiloPlacementWorld *pw) {
    FiloPlacementWorldStats stats = { 0 };
    if (pw == NULL) return stats;
    count_tiles(pw, &stats);
    if (pw->world != NULL) count_entities(pw, &stats);
    for (size_t i = 0; i < pw->squares.map.count; i++)
        stats.under_way +=
            ((const PlacementWorldSquare *)filo_map_value_at(&pw->squares.map, i))->work != NULL;
    stats.under_way += pw->tiles.under_way;
    stats.bytes = pw->tiles.bytes;
    stats.budget = pw->desc.budget;
    stats.squares = pw->squares.map.count;
    stats.edits = pw->edits.list.count;
    stats.computed = pw->tiles.computed;
    stats.cancelled = pw->tiles.cancelled;
    stats.evicted = pw->tiles.evicted;
    stats.promoted = pw->squares.promoted;
    stats.late = pw->squares.late;
    return stats;
}
