// Numbers and the timeline: a small panel in the corner.

#include "forest.h"

#include <stdio.h>

#define WIDTH 340.0f

static FiloColor ink(uint32_t hex) { return filo_color_from_hex(hex); }

typedef struct Writer {
    FiloDraw *draw;
    float x, y;
} Writer;

// A name on the left, a value on the right.
static void line(Writer *writer, const char *name, const char *value) {
    filo_draw_text(writer->draw, writer->x, writer->y, 1, ink(0xAEBAC0FF), name);
    float width = filo_draw_text_size(writer->draw, value).x;
    filo_draw_text(writer->draw, writer->x + WIDTH - 24 - width, writer->y, 1, ink(0xFFFFFFFF), value);
    writer->y += 17;
}

// What happened in the last seconds, in three lanes: a bar for each tile that was placed, each that was read, each frame.
static void draw_timeline(Writer *writer, const Timeline *timeline) {
    static const char *const names[LANE_COUNT] = { "placing", "reading", "drawing" };
    static const uint32_t colors[LANE_COUNT] = { 0x8FD06AFF, 0xF2C14EFF, 0x6FB7E9FF };
    const double seconds = 1.2;
    int64_t now = filo_time_ns();
    float left = writer->x + 60, width = WIDTH - 24 - 60;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        filo_draw_text(writer->draw, writer->x, writer->y - 3, 1, ink(0xAEBAC0FF), names[lane]);
        FiloRect back = filo_rect_from_size(filo_vec2(left, writer->y), filo_vec2(width, 10));
        filo_draw_box(writer->draw, back, ink(0xFFFFFF18));
        for (uint32_t i = 0; i < EVENTS && i < timeline->counts[lane]; i++) {
            const Event *event = &timeline->events[lane][i];
            double begin = (double)(now - event->begin) / 1e9, end = (double)(now - event->end) / 1e9;
            if (end > seconds) continue;
            float x0 = left + width * (float)(1 - filo_min((float)(begin / seconds), 1));
            float x1 = left + width * (float)(1 - end / seconds);
            FiloRect bar =
                filo_rect_from_size(filo_vec2(x0, writer->y + 1), filo_vec2(filo_max(x1 - x0 - 0.5f, 1), 8));
            filo_draw_box(writer->draw, bar, ink(colors[lane]));
        }
        writer->y += 16;
    }
}

void panel_draw(const Panel *panel, const Timeline *timeline, FiloDraw *draw) {
    static const char *const tastes[WOODS_MAPS] = { "natural", "groves", "dense" };
    static const char *const ecotopes[ECOTOPES] = { "valley", "taiga" };
    const View *view = &panel->view;
    filo_draw_box(draw, filo_rect_from_size(filo_vec2(14, 14), filo_vec2(WIDTH, 298)), ink(0x0C1418B4));
    filo_draw_box(draw, filo_rect_from_size(filo_vec2(14, 14), filo_vec2(3, 298)), ink(0xF2C14EFF));
    Writer writer = { draw, 28, 24 };
    char text[64];
    snprintf(text, sizeof text, "%llu  (N)", (unsigned long long)panel->seed);
    line(&writer, "seed", text);
    snprintf(text, sizeof text, "%s  (O)", ecotopes[view->ecotope]);
    line(&writer, "ecotope", text);
    snprintf(text, sizeof text, "%s  (M)", tastes[view->woods]);
    line(&writer, "woods", text);
    snprintf(text, sizeof text, "x %.1f  (+ -)", 1 + 0.1 * view->footprints);
    line(&writer, "footprints", text);
    snprintf(text, sizeof text, "%s  (G)", panel->tiles.on_gpu ? "GPU" : "CPU");
    line(&writer, "placed by", text);
    snprintf(text, sizeof text, "%02d:%02d  (T)", (int)view->hour, (int)(60 * filo_fract(view->hour)));
    line(&writer, "time", text);
    writer.y += 6;
    snprintf(text, sizeof text, "%zu, %zu, %zu", panel->tiles.trees, panel->tiles.rocks, panel->tiles.grass);
    line(&writer, "trees, rocks, grass", text);
    snprintf(text, sizeof text, "%zu of %zu", panel->gfx.visible, panel->gfx.meshes);
    line(&writer, "visible", text);
    snprintf(text, sizeof text, "%.0f k in %zu draws", (double)panel->gfx.triangles / 1000, panel->gfx.draws);
    line(&writer, "triangles", text);
    snprintf(text, sizeof text, "%.1f, %.1f ms", panel->tiles.place_ms, panel->tiles.read_ms);
    line(&writer, "placing, reading a tile", text);
    snprintf(text, sizeof text, "%.2f ms", panel->tiles.main_ms);
    line(&writer, "placing in the frame", text);
    snprintf(text, sizeof text, "%.1f, %.1f ms", panel->gfx.extract_ms, panel->gfx.render_ms);
    line(&writer, "extracting, rendering", text);
    snprintf(text, sizeof text, "%.1f ms", panel->frame_ms);
    line(&writer, "frame", text);
    writer.y += 8;
    draw_timeline(&writer, timeline);
}
