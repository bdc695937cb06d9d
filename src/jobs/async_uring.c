// Files by io_uring: the steps of async_files.c, each an entry of the ring.
//
// One thread at a time serves the ring. Any thread may queue a request, under the pool's lock. The serving thread
// takes the queued requests, submits their entries together, handles completions, and sleeps in poll until the kernel
// or the event descriptor has something. When no request is in the ring and none is queued, it is an ordinary thread
// of the pool again. The next request finds another thread, or the same.
//
// Only the serving thread uses the ring, because of three effects on the thread that submits: the kernel cancels its
// entries when it ends, sends it the signal of a write beyond a limit, and interrupts it for completions. A worker
// should have none of them. It also avoids false reports of ThreadSanitizer.
//
// The kernel may refuse the system call (ENOSYS in old kernels, EPERM in containers), or a single entry (EAGAIN: short
// of memory; EOPNOTSUPP: an unusual file). In both cases a thread continues where the ring stopped.

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

#    define MAX_IN_RING 128           // requests at a time; each has one entry, and another to cancel it
#    define LARGE_PIECE FILO_KIB(256) // pieces from this size on run on threads of the kernel
#    define RETRY_MS    1             // when the kernel has no memory for the entries

typedef struct JobsUring {
    struct io_uring ring;
    JobsAsyncSlot *slots[MAX_IN_RING]; // in the ring
    uint32_t count;
    JobsAsyncQueue failed; // that continue on a thread
} JobsUring;

// Its address is the user data of cancellations, whose results are ignored.
static char cancellation;

// ---- Creating the ring --------------------------------------------------------------------------------

static bool supports_operations(struct io_uring *ring) {
    static const int needed[] = { IORING_OP_OPENAT, IORING_OP_READ, IORING_OP_WRITE, IORING_OP_CLOSE,
                                  IORING_OP_ASYNC_CANCEL };
    struct io_uring_probe *probe = io_uring_get_probe_ring(ring);
    bool all = probe != NULL;
    for (size_t i = 0; all && i < FILO_COUNT_OF(needed); i++)
        all = io_uring_opcode_supported(probe, needed[i]);
    io_uring_free_probe(probe);
    return all;
}

// Creates the ring and the event descriptor. Returns 0, or an errno.
static int make_ring(JobsAsync *async, JobsUring **made, int *event) {
    JobsUring *uring = filo_alloc_zero(async->allocator, sizeof *uring, 0);
    if (uring == NULL) return ENOMEM;
    base_fs_reserve_standard_streams(); // the ring opens files too
    *event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int error = *event < 0 ? errno : -io_uring_queue_init(2 * MAX_IN_RING, &uring->ring, 0);
    if (error == 0 && !supports_operations(&uring->ring)) {
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

// With the lock held, which it releases meanwhile.
static void try_ring(JobsAsync *async) {
    JobsUring *uring = NULL;
    int event = -1;
    filo_mutex_unlock(&async->lock);
    int error = make_ring(async, &uring, &event);
    if (error != 0)
        filo_log_debug("jobs", "no io_uring (%s): files are read and written on threads",
                       strerrordesc_np(error));
    filo_mutex_lock(&async->lock);
    async->ring_state = error == 0 ? JOBS_URING_READY : JOBS_URING_REFUSED;
    async->uring = uring;
    async->ring_event = error == 0 ? event : -1;
}

// ---- Submitting ---------------------------------------------------------------------------------------

static struct io_uring_sqe *take_entry(JobsUring *uring) {
    struct io_uring_sqe *entry = io_uring_get_sqe(&uring->ring);
    // Only if the kernel has not taken earlier entries: there are two for each request.
    while (entry == NULL) {
        (void)io_uring_submit(&uring->ring);
        entry = io_uring_get_sqe(&uring->ring);
    }
    return entry;
}

static void submit_open(JobsUring *uring, JobsAsyncSlot *slot) {
    struct io_uring_sqe *entry = take_entry(uring);
    io_uring_prep_openat(entry, AT_FDCWD, slot->file.path, jobs_file_work_flags(&slot->file), 0666);
    io_uring_sqe_set_data(entry, slot);
}

static void submit_close(JobsUring *uring, JobsAsyncSlot *slot) {
    struct io_uring_sqe *entry = take_entry(uring);
    io_uring_prep_close(entry, slot->file.file);
    io_uring_sqe_set_data(entry, slot);
}

static void submit_piece(JobsUring *uring, JobsAsyncSlot *slot, const JobsFilePiece *piece) {
    struct io_uring_sqe *entry = take_entry(uring);
    if (jobs_file_work_writes(&slot->file))
        io_uring_prep_write(entry, slot->file.file, piece->bytes, piece->size, piece->offset);
    else
        io_uring_prep_read(entry, slot->file.file, piece->bytes, piece->size, piece->offset);
    // The kernel copies cached data on the submitting thread. A large copy would delay all other requests.
    if (piece->size >= LARGE_PIECE) entry->flags |= IOSQE_ASYNC;
    io_uring_sqe_set_data(entry, slot);
}

// Only for requests that have an entry in the kernel, and before another is submitted for them: the kernel finds the
// entry to cancel by the slot's address.
static void submit_cancellations(JobsUring *uring) {
    for (uint32_t i = 0; i < uring->count; i++) {
        JobsAsyncSlot *slot = uring->slots[i];
        if (slot->file.cancel_sent || slot->file.closing || base_load_relaxed(&slot->cancel) == 0) continue;
        struct io_uring_sqe *entry = take_entry(uring);
        io_uring_prep_cancel(entry, slot, 0);
        io_uring_sqe_set_data(entry, &cancellation);
        slot->file.cancel_sent = true;
    }
}

// ---- Completions --------------------------------------------------------------------------------------

static void leave_ring(JobsUring *uring, const JobsAsyncSlot *slot) {
    for (uint32_t i = 0; i < uring->count; i++) {
        if (uring->slots[i] != slot) continue;
        uring->slots[i] = uring->slots[--uring->count];
        return;
    }
}

static void end_request(JobsAsync *async, JobsAsyncSlot *slot, FiloResult result) {
    leave_ring(async->uring, slot);
    jobs_async_end(async, slot, result, slot->file.done);
}

// Closes the file and ends the request. A file that was written is closed by the ring, because that may take long.
static void finish(JobsAsync *async, JobsAsyncSlot *slot, FiloResult result) {
    JobsFileWork *work = &slot->file;
    if (work->file >= 0 && jobs_file_work_writes(work)) {
        work->closing = true;
        work->result = result;
        submit_close(async->uring, slot);
        return;
    }
    if (work->file >= 0) close(work->file);
    work->file = -1;
    end_request(async, slot, result);
}

static void submit_next(JobsAsync *async, JobsAsyncSlot *slot) {
    JobsFilePiece piece;
    if (!jobs_file_work_next(&slot->file, &piece))
        finish(async, slot, filo_ok());
    else if (base_load_relaxed(&slot->cancel) != 0)
        finish(async, slot, jobs_async_cancelled_result(slot));
    else
        submit_piece(async->uring, slot, &piece);
}

static bool kernel_declined(int status) {
    return status == -EAGAIN || status == -EINTR || status == -ECANCELED || status == -EOPNOTSUPP;
}

// The entry was not executed, but the file is not at fault: the request was cancelled, or a thread continues it.
static void handle_declined(JobsAsync *async, JobsAsyncSlot *slot) {
    if (base_load_relaxed(&slot->cancel) != 0) {
        finish(async, slot, jobs_async_cancelled_result(slot));
        return;
    }
    leave_ring(async->uring, slot);
    jobs_async_queue_push(&async->uring->failed, slot);
}

static void handle_close(JobsAsync *async, JobsAsyncSlot *slot, int status) {
    JobsFileWork *work = &slot->file;
    FiloResult result = work->result;
    if (status == -ECANCELED)
        close(work->file); // the kernel did not
    else if (status < 0 && status != -EINTR && result.code == FILO_OK)
        result = filo_error_from_errno(-status, work->path);
    work->file = -1;
    end_request(async, slot, result);
}

// An entry of this request has completed.
static void handle_completion(JobsAsync *async, JobsAsyncSlot *slot, int status) {
    JobsFileWork *work = &slot->file;
    FiloResult result = filo_ok();
    JobsFilePiece piece;
    if (work->closing) {
        handle_close(async, slot, status);
        return;
    }
    if (kernel_declined(status)) {
        handle_declined(async, slot);
        return;
    }
    if (work->file < 0) {
        if (status < 0) {
            result = jobs_file_work_open_error(work, -status);
        } else {
            work->file = status;
            result = jobs_file_work_opened(work);
        }
    } else if (status < 0) {
        result = filo_error_from_errno(-status, work->path);
    } else if (jobs_file_work_next(work, &piece)) {
        result = jobs_file_work_advance(work, &piece, (size_t)status);
    }
    if (result.code != FILO_OK)
        finish(async, slot, result);
    else
        submit_next(async, slot);
}

static bool handle_completions(JobsAsync *async) {
    struct io_uring *ring = &async->uring->ring;
    struct io_uring_cqe *completion;
    bool any = false;
    while (io_uring_peek_cqe(ring, &completion) == 0) {
        void *data = io_uring_cqe_get_data(completion);
        int status = completion->res;
        io_uring_cqe_seen(ring, completion);
        if (data != &cancellation) handle_completion(async, data, status);
        any = true;
    }
    return any;
}

// ---- Serving ------------------------------------------------------------------------------------------

// Moves the requests of a queue to that of the threads. With the lock held.
static void move_to_threads(JobsAsync *async, JobsAsyncQueue *from) {
    while (from->first != NULL) {
        JobsAsyncSlot *slot = from->first;
        jobs_async_queue_remove(slot);
        slot->in_ring = false;
        jobs_async_queue_push(&async->queue, slot);
        (void)jobs_async_notify_threads(async); // there is at least one: this one
    }
}

// Takes new requests into the ring, and moves those that it could not execute to the threads. With the lock held.
static void exchange_requests(JobsAsync *async) {
    JobsUring *uring = async->uring;
    move_to_threads(async, &uring->failed);
    while (async->ring_queue.first != NULL && uring->count < MAX_IN_RING) {
        JobsAsyncSlot *slot = async->ring_queue.first;
        jobs_async_queue_remove(slot);
        slot->state = FILO_REQUEST_RUNNING;
        slot->in_ring = true;
        uring->slots[uring->count++] = slot;
        submit_open(uring, slot);
    }
}

static void sleep_in_kernel(JobsAsync *async) {
    struct pollfd ready[2] = { { .fd = async->uring->ring.ring_fd, .events = POLLIN },
                               { .fd = async->ring_event, .events = POLLIN } };
    bool retry = io_uring_sq_ready(&async->uring->ring) > 0;
    poll(ready, 2, retry ? RETRY_MS : -1);
    uint64_t count;
    if (ready[1].revents == 0 || read(async->ring_event, &count, sizeof count) < 0) return;
    filo_mutex_lock(&async->lock);
    async->ring_event_set = false; // requests that were queued before are taken next
    filo_mutex_unlock(&async->lock);
}

void jobs_async_serve_ring(JobsAsync *async) {
    async->ring_served = true;
    async->ring_thread_notified = false;
    if (async->ring_state == JOBS_URING_UNTRIED) try_ring(async);
    if (async->ring_state == JOBS_URING_REFUSED) {
        move_to_threads(async, &async->ring_queue);
        async->ring_served = false;
        return;
    }
    JobsUring *uring = async->uring;
    for (;;) {
        exchange_requests(async);
        if (uring->count == 0) break;
        filo_mutex_unlock(&async->lock);
        submit_cancellations(uring);
        // Entries that the kernel does not take are submitted again later.
        (void)io_uring_submit(&uring->ring);
        if (!handle_completions(async)) sleep_in_kernel(async);
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
