// Descriptions of the components.

#include <filo/transform.h>

#include "transform/systems.h"

#define REGISTER "filo_transform_register(world)"

FILO_REFLECT_MODULE(FiloTransform2, REGISTER, FILO_FIELD(FiloVec2, position),
                    FILO_FIELD(float, rotation, .unit = "rad"),
                    FILO_FIELD(FiloVec2, scale, .help = "0, 0 counts as 1, 1"))
FILO_REFLECT_MODULE(FiloTransform3, REGISTER, FILO_FIELD(FiloVec3, position),
                    FILO_FIELD(FiloQuat, rotation, .help = "0, 0, 0, 0 counts as none"),
                    FILO_FIELD(FiloVec3, scale, .help = "0, 0, 0 counts as 1, 1, 1"))

FILO_REFLECT_MODULE(FiloPreviousTransform2, REGISTER, FILO_FIELD(FiloVec2, position),
                    FILO_FIELD(float, rotation), FILO_FIELD(FiloVec2, scale), FILO_FIELD(_Bool, valid))
FILO_REFLECT_MODULE(FiloPreviousTransform3, REGISTER, FILO_FIELD(FiloVec3, position),
                    FILO_FIELD(FiloQuat, rotation), FILO_FIELD(FiloVec3, scale), FILO_FIELD(_Bool, valid))

FILO_REFLECT_MODULE(FiloWorldTransform2, REGISTER, FILO_FIELD(FiloAffine2, now),
                    FILO_FIELD(FiloAffine2, previous), FILO_FIELD(_Bool, valid))
FILO_REFLECT_MODULE(FiloWorldTransform3, REGISTER, FILO_FIELD(FiloMat4, now), FILO_FIELD(FiloMat4, previous),
                    FILO_FIELD(_Bool, valid))

FILO_REFLECT_MODULE(TransformState, REGISTER, FILO_FIELD(_Bool, valid))
