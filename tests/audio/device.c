// Devices: none, a silent one, one that is unplugged; and files.

#include "audio/audio.h"
#include "audio/fixture.h"
#include "support/warnings.h"

#include <filo/time.h>

#include <sndfile.h>

// Steps in real time until a device is there, or `wanted` is false and none is.
static bool wait_for_device(Fixture *f, bool wanted) {
    int64_t start = filo_time_ns();
    while ((strcmp(filo_audio_device(f->audio), "no device") != 0) != wanted) {
        if (filo_time_ns() - start > INT64_C(20000000000)) return false;
        filo_audio_step(f->audio, 0.01);
        filo_sleep_ns(1000000);
    }
    return true;
}

static bool wait_for_end(Fixture *f, FiloVoice voice) {
    int64_t start = filo_time_ns(), last = start;
    while (filo_audio_playing(f->audio, voice)) {
        int64_t now = filo_time_ns();
        if (now - start > INT64_C(20000000000)) return false;
        filo_audio_step(f->audio, (double)(now - last) / 1e9);
        last = now;
        filo_sleep_ns(1000000);
    }
    return true;
}

FILO_TEST_PROGRAM(plays_on_a_device) {
    Fixture f;
    fixture_begin_with(&f, 2, &(FiloAudioDesc){ .output = FILO_AUDIO_DEVICE });
    add_level(&f, "short.wav", 9600, 1);
    add_level(&f, "stream.wav", 7 * RATE, 2);
    assert_true(wait_for_device(&f, true));
    FiloVoice stream = filo_audio_play(f.audio, CUE("stream.wav"));
    assert_true(wait_for_end(&f, filo_audio_play(f.audio, CUE("short.wav"))));
    assert_true(filo_audio_heard(f.audio, stream));
    // Unplugged: voices go on, and are heard again on the next device.
    double time = filo_audio_time(f.audio, stream);
    audio_device_close(f.audio);
    assert_string_equal(filo_audio_device(f.audio), "no device");
    filo_audio_step(f.audio, 0.5);
    assert_true(filo_audio_playing(f.audio, stream) && !filo_audio_heard(f.audio, stream));
    assert_near(filo_audio_time(f.audio, stream), time + 0.5, 0.1);
    assert_true(wait_for_device(&f, true));
    filo_audio_step(f.audio, 0.01);
    assert_true(filo_audio_heard(f.audio, stream));
    filo_audio_reopen(f.audio);
    assert_true(wait_for_device(&f, true));
    fixture_end(&f);
    puts("played");
}

FILO_TEST(a_device_plays_and_may_be_unplugged) {
    const FiloTestResult *outcome = run_program("plays_on_a_device", "ALSOFT_DRIVERS=null");
    assert_contains(outcome->errors, "playing on \"No Output\"");
}

FILO_TEST_PROGRAM(plays_without_a_device) {
    Fixture f;
    fixture_begin_with(&f, 2, &(FiloAudioDesc){ .output = FILO_AUDIO_DEVICE });
    add_level(&f, "short.wav", 9600, 1);
    FiloVoice voice = filo_audio_play(f.audio, CUE("short.wav"));
    assert_true(wait_for_end(&f, voice));
    while (f.audio->device.pause == 0) { // until the first try has failed; ctest ends a test that never does
        filo_audio_step(f.audio, 0.01);
        filo_sleep_ns(1000000);
    }
    assert_string_equal(filo_audio_device(f.audio), "no device");
    for (int i = 0; i < 200; i++) filo_audio_step(f.audio, 0.1); // tries again, ever more rarely
    fixture_end(&f);
    puts("played");
}

FILO_TEST(without_a_device_voices_are_counted_and_end) {
    const FiloTestResult *outcome = run_program("plays_without_a_device", "ALSOFT_DRIVERS=-");
    assert_int_equal(filo_test_count(outcome->errors, "there is no sound device"), 1);
}

FILO_TEST(offline_a_lost_device_changes_nothing_but_what_is_heard) {
    Fixture f;
    fixture_begin_registered(&f);
    add_level(&f, "long.wav", RATE, 2);
    FiloVoice voice = filo_audio_play(f.audio, CUE("long.wav"));
    run(&f, 5);
    audio_device_close(f.audio);
    run(&f, 30);
    assert_true(filo_audio_playing(f.audio, voice));
    assert_near(filo_audio_time(f.audio, voice), 35.0 / 60, 1e-6);
    run(&f, 40);
    assert_false(filo_audio_playing(f.audio, voice));
    fixture_end(&f);
}

FILO_TEST(what_is_rendered_is_written_to_a_file) {
    Fixture f;
    const char *path = filo_test_path("new folder/out.wav");
    fixture_begin_with(&f, 1, &(FiloAudioDesc){ .output = FILO_AUDIO_OFFLINE, .file = path, .rate = 44100 });
    add_sine(&f, "a.wav", 1000, 0.5);
    filo_audio_play(f.audio, CUE("a.wav", .gain = -6));
    run(&f, 60);
    assert_ok(filo_audio_finish(f.audio));
    run(&f, 5); // not written any more
    SF_INFO info = { 0 };
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    assert_non_null(file);
    assert_int_equal(info.frames, 44100);
    assert_int_equal(info.channels, 2);
    assert_int_equal(info.samplerate, 44100);
    static float samples[2 * 44100];
    assert_int_equal(sf_readf_float(file, samples, 44100), 44100);
    sf_close(file);
    for (size_t i = 0; i < 2 * 44100; i++) assert_near(samples[i], f.heard[i], 1.0 / 32768);
    fixture_end(&f);
}

// The file is not really so long: its length is made up.
FILO_TEST(a_file_is_not_longer_than_a_wav_file_can_be) {
    char path[FILO_PATH_SIZE];
    snprintf(path, sizeof path, "%s", filo_test_path("long.wav"));
    const uint64_t most = 4294967248; // bytes of samples, so that the sizes in the head have 32 bits
    AudioWav wav;
    assert_ok(audio_wav_open(&wav, path, RATE));
    wav.bytes = most - 12; // three frames are left
    const int16_t samples[10] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
    expect_no_warning(audio_wav_write(&wav, samples, 2));
    expect_warning("long.wav: a WAV file has at most 4 GiB: the sound is not written from here on",
                   audio_wav_write(&wav, samples + 4, 3));
    expect_no_warning(audio_wav_write(&wav, samples, 5)); // was said
    assert_ok(audio_wav_close(&wav));
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    const uint8_t *bytes = data.bytes;
    assert_int_equal(data.size, 44 + 12);
    uint32_t whole, part; // little-endian, as all our machines
    memcpy(&whole, bytes + 4, 4);
    memcpy(&part, bytes + 40, 4);
    assert_int_equal(whole, most + 36);
    assert_int_equal(part, most);
    assert_int_equal(bytes[44 + 10], 6);
    filo_file_free(&data);
}

FILO_TEST(a_tick_of_an_odd_length_is_rendered_to_the_sample_in_the_long_run) {
    Fixture f;
    fixture_begin_with(&f, 1, &(FiloAudioDesc){ .output = FILO_AUDIO_OFFLINE, .rate = 44100 });
    for (int i = 0; i < 700; i++) {
        assert_ok(filo_world_tick(f.world, 1.0f / 70));
        filo_audio_step(f.audio, 1.0 / 70);
    }
    assert_near(f.frames, 441000, 2);
    assert_int_equal(filo_audio_stats(f.audio).frames, f.frames);
    fixture_end(&f);
}

FILO_TEST(files_that_cannot_be_written_are_errors) {
    Fixture f;
    fixture_begin(&f);
    FiloAudio *audio;
    FiloAssets *assets;
    assert_ok(filo_assets_create(&assets, &(FiloAssetsDesc){ .jobs = f.jobs, .folder = filo_test_folder() }));
    FiloAudioDesc desc = { .assets = assets, .output = FILO_AUDIO_OFFLINE, .file = "/proc/nowhere/out.wav" };
    assert_error(filo_audio_create(&audio, &desc), FILO_ERROR_NOT_FOUND, "/proc/nowhere");
    assert_null(audio);
    if (filo_file_exists("/dev/full")) {
        desc.file = "/dev/full";
        assert_ok(filo_audio_create(&audio, &desc));
        for (int i = 0; i < 10; i++) filo_audio_step(audio, 1);
        assert_error(filo_audio_finish(audio), FILO_ERROR_SPACE, "/dev/full");
        filo_audio_destroy(audio);
    }
    filo_assets_destroy(assets);
    fixture_end(&f);
}

FILO_TEST(several_outputs_do_not_disturb_each_other) {
    Fixture a, b;
    fixture_begin(&a);
    fixture_begin(&b);
    add_level(&a, "a.wav", 4 * TICK, 2);
    add_level(&b, "b.wav", 4 * TICK, 2);
    filo_audio_play(a.audio, CUE("a.wav"));
    run(&a, 1);
    run(&b, 1);
    filo_audio_play(b.audio, CUE("b.wav", .gain = -20));
    run(&a, 1);
    run(&b, 1);
    assert_near(heard_at(&a, TICK + 9, 0), 0.5, 1e-6);
    assert_near(heard_at(&b, TICK + 9, 0), 0.05, 1e-5);
    assert_int_equal(first_heard(&b, 0), TICK);
    fixture_end(&b);
    run(&a, 1);
    assert_near(heard_at(&a, 2 * TICK + 9, 0), 0.5, 1e-6);
    fixture_end(&a);
}
