// filo/components3d.h: components for meshes, cameras, lights and effects in space. Positions are in filo/transform.h.
//
//     filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 1, 0 }),
//                        FILO_SET(FiloMesh, .mesh = filo_name("rock.obj")));
//     filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 2, 5 }), FILO_ADD(FiloCamera3));
//     filo_create(world, FILO_SET(FiloTransform3, .rotation = filo_quat_look(filo_vec3(-1, -2, -1), filo_vec3(0, 1, 0))),
//                        FILO_SET(FiloLight, .kind = FILO_LIGHT_SUN, .shadows = true));
//
// Space is right-handed: x to the right, y up, −z forward. A unit is a metre wherever it matters (lights, fog). Colours of
// lights and materials are linear; a FiloColor is sRGB, as in images.
//
// All require FiloTransform3 and FiloPreviousTransform3: an entity that gets one gets these too. Inactive entities and
// their descendants are not drawn.
//
// The components are plain data, reflected for saving and scenes. filo_gfx3d_register (filo/gfx3d.h) registers them and
// the systems that are named below. What the systems compute is the same on any number of threads.

#ifndef FILO_COMPONENTS3D_H
#define FILO_COMPONENTS3D_H

#include <filo/color.h>
#include <filo/reflect.h>
#include <filo/strings.h>
#include <filo/transform.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

// ---- Meshes -----------------------------------------------------------------------------------------------

typedef enum FiloMeshFlags {
    FILO_MESH_HIDDEN = 1,
    FILO_MESH_NO_SHADOW = 2,   // casts none
    FILO_MESH_FULL_DETAIL = 4, // always the first level of detail
    FILO_MESH_WIREFRAME = 8,
} FiloMeshFlags;
FILO_REFLECT_DECLARE(FiloMeshFlags);

typedef struct FiloMesh {
    // A model file ("rock.obj": all of it), one mesh of it ("robot.glb#Arm"), or a mesh of filo_gfx3d_add_mesh. Loaded
    // automatically when it is first drawn. Built in: "box", "sphere", "plane", "capsule", "cylinder", "cone", "torus", of
    // one unit. {0} is "box".
    FiloName mesh;
    FiloName
        material; // "brick.material", or of filo_gfx3d_add_material; {0}: those of the file, or the default
    FiloColor color; // the material's colour is multiplied by it; all zero counts as white
    FiloVec2 values; // for shaders: v.values
    float range;     // beyond this distance from the camera it is not drawn; 0: no limit
    uint8_t flags;   // FiloMeshFlags
} FiloMesh;
FILO_REFLECT_DECLARE(FiloMesh);

// ---- Cameras ----------------------------------------------------------------------------------------------

// How linear colours of any brightness become those of a screen. Not for what is `unlit`, nor for the background: they are
// shown as they are.
typedef enum FiloTone {
    FILO_TONE_FILM, // a curve of film (ACES): darker shadows, and bright colours become white gradually
    FILO_TONE_NEUTRAL, // colours stay as they are up to 0.8; what is brighter is compressed (Khronos PBR Neutral)
    FILO_TONE_NONE, // cut off at 1
} FiloTone;
FILO_REFLECT_DECLARE(FiloTone);

// Looks along −z of its transform. Without any camera nothing is drawn in 3D.
typedef struct FiloCamera3 {
    float field_of_view; // from the bottom to the top of the picture, radians; 0: 60 degrees
    float height;        // not 0: orthographic, this many units from bottom to top
    float near, far;     // 0: 0.1 and 1000
    // Part of the picture, 0 to 1 from its upper left corner: { { left, top }, { right, bottom } }. All zeroes: the whole.
    // One that is empty, or reaches beyond 0 to 1, is reported once; what is outside is cut off.
    FiloRect viewport;
    int16_t order;        // cameras are drawn in this order
    uint32_t target;      // of filo_gfx3d_target_create, to draw to; 0: the screen
    FiloColor background; // where there is no sky, exactly this; on a target it may be translucent
    float exposure;       // brightness of the picture, in stops: 1 is twice as bright
    bool wireframe;       // everything in lines
    uint8_t tone;         // FiloTone
} FiloCamera3;
FILO_REFLECT_DECLARE(FiloCamera3);

// Controls of cameras, or of anything else with a transform. The system "control cameras" (phase FILO_PHASE_BEFORE) reads
// the input of the player (the global component FiloInput) and writes FiloTransform3. They are components, so they are
// recorded and replayed like everything else. Coordinates are those of the entity's parent, if it has one.

// Free flight: the mouse looks while its right button is held, or always if it is captured; W A S D or the arrow keys
// move, E and Q up and down, Shift is faster, the wheel changes the speed. With a gamepad: the left stick moves, the right
// one looks, triggers go up and down, and the left stick pressed is faster.
//
// The rotation of the transform is made of `yaw` and `pitch`. A game may write these, or the rotation (by
// filo_transform3_look_at, a teleport …): the one that was changed since the last tick is taken over. A roll is lost.
typedef struct FiloFlight {
    float yaw, pitch;           // radians; 0, 0 looks along −z; pitch is up, at most 89 degrees
    float speed;                // units a second; 0: 5
    float fast;                 // factor with Shift; 0: 4
    float sensitivity;          // radians a pixel; 0: 0.003
    bool always_look;           // without a button
    bool walk;                  // moves in the plane; y is left to the game
    float seen_yaw, seen_pitch; // private
} FiloFlight;
FILO_REFLECT_DECLARE(FiloFlight);

// Orbits around a point and looks at it: dragging with the left button turns, the wheel changes the distance, the right or
// middle button moves the point, as far as the mouse at its distance. With a gamepad: the right stick turns, the triggers
// change the distance.
typedef struct FiloOrbit {
    FiloVec3 centre;
    float distance;   // 0: it begins where the transform is; if that is at the centre, at 5 units
    float yaw, pitch; // radians; 0, 0 looks along −z; a negative pitch looks down; at most 89 degrees
    float min_distance, max_distance; // 0: 0.1 and no limit
    float sensitivity;                // radians a pixel; 0: 0.005
    float spin;                       // radians a second, while the player does not turn it
} FiloOrbit;
FILO_REFLECT_DECLARE(FiloOrbit);

// Follows an entity from behind and above, and looks at it. The system "follow in 3D" (phase FILO_PHASE_AFTER + 1, after
// the systems of the game). Without a speed, it is teleported if its target is. If the target does not exist, is the entity
// itself, or has no transform, it stays; the first two are logged once.
typedef struct FiloFollow3 {
    FiloEntity target;
    FiloVec3 offset; // from the target, in the world; {0}: (0, 2, 6)
    FiloVec3 look;   // looks at the target's position plus this
    float speed;     // after t seconds, e^(−t × speed) of the distance is left; 0: always there
    bool turn;       // offset and look turn with the target
} FiloFollow3;
FILO_REFLECT_DECLARE(FiloFollow3);

// ---- Light ------------------------------------------------------------------------------------------------

// A view shows one sun and up to 64 points and spots: those that matter most of the ones that reach into it; more are logged
// once. Each of 16 × 8 parts of its picture shows up to 31 of them. Numbers of a light that are negative, or no numbers, are
// logged once, and count as 0.
typedef enum FiloLightKind {
    FILO_LIGHT_SUN,   // everywhere the same, along −z of its transform. Only the brightest one is used
    FILO_LIGHT_POINT, // in all directions
    FILO_LIGHT_SPOT,  // a cone along −z
} FiloLightKind;
FILO_REFLECT_DECLARE(FiloLightKind);

// Without a rotation a sun shines horizontally, along −z, and hardly lights a floor. The usual one comes from above:
//
//     FILO_SET(FiloTransform3, .rotation = filo_quat_look(filo_vec3(-1, -2, -1), filo_vec3(0, 1, 0)))
typedef struct FiloLight {
    uint8_t kind;    // FiloLightKind
    bool shadows;    // of a sun; points and spots cast none
    FiloColor color; // all zero counts as white
    // Brightness of a white surface that faces the light: of a sun when it is high, of others at a distance of one unit. It
    // falls with the square of the distance. 0: 3 for a sun, 10 for others.
    float intensity;
    float range;           // of points and spots: no light beyond; 0: 20
    float inner, outer;    // of spots: angles from the axis, radians; 0: 0.35 and 0.5
    float shadow_distance; // of a sun: shadows up to this distance from the camera; 0: 100
} FiloLight;
FILO_REFLECT_DECLARE(FiloLight);

// What surrounds everything: a global component (filo_edit_global). All zeroes: a computed sky.
//
// The computed sky follows the sun: blue by day, golden when the sun is low, stars by night. It gives the light of the sun
// its colour too, times that of the light: so a white sun is right at any hour. A low one is red, and below the horizon there
// is none. The colour of the light does not change the sky, its intensity does. Without a sun it is that of a clear day.
// Light from the sky falls on everything, and everything reflects the sky, as far as it is smooth.
typedef struct FiloEnvironment {
    // An image, "dawn.hdr", in HDR or not: twice as wide as high, all directions, the horizon in the middle; −z is in the
    // middle of the picture. Until it is loaded, and if it fails, the sky is computed. {0}: it is computed.
    FiloName sky;
    bool no_sky;             // the background of the camera instead; light comes from a grey room
    float sky_rotation;      // of an image, radians about y
    float sky_brightness;    // 0: 1
    float ambient;           // light from the sky, and its reflection; 0: 1, negative: none
    FiloColor ambient_color; // not all zero: light of this colour from everywhere instead; reflections stay
    FiloColor fog_color;     // all zero: that of the sky at the horizon, brighter towards the sun
    float fog_density;       // 0: none; at a distance of 1 / density, e^−1 of the light is left
    float fog_height;        // above it fog thins out …
    float fog_falloff;       // … by e for each 1 / falloff units; 0: it does not
    float haze;              // turbidity of the computed sky, 0 (clear) to 1
    float exposure;          // stops, added to those of the camera
    float bloom;             // glow around bright parts, 0 to 1
} FiloEnvironment;
FILO_REFLECT_DECLARE(FiloEnvironment);

// ---- Effects ----------------------------------------------------------------------------------------------

// Billboards and particles are quads that face the camera. They are drawn after everything else, in the order of their
// distance, farthest first; those with one image together, within steps of about 20 % of the distance (docs/effects.md).
// They cast no shadow, and have fog.

// An image that faces the camera, at the position of the entity.
typedef struct FiloBillboard {
    FiloName image;   // {0}: a round, soft spot
    FiloVec2 size;    // units, times the scale of the transform; {0}: 1 × 1
    FiloColor color;  // all zero counts as white
    FiloRect frame;   // part of the image, 0 to 1; empty: all of it
    float angle;      // radians, counter-clockwise on the screen
    float brightness; // its light is multiplied by it; 0: 1
    float range;      // beyond this distance from the camera it is not drawn; 0: no limit
    bool upright;     // turns about y only
    bool add;         // additive: it glows
    bool lit;         // by sky and sun; otherwise it has its own colour
} FiloBillboard;
FILO_REFLECT_DECLARE(FiloBillboard);

// A position and rotation of an emitter in the past.
typedef struct FiloParticlePoint {
    FiloVec3 position;
    uint32_t rotation; // filo_instance_rotation
} FiloParticlePoint;
FILO_REFLECT_DECLARE(FiloParticlePoint);

// Emits particles. A particle is a function of its emitter, its number and the time; only the last positions and rotations
// of the emitter are stored, by the system "trace particles" (phase FILO_PHASE_AFTER + 2). So a million of them cost the
// world nothing, and a picture shows the same after any way of getting there. At most 65,536 particles of an emitter exist
// at once.
//
// A particle begins where the emitter was at that moment, with its rotation, and does not follow it. An emitter that was
// teleported takes its particles with it. They fade in and out over a tenth of their life.
//
//     FILO_SET(FiloParticles, .rate = 200, .seconds = 2, .velocity = { 0, 3, 0 }, .spread = { 0.5f, 1, 0.5f },
//              .acceleration = { 0, -2, 0 }, .color = filo_color_from_hex(0xFFB040FF), .add = true)     // a fountain of sparks
#define FILO_PARTICLE_TRACE 16
typedef struct FiloParticles {
    FiloName image; // as FiloBillboard
    FiloRect frame; // part of the image, 0 to 1; empty: all of it
    float rate;     // particles a second
    float seconds;  // life of a particle; 0: 1
    double age;     // of the emitter, seconds: written by the system. Set it, and it has emitted for so long
    float stop;     // age at which it stops to emit; 0: never
    FiloVec3 velocity;     // units a second, in the coordinates of the emitter
    FiloVec3 spread;       // added to it, −1 to 1 times, at random
    FiloVec3 box;          // size of the volume in which they begin, in the coordinates of the emitter
    FiloVec3 acceleration; // in the world: gravity, wind
    float drag;            // after t seconds, e^(−t × drag) of the velocity is left
    float size, end_size;  // units; 0: 0.2, and as size
    float size_spread;     // 0 to 1: a size is 1 − size_spread to 1 + size_spread times as large, at random
    float stretch;         // seconds of its flight over which a particle is drawn as a streak; 0: a spot
    FiloColor color, end_color; // all zero counts as white, and as transparent
    float spin;                 // radians a second, −1 to 1 times; they begin at any angle then
    float brightness;           // as FiloBillboard
    float range;                // of the emitter
    bool add, lit;              // as FiloBillboard
    uint32_t seed;              // of the random numbers; 0: another one for each entity
    FiloParticlePoint trace[FILO_PARTICLE_TRACE]; // private, like the rest
    FiloParticlePoint last;
    uint64_t trace_count;
    float step;
} FiloParticles;
FILO_REFLECT_DECLARE(FiloParticles);

FILO_END_DECLS

#endif
