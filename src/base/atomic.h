// Atomics for Filo's own sources: C11 operations whose memory order is part of the name, so that no operation has a
// default order. Public headers do not include this (C++ has no _Atomic).
//
//   relaxed   no ordering: counters, statistics, flags that publish nothing
//   acquire   what the releasing thread wrote before is visible after this load
//   release   everything written before is visible to a thread that acquires this value
//   acq_rel   both, for read-modify-write
//   seq_cst   one total order of all such operations; needed where each of two threads writes one variable and reads
//             the other one (Dekker), as when parking
//
// Pairs of release and acquire operations are preferred to stand-alone fences, which ThreadSanitizer does not support.
// Every operation that is not relaxed has a comment that names the operation it pairs with.

#ifndef FILO_BASE_ATOMIC_H
#define FILO_BASE_ATOMIC_H

#include <filo/types.h>

#include <stdatomic.h>

// The type of an atomic variable. (A macro, because tests replace this header by a model checker's.)
#define BASE_ATOMIC(Type) _Atomic(Type)

#define base_load_relaxed(p) atomic_load_explicit((p), memory_order_relaxed)
#define base_load_acquire(p) atomic_load_explicit((p), memory_order_acquire)
#define base_load_seq_cst(p) atomic_load_explicit((p), memory_order_seq_cst)

#define base_store_relaxed(p, v) atomic_store_explicit((p), (v), memory_order_relaxed)
#define base_store_release(p, v) atomic_store_explicit((p), (v), memory_order_release)
#define base_store_seq_cst(p, v) atomic_store_explicit((p), (v), memory_order_seq_cst)

#define base_add_relaxed(p, v) atomic_fetch_add_explicit((p), (v), memory_order_relaxed)
#define base_add_release(p, v) atomic_fetch_add_explicit((p), (v), memory_order_release)
#define base_add_acq_rel(p, v) atomic_fetch_add_explicit((p), (v), memory_order_acq_rel)
#define base_add_seq_cst(p, v) atomic_fetch_add_explicit((p), (v), memory_order_seq_cst)
#define base_sub_relaxed(p, v) atomic_fetch_sub_explicit((p), (v), memory_order_relaxed)
#define base_sub_acq_rel(p, v) atomic_fetch_sub_explicit((p), (v), memory_order_acq_rel)
#define base_or_relaxed(p, v)  atomic_fetch_or_explicit((p), (v), memory_order_relaxed)
#define base_and_relaxed(p, v) atomic_fetch_and_explicit((p), (v), memory_order_relaxed)

#define base_exchange_acquire(p, v) atomic_exchange_explicit((p), (v), memory_order_acquire)
#define base_exchange_acq_rel(p, v) atomic_exchange_explicit((p), (v), memory_order_acq_rel)
#define base_exchange_seq_cst(p, v) atomic_exchange_explicit((p), (v), memory_order_seq_cst)

// Compare and swap. The order named is the one on success; a failure loads relaxed, except where the name
// says otherwise. `expected` is a pointer and receives the value found.
#define base_cas_relaxed(p, expected, v)                                                                     \
    atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_relaxed, memory_order_relaxed)
#define base_cas_acquire(p, expected, v)                                                                     \
    atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_acquire, memory_order_relaxed)
#define base_cas_release(p, expected, v)                                                                     \
    atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_release, memory_order_relaxed)
#define base_cas_acq_rel(p, expected, v)                                                                     \
    atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_acq_rel, memory_order_relaxed)
#define base_cas_acq_rel_acquire(p, expected, v)                                                             \
    atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_acq_rel, memory_order_acquire)
#define base_cas_seq_cst(p, expected, v)                                                                     \
    atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_seq_cst, memory_order_relaxed)
#define base_cas_weak_relaxed(p, expected, v)                                                                \
    atomic_compare_exchange_weak_explicit((p), (expected), (v), memory_order_relaxed, memory_order_relaxed)
#define base_cas_weak_acquire(p, expected, v)                                                                \
    atomic_compare_exchange_weak_explicit((p), (expected), (v), memory_order_acquire, memory_order_relaxed)
#define base_cas_weak_release(p, expected, v)                                                                \
    atomic_compare_exchange_weak_explicit((p), (expected), (v), memory_order_release, memory_order_relaxed)

// Plain memory that the operations above pass from thread to thread. These are ordinary accesses; they have names so
// that the model checker can observe them and check that they are ordered.
#define base_plain_load(p)     (*(p))
#define base_plain_store(p, v) ((void)(*(p) = (v)))

// A hint to the processor that this is a spin loop.
static inline void base_cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
