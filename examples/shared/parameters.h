// Parameters of a simulation on a panel. They are a global component of the world; the panel edits a copy, which is sent
// into the next tick as a message, so that a recording has it.
//
//     static void set_rules(FiloIter *it, const FiloEvent *event);     // handles the event "rules", of type Rules
//     …
//     parameters_sync(&panel, FILO_TYPE(Rules), &rules, filo_get_global(world, Rules));    // in `ui`
//     filo_ui_slider(ui, "Sight", &rules.sight, 5, 60);
//     parameters_send(&panel, app, FILO_TYPE(Rules), &rules, filo_name("rules"));

#ifndef SHARED_PARAMETERS_H
#define SHARED_PARAMETERS_H

#include <filo/filo.h>

typedef struct Parameters {
    uint64_t seen; // hash of the copy after the last look at the world
    bool sent;     // a message is on its way
} Parameters;

// Whether there are panels: with a window, or if they are wanted for a picture.
static inline bool parameters_shown(const FiloApp *app, bool wanted) {
    return wanted || !filo_app_args(app)->headless;
}

// Copies the value of the world to `shown`, unless a change of the panel has not arrived there yet.
void parameters_sync(Parameters *parameters, const FiloType *type, void *shown, const void *in_world);
// Sends `shown` if it has changed since parameters_sync.
void parameters_send(Parameters *parameters, FiloApp *app, const FiloType *type, const void *shown,
                     FiloName event);

#endif
