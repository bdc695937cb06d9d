// What is on its way to objects from other threads: functions that block (run.c) and readers (reader.c).
//
// A request begins at the end of a tick, in the order in which steps recorded it. Its result arrives before a tick:
//
//   with `ticks`      before the tick that it names, which waits for the function, for a limited time.
//   without           before the first tick that finds it ended; or through filo_objects_poll, if a program records
//                     results (results.c).
//
// All of this is done between ticks by one thread, so nothing here is locked. An async thread has a work of its own
// until its request has ended. A work that is no longer wanted (its tick has come, or a snapshot was restored) is
// cancelled, and stays in `left` until then.
//
// Works and their memory are reused: a steady tick allocates nothing. Memory is the world's, except that of answers, which
// async threads allocate.

#ifndef FILO_OBJECTS_REQUESTS_H
#define FILO_OBJECTS_REQUESTS_H

#include <filo/snapshot.h>

#include "objects/objects.h"

// What filo_object_run records. Plain bytes: buffers and snapshots copy it.
typedef struct ObjectsRun {
    FiloEntity object;
    uint64_t tick; // in which it was recorded
    const char *name;
    FiloObjectFunction function;
    const FiloType *result; // NULL: it is forgotten
    double timeout;         // seconds
    uint32_t ticks;
    uint32_t data_size;
    _Alignas(16) uint8_t data[FILO_OBJECT_DATA];
} ObjectsRun;

// A function that an async thread runs, has run, or will run. It does not move.
typedef struct ObjectsWork {
    ObjectsRun run;
    FiloRequest request; // {0}: it was called directly, in a world without a scheduler
    FiloResult outcome;  // then
    void *result;
    size_t result_size; // of the memory
} ObjectsWork;
typedef FiloArray(ObjectsWork *) ObjectsWorks;

// Memory for values of any type.
typedef struct ObjectsBlock {
    _Alignas(FILO_CACHE_LINE) uint8_t bytes[FILO_CACHE_LINE];
} ObjectsBlock;

typedef struct ObjectsAnswer {
    FiloEntity to;
    const FiloType *type;
    size_t at; // of the value: an index of ObjectsReader.values
} ObjectsAnswer;

// The states that a reader reads.
typedef struct ObjectsCopy {
    uint64_t tick; // FiloReading.tick
    FiloArray(ObjectsBlock) states;
    FiloArray(FiloEntity) objects;
} ObjectsCopy;

// A reader, with its only reading. While that is on its way, the async thread has `copy`, `answers` and `values`.
typedef struct ObjectsReader {
    FiloWorld *world;
    char name[64];
    FiloReaderDesc desc;
    const FiloType *state;
    FiloQuery *query;
    FiloRequest request;
    bool reading; // and its answers are wanted
    bool late;    // its answers are not wanted any more; it has not ended
    ObjectsCopy copy;
    FiloArray(ObjectsAnswer) answers;
    FiloArray(ObjectsBlock) values;
} ObjectsReader;

struct ObjectsRequests {
    ObjectsWorld *objects;
    FiloWorld *world;
    ObjectsRecords runs;  // ObjectsRun, of the current tick
    ObjectsWorks pending; // with a result, in the order in which they began
    ObjectsWorks left;    // without one, or no longer wanted
    ObjectsWorks free;
    size_t works; // in all; each list has room for them, so that moving a work never fails
    FiloArray(ObjectsReader *) readers; // in the order in which they were added
    FiloObjectResultFunction result;    // of filo_objects_set_results
    void *result_user;
    bool replaying;
    bool provides;
    bool in_tick; // between objects_requests_before_tick and …_after_tick
};

// NULL without memory.
ObjectsRequests *objects_requests_create(ObjectsWorld *objects);
// Cancels functions and readers, and waits for them. A function that does not return is named in the log. NULL is allowed.
void objects_requests_destroy(ObjectsRequests *requests);
// Makes the requests a part of the world's state (restore.c), with the first kind of objects: not before, because a
// provider is a part of the world's hash. Later calls do nothing. False without memory.
bool objects_requests_provide(ObjectsRequests *requests);

// Results and answers that are due arrive.
void objects_requests_before_tick(ObjectsRequests *requests);
// After messages were delivered: the functions that were recorded begin, and then readers.
void objects_requests_after_tick(ObjectsRequests *requests);

// ---- run.c ----

// A work for a function, which has not begun. NULL without memory.
ObjectsWork *objects_work_make(ObjectsRequests *requests, const ObjectsRun *run);
void objects_work_start(ObjectsRequests *requests, ObjectsWork *work);
// The result is not wanted any more.
void objects_work_leave(ObjectsRequests *requests, ObjectsWork *work);
// Results of functions without `ticks` that have ended go to the world, or to the function that records them.
void objects_requests_poll(ObjectsRequests *requests);
// Waits for a request. If it has not ended after two seconds, it is cancelled, and a warning names it.
void objects_wait_for_end(FiloJobs *jobs, FiloRequest request, const char *name);

// ---- reader.c ----

static inline size_t objects_blocks(size_t bytes) {
    return (bytes + sizeof(ObjectsBlock) - 1) / sizeof(ObjectsBlock);
}
void objects_copy_init(ObjectsCopy *copy, const FiloAllocator *allocator);
void objects_copy_deinit(ObjectsCopy *copy);
// Copies the states, and begins a reading, if it is time.
void objects_reader_read(ObjectsReader *reader, uint64_t tick);
// Begins the reading of the states in `copy`.
void objects_reader_begin(ObjectsReader *reader);
// Its answers arrive, if they are due in this tick.
void objects_reader_arrive(ObjectsReader *reader, uint64_t tick);
void objects_reader_cancel(ObjectsReader *reader);
// Cancels a reading, and waits for its end.
void objects_reader_stop(ObjectsReader *reader);
void objects_reader_destroy(ObjectsReader *reader);

#endif
