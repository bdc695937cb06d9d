// Tells the address sanitizer which parts of our own regions may be touched, and the leak sanitizer that what is
// referred to from a region of the system's is in use. Nothing without them.

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
#    define base_asan_poison(start, size)   ASAN_POISON_MEMORY_REGION((start), (size))
#    define base_asan_unpoison(start, size) ASAN_UNPOISON_MEMORY_REGION((start), (size))
#    define base_asan_refers(start, size)   __lsan_register_root_region((start), (size))
#    define base_asan_is_gone(start, size)  __lsan_unregister_root_region((start), (size))
#else
#    define base_asan_poison(start, size)   ((void)(start), (void)(size))
#    define base_asan_unpoison(start, size) ((void)(start), (void)(size))
#    define base_asan_refers(start, size)   ((void)(start), (void)(size))
#    define base_asan_is_gone(start, size)  ((void)(start), (void)(size))
#endif

#endif
