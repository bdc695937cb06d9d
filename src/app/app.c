// Creating an app, destroying it, and the accessors of a game.

#include "app/app.h"

#include <filo/check.h>
#include <filo/files.h>

#include <errno.h>
#include <string.h>

// ---- Core: threads, events, world, replay -----------------------------------------------------------------

static void handle_quit(const FiloEvent *event, void *user) {
    FILO_UNUSED(event);
    filo_app_quit(user);
}

static FiloResult open_replay(FiloApp *app) {
    if (app->args.replay == NULL) return filo_ok();
    FiloResult r = filo_input_replay_open(&app->replay, app->args.replay);
    if (r.code != FILO_OK) return r;
    const FiloInputLogHead *head = filo_input_replay_head(app->replay);
    if (!filo_string_equal(filo_string(head->game), filo_string(app->name)))
        return filo_error(FILO_ERROR_KIND, "%s: this is a recording of \"%s\", not of \"%s\"",
                          app->args.replay, head->game, app->name);
    if (!app_pacer_tick_valid(head->tick_seconds))
        return filo_error(FILO_ERROR_DATA, "%s: its ticks last %g seconds; %g to %g are possible",
                          app->args.replay, head->tick_seconds, APP_TICK_SHORTEST, APP_TICK_LONGEST);
    app->args.seed = head->seed;
    app->pacer.tick_seconds = head->tick_seconds;
    return filo_ok();
}

// The last step of the start, because it truncates the file: a start that fails must leave an older recording alone.
static FiloResult open_recorder(FiloApp *app, const char *flags) {
    if (app->args.record == NULL) return filo_ok();
    FiloInputLogHead head = { .seed = app->args.seed, .tick_seconds = app->pacer.tick_seconds };
    filo_string_copy(filo_string(app->name), head.game, sizeof head.game);
    filo_string_copy(filo_string(flags), head.flags, sizeof head.flags);
    return filo_input_recorder_create(&app->recorder, app->args.record, &head);
}

static FiloResult add_actions(FiloApp *app) {
    FiloResult r = filo_actions_create(&app->actions, NULL);
    for (size_t i = 0; i < app->desc.action_count && r.code == FILO_OK; i++)
        r = filo_actions_add(app->actions, &app->desc.actions[i]);
    return r;
}

static FiloResult create_core(FiloApp *app) {
    FiloResult r =
        filo_jobs_create(&app->jobs, &(FiloJobsDesc){ .threads = app->args.threads,
                                                      .thread_started = app_lifecycle_thread_started,
                                                      .user = &app->lifecycle });
    if (r.code == FILO_OK) r = filo_events_create(&app->events, &(FiloEventsDesc){ .jobs = app->jobs });
    if (r.code == FILO_OK) filo_modules_set_events(app->modules, app->events);
    if (r.code == FILO_OK) r = open_replay(app);
    if (r.code == FILO_OK)
        r = filo_world_create(&app->world, &(FiloWorldDesc){ .jobs = app->jobs,
                                                             .events = app->events,
                                                             .seed = app->args.seed,
                                                             .memory_budget = app->desc.memory_budget });
    if (r.code == FILO_OK) r = add_actions(app);
    app->command_event = filo_name(FILO_EVENT_COMMAND);
    if (r.code == FILO_OK) r = app_input_init(app);
    if (r.code == FILO_OK) r = app_objects_init(app);
    if (r.code != FILO_OK) return r;
    FiloSubscription quit = filo_events_subscribe(
        app->events,
        &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_QUIT), .function = handle_quit, .user = app });
    if (quit.generation == 0) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the events", app->name);
    return filo_ok();
}

// ---- Modules ----------------------------------------------------------------------------------------------

// Whether a module of the game has been registered already, instead of a built-in one of the same name.
static bool replaces_builtin(const FiloApp *app, size_t index, size_t builtin_count) {
    const char *name = app->desc.modules[index].name;
    for (size_t i = 0; i < index; i++) // the first of that name did; registering this one fails
        if (name != NULL && app->desc.modules[i].name != NULL && strcmp(app->desc.modules[i].name, name) == 0)
            return false;
    for (size_t i = 1; i < builtin_count; i++) // 0 is the app itself, which cannot be replaced
        if (name != NULL && strcmp(filo_modules_at(app->modules, i).name, name) == 0) return true;
    return false;
}

static FiloResult register_modules(FiloApp *app) {
    FiloResult r = app_module_register(app);
    if (r.code == FILO_OK) r = app_builtin_register(app);
    size_t builtin_count = filo_modules_count(app->modules);
    for (size_t i = 0; i < app->desc.module_count && r.code == FILO_OK; i++)
        if (!replaces_builtin(app, i, builtin_count))
            r = filo_modules_register(app->modules, &app->desc.modules[i]);
    if (r.code == FILO_OK && app->desc.setup != NULL) r = app->desc.setup(app);
    return r;
}

static FiloResult load_modules(FiloApp *app) {
    FiloResult r = filo_modules_load_core(app->modules);
    if (r.code != FILO_OK) return r;
    // After modules have subscribed, because each thread emits "thread init" once.
    if (!app_lifecycle_begin(&app->lifecycle, app->jobs, app->events))
        return filo_error(FILO_ERROR_MEMORY, "no memory to emit \"" FILO_EVENT_THREAD_INIT "\"");
    app_lifecycle_enter(&app->lifecycle, APP_STAGE_GAME_INIT);
    r = filo_modules_load_all(app->modules);
    if (r.code == FILO_OK) app_lifecycle_enter(&app->lifecycle, APP_STAGE_BACKEND_INIT);
    return r;
}

// ---- Starting ---------------------------------------------------------------------------------------------

// After a failed allocation, components, entities, systems or images may be missing.
FiloResult app_memory_result(const FiloApp *app, const char *consequence) {
    if (filo_out_of_memory_count() == app->out_of_memory_before) return filo_ok();
    return filo_error(FILO_ERROR_MEMORY, "%s: %s", consequence, filo_out_of_memory_result().message);
}

static FiloResult start_game(FiloApp *app, const char *flags) {
    FiloResult r = filo_ok();
    if (app->desc.load != NULL) r = app->desc.load(app);
    if (r.code == FILO_OK) r = app_objects_load(app);
    if (r.code == FILO_OK && !app->desc.load_in_background)
        r = filo_modules_call(app->modules, FILO_FRAME_WAIT);
    if (r.code == FILO_OK && app->desc.define != NULL) r = app->desc.define(app);
    if (r.code == FILO_OK) r = app_objects_define(app);
    if (r.code == FILO_OK) r = filo_modules_call(app->modules, FILO_FRAME_DEFINE);
    if (r.code == FILO_OK && app->desc.create != NULL) r = app->desc.create(app);
    app->created = r.code == FILO_OK;
    app_refuse_restore(app);
    if (r.code == FILO_OK) r = app_memory_result(app, "the game cannot begin without memory");
    if (r.code == FILO_OK) r = open_recorder(app, flags);
    if (r.code == FILO_OK) app_lifecycle_enter(&app->lifecycle, APP_STAGE_GAME_START);
    return r;
}

FiloResult app_create(FiloApp **app_out, const FiloAppDesc *desc) {
    FiloApp *app = filo_alloc_zero(NULL, sizeof *app, FILO_CACHE_LINE);
    *app_out = app;
    if (app == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the app");
    app->out_of_memory_before = filo_out_of_memory_count();
    if (desc != NULL) app->desc = *desc;
    app->args = app->desc.defaults;
    const char *name = app->desc.name != NULL ? app->desc.name : program_invocation_short_name;
    filo_string_copy(filo_string(name), app->name, sizeof app->name);
    app_pacer_init(&app->pacer, &app->desc);
    app_lifecycle_init(&app->lifecycle);
    if (!app_metrics_init(&app->metrics)) return filo_error(FILO_ERROR_MEMORY, "no memory for the app");
    FiloResult r = filo_modules_create(&app->modules, NULL);
    if (r.code != FILO_OK) return r;
    app->frame = filo_modules_frame(app->modules);
    app->frame->tick_seconds = app->pacer.tick_seconds;
    return register_modules(app);
}

FiloResult app_start(FiloApp *app, const FiloCommonArgs *args, const char *flags) {
    if (args != NULL) app->args = *args;
    app->profiling = app->args.trace != NULL;
    if (app->profiling) filo_profile_start(NULL);
    FiloResult r = create_core(app);
    app->frame->tick_seconds = app->pacer.tick_seconds; // open_replay may have changed it
    if (r.code == FILO_OK) r = load_modules(app);
    if (r.code == FILO_OK) r = start_game(app, flags);
    return r;
}

FiloResult filo_app_create(FiloApp **app, const FiloAppDesc *desc, const FiloCommonArgs *args) {
    if (app == NULL) return FILO_MISTAKE("pass where to put the app");
    FiloApp *made;
    FiloResult r = app_create(&made, desc);
    if (r.code == FILO_OK) r = app_start(made, args, "");
    if (r.code != FILO_OK) {
        filo_app_destroy(made);
        made = NULL;
    }
    *app = made;
    return r;
}

// ---- Destroying -------------------------------------------------------------------------------------------

void filo_app_destroy(FiloApp *app) {
    if (app == NULL) return;
    app_restore_signals(app);
    app_wait_for_tick(app);
    if (app->created && app->desc.end != NULL) app->desc.end(app);
    app_lifecycle_end(&app->lifecycle);
    if (app->modules != NULL) (void)filo_modules_unload_all(app->modules); // failures are logged
    app_rewind_deinit(app); // its snapshots have components of the world
    filo_world_destroy(app->world);
    filo_input_recorder_destroy(app->recorder);
    filo_input_replay_close(app->replay);
    filo_actions_destroy(app->actions);
    filo_modules_destroy(app->modules);
    app_builtin_free(app);
    filo_events_destroy(app->events);
    if (app->jobs != NULL) filo_jobs_destroy(app->jobs, FILO_JOBS_FINISH);
    app_lifecycle_deinit(&app->lifecycle);
    app_metrics_deinit(&app->metrics);
    if (app->profiling) filo_profile_stop();
    filo_array_deinit(&app->changes);
    filo_array_deinit(&app->summary_changes);
    app_messages_deinit(&app->messages);
    app_objects_deinit(app);
    filo_free(NULL, app, sizeof *app, FILO_CACHE_LINE);
}

// ---- Accessors --------------------------------------------------------------------------------------------

void *filo_app_user(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? app->desc.user : NULL;
}
FiloWorld *filo_app_world(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? app->world : NULL;
}
FiloJobs *filo_app_jobs(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? app->jobs : NULL;
}
FiloEvents *filo_app_events(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? app->events : NULL;
}
FiloModules *filo_app_modules(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? app->modules : NULL;
}
FiloActions *filo_app_actions(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? app->actions : NULL;
}
void *filo_app_object(const FiloApp *app, const char *type) {
    return FILO_CHECK(app != NULL, "pass an app") ? filo_modules_object(app->modules, type) : NULL;
}
FiloResult filo_app_user_path(const FiloApp *app, char *out, size_t size, const char *file) {
    if (app == NULL) return FILO_MISTAKE("pass an app to filo_app_user_path");
    return filo_path_standard_file(out, size, FILO_FOLDER_USER_DATA, app->name, file);
}
const FiloCommonArgs *filo_app_args(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? &app->args : NULL;
}

// Release: pairs with the acquire in is_over; handlers call this on any thread.
void filo_app_quit(FiloApp *app) {
    if (FILO_CHECK(app != NULL, "pass an app")) __atomic_store_n(&app->quit, true, __ATOMIC_RELEASE);
}
void filo_app_handle_close(FiloApp *app, bool on) {
    if (FILO_CHECK(app != NULL, "pass an app")) app->handles_close = on;
}
void filo_app_handle_escape(FiloApp *app, bool on) {
    if (FILO_CHECK(app != NULL, "pass an app")) app->handles_escape = on;
}

void filo_app_pause(FiloApp *app, bool on) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return;
    app->paused = on;
    app->steps = 0;
}
bool filo_app_paused(const FiloApp *app) { return FILO_CHECK(app != NULL, "pass an app") && app->paused; }

void filo_app_step(FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return;
    if (!FILO_CHECK(app->paused, "filo_app_step is for a game that is paused: call filo_app_pause first"))
        return;
    app->steps++;
}

void filo_app_set_time_scale(FiloApp *app, float scale) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return;
    if (!FILO_CHECK(scale >= 0 && scale <= 100, "a time scale is 0 to 100, not %g", (double)scale)) return;
    app->pacer.scale = scale;
}
float filo_app_time_scale(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? app->pacer.scale : 0;
}
float filo_app_blend(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? app->frame->blend : 0;
}
double filo_app_time(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? app->metrics.game_seconds : 0;
}
void filo_app_show_overlay(FiloApp *app, bool on) {
    if (FILO_CHECK(app != NULL, "pass an app")) app->frame->debug_view = on;
}
