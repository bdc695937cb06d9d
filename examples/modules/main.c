// Two modules that do not depend on each other, and communicate through events.
//
// "weather" handles each event "hour" and emits "rain". "garden" handles "rain", from any module, and needs a module
// that provides the interface Bucket; there are two, and the game chooses one. Modules share only the payloads of
// events, and the interface.
//
// Try: choose "wooden bucket" in main, leave the weather out, or let the garden need a module that does not exist.

#include <filo/args.h>
#include <filo/check.h>
#include <filo/events.h>
#include <filo/log.h>
#include <filo/modules.h>

#include <stdio.h>
#include <stdlib.h>

// ---- Shared by modules: two payloads and an interface -------------------------------------------------

typedef struct Hour {
    uint32_t number; // counted from 0
} Hour;
FILO_REFLECT(Hour, FILO_FIELD(uint32_t, number))

typedef struct Rain {
    float litres;
} Rain;
FILO_REFLECT(Rain, FILO_FIELD(float, litres, .min = 0, .unit = "l"))

typedef struct Bucket {
    void (*fill)(float litres);
    float (*content)(void);
} Bucket;
#define Bucket_VERSION FILO_VERSION(1, 0, 0)

// ---- weather: rain in every second hour ---------------------------------------------------------------

static void make_rain(const FiloEvent *event, void *user) {
    (void)user;
    const Hour *hour = event->payload;
    Rain rain = { 0.5f + (float)hour->number };
    if (hour->number % 2 == 0) filo_event_record(event->recorder, filo_name("rain"), FILO_TYPE(Rain), &rain);
}

static FiloResult load_weather(FiloModules *modules, void *user) {
    FiloHandlerDesc on_hour = {
        .event = filo_name("hour"), .type = FILO_TYPE(Hour), .function = make_rain, .owner = user
    };
    filo_events_subscribe(filo_modules_events(modules), &on_hour);
    puts("weather: loaded");
    return filo_ok();
}

static FiloResult unload(FiloModules *modules, void *user) {
    filo_events_unsubscribe_owner(filo_modules_events(modules), user);
    printf("%s: unloaded\n", (const char *)user);
    return filo_ok();
}

static char weather_name[] = "weather";
static const FiloModuleDesc weather = { .name = weather_name,
                                        .version = FILO_VERSION(1, 0, 0),
                                        .load = load_weather,
                                        .unload = unload,
                                        .user = weather_name };

// ---- two buckets: two modules with the same interface -------------------------------------------------

static float in_wood, in_tin;

static void fill_wood(float litres) { in_wood += litres * 0.5f; } // it leaks
static float wood_content(void) { return in_wood; }
static void fill_tin(float litres) { in_tin += litres; }
static float tin_content(void) { return in_tin; }

static const Bucket wood = { fill_wood, wood_content }, tin = { fill_tin, tin_content };
static const FiloModuleProvide wooden_provides[] = { FILO_PROVIDE(Bucket, &wood) };
static const FiloModuleProvide tin_provides[] = { FILO_PROVIDE(Bucket, &tin) };

static const FiloModuleDesc wooden_bucket = {
    .name = "wooden bucket", .version = FILO_VERSION(1, 0, 0), .provides = wooden_provides, .provide_count = 1
};
static const FiloModuleDesc tin_bucket = {
    .name = "tin bucket", .version = FILO_VERSION(2, 1, 0), .provides = tin_provides, .provide_count = 1
};

// ---- garden: collects rain in the bucket --------------------------------------------------------------

static void collect(const FiloEvent *event, void *user) {
    const Bucket *bucket = FILO_INTERFACE((FiloModules *)user, Bucket);
    const Rain *rain = event->payload;
    bucket->fill(rain->litres);
    printf("tick %d: %.1f litres of rain, %.1f in the bucket\n", (int)event->tick, (double)rain->litres,
           (double)bucket->content());
}

static char garden_name[] = "garden";

static FiloResult load_garden(FiloModules *modules, void *user) {
    FiloHandlerDesc on_rain = { .event = filo_name("rain"),
                                .type = FILO_TYPE(Rain),
                                .function = collect,
                                .user = modules,
                                .owner = user };
    filo_events_subscribe(filo_modules_events(modules), &on_rain);
    printf("garden: loaded, with a %s\n", filo_modules_provider(modules, "Bucket"));
    return filo_ok();
}

static const FiloModuleNeed garden_needs[] = { FILO_NEED_INTERFACE(Bucket) };
static const FiloModuleDesc garden = { .name = garden_name,
                                       .version = FILO_VERSION(1, 0, 0),
                                       .needs = garden_needs,
                                       .need_count = 1,
                                       .load = load_garden,
                                       .unload = unload,
                                       .user = garden_name };

// ---- main ---------------------------------------------------------------------------------------------

// Ends the program with a message if something could not be created.
static void require(FiloResult r) {
    if (r.code == FILO_OK) return;
    filo_log_error("modules", "%s", r.message);
    exit(1);
}

int main(int argc, char **argv) {
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Two modules communicate through events: rain falls into a garden.",
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_FRAMES | FILO_ARGS_SEED | FILO_ARGS_HASH |
                                     FILO_ARGS_STATS | FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    FiloJobs *jobs;
    FiloEvents *events;
    FiloModules *modules;
    require(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = args.common.threads }));
    require(filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs }));
    require(filo_modules_create(&modules, &(FiloModulesDesc){ .events = events }));

    // In any order: the garden is loaded after the bucket that was chosen.
    const FiloModuleDesc *all[] = { &garden, &wooden_bucket, &tin_bucket, &weather };
    for (size_t i = 0; i < FILO_COUNT_OF(all); i++) require(filo_modules_register(modules, all[i]));
    require(filo_modules_choose(modules, "Bucket", "tin bucket"));
    require(filo_modules_load_all(modules));

    for (uint32_t i = 0; i < 4; i++) {
        filo_events_emit_now(events, filo_name("hour"), FILO_TYPE(Hour), &(Hour){ i });
        filo_events_deliver(events);
    }
    require(filo_out_of_memory_result()); // of events that could not be recorded

    filo_modules_destroy(modules);
    filo_events_destroy(events);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return 0;
}

// Prints, on any number of threads:
//
//  garden: loaded, with a tin bucket
//  weather: loaded
//  tick 0: 0.5 litres of rain, 0.5 in the bucket
//  tick 2: 2.5 litres of rain, 3.0 in the bucket
//  weather: unloaded
//  garden: unloaded
