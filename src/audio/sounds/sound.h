// The data of assets: sounds and tables.

#ifndef FILO_AUDIO_SOUNDS_SOUND_H
#define FILO_AUDIO_SOUNDS_SOUND_H

#include <filo/assets.h>
#include <filo/audio.h>

#include "audio/sounds/file.h"
#include "base/atomic.h"

// A sound. The asset has a reference, and so has each voice, so a sound that is unloaded or reloaded is freed when no
// voice plays it.
typedef struct AudioSound {
    BASE_ATOMIC(uint32_t) references;
    uint32_t rate;
    uint32_t channels; // 1 or 2
    uint64_t frames;   // length
    uint64_t loop_begin, loop_end;
    uint64_t serial;  // differs for each sound of the process: the key of its buffer in the device
    int16_t *samples; // NULL: it is streamed, from
    uint8_t *bytes;   // the file
    size_t size;      // bytes of either
    const FiloAllocator *allocator;
} AudioSound;

#define AUDIO_RATE_MIN   4000
#define AUDIO_RATE_MAX   192000
#define AUDIO_FRAMES_MAX ((uint64_t)AUDIO_RATE_MAX * 60 * 60 * 6)

// ---- sound.c ----

// Allocates a sound with one reference. `samples` is zeroed, or NULL with `frames` 0. NULL without memory.
AudioSound *audio_sound_create(const FiloAllocator *allocator, uint32_t rate, uint32_t channels,
                               uint64_t frames);
AudioSound *audio_sound_retain(AudioSound *sound);
void audio_sound_release(AudioSound *sound); // any thread; NULL is allowed
double audio_sound_seconds(const AudioSound *sound);
FiloAssetType audio_sound_type(void);
FiloAssetType audio_synth_type(void);

// ---- decode.c ----

// Decodes a sound, or keeps the bytes of one that will be streamed.
FiloResult audio_sound_decode(const void *bytes, size_t size, const char *name,
                              const FiloAllocator *allocator, AudioSound **sound);

// ---- table.c ----

#define AUDIO_TABLE_CUES   256 // of one table
#define AUDIO_TABLE_SOUNDS 16  // of one cue

// What one event plays.
typedef struct AudioTableCue {
    FiloName event;
    FiloCue cue; // without a sound
    FiloName sounds[AUDIO_TABLE_SOUNDS];
    uint32_t sound_count;
    char at[64];    // the field of the payload that has the position or the entity; "": none
    char field[64]; // plays only if this number of the payload is between `low` and `high`; "": always
    double low, high;
    float chance; // 0 to 1
} AudioTableCue;

typedef struct AudioTable {
    AudioTableCue *cues;
    size_t count;
} AudioTable;

FiloAssetType audio_table_type(void);
FiloResult audio_table_decode(const void *bytes, size_t size, const char *name,
                              const FiloAllocator *allocator, AudioTable **table);
void audio_table_free(AudioTable *table, const FiloAllocator *allocator);

#endif
