// Traces as pictures, in SVG.

#include "signal/embed/plot.h"

#include <filo/check.h>
#include <filo/files.h>

#include <math.h>

static const char *const colours[] = { "#0b6fb8", "#d1580c", "#0a8f6a", "#b0508f",
                                       "#c08a00", "#3f51a3", "#6b6f76", "#8c2d2d" };

static const char style[] =
    "<style>"
    "text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;fill:#4d5661;font-size:10px}"
    ".page{font-size:18px;font-weight:bold;fill:#1d232a}"
    ".title{font-size:13px;font-weight:bold;fill:#1d232a}"
    ".note{font-size:10.5px;fill:#6a7480}"
    ".area{fill:#f7f8fa}.strip{fill:#f0f2f5}"
    ".grid{stroke:#e2e5ea;stroke-width:1}.zero{stroke:#aab1bb;stroke-width:1}"
    ".axis{stroke:#8d96a2;stroke-width:1}"
    ".curve{fill:none;stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round}"
    ".thin{opacity:0.6}.thin .curve{stroke-width:0.9}"
    ".stem{stroke-width:1.1;stroke-opacity:0.55}"
    ".fill{fill-opacity:0.16;stroke:none}"
    "</style>\n";

// ---- Text -------------------------------------------------------------------------------------------------------

static void add(FiloBuilder *svg, const char *text) { filo_builder_add_text(svg, text); }

// ` name="12.5"`
static void attribute(FiloBuilder *svg, const char *name, double value) {
    filo_builder_printf(svg, " %s=\"", name);
    signal_add_number(svg, value, 2);
    filo_builder_add_byte(svg, '"');
}

static void add_escaped(FiloBuilder *svg, const char *text) {
    for (FiloString rest = filo_string(text); rest.length > 0;) {
        uint32_t c;
        filo_utf8_next(&rest, &c);
        if (c == '<')
            add(svg, "&lt;");
        else if (c == '>')
            add(svg, "&gt;");
        else if (c == '&')
            add(svg, "&amp;");
        else if (c >= ' ' || c == '\t')
            filo_builder_add_character(svg, c);
    }
}

static void add_label(FiloBuilder *svg, double x, double y, const char *attributes, const char *text) {
    add(svg, "<text");
    attribute(svg, "x", x);
    attribute(svg, "y", y);
    filo_builder_printf(svg, " %s>", attributes);
    add_escaped(svg, text);
    add(svg, "</text>\n");
}

static void add_line(FiloBuilder *svg, const char *attributes, double x1, double y1, double x2, double y2) {
    filo_builder_printf(svg, "<line %s", attributes);
    attribute(svg, "x1", x1);
    attribute(svg, "y1", y1);
    attribute(svg, "x2", x2);
    attribute(svg, "y2", y2);
    add(svg, "/>\n");
}

static void add_rectangle(FiloBuilder *svg, const char *attributes, double left, double top, double right,
                          double bottom) {
    filo_builder_printf(svg, "<rect %s", attributes);
    attribute(svg, "x", left);
    attribute(svg, "y", top);
    attribute(svg, "width", fmax(right - left, 0));
    attribute(svg, "height", fmax(bottom - top, 0));
    add(svg, "/>\n");
}

// A command of a path: "M12.5 3".
static void add_point(FiloBuilder *svg, char command, double x, double y) {
    filo_builder_add_byte(svg, command);
    signal_add_number(svg, x, 2);
    filo_builder_add_byte(svg, ' ');
    signal_add_number(svg, y, 2);
}

// ---- Axes -------------------------------------------------------------------------------------------------------

static void add_tick_number(FiloBuilder *svg, const SignalPlotAxis *axis, double value) {
    double size = fmax(fabs(axis->low), fabs(axis->high));
    if (size < 1e5 && axis->step > 1e-5) {
        if (value < 0 && fabs(value) > axis->step / 2) {
            add(svg, "−");
            value = -value;
        }
        signal_add_number(svg, fabs(value), axis->digits);
        return;
    }
    int exponent = value != 0 ? (int)floor(log10(fabs(value)) + 1e-9) : 0;
    double mantissa = value / pow(10, exponent);
    signal_add_number(svg, mantissa, 2);
    if (value != 0) filo_builder_printf(svg, "e%d", exponent);
}

static void draw_time_axis(FiloBuilder *svg, const SignalPlotPanel *panel) {
    const SignalPlotAxis *axis = &panel->time;
    double first = ceil(axis->low / axis->step - 1e-9);
    for (double k = first; k * axis->step <= axis->high + axis->step * 1e-6; k++) {
        double x = signal_plot_position(axis, k * axis->step);
        bool last = (k + 1) * axis->step > axis->high + axis->step * 1e-6;
        add_line(svg, "class=\"grid\"", x, panel->top, x, panel->bottom);
        add_line(svg, "class=\"axis\"", x, panel->bottom, x, panel->bottom + 4);
        add(svg, "<text text-anchor=\"middle\"");
        attribute(svg, "x", x);
        attribute(svg, "y", panel->bottom + 16);
        add(svg, ">");
        add_tick_number(svg, axis, k * axis->step);
        add(svg, last ? " s</text>\n" : "</text>\n");
    }
    add_line(svg, "class=\"axis\"", panel->left, panel->bottom, panel->right, panel->bottom);
}

static void draw_value_axis(FiloBuilder *svg, const SignalPlotPanel *panel) {
    const SignalPlotAxis *axis = &panel->value;
    double first = ceil(axis->low / axis->step - 1e-9);
    for (double k = first; k * axis->step <= axis->high + axis->step * 1e-6; k++) {
        double y = signal_plot_position(axis, k * axis->step);
        bool last = (k + 1) * axis->step > axis->high + axis->step * 1e-6;
        add_line(svg, k == 0 ? "class=\"zero\"" : "class=\"grid\"", panel->left, y, panel->right, y);
        add(svg, "<text text-anchor=\"end\"");
        attribute(svg, "x", panel->left - 6);
        attribute(svg, "y", y + 3.5);
        add(svg, ">");
        add_tick_number(svg, axis, k * axis->step);
        if (last && panel->desc->unit != NULL) {
            add(svg, " ");
            add_escaped(svg, panel->desc->unit);
        }
        add(svg, "</text>\n");
    }
    add_line(svg, "class=\"axis\"", panel->left, panel->top, panel->left, axis->start);
}

// ---- Series -----------------------------------------------------------------------------------------------------

// The end of sample i: where the next one begins.
static double end_of_sample(const SignalPlotPanel *panel, size_t i) {
    const FiloTrace *trace = panel->desc->trace;
    double time = i + 1 < trace->count ? trace->times[i + 1] : panel->time.high;
    return signal_plot_position(&panel->time, time);
}

// What is drawn between these two is in the background, if its leaf is.
static void begin_series(FiloBuilder *svg, const SignalPlotPanel *panel, const SignalPlotSeries *series) {
    if (panel->desc->thin[series->leaf]) add(svg, "<g class=\"thin\">\n");
}

static void end_series(FiloBuilder *svg, const SignalPlotPanel *panel, const SignalPlotSeries *series) {
    if (panel->desc->thin[series->leaf]) add(svg, "</g>\n");
}

// A curve is interrupted where it has no number.
static void draw_curve(FiloBuilder *svg, const SignalPlotPanel *panel, const SignalPlotSeries *series,
                       const char *colour) {
    const FiloTrace *trace = panel->desc->trace;
    filo_builder_printf(svg, "<path class=\"curve\" stroke=\"%s\" d=\"", colour);
    bool drawing = false;
    double last_x = -INFINITY, last_y = 0;
    for (size_t i = 0; i < trace->count; i++) {
        double value = signal_plot_value(panel, series, i);
        if (isnan(value)) {
            drawing = false;
            continue;
        }
        double x = signal_plot_position(&panel->time, trace->times[i]);
        double y = signal_plot_position(&panel->value, value);
        // Points that cannot be told apart are drawn once.
        if (drawing && i + 1 < trace->count && fabs(x - last_x) < 0.1 && fabs(y - last_y) < 0.1) continue;
        if (drawing && series->style == SIGNAL_PLOT_STEPS) add_point(svg, 'L', x, last_y);
        add_point(svg, drawing ? 'L' : 'M', x, y);
        if (series->style == SIGNAL_PLOT_STEPS && i + 1 == trace->count)
            add_point(svg, 'L', end_of_sample(panel, i), y);
        drawing = true;
        last_x = x;
        last_y = y;
    }
    add(svg, "\"/>\n");
    if (trace->count > 48 || series->style == SIGNAL_PLOT_STEPS) return;
    for (size_t i = 0; i < trace->count; i++) { // few samples: each is a point
        double value = signal_plot_value(panel, series, i);
        if (isnan(value)) continue;
        add(svg, "<circle r=\"2\"");
        attribute(svg, "cx", signal_plot_position(&panel->time, trace->times[i]));
        attribute(svg, "cy", signal_plot_position(&panel->value, value));
        filo_builder_printf(svg, " fill=\"%s\"/>\n", colour);
    }
}

static void draw_marks(FiloBuilder *svg, const SignalPlotPanel *panel, const SignalPlotSeries *series,
                       const char *colour) {
    const FiloTrace *trace = panel->desc->trace;
    double base = FILO_CLAMP(0, panel->value.low, panel->value.high);
    for (size_t i = 0; i < trace->count; i++) {
        double value = signal_plot_value(panel, series, i);
        if (isnan(value)) continue;
        double x = signal_plot_position(&panel->time, trace->times[i]);
        double y = signal_plot_position(&panel->value, value);
        filo_builder_printf(svg, "<g stroke=\"%s\">", colour);
        add_line(svg, "class=\"stem\"", x, signal_plot_position(&panel->value, base), x, y);
        add(svg, "<circle r=\"3.2\" fill=\"#fff\" stroke-width=\"1.7\"");
        attribute(svg, "cx", x);
        attribute(svg, "cy", y);
        add(svg, "/></g>\n");
    }
}

static void draw_bool(FiloBuilder *svg, const SignalPlotPanel *panel, const SignalPlotSeries *series,
                      const char *colour, double top, double bottom) {
    const FiloTrace *trace = panel->desc->trace;
    double margin = FILO_MAX(4, (bottom - top) * 0.2), high = top + margin, low = bottom - margin;
    filo_builder_printf(svg, "<g fill=\"%s\">\n", colour);
    for (size_t i = 0; i < trace->count;) { // the samples from i to before `end` are equal
        double value = signal_plot_value(panel, series, i);
        size_t end = i + 1;
        while (end < trace->count && signal_plot_value(panel, series, end) == value) end++;
        if (value > 0)
            add_rectangle(svg, "class=\"fill\"", signal_plot_position(&panel->time, trace->times[i]), high,
                          end_of_sample(panel, end - 1), low);
        i = end;
    }
    add(svg, "</g>\n");
    filo_builder_printf(svg, "<path class=\"curve\" stroke=\"%s\" d=\"", colour);
    bool drawing = false;
    double before = 0;
    for (size_t i = 0; i < trace->count; i++) {
        double value = signal_plot_value(panel, series, i), y = value > 0 ? high : low;
        double x = signal_plot_position(&panel->time, trace->times[i]);
        if (!isnan(value) && (!drawing || value != before)) add_point(svg, drawing ? 'L' : 'M', x, y);
        drawing = !isnan(value);
        before = value;
        bool changes = i + 1 == trace->count || signal_plot_value(panel, series, i + 1) != value;
        if (drawing && changes) add_point(svg, 'L', end_of_sample(panel, i), y);
    }
    add(svg, "\"/>\n");
}

static void draw_events(FiloBuilder *svg, const SignalPlotPanel *panel, const SignalPlotSeries *series,
                        const char *colour, double top, double bottom) {
    const FiloTrace *trace = panel->desc->trace;
    double middle = (top + bottom) / 2, size = FILO_MIN(4.5, (bottom - top) / 2 - 2);
    for (size_t i = 0; i < trace->count; i++) {
        if (!(signal_plot_value(panel, series, i) > 0)) continue;
        double x = signal_plot_position(&panel->time, trace->times[i]);
        filo_builder_printf(svg, "<g stroke=\"%s\" stroke-opacity=\"0.35\">", colour);
        add_line(svg, "stroke-dasharray=\"2 2\"", x, panel->top, x, bottom);
        filo_builder_printf(svg, "</g><path fill=\"%s\" d=\"", colour);
        add_point(svg, 'M', x, middle - size);
        add_point(svg, 'L', x + size, middle);
        add_point(svg, 'L', x, middle + size);
        add_point(svg, 'L', x - size, middle);
        add(svg, "Z\"/>\n");
    }
}

// ---- Panels -----------------------------------------------------------------------------------------------------

static double draw_head(FiloBuilder *svg, const SignalPlotPanel *panel) {
    double y = panel->y + 10;
    if (panel->desc->title != NULL) {
        add_label(svg, panel->x + 10, y + 12, "class=\"title\"", panel->desc->title);
        y += 18;
    }
    if (panel->desc->text != NULL) {
        add_label(svg, panel->x + 10, y + 10, "class=\"note\"", panel->desc->text);
        y += 15;
    }
    return y;
}

static void draw_legend(FiloBuilder *svg, const SignalPlotPanel *panel, double y) {
    if (signal_plot_legend_lines(panel) == 0) return;
    double x = 0, room = panel->width - 30;
    for (size_t k = 0; k < panel->series_count; k++) {
        const SignalPlotSeries *series = &panel->series[k];
        if (signal_plot_is_strip(series)) continue;
        double width = signal_plot_legend_width(series);
        if (x > 0 && x + width > room) {
            x = 0;
            y += 15;
        }
        const char *colour = colours[k % FILO_COUNT_OF(colours)];
        double left = panel->x + 10 + x;
        filo_builder_printf(svg, "<g stroke=\"%s\">", colour);
        add_line(svg, "class=\"curve\"", left, y + 7, left + 14, y + 7);
        if (series->style == SIGNAL_PLOT_MARKS) {
            add(svg, "<circle r=\"3.2\" fill=\"#fff\" stroke-width=\"1.7\"");
            attribute(svg, "cx", left + 7);
            attribute(svg, "cy", y + 7);
            add(svg, "/>");
        }
        add(svg, "</g>\n");
        add_label(svg, left + 18, y + 10.5, "", series->name);
        x += width;
    }
}

static void draw_strips(FiloBuilder *svg, const SignalPlotPanel *panel) {
    double top = panel->bottom - panel->strip_height * (double)panel->strip_count;
    for (size_t k = 0; k < panel->series_count; k++) {
        const SignalPlotSeries *series = &panel->series[k];
        if (!signal_plot_is_strip(series)) continue;
        const char *colour = colours[k % FILO_COUNT_OF(colours)];
        double bottom = top + panel->strip_height;
        add_line(svg, "class=\"grid\"", panel->left, top, panel->right, top);
        add_label(svg, panel->left - 6, (top + bottom) / 2 + 3.5, "text-anchor=\"end\"", series->name);
        begin_series(svg, panel, series);
        if (series->style == SIGNAL_PLOT_BOOL)
            draw_bool(svg, panel, series, colour, top, bottom);
        else
            draw_events(svg, panel, series, colour, top, bottom);
        end_series(svg, panel, series);
        top = bottom;
    }
}

static void draw_panel(FiloBuilder *svg, SignalPlotPanel *panel, size_t number) {
    signal_plot_layout(panel);
    draw_legend(svg, panel, draw_head(svg, panel));
    add_rectangle(svg, "class=\"area\"", panel->left, panel->top, panel->right, panel->bottom);
    if (panel->strip_count > 0)
        add_rectangle(svg, "class=\"strip\"", panel->left,
                      panel->bottom - panel->strip_height * (double)panel->strip_count, panel->right,
                      panel->bottom);
    draw_time_axis(svg, panel);
    if (panel->has_curves || panel->strip_count == 0) draw_value_axis(svg, panel);
    // A given range may be smaller than the values.
    filo_builder_printf(svg, "<clipPath id=\"c%zu\">", number);
    add_rectangle(svg, "", panel->left - 4, panel->top - 4, panel->right + 4, panel->value.start + 4);
    filo_builder_printf(svg, "</clipPath>\n<g clip-path=\"url(#c%zu)\">\n", number);
    for (int marks = 0; marks < 2; marks++) { // marks are above the curves
        for (size_t k = 0; k < panel->series_count; k++) {
            const SignalPlotSeries *series = &panel->series[k];
            if (signal_plot_is_strip(series) || (series->style == SIGNAL_PLOT_MARKS) != (marks == 1))
                continue;
            begin_series(svg, panel, series);
            if (marks == 1)
                draw_marks(svg, panel, series, colours[k % FILO_COUNT_OF(colours)]);
            else
                draw_curve(svg, panel, series, colours[k % FILO_COUNT_OF(colours)]);
            end_series(svg, panel, series);
        }
    }
    add(svg, "</g>\n");
    draw_strips(svg, panel);
}

static uint32_t default_columns(size_t count) {
    if (count <= 3) return (uint32_t)count;
    if (count == 4) return 2;
    return count <= 6 ? 3 : 4;
}

FiloResult filo_trace_plot(const FiloPlot *plot, FiloBuilder *svg) {
    if (plot == NULL || svg == NULL || plot->panels == NULL)
        return FILO_MISTAKE("pass a plot with panels, and a builder for the text");
    size_t count = plot->count > 0 ? plot->count : 1;
    for (size_t i = 0; i < count; i++)
        if (plot->panels[i].trace == NULL) return FILO_MISTAKE("set `trace` of panel %zu", i);
    double width = plot->width > 0 ? plot->width : 420, height = plot->height > 0 ? plot->height : 260;
    if (width < 120 || height < 120) return FILO_MISTAKE("a panel is at least 120 × 120 pixels");
    uint32_t columns = plot->columns > 0 ? plot->columns : default_columns(count);
    size_t rows = (count + columns - 1) / columns;
    double head = plot->title != NULL ? 44 : 8, gap = 8;
    double page_width = gap + columns * (width + gap), page_height = head + (double)rows * (height + gap);
    add(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    attribute(svg, "width", page_width);
    attribute(svg, "height", page_height);
    add(svg, ">\n");
    add(svg, style);
    add_rectangle(svg, "fill=\"#fff\"", 0, 0, page_width, page_height);
    if (plot->title != NULL) add_label(svg, gap + 10, 30, "class=\"page\"", plot->title);
    for (size_t i = 0; i < count; i++) {
        SignalPlotPanel panel = { .desc = &plot->panels[i], .width = width, .height = height };
        panel.x = gap + (double)(i % columns) * (width + gap);
        panel.y = head + (double)(i / columns) * (height + gap);
        draw_panel(svg, &panel, i);
    }
    add(svg, "</svg>\n");
    return svg->failed ? filo_error(FILO_ERROR_MEMORY, "no memory for the text of a plot") : filo_ok();
}

FiloResult filo_trace_plot_write(const FiloPlot *plot, const char *path) {
    if (plot == NULL || path == NULL) return FILO_MISTAKE("pass a plot and the path of a file");
    FiloBuilder svg = { 0 };
    FiloResult r = filo_trace_plot(plot, &svg);
    if (r.code == FILO_OK)
        r = filo_file_write(path, filo_builder_text(&svg), svg.length,
                            &(FiloFileWriteDesc){ .skip_sync = true });
    filo_builder_deinit(&svg);
    return r;
}
