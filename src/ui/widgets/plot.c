// Plots and progress bars.
//
// A plot of more values than it has pixels shows, for each column of pixels, the least and the greatest of the values
// there: a million values are read once a frame, and drawn as a few hundred boxes. What is needed for painting is
// computed when the plot is painted, when its width is known; the values are those of the caller at the time of the
// call, so they are decimated then for the width of the last frame, or of the screen in the first.

#include "ui/ui.h"

#include <math.h>
#include <stdio.h>

typedef struct PlotData {
    UiWidget widget;
    FiloUiPlotKind kind;
    size_t count;        // of columns or values
    const float *low;    // least and greatest of each
    const float *high;   // the same as `low` if there is one value for each
    bool single;         // one value each
    size_t source_count; // of the caller
    float min, max, mark;
    bool has_mark;
    FiloColor color;
    UiTextStyle style, small;
    char unit[16];
    float height;
} PlotData;

#define MOST_COLUMNS 4096
#define MOST_BINS    512

static bool is_number(float v) { return v > -1e38f && v < 1e38f; }

// ---- Decimation --------------------------------------------------------------------------------------------------------

// Extends a range by the values from `from` to before `to`.
static void extend(const float *values, size_t from, size_t to, float *low, float *high) {
    float least = INFINITY, most = -INFINITY;
    for (size_t i = from; i < to; i++) {
        float v = values[i];
        bool valid = is_number(v);
        least = valid && v < least ? v : least;
        most = valid && v > most ? v : most;
    }
    if (!(least <= most)) return; // none is a number
    *low = *low <= least ? *low : least;
    *high = *high >= most ? *high : most;
}

static void decimate(FiloUi *ui, const FiloUiPlot *plot, PlotData *data, size_t columns) {
    size_t count = FILO_MIN(plot->count, columns);
    float *low = ui_alloc(ui, count * sizeof *low), *high = ui_alloc(ui, count * sizeof *high);
    if (low == NULL || high == NULL) return;
    size_t start = plot->offset % plot->count;
    for (size_t i = 0; i < count; i++) {
        size_t from = start + i * plot->count / count, to = start + (i + 1) * plot->count / count;
        low[i] = high[i] = NAN;
        extend(plot->values, FILO_MIN(from, plot->count), FILO_MIN(to, plot->count), &low[i], &high[i]);
        // The values behind the end of a ring buffer are at its beginning.
        if (to > plot->count)
            extend(plot->values, FILO_MAX(from, plot->count) - plot->count, to - plot->count, &low[i],
                   &high[i]);
    }
    data->low = low;
    data->high = high;
    data->count = count;
    data->single = count == plot->count;
}

static void range_of(const PlotData *data, float *min, float *max) {
    *min = NAN;
    *max = NAN;
    for (size_t i = 0; i < data->count; i++) {
        if (is_number(data->low[i]) && !(data->low[i] >= *min)) *min = data->low[i];
        if (is_number(data->high[i]) && !(data->high[i] <= *max)) *max = data->high[i];
    }
    if (!is_number(*min) || !is_number(*max)) *min = 0, *max = 1;
}

static void make_histogram(FiloUi *ui, const FiloUiPlot *plot, PlotData *data) {
    float min = plot->min, max = plot->max;
    if (!(min < max)) {
        min = INFINITY;
        max = -INFINITY;
        for (size_t i = 0; i < plot->count; i++) {
            float v = plot->values[i];
            if (is_number(v)) min = filo_min(min, v), max = filo_max(max, v);
        }
        if (!(min < max)) min = is_number(min) ? min - 0.5f : 0, max = min + 1;
    }
    double chosen = sqrt((double)plot->count);
    size_t bins =
        plot->bins > 0 ? (size_t)FILO_MIN(plot->bins, MOST_BINS) : (size_t)FILO_CLAMP(chosen, 8.0, 64.0);
    float *counts = ui_alloc(ui, bins * sizeof *counts);
    if (counts == NULL) return;
    for (size_t i = 0; i < plot->count; i++) {
        float t = (plot->values[i] - min) / (max - min);
        if (!(t >= 0 && t <= 1)) continue;
        size_t bin = (size_t)(t * (float)bins);
        counts[FILO_MIN(bin, bins - 1)] += 1;
    }
    data->low = data->high = counts;
    data->count = bins;
    data->single = true;
    float least;
    range_of(data, &least, &data->max);
    data->min = 0;
}

// ---- Painting ------------------------------------------------------------------------------------------------------------

static FiloVec2 measure_plot(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    return filo_vec2(ui_px(ui, 160), ((const PlotData *)node->data)->height);
}

static float y_of(const PlotData *data, FiloRect r, float value) {
    float t = (value - data->min) / (data->max - data->min);
    return r.max.y - filo_clamp(t, -0.01f, 1.01f) * (r.max.y - r.min.y);
}

static void paint_lines(FiloUi *ui, const PlotData *data, FiloRect r) {
    float width = filo_max(1.5f * ui->scale, 1),
          step = (r.max.x - r.min.x) / (float)FILO_MAX(data->count - 1, 1);
    FiloVec2 last = { NAN, NAN };
    for (size_t i = 0; i < data->count; i++) {
        float x = r.min.x + (float)i * step;
        if (!is_number(data->low[i])) {
            last = filo_vec2(NAN, NAN);
            continue;
        }
        float top = y_of(data, r, data->high[i]), bottom = y_of(data, r, data->low[i]);
        FiloVec2 point = filo_vec2(x, (top + bottom) / 2);
        // The column from the least to the greatest, and lines between single values.
        if (!data->single && bottom - top > width)
            ui_paint_box(
                ui,
                filo_rect(filo_vec2(x - step / 2, top), filo_vec2(x + filo_max(step, 1) / 2 + 0.25f, bottom)),
                data->color);
        else if (!filo_is_nan(last.x))
            ui_paint_line(ui, last, point, width, data->color);
        last = point;
    }
}

static void paint_bars(FiloUi *ui, const PlotData *data, FiloRect r) {
    float base = y_of(data, r, filo_clamp(0, data->min, data->max)),
          width = (r.max.x - r.min.x) / (float)FILO_MAX(data->count, 1);
    float gap = width > 4 ? filo_max(filo_round(ui->scale), 1) : 0;
    for (size_t i = 0; i < data->count; i++) {
        if (!is_number(data->low[i])) continue;
        float a = y_of(data, r, data->high[i]), b = y_of(data, r, data->low[i]);
        float top = filo_min(filo_min(a, b), base), bottom = filo_max(filo_max(a, b), base);
        float left = filo_round(r.min.x + width * (float)i),
              right = filo_round(r.min.x + width * (float)(i + 1)) - gap;
        ui_paint_box(ui, filo_rect(filo_vec2(left, top), filo_vec2(filo_max(right, left + 1), bottom)),
                     data->color);
    }
}

static void paint_reading(FiloUi *ui, const UiNode *node, const PlotData *data, FiloRect r) {
    if (!data->widget.touch.hovered || data->count == 0) return;
    float t = filo_clamp((ui->input.mouse.x - r.min.x) / filo_max(r.max.x - r.min.x, 1), 0, 0.99999f);
    size_t i = (size_t)(t * (float)data->count);
    char text[96];
    if (data->kind == FILO_UI_PLOT_HISTOGRAM)
        snprintf(text, sizeof text, "%.0f", (double)data->low[i]);
    else if (data->single || data->low[i] == data->high[i])
        snprintf(text, sizeof text, "%zu: %.4g %s", i, (double)data->low[i], data->unit);
    else
        snprintf(text, sizeof text, "%zu: %.4g to %.4g %s", i * data->source_count / data->count,
                 (double)data->low[i], (double)data->high[i], data->unit);
    float x = filo_floor(ui->input.mouse.x);
    ui_paint_box(ui, filo_rect(filo_vec2(x, r.min.y), filo_vec2(x + 1, r.max.y)),
                 filo_color_fade(node->theme->text, 0.5f));
    FiloVec2 size = ui_text_measure(ui, &data->small, filo_string(text), 0);
    FiloVec2 at = filo_vec2(filo_round(filo_min(x + ui_px(ui, 6), r.max.x - size.x - ui_px(ui, 6))),
                            r.min.y + ui_px(ui, 2));
    ui_paint_round(ui,
                   filo_rect(filo_vec2(at.x - ui_px(ui, 4), at.y),
                             filo_vec2(at.x + size.x + ui_px(ui, 4), at.y + size.y)),
                   ui_px(ui, 3), filo_color_fade(node->theme->popup, 0.95f));
    ui_text_paint_line(ui, &data->small, at, filo_string(text));
}

// On a background, because lines and bars may be behind it.
static void paint_limit(FiloUi *ui, const UiNode *node, float value, float x, float y) {
    const PlotData *data = node->data;
    char text[32];
    snprintf(text, sizeof text, "%.4g", (double)value);
    FiloVec2 at = filo_vec2(x + ui_px(ui, 3), y),
             size = ui_text_measure(ui, &data->small, filo_string(text), 0);
    ui_paint_round(ui,
                   filo_rect(filo_vec2(at.x - ui_px(ui, 3), at.y),
                             filo_vec2(at.x + size.x + ui_px(ui, 3), at.y + size.y)),
                   ui_px(ui, 3), filo_color_fade(node->theme->field, 0.75f));
    ui_text_paint_line(ui, &data->small, at, filo_string(text));
}

static void paint_limits(FiloUi *ui, const UiNode *node, FiloRect r) {
    const PlotData *data = node->data;
    paint_limit(ui, node, data->max, r.min.x, r.min.y);
    if (data->kind != FILO_UI_PLOT_LINE && data->min == 0) return; // the bars stand there
    paint_limit(ui, node, data->min, r.min.x, r.max.y - ui_text_line(ui, &data->small));
}

static void paint_plot(FiloUi *ui, const UiNode *node) {
    const PlotData *data = node->data;
    const FiloUiTheme *theme = node->theme;
    float radius = ui_px(ui, theme->radius);
    ui_paint_round(ui, node->rect, radius, theme->field);
    FiloRect r = filo_rect_expand(node->rect, -ui_px(ui, 4)), old = ui_push_clip(ui, node->rect);
    for (int i = 1; i < 4; i++) {
        float y = filo_round(r.min.y + (r.max.y - r.min.y) * (float)i / 4);
        ui_paint_box(ui, filo_rect(filo_vec2(r.min.x, y), filo_vec2(r.max.x, y + 1)),
                     filo_color_fade(theme->separator, 0.6f));
    }
    if (data->has_mark && data->mark >= data->min && data->mark <= data->max) {
        float y = filo_round(y_of(data, r, data->mark));
        ui_paint_box(ui, filo_rect(filo_vec2(r.min.x, y), filo_vec2(r.max.x, y + 1)),
                     filo_color_fade(theme->warning, 0.8f));
    }
    ui_push_clip(ui, filo_rect_expand(r, 1));
    if (data->count > 0 && data->kind == FILO_UI_PLOT_LINE) paint_lines(ui, data, r);
    if (data->count > 0 && data->kind != FILO_UI_PLOT_LINE) paint_bars(ui, data, r);
    if (node->size[1] > ui_px(ui, 48)) paint_limits(ui, node, r);
    paint_reading(ui, node, data, r);
    ui->clip = old;
    ui_paint_outline(ui, node->rect, radius, filo_max(ui_px(ui, theme->border_width), 1), theme->separator);
}

static void fill_plot(FiloUi *ui, const FiloUiPlot *plot, PlotData *data, float width) {
    if (plot->kind == FILO_UI_PLOT_HISTOGRAM) {
        make_histogram(ui, plot, data);
        return;
    }
    decimate(ui, plot, data, (size_t)FILO_CLAMP(width, 16.0f, (float)MOST_COLUMNS));
    data->min = plot->min;
    data->max = plot->max;
    if (plot->min < plot->max) return;
    range_of(data, &data->min, &data->max);
    if (plot->kind == FILO_UI_PLOT_BARS)
        data->min = filo_min(data->min, 0), data->max = filo_max(data->max, 0);
    if (!(data->min < data->max)) data->min -= 0.5f, data->max += 0.5f;
}

void filo_ui_plot(FiloUi *ui, const char *label, const FiloUiPlot *plot) {
    if (!ui_usable(ui) || !FILO_CHECK(plot != NULL && (plot->values != NULL || plot->count == 0),
                                      "pass a plot with its values"))
        return;
    FiloString text = ui_label_text(label);
    if (text.length > 0) filo_ui_text(ui, FILO_UI_TEXT_MUTED, ui_copy(ui, text));
    UiWidget widget;
    PlotData *data = ui_new(ui, PlotData);
    if (data == NULL || !ui_widget(ui, label, 0, &widget)) return;
    const UiState *state = ui_state(ui, widget.id);
    float width = state->known ? filo_rect_size(state->rect).x : ui->width;
    const FiloUiTheme *theme = ui_theme(ui);
    *data = (PlotData){ .widget = widget,
                        .kind = plot->kind,
                        .source_count = plot->count,
                        .mark = plot->mark,
                        .has_mark = plot->mark != 0,
                        .color = ui_color_set(plot->color) ? plot->color : theme->plot,
                        .small = ui_style_of(ui, FILO_UI_TEXT_SMALL),
                        .max = 1,
                        .height = ui_px(ui, plot->height > 0 ? plot->height : 80) };
    filo_string_copy(filo_string(plot->unit), data->unit, sizeof data->unit);
    if (plot->count > 0 && !ui_is_hidden(ui)) fill_plot(ui, plot, data, width);
    UiNode *node = ui_node(ui, widget.node);
    node->data = data;
    node->measure = measure_plot;
    node->paint = paint_plot;
    node->flags |= UI_SHRINK;
    if (node->parent != UI_NONE && ui_node(ui, node->parent)->axis == UI_ROW && node->fixed[0] <= 0 &&
        !(node->grow > 0))
        node->grow = 1;
}

// ---- Progress --------------------------------------------------------------------------------------------------------------

typedef struct ProgressData {
    float fraction;
    char text[64];
    UiTextStyle style;
} ProgressData;

static FiloVec2 measure_progress(FiloUi *ui, const UiNode *node, float width) {
    FILO_UNUSED(width);
    return filo_vec2(ui_px(ui, 120), ui_px(ui, node->theme->control_height * 0.75f));
}

static void paint_progress(FiloUi *ui, const UiNode *node) {
    const ProgressData *data = node->data;
    const FiloUiTheme *theme = node->theme;
    float radius = ui_px(ui, theme->radius);
    ui_paint_round(ui, node->rect, radius, theme->field);
    FiloRect done = node->rect, rest = node->rect;
    done.max.x = rest.min.x = filo_round(node->rect.min.x + filo_rect_size(node->rect).x * data->fraction);
    FiloRect old = ui_push_clip(ui, done);
    ui_paint_round(ui, node->rect, radius, theme->accent);
    UiTextStyle style = data->style;
    FiloRect box = ui_line_box(ui, &style, node->rect);
    style.color = theme->on_accent;
    ui_text_paint(ui, &style, box, UI_TEXT_CENTRE, false, filo_string(data->text));
    ui->clip = filo_rect_intersection(old, rest);
    ui_text_paint(ui, &data->style, box, UI_TEXT_CENTRE, false, filo_string(data->text));
    ui->clip = old;
}

void filo_ui_progress(FiloUi *ui, const char *label, float fraction, const char *text) {
    if (!ui_usable(ui)) return;
    ProgressData *data = ui_new(ui, ProgressData);
    ui_field_begin(ui, label);
    UiNode *node = ui_add_widget(ui, 0);
    if (data != NULL && node != NULL) {
        data->fraction = filo_is_nan(fraction) ? 0 : filo_clamp01(fraction);
        data->style = ui_text_style(ui);
        data->style.size = ui_theme(ui)->small_size * ui->scale;
        if (text != NULL)
            filo_string_copy(filo_string(text), data->text, sizeof data->text);
        else
            snprintf(data->text, sizeof data->text, "%.0f %%", (double)data->fraction * 100);
        node->data = data;
        node->measure = measure_progress;
        node->paint = paint_progress;
        ui_field_control(ui, node);
    }
    ui_field_end(ui);
}
