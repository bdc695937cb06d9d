// All storages of components, and a world in which one component has any of them.

#ifndef FILO_TEST_ECS_STORAGES_H
#define FILO_TEST_ECS_STORAGES_H

#include "../../examples/holders/ordered.c" // NOLINT: a test is one source
#include "ecs/world_types.h"

static const FiloStorage storages[] = { FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_ARRAY,
                                        FILO_STORAGE_MAP, FILO_STORAGE_USER };

// Fields of a FiloComponentDesc. FILO_STORAGE_USER means the ordered holder of the examples.
#define STORED_IN(storage_)                                                                                  \
    .storage = (storage_), .holder = (storage_) == FILO_STORAGE_USER ? &ordered_holder : NULL

// A world with the shared components except Target; Health has this storage.
static inline FiloWorld *world_with_health_in(FiloStorage storage) {
    FiloWorld *world = create_world();
    filo_component(world, Position);
    filo_component(world, Velocity);
    filo_component(world, Frozen);
    filo_component(world, Chosen, .storage = FILO_STORAGE_TAG);
    filo_component(world, Score, .storage = FILO_STORAGE_GLOBAL);
    filo_component(world, Health, STORED_IN(storage));
    return world;
}

#endif
