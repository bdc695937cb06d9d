// Transforms in space: matrices, blending, world coordinates, and propagation.

#include "transform/fixture.h"

static void assert_matrix(FiloMat4 found, FiloMat4 wanted) {
    for (int i = 0; i < 16; i++) assert_near(found.m[i], wanted.m[i]);
}

static FiloQuat quarter(void) { return filo_quat_from_axis_angle(filo_vec3(0, 1, 0), FILO_HALF_PI); }

static FiloEntity at3(const Fixture *fixture, float x, float y, float z) {
    return filo_create(fixture->world, FILO_SET(FiloTransform3, .position = { x, y, z }));
}

static FiloVec3 now3(const Fixture *fixture, FiloEntity entity) {
    const FiloWorldTransform3 *world = filo_get(fixture->world, entity, FiloWorldTransform3);
    assert_non_null(world);
    assert_true(world->valid);
    return filo_vec3(world->now.m[12], world->now.m[13], world->now.m[14]);
}

static FiloVec3 previous3(const Fixture *fixture, FiloEntity entity) {
    const FiloWorldTransform3 *world = filo_get(fixture->world, entity, FiloWorldTransform3);
    return filo_vec3(world->previous.m[12], world->previous.m[13], world->previous.m[14]);
}

// ---- One --------------------------------------------------------------------------------------------------------

FILO_TEST(a_transform_in_space_scales_then_rotates_then_translates) {
    FiloTransform3 t = { .position = { 10, 20, 30 }, .rotation = quarter(), .scale = { 2, 3, 4 } };
    FiloMat4 m = filo_transform3_matrix(&t);
    assert_at3(filo_mat4_point(m, filo_vec3(1, 0, 0)), 10, 20, 28);
    assert_at3(filo_mat4_point(m, filo_vec3(0, 1, 0)), 10, 23, 30);
    assert_at3(filo_mat4_point(m, filo_vec3(0, 0, 1)), 14, 20, 30);
}

FILO_TEST(a_transform_of_zeroes_in_space_is_the_identity) {
    FiloMat4 none = filo_transform3_matrix(&(FiloTransform3){ 0 }), identity = filo_mat4_identity();
    assert_memory_equal(&none, &identity, sizeof none);
    FiloMat4 flat = filo_transform3_matrix(&(FiloTransform3){ .scale = { 0, 1, 1 } });
    assert_at3(filo_mat4_point(flat, filo_vec3(2, 3, 4)), 0, 3, 4);
}

FILO_TEST(a_matrix_is_converted_to_a_transform) {
    FiloQuat turn = filo_quat_normalise(filo_quat(0.3f, -0.5f, 0.2f, 0.7f));
    const FiloTransform3 cases[] = {
        { { 3, -4, 5 }, turn, { 2, 0.5f, 1 } }, { { 0, 0, 0 }, quarter(), { 1, 1, 1 } },
        { { 1, 1, 1 }, turn, { 2, 3, -4 } }, // mirrored: by the last axis
        { { 1, 1, 1 }, turn, { 0, 3, 4 } },     { { 1, 1, 1 }, turn, { 2, 0, 4 } },
        { { 1, 1, 1 }, turn, { 2, 3, 0 } },     { { 1, 1, 1 }, turn, { 0, 0, 4 } },
        { { 1, 1, 1 }, turn, { 0, 3, 0 } },     { { 1, 1, 1 }, turn, { 2, 0, 0 } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloMat4 matrix = filo_transform3_matrix(&cases[i]);
        FiloTransform3 again = filo_transform3_from_matrix(matrix);
        assert_matrix(filo_transform3_matrix(&again), matrix);
    }
    FiloMat4 point = { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 7, 1 } };
    FiloTransform3 again = filo_transform3_from_matrix(point);
    assert_matrix(filo_transform3_matrix(&again), point);
}

FILO_TEST(look_at_in_space_points_the_negative_z_axis_at_the_target) {
    FiloTransform3 t = { .position = { 1, 2, 3 } };
    filo_transform3_look_at(&t, filo_vec3(6, 2, 3), filo_vec3(0, 1, 0));
    assert_at3(filo_quat_rotate(t.rotation, filo_vec3(0, 0, -1)), 1, 0, 0);
    assert_at3(filo_quat_rotate(t.rotation, filo_vec3(0, 1, 0)), 0, 1, 0);
    FiloQuat before = t.rotation;
    filo_transform3_look_at(&t, t.position, filo_vec3(0, 1, 0)); // the target is its position
    assert_memory_equal(&t.rotation, &before, sizeof before);
}

FILO_TEST(transforms_in_space_are_blended) {
    FiloPreviousTransform3 previous = { .position = { 0, 10, 0 }, .valid = true };
    FiloTransform3 now = { { 4, 20, 8 }, quarter(), { 3, 3, 3 } };
    FiloTransform3 half = filo_transform3_blend(&previous, &now, 0.5f);
    assert_at3(half.position, 2, 15, 4);
    assert_at3(half.scale, 2, 2, 2);
    FiloQuat eighth = filo_quat_from_axis_angle(filo_vec3(0, 1, 0), FILO_HALF_PI / 2);
    assert_near(filo_quat_dot(half.rotation, eighth), 1);
    previous.valid = false;
    assert_at3(filo_transform3_blend(&previous, &now, 0.5f).position, 4, 20, 8);
    assert_near(filo_transform3_blend(NULL, &(FiloTransform3){ 0 }, 0.5f).rotation.w, 1);
    FiloWorldTransform3 world = { .now = filo_mat4_translate(filo_vec3(4, 2, 0)),
                                  .previous = filo_mat4_identity() };
    assert_matrix(filo_world_transform3_blend(&world, 0.5f), filo_mat4_translate(filo_vec3(2, 1, 0)));
}

// ---- In the world -------------------------------------------------------------------------------------------------

FILO_TEST(the_world_transform_in_space_includes_all_ancestors) {
    Fixture fixture = fixture_open(0);
    FiloWorld *world = fixture.world;
    FiloEntity ship =
        filo_create(world, FILO_SET(FiloTransform3, .position = { 10, 0, 0 }, .rotation = quarter()));
    FiloEntity gun = at3(&fixture, 2, 0, 0);
    assert_true(filo_entity_set_parent(world, gun, ship));
    assert_at3(filo_transform3_position(world, gun), 10, 0, -2);
    assert_at3(filo_transform3_to_world(world, gun, filo_vec3(1, 5, 0)), 10, 5, -3);
    assert_at3(filo_transform3_to_local(world, gun, filo_vec3(10, 5, -3)), 1, 5, 0);
    FiloEntity other = at3(&fixture, 1, 1, 1);
    assert_true(filo_transform3_set_parent(world, gun, other));
    assert_at3(filo_transform3_position(world, gun), 10, 0, -2);
    assert_at3(filo_get(world, gun, FiloTransform3)->position, 9, -1, -3);
    filo_edit(world, ship, FiloTransform3)->scale = filo_vec3(1, 0, 1);
    assert_false(filo_transform3_set_parent(world, gun, ship));
    assert_at3(filo_transform3_to_local(world, ship, filo_vec3(10, 5, -3)), 0, 0, 0);
    fixture_close(&fixture);
}

// ---- Propagated ---------------------------------------------------------------------------------------------------

FILO_TEST(children_in_space_move_with_their_parents_and_are_teleported_with_them) {
    Fixture fixture = fixture_open(0);
    FiloWorld *world = fixture.world;
    FiloEntity ship = at3(&fixture, 10, 0, 0), arm = at3(&fixture, 0, 5, 0), hand = at3(&fixture, 0, 0, 3);
    assert_true(filo_entity_set_parent(world, arm, ship) && filo_entity_set_parent(world, hand, arm));
    filo_edit(world, arm, FiloTransform3)->rotation = quarter();
    tick(&fixture);
    assert_at3(now3(&fixture, hand), 13, 5, 0);
    filo_edit(world, ship, FiloTransform3)->position.z = 7;
    tick(&fixture);
    assert_at3(now3(&fixture, hand), 13, 5, 7);
    assert_at3(previous3(&fixture, hand), 13, 5, 0);
    tick(&fixture);
    assert_at3(previous3(&fixture, hand), 13, 5, 7);
    assert_true(filo_teleport(world, ship, filo_vec3(-100, 0, 0)));
    tick(&fixture);
    assert_at3(now3(&fixture, hand), -97, 5, 0);
    assert_at3(previous3(&fixture, hand), -97, 5, 0);
    assert_true(filo_get(world, ship, FiloPreviousTransform3)->valid);
    fixture_close(&fixture);
}

FILO_TEST(the_two_dimensions_are_independent) {
    Fixture fixture = fixture_open(0);
    FiloWorld *world = fixture.world;
    FiloEntity ship = filo_create(world, FILO_SET(FiloTransform2, .position = { 1, 1 }),
                                  FILO_SET(FiloTransform3, .position = { 10, 0, 0 }));
    FiloEntity flat = create_child(&fixture, ship, 2, 0), solid = at3(&fixture, 0, 0, 1);
    assert_true(filo_entity_set_parent(world, solid, flat));
    tick(&fixture);
    assert_world_transform(&fixture, flat, 3, 1, 3, 1);
    assert_at3(now3(&fixture, solid), 10, 0, 1); // the entity between has no transform in space
    assert_false(filo_has(world, solid, FiloWorldTransform2));
    assert_false(filo_has(world, flat, FiloWorldTransform3));
    fixture_close(&fixture);
}

FILO_TEST(previous_transforms_in_space_are_one_tick_older) {
    Fixture fixture = fixture_open(0);
    FiloEntity entity = filo_create(fixture.world, FILO_SET(FiloTransform3, .position = { 1, 2, 3 }),
                                    FILO_ADD(FiloPreviousTransform3));
    tick(&fixture);
    filo_edit(fixture.world, entity, FiloTransform3)->position.x = 9;
    const FiloPreviousTransform3 *previous = filo_get(fixture.world, entity, FiloPreviousTransform3);
    assert_true(previous->valid);
    assert_at3(previous->position, 1, 2, 3);
    tick(&fixture);
    assert_at3(previous->position, 9, 2, 3);
    fixture_close(&fixture);
}
