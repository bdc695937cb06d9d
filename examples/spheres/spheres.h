// The rules of the spheres, without a screen: used by the example, its benchmark and tests.

#ifndef SPHERES_H
#define SPHERES_H

#include <filo/filo.h>

// The state of a sphere: a pure object. Mass is in proportion to its volume.
typedef struct Sphere {
    FiloVec3 position;
    float radius;
    FiloVec3 velocity; // units a second
    float flash;       // 1 at a collision, then less and less: for drawing
} Sphere;
FILO_REFLECT_DECLARE(Sphere);

typedef struct SpheresDesc {
    size_t count;
    bool
        all_pairs; // each is compared with all others; otherwise only with those that the spatial index finds
    bool sequential; // on one thread
} SpheresDesc;

typedef struct Spheres {
    FiloSpatial *index; // NULL with all_pairs
    float half;         // half the side of the box
} Spheres;

// Adds the kind of objects and creates the spheres. `spheres` must outlive the ticks of the world.
FiloResult spheres_begin(Spheres *spheres, FiloWorld *world, const SpheresDesc *desc);
void spheres_end(Spheres *spheres);

// Kinetic energy of all spheres, which collisions do not change.
double spheres_energy(FiloWorld *world);

#endif
