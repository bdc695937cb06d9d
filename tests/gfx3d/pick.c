// Rays through pixels, positions on the screen, and which mesh a ray hits.

#include "gfx3d/drawing.h"

#include <filo/random.h>
#include <filo/threads.h>

static const FiloEntity screen = { 0 };

FILO_TEST(a_ray_goes_through_its_pixel) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    FiloEntity camera = look_from(&drawing, 10);
    extract(&drawing);
    FiloRay3 ray = filo_gfx3d_ray(drawing.gfx, screen, filo_vec2(WIDTH / 2.0f, HEIGHT / 2.0f));
    assert_vec3(ray.origin, 0, 0, 10);
    assert_vec3(ray.direction, 0, 0, -1);
    ray = filo_gfx3d_ray(drawing.gfx, camera, filo_vec2(WIDTH / 2.0f, 0)); // the upper edge
    assert_vec3(ray.direction, 0, filo_sin(FILO_PI / 6), -filo_cos(FILO_PI / 6));
    // And back.
    for (uint32_t i = 0; i < 100; i++) {
        FiloVec2 at = { filo_random_float_at(1, 0, 0, i, 0) * WIDTH,
                        filo_random_float_at(1, 0, 0, i, 1) * HEIGHT };
        ray = filo_gfx3d_ray(drawing.gfx, screen, at);
        assert_near(filo_vec3_length(ray.direction), 1);
        FiloVec3 back =
            filo_gfx3d_to_screen(drawing.gfx, screen, filo_vec3_add_scaled(ray.origin, ray.direction, 7));
        assert_float_equal((double)back.x, (double)at.x, 0.01);
        assert_float_equal((double)back.y, (double)at.y, 0.01);
        assert_near(back.z, -7 * ray.direction.z);
    }
    assert_true(filo_gfx3d_to_screen(drawing.gfx, screen, filo_vec3(0, 0, 11)).z < 0);
    drawing_close(&drawing);
}

FILO_TEST(rays_of_an_orthographic_camera_are_parallel_and_viewports_count) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    FiloEntity camera = look_from(&drawing, 10);
    FiloCamera3 *settings = filo_edit(drawing.world, camera, FiloCamera3);
    settings->height = 8;
    settings->viewport = (FiloRect){ { 0.5f, 0 }, { 1, 1 } };
    extract(&drawing);
    FiloRay3 ray = filo_gfx3d_ray(drawing.gfx, screen, filo_vec2(WIDTH * 0.75f, HEIGHT / 4.0f));
    assert_vec3(ray.direction, 0, 0, -1);
    assert_near(ray.origin.x, 0);
    assert_near(ray.origin.y, 2);
    drawing_close(&drawing);
}

FILO_TEST(a_camera_that_was_not_extracted_has_a_default_ray) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    FiloRay3 ray = filo_gfx3d_ray(drawing.gfx, screen, filo_vec2(3, 4));
    assert_vec3(ray.origin, 0, 0, 0);
    assert_vec3(ray.direction, 0, 0, -1);
    assert_vec3(filo_gfx3d_to_screen(drawing.gfx, screen, filo_vec3(1, 2, 3)), 0, 0, 0);
    drawing_close(&drawing);
}

// ---- Picking --------------------------------------------------------------------------------------------------

FILO_TEST(the_nearest_mesh_is_picked_with_its_position_and_normal) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    FiloEntity near =
        filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 0, 0, 2 }), FILO_ADD(FiloMesh));
    FiloEntity far =
        filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 0, 0, -5 }, .scale = { 4, 4, 2 }),
                    FILO_SET(FiloMesh, .mesh = filo_name("box")));
    FiloRay3 ray = { { 0, 0, 10 }, { 0, 0, -2 } }; // distances are in units of 2
    FiloPick pick;
    assert_true(filo_gfx3d_pick(drawing.gfx, ray, 100, &pick));
    assert_true(pick.entity.id == near.id);
    assert_near(pick.hit.distance, 7.5f / 2);
    assert_vec3(pick.position, 0, 0, 2.5f);
    assert_vec3(pick.normal, 0, 0, 1);
    assert_false(filo_gfx3d_pick(drawing.gfx, ray, 3.7f, &pick));
    filo_edit(drawing.world, near, FiloMesh)->flags = FILO_MESH_HIDDEN;
    assert_true(filo_gfx3d_pick(drawing.gfx, ray, 100, &pick));
    assert_true(pick.entity.id == far.id);
    assert_vec3(pick.position, 0, 0, -4);
    filo_entity_set_active(drawing.world, far, false);
    assert_false(filo_gfx3d_pick(drawing.gfx, ray, 100, &pick));
    assert_true(pick.entity.id == 0);
    drawing_close(&drawing);
}

FILO_TEST(members_of_families_are_picked_where_they_are_in_the_world) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    FiloEntity parent =
        filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 50, 0, 0 }, .scale = { 2, 2, 2 }));
    FiloEntity child =
        filo_create(drawing.world, FILO_SET(FiloTransform3, .position = { 0, 1, 0 }), FILO_ADD(FiloMesh));
    assert_true(filo_entity_set_parent(drawing.world, child, parent));
    FiloRay3 ray = { { 50.9f, 2.9f, 10 }, { 0, 0, -1 } };
    FiloPick pick;
    assert_true(filo_gfx3d_pick(drawing.gfx, ray, 100, &pick)); // before the first tick too
    tick_drawing(&drawing, 0.1f);
    assert_true(filo_gfx3d_pick(drawing.gfx, ray, 100, &pick));
    assert_true(pick.entity.id == child.id);
    assert_vec3(pick.position, 50.9f, 2.9f, 1);
    filo_entity_set_active(drawing.world, parent, false);
    assert_false(filo_gfx3d_pick(drawing.gfx, ray, 100, &pick));
    drawing_close(&drawing);
}

// ---- Against all triangles ------------------------------------------------------------------------------------

#define OBJECTS 40

typedef struct Object {
    FiloEntity entity;
    FiloMat4 matrix;
    const FiloMeshData *mesh;
} Object;

static float random_value(uint32_t i, uint32_t n, float low, float high) {
    return low + (high - low) * filo_random_float_at(3, 0, 0, i, n);
}

static FiloTransform3 random_transform(uint32_t i) {
    FiloVec3 axis = { random_value(i, 3, -1, 1), random_value(i, 4, -1, 1), random_value(i, 5, -1, 1) };
    return (FiloTransform3){
        { random_value(i, 0, -4, 4), random_value(i, 1, -4, 4), random_value(i, 2, -4, 4) },
        filo_quat_from_axis_angle(axis, random_value(i, 6, 0, 6)),
        { random_value(i, 7, 0.5f, 3), random_value(i, 8, 0.5f, 3), random_value(i, 9, 0.5f, 3) }
    };
}

static bool hit_any(const Object *objects, FiloRay3 ray, float *distance, size_t *object) {
    *distance = 1e9f;
    for (size_t k = 0; k < OBJECTS; k++) {
        const FiloMeshData *mesh = objects[k].mesh;
        for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3) {
            FiloVec3 corners[3];
            for (int c = 0; c < 3; c++)
                corners[c] =
                    filo_mat4_point(objects[k].matrix, mesh->positions[mesh->indices[i + (uint32_t)c]]);
            FiloRayHit hit;
            if (!filo_ray_triangle(ray, corners, *distance, &hit)) continue;
            *distance = hit.distance;
            *object = k;
        }
    }
    return *distance < 1e9f;
}

FILO_TEST(picking_finds_what_testing_all_triangles_finds) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    FiloMeshData meshes[2];
    assert_ok(filo_mesh_torus(&meshes[0], &(FiloTorusDesc){ .sectors = 12, .sides = 6 }, NULL));
    assert_ok(filo_mesh_sphere(&meshes[1], &(FiloSphereDesc){ .sectors = 8, .rings = 6 }, NULL));
    assert_ok(filo_gfx3d_add_mesh(drawing.gfx, filo_name("ring"), &meshes[0]));
    assert_ok(filo_gfx3d_add_mesh(drawing.gfx, filo_name("ball"), &meshes[1]));
    Object objects[OBJECTS];
    for (uint32_t i = 0; i < OBJECTS; i++) {
        FiloTransform3 t = random_transform(i);
        objects[i].entity =
            filo_create(drawing.world, FILO_SET(FiloTransform3, t.position, t.rotation, t.scale),
                        FILO_SET(FiloMesh, .mesh = filo_name(i % 2 == 0 ? "ring" : "ball")));
        objects[i].matrix = filo_transform3_matrix(&t);
        objects[i].mesh = &meshes[i % 2];
    }
    int hits = 0;
    for (uint32_t i = 0; i < 300; i++) {
        FiloVec3 from = { random_value(i, 10, -9, 9), random_value(i, 11, -9, 9),
                          random_value(i, 12, -9, 9) };
        FiloVec3 to = { random_value(i, 13, -6, 6), random_value(i, 14, -6, 6), random_value(i, 15, -6, 6) };
        FiloRay3 ray = { from, filo_vec3_scale(filo_vec3_sub(to, from), 0.3f) };
        float distance;
        size_t object = 0;
        FiloPick pick;
        bool expected = hit_any(objects, ray, &distance, &object);
        assert_int_equal(filo_gfx3d_pick(drawing.gfx, ray, 1e9f, &pick), expected);
        if (!expected) continue;
        hits++;
        assert_true(pick.entity.id == objects[object].entity.id);
        assert_float_equal((double)pick.hit.distance, (double)distance, (double)(1e-3f * (1 + distance)));
        assert_near(filo_vec3_length(pick.normal), 1);
        assert_true((filo_vec3_dot(pick.normal, ray.direction) > 0) == pick.hit.back);
    }
    assert_in_range(hits, 50, 290);
    filo_mesh_free(&meshes[0], NULL);
    filo_mesh_free(&meshes[1], NULL);
    drawing_close(&drawing);
}

FILO_TEST(mistakes_with_picking_are_reported) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    FiloPick pick;
    FiloRay3 ray = { .direction = { 0, 0, 1 } };
    expect_fault("pass a renderer, and where the result goes",
                 (void)filo_gfx3d_pick(drawing.gfx, ray, 1, NULL));
    expect_fault("pass a renderer", (void)filo_gfx3d_pick(NULL, ray, 1, &pick));
    expect_fault("a ray needs a direction", (void)filo_gfx3d_pick(drawing.gfx, (FiloRay3){ 0 }, 1, &pick));
    expect_fault("pass a renderer", (void)filo_gfx3d_ray(NULL, screen, filo_vec2(0, 0)));
    expect_fault("pass a renderer", (void)filo_gfx3d_to_screen(NULL, screen, filo_vec3(0, 0, 0)));
    drawing_close(&drawing);
}

// ---- Threads ------------------------------------------------------------------------------------------------

static void ray_elsewhere(void *user) {
    FiloRay3 ray = filo_gfx3d_ray(user, screen, filo_vec2(0, 0));
    assert_vec3(ray.direction, 0, 0, -1);
}
static void pick_elsewhere(void *user) {
    FiloPick pick;
    assert_false(filo_gfx3d_pick(user, (FiloRay3){ .direction = { 0, 0, -1 } }, 100, &pick));
}
static void remove_elsewhere(void *user) { filo_gfx3d_remove_mesh(user, filo_name("sphere")); }
static void draw_elsewhere(void *user) {
    filo_lines3_line(user, filo_vec3(0, 0, 0), filo_vec3(1, 0, 0), filo_color(255, 255, 255, 255));
}

static void call_elsewhere(Drawing *drawing, FiloThreadFunction function) {
    FiloThread thread;
    assert_ok(filo_thread_start(&thread, &(FiloThreadDesc){ .function = function, .user = drawing->gfx }));
    filo_thread_join(&thread);
}

FILO_TEST(calls_on_another_thread_are_mistakes_and_do_nothing) {
    Drawing drawing;
    drawing_open(&drawing, FILO_GPU_NULL, 1, NULL);
    expect_fault("call filo_gfx3d_ray on the main thread", call_elsewhere(&drawing, ray_elsewhere));
    expect_fault("call filo_gfx3d_pick on the main thread", call_elsewhere(&drawing, pick_elsewhere));
    expect_fault("call filo_gfx3d_remove_mesh on the main thread",
                 call_elsewhere(&drawing, remove_elsewhere));
    expect_fault("call filo_lines3_… on the main thread", call_elsewhere(&drawing, draw_elsewhere));
    FiloAabb3 bounds;
    assert_true(filo_gfx3d_mesh_bounds(drawing.gfx, filo_name("sphere"), &bounds));
    drawing_close(&drawing);
}
