// A device that is lost, and one that appears later, for real: OpenAL plays into a file, and is told by the system that
// the file cannot grow any more, or that its folder does not exist.

#include "audio/audio.h"
#include "audio/fixture.h"

#include <filo/time.h>

#include <signal.h>
#include <sndfile.h>
#include <stdlib.h>
#include <sys/resource.h>

#define PLAYED "folder/played.wav"

// Before the first use of OpenAL, in a process of its own.
static void play_into_a_file(void) {
    char text[1024];
    int size = snprintf(text, sizeof text,
                        "[general]\ndrivers = wave\nchannels = stereo\nsample-type = float32\n"
                        "frequency = 48000\noutput-limiter = false\nhrtf = false\n[wave]\nfile = %s\n",
                        filo_test_path(PLAYED));
    write_file("openal.conf", text, (size_t)size);
    setenv("ALSOFT_CONF", filo_test_path("openal.conf"), 1);
}

// The level of a frame says where it is in the sound.
static void add_ramp(Fixture *f, const char *name, size_t frames) {
    int16_t *samples = malloc(frames * 2 * sizeof *samples);
    assert_non_null(samples);
    for (size_t i = 0; i < 2 * frames; i++) samples[i] = (int16_t)(i / 2 * 32767 / frames);
    add_samples(f, name, samples, frames, 2, RATE);
    free(samples);
}

// Steps in real time while `condition`, and at most for 20 s.
#define step_while(f, condition)                                                                             \
    do {                                                                                                     \
        int64_t step_begin = filo_time_ns(), step_last = step_begin;                                         \
        while (condition) {                                                                                  \
            int64_t step_now = filo_time_ns();                                                               \
            assert_true(step_now - step_begin < INT64_C(20000000000));                                       \
            filo_audio_step((f)->audio, (double)(step_now - step_last) / 1e9);                               \
            step_last = step_now;                                                                            \
            filo_sleep_ns(1000000);                                                                          \
        }                                                                                                    \
    } while (0)

static bool has_device(const Fixture *f) { return strcmp(filo_audio_device(f->audio), "no device") != 0; }

static void limit_files(rlim_t bytes) {
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// Of the sound that was played into the file, the position in the ramp at its first and at its last frame.
static void read_positions(double seconds, double gain, double *first, double *last) {
    SF_INFO info = { 0 };
    SNDFILE *file = sf_open(filo_test_path(PLAYED), SFM_READ, &info);
    assert_non_null(file);
    assert_int_equal(info.channels, 2);
    *first = *last = 0;
    float frame[2];
    while (sf_readf_float(file, frame, 1) == 1) {
        if (!(frame[0] > 1e-4f)) continue;
        *last = (double)frame[0] / gain * seconds;
        if (*first == 0) *first = *last;
    }
    sf_close(file);
}

FILO_TEST_PROGRAM(plays_on_a_device_that_is_lost) {
    play_into_a_file();
    assert_ok(filo_folder_make(filo_test_path("folder")));
    signal(SIGXFSZ, SIG_IGN); // a file that cannot grow is an error of the write
    Fixture f;
    fixture_begin_with(&f, 2, &(FiloAudioDesc){ .output = FILO_AUDIO_DEVICE });
    static const int16_t zeroes[RATE];
    add_ramp(&f, "music.wav", 16 * RATE);
    add_samples(&f, "whole.wav", zeroes, RATE / 10, 1, RATE);
    add_samples(&f, "once.wav", zeroes, RATE, 1, RATE);
    filo_audio_set_bus(f.audio, "music", &(FiloBusDesc){ .gain = -20 });
    filo_audio_set_bus(f.audio, "cave", &(FiloBusDesc){ .reverb = { .decay = 1 } });
    filo_audio_set_volume(f.audio, "music", 0.9f);
    FiloVoice music = filo_audio_music(f.audio, "music.wav", 0);
    FiloVoice whole =
        filo_audio_play(f.audio, CUE("whole.wav", .bus = filo_name("cave"), .flags = FILO_SOUND_LOOP));
    FiloVoice paused = filo_audio_play(f.audio, CUE("whole.wav", .flags = FILO_SOUND_LOOP));
    filo_audio_pause(f.audio, paused, true);
    step_while(&f, !has_device(&f));
    FiloVoice once = filo_audio_play(f.audio, CUE("once.wav"));
    step_while(&f, filo_audio_time(f.audio, music) < 0.7);
    assert_true(filo_audio_heard(f.audio, music) && filo_audio_heard(f.audio, whole));
    assert_int_equal(filo_audio_stats(f.audio).streams, 1);

    // Lost in the middle of a step: its sources have stopped, and no voice ends.
    limit_files(65536);
    for (int64_t start = filo_time_ns(); audio_device_is_connected(f.audio); filo_sleep_ns(1000000))
        assert_true(filo_time_ns() - start < INT64_C(20000000000));
    assert_true(has_device(&f));
    audio_sources_collect(f.audio);
    assert_true(filo_audio_playing(f.audio, music) && filo_audio_playing(f.audio, whole));
    assert_true(filo_audio_playing(f.audio, once));
    // The step after that closes it. Voices go on, and end.
    limit_files(RLIM_INFINITY);
    double time = filo_audio_time(f.audio, music);
    filo_audio_step(f.audio, 0);
    assert_false(has_device(&f));
    assert_int_equal(filo_audio_stats(f.audio).heard, 0);
    filo_audio_step(f.audio, 0.5);
    assert_near(filo_audio_time(f.audio, music), time + 0.5, 1e-3);
    assert_true(filo_audio_playing(f.audio, paused));
    assert_near(filo_audio_time(f.audio, paused), 0, 0);
    step_while(&f, filo_audio_playing(f.audio, once));

    // The next device has them all, with their buses.
    step_while(&f, !has_device(&f));
    step_while(&f, !filo_audio_heard(f.audio, music) || !filo_audio_heard(f.audio, whole));
    double resumed = filo_audio_time(f.audio, music);
    assert_true(resumed >= time + 0.5 && f.audio->device.reverbs[f.audio->buses.count - 1].slot != 0);
    filo_audio_pause(f.audio, paused, false);
    step_while(&f, filo_audio_time(f.audio, music) < resumed + 1);
    assert_true(filo_audio_heard(f.audio, paused) && filo_audio_time(f.audio, paused) > 0);
    assert_near(filo_audio_volume(f.audio, "music"), 0.9, 1e-6);
    double end = filo_audio_time(f.audio, music);
    fixture_end(&f);
    // The music went on where it was, at its level. Streams start when two parts are decoded.
    double first, last;
    read_positions(16, 0.1 * 0.81, &first, &last);
    assert_near(first, resumed, 0.1);
    assert_true(last > first + 0.3 && last < end + 0.1);
    puts("played");
}

FILO_TEST(a_device_that_is_lost_for_real_is_replaced_and_all_goes_on) {
    const FiloTestResult *outcome = run_program("plays_on_a_device_that_is_lost", "ALSOFT_DRIVERS");
    assert_int_equal(filo_test_count(outcome->errors, "\"Wave File Writer\" was unplugged"), 1);
    assert_int_equal(filo_test_count(outcome->errors, "playing on \"Wave File Writer\""), 2);
}

FILO_TEST_PROGRAM(plays_on_a_device_that_appears) {
    play_into_a_file();
    Fixture f;
    fixture_begin_with(&f, 2, &(FiloAudioDesc){ .output = FILO_AUDIO_DEVICE });
    add_ramp(&f, "music.wav", 16 * RATE);
    FiloVoice music = filo_audio_music(f.audio, "music.wav", 0);
    step_while(&f, f.audio->device.pause == 0); // the first try has failed
    assert_false(has_device(&f) || filo_audio_heard(f.audio, music));
    double time = filo_audio_time(f.audio, music);
    assert_ok(filo_folder_make(filo_test_path("folder")));
    step_while(&f, !has_device(&f)); // after a second
    step_while(&f, !filo_audio_heard(f.audio, music));
    double found = filo_audio_time(f.audio, music);
    assert_true(found > time + 0.9);
    step_while(&f, filo_audio_time(f.audio, music) < found + 1);
    fixture_end(&f);
    double first, last;
    read_positions(16, 1, &first, &last);
    assert_near(first, found, 0.1);
    puts("played");
}

FILO_TEST(a_device_that_appears_later_is_used) {
    const FiloTestResult *outcome = run_program("plays_on_a_device_that_appears", "ALSOFT_DRIVERS");
    assert_int_equal(filo_test_count(outcome->errors, "there is no sound device"), 1);
    assert_int_equal(filo_test_count(outcome->errors, "playing on \"Wave File Writer\""), 1);
}

// A device that is lost as soon as it is opened is not opened again in every step.
FILO_TEST_PROGRAM(plays_on_devices_that_do_not_last) {
    play_into_a_file();
    assert_ok(filo_folder_make(filo_test_path("folder")));
    signal(SIGXFSZ, SIG_IGN);
    Fixture f;
    fixture_begin_with(&f, 2, &(FiloAudioDesc){ .output = FILO_AUDIO_DEVICE });
    limit_files(8192);
    for (int i = 0; i < 2; i++) {
        step_while(&f, !has_device(&f));
        step_while(&f, has_device(&f));
        assert_near(f.audio->device.pause, 1 << i, 0);
    }
    filo_audio_reopen(f.audio); // does not wait
    assert_near(f.audio->device.retry, 0, 0);
    limit_files(RLIM_INFINITY);
    step_while(&f, !has_device(&f));
    f.audio->device.age = 60;
    limit_files(8192);
    step_while(&f, has_device(&f)); // had lasted
    assert_near(f.audio->device.pause, 0, 0);
    fixture_end(&f);
    puts("played");
}

FILO_TEST(devices_that_do_not_last_are_opened_ever_more_rarely) {
    (void)run_program("plays_on_devices_that_do_not_last", "ALSOFT_DRIVERS");
}
