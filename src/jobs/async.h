// Blocking work: requests, the threads that run them, and how files are read and written.
//
//   async.c        requests: starting, ending, waiting, cancelling, releasing
//   async_pool.c   the queue, and the threads
//   async_files.c  the steps of a file request, and executing them on a thread
//   async_uring.c  executing the same steps by io_uring
//
// Requests are stored in slots. Slots are in chunks that never move and are freed at the end. A slot is reused when
// its reference count is 0; its generation is then one higher, which makes stale handles invalid. References are held
// by the user until the release, by the pool until the request has ended, by the job that calls `ended` until that has
// returned, and by each thread that waits.
//
// One lock guards the queues, the threads, and the state of every slot. While a request runs, its `file` belongs to the
// thread that runs it; `result` and `bytes` are written under the lock when it ends.
//
// A thread that waits for a request waits for the slot's `gate`, a job that is never run. The end of the request
// finishes the gate, so that waiting, running other jobs and sleeping are those of filo_jobs_wait.

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

// The progress of a file request. The steps are: open, check the file, transfer bytes until there are no more, close.
typedef struct JobsFileWork {
    JobsFileTask task;
    int file; // −1: not open
    bool at_end;
    bool cancel_sent; // a cancellation of its current operation was submitted
    bool closing;
    char *path;
    size_t path_size;
    uint64_t offset; // of the first byte
    uint8_t *bytes;  // the caller's buffer, or that of `data`
    size_t
        size; // bytes to transfer; of a whole file that is read: its size when it was opened, 0 if that is unknown
    size_t done; // bytes that were transferred
    size_t limit;
    FiloFileData data;
    FiloFileWriteDesc write;
    FiloResult result; // while closing: the result of the request
} JobsFileWork;

typedef struct JobsFilePiece {
    uint8_t *bytes;
    uint32_t size;
    uint64_t offset;
} JobsFilePiece;

int jobs_file_work_flags(const JobsFileWork *work);
// Opening failed with this errno.
FiloResult jobs_file_work_open_error(const JobsFileWork *work, int error);
// `file` was opened: checks its type and size, and allocates the buffer of a whole file.
FiloResult jobs_file_work_opened(JobsFileWork *work);
// The next piece to read or write; false if there is none.
bool jobs_file_work_next(const JobsFileWork *work, JobsFilePiece *piece);
// `count` bytes of the piece were read or written.
FiloResult jobs_file_work_advance(JobsFileWork *work, const JobsFilePiece *piece, size_t count);
bool jobs_file_work_writes(const JobsFileWork *work);
// A FiloAsyncFunction: executes all steps that are left, on the calling thread.
FiloResult jobs_file_work_run(FiloAsyncCall *call, void *slot);
// Frees the path, and the data if it was not taken.
void jobs_file_work_clear(JobsFileWork *work, const FiloAllocator *allocator);

// ---- Requests -----------------------------------------------------------------------------------------

typedef struct JobsAsyncSlot {
    FiloJob gate;                          // finishes when the request has ended
    struct JobsAsyncSlot *next, *previous; // in a queue; `next` also in the list of free slots
    struct JobsAsyncSlot *newer, *older;   // in the list of all that have not ended
    struct JobsAsyncQueue *queue;          // the queue that it is in; NULL: none
    uint32_t id, generation, references;
    FiloRequestState state;
    bool released;
    bool in_ring;                 // the thread that serves the ring works on it
    bool ended_pending;           // `ended` has not returned yet
    BASE_ATOMIC(uint32_t) cancel; // filo_async_cancel was called
    FiloAsyncFunction function;
    void *user;
    FiloAsyncOptions options;
    FiloJob *ended_job; // calls `ended`, and is a child of `parent`; NULL: the request has neither
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
    struct JobsAsyncThread *idle_below; // in the stack of idle threads
    FiloThread thread;
    JobsAsyncThreadState state; // ended: it does not lock any more, and can be joined
    BASE_ATOMIC(uint32_t) idle; // 1: idle; the word that it is parked on
} JobsAsyncThread;

typedef enum JobsUringState { JOBS_URING_UNTRIED, JOBS_URING_READY, JOBS_URING_REFUSED } JobsUringState;

typedef struct JobsAsync {
    JobsWorker gate_worker; // has no queues; passed to jobs_worker_finish for gates
    FiloJobs *jobs;
    const FiloAllocator *allocator;
    FiloMutex lock; // for all below
    // Requests
    JobsAsyncSlot *chunks[JOBS_ASYNC_CHUNKS];
    uint32_t chunk_count, slot_count;
    JobsAsyncSlot *free_slots;
    JobsAsyncSlot *oldest, *newest; // of the requests that have not ended
    uint64_t accepted;              // number of requests so far
    uint64_t outstanding;           // requests whose jobs have not all been submitted
    bool closed;                    // no new requests are accepted
    // Threads
    JobsAsyncQueue queue;
    JobsAsyncThread *threads;
    uint32_t thread_limit;
    BASE_ATOMIC(uint32_t) thread_count; // alive; written under the lock, read without it
    JobsAsyncThread *idle;              // a stack: the thread that became idle last is woken first
    int64_t idle_ns;
    bool stopping;
    // Files by io_uring. One thread at a time serves the ring. It sleeps in the kernel until an operation completes, or
    // until the event descriptor is written to.
    JobsAsyncQueue ring_queue;
    JobsUringState ring_state;
    bool ring_served;          // a thread serves the ring
    bool ring_thread_notified; // a thread was woken or started to serve it
    bool ring_event_set;       // the event descriptor was written to
    int ring_event;            // the event descriptor; −1: none yet
    struct JobsUring *uring;   // used by the thread that serves the ring
} JobsAsync;

// ---- async.c ----

// Releases a reference. At 0 the slot is free.
void jobs_async_release_slot(JobsAsync *async, JobsAsyncSlot *slot);
// Runs the request's function on the calling thread and ends it.
void jobs_async_execute(JobsAsync *async, JobsAsyncSlot *slot);
// Ends the request. Not with the lock held.
void jobs_async_end(JobsAsync *async, JobsAsyncSlot *slot, FiloResult result, size_t bytes);
FiloResult jobs_async_cancelled_result(const JobsAsyncSlot *slot);
void jobs_async_free_slots(JobsAsync *async);

// ---- async_pool.c ----

bool jobs_async_create(FiloJobs *jobs);
// Cancels waiting requests, notifies running ones, and accepts no new ones.
void jobs_async_cancel_all(FiloJobs *jobs);
// Runs jobs until no request is outstanding. Returns the number of requests so far.
uint64_t jobs_async_wait_all(FiloJobs *jobs);
// Ends all threads and frees everything. Nothing may be outstanding.
void jobs_async_destroy(FiloJobs *jobs);
int jobs_async_thread_count(FiloJobs *jobs);

// All with the lock held.
void jobs_async_queue_push(JobsAsyncQueue *queue, JobsAsyncSlot *slot);
void jobs_async_queue_remove(JobsAsyncSlot *slot);
// A request was put into the queue: wakes or starts a thread for it. False if there is no thread at all.
bool jobs_async_notify_threads(JobsAsync *async);
// A request was put into the ring's queue, or is to be cancelled there. False if there is no thread at all.
bool jobs_async_notify_ring(JobsAsync *async);

// ---- async_uring.c ----

// Whether this build can use io_uring at all.
bool jobs_async_has_ring(void);
// Serves the ring until it is empty. With the lock held, which it releases meanwhile.
void jobs_async_serve_ring(JobsAsync *async);
void jobs_async_free_ring(JobsAsync *async);

#endif
