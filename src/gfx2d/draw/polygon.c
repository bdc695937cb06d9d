// Polygons as triangles.
//
//   convex     a fan around the first point
//   simple     ears are cut off (Meisters, "Polygons have ears", 1975): three points that follow each other, turn as the
//              polygon does, and have no other point in their triangle. All triangles have their corners in points of the
//              polygon, so that they share whole edges, and each pixel belongs to one of them
//   others     edges that cross each other: by the even-odd rule. The polygon is cut at the heights of all points and
//              crossings; between two of these, edges do not meet, and what lies between the first and the second, the
//              third and the fourth, … is inside
//
// Signs are computed in doubles, in which differences and products of most floats are exact.

#include "gfx2d/draw/draw.h"

void gfx2d_polygon_init(Gfx2dPolygon *polygon, const FiloAllocator *allocator) {
    polygon->points.allocator = polygon->triangles.allocator = polygon->heights.allocator = allocator;
    polygon->ring.allocator = polygon->crossed.allocator = allocator;
}

void gfx2d_polygon_deinit(Gfx2dPolygon *polygon) {
    filo_array_deinit(&polygon->points);
    filo_array_deinit(&polygon->triangles);
    filo_array_deinit(&polygon->heights);
    filo_array_deinit(&polygon->ring);
    filo_array_deinit(&polygon->crossed);
}

static bool add_triangle(Gfx2dPolygon *polygon, FiloVec2 a, FiloVec2 b, FiloVec2 c) {
    return filo_array_push(&polygon->triangles, ((Gfx2dTriangle2){ a, b, c }));
}

// Twice the area of the triangle; positive if it turns from +x towards +y.
static double turn(FiloVec2 a, FiloVec2 b, FiloVec2 c) {
    return ((double)b.x - (double)a.x) * ((double)c.y - (double)a.y) -
           ((double)b.y - (double)a.y) * ((double)c.x - (double)a.x);
}

// ---- Convex -----------------------------------------------------------------------------------------------

// Counts how often a coordinate turns back on the way round.
typedef struct Turns {
    bool forward, known;
    int count;
} Turns;

static void follow(Turns *turns, float from, float to) {
    if (from == to) return;
    turns->count += turns->known && turns->forward != (to > from);
    turns->forward = to > from;
    turns->known = true;
}

// All corners turn the same way, and both coordinates go there and back once: a star goes round several times, and a
// spike there and back. No point is there twice in a row.
static bool is_convex(const FiloVec2 *points, size_t count) {
    bool left = false, right = false;
    Turns x = { 0 }, y = { 0 };
    for (size_t i = 0; i < count; i++) {
        FiloVec2 a = points[i], b = points[(i + 1) % count];
        double way = turn(a, b, points[(i + 2) % count]);
        left = left || way > 0;
        right = right || way < 0;
        follow(&x, a.x, b.x);
        follow(&y, a.y, b.y);
    }
    return !(left && right) && x.count <= 2 && y.count <= 2;
}

static bool cut_fan(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count) {
    for (size_t i = 1; i + 1 < count; i++)
        if (!add_triangle(polygon, points[0], points[i], points[i + 1])) return false;
    return true;
}

// ---- Simple -----------------------------------------------------------------------------------------------

static bool are_equal(FiloVec2 a, FiloVec2 b) { return a.x == b.x && a.y == b.y; }

// Whether the insides of two edges cross; edges that touch do not.
static bool do_cross(FiloVec2 a, FiloVec2 b, FiloVec2 c, FiloVec2 d) {
    double c_side = turn(a, b, c), d_side = turn(a, b, d), a_side = turn(c, d, a), b_side = turn(c, d, b);
    return ((c_side > 0 && d_side < 0) || (c_side < 0 && d_side > 0)) &&
           ((a_side > 0 && b_side < 0) || (a_side < 0 && b_side > 0));
}

static bool crosses_itself(const FiloVec2 *points, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 2; k < count; k++)
            if (do_cross(points[i], points[i + 1], points[k], points[(k + 1) % count])) return true;
    return false;
}

// Whether no point that is left lies in the ear at `at`. `sign` is that of the polygon.
static bool is_ear(const FiloVec2 *points, const Gfx2dPolygonPoint *ring, uint32_t at, double sign) {
    uint32_t before = ring[at].before, after = ring[at].after;
    FiloVec2 a = points[before], b = points[at], c = points[after];
    if (turn(a, b, c) * sign <= 0) return false;
    for (uint32_t i = ring[after].after; i != before; i = ring[i].after) {
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
static bool cut_ears(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count) {
    if (!filo_array_resize(&polygon->ring, count)) return false;
    Gfx2dPolygonPoint *ring = polygon->ring.items;
    for (size_t i = 0; i < count; i++)
        ring[i] = (Gfx2dPolygonPoint){ (uint32_t)((i + count - 1) % count), (uint32_t)((i + 1) % count) };
    double sign = signed_area(points, count);
    uint32_t at = 0;
    for (size_t left = count, passed = 0; left >= 3;) {
        uint32_t before = ring[at].before, after = ring[at].after;
        bool flat = turn(points[before], points[at], points[after]) == 0; // it goes without leaving anything
        if (!flat && !is_ear(points, ring, at, sign)) {
            at = after;
            if (++passed > left) return false;
            continue;
        }
        if (!flat && !add_triangle(polygon, points[before], points[at], points[after])) return false;
        ring[before].after = after;
        ring[after].before = before;
        at = before; // its neighbours may be ears now
        passed = 0;
        left--;
    }
    return true;
}

// ---- Others -----------------------------------------------------------------------------------------------

// By Shell's method, since qsort may allocate.
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

// In the middle of a slab, from left to right.
static void sort_crossed(Gfx2dPolygonCrossed *crossed, size_t count) {
    for (size_t i = 1; i < count; i++) {
        Gfx2dPolygonCrossed edge = crossed[i];
        size_t at = i;
        for (; at > 0 && crossed[at - 1].low + crossed[at - 1].high > edge.low + edge.high; at--)
            crossed[at] = crossed[at - 1];
        crossed[at] = edge;
    }
}

// Where an edge is at a height.
static double place_at(FiloVec2 a, FiloVec2 b, float y) {
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
            if (!do_cross(a, b, c, d)) continue;
            double part = turn(c, d, a) / (turn(c, d, a) - turn(c, d, b));
            float y = (float)((double)a.y + ((double)b.y - (double)a.y) * part);
            if (!filo_array_push(&polygon->heights, y)) return false;
        }
    }
    sort_heights(polygon->heights.items, polygon->heights.count);
    return true;
}

static bool cut_slab(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count, float low, float high) {
    filo_array_clear(&polygon->crossed);
    for (size_t i = 0; i < count; i++) {
        FiloVec2 a = points[i], b = points[(i + 1) % count];
        if (!(filo_min(a.y, b.y) <= low && filo_max(a.y, b.y) >= high)) continue;
        Gfx2dPolygonCrossed crossed = { place_at(a, b, low), place_at(a, b, high) };
        if (!filo_array_push(&polygon->crossed, crossed)) return false;
    }
    Gfx2dPolygonCrossed *crossed = polygon->crossed.items;
    size_t edges = polygon->crossed.count;
    sort_crossed(crossed, edges);
    for (size_t i = 0; i + 1 < edges; i += 2) {
        FiloVec2 a = filo_vec2((float)crossed[i].low, low), b = filo_vec2((float)crossed[i + 1].low, low);
        FiloVec2 c = filo_vec2((float)crossed[i].high, high), d = filo_vec2((float)crossed[i + 1].high, high);
        if (!add_triangle(polygon, a, b, c) || !add_triangle(polygon, b, d, c)) return false;
    }
    return true;
}

static bool cut_slabs(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count) {
    if (!list_heights(polygon, points, count)) return false;
    for (size_t i = 0; i + 1 < polygon->heights.count; i++) {
        float low = polygon->heights.items[i], high = polygon->heights.items[i + 1];
        if (low < high && !cut_slab(polygon, points, count, low, high)) return false;
    }
    return true;
}

// ---- Any ----------------------------------------------------------------------------------------------------

static bool are_finite(const FiloVec2 *points, size_t count) {
    float sum = 0;
    for (size_t i = 0; i < count; i++) sum += 0 * points[i].x + 0 * points[i].y;
    return sum == 0; // infinity and NaN times zero are NaN
}

// Leaves out points that are there twice in a row, the last and the first included. False without memory.
static bool take_points(Gfx2dPolygon *polygon, const FiloVec2 *points, size_t count) {
    filo_array_clear(&polygon->points);
    for (size_t i = 0; i < count; i++)
        if (!are_equal(points[i], points[(i + 1) % count]) && !filo_array_push(&polygon->points, points[i]))
            return false;
    return true;
}

bool gfx2d_polygon_cut(Gfx2dPolygon *polygon, const FiloVec2 *given, size_t given_count) {
    filo_array_clear(&polygon->triangles);
    if (!take_points(polygon, given, given_count)) return false;
    const FiloVec2 *points = polygon->points.items;
    size_t count = polygon->points.count;
    if (count < 3 || count > UINT32_MAX || !are_finite(points, count)) return true;
    if (is_convex(points, count)) return cut_fan(polygon, points, count);
    if (!crosses_itself(points, count) && cut_ears(polygon, points, count)) return true;
    filo_array_clear(&polygon->triangles);
    return cut_slabs(polygon, points, count);
}
