// Rendering instead of playing, by OpenAL's loopback device.

#include "audio/audio.h"
#include "audio/device/openal.h"

#define NEAR_WHOLE 0.001 // frames: a tick that is so near to a whole number of them has that many

FiloResult audio_offline_open(FiloAudio *audio, const FiloAudioDesc *desc) {
    AudioDevice *device = &audio->device;
    if (!alcIsExtensionPresent(NULL, "ALC_SOFT_loopback"))
        return filo_error(FILO_ERROR_UNSUPPORTED, "this OpenAL cannot render sound without a device");
    device->rate = desc->rate > 0 ? desc->rate : 48000;
    device->device = alcLoopbackOpenDeviceSOFT(NULL);
    ALCint attributes[] = { ALC_FORMAT_CHANNELS_SOFT,
                            ALC_STEREO_SOFT,
                            ALC_FORMAT_TYPE_SOFT,
                            ALC_FLOAT_SOFT,
                            ALC_FREQUENCY,
                            device->rate,
                            ALC_MONO_SOURCES,
                            device->source_capacity,
                            ALC_MAX_AUXILIARY_SENDS,
                            2,
                            ALC_HRTF_SOFT,
                            device->headphones ? ALC_TRUE : ALC_FALSE,
                            ALC_OUTPUT_LIMITER_SOFT,
                            ALC_FALSE,
                            0 };
    if (device->device != NULL) device->context = alcCreateContext(device->device, attributes);
    if (device->context == NULL || !audio_sources_create(audio))
        return filo_error(FILO_ERROR_UNSUPPORTED, "this OpenAL cannot render sound at %d Hz", device->rate);
    audio_effects_create(audio);
    if (desc->file == NULL) return filo_ok();
    return audio_wav_open(&device->wav, desc->file, device->rate);
}

static bool reserve(FiloAudio *audio, size_t frames) {
    AudioDevice *device = &audio->device;
    if (frames <= device->mix_frames) return true;
    float *mix = filo_resize(audio->allocator, device->mix, device->mix_frames * 2 * sizeof *mix,
                             frames * 2 * sizeof *mix, 0);
    if (mix == NULL) return false;
    device->mix = mix;
    device->mix_frames = frames;
    return true;
}

// How many frames a time is. What is left of a frame is owed to the next time.
static size_t frames_of(AudioDevice *device, double seconds) {
    double frames = seconds * device->rate, whole = (double)(uint64_t)(frames + 0.5);
    if (frames - whole < NEAR_WHOLE && whole - frames < NEAR_WHOLE) return (size_t)whole;
    device->owed += frames;
    whole = (double)(uint64_t)device->owed;
    device->owed -= whole;
    return (size_t)whole;
}

static void write_file(AudioDevice *device, size_t frames) {
    int16_t samples[512];
    for (size_t from = 0; from < frames;) {
        size_t count = FILO_MIN(frames - from, FILO_COUNT_OF(samples) / 2);
        for (size_t i = 0; i < count * 2; i++)
            samples[i] = (int16_t)filo_round_to_int(filo_clamp(device->mix[from * 2 + i], -1, 1) * 32767);
        audio_wav_write(&device->wav, samples, count);
        from += count;
    }
}

void audio_offline_render(FiloAudio *audio, double seconds) {
    AudioDevice *device = &audio->device;
    size_t frames = frames_of(device, FILO_CLAMP(seconds, 0, 10.0));
    if (device->finished || frames == 0 || !reserve(audio, frames)) return;
    alcRenderSamplesSOFT(device->device, device->mix, (ALCsizei)frames);
    audio->stats.frames += frames;
    if (device->wav.file != NULL) write_file(device, frames);
    if (device->rendered != NULL) device->rendered(device->mix, frames, device->rendered_user);
}

FiloResult audio_offline_finish(FiloAudio *audio) {
    audio->device.finished = true;
    return audio_wav_close(&audio->device.wav);
}
