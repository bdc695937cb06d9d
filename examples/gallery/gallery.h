// What the files of the gallery share.

#ifndef GALLERY_H
#define GALLERY_H

#include <filo/filo.h>

// textures.c: pictures made by code: "tiles", "tiles normal", "stone".
FiloResult gallery_add_textures(FiloGfx3d *gfx);
// sculpture.c: a mesh made by code: "knot".
FiloResult gallery_add_sculpture(FiloGfx3d *gfx);

#endif
