// The picture of a window: a GL context, or pixels from the CPU.
//
// Pixels are copied to SDL's window surface, which on X11 is memory shared with the server. One pass converts the pixel
// format and stretches.

#include "platform/window.h"

// Pixels of the largest window, half a gigabyte: SDL allocates a surface of the window's size.
#define SURFACE_MAX_PIXELS (INT64_C(1) << 27)

// ---- GL -------------------------------------------------------------------------------------------------

static const int gl_versions[][2] = { { 4, 5 }, { 4, 4 }, { 4, 3 }, { 4, 2 }, { 4, 1 }, { 4, 0 }, { 3, 3 } };

static bool version_allowed(const FiloWindowDesc *desc, const int version[2]) {
    if (desc->gl_major == 0) return true;
    return version[0] < desc->gl_major || (version[0] == desc->gl_major && version[1] <= desc->gl_minor);
}

void platform_window_set_gl_attributes(const FiloWindowDesc *desc) {
    SDL_GL_ResetAttributes();
    SDL_GL_SetAttribute(SDL_GL_RED_SIZE, 8);
    SDL_GL_SetAttribute(SDL_GL_GREEN_SIZE, 8);
    SDL_GL_SetAttribute(SDL_GL_BLUE_SIZE, 8);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    SDL_GL_SetAttribute(SDL_GL_STENCIL_SIZE, 8);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, desc->debug ? SDL_GL_CONTEXT_DEBUG_FLAG : 0);
}

FiloResult platform_window_create_gl_context(FiloWindow *window, const FiloWindowDesc *desc) {
    platform_window_set_gl_attributes(desc);
    for (size_t i = 0; i < FILO_COUNT_OF(gl_versions) && window->context == NULL; i++) {
        if (!version_allowed(desc, gl_versions[i])) continue;
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, gl_versions[i][0]);
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, gl_versions[i][1]);
        window->context = SDL_GL_CreateContext(window->sdl);
    }
    if (window->context == NULL)
        return filo_error(FILO_ERROR_UNSUPPORTED, "no OpenGL 3.3 or later: try --backend cpu (SDL: %s)",
                          SDL_GetError());
    window->owns_context = true;
    SDL_GL_SetSwapInterval(desc->no_vsync || window->headless ? 0 : 1);
    return filo_ok();
}

void filo_window_make_current(FiloWindow *window) {
    if (!platform_window_usable(window, "filo_window_make_current") || window->context == NULL) return;
    if (SDL_GL_GetCurrentContext() != window->context || SDL_GL_GetCurrentWindow() != window->sdl)
        SDL_GL_MakeCurrent(window->sdl, window->context);
}

void filo_window_present(FiloWindow *window) {
    if (!platform_window_usable(window, "filo_window_present")) return;
    // Some drivers never return from SwapWindow while the window is minimised.
    if (window->context != NULL && !window->minimised) SDL_GL_SwapWindow(window->sdl);
}

bool filo_window_set_vsync(FiloWindow *window, bool on) {
    if (!platform_window_usable(window, "filo_window_set_vsync")) return false;
    if (window->context == NULL || window->headless) return !on;
    filo_window_make_current(window);
    return SDL_GL_SetSwapInterval(on) == 0 || SDL_GL_GetSwapInterval() == on;
}

// ---- Pixels ---------------------------------------------------------------------------------------------

// The pixel format of the surface: 32 bits.
typedef struct Layout {
    int r, g, b; // bits to shift by
} Layout;

static uint32_t pixel(FiloColor color, Layout layout) {
    return (uint32_t)color.r << layout.r | (uint32_t)color.g << layout.g | (uint32_t)color.b << layout.b;
}

static void copy_row(uint32_t *to, const FiloColor *from, int width, Layout layout) {
    if (layout.r == 16 && layout.g == 8 && layout.b == 0) // constants let the compiler vectorise
        for (int x = 0; x < width; x++) to[x] = pixel(from[x], (Layout){ 16, 8, 0 });
    else
        for (int x = 0; x < width; x++) to[x] = pixel(from[x], layout);
}

// Nearest-neighbour sampling: the pixels of small pictures stay sharp.
static void stretch_row(uint32_t *to, int to_width, const FiloColor *from, int from_width, Layout layout) {
    uint64_t step = ((uint64_t)from_width << 32) / (uint64_t)to_width, at = step / 2;
    for (int x = 0; x < to_width; x++, at += step) to[x] = pixel(from[at >> 32], layout);
}

static void stretch(SDL_Surface *surface, const FiloPixels *pixels) {
    Layout layout = { surface->format->Rshift, surface->format->Gshift, surface->format->Bshift };
    uint64_t step = ((uint64_t)pixels->height << 32) / (uint64_t)surface->h, at = step / 2;
    for (int y = 0; y < surface->h; y++, at += step) {
        uint32_t *to = (uint32_t *)(void *)((uint8_t *)surface->pixels + (ptrdiff_t)y * surface->pitch);
        const FiloColor *from = filo_pixels_at(pixels, 0, (int)(at >> 32));
        if (surface->w == pixels->width)
            copy_row(to, from, surface->w, layout);
        else
            stretch_row(to, surface->w, from, pixels->width, layout);
    }
}

static FiloResult show_on_surface(FiloWindow *window, const FiloPixels *pixels) {
    if ((int64_t)window->pixels.x * window->pixels.y > SURFACE_MAX_PIXELS)
        return filo_error(FILO_ERROR_LIMIT, "the window is %d × %d, too large to show pixels",
                          window->pixels.x, window->pixels.y);
    SDL_Surface *surface = SDL_GetWindowSurface(window->sdl); // a new surface after a change of size
    if (surface == NULL)
        return filo_error(FILO_ERROR_UNSUPPORTED, "the window cannot show pixels (SDL: %s)", SDL_GetError());
    if (surface->format->BytesPerPixel != 4)
        return filo_error(FILO_ERROR_UNSUPPORTED, "the screen has %d bits a pixel; 32 are needed",
                          surface->format->BitsPerPixel);
    if (SDL_MUSTLOCK(surface) && SDL_LockSurface(surface) != 0)
        return filo_error(FILO_ERROR_IO, "the window's pixels cannot be locked (SDL: %s)", SDL_GetError());
    stretch(surface, pixels);
    if (SDL_MUSTLOCK(surface)) SDL_UnlockSurface(surface);
    if (SDL_UpdateWindowSurface(window->sdl) != 0)
        return filo_error(FILO_ERROR_IO, "the window cannot be updated (SDL: %s)", SDL_GetError());
    return filo_ok();
}

FiloResult filo_window_show(FiloWindow *window, const FiloPixels *pixels) {
    FiloResult mistake = platform_window_check(window, "filo_window_show");
    if (mistake.code != FILO_OK) return mistake;
    if (pixels == NULL || pixels->data == NULL || pixels->width <= 0 || pixels->height <= 0)
        return FILO_MISTAKE("pass a picture to filo_window_show");
    if (window->picture != FILO_WINDOW_CPU)
        return filo_error(FILO_ERROR_UNSUPPORTED,
                          "filo_window_show needs a window that was opened with FILO_WINDOW_CPU");
    if (window->sdl == NULL || window->headless || window->minimised) return filo_ok();
    return show_on_surface(window, pixels);
}
