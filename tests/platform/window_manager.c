// Windows on a screen, with a window manager.

#include <filo/platform.h>

#include "platform/window.h"
#include "support/screenless.h"
#include "support/test.h"
#include "support/x11_screen.h"

#include <SDL2/SDL_syswm.h>
#include <X11/keysym.h>

static FiloWindow *window;
static FiloInputCollector collector;
static Window x11_window;

static void wait_briefly(void) { filo_window_wait(window, &collector, 10 * FILO_MILLISECOND); }

// Polls until the condition is true. The X server and the window manager are asynchronous.
#define wait_until(condition)                                                                                \
    do {                                                                                                     \
        int64_t deadline = filo_time_ns() + X11_SCREEN_SECONDS * FILO_SECOND;                                \
        while (wait_briefly(), !(condition))                                                                 \
            if (filo_time_ns() > deadline) fail_msg("never: %s", #condition);                                \
    } while (0)

static void open_window(const FiloWindowDesc *desc) {
    x11_screen_begin();
    collector = (FiloInputCollector){ 0 };
    assert_ok(filo_window_open(&window, desc));
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    assert_int_equal(SDL_GetWindowWMInfo(window->sdl, &info), SDL_TRUE);
    x11_window = info.info.x11.window;
}

static void open_focused(FiloWindowPicture picture) {
    open_window(&(FiloWindowDesc){ .title = "Ship", .width = 320, .height = 200, .picture = picture });
    x11_activate(x11_window);
    wait_until(collector.now.focused);
}

FILO_TEST(a_window_opens_with_its_size_and_gets_the_focus) {
    x11_screen_begin();
    FiloPlatformInfo info = filo_platform_info();
    assert_true(info.display);
    assert_string_equal(info.video_driver, "x11");
    open_focused(FILO_WINDOW_GL);
    assert_true(filo_window_focused(window));
    assert_false(filo_window_headless(window) || filo_window_minimised(window));
    assert_true(collector.now.view.x == 320 && collector.now.view.y == 200);
    assert_true(filo_window_refresh_rate(window) > 0);
    filo_window_set_vsync(window, true); // the driver may refuse
    assert_true(filo_window_set_vsync(window, false));
    for (int i = 0; i < 3; i++) filo_window_present(window);
    filo_window_close(window);
    assert_int_equal(SDL_WasInit(0), 0);
}

FILO_TEST(windows_open_and_close_again_and_again) {
    for (int i = 0; i < 4; i++) {
        open_window(&(FiloWindowDesc){ .picture = i % 2 == 0 ? FILO_WINDOW_GL : FILO_WINDOW_CPU });
        wait_briefly();
        filo_window_close(window);
    }
}

FILO_TEST(the_player_resizes_the_window) {
    open_focused(FILO_WINDOW_GL);
    x11_resize(x11_window, 500, 300);
    wait_until(collector.now.view.x == 500);
    assert_int_equal(filo_window_size(window).x, 500);
    assert_int_equal(filo_window_pixels(window).y, 300);
    filo_window_set_size(window, 400, 250);
    wait_until(collector.now.view.y == 250);
    filo_window_present(window);
    filo_window_close(window);
}

FILO_TEST(a_window_of_fixed_size_is_not_resized_by_the_player) {
    open_window(
        &(FiloWindowDesc){ .width = 320, .height = 200, .fixed_size = true, .picture = FILO_WINDOW_NONE });
    x11_activate(x11_window);
    wait_until(collector.now.focused);
    assert_int_equal(SDL_GetWindowFlags(window->sdl) & SDL_WINDOW_RESIZABLE, 0);
    filo_window_close(window);
}

FILO_TEST(minimising_loses_the_focus) {
    open_focused(FILO_WINDOW_GL);
    filo_window_minimise(window);
    wait_until(filo_window_minimised(window) && !collector.now.focused);
    filo_window_present(window);
    filo_window_restore(window);
    wait_until(!filo_window_minimised(window));
    x11_iconify(x11_window); // and by the window manager
    wait_until(filo_window_minimised(window));
    x11_activate(x11_window);
    wait_until(!filo_window_minimised(window) && collector.now.focused);
    filo_window_close(window);
}

FILO_TEST(another_window_takes_the_focus_and_all_keys_are_released) {
    open_focused(FILO_WINDOW_NONE);
    x11_key(XK_w, true);
    wait_until(filo_input_down(&collector.now, FILO_KEY_W));
    Window other = x11_open_other();
    x11_activate(other);
    wait_until(!collector.now.focused);
    assert_false(filo_input_down(&collector.now, FILO_KEY_W));
    assert_true(filo_input_released(&collector.now, FILO_KEY_W));
    x11_key(XK_w, false);
    assert_false(filo_window_focused(window));
    x11_activate(x11_window);
    wait_until(collector.now.focused);
    x11_screen.XDestroyWindow(x11_screen.display, other);
    filo_window_close(window);
}

FILO_TEST(full_screen_fills_the_screen_and_restores_the_size) {
    open_focused(FILO_WINDOW_CPU);
    filo_window_set_full_screen(window, true);
    wait_until(filo_window_is_full_screen(window) && collector.now.view.x == X11_SCREEN_WIDTH &&
               collector.now.view.y == X11_SCREEN_HEIGHT);
    filo_window_set_full_screen(window, false);
    wait_until(!filo_window_is_full_screen(window) && collector.now.view.x == 320);
    filo_window_close(window);
    open_window(&(FiloWindowDesc){ .full_screen = true, .picture = FILO_WINDOW_GL });
    wait_until(collector.now.view.x == X11_SCREEN_WIDTH);
    assert_true(filo_window_is_full_screen(window));
    filo_window_close(window);
}

FILO_TEST(the_close_button_is_a_quit_change) {
    open_focused(FILO_WINDOW_NONE);
    assert_false(collector.now.quit);
    x11_close(x11_window);
    wait_until(collector.now.quit);
    filo_window_present(window); // it is still open
    filo_window_close(window);
}

FILO_TEST(keys_and_mouse_arrive_from_the_screen) {
    open_focused(FILO_WINDOW_NONE);
    x11_key(XK_space, true);
    x11_key(XK_Left, true);
    wait_until(filo_input_down(&collector.now, FILO_KEY_SPACE) &&
               filo_input_down(&collector.now, FILO_KEY_LEFT));
    x11_key(XK_space, false);
    wait_until(!filo_input_down(&collector.now, FILO_KEY_SPACE));
    x11_move_mouse(x11_window, 50, 60);
    wait_until(collector.now.mouse.x == 50 && collector.now.mouse.y == 60);
    FiloInput taken;
    filo_input_take(&collector, NULL, &taken);
    x11_move_mouse(x11_window, 70, 90);
    wait_until(collector.now.mouse.x == 70);
    assert_true(collector.now.mouse_move.x == 20 && collector.now.mouse_move.y == 30);
    x11_button(Button1, true);
    wait_until(filo_input_down(&collector.now, FILO_MOUSE_LEFT));
    x11_button(Button1, false);
    x11_button(Button4, true), x11_button(Button4, false); // the wheel, upwards
    wait_until(collector.now.wheel.y == 1);
    assert_true(filo_input_released(&collector.now, FILO_MOUSE_LEFT));
    filo_window_close(window);
}

FILO_TEST(a_key_that_is_held_is_pressed_once) {
    open_focused(FILO_WINDOW_NONE);
    filo_window_text_input(window, true);
    x11_key(XK_x, true);
    wait_until(strlen(collector.now.text) >= 3); // the server repeats it
    FiloInput taken;
    filo_input_take(&collector, NULL, &taken);
    assert_true(filo_input_pressed(&taken, FILO_KEY_X) && !filo_input_released(&taken, FILO_KEY_X));
    wait_until(collector.now.text[0] == 'x');
    filo_input_take(&collector, NULL, &taken);
    assert_true(filo_input_down(&taken, FILO_KEY_X));
    assert_false(filo_input_pressed(&taken, FILO_KEY_X));
    x11_key(XK_x, false);
    wait_until(filo_input_released(&collector.now, FILO_KEY_X));
    filo_window_close(window);
}

FILO_TEST(typing_is_text_while_text_input_is_on) {
    open_focused(FILO_WINDOW_NONE);
    x11_key(XK_a, true), x11_key(XK_a, false);
    wait_until(filo_input_released(&collector.now, FILO_KEY_A));
    assert_string_equal(collector.now.text, "");
    filo_window_text_input(window, true);
    x11_key(XK_b, true), x11_key(XK_b, false);
    wait_until(strcmp(collector.now.text, "b") == 0);
    filo_window_close(window);
}

FILO_TEST(the_mouse_is_captured_and_released) {
    open_focused(FILO_WINDOW_NONE);
    filo_window_capture_mouse(window, true);
    wait_until(collector.now.mouse_captured);
    assert_int_equal(SDL_GetRelativeMouseMode(), SDL_TRUE);
    filo_window_capture_mouse(window, false);
    wait_until(!collector.now.mouse_captured);
    assert_int_equal(SDL_GetRelativeMouseMode(), SDL_FALSE);
    filo_window_show_cursor(window, false);
    assert_int_equal(SDL_ShowCursor(SDL_QUERY), SDL_DISABLE);
    filo_window_show_cursor(window, true);
    filo_window_close(window);
}

static void show(const FiloPixels *pixels) { assert_ok(filo_window_show(window, pixels)); }

FILO_TEST(pixels_are_shown_as_they_are_and_stretched) {
    open_focused(FILO_WINDOW_CPU);
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 320, 200, NULL));
    filo_pixels_fill(&pixels, filo_color(0x12, 0x34, 0x56, 255));
    *filo_pixels_at(&pixels, 319, 199) = filo_color(0xFF, 0x80, 0x01, 255);
    wait_until((show(&pixels), x11_pixel(x11_window, 0, 0) == 0x123456));
    assert_int_equal(x11_pixel(x11_window, 318, 199), 0x123456);
    assert_int_equal(x11_pixel(x11_window, 319, 199), 0xFF8001);

    FiloPixels small = filo_pixels_part(&pixels, 318, 198, 2, 2); // each becomes a quarter
    assert_ok(filo_window_show(window, &small));
    wait_until(x11_pixel(x11_window, 160, 100) == 0xFF8001);
    assert_int_equal(x11_pixel(x11_window, 159, 100), 0x123456);
    assert_int_equal(x11_pixel(x11_window, 160, 99), 0x123456);
    assert_int_equal(x11_pixel(x11_window, 319, 199), 0xFF8001);

    x11_resize(x11_window, 100, 100); // and the same after a change of size
    wait_until(filo_window_pixels(window).x == 100);
    wait_until((show(&small), x11_pixel(x11_window, 50, 50) == 0xFF8001));
    assert_int_equal(x11_pixel(x11_window, 49, 50), 0x123456);
    filo_pixels_free(&pixels, NULL);
    filo_window_close(window);
}

FILO_TEST(title_and_icon_reach_the_window_manager) {
    FiloPixels icon;
    assert_true(filo_pixels_create(&icon, 2, 1, NULL));
    *filo_pixels_at(&icon, 0, 0) = filo_color_from_bytes(255, 0, 0, 128); // half transparent, straight
    *filo_pixels_at(&icon, 1, 0) = filo_color(1, 2, 3, 255);
    open_window(&(FiloWindowDesc){ .title = "Schiff ⚓", .icon = &icon, .picture = FILO_WINDOW_NONE });
    filo_pixels_free(&icon, NULL);
    char title[64] = "";
    x11_property(x11_window, "_NET_WM_NAME", title, sizeof title - 1);
    assert_string_equal(title, "Schiff ⚓");
    long sent[4] = { 0 };
    assert_int_equal(x11_property(x11_window, "_NET_WM_ICON", sent, sizeof sent), 4);
    assert_int_equal(sent[0], 2);
    assert_int_equal(sent[1], 1);
    assert_int_equal(sent[2] & 0xFFFFFFFF, 0x80FF0000);
    assert_int_equal(sent[3] & 0xFFFFFFFF, 0xFF010203);
    filo_window_set_title(window, "Other");
    memset(title, 0, sizeof title);
    wait_briefly();
    x11_property(x11_window, "_NET_WM_NAME", title, sizeof title - 1);
    assert_string_equal(title, "Other");
    filo_window_close(window);
}

FILO_TEST(the_clipboard_is_that_of_the_system) {
    open_focused(FILO_WINDOW_NONE);
    filo_clipboard_set_text(window, "first");
    FiloWindow *second;
    assert_ok(filo_window_open(&second, &(FiloWindowDesc){ .picture = FILO_WINDOW_NONE, .hidden = true }));
    assert_string_equal(filo_clipboard_text(second), "first");
    filo_clipboard_set_text(second, "");
    assert_string_equal(filo_clipboard_text(window), "");
    filo_window_close(second);
    filo_window_close(window);
}

FILO_TEST(a_headless_window_beside_one_on_the_screen_stays_hidden) {
    open_focused(FILO_WINDOW_GL);
    FiloWindow *second;
    assert_ok(filo_window_open(&second, &(FiloWindowDesc){ .headless = true, .width = 64, .height = 64 }));
    assert_true(filo_window_headless(second));
    assert_int_equal(SDL_GetWindowFlags(second->sdl) & SDL_WINDOW_SHOWN, 0);
    filo_window_present(second);
    filo_window_close(second);
    filo_window_make_current(window);
    filo_window_present(window);
    filo_window_close(window);
}
