// Requests in snapshots: what is on its way is saved, and begins again when a snapshot is restored.
//
//     Head      number of functions, number of readings
//     ObjectsRun for each function with a result, in their order
//     Reading   for each reading, followed by its states and its objects
//
// These bytes hold addresses of functions and types, so they are for this process.

#include <filo/check.h>
#include <filo/hash.h>

#include "objects/requests.h"

#include <string.h>

typedef struct Head {
    uint64_t runs, readings;
} Head;

typedef struct Reading {
    uint64_t reader; // hash of its name
    uint64_t tick, count, state_size;
} Reading;

static size_t size_of_reading(const Reading *reading) {
    return sizeof *reading + reading->count * (reading->state_size + sizeof(FiloEntity));
}

static Reading describe(const ObjectsReader *reader) {
    return (Reading){ .reader = filo_hash_text(reader->name),
                      .tick = reader->copy.tick,
                      .count = reader->copy.objects.count,
                      .state_size = reader->state->size };
}

// ---- Saving -----------------------------------------------------------------------------------------------

static size_t size_of_requests(FiloWorld *world, void *user) {
    (void)world;
    const ObjectsRequests *requests = user;
    size_t size = sizeof(Head) + requests->pending.count * sizeof(ObjectsRun);
    filo_array_each (&requests->readers, reader) {
        Reading reading = describe(*reader);
        if ((*reader)->reading) size += size_of_reading(&reading);
    }
    return size;
}

static void *put(void *at, const void *bytes, size_t size) {
    if (size > 0) memcpy(at, bytes, size);
    return (uint8_t *)at + size;
}

static void save(FiloWorld *world, void *bytes, void *user) {
    (void)world;
    const ObjectsRequests *requests = user;
    Head head = { .runs = requests->pending.count };
    filo_array_each (&requests->readers, reader) head.readings += (*reader)->reading;
    bytes = put(bytes, &head, sizeof head);
    filo_array_each (&requests->pending, work) bytes = put(bytes, &(*work)->run, sizeof(ObjectsRun));
    filo_array_each (&requests->readers, reader) {
        if (!(*reader)->reading) continue;
        Reading reading = describe(*reader);
        bytes = put(bytes, &reading, sizeof reading);
        bytes = put(bytes, (*reader)->copy.states.items, reading.count * reading.state_size);
        bytes = put(bytes, (*reader)->copy.objects.items, reading.count * sizeof(FiloEntity));
    }
}

// Functions without `ticks` are left out: when they end depends on time. So are the data, which may have padding.
static uint64_t hash_requests(FiloWorld *world, void *user) {
    (void)world;
    const ObjectsRequests *requests = user;
    uint64_t sum = 0;
    filo_array_each (&requests->pending, work) {
        const ObjectsRun *run = &(*work)->run;
        if (run->ticks == 0) continue;
        sum = filo_hash_combine(sum, filo_hash_text(run->name));
        sum = filo_hash_combine(sum, run->object.id);
        sum = filo_hash_combine(sum, run->tick + run->ticks);
    }
    filo_array_each (&requests->readers, reader) {
        if (!(*reader)->reading) continue;
        sum = filo_hash_combine(sum, filo_hash_text((*reader)->name));
        sum = filo_hash_combine(sum, (*reader)->copy.tick);
    }
    return sum;
}

// ---- Restoring --------------------------------------------------------------------------------------------

// Everything that needs memory, before anything changes.
typedef struct Restored {
    ObjectsWorks works;
    FiloArray(ObjectsCopy) copies; // one for each reader; those that do not read have the tick NOT_READING
} Restored;
#define NOT_READING UINT64_MAX

static const void *get(void *to, const void *bytes, size_t size) {
    if (size > 0) memcpy(to, bytes, size);
    return (const uint8_t *)bytes + size;
}

static ObjectsCopy *find_copy(const ObjectsRequests *requests, Restored *restored, const Reading *reading) {
    for (size_t i = 0; i < requests->readers.count; i++) {
        const ObjectsReader *reader = requests->readers.items[i];
        if (filo_hash_text(reader->name) == reading->reader && reader->state->size == reading->state_size)
            return &restored->copies.items[i];
    }
    return NULL; // another world, without this reader
}

static bool make_works(ObjectsRequests *requests, Restored *restored, const void **bytes, uint64_t count) {
    if (!filo_array_reserve(&restored->works, (size_t)count)) return false;
    for (uint64_t i = 0; i < count; i++) {
        ObjectsRun run;
        *bytes = get(&run, *bytes, sizeof run);
        if (requests->replaying && run.ticks == 0) continue;
        ObjectsWork *work = objects_work_make(requests, &run);
        if (work == NULL) return false;
        (void)filo_array_push(&restored->works, work); // reserved above
    }
    return true;
}

static bool make_copies(const ObjectsRequests *requests, Restored *restored, const void *bytes,
                        uint64_t count) {
    if (!filo_array_resize(&restored->copies, requests->readers.count)) return false;
    filo_array_each (&restored->copies, copy) {
        objects_copy_init(copy, requests->objects->allocator);
        copy->tick = NOT_READING;
    }
    for (uint64_t i = 0; i < count; i++) {
        Reading reading;
        bytes = get(&reading, bytes, sizeof reading);
        size_t states = reading.count * reading.state_size, objects = reading.count * sizeof(FiloEntity);
        ObjectsCopy *copy = find_copy(requests, restored, &reading);
        if (copy != NULL) {
            copy->tick = reading.tick;
            if (!filo_array_resize(&copy->states, objects_blocks(states)) ||
                !filo_array_resize(&copy->objects, reading.count))
                return false;
            (void)get(copy->states.items, bytes, states);
            (void)get(copy->objects.items, (const uint8_t *)bytes + states, objects);
        }
        bytes = (const uint8_t *)bytes + states + objects;
    }
    return true;
}

static void restore_works(ObjectsRequests *requests, Restored *restored) {
    filo_array_each (&requests->pending, work) objects_work_leave(requests, *work);
    filo_array_clear(&requests->pending);
    filo_array_each (&restored->works, work) {
        objects_work_start(requests, *work);
        (void)filo_array_push(&requests->pending, *work); // has room
    }
}

static void restore_readers(ObjectsRequests *requests, Restored *restored) {
    filo_array_each (&requests->readers, reader) objects_reader_cancel(*reader);
    for (size_t i = 0; i < requests->readers.count; i++) {
        ObjectsReader *reader = requests->readers.items[i];
        objects_reader_stop(reader);
        if (restored->copies.items[i].tick == NOT_READING) continue;
        ObjectsCopy before = reader->copy;
        reader->copy = restored->copies.items[i];
        restored->copies.items[i] = before;
        objects_reader_begin(reader);
    }
}

static FiloResult restore(FiloWorld *world, const void *bytes, size_t size, void *user) {
    (void)world, (void)size;
    ObjectsRequests *requests = user;
    Restored restored;
    filo_array_init(&restored.works, requests->objects->allocator);
    filo_array_init(&restored.copies, requests->objects->allocator);
    Head head = { 0 };
    if (bytes != NULL) bytes = get(&head, bytes, sizeof head);
    bool made = make_works(requests, &restored, &bytes, head.runs) &&
                make_copies(requests, &restored, bytes, head.readings);
    if (made) {
        restore_works(requests, &restored);
        restore_readers(requests, &restored);
    } else {
        filo_array_each (&restored.works, work) objects_work_leave(requests, *work); // has not begun
    }
    filo_array_each (&restored.copies, copy) objects_copy_deinit(copy);
    filo_array_deinit(&restored.copies);
    filo_array_deinit(&restored.works);
    return made ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "no memory for the functions of objects");
}

bool objects_requests_provide(ObjectsRequests *requests) {
    if (requests->provides) return true;
    if (requests->runs.objects == NULL &&
        !objects_records_init(&requests->runs, requests->objects, sizeof(ObjectsRun))) {
        objects_records_deinit(&requests->runs);
        return false;
    }
    requests->provides = filo_world_add_provider(requests->world, &(FiloProvider){ .name = "objects",
                                                                                   .size = size_of_requests,
                                                                                   .save = save,
                                                                                   .restore = restore,
                                                                                   .hash = hash_requests,
                                                                                   .not_in_files = true,
                                                                                   .user = requests });
    return requests->provides;
}
