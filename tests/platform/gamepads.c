// SDL's virtual gamepads, on headless windows.

#include <filo/platform.h>

#include "support/screenless.h"
#include "support/test.h"

#include <SDL2/SDL.h>

static FiloWindow *window;
static FiloInputCollector collector;
static FiloInputChange received[64];
static int received_count;
static Uint16 rumbled[2];

static int SDLCALL rumble(void *user, Uint16 low, Uint16 high) {
    FILO_UNUSED(user);
    rumbled[0] = low, rumbled[1] = high;
    return 0;
}

// Real gamepads are ignored.
static void begin(void) {
    collector = (FiloInputCollector){ 0 };
    SDL_SetHint(SDL_HINT_GAMECONTROLLER_IGNORE_DEVICES_EXCEPT, "0x4711/0x0815");
    assert_int_equal(SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER), 0);
    assert_ok(filo_window_open(&window, &(FiloWindowDesc){ .headless = true, .picture = FILO_WINDOW_NONE }));
}

static void end(void) {
    filo_window_close(window);
    SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
    assert_int_equal(SDL_WasInit(0), 0);
}

static int index_of(SDL_JoystickID instance) {
    for (int i = 0; i < SDL_NumJoysticks(); i++)
        if (SDL_JoystickGetDeviceInstanceID(i) == instance) return i;
    fail_msg("no such device");
    return -1;
}

static SDL_JoystickID connect_pad(const char *name) {
    SDL_VirtualJoystickDesc desc = { .version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION,
                                     .type = SDL_JOYSTICK_TYPE_GAMECONTROLLER,
                                     .naxes = SDL_CONTROLLER_AXIS_MAX,
                                     .nbuttons = SDL_CONTROLLER_BUTTON_MAX,
                                     .vendor_id = 0x4711,
                                     .product_id = 0x0815,
                                     .name = name,
                                     .Rumble = rumble };
    int device = SDL_JoystickAttachVirtualEx(&desc);
    assert_true(device >= 0);
    assert_true(SDL_IsGameController(device));
    return SDL_JoystickGetDeviceInstanceID(device);
}

static void disconnect_pad(SDL_JoystickID instance) {
    assert_int_equal(SDL_JoystickDetachVirtual(index_of(instance)), 0);
}

static void press(SDL_JoystickID instance, int button, bool down) {
    SDL_JoystickSetVirtualButton(SDL_JoystickFromInstanceID(instance), button, down);
}

static void tilt(SDL_JoystickID instance, int axis, Sint16 value) {
    SDL_JoystickSetVirtualAxis(SDL_JoystickFromInstanceID(instance), axis, value);
}

static void receive(const FiloInputChange *change, void *user) {
    FILO_UNUSED(user);
    if (received_count < (int)FILO_COUNT_OF(received)) received[received_count++] = *change;
}

static FiloInput tick(void) {
    FiloInput input;
    received_count = 0;
    filo_window_poll(window, &collector, receive, NULL);
    filo_input_take(&collector, NULL, &input);
    return input;
}

FILO_TEST(a_gamepad_is_connected_from_the_next_poll_on) {
    begin();
    assert_false(tick().pads[0].connected);
    SDL_JoystickID pad = connect_pad("Made Up");
    assert_true(tick().pads[0].connected);
    assert_string_equal(filo_gamepad_name(window, 0), "Made Up");
    assert_string_equal(filo_gamepad_name(window, 1), "");
    disconnect_pad(pad);
    assert_false(tick().pads[0].connected);
    assert_string_equal(filo_gamepad_name(window, 0), "");
    end();
}

FILO_TEST(a_gamepad_that_was_connected_before_the_window_opened_is_found) {
    SDL_SetHint(SDL_HINT_GAMECONTROLLER_IGNORE_DEVICES_EXCEPT, "0x4711/0x0815");
    assert_int_equal(SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER), 0);
    SDL_JoystickID pad = connect_pad("Early");
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT); // as if the program had taken them
    begin();
    assert_true(tick().pads[0].connected);
    FiloWindow *second;
    assert_ok(filo_window_open(&second, &(FiloWindowDesc){ .headless = true, .picture = FILO_WINDOW_NONE }));
    FiloInputCollector other = { 0 };
    filo_window_poll(second, &other, NULL, NULL);
    assert_true(other.now.pads[0].connected);
    filo_window_close(second);
    press(pad, SDL_CONTROLLER_BUTTON_A, true); // the other window still gets it
    FiloInput input = tick();
    assert_true(filo_gamepad_down(&input, 0, FILO_PAD_A));
    disconnect_pad(pad);
    SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
    end();
}

FILO_TEST(every_button_arrives_under_its_name) {
    begin();
    SDL_JoystickID pad = connect_pad("Buttons");
    tick();
    static const struct {
        int sdl;
        FiloKey key;
    } buttons[] = {
        { SDL_CONTROLLER_BUTTON_A, FILO_PAD_A },
        { SDL_CONTROLLER_BUTTON_B, FILO_PAD_B },
        { SDL_CONTROLLER_BUTTON_X, FILO_PAD_X },
        { SDL_CONTROLLER_BUTTON_Y, FILO_PAD_Y },
        { SDL_CONTROLLER_BUTTON_BACK, FILO_PAD_BACK },
        { SDL_CONTROLLER_BUTTON_GUIDE, FILO_PAD_GUIDE },
        { SDL_CONTROLLER_BUTTON_START, FILO_PAD_START },
        { SDL_CONTROLLER_BUTTON_LEFTSTICK, FILO_PAD_LEFT_STICK },
        { SDL_CONTROLLER_BUTTON_RIGHTSTICK, FILO_PAD_RIGHT_STICK },
        { SDL_CONTROLLER_BUTTON_LEFTSHOULDER, FILO_PAD_LEFT_SHOULDER },
        { SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, FILO_PAD_RIGHT_SHOULDER },
        { SDL_CONTROLLER_BUTTON_DPAD_UP, FILO_PAD_UP },
        { SDL_CONTROLLER_BUTTON_DPAD_DOWN, FILO_PAD_DOWN },
        { SDL_CONTROLLER_BUTTON_DPAD_LEFT, FILO_PAD_LEFT },
        { SDL_CONTROLLER_BUTTON_DPAD_RIGHT, FILO_PAD_RIGHT },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(buttons); i++) {
        press(pad, buttons[i].sdl, true);
        FiloInput input = tick();
        assert_int_equal(input.pads[0].down, 1u << (buttons[i].key - FILO_PAD_A));
        assert_true(filo_gamepad_pressed(&input, 0, buttons[i].key) &&
                    filo_input_pressed(&input, buttons[i].key));
        press(pad, buttons[i].sdl, false);
        do input = tick(); // SDL delays the release of "guide"
        while (buttons[i].key == FILO_PAD_GUIDE && input.pads[0].down != 0);
        assert_int_equal(input.pads[0].down, 0);
        assert_true(filo_input_released(&input, buttons[i].key));
    }
    disconnect_pad(pad);
    end();
}

FILO_TEST(sticks_reach_from_minus_one_to_one_and_up_is_positive) {
    begin();
    SDL_JoystickID pad = connect_pad("Sticks");
    tick();
    tilt(pad, SDL_CONTROLLER_AXIS_LEFTX, 32767);
    tilt(pad, SDL_CONTROLLER_AXIS_LEFTY, -32768);
    tilt(pad, SDL_CONTROLLER_AXIS_RIGHTX, -32768);
    tilt(pad, SDL_CONTROLLER_AXIS_RIGHTY, 3000); // inside of the dead zone
    tilt(pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, 32767);
    tilt(pad, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, -32768);
    FiloInput input = tick();
    assert_true(filo_gamepad_axis(&input, 0, FILO_AXIS_LEFT_X) == 1);
    assert_true(filo_gamepad_axis(&input, 0, FILO_AXIS_LEFT_Y) == 1);
    assert_true(filo_gamepad_axis(&input, 0, FILO_AXIS_RIGHT_X) == -1);
    assert_true(filo_gamepad_axis(&input, 0, FILO_AXIS_RIGHT_Y) == 0);
    assert_true(filo_gamepad_axis(&input, 0, FILO_AXIS_LEFT_TRIGGER) == 1);
    assert_true(filo_gamepad_axis(&input, 0, FILO_AXIS_RIGHT_TRIGGER) == 0);
    disconnect_pad(pad);
    end();
}

FILO_TEST(gamepads_have_the_same_number_when_others_connect_and_disconnect) {
    begin();
    SDL_JoystickID pads[3];
    for (int i = 0; i < 3; i++) pads[i] = connect_pad("Three");
    tick();
    disconnect_pad(pads[1]);
    FiloInput input = tick();
    assert_true(input.pads[0].connected && !input.pads[1].connected && input.pads[2].connected);
    press(pads[2], SDL_CONTROLLER_BUTTON_X, true);
    input = tick();
    assert_true(filo_gamepad_down(&input, 2, FILO_PAD_X));
    pads[1] = connect_pad("Again");
    input = tick();
    assert_true(input.pads[1].connected && filo_gamepad_down(&input, 2, FILO_PAD_X));
    press(pads[1], SDL_CONTROLLER_BUTTON_Y, true);
    input = tick();
    assert_true(filo_gamepad_pressed(&input, 1, FILO_PAD_Y));
    for (int i = 0; i < 3; i++) disconnect_pad(pads[i]);
    input = tick();
    assert_false(filo_input_down(&input, FILO_PAD_X));
    assert_true(filo_input_released(&input, FILO_PAD_X));
    end();
}

FILO_TEST(a_fifth_gamepad_waits_until_a_number_is_free) {
    begin();
    SDL_JoystickID pads[FILO_INPUT_PADS + 1];
    for (int i = 0; i <= FILO_INPUT_PADS; i++) pads[i] = connect_pad("Five");
    FiloInput input = tick();
    for (int i = 0; i < FILO_INPUT_PADS; i++) assert_true(input.pads[i].connected);
    disconnect_pad(pads[2]);
    input = tick();
    assert_true(input.pads[2].connected);
    press(pads[FILO_INPUT_PADS], SDL_CONTROLLER_BUTTON_A, true);
    input = tick();
    assert_true(filo_gamepad_pressed(&input, 2, FILO_PAD_A));
    for (int i = 0; i <= FILO_INPUT_PADS; i++)
        if (i != 2) disconnect_pad(pads[i]);
    tick();
    end();
}

FILO_TEST(sticks_are_read_again_when_the_focus_comes_back) {
    begin();
    SDL_JoystickID pad = connect_pad("Held");
    tick();
    tilt(pad, SDL_CONTROLLER_AXIS_LEFTX, 32767);
    tick();
    filo_window_minimise(window);
    FiloInput input = tick();
    assert_true(!input.focused && filo_gamepad_axis(&input, 0, FILO_AXIS_LEFT_X) == 0);
    filo_window_restore(window);
    input = tick();
    assert_true(input.focused && filo_gamepad_axis(&input, 0, FILO_AXIS_LEFT_X) == 1);
    disconnect_pad(pad);
    end();
}

FILO_TEST(a_gamepad_can_rumble) {
    begin();
    assert_false(filo_gamepad_rumble(window, 0, 1, 1, 100));
    SDL_JoystickID pad = connect_pad("Shaken");
    tick();
    assert_true(filo_gamepad_rumble(window, 0, 1, 0.5f, 100));
    assert_int_equal(rumbled[0], 65535);
    assert_int_equal(rumbled[1], 32767);
    assert_true(filo_gamepad_rumble(window, 0, -3, 7, 100)); // clamped
    assert_int_equal(rumbled[0], 0);
    assert_int_equal(rumbled[1], 65535);
    disconnect_pad(pad);
    end();
}

FILO_TEST(listeners_receive_changes_in_order) {
    begin();
    tick();
    SDL_JoystickID pad = connect_pad("Heard");
    tick();
    assert_int_equal(received_count, 1);
    assert_int_equal(received[0].kind, FILO_INPUT_PAD);
    assert_true(received[0].down && received[0].pad == 0);
    press(pad, SDL_CONTROLLER_BUTTON_B, true);
    tick();
    press(pad, SDL_CONTROLLER_BUTTON_B, false);
    tick();
    assert_int_equal(received_count, 1);
    assert_int_equal(received[0].kind, FILO_INPUT_PAD_KEY);
    assert_int_equal(received[0].key, FILO_PAD_B);
    assert_false(received[0].down);
    disconnect_pad(pad);
    end();
}

FILO_TEST(headless_windows_leave_real_gamepads_alone) {
    assert_ok(filo_window_open(&window, &(FiloWindowDesc){ .headless = true, .picture = FILO_WINDOW_NONE }));
    assert_int_equal(SDL_WasInit(0), 0);
    assert_string_equal(filo_gamepad_name(window, 0), "");
    assert_false(filo_gamepad_rumble(window, 3, 1, 1, 1));
    filo_window_close(window);
}

FILO_TEST(mistakes_are_named) {
    only_in_debug_builds();
    begin();
    expect_fault("pass the number of a gamepad, 0 to 3, to filo_gamepad_rumble",
                 assert_false(filo_gamepad_rumble(window, 4, 1, 1, 1)));
    expect_fault("pass the number of a gamepad, 0 to 3, to filo_gamepad_name",
                 assert_string_equal(filo_gamepad_name(window, -1), ""));
    expect_fault("pass a window from filo_window_open to filo_gamepad_name",
                 assert_string_equal(filo_gamepad_name(NULL, 0), ""));
    end();
}
