// A small game for tests of commands and of rewinding: bodies drift, and one is born every ten ticks.

#ifndef FILO_TEST_APP_DRIFTER_H
#define FILO_TEST_APP_DRIFTER_H

#include "stage.h"

#include <filo/random.h>

static const double tick = 1.0 / 60;

typedef struct Drifter {
    FiloVec2 position, velocity;
    float mass;
} Drifter;
FILO_REFLECT(Drifter, FILO_FIELD(FiloVec2, position), FILO_FIELD(FiloVec2, velocity),
             FILO_FIELD(float, mass, .min = 0, .max = 10, .unit = "kg"))

static inline void drift(FiloIter *it) {
    Drifter *drifter = filo_write(it, Drifter);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        drifter[i].velocity.x += filo_random_float_range(&random, -1, 1) / (1 + drifter[i].mass);
        drifter[i].position = filo_vec2_add_scaled(drifter[i].position, drifter[i].velocity, it->delta);
    }
}

static inline void bear(FiloIter *it) { filo_create(it->changes, FILO_SET(Drifter, .mass = 2)); }

static inline FiloResult create_drifters(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Drifter);
    filo_system_add(
        world, &(FiloSystemDesc){
                   .name = "drift", .run = drift, .parallel = true, .query.terms = { FILO_WRITE(Drifter) } });
    filo_system_add(world, &(FiloSystemDesc){ .name = "bear", .run = bear, .every = 10 });
    FiloEntity first = filo_create(world, FILO_SET(Drifter, .mass = 1));
    filo_entity_set_name(world, first, "first");
    return filo_ok();
}

static inline FiloApp *start_drifters(const FiloCommonArgs *args) {
    return start(&(FiloAppDesc){ .name = "drifters", .create = create_drifters, .no_overlap = true }, args);
}

static inline void frames(FiloApp *app, int number) {
    for (int i = 0; i < number; i++) {
        filo_app_poll(app);
        filo_app_tick(app, tick);
    }
}

static inline FiloEntity first_of(const FiloApp *app) {
    return filo_world_find(filo_app_world(app), "first");
}

static inline FiloCommand set_mass(const FiloApp *app, const char *value) {
    FiloCommand command = { .kind = FILO_COMMAND_SET,
                            .entity = first_of(app),
                            .component = filo_name("Drifter"),
                            .path = filo_name("mass") };
    filo_string_copy(filo_string(value), command.value, sizeof command.value);
    return command;
}

static inline uint64_t hash_of(const FiloApp *app) { return filo_world_hash(filo_app_world(app)); }

#endif
