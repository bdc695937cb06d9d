// The module "physics": draws what the solver knows (filo/physics2d_debug.h), and shows a tab in the debug view.

#ifndef FILO_APP_PHYSICS_H
#define FILO_APP_PHYSICS_H

#include <filo/app.h>
#include <filo/physics2d.h>

typedef enum AppPhysicsKind {
    APP_PHYSICS_POLYGON,
    APP_PHYSICS_CIRCLE,
    APP_PHYSICS_CAPSULE,
    APP_PHYSICS_SEGMENT,
    APP_PHYSICS_POINT,
    APP_PHYSICS_TEXT,
} AppPhysicsKind;

// Copied between ticks, because drawing overlaps the next one.
typedef struct AppPhysicsItem {
    uint8_t kind, count; // AppPhysicsKind
    FiloColor color;
    float radius, angle;
    FiloVec2 at;
    union {
        FiloVec2 points[FILO_SHAPE_POINTS];
        char text[16];
    };
} AppPhysicsItem;

// Provided as an object for filo_app_physics_debug.
typedef struct AppPhysics {
    FiloApp *app;
    FiloWorld *world;
    bool by_flag; // --physics-debug
    FiloFlag flag;
    uint64_t flags; // FiloPhysics2DebugFlags that are drawn
    FiloRect view;
    FiloArray(AppPhysicsItem) items;
} AppPhysics;

FiloModuleDesc app_physics_module(AppPhysics *physics);

#endif
