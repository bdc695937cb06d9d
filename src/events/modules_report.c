// Reports of modules: numbers for statistics, lines for the debug view.

#include <filo/check.h>
#include <filo/hash.h>

#include "events/modules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- Numbers --------------------------------------------------------------------------------------------

#define STATS_MAX 256 // names of one run

struct FiloStats {
    const char *module;
    FiloStatFunction function;
    void *user;
    uint64_t names[STATS_MAX]; // hashes of the names so far
    size_t count;
};

static bool is_valid_name(const char *name) {
    return name != NULL && name[0] != '\0' &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static void report(FiloStats *stats, FiloStat stat) {
    if (!FILO_CHECK(stats != NULL, "pass the stats that the hook was given")) return;
    if (!FILO_CHECK(is_valid_name(stat.name),
                    "module \"%s\": name a number with lower case letters, digits and _, not \"%s\"",
                    stats->module, stat.name != NULL ? stat.name : ""))
        return;
    uint64_t hash = filo_hash_text(stat.name);
    for (size_t i = 0; i < stats->count; i++)
        if (!FILO_CHECK(stats->names[i] != hash, "module \"%s\": there is a number \"%s\" already",
                        stats->module, stat.name))
            return;
    if (!FILO_CHECK(stats->count < STATS_MAX, "module \"%s\": there are %d numbers already", stats->module,
                    STATS_MAX))
        return;
    stats->names[stats->count++] = hash;
    stat.module = stats->module;
    stats->function(&stat, stats->user);
}

void filo_stats_number(FiloStats *stats, const char *name, double value) {
    report(stats, (FiloStat){ .name = name, .number = value });
}

void filo_stats_count(FiloStats *stats, const char *name, uint64_t count) {
    report(stats, (FiloStat){ .name = name, .number = (double)count, .whole = true });
}

void filo_stats_text(FiloStats *stats, const char *name, const char *text) {
    report(stats, (FiloStat){ .name = name, .text = text != NULL ? text : "" });
}

void filo_modules_stats(FiloModules *modules, FiloStatFunction function, void *user) {
    if (!FILO_CHECK(modules != NULL, "pass modules")) return;
    FiloStats stats = { .function = function, .user = user };
    modules->hook_depth++;
    for (size_t i = 0; i < modules->loaded.count; i++) {
        const EventsModule *module = modules->loaded.items[i];
        stats.module = filo_name_text(module->name);
        if (module->desc.stats != NULL) module->desc.stats(&stats, module->desc.user);
    }
    modules->hook_depth--;
}

typedef struct Wanted {
    const char *name;
    double *value;
    bool found;
} Wanted;

static void compare(const FiloStat *stat, void *user) {
    Wanted *wanted = user;
    if (stat->text != NULL || strcmp(stat->name, wanted->name) != 0) return;
    *wanted->value = stat->number;
    wanted->found = true;
}

bool filo_modules_stat(FiloModules *modules, const char *name, double *value) {
    if (!FILO_CHECK(modules != NULL, "pass modules")) return false;
    Wanted wanted = { name, value, false };
    filo_modules_stats(modules, compare, &wanted);
    return wanted.found;
}

// ---- Lines ----------------------------------------------------------------------------------------------

#define CUT        "..."
#define CUT_LENGTH (sizeof CUT - 1)

// The length in bytes of the longest prefix that is one line of at most `letters` characters. `all`: it is the whole
// text.
static size_t fit(FiloString text, size_t letters, bool *all) {
    FiloString rest = text;
    size_t count = 0, end = 0;
    for (uint32_t letter; count < letters && filo_utf8_next(&rest, &letter); count++) {
        if (letter == '\n') break;
        end = text.length - rest.length;
    }
    *all = end == text.length;
    return end;
}

static void add(FiloLines *lines, bool title, const char *format, va_list arguments) {
    if (!FILO_CHECK(lines != NULL, "pass the lines that the hook was given")) return;
    if (lines->count >= lines->capacity) {
        lines->left_out++;
        return;
    }
    char text[2 * FILO_LINE_BYTES]; // longer than a line, to detect texts that are too long
    int length = vsnprintf(text, sizeof text, format, arguments);
    FiloString whole = { text, FILO_MIN((size_t)FILO_MAX(length, 0), sizeof text - 1) };
    size_t letters = lines->letters > 0 ? lines->letters : SIZE_MAX;
    bool all;
    size_t end = fit(whole, letters, &all);
    if (end >= FILO_LINE_BYTES) all = false;
    if (!all) {
        FiloString start = { text, FILO_MIN(end, (size_t)FILO_LINE_BYTES - 1 - CUT_LENGTH) };
        while (start.length > 0 && ((unsigned char)text[start.length] & 0xC0) == 0x80) start.length--;
        bool ignored;
        if (letters != SIZE_MAX && letters > CUT_LENGTH) letters -= CUT_LENGTH;
        end = fit(start, letters, &ignored);
    }
    FiloLine *line = &lines->items[lines->count++];
    line->title = title;
    memcpy(line->text, text, end);
    memcpy(line->text + end, all ? "" : CUT, all ? 1 : CUT_LENGTH + 1);
}

void filo_lines_add(FiloLines *lines, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(lines, false, format, arguments);
    va_end(arguments);
}

void filo_lines_title(FiloLines *lines, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(lines, true, format, arguments);
    va_end(arguments);
}

static void add_lines(FiloModules *modules, FiloLines *lines, bool problems) {
    if (!FILO_CHECK(modules != NULL, "pass modules")) return;
    modules->hook_depth++;
    for (size_t i = 0; i < modules->loaded.count; i++) {
        const FiloModuleDesc *desc = &modules->loaded.items[i]->desc;
        void (*function)(FiloLines *, void *) = problems ? desc->problems : desc->debug;
        if (function != NULL) function(lines, desc->user);
    }
    modules->hook_depth--;
}

void filo_modules_debug(FiloModules *modules, FiloLines *lines) { add_lines(modules, lines, false); }

void filo_modules_problems(FiloModules *modules, FiloLines *lines) { add_lines(modules, lines, true); }

static const FiloModuleDesc *find_loaded(const FiloModules *modules, const char *module) {
    if (!FILO_CHECK(modules != NULL, "pass modules") || module == NULL) return NULL;
    for (size_t i = 0; i < modules->loaded.count; i++) {
        const FiloModuleDesc *desc = &modules->loaded.items[i]->desc;
        if (strcmp(desc->name, module) == 0) return desc;
    }
    return NULL;
}

bool filo_modules_debug_of(FiloModules *modules, const char *module, FiloLines *lines) {
    const FiloModuleDesc *desc = find_loaded(modules, module);
    if (desc == NULL || desc->debug == NULL) return false;
    if (lines == NULL) return true;
    modules->hook_depth++;
    desc->debug(lines, desc->user);
    modules->hook_depth--;
    return true;
}

bool filo_modules_panel_of(FiloModules *modules, const char *module, struct FiloUi *ui) {
    const FiloModuleDesc *desc = find_loaded(modules, module);
    if (desc == NULL || desc->panel == NULL) return false;
    if (ui == NULL) return true;
    modules->hook_depth++;
    desc->panel(ui, desc->user);
    modules->hook_depth--;
    return true;
}
