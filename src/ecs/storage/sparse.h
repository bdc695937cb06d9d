// A sparse set: a dense list of entities and values, and by entity index the row in it.

#ifndef FILO_ECS_STORAGE_SPARSE_H
#define FILO_ECS_STORAGE_SPARSE_H

#include <filo/memory.h>
#include <filo/types.h>

typedef struct EcsSparse {
    uint32_t *slots; // by entity index: row + 1; 0: not in the list
    FiloEntity *
        entities; // [count], in the order of adding, except that the last one fills the row of one that leaves
    uint8_t *values; // [count × size]
    uint32_t slot_count;
    uint32_t count, capacity;
    uint32_t align;
    size_t size;
    const FiloAllocator *allocator;
} EcsSparse;

#endif
