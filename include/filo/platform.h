// filo/platform.h: the window, and what arrives through it.
//
//     FiloWindow *window;
//     FiloResult r = filo_window_open(&window, &(FiloWindowDesc){ .title = "Ship", .width = 640, .height = 480 });
//     FiloInputCollector input = { 0 };
//     while (!input.now.quit) {
//         filo_window_poll(window, &input, NULL, NULL);
//         …                                                  // draw
//         filo_window_present(window);
//     }
//     filo_window_close(window);
//
// A window shows a picture that is drawn by GL or by the CPU; or it is not there at all ("headless"): then GL
// draws into an offscreen context, no display server is needed, and everything else works the same.
//
// All functions: the main thread. SDL2 does the work and does not show in this header; a program that has an
// SDL window of its own, or a GL context of its own, hands it over in the description.

#ifndef FILO_PLATFORM_H
#define FILO_PLATFORM_H

#include <filo/input.h>
#include <filo/pixels.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

typedef struct FiloWindow FiloWindow;

typedef enum FiloWindowPicture {
    FILO_WINDOW_GL,   // a GL context: 4.5 core, or 3.3 core where there is no more
    FILO_WINDOW_CPU,  // pixels: filo_window_show
    FILO_WINDOW_NONE, // nothing is shown
} FiloWindowPicture;

typedef struct FiloWindowDesc {
    const char *title; // NULL: "Filo"
    int width, height; // of the picture, in points; 0: 1280 × 720
    FiloWindowPicture picture;
    const FiloPixels *icon; // copied; NULL: none
    bool headless;          // no window on any screen
    bool full_screen, fixed_size, hidden, no_vsync;
    bool low_dpi;           // one pixel per point, also on fine screens
    bool debug;             // a GL context that checks
    int gl_major, gl_minor; // ask for at most this version (a driver may give more); 0: 4.5
    void *sdl_window;       // an SDL_Window of yours, which must outlive this; NULL: one is opened
    bool own_context; // the GL context that is current now is yours and is used. Without sdl_window, SDL
                      // is left out: you show the picture, and tell sizes by filo_window_set_size
} FiloWindowDesc;

// FILO_ERROR_UNSUPPORTED where there is no display, or no GL: the message says which and what to try
// ("no display: run with --headless"). Several windows may be open, on one thread; one draws at a time.
// Headless, with a picture from the CPU or none, SDL is not even started, and no gamepads are looked for (unless
// the program has begun SDL's game controllers itself). `desc` may be NULL.
FiloResult filo_window_open(FiloWindow **window, const FiloWindowDesc *desc);
void filo_window_close(FiloWindow *window); // NULL is allowed

// Takes all that happened since the last call, in order, into `collector` (may be NULL); and each to `listen`
// (may be NULL), which must not poll or close the window. The first call tells the size and the focus. Events of
// other windows wait for theirs to be polled.
typedef void (*FiloInputListener)(const FiloInputChange *change, void *user);
void filo_window_poll(FiloWindow *window, FiloInputCollector *collector, FiloInputListener listen,
                      void *user);
// The same, but sleeps until something happens (it looks every few milliseconds) or the time is over.
void filo_window_wait(FiloWindow *window, FiloInputCollector *collector, int64_t timeout_ns);
// For a program that takes SDL's events itself: pass each SDL_Event, and what it means waits in the windows that
// it concerns for filo_window_poll.
void filo_window_event(const void *sdl_event);

// Shows what was drawn by GL. With vsync it waits for the screen.
void filo_window_present(FiloWindow *window);
// Shows pixels on a window with FILO_WINDOW_CPU, stretched to it, to the nearest pixel; on others:
// FILO_ERROR_UNSUPPORTED. Draw filo_window_pixels of them for a sharp picture. Never waits for the screen. A window that
// the player has made larger than 2²⁷ pixels shows none: FILO_ERROR_LIMIT, until it is smaller.
FiloResult filo_window_show(FiloWindow *window, const FiloPixels *pixels);
// Makes its GL context the current one (it is, after opening).
void filo_window_make_current(FiloWindow *window);

FiloIVec2 filo_window_size(const FiloWindow *window); // in points
// Of the picture; larger than the above on fine screens.
FiloIVec2 filo_window_pixels(const FiloWindow *window);
bool filo_window_focused(const FiloWindow *window);
bool filo_window_minimised(const FiloWindow *window); // no need to draw
bool filo_window_headless(const FiloWindow *window);
bool filo_window_is_full_screen(const FiloWindow *window);
double filo_window_refresh_rate(const FiloWindow *window); // of its screen, in Hz; 60 if not known
// What is changed by these is told by the next poll, once the screen has followed; the player or the window
// manager may do the same at any time. Headless windows follow at once: one that is minimised loses the focus,
// full screen is remembered and keeps the size.
void filo_window_set_title(FiloWindow *window, const char *title);
void filo_window_set_size(FiloWindow *window, int width, int height);
void filo_window_set_icon(FiloWindow *window, const FiloPixels *icon);
void filo_window_set_full_screen(FiloWindow *window, bool on);
bool filo_window_set_vsync(FiloWindow *window, bool on); // false if the driver will not
void filo_window_minimise(FiloWindow *window);
void filo_window_restore(FiloWindow *window);
// Captured, the mouse is hidden and cannot leave; its position stays, only its movement counts.
void filo_window_capture_mouse(FiloWindow *window, bool on);
void filo_window_show_cursor(FiloWindow *window, bool on);
// Between these, keys are also text (an on-screen keyboard may appear).
void filo_window_text_input(FiloWindow *window, bool on);
// Shakes a gamepad; 0 to 1; false if it cannot.
bool filo_gamepad_rumble(FiloWindow *window, int pad, float strong, float weak, int milliseconds);
const char *filo_gamepad_name(const FiloWindow *window, int pad); // "" if there is none
// The system's; headless, the window has one of its own. The text is good until the next call of either; "" if
// there is none.
const char *filo_clipboard_text(FiloWindow *window);
void filo_clipboard_set_text(FiloWindow *window, const char *text);

// What this machine has; opens nothing for longer than the call. `display`: a window can be shown.
typedef struct FiloPlatformInfo {
    bool display;
    const char *video_driver; // SDL's name: "x11", "wayland", "offscreen"
} FiloPlatformInfo;
FiloPlatformInfo filo_platform_info(void);

FILO_END_DECLS

#endif
