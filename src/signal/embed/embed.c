// Runs over lists of samples: one object, stepped once for each sample.

#include "signal/embed/embed.h"

#include <filo/check.h>

#include <math.h>
#include <string.h>

// The delta before sample i + 1.
static float stream_delta(const FiloStream *stream, size_t i) {
    return stream->deltas != NULL ? stream->deltas[i] : stream->delta;
}

static bool is_delta(float delta) { return isfinite(delta) && delta >= 0; }

// The first sample whose delta is not one; `count` if there is none.
static size_t find_wrong_delta(const FiloStream *stream) {
    if (stream->deltas == NULL) return stream->count == 0 || is_delta(stream->delta) ? stream->count : 0;
    size_t i = 0;
    while (i < stream->count && is_delta(stream->deltas[i])) i++;
    return i;
}

// A run: the leaves of both sides, and what to do with them.
typedef struct Run {
    const FiloNetwork *network;
    const FiloStream *stream;
    const FiloEmbed *embed;
    FiloSfLeaf inputs[FILO_SF_LEAVES], outputs[FILO_SF_LEAVES];
    size_t input_count, output_count;
} Run;

// One step at `sample`, whose input is that of sample `source`.
static FiloResult run_step(const Run *run, void *state, size_t sample, size_t source) {
    FiloSfRows rows = { .count = 1, .states = state, .ids = &run->embed->id, .seed = run->embed->seed };
    if (sample > 0) rows.delta = stream_delta(run->stream, sample - 1);
    for (size_t i = 0; i < run->input_count; i++) {
        const uint8_t *values = run->stream->inputs[i];
        if (values != NULL) rows.inputs[i] = values + source * run->inputs[i].type->size;
    }
    FiloTrace *trace = run->embed->trace;
    for (size_t i = 0; i < run->output_count; i++) {
        size_t offset = sample * run->outputs[i].type->size;
        if (run->embed->outputs[i] != NULL)
            rows.outputs[i] = (uint8_t *)run->embed->outputs[i] + offset;
        else if (trace != NULL)
            rows.outputs[i] = (uint8_t *)trace->values[i] + offset;
    }
    FiloResult r = filo_network_step(run->network, &rows);
    if (trace == NULL) return r;
    for (size_t i = 0; i < run->output_count; i++) {
        size_t size = run->outputs[i].type->size;
        uint8_t *recorded = (uint8_t *)trace->values[i] + sample * size;
        if (rows.outputs[i] != recorded) memcpy(recorded, rows.outputs[i], size);
    }
    trace->times[sample] = sample > 0 ? trace->times[sample - 1] + (double)rows.delta : 0;
    trace->count = sample + 1;
    return r;
}

static FiloResult run_all(const Run *run, void *state) {
    FiloResult first = filo_ok();
    double time = 0;
    size_t source = 0;
    for (size_t sample = 0; sample <= run->stream->count; sample++) {
        bool unchanged = sample > 0 && run->stream->unchanged != NULL && run->stream->unchanged[sample - 1];
        if (!unchanged) source = sample;
        if (sample > 0) time += (double)stream_delta(run->stream, sample - 1);
        FiloResult r = run_step(run, state, sample, source);
        if (r.code != FILO_OK && first.code == FILO_OK)
            first = filo_error(r.code, "sample %zu (%g s): %s", sample, time, r.message);
    }
    return first;
}

FiloResult filo_embed(const FiloNetwork *network, const FiloStream *stream, const FiloEmbed *embed) {
    if (network == NULL || stream == NULL || embed == NULL)
        return FILO_MISTAKE("pass a network, a stream and where the outputs go");
    size_t wrong = find_wrong_delta(stream);
    if (wrong < stream->count)
        return FILO_MISTAKE("delta %zu of the stream is %g: give seconds that are not negative", wrong,
                            (double)stream_delta(stream, wrong));
    Run run = { .network = network, .stream = stream, .embed = embed };
    run.input_count = filo_network_inputs(network, run.inputs, FILO_SF_LEAVES);
    run.output_count = filo_network_outputs(network, run.outputs, FILO_SF_LEAVES);
    size_t size = filo_network_state_size(network);
    void *state = embed->state;
    if (state == NULL) {
        state = filo_alloc_zero(embed->allocator, size, 8);
        if (state == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a state of %zu bytes", size);
    }
    FiloResult r;
    if (embed->trace != NULL && !filo_trace_begin(embed->trace, network, stream->count + 1)) {
        r = filo_error(FILO_ERROR_MEMORY, "no memory for a trace of %zu samples", stream->count + 1);
    } else {
        if (embed->state != NULL) memset(state, 0, size);
        r = run_all(&run, state);
    }
    if (embed->state == NULL) filo_free(embed->allocator, state, size, 8);
    return r;
}

// ---- Delta encoding -------------------------------------------------------------------------------------------

// Either `type` or `equal` is given.
static size_t encode(float delta, const FiloType *type, size_t size, const uint8_t *values, size_t count,
                     bool (*equal)(const void *a, const void *b), float *deltas, uint8_t *unchanged) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *before = values + i * size, *now = before + size;
        bool same = type != NULL ? filo_reflect_equal(type, before, now) : equal(before, now);
        unchanged[i] = same ? 1 : 0;
        if (same) found++;
        if (deltas != NULL) deltas[i] = delta;
    }
    return found;
}

size_t filo_delta_encode(float delta, const FiloType *type, const void *values, size_t count, float *deltas,
                         uint8_t *unchanged) {
    if (!FILO_CHECK(type != NULL && (count == 0 || (values != NULL && unchanged != NULL)),
                    "pass a type, values and an array for flags"))
        return 0;
    return encode(delta, type, type->size, values, count, NULL, deltas, unchanged);
}

size_t filo_delta_encode_by(float delta, size_t size, const void *values, size_t count,
                            bool (*equal)(const void *a, const void *b), float *deltas, uint8_t *unchanged) {
    if (!FILO_CHECK(equal != NULL && (count == 0 || (values != NULL && unchanged != NULL)),
                    "pass values, a function that compares them, and an array for flags"))
        return 0;
    return encode(delta, NULL, size, values, count, equal, deltas, unchanged);
}
