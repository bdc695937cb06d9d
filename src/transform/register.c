// Registering the components and systems in a world.

#include <filo/check.h>

#include "transform/systems.h"

static bool register_components(FiloWorld *world) {
    return filo_component(world, FiloTransform2, .formerly = { "FiloTransform" }).id != 0 &&
           filo_component(world, FiloPreviousTransform2, .transient = true,
                          .formerly = { "FiloPreviousTransform" })
                   .id != 0 &&
           filo_component(world, FiloWorldTransform2, .transient = true, .formerly = { "FiloPlacement" })
                   .id != 0 &&
           filo_component(world, FiloTransform3).id != 0 &&
           filo_component(world, FiloPreviousTransform3, .transient = true).id != 0 &&
           filo_component(world, FiloWorldTransform3, .transient = true).id != 0 &&
           filo_component(world, TransformState, .storage = FILO_STORAGE_GLOBAL, .transient = true).id != 0;
}

bool filo_transform_register(FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass the world that is to have transforms")) return false;
    return register_components(world) && transform_register_previous(world) &&
           transform_register_propagation(world) && filo_component_complete(world, FILO_TYPE(FiloTransform2));
}

FiloComponent transform_component(const FiloWorld *world, const FiloType *type) {
    FiloComponent none = { 0 };
    if (!FILO_CHECK(world != NULL, "pass a world")) return none;
    FiloComponent component = filo_component_of(world, type);
    (void)FILO_CHECK_MADE(component.id != 0, "call filo_transform_register for this world first");
    return component;
}

bool filo_transform_settled(const FiloWorld *world) {
    FiloComponent state = transform_component(world, FILO_TYPE(TransformState));
    if (state.id == 0) return false;
    FiloSeen seen = ((const TransformState *)filo_global_get(world, state))->seen;
    return !filo_component_changed(world, filo_component_of(world, FILO_TYPE(FiloFamily)), seen);
}
