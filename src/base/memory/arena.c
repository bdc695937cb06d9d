// Arenas: a pointer that moves forward through one contiguous region.
//
// The region is the caller's buffer, or reserved address space that is committed in growing steps. `next` is the
// address of the next allocation. Memory above it is free: filled with NEW_FILL or FREED_FILL in debug builds, and
// poisoned for the address sanitizer.

#include <filo/check.h>
#include <filo/memory.h>

#include "base/account.h"
#include "base/asan.h"
#include "base/memory/virtual_memory.h"

#include <string.h>

#define DEFAULT_RESERVE FILO_MIB(64)
#define NEW_FILL        0xCD
#define FREED_FILL      0xDD

static size_t used_bytes(const FiloArena *arena) {
    return __atomic_load_n(&arena->next, __ATOMIC_RELAXED) - (uintptr_t)arena->base;
}

static size_t committed_bytes(const FiloArena *arena) { return arena->end - (uintptr_t)arena->base; }

static size_t count_used(const FiloMemoryAccount *account) {
    return used_bytes(
        (const FiloArena *)(const void *)((const char *)account - offsetof(FiloArena, account)));
}

FiloResult filo_arena_init(FiloArena *arena, const FiloArenaDesc *desc) {
    static const FiloArenaDesc defaults = { 0 };
    if (desc == NULL) desc = &defaults;
    const char *name = desc->name != NULL ? desc->name : "arena";
    *arena = (FiloArena){ 0 };
    size_t size = desc->memory != NULL ? desc->size : desc->reserve != 0 ? desc->reserve : DEFAULT_RESERVE;
    size_t committed = 0;
    if (desc->memory != NULL) {
        arena->base = desc->memory;
        arena->reserved = committed = size;
    } else {
        if (size > SIZE_MAX / 4)
            return filo_error(FILO_ERROR_MEMORY, "%s: cannot reserve %zu bytes", name, size);
        arena->reserved = FILO_ALIGN_UP(size, BASE_COMMIT_STEP);
        arena->base = base_virtual_reserve(arena->reserved);
        if (arena->base == NULL)
            return filo_error(FILO_ERROR_MEMORY, "%s: cannot reserve %zu bytes", name, arena->reserved);
        arena->owns_memory = true;
    }
    size_t budget = desc->budget != 0 ? desc->budget : size;
    arena->next = (uintptr_t)arena->base;
    arena->end = arena->next + FILO_MIN(committed, budget);
    base_account_open(&arena->account, name, budget, count_used); // from here on another thread may read it
    base_asan_poison(arena->base, committed_bytes(arena));
    return filo_ok();
}

void filo_arena_deinit(FiloArena *arena) {
    if (arena->base == NULL) return;
    base_account_close(&arena->account);
    base_asan_unpoison(arena->base, committed_bytes(arena));
    if (arena->owns_memory) base_virtual_release(arena->base, arena->reserved);
    *arena = (FiloArena){ 0 };
}

FiloMemoryStats filo_arena_stats(const FiloArena *arena) { return base_account_stats(&arena->account); }

static bool commit(FiloArena *arena, size_t needed) {
    size_t committed = committed_bytes(arena);
    size_t target = base_virtual_next_commit(committed, arena->reserved, needed);
    if (!base_virtual_commit(arena->base, committed, target)) return false;
    // `end` is never beyond the budget, so that the fast path need not test the budget. The next commit, from an `end`
    // that may be inside a page, never happens, because the budget is then used up.
    target = FILO_MIN(target, arena->account.budget);
    base_asan_poison(arena->base + committed, target - committed);
    arena->end = (uintptr_t)arena->base + target;
    return true;
}

void *filo_arena_alloc_slow(FiloArena *arena, size_t size, size_t align) {
    if (!FILO_CHECK(arena->base != NULL, "initialise the arena before using it")) return NULL;
    if (!FILO_CHECK(align != 0 && (align & (align - 1)) == 0 && align <= 4096,
                    "%s: align by a power of two up to 4096, not by %zu", arena->account.name, align))
        return NULL;
    size_t start = FILO_ALIGN_UP(arena->next, align) - (uintptr_t)arena->base;
    size_t limit = FILO_MIN(arena->reserved, arena->account.budget);
    if (start > limit || size > limit - start) {
        filo_out_of_memory(arena->account.name, size, "the arena is full: raise its reserve or budget");
        return NULL;
    }
    size_t end = start + size;
    if (end > committed_bytes(arena) && !commit(arena, end)) {
        filo_out_of_memory(arena->account.name, size, "the system has no memory left");
        return NULL;
    }
    base_asan_unpoison(arena->base + start, size);
#ifndef NDEBUG
    memset(arena->base + start, NEW_FILL, size);
#endif
    __atomic_store_n(&arena->next, (uintptr_t)arena->base + end, __ATOMIC_RELAXED);
    return arena->base + start;
}

void *filo_arena_alloc_zero(FiloArena *arena, size_t count, size_t size, size_t align) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        filo_out_of_memory(arena->account.name, SIZE_MAX, "the size is too large");
        return NULL;
    }
    void *memory = filo_arena_alloc(arena, bytes, align);
    if (memory != NULL) memset(memory, 0, bytes);
    return memory;
}

FiloArenaMark filo_arena_mark(const FiloArena *arena) { return (FiloArenaMark){ used_bytes(arena) }; }

void filo_arena_rewind(FiloArena *arena, FiloArenaMark mark) {
    size_t used = used_bytes(arena);
    if (!FILO_CHECK(mark.used <= used, "%s: rewind to the newest mark first: this one was rewound before",
                    arena->account.name))
        return;
    if (mark.used == used) return;
#ifndef NDEBUG
    // Alignment gaps are still poisoned.
    base_asan_unpoison(arena->base + mark.used, used - mark.used);
    memset(arena->base + mark.used, FREED_FILL, used - mark.used);
#endif
    base_asan_poison(arena->base + mark.used, used - mark.used);
    base_account_raise_peak(&arena->account, used);
    __atomic_store_n(&arena->next, (uintptr_t)arena->base + mark.used, __ATOMIC_RELAXED);
}

void filo_arena_clear(FiloArena *arena) { filo_arena_rewind(arena, (FiloArenaMark){ 0 }); }

void filo_arena_trim(FiloArena *arena) {
    if (!arena->owns_memory) return;
    size_t kept_end = FILO_ALIGN_UP(used_bytes(arena), BASE_COMMIT_STEP), committed = committed_bytes(arena);
    if (kept_end >= committed) return;
    base_asan_unpoison(arena->base + kept_end, committed - kept_end);
    base_virtual_decommit(arena->base, kept_end, FILO_ALIGN_UP(committed, BASE_COMMIT_STEP));
    arena->end = (uintptr_t)arena->base + kept_end;
}

// ---- As an allocator ----------------------------------------------------------------------------------

static void *arena_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    FiloArena *arena = user;
    if (memory == NULL) return filo_arena_alloc(arena, new_size, align);
    size_t start = (size_t)((uint8_t *)memory - arena->base);
    bool is_last = start + old_size == used_bytes(arena);
    if (new_size <= old_size) {
        if (is_last) filo_arena_rewind(arena, (FiloArenaMark){ start + new_size });
        return new_size > 0 ? memory : NULL;
    }
    if (is_last) return filo_arena_alloc(arena, new_size - old_size, 1) != NULL ? memory : NULL;
    void *moved = filo_arena_alloc(arena, new_size, align);
    if (moved != NULL) memcpy(moved, memory, old_size);
    return moved;
}

FiloAllocator filo_arena_allocator(FiloArena *arena) { return (FiloAllocator){ arena_resize, arena }; }
