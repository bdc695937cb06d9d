// Registers the components and systems of sprites, animations and cameras in a world.

#include "gfx2d/systems/systems.h"

static bool register_components(FiloWorld *world) {
    return filo_component(
               world, FiloSprite,
               .required = { FILO_REQUIRED(FiloTransform2), FILO_REQUIRED(FiloPreviousTransform2) })
                   .id != 0 &&
           filo_component(world, FiloAnimation).id != 0 &&
           filo_component(
               world, FiloCamera,
               .required = { FILO_REQUIRED(FiloTransform2), FILO_REQUIRED(FiloPreviousTransform2) })
                   .id != 0;
}

bool filo_gfx2d_register(FiloWorld *world, FiloAssets *assets) {
    if (!FILO_CHECK(world != NULL, "pass the world that is to have sprites")) return false;
    return filo_transform_register(world) && register_components(world) &&
           gfx2d_animate_register(world, assets) && gfx2d_follow_register(world) &&
           filo_component_complete(world, FILO_TYPE(FiloSprite));
}
