// What light looks like: pictures on OpenGL.
//
// The golden images were drawn by a software driver (llvmpipe) on OpenGL 4.5. Drivers differ in how they interpolate,
// filter and round: a byte may differ by 24, and on average by 1. A wrong shadow, colour or edge is far beyond that on
// average, or in one pixel.

#include "gfx3d/light_support.h"
#include "gfx3d/lit.h"

#include <filo/gfx2d.h>

#define GOLDEN_LARGEST 24
#define GOLDEN_MEAN    1.0

// Compares with golden/<name>.png. If FILO_TEST_GOLDEN is set, writes the file instead; inspect it then.
static void assert_golden(FiloPixels pixels, const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, FILO_TEST_SOURCES "/golden/%s.png", name);
    if (getenv("FILO_TEST_GOLDEN") != NULL) {
        assert_ok(filo_image_save(&pixels, path));
        return;
    }
    FiloPixels golden;
    assert_ok(filo_image_load(&golden, path, NULL));
    FiloPixelsDifference difference = filo_pixels_compare(&pixels, &golden, GOLDEN_LARGEST);
    filo_pixels_free(&golden, NULL);
    // Single pixels at edges may belong to either side.
    if (difference.pixels <= 12 && difference.mean <= GOLDEN_MEAN) return;
    fail_msg("%s: %zu pixels differ by up to %d, the first at %d, %d; on average %.4f", name,
             difference.pixels, difference.largest, difference.x, difference.y, difference.mean);
}

// ---- A scene --------------------------------------------------------------------------------------------------

static FiloName material(Lit *lit, const char *name, float roughness, float metallic) {
    FiloMaterialDesc desc = { .values = { FILO_FLOAT("roughness", roughness),
                                          FILO_FLOAT("metallic", metallic) } };
    assert_ok(filo_gfx3d_add_material(lit->gfx, filo_name(name), &desc));
    return filo_name(name);
}

// Spheres of different roughness on a plane, in front a row of a plastic, behind it of a metal; two pillars.
static void build_scene(Lit *lit) {
    FiloEntity floor =
        add_mesh(lit, "box", filo_vec3(0, -0.5f, 0), filo_vec3(300, 1, 300), filo_color(140, 145, 130, 255));
    filo_edit(lit->world, floor, FiloMesh)->material = material(lit, "floor", 0.9f, 0);
    for (int i = 0; i < 4; i++) {
        char name[32];
        float roughness = 0.1f + 0.28f * (float)i, x = -3.6f + 2.4f * (float)i;
        (void)snprintf(name, sizeof name, "plastic %d", i);
        FiloEntity plastic =
            add_mesh(lit, "sphere", filo_vec3(x, 1, 0), filo_vec3(2, 2, 2), filo_color(190, 70, 50, 255));
        filo_edit(lit->world, plastic, FiloMesh)->material = material(lit, name, roughness, 0);
        (void)snprintf(name, sizeof name, "metal %d", i);
        FiloEntity metal =
            add_mesh(lit, "sphere", filo_vec3(x, 1, -3), filo_vec3(2, 2, 2), filo_color(235, 215, 160, 255));
        filo_edit(lit->world, metal, FiloMesh)->material = material(lit, name, roughness, 1);
    }
    add_mesh(lit, "box", filo_vec3(-5, 2, -7), filo_vec3(1, 5, 1), filo_color(200, 180, 150, 255));
    add_mesh(lit, "box", filo_vec3(6, 2, -12), filo_vec3(1, 5, 1), filo_color(150, 180, 200, 255));
    FiloEntity camera = add_camera(lit, filo_vec3(2.5f, 3.2f, 8), filo_vec3(0, 1.2f, -1));
    filo_edit(lit->world, camera, FiloCamera3)->field_of_view = 0.85f;
}

static FiloVec3 sun_at(float degrees, float around) {
    float height = filo_radians(degrees), turn = filo_radians(around);
    return filo_vec3(filo_cos(height) * filo_sin(turn), filo_sin(height), -filo_cos(height) * filo_cos(turn));
}

static void day(FiloGpuKind kind) {
    Lit lit;
    lit_open(&lit, (LitDesc){ .kind = kind, .gfx = { .shadow_size = 512 } });
    build_scene(&lit);
    FiloEntity sun = add_sun(&lit, sun_at(40, 220), true);
    filo_edit(lit.world, sun, FiloLight)->shadow_distance = 40;
    assert_golden(screenshot(&lit), "light_day");
    lit_close(&lit);
}
FILO_TEST(spheres_in_the_sun_on_gl_45) { day(FILO_GPU_GL45); }
FILO_TEST(spheres_in_the_sun_on_gl_33) { day(FILO_GPU_GL33); }

FILO_TEST(spheres_in_a_misty_evening) {
    Lit lit;
    lit_open(&lit, (LitDesc){ .kind = FILO_GPU_GL45, .gfx = { .shadow_size = 512 } });
    build_scene(&lit);
    add_sun(&lit, sun_at(6, 30), true);
    environment(&lit)->haze = 0.3f;
    environment(&lit)->fog_density = 0.02f;
    environment(&lit)->fog_falloff = 0.2f;
    environment(&lit)->fog_height = 1;
    environment(&lit)->bloom = 0.5f;
    assert_golden(screenshot(&lit), "light_evening");
    lit_close(&lit);
}

static void night(FiloGpuKind kind) {
    Lit lit;
    lit_open(&lit, (LitDesc){ .kind = kind });
    build_scene(&lit);
    add_sun(&lit, sun_at(-12, 30), true);
    static const FiloColor colors[] = { { 255, 120, 60, 255 },
                                        { 80, 140, 255, 255 },
                                        { 120, 255, 120, 255 } };
    for (int i = 0; i < 3; i++) {
        FiloEntity lamp = add_point(&lit, filo_vec3(-3 + 3 * (float)i, 1.2f, 1.8f), 4, 6);
        filo_edit(lit.world, lamp, FiloLight)->color = colors[i];
    }
    FiloQuat down = filo_quat_look(filo_vec3(0.3f, -1, -0.2f), filo_vec3(0, 1, 0));
    filo_create(lit.world, FILO_SET(FiloTransform3, .position = { -2, 7, -4 }, .rotation = down),
                FILO_SET(FiloLight, .kind = FILO_LIGHT_SPOT, .intensity = 40, .range = 30));
    assert_golden(screenshot(&lit), "light_night");
    lit_close(&lit);
}
FILO_TEST(lamps_and_a_spot_by_night_on_gl_45) { night(FILO_GPU_GL45); }
FILO_TEST(lamps_and_a_spot_by_night_on_gl_33) { night(FILO_GPU_GL33); }

// A sky of an image: red on the left (−x), green on the right, blue above, dark below; a little HDR file.
static void write_sky(const char *name) {
    enum { W = 32, H = 16 };
    static uint8_t file[64 + W * H * 4];
    size_t length =
        (size_t)snprintf((char *)file, 64, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", H, W);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            uint8_t *p = file + length + ((size_t)y * W + (size_t)x) * 4;
            bool above = y < 4, below = y >= 8;
            p[0] = above || below ? 8 : x < W / 2 ? 200 : 20;
            p[1] = above || below ? 8 : x < W / 2 ? 20 : 200;
            p[2] = above ? 220 : 20;
            p[3] = 129; // exponent: 200 is 1.56
        }
    assert_ok(filo_file_write(filo_test_path(name), file, length + W * H * 4, NULL));
}

FILO_TEST(spheres_below_an_image_as_sky) {
    Lit lit;
    write_sky("dawn.hdr");
    lit_open(&lit, (LitDesc){ .kind = FILO_GPU_GL45, .assets = true });
    build_scene(&lit);
    environment(&lit)->sky = filo_name("dawn.hdr");
    extract(&lit);
    filo_assets_wait_all(lit.assets);
    assert_golden(screenshot(&lit), "light_image");
    // The pixels of the sky: the camera looks along −z, so −x is on the left.
    FiloColor left = pixel(&lit, 2, 20), right = pixel(&lit, WIDTH - 3, 20);
    assert_true(left.r > left.g + 60 && right.g > right.r + 60);
    // Half a turn exchanges them.
    environment(&lit)->sky_rotation = FILO_PI;
    (void)screenshot(&lit);
    left = pixel(&lit, 2, 20);
    assert_true(left.g > left.r + 60);
    lit_close(&lit);
}

// ---- Parts ----------------------------------------------------------------------------------------------------

// A camera above a plane that looks down; a box casts a shadow to the left of it.
static void open_plane(Lit *lit, FiloGfx3dDesc desc) {
    desc.no_fxaa = true;
    lit_open(lit, (LitDesc){ .kind = FILO_GPU_GL45, .gfx = desc });
    environment(lit)->no_sky = true;
    add_mesh(lit, "box", filo_vec3(0, -0.5f, 0), filo_vec3(60, 1, 60), filo_color(128, 128, 128, 255));
    FiloQuat down = filo_quat_look(filo_vec3(0, -1, 0), filo_vec3(0, 0, -1));
    filo_create(lit->world, FILO_SET(FiloTransform3, .position = { 0, 20, 0 }, .rotation = down),
                FILO_ADD(FiloCamera3));
}

FILO_TEST(what_is_behind_a_box_as_seen_from_the_sun_is_dark) {
    Lit lit;
    open_plane(&lit, (FiloGfx3dDesc){ 0 });
    FiloEntity sun = add_sun(&lit, filo_vec3(1, 1, 0), true);
    add_mesh(&lit, "box", filo_vec3(0, 2, 0), filo_vec3(4, 4, 4), filo_color(128, 128, 128, 255));
    (void)screenshot(&lit);
    // 96 pixels are 23 units: the shadow goes to x = −6.
    int lit_side = brightness(pixel(&lit, WIDTH / 2 + 20, HEIGHT / 2));
    int dark_side = brightness(pixel(&lit, WIDTH / 2 - 17, HEIGHT / 2));
    assert_true(lit_side > dark_side + 60);
    assert_true(brightness(pixel(&lit, WIDTH / 2 - 32, HEIGHT / 2)) > dark_side + 60); // beyond it
    filo_edit(lit.world, sun, FiloLight)->shadows = false;
    (void)screenshot(&lit);
    assert_in_range(brightness(pixel(&lit, WIDTH / 2 - 17, HEIGHT / 2)), lit_side - 10, lit_side + 10);
    lit_close(&lit);
}

// The camera looks at the back of a plane, which is not drawn, and the sun shines on it from behind as well.
FILO_TEST(a_surface_that_the_sun_hits_from_behind_casts_a_shadow) {
    Lit lit;
    open_plane(&lit, (FiloGfx3dDesc){ .shadow_size = 256 });
    add_sun(&lit, filo_vec3(0.01f, 1, 0), true);
    FiloEntity sheet =
        add_mesh(&lit, "plane", filo_vec3(0, 2, 0), filo_vec3(6, 1, 6), filo_color(128, 128, 128, 255));
    filo_edit(lit.world, sheet, FiloTransform3)->rotation =
        filo_quat_from_axis_angle(filo_vec3(1, 0, 0), FILO_PI);
    (void)screenshot(&lit);
    int lit_side = brightness(pixel(&lit, WIDTH / 2 + 30, HEIGHT / 2));
    assert_true(lit_side > brightness(pixel(&lit, WIDTH / 2, HEIGHT / 2)) + 60);
    lit_close(&lit);
}

// A lit plane has no dark spots, at any angle of the sun: a surface does not shadow itself.
FILO_TEST(a_plane_does_not_shadow_itself) {
    Lit lit;
    open_plane(&lit, (FiloGfx3dDesc){ .shadow_size = 256 });
    FiloEntity sun = add_sun(&lit, filo_vec3(0, 1, 0), true);
    FiloRandom random = filo_random_sequence(3);
    for (int i = 0; i < 12; i++) {
        FiloVec3 from = random_direction(&random);
        from.y = filo_abs(from.y) + 0.1f;
        filo_edit(lit.world, sun, FiloTransform3)->rotation =
            filo_quat_look(filo_vec3_negate(from), filo_vec3(0, 1, 0));
        (void)screenshot(&lit);
        int lowest = 255, highest = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                lowest = FILO_MIN(lowest, brightness(pixel(&lit, x, y)));
                highest = FILO_MAX(highest, brightness(pixel(&lit, x, y)));
            }
        if (highest - lowest > 40) fail_msg("from %d to %d, sun %d", lowest, highest, i);
    }
    lit_close(&lit);
}

FILO_TEST(a_point_light_ends_at_its_range) {
    Lit lit;
    open_plane(&lit, (FiloGfx3dDesc){ 0 });
    environment(&lit)->ambient = -1;
    add_point(&lit, filo_vec3(0, 1, 0), 20, 5);
    (void)screenshot(&lit);
    int before = 256;
    for (int x = 0; x < 30; x += 3) {
        int now = brightness(pixel(&lit, WIDTH / 2 + x, HEIGHT / 2));
        assert_true(now <= before + 1);
        before = now;
    }
    assert_true(brightness(pixel(&lit, WIDTH / 2, HEIGHT / 2)) > 150);
    assert_true(brightness(pixel(&lit, WIDTH / 2 + 24, HEIGHT / 2)) <= 1); // 5.8 units away
    lit_close(&lit);
}

FILO_TEST(the_background_has_its_own_colour_whatever_the_exposure) {
    Lit lit;
    lit_open(&lit, (LitDesc){ .kind = FILO_GPU_GL45 });
    environment(&lit)->no_sky = true;
    environment(&lit)->exposure = 3;
    FiloEntity camera = add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    filo_edit(lit.world, camera, FiloCamera3)->background = filo_color(40, 90, 160, 255);
    (void)screenshot(&lit);
    FiloColor found = pixel(&lit, 5, 5);
    assert_in_range(found.r, 39, 41);
    assert_in_range(found.g, 89, 91);
    assert_in_range(found.b, 159, 161);
    assert_int_equal(found.a, 255);
    lit_close(&lit);
}

FILO_TEST(exposure_makes_pictures_brighter_and_bloom_makes_them_glow) {
    Lit lit;
    open_plane(&lit, (FiloGfx3dDesc){ 0 });
    (void)screenshot(&lit);
    int plain = brightness(pixel(&lit, 20, 20));
    environment(&lit)->exposure = 1;
    (void)screenshot(&lit);
    int brighter = brightness(pixel(&lit, 20, 20));
    assert_true(brighter > plain + 15);
    environment(&lit)->exposure = 0;
    environment(&lit)->ambient = -1;
    add_point(&lit, filo_vec3(0, 0.5f, 0), 80, 3);
    (void)screenshot(&lit);
    int beside = brightness(pixel(&lit, WIDTH / 2 + 16, HEIGHT / 2)); // beyond the range
    environment(&lit)->bloom = 1;
    (void)screenshot(&lit);
    assert_true(brightness(pixel(&lit, WIDTH / 2 + 16, HEIGHT / 2)) > beside + 8);
    lit_close(&lit);
}

// Pixels that are neither of the two colours of an edge.
static int between(const Lit *lit) {
    int count = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int value = pixel(lit, x, y).g;
            count += value > 40 && value < 215 ? 1 : 0;
        }
    return count;
}

FILO_TEST(fxaa_smooths_edges) {
    int found[2];
    for (int i = 0; i < 2; i++) {
        Lit lit;
        lit_open(&lit, (LitDesc){ .kind = FILO_GPU_GL45, .gfx = { .no_fxaa = i == 0 } });
        environment(&lit)->no_sky = true;
        FiloMaterialDesc white = { .unlit = true, .values = { FILO_VEC4("color", 50, 50, 50, 1) } };
        assert_ok(filo_gfx3d_add_material(lit.gfx, filo_name("white"), &white));
        FiloEntity box = add_mesh(&lit, "box", filo_vec3(0, 0, 0), filo_vec3(3, 3, 0.1f), FILO_COLOR_WHITE);
        filo_edit(lit.world, box, FiloMesh)->material = filo_name("white");
        filo_edit(lit.world, box, FiloTransform3)->rotation =
            filo_quat_from_axis_angle(filo_vec3(0, 0, 1), 0.3f);
        FiloEntity camera = add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
        filo_edit(lit.world, camera, FiloCamera3)->background = filo_color(0, 0, 0, 255);
        (void)screenshot(&lit);
        assert_true(pixel(&lit, WIDTH / 2, HEIGHT / 2).g > 250);
        found[i] = between(&lit);
        lit_close(&lit);
    }
    assert_true(found[0] < 5);
    assert_true(found[1] > 60);
}

// Far terrain and the sky beside it have one colour in fog.
FILO_TEST(the_horizon_melts_into_the_sky) {
    Lit lit;
    lit_open(&lit, (LitDesc){ .kind = FILO_GPU_GL45, .gfx = { .no_fxaa = true } });
    add_mesh(&lit, "box", filo_vec3(0, -0.5f, 0), filo_vec3(1900, 1, 1900), filo_color(90, 110, 60, 255));
    add_sun(&lit, sun_at(30, 60), false);
    add_camera(&lit, filo_vec3(0, 3, 0), filo_vec3(0, 3, -10));
    int steps[2];
    for (int i = 0; i < 2; i++) {
        environment(&lit)->fog_density = i == 0 ? 0 : 0.006f;
        environment(&lit)->fog_falloff = 0.02f;
        (void)screenshot(&lit);
        int largest = 0;
        for (int y = HEIGHT / 2 - 6; y < HEIGHT / 2; y++) { // to the first row of the plane
            FiloColor a = pixel(&lit, 30, y), b = pixel(&lit, 30, y + 1);
            largest = FILO_MAX(largest, abs(brightness(a) - brightness(b)));
        }
        steps[i] = largest;
    }
    assert_true(steps[0] > 20); // there is a horizon
    if (steps[1] >= 12) fail_msg("a step of %d, without fog of %d", steps[1], steps[0]);
    lit_close(&lit);
}

FILO_TEST(a_depth_pass_does_not_change_the_picture) {
    FiloPixels first = { 0 };
    for (int i = 0; i < 2; i++) {
        Lit lit;
        lit_open(&lit,
                 (LitDesc){ .kind = FILO_GPU_GL45, .gfx = { .depth_prepass = i == 1, .shadow_size = 256 } });
        build_scene(&lit);
        add_sun(&lit, sun_at(40, 220), true);
        FiloPixels now = screenshot(&lit);
        if (i == 0) {
            first = now;
            lit.picture = (FiloPixels){ 0 };
        } else {
            assert_int_equal(filo_pixels_compare(&first, &now, 0).pixels, 0);
        }
        lit_close(&lit);
    }
    filo_pixels_free(&first, NULL);
}

// ---- Targets --------------------------------------------------------------------------------------------------

static FiloColor target_pixel(Lit *lit, FiloTexture texture, int x, int y) {
    FiloRenderTarget target;
    FiloColor color;
    assert_ok(filo_gpu_target_create(&target, lit->gpu, &(FiloRenderTargetDesc){ .color = texture }));
    assert_ok(filo_gpu_read(lit->gpu, target, x, y, &(FiloPixels){ &color, 1, 1, 1 }));
    filo_gpu_target_destroy(lit->gpu, target);
    return color;
}

// A ship in space as a sprite: where nothing is drawn, the target is transparent.
FILO_TEST(a_target_without_a_sky_is_transparent_around_what_is_drawn) {
    Lit lit;
    lit_open(&lit, (LitDesc){ .kind = FILO_GPU_GL45 });
    environment(&lit)->no_sky = true;
    uint32_t target;
    assert_ok(filo_gfx3d_target_create(&target, lit.gfx, filo_name("ship"), 32, 32));
    add_mesh(&lit, "box", filo_vec3(0, 0, 0), filo_vec3(2, 2, 2), FILO_COLOR_WHITE);
    FiloEntity camera = add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    filo_edit(lit.world, camera, FiloCamera3)->target = target;
    assert_false(draw(&lit));
    FiloTexture texture = filo_gfx3d_target_texture(lit.gfx, target);
    FiloColor corner = target_pixel(&lit, texture, 1, 1), middle = target_pixel(&lit, texture, 16, 16);
    assert_int_equal(corner.a, 0);
    assert_int_equal(corner.g, 0);
    assert_int_equal(middle.a, 255);
    assert_true(middle.g > 60);
    lit_close(&lit);
}

// A monitor in the scene shows what another camera sees.
FILO_TEST(a_material_shows_a_target) {
    Lit lit;
    lit_open(&lit, (LitDesc){ .kind = FILO_GPU_GL45 });
    environment(&lit)->no_sky = true;
    uint32_t target;
    assert_ok(filo_gfx3d_target_create(&target, lit.gfx, filo_name("screen"), 16, 16));
    FiloEntity watcher = add_camera(&lit, filo_vec3(500, 0, 0), filo_vec3(500, 0, -1));
    filo_edit(lit.world, watcher, FiloCamera3)->target = target;
    filo_edit(lit.world, watcher, FiloCamera3)->background = filo_color(0, 200, 0, 255);
    FiloMaterialDesc monitor = { .unlit = true,
                                 .textures = { { .name = "color_map", .image = filo_name("screen") } } };
    assert_ok(filo_gfx3d_add_material(lit.gfx, filo_name("monitor"), &monitor));
    FiloEntity box = add_mesh(&lit, "box", filo_vec3(0, 0, 0), filo_vec3(2, 2, 2), FILO_COLOR_WHITE);
    filo_edit(lit.world, box, FiloMesh)->material = filo_name("monitor");
    FiloEntity camera = add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    filo_edit(lit.world, camera, FiloCamera3)->background = filo_color(9, 9, 9, 255);
    (void)draw(&lit);
    (void)screenshot(&lit);
    FiloColor shown = pixel(&lit, WIDTH / 2, HEIGHT / 2);
    assert_true(shown.g > 90 && shown.r < 40 && shown.b < 40);
    lit_close(&lit);
}
