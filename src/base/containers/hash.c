// Hashes: xxHash's XXH3, compiled into this file alone, so that nothing else needs its header or library.
//
// FiloHasher is xxHash's state as plain bytes of the same size and alignment.

#include <filo/check.h>
#include <filo/hash.h>

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(sizeof(XXH3_state_t) <= sizeof(FiloHasher), "xxHash's state fits into a FiloHasher");
_Static_assert(_Alignof(XXH3_state_t) <= _Alignof(FiloHasher), "and is aligned in it");

uint64_t filo_hash(const void *bytes, size_t size) { return XXH3_64bits(bytes, size); }

uint64_t filo_hash_seeded(const void *bytes, size_t size, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, bytes != NULL ? size : 0, seed);
}

uint64_t filo_hash_text(const char *text) { return filo_hash(text, text != NULL ? strlen(text) : 0); }

// ---- Piece by piece -----------------------------------------------------------------------------------

static XXH3_state_t *state_of(FiloHasher *hasher) { return (XXH3_state_t *)(void *)hasher->state; }

// xxHash uses instructions that crash if the state is not aligned.
static bool aligned(const FiloHasher *hasher) {
    return FILO_CHECK((uintptr_t)hasher % _Alignof(FiloHasher) == 0, "allocate a hasher aligned to %zu bytes",
                      _Alignof(FiloHasher));
}

void filo_hasher_init(FiloHasher *hasher, uint64_t seed) {
    if (!aligned(hasher)) return;
    // xxHash compares the seed with the previous one, and reuses its secret if they are equal: there must be a previous
    // one.
    memset(hasher, 0, sizeof *hasher);
    XXH3_64bits_reset_withSeed(state_of(hasher), seed);
}

void filo_hasher_add(FiloHasher *hasher, const void *bytes, size_t size) {
    if (size > 0 && aligned(hasher)) XXH3_64bits_update(state_of(hasher), bytes, size);
}

void filo_hasher_add_u64(FiloHasher *hasher, uint64_t number) {
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++) bytes[i] = (unsigned char)(number >> 8 * i);
    filo_hasher_add(hasher, bytes, sizeof bytes);
}

void filo_hasher_add_u32(FiloHasher *hasher, uint32_t number) {
    unsigned char bytes[4];
    for (unsigned i = 0; i < 4; i++) bytes[i] = (unsigned char)(number >> 8 * i);
    filo_hasher_add(hasher, bytes, sizeof bytes);
}

uint64_t filo_hasher_finish(const FiloHasher *hasher) {
    if (!aligned(hasher)) return 0;
    return XXH3_64bits_digest((const XXH3_state_t *)(const void *)hasher->state);
}
