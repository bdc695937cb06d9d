#include "placement/create.h"

FiloResult placement_ecotope_apply(FiloPlacement *p, const FiloPlacementDesc *desc) {
    (void)p, (void)desc;
    return filo_error(FILO_ERROR_UNSUPPORTED, "ecotopes are not there yet");
}
