// What happens to voices in a step.

#include "audio/audio.h"

#define JUMP        0.25 // seconds: a component whose time is so far from that of its voice was rewound
#define TAIL        0.3  // seconds: a voice that is so near to its end is not cut off
#define LATE        1.0  // seconds: a sound that takes so long to load is not played any more
#define OCCLUDED    6.0f // decibels that a sound behind a wall is lower
#define OCCLUDED_HF 30.0f

// ---- Records ------------------------------------------------------------------------------------------------------

void audio_voices_cues(FiloAudio *audio, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        audio_warn_unplaced(&audio->records->cues.items[i]);
        audio_voice_start(audio, &audio->records->cues.items[i], 0, 0);
    }
}

static uint8_t cue_flags(const AudioSoundState *state) {
    uint8_t flags = (uint8_t)(state->sound.flags & (FILO_SOUND_LOOP | FILO_SOUND_DOPPLER));
    return state->placed ? flags | FILO_SOUND_PLACED : flags;
}

static FiloCue cue_of(const AudioSoundState *state) {
    const FiloSound *sound = &state->sound;
    return (FiloCue){ .sound = sound->sound,
                      .bus = sound->bus,
                      .gain = sound->gain,
                      .pitch = sound->pitch + sound->varied,
                      .near = sound->near,
                      .far = sound->far,
                      .occlusion = sound->occlusion,
                      .fade_in = sound->fade_in,
                      .start = sound->time > JUMP ? (float)sound->time : 0,
                      .priority = sound->priority,
                      .falloff = sound->falloff,
                      .flags = cue_flags(state),
                      .position = state->position };
}

static void follow(const FiloAudio *audio, AudioVoice *voice, const AudioSoundState *state) {
    const FiloSound *sound = &state->sound;
    voice->cue.pitch = sound->pitch + sound->varied;
    voice->cue.near = sound->near;
    voice->cue.far = sound->far;
    voice->cue.occlusion = sound->occlusion;
    voice->cue.priority = sound->priority;
    voice->cue.falloff = sound->falloff;
    audio_cue_clean(&voice->cue);
    if (voice->cue.bus.id != sound->bus.id) {
        voice->cue.bus = sound->bus;
        voice->bus = audio_bus_for(audio, sound->bus);
    }
    bool loops = (sound->flags & FILO_SOUND_LOOP) != 0;
    if (loops != ((voice->cue.flags & FILO_SOUND_LOOP) != 0))
        voice->jumped = true; // its source is filled again
    voice->cue.flags = cue_flags(state);
    voice->gain = voice->gain_goal = audio_gain(sound->sound, sound->gain);
    voice->paused = sound->paused;
    audio_warn_speed(voice, state);
    voice->placed = state->placed;
    voice->position = state->position;
    voice->velocity = state->velocity;
}

static void prepare(const FiloAudio *audio, AudioVoice *voice);

// Starts the voice of a component. Without room it is tried again in each tick in which it would be heard, for the nearest
// of thousands changes as they move.
static AudioVoice *start_component(FiloAudio *audio, AudioEntity *entity, const AudioSoundState *state) {
    FiloCue cue = cue_of(state);
    AudioVoice heard = { .cue = cue, .bus = audio_bus_for(audio, cue.bus), .fade = 1, .source = -1 };
    audio_cue_clean(&heard.cue);
    heard.gain = audio_gain(cue.sound, cue.gain);
    heard.placed = state->placed;
    heard.position = state->position;
    prepare(audio, &heard);
    if (entity->lost && !audio_voice_is_audible(&heard)) return NULL;
    uint64_t lost = audio->stats.lost;
    AudioVoice *voice = audio_voice_start(audio, &cue, 0, heard.level);
    if (entity->lost) audio->stats.lost = lost; // counted before
    entity->lost = voice == NULL;
    return voice;
}

static void record_sound(FiloAudio *audio, const AudioSoundState *state) {
    AudioVoices *voices = &audio->voices;
    bool is_new = !filo_map_has(&voices->entities, state->entity.id);
    AudioEntity *entity = filo_map_put(&voices->entities, state->entity.id);
    if (entity == NULL) return;
    double jump = state->sound.time - entity->time;
    bool again = is_new || entity->plays != state->sound.plays || entity->sound.id != state->sound.sound.id;
    AudioVoice *voice = is_new ? NULL : audio_voice_of(audio, entity->voice);
    bool loops = (state->sound.flags & FILO_SOUND_LOOP) != 0;
    if (!again && jump < -JUMP && !loops) again = true; // rewound
    if (again) entity->lost = false;
    if (again || entity->lost) {
        if (voice != NULL) audio_voice_stop(voice, 0);
        voice = start_component(audio, entity, state);
        entity->voice = voice != NULL ? audio_voice_handle(audio, voice) : (FiloVoice){ 0 };
    } else if (voice != NULL && jump > JUMP && !loops) {
        voice->time = state->sound.time;
        voice->jumped = true;
    }
    entity->sound = state->sound.sound;
    entity->plays = state->sound.plays;
    entity->time = state->sound.time;
    entity->present = true;
    if (voice != NULL && voice->state != AUDIO_VOICE_STOPS) follow(audio, voice, state);
}

static double seconds_left(const AudioVoice *voice) {
    if (voice->sound == NULL || (voice->cue.flags & FILO_SOUND_LOOP) != 0) return 1e9;
    return (audio_sound_seconds(voice->sound) - voice->time) / (double)filo_max(voice->pitch, 0.01f);
}

// Components that are gone stop; those that have just ended are heard to their end.
static void drop_absent(FiloAudio *audio) {
    FiloMap *entities = &audio->voices.entities;
    for (size_t i = filo_map_count(entities); i-- > 0;) {
        AudioEntity *entity = filo_map_value_at(entities, i);
        if (entity->present) {
            entity->present = false; // for the next record
            continue;
        }
        AudioVoice *voice = audio_voice_of(audio, entity->voice);
        if (voice != NULL && seconds_left(voice) > TAIL) audio_voice_stop(voice, 0);
        filo_map_remove(entities, filo_map_key_at(entities, i));
    }
}

void audio_voices_record(FiloAudio *audio, const AudioTick *tick, size_t cue, size_t sound) {
    if (tick->has_listener && audio_listener_is_valid(&tick->listener)) {
        audio_warn_listener_speed(&audio->listener, tick, audio->records, sound);
        audio->listener = tick->listener;
    }
    audio_voices_cues(audio, cue, tick->cue_end);
    for (size_t i = sound; i < tick->sound_end; i++) record_sound(audio, &audio->records->sounds.items[i]);
    drop_absent(audio);
}

// ---- Before it is heard ---------------------------------------------------------------------------------------------

static void load(FiloAudio *audio, AudioVoice *voice) {
    bool failed = false;
    voice->sound = audio_sound_for(audio, voice->cue.sound, &failed);
    bool late = voice->waited > LATE && (voice->cue.flags & FILO_SOUND_LOOP) == 0 && voice->group == 0;
    if (failed || (voice->sound != NULL && late)) {
        audio_voice_end(audio, voice);
        return;
    }
    if (voice->sound == NULL) return;
    if (voice->state == AUDIO_VOICE_WAITS) voice->state = AUDIO_VOICE_PLAYS;
    voice->loop_begin = voice->sound->loop_begin;
    voice->loop_end = voice->sound->loop_end;
    audio_voice_wrap(voice);
    audio_warn_flat(voice);
}

static bool is_started(const FiloAudio *audio, uint32_t group) {
    for (uint32_t i = 0; i < audio->voices.end; i++)
        if (audio->voices.items[i].group == group && audio->voices.items[i].state == AUDIO_VOICE_WAITS)
            return false;
    return true;
}

// Voices that stay together start when all of them are loaded.
static void hold_groups(FiloAudio *audio) {
    for (uint32_t i = 0; i < audio->voices.end; i++) {
        AudioVoice *voice = &audio->voices.items[i];
        if (voice->group == 0 || voice->state != AUDIO_VOICE_PLAYS || voice->source >= 0 || voice->begun)
            continue;
        if (!is_started(audio, voice->group)) voice->stands = true;
    }
}

static void prepare(const FiloAudio *audio, AudioVoice *voice) {
    const AudioBus *bus = &audio->buses.items[voice->bus];
    float occlusion = filo_clamp01(voice->cue.occlusion);
    voice->stands = voice->paused || bus->stands;
    voice->level = voice->gain * bus->level;
    if (voice->fade < 1) voice->level *= filo_sin(filo_max(voice->fade, 0) * (FILO_PI / 2));
    voice->high = bus->high;
    if (occlusion > 0) {
        voice->level *= filo_decibels(-OCCLUDED * occlusion);
        voice->high *= filo_decibels(-OCCLUDED_HF * occlusion);
    }
    voice->pitch = filo_semitones(voice->cue.pitch) * bus->pitch;
    audio_place(&audio->listener, voice);
    voice->pitch = filo_clamp(voice->pitch, 0.01f, 16);
}

void audio_voices_prepare(FiloAudio *audio) {
    bool groups = false;
    for (uint32_t i = 0; i < audio->voices.end; i++) {
        AudioVoice *voice = &audio->voices.items[i];
        if (voice->state != AUDIO_VOICE_FREE && voice->sound == NULL) load(audio, voice);
        if (voice->state == AUDIO_VOICE_FREE) continue;
        prepare(audio, voice);
        groups = groups || voice->group != 0;
    }
    if (groups) hold_groups(audio);
    audio_voices_choose(audio);
}

// ---- Afterwards -------------------------------------------------------------------------------------------------------

static void advance_fades(AudioVoice *voice, float seconds) {
    voice->gain = filo_approach(voice->gain, voice->gain_goal, voice->gain_step * seconds);
    voice->fade = filo_clamp(voice->fade + voice->fade_step * seconds, 0, 1);
}

void audio_voice_wrap(AudioVoice *voice) {
    if (voice->sound == NULL || (voice->cue.flags & FILO_SOUND_LOOP) == 0) return;
    double rate = voice->sound->rate;
    voice->time =
        audio_loop_wrap(voice->time, (double)voice->loop_begin / rate, (double)voice->loop_end / rate);
}

static void advance_time(FiloAudio *audio, AudioVoice *voice, double seconds) {
    if (voice->sound == NULL) {
        voice->waited += seconds;
        return;
    }
    const AudioSound *sound = voice->sound;
    voice->time += seconds * (double)voice->pitch;
    voice->begun = true;
    audio_voice_wrap(voice);
    if ((voice->cue.flags & FILO_SOUND_LOOP) != 0) return;
    // A voice with a source ends when the source does, which may be later by the latency of the device.
    double left = audio_sound_seconds(sound) - voice->time;
    if (left < -LATE || (left <= 0 && voice->source < 0)) audio_voice_end(audio, voice);
}

void audio_voices_fade(FiloAudio *audio, double seconds) {
    for (uint32_t i = 0; i < audio->voices.end; i++) {
        AudioVoice *voice = &audio->voices.items[i];
        if (voice->state == AUDIO_VOICE_FREE || audio->buses.items[voice->bus].stands) continue;
        if (voice->sound != NULL || voice->fade_step < 0) advance_fades(voice, (float)seconds);
    }
}

void audio_voices_advance(FiloAudio *audio, double seconds) {
    for (uint32_t i = 0; i < audio->voices.end; i++) {
        AudioVoice *voice = &audio->voices.items[i];
        if (voice->state == AUDIO_VOICE_STOPS && (voice->fade <= 0 || voice->stands)) // not heard any more
            audio_voice_end(audio, voice);
        else if (voice->state != AUDIO_VOICE_FREE && !voice->stands)
            advance_time(audio, voice, seconds);
    }
}
