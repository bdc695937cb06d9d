// What the ticks of a world leave for the voices, and the part of the module in a world.
//
// Each tick is one record: the cues that were delivered in it, in their order, then the sounds and the listener as they
// are at its end. Handlers and the end of the tick write, one after the other; the main thread takes all of it between
// ticks. Memory is reused.

#ifndef FILO_AUDIO_WORLD_RECORDS_H
#define FILO_AUDIO_WORLD_RECORDS_H

#include <filo/audio.h>
#include <filo/containers.h>
#include <filo/query.h>
#include <filo/threads.h>
#include <filo/transform.h>

// The ears: FiloListener with its defaults filled in, and where they are.
typedef struct AudioListener {
    FiloEntity entity; // {0}: it was set by a call
    FiloVec3 position, velocity;
    FiloQuat rotation;
    bool in_space;  // the direction is heard; otherwise left and right
    bool has_speed; // the velocity is known: the entity has a previous transform
    float near, far, pan, speed_of_sound;
} AudioListener;

// A component at the end of a tick.
typedef struct AudioSoundState {
    FiloEntity entity;
    FiloSound sound;
    FiloVec3 position, velocity;
    bool placed;
    bool in_space, has_speed; // as of AudioListener
} AudioSoundState;

typedef struct AudioTick {
    double seconds;
    size_t cue_end, sound_end; // of the lists, up to this tick
    AudioListener listener;
    bool has_listener;
} AudioTick;

// Seconds.
typedef struct AudioLength {
    double seconds, loop_begin, loop_end;
} AudioLength;

#define AUDIO_TICKS_MAX     600  // records that wait; later ticks are dropped
#define AUDIO_VARIATION_MAX 1e6f // semitones: more is no number to vary by, and ignored

typedef struct AudioRecords {
    FiloArray(AudioTick) ticks;
    FiloArray(FiloCue) cues; // pitches have their variation
    FiloArray(AudioSoundState) sounds;
    bool listening;      // voices take the records; otherwise nothing is recorded
    bool has_components; // filo_audio_register was called
    uint64_t tick;       // of the world, that was recorded last
    uint64_t cue_count;  // in the current tick: the key of random numbers
    size_t placed_cues;  // cues up to here have their position
    FiloWorld *world;
    FiloAssets *assets;
    FiloQuery *sound_query, *listener_query;
    FiloMutex length_lock;
    FiloMap lengths; // id of a name → AudioLength, of files that were read in a tick
} AudioRecords;

// ---- records.c ----

// The records of a world, created on the first call. NULL without memory.
AudioRecords *audio_records_of(FiloWorld *world, FiloAssets *assets);
// NULL if there are none.
AudioRecords *audio_records_find(const FiloWorld *world);
// Adds a cue to the current tick. On the thread that delivers events.
void audio_records_add(AudioRecords *records, const FiloCue *cue);
// Random numbers for the next cue of the tick.
FiloRandom audio_records_random(AudioRecords *records);
// Removes what was taken: all ticks, with their cues and sounds, and all cues after them if `open_cues`.
void audio_records_clear(AudioRecords *records, bool open_cues);
// A cue of an entity gets the position of that now, when no system and no handler runs.
void audio_cue_place(FiloCue *cue, FiloWorld *world);
void audio_listener_fill(AudioListener *listener, const FiloListener *component);

// ---- length.c ----

// All zero if the sound cannot be read. On main, and on workers in a tick.
AudioLength audio_length(AudioRecords *records, FiloName name);

// ---- components.c ----

// In how many ticks a sound ends; at least 1.
uint64_t audio_ticks_of(double seconds, float pitch, double tick);

// A time inside a loop, which it may have passed often; as it is, before the end of the loop.
double audio_loop_wrap(double time, double begin, double end);

// The queries of records, once the components are registered.
bool audio_components_queries(AudioRecords *records);

#endif
