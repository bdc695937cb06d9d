// The panel: what grows where, time and weather; numbers and the timeline.

#include "forest.h"

#include "shared/theme.h"

void panel_begin(FiloApp *app) {
    if (filo_app_ui(app) == NULL) return;
    FiloUiTheme theme = *filo_ui_theme_dark();
    theme.window = filo_color_from_hex(0x12181BFF);
    theme.title = filo_color_from_hex(0x1A2226FF);
    theme.control = filo_color_from_hex(0x2C373CFF);
    theme.accent = filo_color_from_hex(0x5C9C46FF);
    theme.accent_hover = filo_color_from_hex(0x6FB257FF);
    theme.accent_active = filo_color_from_hex(0x4B8238FF);
    theme.selection = filo_color_from_hex(0x3C6A2EFF);
    theme.text_size = 13;
    theme.small_size = 11;
    theme.control_height = 19;
    theme.gap = 2;
    theme_set(app, &theme);
}

// ---- Parameters -----------------------------------------------------------------------------------------------------

static void show_placing(Panel *panel, FiloUi *ui) {
    static const char *const woods[WOODS_MAPS] = { "natural", "groves", "dense" };
    static const char *const ecotopes[ECOTOPES] = { "valley", "taiga" };
    static const char *const placers[] = { "CPU", "GPU" };
    View *view = &panel->view;
    int64_t least = (int64_t)panel->seed, seed = least + view->seed;
    if (filo_ui_integer(ui, "Seed (N)", &seed, least, least + 1000000)) view->seed = (uint32_t)(seed - least);
    int chosen = (int)view->ecotope;
    if (filo_ui_segments(ui, "Ecotope (O)", &chosen, ecotopes, ECOTOPES)) view->ecotope = (uint32_t)chosen;
    chosen = (int)view->woods;
    if (filo_ui_segments(ui, "Woods (M)", &chosen, woods, WOODS_MAPS)) view->woods = (uint32_t)chosen;
    double footprints = 1 + 0.1 * view->footprints;
    const FiloUiNumber times = { .min = 0.6, .max = 3, .step = 0.1, .decimals = 1, .unit = "×" };
    if (filo_ui_slider_number(ui, "Footprints (+ -)", &footprints, &times))
        view->footprints = filo_round_to_int((float)(footprints - 1) * 10);
    chosen = view->gpu;
    if (filo_ui_segments(ui, "Placed by (G)", &chosen, placers, 2)) view->gpu = chosen != 0;
}

static void show_day(View *view, FiloUi *ui) {
    filo_ui_slider(ui, "Hour (T)", &view->hour, 0, 23.99f);
    filo_ui_slider(ui, "Fog", &view->fog, 0, 6);
    filo_ui_switch(ui, "Walk (V)", &view->walk);
}

// ---- Numbers --------------------------------------------------------------------------------------------------------

static void show_numbers(const Panel *panel, FiloUi *ui) {
    filo_ui_value(ui, "Trees, rocks", "%zu, %zu", panel->tiles.trees, panel->tiles.rocks);
    filo_ui_value(ui, "Grass", "%zu", panel->tiles.grass);
    filo_ui_value(ui, "Visible", "%zu of %zu", panel->gfx.visible, panel->gfx.meshes);
    filo_ui_value(ui, "Triangles", "%.0f k in %zu draws", (double)panel->gfx.triangles / 1000,
                  panel->gfx.draws);
    filo_ui_value(ui, "Of the ground", "%.0f k in %u squares", (double)panel->ground.triangles / 1000,
                  panel->ground.squares);
    filo_ui_value(ui, "Placed, read", "%.1f, %.1f ms a tile", panel->tiles.place_ms, panel->tiles.read_ms);
    filo_ui_value(ui, "In the frame", "%.2f ms", panel->tiles.main_ms);
    filo_ui_value(ui, "Extract, render", "%.1f, %.1f ms", panel->gfx.extract_ms, panel->gfx.render_ms);
    filo_ui_value(ui, "Frame", "%.1f ms", panel->frame_ms);
    filo_ui_value(ui, "Felled (F)", "%zu", panel->stumps);
}

// The seconds that the timeline shows: some, and at least the last frames where these are slow.
static double shown_seconds(const Timeline *timeline, int64_t now) {
    uint32_t frames = FILO_MIN(timeline->counts[LANE_DRAW], 12u);
    if (frames == 0) return 1.2;
    const Event *event = &timeline->events[LANE_DRAW][(timeline->counts[LANE_DRAW] - frames) % EVENTS];
    return FILO_MAX(1.2, (double)(now - event->begin) / 1e9);
}

// What happened in the last seconds, in three lanes: a bar for each tile that was placed, each that was read, each frame. It
// ends at `now`, when this frame began to be drawn: drawing itself may take long. A tile is being placed from its request
// until a frame takes it.
static void show_timeline(const Timeline *timeline, int64_t now, FiloUi *ui) {
    static const char *const names[LANE_COUNT] = { "place", "read", "draw" };
    static const uint32_t colors[LANE_COUNT] = { 0x8FD06AFF, 0xF2C14EFF, 0x6FB7E9FF };
    const double seconds = shown_seconds(timeline, now);
    const float scale = filo_ui_scale(ui), lane_height = 16 * scale, left = 44 * scale;
    FiloVec2 size = filo_rect_size(filo_ui_canvas(ui, "timeline", filo_vec2(0, 16 * LANE_COUNT)));
    float width = size.x - left;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        float top = (float)lane * lane_height;
        filo_ui_canvas_text(ui, filo_vec2(0, top), filo_ui_theme(ui)->text_muted, names[lane]);
        FiloRect back = filo_rect_from_size(filo_vec2(left, top + 3 * scale), filo_vec2(width, 10 * scale));
        filo_ui_canvas_box(ui, back, filo_color_from_hex(0xFFFFFF14));
        for (uint32_t i = 0; i < EVENTS && i < timeline->counts[lane]; i++) {
            const Event *event = &timeline->events[lane][i];
            double begin = (double)(now - event->begin) / 1e9, end = (double)(now - event->end) / 1e9;
            if (end > seconds) continue;
            float x0 = left + width * (1 - filo_min((float)(begin / seconds), 1));
            float x1 = left + width * (float)(1 - end / seconds);
            filo_ui_canvas_box(ui,
                               filo_rect_from_size(filo_vec2(x0, top + 4 * scale),
                                                   filo_vec2(filo_max(x1 - x0 - 0.5f, 1), 8 * scale)),
                               filo_color_from_hex(colors[lane]));
        }
    }
}

// ---- The whole ------------------------------------------------------------------------------------------------------

void panel_show(Panel *panel, const Timeline *timeline, FiloApp *app, FiloUi *ui) {
    const FiloUiWindow window = { .position = { 14, 14 }, .size = { 300, 0 } };
    parameters_sync(&panel->parameters, FILO_TYPE(View), &panel->view,
                    filo_get_global(filo_app_world(app), View));
    if (filo_ui_begin_window(ui, "Forest (H)", &window)) {
        show_placing(panel, ui);
        filo_ui_separator(ui);
        show_day(&panel->view, ui);
        if (filo_ui_begin_section(ui, "Numbers")) {
            show_numbers(panel, ui);
            show_timeline(timeline, panel->now, ui);
        }
        filo_ui_end(ui);
    }
    filo_ui_end(ui);
    parameters_send(&panel->parameters, app, FILO_TYPE(View), &panel->view, filo_name(FOREST_VIEW));
}
