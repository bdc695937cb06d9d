// filo/time.h: clocks, precise sleeping, calendar dates, and a stopwatch with percentiles.
//
//     int64_t next = filo_time_ns();
//     while (running) {
//         filo_stopwatch_start(&ticks);
//         tick();
//         filo_stopwatch_stop(&ticks);
//         next += 16 * FILO_MILLISECOND;
//         filo_sleep_until_ns(next);
//     }
//     char line[FILO_STOPWATCH_LINE_SIZE];
//     filo_stopwatch_print(&ticks, line, sizeof line);
//     puts(line);    // tick: 600 samples, mean 1.204 ms ± 310.5 µs, min 1.011 ms, p50 1.188 ms, …
//
// Times and durations are int64_t nanoseconds everywhere: enough for 292 years, and exact.

#ifndef FILO_TIME_H
#define FILO_TIME_H

#include <filo/memory.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// In nanoseconds: 3 * FILO_MILLISECOND.
#define FILO_MICROSECOND INT64_C(1000)
#define FILO_MILLISECOND INT64_C(1000000)
#define FILO_SECOND      INT64_C(1000000000)

// ---- Clocks -------------------------------------------------------------------------------------------

// Nanoseconds since an unspecified moment in the past; never goes back. For measuring. Any thread.
int64_t filo_time_ns(void);
// Nanoseconds since 1970 in UTC; goes back when the system clock is set back. For display and for file dates. Any
// thread.
int64_t filo_calendar_ns(void);

// ---- Sleeping -----------------------------------------------------------------------------------------

// Returns when filo_time_ns() has reached `moment_ns`: never before, and within microseconds of it on a machine with a
// free processor. Returns at once if the moment has passed. Signals do not interrupt it. Any thread.
//
// The system wakes a thread some 50 to 100 µs late. So the thread sleeps until FILO_SLEEP_SPIN_NS before the moment and
// spins for the rest. This costs up to that much processor time for each call: 0.9 % of a processor at 60 calls a
// second.
void filo_sleep_until_ns(int64_t moment_ns);
// Sleeps for `duration_ns` from now on; 0 and negative durations return at once.
void filo_sleep_ns(int64_t duration_ns);

#define FILO_SLEEP_SPIN_NS (150 * FILO_MICROSECOND)

// ---- Dates --------------------------------------------------------------------------------------------

// A calendar date and time, in the Gregorian calendar (also before 1582) and without leap seconds.
typedef struct FiloDate {
    int32_t year;         // 0 to 9999
    int32_t month;        // 1 to 12
    int32_t day;          // 1 to 31
    int32_t hour;         // 0 to 23
    int32_t minute;       // 0 to 59
    int32_t second;       // 0 to 59
    int32_t nanosecond;   // 0 to 999,999,999
    int32_t weekday;      // 1 Monday to 7 Sunday; results only, ignored in arguments
    int32_t utc_offset_s; // seconds that this clock is ahead of UTC, less than a day: 7200 for +02:00
} FiloDate;

// From nanoseconds since 1970 in UTC, which reach from the year 1677 to 2262. Any thread.
FiloDate filo_date_utc(int64_t calendar_ns);
// In local time. The time zone is the system's, or TZ's, and is read once: call tzset() after changing TZ.
FiloDate filo_date_local(int64_t calendar_ns);

// The inverse of both, for any utc_offset_s. Fails if the date is not valid ("2023-02-29: …"), or out of the range
// above; `calendar_ns` is then unchanged.
FiloResult filo_date_to_ns(const FiloDate *date, int64_t *calendar_ns);

// Takes the fields from year to nanosecond as local time, and sets utc_offset_s and weekday to match. A time that
// occurs twice, when clocks are set back, is the first of the two. A time that is skipped, when clocks are set forward,
// has the offset from before. Fails if the date is not valid.
FiloResult filo_date_set_local(FiloDate *date);

// Prints ISO 8601, as short as possible without loss: "2024-02-29T12:30:00Z", "2024-02-29T14:30:00.250+02:00"; 0, 3, 6
// or 9 decimals. Needs up to FILO_DATE_SIZE bytes with the final zero; the text is cut if there are fewer. Returns the
// length written. An invalid date is a mistake, and gives "".
#define FILO_DATE_SIZE 40
size_t filo_date_print(const FiloDate *date, char *text, size_t size);

// Reads ISO 8601 in its usual form: a date, then, all optional, "T" or a space and the time with or without seconds and
// decimals (after a point or a comma; those beyond the ninth are dropped), then "Z" or the offset as +02:00, +0200 or
// +02. A date alone is midnight. Without an offset it is local time. Fails with a message that quotes the text and
// names the error; `date` is then unchanged.
FiloResult filo_date_parse(FiloDate *date, const char *text);

// ---- Stopwatch ----------------------------------------------------------------------------------------

// Collects durations and computes their distribution, in constant memory for any number of samples.
//
// Count, minimum, maximum, mean and deviation are exact, up to rounding (Welford's method). Percentiles come from a
// histogram whose buckets grow with the duration, 128 to each doubling. Their error is at most 0.4 % (1/256) of the
// duration; below 256 ns they are exact; they are never outside minimum and maximum. So it serves for seven runs of a
// benchmark as well as for a million frames. It takes 57 KiB, allocated once.
//
// One thread at a time. For several threads, use one stopwatch on each and merge them.
typedef struct FiloStopwatch {
    const char *name;
    const FiloAllocator *allocator;
    uint64_t *buckets;
    uint64_t count;
    int64_t min_ns, max_ns;
    double mean_ns, squares; // `squares`: the sum of squared distances from the mean
    int64_t started_ns;
    bool running;
} FiloStopwatch;

// Durations in nanoseconds. All zero if there are no samples.
typedef struct FiloStopwatchSummary {
    uint64_t count;
    int64_t min_ns, max_ns;
    double mean_ns;
    double deviation_ns; // of the sample (n - 1); 0 for fewer than two
    int64_t p50_ns, p90_ns, p99_ns, p999_ns;
} FiloStopwatchSummary;

// filo_stopwatch_print shows `name`, which must outlive the stopwatch; NULL: none. `allocator` NULL: filo_heap(). Fails
// only for lack of memory; the stopwatch is then zeroed, which deinit accepts.
FiloResult filo_stopwatch_init(FiloStopwatch *stopwatch, const char *name, const FiloAllocator *allocator);
void filo_stopwatch_deinit(FiloStopwatch *stopwatch);
// Removes all samples, and stops without a sample.
void filo_stopwatch_reset(FiloStopwatch *stopwatch);

// The time from start to stop becomes a sample; stop returns it. Starting twice, or stopping without a start,
// is a mistake, and does nothing.
void filo_stopwatch_start(FiloStopwatch *stopwatch);
int64_t filo_stopwatch_stop(FiloStopwatch *stopwatch);
// Stops and starts at the same moment, with no gap between: for repeated events such as frames. The first lap only
// starts, and returns 0.
int64_t filo_stopwatch_lap(FiloStopwatch *stopwatch);
// Adds a sample that was measured by other means. A negative one is a mistake, and is ignored. Does not allocate; costs
// about ten nanoseconds.
void filo_stopwatch_add(FiloStopwatch *stopwatch, int64_t duration_ns);

// Adds the samples of `from`, which is unchanged, to `into`.
void filo_stopwatch_merge(FiloStopwatch *into, const FiloStopwatch *from);

// The shortest duration that at least `percent` % of the samples do not exceed: 50 for the median, 0 for the
// minimum, 100 for the maximum. 0 if there are no samples. Outside 0 to 100 is a mistake, and gives 0.
int64_t filo_stopwatch_percentile(const FiloStopwatch *stopwatch, double percent);
FiloStopwatchSummary filo_stopwatch_summary(const FiloStopwatch *stopwatch);

// Prints the whole summary on one line, with units chosen by size and without a line end; returns its length. Ends in
// "…" if it does not fit.
#define FILO_STOPWATCH_LINE_SIZE 256
size_t filo_stopwatch_print(const FiloStopwatch *stopwatch, char *text, size_t size);

FILO_END_DECLS

#endif
