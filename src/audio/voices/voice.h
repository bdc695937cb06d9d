// Voices: sounds that play, heard or not.
//
// A voice is counted from its start to its end, by the time that passes, whether it is heard or not. In each step the
// voices that matter most get a source of the device; the choice depends on voices, buses and listener only, so it is the
// same in every run.

#ifndef FILO_AUDIO_VOICES_VOICE_H
#define FILO_AUDIO_VOICES_VOICE_H

#include "audio/sounds/sound.h"
#include "audio/voices/bus.h"
#include "audio/world/records.h"

typedef enum AudioVoiceState {
    AUDIO_VOICE_FREE,
    AUDIO_VOICE_WAITS, // for its sound to be loaded
    AUDIO_VOICE_PLAYS,
    AUDIO_VOICE_STOPS, // fades out, and ends then
} AudioVoiceState;

typedef struct AudioVoice {
    AudioVoiceState state;
    uint32_t generation;
    FiloCue cue;
    int32_t bus;
    AudioSound *sound;                // a reference; NULL while it waits
    uint64_t loop_begin, loop_end;    // frames, as they were when it was loaded
    uint64_t order;                   // of the start, over all voices
    uint32_t group;                   // of voices that stay together; 0: none
    double time;                      // seconds of the sound
    double waited;                    // seconds
    float gain, gain_goal, gain_step; // a factor, and how much it changes in a second
    float fade, fade_step;            // 0 to 1, a second; negative while it stops
    bool paused, placed;
    bool begun;  // some of it was played, heard or not
    bool jumped; // the source must be moved to `time`
    FiloVec3 position, velocity;
    // Computed in each step:
    float level;     // 0 to 1 and more
    float high;      // of high frequencies
    float pitch;     // a factor
    FiloVec3 toward; // where it is heard from: x to the right, y up, −z ahead
    bool wanted;     // it should be heard
    bool stands;     // it is paused, by itself or with its bus
    int32_t source;  // of the device; -1: none
} AudioVoice;

// The voice of a component. It stays while the component plays, also if its voice has ended.
typedef struct AudioEntity {
    FiloVoice voice;
    FiloName sound;
    uint16_t plays;
    bool present; // in the last record
    bool lost;    // there was no room for its voice
    double time;  // of the component, in the last record
} AudioEntity;

typedef struct AudioVoices {
    AudioVoice *items; // FILO_AUDIO_VOICES
    uint16_t *order;   // indices, for sorting
    uint32_t end;      // voices from here on were never used
    uint32_t sources;  // that may be heard
    uint64_t started;
    uint32_t groups;
    FiloMap entities; // id of an entity → AudioEntity
} AudioVoices;

// ---- voices.c ----

bool audio_voices_init(AudioVoices *voices, int sources, const FiloAllocator *allocator);
void audio_voices_deinit(AudioVoices *voices, const FiloAllocator *allocator);
// NULL if there is no room. A voice of the same priority gives way if it is quieter than `level`.
AudioVoice *audio_voice_start(FiloAudio *audio, const FiloCue *cue, uint32_t group, float level);
// The index of a bus by its name; that of "sounds" for {0}, and with a message if it does not exist.
int32_t audio_bus_for(const FiloAudio *audio, FiloName name);
void audio_voice_end(FiloAudio *audio, AudioVoice *voice);
void audio_voice_stop(AudioVoice *voice, float fade);
FiloVoice audio_voice_handle(const FiloAudio *audio, const AudioVoice *voice);
// The voice of a handle; NULL if it is stale.
AudioVoice *audio_voice_of(const FiloAudio *audio, FiloVoice handle);

// ---- step.c ----

// Starts cues, and follows components, of one record. `cue` and `sound` are where its lists begin.
void audio_voices_record(FiloAudio *audio, const AudioTick *tick, size_t cue, size_t sound);
// Cues that were delivered outside of ticks.
void audio_voices_cues(FiloAudio *audio, size_t from, size_t to);
// Fades by the time that is going to pass: the device goes from the level before to the level after it.
void audio_voices_fade(FiloAudio *audio, double seconds);
// Moves the time of a voice that loops into its loop.
void audio_voice_wrap(AudioVoice *voice);
// Computes what is heard now.
void audio_voices_prepare(FiloAudio *audio);
// Lets time pass, after it was heard.
void audio_voices_advance(FiloAudio *audio, double seconds);

// ---- numbers.c ----

// The factor of a gain, at most that of 24 dB; one that is not finite is silent. The name is for the message.
float audio_gain(FiloName name, float decibels);
// Replaces numbers that are not finite.
void audio_cue_clean(FiloCue *cue);
void audio_bus_clean(FiloName bus, FiloBusDesc *desc);
bool audio_is_somewhere(FiloVec3 position);
void audio_warn_nowhere(FiloName sound);
bool audio_listener_is_valid(const AudioListener *listener);
// Says once that the listener has this problem. Any thread.
void audio_warn_listener(const char *problem);
// For a voice whose sound was loaded.
void audio_warn_flat(const AudioVoice *voice);
void audio_warn_lost(void);
// Of a cue or a call: it has a position that does not count.
void audio_warn_unplaced(const FiloCue *cue);
// Of a component with FILO_SOUND_DOPPLER that has moved since the last tick, and has no velocity.
void audio_warn_speed(const AudioVoice *voice, const AudioSoundState *now);
// The same of the listener of a tick, if one of its sounds, from this one on, has FILO_SOUND_DOPPLER.
void audio_warn_listener_speed(const AudioListener *before, const AudioTick *tick,
                               const AudioRecords *records, size_t sound);

// ---- place.c ----

// The factor of the level at a distance.
float audio_falloff(FiloFalloff falloff, float distance, float near, float far);
// Level, direction and pitch of a voice for a listener. A voice at a position that is not finite is silent.
void audio_place(const AudioListener *listener, AudioVoice *voice);

// ---- choose.c ----

// Whether it needs a source.
bool audio_voice_is_audible(const AudioVoice *voice);
// Sets `wanted` of the voices that are heard.
void audio_voices_choose(FiloAudio *audio);

#endif
