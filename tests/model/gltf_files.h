// Builds glTF files in memory, for tests.
//
//     GltfFile file = { 0 };
//     uint32_t positions = gltf_add(&file, corners, 3, GLTF_FLOAT, "VEC3");        // an accessor, in a view of its own
//     FiloModel *model = gltf_decode(&file, "'meshes':[{'primitives':[…]}]");      // as GLB; fails the test on errors
//     gltf_free(&file);
//
// JSON is written with ' instead of ".

#ifndef FILO_TEST_GLTF_FILES_H
#define FILO_TEST_GLTF_FILES_H

#include <filo/model.h>
#include <filo/strings.h>

#include "support/test.h"

#include <stdlib.h>

enum { GLTF_INT8 = 5120, GLTF_UINT8, GLTF_INT16, GLTF_UINT16, GLTF_UINT32 = 5125, GLTF_FLOAT };

typedef struct GltfFile {
    FiloBuilder views, accessors, binary;
    uint32_t view_count, accessor_count;
    FiloBuilder text, bytes; // the whole, after gltf_text or gltf_glb
    bool no_asset;           // leave "asset" out
} GltfFile;

static inline size_t gltf_type_size(int type) {
    return type == GLTF_INT8 || type == GLTF_UINT8 ? 1 : type == GLTF_INT16 || type == GLTF_UINT16 ? 2 : 4;
}

// Appends bytes to the buffer, as a view. Returns the view.
static inline uint32_t gltf_add_view(GltfFile *file, const void *bytes, size_t size, unsigned stride) {
    while (file->binary.length % 4 != 0) filo_builder_add_byte(&file->binary, '\0');
    filo_builder_printf(&file->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu",
                        file->view_count > 0 ? "," : "", file->binary.length, size);
    if (stride > 0) filo_builder_printf(&file->views, ",\"byteStride\":%u", stride);
    filo_builder_add_text(&file->views, "}");
    filo_builder_add(&file->binary, filo_string_from(bytes, size));
    return file->view_count++;
}

// An accessor of any JSON: "'bufferView':0,'componentType':5126,…". Returns the accessor.
static inline uint32_t gltf_add_accessor(GltfFile *file, const char *format, ...) {
    filo_builder_add_text(&file->accessors, file->accessor_count > 0 ? ",{" : "{");
    va_list arguments;
    va_start(arguments, format);
    filo_builder_printf_list(&file->accessors, format, arguments);
    va_end(arguments);
    filo_builder_add_text(&file->accessors, "}");
    return file->accessor_count++;
}

static inline size_t gltf_components(const char *shape) {
    return strcmp(shape, "SCALAR") == 0 ? 1 : strcmp(shape, "MAT4") == 0 ? 16 : (size_t)(shape[3] - '0');
}

static inline uint32_t gltf_add(GltfFile *file, const void *data, size_t count, int type, const char *shape) {
    uint32_t view = gltf_add_view(file, data, count * gltf_type_size(type) * gltf_components(shape), 0);
    return gltf_add_accessor(file, "\"bufferView\":%u,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"",
                             view, type, count, shape);
}

static inline uint32_t gltf_add_normalised(GltfFile *file, const void *data, size_t count, int type,
                                           const char *shape) {
    uint32_t view = gltf_add_view(file, data, count * gltf_type_size(type) * gltf_components(shape), 0);
    return gltf_add_accessor(
        file, "\"bufferView\":%u,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\",\"normalized\":true",
        view, type, count, shape);
}

// The JSON of the file. `rest` is everything besides buffers, views and accessors; `uri` of the buffer may be NULL.
static inline const char *gltf_json(GltfFile *file, const char *rest, const char *uri) {
    filo_builder_clear(&file->text);
    filo_builder_add_text(&file->text, file->no_asset ? "{" : "{\"asset\":{\"version\":\"2.0\"},");
    if (file->binary.length > 0 || uri != NULL) {
        filo_builder_printf(&file->text, "\"buffers\":[{\"byteLength\":%zu", file->binary.length);
        if (uri != NULL) {
            filo_builder_add_text(&file->text, ",\"uri\":\"");
            filo_builder_add_text(&file->text, uri);
            filo_builder_add_text(&file->text, "\"");
        }
        filo_builder_add_text(&file->text, "}],");
    }
    filo_builder_add_text(&file->text, "\"bufferViews\":[");
    filo_builder_add_text(&file->text, filo_builder_text(&file->views));
    filo_builder_add_text(&file->text, "],\"accessors\":[");
    filo_builder_add_text(&file->text, filo_builder_text(&file->accessors));
    filo_builder_add_text(&file->text, rest[0] != '\0' ? "]," : "]");
    filo_builder_add_text(&file->text, rest);
    filo_builder_add_text(&file->text, "}");
    assert_false(file->text.failed);
    for (size_t i = 0; i < file->text.length; i++)
        if (file->text.data[i] == '\'') file->text.data[i] = '"';
    return filo_builder_text(&file->text);
}

static inline void gltf_add_u32(FiloBuilder *builder, size_t number) {
    for (int i = 0; i < 4; i++) filo_builder_add_byte(builder, (char)(number >> (8 * i) & 0xFF));
}

// A GLB of any JSON and of the buffer, in file->bytes.
static inline void gltf_glb_of(GltfFile *file, const char *json) {
    size_t length = strlen(json), padded = FILO_ALIGN_UP(length, (size_t)4);
    size_t binary = FILO_ALIGN_UP(file->binary.length, (size_t)4);
    filo_builder_clear(&file->bytes);
    filo_builder_add_text(&file->bytes, "glTF");
    gltf_add_u32(&file->bytes, 2);
    gltf_add_u32(&file->bytes, 12 + 8 + padded + (binary > 0 ? 8 + binary : 0));
    gltf_add_u32(&file->bytes, padded);
    filo_builder_add_text(&file->bytes, "JSON");
    filo_builder_add_text(&file->bytes, json);
    for (; length < padded; length++) filo_builder_add_byte(&file->bytes, ' ');
    if (binary > 0) {
        gltf_add_u32(&file->bytes, binary);
        filo_builder_add(&file->bytes, filo_string_from("BIN\0", 4));
        filo_builder_add(&file->bytes, filo_builder_string(&file->binary));
        for (size_t i = file->binary.length; i < binary; i++) filo_builder_add_byte(&file->bytes, '\0');
    }
    assert_false(file->bytes.failed);
}

static inline void gltf_glb(GltfFile *file, const char *rest) {
    gltf_glb_of(file, gltf_json(file, rest, NULL));
}

static inline FiloResult gltf_try(GltfFile *file, FiloModel **model, const char *rest,
                                  const FiloModelOptions *options) {
    gltf_glb(file, rest);
    return filo_model_decode(model, file->bytes.data, file->bytes.length, "robot.glb", options);
}

static inline FiloModel *gltf_decode(GltfFile *file, const char *rest) {
    FiloModel *model = NULL;
    assert_ok(gltf_try(file, &model, rest, NULL));
    assert_non_null(model);
    return model;
}

static inline void gltf_free(GltfFile *file) {
    filo_builder_deinit(&file->views);
    filo_builder_deinit(&file->accessors);
    filo_builder_deinit(&file->binary);
    filo_builder_deinit(&file->text);
    filo_builder_deinit(&file->bytes);
    *file = (GltfFile){ 0 };
}

// "data:…;base64,…" of bytes; free it with free.
static inline char *gltf_data_uri(const void *bytes, size_t size, const char *type) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *uri = malloc(size * 4 / 3 + 64 + strlen(type)), *out = uri;
    assert_non_null(uri);
    out += sprintf(out, "data:%s;base64,", type);
    for (size_t i = 0; i < size; i += 3) {
        uint32_t n = 0;
        for (size_t k = 0; k < 3; k++) n = n << 8 | (i + k < size ? ((const uint8_t *)bytes)[i + k] : 0);
        for (size_t k = 0; k < 4; k++) *out++ = i + k > size ? '=' : digits[n >> (18 - 6 * k) & 63];
    }
    *out = '\0';
    return uri;
}

#endif
