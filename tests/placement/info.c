// What a placement says about its world and its maps.

#include "support/test.h"

#include <filo/placement.h>

FILO_TEST(a_placement_says_where_its_maps_lie_and_whether_they_are_in_memory) {
    static const uint8_t trees[12], corner[1];
    const FiloPlacementDesc desc = {
        .size = { 40, 30, 9 },
        .corner_x = -7,
        .corner_y = 5,
        .lowest = 2.5f,
        .footprints = { { .footprint = 2,
                          .layers = { { .name = "tree",
                                        .density.map = { .data = trees, .width = 4, .height = 3 } },
                                      { .name = "rock",
                                        .density.map = { .data = corner,
                                                         .width = 1,
                                                         .height = 1,
                                                         .full_width = 8,
                                                         .full_height = 6 } } } } }
    };
    FiloPlacement *placement;
    assert_ok(filo_placement_create(&placement, &desc));
    FiloVec3 size = filo_placement_size(placement);
    assert_true(size.x == 40 && size.y == 30 && size.z == 9);
    FiloPlacementPosition from = filo_placement_corner(placement);
    assert_true(from.x == -7 && from.y == 5 && from.z == 2.5);
    FiloPlacementMapInfo tree =
        filo_placement_map_info(placement, filo_placement_map_find(placement, "tree"));
    assert_string_equal(tree.name, "tree");
    assert_true(tree.width == 4 && tree.height == 3 && tree.whole);
    FiloPlacementMapInfo rock =
        filo_placement_map_info(placement, filo_placement_map_find(placement, "rock"));
    assert_true(rock.width == 8 && rock.height == 6 && !rock.whole);
    FiloPlacementMapInfo height =
        filo_placement_map_info(placement, filo_placement_map_find(placement, "height"));
    assert_true(height.width == 0 && height.whole);
    assert_string_equal(filo_placement_map_info(placement, 3).name, "");
    assert_string_equal(filo_placement_map_info(placement, -1).name, "");
    filo_placement_destroy(placement);
    expect_fault("pass the placement", assert_true(filo_placement_size(NULL).x == 0));
    expect_fault("pass the placement", assert_true(filo_placement_corner(NULL).x == 0));
    expect_fault("pass the placement", assert_string_equal(filo_placement_map_info(NULL, 0).name, ""));
}
