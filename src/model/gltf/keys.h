// The keys of one animation sampler: times, values, and the interpolation between them.

#ifndef FILO_MODEL_GLTF_KEYS_H
#define FILO_MODEL_GLTF_KEYS_H

#include "model/gltf/gltf.h"

enum { MODEL_GLTF_POSITION, MODEL_GLTF_ROTATION, MODEL_GLTF_SCALE };

typedef enum ModelGltfInterpolation {
    MODEL_GLTF_LINEAR,
    MODEL_GLTF_STEP,
    MODEL_GLTF_CUBIC
} ModelGltfInterpolation;

typedef struct ModelGltfKeys {
    uint32_t index;         // of the sampler
    uint32_t input, output; // accessors
    ModelGltfInterpolation interpolation;
    uint32_t count;
    uint32_t components; // 3, or 4 for rotations; 0: not read yet
    float *times;        // seconds, increasing
    float *values;       // one of `components` a key; with cubic interpolation three: tangent, value, tangent
} ModelGltfKeys;

bool model_gltf_read_sampler(ModelGltf *g, ModelGltfKeys *keys, const ModelJson *json);
// Reads and checks times and values, the first time that a channel uses the sampler.
bool model_gltf_read_keys(ModelGltf *g, ModelGltfKeys *keys, uint32_t components);
// Whether all values are `rest`, up to rounding.
bool model_gltf_keys_repeat(const ModelGltfKeys *keys, const float *rest);
// Writes `rows` samples, `rate` a second, `stride` floats from each other.
void model_gltf_sample_keys(const ModelGltfKeys *keys, uint32_t rows, double rate, float *out, size_t stride);

#endif
