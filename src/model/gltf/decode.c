// The container of glTF, .gltf or .glb, the extensions that a file requires, and the order in which its parts are read.

#include "model/gltf/gltf.h"

#include <filo/log.h>

#include <stdio.h>
#include <string.h>

// ---- GLB ------------------------------------------------------------------------------------------------

#define GLB_MAGIC   0x46546C67u // "glTF"
#define CHUNK_JSON  0x4E4F534Au
#define CHUNK_BIN   0x004E4942u
#define HEADER_SIZE 12u
#define CHUNK_SIZE  8u

static uint32_t read_u32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

typedef struct Chunk {
    const uint8_t *bytes;
    size_t size;
    uint32_t kind;
} Chunk;

// Takes the chunk at the beginning of `*bytes` and moves on to the next.
static bool next_chunk(ModelGltf *g, const uint8_t **bytes, size_t *size, Chunk *chunk) {
    if (*size < CHUNK_SIZE) return model_gltf_fail(g, "the file ends inside the header of a chunk");
    *chunk = (Chunk){ *bytes + CHUNK_SIZE, read_u32(*bytes), read_u32(*bytes + 4) };
    if (chunk->size > *size - CHUNK_SIZE)
        return model_gltf_fail(g, "a chunk of %zu bytes does not fit into the %zu bytes that are left",
                               chunk->size, *size - CHUNK_SIZE);
    *bytes += CHUNK_SIZE + chunk->size;
    *size -= CHUNK_SIZE + chunk->size;
    return true;
}

// Sets `json` to the first chunk and g->binary to the second.
static bool open_glb(ModelGltf *g, const uint8_t *bytes, size_t size, Chunk *json) {
    if (size < HEADER_SIZE) return model_gltf_fail(g, "the file ends inside the header of a GLB");
    uint32_t version = read_u32(bytes + 4), length = read_u32(bytes + 8);
    if (version != 2)
        return model_gltf_fail(g, "a GLB of version %u cannot be read, only version 2", (unsigned)version);
    if (length > size || length < HEADER_SIZE)
        return model_gltf_fail(g, "the file has %zu bytes, but its header says %u", size, (unsigned)length);
    bytes += HEADER_SIZE;
    size = length - HEADER_SIZE;
    if (!next_chunk(g, &bytes, &size, json)) return false;
    if (json->kind != CHUNK_JSON) return model_gltf_fail(g, "the first chunk of the GLB is not JSON");
    while (size > 0 && g->binary == NULL) {
        Chunk chunk = { 0 };
        if (!next_chunk(g, &bytes, &size, &chunk)) return false;
        if (chunk.kind != CHUNK_BIN) continue;
        g->binary = chunk.bytes;
        g->binary_size = chunk.size;
    }
    return true;
}

// ---- Version and extensions -----------------------------------------------------------------------------

static bool check_version(ModelGltf *g) {
    const ModelJson *asset = NULL, *version = NULL;
    model_gltf_place(g, "asset", MODEL_GLTF_NONE);
    if (!model_gltf_object(g, g->root, "asset", &asset) || !model_gltf_text(g, asset, "version", &version))
        return false;
    if (version == NULL) return model_gltf_fail(g, "the version of glTF is missing");
    if (version->length < 2 || memcmp(version->text, "2.", 2) != 0)
        return model_gltf_fail(g, "version %.*s of glTF cannot be read, only 2",
                               (int)FILO_MIN(version->length, 16u), version->text);
    return true;
}

static bool is_read(const ModelJson *name) {
    static const char *const read[] = {
        "KHR_materials_unlit",
        "KHR_materials_emissive_strength",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_texture_transform",
        "KHR_lights_punctual",
        "KHR_mesh_quantization",
        "EXT_meshopt_compression",
        "EXT_mesh_gpu_instancing",
        "EXT_texture_webp",
        "KHR_node_visibility",
    };
    for (size_t i = 0; i < FILO_COUNT_OF(read); i++)
        if (filo_json_equal(model_json_token(name), read[i])) return true;
    return false;
}

// What converts a file with an extension that is not read; NULL: nothing is known.
static const char *converter_of(const ModelJson *name) {
    if (filo_json_equal(model_json_token(name), "KHR_draco_mesh_compression")) return "copy";
    if (filo_json_equal(model_json_token(name), "KHR_texture_basisu")) return "ktxdecompress";
    return NULL;
}

// Whether a file can be shown without an extension, even if it says that it requires it: without a layer of materials, or
// without what changes nothing in it.
static bool can_be_left_out(const ModelJson *name) {
    static const char *const begins[] = { "KHR_materials_", "KHR_animation_", "KHR_xmp", "EXT_lights_",
                                          "EXT_materials_" };
    for (size_t i = 0; i < FILO_COUNT_OF(begins); i++) {
        size_t length = strlen(begins[i]);
        if (name->length >= length && memcmp(name->text, begins[i], length) == 0) return true;
    }
    return false;
}

static bool refuse_extension(ModelGltf *g, const ModelJson *name) {
    const char *converter = converter_of(name), *file = g->reader->name;
    int length = (int)FILO_MIN(name->length, 64u);
    g->result =
        converter != NULL
            ? filo_error(
                  FILO_ERROR_UNSUPPORTED,
                  "%s: requires %.*s, which is not read; convert it: npx @gltf-transform/cli %s %s out.glb",
                  file, length, name->text, converter, file)
            : filo_error(FILO_ERROR_UNSUPPORTED, "%s: requires the extension %.*s, which is not read", file,
                         length, name->text);
    return false;
}

static bool check_extensions(ModelGltf *g) {
    const ModelJson *required = NULL, *used = NULL;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_array(g, g->root, "extensionsRequired", &required) ||
        !model_gltf_array(g, g->root, "extensionsUsed", &used))
        return false;
    MODEL_JSON_EACH(required, name) {
        if (name->kind != FILO_JSON_STRING) return model_gltf_fail_at(g, name, "an extension must be a text");
        if (!is_read(name) && !can_be_left_out(name)) return refuse_extension(g, name);
    }
    MODEL_JSON_EACH(used, name) {
        char text[65] = "";
        if (name->kind != FILO_JSON_STRING || is_read(name)) continue;
        (void)filo_json_as_text(model_json_token(name), text, sizeof text);
        model_gltf_leave_out(g, text);
    }
    return true;
}

static void say_left_out(const ModelGltf *g) {
    if (g->left_out_length == 0) return;
    char more[32] = "";
    if (g->left_out_more > 0) snprintf(more, sizeof more, " and %u more", (unsigned)g->left_out_more);
    filo_log_warn("model", "%s: left out: %s%s", g->reader->name, g->left_out, more);
}

// ---- Everything -----------------------------------------------------------------------------------------

static bool read_parts(ModelGltf *g) {
    return check_version(g) && check_extensions(g) && model_gltf_read_buffers(g) &&
           model_gltf_read_accessors(g) && model_gltf_read_materials(g) && model_gltf_read_meshes(g) &&
           model_gltf_read_nodes(g) && model_gltf_read_skins(g) && model_gltf_read_animations(g);
}

static bool decode(ModelGltf *g) {
    ModelReader *reader = g->reader;
    Chunk json = { reader->bytes, reader->size, CHUNK_JSON };
    bool is_glb = reader->size >= 4 && read_u32(reader->bytes) == GLB_MAGIC;
    if (!is_glb && filo_path_has_extension(reader->name, "glb"))
        return model_gltf_fail(g, "not a GLB: it does not begin with \"glTF\"");
    if (is_glb && !open_glb(g, reader->bytes, reader->size, &json)) return false;
    FiloResult r = model_json_parse(&g->tree, reader, (const char *)json.bytes, json.size);
    if (r.code != FILO_OK) return model_gltf_failed(g, r);
    g->root = g->tree.values;
    g->byte_count = json.size;
    if (!model_json_is_object(g->root)) return model_gltf_fail(g, "not glTF: the JSON is not an object");
    return read_parts(g);
}

FiloResult model_gltf_decode(ModelReader *reader) {
    ModelGltf g = { .reader = reader, .model = reader->model };
    bool read = decode(&g);
    if (read) say_left_out(&g);
    model_gltf_close_buffers(&g);
    model_gltf_release_all(&g);
    model_json_free(&g.tree, reader);
    return read ? filo_ok() : g.result;
}
