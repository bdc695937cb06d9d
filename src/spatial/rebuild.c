// Rebuilds an index: a stable sort of all rows by slot (spatial.h), in two steps, so that it is fast on one thread and can
// be shared by many.
//
//   gather    parts of the rows: copies the fields of the components into columns
//   grid      fits the grid to the cells in use
//   count     parts of the rows: the slot of each row, and the number of rows in each band. A band is a range of slots
//             with about BAND_ROWS rows; it fits into the cache
//   spread    parts of the rows: writes a record of each row into its band. Where a part writes in a band follows from the
//             counts of all parts
//   settle    bands: counts the records of each slot, then copies each record to its final index
//
// Mostly the grid of the last rebuild fits. So rows are counted in it while they are gathered. Only if a row is outside of
// it, or it has become too large, a new grid is fitted and the rows are counted again. The result does not depend on
// that: the order of cells is the same for every grid that is not folded, and a folded one is fitted every time.
//
// Parts are ranges of rows in the order of the query, and each step is stable. So the result is the same for any number of
// parts, and only their number depends on the threads.

#include "spatial/spatial.h"

#define PART_ROWS 4096 // fewer are not worth another thread
#define BAND_ROWS 512
#define BLOCK     256 // rows that are worked on at a time, inside the cache

typedef struct Rebuild {
    FiloSpatial *spatial;
    SpatialColumns rows, items;
    SpatialRecord *records;
    SpatialPart *parts;
    size_t part_count, row_count;
    SpatialGrid grid;
    bool counted; // in this grid, with these bands
    uint32_t *ends;
    uint32_t slots;
    uint32_t band_bits, band_count;         // slot >> band_bits is the band
    uint32_t band_begin[SPATIAL_BANDS + 2]; // records of each; the last band is nowhere
} Rebuild;

// ---- Memory -----------------------------------------------------------------------------------------------

// Makes the blocks that are too small larger; what was in them is lost. False without memory: all are as they
// were.
static bool grow_blocks(FiloSpatial *spatial, const size_t sizes[SPATIAL_BLOCKS]) {
    SpatialMemory fresh[SPATIAL_BLOCKS] = { { 0 } };
    bool enough = true;
    for (size_t i = 0; i < SPATIAL_BLOCKS && enough; i++) {
        if (sizes[i] <= spatial->blocks[i].size) continue;
        fresh[i].size = sizes[i] + sizes[i] / 4;
        fresh[i].memory = filo_alloc(spatial->allocator, fresh[i].size, FILO_CACHE_LINE);
        enough = fresh[i].memory != NULL;
    }
    for (size_t i = 0; i < SPATIAL_BLOCKS; i++) {
        if (fresh[i].memory == NULL) continue;
        SpatialMemory unwanted = enough ? spatial->blocks[i] : fresh[i];
        if (enough) spatial->blocks[i] = fresh[i];
        filo_free(spatial->allocator, unwanted.memory, unwanted.size, FILO_CACHE_LINE);
    }
    return enough;
}

// Columns for so many rows in a block; `base` NULL only tells how large that must be. Each begins in a cache
// line of its own.
static size_t lay_columns(const FiloSpatial *spatial, SpatialColumns *columns, uint8_t *base, size_t rows) {
    size_t line = FILO_ALIGN_UP(rows * sizeof(float), (size_t)FILO_CACHE_LINE), at = 0;
    SpatialColumns none = { 0 };
    if (columns == NULL) columns = &none;
    float **wanted[4 + FILO_SPATIAL_VALUES] = { &columns->x, &columns->y, spatial->space ? &columns->z : NULL,
                                                spatial->radius.wanted ? &columns->radii : NULL };
    for (size_t i = 0; i < FILO_SPATIAL_VALUES; i++)
        wanted[4 + i] = spatial->values[i].wanted ? &columns->values[i] : NULL;
    if (base != NULL) {
        columns->entities = (FiloEntity *)(void *)base;
        columns->numbers = (uint32_t *)(void *)(base + 2 * line);
    }
    at = 3 * line;
    for (size_t i = 0; i < FILO_COUNT_OF(wanted); i++) {
        if (wanted[i] == NULL) continue;
        if (base != NULL) *wanted[i] = (float *)(void *)(base + at);
        at += line;
    }
    return at;
}

// ---- Count ------------------------------------------------------------------------------------------------

// The slot of each row; true if any is in a cell outside of the grid, as far as that is not folded.
SPATIAL_INLINE bool find_slots(const Rebuild *rebuild, size_t at, size_t count, bool space) {
    const float *x = rebuild->rows.x + at, *y = rebuild->rows.y + at,
                *z = space ? rebuild->rows.z + at : NULL;
    uint32_t *slots = rebuild->rows.numbers + at;
    const SpatialGrid grid = rebuild->grid;
    float cells_per_unit = rebuild->spatial->cells_per_unit;
    uint32_t left = (uint32_t)grid.used.left, bottom = (uint32_t)grid.used.bottom,
             front = (uint32_t)grid.used.front, outside = 0;
    uint32_t nowhere = rebuild->band_count << rebuild->band_bits;
    for (size_t i = 0; i < count; i++) {
        uint32_t column = ((uint32_t)spatial_cell(x[i], cells_per_unit) - left) & grid.column_mask;
        uint32_t row = ((uint32_t)spatial_cell(y[i], cells_per_unit) - bottom) & grid.row_mask;
        uint32_t here = space ? spatial_finite_mask3(x[i], y[i], z[i]) : spatial_finite_mask(x[i], y[i]);
        uint32_t inside = (0u - (uint32_t)(column < grid.width)) & (0u - (uint32_t)(row < grid.height));
        uint32_t line = row;
        if (space) {
            uint32_t layer = ((uint32_t)spatial_cell(z[i], cells_per_unit) - front) & grid.layer_mask;
            inside &= 0u - (uint32_t)(layer < grid.depth);
            line += layer * grid.height;
        }
        outside |= here & ~inside;
        here &= inside;
        slots[i] = ((line * grid.width + column) & here) | (nowhere & ~here);
    }
    return outside != 0;
}

static bool find_slots_in_plane(const Rebuild *rebuild, size_t at, size_t count) {
    return find_slots(rebuild, at, count, false);
}

static bool find_slots_in_space(const Rebuild *rebuild, size_t at, size_t count) {
    return find_slots(rebuild, at, count, true);
}

static void count_rows(const Rebuild *rebuild, SpatialPart *part, size_t begin, size_t count) {
    uint32_t *restrict counts = part->counts, bits = rebuild->band_bits;
    for (size_t at = begin, last = begin + count; at < last; at += BLOCK) {
        size_t some = FILO_MIN(last - at, (size_t)BLOCK);
        part->outside |= rebuild->spatial->space ? find_slots_in_space(rebuild, at, some)
                                                 : find_slots_in_plane(rebuild, at, some);
        const uint32_t *slots = rebuild->rows.numbers + at;
        for (size_t i = 0; i < some; i++) counts[slots[i] >> bits]++;
    }
}

static void begin_count(const Rebuild *rebuild, SpatialPart *part) {
    part->outside = false;
    memset(part->counts, 0, (rebuild->band_count + 1) * sizeof *part->counts);
}

static void count_part(size_t begin, size_t end, void *user) {
    const Rebuild *rebuild = user;
    for (size_t i = begin; i < end; i++) {
        begin_count(rebuild, &rebuild->parts[i]);
        count_rows(rebuild, &rebuild->parts[i], rebuild->parts[i].begin, rebuild->parts[i].count);
    }
}

// ---- Gather -----------------------------------------------------------------------------------------------

// One to three floats of each row; `missing` where a row has none.
SPATIAL_INLINE void copy_floats(const FiloIter *it, const SpatialSource *source, float missing,
                                float *const *columns, size_t count) {
    FiloColumn column = filo_iter_column(it, source->term);
    const uint8_t *data = column.data;
    size_t offset = source->offset, stride = source->stride;
    for (size_t i = 0; i < it->count; i++) {
        const uint8_t *value = column.rows != NULL ? column.rows[i] : data != NULL ? data + i * stride : NULL;
        float floats[3] = { missing, missing, missing };
        if (value != NULL) memcpy(floats, value + offset, count * sizeof floats[0]);
        for (size_t k = 0; k < count; k++) columns[k][i] = floats[k];
    }
}

static void copy_values(const FiloIter *it, const SpatialSource *source, float *values) {
    copy_floats(it, source, 0.0f, &values, 1);
}

// Positions that fill their component, the usual case, have a loop that becomes vector code.
static void copy_positions(const FiloIter *it, const SpatialSource *source, float *x, float *y) {
    FiloColumn column = filo_iter_column(it, source->term);
    if (column.data == NULL || column.rows != NULL || source->stride != sizeof(FiloVec2)) {
        copy_floats(it, source, __builtin_nanf(""), (float *const[]){ x, y }, 2);
        return;
    }
    const FiloVec2 *positions = column.data;
    for (size_t i = 0; i < it->count; i++) {
        x[i] = positions[i].x;
        y[i] = positions[i].y;
    }
}

static void copy_positions_in_space(const FiloIter *it, const SpatialSource *source, float *x, float *y,
                                    float *z) {
    FiloColumn column = filo_iter_column(it, source->term);
    if (column.data == NULL || column.rows != NULL || source->stride != sizeof(FiloVec3)) {
        copy_floats(it, source, __builtin_nanf(""), (float *const[]){ x, y, z }, 3);
        return;
    }
    const FiloVec3 *positions = column.data;
    for (size_t i = 0; i < it->count; i++) {
        x[i] = positions[i].x;
        y[i] = positions[i].y;
        z[i] = positions[i].z;
    }
}

static float clean_radii(float *radii, size_t count) {
    float largest = 0.0f;
    for (size_t i = 0; i < count; i++) {
        radii[i] = radii[i] > 0.0f ? radii[i] : 0.0f; // also of NaN
        largest = radii[i] > largest ? radii[i] : largest;
    }
    return largest;
}

static void gather_rows(const Rebuild *rebuild, SpatialPart *part, const FiloIter *it, size_t at) {
    const FiloSpatial *spatial = rebuild->spatial;
    const SpatialColumns *rows = &rebuild->rows;
    if (spatial->space)
        copy_positions_in_space(it, &spatial->position, rows->x + at, rows->y + at, rows->z + at);
    else
        copy_positions(it, &spatial->position, rows->x + at, rows->y + at);
    filo_iter_entities(it, rows->entities + at);
    if (rebuild->counted) count_rows(rebuild, part, at, it->count);
    if (rows->radii != NULL) {
        copy_values(it, &spatial->radius, rows->radii + at);
        float largest = clean_radii(rows->radii + at, it->count);
        part->largest_radius = FILO_MAX(part->largest_radius, largest);
    }
    for (size_t i = 0; i < FILO_SPATIAL_VALUES; i++)
        if (rows->values[i] != NULL) copy_values(it, &spatial->values[i], rows->values[i] + at);
}

static void gather(size_t begin, size_t end, void *user) {
    Rebuild *rebuild = user;
    for (size_t i = begin; i < end; i++) {
        SpatialPart *part = &rebuild->parts[i];
        part->largest_radius = 0.0f;
        if (rebuild->counted) begin_count(rebuild, part);
        FiloIter it = filo_query_iter_part(rebuild->spatial->query, part->begin, part->begin + part->count);
        part->count = 0;
        while (filo_iter_next(&it)) {
            gather_rows(rebuild, part, &it, part->begin + part->count);
            part->count += it.count;
        }
    }
}

static void move_down(float *column, size_t to, size_t from, size_t count) {
    if (column != NULL) memmove(column + to, column + from, count * sizeof *column);
}

// Queries that look at each row leave gaps between parts: rows that did not match.
static void close_gaps(Rebuild *rebuild) {
    SpatialColumns *rows = &rebuild->rows;
    size_t at = 0;
    for (size_t i = 0; i < rebuild->part_count; i++) {
        SpatialPart *part = &rebuild->parts[i];
        if (at != part->begin) {
            memmove(rows->entities + at, rows->entities + part->begin, part->count * sizeof *rows->entities);
            memmove(rows->numbers + at, rows->numbers + part->begin, part->count * sizeof *rows->numbers);
            move_down(rows->x, at, part->begin, part->count);
            move_down(rows->y, at, part->begin, part->count);
            move_down(rows->z, at, part->begin, part->count);
            move_down(rows->radii, at, part->begin, part->count);
            for (size_t k = 0; k < FILO_SPATIAL_VALUES; k++)
                move_down(rows->values[k], at, part->begin, part->count);
            part->begin = at;
        }
        at += part->count;
    }
    rebuild->row_count = at;
}

// ---- Grid -------------------------------------------------------------------------------------------------

// The least power of two that is not below `count`, which is at least 1; as exponent.
static uint32_t bits_for(uint64_t count) {
    return count <= 1 ? 0 : 64 - (uint32_t)__builtin_clzll(count - 1);
}

// The largest number of slots whose cost does not exceed that of the rows.
static uint64_t most_slots(size_t rows) { return 4 * (uint64_t)rows + 4096; }

// Widens a range by the cell of a coordinate, where `here` is all ones.
SPATIAL_INLINE void widen(int32_t *low, int32_t *high, int32_t cell, int32_t here) {
    int32_t least = (cell & here) | (~here & INT32_MAX), most = (cell & here) | (~here & INT32_MIN);
    *low = least < *low ? least : *low;
    *high = most > *high ? most : *high;
}

// The range of cells in use.
SPATIAL_INLINE SpatialRange find_range(const Rebuild *rebuild, size_t at, size_t count, bool space) {
    int32_t left = INT32_MAX, right = INT32_MIN, bottom = INT32_MAX, top = INT32_MIN;
    int32_t front = space ? INT32_MAX : 0, back = space ? INT32_MIN : 0;
    if (count == 0) return (SpatialRange){ left, right, bottom, top, front, back }; // there may be no arrays
    const float *x = rebuild->rows.x + at, *y = rebuild->rows.y + at,
                *z = space ? rebuild->rows.z + at : NULL;
    float cells_per_unit = rebuild->spatial->cells_per_unit;
    for (size_t i = 0; i < count; i++) {
        uint32_t here = space ? spatial_finite_mask3(x[i], y[i], z[i]) : spatial_finite_mask(x[i], y[i]);
        widen(&left, &right, spatial_cell(x[i], cells_per_unit), (int32_t)here);
        widen(&bottom, &top, spatial_cell(y[i], cells_per_unit), (int32_t)here);
        if (space) widen(&front, &back, spatial_cell(z[i], cells_per_unit), (int32_t)here);
    }
    return (SpatialRange){ left, right, bottom, top, front, back };
}

static SpatialRange find_range_in_plane(const Rebuild *rebuild, size_t at, size_t count) {
    return find_range(rebuild, at, count, false);
}

static SpatialRange find_range_in_space(const Rebuild *rebuild, size_t at, size_t count) {
    return find_range(rebuild, at, count, true);
}

static void find_ranges(size_t begin, size_t end, void *user) {
    const Rebuild *rebuild = user;
    for (size_t i = begin; i < end; i++) {
        SpatialPart *part = &rebuild->parts[i];
        part->range = rebuild->spatial->space ? find_range_in_space(rebuild, part->begin, part->count)
                                              : find_range_in_plane(rebuild, part->begin, part->count);
    }
}

static uint64_t range_size(int32_t low, int32_t high) { return (uint64_t)((int64_t)high - low + 1); }

// Whether a grid has at most `most` slots. The product of three ranges may exceed 64 bits, that of two does not.
static bool is_small(uint64_t width, uint64_t height, uint64_t depth, uint64_t most) {
    return width * height <= most && depth <= most / (width * height);
}

// Adds a margin, so that the grid fits for longer, unless that makes it too large.
static void add_margin(SpatialGrid *grid, bool space, uint64_t most) {
    int32_t columns = (int32_t)(grid->width / 32 + 1), rows = (int32_t)(grid->height / 32 + 1);
    int32_t layers = space ? (int32_t)(grid->depth / 32 + 1) : 0;
    uint64_t width = grid->width + 2 * (uint64_t)columns, height = grid->height + 2 * (uint64_t)rows;
    uint64_t depth = grid->depth + 2 * (uint64_t)layers;
    if (!is_small(width, height, depth, most)) return;
    SpatialRange *used = &grid->used;
    used->left -= columns, used->right += columns, grid->width = (uint32_t)width;
    used->bottom -= rows, used->top += rows, grid->height = (uint32_t)height;
    used->front -= layers, used->back += layers, grid->depth = (uint32_t)depth;
}

// Gives each direction the same number of bits, as far as it needs them. The first ones get what is left over.
static void fold(SpatialGrid *grid, const uint64_t sizes[3], uint64_t most) {
    uint32_t bits[3] = { 0 }, left = 63 - (uint32_t)__builtin_clzll(most);
    for (bool more = true; more && left > 0;) {
        more = false;
        for (size_t i = 0; i < 3 && left > 0; i++) {
            if (bits[i] == bits_for(sizes[i])) continue;
            bits[i]++, left--;
            more = true;
        }
    }
    grid->width = 1u << bits[0], grid->column_mask = grid->width - 1;
    grid->height = 1u << bits[1], grid->row_mask = grid->height - 1;
    grid->depth = 1u << bits[2], grid->layer_mask = grid->depth - 1;
}

// The cells of all parts.
static SpatialRange join_ranges(const Rebuild *rebuild) {
    SpatialRange all = rebuild->parts[0].range;
    for (size_t i = 1; i < rebuild->part_count; i++) {
        const SpatialRange *range = &rebuild->parts[i].range;
        all.left = FILO_MIN(all.left, range->left), all.right = FILO_MAX(all.right, range->right);
        all.bottom = FILO_MIN(all.bottom, range->bottom), all.top = FILO_MAX(all.top, range->top);
        all.front = FILO_MIN(all.front, range->front), all.back = FILO_MAX(all.back, range->back);
    }
    return all;
}

static void fit_grid(Rebuild *rebuild) {
    SpatialGrid grid = { join_ranges(rebuild), 1, 1, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX, NULL };
    const SpatialRange *used = &grid.used;
    if (used->left > used->right) { // no finite position
        grid.used = (SpatialRange){ 0, -1, 0, -1, 0, 0 };
    } else {
        const uint64_t sizes[3] = { range_size(used->left, used->right), range_size(used->bottom, used->top),
                                    range_size(used->front, used->back) };
        uint64_t most = most_slots(rebuild->row_count);
        if (is_small(sizes[0], sizes[1], sizes[2], most)) {
            grid.width = (uint32_t)sizes[0], grid.height = (uint32_t)sizes[1],
            grid.depth = (uint32_t)sizes[2];
            add_margin(&grid, rebuild->spatial->space, most);
        } else {
            fold(&grid, sizes, most);
        }
    }
    rebuild->grid = grid;
    rebuild->slots = grid.width * grid.height * grid.depth;
}

static void choose_bands(Rebuild *rebuild, size_t rows) {
    size_t wanted = FILO_CLAMP(rows / BAND_ROWS, (size_t)1, (size_t)SPATIAL_BANDS);
    uint32_t bits = 0;
    while (((rebuild->slots - 1) >> bits) + 1 > wanted) bits++;
    rebuild->band_bits = bits;
    rebuild->band_count = ((rebuild->slots - 1) >> bits) + 1;
}

// Tries the grid of the last rebuild.
static void reuse_grid(Rebuild *rebuild, size_t rows) {
    const SpatialGrid *last = &rebuild->spatial->grid;
    rebuild->counted = last->used.left <= last->used.right && last->column_mask == UINT32_MAX;
    if (!rebuild->counted) return;
    rebuild->grid = *last;
    rebuild->slots = last->width * last->height * last->depth;
    choose_bands(rebuild, rows);
}

// Whether all rows are in the reused grid, and a grid that is fitted to them would not be folded either.
static bool reused_grid_fits(const Rebuild *rebuild) {
    if (!rebuild->counted || rebuild->slots > most_slots(rebuild->row_count)) return false;
    for (size_t i = 0; i < rebuild->part_count; i++)
        if (rebuild->parts[i].outside) return false;
    return true;
}

// ---- Spread -----------------------------------------------------------------------------------------------

// Turns counts into where the first record of each part goes in each band.
static void sort_bands(Rebuild *rebuild) {
    uint32_t at = 0;
    for (size_t band = 0; band <= rebuild->band_count; band++) {
        rebuild->band_begin[band] = at;
        for (size_t i = 0; i < rebuild->part_count; i++) {
            uint32_t count = rebuild->parts[i].counts[band];
            rebuild->parts[i].counts[band] = at;
            at += count;
        }
    }
    rebuild->band_begin[rebuild->band_count + 1] = at;
}

// These two functions copy pointers to local variables, because the compiler must assume that each store may change
// the originals.
static void spread_part(const Rebuild *rebuild, SpatialPart *part) {
    const float *x = rebuild->rows.x, *y = rebuild->rows.y;
    const uint32_t *slots = rebuild->rows.numbers;
    SpatialRecord *restrict records = rebuild->records;
    uint32_t *restrict next = part->counts, bits = rebuild->band_bits;
    for (size_t row = part->begin, last = row + part->count; row < last; row++) {
        SpatialRecord *record = &records[next[slots[row] >> bits]++];
        record->x = x[row];
        record->y = y[row];
        record->row = (uint32_t)row;
        record->slot = slots[row];
    }
}

static void spread(size_t begin, size_t end, void *user) {
    const Rebuild *rebuild = user;
    for (size_t i = begin; i < end; i++) spread_part(rebuild, &rebuild->parts[i]);
}

// ---- Settle -----------------------------------------------------------------------------------------------

SPATIAL_INLINE void settle_band(const Rebuild *rebuild, uint32_t band, bool space) {
    const SpatialColumns *rows = &rebuild->rows, *items = &rebuild->items;
    uint32_t first = rebuild->band_begin[band], last = rebuild->band_begin[band + 1];
    uint32_t slot = band << rebuild->band_bits;
    uint32_t slot_end = FILO_MIN(slot + (1u << rebuild->band_bits), rebuild->slots);
    uint32_t *restrict ends = rebuild->ends;
    const SpatialRecord *records = rebuild->records;
    memset(ends + slot, 0, (slot_end - slot) * sizeof *ends);
    for (uint32_t i = first; i < last; i++) ends[records[i].slot]++;
    for (uint32_t at = first; slot < slot_end; slot++) { // where each begins
        uint32_t count = ends[slot];
        ends[slot] = at;
        at += count;
    }
    float *restrict x = items->x, *restrict y = items->y, *restrict z = items->z;
    const float *z_of = rows->z;
    uint32_t *restrict numbers = items->numbers;
    FiloEntity *restrict entities = items->entities;
    const FiloEntity *entity_of = rows->entities;
    for (uint32_t i = first; i < last; i++) {
        const SpatialRecord *record = &records[i];
        uint32_t item = ends[record->slot]++; // when all are there, where it ends
        x[item] = record->x;
        y[item] = record->y;
        if (space) z[item] = z_of[record->row];
        numbers[item] = record->row;
        entities[item] = entity_of[record->row];
    }
    if (items->radii != NULL)
        for (uint32_t i = first; i < last; i++) items->radii[i] = rows->radii[items->numbers[i]];
    for (size_t k = 0; k < FILO_SPATIAL_VALUES; k++)
        if (items->values[k] != NULL)
            for (uint32_t i = first; i < last; i++) items->values[k][i] = rows->values[k][items->numbers[i]];
}

static void settle(size_t begin, size_t end, void *user) {
    const Rebuild *rebuild = user;
    if (rebuild->spatial->space)
        for (size_t band = begin; band < end; band++) settle_band(rebuild, (uint32_t)band, true);
    else
        for (size_t band = begin; band < end; band++) settle_band(rebuild, (uint32_t)band, false);
}

// ---- All of it --------------------------------------------------------------------------------------------

static void run_parts(Rebuild *rebuild, FiloRangeFunction function) {
    if (rebuild->part_count > 1)
        filo_jobs_for_each(filo_world_jobs(rebuild->spatial->world), rebuild->part_count, function, rebuild);
    else
        function(0, rebuild->part_count, rebuild);
}

static void cut_parts(Rebuild *rebuild, size_t rows) {
    FiloJobs *jobs = filo_world_jobs(rebuild->spatial->world);
    size_t threads = jobs != NULL ? (size_t)filo_jobs_threads(jobs) : 1;
    size_t most = threads > 1 ? FILO_MIN(threads * 4, (size_t)SPATIAL_PARTS) : 1;
    rebuild->part_count = FILO_CLAMP(rows / PART_ROWS, (size_t)1, most);
    for (size_t i = 0; i < rebuild->part_count; i++) {
        size_t begin = rows * i / rebuild->part_count;
        rebuild->parts[i].begin = begin;
        rebuild->parts[i].count = rows * (i + 1) / rebuild->part_count - begin;
    }
}

static bool gather_all(Rebuild *rebuild) {
    FiloSpatial *spatial = rebuild->spatial;
    size_t rows = filo_query_rows(spatial->query);
    size_t sizes[SPATIAL_BLOCKS] = {
        [SPATIAL_GATHERED] = lay_columns(spatial, NULL, NULL, rows),
        [SPATIAL_PART_BLOCK] = SPATIAL_PARTS * sizeof(SpatialPart),
    };
    if (!grow_blocks(spatial, sizes)) return false;
    rebuild->parts = spatial->blocks[SPATIAL_PART_BLOCK].memory;
    lay_columns(spatial, &rebuild->rows, spatial->blocks[SPATIAL_GATHERED].memory, rows);
    cut_parts(rebuild, rows);
    reuse_grid(rebuild, rows);
    uint64_t failures = filo_out_of_memory_count(); // iterations report one if they cannot gather pointers
    run_parts(rebuild, gather);
    if (filo_out_of_memory_count() != failures) return false;
    close_gaps(rebuild);
    return true;
}

static bool sort_all(Rebuild *rebuild) {
    FiloSpatial *spatial = rebuild->spatial;
    if (!reused_grid_fits(rebuild)) {
        run_parts(rebuild, find_ranges);
        fit_grid(rebuild);
        choose_bands(rebuild, rebuild->row_count);
        rebuild->counted = false;
    }
    size_t sizes[SPATIAL_BLOCKS] = {
        [SPATIAL_RECORDS] = rebuild->row_count * sizeof(SpatialRecord),
        [SPATIAL_ITEMS] = lay_columns(spatial, NULL, NULL, rebuild->row_count),
        [SPATIAL_ENDS] = ((size_t)rebuild->slots + 1) * sizeof(uint32_t),
    };
    if (!grow_blocks(spatial, sizes)) return false;
    rebuild->records = spatial->blocks[SPATIAL_RECORDS].memory;
    lay_columns(spatial, &rebuild->items, spatial->blocks[SPATIAL_ITEMS].memory, rebuild->row_count);
    rebuild->ends = (uint32_t *)spatial->blocks[SPATIAL_ENDS].memory + 1;
    rebuild->ends[-1] = 0;
    rebuild->grid.ends = rebuild->ends;
    if (!rebuild->counted) run_parts(rebuild, count_part);
    sort_bands(rebuild);
    run_parts(rebuild, spread);
    if (rebuild->part_count > 1)
        filo_jobs_for(filo_world_jobs(spatial->world), rebuild->band_count, settle, rebuild);
    else
        settle(0, rebuild->band_count, rebuild);
    return true;
}

bool filo_spatial_rebuild(FiloSpatial *spatial) {
    if (!FILO_CHECK(spatial != NULL, "pass the index that filo_spatial_create made")) return false;
    if (!spatial_allowed(spatial, FILO_ACCESS_WRITE)) return false;
    Rebuild rebuild = { .spatial = spatial };
    if (!gather_all(&rebuild) || !sort_all(&rebuild)) return false;
    spatial->grid = rebuild.grid;
    spatial->items = (FiloSpatialItems){ .count = rebuild.band_begin[rebuild.band_count],
                                         .x = rebuild.items.x,
                                         .y = rebuild.items.y,
                                         .z = rebuild.items.z,
                                         .entities = rebuild.items.entities,
                                         .rows = rebuild.items.numbers,
                                         .radii = rebuild.items.radii };
    for (size_t i = 0; i < FILO_SPATIAL_VALUES; i++) spatial->items.values[i] = rebuild.items.values[i];
    spatial->nowhere = rebuild.row_count - spatial->items.count;
    spatial->largest_radius = 0.0f;
    for (size_t i = 0; i < rebuild.part_count; i++)
        spatial->largest_radius = FILO_MAX(spatial->largest_radius, rebuild.parts[i].largest_radius);
    spatial->rebuilds++;
    return true;
}
