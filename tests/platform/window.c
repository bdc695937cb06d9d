// Headless windows.

#include <filo/platform.h>

#include "support/screenless.h"
#include "support/test.h"

#include <filo/log.h>
#include <filo/memory.h>
#include <filo/threads.h>
#include <filo/time.h>

#include <SDL2/SDL.h>
#include <SDL2/SDL_opengl.h>
#include <stdlib.h>

static FiloWindow *window;
static FiloInputCollector input;

static void open_headless(FiloWindowPicture picture) {
    assert_ok(filo_window_open(
        &window, &(FiloWindowDesc){ .headless = true, .picture = picture, .width = 320, .height = 200 }));
}

static void poll_window(void) { filo_window_poll(window, &input, NULL, NULL); }

static FiloInput taken(void) {
    FiloInput seen;
    poll_window();
    filo_input_take(&input, NULL, &seen);
    return seen;
}

// ---- Opening and closing --------------------------------------------------------------------------------

static void open_and_check_state(FiloWindowPicture picture) {
    open_headless(picture);
    assert_true(filo_window_headless(window));
    assert_true(filo_window_focused(window));
    assert_false(filo_window_minimised(window));
    assert_int_equal(filo_window_size(window).x, 320);
    assert_int_equal(filo_window_pixels(window).y, 200);
    assert_true(filo_window_refresh_rate(window) == 60);
    FiloInput seen = taken();
    assert_true(seen.focused);
    assert_false(seen.quit);
    assert_true(seen.view.x == 320 && seen.view.y == 200);
    filo_window_present(window);
    filo_window_close(window);
}

FILO_TEST(headless_windows_of_all_kinds_open_with_size_and_focus) {
    open_and_check_state(FILO_WINDOW_GL);
    open_and_check_state(FILO_WINDOW_CPU);
    open_and_check_state(FILO_WINDOW_NONE);
}

FILO_TEST(a_headless_window_without_gl_does_not_start_sdl) {
    open_headless(FILO_WINDOW_CPU);
    assert_int_equal(SDL_WasInit(0), 0);
    filo_window_close(window);
}

FILO_TEST(windows_open_and_close_any_number_of_times) {
    size_t used = 0;
    for (int i = 0; i < 20; i++) {
        open_headless(i % 2 == 0 ? FILO_WINDOW_GL : FILO_WINDOW_NONE);
        poll_window();
        filo_window_close(window);
        assert_int_equal(SDL_WasInit(0), 0);
        FiloMemoryStats stats[16];
        filo_memory_list(stats, FILO_COUNT_OF(stats));
        if (i == 1) used = stats[0].used;
        if (i > 1) assert_int_equal(stats[0].used, used);
    }
    filo_window_close(NULL);
}

FILO_TEST(a_description_of_zeroes_has_defaults) {
    FiloWindowDesc desc = { .headless = true, .picture = FILO_WINDOW_NONE };
    assert_ok(filo_window_open(&window, &desc));
    assert_int_equal(filo_window_size(window).x, 1280);
    assert_int_equal(filo_window_size(window).y, 720);
    filo_window_close(window);
}

FILO_TEST_PROGRAM(opens_a_window_on_a_screen) {
    FiloPlatformInfo info = filo_platform_info();
    FiloResult result = filo_window_open(&window, &(FiloWindowDesc){ .picture = FILO_WINDOW_NONE });
    printf("%d %d %s %s", info.display, window == NULL, filo_code_name(result.code), result.message);
    filo_window_close(window);
}

FILO_TEST(without_a_display_the_message_says_what_to_do) {
    FiloTestResult outcome;
    filo_test_run(&outcome,
                  &(FiloTestRun){ .program = "opens_a_window_on_a_screen",
                                  .environment = { "DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER" } });
    assert_int_equal(outcome.exit_code, 0);
    assert_contains(outcome.output, "0 1 ");
    assert_contains(outcome.output, filo_code_name(FILO_ERROR_UNSUPPORTED));
    assert_contains(outcome.output, "no display: run with --headless");
    assert_string_equal(outcome.errors, "");
    filo_test_run(&outcome,
                  &(FiloTestRun){ .program = "opens_a_window_on_a_screen",
                                  .environment = { "DISPLAY=:4711", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER" } });
    assert_contains(outcome.output, "no display: run with --headless");
    filo_test_run(&outcome, &(FiloTestRun){ .program = "opens_a_window_on_a_screen",
                                            .environment = { "SDL_VIDEODRIVER=dummy" } });
    assert_contains(outcome.output, "no display: run with --headless (SDL's driver is dummy)");
}

FILO_TEST(a_window_on_a_screen_beside_a_headless_one_with_gl_is_refused_with_the_reason) {
    open_headless(FILO_WINDOW_GL);
    FiloWindow *second;
    assert_error(filo_window_open(&second, &(FiloWindowDesc){ .picture = FILO_WINDOW_NONE }),
                 FILO_ERROR_UNSUPPORTED, "close the headless window first");
    assert_null(second);
    filo_window_close(window);
    assert_int_equal(SDL_WasInit(0), 0);
}

// ---- GL -------------------------------------------------------------------------------------------------

typedef void (*ClearColor)(GLfloat, GLfloat, GLfloat, GLfloat);
typedef void (*Clear)(GLbitfield);
typedef void (*Viewport)(GLint, GLint, GLsizei, GLsizei);
typedef void (*ReadPixels)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *);
typedef void (*GetIntegerv)(GLenum, GLint *);

static void *gl(const char *name) {
    void *function = SDL_GL_GetProcAddress(name);
    assert_non_null(function);
    return function;
}

static int gl_integer(GLenum what) {
    GLint value = 0;
    GetIntegerv get;
    *(void **)&get = gl("glGetIntegerv");
    get(what, &value);
    return value;
}

// Clears to a colour and reads the last pixel.
static uint32_t gl_corner(int width, int height) {
    ClearColor color;
    Clear clear;
    ReadPixels read;
    *(void **)&color = gl("glClearColor"), *(void **)&clear = gl("glClear"),
           *(void **)&read = gl("glReadPixels");
    color(0.2f, 0.4f, 0.6f, 1);
    clear(GL_COLOR_BUFFER_BIT);
    uint8_t bytes[4] = { 0 };
    read(width - 1, height - 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
    return (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
}

FILO_TEST(the_gl_context_is_current_and_draws) {
    open_headless(FILO_WINDOW_GL);
    assert_int_equal(gl_integer(GL_MAJOR_VERSION), 4);
    assert_true(gl_integer(GL_MINOR_VERSION) >= 5);
    assert_int_equal(gl_corner(320, 200), 0x336699);
    filo_window_present(window);
    filo_window_close(window);
}

FILO_TEST(a_debug_context_can_be_requested) {
    assert_ok(filo_window_open(&window, &(FiloWindowDesc){ .headless = true, .debug = true }));
    assert_true((gl_integer(GL_CONTEXT_FLAGS) & GL_CONTEXT_FLAG_DEBUG_BIT) != 0);
    filo_window_close(window);
}

FILO_TEST(an_older_gl_can_be_requested) {
    assert_ok(filo_window_open(&window, &(FiloWindowDesc){ .headless = true, .gl_major = 3, .gl_minor = 3 }));
    assert_true(gl_integer(GL_MAJOR_VERSION) >= 3);
    filo_window_close(window);
}

FILO_TEST(a_version_of_gl_that_does_not_exist_is_refused) {
    assert_error(
        filo_window_open(&window, &(FiloWindowDesc){ .headless = true, .gl_major = 2, .gl_minor = 1 }),
        FILO_ERROR_UNSUPPORTED, "no OpenGL 3.3 or later");
    assert_null(window);
    assert_int_equal(SDL_WasInit(0), 0);
}

FILO_TEST_PROGRAM(opens_a_headless_window_with_gl) {
    FiloResult result = filo_window_open(&window, &(FiloWindowDesc){ .headless = true });
    printf("%d %d %s", window == NULL, SDL_WasInit(0) == 0, result.message);
    filo_window_close(window);
}

FILO_TEST(without_gl_the_message_says_what_to_try_and_what_sdl_said) {
    FiloTestResult outcome;
    filo_test_run(&outcome, &(FiloTestRun){ .program = "opens_a_headless_window_with_gl",
                                            .environment = { "SDL_VIDEO_EGL_DRIVER=/no/such/library.so" } });
    assert_int_equal(outcome.exit_code, 0);
    assert_contains(outcome.output, "1 1 no ");
    assert_contains(outcome.output, "OpenGL");
    assert_contains(outcome.output, "try --backend cpu (SDL: ");
    assert_contains(outcome.output, "EGL library");
}

FILO_TEST(each_of_two_windows_draws_by_its_own_context) {
    FiloWindow *second;
    open_headless(FILO_WINDOW_GL);
    SDL_GLContext first_context = SDL_GL_GetCurrentContext();
    assert_ok(filo_window_open(&second, &(FiloWindowDesc){ .headless = true }));
    SDL_GLContext second_context = SDL_GL_GetCurrentContext();
    assert_ptr_not_equal(first_context, second_context);
    filo_window_make_current(window);
    assert_ptr_equal(SDL_GL_GetCurrentContext(), first_context);
    filo_window_make_current(second);
    assert_ptr_equal(SDL_GL_GetCurrentContext(), second_context);
    filo_window_close(window);
    assert_int_equal(gl_corner(1280, 720), 0x336699); // the other window still works
    filo_window_close(second);
}

FILO_TEST(a_headless_gl_window_that_grows_has_the_new_pixels) {
    open_headless(FILO_WINDOW_GL);
    poll_window();
    filo_window_set_size(window, 640, 400);
    assert_int_equal(filo_window_pixels(window).x, 640);
    assert_true(taken().view.x == 640);
    Viewport viewport;
    *(void **)&viewport = gl("glViewport");
    viewport(0, 0, 640, 400);
    assert_int_equal(gl_corner(640, 400), 0x336699);
    filo_window_present(window);
    filo_window_close(window);
}

// ---- Windows and contexts of the program's own ----------------------------------------------------------

static SDL_Window *own_window(Uint32 flags) {
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    assert_int_equal(SDL_Init(SDL_INIT_VIDEO), 0);
    SDL_Window *own = SDL_CreateWindow("Mine", 0, 0, 300, 100, flags);
    assert_non_null(own);
    return own;
}

static void end_own_window(SDL_Window *own) {
    SDL_DestroyWindow(own);
    SDL_Quit();
}

FILO_TEST(a_window_of_the_program_is_used_and_stays) {
    SDL_Window *own = own_window(SDL_WINDOW_OPENGL);
    assert_ok(filo_window_open(&window, &(FiloWindowDesc){ .sdl_window = own }));
    assert_int_equal(filo_window_size(window).x, 300);
    assert_int_equal(gl_corner(300, 100), 0x336699);
    assert_true(taken().view.y == 100);
    filo_window_present(window);
    filo_window_close(window);
    assert_string_equal(SDL_GetWindowTitle(own), "Mine");
    assert_int_equal(SDL_WasInit(SDL_INIT_VIDEO), SDL_INIT_VIDEO);
    end_own_window(own);
}

FILO_TEST(a_context_of_the_program_is_used_and_stays) {
    SDL_Window *own = own_window(SDL_WINDOW_OPENGL);
    SDL_GLContext context = SDL_GL_CreateContext(own);
    assert_non_null(context);
    assert_ok(filo_window_open(&window, &(FiloWindowDesc){ .sdl_window = own, .own_context = true }));
    assert_ptr_equal(SDL_GL_GetCurrentContext(), context);
    SDL_GL_MakeCurrent(own, NULL);
    filo_window_make_current(window);
    assert_ptr_equal(SDL_GL_GetCurrentContext(), context);
    filo_window_close(window);
    assert_ptr_equal(SDL_GL_GetCurrentContext(), context);
    assert_int_equal(gl_corner(300, 100), 0x336699);
    SDL_GL_DeleteContext(context);
    end_own_window(own);
}

FILO_TEST(a_context_that_sdl_does_not_know_needs_no_window_of_sdl) {
    assert_ok(filo_window_open(&window, &(FiloWindowDesc){ .own_context = true, .width = 50, .height = 40 }));
    assert_int_equal(SDL_WasInit(SDL_INIT_VIDEO), 0);
    filo_window_present(window);
    filo_window_make_current(window);
    assert_true(taken().view.x == 50);
    filo_window_set_size(window, 60, 70);
    assert_true(taken().view.y == 70);
    filo_window_close(window);
}

FILO_TEST(a_window_of_the_program_without_gl_says_what_is_missing) {
    SDL_Window *own = own_window(0);
    assert_error(filo_window_open(&window, &(FiloWindowDesc){ .sdl_window = own }), FILO_ERROR_UNSUPPORTED,
                 "no OpenGL 3.3 or later: try --backend cpu (SDL: ");
    assert_null(window);
    end_own_window(own);
}

FILO_TEST(a_program_that_takes_events_itself_passes_them_on) {
    SDL_Window *own = own_window(SDL_WINDOW_OPENGL);
    assert_ok(filo_window_open(&window, &(FiloWindowDesc){ .sdl_window = own, .picture = FILO_WINDOW_NONE }));
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    SDL_Event event = { .key = { .type = SDL_KEYDOWN,
                                 .windowID = SDL_GetWindowID(own),
                                 .state = SDL_PRESSED,
                                 .keysym = { .scancode = SDL_SCANCODE_P } } };
    filo_window_event(&event);
    FiloInput seen = taken();
    assert_true(filo_input_pressed(&seen, FILO_KEY_P));
    filo_window_close(window);
    filo_window_event(&event); // of a window that has been closed
    end_own_window(own);
}

// ---- Events ---------------------------------------------------------------------------------------------

static void push(SDL_Event event) {
    if (event.window.windowID == 0) event.window.windowID = SDL_GetWindowID(SDL_GL_GetCurrentWindow());
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static void push_key(SDL_Scancode scancode, bool down, bool repeat) {
    push((SDL_Event){ .key = { .type = down ? SDL_KEYDOWN : SDL_KEYUP,
                               .state = down ? SDL_PRESSED : SDL_RELEASED,
                               .repeat = repeat,
                               .keysym = { .scancode = scancode } } });
}

static void push_window(Uint8 what) {
    push((SDL_Event){ .window = { .type = SDL_WINDOWEVENT, .event = what } });
}

static FiloInputChange received[4096 + 8];
static size_t received_count;

static void receive(const FiloInputChange *change, void *user) {
    assert_ptr_equal(user, &received_count);
    assert_true(received_count < FILO_COUNT_OF(received));
    received[received_count++] = *change;
}

static void poll_and_receive(void) {
    received_count = 0;
    filo_window_poll(window, &input, receive, &received_count);
}

FILO_TEST(keys_arrive_by_scancode_and_repeats_do_not) {
    open_headless(FILO_WINDOW_GL);
    poll_window();
    push_key(SDL_SCANCODE_A, true, false);
    push_key(SDL_SCANCODE_RGUI, true, false);
    push_key(SDL_SCANCODE_AC_BACK, true, false); // one of SDL's own
    FiloInput seen = taken();
    assert_true(filo_input_pressed(&seen, FILO_KEY_A) && filo_input_pressed(&seen, FILO_KEY_RIGHT_SUPER));
    push_key(SDL_SCANCODE_A, true, true);
    poll_and_receive();
    assert_int_equal(received_count, 0);
    push_key(SDL_SCANCODE_A, false, false);
    push_window(SDL_WINDOWEVENT_FOCUS_LOST);
    seen = taken();
    assert_true(filo_input_released(&seen, FILO_KEY_A) && filo_input_released(&seen, FILO_KEY_RIGHT_SUPER));
    assert_false(seen.focused || filo_window_focused(window));
    filo_window_close(window);
}

FILO_TEST(the_mouse_arrives_with_buttons_wheel_and_movement) {
    open_headless(FILO_WINDOW_GL);
    push((SDL_Event){ .motion = { .type = SDL_MOUSEMOTION, .x = 30, .y = 40, .xrel = 3, .yrel = -4 } });
    push((SDL_Event){
        .button = { .type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_RIGHT, .state = SDL_PRESSED } });
    push((SDL_Event){ .button = { .type = SDL_MOUSEBUTTONDOWN, .button = 9, .state = SDL_PRESSED } });
    push((SDL_Event){ .wheel = { .type = SDL_MOUSEWHEEL, .preciseX = 0.25f, .preciseY = -2 } });
    poll_and_receive();
    FiloInput seen;
    filo_input_take(&input, NULL, &seen);
    assert_true(seen.mouse.x == 30 && seen.mouse.y == 40);
    assert_true(seen.mouse_move.x == 3 && seen.mouse_move.y == -4);
    assert_true(filo_input_pressed(&seen, FILO_MOUSE_RIGHT));
    assert_true(seen.wheel.x == 0.25f && seen.wheel.y == -2);
    assert_true(received[received_count - 2].kind == FILO_INPUT_KEY &&
                received[received_count - 2].position.y == 40);

    filo_window_capture_mouse(window, true);
    push((SDL_Event){ .motion = { .type = SDL_MOUSEMOTION, .x = 99, .y = 99, .xrel = 7, .yrel = 0 } });
    seen = taken();
    assert_true(seen.mouse_captured && seen.mouse.x == 30 && seen.mouse_move.x == 7);
    filo_window_close(window);
}

FILO_TEST(keys_are_text_only_while_text_input_is_on) {
    open_headless(FILO_WINDOW_GL);
    assert_int_equal(SDL_IsTextInputActive(), SDL_FALSE);
    push((SDL_Event){ .text = { .type = SDL_TEXTINPUT, .text = "no" } });
    assert_string_equal(taken().text, "");
    filo_window_text_input(window, true);
    assert_int_equal(SDL_IsTextInputActive(), SDL_TRUE);
    push((SDL_Event){ .text = { .type = SDL_TEXTINPUT, .text = "Ä" } });
    assert_string_equal(taken().text, "Ä");
    filo_window_text_input(window, false);
    assert_int_equal(SDL_IsTextInputActive(), SDL_FALSE);
    filo_window_close(window);
}

FILO_TEST(what_an_input_method_composes_is_readable_until_it_is_typed) {
    open_headless(FILO_WINDOW_GL);
    push((SDL_Event){ .edit = { .type = SDL_TEXTEDITING, .text = "no" } });
    poll_window();
    assert_string_equal(filo_window_composition(window), ""); // text input is off
    filo_window_text_input(window, true);
    filo_window_set_text_area(window, filo_rect(filo_vec2(10, 20), filo_vec2(12, 36)));
    push((SDL_Event){ .edit = { .type = SDL_TEXTEDITING, .text = "たび" } });
    poll_window();
    assert_string_equal(filo_window_composition(window), "たび");
    push((SDL_Event){ .text = { .type = SDL_TEXTINPUT, .text = "旅" } });
    assert_string_equal(taken().text, "旅");
    assert_string_equal(filo_window_composition(window), "");
    push((SDL_Event){ .edit = { .type = SDL_TEXTEDITING, .text = "た" } });
    poll_window();
    filo_window_text_input(window, false);
    assert_string_equal(filo_window_composition(window), "");
    filo_window_close(window);
}

FILO_TEST(the_pointer_has_a_shape_that_exists) {
    open_headless(FILO_WINDOW_GL);
    for (int i = 0; i < FILO_CURSOR_COUNT; i++) filo_window_set_cursor(window, (FiloCursor)i);
    expect_fault("there is no cursor 99", filo_window_set_cursor(window, (FiloCursor)99));
    filo_window_close(window);
}

FILO_TEST(closing_the_window_is_one_quit_change) {
    open_headless(FILO_WINDOW_GL);
    poll_window();
    push_window(SDL_WINDOWEVENT_CLOSE);
    push((SDL_Event){ .quit = { .type = SDL_QUIT } }); // SDL adds this for the last window
    poll_and_receive();
    assert_int_equal(received_count, 1);
    assert_int_equal(received[0].kind, FILO_INPUT_QUIT);
    assert_true(input.now.quit);
    filo_window_close(window);
}

FILO_TEST(events_of_another_window_wait_until_it_is_polled) {
    open_headless(FILO_WINDOW_GL);
    Uint32 first = SDL_GetWindowID(SDL_GL_GetCurrentWindow());
    FiloWindow *second;
    assert_ok(filo_window_open(&second, &(FiloWindowDesc){ .headless = true }));
    push_key(SDL_SCANCODE_S, true, false); // to the second, whose context is current
    push((SDL_Event){ .key = { .type = SDL_KEYDOWN,
                               .windowID = first,
                               .state = SDL_PRESSED,
                               .keysym = { .scancode = SDL_SCANCODE_F } } });
    poll_window();
    assert_true(filo_input_down(&input.now, FILO_KEY_F) && !filo_input_down(&input.now, FILO_KEY_S));
    FiloInputCollector other = { 0 };
    filo_window_poll(second, &other, NULL, NULL);
    assert_true(filo_input_down(&other.now, FILO_KEY_S) && !filo_input_down(&other.now, FILO_KEY_F));
    push((SDL_Event){ .quit = { .type = SDL_QUIT } });
    poll_window();
    filo_window_poll(second, &other, NULL, NULL);
    assert_true(input.now.quit && other.now.quit);
    filo_window_close(window);
    filo_window_close(second);
}

FILO_TEST(a_window_that_is_not_polled_loses_changes_but_leaves_no_key_down) {
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    open_headless(FILO_WINDOW_GL);
    poll_window();
    push_key(SDL_SCANCODE_A, true, false);
    poll_window();
    FiloWindow *second;
    Uint32 first = SDL_GetWindowID(SDL_GL_GetCurrentWindow());
    assert_ok(filo_window_open(&second, &(FiloWindowDesc){ .headless = true, .picture = FILO_WINDOW_NONE }));
    for (int i = 0; i < 5000; i++) {
        SDL_Event event = { .motion = { .type = SDL_MOUSEMOTION, .windowID = first, .x = i % 300 } };
        push(event);
        filo_window_poll(second, NULL, NULL, NULL);
    }
    poll_and_receive();
    assert_true(received_count > 0 && received_count <= 4096);
    FiloInput seen;
    filo_input_take(&input, NULL, &seen);
    assert_true(seen.focused);
    assert_false(filo_input_down(&seen, FILO_KEY_A));
    assert_true(seen.mouse.x == 4999 % 300);
    filo_window_close(window);
    filo_window_close(second);
}

FILO_TEST(polling_a_steady_window_allocates_nothing) {
    open_headless(FILO_WINDOW_GL);
    for (int i = 0; i < 4; i++) push_key(SDL_SCANCODE_A, true, false), poll_window();
    uint64_t before = filo_memory_system_calls();
    for (int i = 0; i < 100; i++) {
        push_key(SDL_SCANCODE_A, i % 2 == 0, false);
        poll_window();
        filo_window_present(window);
    }
    assert_int_equal(filo_memory_system_calls(), before);
    filo_window_close(window);
}

// ---- Waiting --------------------------------------------------------------------------------------------

static void press_later(void *user) {
    SDL_Event event = { .key = { .type = SDL_KEYDOWN,
                                 .windowID = *(Uint32 *)user,
                                 .state = SDL_PRESSED,
                                 .keysym = { .scancode = SDL_SCANCODE_Z } } };
    filo_sleep_ns(20 * FILO_MILLISECOND);
    SDL_PushEvent(&event);
}

FILO_TEST(waiting_ends_when_something_happens) {
    open_headless(FILO_WINDOW_GL);
    poll_window();
    Uint32 id = SDL_GetWindowID(SDL_GL_GetCurrentWindow());
    FiloThread thread;
    assert_ok(filo_thread_start(&thread, &(FiloThreadDesc){ .function = press_later, .user = &id }));
    while (!filo_input_down(&input.now, FILO_KEY_Z)) filo_window_wait(window, &input, 100 * FILO_SECOND);
    filo_thread_join(&thread);
    filo_window_close(window);
}

FILO_TEST(waiting_ends_when_the_time_is_over_or_something_has_happened) {
    open_headless(FILO_WINDOW_CPU);
    filo_window_wait(window, &input, 1000 * FILO_SECOND); // the change of its size is pending
    assert_true(input.now.view.x == 320);
    int64_t start = filo_time_ns();
    filo_window_wait(window, &input, 20 * FILO_MILLISECOND);
    assert_true(filo_time_ns() - start >= 20 * FILO_MILLISECOND);
    filo_window_wait(window, &input, 0);
    filo_window_wait(window, &input, -5);
    filo_window_close(window);
}

// ---- Settings -------------------------------------------------------------------------------------------

static void check_setters(FiloWindowPicture picture) {
    open_headless(picture);
    poll_window();
    filo_window_set_title(window, "Other");
    filo_window_set_title(window, NULL);
    filo_window_set_size(window, 321, 123);
    assert_int_equal(filo_window_size(window).x, 321);
    FiloInput seen = taken();
    assert_true(seen.view.x == 321 && seen.view.y == 123);

    filo_window_minimise(window);
    assert_true(filo_window_minimised(window) && !filo_window_focused(window));
    filo_window_present(window);
    assert_false(taken().focused);
    filo_window_restore(window);
    assert_true(!filo_window_minimised(window) && filo_window_focused(window));
    assert_true(taken().focused);

    filo_window_set_full_screen(window, true);
    assert_true(filo_window_is_full_screen(window));
    filo_window_set_full_screen(window, false);
    assert_false(filo_window_is_full_screen(window));

    filo_window_capture_mouse(window, true);
    assert_true(taken().mouse_captured);
    filo_window_capture_mouse(window, false);
    assert_false(taken().mouse_captured);
    filo_window_show_cursor(window, false);
    filo_window_show_cursor(window, true);
    assert_true(filo_window_set_vsync(window, false));
    assert_false(filo_window_set_vsync(window, true)); // headless windows have no vsync
    filo_window_close(window);
}

FILO_TEST(headless_windows_have_the_state_that_was_set) {
    check_setters(FILO_WINDOW_GL);
    check_setters(FILO_WINDOW_CPU);
    check_setters(FILO_WINDOW_NONE);
}

FILO_TEST(headless_windows_have_a_clipboard) {
    open_headless(FILO_WINDOW_NONE);
    assert_string_equal(filo_clipboard_text(window), "");
    filo_clipboard_set_text(window, "one");
    assert_string_equal(filo_clipboard_text(window), "one");
    filo_clipboard_set_text(window, filo_clipboard_text(window));
    assert_string_equal(filo_clipboard_text(window), "one");
    filo_clipboard_set_text(window, NULL);
    assert_string_equal(filo_clipboard_text(window), "");
    filo_window_close(window);
}

FILO_TEST(pixels_are_shown_by_windows_of_the_cpu_alone) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 4, 4, NULL));
    open_headless(FILO_WINDOW_CPU);
    assert_ok(filo_window_show(window, &pixels));
    filo_window_set_icon(window, &pixels);
    filo_window_close(window);
    open_headless(FILO_WINDOW_GL);
    assert_error(filo_window_show(window, &pixels), FILO_ERROR_UNSUPPORTED, "FILO_WINDOW_CPU");
    filo_window_close(window);
    open_headless(FILO_WINDOW_NONE);
    assert_error(filo_window_show(window, &pixels), FILO_ERROR_UNSUPPORTED, "FILO_WINDOW_CPU");
    filo_window_close(window);
    filo_pixels_free(&pixels, NULL);
}

// ---- Mistakes -------------------------------------------------------------------------------------------

static void poll_on_other_thread(void *user) {
    FILO_UNUSED(user);
    filo_window_poll(window, NULL, NULL, NULL);
}

static void close_inside(const FiloInputChange *change, void *user) {
    FILO_UNUSED(change), FILO_UNUSED(user);
    filo_window_close(window);
}

static void poll_inside(const FiloInputChange *change, void *user) {
    FILO_UNUSED(change), FILO_UNUSED(user);
    filo_window_poll(window, NULL, NULL, NULL);
}

FILO_TEST(mistakes_are_named) {
    only_in_debug_builds();
    expect_mistake("pass a pointer to filo_window_open", filo_window_open(NULL, NULL));
    expect_mistake("pass a width and height of 0 to 16384",
                   filo_window_open(&window, &(FiloWindowDesc){ .width = -1, .headless = true }));
    assert_null(window);
    expect_mistake(
        "pass a FiloWindowPicture",
        filo_window_open(&window, &(FiloWindowDesc){ .picture = (FiloWindowPicture)9, .headless = true }));
    open_headless(FILO_WINDOW_CPU);
    expect_fault("do not close a window inside of its listener: do it after the poll", {
        filo_window_set_size(window, 10, 10);
        poll_window();
        filo_window_set_size(window, 20, 10);
        filo_window_poll(window, NULL, close_inside, NULL);
    });
    filo_window_set_size(window, 30, 10);
    expect_fault("do not poll a window inside of its listener",
                 filo_window_poll(window, NULL, poll_inside, NULL));
    expect_mistake("pass a picture to filo_window_show", filo_window_show(window, NULL));
    expect_fault("pass a picture to filo_window_set_icon", filo_window_set_icon(window, &(FiloPixels){ 0 }));
    expect_fault("pass a width and height of 1 to 16384", filo_window_set_size(window, 0, 5));
    expect_fault("pass an SDL_Event", filo_window_event(NULL));
    expect_fault("call filo_window_poll on the thread that opened the window", {
        FiloThread thread;
        FiloThreadDesc elsewhere = { .function = poll_on_other_thread };
        assert_ok(filo_thread_start(&thread, &elsewhere));
        filo_thread_join(&thread);
    });
    filo_window_close(window);
    expect_fault("pass a window from filo_window_open to filo_window_present", filo_window_present(NULL));
    expect_fault("to filo_window_size", filo_window_size(NULL));
}

FILO_TEST(own_context_without_a_context_is_named) {
    only_in_debug_builds();
    SDL_Window *own = own_window(0);
    expect_mistake("make your GL context current",
                   filo_window_open(&window, &(FiloWindowDesc){ .sdl_window = own, .own_context = true }));
    assert_null(window);
    end_own_window(own);
}
