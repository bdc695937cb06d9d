// The scenes of the physics benchmarks in Chipmunk, with its default settings.

#include "physics.h"

#include <chipmunk/chipmunk.h>
#include <stdlib.h>

typedef struct State {
    cpSpace *space;
    cpBody **bodies;
    SceneJoint *joints;
    size_t joint_count;
    double sum;
    size_t points;
} State;

static void *create(const BenchScene *scene, int threads) {
    (void)threads;
    State *state = calloc(1, sizeof *state);
    state->space = cpSpaceNew();
    cpSpaceSetGravity(state->space, cpv(0, (cpFloat)scene->gravity));
    // The slop is 0.1 by default, for units of pixels; here a unit is a metre.
    cpSpaceSetCollisionSlop(state->space, 0.005);
    state->bodies = calloc(scene->count, sizeof *state->bodies);
    for (size_t i = 0; i < scene->count; i++) {
        const SceneBody *from = &scene->bodies[i];
        cpBody *body = from->kind == SCENE_DYNAMIC     ? cpBodyNew(0, 0)
                       : from->kind == SCENE_KINEMATIC ? cpBodyNewKinematic()
                                                       : cpBodyNewStatic();
        cpSpaceAddBody(state->space, body);
        state->bodies[i] = body;
        cpFloat w = (cpFloat)from->width, h = (cpFloat)from->height, x = (cpFloat)from->offset_x,
                y = (cpFloat)from->offset_y;
        cpShape *shape;
        if (from->shape == SCENE_CIRCLE)
            shape = cpCircleShapeNew(body, w, cpv(x, y));
        else if (from->shape == SCENE_BOX)
            shape = cpBoxShapeNew2(body, cpBBNew(x - w, y - h, x + w, y + h), 0);
        else
            shape = cpSegmentShapeNew(body, cpv(x - w, y), cpv(x + w, y), h);
        if (from->kind == SCENE_DYNAMIC) cpShapeSetDensity(shape, (cpFloat)from->density);
        cpShapeSetFriction(shape, (cpFloat)from->friction);
        if (scene->passes) cpShapeSetFilter(shape, cpShapeFilterNew(1, CP_ALL_CATEGORIES, CP_ALL_CATEGORIES));
        cpSpaceAddShape(state->space, shape);
        cpBodySetPosition(body, cpv((cpFloat)from->x, (cpFloat)from->y));
        cpBodySetAngle(body, (cpFloat)from->angle);
        cpBodySetAngularVelocity(body, (cpFloat)from->spin);
        cpSpaceReindexShapesForBody(state->space, body);
    }
    state->joint_count = scene->joint_count;
    state->joints = calloc(scene->joint_count + 1, sizeof *state->joints);
    for (size_t i = 0; i < scene->joint_count; i++) {
        const SceneJoint *joint = state->joints + i;
        state->joints[i] = scene->joints[i];
        cpConstraint *constraint = cpPivotJointNew2(state->bodies[joint->a], state->bodies[joint->b],
                                                    cpv((cpFloat)joint->ax, (cpFloat)joint->ay),
                                                    cpv((cpFloat)joint->bx, (cpFloat)joint->by));
        cpConstraintSetCollideBodies(constraint, cpFalse);
        cpSpaceAddConstraint(state->space, constraint);
    }
    return state;
}

static float drift(void *user) {
    const State *state = user;
    double sum = 0;
    for (size_t i = 0; i < state->joint_count; i++) {
        const SceneJoint *joint = &state->joints[i];
        sum += (double)cpvdist(
            cpBodyLocalToWorld(state->bodies[joint->a], cpv((cpFloat)joint->ax, (cpFloat)joint->ay)),
            cpBodyLocalToWorld(state->bodies[joint->b], cpv((cpFloat)joint->bx, (cpFloat)joint->by)));
    }
    return state->joint_count > 0 ? (float)(sum / (double)state->joint_count) : 0;
}

static bool ray(void *user, float x0, float y0, float x1, float y1, float *fraction) {
    cpSegmentQueryInfo info;
    bool hit = cpSpaceSegmentQueryFirst(((State *)user)->space, cpv((cpFloat)x0, (cpFloat)y0),
                                        cpv((cpFloat)x1, (cpFloat)y1), 0, CP_SHAPE_FILTER_ALL, &info) != NULL;
    *fraction = (float)info.alpha;
    return hit;
}

static void free_shape(cpBody *body, cpShape *shape, void *space) {
    (void)body;
    cpSpaceRemoveShape(space, shape);
    cpShapeFree(shape);
}
static void free_body(cpBody *body, void *list) {
    cpBody ***at = list;
    *(*at)++ = body;
}
static void free_joint(cpBody *body, cpConstraint *constraint, void *space) {
    (void)body;
    cpSpaceRemoveConstraint(space, constraint);
    cpConstraintFree(constraint);
}
static void count_body(cpBody *body, void *count) {
    (void)body;
    ++*(size_t *)count;
}

static void destroy(void *user) {
    State *state = user;
    size_t count = 0;
    cpSpaceEachBody(state->space, count_body, &count);
    cpBody **bodies = calloc(count + 1, sizeof *bodies), **at = bodies;
    cpSpaceEachBody(state->space, free_body, &at);
    for (size_t i = 0; i < count; i++) cpBodyEachConstraint(bodies[i], free_joint, state->space);
    for (size_t i = 0; i < count; i++) cpBodyEachShape(bodies[i], free_shape, state->space);
    for (size_t i = 0; i < count; i++) {
        cpSpaceRemoveBody(state->space, bodies[i]);
        cpBodyFree(bodies[i]);
    }
    free(bodies);
    free(state->bodies);
    free(state->joints);
    cpSpaceFree(state->space);
    free(state);
}

static void step(void *user, float delta) { cpSpaceStep(((State *)user)->space, (cpFloat)delta); }

static void add_arbiter(cpBody *body, cpArbiter *arbiter, void *user) {
    (void)body;
    State *state = user;
    for (int i = 0; i < cpArbiterGetCount(arbiter); i++) {
        double depth = -(double)cpArbiterGetDepth(arbiter, i);
        if (depth > 0) {
            state->sum += depth;
            state->points++;
        }
    }
}
static void add_body(cpBody *body, void *user) { cpBodyEachArbiter(body, add_arbiter, user); }

static float overlap(void *user) {
    State *state = user;
    state->sum = 0;
    state->points = 0;
    cpSpaceEachBody(state->space, add_body, state);
    return state->points > 0 ? (float)(state->sum / (double)state->points) : 0;
}

const Engine engine_chipmunk = { "Chipmunk", create, destroy, step, overlap, drift, ray };
