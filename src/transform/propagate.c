// The systems that write world transforms: "begin world transforms", which runs first in a tick, and "propagate
// transforms", which runs last; and two for 3D. The two systems of a dimension share a forest.
//
// The first system makes world transforms a function of the state, though they are not part of it: when a tick begins
// they follow from the transforms, also if these were changed between ticks or restored from a snapshot. Usually
// there is nothing to do.

#include "transform/forest.h"
#include "transform/systems.h"

#include <filo/check.h>

enum { MOVED, RESTRUCTURED, NEW_MEMBERS, NEW_MEMBERS_CHANGED }; // extra queries

static void find_moved_in(size_t begin, size_t end, void *user) {
    TransformForest *forest = user;
    for (size_t i = begin; i < end; i++)
        if (forest->chunks.items[i].moved) forest->dimension->find_moved(forest, &forest->chunks.items[i]);
}

static void compute_pieces(size_t begin, size_t end, void *user) {
    TransformForest *forest = user;
    for (size_t i = begin; i < end; i++) forest->dimension->compute_piece(forest, forest->pieces.items[i]);
}

static void for_all(FiloJobs *jobs, size_t count, FiloRangeFunction function, TransformForest *forest) {
    if (jobs != NULL && count > 1)
        filo_jobs_for(jobs, count, function, forest);
    else
        function(0, count, forest);
}

// Iterations only read world transforms, so that chunks do not count as changed. In each chunk that was written, one
// row is edited, which marks the column as changed.
static void mark_columns_changed(const TransformForest *forest, FiloWorld *world) {
    size_t count = forest->chunks.count - (forest->new_members.count > 0);
    for (size_t i = 0; i < count; i++) {
        const TransformChunk *chunk = &forest->chunks.items[i];
        if (!chunk->written) continue;
        (void)filo_entity_edit(world, filo_entity_at(world, chunk->indices[0]), forest->world_transform);
    }
}

static void set_new_members(const TransformForest *forest, FiloIter *it) {
    for (size_t i = 0; i < forest->new_members.count; i++)
        filo_changes_set(it->changes, filo_entity_at(it->world, forest->new_members.items[i]),
                         forest->world_transform,
                         forest->new_member_worlds.items + i * forest->dimension->sizes.world);
}

// Blocks with flags for the next run become the current ones.
static void swap_blocks(TransformForest *forest) {
    size_t count = (forest->node_count >> TRANSFORM_BLOCK_SHIFT) + 1;
    uint8_t *done = forest->blocks;
    forest->blocks = forest->next_blocks;
    forest->next_blocks = done;
    memset(done, 0, count);
    forest->pending = memchr(forest->blocks, 1, count) != NULL;
}

static void run(FiloIter *it, bool tick_begins) {
    TransformForest *forest = it->user;
    const TransformQueries queries = { it->query, filo_iter_extra_query(it, MOVED),
                                       filo_iter_extra_query(it, RESTRUCTURED),
                                       filo_iter_extra_query(it, NEW_MEMBERS),
                                       filo_iter_extra_query(it, NEW_MEMBERS_CHANGED) };
    bool stale = transform_forest_is_stale(forest, it, &queries);
    if (!stale && (tick_begins || !forest->pending)) return;
    forest->tick_begins = tick_begins;
    if (!transform_forest_update(forest, it, &queries)) return;
    forest->pending = false;
    if (forest->node_count == 0) return;
    FiloJobs *jobs = filo_world_jobs(it->world);
    if (stale) for_all(jobs, forest->chunks.count, find_moved_in, forest);
    forest->dimension->compute_tops(forest);
    for_all(jobs, forest->pieces.count, compute_pieces, forest);
    mark_columns_changed(forest, it->world);
    set_new_members(forest, it);
    swap_blocks(forest);
}

static void begin_tick(FiloIter *it) { run(it, true); }

static void end_tick(FiloIter *it) { run(it, false); }

static void end_tick_and_save_state(FiloIter *it) {
    run(it, false);
    TransformState *state =
        filo_global_edit(it->world, filo_component_of(it->world, FILO_TYPE(TransformState)));
    *state = (TransformState){ true, filo_iter_seen(it) };
}

// ---- Registering --------------------------------------------------------------------------------------------

static void retain(FiloWorld *world, void *user) {
    FILO_UNUSED(world);
    ((TransformForest *)user)->references++;
}

static void release(FiloWorld *world, void *user) {
    FILO_UNUSED(world);
    TransformForest *forest = user;
    if (--forest->references == 0) transform_forest_destroy(forest);
}

// NULL without memory.
static TransformForest *create_forest(FiloWorld *world, const TransformDimension *dimension) {
    TransformForest *forest = transform_forest_create(dimension);
    if (forest == NULL) return NULL;
    forest->world_transform = filo_component_of(world, dimension->world());
    forest->family = filo_component_of(world, FILO_TYPE(FiloFamily));
    forest->families = filo_query_create(
        world, &(FiloQueryDesc){ .terms = { FILO_WITH(FiloFamily) }, .activity = FILO_ANY_ACTIVITY });
    forest->references = 1; // by the caller
    if (forest->families != NULL) return forest;
    release(world, forest);
    return NULL;
}

static FiloSystemDesc describe(const TransformDimension *dimension, TransformForest *forest) {
    FiloTerm family = FILO_WITH(FiloFamily), family_changed = FILO_READ_CHANGED(FiloFamily);
    FiloTerm transform = { .type = dimension->transform, .access = FILO_ACCESS_READ };
    FiloTerm world = { .type = dimension->world, .access = FILO_ACCESS_READ };
    FiloTerm no_world = { .type = dimension->world, .kind = FILO_TERM_REJECTED };
    FiloTerm previous = { .type = dimension->previous,
                          .kind = FILO_TERM_OPTIONAL,
                          .access = FILO_ACCESS_READ };
    FiloQueryDesc rows = { .terms = { transform, world, previous }, .activity = FILO_ANY_ACTIVITY };
    FiloSystemDesc desc = {
        .once = true,
        .query = rows,
        .extra_queries = { [MOVED] = rows,
                           [RESTRUCTURED] = rows,
                           [NEW_MEMBERS] = { .terms = { transform, family, no_world },
                                             .activity = FILO_ANY_ACTIVITY },
                           [NEW_MEMBERS_CHANGED] = { .terms = { transform, family_changed, no_world },
                                                     .activity = FILO_ANY_ACTIVITY } },
        .extra_access = { { .type = dimension->world, .access = FILO_ACCESS_WRITE }, FILO_READ(FiloFamily) },
        .user = forest,
        .start = retain,
        .end = release,
    };
    desc.extra_queries[MOVED].terms[0].changed = true;
    desc.extra_queries[RESTRUCTURED].terms[1].changed = true;
    return desc;
}

static bool add(FiloWorld *world, const TransformDimension *dimension, const char *begin, const char *end) {
    if (filo_system_named(world, begin).id != 0 || filo_system_named(world, end).id != 0) return true;
    TransformForest *forest = create_forest(world, dimension);
    if (forest == NULL) return false;
    FiloSystemDesc desc = describe(dimension, forest);
    desc.name = begin;
    desc.run = begin_tick;
    desc.phase = TRANSFORM_PHASE_BEGIN;
    FiloSystemId first = filo_system_add(world, &desc);
    desc.name = end;
    desc.run = end_tick;
    desc.phase = TRANSFORM_PHASE_END;
    if (dimension == &transform_plane) { // one system writes the state for both dimensions
        desc.run = end_tick_and_save_state;
        desc.extra_access[2] = (FiloTerm)FILO_WRITE(TransformState);
    }
    FiloSystemId second = first.id != 0 ? filo_system_add(world, &desc) : first;
    if (second.id == 0) filo_system_remove(world, first);
    release(world, forest);
    return second.id != 0;
}

bool transform_register_propagation(FiloWorld *world) {
    return add(world, &transform_plane, "begin world transforms", "propagate transforms") &&
           add(world, &transform_space, "begin 3D world transforms", "propagate 3D transforms");
}
