// Whole programs, as the command line starts them: what they print, and how they end.

#include "stage.h"
#include "support/screenless.h"

#include <filo/files.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// ---- The program ------------------------------------------------------------------------------------------

typedef struct Counter {
    uint64_t value;
} Counter;
FILO_REFLECT(Counter, FILO_FIELD(uint64_t, value))

static int signals; // that end it, in tick 10
static int first_signal = SIGTERM;
static uint64_t stride = 1; // another value simulates a changed game

static void count(FiloIter *it) {
    Counter *counter = filo_write(it, Counter);
    for (size_t i = 0; i < it->count; i++) {
        uint64_t value = counter[i].value += stride;
        for (int k = 0; value == 10 && k < signals; k++) raise(k == 0 ? first_signal : SIGTERM);
    }
}

static FiloResult define(FiloApp *app) {
    filo_component(filo_app_world(app), Counter);
    filo_system_add(
        filo_app_world(app),
        &(FiloSystemDesc){ .name = "count", .run = count, .query.terms = { FILO_WRITE(Counter) } });
    return filo_ok();
}

static FiloFaultAnswer go_on(const FiloFault *fault, void *user) { // as a release build does
    FILO_UNUSED(fault), FILO_UNUSED(user);
    return FILO_FAULT_CONTINUE;
}

static FiloResult create(FiloApp *app) {
    if (getenv("FILO_TEST_FAULTS") != NULL) {
        filo_fault_set_handler((FiloFaultHandler){ .hook = go_on });
        for (int i = 0; i < 2; i++) filo_edit(filo_app_world(app), FILO_ENTITY_NONE, Counter)->value++;
    }
    filo_create(filo_app_world(app), FILO_ADD(Counter));
    return filo_ok();
}

// As filo_run does it, from the parts of a frame.
static int run_step_by_step(int argc, char **argv, const FiloAppDesc *desc) {
    int exit_code = -1;
    FiloApp *app = filo_app_main(argc, argv, desc, &exit_code);
    if (app == NULL) return exit_code;
    while (filo_app_poll(app)) {
        filo_app_tick(app, 1.0 / 60);
        filo_app_extract(app);
        filo_app_render(app);
        filo_app_present(app);
    }
    return filo_app_main_end(app);
}

// Its arguments are in the environment.
FILO_TEST_PROGRAM(game) {
    char line[512];
    filo_string_copy(filo_string(getenv("FILO_TEST_ARGUMENTS")), line, sizeof line);
    char *arguments[32] = { (char[]){ "game" } };
    int number = 1;
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) arguments[number++] = word;
    if (getenv("FILO_TEST_STRIDE") != NULL) stride = 2;
    if (getenv("FILO_TEST_SIGNALS") != NULL) signals = atoi(getenv("FILO_TEST_SIGNALS"));
    if (getenv("FILO_TEST_INTERRUPT") != NULL) first_signal = SIGINT;
    if (getenv("FILO_TEST_FULL_OUTPUT") != NULL) assert_non_null(freopen("/dev/full", "w", stdout));
    if (getenv("FILO_TEST_FEW_EVENTS") != NULL)
        filo_profile_start(&(FiloProfileDesc){ .events_per_thread = 16 });
    const char *limit = getenv("FILO_TEST_FILE_LIMIT"); // as if the disk were full
    if (limit != NULL) {
        signal(SIGXFSZ, SIG_IGN);
        rlim_t bytes = (rlim_t)strtoul(limit, NULL, 10);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){ bytes, bytes });
    }
    int first = 3, level = -1;
    uint64_t more = 0;
    float speed = 0.5f;
    bool fast = true;
    const char *map = NULL;
    static const char *const levels[] = { "sea", "moon", NULL };
    const FiloFlag flags[] = {
        { "first", "where to begin", .integer = &first, .min = 4, .max = 100 }, // the default is outside
        { "more", NULL, .unsigned_integer = &more },
        { "speed", NULL, .real = &speed },
        { "fast", NULL, .on = &fast },
        { "map", NULL, .string = &map },
        { "level", NULL, .choice = &level, .choices = levels },
    };
    const char *other = getenv("FILO_TEST_OTHER_FLAGS");
    const FiloAppDesc desc = { .name = "game",
                               .flags = flags,
                               .flag_count = other != NULL ? 1 : FILO_COUNT_OF(flags),
                               .define = define,
                               .create = create };
    int code = getenv("FILO_TEST_STEPS") != NULL ? run_step_by_step(number, arguments, &desc)
                                                 : filo_run(number, arguments, &desc);
    if (getenv("FILO_TEST_FLAGS") != NULL)
        printf("%d %d %g %d %s %d\n", first, (int)more, (double)speed, fast, map != NULL ? map : "none",
               level);
    exit(code);
}

static FiloTestResult outcome;

// Runs the game with up to three changes of the environment, and expects the exit code.
static void play(int code, const char *arguments, const char *a, const char *b, const char *c) {
    static char variable[600];
    snprintf(variable, sizeof variable, "FILO_TEST_ARGUMENTS=%s", arguments);
    filo_test_run(&outcome, &(FiloTestRun){ .program = "game", .environment = { variable, a, b, c } });
    if (outcome.exit_code != code)
        fail_msg("%s: ended with %d (signal %d)\n%s%s", arguments, outcome.exit_code, outcome.signal,
                 outcome.output, outcome.errors);
}

static const char *with_file(const char *before, const char *name, const char *after) {
    static char text[512];
    snprintf(text, sizeof text, "%s %s %s", before, filo_test_path(name), after);
    return text;
}

// ---- Failed checks ----------------------------------------------------------------------------------------

FILO_TEST(a_strict_game_fails_at_the_end_if_a_check_has_failed) {
    play(0, "--headless --frames 3", "FILO_TEST_FAULTS=1", NULL, NULL);
    play(0, "--headless --frames 3 --strict", NULL, NULL, NULL);
    play(1, "--headless --frames 3 --strict --hash", "FILO_TEST_FAULTS=1", NULL, NULL);
    assert_contains(outcome.errors, "--strict: 2 checks have failed");
    assert_int_equal(strlen(outcome.output), 17); // the hash, as without the flag
}

// ---- Without display or GL --------------------------------------------------------------------------------

FILO_TEST(without_a_display_it_says_what_to_try) {
    play(1, "--frames 5", "SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY");
    assert_contains(outcome.errors, "no display: run with --headless");
    assert_null(strstr(outcome.errors, "drawing on the CPU")); // it is not
    play(1, "--frames 5 --backend gl", "SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY");
    assert_contains(outcome.errors, "no display: run with --headless");
    play(1, "--frames 5", "SDL_VIDEODRIVER=nonsense", "DISPLAY", "WAYLAND_DISPLAY");
    assert_contains(outcome.errors, "no display: run with --headless");
    assert_contains(outcome.errors, "nonsense");
}

FILO_TEST(headless_needs_no_display_whatever_the_environment_says) {
    play(0, "--frames 5 --headless --hash", "SDL_VIDEODRIVER=nonsense", "DISPLAY=:12345", "WAYLAND_DISPLAY");
    play(0, "--frames 5 --backend null --hash", "SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY");
}

FILO_TEST(without_gl_it_says_what_to_try_and_draws_on_the_cpu_by_itself) {
    const char *vendors = "__EGL_VENDOR_LIBRARY_DIRS=/nonexistent",
               *drivers = "LIBGL_DRIVERS_PATH=/nonexistent";
    play(1, "--headless --frames 5 --backend gl", vendors, drivers, NULL);
    assert_contains(outcome.errors, "--backend cpu");
    play(0, "--headless --frames 5 --stats", vendors, drivers, NULL);
    assert_contains(outcome.output, "\"backend\":\"cpu\"");
}

// ---- Ends -------------------------------------------------------------------------------------------------

FILO_TEST(hash_statistics_trace_and_picture_are_written_at_the_end) {
    play(0, with_file("--headless --frames 7 --hash --stats --trace", "trace.json", ""), NULL, NULL, NULL);
    assert_contains(outcome.output, "\"ticks\":7,");
    FiloFileData trace;
    assert_ok(filo_file_read(&trace, filo_test_path("trace.json"), NULL));
    assert_non_null(memmem(trace.bytes, trace.size, "\"tick\"", 6));
    filo_file_free(&trace);
    play(0, with_file("--headless --frames 7 --shot", "shot.png", ""), NULL, NULL, NULL);
    assert_int_equal(access(filo_test_path("shot.png"), R_OK), 0);
}

FILO_TEST(a_signal_ends_the_game_with_all_its_output) {
    static const char *const backends[] = { "cpu", "null" };
    for (size_t i = 0; i < FILO_COUNT_OF(backends); i++) {
        char before[64];
        snprintf(before, sizeof before, "--headless --hash --stats --backend %s --record", backends[i]);
        play(0, with_file(before, "input", ""), "FILO_TEST_SIGNALS=1", NULL, NULL);
        assert_contains(outcome.output, "\"ticks\":1"); // 10, or 11: one may have been running
        play(0, with_file("--headless --replay", "input", ""), NULL, NULL, NULL); // it has its end
    }
}

FILO_TEST(a_second_signal_ends_it_at_once) {
    static char arguments[] = "FILO_TEST_ARGUMENTS=--headless --hash";
    filo_test_run(&outcome,
                  &(FiloTestRun){ .program = "game", .environment = { arguments, "FILO_TEST_SIGNALS=2" } });
    assert_int_equal(outcome.signal, SIGTERM);
    assert_string_equal(outcome.output, "");
    filo_test_run(&outcome, &(FiloTestRun){ .program = "game",
                                            .environment = { arguments, "FILO_TEST_SIGNALS=2",
                                                             "FILO_TEST_INTERRUPT=1" } });
    assert_int_equal(outcome.signal, SIGTERM); // of another kind
}

FILO_TEST(a_program_with_a_custom_loop_has_all_flags) {
    static char hash[64];
    play(0, "--headless --frames 30 --hash", NULL, NULL, NULL);
    filo_string_copy(filo_string(outcome.output), hash, sizeof hash);
    play(0, with_file("--headless --frames 30 --hash --fast --first=9 --record", "steps/input", ""),
         "FILO_TEST_STEPS=1", NULL, NULL);
    assert_string_equal(outcome.output, hash);
    play(0, with_file("--headless --replay", "steps/input", ""), "FILO_TEST_STEPS=1", "FILO_TEST_FLAGS=1",
         NULL);
    assert_contains(outcome.output, "9 0 0.5 1 none -1"); // flags of its own are in the recording
    play(0, "--help", "FILO_TEST_STEPS=1", NULL, NULL);
    assert_contains(outcome.output, "where to begin");
    play(2, "--headless --what", "FILO_TEST_STEPS=1", NULL, NULL);
    assert_contains(outcome.errors, "--what");
    play(1, with_file("--headless --replay", "missing", ""), "FILO_TEST_STEPS=1", NULL, NULL);
    assert_contains(outcome.errors, filo_test_path("missing"));
    play(0, "--headless --hash", "FILO_TEST_STEPS=1", "FILO_TEST_SIGNALS=1", NULL); // a signal in tick 10
    assert_true(strlen(outcome.output) >= 17);
}

FILO_TEST(ending_an_app_that_is_none_is_reported) {
    expect_fault("pass the app that filo_app_main returned", assert_int_equal(filo_app_main_end(NULL), 1));
}

FILO_TEST(what_cannot_be_written_at_the_end_is_an_error) {
    assert_ok(filo_folder_make(filo_test_path("folder.png")));
    play(1, with_file("--headless --frames 3 --hash --shot", "folder.png", ""), NULL, NULL, NULL);
    assert_contains(outcome.errors, filo_test_path("folder.png"));
    assert_true(strlen(outcome.output) >= 17); // the hash is there all the same
    play(1, with_file("--headless --frames 3 --trace", "folder.png", ""), NULL, NULL, NULL);
    assert_contains(outcome.errors, filo_test_path("folder.png"));
}

FILO_TEST(folders_for_what_is_written_are_made) {
    play(0, with_file("--headless --frames 3 --shot", "new/pictures/shot.png", ""), NULL, NULL, NULL);
    assert_int_equal(access(filo_test_path("new/pictures/shot.png"), R_OK), 0);
    play(0, with_file("--headless --frames 3 --trace", "new/traces/trace.json", ""), NULL, NULL, NULL);
    assert_int_equal(access(filo_test_path("new/traces/trace.json"), R_OK), 0);
    play(0, with_file("--headless --frames 3 --record", "new/inputs/input", ""), NULL, NULL, NULL);
    assert_int_equal(access(filo_test_path("new/inputs/input"), R_OK), 0);
}

// The hash is not printed: no tick was run.
FILO_TEST(a_file_that_can_never_be_written_ends_the_program_before_the_game) {
    const char *const flags[] = { "--shot", "--record", "--trace" };
    for (size_t i = 0; i < FILO_COUNT_OF(flags); i++) {
        char line[100];
        snprintf(line, sizeof line, "--headless --frames 3 --hash %s /dev/null/file", flags[i]);
        play(1, line, NULL, NULL, NULL);
        assert_contains(outcome.errors, "/dev/null/file cannot be written");
        assert_string_equal(outcome.output, "");
    }
    play(2, with_file("--headless --backend null --frames 3 --hash --shot", "null.png", ""), NULL, NULL,
         NULL);
    assert_contains(outcome.errors, "the null backend draws nothing");
    assert_string_equal(outcome.output, "");
    play(2, with_file("--headless --frames 3 --hash --shot", "shot.jpg", ""), NULL, NULL, NULL);
    assert_contains(outcome.errors, "shot.jpg: pictures are written as PNG");
    assert_string_equal(outcome.output, "");
    play(0, with_file("--headless --frames 3 --shot", "SHOT.PNG", ""), NULL, NULL, NULL);
}

FILO_TEST(output_that_cannot_be_written_is_an_error) {
    static const char *const flags[] = { "--hash", "--stats" };
    for (size_t i = 0; i < FILO_COUNT_OF(flags); i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "--headless --frames 3 %s", flags[i]);
        play(1, arguments, "FILO_TEST_FULL_OUTPUT=1", NULL, NULL);
        assert_contains(outcome.errors, "standard output");
    }
}

FILO_TEST(a_profile_that_is_not_whole_says_so) {
    play(0, with_file("--headless --frames 50 --trace", "trace.json", ""), "FILO_TEST_FEW_EVENTS=1", NULL,
         NULL);
    assert_contains(outcome.errors, "before them were lost");
    play(0, with_file("--headless --frames 5 --trace", "trace.json", ""), NULL, NULL, NULL);
    assert_string_equal(outcome.errors, "");
}

FILO_TEST(a_start_that_fails_leaves_older_files_alone) {
    static const char *const flags[] = { "--frames 5 --record", "--frames 5 --trace" };
    for (size_t i = 0; i < FILO_COUNT_OF(flags); i++) {
        assert_ok(filo_file_write(filo_test_path("old"), "precious", 8, NULL));
        play(1, with_file(flags[i], "old", ""), "SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY");
        FiloFileData old;
        assert_ok(filo_file_read(&old, filo_test_path("old"), NULL));
        assert_int_equal(old.size, 8);
        assert_memory_equal(old.bytes, "precious", 8);
        filo_file_free(&old);
    }
}

FILO_TEST(a_wrong_flag_is_a_mistake_of_the_caller) {
    play(2, "--headless --frame 3", NULL, NULL, NULL);
    play(2, "--backend vulkan", NULL, NULL, NULL);
    play(0, "--help", NULL, NULL, NULL);
    assert_contains(outcome.output, "--replay");
}

// ---- Recordings -------------------------------------------------------------------------------------------

FILO_TEST(a_full_disk_ends_a_recording_with_its_reason_and_not_the_game) {
    play(1, "--headless --frames 500 --record /dev/full", NULL, NULL, NULL);
    assert_contains(outcome.errors, "/dev/full");
    play(1, with_file("--headless --frames 500 --stats --record", "full", ""), "FILO_TEST_FILE_LIMIT=150",
         NULL, NULL);
    assert_contains(outcome.errors, filo_test_path("full"));
    assert_contains(outcome.errors, "goes on without being recorded");
    assert_contains(outcome.output, "\"ticks\":500,");
    play(1, with_file("--headless --replay", "full", ""), NULL, NULL, NULL);
    assert_contains(outcome.errors, "without its end");
}

static void record(void) {
    play(0, with_file("--headless --frames 40 --seed 3 --record", "input", ""), NULL, NULL, NULL);
}

FILO_TEST(a_replay_of_a_game_that_was_changed_says_so) {
    record();
    play(0, with_file("--headless --replay", "input", ""), NULL, NULL, NULL);
    play(1, with_file("--headless --replay", "input", ""), "FILO_TEST_STRIDE=2", NULL, NULL);
    assert_contains(outcome.errors, "was the game changed since?");
}

FILO_TEST(a_replay_that_ends_early_makes_no_claim) {
    record();
    play(0, with_file("--headless --replay", "input", "--frames 20"), "FILO_TEST_STRIDE=2", NULL, NULL);
    play(1, with_file("--headless --replay", "input", "--frames 40"), "FILO_TEST_STRIDE=2", NULL, NULL);
}

FILO_TEST(a_replay_can_be_recorded_again) {
    record();
    char arguments[512];
    snprintf(arguments, sizeof arguments, "--headless --replay %s --record %s", filo_test_path("input"),
             filo_test_path("again"));
    play(0, arguments, NULL, NULL, NULL);
    FiloFileData first, second;
    assert_ok(filo_file_read(&first, filo_test_path("input"), NULL));
    assert_ok(filo_file_read(&second, filo_test_path("again"), NULL));
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.bytes, second.bytes, first.size);
    filo_file_free(&first);
    filo_file_free(&second);
}

FILO_TEST(a_replay_has_the_flags_of_the_game_that_was_recorded) {
    play(0,
         with_file("--headless --frames 3 --record", "input",
                   "--first 7 --more=12345678901 --speed 0.1 --no-fast --map a=b --level moon"),
         "FILO_TEST_FLAGS=1", NULL, NULL);
    char recorded[128];
    filo_string_copy(filo_string(outcome.output), recorded, sizeof recorded);
    assert_contains(recorded, "7 ");
    play(0, with_file("--headless --replay", "input", ""), "FILO_TEST_FLAGS=1", NULL, NULL);
    assert_string_equal(outcome.output, recorded);
    play(0, with_file("--headless --map c --replay", "input", "--fast"), "FILO_TEST_FLAGS=1", NULL, NULL);
    assert_contains(outcome.output, "0.1 1 c 1"); // the command line overrides the recording
    play(1, with_file("--headless --replay", "input", ""), "FILO_TEST_OTHER_FLAGS=1", NULL, NULL);
    assert_contains(outcome.errors, "played with flags that this game does not record: unknown flag --more");
}

FILO_TEST(flags_that_were_not_given_are_not_recorded) {
    record();
    play(0, with_file("--headless --first 9 --replay", "input", ""), "FILO_TEST_FLAGS=1", NULL, NULL);
    assert_contains(outcome.output, "9 0 0.5 1 none -1");
    FiloInputReplay *replay;
    assert_ok(filo_input_replay_open(&replay, filo_test_path("input")));
    assert_string_equal(filo_input_replay_head(replay)->flags, "");
    filo_input_replay_close(replay);
}
