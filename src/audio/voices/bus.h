// Buses: a tree of levels, filters and rooms.

#ifndef FILO_AUDIO_VOICES_BUS_H
#define FILO_AUDIO_VOICES_BUS_H

#include <filo/audio.h>

typedef struct AudioBus {
    FiloName name;
    int32_t parent; // index; -1: none
    uint32_t flags;
    uint16_t voice_limit;
    float volume;    // the player's
    float gain;      // a factor, that fades to
    float gain_goal; // this one
    float gain_step; // a second
    float low_pass;  // Hz; 0: none
    FiloReverb reverb;
    uint32_t reverb_version; // incremented when the reverb changes
    int32_t ducked_by;       // index; -1: none
    float duck, duck_attack, duck_release;
    float ducked; // 0 to 1
    // Computed in each step, with those of all parents:
    float level;
    float high; // of frequencies of 5 kHz
    float pitch;
    bool stands;    // paused with the game
    uint32_t heard; // voices in this step, with those of the buses below
} AudioBus;

typedef struct AudioBuses {
    AudioBus items[FILO_AUDIO_BUSES];
    int32_t count;
} AudioBuses;

enum { AUDIO_BUS_MASTER, AUDIO_BUS_SOUNDS, AUDIO_BUS_MUSIC, AUDIO_BUS_UI };

void audio_buses_init(AudioBuses *buses);
// The index; -1 if there is none.
int32_t audio_bus_find(const AudioBuses *buses, FiloName name);
// Fades, ducks and computes levels. `heard` is that of the last step.
void audio_buses_step(AudioBuses *buses, double seconds, bool paused, float scale);
// Whether a bus is `above` or below it.
bool audio_bus_is_below(const AudioBuses *buses, int32_t bus, int32_t above);

#endif
