// Objects are state like any other: snapshots, histories and files.

#include "objects/networks.h"
#include "support/warnings.h"

#define TICKS 30

static Fixture start(int threads, const FiloNetwork *network) {
    Fixture fixture = fixture_open(threads);
    add_drones(fixture.world, network);
    start_drones(fixture.world, 200);
    return fixture;
}

static uint64_t run(Fixture *fixture, int ticks) {
    for (int i = 0; i < ticks; i++) tick(fixture);
    return filo_world_hash(fixture->world);
}

// With delays, holds, switches and events on their way.
FILO_TEST(a_snapshot_in_the_middle_of_a_run_continues_exactly) {
    FiloNetwork *network = drone_network(1.3f);
    Fixture reference = start(0, network);
    uint64_t middle = run(&reference, 7), end = run(&reference, TICKS);
    fixture_close(&reference);
    for (int threads = 1; threads <= 16; threads *= 2) {
        Fixture fixture = start(threads, network);
        FiloSnapshot *snapshot = filo_snapshot_create(NULL);
        assert_true(run(&fixture, 7) == middle);
        assert_ok(filo_snapshot_take(snapshot, fixture.world));
        assert_true(run(&fixture, TICKS) == end);
        assert_ok(filo_snapshot_restore(snapshot, fixture.world));
        assert_true(filo_world_hash(fixture.world) == middle);
        assert_true(run(&fixture, TICKS) == end);
        // In another world, too.
        Fixture other = start(threads, network);
        assert_ok(filo_snapshot_restore(snapshot, other.world));
        assert_true(run(&other, TICKS) == end);
        fixture_close(&other);
        filo_snapshot_destroy(snapshot);
        fixture_close(&fixture);
    }
    filo_network_destroy(network);
}

FILO_TEST(a_history_goes_back_by_any_number_of_ticks) {
    FiloNetwork *network = drone_network(1.3f);
    Fixture fixture = start(2, network);
    FiloHistory *history;
    assert_ok(filo_history_create(&history, NULL));
    uint64_t hashes[TICKS];
    for (int i = 0; i < TICKS; i++) {
        hashes[i] = run(&fixture, 1);
        assert_ok(filo_history_push(history, fixture.world));
    }
    assert_ok(filo_history_rewind(history, fixture.world, 20));
    assert_true(filo_world_hash(fixture.world) == hashes[TICKS - 21]);
    for (int i = TICKS - 20; i < TICKS; i++) assert_true(run(&fixture, 1) == hashes[i]);
    filo_history_destroy(history);
    fixture_close(&fixture);
    filo_network_destroy(network);
}

// ---- Files ----------------------------------------------------------------------------------------------------

FILO_TEST(a_file_is_continued_exactly_by_a_program_with_the_same_network) {
    const char *path = filo_test_path("drones.save");
    FiloNetwork *network = drone_network(1.3f);
    Fixture fixture = start(2, network);
    (void)run(&fixture, 7);
    assert_ok(filo_world_save(fixture.world, path, NULL));
    uint64_t end = run(&fixture, TICKS);
    fixture_close(&fixture);
    filo_network_destroy(network);

    network = drone_network(1.3f); // a rebuilt program
    Fixture other = start(4, network);
    assert_ok(filo_world_load(other.world, path, NULL));
    assert_true(run(&other, TICKS) == end);
    fixture_close(&other);
    filo_network_destroy(network);
}

// The same signals with another constant: the states would fit, but mean something else.
FILO_TEST(objects_of_a_file_with_another_network_start_again_with_their_state) {
    const char *path = filo_test_path("drones.save");
    FiloNetwork *before = drone_network(1.3f), *after = drone_network(2.5f);
    assert_true(filo_network_id(before) != filo_network_id(after));
    Fixture fixture = start(2, before);
    (void)run(&fixture, 7);
    FiloEntity drone = filo_entity_at(fixture.world, 1);
    int32_t orders = filo_get(fixture.world, drone, Drone)->orders;
    assert_true(filo_get(fixture.world, drone, Drone)->height > 0);
    assert_ok(filo_world_save(fixture.world, path, NULL));
    fixture_close(&fixture);

    fixture = start(2, after);
    assert_ok(filo_world_load(fixture.world, path, NULL));
    expect_warning("kind \"drone\": drone: the state of an object is that of another network",
                   tick(&fixture));
    assert_int_equal(filo_get(fixture.world, drone, Drone)->orders, orders); // from the saved state
    assert_true(filo_get(fixture.world, drone, Drone)->height == 0); // from the network, at its instant 0
    expect_no_warning(tick(&fixture));
    assert_true(filo_get(fixture.world, drone, Drone)->height == 1);
    fixture_close(&fixture);
    filo_network_destroy(before);
    filo_network_destroy(after);
}

// A kind that was a function before: its objects get the state of a network.
static void step_drone(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) filo_write_next(it, Drone)[i] = filo_read(it, Drone)[i];
}

FILO_TEST(objects_of_a_file_without_a_network_get_one) {
    const char *path = filo_test_path("drones.save");
    FiloNetwork *network = drone_network(1.3f);
    Fixture fixture = fixture_open(2);
    filo_component(fixture.world, Shown);
    filo_component(fixture.world, Wind, .storage = FILO_STORAGE_GLOBAL);
    (void)add_kind(fixture.world,
                   &(FiloObjectDesc){ .name = "drone", .state = FILO_STATE_OF(Drone), .step = step_drone });
    FiloEntity drone = filo_create(fixture.world, FILO_SET(Drone, .orders = 9), FILO_ADD(Shown));
    tick(&fixture);
    assert_ok(filo_world_save(fixture.world, path, NULL));
    fixture_close(&fixture);
    fixture = start(2, network);
    assert_ok(filo_world_load(fixture.world, path, NULL));
    tick(&fixture);
    filo_object_send(fixture.world, drone, Order, 1);
    tick(&fixture);
    assert_int_equal(filo_get(fixture.world, drone, Drone)->orders, 10);
    assert_true(filo_get(fixture.world, drone, Drone)->height == 1);
    fixture_close(&fixture);
    filo_network_destroy(network);
}

// ---- Inboxes of files -------------------------------------------------------------------------------------------

FILO_TEST(events_of_a_file_fit_into_inboxes_of_another_capacity) {
    const char *path = filo_test_path("balls.save");
    Fixture fixture = fixture_open(2);
    add_balls(fixture.world);
    FiloEntity ball = filo_create(fixture.world, FILO_ADD(Ball), FILO_ADD(Shown));
    for (int i = 1; i <= 4; i++) filo_object_send(fixture.world, ball, Kick, (float)i);
    assert_ok(filo_world_save(fixture.world, path, NULL));
    fixture_close(&fixture);
    for (uint32_t capacity = 2; capacity <= 6; capacity += 2) {
        fixture = fixture_open(2);
        filo_component(fixture.world, Shown);
        FiloObjectDesc desc = ball_desc();
        desc.events[0].capacity = capacity;
        (void)add_kind(fixture.world, &desc);
        assert_ok(filo_world_load(fixture.world, path, NULL));
        if (capacity == 6)
            for (int i = 5; i <= 6; i++) filo_object_send(fixture.world, ball, Kick, (float)i);
        tick(&fixture);
        assert_int_equal(filo_get(fixture.world, ball, Ball)->kicks, (int32_t)capacity);
        assert_true(filo_get(fixture.world, ball, Ball)->speed == (float)(capacity * (capacity + 1) / 2));
        fixture_close(&fixture);
    }
}

// What a damaged file could contain.
FILO_TEST(an_inbox_that_claims_more_events_than_it_has_room_for_is_cut) {
    FiloNetwork *network = drone_network(1);
    Fixture fixture = start(2, network);
    FiloComponent hits = filo_component_named(fixture.world, "Hit.inbox");
    FiloEntity drone = filo_entity_at(fixture.world, 1);
    ((FiloSfList *)filo_entity_edit(fixture.world, drone, hits))->count = 0x40000000;
    tick(&fixture);
    assert_int_equal(((const FiloSfList *)filo_entity_get(fixture.world, drone, hits))->count, 0);
    fixture_close(&fixture);
    filo_network_destroy(network);
}

FILO_TEST(a_world_that_is_created_like_another_one_gets_its_own_kinds) {
    FiloNetwork *network = drone_network(1.3f);
    Fixture fixture = start(2, network);
    (void)run(&fixture, 7);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, fixture.world));
    FiloWorld *like;
    assert_ok(filo_world_create_like(&like, fixture.world, NULL));
    FiloObjectDesc desc = drone_desc(network);
    (void)add_kind(like, &desc);
    filo_system_add(like,
                    &(FiloSystemDesc){ .name = "blow", .run = blow, .query.terms = { FILO_WRITE(Wind) } });
    assert_ok(filo_snapshot_restore(snapshot, like));
    uint64_t end = run(&fixture, TICKS);
    filo_world_destroy(fixture.world); // either may be destroyed first
    fixture.world = like;
    assert_true(run(&fixture, TICKS) == end);
    filo_snapshot_destroy(snapshot);
    fixture_close(&fixture);
    filo_network_destroy(network);
}
