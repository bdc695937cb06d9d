// A computation in the background: one job, which divides its work among the workers as any computation does.

#include "placement/compute.h"

struct FiloPlacementFuture {
    FiloJob job;
    FiloJobs *jobs;
    const FiloPlacement *placement;
    FiloPlacementRequest request;
    FiloPlacementResult result;
    FiloResult outcome;
    BASE_ATOMIC(bool) cancel;
};

static void run(FiloJob *job, void *data) {
    (void)job;
    FiloPlacementFuture *future = *(FiloPlacementFuture **)data;
    future->outcome =
        placement_compute(future->placement, &future->request, &future->result, &future->cancel);
}

FiloResult filo_placement_start(FiloPlacementFuture **future, const FiloPlacement *placement,
                                const FiloPlacementRequest *request) {
    if (future == NULL) return FILO_MISTAKE("pass a pointer for the future");
    *future = NULL;
    if (placement == NULL || request == NULL || request->jobs == NULL)
        return FILO_MISTAKE("pass a placement, and a request with jobs to run it on");
    FiloResult r = placement_check_request(placement, request);
    if (r.code != FILO_OK) return r;
    FiloPlacementFuture *made = filo_alloc_zero(placement->allocator, sizeof *made, 64);
    if (made == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory to place objects");
    made->jobs = request->jobs;
    made->placement = placement;
    made->request = *request;
    filo_job_init(&made->job, run, &made, sizeof made);
    filo_job_set_name(&made->job, "place");
    filo_job_set_priority(&made->job, FILO_PRIORITY_LOW);
    filo_jobs_run(made->jobs, &made->job);
    *future = made;
    return r;
}

#define NO_FUTURE "pass a future of filo_placement_start that has not been taken"

bool filo_placement_ready(const FiloPlacementFuture *future) {
    if (!FILO_CHECK(future != NULL, NO_FUTURE)) return false;
    return filo_job_finished(&future->job);
}

void filo_placement_wait(FiloPlacementFuture *future) {
    if (!FILO_CHECK(future != NULL, NO_FUTURE)) return;
    filo_jobs_wait(future->jobs, &future->job);
}

static void end(FiloPlacementFuture *future) {
    filo_free(future->placement->allocator, future, sizeof *future, 64);
}

FiloResult filo_placement_take(FiloPlacementFuture *future, FiloPlacementResult *result) {
    if (future == NULL) return FILO_MISTAKE(NO_FUTURE);
    if (result == NULL) return FILO_MISTAKE("pass a result that is all zero at first");
    filo_placement_wait(future);
    filo_placement_result_free(result);
    *result = future->result;
    FiloResult outcome = future->outcome;
    end(future);
    return outcome;
}

void filo_placement_cancel(FiloPlacementFuture *future) {
    if (future == NULL) return;
    base_store_relaxed(&future->cancel, true);
    filo_placement_wait(future);
    filo_placement_result_free(&future->result);
    end(future);
}
