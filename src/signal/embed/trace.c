// Recorded runs, and playing them.
//
// A trace has one array of times and one array for each leaf of the output, all of the same capacity. They grow
// together: new blocks are allocated for all of them before one of the old ones is freed, so that a lack of memory
// leaves the trace as it is.

#include "signal/embed/embed.h"

#include <filo/check.h>

#include <math.h>
#include <string.h>

FILO_REFLECT(FiloPlayer, FILO_FIELD(double, time, .unit = "s"), FILO_FIELD(uint64_t, sample),
             FILO_FIELD(bool, started))

#define TRACE_ALIGN 16 // of all arrays

static size_t leaf_size(const FiloTrace *trace, size_t leaf) { return trace->leaves[leaf].type->size; }

static void free_arrays(FiloTrace *trace) {
    filo_free(trace->allocator, trace->times, trace->capacity * sizeof(double), TRACE_ALIGN);
    for (size_t i = 0; i < trace->leaf_count; i++)
        filo_free(trace->allocator, trace->values[i], trace->capacity * leaf_size(trace, i), TRACE_ALIGN);
}

void filo_trace_deinit(FiloTrace *trace) {
    if (trace == NULL) return;
    const FiloAllocator *allocator = trace->allocator;
    free_arrays(trace);
    *trace = (FiloTrace){ .allocator = allocator };
}

// Allocates the arrays of `made`, which has leaves and a capacity. False without memory: nothing is allocated then.
static bool alloc_arrays(FiloTrace *made) {
    made->times = filo_alloc(made->allocator, made->capacity * sizeof(double), TRACE_ALIGN);
    bool failed = made->times == NULL;
    for (size_t i = 0; i < made->leaf_count && !failed; i++) {
        made->values[i] = filo_alloc(made->allocator, made->capacity * leaf_size(made, i), TRACE_ALIGN);
        failed = made->values[i] == NULL;
    }
    if (failed) free_arrays(made);
    return !failed;
}

bool filo_trace_begin(FiloTrace *trace, const FiloNetwork *network, size_t reserve) {
    if (!FILO_CHECK(trace != NULL && network != NULL, "pass a trace and a network")) return false;
    FiloTrace made = { .allocator = trace->allocator, .capacity = FILO_MAX(reserve, (size_t)16) };
    made.leaf_count = filo_network_outputs(network, made.leaves, FILO_SF_LEAVES);
    bool fits = trace->leaf_count == made.leaf_count && trace->times != NULL && trace->capacity >= reserve;
    for (size_t i = 0; i < made.leaf_count && fits; i++) fits = leaf_size(trace, i) == leaf_size(&made, i);
    if (fits) { // the memory is used again
        memcpy(trace->leaves, made.leaves, sizeof made.leaves);
        trace->count = 0;
        return true;
    }
    if (!alloc_arrays(&made)) return false;
    free_arrays(trace);
    *trace = made;
    return true;
}

bool filo_trace_add(FiloTrace *trace, double time, const void *const *outputs) {
    if (!FILO_CHECK(trace != NULL && outputs != NULL, "pass a trace and the outputs of one row"))
        return false;
    if (!FILO_CHECK_MADE(trace->times != NULL, "call filo_trace_begin first")) return false;
    for (size_t i = 0; i < trace->leaf_count; i++)
        if (!FILO_CHECK(outputs[i] != NULL, "pass a value for leaf %zu of the output", i)) return false;
    if (trace->count == trace->capacity) {
        FiloTrace made = *trace;
        made.capacity = trace->capacity * 2;
        memset(made.values, 0, sizeof made.values);
        if (!alloc_arrays(&made)) return false;
        memcpy(made.times, trace->times, trace->count * sizeof(double));
        for (size_t i = 0; i < trace->leaf_count; i++)
            memcpy(made.values[i], trace->values[i], trace->count * leaf_size(trace, i));
        free_arrays(trace);
        *trace = made;
    }
    trace->times[trace->count] = time;
    for (size_t i = 0; i < trace->leaf_count; i++) {
        size_t size = leaf_size(trace, i);
        memcpy((uint8_t *)trace->values[i] + trace->count * size, outputs[i], size);
    }
    trace->count++;
    return true;
}

const void *filo_trace_at(const FiloTrace *trace, size_t leaf, size_t sample) {
    if (!FILO_CHECK(trace != NULL, "pass a trace")) return NULL;
    if (leaf >= trace->leaf_count || sample >= trace->count) return NULL;
    return (const uint8_t *)trace->values[leaf] + sample * leaf_size(trace, leaf);
}

size_t filo_trace_find(const FiloTrace *trace, double time) {
    if (!FILO_CHECK(trace != NULL, "pass a trace")) return 0;
    size_t low = 0, high = trace->count; // times[low] ≤ time < times[high], with infinite times at both ends
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (trace->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// ---- Player -----------------------------------------------------------------------------------------------------

FiloResult filo_player_step(FiloPlayer *player, const FiloTrace *trace, float delta, float ratio,
                            void *const *outputs) {
    if (player == NULL || trace == NULL || outputs == NULL)
        return FILO_MISTAKE("pass a player, the trace that it plays, and where the outputs go");
    if (trace->count == 0)
        return FILO_MISTAKE("the trace has no samples: record a run with filo_embed first");
    if (!(delta >= 0 && ratio >= 0 && isfinite(delta) && isfinite(ratio)))
        return FILO_MISTAKE("a run is not played backwards: delta is %g and ratio is %g, make both 0 or more",
                            (double)delta, (double)ratio);
    if (player->started) player->time += (double)delta * (double)ratio;
    player->started = true;
    // Usually one sample further, so the search is linear. A sample past the end is from another trace.
    if (player->sample >= trace->count) player->sample = trace->count - 1;
    while (player->sample + 1 < trace->count && trace->times[player->sample + 1] <= player->time)
        player->sample++;
    for (size_t i = 0; i < trace->leaf_count; i++)
        if (outputs[i] != NULL)
            memcpy(outputs[i], filo_trace_at(trace, i, (size_t)player->sample), leaf_size(trace, i));
    return filo_ok();
}
