// The loops over whole cells, written with the vectors of gcc and clang, for one width. A source that includes this file
// defines KERNEL_LANES, the number of 32-bit lanes, KERNEL_TARGET, an attribute for its functions, and KERNEL_TABLE, the name
// of the table of functions.
//
// A pattern has 16, 64 or 256 points, so a cell is a whole number of vectors. Texels are loaded one by one: gathering
// instructions are slower on the processors that were measured.

#include "placement/cell_program.h"
#include "placement/run.h"

#include <string.h>

#define INLINE KERNEL_TARGET static inline __attribute__((always_inline))

typedef int32_t Ints __attribute__((vector_size(KERNEL_LANES * 4)));
typedef uint32_t Uints __attribute__((vector_size(KERNEL_LANES * 4)));
typedef float Floats __attribute__((vector_size(KERNEL_LANES * 4)));
typedef int8_t Bytes __attribute__((vector_size(KERNEL_LANES * 4)));

// Macros, because functions that return such vectors have no defined calling convention on every processor.
#define LOAD(vector, from) memcpy(&(vector), (from), sizeof(vector))
#define STORE(to, vector)  memcpy((to), &(vector), sizeof(vector))
#define PICK(mask, a, b)   (((mask) & (a)) | (~(mask) & (b)))

// ---- Sampling -----------------------------------------------------------------------------------------------

// One map at all points of a cell.
typedef struct CellMap {
    const uint8_t *data;
    const PlacementReader *reader;
    const int32_t *x, *y;   // offsets
    const int32_t *wx, *wy; // weights
} CellMap;

INLINE CellMap cell_map(const PlacementRun *run, int map, int column, int row) {
    int reader = run->reader_of[map];
    size_t at_x = (size_t)column * (size_t)run->footprint->points,
           at_y = (size_t)row * (size_t)run->footprint->points;
    const PlacementAxisReader *x = &run->x.readers[reader], *y = &run->y.readers[reader];
    CellMap m = {
        run->maps[map].data, &run->readers[reader], x->offset + at_x, y->offset + at_y, NULL, NULL
    };
    if (x->weight != NULL) m.wx = x->weight + at_x, m.wy = y->weight + at_y;
    return m;
}

INLINE uint32_t load_u16(const uint8_t *from) {
    uint16_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE uint32_t load_u32(const uint8_t *from) {
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

// Loads the texels of all points at `x + y + more`.
KERNEL_TARGET static void load_texels(const CellMap *m, FiloMapFormat format, int32_t more, int points,
                                      int32_t *to) {
    int32_t offsets[PLACEMENT_POINTS];
    const uint8_t *data = m->data + more;
    for (int i = 0; i < points; i++) offsets[i] = m->x[i] + m->y[i];
    if (format == FILO_MAP_U8)
        for (int i = 0; i < points; i++) to[i] = data[offsets[i]] * 257;
    else
        for (int i = 0; i < points; i++) to[i] = (int32_t)load_u16(data + offsets[i]);
}

// The values of a map: 16 bits and 16 bits of fraction.
KERNEL_TARGET static void sample_fine(const CellMap *m, FiloMapFormat format, int points, uint32_t *to) {
    const PlacementReader *r = m->reader;
    if (r->filter == FILO_MAP_NEAREST) {
        load_texels(m, format, 0, points, (int32_t *)to);
        for (int i = 0; i < points; i++) to[i] <<= 16;
        return;
    }
    int32_t right = r->width > 1 ? (int32_t)r->step : 0, up = r->height > 1 ? (int32_t)r->stride : 0;
    int32_t texels[4][PLACEMENT_POINTS];
    load_texels(m, format, 0, points, texels[0]);
    load_texels(m, format, right, points, texels[1]);
    load_texels(m, format, up, points, texels[2]);
    load_texels(m, format, right + up, points, texels[3]);
    for (int i = 0; i < points; i += KERNEL_LANES) {
        Uints a, b, c, d, wx, wy;
        LOAD(a, texels[0] + i), LOAD(b, texels[1] + i), LOAD(c, texels[2] + i), LOAD(d, texels[3] + i);
        LOAD(wx, m->wx + i), LOAD(wy, m->wy + i);
        Uints low = (a << 8) + (b - a) * wx,
              high = (c << 8) + (d - c) * wx; // modulo 2^32; the sums are in range
        Uints value = (low << 8) + (high - low) * wy;
        STORE(to + i, value);
    }
}

// 16 bits.
KERNEL_TARGET static void sample(const CellMap *m, FiloMapFormat format, int points, int32_t *to) {
    if (m->reader->filter == FILO_MAP_NEAREST) {
        load_texels(m, format, 0, points, to);
        return;
    }
    uint32_t fine[PLACEMENT_POINTS];
    sample_fine(m, format, points, fine);
    for (int i = 0; i < points; i += KERNEL_LANES) {
        Uints value;
        LOAD(value, fine + i);
        value = (value + 32768u) >> 16;
        STORE(to + i, value);
    }
}

// ---- Densities ----------------------------------------------------------------------------------------------

// The densities of values of 16 bits, as placement_density computes them.
INLINE void densities(const PlacementLayer *layer, int32_t *values, int points) {
    const float magic = 12582912.0f;
    for (int i = 0; i < points; i += KERNEL_LANES) {
        Ints value;
        LOAD(value, values + i);
        Floats d = __builtin_convertvector(value, Floats) * layer->scale + layer->offset;
        Floats least = d * 0.0f + layer->min, most = d * 0.0f + layer->max;
        Ints below = d < least;
        d = (Floats)PICK(below, (Ints)least, (Ints)d);
        Ints above = d > most;
        d = (Floats)PICK(above, (Ints)most, (Ints)d);
        d = (d * 65536.0f + magic) - magic;
        value = __builtin_convertvector(d, Ints);
        STORE(values + i, value);
    }
}

// Adds the densities of a layer, and gives it the candidates whose sum exceeds their threshold for the first time.
INLINE void claim(const int32_t *density, const int32_t *thresholds, int winner, int32_t *sums,
                  int32_t *winners, int points) {
    for (int i = 0; i < points; i += KERNEL_LANES) {
        Ints sum, value, threshold, won;
        LOAD(sum, sums + i), LOAD(value, density + i), LOAD(threshold, thresholds + i),
            LOAD(won, winners + i);
        sum += value;
        Ints claims = (sum > threshold) & (won == 0);
        won |= claims & winner;
        STORE(sums + i, sum), STORE(winners + i, won);
    }
}

// Writes the winners as bytes; those outside of the area are 0.
INLINE void store_winners(const PlacementRun *run, const int32_t *won, int column, int row,
                          uint8_t *winners) {
    int points = run->footprint->points;
    for (int i = 0; i < points; i++) winners[i] = (uint8_t)won[i];
    if (run->x.all_inside[column] && run->y.all_inside[row]) return;
    const uint8_t *x = run->x.inside + column * points, *y = run->y.inside + row * points;
    for (int i = 0; i < points; i++) winners[i] = winners[i] & x[i] & y[i];
}

INLINE const int32_t *cell_thresholds(const PlacementRun *run, int column, int row) {
    const PlacementFootprint *f = run->footprint;
    int mask = f->n - 1, x = (run->x.first_cell + column) & mask, y = (run->y.first_cell + row) & mask;
    return f->shifted + (size_t)(y * f->n + x) * (size_t)f->points;
}

// ---- Evaluating ---------------------------------------------------------------------------------------------

KERNEL_TARGET static void evaluate_plain(const PlacementRun *run, int column, int row, int32_t *won) {
    const PlacementFootprint *f = run->footprint;
    int points = f->points;
    const int32_t *thresholds = cell_thresholds(run, column, row);
    int32_t sums[PLACEMENT_POINTS], values[PLACEMENT_POINTS];
    memset(sums, 0, (size_t)points * sizeof sums[0]);
    memset(won, 0, (size_t)points * sizeof won[0]);
    for (int l = 0; l < f->layer_count; l++) {
        const PlacementLayer *layer = &f->layers[l];
        CellMap m = cell_map(run, layer->map, column, row);
        sample(&m, run->maps[layer->map].reader.format, points, values);
        densities(layer, values, points);
        claim(values, thresholds, l + 1, sums, won, points);
    }
}

// Baked: every texel has, for each layer, the number of levels below the largest sum so far. They do not decrease, so the
// winner is the number of layers whose levels do not reach the threshold.
KERNEL_TARGET static void evaluate_baked(const PlacementRun *run, int column, int row, int32_t *won) {
    const PlacementFootprint *f = run->footprint;
    int points = f->points, level = PLACEMENT_ONE / points, shift = __builtin_ctz((unsigned)level);
    const int32_t *thresholds = cell_thresholds(run, column, row);
    const PlacementAxisReader *x = &run->x.readers[run->baked_reader],
                              *y = &run->y.readers[run->baked_reader];
    const int32_t *xo = x->offset + column * points, *yo = y->offset + row * points;
    const uint8_t *data = (const uint8_t *)f->baked;
    uint32_t words[PLACEMENT_POINTS];
    int32_t offsets[PLACEMENT_POINTS];
    for (int i = 0; i < points; i++) offsets[i] = xo[i] + yo[i];
    memset(won, 0, (size_t)points * sizeof won[0]);
    for (int w = 0; w < f->baked_words; w++) {
        for (int i = 0; i < points; i++) words[i] = load_u32(data + offsets[i] + w * 4);
        for (int i = 0; i < points; i += KERNEL_LANES) {
            Ints threshold, word, count;
            LOAD(threshold, thresholds + i), LOAD(word, words + i), LOAD(count, won + i);
            threshold = (threshold >> shift) * 0x01010101;
            Uints below = (Uints)((Bytes)word <= (Bytes)threshold) & 0x01010101u;
            below += below >> 16;
            below = (below + (below >> 8)) & 255u;
            count += (Ints)below;
            STORE(won + i, count);
        }
    }
    for (int i = 0; i < points; i += KERNEL_LANES) {
        Ints count;
        LOAD(count, won + i);
        Ints some = count < f->layer_count;
        count = some & (count + 1);
        STORE(won + i, count);
    }
}

// Registers are arrays of one value a point.
KERNEL_TARGET static void evaluate_program(const PlacementRun *run, int column, int row, int32_t *won,
                                           int32_t (*registers)[PLACEMENT_POINTS]) {
    const PlacementFootprint *f = run->footprint;
    int points = f->points;
    const int32_t *thresholds = cell_thresholds(run, column, row);
    int32_t sums[PLACEMENT_POINTS], values[PLACEMENT_POINTS];
    memset(sums, 0, (size_t)points * sizeof sums[0]);
    memset(won, 0, (size_t)points * sizeof won[0]);
    for (size_t o = 0; o < f->program.op_count; o++) {
        const ProgramOp *op = &f->program.ops[o];
        if (op->code == PROGRAM_SAMPLE) {
            CellMap m = cell_map(run, op->imm, column, row);
            int32_t *to = registers[op->to];
            sample(&m, run->maps[op->imm].reader.format, points, to);
            for (int i = 0; i < points; i++) to[i] = (to[i] + 1) >> 1;
        } else if (op->code == PROGRAM_MAP_LAYER) {
            const PlacementLayer *layer = &f->layers[op->imm];
            CellMap m = cell_map(run, layer->map, column, row);
            sample(&m, run->maps[layer->map].reader.format, points, values);
            densities(layer, values, points);
            claim(values, thresholds, op->imm + 1, sums, won, points);
        } else if (op->code == PROGRAM_LAYER) {
            const int32_t *from = registers[op->a];
            for (int i = 0; i < points; i++) values[i] = 2 * from[i];
            claim(values, thresholds, op->imm + 1, sums, won, points);
        } else {
            placement_cell_operate(run, op, column, row, registers);
        }
    }
}

KERNEL_TARGET static void evaluate(const PlacementRun *run, int row, uint8_t *winners) {
    const PlacementFootprint *f = run->footprint;
    int points = f->points;
    int32_t won[PLACEMENT_POINTS] __attribute__((aligned(64)));
    int32_t registers[PROGRAM_REGISTERS][PLACEMENT_POINTS] __attribute__((aligned(64)));
    for (int column = 0; column < run->x.count; column++) {
        if (f->baked != NULL)
            evaluate_baked(run, column, row, won);
        else if (f->plain)
            evaluate_plain(run, column, row, won);
        else
            evaluate_program(run, column, row, won, registers);
        store_winners(run, won, column, row, winners + column * points);
    }
}

// ---- Writing ------------------------------------------------------------------------------------------------

INLINE void heights(const PlacementRun *run, int column, int row, float *z) {
    const FiloPlacement *p = run->placement;
    int points = run->footprint->points;
    const PlacementMap *map = &run->maps[PLACEMENT_HEIGHT];
    if (map->data == NULL) {
        for (int i = 0; i < points; i++) z[i] = p->lowest;
        return;
    }
    uint32_t fine[PLACEMENT_POINTS];
    CellMap m = cell_map(run, PLACEMENT_HEIGHT, column, row);
    sample_fine(&m, map->reader.format, points, fine);
    for (int i = 0; i < points; i += KERNEL_LANES) {
        Uints value;
        LOAD(value, fine + i);
        Floats height = __builtin_convertvector((Ints)(value >> 8), Floats) * p->height_scale + p->lowest;
        STORE(z + i, height);
    }
}

KERNEL_TARGET static void write(const PlacementRun *run, int row, const uint8_t *winners, uint32_t *next) {
    const PlacementFootprint *f = run->footprint;
    int points = f->points;
    uint8_t block_y = (uint8_t)placement_block(run->y.first_cell + row);
    const float *y = run->y.position + row * points;
    for (int column = 0; column < run->x.count; column++, winners += points) {
        uint64_t any = 0;
        for (int i = 0; i < points; i += 8) {
            uint64_t eight;
            memcpy(&eight, winners + i, sizeof eight);
            any |= eight;
        }
        if (any == 0) continue;
        const float *x = run->x.position + column * points;
        uint8_t block_x = (uint8_t)placement_block(run->x.first_cell + column);
        float z[PLACEMENT_POINTS];
        heights(run, column, row, z);
        for (int i = 0; i < points; i++) {
            uint8_t winner = winners[i];
            if (winner == 0) continue;
            run->objects[next[winner - 1]++] =
                (FiloPlaced){ x[i], y[i], z[i], (uint16_t)(f->first_layer + winner - 1), block_x, block_y };
        }
    }
}

const PlacementKernels KERNEL_TABLE = { evaluate, write };
