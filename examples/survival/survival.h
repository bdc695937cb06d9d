// The rules of Survival: components, systems and the initial state of the world. They need no screen: the game, its
// tests and its benchmark use them.

#ifndef SURVIVAL_H
#define SURVIVAL_H

#include <filo/filo.h>

#define SURVIVAL_ENEMIES 100000
#define SURVIVAL_KINDS   4 // of enemies, which differ in their pictures

#define SURVIVAL_RESTART "restart" // action of the player, and a message of the menu

// Actions of a player who can choose keys: see survival_add_walking.
#define SURVIVAL_LEFT  "left"
#define SURVIVAL_RIGHT "right"
#define SURVIVAL_UP    "up"
#define SURVIVAL_DOWN  "down"

// Layers, lowest first.
enum { LAYER_GROUND = 0, LAYER_ENEMIES = 10, LAYER_PUFFS = 20, LAYER_PLAYER = 30, LAYER_ATTACKS = 40 };

typedef enum AttackShape { ATTACK_WIDE, ATTACK_TALL, ATTACK_RING, ATTACK_COUNT } AttackShape;

// An attack hits all enemies in its shape around the player, in one tick.
#define ATTACK_LONG       340.0f // half the long side of a box
#define ATTACK_SHORT      48.0f  // half the short side
#define ATTACK_RING_OUTER 230.0f
#define ATTACK_RING_INNER 165.0f
#define ATTACK_SHOWN      0.35f // seconds that it is drawn

// The state of the game, one for the world.
typedef struct Game {
    FiloVec2 player;    // position
    float health;       // 0 to 100
    float time;         // seconds since the start
    float cooldown;     // seconds until the next attack
    float attack_age;   // seconds since the last attack
    FiloVec2 attack_at; // position of the last attack
    int32_t attack;     // AttackShape of the last attack
    int32_t attacks;    // so far
    uint64_t score;     // enemies that were hit
    uint64_t best;
    bool strikes; // an attack strikes in this tick
    bool over;
} Game;
FILO_REFLECT_DECLARE(Game);

typedef struct Enemy {
    FiloVec2 offset; // of its position in the crowd from the player
    float speed;     // units a second
} Enemy;
FILO_REFLECT_DECLARE(Enemy);

// A small cloud where an enemy was hit.
typedef struct Puff {
    float age; // seconds
} Puff;
FILO_REFLECT_DECLARE(Puff);

FILO_TAG_DECLARE(Player);

// Events, which assets/survival.cues turns into sounds. In a world without events there are none.
#define SURVIVAL_EVENT_ATTACK "attack"
#define SURVIVAL_EVENT_HIT    "enemy hit" // EnemyHit; once for each cloud
#define SURVIVAL_EVENT_EATEN  "eaten"
typedef struct EnemyHit {
    FiloVec2 position;
} EnemyHit;
FILO_REFLECT_DECLARE(EnemyHit);

// Registers components and adds the systems. Call filo_gfx2d_register (or filo_gfx2d_create) before.
bool survival_define(FiloWorld *world);
// Creates the player, a camera that follows, and the enemies. False without memory.
bool survival_create(FiloWorld *world, size_t enemies);

// Restarts the game when the message SURVIVAL_RESTART arrives. For a world with events.
bool survival_handle_messages(FiloWorld *world);
// Adds the actions of walking. Without them the keys are those of filo_input_move.
FiloResult survival_add_walking(FiloActions *actions);

// sounds.c: loads the table of sounds, and starts the music. Then, once a frame, lets the player's position be that of the
// ears.
void survival_sounds_load(FiloApp *app);
void survival_sounds_frame(FiloApp *app);

// art.c: draws the pictures and adds them to the assets. False without memory.
bool survival_art(FiloAssets *assets);
// A point of the cookie, which is 48 units wide, in a picture with `detail` pixels a unit.
FiloColor survival_cookie_at(float x, float y, float detail);

#endif
