// Buses: levels, volumes, effects, ducking, pausing.

#include "audio/fixture.h"

FILO_TEST(levels_of_buses_multiply) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "level.wav", 4 * TICK, 2);
    assert_true(filo_audio_set_bus(f.audio, "guns", &(FiloBusDesc){ .parent = "sounds", .gain = -20 }));
    assert_true(filo_audio_has_bus(f.audio, "guns"));
    assert_false(filo_audio_has_bus(f.audio, "cannons"));
    filo_audio_set_volume(f.audio, "sounds", 0.5f); // an amplitude of a quarter
    assert_near(filo_audio_volume(f.audio, "sounds"), 0.5, 0);
    filo_audio_play(f.audio, CUE("level.wav", .bus = filo_name("guns")));
    run(&f, 2);
    assert_near(heard_at(&f, TICK, 0), 0.5 * 0.1 * 0.25, 1e-5);
    filo_audio_set_volume(f.audio, "master", 0);
    run(&f, 2);
    assert_near(heard_at(&f, 4 * TICK - 1, 0), 0, 1e-3);
    filo_audio_set_volume(f.audio, "master", 1.1f); // a key that raises it
    assert_near(filo_audio_volume(f.audio, "master"), 1, 0);
    fixture_end(&f);
}

FILO_TEST(a_bus_fades) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "long.wav", 2 * RATE, 2);
    filo_audio_play(f.audio, CUE("long.wav"));
    run(&f, 1);
    filo_audio_fade_bus(f.audio, "sounds", FILO_SILENT, 1);
    run(&f, 30);
    assert_near(heard_at(&f, 31 * TICK - 1, 0), 0.25, 0.01);
    run(&f, 40);
    assert_near(heard_at(&f, 65 * TICK, 0), 0, 1e-4);
    filo_audio_fade_bus(f.audio, "sounds", 0, 0);
    run(&f, 2);
    assert_near(heard_last(&f, 0), 0.5, 1e-3);
    fixture_end(&f);
}

FILO_TEST(a_low_pass_damps_high_frequencies) {
    Fixture f;
    fixture_begin(&f);
    add_sine(&f, "low.wav", 200, 1);
    add_sine(&f, "high.wav", 8000, 1);
    filo_audio_play(f.audio, CUE("low.wav"));
    filo_audio_play(f.audio, CUE("high.wav"));
    run(&f, 20);
    double low = strength(&f, 4800, 14400, 0, 200), high = strength(&f, 4800, 14400, 0, 8000);
    filo_audio_set_bus(f.audio, "sounds", &(FiloBusDesc){ .low_pass = 500 });
    run(&f, 25);
    assert_near(strength(&f, 24000, 33600, 0, 200), low, low * 0.05);
    assert_true(strength(&f, 24000, 33600, 0, 8000) < high * 0.15);
    fixture_end(&f);
}

FILO_TEST(occlusion_is_a_low_pass_too) {
    Fixture f;
    fixture_begin(&f);
    add_sine(&f, "low.wav", 200, 1);
    add_sine(&f, "high.wav", 8000, 1);
    filo_audio_play(f.audio, CUE("low.wav", .occlusion = 1));
    FiloVoice voice = filo_audio_play(f.audio, CUE("high.wav", .occlusion = 1));
    run(&f, 20);
    double low = strength(&f, 4800, 14400, 0, 200), high = strength(&f, 4800, 14400, 0, 8000);
    assert_near(low, 0.5 * 0.5957 * 0.5012, 0.01);
    assert_true(high < 0.04 * low);
    filo_audio_set_occlusion(f.audio, voice, 0);
    run(&f, 20);
    assert_near(strength(&f, 19200, 28800, 0, 8000), 0.5 * 0.5957, 0.01);
    fixture_end(&f);
}

FILO_TEST(a_reverb_is_heard_after_the_sound) {
    Fixture f;
    fixture_begin(&f);
    add_sine(&f, "blip.wav", 600, 0.05);
    filo_audio_play(f.audio, CUE("blip.wav"));
    run(&f, 40);
    assert_true(last_heard(&f) < 2500); // without a room
    size_t from = f.frames;
    filo_audio_set_bus(f.audio, "sounds", &(FiloBusDesc){ .reverb = { .decay = 2, .gain = 0 } });
    filo_audio_play(f.audio, CUE("blip.wav"));
    run(&f, 90);
    double early = level(&f, from + 6000, from + 12000, 0), late = level(&f, from + 48000, from + 54000, 0);
    assert_true(early > 0.003);
    assert_true(late > 0 && late < early * 0.2);
    // Switched off again.
    filo_audio_set_bus(f.audio, "sounds", &(FiloBusDesc){ 0 });
    run(&f, 5);
    from = f.frames;
    filo_audio_play(f.audio, CUE("blip.wav"));
    run(&f, 40);
    assert_near(level(&f, from + 12000, from + 18000, 0), 0, 1e-3);
    fixture_end(&f);
}

FILO_TEST(speech_lowers_music_while_it_is_heard) {
    Fixture f;
    fixture_begin(&f);
    add_sine(&f, "music.wav", 500, 3);
    add_sine(&f, "speech.wav", 1500, 0.5);
    filo_audio_set_bus(f.audio, "speech", &(FiloBusDesc){ 0 });
    filo_audio_set_bus(
        f.audio, "music",
        &(FiloBusDesc){ .ducked_by = "speech", .duck = 20, .duck_attack = 0.1f, .duck_release = 0.2f });
    filo_audio_music(f.audio, "music.wav", 0);
    run(&f, 30);
    double full = strength(&f, 9600, 19200, 0, 500);
    filo_audio_play(f.audio, CUE("speech.wav", .bus = filo_name("speech")));
    run(&f, 80);
    assert_near(strength(&f, 33600, 43200, 0, 500), full * 0.1, full * 0.02);
    assert_near(strength(&f, 70000, 79600, 0, 500), full, full * 0.02);
    fixture_end(&f);
}

FILO_TEST(buses_pause_and_slow_down_with_the_game) {
    Fixture f;
    fixture_begin(&f);
    add_sine(&f, "a.wav", 500, 10);
    add_sine(&f, "b.wav", 1500, 10);
    filo_audio_set_bus(f.audio, "sounds", &(FiloBusDesc){ .flags = FILO_BUS_PAUSES | FILO_BUS_SLOWS });
    FiloVoice sound = filo_audio_play(f.audio, CUE("a.wav"));
    filo_audio_play(f.audio, CUE("b.wav", .bus = filo_name("music")));
    run(&f, 20);
    filo_audio_set_time(f.audio, true, 1);
    double time = filo_audio_time(f.audio, sound);
    for (int i = 0; i < 30; i++) filo_audio_step(f.audio, 1.0 / 60); // no ticks
    assert_int_equal(f.frames, 50 * TICK);
    assert_near(strength(&f, 24000, 33600, 0, 500), 0, 1e-3);
    assert_near(strength(&f, 24000, 33600, 0, 1500), 0.298, 1e-2);
    assert_near(filo_audio_time(f.audio, sound), time, 1e-9);
    filo_audio_set_time(f.audio, false, 0.5f);
    size_t from = f.frames;
    run(&f, 20); // each tick lasts twice as long
    assert_int_equal(f.frames - from, 40 * TICK);
    assert_near(strength(&f, from + 9600, from + 19200, 0, 250), 0.298, 1e-2);
    assert_near(strength(&f, from + 9600, from + 19200, 0, 500), 0, 1e-2);
    assert_near(strength(&f, from + 9600, from + 19200, 0, 1500), 0.298, 1e-2);
    fixture_end(&f);
}

FILO_TEST(a_bus_has_room_for_so_many_voices) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "long.wav", RATE, 2);
    filo_audio_set_bus(f.audio, "steps", &(FiloBusDesc){ .voices = 2 });
    FiloVoice voices[4];
    for (int i = 0; i < 4; i++)
        voices[i] =
            filo_audio_play(f.audio, CUE("long.wav", .bus = filo_name("steps"), .priority = (int16_t)i));
    run(&f, 2);
    assert_false(filo_audio_heard(f.audio, voices[0]));
    assert_false(filo_audio_heard(f.audio, voices[1]));
    assert_true(filo_audio_heard(f.audio, voices[2]));
    assert_true(filo_audio_heard(f.audio, voices[3]));
    assert_int_equal(filo_audio_stats(f.audio).voices, 4);
    assert_int_equal(filo_audio_stats(f.audio).heard, 2);
    fixture_end(&f);
}

FILO_TEST(stopping_a_bus_stops_those_below) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "long.wav", RATE, 2);
    filo_audio_set_bus(f.audio, "guns", &(FiloBusDesc){ .parent = "sounds" });
    FiloVoice gun = filo_audio_play(f.audio, CUE("long.wav", .bus = filo_name("guns")));
    FiloVoice ui = filo_audio_play(f.audio, CUE("long.wav", .bus = filo_name("ui")));
    run(&f, 2);
    filo_audio_stop_bus(f.audio, "sounds", 0);
    run(&f, 3);
    assert_false(filo_audio_playing(f.audio, gun));
    assert_true(filo_audio_playing(f.audio, ui));
    fixture_end(&f);
}

FILO_TEST(mistakes_with_buses_are_reported) {
    Fixture f;
    fixture_begin(&f);
    expect_fault("there is no bus \"misic\": create it by filo_audio_set_bus",
                 filo_audio_set_volume(f.audio, "misic", 1));
    expect_fault("there is no bus \"nowhere\"",
                 filo_audio_set_bus(f.audio, "new", &(FiloBusDesc){ .parent = "nowhere" }));
    expect_fault("there is no bus \"nowhere\"",
                 filo_audio_set_bus(f.audio, "new", &(FiloBusDesc){ .ducked_by = "nowhere" }));
    assert_true(filo_audio_set_bus(f.audio, "a", &(FiloBusDesc){ 0 }));
    assert_true(filo_audio_set_bus(f.audio, "b", &(FiloBusDesc){ .parent = "a" }));
    expect_fault("the bus \"a\" is below itself",
                 filo_audio_set_bus(f.audio, "a", &(FiloBusDesc){ .parent = "b" }));
    expect_fault("the bus \"a\" is ducked by itself",
                 assert_false(filo_audio_set_bus(f.audio, "a", &(FiloBusDesc){ .ducked_by = "a" })));
    // The voices of a bus count for those above, so this is the same.
    expect_fault(
        "the bus \"c\" is ducked by itself",
        assert_false(filo_audio_set_bus(f.audio, "c", &(FiloBusDesc){ .parent = "b", .ducked_by = "a" })));
    assert_false(filo_audio_has_bus(f.audio, "c"));
    assert_true(filo_audio_set_bus(f.audio, "b", &(FiloBusDesc){ .parent = "a", .ducked_by = "music" }));
    char name[16];
    for (int i = 6; i < FILO_AUDIO_BUSES; i++) {
        snprintf(name, sizeof name, "bus %d", i);
        assert_true(filo_audio_set_bus(f.audio, name, &(FiloBusDesc){ 0 }));
    }
    expect_fault("there are more than 32 buses",
                 filo_audio_set_bus(f.audio, "one more", &(FiloBusDesc){ 0 }));
    expect_fault("there is no bus \"x\"", filo_audio_stop_bus(f.audio, "x", 0));
    expect_fault("a volume is between 0 and 1, not 50", filo_audio_set_volume(f.audio, "music", 50));
    assert_near(filo_audio_volume(f.audio, "music"), 1, 0);
    expect_fault("a volume is between 0 and 1, not nan", filo_audio_set_volume(f.audio, "music", NAN));
    assert_near(filo_audio_volume(f.audio, "music"), 0, 0);
    fixture_end(&f);
}
