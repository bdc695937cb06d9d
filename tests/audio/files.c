// Sound files: formats, streams, and files that are damaged or hostile.

#include "audio/audio.h"
#include "audio/fixture.h"
#include "support/warnings.h"

#include <filo/random.h>

#include <sndfile.h>

// ---- Writing files of all formats ---------------------------------------------------------------------------

// A sine of 1000 Hz and amplitude 0.5, as a file. `loop` adds loop points. False if the library cannot write it.
static bool write_sine(const char *name, int format, int channels, double seconds, bool loop) {
    SF_INFO info = { .samplerate = RATE, .channels = channels, .format = format };
    SNDFILE *file = sf_open(filo_test_path(name), SFM_WRITE, &info);
    if (file == NULL) return false;
    if (loop) {
        SF_INSTRUMENT instrument = { .loop_count = 1 };
        instrument.loops[0].mode = SF_LOOP_FORWARD;
        instrument.loops[0].start = 4800;
        instrument.loops[0].end = 9600;
        sf_command(file, SFC_SET_INSTRUMENT, &instrument, sizeof instrument);
    }
    size_t frames = (size_t)(seconds * RATE);
    float *samples = malloc(frames * (size_t)channels * sizeof *samples);
    assert_non_null(samples);
    for (size_t i = 0; i < frames * (size_t)channels; i++)
        samples[i] = (float)(0.5 * sin(2 * M_PI * 1000 * (double)(i / (size_t)channels) / RATE));
    sf_writef_float(file, samples, (sf_count_t)frames);
    free(samples);
    sf_close(file);
    return true;
}

static const struct Format {
    const char *name;
    int format;
    double tolerance;
} formats[] = {
    { "a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_24, 0.001 },
    { "b.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 0.001 },
    { "c.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 0.001 },
    { "d.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0.02 },
    { "e.opus", SF_FORMAT_OGG | SF_FORMAT_OPUS, 0.03 },
    { "f.mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 0.02 },
};

// Short ones are decoded when they are loaded, and long ones while they play: both sound alike.
FILO_TEST(all_formats_are_heard_whole_and_streamed) {
    for (size_t i = 0; i < FILO_COUNT_OF(formats); i++) {
        for (int streamed = 0; streamed < 2; streamed++) {
            if (!write_sine(formats[i].name, formats[i].format, 2, streamed ? 7 : 1, false)) {
                print_message("this libsndfile cannot write %s\n", formats[i].name);
                continue;
            }
            Fixture f;
            fixture_begin(&f);
            FiloAsset asset = filo_assets_load(f.assets, formats[i].name);
            assert_ok(filo_assets_wait(f.assets, asset));
            FiloSoundInfo info;
            assert_true(filo_sound_info(f.assets, asset, &info));
            assert_int_equal(info.streamed, streamed);
            assert_int_equal(info.channels, 2);
            assert_near(info.seconds, streamed ? 7 : 1, 0.1);
            filo_audio_play(f.audio, &(FiloCue){ .sound = filo_name(formats[i].name) });
            run(&f, streamed ? 60 * 8 : 70);
            size_t end = streamed ? 6 * RATE : 45000;
            for (size_t at = 4800; at + 9600 < end; at += 24000) {
                assert_near(strength(&f, at, at + 9600, 0, 1000), 0.5, formats[i].tolerance);
                assert_near(frequency(&f, at, at + 9600, 1), 1000, 1);
            }
            assert_int_equal(filo_audio_stats(f.audio).voices, 0);
            fixture_end(&f);
        }
    }
}

// ---- Streams ------------------------------------------------------------------------------------------------

static int16_t pattern(size_t i) { return (int16_t)((i * 7919) % 20000 - 10000); }

static FiloAsset add_pattern(Fixture *f, const char *name, size_t frames) {
    int16_t *samples = malloc(frames * 2 * sizeof *samples);
    assert_non_null(samples);
    for (size_t i = 0; i < frames * 2; i++) samples[i] = pattern(i);
    FiloAsset asset = add_samples(f, name, samples, frames, 2, RATE);
    free(samples);
    return asset;
}

FILO_TEST(a_stream_has_every_sample_in_its_place) {
    Fixture f;
    fixture_begin(&f);
    const size_t frames = 6 * RATE + 1234;
    add_pattern(&f, "long.wav", frames);
    run(&f, 1);
    FiloVoice voice = filo_audio_play(f.audio, CUE("long.wav"));
    run(&f, 3);
    assert_int_equal(filo_audio_stats(f.audio).streams, 1);
    run(&f, 60 * 6 + 5);
    for (size_t i = 0; i < frames; i++) {
        assert_near(heard_at(&f, TICK + i, 0), pattern(2 * i) / 32768.0, 1e-5);
        assert_near(heard_at(&f, TICK + i, 1), pattern(2 * i + 1) / 32768.0, 1e-5);
    }
    assert_false(filo_audio_playing(f.audio, voice));
    assert_int_equal(filo_audio_stats(f.audio).starved, 0);
    fixture_end(&f);
}

FILO_TEST(a_stream_loops_and_can_be_moved) {
    Fixture f;
    fixture_begin(&f);
    FiloAsset asset = add_pattern(&f, "long.wav", 6 * RATE);
    assert_true(filo_sound_set_loop(f.assets, asset, 1, 1.5));
    FiloVoice voice = filo_audio_play(f.audio, CUE("long.wav", .flags = FILO_SOUND_LOOP, .start = 0.5f));
    run(&f, 60 * 3);
    for (size_t i = TICK; i < f.frames; i++) {
        size_t at = RATE / 2 + i;
        while (at >= 3 * RATE / 2) at -= RATE / 2;
        assert_near(heard_at(&f, i, 0), pattern(2 * at) / 32768.0, 1e-5);
    }
    filo_audio_seek(f.audio, voice, 0.25);
    size_t from = f.frames;
    run(&f, 4);
    size_t at = RATE / 4 + 2 * TICK + 10;
    assert_near(heard_at(&f, from + 2 * TICK + 10, 0), pattern(2 * at) / 32768.0, 1e-4);
    fixture_end(&f);
}

FILO_TEST(loop_points_of_a_file_are_used) {
    Fixture f;
    fixture_begin(&f);
    assert_true(write_sine("points.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 1, 1, true));
    FiloAsset asset = filo_assets_load(f.assets, "points.wav");
    assert_ok(filo_assets_wait(f.assets, asset));
    FiloSoundInfo info;
    assert_true(filo_sound_info(f.assets, asset, &info));
    assert_near(info.loop_begin, 0.1, 1e-4);
    assert_near(info.loop_end, 0.2, 1e-4);
    fixture_end(&f);
}

FILO_TEST(loop_points_outside_of_the_sound_are_said_once_and_not_used) {
    Fixture f;
    fixture_begin(&f);
    assert_true(
        write_sine("beyond.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 1, 0.15, true)); // shorter than its loop
    FiloAsset asset = { 0 };
    expect_warning("beyond.wav: its loop points are not in order inside the sound, and not used", {
        asset = filo_assets_load(f.assets, "beyond.wav");
        assert_ok(filo_assets_wait(f.assets, asset));
    });
    FiloSoundInfo info;
    assert_true(filo_sound_info(f.assets, asset, &info));
    assert_near(info.loop_begin, 0, 0);
    assert_near(info.loop_end, 0.15, 1e-9);
    expect_no_warning({
        filo_audio_play(f.audio, CUE("beyond.wav", .flags = FILO_SOUND_LOOP));
        run(&f, 20);
    });
    assert_int_equal(filo_audio_stats(f.audio).voices, 1);
    fixture_end(&f);
}

FILO_TEST(a_stream_that_is_destroyed_while_it_is_decoded_does_no_harm) {
    for (int i = 0; i < 10; i++) {
        Fixture f;
        fixture_begin_with(&f, 2, NULL);
        add_pattern(&f, "long.wav", 6 * RATE);
        filo_audio_play(f.audio, CUE("long.wav"));
        run(&f, i);
        fixture_end(&f);
    }
}

// ---- Bad files ------------------------------------------------------------------------------------------------

static void expect_error(const char *name, const void *bytes, size_t size, FiloCode code, const char *text) {
    Fixture f;
    fixture_begin(&f);
    write_file(name, bytes, size);
    FiloAsset asset = filo_assets_load(f.assets, name);
    filo_assets_wait_all(f.assets);
    assert_int_equal(filo_asset_state(f.assets, asset), FILO_ASSET_FAILED);
    assert_error(*filo_asset_error(f.assets, asset), code, text);
    FiloSoundInfo info;
    assert_false(filo_sound_info(f.assets, asset, &info));
    filo_audio_play(f.audio, &(FiloCue){ .sound = filo_name(name) }); // ends at once
    run(&f, 2);
    assert_int_equal(filo_audio_stats(f.audio).voices, 0);
    fixture_end(&f);
}

FILO_TEST(files_that_are_no_sounds_are_refused) {
    expect_error("empty.wav", "", 0, FILO_ERROR_DATA, "empty.wav: not a sound file");
    expect_error("text.ogg", "hello, world", 12, FILO_ERROR_DATA, "text.ogg: not a sound file");
    int16_t samples[1] = { 0 };
    size_t size;
    uint8_t *bytes = wav_bytes(samples, 0, 1, RATE, &size);
    expect_error("none.wav", bytes, size, FILO_ERROR_DATA, "none.wav: has no samples");
    free(bytes);
}

// A head that promises more than the file has must not allocate that much, nor crash.
FILO_TEST(heads_that_lie_do_no_harm) {
    int16_t samples[4000];
    for (int i = 0; i < 4000; i++) samples[i] = 1000;
    size_t size;
    uint8_t *bytes = wav_bytes(samples, 4000, 1, RATE, &size);
    for (int field = 0; field < 44; field++) {
        for (int value = 0; value < 3; value++) {
            uint8_t *copy = malloc(size);
            assert_non_null(copy);
            memcpy(copy, bytes, size);
            copy[field] = (uint8_t)(value == 0 ? 0xFF : value == 1 ? 0 : copy[field] ^ 0x80);
            Fixture f;
            fixture_begin(&f);
            FiloAsset asset = filo_assets_add_bytes(f.assets, "sound", "lie.wav", copy, size);
            free(copy);
            filo_assets_wait_all(f.assets);
            FiloAssetState loaded = filo_asset_state(f.assets, asset);
            assert_true(loaded == FILO_ASSET_READY || loaded == FILO_ASSET_FAILED);
            filo_audio_play(f.audio, CUE("lie.wav"));
            run(&f, 2);
            fixture_end(&f);
        }
    }
    free(bytes);
}

FILO_TEST(truncated_files_do_no_harm) {
    for (size_t i = 0; i < FILO_COUNT_OF(formats); i++) {
        if (!write_sine(formats[i].name, formats[i].format, 2, 6.5, false)) continue;
        FiloFileData data;
        assert_ok(filo_file_read(&data, filo_test_path(formats[i].name), NULL));
        for (int part = 1; part < 12; part++) {
            Fixture f;
            fixture_begin(&f);
            size_t size = part < 6 ? (size_t)part * 40 : data.size * (size_t)part / 12;
            FiloAsset asset = filo_assets_add_bytes(f.assets, "sound", "cut.wav", data.bytes, size);
            filo_assets_wait_all(f.assets);
            assert_int_not_equal(filo_asset_state(f.assets, asset), FILO_ASSET_LOADING);
            filo_audio_play(f.audio, CUE("cut.wav", .start = 0.5f));
            filo_audio_play(f.audio, CUE("cut.wav", .start = 5, .flags = FILO_SOUND_LOOP));
            run(&f, 30);
            fixture_end(&f);
        }
        filo_file_free(&data);
    }
}

// The head of a FLAC file is read in a tick that needs its length; that its samples are damaged is found when it is loaded.
FILO_TEST(the_length_of_a_sound_does_not_depend_on_whether_its_damaged_samples_were_loaded) {
    assert_true(write_sine("half.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1, 1, false));
    FiloFileData data;
    assert_ok(filo_file_read(&data, filo_test_path("half.flac"), NULL));
    size_t undecodable = 0;
    for (size_t size = 42; size < FILO_MIN(data.size, 400); size += 7) {
        assert_ok(filo_file_write(filo_test_path("half.flac"), data.bytes, size, NULL));
        Fixture f;
        fixture_begin(&f);
        double before = filo_sound_seconds(f.assets, filo_name("half.flac"));
        FiloAsset asset = filo_assets_load(f.assets, "half.flac");
        (void)filo_assets_wait(f.assets, asset);
        if (filo_asset_state(f.assets, asset) == FILO_ASSET_FAILED && before > 0) undecodable++;
        assert_true(filo_sound_seconds(f.assets, filo_name("half.flac")) == before);
        fixture_end(&f);
    }
    filo_file_free(&data);
    assert_true(undecodable > 0);
}

FILO_TEST(the_loop_of_a_synth_is_the_same_before_and_after_it_is_loaded) {
    static const char text[] =
        "{ \"rate\": 8000, \"loop\": [0.1, 0.10001], \"layers\": [ { \"seconds\": 0.2 } ] }";
    assert_ok(filo_file_write(filo_test_path("tiny.synth"), text, sizeof text - 1, NULL));
    Fixture f;
    fixture_begin_registered(&f);
    AudioRecords *records = audio_records_of(f.world, f.assets);
    assert_non_null(records);
    AudioLength before = audio_length(records, filo_name("tiny.synth"));
    FiloAsset asset = filo_assets_load(f.assets, "tiny.synth");
    assert_ok(filo_assets_wait(f.assets, asset));
    AudioLength after = audio_length(records, filo_name("tiny.synth"));
    assert_true(before.seconds > 0 && before.seconds == after.seconds);
    assert_true(before.loop_begin == after.loop_begin && before.loop_end == after.loop_end);
    fixture_end(&f);
}
