// Functions that block, for objects: recording, beginning, waiting, and the arrival of their results.

#include <filo/check.h>
#include <filo/log.h>

#include "objects/objects.h"
#include "objects/requests.h"

#include <string.h>

#define DEFAULT_TIMEOUT 10.0                // seconds
#define LONGEST_TIMEOUT 1e9                 // seconds; fits into nanoseconds
#define END_PATIENCE_NS INT64_C(2000000000) // that a cancelled function has to return, before it is named
#define RESULT_ALIGN    FILO_CACHE_LINE

// ---- In a step --------------------------------------------------------------------------------------------

static bool check_run(const FiloIter *it, size_t row, const FiloObjectRun *run) {
    if (!FILO_CHECK(it != NULL && run != NULL && run->function != NULL,
                    "pass the iteration of a step, and a description with a function, to filo_object_run"))
        return false;
    const char *name = run->name != NULL ? run->name : "run";
    if (!FILO_CHECK(row < it->count, "%s: row %zu does not exist; this part has %zu", name, row, it->count) ||
        !FILO_CHECK(run->data_size <= FILO_OBJECT_DATA,
                    "%s: a function gets at most %d bytes of data, not %zu", name, FILO_OBJECT_DATA,
                    run->data_size) ||
        !FILO_CHECK(run->data != NULL || run->data_size == 0, "%s: pass the %zu bytes of data", name,
                    run->data_size) ||
        !FILO_CHECK(run->timeout >= 0, "%s: a timeout is a number of seconds, not %g", name, run->timeout))
        return false;
    const ObjectsWorld *objects = objects_world(it->world);
    return FILO_CHECK(
               it->changes != NULL && objects != NULL && objects->requests->provides,
               "%s: filo_object_run is for the step of an object, or for another system or handler of a "
               "world with kinds of objects",
               name) &&
           (run->result == NULL ||
            FILO_CHECK(objects_inbox_find(objects, run->result()) != NULL,
                       "%s: no kind of objects takes its result: add FILO_TAKES(%s, …) to `events`", name,
                       run->result()->name));
}

bool filo_object_run(FiloIter *it, size_t row, const FiloObjectRun *run) {
    if (!check_run(it, row, run)) return false;
    ObjectsRun *recorded = objects_records_add(&objects_world(it->world)->requests->runs, it);
    if (recorded == NULL) return false;
    memset(recorded, 0, sizeof *recorded); // also the padding: snapshots are compared as bytes
    recorded->object = filo_iter_entity(it, row);
    recorded->tick = it->tick;
    recorded->name = run->name != NULL ? run->name : "run";
    recorded->function = run->function;
    recorded->result = run->result != NULL ? run->result() : NULL;
    recorded->timeout = run->timeout > 0 ? FILO_MIN(run->timeout, LONGEST_TIMEOUT) : DEFAULT_TIMEOUT;
    recorded->ticks = run->ticks;
    recorded->data_size = (uint32_t)run->data_size;
    if (run->data_size > 0) memcpy(recorded->data, run->data, run->data_size);
    return true;
}

// ---- Works ------------------------------------------------------------------------------------------------

static FiloResult run_work(FiloAsyncCall *call, void *user) {
    ObjectsWork *work = user;
    return work->run.function(call, work->run.data, work->run.result != NULL ? work->result : NULL);
}

static bool grow_result(const FiloAllocator *allocator, ObjectsWork *work, size_t size) {
    if (work->result_size >= size) return true;
    void *memory = filo_alloc(allocator, size, RESULT_ALIGN);
    if (memory == NULL) return false;
    filo_free(allocator, work->result, work->result_size, RESULT_ALIGN);
    work->result = memory;
    work->result_size = size;
    return true;
}

static void free_work(const FiloAllocator *allocator, ObjectsWork *work) {
    filo_free(allocator, work->result, work->result_size, RESULT_ALIGN);
    filo_free(allocator, work, sizeof *work, _Alignof(ObjectsWork));
}

// A work that is not in any list. NULL without memory.
static ObjectsWork *take_work(ObjectsRequests *requests) {
    ObjectsWork *work;
    if (filo_array_pop(&requests->free, &work)) return work;
    size_t works = requests->works + 1;
    if (!filo_array_reserve(&requests->pending, works) || !filo_array_reserve(&requests->left, works) ||
        !filo_array_reserve(&requests->free, works))
        return NULL;
    work = filo_alloc_zero(requests->objects->allocator, sizeof *work, _Alignof(ObjectsWork));
    if (work != NULL) requests->works = works;
    return work;
}

ObjectsWork *objects_work_make(ObjectsRequests *requests, const ObjectsRun *run) {
    ObjectsWork *work = take_work(requests);
    if (work == NULL) return NULL;
    size_t size = run->result != NULL ? run->result->size : 0;
    if (!grow_result(requests->objects->allocator, work, size)) {
        (void)filo_array_push(&requests->free, work); // has room
        return NULL;
    }
    work->run = *run;
    work->request = (FiloRequest){ 0 };
    work->outcome = filo_ok();
    if (size > 0) memset(work->result, 0, size);
    return work;
}

void objects_work_start(ObjectsRequests *requests, ObjectsWork *work) {
    FiloJobs *jobs = filo_world_jobs(requests->world);
    if (jobs == NULL) {
        work->outcome = run_work(&(FiloAsyncCall){ 0 }, work);
        return;
    }
    work->request = filo_async_run(jobs, run_work, work, &(FiloAsyncOptions){ .name = work->run.name });
    if (work->request.id == 0)
        work->outcome = filo_error(FILO_ERROR_MEMORY, "there was no memory for the request");
}

static bool has_ended(const ObjectsRequests *requests, const ObjectsWork *work) {
    if (work->request.id == 0) return true;
    FiloRequestState state = filo_async_state(filo_world_jobs(requests->world), work->request);
    return state != FILO_REQUEST_WAITING && state != FILO_REQUEST_RUNNING;
}

static FiloResult outcome_of(const ObjectsRequests *requests, const ObjectsWork *work) {
    return work->request.id == 0 ? work->outcome
                                 : filo_async_result(filo_world_jobs(requests->world), work->request, NULL);
}

// The work has ended.
static void recycle(ObjectsRequests *requests, ObjectsWork *work) {
    if (work->request.id != 0) filo_async_release(filo_world_jobs(requests->world), work->request);
    work->request = (FiloRequest){ 0 };
    (void)filo_array_push(&requests->free, work); // has room
}

void objects_work_leave(ObjectsRequests *requests, ObjectsWork *work) {
    if (work->request.id != 0) (void)filo_async_cancel(filo_world_jobs(requests->world), work->request);
    if (has_ended(requests, work))
        recycle(requests, work);
    else
        (void)filo_array_push(&requests->left, work);
}

static void log_failure(const ObjectsWork *work, FiloResult outcome) {
    filo_log_warn("objects", "%s, for entity %u, failed: %s", work->run.name,
                  filo_entity_index(work->run.object), outcome.message);
}

// ---- Beginning --------------------------------------------------------------------------------------------

static void begin(ObjectsRequests *requests, const ObjectsRun *run) {
    bool is_in_recording = requests->replaying && run->result != NULL && run->ticks == 0;
    if (is_in_recording) return;
    ObjectsWork *work = objects_work_make(requests, run);
    if (work == NULL) return; // filo_out_of_memory has reported it
    objects_work_start(requests, work);
    (void)filo_array_push(run->result != NULL ? &requests->pending : &requests->left, work); // has room
}

static void begin_recorded(ObjectsRequests *requests) {
    if (!requests->provides || !objects_records_any(&requests->runs)) return;
    if (objects_records_sort(&requests->runs)) {
        filo_array_each (&requests->runs.sorted, segment) {
            const uint8_t *record = objects_records_first(&requests->runs, segment);
            for (size_t i = 0; i < segment->count; i++)
                begin(requests, (const ObjectsRun *)(record + i * requests->runs.stride));
        }
    }
    objects_records_clear(&requests->runs);
}

// ---- Arriving ---------------------------------------------------------------------------------------------

// Recycles what has ended of the functions that no object waits for.
static void sweep(ObjectsRequests *requests) {
    size_t kept = 0;
    for (size_t i = 0; i < requests->left.count; i++) {
        ObjectsWork *work = requests->left.items[i];
        if (!has_ended(requests, work)) {
            requests->left.items[kept++] = work;
            continue;
        }
        FiloResult outcome = outcome_of(requests, work);
        if (outcome.code != FILO_OK && work->run.result == NULL) log_failure(work, outcome);
        recycle(requests, work);
    }
    requests->left.count = kept;
}

// The work has ended: its result goes to the world, or to the function that records it.
static void deliver(ObjectsRequests *requests, ObjectsWork *work) {
    FiloResult outcome = outcome_of(requests, work);
    if (outcome.code != FILO_OK)
        log_failure(work, outcome);
    else if (work->run.ticks == 0 && requests->result != NULL)
        requests->result(work->run.object, work->run.result, work->result, requests->result_user);
    else
        (void)objects_deliver_one(requests->objects, work->run.object, work->run.result, work->result);
    recycle(requests, work);
}

// The tick in which the result is due has begun. False if the function did not end in time.
static bool await(const ObjectsRequests *requests, const ObjectsWork *work) {
    if (work->request.id == 0 || filo_async_wait_for(filo_world_jobs(requests->world), work->request,
                                                     (int64_t)(work->run.timeout * 1e9)))
        return true;
    filo_log_warn("objects",
                  "%s, for entity %u, has not ended after %u ticks and another %g s: the game goes on "
                  "without its result, so a replay may differ",
                  work->run.name, filo_entity_index(work->run.object), work->run.ticks, work->run.timeout);
    return false;
}

static bool is_due(const ObjectsWork *work, uint64_t tick) {
    return work->run.ticks > 0 && work->run.tick + work->run.ticks <= tick;
}

void objects_requests_before_tick(ObjectsRequests *requests) {
    uint64_t tick = filo_world_ticks(requests->world);
    sweep(requests);
    size_t kept = 0, count = requests->pending.count;
    for (size_t i = 0; i < count; i++) {
        ObjectsWork *work = requests->pending.items[i];
        if (!is_due(work, tick))
            requests->pending.items[kept++] = work;
        else if (await(requests, work))
            deliver(requests, work);
        else
            objects_work_leave(requests, work);
    }
    requests->pending.count = kept;
    if (requests->result == NULL) objects_requests_poll(requests);
    filo_array_each (&requests->readers, reader) objects_reader_arrive(*reader, tick);
    requests->in_tick = true;
}

void objects_requests_after_tick(ObjectsRequests *requests) {
    begin_recorded(requests);
    if (!requests->in_tick) return; // the world was refreshed between ticks
    requests->in_tick = false;
    uint64_t tick = filo_world_ticks(requests->world) - 1;
    filo_array_each (&requests->readers, reader) objects_reader_read(*reader, tick);
}

void objects_requests_poll(ObjectsRequests *requests) {
    size_t kept = 0, count = requests->pending.count;
    for (size_t i = 0; i < count; i++) {
        ObjectsWork *work = requests->pending.items[i];
        if (work->run.ticks == 0 && has_ended(requests, work))
            deliver(requests, work);
        else
            requests->pending.items[kept++] = work;
    }
    requests->pending.count = kept;
}

// ---- The end ----------------------------------------------------------------------------------------------

void objects_wait_for_end(FiloJobs *jobs, FiloRequest request, const char *name) {
    if (filo_async_wait_for(jobs, request, END_PATIENCE_NS)) return;
    filo_log_warn("objects",
                  "%s has not returned for 2 s, and is waited for: a function that takes long checks "
                  "filo_async_cancelled",
                  name);
    (void)filo_async_cancel(jobs, request);
    filo_async_wait(jobs, request);
}

static void end_works(ObjectsRequests *requests, ObjectsWorks *works) {
    FiloJobs *jobs = filo_world_jobs(requests->world);
    filo_array_each (works, work) {
        if ((*work)->request.id != 0) {
            objects_wait_for_end(jobs, (*work)->request, (*work)->run.name);
            filo_async_release(jobs, (*work)->request);
        }
        free_work(requests->objects->allocator, *work);
    }
    filo_array_deinit(works);
}

ObjectsRequests *objects_requests_create(ObjectsWorld *objects) {
    ObjectsRequests *requests =
        filo_alloc_zero(objects->allocator, sizeof *requests, _Alignof(ObjectsRequests));
    if (requests == NULL) return NULL;
    requests->objects = objects;
    requests->world = objects->world;
    filo_array_init(&requests->pending, objects->allocator);
    filo_array_init(&requests->left, objects->allocator);
    filo_array_init(&requests->free, objects->allocator);
    filo_array_init(&requests->readers, objects->allocator);
    return requests;
}

void objects_requests_destroy(ObjectsRequests *requests) {
    if (requests == NULL) return;
    // All at once, so that they end at the same time. Functions without a result are not cancelled: they may write a file.
    filo_array_each (&requests->pending, work)
        if ((*work)->request.id != 0)
            (void)filo_async_cancel(filo_world_jobs(requests->world), (*work)->request);
    filo_array_each (&requests->readers, reader) objects_reader_cancel(*reader);
    end_works(requests, &requests->pending);
    end_works(requests, &requests->left);
    end_works(requests, &requests->free);
    filo_array_each (&requests->readers, reader) objects_reader_destroy(*reader);
    filo_array_deinit(&requests->readers);
    objects_records_deinit(&requests->runs);
    filo_free(requests->objects->allocator, requests, sizeof *requests, _Alignof(ObjectsRequests));
}
