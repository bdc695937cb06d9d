// Hooks, observers and tracked queries: a component with hooks, one with an observer, and one of a tracked query is
// added to 1M entities with a position and a velocity, one by one. Time for one change, with the refresh that reports
// all.

#include "ecs_worlds.h"

#include <stdlib.h>
#include <string.h>

#define ENTITIES 1000000

typedef struct Observe {
    BenchWorld bench;
    FiloComponent mark;
    FiloEntity *ids;
    FiloQuery *tracked; // NULL: none
    size_t reported;    // entities that were reported, or values that were constructed
} Observe;

// ---- Ours ---------------------------------------------------------------------------------------------

static void construct_mark(void *value, void *user) {
    (void)value;
    ++*(size_t *)user;
}

static void destruct_mark(void *value, void *user) {
    (void)value;
    bench_use(user);
}

static double add_all(Observe *observe) {
    FiloWorld *world = observe->bench.world;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < ENTITIES; i++) filo_entity_add(world, observe->ids[i], observe->mark);
    filo_world_refresh(world);
    return (double)(filo_time_ns() - start) / ENTITIES;
}

static double remove_all(Observe *observe) {
    FiloWorld *world = observe->bench.world;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < ENTITIES; i++) filo_entity_remove(world, observe->ids[i], observe->mark);
    filo_world_refresh(world);
    return (double)(filo_time_ns() - start) / ENTITIES;
}

static double add_hooked(void *state) {
    Observe *observe = state;
    observe->reported = 0;
    double ns = add_all(observe);
    bench_expect(observe->reported == ENTITIES, "not all values were constructed");
    remove_all(observe);
    return ns;
}

static void report_marks(FiloIter *it, const FiloObserved *observed) {
    ((Observe *)it->user)->reported += observed->count;
}

static double add_observed(void *state) {
    Observe *observe = state;
    observe->reported = 0;
    double ns = add_all(observe);
    bench_expect(observe->reported == ENTITIES, "not all were observed");
    remove_all(observe);
    return ns;
}

static double remove_observed(void *state) {
    Observe *observe = state;
    add_all(observe);
    observe->reported = 0;
    double ns = remove_all(observe);
    bench_expect(observe->reported == ENTITIES, "not all were observed");
    return ns;
}

// The mean of entering and leaving.
static double change_tracked(void *state) {
    Observe *observe = state;
    size_t entered, left;
    double ns = add_all(observe);
    (void)filo_query_entered(observe->tracked, &entered);
    ns += remove_all(observe);
    (void)filo_query_left(observe->tracked, &left);
    bench_expect(entered == ENTITIES && left == ENTITIES, "not all were tracked");
    return ns / 2;
}

// ---- The limit ------------------------------------------------------------------------------------------

// Two tables, without and with the component. An entity moves from one to the other, and a function is called.
typedef struct PlainTable {
    Position position[ENTITIES];
    Velocity velocity[ENTITIES];
    Mark mark[ENTITIES];
    uint32_t owner[ENTITIES];
    size_t count;
} PlainTable;

typedef struct Plain {
    PlainTable tables[2];
    uint32_t location[ENTITIES]; // row << 1 | table
    FiloEntity reported[ENTITIES];
    size_t reported_count;
    void (*report)(struct Plain *plain, uint32_t entity);
} Plain;

static Plain *plain;

static void report(Plain *all, uint32_t entity) {
    all->reported[all->reported_count++] = (FiloEntity){ entity };
}

static __attribute__((noinline)) void plain_move(uint32_t entity, uint32_t to_table) {
    uint32_t row = plain->location[entity] >> 1;
    PlainTable *from = &plain->tables[to_table ^ 1], *to = &plain->tables[to_table];
    size_t row_to = to->count++, last = --from->count;
    to->position[row_to] = from->position[row];
    to->velocity[row_to] = from->velocity[row];
    if (to_table == 1) to->mark[row_to] = (Mark){ 0 };
    to->owner[row_to] = entity;
    plain->location[entity] = (uint32_t)row_to << 1 | to_table;
    if (row != last) {
        from->position[row] = from->position[last];
        from->velocity[row] = from->velocity[last];
        if (to_table == 0) from->mark[row] = from->mark[last];
        from->owner[row] = from->owner[last];
        plain->location[from->owner[row]] = row << 1 | (to_table ^ 1);
    }
    plain->report(plain, entity);
}

static double move_and_call(void *state) {
    (void)state;
    double ns = 0;
    for (uint32_t table = 1; table < 2; table--) { // to the table with the component, then back
        int64_t start = filo_time_ns();
        for (uint32_t i = 0; i < ENTITIES; i++) plain_move(i, table);
        ns += (double)(filo_time_ns() - start) / ENTITIES;
        bench_expect(plain->reported_count == ENTITIES && plain->tables[table].count == ENTITIES,
                     "some were lost");
        plain->reported_count = 0;
    }
    return ns / 2;
}

static void begin_limit(void) {
    plain = bench_alloc(sizeof *plain);
    plain->report = report;
    plain->tables[0].count = ENTITIES;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        plain->tables[0].owner[i] = i;
        plain->location[i] = i << 1;
    }
}

// ---- All ------------------------------------------------------------------------------------------------

static void begin(Observe *observe, const FiloComponentHooks *hooks) {
    *observe = (Observe){ .bench = bench_world(NULL), .ids = bench_alloc(ENTITIES * sizeof(FiloEntity)) };
    FiloComponentDesc desc = { .type = FILO_TYPE(Mark) };
    if (hooks != NULL) desc.hooks = *hooks;
    desc.hooks.user = &observe->reported;
    observe->mark = filo_component_register(observe->bench.world, &desc);
    bench_fill(&observe->bench, ENTITIES, observe->ids);
}

static void observe_marks(Observe *observe) {
    FiloObserver observer = filo_observer_add(
        observe->bench.world, &(FiloObserverDesc){ .name = "marks",
                                                   .run = report_marks,
                                                   .component = observe->mark,
                                                   .kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED,
                                                   .user = observe });
    bench_expect(observer.id != 0, "there is no observer");
}

static void measure(const char *name, Observe *observe, BenchSample ours) {
    bench_compare(&(BenchFigure){ name, "ns/change", ours, move_and_call, "move between arrays and a call",
                                  observe, 7, false });
    filo_query_release(observe->tracked);
    bench_world_end(&observe->bench);
    free(observe->ids);
}

void bench_ecs_observe(void) {
    Observe observe;
    if (!bench_wanted("ecs.hook") && !bench_wanted("ecs.observe") && !bench_wanted("ecs.tracked")) return;
    begin_limit();
    if (bench_shows("ecs.hook.add")) {
        begin(&observe, &(FiloComponentHooks){ .construct = construct_mark, .destruct = destruct_mark });
        measure("ecs.hook.add", &observe, add_hooked);
    }
    if (bench_shows("ecs.observe.add")) {
        begin(&observe, NULL);
        observe_marks(&observe);
        measure("ecs.observe.add", &observe, add_observed);
    }
    if (bench_shows("ecs.observe.remove")) {
        begin(&observe, NULL);
        observe_marks(&observe);
        measure("ecs.observe.remove", &observe, remove_observed);
    }
    if (bench_shows("ecs.tracked")) {
        begin(&observe, NULL);
        FiloQueryDesc desc = { .terms = { { .component = observe.mark } }, .tracked = true };
        observe.tracked = filo_query_create(observe.bench.world, &desc);
        measure("ecs.tracked", &observe, change_tracked);
    }
    free(plain);
}
