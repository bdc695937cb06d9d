// The private structure of FiloModules.
//
// Each registered module is one block of memory that does not move. Descriptions are copied and their names are
// FiloNames. The copy still points to functions, user data, the variables and texts of flags, and contributed items.
//
// Hooks of the frame are called in the order of `loaded`. Render hooks have an order of their own: `renders` has
// those of the loaded modules, sorted, and is rebuilt whenever a module is loaded or unloaded.

#ifndef FILO_EVENTS_MODULES_H
#define FILO_EVENTS_MODULES_H

#include <filo/containers.h>
#include <filo/modules.h>

typedef struct EventsNeed {
    FiloName name;
    FiloVersion version;
    bool is_interface, optional;
} EventsNeed;

typedef struct EventsProvide {
    FiloName name;
    FiloVersion version;
    const void *functions; // or the object; NULL while it is not set
    bool object;
} EventsProvide;

typedef struct EventsContribution {
    FiloName type;
    FiloModuleContribution desc; // `desc.type` is the text of the name
} EventsContribution;

typedef struct EventsAccept {
    FiloName type;
    FiloResult (*add)(FiloModules *modules, const FiloModuleContribution *contribution, void *user);
    void (*remove)(FiloModules *modules, const FiloModuleContribution *contribution, void *user);
} EventsAccept;

typedef struct EventsModule {
    FiloName name;
    FiloVersion version;
    FiloModuleDesc desc; // only functions, user, backend and frame; its lists are those of the caller
    EventsNeed *needs;   // the lists follow the module in the same block
    EventsProvide *provides;
    FiloRenderHook *renders;
    FiloFlag *flags;
    EventsContribution *contributes;
    EventsAccept *accepts;
    size_t need_count, provide_count, render_count, flag_count, contribute_count, accept_count;
    size_t block_size;
    bool loaded;
    uint8_t mark; // of the current operation: EVENTS_MODULE_WANTED, or of modules_order.c
} EventsModule;

typedef struct EventsChoice {
    FiloName interface_name, module;
} EventsChoice;

typedef struct EventsRenderEntry {
    const EventsModule *module;
    const FiloRenderHook *hook;
} EventsRenderEntry;

struct FiloModules {
    FiloEvents *events;
    const FiloAllocator *allocator;
    FiloArray(EventsModule *) all;        // in the order of registration
    FiloArray(EventsModule *) loaded;     // in the order of loading; capacity for all modules
    FiloArray(EventsRenderEntry) renders; // of loaded modules, in the order of drawing; capacity for all
    FiloArray(EventsChoice) choices;
    FiloFrame frame;
    EventsModule *loading; // its `load` is running
    bool busy;             // a function `load`, `unload`, `add` or `remove` is running
    int hook_depth;        // nesting depth of the hooks that are running
};

EventsModule *events_modules_find(const FiloModules *modules, FiloName name);
// The provider of an interface: the chosen module, or else the first registered one; NULL if there is none.
EventsModule *events_modules_provider(const FiloModules *modules, FiloName name,
                                      const EventsProvide **provide);
// The module that satisfies a dependency; NULL if there is none with a fitting version.
EventsModule *events_modules_resolve(const FiloModules *modules, const EventsNeed *need);

// ---- modules_copy.c ----

// Reports a mistake if something is missing in it.
FiloResult events_module_desc_check(const FiloModuleDesc *desc);
// A copy of the description, in one block; NULL without memory.
EventsModule *events_module_copy(FiloModules *modules, const FiloModuleDesc *desc);
void events_module_free(FiloModules *modules, EventsModule *module);

// ---- modules_frame.c ----

// Rebuilds `renders`.
void events_modules_sort_renders(FiloModules *modules);

// ---- modules_contribute.c ----

// Contributions between a module and the loaded modules: those that the module offers to the others (`from_module`), or
// those that it accepts from the others and itself. If one is not accepted, the ones added before are removed again.
FiloResult events_contributions_add(FiloModules *modules, const EventsModule *module, bool from_module);
void events_contributions_remove(FiloModules *modules, const EventsModule *module, bool from_module);

// ---- modules_order.c ----

enum { EVENTS_MODULE_WANTED = 1 }; // a mark

// Marks the dependencies of the wanted modules as wanted, recursively.
FiloResult events_modules_mark_needs(FiloModules *modules);
// The first wanted module that is not loaded and whose dependencies are; NULL if there is none.
EventsModule *events_modules_next_ready(FiloModules *modules);
// Fails if the dependencies of the wanted modules have a cycle.
FiloResult events_modules_check_cycles(FiloModules *modules);

#endif
