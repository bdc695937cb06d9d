// Shared by the tests of states: two sets of states, and systems.

#ifndef FILO_TEST_ECS_STATES_FIXTURE_H
#define FILO_TEST_ECS_STATES_FIXTURE_H

#include "ecs/system_fixture.h"

typedef enum Screen { SCREEN_TITLE, SCREEN_PLAYING, SCREEN_PAUSED, SCREEN_OVER } Screen;
typedef enum Weather { WEATHER_SUN = 5, WEATHER_RAIN = -3 } Weather; // no value is 0
FILO_REFLECT_DECLARE(Screen);
FILO_REFLECT_DECLARE(Weather);

// Once in each test's source.
#define STATES_FIXTURE_TYPES                                                                                 \
    FILO_REFLECT_ENUM(Screen, FILO_VALUE(SCREEN_TITLE, "title"), FILO_VALUE(SCREEN_PLAYING, "playing"),      \
                      FILO_VALUE(SCREEN_PAUSED, "paused"), FILO_VALUE(SCREEN_OVER, "over"))                  \
    FILO_REFLECT_ENUM(Weather, FILO_VALUE(WEATHER_SUN, "sun"), FILO_VALUE(WEATHER_RAIN, "rain"))

#define TITLE   FILO_STATE(Screen, SCREEN_TITLE)
#define PLAYING FILO_STATE(Screen, SCREEN_PLAYING)
#define PAUSED  FILO_STATE(Screen, SCREEN_PAUSED)
#define OVER    FILO_STATE(Screen, SCREEN_OVER)
#define SUN     FILO_STATE(Weather, WEATHER_SUN)
#define RAIN    FILO_STATE(Weather, WEATHER_RAIN)

__attribute__((unused)) static Fixture states_open(int threads) {
    Fixture fixture = fixture_open(threads);
    assert_true(filo_states(fixture.world, Screen));
    assert_true(filo_states(fixture.world, Weather));
    return fixture;
}

// Requests a screen, and ticks once.
__attribute__((unused)) static void change_screen(Fixture *fixture, Screen screen) {
    assert_true(filo_set_state(fixture->world, Screen, screen));
    tick(fixture);
    assert_int_equal(filo_state(fixture->world, Screen), screen);
}

// Creates entities that are bound to SCREEN_PLAYING.
static inline void create_bound(FiloIter *it) {
    for (int i = 0; i < 2; i++) {
        FiloEntity entity = filo_changes_create_entity(it->changes);
        filo_set(it->changes, entity, Position, 0, 0);
        filo_bind_state(it->changes, entity, Screen, SCREEN_PLAYING);
    }
}

static inline void count_positions(FiloIter *it) { log_add(it->user, "%zu ", it->count); }

#endif
