// Replaces "base/atomic.h" and "jobs/barrier.h" in a test: the same words, but every operation is one of the
// explorer's. Include it before the sources that are to be explored.

#ifndef FILO_BASE_ATOMIC_H
#define FILO_BASE_ATOMIC_H
#define FILO_JOBS_BARRIER_H

#include "support/explorer.h"

// What an addition or an exchange returns is often not used, and is a cast here.
#pragma GCC diagnostic ignored "-Wunused-value"

#define BASE_ATOMIC(Type) __typeof__(Type)

#define EXPLORER_SITE(operation, order, failure_order, text)                                                 \
    ((FiloSite){ (operation), (order), (failure_order), (text), __func__, __FILE__, __LINE__ })
#define EXPLORER_READ(operation, p, order)                                                                   \
    ((__typeof__(*(p)))filo_explorer_operate((void *)(uintptr_t)(p), sizeof *(p), 0,                         \
                                             EXPLORER_SITE(operation, order, order, #p)))
#define EXPLORER_CHANGE(operation, p, v, order)                                                              \
    ((__typeof__(*(p)))filo_explorer_operate((p), sizeof *(p), (uint64_t)(__typeof__(*(p)))(v),              \
                                             EXPLORER_SITE(operation, order, order, #p)))
#define EXPLORER_CAS(p, expected, v, order, failure_order)                                                   \
    filo_explorer_cas((p), sizeof *(p), (expected), (uint64_t)(__typeof__(*(p)))(v),                         \
                      EXPLORER_SITE(FILO_CAS, order, failure_order, #p))

#define base_load_relaxed(p) EXPLORER_READ(FILO_LOAD, p, FILO_RELAXED)
#define base_load_acquire(p) EXPLORER_READ(FILO_LOAD, p, FILO_ACQUIRE)
#define base_load_seq_cst(p) EXPLORER_READ(FILO_LOAD, p, FILO_SEQ_CST)

#define base_store_relaxed(p, v) ((void)EXPLORER_CHANGE(FILO_STORE, p, v, FILO_RELAXED))
#define base_store_release(p, v) ((void)EXPLORER_CHANGE(FILO_STORE, p, v, FILO_RELEASE))
#define base_store_seq_cst(p, v) ((void)EXPLORER_CHANGE(FILO_STORE, p, v, FILO_SEQ_CST))

#define base_add_relaxed(p, v) EXPLORER_CHANGE(FILO_ADD, p, v, FILO_RELAXED)
#define base_add_release(p, v) EXPLORER_CHANGE(FILO_ADD, p, v, FILO_RELEASE)
#define base_add_acq_rel(p, v) EXPLORER_CHANGE(FILO_ADD, p, v, FILO_ACQ_REL)
#define base_add_seq_cst(p, v) EXPLORER_CHANGE(FILO_ADD, p, v, FILO_SEQ_CST)

#define base_sub_relaxed(p, v) EXPLORER_CHANGE(FILO_SUB, p, v, FILO_RELAXED)
#define base_sub_acq_rel(p, v) EXPLORER_CHANGE(FILO_SUB, p, v, FILO_ACQ_REL)

#define base_or_relaxed(p, v) EXPLORER_CHANGE(FILO_OR, p, v, FILO_RELAXED)

#define base_and_relaxed(p, v) EXPLORER_CHANGE(FILO_AND, p, v, FILO_RELAXED)

#define base_exchange_acquire(p, v) EXPLORER_CHANGE(FILO_EXCHANGE, p, v, FILO_ACQUIRE)
#define base_exchange_acq_rel(p, v) EXPLORER_CHANGE(FILO_EXCHANGE, p, v, FILO_ACQ_REL)
#define base_exchange_seq_cst(p, v) EXPLORER_CHANGE(FILO_EXCHANGE, p, v, FILO_SEQ_CST)

// A weak compare and swap is modelled as a strong one: it does not fail for no reason.
#define base_cas_relaxed(p, expected, v)         EXPLORER_CAS(p, expected, v, FILO_RELAXED, FILO_RELAXED)
#define base_cas_acquire(p, expected, v)         EXPLORER_CAS(p, expected, v, FILO_ACQUIRE, FILO_RELAXED)
#define base_cas_release(p, expected, v)         EXPLORER_CAS(p, expected, v, FILO_RELEASE, FILO_RELAXED)
#define base_cas_acq_rel(p, expected, v)         EXPLORER_CAS(p, expected, v, FILO_ACQ_REL, FILO_RELAXED)
#define base_cas_acq_rel_acquire(p, expected, v) EXPLORER_CAS(p, expected, v, FILO_ACQ_REL, FILO_ACQUIRE)
#define base_cas_seq_cst(p, expected, v)         EXPLORER_CAS(p, expected, v, FILO_SEQ_CST, FILO_RELAXED)
#define base_cas_weak_relaxed(p, expected, v)    EXPLORER_CAS(p, expected, v, FILO_RELAXED, FILO_RELAXED)
#define base_cas_weak_acquire(p, expected, v)    EXPLORER_CAS(p, expected, v, FILO_ACQUIRE, FILO_RELAXED)
#define base_cas_weak_release(p, expected, v)    EXPLORER_CAS(p, expected, v, FILO_RELEASE, FILO_RELAXED)

#define base_plain_load(p)                                                                                   \
    (filo_explorer_plain((p), sizeof *(p), false, EXPLORER_SITE(FILO_LOAD, FILO_RELAXED, FILO_RELAXED, #p)), \
     *(p))
#define base_plain_store(p, v)                                                                               \
    (filo_explorer_plain((p), sizeof *(p), true, EXPLORER_SITE(FILO_STORE, FILO_RELAXED, FILO_RELAXED, #p)), \
     (void)(*(p) = (v)))

#define jobs_barrier_everywhere()                                                                            \
    filo_explorer_barrier(EXPLORER_SITE(FILO_BARRIER, FILO_SEQ_CST, FILO_SEQ_CST, "everywhere"))

static inline bool jobs_barrier_prepare(void) { return true; }
static inline void jobs_barrier_compiler(void) {} // operations are made in the order of the program anyway

static inline void base_cpu_relax(void) {}

#endif
