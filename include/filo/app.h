// filo/app.h: a whole game: window, input, assets, world, frame, command line.
//
//     #include <filo/filo.h>
//
//     static void draw(FiloApp *app, FiloDraw *draw) {
//         (void)app;
//         filo_draw_text_centred(draw, 640, 340, 3, FILO_COLOR_WHITE, "Hello, world");
//     }
//
//     int main(int argc, char **argv) {
//         return filo_run(argc, argv, &(FiloAppDesc){ .name = "hello", .draw = draw });
//     }
//
// The frame. The main thread polls the window, and runs the ticks that are due after the time that has passed.
// Extraction copies what will be drawn. Then the main thread draws it, while the workers already run the next tick, if
// one is due. Then the picture is shown. By default all ticks have the same length (1/60 s), and the picture is blended
// between the last two, so that motion is smooth at any refresh rate. A machine that is too slow runs at most
// `max_ticks` in a frame; the rest of the time is dropped and counted (FiloAppStats.dropped_seconds). The game then
// becomes slower, but never stops.
//
// Every game has the flags of filo/args.h (--headless, --backend, --frames, --threads, --seed, --size, --shot, --hash,
// --stats, --record, --replay, --trace, --strict, --help) and its own. Headless time does not follow the clock: each frame
// runs one tick, as fast as possible.
//
// The functions of the description are called on the main thread.
//
// An app consists of modules (filo/modules.h): "assets", "screen" (window and graphics device), "gfx2d", "ui", "audio",
// "debug view", and those of the game. The frame calls the hooks that they have registered.

#ifndef FILO_APP_H
#define FILO_APP_H

#include <filo/args.h>
#include <filo/assets.h>
#include <filo/audio.h>
#include <filo/ecs.h>
#include <filo/gfx2d.h>
#include <filo/gfx3d.h>
#include <filo/input.h>
#include <filo/modules.h>
#include <filo/objects.h>
#include <filo/platform.h>
#include <filo/text.h>
#include <filo/ui.h>

FILO_BEGIN_DECLS

typedef struct FiloApp FiloApp;
// Modules of the game find it by FILO_OBJECT(modules, FiloApp).
#define FiloApp_VERSION FILO_VERSION(0, 1, 0)

typedef enum FiloTimeStep {
    FILO_STEP_FIXED,      // ticks of tick_seconds; the picture is blended between the last two
    FILO_STEP_SEMI_FIXED, // a frame is divided into equal ticks of at most tick_seconds
    FILO_STEP_VARIABLE,   // one tick per frame, as long as the frame
} FiloTimeStep;

typedef struct FiloAppDesc {
    const char *name;    // NULL: the name of the program
    const char *summary; // for --help
    FiloWindowDesc window;
    FiloTimeStep step;
    double tick_seconds; // 0: 1/60; otherwise 1e-6 to 3600
    int max_ticks;       // in one frame; 0: 5
    bool no_blending;    // draw the state of the last tick
    bool no_overlap;     // run all ticks before drawing, none during it
    float pixels_per_unit;
    FiloColor background;
    // Draws in space too, below the sprites: loads the module "gfx3d" (filo/gfx3d.h), and takes GL where the command line
    // does not say otherwise, also if the driver draws on the CPU.
    bool gfx3d;
    const FiloGfx3dDesc *gfx3d_options; // shadow_size, render_scale and the like; NULL: defaults

    const char *asset_folder; // NULL: see filo/assets.h
    const FiloFlag *flags;    // of the game
    size_t flag_count;
    FiloCommonArgs defaults;       // values of the common flags that are not given
    const FiloActionDesc *actions; // of the player: filo/input.h
    size_t action_count;
    const FiloModuleDesc *modules; // loaded before `load`; one with the name of a built-in module replaces it
    size_t module_count;
    size_t memory_budget; // of the world; 0: no limit

    // A game of pure objects (filo/objects.h) needs no more than the following and `create`: see "Games of objects" below.
    const char *const *resources; // assets that are loaded before `create`: a failure ends the program
    size_t resource_count;
    const FiloObjectDesc *kinds; // kinds of objects, added after `define`
    size_t kind_count;
    // A kind of which there is one object, the camera. It is created before `create`, with a FiloCamera, a FiloTransform2
    // and the default value of its state, and the name "camera" (filo_world_find). A kind that shows a FiloTransform3 or a
    // FiloCamera3 is a camera in space instead: with both of these, and with `gfx3d`. NULL: none.
    const FiloObjectDesc *camera;
    bool sequential; // objects are updated on one thread. The result is the same

    // All are optional, and called in this order. A failure ends the program with its message.
    //
    // `setup` is called before the command line is read and anything is loaded. It changes the modules of the app
    // (filo_app_modules): filo_modules_unregister leaves one out, filo_modules_choose selects one of several for an
    // interface. Nothing else exists yet.
    FiloResult (*setup)(FiloApp *app);
    // Requests assets. The app waits for them before `create`, unless load_in_background is set (for loading screens).
    FiloResult (*load)(FiloApp *app);
    bool load_in_background;
    FiloResult (*define)(FiloApp *app); // registers components and systems
    FiloResult (*create)(FiloApp *app); // fills the world
    void (*frame)(FiloApp *app);        // in every frame, before ticks are run; no tick is running
    void (*extract)(FiloApp *app);      // in every drawn frame, between ticks: copies what `draw` needs
    // In every drawn frame, between ticks, after `extract`: panels and menus (filo/ui.h). It may read the world; what
    // the player decides enters the next tick by filo_app_send. Headless, also in frames that are not drawn, if there
    // was input. Not called without the module "ui".
    void (*ui)(FiloApp *app, FiloUi *ui);
    // In every drawn frame: immediate drawing. The next tick may be running: `draw` must not access the world (debug
    // builds report it, whether one is running or not), and uses what `extract` copied. Not called without a module
    // that draws.
    void (*draw)(FiloApp *app, FiloDraw *draw);
    void (*end)(FiloApp *app); // last, if `create` has succeeded, also if the start fails after that
    void *user;                // filo_app_user
} FiloAppDesc;

// Games of objects. A game may be a description only: what is loaded, kinds of objects, a camera, and the first objects:
//
//     const char *resources[] = { "ship.png" };
//     FiloObjectDesc kinds[] = {
//         { .name = "ship", .state = FILO_STATE_OF(Ship), .network = network, … },
//         { .name = "star", .state = FILO_STATE_OF(Star), .step = step_star, … } };
//     FiloObjectDesc camera = {
//         .name = "camera", .state = FILO_STATE_OF(View), .step = step_view, .shows = { FILO_WRITE(FiloTransform2) } };
//
//     return filo_run(argc, argv, &(FiloAppDesc){
//         .name = "ships", .resources = resources, .resource_count = 1, .kinds = kinds, .kind_count = 2,
//         .camera = &camera, .create = create_ships });
//
// All objects are updated at once on all threads, or on one with .sequential = true. Meanwhile the main thread draws the
// last tick, and async threads run functions that block (filo_object_run). Results of functions without `ticks` are
// recorded by --record. What objects do to the window (filo_object_window) is done after the tick.

// Runs a game from the command line to its end. Returns the exit code for main: 0, 1 after an error that was printed, 2
// after a mistake in the command line. Escape, or closing the window, ends the game after the tick that sees it, or
// after a quarter of a second without a tick, unless the game handles them itself (filo_app_handle_escape,
// filo_app_handle_close). SIGINT (Ctrl-C), SIGTERM and SIGHUP end the game too; a second one ends the process
// immediately.
int filo_run(int argc, char **argv, const FiloAppDesc *desc);

// ---- Accessors --------------------------------------------------------------------------------------------

void *filo_app_user(const FiloApp *app);
FiloWorld *filo_app_world(const FiloApp *app);
FiloJobs *filo_app_jobs(const FiloApp *app);
FiloEvents *filo_app_events(const FiloApp *app);
FiloModules *filo_app_modules(const FiloApp *app);
FiloActions *filo_app_actions(const FiloApp *app);

// The path of a file in the game's folder of the user's data. The folder has the game's name, and is created if it does
// not exist (filo_path_standard_file in filo/files.h). For saved games and scores:
//
//     char path[FILO_PATH_SIZE];
//     FiloResult r = filo_app_user_path(app, path, sizeof path, "slot 1.save");
//     if (r.code == FILO_OK) r = filo_world_save(filo_app_world(app), path, NULL);
FiloResult filo_app_user_path(const FiloApp *app, char *out, size_t size, const char *file);

// The object of a module by its type: FILO_APP_OBJECT(app, FiloAssets). NULL if no loaded module provides one. Valid
// until that module is unloaded. A module provides an object by FILO_PROVIDE_OBJECT(Type) in its description and
// FILO_SET_OBJECT in its `load`. Modules find the same objects, and FiloApp, FiloWorld, FiloJobs, FiloEvents and
// FiloActions, by FILO_OBJECT(modules, Type).
void *filo_app_object(const FiloApp *app, const char *type);
#define FILO_APP_OBJECT(app, Type) ((Type *)filo_app_object((app), #Type))
// Objects of the built-in modules; NULL if the app has left the module out:
FiloAssets *filo_app_assets(const FiloApp *app);
FiloGfx2d *filo_app_gfx2d(const FiloApp *app);
FiloGfx3d *filo_app_gfx3d(const FiloApp *app); // NULL without FiloAppDesc.gfx3d
FiloAudio *filo_app_audio(const FiloApp *app); // NULL also without assets
FiloGpu *filo_app_gpu(const FiloApp *app);     // NULL also if the CPU draws
FiloWindow *filo_app_window(const FiloApp *app);
FiloTypesetter *filo_app_typesetter(const FiloApp *app); // NULL also if Filo was built without text
FiloUi *filo_app_ui(const FiloApp *app);

const FiloCommonArgs *filo_app_args(const FiloApp *app);
FiloBackend filo_app_backend(const FiloApp *app); // the chosen one: GL, CPU or NULL; without a window NULL
// For `frame`, `extract` and `draw`: the input of the ticks since the last `frame`. So exactly one frame sees a press,
// however many ticks the frame has. While paused, it follows the player without ticks, so that a key can end the pause.
// Systems read the global component FiloInput instead.
const FiloInput *filo_app_input(const FiloApp *app);
// The changes that filo_app_input sums up, in order. Exactly one frame sees each change, in a pause too. For menus that
// wait for the next key, and for text fields. Valid until the next `frame`.
const FiloInputChange *filo_app_input_changes(const FiloApp *app, size_t *count);
// Adds input that does not come from the window, but from a bot, a test, a touch screen or a network. The next tick
// that begins sees it like any other, as FiloInput and as an event, and --record writes it. In a replay it is ignored,
// like the input of the player. Main thread, at any time; usually in `frame`.
void filo_app_collect(FiloApp *app, const FiloInputChange *change);

// Sends an event into the next tick, for example the choice in a pause menu. It is delivered as if it had been emitted
// (filo_events_emit) after the events of the input. Unlike an emitted event, --record writes it. In a replay the call
// is ignored: the recording has the messages.
//
//     filo_app_send(app, filo_name("restart"), NULL, NULL);                            // in `frame`
//     filo_app_send(app, filo_name("level"), FILO_TYPE(Level), &(Level){ .number = 3 });
//
// While paused, it waits for the next tick. A payload has at most FILO_APP_MESSAGE bytes. It is converted to JSON and
// back, so transient fields arrive as zeroes. Main thread, outside of ticks. False without memory, or after a caller's
// mistake.
#define FILO_APP_MESSAGE 256
bool filo_app_send(FiloApp *app, FiloName event, const FiloType *type, const void *payload);

// Changes the world at once, as an editor or a console does (filo/command.h): `made` receives an entity that was
// created. --record writes it with the input of the next tick, and a replay applies it right before that tick. So the
// change shows in a pause too, and the replay is exact. Main thread, between ticks: `frame`, `extract`, `ui`.
// FILO_ERROR_BUSY in a replay, and while an earlier state is shown (filo_app_rewind).
FiloResult filo_app_command(FiloApp *app, const FiloCommand *command, FiloEntity *made);
#define FILO_EVENT_COMMAND "world command" // its name in recordings

// Draws what the physics of the world knows, in each frame from now on, above all sprites: FiloPhysics2DebugFlags of
// filo/physics2d_debug.h; 0: nothing. Positions are those of the last tick, not blended. The tab "physics" of the debug view changes
// it, and so does the flag --physics-debug. Nothing of it is in the hash. In `create` or later; main thread.
void filo_app_physics_debug(FiloApp *app, uint32_t flags);

// Ends the game after this frame. Between ticks or in `draw`; systems emit the event "quit".
void filo_app_quit(FiloApp *app);
#define FILO_EVENT_QUIT "quit"
// With `on`, the game handles Escape, or the closing of the window, itself, and neither ends the game. Escape is then
// an ordinary key. Closing the window sets FiloInput.quit, for example for a question whether to save.
void filo_app_handle_escape(FiloApp *app, bool on);
void filo_app_handle_close(FiloApp *app, bool on);

void filo_app_pause(FiloApp *app, bool on); // no ticks; drawing goes on. Replays ignore pauses
bool filo_app_paused(const FiloApp *app);
void filo_app_step(FiloApp *app);                        // runs one tick while paused
void filo_app_set_time_scale(FiloApp *app, float scale); // 0.5: half as fast; 0 to 100
float filo_app_time_scale(const FiloApp *app);
// Where the picture is between the last two ticks: 0 at the one before the last, 1 at the last one. For `extract`, `ui` and
// `draw`: what filo_transform2_blend and the like take, so that a label is where its sprite is drawn.
float filo_app_blend(const FiloApp *app);
double filo_app_time(const FiloApp *app);          // seconds of game time: the sum of all ticks
void filo_app_show_overlay(FiloApp *app, bool on); // as F3 does: see docs/app.md

// Rewinding. Keeps the states of the last seconds, from now on (FiloHistory in filo/snapshot.h), so that the game can
// be put back to one of them. 0: none, which frees the memory. A world with a component that no history can hold is an
// error that says so.
FiloResult filo_app_keep_history(FiloApp *app, double seconds);
// Shows the state `back` ticks before the last one; 0: the present one. No tick runs meanwhile, also in a replay and
// whether the game is paused or not; the world cannot be changed. FILO_ERROR_NOT_FOUND if that state was not kept.
// Main thread, between ticks.
FiloResult filo_app_rewind(FiloApp *app, size_t back);
// Goes on from the state that is shown; those after it are lost. FILO_ERROR_BUSY in a game that is recorded or replayed,
// because a recording has one course of events: it can only be looked at, and returns to the present.
FiloResult filo_app_go_on(FiloApp *app);
typedef struct FiloAppHistory {
    size_t states;       // that are kept, with the last one; 0: none
    size_t back;         // the one that is shown; 0: the present
    size_t memory;       // bytes
    double push_ms;      // how long it took to keep the last one
    const char *problem; // why none are kept any more; NULL: there is none. Valid until the next call
} FiloAppHistory;
FiloAppHistory filo_app_history(const FiloApp *app);

// ---- Step by step -----------------------------------------------------------------------------------------

// For a program with its own loop. Does everything that filo_run does before the first frame and after the last:
//
//     int exit_code;
//     FiloApp *app = filo_app_main(argc, argv, &desc, &exit_code);
//     if (app == NULL) return exit_code; // --help, or an error that was reported
//     while (filo_app_frame(app)) {}
//     return filo_app_main_end(app);
//
// One app at a time. SIGINT (Ctrl-C) ends the game, as closing its window does.
FiloApp *filo_app_main(int argc, char **argv, const FiloAppDesc *desc, int *exit_code);
// Finishes the app (filo_app_finish), destroys it, reports an error, and returns the exit code of the program.
int filo_app_main_end(FiloApp *app);

// For a program with its own command line, or none. `args` are the parsed arguments; NULL: defaults. The folders of
// files that are written at the end must exist. A recording does not have the program's own flags. desc->window may
// pass a window or a context of the program. Calls load, define and create. FILO_ERROR_MEMORY if memory has run out
// meanwhile, whatever these functions returned: they need not check the result of each call.
FiloResult filo_app_create(FiloApp **app, const FiloAppDesc *desc, const FiloCommonArgs *args);
// Runs one whole frame. False when the game should end.
bool filo_app_frame(FiloApp *app);
// Or its parts, in this order:
bool filo_app_poll(FiloApp *app);                // window and input; false when the game should end
int filo_app_tick(FiloApp *app, double seconds); // runs the ticks that are due; returns how many
void filo_app_extract(FiloApp *app);
void filo_app_render(FiloApp *app); // draws; the next tick may run meanwhile
void filo_app_present(FiloApp *app);
// Writes a picture of the current state as PNG, not blended. Waits for images that are still being loaded; if there are
// any, `extract` and `draw` are called twice.
FiloResult filo_app_shot(FiloApp *app, const char *path);
// Call once, after the last frame. Does what --hash, --stats, --shot, --trace, --record and --replay request for the
// end, as filo_run does. Without this call a recording has no end. Returns the first failure of the game or of this
// call: for example a replay that ended in another state, or a file that cannot be written. Headless, FILO_ERROR_MEMORY
// if memory has run out since the app was created: an entity or an image may be missing from hash and picture.
FiloResult filo_app_finish(FiloApp *app);
void filo_app_destroy(FiloApp *app);

// ---- Statistics -------------------------------------------------------------------------------------------

typedef struct FiloAppStats {
    uint64_t ticks, frames;
    double tick_mean_ms, tick_p50_ms, tick_p99_ms;
    double frame_mean_ms, frame_p50_ms, frame_p99_ms;
    double draw_mean_ms;
    double dropped_seconds;      // time without ticks, because the machine was too slow
    double allocations_per_tick; // in the second half of the run
    double allocations_per_frame;
    size_t entities;
    double first_frame_ms; // from the creation of the app to the end of its first frame
} FiloAppStats;
// Between ticks: `frame` and `extract`, but not `draw`.
FiloAppStats filo_app_stats(const FiloApp *app);
// A number of --stats by its name, including those of modules ("draw_calls"). False if there is none. Between ticks.
bool filo_app_stat(const FiloApp *app, const char *name, double *value);

// ---- Life cycle -------------------------------------------------------------------------------------------

// The app emits these events (filo/events.h) immediately, in this order. After a failed start, "game end" follows if
// "game init" was emitted.
#define FILO_EVENT_THREAD_INIT  "thread init"  // FiloThreadEvent; on each worker thread, once
#define FILO_EVENT_GAME_INIT    "game init"    // modules that do not need a screen are loaded
#define FILO_EVENT_BACKEND_INIT "backend init" // all modules are loaded, with window and graphics
#define FILO_EVENT_GAME_START   "game start"   // `create` has succeeded
#define FILO_EVENT_FRAME        "frame"        // FiloFrameEvent; in each frame, between ticks
#define FILO_EVENT_GAME_END     "game end"     // release what you created

// Payload of "thread init". Handlers run on the thread in question, whatever their mode, one thread after the other. A
// thread that ended and starts again emits it again. Handlers cannot emit, and must not wait for jobs
// (filo_events_emit_here).
typedef struct FiloThreadEvent {
    int32_t worker; // 0 is main
} FiloThreadEvent;
FILO_REFLECT_DECLARE(FiloThreadEvent);

typedef struct FiloFrameEvent {
    uint64_t number; // counted from 0
} FiloFrameEvent;
FILO_REFLECT_DECLARE(FiloFrameEvent);

FILO_END_DECLS

#endif
