// Memory of chunks: blocks in a few sizes, cut from slabs in huge pages.

#ifndef FILO_ECS_STORAGE_BLOCKS_H
#define FILO_ECS_STORAGE_BLOCKS_H

#include <filo/containers.h>
#include <filo/memory.h>

#define ECS_BLOCK_SIZE    FILO_KIB(128) // of a full chunk
#define ECS_BLOCK_CLASSES 10            // 256 bytes, 512, … 128 KiB
#define ECS_BLOCK_MIN     256
#define ECS_SLAB_SIZE     FILO_MIB(2)

typedef struct EcsBlocks {
    const FiloAllocator *allocator; // of larger blocks, and of slabs if there is no account
    FiloMemoryAccount *account;     // slabs come from the system and blocks are charged to this; NULL: none
    struct EcsFreeBlock *free[ECS_BLOCK_CLASSES]; // free list of each size
    FiloArray(void *) slabs;
    uint8_t *next, *end; // the rest of the newest slab
    size_t used;         // bytes of blocks in use
} EcsBlocks;

void ecs_blocks_init(EcsBlocks *blocks, const FiloAllocator *allocator, FiloMemoryAccount *account);
void ecs_blocks_deinit(EcsBlocks *blocks);
// Rounds up to a size of a block. Beyond ECS_BLOCK_SIZE these are multiples of 4 KiB.
size_t ecs_block_size(size_t size);
// Aligned to 64 bytes, not zeroed. NULL without memory. `size` is a result of ecs_block_size.
void *ecs_block_alloc(EcsBlocks *blocks, size_t size);
void ecs_block_free(EcsBlocks *blocks, void *block, size_t size);
// The same for memory that is never freed. `size` is at most ECS_BLOCK_SIZE and a multiple of ECS_BLOCK_MIN.
void *ecs_block_alloc_permanent(EcsBlocks *blocks, size_t size);

#endif
