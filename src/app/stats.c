// Statistics of a run.

#include "app/app.h"

#include <filo/check.h>
#include <filo/json.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WARM_TICKS 120 // allocations are counted after these, if the length of the run is not known

bool app_metrics_init(AppMetrics *metrics) {
    *metrics = (AppMetrics){ .started_ns = filo_time_ns() };
    return filo_stopwatch_init(&metrics->ticks, "tick", NULL).code == FILO_OK &&
           filo_stopwatch_init(&metrics->frames, "frame", NULL).code == FILO_OK &&
           filo_stopwatch_init(&metrics->draws, "draw", NULL).code == FILO_OK;
}

void app_metrics_deinit(AppMetrics *metrics) {
    filo_stopwatch_deinit(&metrics->ticks);
    filo_stopwatch_deinit(&metrics->frames);
    filo_stopwatch_deinit(&metrics->draws);
}

// Whether allocations are counted: the second half of the run, or all after WARM_TICKS.
static bool is_warm(const FiloApp *app) {
    uint64_t ticks = app->metrics.ticks.count;
    return app->args.frames > 0 ? ticks > app->args.frames / 2 : ticks > WARM_TICKS;
}

void app_count_tick(FiloApp *app) {
    const AppTick *tick = &app->tick;
    filo_stopwatch_add(&app->metrics.ticks, tick->duration_ns);
    app->metrics.game_seconds += (double)tick->delta;
    app->frame->tick_ms = (double)tick->duration_ns / 1e6;
    if (!is_warm(app)) return;
    if (app->metrics.counted_ticks++ == 0)
        app->metrics.warm_count =
            FILO_MIN(filo_memory_list(app->metrics.warm, APP_ACCOUNTS), (size_t)APP_ACCOUNTS);
    app->metrics.tick_allocations += tick->allocations;
}

void app_count_frame(FiloApp *app) {
    AppMetrics *metrics = &app->metrics;
    int64_t now = filo_time_ns();
    filo_stopwatch_add(&metrics->frames, now - metrics->frame_ns);
    if (metrics->frame_count++ == 0) metrics->first_ns = now;
    if (!is_warm(app)) return;
    metrics->counted_frames++;
    metrics->frame_allocations += filo_memory_system_calls() - metrics->frame_calls;
}

static double per(uint64_t sum, uint64_t count) { return count > 0 ? (double)sum / (double)count : 0; }

FiloAppStats filo_app_stats(const FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return (FiloAppStats){ 0 };
    const AppMetrics *metrics = &app->metrics;
    if (!FILO_CHECK(!app->tick.running,
                    "ask for statistics between ticks: in `frame` or `extract`, not in `draw`"))
        return (FiloAppStats){ 0 };
    FiloStopwatchSummary ticks = filo_stopwatch_summary(&metrics->ticks);
    FiloStopwatchSummary frames = filo_stopwatch_summary(&metrics->frames);
    FiloStopwatchSummary draws = filo_stopwatch_summary(&metrics->draws);
    return (FiloAppStats){
        .ticks = filo_world_ticks(app->world),
        .frames = metrics->frame_count,
        .tick_mean_ms = ticks.mean_ns / 1e6,
        .tick_p50_ms = (double)ticks.p50_ns / 1e6,
        .tick_p99_ms = (double)ticks.p99_ns / 1e6,
        .frame_mean_ms = frames.mean_ns / 1e6,
        .frame_p50_ms = (double)frames.p50_ns / 1e6,
        .frame_p99_ms = (double)frames.p99_ns / 1e6,
        .draw_mean_ms = draws.mean_ns / 1e6,
        .dropped_seconds = app->pacer.dropped,
        .allocations_per_tick = per(metrics->tick_allocations, metrics->counted_ticks),
        .allocations_per_frame = per(metrics->frame_allocations, metrics->counted_frames),
        .entities = filo_world_stats(app->world).entities,
        .first_frame_ms = metrics->first_ns > 0 ? (double)(metrics->first_ns - metrics->started_ns) / 1e6 : 0,
    };
}

bool filo_app_stat(const FiloApp *app, const char *name, double *value) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return false;
    return FILO_CHECK(!app->tick.running,
                      "ask for statistics between ticks: in `frame` or `extract`, not in `draw`") &&
           filo_modules_stat(app->modules, name, value);
}

// How many allocations and resizes the accounts of this name have made.
static uint64_t operations_of(const FiloMemoryStats *accounts, size_t count, const char *name) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(accounts[i].name, name) == 0) sum += accounts[i].operations;
    return sum;
}

// Whether an account before `index` has the same name.
static bool is_repeated(const FiloMemoryStats *accounts, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (strcmp(accounts[i].name, accounts[index].name) == 0) return true;
    return false;
}

// "world 12, gfx2d 3": whose memory grew while ticks were counted, in ticks and between them. "" if none did.
static void print_allocations(const AppMetrics *metrics, char *text, size_t size) {
    FiloMemoryStats now[APP_ACCOUNTS];
    size_t count = FILO_MIN(filo_memory_list(now, APP_ACCOUNTS), (size_t)APP_ACCOUNTS), length = 0;
    text[0] = '\0';
    for (size_t i = 0; metrics->counted_ticks > 0 && i < count && length < size; i++) {
        uint64_t sum = operations_of(now, count, now[i].name);
        uint64_t before = operations_of(metrics->warm, metrics->warm_count, now[i].name);
        if (is_repeated(now, i) || sum <= before) continue;
        length += (size_t)snprintf(text + length, size - length, "%s%s %" PRIu64, length > 0 ? ", " : "",
                                   now[i].name, sum - before);
    }
}

void app_report_stats(FiloStats *stats, void *user) {
    const FiloApp *app = user;
    const FiloAppStats now = filo_app_stats(app);
    filo_stats_text(stats, "game", app->name);
    filo_stats_count(stats, "threads", (uint64_t)filo_jobs_threads(app->jobs));
    filo_stats_count(stats, "ticks", now.ticks);
    filo_stats_count(stats, "frames", now.frames);
    filo_stats_number(stats, "tick_mean_ms", now.tick_mean_ms);
    filo_stats_number(stats, "tick_p50_ms", now.tick_p50_ms);
    filo_stats_number(stats, "tick_p99_ms", now.tick_p99_ms);
    filo_stats_number(stats, "frame_mean_ms", now.frame_mean_ms);
    filo_stats_number(stats, "frame_p50_ms", now.frame_p50_ms);
    filo_stats_number(stats, "frame_p99_ms", now.frame_p99_ms);
    filo_stats_number(stats, "draw_mean_ms", now.draw_mean_ms);
    filo_stats_number(stats, "dropped_s", now.dropped_seconds);
    filo_stats_count(stats, "entities", now.entities);
    filo_stats_number(stats, "allocations_per_tick", now.allocations_per_tick);
    filo_stats_number(stats, "allocations_per_frame", now.allocations_per_frame);
    filo_stats_text(stats, "allocations_of", app->metrics.allocations);
    filo_stats_count(stats, "world_memory", filo_world_stats(app->world).memory);
    filo_stats_number(stats, "first_frame_ms", now.first_frame_ms);
}

static void write_stat(const FiloStat *stat, void *writer) {
    filo_json_key(writer, stat->name);
    if (stat->text != NULL)
        filo_json_write_text(writer, stat->text);
    else if (stat->whole)
        filo_json_write_uint64(writer, (uint64_t)stat->number);
    else
        filo_json_write_double(writer, stat->number);
}

void app_print_stats(FiloApp *app) {
    print_allocations(&app->metrics, app->metrics.allocations, sizeof app->metrics.allocations);
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, NULL);
    filo_json_begin_object(&writer);
    filo_modules_stats(app->modules, write_stat, &writer);
    filo_json_end_object(&writer);
    if (filo_json_writer_ok(&writer)) puts(filo_json_writer_text(&writer));
    filo_json_writer_deinit(&writer);
}
