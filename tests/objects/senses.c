// What networks see of others, what objects show, and mistakes that are easily made in a step.

#include "objects/networks.h"

// ---- Senses -----------------------------------------------------------------------------------------------------

typedef struct Deer {
    float x, nearest;
} Deer;
FILO_REFLECT(Deer, FILO_FIELD(float, x), FILO_FIELD(float, nearest))

FILO_SF_FUNCTION2(make_deer, Deer, Deer, past, float, nearest) {
    return (Deer){ past.x + (nearest < 2 ? 1.0f : 0.0f), nearest };
}

// The distance to the nearest other deer, in the past.
static void look_around(FiloIter *it, size_t first, size_t count, void *values) {
    const Deer *past = filo_read(it, Deer);
    float *nearest = values;
    for (size_t i = 0; i < count; i++) {
        assert_true(nearest[i] == 0);
        nearest[i] = 1000;
        FiloIter others = filo_iter_over(it, filo_iter_extra_query(it, 0));
        while (filo_iter_next(&others)) {
            const Deer *other = filo_read(&others, Deer);
            for (size_t k = 0; k < others.count; k++) {
                float far = filo_abs(other[k].x - past[first + i].x);
                if (&other[k] != &past[first + i] && far < nearest[i]) nearest[i] = far;
            }
        }
    }
}

static FiloNetwork *deer_network(const char *sense) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){
        .name = "deer",
        .inputs = { FILO_SF_INPUT("state", Deer), { .name = sense, .type = FILO_TYPE(float) } } });
    FiloNetwork *network;
    assert_ok(
        filo_network_create(&network, filo_sf_arr2(filo_sf_in(b, 0), filo_sf_in(b, 1), &make_deer), NULL));
    filo_sf_builder_destroy(b);
    return network;
}

static FiloObjectDesc deer_kind(const FiloNetwork *network) {
    return (FiloObjectDesc){ .name = "deer",
                             .state = FILO_STATE_OF(Deer),
                             .network = network,
                             .outputs = { FILO_OUT_STATE },
                             .senses = { FILO_SENSE("nearest", float, look_around) } };
}

FILO_TEST(a_network_sees_the_past_of_others_by_a_sense) {
    uint64_t hash = 0;
    for (int threads = 0; threads <= 16; threads = threads == 0 ? 1 : threads * 2) {
        Fixture fixture = fixture_open(threads);
        FiloNetwork *network = deer_network("nearest");
        FiloObjectDesc kind = deer_kind(network);
        assert_ok(filo_object_prepare(fixture.world, &kind));
        kind.views[0].terms[0] = (FiloTerm)FILO_READ(Deer); // its own state, which is registered now
        add_kind(fixture.world, &kind);
        FiloEntity deer[40];
        for (int i = 0; i < 40; i++)
            deer[i] = filo_create(fixture.world, FILO_SET(Deer, .x = (float)(i * i)));
        tick(&fixture);
        for (int i = 0; i < 40; i++) {
            float nearest = i == 0 ? 1 : (float)(2 * i - 1);
            const Deer *d = filo_get(fixture.world, deer[i], Deer);
            assert_true(d->nearest == nearest);
            assert_true(d->x == (float)(i * i) + (nearest < 2 ? 1.0f : 0.0f));
        }
        for (int i = 0; i < 20; i++) tick(&fixture);
        if (hash == 0) hash = filo_world_hash(fixture.world);
        assert_true(filo_world_hash(fixture.world) == hash);
        fixture_close(&fixture);
        filo_network_destroy(network);
    }
}

FILO_TEST(senses_must_fit_the_inputs) {
    Fixture fixture = fixture_open(0);
    FiloNetwork *network = deer_network("smell");
    FiloObjectDesc kind = deer_kind(network);
    refuse_kind(fixture.world, &kind, "the input \"smell\" of its network is neither");
    kind.senses[0] = (FiloObjectSense)FILO_SENSE("smell", Deer, look_around);
    refuse_kind(fixture.world, &kind, "the input \"smell\" of its network is float, and not Deer");
    kind.senses[0] = (FiloObjectSense)FILO_SENSE("smell", float, NULL);
    refuse_kind(fixture.world, &kind, "the sense \"smell\" needs a type, and a function that looks");
    fixture_close(&fixture);
    filo_network_destroy(network);
}

// ---- Preparing -----------------------------------------------------------------------------------------------------

FILO_TEST(a_kind_that_takes_events_can_be_prepared_and_is_added_later) {
    Fixture fixture = fixture_open(2);
    filo_component(fixture.world, Shown);
    FiloObjectDesc kind = { .name = "ball",
                            .state = FILO_STATE_OF(Ball),
                            .step = step_ball,
                            .shows = { FILO_WRITE(Shown) },
                            .events = { FILO_TAKES(Kick, 4) } };
    assert_ok(filo_object_prepare(fixture.world, &kind));
    assert_ok(filo_object_prepare(fixture.world, &kind)); // twice does no harm
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Ball));
    assert_non_null(query);
    filo_query_release(query);
    add_kind(fixture.world, &kind);
    FiloEntity ball = filo_create(fixture.world, FILO_ADD(Ball));
    filo_object_send(fixture.world, ball, Kick, 2);
    tick(&fixture);
    assert_int_equal(filo_get(fixture.world, ball, Ball)->kicks, 1);
    assert_int_equal(filo_object_prepare(fixture.world, &(FiloObjectDesc){ .name = "none" }).code,
                     FILO_ERROR_ARGUMENT);
    fixture_close(&fixture);
}

FILO_TEST(an_object_gets_what_it_shows) {
    Fixture fixture = fixture_open(2);
    filo_component(fixture.world, Shown);
    add_kind(fixture.world, &(FiloObjectDesc){ .name = "ball",
                                               .state = FILO_STATE_OF(Ball),
                                               .step = step_ball,
                                               .shows = { FILO_WRITE(Shown) },
                                               .events = { FILO_TAKES(Kick, 4) } });
    FiloEntity ball = filo_create(fixture.world, FILO_SET(Ball, .height = 5));
    assert_true(filo_has(fixture.world, ball, Shown));
    tick(&fixture);
    assert_true(filo_get(fixture.world, ball, Shown)->height == filo_get(fixture.world, ball, Ball)->height);
    fixture_close(&fixture);
}

// ---- Mistakes --------------------------------------------------------------------------------------------------------

static void send_with_world(FiloIter *it) {
    const Deer *past = filo_read(it, Deer);
    Deer *next = filo_write_next(it, Deer);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        filo_object_send(it->world, filo_iter_entity(it, i), Kick, 1);
    }
}

static void kill_others(FiloIter *it) {
    const Deer *past = filo_read(it, Deer);
    Deer *next = filo_write_next(it, Deer);
    for (size_t i = 0; i < it->count; i++) next[i] = past[i];
    FiloIter others = filo_iter_over(it, filo_iter_extra_query(it, 0));
    while (filo_iter_next(&others)) filo_object_kill(&others, 0);
}

FILO_TEST(sending_with_a_world_while_systems_run_is_a_mistake) {
    Fixture fixture = fixture_open(0);
    add_kind(fixture.world, &(FiloObjectDesc){ .name = "deer",
                                               .state = FILO_STATE_OF(Deer),
                                               .step = send_with_world,
                                               .events = { FILO_TAKES(Kick, 2) } });
    filo_create(fixture.world, FILO_ADD(Deer));
    expect_fault("while systems run, pass `it` to filo_object_send, not a world", tick(&fixture));
    fixture_close(&fixture);
}

FILO_TEST(an_object_ends_itself_and_no_other) {
    Fixture fixture = fixture_open(0);
    FiloObjectDesc kind = { .name = "deer", .state = FILO_STATE_OF(Deer), .step = kill_others };
    assert_ok(filo_object_prepare(fixture.world, &kind));
    kind.views[0].terms[0] = (FiloTerm)FILO_READ(Deer);
    add_kind(fixture.world, &kind);
    filo_create(fixture.world, FILO_ADD(Deer));
    expect_fault("an object ends itself, not those that it views", tick(&fixture));
    assert_int_equal(filo_objects_count(fixture.world, Deer), 1);
    fixture_close(&fixture);
}
