// The module "debug view": switches the inspector on and off. In debug builds it also shows the problems that modules
// report. In an app without an inspector it draws a plain view: the duration of frames and systems, the lines of modules,
// entities and memory.

#include "app/overlay.h"

#include <filo/time.h>

#include <stdio.h>
#include <string.h>

#define LINE     16.0f
#define MARGIN   8.0f
#define WIDTH    368.0f
#define GRAPH    64.0f  // height
#define GRAPH_MS 33.34f // frame time at its full height
#define SMOOTH   0.1    // weight of a new value in a smoothed one

static const FiloColor background = { 8, 10, 18, 200 };
static const FiloColor text_color = { 220, 226, 236, 255 };
static const FiloColor faint_color = { 130, 140, 158, 255 };
static const FiloColor green = { 74, 190, 108, 255 };
static const FiloColor yellow = { 232, 190, 70, 255 };
static const FiloColor red = { 230, 76, 72, 255 };

static FiloResult load(FiloModules *modules, void *user) {
    AppOverlay *overlay = user;
    *overlay = (AppOverlay){ .world = FILO_OBJECT(modules, FiloWorld) };
    FILO_SET_OBJECT(modules, AppOverlay, overlay);
    return filo_ok();
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    AppOverlay *overlay = user;
    if (overlay->on) filo_world_measure(overlay->world, false);
    overlay->on = false;
    return filo_ok();
}

// ---- On and off -----------------------------------------------------------------------------------------

static bool toggle_on_f3(FiloFrame *frame, const FiloInputChange *change, void *user) {
    FILO_UNUSED(user);
    if (change->kind == FILO_INPUT_KEY && change->down && change->key == FILO_KEY_F3)
        frame->debug_view = !frame->debug_view;
    return false;
}

static FiloResult apply_toggle(FiloFrame *frame, void *user) {
    AppOverlay *overlay = user;
    if (overlay->on == frame->debug_view) return filo_ok();
    overlay->on = frame->debug_view;
    // Measuring systems costs a little, so it is on only while it is shown. Profiles have their own measurements.
    filo_world_measure(overlay->world, overlay->on);
    return filo_ok();
}

// ---- Collecting -----------------------------------------------------------------------------------------

static void insert(AppOverlayList *list, const AppOverlayEntry *entry) {
    size_t index = list->count;
    while (index > 0 && list->entries[index - 1].value < entry->value) index--;
    if (index == APP_OVERLAY_TOP) return;
    if (list->count < APP_OVERLAY_TOP) list->count++;
    memmove(&list->entries[index + 1], &list->entries[index], (list->count - 1 - index) * sizeof *entry);
    list->entries[index] = *entry;
}

static AppOverlayEntry entry_of(const char *name, double value) {
    AppOverlayEntry entry = { .value = value };
    filo_string_copy(filo_string(name), entry.name, sizeof entry.name);
    return entry;
}

static void collect_systems(AppOverlay *overlay) {
    const FiloWorld *world = overlay->world;
    const AppOverlayList old = overlay->systems;
    overlay->systems.count = 0;
    FiloSystemId system;
    for (size_t n = 0; (system = filo_system_at(world, n)).id != 0; n++) {
        AppOverlayEntry entry =
            entry_of(filo_system_name(world, system), filo_system_stats(world, system).last_ns / 1e6);
        for (size_t i = 0; i < old.count; i++)
            if (strcmp(old.entries[i].name, entry.name) == 0) {
                entry.value = old.entries[i].value + (entry.value - old.entries[i].value) * SMOOTH;
                break;
            }
        insert(&overlay->systems, &entry);
    }
}

static void collect_memory(AppOverlay *overlay) {
    FiloMemoryStats all[64];
    size_t count = FILO_MIN(filo_memory_list(all, FILO_COUNT_OF(all)), FILO_COUNT_OF(all));
    overlay->accounts.count = 0;
    for (size_t i = 0; i < count; i++) {
        AppOverlayEntry entry = entry_of(all[i].name, (double)all[i].used);
        insert(&overlay->accounts, &entry);
    }
}

// In release builds problems are only shown with the debug view. They are in the log in any case.
static bool shows_problems(const AppOverlay *overlay) {
#ifdef NDEBUG
    return overlay->on;
#else
    FILO_UNUSED(overlay);
    return true;
#endif
}

static FiloResult collect(FiloFrame *frame, void *user) {
    AppOverlay *overlay = user;
    overlay->problem_page = (FiloLines){ .items = overlay->problems, .capacity = APP_OVERLAY_PROBLEMS };
    if (shows_problems(overlay)) filo_modules_problems(frame->modules, &overlay->problem_page);
    if (overlay->problem_page.left_out > 0)
        (void)snprintf(overlay->problems[APP_OVERLAY_PROBLEMS - 1].text, FILO_LINE_BYTES,
                       "and %zu more problems: the log has all of them", overlay->problem_page.left_out + 1);
    overlay->plain = overlay->on && filo_modules_object(frame->modules, "FiloInspector") == NULL;
    if (!overlay->plain) return filo_ok();
    overlay->page =
        (FiloLines){ .items = overlay->lines, .capacity = APP_OVERLAY_LINES, .letters = APP_OVERLAY_LETTERS };
    filo_modules_debug(frame->modules, &overlay->page);
    collect_systems(overlay);
    collect_memory(overlay);
    overlay->entities = filo_world_stats(overlay->world).entities;
    overlay->tick = filo_world_ticks(overlay->world);
    return filo_ok();
}

static FiloResult add_frame(FiloFrame *frame, void *user) {
    AppOverlay *overlay = user;
    overlay->frame_ms[overlay->next] = (float)((double)(filo_time_ns() - frame->start_ns) / 1e6);
    overlay->next = (overlay->next + 1) % APP_OVERLAY_FRAMES;
    overlay->tick_ms += (frame->tick_ms - overlay->tick_ms) * SMOOTH;
    overlay->draw_ms += (frame->draw_ms - overlay->draw_ms) * SMOOTH;
    return filo_ok();
}

// ---- Drawing --------------------------------------------------------------------------------------------

static FiloColor color_of(float ms) { return ms <= 17.0f ? green : ms <= 34.0f ? yellow : red; }

static void draw_graph(const AppOverlay *overlay, FiloDraw *draw, float x, float y) {
    filo_draw_box(draw, filo_rect_from_size(filo_vec2(x, y), filo_vec2(APP_OVERLAY_FRAMES * 3.0f, GRAPH)),
                  filo_color(20, 24, 36, 220));
    for (size_t i = 0; i < APP_OVERLAY_FRAMES; i++) {
        float ms = overlay->frame_ms[(overlay->next + i) % APP_OVERLAY_FRAMES];
        float height = filo_min(ms / GRAPH_MS, 1.0f) * GRAPH;
        FiloVec2 corner = filo_vec2(x + (float)i * 3.0f, y + GRAPH - height);
        if (height > 0) filo_draw_box(draw, filo_rect_from_size(corner, filo_vec2(2, height)), color_of(ms));
    }
    float line = y + GRAPH - GRAPH * (1000.0f / 60.0f) / GRAPH_MS;
    filo_draw_line(draw, filo_vec2(x, line), filo_vec2(x + APP_OVERLAY_FRAMES * 3.0f, line), 1, faint_color);
}

static double mean_frame(const AppOverlay *overlay) {
    double sum = 0;
    int count = 0;
    for (size_t i = 0; i < APP_OVERLAY_FRAMES; i++)
        if (overlay->frame_ms[i] > 0) sum += (double)overlay->frame_ms[i], count++;
    return count > 0 ? sum / count : 0;
}

// Draws the lines of modules. Returns the y of the next line.
static float draw_page(const AppOverlay *overlay, FiloDraw *draw, float x, float y) {
    for (size_t i = 0; i < overlay->page.count; i++, y += LINE)
        filo_draw_text(draw, x, y, 1, overlay->lines[i].title ? faint_color : text_color,
                       overlay->lines[i].text);
    if (overlay->page.left_out == 0) return y;
    filo_draw_format(draw, x, y, 1, faint_color, "and %zu lines more", overlay->page.left_out);
    return y + LINE;
}

static void draw_view(const AppOverlay *overlay, FiloDraw *draw) {
    const size_t module_lines = overlay->page.count + (overlay->page.left_out > 0);
    const size_t lines = 6 + module_lines + overlay->systems.count + overlay->accounts.count;
    float x = MARGIN * 2, y = MARGIN * 2;
    filo_draw_box(draw,
                  filo_rect_from_size(filo_vec2(MARGIN, MARGIN),
                                      filo_vec2(WIDTH + MARGIN, GRAPH + (float)lines * LINE + 3 * MARGIN)),
                  background);
    draw_graph(overlay, draw, x, y);
    y += GRAPH + MARGIN;
    const double frame = mean_frame(overlay);
    filo_draw_format(draw, x, y, 1, text_color, "frame %6.2f ms  %5.0f /s", frame,
                     frame > 0 ? 1000.0 / frame : 0);
    y += LINE;
    filo_draw_format(draw, x, y, 1, text_color, "tick  %6.2f ms  draw %.2f ms", overlay->tick_ms,
                     overlay->draw_ms);
    y += LINE;
    filo_draw_format(draw, x, y, 1, text_color, "tick no. %llu  entities %zu",
                     (unsigned long long)overlay->tick, overlay->entities);
    y = draw_page(overlay, draw, x, y + LINE) + LINE * 0.5f;
    filo_draw_text(draw, x, y, 1, faint_color, "slowest systems");
    for (size_t i = 0; i < overlay->systems.count; i++) {
        y += LINE;
        filo_draw_format(draw, x, y, 1, text_color, "%8.3f ms  %s", overlay->systems.entries[i].value,
                         overlay->systems.entries[i].name);
    }
    y += LINE * 1.5f;
    filo_draw_text(draw, x, y, 1, faint_color, "memory");
    for (size_t i = 0; i < overlay->accounts.count; i++) {
        y += LINE;
        filo_draw_format(draw, x, y, 1, text_color, "%8.2f MiB %s",
                         overlay->accounts.entries[i].value / (1 << 20), overlay->accounts.entries[i].name);
    }
}

// In the lower left corner.
static void draw_problems(const AppOverlay *overlay, FiloDraw *draw) {
    float y = filo_draw_size(draw).y - MARGIN - LINE;
    for (size_t i = 0; i < overlay->problem_page.count; i++, y -= LINE + 4) {
        FiloVec2 text = filo_draw_text_size(draw, overlay->problems[i].text);
        filo_draw_box(draw, filo_rect_from_size(filo_vec2(MARGIN, y - 1), filo_vec2(text.x + 8, LINE + 2)),
                      filo_color(70, 10, 10, 220));
        filo_draw_text(draw, MARGIN + 4, y, 1, filo_color(255, 190, 180, 255), overlay->problems[i].text);
    }
}

static FiloResult draw(FiloFrame *frame, void *user) {
    const AppOverlay *overlay = user;
    FiloDraw *immediate = FILO_OBJECT(frame->modules, FiloDraw);
    if (immediate == NULL) return filo_ok();
    filo_draw_reset(immediate);
    draw_problems(overlay, immediate);
    if (overlay->plain) draw_view(overlay, immediate);
    return filo_ok();
}

// ---- The description ------------------------------------------------------------------------------------

FiloModuleDesc app_overlay_module(AppOverlay *overlay) {
    static const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloWorld), FILO_OPTIONAL_OBJECT(FiloDraw) };
    static const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(AppOverlay) };
    static const FiloRenderHook renders[] = { { FILO_RENDER_DEBUG, false, draw } };
    return (FiloModuleDesc){
        .name = "debug view",
        .version = FILO_VERSION(0, 1, 0),
        .needs = needs,
        .need_count = FILO_COUNT_OF(needs),
        .provides = provides,
        .provide_count = FILO_COUNT_OF(provides),
        .load = load,
        .unload = unload,
        .user = overlay,
        .backend = true,
        .frame = { .input = toggle_on_f3,
                   .before_ticks = apply_toggle,
                   .extract = collect,
                   .end = add_frame },
        .renders = renders,
        .render_count = FILO_COUNT_OF(renders),
    };
}
