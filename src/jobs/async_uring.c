// Files by io_uring: the steps of async_files.c, each an entry of the ring.
//
// One thread has the ring at a time. Anybody may queue a request, under the pool's lock; that thread takes
// the queue, gives the kernel all it has at once, deals with what came back, and sleeps in poll until the
// kernel or the event descriptor has something. When nothing is in the kernel and nothing is queued, it is an
// ordinary thread of the pool again, and the next request finds another, or the same.
//
// Why only that thread touches the ring: what a thread gave to the kernel is called off when that thread
// ends; a write beyond a limit sends its signal to the thread that submitted it; and completions are worked
// off on it. A worker would suffer all three. It also leaves nothing for ThreadSanitizer to misunderstand.
//
// The kernel may refuse: the system call (ENOSYS in old kernels, EPERM in containers), or one request
// (EAGAIN, short of memory; EOPNOTSUPP, a strange file). In both cases a thread takes over where the ring
// stopped.

#include <filo/check.h>
#include <filo/log.h>

#include "base/file_system.h"
#include "jobs/async.h"

#ifdef JOBS_HAS_URING

#    include <errno.h>
#    include <fcntl.h>
#    include <liburing.h>
#    include <poll.h>
#    include <string.h>
#    include <sys/eventfd.h>
#    include <unistd.h>

#    define MOST_IN_RING 128           // requests at a time; each has one entry, and one more to cancel it
#    define LARGE_PIECE  FILO_KIB(256) // the kernel does these on threads of its own
#    define RETRY_MS     1             // when the kernel has no memory to take what we have

typedef struct JobsUring {
    struct io_uring ring;
    JobsAsyncSlot *slots[MOST_IN_RING]; // in the ring
    uint32_t count;
    JobsAsyncQueue failed; // that a thread must go on with
} JobsUring;

// The user data of cancellations, whose own result says nothing.
static char cancellation;

// ---- Trying -------------------------------------------------------------------------------------------

static bool knows_operations(struct io_uring *ring) {
    static const int needed[] = { IORING_OP_OPENAT, IORING_OP_READ, IORING_OP_WRITE, IORING_OP_CLOSE,
                                  IORING_OP_ASYNC_CANCEL };
    struct io_uring_probe *probe = io_uring_get_probe_ring(ring);
    bool all = probe != NULL;
    for (size_t i = 0; all && i < FILO_COUNT_OF(needed); i++)
        all = io_uring_opcode_supported(probe, needed[i]);
    io_uring_free_probe(probe);
    return all;
}

// 0, or why there is no ring.
static int make_ring(JobsAsync *async, JobsUring **made, int *event) {
    JobsUring *uring = filo_alloc_zero(async->allocator, sizeof *uring, 0);
    if (uring == NULL) return ENOMEM;
    base_fs_hold_standard_streams(); // the ring opens files too
    *event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int error = *event < 0 ? errno : -io_uring_queue_init(2 * MOST_IN_RING, &uring->ring, 0);
    if (error == 0 && !knows_operations(&uring->ring)) {
        io_uring_queue_exit(&uring->ring);
        error = ENOSYS;
    }
    if (error != 0) {
        if (*event >= 0) close(*event);
        filo_free(async->allocator, uring, sizeof *uring, 0);
        return error;
    }
    *made = uring;
    return 0;
}

// With the lock held, given up meanwhile.
static void try_ring(JobsAsync *async) {
    JobsUring *uring = NULL;
    int event = -1;
    filo_mutex_unlock(&async->lock);
    int error = make_ring(async, &uring, &event);
    if (error != 0)
        filo_log_debug("jobs", "no io_uring (%s): files are read and written on threads",
                       strerrordesc_np(error));
    filo_mutex_lock(&async->lock);
    async->ring_state = error == 0 ? JOBS_RING_READY : JOBS_RING_REFUSED;
    async->uring = uring;
    async->ring_event = error == 0 ? event : -1;
}

// ---- Giving to the kernel -----------------------------------------------------------------------------

static struct io_uring_sqe *take_entry(JobsUring *uring) {
    struct io_uring_sqe *entry = io_uring_get_sqe(&uring->ring);
    while (entry == NULL) { // there are two for each request; only if the kernel would not take them before
        (void)io_uring_submit(&uring->ring);
        entry = io_uring_get_sqe(&uring->ring);
    }
    return entry;
}

static void give_open(JobsUring *uring, JobsAsyncSlot *slot) {
    struct io_uring_sqe *entry = take_entry(uring);
    io_uring_prep_openat(entry, AT_FDCWD, slot->file.path, jobs_file_work_flags(&slot->file), 0666);
    io_uring_sqe_set_data(entry, slot);
}

static void give_close(JobsUring *uring, JobsAsyncSlot *slot) {
    struct io_uring_sqe *entry = take_entry(uring);
    io_uring_prep_close(entry, slot->file.file);
    io_uring_sqe_set_data(entry, slot);
}

static void give_piece(JobsUring *uring, JobsAsyncSlot *slot, const JobsFilePiece *piece) {
    struct io_uring_sqe *entry = take_entry(uring);
    if (jobs_file_work_writes(&slot->file))
        io_uring_prep_write(entry, slot->file.file, piece->bytes, piece->size, piece->offset);
    else
        io_uring_prep_read(entry, slot->file.file, piece->bytes, piece->size, piece->offset);
    // The kernel copies what it has cached on the thread that asks. Much of it would hold up all others.
    if (piece->size >= LARGE_PIECE) entry->flags |= IOSQE_ASYNC;
    io_uring_sqe_set_data(entry, slot);
}

// Only for requests that are in the ring, and before anything else is given for them: the kernel finds what
// to cancel by the slot's address.
static void give_cancellations(JobsUring *uring) {
    for (uint32_t i = 0; i < uring->count; i++) {
        JobsAsyncSlot *slot = uring->slots[i];
        if (slot->file.cancel_sent || slot->file.closing || base_load_relaxed(&slot->cancel) == 0) continue;
        struct io_uring_sqe *entry = take_entry(uring);
        io_uring_prep_cancel(entry, slot, 0);
        io_uring_sqe_set_data(entry, &cancellation);
        slot->file.cancel_sent = true;
    }
}

// ---- Taking back --------------------------------------------------------------------------------------

static void leave_ring(JobsUring *uring, const JobsAsyncSlot *slot) {
    for (uint32_t i = 0; i < uring->count; i++) {
        if (uring->slots[i] != slot) continue;
        uring->slots[i] = uring->slots[--uring->count];
        return;
    }
}

static void end_request(JobsAsync *async, JobsAsyncSlot *slot, FiloResult result) {
    leave_ring(async->uring, slot);
    jobs_async_end(async, slot, result, slot->file.moved);
}

// Closes the file and ends the request. What was written is closed by the kernel, because that may take long.
static void finish(JobsAsync *async, JobsAsyncSlot *slot, FiloResult result) {
    JobsFileWork *work = &slot->file;
    if (work->file >= 0 && jobs_file_work_writes(work)) {
        work->closing = true;
        work->outcome = result;
        give_close(async->uring, slot);
        return;
    }
    if (work->file >= 0) close(work->file);
    work->file = -1;
    end_request(async, slot, result);
}

static void go_on(JobsAsync *async, JobsAsyncSlot *slot) {
    JobsFilePiece piece;
    if (!jobs_file_work_next(&slot->file, &piece))
        finish(async, slot, filo_ok());
    else if (base_load_relaxed(&slot->cancel) != 0)
        finish(async, slot, jobs_async_cancelled_result(slot));
    else
        give_piece(async->uring, slot, &piece);
}

static bool kernel_declined(int result) {
    return result == -EAGAIN || result == -EINTR || result == -ECANCELED || result == -EOPNOTSUPP;
}

// The kernel would not, without a fault of the file: called off, or a thread goes on with it.
static void deal_with_refusal(JobsAsync *async, JobsAsyncSlot *slot) {
    if (base_load_relaxed(&slot->cancel) != 0) {
        finish(async, slot, jobs_async_cancelled_result(slot));
        return;
    }
    leave_ring(async->uring, slot);
    jobs_async_queue_push(&async->uring->failed, slot);
}

static void closed(JobsAsync *async, JobsAsyncSlot *slot, int result) {
    JobsFileWork *work = &slot->file;
    FiloResult outcome = work->outcome;
    if (result == -ECANCELED)
        close(work->file); // it did not
    else if (result < 0 && result != -EINTR && outcome.code == FILO_OK)
        outcome = filo_error_from_errno(-result, work->path);
    work->file = -1;
    end_request(async, slot, outcome);
}

// Something that was given to the kernel for this request came back.
static void step(JobsAsync *async, JobsAsyncSlot *slot, int result) {
    JobsFileWork *work = &slot->file;
    FiloResult outcome = filo_ok();
    JobsFilePiece piece;
    if (work->closing) {
        closed(async, slot, result);
        return;
    }
    if (kernel_declined(result)) {
        deal_with_refusal(async, slot);
        return;
    }
    if (work->file < 0) {
        if (result < 0) {
            outcome = jobs_file_work_open_error(work, -result);
        } else {
            work->file = result;
            outcome = jobs_file_work_opened(work);
        }
    } else if (result < 0) {
        outcome = filo_error_from_errno(-result, work->path);
    } else if (jobs_file_work_next(work, &piece)) {
        outcome = jobs_file_work_moved(work, &piece, (size_t)result);
    }
    if (outcome.code != FILO_OK)
        finish(async, slot, outcome);
    else
        go_on(async, slot);
}

static bool take_back(JobsAsync *async) {
    struct io_uring *ring = &async->uring->ring;
    struct io_uring_cqe *completion;
    bool any = false;
    while (io_uring_peek_cqe(ring, &completion) == 0) {
        void *data = io_uring_cqe_get_data(completion);
        int result = completion->res;
        io_uring_cqe_seen(ring, completion);
        if (data != &cancellation) step(async, data, result);
        any = true;
    }
    return any;
}

// ---- Serving ------------------------------------------------------------------------------------------

// With the lock held: new requests come in, and those that the ring cannot do go to the threads.
static void exchange_requests(JobsAsync *async) {
    JobsUring *uring = async->uring;
    while (uring->failed.first != NULL) {
        JobsAsyncSlot *slot = uring->failed.first;
        jobs_async_queue_remove(slot);
        slot->in_ring = false;
        jobs_async_queue_push(&async->queue, slot);
        (void)jobs_async_call_thread(async); // there is one at least: this one
    }
    while (async->ring_queue.first != NULL && uring->count < MOST_IN_RING) {
        JobsAsyncSlot *slot = async->ring_queue.first;
        jobs_async_queue_remove(slot);
        slot->state = FILO_REQUEST_RUNNING;
        slot->in_ring = true;
        uring->slots[uring->count++] = slot;
        give_open(uring, slot);
    }
}

static void sleep_in_kernel(JobsAsync *async) {
    struct pollfd ready[2] = { { .fd = async->uring->ring.ring_fd, .events = POLLIN },
                               { .fd = async->ring_event, .events = POLLIN } };
    bool left_over = io_uring_sq_ready(&async->uring->ring) > 0;
    poll(ready, 2, left_over ? RETRY_MS : -1);
    uint64_t told;
    if (ready[1].revents == 0 || read(async->ring_event, &told, sizeof told) < 0) return;
    filo_mutex_lock(&async->lock);
    async->ring_told = false; // from here on it is written to again; what was queued before is taken now
    filo_mutex_unlock(&async->lock);
}

static void give_up_ring(JobsAsync *async) {
    while (async->ring_queue.first != NULL) {
        JobsAsyncSlot *slot = async->ring_queue.first;
        jobs_async_queue_remove(slot);
        jobs_async_queue_push(&async->queue, slot);
        (void)jobs_async_call_thread(async); // there is one at least: this one
    }
}

void jobs_async_serve_ring(JobsAsync *async) {
    async->ring_served = true;
    async->ring_called = false;
    if (async->ring_state == JOBS_RING_UNTRIED) try_ring(async);
    if (async->ring_state == JOBS_RING_REFUSED) {
        give_up_ring(async);
        async->ring_served = false;
        return;
    }
    JobsUring *uring = async->uring;
    for (;;) {
        exchange_requests(async);
        if (uring->count == 0) break;
        filo_mutex_unlock(&async->lock);
        give_cancellations(uring);
        (void)io_uring_submit(&uring->ring); // what it does not take stays, and is given again
        if (!take_back(async)) sleep_in_kernel(async);
        filo_mutex_lock(&async->lock);
    }
    async->ring_served = false;
}

void jobs_async_free_ring(JobsAsync *async) {
    if (async->uring == NULL) return;
    io_uring_queue_exit(&async->uring->ring);
    close(async->ring_event);
    filo_free(async->allocator, async->uring, sizeof *async->uring, 0);
}

bool jobs_async_has_ring(void) { return true; }

#else // this build has no io_uring: nothing is ever queued for the ring

bool jobs_async_has_ring(void) { return false; }
void jobs_async_serve_ring(JobsAsync *async) { (void)async; }
void jobs_async_free_ring(JobsAsync *async) { (void)async; }

#endif
