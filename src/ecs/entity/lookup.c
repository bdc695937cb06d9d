// One component of many entities in any order.
//
// A look-up waits twice for memory: for the entity's record (or its slot in a list), then for the value. One after the
// other, a processor has only a few of them under way at a time. Here the list of entities is known, so each goes
// through three steps, long before it is asked for, and each step fetches the memory that the next one needs: `ask`
// for the record, `point` for the value that it leads to, and `settle`, which has nothing to wait for. Memory is kept
// busy best if steps take turns, one entity each; a block of one step and then a block of the other is a third slower.

#include <filo/lookup.h>

#include "ecs/entity/entity.h"
#include "ecs/query/iter.h"
#include "ecs/storage/holder.h"

#define INLINE static inline __attribute__((always_inline))

#define BLOCK       ((size_t)FILO_LOOKUP_BLOCK)
#define POINT_AHEAD (2 * BLOCK) // before it is asked for
#define ASK_AHEAD   (4 * BLOCK)
#define FEW         4 // are not worth asking for

_Static_assert(FILO_LOOKUP_RING % FILO_LOOKUP_BLOCK == 0 && POINT_AHEAD + BLOCK <= FILO_LOOKUP_RING,
               "what is pointed at must not be where something is that was not given yet");

// What a look-up keeps in FiloLookup.private_.
typedef struct State {
    const FiloWorld *world;
    const EcsComponentData *data;
    const uint8_t *first; // id; or
    void *const *rows;    // what the ids lie in, at `offset`
    size_t offset;
    size_t stride, count;
    uint64_t layout_id, column; // of the table that was looked into last: where its column begins
} State;

_Static_assert(sizeof(State) <= sizeof(((FiloLookup *)NULL)->private_) &&
                   offsetof(FiloLookup, private_) % _Alignof(State) == 0,
               "FiloLookup.private_ has room for it");

INLINE State *state(const FiloLookup *lookup) {
    return (State *)(void *)lookup->private_; // NOLINT: look-ups are not const
}

static bool is_list(const EcsComponentData *data) {
    return data->info.storage == FILO_STORAGE_SPARSE && data->size > 0;
}

// ---- The steps, for each kind of storage ------------------------------------------------------------------

// What they need, apart from where values are put, so that it stays in registers.
typedef struct Finder {
    const FiloWorld *world;
    const EcsComponentData *data;
    const void *holder;
    uint64_t layout_id, column; // of the table that was looked into last
} Finder;

// The memory that an entity's next step needs: its first byte and its last, which may lie in two lines. It need not
// exist: nobody looks at it.
typedef struct Memory {
    uintptr_t first, last;
} Memory;

INLINE Memory element(const void *array, uint32_t index, size_t stride, size_t last) {
    uintptr_t first = (uintptr_t)array + index * stride;
    return (Memory){ first, first + last };
}

INLINE Memory ask_record(const Finder *finder, uint32_t index) {
    return element(finder->world->records, index, sizeof(EcsRecord), sizeof(EcsRecord) - 1);
}

INLINE const void *point_into_table(Finder *finder, FiloEntity entity) {
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

INLINE Memory ask_array(const Finder *finder, uint32_t index) {
    const EcsArrayHolder *array = finder->holder;
    return element(array->values, index, array->stride, array->generation);
}

INLINE const void *point_into_array(Finder *finder, FiloEntity entity) {
    return ecs_array_holder_get(finder->holder, entity);
}

INLINE Memory ask_slot(const Finder *finder, uint32_t index) {
    const EcsSparse *sparse = finder->holder;
    return element(sparse->slots, index, sizeof *sparse->slots, 0);
}

// The value that its slot says. Whether it is the entity's own is seen when it settles.
INLINE const void *point_into_list(Finder *finder, FiloEntity entity) {
    const EcsSparse *sparse = finder->holder;
    const uint32_t *slot = ecs_sparse_slot(sparse, (uint32_t)entity.id);
    if (slot == NULL || *slot == 0) return NULL;
    __builtin_prefetch(&sparse->entities[*slot - 1]);
    const uint8_t *value = sparse->values + (size_t)(*slot - 1) * sparse->size;
    __builtin_prefetch(value);
    return value;
}

// A map, a tag or a holder of the user's: nothing is known of its memory. What is fetched instead is at hand.
INLINE Memory ask_nothing(const Finder *finder, uint32_t index) {
    FILO_UNUSED(index);
    return element(finder, 0, 0, 0);
}

INLINE const void *point_into_holder(Finder *finder, FiloEntity entity) {
    return ecs_holder_get(finder->world, finder->data, entity);
}

// ---- Taking steps -----------------------------------------------------------------------------------------

// Some entities of the list.
typedef struct Part {
    size_t first, count;
} Part;

// The ids of a list, from one of them on.
typedef struct Ids {
    const uint8_t *first;
    size_t stride;
    void *const *rows; // NULL, or they lie in these, at `offset`
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

static FiloEntity entity_at(const FiloLookup *lookup, size_t i) {
    return id_at(ids_from(lookup, (Part){ i, 1 }), 0);
}

INLINE void take_turns(FiloLookup *lookup, Part ask, Part point, Memory (*ask_one)(const Finder *, uint32_t),
                       const void *(*point_one)(Finder *, FiloEntity)) {
    Finder finder = { state(lookup)->world, state(lookup)->data, state(lookup)->data->holder,
                      state(lookup)->layout_id, state(lookup)->column };
    Ids asked = ids_from(lookup, ask), pointed = ids_from(lookup, point);
    const void **values = lookup->values_ + point.first % FILO_LOOKUP_RING;
    for (size_t i = 0; i < FILO_MAX(ask.count, point.count); i++) {
        if (i < ask.count) {
            // (gcc 12 takes a function that only fetches for one without effect.)
            Memory memory = ask_one(&finder, (uint32_t)id_at(asked, i).id);
            __builtin_prefetch((const void *)memory.first); // NOLINT: an address that need not be anything
            __builtin_prefetch((const void *)memory.last);  // NOLINT
        }
        if (i < point.count) values[i] = point_one(&finder, id_at(pointed, i));
    }
    state(lookup)->layout_id = finder.layout_id;
    state(lookup)->column = finder.column;
}

INLINE void step(FiloLookup *lookup, Part ask, Part point) {
    const EcsComponentData *data = state(lookup)->data;
    if (data->in_table)
        take_turns(lookup, ask, point, ask_record, point_into_table);
    else if (data->info.storage == FILO_STORAGE_ARRAY)
        take_turns(lookup, ask, point, ask_array, point_into_array);
    else if (is_list(data))
        take_turns(lookup, ask, point, ask_slot, point_into_list);
    else
        take_turns(lookup, ask, point, ask_nothing, point_into_holder);
}

static void step_any(FiloLookup *lookup, Part ask, Part point) { step(lookup, ask, point); }

// What a slot pointed at may be somebody else's.
static void settle(FiloLookup *lookup, Part part) {
    const void **values = lookup->values_ + part.first % FILO_LOOKUP_RING;
    Ids ids = ids_from(lookup, part);
    for (size_t i = 0; i < part.count; i++)
        if (values[i] != NULL) values[i] = ecs_sparse_get(state(lookup)->data->holder, id_at(ids, i));
}

// What there is of a block.
static Part block(const FiloLookup *lookup, size_t first) {
    return (Part){ first, first < state(lookup)->count ? FILO_MIN(state(lookup)->count - first, BLOCK) : 0 };
}

static void start(FiloLookup *lookup) {
    const Part none = { 0, 0 };
    size_t count = state(lookup)->count;
    if (count > FEW)
        for (size_t i = 0; i < FILO_MIN(count, ASK_AHEAD); i += BLOCK)
            step_any(lookup, block(lookup, i), none);
    for (size_t i = 0; i < FILO_MIN(count, POINT_AHEAD); i += BLOCK) step_any(lookup, none, block(lookup, i));
}

bool filo_lookup_more(FiloLookup *lookup) {
    size_t now = lookup->at_;
    if (now >= state(lookup)->count) return false;
    if (now == 0) start(lookup);
    if (now + ASK_AHEAD + BLOCK <= state(lookup)->count &&
        state(lookup)->rows == NULL) // as many as the compiler knows
        step(lookup, (Part){ now + ASK_AHEAD, BLOCK }, (Part){ now + POINT_AHEAD, BLOCK });
    else if (now + POINT_AHEAD < state(lookup)->count)
        step_any(lookup, block(lookup, now + ASK_AHEAD), block(lookup, now + POINT_AHEAD));
    Part part = block(lookup, now);
    if (is_list(state(lookup)->data)) settle(lookup, part);
    // Who asks for more than there are gets nothing.
    if (FILO_UNLIKELY(part.count < BLOCK))
        memset(lookup->values_ + (now + part.count) % FILO_LOOKUP_RING, 0,
               (BLOCK - part.count) * sizeof(void *));
    return true;
}

bool filo_lookup_is_right(const FiloLookup *lookup) {
    size_t i = lookup->at_;
    if (i >= state(lookup)->count) return true;
    return FILO_CHECK(
        ecs_entity_find(state(lookup)->world, entity_at(lookup, i), state(lookup)->data) ==
            lookup->values_[i % FILO_LOOKUP_RING],
        "the list of a look-up, or the structure of the world, changed before the look-up had ended");
}

// ---- For users --------------------------------------------------------------------------------------------

// One that has ended, for this component. False after a mistake.
static bool make(FiloLookup *lookup, const FiloWorld *world, FiloComponent component) {
    State *own = state(lookup);
    own->world = world;
    own->data = ecs_component_data(world, component);
    own->first = NULL;
    own->rows = NULL;
    own->offset = own->stride = own->count = 0;
    own->layout_id = own->column = 0; // no table has these
    lookup->at_ = 0;
    return FILO_CHECK(own->data != NULL && own->data->global == NULL,
                      "component %u is not one that entities have", component.id) &&
           ecs_may_access(world, own->data, FILO_ACCESS_READ);
}

static bool make_by_type(FiloLookup *lookup, const FiloWorld *world, const FiloType *type) {
    FiloComponent component = world != NULL ? filo_component_of(world, type) : (FiloComponent){ 0 };
    const char *name = type != NULL ? type->name : "NULL";
    if (FILO_CHECK_MADE(
            component.id != 0,
            "cannot look up a component: %s is not registered in this world: filo_component(world, %s)", name,
            name))
        return make(lookup, world, component);
    state(lookup)->count = lookup->at_ = 0;
    return false;
}

static void go_over(FiloLookup *lookup, const FiloEntity *entities, size_t stride, size_t count) {
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

// The values are not set: they are written before they are read.
FiloLookup filo_entity_lookup(const FiloWorld *world, const FiloEntity *entities, size_t stride, size_t count,
                              FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return (FiloLookup){ 0 };
    FiloLookup lookup;
    if (make(&lookup, world, component)) go_over(&lookup, entities, stride, count);
    return lookup;
}

FiloLookup filo_entity_lookup_type(const FiloWorld *world, const FiloEntity *entities, size_t stride,
                                   size_t count, const FiloType *type) {
    FiloLookup lookup;
    if (make_by_type(&lookup, world, type)) go_over(&lookup, entities, stride, count);
    return lookup;
}

FiloLookup filo_iter_lookup_type(const FiloIter *it, unsigned term, size_t size, size_t offset,
                                 const FiloType *type) {
    FiloLookup lookup;
    if (!make_by_type(&lookup, it->world, type) || !ecs_iter_has_term(it, term)) return lookup;
    const EcsQueryTerm *asked = &ecs_iter(it)->terms[term];
    if (!FILO_CHECK(asked->component->size == size && offset % _Alignof(FiloEntity) == 0,
                    "term %u is not of the component whose field refers to entities", term))
        return lookup;
    FiloColumn column = filo_iter_column(it, term);
    if (column.rows == NULL && column.data == NULL) return lookup; // no row has it
    state(&lookup)->rows = column.rows;
    state(&lookup)->offset = offset;
    state(&lookup)->first = column.data != NULL ? (const uint8_t *)column.data + offset : NULL;
    state(&lookup)->stride = asked->source == ECS_SOURCE_GLOBAL ? 0 : size; // one for all rows
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
