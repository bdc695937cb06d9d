// Replaces "base/atomic.h" and "jobs/barrier.h" in a test: the same names, but every operation is executed by the
// explorer. Include it before the sources that are to be explored.

#ifndef FILO_BASE_ATOMIC_H
#define FILO_BASE_ATOMIC_H
#define FILO_JOBS_BARRIER_H

#include "support/explorer.h"

// The result of an addition or exchange is a cast here, and often not used.
#pragma GCC diagnostic ignored "-Wunused-value"

#define BASE_ATOMIC(Type) __typeof__(Type)

#define EXPLORER_MAKE_SITE(operation, order, failure_order, text)                                            \
    ((ExplorerSite){ (operation), (order), (failure_order), (text), __func__, __FILE__, __LINE__ })
#define EXPLORER_DO_LOAD(p, order)                                                                           \
    ((__typeof__(*(p)))explorer_operate((void *)(uintptr_t)(p), sizeof *(p), 0,                              \
                                        EXPLORER_MAKE_SITE(EXPLORER_LOAD, order, order, #p)))
#define EXPLORER_DO_MODIFY(operation, p, v, order)                                                           \
    ((__typeof__(*(p)))explorer_operate((p), sizeof *(p), (uint64_t)(__typeof__(*(p)))(v),                   \
                                        EXPLORER_MAKE_SITE(operation, order, order, #p)))
#define EXPLORER_DO_CAS(p, expected, v, order, failure_order)                                                \
    explorer_cas((p), sizeof *(p), (expected), (uint64_t)(__typeof__(*(p)))(v),                              \
                 EXPLORER_MAKE_SITE(EXPLORER_CAS, order, failure_order, #p))

#define base_load_relaxed(p) EXPLORER_DO_LOAD(p, EXPLORER_RELAXED)
#define base_load_acquire(p) EXPLORER_DO_LOAD(p, EXPLORER_ACQUIRE)
#define base_load_seq_cst(p) EXPLORER_DO_LOAD(p, EXPLORER_SEQ_CST)

#define base_store_relaxed(p, v) ((void)EXPLORER_DO_MODIFY(EXPLORER_STORE, p, v, EXPLORER_RELAXED))
#define base_store_release(p, v) ((void)EXPLORER_DO_MODIFY(EXPLORER_STORE, p, v, EXPLORER_RELEASE))
#define base_store_seq_cst(p, v) ((void)EXPLORER_DO_MODIFY(EXPLORER_STORE, p, v, EXPLORER_SEQ_CST))

#define base_add_relaxed(p, v) EXPLORER_DO_MODIFY(EXPLORER_ADD, p, v, EXPLORER_RELAXED)
#define base_add_release(p, v) EXPLORER_DO_MODIFY(EXPLORER_ADD, p, v, EXPLORER_RELEASE)
#define base_add_acq_rel(p, v) EXPLORER_DO_MODIFY(EXPLORER_ADD, p, v, EXPLORER_ACQ_REL)
#define base_add_seq_cst(p, v) EXPLORER_DO_MODIFY(EXPLORER_ADD, p, v, EXPLORER_SEQ_CST)

#define base_sub_relaxed(p, v) EXPLORER_DO_MODIFY(EXPLORER_SUB, p, v, EXPLORER_RELAXED)
#define base_sub_acq_rel(p, v) EXPLORER_DO_MODIFY(EXPLORER_SUB, p, v, EXPLORER_ACQ_REL)

#define base_or_relaxed(p, v) EXPLORER_DO_MODIFY(EXPLORER_OR, p, v, EXPLORER_RELAXED)

#define base_and_relaxed(p, v) EXPLORER_DO_MODIFY(EXPLORER_AND, p, v, EXPLORER_RELAXED)

#define base_exchange_acquire(p, v) EXPLORER_DO_MODIFY(EXPLORER_EXCHANGE, p, v, EXPLORER_ACQUIRE)
#define base_exchange_acq_rel(p, v) EXPLORER_DO_MODIFY(EXPLORER_EXCHANGE, p, v, EXPLORER_ACQ_REL)
#define base_exchange_seq_cst(p, v) EXPLORER_DO_MODIFY(EXPLORER_EXCHANGE, p, v, EXPLORER_SEQ_CST)

// A weak compare and swap is modelled as a strong one: it does not fail for no reason.
#define base_cas_relaxed(p, expected, v) EXPLORER_DO_CAS(p, expected, v, EXPLORER_RELAXED, EXPLORER_RELAXED)
#define base_cas_acquire(p, expected, v) EXPLORER_DO_CAS(p, expected, v, EXPLORER_ACQUIRE, EXPLORER_RELAXED)
#define base_cas_release(p, expected, v) EXPLORER_DO_CAS(p, expected, v, EXPLORER_RELEASE, EXPLORER_RELAXED)
#define base_cas_acq_rel(p, expected, v) EXPLORER_DO_CAS(p, expected, v, EXPLORER_ACQ_REL, EXPLORER_RELAXED)
#define base_cas_acq_rel_acquire(p, expected, v)                                                             \
    EXPLORER_DO_CAS(p, expected, v, EXPLORER_ACQ_REL, EXPLORER_ACQUIRE)
#define base_cas_seq_cst(p, expected, v) EXPLORER_DO_CAS(p, expected, v, EXPLORER_SEQ_CST, EXPLORER_RELAXED)
#define base_cas_weak_relaxed(p, expected, v)                                                                \
    EXPLORER_DO_CAS(p, expected, v, EXPLORER_RELAXED, EXPLORER_RELAXED)
#define base_cas_weak_acquire(p, expected, v)                                                                \
    EXPLORER_DO_CAS(p, expected, v, EXPLORER_ACQUIRE, EXPLORER_RELAXED)
#define base_cas_weak_release(p, expected, v)                                                                \
    EXPLORER_DO_CAS(p, expected, v, EXPLORER_RELEASE, EXPLORER_RELAXED)

#define base_plain_load(p)                                                                                   \
    (explorer_plain((p), sizeof *(p), false,                                                                 \
                    EXPLORER_MAKE_SITE(EXPLORER_LOAD, EXPLORER_RELAXED, EXPLORER_RELAXED, #p)),              \
     *(p))
#define base_plain_store(p, v)                                                                               \
    (explorer_plain((p), sizeof *(p), true,                                                                  \
                    EXPLORER_MAKE_SITE(EXPLORER_STORE, EXPLORER_RELAXED, EXPLORER_RELAXED, #p)),             \
     (void)(*(p) = (v)))

#define jobs_barrier_everywhere()                                                                            \
    explorer_barrier(EXPLORER_MAKE_SITE(EXPLORER_BARRIER, EXPLORER_SEQ_CST, EXPLORER_SEQ_CST, "everywhere"))

static inline bool jobs_barrier_prepare(void) { return true; }
static inline void jobs_barrier_compiler(void) {} // the explorer never reorders the operations of one thread

static inline void base_cpu_relax(void) {}

#endif
