// Two modules that do not know each other, speaking through events.
//
// "weather" hears of each "hour" and emits "rain"; it knows no other module. "garden" hears of rain, wherever it
// comes from, and needs a module that provides the interface Bucket; there are two, and the game chooses one.
// Nothing here includes anything of another module but the structs that events carry, and the interface.
//
// To try: choose "wooden bucket" in main, leave the weather out, or let the garden need a module that is not
// there.

#include <filo/args.h>
#include <filo/check.h>
#include <filo/events.h>
#include <filo/log.h>
#include <filo/modules.h>

#include <stdio.h>
#include <stdlib.h>

// ---- What modules have in common: two payloads and an interface ---------------------------------------

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

// ---- weather: in every second hour it rains -----------------------------------------------------------

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

// ---- two buckets: the same interface, twice -----------------------------------------------------------

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

// ---- garden: collects rain in whatever bucket there is ------------------------------------------------

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

// Nothing here can go on without what is made: the program ends, and says why.
static void must(FiloResult r) {
    if (r.code == FILO_OK) return;
    filo_log_error("modules", "%s", r.message);
    exit(1);
}

int main(int argc, char **argv) {
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Two modules speak through events: rain falls into a garden.",
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_FRAMES | FILO_ARGS_SEED | FILO_ARGS_HASH |
                                     FILO_ARGS_STATS | FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    FiloJobs *jobs;
    FiloEvents *events;
    FiloModules *modules;
    must(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = args.common.threads }));
    must(filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs }));
    must(filo_modules_create(&modules, &(FiloModulesDesc){ .events = events }));

    // In any order: the garden is loaded after the bucket that was chosen.
    const FiloModuleDesc *all[] = { &garden, &wooden_bucket, &tin_bucket, &weather };
    for (size_t i = 0; i < FILO_COUNT_OF(all); i++) must(filo_modules_register(modules, all[i]));
    must(filo_modules_choose(modules, "Bucket", "tin bucket"));
    must(filo_modules_load_all(modules));

    for (uint32_t i = 0; i < 4; i++) {
        filo_events_emit_now(events, filo_name("hour"), FILO_TYPE(Hour), &(Hour){ i });
        filo_events_deliver(events);
    }
    must(filo_out_of_memory_result()); // events that could not be noted

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
