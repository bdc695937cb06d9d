// The debug view: F3.

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

typedef struct FiloOverlay {
    bool on, switched; // shown; to be shown from the next frame on
    float frame_ms[FILO_OVERLAY_FRAMES];
    size_t next;             // place of the next frame in the graph
    double tick_ms, draw_ms; // smoothed
    double last_tick_ms, last_draw_ms;
    // Copied from the world between ticks, since drawing happens beside the next one:
    FiloOverlaySystem systems[FILO_OVERLAY_SYSTEMS];
    size_t system_count;
    FiloOverlayAccount accounts[FILO_OVERLAY_ACCOUNTS];
    size_t account_count;
    size_t entities;
    uint64_t tick;
} FiloOverlay;

void filo_overlay_switch(FiloApp *app, bool on);
void filo_overlay_add_frame(FiloOverlay *overlay, double frame_ms);
// Between ticks: copies what is shown.
void filo_overlay_collect(FiloApp *app);
void filo_overlay_draw(FiloApp *app, FiloDraw *draw);
// What is wrong with assets, in a corner, while developing.
void filo_overlay_draw_errors(FiloApp *app, FiloDraw *draw);

#endif
