// What is drawn in a panel: one series for each number of the output, the axes, and where the parts are.

#include "signal/embed/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CHARACTER 5.6 // the width of a small character, about, in pixels

bool signal_plot_is_strip(const SignalPlotSeries *series) {
    return series->style == SIGNAL_PLOT_BOOL || series->style == SIGNAL_PLOT_EVENT;
}

// ---- Series -----------------------------------------------------------------------------------------------------

typedef struct Collect {
    SignalPlotPanel *panel;
    size_t leaf;
    uint32_t present_by;
    const char *name;
    const uint8_t *base; // of the value
} Collect;

static void add_series(Collect *collect, SignalPlotStyle style, const FiloType *type, size_t offset,
                       const char *path) {
    SignalPlotPanel *panel = collect->panel;
    if (panel->series_count == SIGNAL_PLOT_SERIES) return;
    SignalPlotSeries *series = &panel->series[panel->series_count++];
    *series = (SignalPlotSeries){ .style = style,
                                  .leaf = collect->leaf,
                                  .offset = offset,
                                  .type = type,
                                  .present_by = collect->present_by };
    snprintf(series->name, sizeof series->name, "%s%s%s", collect->name, path[0] != 0 ? "." : "", path);
    if (signal_plot_is_strip(series))
        panel->strip_count++;
    else
        panel->has_curves = true;
}

static bool add_scalar(const SignalScalar *scalar, void *user) {
    Collect *collect = user;
    SignalPlotStyle style = SIGNAL_PLOT_STEPS;
    if (scalar->type->kind == FILO_KIND_BOOL)
        style = SIGNAL_PLOT_BOOL;
    else if (collect->present_by != 0)
        style = SIGNAL_PLOT_MARKS;
    else if (scalar->type->kind == FILO_KIND_FLOAT && !collect->panel->desc->steps[collect->leaf])
        style = SIGNAL_PLOT_CURVE;
    add_series(collect, style, scalar->type, (size_t)((const uint8_t *)scalar->data - collect->base),
               scalar->path);
    return true;
}

static bool is_no_number(const SignalScalar *scalar, void *user) {
    (void)user;
    return scalar->type->kind == FILO_KIND_BOOL;
}

// Whether the event of a presence is visible by the marks of its numbers.
static bool has_marks(const FiloTrace *trace, const FiloPlotPanel *desc, size_t presence) {
    for (size_t i = 0; i < trace->leaf_count; i++)
        if (trace->leaves[i].present_by == presence + 1 && !desc->hidden[i] && !trace->leaves[i].presence &&
            (signal_leaf_is_list(&trace->leaves[i]) ||
             !signal_scalars(trace->leaves[i].type, trace->values[i], is_no_number, NULL)))
            return true;
    return false;
}

static void add_leaf(SignalPlotPanel *panel, size_t i) {
    const FiloTrace *trace = panel->desc->trace;
    const FiloSfLeaf *leaf = &trace->leaves[i];
    size_t named = leaf->present_by != 0 && panel->desc->names[i] == NULL ? leaf->present_by - 1 : i;
    char name[32];
    snprintf(name, sizeof name, "output %zu", named);
    Collect collect = { panel, i, leaf->present_by, panel->desc->names[named], NULL };
    if (collect.name == NULL) collect.name = name;
    if (leaf->presence) {
        // What occurs most of the time is the side of an either rather than an event, and readable as a bool.
        size_t present = 0;
        for (size_t k = 0; k < trace->count; k++) present += ((const uint8_t *)trace->values[i])[k] != 0;
        SignalPlotStyle style = present > trace->count / 2 ? SIGNAL_PLOT_BOOL : SIGNAL_PLOT_EVENT;
        if (!has_marks(trace, panel->desc, i)) add_series(&collect, style, filo_type_bool(), 0, "");
    } else if (signal_leaf_is_list(leaf)) {
        add_series(&collect, leaf->present_by != 0 ? SIGNAL_PLOT_MARKS : SIGNAL_PLOT_STEPS,
                   filo_type_uint32_t(), 0, "count");
    } else {
        collect.base = trace->values[i];
        signal_scalars(leaf->type, trace->values[i], add_scalar, &collect);
    }
}

double signal_plot_value(const SignalPlotPanel *panel, const SignalPlotSeries *series, size_t sample) {
    const FiloTrace *trace = panel->desc->trace;
    uint8_t *data = (uint8_t *)trace->values[series->leaf] + sample * trace->leaves[series->leaf].type->size;
    if (series->present_by != 0 && ((const uint8_t *)trace->values[series->present_by - 1])[sample] == 0)
        return NAN;
    if (series->style == SIGNAL_PLOT_EVENT) return *data != 0;
    SignalScalar scalar = { .type = series->type, .data = data + series->offset };
    double value = signal_scalar_get(&scalar);
    return isfinite(value) ? value : NAN;
}

// ---- Axes -------------------------------------------------------------------------------------------------------

double signal_plot_position(const SignalPlotAxis *axis, double value) {
    return axis->start + (value - axis->low) / (axis->high - axis->low) * axis->size;
}

// Ticks at 1, 2 or 5 times a power of ten, at least `room` pixels apart.
static void choose_ticks(SignalPlotAxis *axis, double room) {
    double wanted = (axis->high - axis->low) * room / fabs(axis->size);
    int exponent = (int)floor(log10(wanted));
    double power = pow(10, exponent), factor = 10;
    if (wanted <= power)
        factor = 1;
    else if (wanted <= 2 * power)
        factor = 2;
    else if (wanted <= 5 * power)
        factor = 5;
    axis->step = factor * power;
    axis->digits = factor == 10 ? -exponent - 1 : -exponent;
    if (axis->digits < 0) axis->digits = 0;
}

static void find_range(SignalPlotPanel *panel) {
    const FiloTrace *trace = panel->desc->trace;
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < panel->series_count; k++) {
        if (signal_plot_is_strip(&panel->series[k])) continue;
        for (size_t i = 0; i < trace->count; i++) {
            double value = signal_plot_value(panel, &panel->series[k], i);
            low = fmin(low, value); // a NaN is ignored
            high = fmax(high, value);
        }
    }
    if (!(low <= high)) {
        low = 0;
        high = 1;
    }
    double margin = (high - low) * 0.06;
    if (!(margin > fabs(high) * 1e-6)) margin = fmax(fabs(high) * 0.5, 0.5); // nearly constant
    panel->value.low = low - margin;
    panel->value.high = high + margin;
    if (panel->desc->low < panel->desc->high) {
        panel->value.low = panel->desc->low;
        panel->value.high = panel->desc->high;
    }
    panel->time.low = 0;
    panel->time.high = 1;
    if (trace->count > 0) {
        panel->time.low = trace->times[0];
        panel->time.high = trace->times[trace->count - 1];
    }
    if (!(panel->time.high > panel->time.low)) panel->time.high = panel->time.low + 1;
}

// ---- Layout -----------------------------------------------------------------------------------------------------

double signal_plot_legend_width(const SignalPlotSeries *series) {
    return 26 + CHARACTER * (double)filo_utf8_count(filo_string(series->name));
}

size_t signal_plot_legend_lines(const SignalPlotPanel *panel) {
    size_t curves = panel->series_count - panel->strip_count, lines = 1;
    const FiloPlotPanel *desc = panel->desc;
    bool named = false;
    for (size_t i = 0; i < FILO_SF_LEAVES; i++) named = named || desc->names[i] != NULL;
    if (curves == 0 || (curves == 1 && !named)) return 0;
    double x = 0, room = panel->width - 30;
    for (size_t k = 0; k < panel->series_count; k++) {
        if (signal_plot_is_strip(&panel->series[k])) continue;
        double width = signal_plot_legend_width(&panel->series[k]);
        if (x > 0 && x + width > room) {
            lines++;
            x = 0;
        }
        x += width;
    }
    return lines;
}

void signal_plot_layout(SignalPlotPanel *panel) {
    const FiloPlotPanel *desc = panel->desc;
    for (size_t i = 0; i < desc->trace->leaf_count; i++)
        if (!desc->hidden[i]) add_leaf(panel, i);
    double margin = 46;
    for (size_t k = 0; k < panel->series_count; k++)
        if (signal_plot_is_strip(&panel->series[k]))
            margin =
                fmax(margin, 14 + CHARACTER * (double)filo_utf8_count(filo_string(panel->series[k].name)));
    panel->left = panel->x + fmin(margin, panel->width * 0.35);
    panel->right = panel->x + panel->width - 16;
    double head = 10;
    if (desc->title != NULL) head += 18;
    if (desc->text != NULL) head += 15;
    head += 15 * (double)signal_plot_legend_lines(panel);
    panel->top = panel->y + head + 4;
    panel->bottom = panel->y + panel->height - 26;
    double area = panel->bottom - panel->top;
    // Without curves the strips share the whole area.
    if (panel->strip_count > 0) {
        double share = (panel->has_curves ? area * 0.5 : area) / (double)panel->strip_count;
        panel->strip_height = panel->has_curves ? fmin(share, 22) : share;
    }
    double strips = panel->strip_height * (double)panel->strip_count;
    find_range(panel);
    panel->time.start = panel->left;
    panel->time.size = panel->right - panel->left;
    panel->value.start = panel->bottom - strips - (panel->strip_count > 0 ? 4 : 0);
    panel->value.size = panel->top - panel->value.start;
    choose_ticks(&panel->time, 48);
    choose_ticks(&panel->value, 30);
}
