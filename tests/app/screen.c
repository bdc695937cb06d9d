// A game in a real window, with a window manager and simulated input.

#include "stage.h"
#include "support/screenless.h"
#include "support/x11_screen.h"

#include "app/overlay.h"
#include "platform/window.h"

#include <SDL2/SDL_syswm.h>
#include <X11/keysym.h>

// ---- The game ---------------------------------------------------------------------------------------------

typedef struct Walker {
    FiloVec2 position;
    uint32_t jumps;
} Walker;
FILO_REFLECT(Walker, FILO_FIELD(FiloVec2, position), FILO_FIELD(uint32_t, jumps))

static void walk(FiloIter *it) {
    Walker *walkers = filo_write(it, Walker);
    const FiloInput *input = filo_read_global(it, FiloInput);
    for (size_t i = 0; i < it->count; i++) {
        Walker *walker = &walkers[i];
        walker->position = filo_vec2_add_scaled(walker->position, filo_input_move(input), it->delta);
        walker->jumps += filo_input_pressed(input, FILO_KEY_SPACE);
    }
}

static FiloResult define(FiloApp *app) {
    filo_component(filo_app_world(app), Walker);
    filo_system_add(filo_app_world(app),
                    &(FiloSystemDesc){ .name = "walk",
                                       .run = walk,
                                       .query.terms = { FILO_WRITE(Walker), FILO_READ(FiloInput) } });
    return filo_ok();
}

static FiloResult create(FiloApp *app) {
    filo_create(filo_app_world(app), FILO_ADD(Walker));
    return filo_ok();
}

static void draw(FiloApp *app, FiloDraw *immediate) {
    FILO_UNUSED(app);
    FiloVec2 size = filo_draw_size(immediate);
    filo_draw_on_screen(immediate);
    filo_draw_box(immediate, filo_rect(filo_vec2(0, 0), size), filo_color(0x12, 0x34, 0x56, 255));
}

static const FiloAppDesc game = { .name = "test",
                                  .window = { .width = 320, .height = 200 },
                                  .define = define,
                                  .create = create,
                                  .draw = draw };

static Walker walker(FiloApp *app) {
    app_wait_for_tick(app);
    FiloQuery *query = filo_query(filo_app_world(app), FILO_READ(Walker));
    Walker copy = *filo_get(filo_app_world(app), filo_query_first(query), Walker);
    filo_query_release(query);
    return copy;
}

static Window x11_window(const FiloApp *app) {
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    assert_int_equal(SDL_GetWindowWMInfo(filo_app_window(app)->sdl, &info), SDL_TRUE);
    return info.info.x11.window;
}

// Reading a pixel of a window that is not mapped yet, or is smaller, is an error. The pixel is read again.
static int ignore_error(Display *display, XErrorEvent *error) {
    FILO_UNUSED(display), FILO_UNUSED(error);
    return 0;
}

static void begin_screen(void) {
    x11_screen_begin();
    hush();
    __typeof__(XSetErrorHandler) *set_handler;
    *(void **)&set_handler = dlsym(dlopen("libX11.so.6", RTLD_NOW), "XSetErrorHandler");
    set_handler(ignore_error);
}

#define frames_until(app, condition)                                                                         \
    do {                                                                                                     \
        int64_t deadline = filo_time_ns() + X11_SCREEN_SECONDS * FILO_SECOND;                                \
        while (assert_true(filo_app_frame(app)), !(condition))                                               \
            if (filo_time_ns() > deadline) fail_msg("never: %s", #condition);                                \
    } while (0)

static FiloApp *start_focused(const FiloCommonArgs *args) {
    begin_screen();
    FiloApp *app = start(&game, args);
    x11_activate(x11_window(app));
    frames_until(app, filo_window_focused(filo_app_window(app)));
    return app;
}

static void tap(KeySym key) {
    x11_key(key, true);
    x11_key(key, false);
}

// ---- Playing ----------------------------------------------------------------------------------------------

static void play(FiloApp *app) {
    Window window = x11_window(app);
    frames_until(app, x11_pixel(window, 100, 100) == 0x123456);
    tap(XK_space);
    frames_until(app, walker(app).jumps == 1);
    x11_key(XK_d, true);
    frames_until(app, walker(app).position.x > 0.1f);
    x11_key(XK_d, false);

    x11_resize(window, 500, 300);
    frames_until(app, filo_window_pixels(filo_app_window(app)).x == 500);
    frames_until(app, x11_pixel(window, 490, 290) == 0x123456);

    x11_iconify(window);
    frames_until(app, filo_window_minimised(filo_app_window(app)));
    uint64_t ticks = app->ticks_begun;
    frames_until(app, app->ticks_begun > ticks + 5); // it goes on
    x11_activate(window);
    frames_until(app,
                 !filo_window_minimised(filo_app_window(app)) && filo_window_focused(filo_app_window(app)));
    frames_until(app, x11_pixel(window, 10, 10) == 0x123456);

    tap(XK_F3);
    frames_until(app, FILO_APP_OBJECT(app, AppOverlay)->on);
    frames_until(app, x11_pixel(window, 12, 12) != 0x123456);
    tap(XK_F11);
    frames_until(app, filo_window_pixels(filo_app_window(app)).x == X11_SCREEN_WIDTH);
    tap(XK_F11);
    frames_until(app, filo_window_pixels(filo_app_window(app)).x == 500);
}

static void end_by_manager(FiloApp *app) {
    x11_close(x11_window(app));
    int64_t deadline = filo_time_ns() + X11_SCREEN_SECONDS * FILO_SECOND;
    while (filo_app_frame(app)) assert_true(filo_time_ns() < deadline);
    app_wait_for_tick(app);
    assert_int_equal(app->failure.code, FILO_OK);
}

static void play_on(FiloBackend backend) {
    const char *path = filo_test_path("input");
    FiloCommonArgs args = { .backend = backend, .threads = 2, .seed = 5, .record = path };
    FiloApp *app = start_focused(&args);
    play(app);
    end_by_manager(app);
    uint64_t hash = filo_world_hash(filo_app_world(app));
    assert_ok(filo_input_recorder_finish(app->recorder, hash));
    filo_app_destroy(app);

    args = (FiloCommonArgs){ .headless = true, .threads = 4, .replay = path, .backend = FILO_BACKEND_NULL };
    app = start(&game, &args);
    while (filo_app_frame(app)) {}
    app_wait_for_tick(app);
    assert_true(filo_world_hash(filo_app_world(app)) == hash);
    assert_int_equal(walker(app).jumps, 1);
    filo_app_destroy(app);
}

FILO_TEST(a_game_drawn_by_the_cpu_is_played_in_a_window_and_replayed) { play_on(FILO_BACKEND_CPU); }

FILO_TEST(a_game_drawn_by_gl_is_played_in_a_window_and_replayed) {
    x11_screen_begin();
    FiloWindow *window; // GL may be missing here
    if (filo_window_open(&window, &(FiloWindowDesc){ .hidden = true }).code != FILO_OK) skip();
    filo_window_close(window);
    play_on(FILO_BACKEND_GL);
}

FILO_TEST(where_gl_is_only_software_the_cpu_draws) {
    FiloApp *app = start_focused(&(FiloCommonArgs){ .threads = 2 });
    if (filo_app_backend(app) == FILO_BACKEND_GL)
        assert_false(filo_gpu_limits(filo_app_gpu(app))->software);
    else
        assert_int_equal(filo_app_backend(app), FILO_BACKEND_CPU);
    frames_until(app, x11_pixel(x11_window(app), 100, 100) == 0x123456);
    end_by_manager(app);
    filo_app_destroy(app);
}

static void draw_in_own_window(Uint32 flags, FiloBackend backend) {
    SDL_Window *own = SDL_CreateWindow("Mine", 0, 0, 200, 100, flags);
    if (own == NULL) skip(); // no GL here
    FiloAppDesc desc = game;
    desc.window.sdl_window = own;
    FiloApp *app = start(&desc, &(FiloCommonArgs){ .backend = backend, .threads = 2 });
    frames_until(app, x11_pixel(x11_window(app), 190, 90) == 0x123456);
    filo_app_destroy(app);
    assert_string_equal(SDL_GetWindowTitle(own), "Mine");
    SDL_DestroyWindow(own);
}

FILO_TEST(a_window_of_the_program_is_drawn_to_and_stays) {
    begin_screen();
    assert_int_equal(SDL_Init(SDL_INIT_VIDEO), 0);
    draw_in_own_window(0, FILO_BACKEND_CPU);
    draw_in_own_window(0, FILO_BACKEND_ANY);
    draw_in_own_window(SDL_WINDOW_OPENGL, FILO_BACKEND_GL);
    draw_in_own_window(SDL_WINDOW_OPENGL, FILO_BACKEND_ANY);
    SDL_Quit();
}

// ---- A window of any size ---------------------------------------------------------------------------------

static int warnings;

static void count_warnings(const FiloLogMessage *message, void *user) {
    FILO_UNUSED(user);
    warnings += strstr(message->text, "too large to be drawn") != NULL;
}

// Software GL drivers abort if a window becomes so large while it is drawn to. So its size changes between frames.
static void make_huge_on(FiloBackend backend) {
    begin_screen();
    warnings = 0;
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ .write = count_warnings });
    FiloApp *app = start(&game, &(FiloCommonArgs){ .backend = backend, .threads = 2 });
    Window window = x11_window(app);
    frames_until(app, x11_pixel(window, 100, 100) == 0x123456);
    x11_resize_and_wait(window, 32767, 32767);
    frames_until(app, filo_window_pixels(filo_app_window(app)).x == 32767);
    uint64_t ticks = app->ticks_begun;
    frames_until(app, app->ticks_begun > ticks + 5); // it goes on
    assert_true((int64_t)app->frame->width * app->frame->height <= 1 << 26);
    assert_int_equal(app->frame->width == 0, backend == FILO_BACKEND_GL);
    x11_resize(window, 500, 300);
    frames_until(app, filo_window_pixels(filo_app_window(app)).x == 500);
    frames_until(app, x11_pixel(window, 490, 290) == 0x123456);
    x11_resize_and_wait(window, 32767, 32767);
    frames_until(app, filo_window_pixels(filo_app_window(app)).x == 32767);
    assert_int_equal(warnings, 1);
    end_by_manager(app);
    filo_app_destroy(app);
    filo_log_remove_sink(sink);
}

FILO_TEST(a_window_that_is_too_large_is_survived_by_the_cpu) { make_huge_on(FILO_BACKEND_CPU); }

FILO_TEST(a_window_that_is_too_large_is_survived_by_gl) {
    x11_screen_begin();
    FiloWindow *window; // GL may be missing here
    if (filo_window_open(&window, &(FiloWindowDesc){ .hidden = true }).code != FILO_OK) skip();
    filo_window_close(window);
    make_huge_on(FILO_BACKEND_GL);
}

static void stop_time(FiloApp *app) { filo_app_pause(app, true); }

FILO_TEST(a_paused_game_is_closed_by_the_window_manager) {
    FiloAppDesc desc = game;
    desc.frame = stop_time;
    begin_screen();
    FiloApp *app = start(&desc, &(FiloCommonArgs){ .backend = FILO_BACKEND_CPU, .threads = 2 });
    frames_until(app, x11_pixel(x11_window(app), 100, 100) == 0x123456);
    end_by_manager(app);
    filo_app_destroy(app);
}

// The player of the recording pressed P to pause, and P again to resume. The second press is not in any tick.
static void pause_by_key(FiloApp *app) {
    if (filo_input_pressed(filo_app_input(app), FILO_KEY_P)) filo_app_pause(app, !filo_app_paused(app));
}

static void record_pauses(const char *path, int ticks) {
    FiloInputRecorder *recorder;
    assert_ok(filo_input_recorder_create(&recorder, path,
                                         &(FiloInputLogHead){ .game = "test", .tick_seconds = 1.0 / 60 }));
    for (int i = 0; i < ticks; i++) {
        FiloInput input = { 0 };
        if (i % 10 == 5) input.pressed.bits[FILO_KEY_P / 64] |= UINT64_C(1) << FILO_KEY_P % 64;
        assert_ok(filo_input_recorder_add(recorder, 1.0f / 60, &input, NULL, 0));
    }
    assert_ok(filo_input_recorder_finish(recorder, 0));
    filo_input_recorder_destroy(recorder);
}

FILO_TEST(a_replay_in_a_window_ignores_pauses_of_the_game) {
    const char *path = filo_test_path("pauses");
    record_pauses(path, 30);
    FiloAppDesc desc = game;
    desc.frame = pause_by_key;
    begin_screen();
    FiloApp *app =
        start(&desc, &(FiloCommonArgs){ .backend = FILO_BACKEND_CPU, .threads = 2, .replay = path });
    int64_t deadline = filo_time_ns() + X11_SCREEN_SECONDS * FILO_SECOND;
    while (filo_app_frame(app)) assert_true(filo_time_ns() < deadline);
    app_wait_for_tick(app);
    assert_int_equal(app->ticks_begun, 30);
    filo_app_destroy(app);
}
