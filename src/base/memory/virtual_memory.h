// Virtual memory: address space is reserved at once, memory is committed as it is needed.

#ifndef FILO_BASE_VIRTUAL_MEMORY_H
#define FILO_BASE_VIRTUAL_MEMORY_H

#include <filo/types.h>

#define BASE_COMMIT_STEP FILO_KIB(64)

// Reserves addresses that must not be accessed before they are committed; NULL on failure. `size` is a multiple of
// BASE_COMMIT_STEP.
void *base_virtual_reserve(size_t size);
void base_virtual_release(void *base, size_t size);
// Makes [base + from, base + to) usable, zeroed. False if the system has no memory.
bool base_virtual_commit(void *base, size_t from, size_t to);
// Returns the memory to the system; the addresses stay reserved.
void base_virtual_decommit(void *base, size_t from, size_t to);
// How many bytes to commit in all, in a region with `committed` of `reserved` bytes, so that `needed` fit. The steps
// grow, so that a large region takes few system calls and a small one little memory.
size_t base_virtual_next_commit(size_t committed, size_t reserved, size_t needed);

#endif
