// Streams of samples: their memory, random ones, and their text.

#include "signal/embed/embed.h"

#include <filo/check.h>

#include <math.h>
#include <string.h>

#define STREAM_ALIGN 16 // of all arrays

void filo_stream_deinit(FiloStream *stream) {
    if (stream == NULL) return;
    filo_free(stream->allocator, stream->memory, stream->memory_size, STREAM_ALIGN);
    *stream = (FiloStream){ 0 };
}

FiloResult signal_stream_alloc(FiloStream *stream, const FiloNetwork *network, size_t capacity,
                               const FiloAllocator *allocator) {
    FiloSfLeaf leaves[FILO_SF_LEAVES];
    size_t leaf_count = filo_network_inputs(network, leaves, FILO_SF_LEAVES);
    size_t size = FILO_ALIGN_UP((capacity + 1) * sizeof(float), (size_t)STREAM_ALIGN);
    size_t offsets[FILO_SF_LEAVES];
    for (size_t i = 0; i < leaf_count; i++) {
        offsets[i] = size;
        size += FILO_ALIGN_UP((capacity + 1) * leaves[i].type->size, (size_t)STREAM_ALIGN);
    }
    uint8_t *memory = filo_alloc_zero(allocator, size, STREAM_ALIGN);
    if (memory == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory for a stream of %zu samples", capacity + 1);
    *stream = (FiloStream){ .memory = memory, .memory_size = size, .allocator = allocator };
    stream->deltas = (float *)(void *)memory;
    for (size_t i = 0; i < leaf_count; i++) stream->inputs[i] = memory + offsets[i];
    return filo_ok();
}

// ---- Random values ----------------------------------------------------------------------------------------------

typedef struct Draw {
    const FiloStreamInput *input;
    FiloRandom *random;
} Draw;

void signal_stream_range(const FiloStreamInput *input, const SignalScalar *scalar, double *low,
                         double *high) {
    *low = (double)input->low;
    *high = (double)input->high;
    if (scalar->field != NULL && (scalar->field->min != 0 || scalar->field->max != 0)) {
        *low = scalar->field->min;
        *high = scalar->field->max;
    } else if (*low == 0 && *high == 0) {
        *low = -10;
        *high = 10;
    }
    if (scalar->type->kind == FILO_KIND_UINT) {
        *low = fmax(*low, 0);
        *high = fmax(*high, 0);
    }
}

static void draw_number(const SignalScalar *scalar, const Draw *draw) {
    double low, high;
    signal_stream_range(draw->input, scalar, &low, &high);
    if (scalar->type->kind == FILO_KIND_FLOAT) {
        signal_scalar_set(scalar, low + (high - low) * filo_random_double(draw->random));
        return;
    }
    // All whole numbers in the range equally likely.
    double first = ceil(low), count = floor(high) - first + 1;
    signal_scalar_set(scalar, first + floor(fmax(count, 1) * filo_random_double(draw->random)));
}

static bool draw_scalar(const SignalScalar *scalar, void *user) {
    const Draw *draw = user;
    const FiloType *type = scalar->type;
    if (type->kind == FILO_KIND_BOOL) {
        float probability = draw->input->probability;
        bool value = filo_random_chance(draw->random, probability > 0 ? probability : 0.5f);
        signal_scalar_set(scalar, value);
    } else if (type->kind == FILO_KIND_ENUM && type->value_count > 0) {
        uint32_t index = filo_random_below(draw->random, (uint32_t)type->value_count);
        signal_scalar_set(scalar, (double)type->values[index].value);
    } else if (type->kind == FILO_KIND_FLAGS) {
        int64_t flags = 0;
        for (size_t i = 0; i < type->value_count; i++)
            if (filo_random_chance(draw->random, 0.5f)) flags |= type->values[i].value;
        signal_scalar_set(scalar, (double)flags);
    } else {
        draw_number(scalar, draw);
    }
    return true;
}

// The texts inside a struct, which are not scalars: up to 8 letters.
static void draw_texts(const FiloType *type, uint8_t *data, FiloRandom *random) {
    if (type->kind != FILO_KIND_STRUCT) return;
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        const FiloType *inner = filo_field_type(field);
        uint8_t *start = data + field->offset;
        if (inner->kind == FILO_KIND_CHAR && field->count > 1) {
            uint32_t length = filo_random_below(random, (uint32_t)FILO_MIN(field->count, (size_t)9));
            for (uint32_t k = 0; k < length; k++) start[k] = (uint8_t)('a' + filo_random_below(random, 26));
        } else {
            size_t count = FILO_MAX(field->count, (size_t)1);
            for (size_t k = 0; k < count; k++) draw_texts(inner, start + k * inner->size, random);
        }
    }
}

static float draw_delta(const FiloStreamDesc *desc, FiloRandom *random) {
    float mean = signal_stream_mean(desc);
    if (desc->deltas == FILO_DELTAS_NORMAL) {
        float delta = mean + mean / 4 * filo_random_normal(random);
        return delta > 0 ? delta : mean; // about 1 in 30,000 is not
    }
    // 1 − [0, 1) is above 0.
    if (desc->deltas == FILO_DELTAS_UNIFORM) return 2 * mean * (1 - filo_random_float(random));
    return mean;
}

static void draw_leaf(uint8_t *value, const FiloSfLeaf *leaf, Draw *draw) {
    if (leaf->presence) {
        float probability = draw->input->probability;
        *value = filo_random_chance(draw->random, probability > 0 ? probability : 0.2f);
        return;
    }
    signal_scalars(leaf->type, value, draw_scalar, draw);
    draw_texts(leaf->type, value, draw->random);
}

FiloResult filo_stream_random(FiloStream *stream, const FiloNetwork *network, const FiloStreamDesc *desc,
                              FiloRandom *random) {
    static const FiloStreamDesc defaults;
    if (desc == NULL) desc = &defaults;
    if (stream == NULL || network == NULL || random == NULL)
        return FILO_MISTAKE("pass a stream, a network and a generator of random numbers");
    size_t most = desc->max_count > 0 ? desc->max_count : FILO_MAX(desc->min_count, (size_t)40);
    if (desc->min_count > most)
        return FILO_MISTAKE("min_count is %zu, above max_count, which is %zu", desc->min_count, most);
    FiloSfLeaf leaves[FILO_SF_LEAVES];
    size_t leaf_count = filo_network_inputs(network, leaves, FILO_SF_LEAVES);
    for (size_t i = 0; i < leaf_count; i++) {
        const FiloStreamInput *input = &desc->inputs[i];
        if (!(input->low <= input->high && isfinite(input->low) && isfinite(input->high)))
            return FILO_MISTAKE("input %zu has the range %g to %g: give a low and a high number", i,
                                (double)input->low, (double)input->high);
        if (signal_leaf_is_list(&leaves[i]))
            return filo_error(FILO_ERROR_KIND, "%s: input %zu is a list", filo_network_name(network), i);
    }
    size_t count = desc->min_count + (size_t)filo_random_below_u64(random, most - desc->min_count + 1);
    FiloResult r = signal_stream_alloc(stream, network, count, desc->allocator);
    if (r.code != FILO_OK) return r;
    stream->count = count;
    for (size_t sample = 0; sample <= count; sample++) {
        if (sample > 0) signal_stream_deltas(stream)[sample - 1] = draw_delta(desc, random);
        for (size_t i = 0; i < leaf_count; i++) {
            uint8_t *value = signal_stream_input(stream, i) + sample * leaves[i].type->size;
            Draw draw = { &desc->inputs[i], random };
            draw_leaf(value, &leaves[i], &draw);
            // The value of an event that does not occur was drawn all the same, so that later ones do not depend on it.
            uint32_t by = leaves[i].present_by;
            if (by != 0 && signal_stream_input(stream, by - 1)[sample] == 0)
                memset(value, 0, leaves[i].type->size);
        }
    }
    return filo_ok();
}

// ---- Text -------------------------------------------------------------------------------------------------------

static void print_leaf(const FiloSfLeaf *leaf, const void *value, FiloBuilder *text) {
    char buffer[256];
    if (leaf->presence) {
        filo_builder_add_text(text, *(const uint8_t *)value != 0 ? "event" : "-");
        return;
    }
    filo_reflect_print((FiloValue){ .type = leaf->type, .data = (void *)value }, buffer, sizeof buffer);
    filo_builder_add_text(text, buffer);
}

bool filo_stream_print(const FiloStream *stream, const FiloNetwork *network, FiloBuilder *text) {
    if (!FILO_CHECK(stream != NULL && network != NULL && text != NULL,
                    "pass a stream, its network and a builder"))
        return false;
    FiloSfLeaf leaves[FILO_SF_LEAVES];
    size_t leaf_count = filo_network_inputs(network, leaves, FILO_SF_LEAVES);
    filo_builder_printf(text, "%-8s%-10s%-10s%s\n", "sample", "time", "delta", leaf_count > 0 ? "input" : "");
    double time = 0;
    size_t source = 0;
    for (size_t sample = 0; sample <= stream->count; sample++) {
        float delta = 0;
        if (sample > 0) delta = stream->deltas != NULL ? stream->deltas[sample - 1] : stream->delta;
        bool unchanged = sample > 0 && stream->unchanged != NULL && stream->unchanged[sample - 1];
        if (!unchanged) source = sample;
        time += (double)delta;
        filo_builder_printf(text, "%-8zu%-10.6g%-10.6g", sample, time, (double)delta);
        for (size_t i = 0; i < leaf_count; i++) {
            const uint8_t *values = stream->inputs[i];
            // A value that does not occur is left out.
            uint32_t by = leaves[i].present_by;
            const uint8_t *presence = by != 0 ? stream->inputs[by - 1] : NULL;
            if (by != 0 && (presence == NULL || presence[source] == 0)) continue;
            if (i > 0) filo_builder_add_text(text, by != 0 ? " " : ", ");
            if (values == NULL)
                filo_builder_add_text(text, leaves[i].presence ? "-" : "0");
            else
                print_leaf(&leaves[i], values + source * leaves[i].type->size, text);
        }
        filo_builder_add_byte(text, '\n');
    }
    return !text->failed;
}
