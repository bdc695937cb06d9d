// Turns SDL's events into changes of input.
//
// Every change is appended to the pending list of its window, and removed from it by filo_window_poll. So changes that
// arrive while another window is polled wait for a poll of their own window, and changes by functions of the window (a
// new size, the mouse captured) are in order with the rest. The list's memory is reused: a steady frame does not
// allocate.

#include "platform/window.h"

#include <filo/log.h>
#include <filo/time.h>

// ---- Pending changes ------------------------------------------------------------------------------------

static bool append_pending(FiloWindow *window, FiloInputChange change) {
    return window->pending.count < PLATFORM_WINDOW_PENDING_LIMIT && filo_array_push(&window->pending, change);
}

// Removes all pending changes: the window is not polled, or there is no memory. Losing the focus releases all keys;
// otherwise a key whose release is lost would stay down.
static void drop_pending(FiloWindow *window) {
    filo_log_warn("platform", "a window was not polled: %zu changes of input are lost",
                  window->pending.count);
    filo_array_clear(&window->pending);
    append_pending(window, (FiloInputChange){ .kind = FILO_INPUT_FOCUS });
    if (window->focused) append_pending(window, (FiloInputChange){ .kind = FILO_INPUT_FOCUS, .down = true });
}

void platform_window_push(FiloWindow *window, const FiloInputChange *change) {
    // SDL sends both SDL_WINDOWEVENT_CLOSE and SDL_QUIT when the last window is closed.
    if (change->kind == FILO_INPUT_QUIT && window->pending.count > 0 &&
        window->pending.items[window->pending.count - 1].kind == FILO_INPUT_QUIT)
        return;
    if (append_pending(window, *change)) return;
    drop_pending(window);
    append_pending(window, *change);
}

static void deliver(FiloWindow *window, FiloInputCollector *collector, FiloInputListener listen, void *user) {
    window->polling = true;
    for (size_t i = 0; i < window->pending.count; i++) {
        FiloInputChange change = window->pending.items[i]; // a copy: the listener may make the list grow
        if (collector != NULL && !filo_input_collect(collector, &change)) continue;
        if (listen != NULL) listen(&change, user);
    }
    filo_array_clear(&window->pending);
    window->polling = false;
}

// ---- The window itself ----------------------------------------------------------------------------------

void platform_window_set_focus(FiloWindow *window, bool focused) {
    if (window->focused == focused) return;
    window->focused = focused;
    platform_window_push(window, &(FiloInputChange){ .kind = FILO_INPUT_FOCUS, .down = focused });
    // Losing the focus has centred the sticks, and SDL sends events only when they move.
    if (focused) platform_gamepads_push_axes(window);
}

static void window_event(FiloWindow *window, const SDL_WindowEvent *event) {
    switch (event->event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED: platform_window_update_size(window); break;
    case SDL_WINDOWEVENT_MINIMIZED: window->minimised = true; break;
    case SDL_WINDOWEVENT_MAXIMIZED:
    case SDL_WINDOWEVENT_RESTORED: window->minimised = false; break;
    case SDL_WINDOWEVENT_FOCUS_GAINED: platform_window_set_focus(window, true); break;
    case SDL_WINDOWEVENT_FOCUS_LOST: platform_window_set_focus(window, false); break;
    case SDL_WINDOWEVENT_CLOSE:
        platform_window_push(window, &(FiloInputChange){ .kind = FILO_INPUT_QUIT });
        break;
    default: break;
    }
}

// ---- Keyboard and mouse ---------------------------------------------------------------------------------

static void key_event(FiloWindow *window, const SDL_KeyboardEvent *event) {
    // Scancodes of SDL and FiloKey are both USB usages. Larger scancodes are SDL's own.
    int key = (int)event->keysym.scancode;
    if (event->repeat != 0 || key < FILO_KEY_A || key > FILO_KEY_RIGHT_SUPER) return;
    platform_window_push(
        window,
        &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = key, .down = event->state == SDL_PRESSED });
}

static void button_event(FiloWindow *window, const SDL_MouseButtonEvent *event) {
    static const FiloKey keys[] = { [SDL_BUTTON_LEFT] = FILO_MOUSE_LEFT,
                                    [SDL_BUTTON_MIDDLE] = FILO_MOUSE_MIDDLE,
                                    [SDL_BUTTON_RIGHT] = FILO_MOUSE_RIGHT,
                                    [SDL_BUTTON_X1] = FILO_MOUSE_4,
                                    [SDL_BUTTON_X2] = FILO_MOUSE_5 };
    if (event->button >= FILO_COUNT_OF(keys) || keys[event->button] == FILO_KEY_NONE) return;
    platform_window_push(window, &(FiloInputChange){ .kind = FILO_INPUT_KEY,
                                                     .key = (int32_t)keys[event->button],
                                                     .down = event->state == SDL_PRESSED,
                                                     .position = window->mouse });
}

// SDL has the position of the mouse in points.
static FiloVec2 to_pixels(const FiloWindow *window, int x, int y) {
    return filo_vec2((float)x * (float)window->pixels.x / (float)window->size.x,
                     (float)y * (float)window->pixels.y / (float)window->size.y);
}

static void motion_event(FiloWindow *window, const SDL_MouseMotionEvent *event) {
    if (!window->captured) window->mouse = to_pixels(window, event->x, event->y);
    platform_window_push(window, &(FiloInputChange){ .kind = FILO_INPUT_MOUSE,
                                                     .position = window->mouse,
                                                     .move = to_pixels(window, event->xrel, event->yrel) });
}

static void wheel_event(FiloWindow *window, const SDL_MouseWheelEvent *event) {
    platform_window_push(window, &(FiloInputChange){ .kind = FILO_INPUT_WHEEL,
                                                     .position = window->mouse,
                                                     .move = { event->preciseX, event->preciseY } });
}

static void text_event(FiloWindow *window, const SDL_TextInputEvent *event) {
    if (!window->text_input) return;
    window->composition[0] = '\0';
    FiloInputChange change = { .kind = FILO_INPUT_TYPED };
    filo_string_copy(filo_string(event->text), change.text, sizeof change.text);
    platform_window_push(window, &change);
}

static void composition_event(FiloWindow *window, const char *text) {
    if (window->text_input)
        filo_string_copy(filo_string(text), window->composition, sizeof window->composition);
}

// ---- Events ---------------------------------------------------------------------------------------------

static FiloWindow *find_window(uint32_t sdl_id) {
    FiloWindow *window = platform_window_list();
    while (window != NULL && (window->sdl == NULL || window->sdl_id != sdl_id)) window = window->next;
    return window;
}

static void quit_event(void) {
    for (FiloWindow *window = platform_window_list(); window != NULL; window = window->next)
        if (window->sdl != NULL) platform_window_push(window, &(FiloInputChange){ .kind = FILO_INPUT_QUIT });
}

void filo_window_event(const void *sdl_event) {
    if (!FILO_CHECK(sdl_event != NULL, "pass an SDL_Event to filo_window_event")) return;
    const SDL_Event *event = sdl_event;
    if (event->type == SDL_QUIT) {
        quit_event();
        return;
    }
    if (platform_gamepads_event(event)) return;
    // windowID has the same offset in all of these events.
    FiloWindow *window = find_window(event->window.windowID);
    if (window == NULL) return;
    switch (event->type) {
    case SDL_WINDOWEVENT: window_event(window, &event->window); break;
    case SDL_KEYDOWN:
    case SDL_KEYUP: key_event(window, &event->key); break;
    case SDL_MOUSEMOTION: motion_event(window, &event->motion); break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP: button_event(window, &event->button); break;
    case SDL_MOUSEWHEEL: wheel_event(window, &event->wheel); break;
    case SDL_TEXTINPUT: text_event(window, &event->text); break;
    case SDL_TEXTEDITING: composition_event(window, event->edit.text); break;
    case SDL_TEXTEDITING_EXT: composition_event(window, event->editExt.text); break;
    default: break;
    }
}

static void poll_sdl_events(void) {
    if (SDL_WasInit(SDL_INIT_EVENTS) == 0) return;
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        filo_window_event(&event);
        if (event.type == SDL_DROPFILE || event.type == SDL_DROPTEXT) SDL_free(event.drop.file);
        if (event.type == SDL_TEXTEDITING_EXT) SDL_free(event.editExt.text);
    }
}

void filo_window_poll(FiloWindow *window, FiloInputCollector *collector, FiloInputListener listen,
                      void *user) {
    if (!platform_window_usable(window, "filo_window_poll") ||
        !FILO_CHECK(!window->polling, "do not poll a window inside of its listener"))
        return;
    poll_sdl_events();
    deliver(window, collector, listen, user);
}

// Not SDL_WaitEventTimeout: on X11 it wakes itself up by a message to the window, sent through a second connection. If
// the window has been closed when the message arrives, Xlib ends the program. (With a gamepad, it polls every
// millisecond.)
static void sleep_until_event(int64_t deadline) {
    for (int64_t slice = FILO_MILLISECOND;; slice = FILO_MIN(slice * 2, 8 * FILO_MILLISECOND)) {
        SDL_PumpEvents();
        int64_t remaining = deadline - filo_time_ns();
        if (remaining <= 0 || SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT)) return;
        SDL_Delay((Uint32)((FILO_MIN(remaining, slice) - 1) / FILO_MILLISECOND + 1));
    }
}

void filo_window_wait(FiloWindow *window, FiloInputCollector *collector, int64_t timeout_ns) {
    if (!platform_window_usable(window, "filo_window_wait")) return;
    if (window->pending.count == 0 && timeout_ns > 0) {
        if (SDL_WasInit(SDL_INIT_EVENTS) != 0)
            sleep_until_event(filo_time_ns() + FILO_MIN(timeout_ns, INT64_MAX / 2));
        else
            filo_sleep_ns(timeout_ns);
    }
    filo_window_poll(window, collector, NULL, NULL);
}
