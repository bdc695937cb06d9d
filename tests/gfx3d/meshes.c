// Meshes of the program: adding, replacing, removing, writing again, levels, and what goes wrong.

#include "gfx3d/core_fixture.h"

#include "support/warnings.h"

static const FiloAabb3 *bounds_of(Fixture *f, const char *name) {
    static FiloAabb3 bounds;
    assert_true(filo_gfx3d_mesh_bounds(f->gfx, filo_name(name), &bounds));
    return &bounds;
}

// Vertices and indices of a level of a mesh, as the null device has them.
static const Gfx3dVertex *vertices_of(const Fixture *f, const Gfx3dMesh *mesh) {
    const Gfx3dMeshes *m = f->gfx->meshes;
    const Gfx3dVertex *all = filo_gpu_null_buffer_data(
        f->gpu, mesh->skinned ? m->skinned_vertices.buffer : m->vertices.buffer, NULL);
    return all + mesh->first_vertex;
}
static const Gfx3dVertexSkin *skins_of(const Fixture *f, const Gfx3dMesh *mesh) {
    const Gfx3dVertexSkin *all = filo_gpu_null_buffer_data(f->gpu, f->gfx->meshes->skins.buffer, NULL);
    return all + mesh->first_vertex;
}
static const uint32_t *indices_of(const Fixture *f, const Gfx3dMesh *mesh) {
    const uint32_t *all = filo_gpu_null_buffer_data(f->gpu, f->gfx->meshes->indices.buffer, NULL);
    return all + mesh->first_index;
}

// Fails unless the buffers have what `data` says.
static void assert_uploaded(const Fixture *f, const char *name, const FiloMeshData *data) {
    const Gfx3dMesh *mesh = mesh_named(f, name);
    assert_non_null(mesh);
    assert_true(mesh->loaded);
    assert_int_equal(mesh->vertex_count, data->vertex_count);
    for (uint32_t i = 0; i < data->vertex_count; i++) {
        Gfx3dVertex wanted;
        gfx3d_pack_vertices(&wanted, data, i, 1);
        assert_memory_equal(&vertices_of(f, mesh)[i], &wanted, sizeof wanted);
    }
    for (uint32_t i = 0; i < mesh->index_count; i++)
        assert_int_equal(indices_of(f, mesh)[i], data->indices != NULL ? data->indices[i] : i);
}

static FiloMeshData ball(uint32_t sectors) {
    FiloMeshData data;
    assert_ok(filo_mesh_sphere(&data, &(FiloSphereDesc){ .sectors = sectors, .rings = sectors / 2 }, NULL));
    return data;
}

// ---- Built in ---------------------------------------------------------------------------------------------

FILO_TEST(built_in_meshes_are_one_unit_large) {
    Fixture f = fixture_begin(ON_NULL, 1);
    const char *names[] = { "box", "sphere", "plane", "capsule", "cylinder", "cone", "torus" };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++) {
        const FiloAabb3 *b = bounds_of(&f, names[i]);
        bool tall = strcmp(names[i], "capsule") == 0, wide = strcmp(names[i], "torus") == 0;
        assert_true(fabsf(b->max.x - b->min.x - (wide ? 1.4f : 1)) < 1e-4f);
        if (strcmp(names[i], "plane") != 0 && !wide)
            assert_true(fabsf(b->max.y - b->min.y - (tall ? 2 : 1)) < 1e-4f);
        assert_float_equal(b->max.x + b->min.x, 0, 1e-4);
    }
    FiloAabb3 none;
    assert_true(filo_gfx3d_mesh_bounds(f.gfx, (FiloName){ 0 }, &none)); // the box
    assert_float_equal(none.max.x, 0.5, 0);
    fixture_end(&f);
}

// ---- Adding and replacing -----------------------------------------------------------------------------------

FILO_TEST(a_mesh_is_copied_to_the_buffers_with_and_without_indices) {
    Fixture f = fixture_begin(ON_NULL, 1);
    TriangleMesh t;
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("triangle"), triangle(&t, 2)));
    assert_uploaded(&f, "triangle", &t.data);
    FiloMeshData sphere = ball(24);
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("ball"), &sphere));
    assert_uploaded(&f, "ball", &sphere);
    assert_uploaded(&f, "triangle", &t.data);
    assert_float_equal(mesh_named(&f, "triangle")->reach, 2, 0);
    assert_float_equal(mesh_named(&f, "ball")->reach, 0.5, 1e-6);
    filo_mesh_free(&sphere, NULL);
    fixture_end(&f);
}

FILO_TEST(buffers_that_grow_keep_the_vertices_of_all_meshes) {
    Fixture f = fixture_begin(ON_NULL, 1);
    enum { COUNT = 40 };
    FiloMeshData balls[COUNT];
    char name[32];
    for (uint32_t i = 0; i < COUNT; i++) {
        balls[i] = ball(20 + 2 * i);
        snprintf(name, sizeof name, "ball %u", i);
        assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name(name), &balls[i]));
    }
    assert_true(f.gfx->meshes->vertex_ranges.end > 1u << 14);
    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "ball %u", i);
        assert_uploaded(&f, name, &balls[i]);
        filo_mesh_free(&balls[i], NULL);
    }
    fixture_end(&f);
}

FILO_TEST(a_mesh_that_is_replaced_again_and_again_takes_no_more_memory) {
    Fixture f = fixture_begin(ON_NULL, 1);
    uint64_t random = 3;
    for (int warm = 0; warm < 2; warm++) {
        uint32_t vertices = f.gfx->meshes->vertex_ranges.end, indices = f.gfx->meshes->index_ranges.end;
        for (int i = 0; i < 300; i++) {
            FiloMeshData data = ball(8 + test_random(&random) % 40);
            assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name(i % 3 == 0 ? "a" : "b"), &data));
            filo_mesh_free(&data, NULL);
        }
        if (warm == 0) continue;
        assert_int_equal(f.gfx->meshes->vertex_ranges.end, vertices);
        assert_int_equal(f.gfx->meshes->index_ranges.end, indices);
    }
    filo_gfx3d_remove_mesh(f.gfx, filo_name("a"));
    filo_gfx3d_remove_mesh(f.gfx, filo_name("b"));
    assert_int_equal(f.gfx->meshes->vertex_ranges.free.count, 1);
    assert_int_equal(f.gfx->meshes->index_ranges.free.count, 1);
    fixture_end(&f);
}

FILO_TEST(entities_are_drawn_with_a_replaced_mesh_from_the_next_extraction_on) {
    Fixture f = fixture_begin(ON_NULL, 1);
    TriangleMesh t;
    FiloMeshData sphere = ball(32);
    add_camera(&f, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    add_at(&f, "shape", filo_vec3(0, 0, 0));
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("shape"), triangle(&t, 1)));
    for (int i = 0; i < 3; i++) frame(&f);
    uint64_t before = stats(&f).triangles;
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("shape"), &sphere));
    frame(&f);
    assert_int_equal(stats(&f).triangles - before, sphere.index_count / 3 - 1);
    filo_mesh_free(&sphere, NULL);
    fixture_end(&f);
}

FILO_TEST(a_mesh_without_vertices_or_triangles_is_refused) {
    Fixture f = fixture_begin(ON_NULL, 1);
    TriangleMesh t;
    FiloResult r = filo_gfx3d_add_mesh(f.gfx, filo_name("nothing"), &(FiloMeshData){ 0 });
    assert_int_equal(r.code, FILO_ERROR_DATA);
    assert_string_equal(r.message, "nothing: level 0 of the mesh has no vertices");
    FiloMeshData points = *triangle(&t, 1);
    points.indices = &(uint32_t){ 0 };
    FiloMeshLevel levels[] = { { .data = &t.data }, { .data = &points, .distance = 5 } };
    r = filo_gfx3d_add_mesh_levels(f.gfx, filo_name("points"), levels, 2);
    assert_int_equal(r.code, FILO_ERROR_DATA);
    assert_string_equal(r.message, "points: level 1 of the mesh has no triangles");
    assert_null(mesh_named(&f, "points"));
    // The mesh of that name is as before.
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("shape"), &t.data));
    r = filo_gfx3d_add_mesh(f.gfx, filo_name("shape"), &points);
    assert_int_equal(r.code, FILO_ERROR_DATA);
    assert_uploaded(&f, "shape", &t.data);
    fixture_end(&f);
}

FILO_TEST(a_name_that_no_mesh_has_is_a_box_and_reported_once) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_camera(&f, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    frame(&f);
    uint64_t before = stats(&f).triangles;
    add_at(&f, "no such thing", filo_vec3(0, 0, 0));
    expect_warning("there is no mesh \"no such thing\" (add it by filo_gfx3d_add_mesh, or name a file that "
                   "ends in .obj, .gltf or .glb)",
                   for (int i = 0; i < 3; i++) frame(&f));
    assert_int_equal(stats(&f).triangles - before, 12);
    expect_warning("the mesh \"rock.obj\" cannot be loaded: the renderer has no assets", {
        add_at(&f, "rock.obj", filo_vec3(0, 0, 0));
        frame(&f);
    });
    FiloAabb3 bounds;
    assert_false(filo_gfx3d_mesh_bounds(f.gfx, filo_name("rock.obj"), &bounds));
    assert_true(bounds.max.x == 0);
    fixture_end(&f);
}

FILO_TEST(a_mesh_that_is_missing_looks_like_an_error_and_is_listed_as_a_problem) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_camera(&f, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    FiloEntity entity = add_at(&f, "rock", filo_vec3(0, 0, 0));
    hush();
    frame(&f);
    assert_int_equal(f.gfx->extraction->batches.items[0].material, GFX3D_MATERIAL_ERROR);
    FiloLine items[8];
    FiloLines lines = { .items = items, .capacity = 8 };
    gfx3d_meshes_problems(f.gfx, &lines);
    assert_int_equal(lines.count, 1);
    assert_contains(items[0].text, "there is no mesh \"rock\"");
    TriangleMesh t;
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("rock"), triangle(&t, 1)));
    frame(&f);
    assert_int_equal(f.gfx->extraction->batches.items[0].material, GFX3D_NONE);
    lines.count = 0;
    gfx3d_meshes_problems(f.gfx, &lines);
    assert_int_equal(lines.count, 0);
    filo_entity_destroy(f.world, entity);
    fixture_end(&f);
}

FILO_TEST(names_that_may_be_meant_are_suggested) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloAabb3 bounds;
    expect_warning("there is no mesh \"cube\": did you mean \"box\"? (",
                   filo_gfx3d_mesh_bounds(f.gfx, filo_name("cube"), &bounds));
    expect_warning("there is no mesh \"spere\": did you mean \"sphere\"? (",
                   filo_gfx3d_mesh_bounds(f.gfx, filo_name("spere"), &bounds));
    fixture_end(&f);
}

// ---- Removing -------------------------------------------------------------------------------------------------

FILO_TEST(a_removed_mesh_is_drawn_as_a_box_until_it_is_added_again) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloMeshData sphere = ball(32);
    add_camera(&f, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    frame(&f);
    uint64_t before = stats(&f).triangles;
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("shape"), &sphere));
    add_at(&f, "shape", filo_vec3(0, 0, 0));
    frame(&f);
    assert_int_equal(stats(&f).triangles - before, sphere.index_count / 3);
    filo_gfx3d_remove_mesh(f.gfx, filo_name("shape"));
    expect_warning("there is no mesh \"shape\"", for (int i = 0; i < 3; i++) frame(&f));
    assert_int_equal(stats(&f).triangles - before, 12);
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("shape"), &sphere));
    frame(&f);
    assert_int_equal(stats(&f).triangles - before, sphere.index_count / 3);
    filo_gfx3d_remove_mesh(f.gfx, filo_name("never added"));
    expect_fault("the mesh \"box\" cannot be removed: it is shown for those that are missing",
                 filo_gfx3d_remove_mesh(f.gfx, filo_name("box")));
    expect_fault("pass a renderer, and the name of a mesh", filo_gfx3d_remove_mesh(f.gfx, (FiloName){ 0 }));
    filo_mesh_free(&sphere, NULL);
    fixture_end(&f);
}

// ---- Writing again ----------------------------------------------------------------------------------------------

FILO_TEST(vertices_are_written_again_where_they_are) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloMeshData sphere = ball(48);
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("sea"), &sphere));
    uint32_t first = 100, count = 600; // more than one piece
    FiloVec3 *moved = filo_alloc(NULL, count * sizeof *moved, 0);
    for (uint32_t i = 0; i < count; i++)
        moved[i] = sphere.positions[first + i] = filo_vec3((float)i, 0.5f, 1);
    FiloMeshData part = { .vertex_count = count,
                          .positions = moved,
                          .normals = sphere.normals + first,
                          .tangents = sphere.tangents + first,
                          .uvs = sphere.uvs + first };
    uint32_t generation = f.gfx->mesh_generation;
    assert_ok(filo_gfx3d_update_mesh(f.gfx, filo_name("sea"), first, &part));
    assert_uploaded(&f, "sea", &sphere);
    assert_int_equal(f.gfx->mesh_generation, generation); // nothing is built again
    // Bounds stay.
    assert_float_equal(bounds_of(&f, "sea")->max.x, 0.5, 1e-5);
    filo_free(NULL, moved, count * sizeof *moved, 0);
    filo_mesh_free(&sphere, NULL);
    fixture_end(&f);
}

FILO_TEST(rays_hit_vertices_where_they_were_written) {
    Fixture f = fixture_begin(ON_NULL, 1);
    TriangleMesh t;
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("sail"), triangle(&t, 1)));
    uint32_t index = gfx3d_mesh_find(f.gfx, filo_name("sail"));
    FiloRay3 ray = { { 0.2f, 0.2f, 5 }, { 0, 0, -1 } };
    FiloRayHit hit;
    assert_true(filo_bvh_ray(gfx3d_mesh_bvh(f.gfx, index), ray, 100, &hit));
    assert_float_equal(hit.distance, 5, 1e-5);
    for (int i = 0; i < 3; i++) t.positions[i].z = 2;
    assert_ok(filo_gfx3d_update_mesh(f.gfx, filo_name("sail"), 0, &t.data));
    assert_true(filo_bvh_ray(gfx3d_mesh_bvh(f.gfx, index), ray, 100, &hit));
    assert_float_equal(hit.distance, 3, 1e-5);
    fixture_end(&f);
}

typedef struct SkinnedTriangle {
    TriangleMesh mesh;
    FiloVertexJoints joints[3];
    FiloVec4 weights[3];
} SkinnedTriangle;

static FiloMeshData *skinned_triangle(SkinnedTriangle *s) {
    FiloMeshData *data = triangle(&s->mesh, 1);
    for (int i = 0; i < 3; i++) {
        s->joints[i] = (FiloVertexJoints){ { (uint16_t)(i + 1), 0, 0, 0 } };
        s->weights[i] = (FiloVec4){ 1, 0, 0, 0 };
    }
    data->joints = s->joints;
    data->weights = s->weights;
    return data;
}

FILO_TEST(skinned_meshes_are_in_buffers_of_their_own_and_keep_joints_that_are_not_written) {
    Fixture f = fixture_begin(ON_NULL, 1);
    TriangleMesh plain;
    SkinnedTriangle s;
    FiloMeshData *data = skinned_triangle(&s);
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("plain"), triangle(&plain, 3)));
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("snake"), data));
    const Gfx3dMesh *snake = mesh_named(&f, "snake");
    assert_true(snake->skinned);
    assert_uploaded(&f, "snake", data);
    for (int i = 0; i < 3; i++) assert_int_equal(skins_of(&f, snake)[i].joints[0], i + 1);
    // Without joints only the positions are written, and no other mesh.
    data->joints = NULL;
    data->weights = NULL;
    s.mesh.positions[1].x = 7;
    assert_ok(filo_gfx3d_update_mesh(f.gfx, filo_name("snake"), 0, data));
    assert_float_equal(vertices_of(&f, snake)[1].position.x, 7, 0);
    for (int i = 0; i < 3; i++) assert_int_equal(skins_of(&f, snake)[i].joints[0], i + 1);
    assert_uploaded(&f, "plain", &plain.data);
    fixture_end(&f);
}

FILO_TEST(levels_without_joints_follow_the_first_joint_of_a_skinned_mesh) {
    Fixture f = fixture_begin(ON_NULL, 1);
    TriangleMesh plain;
    SkinnedTriangle s;
    const FiloMeshLevel levels[] = { { .data = skinned_triangle(&s) },
                                     { .data = triangle(&plain, 1), .distance = 10 } };
    assert_ok(filo_gfx3d_add_mesh_levels(f.gfx, filo_name("snake"), levels, 2));
    const Gfx3dMesh *snake = mesh_named(&f, "snake");
    assert_true(snake->skinned);
    assert_int_equal(skins_of(&f, snake)[2].joints[0], 3);
    for (int i = 3; i < 6; i++) {
        assert_int_equal(skins_of(&f, snake)[i].joints[0], 0);
        assert_int_equal(skins_of(&f, snake)[i].weights[0], 255);
    }
    fixture_end(&f);
}

// ---- Levels -----------------------------------------------------------------------------------------------------

FILO_TEST(levels_by_distance_follow_the_own_levels_of_the_data_before_them) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloMeshData fine = ball(64);
    assert_ok(filo_mesh_optimise(&fine, &(FiloMeshOptimise){ .levels = 4, .max_error = 1 }, NULL));
    assert_int_equal(fine.level_count, 4);
    TriangleMesh t;
    const FiloMeshLevel levels[] = { { .data = &fine }, { .data = triangle(&t, 1), .distance = 50 } };
    assert_ok(filo_gfx3d_add_mesh_levels(f.gfx, filo_name("tree"), levels, 2));
    const Gfx3dMesh *tree = mesh_named(&f, "tree");
    assert_int_equal(tree->level_count, 5);
    for (uint32_t i = 0; i < 4; i++) {
        assert_float_equal(tree->levels[i].error, fine.level_error[i], 0);
        assert_float_equal(tree->levels[i].distance, 0, 0);
        assert_int_equal(tree->levels[i].base_vertex, tree->first_vertex);
        const Gfx3dMeshPart *part = &tree->parts[tree->levels[i].first_part];
        assert_int_equal(part->first, tree->first_index + fine.parts[i * fine.part_count].first);
        assert_int_equal(part->count, fine.parts[i * fine.part_count].count);
    }
    assert_float_equal(tree->levels[4].distance, 50, 0);
    assert_float_equal(tree->levels[4].error, 0, 0);
    assert_int_equal(tree->levels[4].base_vertex, tree->first_vertex + fine.vertex_count);
    assert_int_equal(tree->parts[tree->levels[4].first_part].count, 3);
    // Rays hit the full mesh alone.
    assert_int_equal(tree->data.index_count, fine.parts[0].count);
    filo_mesh_free(&fine, NULL);
    fixture_end(&f);
}

FILO_TEST(more_own_levels_than_there_is_room_for_are_left_out_from_the_coarse_end) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloMeshData fine = ball(64);
    assert_ok(filo_mesh_optimise(&fine, &(FiloMeshOptimise){ .levels = 5, .max_error = 1 }, NULL));
    assert_int_equal(fine.level_count, 5);
    FiloMeshLevel levels[FILO_MESH_LEVELS];
    for (int i = 0; i < FILO_MESH_LEVELS; i++)
        levels[i] = (FiloMeshLevel){ .data = &fine, .distance = (float)(10 * i) };
    assert_ok(filo_gfx3d_add_mesh_levels(f.gfx, filo_name("six"), levels, 6));
    const Gfx3dMesh *six = mesh_named(&f, "six");
    assert_int_equal(six->level_count, 8);
    for (uint32_t i = 0; i < 3; i++) assert_float_equal(six->levels[i].distance, 0, 0);
    assert_float_equal(six->levels[2].error, fine.level_error[2], 0);
    for (uint32_t i = 3; i < 8; i++) {
        assert_true(six->levels[i].distance == 10 * (float)(i - 2));
        assert_float_equal(six->levels[i].error, 0, 0);
    }
    assert_ok(filo_gfx3d_add_mesh_levels(f.gfx, filo_name("eight"), levels, 8));
    assert_int_equal(mesh_named(&f, "eight")->level_count, 8);
    filo_mesh_free(&fine, NULL);
    fixture_end(&f);
}

// ---- Mistakes -----------------------------------------------------------------------------------------------------

FILO_TEST(mistakes_with_meshes_are_reported_and_change_nothing) {
    Fixture f = fixture_begin(ON_NULL, 1);
    TriangleMesh t;
    FiloName name = filo_name("x");
    FiloMeshData *data = triangle(&t, 1);
    FiloMeshLevel levels[9] = { { .data = data }, { .data = data, .distance = 5 }, { .data = data } };
    expect_mistake("pass a renderer, a name and at least one level", filo_gfx3d_add_mesh(NULL, name, data));
    expect_mistake("pass a renderer, a name and at least one level",
                   filo_gfx3d_add_mesh(f.gfx, (FiloName){ 0 }, data));
    expect_mistake("pass a renderer, a name and at least one level",
                   filo_gfx3d_add_mesh_levels(f.gfx, name, levels, 0));
    expect_mistake("level 0 of \"x\" has no data", filo_gfx3d_add_mesh(f.gfx, name, NULL));
    expect_mistake("a mesh has at most 8 levels of detail",
                   filo_gfx3d_add_mesh_levels(f.gfx, name, levels, 9));
    expect_mistake("level 2 of \"x\" begins at a distance of 0, but level 1 at 5; sort them",
                   filo_gfx3d_add_mesh_levels(f.gfx, name, levels, 3));
    levels[1].distance = (float)NAN;
    expect_mistake("level 1 of \"x\" begins at a distance of nan, but level 0 at 0; sort them",
                   filo_gfx3d_add_mesh_levels(f.gfx, name, levels, 2));
    levels[0].distance = 2;
    expect_mistake("level 0 of \"x\" begins at a distance of 2; it must be 0",
                   filo_gfx3d_add_mesh_levels(f.gfx, name, levels, 1));
    assert_null(mesh_named(&f, "x"));
    assert_error(filo_gfx3d_update_mesh(f.gfx, name, 0, data), FILO_ERROR_NOT_FOUND,
                 "there is no mesh \"x\"");
    assert_ok(filo_gfx3d_add_mesh(f.gfx, name, data));
    expect_mistake("pass a renderer, the name of a mesh, and vertices",
                   filo_gfx3d_update_mesh(f.gfx, name, 0, NULL));
    expect_mistake("mesh \"x\" has 3 vertices, but 3 from 1 on are written",
                   filo_gfx3d_update_mesh(f.gfx, name, 1, data));
    expect_mistake("mesh \"x\" has 3 vertices, but 3 from 4294967295 on are written",
                   filo_gfx3d_update_mesh(f.gfx, name, UINT32_MAX, data));
    expect_fault("pass a renderer, and where the bounds go",
                 assert_false(filo_gfx3d_mesh_bounds(f.gfx, name, NULL)));
    fixture_end(&f);
}

FILO_TEST(invalid_data_is_refused_and_the_mesh_stays_as_it_was) {
    Fixture f = fixture_begin(ON_NULL, 1);
    TriangleMesh good, bad;
    FiloName name = filo_name("x");
    assert_ok(filo_gfx3d_add_mesh(f.gfx, name, triangle(&good, 1)));
    triangle(&bad, 1)->indices = (uint32_t[]){ 0, 1, 3 };
    bad.data.index_count = 3;
    assert_error(filo_gfx3d_add_mesh(f.gfx, name, &bad.data), FILO_ERROR_DATA,
                 "x: index 2 of triangle 0 is 3, but there are 3 vertices");
    triangle(&bad, 1)->positions[1].y = (float)NAN;
    assert_error(filo_gfx3d_add_mesh(f.gfx, name, &bad.data), FILO_ERROR_DATA,
                 "x: the position of vertex 1 is not finite");
    assert_error(filo_gfx3d_update_mesh(f.gfx, name, 0, &bad.data), FILO_ERROR_DATA,
                 "x: the position of vertex 1 is not finite");
    triangle(&bad, 1)->joints = (FiloVertexJoints[3]){ 0 };
    assert_error(filo_gfx3d_update_mesh(f.gfx, name, 0, &bad.data), FILO_ERROR_DATA,
                 "x: joints and weights are only possible together");
    const FiloMeshLevel levels[] = { { .data = &good.data }, { .data = &bad.data, .distance = 3 } };
    assert_error(filo_gfx3d_add_mesh_levels(f.gfx, name, levels, 2), FILO_ERROR_DATA,
                 "x: joints and weights are only possible together");
    assert_uploaded(&f, "x", &good.data);
    fixture_end(&f);
}

// ---- Memory -------------------------------------------------------------------------------------------------------

// Adds, replaces, updates and removes meshes. All results are either success or a lack of memory.
static void use_meshes(FiloGfx3d *gfx, const FiloMeshData *small, const FiloMeshData *large) {
    const FiloName materials[] = { filo_name("a material") };
    const FiloMeshLevel levels[] = {
        { .data = large }, { .data = small, .distance = 5, .materials = materials, .material_count = 1 }
    };
    FiloResult results[] = { filo_gfx3d_add_mesh(gfx, filo_name("m1"), small),
                             filo_gfx3d_add_mesh(gfx, filo_name("m1"), large),
                             filo_gfx3d_add_mesh_levels(gfx, filo_name("m2"), levels, 2),
                             filo_gfx3d_add_mesh(gfx, filo_name("m2"), small) };
    for (size_t i = 0; i < FILO_COUNT_OF(results); i++)
        assert_true(results[i].code == FILO_OK || results[i].code == FILO_ERROR_MEMORY);
    uint32_t m1 = gfx3d_mesh_find(gfx, filo_name("m1"));
    (void)gfx3d_mesh_bvh(gfx, m1);
    filo_gfx3d_remove_mesh(gfx, filo_name("m1"));
}

FILO_TEST(meshes_without_memory_are_refused_and_nothing_leaks_or_breaks) {
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    hush();
    TriangleMesh t;
    FiloMeshData large = ball(64);
    triangle(&t, 1);
    bool more = true;
    size_t fail_at = 0;
    for (; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        Fixture f = fixture_open((FixtureDesc){ .backend = ON_NULL, .allocator = &failing.allocator });
        size_t calls = failing.calls;
        failing.fail_at = calls + fail_at;
        use_meshes(f.gfx, &t.data, &large);
        more = failing.calls > failing.fail_at;
        failing_end(&failing);
        // The box is still the box, and everything works once there is memory.
        assert_int_equal(mesh_named(&f, "box")->index_count, 36);
        use_meshes(f.gfx, &t.data, &large);
        assert_uploaded(&f, "m2", &t.data);
        fixture_end(&f);
        assert_int_equal(failing.blocks, 0);
    }
    filo_mesh_free(&large, NULL);
    filo_fault_set_handler((FiloFaultHandler){ 0 });
    assert_true(fail_at > 8);
}

FILO_TEST(a_renderer_without_memory_is_not_created_and_leaks_nothing) {
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    hush();
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FiloGpu *gpu = fixture_device(ON_NULL);
        FiloWorld *world;
        assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs }));
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloGfx3d *gfx;
        FiloResult r = filo_gfx3d_create(
            &gfx, &(FiloGfx3dDesc){ .world = world, .gpu = gpu, .allocator = &failing.allocator });
        more = failing.calls > fail_at;
        assert_true(r.code == FILO_OK || r.code == FILO_ERROR_MEMORY);
        assert_true((r.code == FILO_OK) == (gfx != NULL));
        if (r.code == FILO_OK) assert_int_equal(gfx->meshes->list.count, 7);
        filo_gfx3d_destroy(gfx);
        assert_int_equal(failing.blocks, 0);
        filo_world_destroy(world);
        filo_gpu_destroy(gpu);
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_fault_set_handler((FiloFaultHandler){ 0 });
}
