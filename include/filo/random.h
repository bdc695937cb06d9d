// filo/random.h: random numbers that are the same on every machine, for every number of threads.
//
//     // In a tick: a generator for this entity alone. Other draws have no effect on it.
//     FiloRandom random = filo_random_keyed(seed, tick, STREAM_SPARKS, entity.id);
//     float speed = filo_random_float_range(&random, 2.0f, 5.0f);
//     int sparks = filo_random_range(&random, 3, 8);             // 3, 4, 5, 6, 7 or 8
//     if (filo_random_chance(&random, 0.25f)) …
//
//     // In a tool or a test: one long sequence from a seed.
//     FiloRandom random = filo_random_sequence(42);
//     filo_random_shuffle(&random, cards, 52, sizeof cards[0]);
//
// Both are a FiloRandom, a small value that may be copied and stored, and both work with the same functions. Which to
// use:
//
//   keyed     a pure function of its key: the numbers do not depend on what else was drawn before, in which order and on
//             which thread. A simulation must use these. Philox4x32-10: Salmon, Moraes, Dror and
//             Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
//   sequence  a state that advances with each draw: about 1 ns a number instead of 4, and reproducible only if the order
//             of all draws is. For tools, tests and everything that is not part of the simulation.
//             xoshiro256++: Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021;
//             seeded by splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
//
// Draw one number per statement: in f(filo_random_u32(&r), filo_random_u32(&r)), and between the braces of an
// initialiser, the compiler chooses which is drawn first.
//
// Neither is cryptographic: the other numbers can be computed from a few of them.
//
// No function here uses libm's transcendental functions: the bits are the same with every compiler, library and
// optimisation, given -ffp-contract=off, which linking with Filo sets. All of them work on any thread; one FiloRandom
// is used by one thread at a time.

#ifndef FILO_RANDOM_H
#define FILO_RANDOM_H

#include <filo/check.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Generators ---------------------------------------------------------------------------------------

// A generator is a sequence of 32-bit words: every function below uses the next one or more of them. The fields are
// private. All zeroes is filo_random_keyed(0, 0, 0, 0).
typedef struct FiloRandom {
    uint64_t state[4]; // keyed: position and tick, entity, key, unused; sequence: xoshiro's state
    uint32_t words[4]; // computed already; the last `left` of them are drawn next
    uint32_t left;
    uint32_t sequential; // 0: keyed
} FiloRandom;

// The numbers of one purpose (`stream`: a constant of the caller's, or a hash of the system's name), of one entity (its
// id, or any other number: a cell, a player), in one tick.
//
// Different keys are independent. Under one seed, (tick, stream, entity, position in the sequence) maps one to one to
// Philox's key and counter, so no two of them ever share an input. Philox gives unrelated outputs for inputs that
// differ in one bit: neighbouring ticks and entities are as independent as distant ones, and need not be hashed first.
// Two seeds differ in Philox's key for every stream; a stream of one seed equals another stream of the other seed with
// a probability of 2^-64.
//
// A key has 2^34 words; after that its sequence begins again.
static inline FiloRandom filo_random_keyed(uint64_t seed, uint64_t tick, uint32_t stream, uint64_t entity);

// The word at `index` of the sequence of that key, without a generator. Every call computes a block of four words; to
// draw several, make a generator.
static inline uint32_t filo_random_at(uint64_t seed, uint64_t tick, uint32_t stream, uint64_t entity,
                                      uint32_t index);
// The same word as a float in [0, 1), as filo_random_float would make it.
static inline float filo_random_float_at(uint64_t seed, uint64_t tick, uint32_t stream, uint64_t entity,
                                         uint32_t index);

// The sequence of a seed. Its words are the low and the high half of each number of xoshiro256++.
FiloRandom filo_random_sequence(uint64_t seed);

// For sequences only (for a keyed generator use another key): returns a generator for the next 2^128 numbers, and
// advances `random` past them. So each part of a program can have its own sequence that does not overlap with another.
// On a keyed generator it is a mistake, and returns a plain copy.
FiloRandom filo_random_split(FiloRandom *random);
// For sequences only: advances by 2^128 numbers, or by 2^192, and drops words computed already. Costs about a
// microsecond.
void filo_random_jump(FiloRandom *random);
void filo_random_long_jump(FiloRandom *random);

// A seed from the system that is different every time. Not in a tick: it must be logged as an input, or the run cannot
// be replayed.
uint64_t filo_random_system_seed(void);

// ---- Numbers ------------------------------------------------------------------------------------------

// The inline functions do not test `random` for NULL.

// Any 32 bits; one word.
static inline uint32_t filo_random_u32(FiloRandom *random);
// Any 64 bits; two words, the lower half first.
static inline uint64_t filo_random_u64(FiloRandom *random);

// An integer from 0 to n - 1, each equally likely (no modulo bias: Lemire, "Fast random integer generation in
// an interval", 2019). One word, rarely more. n = 0 is a mistake, and gives 0.
static inline uint32_t filo_random_below(FiloRandom *random, uint32_t n);
uint64_t filo_random_below_u64(FiloRandom *random, uint64_t n);

// An integer from `low` to `high`, both included, each equally likely. low > high is a mistake, and gives
// low.
static inline int32_t filo_random_range(FiloRandom *random, int32_t low, int32_t high);
int64_t filo_random_range_i64(FiloRandom *random, int64_t low, int64_t high);

// In [0, 1), in steps of 2^-24; one word.
static inline float filo_random_float(FiloRandom *random);
// In [0, 1), in steps of 2^-53; two words.
static inline double filo_random_double(FiloRandom *random);

// In [low, high); `low` if both are equal. One word. low > high, or a bound that is not finite, is a mistake,
// and gives low.
static inline float filo_random_float_range(FiloRandom *random, float low, float high);

// True with this probability: never for 0 and less (or NaN), always for 1 and more. One word in each case.
static inline bool filo_random_chance(FiloRandom *random, float probability);
// -1 or 1. One word.
static inline int filo_random_sign(FiloRandom *random);

// The next `count` words at once, the same as filo_random_u32 returns one by one; faster for keyed generators.
void filo_random_fill(FiloRandom *random, uint32_t *words, size_t count);

// ---- Distributions ------------------------------------------------------------------------------------

// Normal distribution with mean 0 and standard deviation 1; scale it as mean + deviation * x. One word, so at
// most 6.34 from the mean. The inverse of the distribution function (Wichura 1988, AS 241), right to seven
// digits.
float filo_random_normal(FiloRandom *random);
// Exponential distribution with mean 1: the time until something happens that happens once per unit of time
// on average. One word, so at most 22.9; never negative.
float filo_random_exponential(FiloRandom *random);

// ---- Directions and points ----------------------------------------------------------------------------

// Each direction equally likely, of length 1 to within rounding. A varying number of words, 2.5 on average.
void filo_random_unit_2d(FiloRandom *random, float direction[2]);
void filo_random_unit_3d(FiloRandom *random, float direction[3]);

// Each point in the disc or ball of radius 1 around 0 equally likely. 2.5 and 5.7 words on average.
void filo_random_in_disc(FiloRandom *random, float point[2]);
void filo_random_in_sphere(FiloRandom *random, float point[3]);

// ---- Choosing -----------------------------------------------------------------------------------------

// Shuffles `count` elements of `element_size` bytes; each order is equally likely.
void filo_random_shuffle(FiloRandom *random, void *elements, size_t count, size_t element_size);

// An index below `count`, each with a probability in proportion to its weight; an index with a weight of 0 is never
// chosen. Two words. Weights must be finite, none negative and at least one positive; otherwise it is a mistake, and
// gives `count`, which is not a valid index.
size_t filo_random_weighted(FiloRandom *random, const float *weights, size_t count);

// Fills `chosen` with `wanted` different numbers from 0 to n - 1, in ascending order (shuffle them if that matters),
// each such set equally likely. Allocates nothing, and takes no more than about n steps. `wanted` above n is a mistake,
// and does nothing. Returns how many were chosen.
size_t filo_random_sample(FiloRandom *random, size_t n, size_t *chosen, size_t wanted);

// ---- Underneath ---------------------------------------------------------------------------------------

typedef struct FiloRandomBlock {
    uint32_t words[4];
} FiloRandomBlock;

// Philox4x32-10 itself: for each key a permutation of all 128-bit numbers. The key's lower half is its first word.
// Plain 32-bit arithmetic, so that a shader can compute the same (umulExtended), and a loop over it becomes vector
// instructions.
static inline FiloRandomBlock filo_random_block(FiloRandomBlock counter, uint64_t key) {
    uint32_t c0 = counter.words[0], c1 = counter.words[1], c2 = counter.words[2], c3 = counter.words[3];
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = UINT64_C(0xD2511F53) * c0;
        uint64_t p1 = UINT64_C(0xCD9E8D57) * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    FiloRandomBlock block = { { c0, c1, c2, c3 } };
    return block;
}

// Spreads every bit of `x` over all 64, one to one, and 0 to 0: the last step of splitmix64. Makes seeds of
// numbers such as 1, 2, 3.
static inline uint64_t filo_random_mix(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static inline FiloRandom filo_random_keyed(uint64_t seed, uint64_t tick, uint32_t stream, uint64_t entity) {
    // The counter holds the entity, the position (below) and the low half of the tick. The stream and the high half,
    // which changes every two years, go into the key; for a given seed that is one to one. It is mixed three times, so
    // that exchanging seed and stream gives another key.
    FiloRandom random = { { tick << 32, entity, 0, 0 }, { 0, 0, 0, 0 }, 0, 0 };
    random.state[2] = filo_random_mix(seed) + 3 * filo_random_mix((tick >> 32 << 32) | stream);
    return random;
}

// The block of a keyed generator at its position.
static inline FiloRandomBlock filo_random_block_here(const FiloRandom *random) {
    FiloRandomBlock counter = { { (uint32_t)random->state[0], (uint32_t)(random->state[0] >> 32),
                                  (uint32_t)random->state[1], (uint32_t)(random->state[1] >> 32) } };
    return filo_random_block(counter, random->state[2]);
}

// xoshiro256++'s next number.
static inline uint64_t filo_random_step(uint64_t state[4]) {
    uint64_t sum = state[0] + state[3];
    uint64_t number = ((sum << 23) | (sum >> 41)) + state[0];
    uint64_t shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = (state[3] << 45) | (state[3] >> 19);
    return number;
}

// Computes the next four words.
static inline void filo_random_refill(FiloRandom *random) {
    if (random->sequential != 0) {
        for (int i = 0; i < 4; i += 2) {
            uint64_t number = filo_random_step(random->state);
            random->words[i] = (uint32_t)number;
            random->words[i + 1] = (uint32_t)(number >> 32);
        }
    } else {
        FiloRandomBlock block = filo_random_block_here(random);
        for (int i = 0; i < 4; i++) random->words[i] = block.words[i];
        // The position wraps within its 32 bits: a carry would lead into the next tick's numbers.
        uint32_t position = (uint32_t)random->state[0] + 1;
        random->state[0] = (random->state[0] >> 32 << 32) | position;
    }
    random->left = 4;
}

static inline uint32_t filo_random_u32(FiloRandom *random) {
    if (random->left == 0) filo_random_refill(random);
    return random->words[4 - random->left--];
}

static inline uint64_t filo_random_u64(FiloRandom *random) {
    uint64_t low = filo_random_u32(random);
    return low | (uint64_t)filo_random_u32(random) << 32;
}

static inline uint32_t filo_random_below(FiloRandom *random, uint32_t n) {
    if (!FILO_CHECK(n > 0, "there is no number below 0: ask for numbers below 1 or more")) return 0;
    for (;;) {
        uint64_t product = (uint64_t)filo_random_u32(random) * n;
        uint32_t rest = (uint32_t)product;
        // The first 2^32 mod n values of `rest` would make some results likelier than others. They are all below n, so
        // the division is nearly always skipped.
        if (FILO_LIKELY(rest >= n) || rest >= (0u - n) % n) return (uint32_t)(product >> 32);
    }
}

static inline int32_t filo_random_range(FiloRandom *random, int32_t low, int32_t high) {
    if (!FILO_CHECK(low <= high, "a range goes from the lower to the higher number, not from %d to %d", low,
                    high))
        return low;
    uint32_t count = (uint32_t)high - (uint32_t)low + 1; // 0: all 2^32 numbers
    uint32_t offset = count != 0 ? filo_random_below(random, count) : filo_random_u32(random);
    return (int32_t)((uint32_t)low + offset);
}

// The upper 24 bits of a word as a float in [0, 1).
static inline float filo_random_float_of(uint32_t word) { return (float)(word >> 8) * 0x1p-24f; }

static inline float filo_random_float(FiloRandom *random) {
    return filo_random_float_of(filo_random_u32(random));
}

static inline double filo_random_double(FiloRandom *random) {
    return (double)(filo_random_u64(random) >> 11) * 0x1p-53;
}

static inline float filo_random_float_range(FiloRandom *random, float low, float high) {
    // In double, so that neither the width overflows nor the sum loses bits before the last rounding.
    double width = (double)high - (double)low;
    if (!FILO_CHECK(width >= 0 && width < 1e39,
                    "a range goes from a lower to a higher number, both finite, "
                    "not from %g to %g",
                    (double)low, (double)high))
        return low;
    float x = (float)((double)low + width * (double)filo_random_float(random));
    // What was rounded up to `high` becomes `low`: by symmetry, rounding gives `low` only half of its probability.
    return x < high ? x : low;
}

static inline bool filo_random_chance(FiloRandom *random, float probability) {
    return (double)filo_random_u32(random) * 0x1p-32 < (double)probability;
}

static inline int filo_random_sign(FiloRandom *random) {
    return (filo_random_u32(random) >> 31) != 0 ? 1 : -1;
}

static inline uint32_t filo_random_at(uint64_t seed, uint64_t tick, uint32_t stream, uint64_t entity,
                                      uint32_t index) {
    FiloRandom random = filo_random_keyed(seed, tick, stream, entity);
    random.state[0] |= index / 4;
    return filo_random_block_here(&random).words[index % 4];
}

static inline float filo_random_float_at(uint64_t seed, uint64_t tick, uint32_t stream, uint64_t entity,
                                         uint32_t index) {
    return filo_random_float_of(filo_random_at(seed, tick, stream, entity, index));
}

FILO_END_DECLS

#endif
