// assets.glb.20mb: a GLB from a file to a mesh, without simplification: positions, normals, tangents, texture
// coordinates and indices of 32 bits, as exporters write them. The reference is reading the bytes of the same file.

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTORS 600
#define RINGS   500

typedef struct GlbFile {
    char path[64];
    size_t size;
    uint32_t vertices;
} GlbFile;

static void add_u32(FiloBuilder *out, size_t value) {
    uint32_t number = (uint32_t)value;
    filo_builder_add(out, filo_string_from((const char *)&number, sizeof number));
}

// The JSON of a mesh whose arrays follow each other in the buffer.
static void add_json(FiloBuilder *json, const FiloMeshData *mesh) {
    static const struct {
        const char *name, *shape;
        unsigned bytes;
    } arrays[] = { { "POSITION", "VEC3", 12 },
                   { "NORMAL", "VEC3", 12 },
                   { "TANGENT", "VEC4", 16 },
                   { "TEXCOORD_0", "VEC2", 8 } };
    size_t offset = 0, vertices = mesh->vertex_count;
    FiloBuilder views = { 0 }, accessors = { 0 };
    filo_builder_add_text(
        json, "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
              "\"meshes\":[{\"name\":\"Ball\",\"primitives\":[{\"indices\":4,\"attributes\":{");
    for (size_t i = 0; i < FILO_COUNT_OF(arrays); i++) {
        filo_builder_printf(json, "%s\"%s\":%zu", i > 0 ? "," : "", arrays[i].name, i);
        filo_builder_printf(&views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu},", offset,
                            vertices * arrays[i].bytes);
        filo_builder_printf(&accessors,
                            "{\"bufferView\":%zu,\"componentType\":5126,\"count\":%zu,\"type\":\"%s\"},", i,
                            vertices, arrays[i].shape);
        offset += vertices * arrays[i].bytes;
    }
    size_t size = (size_t)mesh->index_count * 4;
    filo_builder_printf(json, "}}]}],\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[%s", offset + size,
                        filo_builder_text(&views));
    filo_builder_printf(json, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}],\"accessors\":[%s",
                        offset, size, filo_builder_text(&accessors));
    filo_builder_printf(json, "{\"bufferView\":4,\"componentType\":5125,\"count\":%u,\"type\":\"SCALAR\"}]}",
                        (unsigned)mesh->index_count);
    while (json->length % 4 != 0) filo_builder_add_byte(json, ' ');
    filo_builder_deinit(&views);
    filo_builder_deinit(&accessors);
}

static bool make_file(GlbFile *file) {
    FiloMeshData ball;
    if (filo_mesh_sphere(&ball, &(FiloSphereDesc){ .sectors = SECTORS, .rings = RINGS }, NULL).code !=
        FILO_OK)
        return false;
    FiloBuilder json = { 0 }, out = { 0 };
    add_json(&json, &ball);
    size_t vertices = ball.vertex_count, binary = vertices * 48 + (size_t)ball.index_count * 4;
    filo_builder_add_text(&out, "glTF");
    add_u32(&out, 2), add_u32(&out, 28 + json.length + binary);
    add_u32(&out, json.length), filo_builder_add_text(&out, "JSON");
    filo_builder_add(&out, filo_builder_string(&json));
    add_u32(&out, binary), filo_builder_add(&out, filo_string_from("BIN\0", 4));
    filo_builder_add(&out, filo_string_from((const char *)ball.positions, vertices * 12));
    filo_builder_add(&out, filo_string_from((const char *)ball.normals, vertices * 12));
    filo_builder_add(&out, filo_string_from((const char *)ball.tangents, vertices * 16));
    filo_builder_add(&out, filo_string_from((const char *)ball.uvs, vertices * 8));
    filo_builder_add(&out, filo_string_from((const char *)ball.indices, (size_t)ball.index_count * 4));
    file->vertices = ball.vertex_count;
    file->size = out.length;
    snprintf(file->path, sizeof file->path, "/tmp/filo_bench_%d.glb", (int)getpid());
    bool ok =
        !out.failed &&
        filo_file_write(file->path, out.data, out.length, &(FiloFileWriteDesc){ .skip_sync = true }).code ==
            FILO_OK;
    filo_builder_deinit(&json);
    filo_builder_deinit(&out);
    filo_mesh_free(&ball, NULL);
    return ok;
}

static double load(void *state) {
    const GlbFile *file = state;
    FiloModel *model;
    int64_t start = filo_time_ns();
    FiloResult r = filo_model_load(&model, file->path, NULL);
    double ms = (double)(filo_time_ns() - start) * 1e-6;
    bench_expect(r.code == FILO_OK && model->meshes[0].data.vertex_count == file->vertices,
                 "the GLB is read");
    filo_model_destroy(model);
    return ms;
}

static double read_bytes(void *state) {
    const GlbFile *file = state;
    FiloFileData data;
    int64_t start = filo_time_ns();
    FiloResult r = filo_file_read(&data, file->path, NULL);
    double ms = (double)(filo_time_ns() - start) * 1e-6;
    bench_expect(r.code == FILO_OK && data.size == file->size, "the file is read");
    filo_file_free(&data);
    return ms;
}

FILO_BENCH(assets_gltf) {
    if (!bench_wanted("assets.glb")) return;
    GlbFile file = { 0 };
    bench_expect(make_file(&file), "a GLB is written");
    bench_compare(&(BenchFigure){ .name = "assets.glb.20mb",
                                  .unit = "ms",
                                  .ours = load,
                                  .reference = read_bytes,
                                  .reference_name = "reading the file",
                                  .state = &file });
    unlink(file.path);
}
