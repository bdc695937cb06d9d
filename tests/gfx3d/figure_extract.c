// Joint matrices of figures in GPU memory, on the null device.

#include "gfx3d/figure_fixture.h"
#include "gfx3d/figures/figures.h"
#include "support/failing_allocator.h"
#include "support/malloc_count.h"
#include "support/warnings.h"

typedef struct Scene {
    Figures figures;
    FiloGpu *gpu;
    FiloGfx3d *gfx;
    FiloEntity prefab, camera;
} Scene;

// It must not be moved. The camera looks along −z from z 10.
static void scene_open(Scene *scene, int threads) {
    figures_open(&scene->figures, threads);
    assert_ok(filo_gpu_create(&scene->gpu, &(FiloGpuDesc){ .kind = FILO_GPU_NULL }));
    assert_ok(filo_gfx3d_create(&scene->gfx, &(FiloGfx3dDesc){ .world = scene->figures.world,
                                                               .assets = scene->figures.assets,
                                                               .gpu = scene->gpu }));
    assert_ok(filo_gfx3d_prefab(&scene->prefab, scene->gfx, "robot.glb"));
    scene->camera = filo_create(scene->figures.world, FILO_SET(FiloTransform3, .position = { 0, 2, 10 }),
                                FILO_ADD(FiloCamera3));
}

static void scene_close(Scene *scene) {
    filo_gfx3d_destroy(scene->gfx);
    filo_gpu_destroy(scene->gpu);
    figures_close(&scene->figures);
}

// A robot without its own camera.
static FiloEntity scene_add(Scene *scene, const char *clip, FiloVec3 position) {
    FiloWorld *world = scene->figures.world;
    FiloEntity robot = filo_instance(world, scene->prefab, FILO_SET(FiloTransform3, .position = position));
    filo_entity_destroy(world, filo_figure_node(world, robot, "Eye"));
    filo_figure_play(filo_edit(world, robot, FiloFigure), filo_name(clip), 0);
    return robot;
}

static void extract(Scene *scene, float blend) {
    filo_gfx3d_extract(scene->gfx, &(FiloExtract3){ .width = 64, .height = 64, .blend = blend });
}

static void end_frame(Scene *scene) {
    filo_gfx3d_render(scene->gfx);
    filo_gpu_end_frame(scene->gpu);
}

static uint32_t first_joint(const Scene *scene, FiloEntity robot) {
    return gfx3d_figures_joints(scene->gfx, filo_figure_node(scene->figures.world, robot, "Body"));
}

// A matrix of the joint buffer, as the GPU has it.
static FiloMat34 joint_at(const Scene *scene, uint32_t index) {
    size_t size;
    FiloBuffer buffer = gfx3d_figures_buffer(scene->gfx);
    const FiloMat34 *matrices = filo_gpu_null_buffer_data(scene->gpu, buffer, &size);
    assert_true((index + 1) * sizeof *matrices <= size);
    return matrices[index];
}

static const FiloMat34 plain = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 } };

static void assert_moved(FiloMat34 matrix, float x, float y, float z) {
    assert_at(filo_vec3(matrix.m[3], matrix.m[7], matrix.m[11]), x, y, z);
}

// Draws a frame, in which the first joint of a robot is moved to a height.
static void expect_height(Scene *scene, FiloEntity robot, float blend, float y) {
    extract(scene, blend);
    assert_moved(joint_at(scene, first_joint(scene, robot)), 0, y, 0);
    end_frame(scene);
}

// ---- Matrices ---------------------------------------------------------------------------------------------------

FILO_TEST(joint_matrices_are_those_of_the_pose_between_two_ticks) {
    Scene scene;
    scene_open(&scene, 1);
    FiloEntity robot = scene_add(&scene, "raise", filo_vec3(0, 0, 0));
    figures_tick(&scene.figures, 0.25f);
    figures_tick(&scene.figures, 0.25f);
    static const float blends[] = { 1, 0.5f, 0 };
    for (size_t i = 0; i < FILO_COUNT_OF(blends); i++) {
        extract(&scene, blends[i]);
        uint32_t joint = first_joint(&scene, robot);
        assert_true(joint >= 256);
        // Hip rests at y 1, and is at y 1.5 at 0.25 s, y 2 at 0.5 s. Arm moves with it.
        assert_moved(joint_at(&scene, joint), 0, 0.5f + 0.5f * blends[i], 0);
        assert_moved(joint_at(&scene, joint + 1), 0, 0.5f + 0.5f * blends[i], 0);
        assert_int_equal(filo_gfx3d_stats(scene.gfx).figures, 1);
        end_frame(&scene);
    }
    scene_close(&scene);
}

FILO_TEST(a_clip_that_begins_again_is_blended_across_its_end) {
    Scene scene;
    scene_open(&scene, 1);
    FiloEntity robot = scene_add(&scene, "raise", filo_vec3(0, 0, 0));
    filo_edit(scene.figures.world, robot, FiloFigure)->time = 0.8f;
    figures_tick(&scene.figures, 0.4f);        // at 0.2
    expect_height(&scene, robot, 0.25f, 1.8f); // at 0.9
    scene_close(&scene);
}

FILO_TEST(a_clip_or_time_that_the_game_sets_is_not_blended) {
    Scene scene;
    scene_open(&scene, 1);
    FiloEntity robot = scene_add(&scene, "raise", filo_vec3(0, 0, 0));
    figures_tick(&scene.figures, 0.5f);
    filo_edit(scene.figures.world, robot, FiloFigure)->time = 0.9f;
    expect_height(&scene, robot, 0, 1.8f);
    filo_figure_play(filo_edit(scene.figures.world, robot, FiloFigure), filo_name("high"), 0);
    expect_height(&scene, robot, 0, 4);
    // A tick in which the system does not run shows no step either.
    filo_figure_play(filo_edit(scene.figures.world, robot, FiloFigure), filo_name("raise"), 0);
    figures_tick(&scene.figures, 0.5f);
    filo_system_set_enabled(scene.figures.world, filo_system_named(scene.figures.world, "animate figures"),
                            false);
    figures_tick(&scene.figures, 0.5f);
    expect_height(&scene, robot, 0, 1);
    scene_close(&scene);
}

FILO_TEST(a_fade_is_blended_between_two_ticks) {
    Scene scene;
    scene_open(&scene, 1);
    FiloEntity robot = scene_add(&scene, "high", filo_vec3(0, 0, 0));
    figures_tick(&scene.figures, 0.25f);
    filo_figure_play(filo_edit(scene.figures.world, robot, FiloFigure), filo_name("turn"), 1);
    figures_tick(&scene.figures, 0.5f); // half of y 5, half of y 1
    expect_height(&scene, robot, 1, 2);
    expect_height(&scene, robot, 0.5f, 3);
    expect_height(&scene, robot, 0, 4);
    scene_close(&scene);
}

FILO_TEST(figures_have_ranges_of_their_own_on_any_number_of_threads) {
    static const int threads[] = { 1, 2, 4 };
    for (size_t t = 0; t < FILO_COUNT_OF(threads); t++) {
        Scene scene;
        scene_open(&scene, threads[t]);
        enum { COUNT = 60 };
        FiloEntity robots[COUNT];
        for (int i = 0; i < COUNT; i++) {
            robots[i] = scene_add(&scene, i % 2 == 0 ? "raise" : "turn", filo_vec3(0, 0, (float)-i));
            filo_edit(scene.figures.world, robots[i], FiloFigure)->time = (float)i / COUNT;
        }
        figures_tick(&scene.figures, 1e-6f);
        extract(&scene, 1);
        assert_int_equal(filo_gfx3d_stats(scene.gfx).figures, COUNT);
        for (int i = 0; i < COUNT; i++)
            assert_moved(joint_at(&scene, first_joint(&scene, robots[i])), 0,
                         i % 2 == 0 ? 2 * (float)i / COUNT : 0, 0);
        end_frame(&scene);
        scene_close(&scene);
    }
}

FILO_TEST(skinned_meshes_without_a_figure_get_identities) {
    Scene scene;
    scene_open(&scene, 1);
    FiloEntity lonely = filo_create(
        scene.figures.world, FILO_SET(FiloMesh, .mesh = filo_name("robot.glb#Skin")), FILO_ADD(FiloSkinned));
    extract(&scene, 1);
    assert_int_equal(gfx3d_figures_joints(scene.gfx, lonely), 0);
    FiloMat34 found = joint_at(&scene, 0);
    assert_memory_equal(&found, &plain, sizeof plain);
    end_frame(&scene);
    scene_add(&scene, "raise", filo_vec3(0, 0, 0));
    figures_tick(&scene.figures, 0.5f);
    extract(&scene, 1);
    extract(&scene, 1); // a second time in a frame: behind the first
    assert_int_equal(gfx3d_figures_joints(scene.gfx, lonely), 0);
    for (uint32_t i = 0; i < 256; i++) {
        found = joint_at(&scene, i);
        assert_memory_equal(&found, &plain, sizeof plain);
    }
    end_frame(&scene);
    scene_close(&scene);
}

FILO_TEST(a_skin_that_the_model_does_not_have_is_logged_once) {
    Scene scene;
    scene_open(&scene, 1);
    FiloEntity robot = scene_add(&scene, "raise", filo_vec3(0, 0, 0));
    FiloEntity body = filo_figure_node(scene.figures.world, robot, "Body");
    filo_edit(scene.figures.world, body, FiloSkinned)->skin = 99;
    expect_warning("is drawn as it was modelled: it has skin 99, and \"robot.glb\" has 1, counted from 0",
                   extract(&scene, 1));
    end_frame(&scene);
    expect_no_warning(extract(&scene, 1));
    end_frame(&scene);
    scene_close(&scene);
}

FILO_TEST(a_second_extraction_in_a_frame_has_correct_indices) {
    Scene scene;
    scene_open(&scene, 1);
    FiloEntity robot = scene_add(&scene, "raise", filo_vec3(0, 0, 0));
    figures_tick(&scene.figures, 0.5f);
    for (int frame = 0; frame < 4; frame++) { // the ring grows after the first
        for (int i = 0; i < 3; i++) {
            extract(&scene, 1);
            assert_moved(joint_at(&scene, first_joint(&scene, robot)), 0, 1, 0);
        }
        end_frame(&scene);
    }
    scene_close(&scene);
}

// ---- Visibility ---------------------------------------------------------------------------------------------------

FILO_TEST(figures_that_no_view_sees_are_not_computed) {
    Scene scene;
    scene_open(&scene, 1);
    scene_add(&scene, "raise", filo_vec3(0, 0, 0));
    FiloEntity behind = scene_add(&scene, "raise", filo_vec3(0, 0, 30));
    scene_add(&scene, "raise", filo_vec3(100, 0, 0));
    figures_tick(&scene.figures, 0.5f);
    extract(&scene, 1);
    assert_int_equal(filo_gfx3d_stats(scene.gfx).figures, 1);
    // Should a view draw its mesh nevertheless, all vertices are in one point.
    FiloMat34 none = { { 0 } }, found = joint_at(&scene, first_joint(&scene, behind) + 1);
    assert_memory_equal(&found, &none, sizeof none);
    end_frame(&scene);
    // A second camera sees it.
    filo_create(scene.figures.world, FILO_SET(FiloTransform3, .position = { 0, 2, 40 }),
                FILO_ADD(FiloCamera3));
    extract(&scene, 1);
    assert_int_equal(filo_gfx3d_stats(scene.gfx).figures, 2);
    assert_moved(joint_at(&scene, first_joint(&scene, behind)), 0, 1, 0);
    end_frame(&scene);
    scene_close(&scene);
}

FILO_TEST(bounds_contain_the_mesh_in_all_poses) {
    Scene scene;
    scene_open(&scene, 1);
    const Gfx3dRig *rig = gfx3d_rig_find(gfx3d_rigs(scene.figures.world), filo_name("robot.glb"));
    assert_non_null(rig->model);
    const FiloSkin *skin = &rig->model->skins[0];
    const FiloMeshData *mesh = &rig->model->meshes[0].data;
    Gfx3dWorkspace *workspace = gfx3d_workspace_take(gfx3d_rigs(scene.figures.world), rig);
    for (uint32_t clip = 0; clip < rig->clip_count; clip++) {
        Gfx3dSphere bounds = rig->clips[clip].bounds;
        assert_true(bounds.radius > 0 && bounds.radius < 10);
        for (int step = 0; step <= 20; step++) {
            Gfx3dMoment moment = { .clip = clip, .blend_clip = GFX3D_NONE, .time = (float)step * 0.05f };
            gfx3d_moment_pose(rig, &moment, workspace);
            filo_pose_matrices(&workspace->pose, &rig->model->skeleton, workspace->matrices);
            FiloMat34 joints[2];
            filo_skin_matrices(skin, workspace->matrices, joints);
            for (uint32_t v = 0; v < mesh->vertex_count; v++) {
                FiloMat4 matrix = filo_mat34_to_mat4(&joints[mesh->joints[v].index[0]]);
                FiloVec3 at = filo_mat4_point(matrix, mesh->positions[v]);
                assert_true(filo_vec3_distance(at, bounds.centre) <= bounds.radius);
                assert_true(filo_vec3_length(at) <= rig->reach);
            }
        }
    }
    gfx3d_workspace_give(gfx3d_rigs(scene.figures.world), workspace);
    scene_close(&scene);
}

FILO_TEST(inactive_figures_and_what_is_below_inactive_ones_is_not_drawn) {
    Scene scene;
    scene_open(&scene, 1);
    FiloEntity robot = scene_add(&scene, "raise", filo_vec3(0, 0, 0));
    figures_tick(&scene.figures, 0.5f);
    extract(&scene, 1);
    end_frame(&scene);
    extract(&scene, 1);
    size_t visible = filo_gfx3d_stats(scene.gfx).visible;
    assert_int_equal(visible, 3); // Body, Sword, Flag
    assert_int_equal(filo_gfx3d_stats(scene.gfx).lights, 1);
    filo_entity_set_active(scene.figures.world, robot, false);
    extract(&scene, 1);
    assert_int_equal(filo_gfx3d_stats(scene.gfx).figures, 0);
    assert_int_equal(filo_gfx3d_stats(scene.gfx).visible, 0);
    assert_int_equal(filo_gfx3d_stats(scene.gfx).lights, 0);
    end_frame(&scene);
    filo_entity_set_active(scene.figures.world, robot, true);
    extract(&scene, 1);
    assert_int_equal(filo_gfx3d_stats(scene.gfx).visible, 3);
    end_frame(&scene);
    scene_close(&scene);
}

FILO_TEST(destroyed_figures_leave_no_trace) {
    Scene scene;
    scene_open(&scene, 1);
    FiloEntity robots[8];
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 8; i++) robots[i] = scene_add(&scene, "raise", filo_vec3(0, 0, (float)-i));
        figures_tick(&scene.figures, 0.5f);
        for (int i = 0; i < 3; i++) {
            extract(&scene, 1);
            end_frame(&scene);
        }
        for (int i = round % 2; i < 8; i += 2) filo_entity_destroy(scene.figures.world, robots[i]);
        extract(&scene, 1);
        assert_int_equal(filo_gfx3d_stats(scene.gfx).figures, 4);
        for (int i = 1 - round % 2; i < 8; i += 2) {
            assert_moved(joint_at(&scene, first_joint(&scene, robots[i])), 0, 1, 0);
            filo_entity_destroy(scene.figures.world, robots[i]);
        }
        end_frame(&scene);
    }
    scene_close(&scene);
}

// ---- Cost -------------------------------------------------------------------------------------------------------

FILO_TEST(a_figure_that_rests_is_computed_twice_and_then_copied) {
    Scene scene;
    scene_open(&scene, 1);
    FiloEntity robot = scene_add(&scene, "raise", filo_vec3(0, 0, 0));
    figures_tick(&scene.figures, 0.5f);
    filo_edit(scene.figures.world, robot, FiloFigure)->paused = true;
    figures_tick(&scene.figures, 0.5f);
    for (int i = 0; i < 6; i++) {
        uint64_t before = gfx3d_figures_computed(scene.gfx);
        extract(&scene, (float)i / 6);
        assert_int_equal(gfx3d_figures_computed(scene.gfx) - before, i < 2 ? 1 : 0);
        assert_moved(joint_at(&scene, first_joint(&scene, robot)), 0, 1, 0);
        end_frame(&scene);
    }
    filo_edit(scene.figures.world, robot, FiloFigure)->paused = false;
    figures_tick(&scene.figures, 0.25f);
    expect_height(&scene, robot, 1, 1.5f);
    scene_close(&scene);
}

FILO_TEST(a_steady_frame_of_figures_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Scene scene;
    scene_open(&scene, 1);
    for (int i = 0; i < 20; i++) scene_add(&scene, i % 2 == 0 ? "raise" : "turn", filo_vec3(0, 0, (float)-i));
    uint64_t before = 0;
    for (int i = 0; i < 60; i++) {
        if (i == 40) before = filo_test_malloc_calls();
        figures_tick(&scene.figures, 1.0f / 60);
        scene.figures.heard[0] = 0;
        extract(&scene, 0.5f);
        filo_gpu_null_forget(scene.gpu);
        end_frame(&scene);
    }
    assert_int_equal(filo_test_malloc_calls() - before, 0);
    scene_close(&scene);
}

// ---- Reloading --------------------------------------------------------------------------------------------------

FILO_TEST(a_file_that_changes_changes_existing_figures) {
    Scene scene;
    scene_open(&scene, 1);
    FiloEntity robot = scene_add(&scene, "raise", filo_vec3(0, 0, 0));
    figures_tick(&scene.figures, 0.5f);
    extract(&scene, 1);
    end_frame(&scene);
    // The same file without its first clip, whose place "turn" takes.
    static char json[sizeof robot_json];
    memcpy(json, robot_json, sizeof json);
    memcpy(strstr(json, "'name':'raise'"), "'name':'lower'", strlen("'name':'lower'"));
    FiloModelAsset *changed =
        filo_alloc_zero(filo_assets_allocator(scene.figures.assets), sizeof *changed, 0);
    GltfFile file = { 0 };
    robot_add_mesh(&file);
    robot_add_keys(&file);
    assert_ok(gltf_try(&file, &changed->model, json,
                       &(FiloModelOptions){ .allocator = filo_assets_allocator(scene.figures.assets) }));
    gltf_free(&file);
    FiloAsset asset = filo_assets_add(scene.figures.assets, "model", "robot.glb", changed);
    assert_int_not_equal(asset.id, 0);
    filo_figure_play(filo_edit(scene.figures.world, robot, FiloFigure), filo_name("lower"), 0);
    figures_tick(&scene.figures, 0.25f);
    expect_height(&scene, robot, 1, 0.5f);
    filo_assets_unload(scene.figures.assets, asset);
    scene_close(&scene);
}

FILO_TEST(prefabs_of_a_renderer_say_what_is_wrong) {
    Scene scene;
    scene_open(&scene, 1);
    FiloEntity prefab;
    FiloResult r = filo_gfx3d_prefab(&prefab, scene.gfx, "ghost.glb");
    assert_int_equal(r.code, FILO_ERROR_NOT_FOUND);
    assert_contains(r.message, "ghost.glb");
    assert_int_equal(prefab.id, 0);
    expect_mistake("pass where the prefab goes, a renderer and the name of a model file",
                   filo_gfx3d_prefab(&prefab, scene.gfx, NULL));
    r = filo_gfx3d_prefab(&prefab, scene.gfx, "../robot.glb");
    assert_int_equal(r.code, FILO_ERROR_ARGUMENT);
    assert_string_equal(r.message, "../robot.glb: not the name of a model in the assets");
    scene_close(&scene);
}
