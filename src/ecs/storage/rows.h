// Copying and moving values and rows, inline: plain data by size, the rest by hooks.

#ifndef FILO_ECS_STORAGE_ROWS_H
#define FILO_ECS_STORAGE_ROWS_H

#include "ecs/storage/tables.h"

// memcpy without a call for the most frequent sizes of components.
static inline void ecs_bytes_copy(void *to, const void *from, size_t size) {
    switch (size) {
    case 0: break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    case 12: memcpy(to, from, 12); break;
    case 16: memcpy(to, from, 16); break;
    case 24: memcpy(to, from, 24); break;
    case 32: memcpy(to, from, 32); break;
    default: memcpy(to, from, size); break;
    }
}

// Moves values to memory that holds none.
static inline void ecs_rows_move(const EcsComponentData *component, uint8_t *to, uint8_t *from,
                                 size_t count) {
    const FiloComponentHooks *hooks = &component->info.hooks;
    if (FILO_LIKELY(hooks->move == NULL)) {
        memcpy(to, from, count * component->size);
        return;
    }
    for (size_t i = 0; i < count; i++)
        hooks->move(to + i * component->size, from + i * component->size, hooks->user);
}

// Sets a value to the default value of the component, without the construct hook.
static inline void ecs_value_set_default(const EcsComponentData *component, void *to) {
    if (component->default_value != NULL) {
        ecs_bytes_copy(to, component->default_value, component->size);
        return;
    }
    switch (component->size) {
    case 0: break;
    case 4: memset(to, 0, 4); break;
    case 8: memset(to, 0, 8); break;
    case 16: memset(to, 0, 16); break;
    default: memset(to, 0, component->size); break;
    }
}

static inline void ecs_value_construct(const EcsComponentData *component, void *to) {
    const FiloComponentHooks *hooks = &component->info.hooks;
    ecs_value_set_default(component, to);
    if (FILO_UNLIKELY(hooks->construct != NULL)) hooks->construct(to, hooks->user);
}

static inline void ecs_value_destruct(const EcsComponentData *component, void *value) {
    const FiloComponentHooks *hooks = &component->info.hooks;
    if (FILO_UNLIKELY(hooks->destruct != NULL)) hooks->destruct(value, hooks->user);
}

static inline void ecs_value_assign(const EcsComponentData *component, void *to, const void *from) {
    const FiloComponentHooks *hooks = &component->info.hooks;
    if (FILO_UNLIKELY(hooks->copy != NULL))
        hooks->copy(to, from, hooks->user);
    else
        ecs_bytes_copy(to, from, component->size);
}

// A temporary copy, from which another value is assigned later. Without a copy hook it is a copy of the bytes, which
// owns nothing: it is not constructed and not destructed.
static inline void ecs_value_begin_temporary(const EcsComponentData *component, void *temporary,
                                             const void *value) {
    if (FILO_UNLIKELY(component->info.hooks.copy != NULL)) ecs_value_construct(component, temporary);
    ecs_value_assign(component, temporary, value);
}

static inline void ecs_value_end_temporary(const EcsComponentData *component, void *temporary) {
    if (FILO_UNLIKELY(component->info.hooks.copy != NULL)) ecs_value_destruct(component, temporary);
}

// ---- Rows of tables -----------------------------------------------------------------------------------

// The part of ecs_row_fill_gap for columns of other sizes than 8 and 4, or with move hooks.
void ecs_row_fill_gap_rest(const EcsPartition *partition, uint8_t *base, uint32_t row, uint8_t *tail,
                           uint32_t last);

// Moves the last row of a partition into a gap, and updates the record of its entity.
static inline void ecs_row_fill_gap(FiloWorld *world, EcsPartition *partition, uint8_t *base, uint32_t row,
                                    uint8_t *tail, uint32_t last, uint32_t location) {
    const EcsTable *table = partition->table;
    uint32_t moved = ecs_chunk_indices(partition, tail)[last];
    ecs_chunk_indices(partition, base)[row] = moved;
    ecs_record_set_location(ecs_record(world, moved), location);
    if (FILO_LIKELY(table->movable)) {
        const uint32_t *offset = partition->size_offsets, *end_8 = offset + table->by_size_8,
                       *end_4 = end_8 + table->by_size_4;
        for (; offset != end_8; offset++)
            memcpy(base + *offset + (size_t)row * 8, tail + *offset + (size_t)last * 8, 8);
        for (; offset != end_4; offset++)
            memcpy(base + *offset + (size_t)row * 4, tail + *offset + (size_t)last * 4, 4);
    }
    if (FILO_UNLIKELY(table->has_rest)) ecs_row_fill_gap_rest(partition, base, row, tail, last);
}

// Removes a row: the last row of the partition fills the gap. Values are not destructed.
static inline void ecs_partition_remove(FiloWorld *world, EcsPartition *partition, uint8_t *base,
                                        uint32_t location) {
    uint32_t row = ecs_row_of(location), last = partition->tail_rows - 1;
    uint8_t *tail = partition->tail_base;
    ecs_chunk_mark_changed(world, base);
    if (base != tail || row != last) {
        ecs_chunk_mark_changed(world, tail);
        ecs_row_fill_gap(world, partition, base, row, tail, last, location);
    }
    ecs_rows_poison(partition, tail, last, 1);
    partition->tail_rows = last;
    if (FILO_UNLIKELY(last == 0) && partition->tail > 0) ecs_partition_retreat(world, partition);
}

// Copies the columns that both tables have, between rows of the partitions that the edge is resolved for.
static inline __attribute__((always_inline)) void ecs_row_copy(const EcsEdge *edge, const uint8_t *from_base,
                                                               uint32_t from_row, uint8_t *base,
                                                               uint32_t row) {
    const uint32_t *offset = edge->offsets, *end_8 = edge->end_8, *end_4 = edge->end_4;
    for (; offset != end_8; offset += 2)
        memcpy(base + offset[1] + (size_t)row * 8, from_base + offset[0] + (size_t)from_row * 8, 8);
    for (; offset != end_4; offset += 2)
        memcpy(base + offset[1] + (size_t)row * 4, from_base + offset[0] + (size_t)from_row * 4, 4);
    if (FILO_LIKELY(!edge->has_rest)) return;
    for (uint32_t i = edge->copy_8 + edge->copy_4; i < edge->copy_count; i++, offset += 2) {
        size_t size = edge->copies[i].size;
        ecs_bytes_copy(base + offset[1] + row * size, from_base + offset[0] + from_row * size, size);
    }
}

// Sets the new columns of a row to their default values.
static inline void ecs_row_construct_added(const EcsEdge *edge, const EcsPartition *to, uint8_t *base,
                                           uint32_t row) {
    const EcsTable *table = edge->to;
    for (uint32_t i = 0; i < edge->added_count; i++) {
        uint32_t column = edge->added[i];
        ecs_value_construct(table->data[column],
                            base + to->offsets[column] + (size_t)row * table->sizes[column]);
    }
}

// Moves a row along any edge: copies common columns, destructs dropped ones and constructs new ones. The old row holds
// no values afterwards, but is still counted.
static inline __attribute__((always_inline)) void ecs_row_move_inline(const EcsEdge *edge,
                                                                      const EcsPartition *from,
                                                                      uint8_t *from_base, uint32_t from_row,
                                                                      const EcsPartition *to, uint8_t *base,
                                                                      uint32_t row) {
    if (FILO_LIKELY(ecs_edge_resolved(edge, from, to)))
        ecs_row_copy(edge, from_base, from_row, base, row);
    else
        ecs_row_move_slow(edge, from, from_base, from_row, to, base, row);
    if (FILO_UNLIKELY((edge->special & ECS_EDGE_DESTRUCTS) != 0))
        ecs_row_destruct_dropped(edge, from, from_base, from_row);
    ecs_row_construct_added(edge, to, base, row);
}

#endif
