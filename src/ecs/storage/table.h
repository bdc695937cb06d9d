// Tables: entities with the same set of table components, in columns. Flecs and Bevy call this a table, others an
// archetype. tables.h has the functions of a world's tables.
//
// A table has two partitions, one for active and one for inactive entities. A partition is a list of chunks. A chunk is
// a block of memory with some rows of all columns: the version when rows were last added or removed, the version of
// each column, the entity index of each row, then the columns, each aligned to 64 bytes. Edges lead to tables with
// other components.
//
// A double-buffered component has two columns: the visible one, at EcsPartition.offsets, and the hidden one, at
// EcsPartition.next_offsets. Systems write next values into the hidden column, and then the two change places
// (ecs_partition_swap). At all other times the values in the hidden column have no meaning: they are not moved, copied
// or saved.

#ifndef FILO_ECS_STORAGE_TABLE_H
#define FILO_ECS_STORAGE_TABLE_H

#include "ecs/storage/component.h"
#include "ecs/storage/record.h"

typedef struct EcsChunk {
    uint8_t *base;
    uint32_t id; // in FiloWorld.chunks
} EcsChunk;

// Layout ids are multiples of this, so that the offset of a column in a chunk can be added to one.
#define ECS_LAYOUT_ID_STEP (UINT64_C(1) << 18)

// Chunks before the tail are full; those behind it (at most one spare) are empty. A single chunk grows from small to
// full size; several are all of full size.
typedef struct EcsPartition {
    // The fields that an iteration reads are in one cache line: with many small tables, it waits mostly for these.
    _Alignas(FILO_CACHE_LINE) uint32_t chunk_rows; // rows that fit into one chunk now
    uint32_t tail, tail_rows; // the last chunk with rows (0 if there are none), and its rows
    uint32_t indices;         // offset of the entity indices in a chunk
    uint8_t *first_base;      // of chunk 0; NULL: no chunks
    EcsChunk *chunks;
    uint64_t layout_id; // unique in the world; a new one whenever the offsets change
    uint8_t *tail_base; // of the tail; NULL: no chunks
    uint32_t tail_id;   // of the tail
    uint32_t tail_end;  // rows that fit into the tail; 0: no chunks
    bool inactive;

    uint32_t capacity;      // rows that fit into all chunks
    uint32_t dirty;         // during a refresh: its number among the dirty partitions + 1
    uint32_t *offsets;      // of each column in a chunk
    uint32_t *size_offsets; // the same of the columns in EcsTable.by_size
    EcsTable *table;
    uint32_t chunk_count, chunk_capacity;
    size_t block_size;      // of each chunk now
    uint32_t *next_offsets; // of the hidden columns; 0 for other columns. NULL: the table has none
} EcsPartition;

static inline uint32_t ecs_partition_count(const EcsPartition *partition) { // rows
    return partition->tail * partition->chunk_rows + partition->tail_rows;
}

// A column that two tables have.
typedef struct EcsCopy {
    uint16_t from, to; // columns
    uint32_t size;
} EcsCopy;

// How a row of one table becomes a row of another.
typedef struct EcsEdge {
    uint64_t key; // component << 1 | added, or ECS_EDGE_TABLE | id of the other table
    // The partitions of the last move, their layouts then, and the offsets that follow: of the copies, from and to, and
    // of the first new column. Layout ids of 0: not resolved, or columns have move hooks. If the edge is for one
    // component, both partitions are active or both are not.
    EcsPartition *resolved_from, *resolved_to;
    uint64_t from_layout_id, to_layout_id;
    uint32_t *offsets, *end_8, *end_4; // of copies of 8 bytes, then of 4, then of the rest
    uint32_t added_offset;
    bool has_rest;   // some copies are neither of 8 bytes nor of 4
    uint8_t special; // ECS_EDGE_…: what a move does besides copying; 0: nothing
    bool plain;      // no column of either table has hooks
    bool movable;    // no column of either table has a move hook
    EcsCopy *copies; // in the order of the offsets
    uint32_t copy_count, copy_8, copy_4;
    EcsTable *to;
    EcsWatch *watch;   // with ECS_EDGE_SIMPLE: the observed component, or NULL
    FiloQuery *query;  // with ECS_EDGE_SIMPLE and no `watch`: the tracked query
    uint16_t *added;   // columns of `to` that are new
    uint16_t *dropped; // columns of the table that `to` lacks
    uint32_t added_count, dropped_count;
    size_t memory_size;
} EcsEdge;

#define ECS_EDGE_TABLE (UINT64_C(1) << 63)

enum {
    ECS_EDGE_CONSTRUCTS = 1, // a new column has a construct hook
    ECS_EDGE_DESTRUCTS = 2,  // a dropped column has a destruct hook
    ECS_EDGE_WATCHED = 4,    // a new or dropped column has observers
    ECS_EDGE_TRACKED = 8,    // a new or dropped column has tracked queries
    ECS_EDGE_SIMPLE = 16,    // there is one observer or tracked query, and no hook
};

#define ECS_TABLE_CLASSES  32  // tables from 32 × ECS_BLOCK_MIN bytes on come from the allocator
#define ECS_DIRECT_COLUMNS 256 // components below this are found in a table by one index

struct EcsTable {
    EcsPartition partitions[2]; // active, inactive
    EcsEdge *last_edge;         // cache of the edge that was looked up last; NULL: none
    uint32_t id;
    uint32_t column_count;
    uint32_t *components; // [column_count], ascending
    uint32_t *sizes;      // of each column
    EcsComponentData **data;
    uint16_t *column_of; // by component id below `direct`: column + 1, 0 if the table has none
    uint32_t direct;
    uint32_t by_size_8, by_size_4, by_size_count;
    uint16_t *by_size;  // columns with data: those of 8 bytes, then of 4, then the rest
    bool plain;         // no column has hooks
    bool movable;       // no column has a move hook: rows move as bytes
    bool watched;       // some column has observers
    bool has_rest;      // some columns are neither plain data of 8 bytes nor of 4
    bool doubled;       // some component is double-buffered
    size_t row_size;    // bytes of a row, with its entity index
    size_t memory_size; // of this struct with all its arrays
    EcsEdge **edges;    // by hash of the key
    uint32_t edge_count, edge_mask;
    uint64_t hash;       // of the components
    EcsTable *same_hash; // the next one with this hash
};

// A chunk by its id.
typedef struct EcsChunkInfo {
    uint8_t *base;
    EcsPartition *partition;
    uint64_t layout_id;  // of the partition
    uint32_t ordinal;    // in EcsPartition.chunks
    uint32_t generation; // see FiloChunkId
} EcsChunkInfo;

#define ECS_NO_COLUMN UINT16_MAX

static inline uint32_t *ecs_chunk_indices(const EcsPartition *partition, const uint8_t *base) {
    return (uint32_t *)(void *)(base + partition->indices); // NOLINT: chunks are not const
}
// FiloWorld.version when rows were last added or removed, and when each column was last written.
static inline uint64_t *ecs_chunk_version(uint8_t *base) { return (uint64_t *)(void *)base; }
static inline uint64_t *ecs_chunk_versions(uint8_t *base) { return (uint64_t *)(void *)base + 1; }
static inline size_t ecs_chunk_versions_size(const EcsTable *table) {
    return (table->column_count + 1) * sizeof(uint64_t);
}
static inline uint8_t *ecs_chunk_column(const EcsPartition *partition, uint8_t *base, uint32_t column) {
    return base + partition->offsets[column];
}
// The column of a component in a table; ECS_NO_COLUMN if the table has none.
uint32_t ecs_table_column_slow(const EcsTable *table, uint32_t component);
static inline uint32_t ecs_table_column(const EcsTable *table, uint32_t component) {
    if (FILO_LIKELY(component < table->direct)) return (uint32_t)(uint16_t)(table->column_of[component] - 1);
    return component < ECS_DIRECT_COLUMNS ? ECS_NO_COLUMN : ecs_table_column_slow(table, component);
}

#endif
