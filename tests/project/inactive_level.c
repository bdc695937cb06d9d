// Switches a level off and on by the function that docs/physics.md shows. Ends with 0 if bodies and shapes at every depth follow.

#include <filo/physics2d.h>
#include <filo/system.h>

#include <stdio.h>

#include "set_active_below.h" // the block of the page

static FiloEntity add(FiloWorld *world, FiloEntity parent, float x, bool has_body) {
    FiloEntity entity = filo_create(world, FILO_SET(FiloShape2, .radius = 0.5f));
    if (has_body) filo_set(world, entity, FiloTransform2, .position = { x, 10 });
    if (has_body) filo_add(world, entity, FiloBody2);
    filo_entity_set_parent(world, entity, parent);
    return entity;
}

static bool has_counts(FiloWorld *world, size_t bodies, size_t shapes, const char *when) {
    bool ticked = filo_world_tick(world, 1.0f / 60).code == FILO_OK;
    FiloPhysics2Stats stats = filo_physics2_stats(world);
    if (ticked && stats.bodies == bodies && stats.shapes == shapes) return true;
    fprintf(stderr, "%s: %zu bodies, not %zu; %zu shapes, not %zu\n", when, stats.bodies, bodies,
            stats.shapes, shapes);
    return false;
}

int main(void) {
    FiloWorld *world;
    if (filo_world_create(&world, NULL).code != FILO_OK || !filo_physics2_register(world)) return 1;
    FiloEntity level = filo_entity_create(world), room = filo_entity_create(world);
    filo_entity_set_parent(world, room, level);
    add(world, FILO_ENTITY_NONE, 0, true); // not of the level
    add(world, level, 10, true);
    FiloEntity deep = add(world, room, 20, true);
    add(world, deep, 0, false); // another shape of that body
    add(world, room, 30, true);
    bool right = has_counts(world, 4, 5, "at first");
    filo_entity_set_active(world, level, false);
    right = has_counts(world, 4, 5, "with an inactive ancestor") && right;
    set_active_below(world, level, false);
    right = has_counts(world, 1, 1, "off") && right;
    float y = filo_get(world, deep, FiloTransform2)->position.y;
    right = has_counts(world, 1, 1, "still off") && filo_get(world, deep, FiloTransform2)->position.y == y &&
            right;
    set_active_below(world, level, true);
    right =
        has_counts(world, 4, 5, "on again") && filo_get(world, deep, FiloTransform2)->position.y < y && right;
    filo_world_destroy(world);
    return right ? 0 : 1;
}
