// The module "debug view": F3.

#ifndef FILO_APP_OVERLAY_H
#define FILO_APP_OVERLAY_H

#include <filo/app.h>

#define APP_OVERLAY_FRAMES   120 // in the graph
#define APP_OVERLAY_SYSTEMS  8   // slowest ones shown
#define APP_OVERLAY_ACCOUNTS 8   // largest ones shown

// What is shown is drawn beside a tick, in which its owner may go: so names are copied.
#define APP_OVERLAY_NAME 32

typedef struct AppOverlaySystem {
    char name[APP_OVERLAY_NAME];
    double ms; // smoothed
} AppOverlaySystem;

typedef struct AppOverlayAccount {
    char name[APP_OVERLAY_NAME];
    size_t used; // bytes
} AppOverlayAccount;

#define APP_OVERLAY_LINES    48 // of modules
#define APP_OVERLAY_LETTERS  45 // of each
#define APP_OVERLAY_PROBLEMS 6

// Provided as an object, for tests.
typedef struct AppOverlay {
    FiloWorld *world; // while it is loaded
    bool on;          // shown
    float frame_ms[APP_OVERLAY_FRAMES];
    size_t next;             // place of the next frame in the graph
    double tick_ms, draw_ms; // smoothed
    // Copied between ticks, since drawing happens beside the next one:
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
