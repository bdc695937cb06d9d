// Address space reserved at once, memory committed as it is needed.

#ifndef FILO_BASE_VIRTUAL_MEMORY_H
#define FILO_BASE_VIRTUAL_MEMORY_H

#include <filo/types.h>

#define BASE_COMMIT_STEP FILO_KIB(64)

// Addresses that may not be touched yet; NULL if there are none. `size` a multiple of BASE_COMMIT_STEP.
void *base_virtual_reserve(size_t size);
void base_virtual_release(void *base, size_t size);
// Makes [base + from, base + to) usable, zeroed. False if the system has no memory.
bool base_virtual_commit(void *base, size_t from, size_t to);
// Gives it back.
void base_virtual_decommit(void *base, size_t from, size_t to);
// How far to commit, in a region with `committed` of `reserved` bytes, so that `needed` fit: in growing
// steps, so that a large region takes few system calls and a small one little memory.
size_t base_virtual_next_commit(size_t committed, size_t reserved, size_t needed);

#endif
