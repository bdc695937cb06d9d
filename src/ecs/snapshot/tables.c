// Tables in snapshots.
//
// Chunks are copied as memory, and restored into chunks of the same layout with the same ids, so that the directory,
// which refers to them, can be copied as it is. The order of tables is a part of the state, because queries iterate
// in it: tables that the snapshot does not have are removed, and the others are brought into its order.
//
// The section of tables has, for each table, the number of columns and the components; and for each partition a
// SnapshotPartition, the offsets of its columns, and the ids of its chunks.
//
// Of a double-buffered component only the visible column is copied, always to the first of its two offsets
// (ecs_partition_first_offset); the other one has zeroes. So a snapshot does not depend on how often the columns changed
// places, and a history, which stores differences of bytes, finds the values of the tick before at the same offset.

#include "ecs/storage/tables.h"
#include "base/asan.h"
#include "ecs/query/query.h"
#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/rows.h"

#include <stdlib.h>

typedef struct SnapshotPartition {
    uint32_t chunk_rows, chunk_count, tail, tail_rows, block_size;
} SnapshotPartition;
#define PARTITION_WORDS (sizeof(SnapshotPartition) / sizeof(uint32_t))
_Static_assert(ECS_NEW_TABLES_WORDS == 1 + 2 * PARTITION_WORDS, "one table without components and chunks");

static uint64_t chunk_key(const EcsTable *table, int partition, uint32_t ordinal) {
    return ecs_section_key(ECS_SECTION_CHUNK,
                           (uint64_t)table->id << 20 | (uint64_t)(partition == 1) << 19 | ordinal);
}

// Whether chunks are copied as memory, all of it.
static bool is_whole(const EcsTable *table) {
    if (!table->plain || table->doubled) return false;
    for (uint32_t i = 0; i < table->column_count; i++)
        if (table->data[i]->info.transient) return false;
    return true;
}

// ---- Taking ---------------------------------------------------------------------------------------------

static size_t table_words(const EcsTable *table) {
    size_t words = 1 + table->column_count;
    for (int i = 0; i < 2; i++)
        words += PARTITION_WORDS + table->column_count + table->partitions[i].chunk_count;
    return words;
}

static uint32_t *write_words(uint32_t *to, const void *from, size_t count) {
    if (count > 0) memcpy(to, from, count * sizeof *to);
    return to + count;
}

static void write_list(EcsSnapshotWriter *writer) {
    const FiloWorld *world = writer->world;
    size_t words = 0;
    filo_array_each (&world->tables, item) words += table_words(*item);
    uint32_t *to = (void *)ecs_snapshot_section(writer, ecs_section_key(ECS_SECTION_TABLES, 0),
                                                words * sizeof(uint32_t));
    if (to == NULL) return;
    filo_array_each (&world->tables, item) {
        const EcsTable *table = *item;
        *to++ = table->column_count;
        to = write_words(to, table->components, table->column_count);
        for (int i = 0; i < 2; i++) {
            const EcsPartition *partition = &table->partitions[i];
            SnapshotPartition header = { partition->chunk_rows, partition->chunk_count, partition->tail,
                                         partition->tail_rows, (uint32_t)partition->block_size };
            to = write_words(to, &header, PARTITION_WORDS);
            for (uint32_t c = 0; c < table->column_count; c++)
                *to++ = ecs_partition_first_offset(partition, c);
            for (uint32_t c = 0; c < partition->chunk_count; c++) *to++ = partition->chunks[c].id;
        }
    }
}

// Copies the parts of a chunk that are in use, and zeroes for the rest, so that equal chunks have equal sections.
static void copy_parts(EcsSnapshotWriter *writer, const EcsPartition *partition, uint8_t *to, uint8_t *base,
                       uint32_t rows) {
    const EcsTable *table = partition->table;
    memset(to, 0, partition->block_size);
    memcpy(to, base, ecs_chunk_versions_size(table));
    memcpy(to + partition->indices, ecs_chunk_indices(partition, base), rows * sizeof(uint32_t));
    for (uint32_t i = 0; i < table->column_count; i++) {
        const EcsComponentData *component = table->data[i];
        if (component->info.transient || component->size == 0) continue;
        const uint8_t *column = ecs_chunk_column(partition, base, i);
        if (component->plain)
            memcpy(to + ecs_partition_first_offset(partition, i), column, rows * component->size);
        else
            ecs_snapshot_copy_values(writer, component, to + partition->offsets[i], column, rows);
    }
}

static void write_partition(EcsSnapshotWriter *writer, const EcsTable *table, int which, bool whole) {
    const EcsPartition *partition = &table->partitions[which];
    for (uint32_t i = 0; i < ecs_partition_used_chunks(partition); i++) {
        uint8_t *to = ecs_snapshot_section(writer, chunk_key(table, which, i), partition->block_size);
        uint32_t rows = ecs_partition_rows_in(partition, i);
        for (uint32_t k = 0; k < table->column_count && !table->plain; k++)
            if (!table->data[k]->plain && !table->data[k]->info.transient)
                ecs_snapshot_count_hooks(writer, table->data[k]);
        if (to == NULL) continue;
        if (whole && rows == partition->chunk_rows)
            memcpy(to, partition->chunks[i].base, partition->block_size);
        else
            copy_parts(writer, partition, to, partition->chunks[i].base, rows);
    }
}

void ecs_snapshot_write_tables(EcsSnapshotWriter *writer) {
    const FiloWorld *world = writer->world;
    uint8_t *free_chunk_ids = ecs_snapshot_section(writer, ecs_section_key(ECS_SECTION_CHUNK_IDS, 0),
                                                   world->free_chunk_ids.count * sizeof(uint32_t));
    if (free_chunk_ids != NULL)
        memcpy(free_chunk_ids, world->free_chunk_ids.items, world->free_chunk_ids.count * sizeof(uint32_t));
    write_list(writer);
    filo_array_each (&world->tables, item) {
        bool whole = is_whole(*item);
        write_partition(writer, *item, 0, whole);
        write_partition(writer, *item, 1, whole);
    }
}

// ---- Reading the list -----------------------------------------------------------------------------------

typedef struct Reader {
    const uint32_t *at;
} Reader;

typedef struct SavedPartition {
    SnapshotPartition header;
    const uint32_t *offsets, *ids;
} SavedPartition;

static const uint32_t *take_words(Reader *reader, size_t count) {
    const uint32_t *words = reader->at;
    reader->at += count;
    return words;
}

static SavedPartition read_partition(Reader *reader, uint32_t column_count) {
    SavedPartition saved;
    memcpy(&saved.header, take_words(reader, PARTITION_WORDS), sizeof saved.header);
    saved.offsets = take_words(reader, column_count);
    saved.ids = take_words(reader, saved.header.chunk_count);
    return saved;
}

static Reader list_of(const FiloSnapshot *snapshot) {
    const EcsSection *section = ecs_snapshot_find(snapshot, ecs_section_key(ECS_SECTION_TABLES, 0));
    return (Reader){ ecs_snapshot_bytes(snapshot, section) };
}

// ---- Preparing ------------------------------------------------------------------------------------------

// How many chunks of a partition are used again.
static uint32_t reused_chunks(const EcsPartition *partition, const SnapshotPartition *header) {
    return partition->block_size == header->block_size ? FILO_MIN(partition->chunk_count, header->chunk_count)
                                                       : 0;
}

static bool prepare_partition(EcsRestore *restore, EcsPartition *partition, const SnapshotPartition *header) {
    FiloWorld *world = restore->world;
    if (header->chunk_count > partition->chunk_capacity) {
        EcsChunk *chunks =
            filo_resize(world->allocator, partition->chunks, partition->chunk_capacity * sizeof *chunks,
                        header->chunk_count * sizeof *chunks, 0);
        if (chunks == NULL) return false;
        partition->chunks = chunks;
        partition->chunk_capacity = header->chunk_count;
    }
    for (uint32_t i = reused_chunks(partition, header); i < header->chunk_count; i++) {
        if (!filo_array_push(&restore->block_sizes, header->block_size)) return false;
        void *block = ecs_block_alloc(&world->blocks, header->block_size);
        if (block == NULL || !filo_array_push(&restore->blocks, block)) {
            ecs_block_free(&world->blocks, block, header->block_size);
            return false;
        }
    }
    return true;
}

static bool reserve_chunk_ids(EcsRestore *restore) {
    FiloWorld *world = restore->world;
    uint32_t wanted = restore->header->chunk_id_end;
    if (wanted > world->chunk_capacity) {
        EcsChunkInfo *chunks =
            filo_resize(world->allocator, world->chunks, world->chunk_capacity * sizeof *chunks,
                        wanted * sizeof *chunks, 0);
        if (chunks == NULL) return false;
        world->chunks = chunks;
        world->chunk_capacity = wanted;
    }
    // As in table.c: every id can be free at once.
    return world->free_chunk_ids.capacity >= world->chunk_capacity ||
           filo_array_reserve(&world->free_chunk_ids, world->chunk_capacity);
}

static const EcsSnapshotPage *page_at(const EcsRestore *restore, size_t page) {
    const EcsSection *first = ecs_snapshot_find(restore->snapshot, ecs_section_key(ECS_SECTION_PAGE, 0));
    return ecs_snapshot_bytes(restore->snapshot, first + page);
}

// The end of the indices that are marked as having a component outside of tables.
static size_t outside_end(const EcsRestore *restore) {
    for (size_t page = restore->header->page_count; page-- > 0;) {
        const EcsSnapshotPage *saved = page_at(restore, page);
        for (size_t word = ECS_PAGE_RECORDS / 64; word-- > 0;)
            if (saved->outside[word] != 0) return page * ECS_PAGE_RECORDS + (word + 1) * 64;
    }
    return 0;
}

bool ecs_restore_prepare_tables(EcsRestore *restore) {
    FiloWorld *world = restore->world;
    uint64_t end = restore->header->index_end;
    if (end > 0 && !ecs_directory_reserve_at(world, (uint32_t)end - 1)) return false;
    if (!ecs_outside_reserve(world, outside_end(restore)) || !reserve_chunk_ids(restore)) return false;
    if (!filo_array_reserve(&restore->tables, restore->header->table_count)) return false;
    Reader reader = list_of(restore->snapshot);
    for (uint32_t i = 0; i < restore->header->table_count; i++) {
        uint32_t column_count = *take_words(&reader, 1);
        const uint32_t *components = take_words(&reader, column_count);
        EcsTable *table = ecs_table_of(world, components, column_count);
        if (table == NULL) return false;
        (void)filo_array_push(&restore->tables, table); // cannot fail: memory is reserved
        for (int k = 0; k < 2; k++) {
            SavedPartition saved = read_partition(&reader, column_count);
            if (!prepare_partition(restore, &table->partitions[k], &saved.header)) return false;
        }
    }
    return true;
}

// ---- The order of tables --------------------------------------------------------------------------------

// Frees chunks until `count` are left.
static void free_chunks(FiloWorld *world, EcsPartition *partition, uint32_t count) {
    while (partition->chunk_count > count)
        ecs_block_free(&world->blocks, partition->chunks[--partition->chunk_count].base,
                       partition->block_size);
    partition->capacity = partition->chunk_count * partition->chunk_rows;
}

static void free_table(FiloWorld *world, EcsTable *table) {
    EcsTable **first = filo_map_get(&world->table_by_hash, table->hash);
    while (*first != table) first = &(*first)->same_hash;
    *first = table->same_hash;
    EcsTable **slot = filo_map_get(&world->table_by_hash, table->hash);
    if (*slot == NULL) filo_map_remove(&world->table_by_hash, table->hash);
    for (int i = 0; i < 2; i++) {
        EcsPartition *partition = &table->partitions[i];
        free_chunks(world, partition, 0);
        filo_free(world->allocator, partition->chunks, partition->chunk_capacity * sizeof *partition->chunks,
                  0);
    }
    ecs_table_free_edges(world, table);
    ecs_table_free_memory(world, table);
}

#define REMOVED UINT32_MAX // the id of a table that is about to be freed

static int compare_ids(const void *a, const void *b) {
    uint32_t left = (*(EcsTable *const *)a)->id, right = (*(EcsTable *const *)b)->id;
    return (left > right) - (left < right);
}

static int compare_matches(const void *a, const void *b) {
    const EcsPartition *left = ((const EcsMatch *)a)->partition, *right = ((const EcsMatch *)b)->partition;
    if (left->table != right->table)
        return (left->table->id > right->table->id) - (left->table->id < right->table->id);
    return left->inactive - right->inactive;
}

// Tables have their new ids: sorts a list of them by these, without those that are removed.
static void sort_tables(EcsTableArray *tables) {
    size_t left = 0;
    for (size_t i = 0; i < tables->count; i++)
        if (tables->items[i]->id != REMOVED) tables->items[left++] = tables->items[i];
    tables->count = left;
    if (left > 1) qsort(tables->items, left, sizeof *tables->items, compare_ids);
}

static void sort_matches(FiloQuery *query) {
    size_t left = 0;
    for (size_t i = 0; i < query->match_count; i++) {
        const EcsMatch *match = ecs_query_match(query, i);
        if (match->partition->table->id == REMOVED) continue;
        if (i != left) memcpy(ecs_query_match(query, left), match, query->match_size);
        left++;
    }
    query->match_count = left;
    if (query->matches != NULL) ecs_query_pad_matches(query);
    if (left > 1) qsort(query->matches, left, query->match_size, compare_matches);
}

// Makes these the tables of the world, in this order, and removes all others. All of them are its tables already.
static void set_tables(FiloWorld *world, EcsTable *const *tables, size_t count) {
    bool same = world->tables.count == count;
    for (size_t i = 0; same && i < count; i++) same = world->tables.items[i] == tables[i];
    if (same) return;
    filo_array_each (&world->tables, item) {
        ecs_table_free_edges(world, *item); // they lead to tables that are removed, and refer to others by id
        (*item)->id = REMOVED;
    }
    for (size_t i = 0; i < count; i++) tables[i]->id = (uint32_t)i;
    filo_array_each (&world->components, item) sort_tables(&(*item)->tables);
    for (FiloQuery *query = world->queries; query != NULL; query = query->next) sort_matches(query);
    filo_array_each (&world->tables, item)
        if ((*item)->id == REMOVED) free_table(world, *item);
    world->tables.count = count;
    memmove(world->tables.items, tables, count * sizeof *tables);
    world->create_cache.partition = NULL;
}

void ecs_restore_drop_tables(EcsRestore *restore) {
    FiloWorld *world = restore->world;
    for (size_t i = 0; i < restore->blocks.count; i++)
        ecs_block_free(&world->blocks, restore->blocks.items[i], restore->block_sizes.items[i]);
    set_tables(world, world->tables.items, restore->tables_before);
}

// ---- Restoring ------------------------------------------------------------------------------------------

static void destruct_partition(const EcsPartition *partition) {
    for (uint32_t i = 0; i < ecs_partition_used_chunks(partition); i++) {
        uint32_t rows = ecs_partition_rows_in(partition, i);
        for (uint32_t k = 0; k < partition->table->column_count; k++) {
            const EcsComponentData *component = partition->table->data[k];
            if (component->info.hooks.destruct == NULL) continue;
            uint8_t *column = ecs_chunk_column(partition, partition->chunks[i].base, k);
            for (uint32_t row = 0; row < rows; row++)
                ecs_value_destruct(component, column + row * component->size);
        }
    }
}

// Constructs the columns that cannot be restored as memory: transient ones, and those with hooks.
static void restore_values(const EcsPartition *partition, uint8_t *base, const uint8_t *saved,
                           uint32_t rows) {
    for (uint32_t k = 0; k < partition->table->column_count; k++) {
        const EcsComponentData *component = partition->table->data[k];
        if (component->plain && !component->info.transient) continue;
        uint8_t *column = ecs_chunk_column(partition, base, k);
        for (uint32_t row = 0; row < rows; row++) {
            uint8_t *value = column + row * component->size;
            ecs_value_construct(component, value);
            if (!component->info.transient)
                ecs_value_assign(component, value, saved + partition->offsets[k] + row * component->size);
        }
    }
}

static void restore_partition(EcsRestore *restore, EcsPartition *partition, const SavedPartition *saved,
                              size_t *next_block, const EcsSection **section, bool whole) {
    FiloWorld *world = restore->world;
    const SnapshotPartition *header = &saved->header;
    free_chunks(world, partition, reused_chunks(partition, header));
    while (partition->chunk_count < header->chunk_count)
        partition->chunks[partition->chunk_count++].base = restore->blocks.items[(*next_block)++];
    partition->chunk_rows = header->chunk_rows;
    partition->capacity = header->chunk_rows * header->chunk_count;
    partition->tail = header->tail;
    partition->tail_rows = header->tail_rows;
    partition->block_size = header->block_size;
    memcpy(partition->offsets, saved->offsets, partition->table->column_count * sizeof *partition->offsets);
    ecs_partition_reset_hidden(partition);
    partition->first_base = partition->chunk_count > 0 ? partition->chunks[0].base : NULL;
    ecs_partition_update_tail(partition);
    ecs_partition_update_layout(world, partition);
    for (uint32_t i = 0; i < partition->chunk_count; i++) {
        EcsChunk *chunk = &partition->chunks[i];
        chunk->id = saved->ids[i];
        base_asan_unpoison(chunk->base, partition->block_size); // it may have had other rows
        ecs_chunk_info_set(world, chunk->id, chunk->base, partition, i);
        if (i == partition->tail) ecs_partition_update_tail(partition);
        if (i >= ecs_partition_used_chunks(partition)) { // a spare one
            memset(chunk->base, 0, ecs_chunk_versions_size(partition->table));
            ecs_hidden_poison(partition, chunk->base);
            continue;
        }
        const uint8_t *from = ecs_snapshot_bytes(restore->snapshot, (*section)++);
        memcpy(chunk->base, from, partition->block_size);
        if (!whole) restore_values(partition, chunk->base, from, ecs_partition_rows_in(partition, i));
        ecs_hidden_poison(partition, chunk->base);
    }
}

static const EcsSection *first_chunk(const FiloSnapshot *snapshot) {
    filo_array_each (&snapshot->sections, section)
        if (ecs_section_kind(section) == ECS_SECTION_CHUNK) return section;
    return NULL;
}

static void restore_directory(EcsRestore *restore) {
    FiloWorld *world = restore->world;
    const EcsSnapshotHeader *header = restore->header;
    if (world->outside_end > 0) memset(world->outside, 0, world->outside_end * sizeof *world->outside);
    for (size_t i = 0; i < header->page_count; i++) {
        const EcsSnapshotPage *saved = page_at(restore, i);
        size_t first = i * ECS_PAGE_RECORDS;
        size_t count = FILO_MIN(header->index_end - first, (size_t)ECS_PAGE_RECORDS);
        memcpy(world->records + first, saved->records, count * sizeof *saved->records);
        for (size_t word = 0; word < (count + 63) / 64; word++)
            for (uint64_t rest = saved->outside[word]; rest != 0; rest &= rest - 1) {
                size_t index = first + word * 64 + (size_t)__builtin_ctzll(rest);
                world->outside[index] = (uint16_t)ecs_record_generation(&world->records[index]);
            }
    }
    world->index_end = header->index_end;
    world->free_first = header->free_first;
    world->free_last = header->free_last;
    world->free_count = header->free_count;
    world->entity_count = header->entity_count;
}

void ecs_restore_commit_tables(EcsRestore *restore) {
    FiloWorld *world = restore->world;
    filo_array_each (&world->tables, item)
        if (!(*item)->plain) {
            destruct_partition(&(*item)->partitions[0]);
            destruct_partition(&(*item)->partitions[1]);
        }
    set_tables(world, restore->tables.items, restore->tables.count);
    restore_directory(restore);
    world->chunk_end = restore->header->chunk_id_end;
    const EcsSection *chunks =
        ecs_snapshot_find(restore->snapshot, ecs_section_key(ECS_SECTION_CHUNK_IDS, 0));
    world->free_chunk_ids.count = chunks != NULL ? chunks->size / sizeof(uint32_t) : 0;
    if (world->free_chunk_ids.count > 0)
        memcpy(world->free_chunk_ids.items, ecs_snapshot_bytes(restore->snapshot, chunks), chunks->size);

    Reader reader = list_of(restore->snapshot);
    const EcsSection *section = first_chunk(restore->snapshot);
    size_t next_block = 0;
    filo_array_each (&world->tables, item) {
        EcsTable *table = *item;
        take_words(&reader, 1 + table->column_count);
        bool whole = is_whole(table);
        for (int i = 0; i < 2; i++) {
            SavedPartition saved = read_partition(&reader, table->column_count);
            restore_partition(restore, &table->partitions[i], &saved, &next_block, &section, whole);
        }
    }
}
