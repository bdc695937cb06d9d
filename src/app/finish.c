// The end of a game: the finish hooks of modules, and what the command line requests: hash, end of the recording,
// statistics, picture, profile.

#include "app/app.h"

#include <filo/check.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

// A replay that has reached the end of its recording must have the hash of the recording. An error if the rest of the
// recording is broken.
static FiloResult compare_with_recording(FiloApp *app, uint64_t hash) {
    float delta;
    FiloInput input;
    FiloResult r = filo_input_replay_next(app->replay, &delta, &input, NULL, NULL);
    if (r.code != FILO_ERROR_NOT_FOUND) return r; // the game was ended before its recording
    uint64_t recorded = filo_input_replay_hash(app->replay);
    if (recorded == 0 || recorded == hash) return filo_ok();
    return filo_error(FILO_ERROR_DATA,
                      "%s: the replay ended in another state than the recording (%016" PRIx64
                      " instead of %016" PRIx64 "): was the game changed since?",
                      app->args.replay, hash, recorded);
}

static FiloResult first_of(FiloResult first, FiloResult second) {
    return first.code != FILO_OK ? first : second;
}

// Reports output that was only written in part, for example to a full disk.
static FiloResult flush_output(void) {
    errno = 0;
    if (fflush(stdout) == 0 && ferror(stdout) == 0) return filo_ok();
    return filo_error_from_errno(errno != 0 ? errno : EIO, "standard output");
}

static void warn_about_lost_events(const char *path) {
    FiloProfileReport report;
    FiloResult r = filo_profile_report_init(&report, NULL);
    if (r.code == FILO_OK && report.lost_count > 0)
        filo_log_warn("app", "%s: only the last %" PRIu64 " events; %" PRIu64 " before them were lost", path,
                      report.event_count, report.lost_count);
    filo_profile_report_deinit(&report);
}

static FiloResult save_trace(FiloApp *app) {
    filo_profile_stop();
    app->profiling = false;
    warn_about_lost_events(app->args.trace);
    return filo_profile_save_trace(app->args.trace, NULL);
}

FiloResult filo_app_finish(FiloApp *app) {
    if (app == NULL) return FILO_MISTAKE("pass an app");
    if (app->finished || app->drawing) return FILO_MISTAKE("call filo_app_finish once, after the last frame");
    app->finished = true;
    app_wait_for_tick(app);
    FiloResult r = first_of(app->failure, app_rewind_end(app));
    uint64_t hash = 0;
    if (app->args.hash || app->recorder != NULL || app->replay != NULL) hash = filo_world_hash(app->world);
    if (app->args.hash) printf("%016" PRIx64 "\n", hash);
    if (app->has_unrecorded_commands) hash = app->recorded_hash; // no tick of the recording has them
    if (app->recorder != NULL) r = first_of(r, filo_input_recorder_finish(app->recorder, hash));
    if (app->replay != NULL && r.code == FILO_OK) r = compare_with_recording(app, hash);
    r = first_of(r, filo_modules_call(app->modules, FILO_FRAME_FINISH));
    if (app->args.stats) app_print_stats(app);
    if (app->args.hash || app->args.stats) r = first_of(r, flush_output());
    if (app->args.shot != NULL) r = first_of(r, filo_app_shot(app, app->args.shot));
    if (app->profiling) r = first_of(r, save_trace(app));
    if (app->frame->headless)
        r = first_of(
            r, app_memory_result(app, "memory ran out, so that something may be missing from the result"));
    return r;
}
