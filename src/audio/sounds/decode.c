// Sounds from files: decoded whole, or kept as bytes that a stream decodes.
//
// A file may be damaged or hostile. Its head is checked before memory is allocated for what it promises, and what is
// decoded is bounded by FILO_SOUND_WHOLE or by the size of a part of a stream.

#include "audio/audio.h"
#include "base/suggest.h"

#include <string.h>

// A damaged file has fewer samples than its head says: the rest is silent, so that its length is that of the head.
static FiloResult decode_whole(AudioFile *file, const char *name, AudioSound *sound) {
    size_t got = audio_file_read(file, sound->samples, (size_t)sound->frames);
    if (got > 0) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "%s: no sample of it can be decoded", name);
}

static FiloResult copy_bytes(const void *bytes, size_t size, const char *name, AudioSound *sound) {
    sound->bytes = filo_alloc(sound->allocator, size, 0);
    if (sound->bytes == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the sound", name);
    memcpy(sound->bytes, bytes, size);
    sound->size = size;
    return filo_ok();
}

FiloResult audio_sound_decode(const void *bytes, size_t size, const char *name,
                              const FiloAllocator *allocator, AudioSound **sound_out) {
    *sound_out = NULL;
    AudioFile file;
    FiloResult r = audio_file_open(&file, bytes, size, name);
    if (r.code != FILO_OK) return r;
    const AudioFileHead *head = &file.head;
    if (head->has_bad_loop && base_first_time("loop points", filo_string(name)))
        filo_log_warn("audio", "%s: its loop points are not in order inside the sound, and not used", name);
    bool whole = head->frames * head->channels * sizeof(int16_t) <= FILO_SOUND_WHOLE;
    AudioSound *sound = audio_sound_create(allocator, head->rate, head->channels, whole ? head->frames : 0);
    if (sound == NULL) {
        r = filo_error(FILO_ERROR_MEMORY, "%s: no memory for the sound", name);
    } else {
        sound->frames = sound->loop_end = head->frames;
        if (head->loop_end > 0) {
            sound->loop_begin = head->loop_begin;
            sound->loop_end = head->loop_end;
        }
        r = whole ? decode_whole(&file, name, sound) : copy_bytes(bytes, size, name, sound);
    }
    audio_file_close(&file);
    if (r.code != FILO_OK) {
        audio_sound_release(sound);
        return r;
    }
    *sound_out = sound;
    return r;
}
