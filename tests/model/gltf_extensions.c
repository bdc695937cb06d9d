// glTF: what extensions add to a file, and what is said of those that are not read.

#include "model/gltf_files.h"
#include "support/warnings.h"

#include <meshoptimizer.h>

static FiloModel *decode(const char *rest) {
    GltfFile file = { 0 };
    FiloModel *model = gltf_decode(&file, rest);
    gltf_free(&file);
    return model;
}

static void assert_vec3(FiloVec3 v, float x, float y, float z) {
    assert_float_equal(v.x, x, 1e-5f);
    assert_float_equal(v.y, y, 1e-5f);
    assert_float_equal(v.z, z, 1e-5f);
}

static void expect_refused(GltfFile *file, const char *rest, const char *message) {
    FiloModel *model;
    FiloResult r = gltf_try(file, &model, rest, NULL);
    assert_int_not_equal(r.code, FILO_OK);
    assert_contains(r.message, message);
    assert_null(model);
}

// ---- What is left out -----------------------------------------------------------------------------------

FILO_TEST(all_that_is_left_out_is_said_in_one_warning) {
    FiloModel *model = NULL;
    expect_warning("robot.glb: left out: KHR_materials_sheen, EXT_unheard, the shear of a matrix (node 1)",
                   model =
                       decode("'extensionsUsed':['KHR_materials_sheen','KHR_materials_unlit','EXT_unheard'],"
                              "'nodes':[{},{'matrix':[1,0,0,0,1,1,0,0,0,0,1,0,0,0,0,1]},"
                              "{'matrix':[1,0,0,0,1,1,0,0,0,0,1,0,0,0,0,1]}]"));
    filo_model_destroy(model);
}

FILO_TEST(a_long_list_of_what_is_left_out_is_cut) {
    FiloBuilder text = { 0 };
    FiloModel *model = NULL;
    for (int i = 0; i < 40; i++)
        filo_builder_printf(&text, "%s'EXT_number_%d'", i == 0 ? "'extensionsUsed':[" : ",", i);
    filo_builder_add_text(&text, "]");
    expect_warning("EXT_number_25 and 14 more", model = decode(filo_builder_text(&text)));
    filo_model_destroy(model);
    filo_builder_deinit(&text);
}

FILO_TEST(layers_of_materials_never_refuse_a_file) {
    FiloModel *model = NULL;
    expect_warning("robot.glb: left out: KHR_materials_clearcoat",
                   model = decode("'extensionsUsed':['KHR_materials_clearcoat'],"
                                  "'extensionsRequired':['KHR_materials_clearcoat'],'materials':[{}]"));
    assert_int_equal(model->material_count, 1);
    filo_model_destroy(model);
}

FILO_TEST(a_channel_that_moves_no_node_is_left_out) {
    GltfFile file = { 0 };
    FiloModel *model = NULL;
    uint32_t times = gltf_add(&file, (float[]){ 0, 1 }, 2, GLTF_FLOAT, "SCALAR");
    uint32_t values = gltf_add(&file, (float[]){ 0, 0, 0, 1, 2, 3 }, 2, GLTF_FLOAT, "VEC3");
    assert_int_equal(times + 1, values);
    expect_warning(
        "robot.glb: left out: KHR_animation_pointer, animation of what is no node (animation 0: channel 0)",
        model = gltf_decode(&file,
                            "'extensionsUsed':['KHR_animation_pointer'],'nodes':[{}],'animations':[{"
                            "'samplers':[{'input':0,'output':1}],'channels':[{'sampler':0,'target':{"
                            "'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':"
                            "'/materials/0'}}}},{'sampler':0,'target':{'node':0,'path':'translation'}}]}]"));
    assert_int_equal(model->clips[0].position_count, 1);
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(files_with_basis_textures_name_their_converter) {
    GltfFile file = { 0 };
    expect_refused(
        &file, "'extensionsRequired':['KHR_texture_basisu']",
        "robot.glb: requires KHR_texture_basisu, which is not read; convert it: npx @gltf-transform/cli "
        "ktxdecompress robot.glb out.glb");
    gltf_free(&file);
}

// ---- Materials ------------------------------------------------------------------------------------------

FILO_TEST(textures_wrap_as_their_sampler_says_on_each_axis) {
    FiloModel *model = decode("'images':[{'uri':'a.png'}],'samplers':[{'wrapS':33648,'wrapT':33071},{}],"
                              "'textures':[{'source':0,'sampler':0},{'source':0,'sampler':1}],'materials':[{"
                              "'normalTexture':{'index':0},'emissiveTexture':{'index':1}}]");
    const FiloModelMaterial *m = &model->materials[0];
    assert_int_equal(m->normal_map.wrap_u, FILO_WRAP_MIRROR);
    assert_int_equal(m->normal_map.wrap_v, FILO_WRAP_CLAMP);
    assert_int_equal(m->emissive_map.wrap_u, FILO_WRAP_REPEAT);
    assert_int_equal(m->emissive_map.wrap_v, FILO_WRAP_REPEAT);
    filo_model_destroy(model);
}

FILO_TEST(the_transform_of_a_texture_has_a_rotation) {
    FiloModel *model =
        decode("'images':[{'uri':'a.png'}],'textures':[{'source':0}],'materials':[{'normalTexture':{"
               "'index':0,'extensions':{'KHR_texture_transform':{'rotation':1.5}}}}]");
    assert_float_equal(model->materials[0].normal_map.uv_rotation, 1.5f, 0);
    filo_model_destroy(model);
}

FILO_TEST(an_image_in_webp_is_preferred) {
    FiloModel *model =
        decode("'extensionsRequired':['EXT_texture_webp'],'images':[{'uri':'a.png'},{'uri':'a.webp'}],"
               "'textures':[{'source':0,'extensions':{'EXT_texture_webp':{'source':1}}}],"
               "'materials':[{'normalTexture':{'index':0}}]");
    assert_int_equal(model->materials[0].normal_map.image, 1);
    filo_model_destroy(model);
}

// A pure metal, a pure dielectric, and a material that has both workflows.
FILO_TEST(specular_and_glossiness_are_converted) {
    FiloModel *model = decode(
        "'materials':[{'extensions':{'KHR_materials_pbrSpecularGlossiness':{'diffuseFactor':[0,0,0,0.5],"
        "'specularFactor':[0.9,0.6,0.3],'glossinessFactor':0.75}}},"
        "{'extensions':{'KHR_materials_pbrSpecularGlossiness':{'diffuseFactor':[0.2,0.4,0.6,1],"
        "'specularFactor':[0.04,0.04,0.04],'glossinessFactor':0}}},"
        "{'pbrMetallicRoughness':{'roughnessFactor':0.5},'extensions':{'KHR_materials_pbrSpecularGlossiness':"
        "{}}}]");
    const FiloModelMaterial *m = model->materials;
    assert_float_equal(m[0].metallic, 1, 1e-4f);
    assert_float_equal(m[0].roughness, 0.25f, 1e-6f);
    assert_vec3(filo_vec4_xyz(m[0].color), 0.9f, 0.6f, 0.3f);
    assert_float_equal(m[0].color.w, 0.5f, 0);
    assert_float_equal(m[1].metallic, 0, 1e-4f);
    assert_float_equal(m[1].roughness, 1, 0);
    assert_vec3(filo_vec4_xyz(m[1].color), 0.2f, 0.4f, 0.6f);
    assert_float_equal(m[2].roughness, 0.5f, 0);
    filo_model_destroy(model);
}

// ---- Nodes ----------------------------------------------------------------------------------------------

FILO_TEST(a_node_is_hidden_with_all_below_it) {
    FiloModel *model =
        decode("'extensionsUsed':['KHR_node_visibility'],'nodes':[{'children':[1],'extensions':{"
               "'KHR_node_visibility':{'visible':false}}},{},{'extensions':{'KHR_node_visibility':{}}}]");
    assert_true(model->nodes[0].hidden && model->nodes[1].hidden);
    assert_false(model->nodes[2].hidden);
    filo_model_destroy(model);
}

static const float triangle[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
#define MESH "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],"

FILO_TEST(hidden_nodes_are_not_in_the_flattened_mesh) {
    GltfFile file = { 0 };
    FiloMeshData mesh;
    gltf_add(&file, triangle, 3, GLTF_FLOAT, "VEC3");
    FiloModel *model = gltf_decode(
        &file, MESH "'nodes':[{'mesh':0},{'mesh':0,'extensions':{'KHR_node_visibility':{'visible':false}}}]");
    assert_ok(filo_model_flatten(&mesh, model, NULL));
    assert_int_equal(mesh.index_count, 3);
    filo_mesh_free(&mesh, NULL);
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(instances_become_nodes_below_theirs) {
    GltfFile file = { 0 };
    gltf_add(&file, triangle, 3, GLTF_FLOAT, "VEC3");
    gltf_add(&file, (float[]){ 1, 2, 3, 4, 5, 6 }, 2, GLTF_FLOAT, "VEC3");
    gltf_add(&file, (float[]){ 0, 0, 0, 1, 1, 0, 0, 0 }, 2, GLTF_FLOAT, "VEC4");
    FiloModel *model = gltf_decode(
        &file, MESH
        "'extensionsRequired':['EXT_mesh_gpu_instancing'],'nodes':[{'name':'grass','mesh':0,'children':[1],"
        "'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{'TRANSLATION':1,'ROTATION':2}}}},{}]");
    assert_int_equal(model->node_count, 4);
    assert_int_equal(model->nodes[0].mesh, FILO_MODEL_NONE);
    for (uint32_t i = 2; i < 4; i++) {
        assert_int_equal(model->nodes[i].mesh, 0);
        assert_int_equal(model->nodes[i].parent, 0);
    }
    assert_string_equal(model->nodes[3].name, "grass.3");
    assert_vec3(model->nodes[3].position, 4, 5, 6);
    assert_float_equal(model->nodes[3].rotation.x, 1, 0);
    assert_vec3(model->nodes[3].scale, 1, 1, 1);
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(instances_that_do_not_fit_together_are_refused) {
    GltfFile file = { 0 };
    gltf_add(&file, triangle, 3, GLTF_FLOAT, "VEC3");
    gltf_add(&file, triangle, 2, GLTF_FLOAT, "VEC3");
    gltf_add_accessor(&file, "\"componentType\":5126,\"count\":90,\"type\":\"VEC3\"");
#define INSTANCES(text)                                                                                      \
    MESH "'nodes':[{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{" text "}}}}]"
    expect_refused(&file, INSTANCES("'TRANSLATION':0,'SCALE':1"),
                   "robot.glb: node 0: SCALE has 2 instances, but another attribute 3");
    expect_refused(&file, INSTANCES("'ROTATION':0"), "node 0: ROTATION");
    gltf_free(&file);
}

// A small file must not ask for millions of nodes.
FILO_TEST(instances_have_a_limit) {
    GltfFile file = { 0 };
    FiloBuilder text = { 0 };
    void *zero = calloc(20000, 12);
    gltf_add(&file, zero, 20000, GLTF_FLOAT, "VEC3");
    for (int i = 0; i < 60; i++)
        filo_builder_printf(&text, "%s{'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{'SCALE':0}}}}",
                            i == 0 ? "'nodes':[" : ",");
    filo_builder_add_text(&text, "]");
    expect_refused(&file, filo_builder_text(&text),
                   "robot.glb: node 52: there are more than 1048576 instances");
    filo_builder_deinit(&text);
    free(zero);
    gltf_free(&file);
}

// ---- Compressed buffer views ------------------------------------------------------------------------------

typedef struct View {
    const char *mode, *filter;
    size_t stride, count;
} View;

// Adds compressed bytes, and a view that says what they are. Returns the view.
static uint32_t add_compressed(GltfFile *file, const void *bytes, size_t size, View view) {
    while (file->binary.length % 4 != 0) filo_builder_add_byte(&file->binary, '\0');
    size_t offset = file->binary.length;
    filo_builder_add(&file->binary, filo_string_from(bytes, size));
    filo_builder_printf(
        &file->views,
        "%s{\"buffer\":0,\"byteLength\":%zu,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"
        "\"byteOffset\":%zu,\"byteLength\":%zu,\"byteStride\":%zu,\"count\":%zu,\"mode\":\"%s\","
        "\"filter\":\"%s\"}}}",
        file->view_count > 0 ? "," : "", view.stride * view.count, offset, size, view.stride, view.count,
        view.mode, view.filter);
    return file->view_count++;
}

FILO_TEST(buffer_views_are_decompressed) {
    GltfFile file = { 0 };
    unsigned char bytes[4][256];
    static const unsigned corners[] = { 0, 1, 2 };
    size_t a = meshopt_encodeVertexBuffer(bytes[0], sizeof bytes[0], triangle, 3, 12);
    size_t b = meshopt_encodeIndexBuffer(bytes[1], sizeof bytes[1], corners, 3);
    add_compressed(&file, bytes[0], a, (View){ "ATTRIBUTES", "NONE", 12, 3 });
    add_compressed(&file, bytes[1], b, (View){ "TRIANGLES", "NONE", 2, 3 });
    // Normals as four signed bytes, by the octahedral filter.
    static const float normals[] = { 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0 };
    unsigned char packed[12];
    meshopt_encodeFilterOct(packed, 3, 4, 8, normals);
    size_t c = meshopt_encodeVertexBuffer(bytes[2], sizeof bytes[2], packed, 3, 4);
    add_compressed(&file, bytes[2], c, (View){ "ATTRIBUTES", "OCTAHEDRAL", 4, 3 });
    size_t d = meshopt_encodeIndexSequence(bytes[3], sizeof bytes[3], corners, 3);
    add_compressed(&file, bytes[3], d, (View){ "INDICES", "NONE", 4, 3 });
    gltf_add_accessor(&file, "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"");
    gltf_add_accessor(&file, "\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"");
    gltf_add_accessor(
        &file, "\"bufferView\":2,\"componentType\":5120,\"count\":3,\"type\":\"VEC3\",\"normalized\":true");
    gltf_add_accessor(&file, "\"bufferView\":3,\"componentType\":5125,\"count\":3,\"type\":\"SCALAR\"");
    FiloModel *model =
        gltf_decode(&file, "'extensionsRequired':['EXT_meshopt_compression'],'meshes':[{'primitives':[{"
                           "'attributes':{'POSITION':0,'NORMAL':2},'indices':1},{'attributes':{"
                           "'POSITION':0,'NORMAL':2},'indices':3}]}]");
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_int_equal(mesh->index_count, 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_memory_equal(&mesh->positions[mesh->indices[i]], &triangle[(i % 3) * 3], 12);
    assert_vec3(mesh->normals[mesh->indices[0]], 0, 0, 1);
    assert_vec3(mesh->normals[mesh->indices[1]], 0, 1, 0);
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(damaged_compressed_views_are_refused) {
    static const struct {
        View view;
        size_t size;
        const char *message;
    } cases[] = {
        { { "ATTRIBUTES", "NONE", 12, 3 }, 8, "buffer view 0: its compressed bytes are damaged" },
        { { "TRIANGLES", "NONE", 2, 3 }, 8, "buffer view 0: its compressed bytes are damaged" },
        { { "INDICES", "NONE", 4, 3 }, 8, "buffer view 0: its compressed bytes are damaged" },
        { { "ATTRIBUTES", "NONE", 6, 3 }, 8, "3 compressed elements of 6 bytes are not possible" },
        { { "ATTRIBUTES", "NONE", 0, 3 }, 8, "3 compressed elements of 0 bytes are not possible" },
        { { "ATTRIBUTES", "NONE", 260, 3 }, 8, "3 compressed elements of 260 bytes are not possible" },
        { { "ATTRIBUTES", "OCTAHEDRAL", 12, 3 }, 8, "3 compressed elements of 12 bytes are not possible" },
        { { "ATTRIBUTES", "QUATERNION", 4, 3 }, 8, "3 compressed elements of 4 bytes are not possible" },
        { { "TRIANGLES", "NONE", 2, 4 }, 8, "4 compressed elements of 2 bytes are not possible" },
        { { "TRIANGLES", "NONE", 3, 3 }, 8, "3 compressed elements of 3 bytes are not possible" },
        { { "TRIANGLES", "EXPONENTIAL", 4, 3 }, 8, "3 compressed elements of 4 bytes are not possible" },
        { { "LINES", "NONE", 4, 3 }, 8, "in a mode or by a filter that is not known" },
        { { "ATTRIBUTES", "COLOR", 4, 3 }, 8, "in a mode or by a filter that is not known" },
        { { "ATTRIBUTES", "NONE", 4, (size_t)1 << 40 }, 8, "1099511627776 elements are too many" },
        { { "ATTRIBUTES", "NONE", 256, 0xFFFFFFF }, 8, "robot.glb" }, // beyond the limit of memory
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        GltfFile file = { 0 };
        add_compressed(&file, "no mesh.", cases[i].size, cases[i].view);
        expect_refused(&file, "'nodes':[]", cases[i].message);
        gltf_free(&file);
    }
}

// The buffer that would have the bytes without the extension may have none.
FILO_TEST(a_fallback_buffer_has_no_bytes) {
    FiloModel *model =
        decode("'buffers':[{'byteLength':90000,'extensions':{'EXT_meshopt_compression':{'fallback':true}}}]");
    assert_int_equal(model->mesh_count, 0);
    filo_model_destroy(model);
}
