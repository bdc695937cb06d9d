// Reading the command line, in two passes: the first only checks, the second stores. So after a mistake or --help every
// variable is unchanged, and the help can show their values as defaults.

#include "base/args/args.h"
#include "base/suggest.h"

#include <filo/check.h>
#include <filo/strings.h>

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define MAX_COUNT     (FILO_ARGS_MAX_FLAGS + BASE_ARGS_COMMON_COUNT)
#define QUOTED_LENGTH 40 // bytes of the user's text that messages repeat

typedef struct Parser {
    const FiloArgsDesc *desc;
    const BaseCommonFlags *common;
    char **argv;
    int argc, next;
    bool storing; // the second pass
    bool flags_ended;
    bool seen[MAX_COUNT];
    size_t argument;    // the next to be filled
    size_t list_length; // entries of the list so far
} Parser;

// A part of the user's text for a message, short enough for the rest of the message to fit.
typedef struct Quoted {
    char text[QUOTED_LENGTH + sizeof "…"];
} Quoted;

static Quoted quote(const char *text, size_t length) {
    Quoted quoted;
    size_t cut = length;
    if (length > QUOTED_LENGTH) {
        cut = QUOTED_LENGTH;
        while (cut > 0 && ((unsigned char)text[cut] & 0xC0) == 0x80) cut--;
    }
    snprintf(quoted.text, sizeof quoted.text, "%.*s%s", (int)cut, text, cut < length ? "…" : "");
    return quoted;
}

static Quoted quote_all(const char *text) { return quote(text, strlen(text)); }

// ---- Flags --------------------------------------------------------------------------------------------

BaseFlagKind base_flag_kind(const FiloFlag *flag) {
    BaseFlagKind kind = BASE_FLAG_KIND_COUNT;
    int count = 0;
    if (flag->on != NULL) kind = BASE_FLAG_SWITCH, count++;
    if (flag->integer != NULL) kind = BASE_FLAG_INTEGER, count++;
    if (flag->unsigned_integer != NULL) kind = BASE_FLAG_UNSIGNED, count++;
    if (flag->real != NULL) kind = BASE_FLAG_REAL, count++;
    if (flag->string != NULL) kind = BASE_FLAG_STRING, count++;
    if (flag->path != NULL) kind = BASE_FLAG_PATH, count++;
    if (flag->size != NULL) kind = BASE_FLAG_SIZE, count++;
    if (flag->choice != NULL && flag->choices != NULL) kind = BASE_FLAG_CHOICE, count++;
    if (flag->list != NULL && flag->list_count != NULL) kind = BASE_FLAG_LIST, count++;
    return count == 1 ? kind : BASE_FLAG_KIND_COUNT;
}

const FiloFlag *base_args_flag(const FiloArgsDesc *desc, const BaseCommonFlags *common, size_t index) {
    if (index < desc->flag_count) return &desc->flags[index];
    index = index - desc->flag_count + common->first;
    return index < BASE_ARGS_COMMON_COUNT ? &common->flags[index] : NULL;
}

const char *base_args_program(const FiloArgsDesc *desc, int argc, char **argv) {
    if (desc->program != NULL) return desc->program;
    if (argc < 1 || argv == NULL || argv[0] == NULL || argv[0][0] == '\0') return "program";
    const char *slash = strrchr(argv[0], '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : argv[0];
}

static bool name_is_valid(const char *name) {
    return name != NULL && name[0] != '\0' && name[0] != '-' && strpbrk(name, "= \t\n") == NULL;
}

static FiloResult check_flag(const FiloArgsDesc *desc, const BaseCommonFlags *common, size_t index) {
    const FiloFlag *flag = &desc->flags[index], *other;
    if (!name_is_valid(flag->name))
        return FILO_MISTAKE("flag %zu: give it a name without minus signs, blanks and =", index);
    BaseFlagKind kind = base_flag_kind(flag);
    if (kind == BASE_FLAG_KIND_COUNT || kind == BASE_FLAG_LIST)
        return FILO_MISTAKE("flag --%s: set one pointer to the variable that it fills", flag->name);
    for (size_t i = index + 1; (other = base_args_flag(desc, common, i)) != NULL; i++) {
        if (other->name == NULL) continue; // reported by the call with its index
        if (strcmp(flag->name, other->name) == 0)
            return FILO_MISTAKE("flag --%s: there are two of that name; the common flags have theirs too",
                                flag->name);
        if (flag->letter != 0 && flag->letter == other->letter)
            return FILO_MISTAKE("flag --%s: the letter %c belongs to --%s", flag->name, flag->letter,
                                other->name);
    }
    return filo_ok();
}

static FiloResult check_argument(const FiloArgsDesc *desc, size_t index) {
    const FiloFlag *argument = &desc->arguments[index];
    if (argument->name == NULL) return FILO_MISTAKE("argument %zu: give it a name for the help", index);
    BaseFlagKind kind = base_flag_kind(argument);
    if (kind == BASE_FLAG_KIND_COUNT || kind == BASE_FLAG_SWITCH)
        return FILO_MISTAKE("argument %s: set one pointer to the variable that it fills", argument->name);
    if (kind == BASE_FLAG_LIST && index + 1 < desc->argument_count)
        return FILO_MISTAKE("argument %s: a list takes all that is left, so it must be the last",
                            argument->name);
    return filo_ok();
}

static FiloResult check_desc(const FiloArgsDesc *desc, const BaseCommonFlags *common) {
    if (desc->flag_count > FILO_ARGS_MAX_FLAGS)
        return FILO_MISTAKE("describe at most %d flags, not %zu", FILO_ARGS_MAX_FLAGS, desc->flag_count);
    FiloResult result = filo_ok();
    for (size_t i = 0; i < desc->flag_count && result.code == FILO_OK; i++)
        result = check_flag(desc, common, i);
    for (size_t i = 0; i < desc->argument_count && result.code == FILO_OK; i++)
        result = check_argument(desc, i);
    return result;
}

// ---- Values -------------------------------------------------------------------------------------------
//
// `label` is what the user wrote before the value: "--name", "-n", or the name of an argument.

static FiloResult check_range(const FiloFlag *flag, const char *label, const char *text, double value) {
    if (flag->min == 0 && flag->max == 0) return filo_ok();
    if (value >= flag->min && value <= flag->max) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "%s: %s is out of range: use %.15g to %.15g", label,
                      quote_all(text).text, flag->min, flag->max);
}

static FiloResult not_a_number(const char *label, const char *text, const char *wanted) {
    return filo_error(FILO_ERROR_DATA, "%s: \"%s\" is not %s", label, quote_all(text).text, wanted);
}

static FiloResult parse_integer(const FiloFlag *flag, const char *label, const char *text, bool storing) {
    int32_t value = 0;
    FiloCode code = filo_parse_int32(filo_string(text), &value).code;
    if (code == FILO_ERROR_DATA) return not_a_number(label, text, "a whole number");
    bool limited = flag->min != 0 || flag->max != 0;
    if (code != FILO_OK)
        return filo_error(FILO_ERROR_DATA, "%s: %s is out of range: use %d to %d", label,
                          quote_all(text).text, limited ? (int)FILO_MAX(flag->min, INT_MIN) : INT_MIN,
                          limited ? (int)FILO_MIN(flag->max, INT_MAX) : INT_MAX);
    FiloResult result = check_range(flag, label, text, value);
    if (result.code == FILO_OK && storing) *flag->integer = value;
    return result;
}

static FiloResult parse_unsigned(const FiloFlag *flag, const char *label, const char *text, bool storing) {
    uint64_t value = 0;
    FiloCode code = filo_parse_uint64(filo_string(text), &value).code;
    if (code == FILO_ERROR_DATA) return not_a_number(label, text, "a whole number without a sign");
    if (code != FILO_OK)
        return filo_error(FILO_ERROR_DATA, "%s: %s is out of range: use at most %llu", label,
                          quote_all(text).text, (unsigned long long)UINT64_MAX);
    FiloResult result = check_range(flag, label, text, (double)value);
    if (result.code == FILO_OK && storing) *flag->unsigned_integer = value;
    return result;
}

static FiloResult parse_real(const FiloFlag *flag, const char *label, const char *text, bool storing) {
    double value = 0;
    FiloCode code = filo_parse_double(filo_string(text), &value).code;
    if (code == FILO_ERROR_DATA) return not_a_number(label, text, "a number");
    if (code != FILO_OK || value > (double)FLT_MAX || value < -(double)FLT_MAX)
        return filo_error(FILO_ERROR_DATA, "%s: %s is out of range: no number of this kind is so large",
                          label, quote_all(text).text);
    FiloResult result = check_range(flag, label, text, value);
    if (result.code == FILO_OK && storing) *flag->real = (float)value;
    return result;
}

static FiloResult parse_choice(const FiloFlag *flag, const char *label, const char *text, bool storing) {
    char list[160] = "";
    for (int i = 0; flag->choices[i] != NULL; i++) {
        if (strcmp(flag->choices[i], text) == 0) {
            if (storing) *flag->choice = i;
            return filo_ok();
        }
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", i > 0 ? ", " : "", flag->choices[i]);
    }
    return filo_error(FILO_ERROR_DATA, "%s: \"%s\" is none of %s", label, quote_all(text).text, list);
}

static FiloResult parse_string(const char **target, const char *label, const char *text, bool storing) {
    if (text[0] == '\0') return filo_error(FILO_ERROR_DATA, "%s: the value is empty", label);
    if (storing) *target = text;
    return filo_ok();
}

static FiloResult parse_size(const FiloFlag *flag, const char *label, const char *text, bool storing) {
    int32_t size[2] = { 0 };
    size_t width = strcspn(text, "x");
    if (text[width] == '\0' || filo_parse_int32(filo_string_from(text, width), &size[0]).code != FILO_OK ||
        filo_parse_int32(filo_string(text + width + 1), &size[1]).code != FILO_OK)
        return not_a_number(label, text, "a width and a height, as 1280x720 is");
    FiloResult result = check_range(flag, label, text, size[0]);
    if (result.code == FILO_OK) result = check_range(flag, label, text, size[1]);
    if (result.code == FILO_OK && storing) flag->size[0] = size[0], flag->size[1] = size[1];
    return result;
}

static FiloResult parse_value(const FiloFlag *flag, const char *label, const char *text, bool storing) {
    switch (base_flag_kind(flag)) {
    case BASE_FLAG_INTEGER: return parse_integer(flag, label, text, storing);
    case BASE_FLAG_UNSIGNED: return parse_unsigned(flag, label, text, storing);
    case BASE_FLAG_REAL: return parse_real(flag, label, text, storing);
    case BASE_FLAG_STRING: return parse_string(flag->string, label, text, storing);
    case BASE_FLAG_PATH: return parse_string(flag->path, label, text, storing);
    case BASE_FLAG_SIZE: return parse_size(flag, label, text, storing);
    case BASE_FLAG_CHOICE: return parse_choice(flag, label, text, storing);
    case BASE_FLAG_SWITCH:
    case BASE_FLAG_LIST:
    case BASE_FLAG_KIND_COUNT: break;
    }
    FILO_ASSERT(false, "flags of this kind have no value");
    return filo_ok();
}

// ---- Suggestions --------------------------------------------------------------------------------------

// The flag with the nearest name, or NULL.
static const FiloFlag *suggest(const Parser *parser, const char *name, size_t length) {
    const FiloFlag *best = NULL, *flag;
    BaseSuggestion suggestion = base_suggest(filo_string_from(name, length));
    for (size_t i = 0; (flag = base_args_flag(parser->desc, parser->common, i)) != NULL; i++)
        if (base_suggest_offer(&suggestion, filo_string(flag->name))) best = flag;
    return best;
}

static FiloResult unknown_flag(const Parser *parser, const char *name, size_t length) {
    bool negated = length > 3 && strncmp(name, "no-", 3) == 0;
    const FiloFlag *suggested = suggest(parser, name, length);
    if (suggested != NULL)
        return filo_error(FILO_ERROR_DATA, "unknown flag --%s: did you mean --%s?", quote(name, length).text,
                          suggested->name);
    if (negated) suggested = suggest(parser, name + 3, length - 3);
    if (suggested != NULL && suggested->on != NULL)
        return filo_error(FILO_ERROR_DATA, "unknown flag --%s: did you mean --no-%s?",
                          quote(name, length).text, suggested->name);
    return filo_error(FILO_ERROR_DATA, "unknown flag --%s", quote(name, length).text);
}

// ---- One pass -----------------------------------------------------------------------------------------

static bool looks_like_number(const char *text) {
    if (*text == '-') text++;
    if (*text == '.') text++;
    return *text >= '0' && *text <= '9';
}

static size_t find_name(const Parser *parser, const char *name, size_t length) {
    const FiloFlag *flag;
    for (size_t i = 0; (flag = base_args_flag(parser->desc, parser->common, i)) != NULL; i++)
        if (strlen(flag->name) == length && memcmp(flag->name, name, length) == 0) return i;
    return SIZE_MAX;
}

static size_t find_letter(const Parser *parser, char letter) {
    const FiloFlag *flag;
    for (size_t i = 0; (flag = base_args_flag(parser->desc, parser->common, i)) != NULL; i++)
        if (flag->letter == letter) return i;
    return SIZE_MAX;
}

// `value` is the text after "=", or NULL.
static FiloResult take_flag(Parser *parser, size_t index, const char *label, const char *value,
                            bool negated) {
    const FiloFlag *flag = base_args_flag(parser->desc, parser->common, index);
    if (parser->seen[index]) return filo_error(FILO_ERROR_DATA, "%s: given twice", label);
    parser->seen[index] = true;
    if (flag->on != NULL) {
        if (value != NULL) return filo_error(FILO_ERROR_DATA, "%s: takes no value", label);
        if (parser->storing) *flag->on = !negated;
        return filo_ok();
    }
    if (value == NULL && parser->next < parser->argc) {
        const char *following = parser->argv[parser->next];
        if (following[0] == '-' && following[1] != '\0' && !looks_like_number(following))
            return filo_error(FILO_ERROR_DATA, "%s: value missing; if \"%s\" is meant, write --%s=%s", label,
                              quote_all(following).text, flag->name, quote_all(following).text);
        value = following;
        parser->next++;
    }
    if (value == NULL) return filo_error(FILO_ERROR_DATA, "%s: value missing", label);
    return parse_value(flag, label, value, parser->storing);
}

static FiloResult take_long_flag(Parser *parser, const char *name) {
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (length == 0) return filo_error(FILO_ERROR_DATA, "--%s: the flag has no name", quote_all(name).text);
    size_t index = find_name(parser, name, length);
    bool negated = false;
    if (index == SIZE_MAX && length > 3 && strncmp(name, "no-", 3) == 0) {
        index = find_name(parser, name + 3, length - 3);
        negated = index != SIZE_MAX && base_args_flag(parser->desc, parser->common, index)->on != NULL;
        if (!negated) index = SIZE_MAX;
    }
    if (index == SIZE_MAX) return unknown_flag(parser, name, length);
    char label[QUOTED_LENGTH + 16];
    snprintf(label, sizeof label, "--%s", quote(name, length).text);
    return take_flag(parser, index, label, value, negated);
}

static FiloResult take_short_flag(Parser *parser, const char *text) {
    size_t index = find_letter(parser, text[1]);
    if (text[2] == '\0' && index != SIZE_MAX) {
        char label[] = { '-', text[1], '\0' };
        return take_flag(parser, index, label, NULL, false);
    }
    size_t named = find_name(parser, text + 1, strcspn(text + 1, "="));
    if (named != SIZE_MAX)
        return filo_error(FILO_ERROR_DATA, "unknown flag %s: did you mean -%s?", quote_all(text).text,
                          quote_all(text).text);
    if (index != SIZE_MAX)
        return filo_error(FILO_ERROR_DATA, "unknown flag %s: write -%c on its own, and a value after it",
                          quote_all(text).text, text[1]);
    return filo_error(FILO_ERROR_DATA, "unknown flag %s", quote_all(text).text);
}

static FiloResult take_argument(Parser *parser, const char *text) {
    if (parser->argument == parser->desc->argument_count)
        return filo_error(FILO_ERROR_DATA, "unexpected argument \"%s\"", quote_all(text).text);
    const FiloFlag *argument = &parser->desc->arguments[parser->argument];
    if (base_flag_kind(argument) != BASE_FLAG_LIST) {
        parser->argument++;
        return parse_value(argument, argument->name, text, parser->storing);
    }
    if (parser->list_length == argument->list_capacity)
        return filo_error(FILO_ERROR_DATA, "%s: more than %zu were given", argument->name,
                          argument->list_capacity);
    FiloResult result =
        parse_string(&argument->list[parser->list_length], argument->name, text, parser->storing);
    parser->list_length++;
    if (parser->storing) *argument->list_count = parser->list_length;
    return result;
}

static FiloResult take_next(Parser *parser) {
    const char *text = parser->argv[parser->next++];
    if (parser->flags_ended || text[0] != '-' || text[1] == '\0') return take_argument(parser, text);
    if (strcmp(text, "--") == 0) {
        parser->flags_ended = true;
        return filo_ok();
    }
    if (text[1] == '-') return take_long_flag(parser, text + 2);
    if (looks_like_number(text) && find_letter(parser, text[1]) == SIZE_MAX)
        return take_argument(parser, text);
    return take_short_flag(parser, text);
}

static FiloResult check_complete(const Parser *parser) {
    const FiloArgsDesc *desc = parser->desc;
    if (parser->argument == desc->argument_count) return filo_ok();
    const FiloFlag *argument = &desc->arguments[parser->argument];
    if (argument->optional || parser->list_length > 0) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "argument missing: %s", argument->name);
}

static FiloResult parse_pass(const FiloArgsDesc *desc, const BaseCommonFlags *common, int argc, char **argv,
                             bool storing) {
    Parser parser = { .desc = desc, .common = common, .argv = argv, .argc = argc, .storing = storing };
    for (parser.next = 1; parser.next < argc;) {
        FiloResult result = take_next(&parser);
        if (result.code != FILO_OK) return result;
    }
    return check_complete(&parser);
}

// ---- The whole ----------------------------------------------------------------------------------------

// The help is shown even if the rest of the line has mistakes.
static bool help_requested(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    return false;
}

static int count_entries(int argc, char **argv) {
    int count = 0;
    while (argv != NULL && count < argc && argv[count] != NULL) count++;
    return count;
}

static const FiloArgsDesc no_desc = { 0 };

FiloResult filo_args_parse(FiloArgs *args, int argc, char **argv, const FiloArgsDesc *desc) {
    if (args == NULL) return FILO_MISTAKE("pass a FiloArgs to be filled");
    if (desc == NULL) desc = &no_desc;
    *args = (FiloArgs){ .common = desc->defaults };
    BaseCommonFlags common;
    base_common_flags_init(&common, desc);
    FiloResult mistake = check_desc(desc, &common);
    if (mistake.code != FILO_OK) {
        args->exit_code = 2;
        return mistake;
    }
    argc = count_entries(argc, argv);
    if (help_requested(argc, argv)) {
        args->help = true;
        return filo_ok();
    }
    FiloResult result = parse_pass(desc, &common, argc, argv, false);
    if (result.code != FILO_OK) {
        args->exit_code = 2;
        return result;
    }
    (void)parse_pass(desc, &common, argc, argv, true); // succeeds, as the first pass did
    args->common = common.values;
    args->common.backend = (FiloBackend)(common.backend + 1);
    return filo_ok();
}

static void put_to_file(const char *text, size_t size, void *user) { fwrite(text, 1, size, user); }

bool filo_args_main(FiloArgs *args, int argc, char **argv, const FiloArgsDesc *desc) {
    if (desc == NULL) desc = &no_desc;
    FiloResult result = filo_args_parse(args, argc, argv, desc);
    const char *program = base_args_program(desc, argc, argv);
    if (result.code != FILO_OK) {
        fprintf(stderr, "%s: %s\nTry %s --help.\n", program, result.message, program);
        return false;
    }
    if (!args->help) return true;
    errno = 0;
    base_args_write_help(desc, program, put_to_file, stdout);
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        result = filo_error_from_errno(errno != 0 ? errno : EIO, "standard output");
        fprintf(stderr, "%s: %s\n", program, result.message);
        args->exit_code = 1;
    }
    return false;
}
