// Runs a network over a few samples and compares its output with lists that were computed by hand.
//
//     FiloSfBuilder *b = embed_builder("f");                  // the input is one float
//     embed(b, filo_sf_integral(filo_sf_input(b)),
//           &(Embed){ .delta = T(0, 1, 0.5f), .in = { V(1, 2, 4) }, .out = { V(0, 1, 2) } });
//
// A track has the values of one signal, one for each sample. In a track of an event, NO means that it does not occur.
// embed runs the samples as one row. Then it runs many rows at once, whose states differ: their inputs are shifted, and
// some start again on the way. Each must give what a single row gives, for every split of the rows into calls.

#ifndef FILO_TEST_SIGNAL_EMBED_H
#define FILO_TEST_SIGNAL_EMBED_H

#include <filo/maths.h>
#include <filo/signal.h>

#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#define NO ((float)NAN)

typedef struct Track {
    char kind;
    const float *v;
    size_t count;
} Track;

#define TRACK_(kind_, ...)                                                                                   \
    { kind_, (const float[]){ __VA_ARGS__ }, sizeof((const float[]){ __VA_ARGS__ }) / sizeof(float) }
#define T(...) TRACK_('t', __VA_ARGS__)
#define V(...) TRACK_('v', __VA_ARGS__) // a value; of a vector its elements, sample by sample
#define E(...) TRACK_('e', __VA_ARGS__) // an event with a value
#define U(...) TRACK_('u', __VA_ARGS__) // an event without a value
#define W(...) TRACK_('w', __VA_ARGS__) // a further value of the event before
#define L(...) TRACK_('l', __VA_ARGS__) // a list of floats: for each sample the count, then the elements
#define M(...) TRACK_('m', __VA_ARGS__) // an event with such a list: NO, or the count, then the elements

#define EMBED_SAMPLES 16
#define EMBED_TRACKS  8
#define EMBED_ROWS    77
#define EMBED_LEAF    1024 // bytes of a leaf at most

typedef struct Embed {
    Track delta, in[EMBED_TRACKS], out[EMBED_TRACKS];
    FiloCode code; // that the last step returns, and `message` is contained
    const char *message;
    uint64_t seed;
} Embed;

// "f" float, "2" FiloVec2, "3", "4", "i" int32_t, "b" bool, "F" event with a float, "I" event with an int32_t, "U" event
// without a value, "V" event with a FiloVec2.
static inline FiloSfBuilder *embed_builder(const char *inputs) {
    static const char *const names[] = { "in0", "in1", "in2", "in3", "in4", "in5", "in6", "in7" };
    FiloSfBuilderDesc desc = { .name = "embedded" };
    for (size_t i = 0; inputs[i] != '\0'; i++) {
        FiloSfInput *input = &desc.inputs[i];
        input->name = names[i];
        switch (inputs[i]) {
        case 'f':
        case 'F': input->type = FILO_TYPE(float); break;
        case '2':
        case 'V': input->type = FILO_TYPE(FiloVec2); break;
        case '3': input->type = FILO_TYPE(FiloVec3); break;
        case '4': input->type = FILO_TYPE(FiloVec4); break;
        case 'i':
        case 'I': input->type = FILO_TYPE(int32_t); break;
        case 'b': input->type = FILO_TYPE(bool); break;
        default: break;
        }
        input->event = inputs[i] == 'F' || inputs[i] == 'I' || inputs[i] == 'U' || inputs[i] == 'V';
    }
    FiloSfBuilder *b = filo_sf_builder_create(&desc);
    assert_non_null(b);
    return b;
}

// ---- Leaves -----------------------------------------------------------------------------------------------------

static inline void embed_write(const FiloType *type, const float *from, void *to) {
    if (type == FILO_TYPE(bool))
        *(bool *)to = *from != 0;
    else if (type == FILO_TYPE(int32_t))
        *(int32_t *)to = (int32_t)*from;
    else
        memcpy(to, from, type->size);
}

static inline void embed_compare(const FiloType *type, const float *expected, const void *got, size_t sample,
                                 size_t track) {
    if (type == FILO_TYPE(bool) || type == FILO_TYPE(int32_t)) {
        int64_t value = type == FILO_TYPE(bool) ? *(const bool *)got : *(const int32_t *)got;
        if (value != (int64_t)*expected)
            fail_msg("output %zu, sample %zu: expected %lld, got %lld", track, sample, (long long)*expected,
                     (long long)value);
        return;
    }
    assert_int_equal(type->size % sizeof(float), 0);
    for (size_t i = 0; i < type->size / sizeof(float); i++) {
        float value = ((const float *)got)[i];
        if (value != expected[i] && !(isnan(value) && isnan(expected[i])))
            fail_msg("output %zu, sample %zu: expected %.9g, got %.9g", track, sample, (double)expected[i],
                     (double)value);
    }
}

static inline size_t embed_width(const FiloType *type) {
    return type == FILO_TYPE(bool) || type == FILO_TYPE(int32_t) ? 1 : type->size / sizeof(float);
}

// ---- Running ----------------------------------------------------------------------------------------------------

typedef struct EmbedRun {
    const FiloNetwork *network;
    const Embed *embed;
    size_t samples, input_count, output_count;
    FiloSfLeaf inputs[FILO_SF_LEAVES], outputs[FILO_SF_LEAVES];
} EmbedRun;

static inline size_t embed_leaf_size(const FiloSfLeaf *leaf) { return leaf->presence ? 1 : leaf->type->size; }

// Writes all leaves of the input at `sample` to row `row` of arrays.
static inline void embed_fill(const EmbedRun *run, size_t sample, uint8_t *const *arrays, size_t row) {
    size_t leaf = 0;
    for (size_t track = 0; track < EMBED_TRACKS && run->embed->in[track].v != NULL; track++) {
        const Track *in = &run->embed->in[track];
        if (in->kind == 'e' || in->kind == 'u') {
            assert_true(run->inputs[leaf].presence);
            const FiloType *type = in->kind == 'e' ? run->inputs[leaf + 1].type : FILO_TYPE(float);
            arrays[leaf++][row] = (uint8_t)(isnan(in->v[sample * embed_width(type)]) ? 0 : 1);
        }
        if (in->kind == 'u') continue;
        const FiloType *type = run->inputs[leaf].type;
        assert_int_equal(in->count, run->samples * embed_width(type));
        const float *values = in->v + sample * embed_width(type);
        static const float zeroes[4];
        embed_write(type, isnan(*values) && in->kind == 'e' ? zeroes : values,
                    arrays[leaf] + row * type->size);
        leaf++;
    }
    assert_int_equal(leaf, run->input_count);
}

static inline const float *embed_compare_list(const float *at, const FiloSfList *list, size_t sample,
                                              size_t track) {
    size_t count = (size_t)*at++;
    if (list->count != count)
        fail_msg("output %zu, sample %zu: expected %zu elements, got %u", track, sample, count, list->count);
    for (size_t i = 0; i < count; i++)
        embed_compare(FILO_TYPE(float), at++, filo_sf_list_at(list, FILO_TYPE(float), i), sample, track);
    assert_null(filo_sf_list_at(list, FILO_TYPE(float), count));
    return at;
}

// Compares one sample. `lists` is the position in tracks of lists.
static inline void embed_check(const EmbedRun *run, size_t sample, uint8_t (*leaves)[EMBED_LEAF],
                               const float **lists) {
    size_t leaf = 0;
    bool present = true;
    for (size_t track = 0; track < EMBED_TRACKS && run->embed->out[track].v != NULL; track++) {
        const Track *out = &run->embed->out[track];
        if (out->kind == 'e' || out->kind == 'u' || out->kind == 'm') {
            assert_true(run->outputs[leaf].presence);
            size_t width = out->kind == 'e' ? embed_width(run->outputs[leaf + 1].type) : 1;
            bool expected = !isnan(out->kind == 'm' ? *lists[track] : out->v[sample * width]);
            present = leaves[leaf++][0];
            if (present != expected)
                fail_msg("output %zu, sample %zu: expected %s", track, sample,
                         expected ? "an event" : "no event");
        }
        if (out->kind == 'u') continue;
        const FiloSfLeaf *type = &run->outputs[leaf];
        const uint8_t *got = leaves[leaf++];
        if (out->kind == 'l' || out->kind == 'm') {
            if (out->kind == 'm' && !present)
                lists[track]++;
            else
                lists[track] =
                    embed_compare_list(lists[track], (const FiloSfList *)(const void *)got, sample, track);
            continue;
        }
        assert_false(type->presence && out->kind == 'v' && type->type != FILO_TYPE(bool) &&
                     type->type->size != 1);
        const FiloType *value = type->presence ? FILO_TYPE(bool) : type->type;
        assert_int_equal(out->count, run->samples * embed_width(value));
        if (out->kind == 'v' || present)
            embed_compare(value, out->v + sample * embed_width(value), got, sample, track);
    }
    assert_int_equal(leaf, run->output_count);
}

typedef struct EmbedScenario {
    size_t shift;   // of the samples of the input
    size_t restart; // sample before which the row starts again; 0: never
} EmbedScenario;

typedef struct EmbedRecord {
    _Alignas(16) uint8_t leaves[EMBED_SAMPLES][FILO_SF_LEAVES][EMBED_LEAF];
} EmbedRecord;

// One row alone.
static inline void embed_one(const EmbedRun *run, EmbedScenario scenario, EmbedRecord *record,
                             bool last_fails) {
    size_t size = filo_network_state_size(run->network);
    uint8_t *state = calloc(1, size);
    for (size_t sample = 0; sample < run->samples; sample++) {
        _Alignas(16) uint8_t inputs[FILO_SF_LEAVES][16] = { { 0 } };
        uint8_t *arrays[FILO_SF_LEAVES];
        FiloSfRows rows = {
            .count = 1, .states = state, .delta = run->embed->delta.v[sample], .seed = run->embed->seed
        };
        for (size_t i = 0; i < FILO_SF_LEAVES; i++) arrays[i] = inputs[i];
        for (size_t i = 0; i < run->input_count; i++) rows.inputs[i] = inputs[i];
        for (size_t i = 0; i < run->output_count; i++) rows.outputs[i] = record->leaves[sample][i];
        if (sample > 0 && sample == scenario.restart) memset(state, 0, size);
        embed_fill(run, (sample + scenario.shift) % run->samples, arrays, 0);
        FiloResult result = filo_network_step(run->network, &rows);
        if (last_fails && sample + 1 == run->samples)
            assert_error(result, run->embed->code, run->embed->message != NULL ? run->embed->message : "");
        else if (run->embed->code == FILO_OK)
            assert_ok(result);
    }
    free(state);
}

static inline bool embed_same_leaf(const FiloSfLeaf *leaf, const uint8_t *a, const uint8_t *b) {
    return leaf->presence ? *a == *b : memcmp(a, b, leaf->type->size) == 0;
}

// Many rows, of all scenarios by turns, in calls of `part` rows.
static inline void embed_many(const EmbedRun *run, const EmbedScenario *scenarios, const EmbedRecord *records,
                              size_t scenario_count, size_t part) {
    size_t size = filo_network_state_size(run->network);
    uint8_t *states = calloc(EMBED_ROWS, size), *inputs[FILO_SF_LEAVES], *outputs[FILO_SF_LEAVES];
    uint64_t ids[EMBED_ROWS] = { 0 }; // as for a single row
    for (size_t i = 0; i < FILO_SF_LEAVES; i++) inputs[i] = calloc(EMBED_ROWS, 16);
    for (size_t i = 0; i < FILO_SF_LEAVES; i++) outputs[i] = calloc(EMBED_ROWS, EMBED_LEAF);
    for (size_t sample = 0; sample < run->samples; sample++) {
        for (size_t row = 0; row < EMBED_ROWS; row++) {
            const EmbedScenario *scenario = &scenarios[row % scenario_count];
            if (sample > 0 && sample == scenario->restart) memset(states + row * size, 0, size);
            embed_fill(run, (sample + scenario->shift) % run->samples, inputs, row);
        }
        for (size_t from = 0; from < EMBED_ROWS; from += part) {
            FiloSfRows rows = { .count = FILO_MIN(part, EMBED_ROWS - from),
                                .states = states + from * size,
                                .delta = run->embed->delta.v[sample],
                                .ids = ids + from,
                                .seed = run->embed->seed };
            for (size_t i = 0; i < run->input_count; i++)
                rows.inputs[i] = inputs[i] + from * embed_leaf_size(&run->inputs[i]);
            for (size_t i = 0; i < run->output_count; i++)
                rows.outputs[i] = outputs[i] + from * embed_leaf_size(&run->outputs[i]);
            FiloResult result = filo_network_step(run->network, &rows);
            if (run->embed->code == FILO_OK) assert_ok(result);
        }
        for (size_t row = 0; row < EMBED_ROWS; row++) {
            bool absent = false; // the values of an event that does not occur mean nothing
            for (size_t i = 0; i < run->output_count; i++) {
                const uint8_t *one = records[row % scenario_count].leaves[sample][i];
                const uint8_t *many = outputs[i] + row * embed_leaf_size(&run->outputs[i]);
                if (run->outputs[i].presence) absent = !*one;
                if (absent && !run->outputs[i].presence) continue;
                if (!embed_same_leaf(&run->outputs[i], one, many))
                    fail_msg("row %zu of %d in calls of %zu, sample %zu, leaf %zu: not as a single row", row,
                             EMBED_ROWS, part, sample, i);
            }
        }
    }
    for (size_t i = 0; i < FILO_SF_LEAVES; i++) free(inputs[i]), free(outputs[i]);
    free(states);
}

// Runs a network that has been created.
static inline void embed_network(const FiloNetwork *network, const Embed *embed) {
    EmbedRun run = { .network = network, .embed = embed, .samples = embed->delta.count };
    assert_in_range(run.samples, 1, EMBED_SAMPLES);
    run.input_count = filo_network_inputs(network, run.inputs, FILO_SF_LEAVES);
    run.output_count = filo_network_outputs(network, run.outputs, FILO_SF_LEAVES);
    for (size_t i = 0; i < run.output_count; i++) assert_true(embed_leaf_size(&run.outputs[i]) <= EMBED_LEAF);
    EmbedScenario scenarios[6];
    EmbedRecord *records = calloc(6, sizeof *records);
    for (size_t i = 0; i < 6; i++)
        scenarios[i] = (EmbedScenario){ .shift = i % 3, .restart = i >= 3 ? 2 : 0 };
    for (size_t i = 0; i < 6; i++)
        embed_one(&run, scenarios[i], &records[i], i == 0 && embed->code != FILO_OK);
    const float *lists[EMBED_TRACKS];
    for (size_t i = 0; i < EMBED_TRACKS; i++) lists[i] = embed->out[i].v;
    for (size_t sample = 0; sample < run.samples; sample++)
        embed_check(&run, sample, records[0].leaves[sample], lists);
    embed_many(&run, scenarios, records, 6, EMBED_ROWS);
    embed_many(&run, scenarios, records, 6, 5);
    embed_many(&run, scenarios, records, 6, 1);
    free(records);
}

// Compiles `sf`, runs it, and destroys it and the builder.
static inline void embed(FiloSfBuilder *b, FiloSf sf, const Embed *embed) {
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, sf, NULL));
    embed_network(network, embed);
    filo_network_destroy(network);
    filo_sf_builder_destroy(b);
}

// The error of creating a network from `sf`; destroys the builder.
static inline void embed_refused(FiloSfBuilder *b, FiloSf sf, FiloCode code, const char *message) {
    FiloNetwork *network = (FiloNetwork *)&network;
    FiloResult result = filo_network_create(&network, sf, NULL);
    if (result.code == FILO_OK) filo_network_destroy(network);
    filo_sf_builder_destroy(b);
    assert_error(result, code, message);
    assert_null(network);
}

#endif
