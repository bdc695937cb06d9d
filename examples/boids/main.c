// Boids: thousands of them flock, and each looks only at its neighbours.
//
// The mouse is a hawk while its left button is held. The wheel, or Q and E, zoom. The panel changes the rules while they fly.
//
//     ./dev run boids                       2,500, all pairs compared
//     ./dev run boids --boids 50000         50,000, with a spatial index
//     ./dev run boids --headless --frames 400 --panel --shot out/boids.png
//     ./dev run boids --boids 50000 --hash --frames 100 --headless --threads 8
//
// The rules are in boids.c, the hawk in hawk.c. The panel changes the rules while the boids fly.

#include "boids.h"

#include "shared/parameters.h"
#include "shared/theme.h"

#define ALL_PAIRS_UP_TO 5000
#define TIMES           240 // frames in the plot

typedef struct Show {
    uint64_t count;
    bool index; // flag
    bool panel; // flag
    Boids boids;
    Parameters parameters;
    Rules rules; // as the panel shows them
    float frames_ms[TIMES];
    size_t times; // so far
    int64_t last; // filo_time_ns of the last frame
} Show;

// ---- Panel ------------------------------------------------------------------------------------------------

static bool compares_all(const Show *show) { return !show->index && show->count <= ALL_PAIRS_UP_TO; }

static void show_rules(Rules *rules, FiloUi *ui) {
    if (filo_ui_begin_section(ui, "Together")) {
        filo_ui_slider(ui, "Cohesion", &rules->cohesion, 0, 5);
        filo_ui_slider(ui, "Alignment", &rules->alignment, 0, 8);
        filo_ui_slider(ui, "Separation", &rules->separation, 0, 40);
        filo_ui_slider(ui, "Sight", &rules->sight, 2, 60);
        filo_ui_slider(ui, "Distance", &rules->close, 0, 30);
    }
    filo_ui_end(ui);
    if (filo_ui_begin_section(ui, "Speed")) {
        if (filo_ui_slider(ui, "Least", &rules->min_speed, 0, 200))
            rules->max_speed = filo_max(rules->max_speed, rules->min_speed);
        if (filo_ui_slider(ui, "Most", &rules->max_speed, 0, 300))
            rules->min_speed = filo_min(rules->min_speed, rules->max_speed);
    }
    filo_ui_end(ui);
    if (filo_ui_begin_section(ui, "Hawk")) {
        filo_ui_slider(ui, "Reach", &rules->hawk_reach, 0, 300);
        filo_ui_slider(ui, "Fear", &rules->hawk_fear, 0, 3000);
    }
    filo_ui_end(ui);
}

static void show_time(Show *show, FiloApp *app, FiloUi *ui) {
    float scale = filo_app_time_scale(app);
    bool pause = filo_app_paused(app);
    if (filo_ui_slider(ui, "Time", &scale, 0, 3)) filo_app_set_time_scale(app, scale);
    if (filo_ui_switch(ui, "Pause", &pause)) filo_app_pause(app, pause);
    // Times differ from run to run: not in a picture.
    if (filo_app_args(app)->headless) return;
    int64_t now = filo_time_ns();
    if (show->last != 0) show->frames_ms[show->times++ % TIMES] = (float)(now - show->last) / 1e6f;
    show->last = now;
    filo_ui_plot(ui, "A frame",
                 &(FiloUiPlot){ .values = show->frames_ms,
                                .count = FILO_MIN(show->times, (size_t)TIMES),
                                .offset = show->times > TIMES ? show->times % TIMES : 0,
                                .height = 60,
                                .unit = "ms" });
}

static void ui(FiloApp *app, FiloUi *ui) {
    Show *show = filo_app_user(app);
    if (!parameters_shown(app, show->panel)) return;
    const FiloUiWindow window = { .position = { 16, 16 }, .size = { 300, 0 } };
    parameters_sync(&show->parameters, FILO_TYPE(Rules), &show->rules,
                    filo_get_global(filo_app_world(app), Rules));
    if (filo_ui_begin_window(ui, "Boids", &window)) {
        Rules *rules = &show->rules;
        int count = (int)rules->count, most = (int)FILO_MIN(4 * show->count, 1000000);
        if (compares_all(show)) most = ALL_PAIRS_UP_TO;
        if (filo_ui_slider_int(ui, "Boids", &count, 4, most)) rules->count = (uint32_t)count;
        show_rules(rules, ui);
        if (filo_ui_button(ui, "Defaults")) {
            *rules = boids_rules();
            rules->count = (uint32_t)show->count;
        }
        filo_ui_separator(ui);
        show_time(show, app, ui);
    }
    filo_ui_end(ui);
    parameters_send(&show->parameters, app, FILO_TYPE(Rules), &show->rules, filo_name(BOIDS_RULES));
}

// ---- Setup ------------------------------------------------------------------------------------------------

static FiloResult create(FiloApp *app) {
    Show *show = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    if (!boids_art(filo_app_assets(app))) return filo_error(FILO_ERROR_MEMORY, "boids: no memory");
    FiloResult r = boids_begin(&show->boids, world, show->count, compares_all(show));
    if (r.code != FILO_OK) return r;
    if (!boids_handle_messages(world)) return filo_error(FILO_ERROR_MEMORY, "boids: no memory");
    if (parameters_shown(app, show->panel)) theme_set(app, filo_ui_theme_dark());
    static const FiloKey button = FILO_MOUSE_LEFT;
    (void)boids_view(world, &button); // without memory the app says so, and ends
    return filo_ok();
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
        { "panel", "show the panel without a window, too", .on = &show.panel, .unrecorded = true },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "boids",
                                    .summary = "Boids fly together.",
                                    .window = { .title = "Boids" },
                                    .background = filo_color_from_hex(0x0B1522FF),
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .create = create,
                                    .ui = ui,
                                    .end = end,
                                    .user = &show });
}
