// A game from the command line to its end.

#include "app/app.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

// A replay ends as its recording did, unless somebody ended it earlier.
static FiloResult compare_with_recording(FiloApp *app, uint64_t hash) {
    bool ended = false;
    FiloResult r = filo_app_replay_ended(app, &ended);
    uint64_t promised = ended ? filo_input_replay_hash(app->replay) : 0;
    if (r.code != FILO_OK || promised == 0 || promised == hash) return r;
    return filo_error(FILO_ERROR_DATA,
                      "%s: the replay ended in another state than the recording (%016" PRIx64
                      " instead of %016" PRIx64 "): was the game changed since?",
                      app->args.replay, hash, promised);
}

// What was asked for at the end: hash, picture, statistics, the end of a recording.
static FiloResult finish(FiloApp *app) {
    filo_app_finish_tick(app);
    FiloResult r = app->failure;
    uint64_t hash = 0;
    if (app->args.hash || app->recorder != NULL || app->replay != NULL) hash = filo_world_hash(app->world);
    if (app->args.hash) printf("%016" PRIx64 "\n", hash);
    if (app->recorder != NULL) {
        FiloResult recorded = filo_input_recorder_finish(app->recorder, hash);
        if (r.code == FILO_OK) r = recorded;
    }
    if (app->replay != NULL && r.code == FILO_OK) r = compare_with_recording(app, hash);
    if (app->args.stats) filo_app_print_stats(app);
    if (app->args.shot != NULL) {
        FiloResult shot = filo_app_shot(app, app->args.shot);
        if (r.code == FILO_OK) r = shot;
    }
    return r;
}

// ---- Being told to end ----------------------------------------------------------------------------------------
//
// Ctrl-C and the like end a game as closing its window does, with all that was asked for at the end. A second one
// ends it at once, should it hang. Where a window has come with handlers, or the program has its own, they stay.

static volatile sig_atomic_t told_to_end;

static void end_soon(int signal_number) {
    FILO_UNUSED(signal_number);
    told_to_end = 1;
}

static const int end_signals[] = { SIGINT, SIGTERM, SIGHUP };
#define END_SIGNALS (sizeof end_signals / sizeof *end_signals)

static void take_signals(struct sigaction *old) {
    told_to_end = 0;
    struct sigaction ours = { .sa_handler = end_soon, .sa_flags = SA_RESTART | (int)SA_RESETHAND };
    sigemptyset(&ours.sa_mask);
    for (size_t i = 0; i < END_SIGNALS; i++) {
        sigaction(end_signals[i], NULL, &old[i]);
        if (old[i].sa_handler == SIG_DFL) sigaction(end_signals[i], &ours, NULL);
    }
}

static void give_signals_back(const struct sigaction *old) {
    for (size_t i = 0; i < END_SIGNALS; i++)
        if (old[i].sa_handler == SIG_DFL) sigaction(end_signals[i], &old[i], NULL);
}

static void run_frames(FiloApp *app) {
    struct sigaction old[END_SIGNALS];
    take_signals(old);
    while (told_to_end == 0 && filo_app_frame(app)) {}
    give_signals_back(old);
}

// Reads the command line once more after the flags of the recording, so that what is given counts.
static FiloResult take_flags(FiloAppFlags *flags, FiloArgs *args, int argc, char **argv,
                             const FiloArgsDesc *args_desc) {
    FiloResult r = filo_app_flags_read(flags, args_desc, args->common.replay);
    return r.code == FILO_OK ? filo_args_parse(args, argc, argv, args_desc) : r;
}

// With the flags that were given in the recording.
static FiloResult create(FiloApp **app, const FiloAppDesc *desc, FiloAppFlags *flags, const FiloArgs *args) {
    char text[FILO_INPUT_FLAGS] = "";
    FiloResult r = filo_ok();
    if (args->common.record != NULL) r = filo_app_flags_print(flags, desc, text);
    return r.code == FILO_OK ? filo_app_create_with(app, desc, &args->common, text) : r;
}

int filo_run(int argc, char **argv, const FiloAppDesc *desc) {
    FiloArgs args;
    FiloAppFlags flags;
    filo_app_flags_note(&flags, desc);
    const FiloArgsDesc args_desc = { .program = desc->name,
                                     .summary = desc->summary,
                                     .flags = desc->flags,
                                     .flag_count = desc->flag_count,
                                     .defaults = desc->defaults };
    if (!filo_args_main(&args, argc, argv, &args_desc)) return args.exit_code;
    FiloApp *app = NULL;
    FiloResult r = filo_ok();
    if (args.common.replay != NULL) r = take_flags(&flags, &args, argc, argv, &args_desc);
    if (r.code == FILO_OK) r = create(&app, desc, &flags, &args);
    if (r.code == FILO_OK) {
        run_frames(app);
        r = finish(app);
        filo_app_destroy(app);
        FiloResult saved = filo_ok();
        if (args.common.trace != NULL) saved = filo_profile_save_trace(args.common.trace, NULL);
        if (r.code == FILO_OK) r = saved;
    }
    if (r.code != FILO_OK) filo_log_error("app", "%s", r.message);
    filo_log_flush();
    return r.code == FILO_OK ? 0 : 1;
}
