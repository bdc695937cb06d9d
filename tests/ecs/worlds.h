// Shared by the tests of the ECS: a world, and the objects that are often destroyed before it.

#ifndef FILO_TEST_ECS_WORLDS_H
#define FILO_TEST_ECS_WORLDS_H

#include <filo/ecs.h>
#include <filo/snapshot.h>

#include "support/test.h"

// Without components.
static inline FiloWorld *create_world_in(const FiloAllocator *allocator) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .allocator = allocator }));
    return world;
}

static inline FiloWorld *create_world(void) { return create_world_in(NULL); }

static inline FiloSnapshot *take_snapshot(FiloWorld *world) {
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, world));
    return snapshot;
}

static inline void destroy_with_query(FiloWorld *world, FiloQuery *query) {
    filo_query_release(query);
    filo_world_destroy(world);
}

static inline void destroy_with_changes(FiloWorld *world, FiloChanges *changes) {
    filo_changes_destroy(changes);
    filo_world_destroy(world);
}

static inline void destroy_with_snapshot(FiloWorld *world, FiloSnapshot *snapshot) {
    filo_snapshot_destroy(snapshot);
    filo_world_destroy(world);
}

#endif
