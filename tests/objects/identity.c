// All objects of a kind: counting, changing, combining and finding them.

#include "objects/fixture.h"

static void add_one(FiloEntity object, void *state, void *user) {
    Ball *ball = state;
    ball->height += 1;
    *(uint64_t *)user += object.id;
}
static void sum_heights(void *result, FiloEntity object, const void *state, void *user) {
    FILO_UNUSED(object);
    *(float *)result = *(float *)result * *(const float *)user + ((const Ball *)state)->height;
}
static bool is_high(FiloEntity object, const void *state, void *user) {
    FILO_UNUSED(object);
    return ((const Ball *)state)->height > *(const float *)user;
}

FILO_TEST(objects_are_counted_changed_combined_and_found) {
    Fixture fixture = fixture_open(2);
    FiloWorld *world = fixture.world;
    add_balls(world);
    assert_int_equal(filo_objects_count(world, Ball), 0);
    FiloEntity balls[10];
    uint64_t ids = 0, found = 0;
    for (int i = 0; i < 10; i++) {
        balls[i] = filo_create(world, FILO_SET(Ball, .height = (float)i), FILO_ADD(Shown));
        ids += balls[i].id;
    }
    filo_entity_set_active(world, balls[9], false); // inactive objects count too
    assert_int_equal(filo_objects_count(world, Ball), 10);
    filo_objects_map(world, Ball, add_one, &found);
    assert_true(ids == found);
    for (int i = 0; i < 10; i++) assert_true(filo_get(world, balls[i], Ball)->height == (float)(i + 1));
    float sum = 0, factor = 1;
    filo_objects_fold(world, Ball, &sum, sum_heights, &factor);
    assert_true(sum == 55);
    FiloEntity high[2];
    float limit = 7;
    assert_int_equal(filo_objects_filter(world, Ball, is_high, &limit, high, 2), 3);
    assert_true(high[0].id == balls[7].id && high[1].id == balls[8].id);
    assert_int_equal(filo_objects_filter(world, Ball, is_high, &limit, NULL, 0), 3);
    // Delete, insert, look up.
    filo_entity_destroy(world, balls[8]);
    assert_int_equal(filo_objects_filter(world, Ball, is_high, &limit, high, 2), 2);
    assert_null(filo_get(world, balls[8], Ball));
    fixture_close(&fixture);
}

FILO_TEST(mistakes_are_reported) {
    Fixture fixture = fixture_open(0);
    expect_fault("no kind of objects has the state Ball: add one with filo_object_kind",
                 assert_int_equal(filo_objects_count(fixture.world, Ball), 0));
    add_balls(fixture.world);
    expect_fault("no kind of objects has the state Shown",
                 assert_int_equal(filo_objects_count(fixture.world, Shown), 0));
    expect_fault("pass a world", assert_int_equal(filo_objects_count_of(NULL, NULL), 0));
    expect_fault("pass a function to call", filo_objects_map_of(fixture.world, FILO_TYPE(Ball), NULL, NULL));
    expect_fault("pass a function that combines",
                 filo_objects_fold_of(fixture.world, FILO_TYPE(Ball), NULL, NULL, NULL));
    expect_fault("pass a function that accepts",
                 filo_objects_filter_of(fixture.world, FILO_TYPE(Ball), NULL, NULL, NULL, 0));
    fixture_close(&fixture);
}
