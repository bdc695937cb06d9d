// Buffers of OpenAL, one for each sound that is played whole.

#include "audio/audio.h"
#include "audio/device/openal.h"

static ALuint make_buffer(const AudioDevice *device, const AudioSound *sound) {
    ALuint id = 0;
    alGetError();
    alGenBuffers(1, &id);
    if (alGetError() != AL_NO_ERROR) return 0;
    ALenum format = sound->channels == 2 ? AL_FORMAT_STEREO16 : AL_FORMAT_MONO16;
    alBufferData(id, format, sound->samples, (ALsizei)sound->size, (ALsizei)sound->rate);
    if (alGetError() != AL_NO_ERROR) {
        alDeleteBuffers(1, &id);
        return 0;
    }
    bool has_loop = sound->loop_begin > 0 || sound->loop_end < sound->frames;
    if (has_loop && device->has_loop_points) {
        ALint points[2] = { (ALint)sound->loop_begin, (ALint)sound->loop_end };
        alBufferiv(id, AL_LOOP_POINTS_SOFT, points);
    }
    return id;
}

uint32_t audio_buffer_take(FiloAudio *audio, AudioSound *sound) {
    AudioBuffer *buffer = filo_map_get(&audio->device.buffers, sound->serial);
    if (buffer == NULL) {
        ALuint id = make_buffer(&audio->device, sound);
        buffer = id != 0 ? filo_map_put(&audio->device.buffers, sound->serial) : NULL;
        if (buffer == NULL) {
            if (id != 0) alDeleteBuffers(1, &id);
            return 0;
        }
        *buffer = (AudioBuffer){ .sound = audio_sound_retain(sound), .id = id };
    }
    buffer->users++;
    return buffer->id;
}

void audio_buffer_give(FiloAudio *audio, uint64_t serial) {
    AudioBuffer *buffer = serial != 0 ? filo_map_get(&audio->device.buffers, serial) : NULL;
    if (buffer != NULL) buffer->users--;
}

void audio_buffers_sweep(FiloAudio *audio, bool all) {
    FiloMap *buffers = &audio->device.buffers;
    for (size_t i = filo_map_count(buffers); i-- > 0;) {
        AudioBuffer *buffer = filo_map_value_at(buffers, i);
        // Only the device has a reference: the asset was unloaded, or replaced. A sound whose loop points were changed has
        // another serial.
        bool stale = base_load_relaxed(&buffer->sound->references) == 1 ||
                     buffer->sound->serial != filo_map_key_at(buffers, i);
        if (!all && (buffer->users > 0 || !stale)) continue;
        alDeleteBuffers(1, &buffer->id);
        audio_sound_release(buffer->sound);
        filo_map_remove(buffers, filo_map_key_at(buffers, i));
    }
}
