// What is said about components of this module where the call that registers them was forgotten.

#include <filo/physics2d.h>
#include <filo/physics2d_mover.h>

#include "support/registration.h"

static bool register_module(FiloWorld *world) { return filo_physics2_register(world); }

FILO_TEST(a_forgotten_registration_is_reported_with_the_call_to_make) {
    static const FiloTypeFunction types[] = { filo_type_FiloBody2,  filo_type_FiloAsleep,
                                              filo_type_FiloShape2, filo_type_FiloJoint2,
                                              filo_type_FiloArea2,  filo_type_FiloPhysics2,
                                              filo_type_FiloMover2 };
    expect_registering_call(&(ModuleTypes){ .call = "filo_physics2_register(world)",
                                            .types = types,
                                            .count = FILO_COUNT_OF(types) },
                            register_module);
}
