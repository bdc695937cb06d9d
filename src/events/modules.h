// The inside of FiloModules.
//
// Modules are kept in the order of registration, each in a block of its own that does not move. Names are
// EventsNames, so nothing of a description is pointed at but functions, user data, the texts of flags, and what is
// contributed.
//
// Whatever is called once for each module in a frame goes over `loaded`. Render hooks have an order of their own:
// `renders` has those of the loaded modules, sorted, and is made anew whenever a module comes or goes.

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
    const void *functions; // or the object, while it is set
    bool object;
} EventsProvide;

typedef struct EventsContribution {
    FiloName type;
    FiloModuleContribution desc; // its type is the text of the name
} EventsContribution;

typedef struct EventsAccept {
    FiloName type;
    FiloResult (*add)(FiloModules *modules, const FiloModuleContribution *contribution, void *user);
    void (*remove)(FiloModules *modules, const FiloModuleContribution *contribution, void *user);
} EventsAccept;

typedef struct EventsModule {
    FiloName name;
    FiloVersion version;
    FiloModuleDesc desc; // its functions, user and frame; its lists are not to be used
    EventsNeed *needs;   // these lists lie behind the module, in the same block
    EventsProvide *provides;
    FiloRenderHook *renders;
    FiloFlag *flags;
    EventsContribution *contributes;
    EventsAccept *accepts;
    size_t need_count, provide_count, render_count, flag_count, contribute_count, accept_count;
    size_t block_size;
    bool loaded;
    uint8_t mark; // for whoever goes over the modules
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
    FiloArray(EventsModule *) loaded;     // in the order of loading; has room for all
    FiloArray(EventsRenderEntry) renders; // of the loaded ones, in the order of drawing; has room for all
    FiloArray(EventsChoice) choices;
    FiloFrame frame;
    EventsModule *loading; // its load is running
    bool busy;             // a load or unload function is running, or one that accepts a contribution
    int calls;             // hooks of the frame that are running, one inside the other
};

EventsModule *events_modules_find(const FiloModules *modules, FiloName name);
// Who stands for an interface, and as what; NULL if nobody.
EventsModule *events_modules_standing_for(const FiloModules *modules, FiloName name,
                                          const EventsProvide **provide);
// Who fulfils a need; NULL if nobody who is new enough does.
EventsModule *events_modules_fulfils(const FiloModules *modules, const EventsNeed *need);

// ---- modules_copy.c ----

// False with a fault if something is missing in it.
FiloResult events_module_desc_check(const FiloModuleDesc *desc);
// A copy of the description, in one block; NULL without memory.
EventsModule *events_module_copy(FiloModules *modules, const FiloModuleDesc *desc);
void events_module_free(FiloModules *modules, EventsModule *module);

// ---- modules_frame.c ----

// Makes the list of render hooks anew. It has room for all.
void events_modules_sort_renders(FiloModules *modules);

// ---- modules_contribute.c ----

// Before a module is loaded: gives what it contributes to those that are loaded. On failure nothing of it is left.
FiloResult events_modules_give(FiloModules *modules, const EventsModule *module);
// Undoes that, when it is not loaded any more.
void events_modules_take_back(FiloModules *modules, const EventsModule *module);
// When a module has been loaded: gives it what those that are loaded contribute, itself among them.
FiloResult events_modules_receive(FiloModules *modules, const EventsModule *module);
// Undoes that, while it is still loaded.
void events_modules_give_back(FiloModules *modules, const EventsModule *module);

// ---- module_order.c ----

enum { EVENTS_MODULE_WANTED = 1 }; // a mark

// Marks as wanted what the wanted modules need, and what that needs.
FiloResult events_modules_mark_needs(FiloModules *modules);
// The first wanted module that is not loaded and whose needs are; NULL if there is none.
EventsModule *events_modules_next_ready(FiloModules *modules);
// Says whether the needs of the wanted modules go round in a circle.
FiloResult events_modules_check_circle(FiloModules *modules);

#endif
