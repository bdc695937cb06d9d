// Actions on the window: events that an app handles on the main thread.

#include <filo/check.h>
#include <filo/objects.h>

FILO_REFLECT_ENUM(FiloWindowActionKind, FILO_VALUE(FILO_WINDOW_TITLE, "title"),
                  FILO_VALUE(FILO_WINDOW_FULL_SCREEN, "full screen"),
                  FILO_VALUE(FILO_WINDOW_CAPTURE, "capture"), FILO_VALUE(FILO_WINDOW_QUIT, "quit"))
FILO_REFLECT(FiloWindowAction, FILO_FIELD(FiloWindowActionKind, kind), FILO_FIELD(bool, on),
             FILO_FIELD(char, text))

void filo_object_window(FiloIter *it, const FiloWindowAction *action) {
    if (!FILO_CHECK(it != NULL && action != NULL, "pass the iteration of a step, and an action") ||
        !FILO_CHECK(it->events != NULL,
                    "filo_object_window needs a system, in a world that was created with .events"))
        return;
    FiloName event = filo_name(FILO_EVENT_WINDOW);
    // Without a window there may be no handler, which is not a mistake.
    (void)filo_events_declare(filo_world_events(it->world), event, FILO_TYPE(FiloWindowAction));
    (void)filo_event_record(it->events, event, FILO_TYPE(FiloWindowAction), action);
}
