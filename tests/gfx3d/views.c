// Cameras become views.

#include "gfx3d/core_fixture.h"

#include "support/warnings.h"

static const Gfx3dView *only_view(const Fixture *f) {
    assert_int_equal(f->gfx->views.count, 1);
    return f->gfx->views.items[0];
}

static void assert_plane_distance(const Gfx3dView *view, FiloVec3 point, float distance) {
    float least = 1e9f;
    for (int i = 0; i < 6; i++) {
        FiloVec4 p = view->planes[i];
        least = fminf(least, p.x * point.x + p.y * point.y + p.z * point.z + p.w);
    }
    assert_true(fabsf(least - distance) < 1e-3f);
}

FILO_TEST(defaults_of_a_camera_are_60_degrees_and_a_tenth_to_1000_units) {
    Fixture f = fixture_begin(ON_NULL, 1);
    filo_create(f.world, FILO_ADD(FiloCamera3));
    frame(&f);
    const Gfx3dView *view = only_view(&f);
    assert_float_equal(view->near, 0.1, 1e-6);
    assert_float_equal(view->far, 1000, 0);
    assert_false(view->orthographic);
    assert_int_equal(view->width, WIDTH);
    assert_int_equal(view->height, HEIGHT);
    // At distance 10 the upper edge is 10 × tan(30°) above the middle.
    assert_plane_distance(view, filo_vec3(0, 10 * 0.57735027f, -10), 0);
    assert_plane_distance(view, filo_vec3(0, 0, -0.1f), 0);
    assert_plane_distance(view, filo_vec3(10 * 0.57735027f * WIDTH / HEIGHT, 0, -10), 0);
    assert_true(fabsf(view->pixels_per_unit - HEIGHT / 2 / 0.57735027f) < 0.01f);
    assert_true(view->forward.z == -1);
    fixture_end(&f);
}

FILO_TEST(an_orthographic_camera_shows_its_height_in_units) {
    Fixture f = fixture_begin(ON_NULL, 1);
    filo_create(f.world, FILO_SET(FiloCamera3, .height = 12, .near = 1, .far = 50));
    frame(&f);
    const Gfx3dView *view = only_view(&f);
    assert_true(view->orthographic);
    assert_plane_distance(view, filo_vec3(0, 6, -10), 0);
    assert_plane_distance(view, filo_vec3(0, 6, -40), 0);
    assert_plane_distance(view, filo_vec3(-6.0f * WIDTH / HEIGHT, 0, -10), 0);
    assert_plane_distance(view, filo_vec3(0, 0, -50), 0);
    assert_float_equal(view->pixels_per_unit, HEIGHT / 12.0, 1e-4);
    fixture_end(&f);
}

FILO_TEST(the_scale_of_a_camera_and_of_its_parents_does_not_count) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloEntity ship = add_at(&f, "box", filo_vec3(10, 0, 0));
    filo_edit(f.world, ship, FiloTransform3)->scale = filo_vec3(3, 3, 3);
    FiloEntity camera = filo_create(f.world, FILO_ADD(FiloCamera3));
    filo_edit(f.world, camera, FiloTransform3)->position = filo_vec3(0, 1, 0);
    filo_edit(f.world, camera, FiloTransform3)->scale = filo_vec3(1, 0.5f, 2);
    filo_entity_set_parent(f.world, camera, ship);
    for (int i = 0; i < 2; i++) { // before and after the tick that adds world transforms
        frame(&f);
        const Gfx3dView *view = only_view(&f);
        assert_true(fabsf(view->eye.x - 10) < 1e-4f && fabsf(view->eye.y - 3) < 1e-4f);
        assert_plane_distance(view, filo_vec3(10, 3, -0.1f), 0);
        tick(&f);
    }
    fixture_end(&f);
}

FILO_TEST(cameras_are_blended_between_ticks) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloEntity camera = add_camera(&f, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    tick(&f);
    filo_edit(f.world, camera, FiloTransform3)->position.x = 4;
    extract_blended(&f, 0.25f);
    assert_float_equal(only_view(&f)->eye.x, 1, 1e-6);
    render(&f);
    filo_teleport(f.world, camera, filo_vec3(8, 0, 5));
    extract_blended(&f, 0.25f);
    assert_float_equal(only_view(&f)->eye.x, 8, 0);
    render(&f);
    fixture_end(&f);
}

FILO_TEST(cameras_are_drawn_by_order_and_targets_before_the_window) {
    Fixture f = fixture_begin(ON_NULL, 1);
    uint32_t target;
    assert_ok(filo_gfx3d_target_create(&target, f.gfx, filo_name("mirror"), 32, 16));
    const struct {
        int16_t order;
        bool to_target;
    } cameras[] = { { 5, false }, { 0, false }, { 9, true }, { -3, false }, { 0, false }, { -1, true } };
    FiloEntity entities[6];
    for (int i = 0; i < 6; i++)
        entities[i] = filo_create(f.world, FILO_SET(FiloCamera3, .order = cameras[i].order,
                                                    .target = cameras[i].to_target ? target : 0));
    frame(&f);
    const int wanted[] = { 5, 2, 3, 1, 4, 0 };
    assert_int_equal(f.gfx->views.count, 6);
    for (int i = 0; i < 6; i++) assert_true(f.gfx->views.items[i]->camera.id == entities[wanted[i]].id);
    assert_int_equal(f.gfx->views.items[0]->width, 32);
    assert_int_equal(f.gfx->views.items[0]->height, 16);
    fixture_end(&f);
}

FILO_TEST(viewports_are_parts_of_the_picture_that_fit_together) {
    Fixture f = fixture_begin(ON_NULL, 1);
    for (int i = 0; i < 3; i++)
        filo_create(f.world, FILO_SET(FiloCamera3, .order = (int16_t)i,
                                      .viewport = { { (float)i / 3, 0 }, { (float)(i + 1) / 3, 0.5f } }));
    frame(&f);
    int x = 0;
    for (size_t i = 0; i < 3; i++) {
        const Gfx3dView *view = f.gfx->views.items[i];
        assert_int_equal(view->x, x);
        assert_int_equal(view->y, 0);
        assert_int_equal(view->height, HEIGHT / 2);
        x += view->width;
    }
    assert_int_equal(x, WIDTH);
    fixture_end(&f);
}

FILO_TEST(cameras_that_show_nothing_are_left_out) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_at(&f, "box", filo_vec3(0, 0, -5));
    filo_create(f.world, FILO_SET(FiloCamera3, .viewport = { { 0, 0 }, { 0.001f, 1 } })); // less than a pixel
    filo_create(f.world, FILO_SET(FiloCamera3, .viewport = { { 2, 2 }, { 3, 3 } }));
    FiloEntity odd = filo_create(f.world, FILO_ADD(FiloCamera3));
    filo_edit(f.world, odd, FiloTransform3)->position.x = (float)NAN;
    FiloEntity inactive = filo_create(f.world, FILO_ADD(FiloCamera3));
    filo_entity_set_active(f.world, inactive, false);
    for (int i = 0; i < 3; i++) {
        extract(&f);
        assert_int_equal(f.gfx->views.count, 0);
        assert_false(filo_gfx3d_render(f.gfx));
        filo_gpu_end_frame(f.gpu);
    }
    filo_entity_set_active(f.world, inactive, true);
    extract(&f);
    assert_int_equal(only_view(&f)->visible, 1);
    assert_true(filo_gfx3d_render(f.gfx));
    filo_gpu_end_frame(f.gpu);
    fixture_end(&f);
}

FILO_TEST(a_camera_with_a_target_that_does_not_exist_is_a_mistake_and_left_out) {
    Fixture f = fixture_begin(ON_NULL, 1);
    filo_create(f.world, FILO_SET(FiloCamera3, .target = 77));
    expect_fault("a camera draws to target 77, which does not exist; make it by filo_gfx3d_target_create",
                 extract(&f));
    assert_int_equal(f.gfx->views.count, 0);
    render(&f);
    fixture_end(&f);
}

FILO_TEST(cameras_that_come_and_go_take_no_more_memory) {
    FiloHeap heap;
    filo_heap_init(&heap, "gfx3d", 0);
    Fixture f = fixture_open((FixtureDesc){ .backend = ON_NULL, .allocator = &heap.allocator });
    add_at(&f, "box", filo_vec3(0, 0, 0));
    FiloEntity cameras[8] = { 0 };
    uint64_t random = 9;
    size_t used = 0;
    for (int i = 0; i < 300; i++) {
        uint32_t n = test_random(&random) % 8;
        if (cameras[n].id != 0) {
            filo_entity_destroy(f.world, cameras[n]);
            cameras[n] = (FiloEntity){ 0 };
        } else {
            cameras[n] = add_camera(&f, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
        }
        frame(&f);
        filo_gpu_null_forget(f.gpu);
        if (i == 150) used = filo_heap_stats(&heap).used;
    }
    assert_true(filo_heap_stats(&heap).used <= used + 65536);
    fixture_end(&f);
    filo_heap_deinit(&heap);
}

// ---- What is probably a mistake -----------------------------------------------------------------------------

// Draws three frames with one camera, and expects one warning.
static void assert_reported(FiloCamera3 camera, const char *warning) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloEntity entity = filo_create(f.world, FILO_ADD(FiloCamera3));
    *filo_edit(f.world, entity, FiloCamera3) = camera;
    char text[256];
    snprintf(text, sizeof text, "camera (entity %u): %s", filo_entity_index(entity), warning);
    expect_warning(text, for (int i = 0; i < 3; i++) frame(&f));
    fixture_end(&f);
}

FILO_TEST(viewports_that_are_empty_or_reach_outside_are_reported_once) {
    assert_reported(
        (FiloCamera3){ .viewport = { { 0.5f, 0 }, { 0.5f, 1 } } },
        "the viewport { { 0.5, 0 }, { 0.5, 1 } } is empty; write { { left, top }, { right, bottom } }, "
        "from 0 to 1");
    assert_reported((FiloCamera3){ .viewport = { { 0, 0 }, { 640, 480 } } },
                    "the viewport { { 0, 0 }, { 640, 480 } } is partly outside of the picture; write");
    assert_reported((FiloCamera3){ .viewport = { { (float)NAN, 0 }, { 1, 1 } } }, "the viewport { {");
}

FILO_TEST(an_empty_viewport_shows_nothing_unless_it_is_all_zeroes) {
    Fixture f = fixture_begin(ON_NULL, 1);
    hush();
    FiloEntity camera = filo_create(f.world, FILO_SET(FiloCamera3, .viewport = { { 0.5f, 0 }, { 0.5f, 1 } }));
    frame(&f);
    assert_int_equal(f.gfx->views.count, 0);
    filo_edit(f.world, camera, FiloCamera3)->viewport = (FiloRect){ 0 };
    frame(&f);
    assert_int_equal(only_view(&f)->width, WIDTH);
    fixture_end(&f);
}

FILO_TEST(angles_in_degrees_and_distances_in_the_wrong_order_are_reported_once) {
    assert_reported((FiloCamera3){ .field_of_view = 60 },
                    "a field of view of 60 is too wide: it is in radians, write filo_radians(60)");
    assert_reported((FiloCamera3){ .near = 5, .far = 2 },
                    "far is 2, but must be larger than near, which is 5");
    assert_reported((FiloCamera3){ .far = (float)NAN }, "far is ");
}

FILO_TEST(a_camera_whose_transform_is_not_finite_is_reported_once) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloEntity camera = filo_create(f.world, FILO_ADD(FiloCamera3));
    filo_edit(f.world, camera, FiloTransform3)->position.y = (float)INFINITY;
    expect_warning("its transform has numbers that are not finite, so it shows nothing",
                   for (int i = 0; i < 3; i++) frame(&f));
    fixture_end(&f);
}

FILO_TEST(sensible_cameras_are_not_reported) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_at(&f, "box", filo_vec3(0, 0, -5));
    filo_create(f.world, FILO_ADD(FiloCamera3));
    filo_create(f.world, FILO_SET(FiloCamera3, .field_of_view = 3, .near = 0.5f, .far = 20));
    filo_create(f.world, FILO_SET(FiloCamera3, .height = 12, .viewport = { { 0.5f, 0 }, { 1.00001f, 1 } }));
    expect_no_warning(for (int i = 0; i < 40; i++) frame(&f));
    fixture_end(&f);
}

FILO_TEST(meshes_without_a_camera_are_reported_once) {
    Fixture f = fixture_begin(ON_NULL, 1);
    expect_no_warning(for (int i = 0; i < 40; i++) frame(&f)); // nothing is there to be drawn
    add_at(&f, "box", filo_vec3(0, 0, -5));
    expect_warning("nothing is drawn in 3D: create an entity with FiloCamera3",
                   for (int i = 0; i < 60; i++) frame(&f));
    fixture_end(&f);
}
