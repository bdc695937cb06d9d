// What the sources of the window share.
//
// A FiloWindow is always there; the SDL window behind it may not be: headless, a picture drawn by the CPU or
// by nobody needs none. The same goes for a program that has a GL context but no SDL. All functions then keep
// the state that they are told, so that a game behaves as it would on a screen.
//
// SDL has one queue of events for the whole process. Whoever polls takes all of it, and every event is turned
// into changes in the pending lists of the windows that it concerns (window_events.c).

#ifndef FILO_PLATFORM_WINDOW_H
#define FILO_PLATFORM_WINDOW_H

#include <filo/platform.h>

#include <filo/check.h>
#include <filo/threads.h>

#include <SDL2/SDL.h>

#define PLATFORM_WINDOW_PENDING_LIMIT 4096 // changes that wait in a window that nobody polls

struct FiloWindow {
    FiloWindow *next;
    SDL_Window *sdl; // NULL: there is none
    uint32_t sdl_id;
    SDL_GLContext context; // NULL: none, or not SDL's
    FiloWindowPicture picture;
    uint32_t thread;
    bool owns_sdl, owns_context, holds_video, holds_pads;
    bool headless, focused, minimised, full_screen, captured, text_input, debug;
    FiloIVec2 size, pixels; // in points; of the picture
    FiloVec2 mouse;         // in pixels
    char *clipboard;        // what was last handed out, or set where there is no system's clipboard
    bool clipboard_is_sdl;
    size_t clipboard_size;

    FiloInputChange *pending;
    size_t pending_count, pending_capacity;
    bool polling;
};

// Whether the window may be used here: there is one, and this is its thread. `function` is for the message.
FiloResult platform_window_check(const FiloWindow *window, const char *function);
bool platform_window_usable(const FiloWindow *window, const char *function);

// ---- sdl.c: SDL's video ---------------------------------------------------------------------------------

// Counted: each begin that succeeded wants an end.
FiloResult platform_sdl_video_begin(bool headless);
void platform_sdl_video_end(void);
// Whether windows of this driver can be seen.
bool platform_sdl_driver_shows(const char *driver);

// ---- window.c -------------------------------------------------------------------------------------------

FiloWindow *platform_window_first(void); // of all that are open; go on with `next`
// Asks SDL for the size, and tells the player's side if the picture's has changed.
void platform_window_refresh_size(FiloWindow *window);

// ---- picture.c ------------------------------------------------------------------------------------------

void platform_window_gl_attributes(const FiloWindowDesc *desc); // for the next SDL window
FiloResult platform_window_gl_create(FiloWindow *window, const FiloWindowDesc *desc);

// ---- window_events.c ------------------------------------------------------------------------------------

void platform_window_push(FiloWindow *window, const FiloInputChange *change);
void platform_window_push_to_all(const FiloInputChange *change); // that take part in gamepads
void platform_window_focus(FiloWindow *window, bool focused);

// ---- window_settings.c ----------------------------------------------------------------------------------

void platform_window_drop_clipboard(FiloWindow *window);

// ---- gamepads.c -----------------------------------------------------------------------------------------

// The window hears of gamepads from now on. Headless only where the program has begun SDL's game controllers
// itself: real devices have no business in a test.
void platform_gamepads_begin(FiloWindow *window);
void platform_gamepads_end(FiloWindow *window);
// True if the event was one of gamepads.
bool platform_gamepads_event(const SDL_Event *event);
// Tells a window where the sticks are.
void platform_gamepads_tell_axes(FiloWindow *window);

#endif
