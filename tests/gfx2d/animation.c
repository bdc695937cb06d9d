// Animations: times, modes and events of clips, on any number of threads.

#include "gfx2d/test_world.h"
#include "support/warnings.h"

#include <math.h>

// ---- A sheet --------------------------------------------------------------------------------------------

enum { FRAMES = 8 };

static FiloSheetFrame frames[FRAMES];
static FiloSheetClip clips[13];

// Frames 0 to 7, 0.1 s each, except 3, which has 0.3 s, and 5, which has no duration. Frame n has the event "at n" if n
// is 1, 2, 4 or 6.
static FiloSheet sheet_of_clips(void) {
    static const float seconds[FRAMES] = { 0.1f, 0.1f, 0.1f, 0.3f, 0.1f, 0, 0.1f, 0.1f };
    static const char *const events[FRAMES] = { NULL, "at 1", "at 2", NULL, "at 4", NULL, "at 6", NULL };
    for (int i = 0; i < FRAMES; i++)
        frames[i] = (FiloSheetFrame){ .seconds = seconds[i],
                                      .event = events[i] != NULL ? filo_name(events[i]) : (FiloName){ 0 } };
    clips[0] = (FiloSheetClip){ filo_name("loop"), 0, 3, FILO_CLIP_LOOP, 10, 0 };
    clips[1] = (FiloSheetClip){ filo_name("once"), 0, 2, FILO_CLIP_ONCE, 10, 0 };
    clips[2] = (FiloSheetClip){ filo_name("ping"), 1, 3, FILO_CLIP_PING_PONG, 10, 0 };
    clips[3] = (FiloSheetClip){ filo_name("times"), 2, 5, FILO_CLIP_LOOP, 0, 0 };
    clips[4] = (FiloSheetClip){ filo_name("down"), 3, 1, FILO_CLIP_LOOP, 10, 0 };
    clips[5] = (FiloSheetClip){ filo_name("single"), 6, 6, FILO_CLIP_PING_PONG, 10, 0 };
    clips[6] = (FiloSheetClip){ filo_name("beyond"), 6, 900, FILO_CLIP_LOOP, 10, 0 };
    clips[7] = (FiloSheetClip){ filo_name("flash"), 0, 3, FILO_CLIP_LOOP, 1e30f, 0 };
    clips[8] = (FiloSheetClip){ filo_name("twelve"), 0, 7, FILO_CLIP_LOOP, 12, 0 };
    clips[10] = (FiloSheetClip){ filo_name("thrice"), 0, 2, FILO_CLIP_LOOP, 10, 3 };
    clips[11] = (FiloSheetClip){ filo_name("to and fro and to"), 1, 3, FILO_CLIP_PING_PONG, 10, 3 };
    clips[12] = (FiloSheetClip){ filo_name("times thrice"), 2, 5, FILO_CLIP_PING_PONG, 0, 60 };
    clips[9] = (FiloSheetClip){ filo_name("times to and fro"), 2, 5, FILO_CLIP_PING_PONG, 0, 0 };
    return (FiloSheet){
        .frames = frames, .frame_count = FRAMES, .clips = clips, .clip_count = FILO_COUNT_OF(clips)
    };
}

// ---- A world with one animation, and its events ---------------------------------------------------------

typedef struct AnimationFixture {
    TestWorld test;
    FiloEntity actor;
    char events[4096]; // "event@frame " for each
} AnimationFixture;

static void note_event(const FiloEvent *event, void *user) {
    AnimationFixture *fixture = user;
    const FiloAnimationEvent *emitted = event->payload;
    size_t length = strlen(fixture->events);
    snprintf(fixture->events + length, sizeof fixture->events - length, "%s@%u ",
             filo_name_text(emitted->event), emitted->frame);
}

static void fixture_open(AnimationFixture *fixture, const char *clip, float speed) {
    *fixture = (AnimationFixture){ 0 };
    test_world_open(&fixture->test, 1);
    add_sheet(&fixture->test.assets, "actor.json", sheet_of_clips());
    filo_events_subscribe(fixture->test.events, &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_ANIMATION),
                                                                    .type = FILO_TYPE(FiloAnimationEvent),
                                                                    .function = note_event,
                                                                    .user = fixture });
    fixture->actor = filo_create(
        fixture->test.world, FILO_SET(FiloSprite, .image = filo_name("actor.json")),
        FILO_SET(FiloAnimation, .clip = clip != NULL ? filo_name(clip) : (FiloName){ 0 }, .speed = speed));
}

static const FiloAnimation *animation(const AnimationFixture *fixture) {
    return filo_get(fixture->test.world, fixture->actor, FiloAnimation);
}

static FiloAnimation *edit_animation(AnimationFixture *fixture) {
    return filo_edit(fixture->test.world, fixture->actor, FiloAnimation);
}

static unsigned frame(const AnimationFixture *fixture) {
    return filo_get(fixture->test.world, fixture->actor, FiloSprite)->frame;
}

// Ticks `count` times and expects these frames, one after the other.
static void expect_frames(AnimationFixture *fixture, float delta, size_t count, const unsigned *expected) {
    for (size_t i = 0; i < count; i++) {
        tick(&fixture->test, delta);
        if (frame(fixture) != expected[i])
            fail_msg("tick %zu shows frame %u, not %u (time %f)", i, frame(fixture), expected[i],
                     (double)animation(fixture)->time);
    }
}
#define expect_frames_of(fixture, delta, ...)                                                                \
    expect_frames((fixture), (delta), FILO_COUNT_OF(((const unsigned[]){ __VA_ARGS__ })),                    \
                  (const unsigned[]){ __VA_ARGS__ })

static void expect_events(AnimationFixture *fixture, const char *events) {
    assert_string_equal(fixture->events, events);
    fixture->events[0] = 0;
}

// ---- Modes ----------------------------------------------------------------------------------------------

FILO_TEST(a_loop_repeats_and_emits_its_events) {
    AnimationFixture fixture;
    fixture_open(&fixture, "loop", 1);
    expect_frames_of(&fixture, 0.05f, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1);
    expect_events(&fixture, "at 1@1 at 2@2 at 1@1 ");
    assert_false(animation(&fixture)->finished);
    test_world_close(&fixture.test);
}

FILO_TEST(a_speed_of_zero_counts_as_one_and_two_is_twice_as_fast) {
    AnimationFixture fixture;
    fixture_open(&fixture, "loop", 0);
    expect_frames_of(&fixture, 0.1f, 1, 2, 3, 0);
    edit_animation(&fixture)->speed = 2;
    expect_frames_of(&fixture, 0.1f, 2, 0, 2);
    test_world_close(&fixture.test);
}

FILO_TEST(a_clip_shown_once_stops_at_its_last_frame_and_emits_finished) {
    AnimationFixture fixture;
    fixture_open(&fixture, "once", 1);
    expect_frames_of(&fixture, 0.1f, 1, 2);
    assert_false(animation(&fixture)->finished);
    expect_events(&fixture, "at 1@1 at 2@2 ");
    expect_frames_of(&fixture, 0.1f, 2, 2, 2);
    assert_true(animation(&fixture)->finished);
    expect_events(&fixture, "finished@2 ");
    test_world_close(&fixture.test);
}

FILO_TEST(ping_pong_shows_its_ends_once) {
    AnimationFixture fixture;
    fixture_open(&fixture, "ping", 1);
    expect_frames_of(&fixture, 0.1f, 2, 3, 2, 1, 2, 3, 2, 1);
    expect_events(&fixture, "at 1@1 at 2@2 at 2@2 at 1@1 at 2@2 at 2@2 at 1@1 ");
    test_world_close(&fixture.test);
}

FILO_TEST(a_clip_that_repeats_ends_after_its_rounds_or_passes) {
    AnimationFixture fixture;
    fixture_open(&fixture, "thrice", 1);
    expect_frames_of(&fixture, 0.1f, 1, 2, 0, 1, 2, 0, 1, 2, 2, 2);
    expect_events(&fixture, "at 1@1 at 2@2 at 1@1 at 2@2 at 1@1 at 2@2 finished@2 ");
    assert_true(animation(&fixture)->finished);
    test_world_close(&fixture.test);
    fixture_open(&fixture, "to and fro and to", 1);
    expect_frames_of(&fixture, 0.1f, 2, 3, 2, 1, 2, 3, 3, 3);
    assert_true(animation(&fixture)->finished);
    test_world_close(&fixture.test);
    fixture_open(&fixture, "thrice", -1);
    expect_frames_of(&fixture, 0.1f, 1, 0, 2, 1, 0, 2, 1, 0, 0);
    assert_true(animation(&fixture)->finished);
    test_world_close(&fixture.test);
}

// 30 rounds of a second each, and the first frame once more.
FILO_TEST(a_clip_that_repeats_shows_frames_as_long_as_they_say) {
    AnimationFixture fixture;
    fixture_open(&fixture, "times thrice", 1);
    for (int i = 0; i < 409; i++) tick(&fixture.test, 0.05f); // 20.45 s
    assert_int_equal(frame(&fixture), 4);
    for (int i = 0; i < 192; i++) tick(&fixture.test, 0.05f);
    assert_false(animation(&fixture)->finished);
    for (int i = 0; i < 2; i++) tick(&fixture.test, 0.05f);
    assert_true(animation(&fixture)->finished);
    assert_float_equal(animation(&fixture)->time, 30.1f, 1e-4);
    assert_int_equal(frame(&fixture), 2);
    test_world_close(&fixture.test);
}

FILO_TEST(frames_are_shown_as_long_as_they_say) {
    AnimationFixture fixture;
    fixture_open(&fixture, "times", 1);
    expect_frames_of(&fixture, 0.1f, 3, 3, 3, 4, 5, 2, 3);
    test_world_close(&fixture.test);
    fixture_open(&fixture, "times to and fro", 1);
    expect_frames_of(&fixture, 0.1f, 3, 3, 3, 4, 5, 4, 3, 3, 3, 2, 3);
    test_world_close(&fixture.test);
}

FILO_TEST(without_a_clip_all_frames_are_shown) {
    AnimationFixture fixture;
    fixture_open(&fixture, NULL, 1);
    expect_frames_of(&fixture, 0.1f, 1, 2, 3, 3, 3, 4, 5, 6, 7, 0);
    test_world_close(&fixture.test);
}

FILO_TEST(a_clip_whose_end_is_lower_runs_down) {
    AnimationFixture fixture;
    fixture_open(&fixture, "down", 1);
    expect_frames_of(&fixture, 0.05f, 3, 2, 2, 1, 1, 3);
    test_world_close(&fixture.test);
}

// ---- Backwards ------------------------------------------------------------------------------------------

FILO_TEST(a_negative_speed_goes_from_the_end_to_the_beginning) {
    AnimationFixture fixture;
    fixture_open(&fixture, "loop", -1);
    expect_frames_of(&fixture, 0.05f, 3, 2, 2, 1, 1, 0, 0, 3, 3, 2);
    expect_events(&fixture, "at 2@2 at 1@1 at 2@2 ");
    test_world_close(&fixture.test);
    fixture_open(&fixture, "times", -1);
    expect_frames_of(&fixture, 0.1f, 4, 3, 3, 3, 2, 5, 4);
    test_world_close(&fixture.test);
    fixture_open(&fixture, "ping", -1);
    expect_frames_of(&fixture, 0.1f, 3, 2, 1, 2, 3);
    test_world_close(&fixture.test);
}

FILO_TEST(a_clip_shown_once_backwards_stops_at_its_first_frame) {
    AnimationFixture fixture;
    fixture_open(&fixture, "once", -1);
    expect_frames_of(&fixture, 0.1f, 1, 0);
    assert_false(animation(&fixture)->finished);
    expect_frames_of(&fixture, 0.1f, 0, 0);
    assert_true(animation(&fixture)->finished);
    expect_events(&fixture, "at 2@2 at 1@1 finished@0 ");
    test_world_close(&fixture.test);
}

// ---- Events ---------------------------------------------------------------------------------------------

FILO_TEST(the_first_frame_emits_its_event_once) {
    AnimationFixture fixture;
    fixture_open(&fixture, "ping", 1);
    tick(&fixture.test, 0.01f);
    expect_events(&fixture, "at 1@1 ");
    tick(&fixture.test, 0.01f);
    expect_events(&fixture, "");
    test_world_close(&fixture.test);
}

FILO_TEST(frames_that_are_passed_in_one_tick_all_emit_their_events) {
    AnimationFixture fixture;
    fixture_open(&fixture, NULL, 1);
    tick(&fixture.test, 1.25f); // a round is a second
    assert_int_equal(frame(&fixture), 2);
    expect_events(&fixture, "at 1@1 at 2@2 at 4@4 at 6@6 at 1@1 at 2@2 ");
    test_world_close(&fixture.test);
    fixture_open(&fixture, "once", 1);
    tick(&fixture.test, 100);
    expect_events(&fixture, "at 1@1 at 2@2 finished@2 ");
    test_world_close(&fixture.test);
}

FILO_TEST(of_very_many_rounds_in_a_tick_sixteen_are_emitted) {
    AnimationFixture fixture;
    fixture_open(&fixture, "single", 1);
    tick(&fixture.test, 1000.05f);
    assert_int_equal(filo_test_count(fixture.events, "at 6@6 "), 17); // and the first frame
    fixture.events[0] = 0;
    edit_animation(&fixture)->speed = 1e30f;
    tick(&fixture.test, 1);
    assert_true(filo_test_count(fixture.events, "at 6@6 ") >= 16);
    test_world_close(&fixture.test);
    fixture_open(&fixture, "flash", 1); // frames count as a millisecond at least
    tick(&fixture.test, 0.0025f);
    assert_int_equal(frame(&fixture), 2);
    test_world_close(&fixture.test);
}

FILO_TEST(events_of_the_same_tick_come_in_the_order_of_the_world) {
    TestWorld test;
    test_world_open(&test, 4);
    add_sheet(&test.assets, "actor.json", sheet_of_clips());
    static AnimationFixture heard;
    heard = (AnimationFixture){ 0 };
    filo_events_subscribe(test.events, &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_ANIMATION),
                                                           .function = note_event,
                                                           .user = &heard });
    for (int i = 0; i < 2; i++)
        filo_create(test.world, FILO_SET(FiloSprite, .image = filo_name("actor.json")),
                    FILO_SET(FiloAnimation, .clip = filo_name(i == 0 ? "once" : "single")));
    tick(&test, 0.25f);
    expect_events(&heard, "at 1@1 at 2@2 at 6@6 at 6@6 at 6@6 ");
    test_world_close(&test);
}

FILO_TEST(a_world_without_events_animates_too) {
    TestWorld test;
    test_world_open(&test, 0);
    add_sheet(&test.assets, "actor.json", sheet_of_clips());
    FiloEntity actor = filo_create(test.world, FILO_SET(FiloSprite, .image = filo_name("actor.json")),
                                   FILO_SET(FiloAnimation, .clip = filo_name("once")));
    tick(&test, 1);
    assert_int_equal(filo_get(test.world, actor, FiloSprite)->frame, 2);
    assert_true(filo_get(test.world, actor, FiloAnimation)->finished);
    test_world_close(&test);
}

// ---- Playing --------------------------------------------------------------------------------------------

FILO_TEST(playing_the_clip_that_runs_changes_nothing_and_another_restarts) {
    AnimationFixture fixture;
    fixture_open(&fixture, "loop", 1);
    tick(&fixture.test, 0.25f);
    filo_animation_play(edit_animation(&fixture), filo_name("loop"));
    assert_near(animation(&fixture)->time, 0.25);
    filo_animation_play(edit_animation(&fixture), filo_name("once"));
    assert_true(animation(&fixture)->time == 0);
    fixture.events[0] = 0;
    tick(&fixture.test, 1);
    assert_true(animation(&fixture)->finished);
    filo_animation_play(edit_animation(&fixture), filo_name("once")); // it has finished: it starts again
    assert_false(animation(&fixture)->finished);
    fixture.events[0] = 0;
    tick(&fixture.test, 1);
    expect_events(&fixture, "at 1@1 at 2@2 finished@2 ");
    test_world_close(&fixture.test);
}

FILO_TEST(playing_without_an_animation_is_a_mistake) {
    only_in_debug_builds();
    expect_fault("pass the animation", filo_animation_play(NULL, filo_name("loop")));
}

FILO_TEST(paused_and_finished_animations_stay_and_their_chunks_are_not_written) {
    AnimationFixture fixture;
    fixture_open(&fixture, "once", 1);
    FiloQuery *sprites = filo_query(fixture.test.world, FILO_READ_CHANGED(FiloSprite));
    FiloQuery *animations = filo_query(fixture.test.world, FILO_READ_CHANGED(FiloAnimation));
    tick(&fixture.test, 0.05f);
    edit_animation(&fixture)->paused = true;
    rows_changed(sprites), rows_changed(animations);
    tick(&fixture.test, 0.1f);
    assert_int_equal(frame(&fixture), 0);
    assert_int_equal(rows_changed(sprites), 0);
    assert_int_equal(rows_changed(animations), 0);
    edit_animation(&fixture)->paused = false;
    rows_changed(animations);
    tick(&fixture.test, 0.01f); // time goes on, and the frame stays
    assert_int_equal(rows_changed(sprites), 0);
    assert_int_equal(rows_changed(animations), 1);
    tick(&fixture.test, 1);
    assert_int_equal(rows_changed(sprites), 1);
    rows_changed(animations);
    tick(&fixture.test, 1);
    assert_int_equal(rows_changed(sprites), 0);
    assert_int_equal(rows_changed(animations), 0);
    filo_query_release(sprites), filo_query_release(animations);
    test_world_close(&fixture.test);
}

FILO_TEST(missing_clips_and_sheets_stand_still) {
    AnimationFixture fixture;
    fixture_open(&fixture, "nonsense", 1); // no such clip
    add_sheet(&fixture.test.assets, "empty.json", (FiloSheet){ 0 });
    tick(&fixture.test, 0.5f);
    assert_int_equal(frame(&fixture), 0);
    assert_true(animation(&fixture)->time == 0);
    edit_animation(&fixture)->clip = (FiloName){ 0 };
    static const char *const images[] = { "empty.json", "not loaded.png", "" };
    for (size_t i = 0; i < FILO_COUNT_OF(images); i++) {
        filo_edit(fixture.test.world, fixture.actor, FiloSprite)->image = filo_name(images[i]);
        tick(&fixture.test, 0.5f);
        assert_int_equal(frame(&fixture), 0);
        assert_true(animation(&fixture)->time == 0);
    }
    test_world_close(&fixture.test);
}

FILO_TEST(a_clip_beyond_the_sheet_and_an_invalid_time_do_no_harm) {
    AnimationFixture fixture;
    fixture_open(&fixture, "beyond", 1);
    expect_frames_of(&fixture, 0.1f, 7, 6, 7);
    static const float times[] = { -5, 1e30f, INFINITY, NAN };
    for (size_t i = 0; i < FILO_COUNT_OF(times); i++)
        for (int direction = -1; direction <= 1; direction += 2) {
            edit_animation(&fixture)->time = times[i];
            edit_animation(&fixture)->speed = (float)direction;
            tick(&fixture.test, 0.01f);
            assert_true(frame(&fixture) == 6 || frame(&fixture) == 7);
            assert_true(animation(&fixture)->time >= 0 && animation(&fixture)->time <= 0.2001f);
        }
    edit_animation(&fixture)->speed = NAN;
    tick(&fixture.test, 0.01f);
    assert_true(frame(&fixture) == 6 || frame(&fixture) == 7);
    test_world_close(&fixture.test);
}

// Sixty ticks and twelve frames a second: a frame every fifth tick, for ten minutes.
FILO_TEST(ticks_and_frames_of_one_rate_never_drift_apart) {
    AnimationFixture fixture;
    fixture_open(&fixture, "twelve", 1);
    for (unsigned i = 1; i <= 36000; i++) {
        tick(&fixture.test, 1.0f / 60);
        if (frame(&fixture) != i / 5 % 8) fail_msg("tick %u shows frame %u", i, frame(&fixture));
    }
    test_world_close(&fixture.test);
}

FILO_TEST(without_assets_nothing_is_animated_and_with_assets_later_it_is) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    assert_true(filo_gfx2d_register(world, NULL));
    FiloEntity actor = filo_create(world, FILO_SET(FiloSprite, .image = filo_name("actor.json")),
                                   FILO_SET(FiloAnimation, .clip = filo_name("once")));
    assert_ok(filo_world_tick(world, 0.15f));
    assert_int_equal(filo_get(world, actor, FiloSprite)->frame, 0);
    FiloAssets assets = { 0 };
    add_sheet(&assets, "actor.json", sheet_of_clips());
    assert_true(filo_gfx2d_register(world, &assets));
    assert_true(filo_gfx2d_register(world, NULL)); // the assets stay
    assert_ok(filo_world_tick(world, 0.15f));
    assert_int_equal(filo_get(world, actor, FiloSprite)->frame, 1);
    FiloAssets others = { 0 }; // without that sheet
    assert_true(filo_gfx2d_register(world, &others));
    assert_ok(filo_world_tick(world, 0.15f));
    assert_int_equal(filo_get(world, actor, FiloSprite)->frame, 1);
    filo_world_destroy(world);
}

// ---- Unknown clips -----------------------------------------------------------------------------------------

FILO_TEST(a_misspelt_clip_is_reported_once_with_the_clip_that_was_meant) {
    AnimationFixture fixture;
    fixture_open(&fixture, "twelev", 1);
    expect_warning("the sheet \"actor.json\" has no clip \"twelev\": did you mean \"twelve\"?",
                   tick(&fixture.test, 0.1f));
    expect_no_warning(tick(&fixture.test, 0.1f));
    assert_int_equal(frame(&fixture), 0);
    filo_animation_play(edit_animation(&fixture), filo_name("twelve"));
    expect_no_warning(tick(&fixture.test, 0.1f));
    test_world_close(&fixture.test);
}

FILO_TEST(animation_events_need_no_handler) {
    TestWorld test;
    test_world_open(&test, 1);
    add_sheet(&test.assets, "actor.json", sheet_of_clips());
    filo_create(test.world, FILO_SET(FiloSprite, .image = filo_name("actor.json")),
                FILO_SET(FiloAnimation, .clip = filo_name("loop")));
    expect_no_warning(for (int i = 0; i < 10; i++) tick(&test, 0.1f));
    test_world_close(&test);
}
