// The scenes of the physics benchmarks: the same bodies for every engine.

#include "physics.h"

#include <filo/check.h>
#include <filo/random.h>
#include <filo/scalar.h>

#include <stdlib.h>

static SceneBody *add(BenchScene *scene, SceneKind kind, SceneShape shape, float x, float y, float width,
                      float height) {
    if (scene->count == scene->capacity) {
        scene->capacity = scene->capacity > 0 ? scene->capacity * 2 : 256;
        scene->bodies = realloc(scene->bodies, scene->capacity * sizeof *scene->bodies);
        if (scene->bodies == NULL) filo_panic("no memory for the benchmark");
    }
    SceneBody *body = &scene->bodies[scene->count++];
    *body = (SceneBody){ .kind = kind,
                         .shape = shape,
                         .x = x,
                         .y = y,
                         .width = width,
                         .height = height,
                         .density = 1,
                         .friction = 0.6f };
    return body;
}

// Ground and two walls; the inside is from 0 to `width`, above 0.
static void add_container(BenchScene *scene, float width, float height) {
    add(scene, SCENE_STATIC, SCENE_BOX, width * 0.5f, -5, width, 5);
    add(scene, SCENE_STATIC, SCENE_BOX, -5, height * 0.5f, 5, height);
    add(scene, SCENE_STATIC, SCENE_BOX, width + 5, height * 0.5f, 5, height);
}

BenchScene scene_circles(size_t count) {
    BenchScene scene = { .name = "circles", .gravity = -10, .warm_up = 120 };
    float columns = filo_floor(filo_sqrt((float)count) * 1.5f), width = columns * 1.15f;
    add_container(&scene, width, (float)count / columns * 2);
    FiloRandom random = filo_random_keyed(1, 2, 3, 4);
    for (size_t i = 0; i < count; i++) {
        float x = ((float)(i % (size_t)columns) + 0.5f) * 1.15f, y = 1 + (float)(i / (size_t)columns) * 1.15f;
        add(&scene, SCENE_DYNAMIC, SCENE_CIRCLE, x + 0.1f * filo_random_float(&random), y, 0.5f, 0);
    }
    return scene;
}

static void add_pyramid(BenchScene *scene, float x, float y, int rows, float half) {
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < rows - i; k++)
            add(scene, SCENE_DYNAMIC, SCENE_BOX, x + ((float)k - (float)(rows - i - 1) * 0.5f) * 2.1f * half,
                y + half + 2 * half * (float)i, half, half);
}

BenchScene scene_pyramid(int rows) {
    BenchScene scene = { .name = "pyramid", .gravity = -10, .warm_up = 60 };
    add(&scene, SCENE_STATIC, SCENE_BOX, 0, -1, (float)rows * 2, 1);
    add_pyramid(&scene, 0, 0, rows, 0.5f);
    return scene;
}

BenchScene scene_pyramids(int columns, int lines, int rows) {
    BenchScene scene = { .name = "pyramids", .gravity = -10, .warm_up = 60 };
    float width = (float)rows * 1.4f;
    for (int line = 0; line < lines; line++) {
        float y = (float)line * ((float)rows + 3);
        add(&scene, SCENE_STATIC, SCENE_BOX, 0, y - 0.5f, (float)(columns + 1) * width * 0.5f, 0.5f);
        for (int column = 0; column < columns; column++)
            add_pyramid(&scene, ((float)column - (float)(columns - 1) * 0.5f) * width, y, rows, 0.5f);
    }
    return scene;
}

BenchScene scene_tumbler(size_t count) {
    BenchScene scene = { .name = "tumbler", .gravity = -10, .warm_up = 180 };
    for (int i = 0; i < 4; i++) { // four walls that turn round one centre
        SceneBody *wall = add(&scene, SCENE_KINEMATIC, SCENE_BOX, 0, 0, i % 2 == 0 ? 0.5f : 10.0f,
                              i % 2 == 0 ? 10.0f : 0.5f);
        float sign = i < 2 ? 1.0f : -1.0f;
        wall->offset_x = i % 2 == 0 ? sign * 10 : 0;
        wall->offset_y = i % 2 == 0 ? 0 : sign * 10;
        wall->spin = 0.5f;
    }
    size_t side = (size_t)filo_ceil(filo_sqrt((float)count));
    for (size_t i = 0; i < count; i++)
        add(&scene, SCENE_DYNAMIC, SCENE_BOX, ((float)(i % side) - (float)side * 0.5f) * 0.39f,
            ((float)(i / side) - (float)side * 0.5f) * 0.39f, 0.125f, 0.125f);
    return scene;
}

BenchScene scene_spinner(size_t count) {
    BenchScene scene = { .name = "spinner", .gravity = -10, .warm_up = 180 };
    const int sides = 90;
    for (int i = 0; i < sides; i++) {
        float angle = FILO_TAU * (float)i / (float)sides;
        SceneBody *wall =
            add(&scene, SCENE_STATIC, SCENE_BOX, 41 * filo_cos(angle), 41 * filo_sin(angle), 1, 1.6f);
        wall->angle = angle;
        wall->friction = 0.1f;
    }
    SceneBody *spinner = add(&scene, SCENE_KINEMATIC, SCENE_BOX, 0, -20, 0.4f, 18);
    spinner->spin = 2.5f;
    size_t columns = 54;
    for (size_t i = 0; i < count; i++) {
        float x = ((float)(i % columns) - 26.5f) * 1.02f, y = -12 + (float)(i / columns) * 0.78f;
        SceneBody *body;
        if (i % 3 == 0)
            body = add(&scene, SCENE_DYNAMIC, SCENE_CAPSULE, x, y, 0.25f, 0.25f);
        else if (i % 3 == 1)
            body = add(&scene, SCENE_DYNAMIC, SCENE_CIRCLE, x, y, 0.35f, 0);
        else
            body = add(&scene, SCENE_DYNAMIC, SCENE_BOX, x, y, 0.35f, 0.35f);
        body->friction = 0.1f;
        body->density = 0.25f;
    }
    return scene;
}

// Boxes side by side on the ground, which come to rest at once.
BenchScene scene_resting(size_t count) {
    BenchScene scene = { .name = "sleeping", .gravity = -10, .warm_up = 60 };
    for (size_t i = 0; i < 100; i++)
        add(&scene, SCENE_STATIC, SCENE_BOX, 0, (float)i * 3 - 0.5f, (float)(count / 100) + 10, 0.5f);
    for (size_t i = 0; i < count; i++)
        add(&scene, SCENE_DYNAMIC, SCENE_BOX, ((float)(i / 100) - (float)(count / 200)) * 1.5f,
            (float)(i % 100) * 3 + 0.5f, 0.5f, 0.5f);
    return scene;
}

static void add_hinge(BenchScene *scene, size_t a, size_t b, float ax, float ay, float bx, float by) {
    if (scene->joint_count == scene->joint_capacity) {
        scene->joint_capacity = scene->joint_capacity > 0 ? scene->joint_capacity * 2 : 256;
        scene->joints = realloc(scene->joints, scene->joint_capacity * sizeof *scene->joints);
        if (scene->joints == NULL) filo_panic("no memory for the benchmark");
    }
    scene->joints[scene->joint_count++] = (SceneJoint){ a, b, ax, ay, bx, by };
}

// A cloth of circles that hangs on some of its upper row.
BenchScene scene_joints(int side) {
    BenchScene scene = { .name = "joints", .gravity = -10, .warm_up = 120, .passes = true };
    for (int x = 0; x < side; x++)
        for (int y = 0; y < side; y++) {
            bool fixed = y == 0 && x >= side / 2 - 3 && x <= side / 2 + 3;
            add(&scene, fixed ? SCENE_STATIC : SCENE_DYNAMIC, SCENE_CIRCLE, (float)x, -(float)y, 0.4f, 0);
            size_t i = scene.count - 1;
            if (y > 0) add_hinge(&scene, i - 1, i, 0, -0.5f, 0, 0.5f);
            bool both = fixed && x > side / 2 - 3; // of two that do not move, a joint has nothing to do
            if (x > 0 && !both) add_hinge(&scene, i - (size_t)side, i, 0.5f, 0, -0.5f, 0);
        }
    return scene;
}

static void add_ragdoll(BenchScene *scene, float x, float y) {
    size_t body = scene->count;
    add(scene, SCENE_DYNAMIC, SCENE_BOX, x, y, 0.2f, 0.4f); // trunk, head, two arms, two legs
    add(scene, SCENE_DYNAMIC, SCENE_CIRCLE, x, y + 0.65f, 0.2f, 0);
    add_hinge(scene, body, body + 1, 0, 0.42f, 0, -0.23f);
    for (int side = -1; side <= 1; side += 2)
        for (int leg = 0; leg < 2; leg++) {
            float from = leg ? 0.12f : 0.22f, height = leg ? -0.42f : 0.32f, s = (float)side;
            for (int k = 0; k < 2; k++) {
                size_t limb = scene->count;
                add(scene, SCENE_DYNAMIC, SCENE_BOX,
                    x + s * from + (leg ? 0 : s * (0.22f + 0.44f * (float)k)),
                    y + height - (leg ? 0.22f + 0.44f * (float)k : 0), leg ? 0.08f : 0.2f,
                    leg ? 0.2f : 0.08f);
                float near_x = leg ? 0 : -s * 0.22f, near_y = leg ? 0.22f : 0;
                if (k == 0)
                    add_hinge(scene, body, limb, s * from, height, near_x, near_y);
                else
                    add_hinge(scene, limb - 1, limb, -near_x, -near_y, near_x, near_y);
            }
        }
}

BenchScene scene_rain(int columns, int rows) {
    BenchScene scene = { .name = "rain", .gravity = -10, .warm_up = 120 };
    add_container(&scene, (float)columns * 2.4f, (float)rows * 4);
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            add_ragdoll(&scene, ((float)column + 0.5f) * 2.4f, 2 + (float)row * 3);
    return scene;
}

void scene_free(BenchScene *scene) {
    free(scene->bodies);
    free(scene->joints);
    *scene = (BenchScene){ 0 };
}
