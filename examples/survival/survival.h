// The rules of Survival: components, systems and the first state of the world. No screen is needed, so the
// game, its tests and its benchmark all use this.

#ifndef SURVIVAL_H
#define SURVIVAL_H

#include <filo/filo.h>

#define SURVIVAL_ENEMIES 100000
#define SURVIVAL_KINDS   4 // of enemies, by the look of them

// What the player can do, besides walking.
#define SURVIVAL_RESTART "restart"

// Layers, lowest first.
enum { LAYER_GROUND = 0, LAYER_ENEMIES = 10, LAYER_PUFFS = 20, LAYER_PLAYER = 30, LAYER_ATTACKS = 40 };

typedef enum AttackShape { ATTACK_WIDE, ATTACK_TALL, ATTACK_RING, ATTACK_COUNT } AttackShape;

// An attack reaches everything in its shape around the player at once.
#define ATTACK_LONG       340.0f // half the long side of a box
#define ATTACK_SHORT      48.0f  // half the short side
#define ATTACK_RING_OUTER 230.0f
#define ATTACK_RING_INNER 165.0f
#define ATTACK_SHOWN      0.35f // seconds that it can be seen

// The state of the game, one for the world.
typedef struct Game {
    FiloVec2 player;    // where the player is, for those who look for it
    float health;       // 0 to 100
    float time;         // seconds since the start
    float cooldown;     // seconds until the next attack
    float attack_age;   // seconds since the last one
    FiloVec2 attack_at; // where that was
    int32_t attack;     // AttackShape of the last one
    int32_t attacks;    // so far
    uint64_t score;     // enemies that were hit
    uint64_t best;
    bool strikes; // an attack strikes in this tick
    bool over;
} Game;
FILO_REFLECT_DECLARE(Game);

typedef struct Enemy {
    FiloVec2 place; // where it wants to be, seen from the player
    float speed;    // units a second
} Enemy;
FILO_REFLECT_DECLARE(Enemy);

// A small cloud where an enemy was hit.
typedef struct Puff {
    float age; // seconds
} Puff;
FILO_REFLECT_DECLARE(Puff);

FILO_TAG_DECLARE(Player);

// Registers components and adds the systems. filo_gfx2d_register (or filo_gfx2d_create) comes before.
bool survival_define(FiloWorld *world);
// Fills the world: the player, a camera that follows, and enemies all around. False without memory.
bool survival_create(FiloWorld *world, size_t enemies);

// art.c: draws the pictures and gives them to the assets. False without memory.
bool survival_art(FiloAssets *assets);

#endif
