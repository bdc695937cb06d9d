// A mesh made by code: a knot with a skin of scales, 345,600 triangles.

#ifndef MODEL_KNOT_H
#define MODEL_KNOT_H

#include <filo/mesh.h>

typedef struct Knot {
    int turns, loops; // around the axis, and through the hole
} Knot;

// The mesh belongs to the caller: filo_mesh_free.
FiloResult knot_make(FiloMeshData *mesh, const Knot *knot);

#endif
