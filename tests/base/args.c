#include "support/test.h"

#include <filo/args.h>
#include <filo/memory.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

// ---- A program that has a flag of every kind ----------------------------------------------------------

static const char *const moods[] = { "calm", "merry", "wild", NULL };

static struct {
    bool fast, shadows;
    int count, limited;
    uint64_t big;
    float speed;
    const char *title;
    int mood;
    const char *input, *files[3];
    size_t file_count;
} options;

static void reset(void) {
    memset(&options, 0, sizeof options);
    options.shadows = true;
    options.count = 5;
    options.limited = 3;
    options.speed = 2.5f;
    options.mood = -1;
    options.title = "Crates";
}

static const FiloFlag flags[] = {
    { "fast", "do it fast", .letter = 'f', .on = &options.fast },
    { "shadows", "draw shadows", .on = &options.shadows },
    { "count", "how many crates", .letter = 'c', .integer = &options.count },
    { "limited", .letter = 'l', .integer = &options.limited, .min = -10, .max = 10 },
    { "big", "a large number", .unsigned_integer = &options.big },
    { "speed", "how fast they fall", .letter = 's', .value_name = "M/S", .real = &options.speed, .min = -100,
      .max = 1e30 },
    { "title", "what the window says", .letter = 't', .string = &options.title },
    { "mood", "how they feel", .choice = &options.mood, .choices = moods },
};

static const FiloFlag arguments[] = {
    { "input", "what to read", .string = &options.input },
    { "file", "further files", .list = options.files, .list_count = &options.file_count, .list_capacity = 3,
      .optional = true },
};

static const FiloArgsDesc crates = {
    .program = "crates",
    .summary = "Drops crates.",
    FILO_ARGS_FLAGS(flags),
};

static const FiloArgsDesc program_with_arguments = {
    .program = "crates",
    FILO_ARGS_FLAGS(flags),
    FILO_ARGS_ARGUMENTS(arguments),
};

static FiloArgs args;

#define PARSE(desc, ...)                                                                                     \
    parse((desc), (int)FILO_COUNT_OF(((char *[]){ "crates", __VA_ARGS__ })),                                 \
          (char *[]){ "crates", __VA_ARGS__ })

static FiloResult parse(const FiloArgsDesc *desc, int argc, char **argv) {
    reset();
    return filo_args_parse(&args, argc, argv, desc);
}

#define assert_refused(text, ...)                                                                            \
    do {                                                                                                     \
        assert_error(PARSE(&crates, __VA_ARGS__), FILO_ERROR_DATA, text);                                    \
        assert_int_equal(args.exit_code, 2);                                                                 \
    } while (0)

// ---- What is understood -------------------------------------------------------------------------------

FILO_TEST(an_empty_line_leaves_the_defaults) {
    reset();
    char *argv[] = { "crates", NULL };
    assert_ok(filo_args_parse(&args, 1, argv, &crates));
    assert_int_equal(options.count, 5);
    assert_true(options.shadows && !options.fast);
    assert_string_equal(options.title, "Crates");
    assert_false(args.help);
    assert_int_equal(args.exit_code, 0);
    assert_ok(filo_args_parse(&args, 0, NULL, &crates));
    assert_ok(filo_args_parse(&args, 0, NULL, NULL));
}

FILO_TEST(values_are_written_in_three_forms) {
    assert_ok(PARSE(&crates, "--count", "7", "--title=a=b", "-s", "-1.5"));
    assert_int_equal(options.count, 7);
    assert_string_equal(options.title, "a=b");
    assert_true(options.speed == -1.5f);
    assert_ok(PARSE(&crates, "-c", "-7", "-t", "x", "--speed=1e2"));
    assert_int_equal(options.count, -7);
    assert_string_equal(options.title, "x");
    assert_true(options.speed == 100);
}

FILO_TEST(strings_point_into_the_command_line_and_nothing_is_allocated) {
    char title[] = "--title=abc";
    char *argv[] = { "crates", title, "--shot", "a.png", NULL };
    uint64_t before = filo_memory_system_calls();
    assert_ok(parse(&crates, 4, argv));
    assert_int_equal(filo_memory_system_calls(), before);
    assert_ptr_equal(options.title, title + 8);
    assert_ptr_equal(args.common.shot, argv[3]);
}

FILO_TEST(switches_are_set_and_unset) {
    assert_ok(PARSE(&crates, "--fast", "--no-shadows"));
    assert_true(options.fast && !options.shadows);
    assert_ok(PARSE(&crates, "-f", "--shadows"));
    assert_true(options.fast && options.shadows);
    assert_ok(PARSE(&crates, "--no-fast"));
    assert_false(options.fast);
    assert_refused("--fast: takes no value", "--fast=yes");
    assert_refused("--no-fast: takes no value", "--no-fast=yes");
    assert_refused("unknown flag --no-count", "--no-count");
}

FILO_TEST(choices_are_numbered) {
    assert_ok(PARSE(&crates, "--mood=wild"));
    assert_int_equal(options.mood, 2);
    assert_ok(PARSE(&crates, "--mood", "calm"));
    assert_int_equal(options.mood, 0);
    assert_refused("--mood: \"sad\" is none of calm, merry, wild", "--mood", "sad");
    assert_refused("--mood: \"\" is none of", "--mood=");
    assert_refused("--mood: \"cal\" is none of", "--mood", "cal");
}

FILO_TEST(whole_numbers_up_to_their_limits) {
    assert_ok(PARSE(&crates, "--count", "2147483647"));
    assert_int_equal(options.count, INT_MAX);
    assert_ok(PARSE(&crates, "--count=-2147483648"));
    assert_int_equal(options.count, INT_MIN);
    assert_ok(PARSE(&crates, "--count", "-0"));
    assert_int_equal(options.count, 0);
    assert_ok(PARSE(&crates, "--count=+12"));
    assert_int_equal(options.count, 12);
    assert_ok(PARSE(&crates, "--count=0x7fffFFFF"));
    assert_int_equal(options.count, INT_MAX);
    assert_ok(PARSE(&crates, "--count", "-0x10"));
    assert_int_equal(options.count, -16);
    assert_ok(PARSE(&crates, "--count=007"));
    assert_int_equal(options.count, 7);
    assert_ok(PARSE(&crates, "--big=18446744073709551615"));
    assert_true(options.big == UINT64_MAX);
    assert_ok(PARSE(&crates, "--big=0xFFFFFFFFFFFFFFFF"));
    assert_true(options.big == UINT64_MAX);
    assert_ok(PARSE(&crates, "--big", "+0"));
    assert_true(options.big == 0);
    assert_ok(PARSE(&crates, "-l", "-10"));
    assert_ok(PARSE(&crates, "-l", "10"));
}

FILO_TEST(whole_numbers_that_are_refused) {
    static char *const bad[] = { "",    " 1",  "1 ",  "1.5",   "1e3", "x", "0x",
                                 "--5", "+-5", "0xg", "1_000", "nan", "١" };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        char count[32], big[32];
        snprintf(count, sizeof count, "--count=%s", bad[i]);
        snprintf(big, sizeof big, "--big=%s", bad[i]);
        assert_refused("is not a whole number", count);
        assert_refused("is not a whole number without a sign", big);
    }
    assert_refused("--big: \"-0\" is not a whole number without a sign", "--big", "-0");
    assert_refused("--big: \"-1\" is not a whole number without a sign", "--big=-1");
    assert_refused("--count: 2147483648 is out of range: use -2147483648 to 2147483647",
                   "--count=2147483648");
    assert_refused("--count: -2147483649 is out of range", "--count=-2147483649");
    assert_refused("--count: 99999999999999999999999999 is out of range",
                   "--count=99999999999999999999999999");
    assert_refused("--big: 18446744073709551616 is out of range: use at most 18446744073709551615",
                   "--big=18446744073709551616");
    assert_refused("--limited: 11 is out of range: use -10 to 10", "--limited", "11");
    assert_refused("-l: -11 is out of range: use -10 to 10", "-l", "-11");
    assert_refused("--limited: 99999999999 is out of range: use -10 to 10", "--limited=99999999999");
}

FILO_TEST(real_numbers) {
    assert_ok(PARSE(&crates, "--speed=-0"));
    assert_true(options.speed == 0 && signbit(options.speed));
    assert_ok(PARSE(&crates, "--speed=.5"));
    assert_true(options.speed == 0.5f);
    assert_ok(PARSE(&crates, "--speed", "-.5"));
    assert_true(options.speed == -0.5f);
    assert_ok(PARSE(&crates, "--speed=1e-999")); // rounds to zero
    assert_true(options.speed == 0);
    static char *const bad[] = { "",    " 1", "1 ", "nan", "inf",   "-inf", "infinity", "0x10",
                                 "1,5", "1e", ".",  "-",   "1.2.3", "e5",   "1f" };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        char speed[32];
        snprintf(speed, sizeof speed, "--speed=%s", bad[i]);
        assert_refused("is not a number", speed);
    }
    assert_refused("--speed: 1e999 is out of range", "--speed", "1e999");
    assert_refused("--speed: -1e999 is out of range", "--speed=-1e999");
    assert_refused("--speed: 1e39 is out of range", "--speed", "1e39"); // a double, but no float
    assert_refused("--speed: 1e31 is out of range: use -100 to 1e+30", "--speed", "1e31");
}

FILO_TEST(sizes) {
    int size[2] = { 3, 4 };
    const FiloFlag sized[] = { { "tile", "of a tile", .size = size, .min = 1, .max = 64 } };
    FiloArgsDesc desc = { FILO_ARGS_FLAGS(sized) };
    assert_ok(PARSE(&desc, "--tile", "16x8", "--size=640x480"));
    assert_true(size[0] == 16 && size[1] == 8);
    assert_true(args.common.size[0] == 640 && args.common.size[1] == 480);
    static char *const bad[] = { "--tile=",   "--tile=16",     "--tile=16x",
                                 "--tile=x8", "--tile=16x8x2", "--tile=16 x 8" };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++)
        assert_error(PARSE(&desc, bad[i]), FILO_ERROR_DATA, "is not a width and a height, as 1280x720 is");
    assert_error(PARSE(&desc, "--tile=64x65"), FILO_ERROR_DATA, "--tile: 64x65 is out of range: use 1 to 64");
    assert_error(PARSE(NULL, "--size=0x480"), FILO_ERROR_DATA, "--size: 0x480 is out of range");
    assert_true(size[0] == 16 && size[1] == 8 && args.common.size[0] == 0);
}

// ---- What is not --------------------------------------------------------------------------------------

FILO_TEST(misspelled_flags_get_a_suggestion) {
    assert_refused("unknown flag --frame: did you mean --frames?", "--frame", "3");
    assert_refused("unknown flag --haedless: did you mean --headless?", "--haedless");
    assert_refused("unknown flag --cuont: did you mean --count?", "--cuont=3");
    assert_refused("unknown flag --no-shadow: did you mean --no-shadows?", "--no-shadow");
    assert_refused("unknown flag --Fast: did you mean --fast?", "--Fast");
    assert_refused("unknown flag -fast: did you mean --fast?", "-fast");
    assert_refused("unknown flag -count=3: did you mean --count=3?", "-count=3");
    assert_refused("unknown flag -c3: write -c on its own", "-c3");
    assert_refused("unknown flag -z", "-z");
    assert_refused("unknown flag --elephant", "--elephant");
    assert_null(strstr(PARSE(&crates, "--elephant").message, "did you mean"));
    assert_null(strstr(PARSE(&crates, "--x").message, "did you mean"));
}

FILO_TEST(missing_values_are_reported) {
    assert_refused("--count: value missing", "--count");
    assert_refused("-c: value missing", "-c");
    assert_refused("--title: value missing; if \"--fast\" is meant, write --title=--fast", "--title",
                   "--fast");
    assert_refused("--title: value missing", "--title", "--");
    assert_refused("--title: the value is empty", "--title=");
    assert_refused("--shot: the value is empty", "--shot", "");
    assert_ok(PARSE(&crates, "--title=--fast", "--shot", "-"));
    assert_string_equal(options.title, "--fast");
    assert_string_equal(args.common.shot, "-");
}

FILO_TEST(repeated_flags_are_refused) {
    assert_refused("--count: given twice", "--count", "1", "--count", "1");
    assert_refused("-c: given twice", "--count=1", "-c", "1");
    assert_refused("--no-fast: given twice", "--fast", "--no-fast");
    assert_refused("--seed: given twice", "--seed=1", "--seed=1");
}

FILO_TEST(odd_input_is_refused_and_not_misread) {
    assert_refused("--=x: the flag has no name", "--=x");
    assert_refused("--=: the flag has no name", "--=");
    assert_refused("unknown flag ---", "---");
    assert_refused("unknown flag --no-", "--no-");
    assert_refused("unknown flag -=", "-=");
    assert_refused("unknown flag -\xFF", "-\xFF");
    assert_refused("unexpected argument \"\"", "");
    assert_refused("unexpected argument \"-\"", "-");
    assert_refused("unexpected argument \"x\"", "x");
    assert_refused("unexpected argument \"-5\"", "-5");
    assert_refused("unexpected argument \"--fast\"", "--", "--fast");
    assert_ok(PARSE(&crates, "--"));
}

FILO_TEST(a_null_entry_ends_the_line) {
    assert_ok(PARSE(&crates, "--fast", NULL, "--nonsense"));
    assert_true(options.fast);
    assert_refused("--count: value missing", "--count", NULL, "7");
    reset();
    assert_ok(filo_args_parse(&args, 3, NULL, &crates));
    assert_ok(filo_args_parse(&args, -1, (char *[]){ "crates", "--nonsense" }, &crates));
}

FILO_TEST(very_long_input_leaves_a_whole_sentence) {
    size_t size = 100000;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, '9', size);
    text[size] = '\0';
    assert_refused("99… is out of range: use", "--count", text);
    assert_refused("99… is out of range: use at most", "--big", text);
    assert_refused("99… is out of range", "--speed", text);
    assert_refused("99…\" is none of calm, merry, wild", "--mood", text);
    assert_refused("99…\"", text);
    memcpy(text, "--", 2);
    assert_refused("unknown flag --9999", text);
    memcpy(text, "--count=x", 9);
    assert_refused("…\" is not a whole number", text);
    memcpy(text, "--title=", 8);
    assert_ok(PARSE(&crates, text));
    assert_int_equal(strlen(options.title), size - 8);
    memset(text, 0xBF, size); // nothing but the middles of characters
    assert_refused("unexpected argument \"…\"", text);
    free(text);
}

FILO_TEST(a_mistake_changes_no_variable) {
    assert_refused("--count: \"x\" is not", "--fast", "--no-shadows", "--big=9", "--speed=9", "--title=new",
                   "--mood=wild", "--limited=9", "--seed=9", "--count=x");
    assert_true(!options.fast && options.shadows && options.big == 0 && options.speed == 2.5f);
    assert_string_equal(options.title, "Crates");
    assert_int_equal(options.mood, -1);
    assert_int_equal(options.limited, 3);
    assert_true(args.common.seed == 0);
}

// ---- Arguments ----------------------------------------------------------------------------------------

FILO_TEST(arguments_and_flags_may_be_mixed) {
    assert_ok(PARSE(&program_with_arguments, "--fast", "in", "-c", "3", "a", "--", "--b"));
    assert_string_equal(options.input, "in");
    assert_int_equal(options.file_count, 2);
    assert_string_equal(options.files[0], "a");
    assert_string_equal(options.files[1], "--b");
    assert_int_equal(options.count, 3);
    assert_ok(PARSE(&program_with_arguments, "-")); // standard input, by custom
    assert_string_equal(options.input, "-");
    assert_int_equal(options.file_count, 0);
}

FILO_TEST(arguments_are_counted) {
    assert_error(PARSE(&program_with_arguments, "--fast"), FILO_ERROR_DATA, "argument missing: input");
    assert_ok(PARSE(&program_with_arguments, "in", "a", "b", "c"));
    assert_int_equal(options.file_count, 3);
    assert_error(PARSE(&program_with_arguments, "in", "a", "b", "c", "d"), FILO_ERROR_DATA,
                 "file: more than 3 were given");
    assert_error(PARSE(&program_with_arguments, ""), FILO_ERROR_DATA, "input: the value is empty");
    assert_error(PARSE(&program_with_arguments, "in", ""), FILO_ERROR_DATA, "file: the value is empty");
}

FILO_TEST(arguments_are_of_any_kind) {
    int x = 0;
    float y = 0;
    int mood = -1;
    const FiloFlag numbers[] = {
        { "x", .integer = &x, .min = -9, .max = 9 },
        { "y", .real = &y },
        { "mood", .choice = &mood, .choices = moods, .optional = true },
    };
    FiloArgsDesc desc = { FILO_ARGS_ARGUMENTS(numbers) };
    assert_ok(PARSE(&desc, "-5", "-.5", "merry"));
    assert_int_equal(x, -5);
    assert_true(y == -0.5f);
    assert_int_equal(mood, 1);
    assert_ok(PARSE(&desc, "1", "2"));
    assert_int_equal(mood, 1);
    assert_error(PARSE(&desc, "10", "2"), FILO_ERROR_DATA, "x: 10 is out of range: use -9 to 9");
    assert_error(PARSE(&desc, "1", "y"), FILO_ERROR_DATA, "y: \"y\" is not a number");
    assert_error(PARSE(&desc, "1"), FILO_ERROR_DATA, "argument missing: y");
    assert_error(PARSE(&desc, "1", "2", "sad"), FILO_ERROR_DATA,
                 "mood: \"sad\" is none of calm, merry, wild");
}

// ---- Common flags -------------------------------------------------------------------------------------

FILO_TEST(every_program_has_the_common_flags) {
    assert_ok(PARSE(&crates, "--headless", "--backend", "cpu", "--frames", "600", "--threads=4", "--seed",
                    "0xFFFFFFFFFFFFFFFF", "--shot", "a.png", "--hash", "--stats", "--record", "in.log",
                    "--replay", "old.log", "--trace=t.json", "--strict", "--fast"));
    assert_true(args.common.strict && args.common.headless && args.common.hash && args.common.stats &&
                options.fast);
    assert_int_equal(args.common.backend, FILO_BACKEND_CPU);
    assert_int_equal(args.common.frames, 600);
    assert_int_equal(args.common.threads, 4);
    assert_true(args.common.seed == UINT64_MAX);
    assert_string_equal(args.common.shot, "a.png");
    assert_string_equal(args.common.record, "in.log");
    assert_string_equal(args.common.replay, "old.log");
    assert_string_equal(args.common.trace, "t.json");
}

FILO_TEST(common_flags_have_defaults_and_limits) {
    assert_ok(PARSE(NULL, "--backend=gl"));
    assert_int_equal(args.common.backend, FILO_BACKEND_GL);
    assert_ok(PARSE(NULL, "--backend=null", "--threads", "256"));
    assert_int_equal(args.common.backend, FILO_BACKEND_NULL);
    assert_ok(PARSE(NULL, "--threads=0"));
    assert_int_equal(args.common.backend, FILO_BACKEND_ANY);
    assert_error(PARSE(NULL, "--threads=257"), FILO_ERROR_DATA,
                 "--threads: 257 is out of range: use 0 to 256");
    assert_error(PARSE(NULL, "--threads=-1"), FILO_ERROR_DATA, "--threads: -1 is out of range: use 0 to 256");
    assert_error(PARSE(NULL, "--backend=vulkan"), FILO_ERROR_DATA, "is none of gl, cpu, null");
    FiloArgsDesc desc = { .defaults = { .seed = 42, .backend = FILO_BACKEND_CPU, .headless = true } };
    assert_ok(PARSE(&desc, "--frames=1"));
    assert_int_equal(args.common.seed, 42);
    assert_int_equal(args.common.backend, FILO_BACKEND_CPU);
    assert_true(args.common.headless);
    assert_ok(PARSE(&desc, "--no-headless", "--seed=7"));
    assert_false(args.common.headless);
    assert_int_equal(args.common.seed, 7);
}

FILO_TEST(ignored_common_flags_are_still_accepted) {
    FiloArgsDesc desc = { .ignores = FILO_ARGS_SCREEN };
    assert_ok(PARSE(&desc, "--headless", "--backend=gl", "--shot=a.png", "--record=a", "--replay=b"));
}

FILO_TEST(a_tool_may_do_without_the_common_flags) {
    FiloArgsDesc desc = { .own_flags_only = true };
    assert_error(PARSE(&desc, "--seed=1"), FILO_ERROR_DATA, "unknown flag --seed");
    assert_ok(PARSE(&desc, "--help"));
    assert_true(args.help);
}

// ---- Help ---------------------------------------------------------------------------------------------

FILO_TEST(help_is_reported_and_changes_nothing) {
    assert_ok(PARSE(&crates, "--count=9", "--help", "--seed=1"));
    assert_true(args.help);
    assert_int_equal(args.exit_code, 0);
    assert_int_equal(options.count, 5);
    assert_true(args.common.seed == 0);
    assert_ok(PARSE(&crates, "--nonsense", "-h")); // whatever else is wrong
    assert_true(args.help);
    assert_error(PARSE(&crates, "--", "--help"), FILO_ERROR_DATA, "unexpected argument \"--help\"");
    assert_false(args.help);
}

static void assert_help(const FiloArgsDesc *desc, const char *expected) {
    char text[4096];
    size_t length = filo_args_help(desc, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_string_equal(text, expected);
}

FILO_TEST(help_of_a_program_with_everything) {
    reset();
    FiloArgsDesc desc = program_with_arguments;
    desc.summary = "Drops crates on a city, which is a way of testing whether everything that can fall does "
                   "fall.\nThe city does not mind.";
    desc.notes = "The source is the manual.";
    desc.ignores = FILO_ARGS_SCREEN;
    assert_help(&desc, "Usage: crates [flags] <input> [file]...\n"
                       "\n"
                       "Drops crates on a city, which is a way of testing whether everything that can\n"
                       "fall does fall.\n"
                       "The city does not mind.\n"
                       "\n"
                       "Arguments:\n"
                       "  input                       what to read\n"
                       "  file                        further files\n"
                       "\n"
                       "Flags:\n"
                       "  -f, --fast                  do it fast\n"
                       "      --[no-]shadows          draw shadows (default: on)\n"
                       "  -c, --count N               how many crates (default: 5)\n"
                       "  -l, --limited N             (-10 to 10, default: 3)\n"
                       "      --big N                 a large number (default: 0)\n"
                       "  -s, --speed M/S             how fast they fall (-100 to 1e+30, default: 2.5)\n"
                       "  -t, --title TEXT            what the window says (default: Crates)\n"
                       "      --mood calm|merry|wild  how they feel\n"
                       "\n"
                       "Flags of all programs:\n"
                       "      --frames N              run N ticks (default: 0)\n"
                       "      --threads N             threads to use; 0: all that the hardware has\n"
                       "                              (0 to 256, default: 0)\n"
                       "      --seed S                seed of all random numbers (default: 0)\n"
                       "      --hash                  print the hash of the world at the end\n"
                       "      --stats                 print statistics as one line of JSON at the end\n"
                       "      --trace FILE            write a profile as Chrome trace\n"
                       "  -h, --help                  show this text\n"
                       "\n"
                       "Accepted, but without effect in this program: --headless --backend --shot\n"
                       "  --record --replay --size --strict\n"
                       "\n"
                       "The source is the manual.\n");
}

FILO_TEST(help_of_a_program_with_the_common_flags_alone) {
    assert_help(NULL, "Usage: program [flags]\n"
                      "\n"
                      "Flags of all programs:\n"
                      "      --headless             run without a window\n"
                      "      --backend gl|cpu|null  what draws\n"
                      "      --frames N             stop after N ticks; 0: go on until closed\n"
                      "                             (default: 0)\n"
                      "      --threads N            threads to use; 0: all that the hardware has\n"
                      "                             (0 to 256, default: 0)\n"
                      "      --seed S               seed of all random numbers (default: 0)\n"
                      "      --shot FILE.png        write a picture of the last state\n"
                      "      --hash                 print the hash of the world at the end\n"
                      "      --stats                print statistics as one line of JSON at the end\n"
                      "      --record FILE          write all input to FILE\n"
                      "      --replay FILE          take all input from FILE\n"
                      "      --trace FILE           write a profile as Chrome trace\n"
                      "      --size WxH             width and height of the window, in points\n"
                      "                             (1 to 16384)\n"
                      "      --strict               fail at the end if a check has failed\n"
                      "  -h, --help                 show this text\n");
}

FILO_TEST(help_of_a_tool_with_a_long_flag) {
    int value = 1;
    const FiloFlag long_flags[] = { { "a-flag-whose-name-is-long", "größer als ünötig", .integer = &value } };
    FiloArgsDesc desc = { .program = "tool", FILO_ARGS_FLAGS(long_flags), .own_flags_only = true };
    assert_help(&desc, "Usage: tool [flags]\n"
                       "\n"
                       "Flags:\n"
                       "      --a-flag-whose-name-is-long N\n"
                       "              größer als ünötig (default: 1)\n"
                       "  -h, --help  show this text\n");
}

FILO_TEST(help_is_never_wider_than_80_columns_and_never_writes_too_far) {
    reset();
    char whole[4096], text[4096];
    FiloArgsDesc desc = program_with_arguments;
    size_t length = filo_args_help(&desc, whole, sizeof whole);
    for (char *line = whole; *line != '\0'; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
    for (size_t size = 0; size <= length + 1; size++) {
        memset(text, '#', sizeof text);
        assert_int_equal(filo_args_help(&desc, text, size), length);
        assert_int_equal(text[size], '#');
        if (size == 0) continue;
        assert_int_equal(strlen(text), size - 1 < length ? size - 1 : length);
        assert_memory_equal(text, whole, strlen(text));
    }
}

// ---- For main() ---------------------------------------------------------------------------------------

// Runs filo_args_main with its output in `text`; returns what it returned.
static bool run_main(char *text, size_t size, FILE *stream, const FiloArgsDesc *desc, int argc, char **argv) {
    fflush(stream);
    int original = dup(fileno(stream));
    FILE *file = tmpfile();
    assert_true(original >= 0 && file != NULL);
    dup2(fileno(file), fileno(stream));
    reset();
    bool go_on = filo_args_main(&args, argc, argv, desc);
    fflush(stream);
    dup2(original, fileno(stream));
    close(original);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
    return go_on;
}

FILO_TEST(main_prints_the_help_or_the_mistake) {
    char text[4096], help[4096];
    char *with_help[] = { "bin/crates", "--help" }, *wrong[] = { "bin/crates", "--frame" },
         *right[] = { "bin/crates", "--fast" };
    FiloArgsDesc desc = { FILO_ARGS_FLAGS(flags) };
    assert_false(run_main(text, sizeof text, stdout, &desc, 2, with_help));
    assert_int_equal(args.exit_code, 0);
    desc.program = "crates"; // from argv[0]
    filo_args_help(&desc, help, sizeof help);
    assert_string_equal(text, help);
    desc.program = NULL;
    assert_false(run_main(text, sizeof text, stderr, &desc, 2, wrong));
    assert_int_equal(args.exit_code, 2);
    assert_string_equal(text, "crates: unknown flag --frame: did you mean --frames?\nTry crates --help.\n");
    assert_true(run_main(text, sizeof text, stderr, &desc, 2, right));
    assert_string_equal(text, "");
    assert_true(options.fast);
    assert_true(run_main(text, sizeof text, stdout, NULL, 1, right));
    assert_string_equal(text, "");
}

// ---- Misuse -------------------------------------------------------------------------------------------

#define expect_bad_flags(text, ...)                                                                          \
    do {                                                                                                     \
        const FiloFlag bad_flags[] = { __VA_ARGS__ };                                                        \
        FiloArgsDesc bad = { FILO_ARGS_FLAGS(bad_flags) };                                                   \
        expect_mistake(text, PARSE(&bad, "--hash"));                                                         \
        assert_int_equal(args.exit_code, 2);                                                                 \
        assert_false(args.common.hash);                                                                      \
    } while (0)

FILO_TEST(flags_that_are_described_badly_are_reported) {
    bool a = false, b = false;
    int number = 0;
    const char *strings[2];
    size_t count;
    expect_bad_flags("flag 0: give it a name", { .on = &a });
    expect_bad_flags("flag 0: give it a name", { "", .on = &a });
    expect_bad_flags("flag 0: give it a name", { "--a", .on = &a });
    expect_bad_flags("flag 1: give it a name", { "a", .on = &a }, { "b=c", .on = &b });
    expect_bad_flags("flag --a: set one pointer", { .name = "a" });
    expect_bad_flags("flag --a: set one pointer", { "a", .on = &a, .integer = &number });
    expect_bad_flags("flag --a: set one pointer", { "a", .choice = &number });
    expect_bad_flags("flag --a: set one pointer",
                     { "a", .list = strings, .list_count = &count, .list_capacity = 2 });
    expect_bad_flags("flag --a: there are two of that name", { "a", .on = &a }, { "a", .on = &b });
    expect_bad_flags("flag --seed: there are two of that name", { "seed", .on = &a });
    expect_bad_flags("flag --a: the letter x belongs to --b", { "a", .letter = 'x', .on = &a },
                     { "b", .letter = 'x', .on = &b });
    expect_bad_flags("flag --a: the letter h belongs to --help", { "a", .letter = 'h', .on = &a });
}

FILO_TEST(arguments_that_are_described_badly_are_reported) {
    bool on = false;
    const char *string = NULL, *strings[2];
    size_t count;
    const FiloFlag bad[][2] = {
        { { .string = &string }, { "b", .string = &string } },
        { { "a", .on = &on }, { "b", .string = &string } },
        { { "a", .list = strings, .list_count = &count, .list_capacity = 2 }, { "b", .string = &string } },
    };
    static const char *const messages[] = { "argument 0: give it a name", "argument a: set one pointer",
                                            "argument a: a list takes all that is left" };
    for (size_t i = 0; i < 3; i++) {
        FiloArgsDesc desc = { .arguments = bad[i], .argument_count = 2 };
        expect_mistake(messages[i], PARSE(&desc, "x"));
        assert_null(string);
    }
}

FILO_TEST(too_many_flags_and_no_pointer_for_the_result_are_reported) {
    FiloArgsDesc desc = { .flags = flags, .flag_count = FILO_ARGS_MAX_FLAGS + 1 };
    expect_mistake("describe at most 128 flags, not 129", PARSE(&desc, "--hash"));
    expect_mistake("pass a FiloArgs to be filled", filo_args_parse(NULL, 0, NULL, NULL));
}

FILO_TEST_PROGRAM(prints_its_help_on_a_full_disk) {
    if (freopen("/dev/full", "w", stdout) == NULL) exit(9);
    FiloArgs parsed;
    char name[] = "crates", help[] = "--help";
    bool goes_on = filo_args_main(&parsed, 2, (char *[]){ name, help, NULL }, &crates);
    exit(goes_on ? 8 : parsed.exit_code);
}

FILO_TEST(help_that_cannot_be_printed_is_an_error) {
    static FiloTestResult outcome;
    filo_test_run(&outcome, &(FiloTestRun){ .program = "prints_its_help_on_a_full_disk" });
    assert_int_equal(outcome.exit_code, 1);
    assert_non_null(strstr(outcome.errors, "crates: standard output: "));
}
