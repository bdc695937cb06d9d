// SDL's video, begun and ended in pairs. SDL counts; what is decided here is the driver, of which there is one
// in a process at a time.

#include "platform/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool platform_sdl_driver_shows(const char *driver) {
    return driver != NULL && strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0 &&
           strcmp(driver, "evdev") != 0;
}

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

// SDL would try all it knows, and its Wayland complains on standard error where there is none.
static void drivers_worth_trying(char *list, size_t size) {
    bool x11 = is_set("DISPLAY"), wayland = is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET");
    snprintf(list, size, "%s%sKMSDRM", x11 ? "x11," : "", wayland ? "wayland," : "");
}

static int begin_with(const char *drivers) {
    char before[128] = "";
    const char *hint = SDL_GetHint(SDL_HINT_VIDEODRIVER);
    const char *variable = getenv(SDL_HINT_VIDEODRIVER);
    bool of_program = hint != NULL && (variable == NULL || strcmp(hint, variable) != 0);
    if (of_program) snprintf(before, sizeof before, "%s", hint);
    SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, drivers, SDL_HINT_OVERRIDE);
    int status = SDL_InitSubSystem(SDL_INIT_VIDEO);
    SDL_ResetHint(SDL_HINT_VIDEODRIVER);
    if (of_program) SDL_SetHint(SDL_HINT_VIDEODRIVER, before);
    return status;
}

static FiloResult begin_headless(void) {
    if (begin_with("offscreen") == 0) return filo_ok();
    return filo_error(FILO_ERROR_UNSUPPORTED, "no offscreen video: run with --backend cpu (SDL: %s)",
                      SDL_GetError());
}

static FiloResult begin_on_display(void) {
    char drivers[64];
    drivers_worth_trying(drivers, sizeof drivers);
    const char *chosen = SDL_GetHint(SDL_HINT_VIDEODRIVER);
    bool has_choice = chosen != NULL && chosen[0] != '\0';
    // SDL would show pixels by GL, which is slow just where the CPU draws for want of a graphics card. It decides
    // when its video begins; where there is no other way, as on Wayland, it takes no notice.
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    int status = has_choice ? SDL_InitSubSystem(SDL_INIT_VIDEO) : begin_with(drivers);
    if (status != 0)
        return filo_error(FILO_ERROR_UNSUPPORTED, "no display: run with --headless (SDL: %s)",
                          SDL_GetError());
    const char *driver = SDL_GetCurrentVideoDriver();
    if (platform_sdl_driver_shows(driver)) return filo_ok();
    FiloResult result =
        filo_error(FILO_ERROR_UNSUPPORTED, "no display: run with --headless (SDL's driver is %s)", driver);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    return result;
}

FiloResult platform_sdl_video_begin(bool headless) {
    if (SDL_WasInit(SDL_INIT_VIDEO) == 0) {
        FiloResult result = headless ? begin_headless() : begin_on_display();
        // SDL begins with text input on; here keys are keys until a game asks for text.
        if (result.code == FILO_OK) SDL_StopTextInput();
        return result;
    }
    const char *driver = SDL_GetCurrentVideoDriver();
    if (!headless && !platform_sdl_driver_shows(driver))
        return filo_error(
            FILO_ERROR_UNSUPPORTED,
            "no display: SDL's video is in use with the driver %s; close the headless window first", driver);
    SDL_InitSubSystem(SDL_INIT_VIDEO);
    return filo_ok();
}

void platform_sdl_video_end(void) { SDL_QuitSubSystem(SDL_INIT_VIDEO); }

FiloPlatformInfo filo_platform_info(void) {
    FiloPlatformInfo info = { .video_driver = "" };
    bool running = SDL_WasInit(SDL_INIT_VIDEO) != 0;
    if (!running && begin_on_display().code != FILO_OK) return info;
    // The names are constants inside SDL: they stay when its video ends.
    info.video_driver = SDL_GetCurrentVideoDriver();
    info.display = platform_sdl_driver_shows(info.video_driver);
    if (!running) SDL_QuitSubSystem(SDL_INIT_VIDEO);
    return info;
}
