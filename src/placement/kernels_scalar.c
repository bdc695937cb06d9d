// A row of cells, candidate by candidate, without tables.

#include "placement/run.h"
#include "placement/scalar.h"

static void evaluate(const PlacementRun *run, int row, uint8_t *winners) {
    const PlacementFootprint *f = run->footprint;
    int points = f->points;
    int32_t cell_y = run->y.first_cell + row;
    for (int column = 0; column < run->x.count; column++)
        for (int i = 0; i < points; i++) {
            int32_t cell_x = run->x.first_cell + column;
            uint8_t *winner = &winners[column * points + i];
            *winner = 0;
            if (run->x.inside[column * points + i] == 0 || run->y.inside[row * points + i] == 0) continue;
            *winner = placement_evaluate(&(PlacementCandidate){
                .placement = run->placement,
                .footprint = f,
                .maps = run->maps,
                .at = placement_point(f, cell_x, cell_y, i),
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
    for (int column = 0; column < run->x.count; column++)
        for (int i = 0; i < points; i++) {
            int32_t cell_x = run->x.first_cell + column;
            uint8_t winner = winners[column * points + i];
            if (winner == 0) continue;
            PlacementPoint at = placement_point(f, cell_x, cell_y, i);
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
