// What is said about components of this module where the call that registers them was forgotten.

#include <filo/components3d.h>
#include <filo/figure.h>
#include <filo/gfx3d.h>

#include "support/registration.h"

static bool register_module(FiloWorld *world) { return filo_gfx3d_register(world, NULL); }

FILO_TEST(a_forgotten_registration_is_reported_with_the_call_to_make) {
    static const FiloTypeFunction types[] = {
        filo_type_FiloMesh,        filo_type_FiloCamera3, filo_type_FiloLight,      filo_type_FiloBillboard,
        filo_type_FiloParticles,   filo_type_FiloFlight,  filo_type_FiloOrbit,      filo_type_FiloFollow3,
        filo_type_FiloEnvironment, filo_type_FiloFigure,  filo_type_FiloFigureStep, filo_type_FiloNode,
        filo_type_FiloAttach,      filo_type_FiloSkinned
    };
    expect_registering_call(&(ModuleTypes){ .call = "filo_gfx3d_register(world, assets)",
                                            .types = types,
                                            .count = FILO_COUNT_OF(types) },
                            register_module);
}
