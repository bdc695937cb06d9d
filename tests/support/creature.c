#include "support/creature.h"

FILO_REFLECT_ENUM(Mood, FILO_VALUE(MOOD_CALM, "calm"), FILO_VALUE(MOOD_ANGRY, "angry"),
                  FILO_VALUE(MOOD_ASLEEP, "asleep"))
FILO_REFLECT_ENUM(Weather, FILO_VALUE(WEATHER_FOG, "fog"), FILO_VALUE(WEATHER_SUN, "sun"))
FILO_REFLECT_FLAGS(Trait, FILO_VALUE(TRAIT_SOLID, "solid"), FILO_VALUE(TRAIT_VISIBLE, "visible"),
                   FILO_VALUE(TRAIT_LOUD, "loud"))
FILO_REFLECT(Point, FILO_FIELD(float, x), FILO_FIELD(float, y))
FILO_REFLECT(Limb, FILO_FIELD(Point, joints), FILO_FIELD(char, label))
FILO_REFLECT(Creature, FILO_FIELD(Point, position, .unit = "m"),
             FILO_FIELD(float, health, .min = 0, .max = 100, .unit = "hp", .help = "dies at 0",
                        .was = "life"),
             FILO_FIELD(double, mass), FILO_FIELD(bool, awake), FILO_FIELD(Mood, mood),
             FILO_FIELD(Weather, weather), FILO_FIELD(Trait, traits),
             FILO_FIELD(uint8_t, small_mood, .choices = filo_type_Mood), FILO_FIELD(int8_t, i8),
             FILO_FIELD(int16_t, i16), FILO_FIELD(int32_t, i32, .min = -5, .max = 5000000),
             FILO_FIELD(int64_t, i64), FILO_FIELD(uint16_t, loot), FILO_FIELD(uint32_t, u32),
             FILO_FIELD(uint64_t, u64), FILO_FIELD(char, letter), FILO_FIELD(char, name),
             FILO_FIELD(FiloName, kind), FILO_FIELD(FiloEntity, target), FILO_FIELD(FiloEntity, friends),
             FILO_FIELD(Limb, limbs), FILO_FIELD(float, cache, .flags = FILO_FIELD_TRANSIENT))

Creature creature_sample(void) {
    return (Creature){
        .position = { 1.5f, -2 },
        .health = 40,
        .mass = 0.1,
        .awake = true,
        .mood = MOOD_ANGRY,
        .weather = WEATHER_FOG,
        .traits = (Trait)(TRAIT_SOLID | TRAIT_LOUD),
        .small_mood = MOOD_ASLEEP,
        .i8 = -128,
        .i16 = 32767,
        .i32 = -5,
        .i64 = INT64_MIN,
        .loot = { 1, 2, 3, 65535 },
        .u32 = UINT32_MAX,
        .u64 = UINT64_MAX,
        .letter = 'k',
        .name = "Ada \"Grün\"",
        .kind = filo_name("beetle"),
        .target = { 77 },
        .friends = { { 5 }, { 6 } },
        .limbs = { { { { 1, 2 }, { 3, 4 } }, "left" }, { { { 5, 6 }, { 7, 8 } }, "right" } },
        .cache = 9,
    };
}
