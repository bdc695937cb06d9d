// Shared by the tests of the world: some components, and a world in which they are registered.

#ifndef FILO_TESTS_ECS_WORLD_TYPES_H
#define FILO_TESTS_ECS_WORLD_TYPES_H

#include "ecs/worlds.h"

#include <stdlib.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Health {
    int32_t points;
} Health;
typedef struct Target {
    FiloEntity entity;
} Target;
typedef struct Score { // global
    int64_t points;
    FiloEntity leader;
} Score;
typedef struct Stranger { // not registered by register_types
    int32_t number;
} Stranger;

FILO_REFLECT(Position, FILO_FIELD(float, x), FILO_FIELD(float, y))
FILO_REFLECT(Velocity, FILO_FIELD(float, x), FILO_FIELD(float, y))
FILO_REFLECT(Health, FILO_FIELD(int32_t, points))
FILO_REFLECT(Target, FILO_FIELD(FiloEntity, entity))
FILO_REFLECT(Score, FILO_FIELD(int64_t, points), FILO_FIELD(FiloEntity, leader))
FILO_REFLECT(Stranger, FILO_FIELD(int32_t, number))
FILO_TAG(Frozen)
FILO_TAG(Chosen)

static inline void register_types(FiloWorld *world) {
    filo_component(world, Position);
    filo_component(world, Velocity);
    filo_component(world, Health);
    filo_component(world, Target);
    filo_component(world, Frozen);
    filo_component(world, Chosen, .storage = FILO_STORAGE_TAG);
    filo_component(world, Score, .storage = FILO_STORAGE_GLOBAL);
}

static inline FiloWorld *new_world_with(const FiloWorldDesc *desc) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, desc));
    register_types(world);
    return world;
}

static inline FiloWorld *new_world(void) { return new_world_with(NULL); }

#define ID(world, Type) filo_component_of((world), FILO_TYPE(Type))

#define assert_same_entity(a, b) assert_int_equal((a).id, (b).id)

#endif
