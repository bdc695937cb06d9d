// Explosions: bodies near a point are pushed away from it.

#include <filo/log.h>

#include "physics2d/physics2d.h"

// A body and the point of it that is nearest to the centre, which is the origin of all coordinates here.
typedef struct Target {
    float distance;
    FiloVec2 point;
} Target;

static void look_at(const Physics2dWorld *phys, const FiloExplosion2 *explosion, uint32_t index,
                    Target *target) {
    const Physics2dSaved *saved = &phys->saved;
    const Physics2dShape *shape = &saved->shapes.items[index];
    const Physics2dBody *body = &saved->bodies.items[shape->body];
    if (shape->used != PHYSICS2D_USED || (shape->flags & FILO_SHAPE_SENSOR) != 0) return;
    if (explosion->layers != 0 && (explosion->layers & shape->layers) == 0) return;
    Physics2dHull hull, centre = { .count = 1 };
    physics2d_hull_of(&hull, shape, &saved->polygons.items[shape->polygon],
                      filo_vec2(body->px - explosion->centre.x, body->py - explosion->centre.y), body->c,
                      body->s);
    Physics2dDistance found = physics2d_distance(&centre, &hull);
    float distance = filo_max(found.distance, 0);
    if (distance >= target->distance) return;
    target->distance = distance;
    // In a shape, the nearest point is the centre of the explosion itself.
    target->point = filo_vec2_scale(found.normal, distance);
}

static bool is_seen(const FiloWorld *world, const FiloExplosion2 *explosion, FiloVec2 point,
                    FiloEntity body) {
    FiloHit2 hit;
    FiloVec2 to = filo_vec2_add(explosion->centre, filo_vec2_scale(point, 1.001f));
    return !filo_physics2_ray(world, explosion->centre, to, NULL, &hit) || filo_entity_equal(hit.body, body);
}

static bool push(FiloWorld *world, const Physics2dWorld *phys, const FiloExplosion2 *explosion,
                 uint32_t slot) {
    const Physics2dBody *body = &phys->saved.bodies.items[slot];
    FiloEntity entity = { body->entity };
    if (body->kind != FILO_BODY_DYNAMIC || filo_entity_equal(entity, explosion->except) ||
        !filo_entity_exists(world, entity)) // it was destroyed since the last step
        return false;
    Target target = { .distance = FLT_MAX };
    for (uint32_t i = body->shape; i != 0; i = phys->saved.shapes.items[i].next)
        look_at(phys, explosion, i, &target);
    float reach = target.distance - explosion->radius;
    if (reach > 0 && reach >= explosion->falloff) return false;
    float strength = reach > 0 ? 1 - reach / explosion->falloff : 1;
    FiloVec2 direction = filo_vec2_normalise(target.point);
    if (direction.x == 0 &&
        direction.y == 0) // inside the body: away from the centre as its centre of mass is
        direction =
            filo_vec2_normalise(filo_vec2(body->cx - explosion->centre.x, body->cy - explosion->centre.y));
    if (direction.x == 0 && direction.y == 0) direction = filo_vec2(0, 1);
    if (explosion->line_of_sight && target.distance > 0 && !is_seen(world, explosion, target.point, entity))
        return false;
    return filo_physics2_impulse(world, entity, filo_vec2_scale(direction, strength * explosion->impulse),
                                 filo_vec2_add(explosion->centre, target.point));
}

// The bodies whose boxes are in reach, sorted, some more than once; their number.
static size_t find_bodies(Physics2dWorld *phys, const Physics2dBox *box) {
    const Physics2dTree *trees[] = { &phys->moving, &phys->resting };
    size_t count = 0;
    if (!physics2d_at_least(&phys->list, (size_t)16)) return 0; // so that there is an array
    for (size_t i = 0; i < FILO_COUNT_OF(trees); i++) {
        size_t found = 0;
        for (;;) {
            size_t room = phys->list.capacity - count;
            found = phys->kernels->overlap(trees[i], box, phys->list.items + count, room);
            if (found <= room) break;
            phys->list.count = count; // what growing keeps
            if (!physics2d_at_least(&phys->list, 2 * (count + found))) return 0;
        }
        count += found;
    }
    for (size_t i = 0; i < count; i++)
        phys->list.items[i] = phys->saved.shapes.items[phys->list.items[i]].body;
    physics2d_sort(phys->list.items, count);
    return count;
}

size_t filo_physics2_explode(FiloWorld *world, const FiloExplosion2 *explosion) {
    Physics2dWorld *phys = physics2d_world(world);
    if (phys == NULL || !FILO_CHECK(explosion != NULL, "pass a FiloExplosion2 that says what explodes"))
        return 0;
    float reach = explosion->radius + explosion->falloff, x = explosion->centre.x, y = explosion->centre.y;
    if (!(filo_abs(x) + filo_abs(y) + filo_abs(reach) <= PHYSICS2D_FAR) ||
        !(filo_abs(explosion->impulse) <= 1e20f) || explosion->radius < 0 || explosion->falloff < 0) {
        filo_log_warn("physics", "an explosion has a number that is not valid, and does nothing");
        return 0;
    }
    if ((phys->restored && !physics2d_derive(phys)) || !physics2d_trees_update(phys)) return 0;
    size_t count = find_bodies(phys, &(Physics2dBox){ x - reach, y - reach, x + reach, y + reach }),
           pushed = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || phys->list.items[i] != phys->list.items[i - 1])
            pushed += push(world, phys, explosion, phys->list.items[i]);
    return pushed;
}
