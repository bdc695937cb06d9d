// Makes a failing stream smaller, as long as it fails.
//
// Greedy, as in QuickCheck (Claessen and Hughes, "QuickCheck: a lightweight tool for random testing of Haskell
// programs", ICFP 2000): each pass tries simpler streams, and the first that still fails is the new one. Passes are
// repeated until none of them changes anything, or the tries are used up. A change must lower a cost (samples, deltas
// that are not simple, the cost of a number), so it ends. All streams that are tried could have been drawn, so that a
// property need not hold for others.

#include "signal/embed/embed.h"

#include <math.h>
#include <string.h>

typedef struct Shrinker {
    SignalShrink *shrink;
    FiloSfLeaf leaves[FILO_SF_LEAVES];
    size_t leaf_count;
    FiloStream *current, *trial;
    FiloResult error; // that ends it
    bool changed;     // by this pass
} Shrinker;

static bool finished(const Shrinker *s) { return s->shrink->tries == 0 || s->error.code != FILO_OK; }

static size_t leaf_size(const Shrinker *s, size_t leaf) { return s->leaves[leaf].type->size; }

static void copy_stream(const Shrinker *s, FiloStream *to, const FiloStream *from) {
    to->count = from->count;
    if (from->count > 0) memcpy(signal_stream_deltas(to), from->deltas, from->count * sizeof(float));
    for (size_t i = 0; i < s->leaf_count; i++)
        memcpy(signal_stream_input(to, i), from->inputs[i], (from->count + 1) * leaf_size(s, i));
}

// Whether the trial fails too. Then it is the new stream.
static bool accept_trial(Shrinker *s) {
    if (finished(s)) return false;
    s->shrink->tries--;
    FiloResult r = s->shrink->run(s->trial, s->shrink->user);
    if (r.code == FILO_ERROR_MEMORY || r.code == FILO_ERROR_ARGUMENT) s->error = r;
    if (r.code == FILO_OK || s->error.code != FILO_OK) return false;
    s->shrink->failure = r;
    copy_stream(s, s->current, s->trial);
    s->changed = true;
    return true;
}

// ---- Samples ----------------------------------------------------------------------------------------------------

// The trial is the current stream without `count` samples from `first` on. One sample remains at least.
static void drop_samples(Shrinker *s, size_t first, size_t count) {
    copy_stream(s, s->trial, s->current);
    size_t samples = s->trial->count + 1, after = samples - first - count;
    for (size_t i = 0; i < s->leaf_count; i++) {
        uint8_t *values = signal_stream_input(s->trial, i);
        size_t size = leaf_size(s, i);
        memmove(values + first * size, values + (first + count) * size, after * size);
    }
    // The delta before a sample is dropped with it; for the first sample, the one after it.
    float *deltas = signal_stream_deltas(s->trial);
    size_t from = first > 0 ? first - 1 : 0;
    memmove(deltas + from, deltas + from + count, (s->trial->count - from - count) * sizeof(float));
    s->trial->count -= count;
}

static void shrink_samples(Shrinker *s) {
    for (size_t block = (s->current->count + 1) / 2; block > 0; block /= 2) {
        for (size_t first = s->current->count + 1; first-- > 0 && !finished(s);) {
            if (s->current->count < block + s->shrink->desc->min_count ||
                first + block > s->current->count + 1)
                continue;
            drop_samples(s, first, block);
            accept_trial(s);
        }
    }
}

// ---- Deltas -----------------------------------------------------------------------------------------------------

static void shrink_deltas(Shrinker *s) {
    float mean = signal_stream_mean(s->shrink->desc), simple = mean >= 0.5f ? 1 : mean;
    if (s->shrink->desc->deltas == FILO_DELTAS_CONSTANT) return;
    size_t different = 0;
    for (size_t i = 0; i < s->current->count; i++) different += s->current->deltas[i] != simple;
    if (different == 0) return;
    copy_stream(s, s->trial, s->current);
    for (size_t i = 0; i < s->trial->count; i++) signal_stream_deltas(s->trial)[i] = simple;
    if (accept_trial(s)) return;
    for (size_t i = 0; i < s->current->count && !finished(s); i++) {
        if (s->current->deltas[i] == simple) continue;
        copy_stream(s, s->trial, s->current);
        signal_stream_deltas(s->trial)[i] = simple;
        accept_trial(s);
    }
}

// ---- Values -----------------------------------------------------------------------------------------------------

// How complicated a number is: 0, then whole numbers by size, then tenths, then all others. Negative ones a bit more.
static double cost(double x) {
    double size = log2(1 + fabs(x)) + (x < 0 ? 0.25 : 0);
    if (x == 0) return 0;
    if (x == nearbyint(x)) return 1 + size;
    if (fabs(x * 10 - nearbyint(x * 10)) < 1e-6) return 2000 + size;
    return 4000 + size;
}

// Visits the scalars of the current stream by number, and tries simpler values for each.
typedef struct Values {
    Shrinker *shrinker;
    size_t leaf, sample;
    size_t wanted, number; // the scalar that is changed, and the one that is visited
    double value;          // what it becomes
    double found;          // what it was; NaN: there is no such scalar
    bool set;
} Values;

static bool is_allowed(const Shrinker *s, size_t leaf, const SignalScalar *scalar, double value) {
    const FiloType *type = scalar->type;
    if (type->kind == FILO_KIND_BOOL || type->kind == FILO_KIND_FLAGS) return value == 0;
    if (type->kind == FILO_KIND_ENUM) {
        size_t i = 0;
        while (i < type->value_count && (double)type->values[i].value != value) i++;
        return i < type->value_count;
    }
    double low, high;
    signal_stream_range(&s->shrink->desc->inputs[leaf], scalar, &low, &high);
    return value >= low && value <= high;
}

static bool visit_scalar(const SignalScalar *scalar, void *user) {
    Values *values = user;
    if (values->number++ != values->wanted) return true;
    values->found = signal_scalar_get(scalar);
    if (!values->set) return false;
    if (is_allowed(values->shrinker, values->leaf, scalar, values->value))
        signal_scalar_set(scalar, values->value);
    values->value = signal_scalar_get(scalar); // rounded, or as it was
    return false;
}

// Reads a scalar of a stream, and sets it if `values->set`.
static bool at_scalar(Values *values, FiloStream *stream) {
    const FiloSfLeaf *leaf = &values->shrinker->leaves[values->leaf];
    uint8_t *data = signal_stream_input(stream, values->leaf) + values->sample * leaf->type->size;
    values->number = 0;
    if (leaf->presence) {
        if (values->wanted > 0) return false;
        values->found = *data;
        if (values->set) *data = values->value != 0;
        return true;
    }
    return !signal_scalars(leaf->type, data, visit_scalar, values);
}

static bool try_value(Values *values, double before, double value) {
    Shrinker *s = values->shrinker;
    if (!(cost(value) < cost(before)) || finished(s)) return false;
    copy_stream(s, s->trial, s->current);
    values->set = true;
    values->value = value;
    at_scalar(values, s->trial);
    return cost(values->value) < cost(before) && accept_trial(s);
}

static void shrink_scalar(Values *values, double before) {
    double tries[] = { 0,
                       1,
                       -1,
                       trunc(before),
                       trunc(before / 2),
                       nearbyint(before),
                       trunc(before) - 1,
                       trunc(before) + 1,
                       nearbyint(before * 10) / 10 };
    for (size_t i = 0; i < FILO_COUNT_OF(tries); i++)
        if (try_value(values, before, tries[i])) return;
}

typedef struct Clear {
    const Shrinker *shrinker;
    size_t leaf;
} Clear;

static bool allows_zero(const SignalScalar *scalar, void *user) {
    const Clear *clear = user;
    return is_allowed(clear->shrinker, clear->leaf, scalar, 0);
}

// All values of a leaf of a sample at once become 0, as it is in most samples of most failures.
static bool clear_leaf(Shrinker *s, size_t leaf, size_t sample) {
    size_t size = leaf_size(s, leaf);
    uint8_t *data = signal_stream_input(s->current, leaf) + sample * size;
    bool zero = true;
    for (size_t i = 0; i < size && zero; i++) zero = data[i] == 0;
    if (zero) return true;
    Clear clear = { s, leaf };
    if (!s->leaves[leaf].presence && !signal_scalars(s->leaves[leaf].type, data, allows_zero, &clear))
        return false;
    copy_stream(s, s->trial, s->current);
    memset(signal_stream_input(s->trial, leaf) + sample * size, 0, size);
    for (size_t i = 0; i < s->leaf_count; i++) // and what is the value of an event that no longer occurs
        if (s->leaves[i].present_by == leaf + 1)
            memset(signal_stream_input(s->trial, i) + sample * leaf_size(s, i), 0, leaf_size(s, i));
    return accept_trial(s);
}

static void shrink_values(Shrinker *s) {
    for (size_t leaf = 0; leaf < s->leaf_count; leaf++) {
        for (size_t sample = 0; sample <= s->current->count && !finished(s); sample++) {
            if (clear_leaf(s, leaf, sample)) continue;
            Values values = { .shrinker = s, .leaf = leaf, .sample = sample };
            for (;; values.wanted++) {
                values.set = false;
                if (!at_scalar(&values, s->current)) break;
                shrink_scalar(&values, values.found);
            }
        }
    }
}

FiloResult signal_shrink(SignalShrink *shrink, FiloStream *current, FiloStream *trial) {
    Shrinker s = { .shrink = shrink, .current = current, .trial = trial, .error = filo_ok() };
    s.leaf_count = filo_network_inputs(shrink->network, s.leaves, FILO_SF_LEAVES);
    do {
        s.changed = false;
        shrink_samples(&s);
        shrink_deltas(&s);
        shrink_values(&s);
    } while (s.changed && !finished(&s));
    return s.error;
}
