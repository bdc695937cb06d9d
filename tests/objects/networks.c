// Kinds of objects whose step is a network of signal functions.

#include "objects/networks.h"
#include "support/warnings.h"

static const Drone *drone_of(const Fixture *fixture, FiloEntity drone) {
    return filo_get(fixture->world, drone, Drone);
}

FILO_TEST(a_network_has_the_state_globals_and_events_as_inputs) {
    for (int threads = 0; threads <= 4; threads += 2) {
        Fixture fixture = fixture_open(threads);
        FiloNetwork *network = drone_network(1.1f);
        add_drones(fixture.world, network);
        FiloEntity drone = filo_create(fixture.world, FILO_SET(Drone, .orders = 5), FILO_ADD(Shown));
        tick(&fixture); // the instant 0
        assert_true(drone_of(&fixture, drone)->height == 0 && drone_of(&fixture, drone)->orders == 5);
        assert_true(drone_of(&fixture, drone)->drift == -1); // delayed by more than two ticks
        filo_object_send(fixture.world, drone, Order, 4);
        filo_object_send(fixture.world, drone, Order, 100); // only the first is an input
        tick(&fixture);                                     // 0.5 s
        assert_true(drone_of(&fixture, drone)->height == 1 && drone_of(&fixture, drone)->orders == 6);
        filo_edit_global(fixture.world, Wind)->speed = 8;
        tick(&fixture); // 1 s: it has climbed since the order
        assert_true(drone_of(&fixture, drone)->height == 2 + 2);
        assert_true(filo_get(fixture.world, drone, Shown)->height == 4);
        tick(&fixture); // 1.5 s: the branch switches, and the wind of 0 s is there
        assert_true(drone_of(&fixture, drone)->drift == 3);
        assert_true(drone_of(&fixture, drone)->height == 3 + 4);
        tick(&fixture); // it falls
        assert_true(drone_of(&fixture, drone)->height == 3 - 0.5f + 6);
        for (int i = 0; i < 2; i++) tick(&fixture);
        assert_true(drone_of(&fixture, drone)->drift == 8);
        fixture_close(&fixture);
        filo_network_destroy(network);
    }
}

FILO_TEST(all_events_of_a_list_are_an_input_and_an_output_ends_the_object) {
    Fixture fixture = fixture_open(2);
    FiloNetwork *network = drone_network(1);
    add_drones(fixture.world, network);
    FiloEntity drone = filo_create(fixture.world, FILO_ADD(Drone), FILO_ADD(Shown));
    FiloEntity other = filo_create(fixture.world, FILO_ADD(Drone), FILO_ADD(Shown));
    tick(&fixture);
    for (int i = 0; i < DRONE_HITS; i++) filo_object_send(fixture.world, drone, Hit, 3);
    tick(&fixture);
    tick(&fixture);
    assert_true(filo_entity_exists(fixture.world, drone)); // 9 of 10
    filo_object_send(fixture.world, drone, Hit, 1);
    tick(&fixture);
    assert_false(filo_entity_exists(fixture.world, drone));
    assert_true(filo_entity_exists(fixture.world, other));
    fixture_close(&fixture);
    filo_network_destroy(network);
}

FILO_TEST(an_output_that_is_an_event_calls_a_function_with_its_value) {
    Fixture fixture = fixture_open(2);
    FiloNetwork *network = drone_network(1);
    add_drones(fixture.world, network);
    FiloEntity drones[3];
    for (int i = 0; i < 3; i++) drones[i] = filo_create(fixture.world, FILO_ADD(Drone), FILO_ADD(Shown));
    filo_object_send(fixture.world, drones[0], Order, 1);
    for (int i = 0; i < 3; i++) {
        tick(&fixture);
        for (int k = 0; k < 3; k++) assert_int_equal(drone_of(&fixture, drones[k])->orders, k <= i);
    }
    tick(&fixture);
    assert_int_equal(filo_objects_count(fixture.world, Drone), 3);
    for (int k = 0; k < 3; k++) assert_int_equal(drone_of(&fixture, drones[k])->orders, 1);
    filo_object_send(fixture.world, drones[1], Order, 1);
    for (int i = 0; i < 4; i++) tick(&fixture); // in tick 7 an order is answered by a new drone, or not
    assert_int_equal(drone_of(&fixture, drones[2])->orders, 2);
    fixture_close(&fixture);
    filo_network_destroy(network);
}

// More rows than are run at a time, in several chunks.
FILO_TEST(each_of_many_objects_has_its_own_state) {
    Fixture fixture = fixture_open(0), divided = fixture_open(4);
    FiloNetwork *network = drone_network(0.9f);
    Fixture *all[] = { &fixture, &divided };
    for (int w = 0; w < 2; w++) {
        add_drones(all[w]->world, network);
        start_drones(all[w]->world, 5000);
        for (int i = 0; i < 6; i++) tick(all[w]);
    }
    assert_true(filo_world_hash(fixture.world) == filo_world_hash(divided.world));
    assert_true(filo_objects_count(fixture.world, Drone) > 5000);
    // Random numbers are those of the entity: no two objects have the same.
    float noise = drone_of(&fixture, filo_entity_at(fixture.world, 1))->noise;
    for (uint32_t i = 2; i < 100; i++)
        if (filo_entity_active(fixture.world, filo_entity_at(fixture.world, i)))
            assert_true(drone_of(&fixture, filo_entity_at(fixture.world, i))->noise != noise);
    fixture_close(&fixture);
    fixture_close(&divided);
    filo_network_destroy(network);
}

// ---- Small networks --------------------------------------------------------------------------------------------

typedef struct Load {
    float mass;
} Load;
FILO_REFLECT(Load, FILO_FIELD(float, mass))
FILO_SF_FUNCTION(load_shown, Shown, Load, load) { return (Shown){ load.mass + 1 }; }

static FiloNetwork *load_network(void) {
    FiloSfBuilder *b = filo_sf_builder_create(
        &(FiloSfBuilderDesc){ .name = "load", .inputs = { { .name = "Load", .type = FILO_TYPE(Load) } } });
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_arr(filo_sf_input(b), &load_shown), NULL));
    filo_sf_builder_destroy(b);
    return network;
}

FILO_TEST(a_network_without_an_output_for_the_state_keeps_it_and_optional_inputs_are_zeroes) {
    Fixture fixture = fixture_open(2);
    FiloNetwork *network = load_network();
    filo_component(fixture.world, Shown);
    filo_component(fixture.world, Load);
    (void)add_kind(fixture.world, &(FiloObjectDesc){ .name = "ball",
                                                     .state = FILO_STATE_OF(Ball),
                                                     .network = network,
                                                     .reads = { FILO_OPTIONAL_READ(Load) },
                                                     .outputs = { FILO_OUT_SHOW(Shown) } });
    FiloEntity full =
        filo_create(fixture.world, FILO_SET(Ball, .height = 3), FILO_SET(Load, 5), FILO_ADD(Shown));
    FiloEntity empty = filo_create(fixture.world, FILO_SET(Ball, .height = 4), FILO_ADD(Shown));
    tick(&fixture);
    tick(&fixture);
    assert_true(filo_get(fixture.world, full, Ball)->height == 3);
    assert_true(filo_get(fixture.world, empty, Ball)->height == 4);
    assert_true(filo_get(fixture.world, full, Shown)->height == 6);
    assert_true(filo_get(fixture.world, empty, Shown)->height == 1);
    fixture_close(&fixture);
    filo_network_destroy(network);
}

static FiloNetwork *overfull_network(void) { // stores one sample of a second
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){ .name = "overfull" });
    FiloNetwork *network;
    FiloSf late = filo_sf_delay(filo_sf_time(b), 10, FILO_SF(float, 0), 2);
    assert_ok(filo_network_create(&network, filo_sf_arr(late, &make_shown), NULL));
    filo_sf_builder_destroy(b);
    return network;
}

FILO_TEST(what_a_network_reports_is_logged_now_and_then) {
    Fixture fixture = fixture_open(0);
    FiloNetwork *network = overfull_network();
    filo_component(fixture.world, Shown);
    (void)add_kind(fixture.world, &(FiloObjectDesc){ .name = "late",
                                                     .state = FILO_STATE_OF(Ball),
                                                     .network = network,
                                                     .outputs = { FILO_OUT_SHOW(Shown) } });
    filo_create(fixture.world, FILO_ADD(Ball), FILO_ADD(Shown));
    expect_warnings(3, "kind \"late\": ", for (int i = 0; i < 9; i++) tick(&fixture)); // 1, 2 and 4 so far
    fixture_close(&fixture);
    filo_network_destroy(network);
}

FILO_TEST(a_tick_of_no_sensible_length_changes_nothing) {
    Fixture fixture = fixture_open(0);
    FiloNetwork *network = drone_network(1);
    add_drones(fixture.world, network);
    FiloEntity drone = filo_create(fixture.world, FILO_SET(Drone, .height = 5), FILO_ADD(Shown));
    expect_mistake("a tick lasts 0 seconds or more, not -1", filo_world_tick(fixture.world, -1));
    assert_true(drone_of(&fixture, drone)->height == 5);
    fixture_close(&fixture);
    filo_network_destroy(network);
}

// ---- What does not fit -------------------------------------------------------------------------------------------

static FiloNetwork *network_with(FiloSfInput input) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){ .name = "wrong", .inputs = { input } });
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_time(b), NULL));
    filo_sf_builder_destroy(b);
    return network;
}

FILO_TEST(inputs_that_do_not_fit_are_refused) {
    const struct {
        FiloSfInput input;
        const char *text;
    } wrongs[] = {
        { { .name = "height", .type = FILO_TYPE(float) },
          "the input \"height\" of its network is neither \"state\", nor the name of a type in .events" },
        { { .name = "Wind", .type = FILO_TYPE(float) },
          "the input \"Wind\" of its network is float, and not Wind" },
        { { .name = "state", .type = FILO_TYPE(Wind) },
          "the input \"state\" of its network is Wind, and not Drone" },
        { { .name = "Hit", .type = FILO_TYPE(Hit), .capacity = 5 },
          "the input \"Hit\" of its network is a list of 5, and FILO_TAKES(Hit, 3) says 3" },
        { { .name = "Hit", .type = FILO_TYPE(Hit) },
          "the input \"Hit\" of its network is an event, so it needs" },
        { { .name = "Hit", .type = FILO_TYPE(Order), .event = true },
          "the input \"Hit\" of its network is Order, and not Hit" },
        { { .name = "Hit", .type = FILO_TYPE(Order), .capacity = 3 },
          "the input \"Hit\" of its network is Order, and not Hit" },
        { { .name = "Wind", .type = FILO_TYPE(Wind), .event = true },
          "the input \"Wind\" of its network is an event: name a type in .events" },
    };
    Fixture fixture = fixture_open(0);
    filo_component(fixture.world, Shown);
    filo_component(fixture.world, Wind, .storage = FILO_STORAGE_GLOBAL);
    for (size_t i = 0; i < FILO_COUNT_OF(wrongs); i++) {
        FiloNetwork *network = network_with(wrongs[i].input);
        FiloObjectDesc desc = drone_desc(network);
        refuse_kind(fixture.world, &desc, wrongs[i].text);
        filo_network_destroy(network);
    }
    assert_int_equal(filo_component_of(fixture.world, FILO_TYPE(Drone)).id, 0);
    fixture_close(&fixture);
}

FILO_TEST(outputs_that_do_not_fit_are_refused) {
    Fixture fixture = fixture_open(0);
    FiloNetwork *network = drone_network(1);
    filo_component(fixture.world, Shown);
    filo_component(fixture.world, Wind, .storage = FILO_STORAGE_GLOBAL);
    const struct {
        FiloObjectOutput outputs[6];
        const char *text;
    } wrongs[] = {
        { { FILO_OUT_SHOW(Shown) }, "output 0 of its network is Drone, and not Shown" },
        { { FILO_OUT_STATE, FILO_OUT_STATE }, "output 1 of its network is Shown, and not Drone" },
        { { FILO_OUT_KILL }, "output 0 of its network is Drone, and not an event" },
        { { FILO_OUT_STATE, FILO_OUT_SHOW(Shown), FILO_OUT_SHOW(Shown) },
          "output 2 of its network is an event, and not Shown" },
        { { FILO_OUT_STATE, FILO_OUT_SHOW(Shown), FILO_OUT_CALL(NULL) }, "output 2 has no function to call" },
        { { FILO_OUT_STATE, FILO_OUT_SHOW(Shown), FILO_OUT_KILL },
          "output 3 of its network, an event, has no purpose" },
        { { FILO_OUT_STATE, FILO_OUT_SHOW(Shown), FILO_OUT_KILL, FILO_OUT_KILL, FILO_OUT_KILL },
          "has more than the 4 outputs of its network" },
        { { FILO_OUT_STATE, FILO_OUT_SHOW(Load) }, "output 1 shows Load, which is not registered" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(wrongs); i++) {
        FiloObjectDesc desc = drone_desc(network);
        memset(desc.outputs, 0, sizeof desc.outputs);
        memcpy(desc.outputs, wrongs[i].outputs, sizeof wrongs[i].outputs);
        refuse_kind(fixture.world, &desc, wrongs[i].text);
    }
    FiloObjectDesc desc = drone_desc(network);
    (void)add_kind(fixture.world, &desc);
    fixture_close(&fixture);
    filo_network_destroy(network);
}

FILO_TEST(a_network_cannot_read_what_it_shows) {
    Fixture fixture = fixture_open(0);
    FiloNetwork *network = overfull_network();
    filo_component(fixture.world, Shown);
    refuse_kind(fixture.world,
                &(FiloObjectDesc){ .name = "late",
                                   .state = FILO_STATE_OF(Ball),
                                   .network = network,
                                   .reads = { FILO_READ(Shown) },
                                   .outputs = { FILO_OUT_SHOW(Shown) } },
                "kind \"late\" reads and shows Shown: a network cannot do both");
    fixture_close(&fixture);
    filo_network_destroy(network);
}

typedef struct Seen {
    int count;
    bool wind;
} Seen;

static void see(const char *path, const FiloType *type, const void *value, bool present, void *user) {
    (void)type;
    (void)present;
    Seen *seen = user;
    seen->count++;
    if (strcmp(path, "Wind") == 0) seen->wind = ((const Wind *)value)->speed == 8;
}

FILO_TEST(an_object_can_be_inspected_and_is_not_changed_by_it) {
    Fixture fixture = fixture_open(2);
    FiloNetwork *network = drone_network(1.1f);
    add_drones(fixture.world, network);
    FiloEntity drone = filo_create(fixture.world, FILO_ADD(Drone), FILO_ADD(Shown));
    FiloEntity other = filo_create(fixture.world, FILO_ADD(Shown));
    Seen seen = { 0 };
    filo_edit_global(fixture.world, Wind)->speed = 8;
    for (int i = 0; i < 3; i++) tick(&fixture);
    uint64_t hash = filo_world_hash(fixture.world);
    assert_ok(filo_object_inspect(fixture.world, drone, see, &seen));
    assert_true(seen.count > 5 && seen.wind);
    assert_true(filo_world_hash(fixture.world) == hash);
    char text[64];
    assert_true(filo_object_branch(fixture.world, drone, text, sizeof text) == strlen(text) &&
                text[0] != '\0');
    assert_int_equal(filo_object_branch(fixture.world, other, text, sizeof text), 0);
    assert_int_equal(filo_object_inspect(fixture.world, other, see, &seen).code, FILO_ERROR_NOT_FOUND);
    fixture_close(&fixture);
    filo_network_destroy(network);
}
