// Boids: thousands of them flock, and each looks only at its neighbours.
//
// The mouse is a hawk while its left button is held. The wheel, or Q and E, zoom.
//
//     ./dev run boids                       2,500, all pairs compared
//     ./dev run boids --boids 50000         50,000, with a spatial index
//     ./dev run boids --boids 50000 --hash --frames 100 --headless --threads 8
//
// The rules are in boids.c. The panel changes them while the boids fly.

#include "boids.h"

#define ALL_PAIRS_UP_TO 5000

typedef struct Show {
    uint64_t count;
    bool index; // flag
    Boids boids;
} Show;

// ---- Setup ------------------------------------------------------------------------------------------------

static FiloResult create(FiloApp *app) {
    Show *show = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    bool all_pairs = !show->index && show->count <= ALL_PAIRS_UP_TO;
    if (!boids_art(filo_app_assets(app))) return filo_error(FILO_ERROR_MEMORY, "boids: no memory");
    FiloResult r = boids_begin(&show->boids, world, show->count, all_pairs);
    if (r.code != FILO_OK) return r;
    static const FiloKey button = FILO_MOUSE_LEFT;
    (void)boids_view(world, &button); // without memory the app says so, and ends
    return filo_ok();
}

// A panel with all rules, made from their description. What the player changes there is recorded.
static void show_rules(FiloApp *app, FiloUi *ui) {
    FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    const FiloUiWindow window = { .position = { 16, 16 }, .size = { 340, 0 } };
    if (filo_ui_begin_window(ui, "Flocking", &window) && inspector != NULL)
        filo_inspector_edit_component(inspector, ui, FILO_ENTITY_NONE,
                                      filo_component_of(filo_app_world(app), FILO_TYPE(Flocking)));
    filo_ui_end(ui);
}

static void end(FiloApp *app) {
    Show *show = filo_app_user(app);
    boids_end(&show->boids);
}

// ---- Main -------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    Show show = { .count = 2500 };
    const FiloFlag flags[] = {
        { "boids", "how many", .unsigned_integer = &show.count, .min = 4, .max = 5e6 },
        { "index", "use the spatial index for few boids too", .on = &show.index },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "boids",
                                    .summary = "Boids fly together.",
                                    .window = { .title = "Boids" },
                                    .background = filo_color_from_hex(0x0B1522FF),
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .create = create,
                                    .ui = show_rules,
                                    .end = end,
                                    .user = &show });
}
