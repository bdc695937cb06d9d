// Components, the system that counts their time, and cues.

#include "audio/audio.h"

#define REGISTER "filo_audio_register(world, assets)"

FILO_REFLECT_FLAGS(FiloSoundFlags, FILO_VALUE(FILO_SOUND_LOOP, "loop"), FILO_VALUE(FILO_SOUND_FLAT, "flat"),
                   FILO_VALUE(FILO_SOUND_DOPPLER, "doppler"), FILO_VALUE(FILO_SOUND_DESTROY, "destroy"),
                   FILO_VALUE(FILO_SOUND_NOTIFY, "notify"), FILO_VALUE(FILO_SOUND_PLACED, "placed"))
FILO_REFLECT_ENUM(FiloFalloff, FILO_VALUE(FILO_FALLOFF_INVERSE, "inverse"),
                  FILO_VALUE(FILO_FALLOFF_LINEAR, "linear"), FILO_VALUE(FILO_FALLOFF_NONE, "none"))
FILO_REFLECT_MODULE(FiloSound, REGISTER, FILO_FIELD(FiloName, sound), FILO_FIELD(FiloName, bus),
                    FILO_FIELD(float, gain, .unit = "dB"), FILO_FIELD(float, pitch, .unit = "semitones"),
                    FILO_FIELD(float, variation, .unit = "semitones"), FILO_FIELD(float, near),
                    FILO_FIELD(float, far), FILO_FIELD(float, occlusion, .max = 1),
                    FILO_FIELD(float, fade_in, .unit = "s"), FILO_FIELD(int16_t, priority),
                    FILO_FIELD(uint8_t, falloff, .choices = filo_type_FiloFalloff),
                    FILO_FIELD(uint8_t, flags, .choices = filo_type_FiloSoundFlags), FILO_FIELD(bool, paused),
                    FILO_FIELD(bool, started), FILO_FIELD(bool, ended), FILO_FIELD(uint16_t, plays),
                    FILO_FIELD(float, varied, .unit = "semitones"), FILO_FIELD(double, time, .unit = "s"))
FILO_REFLECT_MODULE(FiloListener, REGISTER, FILO_FIELD(float, near), FILO_FIELD(float, far),
                    FILO_FIELD(float, pan), FILO_FIELD(float, speed_of_sound), FILO_FIELD(int32_t, priority))
FILO_REFLECT(FiloCue, FILO_FIELD(FiloName, sound), FILO_FIELD(FiloName, bus),
             FILO_FIELD(float, gain, .unit = "dB"), FILO_FIELD(float, pitch, .unit = "semitones"),
             FILO_FIELD(float, variation, .unit = "semitones"), FILO_FIELD(float, near),
             FILO_FIELD(float, far), FILO_FIELD(float, occlusion, .max = 1),
             FILO_FIELD(float, fade_in, .unit = "s"), FILO_FIELD(float, start, .unit = "s"),
             FILO_FIELD(int16_t, priority), FILO_FIELD(uint16_t, limit),
             FILO_FIELD(uint8_t, falloff, .choices = filo_type_FiloFalloff),
             FILO_FIELD(uint8_t, flags, .choices = filo_type_FiloSoundFlags), FILO_FIELD(FiloVec3, position),
             FILO_FIELD(FiloEntity, entity))
FILO_REFLECT(FiloSoundEnded, FILO_FIELD(FiloEntity, entity), FILO_FIELD(FiloName, sound))

// ---- Units ----------------------------------------------------------------------------------------------------------

float filo_decibels(float decibels) {
    if (!(decibels > FILO_SILENT)) return 0;
    return filo_exp2(filo_min(decibels, 60) * 0.166096404744368f); // log2(10) ÷ 20
}

float filo_semitones(float semitones) {
    return filo_is_nan(semitones) ? 1 : filo_exp2(filo_clamp(semitones, -96, 96) / 12);
}

void filo_sound_play(FiloSound *sound, FiloName name) {
    if (!FILO_CHECK(sound != NULL, "pass a sound")) return;
    sound->sound = name;
    sound->started = sound->ended = false;
    sound->time = 0;
}

// ---- Time -----------------------------------------------------------------------------------------------------------

#define TOLERANCE 1e-6 // seconds: a tick as a float is not exactly a part of a second

static float draw_variation(FiloRandom *random, float variation) {
    bool varies = variation > 0 && variation < AUDIO_VARIATION_MAX;
    return varies ? filo_random_float_range(random, -variation, variation) : 0;
}

double audio_loop_wrap(double time, double begin, double end) {
    double period = end - begin;
    if (!(time >= end)) return time;
    if (!(period > 0)) return 0;
    double rounds = (time - end) / period;
    if (!(rounds < 1e15)) return begin; // a double has no fractions any more
    time -= ((double)(uint64_t)rounds + 1) * period;
    return time < begin ? begin : time;
}

static void end_sound(FiloIter *it, size_t row, FiloSound *sound) {
    FILO_NAME(ended, FILO_EVENT_SOUND_ENDED);
    FiloEntity entity = filo_iter_entity(it, row);
    sound->ended = true;
    if (it->events != NULL)
        filo_event_record(it->events, ended, FILO_TYPE(FiloSoundEnded),
                          &(FiloSoundEnded){ .entity = entity, .sound = sound->sound });
    if ((sound->flags & FILO_SOUND_DESTROY) != 0) filo_changes_destroy_entity(it->changes, entity);
}

static void time_sounds(FiloIter *it) {
    AudioRecords *records = it->user;
    FiloSound *sounds = filo_write(it, FiloSound);
    for (size_t i = 0; i < it->count; i++) {
        FiloSound *sound = &sounds[i];
        if (sound->sound.id == 0 || sound->ended || sound->paused) continue;
        AudioLength length = audio_length(records, sound->sound);
        if (!sound->started) {
            FiloRandom random = filo_iter_random(it, i);
            sound->varied = draw_variation(&random, sound->variation);
            sound->started = true;
            sound->plays++;
        } else {
            sound->time += (double)(it->delta * filo_semitones(sound->pitch + sound->varied));
        }
        bool loops = (sound->flags & FILO_SOUND_LOOP) != 0 && length.seconds > 0;
        if (!(sound->time >= 0)) sound->time = 0;
        if (loops)
            sound->time = audio_loop_wrap(sound->time, length.loop_begin, length.loop_end);
        else if (!loops && sound->time + TOLERANCE >= length.seconds)
            end_sound(it, i, sound);
    }
}

// ---- Cues -----------------------------------------------------------------------------------------------------------

uint64_t audio_ticks_of(double seconds, float pitch, double tick) {
    if (!(tick > 0)) return 1;
    double ticks = seconds / ((double)filo_semitones(pitch) * tick);
    if (!(ticks > 1)) return 1;
    if (ticks > 1e12) return (uint64_t)1e12;
    uint64_t whole = (uint64_t)ticks;
    return (ticks - (double)whole) * tick > TOLERANCE ? whole + 1 : whole;
}

static void hear_cue(FiloIter *it, const FiloEvent *event) {
    AudioRecords *records = it->user;
    FiloCue cue = *(const FiloCue *)event->payload;
    FiloRandom random = filo_iter_random(it, 0);
    cue.pitch += draw_variation(&random, cue.variation);
    cue.variation = 0;
    if ((cue.flags & FILO_SOUND_NOTIFY) != 0 && (cue.flags & FILO_SOUND_LOOP) == 0) {
        AudioLength length = audio_length(records, cue.sound);
        double seconds = length.seconds - (double)filo_max(cue.start, 0);
        FiloSoundEnded ended = { .entity = cue.entity, .sound = cue.sound };
        filo_event_record_with(
            it->events, &(FiloEmission){ .event = filo_name(FILO_EVENT_SOUND_ENDED),
                                         .type = FILO_TYPE(FiloSoundEnded),
                                         .payload = &ended,
                                         .delay = audio_ticks_of(seconds, cue.pitch, (double)it->delta) });
    }
    audio_records_add(records, &cue);
}

bool filo_cue(FiloIter *it, const FiloCue *cue) {
    FILO_NAME(name, FILO_EVENT_CUE);
    if (!FILO_CHECK(it != NULL && cue != NULL, "pass the iterator of a system, and a cue")) return false;
    if (it->events == NULL || cue->sound.id == 0) return false;
    const AudioRecords *records = audio_records_find(it->world);
    if (!FILO_CHECK_MADE(records != NULL && records->has_components,
                         "call filo_audio_register before the first tick that uses filo_cue"))
        return false;
    return filo_event_record(it->events, name, FILO_TYPE(FiloCue), cue);
}

// ---- Registering ------------------------------------------------------------------------------------------------------

bool audio_components_queries(AudioRecords *records) {
    records->sound_query =
        filo_query(records->world, FILO_READ(FiloSound), FILO_OPTIONAL_READ(FiloTransform2),
                   FILO_OPTIONAL_READ(FiloPreviousTransform2), FILO_OPTIONAL_READ(FiloWorldTransform2),
                   FILO_OPTIONAL_READ(FiloTransform3), FILO_OPTIONAL_READ(FiloPreviousTransform3),
                   FILO_OPTIONAL_READ(FiloWorldTransform3));
    records->listener_query =
        filo_query(records->world, FILO_READ(FiloListener), FILO_OPTIONAL_READ(FiloTransform2),
                   FILO_OPTIONAL_READ(FiloPreviousTransform2), FILO_OPTIONAL_READ(FiloWorldTransform2),
                   FILO_OPTIONAL_READ(FiloTransform3), FILO_OPTIONAL_READ(FiloPreviousTransform3),
                   FILO_OPTIONAL_READ(FiloWorldTransform3));
    return records->sound_query != NULL && records->listener_query != NULL;
}

static bool add_handlers(AudioRecords *records) {
    FiloEvents *events = filo_world_events(records->world);
    if (events == NULL) return true;
    FiloName cue = filo_name(FILO_EVENT_CUE), ended = filo_name(FILO_EVENT_SOUND_ENDED);
    return filo_events_declare(events, cue, FILO_TYPE(FiloCue)).code == FILO_OK &&
           filo_events_declare(events, ended, FILO_TYPE(FiloSoundEnded)).code == FILO_OK &&
           filo_world_handle(records->world, &(FiloWorldHandlerDesc){ .name = "hear cues",
                                                                      .event = cue,
                                                                      .type = FILO_TYPE(FiloCue),
                                                                      .run = hear_cue,
                                                                      .user = records })
                   .generation != 0;
}

bool filo_audio_register(FiloWorld *world, FiloAssets *assets) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    AudioRecords *records = audio_records_of(world, assets);
    if (records == NULL) return false;
    if (records->has_components) return true;
    if (!filo_transform_register(world)) return false;
    if (filo_component(world, FiloSound).id == 0 || filo_component(world, FiloListener).id == 0) return false;
    FiloSystemId system = filo_system_add(world, &(FiloSystemDesc){ .name = "time sounds",
                                                                    .run = time_sounds,
                                                                    .phase = FILO_PHASE_AFTER,
                                                                    .parallel = true,
                                                                    .query.terms = { FILO_WRITE(FiloSound) },
                                                                    .user = records });
    if (system.id == 0 || !add_handlers(records) || !audio_components_queries(records)) return false;
    records->has_components = true;
    return filo_component_complete(world, FILO_TYPE(FiloSound));
}
