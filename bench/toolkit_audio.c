// Benchmarks of sound against OpenAL alone: 64 voices that move, in ticks of a sixtieth of a second.
//
// Both sides render 800 frames offline for each tick, from the same samples. The reference has 64 sources, and sets the
// level, pitch and position of each in every tick, as a program would that computes them itself.

#include "audio/audio.h"
#include "audio/device/openal.h"
#include "bench.h"

#include <math.h>

#define VOICES 64
#define FRAMES 800
#define TICKS  120

static int16_t samples[48000];

static void make_samples(void) {
    for (int i = 0; i < 48000; i++) samples[i] = (int16_t)(8000 * sin(i * 0.05) + 4000 * sin(i * 0.31));
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

static void ours_begin(Ours *ours) {
    *ours = (Ours){ 0 };
    bench_expect(filo_jobs_create(&ours->jobs, &(FiloJobsDesc){ .threads = 1 }).code == FILO_OK, "jobs");
    bench_expect(
        filo_assets_create(&ours->assets, &(FiloAssetsDesc){ .jobs = ours->jobs, .folder = "." }).code ==
            FILO_OK,
        "assets");
    bench_expect(filo_audio_create(&ours->audio, &(FiloAudioDesc){ .assets = ours->assets,
                                                                   .output = FILO_AUDIO_OFFLINE,
                                                                   .sources = VOICES })
                         .code == FILO_OK,
                 "audio");
    AudioSound *sound = audio_sound_create(filo_assets_allocator(ours->assets), 48000, 1, 48000);
    bench_expect(sound != NULL, "memory");
    memcpy(sound->samples, samples, sizeof samples);
    filo_assets_add(ours->assets, "sound", "a.wav", sound);
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
} Reference;

static void reference_begin(Reference *reference) {
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
}

static void reference_end(Reference *reference) {
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

FILO_BENCH(toolkit_audio) {
    if (!bench_shows("toolkit.voices_64")) return;
    static Pair pair;
    make_samples();
    ours_begin(&pair.ours);
    reference_begin(&pair.reference);
    bench_compare(&(BenchFigure){ .name = "toolkit.voices_64",
                                  .unit = "ms",
                                  .ours = sample_ours,
                                  .reference = sample_reference,
                                  .reference_name = "OpenAL alone",
                                  .state = &pair });
    reference_end(&pair.reference);
    ours_end(&pair.ours);
}
