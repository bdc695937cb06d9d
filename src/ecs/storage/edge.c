// Edges of the table graph, as in flecs, and moves of entities along them. An edge belongs to the table that it starts
// from. It has the table that it leads to, and lists the columns that are copied, new and dropped. It is computed once
// and found by its key, in a hash table with open addressing. The key is a component that is added or removed, or any
// table.
//
// An edge also caches the offsets of the columns in the partitions of the last move (ecs_edge_resolve). They are valid
// as long as both partitions have the same layout ids.

#include "ecs/entity/entity.h"
#include "ecs/observe/notify.h"
#include "ecs/storage/rows.h"

#include <filo/hash.h>

// ---- Finding edges --------------------------------------------------------------------------------------

static uint32_t slot_of(const EcsTable *table, uint64_t key) {
    return (uint32_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 40) & table->edge_mask;
}

static EcsEdge *find_edge(const EcsTable *table, uint64_t key) {
    if (table->edges == NULL) return NULL;
    for (uint32_t slot = slot_of(table, key);; slot = (slot + 1) & table->edge_mask) {
        EcsEdge *edge = table->edges[slot];
        if (edge == NULL || edge->key == key) return edge;
    }
}

static void insert_edge(EcsTable *table, EcsEdge *edge) {
    uint32_t slot = slot_of(table, edge->key);
    while (table->edges[slot] != NULL) slot = (slot + 1) & table->edge_mask;
    table->edges[slot] = edge;
}

// Reserves a slot for one more edge: at most half of the slots are used. False without memory.
static bool reserve_edge(FiloWorld *world, EcsTable *table) {
    uint32_t old_slots = table->edges != NULL ? table->edge_mask + 1 : 0;
    if ((table->edge_count + 1) * 2 <= old_slots) return true;
    uint32_t slots = FILO_MAX(old_slots * 2, 4u);
    EcsEdge **edges = filo_alloc_zero(world->allocator, slots * sizeof *edges, 0);
    if (edges == NULL) return false;
    EcsEdge **old = table->edges;
    table->edges = edges;
    table->edge_mask = slots - 1;
    for (uint32_t i = 0; i < old_slots; i++)
        if (old[i] != NULL) insert_edge(table, old[i]);
    filo_free(world->allocator, old, old_slots * sizeof *old, 0);
    return true;
}

// Lists the columns that are dropped, added and copied.
static void list_columns(EcsEdge *edge, const EcsTable *from, const EcsTable *to) {
    uint32_t i = 0, j = 0;
    while (i < from->column_count || j < to->column_count) {
        uint32_t a = i < from->column_count ? from->components[i] : UINT32_MAX;
        uint32_t b = j < to->column_count ? to->components[j] : UINT32_MAX;
        if (a < b)
            edge->dropped[edge->dropped_count++] = (uint16_t)i;
        else if (b < a)
            edge->added[edge->added_count++] = (uint16_t)j;
        i += a <= b;
        j += b <= a;
    }
    for (uint32_t n = 0; n < from->by_size_count; n++) {
        uint32_t column = from->by_size[n], size = from->sizes[column];
        uint32_t other = ecs_table_column(to, from->components[column]);
        if (other == ECS_NO_COLUMN) continue;
        edge->copies[edge->copy_count++] = (EcsCopy){ (uint16_t)column, (uint16_t)other, size };
        edge->copy_8 += size == 8;
        edge->copy_4 += size == 4;
    }
}

static void set_hook_flags(EcsEdge *edge, const EcsTable *from) {
    for (uint32_t i = 0; i < edge->added_count; i++)
        if (edge->to->data[edge->added[i]]->info.hooks.construct != NULL)
            edge->special |= ECS_EDGE_CONSTRUCTS;
    for (uint32_t i = 0; i < edge->dropped_count; i++)
        if (from->data[edge->dropped[i]]->info.hooks.destruct != NULL) edge->special |= ECS_EDGE_DESTRUCTS;
}

static EcsEdge *new_edge(FiloWorld *world, EcsTable *from, EcsTable *to, uint64_t key) {
    if (!reserve_edge(world, from)) return NULL;
    size_t copies = FILO_MIN(from->column_count, to->column_count);
    size_t size = sizeof(EcsEdge) + copies * (sizeof(EcsCopy) + 2 * sizeof(uint32_t)) +
                  (to->column_count + from->column_count) * sizeof(uint16_t);
    EcsEdge *edge = filo_alloc_zero(world->allocator, size, 0);
    if (edge == NULL) return NULL;
    edge->memory_size = size;
    edge->key = key;
    edge->to = to;
    edge->plain = from->plain && to->plain;
    edge->movable = from->movable && to->movable;
    edge->copies = (EcsCopy *)(edge + 1);
    edge->offsets = (uint32_t *)(edge->copies + copies);
    edge->added = (uint16_t *)(edge->offsets + 2 * copies);
    edge->dropped = edge->added + to->column_count;
    list_columns(edge, from, to);
    set_hook_flags(edge, from);
    ecs_edge_update_watched(edge, from);
    edge->end_8 = edge->offsets + (size_t)2 * edge->copy_8;
    edge->end_4 = edge->end_8 + (size_t)2 * edge->copy_4;
    edge->has_rest = edge->copy_count > edge->copy_8 + edge->copy_4;
    insert_edge(from, edge);
    from->edge_count++;
    return edge;
}

// Caches the edge along which a component was last added or removed, for the fast paths.
static void cache_edge(FiloWorld *world, uint32_t component, bool add, EcsEdge *edge) {
    if (component < ECS_FAST_COMPONENTS) world->fast[component].table.edges[add] = edge;
}

// Removes an edge from the cache, before it is freed.
static void uncache_edge(FiloWorld *world, const EcsEdge *edge) {
    uint64_t component = edge->key >> 1;
    if ((edge->key & ECS_EDGE_TABLE) != 0 || component >= ECS_FAST_COMPONENTS) return;
    EcsEdge **cached = &world->fast[component].table.edges[edge->key & 1];
    if (*cached == edge) *cached = NULL;
}

void ecs_table_free_edges(FiloWorld *world, EcsTable *table) {
    if (table->edges == NULL) return;
    for (uint32_t i = 0; i <= table->edge_mask; i++) {
        EcsEdge *edge = table->edges[i];
        if (edge == NULL) continue;
        uncache_edge(world, edge);
        filo_free(world->allocator, edge, edge->memory_size, 0);
    }
    filo_free(world->allocator, table->edges, (table->edge_mask + 1) * sizeof *table->edges, 0);
    table->edges = NULL;
    table->last_edge = NULL;
    table->edge_count = table->edge_mask = 0;
}

// Inserts a component into a list in ascending order, unless it is there.
static void insert_component(uint32_t *components, uint32_t *count, uint32_t component) {
    uint32_t at = *count;
    while (at > 0 && components[at - 1] >= component) at--;
    if (at < *count && components[at] == component) return;
    memmove(components + at + 1, components + at, (*count - at) * sizeof *components);
    components[at] = component;
    ++*count;
}

// The table without a component, or with it and the components in tables that it requires. NULL without memory.
static EcsTable *neighbour(FiloWorld *world, const EcsTable *table, uint32_t component, bool add) {
    const EcsRequiredList *required = &world->components.items[component - 1]->required;
    uint32_t few[32], *components = few, n = 0;
    size_t most = (size_t)table->column_count + 1 + required->count;
    if (most > FILO_COUNT_OF(few)) components = filo_alloc(world->allocator, most * sizeof *components, 0);
    if (components == NULL) return NULL;
    for (uint32_t i = 0; i < table->column_count; i++)
        if (add || table->components[i] != component) components[n++] = table->components[i];
    if (add) insert_component(components, &n, component);
    for (size_t i = 0; add && i < required->count; i++)
        if (ecs_component_data(world, required->items[i])->in_table)
            insert_component(components, &n, required->items[i].id);
    EcsTable *to = ecs_table_of(world, components, n);
    if (components != few) filo_free(world->allocator, components, most * sizeof *components, 0);
    return to;
}

// Makes the column of this component the first of the added ones, before those of required components.
static void put_first(EcsEdge *edge, uint32_t component) {
    uint32_t column = ecs_table_column(edge->to, component);
    for (uint32_t i = 1; i < edge->added_count; i++)
        if (edge->added[i] == column) {
            edge->added[i] = edge->added[0];
            edge->added[0] = (uint16_t)column;
        }
}

EcsEdge *ecs_table_edge_slow(FiloWorld *world, EcsTable *table, uint32_t component, bool add) {
    uint64_t key = (uint64_t)component << 1 | add;
    EcsEdge *edge = find_edge(table, key);
    if (edge == NULL) {
        EcsTable *to = neighbour(world, table, component, add);
        edge = to != NULL ? new_edge(world, table, to, key) : NULL;
        if (edge != NULL && add) put_first(edge, component);
    }
    if (edge == NULL) return NULL;
    table->last_edge = edge;
    cache_edge(world, component, add, edge);
    return edge;
}

EcsEdge *ecs_table_edge_to(FiloWorld *world, EcsTable *table, EcsTable *to) {
    uint64_t key = ECS_EDGE_TABLE | to->id;
    EcsEdge *edge = find_edge(table, key);
    return edge != NULL ? edge : new_edge(world, table, to, key);
}

// ---- Moving -----------------------------------------------------------------------------------------------

void ecs_row_move_slow(const EcsEdge *edge, const EcsPartition *from, uint8_t *from_base, uint32_t from_row,
                       const EcsPartition *to, uint8_t *base, uint32_t row) {
    const EcsTable *old = from->table;
    for (uint32_t i = 0; i < edge->copy_count; i++) {
        const EcsCopy *copy = &edge->copies[i];
        ecs_rows_move(old->data[copy->from], base + to->offsets[copy->to] + (size_t)row * copy->size,
                      from_base + from->offsets[copy->from] + (size_t)from_row * copy->size, 1);
    }
}

void ecs_row_destruct_dropped(const EcsEdge *edge, const EcsPartition *from, uint8_t *base, uint32_t row) {
    const EcsTable *table = from->table;
    for (uint32_t i = 0; i < edge->dropped_count; i++) {
        uint32_t column = edge->dropped[i];
        ecs_value_destruct(table->data[column],
                           base + from->offsets[column] + (size_t)row * table->sizes[column]);
    }
}

void ecs_edge_resolve(EcsEdge *edge, EcsPartition *from, EcsPartition *to) {
    if (!edge->movable) return;
    for (uint32_t i = 0; i < edge->copy_count; i++) {
        edge->offsets[(size_t)2 * i] = from->offsets[edge->copies[i].from];
        edge->offsets[(size_t)2 * i + 1] = to->offsets[edge->copies[i].to];
    }
    if (edge->added_count > 0) edge->added_offset = to->offsets[edge->added[0]];
    edge->resolved_from = from;
    edge->resolved_to = to;
    edge->from_layout_id = from->layout_id;
    edge->to_layout_id = to->layout_id;
}

uint8_t *ecs_entity_move(FiloWorld *world, uint32_t index, EcsRecord *record, EcsEdge *edge, EcsPartition *to,
                         uint32_t *row) {
    uint32_t location = ecs_record_location(record);
    EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    EcsPartition *from = chunk->partition;
    if (FILO_UNLIKELY((edge->special & (ECS_EDGE_WATCHED | ECS_EDGE_TRACKED)) != 0))
        ecs_observe_edge(world, ecs_entity_of_index(world, index), edge, from, chunk->base,
                         ecs_row_of(location));
    uint8_t *from_base = chunk->base, *base = ecs_partition_append(world, to, index, record, row);
    if (FILO_UNLIKELY(!ecs_edge_resolved(edge, from, to))) ecs_edge_resolve(edge, from, to);
    ecs_row_move_inline(edge, from, from_base, ecs_row_of(location), to, base, *row);
    ecs_partition_remove(world, from, from_base, location);
    return base;
}

// ---- One component ----------------------------------------------------------------------------------------
//
// Fast paths (EcsFastPath) for the most frequent case: one component is added, set or removed, the entity moves along
// the edge that was used last for this component, and there is memory for the row. Everything else is passed on to the
// functions for any component in value.c.

// The cached edge, if it starts at this chunk's layout and its target has a free row; else NULL.
static inline const EcsEdge *fast_edge(const EcsFastPath *fast, const EcsChunkInfo *chunk, bool add) {
    // EcsChunkInfo has a copy of the layout id: through the partition, it would be one more dependent load.
    const EcsEdge *edge = fast->table.edges[add];
    if (FILO_UNLIKELY(edge == NULL || edge->from_layout_id != chunk->layout_id)) return NULL;
    const EcsPartition *to = edge->resolved_to;
    bool valid = edge->to_layout_id == to->layout_id && to->tail_rows != to->tail_end;
    return FILO_LIKELY(valid) ? edge : NULL;
}

// Moves a row along it. New columns are not set.
static inline void move_fast(FiloWorld *world, uint32_t index, EcsRecord *record, uint32_t location,
                             const EcsChunkInfo *chunk, const EcsEdge *edge) {
    EcsPartition *to = edge->resolved_to;
    uint32_t row = to->tail_rows;
    uint8_t *old = chunk->base, *base = to->tail_base;
    ecs_rows_unpoison(to, base, row, 1);
    ecs_chunk_mark_changed(world, base);
    to->tail_rows = row + 1;
    ecs_chunk_indices(to, base)[row] = index;
    ecs_record_set_location(record, ecs_location(to->tail_id, row));
    ecs_row_copy(edge, old, ecs_row_of(location), base, row);
    // The same as chunk->partition, but loaded earlier.
    ecs_partition_remove(world, edge->resolved_from, old, location);
}

// Notifies observers and destructs dropped columns, before a row moves along an edge with `special`.
static inline void prepare_special_move(FiloWorld *world, FiloEntity entity, const EcsEdge *edge,
                                        const EcsChunkInfo *chunk, uint32_t location) {
    uint32_t row = ecs_row_of(location);
    if ((edge->special & ECS_EDGE_SIMPLE) != 0) {
        ecs_observe_simple_edge(world, entity, edge, chunk->base, row);
        return;
    }
    if ((edge->special & (ECS_EDGE_WATCHED | ECS_EDGE_TRACKED)) != 0)
        ecs_observe_edge(world, entity, edge, edge->resolved_from, chunk->base, row);
    if ((edge->special & ECS_EDGE_DESTRUCTS) != 0)
        ecs_row_destruct_dropped(edge, edge->resolved_from, chunk->base, row);
}

// Not inline: the fast paths below save no registers if all their calls are tail calls.
static __attribute__((noinline)) void *add_special(FiloWorld *world, FiloEntity entity, const EcsEdge *edge,
                                                   EcsRecord *record, const EcsChunkInfo *chunk,
                                                   uint32_t location) {
    const EcsPartition *to = edge->resolved_to;
    uint8_t *base = to->tail_base;
    uint32_t row = to->tail_rows;
    prepare_special_move(world, entity, edge, chunk, location);
    move_fast(world, (uint32_t)entity.id, record, location, chunk, edge);
    const EcsComponentData *data = edge->to->data[edge->added[0]];
    uint8_t *value = base + edge->added_offset + (size_t)row * data->size;
    if ((edge->special & ECS_EDGE_CONSTRUCTS) == 0 && edge->added_count == 1)
        ecs_value_set_default(data, value);
    else
        ecs_row_construct_added(edge, to, base, row);
    return data->size > 0 ? value : NULL;
}

static __attribute__((noinline)) bool remove_special(FiloWorld *world, FiloEntity entity, const EcsEdge *edge,
                                                     EcsRecord *record, const EcsChunkInfo *chunk,
                                                     uint32_t location) {
    prepare_special_move(world, entity, edge, chunk, location);
    move_fast(world, (uint32_t)entity.id, record, location, chunk, edge);
    return true;
}

// Sets the required components that an edge adds to their default values, in a row without hooks.
static void set_required(const EcsEdge *edge, const EcsPartition *to, uint8_t *base, uint32_t row) {
    const EcsTable *table = edge->to;
    for (uint32_t i = 1; i < edge->added_count; i++) {
        uint32_t column = edge->added[i];
        ecs_value_set_default(table->data[column],
                              base + to->offsets[column] + (size_t)row * table->sizes[column]);
    }
}

static inline __attribute__((always_inline)) void *add_fast(FiloWorld *world, FiloEntity entity,
                                                            EcsFastPath *fast, bool with_required) {
    const EcsComponentData *data = fast->data;
    EcsRecord *record = ecs_record_find(world, entity);
    if (FILO_UNLIKELY(record == NULL)) return ecs_entity_add_any(world, entity, (FiloComponent){ data->id });
    uint32_t location = ecs_record_location(record);
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    const EcsEdge *edge = fast_edge(fast, chunk, true);
    if (FILO_UNLIKELY(edge == NULL)) return ecs_entity_add_any(world, entity, (FiloComponent){ data->id });
    if (FILO_UNLIKELY(edge->special != 0)) return add_special(world, entity, edge, record, chunk, location);
    const EcsPartition *to = edge->resolved_to;
    uint32_t row = to->tail_rows;
    uint8_t *base = to->tail_base, *value = base + edge->added_offset + (size_t)row * data->size;
    move_fast(world, (uint32_t)entity.id, record, location, chunk, edge);
    ecs_value_set_default(data, value);
    if (with_required) set_required(edge, to, base, row);
    return data->size > 0 ? value : NULL;
}

void *ecs_table_add(FiloWorld *world, FiloEntity entity, EcsFastPath *fast) {
    return add_fast(world, entity, fast, false);
}

void *ecs_table_add_required(FiloWorld *world, FiloEntity entity, EcsFastPath *fast) {
    return add_fast(world, entity, fast, true);
}

// Sets a component that the entity has; passes everything else on to the function for any component.
static bool set_existing(FiloWorld *world, FiloEntity entity, const EcsFastPath *fast, const void *value,
                         uint32_t location, const EcsChunkInfo *chunk) {
    EcsComponentData *data = fast->data;
    const EcsPartition *partition = chunk->partition;
    uint32_t column = ecs_table_column(partition->table, data->id);
    if (FILO_UNLIKELY(column == ECS_NO_COLUMN))
        return ecs_entity_set_any(world, entity, (FiloComponent){ data->id }, value);
    void *to = chunk->base + partition->offsets[column] + (size_t)ecs_row_of(location) * data->size;
    if (to != value) ecs_value_assign(data, to, value);
    ecs_column_mark_changed(world, chunk->base, column);
    if (FILO_UNLIKELY(data->watches_set)) ecs_watch_set(world, data->watch, entity);
    return true;
}

// Creating an empty entity and setting two components takes 20 ns with this function, and 47 ns with the functions for
// any component (entities in the cache; benchmark ecs.create_set). It finds the entity once, uses the cached edge,
// writes no default value before the value, and copies the value once.
static inline __attribute__((always_inline)) bool set_fast(FiloWorld *world, FiloEntity entity,
                                                           EcsFastPath *fast, const void *value,
                                                           bool with_required) {
    EcsRecord *record = ecs_record_find(world, entity);
    if (FILO_UNLIKELY(record == NULL))
        return ecs_entity_set_any(world, entity, (FiloComponent){ fast->data->id }, value);
    uint32_t location = ecs_record_location(record);
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    const EcsEdge *edge = fast_edge(fast, chunk, true);
    if (FILO_UNLIKELY(edge == NULL)) return set_existing(world, entity, fast, value, location, chunk);
    if (FILO_UNLIKELY(edge->special != 0)) // hooks, or observers
        return ecs_entity_set_any(world, entity, (FiloComponent){ fast->data->id }, value);
    const EcsPartition *to = edge->resolved_to;
    uint32_t row = to->tail_rows;
    uint8_t *base = to->tail_base;
    // Copied before anything moves, because the value may be in the world. The new row is not in use yet.
    ecs_rows_unpoison(to, base, row, 1);
    size_t size = fast->table.size;
    if (FILO_LIKELY(size == 8))
        memcpy(base + edge->added_offset + (size_t)row * 8, value, 8);
    else
        ecs_bytes_copy(base + edge->added_offset + row * size, value, size);
    if (with_required) set_required(edge, to, base, row);
    move_fast(world, (uint32_t)entity.id, record, location, chunk, edge);
    return true;
}

bool ecs_table_set(FiloWorld *world, FiloEntity entity, EcsFastPath *fast, const void *value) {
    return set_fast(world, entity, fast, value, false);
}

bool ecs_table_set_required(FiloWorld *world, FiloEntity entity, EcsFastPath *fast, const void *value) {
    return set_fast(world, entity, fast, value, true);
}

bool ecs_table_remove(FiloWorld *world, FiloEntity entity, EcsFastPath *fast) {
    const EcsComponentData *data = fast->data;
    EcsRecord *record = ecs_record_find(world, entity);
    if (FILO_UNLIKELY(record == NULL))
        return ecs_entity_remove_any(world, entity, (FiloComponent){ data->id });
    uint32_t location = ecs_record_location(record);
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    const EcsEdge *edge = fast_edge(fast, chunk, false);
    if (FILO_UNLIKELY(edge == NULL)) return ecs_entity_remove_any(world, entity, (FiloComponent){ data->id });
    if (FILO_UNLIKELY(edge->special != 0))
        return remove_special(world, entity, edge, record, chunk, location);
    move_fast(world, (uint32_t)entity.id, record, location, chunk, edge);
    return true;
}
