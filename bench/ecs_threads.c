// Ticks on several threads. Speed-ups are compared with that of two threads of pure arithmetic at the same time,
// because two processors may share one core.

#include "ecs_worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must_tick(FiloWorld *world) {
    FiloResult r = filo_world_tick(world, 1.0f / 60);
    if (r.code != FILO_OK) filo_panic("the world does not tick: %s", r.message);
}

// ---- Little work --------------------------------------------------------------------------------------

#define LIGHT_ENTITIES 10000
#define LIGHT_TICKS    50

static void light_run(FiloIter *it) {
    Position *position = filo_write(it, Position);
    const Velocity *velocity = filo_read(it, Velocity);
    for (size_t i = 0; i < it->count; i++) {
        Position *p = &position[i];
        const Velocity *v = &velocity[i];
        p->x += v->x;
        p->y += v->y;
    }
}

typedef struct Light {
    BenchWorld two, one;
} Light;

static double light_ticks(FiloWorld *world) {
    double ns;
    bench_time(ns, LIGHT_TICKS, must_tick(world));
    return ns / 1000;
}

static double light_two(void *state) { return light_ticks(((Light *)state)->two.world); }
static double light_one(void *state) { return light_ticks(((Light *)state)->one.world); }

static BenchWorld light_world(FiloJobs *jobs) {
    BenchWorld bench = bench_world(jobs);
    bench_fill(&bench, LIGHT_ENTITIES, NULL);
    filo_system_add(bench.world,
                    &(FiloSystemDesc){ .name = "light",
                                       .run = light_run,
                                       .parallel = true,
                                       .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } });
    return bench;
}

static void bench_light(void) {
    if (!bench_wanted("ecs.parallel_small")) return;
    FiloJobs *two = bench_jobs(2), *one = bench_jobs(1);
    Light light = { light_world(two), light_world(one) };
    bench_compare(
        &(BenchFigure){ "ecs.parallel_small", "µs", light_two, light_one, "one thread", &light, 0, false });
    bench_expect(filo_world_hash(light.two.world) == filo_world_hash(light.one.world), "ecs.parallel_small");
    bench_world_end(&light.two);
    bench_world_end(&light.one);
    filo_jobs_destroy(one, FILO_JOBS_FINISH);
    filo_jobs_destroy(two, FILO_JOBS_FINISH);
}

// ---- Many systems with little work --------------------------------------------------------------------
//
// All systems are in one stage: each reads another pair of components, which the same few entities have. Each writes
// its result to its own element of an array.

typedef struct ManyWorld {
    FiloWorld *world;
    FiloComponent *components;
    float *sums; // by system
} ManyWorld;

typedef struct Many {
    ManyWorld two, one;
    size_t systems;
} Many;

static void many_run(FiloIter *it) {
    const float *a = filo_iter_column(it, 0).data, *b = filo_iter_column(it, 1).data;
    float sum = 0;
    for (size_t i = 0; i < it->count; i++) sum += a[i] * b[i];
    *(float *)it->user += sum;
}

// As a parallel system, whose rows may be divided.
static void many_parallel_run(FiloIter *it) {
    const float *a = filo_iter_column(it, 0).data, *b = filo_iter_column(it, 1).data;
    float sum = 0;
    for (size_t i = 0; i < it->count; i++) sum += a[i] * b[i];
    bench_use(sum);
}

static double many_ticks(FiloWorld *world, size_t systems) {
    double ns;
    bench_time(ns, 20000 / systems, must_tick(world));
    return ns / (double)systems;
}

static double many_two(void *state) {
    return many_ticks(((Many *)state)->two.world, ((Many *)state)->systems);
}
static double many_one(void *state) {
    return many_ticks(((Many *)state)->one.world, ((Many *)state)->systems);
}

static void free_type(const FiloType *type) { filo_type_destroy(type, NULL); }

static ManyWorld many_world(FiloJobs *jobs, size_t systems, size_t entities, bool parallel) {
    ManyWorld many = { .sums = bench_alloc(systems * sizeof(float)) };
    size_t kinds = 2;
    while (kinds * (kinds - 1) / 2 < systems) kinds++;
    FiloResult r = filo_world_create(&many.world, &(FiloWorldDesc){ .jobs = jobs });
    if (r.code != FILO_OK) filo_panic("no world for the benchmark: %s", r.message);
    many.components = bench_alloc(kinds * sizeof(FiloComponent));
    FiloComponentValue *with = bench_alloc(kinds * sizeof(FiloComponentValue));
    for (size_t i = 0; i < kinds; i++) {
        char text[32];
        snprintf(text, sizeof text, "Many%zu", i);
        const FiloField field = { .name = "value", .type_function = filo_type_float };
        const FiloType *type;
        r = filo_type_create(&type, text, &field, 1, NULL);
        if (r.code != FILO_OK) filo_panic("%s", r.message);
        many.components[i] =
            filo_component_register(many.world, &(FiloComponentDesc){ .type = type, .release = free_type });
        with[i].component = many.components[i];
    }
    for (size_t i = 0; i < entities; i++) {
        FiloEntity entity = filo_entity_create_with(many.world, with, kinds);
        for (size_t k = 0; k < kinds; k++)
            filo_entity_set(many.world, entity, many.components[k], &(float){ (float)(i + k) });
    }
    free(with);
    size_t added = 0;
    for (size_t a = 0; a < kinds; a++)
        for (size_t b = 0; b < a && added < systems; b++, added++) {
            char text[32];
            snprintf(text, sizeof text, "many %zu", added);
            FiloSystemDesc desc = { .name = text,
                                    .run = parallel ? many_parallel_run : many_run,
                                    .user = &many.sums[added],
                                    .parallel = parallel };
            desc.query.terms[0] = (FiloTerm){ .component = many.components[a], .access = FILO_ACCESS_READ };
            desc.query.terms[1] = (FiloTerm){ .component = many.components[b], .access = FILO_ACCESS_READ };
            bench_expect(filo_system_add(many.world, &desc).id != 0, "the system was not added");
        }
    return many;
}

static void end_many_world(ManyWorld *many) {
    filo_world_destroy(many->world);
    free(many->components);
    free(many->sums);
}

static void bench_many_systems(const char *name, size_t systems, size_t entities, bool parallel) {
    if (!bench_wanted(name)) return;
    FiloJobs *two = bench_jobs(2), *one = bench_jobs(1);
    Many many = { many_world(two, systems, entities, parallel), many_world(one, systems, entities, parallel),
                  systems };
    bench_compare(&(BenchFigure){ name, "ns", many_two, many_one, "one thread", &many, 0, false });
    bench_expect(memcmp(many.two.sums, many.one.sums, systems * sizeof(float)) == 0, name);
    end_many_world(&many.two);
    end_many_world(&many.one);
    filo_jobs_destroy(one, FILO_JOBS_FINISH);
    filo_jobs_destroy(two, FILO_JOBS_FINISH);
}

// ---- Much work ----------------------------------------------------------------------------------------

#define HEAVY_ENTITIES 100000
#define HEAVY_STEPS    8
#define TURNS          7 // of one and of several threads; the best of each makes one sample

// Some hundred nanoseconds a row, and not for the vector units alone.
static SineCosine heavy_work(float angle) {
    SineCosine both = { 0, 1 };
    for (int k = 0; k < HEAVY_STEPS; k++) {
        FiloSinCos next = filo_sincos(angle + both.sine);
        both = (SineCosine){ next.sin, next.cos };
    }
    return both;
}

static void direct_run(FiloIter *it) {
    const Angle *angle = filo_read(it, Angle);
    SineCosine *result = filo_write(it, SineCosine);
    for (size_t i = 0; i < it->count; i++) result[i] = heavy_work(angle[i].angle);
}

static void recorded_run(FiloIter *it) {
    const Angle *angle = filo_read(it, Angle);
    FiloComponent component = *(const FiloComponent *)it->user;
    for (size_t i = 0; i < it->count; i++) {
        SineCosine both = heavy_work(angle[i].angle);
        filo_changes_set(it->changes, filo_iter_entity(it, i), component, &both);
    }
}

typedef struct HeavyWorld {
    FiloWorld *world;
    FiloComponent result;
} HeavyWorld;

typedef struct Heavy {
    HeavyWorld many, one;
    int threads;
    int64_t alone; // the shortest tick of one thread so far
} Heavy;

static void fill_angles(FiloIter *it, void *user) {
    (void)user;
    Angle *angle = filo_write(it, Angle);
    for (size_t i = 0; i < it->count; i++) angle[i].angle = (float)(it->first + i) * 0.0001f;
}

static void start_heavy(HeavyWorld *heavy, FiloJobs *jobs, bool by_change_sets) {
    FiloResult r = filo_world_create(&heavy->world, &(FiloWorldDesc){ .jobs = jobs });
    if (r.code != FILO_OK) filo_panic("no world for the benchmark: %s", r.message);
    FiloComponent angle = filo_component(heavy->world, Angle);
    heavy->result = filo_component(heavy->world, SineCosine);
    const FiloComponentValue with[] = { { NULL, angle, NULL }, { NULL, heavy->result, NULL } };
    filo_entity_create_block(
        heavy->world,
        &(FiloBlockDesc){ .count = HEAVY_ENTITIES, .values = with, .value_count = 2, .fill = fill_angles });
    FiloSystemDesc system = { .name = "heavy",
                              .run = by_change_sets ? recorded_run : direct_run,
                              .parallel = true,
                              .user = &heavy->result,
                              .query.terms = { FILO_READ(Angle), FILO_WRITE(SineCosine) } };
    if (by_change_sets) system.query.terms[1].access = FILO_ACCESS_NONE;
    bench_expect(filo_system_add(heavy->world, &system).id != 0, "the system was not added");
}

// The time of one thread is the shortest of all samples: a disturbed tick would show a speed-up that does not exist.
static double heavy_speed_up(void *state) {
    Heavy *heavy = state;
    int64_t together = INT64_MAX;
    for (int i = 0; i < TURNS; i++) {
        int64_t start = filo_time_ns();
        must_tick(heavy->one.world);
        int64_t middle = filo_time_ns();
        must_tick(heavy->many.world);
        heavy->alone = FILO_MIN(heavy->alone, middle - start);
        together = FILO_MIN(together, filo_time_ns() - middle);
    }
    return (double)heavy->alone / (double)together;
}

static double hardware(void *state) { return ((Heavy *)state)->threads == 1 ? 1 : bench_hardware_speed_up(); }

// Compared with a world without a scheduler.
static void bench_heavy(const char *name, int threads, bool by_change_sets) {
    if (!bench_wanted(name)) return;
    FiloJobs *jobs = bench_jobs(threads);
    Heavy heavy = { .threads = threads, .alone = INT64_MAX };
    start_heavy(&heavy.many, jobs, by_change_sets);
    start_heavy(&heavy.one, NULL, by_change_sets);
    bench_compare(
        &(BenchFigure){ name, "x", heavy_speed_up, hardware, "arithmetic on two threads", &heavy, 0, true });
    bench_expect(filo_world_hash(heavy.many.world) == filo_world_hash(heavy.one.world), name);
    filo_world_destroy(heavy.many.world);
    filo_world_destroy(heavy.one.world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

void bench_ecs_threads(void) {
    bench_light();
    bench_many_systems("ecs.many_systems_2", 1000, 10, false);
    bench_many_systems("ecs.many_systems_2.parallel", 1000, 10, true);
    bench_many_systems("ecs.many_systems_2.10k", 10000, 10, false);
    bench_many_systems("ecs.many_systems_2.500", 1000, 500, false); // worth another thread, several at a time
    bench_many_systems("ecs.many_systems_2.5000", 1000, 5000, false); // one at a time
    bench_heavy("ecs.efficiency_2", 2, false);
    bench_heavy("ecs.efficiency_2.change_set", 2, true);
    for (int threads = 1; threads <= 4; threads *= 2) {
        char name[64];
        snprintf(name, sizeof name, "ecs.threads.direct.%d", threads);
        bench_heavy(name, threads, false);
        snprintf(name, sizeof name, "ecs.threads.change_set.%d", threads);
        bench_heavy(name, threads, true);
    }
}
