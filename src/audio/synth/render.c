// Renders descriptions of sounds.
//
// Squares and saws are smoothed at their edges by two polynomials (polyBLEP: Välimäki and Huovilainen, "Antialiasing
// oscillators in subtractive synthesis", 2007), so that high notes do not alias. The filters are state-variable filters
// in the form of Zavalishin, "The art of VA filter design", 2012, which stay stable while their frequency changes.

#include "audio/audio.h"
#include "audio/synth/synth.h"

#include <filo/random.h>

#define CONTROL 16 // samples between two values of curves, envelopes and vibrato

// ---- Curves and envelopes -------------------------------------------------------------------------------------

static float curve_at(const AudioSynthCurve *curve, float time, float otherwise) {
    if (curve->count == 0) return otherwise;
    uint32_t i = 0;
    while (i < curve->count && curve->times[i] <= time) i++;
    if (i == 0) return curve->values[0];
    if (i == curve->count) return curve->values[i - 1];
    float length = curve->times[i] - curve->times[i - 1];
    return filo_lerp(curve->values[i - 1], curve->values[i], (time - curve->times[i - 1]) / length);
}

// Attack is a straight line, decay and release are parabolas, which are heard as even.
static float envelope_held(const AudioSynthLayer *layer, float time) {
    if (time < layer->attack) return time / layer->attack;
    time -= layer->attack;
    if (time >= layer->decay || layer->decay <= 0) return layer->sustain;
    float left = 1 - time / layer->decay;
    return layer->sustain + (1 - layer->sustain) * left * left;
}

static float envelope_at(const AudioSynthLayer *layer, float seconds, float time) {
    if (time < seconds) return envelope_held(layer, time);
    if (time >= seconds + layer->release || layer->release <= 0) return 0;
    float left = 1 - (time - seconds) / layer->release;
    return envelope_held(layer, seconds) * left * left;
}

// ---- Filters ----------------------------------------------------------------------------------------------------

typedef struct Filter {
    float g, a1, a2, a3, k; // coefficients
    float low, band;        // state
} Filter;

static void filter_set(Filter *filter, float frequency, float rate, float resonance) {
    float part = filo_clamp(frequency / rate, 0.0001f, 0.49f);
    filter->g = filo_tan(FILO_PI * part);
    filter->k = 2 - 1.9f * resonance;
    filter->a1 = 1 / (1 + filter->g * (filter->g + filter->k));
    filter->a2 = filter->g * filter->a1;
    filter->a3 = filter->g * filter->a2;
}

static float filter_run(Filter *filter, float x, bool high) {
    float v3 = x - filter->low;
    float v1 = filter->a1 * filter->band + filter->a2 * v3;
    float v2 = filter->low + filter->a2 * filter->band + filter->a3 * v3;
    filter->band = 2 * v1 - filter->band;
    filter->low = 2 * v2 - filter->low;
    return high ? x - filter->k * v1 - v2 : v2;
}

// ---- Oscillators ------------------------------------------------------------------------------------------------

// The correction at a jump upwards by 2 at phase 0.
static float smooth(float phase, float step) {
    if (phase < step) {
        float x = phase / step;
        return x + x - x * x - 1;
    }
    if (phase > 1 - step) {
        float x = (phase - 1) / step;
        return x * x + x + x + 1;
    }
    return 0;
}

typedef struct Oscillator {
    double phase, modulator; // 0 to 1
    FiloRandom random;
} Oscillator;

static float square_at(float phase, float step, float duty) {
    float other = phase + 1 - duty;
    other = other >= 1 ? other - 1 : other;
    return (phase < duty ? 1.0f : -1.0f) + smooth(phase, step) - smooth(other, step);
}

static float wave_at(Oscillator *oscillator, const AudioSynthLayer *layer, float step) {
    float phase = (float)oscillator->phase;
    switch (layer->wave) {
    case AUDIO_SYNTH_TRIANGLE: return 1 - 4 * filo_abs(phase - 0.5f);
    case AUDIO_SYNTH_SQUARE: return square_at(phase, step, layer->duty);
    case AUDIO_SYNTH_SAW: return 2 * phase - 1 - smooth(phase, step);
    case AUDIO_SYNTH_NOISE: return filo_random_float(&oscillator->random) * 2 - 1;
    case AUDIO_SYNTH_SINE:
    case AUDIO_SYNTH_WAVES: break;
    }
    float bend = layer->modulator_depth > 0
                     ? layer->modulator_depth * filo_sin((float)oscillator->modulator * FILO_TAU)
                     : 0;
    return filo_sin(phase * FILO_TAU + bend);
}

// ---- Tones --------------------------------------------------------------------------------------------------------

typedef struct Tone {
    const AudioSynthLayer *layer;
    const AudioSynthTone *tone;
    float rate;
    Oscillator oscillator;
    Filter low, high;
    float step; // of the phase, in a sample
    float gain;
} Tone;

static void control(Tone *t, float time) {
    const AudioSynthLayer *layer = t->layer;
    float bend = curve_at(&layer->slide, time, 0) + layer->detune;
    if (layer->vibrato_depth > 0)
        bend += layer->vibrato_depth * filo_sin(filo_fract(time * layer->vibrato_rate) * FILO_TAU);
    t->step = filo_min(t->tone->frequency * filo_exp2(bend / 12) / t->rate, 0.5f);
    t->gain = envelope_at(layer, t->tone->seconds, time);
    if (layer->tremolo_depth > 0)
        t->gain *= 1 - layer->tremolo_depth *
                           (0.5f + 0.5f * filo_sin(filo_fract(time * layer->tremolo_rate) * FILO_TAU));
    if (layer->low_pass.count > 0)
        filter_set(&t->low, curve_at(&layer->low_pass, time, 0), t->rate, layer->resonance);
    if (layer->high_pass.count > 0)
        filter_set(&t->high, curve_at(&layer->high_pass, time, 0), t->rate, layer->resonance);
}

static float tone_sample(Tone *t) {
    Oscillator *oscillator = &t->oscillator;
    float x = wave_at(oscillator, t->layer, t->step);
    oscillator->phase += (double)t->step;
    if (oscillator->phase >= 1) oscillator->phase -= 1;
    oscillator->modulator += (double)(t->step * t->layer->modulator_ratio);
    while (oscillator->modulator >= 1) oscillator->modulator -= 1;
    if (t->layer->low_pass.count > 0) x = filter_run(&t->low, x, false);
    if (t->layer->high_pass.count > 0) x = filter_run(&t->high, x, true);
    return x;
}

// Adds a tone to the mix.
static void add_tone(const AudioSynth *synth, size_t index, float *mix, uint32_t channels, uint64_t frames) {
    const AudioSynthTone *tone = &synth->tones.items[index];
    Tone t = { .layer = &synth->layers.items[tone->layer], .tone = tone, .rate = (float)synth->rate };
    t.oscillator.random = filo_random_keyed(0, 0, 1, index);
    uint64_t first = (uint64_t)((double)tone->start * synth->rate + 0.5);
    double seconds = (double)tone->seconds + (double)t.layer->release;
    uint64_t end = FILO_MIN(frames, first + (uint64_t)(seconds * synth->rate + 0.5));
    float level = filo_decibels(t.layer->gain + tone->gain);
    float left = channels == 1 ? level : level * filo_min(1, 1 - tone->pan);
    float right = level * filo_min(1, 1 + tone->pan);
    float before = 0, rise = 0;
    for (uint64_t i = first; i < end; i++) {
        uint64_t since = i - first;
        if (since % CONTROL == 0) { // gains are interpolated, so that envelopes do not click
            if (since == 0) control(&t, 0);
            before = t.gain;
            control(&t, (float)(since + CONTROL) / t.rate);
            rise = (t.gain - before) / CONTROL;
        }
        float x = tone_sample(&t) * (before + rise * (float)(since % CONTROL));
        mix[i * channels] += x * left;
        if (channels == 2) mix[i * 2 + 1] += x * right;
    }
}

// ---- The sound ------------------------------------------------------------------------------------------------------

static void add_echo(const AudioSynth *synth, float *mix, uint32_t channels, uint64_t frames) {
    uint64_t delay = (uint64_t)(synth->echo_delay * (float)synth->rate) * channels;
    if (delay == 0) return;
    // The first echo has `gain`, and each further one is lower by `feedback`:
    // wet(i) = dry(i) + (gain − feedback) × dry(i − delay) + feedback × wet(i − delay). In place, backwards and forwards.
    float gain = filo_decibels(synth->echo_gain), feedback = filo_decibels(synth->echo_feedback);
    for (uint64_t i = frames * channels; i-- > delay;) mix[i] += (gain - feedback) * mix[i - delay];
    for (uint64_t i = delay; i < frames * channels; i++) mix[i] += feedback * mix[i - delay];
}

// What still sounds after the end of a loop is heard at its beginning, so that nothing is cut off when it repeats.
static void fold_loop(float *mix, uint32_t channels, uint64_t begin, uint64_t end, uint64_t frames) {
    uint64_t tail = FILO_MIN(frames - end, end - begin) * channels;
    for (uint64_t i = 0; i < tail; i++) mix[begin * channels + i] += mix[end * channels + i];
}

static void convert(const AudioSynth *synth, const float *mix, int16_t *samples, uint64_t count) {
    float peak = 1;
    for (uint64_t i = 0; i < count; i++) peak = filo_max(peak, filo_abs(mix[i]));
    float scale = filo_min(filo_decibels(synth->gain), 1) / peak * 32767;
    for (uint64_t i = 0; i < count; i++) samples[i] = (int16_t)filo_round_to_int(mix[i] * scale);
}

static bool is_stereo(const AudioSynth *synth) {
    for (size_t i = 0; i < synth->tones.count; i++)
        if (synth->tones.items[i].pan != 0) return true;
    return false;
}

FiloResult audio_synth_render(const AudioSynth *synth, const char *name, const FiloAllocator *allocator,
                              AudioSound **sound_out) {
    *sound_out = NULL;
    uint64_t frames = audio_synth_frames(synth);
    uint32_t channels = is_stereo(synth) ? 2 : 1;
    size_t size = (size_t)frames * channels * sizeof(float);
    float *mix = filo_alloc_zero(allocator, size, 0);
    AudioSound *sound = mix != NULL ? audio_sound_create(allocator, synth->rate, channels, frames) : NULL;
    if (sound == NULL) {
        filo_free(allocator, mix, size, 0);
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the sound", name);
    }
    for (size_t i = 0; i < synth->tones.count; i++) add_tone(synth, i, mix, channels, frames);
    if (synth->echo_delay > 0) add_echo(synth, mix, channels, frames);
    if (synth->loop_end > 0) {
        AudioSynthLoop loop = audio_synth_loop(synth);
        sound->loop_begin = loop.begin;
        sound->loop_end = loop.end;
        fold_loop(mix, channels, sound->loop_begin, sound->loop_end, frames);
    }
    convert(synth, mix, sound->samples, frames * channels);
    filo_free(allocator, mix, size, 0);
    *sound_out = sound;
    return filo_ok();
}

FiloResult audio_synth_decode(const void *bytes, size_t size, const char *name,
                              const FiloAllocator *allocator, AudioSound **sound) {
    AudioSynth synth;
    *sound = NULL;
    FiloResult r = audio_synth_read(&synth, bytes, size, name, allocator);
    if (r.code != FILO_OK) return r;
    r = audio_synth_render(&synth, name, allocator, sound);
    audio_synth_deinit(&synth);
    return r;
}
