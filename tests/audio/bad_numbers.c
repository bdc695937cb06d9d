// Numbers that are not finite or far too large, and what is easily meant otherwise: the result is defined, and there is one
// message.

#include "audio/fixture.h"
#include "support/warnings.h"

// The level of one tick, after some for changes.
static double level_now(Fixture *f) {
    run(f, 4);
    return last_level(f);
}

FILO_TEST(a_gain_that_is_no_number_is_silent_and_a_huge_one_is_limited) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "gain.wav", 4 * RATE, 2);
    FiloVoice voice = { 0 };
    expect_warnings(1, "gain.wav: a gain that is not a number is silent",
                    voice = filo_audio_play(f.audio, CUE("gain.wav", .gain = NAN)));
    assert_near(level_now(&f), 0, 0);
    filo_audio_set_gain(f.audio, voice, -6, 0);
    assert_near(level_now(&f), 0.25, 0.001);
    expect_warnings(0, "", filo_audio_set_gain(f.audio, voice, NAN, NAN)); // was said
    assert_near(level_now(&f), 0, 0);
    expect_warnings(1, "gain.wav: a gain is in decibels", filo_audio_set_gain(f.audio, voice, 128, 0));
    assert_near(level_now(&f), 0.5 * 15.849, 0.01);
    filo_audio_stop(f.audio, voice, 0);
    run(&f, 2);
    expect_warnings(1, "sounds: a gain that is not a number is silent",
                    filo_audio_fade_bus(f.audio, "sounds", NAN, 1));
    filo_audio_play(f.audio, CUE("gain.wav"));
    run(&f, 60);
    assert_near(level_now(&f), 0, 0);
    fixture_end(&f);
}

FILO_TEST(a_gain_that_is_infinite_is_silent) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "endless.wav", 4 * RATE, 2);
    FiloVoice voice = { 0 };
    expect_warning("endless.wav: a gain that is not a number is silent",
                   voice = filo_audio_play(f.audio, CUE("endless.wav", .gain = INFINITY)));
    assert_near(level_now(&f), 0, 0);
    filo_audio_set_gain(f.audio, voice, 0, 0);
    assert_near(level_now(&f), 0.5, 0.001);
    filo_audio_set_gain(f.audio, voice, INFINITY, 0);
    assert_near(level_now(&f), 0, 0);
    filo_audio_set_gain(f.audio, voice, 0, 0);
    expect_warning("master: a gain that is not a number is silent",
                   filo_audio_fade_bus(f.audio, "master", INFINITY, 0));
    assert_near(level_now(&f), 0, 0);
    filo_audio_fade_bus(f.audio, "master", 0, 0);
    // Less than FILO_SILENT is meant.
    expect_no_warning(filo_audio_set_gain(f.audio, voice, -INFINITY, 0));
    assert_near(level_now(&f), 0, 0);
    fixture_end(&f);
}

FILO_TEST(a_sound_at_no_position_is_not_heard) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "lost.wav", 4 * RATE, 1);
    FiloVoice voice = filo_audio_play(
        f.audio, CUE("lost.wav", .flags = FILO_SOUND_PLACED | FILO_SOUND_DOPPLER, .position = { NAN, 0, 0 }));
    expect_warnings(1, "lost.wav: is at a position that is not a number, and not heard",
                    assert_near(level_now(&f), 0, 0));
    filo_audio_place(f.audio, voice, filo_vec3(0, 0, 0), filo_vec3(NAN, 0, 0));
    assert_true(level_now(&f) > 0.29);
    // A listener that is nowhere stays.
    expect_warnings(1, "the listener is at a position that is not a number: it stays where it was",
                    filo_audio_set_listener2(f.audio, (FiloVec2){ INFINITY, 0 }, NULL));
    assert_true(level_now(&f) > 0.29);
    assert_near(filo_audio_time(f.audio, voice), 12.0 / 60, 1e-6);
    fixture_end(&f);
}

FILO_TEST(numbers_of_a_bus_that_are_not_finite_change_nothing) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "a.wav", RATE, 2);
    FiloBusDesc desc = { .low_pass = NAN, .reverb = { .decay = INFINITY, .damping = NAN }, .duck = NAN };
    expect_warnings(1, "room: a number of a bus that is not finite counts as 0",
                    assert_true(filo_audio_set_bus(f.audio, "room", &desc)));
    desc = (FiloBusDesc){ .reverb = { .decay = 1, .gain = NAN } };
    expect_warnings(1, "hall: a reverb whose gain is not a number is silent",
                    assert_true(filo_audio_set_bus(f.audio, "hall", &desc)));
    filo_audio_play(f.audio, CUE("a.wav", .bus = filo_name("room")));
    filo_audio_play(f.audio, CUE("a.wav", .bus = filo_name("hall"), .gain = -20));
    assert_near(level_now(&f), 0.55, 0.001);
    fixture_end(&f);
}

FILO_TEST(distances_that_make_no_sense_are_said_once) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "far.wav", RATE, 1);
    expect_warnings(1, "far.wav: `far` is not more than `near`, so that of the listener is used",
                    filo_audio_play(f.audio, CUE("far.wav", .near = 20, .far = 5)));
    expect_warnings(1, "far.wav: a distance that is not a number counts as 0",
                    filo_audio_play(f.audio, CUE("far.wav", .near = NAN, .far = INFINITY)));
    expect_warnings(
        1, "the listener has a `far` that is not more than its `near`: it counts as 40 × near",
        filo_audio_set_listener2(f.audio, (FiloVec2){ 0, 0 }, &(FiloListener){ .near = 20, .far = 5 }));
    expect_warnings(0, "", run(&f, 2));
    fixture_end(&f);
}

FILO_TEST(times_beyond_all_measure_do_not_hang) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "time.wav", RATE / 4, 2);
    FiloVoice loop = filo_audio_play(f.audio, CUE("time.wav", .flags = FILO_SOUND_LOOP));
    run(&f, 2);
    filo_audio_seek(f.audio, loop, 1e300);
    run(&f, 1);
    assert_true(filo_audio_time(f.audio, loop) < 0.26);
    filo_audio_seek(f.audio, loop, NAN);
    run(&f, 3);
    assert_near(filo_audio_time(f.audio, loop), 3.0 / 60, 1e-5);
    filo_audio_seek(f.audio, loop, 10.1); // in the loop, as if it had played so long
    run(&f, 1);
    assert_near(filo_audio_time(f.audio, loop), 0.1 + 1.0 / 60, 1e-5);
    FiloVoice late = { 0 };
    expect_warnings(1, "time.wav: a start that is not a number counts as 0",
                    late = filo_audio_play(f.audio, CUE("time.wav", .start = INFINITY)));
    run(&f, 3);
    assert_near(filo_audio_time(f.audio, late), 3.0 / 60, 1e-5);
    FiloVoice once = filo_audio_play(f.audio, CUE("time.wav", .start = 3e38f, .fade_in = -1));
    run(&f, 2);
    assert_false(filo_audio_playing(f.audio, once));
    fixture_end(&f);
}

FILO_TEST(a_pitch_that_is_no_number_changes_nothing) {
    Fixture f;
    fixture_begin_registered(&f);
    add_level(&f, "pitch.wav", RATE, 2);
    FiloVoice voice = { 0 };
    expect_warnings(1, "pitch.wav: a pitch that is not a number counts as 0",
                    voice = filo_audio_play(f.audio, CUE("pitch.wav", .pitch = NAN, .variation = INFINITY)));
    run(&f, 6);
    assert_near(filo_audio_time(f.audio, voice), 0.1, 1e-5);
    filo_audio_set_pitch(f.audio, voice, -INFINITY);
    filo_audio_set_occlusion(f.audio, voice, NAN);
    assert_true(level_now(&f) > 0.45);
    // In the world, too: the sound ends in the tick in which it would.
    FiloEntity entity = filo_create(f.world, FILO_SET(FiloSound, .sound = filo_name("pitch.wav"),
                                                      .pitch = NAN, .variation = NAN, .time = (double)NAN));
    run(&f, 60);
    assert_false(filo_get(f.world, entity, FiloSound)->ended);
    run(&f, 1);
    assert_true(filo_get(f.world, entity, FiloSound)->ended);
    assert_near(filo_semitones(NAN), 1, 0);
    assert_near(filo_decibels(NAN), 0, 0);
    fixture_end(&f);
}

FILO_TEST(two_channels_have_no_direction_which_is_said_once) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "wide.wav", RATE, 2);
    filo_audio_play(f.audio, CUE("wide.wav", .flags = FILO_SOUND_PLACED, .position = { 5, 0, 0 }));
    expect_warnings(1, "wide.wav: has two channels, so only its level depends on where it is", run(&f, 2));
    filo_audio_play(f.audio, CUE("wide.wav", .flags = FILO_SOUND_PLACED));
    expect_warnings(0, "", run(&f, 1));
    fixture_end(&f);
}

FILO_TEST(thousands_of_sounds_in_a_tick_are_limited_with_one_message) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "many.wav", RATE / 10, 1);
    size_t played = 0;
    expect_warnings(1, "there are 1024 voices already: more sounds are not played", {
        for (int i = 0; i < 10000; i++)
            played += filo_audio_play(f.audio, CUE("many.wav", .gain = -40)).index != 0;
    });
    assert_int_equal(played, FILO_AUDIO_VOICES);
    assert_int_equal(filo_audio_stats(f.audio).lost, 10000 - FILO_AUDIO_VOICES);
    run(&f, 10);
    assert_int_equal(filo_audio_stats(f.audio).voices, 0);
    fixture_end(&f);
}

FILO_TEST(a_bus_that_does_not_exist_is_said_once_with_the_one_that_was_meant) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "a.wav", RATE / 10, 1);
    FiloCue *cue = CUE("a.wav", .bus = filo_name("musik"));
    expect_warnings(1, "there is no bus \"musik\"; \"sounds\" is used: did you mean \"music\"?",
                    filo_audio_play(f.audio, cue));
    expect_warnings(0, "", filo_audio_play(f.audio, cue));
    fixture_end(&f);
}

FILO_TEST(an_asset_that_is_no_sound_is_said_once) {
    Fixture f;
    fixture_begin(&f);
    filo_assets_add_bytes(f.assets, "cues", "game.cues", "{}", 2);
    filo_assets_wait_all(f.assets);
    FiloVoice voice = filo_audio_play(f.audio, CUE("game.cues"));
    expect_warnings(1, "game.cues is no sound, but an asset of type \"cues\"", run(&f, 1));
    assert_false(filo_audio_playing(f.audio, voice));
    filo_audio_play(f.audio, CUE("game.cues"));
    expect_warnings(0, "", run(&f, 1));
    fixture_end(&f);
}

static void count_line(const FiloLogMessage *message, void *user) {
    (void)message;
    ++*(int *)user;
}

FILO_TEST(a_name_that_is_no_asset_and_a_length_that_cannot_be_read_are_said_once) {
    Fixture f;
    fixture_begin(&f);
    int lines = 0;
    FiloLogSink sink =
        filo_log_add_sink(&(FiloLogSinkDesc){ .write = count_line, .user = &lines, .filter = "error" });
    for (int i = 0; i < 5; i++) { // as a game that sets its music in every frame
        filo_audio_music(f.audio, "calm", 1);
        run(&f, 1);
    }
    filo_log_remove_sink(sink);
    assert_int_equal(lines, 1);                              // "calm": no type of assets has the extension ""
    add_synth(&f, "calm", "{\"layers\":[{\"seconds\":1}]}"); // from now on it is one
    FiloVoice voice = filo_audio_music(f.audio, "calm", 0);
    run(&f, 2);
    assert_true(filo_audio_heard(f.audio, voice));
    expect_warnings(1, "none.wav: No such file or directory",
                    assert_near(filo_sound_seconds(f.assets, filo_name("none.wav")), 0, 0));
    expect_warnings(0, "", assert_near(filo_sound_seconds(f.assets, filo_name("none.wav")), 0, 0));
    fixture_end(&f);
}

FILO_TEST(stopping_again_does_not_stop_later_and_a_paused_voice_stops_at_once) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "a.wav", 10 * RATE, 2);
    FiloVoice voice = filo_audio_play(f.audio, CUE("a.wav"));
    run(&f, 2);
    filo_audio_stop(f.audio, voice, 0.1f);
    run(&f, 3);
    filo_audio_stop(f.audio, voice, 5);
    run(&f, 4);
    assert_false(filo_audio_playing(f.audio, voice));
    filo_audio_stop(f.audio, voice, 1); // stale
    voice = filo_audio_play(f.audio, CUE("a.wav"));
    run(&f, 2);
    filo_audio_set_time(f.audio, true, 1); // the game is paused, and its level is left
    filo_audio_step(f.audio, 1.0 / 60);
    filo_audio_stop_bus(f.audio, "sounds", 1);
    filo_audio_step(f.audio, 1.0 / 60);
    assert_false(filo_audio_playing(f.audio, voice));
    fixture_end(&f);
}

FILO_TEST(layers_that_start_in_the_middle_wait_for_each_other) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "first.wav", RATE, 2);
    size_t size;
    static int16_t samples[2 * RATE];
    for (size_t i = 0; i < 2 * RATE; i++) samples[i] = 8192;
    uint8_t *bytes = wav_bytes(samples, RATE, 2, RATE, &size);
    write_file("second.wav", bytes, size); // is loaded when it is played
    free(bytes);
    FiloCue cues[2] = { { .sound = filo_name("first.wav"), .start = 0.5f },
                        { .sound = filo_name("second.wav"), .flags = FILO_SOUND_DOPPLER } };
    FiloVoice voices[2];
    assert_int_equal(filo_audio_play_together(f.audio, cues, 2, voices), 2);
    run(&f, 6);
    assert_near(filo_audio_time(f.audio, voices[0]), 0.6, 1e-5);
    assert_near(filo_audio_time(f.audio, voices[1]), 0.6, 1e-5);
    assert_near(heard_last(&f, 0), 0.75, 0.001);
    run(&f, 26);
    assert_int_equal(last_heard(&f), RATE / 2 - 1);
    fixture_end(&f);
}

FILO_TEST(a_component_changes_its_loop_and_its_bus_while_it_plays) {
    Fixture f;
    fixture_begin_registered(&f);
    add_level(&f, "short.wav", 6 * TICK, 2);
    FiloEntity entity = filo_create(f.world, FILO_SET(FiloSound, .sound = filo_name("short.wav")));
    run(&f, 3);
    filo_edit(f.world, entity, FiloSound)->flags = FILO_SOUND_LOOP;
    run(&f, 20);
    assert_near(last_level(&f), 0.5, 0.001);
    filo_audio_set_volume(f.audio, "ui", 0);
    filo_edit(f.world, entity, FiloSound)->bus = filo_name("ui");
    run(&f, 2);
    assert_near(last_level(&f), 0, 1e-6);
    filo_edit(f.world, entity, FiloSound)->bus = filo_name("sounds");
    filo_edit(f.world, entity, FiloSound)->flags = 0;
    run(&f, 1);
    assert_true(last_level(&f) > 0.1);
    run(&f, 12);
    assert_near(last_level(&f), 0, 0);
    assert_true(filo_get(f.world, entity, FiloSound)->ended);
    fixture_end(&f);
}

FILO_TEST(loop_points_that_change_do_not_reach_a_stream_that_plays) {
    Fixture f;
    fixture_begin_with(&f, 2, NULL);
    FiloAsset asset = add_level(&f, "stream.wav", 6 * RATE, 2);
    FiloSoundInfo info;
    assert_true(filo_sound_info(f.assets, asset, &info) && info.streamed);
    FiloVoice voice = filo_audio_play(f.audio, CUE("stream.wav", .flags = FILO_SOUND_LOOP));
    run(&f, 6);
    for (int i = 1; i < 40; i++) { // while parts of it are decoded
        assert_true(filo_sound_set_loop(f.assets, asset, 0.01 * i, 0.01 * i + 0.1));
        run(&f, 1);
    }
    assert_false(filo_sound_set_loop(f.assets, asset, -1, 1));
    assert_false(filo_sound_set_loop(f.assets, asset, 1, 1));
    assert_false(filo_sound_set_loop(f.assets, asset, 0, (double)NAN));
    assert_near(filo_audio_time(f.audio, voice), 45.0 / 60, 1e-5);
    FiloVoice later = filo_audio_play(f.audio, CUE("stream.wav", .flags = FILO_SOUND_LOOP));
    run(&f, 60);
    assert_true(filo_audio_time(f.audio, later) < 0.5);
    assert_near(filo_audio_time(f.audio, voice), 105.0 / 60, 1e-5);
    fixture_end(&f);
}
