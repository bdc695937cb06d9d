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
// The frame. Main polls the window, and runs as many ticks as the time that has passed asks for; extraction
// copies what is to be seen; then main draws it, while the workers already run the next tick, if one is due;
// then the picture is shown. A tick always has the same length (1/60 s at first), and what is drawn is blended
// between the last two, so that motion is smooth at any rate of the screen. If the machine cannot keep up, at
// most `max_ticks` are run in a frame, and the rest of the time is dropped and counted
// (FiloAppStats.dropped_seconds): the game becomes slower, and never stops.
//
// Every game understands the flags of filo/args.h: --headless, --backend, --frames, --threads, --seed, --shot,
// --hash, --stats, --record, --replay, --trace, --help; and its own. Headless, time does not pass by the clock:
// one tick a frame, as fast as it goes.
//
// The functions of the description are called on the main thread.
//
// An app is put together from modules (filo/modules.h): "assets", "screen" (window and graphics device),
// "gfx2d", "debug view", and those of the game. The frame goes through what they have registered, and knows
// none of them.

#ifndef FILO_APP_H
#define FILO_APP_H

#include <filo/args.h>
#include <filo/assets.h>
#include <filo/ecs.h>
#include <filo/gfx2d.h>
#include <filo/input.h>
#include <filo/modules.h>
#include <filo/platform.h>

FILO_BEGIN_DECLS

typedef struct FiloApp FiloApp;
// Modules of the game find it as an interface: FILO_INTERFACE(modules, FiloApp).
#define FiloApp_VERSION FILO_VERSION(0, 1, 0)

typedef enum FiloTimeStep {
    FILO_STEP_FIXED,      // ticks of one length, drawing blended between them
    FILO_STEP_SEMI_FIXED, // one or more ticks a frame that together last as long as the frame; none is longer
                          // than tick_seconds
    FILO_STEP_VARIABLE,   // one tick a frame, as long as the frame
} FiloTimeStep;

typedef struct FiloAppDesc {
    const char *name;    // NULL: the program's
    const char *summary; // for --help
    FiloWindowDesc window;
    FiloTimeStep step;
    double tick_seconds; // 0: 1/60; otherwise 1e-6 to 3600
    int max_ticks;       // in one frame; 0: 5
    bool no_blending;    // draw the last tick as it is
    bool no_overlap;     // draw after the tick, not beside it
    float pixels_per_unit;
    FiloColor background;

    const char *asset_folder; // NULL: see filo/assets.h
    const FiloFlag *flags;    // of the game's own
    size_t flag_count;
    FiloCommonArgs defaults;       // of the common flags
    const FiloActionDesc *actions; // what the player can do
    size_t action_count;
    const FiloModuleDesc *modules; // loaded before `load`, beside Filo's own, whose names they may take
    size_t module_count;
    size_t memory_budget; // of the world; 0: no limit

    // All optional, called in this order. A failure ends the program with its message.
    //
    // `setup` comes before the command line is read and anything is loaded, to change what the app is put
    // together from (filo_app_modules): filo_modules_unregister leaves a module out, filo_modules_choose takes
    // another one for an interface. Nothing else is there yet.
    FiloResult (*setup)(FiloApp *app);
    FiloResult (*load)(FiloApp *app);   // ask for assets: they are waited for before `create`, unless
    bool load_in_background;            // this is set: then `create` is called at once (loading screens)
    FiloResult (*define)(FiloApp *app); // register components and systems
    FiloResult (*create)(FiloApp *app); // fill the world
    void (*frame)(FiloApp *app);        // every frame, before ticks are run; between ticks
    void (*extract)(FiloApp *app);      // every drawn frame, between ticks: copy what `draw` needs
    void (*draw)(FiloApp *app, FiloDraw *draw); // every drawn frame: what is drawn at once. The next tick may
        // be running: use what `extract` copied, and do not touch the world (debug builds report it if a tick
        // is running indeed). Not without a module that draws
    void (*end)(FiloApp *app); // last, if `create` has succeeded; also if the game does not begin then
    void *user;                // filo_app_user
} FiloAppDesc;

// Runs a game from the command line to its end; returns what main should: 0, 1 after an error that was
// printed, 2 after a mistake in the command line. Escape, or closing the window, ends it after the
// tick that sees it, or after a quarter of a second without one, unless the game handles them itself
// (filo_app_handle_escape, filo_app_handle_close). So do Ctrl-C and SIGTERM, once; a second time they end the program at once.
int filo_run(int argc, char **argv, const FiloAppDesc *desc);

// ---- What a game can ask for ------------------------------------------------------------------------------

void *filo_app_user(const FiloApp *app);
FiloWorld *filo_app_world(const FiloApp *app);
FiloJobs *filo_app_jobs(const FiloApp *app);
FiloEvents *filo_app_events(const FiloApp *app);
FiloModules *filo_app_modules(const FiloApp *app);
FiloActions *filo_app_actions(const FiloApp *app);

// The path of a file of this game in the user's folder for data, ready to be written: the game's name is the folder, which
// is made if it is not there (filo_path_standard_file in filo/files.h). For saved games and scores:
//
//     char path[FILO_PATH_SIZE];
//     FiloResult r = filo_app_user_path(app, path, sizeof path, "slot 1.save");
//     if (r.code == FILO_OK) r = filo_world_save(filo_app_world(app), path, NULL);
FiloResult filo_app_user_path(const FiloApp *app, char *out, size_t size, const char *file);

// The object of a module by its type: FILO_APP_OBJECT(app, FiloAssets). NULL if no module that is loaded has
// one. Good until that module is unloaded. A module offers its own by FILO_PROVIDE_OBJECT(Type) in its
// description and FILO_SET_OBJECT in its `load`; nothing has to be added here. The same objects, and FiloApp,
// FiloWorld, FiloJobs, FiloEvents and FiloActions, are found inside of modules by FILO_OBJECT(modules, Type).
void *filo_app_object(const FiloApp *app, const char *type);
#define FILO_APP_OBJECT(app, Type) ((Type *)filo_app_object((app), #Type))
// Those that every app has, unless it left them out:
FiloAssets *filo_app_assets(const FiloApp *app);
FiloGfx2d *filo_app_gfx2d(const FiloApp *app);
FiloGpu *filo_app_gpu(const FiloApp *app); // NULL: the CPU draws
FiloWindow *filo_app_window(const FiloApp *app);

const FiloCommonArgs *filo_app_args(const FiloApp *app);
FiloBackend filo_app_backend(const FiloApp *app); // GL, CPU or NULL: what was chosen; without a window, NULL
// For `frame`, `extract` and `draw`: the input of the ticks since the last `frame`, so that a press is seen by
// exactly one frame, however many ticks it had; while paused, what the player does now, so that a key can end the
// pause. In systems, FiloInput is a global component.
const FiloInput *filo_app_input(const FiloApp *app);
// The same one by one, in the order in which they came: each change is shown to exactly one frame, in a pause too. For
// menus that wait for the next key and for lines of text. Good until the next `frame`.
const FiloInputChange *filo_app_input_changes(const FiloApp *app, size_t *count);
// Input from elsewhere than the window: a bot, a test, a touch screen, a network. The next tick that begins sees it
// like any other, as FiloInput and as event, and --record writes it. In a replay it is ignored, as what the
// player does is: the recording has what came then. Main thread, at any time: usually in `frame`.
void filo_app_collect(FiloApp *app, const FiloInputChange *change);

// What is decided outside of ticks, in a pause menu for example, and is to change the world: sends an event into the next
// tick, where it is delivered as if it had been emitted (filo_events_emit) after the events of the input. Unlike that, it
// is written by --record. In a replay it is ignored, as what the player does is: the recording has what was sent then.
//
//     filo_app_send(app, filo_name("restart"), NULL, NULL);                            // in `frame`
//     filo_app_send(app, filo_name("level"), FILO_TYPE(Level), &(Level){ .number = 3 });
//
// While paused it waits for the tick after the pause. A payload is at most FILO_APP_MESSAGE bytes large; it goes
// through JSON, so fields that are transient arrive as zeroes. Main thread, outside of ticks. False without memory, or
// after a caller's mistake.
#define FILO_APP_MESSAGE 256
bool filo_app_send(FiloApp *app, FiloName event, const FiloType *type, const void *payload);

// Ends the game after this frame. Between ticks or in `draw`; systems emit the event "quit".
void filo_app_quit(FiloApp *app);
#define FILO_EVENT_QUIT "quit"
// Escape, or closing the window, does not end the game any more: each is then the game's to handle. Escape is a key like
// others, for a menu; that the player closes the window is FiloInput.quit, for a question whether to save.
void filo_app_handle_escape(FiloApp *app, bool on);
void filo_app_handle_close(FiloApp *app, bool on);

void filo_app_pause(FiloApp *app, bool on); // no ticks; drawing goes on. A replay goes on: it has no pauses
bool filo_app_paused(const FiloApp *app);
void filo_app_step(FiloApp *app);                        // one tick while paused
void filo_app_set_time_scale(FiloApp *app, float scale); // 0.5: half as fast; 0 to 100
float filo_app_time_scale(const FiloApp *app);
double filo_app_time(const FiloApp *app);          // seconds of game time: all ticks so far
void filo_app_show_overlay(FiloApp *app, bool on); // F3 does too: see docs/app.md

// ---- Step by step -----------------------------------------------------------------------------------------

// For a program that has a loop of its own; with all that filo_run does before the first frame and after the last:
//
//     int exit_code;
//     FiloApp *app = filo_app_main(argc, argv, &desc, &exit_code);
//     if (app == NULL) return exit_code; // --help, or something was wrong, and was reported
//     while (filo_app_frame(app)) {}
//     return filo_app_main_end(app);
//
// One app at a time. Ctrl-C ends the game, as closing its window does.
FiloApp *filo_app_main(int argc, char **argv, const FiloAppDesc *desc, int *exit_code);
// Does what was asked for at the end (filo_app_finish), destroys the app, reports what went wrong, and returns what
// the program should.
int filo_app_main_end(FiloApp *app);

// For a program that has a command line of its own, or none. `args` as parsed, NULL: defaults; what it writes at the
// end goes to folders that exist. A recording does not have the program's own flags. desc->window may hand over a
// window or a context. Calls load, define and create. FILO_ERROR_MEMORY if memory has run out meanwhile, whatever these
// returned: they need not look at the result of each call.
FiloResult filo_app_create(FiloApp **app, const FiloAppDesc *desc, const FiloCommonArgs *args);
// One whole frame; false when the game should end.
bool filo_app_frame(FiloApp *app);
// Or its parts, in this order:
bool filo_app_poll(FiloApp *app);                // window and input; false when the game should end
int filo_app_tick(FiloApp *app, double seconds); // as many ticks as this much time asks for; returns how many
void filo_app_extract(FiloApp *app);
void filo_app_render(FiloApp *app); // draws; the next tick may run meanwhile
void filo_app_present(FiloApp *app);
// The picture of the state as it is now, not blended, as PNG. Images that are still being loaded are waited for; then
// `extract` and `draw` are called twice.
FiloResult filo_app_shot(FiloApp *app, const char *path);
// After the last frame: does what --hash, --stats, --shot, --trace, --record and --replay ask for at the end, as
// filo_run does; once. The first thing that went wrong, in the game or now: a replay that ended in another state, a
// file that cannot be written. Without a window it is FILO_ERROR_MEMORY if memory has run out since the app was created:
// an entity or an image may be missing from hash and picture. Without it a recording has no end.
FiloResult filo_app_finish(FiloApp *app);
void filo_app_destroy(FiloApp *app);

// ---- Numbers ------------------------------------------------------------------------------------------------

typedef struct FiloAppStats {
    uint64_t ticks, frames;
    double tick_mean_ms, tick_p50_ms, tick_p99_ms;
    double frame_mean_ms, frame_p50_ms, frame_p99_ms;
    double draw_mean_ms;
    double dropped_seconds;      // time that could not be caught up with
    double allocations_per_tick; // of the second half of the run
    double allocations_per_frame;
    size_t entities;
    double first_frame_ms; // from the start of the program
} FiloAppStats;
// Between ticks: not in `draw`.
FiloAppStats filo_app_stats(const FiloApp *app);
// A number of --stats by its name, also of modules ("draw_calls"); false if there is none. Between ticks.
bool filo_app_stat(const FiloApp *app, const char *name, double *value);

// ---- Life cycle ---------------------------------------------------------------------------------------------

// The app tells its life by events (filo/events.h), emitted at once, in this order. A start that fails half-way
// goes on with "game end", if it came to "game init".
#define FILO_EVENT_THREAD_INIT  "thread init"  // FiloThreadEvent; on each worker thread, once: see below
#define FILO_EVENT_GAME_INIT    "game init"    // modules that do not need a screen are loaded
#define FILO_EVENT_BACKEND_INIT "backend init" // window, graphics and sound are there: all modules are loaded
#define FILO_EVENT_GAME_START   "game start"   // everything is ready
#define FILO_EVENT_FRAME        "frame"        // FiloFrameEvent; each frame, between ticks
#define FILO_EVENT_GAME_END     "game end"     // give back what you made

// Handlers run on that thread, whatever their mode, one thread after the other, also on a thread that comes
// back later. They cannot emit, and must not wait for jobs (filo_events_emit_here).
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
