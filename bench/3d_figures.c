// 3d.figures: extraction of a frame with 1,000 visible figures of 21 joints that all move, from the world to joint matrices
// and instances in GPU memory, on one thread. The reference is computing their poses alone, in the same memory for all.
// 3d.figures.resting: the same figures, paused. 3d.figures.tick: advancing their times, and an entity attached to each.

#include "bench.h"

#include <stdio.h>

#define COUNT 1000

typedef struct Crowd {
    FiloJobs *jobs;
    FiloAssets *assets;
    FiloWorld *world;
    FiloGpu *gpu;
    FiloGfx3d *gfx;
    FiloEntity robots[COUNT];
    const FiloModel *model;
    FiloPose pose;
    FiloMat34 *matrices, *joints;
    bool paused;
    float blend;
} Crowd;

static void extract(Crowd *crowd) {
    filo_gfx3d_extract(crowd->gfx, &(FiloExtract3){ .width = 320, .height = 200, .blend = crowd->blend });
}

static void end_frame(Crowd *crowd) {
    filo_gfx3d_render(crowd->gfx);
    filo_gpu_null_forget(crowd->gpu);
    filo_gpu_end_frame(crowd->gpu);
}

// Microseconds.
static double sample_extract(void *state) {
    Crowd *crowd = state;
    bench_expect(filo_world_tick(crowd->world, 1.0f / 60).code == FILO_OK, "the world ticks");
    int64_t start = filo_time_ns();
    extract(crowd);
    double us = (double)(filo_time_ns() - start) * 1e-3;
    bench_expect(filo_gfx3d_stats(crowd->gfx).figures == COUNT, "all figures are visible");
    end_frame(crowd);
    return us;
}

static double sample_tick(void *state) {
    Crowd *crowd = state;
    int64_t start = filo_time_ns();
    bench_expect(filo_world_tick(crowd->world, 1.0f / 60).code == FILO_OK, "the world ticks");
    return (double)(filo_time_ns() - start) * 1e-3;
}

static double sample_poses(void *state) {
    Crowd *crowd = state;
    const FiloModel *model = crowd->model;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < COUNT; i++) {
        const FiloFigure *figure = filo_get(crowd->world, crowd->robots[i], FiloFigure);
        filo_pose_sample(&crowd->pose, &model->skeleton, &model->clips[i % model->clip_count], figure->time);
        filo_pose_matrices(&crowd->pose, &model->skeleton, crowd->matrices);
        filo_skin_matrices(&model->skins[0], crowd->matrices,
                           &crowd->joints[i * model->skins[0].joint_count]);
    }
    return (double)(filo_time_ns() - start) * 1e-3;
}

static FiloResult open_crowd(Crowd *crowd) {
    FiloResult r = filo_jobs_create(&crowd->jobs, &(FiloJobsDesc){ .threads = 1 });
    if (r.code == FILO_OK)
        r = filo_assets_create(&crowd->assets,
                               &(FiloAssetsDesc){ .jobs = crowd->jobs, .folder = FILO_BENCH_MODELS });
    if (r.code == FILO_OK) r = filo_world_create(&crowd->world, &(FiloWorldDesc){ .jobs = crowd->jobs });
    if (r.code == FILO_OK) r = filo_gpu_create(&crowd->gpu, &(FiloGpuDesc){ .kind = FILO_GPU_NULL });
    if (r.code == FILO_OK)
        r = filo_gfx3d_create(
            &crowd->gfx,
            &(FiloGfx3dDesc){ .world = crowd->world, .assets = crowd->assets, .gpu = crowd->gpu });
    return r;
}

static FiloResult fill(Crowd *crowd) {
    FiloWorld *world = crowd->world;
    FiloEntity prefab;
    FiloResult r = filo_gfx3d_prefab(&prefab, crowd->gfx, "figure.glb");
    if (r.code != FILO_OK) return r;
    FiloAsset asset = filo_assets_find(crowd->assets, filo_name("figure.glb"));
    crowd->model = ((const FiloModelAsset *)filo_asset_data(crowd->assets, asset))->model;
    r = filo_pose_create(&crowd->pose, &crowd->model->skeleton, NULL);
    crowd->matrices = filo_alloc(filo_heap(), crowd->model->node_count * sizeof(FiloMat34), 16);
    crowd->joints =
        filo_alloc(filo_heap(), (size_t)COUNT * crowd->model->skins[0].joint_count * sizeof(FiloMat34), 16);
    for (int i = 0; i < COUNT && r.code == FILO_OK; i++) {
        int column = i % 40 - 20, row = i / 40;
        FiloVec3 position = filo_vec3((float)column, 0, (float)(-40 - row));
        crowd->robots[i] = filo_instance(world, prefab, FILO_SET(FiloTransform3, .position = position));
        FiloFigure *figure = filo_edit(world, crowd->robots[i], FiloFigure);
        if (figure == NULL) return filo_out_of_memory_result();
        filo_figure_play(figure, filo_name(crowd->model->clips[(uint32_t)i % crowd->model->clip_count].name),
                         0);
        figure->time = (float)(i % 60) / 60;
    }
    filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 2, 10 }), FILO_ADD(FiloCamera3));
    return r;
}

static void set_paused(Crowd *crowd, bool paused) {
    for (int i = 0; i < COUNT; i++) filo_edit(crowd->world, crowd->robots[i], FiloFigure)->paused = paused;
}

static void attach_to_all(Crowd *crowd) {
    for (int i = 0; i < COUNT; i++) {
        FiloEntity lantern =
            filo_create(crowd->world, FILO_SET(FiloAttach, .joint = filo_name("right hand")));
        filo_entity_set_parent(crowd->world, lantern, crowd->robots[i]);
    }
}

static void compare(const char *name, BenchSample sample, Crowd *crowd) {
    bench_compare(&(BenchFigure){ .name = name,
                                  .unit = "us",
                                  .ours = sample,
                                  .reference = sample_poses,
                                  .reference_name = "computing the poses alone",
                                  .state = crowd });
}

FILO_BENCH(3d_figures) {
    if (!bench_wanted("3d.figures")) return;
    Crowd crowd = { .blend = 0.5f };
    FiloResult r = open_crowd(&crowd);
    if (r.code == FILO_OK) r = fill(&crowd);
    if (r.code != FILO_OK) fprintf(stderr, "%s\n", r.message);
    bench_expect(r.code == FILO_OK, "a crowd is created");
    compare("3d.figures", sample_extract, &crowd);
    set_paused(&crowd, true);
    compare("3d.figures.resting", sample_extract, &crowd);
    set_paused(&crowd, false);
    attach_to_all(&crowd);
    compare("3d.figures.tick", sample_tick, &crowd);
    size_t joints = (size_t)COUNT * crowd.model->skins[0].joint_count;
    filo_free(filo_heap(), crowd.matrices, crowd.model->node_count * sizeof(FiloMat34), 16);
    filo_free(filo_heap(), crowd.joints, joints * sizeof(FiloMat34), 16);
    filo_pose_free(&crowd.pose, NULL);
    filo_gfx3d_destroy(crowd.gfx);
    filo_gpu_destroy(crowd.gpu);
    filo_world_destroy(crowd.world);
    filo_assets_destroy(crowd.assets);
    filo_jobs_destroy(crowd.jobs, FILO_JOBS_FINISH);
}
