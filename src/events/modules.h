// The inside of FiloModules.
//
// Modules are kept in the order of registration, each in a block of its own that does not move. Names are
// FiloNames, so nothing of a description is pointed at but functions and user data.

#ifndef FILO_EVENTS_MODULES_H
#define FILO_EVENTS_MODULES_H

#include <filo/containers.h>
#include <filo/modules.h>

typedef struct FiloNeed {
    FiloName name;
    FiloVersion version;
    bool is_interface, optional;
} FiloNeed;

typedef struct FiloProvide {
    FiloName name;
    FiloVersion version;
    const void *functions;
} FiloProvide;

typedef struct FiloModule {
    FiloName name;
    FiloVersion version;
    FiloResult (*load)(FiloModules *modules, void *user);
    FiloResult (*unload)(FiloModules *modules, void *user);
    void *user;
    FiloNeed *needs; // behind the module, in the same block
    FiloProvide *provides;
    size_t need_count, provide_count;
    size_t block_size;
    bool loaded;
    uint8_t mark; // for whoever goes over the modules
} FiloModule;

typedef struct FiloChoice {
    FiloName interface_name, module;
} FiloChoice;

struct FiloModules {
    FiloEvents *events;
    const FiloAllocator *allocator;
    FiloArray(FiloModule *) all;    // in the order of registration
    FiloArray(FiloModule *) loaded; // in the order of loading; has room for all
    FiloArray(FiloChoice) choices;
    bool busy; // a load or unload function is running
};

FiloModule *filo_modules_find(const FiloModules *modules, FiloName name);
// Who stands for an interface, and as what; NULL if nobody.
FiloModule *filo_modules_standing_for(const FiloModules *modules, FiloName name, const FiloProvide **provide);
// Who fulfils a need; NULL if nobody who is new enough does.
FiloModule *filo_modules_fulfils(const FiloModules *modules, const FiloNeed *need);

// ---- module_order.c ----

enum { FILO_MODULE_WANTED = 1 }; // a mark

// Marks as wanted what the wanted modules need, and what that needs.
FiloResult filo_modules_mark_needs(FiloModules *modules);
// The first wanted module that is not loaded and whose needs are; NULL if there is none.
FiloModule *filo_modules_next_ready(FiloModules *modules);
// Says whether the needs of the wanted modules go round in a circle.
FiloResult filo_modules_check_circle(FiloModules *modules);

#endif
