// Heaps: malloc with an account.
//
// Callers pass the size when they free, so a release build stores nothing besides the block. A debug build puts a guard
// before and after each block and holds freed blocks in quarantine for a while. So it finds double frees, wrong sizes,
// writes before or past a block, and writes after a free:
//
//     [padding to align][Guard: size, heap, offset, magic] block [8 bytes 0xFD]

#include <filo/check.h>
#include <filo/memory.h>
#include <filo/threads.h>

#include "base/account.h"
#include "base/asan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define DEFAULT_ALIGN 16
#define MAX_ALIGN     4096
#define LARGE_PAGE    FILO_MIB(2)
#define LARGE_BLOCK   FILO_MIB(4)

// ---- Raw blocks ---------------------------------------------------------------------------------------

// Advises the system to use large pages for a large block, so that random accesses have fewer TLB misses.
static void *in_large_pages(void *memory, size_t size) {
    if (FILO_LIKELY(size < LARGE_BLOCK) || memory == NULL) return memory;
    uintptr_t first = FILO_ALIGN_UP((uintptr_t)memory, (uintptr_t)LARGE_PAGE);
    uintptr_t end = ((uintptr_t)memory + size) & ~((uintptr_t)LARGE_PAGE - 1);
    if (first < end) madvise((void *)first, end - first, MADV_HUGEPAGE); // may fail: it is only advice
    return memory;
}

static void *raw_alloc(size_t size, size_t align) {
    base_account_system_call();
    if (align <= DEFAULT_ALIGN) return in_large_pages(malloc(size), size);
    void *memory = NULL;
    return posix_memalign(&memory, align, size) == 0 ? in_large_pages(memory, size) : NULL;
}

#ifdef NDEBUG

static void *block_alloc(FiloHeap *heap, size_t size, size_t align) {
    FILO_UNUSED(heap);
    return raw_alloc(size, align);
}

static void block_free(FiloHeap *heap, void *block, size_t size) {
    FILO_UNUSED(heap), FILO_UNUSED(size);
    base_account_system_call();
    free(block);
}

#else

#    define MAGIC_LIVE        0x46494C4F4C495645u // "FILOLIVE"
#    define MAGIC_FREED       0x46494C4F44454144u // "FILODEAD"
#    define NEW_FILL          0xCD
#    define FREED_FILL        0xDD
#    define FENCE             0xFD
#    define FENCE_SIZE        8
#    define QUARANTINE_BLOCKS 256
#    define QUARANTINE_BYTES  FILO_MIB(4)

typedef struct Guard {
    size_t size;
    FiloHeap *heap;
    size_t offset;  // from the start of the raw allocation to the block
    uint64_t magic; // last, next to the block: a write before the block overwrites it first
} Guard;

static FiloMutex quarantine_lock = FILO_MUTEX_INIT;
static Guard *quarantine[QUARANTINE_BLOCKS]; // a ring of freed blocks, oldest at quarantine_first
static size_t quarantine_first, quarantine_count, quarantine_bytes;

static Guard *guard_of(void *block) { return (Guard *)((uint8_t *)block - sizeof(Guard)); }
static uint8_t *block_of(Guard *guard) { return (uint8_t *)guard + sizeof(Guard); }

static bool filled_with(const uint8_t *bytes, size_t count, uint8_t value) {
    return count == 0 ||
           (bytes[0] == value && memcmp(bytes, bytes + 1, count - 1) == 0); // each is as the one before
}

static void *block_alloc(FiloHeap *heap, size_t size, size_t align) {
    size_t offset = FILO_ALIGN_UP(sizeof(Guard), align);
    uint8_t *raw = raw_alloc(offset + size + FENCE_SIZE, align);
    if (raw == NULL) return NULL;
    uint8_t *block = raw + offset;
    *guard_of(block) = (Guard){ size, heap, offset, MAGIC_LIVE };
    memset(block, NEW_FILL, size);
    memset(block + size, FENCE, FENCE_SIZE);
    return block;
}

static bool block_is_sound(FiloHeap *heap, void *block, size_t size) {
    Guard *guard = guard_of(block);
    if (!FILO_CHECK(guard->magic != MAGIC_FREED, "%s: block %p was freed before: free it once",
                    heap->account.name, block))
        return false;
    if (!FILO_CHECK(guard->magic == MAGIC_LIVE,
                    "%s: block %p is not from a heap, or something wrote before its start",
                    heap->account.name, block))
        return false;
    if (!FILO_CHECK(guard->heap == heap, "%s: block %p belongs to heap %s: free it there", heap->account.name,
                    block, guard->heap->account.name))
        return false;
    if (!FILO_CHECK(guard->size == size,
                    "%s: block %p has %zu bytes, not %zu: give the size it was made with", heap->account.name,
                    block, guard->size, size))
        return false;
    return FILO_CHECK(filled_with((uint8_t *)block + size, FENCE_SIZE, FENCE),
                      "%s: something wrote past the end of block %p (%zu bytes)", heap->account.name, block,
                      size);
}

// Adds `guard`, if it is not NULL, and returns the oldest block if there are too many.
static Guard *quarantine_exchange(Guard *guard) {
    Guard *oldest = NULL;
    filo_mutex_lock(&quarantine_lock);
    bool full = quarantine_count == QUARANTINE_BLOCKS;
    bool too_many_bytes = quarantine_bytes > QUARANTINE_BYTES && quarantine_count > 1;
    if (guard != NULL ? full : too_many_bytes) {
        oldest = quarantine[quarantine_first];
        quarantine_first = (quarantine_first + 1) % QUARANTINE_BLOCKS;
        quarantine_count--;
        quarantine_bytes -= oldest->size;
    }
    if (guard != NULL) {
        quarantine[(quarantine_first + quarantine_count++) % QUARANTINE_BLOCKS] = guard;
        quarantine_bytes += guard->size;
    }
    filo_mutex_unlock(&quarantine_lock);
    return oldest;
}

// Outside the lock: a fault hook may log, use heaps, or leave by longjmp.
static void release_block(Guard *guard) {
    if (!FILO_CHECK(guard->magic == MAGIC_FREED, "something wrote before block %p after it was freed",
                    (void *)block_of(guard)))
        return; // its size and its offset may be overwritten
    base_asan_unpoison(block_of(guard), guard->size);
    (void)FILO_CHECK(filled_with(block_of(guard), guard->size, FREED_FILL),
                     "something wrote to block %p (%zu bytes) after it was freed", (void *)block_of(guard),
                     guard->size);
    base_account_system_call();
    free(block_of(guard) - guard->offset);
}

static void block_free(FiloHeap *heap, void *block, size_t size) {
    FILO_UNUSED(heap);
    Guard *guard = guard_of(block);
    guard->magic = MAGIC_FREED;
    memset(block, FREED_FILL, size);
    base_asan_poison(block, size); // so that the address sanitizer finds reads too
    Guard *oldest = quarantine_exchange(guard);
    if (oldest != NULL) release_block(oldest);
    while ((oldest = quarantine_exchange(NULL)) != NULL) release_block(oldest);
}

#endif

// In debug builds it always moves the block, so that the use of an old pointer after a resize is found.
static void *block_resize(FiloHeap *heap, void *block, size_t old_size, size_t new_size, size_t align) {
#ifdef NDEBUG
    if (align <= DEFAULT_ALIGN) {
        base_account_system_call();
        return in_large_pages(realloc(block, new_size), new_size);
    }
#endif
    void *moved = block_alloc(heap, new_size, align);
    if (moved == NULL) return NULL;
    memcpy(moved, block, FILO_MIN(old_size, new_size));
    block_free(heap, block, old_size);
    return moved;
}

// ---- The allocator of a heap --------------------------------------------------------------------------

static void *heap_fail(FiloHeap *heap, size_t size, const char *reason) {
    filo_out_of_memory(heap->account.name, size, reason);
    return NULL;
}

static void *heap_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    FiloHeap *heap = user;
    if (memory != NULL) {
#ifndef NDEBUG
        if (!block_is_sound(heap, memory, old_size)) return NULL;
#endif
        if (new_size == 0) {
            base_account_return(&heap->account, old_size);
            block_free(heap, memory, old_size);
            return NULL;
        }
    } else {
        old_size = 0;
    }
    if (new_size > SIZE_MAX / 4) return heap_fail(heap, new_size, "the size is too large");
    // A resize takes the difference, so that shrinking never fails and growing may use the whole budget.
    size_t more = new_size > old_size ? new_size - old_size : 0;
    if (!base_account_take(&heap->account, more)) return heap_fail(heap, new_size, "the budget is used up");
    void *block = memory == NULL ? block_alloc(heap, new_size, align)
                                 : block_resize(heap, memory, old_size, new_size, align);
    if (block == NULL) {
        base_account_return(&heap->account, more);
        return heap_fail(heap, new_size, "the system has no memory left");
    }
    if (new_size < old_size) base_account_return(&heap->account, old_size - new_size);
    base_account_taken(&heap->account);
    return block;
}

void filo_heap_init(FiloHeap *heap, const char *name, size_t budget) {
    heap->allocator = (FiloAllocator){ heap_resize, heap };
    base_account_open(&heap->account, name != NULL ? name : "heap", budget, NULL);
}

void filo_heap_deinit(FiloHeap *heap) {
    if (!FILO_CHECK(heap->allocator.resize != NULL, "deinitialise a heap once, after initialising it"))
        return;
    base_account_close(&heap->account);
    heap->allocator = (FiloAllocator){ 0 };
    (void)FILO_CHECK(heap->account.used == 0, "%s: %zu bytes were not freed", heap->account.name,
                     heap->account.used);
}

FiloMemoryStats filo_heap_stats(const FiloHeap *heap) { return base_account_stats(&heap->account); }

// ---- The process's heap -------------------------------------------------------------------------------

static FiloHeap process_heap;
static FiloOnce process_heap_once = FILO_ONCE_INIT;
static void make_process_heap(void) { filo_heap_init(&process_heap, "heap", 0); }

const FiloAllocator *filo_heap(void) {
    filo_once(&process_heap_once, make_process_heap);
    return &process_heap.allocator;
}

// ---- Any allocator ------------------------------------------------------------------------------------

static bool check_align(size_t *align) {
    if (*align == 0) *align = DEFAULT_ALIGN;
    return FILO_CHECK((*align & (*align - 1)) == 0 && *align <= MAX_ALIGN,
                      "align by a power of two up to %d, not by %zu", MAX_ALIGN, *align);
}

void *filo_alloc(const FiloAllocator *allocator, size_t size, size_t align) {
    return filo_resize(allocator, NULL, 0, size, align);
}

void *filo_alloc_zero(const FiloAllocator *allocator, size_t size, size_t align) {
    void *memory = filo_alloc(allocator, size, align);
    if (memory != NULL) memset(memory, 0, size);
    return memory;
}

// Heaps have counted the failure already; for an allocator of the program it is counted here.
static void count_failure(const FiloAllocator *allocator, size_t size) {
    if (allocator->resize == heap_resize) return;
    char message[FILO_MESSAGE_SIZE];
    snprintf(message, sizeof message, "an allocator of the program cannot allocate %zu bytes", size);
    base_count_out_of_memory(message);
}

void *filo_resize(const FiloAllocator *allocator, void *memory, size_t old_size, size_t new_size,
                  size_t align) {
    if (!check_align(&align)) return NULL;
    if (memory == NULL && new_size == 0) return NULL;
    if (allocator == NULL) allocator = filo_heap();
    if (!FILO_CHECK(allocator->resize != NULL, "use an allocator from its initialisation to its end"))
        return NULL;
    void *moved = allocator->resize(allocator->user, memory, old_size, new_size, align);
    if (FILO_UNLIKELY(moved == NULL && new_size > 0)) count_failure(allocator, new_size);
    return moved;
}

void filo_free(const FiloAllocator *allocator, void *memory, size_t size, size_t align) {
    if (memory != NULL) filo_resize(allocator, memory, size, 0, align);
}
