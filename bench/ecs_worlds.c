#include "ecs_worlds.h"

#include <stdlib.h>
#include <string.h>

FILO_REFLECT(Position, FILO_FIELD(float, x), FILO_FIELD(float, y))
FILO_REFLECT(Velocity, FILO_FIELD(float, x), FILO_FIELD(float, y))
FILO_REFLECT(Angle, FILO_FIELD(float, angle))
FILO_REFLECT(SineCosine, FILO_FIELD(float, sine), FILO_FIELD(float, cosine))
FILO_REFLECT(Mark, FILO_FIELD(float, value))
FILO_TAG(Flag)

// ---- Worlds -------------------------------------------------------------------------------------------

BenchWorld bench_world(FiloJobs *jobs) {
    BenchWorld bench = { 0 };
    FiloResult r = filo_world_create(&bench.world, &(FiloWorldDesc){ .name = "bench", .jobs = jobs });
    if (r.code != FILO_OK) filo_panic("no world for the benchmark: %s", r.message);
    bench.position = filo_component(bench.world, Position);
    bench.velocity = filo_component(bench.world, Velocity);
    bench.moving = filo_query(bench.world, FILO_WRITE(Position), FILO_READ(Velocity));
    bench_expect(bench.moving != NULL, "there is no query");
    return bench;
}

void bench_world_end(BenchWorld *bench) {
    filo_query_release(bench->moving);
    filo_world_destroy(bench->world);
    *bench = (BenchWorld){ 0 };
}

static Position first_position(size_t n) { return (Position){ (float)n, -(float)n }; }
static const Velocity first_velocity = { 1, 0.5f };

static void fill_rows(FiloIter *it, void *user) {
    (void)user;
    Position *position = filo_write(it, Position);
    for (size_t i = 0; i < it->count; i++) position[i] = first_position(it->first + i);
}

void bench_fill(const BenchWorld *bench, size_t count, FiloEntity *ids) {
    const FiloComponentValue with[] = { { NULL, bench->position, NULL },
                                        { NULL, bench->velocity, &first_velocity } };
    bool filled = filo_entity_create_block(
        bench->world,
        &(FiloBlockDesc){
            .count = count, .values = with, .value_count = 2, .entities = ids, .fill = fill_rows });
    bench_expect(filled, "the entities were not created");
}

// ---- Arrays -------------------------------------------------------------------------------------------

void *bench_alloc(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL) filo_panic("no memory for the benchmark");
    memset(memory, 0, size); // not calloc: the pages are mapped before the measurement begins
    return memory;
}

// Aligned to a cache line, and at another offset in a page than the other array: else the processor takes a read of one
// for a read of what was just written to the other (4K aliasing).
static void *best_array(size_t size, size_t shift) {
    uint8_t *memory = NULL;
    if (posix_memalign((void **)&memory, 4096, size + 4096) != 0) filo_panic("no memory for the benchmark");
    memset(memory, 0, size + 4096);
    return memory + shift;
}

#define VELOCITY_SHIFT 2048

BenchArrays bench_arrays(size_t count) {
    BenchArrays arrays = { best_array(count * sizeof(Position), 0),
                           best_array(count * sizeof(Velocity), VELOCITY_SHIFT), count };
    for (size_t i = 0; i < count; i++) {
        arrays.position[i] = first_position(i);
        arrays.velocity[i] = first_velocity;
    }
    return arrays;
}

void bench_arrays_end(BenchArrays *arrays) {
    free(arrays->position);
    free((uint8_t *)arrays->velocity - VELOCITY_SHIFT);
    *arrays = (BenchArrays){ 0 };
}

uint32_t *bench_order(size_t count, bool shuffled) {
    uint32_t *order = bench_alloc(count * sizeof *order);
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    if (!shuffled) return order;
    FiloRandom random = filo_random_sequence(7);
    for (size_t i = count - 1; i > 0; i--) {
        size_t k = filo_random_u64(&random) % (i + 1);
        uint32_t other = order[k];
        order[k] = order[i];
        order[i] = other;
    }
    return order;
}

FiloJobs *bench_jobs(int threads) {
    FiloJobs *jobs;
    if (filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }).code != FILO_OK)
        filo_panic("no scheduler for the benchmark");
    return jobs;
}

// ---- Moving -------------------------------------------------------------------------------------------

__attribute__((noinline)) void bench_move_world(FiloQuery *moving) {
    FiloIter it = filo_query_iter(moving);
    while (filo_iter_next(&it)) {
        Position *position = filo_write(&it, Position);
        const Velocity *velocity = filo_read(&it, Velocity);
        for (size_t i = 0; i < it.count; i++) {
            position[i].x += velocity[i].x;
            position[i].y += velocity[i].y;
        }
    }
}

__attribute__((noinline)) void bench_move_world_by_index(FiloQuery *moving) {
    FiloIter it = filo_query_iter(moving);
    while (filo_iter_next(&it)) {
        FiloColumn position = filo_iter_column(&it, 0), velocity = filo_iter_column(&it, 1);
        for (size_t i = 0; i < it.count; i++) {
            Position *p = FILO_AT(position, i, Position);
            const Velocity *v = FILO_AT(velocity, i, const Velocity);
            p->x += v->x;
            p->y += v->y;
        }
    }
}

__attribute__((noinline)) void bench_move_arrays(Position *position, const Velocity *velocity, size_t count) {
    for (size_t i = 0; i < count; i++) {
        position[i].x += velocity[i].x;
        position[i].y += velocity[i].y;
    }
}

bool bench_same_positions(const BenchWorld *bench, const FiloEntity *ids, const BenchArrays *arrays) {
    for (size_t i = 0; i < arrays->count; i++) {
        const Position *position = filo_entity_get(bench->world, ids[i], bench->position);
        if (position == NULL || memcmp(position, &arrays->position[i], sizeof *position) != 0) return false;
    }
    return true;
}
