// The components of streamed placement.

#include "placement_world/placement_world.h"

#define CREATE "filo_placement_world_create(&placement_world, world, &desc)"

FILO_REFLECT_MODULE(FiloPlacementViewer, CREATE, FILO_FIELD(float, factor, .help = "of all distances; 0: 1"),
                    FILO_FIELD(bool, no_tiles), FILO_FIELD(bool, no_entities))

FILO_REFLECT(FiloPlacementId, FILO_FIELD(int32_t, cell_x), FILO_FIELD(int32_t, cell_y),
             FILO_FIELD(uint16_t, footprint), FILO_FIELD(uint16_t, point))

FILO_REFLECT_MODULE(FiloPlacedObject, CREATE, FILO_FIELD(FiloPlacementId, id), FILO_FIELD(uint32_t, layer),
                    FILO_FIELD(int32_t, tile_x, .flags = FILO_FIELD_HIDDEN),
                    FILO_FIELD(int32_t, tile_y, .flags = FILO_FIELD_HIDDEN),
                    FILO_FIELD(uint32_t, demoted, .flags = FILO_FIELD_HIDDEN),
                    FILO_FIELD(uint64_t, made, .flags = FILO_FIELD_HIDDEN))

FILO_TAG_MODULE(FiloPlacedKeep, CREATE)
FILO_TAG_MODULE(FiloPlacedAsleep, CREATE)

FILO_REFLECT_ENUM(FiloPlacementEditKind, FILO_VALUE(FILO_PLACEMENT_NO_EDIT, "none"),
                  FILO_VALUE(FILO_PLACEMENT_CLEAR, "clear"), FILO_VALUE(FILO_PLACEMENT_REMOVE, "remove"),
                  FILO_VALUE(FILO_PLACEMENT_PIN, "pin"), FILO_VALUE(FILO_PLACEMENT_ADD, "add"),
                  FILO_VALUE(FILO_PLACEMENT_SUBTRACT, "subtract"), FILO_VALUE(FILO_PLACEMENT_SET, "set"))

FILO_REFLECT_MODULE(FiloPlacementEdit, CREATE, FILO_FIELD(FiloPlacementEditKind, kind),
                    FILO_FIELD(uint32_t, footprints), FILO_FIELD(double, x, .unit = "m"),
                    FILO_FIELD(double, y, .unit = "m"), FILO_FIELD(float, radius, .unit = "m"),
                    FILO_FIELD(float, strength, .max = 1), FILO_FIELD(float, softness, .max = 1),
                    FILO_FIELD(FiloPlacementId, id), FILO_FIELD(FiloName, layer), FILO_FIELD(FiloName, map),
                    FILO_FIELD(uint64_t, order, .flags = FILO_FIELD_READ_ONLY))

FILO_REFLECT_MODULE(FiloPlacedTile, CREATE, FILO_FIELD(uint32_t, footprint), FILO_FIELD(int32_t, x),
                    FILO_FIELD(int32_t, y), FILO_FIELD(bool, live), FILO_FIELD(uint64_t, due),
                    FILO_FIELD(uint64_t, signature))

FILO_REFLECT_MODULE(FiloPlacementState, CREATE, FILO_FIELD(uint64_t, edits), FILO_FIELD(uint64_t, processed),
                    FILO_FIELD(uint64_t, settings))
