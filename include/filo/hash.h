// filo/hash.h: 64-bit hashes that are the same on every machine.
//
//     uint64_t id = filo_hash_text("textures/crate.png");
//
//     FiloHasher hasher;                       // a hash of many pieces, as if they were in one buffer
//     filo_hasher_init(&hasher, 0);
//     filo_hasher_add(&hasher, header, header_size);
//     filo_hasher_add_u64(&hasher, tick);
//     uint64_t hash = filo_hasher_finish(&hasher);
//
// Bytes are hashed by XXH3 (64 bits), whose results are fixed: hashes may be written to files and sent to other
// machines. They are not cryptographic.
//
// The hash of a number's bytes in memory differs between little- and big-endian machines. The results of filo_hash_u64
// and filo_hasher_add_u64 do not, so use these for numbers. Never hash a struct with padding as bytes.
//
// Everything here may be called from any thread (one hasher by one thread at a time), allocates nothing and
// cannot fail.

#ifndef FILO_HASH_H
#define FILO_HASH_H

#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- At once ------------------------------------------------------------------------------------------

// The hash of `size` bytes; `bytes` may be NULL when `size` is 0.
uint64_t filo_hash(const void *bytes, size_t size);

// A different hash function for every seed; a seed of 0 gives filo_hash.
uint64_t filo_hash_seeded(const void *bytes, size_t size, uint64_t seed);

// The hash of a text up to its zero, without it: filo_hash(text, strlen(text)). NULL is taken as "".
uint64_t filo_hash_text(const char *text);

// ---- Numbers ------------------------------------------------------------------------------------------

// Mixes a number so that every bit of the result depends on every bit of it. Different numbers have different
// hashes. Costs about a nanosecond. (The step of SplitMix64.)
static inline uint64_t filo_hash_u64(uint64_t x) {
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

// The hash of a pair of hashes or numbers. The order matters: combine(a, b) is not combine(b, a).
static inline uint64_t filo_hash_combine(uint64_t a, uint64_t b) {
    return filo_hash_u64(a * UINT64_C(0x9E3779B97F4A7C15) + filo_hash_u64(b));
}

// ---- Piece by piece -----------------------------------------------------------------------------------

#define FILO_HASHER_SIZE 576

// The state of a hash that is not finished. It may be copied, to hash two texts with a common prefix. On the heap it
// must be aligned to 64 bytes, as the type requires.
typedef struct __attribute__((aligned(64))) FiloHasher {
    unsigned char state[FILO_HASHER_SIZE];
} FiloHasher;

// Starts a hash, or starts over.
void filo_hasher_init(FiloHasher *hasher, uint64_t seed);

// Adds bytes. How the bytes are divided among calls makes no difference.
void filo_hasher_add(FiloHasher *hasher, const void *bytes, size_t size);

// Adds the 8 (4) bytes of a number, lowest first, on every machine.
void filo_hasher_add_u64(FiloHasher *hasher, uint64_t number);
void filo_hasher_add_u32(FiloHasher *hasher, uint32_t number);

// The hash of everything added so far: the same as filo_hash_seeded of one buffer. More may be added afterwards.
uint64_t filo_hasher_finish(const FiloHasher *hasher);

FILO_END_DECLS

#endif
