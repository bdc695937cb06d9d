// Where keys are: the part that both shared maps have in common. A hash table with atomic keys, open
// addressing and linear probing, after Click, "A lock-free wait-free hash table", JavaOne 2007, without his
// resizing.
//
// A place is empty (0) or holds a key, which stays until the table is cleared. A key is put into the first
// place from where its hash points that is empty, by compare and swap; a thread that loses goes on with what
// it finds.
//
// Invariants
// - A place changes once, from empty to a key. So between where a key's hash points and where the key is,
//   there is never an empty place: an empty place proves that the key is not there (yet).
// - Therefore no key is in two places: whoever wants to put it in must first get past, or win, the same empty
//   place.
// - Removing would break both. A mark for removed keys keeps probes going, but marks could never be used
//   again without a thread that put the key in behind one and another that puts it into one; and values, to which
//   others hold pointers, could not be reclaimed. So there is no removal.
//
// The key 0, which would look like an empty place, has a place of its own behind all others, where it is
// stored as 1. `count` is raised after a key has been put in, and looked at before: it never says more than
// there are, so the table never refuses too early, and may exceed the limit by one key a thread at most.
// Probes end after all places in any case.

#ifndef FILO_LOCKFREE_KEY_TABLE_H
#define FILO_LOCKFREE_KEY_TABLE_H

#include <filo/lockfree.h>

#include "base/atomic.h"

#define LOCKFREE_KEY_NOT_FOUND SIZE_MAX

typedef struct LockfreeKeyTable {
    unsigned char *keys;        // atomic words, `stride` bytes apart
    size_t stride, mask, limit; // number of places − 1, and keys with room for certain
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) count; // of keys: a line that every insertion writes
} LockfreeKeyTable;

// Number of places for that many keys, without the one for 0; 0 if there is no such number.
static inline size_t lockfree_key_table_places(size_t capacity) {
    if (capacity > SIZE_MAX / 8) return 0;
    size_t places = 4;
    while (places / 4 * 3 < capacity) places *= 2;
    return places;
}

static inline BASE_ATOMIC(uint64_t) * lockfree_key_at(const LockfreeKeyTable *table, size_t place) {
    return (BASE_ATOMIC(uint64_t) *)(uintptr_t)(table->keys + place * table->stride);
}

// The finaliser of MurmurHash3 (Appleby, public domain): every bit of the key reaches every bit of the
// result.
static inline uint64_t lockfree_key_hash(uint64_t key) {
    key ^= key >> 33;
    key *= 0xFF51AFD7ED558CCDu;
    key ^= key >> 33;
    key *= 0xC4CEB9FE1A85EC53u;
    return key ^ key >> 33;
}

// The place of the key, or LOCKFREE_KEY_NOT_FOUND. Any thread.
static inline size_t lockfree_key_table_find(const LockfreeKeyTable *table, uint64_t key) {
    size_t places = table->mask + 1;
    // Acquire, in both loads: pairs with the release in insert; what was written before the key is visible.
    if (key == 0)
        return base_load_acquire(lockfree_key_at(table, places)) != 0 ? places : LOCKFREE_KEY_NOT_FOUND;
    size_t place = (size_t)lockfree_key_hash(key) & table->mask;
    for (size_t probes = 0; probes < places; probes++) {
        uint64_t found = base_load_acquire(lockfree_key_at(table, place));
        if (found == key) return place;
        if (found == 0) return LOCKFREE_KEY_NOT_FOUND;
        place = (place + 1) & table->mask;
    }
    return LOCKFREE_KEY_NOT_FOUND;
}

// The place of the key, which is put in if it is not there; LOCKFREE_KEY_NOT_FOUND if the table is full. Any
// thread.
static inline size_t lockfree_key_table_insert(LockfreeKeyTable *table, uint64_t key, bool *inserted) {
    size_t places = table->mask + 1, place = places, limit = 1;
    uint64_t stored = 1;
    *inserted = false;
    if (key != 0) {
        place = (size_t)lockfree_key_hash(key) & table->mask;
        limit = places;
        stored = key;
    }
    for (size_t probes = 0; probes < limit; probes++) {
        // Acquire, here and where the swap fails: as in find.
        uint64_t found = base_load_acquire(lockfree_key_at(table, place));
        // Acquire: pairs with the release below; whoever sees the count sees all keys that it counts.
        if (found == 0 && base_load_acquire(&table->count) >= table->limit) {
            // The key that filled the table may be this one, put here since the look above.
            found = base_load_acquire(lockfree_key_at(table, place));
            if (found == 0) return LOCKFREE_KEY_NOT_FOUND;
        } else if (found == 0) {
            // Release: pairs with the acquires; whoever finds the key sees what was written before.
            if (base_cas_acq_rel_acquire(lockfree_key_at(table, place), &found, stored)) {
                // Release: pairs with the acquire of the count above.
                base_add_release(&table->count, 1);
                *inserted = true;
                return place;
            }
        }
        if (found == stored) return place;
        place = (place + 1) & table->mask;
    }
    return LOCKFREE_KEY_NOT_FOUND;
}

// The first key from place `*cursor` on; false if there is none. `*cursor` is the place behind it afterwards.
// While nobody inserts.
static inline bool lockfree_key_table_next(const LockfreeKeyTable *table, size_t *cursor, uint64_t *key) {
    for (size_t place = *cursor; place <= table->mask + 1; place++) {
        uint64_t found = base_load_relaxed(lockfree_key_at(table, place));
        if (found == 0) continue;
        *key = place <= table->mask ? found : 0;
        *cursor = place + 1;
        return true;
    }
    *cursor = table->mask + 2;
    return false;
}

#endif
