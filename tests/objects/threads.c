// Objects on any number of threads: the same worlds, tick by tick.

#include "objects/networks.h"

// Particles that look at, kick, create and end each other; and drones, which are networks.
typedef struct Particle {
    float x, speed;
    FiloEntity other;
    uint32_t kicks;
} Particle;
FILO_REFLECT(Particle, FILO_FIELD(float, x), FILO_FIELD(float, speed), FILO_FIELD(FiloEntity, other),
             FILO_FIELD(uint32_t, kicks))

static void step_particle(FiloIter *it) {
    const Particle *past = filo_read(it, Particle);
    Particle *next = filo_write_next(it, Particle);
    Shown *shown = filo_write(it, Shown);
    for (size_t i = 0; i < it->count; i++) {
        const Particle *other = filo_get(it->world, past[i].other, Particle);
        const Drone *drone = filo_get(it->world, past[i].other, Drone);
        FiloRandom random = filo_iter_random(it, i);
        next[i] = past[i];
        next[i].speed = past[i].speed * 0.9f + (other != NULL ? other->x - past[i].x : 0) * 0.1f;
        if (drone != NULL) next[i].speed += drone->height * 0.01f;
        size_t count;
        const Kick *kick = filo_object_events(it, i, Kick, &count);
        // Not commutative: the order counts.
        for (size_t k = 0; k < count; k++) next[i].speed = next[i].speed * 0.5f + kick[k].speed;
        next[i].kicks += (uint32_t)count;
        next[i].x = past[i].x + next[i].speed * it->delta;
        shown[i].height = next[i].x;
        int roll = filo_random_range(&random, 0, 29);
        if (roll < 6) filo_object_send(it, past[i].other, Kick, next[i].speed + (float)roll);
        if (roll == 7 && drone != NULL) filo_object_send(it, past[i].other, Order, 1);
        if (roll == 8)
            filo_create(it->changes, FILO_SET(Particle, .x = past[i].x, .other = filo_iter_entity(it, i)),
                        FILO_ADD(Shown));
        if (roll == 9) filo_object_kill(it, i);
    }
}

static void kick_all(FiloIter *it) { // a system that is no kind
    for (size_t i = 0; i < it->count; i++)
        if ((it->tick + i + it->first) % 9 == 0) filo_object_send(it, filo_iter_entity(it, i), Kick, 2);
}

static FiloNetwork *network;

// Orders of particles to drones are for drones only, and kicks for particles only: the others are mistakes. So drones take
// kicks too.
static Fixture start(int threads, bool sequential) {
    Fixture fixture = fixture_open(threads);
    FiloWorld *world = fixture.world;
    filo_component(world, Shown);
    filo_component(world, Wind, .storage = FILO_STORAGE_GLOBAL, .default_value = &(Wind){ 3 });
    FiloObjectDesc kinds[] = { drone_desc(network),
                               { .name = "particle",
                                 .state = FILO_STATE_OF(Particle),
                                 .step = step_particle,
                                 .shows = { FILO_WRITE(Shown) },
                                 .extra_access = { FILO_READ(Particle), FILO_READ(Drone) },
                                 .events = { FILO_TAKES(Kick, 3) } } };
    kinds[0].events[2] = (FiloObjectEvent)FILO_TAKES(Kick, 3);
    assert_ok(filo_object_kinds_add(NULL, world, kinds, 2));
    filo_objects_set_sequential(world, sequential);
    filo_system_add(world, &(FiloSystemDesc){ .name = "kick",
                                              .run = kick_all,
                                              .parallel = true,
                                              .query.terms = { FILO_READ(Particle) } });
    start_drones(world, 60);
    FiloEntity last = filo_entity_at(world, 3);
    for (int i = 0; i < 400; i++) {
        FiloEntity particle =
            filo_create(world, FILO_SET(Particle, .x = (float)i, .other = last), FILO_ADD(Shown));
        if (i % 3 != 0) last = particle;
        if (i % 13 == 0) last = filo_entity_at(world, (uint32_t)i % 60);
    }
    return fixture;
}

#define TICKS 40

FILO_TEST(objects_have_the_same_states_on_any_number_of_threads) {
    network = drone_network(0.8f);
    static uint64_t hashes[TICKS];
    Fixture fixture = start(0, false);
    for (int i = 0; i < TICKS; i++) {
        tick(&fixture);
        hashes[i] = filo_world_hash(fixture.world);
    }
    assert_true(filo_objects_count(fixture.world, Particle) > 100);
    uint32_t kicks = 0;
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Particle));
    for (FiloIter it = filo_query_iter(query); filo_iter_next(&it);)
        for (size_t i = 0; i < it.count; i++) kicks += filo_read(&it, Particle)[i].kicks;
    assert_true(kicks > 1000);
    filo_query_release(query);
    fixture_close(&fixture);
    for (int threads = 1; threads <= 16; threads *= 2)
        for (int sequential = 0; sequential < 2; sequential++) {
            fixture = start(threads, sequential);
            for (int i = 0; i < TICKS; i++) {
                tick(&fixture);
                assert_true(filo_world_hash(fixture.world) == hashes[i]);
            }
            fixture_close(&fixture);
        }
    filo_network_destroy(network);
}

FILO_TEST(kinds_can_be_made_sequential_at_any_time) {
    network = drone_network(0.8f);
    Fixture fixture = start(4, false), other = start(4, false);
    for (int i = 0; i < TICKS; i++) {
        filo_objects_set_sequential(fixture.world, i % 3 == 0);
        tick(&fixture);
        tick(&other);
    }
    assert_true(filo_world_hash(fixture.world) == filo_world_hash(other.world));
    fixture_close(&fixture);
    fixture_close(&other);
    filo_network_destroy(network);
    expect_fault("pass a world", filo_objects_set_sequential(NULL, true));
}
