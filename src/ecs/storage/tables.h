// The tables of a world: their rows (table.c), and moves from table to table (edge.c).

#ifndef FILO_ECS_STORAGE_TABLES_H
#define FILO_ECS_STORAGE_TABLES_H

#include "base/asan.h"
#include "ecs/storage/directory.h"

// ---- Rows: table.c ------------------------------------------------------------------------------------

// Marks a column of a chunk as changed. Several threads may do so at once, always with the same version. A column that
// is marked already is not written, because a store whose address is computed late delays all later loads.
static inline void ecs_column_mark_changed(const FiloWorld *world, uint8_t *base, uint32_t column) {
    uint64_t *stamp = &ecs_chunk_versions(base)[column];
    if (FILO_UNLIKELY(__atomic_load_n(stamp, __ATOMIC_RELAXED) != world->version))
        __atomic_store_n(stamp, world->version, __ATOMIC_RELAXED);
}
// Marks all columns of a chunk as changed: rows were added or removed.
static inline void ecs_chunk_mark_changed(const FiloWorld *world, uint8_t *base) {
    *ecs_chunk_version(base) = world->version;
}
// The table of a set of components, created if there is none. `components` ascending, all stored in tables. NULL
// without memory.
EcsTable *ecs_table_of(FiloWorld *world, const uint32_t *components, uint32_t count);
// Reserves memory for `count` more rows, so that appending them cannot fail. False without memory.
bool ecs_partition_grow(FiloWorld *world, EcsPartition *partition, size_t count);
static inline bool ecs_partition_reserve(FiloWorld *world, EcsPartition *partition, size_t count) {
    return FILO_LIKELY(ecs_partition_count(partition) + count <= partition->capacity) ||
           ecs_partition_grow(world, partition, count);
}
// Updates the cached tail after a change of `tail` or `chunks`.
static inline void ecs_partition_update_tail(EcsPartition *partition) {
    partition->tail_base = partition->chunk_count > 0 ? partition->chunks[partition->tail].base : NULL;
    partition->tail_id = partition->chunk_count > 0 ? partition->chunks[partition->tail].id : 0;
    partition->tail_end = partition->chunk_count > 0 ? partition->chunk_rows : 0;
}
// Makes the next chunk, which exists and is empty, the tail.
static inline void ecs_partition_advance(EcsPartition *partition) {
    partition->tail++;
    partition->tail_rows = 0;
    ecs_partition_update_tail(partition);
}
// Updates what follows from the offsets, which have changed.
void ecs_partition_update_layout(FiloWorld *world, EcsPartition *partition);
// Exchanges the visible and hidden columns of these double-buffered components, and marks them as changed. Takes time
// for each chunk, not for each row. The offsets of other columns stay, but the layout id is a new one.
void ecs_partition_swap(FiloWorld *world, EcsPartition *partition, const uint16_t *columns, uint32_t count);
// The offset of a column as in a new chunk: that of a double-buffered component is the first of the two.
static inline uint32_t ecs_partition_first_offset(const EcsPartition *partition, uint32_t column) {
    uint32_t offset = partition->offsets[column];
    bool swapped = partition->next_offsets != NULL && partition->next_offsets[column] != 0 &&
                   partition->next_offsets[column] < offset;
    return swapped ? partition->next_offsets[column] : offset;
}
// Sets the offsets of hidden columns to those of a new chunk, after `offsets` was.
void ecs_partition_reset_hidden(EcsPartition *partition);
// Debug builds make the use of a dangling pointer visible: rows and blocks that are no longer in use are filled with
// ECS_POISON, and the address sanitizer reports any access to such a row. ecs_rows_poison is called after values were
// moved or destructed, ecs_rows_unpoison before new ones are written.
#define ECS_POISON 0xDD
#ifndef NDEBUG
void ecs_rows_poison(const EcsPartition *partition, uint8_t *base, uint32_t first, uint32_t count);
// The same for one hidden column of a chunk, or for all of them, with all rows that fit into the chunk.
void ecs_hidden_poison_column(const EcsPartition *partition, uint8_t *base, uint32_t column);
void ecs_hidden_poison(const EcsPartition *partition, uint8_t *base);
#else
static inline void ecs_rows_poison(const EcsPartition *partition, uint8_t *base, uint32_t first,
                                   uint32_t count) {
    (void)partition, (void)base, (void)first, (void)count;
}
static inline void ecs_hidden_poison_column(const EcsPartition *partition, uint8_t *base, uint32_t column) {
    (void)partition, (void)base, (void)column;
}
static inline void ecs_hidden_poison(const EcsPartition *partition, uint8_t *base) {
    (void)partition, (void)base;
}
#endif
#ifdef BASE_ASAN
void ecs_rows_unpoison(const EcsPartition *partition, uint8_t *base, uint32_t first, uint32_t count);
#else
static inline void ecs_rows_unpoison(const EcsPartition *partition, uint8_t *base, uint32_t first,
                                     uint32_t count) {
    (void)partition, (void)base, (void)first, (void)count;
}
#endif
// Appends a row for the entity with this index, and sets its location; there must be memory. Columns are not
// initialised. Returns the base of the chunk.
static inline uint8_t *ecs_partition_append(FiloWorld *world, EcsPartition *partition, uint32_t index,
                                            EcsRecord *record, uint32_t *row) {
    if (FILO_UNLIKELY(partition->tail_rows == partition->chunk_rows)) ecs_partition_advance(partition);
    uint8_t *base = partition->tail_base;
    uint32_t at = partition->tail_rows++;
    ecs_rows_unpoison(partition, base, at, 1);
    ecs_chunk_indices(partition, base)[at] = index;
    ecs_record_set_location(record, ecs_location(partition->tail_id, at));
    ecs_chunk_mark_changed(world, base);
    *row = at;
    return base;
}
// Sets the EcsChunkInfo of a chunk id, with a new generation.
static inline void ecs_chunk_info_set(FiloWorld *world, uint32_t id, uint8_t *base, EcsPartition *partition,
                                      uint32_t ordinal) {
    world->chunks[id] =
        (EcsChunkInfo){ base, partition, partition->layout_id, ordinal, ++world->chunk_generations };
}
// The tail has no rows left: makes the chunk before it the tail.
void ecs_partition_retreat(FiloWorld *world, EcsPartition *partition);
// Removes the last `count` rows.
void ecs_partition_shrink(FiloWorld *world, EcsPartition *partition, uint32_t count);
void ecs_table_free_memory(FiloWorld *world, EcsTable *table);
void ecs_tables_deinit(FiloWorld *world);

// ---- Edges: edge.c -------------------------------------------------------------------------------------------

// The edge from a table to the one with a component more (`add`) or less; NULL without memory. The table must lack the
// component, or have it. Required components that are stored in tables are added with it; its own column is the first
// of EcsEdge.added.
EcsEdge *ecs_table_edge_slow(FiloWorld *world, EcsTable *table, uint32_t component, bool add);
static inline EcsEdge *ecs_table_edge(FiloWorld *world, EcsTable *table, uint32_t component, bool add) {
    EcsEdge *last = table->last_edge;
    if (FILO_LIKELY(last != NULL && last->key == ((uint64_t)component << 1 | add))) return last;
    return ecs_table_edge_slow(world, table, component, add);
}
// The edge from a table to any other table.
EcsEdge *ecs_table_edge_to(FiloWorld *world, EcsTable *table, EcsTable *to);
// Moves the columns that both tables have.
void ecs_row_move_slow(const EcsEdge *edge, const EcsPartition *from, uint8_t *from_base, uint32_t from_row,
                       const EcsPartition *to, uint8_t *base, uint32_t row);
// Destructs the columns that the new table lacks.
void ecs_row_destruct_dropped(const EcsEdge *edge, const EcsPartition *from, uint8_t *base, uint32_t row);
void ecs_table_free_edges(FiloWorld *world, EcsTable *table);
// Caches the offsets for moves between two partitions, unless columns have move hooks. One thread.
void ecs_edge_resolve(EcsEdge *edge, EcsPartition *from, EcsPartition *to);
static inline bool ecs_edge_resolved(const EcsEdge *edge, const EcsPartition *from, const EcsPartition *to) {
    return edge->from_layout_id == from->layout_id && edge->to_layout_id == to->layout_id;
}
// The functions of EcsFastPath for components in tables. Those with `required` are for a component that requires
// others, all of them in tables.
void *ecs_table_add(FiloWorld *world, FiloEntity entity, EcsFastPath *fast);
void *ecs_table_add_required(FiloWorld *world, FiloEntity entity, EcsFastPath *fast);
bool ecs_table_set(FiloWorld *world, FiloEntity entity, EcsFastPath *fast, const void *value);
bool ecs_table_set_required(FiloWorld *world, FiloEntity entity, EcsFastPath *fast, const void *value);
bool ecs_table_remove(FiloWorld *world, FiloEntity entity, EcsFastPath *fast);
// Moves an entity to a partition with memory for it; new columns get their default values. Returns the new base and
// row.
uint8_t *ecs_entity_move(FiloWorld *world, uint32_t index, EcsRecord *record, EcsEdge *edge, EcsPartition *to,
                         uint32_t *row);

#endif
