// A value as a list of runs: bytes that can be taken as they are, floats, names and texts, in the order of
// the description. Neighbours of one kind are joined; padding and transient fields are left out.

#ifndef FILO_ECS_RUNS_H
#define FILO_ECS_RUNS_H

#include <filo/containers.h>
#include <filo/reflect.h>

typedef enum FiloRunKind {
    FILO_RUN_BYTES,
    FILO_RUN_FLOATS,
    FILO_RUN_DOUBLES,
    FILO_RUN_NAMES,
    FILO_RUN_TEXT, // never joined
} FiloRunKind;

typedef struct FiloRun {
    FiloRunKind kind;
    uint32_t offset;
    uint32_t size; // bytes
} FiloRun;

typedef struct FiloRunWalk {
    void (*emit)(struct FiloRunWalk *walk, const FiloRun *run); // the walk is a part of something larger
    FiloRun waiting;                                            // may be joined with the next
    bool is_waiting;
} FiloRunWalk;

// Calls `emit` for each run of a struct.
void filo_runs_walk(FiloRunWalk *walk, const FiloType *type);

typedef FiloArray(FiloRun) FiloRunArray;

// Fills the array, which is cleared first. False without memory.
bool filo_runs_list(FiloRunArray *runs, const FiloType *type);

#endif
