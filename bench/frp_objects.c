// Pure objects: events to objects, against counters in an array; a step function, against the same as a plain system; and
// networks on two threads, against one.

#include "ecs_worlds.h"
#include "frp.h"

#include <filo/objects.h>

#include <stdlib.h>

#define OBJECTS 100000u
#define DELTA   (1.0f / 60)

static void must_tick(FiloWorld *world) {
    FiloResult r = filo_world_tick(world, DELTA);
    if (r.code != FILO_OK) filo_panic("the world does not tick: %s", r.message);
}

static FiloWorld *new_world(FiloJobs *jobs) {
    FiloWorld *world;
    FiloResult r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs });
    if (r.code != FILO_OK) filo_panic("no world for the benchmark: %s", r.message);
    return world;
}

// ---- Events -------------------------------------------------------------------------------------------------------
//
// Each object sends an event to another one, chosen at random, in each tick, and adds up what it gets.

typedef struct Ping {
    uint32_t number;
} Ping;
FILO_REFLECT(Ping, FILO_FIELD(uint32_t, number))
typedef struct Pinger {
    FiloEntity target;
    uint32_t sum;
} Pinger;
FILO_REFLECT(Pinger, FILO_FIELD(FiloEntity, target), FILO_FIELD(uint32_t, sum))

#define PINGS 16 // of one object, at most

static void step_pinger(FiloIter *it) {
    const Pinger *past = filo_read(it, Pinger);
    Pinger *next = filo_write_next(it, Pinger);
    for (size_t i = 0; i < it->count; i++) {
        size_t count;
        const Ping *ping = filo_object_events(it, i, Ping, &count);
        next[i] = past[i];
        for (size_t k = 0; k < count; k++) next[i].sum += ping[k].number;
        filo_object_send(it, past[i].target, Ping, 1);
    }
}

typedef struct Events {
    FiloWorld *world;
    FiloEntity *objects;
    uint32_t *targets, *inbox, *sums; // of the reference
    uint32_t rounds;                  // ticks
} Events;

static double events_ours(void *state) {
    Events *events = state;
    double ns;
    bench_time(ns, 1, must_tick(events->world));
    events->rounds++;
    return ns / OBJECTS;
}

static double events_reference(void *state) {
    Events *events = state;
    double ns;
    bench_time(ns, 1, {
        for (size_t i = 0; i < OBJECTS; i++) {
            events->sums[i] += events->inbox[i];
            events->inbox[i] = 0;
        }
        for (size_t i = 0; i < OBJECTS; i++) events->inbox[events->targets[i]]++;
        bench_clobber();
    });
    return ns / OBJECTS;
}

static void compare_events(void) {
    Events events = { .world = new_world(NULL) };
    filo_object_kind(events.world, &(FiloObjectDesc){ .name = "pinger",
                                                      .state = FILO_STATE_OF(Pinger),
                                                      .step = step_pinger,
                                                      .events = { FILO_TAKES(Ping, PINGS) } });
    events.objects = bench_alloc(OBJECTS * sizeof(FiloEntity));
    uint32_t **columns[] = { &events.targets, &events.inbox, &events.sums };
    for (size_t i = 0; i < FILO_COUNT_OF(columns); i++) *columns[i] = bench_alloc(OBJECTS * sizeof(uint32_t));
    FiloRandom random = filo_random_keyed(1, 2, 3, 4);
    uint32_t *degree = bench_alloc(OBJECTS * sizeof(uint32_t));
    for (uint32_t i = 0; i < OBJECTS; i++) {
        events.objects[i] = filo_create(events.world, FILO_ADD(Pinger));
        do events.targets[i] = filo_random_below(&random, OBJECTS);
        while (degree[events.targets[i]] == PINGS);
        degree[events.targets[i]]++;
    }
    for (uint32_t i = 0; i < OBJECTS; i++)
        filo_edit(events.world, events.objects[i], Pinger)->target = events.objects[events.targets[i]];
    bench_compare(&(BenchFigure){ .name = "frp.events",
                                  .unit = "ns/event",
                                  .ours = events_ours,
                                  .reference = events_reference,
                                  .reference_name = "counters in an array",
                                  .state = &events,
                                  .rounds = 51 });
    // Those of the last tick are still in the inboxes.
    for (uint32_t i = 0; i < OBJECTS; i++)
        bench_expect(filo_get(events.world, events.objects[i], Pinger)->sum ==
                         degree[i] * (events.rounds > 0 ? events.rounds - 1 : 0),
                     "frp.events: all have arrived");
    filo_world_destroy(events.world);
    for (size_t i = 0; i < FILO_COUNT_OF(columns); i++) free(*columns[i]);
    free(events.objects);
    free(degree);
}

// ---- A step function ------------------------------------------------------------------------------------------------

typedef struct Body {
    FiloVec2 position, velocity;
} Body;
FILO_REFLECT(Body, FILO_FIELD(FiloVec2, position), FILO_FIELD(FiloVec2, velocity))

static void step_body(FiloIter *it) {
    const Body *past = filo_read(it, Body);
    Body *next = filo_write_next(it, Body);
    float delta = it->delta;
    for (size_t i = 0; i < it->count; i++) {
        FiloVec2 velocity = { past[i].velocity.x * 0.99f, past[i].velocity.y * 0.99f - 9.81f * delta };
        next[i].velocity = velocity;
        next[i].position.x = past[i].position.x + velocity.x * delta;
        next[i].position.y = past[i].position.y + velocity.y * delta;
    }
}

typedef struct Steps {
    FiloWorld *kind, *system;
} Steps;

static double step_ticks(FiloWorld *world) {
    double ns;
    bench_time(ns, 20, must_tick(world));
    return ns / OBJECTS;
}
static double step_ours(void *state) { return step_ticks(((Steps *)state)->kind); }
static double step_reference(void *state) { return step_ticks(((Steps *)state)->system); }

static void fill_bodies(FiloWorld *world) {
    for (uint32_t i = 0; i < OBJECTS; i++)
        filo_create(world, FILO_SET(Body, .position = { (float)i, 0 }, .velocity = { 1, (float)(i % 10) }));
}

static void compare_steps(void) {
    Steps steps = { new_world(NULL), new_world(NULL) };
    filo_object_kind(steps.kind,
                     &(FiloObjectDesc){ .name = "body", .state = FILO_STATE_OF(Body), .step = step_body });
    filo_component(steps.system, Body, .double_buffered = true);
    filo_system_add(steps.system,
                    &(FiloSystemDesc){ .name = "body",
                                       .run = step_body,
                                       .parallel = true,
                                       .query.terms = { FILO_READ(Body), FILO_WRITE_NEXT(Body) } });
    fill_bodies(steps.kind);
    fill_bodies(steps.system);
    bench_compare(&(BenchFigure){ .name = "frp.step_object",
                                  .unit = "ns/object",
                                  .ours = step_ours,
                                  .reference = step_reference,
                                  .reference_name = "the same as a plain system",
                                  .state = &steps });
    filo_world_destroy(steps.kind);
    filo_world_destroy(steps.system);
}

// ---- Two threads ------------------------------------------------------------------------------------------------------

typedef struct Spring {
    float place;
} Spring;
FILO_REFLECT(Spring, FILO_FIELD(float, place))
FILO_SF_FUNCTION(spring_place, float, Spring, spring) { return 0.25f - spring.place; }
FILO_SF_FUNCTION(place_spring, Spring, float, place) { return (Spring){ place }; }

#define TURNS 7 // of one and of two threads; the best of each makes one sample
#define TICKS 4 // in a turn

typedef struct Threads {
    FiloWorld *two, *one;
    int64_t alone; // the shortest turn of one thread so far
} Threads;

// The same ten nodes as those of frp.step, but the target depends on the state.
static FiloNetwork *object_network(void) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){
        .name = "spring", .inputs = { { .name = "state", .type = FILO_TYPE(Spring) } } });
    FiloSf target = filo_sf_arr(filo_sf_input(b), &spring_place);                     // 1
    FiloSf speed = filo_sf_rec(b, FILO_TYPE(float)), place = filo_sf_integral(speed); // 2
    FiloSf pull = filo_sf_scale(filo_sf_sub(target, place), 40);                      // 3, 4
    FiloSf force = filo_sf_sub(pull, filo_sf_scale(speed, 3));                        // 5, 6
    filo_sf_close(speed, filo_sf_integral(force));                                    // 7
    FiloSf low = filo_sf_max(place, filo_sf_constant(b, FILO_SF(float, -1)));         // 8, 9
    FiloNetwork *network;
    FiloResult r = filo_network_create(&network, filo_sf_arr(low, &place_spring), NULL); // 10
    bench_expect(r.code == FILO_OK, r.message);
    filo_sf_builder_destroy(b);
    return network;
}

static FiloWorld *spring_world(FiloJobs *jobs, const FiloNetwork *network) {
    FiloWorld *world = new_world(jobs);
    filo_object_kind(world, &(FiloObjectDesc){ .name = "spring",
                                               .state = FILO_STATE_OF(Spring),
                                               .network = network,
                                               .outputs = { FILO_OUT_STATE } });
    for (uint32_t i = 0; i < OBJECTS; i++) filo_create(world, FILO_SET(Spring, (float)i / OBJECTS));
    return world;
}

static double speed_up(void *state) {
    Threads *threads = state;
    int64_t together = INT64_MAX;
    for (int i = 0; i < TURNS; i++) {
        int64_t start = filo_time_ns();
        for (int k = 0; k < TICKS; k++) must_tick(threads->one);
        int64_t middle = filo_time_ns();
        for (int k = 0; k < TICKS; k++) must_tick(threads->two);
        threads->alone = FILO_MIN(threads->alone, middle - start);
        together = FILO_MIN(together, filo_time_ns() - middle);
    }
    return (double)threads->alone / (double)together;
}

static double hardware(void *state) {
    (void)state;
    return bench_hardware_speed_up();
}

static void compare_threads(void) {
    FiloNetwork *network = object_network();
    FiloJobs *jobs = bench_jobs(2);
    Threads threads = { spring_world(jobs, network), spring_world(NULL, network), INT64_MAX };
    bench_compare(&(BenchFigure){ .name = "frp.efficiency_2",
                                  .unit = "x",
                                  .ours = speed_up,
                                  .reference = hardware,
                                  .reference_name = "arithmetic on two threads",
                                  .state = &threads,
                                  .rounds = 31,
                                  .higher_is_better = true });
    bench_expect(filo_world_hash(threads.one) == filo_world_hash(threads.two),
                 "frp.efficiency_2: equal results");
    filo_world_destroy(threads.one);
    filo_world_destroy(threads.two);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_network_destroy(network);
}

void bench_frp_objects(void) {
    if (bench_wanted("frp.events")) compare_events();
    if (bench_wanted("frp.step_object")) compare_steps();
    if (bench_wanted("frp.efficiency_2")) compare_threads();
}
