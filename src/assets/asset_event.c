// The payload of the events of the asset system.

#include <filo/assets.h>

FILO_REFLECT(FiloAssetEvent, FILO_FIELD(uint32_t, asset), FILO_FIELD(FiloName, name),
             FILO_FIELD(uint32_t, version))
