// The gallery: a list of panels, one for each function that makes a signal, and what each of them computed.
//
// A panel is one line of code, PLOT in values.c, events.c, switches.c and tasks.c. The code is compiled to a network,
// which is run over the same few seconds of input (filo_embed), and its text is shown below the plot.

#ifndef GALLERY_H
#define GALLERY_H

#include <filo/filo.h>

#define GALLERY_SECONDS 4.0f  // that each network runs
#define GALLERY_FINE    0.05f // seconds between samples; and where a delay of one sample should be visible:
#define GALLERY_COARSE  0.25f
#define GALLERY_SAMPLES 81 // at most
#define GALLERY_PANELS  176

typedef enum GalleryGroup {
    GROUP_VALUES,
    GROUP_COMPOSITION,
    GROUP_TIME,
    GROUP_SOURCES,
    GROUP_EVENTS,
    GROUP_ACCUMULATORS,
    GROUP_SWITCHES,
    GROUP_COLLECTIONS,
    GROUP_TASKS,
    GROUP_COUNT
} GalleryGroup;

typedef struct GalleryPanel {
    const char *name;   // without filo_sf_ or filo_task_
    const char *yampa;  // its name in Yampa; "": it has none
    const char *inputs; // the inputs that are drawn, thin: their letters
    const char *code;   // what was compiled
    GalleryGroup group;
    float delta;
    FiloNetwork *network;
    FiloTrace trace;     // its inputs, and then its output
    size_t input_leaves; // of the trace
} GalleryPanel;

typedef struct Gallery {
    GalleryPanel panels[GALLERY_PANELS];
    size_t count;
    FiloSfBuilder *b; // of all networks
    FiloResult result;
    // For the panels that are added next.
    GalleryGroup group;
    float delta;
} Gallery;

// The inputs of all networks, in this order: two numbers, two bools, and two events with a number.
#define GALLERY_INPUTS "xycped"

// Makes all panels and runs their networks. FILO_ERROR_MEMORY without memory; gallery_free is needed in any case.
FiloResult gallery_make(Gallery *gallery);
void gallery_free(Gallery *gallery);
// One page with all panels, as SVG.
FiloResult gallery_write_svg(const Gallery *gallery, const char *path);

const char *gallery_group_name(GalleryGroup group);

// Adds a panel: PLOT("integral", "integral", "x", filo_sf_integral(x)).
#define PLOT(name, yampa, inputs, ...) gallery_add(g, name, yampa, inputs, #__VA_ARGS__, __VA_ARGS__)
void gallery_add(Gallery *gallery, const char *name, const char *yampa, const char *inputs, const char *code,
                 FiloSf output);
// The input with a letter of GALLERY_INPUTS.
FiloSf gallery_input(const Gallery *gallery, char letter);

void gallery_add_values(Gallery *g);
void gallery_add_composition(Gallery *g);
void gallery_add_time(Gallery *g);
void gallery_add_sources(Gallery *g);
void gallery_add_events(Gallery *g);
void gallery_add_accumulators(Gallery *g);
void gallery_add_switches(Gallery *g);
void gallery_add_collections(Gallery *g);
void gallery_add_tasks(Gallery *g);

#endif
