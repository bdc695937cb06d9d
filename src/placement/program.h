// What the layers of a footprint compute for a candidate, as a flat list of operations on registers.
//
// Every operation is integer arithmetic that C, vectors and GLSL define alike, and writes one register. Values are fixed
// point: 1 is PLACEMENT_PROGRAM_ONE. They stay within ±PLACEMENT_PROGRAM_LIMIT: ADD and SUBTRACT clamp. The list is executed by scalar.c for one
// candidate, by kernel_program.h for whole cells with vectors, and is written as GLSL by shader/program.c.
//
// A layer's density is handed over by PLACEMENT_OP_LAYER (value · 2, in 1/65536) or, for a plain density map, PLACEMENT_OP_MAP_LAYER.
// They add to the sum of the candidate; the first layer whose sum exceeds the threshold claims it. Layers come in order.

#ifndef FILO_PLACEMENT_PROGRAM_H
#define FILO_PLACEMENT_PROGRAM_H

#include <filo/memory.h>
#include <filo/types.h>

#define PLACEMENT_PROGRAM_ONE       32768
#define PLACEMENT_PROGRAM_LIMIT     (4 * PLACEMENT_PROGRAM_ONE)
#define PLACEMENT_PROGRAM_REGISTERS 256
#define PLACEMENT_PROGRAM_OPS       65536
#define PLACEMENT_PROGRAM_NOISES    16 // in one program

typedef enum PlacementOpCode {
    PLACEMENT_OP_CONSTANT, // imm
    PLACEMENT_OP_SAMPLE,   // map `imm`: (16 bits + 1) >> 1
    PLACEMENT_OP_MIN,      // a, b
    PLACEMENT_OP_MAX,      // a, b
    PLACEMENT_OP_ADD,      // clamp(a + b)
    PLACEMENT_OP_SUBTRACT, // clamp(a − b)
    PLACEMENT_OP_MULTIPLY, // (clamp(a, −1, 1) · clamp(b, −1, 1)) >> 15
    PLACEMENT_OP_STEP,     // a >= imm ? 1 : 0
    PLACEMENT_OP_CLAMP,    // a to [0, 1]
    PLACEMENT_OP_CURVE, // imm: start + Σ over segments [imm, imm + count) of (clamp(a − x, 0, dx) · slope) >> 14
    PLACEMENT_OP_NOISE,     // noises[imm]
    PLACEMENT_OP_NEAR,      // nears[imm]
    PLACEMENT_OP_LAYER,     // layer imm has the density a
    PLACEMENT_OP_MAP_LAYER, // layer imm has the density of its map
} PlacementOpCode;

typedef struct PlacementOp {
    uint8_t code;
    uint8_t to, a, b; // registers
    int32_t imm;
} PlacementOp;

// A curve is one start value and segments; x ascends. Segments with dx 0 are steps: (a >= x) ? slope : 0.
typedef struct PlacementSegment {
    int32_t x, dx, slope; // slope: dy · 2^14 / dx
} PlacementSegment;
typedef struct PlacementCurve {
    int32_t start;
    int32_t first, count; // in segments
} PlacementCurve;

// Value noise on an integer lattice: octaves of half the wavelength and half the amplitude each. 0 to 1.
//   coordinate  floor((position · frequency) · 4096) + base, with frequency = 1 / wavelength as a float, and base of the
//               block = floor(origin / wavelength · 4096 + ½) modulo 2^32
//   corner      16 bits: placement_program_hash(ix, iy, seed + octave) >> 16
//   weight      t = 12 bits; s = (t · t >> 12) · (12288 − 2 · t) >> 12: 0 to 4096
//   value       bilinear in integers: 16 bits · 4096, each axis >> 12
//   octaves     Σ value >> (octave + 1), then · one over the sum of amplitudes in 1/32768 (`scale`) >> 15: (Σ · scale) >> 16
typedef struct PlacementNoise {
    float wavelength; // metres
    uint32_t seed;
    int32_t octaves; // 1 to 8
    int32_t scale;
} PlacementNoise;

// 1 at an object of certain layers of earlier footprints, falling to 0 at `within`: 1 − d² / within². 0 if there is none.
//   32768 − round(float(d² >> 6) · factor), d² in 1/units² metres, factor = 32768 / (within² / 64)
typedef struct PlacementNear {
    uint32_t layers[8]; // bit n: layer n, through all footprints
    float within;       // metres
    int32_t within_units;
    float factor;
} PlacementNear;

typedef struct PlacementProgram {
    PlacementOp *ops;
    size_t op_count;
    int register_count;
    PlacementSegment *segments;
    size_t segment_count;
    PlacementCurve *curves; // PLACEMENT_OP_CURVE: imm is an index here
    size_t curve_count;
    PlacementNoise *noises;
    size_t noise_count;
    PlacementNear *nears;
    size_t near_count;
} PlacementProgram;

void placement_program_free(PlacementProgram *program, const FiloAllocator *allocator);

#define PLACEMENT_PROGRAM_HASH_X 0x9E3779B1u
#define PLACEMENT_PROGRAM_HASH_Y 0x85EBCA77u

static inline uint32_t placement_program_mix(uint32_t h) {
    h ^= h >> 16, h *= 0x7FEB352Du, h ^= h >> 15, h *= 0x846CA68Bu;
    return h ^ h >> 16;
}

static inline uint32_t placement_program_hash(int32_t x, int32_t y, uint32_t seed) {
    return placement_program_mix((uint32_t)x * PLACEMENT_PROGRAM_HASH_X ^
                                 (uint32_t)y * PLACEMENT_PROGRAM_HASH_Y ^ seed);
}

#endif
