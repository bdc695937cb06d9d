// Lights of the world, and what views are given of them.

#include "gfx3d/lit.h"

#include <math.h>

static void open_null(Lit *lit) { lit_open(lit, (LitDesc){ .kind = FILO_GPU_NULL }); }

#define assert_near(a, b) assert_float_equal((a), (b), 1e-3f)

// ---- Sun ------------------------------------------------------------------------------------------------------

FILO_TEST(without_lights_there_is_light_from_the_sky_alone) {
    Lit lit;
    open_null(&lit);
    add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    const Gfx3dFrameBlock *b = block(&lit);
    assert_true(b->sun_color.x == 0 && b->sun_color.y == 0 && b->sun_color.z == 0);
    assert_int_equal(b->light_count, 0);
    assert_int_equal(b->cascade_count, 0);
    assert_true(gfx3d_ambient(b->ambient, filo_vec3(0, 1, 0)).z > 0.1f);
    lit_close(&lit);
}

FILO_TEST(the_brightest_sun_is_used) {
    Lit lit;
    open_null(&lit);
    environment(&lit)->no_sky = true; // so that its colour is not that of the evening
    add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    add_sun(&lit, filo_vec3(0, 1, 0), false);
    FiloEntity bright = add_sun(&lit, filo_vec3(1, 0, 0), false);
    filo_edit(lit.world, bright, FiloLight)->intensity = 5;
    filo_edit(lit.world, bright, FiloLight)->color = filo_color(255, 0, 255, 255);
    add_sun(&lit, filo_vec3(0, 0, 1), false);
    const Gfx3dFrameBlock *b = block(&lit);
    assert_near(b->sun_direction.x, 1);
    assert_near(b->sun_color.x, 5);
    assert_near(b->sun_color.y, 0);
    assert_near(b->sun_color.z, 5);
    lit_close(&lit);
}

FILO_TEST(a_computed_sky_colours_the_light_of_a_low_sun) {
    Lit lit;
    open_null(&lit);
    add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    FiloEntity sun = add_sun(&lit, filo_vec3(0.2f, 1, 0), false);
    FiloVec3 noon = block(&lit)->sun_color;
    assert_float_equal(noon.x / noon.z, 1, 0.1f);
    filo_edit(lit.world, sun, FiloTransform3)->rotation =
        filo_quat_look(filo_vec3(-1, -0.06f, 0), filo_vec3(0, 1, 0));
    FiloVec3 evening = block(&lit)->sun_color;
    assert_true(evening.x > 2 * evening.z);
    filo_edit(lit.world, sun, FiloTransform3)->rotation =
        filo_quat_look(filo_vec3(-1, 0.2f, 0), filo_vec3(0, 1, 0));
    FiloVec3 night = block(&lit)->sun_color;
    assert_true(night.x < 1e-3f && night.y < 1e-3f);
    lit_close(&lit);
}

// ---- Points and spots -----------------------------------------------------------------------------------------

FILO_TEST(points_and_spots_have_their_values_and_defaults) {
    Lit lit;
    open_null(&lit);
    add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    add_point(&lit, filo_vec3(1, 2, 3), 0, 0);
    FiloQuat down = filo_quat_look(filo_vec3(0, -1, 0), filo_vec3(1, 0, 0));
    filo_create(lit.world, FILO_SET(FiloTransform3, .position = { -1, 0, 0 }, .rotation = down),
                FILO_SET(FiloLight, .kind = FILO_LIGHT_SPOT, .intensity = 2, .range = 4, .inner = 0.2f,
                         .outer = 0.6f, .color = { 0, 255, 0, 255 }));
    const Gfx3dFrameBlock *b = block(&lit);
    assert_int_equal(b->light_count, 2);
    const Gfx3dFrameLight *point = &b->lights[0], *spot = &b->lights[1];
    assert_near(point->position.y, 2);
    assert_near(point->inverse_square_range, 1.0f / 400);
    assert_near(point->color.x, 10);
    // In every direction the cone of a point is 1.
    assert_near(point->spot_scale, 0);
    assert_near(point->spot_offset, 1);
    assert_near(spot->direction.y, -1);
    assert_near(spot->color.x, 0);
    assert_near(spot->color.y, 2);
    assert_near(filo_cos(0.2f) * spot->spot_scale + spot->spot_offset, 1);
    assert_near(filo_cos(0.6f) * spot->spot_scale + spot->spot_offset, 0);
    lit_close(&lit);
}

FILO_TEST(numbers_of_a_light_that_make_no_sense_count_as_defaults) {
    Lit lit;
    open_null(&lit);
    add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    add_point(&lit, filo_vec3(0, 0, 0), -3, -1);
    filo_create(lit.world, FILO_ADD(FiloTransform3),
                FILO_SET(FiloLight, .kind = FILO_LIGHT_SPOT, .inner = 9, .outer = (float)INFINITY,
                         .range = (float)NAN, .intensity = (float)INFINITY));
    const Gfx3dFrameBlock *b = block(&lit);
    assert_int_equal(b->light_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_near(b->lights[i].color.x, 10);
        assert_near(b->lights[i].inverse_square_range, 1.0f / 400);
        assert_true(b->lights[i].spot_scale >= 0 && b->lights[i].spot_scale < 1e6f);
    }
    lit_close(&lit);
}

FILO_TEST(lights_that_do_not_reach_into_the_view_are_left_out) {
    Lit lit;
    open_null(&lit);
    add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    add_point(&lit, filo_vec3(0, 0, 30), 1, 5);  // behind
    add_point(&lit, filo_vec3(0, 0, 8), 1, 5);   // behind, but it reaches
    add_point(&lit, filo_vec3(500, 0, 0), 1, 5); // beside
    add_point(&lit, filo_vec3(0, 0, -9), 1, 5);
    const Gfx3dFrameBlock *b = block(&lit);
    assert_int_equal(b->light_count, 2);
    assert_near(b->lights[0].position.z, 8); // it is nearer
    assert_near(b->lights[1].position.z, -9);
    lit_close(&lit);
}

// 200 lights in a row: the 64 that matter most are those nearest to the camera, and a far but bright one, in this order.
FILO_TEST(the_lights_that_matter_most_are_chosen) {
    Lit lit;
    open_null(&lit);
    add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    for (int i = 0; i < 200; i++) {
        int z = i * 77 % 200; // shuffled
        add_point(&lit, filo_vec3(0, 0, -(float)z), z == 150 ? 1e6f : 1, 1.5f);
    }
    const Gfx3dFrameBlock *b = block(&lit);
    assert_int_equal(b->light_count, GFX3D_LIGHTS);
    assert_near(b->lights[0].position.z, -150);
    for (int i = 1; i < GFX3D_LIGHTS; i++) assert_near(b->lights[i].position.z, -(float)(i - 1));
    assert_int_equal(filo_gfx3d_stats(lit.gfx).lights, 200);
    lit_close(&lit);
}

FILO_TEST(a_light_below_a_parent_and_an_inactive_one) {
    Lit lit;
    open_null(&lit);
    add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    FiloEntity car = filo_create(lit.world, FILO_SET(FiloTransform3, .position = { 3, 0, 0 }));
    FiloEntity lamp = add_point(&lit, filo_vec3(0, 1, 0), 1, 9);
    filo_entity_set_parent(lit.world, lamp, car);
    FiloEntity off = add_point(&lit, filo_vec3(0, 0, 0), 1, 9);
    filo_entity_set_active(lit.world, off, false);
    for (int i = 0; i < 2; i++) { // before and after the first tick
        const Gfx3dFrameBlock *b = block(&lit);
        assert_int_equal(b->light_count, 1);
        assert_near(b->lights[0].position.x, 3);
        assert_near(b->lights[0].position.y, 1);
        assert_ok(filo_world_tick(lit.world, 0.1f));
    }
    // With its parent it is off too.
    filo_entity_set_active(lit.world, car, false);
    assert_int_equal(block(&lit)->light_count, 0);
    lit_close(&lit);
}

// ---- Shadows --------------------------------------------------------------------------------------------------

static size_t cascades_of(const Lit *lit) {
    size_t count = 0;
    filo_array_each (&lit->gfx->views, view) count += (*view)->shadow ? 1 : 0;
    return count;
}

FILO_TEST(a_sun_with_shadows_adds_cascades_to_each_camera) {
    Lit lit;
    lit_open(&lit, (LitDesc){ .kind = FILO_GPU_NULL, .gfx = { .shadow_cascades = 4, .shadow_size = 256 } });
    add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    FiloEntity sun = add_sun(&lit, filo_vec3(1, 1, 0), false);
    assert_int_equal(block(&lit)->cascade_count, 0);
    assert_int_equal(cascades_of(&lit), 0);
    filo_edit(lit.world, sun, FiloLight)->shadows = true;
    filo_edit(lit.world, sun, FiloLight)->shadow_distance = 40;
    const Gfx3dFrameBlock *b = block(&lit);
    assert_int_equal(b->cascade_count, 4);
    assert_near(b->shadow_fade, 40);
    assert_near(b->shadow_texel, 1.0f / 256);
    assert_true(b->cascade_ends.x < b->cascade_ends.y && b->cascade_ends.y < b->cascade_ends.z &&
                b->cascade_ends.z < 40);
    assert_int_equal(cascades_of(&lit), 4);
    const Gfx3dFrameBlock *shadow = block_of(&lit, view_of(&lit, true));
    assert_int_equal(shadow->shadow_pass, 1);
    assert_near(shadow->eye.z, 5); // that of the camera, for levels of detail
    assert_memory_equal(&shadow->view_projection, &view_of(&lit, true)->view_projection, sizeof(FiloMat4));
    add_camera(&lit, filo_vec3(0, 0, -5), filo_vec3(0, 0, 0));
    (void)block(&lit);
    assert_int_equal(cascades_of(&lit), 8);
    lit_close(&lit);
}

// A caster that the camera does not see, but whose shadow falls into its view.
FILO_TEST(casters_outside_of_the_view_are_drawn_into_cascades) {
    Lit lit;
    open_null(&lit);
    FiloEntity camera = add_camera(&lit, filo_vec3(0, 1, 0), filo_vec3(0, 1, -10));
    filo_edit(lit.world, camera, FiloCamera3)->field_of_view = 0.5f;
    add_sun(&lit, filo_vec3(0, 1, 0.02f), true);
    add_mesh(&lit, "box", filo_vec3(0, 40, -10), filo_vec3(1, 1, 1), FILO_COLOR_WHITE); // above
    add_mesh(&lit, "box", filo_vec3(200, 0, -10), filo_vec3(1, 1, 1),
             FILO_COLOR_WHITE); // beside: no shadow here
    extract(&lit);
    assert_int_equal(view_of(&lit, false)->visible, 0);
    size_t casters = 0;
    filo_array_each (&lit.gfx->views, view)
        if ((*view)->shadow) casters += (*view)->visible;
    assert_true(casters >= 1 && casters <= 3); // once for each cascade
    lit_close(&lit);
}

// ---- Environment ----------------------------------------------------------------------------------------------

FILO_TEST(fog_has_the_colour_of_the_horizon_or_its_own) {
    Lit lit;
    open_null(&lit);
    add_camera(&lit, filo_vec3(0, 10, 5), filo_vec3(0, 10, 0));
    environment(&lit)->fog_density = 0.01f;
    environment(&lit)->fog_falloff = 0.5f;
    environment(&lit)->fog_height = 4;
    const Gfx3dFrameBlock *b = block(&lit);
    assert_near(b->fog_density, 0.01f);
    assert_true(b->fog_color.x > 0.1f && b->fog_color.z > b->fog_color.x * 0.8f);
    assert_true(b->fog_glow.x >= 0);
    // From 4 to 10 the density falls by e for each 2 units: the integral is 2 (1 − e^−3).
    assert_near(b->fog_eye, 2 * (1 - 0.0497871f));
    environment(&lit)->fog_color = filo_color(255, 0, 0, 255);
    b = block(&lit);
    assert_near(b->fog_color.x, 1);
    assert_near(b->fog_color.y, 0);
    assert_near(b->fog_glow.x, 0);
    lit_close(&lit);
}

FILO_TEST(ambient_light_is_scaled_replaced_or_none) {
    Lit lit;
    open_null(&lit);
    add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    FiloVec3 up = { 0, 1, 0 }, one = gfx3d_ambient(block(&lit)->ambient, up);
    environment(&lit)->ambient = 2;
    assert_near(gfx3d_ambient(block(&lit)->ambient, up).y, 2 * one.y);
    environment(&lit)->ambient_color = filo_color(0, 0, 255, 255);
    FiloVec3 blue = gfx3d_ambient(block(&lit)->ambient, up),
             below = gfx3d_ambient(block(&lit)->ambient, filo_vec3(0, -1, 0));
    assert_near(blue.z, 2);
    assert_near(blue.x, 0);
    assert_near(below.z, 2); // from everywhere
    environment(&lit)->ambient = -1;
    const Gfx3dFrameBlock *b = block(&lit);
    assert_near(gfx3d_ambient(b->ambient, up).z, 0);
    assert_near(b->sky_light, 0);
    lit_close(&lit);
}

FILO_TEST(exposure_of_camera_and_environment_are_added_in_stops) {
    Lit lit;
    open_null(&lit);
    FiloEntity camera = add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    float plain = block(&lit)->exposure;
    filo_edit(lit.world, camera, FiloCamera3)->exposure = 2;
    environment(&lit)->exposure = -1;
    assert_near(block(&lit)->exposure, 2 * plain);
    lit_close(&lit);
}

// The sky is computed again when the sun moves: its first layer at once, one blurred layer in each frame after it.
FILO_TEST(a_sky_that_changes_is_blurred_in_the_frames_after) {
    Lit lit;
    open_null(&lit);
    add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    FiloEntity sun = add_sun(&lit, filo_vec3(0.3f, 1, 0), false);
    (void)block(&lit);
    const Gfx3dSky *sky = lit.gfx->lights->sky;
    assert_int_equal(sky->next_layer, GFX3D_SKY_LAYERS); // the first one is complete at once
    FiloVec4 before = sky->ambient[0];
    (void)block(&lit);
    assert_memory_equal(&before, &sky->ambient[0], sizeof before);
    filo_edit(lit.world, sun, FiloTransform3)->rotation =
        filo_quat_look(filo_vec3(-1, -0.3f, 0), filo_vec3(0, 1, 0));
    for (int layer = 1; layer <= GFX3D_SKY_LAYERS; layer++) {
        (void)block(&lit);
        assert_int_equal(sky->next_layer, layer);
        assert_true(sky->ambient[0].x != before.x); // light of the new sky at once
    }
    (void)block(&lit);
    assert_int_equal(sky->next_layer, GFX3D_SKY_LAYERS);
    // A step that is not visible changes nothing.
    filo_edit(lit.world, sun, FiloTransform3)->rotation =
        filo_quat_look(filo_vec3(-1, -0.301f, 0), filo_vec3(0, 1, 0));
    (void)block(&lit);
    assert_int_equal(sky->next_layer, GFX3D_SKY_LAYERS);
    lit_close(&lit);
}
