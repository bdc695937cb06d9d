// What is said about components of this module, and of those that it is made for, where the call that registers them was
// forgotten.

#include "spatial/scene.h"
#include "support/registration.h"

FILO_TEST(a_forgotten_index_is_reported_with_the_call_to_make) {
    static const FiloTypeFunction types[] = { filo_type_FiloSpatialStamp };
    const ModuleTypes module = { .call = "filo_spatial_create(&spatial, world, &desc)",
                                 .types = types,
                                 .count = FILO_COUNT_OF(types) };
    expect_call_in_messages(&module);
    Scene scene = scene_begin(0, 1, false);
    expect_complete(scene.world, &module);
    scene_end(&scene);
    expect_warnings_about_components_alone(&module);
}

typedef struct Buoy {
    float x, y;
} Buoy;
FILO_REFLECT_MODULE(Buoy, "sailing_register(world)", FILO_FIELD(float, x), FILO_FIELD(float, y))

FILO_TEST(an_index_of_an_unregistered_component_names_its_call) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    FiloSpatial *spatial;
    FiloSpatialDesc desc = { .name = "buoys", .position = FILO_SPATIAL(Buoy), .cell_size = 1 };
    expect_exact_fault(
        "buoys: register the component of the position, Buoy, first: call sailing_register(world)",
        assert_int_equal(filo_spatial_create(&spatial, world, &desc).code, FILO_ERROR_ARGUMENT));
    desc.position = (FiloSpatialField)FILO_SPATIAL(Position);
    expect_exact_fault(
        "buoys: register the component of the position, Position, first",
        assert_int_equal(filo_spatial_create(&spatial, world, &desc).code, FILO_ERROR_ARGUMENT));
    filo_world_destroy(world);
}
