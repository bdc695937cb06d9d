// Numbers about a run.

#include "app/app.h"

#include <filo/check.h>
#include <filo/json.h>

#include <stdio.h>

#define WARM_TICKS 120 // where the length of the run is not known: allocations count after these

bool app_numbers_init(AppNumbers *numbers) {
    *numbers = (AppNumbers){ .started_ns = filo_time_ns() };
    return filo_stopwatch_init(&numbers->ticks, "tick", NULL).code == FILO_OK &&
           filo_stopwatch_init(&numbers->frames, "frame", NULL).code == FILO_OK &&
           filo_stopwatch_init(&numbers->draws, "draw", NULL).code == FILO_OK;
}

void app_numbers_deinit(AppNumbers *numbers) {
    filo_stopwatch_deinit(&numbers->ticks);
    filo_stopwatch_deinit(&numbers->frames);
    filo_stopwatch_deinit(&numbers->draws);
}

// Whether the game runs steadily by now.
static bool is_warm(const FiloApp *app) {
    uint64_t ticks = app->numbers.ticks.count;
    return app->args.frames > 0 ? ticks > app->args.frames / 2 : ticks > WARM_TICKS;
}

void app_count_tick(FiloApp *app, const AppRunningTick *tick) {
    filo_stopwatch_add(&app->numbers.ticks, tick->duration_ns);
    app->numbers.game_seconds += (double)tick->delta;
    app->frame->tick_ms = (double)tick->duration_ns / 1e6;
    if (!is_warm(app)) return;
    app->numbers.counted_ticks++;
    app->numbers.tick_allocations += tick->allocations;
}

void app_count_frame(FiloApp *app) {
    AppNumbers *numbers = &app->numbers;
    int64_t now = filo_time_ns();
    filo_stopwatch_add(&numbers->frames, now - numbers->frame_ns);
    if (numbers->frame_count++ == 0) numbers->first_ns = now;
    if (!is_warm(app)) return;
    numbers->counted_frames++;
    numbers->frame_allocations += filo_memory_system_calls() - numbers->frame_calls;
}

static double per(uint64_t sum, uint64_t count) { return count > 0 ? (double)sum / (double)count : 0; }

FiloAppStats filo_app_stats(const FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return (FiloAppStats){ 0 };
    const AppNumbers *numbers = &app->numbers;
    if (!FILO_CHECK(!app->tick.running,
                    "ask for statistics between ticks: in `frame` or `extract`, not in `draw`"))
        return (FiloAppStats){ 0 };
    FiloStopwatchSummary ticks = filo_stopwatch_summary(&numbers->ticks);
    FiloStopwatchSummary frames = filo_stopwatch_summary(&numbers->frames);
    FiloStopwatchSummary draws = filo_stopwatch_summary(&numbers->draws);
    return (FiloAppStats){
        .ticks = filo_world_ticks(app->world),
        .frames = numbers->frame_count,
        .tick_mean_ms = ticks.mean_ns / 1e6,
        .tick_p50_ms = (double)ticks.p50_ns / 1e6,
        .tick_p99_ms = (double)ticks.p99_ns / 1e6,
        .frame_mean_ms = frames.mean_ns / 1e6,
        .frame_p50_ms = (double)frames.p50_ns / 1e6,
        .frame_p99_ms = (double)frames.p99_ns / 1e6,
        .draw_mean_ms = draws.mean_ns / 1e6,
        .dropped_seconds = app->pacer.dropped,
        .allocations_per_tick = per(numbers->tick_allocations, numbers->counted_ticks),
        .allocations_per_frame = per(numbers->frame_allocations, numbers->counted_frames),
        .entities = filo_world_stats(app->world).entities,
        .first_frame_ms = numbers->first_ns > 0 ? (double)(numbers->first_ns - numbers->started_ns) / 1e6 : 0,
    };
}

bool filo_app_stat(const FiloApp *app, const char *name, double *value) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return false;
    return FILO_CHECK(!app->tick.running,
                      "ask for statistics between ticks: in `frame` or `extract`, not in `draw`") &&
           filo_modules_stat(app->modules, name, value);
}

void app_tell_stats(FiloStats *stats, void *user) {
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

void app_print_stats(const FiloApp *app) {
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, NULL);
    filo_json_begin_object(&writer);
    filo_modules_stats(app->modules, write_stat, &writer);
    filo_json_end_object(&writer);
    if (filo_json_writer_ok(&writer)) puts(filo_json_writer_text(&writer));
    filo_json_writer_deinit(&writer);
}
