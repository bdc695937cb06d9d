// The rules of the Playground: things, rooms, and what the player can do with them. They need no screen.
//
//   things.c      kinds of bodies: their shapes and pictures
//   rooms.c       what is where
//   playground.c  dragging, driving, walking, exploding; parameters
//
// A room is 32 units wide and 18 high. Rooms are side by side, without walls between them.

#ifndef PLAYGROUND_H
#define PLAYGROUND_H

#include <filo/filo.h>

#define ROOM_WIDTH  32.0f
#define ROOM_HEIGHT 18.0f
#define DETAIL      40.0f // pixels of a picture for a unit

typedef enum Room {
    ROOM_STACKS,
    ROOM_DOLLS,
    ROOM_CARS,
    ROOM_WALK,
    ROOM_AREAS,
    ROOM_MACHINES,
    ROOM_COUNT
} Room;
static inline float room_middle(int room) { return ROOM_WIDTH * (float)room; }

enum {
    LAYER_BACK = 0,
    LAYER_WATER = 30,
    LAYER_GROUND = 5,
    LAYER_THINGS = 10,
    LAYER_FRONT = 20,
    LAYER_DEBUG = 40
};

// ---- Things -------------------------------------------------------------------------------------------------

typedef enum Thing {
    THING_BOX,
    THING_BALL,
    THING_PILL,
    THING_WEDGE,
    THING_PLANK,
    THING_LINK,  // of a chain
    THING_HEAVY, // ball
    THING_BRICK,
    THING_HEAD,
    THING_TORSO,
    THING_ARM,
    THING_LEG,
    THING_CHASSIS,
    THING_CABIN,
    THING_WHEEL,
    THING_RAFT,
    THING_GEAR,
    THING_ROTOR,
    THING_LIFT, // kinematic
    THING_HERO,
    THING_COUNT,
} Thing;

FiloShape2 thing_shape(Thing thing);
// Creates a body. `group`: parts of one figure do not collide with each other if it is negative.
FiloEntity thing_create(FiloChanges *changes, Thing thing, FiloVec2 at, float angle, int32_t group);
// Adds the pictures. False without memory.
bool things_art(FiloAssets *assets);

// Figures of several bodies and joints.
void figure_doll(FiloChanges *changes, FiloVec2 at, int32_t group);
FiloEntity figure_car(FiloChanges *changes, FiloVec2 at, int32_t group);

// What the player can create.
typedef enum Spawn {
    SPAWN_BOX,
    SPAWN_BALL,
    SPAWN_PILL,
    SPAWN_WEDGE,
    SPAWN_DOLL,
    SPAWN_CAR,
    SPAWN_COUNT
} Spawn;
void spawn(FiloChanges *changes, int what, FiloVec2 at, int32_t group);

// ---- Components -----------------------------------------------------------------------------------------------

// Parameters, a global component. The panel edits a copy, and sends it as a message.
typedef struct Rules {
    FiloVec2 gravity;
    int32_t sub_steps;
    float contact_hertz, contact_damping;
    float restitution_speed;
    float belt;      // speed of the conveyor belts
    float drive;     // of cars, radians a second
    float machine;   // of the rotors in the last room
    float wind;      // speed of the air in the tunnel
    float buoyancy;  // of the water: against gravity, as a multiple of it, for a body of density 1
    float explosion; // impulse of an explosion
    float drag;      // force with which the mouse pulls, times the mass of the body
    int32_t spawn;   // Spawn
    bool sleep;
} Rules;
FILO_REFLECT_DECLARE(Rules);
#define PLAYGROUND_RULES "rules" // message, with the component
Rules playground_rules(void);    // the defaults

// What the player does, a global component.
typedef struct Player {
    int32_t room;     // that the camera shows
    FiloEntity joint; // that drags a body; or {0}
    FiloEntity dragged;
    FiloVec2 mouse;  // in the world
    FiloVec2 blast;  // where something exploded
    float blast_age; // seconds ago
    int32_t spawned; // so far
    int32_t broken;  // joints
} Player;
FILO_REFLECT_DECLARE(Player);

FILO_TAG_DECLARE(Drive);   // a joint whose motor the arrow keys turn
FILO_TAG_DECLARE(Machine); // a joint whose motor always turns
FILO_TAG_DECLARE(Belt);    // a conveyor belt
FILO_TAG_DECLARE(Water);   // an area
FILO_TAG_DECLARE(Wind);    // another one
FILO_TAG_DECLARE(Hero);    // the character
typedef struct Lift {
    FiloVec2 from, to;
    float seconds; // from one to the other
} Lift;
FILO_REFLECT_DECLARE(Lift);

// The outline of the hills in the third room. Fills HILL_POINTS points, and returns how many there are.
#define HILL_POINTS 49
size_t room_hills(FiloVec2 *points);

// Registers physics, components, systems and handlers. The world needs events and filo_gfx2d_register.
bool playground_define(FiloWorld *world);
// Creates all rooms, and a camera that shows one of them. False without memory.
bool playground_create(FiloWorld *world, int room);

#endif
