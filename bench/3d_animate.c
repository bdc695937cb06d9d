// 3d.animate: poses of 1,000 figures of 30 joints, from a clip to the matrices that a vertex shader needs. The reference
// is only the matrix products of that: each joint by its parent, and by the inverse of its bind pose, all in the cache.

#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define FIGURES 1000
#define JOINTS  30
#define ROWS    61

typedef struct Figures {
    uint32_t parents[JOINTS], nodes[JOINTS];
    FiloVec3 positions[JOINTS], scales[JOINTS];
    FiloQuat rotations[JOINTS];
    FiloVec3 row_positions[ROWS * JOINTS];
    FiloQuat row_rotations[ROWS * JOINTS];
    FiloMat34 inverse_bind[JOINTS], matrices[JOINTS];
    FiloSkeleton skeleton;
    FiloClip clip;
    FiloSkin skin;
    FiloPose pose;
    float seconds[FIGURES];
    FiloMat34 joints[FIGURES * JOINTS];
    FiloMat4 locals[JOINTS], inverse_bind4[JOINTS], matrices4[JOINTS], joints4[FIGURES * JOINTS];
} Figures;

static double ours(void *state) {
    Figures *f = state;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < FIGURES; i++) {
        filo_pose_sample(&f->pose, &f->skeleton, &f->clip, f->seconds[i]);
        filo_pose_matrices(&f->pose, &f->skeleton, f->matrices);
        filo_skin_matrices(&f->skin, f->matrices, &f->joints[i * JOINTS]);
    }
    return (double)(filo_time_ns() - start) * 1e-3;
}

static double products(void *state) {
    Figures *f = state;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < FIGURES; i++) {
        bench_clobber();
        f->matrices4[0] = f->locals[0];
        for (size_t j = 1; j < JOINTS; j++)
            f->matrices4[j] = filo_mat4_mul(f->matrices4[f->parents[j]], f->locals[j]);
        for (size_t j = 0; j < JOINTS; j++)
            f->joints4[i * JOINTS + j] = filo_mat4_mul(f->matrices4[j], f->inverse_bind4[j]);
    }
    return (double)(filo_time_ns() - start) * 1e-3;
}

static FiloQuat random_rotation(FiloRandom *random) {
    float x = filo_random_float_range(random, -1, 1), y = filo_random_float_range(random, -1, 1);
    float z = filo_random_float_range(random, -1, 1), w = filo_random_float_range(random, 2, 3);
    return filo_quat_normalise(filo_quat(x, y, z, w));
}

static FiloVec3 random_position(FiloRandom *random) {
    float x = filo_random_float_range(random, -1, 1), y = filo_random_float_range(random, -1, 1);
    return filo_vec3(x, y, filo_random_float_range(random, -1, 1));
}

static void fill(Figures *f) {
    FiloRandom random = filo_random_sequence(1);
    for (uint32_t i = 0; i < JOINTS; i++) {
        f->nodes[i] = i;
        f->parents[i] = i == 0 ? UINT32_MAX : i - 1 - filo_random_below(&random, FILO_MIN(i, 4));
        f->positions[i] = random_position(&random);
        f->rotations[i] = random_rotation(&random);
        f->scales[i] = filo_vec3(1.0f, 1.0f, 1.0f);
        f->locals[i] = filo_mat4_from_parts(f->positions[i], f->rotations[i], f->scales[i]);
        f->inverse_bind4[i] = filo_mat4_inverse(f->locals[i]);
        f->inverse_bind[i] = filo_mat34_from_mat4(f->inverse_bind4[i]);
    }
    for (size_t i = 0; i < (size_t)ROWS * JOINTS; i++) {
        f->row_positions[i] = random_position(&random);
        f->row_rotations[i] = random_rotation(&random);
    }
    for (size_t i = 0; i < FIGURES; i++) f->seconds[i] = filo_random_float_range(&random, 0, 2);
    f->skeleton = (FiloSkeleton){ .node_count = JOINTS,
                                  .parents = f->parents,
                                  .positions = f->positions,
                                  .rotations = f->rotations,
                                  .scales = f->scales };
    f->skin = (FiloSkin){ .joint_count = JOINTS, .joints = f->nodes, .inverse_bind = f->inverse_bind };
    // As most exporters write it: every joint turns, and is moved.
    f->clip = (FiloClip){ .seconds = 2,
                          .rate = 30,
                          .row_count = ROWS,
                          .position_count = JOINTS,
                          .position_nodes = f->nodes,
                          .positions = f->row_positions,
                          .rotation_count = JOINTS,
                          .rotation_nodes = f->nodes,
                          .rotations = f->row_rotations };
}

FILO_BENCH(3d_animate) {
    if (!bench_wanted("3d.animate")) return;
    Figures *f = calloc(1, sizeof *f);
    bench_expect(f != NULL, "there is memory");
    if (f == NULL) return;
    fill(f);
    bench_expect(filo_pose_create(&f->pose, &f->skeleton, NULL).code == FILO_OK, "a pose is created");
    bench_compare(&(BenchFigure){ .name = "3d.animate",
                                  .unit = "us",
                                  .ours = ours,
                                  .reference = products,
                                  .reference_name = "matrix products alone",
                                  .state = f });
    filo_pose_free(&f->pose, NULL);
    free(f);
}
