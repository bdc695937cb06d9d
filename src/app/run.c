// A game from the command line to its end.

#include "app/app.h"

#include <filo/files.h>

#include <signal.h>

// ---- Being told to end ----------------------------------------------------------------------------------------
//
// Ctrl-C and the like end a game as closing its window does, with all that was asked for at the end. A second one
// ends it at once, should it hang. Where a window has come with handlers, or the program has its own, they stay.

static volatile sig_atomic_t told_to_end;

static void end_soon(int signal_number) {
    if (told_to_end != 0) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    told_to_end = 1;
}

static const int end_signals[] = { SIGINT, SIGTERM, SIGHUP };
#define END_SIGNALS (sizeof end_signals / sizeof *end_signals)
static struct sigaction old_signals[END_SIGNALS];

static void take_signals(FiloApp *app) {
    told_to_end = 0;
    app->heeds_signals = true;
    struct sigaction ours = { .sa_handler = end_soon, .sa_flags = SA_RESTART };
    sigemptyset(&ours.sa_mask);
    for (size_t i = 0; i < END_SIGNALS; i++) {
        sigaction(end_signals[i], NULL, &old_signals[i]);
        if (old_signals[i].sa_handler == SIG_DFL) sigaction(end_signals[i], &ours, NULL);
    }
}

void app_give_signals_back(FiloApp *app) {
    if (!app->heeds_signals) return;
    app->heeds_signals = false;
    for (size_t i = 0; i < END_SIGNALS; i++) {
        struct sigaction now;
        sigaction(end_signals[i], NULL, &now);
        if (now.sa_handler == end_soon) sigaction(end_signals[i], &old_signals[i], NULL);
    }
}

bool app_told_to_end(const FiloApp *app) { return app->heeds_signals && told_to_end != 0; }

// ---- From the command line ------------------------------------------------------------------------------------

// What is only written at the end should not fail then, after a long game, for a name that was wrong all the time.
static FiloResult make_folder_of(const char *path) {
    char folder[FILO_PATH_SIZE];
    if (path == NULL || !filo_path_folder(folder, sizeof folder, path)) return filo_ok();
    FiloResult r = filo_folder_make(folder);
    return r.code == FILO_OK ? r : filo_error(r.code, "%s cannot be written: %s", path, r.message);
}

static FiloResult make_folders(const FiloCommonArgs *args) {
    FiloResult r = make_folder_of(args->shot);
    if (r.code == FILO_OK) r = make_folder_of(args->record);
    if (r.code == FILO_OK) r = make_folder_of(args->trace);
    return r;
}

static int end(FiloResult r, int code) {
    if (r.code != FILO_OK) filo_log_error("app", "%s", r.message);
    filo_log_flush();
    return r.code == FILO_OK ? 0 : code;
}

// Reads the command line with the flags of the game and of what is registered. False if that ends the program.
static bool read_args(FiloArgs *args, int argc, char **argv, const FiloAppDesc *desc, AppFlags *flags,
                      FiloResult *result) {
    const FiloArgsDesc args_desc = { .program = desc->name,
                                     .summary = desc->summary,
                                     .flags = flags->all,
                                     .flag_count = flags->count,
                                     .defaults = desc->defaults };
    if (!filo_args_main(args, argc, argv, &args_desc)) return false;
    if (args->common.shot != NULL) *result = app_check_shot(args->common.backend, args->common.shot);
    if (result->code != FILO_OK) {
        args->exit_code = end(*result, 2);
        return false;
    }
    *result = make_folders(&args->common);
    if (result->code != FILO_OK || args->common.replay == NULL) return true;
    // Once more after the flags of the recording, so that what is given counts.
    *result = app_flags_read(flags, desc->name, args->common.replay);
    if (result->code == FILO_OK) *result = filo_args_parse(args, argc, argv, &args_desc);
    return true;
}

FiloApp *filo_app_main(int argc, char **argv, const FiloAppDesc *desc, int *exit_code) {
    static AppFlags flags; // texts of a recording are the game's variables also after this
    FiloArgs args = { 0 };
    FiloApp *app;
    if (exit_code != NULL) *exit_code = 1;
    if (!FILO_CHECK(desc != NULL && exit_code != NULL && (argc == 0 || argv != NULL),
                    "pass what main was given, a description of the game, and where the exit code goes"))
        return NULL;
    FiloResult r = app_begin(&app, desc);
    if (r.code == FILO_OK) r = app_flags_gather(&flags, desc, app->modules);
    if (r.code == FILO_OK && !read_args(&args, argc, argv, desc, &flags, &r)) {
        filo_app_destroy(app);
        *exit_code = args.exit_code;
        return NULL;
    }
    char recorded[FILO_INPUT_FLAGS] = "";
    if (r.code == FILO_OK && args.common.record != NULL) r = app_flags_print(&flags, recorded);
    if (r.code == FILO_OK) r = app_start(app, &args.common, recorded);
    if (r.code != FILO_OK) {
        filo_app_destroy(app);
        *exit_code = end(r, 1);
        return NULL;
    }
    take_signals(app);
    *exit_code = 0;
    return app;
}

int filo_app_main_end(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass the app that filo_app_main returned")) return 1;
    app_give_signals_back(app);
    FiloResult r = filo_app_finish(app);
    filo_app_destroy(app);
    return end(r, 1);
}

int filo_run(int argc, char **argv, const FiloAppDesc *desc) {
    int exit_code;
    FiloApp *app = filo_app_main(argc, argv, desc, &exit_code);
    if (app == NULL) return exit_code;
    while (filo_app_frame(app)) {}
    return filo_app_main_end(app);
}
