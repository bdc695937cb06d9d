// Shared by the tests that expect the same bits: a history of a world, run on any number of threads, and run on from a
// snapshot or a file.

#ifndef FILO_TEST_PHYSICS2D_HISTORY_H
#define FILO_TEST_PHYSICS2D_HISTORY_H

#include "physics2d/physics2d.h"
#include "physics2d/scene.h"

enum { HISTORY_MOST = 300 };

typedef struct History {
    int ticks;                                     // at most HISTORY_MOST
    void (*prepare)(const Scene *scene);           // hooks and handlers, which no file has; may be NULL
    void (*fill)(const Scene *scene);              // the bodies
    void (*disturb)(const Scene *scene, int tick); // what a game does before this tick
    void (*check_end)(const Scene *scene);         // after the last tick; may be NULL
} History;

static Scene history_open(const History *history, int threads) {
    Scene scene = scene_open(threads);
    if (history->prepare != NULL) history->prepare(&scene);
    return scene;
}

static uint64_t history_tick(const History *history, const Scene *scene, int tick) {
    history->disturb(scene, tick);
    run(scene, 1);
    return filo_world_hash(scene->world);
}

// The hash of the world after each tick.
static void history_collect(const History *history, int threads, uint64_t *hashes) {
    Scene scene = history_open(history, threads);
    physics2d_world(scene.world)->processors = threads; // a team of as many, whatever the machine has
    history->fill(&scene);
    for (int i = 0; i < history->ticks; i++) hashes[i] = history_tick(history, &scene, i);
    if (history->check_end != NULL) history->check_end(&scene);
    scene_close(&scene);
}

static void assert_same_on_threads(const History *history) {
    static uint64_t one[HISTORY_MOST], many[HISTORY_MOST];
    history_collect(history, 0, one);
    int threads[] = { 1, 2, 4, 8, 16 };
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        history_collect(history, threads[i], many);
        for (int k = 0; k < history->ticks; k++)
            if (one[k] != many[k]) fail_msg("%d threads differ in tick %d", threads[i], k);
    }
}

typedef enum HistorySave { BY_SNAPSHOT, BY_FILE } HistorySave;
typedef enum HistoryTarget { SAME_WORLD, OTHER_WORLD } HistoryTarget;

// Saves before the tick `from`, runs to the end, and from there once more.
static void assert_continues(const History *history, int from, HistorySave save, HistoryTarget where) {
    static uint64_t hashes[HISTORY_MOST];
    Scene scene = history_open(history, 2), other = history_open(history, 0);
    Scene *target = where == OTHER_WORLD ? &other : &scene;
    history->fill(&scene);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    FiloBytes bytes = { 0 };
    for (int i = 0; i < history->ticks; i++) {
        if (i == from && save == BY_FILE) assert_ok(filo_world_save_bytes(scene.world, &bytes, NULL));
        if (i == from && save == BY_SNAPSHOT) assert_ok(filo_snapshot_take(snapshot, scene.world));
        hashes[i] = history_tick(history, &scene, i);
    }
    if (save == BY_FILE)
        assert_ok(filo_world_load_bytes(target->world, bytes.items, bytes.count, "save", NULL));
    else
        assert_ok(filo_snapshot_restore(snapshot, target->world));
    for (int i = from; i < history->ticks; i++)
        if (history_tick(history, target, i) != hashes[i])
            fail_msg("from tick %d: differs in tick %d", from, i);
    filo_array_deinit(&bytes);
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
    scene_close(&other);
}

#endif
