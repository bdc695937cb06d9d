// filo/sprite.h: components for sprites, animations and cameras. Their positions are in filo/transform.h.
//
//     filo_create(world, FILO_SET(FiloTransform2, .position = { 3, 4 }),
//                        FILO_SET(FiloSprite, .image = filo_name("ship.png"), .layer = 2));
//     filo_create(world, FILO_SET(FiloCamera, .zoom = 2));
//
// World coordinates: x to the right, y up, angles from +x towards +y (counter-clockwise). One unit is
// FiloGfx2dDesc.pixels_per_unit pixels of an image (by default 1).
//
// Sprites and cameras require FiloTransform2 and FiloPreviousTransform2: an entity that gets a sprite or a camera gets
// these too.
//
// Inactive entities are not drawn, and neither are their descendants (filo_entity_set_parent): hiding a ship hides its
// guns. Cameras that are inactive, or below an inactive entity, are not used. Systems still run on the descendants of
// an inactive entity, as filo_entity_set_active says: animations run, cameras follow.
//
// The components are plain data, reflected for saving and scenes. filo_gfx2d_register (filo/gfx2d.h), or filo/app.h,
// registers them and the systems that are named below. What the systems compute is the same on any number of threads.

#ifndef FILO_SPRITE_H
#define FILO_SPRITE_H

#include <filo/color.h>
#include <filo/reflect.h>
#include <filo/strings.h>
#include <filo/transform.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

// ---- Sprites --------------------------------------------------------------------------------------------

typedef enum FiloSpriteFlags {
    FILO_SPRITE_FLIP_X = 1,
    FILO_SPRITE_FLIP_Y = 2,
    FILO_SPRITE_LINEAR = 4, // linear filtering when it is scaled; otherwise nearest
    FILO_SPRITE_ADD = 8,    // additive blending: it glows
    FILO_SPRITE_HIDDEN = 16,
} FiloSpriteFlags;
FILO_REFLECT_DECLARE(FiloSpriteFlags);

typedef struct FiloSprite {
    // Asset: an image or a sheet, loaded automatically when the sprite is first drawn; {0}: a white square of one unit.
    FiloName image;
    uint16_t frame;  // of the sheet; beyond the last is the last, which a debug build logs once
    uint8_t layer;   // higher ones are drawn over lower ones
    uint8_t flags;   // FiloSpriteFlags
    int16_t order;   // inside the layer: higher ones later; equal ones in the order of the world
    uint16_t shader; // of filo_gfx2d_shader_create; 0: none
    FiloColor color; // the image is multiplied by it; all zero counts as white
    FiloVec2 pivot;  // point of the image that is at the position: {0, 0} the centre, {-0.5, -0.5} lower left
} FiloSprite;
FILO_REFLECT_DECLARE(FiloSprite);

// ---- Animations -----------------------------------------------------------------------------------------

// Plays a clip of the sheet of the entity's sprite, by changing its frame. The system "animate sprites" (phase
// FILO_PHASE_AFTER) advances it every tick. The result is part of the world, so it does not depend on what has been
// loaded or drawn: the files of a sheet that is not loaded are read in that tick. Load it before, and no tick waits for
// the disk. A frame without a duration is shown for 0.1 seconds. With an image that cannot be read, or a clip that its
// sheet does not have, the animation stands still; a warning about such a clip is logged once, with the most similar name,
// and one about an entity without a sprite.
typedef struct FiloAnimation {
    FiloName clip; // of the sprite's sheet; {0}: all frames
    float speed;   // 0 counts as 1; negative: backwards
    float time;    // seconds into the clip
    bool paused;
    bool finished; // a clip that plays once has reached its end
    bool started;  // the event of the first frame was emitted; set by the system
} FiloAnimation;
FILO_REFLECT_DECLARE(FiloAnimation);
// Starts a clip from its beginning (backwards, from its end), unless it is playing already. A clip that has finished
// starts again. Does not change `speed` and `paused`.
void filo_animation_play(FiloAnimation *animation, FiloName clip);

// Emitted when an animation reaches a frame that has an event (including its first frame), and when a clip that plays
// once ends ("finished"), in the order of time. Of a clip that repeats more than 16 times in a tick, only the last 16
// rounds emit events.
typedef struct FiloAnimationEvent {
    FiloEntity entity;
    FiloName clip, event;
    uint32_t frame;
} FiloAnimationEvent;
FILO_REFLECT_DECLARE(FiloAnimationEvent);
#define FILO_EVENT_ANIMATION "animation"

// ---- Cameras --------------------------------------------------------------------------------------------

// A camera is at its transform. Without any camera, the origin of the world is in the middle of the screen. The system
// "follow with cameras" (phase FILO_PHASE_AFTER + 1) moves cameras that follow an entity, clamps them to their bounds,
// and reduces their shake. A camera with a follow_speed of 0 is teleported with the entity that it follows; a frame
// that is drawn before the next tick shows it there as well.
typedef struct FiloCamera {
    float zoom;        // 0 counts as 1; 2: twice as large
    float height;      // units that fit into the height of the viewport at a zoom of 1; 0: by pixels_per_unit
    FiloRect viewport; // part of the picture, 0 to 1 from the upper left corner; empty: the whole
    int16_t order;     // cameras are drawn in this order
    uint32_t hidden_layers[8]; // bit per layer: not drawn
    bool clear;                // fills the viewport with `background` first; the first camera always does
    // All zero: that of the renderer. The screen is always opaque: a translucent background is blended with what is
    // there, or, by the first camera, with that of the renderer. In a target it replaces what is there; all zero:
    // transparent.
    FiloColor background;
    bool pixel_perfect; // scale and positions are rounded to whole pixels
    FiloEntity
        follow; // moves towards the position of this entity in the world; one that is gone is logged once
    float follow_speed; // after t seconds, e^(−t × follow_speed) of the distance is left (5: fast); 0: it is
                        // always at that position
    // Of the world; empty: none. What is seen stays inside, whatever the size of the picture; where the picture is larger,
    // they are in its middle. The transform only stays inside of them itself, so it does not depend on the window.
    FiloRect bounds;
    float shake; // 0 to 1; falls by 1 per second. Moves the picture by shake² × shake_distance, not the
                 // transform
    float shake_distance; // units; 0 counts as 16 pixels
    uint32_t target;      // of filo_gfx2d_target_create, to draw to; 0: the screen
} FiloCamera;
FILO_REFLECT_DECLARE(FiloCamera);

FILO_END_DECLS

#endif
