// Starting, stopping and changing voices.

#include "audio/audio.h"
#include "base/suggest.h"

#define CLICK_SECONDS 0.01f // of the shortest fade
#define SEEK_MAX      1e9   // seconds
#define QUIETER       2.0f // a voice that gives way to a louder one is 6 dB quieter, so that two do not take turns

bool audio_voices_init(AudioVoices *voices, int sources, const FiloAllocator *allocator) {
    *voices = (AudioVoices){ .sources = (uint32_t)sources };
    voices->items = filo_alloc_zero(allocator, FILO_AUDIO_VOICES * sizeof *voices->items, 0);
    voices->order = filo_alloc_zero(allocator, FILO_AUDIO_VOICES * sizeof *voices->order, 0);
    filo_map_init(&voices->entities, sizeof(AudioEntity), allocator);
    return voices->items != NULL && voices->order != NULL;
}

void audio_voices_deinit(AudioVoices *voices, const FiloAllocator *allocator) {
    for (uint32_t i = 0; i < voices->end; i++) audio_sound_release(voices->items[i].sound);
    filo_free(allocator, voices->items, FILO_AUDIO_VOICES * sizeof *voices->items, 0);
    filo_free(allocator, voices->order, FILO_AUDIO_VOICES * sizeof *voices->order, 0);
    if (voices->entities.ready) filo_map_deinit(&voices->entities);
    *voices = (AudioVoices){ 0 };
}

// ---- Handles ------------------------------------------------------------------------------------------------------

FiloVoice audio_voice_handle(const FiloAudio *audio, const AudioVoice *voice) {
    return (FiloVoice){ (uint32_t)(voice - audio->voices.items) + 1, voice->generation };
}

AudioVoice *audio_voice_of(const FiloAudio *audio, FiloVoice handle) {
    if (handle.index == 0 || handle.index > audio->voices.end) return NULL;
    AudioVoice *voice = &audio->voices.items[handle.index - 1];
    return voice->state != AUDIO_VOICE_FREE && voice->generation == handle.generation ? voice : NULL;
}

// ---- Start and end --------------------------------------------------------------------------------------------------

void audio_voice_end(FiloAudio *audio, AudioVoice *voice) {
    FILO_UNUSED(audio);
    audio_sound_release(voice->sound);
    *voice = (AudioVoice){ .generation = voice->generation, .source = -1 };
}

// A voice that stops already does not stop later.
void audio_voice_stop(AudioVoice *voice, float fade) {
    float step = -1 / filo_max(fade, CLICK_SECONDS);
    voice->fade_step = voice->state == AUDIO_VOICE_STOPS ? filo_min(step, voice->fade_step) : step;
    voice->state = AUDIO_VOICE_STOPS;
}

// With too many voices of one sound, the oldest one stops.
static void enforce_limit(FiloAudio *audio, const FiloCue *cue) {
    AudioVoice *oldest = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < audio->voices.end; i++) {
        AudioVoice *voice = &audio->voices.items[i];
        if (voice->state == AUDIO_VOICE_FREE || voice->state == AUDIO_VOICE_STOPS) continue;
        if (voice->cue.sound.id != cue->sound.id) continue;
        count++;
        if (oldest == NULL || voice->order < oldest->order) oldest = voice;
    }
    if (count >= cue->limit && oldest != NULL) audio_voice_stop(oldest, 0);
}

// A free voice, or else that of the lowest priority below `priority`, or equal to it and quieter than `level`; of several
// the quietest, then the oldest.
static AudioVoice *find_room(FiloAudio *audio, int16_t priority, float level) {
    AudioVoices *voices = &audio->voices;
    for (uint32_t i = 0; i < voices->end; i++)
        if (voices->items[i].state == AUDIO_VOICE_FREE) return &voices->items[i];
    if (voices->end < FILO_AUDIO_VOICES) return &voices->items[voices->end++];
    AudioVoice *worst = NULL;
    for (uint32_t i = 0; i < voices->end; i++) {
        AudioVoice *voice = &voices->items[i];
        if (voice->cue.priority > priority || voice->group != 0) continue;
        if (voice->cue.priority == priority && !(voice->level * QUIETER < level)) continue;
        bool worse =
            worst == NULL || voice->cue.priority < worst->cue.priority ||
            (voice->cue.priority == worst->cue.priority &&
             (voice->level < worst->level || (voice->level == worst->level && voice->order < worst->order)));
        if (worse) worst = voice;
    }
    if (worst != NULL) audio_voice_end(audio, worst);
    return worst;
}

int32_t audio_bus_for(const FiloAudio *audio, FiloName name) {
    if (name.id == 0) return AUDIO_BUS_SOUNDS;
    int32_t bus = audio_bus_find(&audio->buses, name);
    if (bus >= 0) return bus;
    FiloString wanted = filo_string(filo_name_text(name));
    if (!base_first_time("bus", wanted)) return AUDIO_BUS_SOUNDS;
    BaseSuggestion suggestion = base_suggest(wanted);
    for (int32_t i = 0; i < audio->buses.count; i++)
        base_suggest_offer(&suggestion, filo_string(filo_name_text(audio->buses.items[i].name)));
    char meant[BASE_SUGGEST_SIZE];
    filo_log_warn("audio", "there is no bus \"%s\"; \"sounds\" is used%s", wanted.data,
                  base_suggest_print(&suggestion, meant));
    return AUDIO_BUS_SOUNDS;
}

AudioVoice *audio_voice_start(FiloAudio *audio, const FiloCue *given, uint32_t group, float level) {
    if (given->sound.id == 0) return NULL;
    FiloCue cleaned = *given, *cue = &cleaned;
    audio_cue_clean(cue);
    if (cue->limit > 0) enforce_limit(audio, cue);
    AudioVoice *voice = find_room(audio, cue->priority, level);
    if (voice == NULL) {
        audio->stats.lost++;
        audio_warn_lost();
        return NULL;
    }
    uint32_t generation = voice->generation + 1;
    float gain = audio_gain(cue->sound, cue->gain);
    *voice = (AudioVoice){ .state = AUDIO_VOICE_WAITS,
                           .generation = generation != 0 ? generation : 1,
                           .cue = *cue,
                           .bus = audio_bus_for(audio, cue->bus),
                           .order = audio->voices.started++,
                           .group = group,
                           .time = (double)cue->start,
                           .gain = gain,
                           .gain_goal = gain,
                           .fade = cue->fade_in > 0 ? 0 : 1,
                           .fade_step = cue->fade_in > 0 ? 1 / cue->fade_in : 0,
                           .placed = (cue->flags & FILO_SOUND_PLACED) != 0,
                           .position = cue->position,
                           .source = -1 };
    audio->stats.played++;
    return voice;
}

// ---- Public: playing --------------------------------------------------------------------------------------------------

#define RANDOM_STREAM 0x63616c6cu

static FiloCue vary(FiloAudio *audio, const FiloCue *cue) {
    FiloCue varied = *cue;
    if (cue->variation > 0 && cue->variation < AUDIO_VARIATION_MAX) {
        FiloRandom random = filo_random_keyed(0, audio->calls, RANDOM_STREAM, 0);
        varied.pitch += filo_random_float_range(&random, -cue->variation, cue->variation);
        varied.variation = 0;
    }
    audio->calls++;
    return varied;
}

static void notify_later(FiloAudio *audio, const FiloCue *cue) {
    if ((cue->flags & FILO_SOUND_NOTIFY) == 0 || (cue->flags & FILO_SOUND_LOOP) != 0) return;
    if (audio->events == NULL || audio->assets == NULL) return;
    double seconds = filo_sound_seconds(audio->assets, cue->sound) - (double)filo_max(cue->start, 0);
    filo_events_emit_later(audio->events, filo_name(FILO_EVENT_SOUND_ENDED), FILO_TYPE(FiloSoundEnded),
                           &(FiloSoundEnded){ .entity = cue->entity, .sound = cue->sound },
                           audio_ticks_of(seconds, cue->pitch, audio->tick_seconds));
}

FiloVoice filo_audio_play(FiloAudio *audio, const FiloCue *cue) {
    if (!AUDIO_CHECK(audio) || !FILO_CHECK(cue != NULL, "pass a cue")) return (FiloVoice){ 0 };
    audio_warn_unplaced(cue);
    FiloCue varied = vary(audio, cue);
    AudioVoice *voice = audio_voice_start(audio, &varied, 0, 0);
    if (voice == NULL) return (FiloVoice){ 0 };
    notify_later(audio, &varied);
    return audio_voice_handle(audio, voice);
}

#define TOGETHER_MAX 16

size_t filo_audio_play_together(FiloAudio *audio, const FiloCue *cues, size_t count, FiloVoice *voices) {
    if (!AUDIO_CHECK(audio) || !FILO_CHECK(cues != NULL || count == 0, "pass cues")) return 0;
    if (!FILO_CHECK(count <= TOGETHER_MAX, "up to %d sounds stay together", TOGETHER_MAX)) return 0;
    uint32_t group = ++audio->voices.groups;
    AudioVoice *made[TOGETHER_MAX];
    for (size_t i = 0; i < count; i++) {
        FiloCue cue = cues[i];
        audio_warn_unplaced(&cue);
        cue.pitch = cues[0].pitch;
        cue.start = cues[0].start;
        cue.limit = 0;
        cue.flags &= (uint8_t)~FILO_SOUND_DOPPLER; // it would have another pitch
        made[i] = audio_voice_start(audio, &cue, group, 0);
        if (voices != NULL && made[i] != NULL) voices[i] = audio_voice_handle(audio, made[i]);
        if (made[i] != NULL) continue;
        for (size_t k = 0; k < i; k++) audio_voice_end(audio, made[k]);
        if (voices != NULL) memset(voices, 0, count * sizeof *voices);
        return 0;
    }
    for (size_t i = 0; i < count; i++) notify_later(audio, &made[i]->cue);
    return count;
}

FiloVoice filo_audio_music(FiloAudio *audio, const char *sound, float fade) {
    if (!AUDIO_CHECK(audio)) return (FiloVoice){ 0 };
    FiloName name = sound != NULL ? filo_name(sound) : (FiloName){ 0 };
    AudioVoice *present = audio_voice_of(audio, audio->music);
    if (present != NULL && present->state != AUDIO_VOICE_STOPS && name.id == audio->music_name.id)
        return audio->music;
    if (present != NULL) audio_voice_stop(present, fade);
    audio->music = (FiloVoice){ 0 };
    audio->music_name = name;
    if (name.id == 0) return audio->music;
    audio->music = filo_audio_play(audio, &(FiloCue){ .sound = name,
                                                      .bus = filo_name("music"),
                                                      .flags = FILO_SOUND_LOOP,
                                                      .priority = INT16_MAX,
                                                      .fade_in = fade });
    return audio->music;
}

// ---- Public: changing a voice -------------------------------------------------------------------------------------------

static AudioVoice *voice_of(const FiloAudio *audio, FiloVoice handle) {
    return AUDIO_CHECK(audio) ? audio_voice_of(audio, handle) : NULL;
}

void filo_audio_stop(FiloAudio *audio, FiloVoice handle, float fade) {
    AudioVoice *voice = voice_of(audio, handle);
    if (voice != NULL) audio_voice_stop(voice, fade);
}

void filo_audio_stop_bus(FiloAudio *audio, const char *name, float fade) {
    if (!AUDIO_CHECK(audio)) return;
    int32_t bus = AUDIO_BUS_MASTER;
    if (name != NULL) bus = audio_bus_find(&audio->buses, filo_name_find(filo_string(name)));
    if (!FILO_CHECK(bus >= 0, "there is no bus \"%s\": create it by filo_audio_set_bus", name)) return;
    for (uint32_t i = 0; i < audio->voices.end; i++) {
        AudioVoice *voice = &audio->voices.items[i];
        if (voice->state != AUDIO_VOICE_FREE && audio_bus_is_below(&audio->buses, voice->bus, bus))
            audio_voice_stop(voice, fade);
    }
}

bool filo_audio_playing(const FiloAudio *audio, FiloVoice handle) { return voice_of(audio, handle) != NULL; }

bool filo_audio_heard(const FiloAudio *audio, FiloVoice handle) {
    const AudioVoice *voice = voice_of(audio, handle);
    return voice != NULL && voice->source >= 0;
}

double filo_audio_time(const FiloAudio *audio, FiloVoice handle) {
    const AudioVoice *voice = voice_of(audio, handle);
    return voice != NULL ? voice->time : 0;
}

void filo_audio_seek(FiloAudio *audio, FiloVoice handle, double time) {
    AudioVoice *voice = voice_of(audio, handle);
    if (voice == NULL) return;
    voice->time = time > 0 ? FILO_MIN(time, SEEK_MAX) : 0;
    audio_voice_wrap(voice);
    voice->jumped = true;
}

void filo_audio_pause(FiloAudio *audio, FiloVoice handle, bool on) {
    AudioVoice *voice = voice_of(audio, handle);
    if (voice != NULL) voice->paused = on;
}

void filo_audio_set_gain(FiloAudio *audio, FiloVoice handle, float gain, float fade) {
    AudioVoice *voice = voice_of(audio, handle);
    if (voice == NULL) return;
    voice->gain_goal = audio_gain(voice->cue.sound, gain);
    voice->gain_step = fade > 0 ? filo_abs(voice->gain_goal - voice->gain) / fade : 0;
    if (!(fade > 0)) voice->gain = voice->gain_goal;
}

void filo_audio_set_pitch(FiloAudio *audio, FiloVoice handle, float pitch) {
    AudioVoice *voice = voice_of(audio, handle);
    if (voice == NULL || !FILO_CHECK(voice->group == 0, "voices that stay together keep their pitch")) return;
    voice->cue.pitch = pitch;
    audio_cue_clean(&voice->cue);
}

void filo_audio_set_occlusion(FiloAudio *audio, FiloVoice handle, float occlusion) {
    AudioVoice *voice = voice_of(audio, handle);
    if (voice == NULL) return;
    voice->cue.occlusion = occlusion;
    audio_cue_clean(&voice->cue);
}

void filo_audio_place(FiloAudio *audio, FiloVoice handle, FiloVec3 position, FiloVec3 velocity) {
    AudioVoice *voice = voice_of(audio, handle);
    if (voice == NULL) return;
    voice->placed = true;
    voice->position = position;
    voice->velocity = velocity;
}
