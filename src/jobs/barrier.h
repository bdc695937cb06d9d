// An asymmetric barrier. Where two threads each write one location and then read the other's, both need a full barrier
// between the write and the read, or each may miss what the other wrote. Where one side does so often and the other
// rarely, the frequent side calls jobs_barrier_compiler, which is no instruction at all. The rare side calls
// jobs_barrier_everywhere, which takes some microseconds: the kernel interrupts every other running thread of the
// process, and each of them passes a full barrier at its current instruction.
//
// The guarantee (man 2 membarrier): between call and return of jobs_barrier_everywhere there is, for each other
// thread, a point in its program such that what it wrote before that point is visible to the caller afterwards, and
// what the caller wrote before the call is visible to the thread behind that point. (See also: Dice, Huang and Yang,
// "Asymmetric Dekker synchronization", 2001.) The explorer of the tests models exactly this, and replaces this header.

#ifndef FILO_JOBS_BARRIER_H
#define FILO_JOBS_BARRIER_H

#include "base/atomic.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

// Prepares the process for jobs_barrier_everywhere; may be called again. False if the kernel does not support it.
static inline bool jobs_barrier_prepare(void) {
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

// The rare side.
static inline void jobs_barrier_everywhere(void) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

// The frequent side: the compiler does not reorder writes before it and reads after it.
static inline void jobs_barrier_compiler(void) { atomic_signal_fence(memory_order_seq_cst); }

#endif
