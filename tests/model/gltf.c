// glTF: containers, meshes, and the types of accessors. Expectations are computed by hand.

#include "model/gltf_files.h"
#include "support/failing_allocator.h"
#include "support/warnings.h"

static const float triangle[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
static const float up[] = { 0, 0, 1, 0, 0, 1, 0, 0, 1 };

#define ONE_MESH "'meshes':[{'name':'Tri','primitives':[{'attributes':{'POSITION':0,'NORMAL':1}}]}]"
#define ONE_NODE "'nodes':[{'name':'Body','mesh':0,'translation':[1,2,3]}],'scenes':[{'nodes':[0]}]"

static void add_triangle(GltfFile *file) {
    gltf_add(file, triangle, 3, GLTF_FLOAT, "VEC3");
    gltf_add(file, up, 3, GLTF_FLOAT, "VEC3");
}

static void assert_vec3(FiloVec3 v, float x, float y, float z) {
    assert_float_equal(v.x, x, 1e-6f);
    assert_float_equal(v.y, y, 1e-6f);
    assert_float_equal(v.z, z, 1e-6f);
}

static void assert_indices(const FiloMeshData *mesh, const uint32_t *indices, size_t count) {
    assert_int_equal(mesh->index_count, count);
    assert_memory_equal(mesh->indices, indices, count * sizeof *indices);
}

static void assert_is_one_triangle(const FiloModel *model) {
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_int_equal(model->mesh_count, 1);
    assert_int_equal(mesh->vertex_count, 3);
    assert_indices(mesh, (uint32_t[]){ 0, 1, 2 }, 3);
    assert_memory_equal(mesh->positions, triangle, sizeof triangle);
    assert_memory_equal(mesh->normals, up, sizeof up);
}

// ---- Containers -----------------------------------------------------------------------------------------

FILO_TEST(a_glb_with_one_triangle_is_a_mesh_and_a_node) {
    GltfFile file = { 0 };
    add_triangle(&file);
    FiloModel *model = gltf_decode(&file, ONE_MESH "," ONE_NODE);
    assert_string_equal(model->name, "robot.glb");
    assert_is_one_triangle(model);
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_string_equal(model->meshes[0].name, "Tri");
    assert_null(mesh->uvs);
    assert_null(mesh->tangents);
    assert_null(mesh->colors);
    assert_null(mesh->joints);
    assert_int_equal(mesh->part_count, 1);
    assert_true(mesh->parts[0].material == FILO_MODEL_NONE);
    assert_vec3(mesh->bounds.max, 1, 1, 0);
    assert_int_equal(model->node_count, 1);
    assert_string_equal(model->nodes[0].name, "Body");
    assert_vec3(model->nodes[0].position, 1, 2, 3);
    assert_int_equal(model->nodes[0].mesh, 0);
    assert_true(model->nodes[0].parent == FILO_MODEL_NONE);
    assert_int_equal(model->skeleton.node_count, 1);
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(a_gltf_with_a_data_uri_is_the_same) {
    GltfFile file = { 0 };
    add_triangle(&file);
    for (size_t pad = 0; pad < 3; pad++) { // all lengths of padding
        char *uri = gltf_data_uri(file.binary.data, file.binary.length, "application/octet-stream");
        const char *json = gltf_json(&file, ONE_MESH "," ONE_NODE, uri);
        FiloModel *model;
        assert_ok(filo_model_decode(&model, json, strlen(json), "robot.gltf", NULL));
        assert_is_one_triangle(model);
        filo_model_destroy(model);
        free(uri);
        filo_builder_add_byte(&file.binary, 'x');
    }
    gltf_free(&file);
}

// Serves one file, and notes its path.
typedef struct Disk {
    const FiloBuilder *bytes;
    char path[64];
} Disk;

static FiloResult open_from(FiloFileData *data, const char *path, const FiloAllocator *allocator,
                            void *user) {
    Disk *disk = user;
    snprintf(disk->path, sizeof disk->path, "%s", path);
    *data = (FiloFileData){ .size = disk->bytes->length,
                            .capacity = disk->bytes->length + 1,
                            .allocator = allocator };
    data->bytes = filo_alloc(allocator, data->capacity, 0);
    if (data->bytes == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory", path);
    memcpy(data->bytes, disk->bytes->data, data->size);
    data->bytes[data->size] = 0;
    return filo_ok();
}

FILO_TEST(a_buffer_outside_is_opened_by_its_decoded_path) {
    GltfFile file = { 0 };
    add_triangle(&file);
    const char *json = gltf_json(&file, ONE_MESH, "parts/my%20robot.bin");
    Disk disk = { .bytes = &file.binary };
    FiloModel *model;
    assert_ok(filo_model_decode(&model, json, strlen(json), "robot.gltf",
                                &(FiloModelOptions){ .open = open_from, .user = &disk }));
    assert_string_equal(disk.path, "parts/my robot.bin");
    assert_is_one_triangle(model);
    assert_int_equal(model->file_count, 1);
    assert_string_equal(model->files[0], "parts/my robot.bin");
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(a_file_on_disk_finds_its_buffer_beside_it) {
    GltfFile file = { 0 };
    add_triangle(&file);
    const char *json = gltf_json(&file, ONE_MESH, "robot.bin");
    assert_ok(filo_file_write(filo_test_path("robot.gltf"), json, strlen(json), NULL));
    assert_ok(filo_file_write(filo_test_path("robot.bin"), file.binary.data, file.binary.length, NULL));
    FiloModel *model;
    assert_ok(filo_model_load(&model, filo_test_path("robot.gltf"), NULL));
    assert_is_one_triangle(model);
    filo_model_destroy(model);
    gltf_free(&file);
}

// ---- Indices and modes ----------------------------------------------------------------------------------

static const float square[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0 };
static const float square_up[] = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 };

static FiloModel *decode_mode(GltfFile *file, int mode, int index_type, const void *indices, size_t count) {
    char rest[256];
    gltf_add(file, square, 5, GLTF_FLOAT, "VEC3");
    gltf_add(file, square_up, 5, GLTF_FLOAT, "VEC3");
    if (indices != NULL) gltf_add(file, indices, count, index_type, "SCALAR");
    snprintf(rest, sizeof rest,
             "'meshes':[{'primitives':[{'mode':%d,'attributes':{'POSITION':0,'NORMAL':1}%s}]}]", mode,
             indices != NULL ? ",'indices':2" : "");
    FiloModel *model = gltf_decode(file, rest);
    gltf_free(file);
    return model;
}

FILO_TEST(indices_of_all_types_are_read) {
    static const uint32_t expected[] = { 2, 1, 0, 4, 3, 2 };
    static const uint8_t bytes[] = { 2, 1, 0, 4, 3, 2 };
    static const uint16_t shorts[] = { 2, 1, 0, 4, 3, 2 };
    const struct {
        int type;
        const void *data;
    } cases[] = { { GLTF_UINT8, bytes }, { GLTF_UINT16, shorts }, { GLTF_UINT32, expected } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        GltfFile file = { 0 };
        FiloModel *model = decode_mode(&file, 4, cases[i].type, cases[i].data, 6);
        assert_indices(&model->meshes[0].data, expected, 6);
        filo_model_destroy(model);
    }
}

FILO_TEST(strips_become_lists_with_the_same_front_sides) {
    GltfFile file = { 0 };
    FiloModel *model = decode_mode(&file, 5, 0, NULL, 0);
    assert_indices(&model->meshes[0].data, (uint32_t[]){ 0, 1, 2, 1, 3, 2, 2, 3, 4 }, 9);
    filo_model_destroy(model);
    model = decode_mode(&file, 5, GLTF_UINT8, (uint8_t[]){ 4, 3, 2, 1 }, 4);
    assert_indices(&model->meshes[0].data, (uint32_t[]){ 4, 3, 2, 3, 1, 2 }, 6);
    filo_model_destroy(model);
}

FILO_TEST(fans_become_lists) {
    GltfFile file = { 0 };
    FiloModel *model = decode_mode(&file, 6, GLTF_UINT16, (uint16_t[]){ 3, 0, 1, 2 }, 4);
    assert_indices(&model->meshes[0].data, (uint32_t[]){ 0, 1, 3, 1, 2, 3 }, 6);
    filo_model_destroy(model);
}

FILO_TEST(points_and_lines_are_left_out_with_one_warning) {
    GltfFile file = { 0 };
    add_triangle(&file);
    FiloModel *model = NULL;
    expect_warning("robot.glb: left out: points and lines (mesh 0: primitive 0)",
                   model =
                       gltf_decode(&file, "'meshes':[{'primitives':[{'mode':0,'attributes':{'POSITION':0}},"
                                          "{'mode':1,'attributes':{'POSITION':0}},"
                                          "{'attributes':{'POSITION':0,'NORMAL':1}}]}]"));
    assert_int_equal(model->meshes[0].data.part_count, 1);
    assert_is_one_triangle(model);
    filo_model_destroy(model);
    gltf_free(&file);
}

// ---- Parts ----------------------------------------------------------------------------------------------

FILO_TEST(primitives_become_parts_and_share_equal_vertices) {
    GltfFile file = { 0 };
    gltf_add(&file, square, 5, GLTF_FLOAT, "VEC3");
    gltf_add(&file, square_up, 5, GLTF_FLOAT, "VEC3");
    gltf_add(&file, (uint8_t[]){ 0, 1, 2 }, 3, GLTF_UINT8, "SCALAR");
    gltf_add(&file, (uint8_t[]){ 1, 3, 2 }, 3, GLTF_UINT8, "SCALAR");
    gltf_add(&file, triangle, 3, GLTF_FLOAT, "VEC3");
    gltf_add(&file, up, 3, GLTF_FLOAT, "VEC3");
    gltf_add(&file, (uint8_t[]){ 255, 0, 0, 255, 0, 0, 255, 0, 0 }, 3, GLTF_UINT8, "VEC3");
    FiloModel *model =
        gltf_decode(&file, "'materials':[{},{}],'meshes':[{'primitives':["
                           "{'attributes':{'POSITION':0,'NORMAL':1},'indices':2,'material':1},"
                           "{'attributes':{'POSITION':0,'NORMAL':1},'indices':3},"
                           "{'attributes':{'POSITION':4,'NORMAL':5,'COLOR_0':6},'material':0}]}]");
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_int_equal(mesh->vertex_count, 8); // 5 that two parts share, and 3
    assert_indices(mesh, (uint32_t[]){ 0, 1, 2, 1, 3, 2, 5, 6, 7 }, 9);
    assert_int_equal(mesh->part_count, 3);
    assert_int_equal(mesh->parts[0].material, 1);
    assert_true(mesh->parts[1].material == FILO_MODEL_NONE);
    assert_int_equal(mesh->parts[2].first, 6);
    assert_int_equal(mesh->parts[2].count, 3);
    assert_int_equal(mesh->colors[0].g, 255); // a part without colours is white
    assert_int_equal(mesh->colors[0].a, 255);
    assert_ok(filo_mesh_check(mesh, "mesh"));
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(a_primitive_without_normals_is_flat) {
    GltfFile file = { 0 };
    // Two triangles with a common edge, at a right angle to each other.
    static const float fold[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2 };
    gltf_add(&file, fold, 4, GLTF_FLOAT, "VEC3");
    gltf_add(&file, (uint8_t[]){ 0, 1, 2, 0, 3, 1 }, 6, GLTF_UINT8, "SCALAR");
    gltf_add(&file, (float[]){ 0, 0, 1, 0, 0, 1, 5, 6 }, 4, GLTF_FLOAT, "VEC2");
    FiloModel *model = gltf_decode(
        &file, "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':2},'indices':1}]}]");
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_int_equal(mesh->vertex_count, 6);
    assert_indices(mesh, (uint32_t[]){ 0, 1, 2, 3, 4, 5 }, 6);
    for (int i = 0; i < 3; i++) assert_vec3(mesh->normals[i], 0, 0, 1);
    for (int i = 3; i < 6; i++) assert_vec3(mesh->normals[i], 0, 1, 0);
    assert_vec3(mesh->positions[4], 0, 0, 2);
    assert_float_equal(mesh->uvs[4].x, 5, 0);
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(morph_targets_are_left_out_with_one_warning) {
    GltfFile file = { 0 };
    add_triangle(&file);
    FiloModel *model = NULL;
    expect_warning(
        "robot.glb: left out: morph targets (mesh 0: primitive 0)",
        model = gltf_decode(&file, "'meshes':[{'primitives':["
                                   "{'attributes':{'POSITION':0,'NORMAL':1},'targets':[{'POSITION':0}]},"
                                   "{'attributes':{'POSITION':0,'NORMAL':1},'targets':[{'POSITION':0}]}]}]"));
    filo_model_destroy(model);
    gltf_free(&file);
}

// ---- Types of accessors ---------------------------------------------------------------------------------

// The texture coordinates of three vertices, from any accessor: the third of the file.
static FiloModel *decode_uvs(GltfFile *file) {
    return gltf_decode(file,
                       "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'TEXCOORD_0':2}}]}]");
}

FILO_TEST(normalised_integers_become_numbers_from_minus_1_to_1) {
    static const int8_t int8[] = { -128, -127, 0, 127, 64, 1 };
    static const uint8_t uint8[] = { 0, 255, 51, 102, 1, 254 };
    static const int16_t int16[] = { -32768, -32767, 0, 32767, 1, 16384 };
    static const uint16_t uint16[] = { 0, 65535, 13107, 1, 2, 3 };
    const struct {
        int type;
        const void *data;
        float expected[6];
    } cases[] = {
        { GLTF_INT8, int8, { -1, -1, 0, 1, 64.0f / 127, 1.0f / 127 } },
        { GLTF_UINT8, uint8, { 0, 1, 0.2f, 0.4f, 1.0f / 255, 254.0f / 255 } },
        { GLTF_INT16, int16, { -1, -1, 0, 1, 1.0f / 32767, 16384.0f / 32767 } },
        { GLTF_UINT16, uint16, { 0, 1, 0.2f, 1.0f / 65535, 2.0f / 65535, 3.0f / 65535 } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        GltfFile file = { 0 };
        add_triangle(&file);
        gltf_add_normalised(&file, cases[i].data, 3, cases[i].type, "VEC2");
        FiloModel *model = decode_uvs(&file);
        for (int k = 0; k < 6; k++)
            assert_float_equal((&model->meshes[0].data.uvs[0].x)[k], cases[i].expected[k], 1e-7f);
        filo_model_destroy(model);
        gltf_free(&file);
    }
}

FILO_TEST(plain_integers_are_quantised_positions) {
    GltfFile file = { 0 };
    gltf_add(&file, (int16_t[]){ 0, 0, 0, 300, 0, 0, 0, -200, 0 }, 3, GLTF_INT16, "VEC3");
    gltf_add_normalised(&file, (int8_t[]){ 0, 0, 127, 0, 0, 127, 90, 0, 90 }, 3, GLTF_INT8, "VEC3");
    FiloModel *model = gltf_decode(&file, ONE_MESH ",'extensionsRequired':['KHR_mesh_quantization']");
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_vec3(mesh->positions[1], 300, 0, 0);
    assert_vec3(mesh->positions[2], 0, -200, 0);
    assert_vec3(mesh->normals[0], 0, 0, 1);
    assert_vec3(mesh->normals[2], 0.70710678f, 0, 0.70710678f); // of length 1 again
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(interleaved_views_are_read_by_their_stride) {
    static const float mixed[] = { 0, 0, 0, 9, 8, 0, 0, 1, 1, 0, 0, 7, 6, 0, 0, 1, 0, 1, 0, 5, 4, 0, 0, 1 };
    GltfFile file = { 0 };
    gltf_add_view(&file, mixed, sizeof mixed, 32);
    gltf_add_accessor(&file, "'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'");
    gltf_add_accessor(&file, "'bufferView':0,'byteOffset':20,'componentType':5126,'count':3,'type':'VEC3'");
    gltf_add_accessor(&file, "'bufferView':0,'byteOffset':12,'componentType':5126,'count':3,'type':'VEC2'");
    FiloModel *model = decode_uvs(&file);
    assert_is_one_triangle(model);
    assert_float_equal(model->meshes[0].data.uvs[0].x, 9, 0);
    assert_float_equal(model->meshes[0].data.uvs[2].y, 4, 0);
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(sparse_accessors_replace_some_elements) {
    GltfFile file = { 0 };
    add_triangle(&file);
    gltf_add_view(&file, (uint16_t[]){ 0, 2 }, 4, 0);
    gltf_add_view(&file, (float[]){ 1, 2, 3, 4 }, 16, 0);
    gltf_add_view(&file, (float[]){ 7, 7, 8, 8, 9, 9 }, 24, 0);
    gltf_add_accessor(&file, "'componentType':5126,'count':3,'type':'VEC2','sparse':{'count':2,"
                             "'indices':{'bufferView':2,'componentType':5123},'values':{'bufferView':3}}");
    FiloModel *model = decode_uvs(&file);
    const FiloVec2 *uvs = model->meshes[0].data.uvs;
    const FiloVec2 of_zeroes[] = { { 1, 2 }, { 0, 0 }, { 3, 4 } };
    assert_memory_equal(uvs, of_zeroes, sizeof of_zeroes);
    filo_model_destroy(model);
    gltf_add_accessor(
        &file, "'bufferView':4,'componentType':5126,'count':3,'type':'VEC2','sparse':{'count':1,"
               "'indices':{'bufferView':2,'componentType':5123,'byteOffset':2},'values':{'bufferView':3}}");
    model = gltf_decode(
        &file, "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'TEXCOORD_0':3}}]}]");
    const FiloVec2 of_values[] = { { 7, 7 }, { 8, 8 }, { 1, 2 } };
    assert_memory_equal(model->meshes[0].data.uvs, of_values, sizeof of_values);
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(vertex_colours_are_light_in_the_file_and_srgb_in_the_mesh) {
    GltfFile file = { 0 };
    add_triangle(&file);
    gltf_add_normalised(&file,
                        (uint16_t[]){ 65535, 0, 32768, 65535, 14, 13, 1, 65535, 65535, 65535, 65535, 32768 },
                        3, GLTF_UINT16, "VEC4");
    FiloModel *model = gltf_decode(
        &file, "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'COLOR_0':2}}]}]");
    const FiloColor *colors = model->meshes[0].data.colors;
    assert_true(filo_color_equal(colors[0], filo_color(255, 0, 188, 255)));
    assert_true(filo_color_equal(colors[1], filo_color(1, 1, 0, 255)));
    assert_true(filo_color_equal(colors[2], filo_color(128, 128, 128, 128))); // premultiplied
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(every_byte_of_light_is_encoded_as_by_the_formula) {
    static float values[300][3];
    static float corners[300][3];
    for (int i = 0; i < 300; i++) values[i][0] = values[i][1] = values[i][2] = (float)i / 299.0f;
    GltfFile file = { 0 };
    gltf_add(&file, corners, 300, GLTF_FLOAT, "VEC3");
    gltf_add(&file, values, 300, GLTF_FLOAT, "VEC3");
    FiloModel *model = gltf_decode(
        &file, "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':0,'COLOR_0':1}}]}]");
    for (int i = 0; i < 300; i++)
        assert_int_equal(model->meshes[0].data.colors[i].r,
                         filo_byte_from_unit(filo_linear_to_srgb(values[i][0])));
    filo_model_destroy(model);
    gltf_free(&file);
}

// ---- Options --------------------------------------------------------------------------------------------

FILO_TEST(tangents_are_computed_only_for_a_normal_map) {
    static const char map[] =
        "'images':[{'uri':'bumps.png'}],'textures':[{'source':0}],"
        "'materials':[{'normalTexture':{'index':0}}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'TEXCOORD_0':2},"
        "'material':0}]},{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'TEXCOORD_0':2}}]}]";
    GltfFile file = { 0 };
    add_triangle(&file);
    gltf_add(&file, (float[]){ 0, 0, 1, 0, 0, -1 }, 3, GLTF_FLOAT, "VEC2");
    FiloModel *model = gltf_decode(&file, map);
    const FiloVec4 *tangents = model->meshes[0].data.tangents;
    assert_non_null(tangents);
    assert_float_equal(tangents[0].x, 1, 1e-6f);
    assert_null(model->meshes[1].data.tangents);
    filo_model_destroy(model);
    assert_ok(gltf_try(&file, &model, map, &(FiloModelOptions){ .no_tangents = true }));
    assert_null(model->meshes[0].data.tangents);
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(tangents_of_the_file_are_kept) {
    GltfFile file = { 0 };
    add_triangle(&file);
    gltf_add(&file, (float[]){ 0, 1, 0, -1, 0, 2, 0, 1, 0, 1, 0, 1 }, 3, GLTF_FLOAT, "VEC4");
    FiloModel *model = gltf_decode(
        &file, "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'TANGENT':2}}]}]");
    const FiloVec4 expected[] = { { 0, 1, 0, -1 }, { 0, 1, 0, 1 }, { 0, 1, 0, 1 } };
    assert_memory_equal(model->meshes[0].data.tangents, expected, sizeof expected);
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(the_set_of_texture_coordinates_is_that_of_the_material) {
    GltfFile file = { 0 };
    add_triangle(&file);
    gltf_add(&file, (float[]){ 1, 1, 1, 1, 1, 1 }, 3, GLTF_FLOAT, "VEC2");
    gltf_add(&file, (float[]){ 2, 2, 2, 2, 2, 2 }, 3, GLTF_FLOAT, "VEC2");
    FiloModel *model = NULL;
    expect_warning("robot.glb: left out: a second set of texture coordinates (material 0)",
                   model = gltf_decode(&file,
                                       "'images':[{'uri':'a.png'}],'textures':[{'source':0}],'materials':[{"
                                       "'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'texCoord':1}},"
                                       "'emissiveTexture':{'index':0}}],"
                                       "'meshes':[{'primitives':[{'material':0,'attributes':{'POSITION':0,"
                                       "'NORMAL':1,'TEXCOORD_0':2,'TEXCOORD_1':3}}]}]"));
    assert_float_equal(model->meshes[0].data.uvs[0].x, 2, 0);
    filo_model_destroy(model);
    gltf_free(&file);
}
