// filo/modules.h: the registry of modules: what a program is put together from.
//
// Everything above the core is a module, Filo's own as well as a game's: it can be replaced, left out, or
// used elsewhere, and nothing about the built-in ones is special. A module says what it needs and what it
// provides; the registry finds the order, loads, and unloads.
//
//     typedef struct Clock { double (*now)(void); } Clock;          // an interface: a struct of functions
//     #define Clock_VERSION FILO_VERSION(1, 0, 0)
//
//     static const Clock functions = { now };
//     static const FiloModuleProvide provides[] = { FILO_PROVIDE(Clock, &functions) };
//     static const FiloModuleDesc wall_clock = {
//         .name = "wall clock", .version = FILO_VERSION(1, 2, 0),
//         .provides = provides, .provide_count = FILO_COUNT_OF(provides) };
//
//     static FiloResult load(FiloModules *modules, void *user) {    // of a module that needs the interface
//         const Clock *clock = FILO_INTERFACE(modules, Clock);
//         …
//
//     static const FiloModuleNeed needs[] = { FILO_NEED_INTERFACE(Clock) };
//     static const FiloModuleDesc game = { .name = "game", .version = FILO_VERSION(0, 1, 0), .load = load,
//                                          .needs = needs, .need_count = FILO_COUNT_OF(needs) };
//
//     FiloModules *modules;
//     FiloResult r = filo_modules_create(&modules, &(FiloModulesDesc){ .events = events });
//     r = filo_modules_register(modules, &game);                    // in any order
//     r = filo_modules_register(modules, &wall_clock);
//     r = filo_modules_load_all(modules);                           // wall clock, then game
//     …
//     filo_modules_destroy(modules);                                // game, then wall clock
//
// Modules that should not know of each other speak through events (filo/events.h).
//
// One thread at a time changes a registry; any thread may look interfaces up while nobody does.

#ifndef FILO_MODULES_H
#define FILO_MODULES_H

#include <filo/events.h>
#include <filo/memory.h>
#include <filo/strings.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

typedef struct FiloModules FiloModules;

// ---- Versions -----------------------------------------------------------------------------------------

// Ordered as numbers. 0 stands for "any" where something is needed.
typedef uint64_t FiloVersion;

#define FILO_VERSION(major, minor, patch)                                                                    \
    (((FiloVersion)(major) << 32) | ((FiloVersion)(minor) << 16) | (FiloVersion)(patch))
#define FILO_VERSION_MAJOR(version) ((unsigned)((version) >> 32))
#define FILO_VERSION_MINOR(version) ((unsigned)((version) >> 16 & 0xFFFF))
#define FILO_VERSION_PATCH(version) ((unsigned)((version)&0xFFFF))

// Whether a version will do for somebody who needs `minimum`: it is not lower, and has the same major number,
// because a new major version is one that breaks what was.
static inline bool filo_version_fits(FiloVersion version, FiloVersion minimum) {
    return minimum == 0 || (version >= minimum && FILO_VERSION_MAJOR(version) == FILO_VERSION_MAJOR(minimum));
}

// ---- Modules ------------------------------------------------------------------------------------------

// Something that must be loaded before the module: a module, or whoever provides an interface.
typedef struct FiloModuleNeed {
    const char *module; // one of these two
    const char *interface_name;
    FiloVersion version; // at least; of the interface, if that is what is needed
    bool optional;       // if it is not there, or not new enough, never mind
} FiloModuleNeed;

// An interface: a name, and a struct of functions that lives as long as the module is loaded.
typedef struct FiloModuleProvide {
    const char *interface_name;
    FiloVersion version;
    const void *functions;
} FiloModuleProvide;

typedef struct FiloModuleDesc {
    const char *name;
    FiloVersion version;
    const FiloModuleNeed *needs;
    size_t need_count;
    const FiloModuleProvide *provides;
    size_t provide_count;
    // Both may be NULL. They may look interfaces up, and use events; they must not change the registry. What
    // is needed is loaded when they are called. A load that fails leaves nothing behind; unload is then not
    // called. After an unload the module counts as unloaded, even if it reports a failure.
    FiloResult (*load)(FiloModules *modules, void *user);
    FiloResult (*unload)(FiloModules *modules, void *user);
    void *user;
} FiloModuleDesc;

// An interface that is named after its C type, with a version beside it: #define Clock_VERSION …
#define FILO_PROVIDE(Type, functions_)                                                                       \
    { #Type, Type##_VERSION, (1 ? (functions_) : (const Type *)NULL) /* the compiler compares the types */ }
#define FILO_NEED_INTERFACE(Type)                                                                            \
    { NULL, #Type, Type##_VERSION, false }
#define FILO_NEED_MODULE(name, version)                                                                      \
    { (name), NULL, (version), false }

// ---- The registry -------------------------------------------------------------------------------------

typedef struct FiloModulesDesc {
    FiloEvents *events;             // for modules to speak through; may be NULL
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloModulesDesc;

// `desc` may be NULL.
FiloResult filo_modules_create(FiloModules **modules, const FiloModulesDesc *desc);
// Unloads everything first; failures to unload are logged. NULL is allowed.
void filo_modules_destroy(FiloModules *modules);

// What was given to filo_modules_create.
FiloEvents *filo_modules_events(const FiloModules *modules);

// Adds a module, which is copied: only `user` and the functions must stay. FILO_ERROR_EXISTS if there is one
// with this name.
FiloResult filo_modules_register(FiloModules *modules, const FiloModuleDesc *desc);
// Takes one out that is not loaded (FILO_ERROR_BUSY if it is).
FiloResult filo_modules_unregister(FiloModules *modules, const char *module);

// Several modules may provide the same interface: one of them stands for it, the first that was registered,
// or the one that is chosen here. FILO_ERROR_BUSY while a module that needs the interface is loaded: unload
// the old provider first. `module` NULL takes the choice back.
FiloResult filo_modules_choose(FiloModules *modules, const char *interface_name, const char *module);

// ---- Loading ------------------------------------------------------------------------------------------

// The order is that of need; among those that are ready, that of registration. Before anything is loaded, it
// is made sure that everything needed is there, new enough, and not needed in a circle: the error says in one
// sentence who needs what. If a load fails, all that the same call had loaded is unloaded again, in reverse,
// and the error has the reason.

// Loads all modules. One that provides interfaces, but was chosen for none of them, stands by: it is loaded
// only if another module needs it by its name.
FiloResult filo_modules_load_all(FiloModules *modules);
// Loads one module, and before it what it needs. Nothing happens if it is loaded.
FiloResult filo_modules_load(FiloModules *modules, const char *module);

// Unloading is in the exact reverse of the order of loading. Failures do not stop it; the first is returned.

FiloResult filo_modules_unload_all(FiloModules *modules);
// Unloads one module, and before it those that need it. Nothing happens if it is not loaded.
FiloResult filo_modules_unload(FiloModules *modules, const char *module);
// Unloads one and those that need it, and loads all these again.
FiloResult filo_modules_reload(FiloModules *modules, const char *module);

// ---- Looking ------------------------------------------------------------------------------------------

// The functions of an interface; NULL if nobody who is loaded stands for it, or the version does not fit.
// Good until that module is unloaded. Any thread, while nobody changes the registry.
const void *filo_modules_interface(const FiloModules *modules, const char *interface_name,
                                   FiloVersion version);
// The same, typed.
#define FILO_INTERFACE(modules, Type) ((const Type *)filo_modules_interface((modules), #Type, Type##_VERSION))

// Who stands for an interface, loaded or not; NULL if nobody provides it.
const char *filo_modules_provider(const FiloModules *modules, const char *interface_name);

bool filo_modules_loaded(const FiloModules *modules, const char *module);

typedef struct FiloModuleInfo {
    const char *name;
    FiloVersion version;
    bool loaded;
} FiloModuleInfo;

// The modules in the order of registration: index from 0 to filo_modules_count − 1.
size_t filo_modules_count(const FiloModules *modules);
FiloModuleInfo filo_modules_at(const FiloModules *modules, size_t index);
// Those that are loaded, in the order of loading. NULL past the end.
const char *filo_modules_loaded_at(const FiloModules *modules, size_t index);

FILO_END_DECLS

#endif
