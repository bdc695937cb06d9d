// Shared by the tests of functions and readers of objects: a kind of objects that asks, and counts what comes back.

#ifndef FILO_TEST_OBJECTS_IO_FIXTURE_H
#define FILO_TEST_OBJECTS_IO_FIXTURE_H

#include <filo/objects.h>
#include <filo/time.h>

#include "base/atomic.h"
#include "support/test.h"

#include <unistd.h>

// What a function returns, and what a reader answers.
typedef struct Answer {
    uint64_t asked; // the tick
    int32_t number;
} Answer;
FILO_REFLECT(Answer, FILO_FIELD(uint64_t, asked), FILO_FIELD(int32_t, number))

typedef struct Asker {
    int32_t number;
    int32_t answers;
    uint64_t arrived; // the last tick that saw an answer
    uint64_t asked;   // when that was asked
    uint64_t sum;     // depends on all answers and their order
} Asker;
FILO_REFLECT(Asker, FILO_FIELD(int32_t, number), FILO_FIELD(int32_t, answers), FILO_FIELD(uint64_t, arrived),
             FILO_FIELD(uint64_t, asked), FILO_FIELD(uint64_t, sum))

// The data of a question.
typedef struct Question {
    uint64_t tick;
    int32_t number;
    uint32_t delay_us; // that the function takes
} Question;

typedef BASE_ATOMIC(int) AtomicInt;

// How askers ask: the user of the kind.
typedef struct Asking {
    FiloObjectFunction function;
    bool forget; // no result
    uint32_t ticks;
    uint32_t every;    // asks in every n-th tick; 0: only in the first
    uint32_t delay_us; // times 0 to 3, by number and tick
    double timeout;
    int async_threads; // of the scheduler; 0: its default
} Asking;

typedef struct Fixture {
    FiloJobs *jobs; // NULL without threads
    FiloEvents *events;
    FiloWorld *world;
} Fixture;

static inline void step_asker(FiloIter *it) {
    const Asking *asking = it->user;
    const Asker *past = filo_read(it, Asker);
    Asker *next = filo_write_next(it, Asker);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        size_t count;
        const Answer *answers = filo_object_events(it, i, Answer, &count);
        for (size_t k = 0; k < count; k++) {
            next[i].answers++;
            next[i].arrived = it->tick;
            next[i].asked = answers[k].asked;
            next[i].sum = next[i].sum * 31 + (uint64_t)answers[k].number;
        }
        if (asking->function == NULL || (asking->every == 0 ? it->tick > 0 : it->tick % asking->every != 0))
            continue;
        Question question = { .tick = it->tick,
                              .number = past[i].number,
                              .delay_us =
                                  asking->delay_us * (uint32_t)(((uint64_t)past[i].number + it->tick) % 4) };
        assert_true(
            filo_object_run(it, i,
                            &(FiloObjectRun){ .name = "ask",
                                              .function = asking->function,
                                              .data = &question,
                                              .data_size = sizeof question,
                                              .result = asking->forget ? NULL : FILO_RESULT_OF(Answer),
                                              .ticks = asking->ticks,
                                              .timeout = asking->timeout }));
    }
}

// Answers with a number that depends on the question.
static inline FiloResult answer(FiloAsyncCall *call, const void *data, void *result) {
    (void)call;
    const Question *question = data;
    if (question->delay_us > 0) usleep(question->delay_us);
    *(Answer *)result = (Answer){ question->tick, question->number * 7 + (int32_t)question->tick % 5 };
    return filo_ok();
}

// `threads` 0: without a scheduler. `asking` must outlive the world.
static inline Fixture fixture_open(int threads, Asking *asking, int askers) {
    Fixture fixture = { 0 };
    if (threads > 0) {
        assert_ok(filo_jobs_create(
            &fixture.jobs, &(FiloJobsDesc){ .threads = threads, .async_threads = asking->async_threads }));
        assert_ok(filo_events_create(&fixture.events, &(FiloEventsDesc){ .jobs = fixture.jobs }));
    }
    assert_ok(filo_world_create(
        &fixture.world, &(FiloWorldDesc){ .jobs = fixture.jobs, .events = fixture.events, .seed = 7 }));
    FiloObjectKind kind =
        filo_object_kind(fixture.world, &(FiloObjectDesc){ .name = "asker",
                                                           .state = FILO_STATE_OF(Asker),
                                                           .step = step_asker,
                                                           .events = { FILO_TAKES(Answer, 8) },
                                                           .user = asking });
    assert_int_not_equal(kind.id, 0);
    for (int i = 0; i < askers; i++)
        assert_int_not_equal(filo_create(fixture.world, FILO_SET(Asker, .number = i)).id, 0);
    return fixture;
}

static inline void fixture_close(Fixture *fixture) {
    filo_world_destroy(fixture->world);
    if (fixture->jobs == NULL) return;
    filo_events_destroy(fixture->events);
    filo_jobs_destroy(fixture->jobs, FILO_JOBS_FINISH);
}

static inline void ticks(const Fixture *fixture, int count) {
    for (int i = 0; i < count; i++) assert_ok(filo_world_tick(fixture->world, 1.0f / 60));
}

// The asker with a number.
static inline Asker asker_of(const Fixture *fixture, int number) {
    FiloQuery *query = filo_query(fixture->world, FILO_READ(Asker));
    Asker found = { .number = -1 };
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each))
        if (filo_each_read(&each, Asker)->number == number) found = *filo_each_read(&each, Asker);
    filo_query_release(query);
    assert_int_equal(found.number, number);
    return found;
}

#endif
