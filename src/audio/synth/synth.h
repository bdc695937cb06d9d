// The synthesiser: a description in JSON becomes samples. docs/audio.md has the format.
//
// A sound is a sum of tones. A tone is an oscillator with an envelope and filters, which begins at some time, at some
// frequency. Layers are tones that are listed; tracks make a tone for each of their notes, by an instrument, which is a
// list of layers.
//
// All arithmetic is that of filo/scalar.h, so a description gives the same samples on every machine.

#ifndef FILO_AUDIO_SYNTH_SYNTH_H
#define FILO_AUDIO_SYNTH_SYNTH_H

#include "audio/sounds/sound.h"

#include <filo/containers.h>

#define AUDIO_SYNTH_POINTS      12
#define AUDIO_SYNTH_SECONDS_MAX 120
#define AUDIO_SYNTH_LAYERS      256 // in all instruments and the sound itself
#define AUDIO_SYNTH_TONES       20000
#define AUDIO_SYNTH_WORK_MAX    3600 // seconds of all tones together

typedef enum AudioSynthWave {
    AUDIO_SYNTH_SINE,
    AUDIO_SYNTH_TRIANGLE,
    AUDIO_SYNTH_SQUARE,
    AUDIO_SYNTH_SAW,
    AUDIO_SYNTH_NOISE,
    AUDIO_SYNTH_WAVES
} AudioSynthWave;

// A value over time: straight lines between points.
typedef struct AudioSynthCurve {
    uint32_t count; // 0: not set
    float times[AUDIO_SYNTH_POINTS], values[AUDIO_SYNTH_POINTS];
} AudioSynthCurve;

typedef struct AudioSynthLayer {
    AudioSynthWave wave;
    float frequency;       // Hz
    float detune;          // semitones
    AudioSynthCurve slide; // semitones
    float duty;            // of a square, 0 to 1
    float gain;            // decibels
    float pan;             // −1 to 1
    float start, seconds;
    float attack, decay, sustain, release;
    float vibrato_rate, vibrato_depth;      // Hz, semitones
    float tremolo_rate, tremolo_depth;      // Hz, 0 to 1
    float modulator_ratio, modulator_depth; // frequency modulation: of the frequency, in radians
    AudioSynthCurve low_pass, high_pass;    // Hz
    float resonance;                        // 0 to 1
} AudioSynthLayer;

typedef struct AudioSynthTone {
    uint32_t layer;
    float start, seconds; // until the release begins
    float frequency, gain, pan;
} AudioSynthTone;

typedef struct AudioSynth {
    uint32_t rate;
    float seconds; // 0: up to the end of the last tone
    float gain;
    bool loops;
    float loop_begin, loop_end;
    float echo_delay, echo_gain, echo_feedback;
    FiloArray(AudioSynthLayer) layers;
    FiloArray(AudioSynthTone) tones;
} AudioSynth;

// ---- read.c ----

FiloResult audio_synth_read(AudioSynth *synth, const void *bytes, size_t size, const char *name,
                            const FiloAllocator *allocator);
void audio_synth_deinit(AudioSynth *synth);
// Length in frames.
uint64_t audio_synth_frames(const AudioSynth *synth);
// Loop points in frames; all of the sound if it gives none.
typedef struct AudioSynthLoop {
    uint64_t begin, end;
} AudioSynthLoop;
AudioSynthLoop audio_synth_loop(const AudioSynth *synth);
// Seconds of all tones together: what rendering takes is in proportion to it.
double audio_synth_work(const AudioSynth *synth);

// ---- render.c ----

FiloResult audio_synth_render(const AudioSynth *synth, const char *name, const FiloAllocator *allocator,
                              AudioSound **sound);
// Reads and renders.
FiloResult audio_synth_decode(const void *bytes, size_t size, const char *name,
                              const FiloAllocator *allocator, AudioSound **sound);

// ---- tracks.c ----

// Reads the value of "tracks". `instruments` is the object of that name, as read before.
typedef struct AudioSynthInstrument {
    char name[32];
    uint32_t first, count; // of the layers
} AudioSynthInstrument;
#define AUDIO_SYNTH_INSTRUMENTS 32
typedef struct AudioSynthReader {
    FiloJsonReader json;
    AudioSynth *synth;
    AudioSynthInstrument instruments[AUDIO_SYNTH_INSTRUMENTS];
    uint32_t instrument_count;
    float tempo; // beats a minute
} AudioSynthReader;
FiloResult audio_synth_read_tracks(AudioSynthReader *reader);

// Shared by the readers: the next token must be a number between two limits.
FiloResult audio_synth_number(AudioSynthReader *reader, const char *what, double low, double high,
                              float *value);
FiloResult audio_synth_expect(AudioSynthReader *reader, FiloJsonKind kind, const char *what,
                              FiloJsonToken *token);

#endif
