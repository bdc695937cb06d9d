// Look-ups: one component of many entities in any order.
//
// Finding a component takes two dependent loads: the entity's record (or its slot in a sparse list), then the value.
// One entity after the other, a processor has only a few such loads in flight. Here the list of entities is known in
// advance, so it is a software pipeline of three steps:
//
//   prefetch   prefetches the record or slot, PREFETCH_AHEAD entities before the caller gets to the entity
//   locate     reads it, computes the address of the value and prefetches the value, LOCATE_AHEAD entities before
//   verify     compares the entity in a sparse list with that of the caller
//
// The first two steps alternate, one entity each. A block of one step after a block of the other is a third slower.

#include <filo/lookup.h>

#include "ecs/entity/entity.h"
#include "ecs/query/iter.h"
#include "ecs/storage/holder.h"

#define INLINE static inline __attribute__((always_inline))

#define BLOCK          ((size_t)FILO_LOOKUP_BLOCK)
#define LOCATE_AHEAD   (2 * BLOCK) // entities before the caller gets to it
#define PREFETCH_AHEAD (4 * BLOCK)
#define SHORT_LIST     4 // lists up to this length are not prefetched

_Static_assert(FILO_LOOKUP_RING % FILO_LOOKUP_BLOCK == 0 && LOCATE_AHEAD + BLOCK <= FILO_LOOKUP_RING,
               "a value that is located must not overwrite one that was not returned yet");

// The state of a look-up, in FiloLookup.private_.
typedef struct State {
    const FiloWorld *world;
    const EcsComponentData *data;
    const uint8_t *first; // the first id, if `rows` is NULL
    void *const *rows;    // pointers to values that have the ids at `offset`; or NULL
    size_t offset;
    size_t stride, count;
    uint64_t layout_id, column; // cache: the layout id of the last table, and the offset of its column
} State;

_Static_assert(sizeof(State) <= sizeof(((FiloLookup *)NULL)->private_) &&
                   offsetof(FiloLookup, private_) % _Alignof(State) == 0,
               "FiloLookup.private_ is large enough");

INLINE State *state(const FiloLookup *lookup) {
    return (State *)(void *)lookup->private_; // NOLINT: look-ups are not const
}

static bool is_list(const EcsComponentData *data) {
    return data->info.storage == FILO_STORAGE_SPARSE && data->size > 0;
}

// ---- The steps, for each kind of storage ------------------------------------------------------------------

// Their input, apart from FiloLookup, so that the compiler holds it in registers.
typedef struct Finder {
    const FiloWorld *world;
    const EcsComponentData *data;
    const void *holder;
    uint64_t layout_id, column; // as in State
} Finder;

// The memory that `locate` will read: the addresses of its first and last byte, which may be in two cache lines. The
// addresses are only prefetched, so they may be invalid.
typedef struct Range {
    uintptr_t first, last;
} Range;

INLINE Range element(const void *array, uint32_t index, size_t stride, size_t last) {
    uintptr_t first = (uintptr_t)array + index * stride;
    return (Range){ first, first + last };
}

INLINE Range record_range(const Finder *finder, uint32_t index) {
    return element(finder->world->records, index, sizeof(EcsRecord), sizeof(EcsRecord) - 1);
}

INLINE const void *locate_in_table(Finder *finder, FiloEntity entity) {
    const FiloWorld *world = finder->world;
    const EcsRecord *record = ecs_record_find(world, entity);
    if (FILO_UNLIKELY(record == NULL)) return NULL;
    uint32_t location = ecs_record_location(record);
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    if (FILO_UNLIKELY(chunk->layout_id != finder->layout_id)) {
        uint32_t column = ecs_table_column(chunk->partition->table, finder->data->id);
        if (column == ECS_NO_COLUMN) return NULL;
        finder->layout_id = chunk->layout_id;
        finder->column = chunk->partition->offsets[column];
    }
    const uint8_t *value = chunk->base + finder->column + (size_t)ecs_row_of(location) * finder->data->size;
    __builtin_prefetch(value);
    return value;
}

INLINE Range array_range(const Finder *finder, uint32_t index) {
    const EcsArrayHolder *array = finder->holder;
    return element(array->values, index, array->stride, array->generation);
}

INLINE const void *locate_in_array(Finder *finder, FiloEntity entity) {
    return ecs_array_holder_get(finder->holder, entity);
}

INLINE Range slot_range(const Finder *finder, uint32_t index) {
    const EcsSparse *sparse = finder->holder;
    return element(sparse->slots, index, sizeof *sparse->slots, 0);
}

// The value that the slot of the index leads to. `verify` tests whether it belongs to this entity.
INLINE const void *locate_in_list(Finder *finder, FiloEntity entity) {
    const EcsSparse *sparse = finder->holder;
    const uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
    if (slot == NULL || *slot == 0) return NULL;
    __builtin_prefetch(&sparse->entities[*slot - 1]);
    const uint8_t *value = sparse->values + (size_t)(*slot - 1) * sparse->size;
    __builtin_prefetch(value);
    return value;
}

// A map, a tag or a holder of the user, whose memory cannot be prefetched. Any address in the cache does instead.
INLINE Range no_range(const Finder *finder, uint32_t index) {
    FILO_UNUSED(index);
    return element(finder, 0, 0, 0);
}

INLINE const void *locate_in_holder(Finder *finder, FiloEntity entity) {
    return ecs_holder_get(finder->world, finder->data, entity);
}

// ---- The pipeline -----------------------------------------------------------------------------------------

// A part of the list of entities.
typedef struct Part {
    size_t first, count;
} Part;

// The ids of a part.
typedef struct Ids {
    const uint8_t *first;
    size_t stride;
    void *const *rows; // as in State
    size_t offset;
} Ids;

INLINE Ids ids_from(const FiloLookup *lookup, Part part) {
    if (part.count == 0) return (Ids){ .first = NULL };
    if (state(lookup)->rows != NULL)
        return (Ids){ .rows = state(lookup)->rows + part.first, .offset = state(lookup)->offset };
    return (Ids){ .first = state(lookup)->first + part.first * state(lookup)->stride,
                  .stride = state(lookup)->stride };
}

INLINE FiloEntity id_at(Ids ids, size_t i) {
    if (ids.rows == NULL) return *(const FiloEntity *)(ids.first + i * ids.stride);
    const uint8_t *row = ids.rows[i];
    return row != NULL ? *(const FiloEntity *)(row + ids.offset) : FILO_ENTITY_NONE;
}

INLINE void interleave(FiloLookup *lookup, Part prefetched, Part located,
                       Range (*range_of)(const Finder *, uint32_t),
                       const void *(*locate)(Finder *, FiloEntity)) {
    Finder finder = { state(lookup)->world, state(lookup)->data, state(lookup)->data->holder,
                      state(lookup)->layout_id, state(lookup)->column };
    Ids prefetch_ids = ids_from(lookup, prefetched), locate_ids = ids_from(lookup, located);
    const void **values = lookup->values_ + located.first % FILO_LOOKUP_RING;
    for (size_t i = 0; i < FILO_MAX(prefetched.count, located.count); i++) {
        if (i < prefetched.count) {
            // Prefetched here, because gcc 12 removes a function that only prefetches as without effect.
            Range range = range_of(&finder, (uint32_t)id_at(prefetch_ids, i).id);
            __builtin_prefetch((const void *)range.first); // NOLINT: an address that need not be anything
            __builtin_prefetch((const void *)range.last);  // NOLINT
        }
        if (i < located.count) values[i] = locate(&finder, id_at(locate_ids, i));
    }
    state(lookup)->layout_id = finder.layout_id;
    state(lookup)->column = finder.column;
}

INLINE void step(FiloLookup *lookup, Part prefetched, Part located) {
    const EcsComponentData *data = state(lookup)->data;
    if (data->in_table)
        interleave(lookup, prefetched, located, record_range, locate_in_table);
    else if (data->info.storage == FILO_STORAGE_ARRAY)
        interleave(lookup, prefetched, located, array_range, locate_in_array);
    else if (is_list(data))
        interleave(lookup, prefetched, located, slot_range, locate_in_list);
    else
        interleave(lookup, prefetched, located, no_range, locate_in_holder);
}

static void step_any(FiloLookup *lookup, Part prefetched, Part located) { step(lookup, prefetched, located); }

// A slot may belong to another entity with the same index.
static void verify(FiloLookup *lookup, Part part) {
    const void **values = lookup->values_ + part.first % FILO_LOOKUP_RING;
    Ids ids = ids_from(lookup, part);
    for (size_t i = 0; i < part.count; i++)
        if (values[i] != NULL) values[i] = ecs_sparse_get(state(lookup)->data->holder, id_at(ids, i));
}

// The block from `first` on, as far as the list goes.
static Part block(const FiloLookup *lookup, size_t first) {
    return (Part){ first, first < state(lookup)->count ? FILO_MIN(state(lookup)->count - first, BLOCK) : 0 };
}

static void start(FiloLookup *lookup) {
    const Part none = { 0, 0 };
    size_t count = state(lookup)->count;
    if (count > SHORT_LIST)
        for (size_t i = 0; i < FILO_MIN(count, PREFETCH_AHEAD); i += BLOCK)
            step_any(lookup, block(lookup, i), none);
    for (size_t i = 0; i < FILO_MIN(count, LOCATE_AHEAD); i += BLOCK)
        step_any(lookup, none, block(lookup, i));
}

bool filo_lookup_more(FiloLookup *lookup) {
    size_t now = lookup->at_;
    if (now >= state(lookup)->count) return false;
    if (now == 0) start(lookup);
    if (now + PREFETCH_AHEAD + BLOCK <= state(lookup)->count &&
        state(lookup)->rows == NULL) // full blocks, so that their length is a constant
        step(lookup, (Part){ now + PREFETCH_AHEAD, BLOCK }, (Part){ now + LOCATE_AHEAD, BLOCK });
    else if (now + LOCATE_AHEAD < state(lookup)->count)
        step_any(lookup, block(lookup, now + PREFETCH_AHEAD), block(lookup, now + LOCATE_AHEAD));
    Part part = block(lookup, now);
    if (is_list(state(lookup)->data)) verify(lookup, part);
    // Beyond the end of the list the caller gets NULL.
    if (FILO_UNLIKELY(part.count < BLOCK))
        memset(lookup->values_ + (now + part.count) % FILO_LOOKUP_RING, 0,
               (BLOCK - part.count) * sizeof(void *));
    return true;
}

bool filo_lookup_is_valid(const FiloLookup *lookup) {
    size_t i = lookup->at_;
    if (i >= state(lookup)->count) return true;
    FiloEntity entity = id_at(ids_from(lookup, (Part){ i, 1 }), 0);
    return FILO_CHECK(
        ecs_entity_find(state(lookup)->world, entity, state(lookup)->data) ==
            lookup->values_[i % FILO_LOOKUP_RING],
        "the list of a look-up, or the structure of the world, changed before the look-up had ended");
}

// ---- Public -----------------------------------------------------------------------------------------------

// Initialises a look-up for this component with an empty list. False after a mistake.
static bool make(FiloLookup *lookup, const FiloWorld *world, FiloComponent component) {
    State *made = state(lookup);
    made->world = world;
    made->data = ecs_component_data(world, component);
    made->first = NULL;
    made->rows = NULL;
    made->offset = made->stride = made->count = 0;
    made->layout_id = made->column = 0; // no table has layout id 0
    lookup->at_ = 0;
    return FILO_CHECK(made->data != NULL && made->data->global == NULL,
                      "component %u is not one that entities have", component.id) &&
           ecs_may_access(world, made->data, FILO_ACCESS_READ);
}

static bool make_by_type(FiloLookup *lookup, const FiloWorld *world, const FiloType *type) {
    FiloComponent component = world != NULL ? filo_component_of(world, type) : (FiloComponent){ 0 };
    const char *name = type != NULL ? type->name : "NULL";
    if (FILO_CHECK_MADE(component.id != 0,
                        "cannot look up a component: %s is not registered in this world: call %s first", name,
                        ecs_registering_call(type).text))
        return make(lookup, world, component);
    state(lookup)->count = lookup->at_ = 0;
    return false;
}

static void set_list(FiloLookup *lookup, const FiloEntity *entities, size_t stride, size_t count) {
    const size_t align = _Alignof(FiloEntity);
    if (!FILO_CHECK(count == 0 || (entities != NULL && (uintptr_t)entities % align == 0),
                    "pass the entities to look up") ||
        !FILO_CHECK(
            count <= 1 || (stride > 0 && stride % align == 0),
            "the stride of a look-up is the size of what the ids lie in, as sizeof(FiloEntity), not %zu",
            stride))
        return;
    state(lookup)->first = (const uint8_t *)entities;
    state(lookup)->stride = stride;
    state(lookup)->count = count;
}

// Does not initialise the array of values: each is written before it is read.
FiloLookup filo_entity_lookup(const FiloWorld *world, const FiloEntity *entities, size_t stride, size_t count,
                              FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return (FiloLookup){ 0 };
    FiloLookup lookup;
    if (make(&lookup, world, component)) set_list(&lookup, entities, stride, count);
    return lookup;
}

FiloLookup filo_entity_lookup_type(const FiloWorld *world, const FiloEntity *entities, size_t stride,
                                   size_t count, const FiloType *type) {
    FiloLookup lookup;
    if (make_by_type(&lookup, world, type)) set_list(&lookup, entities, stride, count);
    return lookup;
}

FiloLookup filo_iter_lookup_type(const FiloIter *it, unsigned term, size_t size, size_t offset,
                                 const FiloType *type) {
    FiloLookup lookup;
    if (!make_by_type(&lookup, it->world, type) || !ecs_iter_has_term(it, term)) return lookup;
    const EcsQueryTerm *query_term = &ecs_iter(it)->terms[term];
    if (!FILO_CHECK(query_term->component->size == size && offset % _Alignof(FiloEntity) == 0,
                    "term %u is not of the component whose field refers to entities", term))
        return lookup;
    FiloColumn column = filo_iter_column(it, term);
    if (column.rows == NULL && column.data == NULL) return lookup; // no row has the component
    state(&lookup)->rows = column.rows;
    state(&lookup)->offset = offset;
    state(&lookup)->first = column.data != NULL ? (const uint8_t *)column.data + offset : NULL;
    state(&lookup)->stride = query_term->source == ECS_SOURCE_GLOBAL ? 0 : size; // one value for all rows
    state(&lookup)->count = it->count;
    return lookup;
}

FiloLookup filo_iter_follow_type(const FiloIter *it, const FiloType *of, size_t size, size_t offset,
                                 const FiloType *type) {
    if (!FILO_CHECK(of != NULL, "pass a type")) return (FiloLookup){ 0 };
    unsigned term = filo_iter_find_term_(it, of, size, FILO_USE_READ_ROW_);
    if (term < FILO_TERMS) return filo_iter_lookup_type(it, term, size, offset, type);
    FiloLookup none;
    state(&none)->count = none.at_ = 0;
    return none;
}

size_t filo_entity_get_many(const FiloWorld *world, const FiloEntity *entities, size_t count,
                            FiloComponent component, const void **values) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return 0;
    if (!FILO_CHECK(count == 0 || values != NULL, "say where to put the values")) return 0;
    FiloLookup lookup = filo_entity_lookup(world, entities, sizeof(FiloEntity), count, component);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        values[i] = filo_lookup_next(&lookup);
        found += values[i] != NULL;
    }
    return found;
}
