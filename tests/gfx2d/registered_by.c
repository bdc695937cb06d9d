// What is said about components of this module where the call that registers them was forgotten.

#include <filo/gfx2d.h>
#include <filo/sprite.h>

#include "support/registration.h"

static bool register_module(FiloWorld *world) { return filo_gfx2d_register(world, NULL); }

FILO_TEST(a_forgotten_registration_is_reported_with_the_call_to_make) {
    static const FiloTypeFunction types[] = { filo_type_FiloSprite, filo_type_FiloAnimation,
                                              filo_type_FiloCamera };
    expect_registering_call(&(ModuleTypes){ .call = "filo_gfx2d_register(world, assets)",
                                            .types = types,
                                            .count = FILO_COUNT_OF(types) },
                            register_module);
}
