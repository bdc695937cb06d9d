// Errors of X11. Xlib ends the process at the first one, without a word to the program: when the server dies or closes the
// connection, and also when a request is refused, as one for a GL context without a driver is. Here the first marks the
// display as lost, and the program ends as it does otherwise; the second is logged, and the call that made the request
// fails.
//
// SDL loads Xlib at run time, and so does this file: it is not linked.

#include "platform/window.h"

#include <filo/log.h>

#include <SDL2/SDL_syswm.h>

#include <string.h>

#if defined(SDL_VIDEO_DRIVER_X11)

typedef int (*ErrorHandler)(Display *display, XErrorEvent *event);
typedef int (*LostHandler)(Display *display);
typedef void (*LostExit)(Display *display, void *user);

static bool lost; // written by the thread that has the windows

static int report_error(Display *display, XErrorEvent *event) {
    FILO_UNUSED(display);
    filo_log_warn("window", "the X server refuses request %d.%d (error %d)", event->request_code,
                  event->minor_code, event->error_code);
    return 0;
}

static int note_lost(Display *display) {
    FILO_UNUSED(display);
    lost = true;
    return 0;
}

// Xlib would end the process after note_lost. It returns from the call instead, and does nothing in later ones.
static void do_not_exit(Display *display, void *user) { FILO_UNUSED(display), FILO_UNUSED(user); }

// A function of Xlib, which SDL has loaded. A union, because ISO C has no conversion from an object's pointer to a
// function's.
typedef union Function {
    void *loaded;
    ErrorHandler (*set_error_handler)(ErrorHandler handler);
    LostHandler (*set_lost_handler)(LostHandler handler);
    void (*set_lost_exit)(Display *display, LostExit handler, void *user);
} Function;

static bool is_x11(void) {
    const char *driver = SDL_GetCurrentVideoDriver();
    return driver != NULL && strcmp(driver, "x11") == 0;
}

static Function find(const char *name) {
    static void *library; // stays loaded
    if (library == NULL) library = SDL_LoadObject("libX11.so.6");
    return (Function){ .loaded = library != NULL ? SDL_LoadFunction(library, name) : NULL };
}

void platform_x11_begin(void) {
    if (!is_x11()) return;
    lost = false;
    Function errors = find("XSetErrorHandler"), connection = find("XSetIOErrorHandler");
    if (errors.loaded != NULL) errors.set_error_handler(report_error);
    if (connection.loaded != NULL) connection.set_lost_handler(note_lost);
}

void platform_x11_watch(SDL_Window *window) {
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    if (!is_x11() || !SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_X11) return;
    Function exit_handler = find("XSetIOErrorExitHandler"); // since Xlib 1.7
    if (exit_handler.loaded != NULL) exit_handler.set_lost_exit(info.info.x11.display, do_not_exit, NULL);
}

bool platform_x11_lost(void) { return lost; }

#else

void platform_x11_begin(void) {}
void platform_x11_watch(SDL_Window *window) { FILO_UNUSED(window); }
bool platform_x11_lost(void) { return false; }

#endif
