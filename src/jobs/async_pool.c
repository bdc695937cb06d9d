// The threads for blocking work: one queue, and threads that are started when there is work and none is idle, and end
// when they were idle for a while.
//
// Idle threads form a stack, and each sleeps on a word of its own. The thread that became idle last is woken first, so
// that under light load the others end. A thread that queues a request removes an idle thread from the stack, or starts
// one. So for every queued request some thread reads the queue later: the one that was woken, or a busy one before it.
//
// A thread cannot join itself. One that ends joins those that ended before it, so at most one is left over.

#include <filo/check.h>
#include <filo/time.h>

#include "jobs/async.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define DEFAULT_THREADS 16
#define DEFAULT_IDLE_NS (2 * FILO_SECOND)

// ---- The queue ----------------------------------------------------------------------------------------

void jobs_async_queue_push(JobsAsyncQueue *queue, JobsAsyncSlot *slot) {
    slot->queue = queue;
    slot->next = NULL;
    slot->previous = queue->last;
    *(queue->last != NULL ? &queue->last->next : &queue->first) = slot;
    queue->last = slot;
    queue->count++;
}

void jobs_async_queue_remove(JobsAsyncSlot *slot) {
    JobsAsyncQueue *queue = slot->queue;
    *(slot->previous != NULL ? &slot->previous->next : &queue->first) = slot->next;
    *(slot->next != NULL ? &slot->next->previous : &queue->last) = slot->previous;
    queue->count--;
    slot->queue = NULL;
}

// ---- A thread -----------------------------------------------------------------------------------------

// Sleeps until it is woken; false if it was idle for `idle_ns`. With the lock held, which it releases meanwhile.
static bool sleep_idle(JobsAsync *async, JobsAsyncThread *self) {
    int64_t end = filo_time_ns() + async->idle_ns;
    base_store_relaxed(&self->idle, 1);
    self->idle_below = async->idle;
    async->idle = self;
    filo_mutex_unlock(&async->lock);
    for (int64_t left = 1; left > 0 && base_load_relaxed(&self->idle) != 0;) {
        left = end - filo_time_ns();
        if (left > 0) filo_park_for((uint32_t *)&self->idle, 1, left);
    }
    filo_mutex_lock(&async->lock);
    if (base_load_relaxed(&self->idle) == 0) return true;
    JobsAsyncThread **link = &async->idle;
    while (*link != self) link = &(*link)->idle_below;
    *link = self->idle_below;
    return false;
}

static void join_ended(JobsAsync *async) {
    for (uint32_t i = 0; i < async->thread_limit; i++) {
        JobsAsyncThread *other = &async->threads[i];
        if (other->state != JOBS_ASYNC_ENDED) continue;
        filo_thread_join(&other->thread); // it does not lock any more, so there is no deadlock
        other->state = JOBS_ASYNC_FREE;
    }
}

// Writing beyond a limit or into a closed socket shall be an error, not the end of the program.
static void block_signals(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static void thread_main(void *user) {
    JobsAsyncThread *self = user;
    JobsAsync *async = self->async;
    block_signals();
    filo_mutex_lock(&async->lock);
    for (;;) {
        JobsAsyncSlot *slot = async->queue.first;
        if (async->ring_queue.count > 0 && !async->ring_served) {
            jobs_async_serve_ring(async);
        } else if (slot != NULL) {
            jobs_async_queue_remove(slot);
            slot->state = FILO_REQUEST_RUNNING;
            filo_mutex_unlock(&async->lock);
            jobs_async_execute(async, slot);
            filo_mutex_lock(&async->lock);
        } else {
            // It may have been notified for the ring's requests, which were cancelled since.
            async->ring_thread_notified = false;
            if (async->stopping || !sleep_idle(async, self)) break;
        }
    }
    if (!async->stopping) join_ended(async);
    self->state = JOBS_ASYNC_ENDED;
    base_sub_relaxed(&async->thread_count, 1);
    filo_mutex_unlock(&async->lock);
}

// ---- Waking and starting ------------------------------------------------------------------------------

static bool start_thread(JobsAsync *async) {
    if (base_load_relaxed(&async->thread_count) == async->thread_limit) return false;
    JobsAsyncThread *thread = async->threads;
    while (thread->state == JOBS_ASYNC_ALIVE) thread++;
    if (thread->state == JOBS_ASYNC_ENDED) filo_thread_join(&thread->thread);
    thread->state = JOBS_ASYNC_FREE;
    thread->async = async;
    char name[16];
    const char *scheduler = async->jobs->desc.name != NULL ? async->jobs->name : "";
    snprintf(name, sizeof name, "%.5s%sasync %u", scheduler, scheduler[0] != '\0' ? " " : "",
             (unsigned)(thread - async->threads) % 1000);
    FiloThreadDesc desc = {
        .name = name, .function = thread_main, .user = thread, .stack_size = async->jobs->stack_size
    };
    if (filo_thread_start(&thread->thread, &desc).code != FILO_OK)
        return false; // requests wait for the other threads
    thread->state = JOBS_ASYNC_ALIVE;
    base_add_relaxed(&async->thread_count, 1);
    return true;
}

static void wake_idle(JobsAsync *async) {
    JobsAsyncThread *thread = async->idle;
    async->idle = thread->idle_below;
    base_store_relaxed(&thread->idle, 0); // relaxed: the request is under the lock
    filo_unpark((uint32_t *)&thread->idle, 1);
}

static bool wake_or_start(JobsAsync *async) {
    if (async->idle == NULL) return start_thread(async);
    wake_idle(async);
    return true;
}

bool jobs_async_notify_threads(JobsAsync *async) {
    return wake_or_start(async) || base_load_relaxed(&async->thread_count) > 0;
}

bool jobs_async_notify_ring(JobsAsync *async) {
    if (async->ring_served) {
        uint64_t increment = 1;
        if (!async->ring_event_set && async->ring_event >= 0)
            async->ring_event_set =
                write(async->ring_event, &increment, sizeof increment) == (ssize_t)sizeof increment;
        return true; // without a descriptor, the thread is still in try_ring, and reads the queue afterwards
    }
    if (async->ring_thread_notified) return true;
    async->ring_thread_notified = wake_or_start(async);
    return async->ring_thread_notified || base_load_relaxed(&async->thread_count) > 0;
}

// ---- Starting and stopping ----------------------------------------------------------------------------

bool jobs_async_create(FiloJobs *jobs) {
    const FiloAllocator *allocator = &jobs->heap.allocator;
    JobsAsync *async = filo_alloc_zero(allocator, sizeof *async, FILO_CACHE_LINE);
    if (async == NULL) return false;
    int limit = jobs->desc.async_threads;
    if (!FILO_CHECK(limit >= 0 && limit <= FILO_JOBS_MAX_THREADS, "blocking work has 1 to %d threads, not %d",
                    FILO_JOBS_MAX_THREADS, limit) ||
        limit == 0)
        limit = DEFAULT_THREADS;
    async->threads = filo_alloc_zero(allocator, (size_t)limit * sizeof(JobsAsyncThread), 0);
    if (async->threads == NULL) {
        filo_free(allocator, async, sizeof *async, FILO_CACHE_LINE);
        return false;
    }
    async->thread_limit = (uint32_t)limit;
    async->jobs = jobs;
    async->gate_worker.jobs = jobs;
    async->allocator = allocator;
    async->idle_ns = DEFAULT_IDLE_NS;
    async->ring_event = -1;
    bool ring = jobs_async_has_ring() && !jobs->desc.no_io_uring;
    async->ring_state = ring ? JOBS_URING_UNTRIED : JOBS_URING_REFUSED;
    filo_mutex_init(&async->lock);
    jobs->async = async;
    return true;
}

void filo_async_set_idle_time(FiloJobs *jobs, int64_t idle_ns) {
    if (!FILO_CHECK(jobs != NULL, "pass a scheduler")) return;
    if (!FILO_CHECK(idle_ns >= 0, "a thread is idle for 0 ns or longer, not for %lld", (long long)idle_ns))
        return;
    idle_ns = FILO_MIN(idle_ns, INT64_MAX / 4); // it is added to the clock
    filo_mutex_lock(&jobs->async->lock);
    jobs->async->idle_ns = idle_ns;
    filo_mutex_unlock(&jobs->async->lock);
}

int jobs_async_thread_count(FiloJobs *jobs) { return (int)base_load_relaxed(&jobs->async->thread_count); }

static JobsAsyncSlot *take_waiting(JobsAsync *async) {
    JobsAsyncSlot *slot = async->queue.first;
    while (slot != NULL && slot->state != FILO_REQUEST_WAITING)
        slot = slot->next; // RUNNING: it was moved here from the ring
    if (slot == NULL) slot = async->ring_queue.first;
    if (slot == NULL) return NULL;
    jobs_async_queue_remove(slot);
    slot->state = FILO_REQUEST_RUNNING;
    return slot;
}

void jobs_async_cancel_all(FiloJobs *jobs) {
    JobsAsync *async = jobs->async;
    if (async == NULL) return;
    filo_mutex_lock(&async->lock);
    async->closed = true;
    for (JobsAsyncSlot *slot; (slot = take_waiting(async)) != NULL;) {
        filo_mutex_unlock(&async->lock);
        jobs_async_end(async, slot, jobs_async_cancelled_result(slot), 0);
        filo_mutex_lock(&async->lock);
    }
    bool in_ring = false;
    for (JobsAsyncSlot *slot = async->oldest; slot != NULL; slot = slot->newer) {
        base_store_relaxed(&slot->cancel, 1);
        in_ring = in_ring || slot->in_ring;
    }
    if (in_ring) (void)jobs_async_notify_ring(async);
    filo_mutex_unlock(&async->lock);
}

uint64_t jobs_async_wait_all(FiloJobs *jobs) {
    JobsAsync *async = jobs->async;
    if (async == NULL) return 0;
    for (;;) {
        filo_mutex_lock(&async->lock);
        JobsAsyncSlot *slot = async->oldest;
        uint64_t accepted = async->accepted, outstanding = async->outstanding;
        if (slot != NULL) slot->references++;
        filo_mutex_unlock(&async->lock);
        if (outstanding == 0) return accepted;
        if (slot == NULL) {
            filo_thread_yield(); // the last request is still in jobs_async_end
            continue;
        }
        filo_jobs_wait(jobs, &slot->gate);
        jobs_async_release_slot(async, slot);
    }
}

void jobs_async_destroy(FiloJobs *jobs) {
    JobsAsync *async = jobs->async;
    if (async == NULL) return;
    filo_mutex_lock(&async->lock);
    async->stopping = true;
    while (async->idle != NULL) wake_idle(async);
    filo_mutex_unlock(&async->lock);
    for (uint32_t i = 0; i < async->thread_limit; i++)
        if (async->threads[i].thread.running) filo_thread_join(&async->threads[i].thread);
    jobs_async_free_ring(async);
    jobs_async_free_slots(async);
    filo_mutex_deinit(&async->lock);
    filo_free(async->allocator, async->threads, async->thread_limit * sizeof(JobsAsyncThread), 0);
    filo_free(async->allocator, async, sizeof *async, FILO_CACHE_LINE);
    jobs->async = NULL;
}
