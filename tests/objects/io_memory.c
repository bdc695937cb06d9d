// Functions and readers without memory, at one place after the other.

#include "objects/io_fixture.h"

#include "support/failing_allocator.h"

static void read_askers(const FiloReading *reading) {
    for (size_t i = 0; i < reading->count; i++)
        filo_reading_answer(reading, reading->objects[i], FILO_TYPE(Answer), &(Answer){ reading->tick, 1 });
}

// As step_asker, but what cannot be run is left out.
static void step(FiloIter *it) {
    const Asker *past = filo_read(it, Asker);
    Asker *next = filo_write_next(it, Asker);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        size_t count;
        if (filo_object_events(it, i, Answer, &count) != NULL) next[i].answers += (int32_t)count;
        Question question = { .tick = it->tick, .number = past[i].number };
        filo_object_run(it, i,
                        &(FiloObjectRun){ .name = "ask",
                                          .function = answer,
                                          .data = &question,
                                          .data_size = sizeof question,
                                          .result = FILO_RESULT_OF(Answer),
                                          .ticks = 1 + (uint32_t)it->tick % 3 });
    }
}

// The number of answers; −1 if the world could not be made.
static int play(FiloWorld *world) {
    FiloObjectKind kind = filo_object_kind(world, &(FiloObjectDesc){ .name = "asker",
                                                                     .state = FILO_STATE_OF(Asker),
                                                                     .step = step,
                                                                     .events = { FILO_TAKES(Answer, 8) } });
    if (kind.id == 0) return -1;
    FiloResult r = filo_objects_reader_add(
        world, &(FiloReaderDesc){
                   .name = "reader", .state = FILO_STATE_OF(Asker), .read = read_askers, .ticks = 2 });
    if (r.code != FILO_OK) return -1;
    FiloEntity asker = { 0 };
    for (int i = 0; i < 3; i++) asker = filo_create(world, FILO_SET(Asker, .number = i));
    if (asker.id == 0) return -1;
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    for (int i = 0; i < 5; i++) (void)filo_world_tick(world, 1);
    if (filo_snapshot_take(snapshot, world).code == FILO_OK) {
        for (int i = 0; i < 3; i++) (void)filo_world_tick(world, 1);
        (void)filo_snapshot_restore(snapshot, world);
    }
    for (int i = 0; i < 5; i++) (void)filo_world_tick(world, 1);
    filo_snapshot_destroy(snapshot);
    const Asker *state = filo_get(world, asker, Asker);
    return state != NULL ? state->answers : -1;
}

FILO_TEST(without_memory_functions_and_readers_are_left_out_and_nothing_is_lost) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    int fewer = 0, answers = -1;
    for (size_t fail_at = 0, more = 1; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloWorld *world;
        answers = -1;
        if (filo_world_create(&world, &(FiloWorldDesc){ .allocator = &failing.allocator }).code == FILO_OK)
            answers = play(world);
        filo_world_destroy(world);
        assert_int_equal(failing.blocks, 0);
        more = failing.calls > fail_at;
        fewer += more && answers >= 0 && answers < 12;
    }
    filo_fault_set_handler(before);
    assert_int_equal(answers, 12); // 8 of functions, 4 of the reader
    assert_true(fewer > 0);
}
