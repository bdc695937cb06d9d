// The help text: paragraphs wrapped to 80 columns, and flags in two columns.

#include "base/args/args.h"

#include <filo/check.h>

#include <locale.h>
#include <stdio.h>
#include <string.h>

#define WIDTH       80
#define MARGIN      2
#define WIDEST      26 // the help of a wider label is on the next line
#define LABEL_SIZE  256
#define DETAIL_SIZE 192

typedef struct Page {
    BaseArgsPut put;
    void *user;
    size_t column;
} Page;

// The width of a UTF-8 text in columns, one for each character.
static size_t columns(const char *text, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80) count++;
    return count;
}

static void put(Page *page, const char *text, size_t length) {
    page->put(text, length, page->user);
    page->column += columns(text, length);
}

static void put_text(Page *page, const char *text) { put(page, text, strlen(text)); }

static void put_newline(Page *page) {
    put(page, "\n", 1);
    page->column = 0;
}

static void indent_to(Page *page, size_t column) {
    while (page->column < column) put(page, " ", 1);
}

// Writes the words of `text`, in lines that begin at `left`. A line break in the text is preserved.
static void put_words(Page *page, const char *text, size_t left) {
    while (*text != '\0') {
        if (*text == '\n') {
            put_newline(page);
            text++;
            continue;
        }
        size_t blanks = strspn(text, " "), length = strcspn(text + blanks, " \n");
        if (length == 0) {
            text += blanks;
            continue;
        }
        bool begins_line = page->column <= left;
        if (!begins_line && page->column + 1 + columns(text + blanks, length) > WIDTH) {
            put_newline(page);
            begins_line = true;
        }
        if (begins_line)
            indent_to(page, left);
        else
            put(page, " ", 1);
        put(page, text + blanks, length);
        text += blanks + length;
    }
}

static void put_paragraph(Page *page, const char *text) {
    if (text == NULL || text[0] == '\0') return;
    put_newline(page);
    put_words(page, text, 0);
    if (page->column > 0) put_newline(page);
}

// ---- Labels -------------------------------------------------------------------------------------------

static void append(char *text, size_t size, const char *more) {
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", more);
}

static void append_value_name(char *label, const FiloFlag *flag) {
    static const char *const names[BASE_FLAG_KIND_COUNT] = {
        [BASE_FLAG_INTEGER] = "N",   [BASE_FLAG_UNSIGNED] = "N", [BASE_FLAG_REAL] = "X",
        [BASE_FLAG_STRING] = "TEXT", [BASE_FLAG_PATH] = "FILE",  [BASE_FLAG_SIZE] = "WxH",
    };
    BaseFlagKind kind = base_flag_kind(flag);
    if (kind == BASE_FLAG_SWITCH || kind == BASE_FLAG_KIND_COUNT) return;
    append(label, LABEL_SIZE, " ");
    if (flag->value_name != NULL) {
        append(label, LABEL_SIZE, flag->value_name);
    } else if (kind == BASE_FLAG_CHOICE) {
        for (int i = 0; flag->choices[i] != NULL; i++) {
            if (i > 0) append(label, LABEL_SIZE, "|");
            append(label, LABEL_SIZE, flag->choices[i]);
        }
    } else if (names[kind] != NULL) {
        append(label, LABEL_SIZE, names[kind]);
    }
}

static void make_flag_label(char *label, const FiloFlag *flag) {
    char letter[] = { '-', flag->letter, ',', ' ', '\0' };
    snprintf(label, LABEL_SIZE, "%s--%s%s", flag->letter != 0 ? letter : "    ",
             flag->on != NULL && *flag->on ? "[no-]" : "", flag->name);
    append_value_name(label, flag);
}

static void make_argument_label(char *label, const FiloFlag *argument) {
    snprintf(label, LABEL_SIZE, "%s", argument->name);
}

// ---- Details ------------------------------------------------------------------------------------------

// "" if the variable has no default to show.
static void make_default(char *text, const FiloFlag *flag) {
    text[0] = '\0';
    switch (base_flag_kind(flag)) {
    case BASE_FLAG_SWITCH:
        if (*flag->on) append(text, DETAIL_SIZE, "on");
        break;
    case BASE_FLAG_INTEGER: snprintf(text, DETAIL_SIZE, "%d", *flag->integer); break;
    case BASE_FLAG_UNSIGNED:
        snprintf(text, DETAIL_SIZE, "%llu", (unsigned long long)*flag->unsigned_integer);
        break;
    case BASE_FLAG_REAL: snprintf(text, DETAIL_SIZE, "%g", (double)*flag->real); break;
    case BASE_FLAG_STRING:
        if (*flag->string != NULL) snprintf(text, DETAIL_SIZE, "%s", *flag->string);
        break;
    case BASE_FLAG_PATH:
        if (*flag->path != NULL) snprintf(text, DETAIL_SIZE, "%s", *flag->path);
        break;
    case BASE_FLAG_SIZE:
        if (flag->size[0] > 0) snprintf(text, DETAIL_SIZE, "%dx%d", flag->size[0], flag->size[1]);
        break;
    case BASE_FLAG_CHOICE:
        for (int i = 0; flag->choices[i] != NULL; i++)
            if (i == *flag->choice) append(text, DETAIL_SIZE, flag->choices[i]);
        break;
    case BASE_FLAG_LIST:
    case BASE_FLAG_KIND_COUNT: break;
    }
}

static void put_details(Page *page, const FiloFlag *flag, bool with_default, size_t left) {
    char value[DETAIL_SIZE], text[2 * DETAIL_SIZE];
    bool with_range = flag->min != 0 || flag->max != 0;
    make_default(value, flag);
    if (!with_default) value[0] = '\0';
    if (!with_range && value[0] == '\0') return;
    snprintf(text, sizeof text, "(");
    if (with_range) snprintf(text, sizeof text, "(%.15g to %.15g", flag->min, flag->max);
    if (value[0] != '\0') {
        append(text, sizeof text, with_range ? ", default: " : "default: ");
        append(text, sizeof text, value);
    }
    append(text, sizeof text, ")");
    size_t width = columns(text, strlen(text)); // on one line, if it fits
    if (page->column > left && page->column + 1 + width > WIDTH && left + width <= WIDTH) put_newline(page);
    put_words(page, text, left);
}

static void put_row(Page *page, const FiloFlag *flag, const char *label, bool with_default, size_t left) {
    indent_to(page, MARGIN);
    put_text(page, label);
    if (page->column + MARGIN > left) put_newline(page);
    indent_to(page, left);
    if (flag->help != NULL) put_words(page, flag->help, left);
    put_details(page, flag, with_default, left);
    put_newline(page);
}

// ---- The text -----------------------------------------------------------------------------------------

static bool ignored(const FiloArgsDesc *desc, size_t index) {
    if (index < desc->flag_count || desc->own_flags_only) return false;
    return (desc->ignores >> (index - desc->flag_count) & 1) != 0;
}

// The column at which the help texts begin.
static size_t find_border(const FiloArgsDesc *desc, const BaseCommonFlags *common) {
    size_t widest = 0;
    char label[LABEL_SIZE];
    const FiloFlag *flag;
    for (size_t i = 0; i < desc->argument_count; i++) {
        make_argument_label(label, &desc->arguments[i]);
        size_t width = columns(label, strlen(label));
        if (width <= WIDEST) widest = FILO_MAX(widest, width);
    }
    for (size_t i = 0; (flag = base_args_flag(desc, common, i)) != NULL; i++) {
        make_flag_label(label, flag);
        size_t width = columns(label, strlen(label));
        if (width <= WIDEST && !ignored(desc, i)) widest = FILO_MAX(widest, width);
    }
    return MARGIN + widest + MARGIN;
}

static void put_usage(Page *page, const FiloArgsDesc *desc, const char *program) {
    char label[LABEL_SIZE];
    snprintf(label, sizeof label, "Usage: %s [flags]", program);
    put_words(page, label, 0);
    for (size_t i = 0; i < desc->argument_count; i++) {
        const FiloFlag *argument = &desc->arguments[i];
        snprintf(label, sizeof label, argument->optional ? "[%s]%s" : "<%s>%s", argument->name,
                 argument->list != NULL ? "..." : "");
        put_words(page, label, sizeof "Usage: " - 1);
    }
    put_newline(page);
}

static void put_flags(Page *page, const FiloArgsDesc *desc, const BaseCommonFlags *common, size_t left) {
    char label[LABEL_SIZE];
    const FiloFlag *flag;
    for (size_t i = 0; (flag = base_args_flag(desc, common, i)) != NULL; i++) {
        bool first_common = i == desc->flag_count && !desc->own_flags_only;
        if (i == 0 || first_common) put_paragraph(page, first_common ? "Flags of all programs:" : "Flags:");
        if (ignored(desc, i)) continue;
        make_flag_label(label, flag);
        put_row(page, flag, label, true, left);
    }
}

static void put_ignored(Page *page, const FiloArgsDesc *desc, const BaseCommonFlags *common) {
    const FiloFlag *flag;
    bool any = false;
    for (size_t i = 0; (flag = base_args_flag(desc, common, i)) != NULL; i++) {
        if (!ignored(desc, i)) continue;
        char word[LABEL_SIZE];
        snprintf(word, sizeof word, "--%s", flag->name);
        if (!any) put_newline(page);
        if (!any) put_words(page, "Accepted, but without effect in this program:", 0);
        put_words(page, word, MARGIN);
        any = true;
    }
    if (any) put_newline(page);
}

void base_args_write_help(const FiloArgsDesc *desc, const char *program, BaseArgsPut put_piece, void *user) {
    BaseCommonFlags common;
    base_common_flags_init(&common, desc);
    Page page = { put_piece, user, 0 };
    // Numbers are printed as the parser reads them, in every locale.
    locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    size_t left = find_border(desc, &common);
    put_usage(&page, desc, program);
    put_paragraph(&page, desc->summary);
    if (desc->argument_count > 0) put_paragraph(&page, "Arguments:");
    for (size_t i = 0; i < desc->argument_count; i++) {
        char label[LABEL_SIZE];
        make_argument_label(label, &desc->arguments[i]);
        put_row(&page, &desc->arguments[i], label, desc->arguments[i].optional, left);
    }
    put_flags(&page, desc, &common, left);
    put_ignored(&page, desc, &common);
    put_paragraph(&page, desc->notes);
    uselocale(before);
}

typedef struct Buffer {
    char *text;
    size_t size, length; // the length of the whole, which may be more than the size
} Buffer;

static void put_to_buffer(const char *text, size_t size, void *user) {
    Buffer *buffer = user;
    for (size_t i = 0; i < size; i++, buffer->length++)
        if (buffer->length + 1 < buffer->size) buffer->text[buffer->length] = text[i];
}

size_t filo_args_help(const FiloArgsDesc *desc, char *text, size_t size) {
    if (text == NULL) size = 0;
    static const FiloArgsDesc none = { 0 };
    if (desc == NULL) desc = &none;
    Buffer buffer = { text, size, 0 };
    base_args_write_help(desc, base_args_program(desc, 0, NULL), put_to_buffer, &buffer);
    if (size > 0) text[FILO_MIN(buffer.length, size - 1)] = '\0';
    return buffer.length;
}
