// Entities: create, destroy and activate them at once, between ticks.
//
// A function that may run out of memory either reserves all it needs before it changes anything, or undoes its changes.
//
// EcsCreateCache makes filo_entity_create_with fast for entities that are created with the same list of components as
// the last one: it has the partition and the offsets of the columns.

#include "ecs/entity/entity.h"
#include "ecs/entity/value_list.h"
#include "ecs/observe/notify.h"
#include "ecs/storage/holder.h"

FiloResult ecs_check_change(const FiloWorld *world, const char *what) {
    if (ecs_is_beside_tick(world))
        return FILO_MISTAKE("cannot %s while %s: do it in `frame`, in a system, or between ticks", what,
                            (base_load_relaxed(&world->closed) & ECS_CLOSED_CALLER) != 0
                                ? "the frame is drawn, when a tick may be running"
                                : "a tick is running on other threads");
    if (ecs_is_running(world))
        return FILO_MISTAKE("cannot %s while systems run; record it in the change set: it->changes", what);
    if (base_load_relaxed(&world->busy) != 0)
        return FILO_MISTAKE(
            "cannot %s inside an iteration; finish it, leave it by filo_iter_end, or use a change set", what);
    return filo_ok();
}

FiloResult ecs_check_restore(const FiloWorld *world, const char *what) {
    FiloResult result = ecs_check_change(world, what);
    if (result.code != FILO_OK || world->restore_refused == NULL) return result;
    return filo_error(FILO_ERROR_BUSY, "cannot %s: %s", what, world->restore_refused);
}

bool ecs_report_busy(const FiloWorld *world, const char *what) {
    return ecs_check_change(world, what).code == FILO_OK;
}

// ---- Creating ---------------------------------------------------------------------------------------------

// Initialises a value with the listed value, or with the default value.
static void set_new(const EcsListedValue *item, void *value) {
    if (FILO_LIKELY(item->data->plain)) {
        if (item->value != NULL)
            ecs_bytes_copy(value, item->value, item->data->size);
        else
            ecs_value_set_default(item->data, value);
        return;
    }
    ecs_value_construct(item->data, value);
    if (item->value != NULL) ecs_value_assign(item->data, value, item->value);
}

static FiloEntity create_from_list(FiloWorld *world, EcsTable *table, const EcsValueList *list) {
    EcsPartition *partition = &table->partitions[0];
    if (!ecs_directory_reserve(world, 1) || !ecs_partition_reserve(world, partition, 1))
        return FILO_ENTITY_NONE;
    uint32_t row, end = world->index_end, index = ecs_directory_take(world);
    FiloEntity entity = ecs_entity_of_index(world, index);
    uint8_t *base = ecs_partition_append(world, partition, index, ecs_record(world, index), &row);
    uint32_t column = 0;
    for (size_t i = 0; i < list->count; i++) {
        const EcsListedValue *item = &list->items[i];
        if (!item->data->in_table) continue;
        set_new(item, base + partition->offsets[column] + (size_t)row * item->data->size);
        column++;
    }
    if (ecs_observed(world, table)) ecs_observe_created(world, entity, table);
    if (FILO_UNLIKELY(list->outside) && !ecs_value_list_add_outside(world, entity, list)) {
        ecs_entity_undo_create(world, entity, end);
        return FILO_ENTITY_NONE;
    }
    return entity;
}

static inline uint32_t component_of(const FiloWorld *world, const FiloComponentValue *values) {
    return values->component_type != NULL ? ecs_component_by_type(world, values->component_type()).id
                                          : values->component.id;
}

static bool is_cached(const EcsCreateCache *cache, uint32_t component) {
    for (uint32_t i = 0; i < cache->total; i++)
        if (cache->components[i].component == component) return true;
    return false;
}

static void cache_component(EcsCreateCache *cache, const EcsTable *table, uint32_t component) {
    uint32_t column = ecs_table_column(table, component), n = cache->total++;
    cache->components[n].component = component;
    cache->components[n].offset = table->partitions[0].offsets[column];
    cache->components[n].size = table->sizes[column];
}

// Caches how an entity was created, if all its components are plain and in tables.
static void update_create_cache(FiloWorld *world, EcsTable *table, const EcsValueList *list,
                                const FiloComponentValue *values, size_t count) {
    EcsCreateCache *cache = &world->create_cache;
    cache->partition = NULL;
    if (list->outside || !table->plain || list->count > ECS_CREATE_CACHE_COMPONENTS) return;
    if (!list->required && list->count != count) return; // one is listed twice
    cache->layout_id = table->partitions[0].layout_id;
    cache->total = 0;
    cache->observed = ecs_observed(world, table);
    for (size_t i = 0; i < count; i++) {
        uint32_t component = component_of(world, &values[i]);
        if (list->required && is_cached(cache, component)) return;
        cache_component(cache, table, component);
    }
    cache->count = cache->total;
    for (size_t i = 0; i < list->count && list->required; i++)
        if (!is_cached(cache, list->items[i].data->id))
            cache_component(cache, table, list->items[i].data->id);
    cache->partition = &table->partitions[0];
}

// Sets components that were required and not listed to their default values.
static void set_required(const FiloWorld *world, const EcsCreateCache *cache, uint8_t *base, uint32_t row) {
    for (uint32_t i = cache->count; i < cache->total; i++)
        ecs_value_set_default(world->components.items[cache->components[i].component - 1],
                              base + cache->components[i].offset + (size_t)row * cache->components[i].size);
}

// Creates an entity by the cache; {0} if the list is another one, or there is no memory for a row. `required`: with
// components that are required and not listed; a call in the same function costs all others 10 % (ecs.create.1m).
static inline __attribute__((always_inline)) FiloEntity create_from_cache(FiloWorld *world,
                                                                          const FiloComponentValue *values,
                                                                          size_t count, bool required) {
    const EcsCreateCache *cache = &world->create_cache;
    EcsPartition *partition = cache->partition;
    if (FILO_UNLIKELY(partition == NULL || (required ? cache->count : cache->total) != count ||
                      cache->layout_id != partition->layout_id ||
                      partition->tail_rows == partition->tail_end))
        return FILO_ENTITY_NONE;
    for (size_t i = 0; i < count; i++)
        if (FILO_UNLIKELY(cache->components[i].component != component_of(world, &values[i])))
            return FILO_ENTITY_NONE;
    if (FILO_UNLIKELY(!ecs_directory_reserve(world, 1))) return FILO_ENTITY_NONE;
    uint32_t row, index = ecs_directory_take(world);
    EcsRecord *record = ecs_record(world, index);
    uint8_t *base = ecs_partition_append(world, partition, index, record, &row);
    for (size_t i = 0; i < count; i++) {
        uint32_t size = cache->components[i].size;
        uint8_t *value = base + cache->components[i].offset + (size_t)row * size;
        if (FILO_UNLIKELY(values[i].value == NULL))
            ecs_value_set_default(world->components.items[cache->components[i].component - 1], value);
        else if (size == 8)
            memcpy(value, values[i].value, 8);
        else
            ecs_bytes_copy(value, values[i].value, size);
    }
    if (required) set_required(world, cache, base, row);
    FiloEntity entity = ecs_entity_make(index, ecs_record_generation(record));
    if (FILO_UNLIKELY(cache->observed)) ecs_observe_created(world, entity, partition->table);
    return entity;
}

static __attribute__((noinline)) FiloEntity create_required_from_cache(FiloWorld *world,
                                                                       const FiloComponentValue *values,
                                                                       size_t count) {
    return create_from_cache(world, values, count, true);
}

FiloEntity filo_entity_create_with(FiloWorld *world, const FiloComponentValue *values, size_t count) {
    if (FILO_LIKELY(world != NULL) && ecs_is_idle(world)) {
        FiloEntity entity = create_from_cache(world, values, count, false);
        if (FILO_LIKELY(entity.id != 0)) return entity;
        const EcsCreateCache *cache = &world->create_cache;
        if (cache->total > cache->count &&
            (entity = create_required_from_cache(world, values, count)).id != 0)
            return entity;
    }
    EcsValueList list;
    if (!FILO_CHECK(world != NULL, "pass a world") || !ecs_may_change(world, "create an entity") ||
        !ecs_value_list_resolve(world, values, count, FILO_ENTITY_NONE, "create an entity", &list))
        return FILO_ENTITY_NONE;
    EcsTable *table = ecs_value_list_table(world, &list);
    FiloEntity entity = table != NULL ? create_from_list(world, table, &list) : FILO_ENTITY_NONE;
    if (entity.id != 0) update_create_cache(world, table, &list, values, count);
    ecs_value_list_free(world, &list);
    return entity;
}

FiloEntity filo_entity_create(FiloWorld *world) { return filo_entity_create_with(world, NULL, 0); }

bool filo_entity_create_as(FiloWorld *world, FiloEntity entity) {
    if (!FILO_CHECK(world != NULL, "pass a world") || !ecs_may_change(world, "create an entity"))
        return false;
    uint32_t index = filo_entity_index(entity), generation = filo_entity_generation(entity);
    if (!FILO_CHECK(generation != 0 && entity.id >> 48 == 0 && index < FILO_ENTITY_INDEX_MAX,
                    "%llx is no id of an entity; pass one that another world gave",
                    (unsigned long long)entity.id))
        return false;
    EcsPartition *partition = &world->empty->partitions[0];
    if (filo_entity_at(world, index).id != 0 || !ecs_directory_reserve_at(world, index) ||
        !ecs_partition_reserve(world, partition, 1))
        return false;
    uint32_t row;
    ecs_directory_take_at(world, index, generation);
    ecs_partition_append(world, partition, index, ecs_record(world, index), &row);
    if (ecs_tracking(world)) ecs_track_created(world, entity);
    return true;
}

// ---- Destroying -------------------------------------------------------------------------------------------

void ecs_entity_remove_outside(FiloWorld *world, FiloEntity entity) {
    ecs_family_remove(world, entity);
    const FiloEntityName *name = ecs_sparse_get(world->entity_name->holder, entity);
    if (name != NULL) ecs_name_remove(world, name->name);
    ecs_holders_remove_entity(world, entity);
}

void ecs_row_destruct(const EcsPartition *partition, uint8_t *base, uint32_t row) {
    const EcsTable *table = partition->table;
    for (uint32_t i = 0; i < table->column_count; i++)
        ecs_value_destruct(table->data[i], base + partition->offsets[i] + (size_t)row * table->sizes[i]);
}

static inline void destroy_row(FiloWorld *world, FiloEntity entity, uint32_t location) {
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    EcsPartition *partition = chunk->partition;
    if (FILO_UNLIKELY(partition->table->watched))
        ecs_watch_row_destroyed(world, entity, partition, chunk->base, ecs_row_of(location));
    if (FILO_UNLIKELY(!partition->table->plain))
        ecs_row_destruct(partition, chunk->base, ecs_row_of(location));
    ecs_partition_remove(world, partition, chunk->base, location);
}

void ecs_entity_destroy_alone(FiloWorld *world, FiloEntity entity, EcsRecord *record) {
    uint32_t index = (uint32_t)entity.id;
    if (ecs_tracking(world)) ecs_track_entity(world, entity);
    if (ecs_entity_is_outside(world, index)) ecs_entity_remove_outside(world, entity);
    destroy_row(world, entity, ecs_record_location(record));
    ecs_directory_free(world, index);
}

// Tracked queries are not notified: they have noted a new entity, which will not exist when they are refreshed.
// Observers are notified of components that were added and removed again, which cancel out.
void ecs_entity_undo_create(FiloWorld *world, FiloEntity entity, uint32_t end) {
    uint32_t index = (uint32_t)entity.id;
    if (ecs_entity_is_outside(world, index)) ecs_entity_remove_outside(world, entity);
    destroy_row(world, entity, ecs_record_location(ecs_record(world, index)));
    ecs_directory_undo_take(world, index, end);
}

// Destroys an entity that exists, with its children.
static inline void destroy(FiloWorld *world, FiloEntity entity, EcsRecord *record) {
    uint32_t index = (uint32_t)entity.id;
    if (FILO_UNLIKELY(world->tracked.count > 0 || ecs_entity_is_outside(world, index))) {
        if (ecs_entity_is_outside(world, index)) ecs_family_destroy_children(world, entity);
        ecs_entity_destroy_alone(world, entity, record);
        return;
    }
    destroy_row(world, entity, ecs_record_location(record));
    ecs_directory_free_in_tables(world, index, record);
}

void filo_entity_destroy(FiloWorld *world, FiloEntity entity) {
    if (!FILO_CHECK(world != NULL, "pass a world") || entity.id == 0 ||
        !ecs_may_change(world, "destroy an entity"))
        return;
    EcsRecord *record = ecs_record_find(world, entity);
    if (FILO_UNLIKELY(record == NULL) && !ecs_entity_is_valid(record, entity, "destroy an entity")) return;
    destroy(world, entity, record);
}

// Destroying many entities in random order mostly waits for memory: for the record of an entity, for its row, and for
// the record of the entity whose row fills the gap. These are prefetched: the record RECORD_AHEAD entities ahead, the
// row, which the record leads to, ROW_AHEAD entities ahead. Entities with consecutive indices need no prefetch by
// software.
#define ROW_AHEAD    12
#define RECORD_AHEAD 24
#define BLOCK        8 // entities, for which one test decides whether they are consecutive

static inline void prefetch_record(const FiloWorld *world, FiloEntity entity) {
    uint32_t index = (uint32_t)entity.id;
    if (index >= world->index_end) return;
    __builtin_prefetch(ecs_record(world, index), 1);
    if (index < world->outside_end) __builtin_prefetch(&world->outside[index]);
}

static inline void prefetch_row(const FiloWorld *world, FiloEntity entity) {
    const EcsRecord *record = ecs_record_find(world, entity);
    if (record == NULL) return;
    const uint32_t location = ecs_record_location(record), row = ecs_row_of(location);
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    const EcsPartition *partition = chunk->partition;
    const EcsTable *table = partition->table;
    __builtin_prefetch(ecs_chunk_indices(partition, chunk->base) + row, 1);
    for (uint32_t i = 0; i < table->column_count; i++)
        __builtin_prefetch(chunk->base + partition->offsets[i] + (size_t)row * table->sizes[i], 1);
    // The row that will fill the gap, if the entities before it are in the same table.
    if (partition->tail_rows > ROW_AHEAD) {
        uint32_t last =
            ecs_chunk_indices(partition, partition->tail_base)[partition->tail_rows - 1 - ROW_AHEAD];
        __builtin_prefetch(ecs_record(world, last), 1);
    }
}

// Not inline: the loop that destroys entities needs the registers.
static __attribute__((noinline)) void prefetch_ahead(const FiloWorld *world, const FiloEntity *entity) {
    __asm__ volatile(""); // otherwise gcc removes the calls as without effect
    prefetch_record(world, entity[RECORD_AHEAD]);
    prefetch_row(world, entity[ROW_AHEAD]);
}

void filo_entity_destroy_many(FiloWorld *world, const FiloEntity *entities, size_t count) {
    if (!FILO_CHECK(world != NULL && (entities != NULL || count == 0), "pass a world and the entities") ||
        !ecs_may_change(world, "destroy entities"))
        return;
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        const FiloEntity *block = entities + begin;
        const bool prefetch = begin + RECORD_AHEAD + BLOCK <= count &&
                              block[RECORD_AHEAD + BLOCK - 1].id - block[RECORD_AHEAD].id != BLOCK - 1;
        for (size_t i = 0, end = FILO_MIN(count - begin, (size_t)BLOCK); i < end; i++) {
            if (prefetch) prefetch_ahead(world, &block[i]);
            EcsRecord *record = ecs_record_find(world, block[i]);
            if (record != NULL) destroy(world, block[i], record);
        }
    }
}

// ---- Activity -----------------------------------------------------------------------------------------

void filo_entity_set_active(FiloWorld *world, FiloEntity entity, bool active) {
    if (!FILO_CHECK(world != NULL, "pass a world") || !ecs_may_change(world, "activate an entity")) return;
    EcsRecord *record = ecs_record_find(world, entity);
    if (!ecs_entity_is_valid(record, entity, "activate an entity")) return;
    uint32_t location = ecs_record_location(record), row;
    EcsPartition *from = ecs_chunk_of(world, location)->partition;
    if (from->inactive == !active) return;
    EcsEdge *edge = ecs_table_edge_to(world, from->table, from->table);
    if (edge == NULL || !ecs_partition_reserve(world, &from->table->partitions[!active], 1)) return;
    if (ecs_tracking(world)) ecs_track_entity(world, entity);
    ecs_entity_move(world, (uint32_t)entity.id, record, edge, &from->table->partitions[!active], &row);
}

bool filo_entity_active(const FiloWorld *world, FiloEntity entity) {
    if (!ecs_may_read(world)) return false;
    const EcsRecord *record = ecs_record_find(world, entity);
    return record != NULL && !ecs_chunk_of(world, ecs_record_location(record))->partition->inactive;
}
