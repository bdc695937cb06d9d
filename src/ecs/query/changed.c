// The chunk of the current rows of an iteration: its id, and whether it changed.
//
// The iteration does not store the chunk of its current part, which would make it slower. It is computed from the
// position at which the next part begins.

#include "ecs/query/iter.h"

typedef struct Part {
    const EcsMatch *match;
    const EcsChunk *chunk; // NULL: there are no rows, or they are gathered from several chunks
} Part;

static Part part_of(const FiloIter *it) {
    const EcsIterState *state = ecs_iter(it);
    if (it->query == NULL || it->count == 0 || state->leading != NULL) return (Part){ NULL, NULL };
    const EcsMatch *match = state->match;
    uint32_t chunk;
    if ((state->flags & ECS_ITER_SLOW) != 0) {
        chunk = state->row > 0 ? state->chunk : state->chunk - 1; // row 0: of the next chunk
    } else if (state->chunk > 0) {
        chunk = state->chunk - 1;
    } else { // at the end of a table, `match` is the next one
        match = (const EcsMatch *)(const void *)((const uint8_t *)match - it->query->match_size);
        chunk = match->partition->tail;
    }
    return (Part){ match, &match->partition->chunks[chunk] };
}

FiloChunkId filo_iter_chunk(const FiloIter *it) {
    Part part = part_of(it);
    if (part.chunk == NULL) return (FiloChunkId){ 0, 0 };
    return (FiloChunkId){ part.chunk->id, it->world->chunks[part.chunk->id].generation };
}

uint32_t filo_world_chunk_end(const FiloWorld *world) {
    return FILO_CHECK(world != NULL, "pass a world") ? world->chunk_end : 0;
}

// ---- What changed ---------------------------------------------------------------------------------------

// Whether the rows, or a column, changed in one of the chunks of gathered rows. `component` NULL: only the rows.
static bool gathered_changed(const FiloIter *it, const EcsComponentData *component) {
    const EcsIterState *state = ecs_iter(it);
    uint32_t last = UINT32_MAX;
    for (size_t n = 0; n < it->count; n++) {
        uint32_t chunk = state->gather->rows[n] >> ECS_ROW_BITS;
        if (chunk == last) continue;
        last = chunk;
        const EcsChunkInfo *info = &it->world->chunks[chunk];
        if (*ecs_chunk_version(info->base) > state->since) return true;
        uint32_t column =
            component != NULL ? ecs_table_column(info->partition->table, component->id) : ECS_NO_COLUMN;
        if (column != ECS_NO_COLUMN &&
            __atomic_load_n(&ecs_chunk_versions(info->base)[column], __ATOMIC_RELAXED) > state->since)
            return true;
    }
    return false;
}

static bool has_rows(const FiloIter *it) {
    return FILO_CHECK(it->query != NULL && it->count > 0,
                      "there are no rows that could have changed; ask while filo_iter_next is true");
}

bool filo_iter_rows_changed(const FiloIter *it) {
    if (!has_rows(it)) return false;
    if (ecs_iter(it)->leading != NULL) return gathered_changed(it, NULL);
    return *ecs_chunk_version(part_of(it).chunk->base) > ecs_iter(it)->since;
}

bool filo_iter_changed(const FiloIter *it, unsigned term) {
    if (!ecs_iter_has_term(it, term)) return false;
    const EcsIterState *state = ecs_iter(it);
    const EcsQueryTerm *query_term = &state->terms[term];
    const char *name = query_term->component->info.name;
    if (!FILO_CHECK(query_term->source != ECS_SOURCE_PARENT,
                    "whether a parent's %s has changed is not known; look at the parents by a query", name) ||
        !FILO_CHECK(query_term->access != FILO_ACCESS_NONE || query_term->changed,
                    "term %u does not read %s, so it cannot tell whether that has changed", term, name))
        return true; // it may have changed
    if (state->since == 0 && (query_term->source == ECS_SOURCE_GLOBAL || it->count > 0))
        return true; // nothing was seen yet; and a global that was never written has version 0
    if (query_term->source == ECS_SOURCE_GLOBAL)
        return __atomic_load_n(query_term->component->version, __ATOMIC_RELAXED) > state->since;
    if (!has_rows(it)) return false;
    if (query_term->source == ECS_SOURCE_HOLDER &&
        __atomic_load_n(query_term->component->version, __ATOMIC_RELAXED) > state->since)
        return true;
    if (state->leading != NULL)
        return gathered_changed(it, query_term->source == ECS_SOURCE_TABLE ? query_term->component : NULL);
    Part part = part_of(it);
    return *ecs_chunk_version(part.chunk->base) > state->since ||
           ecs_term_version(query_term, part.match->terms[term].column, part.chunk->base, 0) > state->since;
}
