// filo/modules.h: the registry of the modules that a program is made of.
//
// Everything above the core is a module, Filo's own as well as a game's. A module can be replaced, left out, or used
// elsewhere; built-in modules have no special rights. A module describes what it requires and what it provides. The
// registry finds the order, loads, and unloads.
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
//     static FiloResult load(FiloModules *modules, void *user) {    // of a module that requires the interface
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
// Modules that should not depend on each other communicate by events (filo/events.h).
//
// A module also describes its part in a program that has a frame: functions that are called in the parts of the frame,
// flags of the command line, numbers for statistics, lines for the debug view, and contributions to other modules. The
// program that runs the frame (filo/app.h) iterates over the registered modules and depends on none of them by name.
//
//     static FiloResult load(FiloModules *modules, void *user) {    // adds components and systems, as in a game
//         FiloWorld *world = FILO_OBJECT(modules, FiloWorld);       // from the module that provides it
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
// One thread at a time changes a registry. Any thread may look interfaces up while no thread changes it.

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

// Ordered as numbers. As a required version, 0 means any.
typedef uint64_t FiloVersion;

#define FILO_VERSION(major, minor, patch)                                                                    \
    (((FiloVersion)(major) << 32) | ((FiloVersion)(minor) << 16) | (FiloVersion)(patch))
#define FILO_VERSION_MAJOR(version) ((unsigned)((version) >> 32))
#define FILO_VERSION_MINOR(version) ((unsigned)((version) >> 16 & 0xFFFF))
#define FILO_VERSION_PATCH(version) ((unsigned)((version)&0xFFFF))

// Whether a version satisfies the required `minimum`: it is not lower, and has the same major number. A new major
// version is an incompatible one.
static inline bool filo_version_fits(FiloVersion version, FiloVersion minimum) {
    return minimum == 0 || (version >= minimum && FILO_VERSION_MAJOR(version) == FILO_VERSION_MAJOR(minimum));
}

// ---- Dependencies and interfaces ------------------------------------------------------------------------

// A dependency, which is loaded before the module: another module, or the provider of an interface.
typedef struct FiloModuleNeed {
    const char *module; // exactly one of these two is set
    const char *interface_name;
    FiloVersion version; // the lowest version of that module or interface
    bool optional;       // if no registered module satisfies it, the module is loaded without it
} FiloModuleNeed;

// What a module provides under a name: a struct of functions that is valid while the module is loaded, or an object
// that its `load` creates.
typedef struct FiloModuleProvide {
    const char *interface_name;
    FiloVersion version;
    const void *functions; // NULL for an object
    bool object;           // `load` sets it: FILO_SET_OBJECT
} FiloModuleProvide;

// An interface that is named after its C type. Its version is a macro: #define Clock_VERSION … The compiler checks the
// type of `functions_`.
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
#define FILO_OPTIONAL_OBJECT(Type) /* optional: loaded before, if a registered module provides it */         \
    { NULL, #Type, 0, true }

// ---- Taking part in the frame ---------------------------------------------------------------------------

// The frame, for the functions below. The app and the screen module (the one that owns the window) fill it in. All
// other modules read it.
typedef struct FiloFrame {
    FiloModules *modules;    // to find objects in: FILO_OBJECT(frame->modules, FiloWorld)
    uint64_t number;         // counted from 0
    int64_t start_ns;        // when it began, of filo_time_ns
    double tick_seconds;     // length of a tick in game time
    double tick_ms, draw_ms; // duration of the last tick and of the last rendering
    bool paused;             // no ticks run
    float time_scale;        // of game time: 0.5 is half as fast
    double seconds;          // since the last frame; headless, those of a tick
    bool debug_view;         // shown from the next frame on; any module may change it

    // Set by the screen module when it is loaded, and in each `poll`:
    bool headless; // no window, and game time is independent of the clock; also true without a screen module
    bool hidden;   // the window is not visible: frames are not drawn
    int width, height; // of the picture, in pixels; 0: there is none, and nothing is extracted or rendered
    // If a window is larger than 16384 pixels a side, or 8192 × 8192 pixels in all, its picture is smaller and is
    // stretched. With GL, where the limits of the device count too, there is no picture then.

    // The moment that is drawn. Set before `extract`:
    float blend; // 0: the state of the tick before the last, 1: the state of the last tick
    double time; // seconds of game time
    bool shot;   // it is drawn for a picture (--shot) and not shown

    // Set while it is rendered:
    FiloPixels picture; // the target if the CPU draws; without data if a device draws
    bool cleared;       // a hook has filled the picture: see FiloRenderHook

    bool waited; // set by `wait`
} FiloFrame;

typedef FiloResult (*FiloFrameFunction)(FiloFrame *frame, void *user);

struct FiloInputChange; // filo/input.h
struct FiloUi;          // filo/ui.h

// Functions of a module that are called in each frame, on the main thread, in this order. Each may be NULL. The
// functions of one part are called in the order in which the modules were loaded. After a failure the remaining
// functions are still called; then the game ends with a message that names the module.
//
// "A tick may be running" means: on the workers. The function must not access the world then: debug builds of an app report
// it, whether one is running or not.
typedef struct FiloFrameHooks {
    // Collects input (filo_app_collect) and reads the size of the window. A tick may be running.
    FiloFrameFunction poll;
    // Called for each change of input when it is collected, before the game gets it. The module that was loaded last
    // is called first. True consumes the change: the modules loaded earlier, the game and recordings do not get it. A
    // tick may be running.
    bool (*input)(FiloFrame *frame, const struct FiloInputChange *change, void *user);
    // Between ticks, before the ticks of this frame; also while paused. Not recorded: changes that it makes to the
    // world must depend on the world only.
    FiloFrameFunction before_ticks;
    // Between ticks, in frames that are drawn. Copies what the render hooks need out of the world.
    FiloFrameFunction extract;
    // Between ticks, in frames that are drawn, after all `extract` functions and that of the game: panels, which show
    // what these have copied.
    FiloFrameFunction panels;
    // Draws what has been collected so far (filo_draw_…). Called before each FiloRenderHook that is `direct`, and
    // after the last one. A tick may be running, here and in `present` and `end`.
    FiloFrameFunction flush;
    // After rendering. Shows the picture.
    FiloFrameFunction present;
    // Last, also in frames that are not drawn.
    FiloFrameFunction end;

    // The rest is not part of a frame:
    //
    // Once, after the game's `define` and before its `create`. Registers components and systems that the game has not
    // registered itself. So the ids of the game's own components do not depend on the module.
    FiloFrameFunction define;
    // Between ticks, before the game's `create` and when a picture is taken. Waits for pending requests. Sets
    // frame->waited if one was completed: a picture is then drawn again.
    FiloFrameFunction wait;
    // Writes the rendered picture to a file (PNG). Only called for the first loaded module that has it.
    FiloResult (*shot)(FiloFrame *frame, const char *path, void *user);
    // Once, after the last frame, between ticks. Writes files that were requested for the end of the run. If it fails,
    // the run of the game fails.
    FiloFrameFunction finish;
} FiloFrameHooks;

// Draws a part of the picture. Lower orders are drawn first. Equal orders are drawn in the order of registration of
// their modules, and within a module in the order of its list. A tick may be running.
//
// The first hook that draws fills the whole picture and sets frame->cleared; the others draw over it. If no hook draws,
// the screen module makes it black. The screen module also reads the picture back and presents it.
//
// filo_draw_… collects what it draws, to save draw calls. A hook that draws with the device or into frame->picture
// instead sets `direct`: what was collected is drawn before the hook is called.
typedef struct FiloRenderHook {
    int order; // FILO_RENDER_…, or any number between
    bool direct;
    FiloFrameFunction render;
} FiloRenderHook;

enum {
    FILO_RENDER_WORLD = 0,     // below the sprites: a world in 3D
    FILO_RENDER_SPRITES = 100, // sprites, and what filo_draw_in_world has put among them
    FILO_RENDER_DRAW = 200,    // immediate drawing: the game's `draw`
    FILO_RENDER_UI = 300,      // panels and menus
    FILO_RENDER_DEBUG = 400,   // the debug view
};

// ---- Numbers and lines ------------------------------------------------------------------------------------

// A number about the run, or a text.
typedef struct FiloStat {
    const char *module; // that reported it
    const char *name;   // "draw_calls": lower case, digits and _
    const char *text;   // NULL: a number
    double number;
    bool whole; // the number is a count
} FiloStat;
typedef void (*FiloStatFunction)(const FiloStat *stat, void *user);

// Receives the numbers of a module's `stats`. Reporting a name twice is a caller's mistake; the first number is kept.
typedef struct FiloStats FiloStats;
void filo_stats_number(FiloStats *stats, const char *name, double value);
void filo_stats_count(FiloStats *stats, const char *name, uint64_t count);
void filo_stats_text(FiloStats *stats, const char *name, const char *text);

// Lines of text that modules add: a page of the debug view, in memory of the caller.
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
    size_t letters;  // the most characters of a line; 0: as many as fit into FILO_LINE_BYTES
    size_t left_out; // number of lines that exceeded the capacity
} FiloLines;
// Adds a line. A text that is too long, or has more than one line, is cut and ends in "...". Any thread, one at a time.
void filo_lines_add(FiloLines *lines, const char *format, ...) FILO_PRINTF(2, 3);
// Adds a line that is the title of the lines that follow.
void filo_lines_title(FiloLines *lines, const char *format, ...) FILO_PRINTF(2, 3);

// ---- Contributions --------------------------------------------------------------------------------------

// An array of items that a module offers to all modules that accept their type. The asset module accepts asset types
// (FiloAssetType), for example.
typedef struct FiloModuleContribution {
    const char *type; // the name of the C type
    const void *items;
    size_t count;
} FiloModuleContribution;
#define FILO_CONTRIBUTE(Type, array)                                                                         \
    { #Type, (1 ? (array) : (const Type *)NULL) /* the compiler checks the type */, FILO_COUNT_OF(array) }

// `add` is called for each contribution of the type, and `remove` undoes it. If the contributor is loaded after the
// accepting module, `add` is called before its `load` and `remove` after its `unload`. Otherwise `add` is called after
// the `load` of the accepting module and `remove` before its `unload`. If `add` fails, the module that is being loaded
// fails to load. `remove` may be NULL.
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
    // Both may be NULL. They may look interfaces up and use events, and must not change the registry. The dependencies
    // are loaded while they are called. A `load` that fails must undo what it did, because `unload` is not called then.
    // After `unload` the module is unloaded, even if it reports a failure.
    FiloResult (*load)(FiloModules *modules, void *user);
    FiloResult (*unload)(FiloModules *modules, void *user);
    void *user; // passed to all functions of the module

    // The module belongs to video, audio or input devices, or requires such a module. An app loads it after "game
    // init" and before "backend init" (filo/app.h), or earlier if another module requires it.
    bool backend;
    FiloFrameHooks frame;
    const FiloRenderHook *renders;
    size_t render_count;
    // Of the command line. They set variables of the module before it is loaded. Their names and letters must differ
    // from those of all other modules: FILO_ERROR_EXISTS when the second module is registered.
    const FiloFlag *flags;
    size_t flag_count;
    const FiloModuleContribution *contributes;
    size_t contribute_count;
    const FiloModuleAccept *accepts;
    size_t accept_count;
    // Between ticks: report numbers for --stats, lines for the debug view, and current problems.
    void (*stats)(FiloStats *stats, void *user);
    void (*debug)(FiloLines *lines, void *user);
    void (*problems)(FiloLines *lines, void *user);
    // Between ticks: shows a tab of its own in the debug view, with widgets (filo/ui.h), above its lines. It is called in
    // frames in which the tab is visible.
    void (*panel)(struct FiloUi *ui, void *user);
} FiloModuleDesc;

// ---- The registry -------------------------------------------------------------------------------------

typedef struct FiloModulesDesc {
    FiloEvents *events;             // of filo_modules_events; may be NULL, or set later
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloModulesDesc;

// `desc` may be NULL.
FiloResult filo_modules_create(FiloModules **modules, const FiloModulesDesc *desc);
// Unloads everything first; failures to unload are logged. NULL is allowed.
void filo_modules_destroy(FiloModules *modules);

// The events by which the modules communicate: those of FiloModulesDesc, or set before the first module is loaded.
FiloEvents *filo_modules_events(const FiloModules *modules);
void filo_modules_set_events(FiloModules *modules, FiloEvents *events);

// Adds a module. The description is copied. Only `user`, the functions, the variables and texts of the flags, and the
// contributed items must stay valid. FILO_ERROR_EXISTS if the name or one of the flags is registered already.
FiloResult filo_modules_register(FiloModules *modules, const FiloModuleDesc *desc);
// Removes a module. FILO_ERROR_BUSY if it is loaded.
FiloResult filo_modules_unregister(FiloModules *modules, const char *module);

// Several modules may provide the same interface. Only one of them is its provider: the module that is chosen here, or
// else the one that was registered first. FILO_ERROR_BUSY while a module that requires the interface is loaded: unload
// the old provider first. `module` NULL removes the choice.
FiloResult filo_modules_choose(FiloModules *modules, const char *interface_name, const char *module);

// ---- Loading ------------------------------------------------------------------------------------------

// Modules are loaded after their dependencies, and otherwise in the order of registration. Before the first one is
// loaded, the registry checks that every dependency is registered, new enough, and not part of a cycle. The error
// message names the module and the dependency. If a load fails, the modules that the same call had loaded are unloaded
// in reverse order, and the error has the reason.

// Loads all modules. A module that provides interfaces, but is the provider of none of them, is loaded only if another
// module requires it by its name.
FiloResult filo_modules_load_all(FiloModules *modules);
// Loads all modules except `backend` ones that no other module requires.
FiloResult filo_modules_load_core(FiloModules *modules);
// Loads one module after its dependencies. Does nothing if it is loaded.
FiloResult filo_modules_load(FiloModules *modules, const char *module);

// Modules are unloaded in the exact reverse of the order of loading. A failure does not stop that. The first one is
// returned.

FiloResult filo_modules_unload_all(FiloModules *modules);
// Unloads one module after the modules that depend on it. Does nothing if it is not loaded.
FiloResult filo_modules_unload(FiloModules *modules, const char *module);
// Unloads a module and the modules that depend on it, and loads all of them again.
FiloResult filo_modules_reload(FiloModules *modules, const char *module);

// ---- Looking up ---------------------------------------------------------------------------------------

// The functions of an interface. NULL if its provider is not loaded, or has another version. Valid until the provider
// is unloaded. Any thread, while no thread changes the registry.
const void *filo_modules_interface(const FiloModules *modules, const char *interface_name,
                                   FiloVersion version);
// Typed, and with the version of the type.
#define FILO_INTERFACE(modules, Type) ((const Type *)filo_modules_interface((modules), #Type, Type##_VERSION))

// An object. NULL if its provider is not loaded, or did not set it (a device, if the CPU draws). Valid until the
// provider is unloaded. Any thread, while no thread changes the registry.
void *filo_modules_object(const FiloModules *modules, const char *name);
// Typed.
#define FILO_OBJECT(modules, Type) ((Type *)filo_modules_object((modules), #Type))
// Sets an object that the description of the module provides. Only inside its `load`. The object is reset to NULL after
// `unload`.
void filo_modules_set_object(FiloModules *modules, const char *name, void *object);
#define FILO_SET_OBJECT(modules, Type, object)                                                               \
    filo_modules_set_object((modules), #Type, (1 ? (object) : (Type *)NULL))

// The name of the provider of an interface, loaded or not. NULL if no registered module provides it.
const char *filo_modules_provider(const FiloModules *modules, const char *interface_name);

bool filo_modules_loaded(const FiloModules *modules, const char *module);

typedef struct FiloModuleInfo {
    const char *name;
    FiloVersion version;
    bool loaded;
} FiloModuleInfo;

// The modules in the order of registration. The index is from 0 to filo_modules_count − 1.
size_t filo_modules_count(const FiloModules *modules);
FiloModuleInfo filo_modules_at(const FiloModules *modules, size_t index);
// The loaded modules in the order of loading. NULL past the end.
const char *filo_modules_loaded_at(const FiloModules *modules, size_t index);

// ---- For a program that runs frames -----------------------------------------------------------------------

// An app calls these functions. Main thread. While a hook runs, the registry must not be changed.

// The frame that is passed to all hooks. Valid as long as the registry.
FiloFrame *filo_modules_frame(FiloModules *modules);

typedef enum FiloFramePart {
    FILO_FRAME_POLL,
    FILO_FRAME_BEFORE_TICKS,
    FILO_FRAME_EXTRACT,
    FILO_FRAME_PANELS,
    FILO_FRAME_RENDER, // render hooks in their order, with `flush` as described there
    FILO_FRAME_PRESENT,
    FILO_FRAME_END,
    FILO_FRAME_DEFINE,
    FILO_FRAME_WAIT,
    FILO_FRAME_FINISH,
    FILO_FRAME_PARTS
} FiloFramePart;

// Calls the hooks of the loaded modules for this part. All are called. The first failure is returned, with the name of
// the module: "module \"weather\" failed in extract: …".
FiloResult filo_modules_call(FiloModules *modules, FiloFramePart part);
// Passes a change of input to the modules. True if one of them consumes it.
bool filo_modules_input(FiloModules *modules, const struct FiloInputChange *change);
// FILO_ERROR_UNSUPPORTED if no loaded module takes pictures.
FiloResult filo_modules_shot(FiloModules *modules, const char *path);

// Writes up to `capacity` flags of the registered modules, loaded or not, in the order of registration. Returns how
// many there are.
size_t filo_modules_flags(const FiloModules *modules, FiloFlag *flags, size_t capacity);
// Calls `function` for the numbers of all loaded modules, in the order of loading.
void filo_modules_stats(FiloModules *modules, FiloStatFunction function, void *user);
// Reads one number by its name. False if there is none, or it is a text.
bool filo_modules_stat(FiloModules *modules, const char *name, double *value);
// Add the lines of all loaded modules, in the order of loading.
void filo_modules_debug(FiloModules *modules, FiloLines *lines);
void filo_modules_problems(FiloModules *modules, FiloLines *lines);
// The same for one loaded module: its lines, and its panel. False if it has none. With NULL in place of `lines` or `ui`
// they only tell whether it has.
bool filo_modules_debug_of(FiloModules *modules, const char *module, FiloLines *lines);
bool filo_modules_panel_of(FiloModules *modules, const char *module, struct FiloUi *ui);

FILO_END_DECLS

#endif
