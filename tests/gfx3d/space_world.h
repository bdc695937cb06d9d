// What the tests of components in space share: a world without a renderer, and input of a player.

#ifndef FILO_TEST_GFX3D_SPACE_WORLD_H
#define FILO_TEST_GFX3D_SPACE_WORLD_H

#include <filo/gfx3d.h>
#include <filo/input.h>
#include <filo/jobs.h>
#include <filo/system.h>

#include "support/test.h"

typedef struct SpaceWorld {
    FiloJobs *jobs; // NULL without threads
    FiloWorld *world;
    FiloInputCollector collector;
} SpaceWorld;

// `threads` 0: without a scheduler.
__attribute__((unused)) static void space_open(SpaceWorld *space, int threads) {
    *space = (SpaceWorld){ 0 };
    if (threads > 0) assert_ok(filo_jobs_create(&space->jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&space->world, &(FiloWorldDesc){ .jobs = space->jobs, .seed = 5 }));
    assert_true(filo_gfx3d_register(space->world, NULL));
}

__attribute__((unused)) static void space_close(SpaceWorld *space) {
    filo_world_destroy(space->world);
    if (space->jobs != NULL) filo_jobs_destroy(space->jobs, FILO_JOBS_FINISH);
}

// A tick that sees what was collected since the last one.
__attribute__((unused)) static void tick(SpaceWorld *space, float delta) {
    FiloInput *input = filo_global_edit(space->world, filo_component_of(space->world, FILO_TYPE(FiloInput)));
    assert_non_null(input);
    filo_input_take(&space->collector, NULL, input);
    assert_ok(filo_world_tick(space->world, delta));
}

__attribute__((unused)) static void press(SpaceWorld *space, FiloKey key, bool down) {
    assert_true(filo_input_collect(
        &space->collector, &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = (int32_t)key, .down = down }));
}
__attribute__((unused)) static void move_mouse(SpaceWorld *space, float x, float y) {
    assert_true(filo_input_collect(&space->collector,
                                   &(FiloInputChange){ .kind = FILO_INPUT_MOUSE, .move = { x, y } }));
}
__attribute__((unused)) static void turn_wheel(SpaceWorld *space, float notches) {
    assert_true(filo_input_collect(&space->collector,
                                   &(FiloInputChange){ .kind = FILO_INPUT_WHEEL, .move = { 0, notches } }));
}
__attribute__((unused)) static void push_axis(SpaceWorld *space, FiloPadAxis axis, float value) {
    FiloInputChange connect = { .kind = FILO_INPUT_PAD, .pad = 0, .down = true };
    FiloInputChange change = { .kind = FILO_INPUT_PAD_AXIS, .pad = 0, .axis = (int32_t)axis, .value = value };
    assert_true(filo_input_collect(&space->collector, &connect));
    assert_true(filo_input_collect(&space->collector, &change));
}

__attribute__((unused)) static const FiloTransform3 *transform_of(const SpaceWorld *space,
                                                                  FiloEntity entity) {
    return filo_get(space->world, entity, FiloTransform3);
}
__attribute__((unused)) static FiloVec3 position_of(const SpaceWorld *space, FiloEntity entity) {
    return filo_transform3_position(space->world, entity);
}
// Where an entity looks.
__attribute__((unused)) static FiloVec3 forward_of(const SpaceWorld *space, FiloEntity entity) {
    return filo_vec3_normalise(
        filo_mat4_direction(filo_transform3_in_world(space->world, entity), filo_vec3(0, 0, -1)));
}

#define assert_near(a, b) assert_float_equal((double)(a), (double)(b), 1e-4)

__attribute__((unused)) static void assert_vec3(FiloVec3 v, float x, float y, float z) {
    assert_near(v.x, x);
    assert_near(v.y, y);
    assert_near(v.z, z);
}

#endif
