// The first example of filo/signal.h, and a few basic networks.

#include <filo/signal.h>

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

typedef struct Bounce {
    float height, speed;
} Bounce;
FILO_REFLECT(Bounce, FILO_FIELD(float, height), FILO_FIELD(float, speed))

FILO_SF_FUNCTION(start_height, float, Bounce, bounce) { return bounce.height; }
FILO_SF_FUNCTION(start_speed, float, Bounce, bounce) { return bounce.speed; }
FILO_SF_FUNCTION2(rebound, Bounce, float, height, float, speed) { return (Bounce){ height, -0.8f * speed }; }

static FiloNetwork *make_ball(void) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){ .name = "ball" });
    FiloSfBranch flight = filo_sf_branch(b, "flight", FILO_TYPE(Bounce));
    FiloSf first = filo_sf_parameter(flight);
    FiloSf gravity = filo_sf_constant(b, FILO_SF(float, -9.81f));
    FiloSf speed = filo_sf_add(filo_sf_arr(first, &start_speed), filo_sf_integral(gravity));
    FiloSf height = filo_sf_add(filo_sf_arr(first, &start_height), filo_sf_integral(speed));
    FiloSf floor = filo_sf_edge(filo_sf_less(height, filo_sf_constant(b, FILO_SF(float, 0))));
    FiloSf hit = filo_sf_tag(floor, filo_sf_arr2(height, speed, &rebound));
    filo_sf_define(flight, filo_sf_switch(height, FILO_ON(hit, flight)));
    FiloNetwork *ball;
    assert_ok(filo_network_create(&ball, filo_sf_start(flight, FILO_SF(Bounce, 10, 0)), NULL));
    filo_sf_builder_destroy(b);
    return ball;
}

FILO_TEST(a_ball_falls_and_bounces_at_the_right_time) {
    FiloNetwork *ball = make_ball();
    float heights[100], before = 10.0f;
    uint8_t *states = calloc(100, filo_network_state_size(ball));
    bool was_falling = false;
    int bounces = 0;
    for (int i = 0; i <= 120; i++) {
        assert_ok(filo_network_step(
            ball,
            &(FiloSfRows){ .count = 100, .states = states, .delta = 1.0f / 60, .outputs = { heights } }));
        assert_true(heights[0] == heights[99]);
        if (i == 0) assert_true(heights[0] == 10.0f);
        if (i == 60) assert_true(heights[0] > 5.0f && heights[0] < 5.3f); // 10 − 9.81 / 2
        bool falls = heights[0] < before;
        if (was_falling && !falls) bounces++;
        was_falling = falls;
        before = heights[0];
    }
    assert_true(bounces == 1); // after 1.43 s, and back after 2.28 s
    assert_true(strcmp(filo_network_branch(ball, states), "flight") == 0);
    free(states);
    filo_network_destroy(ball);
}
