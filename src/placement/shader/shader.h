// Placement as compute shaders: what the files that write them share. filo/placement_shader.h lists the buffers.
//
//   data.c       the layout of `data`: patterns, thresholds, points by position, maps
//   plan.c       which cells, how large the buffers are; tables.c fills the tables of a computation
//   sample.c     GLSL for reading maps
//   program.c    GLSL for what the layers compute
//   claims.c     GLSL for finding objects of earlier footprints
//   evaluate.c   the shader that evaluates candidates; write.c those that number and write objects
//
// A cell is divided into groups of up to 32 points, one invocation each. Evaluating a group gives a word of 32 bits for each
// layer: which points it claims. These words, the masks, are in scratch, layer by layer through all footprints, and within a
// layer in the order of cells. So the objects before a group and layer are the bits of all words before, and the order of
// objects follows from the order of words. For footprints that others keep away from, the winner of each candidate is stored
// as a byte besides.
//
// Bits are summed in pieces of 2^shift words: evaluating adds its counts to the sum of the piece (atomically; sums of
// integers do not depend on the order), and FILO_SHADER_NUMBER continues from there, one invocation a piece.
//
// Every float expression is `precise`, and is made of +, −, ×, comparisons, floor, roundEven, and conversions of integers
// below 2^24. What needs a division or a double is in the tables.

#ifndef FILO_PLACEMENT_SHADER_SHADER_H
#define FILO_PLACEMENT_SHADER_SHADER_H

#include <filo/placement_shader.h>

#include "placement/compute.h"

// ---- Texts --------------------------------------------------------------------------------------------------

// Text of a limited size. `length` counts what did not fit, too.
typedef struct PlacementShaderText {
    char *text;
    size_t size, length;
    bool texels; // FILO_SHADER_TEXELS
} PlacementShaderText;

__attribute__((format(printf, 2, 3))) void placement_say(PlacementShaderText *t, const char *format, ...);
// An expression for a float, to the bit.
typedef struct PlacementShaderFloat {
    char text[40];
} PlacementShaderFloat;
PlacementShaderFloat placement_shader_float(float value);

// Of a power of two.
static inline int placement_shader_log2(int n) {
    int shift = 0;
    while (1 << shift < n) shift++;
    return shift;
}

// ---- Data ---------------------------------------------------------------------------------------------------

typedef struct PlacementShaderFootprintData {
    uint32_t pattern;   // in units of 16 bytes: x, y as floats
    uint32_t threshold; // words: [y][x]
    uint32_t first;     // words: of squares of the cell, n · n + 1: the first of their points in `points`
    uint32_t points;    // in units of 16 bytes: x, y and index of points, by square
} PlacementShaderFootprintData;

typedef struct PlacementShaderData {
    PlacementShaderFootprintData footprints[FILO_PLACEMENT_FOOTPRINTS];
    uint32_t maps[FILO_PLACEMENT_MAPS + 1]; // bytes
    size_t size;
} PlacementShaderData;

void placement_shader_data_layout(const FiloPlacement *p, PlacementShaderData *data);
// Whether evaluating a footprint stores winners, because others keep away from it.
bool placement_shader_has_winners(const FiloPlacement *p, int f);

// ---- Tables -------------------------------------------------------------------------------------------------

// Words at the beginning of `tables`, for the whole computation.
enum { TABLE_WORDS, TABLE_SHIFT, TABLE_PREFIX, TABLE_SUMS, TABLE_GLOBALS };
// Then for each footprint.
enum {
    TABLE_FIRST_X,
    TABLE_FIRST_Y,
    TABLE_COLUMNS,
    TABLE_GROUPS,
    TABLE_BLOCK_X,   // index of the first block
    TABLE_BLOCK_Y,   //
    TABLE_X,         // records of block columns
    TABLE_Y,         // and of rows
    TABLE_MASKS,     // in scratch; −1: objects of this footprint are not wanted
    TABLE_WINNERS,   // in scratch, in words
    TABLE_CLEARINGS, // records
    TABLE_CLEARING_COUNT,
    TABLE_PINS, // records: candidate, winner; by candidate
    TABLE_PIN_COUNT,
    TABLE_ORIGIN_X, // of the first cell, in units
    TABLE_ORIGIN_Y,
    TABLE_ROWS,
    TABLE_BLOCKS_X, // how many
    TABLE_FOOTPRINT
};
// A record of a block: these, then the origin for each reader, then for each noise.
enum { BLOCK_LOWER, BLOCK_UPPER, BLOCK_WANTED_LOWER, BLOCK_WANTED_UPPER, BLOCK_UNITS, BLOCK_READERS };
// A record of a clearing: these, then x for each block column, then y for each block row.
enum {
    CLEARING_FIRST_X,
    CLEARING_LAST_X,
    CLEARING_FIRST_Y,
    CLEARING_LAST_Y,
    CLEARING_LIMIT,
    CLEARING_CENTRE
};

static inline int placement_table(int f, int entry) { return TABLE_GLOBALS + f * TABLE_FOOTPRINT + entry; }

static inline int placement_group_points(const PlacementFootprint *f) { return FILO_MIN(f->points, 32); }

// Maps that lie alike share the arithmetic of their coordinates. Steps and strides do not matter: `data` is packed.
typedef struct PlacementShaderReaders {
    PlacementReader readers[FILO_PLACEMENT_MAPS + 1];
    int count;
    int of[FILO_PLACEMENT_MAPS + 1]; // by map; −1: not used
} PlacementShaderReaders;

// Those of a footprint. The heightmap is the last one, if there is one.
void placement_shader_readers(const FiloPlacement *p, const PlacementFootprint *f,
                              PlacementShaderReaders *readers);
static inline int placement_block_words(const PlacementFootprint *f, const PlacementShaderReaders *readers) {
    return BLOCK_READERS + readers->count + (int)f->program.noise_count;
}

// ---- Parts of shaders ---------------------------------------------------------------------------------------

// The beginning: buffers and functions that read `data`.
void placement_shader_begin(PlacementShaderText *t);
// Begins main: sets group, cell, part, column, row, gx, gy, block_x and block_y, and begin_x, begin_y for positions.
void placement_shader_begin_main(PlacementShaderText *t, const PlacementFootprint *f, int index,
                                 int block_words);
// Sets x and y to the position of the point i.
void placement_shader_position(PlacementShaderText *t, const PlacementFootprint *f,
                               const PlacementShaderFootprintData *data);

// Sets unit_x and unit_y, the same in units.
void placement_shader_units(PlacementShaderText *t, const FiloPlacement *p);

// Functions, before main.
void placement_shader_sample_functions(PlacementShaderText *t);
// Loads the origins of a reader for this group.
void placement_shader_reader_begin(PlacementShaderText *t, int reader);
// Computes where the texels of a reader are, for the point at x and y.
void placement_shader_reader_at(PlacementShaderText *t, const FiloPlacement *p, const PlacementReader *r,
                                int reader);
// An expression for the value of a map there: 16 bits (a uint), or 24 (`fine`).
void placement_shader_sample(PlacementShaderText *t, const PlacementMap *map, uint32_t offset, int reader,
                             bool fine);

// Functions for finding objects of earlier footprints: blocked(x, y, radius), and near_<n>(x, y) for the program.
void placement_shader_claims(PlacementShaderText *t, const FiloPlacement *p, int index);
// In main, before they are used.
void placement_shader_claims_begin(PlacementShaderText *t, const FiloPlacement *p, int index);

// Removes the points of a group that earlier footprints push away from mask0 and so on. (x0, y0) to (x1, y1) are the claimed
// points, in units.
void placement_shader_push(PlacementShaderText *t, const FiloPlacement *p, int index,
                           const PlacementShaderData *data);

// Noise, as a function.
void placement_shader_program_functions(PlacementShaderText *t, const PlacementProgram *program);
// Sets w, the winner of the point, from x, y and threshold.
void placement_shader_program(PlacementShaderText *t, const FiloPlacement *p, int index,
                              const PlacementShaderReaders *readers, const PlacementShaderData *data);

void placement_shader_evaluate(PlacementShaderText *t, const FiloPlacement *p, int index);
void placement_shader_number(PlacementShaderText *t, const FiloPlacement *p);
void placement_shader_write(PlacementShaderText *t, const FiloPlacement *p, int index);

#endif
