// Sources: voices that are heard.

#include "audio/audio.h"
#include "audio/device/openal.h"

#define RELEASE_STEPS 3 // with a device: as long as it takes until a new level is heard

bool audio_sources_create(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    if (!audio_device_enter(audio)) return false;
    alDistanceModel(AL_NONE);
    alListenerf(AL_GAIN, 1);
    device->source_count = device->source_capacity;
    for (int i = 0; i < device->source_count; i++) {
        AudioSource *source = &device->sources[i];
        *source = (AudioSource){ 0 };
        alGetError();
        alGenSources(1, &source->id);
        if (alGetError() == AL_NO_ERROR) continue;
        device->source_count = i; // fewer than wanted
        break;
    }
    for (int i = 0; i < device->source_count; i++) {
        alSourcei(device->sources[i].id, AL_SOURCE_RELATIVE, AL_TRUE);
        alSourcef(device->sources[i].id, AL_ROLLOFF_FACTOR, 0);
        alSourcef(device->sources[i].id, AL_MAX_GAIN, 16);
    }
    return device->source_count > 0;
}

// Takes what a source plays away from it.
static void empty(FiloAudio *audio, AudioSource *source) {
    alSourceStop(source->id);
    alSourcei(source->id, AL_BUFFER, AL_NONE);
    audio_stream_close(source->stream);
    audio_buffer_give(audio, source->buffer);
    *source = (AudioSource){ .id = source->id };
}

void audio_sources_destroy(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    for (int i = 0; i < device->source_count; i++) {
        if (device->sources[i].id == 0) continue;
        empty(audio, &device->sources[i]);
        alDeleteSources(1, &device->sources[i].id);
        device->sources[i] = (AudioSource){ 0 };
    }
}

// ---- One source -----------------------------------------------------------------------------------------------------

static AudioVoice *voice_of(const FiloAudio *audio, const AudioSource *source) {
    AudioVoice *voice = &audio->voices.items[source->voice];
    return voice->state != AUDIO_VOICE_FREE && voice->generation == source->generation ? voice : NULL;
}

// A source fades out first, so that it does not click.
static void release(FiloAudio *audio, AudioSource *source) {
    AudioVoice *voice = voice_of(audio, source);
    if (voice != NULL) voice->source = -1;
    if (!source->started || source->paused || source->gain == 0) {
        empty(audio, source);
        return;
    }
    source->state = AUDIO_SOURCE_RELEASED;
    source->countdown = audio->output == FILO_AUDIO_OFFLINE ? 1 : RELEASE_STEPS;
    source->gain = 0;
    alSourcef(source->id, AL_GAIN, 0);
}

static void set_filter(const FiloAudio *audio, const AudioSource *source, float high) {
    const AudioDevice *device = &audio->device;
    if (!device->has_filters) return;
    alFilterf(device->filter, AL_LOWPASS_GAIN, 1);
    alFilterf(device->filter, AL_LOWPASS_GAINHF, filo_clamp01(high));
    alSourcei(source->id, AL_DIRECT_FILTER, (ALint)(high < 1 ? device->filter : AL_FILTER_NULL));
    for (int i = 0; i < 2; i++)
        if (source->sends[i] != 0)
            alSource3i(source->id, AL_AUXILIARY_SEND_FILTER, (ALint)source->sends[i], i,
                       (ALint)(high < 1 ? device->filter : AL_FILTER_NULL));
}

static void set_sends(const FiloAudio *audio, AudioSource *source, int32_t bus) {
    uint32_t sends[2];
    audio_effects_sends(audio, bus, sends);
    for (int i = 0; i < 2; i++) {
        if (sends[i] == source->sends[i]) continue;
        source->sends[i] = sends[i];
        alSource3i(source->id, AL_AUXILIARY_SEND_FILTER, (ALint)sends[i], i, AL_FILTER_NULL);
        source->high = -1; // the filter of the send must be set
    }
}

// Sends what has changed. `all` for a source that was not used.
static void update(const FiloAudio *audio, AudioSource *source, const AudioVoice *voice, bool all) {
    if (audio->device.has_reverb) set_sends(audio, source, voice->bus);
    if (all || source->gain != voice->level) alSourcef(source->id, AL_GAIN, filo_min(voice->level, 16));
    if (all || source->pitch != voice->pitch) alSourcef(source->id, AL_PITCH, voice->pitch);
    if (all || source->toward.x != voice->toward.x || source->toward.y != voice->toward.y ||
        source->toward.z != voice->toward.z)
        alSource3f(source->id, AL_POSITION, voice->toward.x, voice->toward.y, voice->toward.z);
    if (all || source->high != voice->high) set_filter(audio, source, voice->high);
    source->gain = voice->level;
    source->pitch = voice->pitch;
    source->toward = voice->toward;
    source->high = voice->high;
}

static void set_offset(const AudioSource *source, const AudioVoice *voice) {
    uint64_t frame = (uint64_t)(voice->time * voice->sound->rate + 0.5);
    if (frame > 0 && frame < voice->sound->frames) alSourcei(source->id, AL_SAMPLE_OFFSET, (ALint)frame);
}

// Gives a source what the voice plays. False without memory.
static bool fill(FiloAudio *audio, AudioSource *source, const AudioVoice *voice) {
    bool loops = (voice->cue.flags & FILO_SOUND_LOOP) != 0;
    if (audio->device.has_direct_channels)
        alSourcei(source->id, AL_DIRECT_CHANNELS_SOFT, voice->sound->channels == 2 ? AL_TRUE : AL_FALSE);
    if (voice->sound->samples == NULL) {
        source->stream = audio_stream_open(audio, voice);
        alSourcei(source->id, AL_LOOPING, AL_FALSE);
        return source->stream != NULL;
    }
    uint32_t buffer = audio_buffer_take(audio, voice->sound);
    if (buffer == 0) return false;
    source->buffer = voice->sound->serial;
    alSourcei(source->id, AL_BUFFER, (ALint)buffer);
    alSourcei(source->id, AL_LOOPING, loops ? AL_TRUE : AL_FALSE);
    set_offset(source, voice);
    return true;
}

static AudioSource *find_free(AudioDevice *device) {
    for (int i = 0; i < device->source_count; i++)
        if (device->sources[i].state == AUDIO_SOURCE_FREE) return &device->sources[i];
    return NULL;
}

static void attach(FiloAudio *audio, AudioVoice *voice) {
    AudioSource *source = find_free(&audio->device);
    if (source == NULL) return; // in the next step, when one has been released
    *source = (AudioSource){ .id = source->id, .state = AUDIO_SOURCE_PLAYS };
    source->voice = (uint32_t)(voice - audio->voices.items);
    source->generation = voice->generation;
    if (!fill(audio, source, voice)) {
        empty(audio, source);
        return;
    }
    alSource3i(source->id, AL_AUXILIARY_SEND_FILTER, AL_EFFECTSLOT_NULL, 0, AL_FILTER_NULL);
    alSource3i(source->id, AL_AUXILIARY_SEND_FILTER, AL_EFFECTSLOT_NULL, 1, AL_FILTER_NULL);
    update(audio, source, voice, true);
    voice->source = (int32_t)(source - audio->device.sources);
    voice->jumped = false;
}

// ---- All of them ------------------------------------------------------------------------------------------------------

static void release_unwanted(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    for (int i = 0; i < device->source_count; i++) {
        AudioSource *source = &device->sources[i];
        if (source->state == AUDIO_SOURCE_RELEASED && --source->countdown <= 0) empty(audio, source);
        if (source->state != AUDIO_SOURCE_PLAYS) continue;
        const AudioVoice *voice = voice_of(audio, source);
        bool stands =
            voice != NULL && voice->stands && voice->group == 0; // keeps its source while it is paused
        if (voice != NULL && (voice->wanted || stands) && !voice->jumped) continue;
        if (voice != NULL && !voice->wanted && audio_voice_is_audible(voice)) audio->stats.stolen++;
        release(audio, source);
    }
}

// Whether a stream has enough to begin with.
static bool is_ready(const FiloAudio *audio, const AudioSource *source) {
    if (source->stream == NULL || source->stream->ended) return true;
    int queued = AUDIO_STREAM_PARTS - source->stream->free_count;
    return queued >= (audio->output == FILO_AUDIO_OFFLINE ? AUDIO_STREAM_PARTS : 2);
}

static bool group_is_ready(const FiloAudio *audio, uint32_t group) {
    const AudioDevice *device = &audio->device;
    uint32_t with_source = 0, all = 0;
    for (int i = 0; i < device->source_count; i++) {
        const AudioVoice *voice =
            device->sources[i].state == AUDIO_SOURCE_PLAYS ? voice_of(audio, &device->sources[i]) : NULL;
        if (voice == NULL || voice->group != group) continue;
        if (!is_ready(audio, &device->sources[i])) return false;
        with_source++;
    }
    for (uint32_t i = 0; i < audio->voices.end; i++)
        all += audio->voices.items[i].state != AUDIO_VOICE_FREE && audio->voices.items[i].group == group;
    return with_source == all;
}

static void start_and_pause(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    ALuint starting[FILO_AUDIO_SOURCES + AUDIO_SPARE_SOURCES];
    int count = 0;
    for (int i = 0; i < device->source_count; i++) {
        AudioSource *source = &device->sources[i];
        if (source->state != AUDIO_SOURCE_PLAYS) continue;
        const AudioVoice *voice = voice_of(audio, source);
        if (voice == NULL) continue;
        if (source->started && voice->stands != source->paused) {
            source->paused = voice->stands;
            if (source->paused)
                alSourcePause(source->id);
            else
                starting[count++] = source->id;
        }
        if (source->started || voice->stands || !is_ready(audio, source)) continue;
        if (voice->group != 0 && !group_is_ready(audio, voice->group)) continue;
        source->started = true;
        starting[count++] = source->id;
    }
    if (count > 0) alSourcePlayv(count, starting); // at the same sample
}

void audio_sources_sync(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    if (!audio_device_enter(audio)) return;
    alcSuspendContext(device->context);
    audio_effects_update(audio);
    release_unwanted(audio);
    for (uint32_t i = 0; i < audio->voices.end; i++) {
        AudioVoice *voice = &audio->voices.items[i];
        if (voice->wanted && voice->source < 0)
            attach(audio, voice);
        else if (voice->source >= 0)
            update(audio, &device->sources[voice->source], voice, false);
    }
    for (int i = 0; i < device->source_count; i++)
        if (device->sources[i].state == AUDIO_SOURCE_PLAYS && device->sources[i].stream != NULL)
            audio_stream_feed(device->sources[i].stream, device->sources[i].id,
                              audio->output == FILO_AUDIO_OFFLINE);
    start_and_pause(audio);
    alcProcessContext(device->context);
    if (++device->steps % 64 == 0) audio_buffers_sweep(audio, false);
}

// A stream that was decoded too late has stopped before its end.
static bool restart(FiloAudio *audio, AudioSource *source) {
    if (source->stream == NULL) return false;
    ALint queued = 0;
    alGetSourcei(source->id, AL_BUFFERS_QUEUED, &queued);
    if (source->stream->ended && !source->stream->requested && queued == 0) return false;
    if (source->stream->ended && !source->stream->requested) {
        ALint processed = 0;
        alGetSourcei(source->id, AL_BUFFERS_PROCESSED, &processed);
        if (processed == queued) return false;
    }
    source->started = false; // begins again with the parts that have come
    audio->stats.starved++;
    return true;
}

void audio_sources_collect(FiloAudio *audio) {
    AudioDevice *device = &audio->device;
    if (!audio_device_enter(audio)) return;
    for (int i = 0; i < device->source_count; i++) {
        AudioSource *source = &device->sources[i];
        if (source->state != AUDIO_SOURCE_PLAYS || !source->started || source->paused) continue;
        ALint state = AL_PLAYING;
        alGetSourcei(source->id, AL_SOURCE_STATE, &state);
        if (state != AL_STOPPED) continue;
        // A lost device stops all its sources. Their voices go on: the next step closes the device.
        if (!audio_device_is_connected(audio)) return;
        if (restart(audio, source)) continue;
        AudioVoice *voice = voice_of(audio, source);
        empty(audio, source);
        if (voice != NULL) audio_voice_end(audio, voice);
    }
}
