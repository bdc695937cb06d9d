// Compiles the panels, runs them, and writes them as SVG.

#include "gallery.h"

#include <stdio.h>
#include <string.h>

static const char *const group_names[GROUP_COUNT] = {
    "values", "composition", "time", "sources", "events", "accumulators", "switches", "collections", "tasks",
};

const char *gallery_group_name(GalleryGroup group) { return group_names[group]; }

// ---- The inputs -------------------------------------------------------------------------------------------

// Events: a time and a value. One of each kind occurs at 2.5 s, and one at time 0.
static const FiloVec2 events_e[] = {
    { 0.5f, 0.6f }, { 1, -0.5f }, { 1.75f, 0.9f }, { 2.5f, 0.4f }, { 3.25f, -0.8f },
};
static const FiloVec2 events_d[] = { { 0, 0.5f }, { 1.25f, -0.3f }, { 2.5f, -0.7f }, { 3.5f, 0.8f } };

typedef struct Inputs {
    float x[GALLERY_SAMPLES], y[GALLERY_SAMPLES];
    bool c[GALLERY_SAMPLES], p[GALLERY_SAMPLES];
    uint8_t e[GALLERY_SAMPLES], d[GALLERY_SAMPLES]; // whether the event occurs
    float e_value[GALLERY_SAMPLES], d_value[GALLERY_SAMPLES];
} Inputs;

static void add_events(const FiloVec2 *events, size_t count, float delta, uint8_t *present, float *values) {
    for (size_t i = 0; i < count; i++) {
        size_t sample = (size_t)(events[i].x / delta + 0.5f);
        present[sample] = 1;
        values[sample] = events[i].y;
    }
}

static FiloStream make_stream(Inputs *inputs, float delta) {
    *inputs = (Inputs){ 0 };
    size_t count = (size_t)(GALLERY_SECONDS / delta + 0.5f);
    for (size_t i = 0; i <= count; i++) {
        float time = (float)i * delta, turn = time / 2;
        inputs->x[i] = 0.9f * filo_sin(time * 1.9f);
        inputs->y[i] = 0.7f * (4 * filo_abs(turn - filo_floor(turn) - 0.5f) - 1); // a triangle, every 2 s
        inputs->c[i] = (time > 0.99f && time < 1.99f) || (time > 2.74f && time < 3.49f);
        inputs->p[i] = (time > 0.49f && time < 1.49f) || time > 2.99f;
    }
    add_events(events_e, FILO_COUNT_OF(events_e), delta, inputs->e, inputs->e_value);
    add_events(events_d, FILO_COUNT_OF(events_d), delta, inputs->d, inputs->d_value);
    return (FiloStream){ .count = count,
                         .delta = delta,
                         .inputs = { inputs->x, inputs->y, inputs->c, inputs->p, inputs->e, inputs->e_value,
                                     inputs->d, inputs->d_value } };
}

FiloSf gallery_input(const Gallery *gallery, char letter) {
    return filo_sf_in(gallery->b, (unsigned)(strchr(GALLERY_INPUTS, letter) - GALLERY_INPUTS));
}

// ---- Panels -----------------------------------------------------------------------------------------------

void gallery_add(Gallery *gallery, const char *name, const char *yampa, const char *inputs, const char *code,
                 FiloSf output) {
    if (gallery->result.code != FILO_OK) return;
    if (gallery->count == GALLERY_PANELS) {
        gallery->result = filo_error(FILO_ERROR_LIMIT, "GALLERY_PANELS is too small for %s", name);
        return;
    }
    GalleryPanel *panel = &gallery->panels[gallery->count++];
    *panel = (GalleryPanel){ name, yampa, inputs, code, gallery->group, gallery->delta, NULL, { 0 }, 0 };
    FiloSf shown[8];
    size_t count = 0;
    for (; inputs[count] != 0; count++) {
        shown[count] = gallery_input(gallery, inputs[count]);
        panel->input_leaves += inputs[count] == 'e' || inputs[count] == 'd' ? 2 : 1;
    }
    shown[count++] = output;
    FiloResult r = filo_network_create(&panel->network, filo_sf_tuple(gallery->b, shown, count), NULL);
    if (r.code == FILO_OK) {
        Inputs values;
        FiloStream stream = make_stream(&values, panel->delta);
        r = filo_embed(panel->network, &stream, &(FiloEmbed){ .trace = &panel->trace, .seed = 3 });
    }
    if (r.code != FILO_OK) gallery->result = filo_error(r.code, "%s: %s", name, r.message);
}

FiloResult gallery_make(Gallery *gallery) {
    static void (*const groups[GROUP_COUNT])(Gallery *) = {
        gallery_add_values,   gallery_add_composition, gallery_add_time,
        gallery_add_sources,  gallery_add_events,      gallery_add_accumulators,
        gallery_add_switches, gallery_add_collections, gallery_add_tasks,
    };
    *gallery = (Gallery){ .result = filo_ok() };
    gallery->b = filo_sf_builder_create(
        &(FiloSfBuilderDesc){ .name = "gallery",
                              .inputs = { { "x", .type = FILO_TYPE(float) },
                                          { "y", .type = FILO_TYPE(float) },
                                          { "c", .type = FILO_TYPE(bool) },
                                          { "p", .type = FILO_TYPE(bool) },
                                          { "e", .type = FILO_TYPE(float), .event = true },
                                          { "d", .type = FILO_TYPE(float), .event = true } } });
    if (gallery->b == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a gallery");
    for (int i = 0; i < GROUP_COUNT; i++) {
        gallery->group = (GalleryGroup)i;
        gallery->delta = GALLERY_FINE;
        groups[i](gallery);
    }
    filo_sf_builder_destroy(gallery->b); // the networks stay
    gallery->b = NULL;
    return gallery->result;
}

void gallery_free(Gallery *gallery) {
    for (size_t i = 0; i < gallery->count; i++) {
        filo_trace_deinit(&gallery->panels[i].trace);
        filo_network_destroy(gallery->panels[i].network);
    }
    gallery->count = 0;
}

// ---- SVG --------------------------------------------------------------------------------------------------

#define LINE 64 // bytes of code that fit above a plot

FiloResult gallery_write_svg(const Gallery *gallery, const char *path) {
    static const char *const letters[] = { "x", "y", "c", "p", "e", "d" };
    static FiloPlotPanel plots[GALLERY_PANELS];
    static char titles[GALLERY_PANELS][64], texts[GALLERY_PANELS][LINE + 8];
    for (size_t i = 0; i < gallery->count; i++) {
        const GalleryPanel *panel = &gallery->panels[i];
        FiloPlotPanel *plot = &plots[i];
        bool other = panel->yampa[0] != 0 && strcmp(panel->yampa, panel->name) != 0;
        snprintf(titles[i], sizeof titles[i], other ? "%s · %s" : "%s", panel->name, panel->yampa);
        bool fits = strlen(panel->code) <= LINE;
        snprintf(texts[i], sizeof texts[i], "%.*s%s", LINE, panel->code, fits ? "" : " …");
        *plot = (FiloPlotPanel){ .trace = &panel->trace, .title = titles[i], .text = texts[i] };
        size_t leaf = 0;
        for (const char *input = panel->inputs; *input != 0; input++) {
            plot->names[leaf] = letters[strchr(GALLERY_INPUTS, *input) - GALLERY_INPUTS];
            plot->thin[leaf++] = true;
            if (*input == 'e' || *input == 'd') plot->thin[leaf++] = true;
        }
        plot->names[leaf] = "output";
        for (leaf = 0; leaf < panel->trace.leaf_count; leaf++)
            plot->steps[leaf] = panel->delta > GALLERY_FINE;
    }
    return filo_trace_plot_write(&(FiloPlot){ .title = "Signal functions, and what they compute",
                                              .panels = plots,
                                              .count = gallery->count,
                                              .columns = 6,
                                              .width = 340,
                                              .height = 200 },
                                 path);
}
