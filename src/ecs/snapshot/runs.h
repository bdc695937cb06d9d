// A value as a list of runs: plain bytes, floats, names and texts, in the order of the description. Adjacent runs of
// one kind are joined. Padding and transient fields are left out.

#ifndef FILO_ECS_SNAPSHOT_RUNS_H
#define FILO_ECS_SNAPSHOT_RUNS_H

#include <filo/containers.h>
#include <filo/reflect.h>

typedef enum EcsRunKind {
    ECS_RUN_BYTES,
    ECS_RUN_FLOATS,
    ECS_RUN_DOUBLES,
    ECS_RUN_NAMES,
    ECS_RUN_TEXT, // never joined
} EcsRunKind;

typedef struct EcsRun {
    EcsRunKind kind;
    uint32_t offset;
    uint32_t size; // bytes
} EcsRun;

// The first field of a larger struct, to which `emit` casts it.
typedef struct EcsRunWalk {
    void (*emit)(struct EcsRunWalk *walk, const EcsRun *run);
    EcsRun pending; // may be joined with the next run
    bool has_pending;
} EcsRunWalk;

// Calls `emit` for each run of a struct.
void ecs_runs_walk(EcsRunWalk *walk, const FiloType *type);

typedef FiloArray(EcsRun) EcsRunArray;

// Fills the array, which is cleared first. False without memory.
bool ecs_runs_list(EcsRunArray *runs, const FiloType *type);

#endif
