// What is said about components of this module where the call that registers them was forgotten.

#include "placement_world/fixture.h"
#include "support/registration.h"

FILO_TEST(a_forgotten_registration_is_reported_with_the_call_to_make) {
    static const FiloTypeFunction types[] = { filo_type_FiloPlacementViewer, filo_type_FiloPlacedObject,
                                              filo_type_FiloPlacedKeep,      filo_type_FiloPlacedAsleep,
                                              filo_type_FiloPlacementEdit,   filo_type_FiloPlacedTile,
                                              filo_type_FiloPlacementState };
    const ModuleTypes module = { .call = "filo_placement_world_create(&placement_world, world, &desc)",
                                 .types = types,
                                 .count = FILO_COUNT_OF(types) };
    expect_call_in_messages(&module);
    Fixture *fixture = fixture_open(0);
    expect_complete(fixture->world, &module);
    fixture_close(fixture);
    expect_warnings_about_components_alone(&module);
}
