// filo/sprite.h: components for things in the plane: what they look like, who watches. Where they are is a matter of
// filo/transform.h.
//
//     filo_create(world, FILO_SET(FiloTransform2, .position = { 3, 4 }),
//                        FILO_SET(FiloSprite, .image = filo_name("ship.png"), .layer = 2));
//     filo_create(world, FILO_SET(FiloCamera, .zoom = 2));
//
// World coordinates: x to the right, y up, angles from +x towards +y (counter-clockwise). How many pixels of
// an image are one unit is a setting (FiloGfx2dDesc.pixels_per_unit, 1 at first).
//
// Sprites and cameras require FiloTransform2 and FiloPreviousTransform2: an entity that gets one gets these too, if it
// has none.
//
// Inactive entities are not drawn, and neither is anything below one (filo_entity_set_parent): hiding a ship hides its
// guns. The same goes for cameras, which do not watch then. Systems go on with entities below an inactive one, as
// filo_entity_set_active says: animations run, cameras follow.
//
// Components here are plain data, described for saving and scenes; register them, and the systems that are
// named below, with filo_gfx2d_register (filo/gfx2d.h), or let filo/app.h do it. What systems keep here is
// the same on any number of threads.

#ifndef FILO_SPRITE_H
#define FILO_SPRITE_H

#include <filo/color.h>
#include <filo/reflect.h>
#include <filo/strings.h>
#include <filo/transform.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

// ---- What -----------------------------------------------------------------------------------------------

typedef enum FiloSpriteFlags {
    FILO_SPRITE_FLIP_X = 1,
    FILO_SPRITE_FLIP_Y = 2,
    FILO_SPRITE_LINEAR = 4, // smooth when it is scaled; otherwise pixels stay square
    FILO_SPRITE_ADD = 8,    // glows: adds its light
    FILO_SPRITE_HIDDEN = 16,
} FiloSpriteFlags;
FILO_REFLECT_DECLARE(FiloSpriteFlags);

typedef struct FiloSprite {
    FiloName image; // asset: an image or a sheet, loaded by itself when it is first seen; {0}: a white square
                    // of one unit
    uint16_t frame; // of the sheet
    uint8_t layer;  // higher ones are drawn over lower ones
    uint8_t flags;  // FiloSpriteFlags
    int16_t order;  // inside the layer: higher ones later; equal ones in the order of the world
    uint16_t shader; // filo_gfx2d_shader_create; 0: the usual one
    FiloColor color; // the image is multiplied by it; all zero counts as white
    FiloVec2 pivot; // which point of the image is at the position: {0, 0} the middle, {-0.5, -0.5} lower left
} FiloSprite;
FILO_REFLECT_DECLARE(FiloSprite);

// Moves the frame of the sprite beside it through a clip of its sheet. Advanced every tick by the system
// "animate sprites" (phase FILO_PHASE_AFTER). The result is part of the world, so it does not depend on what has
// been loaded or seen: the files of an image that is not there yet are read in that tick. Load it before, and no
// tick waits for the disk. A frame that does not say how long it is shown, is for 0.1 seconds. With an image that
// cannot be read, or a clip that its sheet does not have, it stands still; a debug build logs a warning about such a clip,
// once, with the one that was probably meant.
typedef struct FiloAnimation {
    FiloName clip; // of the sprite's sheet; {0}: all frames
    float speed;   // 0 counts as 1; negative: backwards
    float time;    // seconds into the clip
    bool paused;
    bool finished; // a clip that is shown once has come to its end
    bool started;  // the first frame has been shown; set by the system
} FiloAnimation;
FILO_REFLECT_DECLARE(FiloAnimation);
// Starts a clip from its beginning (backwards, from its end), unless it is the one that runs already. One
// that has finished starts again. Speed and `paused` stay as they are.
void filo_animation_play(FiloAnimation *animation, FiloName clip);

// Emitted when an animation comes to a frame that has an event (its first frame included), and when a clip
// shown once ends ("finished"), in the order in which it happens; of what goes round more than 16 times in
// a tick, only the last 16 rounds.
typedef struct FiloAnimationEvent {
    FiloEntity entity;
    FiloName clip, event;
    uint32_t frame;
} FiloAnimationEvent;
FILO_REFLECT_DECLARE(FiloAnimationEvent);
#define FILO_EVENT_ANIMATION "animation"

// ---- Who watches ----------------------------------------------------------------------------------------

// A camera is where its transform is. Without any, the middle of the world is shown. The system "follow
// with cameras" (phase FILO_PHASE_AFTER + 1) moves those that follow somebody, keeps them inside their
// bounds, and lets shaking end. Those that follow at once are teleported with whom they follow; a frame that is
// drawn before the next tick shows them there as well.
typedef struct FiloCamera {
    float zoom;        // 0 counts as 1; 2: twice as large
    float height;      // how many units fit into the height of the viewport at a zoom of 1; 0: as many as
                       // pixels_per_unit makes it
    FiloRect viewport; // part of the picture, 0 to 1 from the upper left; empty: the whole
    int16_t order;     // cameras are drawn in this order
    uint32_t hidden_layers[8]; // bit per layer: not shown
    bool clear;                // fill the viewport with `background` first; the first camera always does
    FiloColor background; // all zero: that of the renderer. The screen is always opaque: a translucent one
                          // is laid over what is there, or, by the first camera, over that of the
                          // renderer. In a target it replaces what is there; all zero: transparent
    bool pixel_perfect;   // zoom is a whole number of pixels, and so is every place
    FiloEntity follow;    // moves towards this entity's position in the world,
    float follow_speed;   // by this part per second, whatever the rate of ticks (5: quickly); 0: at once
    FiloRect bounds;      // of the world: the middle of the camera stays inside; empty: anywhere
    float shake;          // 0 to 1; falls by 1 per second, and moves the picture by shake² × shake_distance
                          // while it is drawn, not the transform
    float shake_distance; // units; 0 counts as 16 pixels
    uint32_t target;      // filo_gfx2d_target_create, to draw to; 0: the screen
} FiloCamera;
FILO_REFLECT_DECLARE(FiloCamera);

FILO_END_DECLS

#endif
