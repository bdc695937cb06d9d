// A screen in memory with a window manager, for tests of real windows: Xvfb and openbox, which start and end with the
// test. A second connection to that screen simulates a player and the window manager.
//
//     FILO_TEST(…) {
//         X11Screen *screen = x11_screen_begin();        // skips the test if Xvfb or openbox is missing
//         …                                              // DISPLAY is set
//     }
//
// Xlib is loaded at run time, so that tests without a screen do not need it.

#ifndef FILO_TEST_X11_SCREEN_H
#define FILO_TEST_X11_SCREEN_H

#include "support/test.h"

#include <filo/time.h>

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define X11_SCREEN_WIDTH   1024
#define X11_SCREEN_HEIGHT  768
#define X11_SCREEN_SECONDS 60 // timeout, also for a busy machine

#define X11_FUNCTIONS(X)                                                                                     \
    X(XOpenDisplay)                                                                                          \
    X(XCloseDisplay)                                                                                         \
    X(XInternAtom)                                                                                           \
    X(XSendEvent)                                                                                            \
    X(XSync)                                                                                                 \
    X(XGetWindowProperty)                                                                                    \
    X(XFree)                                                                                                 \
    X(XCreateSimpleWindow)                                                                                   \
    X(XMapRaised)                                                                                            \
    X(XUnmapWindow)                                                                                          \
    X(XDestroyWindow)                                                                                        \
    X(XResizeWindow)                                                                                         \
    X(XGetGeometry)                                                                                          \
    X(XWarpPointer)                                                                                          \
    X(XGetImage)                                                                                             \
    X(XKeysymToKeycode)                                                                                      \
    X(XIconifyWindow)                                                                                        \
    X(XQueryExtension)

typedef struct X11Screen {
    pid_t server, manager;
    Display *display;
    Window root;
#define X11_DECLARE(name) __typeof__(name) *name;
    X11_FUNCTIONS(X11_DECLARE)
#undef X11_DECLARE
    void *(*get_request)(Display *, uint8_t, size_t);
} X11Screen;

static X11Screen x11_screen;

// ---- Starting and ending --------------------------------------------------------------------------------

static void x11_end_process(pid_t process) {
    if (process <= 0) return;
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
}

static void x11_screen_end(void) {
    if (x11_screen.display != NULL) x11_screen.XCloseDisplay(x11_screen.display);
    x11_end_process(x11_screen.manager);
    x11_end_process(x11_screen.server);
    x11_screen = (X11Screen){ 0 };
}

// Returns in the parent; the output of the child is discarded.
static pid_t x11_start(char *const arguments[], int keep_open) {
    pid_t parent = getpid(), child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL); // ends with the test
    if (getppid() != parent) _exit(1);
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0), dup2(null, 1), dup2(null, 2);
    if (keep_open >= 0) fcntl(keep_open, F_SETFD, 0);
    execvp(arguments[0], arguments);
    _exit(127);
}

// The display number that the server prints when it is ready: the first that is free.
static bool x11_read_display(int file, char *number, size_t size) {
    size_t length = 0;
    struct pollfd wait = { file, POLLIN, 0 };
    while (length + 1 < size && poll(&wait, 1, X11_SCREEN_SECONDS * 1000) == 1) {
        ssize_t n = read(file, number + length, 1);
        if (n != 1) return false;
        if (number[length] == '\n') {
            number[length] = '\0';
            return length > 0;
        }
        length++;
    }
    return false;
}

static bool x11_start_server(void) {
    int files[2];
    char option[16], number[16], name[32];
    if (pipe2(files, O_CLOEXEC) != 0) return false;
    snprintf(option, sizeof option, "%d", files[1]);
    char size[32];
    snprintf(size, sizeof size, "%dx%dx24", X11_SCREEN_WIDTH, X11_SCREEN_HEIGHT);
    char *arguments[] = { (char[]){ "Xvfb" },
                          (char[]){ "-displayfd" },
                          option,
                          (char[]){ "-screen" },
                          (char[]){ "0" },
                          size,
                          (char[]){ "-nolisten" },
                          (char[]){ "tcp" },
                          (char[]){ "-noreset" },
                          NULL };
    x11_screen.server = x11_start(arguments, files[1]);
    close(files[1]);
    bool ready = x11_read_display(files[0], number, sizeof number);
    close(files[0]);
    snprintf(name, sizeof name, ":%s", ready ? number : "");
    if (ready) setenv("DISPLAY", name, 1);
    unsetenv("WAYLAND_DISPLAY");
    unsetenv("SDL_VIDEODRIVER");
    return ready;
}

static bool x11_load(void) {
    void *library = dlopen("libX11.so.6", RTLD_NOW);
    if (library == NULL) return false;
#define X11_LOAD(name) *(void **)&x11_screen.name = dlsym(library, #name);
    X11_FUNCTIONS(X11_LOAD)
#undef X11_LOAD
    *(void **)&x11_screen.get_request = dlsym(library, "_XGetRequest");
    x11_screen.display = x11_screen.XOpenDisplay(NULL);
    if (x11_screen.display != NULL) x11_screen.root = DefaultRootWindow(x11_screen.display);
    return x11_screen.display != NULL;
}

static Atom x11_atom(const char *name) { return x11_screen.XInternAtom(x11_screen.display, name, False); }

// How many items a window's property has; the first bytes go to `bytes`.
static unsigned long x11_property(Window window, const char *name, void *bytes, size_t size) {
    Atom type;
    int format;
    unsigned long count = 0, rest = 0;
    unsigned char *data = NULL;
    x11_screen.XGetWindowProperty(x11_screen.display, window, x11_atom(name), 0, 1 << 20, False,
                                  AnyPropertyType, &type, &format, &count, &rest, &data);
    if (data != NULL) {
        size_t length = count * (format == 32 ? sizeof(long) : (size_t)format / 8);
        if (bytes != NULL) memcpy(bytes, data, FILO_MIN(size, length));
        x11_screen.XFree(data);
    }
    return count;
}

static bool x11_wait_for_property(Window window, const char *name, int64_t deadline) {
    while (x11_property(window, name, NULL, 0) == 0) {
        if (filo_time_ns() > deadline) return false;
        filo_sleep_ns(5 * FILO_MILLISECOND);
    }
    return true;
}

// A manager that is still starting may ignore a window, for which SDL would wait for ever. So it is tested with another
// window first, until it manages that.
static bool x11_manager_works(int64_t deadline) {
    Window probe = x11_screen.XCreateSimpleWindow(x11_screen.display, x11_screen.root, 0, 0, 9, 9, 0, 0, 0);
    bool works = false;
    while (!works && filo_time_ns() < deadline) {
        x11_screen.XUnmapWindow(x11_screen.display, probe);
        x11_screen.XMapRaised(x11_screen.display, probe);
        works = x11_wait_for_property(probe, "WM_STATE", filo_time_ns() + FILO_SECOND);
    }
    x11_screen.XDestroyWindow(x11_screen.display, probe);
    x11_screen.XSync(x11_screen.display, False);
    return works;
}

static bool x11_start_manager(void) {
    setenv("XDG_CONFIG_HOME", filo_test_folder(), 1); // not the user's configuration
    char *arguments[] = { (char[]){ "openbox" }, (char[]){ "--sm-disable" }, NULL };
    x11_screen.manager = x11_start(arguments, -1);
    int64_t deadline = filo_time_ns() + X11_SCREEN_SECONDS * FILO_SECOND;
    return x11_wait_for_property(x11_screen.root, "_NET_SUPPORTING_WM_CHECK", deadline) &&
           x11_manager_works(deadline);
}

// If a program is missing, the test is skipped; if one does not start, it fails.
static X11Screen *x11_screen_begin(void) {
    if (x11_screen.display != NULL) return &x11_screen;
    if (system("command -v Xvfb openbox >/dev/null 2>&1") != 0) skip();
    atexit(x11_screen_end);
    if (!x11_start_server()) fail_msg("Xvfb does not start");
    if (!x11_load()) fail_msg("libX11 cannot be loaded, or does not find the screen");
    if (!x11_start_manager()) fail_msg("openbox does not start");
    return &x11_screen;
}

// ---- Actions of a player and a window manager -----------------------------------------------------------

static void x11_ask_manager(Window window, const char *what, long a, long b, long c, long d, long e) {
    XEvent event = { .xclient = { .type = ClientMessage,
                                  .window = window,
                                  .message_type = x11_atom(what),
                                  .format = 32,
                                  .data.l = { a, b, c, d, e } } };
    x11_screen.XSendEvent(x11_screen.display, x11_screen.root, False,
                          SubstructureRedirectMask | SubstructureNotifyMask, &event);
    x11_screen.XSync(x11_screen.display, False);
}

// As a click in a task bar.
static inline void x11_activate(Window window) {
    x11_ask_manager(window, "_NET_ACTIVE_WINDOW", 2, CurrentTime, 0, 0, 0);
}
// As the button in the title bar.
static inline void x11_close(Window window) {
    x11_ask_manager(window, "_NET_CLOSE_WINDOW", CurrentTime, 2, 0, 0, 0);
}

static inline void x11_resize(Window window, unsigned width, unsigned height) {
    x11_screen.XResizeWindow(x11_screen.display, window, width,
                             height); // the server passes it on to the manager
    x11_screen.XSync(x11_screen.display, False);
}

// Resizes and waits until it is done.
static inline void x11_resize_and_wait(Window window, unsigned width, unsigned height) {
    x11_resize(window, width, height);
    unsigned now_width = 0, now_height = 0, border, depth;
    for (int i = 0; i < X11_SCREEN_SECONDS * 1000 && (now_width != width || now_height != height); i++) {
        Window root;
        int x, y;
        usleep(1000);
        x11_screen.XGetGeometry(x11_screen.display, window, &root, &x, &y, &now_width, &now_height, &border,
                                &depth);
    }
    assert_int_equal(now_width, width);
    assert_int_equal(now_height, height);
}

static inline void x11_iconify(Window window) {
    x11_screen.XIconifyWindow(x11_screen.display, window, DefaultScreen(x11_screen.display));
    x11_screen.XSync(x11_screen.display, False);
}

static inline Window x11_open_other(void) {
    Window other =
        x11_screen.XCreateSimpleWindow(x11_screen.display, x11_screen.root, 0, 0, 100, 80, 0, 0, 0);
    x11_screen.XMapRaised(x11_screen.display, other);
    x11_screen.XSync(x11_screen.display, False);
    return other;
}

// Input of a keyboard or a mouse, by the server's extension XTEST. The request is written here, without the library.
static void x11_device(uint8_t type, uint8_t detail) {
    int opcode = 0, first_event, first_error;
    if (!x11_screen.XQueryExtension(x11_screen.display, "XTEST", &opcode, &first_event, &first_error))
        fail_msg("the screen has no XTEST");
    uint8_t *request = x11_screen.get_request(x11_screen.display, (uint8_t)opcode, 36);
    memset(request + 4, 0, 32);
    request[1] = 2; // fake input
    request[4] = type;
    request[5] = detail;
    x11_screen.XSync(x11_screen.display, False);
}

// These are sent to the window that has the focus, or is under the pointer.
static inline void x11_key(KeySym key, bool down) {
    x11_device(down ? KeyPress : KeyRelease, x11_screen.XKeysymToKeycode(x11_screen.display, key));
}

static inline void x11_button(uint8_t button, bool down) {
    x11_device(down ? ButtonPress : ButtonRelease, button);
}

static inline void x11_move_mouse(Window window, int x, int y) {
    x11_screen.XWarpPointer(x11_screen.display, None, window, 0, 0, 0, 0, x, y);
    x11_screen.XSync(x11_screen.display, False);
}

// The colour of a pixel on the screen, 0xRRGGBB.
static inline uint32_t x11_pixel(Window window, int x, int y) {
    XImage *image = x11_screen.XGetImage(x11_screen.display, window, x, y, 1, 1, AllPlanes, ZPixmap);
    if (image == NULL) return UINT32_MAX;
    uint32_t pixel = (uint32_t)XGetPixel(image, 0, 0) & 0xFFFFFF;
    XDestroyImage(image);
    return pixel;
}

#endif
