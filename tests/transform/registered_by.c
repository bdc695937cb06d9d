// What is said about components of this module where the call that registers them was forgotten.

#include <filo/transform.h>

#include "support/registration.h"

static bool register_module(FiloWorld *world) { return filo_transform_register(world); }

FILO_TEST(a_forgotten_registration_is_reported_with_the_call_to_make) {
    static const FiloTypeFunction types[] = {
        filo_type_FiloTransform2, filo_type_FiloPreviousTransform2, filo_type_FiloWorldTransform2,
        filo_type_FiloTransform3, filo_type_FiloPreviousTransform3, filo_type_FiloWorldTransform3
    };
    expect_registering_call(&(ModuleTypes){ .call = "filo_transform_register(world)",
                                            .types = types,
                                            .count = FILO_COUNT_OF(types) },
                            register_module);
}
