// The report: times of zones by name, values of counters, lengths of frames.
//
// Self times are computed in one pass over a thread's zones in the order in which they ended, inner before outer. A
// stack holds the zones that may be inside a later one. A zone removes from the top all zones that began after it,
// which are the zones directly inside, and subtracts their time. The stack is stored in the part of the events that
// was processed already.
//
// Names are compared as texts, because the same literal may have several addresses.

#include "base/profile/profile_report.h"

#include <filo/check.h>
#include <filo/hash.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define NS_PER_MS      1e6
#define FIRST_CAPACITY 64

// ---- Frames -------------------------------------------------------------------------------------------

static int compare_ticks(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

FiloResult base_profile_marks_init(BaseProfileMarks *marks, const BaseProfileSnapshot *snapshot) {
    *marks = (BaseProfileMarks){ .allocator = snapshot->allocator };
    size_t count = 0;
    for (size_t i = 0; i < snapshot->event_count; i++)
        if (base_profile_event_kind(&snapshot->events[i]) == BASE_PROFILE_FRAME) count++;
    if (count == 0) return filo_ok();
    marks->ticks = filo_alloc(marks->allocator, count * sizeof *marks->ticks, 0);
    if (marks->ticks == NULL)
        return filo_error(FILO_ERROR_MEMORY, "profile: no memory to read %zu frames", count);
    for (size_t i = 0; i < snapshot->event_count; i++)
        if (base_profile_event_kind(&snapshot->events[i]) == BASE_PROFILE_FRAME)
            marks->ticks[marks->count++] = snapshot->events[i].time;
    qsort(marks->ticks, marks->count, sizeof *marks->ticks, compare_ticks);
    return filo_ok();
}

void base_profile_marks_deinit(BaseProfileMarks *marks) {
    filo_free(marks->allocator, marks->ticks, marks->count * sizeof *marks->ticks, 0);
    *marks = (BaseProfileMarks){ 0 };
}

static FiloResult report_frames(FiloProfileReport *report, const BaseProfileSnapshot *snapshot) {
    BaseProfileMarks marks;
    FiloResult result = base_profile_marks_init(&marks, snapshot);
    if (result.code != FILO_OK || marks.count < 2) {
        base_profile_marks_deinit(&marks);
        return result;
    }
    double ms_per_tick = snapshot->ns_per_tick / NS_PER_MS;
    size_t count = marks.count - 1;
    double total = (double)(marks.ticks[count] - marks.ticks[0]) * ms_per_tick;
    for (size_t i = 0; i < count; i++) marks.ticks[i] = marks.ticks[i + 1] - marks.ticks[i];
    qsort(marks.ticks, count, sizeof *marks.ticks, compare_ticks);
    size_t middle = (count - 1) / 2, p99_index = (count * 99 + 99) / 100 - 1; // nearest rank
    report->frames = (FiloProfileFrames){
        .count = count,
        .mean_ms = total / (double)count,
        .p50_ms = (double)marks.ticks[middle] * ms_per_tick,
        .p99_ms = (double)marks.ticks[p99_index] * ms_per_tick,
        .max_ms = (double)marks.ticks[count - 1] * ms_per_tick,
    };
    base_profile_marks_deinit(&marks);
    return filo_ok();
}

// ---- Names --------------------------------------------------------------------------------------------

// The events of one name: of zones in ticks, of counters as values.
typedef struct Sum {
    const char *name; // NULL: a free slot
    uint64_t count;
    double total, self, min, max, last;
    uint64_t last_time;
} Sum;

// Open addressing, at most half full.
typedef struct SumTable {
    Sum *slots;
    size_t capacity, count; // a power of two, or 0
    const FiloAllocator *allocator;
} SumTable;

static Sum *find_slot(Sum *slots, size_t capacity, const char *name) {
    size_t slot = (size_t)filo_hash_text(name) & (capacity - 1);
    while (slots[slot].name != NULL && strcmp(slots[slot].name, name) != 0)
        slot = (slot + 1) & (capacity - 1);
    return &slots[slot];
}

static bool grow(SumTable *table) {
    size_t capacity = table->capacity != 0 ? table->capacity * 2 : FIRST_CAPACITY;
    Sum *slots = filo_alloc_zero(table->allocator, capacity * sizeof *slots, 0);
    if (slots == NULL) return false;
    for (size_t i = 0; i < table->capacity; i++)
        if (table->slots[i].name != NULL) *find_slot(slots, capacity, table->slots[i].name) = table->slots[i];
    filo_free(table->allocator, table->slots, table->capacity * sizeof *slots, 0);
    table->slots = slots;
    table->capacity = capacity;
    return true;
}

static bool add_to_sum(SumTable *table, const char *name, double value, double self, uint64_t time) {
    if (table->count * 2 >= table->capacity && !grow(table)) return false;
    Sum *sum = find_slot(table->slots, table->capacity, name);
    if (sum->name == NULL) {
        *sum = (Sum){ .name = name, .min = value, .max = value };
        table->count++;
    }
    sum->count++;
    sum->total += value;
    sum->self += self;
    sum->min = FILO_MIN(sum->min, value);
    sum->max = FILO_MAX(sum->max, value);
    if (time >= sum->last_time) {
        sum->last_time = time;
        sum->last = value;
    }
    return true;
}

static void free_table(SumTable *table) {
    filo_free(table->allocator, table->slots, table->capacity * sizeof *table->slots, 0);
}

// ---- Walking over the events --------------------------------------------------------------------------

static double duration(const BaseProfileEvent *zone) {
    return zone->detail > zone->time ? (double)(zone->detail - zone->time) : 0;
}

// Overwrites the track's events. False if memory ran out.
static bool sum_track(SumTable *zones, SumTable *counters, BaseProfileTrack *track) {
    size_t depth = 0;
    for (size_t i = 0; i < track->event_count; i++) {
        BaseProfileEvent event = track->events[i];
        const char *name = base_profile_event_name(&event);
        if (base_profile_event_kind(&event) == BASE_PROFILE_COUNTER &&
            !add_to_sum(counters, name, base_profile_event_value(&event), 0, event.time))
            return false;
        if (base_profile_event_kind(&event) != BASE_PROFILE_ZONE) continue;
        double total = duration(&event), self = total;
        while (depth > 0 && track->events[depth - 1].time >= event.time)
            self -= duration(&track->events[--depth]);
        track->events[depth++] = event; // depth <= i: the event there was processed already
        if (!add_to_sum(zones, name, total, FILO_MAX(self, 0), event.time)) return false;
    }
    return true;
}

// ---- The report ---------------------------------------------------------------------------------------

static int compare_zones(const void *a, const void *b) {
    const FiloProfileZoneRow *x = a, *y = b;
    if (x->total_ms != y->total_ms) return x->total_ms < y->total_ms ? 1 : -1;
    return strcmp(x->name, y->name);
}

static int compare_counters(const void *a, const void *b) {
    return strcmp(((const FiloProfileCounterRow *)a)->name, ((const FiloProfileCounterRow *)b)->name);
}

static bool make_zone_rows(FiloProfileReport *report, const SumTable *table, double ms_per_tick) {
    if (table->count == 0) return true;
    report->zones = filo_alloc(report->allocator, table->count * sizeof *report->zones, 0);
    if (report->zones == NULL) return false;
    double all = 0;
    for (size_t i = 0; i < table->capacity; i++)
        if (table->slots[i].name != NULL) all += table->slots[i].self;
    for (size_t i = 0; i < table->capacity; i++) {
        const Sum *sum = &table->slots[i];
        if (sum->name == NULL) continue;
        report->zones[report->zone_count++] = (FiloProfileZoneRow){
            .name = sum->name,
            .calls = sum->count,
            .total_ms = sum->total * ms_per_tick,
            .self_ms = sum->self * ms_per_tick,
            .mean_ms = sum->total * ms_per_tick / (double)sum->count,
            .min_ms = sum->min * ms_per_tick,
            .max_ms = sum->max * ms_per_tick,
            .share = all > 0 ? sum->self / all : 0,
        };
    }
    qsort(report->zones, report->zone_count, sizeof *report->zones, compare_zones);
    return true;
}

static bool make_counter_rows(FiloProfileReport *report, const SumTable *table) {
    if (table->count == 0) return true;
    report->counters = filo_alloc(report->allocator, table->count * sizeof *report->counters, 0);
    if (report->counters == NULL) return false;
    for (size_t i = 0; i < table->capacity; i++) {
        const Sum *sum = &table->slots[i];
        if (sum->name == NULL) continue;
        report->counters[report->counter_count++] =
            (FiloProfileCounterRow){ sum->name, sum->count, sum->last, sum->total / (double)sum->count,
                                     sum->min,  sum->max };
    }
    qsort(report->counters, report->counter_count, sizeof *report->counters, compare_counters);
    return true;
}

static FiloResult sum_up(FiloProfileReport *report, BaseProfileSnapshot *snapshot) {
    FiloResult result = report_frames(report, snapshot);
    if (result.code != FILO_OK) return result;
    SumTable zones = { .allocator = report->allocator }, counters = { .allocator = report->allocator };
    bool done = true;
    for (size_t i = 0; i < snapshot->track_count && done; i++)
        done = sum_track(&zones, &counters, &snapshot->tracks[i]);
    done = done && make_zone_rows(report, &zones, snapshot->ns_per_tick / NS_PER_MS);
    done = done && make_counter_rows(report, &counters);
    free_table(&zones);
    free_table(&counters);
    return done ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "profile: no memory for the report");
}

FiloResult filo_profile_report_init(FiloProfileReport *report, const FiloAllocator *allocator) {
    *report = (FiloProfileReport){ .allocator = allocator };
    BaseProfileSnapshot snapshot;
    FiloResult result = base_profile_snapshot_init(&snapshot, allocator);
    if (result.code != FILO_OK) return result;
    report->thread_count = snapshot.track_count;
    report->event_count = snapshot.event_count;
    report->lost_count = snapshot.lost_count;
    result = sum_up(report, &snapshot);
    base_profile_snapshot_deinit(&snapshot);
    if (result.code != FILO_OK) filo_profile_report_deinit(report);
    return result;
}

void filo_profile_report_deinit(FiloProfileReport *report) {
    filo_free(report->allocator, report->zones, report->zone_count * sizeof *report->zones, 0);
    filo_free(report->allocator, report->counters, report->counter_count * sizeof *report->counters, 0);
    *report = (FiloProfileReport){ 0 };
}

// ---- As text ------------------------------------------------------------------------------------------

typedef struct Page {
    char *text;
    size_t size, length;
    bool full;
} Page;

// Appends a line. From the first line that does not fit, nothing is appended.
static void put_line(Page *page, const char *format, ...) FILO_PRINTF(2, 3);
static void put_line(Page *page, const char *format, ...) {
    if (page->full) return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(page->text + page->length, page->size - page->length, format, arguments);
    va_end(arguments);
    page->full = length < 0 || (size_t)length >= page->size - page->length;
    if (page->full)
        page->text[page->length] = '\0';
    else
        page->length += (size_t)length;
}

size_t filo_profile_report_print(const FiloProfileReport *report, char *text, size_t size) {
    if (report == NULL || text == NULL || size == 0) return 0;
    text[0] = '\0';
    Page page = { .text = text, .size = size };
    put_line(&page, "%-32s %9s %11s %11s %10s %10s %10s %7s\n", "zone", "calls", "total ms", "self ms",
             "mean ms", "min ms", "max ms", "share");
    for (size_t i = 0; i < report->zone_count; i++) {
        const FiloProfileZoneRow *row = &report->zones[i];
        put_line(&page, "%-32s %9llu %11.3f %11.3f %10.4f %10.4f %10.4f %6.1f%%\n", row->name,
                 (unsigned long long)row->calls, row->total_ms, row->self_ms, row->mean_ms, row->min_ms,
                 row->max_ms, row->share * 100);
    }
    if (report->counter_count > 0)
        put_line(&page, "\n%-32s %9s %11s %11s %10s %10s\n", "counter", "samples", "last", "mean", "min",
                 "max");
    for (size_t i = 0; i < report->counter_count; i++) {
        const FiloProfileCounterRow *row = &report->counters[i];
        put_line(&page, "%-32s %9llu %11.6g %11.6g %10.6g %10.6g\n", row->name,
                 (unsigned long long)row->samples, row->last, row->mean, row->min, row->max);
    }
    const FiloProfileFrames *frames = &report->frames;
    if (frames->count > 0)
        put_line(&page, "\n%llu frames: mean %.3f ms, p50 %.3f ms, p99 %.3f ms, max %.3f ms\n",
                 (unsigned long long)frames->count, frames->mean_ms, frames->p50_ms, frames->p99_ms,
                 frames->max_ms);
    put_line(&page, "\n%llu events of %zu threads, %llu lost\n", (unsigned long long)report->event_count,
             report->thread_count, (unsigned long long)report->lost_count);
    return page.length;
}

size_t filo_profile_summary(char *text, size_t size) {
    FiloProfileReport report;
    FiloResult result = filo_profile_report_init(&report, NULL);
    if (result.code != FILO_OK) {
        if (text == NULL || size == 0) return 0;
        int length = snprintf(text, size, "%s\n", result.message);
        return length > 0 ? FILO_MIN((size_t)length, size - 1) : 0;
    }
    size_t length = filo_profile_report_print(&report, text, size);
    filo_profile_report_deinit(&report);
    return length;
}
