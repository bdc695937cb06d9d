// A row of cells, candidate by candidate, without tables.

#include "placement/run.h"
#include "placement/scalar.h"

// The bases of a block, which the next cell probably is in as well.
typedef struct BlockBases {
    PlacementBases bases;
    int32_t block_x, block_y;
    bool valid;
} BlockBases;

static const PlacementBases *bases_of(const PlacementRun *run, BlockBases *last, int32_t cell_x,
                                      int32_t cell_y) {
    const FiloPlacement *p = run->placement;
    int32_t block_x = placement_block(cell_x), block_y = placement_block(cell_y);
    if (last->valid && last->block_x == block_x && last->block_y == block_y) return &last->bases;
    *last = (BlockBases){ .bases.maps = run->maps, .block_x = block_x, .block_y = block_y, .valid = true };
    for (int i = 0; i < p->map_count; i++) {
        const PlacementReader *r = &run->maps[i].reader;
        last->bases.x[i] =
            placement_base((double)block_x * run->footprint->block, p->corner_x, p->size.x, r->full_width);
        last->bases.y[i] =
            placement_base((double)block_y * run->footprint->block, p->corner_y, p->size.y, r->full_height);
    }
    return &last->bases;
}

static void evaluate(const PlacementRun *run, int row, uint8_t *winners) {
    const PlacementFootprint *f = run->footprint;
    int points = f->points;
    int32_t cell_y = run->y.first_cell + row;
    BlockBases bases = { .valid = false };
    for (int column = 0; column < run->x.count; column++)
        for (int i = 0; i < points; i++) {
            int32_t cell_x = run->x.first_cell + column;
            uint8_t *winner = &winners[column * points + i];
            *winner = 0;
            if (run->x.inside[column * points + i] == 0 || run->y.inside[row * points + i] == 0) continue;
            PlacementPoint at = placement_point(f, cell_x, cell_y, i);
            at.bases = bases_of(run, &bases, cell_x, cell_y);
            *winner = placement_evaluate(&(PlacementCandidate){
                .placement = run->placement,
                .footprint = f,
                .maps = run->maps,
                .at = at,
                .threshold = placement_threshold(f, cell_x, cell_y, i),
                .claims = &run->claims,
                .unit_x = run->x.units != NULL ? run->x.units[column * points + i] : 0,
                .unit_y = run->y.units != NULL ? run->y.units[row * points + i] : 0,
            });
        }
}

static void count(const PlacementRun *run, const uint8_t *winners, uint32_t *counts) {
    memset(counts, 0, (size_t)run->footprint->layer_count * sizeof counts[0]);
    for (int i = 0; i < run->x.count * run->footprint->points; i++)
        if (winners[i] != 0) counts[winners[i] - 1]++;
}

static void write(const PlacementRun *run, int row, const uint8_t *winners, uint32_t *next) {
    const PlacementFootprint *f = run->footprint;
    int points = f->points;
    int32_t cell_y = run->y.first_cell + row;
    BlockBases bases = { .valid = false };
    for (int column = 0; column < run->x.count; column++)
        for (int i = 0; i < points; i++) {
            int32_t cell_x = run->x.first_cell + column;
            uint8_t winner = winners[column * points + i];
            if (winner == 0) continue;
            PlacementPoint at = placement_point(f, cell_x, cell_y, i);
            at.bases = bases_of(run, &bases, cell_x, cell_y);
            run->objects[next[winner - 1]++] = (FiloPlaced){
                .x = at.x,
                .y = at.y,
                .z = placement_height_at(run->placement, &run->maps[PLACEMENT_HEIGHT], at),
                .layer = (uint16_t)(f->first_layer + winner - 1),
                .block_x = (uint8_t)placement_block(cell_x),
                .block_y = (uint8_t)placement_block(cell_y),
            };
        }
}

const PlacementKernels placement_kernels_scalar = { evaluate, count, write, NULL };

const PlacementKernels *placement_kernels(FiloPlacementPath path) {
    if (path == FILO_PLACEMENT_SCALAR) return &placement_kernels_scalar;
#ifdef __x86_64__
    if (path != FILO_PLACEMENT_SIMD && __builtin_cpu_supports("avx2")) return &placement_kernels_avx2;
#endif
    return &placement_kernels_simd;
}
