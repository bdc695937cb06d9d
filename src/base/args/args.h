// Shared by the parser of command lines (args.c) and the help (args_help.c): all flags of a program in one table.

#ifndef FILO_BASE_ARGS_H
#define FILO_BASE_ARGS_H

#include <filo/args.h>

#define BASE_ARGS_COMMON_COUNT 14

typedef enum BaseFlagKind {
    BASE_FLAG_SWITCH,
    BASE_FLAG_INTEGER,
    BASE_FLAG_UNSIGNED,
    BASE_FLAG_REAL,
    BASE_FLAG_STRING,
    BASE_FLAG_PATH,
    BASE_FLAG_SIZE,
    BASE_FLAG_CHOICE,
    BASE_FLAG_LIST,
    BASE_FLAG_KIND_COUNT,
} BaseFlagKind;

BaseFlagKind base_flag_kind(const FiloFlag *flag);

// The common flags, with the variables that they set. `help` is the last of them.
typedef struct BaseCommonFlags {
    FiloCommonArgs values;
    int backend; // as a choice: FiloBackend - 1
    bool help;
    FiloFlag flags[BASE_ARGS_COMMON_COUNT];
    size_t first; // BASE_ARGS_COMMON_COUNT - 1 in a program without common flags, otherwise 0
} BaseCommonFlags;

void base_common_flags_init(BaseCommonFlags *common, const FiloArgsDesc *desc);

// The program's flags first, then the common ones; NULL after the last.
const FiloFlag *base_args_flag(const FiloArgsDesc *desc, const BaseCommonFlags *common, size_t index);

// The name in the description, or the last part of argv[0].
const char *base_args_program(const FiloArgsDesc *desc, int argc, char **argv);

// Passes the help to `put`, piece by piece.
typedef void (*BaseArgsPut)(const char *text, size_t size, void *user);
void base_args_write_help(const FiloArgsDesc *desc, const char *program, BaseArgsPut put, void *user);

#endif
