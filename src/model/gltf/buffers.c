// Buffers and buffer views. The bytes of a buffer are the second chunk of a GLB, in a data URI, or in a file beside the
// model.

#include "model/gltf/gltf.h"

#include <string.h>

// ---- Data URIs ------------------------------------------------------------------------------------------

// The value of a digit of base 64; 64 for others.
static uint8_t digit_of(char c) {
    if (c >= 'A' && c <= 'Z') return (uint8_t)(c - 'A');
    if (c >= 'a' && c <= 'z') return (uint8_t)(c - 'a' + 26);
    if (c >= '0' && c <= '9') return (uint8_t)(c - '0' + 52);
    if (c == '+' || c == '-') return 62;
    if (c == '/' || c == '_') return 63;
    return 64;
}

// `length` is without padding; `out` has room for length × 3 / 4 bytes.
static bool decode_base64(uint8_t *out, const char *text, size_t length) {
    uint8_t digits[256];
    for (int i = 0; i < 256; i++) digits[i] = digit_of((char)i);
    uint8_t bad = 0;
    size_t i = 0;
    for (; i + 4 <= length; i += 4, out += 3) {
        uint8_t a = digits[(uint8_t)text[i]], b = digits[(uint8_t)text[i + 1]];
        uint8_t c = digits[(uint8_t)text[i + 2]], d = digits[(uint8_t)text[i + 3]];
        bad |= a | b | c | d;
        out[0] = (uint8_t)(a << 2 | b >> 4);
        out[1] = (uint8_t)(b << 4 | c >> 2);
        out[2] = (uint8_t)(c << 6 | d);
    }
    uint8_t rest[3] = { 0 };
    for (size_t k = 0; i + k < length; k++) bad |= rest[k] = digits[(uint8_t)text[i + k]];
    if (length - i >= 2) out[0] = (uint8_t)(rest[0] << 2 | rest[1] >> 4);
    if (length - i == 3) out[1] = (uint8_t)(rest[1] << 4 | rest[2] >> 2);
    return (bad & 64) == 0 && length - i != 1;
}

bool model_gltf_decode_uri(ModelGltf *g, const char *uri, size_t length, uint8_t **bytes, size_t *size) {
    const char *comma = memchr(uri, ',', length);
    static const char base64[] = ";base64";
    size_t mark = sizeof base64 - 1;
    if (comma == NULL || (size_t)(comma - uri) < mark || memcmp(comma - mark, base64, mark) != 0)
        return model_gltf_fail(g, "the data URI is not in base 64");
    const char *text = comma + 1;
    length -= (size_t)(text - uri);
    while (length > 0 && text[length - 1] == '=') length--;
    *size = length / 4 * 3 + length % 4 * 3 / 4;
    *bytes = model_gltf_temporary(g, *size + 1, 1);
    if (*bytes == NULL) return false;
    if (!decode_base64(*bytes, text, length)) return model_gltf_fail(g, "the data URI is not valid base 64");
    return true;
}

// ---- Buffers --------------------------------------------------------------------------------------------

static bool open_file(ModelGltf *g, ModelGltfBuffer *buffer, const char *uri, size_t length) {
    char path[FILO_PATH_SIZE];
    const char *cause = model_path_clean(path, uri, length, MODEL_PATH_URI);
    if (cause != NULL)
        return model_gltf_fail(g, "the path \"%.*s\" %s", (int)FILO_MIN(length, (size_t)64), uri, cause);
    FiloResult r = model_open(g->reader, &buffer->file, path);
    if (r.code != FILO_OK) {
        model_gltf_fail(g, "%s", r.message);
        g->result.code = r.code;
        return false;
    }
    buffer->bytes = buffer->file.bytes;
    buffer->size = buffer->file.size;
    return true;
}

// Whether a buffer stands only for what compressed buffer views become, and has no bytes.
static bool is_fallback(ModelGltf *g, const ModelJson *json, bool *fallback) {
    const ModelJson *extension;
    return model_gltf_extension(g, json, "EXT_meshopt_compression", &extension) &&
           model_gltf_bool(g, extension, "fallback", fallback);
}

static bool find_bytes(ModelGltf *g, const ModelJson *json, uint32_t index, ModelGltfBuffer *buffer) {
    const ModelJson *text = NULL;
    if (!model_gltf_text(g, json, "uri", &text)) return false;
    if (text == NULL) {
        if (index != 0 || g->binary == NULL)
            return model_gltf_fail(g, "has no \"uri\", and the file no chunk for it");
        buffer->bytes = g->binary;
        buffer->size = g->binary_size;
        return true;
    }
    // Without escapes the text need not be copied: it may be large.
    const char *uri = text->text;
    char *copy = NULL;
    size_t length = text->length;
    if (text->escaped) {
        uri = copy = model_gltf_string(g, text, &length);
        if (uri == NULL) return false;
    }
    bool ok;
    if (length >= 5 && memcmp(uri, "data:", 5) == 0) {
        uint8_t *bytes = NULL;
        ok = model_gltf_decode_uri(g, uri, length, &bytes, &buffer->size);
        buffer->bytes = bytes;
    } else {
        ok = open_file(g, buffer, uri, length);
    }
    model_gltf_release(g, copy);
    return ok;
}

static bool read_buffer(ModelGltf *g, const ModelJson *json, uint32_t index) {
    ModelGltfBuffer *buffer = &g->buffers[index];
    uint64_t size = UINT64_MAX;
    bool fallback = false;
    model_gltf_place(g, "buffer", index);
    if (!is_fallback(g, json, &fallback)) return false;
    if (fallback) return true;
    if (!model_gltf_uint(g, json, "byteLength", &size)) return false;
    if (size == UINT64_MAX) return model_gltf_fail(g, "\"byteLength\" is missing");
    if (!find_bytes(g, json, index, buffer)) return false;
    if (size > buffer->size)
        return model_gltf_fail(g, "should have %llu bytes, but there are only %zu", (unsigned long long)size,
                               buffer->size);
    buffer->size = (size_t)size;
    g->byte_count += buffer->size;
    return true;
}

// ---- Views ----------------------------------------------------------------------------------------------

static bool read_view(ModelGltf *g, const ModelJson *json, uint32_t index) {
    model_gltf_place(g, "buffer view", index);
    uint64_t offset = 0, size = 0, stride = 0;
    uint32_t buffer = MODEL_GLTF_NONE;
    const ModelJson *compressed;
    if (!model_gltf_extension(g, json, "EXT_meshopt_compression", &compressed)) return false;
    if (compressed != NULL) return model_gltf_decompress(g, compressed, &g->views[index]);
    if (!model_gltf_index(g, json, "buffer", "buffer", g->buffer_count, &buffer) ||
        !model_gltf_uint(g, json, "byteOffset", &offset) || !model_gltf_uint(g, json, "byteLength", &size) ||
        !model_gltf_uint(g, json, "byteStride", &stride))
        return false;
    if (buffer == MODEL_GLTF_NONE) return model_gltf_fail(g, "\"buffer\" is missing");
    size_t total = g->buffers[buffer].size;
    if (size > total || offset > total - size)
        return model_gltf_fail(g, "%llu bytes at %llu do not fit into buffer %u of %zu bytes",
                               (unsigned long long)size, (unsigned long long)offset, (unsigned)buffer, total);
    if (stride > 252)
        return model_gltf_fail(g, "a stride of %llu bytes is too large: 252 are possible",
                               (unsigned long long)stride);
    g->views[index] = (ModelGltfView){ g->buffers[buffer].bytes + offset, (size_t)size, (uint32_t)stride };
    return true;
}

bool model_gltf_read_buffers(ModelGltf *g) {
    const ModelJson *buffers, *views;
    uint32_t count, view_count, index = 0;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_list(g, "buffers", &buffers, &count) ||
        !model_gltf_list(g, "bufferViews", &views, &view_count))
        return false;
    g->buffers = model_gltf_temporary(g, count, sizeof *g->buffers);
    if (g->buffers == NULL) return false;
    g->buffer_count = count;
    MODEL_JSON_EACH(buffers, json) {
        if (!read_buffer(g, json, index++)) return false;
    }
    g->views = model_gltf_temporary(g, view_count, sizeof *g->views);
    if (g->views == NULL) return false;
    g->view_count = view_count;
    index = 0;
    MODEL_JSON_EACH(views, json) {
        if (!read_view(g, json, index++)) return false;
    }
    return true;
}

void model_gltf_close_buffers(ModelGltf *g) {
    for (uint32_t i = 0; i < g->buffer_count; i++)
        if (g->buffers[i].file.bytes != NULL) model_close(g->reader, &g->buffers[i].file);
}
