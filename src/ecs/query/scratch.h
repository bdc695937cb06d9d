// Scratch memory of iterations and sorting, which the world reuses. Any thread.

#ifndef FILO_ECS_QUERY_SCRATCH_H
#define FILO_ECS_QUERY_SCRATCH_H

#include "ecs/world.h"

// Pointers to the values of rows that are not in one array.
#define ECS_GATHER_ROWS 256
struct EcsGather {
    void *pointers[FILO_TERMS][ECS_GATHER_ROWS]; // to the value of each term and row
    uint32_t indices[ECS_GATHER_ROWS];           // entity index of each row
    uint32_t rows[ECS_GATHER_ROWS];              // row in the part of a chunk, or location (leading.c)
    EcsGather *next_free, *next_all;
};

// The memory to sort in follows this header.
struct EcsSortScratch {
    EcsSortScratch *next_free;
    size_t size; // bytes, including the header
};

// Reserves an EcsGather for each of `count` iterations at once. False without memory.
bool ecs_gathers_reserve(FiloWorld *world, size_t count);
// NULL without memory.
EcsGather *ecs_gather_acquire(FiloWorld *world);
void ecs_gather_release(FiloWorld *world, EcsGather *gather);
// NULL without memory.
void *ecs_sort_scratch_acquire(FiloWorld *world, size_t size);
void ecs_sort_scratch_release(FiloWorld *world, void *memory);
void ecs_scratch_deinit(FiloWorld *world);

#endif
