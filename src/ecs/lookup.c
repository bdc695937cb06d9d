// One component of many entities in any order.
//
// A look-up waits twice for memory: for the entity's record (or its slot in a list), then for the value. One after the
// other, a processor has only a few of them under way at a time. Here the list of entities is known, so each goes
// through three steps, long before it is asked for, and each step fetches the memory that the next one needs: `ask`
// for the record, `point` for the value that it leads to, and `settle`, which has nothing to wait for. Memory is kept
// busy best if steps take turns, one entity each; a block of one step and then a block of the other is a third slower.

#include <filo/lookup.h>

#include "ecs/holder.h"
#include "ecs/world.h"

#define INLINE static inline __attribute__((always_inline))

#define BLOCK       ((size_t)FILO_LOOKUP_BLOCK)
#define POINT_AHEAD (2 * BLOCK) // before it is asked for
#define ASK_AHEAD   (4 * BLOCK)

static bool is_list(const FiloComponentData *data) {
    return data->info.storage == FILO_STORAGE_SPARSE && data->size > 0;
}

// ---- The steps, for each kind of storage ------------------------------------------------------------------

// What they need, apart from where values are put, so that it stays in registers.
typedef struct Way {
    const FiloWorld *world;
    const FiloComponentData *data;
    const void *holder;
    uint64_t arrangement, offset;
} Way;

// The memory that an entity's next step needs, from the first byte to the last, in two lines at most. It need not
// exist: nobody looks at it.
typedef struct Memory {
    uintptr_t first, last;
} Memory;

INLINE Memory element(const void *array, uint32_t index, size_t stride, size_t last) {
    uintptr_t first = (uintptr_t)array + index * stride;
    return (Memory){ first, first + last };
}

INLINE Memory ask_record(const Way *way, uint32_t index) {
    return element(way->world->records, index, sizeof(FiloRecord), sizeof(FiloRecord) - 1);
}

INLINE const void *point_into_table(Way *way, FiloEntity entity) {
    const FiloWorld *world = way->world;
    const FiloRecord *record = filo_record_find(world, entity);
    if (FILO_UNLIKELY(record == NULL)) return NULL;
    uint32_t where = filo_record_where(record);
    const FiloPlace *place = &world->places[where >> FILO_ROW_BITS];
    if (FILO_UNLIKELY(place->arrangement != way->arrangement)) {
        uint32_t column = filo_table_column(place->half->table, way->data->id);
        if (column == FILO_NO_COLUMN) return NULL;
        way->arrangement = place->arrangement;
        way->offset = place->half->offsets[column];
    }
    const uint8_t *value =
        place->base + way->offset + (size_t)(where & (FILO_CHUNK_ROWS - 1)) * way->data->size;
    __builtin_prefetch(value);
    return value;
}

INLINE Memory ask_array(const Way *way, uint32_t index) {
    const FiloArrayHolder *array = way->holder;
    return element(array->values, index, array->stride, array->generation);
}

INLINE const void *point_into_array(Way *way, FiloEntity entity) {
    return filo_array_get(way->holder, entity);
}

INLINE Memory ask_slot(const Way *way, uint32_t index) {
    const FiloSparse *sparse = way->holder;
    return element(sparse->slots, index, sizeof *sparse->slots, 0);
}

// The value that its slot says. Whether it is the entity's own is seen when it settles.
INLINE const void *point_into_list(Way *way, FiloEntity entity) {
    const FiloSparse *sparse = way->holder;
    const uint32_t *slot = filo_sparse_slot(sparse, (uint32_t)entity.id);
    if (slot == NULL || *slot == 0) return NULL;
    __builtin_prefetch(&sparse->entities[*slot - 1]);
    const uint8_t *value = sparse->values + (size_t)(*slot - 1) * sparse->size;
    __builtin_prefetch(value);
    return value;
}

INLINE bool settles_in_list(const Way *way, FiloEntity entity) {
    const FiloSparse *sparse = way->holder;
    return sparse->entities[sparse->slots[(uint32_t)entity.id] - 1].id == entity.id;
}

// A map or a holder of the user's: nothing is known of its memory.
INLINE Memory ask_nothing(const Way *way, uint32_t index) {
    FILO_UNUSED(index);
    return element(way, 0, 0, 0);
}

INLINE const void *point_into_holder(Way *way, FiloEntity entity) {
    return filo_holder_get(way->world, way->data, entity);
}

// ---- Taking steps -----------------------------------------------------------------------------------------

// Some entities of the list.
typedef struct Part {
    size_t first, count;
} Part;

static const FiloEntity *entity_at(const FiloLookup *lookup, size_t i) {
    return (const FiloEntity *)((const uint8_t *)lookup->entities + i * lookup->stride);
}

INLINE void take_turns(FiloLookup *lookup, Part ask, Part point, Memory (*ask_one)(const Way *, uint32_t),
                       const void *(*point_one)(Way *, FiloEntity)) {
    Way way = { lookup->world, lookup->data, lookup->data->holder, lookup->arrangement, lookup->offset };
    const uint8_t *asked = (const uint8_t *)lookup->entities + ask.first * lookup->stride;
    const uint8_t *pointed = (const uint8_t *)lookup->entities + point.first * lookup->stride;
    const void **values = lookup->values + point.first % FILO_LOOKUP_RING;
    size_t stride = lookup->stride;
    for (size_t i = 0; i < FILO_MAX(ask.count, point.count); i++) {
        if (i < ask.count) {
            // (gcc 12 takes a function that only fetches for one without effect.)
            Memory memory = ask_one(&way, (uint32_t)((const FiloEntity *)(asked + i * stride))->id);
            __builtin_prefetch((const void *)memory.first); // NOLINT: an address that need not be anything
            __builtin_prefetch((const void *)memory.last);  // NOLINT
        }
        if (i < point.count) values[i] = point_one(&way, *(const FiloEntity *)(pointed + i * stride));
    }
    lookup->arrangement = way.arrangement;
    lookup->offset = way.offset;
}

INLINE void step(FiloLookup *lookup, Part ask, Part point) {
    const FiloComponentData *data = lookup->data;
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

static void settle(FiloLookup *lookup, Part part) {
    Way way = { .holder = lookup->data->holder };
    const void **values = lookup->values + part.first % FILO_LOOKUP_RING;
    for (size_t i = 0; i < part.count; i++)
        if (values[i] != NULL && !settles_in_list(&way, *entity_at(lookup, part.first + i))) values[i] = NULL;
}

// What there is of a block.
static Part block(const FiloLookup *lookup, size_t first) {
    return (Part){ first, first < lookup->count ? FILO_MIN(lookup->count - first, BLOCK) : 0 };
}

static void start(FiloLookup *lookup) {
    for (size_t i = 0; i < ASK_AHEAD; i += BLOCK) step_any(lookup, block(lookup, i), (Part){ 0, 0 });
    for (size_t i = 0; i < POINT_AHEAD; i += BLOCK) step_any(lookup, (Part){ 0, 0 }, block(lookup, i));
}

bool filo_lookup_more(FiloLookup *lookup) {
    size_t now = lookup->at;
    if (now >= lookup->count) return false;
    if (now == 0) start(lookup);
    if (FILO_LIKELY(now + ASK_AHEAD + BLOCK <= lookup->count)) // as many as the compiler knows
        step(lookup, (Part){ now + ASK_AHEAD, BLOCK }, (Part){ now + POINT_AHEAD, BLOCK });
    else
        step_any(lookup, block(lookup, now + ASK_AHEAD), block(lookup, now + POINT_AHEAD));
    Part part = block(lookup, now);
    if (is_list(lookup->data)) settle(lookup, part);
    // Who asks for more than there are gets nothing.
    if (FILO_UNLIKELY(part.count < BLOCK))
        memset(lookup->values + (now + part.count) % FILO_LOOKUP_RING, 0,
               (BLOCK - part.count) * sizeof(void *));
    return true;
}

bool filo_lookup_is_right(const FiloLookup *lookup) {
    size_t i = lookup->at;
    if (i >= lookup->count) return true;
    return FILO_CHECK(
        filo_entity_find(lookup->world, *entity_at(lookup, i), lookup->data) ==
            lookup->values[i % FILO_LOOKUP_RING],
        "the list of a look-up, or the structure of the world, changed before the look-up had ended");
}

// ---- For users --------------------------------------------------------------------------------------------

FiloLookup filo_entity_lookup(const FiloWorld *world, const FiloEntity *entities, size_t stride, size_t count,
                              FiloComponent component) {
    FiloLookup lookup; // values are written before they are read
    lookup.world = world;
    lookup.data = filo_component_data(world, component);
    lookup.entities = entities;
    lookup.stride = stride;
    lookup.count = count;
    lookup.at = 0;
    lookup.arrangement = lookup.offset = 0; // no table has these
    if (!FILO_CHECK(lookup.data != NULL && lookup.data->global == NULL,
                    "component %u is not one that entities have", component.id) ||
        !FILO_CHECK(count == 0 || entities != NULL, "pass the entities to look up") ||
        !FILO_CHECK(
            count <= 1 || (stride > 0 && stride % _Alignof(FiloEntity) == 0),
            "the stride of a look-up is the size of what the ids lie in, as sizeof(FiloEntity), not %zu",
            stride) ||
        !filo_access_good(world, lookup.data, FILO_ACCESS_READ))
        lookup.count = 0;
    return lookup;
}

size_t filo_entity_get_many(const FiloWorld *world, const FiloEntity *entities, size_t count,
                            FiloComponent component, const void **values) {
    if (!FILO_CHECK(count == 0 || values != NULL, "say where to put the values")) return 0;
    FiloLookup lookup = filo_entity_lookup(world, entities, sizeof(FiloEntity), count, component);
    size_t found = 0;
    for (size_t i = 0; i < lookup.count; i++) {
        values[i] = filo_lookup_next(&lookup);
        found += values[i] != NULL;
    }
    return found;
}
