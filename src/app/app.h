// The inside of an app.
//
// An app is made of modules in a registry, and of a frame (frame.c) that goes through what they have hooked in.
// The only file that knows Filo's own modules by name is builtin.c. Between the frame and the clock stands a
// pacer (pacer.c), which turns the time that has passed into ticks.
//
// Where a tick may be running, and who may touch what:
//
//   poll     main; the window and the collector of input only. The last tick may still be running.
//   tick     waits for it. From here to the end of extract no tick is running: the world belongs to main.
//   extract  main and workers; reads the world.
//   render   starts the tick that was kept for it, if any, on the workers; draws meanwhile, without the world.
//   present  main; the window only.
//
// A running tick touches the world and its own AppRunningTick, nothing else of the app: its numbers are taken
// from there when it has been waited for. Only `quit` is set by any thread.

#ifndef FILO_APP_APP_H
#define FILO_APP_APP_H

#include <filo/app.h>
#include <filo/containers.h>
#include <filo/log.h>
#include <filo/profile.h>
#include <filo/time.h>

#include "app/life.h"
#include "app/pacer.h"

typedef struct AppBuiltin AppBuiltin; // builtin.c

// A tick. While it is running, beside drawing, all but `running` belongs to it.
typedef struct AppRunningTick {
    FiloJob job;
    bool running;
    float delta;
    int64_t duration_ns;
    uint64_t allocations;
    FiloResult result;
} AppRunningTick;

typedef struct AppNumbers {
    FiloStopwatch ticks, frames, draws;
    int64_t started_ns; // when the app was created
    int64_t first_ns;   // when its first frame was done
    int64_t frame_ns;   // when the last frame began
    uint64_t frame_count;
    double game_seconds;                          // of all ticks
    uint64_t tick_allocations, frame_allocations; // of the second half
    uint64_t counted_ticks, counted_frames;
    uint64_t frame_calls; // filo_memory_system_calls at the beginning of the frame
} AppNumbers;

// What was sent since the last tick (message.c). The texts follow each other in `texts`, in the order of the list.
typedef struct AppMessages {
    FiloArray(FiloInputMessage) list;
    FiloBuilder texts;
} AppMessages;

struct FiloApp {
    FiloAppDesc desc;
    FiloCommonArgs args;
    char name[64];
    AppBuiltin *builtin;

    AppLife life;
    bool heeds_signals; // Ctrl-C and the like end it: run.c
    FiloJobs *jobs;
    FiloEvents *events;
    FiloModules *modules;
    FiloFrame *frame; // of the modules
    FiloWorld *world;

    FiloActions *actions;
    FiloInputCollector collector;       // what happened since the last tick
    FiloArray(FiloInputChange) changes; // the same in its order, for events and the recording
    FiloInputSummary summary;           // of the ticks since the last `frame`: filo_app_input
    // The same in its order: what `frame` was shown, then what came since.
    FiloArray(FiloInputChange) summary_changes;
    size_t shown_changes;
    AppMessages messages;
    FiloComponent input_component; // what the tick sees, in the world
    FiloInputRecorder *recorder;
    const char *flags; // for the recorder; while the app is created
    FiloInputReplay *replay;
    FiloName input_event;

    AppPacer pacer;
    bool paused, keep_open, keep_escape;
    int64_t leaving_ns;   // since when the player wants to leave and no tick has seen it; 0: not
    int steps;            // ticks that were asked for while paused
    bool quit;            // atomic: a handler may set it on any thread
    bool profiling;       // for --trace
    bool finished;        // filo_app_finish was called
    bool created;         // `create` has succeeded, so `end` is called
    bool drawn;           // this frame was extracted and is to be rendered
    bool drawing;         // inside of rendering
    bool record_failed;   // nothing is recorded any more
    bool unwatched;       // frames are not drawn, so no tick is kept for render
    bool tick_kept;       // a tick is due, and kept for render
    bool tick_ahead;      // the last tick ran beside drawing, and the clock has not asked for another since
    uint64_t ticks_begun; // the world's own count may be changing
    float kept_delta;
    double last_seconds; // of the clock, passed to the last filo_app_tick
    AppRunningTick tick;
    uint64_t refusals;  // filo_out_of_memory_count when it was created
    FiloResult failure; // the first thing that ended the game

    AppNumbers numbers;
};

// ---- builtin.c ----

// Registers the modules that every app has, in the order in which they come; those of the game that have the
// same name instead.
FiloResult app_builtin_register(FiloApp *app);
// When no module is registered any more.
void app_builtin_free(FiloApp *app);

// ---- module.c ----

// The app as a module: what it provides, the numbers that it tells, and the game's `draw`.
FiloResult app_module_register(FiloApp *app);

// ---- input.c ----

// Of the collector: asks the modules. `user` is the app.
bool app_filter_input(const FiloInputChange *change, void *user);

// Whether the player wants to leave and no tick will see it soon.
bool app_asked_to_leave(FiloApp *app);
// While no ticks run: filo_app_input follows the player all the same.
void app_take_input(FiloApp *app);
// Before `frame`: what it has seen once is not shown to it again.
void app_forget_seen_input(FiloApp *app);
// Gives the next tick its input: from the player or a recording, which may know another length of the tick.
// False when there is no further tick.
bool app_prepare_tick(FiloApp *app, float *delta);
// Whether all ticks of the recording were run. An error if the rest of it is broken.
FiloResult app_replay_ended(FiloApp *app, bool *ended);

// ---- message.c ----

// All that wait, in the order in which they were sent; until the next one is.
const FiloInputMessage *app_messages_take(AppMessages *messages, size_t *count);
void app_messages_clear(AppMessages *messages);
void app_messages_deinit(AppMessages *messages);
// Emits the event of a message, which may come from a file.
FiloResult app_message_emit(FiloApp *app, const FiloInputMessage *message);

// ---- flags.c ----

typedef struct AppFlags {
    FiloFlag all[FILO_ARGS_MAX_FLAGS]; // the game's, then those of modules
    size_t count;
    uint64_t before[FILO_ARGS_MAX_FLAGS]; // hashes of what they were without being given
    char recorded[FILO_INPUT_FLAGS];      // flags of a recording: the variables of texts point into it
} AppFlags;

// Before the command line is read. Two of one name are refused, and more than fit.
FiloResult app_flags_gather(AppFlags *flags, const FiloAppDesc *desc, const FiloModules *modules);
// Those that are different now, for FiloInputLogHead.flags.
FiloResult app_flags_print(const AppFlags *flags, char text[FILO_INPUT_FLAGS]);
// Gives the flags of a recording to the variables of game and modules. `flags` must stay as long as they are used.
// `program` NULL: whatever the recording says.
FiloResult app_flags_read(AppFlags *flags, const char *program, const char *path);

// ---- app.c ----

// filo_app_create in two steps: with the modules registered; and, when the arguments are known, all the rest.
// `flags`: what a recording is to have. After a failure of either, destroy what there is.
FiloResult app_begin(FiloApp **app, const FiloAppDesc *desc);
FiloResult app_start(FiloApp *app, const FiloCommonArgs *args, const char *flags);
// FILO_OK, or an error that says what follows if memory has run out since the app was created.
FiloResult app_memory_result(const FiloApp *app, const char *consequence);

// ---- run.c ----

// Whether the process was told to end (Ctrl-C), and the app heeds that.
bool app_told_to_end(const FiloApp *app);
void app_give_signals_back(FiloApp *app);

// ---- ticks.c ----

// One tick now, on the calling thread.
void app_run_tick(FiloApp *app, float delta);
// Starts one beside drawing.
void app_start_tick(FiloApp *app, float delta);
// Waits for it, if there is one.
void app_finish_tick(FiloApp *app);
// Whether ticks may run beside drawing.
bool app_may_overlap(const FiloApp *app);
// Whether ticks wait for filo_app_step.
bool app_stands_still(const FiloApp *app);
// Whether the ticks that the command line asked for have been run, or somebody has asked to quit.
bool app_is_over(const FiloApp *app);
void app_fail(FiloApp *app, FiloResult result);

// ---- frame.c ----

// Calls what modules have for a part of the frame. A failure ends the game.
void app_call(FiloApp *app, FiloFramePart part);
// Whether there can be a picture of this name at all.
FiloResult app_check_shot(FiloBackend backend, const char *path);

// ---- stats.c ----

// For the module of the app.
void app_tell_stats(FiloStats *stats, void *app);
bool app_numbers_init(AppNumbers *numbers);
void app_numbers_deinit(AppNumbers *numbers);
void app_count_tick(FiloApp *app, const AppRunningTick *tick);
void app_count_frame(FiloApp *app);
// The line of JSON of --stats.
void app_print_stats(const FiloApp *app);

#endif
