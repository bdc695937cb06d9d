// Benchmarks of sound against OpenAL alone: 64 voices that move, in ticks of a sixtieth of a second; and the same beside
// music with a reverb and a low-pass on its bus, which is streamed, or was decoded when it was loaded.
//
// Both sides render 800 frames offline for each tick, from the same samples. The reference has 64 sources, and sets the
// level, pitch and position of each in every tick, as a program would that computes them itself. Its music is a source with
// a queue of four buffers of a quarter of a second, filled from samples in memory, and has the same filter and effect.

#include "audio/audio.h"
#include "audio/device/openal.h"
#include "bench.h"

#include <math.h>

#define VOICES 64
#define FRAMES 800
#define TICKS  120

#define HEAD         44     // bytes of a WAV file before its samples
#define MUSIC_FRAMES 576000 // twelve seconds: more than FILO_SOUND_WHOLE
#define PART_FRAMES  12000
#define PARTS        4

typedef enum Music { NO_MUSIC, STREAMED, DECODED } Music;

static const FiloReverb reverb = { .decay = 1.5f, .gain = -3, .damping = 0.5f, .delay = 0.02f };
static const float low_pass = 1000;
static const float music_gain = -12;

static int16_t samples[48000];
static struct {
    uint8_t head[HEAD];
    int16_t samples[2 * MUSIC_FRAMES];
} music;

static void make_samples(void) {
    for (int i = 0; i < 48000; i++) samples[i] = (int16_t)(8000 * sin(i * 0.05) + 4000 * sin(i * 0.31));
    for (int i = 0; i < MUSIC_FRAMES; i++)
        for (int k = 0; k < 2; k++)
            music.samples[2 * i + k] = (int16_t)(6000 * sin(i * 0.03) + 3000 * sin(i * (0.2 + 0.1 * k)));
}

static void put_number(uint8_t *at, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static void make_head(void) {
    memcpy(music.head, "RIFF    WAVEfmt                     data", 40);
    put_number(music.head + 4, sizeof music - 8, 4);
    put_number(music.head + 16, 16, 4);
    put_number(music.head + 20, 1, 2);
    put_number(music.head + 22, 2, 2);
    put_number(music.head + 24, 48000, 4);
    put_number(music.head + 28, 48000 * 4, 4);
    put_number(music.head + 32, 4, 2);
    put_number(music.head + 34, 16, 2);
    put_number(music.head + 40, sizeof music.samples, 4);
}

static FiloVec3 position_at(int voice, int tick) {
    float angle = (float)voice * 0.7f + (float)tick * 0.02f;
    return filo_vec3(40 * filo_sin(angle), (float)(voice % 7), 40 * filo_cos(angle));
}

// ---- Filo -------------------------------------------------------------------------------------------------

typedef struct Ours {
    FiloJobs *jobs;
    FiloAssets *assets;
    FiloAudio *audio;
    FiloVoice voices[VOICES];
    int tick;
} Ours;

// Adds a sound whose samples are decoded already.
static void ours_add(Ours *ours, const char *name, uint32_t channels, uint64_t frames, const int16_t *from) {
    AudioSound *sound = audio_sound_create(filo_assets_allocator(ours->assets), 48000, channels, frames);
    bench_expect(sound != NULL, "memory");
    if (sound == NULL) return;
    memcpy(sound->samples, from, frames * channels * sizeof *from);
    filo_assets_add(ours->assets, "sound", name, sound);
}

static void ours_music(Ours *ours, Music kind) {
    if (kind == STREAMED) {
        make_head();
        FiloAsset asset = filo_assets_add_bytes(ours->assets, "sound", "music.wav", &music, sizeof music);
        bench_expect(filo_assets_wait(ours->assets, asset).code == FILO_OK, "music");
    } else {
        ours_add(ours, "music.wav", 2, MUSIC_FRAMES, music.samples);
    }
    filo_audio_set_bus(ours->audio, "music",
                       &(FiloBusDesc){ .gain = music_gain, .low_pass = low_pass, .reverb = reverb });
    filo_audio_music(ours->audio, "music.wav", 0);
    filo_audio_step(ours->audio, 1.0 / 60);
    bench_expect(filo_audio_stats(ours->audio).streams == (kind == STREAMED),
                 "the music is streamed, or not");
}

static void ours_begin(Ours *ours, Music kind) {
    *ours = (Ours){ 0 };
    bench_expect(filo_jobs_create(&ours->jobs, &(FiloJobsDesc){ .threads = 1 }).code == FILO_OK, "jobs");
    bench_expect(
        filo_assets_create(&ours->assets, &(FiloAssetsDesc){ .jobs = ours->jobs, .folder = "." }).code ==
            FILO_OK,
        "assets");
    bench_expect(filo_audio_create(&ours->audio, &(FiloAudioDesc){ .assets = ours->assets,
                                                                   .output = FILO_AUDIO_OFFLINE,
                                                                   .sources = VOICES + 1 })
                         .code == FILO_OK,
                 "audio");
    ours_add(ours, "a.wav", 1, 48000, samples);
    filo_audio_set_listener3(ours->audio, filo_vec3(0, 0, 0), (FiloQuat){ 0, 0, 0, 1 },
                             &(FiloListener){ .near = 20, .far = 1000 });
    for (int i = 0; i < VOICES; i++)
        ours->voices[i] =
            filo_audio_play(ours->audio, &(FiloCue){ .sound = filo_name("a.wav"),
                                                     .gain = -30,
                                                     .flags = FILO_SOUND_LOOP | FILO_SOUND_PLACED,
                                                     .position = position_at(i, 0) });
    filo_audio_step(ours->audio, 1.0 / 60);
    bench_expect(filo_audio_stats(ours->audio).heard == VOICES, "all voices are heard");
    if (kind != NO_MUSIC) ours_music(ours, kind);
}

static void ours_end(Ours *ours) {
    filo_audio_destroy(ours->audio);
    filo_assets_destroy(ours->assets);
    filo_jobs_destroy(ours->jobs, FILO_JOBS_FINISH);
}

static void ours_tick(Ours *ours) {
    ours->tick++;
    for (int i = 0; i < VOICES; i++) {
        float pitch = (float)((i + ours->tick) % 32) * 0.1f;
        filo_audio_set_pitch(ours->audio, ours->voices[i], pitch);
        filo_audio_place(ours->audio, ours->voices[i], position_at(i, ours->tick), filo_vec3(0, 0, 0));
    }
    filo_audio_step(ours->audio, 1.0 / 60);
}

// ---- OpenAL alone --------------------------------------------------------------------------------------------

typedef struct Reference {
    ALCdevice *device;
    ALCcontext *context;
    ALuint buffer, sources[VOICES];
    float mix[FRAMES * 2];
    int tick;
    ALuint music, parts[PARTS], filter, effect, slot; // 0: no music
    size_t played;                                    // frames of the music
} Reference;

static void queue_part(Reference *reference, ALuint part) {
    alBufferData(part, AL_FORMAT_STEREO16, music.samples + 2 * reference->played,
                 PART_FRAMES * (2 * sizeof(int16_t)), 48000);
    alSourceQueueBuffers(reference->music, 1, &part);
    reference->played = (reference->played + PART_FRAMES) % MUSIC_FRAMES;
}

static void reference_music(Reference *reference) {
    alGenFilters(1, &reference->filter);
    alFilteri(reference->filter, AL_FILTER_TYPE, AL_FILTER_LOWPASS);
    alFilterf(reference->filter, AL_LOWPASS_GAINHF, 1 / sqrtf(1 + (5000 / low_pass) * (5000 / low_pass)));
    alGenEffects(1, &reference->effect);
    alEffecti(reference->effect, AL_EFFECT_TYPE, AL_EFFECT_REVERB);
    alEffectf(reference->effect, AL_REVERB_DECAY_TIME, reverb.decay);
    alEffectf(reference->effect, AL_REVERB_DECAY_HFRATIO, 0.55f);
    alEffectf(reference->effect, AL_REVERB_GAINHF, 0.55f);
    alEffectf(reference->effect, AL_REVERB_REFLECTIONS_DELAY, reverb.delay);
    alGenAuxiliaryEffectSlots(1, &reference->slot);
    alAuxiliaryEffectSlotf(reference->slot, AL_EFFECTSLOT_GAIN, filo_decibels(reverb.gain));
    alAuxiliaryEffectSloti(reference->slot, AL_EFFECTSLOT_EFFECT, (ALint)reference->effect);
    alGenSources(1, &reference->music);
    alSourcei(reference->music, AL_SOURCE_RELATIVE, AL_TRUE);
    alSourcei(reference->music, AL_DIRECT_CHANNELS_SOFT, AL_TRUE);
    alSourcef(reference->music, AL_GAIN, filo_decibels(music_gain));
    alSourcei(reference->music, AL_DIRECT_FILTER, (ALint)reference->filter);
    alSource3i(reference->music, AL_AUXILIARY_SEND_FILTER, (ALint)reference->slot, 0,
               (ALint)reference->filter);
    alGenBuffers(PARTS, reference->parts);
    for (int i = 0; i < PARTS; i++) queue_part(reference, reference->parts[i]);
    alSourcePlay(reference->music);
    bench_expect(alGetError() == AL_NO_ERROR, "effects of OpenAL");
}

static void reference_feed(Reference *reference) {
    ALint processed = 0;
    alGetSourcei(reference->music, AL_BUFFERS_PROCESSED, &processed);
    for (ALuint part; processed > 0; processed--) {
        alSourceUnqueueBuffers(reference->music, 1, &part);
        queue_part(reference, part);
    }
}

static void reference_begin(Reference *reference, bool with_music) {
    *reference = (Reference){ .device = alcLoopbackOpenDeviceSOFT(NULL) };
    const ALCint attributes[] = { ALC_FORMAT_CHANNELS_SOFT,
                                  ALC_STEREO_SOFT,
                                  ALC_FORMAT_TYPE_SOFT,
                                  ALC_FLOAT_SOFT,
                                  ALC_FREQUENCY,
                                  48000,
                                  ALC_HRTF_SOFT,
                                  ALC_FALSE,
                                  ALC_OUTPUT_LIMITER_SOFT,
                                  ALC_FALSE,
                                  0 };
    reference->context = alcCreateContext(reference->device, attributes);
    alcMakeContextCurrent(reference->context);
    alDistanceModel(AL_NONE);
    alGenBuffers(1, &reference->buffer);
    alBufferData(reference->buffer, AL_FORMAT_MONO16, samples, sizeof samples, 48000);
    alGenSources(VOICES, reference->sources);
    for (int i = 0; i < VOICES; i++) {
        alSourcei(reference->sources[i], AL_BUFFER, (ALint)reference->buffer);
        alSourcei(reference->sources[i], AL_LOOPING, AL_TRUE);
        alSourcei(reference->sources[i], AL_SOURCE_RELATIVE, AL_TRUE);
        alSourcef(reference->sources[i], AL_GAIN, 0.03f);
    }
    alSourcePlayv(VOICES, reference->sources);
    if (with_music) reference_music(reference);
}

static void reference_end(Reference *reference) {
    if (reference->music != 0) {
        alDeleteSources(1, &reference->music);
        alDeleteBuffers(PARTS, reference->parts);
        alDeleteAuxiliaryEffectSlots(1, &reference->slot);
        alDeleteEffects(1, &reference->effect);
        alDeleteFilters(1, &reference->filter);
    }
    alDeleteSources(VOICES, reference->sources);
    alDeleteBuffers(1, &reference->buffer);
    alcMakeContextCurrent(NULL);
    alcDestroyContext(reference->context);
    alcCloseDevice(reference->device);
}

static void reference_tick(Reference *reference) {
    reference->tick++;
    alcSuspendContext(reference->context);
    for (int i = 0; i < VOICES; i++) {
        FiloVec3 at = position_at(i, reference->tick);
        float pitch = (float)((i + reference->tick) % 32) * 0.1f;
        float distance = filo_vec3_length(at);
        alSourcef(reference->sources[i], AL_GAIN, 0.0316f * 20 / distance);
        alSourcef(reference->sources[i], AL_PITCH, filo_exp2(pitch / 12));
        alSource3f(reference->sources[i], AL_POSITION, at.x / distance, at.y / distance, at.z / distance);
    }
    if (reference->music != 0) reference_feed(reference);
    alcProcessContext(reference->context);
    alcRenderSamplesSOFT(reference->device, reference->mix, FRAMES);
    bench_use(reference->mix[0]);
}

// ---- Figures ----------------------------------------------------------------------------------------------------

typedef struct Pair {
    Ours ours;
    Reference reference;
} Pair;

static double sample_ours(void *state) {
    double ns;
    bench_time(ns, TICKS, ours_tick(&((Pair *)state)->ours));
    return ns / 1e6;
}

static double sample_reference(void *state) {
    double ns;
    Reference *reference = &((Pair *)state)->reference;
    alcMakeContextCurrent(reference->context);
    bench_time(ns, TICKS, reference_tick(reference));
    return ns / 1e6;
}

static void compare(const char *figure, Music kind) {
    if (!bench_shows(figure)) return;
    static Pair pair;
    make_samples();
    ours_begin(&pair.ours, kind);
    reference_begin(&pair.reference, kind != NO_MUSIC);
    bench_compare(&(BenchFigure){ .name = figure,
                                  .unit = "ms",
                                  .ours = sample_ours,
                                  .reference = sample_reference,
                                  .reference_name = "OpenAL alone",
                                  .state = &pair });
    reference_end(&pair.reference);
    ours_end(&pair.ours);
}

FILO_BENCH(toolkit_audio) {
    compare("toolkit.voices_64", NO_MUSIC);
    compare("toolkit.music_effects", STREAMED);
    compare("toolkit.music_decoded", DECODED);
}
