// The stopwatch: exact mean and deviation, and a log-linear histogram for percentiles.
//
// Bucket i < 256 holds the duration of i ns. From there on, each doubling of the duration is divided into 128 buckets
// of equal width: the bucket of a duration with its highest bit at position e is given by its upper eight bits, and is
// 2^(e - 7) wide. A bucket represents the duration in its middle, with an error of at most half its width, so 1/256 of
// the duration. All of int64_t is covered, so nothing has to be clamped. (The idea is HdrHistogram's.)
//
// Mean and deviation are updated by Welford's recurrence and merged by that of Chan, Golub and LeVeque (1979).

#include <filo/check.h>
#include <filo/time.h>

#include "base/text/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SUB_BITS     7
#define SUB_COUNT    ((size_t)1 << SUB_BITS)
#define BUCKET_COUNT ((63 - SUB_BITS + 1) * SUB_COUNT) // the highest bit of a positive int64_t is bit 62
#define BUCKET_BYTES (BUCKET_COUNT * sizeof(uint64_t))

static size_t bucket_of(int64_t duration_ns) {
    uint64_t value = (uint64_t)duration_ns;
    if (value < SUB_COUNT) return (size_t)value;
    int shift = 63 - __builtin_clzll(value) - SUB_BITS;
    return (size_t)shift * SUB_COUNT + (size_t)(value >> shift); // the upper bits are 128 to 255
}

static int64_t middle_of_bucket(size_t bucket) {
    if (bucket < 2 * SUB_COUNT) return (int64_t)bucket;
    size_t shift = bucket / SUB_COUNT - 1;
    uint64_t low = (uint64_t)(bucket % SUB_COUNT + SUB_COUNT) << shift;
    return (int64_t)(low + (UINT64_C(1) << shift) / 2);
}

// ---- Initialisation -----------------------------------------------------------------------------------

FiloResult filo_stopwatch_init(FiloStopwatch *stopwatch, const char *name, const FiloAllocator *allocator) {
    if (stopwatch == NULL) return FILO_MISTAKE("pass the stopwatch to initialise");
    *stopwatch = (FiloStopwatch){ 0 };
    uint64_t *buckets = filo_alloc_zero(allocator, BUCKET_BYTES, 0);
    if (buckets == NULL)
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for a stopwatch (%zu bytes)",
                          name != NULL ? name : "stopwatch", BUCKET_BYTES);
    *stopwatch = (FiloStopwatch){ .name = name, .allocator = allocator, .buckets = buckets };
    return filo_ok();
}

void filo_stopwatch_deinit(FiloStopwatch *stopwatch) {
    if (stopwatch == NULL || stopwatch->buckets == NULL) return;
    filo_free(stopwatch->allocator, stopwatch->buckets, BUCKET_BYTES, 0);
    *stopwatch = (FiloStopwatch){ 0 };
}

static bool ready(const FiloStopwatch *stopwatch) {
    return FILO_CHECK(stopwatch != NULL && stopwatch->buckets != NULL,
                      "initialise the stopwatch before using it");
}

void filo_stopwatch_reset(FiloStopwatch *stopwatch) {
    if (!ready(stopwatch)) return;
    memset(stopwatch->buckets, 0, BUCKET_BYTES);
    *stopwatch = (FiloStopwatch){ .name = stopwatch->name,
                                  .allocator = stopwatch->allocator,
                                  .buckets = stopwatch->buckets };
}

// ---- Samples ------------------------------------------------------------------------------------------

void filo_stopwatch_add(FiloStopwatch *stopwatch, int64_t duration_ns) {
    if (!ready(stopwatch)) return;
    if (!FILO_CHECK(duration_ns >= 0, "a duration is not negative, as %lld ns is", (long long)duration_ns))
        return;
    stopwatch->buckets[bucket_of(duration_ns)]++;
    if (stopwatch->count == 0 || duration_ns < stopwatch->min_ns) stopwatch->min_ns = duration_ns;
    if (duration_ns > stopwatch->max_ns) stopwatch->max_ns = duration_ns;
    stopwatch->count++;
    double distance = (double)duration_ns - stopwatch->mean_ns;
    stopwatch->mean_ns += distance / (double)stopwatch->count;
    stopwatch->squares += distance * ((double)duration_ns - stopwatch->mean_ns);
}

void filo_stopwatch_start(FiloStopwatch *stopwatch) {
    if (!ready(stopwatch)) return;
    if (!FILO_CHECK(!stopwatch->running, "stop the stopwatch before starting it again")) return;
    stopwatch->running = true;
    stopwatch->started_ns = filo_time_ns(); // last, so that the code above is not measured
}

int64_t filo_stopwatch_stop(FiloStopwatch *stopwatch) {
    int64_t now = filo_time_ns(); // first, so that the code below is not measured
    if (!ready(stopwatch)) return 0;
    if (!FILO_CHECK(stopwatch->running, "start the stopwatch before stopping it")) return 0;
    stopwatch->running = false;
    int64_t duration_ns = now - stopwatch->started_ns;
    filo_stopwatch_add(stopwatch, duration_ns);
    return duration_ns;
}

int64_t filo_stopwatch_lap(FiloStopwatch *stopwatch) {
    int64_t now = filo_time_ns();
    if (!ready(stopwatch)) return 0;
    int64_t duration_ns = stopwatch->running ? now - stopwatch->started_ns : 0;
    if (stopwatch->running) filo_stopwatch_add(stopwatch, duration_ns);
    stopwatch->running = true;
    stopwatch->started_ns = now;
    return duration_ns;
}

void filo_stopwatch_merge(FiloStopwatch *into, const FiloStopwatch *from) {
    if (!ready(into) || !ready(from)) return;
    if (!FILO_CHECK(into != from, "merge two different stopwatches")) return;
    if (from->count == 0) return;
    for (size_t i = 0; i < BUCKET_COUNT; i++) into->buckets[i] += from->buckets[i];
    into->min_ns = into->count == 0 ? from->min_ns : FILO_MIN(into->min_ns, from->min_ns);
    into->max_ns = FILO_MAX(into->max_ns, from->max_ns);
    double count = (double)into->count, other = (double)from->count, all = count + other;
    double distance = from->mean_ns - into->mean_ns;
    into->mean_ns += distance * (other / all);
    into->squares += from->squares + distance * distance * (count * (other / all));
    into->count += from->count;
}

// ---- Results ------------------------------------------------------------------------------------------

// The duration of the sample at `rank`, counted from 1 in ascending order.
static int64_t duration_at(const FiloStopwatch *stopwatch, uint64_t rank) {
    // Minimum and maximum are exact.
    if (rank == 1) return stopwatch->min_ns;
    if (rank == stopwatch->count) return stopwatch->max_ns;
    size_t bucket = 0;
    for (uint64_t below = stopwatch->buckets[0]; below < rank; below += stopwatch->buckets[bucket]) bucket++;
    int64_t middle = middle_of_bucket(bucket);
    return FILO_CLAMP(middle, stopwatch->min_ns, stopwatch->max_ns);
}

// `percent` % of the number of samples, rounded up, at least 1. Rounding errors do not count: 99.9 % of 1000, computed
// in double, is slightly above 999.
static uint64_t rank_of(const FiloStopwatch *stopwatch, double percent) {
    double exact = percent / 100 * (double)stopwatch->count;
    uint64_t rank = (uint64_t)ceil(exact - exact * 1e-12);
    return FILO_CLAMP(rank, 1, stopwatch->count);
}

int64_t filo_stopwatch_percentile(const FiloStopwatch *stopwatch, double percent) {
    if (!ready(stopwatch)) return 0;
    if (!FILO_CHECK(percent >= 0 && percent <= 100, "a percentile is from 0 to 100, not %g", percent))
        return 0;
    return stopwatch->count > 0 ? duration_at(stopwatch, rank_of(stopwatch, percent)) : 0;
}

FiloStopwatchSummary filo_stopwatch_summary(const FiloStopwatch *stopwatch) {
    FiloStopwatchSummary summary = { 0 };
    if (!ready(stopwatch) || stopwatch->count == 0) return summary;
    summary = (FiloStopwatchSummary){
        .count = stopwatch->count,
        .min_ns = stopwatch->min_ns,
        .max_ns = stopwatch->max_ns,
        .mean_ns = stopwatch->mean_ns,
        .p50_ns = filo_stopwatch_percentile(stopwatch, 50),
        .p90_ns = filo_stopwatch_percentile(stopwatch, 90),
        .p99_ns = filo_stopwatch_percentile(stopwatch, 99),
        .p999_ns = filo_stopwatch_percentile(stopwatch, 99.9),
    };
    if (stopwatch->count > 1)
        summary.deviation_ns = sqrt(stopwatch->squares / (double)(stopwatch->count - 1));
    return summary;
}

typedef struct Quantity {
    char text[24];
} Quantity;

// Four significant digits and a unit.
static Quantity quantity(double ns) {
    static const char *const units[] = { "ns", "µs", "ms", "s" };
    size_t unit = 0;
    while (ns >= 999.95 && unit < 3) {
        ns /= 1000;
        unit++;
    }
    int decimals = ns < 9.9995 ? 3 : ns < 99.995 ? 2 : ns < 999.95 ? 1 : 0;
    Quantity quantity;
    snprintf(quantity.text, sizeof quantity.text, "%.*f %s", decimals, ns, units[unit]);
    return quantity;
}

static size_t print(char *text, size_t size, const char *format, ...) FILO_PRINTF(3, 4);
static size_t print(char *text, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t length = base_text_format(text, size, format, arguments);
    va_end(arguments);
    return length;
}

size_t filo_stopwatch_print(const FiloStopwatch *stopwatch, char *text, size_t size) {
    if (!FILO_CHECK(text != NULL || size == 0, "pass the memory for the text")) return 0;
    if (size > 0) text[0] = '\0';
    if (size == 0 || !ready(stopwatch)) return 0;
    const char *name = stopwatch->name != NULL ? stopwatch->name : "";
    const char *colon = stopwatch->name != NULL ? ": " : "";
    FiloStopwatchSummary s = filo_stopwatch_summary(stopwatch);
    if (s.count == 0) return print(text, size, "%s%sno samples", name, colon);
    return print(
        text, size, "%s%s%llu sample%s, mean %s ± %s, min %s, p50 %s, p90 %s, p99 %s, p99.9 %s, max %s", name,
        colon, (unsigned long long)s.count, s.count == 1 ? "" : "s", quantity(s.mean_ns).text,
        quantity(s.deviation_ns).text, quantity((double)s.min_ns).text, quantity((double)s.p50_ns).text,
        quantity((double)s.p90_ns).text, quantity((double)s.p99_ns).text, quantity((double)s.p999_ns).text,
        quantity((double)s.max_ns).text);
}
