// The rules of the boids: used by the example, its benchmark, and the example editor.

#ifndef BOIDS_H
#define BOIDS_H

#include <filo/filo.h>
#include <filo/spatial.h>

#define BOIDS_SIGHT 20.0f // how far a boid sees at first, in units

typedef struct Boid {
    FiloVec2 velocity; // units a second
} Boid;
FILO_REFLECT_DECLARE(Boid);

// The area of the boids, and the hawk; one for the world.
typedef struct Sky {
    FiloVec2 half; // half the size of the area; a boid that leaves it on one side returns on the other
    FiloVec2 hawk; // position
    bool hawk_active;
} Sky;
FILO_REFLECT_DECLARE(Sky);

// The rules of flight; one for the world. A panel or the debug view (F3) changes them while the game runs.
typedef struct Rules {
    float sight;                           // units within which others are neighbours
    float close;                           // boids separate if they are nearer than this
    float cohesion, alignment, separation; // weights
    float min_speed, max_speed;            // units a second
    float hawk_reach, hawk_fear;
    uint32_t count; // of boids
} Rules;
FILO_REFLECT_DECLARE(Rules);
#define BOIDS_RULES "rules" // a message with new Rules

typedef struct Boids {
    FiloWorld *world;
    FiloSpatial *index;
} Boids;

// Registers components, adds the systems, and creates `count` boids, at least four. With `all_pairs` each boid is
// compared with every other one, as simple programs do; otherwise only with those in the cells around it. The index
// lives until boids_end.
FiloResult boids_begin(Boids *boids, FiloWorld *world, size_t count, bool all_pairs);
void boids_end(Boids *boids);
// The rules at first; their count is 0.
Rules boids_rules(void);
// Handles the message BOIDS_RULES: boids are created and destroyed until there are rules->count. For a world with events.
bool boids_handle_messages(FiloWorld *world);
// Draws the picture of a boid and adds it to the assets. False without memory.
bool boids_art(FiloAssets *assets);

// In hawk.c, for games with a screen. Creates the camera, and adds a system that zooms, and that moves the hawk with the
// mouse while a button is held. `button` stays valid as long as the world. {0} without memory.
FiloEntity boids_view(FiloWorld *world, const FiloKey *button);
// Where the mouse is, in units of the world.
FiloVec2 boids_point(const FiloCamera *camera, const FiloInput *input);

#endif
