// Scenes of the physics benchmarks, and the engines that run them.

#ifndef FILO_BENCH_PHYSICS_H
#define FILO_BENCH_PHYSICS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SceneKind { SCENE_DYNAMIC, SCENE_KINEMATIC, SCENE_STATIC } SceneKind;
typedef enum SceneShape { SCENE_CIRCLE, SCENE_BOX, SCENE_CAPSULE } SceneShape;

typedef struct SceneBody {
    SceneKind kind;
    SceneShape shape;
    float x, y, angle, spin;
    float width, height; // half of a box; a circle's radius is `width`; a capsule's half length and radius
    float offset_x, offset_y; // of the shape from the body
    float density, friction;
} SceneBody;

// A hinge: a point of body a is a point of body b.
typedef struct SceneJoint {
    size_t a, b;
    float ax, ay, bx, by;
} SceneJoint;

typedef struct BenchScene {
    const char *name;
    SceneBody *bodies;
    size_t count, capacity;
    SceneJoint *joints;
    size_t joint_count, joint_capacity;
    bool passes; // bodies do not collide with each other
    float gravity;
    int warm_up; // steps before measuring
} BenchScene;

BenchScene scene_circles(size_t count);
BenchScene scene_pyramid(int rows);
BenchScene scene_pyramids(int columns, int lines, int rows);
BenchScene scene_tumbler(size_t count);
BenchScene scene_spinner(size_t count);
BenchScene scene_resting(size_t count);
BenchScene scene_joints(int side);
BenchScene scene_rain(int columns, int rows);
void scene_free(BenchScene *scene);

// An engine with a scene. `threads` counts for Filo only.
typedef struct Engine {
    const char *name;
    void *(*create)(const BenchScene *scene, int threads);
    void (*destroy)(void *state);
    void (*step)(void *state, float delta);
    float (*overlap)(void *state); // the mean depth of all points that overlap
    float (*drift)(void *state);   // the mean distance of two points that joints hold together
    bool (*ray)(void *state, float x0, float y0, float x1, float y1, float *fraction);
} Engine;

extern const Engine engine_filo, engine_chipmunk, engine_box2d;

#ifdef __cplusplus
}
#endif

#endif
