// glTF: materials, images, the tree of nodes, skins, cameras and lights. Expectations are computed by hand.

#include "model/gltf_files.h"
#include "support/warnings.h"

static void assert_vec3(FiloVec3 v, float x, float y, float z) {
    assert_float_equal(v.x, x, 1e-6f);
    assert_float_equal(v.y, y, 1e-6f);
    assert_float_equal(v.z, z, 1e-6f);
}

// A model without buffers.
static FiloModel *decode(const char *rest) {
    GltfFile file = { 0 };
    FiloModel *model = gltf_decode(&file, rest);
    gltf_free(&file);
    return model;
}

// ---- Materials ------------------------------------------------------------------------------------------

FILO_TEST(an_empty_material_has_the_defaults_of_gltf) {
    FiloModel *model = decode("'materials':[{}]");
    const FiloModelMaterial *m = &model->materials[0];
    assert_string_equal(m->name, "material");
    assert_float_equal(m->color.x + m->color.y + m->color.z + m->color.w, 4, 0);
    assert_float_equal(m->metallic, 1, 0);
    assert_float_equal(m->roughness, 1, 0);
    assert_vec3(m->emissive, 0, 0, 0);
    assert_int_equal(m->mode, FILO_SURFACE_OPAQUE);
    assert_float_equal(m->cutoff, 0.5, 0);
    assert_false(m->double_sided || m->unlit);
    assert_true(m->color_map.image == FILO_MODEL_NONE && m->normal_map.image == FILO_MODEL_NONE);
    assert_true(m->emissive_map.image == FILO_MODEL_NONE && m->occlusion_map.image == FILO_MODEL_NONE);
    assert_float_equal(m->color_map.uv_scale.x, 1, 0);
    filo_model_destroy(model);
}

FILO_TEST(a_material_has_all_its_numbers_and_textures) {
    FiloModel *model = decode(
        "'images':[{'uri':'skin%20of%20brass.png'},{'uri':'maps/../b.jpg','name':'Bumps'}],"
        "'samplers':[{'magFilter':9728,'wrapS':33071,'wrapT':33071},{'magFilter':9729,'wrapS':33071,'wrapT':"
        "10497}],"
        "'textures':[{'source':0},{'source':1,'sampler':0},{'source':0,'sampler':1}],"
        "'materials':[{'name':'Brass','pbrMetallicRoughness':{'baseColorFactor':[0.1,0.2,0.3,0.4],'"
        "metallicFactor':0.5,"
        "'roughnessFactor':0.25,'baseColorTexture':{'index':0,'extensions':{'KHR_texture_transform':{'offset'"
        ":[0.5,0.25],"
        "'scale':[2,3]}}},'metallicRoughnessTexture':{'index':2}},'normalTexture':{'index':1,'scale':0.75},"
        "'occlusionTexture':{'index':0,'strength':0.5},'emissiveTexture':{'index':1},'emissiveFactor':[1,0.5,"
        "0],"
        "'alphaMode':'MASK','alphaCutoff':0.3,'doubleSided':true,"
        "'extensions':{'KHR_materials_emissive_strength':{'emissiveStrength':4},'KHR_materials_unlit':{}}},"
        "{'alphaMode':'BLEND'}],'extensionsRequired':['KHR_materials_unlit','KHR_texture_transform',"
        "'KHR_materials_emissive_strength']");
    const FiloModelMaterial *m = &model->materials[0];
    assert_string_equal(m->name, "Brass");
    assert_float_equal(m->color.w, 0.4f, 0);
    assert_float_equal(m->metallic, 0.5f, 0);
    assert_float_equal(m->roughness, 0.25f, 0);
    assert_vec3(m->emissive, 4, 2, 0);
    assert_int_equal(m->mode, FILO_SURFACE_MASK);
    assert_float_equal(m->cutoff, 0.3f, 0);
    assert_true(m->double_sided && m->unlit);
    assert_int_equal(m->color_map.image, 0);
    assert_int_equal(m->color_map.wrap_u, FILO_WRAP_REPEAT);
    assert_false(m->color_map.nearest);
    assert_float_equal(m->color_map.uv_offset.y, 0.25f, 0);
    assert_float_equal(m->color_map.uv_scale.y, 3, 0);
    assert_int_equal(m->normal_map.image, 1);
    assert_float_equal(m->normal_map.scale, 0.75f, 0);
    assert_true(m->normal_map.wrap_u == FILO_WRAP_CLAMP && m->normal_map.wrap_v == FILO_WRAP_CLAMP &&
                m->normal_map.nearest);
    assert_float_equal(m->occlusion_map.scale, 0.5f, 0);
    assert_int_equal(m->metallic_roughness_map.wrap_u, FILO_WRAP_CLAMP);
    assert_int_equal(m->metallic_roughness_map.wrap_v, FILO_WRAP_REPEAT);
    assert_int_equal(m->emissive_map.image, 1);
    assert_int_equal(model->materials[1].mode, FILO_SURFACE_BLEND);
    assert_int_equal(model->image_count, 2);
    assert_string_equal(model->images[0].path, "skin of brass.png");
    assert_string_equal(model->images[0].name, "skin of brass");
    assert_string_equal(model->images[1].path, "b.jpg");
    assert_string_equal(model->images[1].name, "Bumps");
    assert_null(model->images[0].bytes);
    filo_model_destroy(model);
}

FILO_TEST(embedded_images_are_copied_from_views_and_uris) {
    static const char picture[] = "\x89PNG of no use";
    GltfFile file = { 0 };
    char rest[512], *uri = gltf_data_uri(picture, sizeof picture, "image/png");
    uint32_t view = gltf_add_view(&file, picture, sizeof picture, 0);
    snprintf(rest, sizeof rest, "'images':[{'bufferView':%u,'mimeType':'image/png','name':'A'},{'uri':'%s'}]",
             view, uri);
    FiloModel *model = gltf_decode(&file, rest);
    memset(file.bytes.data, 0, file.bytes.length); // the model needs nothing of the file
    for (int i = 0; i < 2; i++) {
        assert_null(model->images[i].path);
        assert_int_equal(model->images[i].size, sizeof picture);
        assert_memory_equal(model->images[i].bytes, picture, sizeof picture);
    }
    assert_string_equal(model->images[0].name, "A");
    assert_string_equal(model->images[1].name, "image");
    filo_model_destroy(model);
    free(uri);
    gltf_free(&file);
}

// ---- Nodes ----------------------------------------------------------------------------------------------

FILO_TEST(nodes_are_ordered_parents_first) {
    FiloModel *model =
        decode("'nodes':[{'name':'leaf'},{'name':'branch','children':[0,3]},{'name':'trunk','children':[1]},"
               "{'name':'bud'},{'name':'stone'}],'scenes':[{'nodes':[4,2]}]");
    static const char *const names[] = { "stone", "trunk", "branch", "leaf", "bud" };
    const uint32_t parents[] = { FILO_MODEL_NONE, FILO_MODEL_NONE, 1, 2, 2 };
    assert_int_equal(model->node_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(model->nodes[i].name, names[i]);
        assert_true(model->nodes[i].parent == parents[i]);
        assert_true(model->skeleton.parents[i] == parents[i]);
        assert_int_equal(filo_skeleton_find(&model->skeleton, names[i]), i);
    }
    assert_true(filo_skeleton_find(&model->skeleton, "root") == UINT32_MAX);
    filo_model_destroy(model);
}

FILO_TEST(only_nodes_of_the_default_scene_are_read) {
    FiloModel *model =
        decode("'nodes':[{'name':'a'},{'name':'b'}],'scenes':[{'nodes':[0]},{'nodes':[1]}],'scene':1");
    assert_int_equal(model->node_count, 1);
    assert_string_equal(model->nodes[0].name, "b");
    filo_model_destroy(model);
    model = decode("'nodes':[{'name':'a'},{'name':'b'}]"); // without scenes, all
    assert_int_equal(model->node_count, 2);
    filo_model_destroy(model);
}

FILO_TEST(names_are_unique_and_never_empty) {
    FiloModel *model =
        decode("'nodes':[{'name':'Leg'},{'name':'Leg'},{},{'name':''},{'name':'Leg.2'},{'name':'\\u00e4'}]");
    static const char *const names[] = { "Leg", "Leg.2", "node", "node.2", "Leg.2.2", "ä" };
    for (uint32_t i = 0; i < 6; i++) assert_string_equal(model->nodes[i].name, names[i]);
    filo_model_destroy(model);
}

FILO_TEST(matrices_become_position_rotation_and_scale) {
    // Scaled by 2, 3 and 4, turned by 90 degrees about z, moved.
    FiloModel *model = decode("'nodes':[{'matrix':[0,2,0,0, -3,0,0,0, 0,0,4,0, 5,6,7,1]},"
                              "{'matrix':[-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]},"
                              "{'matrix':[2,0,0,0, 0,0,0,0, 0,0,2,0, 0,0,0,1]}]");
    const FiloModelNode *n = &model->nodes[0];
    assert_vec3(n->position, 5, 6, 7);
    assert_vec3(n->scale, 2, 3, 4);
    assert_float_equal(n->rotation.z, 0.70710678f, 1e-6f);
    assert_float_equal(n->rotation.w, 0.70710678f, 1e-6f);
    FiloMat4 back = filo_model_node_matrix(model, 0);
    const float expected[] = { 0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1 };
    for (int i = 0; i < 16; i++) assert_float_equal(back.m[i], expected[i], 1e-5f);
    assert_vec3(model->nodes[1].scale, -1, 1, 1); // a mirror
    assert_vec3(filo_quat_rotate(model->nodes[1].rotation, filo_vec3(0, 1, 0)), 0, 1, 0);
    assert_vec3(model->nodes[2].scale, 2, 0, 2); // flattened
    assert_vec3(filo_quat_rotate(model->nodes[2].rotation, filo_vec3(0, 0, 1)), 0, 0, 1);
    filo_model_destroy(model);
}

FILO_TEST(a_shear_is_left_out_with_a_warning) {
    FiloModel *model = NULL;
    expect_warning("robot.glb: left out: the shear of a matrix (node 0)",
                   model = decode("'nodes':[{'matrix':[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1]}]"));
    filo_model_destroy(model);
}

FILO_TEST(rotations_are_normalised) {
    FiloModel *model = decode("'nodes':[{'rotation':[0,0,3,4]},{'rotation':[0,0,0,0]},{'scale':[1,2,3]}]");
    assert_float_equal(model->nodes[0].rotation.z, 0.6f, 1e-6f);
    assert_float_equal(model->nodes[0].rotation.w, 0.8f, 1e-6f);
    assert_float_equal(model->nodes[1].rotation.w, 1, 0);
    assert_vec3(model->nodes[2].scale, 1, 2, 3);
    filo_model_destroy(model);
}

FILO_TEST(a_deep_tree_needs_no_deep_stack) {
    enum { DEPTH = 20000 };
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, "'nodes':[");
    for (int i = 0; i < DEPTH; i++) filo_builder_printf(&text, "{'children':[%d]},", i + 1);
    filo_builder_add_text(&text, "{}]");
    FiloModel *model = decode(filo_builder_text(&text));
    assert_int_equal(model->node_count, DEPTH + 1);
    assert_int_equal(model->nodes[DEPTH].parent, DEPTH - 1);
    filo_model_destroy(model);
    filo_builder_deinit(&text);
}

// ---- Cameras and lights ---------------------------------------------------------------------------------

FILO_TEST(cameras_are_read) {
    FiloModel *model = decode(
        "'cameras':[{'type':'perspective','name':'Eye','perspective':{'yfov':0.8,'znear':0.1,'zfar':100}},"
        "{'type':'orthographic','orthographic':{'xmag':3,'ymag':2,'znear':0,'zfar':50}},"
        "{'type':'perspective','perspective':{'yfov':1,'znear':0.5}}],"
        "'nodes':[{'camera':1}]");
    const FiloModelCamera *c = model->cameras;
    assert_int_equal(model->camera_count, 3);
    assert_string_equal(c[0].name, "Eye");
    assert_false(c[0].orthographic);
    assert_float_equal(c[0].field_of_view, 0.8f, 0);
    assert_float_equal(c[0].far, 100, 0);
    assert_true(c[1].orthographic);
    assert_float_equal(c[1].height, 4, 0);
    assert_float_equal(c[2].far, 0, 0);
    assert_int_equal(model->nodes[0].camera, 1);
    filo_model_destroy(model);
}

FILO_TEST(lights_are_read) {
    FiloModel *model = decode("'extensions':{'KHR_lights_punctual':{'lights':[{'type':'directional','"
                              "intensity':3,'color':[1,0.5,0.25]},"
                              "{'type':'point','range':10,'name':'Lamp'},{'type':'spot','spot':{'"
                              "innerConeAngle':0.1,'outerConeAngle':0.6}},"
                              "{'type':'spot'}]}},'extensionsRequired':['KHR_lights_punctual'],"
                              "'nodes':[{'extensions':{'KHR_lights_punctual':{'light':2}}}]");
    const FiloModelLight *l = model->lights;
    assert_int_equal(model->light_count, 4);
    assert_int_equal(l[0].kind, FILO_MODEL_SUN);
    assert_float_equal(l[0].intensity, 3, 0);
    assert_vec3(l[0].color, 1, 0.5f, 0.25f);
    assert_int_equal(l[1].kind, FILO_MODEL_POINT);
    assert_float_equal(l[1].range, 10, 0);
    assert_float_equal(l[1].intensity, 1, 0);
    assert_string_equal(l[1].name, "Lamp");
    assert_int_equal(l[2].kind, FILO_MODEL_SPOT);
    assert_float_equal(l[2].inner_angle, 0.1f, 0);
    assert_float_equal(l[2].outer_angle, 0.6f, 0);
    assert_float_equal(l[3].outer_angle, FILO_PI / 4, 1e-6f);
    assert_int_equal(model->nodes[0].light, 2);
    filo_model_destroy(model);
}

// ---- Skins ----------------------------------------------------------------------------------------------

#define SKINNED                                                                                              \
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':0,'JOINTS_0':1,'WEIGHTS_0':2}}]}],"       \
    "'skins':[{'name':'Bones','joints':[2,1],'inverseBindMatrices':3,'skeleton':1}],"                        \
    "'nodes':[{'mesh':0,'skin':0},{'name':'hip','children':[2],'translation':[0,1,0]},"                      \
    "{'name':'knee','translation':[0,2,0]}],'scenes':[{'nodes':[0]}]"

static void add_skin(GltfFile *file, const uint8_t *joints) {
    static const float positions[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    static const uint8_t weights[] = { 255, 0, 0, 0, 51, 51, 0, 0, 0, 0, 0, 0 };
    static const float bind[] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -3, 0, 1,
                                  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1 };
    gltf_add(file, positions, 3, GLTF_FLOAT, "VEC3");
    gltf_add(file, joints, 3, GLTF_UINT8, "VEC4");
    gltf_add_normalised(file, weights, 3, GLTF_UINT8, "VEC4");
    gltf_add(file, bind, 2, GLTF_FLOAT, "MAT4");
}

FILO_TEST(a_skin_has_its_joints_in_the_order_of_the_model) {
    GltfFile file = { 0 };
    add_skin(&file, (uint8_t[]){ 1, 9, 9, 9, 0, 1, 9, 0, 1, 0, 0, 0 });
    FiloModel *model = gltf_decode(&file, SKINNED);
    // The joints are not in the scene; their tree is added.
    assert_int_equal(model->node_count, 3);
    uint32_t hip = filo_model_find_node(model, "hip"), knee = filo_model_find_node(model, "knee");
    const FiloSkin *skin = &model->skins[0];
    assert_string_equal(skin->name, "Bones");
    assert_int_equal(skin->joint_count, 2);
    assert_int_equal(skin->joints[0], knee);
    assert_int_equal(skin->joints[1], hip);
    assert_int_equal(skin->root, hip);
    assert_true(model->nodes[hip].joint && model->nodes[knee].joint && !model->nodes[0].joint);
    assert_float_equal(skin->inverse_bind[0].m[7], -3, 0); // y of the translation
    assert_float_equal(skin->inverse_bind[1].m[7], -1, 0);
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_ok(filo_mesh_check(mesh, "mesh"));
    // Joints without weight become 0, and weights have the sum 1.
    assert_memory_equal(&mesh->joints[0], ((uint16_t[]){ 1, 0, 0, 0 }), 8);
    assert_float_equal(mesh->weights[0].x, 1, 0);
    assert_float_equal(mesh->weights[1].x, 0.5f, 1e-6f);
    assert_float_equal(mesh->weights[1].y, 0.5f, 1e-6f);
    assert_float_equal(mesh->weights[2].x, 1, 0); // no weight at all
    assert_int_equal(mesh->joints[2].index[0], 1);
    // At rest the matrices of the skin are the identity.
    FiloPose pose;
    FiloMat34 matrices[3], joints[2];
    assert_ok(filo_pose_create(&pose, &model->skeleton, NULL));
    filo_pose_matrices(&pose, &model->skeleton, matrices);
    filo_skin_matrices(skin, matrices, joints);
    const FiloMat34 identity = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 } };
    for (int i = 0; i < 2; i++) assert_memory_equal(&joints[i], &identity, sizeof identity);
    filo_pose_free(&pose, NULL);
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(the_scale_of_the_options_changes_all_lengths) {
    GltfFile file = { 0 };
    add_skin(&file, (uint8_t[]){ 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0 });
    FiloModel *model;
    assert_ok(gltf_try(&file, &model, SKINNED, &(FiloModelOptions){ .scale = 10 }));
    assert_vec3(model->meshes[0].data.positions[1], 10, 0, 0);
    assert_vec3(model->nodes[filo_model_find_node(model, "knee")].position, 0, 20, 0);
    assert_float_equal(model->skins[0].inverse_bind[0].m[7], -30, 0);
    assert_float_equal(model->skins[0].inverse_bind[0].m[0], 1, 0);
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(more_than_four_joints_of_a_vertex_are_left_out_with_a_warning) {
    GltfFile file = { 0 };
    add_skin(&file, (uint8_t[]){ 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0 });
    FiloModel *model = NULL;
    expect_warning("robot.glb: left out: joints of a vertex beyond four (mesh 0: primitive 0)",
                   model = gltf_decode(
                       &file, "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':0,'JOINTS_0':1,"
                              "'WEIGHTS_0':2,'JOINTS_1':1,'WEIGHTS_1':2}}]}]"));
    filo_model_destroy(model);
    gltf_free(&file);
}
