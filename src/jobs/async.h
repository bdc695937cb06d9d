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

typedef enum FiloFileTask {
    FILO_TASK_NONE,
    FILO_TASK_READ_FILE,
    FILO_TASK_READ,
    FILO_TASK_WRITE_FILE,
    FILO_TASK_WRITE
} FiloFileTask;

// Where a file request stands. The steps are: open, look at what was opened, move bytes until there are no
// more, close.
typedef struct FiloFileWork {
    FiloFileTask task;
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
} FiloFileWork;

typedef struct FiloFilePiece {
    uint8_t *bytes;
    uint32_t size;
    uint64_t offset;
} FiloFilePiece;

int filo_file_work_flags(const FiloFileWork *work);
// Opening failed with this errno.
FiloResult filo_file_work_open_error(const FiloFileWork *work, int error);
// `file` was opened: is it what it should be? Makes room to read into.
FiloResult filo_file_work_opened(FiloFileWork *work);
// What to read or write next; false if that was all.
bool filo_file_work_next(const FiloFileWork *work, FiloFilePiece *piece);
// `count` bytes of the piece were read or written.
FiloResult filo_file_work_moved(FiloFileWork *work, const FiloFilePiece *piece, size_t count);
bool filo_file_work_writes(const FiloFileWork *work);
// All steps that are left, on the calling thread.
FiloResult filo_file_work_run(FiloAsyncCall *call, void *slot);
// After the last step: what failed is not handed out.
void filo_file_work_settle(FiloFileWork *work, FiloResult result);
// Frees what belongs to the request.
void filo_file_work_clear(FiloFileWork *work, const FiloAllocator *allocator);

// ---- Requests -----------------------------------------------------------------------------------------

typedef struct FiloAsyncSlot {
    FiloJob gate;                          // finishes when the request has ended
    struct FiloAsyncSlot *next, *previous; // in a queue; or, free, the next free one
    struct FiloAsyncSlot *newer, *older;   // of all that have not ended
    struct FiloAsyncQueue *queue;          // that it is in; NULL: none
    uint32_t id, generation, references;
    FiloRequestState state;
    bool released;
    bool in_ring;                 // the thread that has the ring works on it
    bool telling;                 // `ended` has not returned yet
    FILO_ATOMIC(uint32_t) cancel; // somebody asked
    FiloAsyncFunction function;
    void *user;
    FiloAsyncOptions options;
    FiloJob *call_ended; // a job of the scheduler's, for `ended` and `parent`; NULL: neither
    size_t bytes;
    FiloResult result;
    FiloFileWork file;
} FiloAsyncSlot;

typedef struct FiloAsyncQueue {
    FiloAsyncSlot *first, *last;
    uint32_t count;
} FiloAsyncQueue;

#define FILO_ASYNC_CHUNKS 26 // of 16, 16, 32, 64, … slots: 2^29 in all

// ---- Threads ------------------------------------------------------------------------------------------

typedef enum FiloAsyncThreadState {
    FILO_ASYNC_FREE,
    FILO_ASYNC_ALIVE,
    FILO_ASYNC_ENDED
} FiloAsyncThreadState;

typedef struct FiloAsyncThread {
    struct FiloAsync *async;
    struct FiloAsyncThread *idle_below; // in the stack of idle ones
    FiloThread thread;
    FiloAsyncThreadState state; // ended: it is past its last touch of the lock, and can be joined
    FILO_ATOMIC(uint32_t) idle; // parked on
} FiloAsyncThread;

typedef enum FiloRingState { FILO_RING_UNTRIED, FILO_RING_READY, FILO_RING_REFUSED } FiloRingState;

typedef struct FiloAsync {
    FiloWorker nobody; // a worker without queues, in whose name gates are finished
    FiloJobs *jobs;
    const FiloAllocator *allocator;
    FiloMutex lock; // of all below
    // Requests
    FiloAsyncSlot *chunks[FILO_ASYNC_CHUNKS];
    uint32_t chunk_count, slot_count;
    FiloAsyncSlot *free_slots;
    FiloAsyncSlot *oldest, *newest; // of those that have not ended
    uint64_t accepted;              // requests ever
    uint64_t outstanding;           // whose end is not wholly dealt with
    bool refusing;
    // Threads
    FiloAsyncQueue queue;
    FiloAsyncThread *threads;
    uint32_t thread_limit;
    FILO_ATOMIC(uint32_t) thread_count; // alive; written under the lock, read by anybody
    FiloAsyncThread *idle;              // a stack: the one that worked last is woken first
    int64_t idle_ns;
    bool stopping;
    // Files by io_uring. One thread at a time has the ring; it sleeps in the kernel until something comes
    // back, or until it is told by the event descriptor that there is something new.
    FiloAsyncQueue ring_queue;
    FiloRingState ring_state;
    bool ring_served;        // a thread has the ring
    bool ring_called;        // a thread was woken or started to take it
    bool ring_told;          // the event descriptor was written to
    int ring_event;          // −1: none yet
    struct FiloUring *uring; // of the thread that has the ring
} FiloAsync;

// ---- async.c ----

// Gives a reference back; a slot without any is free, also one that was opened and not started.
void filo_async_drop(FiloAsync *async, FiloAsyncSlot *slot);
// Runs the request's function on the calling thread and ends it.
void filo_async_execute(FiloAsync *async, FiloAsyncSlot *slot);
// The request is over. Not with the lock held.
void filo_async_end(FiloAsync *async, FiloAsyncSlot *slot, FiloResult result, size_t bytes);
FiloResult filo_async_cancelled_result(const FiloAsyncSlot *slot);
void filo_async_free_slots(FiloAsync *async);

// ---- async_pool.c ----

bool filo_async_create(FiloJobs *jobs);
// Cancels what waits, tells what runs, and refuses what comes.
void filo_async_cancel_all(FiloJobs *jobs);
// Runs jobs until no request is outstanding. Returns how many there have ever been.
uint64_t filo_async_settle(FiloJobs *jobs);
// Ends all threads and frees everything. Nothing may be outstanding.
void filo_async_destroy(FiloJobs *jobs);
int filo_async_thread_count(FiloJobs *jobs);

// All with the lock held.
void filo_async_queue_push(FiloAsyncQueue *queue, FiloAsyncSlot *slot);
void filo_async_queue_remove(FiloAsyncSlot *slot);
// Something was put into the thread queue: wakes or starts a thread for it. False if there is none at all.
bool filo_async_call_thread(FiloAsync *async);
// Something was put into the ring's queue, or is to be cancelled there.
bool filo_async_call_ring(FiloAsync *async);

// ---- async_uring.c ----

// Whether this build can use io_uring at all.
bool filo_async_has_ring(void);
// Serves the ring until it has nothing to do. Called with the lock held, and returns with it.
void filo_async_serve_ring(FiloAsync *async);
void filo_async_free_ring(FiloAsync *async);

#endif
