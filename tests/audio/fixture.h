// What the tests of audio share: a world with audio that is rendered into memory, sounds as bytes of WAV files, and
// measuring what was heard.

#ifndef FILO_TEST_AUDIO_FIXTURE_H
#define FILO_TEST_AUDIO_FIXTURE_H

#include "support/test.h"

#include <filo/audio.h>
#include <filo/files.h>
#include <filo/transform.h>

#include <math.h>
#include <stdlib.h>

#define RATE 48000
#define TICK 800 // frames of a tick

typedef struct Fixture {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloAssets *assets;
    FiloWorld *world;
    FiloAudio *audio;
    float *heard; // pairs
    size_t frames, capacity;
} Fixture;

static inline void fixture_hear(const float *samples, size_t frames, void *user) {
    Fixture *fixture = user;
    if (fixture->frames + frames > fixture->capacity) {
        fixture->capacity = (fixture->frames + frames) * 2;
        fixture->heard = realloc(fixture->heard, fixture->capacity * 2 * sizeof(float));
        assert_non_null(fixture->heard);
    }
    memcpy(fixture->heard + fixture->frames * 2, samples, frames * 2 * sizeof(float));
    fixture->frames += frames;
}

// `desc` may be NULL. The fixture must not move.
static inline void fixture_begin_with(Fixture *fixture, int threads, const FiloAudioDesc *desc) {
    *fixture = (Fixture){ 0 };
    assert_ok(filo_jobs_create(&fixture->jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_events_create(&fixture->events, &(FiloEventsDesc){ .jobs = fixture->jobs }));
    assert_ok(filo_assets_create(
        &fixture->assets,
        &(FiloAssetsDesc){ .jobs = fixture->jobs, .events = fixture->events, .folder = filo_test_folder() }));
    assert_ok(filo_world_create(
        &fixture->world, &(FiloWorldDesc){ .jobs = fixture->jobs, .events = fixture->events, .seed = 7 }));
    FiloAudioDesc full = desc != NULL ? *desc : (FiloAudioDesc){ .output = FILO_AUDIO_OFFLINE };
    full.assets = fixture->assets;
    full.world = fixture->world;
    full.rendered = fixture_hear;
    full.rendered_user = fixture;
    assert_ok(filo_audio_create(&fixture->audio, &full));
}
static inline void fixture_begin(Fixture *fixture) { fixture_begin_with(fixture, 1, NULL); }
// With sounds as components and cues of systems.
static inline void fixture_begin_registered(Fixture *fixture) {
    fixture_begin(fixture);
    assert_true(filo_audio_register(fixture->world, fixture->assets));
}

static inline void fixture_end(Fixture *fixture) {
    filo_audio_destroy(fixture->audio);
    filo_world_destroy(fixture->world);
    filo_assets_destroy(fixture->assets);
    filo_events_destroy(fixture->events);
    filo_jobs_destroy(fixture->jobs, FILO_JOBS_FINISH);
    free(fixture->heard);
}

// Runs ticks of 1/60 s, and lets each be heard.
static inline void run(Fixture *fixture, int ticks) {
    for (int i = 0; i < ticks; i++) {
        assert_ok(filo_world_tick(fixture->world, 1.0f / 60));
        filo_audio_step(fixture->audio, 1.0 / 60);
    }
}

// ---- Sounds -----------------------------------------------------------------------------------------------

static inline void put_number(uint8_t *at, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> (8 * i));
}

// The bytes of a WAV file of 16 bits. Free them.
static inline uint8_t *wav_bytes(const int16_t *samples, size_t frames, int channels, int rate,
                                 size_t *size) {
    size_t data = frames * (size_t)channels * 2;
    uint8_t *bytes = calloc(1, 44 + data);
    assert_non_null(bytes);
    memcpy(bytes, "RIFF    WAVEfmt ", 16);
    put_number(bytes + 4, (uint32_t)(36 + data), 4);
    put_number(bytes + 16, 16, 4);
    put_number(bytes + 20, 1, 2);
    put_number(bytes + 22, (uint32_t)channels, 2);
    put_number(bytes + 24, (uint32_t)rate, 4);
    put_number(bytes + 28, (uint32_t)(rate * channels * 2), 4);
    put_number(bytes + 32, (uint32_t)(channels * 2), 2);
    put_number(bytes + 34, 16, 2);
    memcpy(bytes + 36, "data", 4);
    put_number(bytes + 40, (uint32_t)data, 4);
    for (size_t i = 0; i < frames * (size_t)channels; i++)
        put_number(bytes + 44 + 2 * i, (uint16_t)samples[i], 2);
    *size = 44 + data;
    return bytes;
}

static inline FiloAsset add_samples(Fixture *fixture, const char *name, const int16_t *samples, size_t frames,
                                    int channels, int rate) {
    size_t size;
    uint8_t *bytes = wav_bytes(samples, frames, channels, rate, &size);
    FiloAsset asset = filo_assets_add_bytes(fixture->assets, "sound", name, bytes, size);
    free(bytes);
    assert_int_not_equal(asset.id, 0);
    assert_ok(filo_assets_wait(fixture->assets, asset));
    return asset;
}

// A sine of amplitude 0.5 (at 16384), in all channels.
static inline FiloAsset add_sine(Fixture *fixture, const char *name, double frequency, double seconds) {
    size_t frames = (size_t)(seconds * RATE);
    int16_t *samples = malloc(frames * sizeof *samples);
    assert_non_null(samples);
    for (size_t i = 0; i < frames; i++)
        samples[i] = (int16_t)lrint(16384 * sin(2 * M_PI * frequency * (double)i / RATE));
    FiloAsset asset = add_samples(fixture, name, samples, frames, 1, RATE);
    free(samples);
    return asset;
}

// A constant level of 0.5: every sample of it can be found in what was heard.
static inline FiloAsset add_level(Fixture *fixture, const char *name, size_t frames, int channels) {
    int16_t *samples = malloc(frames * (size_t)channels * sizeof *samples);
    assert_non_null(samples);
    for (size_t i = 0; i < frames * (size_t)channels; i++) samples[i] = 16384;
    FiloAsset asset = add_samples(fixture, name, samples, frames, channels, RATE);
    free(samples);
    return asset;
}

static inline FiloAsset add_synth(Fixture *fixture, const char *name, const char *text) {
    FiloAsset asset = filo_assets_add_bytes(fixture->assets, "synth", name, text, strlen(text));
    assert_ok(filo_assets_wait(fixture->assets, asset));
    return asset;
}

static inline void write_file(const char *name, const void *bytes, size_t size) {
    assert_ok(filo_file_write(filo_test_path(name), bytes, size, NULL));
}

// ---- Measuring --------------------------------------------------------------------------------------------

static inline float heard_at(const Fixture *fixture, size_t frame, int channel) {
    assert_true(frame < fixture->frames);
    return fixture->heard[frame * 2 + (size_t)channel];
}

static inline float heard_last(const Fixture *fixture, int channel) {
    return heard_at(fixture, fixture->frames - 1, channel);
}

// The root mean square.
static inline double level(const Fixture *fixture, size_t from, size_t to, int channel) {
    double sum = 0;
    for (size_t i = from; i < to; i++) {
        double x = (double)heard_at(fixture, i, channel);
        sum += x * x;
    }
    return sqrt(sum / (double)(to - from));
}

// That of the last tick, on the left.
static inline double last_level(const Fixture *fixture) {
    return level(fixture, fixture->frames - TICK, fixture->frames, 0);
}

// The first frame that is not silent, from one on; SIZE_MAX: none.
static inline size_t first_heard(const Fixture *fixture, size_t from) {
    for (size_t i = from; i < fixture->frames; i++)
        if (fabs((double)fixture->heard[2 * i]) > 1e-4 || fabs((double)fixture->heard[2 * i + 1]) > 1e-4)
            return i;
    return SIZE_MAX;
}

static inline size_t last_heard(const Fixture *fixture) {
    for (size_t i = fixture->frames; i-- > 0;)
        if (fabs((double)fixture->heard[2 * i]) > 1e-4 || fabs((double)fixture->heard[2 * i + 1]) > 1e-4)
            return i;
    return SIZE_MAX;
}

// The frequency in Hz, by counting rising zero crossings with their fractions.
static inline double frequency(const Fixture *fixture, size_t from, size_t to, int channel) {
    double first = -1, last = -1;
    int count = 0;
    for (size_t i = from + 1; i < to; i++) {
        double a = (double)heard_at(fixture, i - 1, channel), b = (double)heard_at(fixture, i, channel);
        if (!(a < 0 && b >= 0)) continue;
        double at = (double)(i - 1) + a / (a - b);
        if (first < 0) first = at;
        last = at;
        count++;
    }
    return count > 1 ? (count - 1) * RATE / (last - first) : 0;
}

// How strong a frequency is (Goertzel): the amplitude of its sine.
static inline double strength(const Fixture *fixture, size_t from, size_t to, int channel, double hz) {
    double re = 0, im = 0;
    for (size_t i = from; i < to; i++) {
        double x = (double)heard_at(fixture, i, channel), angle = 2 * M_PI * hz * (double)(i - from) / RATE;
        re += x * cos(angle);
        im += x * sin(angle);
    }
    return 2 * sqrt(re * re + im * im) / (double)(to - from);
}

// Runs a program of the test, which writes "played" at its end, with the variable of OpenAL that says which drivers to use:
// "ALSOFT_DRIVERS=null", or without "=" not set.
static inline const FiloTestResult *run_program(const char *program, const char *drivers) {
    static FiloTestResult outcome;
    filo_test_run(&outcome, &(FiloTestRun){ .program = program, .environment = { drivers } });
    if (outcome.exit_code != 0) print_message("%s%s\n", outcome.output, outcome.errors);
    assert_int_equal(outcome.exit_code, 0);
    assert_contains(outcome.output, "played");
    return &outcome;
}

#define assert_near(a, b, tolerance)                                                                         \
    do {                                                                                                     \
        double near_a = (double)(a), near_b = (double)(b);                                                   \
        if (!(fabs(near_a - near_b) <= (tolerance))) fail_msg("%s is %.9g, not %.9g", #a, near_a, near_b);   \
    } while (0)

#define CUE_(name, ...) (&(FiloCue){ .sound = filo_name(name), __VA_ARGS__ })
#define CUE(...)        CUE_(__VA_ARGS__, .falloff = FILO_FALLOFF_INVERSE)

#endif
