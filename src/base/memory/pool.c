// Pools: pages of blocks of one size. The free blocks are a linked list through their first words.
//
// Debug builds have a bit per block (taken or not) at the start of each page, and fill free blocks with FREED_FILL,
// which filo_pool_take checks. So double frees, blocks of another pool and writes after a free are found.

#include <filo/check.h>
#include <filo/memory.h>

#include "base/account.h"
#include "base/asan.h"

#include <string.h>

#define FREED_FILL 0xDD
#define NEW_FILL   0xCD

typedef struct FiloPoolPage {
    struct FiloPoolPage *next;
    size_t size; // bytes of the whole page, for freeing it
    uint8_t *blocks;
    uint64_t taken[]; // debug builds: one bit per block
} FiloPoolPage;

FiloResult filo_pool_init(FiloPool *pool, const FiloPoolDesc *desc) {
    *pool = (FiloPool){ 0 };
    if (desc == NULL || desc->block_size == 0) return FILO_MISTAKE("a pool needs a block size");
    size_t align = desc->align != 0 ? desc->align : 16;
    if ((align & (align - 1)) != 0 || align > 4096)
        return FILO_MISTAKE("align by a power of two up to 4096, not by %zu", align);
    if (desc->block_size > SIZE_MAX / 4)
        return filo_error(FILO_ERROR_LIMIT, "pool: blocks of %zu bytes are too large", desc->block_size);
    pool->align = FILO_MAX(align, sizeof(void *));
    pool->block_size = desc->block_size;
    pool->stride = FILO_ALIGN_UP(FILO_MAX(desc->block_size, sizeof(void *)), pool->align);
    pool->blocks_per_page = desc->blocks_per_page;
    if (pool->blocks_per_page == 0) pool->blocks_per_page = FILO_CLAMP(FILO_KIB(64) / pool->stride, 8, 1024);
    pool->max_blocks = desc->max_blocks;
    pool->allocator = desc->allocator;
    size_t budget = 0;
    if (__builtin_mul_overflow(desc->max_blocks, desc->block_size, &budget)) budget = 0;
    base_account_open(&pool->account, desc->name != NULL ? desc->name : "pool", budget, NULL);
    return filo_ok();
}

void filo_pool_deinit(FiloPool *pool) {
    if (pool->stride == 0) return;
    base_account_close(&pool->account);
    for (FiloPoolPage *page = pool->pages, *next; page != NULL; page = next) {
        next = page->next;
        base_asan_unpoison(page, page->size);
        filo_free(pool->allocator, page, page->size, pool->align);
    }
    *pool = (FiloPool){ 0 };
}

FiloMemoryStats filo_pool_stats(const FiloPool *pool) { return base_account_stats(&pool->account); }

// ---- Free blocks --------------------------------------------------------------------------------------

static void **link_of(void *block) { return block; }

static void push_free(FiloPool *pool, void *block) {
#ifndef NDEBUG
    memset(block, FREED_FILL, pool->stride);
#endif
    *link_of(block) = pool->free_list;
    pool->free_list = block;
    base_asan_poison((uint8_t *)block + sizeof(void *), pool->stride - sizeof(void *));
}

static bool add_page(FiloPool *pool) {
    size_t count = pool->blocks_per_page;
    size_t header = FILO_ALIGN_UP(sizeof(FiloPoolPage) + (count + 63) / 64 * sizeof(uint64_t), pool->align);
    size_t size;
    if (__builtin_mul_overflow(count, pool->stride, &size) || __builtin_add_overflow(size, header, &size))
        return false;
    FiloPoolPage *page = filo_alloc(pool->allocator, size, pool->align);
    if (page == NULL) return false;
    memset(page, 0, header);
    *page = (FiloPoolPage){ .next = pool->pages, .size = size, .blocks = (uint8_t *)page + header };
    pool->pages = page;
    pool->block_count += count;
    for (size_t i = count; i-- > 0;)
        push_free(pool, page->blocks + i * pool->stride); // the lowest address is taken first
    return true;
}

#ifndef NDEBUG

// The page that holds `block`, and its index there; NULL if it is not a block of this pool.
static FiloPoolPage *page_of(FiloPool *pool, void *block, size_t *index) {
    for (FiloPoolPage *page = pool->pages; page != NULL; page = page->next) {
        size_t offset = (size_t)((uintptr_t)block - (uintptr_t)page->blocks);
        if (offset >= pool->blocks_per_page * pool->stride || offset % pool->stride != 0) continue;
        *index = offset / pool->stride;
        return page;
    }
    return NULL;
}

static bool is_free_block(FiloPool *pool, void *block) {
    size_t index = 0;
    FiloPoolPage *page = page_of(pool, block, &index);
    return page != NULL && (page->taken[index / 64] >> index % 64 & 1) == 0;
}

// `block` is the first of the free list.
static void mark_taken(FiloPool *pool, void *block) {
    size_t index = 0;
    FiloPoolPage *page = page_of(pool, block, &index);
    page->taken[index / 64] |= UINT64_C(1) << index % 64;
    const uint8_t *bytes = block;
    void *next = *link_of(block);
    bool link_valid = next == NULL || is_free_block(pool, next), unchanged = link_valid;
    for (size_t i = sizeof(void *); i < pool->stride; i++) unchanged = unchanged && bytes[i] == FREED_FILL;
    if (!link_valid) *link_of(block) = NULL; // the list is broken: the free blocks behind this one are lost
    (void)FILO_CHECK(unchanged, "%s: something wrote to block %p after it was given back", pool->account.name,
                     block);
}

static bool mark_free(FiloPool *pool, void *block) {
    size_t index = 0;
    FiloPoolPage *page = page_of(pool, block, &index);
    if (!FILO_CHECK(page != NULL, "%s: block %p is not from this pool", pool->account.name, block))
        return false;
    uint64_t bit = UINT64_C(1) << index % 64;
    if (!FILO_CHECK((page->taken[index / 64] & bit) != 0,
                    "%s: block %p was given back before: give it back once", pool->account.name, block))
        return false;
    page->taken[index / 64] &= ~bit;
    return true;
}

#endif

void *filo_pool_take(FiloPool *pool) {
    if (FILO_UNLIKELY(pool->free_list == NULL || pool->max_blocks != 0)) {
        if (!FILO_CHECK(pool->stride != 0, "initialise the pool before using it")) return NULL;
        size_t taken = pool->account.used / pool->block_size;
        if (pool->max_blocks != 0 && taken >= pool->max_blocks) {
            filo_out_of_memory(pool->account.name, pool->block_size, "all blocks of the pool are taken");
            return NULL;
        }
        if (pool->free_list == NULL && !add_page(pool)) {
            filo_out_of_memory(pool->account.name, pool->block_size, "no memory for another page");
            return NULL;
        }
    }
    void *block = pool->free_list;
    base_asan_unpoison(block, pool->stride);
#ifndef NDEBUG
    mark_taken(pool, block);
#endif
    pool->free_list = *link_of(block);
#ifndef NDEBUG
    memset(block, NEW_FILL, pool->stride);
#endif
    base_account_take(&pool->account, pool->block_size);
    base_account_taken(&pool->account);
    return block;
}

void filo_pool_give(FiloPool *pool, void *block) {
    if (block == NULL) return;
    if (!FILO_CHECK(pool->stride != 0, "initialise the pool before using it")) return;
#ifndef NDEBUG
    if (!mark_free(pool, block)) return;
#endif
    base_account_return(&pool->account, pool->block_size);
    push_free(pool, block);
}
