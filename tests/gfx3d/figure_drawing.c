// Skinned meshes as OpenGL draws them: where the pixels of a figure are.

#include "gfx3d/figure_fixture.h"
#include "support/gl_context.h"

#define WIDTH  FILO_TEST_GL_WIDTH
#define HEIGHT FILO_TEST_GL_HEIGHT
#define UNITS  10.0f // from the bottom to the top of the picture

// A red square of side 2, whose left half belongs to one joint and whose right half to another. The clip "open" moves the
// first by 2 to the left and the second by 2 to the right in a second.
static void write_door(void) {
    static const float corners[] = { -1, -1, 0, 0, -1, 0, 0, 1, 0, -1, 1, 0,
                                     0,  -1, 0, 1, -1, 0, 1, 1, 0, 0,  1, 0 };
    static const uint8_t joints[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                      1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 };
    static const float weights[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
                                     1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 };
    static const uint16_t indices[] = { 0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7 };
    static const float times[] = { 0, 1 }, left[] = { 0, 0, 0, -2, 0, 0 }, right[] = { 0, 0, 0, 2, 0, 0 };
    GltfFile file = { 0 };
    gltf_add(&file, corners, 8, GLTF_FLOAT, "VEC3");
    gltf_add(&file, joints, 8, GLTF_UINT8, "VEC4");
    gltf_add(&file, weights, 8, GLTF_FLOAT, "VEC4");
    gltf_add(&file, indices, 12, GLTF_UINT16, "SCALAR");
    gltf_add(&file, times, 2, GLTF_FLOAT, "SCALAR");
    gltf_add(&file, left, 2, GLTF_FLOAT, "VEC3");
    gltf_add(&file, right, 2, GLTF_FLOAT, "VEC3");
    gltf_glb(&file, "'extensionsUsed':['KHR_materials_unlit'],"
                    "'materials':[{'pbrMetallicRoughness':{'baseColorFactor':[1,0,0,1]},"
                    "'extensions':{'KHR_materials_unlit':{}}}],"
                    "'meshes':[{'name':'Wings','primitives':[{'attributes':"
                    "{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'indices':3,'material':0}]}],"
                    "'skins':[{'joints':[1,2]}],'scenes':[{'nodes':[0,1,2]}],"
                    "'nodes':[{'name':'Door','mesh':0,'skin':0},{'name':'Left'},{'name':'Right'}],"
                    "'animations':[{'name':'open','samplers':[{'input':4,'output':5},{'input':4,'output':6}],"
                    "'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}},"
                    "{'sampler':1,'target':{'node':2,'path':'translation'}}]}]");
    assert_ok(filo_file_write(filo_test_path("door.glb"), file.bytes.data, file.bytes.length, NULL));
    gltf_free(&file);
}

typedef struct Scene {
    Figures figures;
    FiloGpu *gpu;
    FiloGfx3d *gfx;
    FiloEntity prefab;
} Scene;

static void scene_open(Scene *scene, FiloGpuKind kind) {
    figures_open(&scene->figures, 2);
    write_door();
    filo_test_gl_context(kind == FILO_GPU_GL45 ? 4 : 3, kind == FILO_GPU_GL45 ? 5 : 3);
    assert_ok(filo_gpu_create(&scene->gpu, &(FiloGpuDesc){ .kind = kind, .debug = true }));
    FiloWorld *world = scene->figures.world;
    assert_ok(filo_gfx3d_create(&scene->gfx, &(FiloGfx3dDesc){ .world = world,
                                                               .assets = scene->figures.assets,
                                                               .gpu = scene->gpu,
                                                               .no_fxaa = true }));
    filo_edit_global(world, FiloEnvironment)->no_sky = true;
    filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 0, 20 }),
                FILO_SET(FiloCamera3, .height = UNITS, .background = FILO_COLOR_BLACK));
    assert_ok(filo_gfx3d_prefab(&scene->prefab, scene->gfx, "door.glb"));
}

static void scene_close(Scene *scene) {
    filo_gfx3d_destroy(scene->gfx);
    filo_gpu_destroy(scene->gpu);
    figures_close(&scene->figures);
    filo_test_gl_context_end();
}

static FiloEntity add_door(Scene *scene, float y, float time) {
    FiloEntity door =
        filo_instance(scene->figures.world, scene->prefab, FILO_SET(FiloTransform3, .position = { 0, y, 0 }));
    FiloFigure *figure = filo_edit(scene->figures.world, door, FiloFigure);
    filo_figure_play(figure, filo_name("open"), 0);
    figure->time = time;
    figure->paused = true;
    return door;
}

static FiloPixels draw(Scene *scene) {
    FiloPixels pixels;
    filo_gfx3d_extract(scene->gfx, &(FiloExtract3){ .width = WIDTH, .height = HEIGHT, .blend = 1 });
    assert_true(filo_gfx3d_render(scene->gfx));
    assert_true(filo_pixels_create(&pixels, WIDTH, HEIGHT, NULL));
    assert_ok(filo_gpu_read(scene->gpu, (FiloRenderTarget){ 0 }, 0, 0, &pixels));
    filo_gpu_end_frame(scene->gpu);
    return pixels;
}

// Whether the pixel at a position in the world is red.
static bool is_red(const FiloPixels *pixels, float x, float y) {
    float scale = HEIGHT / UNITS;
    int column = WIDTH / 2 + (int)(x * scale), row = HEIGHT / 2 - (int)(y * scale);
    FiloColor color = *filo_pixels_at(pixels, column, row);
    return color.r > 100 && color.g < 60 && color.b < 60;
}

static void expect_red(const FiloPixels *pixels, float x, float y, bool red) {
    if (is_red(pixels, x, y) != red)
        fail_msg("the pixel at %g, %g is %sred", (double)x, (double)y, red ? "not " : "");
}

// The halves of a door at height `y`, each moved by `by` from the middle.
static void expect_door(const FiloPixels *pixels, float y, float by) {
    expect_red(pixels, -0.5f - by, y, true);
    expect_red(pixels, 0.5f + by, y, true);
    expect_red(pixels, -1.25f - by, y, false);
    expect_red(pixels, 1.25f + by, y, false);
    if (by > 0.3f) expect_red(pixels, 0, y, false);
}

static void draw_doors(FiloGpuKind kind) {
    Scene scene;
    scene_open(&scene, kind);
    add_door(&scene, 3, 0);
    add_door(&scene, 0, 0.5f);
    FiloEntity wide = add_door(&scene, -3, 1);
    figures_tick(&scene.figures, 0.1f);
    for (int i = 0; i < 4; i++) { // all parts of the ring
        FiloPixels pixels = draw(&scene);
        expect_door(&pixels, 3, 0);
        expect_door(&pixels, 0, 1);
        expect_door(&pixels, -3, 2);
        filo_pixels_free(&pixels, NULL);
    }
    // One of them closes half, and the others stay.
    filo_edit(scene.figures.world, wide, FiloFigure)->time = 0.25f;
    FiloPixels pixels = draw(&scene);
    expect_door(&pixels, 3, 0);
    expect_door(&pixels, 0, 1);
    expect_door(&pixels, -3, 0.5f);
    filo_pixels_free(&pixels, NULL);
    // Without the figure, the mesh is as it was modelled.
    filo_remove(scene.figures.world, wide, FiloFigure);
    pixels = draw(&scene);
    expect_door(&pixels, -3, 0);
    filo_pixels_free(&pixels, NULL);
    scene_close(&scene);
}

FILO_TEST(skinned_meshes_are_drawn_in_their_pose_with_gl_45) { draw_doors(FILO_GPU_GL45); }
FILO_TEST(skinned_meshes_are_drawn_in_their_pose_with_gl_33) { draw_doors(FILO_GPU_GL33); }
