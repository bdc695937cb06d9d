// Reads descriptions of sounds.

#include "audio/audio.h"
#include "audio/synth/synth.h"

#include <string.h>

FiloResult audio_synth_expect(AudioSynthReader *reader, FiloJsonKind kind, const char *what,
                              FiloJsonToken *token) {
    *token = filo_json_next(&reader->json);
    if (token->kind == kind) return filo_ok();
    if (token->kind == FILO_JSON_ERROR) return reader->json.error;
    return filo_json_error_at(&reader->json, *token, "%s is %s, not %s", what, filo_json_kind_name(kind),
                              filo_json_kind_name(token->kind));
}

static FiloResult number_of(AudioSynthReader *reader, FiloJsonToken token, const char *what, double low,
                            double high, float *value) {
    double number;
    if (token.kind == FILO_JSON_ERROR) return reader->json.error;
    if (!filo_json_as_double(token, &number))
        return filo_json_error_at(&reader->json, token, "%s is a number, not %s", what,
                                  filo_json_kind_name(token.kind));
    if (!(number >= low && number <= high))
        return filo_json_error_at(&reader->json, token, "%s is between %g and %g", what, low, high);
    *value = (float)number;
    return filo_ok();
}

FiloResult audio_synth_number(AudioSynthReader *reader, const char *what, double low, double high,
                              float *value) {
    return number_of(reader, filo_json_next(&reader->json), what, low, high, value);
}

// ---- Curves -------------------------------------------------------------------------------------------------

// [time, value] of a point whose bracket was read.
static FiloResult read_point(AudioSynthReader *reader, const char *what, double low, double high,
                             AudioSynthCurve *curve) {
    if (curve->count == AUDIO_SYNTH_POINTS)
        return filo_error(FILO_ERROR_LIMIT, "%s:%d: %s has more than %d points", reader->json.source,
                          reader->json.line, what, AUDIO_SYNTH_POINTS);
    float *time = &curve->times[curve->count], *value = &curve->values[curve->count];
    FiloResult r = audio_synth_number(reader, "the time of a point", 0, AUDIO_SYNTH_SECONDS_MAX, time);
    if (r.code == FILO_OK) r = audio_synth_number(reader, what, low, high, value);
    FiloJsonToken token;
    if (r.code == FILO_OK) r = audio_synth_expect(reader, FILO_JSON_ARRAY_END, "after two numbers", &token);
    if (r.code == FILO_OK && curve->count > 0 && *time < time[-1])
        r = filo_json_error_at(&reader->json, token, "the points of %s are not in the order of time", what);
    curve->count++;
    return r;
}

// A number, or [[time, value], …].
static FiloResult read_curve(AudioSynthReader *reader, const char *what, double low, double high,
                             AudioSynthCurve *curve) {
    FiloJsonToken token = filo_json_next(&reader->json);
    *curve = (AudioSynthCurve){ 0 };
    if (token.kind != FILO_JSON_ARRAY_BEGIN) {
        curve->count = 1;
        return number_of(reader, token, what, low, high, &curve->values[0]);
    }
    FiloResult r = filo_ok();
    while (r.code == FILO_OK && (token = filo_json_next(&reader->json)).kind == FILO_JSON_ARRAY_BEGIN)
        r = read_point(reader, what, low, high, curve);
    if (r.code != FILO_OK) return r;
    if (token.kind == FILO_JSON_ERROR) return reader->json.error;
    if (token.kind != FILO_JSON_ARRAY_END || curve->count == 0)
        return filo_json_error_at(&reader->json, token, "%s is a number, or a list of [time, value]", what);
    return filo_ok();
}

// ---- Layers -------------------------------------------------------------------------------------------------

static const char *const wave_names[AUDIO_SYNTH_WAVES] = { "sine", "triangle", "square", "saw", "noise" };

static FiloResult read_wave(AudioSynthReader *reader, AudioSynthWave *wave) {
    FiloJsonToken token;
    FiloResult r = audio_synth_expect(reader, FILO_JSON_STRING, "a wave", &token);
    if (r.code != FILO_OK) return r;
    for (int i = 0; i < AUDIO_SYNTH_WAVES; i++)
        if (filo_json_equal(token, wave_names[i])) {
            *wave = (AudioSynthWave)i;
            return r;
        }
    return filo_json_error_at(&reader->json, token, "a wave is sine, triangle, square, saw or noise");
}

typedef struct NumberField {
    const char *name;
    size_t offset;
    double low, high;
} NumberField;

#define NUMBER(field, low_, high_)                                                                           \
    { #field, offsetof(AudioSynthLayer, field), low_, high_ }
static const NumberField numbers[] = {
    NUMBER(frequency, 0.01, 20000),
    NUMBER(detune, -96, 96),
    NUMBER(duty, 0.01, 0.99),
    NUMBER(gain, -120, 24),
    NUMBER(pan, -1, 1),
    NUMBER(start, 0, AUDIO_SYNTH_SECONDS_MAX),
    NUMBER(seconds, 0, 120),
    NUMBER(attack, 0, 60),
    NUMBER(decay, 0, 60),
    NUMBER(sustain, 0, 1),
    NUMBER(release, 0, 60),
    NUMBER(vibrato_rate, 0, 100),
    NUMBER(vibrato_depth, 0, 24),
    NUMBER(tremolo_rate, 0, 100),
    NUMBER(tremolo_depth, 0, 1),
    NUMBER(modulator_ratio, 0, 32),
    NUMBER(modulator_depth, 0, 32),
    NUMBER(resonance, 0, 1),
};

static FiloResult read_member(AudioSynthReader *reader, FiloJsonToken key, AudioSynthLayer *layer) {
    for (size_t i = 0; i < FILO_COUNT_OF(numbers); i++)
        if (filo_json_equal(key, numbers[i].name))
            return audio_synth_number(reader, numbers[i].name, numbers[i].low, numbers[i].high,
                                      (float *)(void *)((char *)layer + numbers[i].offset));
    if (filo_json_equal(key, "wave")) return read_wave(reader, &layer->wave);
    if (filo_json_equal(key, "slide")) return read_curve(reader, "slide", -96, 96, &layer->slide);
    if (filo_json_equal(key, "low_pass")) return read_curve(reader, "low_pass", 1, 96000, &layer->low_pass);
    if (filo_json_equal(key, "high_pass"))
        return read_curve(reader, "high_pass", 1, 96000, &layer->high_pass);
    char text[64];
    filo_json_as_text(key, text, sizeof text);
    return filo_json_error_at(&reader->json, key, "a layer has no \"%s\"", text);
}

// A layer whose brace was read.
static FiloResult read_layer(AudioSynthReader *reader, FiloJsonToken begin) {
    AudioSynthLayer layer = { .frequency = 440,
                              .duty = 0.5f,
                              .seconds = 0.2f,
                              .attack = 0.002f,
                              .sustain = 1,
                              .release = 0.05f,
                              .modulator_ratio = 1 };
    FiloJsonToken token;
    FiloResult r = filo_ok();
    while (r.code == FILO_OK && (token = filo_json_next(&reader->json)).kind == FILO_JSON_KEY)
        r = read_member(reader, token, &layer);
    if (r.code != FILO_OK) return r;
    if (token.kind == FILO_JSON_ERROR) return reader->json.error;
    if (reader->synth->layers.count == AUDIO_SYNTH_LAYERS)
        return filo_json_error_at(&reader->json, begin, "there are more than %d layers", AUDIO_SYNTH_LAYERS);
    return filo_array_push(&reader->synth->layers, layer)
               ? filo_ok()
               : filo_error(FILO_ERROR_MEMORY, "%s: no memory", reader->json.source);
}

static FiloResult read_layers(AudioSynthReader *reader, uint32_t *first, uint32_t *count) {
    FiloJsonToken token;
    *first = (uint32_t)reader->synth->layers.count;
    FiloResult r = audio_synth_expect(reader, FILO_JSON_ARRAY_BEGIN, "a list of layers", &token);
    while (r.code == FILO_OK && (token = filo_json_next(&reader->json)).kind == FILO_JSON_OBJECT_BEGIN)
        r = read_layer(reader, token);
    *count = (uint32_t)reader->synth->layers.count - *first;
    if (r.code != FILO_OK) return r;
    if (token.kind == FILO_JSON_ERROR) return reader->json.error;
    if (token.kind == FILO_JSON_ARRAY_END) return r;
    return filo_json_error_at(&reader->json, token, "a layer is an object, not %s",
                              filo_json_kind_name(token.kind));
}

// The layers of the sound itself each make one tone.
static FiloResult read_own_layers(AudioSynthReader *reader) {
    uint32_t first, count;
    FiloResult r = read_layers(reader, &first, &count);
    for (uint32_t i = first; i < first + count && r.code == FILO_OK; i++) {
        const AudioSynthLayer *layer = &reader->synth->layers.items[i];
        AudioSynthTone tone = { .layer = i,
                                .start = layer->start,
                                .seconds = layer->seconds,
                                .frequency = layer->frequency,
                                .pan = layer->pan };
        if (!filo_array_push(&reader->synth->tones, tone))
            r = filo_error(FILO_ERROR_MEMORY, "%s: no memory", reader->json.source);
    }
    return r;
}

static FiloResult read_instruments(AudioSynthReader *reader) {
    FiloJsonToken token;
    FiloResult r = audio_synth_expect(reader, FILO_JSON_OBJECT_BEGIN, "\"instruments\"", &token);
    while (r.code == FILO_OK && (token = filo_json_next(&reader->json)).kind == FILO_JSON_KEY) {
        if (reader->instrument_count == AUDIO_SYNTH_INSTRUMENTS)
            return filo_json_error_at(&reader->json, token, "there are more than %d instruments",
                                      AUDIO_SYNTH_INSTRUMENTS);
        AudioSynthInstrument *instrument = &reader->instruments[reader->instrument_count++];
        filo_json_as_text(token, instrument->name, sizeof instrument->name);
        r = read_layers(reader, &instrument->first, &instrument->count);
    }
    if (r.code == FILO_OK && token.kind == FILO_JSON_ERROR) return reader->json.error;
    return r;
}

// ---- The sound ------------------------------------------------------------------------------------------------

static FiloResult read_loop(AudioSynthReader *reader) {
    AudioSynth *synth = reader->synth;
    FiloJsonToken token = filo_json_next(&reader->json);
    synth->loops = token.kind == FILO_JSON_ARRAY_BEGIN || token.kind == FILO_JSON_TRUE;
    if (token.kind == FILO_JSON_TRUE || token.kind == FILO_JSON_FALSE) return filo_ok();
    if (token.kind != FILO_JSON_ARRAY_BEGIN)
        return filo_json_error_at(&reader->json, token, "\"loop\" is true, false or [begin, end] in seconds");
    FiloResult r =
        audio_synth_number(reader, "the begin of a loop", 0, AUDIO_SYNTH_SECONDS_MAX, &synth->loop_begin);
    if (r.code == FILO_OK)
        r = audio_synth_number(reader, "the end of a loop", 0, AUDIO_SYNTH_SECONDS_MAX, &synth->loop_end);
    if (r.code == FILO_OK) r = audio_synth_expect(reader, FILO_JSON_ARRAY_END, "after two numbers", &token);
    if (r.code == FILO_OK && synth->loop_end <= synth->loop_begin)
        r = filo_json_error_at(&reader->json, token, "a loop ends after it begins");
    return r;
}

static FiloResult read_echo(AudioSynthReader *reader) {
    AudioSynth *synth = reader->synth;
    FiloJsonToken token;
    FiloResult r = audio_synth_expect(reader, FILO_JSON_OBJECT_BEGIN, "\"echo\"", &token);
    synth->echo_gain = -9;
    synth->echo_feedback = -9;
    while (r.code == FILO_OK && (token = filo_json_next(&reader->json)).kind == FILO_JSON_KEY) {
        if (filo_json_equal(token, "delay"))
            r = audio_synth_number(reader, "delay", 0.001, 5, &synth->echo_delay);
        else if (filo_json_equal(token, "gain"))
            r = audio_synth_number(reader, "gain", -120, 0, &synth->echo_gain);
        else if (filo_json_equal(token, "feedback"))
            r = audio_synth_number(reader, "feedback", -120, -1, &synth->echo_feedback);
        else
            r = filo_json_error_at(&reader->json, token, "an echo has \"delay\", \"gain\" and \"feedback\"");
    }
    if (r.code == FILO_OK && token.kind == FILO_JSON_ERROR) return reader->json.error;
    return r;
}

static FiloResult read_key(AudioSynthReader *reader, FiloJsonToken key) {
    AudioSynth *synth = reader->synth;
    float rate = 0;
    if (filo_json_equal(key, "layers")) return read_own_layers(reader);
    if (filo_json_equal(key, "instruments")) return read_instruments(reader);
    if (filo_json_equal(key, "tracks")) return audio_synth_read_tracks(reader);
    if (filo_json_equal(key, "tempo")) return audio_synth_number(reader, "tempo", 1, 1000, &reader->tempo);
    if (filo_json_equal(key, "gain")) return audio_synth_number(reader, "gain", -120, 24, &synth->gain);
    if (filo_json_equal(key, "seconds"))
        return audio_synth_number(reader, "seconds", 0.001, AUDIO_SYNTH_SECONDS_MAX, &synth->seconds);
    if (filo_json_equal(key, "loop")) return read_loop(reader);
    if (filo_json_equal(key, "echo")) return read_echo(reader);
    if (filo_json_equal(key, "rate")) {
        FiloResult r = audio_synth_number(reader, "rate", 8000, 96000, &rate);
        if (r.code == FILO_OK) synth->rate = (uint32_t)rate;
        return r;
    }
    char text[64];
    filo_json_as_text(key, text, sizeof text);
    return filo_json_error_at(&reader->json, key, "a sound has no \"%s\"", text);
}

static FiloResult check(const AudioSynth *synth, const char *name) {
    if (synth->tones.count == 0)
        return filo_error(FILO_ERROR_DATA, "%s: has neither \"layers\" nor notes in \"tracks\"", name);
    uint64_t frames = audio_synth_frames(synth);
    if (frames > (uint64_t)AUDIO_SYNTH_SECONDS_MAX * synth->rate)
        return filo_error(FILO_ERROR_LIMIT, "%s: lasts longer than %d seconds", name,
                          AUDIO_SYNTH_SECONDS_MAX);
    if (audio_synth_work(synth) > AUDIO_SYNTH_WORK_MAX)
        return filo_error(FILO_ERROR_LIMIT, "%s: all its tones together last longer than %d seconds", name,
                          AUDIO_SYNTH_WORK_MAX);
    if (frames == 0) return filo_error(FILO_ERROR_DATA, "%s: lasts no time", name);
    if (synth->loop_end * (float)synth->rate > (float)frames + 0.5f)
        return filo_error(FILO_ERROR_DATA, "%s: its loop ends after the sound", name);
    return filo_ok();
}

FiloResult audio_synth_read(AudioSynth *synth, const void *bytes, size_t size, const char *name,
                            const FiloAllocator *allocator) {
    *synth = (AudioSynth){ .rate = 44100 };
    filo_array_init(&synth->layers, allocator);
    filo_array_init(&synth->tones, allocator);
    AudioSynthReader reader = { .synth = synth, .tempo = 120 };
    filo_json_reader_init(&reader.json, bytes, size, name);
    FiloJsonToken token;
    FiloResult r = audio_synth_expect(&reader, FILO_JSON_OBJECT_BEGIN, "a sound", &token);
    while (r.code == FILO_OK && (token = filo_json_next(&reader.json)).kind == FILO_JSON_KEY)
        r = read_key(&reader, token);
    if (r.code == FILO_OK && token.kind == FILO_JSON_ERROR) r = reader.json.error;
    if (r.code == FILO_OK) r = audio_synth_expect(&reader, FILO_JSON_END, "after the sound", &token);
    if (r.code == FILO_OK) r = check(synth, name);
    if (r.code != FILO_OK) audio_synth_deinit(synth);
    return r;
}

void audio_synth_deinit(AudioSynth *synth) {
    filo_array_deinit(&synth->layers);
    filo_array_deinit(&synth->tones);
}

double audio_synth_work(const AudioSynth *synth) {
    double seconds = 0;
    for (size_t i = 0; i < synth->tones.count; i++)
        seconds += (double)(synth->tones.items[i].seconds +
                            synth->layers.items[synth->tones.items[i].layer].release);
    return seconds;
}

uint64_t audio_synth_frames(const AudioSynth *synth) {
    double seconds = (double)synth->seconds;
    if (synth->seconds == 0)
        for (size_t i = 0; i < synth->tones.count; i++) {
            const AudioSynthTone *tone = &synth->tones.items[i];
            double end = (double)tone->start + (double)tone->seconds +
                         (double)synth->layers.items[tone->layer].release;
            seconds = FILO_MAX(seconds, end);
        }
    return (uint64_t)(seconds * synth->rate + 0.5);
}

AudioSynthLoop audio_synth_loop(const AudioSynth *synth) {
    uint64_t frames = audio_synth_frames(synth);
    if (synth->loop_end <= 0) return (AudioSynthLoop){ 0, frames };
    AudioSynthLoop loop = { (uint64_t)(synth->loop_begin * (float)synth->rate + 0.5f),
                            (uint64_t)(synth->loop_end * (float)synth->rate + 0.5f) };
    loop.end = FILO_CLAMP(loop.end, 1, frames);
    if (loop.begin >= loop.end) loop.begin = 0;
    return loop;
}
