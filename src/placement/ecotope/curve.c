// Curves in fixed point.
//
// A curve is its value at the left, and segments that add up: each adds (clamp(a − x, 0, dx) · slope) >> 14. The slope of a
// segment is rounded up, which makes its end exact if it is at most 2^14 wide, and often if it is wider; otherwise it is
// divided. No segment is wider than 2^15 or higher than 2^16, so products have 31 bits. Between the points of a curve the
// value is at most 1.5/32768 from the straight line.

#include "placement/ecotope/ecotope.h"

#define WIDEST  32768
#define EXACT   16384
#define HIGHEST 65536

// A segment is 15 bits wide and its product has at most 31, but a bad list must not overflow either.
int32_t placement_curve_at(const PlacementCurve *curve, const PlacementSegment *segments, int32_t a) {
    int32_t sum = curve->start;
    for (int32_t i = curve->first; i < curve->first + curve->count; i++) {
        const PlacementSegment *s = &segments[i];
        if (s->dx == 0)
            sum += a >= s->x ? s->slope : 0;
        else
            sum += (int32_t)(((int64_t)FILO_CLAMP(a - s->x, 0, s->dx) * s->slope) >> 14);
    }
    return sum;
}

static int32_t fixed(double x) {
    double scaled = x * PLACEMENT_PROGRAM_ONE;
    return (int32_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

static int32_t clamped(double x) { return fixed(FILO_CLAMP(x, -4.0, 4.0)); }

// The y of a curve at x. Two points with one x are a step: from there on the second counts.
static double evaluate(const PlacementCurvePoint *points, size_t count, double x) {
    if (x < points[0].x) return points[0].y;
    for (size_t i = 1; i < count; i++) {
        if (x >= points[i].x) continue;
        double t = (x - points[i - 1].x) / (points[i].x - points[i - 1].x);
        return points[i - 1].y + (points[i].y - points[i - 1].y) * t;
    }
    return points[count - 1].y;
}

typedef struct Builder {
    PlacementGraph *graph;
    PlacementCurve curve;
    int32_t x, y; // where it has come to
} Builder;

static void push(Builder *builder, PlacementSegment segment) {
    if (!filo_array_push(&builder->graph->segments, segment)) {
        builder->graph->failed = true;
        return;
    }
    builder->curve.count++;
}

// The slope of a segment, rounded up.
static int32_t slope_of(int32_t dx, int32_t dy) {
    int64_t rise = (int64_t)dy * 16384;
    return (int32_t)(rise >= 0 ? (rise + dx - 1) / dx : -(-rise / dx));
}

static bool is_exact(int32_t dx, int32_t dy) { return ((int64_t)dx * slope_of(dx, dy)) >> 14 == dy; }

// dy · part / dx, to the nearest.
static int32_t share_of(int32_t dy, int32_t part, int32_t dx) {
    int64_t twice = (int64_t)dy * part * 2;
    return (int32_t)((twice + (dy >= 0 ? dx : -dx)) / (2 * (int64_t)dx));
}

// Continues the curve to (x, y).
static void line_to(Builder *builder, int32_t x, int32_t y) {
    while (builder->y != y && !builder->graph->failed) { // a level line needs no segment
        int32_t dx = x - builder->x, dy = y - builder->y;
        int32_t parts = FILO_MAX((dx + WIDEST - 1) / WIDEST, (FILO_MAX(dy, -dy) + HIGHEST - 1) / HIGHEST);
        if (dx < parts) { // a step, or steeper than 31 bits allow
            push(builder, (PlacementSegment){ x, 0, dy });
            builder->y = y;
            break;
        }
        int32_t part_dx = dx / parts, part_dy = share_of(dy, part_dx, dx);
        if (part_dx > EXACT && !is_exact(part_dx, part_dy)) {
            part_dx /= 2;
            part_dy = share_of(dy, part_dx, dx);
        }
        push(builder, (PlacementSegment){ builder->x, part_dx, slope_of(part_dx, part_dy) });
        builder->x += part_dx;
        builder->y += part_dy;
    }
    builder->x = x;
}

// A curve that exists already with the same segments; the new one is dropped.
static uint32_t find_equal(PlacementGraph *graph, const PlacementCurve *curve) {
    const PlacementSegment *segments = graph->segments.items;
    for (size_t i = 0; i < graph->curves.count; i++) {
        const PlacementCurve *other = &graph->curves.items[i];
        if (other->start != curve->start || other->count != curve->count) continue;
        if (memcmp(segments + other->first, segments + curve->first,
                   sizeof *segments * (size_t)curve->count) == 0)
            return (uint32_t)i;
    }
    return PLACEMENT_NONE;
}

// The limits of a curve between two values of its operand: those at the ends, and where a segment begins or ends.
static void find_limits(const PlacementGraph *graph, const PlacementCurve *curve, PlacementValue *value,
                        int32_t low, int32_t high) {
    const PlacementSegment *segments = graph->segments.items;
    value->low = value->high = placement_curve_at(curve, segments, low);
    for (int32_t i = curve->first; i <= curve->first + curve->count; i++) {
        int32_t ends[3] = { high, high, high };
        if (i < curve->first + curve->count) {
            ends[0] = FILO_CLAMP(segments[i].x, low, high);
            ends[1] = FILO_CLAMP(segments[i].x + segments[i].dx, low, high);
            ends[2] = FILO_CLAMP(segments[i].x - 1, low, high);
        }
        for (int k = 0; k < 3; k++) {
            int32_t y = placement_curve_at(curve, segments, ends[k]);
            value->low = FILO_MIN(value->low, y);
            value->high = FILO_MAX(value->high, y);
        }
    }
}

uint32_t placement_graph_curve(PlacementGraph *graph, uint32_t a, const PlacementCurvePoint *points,
                               size_t count) {
    if (graph->failed) return 0;
    int32_t low = graph->values.items[a].low, high = graph->values.items[a].high;
    double left = (double)low / PLACEMENT_PROGRAM_ONE, right = (double)high / PLACEMENT_PROGRAM_ONE;
    Builder builder = { .graph = graph, .x = low, .curve = { .first = (int32_t)graph->segments.count } };
    builder.y = builder.curve.start = clamped(evaluate(points, count, left));
    if (low == high) return placement_graph_constant(graph, builder.y);
    for (size_t i = 0; i < count; i++)
        if (points[i].x > left && points[i].x <= right)
            line_to(&builder, fixed(points[i].x), clamped(points[i].y));
    line_to(&builder, high, clamped(evaluate(points, count, right)));
    if (graph->failed) return 0;
    if (builder.curve.count == 0) return placement_graph_constant(graph, builder.y);
    PlacementValue value = { .code = PLACEMENT_OP_CURVE, .a = a, .b = PLACEMENT_NONE };
    find_limits(graph, &builder.curve, &value, low, high);
    uint32_t number = find_equal(graph, &builder.curve);
    if (number != PLACEMENT_NONE) {
        graph->segments.count = (size_t)builder.curve.first;
    } else {
        number = (uint32_t)graph->curves.count;
        if (!filo_array_push(&graph->curves, builder.curve)) {
            graph->failed = true;
            return 0;
        }
    }
    value.imm = (int32_t)number;
    return placement_graph_value(graph, value);
}
