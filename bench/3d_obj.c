// Benchmark of the OBJ reader: megabytes a second of a file in memory, to the indexed mesh. The file is what modelling
// programs write: positions, texture coordinates and normals with six digits, triangles with three indices a corner. The
// reference is reading the same file from the page cache, without understanding it.

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTORS 500
#define RINGS   400

typedef struct ObjFile {
    char *text;
    size_t size;
    char path[64];
} ObjFile;

static void append(FILE *out, const char *kind, const float *values, int count) {
    fprintf(out, "%s", kind);
    for (int i = 0; i < count; i++) fprintf(out, " %.6f", (double)values[i]);
    fputc('\n', out);
}

// A sphere with bumps, as an OBJ file in memory.
static bool make_file(ObjFile *file) {
    FiloMeshData ball;
    FiloSphereDesc desc = { .radius = 2.0f, .sectors = SECTORS, .rings = RINGS };
    if (filo_mesh_sphere(&ball, &desc, NULL).code != FILO_OK) return false;
    FILE *out = open_memstream(&file->text, &file->size);
    if (out == NULL) return false;
    fprintf(out, "# a ball\no Ball\n");
    for (uint32_t i = 0; i < ball.vertex_count; i++) {
        float bump = 1.0f + 0.1f * filo_sin((float)i * 0.37f);
        FiloVec3 p = filo_vec3_scale(ball.positions[i], bump);
        append(out, "v", &p.x, 3);
    }
    for (uint32_t i = 0; i < ball.vertex_count; i++) append(out, "vt", &ball.uvs[i].x, 2);
    for (uint32_t i = 0; i < ball.vertex_count; i++) append(out, "vn", &ball.normals[i].x, 3);
    fprintf(out, "s 1\n");
    for (uint32_t i = 0; i < ball.index_count; i += 3) {
        unsigned a = ball.indices[i] + 1, b = ball.indices[i + 1] + 1, c = ball.indices[i + 2] + 1;
        fprintf(out, "f %u/%u/%u %u/%u/%u %u/%u/%u\n", a, a, a, b, b, b, c, c, c);
    }
    fclose(out);
    filo_mesh_free(&ball, NULL);
    snprintf(file->path, sizeof file->path, "/tmp/filo_bench_%d.obj", (int)getpid());
    FiloFileWriteDesc fast = { .skip_sync = true };
    return filo_file_write(file->path, file->text, file->size, &fast).code == FILO_OK;
}

static double megabytes_a_second(size_t bytes, int64_t ns) {
    return (double)bytes / 1e6 / ((double)ns / 1e9);
}

static double decode(void *state) {
    const ObjFile *file = state;
    FiloModel *model;
    int64_t start = filo_time_ns();
    FiloResult r = filo_model_decode(&model, file->text, file->size, "ball.obj", NULL);
    int64_t ns = filo_time_ns() - start;
    bench_expect(r.code == FILO_OK && model->meshes[0].data.index_count == 6 * SECTORS * (RINGS - 1),
                 "the OBJ file");
    filo_model_destroy(model);
    return megabytes_a_second(file->size, ns);
}

static double read_file(void *state) {
    const ObjFile *file = state;
    FiloFileData data;
    int64_t start = filo_time_ns();
    FiloResult r = filo_file_read(&data, file->path, NULL);
    int64_t ns = filo_time_ns() - start;
    bench_expect(r.code == FILO_OK && data.size == file->size, "the file's size");
    filo_file_free(&data);
    return megabytes_a_second(file->size, ns);
}

FILO_BENCH(3d) {
    if (!bench_shows("3d.obj")) return;
    ObjFile file = { 0 };
    bench_expect(make_file(&file), "the file that is read");
    bench_compare(&(BenchFigure){ .name = "3d.obj",
                                  .unit = "MB/s",
                                  .ours = decode,
                                  .reference = read_file,
                                  .reference_name = "reading the file",
                                  .state = &file,
                                  .rounds = 5,
                                  .higher_is_better = true });
    filo_file_remove(file.path);
    free(file.text);
}
