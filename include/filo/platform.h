// filo/platform.h: windows, and the input that arrives through them.
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
// A window shows a picture that is drawn by GL or by the CPU. A headless window is on no screen, and needs no display
// server: GL draws into an offscreen context, and everything else works the same.
//
// All functions must be called on the main thread. The implementation uses SDL2, which does not appear in this header.
// A program that has its own SDL window, or its own GL context, passes it in the description.

#ifndef FILO_PLATFORM_H
#define FILO_PLATFORM_H

#include <filo/input.h>
#include <filo/pixels.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

typedef struct FiloWindow FiloWindow;

typedef enum FiloWindowPicture {
    FILO_WINDOW_GL,   // a GL context: 4.5 core, or an older one, down to 3.3 core
    FILO_WINDOW_CPU,  // pixels: filo_window_show
    FILO_WINDOW_NONE, // no picture
} FiloWindowPicture;

typedef struct FiloWindowDesc {
    const char *title; // NULL: "Filo"
    int width, height; // of the picture, in points; 0: 1280 × 720
    FiloWindowPicture picture;
    const FiloPixels *icon; // copied; NULL: none
    bool headless;          // no window on any screen
    bool full_screen, fixed_size, hidden, no_vsync;
    bool low_dpi;           // one pixel per point, also on high-DPI screens
    bool debug;             // a GL debug context
    int gl_major, gl_minor; // request at most this version (a driver may return a later one); 0: 4.5
    void *sdl_window;       // an SDL_Window of the program, which must outlive this window; NULL: opens one
    // Use the GL context of the program that is current now. Without sdl_window, SDL is not used: the program shows the
    // picture, and sets sizes by filo_window_set_size.
    bool own_context;
} FiloWindowDesc;

// FILO_ERROR_UNSUPPORTED without a display or without GL: the message says which, and what to try ("no display: run
// with --headless"). Several windows may be open, all on the same thread; one draws at a time. A headless window
// without GL does not initialise SDL, and has no gamepads, unless the program has initialised SDL's game controllers
// itself. `desc` may be NULL.
FiloResult filo_window_open(FiloWindow **window, const FiloWindowDesc *desc);
void filo_window_close(FiloWindow *window); // NULL is allowed

// Passes all changes since the last call, in order, to `collector` (may be NULL) and to `listen` (may be NULL).
// `listen` must not poll or close the window. It is not called for a change that the collector leaves out. The first
// call has the size and the focus. Changes of other windows wait until those are polled.
typedef void (*FiloInputListener)(const FiloInputChange *change, void *user);
void filo_window_poll(FiloWindow *window, FiloInputCollector *collector, FiloInputListener listen,
                      void *user);
// Polls, but first sleeps until there is an event (it checks every few milliseconds) or the time is over.
void filo_window_wait(FiloWindow *window, FiloInputCollector *collector, int64_t timeout_ns);
// For a program that polls SDL's events itself: pass each SDL_Event. Its changes wait in the windows that it concerns
// for filo_window_poll.
void filo_window_event(const void *sdl_event);

// Whether the display server is gone (X11). The window is then no longer shown, and gets no input: save, and end. Xlib on its
// own would have ended the process. An app does so: it fails with a message, and its end runs.
bool filo_window_lost(const FiloWindow *window);

// Shows the picture that was drawn by GL. With vsync, waits for the screen.
void filo_window_present(FiloWindow *window);
// Shows pixels in a window with FILO_WINDOW_CPU, stretched to its size by nearest-neighbour sampling. A picture of the
// size filo_window_pixels is not stretched. Never waits for the screen. FILO_ERROR_UNSUPPORTED for other windows;
// FILO_ERROR_LIMIT while the window has more than 2²⁷ pixels.
FiloResult filo_window_show(FiloWindow *window, const FiloPixels *pixels);
// Makes its GL context current. It is current after opening.
void filo_window_make_current(FiloWindow *window);

FiloIVec2 filo_window_size(const FiloWindow *window); // in points
// Size of the picture; larger than filo_window_size on high-DPI screens.
FiloIVec2 filo_window_pixels(const FiloWindow *window);
bool filo_window_focused(const FiloWindow *window);
bool filo_window_minimised(const FiloWindow *window); // no need to draw
bool filo_window_headless(const FiloWindow *window);
bool filo_window_is_full_screen(const FiloWindow *window);
double filo_window_refresh_rate(const FiloWindow *window); // of its screen, in Hz; 60 if unknown
// The next poll has the changes that these functions make, once the window manager has applied them. The player or the
// window manager may make the same changes at any time. Headless windows apply them immediately: minimising loses the
// focus; full screen is stored, and does not change the size.
void filo_window_set_title(FiloWindow *window, const char *title);
void filo_window_set_size(FiloWindow *window, int width, int height);
void filo_window_set_icon(FiloWindow *window, const FiloPixels *icon);
void filo_window_set_full_screen(FiloWindow *window, bool on);
bool filo_window_set_vsync(FiloWindow *window, bool on); // false if the driver refuses
void filo_window_minimise(FiloWindow *window);
void filo_window_restore(FiloWindow *window);
// While it is captured, the mouse is hidden and cannot leave the window. Its position stays; FiloInput.mouse_move goes
// on.
void filo_window_capture_mouse(FiloWindow *window, bool on);
void filo_window_show_cursor(FiloWindow *window, bool on);
// While text input is on, keys are also text. An on-screen keyboard may appear.
void filo_window_text_input(FiloWindow *window, bool on);
// Where text is typed, in pixels of the picture: an input method shows its candidates beside it.
void filo_window_set_text_area(FiloWindow *window, FiloRect area);
// What an input method is composing: a text that is not typed yet. "" if there is none. Valid until the next poll.
const char *filo_window_composition(const FiloWindow *window);
typedef enum FiloCursor {
    FILO_CURSOR_ARROW,
    FILO_CURSOR_TEXT,
    FILO_CURSOR_HAND,
    FILO_CURSOR_RESIZE_X,
    FILO_CURSOR_RESIZE_Y,
    FILO_CURSOR_RESIZE_BOTH, // from the upper left to the lower right
    FILO_CURSOR_COUNT,
} FiloCursor;
// The shape of the mouse pointer over the window.
void filo_window_set_cursor(FiloWindow *window, FiloCursor cursor);
// Strengths are 0 to 1. False if the gamepad cannot rumble.
bool filo_gamepad_rumble(FiloWindow *window, int pad, float strong, float weak, int milliseconds);
const char *filo_gamepad_name(const FiloWindow *window, int pad); // "" if there is none
// The clipboard of the system; a headless window has its own. The text is valid until the next call of either function;
// "" if there is none.
const char *filo_clipboard_text(FiloWindow *window);
void filo_clipboard_set_text(FiloWindow *window, const char *text);

// What this machine supports. Initialises SDL's video only during the call.
typedef struct FiloPlatformInfo {
    bool display;             // a window can be shown
    const char *video_driver; // SDL's name: "x11", "wayland", "offscreen"
} FiloPlatformInfo;
FiloPlatformInfo filo_platform_info(void);

FILO_END_DECLS

#endif
