// What an iteration tells of the chunk that its rows lie in: which it is, and what changed there.
//
// Where a part lies is not noted when it is found, which would cost each iteration something; it follows from where the
// next part begins.

#include "ecs/iter.h"

typedef struct Place {
    const FiloMatch *match;
    const FiloChunk *chunk; // NULL: no rows, or of several chunks
} Place;

static Place place_of(const FiloIter *it) {
    const FiloIterState *state = ecs_iter(it);
    if (it->query == NULL || it->count == 0 || state->driver != NULL) return (Place){ NULL, NULL };
    const FiloMatch *match = state->match;
    uint32_t chunk;
    if ((state->flags & FILO_ITER_SLOW) != 0) {
        chunk = state->row > 0 ? state->chunk : state->chunk - 1; // at the end of a chunk the next one begins
    } else if (state->chunk > 0) {
        chunk = state->chunk - 1;
    } else { // at the end of a table the next one begins
        match = (const FiloMatch *)(const void *)((const uint8_t *)match - it->query->match_size);
        chunk = match->half->tail;
    }
    return (Place){ match, &match->half->chunks[chunk] };
}

FiloChunkId filo_iter_chunk(const FiloIter *it) {
    Place place = place_of(it);
    if (place.chunk == NULL) return (FiloChunkId){ 0, 0 };
    return (FiloChunkId){ place.chunk->id, it->world->places[place.chunk->id].generation };
}

uint32_t filo_world_chunk_end(const FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return 0;
    return world->place_count;
}

// ---- Of gathered rows -----------------------------------------------------------------------------------

// Whether a column, or the rows, changed in any of the chunks of gathered rows. `component` NULL: the rows.
static bool gathered_changed(const FiloIter *it, const FiloComponentData *component) {
    const FiloIterState *state = ecs_iter(it);
    uint32_t last = UINT32_MAX;
    for (size_t n = 0; n < it->count; n++) {
        uint32_t chunk = state->gather->rows[n] >> FILO_ROW_BITS;
        if (chunk == last) continue;
        last = chunk;
        const FiloPlace *place = &it->world->places[chunk];
        if (*filo_chunk_version(place->base) > state->since) return true;
        uint32_t column =
            component != NULL ? filo_table_column(place->half->table, component->id) : FILO_NO_COLUMN;
        if (column != FILO_NO_COLUMN &&
            __atomic_load_n(&filo_chunk_versions(place->base)[column], __ATOMIC_RELAXED) > state->since)
            return true;
    }
    return false;
}

// ---- What changed ---------------------------------------------------------------------------------------

static bool has_rows(const FiloIter *it) {
    return FILO_CHECK(it->query != NULL && it->count > 0,
                      "there are no rows that could have changed; ask while filo_iter_next is true");
}

bool filo_iter_rows_changed(const FiloIter *it) {
    if (!has_rows(it)) return false;
    if (ecs_iter(it)->driver != NULL) return gathered_changed(it, NULL);
    return *filo_chunk_version(place_of(it).chunk->base) > ecs_iter(it)->since;
}

bool filo_iter_changed(const FiloIter *it, unsigned term) {
    if (!filo_iter_has_term(it, term)) return false;
    const FiloIterState *state = ecs_iter(it);
    const FiloQueryTerm *asked = &state->terms[term];
    const char *name = asked->component->info.name;
    if (!FILO_CHECK(asked->place != FILO_PLACE_PARENT,
                    "whether a parent's %s has changed is not known; look at the parents by a query", name) ||
        !FILO_CHECK(asked->access != FILO_ACCESS_NONE || asked->changed,
                    "term %u does not read %s, so it cannot tell whether that has changed", term, name))
        return true; // it may have
    if (state->since == 0 && (asked->place == FILO_PLACE_GLOBAL || it->count > 0))
        return true; // nothing was seen yet, and a global that was never written has no version
    if (asked->place == FILO_PLACE_GLOBAL)
        return __atomic_load_n(asked->component->version, __ATOMIC_RELAXED) > state->since;
    if (!has_rows(it)) return false;
    if (asked->place == FILO_PLACE_HOLDER &&
        __atomic_load_n(asked->component->version, __ATOMIC_RELAXED) > state->since)
        return true;
    if (state->driver != NULL)
        return gathered_changed(it, asked->place == FILO_PLACE_TABLE ? asked->component : NULL);
    Place place = place_of(it);
    return *filo_chunk_version(place.chunk->base) > state->since ||
           ecs_term_version(asked, place.match->terms[term].column, place.chunk->base, 0) > state->since;
}
