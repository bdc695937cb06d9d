// filo/physics2d_debug.h: what the solver knows, drawn by functions of the caller: shapes, joints, contacts, boxes, trees.
// filo/physics2d.h includes this header.
//
//     filo_physics2_debug_draw(world, &(FiloPhysics2Debug){ .flags = FILO_PHYSICS2_DEBUG_SHAPES | FILO_PHYSICS2_DEBUG_JOINTS,
//                                                           .polygon = draw_polygon, .circle = draw_circle,
//                                                           .capsule = draw_capsule, .segment = draw_segment,
//                                                           .point = draw_point, .user = canvas });
//
// It knows no graphics. In a game (filo/app.h) the module "physics" draws with it: by the tab "physics" of the debug view
// (F3), by the flag --physics-debug, or by filo_app_physics_debug.

#ifndef FILO_PHYSICS2D_DEBUG_H
#define FILO_PHYSICS2D_DEBUG_H

#include <filo/color.h>
#include <filo/physics2d.h>

FILO_BEGIN_DECLS

typedef enum FiloPhysics2DebugFlags {
    // Dynamic bodies are orange, at rest grey, bullets red; kinematic ones blue, static ones green; sensors yellow.
    FILO_PHYSICS2_DEBUG_SHAPES = 1,
    FILO_PHYSICS2_DEBUG_ISLANDS = 2, // bodies that came to rest together have a colour of their own
    FILO_PHYSICS2_DEBUG_JOINTS = 4,
    FILO_PHYSICS2_DEBUG_CONTACTS = 8,    // points, with their normals
    FILO_PHYSICS2_DEBUG_IMPULSES = 16,   // along the normals, and of friction, in proportion to impulse_scale
    FILO_PHYSICS2_DEBUG_CENTRES = 32,    // of mass, with the two axes of the body
    FILO_PHYSICS2_DEBUG_VELOCITIES = 64, // the way of a tenth of a second
    FILO_PHYSICS2_DEBUG_BOXES = 128,     // of shapes, with the margin that they move in
    FILO_PHYSICS2_DEBUG_TREES = 256,     // boxes of nodes
    FILO_PHYSICS2_DEBUG_MOVERS = 512,    // their shapes, what they stand on and touch
    FILO_PHYSICS2_DEBUG_NUMBERS = 1024,  // indices of the entities of bodies
} FiloPhysics2DebugFlags;
FILO_REFLECT_DECLARE(FiloPhysics2DebugFlags);

// Functions that are NULL are not called. Coordinates are those of the world, colours are opaque, and points and texts are valid
// during the call only.
typedef struct FiloPhysics2Debug {
    uint32_t flags;      // FiloPhysics2DebugFlags
    FiloRect view;       // what does not overlap it is left out; empty: nothing is
    float impulse_scale; // length of an impulse of 1; 0 counts as 0.2 metres
    // A convex polygon of up to FILO_SHAPE_POINTS points, counter-clockwise, larger by a radius.
    void (*polygon)(const FiloVec2 *points, size_t count, float radius, FiloColor color, void *user);
    void (*circle)(FiloVec2 centre, float radius, float angle, FiloColor color, void *user);
    void (*capsule)(FiloVec2 a, FiloVec2 b, float radius, FiloColor color, void *user);
    void (*segment)(FiloVec2 a, FiloVec2 b, FiloColor color, void *user);
    void (*point)(FiloVec2 at, FiloColor color, void *user);
    void (*text)(FiloVec2 at, const char *text, FiloColor color, void *user);
    void *user;
} FiloPhysics2Debug;

// Draws what the last step left, by calling the functions: shapes by slot, then joints, contacts and the rest, in an order
// that does not depend on threads. Allocates nothing, and changes nothing. Between ticks.
void filo_physics2_debug_draw(const FiloWorld *world, const FiloPhysics2Debug *debug);

FILO_END_DECLS

#endif
