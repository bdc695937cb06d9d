// Numbers that cannot be heard: not finite, or far too large. Each has a defined meaning, and one message for a sound. And
// messages about what is probably a mistake.

#include "audio/audio.h"
#include "base/suggest.h"

#define GAIN_MAX  24.0f // decibels
#define START_MAX 1e6f  // seconds

static bool is_finite(float x) { return x - x == 0; }

static void warn(FiloName sound, const char *problem) {
    const char *name = sound.id != 0 ? filo_name_text(sound) : "a sound";
    if (base_first_time(problem, filo_string(name))) filo_log_warn("audio", "%s: %s", name, problem);
}

// A number that must be finite; otherwise `instead`.
static void fix(FiloName sound, float *number, float instead, const char *problem) {
    if (is_finite(*number)) return;
    *number = instead;
    warn(sound, problem);
}

float audio_gain(FiloName name, float decibels) {
    if (!is_finite(decibels) && !(decibels < 0)) { // −∞ is as FILO_SILENT
        warn(name, "a gain that is not a number is silent");
        return 0;
    }
    if (decibels > GAIN_MAX)
        warn(name, "a gain is in decibels: 0 is as recorded, and more than 24 counts as 24");
    return filo_decibels(filo_min(decibels, GAIN_MAX));
}

void audio_cue_clean(FiloCue *cue) {
    fix(cue->sound, &cue->pitch, 0, "a pitch that is not a number counts as 0");
    fix(cue->sound, &cue->occlusion, 0, "an occlusion that is not a number counts as 0");
    fix(cue->sound, &cue->fade_in, 0, "a time to fade in that is not a number counts as 0");
    fix(cue->sound, &cue->start, 0, "a start that is not a number counts as 0");
    fix(cue->sound, &cue->near, 0, "a distance that is not a number counts as 0");
    fix(cue->sound, &cue->far, 0, "a distance that is not a number counts as 0");
    if (cue->far > 0 && cue->far <= cue->near)
        warn(cue->sound, "`far` is not more than `near`, so that of the listener is used");
    cue->start = filo_clamp(cue->start, 0, START_MAX);
}

void audio_bus_clean(FiloName bus, FiloBusDesc *desc) {
    float *numbers[] = { &desc->low_pass, &desc->reverb.decay, &desc->reverb.damping, &desc->reverb.delay,
                         &desc->duck,     &desc->duck_attack,  &desc->duck_release };
    for (size_t i = 0; i < FILO_COUNT_OF(numbers); i++)
        fix(bus, numbers[i], 0, "a number of a bus that is not finite counts as 0");
    fix(bus, &desc->reverb.gain, FILO_SILENT, "a reverb whose gain is not a number is silent");
}

bool audio_is_somewhere(FiloVec3 position) {
    return is_finite(position.x) && is_finite(position.y) && is_finite(position.z);
}

void audio_warn_nowhere(FiloName sound) {
    warn(sound, "is at a position that is not a number, and not heard");
}

bool audio_listener_is_valid(const AudioListener *listener) {
    const FiloQuat r = listener->rotation;
    if (audio_is_somewhere(listener->position) && is_finite(r.x + r.y + r.z + r.w)) return true;
    audio_warn_listener("is at a position that is not a number: it stays where it was");
    return false;
}

void audio_warn_listener(const char *problem) {
    if (base_first_time("listener", filo_string(problem))) filo_log_warn("audio", "the listener %s", problem);
}

void audio_warn_flat(const AudioVoice *voice) {
    if (voice->placed && voice->sound->channels == 2)
        warn(voice->cue.sound,
             "has two channels, so only its level depends on where it is, and not its direction");
}

void audio_warn_lost(void) {
    if (base_first_time("audio", FILO_STRING("voices")))
        filo_log_warn("audio",
                      "there are %d voices already: more sounds are not played (see filo_audio_stats)",
                      FILO_AUDIO_VOICES);
}

// ---- What has no effect --------------------------------------------------------------------------------------------------

void audio_warn_unplaced(const FiloCue *cue) {
    const FiloVec3 p = cue->position;
    bool counts = (cue->flags & (FILO_SOUND_PLACED | FILO_SOUND_FLAT)) != 0 || cue->entity.id != 0;
    if (!counts && (p.x != 0 || p.y != 0 || p.z != 0))
        warn(cue->sound, "has a position, but not the flag FILO_SOUND_PLACED, so it is heard in the middle");
}

static bool is_same_place(FiloVec3 a, FiloVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

void audio_warn_speed(const AudioVoice *voice, const AudioSoundState *now) {
    bool counts = (now->sound.flags & FILO_SOUND_DOPPLER) != 0 && voice->placed && now->placed;
    if (!counts || now->has_speed || is_same_place(voice->position, now->position)) return;
    warn(now->sound.sound, now->in_space ? "moves with FILO_SOUND_DOPPLER, but its speed is not known: add a "
                                           "FiloPreviousTransform3 to its entity"
                                         : "moves with FILO_SOUND_DOPPLER, but its speed is not known: add a "
                                           "FiloPreviousTransform2 to its entity");
}

void audio_warn_listener_speed(const AudioListener *before, const AudioTick *tick,
                               const AudioRecords *records, size_t sound) {
    const AudioListener *now = &tick->listener;
    bool moves = before->entity.id == now->entity.id && !is_same_place(before->position, now->position);
    if (now->has_speed || !moves) return;
    while (sound < tick->sound_end && (records->sounds.items[sound].sound.flags & FILO_SOUND_DOPPLER) == 0)
        sound++;
    if (sound == tick->sound_end) return;
    audio_warn_listener(now->in_space ? "moves, but its speed is not known for FILO_SOUND_DOPPLER: add a "
                                        "FiloPreviousTransform3 to its entity"
                                      : "moves, but its speed is not known for FILO_SOUND_DOPPLER: add a "
                                        "FiloPreviousTransform2 to its entity");
}
