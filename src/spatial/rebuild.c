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
    float **wanted[3 + FILO_SPATIAL_VALUES] = { &columns->x, &columns->y,
                                                spatial->radius.wanted ? &columns->radii : NULL };
    for (size_t i = 0; i < FILO_SPATIAL_VALUES; i++)
        wanted[3 + i] = spatial->values[i].wanted ? &columns->values[i] : NULL;
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
static bool find_slots(const Rebuild *rebuild, const float *x, const float *y, uint32_t *slots,
                       size_t count) {
    const SpatialGrid grid = rebuild->grid;
    float cells_per_unit = rebuild->spatial->cells_per_unit;
    uint32_t left = (uint32_t)grid.left, bottom = (uint32_t)grid.bottom, outside = 0;
    uint32_t nowhere = rebuild->band_count << rebuild->band_bits;
    for (size_t i = 0; i < count; i++) {
        uint32_t column = ((uint32_t)spatial_cell(x[i], cells_per_unit) - left) & grid.column_mask;
        uint32_t row = ((uint32_t)spatial_cell(y[i], cells_per_unit) - bottom) & grid.row_mask;
        uint32_t here = spatial_finite_mask(x[i], y[i]);
        uint32_t inside = (0u - (uint32_t)(column < grid.width)) & (0u - (uint32_t)(row < grid.height));
        outside |= here & ~inside;
        here &= inside;
        slots[i] = ((row * grid.width + column) & here) | (nowhere & ~here);
    }
    return outside != 0;
}

static void count_rows(const Rebuild *rebuild, SpatialPart *part, size_t begin, size_t count) {
    const SpatialColumns *rows = &rebuild->rows;
    uint32_t *restrict counts = part->counts, bits = rebuild->band_bits;
    for (size_t at = begin, last = begin + count; at < last; at += BLOCK) {
        size_t some = FILO_MIN(last - at, (size_t)BLOCK);
        uint32_t *slots = rows->numbers + at;
        part->outside |= find_slots(rebuild, rows->x + at, rows->y + at, slots, some);
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

// One or two floats of each row; `missing` where a row has none.
static void copy_floats(const FiloIter *it, const SpatialSource *source, float missing, float *first,
                        float *second) {
    FiloColumn column = filo_iter_column(it, source->term);
    const uint8_t *data = column.data;
    size_t offset = source->offset, stride = source->stride;
    for (size_t i = 0; i < it->count; i++) {
        const uint8_t *value = column.rows != NULL ? column.rows[i] : data != NULL ? data + i * stride : NULL;
        float pair[2] = { missing, missing };
        if (value != NULL) memcpy(pair, value + offset, second != NULL ? sizeof pair : sizeof pair[0]);
        first[i] = pair[0];
        if (second != NULL) second[i] = pair[1];
    }
}

static void copy_positions(const FiloIter *it, const SpatialSource *source, float *x, float *y) {
    FiloColumn column = filo_iter_column(it, source->term);
    if (column.data == NULL || column.rows != NULL || source->stride != sizeof(FiloVec2)) {
        copy_floats(it, source, __builtin_nanf(""), x, y);
        return;
    }
    const FiloVec2 *positions = column.data; // the usual case, as a loop that becomes vector code
    for (size_t i = 0; i < it->count; i++) {
        x[i] = positions[i].x;
        y[i] = positions[i].y;
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
    copy_positions(it, &spatial->position, rows->x + at, rows->y + at);
    filo_iter_entities(it, rows->entities + at);
    if (rebuild->counted) count_rows(rebuild, part, at, it->count);
    if (rows->radii != NULL) {
        copy_floats(it, &spatial->radius, 0.0f, rows->radii + at, NULL);
        float largest = clean_radii(rows->radii + at, it->count);
        part->largest_radius = FILO_MAX(part->largest_radius, largest);
    }
    for (size_t i = 0; i < FILO_SPATIAL_VALUES; i++)
        if (rows->values[i] != NULL) copy_floats(it, &spatial->values[i], 0.0f, rows->values[i] + at, NULL);
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

// The range of cells in use.
static void find_range(SpatialPart *part, float cells_per_unit, const float *x, const float *y,
                       size_t count) {
    int32_t left = INT32_MAX, right = INT32_MIN, bottom = INT32_MAX, top = INT32_MIN;
    for (size_t i = 0; i < count; i++) {
        int32_t column = spatial_cell(x[i], cells_per_unit), row = spatial_cell(y[i], cells_per_unit);
        int32_t here = (int32_t)spatial_finite_mask(x[i], y[i]);
        int32_t least = ~here & INT32_MAX, most = ~here & INT32_MIN; // where it does not count
        int32_t low_column = (column & here) | least, high_column = (column & here) | most;
        int32_t low_row = (row & here) | least, high_row = (row & here) | most;
        left = low_column < left ? low_column : left;
        right = high_column > right ? high_column : right;
        bottom = low_row < bottom ? low_row : bottom;
        top = high_row > top ? high_row : top;
    }
    part->left = left, part->right = right, part->bottom = bottom, part->top = top;
}

static void find_ranges(size_t begin, size_t end, void *user) {
    const Rebuild *rebuild = user;
    for (size_t i = begin; i < end; i++) {
        SpatialPart *part = &rebuild->parts[i];
        find_range(part, rebuild->spatial->cells_per_unit, rebuild->rows.x + part->begin,
                   rebuild->rows.y + part->begin, part->count);
    }
}

static uint64_t range_size(int32_t low, int32_t high) { return (uint64_t)((int64_t)high - low + 1); }

// Adds a margin, so that the grid fits for longer, unless that makes it too large.
static void add_margin(SpatialGrid *grid, uint64_t most) {
    int32_t columns = (int32_t)(grid->width / 32 + 1), rows = (int32_t)(grid->height / 32 + 1);
    uint64_t width = grid->width + 2 * (uint64_t)columns, height = grid->height + 2 * (uint64_t)rows;
    if (width * height > most) return;
    grid->left -= columns, grid->right += columns, grid->width = (uint32_t)width;
    grid->bottom -= rows, grid->top += rows, grid->height = (uint32_t)height;
}

static void fold(SpatialGrid *grid, uint64_t width, uint64_t height, uint64_t most) {
    uint32_t bits = 63 - (uint32_t)__builtin_clzll(most);
    uint32_t width_bits = FILO_MIN(bits_for(width), bits - bits / 2);
    uint32_t height_bits = FILO_MIN(bits_for(height), bits - width_bits);
    width_bits = FILO_MIN(bits_for(width), bits - height_bits); // what the other one did not need
    grid->width = 1u << width_bits, grid->column_mask = grid->width - 1;
    grid->height = 1u << height_bits, grid->row_mask = grid->height - 1;
}

static void fit_grid(Rebuild *rebuild) {
    SpatialGrid grid = { INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, 1, 1, UINT32_MAX, UINT32_MAX, NULL };
    for (size_t i = 0; i < rebuild->part_count; i++) {
        const SpatialPart *part = &rebuild->parts[i];
        grid.left = FILO_MIN(grid.left, part->left);
        grid.right = FILO_MAX(grid.right, part->right);
        grid.bottom = FILO_MIN(grid.bottom, part->bottom);
        grid.top = FILO_MAX(grid.top, part->top);
    }
    if (grid.left > grid.right) { // no finite position
        grid.left = grid.bottom = 0, grid.right = grid.top = -1;
    } else {
        uint64_t width = range_size(grid.left, grid.right), height = range_size(grid.bottom, grid.top);
        uint64_t most = most_slots(rebuild->row_count);
        if (width * height <= most) {
            grid.width = (uint32_t)width, grid.height = (uint32_t)height;
            add_margin(&grid, most);
        } else {
            fold(&grid, width, height, most);
        }
    }
    rebuild->grid = grid;
    rebuild->slots = grid.width * grid.height;
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
    rebuild->counted = last->left <= last->right && last->column_mask == UINT32_MAX;
    if (!rebuild->counted) return;
    rebuild->grid = *last;
    rebuild->slots = last->width * last->height;
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

static void settle_band(const Rebuild *rebuild, uint32_t band) {
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
    float *restrict x = items->x, *restrict y = items->y;
    uint32_t *restrict numbers = items->numbers;
    FiloEntity *restrict entities = items->entities;
    const FiloEntity *entity_of = rows->entities;
    for (uint32_t i = first; i < last; i++) {
        const SpatialRecord *record = &records[i];
        uint32_t item = ends[record->slot]++; // when all are there, where it ends
        x[item] = record->x;
        y[item] = record->y;
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
    for (size_t band = begin; band < end; band++) settle_band(user, (uint32_t)band);
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
