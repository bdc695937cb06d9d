// Instead of the device and of sound files, in a build without FILO_AUDIO: nothing is heard, and all else is the same.
// Voices are counted, and the synthesiser works, so a game whose sounds it makes has the same world. The length of a
// file is not known without its decoder: it is one sample.

#include "audio/audio.h"

#include "base/suggest.h"

#define RATE 44100

// ---- The device -----------------------------------------------------------------------------------------------------

FiloResult audio_device_init(FiloAudio *audio, const FiloAudioDesc *desc) {
    FILO_UNUSED(desc);
    if (audio->output == FILO_AUDIO_OFFLINE)
        return filo_error(FILO_ERROR_UNSUPPORTED, "this Filo was built without sound (FILO_AUDIO)");
    audio->output = FILO_AUDIO_NONE;
    if (audio->records != NULL) audio->records->listening = false;
    return filo_ok();
}

void audio_device_deinit(FiloAudio *audio) { FILO_UNUSED(audio); }

void audio_device_watch(FiloAudio *audio, double seconds) {
    FILO_UNUSED(audio);
    FILO_UNUSED(seconds);
}

bool audio_device_enter(FiloAudio *audio) {
    FILO_UNUSED(audio);
    return false;
}

void audio_sources_sync(FiloAudio *audio) { FILO_UNUSED(audio); }
void audio_sources_collect(FiloAudio *audio) { FILO_UNUSED(audio); }

void audio_offline_render(FiloAudio *audio, double seconds) {
    FILO_UNUSED(audio);
    FILO_UNUSED(seconds);
}

FiloResult audio_offline_finish(FiloAudio *audio) {
    FILO_UNUSED(audio);
    return filo_ok();
}

const char *filo_audio_device(const FiloAudio *audio) { return AUDIO_CHECK(audio) ? "none" : ""; }

void filo_audio_reopen(FiloAudio *audio) { (void)AUDIO_CHECK(audio); }

// ---- Sound files ----------------------------------------------------------------------------------------------------

FiloResult audio_file_head(const void *bytes, size_t size, const char *name, AudioFileHead *head) {
    FILO_UNUSED(bytes);
    FILO_UNUSED(size);
    if (base_first_time("audio", FILO_STRING("files")))
        filo_log_warn("audio",
                      "%s and other sound files are silent, and end at once: built without FILO_AUDIO", name);
    *head = (AudioFileHead){ .rate = RATE, .channels = 1, .frames = 1 };
    return filo_ok();
}

FiloResult audio_sound_decode(const void *bytes, size_t size, const char *name,
                              const FiloAllocator *allocator, AudioSound **sound) {
    AudioFileHead head;
    FiloResult r = audio_file_head(bytes, size, name, &head);
    *sound = audio_sound_create(allocator, head.rate, head.channels, head.frames);
    return *sound != NULL ? r : filo_error(FILO_ERROR_MEMORY, "%s: no memory for the sound", name);
}
