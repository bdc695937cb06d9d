// Annotations for sanitizers; without sanitizers they do nothing. Poisoning tells the address sanitizer which parts of
// a memory region must not be accessed. base_lsan_add_root tells the leak sanitizer that a region from mmap contains
// pointers to allocations that are in use, until base_lsan_remove_root.

#ifndef FILO_BASE_ASAN_H
#define FILO_BASE_ASAN_H

#include <filo/types.h>

#if defined(__SANITIZE_ADDRESS__)
#    define BASE_ASAN 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define BASE_ASAN 1
#    endif
#endif

#ifdef BASE_ASAN
#    include <sanitizer/asan_interface.h>
#    include <sanitizer/lsan_interface.h>
#    define base_asan_poison(start, size)      ASAN_POISON_MEMORY_REGION((start), (size))
#    define base_asan_unpoison(start, size)    ASAN_UNPOISON_MEMORY_REGION((start), (size))
#    define base_lsan_add_root(start, size)    __lsan_register_root_region((start), (size))
#    define base_lsan_remove_root(start, size) __lsan_unregister_root_region((start), (size))
#else
#    define base_asan_poison(start, size)      ((void)(start), (void)(size))
#    define base_asan_unpoison(start, size)    ((void)(start), (void)(size))
#    define base_lsan_add_root(start, size)    ((void)(start), (void)(size))
#    define base_lsan_remove_root(start, size) ((void)(start), (void)(size))
#endif

#endif
