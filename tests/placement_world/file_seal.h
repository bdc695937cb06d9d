// Numbers in terrain files, and making the checksums of a changed file right again: otherwise it would be refused
// before what was changed is looked at.

#ifndef FILO_TESTS_PLACEMENT_WORLD_DATA_SEAL_H
#define FILO_TESTS_PLACEMENT_WORLD_DATA_SEAL_H

#include <filo/hash.h>

static inline void seal_put(uint8_t *bytes, uint64_t number, int size) {
    for (int i = 0; i < size; i++) bytes[i] = (uint8_t)(number >> (8 * i));
}

static inline uint64_t seal_get(const uint8_t *bytes, int size) {
    uint64_t number = 0;
    for (int i = 0; i < size; i++) number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

// Of all tiles, if `tiles` is set, the index and the header, as far as they can be found.
static inline void seal(uint8_t *data, size_t size, bool tiles) {
    if (size < 96) return;
    uint64_t index = seal_get(data + 40, 8), channels = seal_get(data + 12, 4);
    if (channels > (size - 96) / 64) channels = (size - 96) / 64;
    for (size_t at = (size_t)index; tiles && index <= size && size - at >= 24; at += 24) {
        uint64_t offset = seal_get(data + at, 8), bytes = seal_get(data + at + 16, 4);
        if (bytes > 0 && offset <= size && bytes <= size - offset)
            seal_put(data + at + 8, filo_hash(data + offset, (size_t)bytes), 8);
    }
    if (index <= size) seal_put(data + 80, filo_hash(data + index, size - (size_t)index), 8);
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    filo_hasher_add(&hasher, data, 88);
    filo_hasher_add(&hasher, data + 96, (size_t)channels * 64);
    seal_put(data + 88, filo_hasher_finish(&hasher), 8);
}

#endif
