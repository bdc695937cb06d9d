// The bodies and joints of a scene in a world with physics: for benchmarks, and for tests with golden hashes.

#ifndef FILO_BENCH_PHYSICS_WORLD_H
#define FILO_BENCH_PHYSICS_WORLD_H

#include "physics.h"

#include <filo/check.h>
#include <filo/physics2d.h>

#include <stdlib.h>

static void scene_fill_world(const BenchScene *scene, FiloWorld *world) {
    filo_set_global(world, FiloPhysics2, .gravity = { 0, scene->gravity }, .no_sleep = true);
    FiloEntity *bodies = calloc(scene->count, sizeof *bodies);
    if (bodies == NULL) filo_panic("no memory for the benchmark");
    for (size_t i = 0; i < scene->count; i++) {
        const SceneBody *from = &scene->bodies[i];
        FiloVec2 offset = { from->offset_x, from->offset_y };
        FiloShape2 shape = { .density = from->density, .friction = from->friction, .centre = offset };
        if (from->shape == SCENE_CIRCLE) {
            shape.kind = FILO_SHAPE_CIRCLE;
            shape.radius = from->width;
        } else if (from->shape == SCENE_BOX) {
            shape.kind = FILO_SHAPE_BOX;
            shape.half_size = filo_vec2(from->width, from->height);
        } else {
            shape.kind = FILO_SHAPE_CAPSULE;
            shape.points[0] = filo_vec2_sub(offset, filo_vec2(from->width, 0));
            shape.points[1] = filo_vec2_add(offset, filo_vec2(from->width, 0));
            shape.radius = from->height;
        }
        if (scene->passes) shape.group = -1;
        bodies[i] = filo_create(
            world, FILO_SET(FiloTransform2, .position = { from->x, from->y }, .rotation = from->angle),
            FILO_SET(FiloBody2, .kind = (FiloBodyKind)from->kind, .angular_velocity = from->spin),
            FILO_SET_COPY(FiloShape2, &shape));
    }
    for (size_t i = 0; i < scene->joint_count; i++) {
        const SceneJoint *joint = &scene->joints[i];
        filo_create(world,
                    FILO_SET(FiloJoint2, .a = bodies[joint->a], .b = bodies[joint->b],
                             .anchor_a = { joint->ax, joint->ay }, .anchor_b = { joint->bx, joint->by }));
    }
    free(bodies);
}

#endif
