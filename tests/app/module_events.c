// Modules that subscribe to the events of the life cycle.

#include "picture.h"

// ---- Threads ----------------------------------------------------------------------------------------------

typedef struct Threads {
    FiloApp *app;
    int events[32]; // by worker
} Threads;

static void count_thread(const FiloEvent *event, void *user) {
    Threads *threads = user;
    const FiloThreadEvent *thread = event->payload;
    assert_int_equal(filo_jobs_worker(filo_app_jobs(threads->app)), thread->worker);
    threads->events[thread->worker]++;
}

static FiloResult watch_threads(FiloModules *modules, void *user) {
    Threads *threads = user;
    threads->app = FILO_OBJECT(modules, FiloApp);
    filo_events_subscribe(filo_modules_events(modules),
                          &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_THREAD_INIT),
                                              .type = FILO_TYPE(FiloThreadEvent),
                                              .function = count_thread,
                                              .user = threads });
    return filo_ok();
}

FILO_TEST(a_module_receives_thread_init_once_on_every_worker_thread) {
    const int counts[] = { 1, 2, 4, 8, 16 };
    for (size_t i = 0; i < FILO_COUNT_OF(counts); i++) {
        Threads threads = { 0 };
        const FiloModuleDesc module = { .name = "threads", .user = &threads, .load = watch_threads };
        FiloAppDesc desc = game_with(&module, 1);
        FiloCommonArgs args = drawn_by(FILO_BACKEND_NULL, counts[i]);
        FiloApp *app = start(&desc, &args);
        for (int w = 0; w < counts[i]; w++) assert_int_equal(threads.events[w], 1);
        run_frames(app, 3);
        for (int w = counts[i]; w < 32; w++) assert_int_equal(threads.events[w], 0);
        filo_app_destroy(app);
    }
}

// ---- Life cycle -------------------------------------------------------------------------------------------

static char history[256];

static void log_event(const FiloEvent *event, void *user) {
    FILO_UNUSED(user);
    size_t length = strlen(history);
    snprintf(history + length, sizeof history - length, "%s, ", filo_name_text(event->name));
}

static FiloResult load(FiloModules *modules, void *user) {
    const char *names[] = { FILO_EVENT_GAME_INIT, FILO_EVENT_BACKEND_INIT, FILO_EVENT_GAME_START,
                            FILO_EVENT_GAME_END };
    size_t length = strlen(history);
    snprintf(history + length, sizeof history - length, "load %s, ", (const char *)user);
    for (size_t i = 0; strcmp(user, "core") == 0 && i < FILO_COUNT_OF(names); i++)
        filo_events_subscribe(filo_modules_events(modules),
                              &(FiloHandlerDesc){ .event = filo_name(names[i]), .function = log_event });
    return filo_ok();
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    size_t length = strlen(history);
    snprintf(history + length, sizeof history - length, "unload %s, ", (const char *)user);
    return filo_ok();
}

FILO_TEST(backend_modules_are_loaded_between_game_init_and_backend_init) {
    const FiloModuleDesc modules[] = {
        { .name = "late", .user = "late", .load = load, .unload = unload, .backend = true },
        { .name = "core", .user = "core", .load = load, .unload = unload },
    };
    history[0] = '\0';
    FiloAppDesc desc = game_with(modules, 2);
    FiloApp *app = start(&desc, &headless);
    run_frames(app, 1);
    filo_app_destroy(app);
    assert_string_equal(history, "load core, game init, load late, backend init, game start, game end, "
                                 "unload late, unload core, ");
}
