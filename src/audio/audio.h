// Private state of the audio module.
//
//   sounds/   assets: sound files and the libraries that read them, tables of cues
//   synth/    the synthesiser: its JSON, and the samples that it makes
//   world/    the part in the world: components, cues, the end of sounds; and records of ticks for the voices
//   voices/   voices and buses: fading, placing, choosing which are heard. Knows no device
//   device/   OpenAL: sources, streams, effects; the file of --sound
//
// The voices belong to the main thread. A tick, which may run on another, only writes records (AudioRecords), which the
// main thread takes between ticks. Jobs on the async pool decode streams and open the device; they use what they are
// given, and neither the world nor the voices.

#ifndef FILO_AUDIO_AUDIO_H
#define FILO_AUDIO_AUDIO_H

#include <filo/async.h>
#include <filo/audio.h>
#include <filo/check.h>
#include <filo/containers.h>
#include <filo/jobs.h>
#include <filo/log.h>
#include <filo/matrix.h>
#include <filo/scalar.h>
#include <filo/transform.h>

#include "audio/device/device.h"
#include "audio/sounds/sound.h"
#include "audio/voices/bus.h"
#include "audio/voices/voice.h"
#include "audio/world/records.h"

// A table in use: its asset, and the handlers of its events.
typedef struct AudioTableUse {
    FiloAsset asset;
    uint32_t version; // of the data that the handlers use; 0: none yet
    struct AudioTableHandler *handlers;
    size_t handler_count;
    FiloAudio *audio;
} AudioTableUse;

struct FiloAudio {
    const FiloAllocator *allocator;
    FiloAssets *assets;
    FiloJobs *jobs;
    FiloWorld *world;
    FiloEvents *events;
    FiloAudioOutput output;
    AudioRecords *records; // of the world; NULL: none

    bool paused;
    float scale;         // of time
    double tick_seconds; // of the last recorded tick
    uint64_t calls;      // of filo_audio_play: the key of their random numbers
    AudioVoices voices;
    AudioBuses buses;
    AudioListener listener;
    FiloVoice music;
    FiloName music_name;
    FiloArray(AudioTableUse *) tables;
    FiloMap refused; // id of a name that is no asset, so that it is reported once → bool

    AudioDevice device;
    FiloAudioStats stats;
};

// Systems and handlers run in a tick, possibly on another thread, and must not depend on what is heard.
#define AUDIO_CHECK(audio)                                                                                   \
    (FILO_CHECK((audio) != NULL, "pass the audio") &&                                                        \
     FILO_CHECK(filo_jobs_worker((audio)->jobs) == 0 && !filo_jobs_marked(),                                 \
                "use the audio on the main thread, and not in a tick: a system plays sounds by filo_cue"))

// ---- audio.c ----

// The data of a sound for playing, with a reference for the caller; NULL while it is loading, and if it failed (`failed`).
AudioSound *audio_sound_for(FiloAudio *audio, FiloName name, bool *failed);

// ---- sounds/table_use.c ----

// Takes tables that were loaded or reloaded into use. Between ticks.
void audio_tables_update(FiloAudio *audio);
void audio_tables_free(FiloAudio *audio);

#endif
