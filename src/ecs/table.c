// Tables: entities with the same set of components in tables, row by row, in chunks. See FiloTable and
// FiloHalf in world.h.
//
// Rows are dense: a row that goes is replaced by the last. A half has no gaps, so going over it is going over
// its chunks with one count. A small table has one small chunk, which is replaced by one of twice the size
// until it is full size (128 KiB, or 16 rows if rows are huge); after that chunks are added.

#include "ecs/rows.h"
#include "ecs/world.h"

#include <filo/hash.h>

#define FIRST_ROWS 4  // a first chunk holds at least these
#define LARGE_ROWS 16 // rows in a chunk of a table with huge rows

// ---- Layout -------------------------------------------------------------------------------------------

static size_t header_size(const FiloTable *table) {
    return FILO_ALIGN_UP(filo_chunk_versions_size(table), (size_t)FILO_CACHE_LINE);
}

// Where columns lie in a chunk for so many rows; returns its size. `offsets` may be NULL.
static size_t lay_out(const FiloTable *table, size_t rows, uint32_t *offsets) {
    size_t at = header_size(table);
    at = FILO_ALIGN_UP(at + rows * sizeof(uint32_t), (size_t)FILO_CACHE_LINE);
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (offsets != NULL) offsets[i] = (uint32_t)at;
        at = FILO_ALIGN_UP(at + rows * table->sizes[i], (size_t)FILO_CACHE_LINE);
    }
    return at;
}

static uint32_t rows_in(const FiloTable *table, size_t size) {
    if (size < header_size(table) + table->row_size) return 0;
    size_t rows = FILO_MIN((size - header_size(table)) / table->row_size, (size_t)FILO_CHUNK_ROWS);
    while (rows > 0 && lay_out(table, rows, NULL) > size) rows--;
    return (uint32_t)rows;
}

static size_t full_size(const FiloTable *table) {
    if (rows_in(table, FILO_BLOCK_SIZE) >= LARGE_ROWS)
        return filo_block_size(FILO_MIN(lay_out(table, FILO_CHUNK_ROWS, NULL), (size_t)FILO_BLOCK_SIZE));
    return filo_block_size(lay_out(table, LARGE_ROWS, NULL));
}

// The size of a single chunk for so many rows.
static size_t single_size(const FiloTable *table, size_t rows, size_t full) {
    rows = FILO_MAX(rows, (size_t)FIRST_ROWS);
    if (full > FILO_BLOCK_SIZE) rows = rows <= FIRST_ROWS ? FIRST_ROWS : LARGE_ROWS;
    size_t size = filo_block_size(lay_out(table, FILO_MIN(rows, (size_t)FILO_CHUNK_ROWS), NULL));
    return FILO_MIN(size, full);
}

// ---- Chunks -------------------------------------------------------------------------------------------

// A number for a new chunk; UINT32_MAX without memory.
static uint32_t take_place(FiloWorld *world) {
    uint32_t id;
    if (filo_array_pop(&world->free_places, &id)) return id;
    if (world->place_count == FILO_CHUNKS) {
        filo_out_of_memory(world->name, 0, "a world has at most 131072 chunks");
        return UINT32_MAX;
    }
    if (world->place_count == world->place_capacity) {
        uint32_t capacity = FILO_MAX(world->place_capacity * 2, 16u);
        FiloPlace *places = filo_resize(world->allocator, world->places,
                                        world->place_capacity * sizeof *places, capacity * sizeof *places, 0);
        if (places == NULL) return UINT32_MAX;
        world->places = places;
        world->place_capacity = capacity;
    }
    // So that giving one back cannot fail.
    if (world->free_places.capacity < world->place_capacity &&
        !filo_array_reserve(&world->free_places, world->place_capacity))
        return UINT32_MAX;
    return world->place_count++;
}

static bool add_chunk(FiloWorld *world, FiloHalf *half) {
    if (half->chunk_count == half->chunk_capacity) {
        uint32_t capacity = FILO_MAX(half->chunk_capacity * 2, 1u);
        FiloChunk *chunks = filo_resize(world->allocator, half->chunks, half->chunk_capacity * sizeof *chunks,
                                        capacity * sizeof *chunks, 0);
        if (chunks == NULL) return false;
        half->chunks = chunks;
        half->chunk_capacity = capacity;
    }
    uint8_t *base = filo_block_take(&world->blocks, half->block_size);
    if (base == NULL) return false;
    uint32_t id = take_place(world);
    if (id == UINT32_MAX) {
        filo_block_give(&world->blocks, base, half->block_size);
        return false;
    }
    memset(base, 0, header_size(half->table));
    half->chunks[half->chunk_count] = (FiloChunk){ base, id };
    ecs_place_set(world, id, base, half, half->chunk_count);
    if (half->chunk_count++ == 0) {
        half->first_base = base;
        filo_half_find_tail(half);
    }
    half->capacity += half->chunk_rows;
    return true;
}

static void drop_chunk(FiloWorld *world, FiloHalf *half) {
    FiloChunk *chunk = &half->chunks[--half->chunk_count];
    half->capacity -= half->chunk_rows;
    filo_block_give(&world->blocks, chunk->base, half->block_size);
    (void)filo_array_push(&world->free_places, chunk->id); // there is room, see take_place
    if (half->chunk_count > 0) return;
    half->first_base = NULL;
    filo_half_find_tail(half);
}

void filo_half_laid_out(FiloWorld *world, FiloHalf *half) {
    half->layout++;
    half->arrangement = world->arrangements += FILO_ARRANGEMENT;
    for (uint32_t i = 0; i < half->table->by_size_count; i++)
        half->by_size[i] = half->offsets[half->table->by_size[i]];
}

static void set_chunk_size(FiloWorld *world, FiloHalf *half, size_t size) {
    half->block_size = size;
    half->chunk_rows = rows_in(half->table, size);
    lay_out(half->table, half->chunk_rows, half->offsets);
    filo_half_laid_out(world, half);
}

// Replaces the single chunk by a larger one.
static bool grow_single(FiloWorld *world, FiloHalf *half, size_t size) {
    FiloTable *table = half->table;
    uint8_t *old = half->first_base, *base = filo_block_take(&world->blocks, size);
    if (base == NULL) return false;
    size_t old_size = half->block_size;
    uint32_t rows = filo_half_count(half), *old_indices = filo_chunk_indices(half, old);
    memcpy(base, old, header_size(table));
    uint32_t *new_offsets = half->offsets + table->column_count; // room for this, see new_table
    uint32_t new_rows = rows_in(table, size);
    lay_out(table, new_rows, new_offsets);
    memcpy(base + half->indices, old_indices, rows * sizeof *old_indices);
    for (uint32_t i = 0; i < table->column_count; i++)
        filo_rows_move(table->data[i], base + new_offsets[i], old + half->offsets[i], rows);
    memcpy(half->offsets, new_offsets, table->column_count * sizeof *new_offsets);
    half->block_size = size;
    half->chunk_rows = half->capacity = new_rows;
    half->chunks[0].base = half->first_base = base;
    filo_half_find_tail(half);
    filo_half_laid_out(world, half);
    ecs_place_set(world, half->chunks[0].id, base, half, 0);
    filo_block_give(&world->blocks, old, old_size);
    return true;
}

bool filo_half_reserve(FiloWorld *world, FiloHalf *half, size_t count) {
    uint64_t wanted = (uint64_t)filo_half_count(half) + count;
    if (wanted > FILO_ENTITY_INDEX_MAX) {
        filo_out_of_memory(world->name, 0, "a world has at most a billion entities");
        return false;
    }
    size_t full = full_size(half->table);
    if (half->chunk_count == 0) {
        set_chunk_size(world, half, single_size(half->table, wanted, full));
        if (!add_chunk(world, half)) return false;
    } else if (half->chunk_count == 1 && half->block_size < full && wanted > half->chunk_rows) {
        // At least twice as large, so that growing row by row moves each row a few times at most.
        size_t size = FILO_MAX(single_size(half->table, wanted, full),
                               FILO_MIN(single_size(half->table, (size_t)half->chunk_rows * 2, full), full));
        if (!grow_single(world, half, size)) return false;
    }
    while (half->capacity < wanted)
        if (!add_chunk(world, half)) return false;
    return true;
}

// ---- Rows -----------------------------------------------------------------------------------------------

#ifndef NDEBUG
void ecs_rows_leave(const FiloHalf *half, uint8_t *base, uint32_t first, uint32_t count) {
    const FiloTable *table = half->table;
    for (uint32_t i = 0; i < table->column_count; i++) {
        size_t size = table->sizes[i];
        uint8_t *rows = base + half->offsets[i] + first * size;
        if (size > 0) memset(rows, ECS_GONE, count * size);
        filo_asan_poison(rows, count * size);
    }
}
#endif

#ifdef FILO_ASAN
void ecs_rows_arrive(const FiloHalf *half, uint8_t *base, uint32_t first, uint32_t count) {
    const FiloTable *table = half->table;
    for (uint32_t i = 0; i < table->column_count; i++)
        filo_asan_unpoison(base + half->offsets[i] + first * (size_t)table->sizes[i],
                           count * (size_t)table->sizes[i]);
}
#endif

void filo_half_retreat(FiloWorld *world, FiloHalf *half) {
    if (half->tail == 0) return;
    // One empty chunk is kept, so that an entity coming and going at the border costs nothing.
    half->tail--;
    half->tail_rows = half->chunk_rows;
    filo_half_find_tail(half);
    while (half->chunk_count > half->tail + 2) drop_chunk(world, half);
}

void filo_fill_gap_rest(const FiloHalf *half, uint8_t *base, uint32_t row, uint8_t *tail, uint32_t last) {
    const FiloTable *table = half->table;
    for (uint32_t i = table->movable ? table->by_size_8 + table->by_size_4 : 0; i < table->by_size_count;
         i++) {
        const FiloComponentData *data = table->data[table->by_size[i]];
        uint8_t *to = base + half->by_size[i] + row * data->size,
                *from = tail + half->by_size[i] + last * data->size;
        if (table->movable)
            filo_bytes_copy(to, from, data->size);
        else
            filo_rows_move(data, to, from, 1);
    }
}

void filo_half_shrink(FiloWorld *world, FiloHalf *half, uint32_t count) {
    while (count > 0) {
        uint32_t here = FILO_MIN(count, half->tail_rows);
        filo_chunk_touch(world, half->chunks[half->tail].base);
        half->tail_rows -= here;
        ecs_rows_leave(half, half->tail_base, half->tail_rows, here);
        if (half->tail_rows == 0) filo_half_retreat(world, half);
        count -= here;
    }
}

// ---- Tables ---------------------------------------------------------------------------------------------

uint32_t filo_table_column_slow(const FiloTable *table, uint32_t component) {
    uint32_t low = 0, high = table->column_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (table->components[middle] < component)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->column_count && table->components[low] == component ? low : FILO_NO_COLUMN;
}

// Columns by size, so that copying a row takes no decision per column.
static void sort_columns(FiloTable *table) {
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

// Tables lie in the same large pages as their chunks, one after the other, because with thousands of them an
// iteration waits for nothing else. Those that go wait in lists for others of their size; very large ones have memory
// of their own.
static FiloTable *take_memory(FiloWorld *world, size_t size) {
    size_t class = size / FILO_BLOCK_MIN;
    FiloTable *table;
    if (class >= FILO_TABLE_CLASSES) {
        table = filo_alloc(world->allocator, size, FILO_CACHE_LINE);
    } else if ((table = world->spare_tables[class]) != NULL) {
        world->spare_tables[class] = table->same_hash;
    } else {
        table = filo_block_keep(&world->blocks, size);
    }
    if (table == NULL) return NULL;
    memset(table, 0, size);
    table->memory_size = size;
    return table;
}

void filo_table_give_memory(FiloWorld *world, FiloTable *table) {
    size_t class = table->memory_size / FILO_BLOCK_MIN;
    if (class >= FILO_TABLE_CLASSES) {
        filo_free(world->allocator, table, table->memory_size, FILO_CACHE_LINE);
        return;
    }
    table->same_hash = world->spare_tables[class];
    world->spare_tables[class] = table;
}

// A table with its arrays, all in one allocation, so that what is used together lies together.
static FiloTable *new_table(FiloWorld *world, const uint32_t *components, uint32_t count) {
    uint32_t direct = count > 0 ? FILO_MIN(components[count - 1] + 1, (uint32_t)FILO_DIRECT_COLUMNS) : 0;
    size_t offsets_size = (size_t)count * 3 * sizeof(uint32_t); // twice: see grow_single, and by size
    size_t size = sizeof(FiloTable) + offsets_size * 2 +
                  count * (sizeof(FiloComponentData *) + 2 * sizeof(uint32_t)) + direct * sizeof(uint16_t) +
                  count * sizeof(uint16_t);
    FiloTable *table = take_memory(world, FILO_ALIGN_UP(size, (size_t)FILO_BLOCK_MIN));
    if (table == NULL) return NULL;
    table->column_count = count;
    table->data = (FiloComponentData **)(table + 1);
    table->halves[0].offsets = (uint32_t *)(table->data + count);
    table->halves[1].offsets = table->halves[0].offsets + (size_t)count * 3;
    table->components = table->halves[1].offsets + (size_t)count * 3;
    table->sizes = table->components + count;
    table->column_of = (uint16_t *)(table->sizes + count);
    table->by_size = table->column_of + direct;
    table->direct = direct;
    table->plain = table->movable = true;
    table->row_size = sizeof(uint32_t);
    for (uint32_t i = 0; i < count; i++) {
        FiloComponentData *data = world->components.items[components[i] - 1];
        table->components[i] = components[i];
        table->data[i] = data;
        table->sizes[i] = (uint32_t)data->size;
        table->row_size += data->size;
        table->plain = table->plain && data->plain;
        table->movable = table->movable && data->info.hooks.move == NULL;
        if (components[i] < direct) table->column_of[components[i]] = (uint16_t)(i + 1);
    }
    sort_columns(table);
    ecs_table_watch(table);
    for (int i = 0; i < 2; i++) {
        table->halves[i].table = table;
        table->halves[i].by_size = table->halves[i].offsets + (size_t)count * 2;
        table->halves[i].inactive = i == 1;
        table->halves[i].indices = (uint32_t)header_size(table);
        set_chunk_size(world, &table->halves[i], single_size(table, 1, full_size(table)));
    }
    return table;
}

static bool register_table(FiloWorld *world, FiloTable *table) {
    for (uint32_t i = 0; i < table->column_count; i++) {
        FiloTableArray *tables = &table->data[i]->tables;
        if (tables->count == tables->capacity &&
            !filo_array_reserve(tables, FILO_MAX(tables->capacity * 2, (size_t)4)))
            return false;
    }
    if (world->tables.count == world->tables.capacity &&
        !filo_array_reserve(&world->tables, FILO_MAX(world->tables.capacity * 2, (size_t)16)))
        return false;
    table->id = (uint32_t)world->tables.count;
    FiloTable **first = filo_map_put(&world->table_by_hash, table->hash);
    if (first == NULL) return false;
    if (!filo_queries_add_table(world, table)) {
        if (*first == NULL) filo_map_remove(&world->table_by_hash, table->hash);
        return false;
    }
    table->same_hash = *first;
    *first = table;
    (void)filo_array_push(&world->tables, table);
    for (uint32_t i = 0; i < table->column_count; i++) (void)filo_array_push(&table->data[i]->tables, table);
    return true;
}

FiloTable *filo_table_of(FiloWorld *world, const uint32_t *components, uint32_t count) {
    uint64_t hash = filo_hash(components, count * sizeof *components);
    FiloTable **first = filo_map_get(&world->table_by_hash, hash);
    for (FiloTable *table = first != NULL ? *first : NULL; table != NULL; table = table->same_hash)
        if (table->column_count == count &&
            (count == 0 || memcmp(table->components, components, count * sizeof *components) == 0))
            return table;
    FiloTable *table = new_table(world, components, count);
    if (table == NULL) return NULL;
    table->hash = hash;
    if (register_table(world, table)) return table;
    filo_table_give_memory(world, table);
    return NULL;
}

void filo_tables_deinit(FiloWorld *world) {
    filo_array_each (&world->tables, item) {
        FiloTable *table = *item;
        for (int i = 0; i < 2; i++) {
            FiloHalf *half = &table->halves[i];
            while (half->chunk_count > 0) drop_chunk(world, half);
            filo_free(world->allocator, half->chunks, half->chunk_capacity * sizeof *half->chunks, 0);
        }
        filo_table_free_edges(world, table);
        filo_table_give_memory(world, table);
    }
    filo_array_deinit(&world->tables);
    filo_array_deinit(&world->free_places);
    filo_map_deinit(&world->table_by_hash);
    filo_free(world->allocator, world->places, world->place_capacity * sizeof *world->places, 0);
}
