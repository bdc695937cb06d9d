// The rules of the boids, without a screen: used by the demo and by its benchmark.

#ifndef BOIDS_H
#define BOIDS_H

#include <filo/filo.h>
#include <filo/spatial.h>

#define BOIDS_SIGHT 20.0f // how far a boid sees, in units

typedef struct Boid {
    FiloVec2 velocity; // units a second
} Boid;
FILO_REFLECT_DECLARE(Boid);

// Where they live, and what they fear; one for the world.
typedef struct Sky {
    FiloVec2 half;    // half the size of the place; who leaves it on one side comes back on the other
    FiloVec2 hawk;    // they flee from here
    bool hawk_is_out; // if there is one
} Sky;
FILO_REFLECT_DECLARE(Sky);

typedef struct Boids {
    FiloWorld *world;
    FiloSpatial *index;
} Boids;

// Registers components, adds the systems, and creates `count` boids, at least four. With `all_pairs` each looks
// at every other one, as simple programs do; otherwise only at those in the cells around. The index lives as
// long as boids_end is not called.
FiloResult boids_begin(Boids *boids, FiloWorld *world, size_t count, bool all_pairs);
void boids_end(Boids *boids);
// Draws the picture of a boid and gives it to the assets. False without memory.
bool boids_art(FiloAssets *assets);

#endif
