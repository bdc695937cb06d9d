// Vertex attributes that are not stored as they are in the file: colours, joints and weights.

#include "model/gltf/primitive.h"

#include <string.h>

// ---- Colours --------------------------------------------------------------------------------------------
//
// Colours in glTF are linear light; FiloColor has sRGB bytes. A byte is found by searching the values of light at which
// it changes, which is several times as fast as computing powers.

typedef struct Encoder {
    float limits[256]; // the light from which on the byte is larger than the index; the last is never reached
} Encoder;

static void init_encoder(Encoder *encoder) {
    for (int i = 0; i < 255; i++) encoder->limits[i] = filo_srgb_to_linear(((float)i + 0.5f) / 255.0f);
    encoder->limits[255] = __builtin_inff();
}

static uint8_t encode(const Encoder *encoder, float light) {
    uint32_t low = 0;
    for (uint32_t step = 128; step > 0; step /= 2)
        if (light >= encoder->limits[low + step - 1]) low += step;
    return (uint8_t)low;
}

bool model_gltf_fill_colors(ModelGltf *g, FiloColor *out, uint32_t accessor) {
    const ModelGltfAccessor *a = &g->accessors[accessor];
    if (a->components != 3 && a->components != 4)
        return model_gltf_check_components(g, accessor, 4, "COLOR_0");
    if (a->count == 0) return true;
    float *values = model_gltf_temporary(g, (size_t)a->count * a->components, sizeof *values);
    if (values == NULL) return false;
    bool ok = model_gltf_read_floats(g, accessor, values, NULL);
    if (ok) {
        Encoder encoder;
        init_encoder(&encoder);
        const float *v = values;
        for (uint32_t i = 0; i < a->count; i++, v += a->components)
            out[i] =
                filo_color_from_bytes(encode(&encoder, v[0]), encode(&encoder, v[1]), encode(&encoder, v[2]),
                                      a->components == 4 ? filo_byte_from_unit(v[3]) : 255);
    }
    model_gltf_release(g, values);
    return ok;
}

// ---- Joints and weights ---------------------------------------------------------------------------------

// Weights become positive and their sum 1; joints without weight become 0.
static void settle(FiloVertexJoints *joints, FiloVec4 *weights, uint32_t *joint_count) {
    float w[4] = { filo_max(weights->x, 0.0f), filo_max(weights->y, 0.0f), filo_max(weights->z, 0.0f),
                   filo_max(weights->w, 0.0f) };
    float sum = (w[0] + w[1]) + (w[2] + w[3]);
    if (!(sum > 0.0f && sum <= FLT_MAX)) {
        *joints = (FiloVertexJoints){ { joints->index[0] } };
        w[0] = sum = 1.0f, w[1] = w[2] = w[3] = 0.0f;
    }
    for (int i = 0; i < 4; i++) {
        if (sum != 1.0f) w[i] /= sum;
        if (w[i] > 0.0f)
            *joint_count = FILO_MAX(*joint_count, joints->index[i] + 1u);
        else
            joints->index[i] = 0;
    }
    *weights = filo_vec4(w[0], w[1], w[2], w[3]);
}

bool model_gltf_fill_skin(ModelGltf *g, FiloVertexJoints *joints, FiloVec4 *weights,
                          const ModelGltfPrimitive *p, uint32_t *joint_count) {
    uint32_t largest, count = p->source_count;
    if (!model_gltf_check_components(g, p->joints, 4, "JOINTS_0") ||
        !model_gltf_check_components(g, p->weights, 4, "WEIGHTS_0") ||
        !model_gltf_read_floats(g, p->weights, &weights[0].x, NULL))
        return false;
    uint32_t *indices = model_gltf_temporary(g, (size_t)count * 4, sizeof *indices);
    if (indices == NULL) return false;
    bool ok = model_gltf_read_uints(g, p->joints, indices, &largest);
    if (ok && largest > UINT16_MAX) ok = model_gltf_fail(g, "there is no joint %u", (unsigned)largest);
    for (size_t i = 0; ok && i < count; i++) {
        for (size_t k = 0; k < 4; k++) joints[i].index[k] = (uint16_t)indices[4 * i + k];
        settle(&joints[i], &weights[i], joint_count);
    }
    model_gltf_release(g, indices);
    return ok;
}
