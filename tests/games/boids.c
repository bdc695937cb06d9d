// Boids: messages change the rules and the number of boids, and a recording has them. What the panel shows.

#include "boids/boids.h"
#include "shared/parameters.h"
#include "support/test.h"

typedef struct Play {
    Boids boids;
    FiloApp *app;
} Play;

static FiloResult create(FiloApp *app) {
    Play *play = filo_app_user(app);
    FiloResult r = boids_begin(&play->boids, filo_app_world(app), 300, false);
    if (r.code == FILO_OK && !boids_handle_messages(filo_app_world(app)))
        r = filo_error(FILO_ERROR_MEMORY, "no memory");
    return r;
}

static void end_boids(FiloApp *app) {
    Play *play = filo_app_user(app);
    boids_end(&play->boids);
}

static void begin(Play *play, const char *record, const char *replay) {
    *play = (Play){ 0 };
    FiloAppDesc desc = { .name = "boids", .create = create, .end = end_boids, .user = play };
    FiloCommonArgs args = {
        .headless = true, .backend = FILO_BACKEND_NULL, .threads = 2, .record = record, .replay = replay
    };
    assert_ok(filo_app_create(&play->app, &desc, &args));
}

static uint64_t end(Play *play) {
    assert_ok(filo_app_finish(play->app));
    uint64_t hash = filo_world_hash(filo_app_world(play->app));
    filo_app_destroy(play->app);
    return hash;
}

static void frames(Play *play, int count) {
    for (int i = 0; i < count; i++) assert_true(filo_app_frame(play->app));
}

static const Rules *rules(const Play *play) { return filo_get_global(filo_app_world(play->app), Rules); }

static void send(Play *play, const Rules *value) {
    assert_true(filo_app_send(play->app, filo_name(BOIDS_RULES), FILO_TYPE(Rules), value));
}

static size_t count(const Play *play) { return filo_world_stats(filo_app_world(play->app)).entities; }

// The mean speed of all boids.
static float speed(const Play *play) {
    FiloQuery *query = filo_query(filo_app_world(play->app), FILO_READ(Boid));
    FiloEach each = filo_query_each(query);
    float sum = 0;
    while (filo_each_next(&each)) sum += filo_vec2_length(filo_each_read(&each, Boid)->velocity);
    filo_query_release(query);
    return sum / (float)count(play);
}

FILO_TEST(a_message_changes_the_rules_of_the_next_tick) {
    Play play;
    begin(&play, NULL, NULL);
    frames(&play, 5);
    assert_true(speed(&play) <= 91);
    Rules faster = *rules(&play);
    faster.min_speed = faster.max_speed = 200;
    send(&play, &faster);
    frames(&play, 2);
    assert_true(filo_reflect_equal(FILO_TYPE(Rules), rules(&play), &faster));
    assert_true(speed(&play) > 199 && speed(&play) < 201);
    end(&play);
}

FILO_TEST(boids_are_created_and_destroyed_until_there_are_as_many_as_wanted) {
    Play play;
    begin(&play, NULL, NULL);
    frames(&play, 2);
    assert_int_equal(count(&play), 300);
    const uint32_t wanted[] = { 500, 120, 121, 300 };
    for (size_t i = 0; i < FILO_COUNT_OF(wanted); i++) {
        Rules value = *rules(&play);
        value.count = wanted[i];
        send(&play, &value);
        frames(&play, 3);
        assert_int_equal(count(&play), wanted[i]);
    }
    end(&play);
}

FILO_TEST(a_recording_has_what_the_panel_changed) {
    Play play;
    const char *record = filo_test_path("boids.input");
    begin(&play, record, NULL);
    frames(&play, 10);
    Rules value = *rules(&play);
    value.count = 400;
    value.cohesion = 0.1f;
    send(&play, &value);
    frames(&play, 20);
    uint64_t hash = end(&play);
    begin(&play, NULL, record);
    while (filo_app_frame(play.app)) continue;
    assert_true(rules(&play)->cohesion == 0.1f);
    assert_true(end(&play) == hash);
}

FILO_TEST(a_panel_shows_its_change_until_the_world_has_it) {
    Play play;
    begin(&play, NULL, NULL);
    frames(&play, 2);
    Parameters parameters = { 0 };
    Rules shown = { 0 };
    filo_app_pause(play.app, true); // no tick takes the message
    parameters_sync(&parameters, FILO_TYPE(Rules), &shown, rules(&play));
    shown.sight = 33;
    parameters_send(&parameters, play.app, FILO_TYPE(Rules), &shown, filo_name(BOIDS_RULES));
    frames(&play, 2);
    parameters_sync(&parameters, FILO_TYPE(Rules), &shown, rules(&play));
    assert_true(shown.sight == 33 && rules(&play)->sight == BOIDS_SIGHT);
    parameters_send(&parameters, play.app, FILO_TYPE(Rules), &shown, filo_name(BOIDS_RULES));
    filo_app_pause(play.app, false);
    frames(&play, 2);
    parameters_sync(&parameters, FILO_TYPE(Rules), &shown, rules(&play));
    assert_true(rules(&play)->sight == 33 && !parameters.sent);
    Rules other = *rules(&play); // a change from elsewhere is shown
    other.sight = 12;
    send(&play, &other);
    frames(&play, 2);
    parameters_sync(&parameters, FILO_TYPE(Rules), &shown, rules(&play));
    assert_true(shown.sight == 12);
    end(&play);
}
