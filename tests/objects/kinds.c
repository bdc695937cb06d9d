// Kinds of objects with a step function.

#include "objects/fixture.h"

FILO_TEST(a_step_computes_the_next_state_and_what_is_shown) {
    for (int threads = 0; threads <= 4; threads += 2) {
        Fixture fixture = fixture_open(threads);
        add_balls(fixture.world);
        FiloEntity ball =
            filo_create(fixture.world, FILO_SET(Ball, .height = 10, .speed = -2), FILO_ADD(Shown));
        tick(&fixture);
        assert_true(filo_get(fixture.world, ball, Ball)->height == 9);
        assert_true(filo_get(fixture.world, ball, Shown)->height == 9);
        tick(&fixture);
        assert_true(filo_get(fixture.world, ball, Ball)->height == 8);
        assert_int_not_equal(filo_system_named(fixture.world, "objects.ball").id, 0);
        fixture_close(&fixture);
    }
}
