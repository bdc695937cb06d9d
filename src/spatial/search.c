// Searches by circle and rectangle, and by sphere and box. spatial.h explains the grid.
//
// A search visits every cell that may contain an item of its area. An item at p is in the circle or sphere around c if the float
// (p − c)², which is rounded, is at most r². So it may be further away than r by a little, and `reach` is larger than r by
// as much. The rest is exact: rounding is monotonic, so c − reach as a float is at most p, and its cell is at most the
// cell of p.
//
// A mispredicted branch takes longer than the test of an item. So tests do not branch: each item is written to the end of
// a list, and the end moves by one or by nothing.

#include "spatial/spatial.h"

// ---- Beginning --------------------------------------------------------------------------------------------

static const FiloSpatialItems nothing = { 0 };
static const uint32_t no_ends[2] = { 0, 0 };

static void search_nothing(FiloSpatialSearch *search) {
    search->items = &nothing;
    search->ends = no_ends + 1;
    search->area = (FiloRect){ 0 };
    search->radius = 0.0f;
    search->width = 1, search->row_mask = UINT32_MAX;
    search->column = search->columns = search->row = search->rows = 0;
    search->again = search->begin = search->end = search->next = search->found = 0;
}

// Rows and columns of cells from `low` to `high`, as far as they are in use; in space, the same in each layer.
SPATIAL_INLINE void search_cells(FiloSpatialSearch *search, const FiloSpatial *spatial, FiloVec3 low,
                                 FiloVec3 high, bool space) {
    const SpatialGrid *grid = &spatial->grid;
    const SpatialRange *used = &grid->used;
    float cells_per_unit = spatial->cells_per_unit;
    int32_t left = FILO_MAX(spatial_cell(low.x, cells_per_unit), used->left);
    int32_t right = FILO_MIN(spatial_cell(high.x, cells_per_unit), used->right);
    int32_t bottom = FILO_MAX(spatial_cell(low.y, cells_per_unit), used->bottom);
    int32_t top = FILO_MIN(spatial_cell(high.y, cells_per_unit), used->top);
    int32_t front = space ? FILO_MAX(spatial_cell(low.z, cells_per_unit), used->front) : 0;
    int32_t back = space ? FILO_MIN(spatial_cell(high.z, cells_per_unit), used->back) : 0;
    if (left > right || bottom > top || front > back) {
        search_nothing(search);
        return;
    }
    search->items = &spatial->items;
    search->ends = grid->ends;
    search->width = grid->width;
    search->row_mask = grid->row_mask;
    search->column = ((uint32_t)left - (uint32_t)used->left) & grid->column_mask;
    search->columns = FILO_MIN((uint32_t)(right - left) + 1, grid->width);
    search->row = (uint32_t)bottom - (uint32_t)used->bottom;
    search->rows = FILO_MIN((uint32_t)(top - bottom) + 1, grid->height);
    search->again = search->begin = search->end = search->next = search->found = 0;
    if (!space) return;
    search->first_row = search->row, search->all_rows = search->rows;
    search->rows = 0; // the first layer begins with the first row
    search->height = grid->height;
    search->layer_mask = grid->layer_mask;
    search->layer = (uint32_t)front - (uint32_t)used->front;
    search->layers = FILO_MIN((uint32_t)(back - front) + 1, grid->depth);
    search->layer_slot = 0;
}

// The greatest distance from the centre of an item whose squared distance, rounded, is at most the square of `radius`,
// rounded. The second constant is for radii whose squares underflow.
static float reach(float radius) { return radius * 1.000001f + 1e-22f; }

FiloSpatialSearch filo_spatial_circle(const FiloSpatial *spatial, FiloVec2 centre, float radius,
                                      FiloEntity except) {
    FiloSpatialSearch search;
    search.except = except;
    if (!spatial_may_search(spatial, false) || !(radius >= 0.0f) || !spatial_finite(centre.x, centre.y)) {
        search_nothing(&search);
        return search;
    }
    float far = reach(radius + spatial->largest_radius);
    search_cells(&search, spatial, filo_vec3(centre.x - far, centre.y - far, 0.0f),
                 filo_vec3(centre.x + far, centre.y + far, 0.0f), false);
    search.area = filo_rect(centre, centre);
    search.radius = radius;
    return search;
}

FiloSpatialSearch filo_spatial_rect(const FiloSpatial *spatial, FiloRect rect, FiloEntity except) {
    FiloSpatialSearch search;
    search.except = except;
    if (!spatial_may_search(spatial, false) || filo_rect_is_empty(rect)) {
        search_nothing(&search);
        return search;
    }
    float far = spatial->items.radii != NULL ? reach(spatial->largest_radius) : 0.0f;
    search_cells(&search, spatial, filo_vec3(rect.min.x - far, rect.min.y - far, 0.0f),
                 filo_vec3(rect.max.x + far, rect.max.y + far, 0.0f), false);
    search.area = rect;
    search.radius = -1.0f;
    return search;
}

FiloSpatialSearch filo_spatial_sphere(const FiloSpatial *spatial, FiloVec3 centre, float radius,
                                      FiloEntity except) {
    FiloSpatialSearch search;
    search.except = except;
    if (!spatial_may_search(spatial, true) || !(radius >= 0.0f) ||
        !spatial_finite3(centre.x, centre.y, centre.z)) {
        search_nothing(&search);
        return search;
    }
    float far = reach(radius + spatial->largest_radius);
    FiloVec3 corner = filo_vec3(far, far, far);
    search_cells(&search, spatial, filo_vec3_sub(centre, corner), filo_vec3_add(centre, corner), true);
    search.area = filo_rect(filo_vec2(centre.x, centre.y), filo_vec2(centre.x, centre.y));
    search.low = search.high = centre.z;
    search.radius = radius;
    return search;
}

FiloSpatialSearch filo_spatial_box(const FiloSpatial *spatial, FiloAabb3 box, FiloEntity except) {
    FiloSpatialSearch search;
    search.except = except;
    if (!spatial_may_search(spatial, true) || filo_aabb3_is_empty(box)) {
        search_nothing(&search);
        return search;
    }
    float far = spatial->items.radii != NULL ? reach(spatial->largest_radius) : 0.0f;
    FiloAabb3 around = filo_aabb3_expand(box, far);
    search_cells(&search, spatial, around.min, around.max, true);
    search.area = filo_rect(filo_vec2(box.min.x, box.min.y), filo_vec2(box.max.x, box.max.y));
    search.low = box.min.z, search.high = box.max.z;
    search.radius = -1.0f;
    return search;
}

// ---- Iterating ---------------------------------------------------------------------------------------------

// The items of the next cells; false if there are none left. Cells beyond the end of a folded row wrap
// around to its beginning.
SPATIAL_INLINE bool next_cells(FiloSpatialSearch *search, bool space) {
    for (;;) {
        uint32_t first, count;
        if (space && search->again == 0 && search->rows == 0 && search->layers > 0) {
            search->layer_slot = (search->layer & search->layer_mask) * search->height * search->width;
            search->layer++;
            search->layers--;
            search->row = search->first_row;
            search->rows = search->all_rows;
        }
        if (search->again > 0) {
            first = ((search->row - 1) & search->row_mask) * search->width;
            count = search->again;
            search->again = 0;
        } else if (search->rows > 0) {
            first = (search->row & search->row_mask) * search->width + search->column;
            count = FILO_MIN(search->columns, search->width - search->column);
            search->again = search->columns - count;
            search->row++;
            search->rows--;
        } else {
            return false;
        }
        if (space) first += search->layer_slot;
        search->begin = search->ends[(ptrdiff_t)first - 1];
        search->end = search->ends[first + count - 1];
        if (search->begin < search->end) return true;
    }
}

static inline uint32_t test_circle(const FiloSpatialSearch *search, uint32_t begin, uint32_t end,
                                   uint32_t *list, uint32_t found) {
    const float *x = search->items->x, *y = search->items->y;
    float centre_x = search->area.min.x, centre_y = search->area.min.y,
          squared = search->radius * search->radius;
    for (uint32_t i = begin; i < end; i++) {
        float dx = x[i] - centre_x, dy = y[i] - centre_y;
        list[found] = i;
        found += dx * dx + dy * dy <= squared;
    }
    return found;
}

static inline uint32_t test_circles(const FiloSpatialSearch *search, uint32_t begin, uint32_t end,
                                    uint32_t *list, uint32_t found) {
    const float *x = search->items->x, *y = search->items->y, *radii = search->items->radii;
    float centre_x = search->area.min.x, centre_y = search->area.min.y, radius = search->radius;
    for (uint32_t i = begin; i < end; i++) {
        float dx = x[i] - centre_x, dy = y[i] - centre_y, both = radius + radii[i];
        list[found] = i;
        found += dx * dx + dy * dy <= both * both;
    }
    return found;
}

static inline uint32_t test_rect(const FiloSpatialSearch *search, uint32_t begin, uint32_t end,
                                 uint32_t *list, uint32_t found) {
    const float *x = search->items->x, *y = search->items->y;
    FiloRect area = search->area;
    for (uint32_t i = begin; i < end; i++) {
        list[found] = i;
        found += (uint32_t)(x[i] >= area.min.x) & (uint32_t)(x[i] < area.max.x) &
                 (uint32_t)(y[i] >= area.min.y) & (uint32_t)(y[i] < area.max.y);
    }
    return found;
}

static inline uint32_t test_rect_and_circles(const FiloSpatialSearch *search, uint32_t begin, uint32_t end,
                                             uint32_t *list, uint32_t found) {
    const float *x = search->items->x, *y = search->items->y, *radii = search->items->radii;
    FiloRect area = search->area;
    for (uint32_t i = begin; i < end; i++) {
        FiloVec2 position = filo_vec2(x[i], y[i]);
        float squared = filo_vec2_distance_squared(position, filo_rect_clamp(area, position));
        list[found] = i;
        found += ((uint32_t)(squared <= radii[i] * radii[i]) & (uint32_t)(radii[i] > 0.0f)) |
                 (uint32_t)filo_rect_contains(area, position);
    }
    return found;
}

static inline uint32_t test_sphere(const FiloSpatialSearch *search, uint32_t begin, uint32_t end,
                                   uint32_t *list, uint32_t found) {
    const float *x = search->items->x, *y = search->items->y, *z = search->items->z;
    float centre_x = search->area.min.x, centre_y = search->area.min.y, centre_z = search->low,
          squared = search->radius * search->radius;
    for (uint32_t i = begin; i < end; i++) {
        float dx = x[i] - centre_x, dy = y[i] - centre_y, dz = z[i] - centre_z;
        list[found] = i;
        found += dx * dx + dy * dy + dz * dz <= squared;
    }
    return found;
}

static inline uint32_t test_spheres(const FiloSpatialSearch *search, uint32_t begin, uint32_t end,
                                    uint32_t *list, uint32_t found) {
    const FiloSpatialItems *items = search->items;
    const float *x = items->x, *y = items->y, *z = items->z, *radii = items->radii;
    float centre_x = search->area.min.x, centre_y = search->area.min.y, centre_z = search->low,
          radius = search->radius;
    for (uint32_t i = begin; i < end; i++) {
        float dx = x[i] - centre_x, dy = y[i] - centre_y, dz = z[i] - centre_z, both = radius + radii[i];
        list[found] = i;
        found += dx * dx + dy * dy + dz * dz <= both * both;
    }
    return found;
}

static inline FiloAabb3 box_of(const FiloSpatialSearch *search) {
    return filo_aabb3(filo_vec3(search->area.min.x, search->area.min.y, search->low),
                      filo_vec3(search->area.max.x, search->area.max.y, search->high));
}

static inline uint32_t test_box(const FiloSpatialSearch *search, uint32_t begin, uint32_t end, uint32_t *list,
                                uint32_t found) {
    const float *x = search->items->x, *y = search->items->y, *z = search->items->z;
    FiloAabb3 box = box_of(search);
    for (uint32_t i = begin; i < end; i++) {
        list[found] = i;
        found += (uint32_t)(x[i] >= box.min.x) & (uint32_t)(x[i] < box.max.x) &
                 (uint32_t)(y[i] >= box.min.y) & (uint32_t)(y[i] < box.max.y) &
                 (uint32_t)(z[i] >= box.min.z) & (uint32_t)(z[i] < box.max.z);
    }
    return found;
}

static inline uint32_t test_box_and_spheres(const FiloSpatialSearch *search, uint32_t begin, uint32_t end,
                                            uint32_t *list, uint32_t found) {
    const FiloSpatialItems *items = search->items;
    const float *x = items->x, *y = items->y, *z = items->z, *radii = items->radii;
    FiloAabb3 box = box_of(search);
    for (uint32_t i = begin; i < end; i++) {
        FiloVec3 position = filo_vec3(x[i], y[i], z[i]);
        float squared = filo_vec3_distance_squared(position, filo_aabb3_clamp(box, position));
        list[found] = i;
        found += ((uint32_t)(squared <= radii[i] * radii[i]) & (uint32_t)(radii[i] > 0.0f)) |
                 (uint32_t)filo_aabb3_contains(box, position);
    }
    return found;
}

typedef uint32_t (*TestFunction)(const FiloSpatialSearch *search, uint32_t begin, uint32_t end,
                                 uint32_t *list, uint32_t found);

// Inlined once for each test: rows of cells are often short, and a call for each would take as long as the
// test.
SPATIAL_INLINE bool look_ahead(FiloSpatialSearch *search, TestFunction test, bool space) {
    uint32_t found = 0;
    while (found < FILO_SPATIAL_AHEAD && (search->begin < search->end || next_cells(search, space))) {
        uint32_t end = FILO_MIN(search->end, search->begin + (FILO_SPATIAL_AHEAD - found));
        found = test(search, search->begin, end, search->ahead, found);
        search->begin = end;
    }
    search->next = 0;
    search->found = found;
    return found > 0;
}

__attribute__((noinline)) static bool look_ahead_in_space(FiloSpatialSearch *search) {
    if (search->radius < 0.0f)
        return search->items->radii != NULL ? look_ahead(search, test_box_and_spheres, true)
                                            : look_ahead(search, test_box, true);
    return search->items->radii != NULL ? look_ahead(search, test_spheres, true)
                                        : look_ahead(search, test_sphere, true);
}

bool filo_spatial_look_ahead(FiloSpatialSearch *search) {
    if (search->items->z != NULL) return look_ahead_in_space(search);
    if (search->radius < 0.0f)
        return search->items->radii != NULL ? look_ahead(search, test_rect_and_circles, false)
                                            : look_ahead(search, test_rect, false);
    return search->items->radii != NULL ? look_ahead(search, test_circles, false)
                                        : look_ahead(search, test_circle, false);
}

__attribute__((noinline)) static bool next_cells_in_space(FiloSpatialSearch *search) {
    return next_cells(search, true);
}

bool filo_spatial_next_span(FiloSpatialSearch *search, size_t *begin, size_t *end) {
    if (search->begin == search->end &&
        !(search->items->z != NULL ? next_cells_in_space(search) : next_cells(search, false)))
        return false;
    *begin = search->begin;
    *end = search->end;
    search->begin = search->end;
    return true;
}

// ---- All results -----------------------------------------------------------------------------

size_t filo_spatial_fill(FiloSpatialSearch search, FiloSpatialHit *hits, size_t capacity) {
    if (!FILO_CHECK(hits != NULL || capacity == 0, "say where to put what is found")) return 0;
    size_t count = 0;
    for (; count < capacity && filo_spatial_next(&search); count++) hits[count] = search.hit;
    return count < capacity ? count : count + filo_spatial_count(search);
}

size_t filo_spatial_count(FiloSpatialSearch search) {
    size_t count = 0;
    const FiloEntity *entities = search.items->entities;
    do {
        count += search.found - search.next;
        if (search.except.id == 0) continue;
        for (uint32_t i = search.next; i < search.found; i++)
            count -= entities[search.ahead[i]].id == search.except.id;
    } while (filo_spatial_look_ahead(&search));
    return count;
}

bool filo_spatial_each(FiloSpatialSearch search, FiloSpatialFunction function, void *user) {
    if (!FILO_CHECK(function != NULL, "say what to do with each")) return false;
    while (filo_spatial_next(&search))
        if (!function(&search.hit, user)) return false;
    return true;
}
