// What the game looks like: figures, a meadow, light, a camera.

#ifndef SCENE_H
#define SCENE_H

#include <filo/filo.h>

#define FIELD 30.0f // half the size of the field

// The rotation of a figure that goes in a direction of the plane.
FiloQuat scene_facing(FiloVec2 direction);
// Adds the meshes "hunter" and "player", which are white where an entity gives them a colour.
FiloResult scene_add_figures(FiloGfx3d *gfx);
// Creates ground, light and a camera that follows the player.
void scene_create(FiloWorld *world, FiloEntity player);
// A circle on the ground, in this frame.
void scene_draw_ring(FiloGfx3d *gfx, FiloVec2 centre, float radius);

#endif
