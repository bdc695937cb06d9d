// Initialises and quits SDL's video subsystem. SDL counts the calls. This file chooses the driver, of which a process
// has one at a time.

#include "platform/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool platform_sdl_driver_has_display(const char *driver) {
    return driver != NULL && strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0 &&
           strcmp(driver, "evdev") != 0;
}

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

static int init_with(const char *drivers) {
    char before[128] = "";
    const char *hint = SDL_GetHint(SDL_HINT_VIDEODRIVER);
    const char *variable = getenv(SDL_HINT_VIDEODRIVER);
    bool set_by_program = hint != NULL && (variable == NULL || strcmp(hint, variable) != 0);
    if (set_by_program) snprintf(before, sizeof before, "%s", hint);
    SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, drivers, SDL_HINT_OVERRIDE);
    int status = SDL_InitSubSystem(SDL_INIT_VIDEO);
    SDL_ResetHint(SDL_HINT_VIDEODRIVER);
    if (set_by_program) SDL_SetHint(SDL_HINT_VIDEODRIVER, before);
    return status;
}

static FiloResult init_headless(void) {
    if (init_with("offscreen") == 0) return filo_ok();
    return filo_error(FILO_ERROR_UNSUPPORTED, "no offscreen video: run with --backend cpu (SDL: %s)",
                      SDL_GetError());
}

static FiloResult init_on_display(void) {
    // Drivers whose display server seems to run. SDL would try all, and its Wayland driver prints an error without a
    // server.
    char drivers[64];
    bool x11 = is_set("DISPLAY"), wayland = is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET");
    snprintf(drivers, sizeof drivers, "%s%sKMSDRM", x11 ? "x11," : "", wayland ? "wayland," : "");
    const char *chosen = SDL_GetHint(SDL_HINT_VIDEODRIVER);
    bool is_chosen = chosen != NULL && chosen[0] != '\0';
    // By default SDL shows window surfaces by GL, which is slow without a graphics card. The hint is read when video is
    // initialised. SDL ignores it where there is no alternative, as on Wayland.
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    int status = is_chosen ? SDL_InitSubSystem(SDL_INIT_VIDEO) : init_with(drivers);
    // An X server without other clients starts anew when the last window is closed, and refuses connections meanwhile.
    for (int i = 0; status != 0 && x11 && i < 8; i++) {
        SDL_Delay(25);
        status = is_chosen ? SDL_InitSubSystem(SDL_INIT_VIDEO) : init_with(drivers);
    }
    if (status != 0)
        return filo_error(FILO_ERROR_UNSUPPORTED, "no display: run with --headless (SDL: %s)",
                          SDL_GetError());
    const char *driver = SDL_GetCurrentVideoDriver();
    if (platform_sdl_driver_has_display(driver)) return filo_ok();
    FiloResult result =
        filo_error(FILO_ERROR_UNSUPPORTED, "no display: run with --headless (SDL's driver is %s)", driver);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    return result;
}

FiloResult platform_sdl_video_init(bool headless) {
    if (SDL_WasInit(SDL_INIT_VIDEO) == 0) {
        FiloResult result = headless ? init_headless() : init_on_display();
        if (result.code == FILO_OK) platform_x11_begin();
        // SDL starts with text input on; in Filo it is off until filo_window_text_input.
        if (result.code == FILO_OK) SDL_StopTextInput();
        return result;
    }
    const char *driver = SDL_GetCurrentVideoDriver();
    if (!headless && !platform_sdl_driver_has_display(driver))
        return filo_error(
            FILO_ERROR_UNSUPPORTED,
            "no display: SDL's video is in use with the driver %s; close the headless window first", driver);
    SDL_InitSubSystem(SDL_INIT_VIDEO);
    return filo_ok();
}

void platform_sdl_video_quit(void) {
    if (!platform_x11_lost()) SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

FiloPlatformInfo filo_platform_info(void) {
    FiloPlatformInfo info = { .video_driver = "" };
    bool running = SDL_WasInit(SDL_INIT_VIDEO) != 0;
    if (!running && init_on_display().code != FILO_OK) return info;
    // The names are constants inside SDL: they stay valid after SDL_QuitSubSystem.
    info.video_driver = SDL_GetCurrentVideoDriver();
    info.display = platform_sdl_driver_has_display(info.video_driver);
    if (!running) SDL_QuitSubSystem(SDL_INIT_VIDEO);
    return info;
}
