// A game from the command line to its end.

#include "app/app.h"

#include <filo/check.h>
#include <filo/files.h>

#include <inttypes.h>
#include <signal.h>

// ---- Signals ----------------------------------------------------------------------------------------------
//
// The first SIGINT, SIGTERM or SIGHUP ends the game as closing its window does, with everything that the command line
// requests for the end. A second one ends the process at once, in case the game hangs. Handlers that the program or SDL
// has installed are left alone.

static volatile sig_atomic_t interrupted;

static void handle_signal(int signal_number) {
    if (interrupted != 0) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    interrupted = 1;
}

static const int end_signals[] = { SIGINT, SIGTERM, SIGHUP };
static struct sigaction old_actions[FILO_COUNT_OF(end_signals)];

static void install_signals(FiloApp *app) {
    interrupted = 0;
    app->handles_signals = true;
    struct sigaction action = { .sa_handler = handle_signal, .sa_flags = SA_RESTART };
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < FILO_COUNT_OF(end_signals); i++) {
        sigaction(end_signals[i], NULL, &old_actions[i]);
        if (old_actions[i].sa_handler == SIG_DFL) sigaction(end_signals[i], &action, NULL);
    }
}

void app_restore_signals(FiloApp *app) {
    if (!app->handles_signals) return;
    app->handles_signals = false;
    for (size_t i = 0; i < FILO_COUNT_OF(end_signals); i++) {
        struct sigaction now;
        sigaction(end_signals[i], NULL, &now);
        if (now.sa_handler == handle_signal) sigaction(end_signals[i], &old_actions[i], NULL);
    }
}

bool app_interrupted(const FiloApp *app) { return app->handles_signals && interrupted != 0; }

// ---- From the command line --------------------------------------------------------------------------------

// Creates the folder of a file that is written at the end, so that a wrong path fails at the start.
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

// Logs a failure. Returns the exit code of the program: 0, or `failure_code` after a failure.
static int exit_code_of(FiloResult r, int failure_code) {
    if (r.code != FILO_OK) filo_log_error("app", "%s", r.message);
    filo_log_flush();
    return r.code == FILO_OK ? 0 : failure_code;
}

// Parses the command line with the flags of the game and its modules. False if that ends the program.
static bool read_args(FiloArgs *args, int argc, char **argv, const FiloAppDesc *desc, AppFlags *flags,
                      FiloResult *result) {
    const FiloArgsDesc args_desc = { .program = desc->name,
                                     .summary = desc->summary,
                                     .flags = flags->all,
                                     .flag_count = flags->count,
                                     .defaults = desc->defaults };
    if (!filo_args_main(args, argc, argv, &args_desc)) return false;
    if (args->common.shot != NULL) *result = app_check_shot_path(args->common.backend, args->common.shot);
    if (result->code != FILO_OK) {
        args->exit_code = exit_code_of(*result, 2);
        return false;
    }
    *result = make_folders(&args->common);
    if (result->code != FILO_OK || args->common.replay == NULL) return true;
    // The command line is parsed again after the flags of the recording, so that it overrides them.
    *result = app_flags_apply_recording(flags, desc->name, args->common.replay);
    if (result->code == FILO_OK) *result = filo_args_parse(args, argc, argv, &args_desc);
    return true;
}

FiloApp *filo_app_main(int argc, char **argv, const FiloAppDesc *desc, int *exit_code) {
    static AppFlags flags; // string variables of the game point into it until the program ends
    FiloArgs args = { 0 };
    FiloApp *app;
    if (exit_code != NULL) *exit_code = 1;
    if (!FILO_CHECK(desc != NULL && exit_code != NULL && (argc == 0 || argv != NULL),
                    "pass what main was given, a description of the game, and where the exit code goes"))
        return NULL;
    FiloResult r = app_create(&app, desc);
    if (r.code == FILO_OK) r = app_flags_collect(&flags, desc, app->modules);
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
        *exit_code = exit_code_of(r, 1);
        return NULL;
    }
    install_signals(app);
    *exit_code = 0;
    return app;
}

int filo_app_main_end(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass the app that filo_app_main returned")) return 1;
    const bool strict = app->args.strict;
    app_restore_signals(app);
    FiloResult r = filo_app_finish(app);
    filo_app_destroy(app);
    const uint64_t faults = filo_fault_count();
    if (strict && faults > 0 && r.code == FILO_OK)
        r = filo_error(FILO_ERROR_ARGUMENT,
                       "--strict: %" PRIu64 " check%s failed; the log has the first of each line of code",
                       faults, faults == 1 ? " has" : "s have");
    return exit_code_of(r, 1);
}

int filo_run(int argc, char **argv, const FiloAppDesc *desc) {
    int exit_code;
    FiloApp *app = filo_app_main(argc, argv, desc, &exit_code);
    if (app == NULL) return exit_code;
    while (filo_app_frame(app)) {}
    return filo_app_main_end(app);
}
