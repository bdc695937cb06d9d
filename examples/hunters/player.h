// The player: walks, swings at hunters, and is bitten by them.

#ifndef PLAYER_H
#define PLAYER_H

#include <filo/filo.h>

#define REACH 2.6f // of a swing

typedef struct Hunter {
    FiloVec2 position;
    int32_t mood;   // Mood, for drawing
    int32_t health; // 3 at first
} Hunter;
FILO_REFLECT_DECLARE(Hunter);

typedef struct Player {
    FiloVec2 position;
    float swing; // seconds since the last swing began
    int32_t health, hits;
} Player;
FILO_REFLECT_DECLARE(Player);

typedef struct Prey { // where the player was at the end of the last tick; one for the world
    FiloVec2 position;
    FiloEntity player;
} Prey;
FILO_REFLECT_DECLARE(Prey);

typedef struct Hit { // a swing of the player: to a hunter
    FiloVec2 push;
} Hit;
FILO_REFLECT_DECLARE(Hit);

typedef struct Bite { // to the player
    FiloVec2 from;
} Bite;
FILO_REFLECT_DECLARE(Bite);

// The kind of objects: its step sees all hunters, and walls of the field.
FiloObjectDesc player_kind(void);

#endif
