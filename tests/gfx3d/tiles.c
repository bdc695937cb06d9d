// Tiles: no light is missing where it reaches.

#include "gfx3d/lights/tiles.h"
#include "gfx3d/light_support.h"
#include "support/test.h"

typedef struct Tiles {
    Gfx3dLightTile tiles[GFX3D_TILES_Y][GFX3D_TILES_X];
} Tiles;

static Gfx3dTilesDesc camera(FiloRandom *random, bool orthographic) {
    FiloVec3 eye = filo_vec3_scale(random_direction(random), 10);
    FiloVec3 target = filo_vec3_add_scaled(eye, random_direction(random), 5);
    float aspect = filo_random_float_range(random, 0.6f, 2.2f);
    return (Gfx3dTilesDesc){
        .view = filo_mat4_look_at(eye, target, filo_vec3(0.1f, 1, 0.2f)),
        .projection = orthographic ? filo_mat4_orthographic(-9 * aspect, 9 * aspect, -9, 9, 0.1f, 100)
                                   : filo_mat4_perspective(filo_random_float_range(random, 0.4f, 1.8f),
                                                           aspect, 0.1f, 100),
        .orthographic = orthographic,
        .near = 0.1f,
    };
}

static bool has(const Gfx3dLightTile *tile, int light) {
    for (int i = 0; i < tile->count; i++)
        if (tile->lights[i] == light) return true;
    return false;
}

// Random points inside of random spheres: the tile in which a point is seen has the light.
FILO_TEST(every_point_that_a_light_reaches_is_in_a_tile_that_has_it) {
    FiloRandom random = filo_random_sequence(17);
    int seen = 0;
    for (int i = 0; i < 400; i++) {
        Gfx3dTilesDesc desc = camera(&random, i % 4 == 0);
        Tiles tiles = { 0 };
        float far = filo_random_float_range(&random, 0, 30);
        FiloVec3 centre = filo_vec3_scale(random_direction(&random), far);
        float radius = filo_random_float_range(&random, 0.2f, 15);
        gfx3d_tiles_add(tiles.tiles, &desc, 7, centre, radius);
        for (int k = 0; k < 60; k++) {
            float reach = k < 40 ? radius * 0.999f : filo_random_float_range(&random, 0, radius);
            FiloVec3 p = filo_vec3_add_scaled(centre, random_direction(&random), reach);
            FiloVec4 clip =
                filo_mat4_vec4(filo_mat4_mul(desc.projection, desc.view), filo_vec4_from_vec3(p, 1));
            float x = clip.x / clip.w, y = clip.y / clip.w, z = clip.z / clip.w;
            if (clip.w <= 0 || x <= -1 || x >= 1 || y <= -1 || y >= 1 || z <= -1 || z >= 1) continue;
            int column = (int)((x * 0.5f + 0.5f) * GFX3D_TILES_X),
                row = (int)((0.5f - y * 0.5f) * GFX3D_TILES_Y);
            if (!has(&tiles.tiles[row][column], 7))
                fail_msg("camera %d: %d, %d does not have it", i, column, row);
            seen++;
        }
    }
    assert_true(seen > 2000);
}

static int tiles_with(const Tiles *tiles, int light) {
    int count = 0;
    for (int y = 0; y < GFX3D_TILES_Y; y++)
        for (int x = 0; x < GFX3D_TILES_X; x++) count += has(&tiles->tiles[y][x], light) ? 1 : 0;
    return count;
}

FILO_TEST(a_small_light_is_in_few_tiles_and_one_around_the_eye_in_all) {
    Gfx3dTilesDesc desc = { .view = filo_mat4_identity(),
                            .projection = filo_mat4_perspective(1, 16.0f / 9, 0.1f, 100),
                            .near = 0.1f };
    Tiles tiles = { 0 };
    gfx3d_tiles_add(tiles.tiles, &desc, 0, filo_vec3(3, 2, -20), 0.5f);
    gfx3d_tiles_add(tiles.tiles, &desc, 1, filo_vec3(0, 0, 1), 3);
    gfx3d_tiles_add(tiles.tiles, &desc, 2, filo_vec3(60, 0, -20), 3); // outside
    assert_in_range(tiles_with(&tiles, 0), 1, 4);
    assert_int_equal(tiles_with(&tiles, 1), GFX3D_TILES_X * GFX3D_TILES_Y);
    assert_int_equal(tiles_with(&tiles, 2), 0);
    // To the right of the middle and above it.
    for (int y = 0; y < GFX3D_TILES_Y; y++)
        for (int x = 0; x < GFX3D_TILES_X; x++)
            if (has(&tiles.tiles[y][x], 0)) assert_true(x >= GFX3D_TILES_X / 2 && y <= GFX3D_TILES_Y / 2);
}

FILO_TEST(a_full_tile_leaves_out_what_comes_last) {
    Gfx3dTilesDesc desc = { .view = filo_mat4_identity(),
                            .projection = filo_mat4_perspective(1, 1, 0.1f, 100),
                            .near = 0.1f };
    Tiles tiles = { 0 };
    for (int i = 0; i < GFX3D_LIGHTS; i++) gfx3d_tiles_add(tiles.tiles, &desc, i, filo_vec3(0, 0, 0), 3);
    for (int i = 0; i < GFX3D_LIGHTS; i++)
        assert_int_equal(tiles_with(&tiles, i), i < GFX3D_TILE_LIGHTS ? GFX3D_TILES_X * GFX3D_TILES_Y : 0);
    assert_int_equal(tiles.tiles[3][5].count, GFX3D_TILE_LIGHTS);
}
