// Cameras: following, bounds, shaking.

#include "gfx2d/test_world.h"
#include "support/warnings.h"

static FiloVec2 position(const TestWorld *test, FiloEntity entity) {
    return filo_transform2_position(test->world, entity);
}

#define create_camera(test, ...)                                                                             \
    filo_create((test)->world, FILO_ADD(FiloTransform2), FILO_SET(FiloCamera, __VA_ARGS__))

static FiloEntity create_at(TestWorld *test, float x, float y) {
    return filo_create(test->world, FILO_SET(FiloTransform2, .position = { x, y }));
}

FILO_TEST(a_camera_without_a_speed_is_exactly_at_its_target) {
    TestWorld test;
    test_world_open(&test, 0);
    FiloEntity hero = create_at(&test, 12, -7);
    FiloEntity camera = create_camera(&test, .follow = hero);
    tick(&test, 0.1f);
    FiloVec2 at = filo_get(test.world, camera, FiloTransform2)->position;
    assert_true(at.x == 12 && at.y == -7);
    test_world_close(&test);
}

// After a second at speed 1, 1/e of the distance is left, in ten ticks as in a hundred.
FILO_TEST(the_path_of_a_camera_does_not_depend_on_the_rate_of_ticks) {
    static const int rates[] = { 1, 10, 100 };
    for (size_t i = 0; i < FILO_COUNT_OF(rates); i++) {
        TestWorld test;
        test_world_open(&test, 0);
        FiloEntity hero = create_at(&test, 100, 0);
        FiloEntity camera = create_camera(&test, .follow = hero, .follow_speed = 1);
        for (int n = 0; n < rates[i]; n++) tick(&test, 1.0f / (float)rates[i]);
        assert_float_equal((double)position(&test, camera).x, 63.212, 0.01);
        test_world_close(&test);
    }
}

FILO_TEST(a_camera_stays_inside_its_bounds_with_and_without_a_target) {
    TestWorld test;
    test_world_open(&test, 0);
    FiloEntity hero = create_at(&test, 100, 3);
    FiloRect bounds = { { -10, -10 }, { 10, 10 } };
    FiloEntity camera = create_camera(&test, .follow = hero, .bounds = bounds);
    FiloEntity alone = filo_create(test.world, FILO_SET(FiloTransform2, .position = { -50, 50 }),
                                   FILO_SET(FiloCamera, .bounds = bounds));
    tick(&test, 0.1f);
    assert_position(position(&test, camera), 10, 3);
    assert_position(position(&test, alone), -10, 10);
    test_world_close(&test);
}

FILO_TEST(a_camera_whose_target_is_gone_or_has_no_transform_stays) {
    TestWorld test;
    test_world_open(&test, 0);
    FiloEntity hero = create_at(&test, 5, 5), idea = filo_entity_create(test.world);
    FiloEntity camera = create_camera(&test, .follow = hero);
    FiloEntity other = filo_create(test.world, FILO_SET(FiloTransform2, .position = { 1, 2 }),
                                   FILO_SET(FiloCamera, .follow = idea));
    expect_no_warning(tick(&test, 0.1f));
    filo_entity_destroy(test.world, hero);
    expect_warning(
        "follows an entity that does not exist any more, so it stays: set FiloCamera.follow to another",
        tick(&test, 0.1f));
    expect_no_warning(tick(&test, 0.1f));
    assert_position(position(&test, camera), 5, 5);
    assert_position(position(&test, other), 1, 2);
    filo_edit(test.world, other, FiloCamera)->follow = other;
    expect_warning("follows itself, so it stays", tick(&test, 0.1f));
    test_world_close(&test);
}

FILO_TEST(families_are_followed_and_follow_in_the_world) {
    TestWorld test;
    test_world_open(&test, 0);
    FiloEntity hull = filo_create(test.world, FILO_SET(FiloTransform2, .position = { 10, 0 },
                                                       .rotation = FILO_HALF_PI, .scale = { 2, 2 }));
    FiloEntity gun = create_at(&test, 3, 0), camera = create_camera(&test, .follow = gun);
    assert_true(filo_entity_set_parent(test.world, gun, hull));
    tick(&test, 0.1f);
    assert_position(position(&test, camera), 10, 6);
    // A camera that is the child of another entity.
    FiloEntity cart = filo_create(test.world, FILO_SET(FiloTransform2, .position = { -4, 9 }, .rotation = 1));
    assert_true(filo_entity_set_parent(test.world, camera, cart));
    tick(&test, 0.1f);
    assert_position(position(&test, camera), 10, 6);
    // A parent that is flat has no inverse: the camera stays.
    filo_edit(test.world, cart, FiloTransform2)->scale = filo_vec2(1, 0);
    FiloVec2 local = filo_get(test.world, camera, FiloTransform2)->position;
    tick(&test, 0.1f);
    assert_true(filo_vec2_equal(filo_get(test.world, camera, FiloTransform2)->position, local));
    test_world_close(&test);
}

FILO_TEST(a_camera_may_follow_a_camera) {
    TestWorld test;
    test_world_open(&test, 0);
    FiloEntity hero = create_at(&test, 5, 6);
    FiloEntity first = create_camera(&test, .follow = hero);
    FiloEntity second = create_camera(&test, .follow = first);
    tick(&test, 0.1f);
    tick(&test, 0.1f);
    assert_position(position(&test, second), 5, 6);
    test_world_close(&test);
}

FILO_TEST(shaking_falls_by_one_a_second_and_leaves_the_camera_where_it_is) {
    TestWorld test;
    test_world_open(&test, 0);
    FiloEntity camera = create_camera(&test, .shake = 1);
    for (int i = 1; i <= 10; i++) {
        tick(&test, 0.1f);
        assert_near(filo_get(test.world, camera, FiloCamera)->shake, 1 - (float)i * 0.1f);
    }
    tick(&test, 0.1f);
    assert_true(filo_get(test.world, camera, FiloCamera)->shake == 0);
    assert_position(position(&test, camera), 0, 0);
    filo_edit(test.world, camera, FiloCamera)->shake = 50; // counts as 1
    tick(&test, 0.25f);
    assert_near(filo_get(test.world, camera, FiloCamera)->shake, 0.75);
    test_world_close(&test);
}

FILO_TEST(a_camera_at_rest_is_not_written) {
    TestWorld test;
    test_world_open(&test, 0);
    FiloEntity hero = create_at(&test, 5, 6);
    create_camera(&test, .follow = hero, .shake = 0.1f);
    FiloQuery *transforms = filo_query(test.world, FILO_READ_CHANGED(FiloTransform2), FILO_WITH(FiloCamera));
    FiloQuery *cameras = filo_query(test.world, FILO_READ_CHANGED(FiloCamera));
    for (int i = 0; i < 4; i++) tick(&test, 0.1f);
    rows_changed(transforms), rows_changed(cameras);
    tick(&test, 0.1f);
    assert_int_equal(rows_changed(transforms), 0);
    assert_int_equal(rows_changed(cameras), 0);
    filo_edit(test.world, hero, FiloTransform2)->position.x = 9;
    tick(&test, 0.1f);
    assert_int_equal(rows_changed(transforms), 1);
    assert_int_equal(rows_changed(cameras), 0);
    filo_query_release(transforms), filo_query_release(cameras);
    test_world_close(&test);
}
