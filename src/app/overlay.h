// The module "debug view": F3.

#ifndef FILO_APP_OVERLAY_H
#define FILO_APP_OVERLAY_H

#include <filo/app.h>

#define FILO_OVERLAY_FRAMES   120 // in the graph
#define FILO_OVERLAY_SYSTEMS  8   // slowest ones shown
#define FILO_OVERLAY_ACCOUNTS 8   // largest ones shown

// What is shown is drawn beside a tick, in which its owner may go: so names are copied.
#define FILO_OVERLAY_NAME 32

typedef struct FiloOverlaySystem {
    char name[FILO_OVERLAY_NAME];
    double ms; // smoothed
} FiloOverlaySystem;

typedef struct FiloOverlayAccount {
    char name[FILO_OVERLAY_NAME];
    size_t used; // bytes
} FiloOverlayAccount;

#define FILO_OVERLAY_LINES    48 // of modules
#define FILO_OVERLAY_LETTERS  45 // of each
#define FILO_OVERLAY_PROBLEMS 6

// Provided as an object, for tests.
typedef struct FiloOverlay {
    FiloWorld *world; // while it is loaded
    bool on;          // shown
    float frame_ms[FILO_OVERLAY_FRAMES];
    size_t next;             // place of the next frame in the graph
    double tick_ms, draw_ms; // smoothed
    // Copied between ticks, since drawing happens beside the next one:
    FiloOverlaySystem systems[FILO_OVERLAY_SYSTEMS];
    size_t system_count;
    FiloOverlayAccount accounts[FILO_OVERLAY_ACCOUNTS];
    size_t account_count;
    size_t entities;
    uint64_t tick;
    FiloLine lines[FILO_OVERLAY_LINES], problems[FILO_OVERLAY_PROBLEMS];
    FiloLines page, problem_page;
} FiloOverlay;

FiloModuleDesc filo_overlay_module(FiloOverlay *overlay);

#endif
