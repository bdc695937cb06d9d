// Prefabs of models.

#include "gfx3d/figure_fixture.h"
#include "support/failing_allocator.h"

// ---- Prefabs ----------------------------------------------------------------------------------------------------

FILO_TEST(nodes_become_entities_with_their_components) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity prefab = prefab_of(&figures);
    FiloWorld *world = figures.world;
    assert_true(filo_has(world, prefab, FiloPrefab));
    assert_string_equal(filo_entity_name(world, prefab), "robot.glb");
    assert_string_equal(filo_name_text(filo_get(world, prefab, FiloFigure)->model), "robot.glb");

    FiloEntity base = node_of(&figures, prefab, "Base"), flag = node_of(&figures, prefab, "Flag");
    assert_string_equal(filo_entity_name(world, base), "robot.glb/Base");
    assert_int_equal(filo_entity_parent(world, base).id, node_of(&figures, prefab, "Armature").id);
    assert_at(filo_get(world, base, FiloTransform3)->position, 2, 0, 0);
    assert_false(filo_has(world, base, FiloMesh));
    assert_false(filo_has(world, base, FiloAttach)); // no clip moves it
    assert_int_equal(filo_entity_parent(world, flag).id, base.id);
    assert_string_equal(filo_name_text(filo_get(world, flag, FiloMesh)->mesh), "robot.glb#Blade");
    assert_true(filo_get(world, flag, FiloAttach)->local);

    const FiloLight *light = filo_get(world, node_of(&figures, prefab, "Lamp"), FiloLight);
    assert_int_equal(light->kind, FILO_LIGHT_POINT);
    assert_near(light->intensity, 1);
    const FiloCamera3 *camera = filo_get(world, node_of(&figures, prefab, "Eye"), FiloCamera3);
    assert_near(camera->field_of_view, 1);
    assert_near(camera->near, 0.5);
    assert_near(camera->far, 50);
    figures_close(&figures);
}

FILO_TEST(joints_are_no_entities_and_what_is_below_them_is_attached) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity prefab = prefab_of(&figures);
    FiloWorld *world = figures.world;
    assert_int_equal(filo_figure_node(world, prefab, "Hip").id, 0);
    assert_int_equal(filo_figure_node(world, prefab, "Arm").id, 0);
    FiloEntity sword = node_of(&figures, prefab, "Sword"), body = node_of(&figures, prefab, "Body");
    assert_int_equal(filo_entity_parent(world, sword).id, prefab.id);
    assert_string_equal(filo_name_text(filo_get(world, sword, FiloAttach)->joint), "Sword");
    assert_false(filo_get(world, sword, FiloAttach)->local);
    // A skinned mesh is at the origin of the figure, wherever its node is.
    assert_int_equal(filo_entity_parent(world, body).id, prefab.id);
    assert_int_equal(filo_get(world, body, FiloSkinned)->skin, 0);
    assert_at(filo_get(world, body, FiloTransform3)->position, 0, 0, 0);
    assert_string_equal(filo_name_text(filo_get(world, body, FiloMesh)->mesh), "robot.glb#Skin");
    figures_close(&figures);
}

FILO_TEST(a_prefab_is_made_once_and_its_instances_have_nodes_of_their_own) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity prefab = prefab_of(&figures), again = prefab_of(&figures);
    assert_int_equal(prefab.id, again.id);
    FiloEntity a = filo_instance(figures.world, prefab), b = filo_instance(figures.world, prefab);
    FiloEntity flag_a = node_of(&figures, a, "Flag"), flag_b = node_of(&figures, b, "Flag");
    assert_int_not_equal(flag_a.id, flag_b.id);
    assert_true(filo_entity_active(figures.world, flag_a));
    assert_int_equal(filo_figure_node(figures.world, a, "Leg").id, 0);
    assert_int_equal(filo_figure_node(figures.world, flag_a, "Flag").id, 0); // only below
    figures_close(&figures);
}

FILO_TEST(a_model_without_clips_and_skins_has_no_figure) {
    Figures figures;
    figures_open(&figures, 1);
    robot_write_as("crate.glb", "'nodes':[{'name':'Lid','mesh':0}],'scenes':[{'nodes':[0]}],"
                                "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]");
    FiloEntity prefab;
    assert_ok(filo_figure_prefab(&prefab, figures.world, "crate.glb"));
    assert_false(filo_has(figures.world, prefab, FiloFigure));
    assert_true(filo_has(figures.world, prefab, FiloTransform3));
    assert_true(filo_has(figures.world, node_of(&figures, prefab, "Lid"), FiloMesh));
    figures_close(&figures);
}

FILO_TEST(a_prefab_that_cannot_be_made_says_why) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity prefab = { 7 };
    FiloResult r = filo_figure_prefab(&prefab, figures.world, "ghost.glb");
    assert_int_equal(r.code, FILO_ERROR_NOT_FOUND);
    assert_contains(r.message, "ghost.glb: No such file");
    assert_int_equal(prefab.id, 0);
    FiloEntity other = filo_entity_create(figures.world);
    assert_true(filo_entity_set_name(figures.world, other, "robot.glb"));
    r = filo_figure_prefab(&prefab, figures.world, "robot.glb");
    assert_int_equal(r.code, FILO_ERROR_EXISTS);
    assert_string_equal(r.message, "robot.glb: another entity has this name");
    expect_mistake("pass where the prefab goes, a world and the name of a model file",
                   filo_figure_prefab(&prefab, figures.world, ""));
    FiloWorld *bare;
    assert_ok(filo_world_create(&bare, NULL));
    expect_mistake("call filo_gfx3d_register with assets for this world first",
                   filo_figure_prefab(&prefab, bare, "robot.glb"));
    filo_world_destroy(bare);
    figures_close(&figures);
}

// ---- Limits -----------------------------------------------------------------------------------------------------

// One triangle for each mesh.
static FiloResult prefab_of_meshes(int count) {
    char *text = malloc((size_t)count * 24 + 64), *end = text + sprintf(text, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (int i = 0; i < count; i++) end += sprintf(end, "o %d\nf 1 2 3\n", i);
    assert_ok(filo_file_write(filo_test_path("many.obj"), text, (size_t)(end - text), NULL));
    free(text);
    Figures figures;
    figures_open(&figures, 1);
    FiloGpu *gpu;
    FiloGfx3d *gfx;
    FiloEntity prefab;
    assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = FILO_GPU_NULL }));
    assert_ok(filo_gfx3d_create(
        &gfx, &(FiloGfx3dDesc){ .gpu = gpu, .world = figures.world, .assets = figures.assets }));
    FiloResult result = filo_gfx3d_prefab(&prefab, gfx, "many.obj");
    assert_int_equal(prefab.id != 0, result.code == FILO_OK);
    filo_gfx3d_destroy(gfx);
    filo_gpu_destroy(gpu);
    figures_close(&figures);
    return result;
}

FILO_TEST(a_model_of_more_nodes_than_a_prefab_has_is_refused) {
    assert_ok(prefab_of_meshes(3000));
    assert_error(prefab_of_meshes(20000), FILO_ERROR_LIMIT,
                 "many.obj: has 20000 nodes and 20000 meshes; a prefab has at most 16384: draw the file as "
                 "one mesh, or "
                 "divide it");
}
