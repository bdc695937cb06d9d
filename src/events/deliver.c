// Delivery: sorting the emitted events, and calling their handlers, one event after the other.
//
// Each parallel handler of an event is a job. The main-thread handlers are a group that runs on the main thread, and
// the serial ones are a group that runs on any thread. The delivering thread runs one of the groups itself before it
// waits.

#include <filo/check.h>
#include <filo/log.h>
#include <filo/profile.h>

#include "base/suggest.h"
#include "events/events.h"

// Nesting depth of handlers on the calling thread.
static FILO_THREAD_LOCAL unsigned handler_depth;

bool filo_events_inside_handler(void) { return handler_depth > 0; }

// ---- Order --------------------------------------------------------------------------------------------

static EventsRecord *merge(EventsRecord *a, EventsRecord *b) {
    EventsRecord *first = NULL, **end = &first;
    while (a != NULL && b != NULL) {
        EventsRecord **from = events_key_compare(&a->key, &b->key) <= 0 ? &a : &b;
        *end = *from;
        end = &(*from)->next_chunk;
        *from = *end;
    }
    *end = a != NULL ? a : b;
    return first;
}

// Bottom-up merge sort of the list of chunks: runs[i] has 2^i chunks, or none.
static EventsRecord *sort_chunks(EventsRecord *chunks) {
    EventsRecord *runs[32] = { NULL };
    while (chunks != NULL) {
        EventsRecord *run = chunks;
        chunks = chunks->next_chunk;
        run->next_chunk = NULL;
        unsigned i = 0;
        for (; runs[i] != NULL && i < FILO_COUNT_OF(runs) - 1; i++) {
            run = merge(runs[i], run);
            runs[i] = NULL;
        }
        runs[i] = merge(runs[i], run);
    }
    EventsRecord *sorted = NULL;
    for (unsigned i = 0; i < FILO_COUNT_OF(runs); i++) sorted = merge(runs[i], sorted);
    return sorted;
}

static void check_unique(const EventsRecord *chunk) {
    for (; chunk != NULL && chunk->next_chunk != NULL; chunk = chunk->next_chunk)
        if (!FILO_CHECK(events_key_compare(&chunk->key, &chunk->next_chunk->key) != 0,
                        "two recorders were submitted as source %u, range %llu: give each its own, or the "
                        "order of their events is a matter of timing",
                        chunk->key.source, (unsigned long long)chunk->key.range))
            return;
}

void events_gather(FiloEvents *events) {
    events_recorder_submit(&events->outside);
    // Acquire: pairs with the release in events_recorder_submit.
    EventsRecord *incoming = base_exchange_acquire(&events->incoming, NULL);
    if (incoming == NULL) return;
    EventsRecord *last = incoming;
    while (last->next_chunk != NULL) last = last->next_chunk;
    last->next_chunk = events->chunks;
    events->chunks = sort_chunks(incoming);
}

// ---- One event ----------------------------------------------------------------------------------------

typedef struct Delivery {
    FiloEvents *events;
    const EventsCall *calls;
    size_t count;
    FiloEvent event;    // for the handlers; `recorder` is set for each of them
    uint32_t delivered; // number of events delivered before it, since the last point
} Delivery;

typedef struct CallJob { // data of run_call and run_group
    const Delivery *delivery;
    size_t index; // of the call, or the FiloHandlerMode of the group
} CallJob;

// Calls a function with a recorder whose range is `index`.
static void call(const Delivery *delivery, size_t index, FiloEventFunction function, void *user) {
    FiloEventRecorder recorder = events_recorder_make(
        delivery->events,
        (FiloEventKey){ .origin = FILO_EVENT_FROM_HANDLER, .source = delivery->delivered, .range = index });
    recorder.held = delivery->events->within_tick;
    FiloEvent event = delivery->event;
    event.recorder = &recorder;
    handler_depth++;
    function(&event, user);
    handler_depth--;
    events_recorder_submit(&recorder);
}

static void call_handler(const Delivery *delivery, size_t index) {
    const EventsCall *c = &delivery->calls[index];
    // Acquire: pairs with the release in remove_handler. Skips a handler that was unsubscribed meanwhile.
    if (base_load_acquire(&c->handler->generation) != c->generation) return;
    call(delivery, index, c->function, c->user);
}

static void call_group(const Delivery *delivery, FiloHandlerMode mode) {
    for (size_t i = 0; i < delivery->count; i++)
        if (delivery->calls[i].mode == mode) call_handler(delivery, i);
}

static void run_call(FiloJob *job, void *data) {
    (void)job;
    const CallJob *c = data;
    call_handler(c->delivery, c->index);
}

static void run_group(FiloJob *job, void *data) {
    (void)job;
    const CallJob *c = data;
    call_group(c->delivery, (FiloHandlerMode)c->index);
}

static void call_all_in_jobs(const Delivery *delivery, const size_t counts[3]) {
    FiloJobs *jobs = delivery->events->jobs;
    FiloJob root, main_job;
    filo_job_init(&root, filo_job_do_nothing, NULL, 0);
    bool is_main = filo_jobs_worker(jobs) == 0;
    FiloHandlerMode mine = is_main && counts[FILO_HANDLER_MAIN] > 0 ? FILO_HANDLER_MAIN : FILO_HANDLER_SERIAL;
    if (!is_main && counts[FILO_HANDLER_MAIN] > 0) {
        CallJob data = { delivery, FILO_HANDLER_MAIN };
        filo_job_init(&main_job, run_group, &data, sizeof data);
        filo_job_set_worker(&main_job, 0);
        filo_job_set_parent(&main_job, &root);
        filo_jobs_run(jobs, &main_job);
    }
    if (mine != FILO_HANDLER_SERIAL && counts[FILO_HANDLER_SERIAL] > 0) {
        CallJob data = { delivery, FILO_HANDLER_SERIAL };
        filo_jobs_spawn(jobs, &root, run_group, &data, sizeof data);
    }
    for (size_t i = 0; i < delivery->count; i++) {
        CallJob data = { delivery, i };
        if (delivery->calls[i].mode == FILO_HANDLER_PARALLEL)
            filo_jobs_spawn(jobs, &root, run_call, &data, sizeof data);
    }
    call_group(delivery, mine);
    filo_jobs_run(jobs, &root);
    filo_jobs_wait(jobs, &root);
}

static void call_all(const Delivery *delivery) {
    size_t counts[3] = { 0 }; // by mode
    for (size_t i = 0; i < delivery->count; i++) counts[delivery->calls[i].mode]++;
    size_t groups = (size_t)(counts[FILO_HANDLER_SERIAL] > 0) + (size_t)(counts[FILO_HANDLER_MAIN] > 0);
    size_t jobs = groups + counts[FILO_HANDLER_PARALLEL];
    bool on_other_thread = counts[FILO_HANDLER_MAIN] > 0 && filo_jobs_worker(delivery->events->jobs) != 0;
    if (jobs > 1 || on_other_thread) {
        call_all_in_jobs(delivery, counts);
    } else { // nothing runs in parallel: no jobs needed
        for (size_t i = 0; i < delivery->count; i++) call_handler(delivery, i);
    }
}

#ifndef NDEBUG
// Reports a name that is probably misspelt, in the emission or in the subscription.
static void warn_unhandled(FiloEvents *events, const EventsRecord *record) {
    FiloString name = filo_name_string(record->event->name);
    filo_mutex_lock(&events->lock);
    bool may_be_unhandled = record->event->may_be_unhandled;
    filo_mutex_unlock(&events->lock);
    if (may_be_unhandled || record->done != NULL || record->done_job != NULL ||
        !base_first_time("event", name))
        return;
    BaseSuggestion suggestion = base_suggest(name);
    filo_mutex_lock(&events->lock);
    for (const EventsSlot *slot = events->slots; slot != NULL; slot = slot->next)
        if (slot->handler_count > 0) (void)base_suggest_offer(&suggestion, filo_name_string(slot->name));
    filo_mutex_unlock(&events->lock);
    char meant[BASE_SUGGEST_SIZE];
    const char *what = suggestion.best.length > 0
                           ? base_suggest_print(&suggestion, meant)
                           : "; if that is meant to be so, declare it with filo_events_declare";
    filo_log_warn("events", "event \"%s\" was emitted, and has no handler%s", name.data, what);
}
#endif

void events_deliver_record(FiloEvents *events, EventsRecord *record, uint64_t tick) {
    EventsSlot *slot = record->event;
    Delivery delivery = { .events = events,
                          .event = { .events = events,
                                     .name = slot->name,
                                     .type = base_load_relaxed(&slot->type),
                                     .payload = record->payload,
                                     .tick = tick,
                                     .key = record->key },
                          .delivered = base_add_relaxed(&events->delivered, 1) };
    if (delivery.event.type == NULL) delivery.event.payload = NULL;
    delivery.count = events_collect_calls(events, slot);
    delivery.calls = events->calls.calls;
#ifndef NDEBUG
    if (delivery.count == 0) warn_unhandled(events, record);
#endif
    call_all(&delivery);
    if (record->done != NULL) call(&delivery, delivery.count, record->done, record->done_user);
    if (record->done_job != NULL) filo_jobs_run(events->jobs, record->done_job);
}

bool filo_events_emit_here(FiloEvents *events, FiloName name, const FiloType *type, const void *payload) {
    if (!FILO_CHECK(events != NULL, "pass events")) return false;
    if (!FILO_CHECK(handler_depth == 0, "event \"%s\": inside a handler, emit with filo_event_record",
                    filo_name_text(name)))
        return false;
    EventsSlot *slot = events_find_typed(events, name, type, "emit");
    if (slot == NULL) return false;
    FiloEvent event = { .events = events,
                        .name = name,
                        .type = type,
                        .payload = payload,
                        .tick = base_load_relaxed(&events->next_tick),
                        .key = { .point = base_load_relaxed(&events->point) } };
    int order = INT32_MIN;
    uint64_t number = 0;
    for (EventsCall c; events_next_call(events, slot, &order, &number, &c);) {
        handler_depth++;
        c.function(&event, c.user);
        handler_depth--;
    }
    return true;
}

void filo_events_end_here(FiloEvents *events) {
    if (!FILO_CHECK(events != NULL, "pass events")) return;
    if (FILO_CHECK(handler_depth == 0 && filo_jobs_worker(events->jobs) == 0 &&
                       filo_jobs_current() != events->jobs,
                   "the main thread ends what threads emitted, outside of jobs and handlers"))
        events_call_delivered(events);
}

// ---- Delivery points ----------------------------------------------------------------------------------

bool events_delivery_begin(FiloEvents *events) {
    // Acquire: pairs with the release in events_delivery_end, of a delivery by another thread.
    return FILO_CHECK(base_exchange_acquire(&events->delivering, 1) == 0,
                      "events are being delivered: one thread delivers at a time, outside of handlers");
}

void events_delivery_end(FiloEvents *events) {
    base_store_release(&events->delivering, 0); // release: pairs with the acquire above
}

void events_call_delivered(FiloEvents *events) {
    for (size_t i = 0;; i++) {
        EventsDelivered delivered = { 0 };
        filo_mutex_lock(&events->lock);
        if (i < events->delivered_functions.count) delivered = events->delivered_functions.items[i];
        filo_mutex_unlock(&events->lock);
        if (delivered.function == NULL) return;
        delivered.function(events, delivered.user);
    }
}

// Index of the pair in the list, or the length of the list. Under the lock.
static size_t find_delivered(const FiloEvents *events, FiloDeliveredFunction function, const void *user) {
    size_t i = 0;
    for (; i < events->delivered_functions.count; i++) {
        const EventsDelivered *delivered = &events->delivered_functions.items[i];
        if (delivered->function == function && delivered->user == user) break;
    }
    return i;
}

bool filo_events_add_delivered(FiloEvents *events, FiloDeliveredFunction function, void *user) {
    if (!FILO_CHECK(events != NULL && function != NULL,
                    "pass events, and a function to call when some were delivered"))
        return false;
    filo_mutex_lock(&events->lock);
    bool added = find_delivered(events, function, user) < events->delivered_functions.count ||
                 filo_array_push(&events->delivered_functions, (EventsDelivered){ function, user });
    filo_mutex_unlock(&events->lock);
    return added;
}

void filo_events_remove_delivered(FiloEvents *events, FiloDeliveredFunction function, void *user) {
    if (!FILO_CHECK(events != NULL, "pass events")) return;
    filo_mutex_lock(&events->lock);
    size_t i = find_delivered(events, function, user);
    if (i < events->delivered_functions.count) filo_array_remove(&events->delivered_functions, i);
    filo_mutex_unlock(&events->lock);
}

// Begins a delivery point. Later emissions belong to the next one.
static void begin_point(FiloEvents *events, uint64_t tick) {
    filo_mutex_lock(&events->lock);
    // Gathering and flipping are one step under the lock: an event of another thread is either gathered now, or in
    // memory that is valid until the next point.
    events_gather(events);
    filo_scratch_flip(&events->scratch);
    base_store_relaxed(&events->point, base_load_relaxed(&events->point) + 1);
    base_store_relaxed(&events->next_tick, tick);
    base_store_relaxed(&events->delivered, 0);
    events->outside.key.point = base_load_relaxed(&events->point);
    events->outside.key.sequence = 0;
    filo_mutex_unlock(&events->lock);
}

// The list of all records to deliver now, in order. The other records go to the heap.
static EventsRecord *collect_due(FiloEvents *events, uint64_t tick, bool whole_tick) {
    EventsRecord *queued = NULL, **end = &queued;
    filo_mutex_lock(&events->lock);
    for (EventsRecord *chunk = events->chunks, *next_chunk; chunk != NULL; chunk = next_chunk) {
        next_chunk = chunk->next_chunk;
        for (EventsRecord *record = chunk, *next; record != NULL; record = next) {
            next = record->next;
            if (record->delayed) {
                events_delayed_push(events, record);
                continue;
            }
            *end = record;
            end = &record->next;
        }
    }
    *end = NULL;
    events->chunks = NULL;
    EventsRecord *due = NULL;
    end = &due;
    while (whole_tick && (*end = events_delayed_pop(events, tick)) != NULL) end = &(*end)->next;
    *end = queued; // these were emitted later, so their keys are larger
    filo_mutex_unlock(&events->lock);
    return due;
}

static void deliver(FiloEvents *events, bool whole_tick) {
    FILO_ZONE("deliver events");
    if (!FILO_CHECK(filo_jobs_worker(events->jobs) >= 0, "deliver events on a worker of their scheduler"))
        return;
    if (!events_delivery_begin(events)) return;
    uint32_t open = base_load_relaxed(&events->open_recorders);
    (void)FILO_CHECK(open == 0, "end every recorder before events are delivered: %u still have events", open);
    uint64_t tick = base_load_relaxed(&events->next_tick);
    begin_point(events, whole_tick ? tick + 1 : tick);
    events->within_tick = !whole_tick;
    check_unique(events->chunks);
    for (EventsRecord *record = collect_due(events, tick, whole_tick), *next; record != NULL; record = next) {
        next = record->next;
        events_deliver_record(events, record, tick);
        if (!record->stored) continue;
        filo_mutex_lock(&events->lock);
        events_store_free(events, record);
        filo_mutex_unlock(&events->lock);
    }
    events->within_tick = false;
    events_delivery_end(events);
    events_call_delivered(events);
}

void filo_events_deliver(FiloEvents *events) {
    if (FILO_CHECK(events != NULL, "pass events")) deliver(events, true);
}

void filo_events_deliver_within_tick(FiloEvents *events) {
    if (FILO_CHECK(events != NULL, "pass events")) deliver(events, false);
}
