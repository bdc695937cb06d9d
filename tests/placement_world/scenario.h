// A game for tests of determinism: two viewers walk through the forest, fell trees, hurt some, clear circles and paint.

#ifndef FILO_TEST_PLACEMENT_WORLD_SCENARIO_H
#define FILO_TEST_PLACEMENT_WORLD_SCENARIO_H

#include "placement_world/fixture.h"

// Fells the trees of some candidates, hurts those of others, and marks a few: in each tick, those whose number is up.
static inline void scenario_work(FiloIter *it) {
    const FiloPlacedObject *object = filo_read(it, FiloPlacedObject);
    Health *health = filo_write(it, Health);
    for (size_t i = 0; i < it->count; i++) {
        uint32_t number =
            (uint32_t)object[i].id.cell_x * 7 + (uint32_t)object[i].id.cell_y * 31 + object[i].id.point;
        if (number % 97 == it->tick % 97) filo_destroy(it->changes, filo_iter_entity(it, i));
        if (number % 31 == it->tick % 31) health[i].points--;
        if (number % 61 == it->tick % 61) filo_add(it->changes, filo_iter_entity(it, i), FiloPlacedKeep);
    }
}

// Every 11th tick a clearing, every 13th a stroke, at the place of a viewer; every 40th, an edit is undone.
static inline void scenario_edit(FiloIter *it) {
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    for (size_t i = 0; i < it->count; i++) {
        double x = (double)transform[i].position.x, y = (double)transform[i].position.y;
        if (it->tick % 11 == 5)
            filo_create(it->changes, FILO_SET(FiloPlacementEdit, .kind = FILO_PLACEMENT_CLEAR, .x = x + 9,
                                              .y = y, .radius = 3));
        if (it->tick % 13 == 7)
            filo_create(it->changes,
                        FILO_SET(FiloPlacementEdit, .kind = FILO_PLACEMENT_ADD, .map = filo_name("tree"),
                                 .x = x, .y = y + 12, .radius = 15, .strength = 0.7f, .softness = 0.5f));
    }
}

static inline void scenario_undo(FiloIter *it) {
    if (it->tick % 40 == 39 && it->count > 0) filo_destroy(it->changes, filo_iter_entity(it, 0));
}

static inline void scenario_start(Fixture *fixture, int threads) {
    fixture_start(fixture, threads);
    FiloWorld *world = fixture->world;
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "work",
                                       .run = scenario_work,
                                       .parallel = true,
                                       .query.terms = { FILO_READ(FiloPlacedObject), FILO_WRITE(Health) } });
    filo_system_add(world, &(FiloSystemDesc){ .name = "edit",
                                              .run = scenario_edit,
                                              .query.terms = { FILO_READ(FiloTransform2),
                                                               FILO_WITH(FiloPlacementViewer) } });
    filo_system_add(world, &(FiloSystemDesc){ .name = "undo",
                                              .run = scenario_undo,
                                              .query.terms = { FILO_WITH(FiloPlacementEdit) } });
    fixture->viewer = fixture_viewer(fixture, 200, 250);
    filo_edit(world, fixture->viewer, Walk)->speed = filo_vec2(1.3f, 0.2f);
    FiloEntity other = fixture_viewer(fixture, 300, 300);
    filo_edit(world, other, Walk)->speed = filo_vec2(-0.9f, -1.1f);
}

static inline Fixture *scenario_open(int threads) {
    Fixture *fixture = fixture_new();
    scenario_start(fixture, threads);
    return fixture;
}

// Runs for some ticks, and turns the viewers around half-way. Every third frame updates tiles, which must not matter.
static inline uint64_t scenario_run(Fixture *fixture, int count) {
    for (int i = 0; i < count; i++) {
        if (filo_world_ticks(fixture->world) == 60) {
            FiloQuery *query = filo_query(fixture->world, FILO_WRITE(Walk));
            FiloEach each = filo_query_each(query);
            while (filo_each_next(&each)) {
                Walk *walk = filo_each_write(&each, Walk);
                walk->speed = filo_vec2_scale(walk->speed, -1);
            }
            filo_query_release(query);
        }
        tick(fixture);
        if (i % 3 == 0) filo_placement_world_update(fixture->forest);
    }
    return filo_world_hash(fixture->world);
}

#endif
