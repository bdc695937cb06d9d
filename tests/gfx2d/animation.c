// Moving through clips: times, modes, events, on any number of threads.

#include "gfx2d/plane.h"
#include "support/warnings.h"

#include <math.h>

// ---- A sheet --------------------------------------------------------------------------------------------

enum { FRAMES = 8 };

static FiloSheetFrame frames[FRAMES];
static FiloSheetClip clips[10];

// Frames 0 to 7, 0.1 s each but 3, which has 0.3 s, and 5, which does not say; frame n has the event "at n"
// if n is 1, 2, 4 or 6.
static FiloSheet sheet_of_clips(void) {
    static const float seconds[FRAMES] = { 0.1f, 0.1f, 0.1f, 0.3f, 0.1f, 0, 0.1f, 0.1f };
    static const char *const events[FRAMES] = { NULL, "at 1", "at 2", NULL, "at 4", NULL, "at 6", NULL };
    for (int i = 0; i < FRAMES; i++)
        frames[i] = (FiloSheetFrame){ .seconds = seconds[i],
                                      .event = events[i] != NULL ? filo_name(events[i]) : (FiloName){ 0 } };
    clips[0] = (FiloSheetClip){ filo_name("loop"), 0, 3, FILO_CLIP_LOOP, 10 };
    clips[1] = (FiloSheetClip){ filo_name("once"), 0, 2, FILO_CLIP_ONCE, 10 };
    clips[2] = (FiloSheetClip){ filo_name("ping"), 1, 3, FILO_CLIP_PING_PONG, 10 };
    clips[3] = (FiloSheetClip){ filo_name("times"), 2, 5, FILO_CLIP_LOOP, 0 };
    clips[4] = (FiloSheetClip){ filo_name("down"), 3, 1, FILO_CLIP_LOOP, 10 };
    clips[5] = (FiloSheetClip){ filo_name("single"), 6, 6, FILO_CLIP_PING_PONG, 10 };
    clips[6] = (FiloSheetClip){ filo_name("beyond"), 6, 900, FILO_CLIP_LOOP, 10 };
    clips[7] = (FiloSheetClip){ filo_name("flash"), 0, 3, FILO_CLIP_LOOP, 1e30f };
    clips[8] = (FiloSheetClip){ filo_name("twelve"), 0, 7, FILO_CLIP_LOOP, 12 };
    clips[9] = (FiloSheetClip){ filo_name("times to and fro"), 2, 5, FILO_CLIP_PING_PONG, 0 };
    return (FiloSheet){
        .frames = frames, .frame_count = FRAMES, .clips = clips, .clip_count = FILO_COUNT_OF(clips)
    };
}

// ---- A world with one of them, and what it told ---------------------------------------------------------

typedef struct Theatre {
    Plane plane;
    FiloEntity actor;
    char told[4096]; // "event@frame " for each
} Theatre;

static void hear(const FiloEvent *event, void *user) {
    Theatre *theatre = user;
    const FiloAnimationEvent *told = event->payload;
    size_t length = strlen(theatre->told);
    snprintf(theatre->told + length, sizeof theatre->told - length, "%s@%u ", filo_name_text(told->event),
             told->frame);
}

static void theatre_open(Theatre *theatre, const char *clip, float speed) {
    *theatre = (Theatre){ 0 };
    plane_open(&theatre->plane, 1);
    add_sheet(&theatre->plane.assets, "actor.json", sheet_of_clips());
    filo_events_subscribe(theatre->plane.events, &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_ANIMATION),
                                                                     .type = FILO_TYPE(FiloAnimationEvent),
                                                                     .function = hear,
                                                                     .user = theatre });
    theatre->actor = filo_create(
        theatre->plane.world, FILO_SET(FiloSprite, .image = filo_name("actor.json")),
        FILO_SET(FiloAnimation, .clip = clip != NULL ? filo_name(clip) : (FiloName){ 0 }, .speed = speed));
}

static const FiloAnimation *animation(const Theatre *theatre) {
    return filo_get(theatre->plane.world, theatre->actor, FiloAnimation);
}

static FiloAnimation *edit_animation(Theatre *theatre) {
    return filo_edit(theatre->plane.world, theatre->actor, FiloAnimation);
}

static unsigned frame(const Theatre *theatre) {
    return filo_get(theatre->plane.world, theatre->actor, FiloSprite)->frame;
}

// Ticks `count` times and expects these frames, one after the other.
static void expect_frames(Theatre *theatre, float delta, size_t count, const unsigned *expected) {
    for (size_t i = 0; i < count; i++) {
        tick(&theatre->plane, delta);
        if (frame(theatre) != expected[i])
            fail_msg("tick %zu shows frame %u, not %u (time %f)", i, frame(theatre), expected[i],
                     (double)animation(theatre)->time);
    }
}
#define expect_frames_of(theatre, delta, ...)                                                                \
    expect_frames((theatre), (delta), FILO_COUNT_OF(((const unsigned[]){ __VA_ARGS__ })),                    \
                  (const unsigned[]){ __VA_ARGS__ })

static void expect_told(Theatre *theatre, const char *told) {
    assert_string_equal(theatre->told, told);
    theatre->told[0] = 0;
}

// ---- Modes ----------------------------------------------------------------------------------------------

FILO_TEST(a_loop_goes_round_and_tells_its_events) {
    Theatre theatre;
    theatre_open(&theatre, "loop", 1);
    expect_frames_of(&theatre, 0.05f, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1);
    expect_told(&theatre, "at 1@1 at 2@2 at 1@1 ");
    assert_false(animation(&theatre)->finished);
    plane_close(&theatre.plane);
}

FILO_TEST(a_speed_of_zero_counts_as_one_and_two_is_twice_as_fast) {
    Theatre theatre;
    theatre_open(&theatre, "loop", 0);
    expect_frames_of(&theatre, 0.1f, 1, 2, 3, 0);
    edit_animation(&theatre)->speed = 2;
    expect_frames_of(&theatre, 0.1f, 2, 0, 2);
    plane_close(&theatre.plane);
}

FILO_TEST(a_clip_shown_once_stops_at_its_last_frame_and_tells_so) {
    Theatre theatre;
    theatre_open(&theatre, "once", 1);
    expect_frames_of(&theatre, 0.1f, 1, 2);
    assert_false(animation(&theatre)->finished);
    expect_told(&theatre, "at 1@1 at 2@2 ");
    expect_frames_of(&theatre, 0.1f, 2, 2, 2);
    assert_true(animation(&theatre)->finished);
    expect_told(&theatre, "finished@2 ");
    plane_close(&theatre.plane);
}

FILO_TEST(ping_pong_shows_its_ends_once) {
    Theatre theatre;
    theatre_open(&theatre, "ping", 1);
    expect_frames_of(&theatre, 0.1f, 2, 3, 2, 1, 2, 3, 2, 1);
    expect_told(&theatre, "at 1@1 at 2@2 at 2@2 at 1@1 at 2@2 at 2@2 at 1@1 ");
    plane_close(&theatre.plane);
}

FILO_TEST(frames_are_shown_as_long_as_they_say) {
    Theatre theatre;
    theatre_open(&theatre, "times", 1);
    expect_frames_of(&theatre, 0.1f, 3, 3, 3, 4, 5, 2, 3);
    plane_close(&theatre.plane);
    theatre_open(&theatre, "times to and fro", 1);
    expect_frames_of(&theatre, 0.1f, 3, 3, 3, 4, 5, 4, 3, 3, 3, 2, 3);
    plane_close(&theatre.plane);
}

FILO_TEST(without_a_clip_all_frames_are_shown) {
    Theatre theatre;
    theatre_open(&theatre, NULL, 1);
    expect_frames_of(&theatre, 0.1f, 1, 2, 3, 3, 3, 4, 5, 6, 7, 0);
    plane_close(&theatre.plane);
}

FILO_TEST(a_clip_whose_end_is_lower_runs_down) {
    Theatre theatre;
    theatre_open(&theatre, "down", 1);
    expect_frames_of(&theatre, 0.05f, 3, 2, 2, 1, 1, 3);
    plane_close(&theatre.plane);
}

// ---- Backwards ------------------------------------------------------------------------------------------

FILO_TEST(a_negative_speed_goes_from_the_end_to_the_beginning) {
    Theatre theatre;
    theatre_open(&theatre, "loop", -1);
    expect_frames_of(&theatre, 0.05f, 3, 2, 2, 1, 1, 0, 0, 3, 3, 2);
    expect_told(&theatre, "at 2@2 at 1@1 at 2@2 ");
    plane_close(&theatre.plane);
    theatre_open(&theatre, "times", -1);
    expect_frames_of(&theatre, 0.1f, 4, 3, 3, 3, 2, 5, 4);
    plane_close(&theatre.plane);
    theatre_open(&theatre, "ping", -1);
    expect_frames_of(&theatre, 0.1f, 3, 2, 1, 2, 3);
    plane_close(&theatre.plane);
}

FILO_TEST(a_clip_shown_once_backwards_stops_at_its_first_frame) {
    Theatre theatre;
    theatre_open(&theatre, "once", -1);
    expect_frames_of(&theatre, 0.1f, 1, 0);
    assert_false(animation(&theatre)->finished);
    expect_frames_of(&theatre, 0.1f, 0, 0);
    assert_true(animation(&theatre)->finished);
    expect_told(&theatre, "at 2@2 at 1@1 finished@0 ");
    plane_close(&theatre.plane);
}

// ---- Events ---------------------------------------------------------------------------------------------

FILO_TEST(the_first_frame_tells_its_event_once) {
    Theatre theatre;
    theatre_open(&theatre, "ping", 1);
    tick(&theatre.plane, 0.01f);
    expect_told(&theatre, "at 1@1 ");
    tick(&theatre.plane, 0.01f);
    expect_told(&theatre, "");
    plane_close(&theatre.plane);
}

FILO_TEST(frames_that_are_passed_in_one_tick_all_tell_their_events) {
    Theatre theatre;
    theatre_open(&theatre, NULL, 1);
    tick(&theatre.plane, 1.25f); // a round is a second
    assert_int_equal(frame(&theatre), 2);
    expect_told(&theatre, "at 1@1 at 2@2 at 4@4 at 6@6 at 1@1 at 2@2 ");
    plane_close(&theatre.plane);
    theatre_open(&theatre, "once", 1);
    tick(&theatre.plane, 100);
    expect_told(&theatre, "at 1@1 at 2@2 finished@2 ");
    plane_close(&theatre.plane);
}

FILO_TEST(of_very_many_rounds_in_a_tick_sixteen_are_told) {
    Theatre theatre;
    theatre_open(&theatre, "single", 1);
    tick(&theatre.plane, 1000.05f);
    assert_int_equal(filo_test_count(theatre.told, "at 6@6 "), 17); // and the first frame
    theatre.told[0] = 0;
    edit_animation(&theatre)->speed = 1e30f;
    tick(&theatre.plane, 1);
    assert_true(filo_test_count(theatre.told, "at 6@6 ") >= 16);
    plane_close(&theatre.plane);
    theatre_open(&theatre, "flash", 1); // frames count as a millisecond at least
    tick(&theatre.plane, 0.0025f);
    assert_int_equal(frame(&theatre), 2);
    plane_close(&theatre.plane);
}

FILO_TEST(events_of_the_same_tick_come_in_the_order_of_the_world) {
    Plane plane;
    plane_open(&plane, 4);
    add_sheet(&plane.assets, "actor.json", sheet_of_clips());
    static Theatre heard;
    heard = (Theatre){ 0 };
    filo_events_subscribe(
        plane.events,
        &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_ANIMATION), .function = hear, .user = &heard });
    for (int i = 0; i < 2; i++)
        filo_create(plane.world, FILO_SET(FiloSprite, .image = filo_name("actor.json")),
                    FILO_SET(FiloAnimation, .clip = filo_name(i == 0 ? "once" : "single")));
    tick(&plane, 0.25f);
    expect_told(&heard, "at 1@1 at 2@2 at 6@6 at 6@6 at 6@6 ");
    plane_close(&plane);
}

FILO_TEST(a_world_without_events_animates_all_the_same) {
    Plane plane;
    plane_open(&plane, 0);
    add_sheet(&plane.assets, "actor.json", sheet_of_clips());
    FiloEntity actor = filo_create(plane.world, FILO_SET(FiloSprite, .image = filo_name("actor.json")),
                                   FILO_SET(FiloAnimation, .clip = filo_name("once")));
    tick(&plane, 1);
    assert_int_equal(filo_get(plane.world, actor, FiloSprite)->frame, 2);
    assert_true(filo_get(plane.world, actor, FiloAnimation)->finished);
    plane_close(&plane);
}

// ---- Playing --------------------------------------------------------------------------------------------

FILO_TEST(playing_the_clip_that_runs_changes_nothing_and_another_begins_anew) {
    Theatre theatre;
    theatre_open(&theatre, "loop", 1);
    tick(&theatre.plane, 0.25f);
    filo_animation_play(edit_animation(&theatre), filo_name("loop"));
    assert_near(animation(&theatre)->time, 0.25);
    filo_animation_play(edit_animation(&theatre), filo_name("once"));
    assert_true(animation(&theatre)->time == 0);
    theatre.told[0] = 0;
    tick(&theatre.plane, 1);
    assert_true(animation(&theatre)->finished);
    filo_animation_play(edit_animation(&theatre), filo_name("once")); // has finished: again
    assert_false(animation(&theatre)->finished);
    theatre.told[0] = 0;
    tick(&theatre.plane, 1);
    expect_told(&theatre, "at 1@1 at 2@2 finished@2 ");
    plane_close(&theatre.plane);
}

FILO_TEST(playing_without_an_animation_is_a_mistake) {
    only_in_debug_builds();
    expect_fault("pass the animation", filo_animation_play(NULL, filo_name("loop")));
}

FILO_TEST(paused_and_finished_ones_stay_and_their_chunks_are_not_touched) {
    Theatre theatre;
    theatre_open(&theatre, "once", 1);
    FiloQuery *sprites = filo_query(theatre.plane.world, FILO_READ_CHANGED(FiloSprite));
    FiloQuery *animations = filo_query(theatre.plane.world, FILO_READ_CHANGED(FiloAnimation));
    tick(&theatre.plane, 0.05f);
    edit_animation(&theatre)->paused = true;
    rows_changed(sprites), rows_changed(animations);
    tick(&theatre.plane, 0.1f);
    assert_int_equal(frame(&theatre), 0);
    assert_int_equal(rows_changed(sprites), 0);
    assert_int_equal(rows_changed(animations), 0);
    edit_animation(&theatre)->paused = false;
    rows_changed(animations);
    tick(&theatre.plane, 0.01f); // time goes on, and the frame stays
    assert_int_equal(rows_changed(sprites), 0);
    assert_int_equal(rows_changed(animations), 1);
    tick(&theatre.plane, 1);
    assert_int_equal(rows_changed(sprites), 1);
    rows_changed(animations);
    tick(&theatre.plane, 1);
    assert_int_equal(rows_changed(sprites), 0);
    assert_int_equal(rows_changed(animations), 0);
    filo_query_release(sprites), filo_query_release(animations);
    plane_close(&theatre.plane);
}

FILO_TEST(what_is_not_there_stands_still) {
    Theatre theatre;
    theatre_open(&theatre, "nonsense", 1); // no such clip
    add_sheet(&theatre.plane.assets, "empty.json", (FiloSheet){ 0 });
    tick(&theatre.plane, 0.5f);
    assert_int_equal(frame(&theatre), 0);
    assert_true(animation(&theatre)->time == 0);
    edit_animation(&theatre)->clip = (FiloName){ 0 };
    static const char *const images[] = { "empty.json", "not loaded.png", "" };
    for (size_t i = 0; i < FILO_COUNT_OF(images); i++) {
        filo_edit(theatre.plane.world, theatre.actor, FiloSprite)->image = filo_name(images[i]);
        tick(&theatre.plane, 0.5f);
        assert_int_equal(frame(&theatre), 0);
        assert_true(animation(&theatre)->time == 0);
    }
    plane_close(&theatre.plane);
}

FILO_TEST(a_clip_beyond_the_sheet_and_a_time_that_is_none_do_no_harm) {
    Theatre theatre;
    theatre_open(&theatre, "beyond", 1);
    expect_frames_of(&theatre, 0.1f, 7, 6, 7);
    static const float times[] = { -5, 1e30f, INFINITY, NAN };
    for (size_t i = 0; i < FILO_COUNT_OF(times); i++)
        for (int direction = -1; direction <= 1; direction += 2) {
            edit_animation(&theatre)->time = times[i];
            edit_animation(&theatre)->speed = (float)direction;
            tick(&theatre.plane, 0.01f);
            assert_true(frame(&theatre) == 6 || frame(&theatre) == 7);
            assert_true(animation(&theatre)->time >= 0 && animation(&theatre)->time <= 0.2001f);
        }
    edit_animation(&theatre)->speed = NAN;
    tick(&theatre.plane, 0.01f);
    assert_true(frame(&theatre) == 6 || frame(&theatre) == 7);
    plane_close(&theatre.plane);
}

// Sixty ticks and twelve frames a second: a frame every fifth tick, for ten minutes.
FILO_TEST(ticks_and_frames_of_one_rhythm_never_drift_apart) {
    Theatre theatre;
    theatre_open(&theatre, "twelve", 1);
    for (unsigned i = 1; i <= 36000; i++) {
        tick(&theatre.plane, 1.0f / 60);
        if (frame(&theatre) != i / 5 % 8) fail_msg("tick %u shows frame %u", i, frame(&theatre));
    }
    plane_close(&theatre.plane);
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
    assert_true(filo_gfx2d_register(world, NULL)); // does not take them away
    assert_ok(filo_world_tick(world, 0.15f));
    assert_int_equal(filo_get(world, actor, FiloSprite)->frame, 1);
    FiloAssets others = { 0 }; // without that sheet
    assert_true(filo_gfx2d_register(world, &others));
    assert_ok(filo_world_tick(world, 0.15f));
    assert_int_equal(filo_get(world, actor, FiloSprite)->frame, 1);
    filo_world_destroy(world);
}

// ---- Names that are not known -----------------------------------------------------------------------------

FILO_TEST(a_misspelt_clip_is_reported_once_with_the_one_that_was_meant) {
    only_in_debug_builds();
    Theatre theatre;
    theatre_open(&theatre, "twelev", 1);
    expect_warning("the sheet \"actor.json\" has no clip \"twelev\": did you mean \"twelve\"?",
                   tick(&theatre.plane, 0.1f));
    expect_no_warning(tick(&theatre.plane, 0.1f));
    assert_int_equal(frame(&theatre), 0);
    filo_animation_play(edit_animation(&theatre), filo_name("twelve"));
    expect_no_warning(tick(&theatre.plane, 0.1f));
    plane_close(&theatre.plane);
}

FILO_TEST(animation_events_need_no_handler) {
    Plane plane;
    plane_open(&plane, 1);
    add_sheet(&plane.assets, "actor.json", sheet_of_clips());
    filo_create(plane.world, FILO_SET(FiloSprite, .image = filo_name("actor.json")),
                FILO_SET(FiloAnimation, .clip = filo_name("loop")));
    expect_no_warning(for (int i = 0; i < 10; i++) tick(&plane, 0.1f));
    plane_close(&plane);
}
