// Which squares a view draws, after Strugar, "Continuous Distance-Dependent Level of Detail for Rendering Heightmaps" (2009).
//
// A square of level n is replaced by its four squares of level n − 1 if its nearest point is within end[n − 1]. So of two
// squares that share an edge, of levels n − 1 and n, all of the edge is at end[n − 1] or beyond, because it belongs to the
// coarser square: there the finer square has the vertices of level n. And all of it is within end[n − 1] + the diagonal of
// a square of level n, because the finer square belongs to one that was replaced. Level n begins to blend at that distance
// or later, so there the coarser square has the vertices of level n, too. For the same reason, levels of neighbours
// differ by one at most. Vertices with the same column and row have the same bits. There are no cracks.

#include "gfx3d/ground/ground.h"

#include <float.h>
#include <math.h>

// Keeps the rounding of the vertex shader's distances away from both ends.
#define SLACK 1.01f
// The part of a range, at least, in which a level blends into the next.
#define BLEND 0.2f

static float highest(const Gfx3dGroundTree *tree) {
    return tree->position.y + (float)tree->levels[tree->level_count - 1].bounds[0].high * tree->unit;
}

Gfx3dGroundRanges gfx3d_ground_ranges(const Gfx3dGroundTree *tree, const Gfx3dView *camera, float detail) {
    Gfx3dGroundRanges ranges = { .eye = camera->eye, .level_count = tree->level_count };
    ranges.eye.y = filo_max(camera->eye.y - highest(tree), 0);
    float last = 0;
    for (uint32_t i = 0; i < tree->level_count; i++) {
        float side = tree->spacing * (float)(1u << i);
        float wanted = side * camera->pixels_per_unit / detail;
        if (camera->orthographic) { // everything of one level, the coarsest that is fine enough
            bool coarser = 2 * side * camera->pixels_per_unit <= detail;
            ranges.end[i] = coarser && i + 1 < tree->level_count ? -1 : FLT_MAX;
            ranges.begin[i] = FLT_MAX;
            continue;
        }
        float diagonal = 1.41422f * GFX3D_GROUND_QUADS * side;
        float safe = i == 0 ? 0 : (last + diagonal) * SLACK;
        ranges.end[i] = filo_max(wanted, filo_max(safe, diagonal) * (1 + BLEND));
        ranges.begin[i] = filo_max(safe, ranges.end[i] * (1 - 2 * BLEND));
        last = ranges.end[i];
    }
    ranges.begin[tree->level_count - 1] = ranges.end[tree->level_count - 1] =
        FLT_MAX; // there is no coarser one
    return ranges;
}

// ---- Choosing ---------------------------------------------------------------------------------------------------

typedef struct Search {
    const Gfx3dGroundTree *tree;
    const Gfx3dGroundRanges *ranges;
    const Gfx3dView *view;
    GroundSquares *squares;
    bool failed;
} Search;

typedef enum Seen { OUTSIDE, PARTLY, INSIDE } Seen;

static Seen look_at(const Gfx3dView *view, const FiloAabb3 *box) {
    Seen seen = INSIDE;
    for (int i = 0; i < 6; i++) {
        FiloVec4 plane = view->planes[i];
        float nearest = (plane.x < 0 ? box->max.x : box->min.x) * plane.x +
                        (plane.y < 0 ? box->max.y : box->min.y) * plane.y +
                        (plane.z < 0 ? box->max.z : box->min.z) * plane.z + plane.w;
        float farthest = (plane.x < 0 ? box->min.x : box->max.x) * plane.x +
                         (plane.y < 0 ? box->min.y : box->max.y) * plane.y +
                         (plane.z < 0 ? box->min.z : box->max.z) * plane.z + plane.w;
        if (farthest < 0) return OUTSIDE;
        if (nearest < 0) seen = PARTLY;
    }
    return seen;
}

static bool is_within(const FiloAabb3 *box, FiloVec3 eye, float range) {
    float x = filo_max(filo_max(box->min.x - eye.x, eye.x - box->max.x), 0);
    float z = filo_max(filo_max(box->min.z - eye.z, eye.z - box->max.z), 0);
    return range > 0 && (x * x + z * z) + eye.y * eye.y <= range * range;
}

static void add_square(Search *search, uint32_t level, uint32_t column, uint32_t row) {
    float begin = search->ranges->begin[level], end = search->ranges->end[level];
    Gfx3dGroundSquare square = { .column = (uint16_t)column, .row = (uint16_t)row, .level = (uint16_t)level };
    if (begin < end) { // complete a little before the end
        square.begin = begin;
        square.inverse = 1 / (end / SLACK - begin);
    }
    if (!filo_array_push(search->squares, square)) search->failed = true;
}

static void visit(Search *search, uint32_t level, uint32_t column, uint32_t row, Seen seen) {
    const Gfx3dGroundLevel *squares = &search->tree->levels[level];
    if (column >= squares->columns || row >= squares->rows) return;
    FiloAabb3 box = gfx3d_ground_box(search->tree, level, column, row);
    if (seen == PARTLY) seen = look_at(search->view, &box);
    if (seen == OUTSIDE) return;
    if (level == 0 || !is_within(&box, search->ranges->eye, search->ranges->end[level - 1]))
        add_square(search, level, column, row);
    else
        for (uint32_t i = 0; i < 4; i++) visit(search, level - 1, 2 * column + i % 2, 2 * row + i / 2, seen);
}

bool gfx3d_ground_select(const Gfx3dGroundTree *tree, const Gfx3dGroundRanges *ranges, const Gfx3dView *view,
                         GroundSquares *squares) {
    Search search = { tree, ranges, view, squares, false };
    visit(&search, tree->level_count - 1, 0, 0, PARTLY);
    return !search.failed;
}

// ---- The vertex shader's arithmetic -----------------------------------------------------------------------------

FiloVec3 gfx3d_ground_vertex(const Gfx3dGroundTree *tree, FiloVec3 eye, const Gfx3dGroundSquare *square,
                             uint32_t x, uint32_t z) {
    uint32_t column = square->column * GFX3D_GROUND_QUADS + x, row = square->row * GFX3D_GROUND_QUADS + z;
    FiloVec3 fine = gfx3d_ground_point(tree, column << square->level, row << square->level);
    FiloVec3 coarse = gfx3d_ground_point(tree, (column & ~1u) << square->level, (row & ~1u) << square->level);
    float across = fine.x - eye.x, along = fine.z - eye.z;
    float distance = filo_sqrt((across * across + along * along) + eye.y * eye.y);
    float blend = filo_clamp01((distance - square->begin) * square->inverse);
    return filo_vec3(fine.x * (1 - blend) + coarse.x * blend, fine.y * (1 - blend) + coarse.y * blend,
                     fine.z * (1 - blend) + coarse.z * blend);
}
