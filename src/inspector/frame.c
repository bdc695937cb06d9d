// The control of time, and the tab with the times of frames.

#include "inspector/inspector.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define HISTORY_SECONDS 10.0
#define GRAPH_MS        33.34f // frame time at its full height
#define BYTES_IN_MIB    1048576.0
#define SLOW_MS         4.0 // of a tick, for keeping its state
#define SLOW_TICKS      5

// ---- The control of time ----------------------------------------------------------------------------------

// Slower and faster by factors of two.
static void show_speed(const FiloInspectorHost *host, FiloUi *ui) {
    static const float speeds[] = { 0.1f, 0.25f, 0.5f, 1, 2, 4 };
    static const char *const names[] = { "0.1 ×", "0.25 ×", "0.5 ×", "1 ×", "2 ×", "4 ×" };
    const float scale = host->time_scale(host->user);
    int index = -1;
    for (int i = 0; i < (int)FILO_COUNT_OF(speeds); i++)
        if (fabsf(scale - speeds[i]) < 1e-4f) index = i;
    filo_ui_width(ui, 84);
    if (filo_ui_choice(ui, "##speed", &index, names, FILO_COUNT_OF(names)) && index >= 0)
        host->set_time_scale(host->user, speeds[index]);
    filo_ui_tooltip(ui, "speed of the game");
}

static void request_rewind(FiloInspector *inspector, size_t back) {
    inspector->requests.rewinds = true;
    inspector->requests.back = back;
    inspector->host->pause(inspector->host->user, true);
}

static void show_buttons(FiloInspector *inspector, FiloUi *ui, const FiloInspectorHistory *history) {
    const FiloInspectorHost *host = inspector->host;
    const bool paused = host->paused(host->user), rewound = history->back > 0;
    filo_ui_begin_row(ui);
    filo_ui_push_disabled(ui, history->states < 2 || history->back + 1 >= history->states);
    if (filo_ui_icon_button(ui, FILO_UI_ICON_BACK, "one tick back"))
        request_rewind(inspector, history->back + 1);
    inspector_mark(inspector, ui, "back");
    filo_ui_pop_disabled(ui);
    filo_ui_push_disabled(ui, rewound);
    if (filo_ui_icon_button(ui, paused ? FILO_UI_ICON_PLAY : FILO_UI_ICON_PAUSE, paused ? "go on" : "pause"))
        host->pause(host->user, !paused);
    inspector_mark(inspector, ui, "pause");
    filo_ui_pop_disabled(ui);
    if (filo_ui_icon_button(ui, FILO_UI_ICON_STEP, "one tick forward")) {
        if (rewound)
            request_rewind(inspector, history->back - 1);
        else
            host->pause(host->user, true), host->step(host->user);
    }
    inspector_mark(inspector, ui, "step");
    show_speed(host, ui);
    filo_ui_spacer(ui, 0);
    filo_ui_format(ui, "tick %" PRIu64 "  %.2f s", filo_world_ticks(inspector->world),
                   host->time(host->user));
    filo_ui_end(ui);
}

// The last seconds as a slider. Its right end is the present.
static void show_history(FiloInspector *inspector, FiloUi *ui, const FiloInspectorHistory *history) {
    if (history->problem != NULL) filo_ui_text(ui, FILO_UI_TEXT_WARNING, history->problem);
    if (history->states < 2) return;
    const int last = (int)FILO_MIN(history->states - 1, (size_t)INT32_MAX);
    int at = last - (int)FILO_MIN(history->back, (size_t)last);
    if (filo_ui_slider_int(ui, "##history", &at, 0, last))
        request_rewind(inspector, (size_t)FILO_CLAMP(last - at, 0, last));
    inspector_mark(inspector, ui, "history");
    filo_ui_tooltip(ui, "look at the last seconds");
    if (history->back == 0) return;
    filo_ui_begin_row(ui);
    filo_ui_format(ui, "%zu ticks ago", history->back);
    filo_ui_spacer(ui, 0);
    if (filo_ui_primary_button(ui, "Go on from here")) inspector->requests.goes_on = true;
    inspector_mark(inspector, ui, "go on");
    if (filo_ui_button(ui, "Return")) request_rewind(inspector, 0);
    inspector_mark(inspector, ui, "return");
    filo_ui_end(ui);
}

void inspector_show_time(FiloInspector *inspector, FiloUi *ui) {
    const FiloInspectorHost *host = inspector->host;
    if (host == NULL) return;
    const FiloInspectorHistory history = host->history(host->user);
    show_buttons(inspector, ui, &history);
    show_history(inspector, ui, &history);
}

// ---- The tab ----------------------------------------------------------------------------------------------

static double mean_frame(const FiloInspector *inspector, float *longest) {
    double sum = 0;
    int count = 0;
    *longest = 0;
    for (size_t i = 0; i < INSPECTOR_FRAMES; i++) {
        const float ms = inspector->frame_ms[i];
        if (ms > 0) sum += (double)ms, count++;
        if (ms > *longest) *longest = ms;
    }
    return count > 0 ? sum / count : 0;
}

void inspector_limit_history(FiloInspector *inspector) {
    const FiloInspectorHost *host = inspector->host;
    if (host == NULL || inspector->keeps_anyway) return;
    const FiloInspectorHistory history = host->history(host->user);
    const bool is_slow = history.states > 0 && history.back == 0 && history.push_ms > SLOW_MS;
    inspector->slow_ticks = is_slow ? inspector->slow_ticks + 1 : 0;
    if (inspector->slow_ticks < SLOW_TICKS) return;
    inspector->slow_ticks = 0;
    FiloResult r = host->keep_history(host->user, 0);
    if (r.code == FILO_OK)
        snprintf(
            inspector->status, sizeof inspector->status,
            "the last seconds are not kept, because that takes %.0f ms a tick: switch it on in the tab Frame",
            history.push_ms);
}

static void show_history_switch(FiloInspector *inspector, FiloUi *ui) {
    const FiloInspectorHost *host = inspector->host;
    if (host == NULL) return;
    const FiloInspectorHistory history = host->history(host->user);
    bool keeps = history.states > 0 || history.problem != NULL;
    if (filo_ui_begin_section(ui, "Rewinding")) {
        if (filo_ui_switch(ui, "keep the last seconds", &keeps)) {
            inspector->requests.changes_history = true;
            inspector->requests.history_seconds = keeps ? HISTORY_SECONDS : 0;
            inspector->keeps_anyway = keeps;
        }
        if (keeps) {
            filo_ui_value(ui, "states", "%zu", history.states);
            filo_ui_value(ui, "memory", "%.1f MiB", (double)history.memory / BYTES_IN_MIB);
            filo_ui_value(ui, "cost of a tick", "%.2f ms", history.push_ms);
        }
    }
    filo_ui_end(ui);
}

// Of the modules that draw and tell. Nothing without one.
static void show_draw_calls(FiloInspector *inspector, FiloUi *ui) {
    double flat = 0, meshes = 0;
    if (inspector->modules == NULL) return;
    bool any = filo_modules_stat(inspector->modules, "draw_calls", &flat);
    any = filo_modules_stat(inspector->modules, "draw_calls_3d", &meshes) || any;
    if (any) filo_ui_value(ui, "draw calls", "%.0f", flat + meshes);
}

void inspector_show_frame(FiloInspector *inspector, FiloUi *ui) {
    float longest;
    const double frame = mean_frame(inspector, &longest);
    const FiloWorldStats stats = filo_world_stats(inspector->world);
    filo_ui_plot(ui, "##frames",
                 &(FiloUiPlot){ .kind = FILO_UI_PLOT_BARS,
                                .values = inspector->frame_ms,
                                .count = INSPECTOR_FRAMES,
                                .offset = inspector->frame_next,
                                .max = GRAPH_MS,
                                .mark = 1000.0f / 60,
                                .height = 72,
                                .unit = "ms" });
    filo_ui_value(ui, "frame", "%.2f ms  %.0f a second", frame, frame > 0 ? 1000 / frame : 0);
    filo_ui_value(ui, "longest", "%.2f ms", (double)longest);
    filo_ui_value(ui, "tick", "%.2f ms", inspector->tick_ms);
    filo_ui_value(ui, "draw", "%.2f ms", inspector->draw_ms);
    show_draw_calls(inspector, ui);
    if (filo_ui_begin_section(ui, "World")) {
        filo_ui_value(ui, "entities", "%zu, %zu inactive", stats.entities, stats.inactive);
        filo_ui_value(ui, "tables", "%zu in %zu chunks", stats.tables, stats.chunks);
        filo_ui_value(ui, "components", "%zu", stats.components);
        filo_ui_value(ui, "systems", "%zu, %zu queries", stats.systems, stats.queries);
        filo_ui_value(ui, "memory", "%.1f MiB", (double)stats.memory / BYTES_IN_MIB);
    }
    filo_ui_end(ui);
    show_history_switch(inspector, ui);
}
