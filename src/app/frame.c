// One frame and its steps, in the order in which they run.
//
// The path of a key press, from SDL to the tick that sees it:
//
//   filo_app_poll       calls the poll hooks. That of the screen module (screen.c) polls the window.
//   filo_window_poll    turns each event of SDL into a FiloInputChange (platform/window_events.c).
//   filo_app_collect    offers the change to the modules, and adds it to the collector (input.c).
//   filo_app_tick       runs the ticks that are due, or defers the last of them to filo_app_render.
//   app_prepare_tick    moves what was collected into the world's FiloInput, and emits it as events (input.c).
//   tick_world          runs the systems, which read FiloInput.

#include "app/app.h"

#include <filo/check.h>
#include <filo/files.h>

#include <strings.h>

void app_fail(FiloApp *app, FiloResult result) {
    if (app->failure.code == FILO_OK) app->failure = result;
    filo_app_quit(app);
}

void app_call_hooks(FiloApp *app, FiloFramePart part) {
    FiloResult r = filo_modules_call(app->modules, part);
    if (r.code != FILO_OK) app_fail(app, r);
}

// Calls hooks beside which a tick may run. Debug builds report what they do to the world, whether one runs or not.
static void call_beside_tick(FiloApp *app, FiloFramePart part) {
    filo_world_refuse_access(app->world, true);
    app_call_hooks(app, part);
    filo_world_refuse_access(app->world, false);
}

// Whether no further tick begins: the game was asked to quit, or all ticks of --frames have begun, or it has been paused or
// rewound for as long as these take, and might be for ever.
static bool is_over(const FiloApp *app) {
    // Acquire: pairs with the release in filo_app_quit.
    if (__atomic_load_n(&app->quit, __ATOMIC_ACQUIRE)) return true;
    double still = app->still_seconds / app->pacer.tick_seconds +
                   1e-6; // the sum of frames that last one tick is rounded
    return app->args.frames > 0 &&
           (app->ticks_begun >= app->args.frames || still >= (double)app->args.frames);
}

static bool has_next_frame(const FiloApp *app) { return !is_over(app) || app->tick.running; }

static bool has_picture(const FiloApp *app) { return app->frame->width > 0 && app->frame->height > 0; }

// ---- A whole frame ----------------------------------------------------------------------------------------

// A frame that is not visible is drawn only if the time that drawing takes is wanted.
static bool is_drawn(const FiloApp *app) {
    if (!has_picture(app)) return false;
    return app->frame->headless ? app->args.stats || app->args.trace != NULL : !app->frame->hidden;
}

// Time since the last frame. Headless frames last one tick each, by definition.
static double frame_seconds(FiloApp *app) {
    int64_t now = app->frame->start_ns;
    double seconds = (double)(now - app->metrics.frame_ns) / 1e9;
    bool first = app->metrics.frame_ns == 0;
    app->metrics.frame_ns = now;
    return first || app->frame->headless ? app->pacer.tick_seconds : seconds;
}

bool filo_app_frame(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return false;
    filo_profile_frame();
    app->metrics.frame_calls = filo_memory_system_calls();
    if (!filo_app_poll(app)) return false;
    app->skips_drawing = !is_drawn(app);
    filo_app_tick(app, frame_seconds(app));
    if (!app->skips_drawing) {
        filo_app_extract(app);
        filo_app_render(app);
        filo_app_present(app);
    }
    call_beside_tick(app, FILO_FRAME_END);
    app_count_frame(app);
    return has_next_frame(app);
}

// ---- Poll -------------------------------------------------------------------------------------------------

bool filo_app_poll(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return false;
    FILO_ZONE("poll");
    app->frame->start_ns = filo_time_ns();
    call_beside_tick(app, FILO_FRAME_POLL);
    if (app_wants_to_quit(app) || app_interrupted(app)) filo_app_quit(app);
    return has_next_frame(app);
}

// ---- One tick ---------------------------------------------------------------------------------------------

// The only function of a tick that may run on another thread than main.
static void tick_world(FiloApp *app) {
    FILO_ZONE("tick");
    AppTick *tick = &app->tick;
    uint64_t calls = filo_memory_system_calls();
    int64_t start = filo_time_ns();
    tick->result = filo_world_tick(app->world, tick->delta);
    tick->duration_ns = filo_time_ns() - start;
    tick->allocations = filo_memory_system_calls() - calls;
}

static void end_tick(FiloApp *app) {
    app_count_tick(app);
    app_objects_after_tick(app);
    app_rewind_after_tick(app);
    if (app->tick.result.code != FILO_OK) app_fail(app, app->tick.result);
}

void app_run_tick(FiloApp *app, float delta) {
    if (!app_prepare_tick(app, delta)) return;
    tick_world(app);
    end_tick(app);
}

// Marked, because others may not use the world while it is drawn.
static void run_tick_job(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    bool before = filo_jobs_set_mark(true);
    tick_world(*(FiloApp **)data);
    (void)filo_jobs_set_mark(before);
}

static void start_deferred_tick(FiloApp *app) {
    app->tick_deferred = false;
    app->tick_ahead = true;
    if (!app_prepare_tick(app, app->deferred_delta)) return;
    app->tick.running = true;
    filo_job_init(&app->tick.job, run_tick_job, &app, sizeof app);
    filo_job_set_name(&app->tick.job, "tick beside drawing");
    filo_jobs_run(app->jobs, &app->tick.job);
}

void app_wait_for_tick(FiloApp *app) {
    if (!app->tick.running) return;
    filo_jobs_wait(app->jobs, &app->tick.job);
    app->tick.running = false;
    end_tick(app);
}

// ---- The ticks of a frame ---------------------------------------------------------------------------------

// A replay ignores pauses: a recording has only the ticks that were run.
static bool is_paused(const FiloApp *app) {
    return app->rewind.active || (app->paused && app->replay == NULL);
}

static bool may_overlap(const FiloApp *app) {
    return !app->desc.no_overlap && !app->skips_drawing && !app->paused && !app->rewind.active &&
           filo_jobs_threads(app->jobs) > 1 && !filo_world_needs_main_thread(app->world);
}

// What happens between ticks, once per frame.
static void call_frame(FiloApp *app, double seconds) {
    app->frame->number = app->lifecycle.frames;
    app->frame->paused = app->paused || app->rewind.active;
    app->frame->time_scale = app->pacer.scale;
    app->frame->seconds = seconds;
    app_lifecycle_enter(&app->lifecycle, APP_STAGE_FRAME);
    app_call_hooks(app, FILO_FRAME_BEFORE_TICKS);
    app_advance_input_summary(app);
    if (app->desc.frame != NULL) app->desc.frame(app);
}

// Runs the deferred tick here, if render has not started it.
static void run_deferred_tick(FiloApp *app) {
    if (!app->tick_deferred) return;
    app->tick_deferred = false;
    app_run_tick(app, app->deferred_delta);
}

// Runs the ticks of filo_app_step. A tick that was deferred when the pause began is the first of them.
static int run_steps(FiloApp *app) {
    int ran = 0;
    if (app->rewind.active) app->steps = 0;
    for (; app->steps > 0 && !is_over(app); app->steps--, ran++) {
        if (app->tick_deferred)
            run_deferred_tick(app);
        else
            app_run_tick(app, (float)app->pacer.tick_seconds);
    }
    app->steps = 0;
    return ran;
}

int filo_app_tick(FiloApp *app, double seconds) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return 0;
    app_wait_for_tick(app);
    if (app->replay != NULL) filo_app_pause(app, false);
    if (is_paused(app) && app->steps == 0) app_take_paused_input(app);
    call_frame(app, seconds);
    if (is_paused(app)) {
        if (app->steps == 0) app->still_seconds += seconds;
        return run_steps(app);
    }
    app->last_seconds = seconds;
    AppPace pace = app_pacer_advance(&app->pacer, seconds);
    if (pace.ticks > 0) app->tick_ahead = false;
    bool overlap = may_overlap(app);
    if ((pace.ticks > 0 || !overlap) && !is_over(app)) run_deferred_tick(app);
    for (int i = 0; i < pace.ticks; i++) {
        if (is_over(app)) return i;
        if (overlap && i == pace.ticks - 1) {
            app->tick_deferred = true;
            app->deferred_delta = pace.delta;
        } else {
            app_run_tick(app, pace.delta);
        }
    }
    return pace.ticks;
}

// ---- Extract ----------------------------------------------------------------------------------------------

static float current_blend(const FiloApp *app) {
    if (app->desc.no_blending || app->paused || app->rewind.active) return 1;
    return app->tick_ahead && app->pacer.step == FILO_STEP_FIXED ? 0 : app_pacer_blend(&app->pacer);
}

static void extract_blended(FiloApp *app, float blend) {
    FILO_ZONE("extract");
    app->frame->blend = blend;
    // Game time of the picture, between the last two ticks.
    app->frame->time = app->metrics.game_seconds - (double)((1 - blend) * app->tick.delta);
    app_call_hooks(app, FILO_FRAME_EXTRACT);
    if (app->desc.extract != NULL) app->desc.extract(app);
    app_call_hooks(app, FILO_FRAME_PANELS);
}

void filo_app_extract(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return;
    app_wait_for_tick(app);
    if (has_picture(app)) extract_blended(app, current_blend(app));
    app->extracted = true;
}

// ---- Render -----------------------------------------------------------------------------------------------

static void draw(FiloApp *app) {
    FILO_ZONE("draw");
    int64_t start = filo_time_ns();
    app->frame->cleared = false;
    app->drawing = true;
    call_beside_tick(app, FILO_FRAME_RENDER);
    app->drawing = false;
    int64_t took = filo_time_ns() - start;
    filo_stopwatch_add(&app->metrics.draws, took);
    app->frame->draw_ms = (double)took / 1e6;
}

void filo_app_render(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return;
    if (!FILO_CHECK(app->extracted, "call filo_app_extract before filo_app_render")) return;
    // While a tick is deferred, the picture is blended between the two ticks before it, until the clock makes a further
    // tick due. On a screen that shows several frames per tick, motion would jerk if the deferred tick ran in the first
    // of these frames. So it is started in the last of them, as predicted from the length of the last frame. If the
    // prediction was too early, the picture stays at the tick before (tick_ahead).
    if (app->tick_deferred && may_overlap(app) && !is_over(app) &&
        app_pacer_ticks_within(&app->pacer, app->last_seconds))
        start_deferred_tick(app);
    if (has_picture(app)) draw(app);
}

// ---- Present ----------------------------------------------------------------------------------------------

void filo_app_present(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return;
    FILO_ZONE("present");
    if (has_picture(app)) call_beside_tick(app, FILO_FRAME_PRESENT);
    app->extracted = false;
}

// ---- Pictures as files ------------------------------------------------------------------------------------

FiloResult app_check_shot_path(FiloBackend backend, const char *path) {
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
    FiloResult r = app_check_shot_path(FILO_BACKEND_ANY, path);
    if (r.code != FILO_OK) return r;
    app_wait_for_tick(app);
    bool had_failed = app->failure.code != FILO_OK;
    app->frame->shot = true;
    for (int again = 0; has_picture(app) && again < 8; again++) {
        extract_blended(app, 1);
        draw(app);
        // Drawing may have requested assets. If so, the picture is drawn again with them: and again, because a material
        // requests its shader and images only when it is loaded.
        app_call_hooks(app, FILO_FRAME_WAIT);
        if (!app->frame->waited) break;
    }
    app->frame->shot = false;
    if (!had_failed && app->failure.code != FILO_OK) return app->failure; // while it was drawn
    return filo_modules_shot(app->modules, path);
}
