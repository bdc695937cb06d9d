// Opening, losing and closing the device.

#include "audio/audio.h"
#include "audio/device/openal.h"

#include <filo/profile.h>

#define RETRY_FIRST 1.0 // seconds, doubled after each failure
#define RETRY_LAST  60.0
#define STABLE      10.0 // seconds: a device that is lost sooner counts as a failure

// ---- Opening --------------------------------------------------------------------------------------------------------

// On an async thread: asking a sound server may take a while.
static FiloResult open_device(FiloAsyncCall *call, void *user) {
    FILO_UNUSED(call);
    FiloAudio *audio = user;
    audio->device.opened = audio_device_open_default();
    return filo_ok();
}

static void start_opening(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    device->opening =
        filo_async_run(audio->jobs, open_device, audio, &(FiloAsyncOptions){ .name = "open audio" });
    device->is_opening = device->opening.id != 0;
}

static void make_context(FiloAudio *audio, ALCdevice *opened) {
    AudioDevice *device = &audio->device;
    ALCint attributes[] = { ALC_MONO_SOURCES,
                            device->source_capacity,
                            ALC_MAX_AUXILIARY_SENDS,
                            2,
                            ALC_HRTF_SOFT,
                            device->headphones ? ALC_TRUE : ALC_FALSE,
                            0 };
    ALCcontext *context = alcCreateContext(opened, attributes);
    if (context == NULL) {
        alcCloseDevice(opened);
        return;
    }
    device->device = opened;
    device->context = context;
    device->age = 0;
    const char *name = alcGetString(opened, ALC_ALL_DEVICES_SPECIFIER);
    filo_string_copy(filo_string(name != NULL ? name : "a device"), device->name, sizeof device->name);
    if (audio_sources_create(audio)) {
        audio_effects_create(audio);
        filo_log_info("audio", "playing on \"%s\"", device->name);
        return;
    }
    audio_device_close(audio);
}

static void wait_longer(AudioDevice *device) {
    device->pause = device->pause > 0 ? FILO_MIN(2 * device->pause, RETRY_LAST) : RETRY_FIRST;
    device->retry = device->pause;
}

// When the request has ended.
static void finish_opening(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    FiloRequestState state = filo_async_state(audio->jobs, device->opening);
    if (state == FILO_REQUEST_WAITING || state == FILO_REQUEST_RUNNING) return;
    filo_async_release(audio->jobs, device->opening);
    device->is_opening = false;
    ALCdevice *opened = device->opened;
    device->opened = NULL;
    if (opened != NULL) make_context(audio, opened);
    if (device->device != NULL) return;
    if (device->pause == 0)
        filo_log_warn("audio", "there is no sound device: the game goes on without, and tries again");
    wait_longer(device);
}

bool audio_device_is_connected(const FiloAudio *audio) {
    ALCdevice *device = audio->device.device;
    ALCint connected = ALC_TRUE;
    if (audio->output == FILO_AUDIO_DEVICE && alcIsExtensionPresent(device, "ALC_EXT_disconnect"))
        alcGetIntegerv(device, ALC_CONNECTED, 1, &connected);
    return connected == ALC_TRUE;
}

// Another device is tried at once, unless devices are lost as soon as they are opened.
static void lose_device(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    filo_log_warn("audio", "\"%s\" was unplugged", device->name);
    audio_device_close(audio);
    if (device->age < STABLE)
        wait_longer(device);
    else
        device->retry = device->pause = 0;
}

void audio_device_watch(FiloAudio *audio, double seconds) {
    AudioDevice *device = &audio->device;
    if (audio->output != FILO_AUDIO_DEVICE) return;
    if (device->device != NULL) {
        device->age += seconds;
        if (audio_device_is_connected(audio)) return;
        lose_device(audio);
    }
    if (device->is_opening) {
        finish_opening(audio);
        return;
    }
    device->retry -= seconds;
    if (device->retry <= 0) start_opening(audio);
}

bool audio_device_enter(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    if (device->context == NULL) return false;
    return alcGetCurrentContext() == device->context || alcMakeContextCurrent(device->context) == ALC_TRUE;
}

void audio_device_close(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    if (audio_device_enter(audio)) {
        audio_sources_destroy(audio);
        audio_buffers_sweep(audio, true);
        audio_effects_destroy(audio);
        alcMakeContextCurrent(NULL);
    }
    if (device->context != NULL) alcDestroyContext(device->context);
    if (device->device != NULL) alcCloseDevice(device->device);
    device->context = device->device = NULL;
    for (uint32_t i = 0; i < audio->voices.end; i++) audio->voices.items[i].source = -1;
}

// ---- Begin and end --------------------------------------------------------------------------------------------------

FiloResult audio_device_init(FiloAudio *audio, const FiloAudioDesc *desc) {
    AudioDevice *device = &audio->device;
    device->headphones = desc->headphones;
    device->rendered = desc->rendered;
    device->rendered_user = desc->rendered_user;
    device->source_capacity = (int)audio->voices.sources + AUDIO_SPARE_SOURCES;
    filo_map_init(&device->buffers, sizeof(AudioBuffer), audio->allocator);
    device->sources =
        filo_alloc_zero(audio->allocator, (size_t)device->source_capacity * sizeof *device->sources, 0);
    if (device->sources == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for audio");
    if (audio->output == FILO_AUDIO_OFFLINE) return audio_offline_open(audio, desc);
    if (audio->output == FILO_AUDIO_DEVICE) start_opening(audio);
    return filo_ok();
}

void audio_device_deinit(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    if (device->is_opening) {
        filo_async_cancel(audio->jobs, device->opening);
        filo_async_wait(audio->jobs, device->opening);
        filo_async_release(audio->jobs, device->opening);
        if (device->opened != NULL) alcCloseDevice(device->opened);
    }
    audio_device_close(audio);
    filo_free(audio->allocator, device->sources, (size_t)device->source_capacity * sizeof *device->sources,
              0);
    filo_free(audio->allocator, device->mix, device->mix_frames * 2 * sizeof *device->mix, 0);
    if (device->buffers.ready) filo_map_deinit(&device->buffers);
    device->sources = NULL;
    device->mix = NULL;
}

const char *filo_audio_device(const FiloAudio *audio) {
    if (!AUDIO_CHECK(audio)) return "";
    if (audio->output == FILO_AUDIO_OFFLINE) return "offline";
    if (audio->output == FILO_AUDIO_NONE) return "none";
    return audio->device.device != NULL ? audio->device.name : "no device";
}

void filo_audio_reopen(FiloAudio *audio) {
    if (!AUDIO_CHECK(audio)) return;
    if (audio->output != FILO_AUDIO_DEVICE) return;
    audio_device_close(audio);
    audio->device.retry = audio->device.pause = 0;
}
