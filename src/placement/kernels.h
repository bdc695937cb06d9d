// The loops over whole cells, written with the vectors of gcc and clang, for one width. A source that includes this file
// defines KERNEL_LANES, the number of 32-bit lanes, KERNEL_TARGET, an attribute for its functions, and KERNEL_TABLE, the name
// of the table of functions.
//
// A pattern has 16, 64 or 256 points, so a cell is a whole number of vectors. Texels are loaded one by one: gathering
// instructions are slower on the processors that were measured.

#include "placement/run.h"
#include "placement/scalar.h"

#include <string.h>

#define INLINE KERNEL_TARGET static inline __attribute__((always_inline))

typedef int32_t Ints __attribute__((vector_size(KERNEL_LANES * 4)));
typedef uint32_t Uints __attribute__((vector_size(KERNEL_LANES * 4)));
typedef float Floats __attribute__((vector_size(KERNEL_LANES * 4)));
typedef int8_t Bytes __attribute__((vector_size(KERNEL_LANES * 4)));
typedef uint8_t Counts __attribute__((vector_size(KERNEL_LANES * 4)));

// Macros, because functions that return such vectors have no defined calling convention on every processor.
#define LOAD(vector, from) memcpy(&(vector), (from), sizeof(vector))
#define STORE(to, vector)  memcpy((to), &(vector), sizeof(vector))
#define PICK(mask, a, b)   (((mask) & (a)) | (~(mask) & (b)))

#include "placement/kernel_program.h"

// ---- Sampling -----------------------------------------------------------------------------------------------

typedef uint16_t WordLanes __attribute__((vector_size(KERNEL_LANES * 2)));

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

// Offsets of the texels of all points of a cell.
INLINE void cell_offsets(const PlacementRun *run, int reader, int column, int row, int32_t *offsets) {
    int points = run->footprint->points;
    const int32_t *x = run->x.readers[reader].offset + (size_t)column * (size_t)points;
    const int32_t *y = run->y.readers[reader].offset + (size_t)row * (size_t)points;
    for (int i = 0; i < points; i += KERNEL_LANES) {
        Ints a, b;
        LOAD(a, x + i), LOAD(b, y + i);
        a += b;
        STORE(offsets + i, a);
    }
}

// Values without blending, as they are in memory. Four at a time, because the loop itself costs as much as a load.
INLINE void load_texels(const PlacementMap *map, const int32_t *offsets, int count, uint16_t *to) {
    const uint8_t *data = map->data;
    int i = 0;
    if (map->reader.format == FILO_MAP_U8) {
        for (; i + 4 <= count; i += 4) {
            uint32_t a = data[offsets[i]], b = data[offsets[i + 1]], c = data[offsets[i + 2]],
                     d = data[offsets[i + 3]];
            to[i] = (uint16_t)a, to[i + 1] = (uint16_t)b, to[i + 2] = (uint16_t)c, to[i + 3] = (uint16_t)d;
        }
        for (; i < count; i++) to[i] = data[offsets[i]];
    } else {
        for (; i < count; i++) to[i] = (uint16_t)load_u16(data + offsets[i]);
    }
}

// Pairs of texels that are beside each other, of the row at the offset and of the one above: the left one in the lower bits.
INLINE void load_pairs(const PlacementMap *map, const int32_t *offsets, int count, uint32_t *low,
                       uint32_t *high) {
    const PlacementReader *r = &map->reader;
    const uint8_t *data = map->data, *above = data + (r->height > 1 ? r->stride : 0);
    bool bytes = r->format == FILO_MAP_U8;
    if (r->width > 1 && bytes && r->step == 1) {
        for (int i = 0; i < count; i++)
            low[i] = load_u16(data + offsets[i]), high[i] = load_u16(above + offsets[i]);
    } else if (r->width > 1 && !bytes && r->step == 2) {
        for (int i = 0; i < count; i++)
            low[i] = load_u32(data + offsets[i]), high[i] = load_u32(above + offsets[i]);
    } else {
        size_t right = r->width > 1 ? r->step : 0;
        for (int i = 0; i < count; i++) {
            const uint8_t *a = data + offsets[i], *b = above + offsets[i];
            low[i] = bytes ? a[0] | (uint32_t)a[right] << 8 : load_u16(a) | load_u16(a + right) << 16;
            high[i] = bytes ? b[0] | (uint32_t)b[right] << 8 : load_u16(b) | load_u16(b + right) << 16;
        }
    }
}

// Blends pairs: 16 bits and 16 bits of fraction. Sums are modulo 2^32; the results are in range.
#define BLEND(value, map, low, high, wx, wy)                                                                 \
    do {                                                                                                     \
        bool bytes_ = (map)->reader.format == FILO_MAP_U8;                                                   \
        uint32_t bits_ = bytes_ ? 8 : 16, mask_ = bytes_ ? 255 : 65535, scale_ = bytes_ ? 257 : 1;           \
        Uints a_ = (low)&mask_, b_ = (low) >> bits_, c_ = (high)&mask_, d_ = (high) >> bits_;                \
        Uints below_ = (a_ << 8) + (b_ - a_) * (wx), above_ = (c_ << 8) + (d_ - c_) * (wx);                  \
        (value) = ((below_ << 8) + (above_ - below_) * (wy)) * scale_;                                       \
    } while (0)

// The values of a map at all points of a cell: 16 bits; of a map of bytes that is not blended, 8 bits.
KERNEL_TARGET static void sample(const PlacementRun *run, int map, const int32_t *offsets, int column,
                                 int row, uint16_t *to) {
    const PlacementMap *m = &run->maps[map];
    int points = run->footprint->points, reader = run->reader_of[map];
    if (m->reader.filter == FILO_MAP_NEAREST) {
        load_texels(m, offsets, points, to);
        return;
    }
    uint32_t low[PLACEMENT_POINTS], high[PLACEMENT_POINTS];
    load_pairs(m, offsets, points, low, high);
    const int32_t *x = run->x.readers[reader].weight + (size_t)column * (size_t)points;
    const int32_t *y = run->y.readers[reader].weight + (size_t)row * (size_t)points;
    for (int i = 0; i < points; i += KERNEL_LANES) {
        Uints l, h, wx, wy, value;
        LOAD(l, low + i), LOAD(h, high + i), LOAD(wx, x + i), LOAD(wy, y + i);
        BLEND(value, m, l, h, wx, wy);
        value = (value + 32768u) >> 16;
        WordLanes words = __builtin_convertvector(value, WordLanes);
        STORE(to + i, words);
    }
}

// What to multiply a value by to have 16 bits.
INLINE int32_t value_scale(const PlacementMap *map) {
    return map->reader.filter == FILO_MAP_NEAREST && map->reader.format == FILO_MAP_U8 ? 257 : 1;
}

// ---- Densities ----------------------------------------------------------------------------------------------

// The densities of values of 16 bits, as placement_density computes them. Numbers of a layer in all lanes:
typedef struct LayerLanes {
    Floats scale, offset, min, max;
} LayerLanes;

INLINE void spread_layer(const PlacementLayer *layer, LayerLanes *to) {
    const Floats zero = { 0 };
    to->scale = zero + layer->scale;
    to->offset = zero + layer->offset;
    to->min = zero + layer->min;
    to->max = zero + layer->max;
}

#define DENSITIES(values, layer)                                                                             \
    do {                                                                                                     \
        const float magic_ = 12582912.0f;                                                                    \
        Floats d_ = __builtin_convertvector((values), Floats) * (layer).scale + (layer).offset;              \
        Ints below_ = d_ < (layer).min;                                                                      \
        d_ = (Floats)PICK(below_, (Ints)(layer).min, (Ints)d_);                                              \
        Ints above_ = d_ > (layer).max;                                                                      \
        d_ = (Floats)PICK(above_, (Ints)(layer).max, (Ints)d_);                                              \
        d_ = (d_ * 65536.0f + magic_) - magic_;                                                              \
        (values) = __builtin_convertvector(d_, Ints);                                                        \
    } while (0)

// Adds the densities of a layer, and gives it the candidates whose sum exceeds their threshold for the first time.
#define CLAIM(sum, won, threshold, density, winner)                                                          \
    do {                                                                                                     \
        (sum) += (density);                                                                                  \
        (won) |= ((sum) > (threshold)) & ((won) == 0) & (winner);                                            \
    } while (0)

// Winners outside of the area become 0.
INLINE void keep_inside(const PlacementRun *run, int column, int row, uint8_t *winners) {
    if (run->x.all_inside[column] && run->y.all_inside[row]) return;
    int points = run->footprint->points;
    const uint8_t *x = run->x.inside + (size_t)column * (size_t)points,
                  *y = run->y.inside + (size_t)row * (size_t)points;
    for (int i = 0; i < points; i++) winners[i] = winners[i] & x[i] & y[i];
}

INLINE const int32_t *cell_thresholds(const PlacementRun *run, int column, int row) {
    const PlacementFootprint *f = run->footprint;
    int mask = f->n - 1, x = (run->x.first_cell + column) & mask, y = (run->y.first_cell + row) & mask;
    return f->shifted + (size_t)(y * f->n + x) * (size_t)f->points;
}

// ---- Evaluating ---------------------------------------------------------------------------------------------

// Candidates of one cell while layers claim them.
typedef struct CellState {
    int32_t sums[PLACEMENT_POINTS], won[PLACEMENT_POINTS] __attribute__((aligned(64)));
} CellState;

INLINE void finish_cell(const CellState *state, int points, uint8_t *winners) {
    for (int i = 0; i < points; i++) winners[i] = (uint8_t)state->won[i];
}

// A layer whose density is a map claims candidates.
INLINE void claim_by_map(const PlacementRun *run, int l, const uint16_t *values, const int32_t *thresholds,
                         CellState *state) {
    const PlacementFootprint *f = run->footprint;
    int32_t scale = value_scale(&run->maps[f->layers[l].map]);
    LayerLanes layer;
    spread_layer(&f->layers[l], &layer);
    for (int i = 0; i < f->points; i += KERNEL_LANES) {
        Ints sum, won, threshold;
        WordLanes words;
        LOAD(sum, state->sums + i), LOAD(won, state->won + i), LOAD(threshold, thresholds + i);
        LOAD(words, values + i);
        Ints density = __builtin_convertvector(words, Ints) * scale;
        DENSITIES(density, layer);
        CLAIM(sum, won, threshold, density, l + 1);
        STORE(state->sums + i, sum), STORE(state->won + i, won);
    }
}

KERNEL_TARGET static void evaluate_plain(const PlacementRun *run, int column, int row, uint8_t *winners) {
    const PlacementFootprint *f = run->footprint;
    int points = f->points, reader = -1;
    const int32_t *thresholds = cell_thresholds(run, column, row);
    int32_t offsets[PLACEMENT_POINTS];
    uint16_t values[PLACEMENT_POINTS];
    CellState state;
    memset(state.sums, 0, (size_t)points * sizeof state.sums[0]);
    memset(state.won, 0, (size_t)points * sizeof state.won[0]);
    for (int l = 0; l < f->layer_count; l++) {
        int map = f->layers[l].map;
        if (run->reader_of[map] != reader) {
            reader = run->reader_of[map];
            cell_offsets(run, reader, column, row, offsets);
        }
        sample(run, map, offsets, column, row, values);
        claim_by_map(run, l, values, thresholds, &state);
    }
    finish_cell(&state, points, winners);
}

// Baked: every texel has, for each layer, the number of levels below the largest sum so far. They do not decrease, so the
// winner is the number of layers whose levels do not reach the threshold.
KERNEL_TARGET static void evaluate_baked(const PlacementRun *run, int column, int row, uint8_t *winners) {
    const PlacementFootprint *f = run->footprint;
    int points = f->points, shift = __builtin_ctz((unsigned)(PLACEMENT_ONE / points));
    const int32_t *thresholds = cell_thresholds(run, column, row);
    const uint8_t *data = (const uint8_t *)f->baked;
    uint32_t words[FILO_PLACEMENT_LAYERS / 4][PLACEMENT_POINTS];
    int32_t offsets[PLACEMENT_POINTS];
    CellState state;
    cell_offsets(run, run->baked_reader, column, row, offsets);
    for (int w = 0; w < f->baked_words; w++)
        for (int i = 0; i < points; i++) words[w][i] = load_u32(data + offsets[i] + (size_t)w * 4);
    for (int i = 0; i < points; i += KERNEL_LANES) {
        Ints threshold, word, count = { 0 };
        LOAD(threshold, thresholds + i);
        threshold = (threshold >> shift) * 0x01010101;
        for (int w = 0; w < f->baked_words; w++) {
            LOAD(word, words[w] + i);
            Uints below = (Uints)((Bytes)word <= (Bytes)threshold) & 0x01010101u;
            below += below >> 16;
            count += (Ints)((below + (below >> 8)) & 255u);
        }
        count = (count < f->layer_count) & (count + 1);
        STORE(state.won + i, count);
    }
    finish_cell(&state, points, winners);
}

// Registers are arrays of one value a point.
KERNEL_TARGET static void evaluate_program(const PlacementRun *run, int column, int row, uint8_t *winners,
                                           int32_t (*registers)[PLACEMENT_POINTS]) {
    const PlacementFootprint *f = run->footprint;
    int points = f->points, reader = -1;
    const int32_t *thresholds = cell_thresholds(run, column, row);
    int32_t offsets[PLACEMENT_POINTS];
    uint16_t values[PLACEMENT_POINTS];
    CellState state = { { 0 }, { 0 } };
    for (size_t o = 0; o < f->program.op_count; o++) {
        const PlacementOp *op = &f->program.ops[o];
        bool of_map = op->code == PLACEMENT_OP_MAP_LAYER;
        int map = of_map ? f->layers[op->imm].map : op->imm;
        if (of_map || op->code == PLACEMENT_OP_SAMPLE) {
            if (run->reader_of[map] != reader) {
                reader = run->reader_of[map];
                cell_offsets(run, reader, column, row, offsets);
            }
            sample(run, map, offsets, column, row, values);
        }
        if (op->code == PLACEMENT_OP_SAMPLE) {
            int32_t scale = value_scale(&run->maps[map]), *to = registers[op->to];
            for (int i = 0; i < points; i++) to[i] = (values[i] * scale + 1) >> 1;
        } else if (of_map) {
            claim_by_map(run, op->imm, values, thresholds, &state);
        } else if (op->code == PLACEMENT_OP_LAYER) {
            const int32_t *from = registers[op->a];
            for (int i = 0; i < points; i += KERNEL_LANES) {
                Ints sum, won, threshold, density;
                LOAD(sum, state.sums + i), LOAD(won, state.won + i), LOAD(threshold, thresholds + i);
                LOAD(density, from + i);
                CLAIM(sum, won, threshold, density * 2, op->imm + 1);
                STORE(state.sums + i, sum), STORE(state.won + i, won);
            }
        } else {
            placement_kernel_operate(run, op, column, row, registers);
        }
    }
    finish_cell(&state, points, winners);
}

// Apart from `evaluate`, because registers are 256 KiB of the stack.
KERNEL_TARGET static __attribute__((noinline)) void evaluate_programs(const PlacementRun *run, int row,
                                                                      uint8_t *winners) {
    int32_t registers[PLACEMENT_PROGRAM_REGISTERS][PLACEMENT_POINTS] __attribute__((aligned(64)));
    for (int column = 0; column < run->x.count; column++, winners += run->footprint->points) {
        evaluate_program(run, column, row, winners, registers);
        keep_inside(run, column, row, winners);
    }
}

KERNEL_TARGET static void evaluate(const PlacementRun *run, int row, uint8_t *winners) {
    const PlacementFootprint *f = run->footprint;
    if (run->baked_reader < 0 && !f->plain) {
        evaluate_programs(run, row, winners);
        return;
    }
    for (int column = 0; column < run->x.count; column++, winners += f->points) {
        if (run->baked_reader >= 0)
            evaluate_baked(run, column, row, winners);
        else
            evaluate_plain(run, column, row, winners);
        keep_inside(run, column, row, winners);
    }
}

// ---- Writing ------------------------------------------------------------------------------------------------

// The claimed points of a cell, in their order. Which ones they are cannot be predicted, so there is no branch on it: the
// bits of a word are taken one after the other.
INLINE int list_claimed(const uint8_t *winners, int points, uint8_t *list) {
    int count = 0;
    for (int i = 0; i < points; i += 8) {
        uint64_t eight;
        memcpy(&eight, winners + i, sizeof eight);
        // The highest bit of each byte that is not 0; then one bit a byte.
        uint64_t some = (((eight & 0x7F7F7F7F7F7F7F7Fu) + 0x7F7F7F7F7F7F7F7Fu) | eight) & 0x8080808080808080u;
        for (; some != 0; some &= some - 1) list[count++] = (uint8_t)(i + (__builtin_ctzll(some) >> 3));
    }
    return count;
}

// Heights of the listed points, without blending.
INLINE void nearest_heights(const PlacementRun *run, int column, int row, const uint8_t *list, int count,
                            float *z) {
    const FiloPlacement *p = run->placement;
    const PlacementMap *map = &run->maps[PLACEMENT_HEIGHT];
    int points = run->footprint->points, reader = run->reader_of[PLACEMENT_HEIGHT];
    if (reader < 0) {
        for (int i = 0; i < count; i++) z[i] = p->lowest;
        return;
    }
    const int32_t *x = run->x.readers[reader].offset + (size_t)column * (size_t)points,
                  *y = run->y.readers[reader].offset + (size_t)row * (size_t)points;
    int32_t offsets[PLACEMENT_POINTS];
    uint16_t values[PLACEMENT_POINTS];
    for (int i = 0; i < count; i++) offsets[i] = x[list[i]] + y[list[i]];
    load_texels(map, offsets, count, values);
    for (int i = 0; i < count; i++)
        z[i] = (float)(values[i] * value_scale(map) * 256) * p->height_scale + p->lowest;
}

// The same with blending. `z` has room for a whole number of vectors.
INLINE void blended_heights(const PlacementRun *run, int column, int row, const uint8_t *list, int count,
                            float *z) {
    const FiloPlacement *p = run->placement;
    const PlacementMap *map = &run->maps[PLACEMENT_HEIGHT];
    int points = run->footprint->points;
    const uint64_t *x = run->x.height + (size_t)column * (size_t)points,
                   *y = run->y.height + (size_t)row * (size_t)points;
    int32_t offsets[PLACEMENT_POINTS];
    uint32_t low[PLACEMENT_POINTS], high[PLACEMENT_POINTS], weights[PLACEMENT_POINTS];
    for (int i = 0; i < count; i++) {
        uint64_t both = x[list[i]] + y[list[i]];
        offsets[i] = (int32_t)both;
        weights[i] = (uint32_t)(both >> 32);
    }
    load_pairs(map, offsets, count, low, high);
    int whole = (int)FILO_ALIGN_UP(count, KERNEL_LANES); // the last vector may have lanes that mean nothing
    for (int i = count; i < whole; i++) low[i] = high[i] = weights[i] = 0;
    for (int i = 0; i < whole; i += KERNEL_LANES) {
        Uints l, h, weight, value;
        LOAD(l, low + i), LOAD(h, high + i), LOAD(weight, weights + i);
        BLEND(value, map, l, h, weight & 65535u, weight >> 16);
        Floats height = __builtin_convertvector((Ints)(value >> 8), Floats) * p->height_scale + p->lowest;
        STORE(z + i, height);
    }
}

// Counts the winners of a row by layer. Lanes of bytes count up to 255 each before they are added up.
KERNEL_TARGET static void count(const PlacementRun *run, const uint8_t *winners, uint32_t *counts) {
    size_t total = (size_t)run->x.count * (size_t)run->footprint->points, step = sizeof(Bytes);
    size_t whole = total - total % step; // a cell of 16 points is half a vector
    for (int l = 0; l < run->footprint->layer_count; l++) {
        uint32_t sum = 0;
        for (size_t i = whole; i < total; i++) sum += winners[i] == l + 1;
        for (size_t i = 0; i < whole;) {
            Counts lanes = { 0 };
            for (size_t end = FILO_MIN(whole, i + 255 * step); i < end; i += step) {
                Bytes bytes;
                LOAD(bytes, winners + i);
                lanes -= (Counts)(bytes == (int8_t)(l + 1)); // 255 where it is
            }
            uint8_t parts[sizeof(Bytes)];
            STORE(parts, lanes);
            for (size_t part = 0; part < step; part++) sum += parts[part];
        }
        counts[l] = sum;
    }
}

KERNEL_TARGET static void write(const PlacementRun *run, int row, const uint8_t *winners, uint32_t *next) {
    const PlacementFootprint *f = run->footprint;
    int points = f->points;
    uint32_t block_y = (uint8_t)placement_block(run->y.first_cell + row);
    const float *y = run->y.position + (size_t)row * (size_t)points;
    FiloPlaced *objects = run->objects;
    for (int column = 0; column < run->x.count; column++, winners += points) {
        uint8_t list[PLACEMENT_POINTS];
        int count = list_claimed(winners, points, list);
        if (count == 0) continue;
        const float *x = run->x.position + (size_t)column * (size_t)points;
        uint32_t block_x = (uint8_t)placement_block(run->x.first_cell + column);
        uint32_t word =
            (uint32_t)f->first_layer | block_x << 16 | block_y << 24; // the last four bytes of an object
        float z[PLACEMENT_POINTS];
        if (run->x.height != NULL)
            blended_heights(run, column, row, list, count, z);
        else
            nearest_heights(run, column, row, list, count, z);
        for (int k = 0; k < count; k++) {
            uint32_t i = list[k], layer = winners[i] - 1u, last = word + layer;
            FiloPlaced *object = &objects[next[layer]++];
            __builtin_prefetch(object + 16, 1); // as many streams as layers: 8 % of a whole computation
            object->x = x[i], object->y = y[i], object->z = z[k];
            memcpy(&object->layer, &last, sizeof last);
        }
    }
}

const PlacementKernels KERNEL_TABLE = { evaluate, count, write, placement_kernel_operate };
