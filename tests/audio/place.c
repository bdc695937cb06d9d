// Where sounds are heard from.

#include "audio/audio.h"
#include "audio/fixture.h"

FILO_TEST(the_level_falls_with_the_distance) {
    assert_near(audio_falloff(FILO_FALLOFF_INVERSE, 0, 1, 100), 1, 0);
    assert_near(audio_falloff(FILO_FALLOFF_INVERSE, 1, 1, 100), 1, 0);
    assert_near(audio_falloff(FILO_FALLOFF_INVERSE, 2, 1, 1e9f), 0.5, 1e-6);
    assert_near(audio_falloff(FILO_FALLOFF_INVERSE, 100, 1, 100), 0, 0);
    assert_near(audio_falloff(FILO_FALLOFF_INVERSE, 99.99f, 1, 100), 0, 1e-5); // without a jump
    assert_near(audio_falloff(FILO_FALLOFF_LINEAR, 55, 10, 100), 0.5, 1e-6);
    assert_near(audio_falloff(FILO_FALLOFF_LINEAR, 200, 10, 100), 0, 0);
    assert_near(audio_falloff(FILO_FALLOFF_NONE, 99, 1, 100), 1, 0);
    assert_near(audio_falloff(FILO_FALLOFF_NONE, 100, 1, 100), 0, 0);
    assert_near(audio_falloff(FILO_FALLOFF_INVERSE, NAN, 1, 100), 1, 0);
    float before = 1;
    for (float d = 0; d < 120; d += 0.5f) {
        float now = audio_falloff(FILO_FALLOFF_INVERSE, d, 3, 100);
        assert_true(now <= before && now >= 0);
        before = now;
    }
}

// The levels of both channels for a sound at a position.
static void hear(Fixture *f, FiloVec3 position, double levels[2]) {
    size_t from = f->frames;
    FiloVoice voice =
        filo_audio_play(f->audio, CUE("level.wav", .flags = FILO_SOUND_PLACED, .position = position));
    run(f, 2);
    levels[0] = (double)heard_at(f, from + 100, 0);
    levels[1] = (double)heard_at(f, from + 100, 1);
    filo_audio_stop(f->audio, voice, 0);
    run(f, 3);
}

FILO_TEST(in_the_plane_sounds_are_panned_by_how_far_left_or_right_they_are) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "level.wav", RATE, 1);
    FiloListener listener = { .near = 1000, .far = 2000, .pan = 100 };
    filo_audio_set_listener2(f.audio, filo_vec2(50, 50), &listener);
    double middle[2], right[2], left[2], half[2], above[2];
    hear(&f, filo_vec3(50, 50, 0), middle);
    hear(&f, filo_vec3(150, 50, 0), right);
    hear(&f, filo_vec3(-90, 50, 0), left);
    hear(&f, filo_vec3(100, 50, 0), half);
    hear(&f, filo_vec3(50, 700, 0), above);
    assert_near(middle[0], middle[1], 1e-6);
    assert_near(right[0], 0, 1e-6);
    assert_near(right[1], 0.5, 1e-6);
    assert_near(left[0], 0.5, 1e-6);
    assert_near(left[1], 0, 1e-6);
    assert_true(half[1] > middle[1] && half[1] < right[1] && half[0] > 0 && half[0] < middle[0]);
    assert_near(above[0], above[1], 1e-6);
    fixture_end(&f);
}

FILO_TEST(in_space_sounds_are_panned_by_their_direction) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "level.wav", RATE, 1);
    FiloListener listener = { .near = 100, .far = 1000 };
    FiloQuat ahead = { 0 };
    filo_audio_set_listener3(f.audio, filo_vec3(0, 0, 0), ahead, &listener);
    double front[2], right[2], turned[2], inside[2];
    hear(&f, filo_vec3(0, 0, -90), front);
    hear(&f, filo_vec3(99, 0, 0), right);
    hear(&f, filo_vec3(5, 0, 0), inside);
    assert_near(front[0], front[1], 1e-5);
    assert_true(right[1] > 0.45 && right[0] < 0.05);
    assert_true(inside[1] < 0.4 && inside[1] >= inside[0]); // nearly in the head
    // Turned to the right by 90 degrees, the sound is ahead.
    FiloQuat look = filo_quat_from_axis_angle(filo_vec3(0, 1, 0), -FILO_PI / 2);
    filo_audio_set_listener3(f.audio, filo_vec3(0, 0, 0), look, &listener);
    hear(&f, filo_vec3(99, 0, 0), turned);
    assert_near(turned[0], turned[1], 1e-3);
    fixture_end(&f);
}

FILO_TEST(distance_lowers_the_level) {
    Fixture f;
    fixture_begin(&f);
    add_level(&f, "level.wav", RATE, 1);
    filo_audio_set_listener2(f.audio, filo_vec2(0, 0),
                             &(FiloListener){ .near = 10, .far = 1e6f, .pan = 1e9f });
    double near[2], twice[2], beyond[2];
    hear(&f, filo_vec3(0, 10, 0), near);
    hear(&f, filo_vec3(0, 20, 0), twice);
    assert_near(twice[0] / near[0], 0.5, 1e-3);
    filo_audio_set_listener2(f.audio, filo_vec2(0, 0), &(FiloListener){ .near = 10 });
    hear(&f, filo_vec3(0, 401, 0), beyond); // far is 40 × near
    assert_near(beyond[0], 0, 0);
    fixture_end(&f);
}

FILO_TEST(a_sound_that_comes_nearer_is_higher) {
    Fixture f;
    fixture_begin(&f);
    add_sine(&f, "a.wav", 1000, 2);
    filo_audio_set_listener3(f.audio, filo_vec3(0, 0, 0), (FiloQuat){ 0 },
                             &(FiloListener){ .near = 1000, .speed_of_sound = 340 });
    FiloVoice voice = filo_audio_play(
        f.audio, CUE("a.wav", .flags = FILO_SOUND_PLACED | FILO_SOUND_DOPPLER, .position = { 0, 0, -500 }));
    filo_audio_place(f.audio, voice, filo_vec3(0, 0, -500), filo_vec3(0, 0, 34));
    run(&f, 30);
    assert_near(frequency(&f, 2000, 20000, 0), 1000 * 340.0 / (340 - 34), 1);
    filo_audio_place(f.audio, voice, filo_vec3(0, 0, -500), filo_vec3(0, 0, -34));
    run(&f, 30);
    assert_near(frequency(&f, 26000, 44000, 0), 1000 * 340.0 / (340 + 34), 1);
    // Faster than sound, and where the listener is: no accident.
    filo_audio_place(f.audio, voice, filo_vec3(0, 0, -500), filo_vec3(0, 0, 1e9f));
    run(&f, 2);
    filo_audio_place(f.audio, voice, filo_vec3(0, 0, 0), filo_vec3(0, 0, 1e9f));
    run(&f, 2);
    fixture_end(&f);
}

FILO_TEST(headphones_hear_height) {
    Fixture f;
    fixture_begin_with(&f, 1, &(FiloAudioDesc){ .output = FILO_AUDIO_OFFLINE, .headphones = true });
    add_sine(&f, "a.wav", 6000, 2);
    filo_audio_set_listener3(f.audio, filo_vec3(0, 0, 0), (FiloQuat){ 0 }, &(FiloListener){ .near = 100 });
    FiloVoice voice =
        filo_audio_play(f.audio, CUE("a.wav", .flags = FILO_SOUND_PLACED, .position = { 0, 0, -100 }));
    run(&f, 20);
    double ahead = level(&f, 8000, 15000, 0);
    filo_audio_place(f.audio, voice, filo_vec3(0, 100, 0), filo_vec3(0, 0, 0));
    run(&f, 20);
    double above = level(&f, 24000, 31000, 0);
    assert_true(fabs(ahead - above) > 0.02 * ahead);
    fixture_end(&f);
}
