// Objects and memory: none is allocated in a steady tick, and what there is not enough memory for is refused.

#include "objects/networks.h"
#include "support/failing_allocator.h"
#include "support/malloc_count.h"

static void send_to_others(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity self = filo_iter_entity(it, i);
        FiloEntity other = filo_entity_at(it->world, filo_entity_index(self) ^ 1u);
        filo_object_send(it, other.id != 0 ? other : self, Kick, 1);
        filo_object_send(it, self, Hit, 0);
    }
}

FILO_TEST(a_steady_tick_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip_because("the sanitizer replaces malloc");
    for (int threads = 0; threads <= 4; threads += 2) {
        Fixture fixture = fixture_open(threads);
        FiloNetwork *network = drone_network(1);
        filo_component(fixture.world, Shown);
        filo_component(fixture.world, Wind, .storage = FILO_STORAGE_GLOBAL);
        FiloObjectDesc drones = drone_desc(network);
        drones.events[2] = (FiloObjectEvent)FILO_TAKES(Kick, 4);
        (void)add_kind(fixture.world, &drones);
        FiloObjectDesc balls = ball_desc();
        (void)add_kind(fixture.world, &balls);
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "send",
                                                          .run = send_to_others,
                                                          .parallel = true,
                                                          .query.terms = { FILO_READ(Drone) } });
        for (int i = 0; i < 1000; i++) filo_create(fixture.world, FILO_ADD(Drone), FILO_ADD(Shown));
        for (int i = 0; i < 100; i++) filo_create(fixture.world, FILO_ADD(Ball), FILO_ADD(Shown));
        // Which worker gets which rows changes from tick to tick, so each must have run most of them.
        for (int i = 0; i < 200; i++) tick(&fixture);
        uint64_t before = filo_test_malloc_calls(), calls = UINT64_MAX;
        for (int attempt = 0; attempt < 20 && calls > 0; attempt++) {
            before = filo_test_malloc_calls();
            for (int i = 0; i < 20; i++) tick(&fixture);
            calls = filo_test_malloc_calls() - before;
        }
        assert_int_equal(calls, 0);
        fixture_close(&fixture);
        filo_network_destroy(network);
    }
}

// Adds kinds and runs them with an allocator of which one call fails. True if all succeeded.
static bool build(const FiloAllocator *allocator, const FiloNetwork *network) {
    FiloWorld *world;
    if (filo_world_create(&world, &(FiloWorldDesc){ .allocator = allocator }).code != FILO_OK) return false;
    bool ok = filo_component(world, Shown).id != 0 &&
              filo_component(world, Wind, .storage = FILO_STORAGE_GLOBAL).id != 0;
    const FiloObjectDesc kinds[] = { drone_desc(network), ball_desc() };
    FiloObjectKind added[2];
    if (ok) {
        FiloResult r = filo_object_kinds_add(added, world, kinds, 2);
        ok = r.code == FILO_OK;
        if (!ok) {
            assert_int_equal(r.code, FILO_ERROR_MEMORY);
            assert_true(added[0].id == 0 && added[1].id == 0);
            // There is no system of a kind that was not added, and adding them again succeeds.
            assert_true(filo_system_named(world, "objects.drone").id == 0);
            assert_true(filo_system_named(world, "objects.ball").id == 0);
            assert_ok(filo_object_kinds_add(added, world, kinds, 2));
        }
    }
    FiloEntity ball = ok ? filo_create(world, FILO_ADD(Ball), FILO_ADD(Shown)) : FILO_ENTITY_NONE;
    if (ok && ball.id != 0) {
        filo_system_add(
            world,
            &(FiloSystemDesc){ .name = "send", .run = send_to_others, .query.terms = { FILO_READ(Drone) } });
        (void)filo_create(world, FILO_ADD(Drone), FILO_ADD(Shown));
        for (int i = 0; i < 3; i++) (void)filo_world_tick(world, 0.5f);
        const Ball *state = filo_get(world, ball, Ball);
        assert_true(state != NULL && state->kicks >= 0);
    }
    filo_world_destroy(world);
    return ok && ball.id != 0;
}

FILO_TEST(without_memory_nothing_is_added_and_nothing_leaks) {
    FiloNetwork *network = drone_network(1);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    size_t failures = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        failures += !build(&failing.allocator, network);
        assert_int_equal(failing.blocks, 0);
        more = failing.calls > fail_at;
    }
    assert_true(failures > 20);
    (void)filo_fault_set_handler(before);
    filo_network_destroy(network);
}
