// The nearest items: visits the cell of the centre, then the ring of cells around it, and so on, until no item of a cell
// further out can be nearer than those that were found. In space, a ring is the surface of a cube.
//
// The grid may be folded (spatial.h). While the square of rings is not larger than the grid, it has no slot twice. When it
// grows beyond that, few items are near, and all items are tested.

#include "spatial/spatial.h"

typedef struct Nearest {
    const FiloSpatial *spatial;
    FiloVec3 centre;
    FiloEntity except;
    FiloSpatialHit *hits; // found so far, in order
    size_t count, capacity;
    float limit; // squared distance that was asked for
    float worst; // squared distance beyond which an item does not count any more
} Nearest;

// ---- Items ------------------------------------------------------------------------------------------------

static bool is_before(const FiloSpatialHit *a, const FiloSpatialHit *b) {
    return a->distance_squared < b->distance_squared ||
           (a->distance_squared == b->distance_squared && a->row < b->row);
}

SPATIAL_INLINE void offer_item(Nearest *nearest, uint32_t item, float distance_squared) {
    const FiloSpatialItems *items = &nearest->spatial->items;
    FiloSpatialHit hit = { .entity = items->entities[item],
                           .position3 = { items->x[item], items->y[item],
                                          items->z != NULL ? items->z[item] : 0.0f },
                           .distance_squared = distance_squared,
                           .row = items->rows[item],
                           .item = item };
    if (hit.entity.id == nearest->except.id) return;
    size_t at = nearest->count;
    if (at == nearest->capacity) {
        if (!is_before(&hit, &nearest->hits[at - 1])) return;
        at--;
    } else {
        nearest->count++;
    }
    for (; at > 0 && is_before(&hit, &nearest->hits[at - 1]); at--) nearest->hits[at] = nearest->hits[at - 1];
    nearest->hits[at] = hit;
    if (nearest->count == nearest->capacity)
        nearest->worst = nearest->hits[nearest->count - 1].distance_squared;
}

SPATIAL_INLINE void test_items(Nearest *nearest, uint32_t begin, uint32_t end, bool space) {
    const FiloSpatialItems *items = &nearest->spatial->items;
    const float *x = items->x, *y = items->y, *z = items->z;
    for (uint32_t i = begin; i < end; i++) {
        float dx = x[i] - nearest->centre.x, dy = y[i] - nearest->centre.y, squared = dx * dx + dy * dy;
        if (space) {
            float dz = z[i] - nearest->centre.z;
            squared += dz * dz;
        }
        if (squared <= nearest->worst) offer_item(nearest, i, squared);
    }
}

static void offer_items_in_plane(Nearest *nearest, uint32_t begin, uint32_t end) {
    test_items(nearest, begin, end, false);
}

static void offer_items_in_space(Nearest *nearest, uint32_t begin, uint32_t end) {
    test_items(nearest, begin, end, true);
}

SPATIAL_INLINE void offer_items(Nearest *nearest, uint32_t begin, uint32_t end, bool space) {
    if (space)
        offer_items_in_space(nearest, begin, end);
    else
        offer_items_in_plane(nearest, begin, end);
}

SPATIAL_INLINE size_t offer_all(Nearest *nearest, bool space) {
    nearest->count = 0;
    nearest->worst = nearest->limit;
    offer_items(nearest, 0, (uint32_t)nearest->spatial->items.count, space);
    return nearest->count;
}

// ---- Rings ------------------------------------------------------------------------------------------------

// Cells in use, from the centre: left, bottom and front at most 0 and right, top and back at least 0 if the centre is
// among them.
typedef struct Around {
    int64_t left, right, bottom, top, front, back;
    uint32_t column, row, layer; // of the centre, in the grid, before folding
} Around;

// The cells from `left` to `right` of a row, as far as they are in use. The layer is in use.
SPATIAL_INLINE void offer_cells(Nearest *nearest, const Around *around, int64_t left, int64_t right,
                                int64_t row, int64_t layer, bool space) {
    const SpatialGrid *grid = &nearest->spatial->grid;
    left = FILO_MAX(left, around->left);
    right = FILO_MIN(right, around->right);
    if (left > right || row < around->bottom || row > around->top) return;
    uint32_t first = (around->column + (uint32_t)(int32_t)left) & grid->column_mask;
    uint32_t count = (uint32_t)(right - left) + 1;
    uint32_t line = (around->row + (uint32_t)(int32_t)row) & grid->row_mask;
    if (space) line += ((around->layer + (uint32_t)(int32_t)layer) & grid->layer_mask) * grid->height;
    line *= grid->width;
    uint32_t here = FILO_MIN(count, grid->width - first);
    offer_items(nearest, grid->ends[(ptrdiff_t)(line + first) - 1], grid->ends[line + first + here - 1],
                space);
    if (here < count)
        offer_items(nearest, grid->ends[(ptrdiff_t)line - 1], grid->ends[line + count - here - 1], space);
}

// The edge of a square of cells in a layer.
SPATIAL_INLINE void offer_ring(Nearest *nearest, const Around *around, int64_t ring, int64_t layer,
                               bool space) {
    offer_cells(nearest, around, -ring, ring, -ring, layer, space);
    if (ring == 0) return;
    bool left = -ring >= around->left, right = ring <= around->right;
    if (left || right) {
        int64_t last = FILO_MIN(ring - 1, around->top);
        for (int64_t row = FILO_MAX(-ring + 1, around->bottom); row <= last; row++) {
            if (left) offer_cells(nearest, around, -ring, -ring, row, layer, space);
            if (right) offer_cells(nearest, around, ring, ring, row, layer, space);
        }
    }
    offer_cells(nearest, around, -ring, ring, ring, layer, space);
}

static void offer_ring_in_space(Nearest *nearest, const Around *around, int64_t ring, int64_t layer) {
    offer_ring(nearest, around, ring, layer, true);
}

// The whole square of cells in a layer.
static void offer_square(Nearest *nearest, const Around *around, int64_t ring, int64_t layer) {
    int64_t last = FILO_MIN(ring, around->top);
    for (int64_t row = FILO_MAX(-ring, around->bottom); row <= last; row++)
        offer_cells(nearest, around, -ring, ring, row, layer, true);
}

// The surface of a cube of cells.
static void offer_shell(Nearest *nearest, const Around *around, int64_t ring) {
    int64_t last = FILO_MIN(ring, around->back);
    for (int64_t layer = FILO_MAX(-ring, around->front); layer <= last; layer++) {
        if (layer == -ring || layer == ring)
            offer_square(nearest, around, ring, layer);
        else
            offer_ring_in_space(nearest, around, ring, layer);
    }
}

// A lower bound of the distance from the coordinate to the border of a cell, because borders are rounded.
static double to_border(double coordinate, double cell, double cell_size) {
    double border = cell * cell_size;
    double distance = border > coordinate ? border - coordinate : coordinate - border;
    return distance * (1 - 1e-6) - (border < 0 ? -border : border) * 1e-6 - 1e-22;
}

// Whether no item outside of the square of rings counts any more.
SPATIAL_INLINE bool is_done(const Nearest *nearest, const Around *around, int64_t ring, bool space) {
    const FiloSpatial *spatial = nearest->spatial;
    const SpatialRange *used = &spatial->grid.used;
    double size = (double)spatial->cell_size, x = (double)nearest->centre.x, y = (double)nearest->centre.y;
    double column = (double)used->left + (double)(int32_t)around->column;
    double row = (double)used->bottom + (double)(int32_t)around->row;
    double least = 1e60, far = (double)ring;
    if (-ring > around->left) least = FILO_MIN(least, to_border(x, column - far, size));
    if (ring < around->right) least = FILO_MIN(least, to_border(x, column + far + 1, size));
    if (-ring > around->bottom) least = FILO_MIN(least, to_border(y, row - far, size));
    if (ring < around->top) least = FILO_MIN(least, to_border(y, row + far + 1, size));
    if (space) {
        double z = (double)nearest->centre.z, layer = (double)used->front + (double)(int32_t)around->layer;
        if (-ring > around->front) least = FILO_MIN(least, to_border(z, layer - far, size));
        if (ring < around->back) least = FILO_MIN(least, to_border(z, layer + far + 1, size));
    }
    return least == 1e60 || (least > 0 && least * least > (double)nearest->worst);
}

// The square of rings, as far as it is in use, holds each slot once.
SPATIAL_INLINE bool fits(const SpatialGrid *grid, const Around *around, int64_t ring, bool space) {
    int64_t width = FILO_MIN(ring, around->right) - FILO_MAX(-ring, around->left) + 1;
    int64_t height = FILO_MIN(ring, around->top) - FILO_MAX(-ring, around->bottom) + 1;
    if (width > (int64_t)grid->width || height > (int64_t)grid->height) return false;
    return !space ||
           FILO_MIN(ring, around->back) - FILO_MAX(-ring, around->front) + 1 <= (int64_t)grid->depth;
}

SPATIAL_INLINE size_t search_rings(Nearest *nearest, bool space) {
    const FiloSpatial *spatial = nearest->spatial;
    const SpatialGrid *grid = &spatial->grid;
    const SpatialRange *used = &grid->used;
    int64_t column = spatial_cell(nearest->centre.x, spatial->cells_per_unit);
    int64_t row = spatial_cell(nearest->centre.y, spatial->cells_per_unit);
    int64_t layer = space ? spatial_cell(nearest->centre.z, spatial->cells_per_unit) : 0;
    Around around = { used->left - column,
                      used->right - column,
                      used->bottom - row,
                      used->top - row,
                      used->front - layer,
                      used->back - layer,
                      (uint32_t)(column - used->left),
                      (uint32_t)(row - used->bottom),
                      (uint32_t)(layer - used->front) };
    int64_t ring = FILO_MAX(FILO_MAX(around.left, -around.right), FILO_MAX(around.bottom, -around.top));
    if (space) ring = FILO_MAX(ring, FILO_MAX(around.front, -around.back));
    for (ring = FILO_MAX(ring, 0);; ring++) {
        if (!fits(grid, &around, ring, space)) return offer_all(nearest, space);
        if (space)
            offer_shell(nearest, &around, ring);
        else
            offer_ring(nearest, &around, ring, 0, false);
        if (is_done(nearest, &around, ring, space)) return nearest->count;
    }
}

// ---- Functions --------------------------------------------------------------------------------------------

SPATIAL_INLINE size_t find_nearest(const FiloSpatial *spatial, FiloVec3 centre, float radius,
                                   FiloEntity except, FiloSpatialHit *hits, size_t capacity, bool space) {
    if (!spatial_may_search(spatial, space)) return 0;
    if (!FILO_CHECK(hits != NULL || capacity == 0, "say where to put what is found")) return 0;
    if (capacity == 0 || spatial->items.count == 0 || !(radius >= 0.0f) ||
        !spatial_finite3(centre.x, centre.y, centre.z))
        return 0;
    Nearest nearest = { .spatial = spatial,
                        .centre = centre,
                        .except = except,
                        .hits = hits,
                        .capacity = capacity,
                        .limit = radius * radius,
                        .worst = radius * radius };
    return search_rings(&nearest, space);
}

size_t filo_spatial_nearest(const FiloSpatial *spatial, FiloVec2 centre, float radius, FiloEntity except,
                            FiloSpatialHit *hits, size_t capacity) {
    FiloVec3 flat = filo_vec3(centre.x, centre.y, 0.0f);
    return find_nearest(spatial, flat, radius, except, hits, capacity, false);
}

size_t filo_spatial_nearest3(const FiloSpatial *spatial, FiloVec3 centre, float radius, FiloEntity except,
                             FiloSpatialHit *hits, size_t capacity) {
    return find_nearest(spatial, centre, radius, except, hits, capacity, true);
}
