#include "base/memory/virtual_memory.h"

#include "base/account.h"

#include <sys/mman.h>

void *base_virtual_reserve(size_t size) {
    base_account_system_call();
    void *base = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return base != MAP_FAILED ? base : NULL;
}

void base_virtual_release(void *base, size_t size) {
    base_account_system_call();
    munmap(base, size);
}

bool base_virtual_commit(void *base, size_t from, size_t to) {
    base_account_system_call();
    return mprotect((uint8_t *)base + from, to - from, PROT_READ | PROT_WRITE) == 0;
}

void base_virtual_decommit(void *base, size_t from, size_t to) {
    base_account_system_call();
    // A new mapping over the old one frees the pages and also their share of the system's commit limit. If it fails,
    // the old pages stay committed, which is harmless.
    (void)mmap((uint8_t *)base + from, to - from, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

size_t base_virtual_next_commit(size_t committed, size_t reserved, size_t needed) {
    size_t step = FILO_CLAMP(committed / 2, BASE_COMMIT_STEP, FILO_MIB(16));
    size_t target = FILO_ALIGN_UP(FILO_MAX(needed, committed + step), BASE_COMMIT_STEP);
    return FILO_MIN(target, reserved);
}
