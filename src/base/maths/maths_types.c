// Descriptions of the maths types, for components and files that hold them.

#include <filo/maths.h>
#include <filo/reflect.h>

FILO_REFLECT(FiloVec2, FILO_FIELD(float, x), FILO_FIELD(float, y))
FILO_REFLECT(FiloVec3, FILO_FIELD(float, x), FILO_FIELD(float, y), FILO_FIELD(float, z))
FILO_REFLECT(FiloVec4, FILO_FIELD(float, x), FILO_FIELD(float, y), FILO_FIELD(float, z), FILO_FIELD(float, w))
FILO_REFLECT(FiloIVec2, FILO_FIELD(int32_t, x), FILO_FIELD(int32_t, y))
FILO_REFLECT(FiloQuat, FILO_FIELD(float, x), FILO_FIELD(float, y), FILO_FIELD(float, z), FILO_FIELD(float, w))
FILO_REFLECT(FiloRect, FILO_FIELD(FiloVec2, min), FILO_FIELD(FiloVec2, max))
FILO_REFLECT(FiloAabb3, FILO_FIELD(FiloVec3, min), FILO_FIELD(FiloVec3, max))
FILO_REFLECT(FiloAffine2, FILO_FIELD(FiloVec2, x), FILO_FIELD(FiloVec2, y), FILO_FIELD(FiloVec2, origin))
FILO_REFLECT(FiloColor, FILO_FIELD(uint8_t, r), FILO_FIELD(uint8_t, g), FILO_FIELD(uint8_t, b),
             FILO_FIELD(uint8_t, a))
FILO_REFLECT(FiloMat4, FILO_FIELD(float, m))
