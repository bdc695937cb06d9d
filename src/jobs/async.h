// The inside of blocking work: requests, the threads that run them, and how files are read and written.
//
//   async.c        requests: making, asking, waiting, cancelling, releasing; their end
//   async_pool.c   the queue, and the threads that come and go
//   async_files.c  what there is to do for a file, step by step; and doing it on a thread
//   async_uring.c  doing the same steps by io_uring
//
// Requests live in slots. Slots stand in chunks that never move and are freed at the end; a slot is used
// again when nobody refers to it, with a generation one higher, by which stale handles are told. References
// are held by the user until the release, by the pool until the request has ended, by the job that calls
// `ended` until it has, and by each thread that waits.
//
// One lock guards all of this: the queues, the threads, and the state of every slot. While a request runs,
// its `file` belongs to the thread that runs it; `result` and `bytes` are written under the lock at its end.
//
// A thread that waits for a request waits for the slot's `gate`, a job that is never run: the end of the
// request finishes it, so that waiting, helping and sleeping are those of filo_jobs_wait.

#ifndef FILO_JOBS_ASYNC_H
#define FILO_JOBS_ASYNC_H

#include <filo/async.h>
#include <filo/threads.h>

#include "base/atomic.h"
#include "jobs/scheduler.h"

// ---- Files --------------------------------------------------------------------------------------------

typedef enum JobsFileTask {
    JOBS_TASK_NONE,
    JOBS_TASK_READ_FILE,
    JOBS_TASK_READ,
    JOBS_TASK_WRITE_FILE,
    JOBS_TASK_WRITE
} JobsFileTask;

// Where a file request stands. The steps are: open, look at what was opened, move bytes until there are no
// more, close.
typedef struct JobsFileWork {
    JobsFileTask task;
    int file; // −1: not open
    bool at_end;
    bool cancel_sent; // the kernel was asked to cancel what it is doing for us
    bool closing;
    char *path;
    size_t path_size;
    uint64_t offset; // of the first byte
    uint8_t *bytes;  // the caller's buffer, or that of `data`
    size_t size;     // bytes to move; while a whole file is read: how many there are supposed to be
    size_t moved;
    size_t limit;
    FiloFileData data;
    FiloFileWriteDesc write;
    FiloResult outcome; // while closing: what will be the result
} JobsFileWork;

typedef struct JobsFilePiece {
    uint8_t *bytes;
    uint32_t size;
    uint64_t offset;
} JobsFilePiece;

int jobs_file_work_flags(const JobsFileWork *work);
// Opening failed with this errno.
FiloResult jobs_file_work_open_error(const JobsFileWork *work, int error);
// `file` was opened: is it what it should be? Makes room to read into.
FiloResult jobs_file_work_opened(JobsFileWork *work);
// What to read or write next; false if that was all.
bool jobs_file_work_next(const JobsFileWork *work, JobsFilePiece *piece);
// `count` bytes of the piece were read or written.
FiloResult jobs_file_work_moved(JobsFileWork *work, const JobsFilePiece *piece, size_t count);
bool jobs_file_work_writes(const JobsFileWork *work);
// All steps that are left, on the calling thread.
FiloResult jobs_file_work_run(FiloAsyncCall *call, void *slot);
// After the last step: what failed is not handed out.
void jobs_file_work_settle(JobsFileWork *work, FiloResult result);
// Frees what belongs to the request.
void jobs_file_work_clear(JobsFileWork *work, const FiloAllocator *allocator);

// ---- Requests -----------------------------------------------------------------------------------------

typedef struct JobsAsyncSlot {
    FiloJob gate;                          // finishes when the request has ended
    struct JobsAsyncSlot *next, *previous; // in a queue; or, free, the next free one
    struct JobsAsyncSlot *newer, *older;   // of all that have not ended
    struct JobsAsyncQueue *queue;          // that it is in; NULL: none
    uint32_t id, generation, references;
    FiloRequestState state;
    bool released;
    bool in_ring;                 // the thread that has the ring works on it
    bool telling;                 // `ended` has not returned yet
    BASE_ATOMIC(uint32_t) cancel; // somebody asked
    FiloAsyncFunction function;
    void *user;
    FiloAsyncOptions options;
    FiloJob *call_ended; // a job of the scheduler's, for `ended` and `parent`; NULL: neither
    size_t bytes;
    FiloResult result;
    JobsFileWork file;
} JobsAsyncSlot;

typedef struct JobsAsyncQueue {
    JobsAsyncSlot *first, *last;
    uint32_t count;
} JobsAsyncQueue;

#define JOBS_ASYNC_CHUNKS 26 // of 16, 16, 32, 64, … slots: 2^29 in all

// ---- Threads ------------------------------------------------------------------------------------------

typedef enum JobsAsyncThreadState {
    JOBS_ASYNC_FREE,
    JOBS_ASYNC_ALIVE,
    JOBS_ASYNC_ENDED
} JobsAsyncThreadState;

typedef struct JobsAsyncThread {
    struct JobsAsync *async;
    struct JobsAsyncThread *idle_below; // in the stack of idle ones
    FiloThread thread;
    JobsAsyncThreadState state; // ended: it is past its last touch of the lock, and can be joined
    BASE_ATOMIC(uint32_t) idle; // parked on
} JobsAsyncThread;

typedef enum JobsRingState { JOBS_RING_UNTRIED, JOBS_RING_READY, JOBS_RING_REFUSED } JobsRingState;

typedef struct JobsAsync {
    JobsWorker nobody; // a worker without queues, in whose name gates are finished
    FiloJobs *jobs;
    const FiloAllocator *allocator;
    FiloMutex lock; // of all below
    // Requests
    JobsAsyncSlot *chunks[JOBS_ASYNC_CHUNKS];
    uint32_t chunk_count, slot_count;
    JobsAsyncSlot *free_slots;
    JobsAsyncSlot *oldest, *newest; // of those that have not ended
    uint64_t accepted;              // requests ever
    uint64_t outstanding;           // whose end is not wholly dealt with
    bool refusing;
    // Threads
    JobsAsyncQueue queue;
    JobsAsyncThread *threads;
    uint32_t thread_limit;
    BASE_ATOMIC(uint32_t) thread_count; // alive; written under the lock, read by anybody
    JobsAsyncThread *idle;              // a stack: the one that worked last is woken first
    int64_t idle_ns;
    bool stopping;
    // Files by io_uring. One thread at a time has the ring; it sleeps in the kernel until something comes
    // back, or until it is told by the event descriptor that there is something new.
    JobsAsyncQueue ring_queue;
    JobsRingState ring_state;
    bool ring_served;        // a thread has the ring
    bool ring_called;        // a thread was woken or started to take it
    bool ring_told;          // the event descriptor was written to
    int ring_event;          // −1: none yet
    struct JobsUring *uring; // of the thread that has the ring
} JobsAsync;

// ---- async.c ----

// Gives a reference back; a slot without any is free, also one that was opened and not started.
void jobs_async_drop(JobsAsync *async, JobsAsyncSlot *slot);
// Runs the request's function on the calling thread and ends it.
void jobs_async_execute(JobsAsync *async, JobsAsyncSlot *slot);
// The request is over. Not with the lock held.
void jobs_async_end(JobsAsync *async, JobsAsyncSlot *slot, FiloResult result, size_t bytes);
FiloResult jobs_async_cancelled_result(const JobsAsyncSlot *slot);
void jobs_async_free_slots(JobsAsync *async);

// ---- async_pool.c ----

bool jobs_async_create(FiloJobs *jobs);
// Cancels what waits, tells what runs, and refuses what comes.
void jobs_async_cancel_all(FiloJobs *jobs);
// Runs jobs until no request is outstanding. Returns how many there have ever been.
uint64_t jobs_async_settle(FiloJobs *jobs);
// Ends all threads and frees everything. Nothing may be outstanding.
void jobs_async_destroy(FiloJobs *jobs);
int jobs_async_thread_count(FiloJobs *jobs);

// All with the lock held.
void jobs_async_queue_push(JobsAsyncQueue *queue, JobsAsyncSlot *slot);
void jobs_async_queue_remove(JobsAsyncSlot *slot);
// Something was put into the thread queue: wakes or starts a thread for it. False if there is none at all.
bool jobs_async_call_thread(JobsAsync *async);
// Something was put into the ring's queue, or is to be cancelled there.
bool jobs_async_call_ring(JobsAsync *async);

// ---- async_uring.c ----

// Whether this build can use io_uring at all.
bool jobs_async_has_ring(void);
// Serves the ring until it has nothing to do. Called with the lock held, and returns with it.
void jobs_async_serve_ring(JobsAsync *async);
void jobs_async_free_ring(JobsAsync *async);

#endif
