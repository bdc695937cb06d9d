// filo/args.h: the command line.
//
//     int crates = 1000;
//     float speed = 2;
//     const char *level = "city";
//     const FiloFlag flags[] = {
//         { "crates", "how many to drop", .letter = 'c', .integer = &crates, .min = 1, .max = 100000 },
//         { "speed", "how fast they fall", .value_name = "M/S", .real = &speed },
//     };
//     const FiloFlag arguments[] = { { "level", "level to load", .string = &level, .optional = true } };
//     const FiloArgsDesc desc = {
//         .summary = "Drops crates on a city.", FILO_ARGS_FLAGS(flags), FILO_ARGS_ARGUMENTS(arguments),
//     };
//
//     int main(int argc, char **argv) {
//         FiloArgs args;
//         if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code; // it printed the help or an error
//         run(level, crates, speed, &args.common);
//     }
//
//     $ crates --crates 50 --headless --frames=600 harbour
//
// A flag has a pointer to the variable that it sets; which of the pointers is set determines the kind of flag. The
// value of the variable before parsing is the default, and the help shows it. Besides its own flags every program has
// the common ones of FiloCommonArgs, so that users, tests and benchmarks control all programs alike.
//
// The user writes --name value, --name=value or -n value; --name and --no-name for switches. Flags and arguments may be
// mixed; after -- everything is an argument. A value that begins with a minus sign and is not a number must be written
// as --name=value. Nothing is allocated, and strings point into argv. Either the whole command line is valid and all
// variables are set, or none is changed.

#ifndef FILO_ARGS_H
#define FILO_ARGS_H

#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Flags --------------------------------------------------------------------------------------------

#define FILO_ARGS_MAX_FLAGS 128 // of one program, besides the common ones

// A flag, or an argument without a flag. Exactly one of the pointers to variables is set.
typedef struct FiloFlag {
    const char *name;       // without the minus signs; of an argument: its name in the help
    const char *help;       // a phrase without a full stop; NULL: none
    const char *value_name; // the name of the value in the help; NULL: by kind

    bool *on;                   // a switch: takes no value
    int *integer;               // decimal, or hexadecimal after 0x
    uint64_t *unsigned_integer; // as `integer`, without a sign
    float *real;                // finite
    const char **string;        // not empty
    int *size;                  // width and height, two numbers: 1280x720
    const char **path;    // a file or folder, not empty: a recording never sets it, and a replay asks for it
    int *choice;          // the index of one of the `choices`; -1: none yet
    const char **list;    // the last argument only: all remaining strings
    size_t *list_count;   // how many there were; unchanged if there were none
    size_t list_capacity; // how many there may be

    const char *const *choices; // ends with NULL
    double min, max;            // limits of a number, both included; both 0: none
    char letter;                // short form of a flag; 0: none
    bool optional;              // of an argument: it and those after it may be left out
    bool unrecorded;            // does not affect the simulation: recordings leave it out
} FiloFlag;

// ---- The common flags ---------------------------------------------------------------------------------

typedef enum FiloBackend {
    FILO_BACKEND_ANY, // the best available
    FILO_BACKEND_GL,
    FILO_BACKEND_CPU,
    FILO_BACKEND_NULL, // draws nothing
} FiloBackend;

// The flags of every example, game and tool.
typedef struct FiloCommonArgs {
    bool headless;       // --headless      no window
    FiloBackend backend; // --backend B     gl, cpu or null
    uint64_t
        frames;    // --frames N      stop after this many ticks; 0: run until the window is closed (a program
                   // without a window, which ignores --headless, runs none)
    int threads;   // --threads N     1 to 256; 0: one for each hardware thread
    uint64_t seed; // --seed S        of all random numbers
    const char *shot;   // --shot FILE     write a picture of the state after the last tick; NULL: none
    bool hash;          // --hash          print the world's hash at the end
    bool stats;         // --stats         print one line of JSON at the end
    const char *record; // --record FILE   write all input; NULL: none
    const char *replay; // --replay FILE   read the input from this file; NULL: none
    const char *trace;  // --trace FILE    write a profile as Chrome trace; NULL: none
    int size[2];        // --size WxH      of the window and of pictures; 0, 0: as the program says
    bool strict;        // --strict        fail at the end if a check has failed (filo_fault_count)
} FiloCommonArgs;

// For FiloArgsDesc.ignores.
#define FILO_ARGS_HEADLESS (1u << 0)
#define FILO_ARGS_BACKEND  (1u << 1)
#define FILO_ARGS_FRAMES   (1u << 2)
#define FILO_ARGS_THREADS  (1u << 3)
#define FILO_ARGS_SEED     (1u << 4)
#define FILO_ARGS_SHOT     (1u << 5)
#define FILO_ARGS_HASH     (1u << 6)
#define FILO_ARGS_STATS    (1u << 7)
#define FILO_ARGS_RECORD   (1u << 8)
#define FILO_ARGS_REPLAY   (1u << 9)
#define FILO_ARGS_TRACE    (1u << 10)
#define FILO_ARGS_SIZE     (1u << 11)
#define FILO_ARGS_STRICT   (1u << 12)
// The flags that have no effect in a program without a window and a player.
#define FILO_ARGS_SCREEN                                                                                     \
    (FILO_ARGS_HEADLESS | FILO_ARGS_BACKEND | FILO_ARGS_SHOT | FILO_ARGS_RECORD | FILO_ARGS_REPLAY |         \
     FILO_ARGS_SIZE | FILO_ARGS_STRICT)

// ---- Reading the command line -------------------------------------------------------------------------

// All zero is a program with the common flags alone.
typedef struct FiloArgsDesc {
    const char *program; // NULL: the last part of argv[0]
    const char *summary; // what the program does, in a sentence or a few; NULL: none
    const char *notes;   // shown below the flags; NULL: none
    const FiloFlag *flags;
    size_t flag_count;
    const FiloFlag *arguments; // in order
    size_t argument_count;
    FiloCommonArgs defaults; // of the common flags
    uint32_t ignores;        // common flags that are accepted and have no effect; the help says so
    bool own_flags_only;     // no common flags but --help
} FiloArgsDesc;

#define FILO_ARGS_FLAGS(array)     .flags = (array), .flag_count = FILO_COUNT_OF(array)
#define FILO_ARGS_ARGUMENTS(array) .arguments = (array), .argument_count = FILO_COUNT_OF(array)

typedef struct FiloArgs {
    FiloCommonArgs common;
    bool help;     // --help or -h was given: everything else is unchanged
    int exit_code; // for main to return: 0 after help, 2 after a mistake
} FiloArgs;

// Reads the command line and prints nothing. A mistake of the user is FILO_ERROR_DATA with a message such as "unknown
// flag --frame: did you mean --frames?". `desc` NULL is a program with the common flags alone.
FiloResult filo_args_parse(FiloArgs *args, int argc, char **argv, const FiloArgsDesc *desc);

// As filo_args_parse, for main(): true if the program should run. Otherwise the help was printed to standard output, or
// the mistake to standard error, and main() should return args->exit_code.
bool filo_args_main(FiloArgs *args, int argc, char **argv, const FiloArgsDesc *desc);

// The help: usage, arguments and flags, with the current values of their variables as defaults, at most 80 columns
// wide. Writes up to `size` bytes with the final zero and returns the length of the whole text, as snprintf does.
size_t filo_args_help(const FiloArgsDesc *desc, char *text, size_t size);

FILO_END_DECLS

#endif
