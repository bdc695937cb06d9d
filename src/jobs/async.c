// Requests for blocking work: starting, ending, waiting, cancelling, releasing. async.h describes how they are stored.

#include <filo/check.h>
#include <filo/profile.h>
#include <filo/time.h>

#include "base/account.h"
#include "base/file_system.h"
#include "jobs/async.h"

#include <string.h>

#define FIRST_CHUNK          16u
#define WAIT_NAP_SHORTEST_NS 10000 // between two looks at a request in filo_async_wait_for
#define WAIT_NAP_LONGEST_NS  500000

// A request whose function or `ended` the calling thread is running.
typedef struct Frame {
    const JobsAsyncSlot *slot;
    bool running; // its function, not its `ended`
    struct Frame *outer;
} Frame;

static FILO_THREAD_LOCAL Frame *frames;

static const Frame *frame_of(const JobsAsyncSlot *slot) {
    const Frame *frame = frames;
    while (frame != NULL && frame->slot != slot) frame = frame->outer;
    return frame;
}

// ---- Slots --------------------------------------------------------------------------------------------

static uint32_t chunk_slots(uint32_t chunk) { return chunk == 0 ? FIRST_CHUNK : FIRST_CHUNK << (chunk - 1); }

static JobsAsyncSlot *slot_at(JobsAsync *async, uint32_t index) {
    if (index < FIRST_CHUNK) return &async->chunks[0][index];
    uint32_t chunk = 32 - (uint32_t)__builtin_clz(index / FIRST_CHUNK);
    return &async->chunks[chunk][index - chunk_slots(chunk)];
}

static bool add_chunk(JobsAsync *async) {
    uint32_t chunk = async->chunk_count;
    if (chunk == JOBS_ASYNC_CHUNKS) return false;
    uint32_t count = chunk_slots(chunk);
    JobsAsyncSlot *slots = filo_alloc_zero(async->allocator, count * sizeof(JobsAsyncSlot), FILO_CACHE_LINE);
    if (slots == NULL) return false;
    async->chunks[async->chunk_count++] = slots;
    for (uint32_t i = count; i-- > 0;) { // so that the first slot is used first
        slots[i].id = async->slot_count + i + 1;
        slots[i].generation = 1;
        slots[i].next = async->free_slots;
        async->free_slots = &slots[i];
    }
    async->slot_count += count;
    return true;
}

// The slot of a request; NULL if the handle is stale. With the lock held.
static JobsAsyncSlot *find(JobsAsync *async, FiloRequest request) {
    if (request.id == 0 || request.id > async->slot_count) return NULL;
    JobsAsyncSlot *slot = slot_at(async, request.id - 1);
    if (slot->generation != request.generation || slot->references == 0) return NULL;
    // Inside `ended` the handle is valid even if the request was released before.
    return !slot->released || frame_of(slot) != NULL ? slot : NULL;
}

static FiloRequest handle_of(const JobsAsyncSlot *slot) {
    return (FiloRequest){ slot->id, slot->generation };
}

static bool has_ended(const JobsAsyncSlot *slot) { return slot->state >= FILO_REQUEST_DONE; }

// A slot for a new request, with its options; NULL if there is no memory.
static JobsAsyncSlot *allocate_slot(FiloJobs *jobs, const FiloAsyncOptions *options) {
    static const FiloAsyncOptions defaults = { 0 };
    if (!FILO_CHECK(jobs != NULL, "pass a scheduler")) return NULL;
    JobsAsync *async = jobs->async;
    filo_mutex_lock(&async->lock);
    JobsAsyncSlot *slot = NULL;
    if (!async->closed && (async->free_slots != NULL || add_chunk(async))) {
        slot = async->free_slots;
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is one by now
        async->free_slots = slot->next;
        slot->references = 1;
        slot->state = FILO_REQUEST_NONE;
        slot->released = slot->in_ring = false;
    }
    filo_mutex_unlock(&async->lock);
    if (slot == NULL) return NULL;
    base_store_relaxed(&slot->cancel, 0);
    slot->options = options != NULL ? *options : defaults;
    slot->ended_job = NULL;
    slot->bytes = 0;
    slot->file = (JobsFileWork){ .file = -1 };
    return slot;
}

void jobs_async_release_slot(JobsAsync *async, JobsAsyncSlot *slot) {
    filo_mutex_lock(&async->lock);
    bool last = --slot->references == 0; // then no handle finds it any more
    filo_mutex_unlock(&async->lock);
    if (!last) return;
    jobs_file_work_clear(&slot->file, async->allocator); // without the lock: the allocator is the user's
    filo_mutex_lock(&async->lock);
    if (++slot->generation == 0) slot->generation = 1;
    slot->next = async->free_slots;
    async->free_slots = slot;
    filo_mutex_unlock(&async->lock);
}

void jobs_async_free_slots(JobsAsync *async) {
    for (uint32_t i = 0; i < async->slot_count; i++) {
        JobsAsyncSlot *slot = slot_at(async, i);
        if (slot->references > 0) jobs_file_work_clear(&slot->file, async->allocator);
    }
    for (uint32_t i = 0; i < async->chunk_count; i++)
        filo_free(async->allocator, async->chunks[i], chunk_slots(i) * sizeof(JobsAsyncSlot),
                  FILO_CACHE_LINE);
}

// Frees a file that cannot be taken any more at once, not with the last reference: after the release the user may
// destroy the allocator.
static void free_file_if_released(JobsAsync *async, JobsAsyncSlot *slot) {
    FiloFileData data = { 0 };
    filo_mutex_lock(&async->lock);
    if (slot->released && has_ended(slot) && !slot->ended_pending) {
        data = slot->file.data;
        slot->file.data = (FiloFileData){ 0 };
    }
    filo_mutex_unlock(&async->lock);
    filo_file_free(&data);
}

static const char *describe(const JobsAsyncSlot *slot) {
    if (slot->file.path != NULL) return slot->file.path;
    return slot->options.name != NULL ? slot->options.name : "async";
}

FiloResult jobs_async_cancelled_result(const JobsAsyncSlot *slot) {
    return base_fs_error(FILO_ERROR_CANCELLED, describe(slot), "cancelled");
}

// ---- Starting and ending ------------------------------------------------------------------------------

static void call_ended(FiloJob *job, void *data) {
    (void)job;
    JobsAsyncSlot *slot;
    memcpy(&slot, data, sizeof slot);
    FiloJobs *jobs = filo_jobs_current();
    if (slot->options.ended != NULL) {
        Frame frame = { slot, false, frames };
        frames = &frame;
        slot->options.ended(jobs, handle_of(slot), slot->options.ended_user);
        frames = frame.outer;
    }
    filo_mutex_lock(&jobs->async->lock);
    slot->ended_pending = false;
    filo_mutex_unlock(&jobs->async->lock);
    free_file_if_released(jobs->async, slot);
    jobs_async_release_slot(jobs->async, slot);
}

// Creates the job that calls `ended`. At the start of the request, so that its end cannot fail for lack of memory.
static bool create_ended_job(FiloJobs *jobs, JobsAsyncSlot *slot) {
    const FiloAsyncOptions *options = &slot->options;
    if (options->ended == NULL && options->parent == NULL) return true;
    FiloJob *job = filo_jobs_new(jobs, call_ended, &slot, sizeof slot);
    if (job == NULL) return false;
    filo_job_set_name(job, options->name);
    if (options->on_main) filo_job_set_worker(job, 0);
    if (options->parent != NULL) filo_job_set_parent(job, options->parent);
    slot->ended_job = job;
    return true;
}

static void add_to_unfinished(JobsAsync *async, JobsAsyncSlot *slot) {
    slot->newer = NULL;
    slot->older = async->newest;
    *(async->newest != NULL ? &async->newest->newer : &async->oldest) = slot;
    async->newest = slot;
    async->accepted++;
    async->outstanding++;
}

// Queues the request, for the ring if `ring`. {0} if there is no memory; the slot is then free.
static FiloRequest start_slot(JobsAsync *async, JobsAsyncSlot *slot, bool ring) {
    if (!create_ended_job(async->jobs, slot)) {
        jobs_async_release_slot(async, slot);
        return (FiloRequest){ 0 };
    }
    filo_job_init(&slot->gate, filo_job_do_nothing, NULL, 0); // it is waited for, never run
    FiloRequest request = handle_of(slot);
    filo_mutex_lock(&async->lock);
    slot->references = slot->ended_job != NULL ? 3 : 2; // the user, the pool, the job
    slot->ended_pending = slot->ended_job != NULL;
    slot->state = FILO_REQUEST_WAITING;
    add_to_unfinished(async, slot);
    jobs_async_queue_push(ring ? &async->ring_queue : &async->queue, slot);
    bool queued = ring ? jobs_async_notify_ring(async) : jobs_async_notify_threads(async);
    if (!queued) {
        jobs_async_queue_remove(slot);
        slot->state = FILO_REQUEST_RUNNING;
    }
    filo_mutex_unlock(&async->lock);
    if (!queued) {
        FiloResult r =
            base_fs_error(FILO_ERROR_LIMIT, describe(slot), "the system does not allow a thread for it");
        base_count_out_of_memory(r.message);
        jobs_async_end(async, slot, r, 0);
    }
    return request;
}

void jobs_async_execute(JobsAsync *async, JobsAsyncSlot *slot) {
    FiloAsyncCall call = { .jobs = async->jobs, .request = handle_of(slot), .slot = slot };
    Frame frame = { slot, true, frames };
    FiloZone zone;
    frames = &frame;
    filo_profile_enter(&zone, slot->options.name != NULL ? slot->options.name : "async");
    FiloResult result = slot->function(&call, slot->user);
    filo_profile_leave(&zone);
    frames = frame.outer;
    jobs_async_end(async, slot, result, call.bytes);
}

void jobs_async_end(JobsAsync *async, JobsAsyncSlot *slot, FiloResult result, size_t bytes) {
    if (result.code != FILO_OK) filo_file_free(&slot->file.data);
    filo_mutex_lock(&async->lock);
    slot->result = result;
    slot->bytes = bytes;
    slot->in_ring = false;
    slot->state = result.code == FILO_OK                ? FILO_REQUEST_DONE
                  : result.code == FILO_ERROR_CANCELLED ? FILO_REQUEST_CANCELLED
                                                        : FILO_REQUEST_FAILED;
    *(slot->older != NULL ? &slot->older->newer : &async->oldest) = slot->newer;
    *(slot->newer != NULL ? &slot->newer->older : &async->newest) = slot->older;
    filo_mutex_unlock(&async->lock);
    free_file_if_released(async, slot);
    // The gate has no parent and no dependents, so this only wakes the threads that wait for it.
    jobs_worker_finish(&async->gate_worker, &slot->gate);
    FiloJob *then = slot->options.then;
    if (slot->ended_job != NULL) filo_jobs_run(async->jobs, slot->ended_job);
    if (then != NULL) filo_jobs_run(async->jobs, then);
    jobs_async_release_slot(async, slot);
    filo_mutex_lock(&async->lock);
    async->outstanding--; // last: jobs_async_wait_all relies on all jobs having been submitted
    filo_mutex_unlock(&async->lock);
}

// ---- Starting requests --------------------------------------------------------------------------------

static bool check_options(const FiloAsyncOptions *options) {
    if (options == NULL) return true;
    return FILO_CHECK(options->then == NULL ||
                          (base_load_relaxed(jobs_job_control(options->then)) & JOBS_CONTROL_RUN) == 0,
                      "`then` is run by the request: do not run it yourself") &&
           FILO_CHECK(options->parent == NULL || base_load_relaxed(jobs_job_unfinished(options->parent)) != 0,
                      "the parent has finished: give it requests before it is run, or from inside it");
}

FiloRequest filo_async_run(FiloJobs *jobs, FiloAsyncFunction function, void *user,
                           const FiloAsyncOptions *options) {
    if (!FILO_CHECK(function != NULL, "a request needs a function") || !check_options(options))
        return (FiloRequest){ 0 };
    JobsAsyncSlot *slot = allocate_slot(jobs, options);
    if (slot == NULL) return (FiloRequest){ 0 };
    slot->function = function;
    slot->user = user;
    return start_slot(jobs->async, slot, false);
}

static bool check_range(uint64_t offset, const void *bytes, size_t size) {
    return FILO_CHECK(bytes != NULL || size == 0, "%zu bytes of a file need memory", size) &&
           FILO_CHECK(offset <= INT64_MAX && size <= INT64_MAX - offset,
                      "a file has bytes up to 2^63, not at %llu", (unsigned long long)offset);
}

// A slot for a file request; NULL if there is no memory, or an argument is wrong.
static JobsAsyncSlot *allocate_file_slot(FiloJobs *jobs, const char *path, JobsFileTask task,
                                         const FiloAsyncOptions *options) {
    if (!FILO_CHECK(path != NULL, "pass a path, not NULL") || !check_options(options)) return NULL;
    JobsAsyncSlot *slot = allocate_slot(jobs, options);
    if (slot == NULL) return NULL;
    size_t path_size = strlen(path) + 1;
    slot->file.path = filo_alloc(jobs->async->allocator, path_size, 0);
    if (slot->file.path == NULL) {
        jobs_async_release_slot(jobs->async, slot);
        return NULL;
    }
    memcpy(slot->file.path, path, path_size);
    slot->file.path_size = path_size;
    slot->file.task = task;
    slot->function = jobs_file_work_run;
    slot->user = slot;
    return slot;
}

static FiloRequest start_file_request(JobsAsync *async, JobsAsyncSlot *slot) {
    filo_mutex_lock(&async->lock);
    bool ring = async->ring_state != JOBS_URING_REFUSED;
    filo_mutex_unlock(&async->lock);
    return start_slot(async, slot, ring);
}

FiloRequest filo_async_read_file(FiloJobs *jobs, const char *path, const FiloFileReadDesc *desc,
                                 const FiloAsyncOptions *options) {
    JobsAsyncSlot *slot = allocate_file_slot(jobs, path, JOBS_TASK_READ_FILE, options);
    if (slot == NULL) return (FiloRequest){ 0 };
    size_t limit = desc != NULL && desc->limit != 0 ? desc->limit : FILO_FILE_READ_LIMIT;
    slot->file.limit = FILO_MIN(limit, SIZE_MAX / 8);
    slot->file.data.allocator = desc != NULL ? desc->allocator : NULL;
    return start_file_request(jobs->async, slot);
}

FiloRequest filo_async_read(FiloJobs *jobs, const char *path, uint64_t offset, void *buffer, size_t size,
                            const FiloAsyncOptions *options) {
    if (!check_range(offset, buffer, size)) return (FiloRequest){ 0 };
    JobsAsyncSlot *slot = allocate_file_slot(jobs, path, JOBS_TASK_READ, options);
    if (slot == NULL) return (FiloRequest){ 0 };
    slot->file.offset = offset;
    slot->file.bytes = buffer;
    slot->file.size = size;
    return start_file_request(jobs->async, slot);
}

FiloRequest filo_async_write(FiloJobs *jobs, const char *path, uint64_t offset, const void *bytes,
                             size_t size, const FiloAsyncOptions *options) {
    if (!check_range(offset, bytes, size)) return (FiloRequest){ 0 };
    JobsAsyncSlot *slot = allocate_file_slot(jobs, path, JOBS_TASK_WRITE, options);
    if (slot == NULL) return (FiloRequest){ 0 };
    slot->file.offset = offset;
    slot->file.bytes = (uint8_t *)(uintptr_t)bytes; // only read from
    slot->file.size = size;
    return start_file_request(jobs->async, slot);
}

FiloRequest filo_async_write_file(FiloJobs *jobs, const char *path, const void *bytes, size_t size,
                                  const FiloFileWriteDesc *desc, const FiloAsyncOptions *options) {
    if (!check_range(0, bytes, size)) return (FiloRequest){ 0 };
    JobsAsyncSlot *slot = allocate_file_slot(jobs, path, JOBS_TASK_WRITE_FILE, options);
    if (slot == NULL) return (FiloRequest){ 0 };
    slot->file.bytes = (uint8_t *)(uintptr_t)bytes; // only read from
    slot->file.size = size;
    if (desc != NULL) slot->file.write = *desc;
    // On a thread: most of it is syncing and renaming, which the ring would do on threads as well.
    return start_slot(jobs->async, slot, false);
}

// ---- Queries ------------------------------------------------------------------------------------------

bool filo_async_cancelled(const FiloAsyncCall *call) {
    if (!FILO_CHECK(call != NULL, "pass the call that the function was given")) return false;
    const JobsAsyncSlot *slot = call->slot; // NULL: the function was called directly, not by a request
    return slot != NULL && base_load_relaxed(&slot->cancel) != 0;
}

FiloRequestState filo_async_state(FiloJobs *jobs, FiloRequest request) {
    if (!FILO_CHECK(jobs != NULL, "pass a scheduler")) return FILO_REQUEST_NONE;
    filo_mutex_lock(&jobs->async->lock);
    JobsAsyncSlot *slot = find(jobs->async, request);
    FiloRequestState state = slot != NULL ? slot->state : FILO_REQUEST_NONE;
    filo_mutex_unlock(&jobs->async->lock);
    return state;
}

// Finds the request and takes a reference, or reports a stale handle.
static FiloResult find_and_retain(JobsAsyncSlot **slot, JobsAsync *async, FiloRequest request) {
    filo_mutex_lock(&async->lock);
    *slot = find(async, request);
    if (*slot != NULL) (*slot)->references++;
    filo_mutex_unlock(&async->lock);
    if (*slot != NULL) return filo_ok();
    return FILO_MISTAKE("request %u was released, or is of another scheduler: do not use it again",
                        request.id);
}

// With a reference held.
static FiloResult result_of(JobsAsync *async, const JobsAsyncSlot *slot, size_t *bytes) {
    filo_mutex_lock(&async->lock);
    bool ended = has_ended(slot);
    filo_mutex_unlock(&async->lock);
    if (!ended) return base_fs_error(FILO_ERROR_BUSY, describe(slot), "has not ended yet");
    *bytes = slot->bytes; // both are final
    return slot->result;
}

FiloResult filo_async_result(FiloJobs *jobs, FiloRequest request, size_t *bytes) {
    size_t unused;
    if (bytes == NULL) bytes = &unused;
    *bytes = 0;
    if (request.id == 0) return filo_error(FILO_ERROR_MEMORY, "there was no memory for the request");
    if (jobs == NULL) return FILO_MISTAKE("pass the scheduler of the request");
    JobsAsyncSlot *slot;
    FiloResult result = find_and_retain(&slot, jobs->async, request);
    if (result.code != FILO_OK) return result;
    result = result_of(jobs->async, slot, bytes);
    jobs_async_release_slot(jobs->async, slot);
    return result;
}

FiloResult filo_async_take_file(FiloJobs *jobs, FiloRequest request, FiloFileData *data) {
    if (data != NULL) *data = (FiloFileData){ 0 };
    if (jobs == NULL || data == NULL) return FILO_MISTAKE("pass a scheduler, and where the file goes");
    if (request.id == 0) return filo_error(FILO_ERROR_MEMORY, "there was no memory for the request");
    JobsAsync *async = jobs->async;
    JobsAsyncSlot *slot;
    FiloResult result = find_and_retain(&slot, async, request);
    if (result.code != FILO_OK) return result;
    size_t bytes;
    result = result_of(async, slot, &bytes);
    if (slot->file.task != JOBS_TASK_READ_FILE)
        result =
            FILO_MISTAKE("request %u has no file to take: only filo_async_read_file has one", request.id);
    if (result.code == FILO_OK) {
        filo_mutex_lock(&async->lock);
        *data = slot->file.data;
        slot->file.data = (FiloFileData){ 0 };
        filo_mutex_unlock(&async->lock);
        if (data->bytes == NULL) result = FILO_MISTAKE("%s was taken before: take it once", slot->file.path);
    }
    jobs_async_release_slot(async, slot);
    return result;
}

// ---- Waiting, cancelling, releasing -------------------------------------------------------------------

void filo_async_wait(FiloJobs *jobs, FiloRequest request) {
    if (request.id == 0 || !FILO_CHECK(jobs != NULL, "pass the scheduler of the request")) return;
    JobsAsync *async = jobs->async;
    JobsAsyncSlot *slot;
    if (find_and_retain(&slot, async, request).code != FILO_OK) return;
    const Frame *frame = frame_of(slot);
    if (FILO_CHECK(frame == NULL || !frame->running,
                   "a request waits for itself: its function can never return")) {
        // A thread of the pool runs a waiting request itself: that request may have no other thread.
        bool run_here = false;
        filo_mutex_lock(&async->lock);
        if (frames != NULL && frames->running && slot->state == FILO_REQUEST_WAITING) {
            run_here = true;
            jobs_async_queue_remove(slot);
            slot->state = FILO_REQUEST_RUNNING;
        }
        filo_mutex_unlock(&async->lock);
        if (run_here)
            jobs_async_execute(async, slot);
        else
            filo_jobs_wait(jobs, &slot->gate);
    }
    jobs_async_release_slot(async, slot);
}

// As filo_jobs_wait: with little stack left, only jobs that no other worker can run are begun on top of it.
static FiloJob *find_job(JobsWorker *worker) {
    bool deep = (uintptr_t)__builtin_frame_address(0) < worker->stack_low && !worker->jobs->single_worker;
    return deep ? jobs_inbox_take(&worker->pinned) : jobs_worker_find_job(worker);
}

// A worker looks for jobs in between, instead of sleeping until the gate is finished: the gate has no time limit.
bool filo_async_wait_for(FiloJobs *jobs, FiloRequest request, int64_t timeout_ns) {
    if (request.id == 0 || !FILO_CHECK(jobs != NULL, "pass the scheduler of the request")) return true;
    JobsAsyncSlot *slot;
    if (find_and_retain(&slot, jobs->async, request).code != FILO_OK) return true;
    JobsWorker *worker = jobs_worker_of_thread(jobs);
    int64_t end = filo_time_ns() + FILO_CLAMP(timeout_ns, (int64_t)0, INT64_MAX / 4);
    int64_t nap = WAIT_NAP_SHORTEST_NS;
    bool ended;
    while (!(ended = filo_job_finished(&slot->gate))) {
        FiloJob *job = worker != NULL ? find_job(worker) : NULL;
        if (job != NULL) {
            jobs_worker_run(worker, job);
            nap = WAIT_NAP_SHORTEST_NS;
            continue;
        }
        int64_t left = end - filo_time_ns();
        if (left <= 0) break;
        uint32_t word = 0;
        (void)filo_park_for(&word, 0, FILO_MIN(nap, left));
        nap = FILO_MIN(nap * 2, (int64_t)WAIT_NAP_LONGEST_NS);
    }
    jobs_async_release_slot(jobs->async, slot);
    return ended;
}

bool filo_async_cancel(FiloJobs *jobs, FiloRequest request) {
    if (request.id == 0 || !FILO_CHECK(jobs != NULL, "pass the scheduler of the request")) return false;
    JobsAsync *async = jobs->async;
    JobsAsyncSlot *slot;
    if (find_and_retain(&slot, async, request).code != FILO_OK) return false;
    filo_mutex_lock(&async->lock);
    bool waiting = slot->state == FILO_REQUEST_WAITING;
    if (waiting) {
        jobs_async_queue_remove(slot);
        slot->state = FILO_REQUEST_RUNNING; // so that no other thread starts it
    } else if (slot->state == FILO_REQUEST_RUNNING) {
        base_store_relaxed(&slot->cancel, 1);
        if (slot->in_ring) (void)jobs_async_notify_ring(async);
    }
    filo_mutex_unlock(&async->lock);
    if (waiting) jobs_async_end(async, slot, jobs_async_cancelled_result(slot), 0);
    jobs_async_release_slot(async, slot);
    return waiting;
}

void filo_async_release(FiloJobs *jobs, FiloRequest request) {
    if (request.id == 0 || !FILO_CHECK(jobs != NULL, "pass the scheduler of the request")) return;
    JobsAsync *async = jobs->async;
    JobsAsyncSlot *slot;
    if (find_and_retain(&slot, async, request).code != FILO_OK) return;
    filo_mutex_lock(&async->lock);
    bool first_release = !slot->released;
    slot->released = true;
    filo_mutex_unlock(&async->lock);
    free_file_if_released(async, slot);
    jobs_async_release_slot(async, slot); // the reference of find_and_retain
    if (FILO_CHECK(first_release, "request %u was released before: release it once", request.id))
        jobs_async_release_slot(async, slot);
}
