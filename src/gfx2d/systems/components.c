// Reflection of the components of filo/sprite.h.

#include <filo/sprite.h>

#define REGISTER "filo_gfx2d_register(world, assets)"

FILO_REFLECT_FLAGS(FiloSpriteFlags, FILO_VALUE(FILO_SPRITE_FLIP_X, "flip x"),
                   FILO_VALUE(FILO_SPRITE_FLIP_Y, "flip y"), FILO_VALUE(FILO_SPRITE_LINEAR, "linear"),
                   FILO_VALUE(FILO_SPRITE_ADD, "add"), FILO_VALUE(FILO_SPRITE_HIDDEN, "hidden"))

FILO_REFLECT_MODULE(FiloSprite, REGISTER, FILO_FIELD(FiloName, image), FILO_FIELD(uint16_t, frame),
                    FILO_FIELD(uint8_t, layer),
                    FILO_FIELD(uint8_t, flags, .choices = filo_type_FiloSpriteFlags),
                    FILO_FIELD(int16_t, order), FILO_FIELD(uint16_t, shader),
                    FILO_FIELD(FiloColor, color, .help = "all zero counts as white"),
                    FILO_FIELD(FiloVec2, pivot, .min = -0.5, .max = 0.5))

FILO_REFLECT_MODULE(FiloAnimation, REGISTER, FILO_FIELD(FiloName, clip), FILO_FIELD(float, speed),
                    FILO_FIELD(float, time, .unit = "s"), FILO_FIELD(_Bool, paused),
                    FILO_FIELD(_Bool, finished), FILO_FIELD(_Bool, started))

FILO_REFLECT(FiloAnimationEvent, FILO_FIELD(FiloEntity, entity), FILO_FIELD(FiloName, clip),
             FILO_FIELD(FiloName, event), FILO_FIELD(uint32_t, frame))

FILO_REFLECT_MODULE(FiloCamera, REGISTER, FILO_FIELD(float, zoom), FILO_FIELD(float, height),
                    FILO_FIELD(FiloRect, viewport), FILO_FIELD(int16_t, order),
                    FILO_FIELD(uint32_t, hidden_layers), FILO_FIELD(_Bool, clear),
                    FILO_FIELD(FiloColor, background), FILO_FIELD(_Bool, pixel_perfect),
                    FILO_FIELD(FiloEntity, follow), FILO_FIELD(float, follow_speed),
                    FILO_FIELD(FiloRect, bounds), FILO_FIELD(float, shake, .min = 0, .max = 1),
                    FILO_FIELD(float, shake_distance), FILO_FIELD(uint32_t, target))
