// Memory for chunks: blocks in ten sizes from 256 bytes to 128 KiB, cut from slabs of 2 MiB, and given back
// to a list for each size.
//
// Slabs come from the system, aligned so that each can be one large page, which makes filling a world for the
// first time three times as quick: the time goes into page faults. The first slab is small, and in small
// pages, so that a small world takes little; by the time it is full, its page faults have cost more than one for
// a large page. With an allocator of the user's, slabs are smaller and come from there.
//
// Blocks of one size are never cut or joined again: a world that grew and shrank keeps what it once needed,
// and a steady one never asks the system.

#include "ecs/storage/blocks.h"
#include "base/account.h"
#include "base/asan.h"
#include "ecs/storage/tables.h"

#include <sys/mman.h>

#define FIRST_SLAB     FILO_KIB(512) // in small pages
#define ALLOCATED_SLAB FILO_KIB(256) // with an allocator of the user's
#define LARGE_STEP     FILO_KIB(4)   // sizes above ECS_BLOCK_SIZE are multiples of this

typedef struct EcsFreeBlock {
    struct EcsFreeBlock *next;
} FreeBlock;

void ecs_blocks_init(EcsBlocks *blocks, const FiloAllocator *allocator, FiloMemoryAccount *account) {
    *blocks = (EcsBlocks){ .allocator = allocator, .account = account };
    filo_array_init(&blocks->slabs, allocator);
}

static size_t slab_size(const EcsBlocks *blocks, size_t number) {
    if (blocks->account == NULL) return ALLOCATED_SLAB;
    return number == 0 ? FIRST_SLAB : ECS_SLAB_SIZE;
}

void ecs_blocks_deinit(EcsBlocks *blocks) {
    for (size_t i = 0; i < blocks->slabs.count; i++) {
        void *slab = blocks->slabs.items[i];
        base_asan_unpoison(slab, slab_size(blocks, i));
        if (blocks->account == NULL) {
            filo_free(blocks->allocator, slab, ALLOCATED_SLAB, FILO_KIB(4));
            continue;
        }
        base_asan_is_gone(slab, slab_size(blocks, i));
        munmap(slab, slab_size(blocks, i));
    }
    if (blocks->account != NULL) base_account_give(blocks->account, blocks->used);
    filo_array_deinit(&blocks->slabs);
}

static unsigned block_class(size_t size) {
    unsigned class = 0;
    while ((size_t)ECS_BLOCK_MIN << class < size) class ++;
    return class;
}

size_t ecs_block_size(size_t size) {
    if (size > ECS_BLOCK_SIZE) return FILO_ALIGN_UP(size, LARGE_STEP);
    return (size_t)ECS_BLOCK_MIN << block_class(size);
}

static void *map(const char *name, size_t size) {
    base_account_system_call();
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) return memory;
    filo_out_of_memory(name, size, "the system has no memory left");
    return NULL;
}

// A slab in a large page: twice as many addresses, of which the ends are given back.
static void *map_large_page(const char *name) {
    uint8_t *start = map(name, 2 * ECS_SLAB_SIZE);
    if (start == NULL) return NULL;
    size_t before = (size_t)(-(uintptr_t)start & (ECS_SLAB_SIZE - 1));
    if (before > 0) munmap(start, before);
    if (ECS_SLAB_SIZE - before > 0) munmap(start + before + ECS_SLAB_SIZE, ECS_SLAB_SIZE - before);
    madvise(start + before, ECS_SLAB_SIZE, MADV_HUGEPAGE);
    return start + before;
}

static bool add_slab(EcsBlocks *blocks) {
    size_t number = blocks->slabs.count;
    if (!filo_array_reserve(&blocks->slabs, FILO_MAX(number + 1, blocks->slabs.capacity))) return false;
    void *slab = blocks->account == NULL ? filo_alloc(blocks->allocator, ALLOCATED_SLAB, FILO_KIB(4))
                 : number == 0           ? map(blocks->account->name, FIRST_SLAB)
                                         : map_large_page(blocks->account->name);
    if (slab == NULL) return false;
    (void)filo_array_push(&blocks->slabs, slab);
    if (blocks->account != NULL) base_asan_refers(slab, slab_size(blocks, number));
    // What is left of the slab before goes to the lists, largest blocks first: it is a multiple of the
    // smallest.
    while (blocks->end - blocks->next >= ECS_BLOCK_MIN) {
        unsigned class = ECS_BLOCK_CLASSES - 1;
        while ((ptrdiff_t)((size_t)ECS_BLOCK_MIN << class) > blocks->end - blocks->next) class --;
        FreeBlock *block = (FreeBlock *)(void *)blocks->next;
        base_asan_unpoison(block, sizeof *block);
        block->next = blocks->free[class];
        blocks->free[class] = block;
        blocks->next += (size_t)ECS_BLOCK_MIN << class;
    }
    blocks->next = slab;
    blocks->end = blocks->next + slab_size(blocks, number);
    base_asan_poison(blocks->next, slab_size(blocks, number));
    return true;
}

static bool charge(EcsBlocks *blocks, size_t size) {
    if (blocks->account == NULL) return true;
    if (!base_account_take(blocks->account, size)) {
        filo_out_of_memory(blocks->account->name, size, "the budget is used up");
        return false;
    }
    base_account_taken(blocks->account);
    return true;
}

// From the newest slab, or a new one. NULL without memory.
static void *cut(EcsBlocks *blocks, size_t size) {
    if ((size_t)(blocks->end - blocks->next) < size && !add_slab(blocks)) return NULL;
    void *taken = blocks->next;
    blocks->next += size;
    return taken;
}

static void *take(EcsBlocks *blocks, FreeBlock **list, size_t size) {
    if (!charge(blocks, size)) return NULL;
    void *taken = list != NULL ? *list : NULL;
    if (taken != NULL)
        *list = (*list)->next;
    else if ((taken = cut(blocks, size)) == NULL) {
        if (blocks->account != NULL) base_account_give(blocks->account, size);
        return NULL;
    }
    blocks->used += size;
    base_asan_unpoison(taken, size);
    return taken;
}

void *ecs_block_take(EcsBlocks *blocks, size_t size) {
    if (size > ECS_BLOCK_SIZE) return filo_alloc(blocks->allocator, size, FILO_CACHE_LINE);
    return take(blocks, &blocks->free[block_class(size)], size);
}

void *ecs_block_take_permanent(EcsBlocks *blocks, size_t size) { return take(blocks, NULL, size); }

void ecs_block_give(EcsBlocks *blocks, void *memory, size_t size) {
    if (memory == NULL) return;
    base_asan_unpoison(memory, size); // rows that left
#ifndef NDEBUG
    memset(memory, ECS_POISON, size);
#endif
    if (size > ECS_BLOCK_SIZE) {
        filo_free(blocks->allocator, memory, size, FILO_CACHE_LINE);
        return;
    }
    FreeBlock *block = memory;
    unsigned class = block_class(size);
    block->next = blocks->free[class];
    blocks->free[class] = block;
    blocks->used -= size;
    if (blocks->account != NULL) base_account_give(blocks->account, size);
    base_asan_poison(block + 1, size - sizeof *block);
}
