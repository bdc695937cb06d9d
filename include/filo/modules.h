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
// A module also says how it takes part in a program that has a frame: functions that are called in parts of the
// frame, flags of the command line, numbers for statistics, lines for the debug view, and what it contributes
// to other modules. The program that runs the frame (filo/app.h) goes through what is registered and knows no
// module by its name.
//
//     static FiloResult load(FiloModules *modules, void *user) {    // components and systems, as a game has them
//         FiloWorld *world = FILO_OBJECT(modules, FiloWorld);       // from the module that has one
//         …
//     static FiloResult draw(FiloFrame *frame, void *user) {
//         FiloDraw *draw = FILO_OBJECT(frame->modules, FiloDraw);
//         …
//     static void describe(FiloLines *lines, void *user) { filo_lines_add(lines, "%zu drops", drops); }
//
//     static const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloWorld), FILO_NEED_OBJECT(FiloDraw) };
//     static const FiloRenderHook renders[] = { { .order = FILO_RENDER_DRAW, .render = draw } };
//     static const FiloFlag flags[] = { { "rain", "how many drops", .integer = &wanted } };
//     static const FiloModuleContribution contributes[] = { FILO_CONTRIBUTE(FiloAssetType, weather_types) };
//     static const FiloModuleDesc weather = { .name = "weather", .load = load, .backend = true, .debug = describe,
//         .needs = needs, .need_count = FILO_COUNT_OF(needs), .renders = renders, .render_count = 1,
//         .flags = flags, .flag_count = 1, .contributes = contributes, .contribute_count = 1 };
//
//     int main(int argc, char **argv) {
//         return filo_run(argc, argv, &(FiloAppDesc){ .name = "game", .modules = &weather, .module_count = 1 });
//     }
//
// One thread at a time changes a registry; any thread may look interfaces up while it does not change.

#ifndef FILO_MODULES_H
#define FILO_MODULES_H

#include <filo/args.h>
#include <filo/events.h>
#include <filo/memory.h>
#include <filo/pixels.h>
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

// ---- Needs and interfaces -------------------------------------------------------------------------------

// Something that must be loaded before the module: a module, or the one that provides an interface.
typedef struct FiloModuleNeed {
    const char *module; // one of these two
    const char *interface_name;
    FiloVersion version; // at least; of the interface, if that is what is needed
    bool optional;       // if it is not there, or not new enough, the module is loaded without it
} FiloModuleNeed;

// What a module provides under a name: a struct of functions that lives as long as the module is loaded, or an
// object that its `load` makes.
typedef struct FiloModuleProvide {
    const char *interface_name;
    FiloVersion version;
    const void *functions; // NULL for an object
    bool object;           // `load` sets it: FILO_SET_OBJECT
} FiloModuleProvide;

// An interface that is named after its C type, with a version beside it: #define Clock_VERSION … The compiler
// compares the types.
#define FILO_PROVIDE(Type, functions_)                                                                       \
    { #Type, Type##_VERSION, (1 ? (functions_) : (const Type *)NULL), false }
#define FILO_NEED_INTERFACE(Type)                                                                            \
    { NULL, #Type, Type##_VERSION, false }
#define FILO_NEED_MODULE(name, version)                                                                      \
    { (name), NULL, (version), false }
// An object that is named after its C type (FiloWorld, FiloAssets). It has no version.
#define FILO_PROVIDE_OBJECT(Type)                                                                            \
    { #Type, 0, NULL, true }
#define FILO_NEED_OBJECT(Type)                                                                               \
    { NULL, #Type, 0, false }
#define FILO_WISH_OBJECT(Type) /* an optional need: loaded before, if it is there at all */                  \
    { NULL, #Type, 0, true }

// ---- Taking part in the frame ---------------------------------------------------------------------------

// What a frame is, for the functions below. The app and the module that has the screen fill it in; the others
// read it.
typedef struct FiloFrame {
    FiloModules *modules;    // to find objects in: FILO_OBJECT(frame->modules, FiloWorld)
    uint64_t number;         // counted from 0
    int64_t start_ns;        // when it began, of filo_time_ns
    double tick_seconds;     // how long a tick lasts
    double tick_ms, draw_ms; // how long the last tick and the last rendering took
    bool paused;             // ticks wait
    bool debug_view;         // is to be shown, from the next frame on; any module may switch it

    // Of the module that has the screen, when it is loaded and in each `poll`:
    bool headless;     // no window, and time does not pass by the clock; without such a module it is so too
    bool hidden;       // nothing is seen of the window: frames are not drawn
    int width, height; // of the picture, in pixels; 0: there is none, and nothing is extracted and rendered
    // A window that the player makes larger than 16384 a side, or 8192 × 8192 pixels in all, has a smaller picture, which
    // is stretched to it. With GL, where the limits of the device count too, it has none.

    // Of the moment that is seen, from `extract` on:
    float blend; // 0: as at the tick before, 1: as at the last one
    double time; // seconds of game time
    bool shot;   // it is drawn for a picture (--shot) and not shown

    // While it is rendered:
    FiloPixels picture; // where the CPU draws; without data where a device does
    bool cleared;       // something fills the picture already: see FiloRenderHook

    bool waited; // set by `wait`
} FiloFrame;

typedef FiloResult (*FiloFrameFunction)(FiloFrame *frame, void *user);

struct FiloInputChange; // filo/input.h

// Functions of a module that are called in each frame, all on the main thread, in this order; each may be NULL.
// Those of one part are called in the order in which the modules were loaded. A failure does not keep the
// others from being called; it ends the game after the frame, and the message names the module.
//
// Where the next tick may be running on the workers, the world must be left alone.
typedef struct FiloFrameHooks {
    // Brings input from outside (filo_app_collect) and looks at the size of the window. A tick may be running.
    FiloFrameFunction poll;
    // Sees each change of input before the game does, when it is collected; true keeps it from the game and
    // from modules that were loaded before: the last one is asked first. Recordings have what is left. A tick
    // may be running.
    bool (*input)(FiloFrame *frame, const struct FiloInputChange *change, void *user);
    // Between ticks, before those of this frame; also while paused. Not recorded: what it changes in the world
    // must not depend on anything but the world.
    FiloFrameFunction before_ticks;
    // Between ticks, in frames that are drawn: copies what `renders` need out of the world.
    FiloFrameFunction extract;
    // Draws what has been collected so far (filo_draw_…): before each FiloRenderHook that is `direct`, and
    // after the last. A tick may be running, here and in all that follows.
    FiloFrameFunction flush;
    // After rendering: shows the picture.
    FiloFrameFunction present;
    // Last, also in frames that are not drawn.
    FiloFrameFunction end;

    // Apart from frames:
    //
    // Between ticks, before the game's `create` and when a picture is taken: waits for what was asked for and
    // is not there yet. Sets frame->waited if something has come: a picture is then drawn again.
    FiloFrameFunction wait;
    // Writes the picture, as it was rendered, to a file (PNG). One module does: the first that was loaded.
    FiloResult (*shot)(FiloFrame *frame, const char *path, void *user);
    // Once, after the last frame, between ticks: writes what was asked for at the end. A failure is that of the
    // game.
    FiloFrameFunction finish;
} FiloFrameHooks;

// A part of the picture. Lower orders are drawn first; among equals the order of registration of the modules
// holds, and in one module that of its list. A tick may be running.
//
// The first hook that draws to the picture fills all of it and sets frame->cleared; the others draw over it. If
// none does, the module that has the screen makes it black. That module also reads the picture back and
// presents it.
//
// What is drawn through filo_draw_… is collected, so that it takes few draw calls. One that draws by itself
// instead, with the device or into frame->picture, says that it is direct: what was collected before is then
// drawn before.
typedef struct FiloRenderHook {
    int order; // FILO_RENDER_…, or any number between
    bool direct;
    FiloFrameFunction render;
} FiloRenderHook;

enum {
    FILO_RENDER_WORLD = 0,     // what lies under the sprites: a world in 3D
    FILO_RENDER_SPRITES = 100, // and among them what is drawn at once in the world, until the next direct one
    FILO_RENDER_DRAW = 200,    // what is drawn at once: the game's `draw`
    FILO_RENDER_UI = 300,      // panels and menus
    FILO_RENDER_DEBUG = 400,   // the debug view
};

// ---- Numbers and lines ------------------------------------------------------------------------------------

// A number about the run, or a text.
typedef struct FiloStat {
    const char *module; // that says so
    const char *name;   // "draw_calls": lower case, digits and _
    const char *text;   // NULL: a number
    double number;
    bool whole; // it is one that counts
} FiloStat;
typedef void (*FiloStatFunction)(const FiloStat *stat, void *user);

// Where `stats` of a module puts its numbers. Two of one name are a caller's mistake: the first stays.
typedef struct FiloStats FiloStats;
void filo_stats_number(FiloStats *stats, const char *name, double value);
void filo_stats_count(FiloStats *stats, const char *name, uint64_t count);
void filo_stats_text(FiloStats *stats, const char *name, const char *text);

// Lines of text that modules fill: a page of the debug view, in memory of the caller.
//
//     FiloLine lines[32];
//     FiloLines page = { .items = lines, .capacity = 32 };
//     filo_modules_debug(modules, &page);
#define FILO_LINE_BYTES 256
typedef struct FiloLine {
    char text[FILO_LINE_BYTES];
    bool title;
} FiloLine;
typedef struct FiloLines {
    FiloLine *items;
    size_t count, capacity;
    size_t letters;  // of a line, at most; 0: as many as fit into FILO_LINE_BYTES
    size_t left_out; // lines that there was no room for
} FiloLines;
// Adds a line. What is too long is cut, and ends in "..."; so does what begins a second line. Any thread, one
// at a time.
void filo_lines_add(FiloLines *lines, const char *format, ...) FILO_PRINTF(2, 3);
// The same as the title of what follows.
void filo_lines_title(FiloLines *lines, const char *format, ...) FILO_PRINTF(2, 3);

// ---- Contributions --------------------------------------------------------------------------------------

// What a module gives to others that it does not know: an array of things of a type, for all modules that
// accept that type. Types of assets (FiloAssetType) go to the module that loads assets, for example.
typedef struct FiloModuleContribution {
    const char *type; // the name of the C type
    const void *items;
    size_t count;
} FiloModuleContribution;
#define FILO_CONTRIBUTE(Type, array)                                                                         \
    { #Type, (1 ? (array) : (const Type *)NULL) /* the compiler compares the types */, FILO_COUNT_OF(array) }

// What a module contributes is there when its `load` is called, if a module that accepts it is loaded already,
// and until its `unload` has returned; a module that is loaded later gets it after its own `load`, and gives it
// back before its `unload`. If `add` fails, so does the load of the module that came last. `remove` may be
// NULL.
typedef struct FiloModuleAccept {
    const char *type;
    FiloResult (*add)(FiloModules *modules, const FiloModuleContribution *contribution, void *user);
    void (*remove)(FiloModules *modules, const FiloModuleContribution *contribution, void *user);
} FiloModuleAccept;

// ---- Modules --------------------------------------------------------------------------------------------

// All but the name is optional.
typedef struct FiloModuleDesc {
    const char *name;
    FiloVersion version;
    const FiloModuleNeed *needs;
    size_t need_count;
    const FiloModuleProvide *provides;
    size_t provide_count;
    // Both may be NULL: a module that only provides or hooks in has nothing to do there. They may look
    // interfaces up, and use events; they must not change the registry. What is needed is loaded when they are
    // called. A load that fails leaves nothing behind; unload is then not called. After an unload the module
    // counts as unloaded, even if it reports a failure.
    FiloResult (*load)(FiloModules *modules, void *user);
    FiloResult (*unload)(FiloModules *modules, void *user);
    void *user; // of all functions here

    // It is part of what the player sees and hears, or needs that: an app loads it after "game init" and before
    // "backend init" (filo/app.h), unless a module that is loaded earlier needs it.
    bool backend;
    FiloFrameHooks frame;
    const FiloRenderHook *renders;
    size_t render_count;
    // Of the command line. They fill variables of the module before it is loaded. Their names and letters must
    // differ from those of all other modules: FILO_ERROR_EXISTS when the second is registered.
    const FiloFlag *flags;
    size_t flag_count;
    const FiloModuleContribution *contributes;
    size_t contribute_count;
    const FiloModuleAccept *accepts;
    size_t accept_count;
    // Between ticks: numbers for --stats; lines for the debug view; what is wrong now.
    void (*stats)(FiloStats *stats, void *user);
    void (*debug)(FiloLines *lines, void *user);
    void (*problems)(FiloLines *lines, void *user);
} FiloModuleDesc;

// ---- The registry -------------------------------------------------------------------------------------

typedef struct FiloModulesDesc {
    FiloEvents *events;             // for modules to speak through; may be NULL, or set later
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloModulesDesc;

// `desc` may be NULL.
FiloResult filo_modules_create(FiloModules **modules, const FiloModulesDesc *desc);
// Unloads everything first; failures to unload are logged. NULL is allowed.
void filo_modules_destroy(FiloModules *modules);

// What was given to filo_modules_create, or set here before the first module is loaded.
FiloEvents *filo_modules_events(const FiloModules *modules);
void filo_modules_set_events(FiloModules *modules, FiloEvents *events);

// Adds a module, which is copied: only `user`, the functions, the flags' variables and texts, and what it
// contributes must stay. FILO_ERROR_EXISTS if there is one with this name, or one of its flags.
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
// The same without those that are `backend`, unless another one needs them.
FiloResult filo_modules_load_core(FiloModules *modules);
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

// An object; NULL if no loaded module provides it, or the one that does has none (a device, where the CPU
// draws). Good until that module is unloaded. Any thread, while the registry does not change.
void *filo_modules_object(const FiloModules *modules, const char *name);
// The same, typed.
#define FILO_OBJECT(modules, Type) ((Type *)filo_modules_object((modules), #Type))
// In `load`: sets an object that the description of this module provides. It is forgotten after `unload`.
void filo_modules_set_object(FiloModules *modules, const char *name, void *object);
#define FILO_SET_OBJECT(modules, Type, object)                                                               \
    filo_modules_set_object((modules), #Type, (1 ? (object) : (Type *)NULL))

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

// ---- For a program that runs frames -----------------------------------------------------------------------

// An app does all of this; here is what it uses. Main thread. While a hook runs, the registry must not be changed.

// The frame that all functions are given. Good as long as the registry.
FiloFrame *filo_modules_frame(FiloModules *modules);

typedef enum FiloFramePart {
    FILO_FRAME_POLL,
    FILO_FRAME_BEFORE_TICKS,
    FILO_FRAME_EXTRACT,
    FILO_FRAME_RENDER, // render hooks, in their order, and `flush` where it belongs
    FILO_FRAME_PRESENT,
    FILO_FRAME_END,
    FILO_FRAME_WAIT,
    FILO_FRAME_FINISH,
    FILO_FRAME_PARTS
} FiloFramePart;

// Calls what the loaded modules have for this part. All are called; the first failure is returned, with the
// name of the module: "module \"weather\" failed in extract: …".
FiloResult filo_modules_call(FiloModules *modules, FiloFramePart part);
// Shows a change of input to the modules. True if one of them keeps it from the game.
bool filo_modules_input(FiloModules *modules, const struct FiloInputChange *change);
// FILO_ERROR_UNSUPPORTED if no loaded module takes pictures.
FiloResult filo_modules_shot(FiloModules *modules, const char *path);

// All flags of registered modules, loaded or not, in the order of registration. Writes up to `capacity`, and
// returns how many there are.
size_t filo_modules_flags(const FiloModules *modules, FiloFlag *flags, size_t capacity);
// The numbers of all loaded modules, in the order of loading.
void filo_modules_stats(FiloModules *modules, FiloStatFunction function, void *user);
// One of them by its name; false if there is none, or it is a text.
bool filo_modules_stat(FiloModules *modules, const char *name, double *value);
// The lines of all loaded modules, in the order of loading.
void filo_modules_debug(FiloModules *modules, FiloLines *lines);
void filo_modules_problems(FiloModules *modules, FiloLines *lines);

FILO_END_DECLS

#endif
