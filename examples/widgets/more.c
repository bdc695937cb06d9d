// The page "More": pictures and frames in a grid, an area that scrolls, a canvas, numbers that are dragged, drop-downs with
// any content, tooltips, popups and context menus, and waiting for a key.

#include "more.h"

#include <stdio.h>

#define LEAF_SIZE  16
#define FRAME_SIZE 12
#define DOTS       64

static struct {
    int count;
    double speed;
    FiloVec2 wind;
    uint64_t layers;
    int line;
    FiloVec2 dots[DOTS];
    size_t dot_count;
    FiloKey key;
    bool asks, starred;
} more = { .count = 12, .speed = 4.5, .wind = { 3, -1 }, .layers = 5, .line = 2, .key = FILO_KEY_SPACE };

// ---- Pictures -----------------------------------------------------------------------------------------------------

static FiloColor leaf_color(float x, float y) {
    float inside = 1 - (x * x + y * y + filo_abs(x + y) * 0.6f);
    if (inside <= 0) return (FiloColor){ 0 };
    return filo_abs(x - y) < 0.12f ? filo_color_from_hex(0x2E6B3AFF) : filo_color_from_hex(0x62B26BFF);
}

// Corners and edges in other colours, so that it shows which parts are stretched.
static FiloColor frame_color(int x, int y) {
    bool edge_x = x < 4 || x >= FRAME_SIZE - 4, edge_y = y < 4 || y >= FRAME_SIZE - 4;
    if (edge_x && edge_y) return filo_color_from_hex(0xE2A04AFF);
    return edge_x || edge_y ? filo_color_from_hex(0x9A6A34FF) : filo_color_from_hex(0x2B2520FF);
}

static bool add_picture(FiloAssets *assets, const char *name, int size, bool leaf) {
    FiloPixels pixels;
    if (!filo_pixels_create(&pixels, size, size, NULL)) return false;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            float u = ((float)x + 0.5f) / (float)size * 2 - 1, v = ((float)y + 0.5f) / (float)size * 2 - 1;
            *filo_pixels_at(&pixels, x, y) = leaf ? leaf_color(u, v) : frame_color(x, y);
        }
    FiloAsset image = filo_assets_add_pixels(assets, name, &pixels);
    filo_pixels_free(&pixels, NULL);
    return image.id != 0;
}

bool more_load(FiloAssets *assets) {
    return add_picture(assets, "leaf", LEAF_SIZE, true) && add_picture(assets, "frame", FRAME_SIZE, false);
}

static void show_pictures(FiloUi *ui) {
    FiloUiImage leaf = { .image = filo_name("leaf"), .size = { 48, 48 } };
    filo_ui_begin_grid(ui, 3, (const float[]){ 0, 0, 1 });
    filo_ui_image(ui, &leaf);
    leaf.tint = more.starred ? FILO_COLOR_ORANGE : FILO_COLOR_WHITE;
    if (filo_ui_image_button(ui, "leaf", &leaf)) more.starred = !more.starred;
    filo_ui_tooltip(ui, "a picture that can be clicked");
    filo_ui_begin_framed(ui, &(FiloUiImage){ .image = filo_name("frame"), .slice = { 4, 4, 4, 4 } }, 12);
    filo_ui_label(ui, "A nine-slice frame: its corners keep their size.");
    filo_ui_end(ui);
    filo_ui_end(ui);
}

// ---- Areas --------------------------------------------------------------------------------------------------------

static void show_lines(FiloUi *ui) {
    if (filo_ui_begin_scroll(ui, "lines", &(FiloUiScroll){ .height = 84 }))
        for (int i = 0; i < 40; i++) {
            char label[32];
            snprintf(label, sizeof label, "Line %d", i + 1);
            if (filo_ui_selectable(ui, label, i == more.line)) more.line = i;
        }
    filo_ui_end(ui);
}

// A canvas is the program's own: here, dots where it is dragged.
static void show_canvas(FiloUi *ui) {
    FiloRect rect = filo_ui_canvas(ui, "canvas", filo_vec2(0, 64));
    FiloVec2 size = filo_rect_size(rect);
    if (filo_ui_active(ui)) more.dots[more.dot_count++ % DOTS] = filo_vec2_sub(filo_ui_mouse(ui), rect.min);
    filo_ui_canvas_box(ui, filo_rect(filo_vec2(0, 0), size), filo_ui_theme(ui)->field);
    filo_ui_canvas_line(ui, filo_vec2(0, size.y), filo_vec2(size.x, 0), 2, filo_ui_theme(ui)->plot);
    for (size_t i = 0; i < FILO_MIN(more.dot_count, DOTS); i++)
        filo_ui_canvas_box(ui, filo_rect_expand(filo_rect(more.dots[i], more.dots[i]), 3),
                           filo_ui_theme(ui)->accent);
    filo_ui_canvas_text(ui, filo_vec2(8, 6), filo_ui_theme(ui)->text_muted, "drag here");
}

// ---- Values -------------------------------------------------------------------------------------------------------

static void show_values(FiloUi *ui) {
    static const char *const names[] = { "Ground", "Water", "Trees", "Clouds" };
    filo_ui_drag_int(ui, "Count", &more.count, 0.2f, 0, 99);
    filo_ui_drag_number(ui, "Speed", &more.speed, &(FiloUiNumber){ .step = 0.5, .unit = "m/s" });
    filo_ui_vec2(ui, "Wind", &more.wind, NULL);
    int shown = 0;
    for (int i = 0; i < 4; i++) shown += (more.layers >> i & 1) != 0;
    char text[32];
    snprintf(text, sizeof text, "%d of 4", shown);
    if (filo_ui_begin_choice(ui, "Layers", text)) // a drop-down with check boxes in it
        for (int i = 0; i < 4; i++) filo_ui_check_flags(ui, names[i], &more.layers, UINT64_C(1) << i);
    filo_ui_end(ui);
}

static void show_context_menu(FiloUi *ui) {
    filo_ui_button(ui, "Menu by the right button");
    if (filo_ui_begin_tooltip(ui)) {
        filo_ui_icon(ui, FILO_UI_ICON_INFO);
        filo_ui_label(ui, "A tooltip has any content.");
    }
    filo_ui_end(ui);
    if (filo_ui_begin_context_menu(ui, "context")) {
        if (filo_ui_menu_item(ui, "No dots", NULL)) more.dot_count = 0;
        filo_ui_menu_check(ui, "Starred", &more.starred);
    }
    filo_ui_end(ui);
    if (filo_ui_button(ui, "A popup")) filo_ui_open_popup(ui, "popup");
    if (filo_ui_begin_popup(ui, "popup")) {
        filo_ui_label(ui, "Opened by the program.");
        if (filo_ui_button(ui, "Close")) filo_ui_close_popup(ui);
    }
    filo_ui_end(ui);
}

static void show_key(FiloUi *ui) {
    char label[64];
    snprintf(label, sizeof label, "%s###key", more.asks ? "Press a key, or Escape" : filo_key_name(more.key));
    if (filo_ui_button(ui, label)) more.asks = true;
    if (!more.asks) return;
    FiloKey key;
    FiloUiKeyWait wait = filo_ui_wait_key(ui, 0, &key);
    if (wait == FILO_UI_CHOSEN) more.key = key;
    more.asks = wait == FILO_UI_WAITING;
}

void more_show(FiloUi *ui) {
    show_pictures(ui);
    show_lines(ui);
    show_canvas(ui);
    show_values(ui);
    filo_ui_begin_row(ui);
    show_context_menu(ui);
    filo_ui_end(ui);
    filo_ui_begin_row(ui);
    filo_ui_label(ui, "Key");
    filo_ui_grow(ui);
    show_key(ui);
    filo_ui_end(ui);
}
