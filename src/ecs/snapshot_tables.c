// Tables in snapshots.
//
// Chunks are kept as they lie, and put back into chunks of the same layout under the same numbers, so that
// the directory, which refers to them, can be copied as it is. The order of tables is part of the state,
// because queries go over them in it: tables that the snapshot does not have are removed, and the others
// brought into its order.
//
// Of each table the section of tables has: number of columns, components; and of each half: the numbers of
// HalfImage, the offsets of its columns, and the ids of its chunks.

#include "ecs/rows.h"
#include "ecs/snapshot.h"

#include <stdlib.h>

typedef struct HalfImage {
    uint32_t count, chunk_rows, chunk_count, tail, tail_rows, block_size;
} HalfImage;
#define HALF_WORDS (sizeof(HalfImage) / sizeof(uint32_t))

static uint32_t chunks_with_rows(const FiloHalf *half) {
    return filo_half_count(half) > 0 ? half->tail + 1 : 0;
}

static uint64_t chunk_key(const FiloTable *table, int half, uint32_t ordinal) {
    return filo_section_key(FILO_SECTION_CHUNK,
                            (uint64_t)table->id << 20 | (uint64_t)(half == 1) << 19 | ordinal);
}

static bool has_transient(const FiloTable *table) {
    for (uint32_t i = 0; i < table->column_count; i++)
        if (table->data[i]->info.transient) return true;
    return false;
}

// ---- Taking ---------------------------------------------------------------------------------------------

static size_t table_words(const FiloTable *table) {
    size_t words = 1 + table->column_count;
    for (int i = 0; i < 2; i++) words += HALF_WORDS + table->column_count + table->halves[i].chunk_count;
    return words;
}

static uint32_t *put_words(uint32_t *to, const void *from, size_t count) {
    if (count > 0) memcpy(to, from, count * sizeof *to);
    return to + count;
}

static void write_list(FiloImageWriter *writer) {
    const FiloWorld *world = writer->world;
    size_t words = 0;
    filo_array_each (&world->tables, item) words += table_words(*item);
    uint32_t *to = (void *)filo_image_section(writer, filo_section_key(FILO_SECTION_TABLES, 0),
                                              words * sizeof(uint32_t));
    if (to == NULL) return;
    filo_array_each (&world->tables, item) {
        const FiloTable *table = *item;
        *to++ = table->column_count;
        to = put_words(to, table->components, table->column_count);
        for (int i = 0; i < 2; i++) {
            const FiloHalf *half = &table->halves[i];
            HalfImage image = { filo_half_count(half), half->chunk_rows,
                                half->chunk_count,     half->tail,
                                half->tail_rows,       (uint32_t)half->block_size };
            to = put_words(to, &image, HALF_WORDS);
            to = put_words(to, half->offsets, table->column_count);
            for (uint32_t c = 0; c < half->chunk_count; c++) *to++ = half->chunks[c].id;
        }
    }
}

// The parts of a chunk that are in use, where they lie; nothing else, so that equal chunks have equal images.
static void copy_parts(FiloImageWriter *writer, const FiloHalf *half, uint8_t *to, uint8_t *base,
                       uint32_t rows) {
    const FiloTable *table = half->table;
    memset(to, 0, half->block_size);
    memcpy(to, base, filo_chunk_versions_size(table));
    memcpy(to + half->indices, filo_chunk_indices(half, base), rows * sizeof(uint32_t));
    for (uint32_t i = 0; i < table->column_count; i++) {
        const FiloComponentData *component = table->data[i];
        if (component->info.transient || component->size == 0) continue;
        const uint8_t *column = filo_chunk_column(half, base, i);
        if (component->plain)
            memcpy(to + half->offsets[i], column, rows * component->size);
        else
            filo_image_copy_values(writer, component, to + half->offsets[i], column, rows);
    }
}

static void write_half(FiloImageWriter *writer, const FiloTable *table, int which, bool whole) {
    const FiloHalf *half = &table->halves[which];
    for (uint32_t i = 0; i < chunks_with_rows(half); i++) {
        uint8_t *to = filo_image_section(writer, chunk_key(table, which, i), half->block_size);
        uint32_t rows = i == half->tail ? half->tail_rows : half->chunk_rows;
        for (uint32_t k = 0; k < table->column_count && !table->plain; k++)
            if (!table->data[k]->plain && !table->data[k]->info.transient)
                filo_image_meets_hooks(writer, table->data[k]);
        if (to == NULL) continue;
        if (whole && rows == half->chunk_rows)
            memcpy(to, half->chunks[i].base, half->block_size);
        else
            copy_parts(writer, half, to, half->chunks[i].base, rows);
    }
}

void filo_image_write_tables(FiloImageWriter *writer) {
    const FiloWorld *world = writer->world;
    uint8_t *free_places = filo_image_section(writer, filo_section_key(FILO_SECTION_PLACES, 0),
                                              world->free_places.count * sizeof(uint32_t));
    if (free_places != NULL)
        memcpy(free_places, world->free_places.items, world->free_places.count * sizeof(uint32_t));
    write_list(writer);
    filo_array_each (&world->tables, item) {
        bool whole = (*item)->plain && !has_transient(*item);
        write_half(writer, *item, 0, whole);
        write_half(writer, *item, 1, whole);
    }
}

// ---- Reading the list -----------------------------------------------------------------------------------

typedef struct Reader {
    const uint32_t *at;
} Reader;

typedef struct HalfList {
    HalfImage image;
    const uint32_t *offsets, *ids;
} HalfList;

static const uint32_t *take_words(Reader *reader, size_t count) {
    const uint32_t *words = reader->at;
    reader->at += count;
    return words;
}

static HalfList read_half(Reader *reader, uint32_t column_count) {
    HalfList list;
    memcpy(&list.image, take_words(reader, HALF_WORDS), sizeof list.image);
    list.offsets = take_words(reader, column_count);
    list.ids = take_words(reader, list.image.chunk_count);
    return list;
}

static Reader list_of(const FiloSnapshot *snapshot) {
    const FiloSection *section = filo_snapshot_find(snapshot, filo_section_key(FILO_SECTION_TABLES, 0));
    return (Reader){ filo_snapshot_at(snapshot, section) };
}

// ---- Preparing ------------------------------------------------------------------------------------------

// How many chunks of a half are used again.
static uint32_t reused(const FiloHalf *half, const HalfImage *image) {
    return half->block_size == image->block_size ? FILO_MIN(half->chunk_count, image->chunk_count) : 0;
}

static bool prepare_half(FiloRestore *restore, FiloHalf *half, const HalfImage *image) {
    FiloWorld *world = restore->world;
    if (image->chunk_count > half->chunk_capacity) {
        FiloChunk *chunks = filo_resize(world->allocator, half->chunks, half->chunk_capacity * sizeof *chunks,
                                        image->chunk_count * sizeof *chunks, 0);
        if (chunks == NULL) return false;
        half->chunks = chunks;
        half->chunk_capacity = image->chunk_count;
    }
    for (uint32_t i = reused(half, image); i < image->chunk_count; i++) {
        if (!filo_array_push(&restore->block_sizes, image->block_size)) return false;
        void *block = filo_block_take(&world->blocks, image->block_size);
        if (block == NULL || !filo_array_push(&restore->blocks, block)) {
            filo_block_give(&world->blocks, block, image->block_size);
            return false;
        }
    }
    return true;
}

static bool prepare_places(FiloRestore *restore) {
    FiloWorld *world = restore->world;
    uint32_t wanted = restore->header->place_count;
    if (wanted > world->place_capacity) {
        FiloPlace *places = filo_resize(world->allocator, world->places,
                                        world->place_capacity * sizeof *places, wanted * sizeof *places, 0);
        if (places == NULL) return false;
        world->places = places;
        world->place_capacity = wanted;
    }
    // As table.c wants it: every place can be free.
    return world->free_places.capacity >= world->place_capacity ||
           filo_array_reserve(&world->free_places, world->place_capacity);
}

static const FiloPageImage *page_image(const FiloRestore *restore, size_t page) {
    const FiloSection *first = filo_snapshot_find(restore->snapshot, filo_section_key(FILO_SECTION_PAGE, 0));
    return filo_snapshot_at(restore->snapshot, first + page);
}

// Behind the last index that is marked as having something outside of tables.
static size_t outside_end(const FiloRestore *restore) {
    for (size_t page = restore->header->page_count; page-- > 0;) {
        const FiloPageImage *image = page_image(restore, page);
        for (size_t word = FILO_PAGE_RECORDS / 64; word-- > 0;)
            if (image->outside[word] != 0) return page * FILO_PAGE_RECORDS + (word + 1) * 64;
    }
    return 0;
}

bool filo_restore_prepare_tables(FiloRestore *restore) {
    FiloWorld *world = restore->world;
    uint64_t end = restore->header->index_end;
    if (end > 0 && !filo_directory_reserve_at(world, (uint32_t)end - 1)) return false;
    if (!filo_outside_reach(world, outside_end(restore)) || !prepare_places(restore)) return false;
    if (!filo_array_reserve(&restore->tables, restore->header->table_count)) return false;
    Reader reader = list_of(restore->snapshot);
    for (uint32_t i = 0; i < restore->header->table_count; i++) {
        uint32_t column_count = *take_words(&reader, 1);
        const uint32_t *components = take_words(&reader, column_count);
        FiloTable *table = filo_table_of(world, components, column_count);
        if (table == NULL) return false;
        (void)filo_array_push(&restore->tables, table); // there is room
        for (int h = 0; h < 2; h++) {
            HalfList list = read_half(&reader, column_count);
            if (!prepare_half(restore, &table->halves[h], &list.image)) return false;
        }
    }
    return true;
}

// ---- The order of tables --------------------------------------------------------------------------------

static void free_chunks(FiloWorld *world, FiloHalf *half, uint32_t keep) {
    while (half->chunk_count > keep)
        filo_block_give(&world->blocks, half->chunks[--half->chunk_count].base, half->block_size);
    half->capacity = half->chunk_count * half->chunk_rows;
}

static void free_table(FiloWorld *world, FiloTable *table) {
    FiloTable **first = filo_map_get(&world->table_by_hash, table->hash);
    while (*first != table) first = &(*first)->same_hash;
    *first = table->same_hash;
    FiloTable **slot = filo_map_get(&world->table_by_hash, table->hash);
    if (*slot == NULL) filo_map_remove(&world->table_by_hash, table->hash);
    for (int i = 0; i < 2; i++) {
        FiloHalf *half = &table->halves[i];
        free_chunks(world, half, 0);
        filo_free(world->allocator, half->chunks, half->chunk_capacity * sizeof *half->chunks, 0);
    }
    filo_table_free_edges(world, table);
    filo_table_give_memory(world, table);
}

#define GONE UINT32_MAX // the id of a table that is about to be freed

static int by_id(const void *a, const void *b) {
    uint32_t left = (*(FiloTable *const *)a)->id, right = (*(FiloTable *const *)b)->id;
    return (left > right) - (left < right);
}

static int match_by_id(const void *a, const void *b) {
    const FiloHalf *left = ((const FiloMatch *)a)->half, *right = ((const FiloMatch *)b)->half;
    if (left->table != right->table)
        return (left->table->id > right->table->id) - (left->table->id < right->table->id);
    return left->inactive - right->inactive;
}

// Tables have their new ids: brings a list of them into this order, without those that go.
static void sort_tables(FiloTableArray *tables) {
    size_t kept = 0;
    for (size_t i = 0; i < tables->count; i++)
        if (tables->items[i]->id != GONE) tables->items[kept++] = tables->items[i];
    tables->count = kept;
    if (kept > 1) qsort(tables->items, kept, sizeof *tables->items, by_id);
}

static void sort_matches(FiloQuery *query) {
    size_t kept = 0;
    for (size_t i = 0; i < query->match_count; i++) {
        const FiloMatch *match = filo_query_match(query, i);
        if (match->half->table->id == GONE) continue;
        if (i != kept) memcpy(filo_query_match(query, kept), match, query->match_size);
        kept++;
    }
    query->match_count = kept;
    if (query->matches != NULL) filo_query_end_matches(query);
    if (kept > 1) qsort(query->matches, kept, query->match_size, match_by_id);
}

// Makes these the tables of the world, in this order. All of them are its tables already.
static void set_tables(FiloWorld *world, FiloTable *const *tables, size_t count) {
    bool same = world->tables.count == count;
    for (size_t i = 0; same && i < count; i++) same = world->tables.items[i] == tables[i];
    if (same) return;
    filo_array_each (&world->tables, item) {
        filo_table_free_edges(world, *item); // they lead to tables that go, and know others by their ids
        (*item)->id = GONE;
    }
    for (size_t i = 0; i < count; i++) tables[i]->id = (uint32_t)i;
    filo_array_each (&world->components, item) sort_tables(&(*item)->tables);
    for (FiloQuery *query = world->queries; query != NULL; query = query->next) sort_matches(query);
    filo_array_each (&world->tables, item)
        if ((*item)->id == GONE) free_table(world, *item);
    world->tables.count = count;
    memmove(world->tables.items, tables, count * sizeof *tables);
    world->last_created = world->empty;
    world->recipe.half = world->recipe.half_required = NULL;
}

void filo_restore_drop_tables(FiloRestore *restore) {
    FiloWorld *world = restore->world;
    for (size_t i = 0; i < restore->blocks.count; i++)
        filo_block_give(&world->blocks, restore->blocks.items[i], restore->block_sizes.items[i]);
    set_tables(world, world->tables.items, restore->tables_before);
}

// ---- Putting back ---------------------------------------------------------------------------------------

static void destruct_half(const FiloHalf *half) {
    for (uint32_t i = 0; i < chunks_with_rows(half); i++) {
        uint32_t rows = i == half->tail ? half->tail_rows : half->chunk_rows;
        for (uint32_t k = 0; k < half->table->column_count; k++) {
            const FiloComponentData *component = half->table->data[k];
            if (component->info.hooks.destruct == NULL) continue;
            uint8_t *column = filo_chunk_column(half, half->chunks[i].base, k);
            for (uint32_t row = 0; row < rows; row++)
                filo_value_destruct(component, column + row * component->size);
        }
    }
}

// Columns that are more than the bytes of the snapshot.
static void restore_values(const FiloHalf *half, uint8_t *base, const uint8_t *image, uint32_t rows) {
    for (uint32_t k = 0; k < half->table->column_count; k++) {
        const FiloComponentData *component = half->table->data[k];
        if (component->plain && !component->info.transient) continue;
        uint8_t *column = filo_chunk_column(half, base, k);
        for (uint32_t row = 0; row < rows; row++) {
            uint8_t *value = column + row * component->size;
            filo_value_construct(component, value);
            if (!component->info.transient)
                filo_value_assign(component, value, image + half->offsets[k] + row * component->size);
        }
    }
}

static void restore_half(FiloRestore *restore, FiloHalf *half, const HalfList *list, size_t *next_block,
                         const FiloSection **section, bool whole) {
    FiloWorld *world = restore->world;
    const HalfImage *image = &list->image;
    uint32_t kept = reused(half, image);
    free_chunks(world, half, kept);
    while (half->chunk_count < image->chunk_count)
        half->chunks[half->chunk_count++].base = restore->blocks.items[(*next_block)++];
    half->chunk_rows = image->chunk_rows;
    half->capacity = image->chunk_rows * image->chunk_count;
    half->tail = image->tail;
    half->tail_rows = image->tail_rows;
    half->block_size = image->block_size;
    memcpy(half->offsets, list->offsets, half->table->column_count * sizeof *half->offsets);
    half->first_base = half->chunk_count > 0 ? half->chunks[0].base : NULL;
    filo_half_find_tail(half);
    filo_half_laid_out(world, half);
    for (uint32_t i = 0; i < half->chunk_count; i++) {
        FiloChunk *chunk = &half->chunks[i];
        chunk->id = list->ids[i];
        filo_asan_unpoison(chunk->base, half->block_size); // it may have had other rows
        ecs_place_set(world, chunk->id, chunk->base, half, i);
        if (i == half->tail) filo_half_find_tail(half);
        if (i >= chunks_with_rows(half)) { // a spare one
            memset(chunk->base, 0, filo_chunk_versions_size(half->table));
            continue;
        }
        const uint8_t *from = filo_snapshot_at(restore->snapshot, (*section)++);
        memcpy(chunk->base, from, half->block_size);
        if (!whole)
            restore_values(half, chunk->base, from, i == half->tail ? half->tail_rows : half->chunk_rows);
    }
}

static const FiloSection *first_chunk(const FiloSnapshot *snapshot) {
    filo_array_each (&snapshot->sections, section)
        if (filo_section_kind(section) == FILO_SECTION_CHUNK) return section;
    return NULL;
}

static void restore_directory(FiloRestore *restore) {
    FiloWorld *world = restore->world;
    const FiloImageHeader *header = restore->header;
    if (world->outside_end > 0) memset(world->outside, 0, world->outside_end * sizeof *world->outside);
    for (size_t i = 0; i < header->page_count; i++) {
        const FiloPageImage *image = page_image(restore, i);
        size_t first = i * FILO_PAGE_RECORDS;
        size_t count = FILO_MIN(header->index_end - first, (size_t)FILO_PAGE_RECORDS);
        memcpy(world->records + first, image->records, count * sizeof *image->records);
        for (size_t word = 0; word < (count + 63) / 64; word++)
            for (uint64_t rest = image->outside[word]; rest != 0; rest &= rest - 1) {
                size_t index = first + word * 64 + (size_t)__builtin_ctzll(rest);
                world->outside[index] = (uint16_t)filo_record_generation(&world->records[index]);
            }
    }
    world->index_end = header->index_end;
    world->free_first = header->free_first;
    world->free_last = header->free_last;
    world->free_count = header->free_count;
    world->entity_count = header->entity_count;
}

void filo_restore_commit_tables(FiloRestore *restore) {
    FiloWorld *world = restore->world;
    filo_array_each (&world->tables, item)
        if (!(*item)->plain) {
            destruct_half(&(*item)->halves[0]);
            destruct_half(&(*item)->halves[1]);
        }
    set_tables(world, restore->tables.items, restore->tables.count);
    restore_directory(restore);
    world->place_count = restore->header->place_count;
    const FiloSection *places =
        filo_snapshot_find(restore->snapshot, filo_section_key(FILO_SECTION_PLACES, 0));
    world->free_places.count = places->size / sizeof(uint32_t);
    if (places->size > 0)
        memcpy(world->free_places.items, filo_snapshot_at(restore->snapshot, places), places->size);

    Reader reader = list_of(restore->snapshot);
    const FiloSection *section = first_chunk(restore->snapshot);
    size_t next_block = 0;
    filo_array_each (&world->tables, item) {
        FiloTable *table = *item;
        take_words(&reader, 1 + table->column_count);
        bool whole = table->plain && !has_transient(table);
        for (int i = 0; i < 2; i++) {
            HalfList list = read_half(&reader, table->column_count);
            restore_half(restore, &table->halves[i], &list, &next_block, &section, whole);
        }
    }
}
