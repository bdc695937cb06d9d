// Images, nine-slice images, canvases.

#include "ui/ui.h"

typedef struct ImageData {
    UiWidget widget; // of a button
    FiloUiImage image;
    bool button;
} ImageData;

// Copies a description, with the whole frame as its part if it has none.
static FiloUiImage resolve(const FiloUi *ui, const FiloUiImage *image) {
    FiloUiImage result = *image;
    if (filo_rect_is_empty(result.part) && ui->gfx != NULL && image->image.id != 0)
        result.part.max = filo_gfx2d_image_region(ui->gfx, image->image, image->frame).size;
    return result;
}

static FiloVec2 size_of_image(const FiloUi *ui, const FiloUiImage *image) {
    FiloVec2 size = image->size, part = filo_rect_size(image->part);
    if (!(size.x > 0)) size.x = part.x > 0 ? part.x : 64;
    if (!(size.y > 0)) size.y = part.y > 0 ? part.y : 64;
    return filo_vec2(ui_px(ui, size.x), ui_px(ui, size.y));
}

static FiloVec2 measure_image(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    const ImageData *data = node->data;
    FiloVec2 size = size_of_image(ui, &data->image);
    float border = data->button ? 2 * ui_px(ui, 4) : 0;
    return filo_vec2(size.x + border, size.y + border);
}

static bool is_sliced(const FiloUiImage *image) {
    return (image->slice[0] > 0 || image->slice[1] > 0 || image->slice[2] > 0 || image->slice[3] > 0) &&
           !filo_rect_is_empty(image->part); // as without a renderer
}

static FiloColor tint_of(const FiloUiImage *image) {
    return ui_color_set(image->tint) ? image->tint : FILO_COLOR_WHITE;
}

// The corners keep their size, in pixels of the image times the scale; edges and the middle are stretched.
static void paint_sliced(FiloUi *ui, const FiloUiImage *image, FiloRect rect) {
    FiloRect part = image->part;
    FiloVec2 texels = filo_rect_size(part), size = filo_rect_size(rect);
    float s[4];
    for (int i = 0; i < 4; i++)
        s[i] = filo_clamp(filo_round(image->slice[i]), 0, i % 2 == 0 ? texels.x : texels.y);
    float zoom = filo_max(filo_round(ui->scale), 1);
    float fit_x = filo_min(1, size.x / filo_max((s[0] + s[2]) * zoom, 1)),
          fit_y = filo_min(1, size.y / filo_max((s[1] + s[3]) * zoom, 1));
    const float us[4] = { part.min.x, part.min.x + s[0], part.max.x - s[2], part.max.x };
    const float vs[4] = { part.min.y, part.min.y + s[1], part.max.y - s[3], part.max.y };
    const float xs[4] = { rect.min.x, rect.min.x + filo_round(s[0] * zoom * fit_x),
                          rect.max.x - filo_round(s[2] * zoom * fit_x), rect.max.x };
    const float ys[4] = { rect.min.y, rect.min.y + filo_round(s[1] * zoom * fit_y),
                          rect.max.y - filo_round(s[3] * zoom * fit_y), rect.max.y };
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++) {
            FiloRect to = filo_rect(filo_vec2(xs[x], ys[y]), filo_vec2(xs[x + 1], ys[y + 1]));
            FiloRect from = filo_rect(filo_vec2(us[x], vs[y]), filo_vec2(us[x + 1], vs[y + 1]));
            if (!filo_rect_is_empty(to) && !filo_rect_is_empty(from))
                ui_paint_image(ui, image->image, image->frame, from, to, tint_of(image), image->smooth);
        }
}

static void paint_image_in(FiloUi *ui, const FiloUiImage *image, FiloRect rect) {
    if (is_sliced(image))
        paint_sliced(ui, image, rect);
    else
        ui_paint_image(ui, image->image, image->frame, image->part, rect, tint_of(image), image->smooth);
}

static void paint_image(FiloUi *ui, const UiNode *node) {
    const ImageData *data = node->data;
    FiloRect rect = node->rect;
    if (data->button) {
        ui_paint_control(ui, node, &data->widget, ui_control_color(node->theme, &data->widget));
        rect = filo_rect_expand(rect, -ui_px(ui, 4));
    }
    paint_image_in(ui, &data->image, rect);
}

static bool valid_image(const FiloUiImage *image) {
    return FILO_CHECK(image != NULL && image->frame >= 0, "pass an image, with a frame from 0 on");
}

static void keep_size(FiloUi *ui, UiNode *node) {
    if (node->align != FILO_UI_ALIGN_DEFAULT) return;
    bool row = node->parent != UI_NONE && ui_node(ui, node->parent)->axis == UI_ROW;
    node->align = row ? FILO_UI_ALIGN_CENTRE : FILO_UI_ALIGN_START;
}

void filo_ui_image(FiloUi *ui, const FiloUiImage *image) {
    if (!ui_usable(ui) || !valid_image(image)) return;
    ImageData *data = ui_new(ui, ImageData);
    uint64_t id = filo_hash_combine(ui->id_count > 0 ? ui->ids[ui->id_count - 1] : 1,
                                    filo_hash_combine(0x1A6E, ui->nodes.count));
    UiNode *node = ui_add_widget(ui, id);
    if (data == NULL || node == NULL) return;
    data->image = resolve(ui, image);
    node->data = data;
    node->measure = measure_image;
    node->paint = paint_image;
    node->flags |= UI_HIT;
    keep_size(ui, node);
    ui->last_touch = ui_touch(ui, id);
}

bool filo_ui_image_button(FiloUi *ui, const char *name, const FiloUiImage *image) {
    if (!ui_usable(ui) || !valid_image(image)) return false;
    UiWidget widget;
    ImageData *data = ui_new(ui, ImageData);
    if (data == NULL || !ui_widget(ui, name, UI_FOCUSABLE, &widget)) return false;
    *data = (ImageData){ .widget = widget, .image = resolve(ui, image), .button = true };
    UiNode *node = ui_node(ui, widget.node);
    node->data = data;
    node->measure = measure_image;
    node->paint = paint_image;
    keep_size(ui, node);
    return widget.touch.clicked;
}

static void paint_framed(FiloUi *ui, const UiNode *node) {
    paint_image_in(ui, &((const ImageData *)node->data)->image, node->rect);
}

void filo_ui_begin_framed(FiloUi *ui, const FiloUiImage *image, float padding) {
    if (!ui_usable(ui)) return;
    ImageData *data = ui_new(ui, ImageData);
    UiNode *node = ui_begin(ui, "filo_ui_begin_framed", "framed");
    if (node == NULL) return;
    for (int i = 0; i < 4; i++) node->padding[i] = ui_px(ui, padding);
    if (data == NULL || !valid_image(image)) return;
    data->image = resolve(ui, image);
    node->data = data;
    node->paint = paint_framed;
}

// ---- Canvases ------------------------------------------------------------------------------------------------------------

typedef struct CanvasItem {
    struct CanvasItem *next;
    enum { CANVAS_BOX, CANVAS_LINE, CANVAS_TEXT } kind;
    FiloRect rect; // of a line: from min to max
    float width;
    FiloColor color;
    FiloString text;
    UiTextStyle style;
} CanvasItem;

typedef struct CanvasData {
    UiWidget widget;
    FiloVec2 size;
    CanvasItem *first, *last;
} CanvasData;

static FiloVec2 measure_canvas(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(ui), FILO_UNUSED(width);
    return ((const CanvasData *)node->data)->size;
}

static void paint_canvas(FiloUi *ui, const UiNode *node) {
    const CanvasData *data = node->data;
    FiloRect old = ui_push_clip(ui, node->rect);
    for (const CanvasItem *item = data->first; item != NULL; item = item->next) {
        FiloRect rect = filo_rect_move(item->rect, node->rect.min);
        if (item->kind == CANVAS_BOX) ui_paint_box(ui, rect, item->color);
        if (item->kind == CANVAS_LINE) ui_paint_line(ui, rect.min, rect.max, item->width, item->color);
        if (item->kind == CANVAS_TEXT) ui_text_paint_line(ui, &item->style, rect.min, item->text);
    }
    ui->clip = old;
    if (data->widget.touch.ring) ui_paint_focus(ui, node->rect, 0);
}

FiloRect filo_ui_canvas(FiloUi *ui, const char *name, FiloVec2 size) {
    if (!ui_usable(ui)) return (FiloRect){ 0 };
    UiWidget widget;
    CanvasData *data = ui_new(ui, CanvasData);
    ui->canvas = UI_NONE;
    if (data == NULL || !ui_widget(ui, name, UI_FOCUSABLE, &widget)) return (FiloRect){ 0 };
    *data = (CanvasData){ .widget = widget,
                          .size = filo_vec2(ui_px(ui, size.x > 0 ? size.x : 32),
                                            ui_px(ui, size.y > 0 ? size.y : 32)) };
    UiNode *node = ui_node(ui, widget.node);
    node->data = data;
    node->measure = measure_canvas;
    node->paint = paint_canvas;
    if (size.x > 0 && node->align == FILO_UI_ALIGN_DEFAULT) node->align = FILO_UI_ALIGN_START;
    ui->canvas = widget.node;
    return filo_ui_rect(ui);
}

static void add_item(FiloUi *ui, const CanvasItem *item) {
    if (ui->canvas == UI_NONE) return;
    CanvasData *data = ui_node(ui, ui->canvas)->data;
    CanvasItem *copy = ui_new(ui, CanvasItem);
    if (copy == NULL) return;
    *copy = *item;
    if (data->last != NULL)
        data->last->next = copy;
    else
        data->first = copy;
    data->last = copy;
}

void filo_ui_canvas_box(FiloUi *ui, FiloRect rect, FiloColor color) {
    if (ui_usable(ui)) add_item(ui, &(CanvasItem){ .kind = CANVAS_BOX, .rect = rect, .color = color });
}

void filo_ui_canvas_line(FiloUi *ui, FiloVec2 from, FiloVec2 to, float width, FiloColor color) {
    if (ui_usable(ui))
        add_item(ui,
                 &(CanvasItem){ .kind = CANVAS_LINE, .rect = { from, to }, .width = width, .color = color });
}

void filo_ui_canvas_text(FiloUi *ui, FiloVec2 at, FiloColor color, const char *text) {
    if (!ui_usable(ui)) return;
    UiTextStyle style = ui_text_style(ui);
    style.color = color;
    FiloString string = filo_string(text);
    add_item(ui, &(CanvasItem){ .kind = CANVAS_TEXT,
                                .rect = { at, at },
                                .style = style,
                                .text = filo_string_from(ui_copy(ui, string), string.length) });
}
