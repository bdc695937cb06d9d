// The order in which modules are loaded: dependencies first. Reports missing dependencies and cycles.

#include "events/modules.h"

#include <stdio.h>

#define VERSION_FORMAT "%u.%u.%u"
#define VERSION_PRINT(version)                                                                               \
    FILO_VERSION_MAJOR(version), FILO_VERSION_MINOR(version), FILO_VERSION_PATCH(version)

enum { ON_PATH = 2, FINISHED = 3 }; // marks of wanted modules in events_modules_check_cycles

// ---- Dependencies -------------------------------------------------------------------------------------

static FiloResult unsatisfied(const FiloModules *modules, const EventsModule *module,
                              const EventsNeed *need) {
    const char *name = filo_name_text(module->name), *needed = filo_name_text(need->name);
    const char *what = need->is_interface ? "the interface " : "";
    const EventsProvide *provide = NULL;
    const EventsModule *other = need->is_interface ? events_modules_provider(modules, need->name, &provide)
                                                   : events_modules_find(modules, need->name);
    if (other == NULL)
        return filo_error(FILO_ERROR_NOT_FOUND, "module \"%s\" needs %s\"%s\", which %s", name, what, needed,
                          need->is_interface ? "no registered module provides" : "is not registered");
    FiloVersion version = need->is_interface ? provide->version : other->version;
    char provider[96] = "";
    if (need->is_interface) snprintf(provider, sizeof provider, " of \"%s\"", filo_name_text(other->name));
    return filo_error(FILO_ERROR_UNSUPPORTED,
                      "module \"%s\" needs %s\"%s\" " VERSION_FORMAT
                      " or newer, but that%s is " VERSION_FORMAT "%s",
                      name, what, needed, VERSION_PRINT(need->version), provider, VERSION_PRINT(version),
                      version > need->version ? ", a new major version" : "");
}

FiloResult events_modules_mark_needs(FiloModules *modules) {
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < modules->all.count; i++) {
            const EventsModule *module = modules->all.items[i];
            if (module->mark != EVENTS_MODULE_WANTED) continue;
            for (size_t n = 0; n < module->need_count; n++) {
                EventsModule *other = events_modules_resolve(modules, &module->needs[n]);
                if (other == NULL && module->needs[n].optional) continue;
                if (other == NULL) return unsatisfied(modules, module, &module->needs[n]);
                if (other->mark == EVENTS_MODULE_WANTED) continue;
                other->mark = EVENTS_MODULE_WANTED;
                again = true;
            }
        }
    }
    return filo_ok();
}

static bool is_ready(const FiloModules *modules, const EventsModule *module) {
    for (size_t n = 0; n < module->need_count; n++) {
        const EventsModule *other = events_modules_resolve(modules, &module->needs[n]);
        if (other != NULL && other != module && !other->loaded) return false;
    }
    return true;
}

EventsModule *events_modules_next_ready(FiloModules *modules) {
    for (size_t i = 0; i < modules->all.count; i++) {
        EventsModule *module = modules->all.items[i];
        if (module->mark == EVENTS_MODULE_WANTED && !module->loaded && is_ready(modules, module))
            return module;
    }
    return NULL;
}

// ---- Cycles -------------------------------------------------------------------------------------------

// A chain of dependencies, linked on the stack.
typedef struct Path {
    EventsModule *module;
    const struct Path *before;
} Path;

// Writes "a → b → " for the part of the path that begins with `begin`; returns its length.
static size_t print_path(const Path *path, const EventsModule *begin, char *text, size_t size) {
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): `begin` is on the path
    size_t length = path->module != begin ? print_path(path->before, begin, text, size) : 0;
    if (length >= size) return length;
    return length +
           (size_t)snprintf(text + length, size - length, "%s → ", filo_name_text(path->module->name));
}

static FiloResult cycle(const Path *path, const EventsModule *begin) {
    char text[2 * FILO_MESSAGE_SIZE];
    print_path(path, begin, text, sizeof text);
    return filo_error(FILO_ERROR_DATA, "modules need each other in a cycle: %s%s", text,
                      filo_name_text(begin->name));
}

static FiloResult visit(FiloModules *modules, EventsModule *module, const Path *before) {
    if (module->mark == FINISHED || module->loaded) return filo_ok();
    if (module->mark == ON_PATH) return cycle(before, module);
    module->mark = ON_PATH;
    Path path = { module, before };
    for (size_t n = 0; n < module->need_count; n++) {
        EventsModule *other = events_modules_resolve(modules, &module->needs[n]);
        if (other == NULL) continue;
        // A module may require an interface that it provides itself.
        if (other == module && module->needs[n].is_interface) continue;
        FiloResult r = visit(modules, other, &path);
        if (r.code != FILO_OK) return r;
    }
    module->mark = FINISHED;
    return filo_ok();
}

FiloResult events_modules_check_cycles(FiloModules *modules) {
    FiloResult r = filo_ok();
    for (size_t i = 0; i < modules->all.count && r.code == FILO_OK; i++)
        if (modules->all.items[i]->mark == EVENTS_MODULE_WANTED)
            r = visit(modules, modules->all.items[i], NULL);
    for (size_t i = 0; i < modules->all.count; i++)
        if (modules->all.items[i]->mark != 0) modules->all.items[i]->mark = EVENTS_MODULE_WANTED;
    return r;
}
