// Type descriptions of the structs of input, for hashes, events and tools.

#include <filo/input.h>

FILO_REFLECT(FiloKeySet, FILO_FIELD(uint64_t, bits))

FILO_REFLECT(FiloGamepad, FILO_FIELD(_Bool, connected), FILO_FIELD(uint32_t, down),
             FILO_FIELD(uint32_t, pressed), FILO_FIELD(uint32_t, released), FILO_FIELD(float, axes))

FILO_REFLECT(FiloActionState, FILO_FIELD(FiloName, name), FILO_FIELD(float, value), FILO_FIELD(_Bool, down),
             FILO_FIELD(_Bool, pressed), FILO_FIELD(_Bool, released))

FILO_REFLECT(FiloInput, FILO_FIELD(FiloKeySet, down), FILO_FIELD(FiloKeySet, pressed),
             FILO_FIELD(FiloKeySet, released), FILO_FIELD(FiloVec2, mouse), FILO_FIELD(FiloVec2, mouse_move),
             FILO_FIELD(FiloVec2, wheel), FILO_FIELD(FiloVec2, view), FILO_FIELD(_Bool, mouse_captured),
             FILO_FIELD(_Bool, focused), FILO_FIELD(_Bool, quit), FILO_FIELD(FiloGamepad, pads),
             FILO_FIELD(char, text), FILO_FIELD(uint32_t, action_count), FILO_FIELD(FiloActionState, actions))

FILO_REFLECT_ENUM(FiloInputChangeKind, FILO_VALUE(FILO_INPUT_KEY, "key"),
                  FILO_VALUE(FILO_INPUT_MOUSE, "mouse"), FILO_VALUE(FILO_INPUT_WHEEL, "wheel"),
                  FILO_VALUE(FILO_INPUT_TYPED, "typed"), FILO_VALUE(FILO_INPUT_PAD, "pad"),
                  FILO_VALUE(FILO_INPUT_PAD_KEY, "pad key"), FILO_VALUE(FILO_INPUT_PAD_AXIS, "pad axis"),
                  FILO_VALUE(FILO_INPUT_FOCUS, "focus"), FILO_VALUE(FILO_INPUT_VIEW, "view"),
                  FILO_VALUE(FILO_INPUT_CAPTURE, "capture"), FILO_VALUE(FILO_INPUT_QUIT, "quit"))

FILO_REFLECT(FiloInputChange, FILO_FIELD(FiloInputChangeKind, kind), FILO_FIELD(int32_t, key),
             FILO_FIELD(_Bool, down), FILO_FIELD(int32_t, pad), FILO_FIELD(int32_t, axis),
             FILO_FIELD(float, value), FILO_FIELD(FiloVec2, position), FILO_FIELD(FiloVec2, move),
             FILO_FIELD(char, text))
