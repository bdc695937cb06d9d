// Chunks of the forest: which tables have world transforms, and what in them has changed.
//
// Pointers into tables are good for one run. Each run goes over the chunks of the world and compares them with those
// of the last one; those that are elsewhere or have other rows are linked to their nodes anew. An entity without a
// node, or too few entities, means that the order is out of date.

#include "transform/forest.h"

#include <filo/check.h>

#define SPARE_ROWS 64u // more than a chunk has now, so that a few more do not move what lies behind it

// ---- Memory -------------------------------------------------------------------------------------------------

Forest *transform_forest_create(const Dimension *dimension) {
    Forest *forest = filo_alloc_zero(NULL, sizeof *forest, 0);
    if (forest == NULL) return NULL;
    forest->dimension = dimension;
    filo_heap_init(&forest->heap, dimension->name, 0);
    const FiloAllocator *allocator = &forest->heap.allocator;
    filo_array_init(&forest->chunks, allocator);
    filo_array_init(&forest->node_of_row, allocator);
    filo_array_init(&forest->newcomers, allocator);
    filo_array_init(&forest->newcomer_transforms, allocator);
    filo_array_init(&forest->newcomer_worlds, allocator);
    filo_array_init(&forest->pages, allocator);
    filo_array_init(&forest->pieces, allocator);
    filo_array_init(&forest->tops, allocator);
    filo_array_init(&forest->levels, allocator);
    filo_array_init(&forest->unsure, allocator);
    filo_array_init(&forest->renumbered, allocator);
    return forest;
}

void transform_forest_destroy(Forest *forest) {
    if (forest == NULL) return;
    filo_array_deinit(&forest->chunks);
    filo_array_deinit(&forest->node_of_row);
    filo_array_deinit(&forest->newcomers);
    filo_array_deinit(&forest->newcomer_transforms);
    filo_array_deinit(&forest->newcomer_worlds);
    filo_array_deinit(&forest->pieces);
    filo_array_deinit(&forest->tops);
    filo_array_deinit(&forest->levels);
    filo_array_deinit(&forest->unsure);
    filo_array_deinit(&forest->renumbered);
    transform_forest_release_nodes(forest);
    filo_query_release(forest->families);
    filo_heap_deinit(&forest->heap);
    filo_free(NULL, forest, sizeof *forest, 0);
}

// ---- Chunks -------------------------------------------------------------------------------------------------

static bool finds_any(FiloIter *it, FiloQuery *query, FiloSeen seen) {
    FiloIter rows = filo_iter_over_since(it, query, seen);
    bool found = filo_iter_next(&rows);
    filo_iter_end(&rows);
    return found;
}

bool transform_forest_is_stale(const Forest *forest, FiloIter *it, const Queries *queries) {
    return !forest->ordered || filo_component_changed(it->world, forest->family, forest->seen) ||
           filo_query_count(queries->rows) != forest->live_count ||
           finds_any(it, queries->moved, forest->seen) ||
           (forest->has_families && finds_any(it, queries->late, forest->seen));
}

// Whether the next part of an iteration is the one at this address; then it goes on.
static bool take_if_same(FiloIter *it, bool *more, const void *address) {
    if (!*more || filo_iter_column(it, 0).data != address) return false;
    *more = filo_iter_next(it);
    return true;
}

// Fills in what a chunk is now.
static void set_chunk(Chunk *chunk, const FiloIter *it, bool moved, bool restructured) {
    const uint8_t *transforms = filo_iter_column(it, 0).data;
    uint8_t *worlds = filo_iter_column(it, 1).data;
    const uint32_t *indices = filo_iter_indices(it);
    chunk->moved = moved;
    chunk->restructured = restructured || chunk->transforms != transforms || chunk->worlds != worlds ||
                          chunk->indices != indices || chunk->rows != it->count;
    chunk->transforms = transforms;
    chunk->worlds = worlds;
    chunk->previous = filo_iter_column(it, 2).data;
    chunk->indices = indices;
    chunk->old_rows = chunk->rows;
    chunk->rows = (uint32_t)it->count;
    chunk->written = false;
}

// The list of chunks. False without memory.
static bool list_chunks(Forest *forest, FiloIter *it, const Queries *queries) {
    FiloIter some_moved = filo_iter_over_since(it, queries->moved, forest->seen);
    FiloIter some_restructured = filo_iter_over_since(it, queries->restructured, forest->seen);
    bool more_moved = filo_iter_next(&some_moved), more_restructured = filo_iter_next(&some_restructured);
    size_t count = 0;
    bool good = true;
    forest->row_count = 0;
    forest->old_chunk_count = forest->chunks.count;
    FiloIter all = filo_iter_over(it, queries->rows);
    while (good && filo_iter_next(&all)) {
        const void *address = filo_iter_column(&all, 0).data;
        bool is_moved = take_if_same(&some_moved, &more_moved, address);
        bool is_restructured = take_if_same(&some_restructured, &more_restructured, address);
        if (count == forest->chunks.count) good = filo_array_push(&forest->chunks, (Chunk){ 0 });
        if (good) set_chunk(&forest->chunks.items[count++], &all, is_moved, is_restructured);
        forest->row_count += (uint32_t)all.count;
    }
    filo_iter_end(&some_moved);
    filo_iter_end(&some_restructured);
    filo_iter_end(&all);
    forest->chunks.count = count;
    return good;
}

// Those that were moved there must be linked anew.
bool transform_forest_lay_out(Forest *forest) {
    uint32_t offset = 0;
    filo_array_each (&forest->chunks, chunk) {
        if (chunk->offset != offset || chunk->rows > chunk->capacity) {
            chunk->offset = offset;
            chunk->capacity = chunk->rows + SPARE_ROWS;
            chunk->restructured = true;
        }
        offset += chunk->capacity;
    }
    if (offset <= forest->node_of_row.count) return true;
    if (!filo_array_reserve(&forest->node_of_row, offset + offset / 2)) return false;
    forest->node_of_row.count = forest->node_of_row.capacity;
    return true;
}

// ---- Newcomers ----------------------------------------------------------------------------------------------

static bool add_newcomer(Forest *forest, uint32_t index, const void *transform) {
    const Sizes *sizes = &forest->dimension->sizes;
    size_t transforms = forest->newcomer_transforms.count, worlds = forest->newcomer_worlds.count;
    if (!filo_array_push(&forest->newcomers, index) ||
        !filo_array_resize(&forest->newcomer_transforms, transforms + sizes->transform) ||
        !filo_array_resize(&forest->newcomer_worlds, worlds + sizes->world))
        return false;
    memcpy(forest->newcomer_transforms.items + transforms, transform, sizes->transform);
    memset(forest->newcomer_worlds.items + worlds, 0, sizes->world);
    return true;
}

bool transform_forest_find_newcomers(Forest *forest, FiloIter *it, FiloQuery *query) {
    filo_array_clear(&forest->newcomers);
    filo_array_clear(&forest->newcomer_transforms);
    filo_array_clear(&forest->newcomer_worlds);
    if (!forest->has_families) return true;
    bool good = true;
    FiloIter rows = filo_iter_over(it, query);
    while (good && filo_iter_next(&rows)) {
        FiloColumn transforms = filo_iter_column(&rows, 0);
        const uint32_t *indices = filo_iter_indices(&rows);
        for (size_t i = 0; i < rows.count && good; i++)
            good = add_newcomer(forest, indices[i],
                                filo_column_at(transforms, i, forest->dimension->sizes.transform));
    }
    filo_iter_end(&rows);
    if (!good || forest->newcomers.count == 0) return good;
    return filo_array_push(&forest->chunks, (Chunk){ .transforms = forest->newcomer_transforms.items,
                                                     .worlds = forest->newcomer_worlds.items,
                                                     .indices = forest->newcomers.items,
                                                     .rows = (uint32_t)forest->newcomers.count });
}

// ---- All together -------------------------------------------------------------------------------------------

static bool update(Forest *forest, FiloIter *it, const Queries *queries) {
    bool families_changed = filo_component_changed(it->world, forest->family, forest->seen);
    if (families_changed) forest->has_families = filo_query_first(forest->families).id != 0;
    bool members_changed =
        families_changed || (forest->has_families && finds_any(it, queries->late, forest->seen));
    filo_array_clear(&forest->newcomers);
    if (!list_chunks(forest, it, queries)) return false;
    FiloReparented reparented = filo_world_reparented(it->world, &forest->reparented_seen);
    if (forest->ordered && !reparented.lost) {
        members_changed = members_changed || forest->row_count != forest->live_count;
        Patched patched = transform_forest_patch(forest, it, queries, members_changed, &reparented);
        if (patched != PATCH_TOO_MUCH) return patched == PATCHED;
    }
    forest->chunks.count -= forest->newcomers.count > 0;
    if (!transform_forest_find_newcomers(forest, it, queries->newcomers) || !transform_forest_lay_out(forest))
        return false;
    filo_array_each (&forest->chunks, chunk) chunk->moved = true;
    return transform_forest_order(forest, it->world);
}

bool transform_forest_update(Forest *forest, FiloIter *it, const Queries *queries) {
    bool good = update(forest, it, queries);
    if (!good) forest->ordered = false;
    forest->seen = filo_iter_seen(it);
    return good;
}
