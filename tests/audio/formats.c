// Formats of sound files: lengths, seeks, numbers of bits, channels and rates.

#include "audio/audio.h"
#include "audio/fixture.h"

#include <FLAC/stream_encoder.h>
#include <sndfile.h>

// ---- Writing files --------------------------------------------------------------------------------------------

// A sweep that grows and fades, with bursts of noise: each part differs from the others, in size too.
static float *make_sweep(size_t frames, int channels, int rate) {
    float *samples = malloc(frames * (size_t)channels * sizeof *samples);
    assert_non_null(samples);
    uint32_t noise = 1;
    for (size_t i = 0; i < frames * (size_t)channels; i++) {
        size_t frame = i / (size_t)channels, channel = i % (size_t)channels;
        double t = (double)frame / rate;
        noise = noise * 1664525 + 1013904223;
        double hiss = (frame / 3000 % 7 == 0 ? 0.2 : 0.01) * ((double)(noise >> 8) / 16777216 - 0.5);
        double hz = 220 + 110 * (double)channel;
        samples[i] =
            (float)(hiss + 0.3 * sin(2 * M_PI * hz * t * (1 + 0.1 * sin(t))) * (0.5 + 0.5 * sin(7 * t)));
    }
    return samples;
}

typedef struct Written {
    const char *name;
    int format, channels, rate;
    double quality; // of VBR, 0 to 1; -1: the format's default; -2: a constant bit rate, the lowest
    int tolerance;  // of samples after a seek
} Written;

static bool write_sweep(const Written *to, double seconds) {
    SF_INFO info = { .samplerate = to->rate, .channels = to->channels, .format = to->format };
    SNDFILE *file = sf_open(filo_test_path(to->name), SFM_WRITE, &info);
    if (file == NULL) return false;
    double quality = to->quality, lowest = 1;
    int mode = SF_BITRATE_MODE_CONSTANT;
    if (quality >= 0) sf_command(file, SFC_SET_VBR_ENCODING_QUALITY, &quality, sizeof quality);
    if (quality == -2) {
        sf_command(file, SFC_SET_BITRATE_MODE, &mode, sizeof mode);
        sf_command(file, SFC_SET_COMPRESSION_LEVEL, &lowest, sizeof lowest);
    }
    size_t frames = (size_t)(seconds * to->rate);
    float *samples = make_sweep(frames, to->channels, to->rate);
    sf_writef_float(file, samples, (sf_count_t)frames);
    free(samples);
    sf_close(file);
    return true;
}

// ---- Reading them ---------------------------------------------------------------------------------------------

typedef struct Opened {
    FiloFileData data;
    AudioFile file;
    int16_t *samples; // all of them
    size_t frames;
} Opened;

static void open_all(Opened *opened, const char *name) {
    assert_ok(filo_file_read(&opened->data, filo_test_path(name), NULL));
    assert_ok(audio_file_open(&opened->file, opened->data.bytes, opened->data.size, name));
    size_t most = (size_t)opened->file.head.frames + 100000;
    opened->samples = malloc(most * opened->file.head.channels * sizeof(int16_t));
    assert_non_null(opened->samples);
    opened->frames = audio_file_read(&opened->file, opened->samples, most);
}

static void close_all(Opened *opened) {
    audio_file_close(&opened->file);
    free(opened->samples);
    filo_file_free(&opened->data);
}

// A sample of all, from -1 to 1.
static double sample_of(const Opened *opened, size_t frame, size_t channel) {
    assert_true(frame < opened->frames);
    return opened->samples[frame * opened->file.head.channels + channel] / 32768.0;
}

#define OGG_VORBIS (SF_FORMAT_OGG | SF_FORMAT_VORBIS)
#define OGG_OPUS   (SF_FORMAT_OGG | SF_FORMAT_OPUS)
#define MP3        (SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III)

FILO_TEST(what_is_read_after_a_seek_is_what_reading_from_the_beginning_gives) {
    const Written formats[] = {
        { "low.ogg", OGG_VORBIS, 1, 44100, 0.3, 0 },
        { "stereo.ogg", OGG_VORBIS, 2, 22050, 0.1, 0 },
        { "low.opus", OGG_OPUS, 1, 24000, -1, 8 },
        { "low.mp3", MP3, 1, 22050, -2, 1 },
        { "stereo.mp3", MP3, 2, 44100, -2, 1 },
        { "good.mp3", MP3, 2, 44100, 0.1, 1 },
        { "a.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 2, 44100, -1, 0 },
        { "adpcm.wav", SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM, 2, 44100, -1, 0 },
        { "gsm.wav", SF_FORMAT_WAV | SF_FORMAT_GSM610, 1, 8000, -1, 0 },
        { "six.ogg", OGG_VORBIS, 6, 48000, 0.3, 0 },
        { "high.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 1, 300000, -1, 0 },
        { "slow.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, 1500, -1, 0 },
    };
    for (size_t k = 0; k < FILO_COUNT_OF(formats); k++) {
        if (!write_sweep(&formats[k], 5)) continue; // this libsndfile cannot
        Opened all;
        open_all(&all, formats[k].name);
        assert_int_equal(all.frames, all.file.head.frames);
        const size_t channels = all.file.head.channels;
        for (size_t at = 1; at < all.frames; at += all.frames / 97) {
            int16_t part[2 * 3000];
            if (!audio_file_seek(&all.file, at)) fail_msg("%s: no seek to %zu", formats[k].name, at);
            size_t wanted = FILO_MIN((size_t)3000, all.frames - at);
            assert_int_equal(audio_file_read(&all.file, part, wanted), wanted);
            for (size_t i = 0; i < wanted * channels; i++) {
                int difference = abs(part[i] - all.samples[at * channels + i]);
                if (difference > formats[k].tolerance)
                    fail_msg("%s: after a seek to %zu, frame %zu is off by %d", formats[k].name, at,
                             at + i / channels, difference);
            }
        }
        close_all(&all);
    }
}

// ---- Lengths --------------------------------------------------------------------------------------------------

// Removes the frame that says how many there are.
static void remove_xing(FiloFileData *file) {
    for (size_t i = 0; i < 200 && i + 4 < file->size; i++)
        if (memcmp(file->bytes + i, "Xing", 4) == 0 || memcmp(file->bytes + i, "Info", 4) == 0)
            memset(file->bytes + i, 0, 4);
}

// A loud, long beginning and a quiet end: the first frames are longer than the others.
FILO_TEST(an_mp3_without_a_xing_header_is_as_long_as_its_frames) {
    const Written best = { "best.mp3", MP3, 2, 44100, 0, 0 }, worst = { "worst.mp3", MP3, 2, 44100, -2, 0 };
    if (!write_sweep(&best, 1) || !write_sweep(&worst, 9)) skip();
    FiloFileData parts[2];
    uint8_t *both = NULL;
    size_t size = 0;
    for (int i = 0; i < 2; i++) {
        assert_ok(filo_file_read(&parts[i], filo_test_path(i == 0 ? "best.mp3" : "worst.mp3"), NULL));
        remove_xing(&parts[i]);
        both = realloc(both, size + parts[i].size);
        assert_non_null(both);
        memcpy(both + size, parts[i].bytes, parts[i].size);
        size += parts[i].size;
        filo_file_free(&parts[i]);
    }
    write_file("both.mp3", both, size);
    free(both);
    Fixture f;
    fixture_begin(&f);
    double now = filo_sound_seconds(f.assets, filo_name("both.mp3")); // in a tick, before it is loaded
    assert_near(now, 10, 0.2);
    FiloAsset asset = filo_assets_load(f.assets, "both.mp3");
    assert_ok(filo_assets_wait(f.assets, asset));
    FiloSoundInfo info;
    assert_true(filo_sound_info(f.assets, asset, &info));
    assert_true(info.seconds == now);
    Opened all;
    open_all(&all, "both.mp3");
    assert_int_equal(all.frames, all.file.head.frames);
    close_all(&all);
    fixture_end(&f);
}

// ---- FLAC -----------------------------------------------------------------------------------------------------

static void write_flac(const char *name, unsigned bits, unsigned channels, unsigned rate, bool ogg,
                       size_t frames) {
    FLAC__StreamEncoder *encoder = FLAC__stream_encoder_new();
    assert_non_null(encoder);
    FLAC__stream_encoder_set_streamable_subset(encoder, false);
    FLAC__stream_encoder_set_bits_per_sample(encoder, bits);
    FLAC__stream_encoder_set_channels(encoder, channels);
    FLAC__stream_encoder_set_sample_rate(encoder, rate);
    const char *path = filo_test_path(name);
    assert_int_equal(ogg ? FLAC__stream_encoder_init_ogg_file(encoder, path, NULL, NULL)
                         : FLAC__stream_encoder_init_file(encoder, path, NULL, NULL),
                     FLAC__STREAM_ENCODER_INIT_STATUS_OK);
    for (size_t i = 0; i < frames; i++) {
        FLAC__int32 frame[8];
        for (unsigned c = 0; c < channels; c++)
            frame[c] = (FLAC__int32)lrint(0.5 * sin((double)i * 0.05) * (double)((1u << (bits - 1)) - 1));
        assert_true(FLAC__stream_encoder_process_interleaved(encoder, frame, 1));
    }
    assert_true(FLAC__stream_encoder_finish(encoder));
    FLAC__stream_encoder_delete(encoder);
}

static void expect_flac(const char *name, size_t frames) {
    Opened all;
    open_all(&all, name);
    assert_int_equal(all.file.head.frames, frames);
    assert_int_equal(all.frames, frames);
    for (size_t i = 0; i < frames; i += 13)
        assert_near(sample_of(&all, i, 0), 0.5 * sin((double)i * 0.05), 0.01);
    close_all(&all);
}

FILO_TEST(flac_files_of_all_bits_are_read_alone_and_in_ogg) {
    const unsigned bits[] = { 8, 12, 16, 20, 24 };
    for (size_t i = 0; i < FILO_COUNT_OF(bits); i++) {
        write_flac("bits.flac", bits[i], 1, 44100, false, 20000);
        expect_flac("bits.flac", 20000);
        write_flac("bits.oga", bits[i], 2, 44100, true, 20000);
        expect_flac("bits.oga", 20000);
    }
}

FILO_TEST(a_flac_file_that_does_not_say_its_length_is_counted) {
    write_flac("pipe.flac", 16, 2, 44100, false, 20000);
    FiloFileData data;
    assert_ok(filo_file_read(&data, filo_test_path("pipe.flac"), NULL));
    data.bytes[21] &= 0xF0; // the last 36 bits of rate, channels, bits and frames
    memset(data.bytes + 22, 0, 4);
    assert_ok(filo_file_write(filo_test_path("pipe.flac"), data.bytes, data.size, NULL));
    filo_file_free(&data);
    expect_flac("pipe.flac", 20000);
}

// ---- 24 bits in 4 bytes -----------------------------------------------------------------------------------------

// A WAV file of 32 frames, of one channel: frame i is i / 64. `shift` is where its 24 bits begin.
static size_t make_24_in_4(uint8_t *bytes, bool extensible, unsigned bits, unsigned shift, int sign) {
    size_t head = extensible ? 40 : 16, at = 20 + head;
    memset(bytes, 0, 512);
    memcpy(bytes, "RIFF    WAVEfmt ", 16);
    put_number(bytes + 4, (uint32_t)(at + 128), 4);
    put_number(bytes + 16, (uint32_t)head, 4);
    put_number(bytes + 20, extensible ? 0xFFFE : 1, 2);
    put_number(bytes + 22, 1, 2);
    put_number(bytes + 24, RATE, 4);
    put_number(bytes + 28, RATE * 4, 4);
    put_number(bytes + 32, 4, 2);
    put_number(bytes + 34, bits, 2);
    if (extensible) {
        put_number(bytes + 36, 22, 2);
        put_number(bytes + 38, 24, 2);
        memcpy(bytes + 44, "\1\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71", 16);
    }
    memcpy(bytes + at, "data", 4);
    put_number(bytes + at + 4, 128, 4);
    for (int i = 0; i < 32; i++)
        put_number(bytes + at + 8 + 4 * i, (uint32_t)(sign * i * (1 << 17) & 0xFFFFFF) << shift, 4);
    return at + 8 + 128;
}

FILO_TEST(wav_files_with_24_bits_in_4_bytes_are_read_wherever_the_bits_are) {
    for (int k = 0; k < 12; k++) {
        uint8_t bytes[512];
        int sign = k % 2 == 0 ? 1 : -1;
        size_t size = make_24_in_4(bytes, k / 2 % 2 == 1,
                                   k >= 8           ? 24
                                   : k / 2 % 2 == 1 ? 32
                                                    : 24,
                                   k >= 4 ? 8 : 0, sign);
        write_file("packed.wav", bytes, size);
        Opened all;
        open_all(&all, "packed.wav");
        assert_int_equal(all.frames, 32);
        for (size_t i = 0; i < 32; i++) assert_near(sample_of(&all, i, 0), sign * (double)i / 64, 1e-9);
        close_all(&all);
    }
}

// ---- Channels and rates ---------------------------------------------------------------------------------------

// Each channel in turn has the level 0.5.
static void write_channels(const char *name, int format, int channels, const int *map) {
    SF_INFO info = { .samplerate = RATE, .channels = channels, .format = format };
    SNDFILE *file = sf_open(filo_test_path(name), SFM_WRITE, &info);
    assert_non_null(file);
    if (map != NULL)
        assert_true(sf_command(file, SFC_SET_CHANNEL_MAP_INFO, (void *)(uintptr_t)map,
                               (int)((size_t)channels * sizeof *map)));
    for (int i = 0; i < channels * TICK; i++) {
        float frame[16] = { 0 };
        frame[i / TICK] = (float)(0.5 * sin(2 * M_PI * 1000 * i / RATE));
        sf_writef_float(file, frame, 1);
    }
    sf_close(file);
}

// The speakers of the channels in their order, as AudioFile.speakers.
static void expect_mix(const char *name, const char *speakers, double tolerance) {
    Opened all;
    open_all(&all, name);
    size_t count = strlen(speakers);
    assert_int_equal(all.file.head.channels, 2);
    assert_true(all.frames >= count * TICK);
    double levels[8][2], left = 0, right = 0;
    for (size_t c = 0; c < count; c++) {
        char s = speakers[c];
        levels[c][0] = s == 'L' ? 1 : s == 'l' || s == 'C' ? sqrt(0.5) : s == 'c' ? 0.5 : 0;
        levels[c][1] = s == 'R' ? 1 : s == 'r' || s == 'C' ? sqrt(0.5) : s == 'c' ? 0.5 : 0;
        left += levels[c][0];
        right += levels[c][1];
    }
    double sum = left > right ? left : right;
    for (size_t c = 0; c < count; c++) {
        double heard[2] = { 0 };
        for (size_t i = c * TICK + 100; i < c * TICK + 700; i++)
            for (size_t side = 0; side < 2; side++)
                heard[side] = fmax(heard[side], fabs(sample_of(&all, i, side)));
        for (size_t side = 0; side < 2; side++)
            assert_near(heard[side], 0.5 * levels[c][side] / sum, tolerance);
    }
    close_all(&all);
}

FILO_TEST(sounds_of_more_than_two_channels_are_mixed_to_two) {
    const int wav = SF_FORMAT_WAV | SF_FORMAT_PCM_16, wavex = SF_FORMAT_WAVEX | SF_FORMAT_PCM_16;
    write_channels("three.wav", wav, 3, NULL);
    expect_mix("three.wav", "LRC", 0.001);
    write_channels("quad.wav", wav, 4, NULL);
    expect_mix("quad.wav", "LRlr", 0.001);
    write_channels("six.wav", wav, 6, NULL);
    expect_mix("six.wav", "LRCFlr", 0.001);
    write_channels("six.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 6, NULL);
    expect_mix("six.flac", "LRCFlr", 0.001);
    const int map[] = { SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_LFE,
                        SF_CHANNEL_MAP_REAR_CENTER };
    write_channels("map.wav", wavex, 4, map);
    expect_mix("map.wav", "LRFc", 0.001);
    write_channels("six.ogg", OGG_VORBIS, 6, NULL);
    expect_mix("six.ogg", "LCRlrF", 0.1);
    write_channels("ten.wav", wav, 10, NULL);
    Opened all;
    write_channels("six.opus", OGG_OPUS, 6, NULL);
    open_all(&all, "six.opus");
    assert_string_equal(all.file.speakers, "LCRlrF");
    close_all(&all);
    open_all(&all, "ten.wav");
    for (size_t side = 0; side < 2; side++) assert_near(sample_of(&all, 9 * TICK + 12, side), 0.05, 0.001);
    close_all(&all);
}

FILO_TEST(uncommon_rates_are_changed_by_a_whole_factor) {
    const struct {
        const char *name;
        int rate;
        uint32_t read;
    } rates[] = { { "fast.wav", 768000, 192000 }, { "odd.wav", 200001, 100001 }, { "slow.wav", 1500, 4500 } };
    for (size_t k = 0; k < FILO_COUNT_OF(rates); k++) {
        size_t frames = (size_t)rates[k].rate / 2, size;
        int16_t *samples = malloc(frames * sizeof *samples);
        assert_non_null(samples);
        for (size_t i = 0; i < frames; i++)
            samples[i] = (int16_t)lrint(16384 * sin(2 * M_PI * 50 * (double)i / rates[k].rate));
        uint8_t *bytes = wav_bytes(samples, frames, 1, rates[k].rate, &size);
        write_file(rates[k].name, bytes, size);
        free(bytes);
        free(samples);
        Opened all;
        open_all(&all, rates[k].name);
        assert_int_equal(all.file.head.rate, rates[k].read);
        assert_int_equal(all.frames, all.file.head.frames);
        assert_near((double)all.frames / rates[k].read, 0.5, 0.001);
        for (size_t i = 0; i + 10 < all.frames; i += 11)
            assert_near(sample_of(&all, i, 0), 0.5 * sin(2 * M_PI * 50 * (double)i / rates[k].read), 0.005);
        close_all(&all);
    }
}
