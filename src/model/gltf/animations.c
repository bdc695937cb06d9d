// Animations become clips: all channels are sampled at one constant rate when the file is read.
//
// The rate is 30 samples a second, or the first of 24, 25, 60, 48, 50, 100 and 120 at which every key is a sample; if there is
// none, 60. It is then raised so far that the last sample is exactly at the end. Rotations are sampled along the arc
// (slerp), so that the plain blend between two samples is near to it, and are on the same side as the sample before.
// A channel that only repeats the rest pose is left out: exporters write many of these.

#include "model/gltf/keys.h"

#define ROWS_LIMIT (1u << 20)

// ---- Channels -------------------------------------------------------------------------------------------

// The samplers and channels of an animation. The channel of a node is found by `channels[path][node]`.
typedef struct Animation {
    ModelGltfKeys *samplers;
    uint32_t sampler_count;
    uint32_t *channels[3]; // a sampler, or NONE
    float seconds;
    double rate;
    uint32_t rows;
} Animation;

static int path_of(const ModelJson *path) {
    static const char *const names[] = { "translation", "rotation", "scale" };
    for (int i = 0; path != NULL && i < 3; i++)
        if (filo_json_equal(model_json_token(path), names[i])) return i;
    return -1;
}

static bool read_channel(ModelGltf *g, Animation *a, const ModelJson *json) {
    const ModelJson *target = NULL, *path = NULL;
    uint32_t node = MODEL_GLTF_NONE, sampler = MODEL_GLTF_NONE;
    if (!model_gltf_object(g, json, "target", &target) || !model_gltf_text(g, target, "path", &path) ||
        !model_gltf_index(g, target, "node", "node", g->node_count, &node) ||
        !model_gltf_index(g, json, "sampler", "sampler", a->sampler_count, &sampler))
        return false;
    int index = path_of(path);
    if (sampler == MODEL_GLTF_NONE || path == NULL) return model_gltf_fail(g, "has no sampler, or no path");
    if (index < 0 || node == MODEL_GLTF_NONE) {
        bool morphs = filo_json_equal(model_json_token(path), "weights");
        model_gltf_leave_out(g, morphs ? "morph targets" : "animation of what is no node");
        return true;
    }
    node = g->nodes[node].index;
    if (node == MODEL_GLTF_NONE) return true; // not in the scene
    uint32_t *channel = &a->channels[index][node];
    if (*channel != MODEL_GLTF_NONE)
        return model_gltf_fail(g, "another channel moves the same node in the same way");
    *channel = sampler;
    return model_gltf_read_keys(g, &a->samplers[sampler], index == MODEL_GLTF_ROTATION ? 4 : 3);
}

static bool read_channels(ModelGltf *g, Animation *a, const ModelJson *json) {
    const ModelJson *samplers = NULL, *channels = NULL;
    uint32_t index = 0, nodes = g->model->node_count;
    if (!model_gltf_array(g, json, "samplers", &samplers) ||
        !model_gltf_array(g, json, "channels", &channels))
        return false;
    a->sampler_count = model_json_count(samplers);
    a->samplers = model_gltf_temporary(g, a->sampler_count, sizeof *a->samplers);
    if (a->samplers == NULL) return false;
    MODEL_JSON_EACH(samplers, sampler) {
        model_gltf_place_in(g, "sampler", index);
        a->samplers[index].index = index;
        if (!model_gltf_read_sampler(g, &a->samplers[index++], sampler)) return false;
    }
    for (int path = 0; path < 3; path++) {
        a->channels[path] = model_gltf_temporary(g, nodes, sizeof *a->channels[path]);
        if (a->channels[path] == NULL) return false;
        for (uint32_t i = 0; i < nodes; i++) a->channels[path][i] = MODEL_GLTF_NONE;
    }
    index = 0;
    MODEL_JSON_EACH(channels, channel) {
        model_gltf_place_in(g, "channel", index++);
        if (!read_channel(g, a, channel)) return false;
    }
    return true;
}

// ---- Rate -----------------------------------------------------------------------------------------------

// Whether every key is at a sample, to within a thousandth of the distance between samples.
static bool rate_fits(const Animation *a, double rate) {
    for (uint32_t i = 0; i < a->sampler_count; i++)
        for (uint32_t k = 0; k < a->samplers[i].count; k++) {
            double row = (double)a->samplers[i].times[k] * rate;
            double nearest = (double)(uint64_t)(row + 0.5);
            if (row - nearest > 1e-3 || nearest - row > 1e-3) return false;
        }
    return true;
}

static bool choose_rate(ModelGltf *g, Animation *a) {
    static const double rates[] = { 30.0, 24.0, 25.0, 60.0, 48.0, 50.0, 100.0, 120.0 };
    for (uint32_t i = 0; i < a->sampler_count; i++)
        if (a->samplers[i].count > 0)
            a->seconds = filo_max(a->seconds, a->samplers[i].times[a->samplers[i].count - 1]);
    a->rate = 60.0;
    a->rows = 1;
    if (a->seconds <= 0.0f) return true;
    if ((double)a->seconds * 120.0 > ROWS_LIMIT)
        return model_gltf_fail(g, "%g seconds are too long: %g are possible", (double)a->seconds,
                               (double)ROWS_LIMIT / 120.0);
    for (size_t i = 0; i < FILO_COUNT_OF(rates); i++) {
        if (!rate_fits(a, rates[i])) continue;
        a->rate = rates[i];
        break;
    }
    double last = (double)a->seconds * a->rate;
    a->rows = (uint32_t)last + 1;
    if (last - (double)(a->rows - 1) > 1e-3) a->rows++;
    a->rate = (double)(a->rows - 1) / (double)a->seconds;
    if (a->rows == 1) a->rate = 60.0; // shorter than a thousandth of a sample
    return true;
}

// ---- Clips ----------------------------------------------------------------------------------------------

static bool repeats_rest(const ModelGltf *g, const Animation *a, int path, uint32_t node) {
    const FiloModelNode *n = &g->model->nodes[node];
    const float *rest = path == MODEL_GLTF_POSITION ? &n->position.x
                        : path == MODEL_GLTF_SCALE  ? &n->scale.x
                                                    : &n->rotation.x;
    return model_gltf_keys_repeat(&a->samplers[a->channels[path][node]], rest);
}

// Lists the nodes that a path moves and samples them. `values` has rows × count elements of three or four floats.
static bool sample_path(ModelGltf *g, const Animation *a, int path, uint32_t *count, const uint32_t **nodes,
                        const void **values) {
    uint32_t node_count = g->model->node_count, components = path == MODEL_GLTF_ROTATION ? 4 : 3, filled = 0;
    for (uint32_t i = 0; i < node_count; i++)
        if (a->channels[path][i] != MODEL_GLTF_NONE && !repeats_rest(g, a, path, i)) ++*count;
    if (*count == 0) return true;
    uint32_t *list = MODEL_NEW(g->reader, uint32_t, *count);
    float *rows = list != NULL
                      ? model_alloc(g->reader, (size_t)a->rows * *count, components * sizeof(float), 16)
                      : NULL;
    if (rows == NULL) return model_gltf_failed(g, g->reader->result);
    for (uint32_t i = 0; i < node_count; i++) {
        if (a->channels[path][i] == MODEL_GLTF_NONE || repeats_rest(g, a, path, i)) continue;
        model_gltf_sample_keys(&a->samplers[a->channels[path][i]], a->rows, a->rate,
                               rows + (size_t)filled * components, (size_t)*count * components);
        list[filled++] = i;
    }
    *nodes = list;
    *values = rows;
    return true;
}

static bool make_clip(ModelGltf *g, const Animation *a, FiloClip *clip) {
    const void *positions = NULL, *rotations = NULL, *scales = NULL;
    clip->seconds = a->seconds;
    clip->rate = (float)a->rate;
    clip->row_count = a->rows;
    if (g->model->node_count == 0) return true;
    bool ok =
        sample_path(g, a, MODEL_GLTF_POSITION, &clip->position_count, &clip->position_nodes, &positions) &&
        sample_path(g, a, MODEL_GLTF_ROTATION, &clip->rotation_count, &clip->rotation_nodes, &rotations) &&
        sample_path(g, a, MODEL_GLTF_SCALE, &clip->scale_count, &clip->scale_nodes, &scales);
    clip->positions = positions;
    clip->rotations = rotations;
    clip->scales = scales;
    return ok;
}

static bool read_animation(ModelGltf *g, const ModelJson *json, uint32_t index, ModelNames *names) {
    FiloClip *clip = &g->model->clips[index];
    Animation a = { 0 };
    if (!model_gltf_name(g, json, names, "animation", &clip->name)) return false;
    bool ok = read_channels(g, &a, json);
    g->place.detail = NULL;
    ok = ok && choose_rate(g, &a) && make_clip(g, &a, clip) && model_gltf_read_events(g, json, clip);
    for (uint32_t i = 0; a.samplers != NULL && i < a.sampler_count; i++) {
        model_gltf_release(g, a.samplers[i].times);
        model_gltf_release(g, a.samplers[i].values);
    }
    model_gltf_release(g, a.samplers);
    for (int path = 0; path < 3; path++) model_gltf_release(g, a.channels[path]);
    return ok;
}

bool model_gltf_read_animations(ModelGltf *g) {
    const ModelJson *list;
    uint32_t count;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_list(g, "animations", &list, &count)) return false;
    if (count == 0) return true;
    g->model->clips = MODEL_NEW(g->reader, FiloClip, count);
    if (g->model->clips == NULL) return model_gltf_failed(g, g->reader->result);
    g->model->clip_count = count;
    return model_gltf_each(g, list, "animation", read_animation);
}
