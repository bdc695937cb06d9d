// Ticks: systems that compute while entities start and cease to match, the cost of the schedule, and allocations.

#include "ecs_worlds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ENTITIES 10000

static void must_tick(FiloWorld *world) {
    FiloResult r = filo_world_tick(world, 1.0f / 60);
    if (r.code != FILO_OK) filo_panic("the world does not tick: %s", r.message);
}

static void must_add(FiloWorld *world, const FiloSystemDesc *desc) {
    bench_expect(filo_system_add(world, desc).id != 0, desc->name);
}

// ---- Sines and cosines --------------------------------------------------------------------------------
//
// 10,000 entities, of which p % match the system; or all match, and p % get another component and lose it again in
// every tick. Both use the C library, so that the work for an entity takes some time.

typedef struct Computing {
    FiloWorld *world;
    FiloComponent angle, result, mark;
    FiloEntity ids[ENTITIES], changing[ENTITIES];
    size_t changing_count;
    float angles[ENTITIES]; // of the limit
    SineCosine results[ENTITIES];
    size_t matching;
} Computing;

static Computing computing;

static void compute_run(FiloIter *it) {
    const Angle *angles = filo_read(it, Angle);
    SineCosine *results = filo_write(it, SineCosine);
    for (size_t i = 0; i < it->count; i++)
        results[i] = (SineCosine){ sinf(angles[i].angle), cosf(angles[i].angle) };
}

static __attribute__((noinline)) void compute_arrays(const float *angles, SineCosine *results, size_t count) {
    for (size_t i = 0; i < count; i++) results[i] = (SineCosine){ sinf(angles[i]), cosf(angles[i]) };
}

static double tick_alone(void *state) {
    Computing *c = state;
    int64_t start = filo_time_ns();
    must_tick(c->world);
    return (double)(filo_time_ns() - start) / 1e6;
}

static double tick_and_change(void *state) {
    Computing *c = state;
    FiloWorld *world = c->world;
    const FiloComponent mark = c->mark;
    const size_t count = c->changing_count;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < count; i++) filo_entity_add(world, c->changing[i], mark);
    must_tick(world);
    for (size_t i = 0; i < count; i++) filo_entity_remove(world, c->changing[i], mark);
    return (double)(filo_time_ns() - start) / 1e6;
}

static double tick_and_change_many(void *state) {
    Computing *c = state;
    int64_t start = filo_time_ns();
    filo_entity_add_many(c->world, c->changing, c->changing_count, c->mark);
    must_tick(c->world);
    filo_entity_remove_many(c->world, c->changing, c->changing_count, c->mark);
    return (double)(filo_time_ns() - start) / 1e6;
}

static double on_arrays(void *state) {
    Computing *c = state;
    int64_t start = filo_time_ns();
    compute_arrays(c->angles, c->results, c->matching);
    bench_clobber();
    return (double)(filo_time_ns() - start) / 1e6;
}

// `percent` of the entities match, spread evenly over the order of creation.
static void start_computing(int percent, FiloStorage mark) {
    Computing *c = &computing;
    *c = (Computing){ 0 };
    FiloResult r = filo_world_create(&c->world, NULL);
    if (r.code != FILO_OK) filo_panic("no world for the benchmark: %s", r.message);
    c->angle = filo_component(c->world, Angle);
    c->result = filo_component(c->world, SineCosine);
    c->mark = filo_component(c->world, Mark, .storage = mark);
    for (size_t i = 0; i < ENTITIES; i++) {
        Angle angle = { (float)i * 0.001f };
        const FiloComponentValue with[] = { { NULL, c->angle, &angle }, { NULL, c->result, NULL } };
        bool matches = (int)(i % 100) < percent;
        c->ids[i] = filo_entity_create_with(c->world, with, matches ? 2 : 1);
        if (matches) c->angles[c->matching++] = angle.angle;
    }
    must_add(c->world, &(FiloSystemDesc){ .name = "compute",
                                          .run = compute_run,
                                          .query.terms = { FILO_READ(Angle), FILO_WRITE(SineCosine) } });
}

static void end_computing(const char *name) {
    Computing *c = &computing;
    for (size_t i = 0, n = 0; i < ENTITIES; i++) {
        const SineCosine *result = filo_entity_get(c->world, c->ids[i], c->result);
        if (result == NULL) continue;
        bench_expect(c->results[n].sine == result->sine && c->results[n].cosine == result->cosine, name);
        n++;
    }
    filo_world_destroy(c->world);
}

static void bench_computing(int percent) {
    char name[64];
    snprintf(name, sizeof name, "ecs.thesis.computing.p%d", percent);
    if (!bench_wanted(name)) return;
    start_computing(percent, FILO_STORAGE_SPARSE);
    bench_compare(&(BenchFigure){ name, "ms", tick_alone, on_arrays, "plain arrays", &computing, 0, false });
    end_computing(name);
}

static void mark_run(FiloIter *it) {
    uint32_t percent = *(const uint32_t *)it->user;
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        if (filo_entity_index(entity) % 100 < percent) filo_changes_add(it->changes, entity, computing.mark);
    }
}

static void unmark_run(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++)
        filo_changes_remove(it->changes, filo_iter_entity(it, i), computing.mark);
}

// Systems that record these changes in change sets.
static void add_marking_systems(uint32_t *percent) {
    must_add(computing.world, &(FiloSystemDesc){ .name = "mark",
                                                 .run = mark_run,
                                                 .user = percent,
                                                 .query.terms = { FILO_READ(Angle), FILO_WITHOUT(Mark) } });
    must_add(computing.world, &(FiloSystemDesc){ .name = "unmark",
                                                 .run = unmark_run,
                                                 .phase = FILO_PHASE_AFTER,
                                                 .query.terms = { FILO_READ(Angle), FILO_WITH(Mark) } });
}

static void bench_changing(const char *suffix, uint32_t percent, FiloStorage storage, BenchSample tick) {
    char name[64];
    snprintf(name, sizeof name, "ecs.thesis.p%u%s", (unsigned)percent, suffix);
    if (!bench_wanted(name)) return;
    start_computing(100, storage);
    if (tick == tick_alone) add_marking_systems(&percent);
    for (size_t i = 0; i < ENTITIES; i++)
        if (i % 100 < percent) computing.changing[computing.changing_count++] = computing.ids[i];
    bench_compare(
        &(BenchFigure){ name, "ms", tick, on_arrays, "plain arrays, without changes", &computing, 0, false });
    end_computing(name);
}

static void bench_sines(void) {
    for (int percent = 0; percent <= 100; percent += 25) bench_computing(percent);
    for (uint32_t percent = 0; percent <= 100; percent += 25) {
        bench_changing("", percent, FILO_STORAGE_SPARSE, tick_and_change);
        bench_changing(".many", percent, FILO_STORAGE_SPARSE, tick_and_change_many);
        bench_changing(".table", percent, FILO_STORAGE_TABLE, tick_and_change);
        bench_changing(".table.many", percent, FILO_STORAGE_TABLE, tick_and_change_many);
        bench_changing(".change_set", percent, FILO_STORAGE_TABLE, tick_alone); // by systems
    }
}

// ---- The schedule -------------------------------------------------------------------------------------

#define SYSTEMS 100

static __attribute__((noinline)) void empty_run(FiloIter *it) { bench_use(it); }

static double empty_systems(void *state) {
    FiloWorld *world = state;
    double ns;
    bench_time(ns, 20, must_tick(world));
    return ns / SYSTEMS;
}

static FiloRunFunction volatile an_empty_run = empty_run;

static double calls(void *state) {
    (void)state;
    double ns;
    bench_time(ns, 20 * SYSTEMS, an_empty_run(NULL));
    return ns;
}

// Systems that read the same component share one stage; systems that write it need one each.
static void bench_schedule(const char *name, FiloJobs *jobs, bool one_stage) {
    if (!bench_wanted(name)) return;
    BenchWorld bench = bench_world(jobs);
    bench_fill(&bench, 1, NULL);
    for (int i = 0; i < SYSTEMS; i++) {
        char system[32];
        snprintf(system, sizeof system, "empty %d", i);
        FiloSystemDesc desc = { .name = system, .run = empty_run };
        desc.query.terms[0] = (FiloTerm)FILO_READ(Position);
        if (!one_stage) desc.query.terms[0].access = FILO_ACCESS_WRITE;
        must_add(bench.world, &desc);
    }
    bench_compare(&(BenchFigure){ name, "ns", empty_systems, calls, "function call", bench.world, 0, false });
    bench_world_end(&bench);
}

// Systems that match no entity: no table matches; or, if `emptied`, one does, but its entities were destroyed. Each has
// a different query, as in a game: two of many components.
#define IDLE_COMPONENTS 46 // of which there are 1,035 pairs
#define IDLE_SYSTEMS    1000

static double idle_systems(void *state) {
    double ns;
    bench_time(ns, 20, must_tick(state));
    return ns / IDLE_SYSTEMS;
}

static void free_type(const FiloType *type) { filo_type_destroy(type, NULL); }

static void bench_idle(const char *name, bool emptied) {
    if (!bench_wanted(name)) return;
    BenchWorld bench = bench_world(NULL);
    bench_fill(&bench, 1, NULL);
    FiloComponent components[IDLE_COMPONENTS];
    FiloComponentValue with[IDLE_COMPONENTS] = { 0 };
    for (int i = 0; i < IDLE_COMPONENTS; i++) {
        char text[32];
        snprintf(text, sizeof text, "Idle%d", i);
        const FiloField field = { .name = "value", .type_function = filo_type_float };
        const FiloType *type;
        FiloResult r = filo_type_create(&type, text, &field, 1, NULL);
        if (r.code != FILO_OK) filo_panic("%s", r.message);
        components[i] =
            filo_component_register(bench.world, &(FiloComponentDesc){ .type = type, .release = free_type });
        with[i].component = components[i];
    }
    if (emptied)
        filo_entity_destroy(bench.world, filo_entity_create_with(bench.world, with, IDLE_COMPONENTS));
    int added = 0;
    for (int a = 0; a < IDLE_COMPONENTS; a++)
        for (int b = 0; b < a && added < IDLE_SYSTEMS; b++, added++) {
            char system[32];
            snprintf(system, sizeof system, "idle %d", added);
            FiloSystemDesc desc = { .name = system, .run = empty_run };
            desc.query.terms[0] = (FiloTerm){ .component = components[a], .access = FILO_ACCESS_READ };
            desc.query.terms[1] = (FiloTerm){ .component = components[b], .access = FILO_ACCESS_READ };
            must_add(bench.world, &desc);
        }
    bench_compare(&(BenchFigure){ name, "ns", idle_systems, calls, "function call", bench.world, 0, false });
    bench_world_end(&bench);
}

// Systems of a disabled group.
static void bench_off(const char *name) {
    if (!bench_wanted(name)) return;
    BenchWorld bench = bench_world(NULL);
    bench_fill(&bench, 1, NULL);
    for (int i = 0; i < SYSTEMS; i++) {
        char system[32];
        snprintf(system, sizeof system, "off %d", i);
        must_add(bench.world, &(FiloSystemDesc){ .name = system,
                                                 .run = empty_run,
                                                 .groups = { "off" },
                                                 .query.terms = { FILO_READ(Position) } });
    }
    filo_world_set_group_enabled(bench.world, "off", false);
    bench_compare(&(BenchFigure){ name, "ns", empty_systems, calls, "function call", bench.world, 0, false });
    bench_world_end(&bench);
}

// ---- Allocations --------------------------------------------------------------------------------------

#define STEADY_TICKS 50

static void move_run(FiloIter *it) {
    Position *position = filo_write(it, Position);
    const Velocity *velocity = filo_read(it, Velocity);
    for (size_t i = 0; i < it->count; i++) position[i].x += velocity[i].x;
}

// Every hundredth entity is replaced by a new one.
static void replace_run(FiloIter *it) {
    const BenchWorld *bench = it->user;
    const Position *position = filo_read(it, Position);
    for (size_t i = 0; i < it->count; i++) {
        if ((it->first + i) % 100 != it->tick % 100) continue;
        filo_changes_destroy_entity(it->changes, filo_iter_entity(it, i));
        FiloEntity created = filo_changes_create_entity(it->changes);
        filo_changes_set(it->changes, created, bench->position, &position[i]);
        filo_changes_set(it->changes, created, bench->velocity, &(Velocity){ 1, 0 });
    }
}

typedef struct Steady {
    BenchWorld bench;
    double allocations; // in a tick
} Steady;

static double steady_allocations(void *state) { return ((Steady *)state)->allocations; }
static double none(void *state) { return (void)state, 0; }

static void bench_allocations(FiloJobs *jobs) {
    if (!bench_wanted("ecs.allocs")) return;
    Steady steady = { .bench = bench_world(jobs) };
    BenchWorld *bench = &steady.bench;
    computing.mark = filo_component(bench->world, Mark);
    bench_fill(bench, 100000, NULL);
    must_add(bench->world, &(FiloSystemDesc){ .name = "move",
                                              .run = move_run,
                                              .parallel = true,
                                              .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } });
    must_add(bench->world, &(FiloSystemDesc){ .name = "replace",
                                              .run = replace_run,
                                              .user = bench,
                                              .parallel = true,
                                              .query.terms = { FILO_READ(Position), FILO_READ(Velocity) } });
    for (int i = 0; i < 2 * STEADY_TICKS; i++) must_tick(bench->world);
    uint64_t before = filo_memory_system_calls();
    for (int i = 0; i < STEADY_TICKS; i++) must_tick(bench->world);
    steady.allocations = (double)(filo_memory_system_calls() - before) / STEADY_TICKS;
    bench_expect(filo_query_count(bench->moving) == 100000, "entities were lost");
    bench_compare(
        &(BenchFigure){ "ecs.allocs", "/tick", steady_allocations, none, "none", &steady, 1, false });
    bench_world_end(bench);
}

void bench_ecs_systems(void) {
    bench_sines();
    bench_schedule("ecs.system_overhead", NULL, true);
    bench_schedule("ecs.system_overhead.stages", NULL, false);
    bench_idle("ecs.system_idle", false);
    bench_idle("ecs.system_idle.emptied", true);
    bench_off("ecs.system_off");
    FiloJobs *two = bench_jobs(2);
    bench_schedule("ecs.system_overhead.threads_2", two, true);
    bench_schedule("ecs.system_overhead.stages_threads_2", two, false);
    bench_allocations(two);
    filo_jobs_destroy(two, FILO_JOBS_FINISH);
}
