// The bodies in space: meshes and materials made by code.

#ifndef BODIES_H
#define BODIES_H

#include <filo/filo.h>

#define ROCKS 6 // variants: "rock 0" to "rock 5"

FiloName rock_name(uint32_t variant);
// Adds the meshes of rocks, "planet", "station" and "ship", and their materials.
FiloResult bodies_add(FiloGfx3d *gfx);

#endif
