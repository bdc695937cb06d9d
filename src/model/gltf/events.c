// Events of clips: "extras": { "events": [ { "time": 0.4, "name": "step" } ] } of an animation.
//
// Extras may have anything. What is not of this form belongs to another program, and is left out with a warning.

#include "model/gltf/gltf.h"

#include <filo/log.h>

#define EVENTS_LIMIT 4096 // of a clip

static bool is_event(const ModelJson *event) {
    const ModelJson *time = model_json_member(event, "time"), *name = model_json_member(event, "name");
    return time != NULL && time->kind == FILO_JSON_NUMBER && name != NULL && name->kind == FILO_JSON_STRING &&
           name->length > 0;
}

static bool read_event(ModelGltf *g, const ModelJson *json, float *time, const char **name) {
    if (!model_gltf_float(g, json, "time", time)) return false;
    size_t length = 0;
    char *text = model_gltf_string(g, model_json_member(json, "name"), &length);
    if (text == NULL) return false;
    *name = model_copy_text(g->reader, text, length);
    bool ok = *name != NULL || model_gltf_failed(g, g->reader->result);
    model_gltf_release(g, text); // after the result of the reader was read
    return ok;
}

bool model_gltf_read_events(ModelGltf *g, const ModelJson *animation, FiloClip *clip) {
    const ModelJson *list = model_json_member(model_json_member(animation, "extras"), "events");
    if (!model_json_is_array(list) || list->count == 0) return true;
    uint32_t count = 0;
    MODEL_JSON_EACH(list, event) count += is_event(event);
    if (count < list->count)
        filo_log_warn("model",
                      "%s: animation %u: %u of its events have no \"time\" and \"name\", and are left out",
                      g->reader->name, (unsigned)g->place.part_index, (unsigned)(list->count - count));
    if (count > EVENTS_LIMIT)
        return model_gltf_fail(g, "has %u events: %u are possible", (unsigned)count, (unsigned)EVENTS_LIMIT);
    if (count == 0) return true;
    float *times = MODEL_NEW(g->reader, float, count);
    const char **names = times != NULL ? MODEL_NEW(g->reader, const char *, count) : NULL;
    if (names == NULL) return model_gltf_failed(g, g->reader->result);
    uint32_t filled = 0;
    MODEL_JSON_EACH(list, event) {
        if (!is_event(event)) continue;
        float time = 0;
        const char *name = NULL;
        if (!read_event(g, event, &time, &name)) return false;
        time = filo_clamp(time, 0.0f, clip->seconds);
        uint32_t at = filled++; // in the order of time; of equal times, in that of the file
        for (; at > 0 && times[at - 1] > time; at--) times[at] = times[at - 1], names[at] = names[at - 1];
        times[at] = time;
        names[at] = name;
    }
    clip->event_count = count;
    clip->event_times = times;
    clip->event_names = names;
    return true;
}
