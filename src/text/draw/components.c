// Reflection and registration of the components of filo/text.h.

#include <filo/check.h>
#include <filo/text.h>
#include <filo/transform.h>
#include <filo/world.h>

#define REGISTER "filo_text_register(world)"

FILO_REFLECT_ENUM(FiloTextAlign, FILO_VALUE(FILO_TEXT_LEFT, "left"), FILO_VALUE(FILO_TEXT_CENTRE, "centre"),
                  FILO_VALUE(FILO_TEXT_RIGHT, "right"), FILO_VALUE(FILO_TEXT_LEFT_SNAPPED, "left snapped"),
                  FILO_VALUE(FILO_TEXT_CENTRE_SNAPPED, "centre snapped"),
                  FILO_VALUE(FILO_TEXT_RIGHT_SNAPPED, "right snapped"),
                  FILO_VALUE(FILO_TEXT_JUSTIFY, "justify"), FILO_VALUE(FILO_TEXT_START, "start"),
                  FILO_VALUE(FILO_TEXT_END, "end"))
FILO_REFLECT_ENUM(FiloTextVertical, FILO_VALUE(FILO_TEXT_TOP, "top"), FILO_VALUE(FILO_TEXT_MIDDLE, "middle"),
                  FILO_VALUE(FILO_TEXT_BOTTOM, "bottom"), FILO_VALUE(FILO_TEXT_BASELINE, "baseline"))
FILO_REFLECT_ENUM(FiloTextDirection, FILO_VALUE(FILO_TEXT_AUTO, "auto"),
                  FILO_VALUE(FILO_TEXT_LTR, "left to right"), FILO_VALUE(FILO_TEXT_RTL, "right to left"))
FILO_REFLECT_ENUM(FiloTextWrap, FILO_VALUE(FILO_TEXT_WRAP_WORDS, "words"),
                  FILO_VALUE(FILO_TEXT_WRAP_LETTERS, "letters"), FILO_VALUE(FILO_TEXT_WRAP_NEVER, "never"))

FILO_REFLECT_MODULE(FiloText, REGISTER, FILO_FIELD(char, text), FILO_FIELD(FiloName, key),
                    FILO_FIELD(FiloName, font), FILO_FIELD(float, size, .unit = "units"),
                    FILO_FIELD(FiloColor, color, .help = "all zero counts as white"),
                    FILO_FIELD(float, width, .unit = "units"), FILO_FIELD(float, hidden, .min = 0, .max = 1),
                    FILO_FIELD(int16_t, order), FILO_FIELD(uint8_t, layer),
                    FILO_FIELD(uint8_t, align, .choices = filo_type_FiloTextAlign),
                    FILO_FIELD(uint8_t, vertical, .choices = filo_type_FiloTextVertical),
                    FILO_FIELD(_Bool, markup), FILO_FIELD(_Bool, bold), FILO_FIELD(_Bool, italic),
                    FILO_FIELD(_Bool, pixelated))

FILO_REFLECT_MODULE(FiloTextEffects, REGISTER, FILO_FIELD(float, outline, .unit = "em"),
                    FILO_FIELD(FiloColor, outline_color), FILO_FIELD(FiloVec2, shadow, .unit = "em"),
                    FILO_FIELD(float, shadow_blur, .unit = "em"), FILO_FIELD(FiloColor, shadow_color),
                    FILO_FIELD(float, glow, .unit = "em"), FILO_FIELD(FiloColor, glow_color))

bool filo_text_register(FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass the world that is to have texts")) return false;
    return filo_transform_register(world) &&
           filo_component(
               world, FiloText,
               .required = { FILO_REQUIRED(FiloTransform2), FILO_REQUIRED(FiloPreviousTransform2) })
                   .id != 0 &&
           filo_component(world, FiloTextEffects).id != 0 &&
           filo_component_complete(world, FILO_TYPE(FiloText));
}
