// FiloFollow3: entities that follow another one.

#include "gfx3d/space_world.h"
#include "support/warnings.h"

static FiloEntity create_at(SpaceWorld *space, float x, float y, float z) {
    return filo_create(space->world, FILO_SET(FiloTransform3, .position = { x, y, z }),
                       FILO_ADD(FiloPreviousTransform3));
}

#define create_follower(space, ...)                                                                          \
    filo_create((space)->world, FILO_ADD(FiloCamera3), FILO_SET(FiloFollow3, __VA_ARGS__))

FILO_TEST(a_follower_without_a_speed_is_behind_and_above_its_target_and_looks_at_it) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity hero = create_at(&space, 10, 0, -5), camera = create_follower(&space, .target = hero);
    tick(&space, 0.1f);
    assert_vec3(position_of(&space, camera), 10, 2, 1);
    FiloVec3 forward = filo_vec3_normalise(filo_vec3(0, -2, -6));
    assert_vec3(forward_of(&space, camera), forward.x, forward.y, forward.z);
    filo_edit(space.world, camera, FiloFollow3)->look = filo_vec3(0, 2, 0);
    tick(&space, 0.1f);
    assert_vec3(forward_of(&space, camera), 0, 0, -1);
    space_close(&space);
}

// After a second at speed 1, 1/e of the distance is left, in one tick as in a hundred.
FILO_TEST(the_path_of_a_follower_does_not_depend_on_the_rate_of_ticks) {
    static const int rates[] = { 1, 10, 100 };
    for (size_t i = 0; i < FILO_COUNT_OF(rates); i++) {
        SpaceWorld space;
        space_open(&space, 0);
        FiloEntity hero = create_at(&space, 100, 0, 0);
        FiloEntity camera = create_follower(&space, .target = hero, .offset = { 0, 0, 1 }, .speed = 1);
        for (int n = 0; n < rates[i]; n++) tick(&space, 1.0f / (float)rates[i]);
        assert_float_equal((double)position_of(&space, camera).x, 63.212, 0.01);
        space_close(&space);
    }
}

FILO_TEST(a_follower_that_turns_stays_behind_its_target) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity hero = create_at(&space, 0, 0, 0);
    filo_edit(space.world, hero, FiloTransform3)->rotation =
        filo_quat_from_axis_angle(filo_vec3(0, 1, 0), FILO_HALF_PI); // looks along −x
    FiloEntity camera =
        create_follower(&space, .target = hero, .offset = { 0, 1, 4 }, .look = { 0, 1, 0 }, .turn = true);
    tick(&space, 0.1f);
    assert_vec3(position_of(&space, camera), 4, 1, 0);
    assert_vec3(forward_of(&space, camera), -1, 0, 0);
    space_close(&space);
}

FILO_TEST(families_are_followed_and_follow_in_the_world) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity hull = filo_create(
        space.world, FILO_SET(FiloTransform3, .position = { 10, 0, 0 }, .scale = { 2, 2, 2 },
                              .rotation = filo_quat_from_axis_angle(filo_vec3(0, 1, 0), FILO_HALF_PI)));
    FiloEntity gun = create_at(&space, 3, 0, 0), cart = create_at(&space, -4, 9, 0);
    FiloEntity camera = create_follower(&space, .target = gun, .offset = { 0, 0, 5 });
    assert_true(filo_entity_set_parent(space.world, gun, hull));
    assert_true(filo_entity_set_parent(space.world, camera, cart));
    filo_edit(space.world, cart, FiloTransform3)->rotation =
        filo_quat_from_axis_angle(filo_vec3(1, 0, 0), 0.7f);
    tick(&space, 0.1f);
    assert_vec3(position_of(&space, gun), 10, 0, -6);
    assert_vec3(position_of(&space, camera), 10, 0, -1);
    assert_vec3(forward_of(&space, camera), 0, 0, -1);
    // A parent that is flat has no inverse: the camera stays.
    filo_edit(space.world, cart, FiloTransform3)->scale = filo_vec3(1, 0, 1);
    FiloVec3 local = transform_of(&space, camera)->position;
    tick(&space, 0.1f);
    assert_true(filo_vec3_equal(transform_of(&space, camera)->position, local));
    space_close(&space);
}

FILO_TEST(a_follower_whose_target_is_gone_or_has_no_transform_stays) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity hero = create_at(&space, 5, 5, 5), idea = filo_entity_create(space.world);
    FiloEntity camera = create_follower(&space, .target = hero);
    FiloEntity other = filo_create(space.world, FILO_SET(FiloTransform3, .position = { 1, 2, 3 }),
                                   FILO_ADD(FiloCamera3), FILO_SET(FiloFollow3, .target = idea));
    FiloEntity self = create_follower(&space, .speed = 0);
    filo_edit(space.world, self, FiloFollow3)->target = self;
    expect_warning("follows itself, so it stays: set FiloFollow3.target to another one", tick(&space, 0.1f));
    filo_entity_destroy(space.world, hero);
    expect_warning("follows an entity that does not exist any more, so it stays", tick(&space, 0.1f));
    expect_no_warning(tick(&space, 0.1f));
    assert_vec3(position_of(&space, camera), 5, 7, 11);
    assert_vec3(position_of(&space, other), 1, 2, 3);
    assert_vec3(position_of(&space, self), 0, 0, 0);
    space_close(&space);
}

// What is drawn in the middle of the tick after a teleport: both at the new position, and no way between.
FILO_TEST(a_follower_is_teleported_with_its_target) {
    SpaceWorld space;
    space_open(&space, 0);
    FiloEntity hero = create_at(&space, 0, 0, 0), camera = create_follower(&space, .target = hero);
    FiloEntity slow = create_follower(&space, .target = hero, .speed = 1);
    tick(&space, 0.1f);
    tick(&space, 0.1f);
    assert_true(filo_teleport(space.world, hero, filo_vec3(1000, 0, 0)));
    tick(&space, 0.1f);
    const FiloPreviousTransform3 *previous = filo_get(space.world, camera, FiloPreviousTransform3);
    assert_true(previous->valid);
    assert_vec3(previous->position, 1000, 2, 6);
    assert_vec3(position_of(&space, camera), 1000, 2, 6);
    assert_true(position_of(&space, slow).x < 200);
    space_close(&space);
}
