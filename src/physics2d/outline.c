// Outlines, divided into convex pieces.
//
// Ears are cut off until nothing is left (Meisters, 1975), and pieces that share a diagonal are merged as long as they stay
// convex and have no more than eight points (Hertel and Mehlhorn, 1983). All corners are points of the outline, so areas add up.
//
// Differences of floats are exact in double precision unless they are of very different size, and so are products of two of
// them. So signs are right where it matters, and the result does not depend on the machine.

#include "physics2d/physics2d.h"

#include <stdlib.h>

#define STRAIGHT 1e-6 // sine of an angle that counts as straight: floats cannot tell it from none

// A piece, by numbers of points.
typedef struct Part {
    uint32_t count, points[FILO_SHAPE_POINTS];
} Part;

typedef struct Edge {
    uint32_t low, high;   // points
    uint32_t part, other; // triangles
    double length;
} Edge;

typedef struct Outline {
    const FiloVec2 *points;
    FiloArray(uint32_t) ring; // numbers of points that are not cut off yet, counter-clockwise
    FiloArray(Part) parts;
    FiloArray(Edge) edges;
} Outline;

// ---- Signs ------------------------------------------------------------------------------------------------

static double cross(FiloVec2 a, FiloVec2 b, FiloVec2 c) {
    double ux = (double)b.x - (double)a.x, uy = (double)b.y - (double)a.y;
    double vx = (double)c.x - (double)a.x, vy = (double)c.y - (double)a.y;
    return ux * vy - uy * vx;
}

static double length(FiloVec2 a, FiloVec2 b) {
    double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y;
    return __builtin_sqrt(x * x + y * y);
}

// 1: a left turn at b, -1: a right turn, 0: straight on or back.
static int turn(FiloVec2 a, FiloVec2 b, FiloVec2 c) {
    double area = cross(a, b, c), least = STRAIGHT * length(a, b) * length(b, c);
    return area > least ? 1 : area < -least ? -1 : 0;
}

static int sign(double x) { return (x > 0) - (x < 0); }

static bool is_between(float a, float b, float x) { return x >= filo_min(a, b) && x <= filo_max(a, b); }

static bool is_on(FiloVec2 a, FiloVec2 b, FiloVec2 p) {
    return cross(a, b, p) == 0 && is_between(a.x, b.x, p.x) && is_between(a.y, b.y, p.y);
}

static bool edges_meet(FiloVec2 a, FiloVec2 b, FiloVec2 c, FiloVec2 d) {
    if (filo_max(a.x, b.x) < filo_min(c.x, d.x) || filo_max(c.x, d.x) < filo_min(a.x, b.x) ||
        filo_max(a.y, b.y) < filo_min(c.y, d.y) || filo_max(c.y, d.y) < filo_min(a.y, b.y))
        return false;
    int ab_c = sign(cross(a, b, c)), ab_d = sign(cross(a, b, d)), cd_a = sign(cross(c, d, a)),
        cd_b = sign(cross(c, d, b));
    if (ab_c * ab_d < 0 && cd_a * cd_b < 0) return true;
    return is_on(a, b, c) || is_on(a, b, d) || is_on(c, d, a) || is_on(c, d, b);
}

// ---- Cleaning ---------------------------------------------------------------------------------------------

static FiloVec2 at(const Outline *outline, size_t i) {
    return outline->points[outline->ring.items[i % outline->ring.count]];
}

static bool is_needless(const Outline *outline, size_t i) {
    size_t count = outline->ring.count;
    FiloVec2 a = at(outline, i + count - 1), b = at(outline, i), c = at(outline, i + 1);
    if (filo_vec2_distance(a, b) < PHYSICS2D_SMALLEST) return true;
    bool onward = filo_vec2_dot(filo_vec2_sub(b, a), filo_vec2_sub(c, b)) > 0;
    return onward && turn(a, b, c) == 0;
}

static void remove_needless(Outline *outline) {
    size_t kept = 0;
    while (kept < outline->ring.count && outline->ring.count > 2) {
        if (!is_needless(outline, kept)) {
            kept++;
            continue;
        }
        filo_array_remove(&outline->ring, kept);
        if (kept > 0) kept--; // the one before may be needless now
    }
}

static double area_of(const Outline *outline) {
    double sum = 0;
    for (size_t i = 1; i + 1 < outline->ring.count; i++)
        sum += cross(at(outline, 0), at(outline, i), at(outline, i + 1));
    return 0.5 * sum;
}

static FiloResult check_edges(const Outline *outline) {
    size_t count = outline->ring.count;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            FiloVec2 a = at(outline, i), b = at(outline, i + 1), c = at(outline, k), d = at(outline, k + 1);
            bool next = k == i + 1, last = i == 0 && k == count - 1, meet;
            if (next || last) { // they share a point; more only if one goes back along the other
                FiloVec2 shared = next ? b : a, first = next ? a : b, second = next ? d : c;
                meet = is_on(shared, first, second) || is_on(shared, second, first);
            } else {
                meet = edges_meet(a, b, c, d);
            }
            if (meet)
                return filo_error(FILO_ERROR_DATA,
                                  "outline: the edges from points %u and %u cross or touch each other",
                                  outline->ring.items[i], outline->ring.items[k]);
        }
    return filo_ok();
}

static FiloResult clean(Outline *outline, size_t count) {
    for (size_t i = 0; i < count; i++) {
        FiloVec2 p = outline->points[i];
        if (!(filo_abs(p.x) <= PHYSICS2D_FAR) || !(filo_abs(p.y) <= PHYSICS2D_FAR))
            return filo_error(FILO_ERROR_DATA, "outline: point %zu is no number below 1e7", i);
        outline->ring.items[i] = (uint32_t)i;
    }
    remove_needless(outline);
    if (outline->ring.count < 3) return filo_error(FILO_ERROR_DATA, "outline: it has no area");
    FiloResult crossing = check_edges(outline);
    if (crossing.code != FILO_OK) return crossing;
    double area = area_of(outline);
    if (!(area > (double)PHYSICS2D_SMALLEST) && !(-area > (double)PHYSICS2D_SMALLEST))
        return filo_error(FILO_ERROR_DATA, "outline: it has no area");
    for (size_t i = 0; area < 0 && i < outline->ring.count / 2; i++) {
        uint32_t *first = &outline->ring.items[i], *last = &outline->ring.items[outline->ring.count - 1 - i],
                 swap = *first;
        *first = *last;
        *last = swap;
    }
    return filo_ok();
}

// ---- Ears -------------------------------------------------------------------------------------------------

static bool is_inside(FiloVec2 a, FiloVec2 b, FiloVec2 c, FiloVec2 p) {
    return cross(a, b, p) >= 0 && cross(b, c, p) >= 0 && cross(c, a, p) >= 0;
}

static bool is_ear(const Outline *outline, size_t i) {
    size_t count = outline->ring.count;
    uint32_t ia = outline->ring.items[(i + count - 1) % count], ib = outline->ring.items[i],
             ic = outline->ring.items[(i + 1) % count];
    FiloVec2 a = outline->points[ia], b = outline->points[ib], c = outline->points[ic];
    if (turn(a, b, c) <= 0) return false;
    for (size_t k = 0; k < count; k++) {
        uint32_t other = outline->ring.items[k];
        if (other != ia && other != ib && other != ic && is_inside(a, b, c, outline->points[other]))
            return false;
    }
    return true;
}

// Cuts off one ear, the first from `start` on; where to go on. Where rounding leaves none, the largest left turn counts as one.
static bool cut_ear(Outline *outline, size_t *start) {
    size_t count = outline->ring.count, ear = SIZE_MAX;
    double best = 0;
    for (size_t n = 0; n < count && ear == SIZE_MAX; n++)
        if (is_ear(outline, (*start + n) % count)) ear = (*start + n) % count;
    for (size_t i = 0; i < count && ear == SIZE_MAX; i++) {
        double area = cross(at(outline, i + count - 1), at(outline, i), at(outline, i + 1));
        if (area <= best) continue;
        best = area;
        *start = i;
    }
    if (ear == SIZE_MAX) ear = *start % count;
    Part part = { 3,
                  { outline->ring.items[(ear + count - 1) % count], outline->ring.items[ear],
                    outline->ring.items[(ear + 1) % count] } };
    bool has_area = turn(outline->points[part.points[0]], outline->points[part.points[1]],
                         outline->points[part.points[2]]) > 0;
    if (has_area && !filo_array_push(&outline->parts, part)) return false;
    filo_array_remove(&outline->ring, ear);
    *start = ear + 1; // not the same corner again, which would make a fan of thin triangles
    return true;
}

static bool cut_ears(Outline *outline) {
    size_t start = 0;
    while (outline->ring.count > 2) {
        size_t count = outline->ring.count, straight = SIZE_MAX;
        // Cutting may leave three points in a line: the middle one is no corner any more.
        for (size_t i = 0; i < count && straight == SIZE_MAX; i++)
            if (turn(at(outline, i + count - 1), at(outline, i), at(outline, i + 1)) == 0) straight = i;
        if (straight != SIZE_MAX)
            filo_array_remove(&outline->ring, straight);
        else if (!cut_ear(outline, &start))
            return false;
    }
    return true;
}

// ---- Merging ----------------------------------------------------------------------------------------------

static bool is_convex(const Outline *outline, const Part *part) {
    for (uint32_t i = 0; i < part->count; i++) {
        FiloVec2 a = outline->points[part->points[i]],
                 b = outline->points[part->points[(i + 1) % part->count]],
                 c = outline->points[part->points[(i + 2) % part->count]];
        if (turn(a, b, c) <= 0) return false;
    }
    return true;
}

// Joins `b` to `a` along an edge that they share; false if there is none, or the result is not convex.
static bool merge(const Outline *outline, Part *a, const Part *b) {
    if (a->count + b->count - 2 > FILO_SHAPE_POINTS) return false;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            if (a->points[i] != b->points[(k + 1) % b->count] ||
                a->points[(i + 1) % a->count] != b->points[k])
                continue;
            Part joined = { 0 };
            for (uint32_t n = 0; n < a->count; n++)
                joined.points[joined.count++] = a->points[(i + 1 + n) % a->count];
            for (uint32_t n = 2; n < b->count; n++)
                joined.points[joined.count++] = b->points[(k + n) % b->count];
            if (!is_convex(outline, &joined)) return false;
            *a = joined;
            return true;
        }
    return false;
}

static int compare_edges(const void *left, const void *right) {
    const Edge *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return (a->part > b->part) - (a->part < b->part);
}

static int compare_lengths(const void *left, const void *right) {
    const Edge *a = left, *b = right;
    if (a->length < b->length || a->length > b->length) return a->length < b->length ? -1 : 1;
    return compare_edges(a, b);
}

// Edges that two triangles share, the shortest first: without these, pieces get less thin.
static bool list_diagonals(Outline *outline) {
    for (uint32_t i = 0; i < outline->parts.count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t p = outline->parts.items[i].points[k], q = outline->parts.items[i].points[(k + 1) % 3];
            Edge edge = { FILO_MIN(p, q), FILO_MAX(p, q), i, 0,
                          length(outline->points[p], outline->points[q]) };
            if (!filo_array_push(&outline->edges, edge)) return false;
        }
    Edge *edges = outline->edges.items;
    size_t count = outline->edges.count, diagonals = 0;
    if (count > 0) qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0; i + 1 < count; i++) {
        if (edges[i].low != edges[i + 1].low || edges[i].high != edges[i + 1].high) continue;
        Edge diagonal = edges[i];
        diagonal.other = edges[++i].part;
        edges[diagonals++] = diagonal;
    }
    outline->edges.count = diagonals;
    if (diagonals > 0) qsort(edges, diagonals, sizeof *edges, compare_lengths);
    return true;
}

// The piece that a triangle is part of now. A piece that was joined to another has no points, and its number.
static uint32_t piece_of(const Outline *outline, uint32_t part) {
    while (outline->parts.items[part].count == 0) part = outline->parts.items[part].points[0];
    return part;
}

static bool merge_parts(Outline *outline) {
    if (!list_diagonals(outline)) return false;
    filo_array_each (&outline->edges, edge) {
        uint32_t a = piece_of(outline, edge->part), b = piece_of(outline, edge->other);
        Part *parts = outline->parts.items;
        if (a != b && merge(outline, &parts[FILO_MIN(a, b)], &parts[FILO_MAX(a, b)]))
            parts[FILO_MAX(a, b)] = (Part){ 0, { FILO_MIN(a, b) } };
    }
    size_t count = 0;
    filo_array_each (&outline->parts, part)
        if (part->count > 0) outline->parts.items[count++] = *part;
    outline->parts.count = count;
    return true;
}

// ---- All --------------------------------------------------------------------------------------------------

static FiloResult decompose(Outline *outline, size_t count, FiloPiece2 *pieces, size_t capacity,
                            size_t *piece_count) {
    static const char no_memory[] = "outline: no memory for %zu points";
    if (!filo_array_resize(&outline->ring, count) || !filo_array_reserve(&outline->parts, count))
        return filo_error(FILO_ERROR_MEMORY, no_memory, count);
    FiloResult result = clean(outline, count);
    if (result.code != FILO_OK) return result;
    if (!cut_ears(outline) || !merge_parts(outline)) return filo_error(FILO_ERROR_MEMORY, no_memory, count);
    *piece_count = outline->parts.count;
    for (size_t i = 0; i < FILO_MIN(capacity, outline->parts.count); i++) {
        const Part *part = &outline->parts.items[i];
        pieces[i] = (FiloPiece2){ .point_count = part->count };
        for (uint32_t k = 0; k < part->count; k++) pieces[i].points[k] = outline->points[part->points[k]];
    }
    return filo_ok();
}

FiloResult filo_physics2_decompose(const FiloVec2 *points, size_t count, FiloPiece2 *pieces, size_t capacity,
                                   size_t *piece_count) {
    if (piece_count == NULL || (pieces == NULL && capacity > 0) || (points == NULL && count > 0))
        return FILO_MISTAKE("pass an outline, an array for its pieces, and where to put their number");
    *piece_count = 0;
    if (count < 3) return filo_error(FILO_ERROR_DATA, "outline: it has %zu points, and needs 3", count);
    if (count > UINT32_MAX / 2) return filo_error(FILO_ERROR_LIMIT, "outline: it has too many points");
    Outline outline = { .points = points };
    filo_array_init(&outline.ring, filo_heap());
    filo_array_init(&outline.parts, filo_heap());
    filo_array_init(&outline.edges, filo_heap());
    FiloResult result = decompose(&outline, count, pieces, capacity, piece_count);
    filo_array_deinit(&outline.ring);
    filo_array_deinit(&outline.parts);
    filo_array_deinit(&outline.edges);
    return result;
}
