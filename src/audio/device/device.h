// The device: OpenAL behind a narrow interface.
//
// A device is opened on the async pool, and everything else is done on the main thread, in a step. With a system's
// device OpenAL mixes on a thread of its own; offline it mixes when it is asked to.
//
// The device has more sources than may be heard: a source that is taken away from a voice is faded out first, which
// takes a step or a few.

#ifndef FILO_AUDIO_DEVICE_DEVICE_H
#define FILO_AUDIO_DEVICE_DEVICE_H

#include "audio/sounds/sound.h"

#include <filo/async.h>
#include <filo/containers.h>

#include <stdio.h>

#define AUDIO_SPARE_SOURCES 16
#define AUDIO_STREAM_PARTS  4
#define AUDIO_PART_SECONDS  0.25

// A sound that is decoded while it plays. A part at a time is decoded on the async pool; the main thread takes it when
// the request has ended.
typedef struct AudioStream {
    AudioSound *sound; // a reference
    AudioFile file;
    bool opened, failed, at_end; // of the decoder, while a request is running
    bool ended;                  // the last part was taken
    bool loops;
    uint64_t loop_begin, end; // frames; the decoder goes from the end to the beginning of the loop
    uint64_t position;        // frame that is decoded next
    int16_t *samples;         // of the part that is being decoded
    size_t capacity, count;   // in frames
    FiloRequest request;
    bool requested;
    uint32_t buffers[AUDIO_STREAM_PARTS], free[AUDIO_STREAM_PARTS]; // of OpenAL
    int free_count;
    bool has_buffers;
    FiloJobs *jobs;
    const FiloAllocator *allocator;
} AudioStream;

struct AudioVoice; // voices/voice.h

typedef enum AudioSourceState {
    AUDIO_SOURCE_FREE,
    AUDIO_SOURCE_PLAYS,
    AUDIO_SOURCE_RELEASED
} AudioSourceState;

typedef struct AudioSource {
    uint32_t id; // of OpenAL
    AudioSourceState state;
    uint32_t voice, generation; // index
    int countdown;              // steps until a released source stops
    bool started, paused;
    AudioStream *stream;
    uint64_t buffer; // serial of the sound whose buffer it plays; 0: none
    // What was set last:
    float gain, pitch, high;
    FiloVec3 toward;
    uint32_t sends[2];
} AudioSource;

// The buffer of a sound, for all sources that play it.
typedef struct AudioBuffer {
    AudioSound *sound; // a reference
    uint32_t id;       // of OpenAL
    uint32_t users;
} AudioBuffer;

typedef struct AudioReverbSlot {
    uint32_t effect, slot; // 0: none
    uint32_t version;
} AudioReverbSlot;

typedef struct AudioWav {
    FILE *file;
    char path[1024];
    uint64_t bytes; // of samples
    bool failed, full;
    FiloResult result;
} AudioWav;

typedef struct AudioDevice {
    void *device, *context; // ALCdevice, ALCcontext; NULL: none
    FiloRequest opening;
    void *opened; // by that request
    bool is_opening;
    double retry, pause; // seconds until the next try, and between two
    double age;          // seconds since it was opened
    int rate;
    bool headphones, has_filters, has_reverb, has_loop_points, has_direct_channels;
    AudioSource *sources;
    int source_count, source_capacity; // a device may have fewer than wanted
    FiloMap buffers;                   // serial of a sound → AudioBuffer
    uint32_t filter;
    AudioReverbSlot reverbs[FILO_AUDIO_BUSES];
    char name[128];
    uint64_t steps;

    // Offline:
    double owed; // frames, a part of one
    float *mix;  // a step of both channels
    size_t mix_frames;
    AudioWav wav;
    bool finished;
    FiloAudioRendered rendered;
    void *rendered_user;
} AudioDevice;

// ---- device.c ----

FiloResult audio_device_init(FiloAudio *audio, const FiloAudioDesc *desc);
void audio_device_deinit(FiloAudio *audio);
// Opens a device if there is none, and notices that it was unplugged.
void audio_device_watch(FiloAudio *audio, double seconds);
bool audio_device_is_connected(const FiloAudio *audio);
// Forgets the device, as if it had been unplugged.
void audio_device_close(FiloAudio *audio);
// Makes the context current. False without a device.
bool audio_device_enter(FiloAudio *audio);

// ---- alsa.c ----

// The system's device, an ALCdevice; NULL: there is none. May take a while.
void *audio_device_open_default(void);

// ---- sources.c ----

// Gives sources to the voices that are wanted, and updates all of them.
void audio_sources_sync(FiloAudio *audio);
// Ends voices whose source has reached the end.
void audio_sources_collect(FiloAudio *audio);
bool audio_sources_create(FiloAudio *audio);
void audio_sources_destroy(FiloAudio *audio);

// ---- buffers.c ----

// The buffer of a sound, with one more user; 0 without memory.
uint32_t audio_buffer_take(FiloAudio *audio, AudioSound *sound);
void audio_buffer_give(FiloAudio *audio, uint64_t serial);
// Deletes the buffers of sounds that only the device has.
void audio_buffers_sweep(FiloAudio *audio, bool all);

// ---- stream.c ----

// Opens a stream for a voice, from its time on. NULL without memory.
AudioStream *audio_stream_open(FiloAudio *audio, const struct AudioVoice *voice);
void audio_stream_close(AudioStream *stream);
// Queues what was decoded, and requests more. With `wait`, until all parts are queued.
void audio_stream_feed(AudioStream *stream, uint32_t source, bool wait);

// ---- effects.c ----

void audio_effects_create(FiloAudio *audio);
void audio_effects_destroy(FiloAudio *audio);
// Updates the rooms of buses that have changed.
void audio_effects_update(FiloAudio *audio);
// The rooms that a bus sends to: its own and those of its parents, at most two; 0: none.
void audio_effects_sends(const FiloAudio *audio, int32_t bus, uint32_t sends[2]);

// ---- offline.c ----

FiloResult audio_offline_open(FiloAudio *audio, const FiloAudioDesc *desc);
void audio_offline_render(FiloAudio *audio, double seconds);
FiloResult audio_offline_finish(FiloAudio *audio);

// ---- wav.c ----

FiloResult audio_wav_open(AudioWav *wav, const char *path, int rate);
// 16 bits, two channels.
void audio_wav_write(AudioWav *wav, const int16_t *samples, size_t frames);
FiloResult audio_wav_close(AudioWav *wav);

#endif
