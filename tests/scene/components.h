// The components that the tests and the fuzzer of scenes share.

#ifndef FILO_TEST_SCENE_COMPONENTS_H
#define FILO_TEST_SCENE_COMPONENTS_H

#include <filo/maths.h>
#include <filo/scene.h>

typedef struct Position {
    float x, y;
} Position;
FILO_REFLECT(Position, FILO_FIELD(float, x), FILO_FIELD(float, y))

typedef struct Health {
    int32_t points, most;
} Health;
FILO_REFLECT(Health, FILO_FIELD(int32_t, points, .min = 0, .max = 1000), FILO_FIELD(int32_t, most))

typedef struct Follow {
    FiloEntity target;
    FiloEntity others[3];
    float speed;
} Follow;
FILO_REFLECT(Follow, FILO_FIELD(FiloEntity, target, .was = "leader"), FILO_FIELD(FiloEntity, others),
             FILO_FIELD(float, speed))

typedef enum Temper { TEMPER_CALM, TEMPER_ANGRY } Temper;
FILO_REFLECT_ENUM(Temper, FILO_VALUE(TEMPER_CALM, "calm"), FILO_VALUE(TEMPER_ANGRY, "angry"))
typedef enum Powers { POWER_FLY = 1, POWER_SWIM = 2 } Powers;
FILO_REFLECT_FLAGS(Powers, FILO_VALUE(POWER_FLY, "fly"), FILO_VALUE(POWER_SWIM, "swim"))

typedef struct Mount {
    FiloEntity on;
    FiloVec2 at;
} Mount;
FILO_REFLECT(Mount, FILO_FIELD(FiloEntity, on), FILO_FIELD(FiloVec2, at))

typedef struct Soul {
    Temper mood;
    uint8_t chosen;
    Powers powers;
    char motto[24];
    FiloName kind;
    uint16_t lucky[3];
    Mount mounts[2];
    double age;
    uint64_t seed;
    bool brave;
    int32_t cache;
} Soul;
FILO_REFLECT(Soul, FILO_FIELD(Temper, mood), FILO_FIELD(uint8_t, chosen, .choices = filo_type_Temper),
             FILO_FIELD(Powers, powers), FILO_FIELD(char, motto), FILO_FIELD(FiloName, kind),
             FILO_FIELD(uint16_t, lucky), FILO_FIELD(Mount, mounts), FILO_FIELD(double, age),
             FILO_FIELD(uint64_t, seed), FILO_FIELD(_Bool, brave),
             FILO_FIELD(int32_t, cache, .flags = FILO_FIELD_TRANSIENT))

typedef struct Trail {
    float length;
} Trail;
FILO_REFLECT(Trail, FILO_FIELD(float, length))

typedef struct Tempest {
    float rain;
    FiloEntity cloud;
} Tempest;
FILO_REFLECT(Tempest, FILO_FIELD(float, rain), FILO_FIELD(FiloEntity, cloud))

FILO_TAG(Frozen)
FILO_TAG(Marked)

// Like register_components, but some components require others.
static inline void register_requiring(FiloWorld *world) {
    filo_component(world, Position);
    filo_component(world, Health, .default_value = &(Health){ 100, 100 });
    filo_component(world, Trail, .transient = true, .required = { FILO_REQUIRED(Health) });
    filo_component(world, Follow, .required = { FILO_REQUIRED(Position) });
    filo_component(world, Marked, .storage = FILO_STORAGE_TAG);
    filo_component(world, Soul, .storage = FILO_STORAGE_SPARSE,
                   .required = { FILO_REQUIRED(Follow), FILO_REQUIRED(Trail), FILO_REQUIRED(Marked) });
    filo_component(world, Frozen, .required = { FILO_REQUIRED(Health) });
    filo_component(world, Tempest, .storage = FILO_STORAGE_GLOBAL,
                   .default_value = &(Tempest){ .rain = 0.5f });
}

static inline void register_components(FiloWorld *world) {
    filo_component(world, Position);
    filo_component(world, Health, .default_value = &(Health){ 100, 100 });
    filo_component(world, Follow);
    filo_component(world, Soul, .storage = FILO_STORAGE_SPARSE);
    filo_component(world, Trail, .transient = true);
    filo_component(world, Tempest, .storage = FILO_STORAGE_GLOBAL,
                   .default_value = &(Tempest){ .rain = 0.5f });
    filo_component(world, Frozen);
    filo_component(world, Marked, .storage = FILO_STORAGE_TAG);
}

#endif
