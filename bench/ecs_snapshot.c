// Taking and restoring snapshots, compared with copying as many bytes.

#include "ecs_worlds.h"

#include <filo/snapshot.h>

#include <stdlib.h>
#include <string.h>

#define ENTITIES 1000000

typedef struct Keeping {
    BenchWorld bench;
    FiloSnapshot *snapshot;
    FiloHistory *history;
    uint8_t *from, *to; // of the limit
    size_t size;
} Keeping;

static double milliseconds(int64_t start) { return (double)(filo_time_ns() - start) / 1e6; }

static void must(FiloResult r) {
    if (r.code != FILO_OK) filo_panic("%s", r.message);
}

static double take(void *state) {
    Keeping *keeping = state;
    int64_t start = filo_time_ns();
    must(filo_snapshot_take(keeping->snapshot, keeping->bench.world));
    return milliseconds(start);
}

static double restore(void *state) {
    Keeping *keeping = state;
    bench_move_world(keeping->bench.moving); // else there would be nothing to restore
    int64_t start = filo_time_ns();
    must(filo_snapshot_restore(keeping->snapshot, keeping->bench.world));
    return milliseconds(start);
}

static double push(void *state) {
    Keeping *keeping = state;
    bench_move_world(keeping->bench.moving);
    int64_t start = filo_time_ns();
    must(filo_history_push(keeping->history, keeping->bench.world));
    return milliseconds(start);
}

static double copy(void *state) {
    Keeping *keeping = state;
    int64_t start = filo_time_ns();
    memcpy(keeping->to, keeping->from, keeping->size);
    bench_clobber();
    return milliseconds(start);
}

void bench_ecs_snapshot(void) {
    if (!bench_wanted("ecs.snapshot") && !bench_wanted("ecs.restore") && !bench_wanted("ecs.history_push"))
        return;
    Keeping keeping = { .bench = bench_world(NULL), .snapshot = filo_snapshot_create(NULL) };
    bench_expect(keeping.snapshot != NULL, "there is no snapshot");
    must(filo_history_create(&keeping.history, &(FiloHistoryDesc){ .length = 4 }));
    bench_fill(&keeping.bench, ENTITIES, NULL);
    take(&keeping);
    uint64_t before = filo_world_hash(keeping.bench.world);
    keeping.size = filo_snapshot_size(keeping.snapshot);
    keeping.from = bench_alloc(keeping.size);
    keeping.to = bench_alloc(keeping.size);
    static const char *const memory = "memcpy of as many bytes";
    bench_compare(&(BenchFigure){ "ecs.snapshot", "ms", take, copy, memory, &keeping, 0, false });
    bench_compare(&(BenchFigure){ "ecs.restore", "ms", restore, copy, memory, &keeping, 0, false });
    bench_expect(filo_world_hash(keeping.bench.world) == before, "the world is not what it was");
    bench_compare(&(BenchFigure){ "ecs.history_push", "ms", push, copy, memory, &keeping, 7, false });
    free(keeping.from);
    free(keeping.to);
    filo_history_destroy(keeping.history);
    filo_snapshot_destroy(keeping.snapshot);
    bench_world_end(&keeping.bench);
}
