// Figures without memory: every allocation fails once, nothing breaks, and what failed works later.

#include "gfx3d/figure_fixture.h"
#include "support/failing_allocator.h"

#include <filo/log.h>

typedef struct Scarce {
    FailingAllocator failing;
    Figures figures;
} Scarce;

// A world whose memory is that of scarce->failing. It must not be moved.
static void scarce_open(Scarce *scarce) {
    Figures *figures = &scarce->figures;
    figures_open(figures, 1);
    filo_world_destroy(figures->world);
    failing_init(&scarce->failing, SIZE_MAX);
    assert_ok(
        filo_world_create(&figures->world, &(FiloWorldDesc){ .jobs = figures->jobs,
                                                             .events = figures->events,
                                                             .allocator = &scarce->failing.allocator }));
}

static void scarce_close(Scarce *scarce) {
    figures_close(&scarce->figures);
    assert_int_equal(scarce->failing.blocks, 0);
}

static void begin(void) {
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
}

static void end(void) {
    filo_fault_set_handler((FiloFaultHandler){ 0 });
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "warn"));
}

FILO_TEST(registering_without_memory_fails_and_can_be_repeated) {
    begin();
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        Scarce scarce;
        scarce_open(&scarce);
        FiloWorld *world = scarce.figures.world;
        failing_allow(&scarce.failing, fail_at);
        bool ok = filo_gfx3d_register(world, scarce.figures.assets);
        more = failing_end(&scarce.failing);
        assert_true(ok == !more);
        assert_true(filo_gfx3d_register(world, scarce.figures.assets));
        FiloEntity robot = figures_add(&scarce.figures, "raise");
        figures_tick(&scarce.figures, 0.25f);
        assert_near(figure_of(&scarce.figures, robot)->time, 0.25);
        scarce_close(&scarce);
        if (fail_at > 40) fail_at += 7; // components of the other parts
    }
    end();
}

FILO_TEST(a_prefab_without_memory_leaves_nothing_and_can_be_made_later) {
    begin();
    bool more = true;
    size_t fail_at = 0;
    for (; more; fail_at++) {
        Scarce scarce;
        scarce_open(&scarce);
        FiloWorld *world = scarce.figures.world;
        assert_true(filo_gfx3d_register(world, scarce.figures.assets));
        size_t entities = filo_world_stats(world).entities;
        FiloEntity prefab;
        failing_allow(&scarce.failing, fail_at);
        FiloResult r = filo_figure_prefab(&prefab, world, "robot.glb");
        more = failing_end(&scarce.failing);
        if (r.code != FILO_OK) {
            assert_int_equal(r.code, FILO_ERROR_MEMORY);
            assert_int_equal(prefab.id, 0);
            assert_int_equal(filo_world_stats(world).entities, entities);
        }
        assert_true(more || r.code == FILO_OK);
        FiloEntity robot = robot_with(&scarce.figures, "raise");
        figures_tick(&scarce.figures, 0.5f);
        assert_at(position_of(&scarce.figures, node_of(&scarce.figures, robot, "Sword")), 0, 3.5f, 0);
        scarce_close(&scarce);
    }
    assert_true(fail_at > 30);
    end();
}

FILO_TEST(figures_rest_while_there_is_no_memory_for_their_model) {
    begin();
    bool more = true;
    size_t fail_at = 0;
    for (; more; fail_at++) {
        Scarce scarce;
        scarce_open(&scarce);
        FiloWorld *world = scarce.figures.world;
        assert_true(filo_gfx3d_register(world, scarce.figures.assets));
        FiloEntity robot = figures_add(&scarce.figures, "raise");
        FiloEntity hat = filo_create(world, FILO_SET(FiloAttach, .joint = filo_name("Arm")));
        assert_true(filo_entity_set_parent(world, hat, robot));
        filo_edit(world, robot, FiloFigure)->paused = true;
        figures_tick(&scarce.figures, 0.1f); // the order of systems
        filo_edit(world, robot, FiloFigure)->paused = false;
        filo_figure_add_event(world, filo_name("robot.glb"), filo_name("raise"), 0.1f, filo_name("early"));
        // Another name of the same file: it is not read yet.
        robot_write_as("other.glb", robot_json);
        filo_edit(world, robot, FiloFigure)->model = filo_name("other.glb");
        failing_allow(&scarce.failing, fail_at);
        (void)filo_world_tick(world, 0.25f);
        (void)filo_figure_seconds(world, filo_name("other.glb"), filo_name("raise"));
        FiloMat4 matrix;
        (void)filo_figure_joint(world, robot, filo_name("Arm"), &matrix);
        more = failing_end(&scarce.failing);
        float time = figure_of(&scarce.figures, robot)->time;
        assert_true(time == 0 || time == 0.25f);
        figures_tick(&scarce.figures, 0.25f);
        assert_near(figure_of(&scarce.figures, robot)->time, time + 0.25f);
        assert_at(position_of(&scarce.figures, hat), 0, 2 + 2 * (time + 0.25f), 0);
        assert_true(filo_figure_joint(world, robot, filo_name("Arm"), &matrix));
        scarce_close(&scarce);
    }
    assert_true(fail_at > 10);
    end();
}

// ---- Extraction -------------------------------------------------------------------------------------------------

FILO_TEST(figures_without_memory_to_draw_them_are_drawn_later) {
    begin();
    bool more = true;
    size_t fail_at = 0;
    for (; more; fail_at++) {
        Figures figures;
        figures_open(&figures, 1);
        FiloGpu *gpu;
        assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = FILO_GPU_NULL }));
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        FiloGfx3d *gfx;
        assert_ok(filo_gfx3d_create(&gfx, &(FiloGfx3dDesc){ .world = figures.world,
                                                            .assets = figures.assets,
                                                            .gpu = gpu,
                                                            .allocator = &failing.allocator }));
        FiloEntity prefab;
        assert_ok(filo_gfx3d_prefab(&prefab, gfx, "robot.glb"));
        FiloEntity robot = filo_instance(figures.world, prefab);
        filo_figure_play(filo_edit(figures.world, robot, FiloFigure), filo_name("raise"), 0);
        figures_tick(&figures, 0.5f);
        failing_allow(&failing, fail_at);
        FiloExtract3 extract = { .width = 64, .height = 64, .blend = 1 };
        for (int i = 0; i < 3; i++) { // with copies of what rests
            filo_gfx3d_extract(gfx, &extract);
            filo_gfx3d_render(gfx);
            filo_gpu_end_frame(gpu);
        }
        more = failing_end(&failing);
        filo_gfx3d_extract(gfx, &extract);
        assert_int_equal(filo_gfx3d_stats(gfx).figures, 1);
        filo_gfx3d_render(gfx);
        filo_gfx3d_destroy(gfx);
        assert_int_equal(failing.blocks, 0);
        filo_gpu_destroy(gpu);
        figures_close(&figures);
    }
    assert_true(fail_at > 5);
    end();
}
