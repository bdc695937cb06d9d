// Private state of a window, and the functions that its sources share.
//
// A FiloWindow need not have an SDL window: a headless one that is not drawn by GL has none, nor has that of a program
// with a GL context but without SDL. Functions then store the state that they set, so that a game behaves as it would
// on a screen.
//
// SDL has one event queue for the process. Polling any window empties the queue, and appends each event as changes to
// the pending lists of the windows that it concerns (window_events.c).

#ifndef FILO_PLATFORM_WINDOW_H
#define FILO_PLATFORM_WINDOW_H

#include <filo/platform.h>

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/threads.h>

#include <SDL2/SDL.h>

#define PLATFORM_WINDOW_PENDING_LIMIT 4096 // changes of a window that is not polled

struct FiloWindow {
    FiloWindow *next;
    SDL_Window *sdl; // may be NULL
    uint32_t sdl_id;
    SDL_GLContext context; // NULL: none, or not created by SDL
    FiloWindowPicture picture;
    uint32_t thread;
    bool owns_sdl, owns_context;
    bool has_video, has_gamepads; // the window has initialised these subsystems of SDL
    bool headless, focused, minimised, full_screen, captured, text_input;
    FiloIVec2 size;   // in points
    FiloIVec2 pixels; // size of the picture
    FiloVec2 mouse;   // in pixels
    char *clipboard;  // returned last; or set, if the window has its own clipboard
    bool clipboard_is_sdl;
    size_t clipboard_size;

    char composition[FILO_INPUT_TEXT]; // of an input method
    FiloRect text_area;
    FiloCursor cursor;
    SDL_Cursor *cursors[FILO_CURSOR_COUNT]; // NULL: not used yet

    FiloArray(FiloInputChange) pending;
    bool polling;
};

// Whether the window is not NULL and belongs to this thread. `function` is for the message.
FiloResult platform_window_check(const FiloWindow *window, const char *function);
bool platform_window_usable(const FiloWindow *window, const char *function);

// ---- sdl.c: SDL's video ---------------------------------------------------------------------------------

// SDL counts: each init that succeeded needs a quit.
FiloResult platform_sdl_video_init(bool headless);
void platform_sdl_video_quit(void);
// Whether windows of this driver are on a screen.
bool platform_sdl_driver_has_display(const char *driver);

// ---- x11.c: errors of X11 -------------------------------------------------------------------------------

// After SDL's video was initialised: errors of X11 do not end the process any more.
void platform_x11_begin(void);
// For each SDL window: nor does the end of its connection.
void platform_x11_watch(SDL_Window *window);
// Whether the connection has ended. Nothing of X11 is to be called then, not even to close it.
bool platform_x11_lost(void);

// ---- window.c -------------------------------------------------------------------------------------------

FiloWindow *platform_window_list(void); // all open windows, linked by `next`
// Reads the size from SDL, and pushes a change if the picture has another size.
void platform_window_update_size(FiloWindow *window);

// ---- picture.c ------------------------------------------------------------------------------------------

void platform_window_set_gl_attributes(const FiloWindowDesc *desc); // for the next SDL window
FiloResult platform_window_create_gl_context(FiloWindow *window, const FiloWindowDesc *desc);

// ---- window_events.c ------------------------------------------------------------------------------------

void platform_window_push(FiloWindow *window, const FiloInputChange *change);
void platform_window_set_focus(FiloWindow *window, bool focused);

// ---- window_settings.c ----------------------------------------------------------------------------------

void platform_window_free_clipboard(FiloWindow *window);
void platform_window_free_cursors(FiloWindow *window);

// ---- gamepads.c -----------------------------------------------------------------------------------------

// The window gets the changes of gamepads from now on. A headless window does only if the program has initialised SDL's
// game controllers itself: a test must not depend on the devices of the machine.
void platform_gamepads_init(FiloWindow *window);
void platform_gamepads_quit(FiloWindow *window);
// True if it is an event of gamepads.
bool platform_gamepads_event(const SDL_Event *event);
// Pushes the current values of all axes.
void platform_gamepads_push_axes(FiloWindow *window);

#endif
