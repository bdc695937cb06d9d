// glTF: animations, which are sampled at a constant rate. Expectations are computed by hand.

#include "model/gltf_files.h"
#include "support/warnings.h"

#define NODES "'nodes':[{'name':'root','children':[1]},{'name':'arm','translation':[1,2,3]}],"

// A model whose only clip moves node 1 along `path`, by accessors 0 and 1.
static FiloModel *decode_clip(GltfFile *file, const char *path, const char *interpolation) {
    char rest[512];
    snprintf(rest, sizeof rest,
             NODES "'animations':[{'name':'Wave','channels':[{'sampler':0,'target':{'node':1,'path':'%s'}}],"
                   "'samplers':[{'input':0,'output':1,'interpolation':'%s'}]}]",
             path, interpolation);
    FiloModel *model = gltf_decode(file, rest);
    gltf_free(file);
    return model;
}

static FiloVec3 position_at(const FiloModel *model, float seconds) {
    FiloPose pose;
    assert_ok(filo_pose_create(&pose, &model->skeleton, NULL));
    filo_pose_sample(&pose, &model->skeleton, &model->clips[0], seconds);
    FiloVec3 position = pose.positions[1];
    filo_pose_free(&pose, NULL);
    return position;
}

FILO_TEST(linear_keys_are_met_exactly_and_blended_between) {
    GltfFile file = { 0 };
    gltf_add(&file, (float[]){ 0, 0.5f, 1 }, 3, GLTF_FLOAT, "SCALAR");
    gltf_add(&file, (float[]){ 0, 0, 0, 1, 0, 0, 1, 4, 0 }, 3, GLTF_FLOAT, "VEC3");
    FiloModel *model = decode_clip(&file, "translation", "LINEAR");
    const FiloClip *clip = &model->clips[0];
    assert_int_equal(filo_model_find_clip(model, "Wave"), 0);
    assert_float_equal(clip->seconds, 1, 0);
    assert_float_equal(clip->rate, 30, 0);
    assert_int_equal(clip->row_count, 31);
    assert_int_equal(clip->position_count, 1);
    assert_int_equal(clip->position_nodes[0], 1);
    assert_int_equal(clip->rotation_count + clip->scale_count, 0);
    assert_float_equal(position_at(model, 0).x, 0, 0);
    assert_float_equal(position_at(model, 0.5f).x, 1, 0);
    assert_float_equal(position_at(model, 0.25f).x, 0.5f, 1e-6f);
    assert_float_equal(position_at(model, 0.75f).y, 2, 1e-5f);
    assert_float_equal(position_at(model, 1).y, 4, 0);
    assert_float_equal(position_at(model, 99).y, 4, 0);
    assert_float_equal(position_at(model, -1).x, 0, 0);
    filo_model_destroy(model);
}

FILO_TEST(the_rate_is_one_at_which_every_key_is_a_sample) {
    static const struct {
        float times[3], rate;
        uint32_t rows;
    } cases[] = {
        { { 0, 1.0f / 24, 2.0f / 24 }, 24, 3 },
        { { 0, 1.0f / 25, 1 }, 25, 26 },
        { { 0, 1.0f / 60, 0.5f }, 60, 31 },
        { { 0.1f, 0.2f, 0.3f }, 30, 10 },
        { { 0, 0.111f, 1 }, 60, 61 }, // at no rate: 60
        { { 0, 0.111f, 0.25f }, 60, 16 },
        { { 0, 0.111f, 0.255f }, 16.0f / 0.255f, 17 }, // the end is a sample
        { { 0, 0.001f, 0.0015f }, 1 / 0.0015f, 2 },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        GltfFile file = { 0 };
        gltf_add(&file, cases[i].times, 3, GLTF_FLOAT, "SCALAR");
        gltf_add(&file, (float[]){ 0, 0, 0, 1, 0, 0, 2, 0, 0 }, 3, GLTF_FLOAT, "VEC3");
        FiloModel *model = decode_clip(&file, "translation", "LINEAR");
        const FiloClip *clip = &model->clips[0];
        assert_float_equal(clip->rate, cases[i].rate, 1e-3f);
        assert_int_equal(clip->row_count, cases[i].rows);
        assert_float_equal(clip->seconds, cases[i].times[2], 0);
        assert_float_equal(position_at(model, clip->seconds).x, 2, 0);
        filo_model_destroy(model);
    }
}

FILO_TEST(steps_change_at_their_key) {
    GltfFile file = { 0 };
    gltf_add(&file, (float[]){ 0, 1.0f / 3, 1 }, 3, GLTF_FLOAT, "SCALAR");
    gltf_add(&file, (float[]){ 1, 1, 1, 2, 1, 1, 3, 1, 1 }, 3, GLTF_FLOAT, "VEC3");
    FiloModel *model = decode_clip(&file, "scale", "STEP");
    const FiloClip *clip = &model->clips[0];
    assert_int_equal(clip->scale_count, 1);
    for (uint32_t row = 0; row < clip->row_count; row++)
        assert_float_equal(clip->scales[row].x, row < 10 ? 1 : row < 30 ? 2 : 3, 0);
    filo_model_destroy(model);
}

FILO_TEST(cubic_splines_use_their_tangents) {
    GltfFile file = { 0 };
    gltf_add(&file, (float[]){ 0, 2 }, 2, GLTF_FLOAT, "SCALAR");
    // Tangent, value, tangent of each key. From 0 with a slope of 3 a second to 1 with a slope of 0.
    gltf_add(&file, (float[]){ 9, 9, 9, 0, 0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 9, 9, 9 }, 6, GLTF_FLOAT, "VEC3");
    FiloModel *model = decode_clip(&file, "translation", "CUBICSPLINE");
    assert_float_equal(position_at(model, 0).x, 0, 0);
    // (2t³ − 3t² + 1) 0 + (t³ − 2t² + t) 2 · 3 + (3t² − 2t³) 1 at t = 1/2: 0.75 + 0.5.
    assert_float_equal(position_at(model, 1).x, 1.25f, 1e-6f);
    assert_float_equal(position_at(model, 0.5f).x, 6 * (0.015625f - 0.125f + 0.25f) + 0.1875f - 0.03125f,
                       1e-5f);
    assert_float_equal(position_at(model, 2).x, 1, 0);
    filo_model_destroy(model);
}

FILO_TEST(rotations_follow_the_shorter_arc_at_a_constant_speed) {
    GltfFile file = { 0 };
    gltf_add(&file, (float[]){ 0, 1 }, 2, GLTF_FLOAT, "SCALAR");
    // By 120 degrees about z; the second quaternion is the negative one.
    gltf_add(&file, (float[]){ 0, 0, 0, 1, 0, 0, -0.8660254f, -0.5f }, 2, GLTF_FLOAT, "VEC4");
    FiloModel *model = decode_clip(&file, "rotation", "LINEAR");
    const FiloClip *clip = &model->clips[0];
    for (uint32_t row = 0; row < clip->row_count; row++) {
        float half = (float)row / 30.0f * FILO_PI / 3.0f;
        assert_float_equal(clip->rotations[row].z, filo_sin(half), 2e-6f);
        assert_float_equal(clip->rotations[row].w, filo_cos(half), 2e-6f);
        if (row > 0) assert_true(filo_quat_dot(clip->rotations[row], clip->rotations[row - 1]) > 0);
    }
    filo_model_destroy(model);
}

FILO_TEST(normalised_integers_are_rotations_too) {
    GltfFile file = { 0 };
    gltf_add(&file, (float[]){ 0, 1 }, 2, GLTF_FLOAT, "SCALAR");
    gltf_add_normalised(&file, (int16_t[]){ 0, 0, 0, 32767, 0, 23170, 0, 23170 }, 2, GLTF_INT16, "VEC4");
    FiloModel *model = decode_clip(&file, "rotation", "LINEAR");
    FiloQuat last = model->clips[0].rotations[30];
    assert_float_equal(last.y, 0.70710678f, 1e-4f);
    assert_float_equal(filo_quat_dot(last, last), 1, 1e-6f);
    filo_model_destroy(model);
}

FILO_TEST(a_channel_that_repeats_the_rest_pose_is_left_out) {
    GltfFile file = { 0 };
    gltf_add(&file, (float[]){ 0, 1 }, 2, GLTF_FLOAT, "SCALAR");
    gltf_add(&file, (float[]){ 1, 2, 3, 1, 2, 3 }, 2, GLTF_FLOAT, "VEC3");
    FiloModel *model = decode_clip(&file, "translation", "LINEAR");
    assert_int_equal(model->clips[0].position_count, 0);
    assert_float_equal(model->clips[0].seconds, 1, 0);
    assert_float_equal(position_at(model, 0.5f).z, 3, 0);
    filo_model_destroy(model);
}

FILO_TEST(a_spline_that_leaves_the_rest_pose_between_its_keys_is_kept) {
    for (int slope = 0; slope < 2; slope++) {
        GltfFile file = { 0 };
        float s = (float)slope;
        gltf_add(&file, (float[]){ 0, 1 }, 2, GLTF_FLOAT, "SCALAR");
        gltf_add(&file, (float[]){ 0, 0, 0, 1, 2, 3, s, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0 }, 6, GLTF_FLOAT,
                 "VEC3");
        FiloModel *model = decode_clip(&file, "translation", "CUBICSPLINE");
        assert_int_equal(model->clips[0].position_count, slope);
        assert_float_equal(position_at(model, 0.5f).x, 1 + 0.125f * s, 1e-6f);
        filo_model_destroy(model);
    }
}

FILO_TEST(a_single_key_is_a_clip_of_one_sample) {
    GltfFile file = { 0 };
    gltf_add(&file, (float[]){ 0 }, 1, GLTF_FLOAT, "SCALAR");
    gltf_add(&file, (float[]){ 7, 8, 9 }, 1, GLTF_FLOAT, "VEC3");
    FiloModel *model = decode_clip(&file, "translation", "LINEAR");
    assert_int_equal(model->clips[0].row_count, 1);
    assert_float_equal(model->clips[0].seconds, 0, 0);
    assert_float_equal(position_at(model, 0).x, 7, 0);
    assert_float_equal(position_at(model, 1).x, 7, 0);
    filo_model_destroy(model);
}

FILO_TEST(before_its_first_key_a_channel_has_that_value) {
    GltfFile file = { 0 };
    gltf_add(&file, (float[]){ 1, 2 }, 2, GLTF_FLOAT, "SCALAR");
    gltf_add(&file, (float[]){ 5, 0, 0, 6, 0, 0 }, 2, GLTF_FLOAT, "VEC3");
    FiloModel *model = decode_clip(&file, "translation", "LINEAR");
    assert_float_equal(position_at(model, 0).x, 5, 0);
    assert_float_equal(position_at(model, 0.5f).x, 5, 0);
    assert_float_equal(position_at(model, 1.5f).x, 5.5f, 1e-6f);
    filo_model_destroy(model);
}

FILO_TEST(channels_of_nodes_outside_the_scene_and_of_weights_are_left_out) {
    GltfFile file = { 0 };
    gltf_add(&file, (float[]){ 0, 1 }, 2, GLTF_FLOAT, "SCALAR");
    gltf_add(&file, (float[]){ 5, 0, 0, 6, 0, 0 }, 2, GLTF_FLOAT, "VEC3");
    FiloModel *model = gltf_decode(
        &file, NODES "'scenes':[{'nodes':[]}],'animations':[{'samplers':[{'input':0,'output':1}],'channels':["
                     "{'sampler':0,'target':{'node':1,'path':'translation'}},{'sampler':0,'target':{'node':1,"
                     "'path':'weights'}},"
                     "{'sampler':0,'target':{'path':'translation'}}]}]");
    assert_int_equal(model->node_count, 0);
    assert_int_equal(model->clip_count, 1);
    assert_int_equal(model->clips[0].position_count, 0);
    assert_string_equal(model->clips[0].name, "animation");
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(the_figure_and_the_lantern_of_the_gallery_are_sound) {
    static const char *const names[] = { "figure.glb", "lantern.glb" };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++) {
        char path[FILO_PATH_SIZE];
        snprintf(path, sizeof path, "%s/../../examples/gallery/assets/%s", FILO_TEST_SOURCES, names[i]);
        FiloModel *model = NULL;
        expect_no_warning(assert_ok(filo_model_load(&model, path, NULL)));
        assert_ok(filo_mesh_check(&model->meshes[0].data, names[i]));
        if (i == 0) {
            static const char *const clips[] = { "idle", "walk", "run", "wave" };
            for (size_t k = 0; k < 4; k++) assert_int_equal(filo_model_find_clip(model, clips[k]), k);
            assert_int_equal(model->skins[0].joint_count, 21);
            assert_float_equal(model->clips[1].rate, 30, 0);
            assert_int_equal(model->clips[1].event_count, 2);
            assert_string_equal(model->clips[1].event_names[0], "left step");
        } else {
            assert_int_equal(model->image_count, 4);
            assert_int_equal(model->light_count, 1);
            assert_non_null(model->meshes[0].data.tangents);
        }
        filo_model_destroy(model);
    }
}
