// The panel of the map: parameters, times, and how many objects there are of each layer.

#include "placement_map.h"

#include "shared/theme.h"

#include <stdio.h>

void panel_begin(FiloApp *app) {
    if (filo_app_ui(app) == NULL) return;
    FiloUiTheme theme = *filo_ui_theme_dark();
    theme.window = filo_color_from_hex(0x161D20FF);
    theme.accent = filo_color_from_hex(0x4F8F5AFF);
    theme.accent_hover = filo_color_from_hex(0x61A56DFF);
    theme.accent_active = filo_color_from_hex(0x407549FF);
    theme.text_size = 13;
    theme.control_height = 22;
    theme.gap = 4;
    theme_set(app, &theme);
}

static void show_parameters(View *view, uint64_t first, FiloUi *ui) {
    static const char *const paths[PATH_COUNT] = { "plain C", "SIMD, 16 bytes", "SIMD, AVX2", "all threads",
                                                   "GL" };
    int64_t least = (int64_t)first, seed = least + view->seed;
    if (filo_ui_integer(ui, "Seed (N)", &seed, least, least + 1000000)) view->seed = (uint32_t)(seed - least);
    double footprints = 1 + 0.1 * view->footprint, metres = (double)view->metres;
    const FiloUiNumber times = { .min = 0.3, .max = 2.5, .step = 0.1, .decimals = 1, .unit = "×" };
    if (filo_ui_slider_number(ui, "Footprints (+ -)", &footprints, &times))
        view->footprint = filo_round_to_int((float)(footprints - 1) * 10);
    const FiloUiNumber zoom = { .min = (double)METRES_LEAST,
                                .max = (double)METRES_MOST,
                                .decimals = 2,
                                .logarithmic = true,
                                .unit = "m" };
    if (filo_ui_slider_number(ui, "A pixel (Q E)", &metres, &zoom)) view->metres = (float)metres;
    int path = view->path;
    if (filo_ui_choice(ui, "Placed by (C)", &path, paths, PATH_COUNT)) view->path = path;
}

static void show_layers(View *view, const FiloPlacement *placement, const FiloPlacementResult *result,
                        FiloUi *ui) {
    for (size_t i = 0; i < filo_placement_layer_count(placement); i++) {
        bool shown = (view->hidden >> i & 1) == 0;
        char label[64];
        snprintf(label, sizeof label, "%s (%zu)", filo_placement_layer_name(placement, i), (i + 1) % 10);
        filo_ui_begin_row(ui);
        if (filo_ui_check(ui, label, &shown)) view->hidden ^= 1u << i;
        filo_ui_spacer(ui, 0);
        snprintf(label, sizeof label, "%zu", filo_placement_result_count(result, i));
        filo_ui_text(ui, FILO_UI_TEXT_MUTED, label);
        filo_ui_end(ui);
    }
}

void panel_show(Panel *panel, const Land *land, const FiloPlacementResult *result, FiloApp *app, FiloUi *ui) {
    const FiloUiWindow window = { .position = { 12, 12 }, .size = { 300, 0 } };
    parameters_sync(&panel->parameters, FILO_TYPE(View), &panel->view,
                    filo_get_global(filo_app_world(app), View));
    if (filo_ui_begin_window(ui, "Placement map (H)", &window)) {
        show_parameters(&panel->view, filo_app_args(app)->seed, ui);
        if (panel->missing_gpu)
            filo_ui_text(ui, FILO_UI_TEXT_WARNING, "There is no GL here: all threads do it.");
        if (filo_ui_begin_section(ui, "Layers")) show_layers(&panel->view, land->placement, result, ui);
        filo_ui_end(ui);
        if (filo_ui_begin_section(ui, "Numbers")) {
            double points = (double)FILO_MAX(result->candidates, (uint64_t)1);
            filo_ui_value(ui, "Objects", "%zu of %llu points", result->count,
                          (unsigned long long)result->candidates);
            filo_ui_value(ui, "Placing", "%.2f ms, %.0f ns a point", panel->compute_ms,
                          panel->compute_ms * 1e6 / points);
            filo_ui_value(ui, "Sorting", "%.2f ms", panel->prepare_ms);
            filo_ui_value(ui, "Ground, land", "%.1f, %.0f ms", panel->ground_ms, land->make_ms);
        }
        filo_ui_end(ui);
    }
    filo_ui_end(ui);
    parameters_send(&panel->parameters, app, FILO_TYPE(View), &panel->view, filo_name(MAP_VIEW));
}
