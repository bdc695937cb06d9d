// The stack, with files and lines from the debug information of the program.
//
// libdw, a part of elfutils, reads the debug information. It is loaded when it is needed, so that no program depends on
// it; what is used of it is declared here, as its header may be missing. Code of Filo is recognised by its path: it lies
// in the folder `src` from which this file was built, or in include/filo.

#include "base/report/stack.h"

#include <filo/types.h>

#if defined __GLIBC__ && !defined NDEBUG

#    include <dlfcn.h>
#    include <execinfo.h>
#    include <stdint.h>
#    include <stdio.h>
#    include <string.h>
#    include <unistd.h>

#    define FRAMES 48 // more are not printed

// ---- libdw ------------------------------------------------------------------------------------------------

#    define DW_TAG_INLINED 0x1d // inlined subroutine
#    define DW_CALL_FILE   0x58 // attributes of one: where it is called
#    define DW_CALL_LINE   0x59

typedef struct DwDie { // Dwarf_Die
    void *private_[4];
} DwDie;
typedef struct DwAttribute { // Dwarf_Attribute
    unsigned code, form;
    void *private_[2];
} DwAttribute;
typedef struct DwCallbacks { // Dwfl_Callbacks
    void *find_elf, *find_debuginfo, *section_address;
    char **debuginfo_path;
} DwCallbacks;

// The functions, named as in libdw.
typedef struct Libdw {
    void *(*dwfl_begin)(const DwCallbacks *callbacks);
    int (*dwfl_linux_proc_report)(void *dwfl, pid_t process);
    int (*dwfl_report_end)(void *dwfl, void *removed, void *argument);
    void *(*dwfl_addrmodule)(void *dwfl, uint64_t address);
    const char *(*dwfl_module_addrname)(void *module, uint64_t address);
    void *(*dwfl_module_getsrc)(void *module, uint64_t address);
    const char *(*dwfl_lineinfo)(void *line, uint64_t *address, int *number, int *column, void *, void *);
    void *(*dwfl_module_addrdie)(void *module, uint64_t address, uint64_t *bias);
    int (*dwarf_getscopes)(void *unit, uint64_t address, DwDie **scopes);
    int (*dwarf_getscopes_die)(DwDie *die, DwDie **scopes);
    int (*dwarf_tag)(DwDie *die);
    void *(*dwarf_attr)(DwDie *die, unsigned name, DwAttribute *attribute);
    int (*dwarf_formudata)(DwAttribute *attribute, uint64_t *value);
    int (*dwarf_getsrcfiles)(void *unit, void **files, size_t *count);
    const char *(*dwarf_filesrc)(void *files, size_t index, void *, void *);
} Libdw;

static const char *const names[] = {
    "dwfl_begin",           "dwfl_linux_proc_report", "dwfl_report_end", "dwfl_addrmodule",
    "dwfl_module_addrname", "dwfl_module_getsrc",     "dwfl_lineinfo",   "dwfl_module_addrdie",
    "dwarf_getscopes",      "dwarf_getscopes_die",    "dwarf_tag",       "dwarf_attr",
    "dwarf_formudata",      "dwarf_getsrcfiles",      "dwarf_filesrc",
};
_Static_assert(sizeof names / sizeof *names == sizeof(Libdw) / sizeof(void *), "a name for each function");

// What is known of the program.
typedef struct Program {
    Libdw dw;
    void *dwfl;
    const char *root; // begins with the folder of Filo; NULL: unknown
    size_t root_length;
} Program;

// False without libdw.
static bool open_program(Program *program) {
    void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++) {
        void *function = dlsym(library, names[i]);
        if (function == NULL) return false;
        memcpy((char *)&program->dw + i * sizeof function, &function, sizeof function);
    }
    static DwCallbacks callbacks;
    callbacks.find_elf = dlsym(library, "dwfl_linux_proc_find_elf");
    callbacks.find_debuginfo = dlsym(library, "dwfl_standard_find_debuginfo");
    program->dwfl = program->dw.dwfl_begin(&callbacks);
    return program->dwfl != NULL && program->dw.dwfl_linux_proc_report(program->dwfl, getpid()) == 0 &&
           program->dw.dwfl_report_end(program->dwfl, NULL, NULL) == 0;
}

// ---- Lines ------------------------------------------------------------------------------------------------

typedef struct Line {
    const char *function, *file; // NULL: unknown
    int number;
} Line;

static Line line_of(const Program *program, void *module, uint64_t address) {
    Line line = { .function = program->dw.dwfl_module_addrname(module, address) };
    void *found = program->dw.dwfl_module_getsrc(module, address);
    if (found != NULL) line.file = program->dw.dwfl_lineinfo(found, NULL, &line.number, NULL, NULL, NULL);
    return line;
}

static bool is_of_filo(const Program *program, const char *file) {
    if (strstr(file, "include/filo/") != NULL) return true; // also where it is installed
    return program->root != NULL && strncmp(file, program->root, program->root_length) == 0 &&
           strncmp(file + program->root_length, "src/", 4) == 0;
}

// Where the compiler has inlined a function of Filo into one of the program: the line that calls it.
static void leave_inlined(const Program *program, void *module, uint64_t address, Line *line) {
    const Libdw *dw = &program->dw;
    uint64_t bias = 0, file = 0, number = 0;
    void *unit = dw->dwfl_module_addrdie(module, address, &bias), *files;
    DwDie *innermost, *scopes; // never freed: the program is about to stop
    DwAttribute attribute;
    size_t count;
    int depth = unit != NULL ? dw->dwarf_getscopes(unit, address - bias, &innermost) : 0;
    if (depth > 0) depth = dw->dwarf_getscopes_die(innermost, &scopes); // as they are nested here
    if (depth <= 0 || dw->dwarf_getsrcfiles(unit, &files, &count) != 0) return;
    for (int i = 0; i < depth && is_of_filo(program, line->file); i++) {
        if (dw->dwarf_tag(&scopes[i]) != DW_TAG_INLINED ||
            dw->dwarf_formudata(dw->dwarf_attr(&scopes[i], DW_CALL_FILE, &attribute), &file) != 0 ||
            dw->dwarf_formudata(dw->dwarf_attr(&scopes[i], DW_CALL_LINE, &attribute), &number) != 0)
            continue;
        const char *path = file < count ? dw->dwarf_filesrc(files, (size_t)file, NULL, NULL) : NULL;
        if (path == NULL) return;
        line->file = path;
        line->number = (int)number;
    }
}

// Finds the root: this file without its own path below it.
static void find_root(Program *program, const char *file) {
    static const char own[] = "src/base/report/stack.c";
    size_t length = strlen(file), tail = sizeof own - 1;
    if (length < tail || strcmp(file + length - tail, own) != 0) return;
    program->root = file;
    program->root_length = length - tail;
}

// False without debug information of this file.
static bool print_lines(Program *program, void *const *frames, int count) {
    bool outside = false;
    for (int i = 0; i < count; i++) {
        uint64_t address = (uint64_t)(uintptr_t)frames[i] - 1; // of the call, not of the return from it
        void *module = program->dw.dwfl_addrmodule(program->dwfl, address);
        if (module == NULL) continue;
        Line line = line_of(program, module, address);
        if (line.file == NULL) continue; // the C library
        // This file comes first, or second where a sanitizer stands before backtrace.
        if (program->root == NULL) find_root(program, line.file);
        if (program->root == NULL) continue;
        if (is_of_filo(program, line.file)) leave_inlined(program, module, address, &line);
        if (!outside && is_of_filo(program, line.file)) continue;
        fprintf(stderr, "  %s %s:%d%s%s\n", outside ? "by" : "called at", line.file, line.number,
                line.function != NULL ? ", " : "", line.function != NULL ? line.function : "");
        if (line.function != NULL && strcmp(line.function, "main") == 0) break;
        outside = true;
    }
    return program->root != NULL;
}

void base_stack_print(void) {
    static Program program;
    static bool printing; // a second fault, maybe inside of libdw
    void *frames[FRAMES];
    if (__atomic_exchange_n(&printing, true, __ATOMIC_RELAXED)) return;
    int count = backtrace(frames, FRAMES);
    if (!open_program(&program) || !print_lines(&program, frames, count))
        backtrace_symbols_fd(frames, count, STDERR_FILENO);
    fflush(stderr);
}

#else

void base_stack_print(void) {}

#endif
