// Readers: other threads that read the past states of a kind of objects, on a copy, and answer with events.
//
// After a tick the states are copied, and the reading begins. The answers are collected by the async thread, and arrive
// before the tick that FiloReaderDesc.ticks names.

#include <filo/check.h>
#include <filo/log.h>

#include "objects/objects.h"
#include "objects/requests.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_ANSWERS 256
#define DEFAULT_TIMEOUT 10.0 // seconds
#define LONGEST_TIMEOUT 1e9

// ---- On the async thread ----------------------------------------------------------------------------------

static FiloResult run_reading(FiloAsyncCall *call, void *user) {
    ObjectsReader *reader = user;
    reader->desc.read(&(FiloReading){ .tick = reader->copy.tick,
                                      .count = reader->copy.objects.count,
                                      .states = reader->copy.states.items,
                                      .objects = reader->copy.objects.items,
                                      .call = call,
                                      .user = reader->desc.user,
                                      .private_ = reader });
    return filo_ok();
}

bool filo_reading_answer(const FiloReading *reading, FiloEntity to, const FiloType *type, const void *value) {
    if (!FILO_CHECK(reading != NULL && reading->private_ != NULL && type != NULL && value != NULL,
                    "pass the reading, an object, a type and a value to filo_reading_answer"))
        return false;
    ObjectsReader *reader = reading->private_;
    if (reader->answers.count >= reader->desc.answers) return false;
    ObjectsAnswer answer = { .to = to, .type = type, .at = reader->values.count };
    if (!filo_array_resize(&reader->values, answer.at + objects_blocks(type->size))) return false;
    if (type->size > 0) memcpy(&reader->values.items[answer.at], value, type->size);
    if (filo_array_push(&reader->answers, answer)) return true;
    reader->values.count = answer.at;
    return false;
}

// ---- Beginning --------------------------------------------------------------------------------------------

void objects_reader_begin(ObjectsReader *reader) {
    filo_array_clear(&reader->answers);
    filo_array_clear(&reader->values);
    reader->reading = true;
    FiloJobs *jobs = filo_world_jobs(reader->world);
    if (jobs == NULL) {
        (void)run_reading(&(FiloAsyncCall){ 0 }, reader);
        return;
    }
    reader->request = filo_async_run(jobs, run_reading, reader, &(FiloAsyncOptions){ .name = reader->name });
    if (reader->request.id == 0) reader->reading = false; // filo_out_of_memory has reported it
}

// False without memory.
static bool copy_states(ObjectsReader *reader) {
    ObjectsCopy *copy = &reader->copy;
    size_t count = filo_query_count(reader->query), size = reader->state->size, done = 0;
    if (!filo_array_resize(&copy->states, objects_blocks(count * size)) ||
        !filo_array_resize(&copy->objects, count))
        return false;
    FiloIter it = filo_query_iter(reader->query);
    while (filo_iter_next(&it)) {
        memcpy((uint8_t *)copy->states.items + done * size, filo_iter_column(&it, 0).data, it.count * size);
        filo_iter_entities(&it, copy->objects.items + done);
        done += it.count;
    }
    return true;
}

void objects_reader_read(ObjectsReader *reader, uint64_t tick) {
    if (reader->reading || reader->late || tick % reader->desc.every != 0) return;
    reader->copy.tick = tick;
    if (copy_states(reader)) objects_reader_begin(reader);
}

// ---- Arriving ---------------------------------------------------------------------------------------------

static bool has_ended(const ObjectsReader *reader) {
    if (reader->request.id == 0) return true;
    FiloRequestState state = filo_async_state(filo_world_jobs(reader->world), reader->request);
    return state != FILO_REQUEST_WAITING && state != FILO_REQUEST_RUNNING;
}

static void release(ObjectsReader *reader) {
    if (reader->request.id != 0) filo_async_release(filo_world_jobs(reader->world), reader->request);
    reader->request = (FiloRequest){ 0 };
    reader->reading = reader->late = false;
}

static bool await(ObjectsReader *reader) {
    if (reader->request.id == 0 || filo_async_wait_for(filo_world_jobs(reader->world), reader->request,
                                                       (int64_t)(reader->desc.timeout * 1e9)))
        return true;
    filo_log_warn("objects",
                  "reader %s has not ended after %u ticks and another %g s: the game goes on without its "
                  "answers, so a replay may differ",
                  reader->name, reader->desc.ticks, reader->desc.timeout);
    objects_reader_cancel(reader);
    reader->reading = false;
    reader->late = true;
    return false;
}

void objects_reader_arrive(ObjectsReader *reader, uint64_t tick) {
    if (reader->late && has_ended(reader)) release(reader);
    if (!reader->reading || tick < reader->copy.tick + reader->desc.ticks || !await(reader)) return;
    filo_array_each (&reader->answers, answer)
        (void)objects_deliver_one(objects_world(reader->world), answer->to, answer->type,
                                  &reader->values.items[answer->at]);
    release(reader);
}

// ---- Adding and removing ----------------------------------------------------------------------------------

void objects_reader_cancel(ObjectsReader *reader) {
    if (reader->request.id != 0) (void)filo_async_cancel(filo_world_jobs(reader->world), reader->request);
}

void objects_reader_stop(ObjectsReader *reader) {
    objects_reader_cancel(reader);
    if (reader->request.id != 0)
        objects_wait_for_end(filo_world_jobs(reader->world), reader->request, reader->name);
    release(reader);
}

void objects_copy_init(ObjectsCopy *copy, const FiloAllocator *allocator) {
    *copy = (ObjectsCopy){ 0 };
    filo_array_init(&copy->states, allocator);
    filo_array_init(&copy->objects, allocator);
}

void objects_copy_deinit(ObjectsCopy *copy) {
    filo_array_deinit(&copy->states);
    filo_array_deinit(&copy->objects);
}

void objects_reader_destroy(ObjectsReader *reader) {
    objects_reader_stop(reader);
    filo_query_release(reader->query);
    objects_copy_deinit(&reader->copy);
    filo_array_deinit(&reader->answers);
    filo_array_deinit(&reader->values);
    filo_free(filo_world_allocator(reader->world), reader, sizeof *reader, _Alignof(ObjectsReader));
}

static FiloResult check_reader(const ObjectsRequests *requests, const FiloReaderDesc *desc) {
    if (desc->name == NULL || desc->name[0] == '\0' ||
        strlen(desc->name) >= sizeof((ObjectsReader){ 0 }.name))
        return FILO_MISTAKE("a reader needs a name of at most %zu bytes",
                            sizeof((ObjectsReader){ 0 }.name) - 1);
    if (desc->state == NULL || desc->read == NULL)
        return FILO_MISTAKE("reader %s: give the state that it reads, and its function", desc->name);
    if (desc->ticks == 0)
        return FILO_MISTAKE("reader %s: answers arrive at least 1 tick later: set `ticks`", desc->name);
    if (!(desc->timeout >= 0))
        return FILO_MISTAKE("reader %s: a timeout is a number of seconds, not %g", desc->name, desc->timeout);
    if (objects_kind_find(requests->objects, desc->state()) == NULL)
        return FILO_MISTAKE("reader %s: %s is not the state of a kind of objects: add the kind first",
                            desc->name, desc->state()->name);
    filo_array_each (&requests->readers, reader)
        if (strcmp((*reader)->name, desc->name) == 0)
            return FILO_MISTAKE("reader %s was added before: choose another name", desc->name);
    return filo_ok();
}

FiloResult filo_objects_reader_add(FiloWorld *world, const FiloReaderDesc *desc) {
    if (world == NULL || desc == NULL) return FILO_MISTAKE("a reader needs a world and a description");
    ObjectsWorld *objects = objects_world_get(world);
    if (objects == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a reader");
    ObjectsRequests *requests = objects->requests;
    FiloResult result = check_reader(requests, desc);
    if (result.code != FILO_OK) return result;
    FiloResult no_memory = filo_error(FILO_ERROR_MEMORY, "no memory for the reader %s", desc->name);
    if (!filo_array_reserve(&requests->readers, requests->readers.count + 1)) return no_memory;
    ObjectsReader *reader = filo_alloc_zero(objects->allocator, sizeof *reader, _Alignof(ObjectsReader));
    if (reader == NULL) return no_memory;
    reader->world = world;
    reader->desc = *desc;
    objects_copy_init(&reader->copy, objects->allocator);
    snprintf(reader->name, sizeof reader->name, "%s", desc->name);
    reader->desc.name = reader->name;
    reader->desc.every = FILO_MAX(desc->every, 1u);
    reader->desc.answers = desc->answers > 0 ? desc->answers : DEFAULT_ANSWERS;
    reader->desc.timeout = desc->timeout > 0 ? FILO_MIN(desc->timeout, LONGEST_TIMEOUT) : DEFAULT_TIMEOUT;
    reader->state = desc->state();
    FiloTerm term = { .type = desc->state, .access = FILO_ACCESS_READ };
    reader->query = filo_query_create(world, &(FiloQueryDesc){ .terms = { term } });
    if (reader->query == NULL) {
        objects_reader_destroy(reader);
        return no_memory;
    }
    (void)filo_array_push(&requests->readers, reader); // reserved above
    return filo_ok();
}
