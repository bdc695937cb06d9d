// Private header of the plots: what is drawn in a panel, and where.

#ifndef FILO_SIGNAL_PLOT_PRIVATE_H
#define FILO_SIGNAL_PLOT_PRIVATE_H

#include "signal/embed/embed.h"

#define SIGNAL_PLOT_SERIES 48

typedef enum SignalPlotStyle {
    SIGNAL_PLOT_CURVE, // a number with a fraction
    SIGNAL_PLOT_STEPS, // a whole number
    SIGNAL_PLOT_MARKS, // the number of an event
    SIGNAL_PLOT_BOOL,  // the last two have a strip of their own below the curves
    SIGNAL_PLOT_EVENT,
} SignalPlotStyle;

// One number of the trace over time.
typedef struct SignalPlotSeries {
    SignalPlotStyle style;
    size_t leaf, offset; // where it is in the value of the leaf
    const FiloType *type;
    char name[64];
    uint32_t present_by; // as in FiloSfLeaf
} SignalPlotSeries;

typedef struct SignalPlotAxis {
    double low, high;   // of the data
    double step;        // between ticks
    int digits;         // of their labels, after the point
    double start, size; // in pixels; a negative size goes up
} SignalPlotAxis;

typedef struct SignalPlotPanel {
    const FiloPlotPanel *desc;
    SignalPlotSeries series[SIGNAL_PLOT_SERIES];
    size_t series_count, strip_count;
    SignalPlotAxis time, value;
    double x, y, width, height;      // of the panel
    double left, top, right, bottom; // of the area with curves and strips
    double strip_height;             // strips are at the bottom of that area
    bool has_curves;
} SignalPlotPanel;

// Finds the series and the axes of a panel, whose x, y, width and height are set.
void signal_plot_layout(SignalPlotPanel *panel);
// Where the number of a series is not there, or not finite, it is NaN.
double signal_plot_value(const SignalPlotPanel *panel, const SignalPlotSeries *series, size_t sample);
double signal_plot_position(const SignalPlotAxis *axis, double value);
bool signal_plot_is_strip(const SignalPlotSeries *series);
// Whether the legend names the curves; how many lines it has.
size_t signal_plot_legend_lines(const SignalPlotPanel *panel);
double signal_plot_legend_width(const SignalPlotSeries *series);

#endif
