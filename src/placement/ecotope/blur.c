// Blurs an expression: evaluates it on a grid over the world, averages it three times by a box in each direction, which is
// nearly a bell curve, and adds it to the maps of the placement. All of it is integer arithmetic.

#include "placement/ecotope/ecotope.h"

#include "placement/run.h"
#include "placement/scalar.h"

#include <stdio.h>

#define CHUNK PLACEMENT_POINTS // values of a row that are evaluated at once

typedef struct Grid {
    FiloPlacement *placement;
    const FiloAllocator *allocator;
    int width, height;
    int radius_x, radius_y; // of the boxes
    uint16_t *values, *other;
    uint64_t *sums; // [width]
} Grid;

// ---- Evaluating -----------------------------------------------------------------------------------------------

// Programs run on cells; here a cell is a part of a row of the grid.
typedef struct Evaluation {
    const PlacementKernels *kernels;
    PlacementRun run;
    PlacementFootprint footprint;
    int32_t noise_x[PLACEMENT_PROGRAM_NOISES][CHUNK], noise_y[PLACEMENT_PROGRAM_NOISES][CHUNK];
    int32_t registers[PLACEMENT_PROGRAM_REGISTERS][CHUNK];
} Evaluation;

// Metres from the corner of the world to the centre of a value.
static double centre(int index, int count, float size) {
    return ((double)index + 0.5) / (double)count * (double)size;
}

static void sample_chunk(const Grid *grid, const PlacementMap *map, int x, int y, int count, int32_t *to) {
    const FiloPlacement *p = grid->placement;
    int32_t at_y = placement_base(centre(y, grid->height, p->size.y), 0, p->size.y, map->reader.full_height);
    for (int i = 0; i < count; i++) {
        int32_t at_x =
            placement_base(centre(x + i, grid->width, p->size.x), 0, p->size.x, map->reader.full_width);
        to[i] = (int32_t)(((placement_sample_at(map, at_x, at_y) + 32768u) >> 16) + 1) >> 1;
    }
}

static void place_noises(const Grid *grid, Evaluation *e, int x, int y, int count) {
    const FiloPlacement *p = grid->placement;
    for (size_t n = 0; n < e->footprint.program.noise_count; n++) {
        float wavelength = e->footprint.program.noises[n].wavelength;
        int32_t at_y = placement_noise_base(p->corner_y + centre(y, grid->height, p->size.y), wavelength);
        for (int i = 0; i < CHUNK; i++) {
            double at = p->corner_x + centre(x + FILO_MIN(i, count - 1), grid->width, p->size.x);
            e->noise_x[n][i] = placement_noise_base(at, wavelength);
            e->noise_y[n][i] = at_y;
        }
    }
}

static void evaluate_chunk(const Grid *grid, Evaluation *e, int x, int y, int count) {
    const PlacementProgram *program = &e->footprint.program;
    place_noises(grid, e, x, y, count);
    for (size_t i = 0; i < program->op_count; i++) {
        const PlacementOp *op = &program->ops[i];
        if (op->code == PLACEMENT_OP_SAMPLE) {
            sample_chunk(grid, &grid->placement->maps[op->imm], x, y, count, e->registers[op->to]);
        } else if (op->code == PLACEMENT_OP_LAYER) {
            uint16_t *to = grid->values + (size_t)y * (size_t)grid->width + x;
            for (int k = 0; k < count; k++)
                to[k] = (uint16_t)(((uint32_t)e->registers[op->a][k] * 65535u + 16384u) >> 15);
        } else {
            e->kernels->operate(&e->run, op, 0, 0, e->registers);
        }
    }
}

static FiloResult evaluate(const Grid *grid, PlacementProgram *program) {
    Evaluation *e = filo_alloc_zero(grid->allocator, sizeof *e, 64);
    if (e == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory to blur");
    e->kernels = placement_kernels(FILO_PLACEMENT_BEST);
    e->footprint.points = CHUNK;
    e->footprint.program = *program;
    e->run.footprint = &e->footprint;
    e->run.placement = grid->placement;
    for (size_t n = 0; n < program->noise_count; n++) {
        e->run.x.noise[n] = e->noise_x[n];
        e->run.y.noise[n] = e->noise_y[n];
    }
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x += CHUNK)
            evaluate_chunk(grid, e, x, y, FILO_MIN(CHUNK, grid->width - x));
    filo_free(grid->allocator, e, sizeof *e, 64);
    return filo_ok();
}

// ---- Boxes ----------------------------------------------------------------------------------------------------

// The average of the values from `radius` before to `radius` after each; beyond the border, its value counts.
static void blur_row(const uint16_t *from, uint16_t *to, int count, int radius) {
    uint64_t sum = (uint64_t)from[0] * (uint64_t)radius, width = (uint64_t)radius * 2 + 1;
    for (int i = 0; i <= radius; i++) sum += from[FILO_MIN(i, count - 1)];
    for (int i = 0; i < count; i++) {
        to[i] = (uint16_t)((sum + width / 2) / width);
        sum += from[FILO_MIN(i + radius + 1, count - 1)];
        sum -= from[FILO_MAX(i - radius, 0)];
    }
}

static void blur_rows(Grid *grid) {
    size_t width = (size_t)grid->width;
    for (size_t y = 0; y < (size_t)grid->height; y++)
        blur_row(grid->values + y * width, grid->other + y * width, grid->width, grid->radius_x);
}

// The same for all columns at once, row by row.
static void blur_columns(Grid *grid) {
    size_t width = (size_t)grid->width;
    int last = grid->height - 1, radius = grid->radius_y;
    uint64_t divisor = (uint64_t)radius * 2 + 1;
    for (size_t x = 0; x < width; x++) grid->sums[x] = (uint64_t)grid->values[x] * (uint64_t)radius;
    for (int i = 0; i <= radius; i++) {
        const uint16_t *row = grid->values + (size_t)FILO_MIN(i, last) * width;
        for (size_t x = 0; x < width; x++) grid->sums[x] += row[x];
    }
    for (int y = 0; y <= last; y++) {
        uint16_t *to = grid->other + (size_t)y * width;
        const uint16_t *enter = grid->values + (size_t)FILO_MIN(y + radius + 1, last) * width;
        const uint16_t *leave = grid->values + (size_t)FILO_MAX(y - radius, 0) * width;
        for (size_t x = 0; x < width; x++) {
            to[x] = (uint16_t)((grid->sums[x] + divisor / 2) / divisor);
            grid->sums[x] = grid->sums[x] + enter[x] - leave[x];
        }
    }
}

static void blur(Grid *grid) {
    for (int pass = 0; pass < 6; pass++) {
        if (pass < 3)
            blur_rows(grid);
        else
            blur_columns(grid);
        uint16_t *swap = grid->values;
        grid->values = grid->other;
        grid->other = swap;
    }
}

// ---- The map --------------------------------------------------------------------------------------------------

static int cells_of(float size, double resolution) {
    double count = (double)size / resolution;
    int whole = count < 1 ? 1 : count > 1e8 ? 100000000 : (int)count;
    return whole + ((double)whole < count);
}

static int box_radius(double metres, float size, int count) {
    double radius = metres / 3 / ((double)size / count) + 0.5;
    return radius < 1 ? 1 : radius > count ? count : (int)radius;
}

// Chooses the size of the grid: as fine as the finest map of the program.
static FiloResult choose_grid(Grid *grid, const PlacementCompiler *compiler, const PlacementNode *node,
                              const PlacementProgram *program) {
    const FiloPlacement *p = grid->placement;
    double resolution = node->number / 6;
    for (size_t i = 0; i < program->op_count; i++) {
        if (program->ops[i].code != PLACEMENT_OP_SAMPLE) continue;
        const PlacementMap *map = &p->maps[program->ops[i].imm];
        const PlacementReader *r = &map->reader;
        if (r->width != r->full_width || r->height != r->full_height)
            return placement_ecotope_error(
                compiler->file, node->location, FILO_ERROR_UNSUPPORTED,
                "blur: the map \"%s\" is a window of a larger one; only whole maps can be blurred",
                map->name);
        resolution = FILO_MIN(resolution, (double)p->size.x / r->full_width);
        resolution = FILO_MIN(resolution, (double)p->size.y / r->full_height);
    }
    if (node->second > 0) resolution = node->second;
    grid->width = cells_of(p->size.x, resolution);
    grid->height = cells_of(p->size.y, resolution);
    if ((int64_t)grid->width * grid->height > PLACEMENT_GRID_MAX)
        return placement_ecotope_error(
            compiler->file, node->location, FILO_ERROR_LIMIT,
            "blur: %d × %d values, there may be %d: state a coarser \"resolution\"", grid->width,
            grid->height, PLACEMENT_GRID_MAX);
    grid->radius_x = box_radius(node->number, p->size.x, grid->width);
    grid->radius_y = box_radius(node->number, p->size.y, grid->height);
    return filo_ok();
}

// The last values are those of the map; the rest of the memory is freed.
static FiloResult add_map(Grid *grid, FiloResult result, int *map) {
    FiloPlacement *p = grid->placement;
    size_t size = (size_t)grid->width * (size_t)grid->height * sizeof(uint16_t);
    filo_free(grid->allocator, grid->other, size, 0);
    filo_free(grid->allocator, grid->sums, (size_t)grid->width * sizeof *grid->sums, 0);
    if (result.code != FILO_OK) {
        filo_free(grid->allocator, grid->values, size, 0);
        return result;
    }
    PlacementMap *to = &p->maps[p->map_count];
    *to = (PlacementMap){ .data = (const uint8_t *)grid->values, .owned = grid->values, .owned_size = size };
    to->reader = placement_reader(
        &(FiloTerrainMap){
            .data = to->data, .format = FILO_MAP_U16, .width = grid->width, .height = grid->height },
        FILO_MAP_BILINEAR);
    snprintf(to->name, sizeof to->name, "blur %d", p->map_count);
    *map = p->map_count++;
    return result;
}

static FiloResult make(Grid *grid, PlacementProgram *program) {
    size_t count = (size_t)grid->width * (size_t)grid->height;
    grid->values = filo_alloc(grid->allocator, count * sizeof(uint16_t), 0);
    grid->other = filo_alloc(grid->allocator, count * sizeof(uint16_t), 0);
    grid->sums = filo_alloc(grid->allocator, (size_t)grid->width * sizeof *grid->sums, 0);
    if (grid->values == NULL || grid->other == NULL || grid->sums == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory to blur");
    FiloResult result = evaluate(grid, program);
    if (result.code == FILO_OK) blur(grid);
    return result;
}

FiloResult placement_ecotope_blur(FiloPlacement *p, const PlacementCompiler *compiler, uint32_t node,
                                  uint32_t value, int *map) {
    const PlacementNode *n = &compiler->file->nodes.items[node];
    Grid grid = { .placement = p, .allocator = p->allocator };
    PlacementProgram program;
    *map = -1;
    if (p->map_count > FILO_PLACEMENT_MAPS)
        return placement_ecotope_error(compiler->file, n->location, FILO_ERROR_LIMIT,
                                       "blur: there are more than %d maps, blurs included",
                                       FILO_PLACEMENT_MAPS);
    FiloResult result = placement_graph_emit(&program, &compiler->graph, &(PlacementRoot){ value, 0 }, 1,
                                             "blur", p->allocator);
    if (result.code == FILO_OK) {
        result = choose_grid(&grid, compiler, n, &program);
        if (result.code == FILO_OK) result = add_map(&grid, make(&grid, &program), map);
        placement_program_free(&program, p->allocator);
    }
    return result;
}
