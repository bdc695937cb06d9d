// The synthesiser.

#include "audio/synth/synth.h"
#include "audio/audio.h"
#include "audio/fixture.h"

#include <filo/hash.h>

static void play(Fixture *f, const char *text, int ticks) {
    add_synth(f, "x.synth", text);
    filo_audio_play(f->audio, CUE("x.synth"));
    run(f, ticks);
}

FILO_TEST(waves_have_their_frequency_and_overtones) {
    static const struct {
        const char *wave;
        double second, third; // strengths of overtones, against the first
    } waves[] = {
        { "sine", 0, 0 }, { "triangle", 0, 1.0 / 9 }, { "square", 0, 1.0 / 3 }, { "saw", 0.5, 1.0 / 3 }
    };
    for (size_t i = 0; i < FILO_COUNT_OF(waves); i++) {
        Fixture f;
        fixture_begin(&f);
        char text[256];
        snprintf(text, sizeof text,
                 "{\"rate\":48000,\"layers\":[{\"wave\":\"%s\",\"frequency\":500,\"seconds\":0.5}]}",
                 waves[i].wave);
        play(&f, text, 40);
        double first = strength(&f, 4800, 19200, 0, 500);
        assert_true(first > 0.1);
        assert_near(strength(&f, 4800, 19200, 0, 1000) / first, waves[i].second, 0.02);
        assert_near(strength(&f, 4800, 19200, 0, 1500) / first, waves[i].third, 0.02);
        assert_near(last_heard(&f), 0.55 * RATE, 300); // with the release
        fixture_end(&f);
    }
}

FILO_TEST(a_high_saw_does_not_alias) {
    Fixture f;
    fixture_begin(&f);
    play(&f, "{\"rate\":48000,\"layers\":[{\"wave\":\"saw\",\"frequency\":7000,\"seconds\":0.5}]}", 30);
    double first = strength(&f, 4800, 19200, 0, 7000);
    // 7 × 7000 Hz is 1000 Hz beyond the rate: a plain saw has it at 1000 Hz, with a seventh of the level.
    assert_true(strength(&f, 4800, 19200, 0, 1000) < first * 0.05);
    fixture_end(&f);
}

FILO_TEST(envelopes_slides_and_filters_do_what_they_say) {
    Fixture f;
    fixture_begin(&f);
    play(&f,
         "{\"layers\":[{\"wave\":\"sine\",\"frequency\":1000,\"attack\":0.1,\"decay\":0.1,\"sustain\":0.25,"
         "\"seconds\":0.4,\"release\":0.1}]}",
         40);
    double full = 0.5957;
    assert_near(strength(&f, 2160, 2640, 0, 1000), full * 0.5, 0.03);
    assert_near(strength(&f, 12000, 16800, 0, 1000), full * 0.25, 0.01);
    assert_true((double)last_heard(&f) < 0.51 * RATE);
    fixture_end(&f);
    fixture_begin(&f);
    play(&f, "{\"layers\":[{\"frequency\":500,\"seconds\":1,\"slide\":[[0,0],[0.4,0],[0.401,12]]}]}", 60);
    assert_near(frequency(&f, 4800, 16800, 0), 500, 2);
    assert_near(frequency(&f, 24000, 40000, 0), 1000, 2);
    fixture_end(&f);
    fixture_begin(&f);
    play(&f, "{\"layers\":[{\"wave\":\"noise\",\"seconds\":1,\"low_pass\":500}]}", 60);
    double low = 0, high = 0;
    for (int hz = 100; hz < 400; hz += 20) low += strength(&f, 4800, 43200, 0, hz);
    for (int hz = 8000; hz < 8300; hz += 20) high += strength(&f, 4800, 43200, 0, hz);
    assert_true(high < low * 0.05);
    fixture_end(&f);
    fixture_begin(&f);
    play(&f, "{\"layers\":[{\"wave\":\"noise\",\"seconds\":1,\"high_pass\":4000}]}", 60);
    low = high = 0;
    for (int hz = 100; hz < 400; hz += 20) low += strength(&f, 4800, 43200, 0, hz);
    for (int hz = 8000; hz < 8300; hz += 20) high += strength(&f, 4800, 43200, 0, hz);
    assert_true(low < high * 0.05);
    fixture_end(&f);
}

FILO_TEST(an_echo_comes_back_quieter) {
    Fixture f;
    fixture_begin(&f);
    play(&f,
         "{\"rate\":48000,\"seconds\":1,\"layers\":[{\"frequency\":1000,\"seconds\":0.05,\"release\":0}],"
         "\"echo\":{\"delay\":0.2,\"gain\":-6,\"feedback\":-12}}",
         60);
    double dry = strength(&f, 480, 1920, 0, 1000);
    assert_near(strength(&f, 9600 + 480, 9600 + 1920, 0, 1000) / dry, 0.501, 0.01);
    assert_near(strength(&f, 19200 + 480, 19200 + 1920, 0, 1000) / dry, 0.501 * 0.251, 0.01);
    assert_near(strength(&f, 5000, 9000, 0, 1000), 0, 0.01);
    fixture_end(&f);
}

FILO_TEST(tracks_play_notes_in_time) {
    Fixture f;
    fixture_begin(&f);
    play(&f,
         "{\"tempo\":120,\"instruments\":{\"lead\":[{\"wave\":\"sine\",\"release\":0.01}]},"
         "\"tracks\":[{\"instrument\":\"lead\",\"step\":1,\"notes\":\"a4 - | . a5\",\"repeat\":2}]}",
         60 * 5);
    assert_near(frequency(&f, 2400, 45600, 0), 440, 0.5); // two beats
    assert_near(level(&f, 50400, 69600, 0), 0, 1e-3);
    assert_near(frequency(&f, 74400, 93600, 0), 880, 0.5);
    assert_near(frequency(&f, 98400, 141600, 0), 440, 0.5); // again
    assert_near(last_heard(&f), 4 * RATE, 1000);
    fixture_end(&f);
}

FILO_TEST(pan_makes_a_sound_stereo) {
    Fixture f;
    fixture_begin(&f);
    play(&f, "{\"layers\":[{\"pan\":-1,\"seconds\":0.5,\"frequency\":500}]}", 30);
    assert_true(level(&f, 2400, 19200, 0) > 0.5);
    assert_near(level(&f, 2400, 19200, 1), 0, 1e-4);
    fixture_end(&f);
}

// The same description gives the same samples on every machine and with every compiler.
FILO_TEST(samples_are_the_same_everywhere) {
    const char text[] =
        "{\"gain\":-3,\"echo\":{\"delay\":0.1},\"layers\":["
        "{\"wave\":\"saw\",\"frequency\":220,\"vibrato_rate\":6,\"vibrato_depth\":0.3,\"low_pass\":[[0,4000],"
        "[0.3,300]],"
        "\"resonance\":0.5},{\"wave\":\"noise\",\"high_pass\":2000,\"decay\":0.1,\"sustain\":0.1,\"pan\":0.3}"
        ","
        "{\"wave\":\"sine\",\"modulator_ratio\":2.5,\"modulator_depth\":3,\"tremolo_rate\":9,\"tremolo_"
        "depth\":0.5},"
        "{\"wave\":\"square\",\"duty\":0.25,\"frequency\":331},{\"wave\":\"triangle\",\"frequency\":123.4}]}";
    AudioSound *sound = NULL;
    assert_ok(audio_synth_decode(text, sizeof text - 1, "golden", filo_heap(), &sound));
    assert_int_equal(sound->channels, 2);
    assert_int_equal(sound->frames, 11025);
    assert_int_equal(filo_hash(sound->samples, sound->size), UINT64_C(0xbfe9bc136280d115));
    audio_sound_release(sound);
}

// ---- Mistakes in files ------------------------------------------------------------------------------------------

static void expect_error(const char *text, FiloCode code, const char *message) {
    AudioSound *sound = NULL;
    assert_error(audio_synth_decode(text, strlen(text), "x.synth", filo_heap(), &sound), code, message);
    assert_null(sound);
}

FILO_TEST(mistakes_in_descriptions_have_line_and_column) {
    expect_error("", FILO_ERROR_DATA, "x.synth:1:1");
    expect_error("[]", FILO_ERROR_DATA, "x.synth:1:1: a sound is an object, not a list");
    expect_error("{}", FILO_ERROR_DATA, "x.synth: has neither \"layers\" nor notes in \"tracks\"");
    expect_error("{\"layers\":[]}", FILO_ERROR_DATA, "x.synth: has neither");
    expect_error("{\n \"layer\":[]}", FILO_ERROR_DATA, "x.synth:2:2: a sound has no \"layer\"");
    expect_error("{\"layers\":[{\"wave\":\"sinus\"}]}", FILO_ERROR_DATA,
                 "a wave is sine, triangle, square, saw or noise");
    expect_error("{\"layers\":[{\"frequncy\":1}]}", FILO_ERROR_DATA, "a layer has no \"frequncy\"");
    expect_error("{\"layers\":[{\"frequency\":\"high\"}]}", FILO_ERROR_DATA,
                 "frequency is a number, not a string");
    expect_error("{\"layers\":[{\"duty\":2}]}", FILO_ERROR_DATA, "duty is between 0.01 and 0.99");
    expect_error("{\"layers\":[{\"slide\":[[0,1],[1]]}]}", FILO_ERROR_DATA,
                 "slide is a number, not the end of a list");
    expect_error("{\"layers\":[{\"slide\":[[1,1],[0,1]]}]}", FILO_ERROR_DATA,
                 "the points of slide are not in the order of time");
    expect_error("{\"layers\":[{\"low_pass\":[]}]}", FILO_ERROR_DATA,
                 "low_pass is a number, or a list of [time, value]");
    expect_error("{\"layers\":[{\"start\":119,\"seconds\":60}]}", FILO_ERROR_LIMIT,
                 "x.synth: lasts longer than 120 seconds");
    expect_error("{\"instruments\":{\"a\":[{\"release\":60}]},\"tracks\":[{\"instrument\":\"a\",\"step\":0.1,"
                 "\"repeat\":100,\"notes\":\"c4\"}]}",
                 FILO_ERROR_LIMIT, "all its tones together last longer than 3600 seconds");
    expect_error("{\"tracks\":[{\"instrument\":\"none\",\"notes\":\"c4\"}]}", FILO_ERROR_DATA,
                 "there is no instrument \"none\" before this");
    expect_error("{\"instruments\":{\"a\":[{}]},\"tracks\":[{\"instrument\":\"a\",\"notes\":\"c4 h4\"}]}",
                 FILO_ERROR_DATA, "\"h4\" is no note: write c4, f#3, bb2, \".\" or \"-\"");
    expect_error("{\"instruments\":{\"a\":[{}]},\"tracks\":[{\"instrument\":\"a\"}]}", FILO_ERROR_DATA,
                 "a track has an \"instrument\" and \"notes\"");
    expect_error("{\"loop\":[1,0],\"layers\":[{}]}", FILO_ERROR_DATA, "a loop ends after it begins");
    expect_error("{\"loop\":[0,9],\"layers\":[{}]}", FILO_ERROR_DATA,
                 "x.synth: its loop ends after the sound");
    expect_error("{\"echo\":{\"dely\":1},\"layers\":[{}]}", FILO_ERROR_DATA, "an echo has \"delay\"");
    expect_error("{\"layers\":[{}]} x", FILO_ERROR_DATA,
                 "x.synth:1:17: expected nothing more after the value");
}

FILO_TEST(a_description_without_memory_is_an_error) {
    const char text[] =
        "{\"instruments\":{\"a\":[{},{}]},\"tracks\":[{\"instrument\":\"a\",\"notes\":\"c4 d4 e4\"}]}";
    for (size_t budget = 64; budget < FILO_KIB(512); budget = budget * 3 / 2) {
        FiloHeap heap;
        filo_heap_init(&heap, "scarce", budget);
        AudioSound *sound = NULL;
        FiloResult r = audio_synth_decode(text, sizeof text - 1, "x.synth", &heap.allocator, &sound);
        assert_true(r.code == FILO_OK || r.code == FILO_ERROR_MEMORY);
        assert_int_equal(sound != NULL, r.code == FILO_OK);
        audio_sound_release(sound);
        filo_heap_deinit(&heap); // reports what was not freed
    }
}
