// The module "debug view": F3.

#ifndef FILO_APP_OVERLAY_H
#define FILO_APP_OVERLAY_H

#include <filo/app.h>

#define APP_OVERLAY_FRAMES   120 // in the graph
#define APP_OVERLAY_SYSTEMS  8   // slowest ones shown
#define APP_OVERLAY_ACCOUNTS 8   // largest ones shown

// Names are copied, because their owners may be removed in the tick that overlaps drawing.
#define APP_OVERLAY_NAME 32

typedef struct AppOverlaySystem {
    char name[APP_OVERLAY_NAME];
    double ms; // smoothed
} AppOverlaySystem;

typedef struct AppOverlayAccount {
    char name[APP_OVERLAY_NAME];
    size_t used; // bytes
} AppOverlayAccount;

#define APP_OVERLAY_LINES    48 // of all modules
#define APP_OVERLAY_LETTERS  45 // per line
#define APP_OVERLAY_PROBLEMS 6

// Provided as an object for tests.
typedef struct AppOverlay {
    FiloWorld *world; // while the module is loaded
    bool on;          // shown
    float frame_ms[APP_OVERLAY_FRAMES];
    size_t next;             // index of the next frame in frame_ms
    double tick_ms, draw_ms; // smoothed
    // Copied between ticks, because drawing overlaps the next one:
    AppOverlaySystem systems[APP_OVERLAY_SYSTEMS];
    size_t system_count;
    AppOverlayAccount accounts[APP_OVERLAY_ACCOUNTS];
    size_t account_count;
    size_t entities;
    uint64_t tick;
    FiloLine lines[APP_OVERLAY_LINES], problems[APP_OVERLAY_PROBLEMS];
    FiloLines page, problem_page;
} AppOverlay;

FiloModuleDesc app_overlay_module(AppOverlay *overlay);

#endif
