// The flags of a game and its modules, on the command line and in recordings.
//
// Flags decide the course of the game as much as the seed does. So a recording stores those that were given, as words
// of a command line ("--enemies=1000"), one per line. A replay parses them as a command line: an old recording follows
// the current meaning of the flags, and an invalid value gets the same message.
//
// A recording may come from anywhere. So it sets the flags that recordings hold and no others, and never one that names
// a file: such a flag is written, so that a replay can tell which flag is missing on its command line.

#include "app/app.h"

#include <filo/hash.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Nine digits distinguish all floats. snprintf uses the decimal point of the locale; flags always use '.'.
static int print_real(char *word, size_t size, const FiloFlag *flag) {
    char number[32];
    snprintf(number, sizeof number, "%.9g", (double)*flag->real);
    for (char *at = number; *at != '\0'; at++)
        if (strchr("0123456789+-e", *at) == NULL) *at = '.';
    return snprintf(word, size, "--%s=%s", flag->name, number);
}

// Prints the word that sets a flag to its current value. False if there is no such word, or it is too long.
static bool print_flag(const FiloFlag *flag, char *word, size_t size) {
    int length = -1;
    if (flag->on != NULL)
        length = snprintf(word, size, *flag->on ? "--%s" : "--no-%s", flag->name);
    else if (flag->integer != NULL)
        length = snprintf(word, size, "--%s=%d", flag->name, *flag->integer);
    else if (flag->unsigned_integer != NULL)
        length = snprintf(word, size, "--%s=%" PRIu64, flag->name, *flag->unsigned_integer);
    else if (flag->real != NULL)
        length = print_real(word, size, flag);
    else if (flag->string != NULL && *flag->string != NULL)
        length = snprintf(word, size, "--%s=%s", flag->name, *flag->string);
    else if (flag->path != NULL && *flag->path != NULL)
        length = snprintf(word, size, "--%s=%s", flag->name, *flag->path);
    else if (flag->size != NULL && flag->size[0] > 0)
        length = snprintf(word, size, "--%s=%dx%d", flag->name, flag->size[0], flag->size[1]);
    else if (flag->choice != NULL && flag->choices != NULL && *flag->choice >= 0)
        length = snprintf(word, size, "--%s=%s", flag->name, flag->choices[*flag->choice]);
    return length >= 0 && (size_t)length < size;
}

static uint64_t hash_value(const FiloFlag *flag) {
    char word[FILO_INPUT_FLAGS];
    return print_flag(flag, word, sizeof word) ? filo_hash_text(word) : 0;
}

// ---- All flags --------------------------------------------------------------------------------------------

static bool collide(const FiloFlag *a, const FiloFlag *b) {
    if (a->name == NULL || b->name == NULL) return false; // reported when the command line is read
    return strcmp(a->name, b->name) == 0 || (a->letter != 0 && a->letter == b->letter);
}

FiloResult app_flags_collect(AppFlags *flags, const FiloAppDesc *desc, const FiloModules *modules) {
    *flags = (AppFlags){ 0 };
    size_t own = FILO_MIN(desc->flag_count, (size_t)FILO_ARGS_MAX_FLAGS);
    if (own > 0) memcpy(flags->all, desc->flags, own * sizeof *flags->all);
    flags->count = desc->flag_count;
    if (modules != NULL)
        flags->count += filo_modules_flags(modules, flags->all + own, FILO_ARGS_MAX_FLAGS - own);
    if (flags->count > FILO_ARGS_MAX_FLAGS)
        return filo_error(FILO_ERROR_LIMIT, "the game and its modules have %zu flags; %d are possible",
                          flags->count, FILO_ARGS_MAX_FLAGS);
    for (size_t i = own; i < flags->count; i++)
        for (size_t k = 0; k < own; k++)
            if (collide(&flags->all[i], &flags->all[k]))
                return filo_error(FILO_ERROR_EXISTS,
                                  "--%s: the game and one of its modules both have this flag, "
                                  "or its letter",
                                  flags->all[i].name);
    for (size_t i = 0; i < flags->count; i++) flags->default_hashes[i] = hash_value(&flags->all[i]);
    return filo_ok();
}

FiloResult app_flags_print(const AppFlags *flags, char text[FILO_INPUT_FLAGS]) {
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < flags->count; i++) {
        const FiloFlag *flag = &flags->all[i];
        if (flag->unrecorded || hash_value(flag) == flags->default_hashes[i]) continue;
        size_t capacity = FILO_INPUT_FLAGS - length;
        if (capacity < 2 || !print_flag(flag, text + length, capacity - 1) ||
            strchr(text + length, '\n') != NULL)
            return filo_error(FILO_ERROR_LIMIT,
                              "--%s: this cannot be recorded: it has more than one line, or there are more "
                              "than %d bytes of flags",
                              flag->name, FILO_INPUT_FLAGS);
        length += strlen(text + length);
        text[length++] = '\n';
        text[length] = '\0';
    }
    return filo_ok();
}

// ---- Of a recording -----------------------------------------------------------------------------------------

// Whether `word` sets a flag that names a file. `*missing` is set to the flag if the command line has not set it.
static bool names_file(const AppFlags *flags, const char *word, const FiloFlag **missing) {
    for (size_t i = 0; i < flags->count; i++) {
        const FiloFlag *flag = &flags->all[i];
        if (flag->path == NULL || flag->unrecorded) continue;
        size_t length = strlen(flag->name);
        if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, flag->name, length) != 0 ||
            word[2 + length] != '=')
            continue;
        if (hash_value(flag) == flags->default_hashes[i]) *missing = flag;
        return true;
    }
    return false;
}

// Parses the words with the flags that a recording may set.
static FiloResult parse_words(const AppFlags *flags, int count, char **words, const char *program) {
    FiloFlag list[FILO_ARGS_MAX_FLAGS];
    FiloArgsDesc desc = { .program = program, .flags = list, .own_flags_only = true };
    for (size_t i = 0; i < flags->count; i++)
        if (!flags->all[i].unrecorded && flags->all[i].path == NULL) list[desc.flag_count++] = flags->all[i];
    FiloArgs args;
    FiloResult r = filo_args_parse(&args, count, words, &desc);
    return r.code == FILO_OK && args.help ? filo_error(FILO_ERROR_DATA, "--help") : r;
}

FiloResult app_flags_apply(AppFlags *flags, const char *program, const char *path) {
    char name[] = "recording";
    char *words[FILO_ARGS_MAX_FLAGS + 2] = { name };
    int count = 1;
    const FiloFlag *missing = NULL;
    for (char *word = flags->recorded, *end; (end = strchr(word, '\n')) != NULL; word = end + 1) {
        if (count > FILO_ARGS_MAX_FLAGS) break;
        *end = '\0';
        if (!names_file(flags, word, &missing)) words[count++] = word;
    }
    if (missing != NULL)
        return filo_error(FILO_ERROR_DATA,
                          "%s: was played with --%s, which names a file, and no recording chooses a file: "
                          "give --%s again",
                          path, missing->name, missing->name);
    FiloResult r = parse_words(flags, count, words, program);
    if (r.code == FILO_OK) return r;
    return filo_error(FILO_ERROR_DATA, "%s: played with flags that this game does not record: %s", path,
                      r.message);
}

FiloResult app_flags_apply_recording(AppFlags *flags, const char *program, const char *path) {
    FiloInputReplay *replay;
    FiloResult r = filo_input_replay_open(&replay, path);
    if (r.code != FILO_OK) return r;
    const FiloInputLogHead *head = filo_input_replay_head(replay);
    filo_string_copy(filo_string(head->flags), flags->recorded, sizeof flags->recorded);
    bool other_program = program != NULL && strncmp(head->game, program, sizeof head->game - 1) != 0;
    filo_input_replay_close(replay);
    return other_program ? filo_ok() // app_start fails with a message about that
                         : app_flags_apply(flags, program, path);
}
