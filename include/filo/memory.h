// filo/memory.h: allocators, and accounts of how much memory each of them uses.
//
//   FiloAllocator  the interface: every module that needs general memory takes one; NULL means filo_heap()
//   FiloHeap       malloc under a name, with a budget
//   FiloArena      linear memory, freed all at once or back to a mark; grows inside reserved addresses
//   FiloPool       blocks of one size, taken and returned in any order at constant cost
//   FiloScratch    memory that lives until the end of the next frame, from any thread
//
// Each of them has a name, counts what it uses, and may have a budget; filo_memory_list shows all of them.
// When memory or a budget runs out, filo_out_of_memory (filo/check.h) is called, and NULL is returned.
//
//     FiloArena arena;
//     FiloResult r = filo_arena_init(&arena, &(FiloArenaDesc){ .name = "level", .reserve = FILO_MIB(64) });
//     Enemy *enemies = filo_arena_new(&arena, Enemy, 1000);     // zeroed
//     …
//     filo_arena_deinit(&arena);
//
// Debug builds fill new memory with 0xCD and freed memory with 0xDD. They stop at a double free, a block returned to
// the wrong pool, a wrong size, and a write past the end of a heap block.

#ifndef FILO_MEMORY_H
#define FILO_MEMORY_H

#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Accounts -----------------------------------------------------------------------------------------

// What one heap, arena, pool or scratch uses, in bytes.
typedef struct FiloMemoryStats {
    const char *name;
    size_t used;         // in use now
    size_t peak;         // the most that was ever in use
    size_t budget;       // the most that may be; 0: no limit
    uint64_t operations; // allocations and resizes so far (heaps and pools only)
} FiloMemoryStats;

// The account inside each of them. Private: read it through filo_memory_list or …_stats.
typedef struct FiloMemoryAccount {
    struct FiloMemoryAccount *next, *previous;
    const char *name;
    size_t used, peak, budget;
    uint64_t operations;
    size_t (*count_used)(const struct FiloMemoryAccount *account); // NULL: `used` is it
} FiloMemoryAccount;

// Fills `stats` with up to `capacity` accounts, oldest first, and returns how many there are in all.
// Any thread. The names live as long as the accounts do.
size_t filo_memory_list(FiloMemoryStats *stats, size_t capacity);

// Prints filo_memory_list as a table, one line an account, into `text`; returns the length. Any thread.
size_t filo_memory_print(char *text, size_t size);

// How often the functions of this header have called the operating system or malloc, in the whole process or on the
// calling thread. The difference over a frame shows whether the frame allocated.
uint64_t filo_memory_system_calls(void);
uint64_t filo_memory_system_calls_of_thread(void);

// ---- Allocators ---------------------------------------------------------------------------------------

// One function that allocates (`memory` NULL), resizes, and frees (`new_size` 0, returns NULL). `old_size`
// and `align` are those of the allocation. Returns NULL when it cannot; the old block is then untouched.
typedef void *(*FiloResizeFunction)(void *user, void *memory, size_t old_size, size_t new_size, size_t align);

// A program may write its own, to decide where a module's memory comes from. It must outlive everything that was
// allocated with it. It must be thread-safe if the objects that use it are used from several threads.
typedef struct FiloAllocator {
    FiloResizeFunction resize;
    void *user;
} FiloAllocator;

// The process's heap: malloc, with counts, without budget. Any thread.
const FiloAllocator *filo_heap(void);

// `allocator` NULL means filo_heap(). Sizes in bytes; `align` a power of two up to 4096, 0 for 16. A size of
// 0 gives NULL. New memory is not zeroed, except by filo_alloc_zero.
void *filo_alloc(const FiloAllocator *allocator, size_t size, size_t align);
void *filo_alloc_zero(const FiloAllocator *allocator, size_t size, size_t align);
// Growing keeps the contents; on failure returns NULL and leaves the block as it was. A new size of 0 frees.
void *filo_resize(const FiloAllocator *allocator, void *memory, size_t old_size, size_t new_size,
                  size_t align);
// `memory` may be NULL.
void filo_free(const FiloAllocator *allocator, void *memory, size_t size, size_t align);

// ---- Heap ---------------------------------------------------------------------------------------------

// malloc under a name and a budget. `heap.allocator` is what to pass on. Any thread.
typedef struct FiloHeap {
    FiloAllocator allocator;
    FiloMemoryAccount account;
} FiloHeap;

// `name` must outlive the heap. `budget` in bytes, 0 for none.
void filo_heap_init(FiloHeap *heap, const char *name, size_t budget);
// Reports what was not freed (a caller's mistake).
void filo_heap_deinit(FiloHeap *heap);
FiloMemoryStats filo_heap_stats(const FiloHeap *heap);

// ---- Arena --------------------------------------------------------------------------------------------

typedef struct FiloArenaDesc {
    const char *name; // must outlive the arena; NULL: "arena"
    void *memory;     // the caller's buffer of `size` bytes; NULL: the arena reserves address space
    size_t size;
    size_t reserve; // bytes of address space; only what is used takes memory; 0: 64 MiB
    size_t budget;  // the most that may be used, in bytes; 0: all
} FiloArenaDesc;

// In debug builds and under the address sanitizer every allocation takes the slow path, which checks the alignment,
// fills new memory, and marks it as usable. A rewind marks what it frees as unusable.
#if !defined(NDEBUG) || defined(__SANITIZE_ADDRESS__)
#    define FILO_ARENA_WATCHED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define FILO_ARENA_WATCHED 1
#    endif
#endif
#ifndef FILO_ARENA_WATCHED
#    define FILO_ARENA_WATCHED 0
#endif

// One thread at a time.
typedef struct FiloArena {
    uint8_t *base;
    uintptr_t next;  // address of the next allocation, before it is aligned
    uintptr_t end;   // address up to which memory is committed
    size_t reserved; // bytes from base that may be committed
    bool owns_memory;
    FiloMemoryAccount account;
} FiloArena;

typedef struct FiloArenaMark {
    size_t used;
} FiloArenaMark;

FiloResult filo_arena_init(FiloArena *arena, const FiloArenaDesc *desc);
void filo_arena_deinit(FiloArena *arena);
FiloMemoryStats filo_arena_stats(const FiloArena *arena);

// The slow path of filo_arena_alloc: commits more memory, or reports that there is none.
void *filo_arena_alloc_slow(FiloArena *arena, size_t size, size_t align);

// `size` bytes, aligned to `align` (a power of two up to 4096), not zeroed. NULL when the arena is full.
static inline void *filo_arena_alloc(FiloArena *arena, size_t size, size_t align) {
    if (FILO_ARENA_WATCHED) return filo_arena_alloc_slow(arena, size, align);
    uintptr_t start = (arena->next + (align - 1)) & ~(uintptr_t)(align - 1);
    // The comparison is signed because aligning may have moved `start` past the end.
    if (FILO_UNLIKELY((ptrdiff_t)(arena->end - start) < (ptrdiff_t)size || size > PTRDIFF_MAX || align == 0))
        return filo_arena_alloc_slow(arena, size, align);
    // Atomic, although only one thread writes: filo_memory_list may read it on another thread.
    __atomic_store_n(&arena->next, start + size, __ATOMIC_RELAXED);
    return (void *)start;
}

// `count` × `size` bytes, zeroed; safe against overflow.
void *filo_arena_alloc_zero(FiloArena *arena, size_t count, size_t size, size_t align);

// `count` zeroed objects of `Type`.
#define filo_arena_new(arena, Type, count)                                                                   \
    ((Type *)filo_arena_alloc_zero((arena), (count), sizeof(Type), FILO_ALIGN_OF(Type)))

// A mark of how much is used now, for filo_arena_rewind. Marks nest.
FiloArenaMark filo_arena_mark(const FiloArena *arena);
// Frees all that was allocated since the mark.
void filo_arena_rewind(FiloArena *arena, FiloArenaMark mark);
// Frees everything; the memory stays ready for reuse.
void filo_arena_clear(FiloArena *arena);
// Returns memory that is not in use to the system.
void filo_arena_trim(FiloArena *arena);
// An allocator on the arena: freeing does nothing, and the last block grows in place. The arena must not move in memory
// while the allocator is in use.
FiloAllocator filo_arena_allocator(FiloArena *arena);

// ---- Pool ---------------------------------------------------------------------------------------------

typedef struct FiloPoolDesc {
    const char *name;               // must outlive the pool; NULL: "pool"
    size_t block_size;              // bytes of one block
    size_t align;                   // of every block; 0: 16
    size_t blocks_per_page;         // how many are allocated at once; 0: chosen by size
    size_t max_blocks;              // the most at a time; 0: no limit
    const FiloAllocator *allocator; // of the pages; NULL: filo_heap()
} FiloPoolDesc;

// One thread at a time. Blocks never move.
typedef struct FiloPool {
    void *free_list;
    struct FiloPoolPage *pages;
    size_t block_size, align, stride, blocks_per_page, max_blocks, block_count;
    const FiloAllocator *allocator;
    FiloMemoryAccount account;
} FiloPool;

FiloResult filo_pool_init(FiloPool *pool, const FiloPoolDesc *desc);
// Frees all pages, whether or not blocks are still taken.
void filo_pool_deinit(FiloPool *pool);
FiloMemoryStats filo_pool_stats(const FiloPool *pool);
// A block, not zeroed; NULL when the pool or memory is used up.
void *filo_pool_take(FiloPool *pool);
// Returns a block to the pool that it was taken from. NULL is allowed.
void filo_pool_give(FiloPool *pool, void *block);

// ---- Scratch ------------------------------------------------------------------------------------------

// Memory for the length of a frame: allocated on any thread without a lock, never freed one by one. What was allocated
// before a flip stays valid until the flip after it, so that drawing a frame may overlap the next tick.
typedef struct FiloScratch {
    struct FiloScratchBuffer *buffers; // two
    unsigned current;
    FiloMemoryAccount account;
} FiloScratch;

// `reserve` is the most that one frame can use, in bytes; only what is used takes memory. 0: 64 MiB.
FiloResult filo_scratch_init(FiloScratch *scratch, const char *name, size_t reserve);
void filo_scratch_deinit(FiloScratch *scratch);
// Any thread. NULL when the frame's reserve is used up.
void *filo_scratch_alloc(FiloScratch *scratch, size_t size, size_t align);
// Begins a frame: frees what was allocated before the last flip. No other thread may allocate meanwhile.
void filo_scratch_flip(FiloScratch *scratch);
FiloMemoryStats filo_scratch_stats(const FiloScratch *scratch);

FILO_END_DECLS

#endif
