// Memory for meshoptimizer, which allocates by one function for the whole process and cannot be told that there is none.
//
// Before its functions are called, a pool is allocated that is large enough for all that they need, so that a lack of
// memory is noticed there. While the pool is open, calls of this thread take their memory from it. Calls of other threads,
// and of a game that uses meshoptimizer itself, get theirs from malloc.

#ifndef FILO_MODEL_MESH_MESHOPT_H
#define FILO_MODEL_MESH_MESHOPT_H

#include <filo/memory.h>

typedef struct ModelPool {
    const FiloAllocator *allocator;
    uint8_t *memory;
    size_t size, used, peak;
} ModelPool;

// Opens a pool for meshes of up to `vertices` and `indices` on this thread. False without memory. The pool must not move
// until it is closed.
bool model_pool_open(ModelPool *pool, size_t vertices, size_t indices, const FiloAllocator *allocator);
void model_pool_close(ModelPool *pool);

#endif
