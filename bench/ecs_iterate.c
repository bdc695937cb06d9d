// Iterating over entities, getting components by id, creating queries.

#include "ecs_worlds.h"

#include <stdio.h>
#include <stdlib.h>

#define TAGS_12(X)     X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define DECLARE_TAG(n) FILO_TAG(Tag##n)
TAGS_12(DECLARE_TAG)

#define TAG_FUNCTION(n) filo_type_Tag##n,
static const FiloTypeFunction tag_types[] = { TAGS_12(TAG_FUNCTION) };
#define TAGS       FILO_COUNT_OF(tag_types)
#define TABLES     (1u << TAGS)
#define FRAGMENTED 100000

// ---- Position += velocity -----------------------------------------------------------------------------

typedef struct Iteration {
    BenchWorld bench;
    BenchArrays arrays;
    FiloEntity *ids;
    size_t passes; // in one sample
} Iteration;

static double our_pass(void *state) {
    Iteration *iteration = state;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < iteration->passes; i++) bench_move_world(iteration->bench.moving);
    return (double)(filo_time_ns() - start) / (double)(iteration->passes * iteration->arrays.count);
}

static double our_pass_by_index(void *state) {
    Iteration *iteration = state;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < iteration->passes; i++) bench_move_world_by_index(iteration->bench.moving);
    return (double)(filo_time_ns() - start) / (double)(iteration->passes * iteration->arrays.count);
}

static double array_pass(void *state) {
    Iteration *iteration = state;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < iteration->passes; i++)
        bench_move_arrays(iteration->arrays.position, iteration->arrays.velocity, iteration->arrays.count);
    return (double)(filo_time_ns() - start) / (double)(iteration->passes * iteration->arrays.count);
}

// Both made equally many passes, so both must be equal now.
static void compare_pass(const char *name, Iteration *iteration, BenchSample ours) {
    bench_compare(&(BenchFigure){ name, "ns/entity", ours, array_pass, "plain arrays", iteration, 0, false });
    bench_expect(bench_same_positions(&iteration->bench, iteration->ids, &iteration->arrays), name);
}

static void end_iteration(Iteration *iteration) {
    bench_world_end(&iteration->bench);
    bench_arrays_end(&iteration->arrays);
    free(iteration->ids);
}

// By type, and by the index of terms.
static void compare_passes(const char *name, Iteration *iteration) {
    char by_index[64];
    snprintf(by_index, sizeof by_index, "%s.by_index", name);
    compare_pass(name, iteration, our_pass);
    compare_pass(by_index, iteration, our_pass_by_index);
    end_iteration(iteration);
}

static Iteration start_iteration(size_t count) {
    return (Iteration){ bench_world(NULL), bench_arrays(count), bench_alloc(count * sizeof(FiloEntity)),
                        FILO_MAX(1, 1000000 / count) };
}

static void iterate(const char *name, size_t count) {
    if (!bench_wanted(name)) return;
    Iteration iteration = start_iteration(count);
    bench_fill(&iteration.bench, count, iteration.ids);
    compare_passes(name, &iteration);
}

// The n-th entity has those of twelve tags whose bits are set in n: one table for each combination.
static void create_fragmented(const BenchWorld *bench, size_t count, FiloEntity *ids) {
    BenchArrays values = bench_arrays(count);
    for (size_t i = 0; i < count; i++) {
        FiloComponentValue with[TAGS + 2] = { { NULL, bench->position, &values.position[i] },
                                              { NULL, bench->velocity, &values.velocity[i] } };
        size_t n = 2;
        for (size_t tag = 0; tag < TAGS; tag++)
            if ((i >> tag & 1) != 0) with[n++] = (FiloComponentValue){ tag_types[tag], { 0 }, NULL };
        ids[i] = filo_entity_create_with(bench->world, with, n);
        bench_expect(ids[i].id != 0, "an entity was not created");
    }
    bench_arrays_end(&values);
}

static void register_tags(FiloWorld *world) {
    for (size_t tag = 0; tag < TAGS; tag++)
        filo_component_register(world, &(FiloComponentDesc){ .type = tag_types[tag]() });
}

static void iterate_fragmented(void) {
    if (!bench_wanted("ecs.iterate.fragmented")) return;
    Iteration iteration = start_iteration(FRAGMENTED);
    register_tags(iteration.bench.world);
    create_fragmented(&iteration.bench, FRAGMENTED, iteration.ids);
    bench_expect(filo_world_stats(iteration.bench.world).tables >= TABLES, "there are too few tables");
    compare_passes("ecs.iterate.fragmented", &iteration);
}

// One entity in ten has a velocity. The others are created between them.
static void iterate_sparse(void) {
    if (!bench_wanted("ecs.iterate.sparse10")) return;
    Iteration iteration = start_iteration(10000);
    BenchWorld *bench = &iteration.bench;
    for (size_t i = 0; i < 100000; i++) {
        const FiloComponentValue with[] = { { NULL, bench->position, &iteration.arrays.position[i / 10] },
                                            { NULL, bench->velocity, &iteration.arrays.velocity[i / 10] } };
        FiloEntity id = filo_entity_create_with(bench->world, with, i % 10 == 0 ? 2 : 1);
        if (i % 10 == 0) iteration.ids[i / 10] = id;
    }
    compare_passes("ecs.iterate.sparse10", &iteration);
}

// One entity in ten matches by a component outside of tables: each row is tested, or pointers are gathered.
static void iterate_scattered(const char *name, FiloTypeFunction type, FiloStorage storage) {
    if (!bench_wanted(name)) return;
    Iteration iteration = start_iteration(10000);
    BenchWorld *bench = &iteration.bench;
    FiloComponent mark =
        filo_component_register(bench->world, &(FiloComponentDesc){ .type = type(), .storage = storage });
    for (size_t i = 0; i < 100000; i++) {
        const FiloComponentValue with[] = { { NULL, bench->position, &iteration.arrays.position[i / 10] },
                                            { NULL, bench->velocity, &iteration.arrays.velocity[i / 10] },
                                            { NULL, mark, NULL } };
        FiloEntity id = filo_entity_create_with(bench->world, with, i % 10 == 0 ? 3 : 2);
        if (i % 10 == 0) iteration.ids[i / 10] = id;
    }
    filo_query_release(bench->moving);
    bench->moving =
        filo_query(bench->world, FILO_WRITE(Position), FILO_READ(Velocity), { .component = mark });
    bench_expect(filo_query_count(bench->moving) == 10000, "the wrong entities match");
    compare_pass(name, &iteration, our_pass_by_index); // columns are not contiguous
    end_iteration(&iteration);
}

// ---- A longer loop ------------------------------------------------------------------------------------
//
// Sine and cosine, inline: some fifty instructions a row, of which the compiler should make vector code for
// both alike.

#define COMPUTED 10000

typedef struct Computation {
    FiloWorld *world;
    FiloQuery *query;
    Angle *angles; // of the limit
    SineCosine *results;
} Computation;

static __attribute__((noinline)) void compute_world(FiloQuery *query) {
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        const Angle *angle = filo_read(&it, Angle);
        SineCosine *result = filo_write(&it, SineCosine);
        for (size_t i = 0; i < it.count; i++) {
            FiloSinCos both = filo_sincos(angle[i].angle);
            result[i] = (SineCosine){ both.sin, both.cos };
        }
    }
}

static __attribute__((noinline)) void compute_arrays(const Angle *angles, SineCosine *results) {
    for (size_t i = 0; i < COMPUTED; i++) {
        FiloSinCos both = filo_sincos(angles[i].angle);
        results[i] = (SineCosine){ both.sin, both.cos };
    }
}

static double our_computation(void *state) {
    double ns;
    bench_time(ns, 10, compute_world(((Computation *)state)->query));
    return ns / COMPUTED;
}

static double array_computation(void *state) {
    Computation *computation = state;
    double ns;
    bench_time(ns, 10, compute_arrays(computation->angles, computation->results));
    return ns / COMPUTED;
}

static void compute(void) {
    if (!bench_wanted("ecs.iterate.compute")) return;
    Computation c = { .angles = bench_alloc(COMPUTED * sizeof(Angle)),
                      .results = bench_alloc(COMPUTED * sizeof(SineCosine)) };
    FiloResult r = filo_world_create(&c.world, NULL);
    if (r.code != FILO_OK) filo_panic("no world for the benchmark: %s", r.message);
    filo_component(c.world, Angle);
    filo_component(c.world, SineCosine);
    c.query = filo_query(c.world, FILO_READ(Angle), FILO_WRITE(SineCosine));
    FiloEntity last = FILO_ENTITY_NONE;
    for (size_t i = 0; i < COMPUTED; i++) {
        c.angles[i].angle = (float)i * 0.001f;
        last = filo_create(c.world, FILO_SET(Angle, c.angles[i].angle), FILO_ADD(SineCosine));
    }
    bench_compare(&(BenchFigure){ "ecs.iterate.compute", "ns/entity", our_computation, array_computation,
                                  "plain arrays", &c, 0, false });
    bench_expect(filo_get(c.world, last, SineCosine)->sine == c.results[COMPUTED - 1].sine,
                 "ecs.iterate.compute");
    filo_query_release(c.query);
    filo_world_destroy(c.world);
    free(c.angles);
    free(c.results);
}

// ---- Getting by id ------------------------------------------------------------------------------------

#define GETS 1000000

typedef struct Getting {
    BenchWorld bench;
    FiloComponent component;
    FiloEntity *ids;  // in the order of access
    uint32_t *index;  // by entity index: index of its value
    Position *values; // of the limit
} Getting;

static double sum_expected;

static double our_gets(void *state) {
    Getting *getting = state;
    const FiloWorld *world = getting->bench.world;
    double sum = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < GETS; i++)
        sum += ((const Position *)filo_entity_get(world, getting->ids[i], getting->component))->x;
    double ns = (double)(filo_time_ns() - start) / GETS;
    bench_expect(sum == sum_expected, "the wrong components were found");
    return ns;
}

// For code that has a list of entities.
static double our_lookups(void *state) {
    Getting *getting = state;
    double sum = 0;
    int64_t start = filo_time_ns();
    FiloLookup positions =
        filo_entity_lookup(getting->bench.world, getting->ids, sizeof(FiloEntity), GETS, getting->component);
    for (size_t i = 0; i < GETS; i++) sum += ((const Position *)filo_lookup_next(&positions))->x;
    double ns = (double)(filo_time_ns() - start) / GETS;
    bench_expect(sum == sum_expected, "the wrong components were found");
    return ns;
}

#define GET_BLOCK 256

// For code that has a list of entities, in blocks.
static double our_block_gets(void *state) {
    Getting *getting = state;
    const FiloWorld *world = getting->bench.world;
    const void *values[GET_BLOCK];
    double sum = 0;
    int64_t start = filo_time_ns();
    for (size_t at = 0; at < GETS; at += GET_BLOCK) {
        size_t count = FILO_MIN((size_t)GET_BLOCK, GETS - at);
        filo_entity_get_many(world, getting->ids + at, count, getting->component, values);
        for (size_t i = 0; i < count; i++) sum += ((const Position *)values[i])->x;
    }
    double ns = (double)(filo_time_ns() - start) / GETS;
    bench_expect(sum == sum_expected, "the wrong components were found");
    return ns;
}

static double our_gets_by_type(void *state) {
    Getting *getting = state;
    const FiloWorld *world = getting->bench.world;
    double sum = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < GETS; i++) sum += filo_get(world, getting->ids[i], Position)->x;
    double ns = (double)(filo_time_ns() - start) / GETS;
    bench_expect(sum == sum_expected, "the wrong components were found");
    return ns;
}

// One at a time, for code that follows references.
static double our_accesses(void *state) {
    Getting *getting = state;
    FiloAccessor positions = filo_accessor(getting->bench.world, Position);
    double sum = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < GETS; i++) sum += filo_access(&positions, getting->ids[i], Position)->x;
    double ns = (double)(filo_time_ns() - start) / GETS;
    bench_expect(sum == sum_expected, "the wrong components were found");
    return ns;
}

static double one_indirection(void *state) {
    Getting *getting = state;
    double sum = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < GETS; i++)
        sum += getting->values[getting->index[filo_entity_index(getting->ids[i])]].x;
    double ns = (double)(filo_time_ns() - start) / GETS;
    bench_expect(sum == sum_expected, "the wrong elements were found");
    return ns;
}

static double direct(void *state) {
    Getting *getting = state;
    double sum = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < GETS; i++) sum += getting->values[filo_entity_index(getting->ids[i])].x;
    double ns = (double)(filo_time_ns() - start) / GETS;
    bench_expect(sum == sum_expected, "the wrong elements were found");
    return ns;
}

static Getting start_getting(FiloStorage storage) {
    Getting getting = { 0 };
    FiloResult r = filo_world_create(&getting.bench.world, NULL);
    if (r.code != FILO_OK) filo_panic("no world for the benchmark: %s", r.message);
    FiloWorld *world = getting.bench.world;
    getting.component = filo_component(world, Position, .storage = storage);
    getting.ids = bench_alloc(GETS * sizeof(FiloEntity));
    FiloEntity *created = bench_alloc(GETS * sizeof(FiloEntity));
    uint32_t *order = bench_order(GETS, true);
    uint32_t end = 0;
    for (size_t i = 0; i < GETS; i++) {
        Position value = { (float)(i % 1000), 0 };
        created[i] =
            filo_entity_create_with(world, &(FiloComponentValue){ NULL, getting.component, &value }, 1);
        end = FILO_MAX(end, filo_entity_index(created[i]) + 1);
    }
    getting.index = bench_alloc(end * sizeof(uint32_t));
    getting.values = bench_alloc(end * sizeof(Position));
    sum_expected = 0;
    for (size_t i = 0; i < GETS; i++) {
        getting.ids[i] = created[order[i]];
        getting.index[filo_entity_index(created[i])] = filo_entity_index(created[i]);
        getting.values[filo_entity_index(created[i])].x = (float)(i % 1000);
        sum_expected += (double)(i % 1000);
    }
    free(created);
    free(order);
    return getting;
}

static void end_getting(Getting *getting) {
    filo_world_destroy(getting->bench.world);
    free(getting->ids);
    free(getting->index);
    free(getting->values);
}

static const struct {
    const char *ending;
    double (*run)(void *);
} get_methods[] = {
    { "", our_lookups },
    { ".many", our_block_gets },
    { ".call", our_gets },
    { ".call_by_type", our_gets_by_type },
};

static void get_by_id(void) {
    static const struct {
        const char *name;
        FiloStorage storage;
    } kinds[] = { { "ecs.get.table", FILO_STORAGE_TABLE },
                  { "ecs.get.array", FILO_STORAGE_ARRAY },
                  { "ecs.get.sparse", FILO_STORAGE_SPARSE },
                  { "ecs.get.map", FILO_STORAGE_MAP } };
    for (size_t i = 0; i < FILO_COUNT_OF(kinds); i++) {
        if (!bench_wanted(kinds[i].name)) continue;
        Getting getting = start_getting(kinds[i].storage);
        bool array = kinds[i].storage == FILO_STORAGE_ARRAY;
        for (size_t k = 0; k < FILO_COUNT_OF(get_methods); k++) {
            char name[64];
            snprintf(name, sizeof name, "%s%s", kinds[i].name, get_methods[k].ending);
            bench_compare(&(BenchFigure){ name, "ns", get_methods[k].run, array ? direct : one_indirection,
                                          array ? "direct array" : "one indirection", &getting, 0, false });
        }
        end_getting(&getting);
    }
}

static void get_by_accessor(void) {
    static const struct {
        const char *name;
        FiloStorage storage;
    } kinds[] = { { "ecs.get.accessor", FILO_STORAGE_TABLE },
                  { "ecs.get.accessor.array", FILO_STORAGE_ARRAY },
                  { "ecs.get.accessor.sparse", FILO_STORAGE_SPARSE } };
    for (size_t i = 0; i < FILO_COUNT_OF(kinds); i++) {
        if (!bench_wanted(kinds[i].name)) continue;
        Getting getting = start_getting(kinds[i].storage);
        bench_compare(&(BenchFigure){ kinds[i].name, "ns", our_accesses, one_indirection, "one indirection",
                                      &getting, 0, false });
        end_getting(&getting);
    }
}

// ---- Queries ------------------------------------------------------------------------------------------

#define QUERIES 1000

// Created and released: the query is not shared, so it is a new one each time.
static double make_query(void *state) {
    FiloWorld *world = state;
    FiloTerm tag = { .type = tag_types[0] };
    double ns;
    bench_time(ns, QUERIES,
               FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_READ(Velocity), tag);
               bench_use(query); filo_query_release(query));
    return ns;
}

// Equal to a query that is in use: found again.
static double find_query(void *state) {
    FiloWorld *world = state;
    double ns;
    bench_time(ns, QUERIES, FiloQuery *query = filo_query(world, FILO_WRITE(Position), FILO_READ(Velocity));
               bench_use(query); filo_query_release(query));
    return ns;
}

static double malloc_and_free(void *state) {
    (void)state;
    double ns;
    bench_time(ns, QUERIES, void *block = malloc(1000); bench_use(block); free(block));
    return ns;
}

static void query_creation(void) {
    static const struct {
        const char *name;
        size_t entities;
        BenchSample sample;
    } figures[] = { { "ecs.query_create", 64, make_query },
                    { "ecs.query_create.4096", TABLES, make_query },
                    { "ecs.query_find", 64, find_query } };
    for (size_t i = 0; i < FILO_COUNT_OF(figures); i++) {
        if (!bench_wanted(figures[i].name)) continue;
        BenchWorld bench = bench_world(NULL);
        FiloEntity *ids = bench_alloc(figures[i].entities * sizeof *ids);
        register_tags(bench.world);
        create_fragmented(&bench, figures[i].entities, ids);
        bench_compare(&(BenchFigure){ figures[i].name, "ns", figures[i].sample, malloc_and_free,
                                      "malloc and free of 1,000 bytes", bench.world, 0, false });
        bench_world_end(&bench);
        free(ids);
    }
}

void bench_ecs_iterate(void) {
    iterate("ecs.iterate.10k", 10000);
    iterate("ecs.iterate.100k", 100000);
    iterate("ecs.iterate.1m", 1000000);
    iterate_fragmented();
    iterate_sparse();
    iterate_scattered("ecs.iterate.scattered.tag", filo_type_Flag, FILO_STORAGE_TAG);
    iterate_scattered("ecs.iterate.scattered.sparse", filo_type_Mark, FILO_STORAGE_SPARSE);
    compute();
    get_by_id();
    get_by_accessor();
    query_creation();
}
