// The registry of modules: registering, choosing, loading, unloading, looking up.

#include <filo/check.h>
#include <filo/log.h>

#include "events/modules.h"

#include <string.h>

// ---- Finding ------------------------------------------------------------------------------------------

EventsModule *events_modules_find(const FiloModules *modules, FiloName name) {
    for (size_t i = 0; i < modules->all.count; i++)
        if (modules->all.items[i]->name.id == name.id) return modules->all.items[i];
    return NULL;
}

static const EventsProvide *find_provide(const EventsModule *module, FiloName name) {
    for (size_t i = 0; i < module->provide_count; i++)
        if (module->provides[i].name.id == name.id) return &module->provides[i];
    return NULL;
}

static EventsChoice *find_choice(const FiloModules *modules, FiloName interface_name) {
    for (size_t i = 0; i < modules->choices.count; i++)
        if (modules->choices.items[i].interface_name.id == interface_name.id)
            return &modules->choices.items[i];
    return NULL;
}

EventsModule *events_modules_provider(const FiloModules *modules, FiloName name,
                                      const EventsProvide **provide) {
    const EventsChoice *choice = find_choice(modules, name);
    for (size_t i = 0; i < modules->all.count; i++) {
        EventsModule *module = modules->all.items[i];
        if (choice != NULL && choice->module.id != module->name.id) continue;
        *provide = find_provide(module, name);
        if (*provide != NULL) return module;
    }
    return NULL;
}

EventsModule *events_modules_resolve(const FiloModules *modules, const EventsNeed *need) {
    const EventsProvide *provide = NULL;
    EventsModule *module = need->is_interface ? events_modules_provider(modules, need->name, &provide)
                                              : events_modules_find(modules, need->name);
    if (module == NULL) return NULL;
    FiloVersion version = need->is_interface ? provide->version : module->version;
    return filo_version_fits(version, need->version) ? module : NULL;
}

static bool is_busy(const FiloModules *modules) { return modules->busy || modules->hook_depth > 0; }

static FiloResult changed_while_busy(const FiloModules *modules) {
    if (modules->hook_depth > 0)
        return FILO_MISTAKE("a hook of the frame is running: change the registry between frames, or in the "
                            "game's `frame`");
    return FILO_MISTAKE("a module is being loaded or unloaded: its function may look interfaces "
                        "up, not change the registry");
}

static FiloResult not_registered(const char *name) {
    return filo_error(FILO_ERROR_NOT_FOUND, "module \"%s\" is not registered", name);
}

static EventsModule *find_by_text(const FiloModules *modules, const char *name) {
    FiloName id = filo_name_find(filo_string(name));
    return id.id != 0 ? events_modules_find(modules, id) : NULL;
}

// ---- Creating and destroying --------------------------------------------------------------------------

FiloResult filo_modules_create(FiloModules **result, const FiloModulesDesc *desc) {
    if (result == NULL) return FILO_MISTAKE("pass where to put the modules");
    static const FiloModulesDesc defaults = { 0 };
    if (desc == NULL) desc = &defaults;
    FiloModules *modules = filo_alloc_zero(desc->allocator, sizeof *modules, _Alignof(FiloModules));
    *result = modules;
    if (modules == NULL) return filo_error(FILO_ERROR_MEMORY, "modules: no memory");
    modules->events = desc->events;
    modules->allocator = desc->allocator;
    filo_array_init(&modules->all, desc->allocator);
    filo_array_init(&modules->loaded, desc->allocator);
    filo_array_init(&modules->renders, desc->allocator);
    filo_array_init(&modules->choices, desc->allocator);
    modules->frame.modules = modules;
    modules->frame.headless = true;
    return filo_ok();
}

void filo_modules_destroy(FiloModules *modules) {
    if (modules == NULL) return;
    if (is_busy(modules)) {
        (void)changed_while_busy(modules);
        return;
    }
    filo_modules_unload_all(modules);
    for (size_t i = 0; i < modules->all.count; i++) events_module_free(modules, modules->all.items[i]);
    filo_array_deinit(&modules->all);
    filo_array_deinit(&modules->loaded);
    filo_array_deinit(&modules->renders);
    filo_array_deinit(&modules->choices);
    filo_free(modules->allocator, modules, sizeof *modules, _Alignof(FiloModules));
}

FiloEvents *filo_modules_events(const FiloModules *modules) {
    return FILO_CHECK(modules != NULL, "pass modules") ? modules->events : NULL;
}

void filo_modules_set_events(FiloModules *modules, FiloEvents *events) {
    if (!FILO_CHECK(modules != NULL, "pass modules")) return;
    if (is_busy(modules))
        (void)changed_while_busy(modules);
    else if (FILO_CHECK(modules->loaded.count == 0, "set the events before the first module is loaded"))
        modules->events = events;
}

FiloFrame *filo_modules_frame(FiloModules *modules) {
    return FILO_CHECK(modules != NULL, "pass modules") ? &modules->frame : NULL;
}

// ---- Registering --------------------------------------------------------------------------------------

// The module that has a flag of this name or letter; NULL if there is none.
static const EventsModule *owner_of_flag(const FiloModules *modules, const FiloFlag *flag) {
    for (size_t i = 0; i < modules->all.count; i++) {
        const EventsModule *module = modules->all.items[i];
        for (size_t f = 0; f < module->flag_count; f++) {
            const FiloFlag *other = &module->flags[f];
            if (strcmp(other->name, flag->name) == 0 || (flag->letter != 0 && other->letter == flag->letter))
                return module;
        }
    }
    return NULL;
}

static FiloResult check_unique(const FiloModules *modules, const FiloModuleDesc *desc) {
    if (find_by_text(modules, desc->name) != NULL)
        return filo_error(FILO_ERROR_EXISTS, "module \"%s\" is registered already", desc->name);
    for (size_t i = 0; i < desc->flag_count; i++) {
        const EventsModule *owner = owner_of_flag(modules, &desc->flags[i]);
        if (owner != NULL)
            return filo_error(FILO_ERROR_EXISTS,
                              "module \"%s\": the flag --%s, or its letter, belongs to module \"%s\" already",
                              desc->name, desc->flags[i].name, filo_name_text(owner->name));
    }
    return filo_ok();
}

FiloResult filo_modules_register(FiloModules *modules, const FiloModuleDesc *desc) {
    if (modules == NULL) return FILO_MISTAKE("pass modules");
    if (is_busy(modules)) return changed_while_busy(modules);
    FiloResult result = events_module_desc_check(desc);
    if (result.code == FILO_OK) result = check_unique(modules, desc);
    if (result.code != FILO_OK) return result;
    EventsModule *module = events_module_copy(modules, desc);
    // The lists of loaded modules and their hooks get enough capacity here, so that loading cannot run out of memory.
    size_t renders = desc->render_count;
    for (size_t i = 0; i < modules->all.count; i++) renders += modules->all.items[i]->render_count;
    bool reserved = module != NULL && filo_array_reserve(&modules->loaded, modules->all.count + 1) &&
                    filo_array_reserve(&modules->renders, renders);
    if (reserved && filo_array_push(&modules->all, module)) return filo_ok();
    if (module != NULL) events_module_free(modules, module);
    return filo_error(FILO_ERROR_MEMORY, "module \"%s\": no memory", desc->name);
}

FiloResult filo_modules_unregister(FiloModules *modules, const char *name) {
    if (modules == NULL) return FILO_MISTAKE("pass modules");
    if (is_busy(modules)) return changed_while_busy(modules);
    for (size_t i = 0; i < modules->all.count; i++) {
        EventsModule *module = modules->all.items[i];
        if (strcmp(filo_name_text(module->name), name) != 0) continue;
        if (module->loaded)
            return filo_error(FILO_ERROR_BUSY, "module \"%s\" is loaded: unload it first", name);
        filo_array_remove(&modules->all, i);
        for (size_t c = modules->choices.count; c-- > 0;) // choices of this module end
            if (modules->choices.items[c].module.id == module->name.id)
                filo_array_remove(&modules->choices, c);
        events_module_free(modules, module);
        return filo_ok();
    }
    return not_registered(name);
}

// A loaded module that requires the interface; NULL if there is none.
static const EventsModule *find_dependant(const FiloModules *modules, FiloName interface_name) {
    for (size_t i = 0; i < modules->loaded.count; i++) {
        const EventsModule *module = modules->loaded.items[i];
        for (size_t n = 0; n < module->need_count; n++)
            if (module->needs[n].is_interface && module->needs[n].name.id == interface_name.id) return module;
    }
    return NULL;
}

FiloResult filo_modules_choose(FiloModules *modules, const char *interface_name, const char *name) {
    if (modules == NULL) return FILO_MISTAKE("pass modules");
    if (is_busy(modules)) return changed_while_busy(modules);
    FiloName id = filo_name(interface_name);
    const EventsModule *module = name != NULL ? find_by_text(modules, name) : NULL;
    if (name != NULL && module == NULL) return not_registered(name);
    if (module != NULL && find_provide(module, id) == NULL)
        return filo_error(FILO_ERROR_KIND, "module \"%s\" does not provide the interface \"%s\"", name,
                          interface_name);
    const EventsModule *dependant = find_dependant(modules, id);
    if (dependant != NULL)
        return filo_error(FILO_ERROR_BUSY, "the interface \"%s\" is in use by module \"%s\": unload it first",
                          interface_name, filo_name_text(dependant->name));
    EventsChoice *choice = find_choice(modules, id);
    if (module == NULL) {
        if (choice != NULL) filo_array_remove(&modules->choices, (size_t)(choice - modules->choices.items));
    } else if (choice != NULL) {
        choice->module = module->name;
    } else if (!filo_array_push(&modules->choices, (EventsChoice){ id, module->name })) {
        return filo_error(FILO_ERROR_MEMORY, "modules: no memory for a choice");
    }
    return filo_ok();
}

// ---- Loading and unloading ----------------------------------------------------------------------------

static void clear_marks(FiloModules *modules) {
    for (size_t i = 0; i < modules->all.count; i++) modules->all.items[i]->mark = 0;
}

static void clear_objects(EventsModule *module) {
    for (size_t i = 0; i < module->provide_count; i++)
        if (module->provides[i].object) module->provides[i].functions = NULL;
}

// Unloads a module whose accepted contributions have been removed.
static FiloResult unload_module(FiloModules *modules, size_t index) {
    EventsModule *module = modules->loaded.items[index];
    filo_array_remove(&modules->loaded, index);
    module->loaded = false;
    events_modules_sort_renders(modules);
    FiloResult r = filo_ok();
    modules->busy = true;
    if (module->desc.unload != NULL) r = module->desc.unload(modules, module->desc.user);
    modules->busy = false;
    clear_objects(module);
    events_contributions_remove(modules, module, true);
    if (r.code == FILO_OK) return r;
    FiloResult error =
        filo_error(r.code, "module \"%s\" failed to unload: %s", filo_name_text(module->name), r.message);
    filo_log_warn("modules", "%s", error.message);
    return error;
}

static FiloResult unload_at(FiloModules *modules, size_t index) {
    events_contributions_remove(modules, modules->loaded.items[index], false);
    return unload_module(modules, index);
}

static FiloResult call_load(FiloModules *modules, EventsModule *module) {
    FiloResult r = filo_ok();
    modules->busy = true;
    modules->loading = module;
    if (module->desc.load != NULL) r = module->desc.load(modules, module->desc.user);
    modules->loading = NULL;
    modules->busy = false;
    if (r.code != FILO_OK) {
        clear_objects(module);
        events_contributions_remove(modules, module, true);
    }
    return r;
}

static FiloResult load_one(FiloModules *modules, EventsModule *module) {
    FiloResult r = events_contributions_add(modules, module, true);
    if (r.code == FILO_OK) r = call_load(modules, module);
    if (r.code == FILO_OK) {
        module->loaded = true;
        // The capacity was reserved by filo_modules_register.
        modules->loaded.items[modules->loaded.count++] = module;
        events_modules_sort_renders(modules);
        r = events_contributions_add(modules, module, false);
        if (r.code != FILO_OK) (void)unload_module(modules, modules->loaded.count - 1);
    }
    if (r.code == FILO_OK) return r;
    return filo_error(r.code, "module \"%s\" failed to load: %s", filo_name_text(module->name), r.message);
}

// Loads the marked modules and their dependencies.
static FiloResult load_wanted(FiloModules *modules) {
    FiloResult r = events_modules_mark_needs(modules);
    if (r.code == FILO_OK) r = events_modules_check_cycles(modules);
    size_t before = modules->loaded.count;
    EventsModule *module;
    while (r.code == FILO_OK && (module = events_modules_next_ready(modules)) != NULL)
        r = load_one(modules, module);
    while (r.code != FILO_OK && modules->loaded.count > before) unload_at(modules, modules->loaded.count - 1);
    return r;
}

// It provides interfaces, but another module is the provider of each.
static bool is_unused_provider(const FiloModules *modules, const EventsModule *module) {
    const EventsProvide *provide;
    for (size_t i = 0; i < module->provide_count; i++)
        if (events_modules_provider(modules, module->provides[i].name, &provide) == module) return false;
    return module->provide_count > 0;
}

static FiloResult load_all(FiloModules *modules, bool with_backend) {
    if (modules == NULL) return FILO_MISTAKE("pass modules");
    if (is_busy(modules)) return changed_while_busy(modules);
    for (size_t i = 0; i < modules->all.count; i++) {
        EventsModule *module = modules->all.items[i];
        bool wanted = (with_backend || !module->desc.backend) && !is_unused_provider(modules, module);
        module->mark = wanted ? EVENTS_MODULE_WANTED : 0;
    }
    return load_wanted(modules);
}

FiloResult filo_modules_load_all(FiloModules *modules) { return load_all(modules, true); }

FiloResult filo_modules_load_core(FiloModules *modules) { return load_all(modules, false); }

FiloResult filo_modules_load(FiloModules *modules, const char *name) {
    if (modules == NULL) return FILO_MISTAKE("pass modules");
    if (is_busy(modules)) return changed_while_busy(modules);
    EventsModule *module = find_by_text(modules, name);
    if (module == NULL) return not_registered(name);
    if (module->loaded) return filo_ok();
    clear_marks(modules);
    module->mark = EVENTS_MODULE_WANTED;
    return load_wanted(modules);
}

FiloResult filo_modules_unload_all(FiloModules *modules) {
    if (modules == NULL) return FILO_MISTAKE("pass modules");
    if (is_busy(modules)) return changed_while_busy(modules);
    FiloResult result = filo_ok();
    while (modules->loaded.count > 0) {
        FiloResult r = unload_at(modules, modules->loaded.count - 1);
        if (result.code == FILO_OK) result = r;
    }
    return result;
}

// Whether it depends on a module that is marked.
static bool needs_marked(const FiloModules *modules, const EventsModule *module) {
    for (size_t n = 0; n < module->need_count; n++) {
        const EventsModule *other = events_modules_resolve(modules, &module->needs[n]);
        if (other != NULL && other->mark == EVENTS_MODULE_WANTED) return true;
    }
    return false;
}

// Unloads a module and its dependants. All of them stay marked.
static FiloResult unload_with_dependants(FiloModules *modules, EventsModule *module) {
    clear_marks(modules);
    module->mark = EVENTS_MODULE_WANTED;
    // Its dependants were loaded after it. A module that was loaded before it has at most an optional dependency on it.
    size_t first = 0;
    while (modules->loaded.items[first] != module) first++;
    for (size_t i = first + 1; i < modules->loaded.count; i++)
        if (needs_marked(modules, modules->loaded.items[i]))
            modules->loaded.items[i]->mark = EVENTS_MODULE_WANTED;
    FiloResult result = filo_ok();
    for (size_t i = modules->loaded.count; i-- > first;) {
        if (modules->loaded.items[i]->mark != EVENTS_MODULE_WANTED) continue;
        FiloResult r = unload_at(modules, i);
        if (result.code == FILO_OK) result = r;
    }
    return result;
}

FiloResult filo_modules_unload(FiloModules *modules, const char *name) {
    if (modules == NULL) return FILO_MISTAKE("pass modules");
    if (is_busy(modules)) return changed_while_busy(modules);
    EventsModule *module = find_by_text(modules, name);
    if (module == NULL) return not_registered(name);
    return module->loaded ? unload_with_dependants(modules, module) : filo_ok();
}

FiloResult filo_modules_reload(FiloModules *modules, const char *name) {
    if (modules == NULL) return FILO_MISTAKE("pass modules");
    if (is_busy(modules)) return changed_while_busy(modules);
    EventsModule *module = find_by_text(modules, name);
    if (module == NULL) return not_registered(name);
    if (!module->loaded) return filo_modules_load(modules, name);
    FiloResult unloaded = unload_with_dependants(modules, module);
    FiloResult loaded = load_wanted(modules);
    return loaded.code != FILO_OK ? loaded : unloaded;
}

// ---- Looking up ---------------------------------------------------------------------------------------

const void *filo_modules_interface(const FiloModules *modules, const char *interface_name,
                                   FiloVersion version) {
    FiloName id = filo_name_find(filo_string(interface_name));
    const EventsProvide *provide = NULL;
    const EventsModule *module = id.id != 0 ? events_modules_provider(modules, id, &provide) : NULL;
    if (module == NULL || !module->loaded || !filo_version_fits(provide->version, version)) return NULL;
    return provide->functions;
}

void *filo_modules_object(const FiloModules *modules, const char *name) {
    return (void *)(uintptr_t)filo_modules_interface(modules, name, 0);
}

void filo_modules_set_object(FiloModules *modules, const char *name, void *object) {
    if (!FILO_CHECK(modules != NULL, "pass modules")) return;
    EventsModule *module = modules->loading;
    if (!FILO_CHECK(module != NULL, "set the object \"%s\" in the load of the module that provides it", name))
        return;
    FiloName id = filo_name_find(filo_string(name));
    for (size_t i = 0; i < module->provide_count; i++) {
        EventsProvide *provide = &module->provides[i];
        if (id.id == 0 || provide->name.id != id.id || !provide->object) continue;
        provide->functions = object;
        return;
    }
    (void)FILO_CHECK(false, "module \"%s\" does not provide the object \"%s\": say so in its description",
                     filo_name_text(module->name), name);
}

const char *filo_modules_provider(const FiloModules *modules, const char *interface_name) {
    FiloName id = filo_name_find(filo_string(interface_name));
    const EventsProvide *provide;
    const EventsModule *module = id.id != 0 ? events_modules_provider(modules, id, &provide) : NULL;
    return module != NULL ? filo_name_text(module->name) : NULL;
}

bool filo_modules_loaded(const FiloModules *modules, const char *name) {
    const EventsModule *module = find_by_text(modules, name);
    return module != NULL && module->loaded;
}

size_t filo_modules_count(const FiloModules *modules) {
    return FILO_CHECK(modules != NULL, "pass modules") ? modules->all.count : 0;
}

FiloModuleInfo filo_modules_at(const FiloModules *modules, size_t index) {
    if (!FILO_CHECK(modules != NULL, "pass modules")) return (FiloModuleInfo){ 0 };
    if (!FILO_CHECK(index < modules->all.count, "there are %zu modules, and no number %zu",
                    modules->all.count, index))
        return (FiloModuleInfo){ .name = "" };
    const EventsModule *module = modules->all.items[index];
    return (FiloModuleInfo){ filo_name_text(module->name), module->version, module->loaded };
}

const char *filo_modules_loaded_at(const FiloModules *modules, size_t index) {
    if (!FILO_CHECK(modules != NULL, "pass modules")) return NULL;
    return index < modules->loaded.count ? filo_name_text(modules->loaded.items[index]->name) : NULL;
}
