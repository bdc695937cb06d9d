// Benchmarks of the entity-component system. The reference is the simplest C that does the same work, compiled with the
// same flags and measured in turns with ours. The results of both are compared.
//
//   ecs_worlds.c    shared components, worlds and arrays
//   ecs_iterate.c   iterating, getting components by id, creating queries
//   ecs_tags.c      tags in tables and in bits
//   ecs_entities.c  creating and destroying; memory
//   ecs_churn.c     adding and removing components
//   ecs_observe.c   hooks, observers and tracked queries
//   ecs_holders.c   all storages of a component
//   ecs_systems.c   ticks: systems that compute, the cost of the schedule, allocations
//   ecs_threads.c   speed-up
//   ecs_snapshot.c  taking and restoring snapshots
//   ecs_spatial.c   the spatial index

#include "ecs_worlds.h"

FILO_BENCH(ecs) {
    if (!bench_wanted("ecs")) return;
    bench_ecs_iterate();
    bench_ecs_tags();
    bench_ecs_entities();
    bench_ecs_churn();
    bench_ecs_observe();
    bench_ecs_holders();
    bench_ecs_systems();
    bench_ecs_threads();
    bench_ecs_snapshot();
    bench_ecs_spatial();
}
