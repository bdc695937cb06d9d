// The hierarchy finds exactly what testing all triangles finds.

#include "model/mesh_fixture.h"

#include "model/bvh/ray.h"

#include <math.h>
#include <stdlib.h>

static void make_bumpy(FiloMeshData *mesh) {
    assert_ok(filo_mesh_torus(mesh, &(FiloTorusDesc){ .sectors = 40, .sides = 30 }, NULL));
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        FiloVec3 p = mesh->positions[i];
        mesh->positions[i] = filo_vec3_scale(p, 1.0f + 0.1f * filo_sin(9.0f * p.x + 5.0f * p.y));
    }
}

// Triangles of all sizes at random places, some of them without area.
static void make_soup(FiloMeshData *mesh, uint32_t triangles, uint64_t seed) {
    FiloRandom random = filo_random_sequence(seed);
    assert_ok(filo_mesh_create(mesh, &(FiloMeshDesc){ .vertices = triangles * 3 }, NULL));
    for (uint32_t i = 0; i < triangles; i++) {
        FiloVec3 centre = random_vec3(&random);
        float size = 1.0f / (float)(1 + filo_random_u32(&random) % 50);
        for (uint32_t k = 0; k < 3; k++)
            mesh->positions[3 * i + k] = filo_vec3_add_scaled(centre, random_vec3(&random), size);
        if (i % 17 == 0) mesh->positions[3 * i + 1] = mesh->positions[3 * i];
        if (i % 23 == 0) // along an axis, with a flat box
            for (uint32_t k = 0; k < 3; k++) mesh->positions[3 * i + k].z = centre.z;
    }
}

static bool test_all(const FiloMeshData *mesh, FiloRay3 ray, float limit, FiloRayHit *best) {
    bool found = false;
    uint32_t count = (mesh->indices != NULL ? mesh->index_count : mesh->vertex_count) / 3;
    for (uint32_t i = 0; i < count; i++) {
        FiloVec3 corners[3];
        FiloRayHit hit;
        corners_of(mesh, i, corners);
        if (!filo_ray_triangle(ray, corners, limit, &hit) || (found && hit.distance >= best->distance))
            continue;
        *best = hit;
        best->triangle = i;
        found = true;
    }
    return found;
}

static FiloRay3 random_ray(FiloRandom *random, const FiloMeshData *mesh, int kind) {
    FiloRay3 ray = { .origin = filo_vec3_scale(random_vec3(random), 2.0f) };
    ray.direction = random_vec3(random);
    uint32_t vertex = filo_random_u32(random) % mesh->vertex_count;
    switch (kind % 6) {
    case 0: break;
    case 1: ray.direction = filo_vec3_sub(mesh->positions[vertex], ray.origin); break; // exactly at a vertex
    case 2: ray.direction = filo_vec3(0, 0, kind % 2 != 0 ? 1e3f : -1e-3f); break;
    case 3: // along an edge
        ray.origin = mesh->positions[vertex];
        ray.direction = filo_vec3_sub(mesh->positions[(vertex + 1) % mesh->vertex_count], ray.origin);
        break;
    case 4:
        ray.origin = filo_vec3(mesh->positions[vertex].x, 3.0f, mesh->positions[vertex].z);
        ray.direction = filo_vec3(0, -1, 0);
        break;
    default: ray.direction.x = 0.0f;
    }
    return ray;
}

static void compare_rays(const FiloMeshData *mesh, int rays) {
    FiloBvh *bvh;
    assert_ok(filo_bvh_create(&bvh, mesh, NULL));
    FiloRandom random = filo_random_sequence(11);
    int hits = 0;
    for (int i = 0; i < rays; i++) {
        FiloRay3 ray = random_ray(&random, mesh, i);
        float limit = i % 7 == 0 ? 0.5f : i % 11 == 0 ? INFINITY : 1e9f;
        FiloRayHit one = { 0 }, other = { 0 };
        bool expected = test_all(mesh, ray, limit, &one), found = filo_bvh_ray(bvh, ray, limit, &other);
        assert_int_equal(found, expected);
        assert_int_equal(filo_bvh_blocked(bvh, ray, limit), expected);
        if (!found) continue;
        hits++;
        assert_int_equal(filo_float_to_bits(one.distance), filo_float_to_bits(other.distance));
        assert_int_equal(one.triangle, other.triangle);
        assert_true(one.u == other.u && one.v == other.v && one.back == other.back);
        assert_true(filo_vec3_equal(one.normal, other.normal));
    }
    assert_true(hits > rays / 20);
    filo_bvh_destroy(bvh);
}

FILO_TEST(rays_hit_what_testing_all_triangles_hits) {
    FiloMeshData mesh;
    make_bumpy(&mesh);
    compare_rays(&mesh, 1500);
    filo_mesh_free(&mesh, NULL);
    make_soup(&mesh, 1500, 5);
    compare_rays(&mesh, 1500);
    filo_mesh_free(&mesh, NULL);
    for (uint32_t count = 1; count < 12; count++) {
        make_soup(&mesh, count, count);
        FiloBvh *bvh;
        assert_ok(filo_bvh_create(&bvh, &mesh, NULL));
        assert_int_equal(filo_bvh_triangle_count(bvh), count);
        filo_bvh_destroy(bvh);
        filo_mesh_free(&mesh, NULL);
    }
}

FILO_TEST(a_hit_tells_the_point_the_normal_and_the_side) {
    FiloMeshData box;
    FiloBvh *bvh;
    assert_ok(filo_mesh_box(&box, NULL, NULL));
    assert_ok(filo_bvh_create(&bvh, &box, NULL));
    assert_vec3(filo_bvh_bounds(bvh).min, -0.5, -0.5, -0.5);
    assert_vec3(filo_bvh_bounds(bvh).max, 0.5, 0.5, 0.5);
    FiloRay3 ray = { { 0.1f, 0.2f, 5 }, { 0, 0, -2 } };
    FiloRayHit hit;
    assert_true(filo_bvh_ray(bvh, ray, 100, &hit));
    assert_float_equal(hit.distance, 2.25f, 0); // in units of the direction
    assert_vec3(hit.normal, 0, 0, 1);
    assert_false(hit.back);
    FiloVec3 c[3];
    corners_of(&box, hit.triangle, c);
    FiloVec3 point = filo_vec3_scale(c[0], 1 - hit.u - hit.v);
    point = filo_vec3_add_scaled(filo_vec3_add_scaled(point, c[1], hit.u), c[2], hit.v);
    assert_vec3(point, 0.1, 0.2, 0.5);
    assert_false(filo_bvh_ray(bvh, ray, 2.25f, &hit)); // below the limit, not at it
    ray.origin = filo_vec3(0, 0, 0);
    assert_true(filo_bvh_ray(bvh, ray, 100, &hit));
    assert_true(hit.back);
    assert_vec3(hit.normal, 0, 0, -1);
    ray.direction = filo_vec3(0, 0, 0);
    assert_false(filo_bvh_ray(bvh, ray, 100, &hit));
    ray.direction = filo_vec3(0, NAN, 0);
    assert_false(filo_bvh_ray(bvh, ray, 100, &hit));
    ray.direction = filo_vec3(0, 1, 0);
    assert_false(filo_bvh_ray(bvh, ray, NAN, &hit));
    assert_false(filo_bvh_ray(bvh, ray, -1, &hit));
    filo_bvh_destroy(bvh);
    filo_mesh_free(&box, NULL);
}

// A ray that meets an edge or a vertex of a closed surface does not slip through.
FILO_TEST(nothing_passes_between_triangles) {
    FiloMeshData ball;
    FiloBvh *bvh;
    assert_ok(filo_mesh_sphere(&ball, NULL, NULL));
    assert_ok(filo_bvh_create(&bvh, &ball, NULL));
    FiloRandom random = filo_random_sequence(8);
    for (uint32_t i = 0; i < ball.index_count; i++) {
        FiloVec3 a = ball.positions[ball.indices[i]];
        FiloVec3 b = ball.positions[ball.indices[i % 3 == 2 ? i - 2 : i + 1]];
        float t = 0.5f + 0.5f * random_unit(&random);
        FiloRay3 ray = { .origin = filo_vec3_scale(random_vec3(&random), 0.3f) };
        ray.direction = filo_vec3_sub(filo_vec3_lerp(a, b, t), ray.origin);
        assert_true(filo_bvh_blocked(bvh, ray, 10));
        ray.direction = filo_vec3_sub(a, ray.origin);
        assert_true(filo_bvh_blocked(bvh, ray, 10));
    }
    filo_bvh_destroy(bvh);
    filo_mesh_free(&ball, NULL);
}

FILO_TEST(the_nearest_point_is_that_of_all_triangles) {
    FiloMeshData meshes[2];
    make_bumpy(&meshes[0]);
    make_soup(&meshes[1], 700, 9);
    for (int m = 0; m < 2; m++) {
        const FiloMeshData *mesh = &meshes[m];
        uint32_t count = (mesh->indices != NULL ? mesh->index_count : mesh->vertex_count) / 3;
        FiloBvh *bvh;
        assert_ok(filo_bvh_create(&bvh, mesh, NULL));
        FiloRandom random = filo_random_sequence(12);
        for (int i = 0; i < 500; i++) {
            FiloVec3 point = filo_vec3_scale(random_vec3(&random), 1.5f);
            if (i % 10 == 0) point = mesh->positions[filo_random_u32(&random) % mesh->vertex_count];
            double best = INFINITY, u, v;
            uint32_t nearest = 0;
            for (uint32_t t = 0; t < count; t++) {
                FiloVec3 c[3];
                corners_of(mesh, t, c);
                double squared = model_nearest_on_triangle(model_vec3d(point), c, &u, &v);
                if (squared < best) {
                    best = squared;
                    nearest = t;
                }
            }
            FiloRayHit hit;
            assert_true(filo_bvh_nearest(bvh, point, 100, &hit));
            assert_int_equal(hit.triangle, nearest);
            assert_true(hit.distance == (float)sqrt(best));
            // The weights give the point that is this far away.
            FiloVec3 c[3];
            corners_of(mesh, nearest, c);
            FiloVec3 on = filo_vec3_scale(c[0], 1 - hit.u - hit.v);
            on = filo_vec3_add_scaled(filo_vec3_add_scaled(on, c[1], hit.u), c[2], hit.v);
            assert_float_equal(filo_vec3_distance(on, point), hit.distance, 1e-5f);
            if (best > 1e-6) assert_false(filo_bvh_nearest(bvh, point, hit.distance * 0.999f, &hit));
        }
        filo_bvh_destroy(bvh);
        filo_mesh_free(&meshes[m], NULL);
    }
}

// The nearest point of a triangle, in each of its seven regions.
FILO_TEST(the_nearest_point_of_a_triangle) {
    static const FiloVec3 c[3] = { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } };
    static const struct {
        FiloVec3 point;
        double squared, u, v;
    } cases[] = {
        { { 1, 1, 3 }, 9, 0.25, 0.25 }, { { -3, -4, 0 }, 25, 0, 0 }, { { 7, -4, 0 }, 25, 1, 0 },
        { { -3, 8, 0 }, 25, 0, 1 },     { { 2, -2, 0 }, 4, 0.5, 0 }, { { -2, 2, 1 }, 5, 0, 0.5 },
        { { 4, 4, 0 }, 8, 0.5, 0.5 },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        double u, v, squared = model_nearest_on_triangle(model_vec3d(cases[i].point), c, &u, &v);
        assert_float_equal(squared, cases[i].squared, 1e-12);
        assert_float_equal(u, cases[i].u, 1e-12);
        assert_float_equal(v, cases[i].v, 1e-12);
    }
    const FiloVec3 line[3] = { { 0, 0, 0 }, { 2, 0, 0 }, { 1, 0, 0 } };
    double u, v;
    assert_float_equal(model_nearest_on_triangle((ModelVec3d){ 1.5, 2, 0 }, line, &u, &v), 4, 1e-12);
}

typedef struct Found {
    uint32_t *times;
    int count, stop_at;
} Found;

static bool count_triangle(uint32_t triangle, const FiloVec3 corners[3], void *user) {
    Found *found = user;
    assert_non_null(corners);
    found->times[triangle]++;
    return ++found->count != found->stop_at;
}

FILO_TEST(a_box_finds_the_triangles_whose_boxes_it_meets) {
    FiloMeshData mesh;
    FiloBvh *bvh;
    make_soup(&mesh, 1000, 3);
    assert_ok(filo_bvh_create(&bvh, &mesh, NULL));
    FiloRandom random = filo_random_sequence(2);
    for (int i = 0; i < 100; i++) {
        FiloVec3 a = random_vec3(&random), b = random_vec3(&random);
        FiloAabb3 box = { filo_vec3_min(a, b), filo_vec3_max(a, b) };
        uint32_t times[1000] = { 0 };
        Found found = { times, 0, -1 };
        filo_bvh_overlaps(bvh, box, count_triangle, &found);
        int expected = 0;
        for (uint32_t t = 0; t < 1000; t++) {
            FiloVec3 c[3];
            corners_of(&mesh, t, c);
            FiloVec3 low = filo_vec3_min(filo_vec3_min(c[0], c[1]), c[2]);
            FiloVec3 high = filo_vec3_max(filo_vec3_max(c[0], c[1]), c[2]);
            bool meets = low.x <= box.max.x && low.y <= box.max.y && low.z <= box.max.z &&
                         high.x >= box.min.x && high.y >= box.min.y && high.z >= box.min.z;
            assert_int_equal(times[t], meets);
            expected += meets;
        }
        assert_int_equal(found.count, expected);
        if (expected < 5) continue;
        found = (Found){ times, 0, 3 };
        filo_bvh_overlaps(bvh, box, count_triangle, &found);
        assert_int_equal(found.count, 3); // it was told to stop
    }
    filo_bvh_destroy(bvh);
    filo_mesh_free(&mesh, NULL);
}

// ---- Unusual meshes -------------------------------------------------------------------------------------

FILO_TEST(triangles_that_are_not_finite_are_left_out) {
    FiloMeshData mesh;
    FiloBvh *bvh;
    make_soup(&mesh, 100, 1);
    mesh.positions[30].x = NAN;
    mesh.positions[61].y = INFINITY;
    assert_ok(filo_bvh_create(&bvh, &mesh, NULL));
    assert_int_equal(filo_bvh_triangle_count(bvh), 98);
    assert_true(filo_bvh_memory(bvh) > 98 * 36);
    filo_bvh_destroy(bvh);
    filo_mesh_free(&mesh, NULL);
    assert_ok(filo_bvh_create(&bvh, &mesh, NULL)); // none at all
    FiloRayHit hit;
    assert_false(filo_bvh_ray(bvh, (FiloRay3){ { 0 }, { 1, 0, 0 } }, 10, &hit));
    assert_false(filo_bvh_nearest(bvh, filo_vec3(0, 0, 0), 10, &hit));
    assert_int_equal(filo_bvh_triangle_count(bvh), 0);
    filo_bvh_destroy(bvh);
}

// Thousands of equal triangles cannot be divided by place, and sizes from 1e-30 to 1e38 make deep trees.
FILO_TEST(meshes_that_cannot_be_divided_well_are_searched_too) {
    FiloMeshData mesh;
    FiloBvh *bvh;
    FiloRayHit hit;
    const uint32_t count = 5000;
    for (int kind = 0; kind < 3; kind++) {
        assert_ok(filo_mesh_create(&mesh, &(FiloMeshDesc){ .vertices = count * 3 }, NULL));
        float size = 1e-30f;
        for (uint32_t i = 0; i < count; i++) {
            float s = kind == 0 ? 1.0f : kind == 1 ? size : 3e38f;
            mesh.positions[3 * i] = filo_vec3(0, 0, s);
            mesh.positions[3 * i + 1] = filo_vec3(s, 0, s);
            mesh.positions[3 * i + 2] = filo_vec3(0, s, s);
            size = size < 1e37f ? size * 1.05f : size;
        }
        assert_ok(filo_bvh_create(&bvh, &mesh, NULL));
        FiloRay3 ray = { { 0.1f, 0.1f, -1 }, { 0, 0, 1 } };
        assert_true(filo_bvh_ray(bvh, ray, INFINITY, &hit));
        if (kind == 0) {
            assert_int_equal(hit.triangle, 0); // of equal ones, the first
            assert_float_equal(hit.distance, 2, 0);
        }
        FiloRayHit expected;
        assert_true(test_all(&mesh, ray, INFINITY, &expected));
        assert_int_equal(hit.triangle, expected.triangle);
        filo_bvh_destroy(bvh);
        filo_mesh_free(&mesh, NULL);
    }
}

FILO_TEST(only_the_full_mesh_is_searched_by_the_numbers_of_its_triangles) {
    FiloVec3 positions[6] = { { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 }, { 0, 0, 2 }, { 1, 0, 2 }, { 0, 1, 2 } };
    uint32_t indices[9] = { 0, 1, 2, 0, 1, 2, 3, 4, 5 };
    FiloMeshPart parts[2] = { { 6, 3, 0 },
                              { 0, 3, 0 } }; // the third triangle; the first one is its level of detail
    FiloMeshData mesh = { .vertex_count = 6, .index_count = 9, .positions = positions, .indices = indices };
    mesh.parts = parts;
    mesh.part_count = 1;
    mesh.level_count = 2;
    FiloBvh *bvh;
    FiloRayHit hit;
    assert_ok(filo_bvh_create(&bvh, &mesh, NULL));
    assert_true(filo_bvh_ray(bvh, (FiloRay3){ { 0.1f, 0.1f, 0 }, { 0, 0, 1 } }, 10, &hit));
    assert_int_equal(hit.triangle, 2);
    assert_float_equal(hit.distance, 2, 0);
    filo_bvh_destroy(bvh);
}

// ---- Single tests ---------------------------------------------------------------------------------------

FILO_TEST(a_ray_meets_a_box) {
    FiloAabb3 box = { { -1, -1, -1 }, { 1, 1, 1 } };
    float distance;
    assert_true(filo_ray_aabb3((FiloRay3){ { -3, 0, 0 }, { 2, 0, 0 } }, box, 10, &distance));
    assert_float_equal(distance, 1, 0);
    assert_true(filo_ray_aabb3((FiloRay3){ { 0, 0, 0 }, { 2, 0, 0 } }, box, 10, &distance)); // from inside
    assert_float_equal(distance, 0, 0);
    assert_true(filo_ray_aabb3((FiloRay3){ { -3, 1, 1 }, { 1, 0, 0 } }, box, 10, &distance)); // along an edge
    assert_false(filo_ray_aabb3((FiloRay3){ { -3, 1.01f, 0 }, { 1, 0, 0 } }, box, 10, &distance));
    assert_false(filo_ray_aabb3((FiloRay3){ { 3, 0, 0 }, { 1, 0, 0 } }, box, 10, &distance));
    assert_false(filo_ray_aabb3((FiloRay3){ { -3, 0, 0 }, { 1, 0, 0 } }, box, 2, &distance));
    assert_false(filo_ray_aabb3((FiloRay3){ { -3, 0, 0 }, { 0, 0, 0 } }, box, 10, &distance));
}

FILO_TEST(a_ray_meets_a_sphere) {
    FiloVec3 centre = { 5, 0, 0 };
    float distance;
    assert_true(filo_ray_sphere((FiloRay3){ { 0, 0, 0 }, { 2, 0, 0 } }, centre, 1, 10, &distance));
    assert_float_equal(distance, 2, 0);
    assert_true(filo_ray_sphere((FiloRay3){ { 0, 1, 0 }, { 1, 0, 0 } }, centre, 1, 10, &distance)); // touches
    assert_float_equal(distance, 5, 1e-6f);
    assert_true(filo_ray_sphere((FiloRay3){ { 5, 0.5f, 0 }, { 1, 0, 0 } }, centre, 1, 10, &distance));
    assert_float_equal(distance, 0, 0);
    assert_false(filo_ray_sphere((FiloRay3){ { 0, 1.1f, 0 }, { 1, 0, 0 } }, centre, 1, 10, &distance));
    assert_false(filo_ray_sphere((FiloRay3){ { 0, 0, 0 }, { -1, 0, 0 } }, centre, 1, 10, &distance));
    assert_false(filo_ray_sphere((FiloRay3){ { 0, 0, 0 }, { 1, 0, 0 } }, centre, 1, 4, &distance));
    assert_false(filo_ray_sphere((FiloRay3){ { 0, 0, 0 }, { 1, 0, 0 } }, centre, -1, 10, &distance));
}

FILO_TEST(misuse_is_reported) {
    FiloBvh *bvh = NULL;
    FiloRayHit hit;
    FiloRay3 ray = { { 0 }, { 1, 0, 0 } };
    FiloMeshData mesh = { .vertex_count = 3 };
    expect_mistake("pass a pointer for the hierarchy, and a mesh with positions",
                   filo_bvh_create(&bvh, &mesh, NULL));
    expect_fault("pass the hierarchy that filo_bvh_create made",
                 assert_false(filo_bvh_ray(NULL, ray, 1, &hit)));
    expect_fault("pass the hierarchy", assert_int_equal(filo_bvh_triangle_count(NULL), 0));
    assert_ok(filo_mesh_box(&mesh, NULL, NULL));
    assert_ok(filo_bvh_create(&bvh, &mesh, NULL));
    expect_fault("pass a place for the hit", assert_false(filo_bvh_ray(bvh, ray, 1, NULL)));
    expect_fault("pass a function that is called", filo_bvh_overlaps(bvh, (FiloAabb3){ 0 }, NULL, NULL));
    filo_bvh_destroy(bvh);
    filo_mesh_free(&mesh, NULL);
}

// The same bits on every machine.
FILO_TEST(hits_are_the_same_everywhere) {
    FiloMeshData mesh;
    FiloBvh *bvh;
    make_bumpy(&mesh);
    assert_ok(filo_bvh_create(&bvh, &mesh, NULL));
    FiloRandom random = filo_random_sequence(1);
    uint64_t hash = 0;
    for (int i = 0; i < 2000; i++) {
        FiloRayHit hit, near;
        FiloRay3 ray = random_ray(&random, &mesh, i);
        if (filo_bvh_ray(bvh, ray, 100, &hit)) {
            hash = filo_hash_combine(hash, (uint64_t)filo_float_to_bits(hit.distance) << 32 | hit.triangle);
            hash = filo_hash_combine(hash, (uint64_t)filo_float_to_bits(hit.u) << 32 |
                                               filo_float_to_bits(hit.normal.y));
        }
        if (filo_bvh_nearest(bvh, ray.origin, 100, &near))
            hash = filo_hash_combine(hash, (uint64_t)filo_float_to_bits(near.distance) << 32 | near.triangle);
    }
    if (hash != UINT64_C(0x5968072437523D17)) fail_msg("the hash is 0x%llX", (unsigned long long)hash);
    filo_bvh_destroy(bvh);
    filo_mesh_free(&mesh, NULL);
}
