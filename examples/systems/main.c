// A bakery in the morning: everything that decides when a system runs. It shows
//   - the schedule, printed: it follows from what systems read and write, and is always the same;
//   - rates: .every and .offset; a .condition, checked before each run; disabling a system;
//   - several passes: one function that is two systems, which differ in .user;
//   - .after, for a system that is registered before the one it depends on; phases, for the first and the last systems;
//   - .start and .end, called when a system is added and when it is removed;
//   - an event handler that writes the world, called at the refresh, once for each event.
//
// Try: ./dev run systems --frames 20
//      remove the phase of "report": it then runs before "bake", and reports pastries a tick late
//      remove .after from "bake": the order is that of registration, and dough is baked a tick later
//      let "bake" write the oven, which cools with each pastry: a message says why a parallel system cannot

#include <filo/filo.h>

#include <stdio.h>

// ---- Components ---------------------------------------------------------------------------------------

typedef struct Dough {
    int layers, minutes; // minutes in the oven
} Dough;
FILO_REFLECT(Dough, FILO_FIELD(int, layers), FILO_FIELD(int, minutes))

typedef struct Oven {
    int degrees;
} Oven;
FILO_REFLECT(Oven, FILO_FIELD(int, degrees, .unit = "°C"))

typedef struct Till {
    int pastries, layers;
} Till;
FILO_REFLECT(Till, FILO_FIELD(int, pastries), FILO_FIELD(int, layers))

typedef struct Baked { // an event
    int layers;
} Baked;
FILO_REFLECT(Baked, FILO_FIELD(int, layers))

// ---- Systems ------------------------------------------------------------------------------------------

// Two systems use this function: `user` is by how much each multiplies the layers.
static void fold(FiloIter *it) {
    int factor = *(const int *)it->user;
    Dough *dough = filo_write(it, Dough);
    for (size_t i = 0; i < it->count; i++)
        if (dough[i].layers < 64) dough[i].layers *= factor;
}

static void heat(FiloIter *it) { // its only term is global: called once in a tick
    Oven *oven = filo_write_global(it, Oven);
    if (oven->degrees < 220) oven->degrees += 50;
}

static void light(FiloWorld *world, void *user) {
    FILO_UNUSED(user);
    filo_edit_global(world, Oven)->degrees = 20;
    puts("the oven is lit");
}

static void put_out(FiloWorld *world, void *user) {
    FILO_UNUSED(user);
    printf("the oven goes out at %d degrees\n", filo_get_global(world, Oven)->degrees);
}

static bool is_hot(const FiloWorld *world, void *user) {
    FILO_UNUSED(user);
    return filo_get_global(world, Oven)->degrees > 160;
}

static void bake(FiloIter *it) {
    Dough *dough = filo_write(it, Dough);
    for (size_t i = 0; i < it->count; i++) {
        Dough *d = &dough[i];
        if (d->layers < 64 || ++d->minutes < 2) continue;
        filo_event_record(it->events, filo_name("baked"), FILO_TYPE(Baked), &(Baked){ d->layers });
        filo_destroy(it->changes, filo_iter_entity(it, i));
    }
}

static void deliver(FiloIter *it) { // without terms: called once in a tick
    for (int i = 0; i < 3; i++) filo_create(it->changes, FILO_SET(Dough, .layers = 1 + i));
}

static void report(FiloIter *it) {
    const Till *till = filo_read_global(it, Till);
    printf("tick %d: %zu doughs, %d degrees, %d pastries with %d layers\n", (int)it->tick,
           filo_query_count(filo_iter_extra_query(it, 0)), filo_read_global(it, Oven)->degrees,
           till->pastries, till->layers);
}

// Handlers run one after the other, so all of them may write the till.
static void sell(FiloIter *it, const FiloEvent *event) {
    Till *till = filo_edit_global(it->world, Till);
    till->pastries++;
    till->layers += ((const Baked *)event->payload)->layers;
}

// ---- Setup --------------------------------------------------------------------------------------------

static void set_up(FiloWorld *world) {
    filo_component(world, Dough);
    filo_component(world, Oven, .storage = FILO_STORAGE_GLOBAL);
    filo_component(world, Till, .storage = FILO_STORAGE_GLOBAL);

    static int twice = 2, four_times = 4;
    const FiloSystemDesc systems[] = {
        { "heat", heat, .query.terms = { FILO_WRITE(Oven) }, .every = 2, .start = light, .end = put_out },
        { "bake", bake, .query.terms = { FILO_WRITE(Dough), FILO_READ(Oven) }, .after = { "fold again" },
          .condition = is_hot, .parallel = true },
        { "fold", fold, .query.terms = { FILO_WRITE(Dough) }, .user = &twice, .parallel = true },
        { "fold again", fold, .query.terms = { FILO_WRITE(Dough) }, .user = &four_times, .parallel = true },
        { "report", report, .query.terms = { FILO_READ(Oven), FILO_READ(Till) },
          .extra_queries[0].terms = { FILO_WITH(Dough) }, .phase = FILO_PHASE_AFTER, .every = 2, .offset = 1,
          .main_thread = true },
        { "deliver", deliver, .phase = FILO_PHASE_BEFORE, .every = 3 },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++) filo_system_add(world, &systems[i]);
    filo_world_handle(world, &(FiloWorldHandlerDesc){ .event = filo_name("baked"),
                                                      .type = FILO_TYPE(Baked),
                                                      .run = sell,
                                                      .extra_access = { FILO_WRITE(Till) } });

    char text[1000];
    filo_world_print_schedule(world, text, sizeof text);
    fputs(text, stdout);
}

static void count_runs(FiloWorld *world) {
    FiloSystemId system;
    for (size_t n = 0; (system = filo_system_at(world, n)).id != 0; n++) {
        FiloSystemStats stats = filo_system_stats(world, system);
        printf("%s ran in %d ticks, in stage %d\n", filo_system_name(world, system), (int)stats.runs,
               (int)stats.stage);
    }
}

// ---- Main ---------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Runs systems at different rates, under conditions, in several passes.",
                          .defaults.frames = 12,
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_SEED | FILO_ARGS_STATS | FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    FiloJobs *jobs = NULL;
    FiloEvents *events = NULL;
    FiloWorld *world = NULL;
    FiloResult r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = args.common.threads });
    if (r.code == FILO_OK) r = filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs });
    if (r.code == FILO_OK) r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs, .events = events });
    if (r.code == FILO_OK) set_up(world);
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    for (uint64_t i = 0; i < args.common.frames && r.code == FILO_OK; i++) {
        if (i == 7)
            filo_system_set_enabled(world, filo_system_named(world, "deliver"), false); // no more flour
        r = filo_world_tick(world, 60);
    }
    if (r.code == FILO_OK) count_runs(world);
    if (r.code == FILO_OK && args.common.hash)
        printf("%016llx\n", (unsigned long long)filo_world_hash(world));
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code != FILO_OK) filo_log_error("systems", "%s", r.message);
    filo_world_destroy(world); // ends its systems
    filo_events_destroy(events);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//  the oven is lit
//  stage 0 (before): deliver
//  stage 1 (update): heat, fold
//  stage 2 (update): fold again after fold (Dough)
//  stage 3 (update): bake after fold again (Dough)
//  stage 4 (after): report
//  tick 1: 3 doughs, 70 degrees, 0 pastries with 0 layers
//  tick 3: 6 doughs, 120 degrees, 0 pastries with 0 layers
//  tick 5: 0 doughs, 170 degrees, 6 pastries with 768 layers
//  tick 7: 3 doughs, 220 degrees, 6 pastries with 768 layers
//  tick 9: 0 doughs, 220 degrees, 9 pastries with 1152 layers
//  tick 11: 0 doughs, 220 degrees, 9 pastries with 1152 layers
//  heat ran in 6 ticks, in stage 1
//  bake ran in 8 ticks, in stage 3
//  fold ran in 12 ticks, in stage 1
//  fold again ran in 12 ticks, in stage 2
//  report ran in 6 ticks, in stage 4
//  deliver ran in 3 ticks, in stage 0
//  the oven goes out at 220 degrees
