// The quadtree of a ground: the lowest and highest value of each square, level by level.

#include "gfx3d/ground/ground.h"

static uint32_t divide_up(uint32_t number, uint32_t by) { return (number + by - 1) / by; }

// ---- Bounds -----------------------------------------------------------------------------------------------------

// Of level 0. A square has the values on all of its edges, so neighbours share some.
static Gfx3dGroundBounds bounds_of_values(const Gfx3dGroundTree *tree, uint32_t column, uint32_t row) {
    uint32_t x0 = column * GFX3D_GROUND_QUADS, x1 = FILO_MIN(x0 + GFX3D_GROUND_QUADS, tree->columns - 1);
    uint32_t y0 = row * GFX3D_GROUND_QUADS, y1 = FILO_MIN(y0 + GFX3D_GROUND_QUADS, tree->rows - 1);
    Gfx3dGroundBounds bounds = { UINT16_MAX, 0 };
    for (uint32_t y = y0; y <= y1; y++) {
        const uint16_t *values = tree->heights + (size_t)y * tree->columns;
        for (uint32_t x = x0; x <= x1; x++) {
            bounds.low = FILO_MIN(bounds.low, values[x]);
            bounds.high = FILO_MAX(bounds.high, values[x]);
        }
    }
    return bounds;
}

static Gfx3dGroundBounds bounds_of_squares(const Gfx3dGroundLevel *finer, uint32_t column, uint32_t row) {
    Gfx3dGroundBounds bounds = { UINT16_MAX, 0 };
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t x = 2 * column + i % 2, y = 2 * row + i / 2;
        if (x >= finer->columns || y >= finer->rows) continue;
        Gfx3dGroundBounds square = finer->bounds[(size_t)y * finer->columns + x];
        bounds.low = FILO_MIN(bounds.low, square.low);
        bounds.high = FILO_MAX(bounds.high, square.high);
    }
    return bounds;
}

// Squares of one level whose bounds are computed, by rows.
typedef struct Update {
    Gfx3dGroundTree *tree;
    uint32_t level, first_column, end_column, first_row;
} Update;

static void update_rows(size_t begin, size_t end, void *user) {
    const Update *update = user;
    Gfx3dGroundLevel *level = &update->tree->levels[update->level];
    for (size_t i = begin; i < end; i++) {
        uint32_t row = update->first_row + (uint32_t)i;
        for (uint32_t column = update->first_column; column < update->end_column; column++)
            level->bounds[(size_t)row * level->columns + column] =
                update->level == 0 ? bounds_of_values(update->tree, column, row)
                                   : bounds_of_squares(&update->tree->levels[update->level - 1], column, row);
    }
}

void gfx3d_ground_tree_update(Gfx3dGroundTree *tree, FiloJobs *jobs, uint32_t column, uint32_t row,
                              uint32_t columns, uint32_t rows) {
    // A value on an edge belongs to the squares on both sides.
    uint32_t x0 = column > 0 ? (column - 1) / GFX3D_GROUND_QUADS : 0,
             x1 = (column + columns - 1) / GFX3D_GROUND_QUADS;
    uint32_t y0 = row > 0 ? (row - 1) / GFX3D_GROUND_QUADS : 0, y1 = (row + rows - 1) / GFX3D_GROUND_QUADS;
    for (uint32_t i = 0; i < tree->level_count; i++, x0 /= 2, x1 /= 2, y0 /= 2, y1 /= 2) {
        const Gfx3dGroundLevel *level = &tree->levels[i];
        Update update = { tree, i, x0, FILO_MIN(x1 + 1, level->columns), y0 };
        uint32_t count = FILO_MIN(y1 + 1, level->rows) - y0;
        if (count < 8 || jobs == NULL)
            update_rows(0, count, &update);
        else
            filo_jobs_for(jobs, count, update_rows, &update);
    }
}

// ---- Memory -----------------------------------------------------------------------------------------------------

bool gfx3d_ground_tree_init(Gfx3dGroundTree *tree, FiloJobs *jobs, const FiloAllocator *allocator) {
    uint32_t columns = divide_up(tree->columns - 1, GFX3D_GROUND_QUADS);
    uint32_t rows = divide_up(tree->rows - 1, GFX3D_GROUND_QUADS);
    tree->level_count = 0;
    tree->bounds_count = 0;
    for (bool last = false; !last; columns = divide_up(columns, 2), rows = divide_up(rows, 2)) {
        if (tree->level_count == GFX3D_GROUND_LEVELS) return false;
        last = columns == 1 && rows == 1;
        tree->levels[tree->level_count++] = (Gfx3dGroundLevel){ .columns = columns, .rows = rows };
        tree->bounds_count += (size_t)columns * rows;
    }
    Gfx3dGroundBounds *bounds = filo_alloc(allocator, tree->bounds_count * sizeof *bounds, 0);
    if (bounds == NULL) return false;
    for (uint32_t i = 0; i < tree->level_count; i++) {
        tree->levels[i].bounds = bounds;
        bounds += (size_t)tree->levels[i].columns * tree->levels[i].rows;
    }
    gfx3d_ground_tree_update(tree, jobs, 0, 0, tree->columns, tree->rows);
    return true;
}

void gfx3d_ground_tree_deinit(Gfx3dGroundTree *tree, const FiloAllocator *allocator) {
    filo_free(allocator, tree->levels[0].bounds, tree->bounds_count * sizeof(Gfx3dGroundBounds), 0);
    *tree = (Gfx3dGroundTree){ 0 };
}

FiloAabb3 gfx3d_ground_box(const Gfx3dGroundTree *tree, uint32_t level, uint32_t column, uint32_t row) {
    const Gfx3dGroundLevel *squares = &tree->levels[level];
    Gfx3dGroundBounds bounds = squares->bounds[(size_t)row * squares->columns + column];
    uint32_t side = (uint32_t)GFX3D_GROUND_QUADS << level;
    float x0 = tree->position.x + (float)(column * side) * tree->spacing;
    float x1 = tree->position.x + (float)FILO_MIN((column + 1) * side, tree->columns - 1) * tree->spacing;
    float z0 = tree->position.z + (float)(row * side) * tree->step_z;
    float z1 = tree->position.z + (float)FILO_MIN((row + 1) * side, tree->rows - 1) * tree->step_z;
    return filo_aabb3(filo_vec3(x0, tree->position.y + (float)bounds.low * tree->unit, filo_min(z0, z1)),
                      filo_vec3(x1, tree->position.y + (float)bounds.high * tree->unit, filo_max(z0, z1)));
}
