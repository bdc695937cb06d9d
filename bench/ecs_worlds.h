// Shared by the benchmarks of the ECS: components, worlds, and the plain arrays that they are compared with.

#ifndef FILO_BENCH_ECS_WORLDS_H
#define FILO_BENCH_ECS_WORLDS_H

#include "bench.h"

#include <filo/ecs.h>

typedef struct Position {
    float x, y;
} Position;
FILO_REFLECT_DECLARE(Position);

typedef struct Velocity {
    float x, y;
} Velocity;
FILO_REFLECT_DECLARE(Velocity);

typedef struct Angle {
    float angle;
} Angle;
FILO_REFLECT_DECLARE(Angle);

typedef struct SineCosine {
    float sine, cosine;
} SineCosine;
FILO_REFLECT_DECLARE(SineCosine);

// The component that is added and removed. Has another storage in each world.
typedef struct Mark {
    float value;
} Mark;
FILO_REFLECT_DECLARE(Mark);
const FiloType *filo_type_Flag(void); // a tag

typedef struct BenchWorld {
    FiloWorld *world;
    FiloComponent position, velocity;
    FiloQuery *moving; // writes positions, reads velocities
} BenchWorld;

// A world with positions and velocities registered. Stops the program on failure.
BenchWorld bench_world(FiloJobs *jobs);
void bench_world_end(BenchWorld *bench);

// Creates `count` entities; the n-th has position (n, −n) and velocity (1, 0.5). `ids` may be NULL.
void bench_fill(const BenchWorld *bench, size_t count, FiloEntity *ids);

// The same values in plain arrays, as in a program without an ECS.
typedef struct BenchArrays {
    Position *position;
    Velocity *velocity;
    size_t count;
} BenchArrays;
BenchArrays bench_arrays(size_t count);
void bench_arrays_end(BenchArrays *arrays);

// One pass of position += velocity. This is what is measured. The second works also for columns that are not
// contiguous.
void bench_move_world(FiloQuery *moving);
void bench_move_world_by_index(FiloQuery *moving);
void bench_move_arrays(Position *position, const Velocity *velocity, size_t count);
// Whether the n-th entity has the same position as the n-th element of the arrays, for all of them.
bool bench_same_positions(const BenchWorld *bench, const FiloEntity *ids, const BenchArrays *arrays);

// From malloc: 0 to count − 1, in a random order (the same every time) or ascending.
uint32_t *bench_order(size_t count, bool shuffled);
void *bench_alloc(size_t size); // zeroed; stops the program without memory; freed with free()

FiloJobs *bench_jobs(int threads);

// The parts of the benchmark.
void bench_ecs_iterate(void);
void bench_ecs_tags(void);
void bench_ecs_entities(void);
void bench_ecs_churn(void);
void bench_ecs_observe(void);
void bench_ecs_holders(void);
void bench_ecs_systems(void);
void bench_ecs_threads(void);
void bench_ecs_snapshot(void);
void bench_ecs_spatial(void);

#endif
