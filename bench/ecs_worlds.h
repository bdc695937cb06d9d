// What the benchmarks of the ECS share: components, worlds, and the plain arrays that they are compared with.

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

// What is added and removed; registered with another storage in each world.
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

// A world where positions and velocities are registered. Stops the program if that does not work.
BenchWorld bench_world(FiloJobs *jobs);
void bench_world_end(BenchWorld *bench);

// `count` entities with both; position (n, −n) and velocity (1, 0.5) for the n-th. `ids` may be NULL.
void bench_fill(const BenchWorld *bench, size_t count, FiloEntity *ids);

// The same in plain arrays, as a program without an ECS would have it.
typedef struct BenchArrays {
    Position *position;
    Velocity *velocity;
    size_t count;
} BenchArrays;
BenchArrays bench_arrays(size_t count);
void bench_arrays_end(BenchArrays *arrays);

// One pass of position += velocity, in each of both. What is measured. The first is as programs write it; the second is
// for rows that do not lie together too.
void bench_move_world(FiloQuery *moving);
void bench_move_world_by_index(FiloQuery *moving);
void bench_move_arrays(Position *position, const Velocity *velocity, size_t count);
// Whether the n-th entity has the same position as the n-th element of the arrays, for all of them.
bool bench_same_positions(const BenchWorld *bench, const FiloEntity *ids, const BenchArrays *arrays);

// From malloc: 0 to count − 1 in an order of chance (the same every time), or as they are.
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
