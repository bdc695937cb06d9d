// One frame, and its steps.

#include "app/app.h"

#include <filo/check.h>
#include <filo/files.h>

#include <strings.h>

// ---- Steps --------------------------------------------------------------------------------------------------

void app_call(FiloApp *app, FiloFramePart part) {
    FiloResult r = filo_modules_call(app->modules, part);
    if (r.code != FILO_OK) app_fail(app, r);
}

bool filo_app_poll(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return false;
    FILO_ZONE("poll");
    app->frame->start_ns = filo_time_ns();
    app_call(app, FILO_FRAME_POLL);
    if (app_asked_to_leave(app) || app_told_to_end(app)) filo_app_quit(app);
    return !app_is_over(app) || app->tick.running;
}

// What happens between ticks, once a frame.
static void between_ticks(FiloApp *app) {
    app->frame->number = app->life.frames;
    app->frame->paused = app->paused;
    app_life_enter(&app->life, APP_LIFE_FRAME);
    app_call(app, FILO_FRAME_BEFORE_TICKS);
    app_forget_seen_input(app);
    if (app->desc.frame != NULL) app->desc.frame(app);
}

// The tick that was kept for drawing and not run beside it.
static void run_kept(FiloApp *app) {
    if (!app->tick_kept) return;
    app->tick_kept = false;
    app_run_tick(app, app->kept_delta);
}

// Single ticks while paused. One that was due when the pause began is the first of them.
static int run_steps(FiloApp *app) {
    int ran = 0;
    for (; app->steps > 0 && !app_is_over(app); app->steps--, ran++) {
        if (app->tick_kept)
            run_kept(app);
        else
            app_run_tick(app, (float)app->pacer.tick_seconds);
    }
    app->steps = 0;
    return ran;
}

int filo_app_tick(FiloApp *app, double seconds) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return 0;
    app_finish_tick(app);
    if (app->replay != NULL) filo_app_pause(app, false); // what follows was played after the pause
    if (app_stands_still(app) && app->steps == 0) app_take_input(app);
    between_ticks(app);
    if (app_stands_still(app)) return run_steps(app);
    app->last_seconds = seconds;
    AppPace pace = app_pacer_advance(&app->pacer, seconds);
    if (pace.ticks > 0) app->tick_ahead = false;
    bool overlap = app_may_overlap(app);
    if ((pace.ticks > 0 || !overlap) && !app_is_over(app)) run_kept(app);
    for (int i = 0; i < pace.ticks; i++) {
        if (app_is_over(app)) return i;
        if (overlap && i == pace.ticks - 1) {
            app->tick_kept = true;
            app->kept_delta = pace.delta;
        } else {
            app_run_tick(app, pace.delta);
        }
    }
    return pace.ticks;
}

// What is seen beside a kept tick lies between the two ticks before it, and so it must as long as the clock
// asks for no further one; or motion would jerk on a screen that shows several frames in a tick. So a kept tick
// is started in the last of these frames, as far as that can be known. If it was too early, what is seen waits
// at the tick before.
static bool is_kept_tick_wanted(const FiloApp *app) {
    return app->tick_kept && app_may_overlap(app) && !app_is_over(app) &&
           app_pacer_ticks_within(&app->pacer, app->last_seconds);
}

static float blend_now(const FiloApp *app) {
    if (app->desc.no_blending || app->paused) return 1;
    return app->tick_ahead && app->pacer.step == FILO_STEP_FIXED ? 0 : app_pacer_blend(&app->pacer);
}

// Seconds of the game at the moment that is seen, between the last two ticks.
static double seen_seconds(const FiloApp *app, float blend) {
    return app->numbers.game_seconds - (double)((1 - blend) * app->tick.delta);
}

static bool has_picture(const FiloApp *app) { return app->frame->width > 0 && app->frame->height > 0; }

static void extract_blended(FiloApp *app, float blend) {
    FILO_ZONE("extract");
    app->frame->blend = blend;
    app->frame->time = seen_seconds(app, blend);
    app_call(app, FILO_FRAME_EXTRACT);
    if (app->desc.extract != NULL) app->desc.extract(app);
}

void filo_app_extract(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return;
    app_finish_tick(app);
    if (has_picture(app)) extract_blended(app, blend_now(app));
    app->drawn = true;
}

static void draw(FiloApp *app) {
    FILO_ZONE("draw");
    int64_t start = filo_time_ns();
    app->frame->cleared = false;
    app->drawing = true;
    app_call(app, FILO_FRAME_RENDER);
    app->drawing = false;
    int64_t took = filo_time_ns() - start;
    filo_stopwatch_add(&app->numbers.draws, took);
    app->frame->draw_ms = (double)took / 1e6;
}

void filo_app_render(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return;
    if (!FILO_CHECK(app->drawn, "call filo_app_extract before filo_app_render")) return;
    if (is_kept_tick_wanted(app)) {
        app->tick_kept = false;
        app->tick_ahead = true;
        app_start_tick(app, app->kept_delta);
    }
    if (has_picture(app)) draw(app);
}

void filo_app_present(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return;
    FILO_ZONE("present");
    if (has_picture(app)) app_call(app, FILO_FRAME_PRESENT);
    app->drawn = false;
}

// ---- A whole frame --------------------------------------------------------------------------------------------

// Without a screen nobody sees a frame: it is drawn only for who wants to know how long that takes.
static bool is_watched(const FiloApp *app) {
    if (!has_picture(app)) return false;
    return app->frame->headless ? app->args.stats || app->args.trace != NULL : !app->frame->hidden;
}

// Time since the last frame. Without a screen, time goes from tick to tick, however long they take.
static double frame_seconds(FiloApp *app) {
    int64_t now = app->frame->start_ns;
    double seconds = (double)(now - app->numbers.frame_ns) / 1e9;
    bool first = app->numbers.frame_ns == 0;
    app->numbers.frame_ns = now;
    return first || app->frame->headless ? app->pacer.tick_seconds : seconds;
}

bool filo_app_frame(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return false;
    filo_profile_frame();
    app->numbers.frame_calls = filo_memory_system_calls();
    if (!filo_app_poll(app)) return false;
    app->unwatched = !is_watched(app);
    filo_app_tick(app, frame_seconds(app));
    if (!app->unwatched) {
        filo_app_extract(app);
        filo_app_render(app);
        filo_app_present(app);
    }
    app_call(app, FILO_FRAME_END);
    app_count_frame(app);
    return !app_is_over(app) || app->tick.running;
}

// ---- Pictures ---------------------------------------------------------------------------------------------------

FiloResult app_check_shot(FiloBackend backend, const char *path) {
    const char *extension = filo_path_extension(path);
    if (backend == FILO_BACKEND_NULL)
        return filo_error(FILO_ERROR_UNSUPPORTED, "%s: the null backend draws nothing; take gl or cpu", path);
    if (extension[0] != '\0' && strcasecmp(extension, "png") != 0)
        return filo_error(FILO_ERROR_UNSUPPORTED, "%s: pictures are written as PNG: let the name end in .png",
                          path);
    return filo_ok();
}

FiloResult filo_app_shot(FiloApp *app, const char *path) {
    if (app == NULL) return FILO_MISTAKE("pass an app");
    if (app->drawing) return FILO_MISTAKE("take pictures outside of `draw`: in `frame`, or after the frame");
    FiloResult r = app_check_shot(FILO_BACKEND_ANY, path);
    if (r.code != FILO_OK) return r;
    app_finish_tick(app);
    bool had_failed = app->failure.code != FILO_OK;
    app->frame->shot = true;
    for (int again = 0; has_picture(app) && again < 2; again++) {
        extract_blended(app, 1);
        draw(app);
        // What was seen for the first time has been asked for only now.
        app_call(app, FILO_FRAME_WAIT);
        if (!app->frame->waited) break;
    }
    app->frame->shot = false;
    if (!had_failed && app->failure.code != FILO_OK) return app->failure; // while it was drawn
    return filo_modules_shot(app->modules, path);
}
