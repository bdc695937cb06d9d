// A struct with a field of every kind that reflection supports; shared by tests and fuzzers.

#ifndef FILO_TEST_CREATURE_H
#define FILO_TEST_CREATURE_H

#include <filo/reflect.h>
#include <filo/strings.h>

typedef enum Mood { MOOD_CALM, MOOD_ANGRY, MOOD_ASLEEP = 7 } Mood;
typedef enum Weather { WEATHER_FOG = -2, WEATHER_SUN = 3 } Weather;
typedef enum Trait { TRAIT_SOLID = 1, TRAIT_VISIBLE = 2, TRAIT_BOTH = 3, TRAIT_LOUD = 8 } Trait;

typedef struct Point {
    float x, y;
} Point;

typedef struct Limb {
    Point joints[2];
    char label[8];
} Limb;

typedef struct Creature {
    Point position;
    float health;
    double mass;
    bool awake;
    Mood mood;
    Weather weather;
    Trait traits;
    uint8_t small_mood; // a Mood in one byte
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint16_t loot[4];
    uint32_t u32;
    uint64_t u64;
    char letter;
    char name[16];
    FiloName kind;
    FiloEntity target;
    FiloEntity friends[2];
    Limb limbs[2];
    float cache; // transient
    void *undescribed;
} Creature;

FILO_REFLECT_DECLARE(Mood);
FILO_REFLECT_DECLARE(Weather);
FILO_REFLECT_DECLARE(Trait);
FILO_REFLECT_DECLARE(Point);
FILO_REFLECT_DECLARE(Limb);
FILO_REFLECT_DECLARE(Creature);

// A creature with every field set.
Creature creature_sample(void);

#endif
