// Pictures of shapes (filo/physics2d.h), for sprites: filled, with a darker edge, and round ones with a line that shows how
// they turn.
//
//     shape_art_add(assets, "box", &box, filo_color_from_hex(0xE8A33DFF), 40);      // in `load`
//     filo_create(world, …, FILO_SET_COPY(FiloShape2, &box),
//                 FILO_SET(FiloSprite, .image = filo_name("box"), .pivot = shape_art_pivot(&box)));
//
// `detail` is how many pixels a unit of the world has: FiloAppDesc.pixels_per_unit.

#ifndef SHARED_SHAPE_ART_H
#define SHARED_SHAPE_ART_H

#include <filo/filo.h>

// Adds a picture of the shape. False without memory.
bool shape_art_add(FiloAssets *assets, const char *name, const FiloShape2 *shape, FiloColor color,
                   float detail);
// Where the position of the body is in that picture: FiloSprite.pivot.
FiloVec2 shape_art_pivot(const FiloShape2 *shape);

// The distance of a point to the line between two others, for pictures that are formulas.
float shape_art_to_segment(FiloVec2 p, FiloVec2 a, FiloVec2 b);

#endif
