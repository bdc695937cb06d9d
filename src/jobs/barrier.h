// A barrier of which one side pays for both. Two threads that each write one thing and then read the
// other's need a full barrier between the write and the read, both of them, or both may miss each other.
// Where one side does that all the time and the other hardly ever, the frequent one writes
// jobs_barrier_compiler, which is no instruction at all, and the rare one jobs_barrier_everywhere, which
// takes some microseconds: the kernel interrupts every other running thread of the process, and each of
// them passes a full barrier wherever it happens to be.
//
// What it promises (man 2 membarrier): between call and return of jobs_barrier_everywhere there is, for
// each other thread, a point in its program such that what it wrote before that point is visible to the
// caller afterwards, and what the caller wrote before the call is visible to the thread behind that
// point. (See also: Dice, Huang and Yang, "Asymmetric Dekker synchronization", 2001.) The explorer
// models exactly this, and replaces this header.

#ifndef FILO_JOBS_BARRIER_H
#define FILO_JOBS_BARRIER_H

#include "base/atomic.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

// Prepares the process for jobs_barrier_everywhere, as often as one likes. False if this kernel does not
// have it.
static inline bool jobs_barrier_prepare(void) {
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

// The rare side.
static inline void jobs_barrier_everywhere(void) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

// The frequent side: what is written before is written before what follows is read, as far as the
// compiler goes.
static inline void jobs_barrier_compiler(void) { atomic_signal_fence(memory_order_seq_cst); }

#endif
