// The module "screen": opens the window, chooses the backend, polls input, presents the picture and writes it to files.
// It uses only what every module can use.

#include "app/screen.h"

#include <filo/image.h>
#include <filo/log.h>
#include <filo/time.h>

#include <stdio.h>

#define MAX_PIXELS        (INT64_C(1) << 26) // of the picture: 8192 × 8192
#define MINIMISED_WAIT_NS 50000000           // longest frame of a minimised window

// ---- Choosing the backend ---------------------------------------------------------------------------------

static FiloResult open_window(AppScreen *screen, FiloWindowPicture picture) {
    FiloWindowDesc desc = screen->desc;
    desc.picture = picture;
    return filo_window_open(&screen->window, &desc);
}

static FiloResult open_gl(AppScreen *screen) {
    FiloResult r = open_window(screen, FILO_WINDOW_GL);
    if (r.code != FILO_OK) return r;
    r = filo_gpu_create(&screen->gpu,
                        &(FiloGpuDesc){ .debug = screen->desc.debug, .allocator = &screen->heap.allocator });
    if (r.code == FILO_OK) {
        screen->backend = FILO_BACKEND_GL;
        return r;
    }
    filo_window_close(screen->window);
    screen->window = NULL;
    return r;
}

static FiloResult open_cpu(AppScreen *screen) {
    FiloResult r = open_window(screen, FILO_WINDOW_CPU);
    if (r.code == FILO_OK) screen->backend = FILO_BACKEND_CPU;
    return r;
}

static FiloResult open_null(AppScreen *screen) {
    screen->desc.headless = true;
    FiloResult r = open_window(screen, FILO_WINDOW_NONE);
    if (r.code != FILO_OK) return r;
    screen->backend = FILO_BACKEND_NULL;
    return filo_gpu_create(&screen->gpu,
                           &(FiloGpuDesc){ .kind = FILO_GPU_NULL, .allocator = &screen->heap.allocator });
}

static void close_screen(AppScreen *screen) {
    filo_gpu_destroy(screen->gpu);
    filo_window_close(screen->window);
    screen->gpu = NULL;
    screen->window = NULL;
}

// GL if there is a graphics card. Otherwise our own rasteriser, which is several times as fast as a software GL.
static FiloResult open_any(AppScreen *screen) {
    bool has_own_gl = screen->desc.own_context;
    if (screen->desc.headless && !has_own_gl) return open_cpu(screen);
    FiloResult r = open_gl(screen);
    if (has_own_gl || (r.code == FILO_OK && !filo_gpu_limits(screen->gpu)->software)) return r;
    char reason[sizeof r.message + 16];
    if (r.code == FILO_OK)
        snprintf(reason, sizeof reason, "GL here is %s", filo_gpu_limits(screen->gpu)->name);
    else
        snprintf(reason, sizeof reason, "no GL (%s)", r.message);
    close_screen(screen);
    r = open_cpu(screen); // which needs a display too
    if (r.code == FILO_OK) filo_log_info("app", "%s: drawing on the CPU", reason);
    return r;
}

static FiloResult open_screen(AppScreen *screen, FiloBackend wanted) {
    switch (wanted) {
    case FILO_BACKEND_GL: return open_gl(screen);
    case FILO_BACKEND_CPU: return open_cpu(screen);
    case FILO_BACKEND_NULL: return open_null(screen);
    case FILO_BACKEND_ANY: break;
    }
    return screen->needs_gl ? open_gl(screen) : open_any(screen);
}

// ---- Loading ----------------------------------------------------------------------------------------------

static bool fits(FiloIVec2 size, int side) {
    return size.x <= side && size.y <= side && (int64_t)size.x * size.y <= MAX_PIXELS;
}

// The player may make a window of any size. Above the limit, a picture drawn by the CPU is smaller than the window and
// stretched to it. The buffers of GL are always as large as the window, and some drivers crash without memory for them,
// so nothing is drawn until the window is smaller.
static FiloIVec2 picture_size(AppScreen *screen, FiloIVec2 size) {
    bool gl = screen->backend == FILO_BACKEND_GL;
    int side = gl ? FILO_MIN(filo_gpu_limits(screen->gpu)->picture_size, FILO_PIXELS_MAX) : FILO_PIXELS_MAX;
    if (fits(size, side)) return size;
    if (!screen->too_large)
        filo_log_warn("app", "the window is %d × %d, too large to be drawn: %s", size.x, size.y,
                      gl ? "nothing is, until it is smaller" : "a smaller picture is stretched to it");
    screen->too_large = true;
    if (gl) return (FiloIVec2){ 0, 0 };
    float whole = (float)size.x * (float)size.y;
    float scale =
        filo_min((float)side / (float)FILO_MAX(size.x, size.y), filo_sqrt((float)MAX_PIXELS / whole));
    return (FiloIVec2){ FILO_MAX((int)((float)size.x * scale), 1),
                        FILO_MAX((int)((float)size.y * scale), 1) };
}

static void update_frame_size(AppScreen *screen, FiloFrame *frame) {
    FiloIVec2 size = picture_size(screen, filo_window_pixels(screen->window));
    frame->headless = filo_window_headless(screen->window);
    frame->hidden = filo_window_minimised(screen->window) || size.x == 0;
    frame->width = size.x;
    frame->height = size.y;
}

static FiloResult load(FiloModules *modules, void *user) {
    AppScreen *screen = user;
    screen->app = FILO_OBJECT(modules, FiloApp);
    const FiloCommonArgs *args = filo_app_args(screen->app);
    screen->desc.headless = screen->desc.headless || args->headless;
    if (args->size[0] > 0) screen->desc.width = args->size[0], screen->desc.height = args->size[1];
    filo_heap_init(&screen->heap, "screen", 0);
    FiloResult r = open_screen(screen, args->backend);
    if (r.code != FILO_OK) {
        close_screen(screen);
        filo_heap_deinit(&screen->heap);
        return r;
    }
    update_frame_size(screen, filo_modules_frame(modules));
    FILO_SET_OBJECT(modules, FiloWindow, screen->window);
    FILO_SET_OBJECT(modules, FiloGpu, screen->gpu);
    return r;
}

static FiloResult unload(FiloModules *modules, void *user) {
    AppScreen *screen = user;
    FiloFrame *frame = filo_modules_frame(modules);
    frame->headless = true;
    frame->width = frame->height = 0;
    frame->picture = (FiloPixels){ 0 };
    filo_pixels_free(&screen->picture, &screen->heap.allocator);
    close_screen(screen);
    filo_heap_deinit(&screen->heap);
    return filo_ok();
}

// ---- Input ------------------------------------------------------------------------------------------------

static void collect(const FiloInputChange *change, void *app) { filo_app_collect(app, change); }

static FiloResult poll(FiloFrame *frame, void *user) {
    AppScreen *screen = user;
    filo_window_poll(screen->window, NULL, collect, screen->app);
    if (filo_window_lost(screen->window))
        return filo_error(FILO_ERROR_IO, "the display server is gone: the game cannot be shown any more");
    update_frame_size(screen, frame);
    return filo_ok();
}

static bool switch_full_screen(FiloFrame *frame, const FiloInputChange *change, void *user) {
    FILO_UNUSED(frame);
    FiloWindow *window = ((AppScreen *)user)->window;
    if (change->kind == FILO_INPUT_KEY && change->down && change->key == FILO_KEY_F11)
        filo_window_set_full_screen(window, !filo_window_is_full_screen(window));
    return false;
}

// ---- The picture ------------------------------------------------------------------------------------------

// Resizes the picture to the size of the frame. False without memory.
static bool resize_picture(AppScreen *screen, const FiloFrame *frame) {
    if (screen->picture.width == frame->width && screen->picture.height == frame->height) return true;
    filo_pixels_free(&screen->picture, &screen->heap.allocator);
    return filo_pixels_create(&screen->picture, frame->width, frame->height, &screen->heap.allocator);
}

// Runs before all other render hooks: provides the pixels that they draw to.
static FiloResult begin_picture(FiloFrame *frame, void *user) {
    AppScreen *screen = user;
    frame->picture = (FiloPixels){ 0 };
    // Without memory, which is reported, this frame is not shown.
    if (screen->gpu == NULL && resize_picture(screen, frame)) frame->picture = screen->picture;
    return filo_ok();
}

// Runs after all other render hooks: clears the picture to black if none of them has drawn.
static FiloResult end_picture(FiloFrame *frame, void *user) {
    AppScreen *screen = user;
    if (frame->cleared) return filo_ok();
    if (screen->gpu == NULL) {
        if (frame->picture.data != NULL) filo_pixels_fill(&frame->picture, FILO_COLOR_BLACK);
    } else {
        filo_gpu_begin_pass(screen->gpu, &(FiloGpuPass){ .label = "black",
                                                         .width = frame->width,
                                                         .height = frame->height,
                                                         .clear = true,
                                                         .color = { 0, 0, 0, 1 } });
        filo_gpu_end_pass(screen->gpu);
    }
    frame->cleared = true;
    return filo_ok();
}

static void show_pixels(AppScreen *screen, const FiloPixels *pixels) {
    FiloResult r = filo_window_show(screen->window, pixels);
    // The next frame may succeed: the window may be changing its size. The warning is logged once.
    if (r.code != FILO_OK && !screen->show_failed) filo_log_warn("app", "%s", r.message);
    screen->show_failed = screen->show_failed || r.code != FILO_OK;
}

static FiloResult present(FiloFrame *frame, void *user) {
    AppScreen *screen = user;
    if (screen->gpu != NULL) filo_gpu_end_frame(screen->gpu);
    if (screen->backend == FILO_BACKEND_GL) filo_window_present(screen->window);
    if (screen->backend == FILO_BACKEND_NULL) filo_gpu_null_forget(screen->gpu);
    if (screen->backend == FILO_BACKEND_CPU && !frame->headless && frame->picture.data != NULL)
        show_pixels(screen, &frame->picture);
    return filo_ok();
}

static FiloResult save_picture(FiloFrame *frame, const char *path, void *user) {
    AppScreen *screen = user;
    if (screen->backend == FILO_BACKEND_NULL)
        return filo_error(FILO_ERROR_UNSUPPORTED, "%s: the null backend draws nothing; take gl or cpu", path);
    FiloPixels pixels = frame->picture;
    if (screen->gpu != NULL && resize_picture(screen, frame)) {
        FiloResult r = filo_gpu_read(screen->gpu, (FiloRenderTarget){ 0 }, 0, 0, &screen->picture);
        if (r.code != FILO_OK)
            return filo_error(r.code, "%s: what was drawn cannot be read: %s", path, r.message);
        pixels = screen->picture;
    }
    if (pixels.data == NULL) return filo_error(FILO_ERROR_IO, "%s: what was drawn cannot be read", path);
    return filo_image_save(&pixels, path);
}

// ---- Waiting ----------------------------------------------------------------------------------------------

static FiloResult wait_for_screen(FiloFrame *frame, void *user) {
    const AppScreen *screen = user;
    if (frame->headless) return filo_ok();
    if (frame->hidden) { // not drawn, but ticks go on
        filo_sleep_ns(FILO_MIN((int64_t)(frame->tick_seconds * 1e9), MINIMISED_WAIT_NS));
        return filo_ok();
    }
    // Sleeps for the rest of the frame if present did not wait for the screen.
    if (screen->desc.no_vsync) return filo_ok();
    int64_t period = (int64_t)(1e9 / filo_window_refresh_rate(screen->window));
    if (filo_time_ns() - frame->start_ns < period - 1000000) filo_sleep_until_ns(frame->start_ns + period);
    return filo_ok();
}

// ---- The description --------------------------------------------------------------------------------------

static void report_stats(FiloStats *stats, void *user) {
    FiloBackend backend = ((AppScreen *)user)->backend;
    filo_stats_text(stats, "backend",
                    backend == FILO_BACKEND_GL    ? "gl"
                    : backend == FILO_BACKEND_CPU ? "cpu"
                                                  : "null");
}

FiloModuleDesc app_screen_module(AppScreen *screen) {
    static const FiloModuleNeed needs[] = { FILO_NEED_INTERFACE(FiloApp) };
    static const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(FiloWindow),
                                                  FILO_PROVIDE_OBJECT(FiloGpu) };
    static const FiloRenderHook renders[] = { { INT32_MIN, false, begin_picture },
                                              { INT32_MAX, true, end_picture } };
    return (FiloModuleDesc){ .name = "screen",
                             .version = FILO_VERSION(0, 1, 0),
                             .needs = needs,
                             .need_count = FILO_COUNT_OF(needs),
                             .provides = provides,
                             .provide_count = FILO_COUNT_OF(provides),
                             .load = load,
                             .unload = unload,
                             .user = screen,
                             .backend = true,
                             .frame = { .poll = poll,
                                        .input = switch_full_screen,
                                        .present = present,
                                        .end = wait_for_screen,
                                        .shot = save_picture },
                             .renders = renders,
                             .render_count = FILO_COUNT_OF(renders),
                             .stats = report_stats };
}
