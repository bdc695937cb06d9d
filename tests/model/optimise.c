// Optimising: the surface stays the same, levels of detail are closed, and the result does not depend on the run.

#include "model/mesh_fixture.h"

#include <filo/threads.h>

#include "model/mesh/meshopt.h"

#include <meshoptimizer.h>
#include <stdlib.h>

// A sphere with bumps whose triangles are in two parts, above and below a wave around it.
static void make_mesh(FiloMeshData *mesh) {
    FiloMeshData ball;
    assert_ok(filo_mesh_sphere(&ball, &(FiloSphereDesc){ .radius = 1, .sectors = 80, .rings = 60 }, NULL));
    FiloMeshDesc desc = { .vertices = ball.vertex_count, .indices = ball.index_count, .parts = 2 };
    desc.arrays = FILO_MESH_NORMALS | FILO_MESH_UVS;
    assert_ok(filo_mesh_create(mesh, &desc, NULL));
    memcpy(mesh->normals, ball.normals, ball.vertex_count * sizeof(FiloVec3));
    memcpy(mesh->uvs, ball.uvs, ball.vertex_count * sizeof(FiloVec2));
    for (uint32_t i = 0; i < ball.vertex_count; i++) {
        FiloVec3 p = ball.positions[i];
        float bump = 1.0f + 0.1f * filo_sin(5.0f * p.x) * filo_sin(4.0f * p.y) * filo_sin(3.0f * p.z);
        mesh->positions[i] = filo_vec3_scale(p, bump);
    }
    uint32_t end = 0;
    for (uint32_t part = 0; part < 2; part++) {
        mesh->parts[part] = (FiloMeshPart){ .first = end, .material = 5 + part };
        for (uint32_t i = 0; i < ball.index_count; i += 3) {
            FiloVec3 p = ball.positions[ball.indices[i]];
            bool above = p.y > 0.3f * filo_sin(4.0f * filo_atan2(p.x, p.z));
            if (above != (part == 0)) continue;
            for (uint32_t k = 0; k < 3; k++) mesh->indices[end++] = ball.indices[i + k];
        }
        mesh->parts[part].count = end - mesh->parts[part].first;
    }
    filo_mesh_update_bounds(mesh);
    filo_mesh_free(&ball, NULL);
}

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, 3 * sizeof(FiloVec3)); }

// The triangles of a part by their positions, beginning with the smallest corner, sorted.
static FiloVec3 *sorted_triangles(const FiloMeshData *mesh, FiloMeshPart part) {
    FiloVec3 *list = calloc(part.count + 1, sizeof *list);
    for (uint32_t i = 0; i < part.count; i += 3) {
        FiloVec3 c[3];
        corners_of(mesh, (part.first + i) / 3, c);
        int first = 0;
        for (int k = 1; k < 3; k++)
            if (memcmp(&c[k], &c[first], sizeof c[k]) < 0) first = k;
        for (int k = 0; k < 3; k++) list[i + (uint32_t)k] = c[(first + k) % 3];
    }
    qsort(list, part.count / 3, 3 * sizeof *list, by_bytes);
    return list;
}

static void assert_same_part(const FiloMeshData *a, FiloMeshPart x, const FiloMeshData *b, FiloMeshPart y) {
    assert_int_equal(x.count, y.count);
    assert_int_equal(x.material, y.material);
    FiloVec3 *first = sorted_triangles(a, x), *second = sorted_triangles(b, y);
    assert_memory_equal(first, second, x.count * sizeof *first);
    free(first);
    free(second);
}

FILO_TEST(reordering_keeps_all_triangles_and_improves_the_cache) {
    FiloMeshData mesh, optimised;
    make_mesh(&mesh);
    assert_ok(filo_mesh_copy(&optimised, &mesh, NULL));
    assert_ok(filo_mesh_optimise(&optimised, &(FiloMeshOptimise){ .reorder = true }, NULL));
    assert_ok(filo_mesh_check(&optimised, "optimised"));
    for (int p = 0; p < 2; p++) assert_same_part(&mesh, mesh.parts[p], &optimised, optimised.parts[p]);
    assert_int_equal(optimised.level_count, 1);
    struct meshopt_VertexCacheStatistics before, after;
    before = meshopt_analyzeVertexCache(mesh.indices, mesh.index_count, mesh.vertex_count, 16, 0, 0);
    after = meshopt_analyzeVertexCache(optimised.indices, optimised.index_count, optimised.vertex_count, 16,
                                       0, 0);
    assert_true(after.acmr < 0.9f * before.acmr);
    // Vertices are in the order of their first use.
    uint32_t next = 0;
    for (uint32_t i = 0; i < optimised.index_count; i++) {
        assert_true(optimised.indices[i] <= next);
        next += optimised.indices[i] == next;
    }
    assert_int_equal(next, optimised.vertex_count);
    filo_mesh_free(&mesh, NULL);
    filo_mesh_free(&optimised, NULL);
}

FILO_TEST(welding_joins_vertices_that_are_equal_in_all_arrays) {
    FiloMeshData mesh;
    FiloMeshDesc desc = { .vertices = 12, .arrays = FILO_MESH_UVS | FILO_MESH_COLORS | FILO_MESH_SKIN };
    assert_ok(filo_mesh_create(&mesh, &desc, NULL));
    static const FiloVec3 corners[9] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 0, 0 }, { 1, 1, 0 },
                                         { 0, 1, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 1, 1, 0 } };
    for (int i = 0; i < 9; i++) mesh.positions[i] = corners[i];
    for (int i = 9; i < 12; i++) mesh.positions[i] = filo_vec3(0, 0, (float)i);
    mesh.uvs[3].x = 0.5f; // another vertex at the place of number 1
    mesh.weights[9].x = 1.0f;
    assert_ok(filo_mesh_optimise(&mesh, &(FiloMeshOptimise){ .weld = true }, NULL));
    assert_ok(filo_mesh_check(&mesh, "welded"));
    assert_int_equal(mesh.vertex_count, 8);
    assert_int_equal(mesh.index_count, 9); // without the third triangle, which has no area
    assert_int_equal(mesh.indices[2], mesh.indices[5]);
    assert_int_not_equal(mesh.indices[1], mesh.indices[3]);
    assert_float_equal(mesh.uvs[mesh.indices[3]].x, 0.5f, 0);
    assert_float_equal(mesh.weights[mesh.indices[6]].x, 1, 0);
    filo_mesh_free(&mesh, NULL);
}

FILO_TEST(a_mesh_of_which_no_triangle_is_left_is_empty) {
    FiloMeshData mesh, merged;
    assert_ok(filo_mesh_create(&mesh, &(FiloMeshDesc){ .vertices = 4, .indices = 6, .parts = 1 }, NULL));
    mesh.parts[0].count = 6;
    for (int i = 0; i < 6; i++) mesh.indices[i] = (uint32_t)i % 4; // all at the same place
    FiloMeshOptimise options = { .weld = true, .reorder = true, .levels = 3 };
    assert_ok(filo_mesh_optimise(&mesh, &options, NULL));
    assert_ok(filo_mesh_check(&mesh, "empty"));
    assert_int_equal(mesh.vertex_count, 0);
    assert_int_equal(mesh.index_count, 0);
    assert_int_equal(mesh.part_count, 1);
    assert_int_equal(mesh.parts[0].count, 0);
    assert_ok(filo_mesh_merge(&merged, (const FiloMeshData *[]){ &mesh }, NULL, 1, NULL));
    assert_ok(filo_mesh_check(&merged, "merged"));
    filo_mesh_free(&merged, NULL);
    filo_mesh_free(&mesh, NULL);
}

// ---- Levels of detail -----------------------------------------------------------------------------------

typedef struct Edge {
    FiloVec3 from, to;
} Edge;

static int by_edge(const void *a, const void *b) { return memcmp(a, b, sizeof(Edge)); }

// All edges of a level, of all parts, by their places. A crack is an edge without one in the other direction.
static void assert_closed(const FiloMeshData *mesh, uint32_t level) {
    size_t count = 0, i = 0;
    const FiloMeshPart *parts = mesh->parts + (size_t)level * mesh->part_count;
    for (uint32_t p = 0; p < mesh->part_count; p++) count += parts[p].count;
    Edge *there = calloc(count, sizeof *there), *back = calloc(count, sizeof *back);
    for (uint32_t p = 0; p < mesh->part_count; p++)
        for (uint32_t t = parts[p].first / 3; t < (parts[p].first + parts[p].count) / 3; t++) {
            FiloVec3 c[3];
            corners_of(mesh, t, c);
            for (int k = 0; k < 3; k++, i++) {
                FiloVec3 zero = filo_vec3(0, 0, 0); // no −0
                there[i] = (Edge){ filo_vec3_add(c[k], zero), filo_vec3_add(c[(k + 1) % 3], zero) };
                back[i] = (Edge){ there[i].to, there[i].from };
            }
        }
    qsort(there, count, sizeof *there, by_edge);
    qsort(back, count, sizeof *back, by_edge);
    if (memcmp(there, back, count * sizeof *there) != 0) fail_msg("level %u has a crack", level);
    free(there);
    free(back);
}

FILO_TEST(levels_of_detail_halve_and_have_no_cracks_between_parts) {
    FiloMeshData mesh;
    make_mesh(&mesh);
    double volume = volume_of(&mesh, mesh.parts[0]) + volume_of(&mesh, mesh.parts[1]);
    FiloMeshOptimise options = { .weld = true, .reorder = true, .levels = 5, .max_error = 0.2f };
    assert_ok(filo_mesh_optimise(&mesh, &options, NULL));
    assert_ok(filo_mesh_check(&mesh, "levels"));
    assert_int_equal(mesh.level_count, 5);
    assert_int_equal(mesh.part_count, 2);
    assert_float_equal(mesh.level_error[0], 0, 0);
    uint32_t before = UINT32_MAX;
    for (uint32_t level = 0; level < 5; level++) {
        const FiloMeshPart *parts = mesh.parts + (size_t)level * 2;
        assert_int_equal(parts[0].material, 5);
        assert_int_equal(parts[1].material, 6);
        assert_true(parts[0].count > 0 && parts[1].count > 0);
        uint32_t count = parts[0].count + parts[1].count;
        if (level > 0) assert_true((double)count < 0.55 * before);
        before = count;
        assert_closed(&mesh, level);
        // The surface stays within the error, roughly: the volume of a layer of this thickness.
        double now = volume_of(&mesh, parts[0]) + volume_of(&mesh, parts[1]);
        double error = (double)mesh.level_error[level];
        assert_true(now > volume - 14 * error - 1e-4 && now < volume + 14 * error + 1e-4);
        if (level > 0) assert_true(mesh.level_error[level] >= mesh.level_error[level - 1]);
        assert_true(error < 0.2 * 2);
    }
    filo_mesh_free(&mesh, NULL);
}

FILO_TEST(levels_end_where_the_error_is_too_large) {
    FiloMeshData mesh;
    make_mesh(&mesh);
    assert_ok(filo_mesh_optimise(&mesh, &(FiloMeshOptimise){ .levels = 8, .max_error = 0.002f }, NULL));
    assert_true(mesh.level_count > 1 && mesh.level_count < 8);
    assert_true(mesh.level_error[mesh.level_count - 1] <= 0.002f * 2.3f);
    filo_mesh_free(&mesh, NULL);
    // A box cannot be simplified. Without levels, a mesh without parts has none.
    assert_ok(filo_mesh_box(&mesh, NULL, NULL));
    assert_ok(filo_mesh_optimise(&mesh, &(FiloMeshOptimise){ .levels = 4 }, NULL));
    assert_int_equal(mesh.level_count, 1);
    assert_int_equal(mesh.part_count, 0);
    assert_int_equal(mesh.index_count, 36);
    filo_mesh_free(&mesh, NULL);
    assert_ok(filo_mesh_sphere(&mesh, NULL, NULL));
    assert_ok(filo_mesh_optimise(&mesh, &(FiloMeshOptimise){ .levels = 2, .level_ratio = 0.3f }, NULL));
    assert_int_equal(mesh.part_count, 1);
    assert_int_equal(mesh.level_count, 2);
    assert_true((float)mesh.parts[1].count <= 0.31f * (float)mesh.parts[0].count);
    filo_mesh_free(&mesh, NULL);
}

// Optimising again replaces the levels.
FILO_TEST(the_result_is_the_same_in_every_run) {
    uint64_t hashes[2];
    FiloMeshOptimise options = { .weld = true, .reorder = true, .levels = 4 };
    for (int run = 0; run < 2; run++) {
        FiloMeshData mesh;
        make_mesh(&mesh);
        assert_ok(filo_mesh_optimise(&mesh, &options, NULL));
        hashes[run] = hash_mesh(&mesh);
        uint32_t count = mesh.parts[0].count;
        assert_ok(filo_mesh_optimise(&mesh, &options, NULL));
        assert_int_equal(mesh.parts[0].count, count);
        assert_true(mesh.level_count > 1);
        assert_ok(filo_mesh_check(&mesh, "again"));
        filo_mesh_free(&mesh, NULL);
    }
    assert_true(hashes[0] == hashes[1]);
}

typedef struct Work {
    uint64_t hash;
} Work;

static void optimise_on_thread(void *user) {
    Work *work = user;
    FiloMeshOptimise options = { .weld = true, .reorder = true, .levels = 4 };
    FiloMeshData mesh;
    make_mesh(&mesh);
    if (filo_mesh_optimise(&mesh, &options, NULL).code == FILO_OK) work->hash = hash_mesh(&mesh);
    filo_mesh_free(&mesh, NULL);
}

// The library has one allocator for the process; each thread has a pool of its own.
FILO_TEST(meshes_are_optimised_on_several_threads_at_once) {
    Work work[4] = { 0 };
    FiloThread threads[4];
    for (int i = 0; i < 4; i++)
        assert_ok(filo_thread_start(&threads[i],
                                    &(FiloThreadDesc){ .function = optimise_on_thread, .user = &work[i] }));
    for (int i = 0; i < 4; i++) filo_thread_join(&threads[i]);
    for (int i = 0; i < 4; i++) assert_true(work[i].hash != 0 && work[i].hash == work[0].hash);
}

// meshoptimizer cannot be told that there is no memory, so the pool must be large enough.
FILO_TEST(the_pool_is_large_enough_for_the_library) {
    for (int round = 0; round < 3; round++) {
        FiloMeshData mesh;
        if (round == 0)
            make_mesh(&mesh);
        else if (round == 1)
            assert_ok(filo_mesh_box(&mesh, NULL, NULL));
        else
            assert_ok(filo_mesh_plane(&mesh, &(FiloPlaneDesc){ .columns = 100, .rows = 100 }, NULL));
        ModelPool pool;
        uint32_t *out = calloc(mesh.index_count, sizeof *out), vertices = mesh.vertex_count;
        float *positions = &mesh.positions[0].x, error;
        size_t count = mesh.index_count;
        assert_true(model_pool_open(&pool, vertices, count, NULL));
        struct meshopt_Stream stream = { positions, 12, 12 };
        meshopt_generateVertexRemapMulti(out, mesh.indices, count, vertices, &stream, 1);
        meshopt_optimizeVertexCache(out, mesh.indices, count, vertices);
        meshopt_optimizeOverdraw(out, mesh.indices, count, positions, vertices, 12, 1.05f);
        meshopt_simplify(out, mesh.indices, count, positions, vertices, 12, count / 10, 1.0f, 0, &error);
        assert_int_equal(pool.used, 0); // all was freed
        assert_true(pool.peak > 0 && pool.peak < pool.size - pool.size / 8);
        model_pool_close(&pool);
        free(out);
        filo_mesh_free(&mesh, NULL);
    }
}

FILO_TEST(misuse_is_reported) {
    FiloVec3 positions[3] = { 0 };
    FiloMeshData mesh = { .vertex_count = 3, .positions = positions };
    FiloMeshOptimise options = { .weld = true };
    expect_mistake("the arrays of the mesh belong to the caller", filo_mesh_optimise(&mesh, &options, NULL));
    expect_mistake("pass a mesh, and how to optimise it", filo_mesh_optimise(&mesh, NULL, NULL));
    assert_ok(filo_mesh_box(&mesh, NULL, NULL));
    options.level_ratio = 2.0f;
    expect_mistake("level_ratio is between 0 and 1", filo_mesh_optimise(&mesh, &options, NULL));
    options.level_ratio = 0.0f;
    mesh.indices[3] = 1000;
    assert_error(filo_mesh_optimise(&mesh, &options, NULL), FILO_ERROR_DATA, "index 3 of triangle 1 is 1000");
    filo_mesh_free(&mesh, NULL);
    assert_ok(filo_mesh_optimise(&mesh, &options, NULL)); // an empty one
}
