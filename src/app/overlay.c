// The debug view: how long frames took, what the world holds, who uses time and memory.

#include "app/overlay.h"

#include "app/app.h"

#include <stdio.h>
#include <string.h>

#define LINE     16.0f
#define MARGIN   8.0f
#define WIDTH    368.0f
#define GRAPH    64.0f  // its height
#define GRAPH_MS 33.34f // what its height stands for
#define SMOOTH   0.1    // part of a new value in a smoothed one
#define ERRORS   6      // lines

static const FiloColor paper = { 8, 10, 18, 200 };
static const FiloColor ink = { 220, 226, 236, 255 };
static const FiloColor faint = { 130, 140, 158, 255 };
static const FiloColor good = { 74, 190, 108, 255 };
static const FiloColor middling = { 232, 190, 70, 255 };
static const FiloColor bad = { 230, 76, 72, 255 };

void filo_overlay_switch(FiloApp *app, bool on) {
    app->overlay.on = on;
    // Measuring costs a little, so only while somebody looks; profiles measure for themselves.
    filo_world_measure(app->world, on);
}

void filo_overlay_add_frame(FiloOverlay *overlay, double frame_ms) {
    overlay->frame_ms[overlay->next] = (float)frame_ms;
    overlay->next = (overlay->next + 1) % FILO_OVERLAY_FRAMES;
    overlay->tick_ms += (overlay->last_tick_ms - overlay->tick_ms) * SMOOTH;
    overlay->draw_ms += (overlay->last_draw_ms - overlay->draw_ms) * SMOOTH;
}

// ---- Collecting -----------------------------------------------------------------------------------------

static double smoothed(const FiloOverlay *old, const char *name, double ms) {
    for (size_t i = 0; i < old->system_count; i++)
        if (strcmp(old->systems[i].name, name) == 0)
            return old->systems[i].ms + (ms - old->systems[i].ms) * SMOOTH;
    return ms;
}

static void collect_systems(FiloApp *app) {
    FiloOverlay *overlay = &app->overlay;
    const FiloOverlay old = *overlay;
    overlay->system_count = 0;
    FiloSystemId system;
    for (size_t n = 0; (system = filo_system_at(app->world, n)).id != 0; n++) {
        FiloOverlaySystem entry;
        filo_string_copy(entry.name, sizeof entry.name, filo_string(filo_system_name(app->world, system)));
        entry.ms = smoothed(&old, entry.name, filo_system_stats(app->world, system).last_ns / 1e6);
        // Kept in order, slowest first; the last falls out.
        size_t place = overlay->system_count;
        while (place > 0 && overlay->systems[place - 1].ms < entry.ms) place--;
        if (place == FILO_OVERLAY_SYSTEMS) continue;
        if (overlay->system_count < FILO_OVERLAY_SYSTEMS) overlay->system_count++;
        memmove(&overlay->systems[place + 1], &overlay->systems[place],
                (overlay->system_count - 1 - place) * sizeof entry);
        overlay->systems[place] = entry;
    }
}

static void collect_memory(FiloOverlay *overlay) {
    FiloMemoryStats all[64];
    size_t count = FILO_MIN(filo_memory_list(all, FILO_COUNT_OF(all)), FILO_COUNT_OF(all));
    overlay->account_count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t place = overlay->account_count;
        while (place > 0 && overlay->accounts[place - 1].used < all[i].used) place--;
        if (place == FILO_OVERLAY_ACCOUNTS) continue;
        if (overlay->account_count < FILO_OVERLAY_ACCOUNTS) overlay->account_count++;
        memmove(&overlay->accounts[place + 1], &overlay->accounts[place],
                (overlay->account_count - 1 - place) * sizeof overlay->accounts[0]);
        overlay->accounts[place].used = all[i].used;
        filo_string_copy(overlay->accounts[place].name, sizeof overlay->accounts[place].name,
                         filo_string(all[i].name));
    }
}

void filo_overlay_collect(FiloApp *app) {
    if (!app->overlay.on) return;
    collect_systems(app);
    collect_memory(&app->overlay);
    app->overlay.entities = filo_world_stats(app->world).entities;
    app->overlay.tick = filo_world_ticks(app->world);
}

// ---- Drawing --------------------------------------------------------------------------------------------

static FiloColor color_of(float ms) { return ms <= 17.0f ? good : ms <= 34.0f ? middling : bad; }

static void draw_graph(const FiloOverlay *overlay, FiloDraw *draw, float x, float y) {
    filo_draw_box(draw, filo_rect_from_size(filo_vec2(x, y), filo_vec2(FILO_OVERLAY_FRAMES * 3.0f, GRAPH)),
                  filo_color(20, 24, 36, 220));
    for (size_t i = 0; i < FILO_OVERLAY_FRAMES; i++) {
        float ms = overlay->frame_ms[(overlay->next + i) % FILO_OVERLAY_FRAMES];
        float height = filo_min(ms / GRAPH_MS, 1.0f) * GRAPH;
        FiloVec2 corner = filo_vec2(x + (float)i * 3.0f, y + GRAPH - height);
        if (height > 0) filo_draw_box(draw, filo_rect_from_size(corner, filo_vec2(2, height)), color_of(ms));
    }
    float line = y + GRAPH - GRAPH * (1000.0f / 60.0f) / GRAPH_MS;
    filo_draw_line(draw, filo_vec2(x, line), filo_vec2(x + FILO_OVERLAY_FRAMES * 3.0f, line), 1, faint);
}

static double mean_frame(const FiloOverlay *overlay) {
    double sum = 0;
    int count = 0;
    for (size_t i = 0; i < FILO_OVERLAY_FRAMES; i++)
        if (overlay->frame_ms[i] > 0) sum += (double)overlay->frame_ms[i], count++;
    return count > 0 ? sum / count : 0;
}

static const char *backend_name(const FiloApp *app) {
    return app->backend == FILO_BACKEND_GL ? "GL" : app->backend == FILO_BACKEND_CPU ? "CPU" : "null";
}

void filo_overlay_draw(FiloApp *app, FiloDraw *draw) {
    const FiloOverlay *overlay = &app->overlay;
    if (!overlay->on) return;
    const FiloGfx2dStats drawing = filo_gfx2d_stats(app->gfx);
    const size_t lines = 8 + overlay->system_count + overlay->account_count;
    float x = MARGIN * 2, y = MARGIN * 2;
    filo_draw_box(draw,
                  filo_rect_from_size(filo_vec2(MARGIN, MARGIN),
                                      filo_vec2(WIDTH + MARGIN, GRAPH + (float)lines * LINE + 3 * MARGIN)),
                  paper);
    draw_graph(overlay, draw, x, y);
    y += GRAPH + MARGIN;
    const double frame = mean_frame(overlay);
    filo_draw_format(draw, x, y, 1, ink, "frame %6.2f ms  %5.0f /s", frame, frame > 0 ? 1000.0 / frame : 0);
    y += LINE;
    filo_draw_format(draw, x, y, 1, ink, "tick  %6.2f ms  draw %.2f ms", overlay->tick_ms, overlay->draw_ms);
    y += LINE;
    filo_draw_format(draw, x, y, 1, ink, "tick no. %llu  entities %zu", (unsigned long long)overlay->tick,
                     overlay->entities);
    y += LINE;
    filo_draw_format(draw, x, y, 1, ink, "%s: %zu draw calls  %zu of %zu sprites", backend_name(app),
                     drawing.draws, drawing.visible, drawing.sprites);
    y += LINE;
    filo_draw_format(draw, x, y, 1, ink, "%zu rebuilt  %zu images on %zu pages", drawing.rebuilt,
                     drawing.images, drawing.pages);
    y += LINE * 1.5f;
    filo_draw_text(draw, x, y, 1, faint, "slowest systems");
    for (size_t i = 0; i < overlay->system_count; i++) {
        y += LINE;
        filo_draw_format(draw, x, y, 1, ink, "%8.3f ms  %s", overlay->systems[i].ms,
                         overlay->systems[i].name);
    }
    y += LINE * 1.5f;
    filo_draw_text(draw, x, y, 1, faint, "memory");
    for (size_t i = 0; i < overlay->account_count; i++) {
        y += LINE;
        filo_draw_format(draw, x, y, 1, ink, "%8.2f MiB %s", (double)overlay->accounts[i].used / (1 << 20),
                         overlay->accounts[i].name);
    }
}

void filo_overlay_draw_errors(FiloApp *app, FiloDraw *draw) {
#ifdef NDEBUG
    if (!app->overlay.on) return; // players are spared; the log has it
#endif
    FiloVec2 size = filo_draw_size(draw);
    float y = size.y - MARGIN - LINE;
    FiloAsset asset;
    for (size_t n = 0; n < ERRORS && (asset = filo_assets_failed_at(app->assets, n)).id != 0; n++) {
        const FiloResult *error = filo_asset_error(app->assets, asset);
        FiloVec2 text = filo_draw_text_size(error->message);
        filo_draw_box(draw, filo_rect_from_size(filo_vec2(MARGIN, y - 1), filo_vec2(text.x + 8, LINE + 2)),
                      filo_color(70, 10, 10, 220));
        filo_draw_text(draw, MARGIN + 4, y, 1, filo_color(255, 190, 180, 255), error->message);
        y -= LINE + 4;
    }
}
