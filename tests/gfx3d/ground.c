// Terrain: heights, rays, writing, drawing.

#include "gfx3d/ground/ground.h"
#include "gfx3d/core_fixture.h"
#include "support/asset_files.h"

#include <filo/time.h>

#include <float.h>
#include <stdlib.h>

#define SIDE 129 // values along a side of most grounds

static uint64_t dice;

static float any(float low, float high) { return random_float(&dice, low, high); }
static FiloVec3 any3(float x0, float x1, float y0, float y1, float z0, float z1) {
    float x = any(x0, x1), y = any(y0, y1);
    return filo_vec3(x, y, any(z0, z1));
}

// Hills with some noise on them. The caller frees them.
static uint16_t *hills(uint32_t columns, uint32_t rows) {
    uint16_t *heights = malloc((size_t)columns * rows * sizeof *heights);
    assert_non_null(heights);
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            float height =
                0.5f + 0.3f * filo_sin(0.11f * (float)x) * filo_cos(0.07f * (float)y) + any(0, 0.08f);
            heights[(size_t)y * columns + x] = (uint16_t)(height * 60000);
        }
    return heights;
}

static FiloGround add_ground(Fixture *f, const FiloGroundDesc *desc) {
    FiloGround ground;
    assert_ok(filo_gfx3d_ground_create(&ground, f->gfx, desc));
    assert_true(ground.id != 0);
    return ground;
}

// ---- Heights and rays ---------------------------------------------------------------------------------------------

FILO_TEST(heights_between_values_are_those_of_the_triangles) {
    Fixture f = fixture_begin(ON_NULL, 1);
    // One cell: 0 and 10 in the first row, 20 and 60 in the second.
    const uint16_t heights[4] = { 0, 10000, 20000, 60000 };
    for (int flip = 0; flip < 2; flip++) {
        FiloGround ground = add_ground(&f, &(FiloGroundDesc){ .heights = heights,
                                                              .columns = 2,
                                                              .rows = 2,
                                                              .spacing = 4,
                                                              .height = 65.535f,
                                                              .position = { 100, 5, 200 },
                                                              .flip_z = flip == 1 });
        float sign = flip == 1 ? -1.0f : 1.0f, height;
        FiloVec3 normal;
        assert_true(filo_gfx3d_ground_height(f.gfx, ground, 102, 200, &height, NULL));
        assert_float_equal(height, 10, 1e-3f); // halfway along the first row
        assert_true(filo_gfx3d_ground_height(f.gfx, ground, 102, 200 + 2 * sign, &height, NULL));
        assert_float_equal(height, 35, 1e-3f); // on the diagonal
        assert_true(filo_gfx3d_ground_height(f.gfx, ground, 103, 200 + sign, &height, &normal));
        assert_float_equal(height, 5 + 10 * 0.75f + 50 * 0.25f, 1e-3f); // 0, 10 and 60
        FiloVec3 expected = filo_vec3_normalise(filo_vec3(-2.5f, 1, -12.5f * sign));
        assert_true(filo_vec3_distance(normal, expected) < 1e-4f);
        assert_true(filo_gfx3d_ground_height(f.gfx, ground, 101, 200 + 3 * sign, &height, &normal));
        assert_float_equal(height, 5 + 20 * 0.75f + 40 * 0.25f, 1e-3f); // 0, 20 and 60
        assert_true(filo_gfx3d_ground_height(f.gfx, ground, 104, 200 + 4 * sign, &height, NULL));
        assert_float_equal(height, 65, 1e-3f);
        assert_false(filo_gfx3d_ground_height(f.gfx, ground, 99.9f, 200, &height, NULL));
        assert_false(filo_gfx3d_ground_height(f.gfx, ground, 102, 200 - 0.1f * sign, &height, NULL));
        assert_false(filo_gfx3d_ground_height(f.gfx, ground, NAN, 200, &height, NULL));
        filo_gfx3d_ground_destroy(f.gfx, ground);
    }
    fixture_end(&f);
}

// The nearest of all triangles.
static bool slow_ray(const Gfx3dGroundTree *tree, FiloRay3 ray, float limit, FiloRayHit *hit) {
    bool found = false;
    for (uint32_t row = 0; row + 1 < tree->rows; row++)
        for (uint32_t column = 0; column + 1 < tree->columns; column++) {
            FiloVec3 p00 = gfx3d_ground_point(tree, column, row),
                     p10 = gfx3d_ground_point(tree, column + 1, row);
            FiloVec3 p01 = gfx3d_ground_point(tree, column, row + 1),
                     p11 = gfx3d_ground_point(tree, column + 1, row + 1);
            const FiloVec3 triangles[2][3] = { { p00, p01, p11 }, { p00, p11, p10 } };
            for (int i = 0; i < 2; i++) {
                FiloRayHit candidate;
                if (!filo_ray_triangle(ray, triangles[i], limit, &candidate)) continue;
                *hit = candidate;
                limit = candidate.distance;
                found = true;
            }
        }
    return found;
}

FILO_TEST(rays_hit_what_a_search_of_all_triangles_hits) {
    dice = 11;
    Fixture f = fixture_begin(ON_NULL, 1);
    uint16_t *heights = hills(70, 45);
    int hits = 0;
    for (int flip = 0; flip < 2; flip++) {
        FiloGround ground =
            add_ground(&f, &(FiloGroundDesc){ .heights = heights,
                                              .columns = 70,
                                              .rows = 45,
                                              .spacing = 1.5f,
                                              .height = 30,
                                              .position = { -20, 0, flip == 1 ? 30.0f : -30.0f },
                                              .flip_z = flip == 1 });
        const Gfx3dGroundTree *tree = &gfx3d_ground_at(f.gfx, ground, "test")->tree;
        for (int i = 0; i < 500; i++) {
            FiloRay3 ray = { .origin = any3(-30, 100, 0, 60, -50, 50) };
            ray.direction = any3(-1, 1, -1, 0.3f, -1, 1);
            if (i % 5 == 0) ray.direction.x = 0;
            if (i % 7 == 0) ray.direction.z = 0;
            if (i % 35 == 0) ray.direction.y = -1;
            float limit = i % 3 == 0 ? any(5, 60) : FLT_MAX;
            FiloRayHit fast, slow = { 0 };
            bool found = filo_gfx3d_ground_ray(f.gfx, ground, ray, limit, &fast);
            assert_int_equal(found, slow_ray(tree, ray, limit, &slow));
            if (!found) continue;
            hits++;
            assert_float_equal(fast.distance, slow.distance, 1e-4f * (1 + slow.distance));
            assert_true(fast.triangle < 2 * 69 * 44);
            assert_true(fast.normal.y > 0);
        }
        filo_gfx3d_ground_destroy(f.gfx, ground);
    }
    assert_true(hits > 200);
    free(heights);
    fixture_end(&f);
}

// ---- Writing --------------------------------------------------------------------------------------------------------

FILO_TEST(heights_that_are_written_are_queried_and_drawn) {
    dice = 12;
    Fixture f = fixture_begin(ON_NULL, 2);
    uint16_t *heights = hills(SIDE, SIDE);
    FiloGround ground = add_ground(
        &f, &(FiloGroundDesc){ .heights = heights, .columns = SIDE, .rows = SIDE, .height = 65.535f });
    const uint16_t bump[6] = { 50000, 51000, 7, 52000, 53000, 8 };
    assert_ok(filo_gfx3d_ground_set_heights(f.gfx, ground, 20, 30, 2, 2, bump, 3));
    float height;
    assert_true(filo_gfx3d_ground_height(f.gfx, ground, 21, 31, &height, NULL));
    assert_float_equal(height, 53, 1e-3f);
    FiloRayHit hit;
    FiloRay3 down = { { 20, 100, 30 }, { 0, -1, 0 } };
    assert_true(filo_gfx3d_ground_ray(f.gfx, ground, down, 1000, &hit));
    assert_float_equal(hit.distance, 50, 1e-3f);
    const Gfx3dGround *inside = gfx3d_ground_at(f.gfx, ground, "test");
    const uint16_t *texels = filo_gpu_null_texture_data(f.gpu, inside->height_texture, 0);
    assert_int_equal(texels[31 * SIDE + 21], 53000);
    assert_int_equal(texels[31 * SIDE + 22], heights[31 * SIDE + 22]);
    // The normals around it are those that a new ground would have.
    uint16_t *expected = malloc(SIDE * SIDE * GFX3D_GROUND_TEXEL);
    gfx3d_ground_shape(&inside->tree, NULL, 0, 0, SIDE, SIDE, expected);
    assert_memory_equal(filo_gpu_null_texture_data(f.gpu, inside->shape_texture, 0), expected,
                        SIDE * SIDE * GFX3D_GROUND_TEXEL);
    free(expected);
    free(heights);
    fixture_end(&f);
}

FILO_TEST(weights_that_are_written_are_drawn) {
    Fixture f = fixture_begin(ON_NULL, 1);
    const uint16_t heights[9] = { 0 };
    const uint8_t weights[4 * 4 * 4] = { 0 }, written[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    FiloGroundDesc desc = {
        .heights = heights, .columns = 3, .rows = 3, .weights = weights, .weight_columns = 4, .weight_rows = 4
    };
    FiloGround ground = add_ground(&f, &desc);
    assert_ok(filo_gfx3d_ground_set_weights(f.gfx, ground, 1, 2, 2, 1, written));
    const uint8_t *texels =
        filo_gpu_null_texture_data(f.gpu, gfx3d_ground_at(f.gfx, ground, "test")->weight_texture, 0);
    assert_memory_equal(texels + 4 * (2 * 4 + 1), written, 8);
    assert_int_equal(texels[4 * (2 * 4 + 3)], 0);
    fixture_end(&f);
}

// ---- Frames ---------------------------------------------------------------------------------------------------------

static size_t count_draws(const Fixture *f, const char *end) {
    size_t count = 0;
    for (size_t i = 0; i < filo_gpu_null_call_count(f->gpu); i++) {
        const char *call = filo_gpu_null_call(f->gpu, i);
        size_t length = strlen(call);
        count += strstr(call, "draw") == call && length >= strlen(end) &&
                 strcmp(call + length - strlen(end), end) == 0;
    }
    return count;
}

FILO_TEST(a_view_draws_all_squares_by_one_call) {
    dice = 13;
    Fixture f = fixture_begin(ON_NULL, 1);
    uint16_t *heights = hills(SIDE, SIDE);
    FiloGround ground =
        add_ground(&f, &(FiloGroundDesc){ .heights = heights, .columns = SIDE, .rows = SIDE, .height = 20 });
    add_camera(&f, filo_vec3(64, 30, 140), filo_vec3(64, 5, 64));
    extract(&f);
    filo_gpu_null_forget(f.gpu);
    render(&f);
    FiloGroundStats drawn = filo_gfx3d_ground_stats(f.gfx, ground);
    assert_true(drawn.squares > 8);
    assert_int_equal(drawn.triangles, (uint64_t)drawn.squares * GFX3D_GROUND_QUADS * GFX3D_GROUND_QUADS * 2);
    char instances[32];
    snprintf(instances, sizeof instances, "x %u", drawn.squares);
    assert_int_equal(count_draws(&f, instances), 1);
    free(heights);
    fixture_end(&f);
}

FILO_TEST(a_steady_frame_allocates_nothing) {
    dice = 14;
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    Fixture f = fixture_open((FixtureDesc){ .backend = ON_NULL, .allocator = &failing.allocator });
    uint16_t *heights = hills(SIDE, SIDE);
    (void)add_ground(&f,
                     &(FiloGroundDesc){ .heights = heights, .columns = SIDE, .rows = SIDE, .height = 20 });
    FiloEntity camera = add_camera(&f, filo_vec3(64, 30, 140), filo_vec3(64, 5, 64));
    filo_create(f.world, FILO_SET(FiloLight, .shadows = true));
    for (int i = 0; i < 8; i++) frame(&f);
    size_t calls = failing.calls;
    for (int i = 0; i < 8; i++) {
        filo_edit(f.world, camera, FiloTransform3)->position.z -= 2;
        frame(&f);
    }
    assert_int_equal(failing.calls, calls);
    free(heights);
    fixture_end(&f);
    assert_int_equal(failing.blocks, 0);
}

FILO_TEST(no_memory_leaves_no_ground_and_no_leak) {
    const uint16_t heights[40 * 40] = { 0 };
    const uint8_t weights[4] = { 255, 255, 255, 255 };
    bool more = true;
    hush();
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        Fixture f = fixture_open((FixtureDesc){ .backend = ON_NULL, .allocator = &failing.allocator });
        failing.calls = 0, failing.fail_at = fail_at;
        FiloGround ground;
        FiloResult r = filo_gfx3d_ground_create(&ground, f.gfx,
                                                &(FiloGroundDesc){ .heights = heights,
                                                                   .columns = 40,
                                                                   .rows = 40,
                                                                   .weights = weights,
                                                                   .weight_columns = 1,
                                                                   .weight_rows = 1,
                                                                   .shader = "x\n" });
        assert_int_equal(r.code == FILO_OK, ground.id != 0);
        more = failing.calls > fail_at;
        if (more) assert_int_equal(r.code, FILO_ERROR_MEMORY);
        fixture_end(&f);
        assert_int_equal(failing.blocks, 0);
    }
}

// ---- Misuse ---------------------------------------------------------------------------------------------------------

FILO_TEST(mistakes_are_named) {
    Fixture f = fixture_begin(ON_NULL, 1);
    const uint16_t heights[9] = { 0 };
    FiloGroundDesc desc = { .heights = heights, .columns = 3, .rows = 3 };
    FiloGround ground = add_ground(&f, &desc), none;
    expect_mistake("a ground needs heights, of 2 columns and 2 rows at least",
                   filo_gfx3d_ground_create(
                       &none, f.gfx, &(FiloGroundDesc){ .heights = heights, .columns = 1, .rows = 9 }));
    expect_mistake(
        "a row of heights is longer than its stride",
        filo_gfx3d_ground_create(
            &none, f.gfx, &(FiloGroundDesc){ .heights = heights, .columns = 3, .rows = 3, .stride = 2 }));
    expect_mistake("a painted layer needs weights",
                   filo_gfx3d_ground_create(
                       &none, f.gfx,
                       &(FiloGroundDesc){
                           .heights = heights, .columns = 3, .rows = 3, .layers = { { .painted = true } } }));
    expect_mistake("2 × 2 heights at (2, 0) are not inside of a ground of 3 × 3",
                   filo_gfx3d_ground_set_heights(f.gfx, ground, 2, 0, 2, 2, heights, 0));
    expect_mistake("1 × 1 weights at (0, 0) are not inside of those of this ground, 0 × 0",
                   filo_gfx3d_ground_set_weights(f.gfx, ground, 0, 0, 1, 1, (const uint8_t[4]){ 0 }));
    filo_gfx3d_ground_destroy(f.gfx, ground);
    expect_fault("filo_gfx3d_ground_destroy: this ground has been destroyed, or never was",
                 filo_gfx3d_ground_destroy(f.gfx, ground));
    FiloGround other = add_ground(&f, &desc); // in the same slot
    float height;
    expect_fault("filo_gfx3d_ground_height: this ground has been destroyed, or never was",
                 assert_false(filo_gfx3d_ground_height(f.gfx, ground, 1, 1, &height, NULL)));
    assert_true(filo_gfx3d_ground_height(f.gfx, other, 1, 1, &height, NULL));
    fixture_end(&f);
}

FILO_TEST(more_heights_than_a_texture_has_are_refused) {
    Fixture f = fixture_begin(ON_NULL, 1);
    uint32_t columns = (uint32_t)filo_gpu_limits(f.gpu)->texture_size + 1;
    uint16_t *heights = calloc(columns, 2 * sizeof *heights);
    FiloGround ground;
    FiloResult r = filo_gfx3d_ground_create(
        &ground, f.gfx, &(FiloGroundDesc){ .heights = heights, .columns = columns, .rows = 2 });
    assert_int_equal(r.code, FILO_ERROR_LIMIT);
    assert_non_null(strstr(r.message, "is more than this device can do"));
    free(heights);
    fixture_end(&f);
}

// ---- Pictures -------------------------------------------------------------------------------------------------------

static FiloColor pixel(const FiloPixels *pixels, int x, int y) { return *filo_pixels_at(pixels, x, y); }

// A camera without sky, before a loud background.
static FiloEntity loud_camera(Fixture *f, FiloVec3 position, FiloVec3 target) {
    FiloEntity camera = add_camera(f, position, target);
    filo_edit(f->world, camera, FiloCamera3)->background = filo_color(255, 0, 255, 255);
    filo_edit_global(f->world, FiloEnvironment)->no_sky = true;
    return camera;
}

static void check_cracks(Backend backend) {
    dice = 15;
    Fixture f = fixture_begin(backend, 1);
    enum { LARGE = 700 };
    uint16_t *heights = malloc(LARGE * LARGE * sizeof *heights);
    assert_non_null(heights);
    for (int i = 0; i < LARGE * LARGE; i++) heights[i] = (uint16_t)any(0, 65535);
    const char *green =
        "//! fragment\nvoid surface(inout FiloSurface s) { s.color.rgb = vec3(0.0); s.roughness = 1.0;\n"
        "s.emissive = vec3(0.0, 1.0, 0.0); }\n";
    FiloGround ground = add_ground(
        &f, &(FiloGroundDesc){
                .heights = heights, .columns = LARGE, .rows = LARGE, .height = 3, .shader = green });
    FiloEntity camera = loud_camera(&f, filo_vec3(0, 0, 0), filo_vec3(0, -1, -1));
    uint32_t squares = 0;
    for (int i = 0; i < 12; i++) {
        FiloVec3 at = any3(330, 370, 8, 60, 330, 370);
        float angle = any(0, FILO_TAU);
        FiloVec3 along = filo_vec3(filo_cos(angle), -1.3f, filo_sin(angle)); // the border is not in sight
        FiloTransform3 *transform = filo_edit(f.world, camera, FiloTransform3);
        transform->position = at;
        transform->rotation = filo_quat_look(along, filo_vec3(0, 1, 0));
        FiloPixels picture = screenshot(&f);
        squares += filo_gfx3d_ground_stats(f.gfx, ground).squares;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                FiloColor color = pixel(&picture, x, y);
                if (color.r > 100 || color.b > 90 || color.g < 100)
                    fail_msg("picture %d has %d %d %d at %d, %d", i, color.r, color.g, color.b, x, y);
            }
        filo_pixels_free(&picture, NULL);
    }
    assert_true(squares > 12 * 8);
    free(heights);
    fixture_end(&f);
}

FILO_TEST(nothing_is_seen_through_the_ground_on_gl45) { check_cracks(ON_GL45); }
FILO_TEST(nothing_is_seen_through_the_ground_on_gl33) { check_cracks(ON_GL33); }

// Looks down at a ground of 64 × 64 units, so that each pixel of the picture's height is 2/3 of a unit.
static FiloPixels picture_of(Fixture *f, const FiloGroundDesc *desc) {
    FiloGround ground = add_ground(f, desc);
    FiloEntity camera = loud_camera(f, filo_vec3(32, 300, 32), filo_vec3(32, 0, 32));
    filo_edit(f->world, camera, FiloCamera3)->height = 64;
    filo_edit_global(f->world, FiloEnvironment)->ambient_color = filo_color(255, 255, 255, 255);
    FiloPixels picture = screenshot(f);
    filo_destroy(f->world, camera);
    filo_gfx3d_ground_destroy(f->gfx, ground);
    return picture;
}

static void assert_kind(const FiloPixels *picture, int x, int y, const char *kind) {
    FiloColor c = pixel(picture, x, y);
    const char *found = c.r > 90 && c.b > 90             ? "background"
                        : c.r > 2 * c.g && c.r > 2 * c.b ? "red"
                        : c.g > 2 * c.r && c.g > 2 * c.b ? "green"
                        : c.b > 2 * c.r && c.b > 2 * c.g ? "blue"
                                                         : "mixed";
    if (strcmp(found, kind) != 0)
        fail_msg("%d %d %d at %d, %d is %s, not %s", c.r, c.g, c.b, x, y, found, kind);
}

#define RED                                                                                                  \
    { 200, 0, 0, 255 }
#define GREEN                                                                                                \
    { 0, 200, 0, 255 }
#define BLUE                                                                                                 \
    { 0, 0, 200, 255 }

FILO_TEST(layers_are_where_height_slope_and_paint_say) {
    Fixture f = fixture_begin(ON_GL45, 1);
    uint16_t heights[65 * 65];
    uint8_t weights[4 * 64] = { 0 };
    // Low on the left, a cliff in the middle, high on the right. The lower half is painted.
    for (int i = 0; i < 65 * 65; i++) {
        int x = i % 65;
        heights[i] = (uint16_t)(x < 28 ? 0 : x > 36 ? 60000 : 60000 * (x - 28) / 8);
    }
    for (int i = 0; i < 64; i++) weights[4 * i] = i < 32 ? 0 : 255;
    FiloGroundDesc desc = {
        .heights = heights,
        .columns = 65,
        .rows = 65,
        .height = 40,
        .layers = { { .color = RED, .height = { -10, 10 }, .blend = 1, .slope = { -1, 0.5f } },
                    { .color = GREEN, .slope = { 1.5f, 100 } },
                    { .color = BLUE, .height = { 30, 100 }, .blend = 1, .slope = { -1, 0.5f } } }
    };
    FiloPixels picture = picture_of(&f, &desc);
    assert_kind(&picture, 2, 48, "background"); // beside the ground
    assert_kind(&picture, 30, 48, "red");
    assert_kind(&picture, 64, 48, "green");
    assert_kind(&picture, 98, 48, "blue");
    filo_pixels_free(&picture, NULL);
    desc = (FiloGroundDesc){ .heights = heights,
                             .columns = 65,
                             .rows = 65,
                             .height = 0.1f,
                             .weights = weights,
                             .weight_columns = 1,
                             .weight_rows = 64,
                             .layers = { { .color = RED }, { .color = BLUE, .painted = true } } };
    picture = picture_of(&f, &desc);
    assert_kind(&picture, 64, 16, "red");
    assert_kind(&picture, 64, 80, "blue");
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

// A slope that grows evenly from 0.2 to 0.6 along x: the border of a layer by slope wanders, but has no teeth. (With normals
// of bytes, rows go back by 2,200 altogether.)
FILO_TEST(the_border_of_a_layer_by_slope_is_smooth) {
    Fixture f = fixture_begin(ON_GL45, 1);
    uint16_t heights[65 * 65];
    for (int i = 0; i < 65 * 65; i++) {
        float x = (float)(i % 65);
        heights[i] = (uint16_t)((0.2f * x + 0.2f / 64 * x * x) / 40 * 65535);
    }
    FiloPixels picture = picture_of(
        &f, &(FiloGroundDesc){ .heights = heights,
                               .columns = 65,
                               .rows = 65,
                               .height = 40,
                               .layers = { { .color = RED }, { .color = GREEN, .slope = { 0.4f, 10 } } } });
    int back = 0; // towards red again, from pixel to pixel
    for (int y = 4; y < HEIGHT - 4; y++) {
        assert_kind(&picture, 20, y, "red");
        assert_kind(&picture, 108, y, "green");
        for (int x = 20; x < 108; x++) {
            FiloColor a = pixel(&picture, x, y), b = pixel(&picture, x + 1, y);
            int step = (b.r - b.g) - (a.r - a.g);
            back += step > 3 ? step : 0; // tone mapping adds a little noise
        }
    }
    if (back > 1000) fail_msg("the rows of the picture go back by %d", back);
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

// ---- Shaders ------------------------------------------------------------------------------------------------------

static bool is_magenta(FiloColor c) { return c.r > 150 && c.b > 150 && c.g < 60; }

FILO_TEST(a_ground_with_a_broken_shader_is_magenta_and_black) {
    Fixture f = fixture_begin(ON_GL45, 1);
    const uint16_t heights[65 * 65] = { 0 };
    FiloGroundDesc desc = { .heights = heights,
                            .columns = 65,
                            .rows = 65,
                            .shader = "//! fragment\nvoid surface(inout FiloSurface s) { s.colour = 1; }\n" };
    hush();
    FiloPixels picture = picture_of(&f, &desc);
    int magenta = 0, black = 0;
    for (int x = 32; x < 96; x++) {
        magenta += is_magenta(pixel(&picture, x, 49));
        black += pixel(&picture, x, 49).r < 60;
    }
    assert_true(magenta > 16 && black > 16);
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

static const char *const tint = "//! fragment\n#include \"tint.glsl\"\n"
                                "void surface(inout FiloSurface s) { s.color.rgb = tint(); }\n";

// Writes a file of the ground's shader again, waits until the assets have noticed, and draws.
static FiloPixels picture_with(Fixture *f, const char *file, const char *text) {
    FiloAsset asset = filo_assets_find(f->assets, filo_name(file));
    uint32_t version = filo_asset_version(f->assets, asset);
    write_text(file, text);
    for (int i = 0; i < 4000 && filo_asset_version(f->assets, asset) == version; i++) {
        filo_assets_update(f->assets, 0);
        filo_sleep_ns(1000000);
    }
    return screenshot(f);
}

static void expect_problem(const Fixture *f, const char *text) {
    FiloLine items[4];
    FiloLines lines = { .items = items, .capacity = 4 };
    gfx3d_grounds_problems(f->gfx, &lines);
    assert_int_equal(lines.count, text != NULL);
    if (text != NULL) assert_contains(items[0].text, text);
}

// The caller's shader is a file that includes another one. Both are watched; a broken one keeps the last good version.
static void check_reload(Backend backend) {
    Fixture f = fixture_open((FixtureDesc){ .backend = backend, .assets = true });
    const uint16_t heights[65 * 65] = { 0 };
    write_text("soil.glsl", tint);
    write_text("tint.glsl", "vec3 tint() { return vec3(1.0, 0.0, 0.0); }\n");
    add_ground(&f, &(FiloGroundDesc){ .heights = heights, .columns = 65, .rows = 65, .shader = "soil.glsl" });
    FiloEntity camera = loud_camera(&f, filo_vec3(32, 300, 32), filo_vec3(32, 0, 32));
    filo_edit(f.world, camera, FiloCamera3)->height = 64;
    filo_edit_global(f.world, FiloEnvironment)->ambient_color = filo_color(255, 255, 255, 255);
    // Until its files are loaded, it is as without a shader.
    FiloPixels picture = screenshot(&f);
    assert_kind(&picture, 64, 48, "mixed");
    expect_problem(&f, NULL);
    filo_pixels_free(&picture, NULL);
    for (int i = 0; i < 2; i++) { // the second file is requested when the first one is loaded
        filo_assets_wait_all(f.assets);
        picture = screenshot(&f);
        if (i == 0) filo_pixels_free(&picture, NULL);
    }
    assert_kind(&picture, 64, 48, "red");
    expect_problem(&f, NULL);
    filo_pixels_free(&picture, NULL);
    picture = picture_with(&f, "tint.glsl", "vec3 tint() { return vec3(0.0, 1.0, 0.0); }\n");
    assert_kind(&picture, 64, 48, "green");
    filo_pixels_free(&picture, NULL);
    hush();
    picture = picture_with(&f, "tint.glsl", "\nvec3 tint() { return blue; }\n");
    assert_kind(&picture, 64, 48, "green");
    expect_problem(&f, "tint.glsl:2: ");
    filo_pixels_free(&picture, NULL);
    picture =
        picture_with(&f, "soil.glsl",
                     "//! fragment\nvoid surface(inout FiloSurface s) { s.color.rgb = vec3(0, 0, 1); }\n");
    assert_kind(&picture, 64, 48, "blue");
    expect_problem(&f, NULL);
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

FILO_TEST(the_shader_of_a_ground_is_reloaded_on_gl45) { check_reload(ON_GL45); }
FILO_TEST(the_shader_of_a_ground_is_reloaded_on_gl33) { check_reload(ON_GL33); }
