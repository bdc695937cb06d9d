// "trace particles": the age of emitters, and where they were.

#include "gfx3d/effects/particles.h"
#include "gfx3d/extract/extract.h"
#include "gfx3d/space_world.h"

#include <filo/snapshot.h>

#define SPEED 3.0f

// Moves everything along x.
static void move(FiloIter *it) {
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    for (size_t i = 0; i < it->count; i++) transform[i].position.x += SPEED * it->delta;
}

static void open_moving(SpaceWorld *space, int threads) {
    space_open(space, threads);
    assert_true(
        filo_system_add(space->world, &(FiloSystemDesc){ .name = "move",
                                                         .run = move,
                                                         .parallel = true,
                                                         .query.terms = { FILO_WRITE(FiloTransform3) } })
            .id != 0);
}

static const FiloParticles *particles_of(const SpaceWorld *space, FiloEntity entity) {
    return filo_get(space->world, entity, FiloParticles);
}

// Point k of a trace.
static FiloVec3 point(const FiloParticles *p, uint64_t k) {
    assert_true(k < p->trace_count && k + FILO_PARTICLE_TRACE >= p->trace_count);
    return p->trace[k % FILO_PARTICLE_TRACE].position;
}

// Point k is where the emitter was at the time k × interval, between two ticks too. It begins at time 0, after its
// first tick's movement.
FILO_TEST(points_are_where_the_emitter_was_at_their_time) {
    SpaceWorld space;
    open_moving(&space, 0);
    FiloEntity jet = filo_create(space.world, FILO_SET(FiloParticles, .rate = 10, .seconds = 1.4f));
    for (int n = 1; n <= 100; n++) {
        tick(&space, 0.03f);
        const FiloParticles *p = particles_of(&space, jet);
        assert_near((float)p->age, 0.03f * (float)n);
        assert_int_equal(p->trace_count, (uint64_t)(p->age / gfx3d_particle_interval(p)) + 1);
        for (uint64_t back = 1; back <= FILO_PARTICLE_TRACE && back <= p->trace_count && n > 1; back++) {
            uint64_t k = p->trace_count - back;
            // The first tick is not a path: the emitter was created where it ends.
            double time = FILO_MAX((double)k * gfx3d_particle_interval(p), 0.03);
            assert_float_equal((double)point(p, k).x, (double)((float)time * SPEED), 1e-3);
        }
    }
    // The trace covers the life of a particle.
    assert_true((FILO_PARTICLE_TRACE - 1) * gfx3d_particle_interval(particles_of(&space, jet)) > 1.4);
    space_close(&space);
}

FILO_TEST(an_emitter_with_an_age_begins_as_if_it_had_always_been_there) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity fire = filo_create(space.world, FILO_SET(FiloTransform3, .position = { 1, 2, 3 }),
                                  FILO_SET(FiloParticles, .rate = 10, .age = 5));
    tick(&space, 0.1f);
    const FiloParticles *p = particles_of(&space, fire);
    assert_near((float)p->age, 5.1f);
    for (uint64_t k = p->trace_count - FILO_PARTICLE_TRACE; k < p->trace_count; k++)
        assert_vec3(point(p, k), 1, 2, 3);
    space_close(&space);
}

FILO_TEST(a_teleport_takes_the_trace_along) {
    SpaceWorld space;
    open_moving(&space, 0);
    FiloEntity jet = filo_create(space.world, FILO_SET(FiloParticles, .rate = 10));
    FiloEntity pod = filo_create(space.world, FILO_SET(FiloParticles, .rate = 10));
    FiloEntity ship = filo_create(space.world, FILO_ADD(FiloTransform3), FILO_ADD(FiloPreviousTransform3));
    assert_true(filo_entity_set_parent(space.world, pod, ship));
    for (int n = 0; n < 60; n++) tick(&space, 1.0f / 60);
    assert_true(particles_of(&space, jet)->trace[0].position.x < 10);
    assert_true(filo_teleport(space.world, jet, filo_vec3(500, 0, 0)));
    assert_true(filo_teleport(space.world, ship, filo_vec3(500, 0, 0)));
    tick(&space, 1.0f / 60);
    for (int i = 0; i < FILO_PARTICLE_TRACE; i++) {
        assert_true(particles_of(&space, jet)->trace[i].position.x > 499);
        assert_true(particles_of(&space, pod)->trace[i].position.x > 499);
    }
    space_close(&space);
}

FILO_TEST(members_of_a_family_are_traced_in_the_world) {
    SpaceWorld space;
    open_moving(&space, 0);
    FiloEntity hull =
        filo_create(space.world,
                    FILO_SET(FiloTransform3, .position = { 0, 5, 0 },
                             .rotation = filo_quat_from_axis_angle(filo_vec3(0, 0, 1), FILO_HALF_PI)),
                    FILO_ADD(FiloPreviousTransform3));
    FiloEntity jet = filo_create(space.world, FILO_SET(FiloParticles, .rate = 10, .seconds = 1.4f));
    assert_true(filo_entity_set_parent(space.world, jet, hull));
    for (int n = 0; n < 100; n++) tick(&space, 0.03f);
    const FiloParticles *p = particles_of(&space, jet);
    FiloQuat turn = gfx3d_unpack_rotation(p->trace[0].rotation);
    assert_near(filo_abs(filo_quat_dot(turn, filo_quat_from_axis_angle(filo_vec3(0, 0, 1), FILO_HALF_PI))),
                1);
    for (uint64_t k = p->trace_count - 10; k < p->trace_count; k++) {
        float time = (float)((double)k * gfx3d_particle_interval(p));
        // The hull moves along x, the jet in the hull along the hull's x, which is y.
        assert_float_equal((double)point(p, k).x, (double)(SPEED * time), 2e-3);
        assert_float_equal((double)point(p, k).y, (double)(5 + SPEED * time), 2e-3);
    }
    space_close(&space);
}

FILO_TEST(a_changed_life_begins_a_new_trace) {
    SpaceWorld space;
    open_moving(&space, 0);
    FiloEntity jet = filo_create(space.world, FILO_SET(FiloParticles, .rate = 10, .seconds = 1));
    for (int n = 0; n < 100; n++) tick(&space, 0.03f);
    filo_edit(space.world, jet, FiloParticles)->seconds = 5;
    tick(&space, 0.03f);
    const FiloParticles *p = particles_of(&space, jet);
    for (int i = 0; i < FILO_PARTICLE_TRACE; i++)
        assert_near(p->trace[i].position.x, transform_of(&space, jet)->position.x);
    space_close(&space);
}

FILO_TEST(strange_numbers_do_no_harm) {
    SpaceWorld space;
    space_open(&space, 0);
    const float strange[] = { 0, -1, 1e-30f, 1e30f };
    for (size_t i = 0; i < FILO_COUNT_OF(strange); i++)
        filo_create(space.world, FILO_SET(FiloParticles, .rate = strange[i], .seconds = strange[i],
                                          .age = (double)strange[i], .stop = strange[i]));
    for (int n = 0; n < 3; n++) tick(&space, n == 1 ? 0 : 0.1f);
    space_close(&space);
}

FILO_TEST(many_emitters_are_traced_alike_on_any_number_of_threads) {
    uint64_t expected = 0;
    for (int threads = 1; threads <= 16; threads *= 4) {
        SpaceWorld space;
        open_moving(&space, threads);
        for (int i = 0; i < 3000; i++)
            filo_create(space.world, FILO_SET(FiloTransform3, .position = { 0, (float)i, 0 }),
                        FILO_SET(FiloParticles, .rate = 10, .seconds = 0.1f + (float)(i % 7)));
        for (int n = 0; n < 20; n++) tick(&space, 0.02f);
        uint64_t hash = filo_world_hash(space.world);
        if (threads == 1) expected = hash;
        assert_true(hash == expected);
        space_close(&space);
    }
}
