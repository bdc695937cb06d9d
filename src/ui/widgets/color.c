// The colour picker: a square of saturation and value, a bar of hues, a bar of alpha, and the number in hexadecimal.
//
// Hue and saturation of a grey are remembered while the picker is open, so that they do not jump.

#include "ui/ui.h"

#include <stdio.h>
#include <string.h>

typedef enum PickerPart { PICK_SQUARE, PICK_HUE, PICK_ALPHA } PickerPart;

typedef struct PickerData {
    UiWidget widget;
    PickerPart part;
    float hue, saturation, value, alpha;
    FiloVec4 color;
} PickerData;

#define SQUARE_WIDTH  220.0f
#define SQUARE_HEIGHT 150.0f
#define BAR_HEIGHT    16.0f

// ---- Conversion ------------------------------------------------------------------------------------------------------

static void to_hsv(FiloVec4 c, float *hue, float *saturation, float *value) {
    float high = filo_max(c.x, filo_max(c.y, c.z)), low = filo_min(c.x, filo_min(c.y, c.z)),
          span = high - low;
    *value = high;
    if (span <= 0) return; // hue and saturation stay as they are
    *saturation = span / high;
    float h = high == c.x   ? (c.y - c.z) / span
              : high == c.y ? 2 + (c.z - c.x) / span
                            : 4 + (c.x - c.y) / span;
    *hue = filo_fract(h / 6 + 1);
}

static FiloVec4 from_hsv(float hue, float saturation, float value, float alpha) {
    float rgb[3];
    for (int i = 0; i < 3; i++) {
        float k = filo_mod(hue * 6 + (i == 0 ? 5.0f : i == 1 ? 3.0f : 1.0f), 6);
        rgb[i] = value - value * saturation * filo_clamp01(filo_min(k, 4 - k));
    }
    return filo_vec4(rgb[0], rgb[1], rgb[2], alpha);
}

static FiloVec4 finite_color(FiloVec4 c) {
    return filo_vec4(filo_clamp01(filo_is_nan(c.x) ? 0 : c.x), filo_clamp01(filo_is_nan(c.y) ? 0 : c.y),
                     filo_clamp01(filo_is_nan(c.z) ? 0 : c.z), filo_clamp01(filo_is_nan(c.w) ? 0 : c.w));
}

static FiloColor opaque(FiloVec4 c) { return filo_color_from_straight(filo_vec4(c.x, c.y, c.z, 1)); }

// ---- Painting ----------------------------------------------------------------------------------------------------------

static FiloVec2 measure_part(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    const PickerData *data = node->data;
    return filo_vec2(ui_px(ui, SQUARE_WIDTH),
                     ui_px(ui, data->part == PICK_SQUARE ? SQUARE_HEIGHT : BAR_HEIGHT));
}

static void paint_marker(FiloUi *ui, FiloVec2 at, FiloColor color) {
    ui_paint_circle(ui, at, ui_px(ui, 7), FILO_COLOR_WHITE);
    ui_paint_circle(ui, at, ui_px(ui, 6), filo_color(40, 40, 40, 255));
    ui_paint_circle(ui, at, ui_px(ui, 5), color);
}

static void paint_square(FiloUi *ui, const UiNode *node) {
    const PickerData *data = node->data;
    FiloColor pure = opaque(from_hsv(data->hue, 1, 1, 1));
    ui_paint_gradient(ui, node->rect, FILO_COLOR_WHITE, pure, FILO_COLOR_BLACK);
    FiloVec2 size = filo_rect_size(node->rect);
    FiloVec2 at = filo_vec2(node->rect.min.x + data->saturation * size.x,
                            node->rect.min.y + (1 - data->value) * size.y);
    paint_marker(ui, at, opaque(data->color));
}

static void paint_bar(FiloUi *ui, const UiNode *node) {
    const PickerData *data = node->data;
    FiloVec2 size = filo_rect_size(node->rect);
    float at = data->part == PICK_HUE ? data->hue : data->alpha;
    if (data->part == PICK_HUE) {
        for (int i = 0; i < 6; i++) {
            FiloColor from = opaque(from_hsv((float)i / 6, 1, 1, 1)),
                      to = opaque(from_hsv(filo_fract((float)(i + 1) / 6), 1, 1, 1));
            FiloRect part = node->rect;
            part.min.x = filo_round(node->rect.min.x + size.x * (float)i / 6);
            part.max.x = filo_round(node->rect.min.x + size.x * (float)(i + 1) / 6);
            ui_paint_gradient(ui, part, from, to, FILO_COLOR_TRANSPARENT);
        }
    } else {
        FiloColor solid = opaque(data->color), none = node->theme->window;
        ui_paint_gradient(ui, node->rect, none, solid, FILO_COLOR_TRANSPARENT);
    }
    FiloVec2 centre = filo_vec2(node->rect.min.x + at * size.x, (node->rect.min.y + node->rect.max.y) / 2);
    paint_marker(ui, centre,
                 data->part == PICK_HUE ? opaque(from_hsv(data->hue, 1, 1, 1)) : opaque(data->color));
}

static void paint_part(FiloUi *ui, const UiNode *node) {
    const PickerData *data = node->data;
    if (data->part == PICK_SQUARE)
        paint_square(ui, node);
    else
        paint_bar(ui, node);
    if (data->widget.touch.ring) ui_paint_focus(ui, node->rect, 0);
}

// ---- Parts ---------------------------------------------------------------------------------------------------------------

// How far the mouse is along a part, 0 to 1, or the old values moved by keys.
static bool pick(FiloUi *ui, const UiWidget *widget, FiloVec2 *at) {
    ui->last_committed = widget->touch.released;
    const UiState *state = ui_state(ui, widget->id);
    FiloVec2 size = filo_rect_size(state->rect);
    if ((widget->touch.held || widget->touch.released) && state->known && size.x > 0 && size.y > 0) {
        FiloVec2 offset = filo_vec2_sub(widget->touch.position, state->rect.min);
        *at = filo_vec2(filo_clamp01(offset.x / size.x), filo_clamp01(offset.y / size.y));
        return true;
    }
    bool moved = false;
    for (size_t i = 0; i < ui->event_count; i++) {
        if (ui->events[i].id != widget->id || ui->events[i].kind != UI_KEY) continue;
        int32_t key = ui->events[i].key;
        at->x = filo_clamp01(at->x + (key == FILO_KEY_RIGHT ? 0.02f : key == FILO_KEY_LEFT ? -0.02f : 0));
        at->y = filo_clamp01(at->y + (key == FILO_KEY_DOWN ? 0.02f : key == FILO_KEY_UP ? -0.02f : 0));
        moved = ui->last_committed = true;
    }
    return moved;
}

static bool add_part(FiloUi *ui, const char *name, PickerPart part, PickerData *now) {
    UiWidget widget;
    PickerData *data = ui_new(ui, PickerData);
    uint32_t keys = part == PICK_SQUARE ? UI_KEYS_X | UI_KEYS_Y : UI_KEYS_X;
    if (data == NULL || !ui_widget(ui, name, UI_FOCUSABLE | UI_DRAGS | keys, &widget)) return false;
    FiloVec2 at = part == PICK_SQUARE ? filo_vec2(now->saturation, 1 - now->value)
                                      : filo_vec2(part == PICK_HUE ? now->hue : now->alpha, 0);
    bool changed = pick(ui, &widget, &at);
    if (changed && part == PICK_SQUARE) now->saturation = at.x, now->value = 1 - at.y;
    if (changed && part == PICK_HUE) now->hue = filo_min(at.x, 0.9999f);
    if (changed && part == PICK_ALPHA) now->alpha = at.x;
    if (changed) now->color = from_hsv(now->hue, now->saturation, now->value, now->alpha);
    *data = *now;
    data->widget = widget;
    data->part = part;
    UiNode *node = ui_node(ui, widget.node);
    node->data = data;
    node->measure = measure_part;
    node->paint = paint_part;
    return changed;
}

static bool read_hex(const char *text, FiloVec4 *color) {
    uint32_t number;
    char hex[16];
    FiloString digits = filo_string_trim(filo_string(text));
    if (digits.length > 0 && digits.data[0] == '#') digits = filo_string_slice(digits, 1, digits.length);
    if (digits.length != 6 && digits.length != 8) return false;
    snprintf(hex, sizeof hex, "0x" FILO_STRING_FORMAT, FILO_STRING_PRINT(digits));
    if (filo_parse_uint32(filo_string(hex), &number).code != FILO_OK) return false;
    if (digits.length == 6) number = number << 8 | (uint32_t)filo_byte_from_unit(color->w);
    *color = filo_vec4((float)(number >> 24) / 255, (float)(number >> 16 & 255) / 255,
                       (float)(number >> 8 & 255) / 255, (float)(number & 255) / 255);
    return true;
}

static void print_hex(char *text, size_t size, FiloVec4 c) {
    unsigned a = filo_byte_from_unit(c.w);
    int length = snprintf(text, size, "#%02X%02X%02X", filo_byte_from_unit(c.x), filo_byte_from_unit(c.y),
                          filo_byte_from_unit(c.z));
    if (a < 255 && length > 0) snprintf(text + length, size - (size_t)length, "%02X", a);
}

// The content of the popup.
static bool edit_in_picker(FiloUi *ui, uint64_t id, FiloVec4 *color, bool *committed) {
    UiState *state = ui_state(ui, id);
    PickerData now = {
        .hue = state->values[0], .saturation = state->values[1], .alpha = color->w, .color = *color
    };
    to_hsv(*color, &now.hue, &now.saturation, &now.value);
    static const char *const names[] = { "##square", "##hue", "##alpha" };
    bool changed = false;
    *committed = false;
    for (int part = PICK_SQUARE; part <= PICK_ALPHA; part++) {
        changed = add_part(ui, names[part], (PickerPart)part, &now) || changed;
        *committed = *committed || ui->last_committed;
    }
    char hex[16];
    print_hex(hex, sizeof hex, now.color);
    if (filo_ui_text_field(ui, "Hex", hex, sizeof hex, NULL) && read_hex(hex, &now.color)) changed = true;
    *committed = *committed || ui->last_committed;
    state = ui_state(ui, id);
    state->values[0] = now.hue;
    state->values[1] = now.saturation;
    if (changed) *color = now.color;
    return changed;
}

bool filo_ui_color(FiloUi *ui, const char *label, FiloVec4 *straight) {
    if (!ui_usable(ui) || !FILO_CHECK(straight != NULL, "pass a colour to be edited")) return false;
    bool clash, changed = false, committed = false;
    FiloVec4 color = finite_color(*straight);
    char hex[16];
    print_hex(hex, sizeof hex, color);
    UiOpener opener = { .id = ui_claim(ui, label, &clash),
                        .has_swatch = true,
                        .swatch = filo_color_from_straight(color) };
    ui_field_begin(ui, label);
    ui_add_opener(ui, &opener, filo_string(hex), clash ? UI_CLASH : 0);
    ui_field_end(ui);
    uint32_t last = ui->last;
    uint64_t popup = filo_hash_combine(opener.id, 300);
    if (ui_popup_is_open(ui, popup) && !ui_is_hidden(ui)) {
        UiNode *node = ui_begin_popup_root(ui, "filo_ui_color", popup);
        if (node != NULL) {
            for (int i = 0; i < 4; i++) node->padding[i] = ui_px(ui, 12);
            node->gap = ui_px(ui, 8);
            changed = edit_in_picker(ui, opener.id, &color, &committed);
        }
        filo_ui_end(ui);
    }
    if (changed) *straight = color;
    ui->last = last;
    ui->last_id = opener.id;
    ui->last_committed = committed;
    return changed;
}

bool filo_ui_color_bytes(FiloUi *ui, const char *label, FiloColor *premultiplied) {
    if (!ui_usable(ui) || !FILO_CHECK(premultiplied != NULL, "pass a colour to be edited")) return false;
    FiloVec4 straight = filo_color_to_straight(*premultiplied);
    if (!filo_ui_color(ui, label, &straight)) return false;
    *premultiplied = filo_color_from_straight(straight);
    return true;
}
