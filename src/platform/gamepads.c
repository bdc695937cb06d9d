// Gamepads: SDL's game controllers in FILO_INPUT_PADS slots. The slots are global, as SDL's controllers are: every
// window that uses gamepads gets the changes of all of them.
//
// A gamepad gets the lowest free slot when it is connected, and has it until it is disconnected. When a slot becomes
// free, a gamepad that found none gets it.

#include "platform/window.h"

#include <filo/log.h>

static SDL_GameController *pads[FILO_INPUT_PADS];
static int users; // windows that use gamepads

static int slot_of(SDL_JoystickID instance) {
    for (int i = 0; i < FILO_INPUT_PADS; i++)
        if (pads[i] != NULL && SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(pads[i])) == instance)
            return i;
    return -1;
}

// SDL's range is −32768 to 32767, with down as positive.
static float axis_value(int axis, Sint16 value) {
    float unit = FILO_MAX((float)value / 32767.0f, -1.0f);
    return axis == FILO_AXIS_LEFT_Y || axis == FILO_AXIS_RIGHT_Y ? -unit : unit;
}

// ---- Connecting and disconnecting -----------------------------------------------------------------------

static void push_to_users(const FiloInputChange *change) {
    for (FiloWindow *window = platform_window_list(); window != NULL; window = window->next)
        if (window->has_gamepads) platform_window_push(window, change);
}

static void push_connected(int slot, bool connected) {
    push_to_users(&(FiloInputChange){ .kind = FILO_INPUT_PAD, .pad = slot, .down = connected });
}

static void add_pad(int device) {
    if (!SDL_IsGameController(device) || slot_of(SDL_JoystickGetDeviceInstanceID(device)) >= 0) return;
    int slot = 0;
    while (slot < FILO_INPUT_PADS && pads[slot] != NULL) slot++;
    if (slot == FILO_INPUT_PADS) return;
    pads[slot] = SDL_GameControllerOpen(device);
    if (pads[slot] == NULL) {
        filo_log_warn("platform", "a gamepad cannot be opened (SDL: %s)", SDL_GetError());
        return;
    }
    filo_log_debug("platform", "gamepad %d is \"%s\"", slot, SDL_GameControllerName(pads[slot]));
    push_connected(slot, true);
}

static void add_all_pads(void) {
    for (int device = 0; device < SDL_NumJoysticks(); device++) add_pad(device);
}

static void remove_pad(SDL_JoystickID instance) {
    int slot = slot_of(instance);
    if (slot < 0) return;
    SDL_GameControllerClose(pads[slot]);
    pads[slot] = NULL;
    push_connected(slot, false);
    add_all_pads();
}

// ---- Windows --------------------------------------------------------------------------------------------

void platform_gamepads_init(FiloWindow *window) {
    if (window->headless) {
        if (SDL_WasInit(SDL_INIT_GAMECONTROLLER) == 0) return;
        // By default SDL drops gamepad events while none of its windows has the focus. Offscreen windows never have it.
        SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    }
    if (SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) != 0) {
        filo_log_warn("platform", "no gamepads (SDL: %s)", SDL_GetError());
        return;
    }
    users++;
    for (int i = 0; i < FILO_INPUT_PADS; i++)
        if (pads[i] != NULL)
            platform_window_push(window,
                                 &(FiloInputChange){ .kind = FILO_INPUT_PAD, .pad = i, .down = true });
    window->has_gamepads = true;
    add_all_pads();
}

void platform_gamepads_quit(FiloWindow *window) {
    if (!window->has_gamepads) return;
    window->has_gamepads = false;
    if (--users == 0) {
        for (int i = 0; i < FILO_INPUT_PADS; i++) {
            if (pads[i] != NULL) SDL_GameControllerClose(pads[i]);
            pads[i] = NULL;
        }
    }
    SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
}

void platform_gamepads_push_axes(FiloWindow *window) {
    for (int i = 0; window->has_gamepads && i < FILO_INPUT_PADS; i++) {
        for (int axis = 0; pads[i] != NULL && axis < FILO_AXIS_COUNT; axis++) {
            Sint16 value = SDL_GameControllerGetAxis(pads[i], (SDL_GameControllerAxis)axis);
            if (value == 0) continue;
            platform_window_push(window, &(FiloInputChange){ .kind = FILO_INPUT_PAD_AXIS,
                                                             .pad = i,
                                                             .axis = axis,
                                                             .value = axis_value(axis, value) });
        }
    }
}

// ---- Events ---------------------------------------------------------------------------------------------

static void axis_event(const SDL_ControllerAxisEvent *event) {
    int slot = slot_of(event->which);
    if (slot < 0 || event->axis >= FILO_AXIS_COUNT) return; // SDL's axes have the same order
    push_to_users(&(FiloInputChange){ .kind = FILO_INPUT_PAD_AXIS,
                                      .pad = slot,
                                      .axis = event->axis,
                                      .value = axis_value(event->axis, event->value) });
}

static void button_event(const SDL_ControllerButtonEvent *event) {
    int slot = slot_of(event->which);
    if (slot < 0 || event->button > SDL_CONTROLLER_BUTTON_DPAD_RIGHT) return; // and its buttons
    push_to_users(&(FiloInputChange){ .kind = FILO_INPUT_PAD_KEY,
                                      .pad = slot,
                                      .key = FILO_PAD_A + event->button,
                                      .down = event->state == SDL_PRESSED });
}

_Static_assert(SDL_CONTROLLER_AXIS_TRIGGERRIGHT == (int)FILO_AXIS_RIGHT_TRIGGER &&
                   SDL_CONTROLLER_BUTTON_DPAD_RIGHT == FILO_PAD_RIGHT - FILO_PAD_A,
               "the buttons and axes of SDL have another order");

bool platform_gamepads_event(const SDL_Event *event) {
    if (event->type < SDL_CONTROLLERAXISMOTION || event->type > SDL_CONTROLLERSENSORUPDATE) return false;
    if (users == 0) return true;
    switch (event->type) {
    case SDL_CONTROLLERDEVICEADDED: add_pad(event->cdevice.which); break;
    case SDL_CONTROLLERDEVICEREMOVED: remove_pad(event->cdevice.which); break;
    case SDL_CONTROLLERAXISMOTION: axis_event(&event->caxis); break;
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP: button_event(&event->cbutton); break;
    default: break;
    }
    return true;
}

// ---- Rumble and name ------------------------------------------------------------------------------------

static SDL_GameController *usable_pad(const FiloWindow *window, int pad, const char *function) {
    if (!platform_window_usable(window, function) ||
        !FILO_CHECK(pad >= 0 && pad < FILO_INPUT_PADS, "pass the number of a gamepad, 0 to %d, to %s",
                    FILO_INPUT_PADS - 1, function))
        return NULL;
    return window->has_gamepads ? pads[pad] : NULL;
}

bool filo_gamepad_rumble(FiloWindow *window, int pad, float strong, float weak, int milliseconds) {
    SDL_GameController *controller = usable_pad(window, pad, "filo_gamepad_rumble");
    if (controller == NULL) return false;
    Uint16 low = (Uint16)(filo_clamp01(strong) * 65535.0f), high = (Uint16)(filo_clamp01(weak) * 65535.0f);
    return SDL_GameControllerRumble(controller, low, high, (Uint32)FILO_MAX(milliseconds, 0)) == 0;
}

const char *filo_gamepad_name(const FiloWindow *window, int pad) {
    SDL_GameController *controller = usable_pad(window, pad, "filo_gamepad_name");
    const char *name = controller != NULL ? SDL_GameControllerName(controller) : NULL;
    return name != NULL ? name : "";
}
