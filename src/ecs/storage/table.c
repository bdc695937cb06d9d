// Tables: entities with the same set of table components, in chunks of columns. See EcsTable and EcsPartition in
// table.h.
//
// Rows are dense: a row that is removed is filled by the last row of the partition. So all chunks before the tail are
// full, and an iteration needs one count per chunk. A partition begins with one small chunk, which is replaced by one
// of at least twice the size until it has full size (128 KiB, or 16 rows if rows are huge). From then on chunks are
// added.

#include "ecs/storage/table.h"
#include "base/asan.h"
#include "ecs/observe/notify.h"
#include "ecs/query/query.h"
#include "ecs/storage/rows.h"

#include <filo/hash.h>

#define FIRST_ROWS 4  // minimum of a first chunk
#define LARGE_ROWS 16 // rows in a chunk of a table with huge rows

// ---- Layout -------------------------------------------------------------------------------------------

static size_t header_size(const EcsTable *table) {
    return FILO_ALIGN_UP(ecs_chunk_versions_size(table), (size_t)FILO_CACHE_LINE);
}

// Computes the offsets of columns in a chunk with this many rows; returns its size. `offsets` may be NULL. A hidden
// column follows the visible one (ecs_partition_first_offset).
static size_t lay_out(const EcsTable *table, size_t rows, uint32_t *offsets, uint32_t *next_offsets) {
    size_t at = header_size(table);
    at = FILO_ALIGN_UP(at + rows * sizeof(uint32_t), (size_t)FILO_CACHE_LINE);
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (offsets != NULL) offsets[i] = (uint32_t)at;
        at = FILO_ALIGN_UP(at + rows * table->sizes[i], (size_t)FILO_CACHE_LINE);
        if (!table->doubled || !table->data[i]->info.double_buffered) continue;
        if (next_offsets != NULL) next_offsets[i] = (uint32_t)at;
        at = FILO_ALIGN_UP(at + rows * table->sizes[i], (size_t)FILO_CACHE_LINE);
    }
    return at;
}

static size_t chunk_size(const EcsTable *table, size_t rows) { return lay_out(table, rows, NULL, NULL); }

static uint32_t rows_in(const EcsTable *table, size_t size) {
    if (size < header_size(table) + table->row_size) return 0;
    size_t rows = FILO_MIN((size - header_size(table)) / table->row_size, (size_t)ECS_CHUNK_ROWS);
    while (rows > 0 && chunk_size(table, rows) > size) rows--;
    return (uint32_t)rows;
}

static size_t full_size(const EcsTable *table) {
    if (rows_in(table, ECS_BLOCK_SIZE) >= LARGE_ROWS)
        return ecs_block_size(FILO_MIN(chunk_size(table, ECS_CHUNK_ROWS), (size_t)ECS_BLOCK_SIZE));
    return ecs_block_size(chunk_size(table, LARGE_ROWS));
}

// The size of a single chunk for this many rows; at most `full`.
static size_t single_size(const EcsTable *table, size_t rows, size_t full) {
    rows = FILO_MAX(rows, (size_t)FIRST_ROWS);
    if (full > ECS_BLOCK_SIZE) rows = rows <= FIRST_ROWS ? FIRST_ROWS : LARGE_ROWS;
    size_t size = ecs_block_size(chunk_size(table, FILO_MIN(rows, (size_t)ECS_CHUNK_ROWS)));
    return FILO_MIN(size, full);
}

// ---- Chunks -------------------------------------------------------------------------------------------

// An id for a new chunk; UINT32_MAX without memory.
static uint32_t take_chunk_id(FiloWorld *world) {
    uint32_t id;
    if (filo_array_pop(&world->free_chunk_ids, &id)) return id;
    if (world->chunk_end == ECS_CHUNKS) {
        filo_out_of_memory(world->name, 0, "a world has at most 131072 chunks");
        return UINT32_MAX;
    }
    if (world->chunk_end == world->chunk_capacity) {
        uint32_t capacity = FILO_MAX(world->chunk_capacity * 2, 16u);
        EcsChunkInfo *chunks =
            filo_resize(world->allocator, world->chunks, world->chunk_capacity * sizeof *chunks,
                        capacity * sizeof *chunks, 0);
        if (chunks == NULL) return UINT32_MAX;
        world->chunks = chunks;
        world->chunk_capacity = capacity;
    }
    // Reserved here, so that freeing an id cannot fail.
    if (world->free_chunk_ids.capacity < world->chunk_capacity &&
        !filo_array_reserve(&world->free_chunk_ids, world->chunk_capacity))
        return UINT32_MAX;
    return world->chunk_end++;
}

static bool add_chunk(FiloWorld *world, EcsPartition *partition) {
    if (partition->chunk_count == partition->chunk_capacity) {
        uint32_t capacity = FILO_MAX(partition->chunk_capacity * 2, 1u);
        EcsChunk *chunks =
            filo_resize(world->allocator, partition->chunks, partition->chunk_capacity * sizeof *chunks,
                        capacity * sizeof *chunks, 0);
        if (chunks == NULL) return false;
        partition->chunks = chunks;
        partition->chunk_capacity = capacity;
    }
    uint8_t *base = ecs_block_alloc(&world->blocks, partition->block_size);
    if (base == NULL) return false;
    uint32_t id = take_chunk_id(world);
    if (id == UINT32_MAX) {
        ecs_block_free(&world->blocks, base, partition->block_size);
        return false;
    }
    memset(base, 0, header_size(partition->table));
    ecs_hidden_poison(partition, base);
    partition->chunks[partition->chunk_count] = (EcsChunk){ base, id };
    ecs_chunk_info_set(world, id, base, partition, partition->chunk_count);
    if (partition->chunk_count++ == 0) {
        partition->first_base = base;
        ecs_partition_update_tail(partition);
    }
    partition->capacity += partition->chunk_rows;
    return true;
}

static void drop_chunk(FiloWorld *world, EcsPartition *partition) {
    EcsChunk *chunk = &partition->chunks[--partition->chunk_count];
    partition->capacity -= partition->chunk_rows;
    ecs_block_free(&world->blocks, chunk->base, partition->block_size);
    (void)filo_array_push(&world->free_chunk_ids, chunk->id); // take_chunk_id reserved memory
    if (partition->chunk_count > 0) return;
    partition->first_base = NULL;
    ecs_partition_update_tail(partition);
}

void ecs_partition_update_layout(FiloWorld *world, EcsPartition *partition) {
    partition->layout_id = world->layout_ids += ECS_LAYOUT_ID_STEP;
    for (uint32_t i = 0; i < partition->table->by_size_count; i++)
        partition->size_offsets[i] = partition->offsets[partition->table->by_size[i]];
}

static void set_chunk_size(FiloWorld *world, EcsPartition *partition, size_t size) {
    partition->block_size = size;
    partition->chunk_rows = rows_in(partition->table, size);
    lay_out(partition->table, partition->chunk_rows, partition->offsets, partition->next_offsets);
    ecs_partition_update_layout(world, partition);
}

void ecs_partition_reset_hidden(EcsPartition *partition) {
    if (partition->next_offsets != NULL)
        lay_out(partition->table, partition->chunk_rows, NULL, partition->next_offsets);
}

void ecs_partition_swap(FiloWorld *world, EcsPartition *partition, const uint16_t *columns, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t column = columns[i], visible = partition->offsets[column];
        partition->offsets[column] = partition->next_offsets[column];
        partition->next_offsets[column] = visible;
    }
    ecs_partition_update_layout(world, partition);
    uint32_t used = ecs_partition_count(partition) > 0 ? partition->tail + 1 : 0;
    for (uint32_t i = 0; i < partition->chunk_count; i++) {
        const EcsChunk *chunk = &partition->chunks[i];
        world->chunks[chunk->id].layout_id = partition->layout_id;
        for (uint32_t k = 0; k < count; k++) {
            if (i < used) ecs_column_mark_changed(world, chunk->base, columns[k]);
            ecs_hidden_poison_column(partition, chunk->base, columns[k]);
        }
    }
}

// Replaces the single chunk by a larger one.
static bool grow_single(FiloWorld *world, EcsPartition *partition, size_t size) {
    EcsTable *table = partition->table;
    uint8_t *old = partition->first_base, *base = ecs_block_alloc(&world->blocks, size);
    if (base == NULL) return false;
    size_t old_size = partition->block_size;
    uint32_t rows = ecs_partition_count(partition), *old_indices = ecs_chunk_indices(partition, old);
    memcpy(base, old, header_size(table));
    uint32_t *new_offsets = partition->offsets + table->column_count; // see new_table
    uint32_t new_rows = rows_in(table, size);
    lay_out(table, new_rows, new_offsets, partition->next_offsets);
    memcpy(base + partition->indices, old_indices, rows * sizeof *old_indices);
    for (uint32_t i = 0; i < table->column_count; i++)
        ecs_rows_move(table->data[i], base + new_offsets[i], old + partition->offsets[i], rows);
    memcpy(partition->offsets, new_offsets, table->column_count * sizeof *new_offsets);
    partition->block_size = size;
    partition->chunk_rows = partition->capacity = new_rows;
    partition->chunks[0].base = partition->first_base = base;
    ecs_partition_update_tail(partition);
    ecs_partition_update_layout(world, partition);
    ecs_chunk_info_set(world, partition->chunks[0].id, base, partition, 0);
    ecs_hidden_poison(partition, base);
    ecs_block_free(&world->blocks, old, old_size);
    return true;
}

bool ecs_partition_grow(FiloWorld *world, EcsPartition *partition, size_t count) {
    uint64_t wanted = (uint64_t)ecs_partition_count(partition) + count;
    if (wanted > FILO_ENTITY_INDEX_MAX) {
        filo_out_of_memory(world->name, 0, "a world has at most a billion entities");
        return false;
    }
    size_t full = full_size(partition->table);
    if (partition->chunk_count == 0) {
        set_chunk_size(world, partition, single_size(partition->table, wanted, full));
        if (!add_chunk(world, partition)) return false;
    } else if (partition->chunk_count == 1 && partition->block_size < full &&
               wanted > partition->chunk_rows) {
        // At least twice as large, so that growing row by row takes amortised constant time.
        size_t size =
            FILO_MAX(single_size(partition->table, wanted, full),
                     FILO_MIN(single_size(partition->table, (size_t)partition->chunk_rows * 2, full), full));
        if (!grow_single(world, partition, size)) return false;
    }
    while (partition->capacity < wanted)
        if (!add_chunk(world, partition)) return false;
    return true;
}

// ---- Rows -----------------------------------------------------------------------------------------------

#ifndef NDEBUG
void ecs_rows_poison(const EcsPartition *partition, uint8_t *base, uint32_t first, uint32_t count) {
    const EcsTable *table = partition->table;
    for (uint32_t i = 0; i < table->column_count; i++) {
        size_t size = table->sizes[i];
        uint8_t *rows = base + partition->offsets[i] + first * size;
        if (size > 0) memset(rows, ECS_POISON, count * size);
        base_asan_poison(rows, count * size);
    }
}

void ecs_hidden_poison_column(const EcsPartition *partition, uint8_t *base, uint32_t column) {
    uint8_t *hidden = base + partition->next_offsets[column];
    size_t size = (size_t)partition->chunk_rows * partition->table->sizes[column];
    base_asan_unpoison(hidden, size);
    memset(hidden, ECS_POISON, size);
    base_asan_poison(hidden, size);
}

void ecs_hidden_poison(const EcsPartition *partition, uint8_t *base) {
    for (uint32_t i = 0; partition->next_offsets != NULL && i < partition->table->column_count; i++)
        if (partition->next_offsets[i] != 0) ecs_hidden_poison_column(partition, base, i);
}
#endif

#ifdef BASE_ASAN
void ecs_rows_unpoison(const EcsPartition *partition, uint8_t *base, uint32_t first, uint32_t count) {
    const EcsTable *table = partition->table;
    for (uint32_t i = 0; i < table->column_count; i++)
        base_asan_unpoison(base + partition->offsets[i] + first * (size_t)table->sizes[i],
                           count * (size_t)table->sizes[i]);
}
#endif

void ecs_partition_retreat(FiloWorld *world, EcsPartition *partition) {
    if (partition->tail == 0) return;
    partition->tail--;
    partition->tail_rows = partition->chunk_rows;
    ecs_partition_update_tail(partition);
    // One empty chunk stays, so that adding and removing at the border of a chunk does not allocate and free it each
    // time.
    while (partition->chunk_count > partition->tail + 2) drop_chunk(world, partition);
}

void ecs_row_fill_gap_rest(const EcsPartition *partition, uint8_t *base, uint32_t row, uint8_t *tail,
                           uint32_t last) {
    const EcsTable *table = partition->table;
    for (uint32_t i = table->movable ? table->by_size_8 + table->by_size_4 : 0; i < table->by_size_count;
         i++) {
        const EcsComponentData *data = table->data[table->by_size[i]];
        uint8_t *to = base + partition->size_offsets[i] + row * data->size,
                *from = tail + partition->size_offsets[i] + last * data->size;
        if (table->movable)
            ecs_bytes_copy(to, from, data->size);
        else
            ecs_rows_move(data, to, from, 1);
    }
}

void ecs_partition_shrink(FiloWorld *world, EcsPartition *partition, uint32_t count) {
    while (count > 0) {
        uint32_t here = FILO_MIN(count, partition->tail_rows);
        ecs_chunk_mark_changed(world, partition->chunks[partition->tail].base);
        partition->tail_rows -= here;
        ecs_rows_poison(partition, partition->tail_base, partition->tail_rows, here);
        if (partition->tail_rows == 0) ecs_partition_retreat(world, partition);
        count -= here;
    }
}

// ---- Tables ---------------------------------------------------------------------------------------------

uint32_t ecs_table_column_slow(const EcsTable *table, uint32_t component) {
    uint32_t low = 0, high = table->column_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (table->components[middle] < component)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->column_count && table->components[low] == component ? low : ECS_NO_COLUMN;
}

// Lists columns by size, so that copying a row needs no branch per column.
static void sort_columns(EcsTable *table) {
    uint16_t *next = table->by_size;
    for (uint32_t i = 0; i < table->column_count; i++)
        if (table->sizes[i] == 8) *next++ = (uint16_t)i;
    table->by_size_8 = (uint32_t)(next - table->by_size);
    for (uint32_t i = 0; i < table->column_count; i++)
        if (table->sizes[i] == 4) *next++ = (uint16_t)i;
    table->by_size_4 = (uint32_t)(next - table->by_size) - table->by_size_8;
    for (uint32_t i = 0; i < table->column_count; i++)
        if (table->sizes[i] != 8 && table->sizes[i] != 4 && table->sizes[i] != 0) *next++ = (uint16_t)i;
    table->by_size_count = (uint32_t)(next - table->by_size);
    table->has_rest = !table->movable || table->by_size_count > table->by_size_8 + table->by_size_4;
}

// Memory of tables comes from the same slabs as chunks, one table after the other: with thousands of tables, an
// iteration spends most of its time waiting for them. Freed memory goes to lists by size (FiloWorld.spare_tables). Very
// large tables come from the allocator.
static EcsTable *take_memory(FiloWorld *world, size_t size) {
    size_t class = size / ECS_BLOCK_MIN;
    EcsTable *table;
    if (class >= ECS_TABLE_CLASSES) {
        table = filo_alloc(world->allocator, size, FILO_CACHE_LINE);
    } else if ((table = world->spare_tables[class]) != NULL) {
        world->spare_tables[class] = table->same_hash;
    } else {
        table = ecs_block_alloc_permanent(&world->blocks, size);
    }
    if (table == NULL) return NULL;
    memset(table, 0, size);
    table->memory_size = size;
    return table;
}

void ecs_table_free_memory(FiloWorld *world, EcsTable *table) {
    size_t class = table->memory_size / ECS_BLOCK_MIN;
    if (class >= ECS_TABLE_CLASSES) {
        filo_free(world->allocator, table, table->memory_size, FILO_CACHE_LINE);
        return;
    }
    table->same_hash = world->spare_tables[class];
    world->spare_tables[class] = table;
}

// A table and its arrays, in one allocation.
static EcsTable *new_table(FiloWorld *world, const uint32_t *components, uint32_t count) {
    uint32_t direct = count > 0 ? FILO_MIN(components[count - 1] + 1, (uint32_t)ECS_DIRECT_COLUMNS) : 0;
    bool doubled = false;
    for (uint32_t i = 0; i < count; i++)
        doubled = doubled || world->components.items[components[i] - 1]->info.double_buffered;
    // For each partition: offsets, the new offsets of grow_single, size_offsets and next_offsets.
    size_t offset_count = (size_t)count * (doubled ? 4 : 3);
    size_t size = sizeof(EcsTable) + offset_count * 2 * sizeof(uint32_t) +
                  count * (sizeof(EcsComponentData *) + 2 * sizeof(uint32_t)) + direct * sizeof(uint16_t) +
                  count * sizeof(uint16_t);
    EcsTable *table = take_memory(world, FILO_ALIGN_UP(size, (size_t)ECS_BLOCK_MIN));
    if (table == NULL) return NULL;
    table->column_count = count;
    table->data = (EcsComponentData **)(table + 1);
    table->partitions[0].offsets = (uint32_t *)(table->data + count);
    table->partitions[1].offsets = table->partitions[0].offsets + offset_count;
    table->components = table->partitions[1].offsets + offset_count;
    table->sizes = table->components + count;
    table->column_of = (uint16_t *)(table->sizes + count);
    table->by_size = table->column_of + direct;
    table->direct = direct;
    table->doubled = doubled;
    table->plain = table->movable = true;
    table->row_size = sizeof(uint32_t);
    for (uint32_t i = 0; i < count; i++) {
        EcsComponentData *data = world->components.items[components[i] - 1];
        table->components[i] = components[i];
        table->data[i] = data;
        table->sizes[i] = (uint32_t)data->size;
        table->row_size += data->info.double_buffered ? 2 * data->size : data->size;
        table->plain = table->plain && data->plain;
        table->movable = table->movable && data->info.hooks.move == NULL;
        if (components[i] < direct) table->column_of[components[i]] = (uint16_t)(i + 1);
    }
    sort_columns(table);
    ecs_table_update_watched(table);
    for (int i = 0; i < 2; i++) {
        table->partitions[i].table = table;
        table->partitions[i].size_offsets = table->partitions[i].offsets + (size_t)count * 2;
        if (doubled) table->partitions[i].next_offsets = table->partitions[i].offsets + (size_t)count * 3;
        table->partitions[i].inactive = i == 1;
        table->partitions[i].indices = (uint32_t)header_size(table);
        set_chunk_size(world, &table->partitions[i], single_size(table, 1, full_size(table)));
    }
    return table;
}

static bool register_table(FiloWorld *world, EcsTable *table) {
    for (uint32_t i = 0; i < table->column_count; i++) {
        EcsTableArray *tables = &table->data[i]->tables;
        if (tables->count == tables->capacity &&
            !filo_array_reserve(tables, FILO_MAX(tables->capacity * 2, (size_t)4)))
            return false;
    }
    if (world->tables.count == world->tables.capacity &&
        !filo_array_reserve(&world->tables, FILO_MAX(world->tables.capacity * 2, (size_t)16)))
        return false;
    table->id = (uint32_t)world->tables.count;
    EcsTable **first = filo_map_put(&world->table_by_hash, table->hash);
    if (first == NULL) return false;
    if (!ecs_queries_add_table(world, table)) {
        if (*first == NULL) filo_map_remove(&world->table_by_hash, table->hash);
        return false;
    }
    table->same_hash = *first;
    *first = table;
    (void)filo_array_push(&world->tables, table);
    for (uint32_t i = 0; i < table->column_count; i++) (void)filo_array_push(&table->data[i]->tables, table);
    return true;
}

EcsTable *ecs_table_of(FiloWorld *world, const uint32_t *components, uint32_t count) {
    uint64_t hash = filo_hash(components, count * sizeof *components);
    EcsTable **first = filo_map_get(&world->table_by_hash, hash);
    for (EcsTable *table = first != NULL ? *first : NULL; table != NULL; table = table->same_hash)
        if (table->column_count == count &&
            (count == 0 || memcmp(table->components, components, count * sizeof *components) == 0))
            return table;
    EcsTable *table = new_table(world, components, count);
    if (table == NULL) return NULL;
    table->hash = hash;
    if (register_table(world, table)) return table;
    ecs_table_free_memory(world, table);
    return NULL;
}

void ecs_tables_deinit(FiloWorld *world) {
    filo_array_each (&world->tables, item) {
        EcsTable *table = *item;
        for (int i = 0; i < 2; i++) {
            EcsPartition *partition = &table->partitions[i];
            while (partition->chunk_count > 0) drop_chunk(world, partition);
            filo_free(world->allocator, partition->chunks,
                      partition->chunk_capacity * sizeof *partition->chunks, 0);
        }
        ecs_table_free_edges(world, table);
        ecs_table_free_memory(world, table);
    }
    filo_array_deinit(&world->tables);
    filo_array_deinit(&world->free_chunk_ids);
    filo_map_deinit(&world->table_by_hash);
    filo_free(world->allocator, world->chunks, world->chunk_capacity * sizeof *world->chunks, 0);
}
