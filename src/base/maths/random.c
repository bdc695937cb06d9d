// Random numbers: functions that are too long to be inline. The two generators themselves are in the header.
//
// Every function uses 32-bit words in a fixed order, exact integer arithmetic, and IEEE additions, multiplications,
// divisions and square roots, which all machines round alike. The number of words that a function uses is either
// constant or depends only on the words themselves.

#include <filo/random.h>
#include <filo/reflect.h>

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static bool check_random(const FiloRandom *random) {
    return FILO_CHECK(random != NULL, "pass the generator to draw from");
}

// ---- Sequences ----------------------------------------------------------------------------------------

FiloRandom filo_random_sequence(uint64_t seed) {
    FiloRandom random = { .sequential = 1 };
    for (int i = 0; i < 4;
         i++) { // splitmix64 never gives four zeroes, from which xoshiro would give only zeroes
        seed += UINT64_C(0x9E3779B97F4A7C15);
        random.state[i] = filo_random_mix(seed);
    }
    return random;
}

// xoshiro's step is linear over bits, so 2^128 steps are a polynomial in the step, computed by its authors:
// the new state is the sum of those states among the next 256 whose bit is set in it.
static void jump_by(FiloRandom *random, const uint64_t polynomial[4]) {
    uint64_t sum[4] = { 0 };
    for (int bit = 0; bit < 256; bit++) {
        if ((polynomial[bit / 64] >> bit % 64 & 1) != 0)
            for (int i = 0; i < 4; i++) sum[i] ^= random->state[i];
        filo_random_step(random->state);
    }
    memcpy(random->state, sum, sizeof sum);
    random->left = 0;
}

static bool is_sequence(const FiloRandom *random) {
    return check_random(random) &&
           FILO_CHECK(random->sequential != 0,
                      "only a sequence can jump or split: give a keyed generator another key");
}

void filo_random_jump(FiloRandom *random) {
    static const uint64_t polynomial[4] = { 0x180EC6D33CFD0ABA, 0xD5A61266F0C9392C, 0xA9582618E03FC9AA,
                                            0x39ABDC4529B1661C };
    if (is_sequence(random)) jump_by(random, polynomial);
}

void filo_random_long_jump(FiloRandom *random) {
    static const uint64_t polynomial[4] = { 0x76E15D3EFEFDCBBF, 0xC5004E441C522FB3, 0x77710069854EE241,
                                            0x39109BB02ACBE635 };
    if (is_sequence(random)) jump_by(random, polynomial);
}

FiloRandom filo_random_split(FiloRandom *random) {
    FiloRandom part = { 0 };
    if (random != NULL) part = *random;
    filo_random_jump(random);
    return part;
}

uint64_t filo_random_system_seed(void) {
    uint64_t seed = 0;
    ssize_t got;
    do got = getrandom(&seed, sizeof seed, 0);
    while (got < 0 && errno == EINTR);
    if (got == (ssize_t)sizeof seed) return seed;
    // A sandbox may forbid the call. The clock and an address differ enough between runs for a game.
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return filo_random_mix((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) ^
           filo_random_mix((uint64_t)(uintptr_t)&seed);
}

// ---- Many words ---------------------------------------------------------------------------------------

// Writes blocks of a keyed generator to `words`. The iterations are independent, so that compilers vectorise the loop.
static void fill_blocks(FiloRandom *random, uint32_t *restrict words, size_t count) {
    uint32_t position = (uint32_t)random->state[0], tick = (uint32_t)(random->state[0] >> 32);
    uint32_t entity_low = (uint32_t)random->state[1], entity_high = (uint32_t)(random->state[1] >> 32);
    uint64_t key = random->state[2];
    for (size_t i = 0; i < count; i++) {
        FiloRandomBlock counter = { { position + (uint32_t)i, tick, entity_low, entity_high } };
        FiloRandomBlock block = filo_random_block(counter, key);
        for (size_t j = 0; j < 4; j++) words[4 * i + j] = block.words[j];
    }
    random->state[0] = (uint64_t)tick << 32 | (position + (uint32_t)count);
}

void filo_random_fill(FiloRandom *random, uint32_t *words, size_t count) {
    if (!check_random(random)) return;
    if (!FILO_CHECK(words != NULL || count == 0, "pass the memory to fill with words")) return;
    size_t done = 0;
    while (done < count && random->left > 0) words[done++] = filo_random_u32(random);
    if (random->sequential == 0) {
        size_t blocks = (count - done) / 4;
        fill_blocks(random, words + done, blocks);
        done += 4 * blocks;
    }
    while (done < count) words[done++] = filo_random_u32(random);
}

// ---- Integers -----------------------------------------------------------------------------------------

__extension__ typedef unsigned __int128 Wide;

uint64_t filo_random_below_u64(FiloRandom *random, uint64_t n) {
    if (!check_random(random)) return 0;
    if (!FILO_CHECK(n > 0, "there is no number below 0: ask for numbers below 1 or more")) return 0;
    for (;;) { // as filo_random_below
        Wide product = (Wide)filo_random_u64(random) * n;
        uint64_t rest = (uint64_t)product;
        if (FILO_LIKELY(rest >= n) || rest >= (0 - n) % n) return (uint64_t)(product >> 64);
    }
}

int64_t filo_random_range_i64(FiloRandom *random, int64_t low, int64_t high) {
    if (!check_random(random)) return low;
    if (!FILO_CHECK(low <= high, "a range goes from the lower to the higher number, not from %lld to %lld",
                    (long long)low, (long long)high))
        return low;
    uint64_t count = (uint64_t)high - (uint64_t)low + 1; // 0: all 2^64 numbers
    uint64_t offset = count != 0 ? filo_random_below_u64(random, count) : filo_random_u64(random);
    return (int64_t)((uint64_t)low + offset);
}

// ---- Distributions ------------------------------------------------------------------------------------

// The natural logarithm of a normal, positive number, to about 1e-15. x = m * 2^e with m within a factor of
// √2 of 1, and ln m = 2 artanh s = 2 (s + s³/3 + s⁵/5 + …) for s = (m - 1) / (m + 1), |s| < 0.172.
static double natural_log(double x) {
    static const double ln_2 = 0.69314718055994530942, root_2 = 1.41421356237309504880;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0x000FFFFFFFFFFFFF)) | UINT64_C(0x3FF0000000000000); // the same with exponent 0
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > root_2) m /= 2, exponent++;
    double s = (m - 1) / (m + 1), square = s * s, series = 0;
    for (int odd = 21; odd >= 1; odd -= 2) series = series * square + 1.0 / odd;
    return exponent * ln_2 + 2 * s * series;
}

// A word as a number in the open interval (0, 1): the middle of its step of 2^-32.
static double inside_unit(uint32_t word) { return ((double)word + 0.5) * 0x1p-32; }

// The value that a normal variable is below with probability p: Wichura's PPND7. Words have 32 bits, so p is never
// below 2^-33, and the third formula, for the far tails (below 1.4e-11), is not needed.
static double normal_quantile(double p) {
    double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        double r = 0.180625 - q * q;
        return q * (((5.9109374720e+1 * r + 1.5929113202e+2) * r + 5.0434271938e+1) * r + 3.3871327179) /
               (((6.7187563600e+1 * r + 7.8757757664e+1) * r + 1.7895169469e+1) * r + 1.0);
    }
    double r = sqrt(-natural_log(q < 0 ? p : 1.0 - p)) - 1.6;
    double x = (((1.7023821103e-1 * r + 1.3067284816) * r + 2.7568153900) * r + 1.4234372777) /
               ((1.2021132975e-1 * r + 7.3700164250e-1) * r + 1.0);
    return q < 0 ? -x : x;
}

float filo_random_normal(FiloRandom *random) {
    if (!check_random(random)) return 0;
    return (float)normal_quantile(inside_unit(filo_random_u32(random)));
}

float filo_random_exponential(FiloRandom *random) {
    if (!check_random(random)) return 0;
    return (float)-natural_log(inside_unit(filo_random_u32(random)));
}

// ---- Directions and points ----------------------------------------------------------------------------

// In (-1, 1), in steps of 2^-23, symmetric and never 0: the middles of the steps.
static float signed_unit(FiloRandom *random) {
    return ((float)(int32_t)(filo_random_u32(random) >> 8) - 8388607.5f) * 0x1p-23f;
}

// A point in the disc, each equally likely, and the square of its distance from 0.
static double point_in_disc(FiloRandom *random, float point[2]) {
    for (;;) {
        float x = signed_unit(random);
        float y = signed_unit(random);
        double square = (double)x * (double)x + (double)y * (double)y;
        if (square > 1) continue;
        point[0] = x;
        point[1] = y;
        return square;
    }
}

static bool given_with_room(const FiloRandom *random, const float *result) {
    return check_random(random) &&
           FILO_CHECK(result != NULL, "pass the array for the direction or the point");
}

void filo_random_unit_2d(FiloRandom *random, float direction[2]) {
    if (!given_with_room(random, direction)) return;
    float point[2];
    double length = sqrt(point_in_disc(random, point));
    direction[0] = (float)((double)point[0] / length);
    direction[1] = (float)((double)point[1] / length);
}

// A point of the disc, lifted onto the sphere so that equal areas stay equal: Marsaglia, "Choosing a point
// from the surface of a sphere", 1972.
void filo_random_unit_3d(FiloRandom *random, float direction[3]) {
    if (!given_with_room(random, direction)) return;
    float point[2];
    double square = point_in_disc(random, point), scale = 2 * sqrt(1 - square);
    direction[0] = (float)((double)point[0] * scale);
    direction[1] = (float)((double)point[1] * scale);
    direction[2] = (float)(1 - 2 * square);
}

void filo_random_in_disc(FiloRandom *random, float point[2]) {
    if (given_with_room(random, point)) point_in_disc(random, point);
}

void filo_random_in_sphere(FiloRandom *random, float point[3]) {
    if (!given_with_room(random, point)) return;
    double square;
    do {
        square = 0;
        for (int i = 0; i < 3; i++) {
            point[i] = signed_unit(random);
            square += (double)point[i] * (double)point[i];
        }
    } while (square > 1);
}

// ---- Choosing -----------------------------------------------------------------------------------------

// Uses one word, or two if n needs more than 32 bits.
static size_t index_below(FiloRandom *random, size_t n) {
    return n <= UINT32_MAX ? filo_random_below(random, (uint32_t)n) : filo_random_below_u64(random, n);
}

static void swap_bytes(uint8_t *a, uint8_t *b, size_t size) {
    uint8_t buffer[64];
    for (size_t done = 0, part; done < size; done += part) {
        part = FILO_MIN(size - done, sizeof buffer);
        memcpy(buffer, a + done, part);
        memcpy(a + done, b + done, part);
        memcpy(b + done, buffer, part);
    }
}

// Fisher and Yates: from the end, each element is swapped with itself or one of the elements before it.
void filo_random_shuffle(FiloRandom *random, void *elements, size_t count, size_t element_size) {
    if (!check_random(random)) return;
    if (!FILO_CHECK(elements != NULL || count == 0, "pass the elements to shuffle")) return;
    if (!FILO_CHECK(element_size > 0, "pass the size of an element in bytes, which is not 0")) return;
    uint8_t *bytes = elements;
    for (size_t i = count; i > 1; i--) {
        size_t j = index_below(random, i);
        if (j != i - 1) swap_bytes(bytes + (i - 1) * element_size, bytes + j * element_size, element_size);
    }
}

size_t filo_random_weighted(FiloRandom *random, const float *weights, size_t count) {
    if (!check_random(random)) return count;
    if (!FILO_CHECK(weights != NULL || count == 0, "pass the weights to choose by")) return count;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (!FILO_CHECK(weights[i] >= 0 && weights[i] <= 3.402823466e38f,
                        "weights are finite and not negative: weight %zu is %g", i, (double)weights[i]))
            return count;
        sum += (double)weights[i];
    }
    if (!FILO_CHECK(sum > 0, "at least one of the %zu weights has to be above 0", count)) return count;
    double remainder = filo_random_double(random) * sum;
    size_t last = count;
    for (size_t i = 0; i < count; i++) {
        if (weights[i] == 0) continue;
        last = i;
        remainder -= (double)weights[i];
        if (remainder < 0) break;
    }
    return last; // also if rounding has left `remainder` slightly above 0
}

// For few of many numbers: Floyd's method (Bentley and Floyd, "A sample of brilliance", 1987). The set chosen so far is
// the sorted output itself. Each step draws a number below j + 1 and adds it. If the set contains it already, the step
// adds j, which is larger than all numbers in the set.
static void sample_few(FiloRandom *random, size_t n, size_t *chosen, size_t wanted) {
    for (size_t count = 0; count < wanted; count++) {
        size_t j = n - wanted + count;
        size_t number = index_below(random, j + 1);
        size_t low = 0, high = count;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (chosen[middle] < number)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < count && chosen[low] == number) {
            chosen[count] = j;
            continue;
        }
        memmove(chosen + low + 1, chosen + low, (count - low) * sizeof chosen[0]);
        chosen[low] = number;
    }
}

// For a large part of the numbers: one pass that selects each number with its conditional probability (Knuth, The Art
// of Computer Programming 2, 3.4.2, algorithm S).
static void sample_many(FiloRandom *random, size_t n, size_t *chosen, size_t wanted) {
    for (size_t i = 0, count = 0; count < wanted; i++)
        if (index_below(random, n - i) < wanted - count) chosen[count++] = i;
}

size_t filo_random_sample(FiloRandom *random, size_t n, size_t *chosen, size_t wanted) {
    if (!check_random(random)) return 0;
    if (!FILO_CHECK(wanted <= n, "cannot choose %zu different numbers of %zu", wanted, n)) return 0;
    if (!FILO_CHECK(chosen != NULL || wanted == 0, "pass room for the numbers to be chosen")) return 0;
    if (wanted == 0) return 0;
    // Floyd's method moves up to wanted² / 2 numbers in all.
    if (wanted < n / wanted)
        sample_few(random, n, chosen, wanted);
    else
        sample_many(random, n, chosen, wanted);
    return wanted;
}

// ---- Description --------------------------------------------------------------------------------------

FILO_REFLECT(FiloRandom, FILO_FIELD(uint64_t, state), FILO_FIELD(uint32_t, words), FILO_FIELD(uint32_t, left),
             FILO_FIELD(uint32_t, sequential))
