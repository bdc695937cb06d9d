// Creating and destroying entities, and their memory.

#include "ecs_worlds.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// ---- Creating -----------------------------------------------------------------------------------------
//
// Each sample starts with a new world, or with memory that was never accessed, so that page faults count for both.

static double per_entity(int64_t start, size_t count) {
    return (double)(filo_time_ns() - start) / (double)count;
}

static void end_created(BenchWorld *bench, size_t count) {
    bench_expect(filo_query_count(bench->moving) == count, "entities are missing");
    FiloEntity last = filo_query_at(bench->moving, count - 1);
    const Position *position = filo_entity_get(bench->world, last, bench->position);
    bench_expect(position != NULL && position->x == (float)(count - 1), "a position is wrong");
    bench_world_end(bench);
}

static double create_each(void *state) {
    size_t count = *(size_t *)state;
    BenchWorld bench = bench_world(NULL);
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < count; i++) {
        Position position = { (float)i, -(float)i };
        Velocity velocity = { 1, 0.5f };
        const FiloComponentValue with[] = { { NULL, bench.position, &position },
                                            { NULL, bench.velocity, &velocity } };
        bench_use(filo_entity_create_with(bench.world, with, 2).id);
    }
    double ns = per_entity(start, count);
    end_created(&bench, count);
    return ns;
}

static double create_each_by_type(void *state) {
    size_t count = *(size_t *)state;
    BenchWorld bench = bench_world(NULL);
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < count; i++)
        bench_use(
            filo_create(bench.world, FILO_SET(Position, (float)i, -(float)i), FILO_SET(Velocity, 1, 0.5f))
                .id);
    double ns = per_entity(start, count);
    end_created(&bench, count);
    return ns;
}

// As in a first program: creates an empty entity, and adds one component after the other.
static double create_and_set(void *state) {
    size_t count = *(size_t *)state;
    BenchWorld bench = bench_world(NULL);
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < count; i++) {
        FiloEntity entity = filo_entity_create(bench.world);
        filo_set(bench.world, entity, Position, (float)i, -(float)i);
        filo_set(bench.world, entity, Velocity, 1, 0.5f);
    }
    double ns = per_entity(start, count);
    end_created(&bench, count);
    return ns;
}

static double create_block(void *state) {
    size_t count = *(size_t *)state;
    BenchWorld bench = bench_world(NULL);
    int64_t start = filo_time_ns();
    bench_fill(&bench, count, NULL);
    double ns = per_entity(start, count);
    end_created(&bench, count);
    return ns;
}

static __attribute__((noinline)) void write_arrays(Position *position, Velocity *velocity, size_t count) {
    for (size_t i = 0; i < count; i++) {
        position[i] = (Position){ (float)i, -(float)i };
        velocity[i] = (Velocity){ 1, 0.5f };
    }
}

static double write_new_arrays(void *state) {
    size_t count = *(size_t *)state;
    int64_t start = filo_time_ns();
    Position *position = bench_new_pages(count * sizeof *position);
    Velocity *velocity = bench_new_pages(count * sizeof *velocity);
    write_arrays(position, velocity, count);
    double ns = per_entity(start, count);
    bench_expect(position[count - 1].x == (float)(count - 1), "a position is wrong");
    bench_free_pages(position, count * sizeof *position);
    bench_free_pages(velocity, count * sizeof *velocity);
    return ns;
}

static void create(void) {
    static size_t counts[] = { 10000, 100000, 1000000 };
    static const char *const sizes[] = { "10k", "100k", "1m" };
    static const struct {
        const char *name;
        BenchSample sample;
    } methods[] = { { "ecs.create", create_each },
                    { "ecs.create_by_type", create_each_by_type },
                    { "ecs.create_set", create_and_set },
                    { "ecs.create_bulk", create_block } };
    for (size_t method = 0; method < FILO_COUNT_OF(methods); method++) {
        for (size_t i = 0; i < FILO_COUNT_OF(counts); i++) {
            char name[64];
            snprintf(name, sizeof name, "%s.%s", methods[method].name, sizes[i]);
            bench_compare(&(BenchFigure){ name, "ns/entity", methods[method].sample, write_new_arrays,
                                          "two fresh arrays", &counts[i], 0, false });
        }
    }
}

// ---- Prefabs ------------------------------------------------------------------------------------------
//
// Instances with two components, in a new world each time; with an override, three.

#define INSTANCES 100000

static FiloEntity add_prefab(BenchWorld *bench) {
    filo_component(bench->world, Angle);
    FiloEntity prefab = filo_create(bench->world, FILO_SET(Position, 3, 4), FILO_SET(Velocity, 1, 0.5f));
    bench_expect(filo_prefab_make(bench->world, prefab), "there is no prefab");
    return prefab;
}

static double end_instances(BenchWorld *bench, int64_t start, float angle) {
    double ns = per_entity(start, INSTANCES);
    bench_expect(filo_query_count(bench->moving) == INSTANCES, "instances are missing");
    FiloEntity last = filo_query_at(bench->moving, INSTANCES - 1);
    bench_expect(filo_get(bench->world, last, Position)->y == 4, "a position is wrong");
    const Angle *given = filo_get(bench->world, last, Angle);
    bench_expect((given != NULL ? given->angle : 0) == angle, "an angle is wrong");
    bench_world_end(bench);
    return ns;
}

static double instantiate(void *state) {
    FILO_UNUSED(state);
    BenchWorld bench = bench_world(NULL);
    FiloEntity prefab = add_prefab(&bench);
    int64_t start = filo_time_ns();
    filo_prefab_instantiate(bench.world, prefab, &(FiloInstanceDesc){ .count = INSTANCES });
    return end_instances(&bench, start, 0);
}

static double instantiate_each(void *state) {
    FILO_UNUSED(state);
    BenchWorld bench = bench_world(NULL);
    FiloEntity prefab = add_prefab(&bench);
    int64_t start = filo_time_ns();
    for (int i = 0; i < INSTANCES; i++) filo_prefab_instantiate(bench.world, prefab, NULL);
    return end_instances(&bench, start, 0);
}

static double instantiate_with_override(void *state) {
    FILO_UNUSED(state);
    BenchWorld bench = bench_world(NULL);
    FiloEntity prefab = add_prefab(&bench);
    const FiloComponentValue with[] = { FILO_SET(Angle, 2) };
    int64_t start = filo_time_ns();
    filo_prefab_instantiate(bench.world, prefab,
                            &(FiloInstanceDesc){ .count = INSTANCES, .values = with, .value_count = 1 });
    return end_instances(&bench, start, 2);
}

static double instantiate_in_change_set(void *state) {
    FILO_UNUSED(state);
    BenchWorld bench = bench_world(NULL);
    FiloEntity prefab = add_prefab(&bench);
    int64_t start = filo_time_ns();
    FiloChanges *changes = filo_changes_create(bench.world);
    for (int i = 0; i < INSTANCES; i++) bench_use(filo_changes_instantiate(changes, prefab).id);
    filo_changes_apply(changes);
    filo_changes_destroy(changes);
    return end_instances(&bench, start, 0);
}

static void prefabs(void) {
    static size_t count = INSTANCES;
    static const struct {
        const char *name;
        BenchSample sample;
    } methods[] = { { "ecs.prefab.instance", instantiate },
                    { "ecs.prefab.instance_single", instantiate_each },
                    { "ecs.prefab.override", instantiate_with_override },
                    { "ecs.prefab.change_set", instantiate_in_change_set } };
    for (size_t method = 0; method < FILO_COUNT_OF(methods); method++)
        bench_compare(&(BenchFigure){ methods[method].name, "ns/entity", methods[method].sample,
                                      write_new_arrays, "two fresh arrays", &count, 0, false });
}

// ---- Destroying ---------------------------------------------------------------------------------------

#define DESTROYED 1000000

typedef struct Destroying {
    FiloEntity *ids;
    uint32_t *order;    // of destruction
    FiloEntity *listed; // in that order
} Destroying;

static double destroy_each(void *state) {
    Destroying *destroying = state;
    BenchWorld bench = bench_world(NULL);
    bench_fill(&bench, DESTROYED, destroying->ids);
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < DESTROYED; i++)
        filo_entity_destroy(bench.world, destroying->ids[destroying->order[i]]);
    double ns = per_entity(start, DESTROYED);
    bench_expect(filo_world_stats(bench.world).entities == 0, "some entities are left");
    bench_world_end(&bench);
    return ns;
}

static double destroy_many(void *state) {
    Destroying *destroying = state;
    BenchWorld bench = bench_world(NULL);
    bench_fill(&bench, DESTROYED, destroying->ids);
    for (size_t i = 0; i < DESTROYED; i++) destroying->listed[i] = destroying->ids[destroying->order[i]];
    int64_t start = filo_time_ns();
    filo_entity_destroy_many(bench.world, destroying->listed, DESTROYED);
    double ns = per_entity(start, DESTROYED);
    bench_expect(filo_world_stats(bench.world).entities == 0, "some entities are left");
    bench_world_end(&bench);
    return ns;
}

static double destroy_all(void *state) {
    Destroying *destroying = state;
    BenchWorld bench = bench_world(NULL);
    bench_fill(&bench, DESTROYED, destroying->ids);
    int64_t start = filo_time_ns();
    filo_query_destroy_all(bench.moving);
    double ns = per_entity(start, DESTROYED);
    bench_expect(filo_world_stats(bench.world).entities == 0, "some entities are left");
    bench_world_end(&bench);
    return ns;
}

// The least that must be done: arrays without gaps, an index from entity to row, generations, a list of free indices.
typedef struct PlainStore {
    BenchArrays arrays;
    uint32_t *owner;      // of each row
    uint32_t *location;   // row of each entity; of a free one, the entity that was freed next
    uint16_t *generation; // of each entity
    size_t count;
    uint32_t last_free;
} PlainStore;

static PlainStore plain_store(void) {
    PlainStore store = { bench_arrays(DESTROYED),
                         bench_alloc(DESTROYED * sizeof(uint32_t)),
                         bench_alloc(DESTROYED * sizeof(uint32_t)),
                         bench_alloc(DESTROYED * sizeof(uint16_t)),
                         DESTROYED,
                         0 };
    for (uint32_t i = 0; i < DESTROYED; i++) store.owner[i] = store.location[i] = i;
    return store;
}

static void plain_store_end(PlainStore *store) {
    bench_arrays_end(&store->arrays);
    free(store->owner);
    free(store->location);
    free(store->generation);
}

static __attribute__((noinline)) void plain_destroy(PlainStore *store, uint32_t entity) {
    uint32_t row = store->location[entity];
    size_t last = --store->count;
    store->arrays.position[row] = store->arrays.position[last];
    store->arrays.velocity[row] = store->arrays.velocity[last];
    store->location[store->owner[last]] = row;
    store->owner[row] = store->owner[last];
    store->generation[entity]++;
    store->location[store->last_free] = entity;
    store->last_free = entity;
}

static double destroy_plain(void *state) {
    Destroying *destroying = state;
    PlainStore store = plain_store();
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < DESTROYED; i++) plain_destroy(&store, destroying->order[i]);
    double ns = per_entity(start, DESTROYED);
    bench_expect(store.count == 0, "some are left");
    plain_store_end(&store);
    return ns;
}

// Destroys all entities: only the list of free indices and the generations change.
static __attribute__((noinline)) void plain_destroy_all(PlainStore *store) {
    for (size_t i = 0; i < store->count; i++) {
        uint32_t entity = store->owner[i];
        store->generation[entity]++;
        store->location[store->last_free] = entity;
        store->last_free = entity;
    }
    store->count = 0;
}

static double destroy_plain_all(void *state) {
    (void)state;
    PlainStore store = plain_store();
    int64_t start = filo_time_ns();
    plain_destroy_all(&store);
    double ns = per_entity(start, DESTROYED);
    plain_store_end(&store);
    return ns;
}

static void destroy(void) {
    if (!bench_wanted("ecs.destroy") && !bench_wanted("ecs.destroy_bulk") &&
        !bench_wanted("ecs.destroy_many") && !bench_wanted("ecs.destroy_random"))
        return;
    Destroying destroying = { bench_alloc(DESTROYED * sizeof(FiloEntity)), bench_order(DESTROYED, false),
                              bench_alloc(DESTROYED * sizeof(FiloEntity)) };
    bench_compare(&(BenchFigure){ "ecs.destroy.1m", "ns/entity", destroy_each, destroy_plain,
                                  "arrays with an index", &destroying, 0, false });
    bench_compare(&(BenchFigure){ "ecs.destroy_many.1m", "ns/entity", destroy_many, destroy_plain,
                                  "arrays with an index", &destroying, 0, false });
    bench_compare(&(BenchFigure){ "ecs.destroy_bulk.1m", "ns/entity", destroy_all, destroy_plain_all,
                                  "list of free indices", &destroying, 0, false });
    free(destroying.order);
    destroying.order = bench_order(DESTROYED, true);
    bench_compare(&(BenchFigure){ "ecs.destroy.random", "ns/entity", destroy_each, destroy_plain,
                                  "arrays with an index", &destroying, 0, false });
    bench_compare(&(BenchFigure){ "ecs.destroy_random.1m", "ns/entity", destroy_many, destroy_plain,
                                  "arrays with an index", &destroying, 0, false });
    free(destroying.order);
    free(destroying.listed);
    free(destroying.ids);
}

// ---- Memory -------------------------------------------------------------------------------------------

#define COUNTED 1000000

typedef struct Bytes {
    double counted, resident;
} Bytes;

// Resident bytes of this process.
static double resident_bytes(void) {
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2) filo_panic("no /proc/self/statm");
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static double counted_bytes(void *state) { return ((Bytes *)state)->counted / COUNTED; }
static double process_bytes(void *state) { return ((Bytes *)state)->resident / COUNTED; }
static double data_bytes(void *state) {
    (void)state;
    return sizeof(Position) + sizeof(Velocity);
}

static void memory(void) {
    if (!bench_wanted("ecs.bytes")) return;
    Bytes bytes;
    malloc_trim(0); // else the world would reuse memory that is resident already
    double before = resident_bytes();
    BenchWorld bench = bench_world(NULL);
    for (size_t i = 0; i < COUNTED; i++) {
        Position position = { (float)i, 0 };
        Velocity velocity = { 1, 0 };
        const FiloComponentValue with[] = { { NULL, bench.position, &position },
                                            { NULL, bench.velocity, &velocity } };
        filo_entity_create_with(bench.world, with, 2);
    }
    bytes.resident = resident_bytes() - before;
    bytes.counted = (double)filo_world_stats(bench.world).memory;
    bench_compare(&(BenchFigure){ "ecs.bytes", "B/entity", counted_bytes, data_bytes, "the data alone",
                                  &bytes, 1, false });
    bench_compare(&(BenchFigure){ "ecs.bytes.resident", "B/entity", process_bytes, data_bytes,
                                  "the data alone", &bytes, 1, false });
    bench_world_end(&bench);
}

void bench_ecs_entities(void) {
    memory(); // first, before other benchmarks grow the heap
    create();
    prefabs();
    destroy();
}
