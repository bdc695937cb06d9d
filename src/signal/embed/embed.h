// Private header of the folder `embed`, which uses only the public functions of filo/signal.h.

#ifndef FILO_SIGNAL_EMBED_PRIVATE_H
#define FILO_SIGNAL_EMBED_PRIVATE_H

#include <filo/embed.h>

// ---- Numbers inside values ------------------------------------------------------------------------------------

// One number, bool or enum inside a value of any described type.
typedef struct SignalScalar {
    const FiloType *type;   // not a struct, not text
    const FiloField *field; // that it is in; NULL: the value itself
    void *data;
    const char *path; // "position.x"; "" for the value itself
} SignalScalar;

// Calls `visit` for each scalar in order, until it returns false; returns false then too. Text, names and entities are
// left out.
bool signal_scalars(const FiloType *type, void *data, bool (*visit)(const SignalScalar *scalar, void *user),
                    void *user);
// As a number: false is 0.
double signal_scalar_get(const SignalScalar *scalar);
// The nearest value that the type can hold.
void signal_scalar_set(const SignalScalar *scalar, double value);

// Whether the leaf is a list: the output of a collection, the value of a window.
bool signal_leaf_is_list(const FiloSfLeaf *leaf);

// ---- Texts ------------------------------------------------------------------------------------------------------

// Adds a number with up to `digits` digits after the point, without zeroes at the end. Does not depend on the locale.
void signal_add_number(FiloBuilder *text, double number, int digits);

// ---- Streams ----------------------------------------------------------------------------------------------------

// Allocates the arrays of a stream with `capacity` samples after the first, in one block. `count` is 0, all are zero.
FiloResult signal_stream_alloc(FiloStream *stream, const FiloNetwork *network, size_t capacity,
                               const FiloAllocator *allocator);
// Writable arrays of a stream that signal_stream_alloc made.
static inline float *signal_stream_deltas(const FiloStream *stream) { return (float *)stream->deltas; }
static inline uint8_t *signal_stream_input(const FiloStream *stream, size_t leaf) {
    return (uint8_t *)stream->inputs[leaf];
}

// The range of a number that is drawn for an input.
void signal_stream_range(const FiloStreamInput *input, const SignalScalar *scalar, double *low, double *high);
// The mean of the deltas.
static inline float signal_stream_mean(const FiloStreamDesc *desc) {
    return desc->mean > 0 ? desc->mean : 1.0f / 60;
}

// Finds a small stream for which a property fails, from a large one. It could have been drawn too.
typedef struct SignalShrink {
    const FiloNetwork *network;
    const FiloStreamDesc *desc;
    FiloResult (*run)(const FiloStream *stream, void *user); // not FILO_OK: the property fails
    void *user;
    uint32_t tries;     // left
    FiloResult failure; // of the current stream
} SignalShrink;
// Reduces `current` in place. `trial` has the same capacity, and is used for trying. FILO_ERROR_MEMORY if a run was.
FiloResult signal_shrink(SignalShrink *shrink, FiloStream *current, FiloStream *trial);

#endif
