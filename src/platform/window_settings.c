// Getters and setters of an open window. A window that is not on a screen stores what was set, and returns it.

#include "platform/window.h"

#include <filo/log.h>
#include <filo/memory.h>

#include <string.h>

static bool on_screen(const FiloWindow *window) { return window->sdl != NULL && !window->headless; }

// ---- Getters --------------------------------------------------------------------------------------------

FiloIVec2 filo_window_size(const FiloWindow *window) {
    if (!platform_window_usable(window, "filo_window_size")) return (FiloIVec2){ 1, 1 };
    return window->size;
}

FiloIVec2 filo_window_pixels(const FiloWindow *window) {
    if (!platform_window_usable(window, "filo_window_pixels")) return (FiloIVec2){ 1, 1 };
    return window->pixels;
}

bool filo_window_focused(const FiloWindow *window) {
    return platform_window_usable(window, "filo_window_focused") && window->focused;
}

bool filo_window_minimised(const FiloWindow *window) {
    return platform_window_usable(window, "filo_window_minimised") && window->minimised;
}

bool filo_window_headless(const FiloWindow *window) {
    return platform_window_usable(window, "filo_window_headless") && window->headless;
}

bool filo_window_is_full_screen(const FiloWindow *window) {
    if (!platform_window_usable(window, "filo_window_is_full_screen")) return false;
    if (!on_screen(window)) return window->full_screen;
    return (SDL_GetWindowFlags(window->sdl) & SDL_WINDOW_FULLSCREEN) != 0;
}

double filo_window_refresh_rate(const FiloWindow *window) {
    SDL_DisplayMode mode;
    if (!platform_window_usable(window, "filo_window_refresh_rate") || !on_screen(window) ||
        SDL_GetCurrentDisplayMode(SDL_GetWindowDisplayIndex(window->sdl), &mode) != 0 ||
        mode.refresh_rate <= 0)
        return 60;
    return mode.refresh_rate;
}

// ---- Title, icon, size ----------------------------------------------------------------------------------

void filo_window_set_title(FiloWindow *window, const char *title) {
    if (!platform_window_usable(window, "filo_window_set_title")) return;
    if (window->sdl != NULL) SDL_SetWindowTitle(window->sdl, title != NULL ? title : "Filo");
}

static void copy_icon(SDL_Surface *surface, const FiloPixels *icon) {
    for (int y = 0; y < icon->height; y++) {
        uint8_t *to = (uint8_t *)surface->pixels + (ptrdiff_t)y * surface->pitch;
        for (int x = 0; x < icon->width; x++, to += 4) {
            FiloVec4 color = filo_color_to_straight(*filo_pixels_at(icon, x, y));
            to[0] = filo_byte_from_unit(color.x), to[1] = filo_byte_from_unit(color.y);
            to[2] = filo_byte_from_unit(color.z), to[3] = filo_byte_from_unit(color.w);
        }
    }
}

void filo_window_set_icon(FiloWindow *window, const FiloPixels *icon) {
    if (!platform_window_usable(window, "filo_window_set_icon") ||
        !FILO_CHECK(icon != NULL && icon->data != NULL && icon->width > 0 && icon->height > 0,
                    "pass a picture to filo_window_set_icon") ||
        !on_screen(window))
        return;
    SDL_Surface *surface =
        SDL_CreateRGBSurfaceWithFormat(0, icon->width, icon->height, 32, SDL_PIXELFORMAT_RGBA32);
    if (surface == NULL) {
        filo_log_warn("platform", "no icon for the window (SDL: %s)", SDL_GetError());
        return;
    }
    copy_icon(surface, icon);
    SDL_SetWindowIcon(window->sdl, surface); // copies
    SDL_FreeSurface(surface);
}

// SDL cannot resize an offscreen window. So it is replaced by another, which the context is made current on.
static bool replace_offscreen(FiloWindow *window, int width, int height) {
    SDL_Window *replacement =
        SDL_CreateWindow(SDL_GetWindowTitle(window->sdl), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                         width, height, SDL_GetWindowFlags(window->sdl));
    if (replacement == NULL || SDL_GL_MakeCurrent(replacement, window->context) != 0) {
        filo_log_warn("platform", "the headless window keeps its size (SDL: %s)", SDL_GetError());
        if (replacement != NULL) SDL_DestroyWindow(replacement);
        return false;
    }
    SDL_DestroyWindow(window->sdl);
    window->sdl = replacement;
    window->sdl_id = SDL_GetWindowID(replacement);
    return true;
}

void filo_window_set_size(FiloWindow *window, int width, int height) {
    if (!platform_window_usable(window, "filo_window_set_size") ||
        !FILO_CHECK(width > 0 && width <= FILO_PIXELS_MAX && height > 0 && height <= FILO_PIXELS_MAX,
                    "pass a width and height of 1 to %d to filo_window_set_size", FILO_PIXELS_MAX))
        return;
    if (width == window->size.x && height == window->size.y) return;
    if (window->sdl == NULL)
        window->size = (FiloIVec2){ width, height };
    else if (window->headless && window->owns_sdl)
        replace_offscreen(window, width, height);
    else
        SDL_SetWindowSize(window->sdl, width, height);
    platform_window_update_size(window);
}

// ---- Full screen, minimise, restore ---------------------------------------------------------------------

void filo_window_set_full_screen(FiloWindow *window, bool on) {
    if (!platform_window_usable(window, "filo_window_set_full_screen")) return;
    window->full_screen = on;
    if (!on_screen(window)) return;
    if (SDL_SetWindowFullscreen(window->sdl, on ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0) != 0)
        filo_log_warn("platform", "the window cannot %s the full screen (SDL: %s)", on ? "take" : "leave",
                      SDL_GetError());
    platform_window_update_size(window);
}

void filo_window_minimise(FiloWindow *window) {
    if (!platform_window_usable(window, "filo_window_minimise")) return;
    if (on_screen(window)) {
        SDL_MinimizeWindow(window->sdl);
        return;
    }
    window->minimised = true;
    platform_window_set_focus(window, false);
}

void filo_window_restore(FiloWindow *window) {
    if (!platform_window_usable(window, "filo_window_restore")) return;
    if (on_screen(window)) {
        SDL_RestoreWindow(window->sdl);
        return;
    }
    window->minimised = false;
    platform_window_set_focus(window, true);
}

// ---- Mouse and text -------------------------------------------------------------------------------------

void filo_window_capture_mouse(FiloWindow *window, bool on) {
    if (!platform_window_usable(window, "filo_window_capture_mouse") || window->captured == on) return;
    if (on_screen(window) && SDL_SetRelativeMouseMode(on ? SDL_TRUE : SDL_FALSE) != 0) {
        filo_log_warn("platform", "the mouse cannot be captured (SDL: %s)", SDL_GetError());
        return;
    }
    window->captured = on;
    platform_window_push(window, &(FiloInputChange){ .kind = FILO_INPUT_CAPTURE, .down = on });
}

void filo_window_show_cursor(FiloWindow *window, bool on) {
    if (!platform_window_usable(window, "filo_window_show_cursor")) return;
    if (on_screen(window)) SDL_ShowCursor(on ? SDL_ENABLE : SDL_DISABLE);
}

// SDL's text input is global: on or off for all windows.
static bool others_use_text_input(const FiloWindow *window) {
    for (const FiloWindow *other = platform_window_list(); other != NULL; other = other->next)
        if (other != window && other->text_input) return true;
    return false;
}

void filo_window_text_input(FiloWindow *window, bool on) {
    if (!platform_window_usable(window, "filo_window_text_input") || window->text_input == on) return;
    window->text_input = on;
    window->composition[0] = '\0';
    if (window->sdl == NULL) return;
    if (on)
        SDL_StartTextInput();
    else if (!others_use_text_input(window))
        SDL_StopTextInput();
}

static int to_points(float pixels, int size, int count) {
    return filo_round_to_int(pixels * (float)size / (float)FILO_MAX(count, 1));
}

void filo_window_set_text_area(FiloWindow *window, FiloRect area) {
    if (!platform_window_usable(window, "filo_window_set_text_area")) return;
    FiloRect old = window->text_area;
    if (old.min.x == area.min.x && old.min.y == area.min.y && old.max.x == area.max.x &&
        old.max.y == area.max.y)
        return;
    window->text_area = area;
    if (!on_screen(window)) return;
    FiloVec2 size = filo_rect_size(area);
    SDL_Rect rect = { .x = to_points(area.min.x, window->size.x, window->pixels.x),
                      .y = to_points(area.min.y, window->size.y, window->pixels.y),
                      .w = to_points(size.x, window->size.x, window->pixels.x),
                      .h = to_points(size.y, window->size.y, window->pixels.y) };
    SDL_SetTextInputRect(&rect);
}

const char *filo_window_composition(const FiloWindow *window) {
    return platform_window_usable(window, "filo_window_composition") ? window->composition : "";
}

// SDL's cursors are created when they are first used.
void filo_window_set_cursor(FiloWindow *window, FiloCursor cursor) {
    static const SDL_SystemCursor kinds[FILO_CURSOR_COUNT] = {
        [FILO_CURSOR_ARROW] = SDL_SYSTEM_CURSOR_ARROW,
        [FILO_CURSOR_TEXT] = SDL_SYSTEM_CURSOR_IBEAM,
        [FILO_CURSOR_HAND] = SDL_SYSTEM_CURSOR_HAND,
        [FILO_CURSOR_RESIZE_X] = SDL_SYSTEM_CURSOR_SIZEWE,
        [FILO_CURSOR_RESIZE_Y] = SDL_SYSTEM_CURSOR_SIZENS,
        [FILO_CURSOR_RESIZE_BOTH] = SDL_SYSTEM_CURSOR_SIZENWSE,
    };
    if (!platform_window_usable(window, "filo_window_set_cursor") ||
        !FILO_CHECK((unsigned)cursor < FILO_CURSOR_COUNT, "there is no cursor %d", (int)cursor) ||
        window->cursor == cursor)
        return;
    window->cursor = cursor;
    if (!on_screen(window)) return;
    SDL_Cursor *shape = window->cursors[cursor];
    if (shape == NULL) shape = window->cursors[cursor] = SDL_CreateSystemCursor(kinds[cursor]);
    if (shape != NULL) SDL_SetCursor(shape);
}

void platform_window_free_cursors(FiloWindow *window) {
    for (int i = 0; i < FILO_CURSOR_COUNT; i++)
        if (window->cursors[i] != NULL) SDL_FreeCursor(window->cursors[i]);
}

// ---- Clipboard ------------------------------------------------------------------------------------------

void platform_window_free_clipboard(FiloWindow *window) {
    if (window->clipboard_is_sdl)
        SDL_free(window->clipboard);
    else
        filo_free(NULL, window->clipboard, window->clipboard_size, 0);
    window->clipboard = NULL;
    window->clipboard_is_sdl = false;
    window->clipboard_size = 0;
}

const char *filo_clipboard_text(FiloWindow *window) {
    if (!platform_window_usable(window, "filo_clipboard_text")) return "";
    if (on_screen(window)) {
        platform_window_free_clipboard(window);
        window->clipboard = SDL_GetClipboardText();
        window->clipboard_is_sdl = true;
    }
    return window->clipboard != NULL ? window->clipboard : "";
}

void filo_clipboard_set_text(FiloWindow *window, const char *text) {
    if (!platform_window_usable(window, "filo_clipboard_set_text")) return;
    if (text == NULL) text = "";
    if (on_screen(window)) {
        if (SDL_SetClipboardText(text) != 0)
            filo_log_warn("platform", "the clipboard takes no text (SDL: %s)", SDL_GetError());
        return;
    }
    size_t size = strlen(text) + 1;
    char *copy = filo_alloc(NULL, size, 0);
    if (copy == NULL) return;
    memcpy(copy, text, size); // before the old text is freed: `text` may be the same
    platform_window_free_clipboard(window);
    window->clipboard = copy;
    window->clipboard_size = size;
}
