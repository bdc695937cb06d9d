// What a world needs to know of sprites: components and systems.

#include "gfx2d/systems.h"

FILO_REFLECT(FiloSpriteMemory, FILO_FIELD(_Bool, known), FILO_FIELD(uint8_t, ticks))

bool filo_system_add_once(FiloWorld *world, const FiloSystemDesc *desc) {
    return filo_system_named(world, desc->name).id != 0 || filo_system_add(world, desc).id != 0;
}

static bool register_components(FiloWorld *world) {
    return filo_component(world, FiloTransform).id != 0 &&
           filo_component(world, FiloPreviousTransform, .transient = true).id != 0 &&
           filo_component(world, FiloPlacement, .transient = true).id != 0 &&
           filo_component(world, FiloSprite).id != 0 && filo_component(world, FiloAnimation).id != 0 &&
           filo_component(world, FiloCamera).id != 0 &&
           filo_component(world, FiloSpriteMemory, .storage = FILO_STORAGE_GLOBAL, .transient = true).id != 0;
}

bool filo_gfx2d_register(FiloWorld *world, FiloAssets *assets) {
    if (!FILO_CHECK(world != NULL, "pass the world that is to have sprites")) return false;
    return register_components(world) && filo_remember_register(world) &&
           filo_animate_register(world, assets) && filo_follow_register(world) && filo_place_register(world);
}
