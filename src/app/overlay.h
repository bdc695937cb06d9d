// The module "debug view": F3. Without the module "inspector", it draws a plain view of its own.

#ifndef FILO_APP_OVERLAY_H
#define FILO_APP_OVERLAY_H

#include <filo/app.h>

#define APP_OVERLAY_FRAMES 120 // in the graph
#define APP_OVERLAY_TOP    8   // slowest systems, and largest accounts of memory
#define APP_OVERLAY_NAME   32

// Names are copied, because their owners may be removed in the tick that overlaps drawing.
typedef struct AppOverlayEntry {
    char name[APP_OVERLAY_NAME];
    double value;
} AppOverlayEntry;

// The entries with the largest values, in descending order.
typedef struct AppOverlayList {
    AppOverlayEntry entries[APP_OVERLAY_TOP];
    size_t count;
} AppOverlayList;

#define APP_OVERLAY_LINES    48 // of all modules
#define APP_OVERLAY_LETTERS  45 // per line
#define APP_OVERLAY_PROBLEMS 6

// Provided as an object for tests.
typedef struct AppOverlay {
    FiloWorld *world; // while the module is loaded
    bool on;          // shown
    bool plain;       // the view is drawn here, because there is no inspector
    float frame_ms[APP_OVERLAY_FRAMES];
    size_t next;             // index of the next frame in frame_ms
    double tick_ms, draw_ms; // smoothed
    // Copied between ticks, because drawing overlaps the next one:
    AppOverlayList systems;  // milliseconds, smoothed
    AppOverlayList accounts; // bytes
    size_t entities;
    uint64_t tick;
    FiloLine lines[APP_OVERLAY_LINES], problems[APP_OVERLAY_PROBLEMS];
    FiloLines page, problem_page;
} AppOverlay;

FiloModuleDesc app_overlay_module(AppOverlay *overlay);

#endif
