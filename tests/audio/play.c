// Playing by calls: levels, timing, pitch, loops, fades.

#include "audio/fixture.h"

#define CENTRE 0.595662f // the level of each channel for a mono sound in the middle

FILO_TEST(a_sound_starts_with_the_sample_of_its_tick_and_ends_with_its_last) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "level.wav", 1000, 1);
    run(&f, 3);
    FiloVoice voice = filo_audio_play(f.audio, CUE("level.wav"));
    assert_true(filo_audio_playing(f.audio, voice));
    assert_false(filo_audio_heard(f.audio, voice));
    run(&f, 1);
    assert_true(filo_audio_heard(f.audio, voice));
    run(&f, 4);
    assert_int_equal(f.frames, 8 * TICK);
    assert_int_equal(first_heard(&f, 0), 3 * TICK);
    assert_int_equal(last_heard(&f), 3 * TICK + 999);
    assert_false(filo_audio_playing(f.audio, voice));
    assert_int_equal(filo_audio_stats(f.audio).voices, 0);
    fixture_end(&f);
}

FILO_TEST(levels_are_those_of_the_file) {
    Fixture f;
    fixture_begin(&f);
    int16_t both[2000];
    for (int i = 0; i < 1000; i++) both[2 * i] = 16384, both[2 * i + 1] = -8192;
    add_samples(&f, "stereo.wav", both, 1000, 2, RATE);
    add_level(&f, "mono.wav", 1000, 1);
    filo_audio_play(f.audio, CUE("stereo.wav"));
    run(&f, 3);
    assert_near(heard_at(&f, 500, 0), 0.5, 1e-6);
    assert_near(heard_at(&f, 500, 1), -0.25, 1e-6);
    filo_audio_play(f.audio, CUE("mono.wav"));
    run(&f, 2);
    assert_near(heard_at(&f, 3 * TICK + 500, 0), 0.5f * CENTRE, 1e-5);
    assert_near(heard_at(&f, 3 * TICK + 500, 1), 0.5f * CENTRE, 1e-5);
    fixture_end(&f);
}

FILO_TEST(gain_is_in_decibels) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "level.wav", 800, 2);
    filo_audio_play(f.audio, CUE("level.wav", .gain = -20));
    run(&f, 2);
    assert_near(heard_at(&f, 100, 0), 0.05, 1e-5);
    filo_audio_play(f.audio, CUE("level.wav", .gain = FILO_SILENT));
    run(&f, 2);
    assert_int_equal(first_heard(&f, 2 * TICK), SIZE_MAX);
    assert_near(filo_decibels(-6), 0.501187, 1e-5);
    assert_near(filo_decibels(0), 1, 0);
    assert_near(filo_semitones(12), 2, 1e-6);
    assert_near(filo_semitones(-12), 0.5, 1e-6);
    assert_near(filo_decibels(NAN), 0, 0);
    fixture_end(&f);
}

FILO_TEST(pitch_is_in_semitones) {
    Fixture f;
    fixture_begin(&f);
    add_sine(&f, "a.wav", 440, 1);
    filo_audio_play(f.audio, CUE("a.wav"));
    run(&f, 30);
    assert_near(frequency(&f, 1000, 20000, 0), 440, 0.1);
    filo_audio_stop_bus(f.audio, NULL, 0);
    run(&f, 2);
    size_t from = f.frames;
    filo_audio_play(f.audio, CUE("a.wav", .pitch = 12));
    run(&f, 25);
    assert_near(frequency(&f, from + 1000, from + 18000, 0), 880, 0.2);
    run(&f, 6); // half as long
    assert_int_equal(filo_audio_stats(f.audio).voices, 0);
    fixture_end(&f);
}

FILO_TEST(variation_changes_the_pitch_at_random_and_the_same_in_every_run) {
    double pitches[2][4];
    for (int round = 0; round < 2; round++) {
        Fixture f;
        fixture_begin(&f);
        add_sine(&f, "a.wav", 1000, 0.2);
        for (int i = 0; i < 4; i++) {
            size_t from = f.frames;
            filo_audio_play(f.audio, CUE("a.wav", .variation = 2));
            run(&f, 8);
            pitches[round][i] = frequency(&f, from + 100, from + 6000, 0);
            assert_true(pitches[round][i] > 890 && pitches[round][i] < 1123);
            filo_audio_stop_bus(f.audio, NULL, 0);
            run(&f, 2);
        }
        fixture_end(&f);
    }
    assert_memory_equal(pitches[0], pitches[1], sizeof pitches[0]);
    assert_true(fabs(pitches[0][0] - pitches[0][1]) > 1);
}

FILO_TEST(a_stopped_voice_fades_and_does_not_click) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "long.wav", RATE, 2);
    FiloVoice voice = filo_audio_play(f.audio, CUE("long.wav"));
    run(&f, 5);
    filo_audio_stop(f.audio, voice, 0);
    run(&f, 3);
    assert_false(filo_audio_playing(f.audio, voice));
    float largest = 0;
    for (size_t i = 4 * TICK; i + 1 < 7 * TICK; i++)
        largest = fmaxf(largest, fabsf(heard_at(&f, i + 1, 0) - heard_at(&f, i, 0)));
    assert_true(largest < 0.01f);
    assert_true(last_heard(&f) < 6 * TICK);
    // Half a second of fading.
    voice = filo_audio_play(f.audio, CUE("long.wav"));
    run(&f, 10);
    size_t from = f.frames;
    filo_audio_stop(f.audio, voice, 0.5f);
    run(&f, 40);
    assert_near(heard_at(&f, from + 12000, 0), 0.5 * sin(M_PI / 4), 0.02);
    assert_near(last_heard(&f), from + 24000, 900);
    fixture_end(&f);
}

FILO_TEST(a_fade_in_begins_with_silence) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "long.wav", 2 * RATE, 2);
    filo_audio_play(f.audio, CUE("long.wav", .fade_in = 1));
    run(&f, 70);
    assert_near(heard_at(&f, 0, 0), 0, 0.001);
    assert_near(heard_at(&f, 24000, 0), 0.5 * sin(M_PI / 4), 0.02);
    assert_near(heard_at(&f, 50000, 0), 0.5, 1e-4);
    fixture_end(&f);
}

FILO_TEST(a_loop_repeats_between_its_points) {
    Fixture f;
    fixture_begin(&f);
    int16_t samples[1200];
    for (int i = 0; i < 1200; i++) samples[i] = (int16_t)(i < 400 ? 4096 : i < 1000 ? 16384 : 8192);
    FiloAsset asset = add_samples(&f, "loop.wav", samples, 1200, 1, RATE);
    assert_true(filo_sound_set_loop(f.assets, asset, 400.0 / RATE, 1000.0 / RATE));
    assert_false(filo_sound_set_loop(f.assets, asset, 0.5, 0.2));
    assert_false(filo_sound_set_loop(f.assets, asset, 0, 10));
    FiloVoice voice = filo_audio_play(f.audio, CUE("loop.wav", .flags = FILO_SOUND_LOOP));
    run(&f, 10);
    assert_near(heard_at(&f, 200, 0), 0.125f * CENTRE, 1e-4);
    for (size_t i = 500; i < 10 * TICK; i += 37) assert_near(heard_at(&f, i, 0), 0.5f * CENTRE, 1e-4);
    assert_true(filo_audio_playing(f.audio, voice));
    double time = filo_audio_time(f.audio, voice);
    assert_true(time >= 400.0 / RATE && time < 1000.0 / RATE);
    fixture_end(&f);
}

FILO_TEST(a_voice_can_be_paused_moved_in_time_and_changed) {
    Fixture f;
    fixture_begin(&f);
    int16_t samples[RATE];
    for (int i = 0; i < RATE; i++) samples[i] = (int16_t)(i / 2);
    add_samples(&f, "ramp.wav", samples, RATE, 1, RATE);
    FiloVoice voice = filo_audio_play(f.audio, CUE("ramp.wav", .start = 0.25f));
    run(&f, 2);
    // It rises from silence, because it does not begin with the first sample.
    assert_near(heard_at(&f, 0, 0), 0, 1e-3);
    assert_near(heard_at(&f, TICK + 100, 0), (12000 + TICK + 100) / 2 / 32768.0 * CENTRE, 1e-3);
    filo_audio_pause(f.audio, voice, true);
    run(&f, 5);
    assert_int_equal(first_heard(&f, 3 * TICK), SIZE_MAX);
    double time = filo_audio_time(f.audio, voice);
    filo_audio_pause(f.audio, voice, false);
    size_t from = f.frames;
    run(&f, 2);
    assert_near(heard_at(&f, from + TICK + 100, 0), (time * RATE + TICK + 100) / 2 / 32768.0 * CENTRE, 1e-3);
    filo_audio_seek(f.audio, voice, 0.75);
    from = f.frames;
    run(&f, 3);
    assert_near(heard_at(&f, from + TICK + 100, 0), (36000 + TICK + 100) / 2 / 32768.0 * CENTRE, 1e-3);
    filo_audio_set_gain(f.audio, voice, -20, 0);
    from = f.frames;
    run(&f, 3);
    assert_true(heard_at(&f, from + 2 * TICK, 0) < 0.1f * CENTRE);
    fixture_end(&f);
}

FILO_TEST(too_many_of_one_sound_stop_the_oldest) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "long.wav", RATE, 2);
    FiloVoice voices[4];
    for (int i = 0; i < 4; i++) {
        voices[i] = filo_audio_play(f.audio, CUE("long.wav", .limit = 2));
        run(&f, 3);
    }
    assert_false(filo_audio_playing(f.audio, voices[0]));
    assert_false(filo_audio_playing(f.audio, voices[1]));
    assert_true(filo_audio_playing(f.audio, voices[2]));
    assert_true(filo_audio_playing(f.audio, voices[3]));
    fixture_end(&f);
}

FILO_TEST(sounds_that_play_together_stay_together_to_the_sample) {
    Fixture f;
    fixture_begin(&f);
    int16_t samples[2 * 4800];
    for (int i = 0; i < 4800; i++) samples[2 * i] = (int16_t)(i * 3), samples[2 * i + 1] = 0;
    add_samples(&f, "a.wav", samples, 4800, 2, RATE);
    for (int i = 0; i < 4800; i++) samples[2 * i] = 0, samples[2 * i + 1] = (int16_t)(i * 3);
    add_samples(&f, "b.wav", samples, 4800, 2, RATE);
    FiloVoice voices[2];
    FiloCue cues[2] = { { .sound = filo_name("a.wav"), .flags = FILO_SOUND_LOOP },
                        { .sound = filo_name("b.wav"), .flags = FILO_SOUND_LOOP, .gain = FILO_SILENT } };
    assert_int_equal(filo_audio_play_together(f.audio, cues, 2, voices), 2);
    run(&f, 20);
    assert_near(level(&f, 0, f.frames, 1), 0, 0);
    filo_audio_set_gain(f.audio, voices[1], 0, 0.1f);
    run(&f, 20);
    size_t from = f.frames;
    run(&f, 10);
    for (size_t i = from; i < f.frames; i++) assert_near(heard_at(&f, i, 0), heard_at(&f, i, 1), 1e-6);
    assert_true(level(&f, from, f.frames, 1) > 0.1);
    expect_fault("voices that stay together keep their pitch", filo_audio_set_pitch(f.audio, voices[0], 1));
    expect_fault("up to 16 sounds stay together", filo_audio_play_together(f.audio, cues, 17, NULL));
    fixture_end(&f);
}

FILO_TEST(of_sounds_that_play_together_a_missing_one_ends_at_once_and_the_others_play) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "base.wav", RATE, 2);
    FiloCue cues[] = { { .sound = filo_name("base.wav") }, { .sound = filo_name("missing layer.wav") } };
    FiloVoice voices[2];
    assert_int_equal(filo_audio_play_together(f.audio, cues, 2, voices), 2);
    assert_true(filo_audio_playing(f.audio, voices[1]));
    run(&f, 2);
    assert_false(filo_audio_playing(f.audio, voices[1]));
    assert_true(filo_audio_playing(f.audio, voices[0]));
    assert_int_equal(first_heard(&f, 0), 0);
    cues[1].sound = (FiloName){ 0 }; // a cue without a sound is no layer
    assert_int_equal(filo_audio_play_together(f.audio, cues, 2, voices), 0);
    assert_int_equal(voices[0].index, 0);
    fixture_end(&f);
}

FILO_TEST(music_cross_fades) {
    Fixture f;
    fixture_begin(&f);
    add_sine(&f, "calm.wav", 500, 1);
    add_sine(&f, "wild.wav", 1500, 1);
    FiloVoice calm = filo_audio_music(f.audio, "calm.wav", 0.5f);
    run(&f, 60);
    assert_int_equal(filo_audio_music(f.audio, "calm.wav", 0.5f).index, calm.index);
    size_t before = f.frames;
    FiloVoice wild = filo_audio_music(f.audio, "wild.wav", 1);
    run(&f, 120);
    assert_false(filo_audio_playing(f.audio, calm));
    assert_true(filo_audio_playing(f.audio, wild));
    double full = strength(&f, before - 9600, before, 0, 500);
    // In the middle both have 0.707 of their level: the power stays the same.
    assert_near(strength(&f, before + 21600, before + 26400, 0, 500), full * 0.707, 0.02);
    assert_near(strength(&f, before + 21600, before + 26400, 0, 1500), full * 0.707, 0.02);
    assert_near(strength(&f, before + 60000, before + 69600, 0, 500), 0, 1e-3);
    assert_near(strength(&f, before + 60000, before + 69600, 0, 1500), full, 1e-3);
    filo_audio_music(f.audio, NULL, 0.1f);
    run(&f, 20);
    assert_int_equal(filo_audio_stats(f.audio).voices, 0);
    fixture_end(&f);
}

FILO_TEST(a_sound_that_is_missing_ends_at_once) {
    Fixture f;
    fixture_begin(&f);
    FiloVoice voice = filo_audio_play(f.audio, CUE("missing.wav"));
    run(&f, 1);
    assert_false(filo_audio_playing(f.audio, voice));
    filo_audio_play(f.audio, CUE("no extension"));
    run(&f, 1);
    assert_int_equal(filo_audio_stats(f.audio).voices, 0);
    fixture_end(&f);
}

FILO_TEST(a_sound_is_loaded_when_it_is_played) {
    Fixture f;
    fixture_begin(&f);
    int16_t samples[800];
    for (int i = 0; i < 800; i++) samples[i] = 16384;
    size_t size;
    uint8_t *bytes = wav_bytes(samples, 800, 1, RATE, &size);
    write_file("late.wav", bytes, size);
    free(bytes);
    filo_audio_play(f.audio, CUE("late.wav"));
    run(&f, 2);
    assert_int_equal(first_heard(&f, 0), 0); // what is rendered does not depend on the disk
    assert_int_equal(last_heard(&f), 799);
    fixture_end(&f);
}

FILO_TEST(unloading_a_sound_that_plays_does_not_end_it) {
    Fixture f;
    fixture_begin(&f);
    FiloAsset asset = add_level(&f, "level.wav", 4000, 1);
    FiloVoice voice = filo_audio_play(f.audio, CUE("level.wav"));
    run(&f, 1);
    filo_assets_unload(f.assets, asset);
    filo_assets_update(f.assets, 0);
    run(&f, 2);
    assert_true(filo_audio_playing(f.audio, voice));
    assert_true(heard_at(&f, 2 * TICK, 0) > 0.1f);
    run(&f, 100); // and its buffer is freed
    fixture_end(&f);
}

FILO_TEST(stale_voices_are_ignored) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "short.wav", 100, 1);
    add_level(&f, "long.wav", RATE, 1);
    FiloVoice old = filo_audio_play(f.audio, CUE("short.wav"));
    run(&f, 3);
    FiloVoice next = filo_audio_play(f.audio, CUE("long.wav"));
    assert_int_equal(old.index, next.index);
    filo_audio_stop(f.audio, old, 0);
    filo_audio_seek(f.audio, old, 1);
    filo_audio_set_gain(f.audio, old, -10, 0);
    filo_audio_place(f.audio, old, (FiloVec3){ 1, 2, 3 }, (FiloVec3){ 0 });
    run(&f, 3);
    assert_false(filo_audio_playing(f.audio, old));
    assert_true(filo_audio_playing(f.audio, next));
    assert_near(filo_audio_time(f.audio, old), 0, 0);
    fixture_end(&f);
}
