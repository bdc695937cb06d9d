// Next values: systems with FILO_ACCESS_WRITE_NEXT write the hidden columns of double-buffered components. At the end of
// the stage the visible and hidden columns of the partitions that match change places.
//
// Debug builds check that the present values do not change during the stage, and that each next value is written. A
// hidden column is filled with ECS_POISON whenever no system runs, so a row that consists of it afterwards was not
// written.

#include "base/asan.h"
#include "ecs/query/query.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/tables.h"

#ifndef NDEBUG

#    include <filo/hash.h>

#    define CHECKED_SIZE 4 // bytes; a smaller value may be equal to the poison by chance

// Used chunks of a partition that has rows, and their rows.
static uint32_t rows_in(const EcsPartition *partition, uint32_t chunk) {
    return chunk < partition->tail ? partition->chunk_rows : partition->tail_rows;
}

static uint64_t hash_present(const FiloQuery *query, uint32_t term) {
    uint64_t hash = 0;
    for (size_t i = 0; i < query->match_count; i++) {
        const EcsMatch *match = ecs_query_match(query, i);
        const EcsPartition *partition = match->partition;
        for (uint32_t k = 0; k <= partition->tail && partition->tail_rows > 0; k++) {
            const uint8_t *column =
                ecs_chunk_column(partition, partition->chunks[k].base, match->terms[term].column);
            size_t size = rows_in(partition, k) * query->terms[term].component->size;
            hash = filo_hash_combine(hash, filo_hash(column, size));
        }
    }
    return hash;
}

// Makes the hidden columns accessible.
static void unpoison(const FiloQuery *query, uint32_t term) {
    for (size_t i = 0; i < query->match_count; i++) {
        const EcsMatch *match = ecs_query_match(query, i);
        const EcsPartition *partition = match->partition;
        for (uint32_t k = 0; k <= partition->tail && partition->tail_rows > 0; k++)
            base_asan_unpoison(partition->chunks[k].base + partition->next_offsets[match->terms[term].column],
                               rows_in(partition, k) * query->terms[term].component->size);
    }
}

static bool is_poison(const uint8_t *value, size_t size) {
    return value[0] == ECS_POISON && memcmp(value, value + 1, size - 1) == 0;
}

// The first row of a chunk that was not written; its number of rows if there is none.
static uint32_t first_unwritten(const uint8_t *column, size_t size, uint32_t rows) {
    uint32_t row = 0;
    while (row < rows && !is_poison(column + row * size, size)) row++;
    return row;
}

static void check_written(const EcsSystem *system, uint32_t term) {
    const FiloQuery *query = system->query;
    const EcsComponentData *component = query->terms[term].component;
    for (size_t i = 0; i < query->match_count && component->size >= CHECKED_SIZE; i++) {
        const EcsMatch *match = ecs_query_match(query, i);
        const EcsPartition *partition = match->partition;
        for (uint32_t k = 0; k <= partition->tail && partition->tail_rows > 0; k++) {
            const uint8_t *base = partition->chunks[k].base;
            uint32_t rows = rows_in(partition, k);
            uint32_t row = first_unwritten(base + partition->next_offsets[match->terms[term].column],
                                           component->size, rows);
            if (row == rows) continue;
            (void)FILO_CHECK(false,
                             "system \"%s\" did not write the next %s of entity %u: write every row of "
                             "filo_write_next",
                             system->name, component->info.name, ecs_chunk_indices(partition, base)[row]);
            return;
        }
    }
}

void ecs_next_begin(FiloWorld *world) {
    const EcsSchedule *schedule = world->schedule;
    for (size_t n = 0; n < schedule->work_count; n++) {
        EcsSystem *system = schedule->work.items[n].system;
        for (uint32_t i = 0; system->writes_next && i < system->query->term_count; i++) {
            if (system->query->terms[i].access != FILO_ACCESS_WRITE_NEXT) continue;
            system->present_hash[i] = hash_present(system->query, i);
            unpoison(system->query, i);
        }
    }
}

static void check(const EcsSystem *system) {
    for (uint32_t i = 0; i < system->query->term_count; i++) {
        if (system->query->terms[i].access != FILO_ACCESS_WRITE_NEXT) continue;
        (void)FILO_CHECK(
            system->present_hash[i] == hash_present(system->query, i),
            "system \"%s\", or another one of its stage, changed the present %s, which is only read "
            "there: write to filo_write_next",
            system->name, system->query->terms[i].component->info.name);
        check_written(system, i);
    }
}

#else

static void check(const EcsSystem *system) { FILO_UNUSED(system); }

#endif

// Exchanges the columns of all components whose next value the system wrote.
static void swap(FiloWorld *world, const EcsSystem *system) {
    const FiloQuery *query = system->query;
    for (size_t i = 0; i < query->match_count; i++) {
        const EcsMatch *match = ecs_query_match(query, i);
        if (match->partition->tail_rows == 0) continue;
        uint16_t columns[FILO_TERMS];
        uint32_t count = 0;
        for (uint32_t k = 0; k < query->term_count; k++)
            if (query->terms[k].access == FILO_ACCESS_WRITE_NEXT) columns[count++] = match->terms[k].column;
        ecs_partition_swap(world, match->partition, columns, count);
    }
}

void ecs_next_end(FiloWorld *world) {
    const EcsSchedule *schedule = world->schedule;
    bool changed = false;
    for (size_t i = 0; i < schedule->work_count; i++) {
        const EcsSystem *system = schedule->work.items[i].system;
        if (!system->writes_next) continue;
        check(system);
        // A later version than that of the stage, in which all systems still read the values from before.
        if (!changed) world->version++;
        changed = true;
        swap(world, system);
    }
}
