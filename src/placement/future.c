// A computation in the background: one job, which divides its work among the workers as any computation does.
//
// A placement has a list of slots for its futures. A slot is free, running (a handle refers to it), ending (a thread takes or
// cancels it) or abandoned (it was cancelled before its job began; the job will do nothing, and must still be run). A handle is the index of the slot and how often it was used, so that one that is no longer valid is found.
// The list and the states belong to the lock of the placement. Slots stay where they are until the placement is destroyed, and
// are used again.

#include "placement/compute.h"

#include <string.h>

typedef enum FutureState { FUTURE_FREE, FUTURE_RUNNING, FUTURE_ENDING, FUTURE_ABANDONED } FutureState;

// Which comes first: the job begins, or the future is cancelled.
typedef enum FutureRace { RACE_OPEN, RACE_BEGUN, RACE_CANCELLED } FutureRace;

typedef struct PlacementFuture {
    FiloJob job;
    FutureState state;
    uint32_t uses; // from 1 on
    FiloJobs *jobs;
    const FiloPlacement *placement;
    FiloPlacementRequest request;
    FiloPlacementResult result;
    FiloResult outcome;
    BASE_ATOMIC(bool) cancel;
    BASE_ATOMIC(int) race; // FutureRace
} PlacementFuture;

// ---- Slots --------------------------------------------------------------------------------------------------

// The lock and the list of slots, which computing does not change.
static FiloPlacement *owner_of(const FiloPlacement *placement) {
    return (FiloPlacement *)(uintptr_t)placement;
}

// With the lock held.
static bool add_slot(FiloPlacement *p) {
    if (p->future_count == p->future_capacity) {
        size_t capacity = p->future_capacity == 0 ? 8 : 2 * p->future_capacity;
        PlacementFuture **futures = filo_alloc(p->allocator, capacity * sizeof *futures, 0);
        if (futures == NULL) return false;
        if (p->future_count > 0) memcpy(futures, p->futures, p->future_count * sizeof *futures);
        filo_free(p->allocator, p->futures, p->future_capacity * sizeof *futures, 0);
        p->futures = futures;
        p->future_capacity = capacity;
    }
    PlacementFuture *future = filo_alloc_zero(p->allocator, sizeof *future, 64);
    if (future == NULL) return false;
    p->futures[p->future_count++] = future;
    return true;
}

static bool can_be_used(const PlacementFuture *future) {
    return future->state == FUTURE_FREE ||
           (future->state == FUTURE_ABANDONED && filo_job_finished(&future->job));
}

// A slot that is now running; NULL without memory.
static PlacementFuture *take_slot(FiloPlacement *p, FiloPlacementFuture *handle) {
    PlacementFuture *future = NULL;
    filo_mutex_lock(&p->lock);
    size_t index = 0;
    while (index < p->future_count && !can_be_used(p->futures[index])) index++;
    if (index < p->future_count || add_slot(p)) {
        future = p->futures[index];
        future->state = FUTURE_RUNNING;
        future->uses = future->uses == UINT32_MAX ? 1 : future->uses + 1;
        handle->id = (uint64_t)future->uses << 32 | index;
    }
    filo_mutex_unlock(&p->lock);
    return future;
}

// The running future of a handle, which is then in the state `next`; NULL if there is none.
static PlacementFuture *find(const FiloPlacement *placement, FiloPlacementFuture handle, FutureState next) {
    FiloPlacement *p = owner_of(placement);
    size_t index = (size_t)(handle.id & UINT32_MAX);
    PlacementFuture *future = NULL;
    filo_mutex_lock(&p->lock);
    if (index < p->future_count && p->futures[index]->state == FUTURE_RUNNING &&
        p->futures[index]->uses == handle.id >> 32) {
        future = p->futures[index];
        future->state = next;
    }
    filo_mutex_unlock(&p->lock);
    return future;
}

static void set_state(const FiloPlacement *placement, PlacementFuture *future, FutureState state) {
    FiloPlacement *p = owner_of(placement);
    filo_mutex_lock(&p->lock);
    future->state = state;
    filo_mutex_unlock(&p->lock);
}

// One that has finished does not need its job system any more, which may have been destroyed.
static void wait_for(PlacementFuture *future) {
    if (!filo_job_finished(&future->job)) filo_jobs_wait(future->jobs, &future->job);
}

size_t placement_futures_running(FiloPlacement *p) {
    size_t running = 0;
    filo_mutex_lock(&p->lock);
    for (size_t i = 0; i < p->future_count; i++) {
        FutureState state = p->futures[i]->state;
        running += state != FUTURE_FREE && state != FUTURE_ABANDONED;
    }
    filo_mutex_unlock(&p->lock);
    return running;
}

void placement_futures_free_all(FiloPlacement *p) {
    for (size_t i = 0; i < p->future_count; i++) {
        PlacementFuture *future = p->futures[i];
        if (future->state != FUTURE_FREE) {
            base_store_relaxed(&future->cancel, true);
            wait_for(future);
            filo_placement_result_free(&future->result);
        }
        filo_free(p->allocator, future, sizeof *future, 64);
    }
    filo_free(p->allocator, p->futures, p->future_capacity * sizeof *p->futures, 0);
    p->futures = NULL;
    p->future_count = p->future_capacity = 0;
}

// ---- Public -------------------------------------------------------------------------------------------------

static void run(FiloJob *job, void *data) {
    (void)job;
    PlacementFuture *future = *(PlacementFuture **)data;
    int open = RACE_OPEN;
    // Relaxed: filo_placement_cancel reads nothing of what the job writes before it has waited for the job.
    if (!base_cas_relaxed(&future->race, &open, RACE_BEGUN)) return;
    future->outcome =
        placement_compute(future->placement, &future->request, &future->result, &future->cancel);
}

FiloResult filo_placement_start(FiloPlacementFuture *future, const FiloPlacement *placement,
                                const FiloPlacementRequest *request) {
    if (future == NULL) return FILO_MISTAKE("pass a pointer for the future");
    *future = (FiloPlacementFuture){ 0 };
    if (placement == NULL || request == NULL || request->jobs == NULL)
        return FILO_MISTAKE("pass a placement, and a request with jobs to run it on");
    FiloResult r = placement_check_request(placement, request);
    if (r.code != FILO_OK) return r;
    PlacementFuture *made = take_slot(owner_of(placement), future);
    if (made == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory to place objects");
    made->jobs = request->jobs;
    made->placement = placement;
    made->request = *request;
    // The job is started after these.
    base_store_relaxed(&made->cancel, false);
    base_store_relaxed(&made->race, RACE_OPEN);
    made->outcome =
        filo_error(FILO_ERROR_CANCELLED, "the jobs were destroyed before the objects were placed");
    filo_job_init(&made->job, run, &made, sizeof made);
    filo_job_set_name(&made->job, "place");
    filo_job_set_priority(&made->job, FILO_PRIORITY_LOW);
    filo_jobs_run(made->jobs, &made->job);
    return r;
}

#define NO_PLACEMENT "pass the placement that filo_placement_create made"
#define NO_FUTURE    "pass a future of filo_placement_start that has not been taken or cancelled"

static PlacementFuture *running(const FiloPlacement *placement, FiloPlacementFuture handle,
                                FutureState next) {
    if (!FILO_CHECK(placement != NULL, NO_PLACEMENT)) return NULL;
    PlacementFuture *future = find(placement, handle, next);
    (void)FILO_CHECK(future != NULL, NO_FUTURE);
    return future;
}

bool filo_placement_ready(const FiloPlacement *placement, FiloPlacementFuture future) {
    PlacementFuture *found = running(placement, future, FUTURE_RUNNING);
    if (found == NULL || filo_job_finished(&found->job)) return true;
    // Only this thread can run it, and a loop that asks again and again must end.
    if (filo_jobs_threads(found->jobs) > 1 || filo_jobs_worker(found->jobs) != 0) return false;
    wait_for(found);
    return true;
}

void filo_placement_wait(const FiloPlacement *placement, FiloPlacementFuture future) {
    PlacementFuture *found = running(placement, future, FUTURE_RUNNING);
    if (found != NULL) wait_for(found);
}

FiloResult filo_placement_take(const FiloPlacement *placement, FiloPlacementFuture future,
                               FiloPlacementResult *result) {
    if (placement == NULL) return FILO_MISTAKE(NO_PLACEMENT);
    if (result == NULL) return FILO_MISTAKE("pass a result that is all zero at first");
    PlacementFuture *found = find(placement, future, FUTURE_ENDING);
    if (found == NULL) return FILO_MISTAKE(NO_FUTURE);
    wait_for(found);
    filo_placement_result_free(result);
    *result = found->result;
    FiloResult outcome = found->outcome;
    found->result = (FiloPlacementResult){ 0 };
    set_state(placement, found, FUTURE_FREE);
    return outcome;
}

// The caller may free what the request refers to when this returns. So it waits for a job that has begun, but runs no other
// jobs meanwhile: they might be the next futures to be cancelled.
void filo_placement_cancel(const FiloPlacement *placement, FiloPlacementFuture future) {
    if (future.id == 0) return;
    PlacementFuture *found = running(placement, future, FUTURE_ENDING);
    if (found == NULL) return;
    int open = RACE_OPEN;
    // Relaxed: the job reads nothing that is written here.
    if (base_cas_relaxed(&found->race, &open, RACE_CANCELLED)) {
        set_state(placement, found, FUTURE_ABANDONED);
        return;
    }
    base_store_relaxed(&found->cancel, true);
    while (!filo_job_finished(&found->job)) filo_thread_yield();
    filo_placement_result_free(&found->result);
    set_state(placement, found, FUTURE_FREE);
}
