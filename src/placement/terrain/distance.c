// The exact Euclidean distance transform, in integers: Meijster, Roerdink and Hesselink, "A general algorithm for
// computing distance transforms in linear time", 2000.
//
// First each column has, for every row, the nearest row with a masked texel. Then, along each row, the squared distance
// is the lower envelope of parabolas, one for each column, which a stack holds. Squared distances are in units whose
// squares are integers: texels if they are square, otherwise such that the longer side has 2^29 units.

#include "placement/terrain/terrain.h"

#define FAR INT32_MAX // no masked texel in the column

typedef struct Transform {
    const PlacementTerrain *terrain;
    FiloTerrainMap mask;
    int32_t *nearest; // row of the nearest masked texel of the same column, or FAR
    int64_t ux, uy;   // units of a texel
    float unit;       // metres
    float farthest;
    uint16_t *distance, *direction;
    int32_t *stacks; // of each row: two numbers of each column
} Transform;

// ---- Columns --------------------------------------------------------------------------------------------

static void scan_columns(size_t begin, size_t end, void *user) {
    const Transform *t = user;
    int width = t->terrain->width, height = t->terrain->height;
    for (int y = 0; y < height; y++) {
        int32_t *row = t->nearest + (size_t)y * (size_t)width;
        for (size_t x = begin; x < end; x++) {
            bool masked = placement_terrain_value(&t->mask, (int)x, y) >= 0.5f;
            row[x] = masked ? y : y > 0 ? row[(ptrdiff_t)x - width] : FAR;
        }
    }
    for (int y = height - 2; y >= 0; y--) {
        int32_t *row = t->nearest + (size_t)y * (size_t)width;
        for (size_t x = begin; x < end; x++) {
            int32_t below = row[x + (size_t)width];
            if (below != FAR && (row[x] == FAR || below - y < y - row[x])) row[x] = below;
        }
    }
}

// ---- Rows -----------------------------------------------------------------------------------------------

static int64_t square(int64_t x) { return x * x; }

// The squared distance of column x to the texel that is nearest in column i.
static int64_t distance_by(const Transform *t, const int32_t *row, int y, int x, int i) {
    return square((x - i) * t->ux) + square((row[i] - y) * t->uy);
}

// The first column from which on column u is nearer than column i; i < u.
static int64_t meeting(const Transform *t, const int32_t *row, int y, int i, int u) {
    int64_t ux2 = t->ux * t->ux;
    int64_t numerator =
        ux2 * (square(u) - square(i)) + square((row[u] - y) * t->uy) - square((row[i] - y) * t->uy);
    int64_t denominator = 2 * ux2 * (u - i);
    int64_t quotient = numerator / denominator;
    return quotient - (numerator % denominator < 0) + 1;
}

static void write_texel(const Transform *t, const int32_t *row, int y, int x, int nearest) {
    size_t at = (size_t)y * (size_t)t->terrain->width + (size_t)x;
    int64_t squared = distance_by(t, row, y, x, nearest);
    if (t->distance != NULL)
        t->distance[at] = placement_terrain_u16(filo_sqrt((float)squared) * t->unit / t->farthest);
    if (t->direction != NULL) {
        float dx = (float)((nearest - x) * t->ux), dy = (float)((row[nearest] - y) * t->uy);
        t->direction[at] = squared > 0 ? placement_terrain_turn(filo_atan2(dy, dx)) : 0;
    }
}

static void write_far(const Transform *t, int y) {
    size_t width = (size_t)t->terrain->width;
    for (size_t i = (size_t)y * width; i < ((size_t)y + 1) * width; i++) {
        if (t->distance != NULL) t->distance[i] = 65535;
        if (t->direction != NULL) t->direction[i] = 0;
    }
}

// `columns` is the stack: nearest columns from left to right; `starts` has the first x of each.
static void transform_row(const Transform *t, int y, int32_t *columns, int32_t *starts) {
    int width = t->terrain->width, top = -1;
    const int32_t *row = t->nearest + (size_t)y * (size_t)width;
    for (int u = 0; u < width; u++) {
        if (row[u] == FAR) continue;
        while (top >= 0 &&
               distance_by(t, row, y, starts[top], columns[top]) > distance_by(t, row, y, starts[top], u))
            top--;
        if (top < 0) {
            columns[++top] = u;
            starts[top] = 0;
            continue;
        }
        int64_t start = meeting(t, row, y, columns[top], u);
        if (start >= width) continue;
        columns[++top] = u;
        starts[top] = (int32_t)start;
    }
    if (top < 0) write_far(t, y);
    for (int x = width - 1; x >= 0 && top >= 0; x--) {
        while (starts[top] > x) top--;
        write_texel(t, row, y, x, columns[top]);
    }
}

static void transform_rows(size_t begin, size_t end, void *user) {
    const Transform *t = user;
    size_t width = (size_t)t->terrain->width;
    // A row's stack is in the memory of the row, so that rows need no memory of a thread.
    for (size_t y = begin; y < end; y++) {
        int32_t *stack = t->stacks + 2 * width * y;
        transform_row(t, (int)y, stack, stack + width);
    }
}

// ---- All of it ------------------------------------------------------------------------------------------

static void choose_units(Transform *t) {
    const PlacementTerrain *terrain = t->terrain;
    t->ux = t->uy = 1;
    t->unit = terrain->dx;
    if (terrain->dx == terrain->dy) return;
    float longer = filo_max(terrain->dx * (float)terrain->width, terrain->dy * (float)terrain->height);
    t->unit = longer * 0x1p-29f;
    t->ux = FILO_MAX((int64_t)(terrain->dx / t->unit + 0.5f), 1);
    t->uy = FILO_MAX((int64_t)(terrain->dy / t->unit + 0.5f), 1);
}

FiloResult filo_terrain_bake_distance(uint16_t *distance, uint16_t *direction, const FiloTerrainDesc *desc,
                                      const FiloTerrainMap *mask, float farthest) {
    PlacementTerrain terrain;
    FiloResult result = placement_terrain_open(&terrain, desc, false);
    if (result.code != FILO_OK) return result;
    if (distance == NULL && direction == NULL)
        return FILO_MISTAKE("pass where the distance or the direction goes");
    if (mask == NULL) return FILO_MISTAKE("pass the mask whose distance is wanted");
    if (!(farthest > 0.0f && farthest <= 1e9f))
        return FILO_MISTAKE("the farthest distance is more than 0 metres, not %g", (double)farthest);
    Transform t = {
        .terrain = &terrain, .mask = *mask, .farthest = farthest, .distance = distance, .direction = direction
    };
    result = placement_terrain_check_map(&t.mask, "a mask");
    if (result.code != FILO_OK) return result;
    if (mask->width != terrain.width || mask->height != terrain.height)
        return FILO_MISTAKE("the mask has %d x %d texels, and the heights have %d x %d", mask->width,
                            mask->height, terrain.width, terrain.height);
    result = placement_terrain_report(&terrain, 0.0f);
    if (result.code != FILO_OK) return result;
    choose_units(&t);
    size_t size = 3 * terrain.count * sizeof(int32_t);
    t.nearest = filo_alloc(terrain.allocator, size, 0);
    if (t.nearest == NULL) return placement_terrain_no_memory();
    t.stacks = t.nearest + terrain.count;
    placement_terrain_for(&terrain, (size_t)terrain.width, scan_columns, &t);
    placement_terrain_for(&terrain, (size_t)terrain.height, transform_rows, &t);
    filo_free(terrain.allocator, t.nearest, size, 0);
    return placement_terrain_report(&terrain, 1.0f);
}
