// Triangulates polygons.
//
//   convex    A fan around the first point.
//   simple    Ear clipping (Meisters, "Polygons have ears", 1975). An ear is three consecutive points that turn as the
//             polygon does, with no other point in their triangle. The corners of all triangles are points of the polygon,
//             so triangles share whole edges, and each pixel belongs to one of them.
//   others    Edges cross each other: even-odd rule. The polygon is cut into horizontal slabs at the heights of all points
//             and crossings. Inside a slab edges do not cross; the area between the first and the second edge, the third
//             and the fourth, … is inside.
//
// Signs are computed in doubles, in which differences and products of most floats are exact.

#include "gfx2d/draw/draw.h"

void gfx2d_polygon_init(Gfx2dPolygon *polygon, const FiloAllocator *allocator) {
    polygon->points.allocator = polygon->triangles.allocator = polygon->heights.allocator = allocator;
    polygon->links.allocator = polygon->crossings.allocator = allocator;
}

void gfx2d_polygon_deinit(Gfx2dPolygon *polygon) {
    filo_array_deinit(&polygon->points);
    filo_array_deinit(&polygon->triangles);
    filo_array_deinit(&polygon->heights);
    filo_array_deinit(&polygon->links);
    filo_array_deinit(&polygon->crossings);
}

static bool add_triangle(Gfx2dPolygon *polygon, FiloVec2 a, FiloVec2 b, FiloVec2 c) {
    return filo_array_push(&polygon->triangles, ((Gfx2dTriangle){ a, b, c }));
}

// Twice the signed area of the triangle; positive if it turns from +x towards +y.
static double turn(FiloVec2 a, FiloVec2 b, FiloVec2 c) {
    return ((double)b.x - (double)a.x) * ((double)c.y - (double)a.y) -
           ((double)b.y - (double)a.y) * ((double)c.x - (double)a.x);
}

// ---- Convex -----------------------------------------------------------------------------------------------

// Counts how often a coordinate changes its direction along the outline.
typedef struct Reversals {
    bool forward, started;
    int count;
} Reversals;

static void count_reversal(Reversals *turns, float from, float to) {
    if (from == to) return;
    turns->count += turns->started && turns->forward != (to > from);
    turns->forward = to > from;
    turns->started = true;
}

// Whether all corners turn in one direction, and each coordinate reverses at most twice: corners of a star may turn in
// one direction too, but it goes round several times. Consecutive points differ.
static bool is_convex(const FiloVec2 *points, size_t count) {
    bool left = false, right = false;
    Reversals x = { 0 }, y = { 0 };
    for (size_t i = 0; i < count; i++) {
        FiloVec2 a = points[i], b = points[(i + 1) % count];
        double side = turn(a, b, points[(i + 2) % count]);
        left = left || side > 0;
        right = right || side < 0;
        count_reversal(&x, a.x, b.x);
        count_reversal(&y, a.y, b.y);
    }
    return !(left && right) && x.count <= 2 && y.count <= 2;
}

static bool triangulate_convex(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count) {
    for (size_t i = 1; i + 1 < count; i++)
        if (!add_triangle(polygon, points[0], points[i], points[i + 1])) return false;
    return true;
}

// ---- Simple -----------------------------------------------------------------------------------------------

static bool are_equal(FiloVec2 a, FiloVec2 b) { return a.x == b.x && a.y == b.y; }

// Whether two edges cross. Edges that merely touch do not.
static bool edges_cross(FiloVec2 a, FiloVec2 b, FiloVec2 c, FiloVec2 d) {
    double c_side = turn(a, b, c), d_side = turn(a, b, d), a_side = turn(c, d, a), b_side = turn(c, d, b);
    return ((c_side > 0 && d_side < 0) || (c_side < 0 && d_side > 0)) &&
           ((a_side > 0 && b_side < 0) || (a_side < 0 && b_side > 0));
}

static bool crosses_itself(const FiloVec2 *points, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 2; k < count; k++)
            if (edges_cross(points[i], points[i + 1], points[k], points[(k + 1) % count])) return true;
    return false;
}

// Whether the point `at` and its neighbours are an ear. `sign` is that of the polygon's area.
static bool is_ear(const FiloVec2 *points, const Gfx2dPolygonLink *links, uint32_t at, double sign) {
    uint32_t previous = links[at].previous, next = links[at].next;
    FiloVec2 a = points[previous], b = points[at], c = points[next];
    if (turn(a, b, c) * sign <= 0) return false;
    for (uint32_t i = links[next].next; i != previous; i = links[i].next) {
        FiloVec2 p = points[i];
        if (are_equal(p, a) || are_equal(p, b) || are_equal(p, c)) continue;
        if (turn(a, b, p) * sign >= 0 && turn(b, c, p) * sign >= 0 && turn(c, a, p) * sign >= 0) return false;
    }
    return true;
}

static double signed_area(const FiloVec2 *points, size_t count) {
    double area = 0;
    for (size_t i = 1; i + 1 < count; i++) area += turn(points[0], points[i], points[i + 1]);
    return area;
}

// False if there is no ear, or no memory.
static bool clip_ears(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count) {
    if (!filo_array_resize(&polygon->links, count)) return false;
    Gfx2dPolygonLink *links = polygon->links.items;
    for (size_t i = 0; i < count; i++)
        links[i] = (Gfx2dPolygonLink){ (uint32_t)((i + count - 1) % count), (uint32_t)((i + 1) % count) };
    double sign = signed_area(points, count);
    uint32_t at = 0;
    for (size_t left = count, passed = 0; left >= 3;) {
        uint32_t previous = links[at].previous, next = links[at].next;
        bool flat = turn(points[previous], points[at], points[next]) == 0; // removed without a triangle
        if (!flat && !is_ear(points, links, at, sign)) {
            at = next;
            if (++passed > left) return false;
            continue;
        }
        if (!flat && !add_triangle(polygon, points[previous], points[at], points[next])) return false;
        links[previous].next = next;
        links[next].previous = previous;
        at = previous; // its neighbours may be ears now
        passed = 0;
        left--;
    }
    return true;
}

// ---- Others -----------------------------------------------------------------------------------------------

// Shell sort, since qsort may allocate.
static void sort_heights(float *heights, size_t count) {
    size_t gap = 1;
    while (gap < count / 3) gap = gap * 3 + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < count; i++) {
            float height = heights[i];
            size_t at = i;
            for (; at >= gap && heights[at - gap] > height; at -= gap) heights[at] = heights[at - gap];
            heights[at] = height;
        }
}

// Insertion sort from left to right, by x in the middle of the slab.
static void sort_crossings(Gfx2dPolygonCrossing *crossings, size_t count) {
    for (size_t i = 1; i < count; i++) {
        Gfx2dPolygonCrossing edge = crossings[i];
        size_t at = i;
        for (; at > 0 && crossings[at - 1].low + crossings[at - 1].high > edge.low + edge.high; at--)
            crossings[at] = crossings[at - 1];
        crossings[at] = edge;
    }
}

// The x of an edge at height y.
static double x_at(FiloVec2 a, FiloVec2 b, float y) {
    if (y == a.y) return a.x;
    if (y == b.y) return b.x;
    return (double)a.x +
           ((double)b.x - (double)a.x) * (((double)y - (double)a.y) / ((double)b.y - (double)a.y));
}

static bool list_heights(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count) {
    filo_array_clear(&polygon->heights);
    for (size_t i = 0; i < count; i++) {
        FiloVec2 a = points[i], b = points[(i + 1) % count];
        if (!filo_array_push(&polygon->heights, a.y)) return false;
        for (size_t k = i + 2; k < count; k++) {
            FiloVec2 c = points[k], d = points[(k + 1) % count];
            if (!edges_cross(a, b, c, d)) continue;
            double part = turn(c, d, a) / (turn(c, d, a) - turn(c, d, b));
            float y = (float)((double)a.y + ((double)b.y - (double)a.y) * part);
            if (!filo_array_push(&polygon->heights, y)) return false;
        }
    }
    sort_heights(polygon->heights.items, polygon->heights.count);
    return true;
}

static bool triangulate_slab(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count, float low,
                             float high) {
    filo_array_clear(&polygon->crossings);
    for (size_t i = 0; i < count; i++) {
        FiloVec2 a = points[i], b = points[(i + 1) % count];
        if (!(filo_min(a.y, b.y) <= low && filo_max(a.y, b.y) >= high)) continue;
        Gfx2dPolygonCrossing crossings = { x_at(a, b, low), x_at(a, b, high) };
        if (!filo_array_push(&polygon->crossings, crossings)) return false;
    }
    Gfx2dPolygonCrossing *crossings = polygon->crossings.items;
    size_t edges = polygon->crossings.count;
    sort_crossings(crossings, edges);
    for (size_t i = 0; i + 1 < edges; i += 2) {
        FiloVec2 a = filo_vec2((float)crossings[i].low, low), b = filo_vec2((float)crossings[i + 1].low, low);
        FiloVec2 c = filo_vec2((float)crossings[i].high, high),
                 d = filo_vec2((float)crossings[i + 1].high, high);
        if (!add_triangle(polygon, a, b, c) || !add_triangle(polygon, b, d, c)) return false;
    }
    return true;
}

static bool triangulate_slabs(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count) {
    if (!list_heights(polygon, points, count)) return false;
    for (size_t i = 0; i + 1 < polygon->heights.count; i++) {
        float low = polygon->heights.items[i], high = polygon->heights.items[i + 1];
        if (low < high && !triangulate_slab(polygon, points, count, low, high)) return false;
    }
    return true;
}

// ---- Any polygon --------------------------------------------------------------------------------------------

static bool are_finite(const FiloVec2 *points, size_t count) {
    float sum = 0;
    for (size_t i = 0; i < count; i++) sum += 0 * points[i].x + 0 * points[i].y;
    return sum == 0; // infinity and NaN times zero are NaN
}

// Copies the points, without those that equal the next one; the first follows the last. False without memory.
static bool copy_points(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count) {
    filo_array_clear(&polygon->points);
    for (size_t i = 0; i < count; i++)
        if (!are_equal(points[i], points[(i + 1) % count]) && !filo_array_push(&polygon->points, points[i]))
            return false;
    return true;
}

bool gfx2d_polygon_triangulate(Gfx2dPolygon *polygon, const FiloVec2 *input, size_t input_count) {
    filo_array_clear(&polygon->triangles);
    if (!copy_points(polygon, input, input_count)) return false;
    const FiloVec2 *points = polygon->points.items;
    size_t count = polygon->points.count;
    if (count < 3 || count > UINT32_MAX || !are_finite(points, count)) return true;
    if (is_convex(points, count)) return triangulate_convex(polygon, points, count);
    if (!crosses_itself(points, count) && clip_ears(polygon, points, count)) return true;
    filo_array_clear(&polygon->triangles);
    return triangulate_slabs(polygon, points, count);
}
