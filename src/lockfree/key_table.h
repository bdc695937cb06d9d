// The keys of both shared maps: a hash table with atomic keys, open addressing and linear probing, after Click, "A
// lock-free wait-free hash table", JavaOne 2007, without his resizing.
//
// A slot is empty (0) or holds a key, which stays until the table is cleared. A key is inserted by compare and swap
// into the first empty slot at or after the index of its hash. A thread whose swap fails continues with the key that
// it finds.
//
// Invariants
// - A slot changes once, from empty to a key. So there is never an empty slot between the index of a key's hash and the
//   key: an empty slot proves that the key is not in the table (yet).
// - Therefore no key is in two slots: a thread that inserts it has to pass, or win, the same empty slot.
// - Removal would break both. A mark for removed keys would keep probes correct, but its slot could never be reused:
//   one thread might insert the key behind the mark and another into it. And values to which other threads hold
//   pointers could not be freed. So there is no removal.
//
// The key 0, which would look like an empty slot, has a slot of its own behind all others, where it is stored as 1.
// `count` is raised after a key was inserted, and read before. It is never larger than the number of keys, so the table
// never refuses too early; it may exceed the limit by at most one key per thread. A probe ends after all slots in any
// case.

#ifndef FILO_LOCKFREE_KEY_TABLE_H
#define FILO_LOCKFREE_KEY_TABLE_H

#include <filo/lockfree.h>

#include "base/atomic.h"

#define LOCKFREE_KEY_NOT_FOUND SIZE_MAX

typedef struct LockfreeKeyTable {
    unsigned char *keys; // atomic words, `stride` bytes apart
    size_t stride;
    size_t mask;                                           // number of slots − 1
    size_t limit;                                          // number of keys that always fit
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) count; // of keys; every insertion writes this cache line
} LockfreeKeyTable;

// Number of slots for that many keys, without the one for 0; 0 if that is too large.
static inline size_t lockfree_key_table_slot_count(size_t capacity) {
    if (capacity > SIZE_MAX / 8) return 0;
    size_t slot_count = 4;
    while (slot_count / 4 * 3 < capacity) slot_count *= 2;
    return slot_count;
}

static inline BASE_ATOMIC(uint64_t) * lockfree_key_at(const LockfreeKeyTable *table, size_t slot) {
    return (BASE_ATOMIC(uint64_t) *)(uintptr_t)(table->keys + slot * table->stride);
}

// The finaliser of MurmurHash3 (Appleby, public domain): every bit of the key affects every bit of the result.
static inline uint64_t lockfree_key_hash(uint64_t key) {
    key ^= key >> 33;
    key *= 0xFF51AFD7ED558CCDu;
    key ^= key >> 33;
    key *= 0xC4CEB9FE1A85EC53u;
    return key ^ key >> 33;
}

// The slot of the key, or LOCKFREE_KEY_NOT_FOUND. Any thread.
static inline size_t lockfree_key_table_find(const LockfreeKeyTable *table, uint64_t key) {
    size_t slot_count = table->mask + 1;
    // Acquire, in both loads: pairs with the release in lockfree_key_table_insert; what was written before the
    // insertion is visible.
    if (key == 0)
        return base_load_acquire(lockfree_key_at(table, slot_count)) != 0 ? slot_count
                                                                          : LOCKFREE_KEY_NOT_FOUND;
    size_t slot = (size_t)lockfree_key_hash(key) & table->mask;
    for (size_t probes = 0; probes < slot_count; probes++) {
        uint64_t found = base_load_acquire(lockfree_key_at(table, slot));
        if (found == key) return slot;
        if (found == 0) return LOCKFREE_KEY_NOT_FOUND;
        slot = (slot + 1) & table->mask;
    }
    return LOCKFREE_KEY_NOT_FOUND;
}

// The slot of the key, which is inserted if it is missing; LOCKFREE_KEY_NOT_FOUND if the table is full. Any thread.
static inline size_t lockfree_key_table_insert(LockfreeKeyTable *table, uint64_t key, bool *inserted) {
    size_t slot_count = table->mask + 1, slot = slot_count, limit = 1;
    uint64_t stored = 1;
    *inserted = false;
    if (key != 0) {
        slot = (size_t)lockfree_key_hash(key) & table->mask;
        limit = slot_count;
        stored = key;
    }
    for (size_t probes = 0; probes < limit; probes++) {
        // Acquire, here and where the swap fails: as in lockfree_key_table_find.
        uint64_t found = base_load_acquire(lockfree_key_at(table, slot));
        // Acquire: pairs with the release below; all keys that are counted are visible.
        if (found == 0 && base_load_acquire(&table->count) >= table->limit) {
            // Another thread may have inserted this key here since the load above. Acquire: as above.
            found = base_load_acquire(lockfree_key_at(table, slot));
            if (found == 0) return LOCKFREE_KEY_NOT_FOUND;
        } else if (found == 0) {
            // Release: pairs with the acquire loads of keys; a thread that finds the key sees what was written before.
            if (base_cas_acq_rel_acquire(lockfree_key_at(table, slot), &found, stored)) {
                // Release: pairs with the acquire of the count above.
                base_add_release(&table->count, 1);
                *inserted = true;
                return slot;
            }
        }
        if (found == stored) return slot;
        slot = (slot + 1) & table->mask;
    }
    return LOCKFREE_KEY_NOT_FOUND;
}

// The first key from slot `*cursor` on; false if there is none. `*cursor` becomes the slot behind it. Not while other
// threads insert.
static inline bool lockfree_key_table_next(const LockfreeKeyTable *table, size_t *cursor, uint64_t *key) {
    for (size_t slot = *cursor; slot <= table->mask + 1; slot++) {
        uint64_t found = base_load_relaxed(lockfree_key_at(table, slot));
        if (found == 0) continue;
        *key = slot <= table->mask ? found : 0;
        *cursor = slot + 1;
        return true;
    }
    *cursor = table->mask + 2;
    return false;
}

#endif
