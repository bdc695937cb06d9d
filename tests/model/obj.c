// OBJ files: what is read from valid ones.

#include "model/obj_fixture.h"
#include "support/warnings.h"

#include <filo/random.h>

#include "model/obj/number.h"

#include <stdlib.h>

FILO_TEST(a_triangle_has_its_corners_normals_and_texture_coordinates) {
    FiloModel *model = model_of("# a comment\n"
                                "v 0 0 0\nv 2.5 0 0\nv 0 1e1 -0.5\n"
                                "vt 0 0\nvt 1 0.25\nvt 0 1\n"
                                "vn 0 0 2\nvn 1 0 0\n"
                                "f 1/1/1 2/2/1 3/3/2\n");
    assert_string_equal(model->name, "rock.obj");
    assert_int_equal(model->mesh_count, 1);
    assert_string_equal(model->meshes[0].name, "rock");
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_ok(filo_mesh_check(mesh, "rock"));
    assert_int_equal(mesh->vertex_count, 3);
    assert_int_equal(mesh->index_count, 3);
    assert_vec3(mesh->positions[1], 2.5, 0, 0);
    assert_vec3(mesh->positions[2], 0, 10, -0.5);
    assert_vec3(mesh->normals[0], 0, 0, 1); // normalised
    assert_vec3(mesh->normals[2], 1, 0, 0);
    assert_float_equal(mesh->uvs[0].y, 1, 0); // v points down
    assert_float_equal(mesh->uvs[1].x, 1, 0);
    assert_float_equal(mesh->uvs[1].y, 0.75, 0);
    assert_null(mesh->colors);
    assert_vec3(mesh->bounds.max, 2.5, 10, 0);
    assert_int_equal(mesh->part_count, 1);
    assert_int_equal(mesh->parts[0].material, FILO_MODEL_NONE);
    assert_int_equal(mesh->parts[0].count, 3);
    filo_model_destroy(model);
}

FILO_TEST(corners_with_the_same_indices_are_one_vertex) {
    FiloModel *model = model_of(CORNERS "vn 0 0 1\nvn 0 1 0\n"
                                        "f 1//1 2//1 3//1\nf 1//1 3//1 4//1\nf 1//2 3//1 4//1\n");
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_int_equal(mesh->vertex_count, 5); // corner 1 has two normals
    const uint32_t expected[] = { 0, 1, 2, 0, 2, 3, 4, 2, 3 };
    assert_memory_equal(mesh->indices, expected, sizeof expected);
    filo_model_destroy(model);
}

FILO_TEST(negative_indices_count_from_the_end) {
    FiloModel *model = model_of("v 9 9 9\n" CORNERS "f -4 -3 -2\nv 5 5 5\nf -1 1 2\n");
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_vec3(mesh->positions[mesh->indices[0]], 0, 0, 0);
    assert_vec3(mesh->positions[mesh->indices[2]], 1, 1, 0);
    assert_vec3(mesh->positions[mesh->indices[3]], 5, 5, 5);
    assert_vec3(mesh->positions[mesh->indices[4]], 9, 9, 9);
    filo_model_destroy(model);
}

// Line ends, continued lines, tabs, a byte order mark, and a last line without an end.
FILO_TEST(lines_may_end_in_any_way) {
    const char *const texts[] = {
        "v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nf 1 2 3\r\n",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3",
        "\xEF\xBB\xBFv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3 # the end",
        "v 0 \\\n 0 0\nv\t1\t0\t0\nv 1 1 \\\r\n 0\nf 1 2 \\\n3",
        "  v 0 0 0  \n\n\nv 1 0 0 \n  # nothing\nv 1 1 0\nf 1\\\n 2\\\n 3\\\n",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\\",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 \\\n3 \\\n\\\n",
    };
    for (size_t i = 0; i < FILO_COUNT_OF(texts); i++) {
        // A block of exactly this size, so that a sanitizer notices reads past its end.
        size_t size = strlen(texts[i]);
        char *copy = malloc(size);
        memcpy(copy, texts[i], size);
        FiloModel *model;
        assert_ok(filo_model_decode(&model, copy, size, "rock.obj", NULL));
        assert_int_equal(model->meshes[0].data.index_count, 3);
        assert_vec3(model->meshes[0].data.positions[2], 1, 1, 0);
        filo_model_destroy(model);
        free(copy);
    }
}

static float area_of(const FiloMeshData *mesh, uint32_t triangle) {
    FiloVec3 a = mesh->positions[mesh->indices[3 * triangle]];
    FiloVec3 b = mesh->positions[mesh->indices[3 * triangle + 1]];
    FiloVec3 c = mesh->positions[mesh->indices[3 * triangle + 2]];
    return 0.5f * filo_vec3_cross(filo_vec3_sub(b, a), filo_vec3_sub(c, a)).z;
}

// All triangles look along +z, and their areas add up to that of the polygon: none lies outside.
static void assert_area(const char *text, uint32_t triangles, float area) {
    FiloModel *model = model_of(text);
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_int_equal(mesh->index_count, triangles * 3);
    float sum = 0.0f;
    for (uint32_t i = 0; i < triangles; i++) {
        assert_true(area_of(mesh, i) >= 0.0f);
        sum += area_of(mesh, i);
    }
    assert_float_equal(sum, area, 1e-5f);
    filo_model_destroy(model);
}

FILO_TEST(polygons_become_triangles_inside_of_them) {
    assert_area(CORNERS "f 1 2 3 4\n", 2, 1.0f);
    // Quads that are concave at each of their corners.
    assert_area("v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\nf 1 2 3 4\n", 2, 1.0f);
    assert_area("v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\nf 2 3 4 1\n", 2, 1.0f);
    assert_area("v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\nf 3 4 1 2\n", 2, 1.0f);
    assert_area("v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\nf 4 1 2 3\n", 2, 1.0f);
    // A regular hexagon, and an L, a comb, and a square with a hole that is connected by a double edge.
    assert_area("v 2 0 0\nv 1 1.7 0\nv -1 1.7 0\nv -2 0 0\nv -1 -1.7 0\nv 1 -1.7 0\nf 1 2 3 4 5 6\n", 4,
                10.2f);
    assert_area("v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6\n", 4, 3.0f);
    assert_area(
        "v 0 0 0\nv 5 0 0\nv 5 3 0\nv 4 3 0\nv 4 1 0\nv 3 1 0\nv 3 3 0\nv 2 3 0\nv 2 1 0\nv 1 1 0\nv 1 3 0\n"
        "v 0 3 0\nf 1 2 3 4 5 6 7 8 9 10 11 12\n",
        10, 11.0f);
    assert_area("v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 1 1 0\nv 1 2 0\nv 2 2 0\nv 2 1 0\n"
                "f 1 2 3 4 1 5 6 7 8 5\n",
                8, 8.0f);
}

FILO_TEST(a_polygon_that_crosses_itself_ends) {
    FiloModel *model = model_of("v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nv 0.5 2 0\nf 1 2 3 4 5\nf 1 1 1 1 1\n");
    assert_int_equal(model->meshes[0].data.index_count, 9);
    filo_model_destroy(model);
}

// ---- Normals --------------------------------------------------------------------------------------------

// Two triangles at a right angle that share the edge between 1 and 2.
#define FOLD "v 0 0 0\nv 0 0 -1\nv 1 0 0\nv 0 1 0\n"

FILO_TEST(missing_normals_are_smooth_unless_smoothing_is_off) {
    FiloModel *model = model_of(FOLD "f 1 3 2\nf 1 2 4\n");
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_int_equal(mesh->vertex_count, 4);
    assert_vec3(mesh->normals[mesh->indices[0]], 0.70711f, 0.70711f, 0); // both angles are right
    assert_vec3(mesh->normals[mesh->indices[1]], 0, 1, 0);
    filo_model_destroy(model);

    model = model_of(FOLD "s off\nf 1 3 2\nf 1 2 4\n");
    mesh = &model->meshes[0].data;
    assert_int_equal(mesh->vertex_count, 6);
    for (int i = 0; i < 3; i++) assert_vec3(mesh->normals[mesh->indices[i]], 0, 1, 0);
    for (int i = 3; i < 6; i++) assert_vec3(mesh->normals[mesh->indices[i]], 1, 0, 0);
    filo_model_destroy(model);
}

FILO_TEST(smoothing_groups_are_smooth_inside_and_hard_between) {
    FiloModel *model = model_of(FOLD "s 1\nf 1 3 2\ns 2\nf 1 2 4\n");
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_int_equal(mesh->vertex_count, 6);
    assert_vec3(mesh->normals[mesh->indices[0]], 0, 1, 0);
    assert_vec3(mesh->normals[mesh->indices[3]], 1, 0, 0);
    filo_model_destroy(model);
    // A seam of texture coordinates is smooth.
    model = model_of(FOLD "vt 0 0\nvt 1 1\ns 7\nf 1/1 3/1 2/1\nf 1/2 2/2 4/2\n");
    mesh = &model->meshes[0].data;
    assert_int_equal(mesh->vertex_count, 6);
    assert_vec3(mesh->normals[mesh->indices[0]], 0.70711f, 0.70711f, 0);
    assert_vec3(mesh->normals[mesh->indices[3]], 0.70711f, 0.70711f, 0);
    filo_model_destroy(model);
}

// ---- Objects, parts, colours ----------------------------------------------------------------------------

FILO_TEST(objects_are_meshes_with_a_node_each) {
    FiloModel *model = model_of(CORNERS "o Leg\nf 1 2 3\no\no Leg\nf 1 2 3\nf 1 3 4\no Empty\n");
    assert_int_equal(model->mesh_count, 2);
    assert_int_equal(model->node_count, 2);
    assert_string_equal(model->meshes[0].name, "Leg");
    assert_string_equal(model->meshes[1].name, "Leg.2");
    assert_int_equal(model->meshes[0].data.vertex_count, 3);
    assert_int_equal(model->meshes[1].data.vertex_count, 4); // vertices are not shared between meshes
    assert_int_equal(model->meshes[1].data.index_count, 6);
    assert_int_equal(filo_model_find_node(model, "Leg.2"), 1);
    assert_int_equal(filo_model_find_mesh(model, "Leg.2"), 1);
    assert_int_equal(filo_model_find_mesh(model, "Empty"), FILO_MODEL_NONE);
    assert_int_equal(model->nodes[1].mesh, 1);
    assert_int_equal(model->nodes[1].parent, FILO_MODEL_NONE);
    assert_int_equal(model->skeleton.node_count, 2);
    assert_string_equal(model->skeleton.names[1], "Leg.2");
    for (uint32_t i = 0; i < 2; i++) assert_ok(filo_mesh_check(&model->meshes[i].data, "leg"));
    filo_model_destroy(model);
}

FILO_TEST(faces_are_sorted_into_a_part_for_each_material) {
    const TextFile files[] = { { "rock.mtl", "newmtl a\nnewmtl b\nnewmtl never\n" }, { 0 } };
    FiloModel *model =
        model_with("mtllib rock.mtl\n" CORNERS "usemtl b\nf 1 2 3\nusemtl a\nf 1 3 4\nusemtl b\n"
                   "f 2 3 4\nusemtl a\nusemtl b\nf 4 3 2\n",
                   files);
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_int_equal(model->material_count, 3);
    assert_int_equal(mesh->part_count, 2);
    assert_string_equal(model->materials[mesh->parts[0].material].name, "b");
    assert_int_equal(mesh->parts[0].count, 9);
    assert_int_equal(mesh->parts[1].first, 9);
    assert_int_equal(mesh->parts[1].count, 3);
    assert_string_equal(model->materials[mesh->parts[1].material].name, "a");
    assert_vec3(mesh->positions[mesh->indices[3]], 1, 0, 0); // the third face is the second of its part
    assert_int_equal(model->file_count, 1);
    assert_string_equal(model->files[0], "rock.mtl");
    filo_model_destroy(model);
}

FILO_TEST(vertices_may_have_colours) {
    FiloModel *model = model_of("v 0 0 0\nv 1 0 0 1 0.5 0\nv 1 1 0 0 0 1 1\nv 0 1 0 1.0\nf 1 2 3 4\n");
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_non_null(mesh->colors);
    assert_true(filo_color_equal(mesh->colors[0], FILO_COLOR_WHITE));
    assert_true(filo_color_equal(mesh->colors[1], filo_color(255, 128, 0, 255)));
    assert_true(filo_color_equal(mesh->colors[2], filo_color(0, 0, 255, 255)));
    assert_true(filo_color_equal(mesh->colors[3], FILO_COLOR_WHITE));
    filo_model_destroy(model);
}

FILO_TEST(statements_without_triangles_are_ignored) {
    expect_no_warning({
        FiloModel *model = model_of(CORNERS "g side\nvp 0 1\nlod 3\nf 1 2 3\nmg 1 0.5\n");
        assert_int_equal(model->meshes[0].data.index_count, 3);
        filo_model_destroy(model);
    });
    expect_warning("rock.obj:5: the statement \"fo\" is not known, and ignored",
                   filo_model_destroy(model_of(CORNERS "fo 1 2 3\nbar\nf 1 2 3\n")));
}

FILO_TEST(lines_and_points_are_skipped_and_said_once) {
    FiloModel *model;
    expect_warning("rock.obj:5: \"l\" is skipped, as all lines, points, curves and free surfaces are",
                   model = model_of(CORNERS "l 1 2 3\np 1\nf 1 2 3\nl 1 2\ncurv 0 1 1 2\n"));
    assert_int_equal(model->meshes[0].data.index_count, 3);
    filo_model_destroy(model);
}

FILO_TEST(faces_with_normals_that_the_file_does_not_have_get_computed_ones) {
    FiloModel *model;
    expect_warning("rock.obj:5: the file has no normals (vn) before this face, so they are computed",
                   model = model_of(CORNERS "f 1//1 2//2 3//3\nf 1//-1 3//-3 4//-4\n"));
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_int_equal(mesh->index_count, 6);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) assert_vec3(mesh->normals[i], 0, 0, 1);
    filo_model_destroy(model);
    assert_error(error_of(CORNERS "vn 0 0 1\nf 1//1 2//2 3//1\n", NULL), FILO_ERROR_DATA,
                 "normal 2 does not exist");
}

FILO_TEST(a_model_can_be_scaled) {
    FiloModel *model;
    const char *text = CORNERS "f 1 2 3\n";
    assert_ok(filo_model_decode(&model, text, strlen(text), "a.OBJ", &(FiloModelOptions){ .scale = 0.01f }));
    assert_vec3(model->meshes[0].data.bounds.max, 0.01f, 0.01f, 0);
    filo_model_destroy(model);
}

// ---- Numbers --------------------------------------------------------------------------------------------

static void assert_number(const char *text) {
    char line[128];
    snprintf(line, sizeof line, "%s\n", text);
    const char *p = line;
    float read = -1.0f, expected = strtof(text, NULL);
    assert_true(model_read_float(&p, &read));
    assert_ptr_equal(p, line + strlen(text));
    if (filo_float_to_bits(read) != filo_float_to_bits(expected))
        fail_msg("\"%s\" is read as %.9g instead of %.9g", text, (double)read, (double)expected);
}

FILO_TEST(numbers_are_the_nearest_float) {
    const char *const texts[] = {
        "0",
        "-0",
        "+1",
        "1.",
        ".5",
        "-.5",
        "3.4028234e38",
        "-3.4028235e+38",
        "1e-45",
        "1.17549435e-38",
        "1e-60",
        "0.1",
        "16777217",
        "16777219",
        "9007199254740993",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000001",
        "1.00000005960464477539062",
        "1.00000005960464477539063",
        "1.000000059604644775390625",
        "1.00000017881393432617187499",
        "8388609.5",
        "8388608.5",
        "7.2057594e16",
        "9.8607613e-32",
        "00000000000000000000000000001.5",
        "1E5",
        "1e+5",
        "4.9e-324",
        "2.3509887e-38",
    };
    for (size_t i = 0; i < FILO_COUNT_OF(texts); i++) assert_number(texts[i]);
    FiloRandom random = filo_random_sequence(17);
    for (int i = 0; i < 20000; i++) {
        char text[64];
        // Any float with up to nine digits, and the middle between two floats with many.
        float value = filo_float_from_bits(filo_random_u32(&random));
        if (value != value || value - value != 0.0f) continue;
        snprintf(text, sizeof text, "%.*g", (int)(filo_random_u32(&random) % 9) + 1, (double)value);
        if (strtof(text, NULL) - strtof(text, NULL) == 0.0f) assert_number(text);
        float next = filo_float_from_bits(filo_float_to_bits(value) + 1);
        snprintf(text, sizeof text, "%.30g", ((double)value + (double)next) * 0.5);
        if (next - next == 0.0f) assert_number(text);
        snprintf(text, sizeof text, "%.6f", (double)(filo_random_u32(&random) % 2000001) * 1e-3 - 1e3);
        assert_number(text);
    }
}

FILO_TEST(what_is_no_number_is_not_read) {
    const char *const texts[] = { "nan", "inf", "-inf", "",    "-",     ".",    "e5",
                                  "1e",  "1e+", "0x10", "1,5", "1.5.2", "1e39", "-1e999999999999",
                                  "--1", "1f" };
    for (size_t i = 0; i < FILO_COUNT_OF(texts); i++) {
        char line[64];
        snprintf(line, sizeof line, "%s\n", texts[i]);
        const char *p = line;
        float read;
        if (model_read_float(&p, &read)) fail_msg("\"%s\" is read as %g", texts[i], (double)read);
        assert_ptr_equal(p, line);
    }
}

// The reader has lists of the triples of a position, of limited length; beyond it, vertices are not shared.
FILO_TEST(a_position_with_many_texture_coordinates_is_read_fast) {
    const int count = 30000;
    size_t capacity = 64 * (size_t)count, size = 0;
    char *text = malloc(capacity);
    size += (size_t)snprintf(text, capacity, CORNERS);
    for (int i = 0; i < count; i++) size += (size_t)snprintf(text + size, capacity - size, "vt %d 0\n", i);
    for (int i = 1; i <= count; i++)
        size += (size_t)snprintf(text + size, capacity - size, "f 1/%d 2/%d 3/%d\n", i, i, i);
    FiloModel *model;
    assert_ok(filo_model_decode(&model, text, size, "many.obj", NULL));
    assert_int_equal(model->meshes[0].data.vertex_count, 3 * count);
    assert_float_equal(model->meshes[0].data.uvs[3 * count - 1].x, count - 1, 0);
    filo_model_destroy(model);
    free(text);
}
