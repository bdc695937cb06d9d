// One frame, and its steps.

#include "app/app.h"

#include <filo/check.h>
#include <filo/files.h>
#include <filo/image.h>

#include <strings.h>

#define ASSET_BUDGET_NS   2000000  // for finishing assets, in a frame that somebody watches
#define MINIMISED_WAIT_NS 50000000 // at most, between looks at a window that nobody sees

// ---- Steps --------------------------------------------------------------------------------------------------

bool filo_app_poll(FiloApp *app) {
    FILO_ZONE("poll");
    filo_window_poll(app->window, &app->collector, filo_app_note_change, app);
    if (filo_app_asked_to_leave(app) || filo_app_told_to_end(app)) filo_app_quit(app);
    return !filo_app_is_over(app) || app->tick.running;
}

// What happens between ticks, once a frame.
static void between_ticks(FiloApp *app) {
    filo_life_enter(&app->life, FILO_LIFE_FRAME);
    // Without a screen time does not pass, so nothing would ever be loaded by itself.
    if (filo_window_headless(app->window))
        filo_assets_wait_all(app->assets);
    else
        filo_assets_update(app->assets, ASSET_BUDGET_NS);
    if (app->overlay.on != app->overlay.switched) filo_overlay_switch(app, app->overlay.switched);
    filo_app_forget_seen_input(app);
    if (app->desc.frame != NULL) app->desc.frame(app);
}

// The tick that was kept for drawing and not run beside it.
static void run_kept(FiloApp *app) {
    if (!app->tick_kept) return;
    app->tick_kept = false;
    filo_app_run_tick(app, app->kept_delta);
}

// Single ticks while paused. One that was due when the pause began is the first of them.
static int run_steps(FiloApp *app) {
    int ran = 0;
    for (; app->steps > 0 && !filo_app_is_over(app); app->steps--, ran++) {
        if (app->tick_kept)
            run_kept(app);
        else
            filo_app_run_tick(app, (float)app->pacer.tick_seconds);
    }
    app->steps = 0;
    return ran;
}

int filo_app_tick(FiloApp *app, double seconds) {
    filo_app_finish_tick(app);
    if (app->replay != NULL) filo_app_pause(app, false); // what follows was played after the pause
    if (filo_app_stands_still(app) && app->steps == 0) filo_app_take_input(app);
    between_ticks(app);
    if (filo_app_stands_still(app)) return run_steps(app);
    app->last_seconds = seconds;
    FiloPace pace = filo_pacer_advance(&app->pacer, seconds);
    if (pace.ticks > 0) app->tick_ahead = false;
    bool overlap = filo_app_may_overlap(app);
    if ((pace.ticks > 0 || !overlap) && !filo_app_is_over(app)) run_kept(app);
    for (int i = 0; i < pace.ticks; i++) {
        if (filo_app_is_over(app)) return i;
        if (overlap && i == pace.ticks - 1) {
            app->tick_kept = true;
            app->kept_delta = pace.delta;
        } else {
            filo_app_run_tick(app, pace.delta);
        }
    }
    return pace.ticks;
}

// What is seen beside a kept tick lies between the two ticks before it, and so it must as long as the clock
// asks for no further one; or motion would jerk on a screen that shows several frames in a tick. So a kept tick
// is started in the last of these frames, as far as that can be known. If it was too early, what is seen waits
// at the tick before.
static bool is_kept_tick_wanted(const FiloApp *app) {
    return app->tick_kept && filo_app_may_overlap(app) && !filo_app_is_over(app) &&
           filo_pacer_ticks_within(&app->pacer, app->last_seconds);
}

static float blend_now(const FiloApp *app) {
    if (app->desc.no_blending || app->paused) return 1;
    return app->tick_ahead && app->pacer.step == FILO_STEP_FIXED ? 0 : filo_pacer_blend(&app->pacer);
}

// Seconds of the game at the moment that is seen, between the last two ticks.
static float seen_seconds(const FiloApp *app, float blend) {
    return (float)(app->numbers.game_seconds - (double)((1 - blend) * app->tick.delta));
}

static void extract_blended(FiloApp *app, float blend) {
    FILO_ZONE("extract");
    FiloIVec2 size = filo_window_pixels(app->window);
    app->blend = blend;
    filo_gfx2d_extract(
        app->gfx, &(FiloExtract){
                      .width = size.x, .height = size.y, .blend = blend, .time = seen_seconds(app, blend) });
    if (app->desc.extract != NULL) app->desc.extract(app);
    filo_overlay_collect(app);
}

void filo_app_extract(FiloApp *app) {
    filo_app_finish_tick(app);
    extract_blended(app, blend_now(app));
    app->drawn = true;
}

static void draw(FiloApp *app) {
    FILO_ZONE("draw");
    int64_t start = filo_time_ns();
    FiloDraw *at_once = filo_gfx2d_draw(app->gfx);
    app->drawing = true;
    if (app->desc.draw != NULL) app->desc.draw(app, at_once);
    app->drawing = false;
    filo_draw_on_screen(at_once);
    filo_overlay_draw_errors(app, at_once);
    filo_overlay_draw(app, at_once);
    filo_gfx2d_render(app->gfx);
    int64_t took = filo_time_ns() - start;
    filo_stopwatch_add(&app->numbers.draws, took);
    app->overlay.last_draw_ms = (double)took / 1e6;
}

void filo_app_render(FiloApp *app) {
    if (!FILO_CHECK(app->drawn, "call filo_app_extract before filo_app_render")) return;
    if (is_kept_tick_wanted(app)) {
        app->tick_kept = false;
        app->tick_ahead = true;
        filo_app_start_tick(app, app->kept_delta);
    }
    draw(app);
}

static void show_pixels(FiloApp *app) {
    FiloPixels pixels;
    if (!filo_gfx2d_pixels(app->gfx, &pixels)) return;
    FiloResult r = filo_window_show(app->window, &pixels);
    // The next frame may succeed, in a window that is just being resized. It is said once.
    if (r.code != FILO_OK && !app->show_failed) filo_log_warn("app", "%s", r.message);
    app->show_failed = app->show_failed || r.code != FILO_OK;
}

void filo_app_present(FiloApp *app) {
    FILO_ZONE("present");
    if (app->gpu != NULL) filo_gpu_end_frame(app->gpu);
    if (app->backend == FILO_BACKEND_GL) filo_window_present(app->window);
    if (app->backend == FILO_BACKEND_NULL) filo_gpu_null_forget(app->gpu);
    if (app->backend == FILO_BACKEND_CPU && !filo_window_headless(app->window)) show_pixels(app);
    app->drawn = false;
}

// ---- A whole frame --------------------------------------------------------------------------------------------

// Without a screen nobody sees a frame: it is drawn only for who wants to know how long that takes.
static bool is_watched(const FiloApp *app) {
    if (filo_window_headless(app->window)) return app->args.stats || app->args.trace != NULL;
    return !filo_window_minimised(app->window);
}

// Time since the last frame. Without a screen, time goes from tick to tick, however long they take.
static double frame_seconds(FiloApp *app, int64_t now) {
    double seconds = (double)(now - app->numbers.frame_ns) / 1e9;
    bool first = app->numbers.frame_ns == 0;
    app->numbers.frame_ns = now;
    return first || filo_window_headless(app->window) ? app->pacer.tick_seconds : seconds;
}

// A minimised window is not drawn, and its game goes on: a little longer than a tick at a time.
static void wait_minimised(FiloApp *app) {
    if (filo_window_headless(app->window) || !filo_window_minimised(app->window)) return;
    filo_sleep_ns(FILO_MIN((int64_t)(app->pacer.tick_seconds * 1e9), MINIMISED_WAIT_NS));
}

// Where the screen does not hold us back (no vsync), sleep as long as it would have.
static void wait_for_screen(FiloApp *app, int64_t start) {
    if (filo_window_headless(app->window) || app->desc.window.no_vsync) return;
    int64_t period = (int64_t)(1e9 / filo_window_refresh_rate(app->window));
    if (filo_time_ns() - start < period - 1000000) filo_sleep_until_ns(start + period);
}

bool filo_app_frame(FiloApp *app) {
    filo_profile_frame();
    int64_t start = filo_time_ns();
    app->numbers.frame_calls = filo_memory_system_calls();
    if (!filo_app_poll(app)) return false;
    app->unwatched = !is_watched(app);
    filo_app_tick(app, frame_seconds(app, start));
    if (!app->unwatched) {
        filo_app_extract(app);
        filo_app_render(app);
        filo_app_present(app);
        wait_for_screen(app, start);
    } else {
        wait_minimised(app);
    }
    filo_app_count_frame(app);
    filo_overlay_add_frame(&app->overlay, (double)(filo_time_ns() - start) / 1e6);
    return !filo_app_is_over(app) || app->tick.running;
}

FiloResult filo_app_check_shot(FiloBackend backend, const char *path) {
    const char *extension = filo_path_extension(path);
    if (backend == FILO_BACKEND_NULL)
        return filo_error(FILO_ERROR_UNSUPPORTED, "%s: the null backend draws nothing; take gl or cpu", path);
    if (extension[0] != '\0' && strcasecmp(extension, "png") != 0)
        return filo_error(FILO_ERROR_UNSUPPORTED, "%s: pictures are written as PNG: let the name end in .png",
                          path);
    return filo_ok();
}

FiloResult filo_app_shot(FiloApp *app, const char *path) {
    if (!FILO_CHECK(!app->drawing, "take pictures outside of `draw`: in `frame`, or after the frame"))
        return filo_error(FILO_ERROR_ARGUMENT, "%s: no picture while drawing", path);
    FiloResult r = filo_app_check_shot(app->backend, path);
    if (r.code != FILO_OK) return r;
    filo_app_finish_tick(app);
    extract_blended(app, 1);
    draw(app);
    // What was seen for the first time has been asked for only now.
    if (filo_assets_stats(app->assets).loading > 0) {
        filo_assets_wait_all(app->assets);
        extract_blended(app, 1);
        draw(app);
    }
    FiloPixels pixels;
    if (!filo_gfx2d_pixels(app->gfx, &pixels))
        return filo_error(FILO_ERROR_IO, "%s: what was drawn cannot be read", path);
    return filo_image_save(&pixels, path);
}
