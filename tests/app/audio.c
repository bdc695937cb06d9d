// Audio in an app: flags, pausing, and apps without it.

#include "support/test.h"
#include "support/warnings.h"

#include <filo/app.h>
#include <filo/files.h>

#include <math.h>

static const char beep[] =
    "{\"layers\":[{\"wave\":\"sine\",\"frequency\":1000,\"seconds\":0.25,\"attack\":0}]}";

static void emit_beep(FiloIter *it) {
    if (it->tick == 5) filo_event_record(it->events, filo_name("beep"), NULL, NULL);
}

static FiloResult load(FiloApp *app) {
    const char table[] = "{\"beep\":{\"sound\":\"beep\"}}";
    filo_assets_add_bytes(filo_app_assets(app), "synth", "beep", beep, sizeof beep - 1);
    filo_assets_add_bytes(filo_app_assets(app), "cues", "table.cues", table, sizeof table - 1);
    assert_true(filo_audio_use_table(filo_app_audio(app), "table.cues"));
    return filo_ok();
}

static FiloResult define(FiloApp *app) {
    filo_system_add(filo_app_world(app), &(FiloSystemDesc){ .name = "beep", .run = emit_beep });
    return filo_ok();
}

// Runs an app by its command line and returns the exit code.
static int run_app(const FiloAppDesc *desc, const char *const *words, int count) {
    char *argv[16] = { (char *)(uintptr_t) "app" };
    for (int i = 0; i < count; i++) argv[i + 1] = (char *)(uintptr_t)words[i];
    return filo_run(count + 1, argv, desc);
}

// The sample of the left channel of a file of --sound.
static double sample_at(const FiloFileData *file, size_t frame) {
    const uint8_t *at = (const uint8_t *)file->bytes + 44 + frame * 4;
    return (int16_t)(at[0] | at[1] << 8) / 32768.0;
}

// The largest amount of the samples from `begin` to `end`. Not by fmax: gcc 12.2 for aarch64 stops with an internal error
// at -O3 where that reduces doubles in a loop.
static double loudest(const FiloFileData *file, size_t begin, size_t end) {
    double peak = 0;
    for (size_t i = begin; i < end; i++) {
        double amount = fabs(sample_at(file, i));
        peak = FILO_MAX(peak, amount);
    }
    return peak;
}

static FiloFileData render(const char *path, const char *threads, const char *more) {
    const char *words[] = { "--headless", "--frames", "30", "--threads", threads, "--sound", path, more };
    FiloAppDesc desc = { .name = "app", .load = load, .define = define };
    assert_int_equal(run_app(&desc, words, more != NULL ? 8 : 7), 0);
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    return file;
}

FILO_TEST(sound_writes_what_would_be_heard) {
    FiloFileData file = render(filo_test_path("out/a.wav"), "1", NULL);
    assert_int_equal(file.size, 44 + 30 * 800 * 4);
    for (size_t i = 0; i < 5 * 800; i++) assert_true(sample_at(&file, i) == 0);
    double peak = loudest(&file, 5 * 800, 6 * 800);
    assert_true(peak > 0.5 && peak < 0.62);
    filo_file_free(&file);
}

FILO_TEST(the_file_is_the_same_on_any_number_of_threads_and_with_pictures) {
    FiloFileData file = render(filo_test_path("a.wav"), "1", NULL);
    const char *threads[] = { "2", "4", "1", "4" };
    for (int i = 0; i < 4; i++) {
        // Statistics draw every frame, and the next tick overlaps drawing.
        FiloFileData other = render(filo_test_path("b.wav"), threads[i], i >= 2 ? "--stats" : NULL);
        assert_int_equal(other.size, file.size);
        assert_memory_equal(other.bytes, file.bytes, file.size);
        filo_file_free(&other);
    }
    filo_file_free(&file);
}

FILO_TEST(volume_lowers_everything) {
    FiloFileData full = render(filo_test_path("a.wav"), "1", NULL);
    FiloFileData half = render(filo_test_path("b.wav"), "1", "--volume=50");
    for (size_t i = 5 * 800; i < 6 * 800; i++)
        assert_true(fabs(sample_at(&half, i) - sample_at(&full, i) / 4) < 2.0 / 32768);
    filo_file_free(&full);
    filo_file_free(&half);
}

FILO_TEST(a_file_that_cannot_be_written_ends_the_game_before_it_starts) {
    const char *words[] = { "--headless", "--frames", "3", "--sound", "/proc/nowhere/a.wav" };
    assert_int_equal(run_app(&(FiloAppDesc){ .name = "app" }, words, 5), 1);
}

FILO_TEST_PROGRAM(writes_another_format) {
    const char *path = filo_test_path("a.ogg");
    const char *words[] = { "--headless", "--frames", "3", "--sound", path };
    assert_int_equal(run_app(&(FiloAppDesc){ .name = "app" }, words, 5), 1);
    assert_false(filo_file_exists(path));
}

FILO_TEST(a_file_of_another_format_is_refused) {
    static FiloTestResult outcome;
    filo_test_run(&outcome, &(FiloTestRun){ .program = "writes_another_format" });
    assert_int_equal(outcome.exit_code, 0);
    assert_contains(outcome.errors, "a.ogg: sound is written as WAV: let the name end in .wav");
    const char *words[] = { "--headless", "--frames", "3", "--sound", NULL };
    words[4] = filo_test_path("A.WAV");
    assert_int_equal(run_app(&(FiloAppDesc){ .name = "app" }, words, 5), 0);
    assert_true(filo_file_exists(words[4]));
}

FILO_TEST(a_file_without_any_sound_says_so) {
    const char *path = filo_test_path("silence.wav");
    const char *words[] = { "--headless", "--frames", "3", "--sound", path };
    expect_warning("silence.wav is silent: the game has played no sound",
                   assert_int_equal(run_app(&(FiloAppDesc){ .name = "app" }, words, 5), 0));
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    assert_int_equal(file.size, 44 + 3 * 800 * 4);
    for (size_t i = 0; i < 3 * 800; i++) assert_true(sample_at(&file, i) == 0);
    filo_file_free(&file);
}

// ---- Registering ------------------------------------------------------------------------------------------------

typedef struct Own {
    float x;
} Own;
FILO_REFLECT(Own, FILO_FIELD(float, x))

static void cue_beep(FiloIter *it) {
    if (it->tick == 5) filo_cue(it, &(FiloCue){ .sound = filo_name("beep"), .gain = -6 });
}

// Registers nothing of audio.
static FiloResult define_cue(FiloApp *app) {
    filo_system_add(filo_app_world(app), &(FiloSystemDesc){ .name = "beep", .run = cue_beep });
    assert_int_not_equal(filo_component(filo_app_world(app), Own).id, 0);
    assert_int_equal(filo_component_of(filo_app_world(app), FILO_TYPE(FiloSound)).id, 0);
    return filo_ok();
}

static FiloResult create_sound(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    // The component of the game has the id that it would have without audio.
    assert_true(filo_component_of(world, FILO_TYPE(FiloSound)).id >
                filo_component_of(world, FILO_TYPE(Own)).id);
    filo_create(world, FILO_SET(FiloSound, .sound = filo_name("beep"), .gain = -20));
    filo_create(world, FILO_ADD(FiloTransform2), FILO_ADD(FiloListener));
    return filo_ok();
}

FILO_TEST(sounds_are_registered_after_the_components_of_the_game) {
    const char *path = filo_test_path("a.wav");
    const char *words[] = { "--headless", "--frames", "30", "--sound", path };
    FiloAppDesc desc = { .name = "app", .load = load, .define = define_cue, .create = create_sound };
    assert_int_equal(run_app(&desc, words, 5), 0);
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    double component = loudest(&file, 0, 5 * 800), both = loudest(&file, 5 * 800, 10 * 800);
    assert_true(component > 0.04 && component < 0.07);
    assert_true(both > 0.2 && both < 0.37);
    filo_file_free(&file);
}

// ---- Without ------------------------------------------------------------------------------------------------

static FiloResult leave_out(FiloApp *app) { return filo_modules_unregister(filo_app_modules(app), "audio"); }

static FiloResult expect_none(FiloApp *app) {
    assert_null(filo_app_audio(app));
    return filo_ok();
}

FILO_TEST(an_app_can_leave_audio_out) {
    const char *words[] = { "--headless", "--frames", "3" };
    FiloAppDesc desc = { .name = "app", .setup = leave_out, .create = expect_none };
    assert_int_equal(run_app(&desc, words, 3), 0);
}

static FiloResult leave_assets_out(FiloApp *app) {
    return filo_modules_unregister(filo_app_modules(app), "assets");
}

FILO_TEST(without_assets_there_is_no_sound_to_write) {
    const char *words[] = { "--headless", "--frames", "3", "--sound", filo_test_path("a.wav") };
    FiloAppDesc desc = { .name = "app", .setup = leave_assets_out, .create = expect_none };
    assert_int_equal(run_app(&desc, words, 3), 0);
    assert_int_equal(run_app(&desc, words, 5), 1);
}

// ---- Pausing ------------------------------------------------------------------------------------------------

typedef struct Pauses {
    int frames;
    FiloVoice voice;
    double before, after;
} Pauses;

static FiloResult play(FiloApp *app) {
    Pauses *pauses = filo_app_user(app);
    load(app);
    pauses->voice = filo_audio_play(filo_app_audio(app), &(FiloCue){ .sound = filo_name("beep") });
    return filo_ok();
}

static void pause_for_a_while(FiloApp *app) {
    Pauses *pauses = filo_app_user(app);
    pauses->frames++;
    double time = filo_audio_time(filo_app_audio(app), pauses->voice);
    if (pauses->frames == 6) filo_app_pause(app, true);
    if (pauses->frames == 8) pauses->before = time;
    if (pauses->frames == 18) {
        pauses->after = time;
        filo_app_pause(app, false);
    }
}

FILO_TEST(sounds_stand_still_while_the_game_is_paused) {
    Pauses pauses = { 0 };
    const char *path = filo_test_path("a.wav");
    const char *words[] = { "--headless", "--frames", "30", "--sound", path };
    FiloAppDesc desc = { .name = "app", .load = play, .frame = pause_for_a_while, .user = &pauses };
    assert_int_equal(run_app(&desc, words, 5), 0);
    assert_true(pauses.before > 0.05);
    assert_true(pauses.before == pauses.after);
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    assert_int_equal(file.size, 44 + (30 + 12) * 800 * 4); // the pause is heard as silence
    filo_file_free(&file);
}
