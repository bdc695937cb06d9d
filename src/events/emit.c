// Emitting: an emission becomes a record of a recorder.

#include <filo/check.h>

#include "events/events.h"

#include <string.h>

// ---- Records ------------------------------------------------------------------------------------------

static bool is_valid_emission(const FiloEmission *emission) {
    const char *name = filo_name_text(emission->event);
    return FILO_CHECK((emission->payload != NULL) == (emission->type != NULL),
                      "event \"%s\": give a payload and its type, or neither", name) &&
           FILO_CHECK(!emission->at_once || emission->delay == 0,
                      "event \"%s\": emit it at once or with a delay, not both", name) &&
           FILO_CHECK(!emission->transient || emission->delay == 0,
                      "event \"%s\": emit it as transient or with a delay, not both", name) &&
           FILO_CHECK(emission->done_job == NULL || !filo_job_finished(emission->done_job),
                      "event \"%s\": done_job has run already: prepare it with filo_job_init", name);
}

static EventsRecord *alloc_delayed(FiloEvents *events, const EventsSlot *event) {
    filo_mutex_lock(&events->lock);
    EventsRecord *record = NULL;
    if (events_delayed_reserve(events)) {
        record = events_store_alloc(events, event);
        if (record == NULL) events->delayed_reserved--;
    }
    filo_mutex_unlock(&events->lock);
    return record;
}

static EventsRecord *alloc_queued(FiloEvents *events, const EventsSlot *event) {
    size_t align = FILO_MAX(event->align, _Alignof(EventsRecord));
    size_t payload = FILO_ALIGN_UP(sizeof(EventsRecord), align);
    EventsRecord *record = filo_scratch_alloc(&events->scratch, payload + event->size, align);
    if (record == NULL) return NULL;
    *record = (EventsRecord){ .event = (EventsSlot *)(uintptr_t)event, .payload = (char *)record + payload };
    return record;
}

// Adds a record to the recorder. `record` is NULL, or was allocated by alloc_delayed for an event with a delay.
static bool append(FiloEventRecorder *recorder, EventsSlot *event, const FiloEmission *emission,
                   EventsRecord *record) {
    if (record == NULL) record = alloc_queued(recorder->events, event);
    if (record == NULL) return false;
    record->key = recorder->key;
    record->delayed = record->stored;
    if (record->delayed) { // an overflow of the due tick means never
        uint64_t tick = base_load_relaxed(&recorder->events->next_tick);
        record->due = emission->delay < UINT64_MAX - tick ? tick + emission->delay : UINT64_MAX;
    }
    record->done = emission->done;
    record->done_user = emission->done_user;
    record->done_job = emission->done_job;
    record->transient = emission->transient;
    if (event->size > 0) memcpy(record->payload, emission->payload, event->size);
    EventsRecord *last = recorder->last;
    if (last != NULL)
        last->next = record;
    else
        recorder->first = record;
    recorder->last = record;
    recorder->key.sequence++;
    return true;
}

// ---- Recorders ----------------------------------------------------------------------------------------

FiloEventRecorder events_recorder_make(FiloEvents *events, FiloEventKey key) {
    key.point = base_load_relaxed(&events->point);
    return (FiloEventRecorder){ .events = events, .key = key };
}

void filo_event_recorder_begin(FiloEventRecorder *recorder, FiloEvents *events, uint32_t source,
                               uint64_t range) {
    if (!FILO_CHECK(recorder != NULL, "pass a recorder of events")) return;
    *recorder = (FiloEventRecorder){ 0 };
    if (!FILO_CHECK(events != NULL, "pass events")) return;
    *recorder = events_recorder_make(
        events, (FiloEventKey){ .origin = FILO_EVENT_FROM_RECORDER, .source = source, .range = range });
}

void events_recorder_submit(FiloEventRecorder *recorder) {
    FiloEvents *events = recorder->events;
    EventsRecord *first = recorder->first;
    if (first == NULL) return;
    first->last = recorder->last;
    first->next_chunk = base_load_relaxed(&events->incoming);
    // Release: pairs with the acquire in events_gather, which reads the records.
    while (!base_cas_weak_release(&events->incoming, &first->next_chunk, first)) {}
    recorder->first = recorder->last = NULL;
}

// A recorder that was begun before the last delivery point may have records in memory that was reused.
static bool is_current(FiloEventRecorder *recorder) {
    return FILO_CHECK(
        recorder->key.point == base_load_relaxed(&recorder->events->point),
        "the recorder of source %u, range %llu was begun before the last delivery point: begin, "
        "fill and hand it in between two",
        recorder->key.source, (unsigned long long)recorder->key.range);
}

void filo_event_recorder_end(FiloEventRecorder *recorder) {
    if (!FILO_CHECK(recorder != NULL, "pass a recorder of events")) return;
    if (!FILO_CHECK(recorder->events != NULL, "begin the recorder before it is submitted")) return;
    if (recorder->first != NULL) {
        base_sub_relaxed(&recorder->events->open_recorders, 1);
        if (is_current(recorder)) events_recorder_submit(recorder);
    }
    *recorder = (FiloEventRecorder){ 0 };
}

bool filo_event_record(FiloEventRecorder *recorder, FiloName event, const FiloType *type,
                       const void *payload) {
    return filo_event_record_with(recorder,
                                  &(FiloEmission){ .event = event, .type = type, .payload = payload });
}

bool filo_event_record_with(FiloEventRecorder *recorder, const FiloEmission *emission) {
    if (!FILO_CHECK(emission != NULL, "pass what to emit")) return false;
    const char *name = filo_name_text(emission->event);
    if (!FILO_CHECK(recorder != NULL,
                    "event \"%s\": there is no recorder: the world was created without .events, or the "
                    "handler was called "
                    "by filo_events_emit_here, whose handlers cannot emit",
                    name))
        return false;
    if (!FILO_CHECK(recorder->events != NULL, "event \"%s\": begin the recorder before filling it", name))
        return false;
    if (!FILO_CHECK(!emission->at_once, "event \"%s\": a recorder cannot emit at once", name)) return false;
    if (!FILO_CHECK(
            !emission->transient,
            "event \"%s\": a recorder cannot emit a transient event: what ticks emit is part of the state",
            name))
        return false;
    if (!is_valid_emission(emission) || !is_current(recorder)) return false;
    FiloEvents *events = recorder->events;
    EventsSlot *event = events_find_typed(events, emission->event, emission->type, "record");
    if (event == NULL) return false;
    EventsRecord *delayed = NULL;
    bool later = emission->delay > 0 || recorder->held;
    if (later && (delayed = alloc_delayed(events, event)) == NULL) return false;
    bool opens = recorder->first == NULL && recorder->key.origin == FILO_EVENT_FROM_RECORDER;
    if (!append(recorder, event, emission, delayed)) return false;
    if (opens) base_add_relaxed(&events->open_recorders, 1);
    return true;
}

// ---- Emitting outside of jobs -------------------------------------------------------------------------

static bool is_outside_of_jobs(const FiloEvents *events, const char *name) {
    return FILO_CHECK(!filo_events_inside_handler(),
                      "event \"%s\": inside a handler, emit with filo_event_record(event->recorder, …)",
                      name) &&
           FILO_CHECK(
               filo_jobs_current() != events->jobs,
               "event \"%s\": inside a job, emit with a FiloEventRecorder: the order in which jobs run "
               "is a matter of timing",
               name);
}

static bool emit_now(FiloEvents *events, EventsSlot *event, const FiloEmission *emission) {
    if (!FILO_CHECK(filo_jobs_worker(events->jobs) == 0, "event \"%s\": only the main thread emits at once",
                    filo_name_text(event->name)))
        return false;
    if (!events_delivery_begin(events)) return false;
    filo_mutex_lock(&events->lock);
    FiloEventKey key = events->outside.key;
    events->outside.key.sequence++;
    filo_mutex_unlock(&events->lock);
    EventsRecord record = { .event = event,
                            .payload = (void *)(uintptr_t)emission->payload,
                            .key = key,
                            .done = emission->done,
                            .done_user = emission->done_user,
                            .done_job = emission->done_job };
    events_deliver_record(events, &record, base_load_relaxed(&events->next_tick));
    events_delivery_end(events);
    events_call_delivered(events);
    return true;
}

bool filo_events_emit_with(FiloEvents *events, const FiloEmission *emission) {
    if (!FILO_CHECK(events != NULL && emission != NULL, "pass events, and what to emit")) return false;
    if (!is_outside_of_jobs(events, filo_name_text(emission->event)) || !is_valid_emission(emission))
        return false;
    EventsSlot *event = events_find_typed(events, emission->event, emission->type, "emit");
    if (event == NULL) return false;
    if (emission->at_once) return emit_now(events, event, emission);
    EventsRecord *delayed = NULL;
    if (emission->delay > 0 && (delayed = alloc_delayed(events, event)) == NULL) return false;
    filo_mutex_lock(&events->lock);
    bool appended = append(&events->outside, event, emission, delayed);
    filo_mutex_unlock(&events->lock);
    return appended;
}

bool filo_events_emit(FiloEvents *events, FiloName event, const FiloType *type, const void *payload) {
    if (!FILO_CHECK(events != NULL, "pass events")) return false;
    return filo_events_emit_with(events, &(FiloEmission){ .event = event, .type = type, .payload = payload });
}

bool filo_events_emit_later(FiloEvents *events, FiloName event, const FiloType *type, const void *payload,
                            uint64_t delay) {
    if (!FILO_CHECK(events != NULL, "pass events")) return false;
    return filo_events_emit_with(
        events, &(FiloEmission){ .event = event, .type = type, .payload = payload, .delay = delay });
}

bool filo_events_emit_now(FiloEvents *events, FiloName event, const FiloType *type, const void *payload) {
    if (!FILO_CHECK(events != NULL, "pass events")) return false;
    return filo_events_emit_with(
        events, &(FiloEmission){ .event = event, .type = type, .payload = payload, .at_once = true });
}
