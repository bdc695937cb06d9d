// Where voices are heard from, how loud, and at which pitch.

#include "audio/audio.h"

#define PAN_ANGLE (FILO_PI / 3) // in two channels, a sound from here is in one of them only

float audio_falloff(FiloFalloff falloff, float distance, float near, float far) {
    if (!(distance > near)) return 1;
    if (distance >= far) return 0;
    if (falloff == FILO_FALLOFF_LINEAR) return (far - distance) / (far - near);
    if (falloff == FILO_FALLOFF_NONE) return 1;
    float end = near / far;
    return (near / distance - end) / (1 - end);
}

// In the plane, left and right.
static FiloVec3 pan(const AudioListener *listener, FiloVec3 offset) {
    float angle = filo_clamp(offset.x / listener->pan, -1, 1) * PAN_ANGLE;
    return filo_vec3(filo_sin(angle), 0, -filo_cos(angle));
}

// In space, the direction as the listener sees it. A sound that is nearer than `near` is heard less and less from one
// side, so that it does not jump when it passes through the head.
static FiloVec3 direction(const AudioListener *listener, FiloVec3 offset, float distance, float near) {
    FiloQuat rotation = listener->rotation;
    bool identity = rotation.x == 0 && rotation.y == 0 && rotation.z == 0 && rotation.w == 0;
    FiloVec3 seen = identity ? offset : filo_quat_rotate(filo_quat_conjugate(rotation), offset);
    float scale = 1 / filo_max(distance, near);
    float ahead = distance < near ? 1 - distance / near : 0;
    seen = filo_vec3_scale(seen, scale);
    seen.z -= ahead;
    float length = filo_vec3_length(seen);
    return length > 0.0001f ? filo_vec3_scale(seen, 1 / length) : filo_vec3(0, 0, -1);
}

// How much the pitch changes: the speeds of both along the line between them, each less than the speed of sound.
static float doppler(const AudioListener *listener, const AudioVoice *voice, FiloVec3 offset,
                     float distance) {
    if (distance < 0.0001f) return 1;
    const float c = listener->speed_of_sound, limit = 0.9f * c;
    float away = filo_clamp(filo_vec3_dot(voice->velocity, offset) / distance, -limit, limit);
    float towards = filo_clamp(filo_vec3_dot(listener->velocity, offset) / distance, -limit, limit);
    float change = filo_clamp((c + towards) / (c + away), 0.1f, 4);
    return filo_is_nan(change) ? 1 : change; // of a velocity that is not a number
}

void audio_place(const AudioListener *listener, AudioVoice *voice) {
    voice->toward = filo_vec3(0, 0, -1);
    if (!voice->placed) return;
    const FiloCue *cue = &voice->cue;
    float near = cue->near > 0 ? cue->near : listener->near;
    float far = cue->far > near ? cue->far : FILO_MAX(listener->far, 2 * near);
    if (!audio_is_somewhere(voice->position)) {
        audio_warn_nowhere(cue->sound);
        voice->level = 0;
        return;
    }
    FiloVec3 offset = filo_vec3_sub(voice->position, listener->position);
    if (!listener->in_space) offset.z = 0;
    float distance = filo_vec3_length(offset);
    voice->level *= audio_falloff((FiloFalloff)cue->falloff, distance, near, far);
    voice->toward = listener->in_space ? direction(listener, offset, distance, near) : pan(listener, offset);
    if ((cue->flags & FILO_SOUND_DOPPLER) != 0) voice->pitch *= doppler(listener, voice, offset, distance);
}
