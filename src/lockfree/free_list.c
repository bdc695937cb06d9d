#include "lockfree/free_list.h"

#include <filo/check.h>

#define TAKEN UINT32_MAX // the link of a number that is taken

static uint64_t head_of(uint32_t tag, uint32_t link) { return (uint64_t)tag << 32 | link; }

// ---- Creating -----------------------------------------------------------------------------------------

// Computes the offsets of the parts in the one allocation; false if its size overflows.
static bool compute_layout(const FiloFreeListDesc *desc, FiloFreeList *list, size_t *links_at,
                           size_t *blocks_at) {
    size_t align = desc->align != 0 ? desc->align : 16, blocks, padding;
    if (desc->block_size > SIZE_MAX / 2) return false;
    *links_at = sizeof(FiloFreeList);
    *blocks_at = *links_at + (size_t)desc->count * sizeof(uint32_t);
    list->align = FILO_MAX(align, (size_t)FILO_CACHE_LINE);
    *blocks_at = FILO_ALIGN_UP(*blocks_at, list->align);
    list->stride = FILO_ALIGN_UP(desc->block_size, align);
    return !__builtin_mul_overflow(list->stride, (size_t)desc->count, &blocks) &&
           !__builtin_add_overflow(blocks, *blocks_at, &list->size) &&
           !__builtin_add_overflow(list->size, list->align, &padding);
}

FiloResult filo_free_list_create(FiloFreeList **list, const FiloFreeListDesc *desc) {
    if (list == NULL || desc == NULL) return FILO_MISTAKE("describe the list, and pass where to put it");
    *list = NULL;
    const char *name = desc->name != NULL ? desc->name : "free list";
    if (desc->count < 1 || desc->count > FILO_FREE_LIST_MAX)
        return FILO_MISTAKE("%s: give the free list a count from 1 to %u, not %u", name, FILO_FREE_LIST_MAX,
                            desc->count);
    if ((desc->align & (desc->align - 1)) != 0 || desc->align > 4096)
        return FILO_MISTAKE("%s: align blocks by a power of two up to 4096, not by %zu", name, desc->align);
    FiloFreeList fields = { .count = desc->count, .allocator = desc->allocator };
    size_t links_at, blocks_at;
    if (!compute_layout(desc, &fields, &links_at, &blocks_at))
        return filo_error(FILO_ERROR_LIMIT, "%s: %u blocks of %zu bytes are more than memory can be", name,
                          desc->count, desc->block_size);
    unsigned char *memory = filo_alloc(desc->allocator, fields.size, fields.align);
    if (memory == NULL)
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for %u blocks of %zu bytes", name, desc->count,
                          desc->block_size);
    fields.links = (BASE_ATOMIC(uint32_t) *)(memory + links_at);
    fields.blocks = memory + blocks_at;
    FiloFreeList *created = *list = (FiloFreeList *)memory;
    *created = fields;
    for (uint32_t i = 0; i + 1 < desc->count; i++) base_store_relaxed(&created->links[i], i + 2);
    base_store_relaxed(&created->links[desc->count - 1], 0);
    base_store_relaxed(&created->head, head_of(0, 1));
    return filo_ok();
}

void filo_free_list_destroy(FiloFreeList *list) {
    if (list != NULL) filo_free(list->allocator, list, list->size, list->align);
}

// ---- Taking and giving --------------------------------------------------------------------------------

uint32_t filo_free_list_take(FiloFreeList *list) {
    if (!FILO_CHECK(list != NULL, "pass a free list")) return FILO_FREE_LIST_EMPTY;
    for (;;) {
        // Acquire: pairs with the release in filo_free_list_give; this thread sees the link, and all that the previous
        // owner did with the block. Swaps of other threads in between continue the release sequence.
        uint64_t head = base_load_acquire(&list->head);
        uint32_t first = (uint32_t)head;
        if (first == 0) return FILO_FREE_LIST_EMPTY;
        uint32_t next = base_load_relaxed(&list->links[first - 1]);
        uint64_t new_head = head_of((uint32_t)(head >> 32) + LOCKFREE_FREE_LIST_TAG_STEP, next);
        // Release: pairs with the acquire above in a later take of this number; this thread has read the link before
        // that owner changes it.
        if (base_cas_weak_release(&list->head, &head, new_head)) {
            base_store_relaxed(&list->links[first - 1], TAKEN);
            return first - 1;
        }
    }
}

void filo_free_list_give(FiloFreeList *list, uint32_t number) {
    if (!FILO_CHECK(list != NULL, "pass a free list")) return;
    if (!FILO_CHECK(number < list->count, "give back a number below %u that was taken, not %u", list->count,
                    number))
        return;
    if (!FILO_CHECK(base_load_relaxed(&list->links[number]) == TAKEN,
                    "give number %u back once: it is not taken", number))
        return;
    uint64_t head = base_load_relaxed(&list->head), new_head;
    do {
        base_store_relaxed(&list->links[number], (uint32_t)head);
        new_head = head_of((uint32_t)(head >> 32), number + 1);
        // Release: pairs with the acquire in filo_free_list_take.
    } while (!base_cas_weak_release(&list->head, &head, new_head));
}

// ---- Blocks -------------------------------------------------------------------------------------------

void *filo_free_list_block(const FiloFreeList *list, uint32_t number) {
    if (!FILO_CHECK(list != NULL, "pass a free list")) return NULL;
    if (number == FILO_FREE_LIST_EMPTY) return NULL;
    if (!FILO_CHECK(number < list->count, "pass a number below %u, not %u", list->count, number)) return NULL;
    if (!FILO_CHECK(list->stride > 0, "give the free list a block size if it is to have blocks")) return NULL;
    return list->blocks + number * list->stride;
}

uint32_t filo_free_list_number(const FiloFreeList *list, const void *block) {
    if (!FILO_CHECK(list != NULL, "pass a free list")) return FILO_FREE_LIST_EMPTY;
    uintptr_t offset = (uintptr_t)block - (uintptr_t)list->blocks;
    bool ours = list->stride > 0 && offset < list->count * list->stride && offset % list->stride == 0;
    if (!FILO_CHECK(ours, "pass a block of this free list")) return FILO_FREE_LIST_EMPTY;
    return (uint32_t)(offset / list->stride);
}
