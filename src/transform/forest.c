// Chunks of the forest: the rows of tables with world transforms, and which of them have changed.
//
// Pointers into tables are valid for one run. Each run lists the chunks of the world and compares them with those of
// the last run. Chunks with another address or other rows are linked to their nodes again. The order is out of date
// if an entity has no node, or a node has no entity.

#include "transform/forest.h"

#include <filo/check.h>

#define SPARE_ROWS 64u // spare capacity of a chunk, so that a few more rows do not shift the chunks after it

// ---- Memory -------------------------------------------------------------------------------------------------

TransformForest *transform_forest_create(const TransformDimension *dimension) {
    TransformForest *forest = filo_alloc_zero(NULL, sizeof *forest, 0);
    if (forest == NULL) return NULL;
    forest->dimension = dimension;
    filo_heap_init(&forest->heap, dimension->name, 0);
    const FiloAllocator *allocator = &forest->heap.allocator;
    filo_array_init(&forest->chunks, allocator);
    filo_array_init(&forest->node_of_row, allocator);
    filo_array_init(&forest->new_members, allocator);
    filo_array_init(&forest->new_member_transforms, allocator);
    filo_array_init(&forest->new_member_worlds, allocator);
    filo_array_init(&forest->pages, allocator);
    filo_array_init(&forest->pieces, allocator);
    filo_array_init(&forest->tops, allocator);
    filo_array_init(&forest->levels, allocator);
    filo_array_init(&forest->unlinked, allocator);
    filo_array_init(&forest->renumbered, allocator);
    return forest;
}

void transform_forest_destroy(TransformForest *forest) {
    if (forest == NULL) return;
    filo_array_deinit(&forest->chunks);
    filo_array_deinit(&forest->node_of_row);
    filo_array_deinit(&forest->new_members);
    filo_array_deinit(&forest->new_member_transforms);
    filo_array_deinit(&forest->new_member_worlds);
    filo_array_deinit(&forest->pieces);
    filo_array_deinit(&forest->tops);
    filo_array_deinit(&forest->levels);
    filo_array_deinit(&forest->unlinked);
    filo_array_deinit(&forest->renumbered);
    transform_forest_release_nodes(forest);
    filo_query_release(forest->families);
    filo_heap_deinit(&forest->heap);
    filo_free(NULL, forest, sizeof *forest, 0);
}

// ---- Chunks -------------------------------------------------------------------------------------------------

static bool matches_any(FiloIter *it, FiloQuery *query, FiloSeen seen) {
    FiloIter rows = filo_iter_over_since(it, query, seen);
    bool found = filo_iter_next(&rows);
    filo_iter_end(&rows);
    return found;
}

bool transform_forest_is_stale(const TransformForest *forest, FiloIter *it, const TransformQueries *queries) {
    return !forest->ordered || filo_component_changed(it->world, forest->family, forest->seen) ||
           filo_query_count(queries->rows) != forest->live_count ||
           matches_any(it, queries->moved, forest->seen) ||
           (forest->has_families && matches_any(it, queries->new_members_changed, forest->seen));
}

// Whether the iteration is at the chunk with this address. Advances it if so.
static bool advance_if_at(FiloIter *it, bool *more, const void *address) {
    if (!*more || filo_iter_column(it, 0).data != address) return false;
    *more = filo_iter_next(it);
    return true;
}

static void set_chunk(TransformChunk *chunk, const FiloIter *it, bool moved, bool restructured) {
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

// Lists the chunks of the world. False without memory.
static bool list_chunks(TransformForest *forest, FiloIter *it, const TransformQueries *queries) {
    FiloIter some_moved = filo_iter_over_since(it, queries->moved, forest->seen);
    FiloIter some_restructured = filo_iter_over_since(it, queries->restructured, forest->seen);
    bool more_moved = filo_iter_next(&some_moved), more_restructured = filo_iter_next(&some_restructured);
    size_t count = 0;
    bool ok = true;
    forest->row_count = 0;
    forest->old_chunk_count = forest->chunks.count;
    FiloIter all = filo_iter_over(it, queries->rows);
    while (ok && filo_iter_next(&all)) {
        const void *address = filo_iter_column(&all, 0).data;
        bool is_moved = advance_if_at(&some_moved, &more_moved, address);
        bool is_restructured = advance_if_at(&some_restructured, &more_restructured, address);
        if (count == forest->chunks.count) ok = filo_array_push(&forest->chunks, (TransformChunk){ 0 });
        if (ok) set_chunk(&forest->chunks.items[count++], &all, is_moved, is_restructured);
        forest->row_count += (uint32_t)all.count;
    }
    filo_iter_end(&some_moved);
    filo_iter_end(&some_restructured);
    filo_iter_end(&all);
    forest->chunks.count = count;
    return ok;
}

bool transform_forest_assign_offsets(TransformForest *forest) {
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

// ---- New members --------------------------------------------------------------------------------------------

static bool add_new_member(TransformForest *forest, uint32_t index, const void *transform) {
    const TransformSizes *sizes = &forest->dimension->sizes;
    size_t transforms = forest->new_member_transforms.count, worlds = forest->new_member_worlds.count;
    if (!filo_array_push(&forest->new_members, index) ||
        !filo_array_resize(&forest->new_member_transforms, transforms + sizes->transform) ||
        !filo_array_resize(&forest->new_member_worlds, worlds + sizes->world))
        return false;
    memcpy(forest->new_member_transforms.items + transforms, transform, sizes->transform);
    memset(forest->new_member_worlds.items + worlds, 0, sizes->world);
    return true;
}

bool transform_forest_find_new_members(TransformForest *forest, FiloIter *it, FiloQuery *query) {
    filo_array_clear(&forest->new_members);
    filo_array_clear(&forest->new_member_transforms);
    filo_array_clear(&forest->new_member_worlds);
    if (!forest->has_families) return true;
    bool ok = true;
    FiloIter rows = filo_iter_over(it, query);
    while (ok && filo_iter_next(&rows)) {
        FiloColumn transforms = filo_iter_column(&rows, 0);
        const uint32_t *indices = filo_iter_indices(&rows);
        for (size_t i = 0; i < rows.count && ok; i++)
            ok = add_new_member(forest, indices[i],
                                filo_column_at(transforms, i, forest->dimension->sizes.transform));
    }
    filo_iter_end(&rows);
    if (!ok || forest->new_members.count == 0) return ok;
    return filo_array_push(&forest->chunks,
                           (TransformChunk){ .transforms = forest->new_member_transforms.items,
                                             .worlds = forest->new_member_worlds.items,
                                             .indices = forest->new_members.items,
                                             .rows = (uint32_t)forest->new_members.count });
}

// ---- Updating -----------------------------------------------------------------------------------------------

static bool update(TransformForest *forest, FiloIter *it, const TransformQueries *queries) {
    bool families_changed = filo_component_changed(it->world, forest->family, forest->seen);
    if (families_changed) forest->has_families = filo_query_first(forest->families).id != 0;
    bool members_changed = families_changed || (forest->has_families &&
                                                matches_any(it, queries->new_members_changed, forest->seen));
    filo_array_clear(&forest->new_members);
    if (!list_chunks(forest, it, queries)) return false;
    FiloReparented reparented = filo_world_reparented(it->world, &forest->reparented_seen);
    if (forest->ordered && !reparented.lost) {
        members_changed = members_changed || forest->row_count != forest->live_count;
        TransformPatchResult result =
            transform_forest_patch(forest, it, queries, members_changed, &reparented);
        if (result != TRANSFORM_PATCH_TOO_LARGE) return result == TRANSFORM_PATCHED;
    }
    forest->chunks.count -= forest->new_members.count > 0;
    if (!transform_forest_find_new_members(forest, it, queries->new_members) ||
        !transform_forest_assign_offsets(forest))
        return false;
    filo_array_each (&forest->chunks, chunk) chunk->moved = true;
    return transform_forest_order(forest, it->world);
}

bool transform_forest_update(TransformForest *forest, FiloIter *it, const TransformQueries *queries) {
    bool ok = update(forest, it, queries);
    if (!ok) forest->ordered = false;
    forest->seen = filo_iter_seen(it);
    return ok;
}
