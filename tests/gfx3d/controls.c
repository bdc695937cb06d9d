// Camera controls: free flight and orbits, by input that the test collects.

#include "gfx3d/space_world.h"

#include <filo/snapshot.h>

#define create_flight(space, ...)                                                                            \
    filo_create((space)->world, FILO_ADD(FiloCamera3), FILO_SET(FiloFlight, __VA_ARGS__))
#define create_orbit(space, ...)                                                                             \
    filo_create((space)->world, FILO_ADD(FiloCamera3), FILO_SET(FiloOrbit, __VA_ARGS__))

static const FiloFlight *flight_of(const SpaceWorld *space, FiloEntity entity) {
    return filo_get(space->world, entity, FiloFlight);
}
static const FiloOrbit *orbit_of(const SpaceWorld *space, FiloEntity entity) {
    return filo_get(space->world, entity, FiloOrbit);
}

// ---- Flight ---------------------------------------------------------------------------------------------------

FILO_TEST(flight_moves_along_its_own_axes_at_five_units_a_second) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity camera = create_flight(&space, .yaw = 0);
    press(&space, FILO_KEY_W, true);
    tick(&space, 0.5f);
    FiloVec3 at = position_of(&space, camera);
    assert_true(at.x == 0 && at.y == 0 && at.z == -2.5f);
    press(&space, FILO_KEY_W, false);
    press(&space, FILO_KEY_D, true);
    tick(&space, 0.5f);
    assert_vec3(position_of(&space, camera), 2.5f, 0, -2.5f);
    press(&space, FILO_KEY_D, false);
    press(&space, FILO_KEY_E, true);
    tick(&space, 1);
    assert_vec3(position_of(&space, camera), 2.5f, 5, -2.5f);
    press(&space, FILO_KEY_E, false);
    press(&space, FILO_KEY_Q, true);
    press(&space, FILO_KEY_LEFT_SHIFT, true);
    tick(&space, 0.25f); // four times as fast
    assert_vec3(position_of(&space, camera), 2.5f, 0, -2.5f);
    space_close(&space);
}

FILO_TEST(two_directions_at_once_are_not_faster) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity camera = create_flight(&space, .speed = 10);
    press(&space, FILO_KEY_W, true);
    press(&space, FILO_KEY_A, true);
    press(&space, FILO_KEY_E, true);
    tick(&space, 1);
    assert_near(filo_vec3_length(position_of(&space, camera)), 10);
    space_close(&space);
}

FILO_TEST(the_mouse_looks_only_while_its_right_button_is_held_or_it_is_captured) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity camera = create_flight(&space, .sensitivity = 0.01f);
    move_mouse(&space, 100, 50);
    tick(&space, 0.1f);
    assert_vec3(forward_of(&space, camera), 0, 0, -1);
    press(&space, FILO_MOUSE_RIGHT, true);
    move_mouse(&space, 100, -50); // to the right by 1 radian, and up by 0.5
    tick(&space, 0.1f);
    assert_near(flight_of(&space, camera)->yaw, -1);
    assert_near(flight_of(&space, camera)->pitch, 0.5f);
    FiloVec3 f = forward_of(&space, camera);
    assert_vec3(f, filo_sin(1) * filo_cos(0.5f), filo_sin(0.5f), -filo_cos(1) * filo_cos(0.5f));
    press(&space, FILO_MOUSE_RIGHT, false);
    assert_true(
        filo_input_collect(&space.collector, &(FiloInputChange){ .kind = FILO_INPUT_CAPTURE, .down = true }));
    move_mouse(&space, -100, 50);
    tick(&space, 0.1f);
    assert_vec3(forward_of(&space, camera), 0, 0, -1);
    space_close(&space);
}

FILO_TEST(flight_never_looks_straight_up_and_keeps_its_yaw_in_one_turn) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity camera = create_flight(&space, .always_look = true);
    for (int i = 0; i < 100; i++) {
        move_mouse(&space, 300, -300);
        tick(&space, 0.01f);
        assert_true(filo_abs(flight_of(&space, camera)->yaw) <= FILO_PI + 1e-5f);
        assert_true(flight_of(&space, camera)->pitch <= filo_radians(89) + 1e-5f);
    }
    assert_near(flight_of(&space, camera)->pitch, filo_radians(89));
    space_close(&space);
}

FILO_TEST(flight_follows_where_it_looks_and_walking_stays_in_the_plane) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity fly = create_flight(&space, .pitch = FILO_PI / 6),
               walk = create_flight(&space, .pitch = FILO_PI / 6, .walk = true);
    filo_edit(space.world, walk, FiloTransform3)->position.y = 7;
    press(&space, FILO_KEY_UP, true);
    press(&space, FILO_KEY_E, true);
    tick(&space, 1);
    press(&space, FILO_KEY_E, false);
    assert_vec3(position_of(&space, walk), 0, 7, -5);
    filo_edit(space.world, fly, FiloTransform3)->position = filo_vec3(0, 0, 0);
    tick(&space, 1);
    assert_vec3(position_of(&space, fly), 0, 2.5f, -5 * filo_cos(FILO_PI / 6));
    space_close(&space);
}

FILO_TEST(the_wheel_changes_the_speed_of_flight) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity camera = create_flight(&space, .yaw = 0);
    turn_wheel(&space, 2);
    tick(&space, 0.1f);
    assert_near(flight_of(&space, camera)->speed, 5 * 1.15f * 1.15f);
    turn_wheel(&space, -2);
    tick(&space, 0.1f);
    assert_near(flight_of(&space, camera)->speed, 5);
    turn_wheel(&space, -1000);
    tick(&space, 0.1f);
    assert_true(flight_of(&space, camera)->speed > 0);
    space_close(&space);
}

FILO_TEST(a_gamepad_flies) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity camera = create_flight(&space, .yaw = 0);
    push_axis(&space, FILO_AXIS_LEFT_Y, 1);
    tick(&space, 1);
    assert_vec3(position_of(&space, camera), 0, 0, -5);
    push_axis(&space, FILO_AXIS_LEFT_Y, 0);
    push_axis(&space, FILO_AXIS_RIGHT_X, -1); // to the left, by 2.4 radians a second
    push_axis(&space, FILO_AXIS_RIGHT_TRIGGER, 1);
    tick(&space, 0.5f);
    assert_near(flight_of(&space, camera)->yaw, 1.2f);
    assert_vec3(position_of(&space, camera), 0, 2.5f, -5);
    space_close(&space);
}

// The game may turn the camera by its transform or by its angles: what has changed counts.
FILO_TEST(flight_takes_over_what_the_game_has_turned) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloTransform3 begin = { .position = { 10, 0, 0 } };
    filo_transform3_look_at(&begin, filo_vec3(0, 10, 0), filo_vec3(0, 1, 0));
    FiloEntity camera = filo_create(
        space.world, FILO_SET(FiloTransform3, .position = begin.position, .rotation = begin.rotation),
        FILO_ADD(FiloCamera3), FILO_ADD(FiloFlight));
    tick(&space, 0.1f);
    assert_vec3(forward_of(&space, camera), -filo_sqrt(0.5f), filo_sqrt(0.5f), 0);
    assert_near(flight_of(&space, camera)->yaw, FILO_HALF_PI);
    assert_near(flight_of(&space, camera)->pitch, FILO_PI / 4);
    filo_edit(space.world, camera, FiloFlight)->yaw = 0;
    filo_edit(space.world, camera, FiloFlight)->pitch = 0;
    tick(&space, 0.1f);
    assert_vec3(forward_of(&space, camera), 0, 0, -1);
    filo_transform3_look_at(filo_edit(space.world, camera, FiloTransform3), filo_vec3(10, 0, 5),
                            filo_vec3(0, 1, 0));
    tick(&space, 0.1f);
    assert_vec3(forward_of(&space, camera), 0, 0, 1);
    space_close(&space);
}

FILO_TEST(controls_without_input_write_nothing) {
    SpaceWorld space;
    space_open(&space, 0);
    create_flight(&space, .yaw = 1);
    create_orbit(&space, .distance = 3);
    tick(&space, 0.1f);
    FiloQuery *changed = filo_query(space.world, FILO_READ_CHANGED(FiloTransform3));
    FiloSeen seen = { 0 };
    for (int i = 0; i < 3; i++) {
        size_t rows = 0;
        FiloIter it = filo_query_iter_since(changed, &seen);
        while (filo_iter_next(&it)) rows += it.count;
        assert_int_equal(rows, i == 0 ? 2 : 0);
        tick(&space, 0.1f);
    }
    filo_query_release(changed);
    space_close(&space);
}

// ---- Orbit ----------------------------------------------------------------------------------------------------

FILO_TEST(an_orbit_begins_where_its_transform_is) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity camera = filo_create(space.world, FILO_SET(FiloTransform3, .position = { 3, 5, 0 }),
                                    FILO_ADD(FiloCamera3), FILO_SET(FiloOrbit, .centre = { 0, 1, 0 }));
    FiloEntity other = create_orbit(&space, .spin = 0);
    tick(&space, 0.1f);
    assert_vec3(position_of(&space, camera), 3, 5, 0);
    assert_vec3(forward_of(&space, camera), -0.6f, -0.8f, 0);
    assert_near(orbit_of(&space, camera)->distance, 5);
    assert_vec3(position_of(&space, other), 0, 0, 5); // it is at its centre: the default
    space_close(&space);
}

FILO_TEST(dragging_turns_an_orbit_and_the_centre_stays_in_the_middle) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity camera = create_orbit(&space, .centre = { 1, 2, 3 }, .distance = 4, .sensitivity = 0.01f);
    move_mouse(&space, 30, 30);
    tick(&space, 0.1f);
    assert_vec3(position_of(&space, camera), 1, 2, 7); // no button
    press(&space, FILO_MOUSE_LEFT, true);
    move_mouse(&space, -157.0796f, 0); // a quarter turn
    tick(&space, 0.1f);
    assert_vec3(position_of(&space, camera), 5, 2, 3);
    move_mouse(&space, 0, 50); // down: the camera rises
    tick(&space, 0.1f);
    assert_near(orbit_of(&space, camera)->pitch, -0.5f);
    FiloVec3 at = position_of(&space, camera);
    assert_vec3(at, 1 + 4 * filo_cos(0.5f), 2 + 4 * filo_sin(0.5f), 3);
    FiloVec3 towards = filo_vec3_normalise(filo_vec3_sub(filo_vec3(1, 2, 3), at));
    assert_near(filo_vec3_dot(towards, forward_of(&space, camera)), 1);
    space_close(&space);
}

FILO_TEST(the_wheel_changes_the_distance_within_its_limits) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity camera = create_orbit(&space, .distance = 10, .min_distance = 8, .max_distance = 12);
    turn_wheel(&space, 1);
    tick(&space, 0.1f);
    assert_near(orbit_of(&space, camera)->distance, 9);
    turn_wheel(&space, 9);
    tick(&space, 0.1f);
    assert_near(orbit_of(&space, camera)->distance, 8);
    turn_wheel(&space, -9);
    tick(&space, 0.1f);
    assert_near(orbit_of(&space, camera)->distance, 12);
    assert_vec3(position_of(&space, camera), 0, 0, 12);
    space_close(&space);
}

// At the distance of the centre, a pixel is 2 × 5 × tan(30°) / 100 units wide.
FILO_TEST(the_right_button_moves_the_centre_with_the_mouse) {
    SpaceWorld space;
    space_open(&space, 0);
    assert_true(filo_input_collect(&space.collector,
                                   &(FiloInputChange){ .kind = FILO_INPUT_VIEW, .position = { 200, 100 } }));
    FiloEntity camera = create_orbit(&space, .distance = 5);
    press(&space, FILO_MOUSE_RIGHT, true);
    move_mouse(&space, -50, 25);
    tick(&space, 0.1f);
    float pixel = 10 * filo_tan(FILO_PI / 6) / 100;
    assert_vec3(orbit_of(&space, camera)->centre, 50 * pixel, 25 * pixel, 0);
    assert_vec3(position_of(&space, camera), 50 * pixel, 25 * pixel, 5);
    space_close(&space);
}

FILO_TEST(an_orbit_spins_until_the_player_turns_it) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity camera = create_orbit(&space, .distance = 2, .spin = 0.5f);
    tick(&space, 1);
    assert_near(orbit_of(&space, camera)->yaw, 0.5f);
    press(&space, FILO_MOUSE_LEFT, true);
    tick(&space, 1);
    assert_near(orbit_of(&space, camera)->yaw, 0.5f);
    space_close(&space);
}

// ---- Replays --------------------------------------------------------------------------------------------------

// Some input that depends on the number of the tick only.
static void play(SpaceWorld *space, int n) {
    static const FiloKey keys[] = { FILO_KEY_W, FILO_KEY_D, FILO_KEY_E, FILO_MOUSE_LEFT, FILO_MOUSE_RIGHT };
    for (size_t i = 0; i < FILO_COUNT_OF(keys); i++)
        if (n % (7 + (int)i) == 0) press(space, keys[i], (n / (7 + (int)i)) % 2 == 0);
    move_mouse(space, (float)(n % 13) - 6, (float)(n % 5) - 2);
    if (n % 11 == 0) turn_wheel(space, n % 2 == 0 ? 1.0f : -1.0f);
    tick(space, 1.0f / 60);
}

FILO_TEST(the_same_input_gives_the_same_world_on_any_number_of_threads) {
    uint64_t expected = 0;
    for (int threads = 0; threads <= 16; threads = threads == 0 ? 1 : threads * 4) {
        SpaceWorld space;
        space_open(&space, threads);
        FiloEntity ship = create_flight(&space, .speed = 20);
        create_orbit(&space, .distance = 9);
        filo_create(space.world, FILO_ADD(FiloCamera3), FILO_SET(FiloFollow3, .target = ship, .speed = 3));
        filo_create(space.world, FILO_SET(FiloParticles, .rate = 50));
        for (int n = 0; n < 200; n++) play(&space, n);
        uint64_t hash = filo_world_hash(space.world);
        if (threads == 0) expected = hash;
        assert_true(hash == expected);
        assert_true(filo_vec3_length(position_of(&space, ship)) > 1);
        space_close(&space);
    }
}

FILO_TEST(a_world_that_is_rewound_repeats_its_cameras) {
    SpaceWorld space;
    space_open(&space, 0);
    create_flight(&space, .speed = 20);
    create_orbit(&space, .distance = 0);
    for (int n = 0; n < 50; n++) play(&space, n);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_non_null(snapshot);
    assert_ok(filo_snapshot_take(snapshot, space.world));
    FiloInputCollector collector = space.collector;
    for (int n = 50; n < 90; n++) play(&space, n);
    uint64_t hash = filo_world_hash(space.world);
    assert_ok(filo_snapshot_restore(snapshot, space.world));
    space.collector = collector;
    for (int n = 50; n < 90; n++) play(&space, n);
    assert_true(filo_world_hash(space.world) == hash);
    filo_snapshot_destroy(snapshot);
    space_close(&space);
}
