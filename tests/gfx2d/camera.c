// Cameras: following, staying inside, shaking.

#include "gfx2d/plane.h"

static FiloVec2 place(const Plane *plane, FiloEntity entity) {
    return filo_transform2_position(plane->world, entity);
}

#define create_camera(plane, ...)                                                                            \
    filo_create((plane)->world, FILO_ADD(FiloTransform2), FILO_SET(FiloCamera, __VA_ARGS__))

static FiloEntity create_at(Plane *plane, float x, float y) {
    return filo_create(plane->world, FILO_SET(FiloTransform2, .position = { x, y }));
}

FILO_TEST(a_camera_without_a_speed_is_exactly_on_what_it_follows) {
    Plane plane;
    plane_open(&plane, 0);
    FiloEntity hero = create_at(&plane, 12, -7);
    FiloEntity camera = create_camera(&plane, .follow = hero);
    tick(&plane, 0.1f);
    FiloVec2 at = filo_get(plane.world, camera, FiloTransform2)->position;
    assert_true(at.x == 12 && at.y == -7);
    plane_close(&plane);
}

// After a second at speed 1 a camera has 1/e of the way left, in ten ticks as in a hundred.
FILO_TEST(the_way_of_a_camera_does_not_depend_on_the_rate_of_ticks) {
    static const int rates[] = { 1, 10, 100 };
    for (size_t i = 0; i < FILO_COUNT_OF(rates); i++) {
        Plane plane;
        plane_open(&plane, 0);
        FiloEntity hero = create_at(&plane, 100, 0);
        FiloEntity camera = create_camera(&plane, .follow = hero, .follow_speed = 1);
        for (int n = 0; n < rates[i]; n++) tick(&plane, 1.0f / (float)rates[i]);
        assert_float_equal((double)place(&plane, camera).x, 63.212, 0.01);
        plane_close(&plane);
    }
}

FILO_TEST(a_camera_stays_inside_its_bounds_also_alone) {
    Plane plane;
    plane_open(&plane, 0);
    FiloEntity hero = create_at(&plane, 100, 3);
    FiloRect bounds = { { -10, -10 }, { 10, 10 } };
    FiloEntity camera = create_camera(&plane, .follow = hero, .bounds = bounds);
    FiloEntity alone = filo_create(plane.world, FILO_SET(FiloTransform2, .position = { -50, 50 }),
                                   FILO_SET(FiloCamera, .bounds = bounds));
    tick(&plane, 0.1f);
    assert_place(place(&plane, camera), 10, 3);
    assert_place(place(&plane, alone), -10, 10);
    plane_close(&plane);
}

FILO_TEST(a_camera_whose_hero_is_gone_or_nowhere_stays) {
    Plane plane;
    plane_open(&plane, 0);
    FiloEntity hero = create_at(&plane, 5, 5), idea = filo_entity_create(plane.world);
    FiloEntity camera = create_camera(&plane, .follow = hero);
    FiloEntity other = filo_create(plane.world, FILO_SET(FiloTransform2, .position = { 1, 2 }),
                                   FILO_SET(FiloCamera, .follow = idea));
    tick(&plane, 0.1f);
    filo_entity_destroy(plane.world, hero);
    tick(&plane, 0.1f);
    assert_place(place(&plane, camera), 5, 5);
    assert_place(place(&plane, other), 1, 2);
    plane_close(&plane);
}

FILO_TEST(families_are_followed_and_follow_in_the_world) {
    Plane plane;
    plane_open(&plane, 0);
    FiloEntity hull = filo_create(plane.world, FILO_SET(FiloTransform2, .position = { 10, 0 },
                                                        .rotation = FILO_HALF_PI, .scale = { 2, 2 }));
    FiloEntity gun = create_at(&plane, 3, 0), camera = create_camera(&plane, .follow = gun);
    assert_true(filo_entity_set_parent(plane.world, gun, hull));
    tick(&plane, 0.1f);
    assert_place(place(&plane, camera), 10, 6);
    // And a camera that is a child itself, of something else.
    FiloEntity cart =
        filo_create(plane.world, FILO_SET(FiloTransform2, .position = { -4, 9 }, .rotation = 1));
    assert_true(filo_entity_set_parent(plane.world, camera, cart));
    tick(&plane, 0.1f);
    assert_place(place(&plane, camera), 10, 6);
    // Of something flat, from which there is no way back: it stays.
    filo_edit(plane.world, cart, FiloTransform2)->scale = filo_vec2(1, 0);
    FiloVec2 local = filo_get(plane.world, camera, FiloTransform2)->position;
    tick(&plane, 0.1f);
    assert_true(filo_vec2_equal(filo_get(plane.world, camera, FiloTransform2)->position, local));
    plane_close(&plane);
}

FILO_TEST(a_camera_may_follow_a_camera) {
    Plane plane;
    plane_open(&plane, 0);
    FiloEntity hero = create_at(&plane, 5, 6);
    FiloEntity first = create_camera(&plane, .follow = hero);
    FiloEntity second = create_camera(&plane, .follow = first);
    tick(&plane, 0.1f);
    tick(&plane, 0.1f);
    assert_place(place(&plane, second), 5, 6);
    plane_close(&plane);
}

FILO_TEST(shaking_falls_by_one_a_second_and_leaves_the_camera_where_it_is) {
    Plane plane;
    plane_open(&plane, 0);
    FiloEntity camera = create_camera(&plane, .shake = 1);
    for (int i = 1; i <= 10; i++) {
        tick(&plane, 0.1f);
        assert_near(filo_get(plane.world, camera, FiloCamera)->shake, 1 - (float)i * 0.1f);
    }
    tick(&plane, 0.1f);
    assert_true(filo_get(plane.world, camera, FiloCamera)->shake == 0);
    assert_place(place(&plane, camera), 0, 0);
    filo_edit(plane.world, camera, FiloCamera)->shake = 50; // counts as 1
    tick(&plane, 0.25f);
    assert_near(filo_get(plane.world, camera, FiloCamera)->shake, 0.75);
    plane_close(&plane);
}

FILO_TEST(a_camera_at_rest_is_not_written) {
    Plane plane;
    plane_open(&plane, 0);
    FiloEntity hero = create_at(&plane, 5, 6);
    create_camera(&plane, .follow = hero, .shake = 0.1f);
    FiloQuery *transforms = filo_query(plane.world, FILO_READ_CHANGED(FiloTransform2), FILO_WITH(FiloCamera));
    FiloQuery *cameras = filo_query(plane.world, FILO_READ_CHANGED(FiloCamera));
    for (int i = 0; i < 4; i++) tick(&plane, 0.1f);
    rows_changed(transforms), rows_changed(cameras);
    tick(&plane, 0.1f);
    assert_int_equal(rows_changed(transforms), 0);
    assert_int_equal(rows_changed(cameras), 0);
    filo_edit(plane.world, hero, FiloTransform2)->position.x = 9;
    tick(&plane, 0.1f);
    assert_int_equal(rows_changed(transforms), 1);
    assert_int_equal(rows_changed(cameras), 0);
    filo_query_release(transforms), filo_query_release(cameras);
    plane_close(&plane);
}
