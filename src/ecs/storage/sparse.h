// A sparse set: a dense list of entities and values, and an index from entity index to row.

#ifndef FILO_ECS_STORAGE_SPARSE_H
#define FILO_ECS_STORAGE_SPARSE_H

#include <filo/memory.h>
#include <filo/types.h>

typedef struct EcsSparse {
    uint32_t *slots;      // by entity index: row + 1; 0: not in the list
    FiloEntity *entities; // [count]; a row that is removed is filled by the last row
    uint8_t *values;      // [count × size]
    uint32_t slot_count;
    uint32_t count, capacity;
    uint32_t align;
    size_t size;
    const FiloAllocator *allocator;
} EcsSparse;

#endif
