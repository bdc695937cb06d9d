// Opening and closing windows.

#include "platform/window.h"

#include <filo/log.h>
#include <filo/memory.h>

#include <string.h>

#define DEFAULT_WIDTH  1280
#define DEFAULT_HEIGHT 720

static FiloWindow *windows; // all that are open; used by the main thread only

FiloWindow *platform_window_list(void) { return windows; }

FiloResult platform_window_check(const FiloWindow *window, const char *function) {
    if (window == NULL) return FILO_MISTAKE("pass a window from filo_window_open to %s", function);
    if (window->thread != filo_thread_id())
        return FILO_MISTAKE("call %s on the thread that opened the window", function);
    return filo_ok();
}

bool platform_window_usable(const FiloWindow *window, const char *function) {
    return platform_window_check(window, function).code == FILO_OK;
}

// ---- Size -----------------------------------------------------------------------------------------------

void platform_window_update_size(FiloWindow *window) {
    FiloIVec2 size = window->size, pixels = size;
    if (window->sdl != NULL) {
        SDL_GetWindowSize(window->sdl, &size.x, &size.y);
        SDL_GetWindowSizeInPixels(window->sdl, &pixels.x, &pixels.y);
    }
    // Some window managers set the size of a minimised window to 0.
    if (size.x < 1 || size.y < 1 || pixels.x < 1 || pixels.y < 1) return;
    bool changed = pixels.x != window->pixels.x || pixels.y != window->pixels.y;
    window->size = size;
    window->pixels = pixels;
    if (changed)
        platform_window_push(window, &(FiloInputChange){ .kind = FILO_INPUT_VIEW,
                                                         .position = { (float)pixels.x, (float)pixels.y } });
}

// ---- Opening --------------------------------------------------------------------------------------------

static Uint32 window_flags(const FiloWindowDesc *desc) {
    Uint32 flags = 0;
    if (desc->picture == FILO_WINDOW_GL) flags |= SDL_WINDOW_OPENGL;
    if (!desc->low_dpi) flags |= SDL_WINDOW_ALLOW_HIGHDPI;
    if (!desc->fixed_size) flags |= SDL_WINDOW_RESIZABLE;
    if (desc->hidden || desc->headless) flags |= SDL_WINDOW_HIDDEN;
    if (desc->full_screen && !desc->headless) flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
    return flags;
}

static FiloResult open_sdl_window(FiloWindow *window, const FiloWindowDesc *desc) {
    FiloResult result = platform_sdl_video_init(desc->headless);
    if (result.code != FILO_OK) return result;
    window->has_video = true;
    if (desc->picture == FILO_WINDOW_GL) platform_window_set_gl_attributes(desc);
    window->sdl =
        SDL_CreateWindow(desc->title != NULL ? desc->title : "Filo", SDL_WINDOWPOS_CENTERED,
                         SDL_WINDOWPOS_CENTERED, window->size.x, window->size.y, window_flags(desc));
    if (window->sdl != NULL) {
        platform_x11_watch(window->sdl);
        window->owns_sdl = true;
        return filo_ok();
    }
    if (desc->picture == FILO_WINDOW_GL)
        return filo_error(FILO_ERROR_UNSUPPORTED, "no window with OpenGL: try --backend cpu (SDL: %s)",
                          SDL_GetError());
    return filo_error(FILO_ERROR_UNSUPPORTED, "no window: try --headless (SDL: %s)", SDL_GetError());
}

static FiloResult adopt_context(FiloWindow *window) {
    if (window->sdl == NULL) return filo_ok(); // not a context of SDL
    window->context = SDL_GL_GetCurrentContext();
    if (window->context == NULL)
        return FILO_MISTAKE("make your GL context current before filo_window_open with own_context");
    return filo_ok();
}

static FiloResult open_parts(FiloWindow *window, const FiloWindowDesc *desc) {
    if (desc->sdl_window != NULL) {
        window->sdl = desc->sdl_window;
        if (!desc->headless) window->headless = !platform_sdl_driver_has_display(SDL_GetCurrentVideoDriver());
    } else if (!desc->own_context && (!desc->headless || desc->picture == FILO_WINDOW_GL)) {
        FiloResult result = open_sdl_window(window, desc);
        if (result.code != FILO_OK) return result;
    }
    if (window->sdl != NULL) window->sdl_id = SDL_GetWindowID(window->sdl);
    if (desc->picture != FILO_WINDOW_GL) return filo_ok();
    return desc->own_context ? adopt_context(window) : platform_window_create_gl_context(window, desc);
}

// The first poll returns the size and the focus.
static void push_initial_state(FiloWindow *window) {
    platform_window_update_size(window);
    bool focused = window->headless || window->sdl == NULL ||
                   (SDL_GetWindowFlags(window->sdl) & SDL_WINDOW_INPUT_FOCUS) != 0;
    platform_window_set_focus(window, focused);
}

static FiloResult check_desc(const FiloWindowDesc *desc) {
    if (desc->width < 0 || desc->width > FILO_PIXELS_MAX || desc->height < 0 ||
        desc->height > FILO_PIXELS_MAX)
        return FILO_MISTAKE("pass a width and height of 0 to %d to filo_window_open", FILO_PIXELS_MAX);
    if ((unsigned)desc->picture > FILO_WINDOW_NONE)
        return FILO_MISTAKE("pass a FiloWindowPicture to filo_window_open; %d is none", (int)desc->picture);
    if (windows != NULL && windows->thread != filo_thread_id())
        return FILO_MISTAKE("call filo_window_open on the thread that has the other windows");
    return filo_ok();
}

FiloResult filo_window_open(FiloWindow **window, const FiloWindowDesc *desc) {
    static const FiloWindowDesc defaults;
    if (desc == NULL) desc = &defaults;
    if (window == NULL) return FILO_MISTAKE("pass a pointer to filo_window_open that the window goes to");
    *window = NULL;
    FiloResult mistake = check_desc(desc);
    if (mistake.code != FILO_OK) return mistake;

    FiloWindow *made = filo_alloc_zero(NULL, sizeof *made, 0);
    if (made == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a window");
    made->thread = filo_thread_id();
    made->picture = desc->picture;
    made->headless = desc->headless;
    made->full_screen = desc->full_screen;
    made->size.x = desc->width > 0 ? desc->width : DEFAULT_WIDTH;
    made->size.y = desc->height > 0 ? desc->height : DEFAULT_HEIGHT;
    made->next = windows;
    windows = made;
    FiloResult result = open_parts(made, desc);
    if (result.code != FILO_OK) {
        filo_window_close(made);
        return result;
    }
    platform_gamepads_init(made);
    push_initial_state(made);
    if (desc->icon != NULL) filo_window_set_icon(made, desc->icon);
    *window = made;
    return filo_ok();
}

// ---- Lost -----------------------------------------------------------------------------------------------

bool filo_window_lost(const FiloWindow *window) {
    return platform_window_usable(window, "filo_window_lost") && window->sdl != NULL && platform_x11_lost();
}

// ---- Closing --------------------------------------------------------------------------------------------

void filo_window_close(FiloWindow *window) {
    if (window == NULL || !platform_window_usable(window, "filo_window_close") ||
        !FILO_CHECK(!window->polling, "do not close a window inside of its listener: do it after the poll"))
        return;
    bool lost = filo_window_lost(window);
    if (window->captured && !lost) filo_window_capture_mouse(window, false);
    if (window->text_input && !lost) filo_window_text_input(window, false);
    FiloWindow **link = &windows;
    while (*link != NULL && *link != window) link = &(*link)->next;
    if (*link != NULL) *link = window->next;
    platform_gamepads_quit(window);
    if (window->owns_context && !lost) SDL_GL_DeleteContext(window->context);
    if (window->owns_sdl && !lost) SDL_DestroyWindow(window->sdl);
    platform_window_free_clipboard(window);
    if (!lost) platform_window_free_cursors(window);
    if (window->has_video) platform_sdl_video_quit();
    filo_array_deinit(&window->pending);
    filo_free(NULL, window, sizeof *window, 0);
}
