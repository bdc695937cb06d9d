// Private state of an app, and the functions that its sources share.
//
// An app consists of modules in a registry and of a frame (frame.c) that calls their hooks. builtin.c is the only file
// that names Filo's own modules. The pacer (pacer.c) converts the time that has passed into ticks.
//
// The steps of a frame, and what each may access:
//
//   poll     main thread; the window and the input collector only. The last tick may still be running.
//   tick     waits for that tick. From here to the end of extract no tick is running, and main may use the world.
//   extract  main thread and workers; reads the world.
//   render   main thread; starts the deferred tick, if any, on the workers, and draws without the world.
//   present  main thread; the window only.
//
// A running tick accesses the world and app->tick, and nothing else of the app. Main reads app->tick after it has
// waited for the tick. `quit` is the only field that any thread may set.

#ifndef FILO_APP_APP_H
#define FILO_APP_APP_H

#include <filo/app.h>
#include <filo/containers.h>
#include <filo/inspector.h>
#include <filo/log.h>
#include <filo/profile.h>
#include <filo/time.h>

#include "app/lifecycle.h"
#include "app/pacer.h"

typedef struct AppBuiltin AppBuiltin; // builtin.c

// The current tick, or the last one. While it overlaps drawing, all fields but `running` belong to its job.
typedef struct AppTick {
    FiloJob job;
    bool running; // overlaps drawing, and has not been waited for
    float delta;
    int64_t duration_ns;
    uint64_t allocations;
    FiloResult result;
    FiloArray(FiloWindowAction) window_actions; // what objects want of the window, after the tick (objects.c)
} AppTick;

#define APP_ACCOUNTS 64 // accounts of memory whose allocations are told apart

typedef struct AppMetrics {
    FiloStopwatch ticks, frames, draws;
    int64_t started_ns; // when the app was created
    int64_t first_ns;   // end of the first frame
    int64_t frame_ns;   // start of the last frame
    uint64_t frame_count;
    double game_seconds;                          // sum over all ticks
    uint64_t tick_allocations, frame_allocations; // of the second half of the run
    uint64_t counted_ticks, counted_frames;
    FiloMemoryStats warm[APP_ACCOUNTS]; // accounts of memory when the counting began
    size_t warm_count;
    char allocations[256]; // --stats: what was allocated since, by account
    uint64_t frame_calls;  // filo_memory_system_calls at the start of the frame
} AppMetrics;

// Messages sent since the last tick (message.c). `texts` holds their texts one after the other, in the order of `list`.
typedef struct AppMessages {
    FiloArray(FiloInputMessage) list;
    FiloBuilder texts;
} AppMessages;

// States of the last ticks (rewind.c).
typedef struct AppRewind {
    FiloHeap heap;        // of all states
    FiloHistory *history; // NULL: none are kept
    size_t length;        // of states, at most; 0: none
    double *seconds;      // game time of each state, by tick % length
    FiloResult problem;   // why no more states are kept
    double push_ms;       // duration of the last push
    bool active;          // an earlier state is shown, and no tick runs
    size_t back;          // which one
    FiloSnapshot *present, *shown;
    double present_seconds;
} AppRewind;

struct FiloApp {
    FiloUiView view; // that calls FiloAppDesc.ui
    FiloAppDesc desc;
    FiloCommonArgs args;
    char name[64];
    AppBuiltin *builtin;

    AppLifecycle lifecycle;
    bool handles_signals; // signals such as SIGINT end the game (run.c)
    FiloJobs *jobs;
    FiloEvents *events;
    FiloModules *modules;
    FiloFrame *frame; // shared with the modules
    FiloWorld *world;

    FiloActions *actions;
    FiloInputCollector collector;       // input since the last tick, as a state
    FiloArray(FiloInputChange) changes; // the same input as a list, for events and the recording
    FiloInputSummary summary;           // input of the ticks since the last `frame`: filo_app_input
    // The changes that `frame` was shown (the first `shown_changes`), then those that came since.
    FiloArray(FiloInputChange) summary_changes;
    size_t shown_changes;
    AppMessages messages;
    FiloComponent input_component; // the global FiloInput that ticks read
    FiloInputRecorder *recorder;
    FiloInputReplay *replay;
    FiloName input_event;
    FiloName result_event;        // messages that are results of functions (objects.c)
    FiloName command_event;       // messages that are commands (command.c)
    bool has_unrecorded_commands; // since the last tick
    uint64_t recorded_hash;       // of the world before these
    AppRewind rewind;
    FiloInspectorHost inspector_host;

    AppPacer pacer;
    bool paused, handles_close, handles_escape;
    int64_t quit_wanted_ns; // when the player first wanted to quit, while no tick has seen it; 0: does not
    int steps;              // ticks requested by filo_app_step
    bool quit;              // atomic: a handler may set it on any thread
    bool profiling;         // for --trace
    bool finished;          // filo_app_finish was called
    bool created;           // `create` has succeeded, so `end` is called
    bool extracted;         // this frame was extracted and can be rendered
    bool drawing;           // the render hooks are running
    bool record_failed;     // recording has stopped
    bool skips_drawing;     // frames are not drawn, so no tick is deferred to render
    bool tick_deferred;     // a tick is due, and is to overlap drawing
    bool tick_ahead;        // the last tick overlapped drawing, and no further one has become due since
    uint64_t ticks_begun;   // the world's own count may be changing
    double still_seconds;   // of frames since the last tick, in which the game was paused or rewound
    float deferred_delta;
    double last_seconds; // argument of the last filo_app_tick
    AppTick tick;
    uint64_t out_of_memory_before; // filo_out_of_memory_count when the app was created
    FiloResult failure;            // the first failure that ended the game

    AppMetrics metrics;
};

// ---- builtin.c ----

// Registers the modules that every app has, in their order. A module of the game with the same name replaces one.
FiloResult app_builtin_register(FiloApp *app);
// After all modules have been unregistered.
void app_builtin_free(FiloApp *app);

// ---- module.c ----

// Registers the app itself as a module: its objects, its statistics, and the game's `draw`.
FiloResult app_module_register(FiloApp *app);

// ---- input.c ----

// Adds FiloInput to the world and declares FILO_EVENT_INPUT. Needs the world, the events and the actions.
FiloResult app_input_init(FiloApp *app);
// Whether the player wants to quit, and no tick will see it soon.
bool app_wants_to_quit(FiloApp *app);
// While paused: moves what was collected to filo_app_input, without a tick.
void app_take_paused_input(FiloApp *app);
// Before `frame`: removes what the last `frame` was shown.
void app_advance_input_summary(FiloApp *app);
// Moves the input of the next tick into the world: what was collected, or the next tick of a recording. `delta` is the
// tick's length, unless the recording has another. False when there is no further tick.
bool app_prepare_tick(FiloApp *app, float delta);

// ---- message.c ----

// All messages that wait, in the order in which they were sent. Valid until the next one is sent.
const FiloInputMessage *app_messages_list(AppMessages *messages, size_t *count);
void app_messages_clear(AppMessages *messages);
void app_messages_deinit(AppMessages *messages);
// Adds a message. False without memory.
bool app_messages_queue(AppMessages *messages, FiloName event, FiloString text);
// Reads the value of a message of this name, which may come from a file.
FiloResult app_message_read(const FiloType *type, void *value, FiloJsonReader *reader, const char *name,
                            FiloNameBatch *names);
// Emits the event of a message, which may come from a file.
FiloResult app_message_emit(FiloApp *app, const FiloInputMessage *message);

// ---- command.c ----

// Whether a message is a command, and not an event.
bool app_command_is(const FiloApp *app, FiloName event);
// Applies the commands among the messages of a recorded tick.
FiloResult app_commands_replay(FiloApp *app, const FiloInputMessage *messages, size_t count);

// ---- host.c ----

// The functions that the inspector calls.
FiloInspectorHost app_inspector_host(FiloApp *app);

// ---- rewind.c ----

// Keeps the state of the world, if states are kept.
void app_rewind_after_tick(FiloApp *app);
// Once `create` has returned: a recording has input and no states, so the game may restore none while it is recorded or
// replayed.
void app_refuse_restore(FiloApp *app);
// Puts the world into its present state, if an earlier one is shown.
FiloResult app_rewind_end(FiloApp *app);
void app_rewind_deinit(FiloApp *app);

// ---- objects.c ----

// After the world and the replay were made.
FiloResult app_objects_init(FiloApp *app);
void app_objects_deinit(FiloApp *app);
// Requests the resources of the description.
FiloResult app_objects_load(FiloApp *app);
// Adds the kinds of the description, and creates its camera. Resources have been waited for.
FiloResult app_objects_define(FiloApp *app);
// Does to the window what objects wanted in the last tick. Main thread, between ticks.
void app_objects_after_tick(FiloApp *app);
// Whether a message is the result of a function, and not an event.
bool app_objects_is_result(const FiloApp *app, FiloName event);
// Passes it to its object. It may come from a file.
FiloResult app_objects_enter_result(FiloApp *app, const FiloInputMessage *message);

// ---- flags.c ----

typedef struct AppFlags {
    FiloFlag all[FILO_ARGS_MAX_FLAGS]; // the game's, then those of modules
    size_t count;
    uint64_t default_hashes[FILO_ARGS_MAX_FLAGS]; // of the values before the command line was read
    char recorded[FILO_INPUT_FLAGS];              // flags of a recording: string variables point into it
} AppFlags;

// Before the command line is read. Fails if two flags have the same name, or there are too many.
FiloResult app_flags_collect(AppFlags *flags, const FiloAppDesc *desc, const FiloModules *modules);
// Prints the flags whose values have changed, for FiloInputLogHead.flags.
FiloResult app_flags_print(const AppFlags *flags, char text[FILO_INPUT_FLAGS]);
// Sets the variables of game and modules from flags->recorded, which `path` held, and changes that text. `flags` must
// live as long as the variables are used. Only flags that recordings hold are set, and none that names a file: fails if
// one of these is in the text and was not on the command line, which must have been read before.
FiloResult app_flags_apply(AppFlags *flags, const char *program, const char *path);
// The same with the flags of a recording. One of another program than `program` is ignored; NULL accepts any.
FiloResult app_flags_apply_recording(AppFlags *flags, const char *program, const char *path);

// ---- app.c ----

// filo_app_create in two steps: app_create registers the modules; app_start loads them and starts the game, once the
// arguments are known. `flags` are written to a recording. After a failure of either, call filo_app_destroy.
FiloResult app_create(FiloApp **app, const FiloAppDesc *desc);
FiloResult app_start(FiloApp *app, const FiloCommonArgs *args, const char *flags);
// FILO_ERROR_MEMORY, with `consequence` in the message, if memory has run out since the app was created.
FiloResult app_memory_result(const FiloApp *app, const char *consequence);

// ---- run.c ----

// Whether the process has received SIGINT or the like, and the app handles signals.
bool app_interrupted(const FiloApp *app);
void app_restore_signals(FiloApp *app);

// ---- frame.c ----

// Ends the game. The first failure is what filo_app_finish returns.
void app_fail(FiloApp *app, FiloResult result);
// Calls the hooks of modules for a part of the frame. A failure ends the game.
void app_call_hooks(FiloApp *app, FiloFramePart part);
// Runs one tick on the calling thread.
void app_run_tick(FiloApp *app, float delta);
// Waits for the tick that overlaps drawing, if there is one.
void app_wait_for_tick(FiloApp *app);
// Whether a picture of this name can be written.
FiloResult app_check_shot_path(FiloBackend backend, const char *path);

// ---- stats.c ----

// The `stats` function of the app's module.
void app_report_stats(FiloStats *stats, void *app);
bool app_metrics_init(AppMetrics *metrics);
void app_metrics_deinit(AppMetrics *metrics);
void app_count_tick(FiloApp *app);
void app_count_frame(FiloApp *app);
// Prints the line of JSON of --stats.
void app_print_stats(FiloApp *app);

#endif
