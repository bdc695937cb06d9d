// Transforms in the plane: matrices, blending, and world coordinates.

#include "transform/fixture.h"

static void assert_affine(FiloAffine2 found, FiloAffine2 wanted) {
    assert_at(found.x, wanted.x.x, wanted.x.y);
    assert_at(found.y, wanted.y.x, wanted.y.y);
    assert_at(found.origin, wanted.origin.x, wanted.origin.y);
}

// ---- One --------------------------------------------------------------------------------------------------------

FILO_TEST(a_transform_scales_then_rotates_then_translates) {
    FiloAffine2 t = filo_transform2_affine(
        &(FiloTransform2){ .position = { 10, 20 }, .rotation = FILO_HALF_PI, .scale = { 2, 3 } });
    assert_at(filo_affine2_point(t, filo_vec2(1, 0)), 10, 22);
    assert_at(filo_affine2_point(t, filo_vec2(0, 1)), 7, 20);
}

FILO_TEST(a_transform_of_zeroes_is_the_identity_and_one_zero_of_a_scale_is_not) {
    assert_affine(filo_transform2_affine(&(FiloTransform2){ 0 }), filo_affine2_identity());
    FiloAffine2 flat = filo_transform2_affine(&(FiloTransform2){ .scale = { 2, 0 } });
    assert_at(filo_affine2_point(flat, filo_vec2(2, 3)), 4, 0);
}

FILO_TEST(an_affine_is_converted_to_a_transform) {
    const FiloTransform2 cases[] = {
        { { 3, -4 }, 1.25f, { 2, 0.5f } }, { { 0, 0 }, -3, { 1, 1 } },
        { { 1, 1 }, 0.5f, { 2, -3 } },  // mirrored: by the last axis
        { { 1, 1 }, 0.5f, { -2, -3 } }, // both: half a turn
        { { 1, 1 }, 0.5f, { 0, 3 } },   // flattened
        { { 1, 1 }, 0.5f, { 3, 0 } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloAffine2 affine = filo_transform2_affine(&cases[i]);
        FiloTransform2 again = filo_transform2_from_affine(affine);
        assert_affine(filo_transform2_affine(&again), affine);
    }
    FiloTransform2 same = filo_transform2_from_affine(filo_transform2_affine(&cases[0]));
    assert_near(same.rotation, 1.25f);
    assert_at(same.scale, 2, 0.5f);
    // A point stays a point, though a scale of {0, 0} counts as {1, 1}.
    FiloTransform2 point = filo_transform2_from_affine((FiloAffine2){ .origin = { 5, 6 } });
    assert_affine(filo_transform2_affine(&point), (FiloAffine2){ .origin = { 5, 6 } });
}

FILO_TEST(look_at_points_the_x_axis_at_the_target) {
    FiloTransform2 t = { .position = { 1, 1 }, .scale = { 2, 2 } };
    filo_transform2_look_at(&t, filo_vec2(1, 5));
    assert_near(t.rotation, FILO_HALF_PI);
    filo_transform2_look_at(&t, filo_vec2(1, 1)); // the target is its position
    assert_near(t.rotation, FILO_HALF_PI);
    filo_transform2_look_at(&t, filo_vec2(-1, 1));
    assert_at(filo_affine2_point(filo_transform2_affine(&t), filo_vec2(1, 0)), -1, 1);
}

FILO_TEST(blending_goes_from_the_previous_transform_to_the_current_one) {
    FiloPreviousTransform2 previous = { { 0, 10 }, FILO_PI - 0.1f, { 0, 0 }, true };
    FiloTransform2 now = { { 4, 20 }, -FILO_PI + 0.1f, { 3, 3 } };
    FiloTransform2 half = filo_transform2_blend(&previous, &now, 0.5f);
    assert_at(half.position, 2, 15);
    assert_near(filo_abs(half.rotation), FILO_PI); // the shorter direction
    assert_at(half.scale, 2, 2);
    assert_at(filo_transform2_blend(&previous, &now, 0).position, 0, 10);
    assert_at(filo_transform2_blend(&previous, &now, 1).position, 4, 20);
    previous.valid = false;
    assert_at(filo_transform2_blend(&previous, &now, 0.5f).position, 4, 20);
    assert_at(filo_transform2_blend(NULL, &now, 0.5f).position, 4, 20);
    FiloTransform2 zeroes = filo_transform2_blend(NULL, &(FiloTransform2){ 0 }, 0.5f);
    assert_at(zeroes.scale, 1, 1);
}

FILO_TEST(world_transforms_are_blended_axis_by_axis) {
    FiloWorldTransform2 t = { .now = { { 3, 0 }, { 0, 1 }, { 10, 2 } },
                              .previous = { { 1, 0 }, { 0, 1 }, { 0, 0 } },
                              .valid = true };
    assert_affine(filo_world_transform2_blend(&t, 0.5f), (FiloAffine2){ { 2, 0 }, { 0, 1 }, { 5, 1 } });
    assert_affine(filo_world_transform2_blend(&t, 1), t.now);
}

// ---- In the world -------------------------------------------------------------------------------------------------

FILO_TEST(the_world_transform_includes_all_ancestors) {
    Fixture fixture = fixture_open(0);
    FiloWorld *world = fixture.world;
    FiloEntity tank =
        filo_create(world, FILO_SET(FiloTransform2, .position = { 10, 0 }, .rotation = FILO_HALF_PI));
    FiloEntity group = filo_entity_create(world); // has no transform: no effect
    FiloEntity gun = filo_create(world, FILO_SET(FiloTransform2, .position = { 2, 0 }, .scale = { 3, 3 }));
    assert_true(filo_entity_set_parent(world, group, tank));
    assert_true(filo_entity_set_parent(world, gun, group));
    assert_at(filo_transform2_position(world, gun), 10, 2);
    assert_at(filo_transform2_to_world(world, gun, filo_vec2(1, 0)), 10, 5);
    assert_at(filo_transform2_to_world(world, group, filo_vec2(1, 0)), 10, 1);
    assert_at(filo_transform2_to_local(world, gun, filo_vec2(10, 5)), 1, 0);
    FiloEntity nowhere = filo_entity_create(world);
    assert_at(filo_transform2_to_world(world, nowhere, filo_vec2(7, 8)), 7, 8);
    filo_entity_destroy(world, nowhere);
    assert_at(filo_transform2_to_world(world, nowhere, filo_vec2(7, 8)), 7, 8);
    assert_at(filo_transform2_to_local(world, FILO_ENTITY_NONE, filo_vec2(7, 8)), 7, 8);
    // A flattened transform has no inverse.
    filo_edit(world, tank, FiloTransform2)->scale = filo_vec2(1, 0);
    assert_at(filo_transform2_to_local(world, gun, filo_vec2(10, 5)), 0, 0);
    fixture_close(&fixture);
}

FILO_TEST(set_parent_preserves_the_world_transform) {
    Fixture fixture = fixture_open(0);
    FiloWorld *world = fixture.world;
    FiloEntity tank =
        filo_create(world, FILO_SET(FiloTransform2, .position = { 10, 0 }, .rotation = FILO_HALF_PI));
    FiloEntity gun = filo_create(world, FILO_SET(FiloTransform2, .position = { 7, 5 }, .rotation = 1),
                                 FILO_ADD(FiloPreviousTransform2));
    for (int i = 0; i < 2; i++) tick(&fixture);
    assert_true(filo_transform2_set_parent(world, gun, tank));
    assert_int_equal(filo_entity_parent(world, gun).id, tank.id);
    assert_at(filo_get(world, gun, FiloTransform2)->position, 5, 3);
    assert_at(filo_transform2_position(world, gun), 7, 5);
    // The change of parents is not blended.
    assert_at(filo_get(world, gun, FiloPreviousTransform2)->position, 5, 3);
    assert_true(filo_get(world, gun, FiloPreviousTransform2)->valid);
    tick(&fixture);
    assert_world_transform(&fixture, gun, 7, 5, 7, 5);
    assert_true(filo_transform2_set_parent(world, gun, FILO_ENTITY_NONE));
    assert_at(filo_get(world, gun, FiloTransform2)->position, 7, 5);
    assert_near(filo_get(world, gun, FiloTransform2)->rotation, 1);
    FiloEntity idea = filo_entity_create(world); // an entity without a transform
    assert_true(filo_transform2_set_parent(world, idea, tank));
    assert_int_equal(filo_entity_parent(world, idea).id, tank.id);
    // A flattened entity cannot be the parent.
    filo_edit(world, tank, FiloTransform2)->scale = filo_vec2(0, 1);
    assert_false(filo_transform2_set_parent(world, gun, tank));
    assert_int_equal(filo_entity_parent(world, gun).id, 0);
    fixture_close(&fixture);
}

FILO_TEST(mistakes_with_parents_change_nothing) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(0);
    FiloEntity a = create_at(&fixture, 1, 0), b = create_child(&fixture, a, 2, 0);
    expect_fault("would be its own ancestor", assert_false(filo_transform2_set_parent(fixture.world, a, b)));
    assert_at(filo_get(fixture.world, a, FiloTransform2)->position, 1, 0);
    fixture_close(&fixture);
}

FILO_TEST(using_transforms_without_registering_is_a_mistake) {
    only_in_debug_builds();
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    FiloEntity entity = filo_entity_create(world);
    expect_fault("call filo_transform_register for this world first",
                 filo_transform2_in_world(world, entity));
    expect_fault("call filo_transform_register for this world first",
                 filo_transform3_in_world(world, entity));
    expect_fault("call filo_transform_register for this world first",
                 assert_false(filo_entity_teleport2_position(world, entity, filo_vec2(1, 1))));
    expect_fault("call filo_transform_register for this world first",
                 assert_false(filo_transform2_teleported(world, entity)));
    expect_fault("call filo_transform_register for this world first",
                 assert_false(filo_transform_settled(world)));
    expect_fault("pass a world", filo_transform2_in_world(NULL, entity));
    filo_world_destroy(world);
}
