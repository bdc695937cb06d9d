// From the arrays of a mesh to the vertices of the GPU.

#include "gfx3d/meshes/meshes.h"

static int16_t unit16(float v) {
    return (int16_t)(filo_clamp(v, -1.0f, 1.0f) * 32767.0f + (v < 0.0f ? -0.5f : 0.5f));
}

void gfx3d_pack_vertices(Gfx3dVertex *out, const FiloMeshData *data, uint32_t first, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = first + n;
        FiloVec3 normal = data->normals != NULL ? data->normals[i] : filo_vec3(0, 1, 0);
        FiloVec4 tangent = data->tangents != NULL ? data->tangents[i] : filo_vec4(1, 0, 0, 1);
        out[n] = (Gfx3dVertex){
            .position = data->positions[i],
            .normal = { unit16(normal.x), unit16(normal.y), unit16(normal.z), 0 },
            .tangent = { unit16(tangent.x), unit16(tangent.y), unit16(tangent.z),
                         tangent.w < 0 ? -32767 : 32767 },
            .uv = data->uvs != NULL ? data->uvs[i] : filo_vec2(0, 0),
            .color = data->colors != NULL ? data->colors[i] : FILO_COLOR_WHITE,
        };
    }
}

// Rounds weights to bytes whose sum is 255: what is left goes to the largest.
static void pack_weights(uint8_t out[4], FiloVec4 weights) {
    const float w[4] = { filo_max(weights.x, 0), filo_max(weights.y, 0), filo_max(weights.z, 0),
                         filo_max(weights.w, 0) };
    float sum = (w[0] + w[1]) + (w[2] + w[3]);
    int largest = 0, left = 255;
    for (int i = 0; i < 4; i++) {
        int value = sum > 0 ? (int)(w[i] / sum * 255.0f + 0.5f) : 0;
        out[i] = (uint8_t)FILO_MIN(value, 255);
        left -= out[i];
        if (w[i] > w[largest]) largest = i;
    }
    out[largest] = (uint8_t)(out[largest] + left);
}

void gfx3d_pack_skins(Gfx3dVertexSkin *out, const FiloMeshData *data, uint32_t first, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        out[n] = (Gfx3dVertexSkin){ .weights = { 255 } };
        if (data->joints == NULL || data->weights == NULL) continue; // follows the first joint
        for (int j = 0; j < 4; j++) out[n].joints[j] = data->joints[first + n].index[j];
        pack_weights(out[n].weights, data->weights[first + n]);
    }
}
