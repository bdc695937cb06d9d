// Memory of chunks: a segregated free-list allocator. Blocks have ten sizes, the powers of two from 256 bytes to 128
// KiB. They are cut from slabs of 2 MiB. A freed block goes to the free list of its size.
//
// Slabs come from the system and are aligned to 2 MiB, so that each can be one huge page. This makes filling a world
// for the first time three times as fast, because that time is spent on page faults. The first slab is smaller and in
// small pages, so that a small world takes little memory. With an allocator of the user, slabs are smaller and come
// from it.
//
// Blocks are never split or merged. So a world never returns memory to the system before it is destroyed, and a world
// that does not grow makes no system calls. Blocks above 128 KiB come from the allocator one by one.

#include "ecs/storage/blocks.h"
#include "base/account.h"
#include "base/asan.h"
#include "ecs/storage/tables.h"

#include <sys/mman.h>

#define FIRST_SLAB     FILO_KIB(512) // in small pages
#define ALLOCATED_SLAB FILO_KIB(256) // with an allocator of the user
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
        base_lsan_remove_root(slab, slab_size(blocks, i));
        munmap(slab, slab_size(blocks, i));
    }
    if (blocks->account != NULL) base_account_return(blocks->account, blocks->used);
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

// A slab in a huge page: maps twice the size, and unmaps both ends around the aligned part.
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
    if (blocks->account != NULL) base_lsan_add_root(slab, slab_size(blocks, number));
    // The rest of the previous slab, a multiple of the smallest size, goes to the free lists, largest blocks first.
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

// Cuts a block from the newest slab, or from a new one. NULL without memory.
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
        if (blocks->account != NULL) base_account_return(blocks->account, size);
        return NULL;
    }
    blocks->used += size;
    base_asan_unpoison(taken, size);
    return taken;
}

void *ecs_block_alloc(EcsBlocks *blocks, size_t size) {
    if (size > ECS_BLOCK_SIZE) return filo_alloc(blocks->allocator, size, FILO_CACHE_LINE);
    return take(blocks, &blocks->free[block_class(size)], size);
}

void *ecs_block_alloc_permanent(EcsBlocks *blocks, size_t size) { return take(blocks, NULL, size); }

void ecs_block_free(EcsBlocks *blocks, void *memory, size_t size) {
    if (memory == NULL) return;
    base_asan_unpoison(memory, size); // ecs_rows_poison poisoned its rows
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
    if (blocks->account != NULL) base_account_return(blocks->account, size);
    base_asan_poison(block + 1, size - sizeof *block);
}
