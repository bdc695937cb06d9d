// A set of pairs of numbers above 0, in either order: a hash table with linear probing. Its order does not show.

#include <filo/hash.h>

#include "physics2d/physics2d.h"

static uint64_t key_of(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static size_t find(const Physics2dPairSet *set, uint64_t key) {
    size_t mask = set->count - 1, i = (size_t)filo_hash_u64(key) & mask;
    while (set->items[i].key != 0 && set->items[i].key != key) i = (i + 1) & mask;
    return i;
}

bool physics2d_set_has(const Physics2dPairSet *set, uint32_t a, uint32_t b) {
    return set->used > 0 && set->items[find(set, key_of(a, b))].key != 0;
}

static bool grow(Physics2dPairSet *set) {
    size_t size = set->count > 0 ? set->count * 2 : 256;
    Physics2dPairSet old = *set;
    filo_array_init(set, old.allocator);
    if (!physics2d_resize(set, size)) {
        *set = old;
        return false;
    }
    for (size_t i = 0; i < old.count; i++)
        if (old.items[i].key != 0) set->items[find(set, old.items[i].key)] = old.items[i];
    filo_array_deinit(&old);
    return true;
}

bool physics2d_set_reserve(Physics2dPairSet *set, size_t pairs) {
    while (set->count < pairs * 2)
        if (!grow(set)) return false;
    return true;
}

bool physics2d_set_add(Physics2dPairSet *set, uint32_t a, uint32_t b) {
    if (set->used * 2 >= set->count && !grow(set)) return false;
    size_t slot = find(set, key_of(a, b));
    if (set->items[slot].key != 0) return true;
    set->items[slot].key = key_of(a, b);
    set->used++;
    return true;
}

void physics2d_set_remove(Physics2dPairSet *set, uint32_t a, uint32_t b) {
    if (set->used == 0) return;
    size_t mask = set->count - 1, hole = find(set, key_of(a, b));
    if (set->items[hole].key == 0) return;
    set->used--;
    // Keys behind the hole move up, unless they are where they belong.
    for (size_t i = (hole + 1) & mask; set->items[i].key != 0; i = (i + 1) & mask) {
        size_t home = (size_t)filo_hash_u64(set->items[i].key) & mask;
        if (((i - home) & mask) < ((i - hole) & mask)) continue;
        set->items[hole] = set->items[i];
        hole = i;
    }
    set->items[hole].key = 0;
}

void physics2d_set_clear(Physics2dPairSet *set) {
    if (set->used > 0) memset(set->items, 0, set->count * sizeof *set->items);
    set->used = 0;
}
