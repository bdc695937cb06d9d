// What the reader of command lines and the writer of help share: all flags of a program in one table.

#ifndef FILO_BASE_ARGS_H
#define FILO_BASE_ARGS_H

#include <filo/args.h>

#define FILO_ARGS_COMMON_COUNT 12

typedef enum FiloFlagKind {
    FILO_FLAG_SWITCH,
    FILO_FLAG_INTEGER,
    FILO_FLAG_UNSIGNED,
    FILO_FLAG_REAL,
    FILO_FLAG_STRING,
    FILO_FLAG_CHOICE,
    FILO_FLAG_LIST,
    FILO_FLAG_KIND_COUNT,
} FiloFlagKind;

FiloFlagKind filo_flag_kind(const FiloFlag *flag);

// The common flags, with the variables that they fill. `help` is the last of them.
typedef struct FiloCommonFlags {
    FiloCommonArgs values;
    int backend; // as a choice: FiloBackend - 1
    bool help;
    FiloFlag flags[FILO_ARGS_COMMON_COUNT];
    size_t first; // FILO_ARGS_COMMON_COUNT - 1 in a program without common flags, otherwise 0
} FiloCommonFlags;

void filo_common_flags_init(FiloCommonFlags *common, const FiloArgsDesc *desc);

// The program's flags first, then the common ones; NULL after the last.
const FiloFlag *filo_args_flag(const FiloArgsDesc *desc, const FiloCommonFlags *common, size_t index);

// The last part of argv[0], or what the description says.
const char *filo_args_program(const FiloArgsDesc *desc, int argc, char **argv);

// Passes the help to `put`, piece by piece.
typedef void (*FiloArgsPut)(const char *text, size_t size, void *user);
void filo_args_write_help(const FiloArgsDesc *desc, const char *program, FiloArgsPut put, void *user);

#endif
