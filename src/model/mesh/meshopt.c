// Memory for meshoptimizer: see meshopt.h.

#include "model/mesh/meshopt.h"

#include <filo/check.h>
#include <filo/threads.h>

#include <meshoptimizer.h>
#include <stdlib.h>

// The function that needs most is meshopt_simplify: about 100 bytes for a vertex and 28 for an index.
#define VERTEX_BYTES 160
#define INDEX_BYTES  64
#define FIXED_BYTES  FILO_KIB(64)

static _Thread_local ModelPool *current;

static void *allocate(size_t size) {
    ModelPool *pool = current;
    size_t rounded = FILO_ALIGN_UP(size, (size_t)16);
    if (pool != NULL && rounded <= pool->size - pool->used) {
        void *block = pool->memory + pool->used;
        pool->used += rounded;
        pool->peak = FILO_MAX(pool->peak, pool->used);
        return block;
    }
    void *block = malloc(FILO_MAX(size, (size_t)1));
    if (block == NULL) filo_panic("no memory for %zu bytes of meshoptimizer", size);
    return block;
}

// Blocks are freed in the opposite order of their allocation.
static void deallocate(void *block) {
    ModelPool *pool = current;
    uint8_t *start = block;
    if (pool != NULL && start >= pool->memory && start < pool->memory + pool->size)
        pool->used = (size_t)(start - pool->memory);
    else
        free(block);
}

static void install(void) { meshopt_setAllocator(allocate, deallocate); }

bool model_pool_open(ModelPool *pool, size_t vertices, size_t indices, const FiloAllocator *allocator) {
    static FiloOnce once = FILO_ONCE_INIT;
    filo_once(&once, install);
    *pool = (ModelPool){ .allocator = allocator,
                         .size = vertices * VERTEX_BYTES + indices * INDEX_BYTES + FIXED_BYTES };
    pool->memory = filo_alloc(allocator, pool->size, 0);
    if (pool->memory == NULL) return false;
    current = pool;
    return true;
}

void model_pool_close(ModelPool *pool) {
    if (pool->memory == NULL) return;
    current = NULL;
    filo_free(pool->allocator, pool->memory, pool->size, 0);
    pool->memory = NULL;
}
