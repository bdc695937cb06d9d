// Properties of random streams.

#include "signal/embed/embed.h"

#include <filo/check.h>

typedef struct Property {
    const FiloNetwork *network;
    const FiloStreamCheck *check;
    FiloTrace trace; // used again for each run
} Property;

// FILO_OK: the property holds for the stream.
static FiloResult run_property(const FiloStream *stream, void *user) {
    Property *property = user;
    const FiloStreamCheck *check = property->check;
    if (check->formula != NULL) {
        FiloEmbed embed = { .trace = &property->trace,
                            .seed = check->seed,
                            .allocator = check->streams.allocator };
        FiloResult r = filo_embed(property->network, stream, &embed);
        if (r.code == FILO_OK) r = filo_trace_check(&property->trace, check->formula, NULL);
        if (r.code != FILO_OK) return r;
    }
    return check->property != NULL ? check->property(property->network, stream, check->user) : filo_ok();
}

// Reports what is left of a failure after shrinking.
static FiloResult report(const Property *property, const FiloStream *stream, const FiloResult *failure,
                         uint32_t run, size_t samples) {
    const FiloStreamCheck *check = property->check;
    FiloBuilder *text = check->report;
    if (text != NULL) {
        filo_builder_printf(text, "%s: run %u with seed %llu fails. Of %zu samples, these are enough:\n",
                            filo_network_name(property->network), run, (unsigned long long)check->seed,
                            samples);
        filo_stream_print(stream, property->network, text);
        filo_builder_printf(text, "%s\n", failure->message);
    }
    return filo_error(FILO_ERROR_DATA, "run %u with seed %llu fails, with %zu samples: %s", run,
                      (unsigned long long)check->seed, stream->count + 1, failure->message);
}

static FiloResult shrink_and_report(Property *property, FiloStream *stream, FiloResult failure,
                                    uint32_t run) {
    const FiloStreamCheck *check = property->check;
    size_t samples = stream->count + 1;
    FiloStream trial;
    FiloResult r = signal_stream_alloc(&trial, property->network, stream->count, check->streams.allocator);
    if (r.code != FILO_OK) return r;
    SignalShrink shrink = { .network = property->network,
                            .desc = &check->streams,
                            .run = run_property,
                            .user = property,
                            .tries = check->tries > 0 ? check->tries : 4000,
                            .failure = failure };
    r = signal_shrink(&shrink, stream, &trial);
    filo_stream_deinit(&trial);
    if (r.code != FILO_OK) return r;
    r = report(property, stream, &shrink.failure, run, samples);
    if (check->smallest != NULL) {
        *check->smallest = *stream;
        *stream = (FiloStream){ 0 };
    }
    return r;
}

FiloResult filo_stream_check(const FiloNetwork *network, const FiloStreamCheck *check) {
    if (network == NULL || check == NULL) return FILO_MISTAKE("pass a network and what to check");
    if (check->formula == NULL && check->property == NULL)
        return FILO_MISTAKE("set `formula` or `property`: there is nothing to check");
    Property property = { .network = network, .check = check };
    property.trace.allocator = check->streams.allocator;
    FiloResult r = filo_ok();
    uint32_t runs = check->runs > 0 ? check->runs : 100;
    for (uint32_t run = 0; run < runs && r.code == FILO_OK; run++) {
        FiloRandom random = filo_random_keyed(check->seed, run, 0, 0);
        FiloStream stream;
        r = filo_stream_random(&stream, network, &check->streams, &random);
        if (r.code != FILO_OK) break;
        r = run_property(&stream, &property);
        bool failed = r.code != FILO_OK && r.code != FILO_ERROR_MEMORY && r.code != FILO_ERROR_ARGUMENT;
        if (failed) r = shrink_and_report(&property, &stream, r, run);
        filo_stream_deinit(&stream);
    }
    filo_trace_deinit(&property.trace);
    return r;
}
