// Reads and interpolates the keys of an animation sampler.

#include "model/gltf/keys.h"

#include <string.h>

// ---- Reading --------------------------------------------------------------------------------------------

bool model_gltf_read_sampler(ModelGltf *g, ModelGltfKeys *keys, const ModelJson *json) {
    const ModelJson *interpolation = NULL;
    keys->input = keys->output = MODEL_GLTF_NONE;
    if (!model_gltf_index(g, json, "input", "accessor", g->accessor_count, &keys->input) ||
        !model_gltf_index(g, json, "output", "accessor", g->accessor_count, &keys->output) ||
        !model_gltf_text(g, json, "interpolation", &interpolation))
        return false;
    if (keys->input == MODEL_GLTF_NONE || keys->output == MODEL_GLTF_NONE)
        return model_gltf_fail(g, "\"input\" or \"output\" is missing");
    if (interpolation == NULL || filo_json_equal(model_json_token(interpolation), "LINEAR"))
        keys->interpolation = MODEL_GLTF_LINEAR;
    else if (filo_json_equal(model_json_token(interpolation), "STEP"))
        keys->interpolation = MODEL_GLTF_STEP;
    else if (filo_json_equal(model_json_token(interpolation), "CUBICSPLINE"))
        keys->interpolation = MODEL_GLTF_CUBIC;
    else
        return model_gltf_fail(g, "there is no interpolation \"%.*s\"",
                               (int)FILO_MIN(interpolation->length, 32u), interpolation->text);
    return true;
}

static bool read_times(ModelGltf *g, ModelGltfKeys *keys) {
    if (!model_gltf_check_components(g, keys->input, 1, "\"input\"")) return false;
    keys->count = g->accessors[keys->input].count;
    if (keys->count == 0) return model_gltf_fail(g, "has no keys");
    keys->times = model_gltf_temporary(g, keys->count, sizeof *keys->times);
    if (keys->times == NULL || !model_gltf_read_floats(g, keys->input, keys->times, NULL)) return false;
    if (keys->times[0] < 0.0f)
        return model_gltf_fail(g, "its first key is at %g seconds", (double)keys->times[0]);
    for (uint32_t i = 1; i < keys->count; i++)
        if (keys->times[i] <= keys->times[i - 1])
            return model_gltf_fail(g, "key %u is at %g seconds, but the one before is at %g", (unsigned)i,
                                   (double)keys->times[i], (double)keys->times[i - 1]);
    return true;
}

bool model_gltf_read_keys(ModelGltf *g, ModelGltfKeys *keys, uint32_t components) {
    if (keys->components == components) return true;
    if (keys->components != 0)
        return model_gltf_fail(g, "sampler %u is used for values of two kinds", (unsigned)keys->index);
    model_gltf_place_in(g, "sampler", keys->index);
    if (!read_times(g, keys) || !model_gltf_check_components(g, keys->output, components, "\"output\""))
        return false;
    uint64_t needed = (uint64_t)keys->count * (keys->interpolation == MODEL_GLTF_CUBIC ? 3 : 1);
    uint32_t count = g->accessors[keys->output].count;
    if (count != needed)
        return model_gltf_fail(g, "%u keys need %llu values, but accessor %u has %u", (unsigned)keys->count,
                               (unsigned long long)needed, (unsigned)keys->output, (unsigned)count);
    keys->values = model_gltf_temporary(g, (size_t)count * components, sizeof *keys->values);
    if (keys->values == NULL || !model_gltf_read_floats(g, keys->output, keys->values, NULL)) return false;
    keys->components = components;
    return true;
}

// ---- Interpolation --------------------------------------------------------------------------------------

static const float *value_at(const ModelGltfKeys *keys, uint32_t key) {
    size_t n = keys->components;
    return keys->interpolation == MODEL_GLTF_CUBIC ? keys->values + (3 * (size_t)key + 1) * n
                                                   : keys->values + (size_t)key * n;
}

static FiloQuat quat_of(const float *v) { return filo_quat(v[0], v[1], v[2], v[3]); }

// A Hermite spline through the keys. Tangents are per second.
static void cubic(const ModelGltfKeys *keys, uint32_t key, float t, float seconds, float *out) {
    uint32_t n = keys->components;
    const float *p = value_at(keys, key), *q = value_at(keys, key + 1);
    const float *leave = p + n, *arrive = q - n;
    float t2 = t * t, t3 = t2 * t;
    float a = (2.0f * t3 - 3.0f * t2) + 1.0f, b = ((t3 - 2.0f * t2) + t) * seconds;
    float c = 3.0f * t2 - 2.0f * t3, d = (t3 - t2) * seconds;
    for (uint32_t i = 0; i < n; i++) out[i] = (a * p[i] + b * leave[i]) + (c * q[i] + d * arrive[i]);
}

// The value between two keys, t from 0 to 1.
static void between(const ModelGltfKeys *keys, uint32_t key, float t, float *out) {
    const float *p = value_at(keys, key), *q = value_at(keys, key + 1);
    if (keys->interpolation == MODEL_GLTF_CUBIC) {
        cubic(keys, key, t, keys->times[key + 1] - keys->times[key], out);
    } else if (keys->components == 4) {
        FiloQuat turn = filo_quat_slerp(filo_quat_normalise(quat_of(p)), filo_quat_normalise(quat_of(q)), t);
        memcpy(out, &turn, sizeof turn);
    } else {
        for (uint32_t i = 0; i < keys->components; i++) out[i] = filo_lerp(p[i], q[i], t);
    }
}

// Numbers that a spline has thrown out of range become those of the key.
static void keep_finite(const ModelGltfKeys *keys, uint32_t key, float *out) {
    for (uint32_t i = 0; i < keys->components; i++)
        if (!(filo_abs(out[i]) <= FLT_MAX)) memcpy(out, value_at(keys, key), keys->components * sizeof *out);
}

bool model_gltf_keys_repeat(const ModelGltfKeys *keys, const float *rest) {
    for (uint32_t k = 0; k < keys->count; k++) {
        const float *v = value_at(keys, k);
        // The opposite quaternion is the same rotation.
        float sign = keys->components == 4 && filo_quat_dot(quat_of(v), quat_of(rest)) < 0.0f ? -1.0f : 1.0f;
        for (uint32_t i = 0; i < keys->components; i++)
            if (!(filo_abs(v[i] * sign - rest[i]) <= 1e-6f * filo_max(filo_abs(rest[i]), 1.0f))) return false;
        if (keys->interpolation != MODEL_GLTF_CUBIC || keys->count == 1) continue;
        const float *arrive = v - keys->components, *leave = v + keys->components;
        for (uint32_t i = 0; i < keys->components; i++)
            if (arrive[i] != 0.0f || leave[i] != 0.0f) return false;
    }
    return true;
}

void model_gltf_sample_keys(const ModelGltfKeys *keys, uint32_t rows, double rate, float *out,
                            size_t stride) {
    uint32_t key = 0, last = keys->count - 1;
    const float *before = NULL;
    // A key that rounding moves behind its sample still counts.
    double early = 1e-3 / rate;
    for (uint32_t row = 0; row < rows; row++, out += stride) {
        double time = (double)row / rate;
        while (key < last && (double)keys->times[key + 1] <= time + early) key++;
        double offset = time - (double)keys->times[key];
        if (key == last || keys->interpolation == MODEL_GLTF_STEP || offset <= early)
            memcpy(out, value_at(keys, key), keys->components * sizeof *out);
        else
            between(keys, key, (float)(offset / ((double)keys->times[key + 1] - (double)keys->times[key])),
                    out);
        keep_finite(keys, key, out);
        if (keys->components == 4) {
            FiloQuat turn = filo_quat_normalise(quat_of(out));
            if (before != NULL && filo_quat_dot(turn, quat_of(before)) < 0.0f)
                turn = filo_quat(-turn.x, -turn.y, -turn.z, -turn.w);
            memcpy(out, &turn, sizeof turn);
            before = out;
        }
    }
}
