// Scratch memory: two regions ("buffers") that are used in alternating frames.
//
// Allocating moves `used` of the current buffer forward by compare and swap; a thread that passes the committed end
// commits more under a lock. Flipping empties the other buffer and makes it current, so that what the last frame
// allocated stays valid during this one.

#include <filo/check.h>
#include <filo/memory.h>
#include <filo/threads.h>

#include "base/account.h"
#include "base/atomic.h"
#include "base/memory/virtual_memory.h"

#include <string.h>

#define DEFAULT_RESERVE FILO_MIB(64)
#define NEW_FILL        0xCD
#define FREED_FILL      0xDD

typedef struct FiloScratchBuffer {
    uint8_t *base;
    size_t reserved;
    _Atomic size_t used;
    _Atomic size_t committed;
    FiloMutex commit_lock;
} FiloScratchBuffer;

static size_t bytes_in_use(const FiloScratch *scratch) {
    return base_load_relaxed(&scratch->buffers[0].used) + base_load_relaxed(&scratch->buffers[1].used);
}

static size_t count_used(const FiloMemoryAccount *account) {
    return bytes_in_use((const FiloScratch *)((const char *)account - offsetof(FiloScratch, account)));
}

FiloResult filo_scratch_init(FiloScratch *scratch, const char *name, size_t reserve) {
    *scratch = (FiloScratch){ 0 };
    if (name == NULL) name = "scratch";
    if (reserve > SIZE_MAX / 4)
        return filo_error(FILO_ERROR_MEMORY, "%s: cannot reserve 2 × %zu bytes", name, reserve);
    reserve = FILO_ALIGN_UP(reserve != 0 ? reserve : DEFAULT_RESERVE, BASE_COMMIT_STEP);
    scratch->buffers = filo_alloc_zero(NULL, 2 * sizeof(FiloScratchBuffer), 0);
    if (scratch->buffers == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory", name);
    for (int i = 0; i < 2; i++) {
        scratch->buffers[i].reserved = reserve;
        scratch->buffers[i].base = base_virtual_reserve(reserve);
        filo_mutex_init(&scratch->buffers[i].commit_lock);
    }
    base_account_open(&scratch->account, name, 2 * reserve, count_used);
    if (scratch->buffers[0].base == NULL || scratch->buffers[1].base == NULL) {
        filo_scratch_deinit(scratch);
        return filo_error(FILO_ERROR_MEMORY, "%s: cannot reserve 2 × %zu bytes", name, reserve);
    }
    return filo_ok();
}

void filo_scratch_deinit(FiloScratch *scratch) {
    if (scratch->buffers == NULL) return;
    base_account_close(&scratch->account);
    for (int i = 0; i < 2; i++) {
        FiloScratchBuffer *buffer = &scratch->buffers[i];
        if (buffer->base != NULL) base_virtual_release(buffer->base, buffer->reserved);
        filo_mutex_deinit(&buffer->commit_lock);
    }
    filo_free(NULL, scratch->buffers, 2 * sizeof(FiloScratchBuffer), 0);
    *scratch = (FiloScratch){ 0 };
}

static bool commit(FiloScratchBuffer *buffer, size_t end) {
    filo_mutex_lock(&buffer->commit_lock);
    size_t committed = base_load_relaxed(&buffer->committed);
    bool done = end <= committed;
    if (!done) {
        size_t target = base_virtual_next_commit(committed, buffer->reserved, end);
        done = base_virtual_commit(buffer->base, committed, target);
        // Release: pairs with the acquire in filo_scratch_alloc; a thread that sees it may access the memory.
        if (done) base_store_release(&buffer->committed, target);
    }
    filo_mutex_unlock(&buffer->commit_lock);
    return done;
}

void *filo_scratch_alloc(FiloScratch *scratch, size_t size, size_t align) {
    if (!FILO_CHECK(scratch->buffers != NULL, "initialise the scratch before using it")) return NULL;
    if (align == 0) align = 16;
    if (!FILO_CHECK((align & (align - 1)) == 0 && align <= 4096,
                    "%s: align by a power of two up to 4096, not by %zu", scratch->account.name, align))
        return NULL;
    FiloScratchBuffer *buffer = &scratch->buffers[scratch->current];
    size_t used = base_load_relaxed(&buffer->used), start, end;
    do {
        start = FILO_ALIGN_UP(used, align); // the base is aligned to a page
        if (start > buffer->reserved || size > buffer->reserved - start) {
            filo_out_of_memory(scratch->account.name, size, "the frame's scratch is full: raise its reserve");
            return NULL;
        }
        end = start + size;
    } while (!base_cas_relaxed(&buffer->used, &used, end));
    // Acquire: pairs with the release in commit.
    if (end > base_load_acquire(&buffer->committed) && !commit(buffer, end)) {
        size_t last = end; // undo, unless another thread has allocated behind it
        base_cas_relaxed(&buffer->used, &last, used);
        filo_out_of_memory(scratch->account.name, size, "the system has no memory left");
        return NULL;
    }
#ifndef NDEBUG
    memset(buffer->base + start, NEW_FILL, size);
#endif
    return buffer->base + start;
}

void filo_scratch_flip(FiloScratch *scratch) {
    if (!FILO_CHECK(scratch->buffers != NULL, "initialise the scratch before using it")) return;
    base_account_raise_peak(&scratch->account, bytes_in_use(scratch));
    scratch->current ^= 1;
    FiloScratchBuffer *buffer = &scratch->buffers[scratch->current];
#ifndef NDEBUG
    memset(buffer->base, FREED_FILL,
           FILO_MIN(base_load_relaxed(&buffer->used), base_load_relaxed(&buffer->committed)));
#endif
    base_store_relaxed(&buffer->used, 0);
}

FiloMemoryStats filo_scratch_stats(const FiloScratch *scratch) {
    return base_account_stats(&scratch->account);
}
