// Maps: keys and values are dense arrays in the order of insertion; a hash table of slots finds the index of a key.
// Iteration is over the dense arrays, so its order does not depend on hashes.
//
// A slot is 0 or (32 bits of the key's hash, index + 1). The lower of those bits are the slot where the search starts;
// it goes on to the next slot until it finds the key or an empty slot (linear probing). Removing moves later slots into
// the hole instead of leaving a tombstone, so a map does not slow down with use. The invariant:
//
//   every slot between the start of a key's search and its slot is in use.
//
// Everything is in one block, so that growing is one allocation, which succeeds or changes nothing:
//
//   slots [power of two] | keys [capacity] | padding to 16 | values [capacity]

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/hash.h>

#include <string.h>

#define FIRST_SLOTS ((size_t)16)
#define MAX_SLOTS   ((size_t)1 << 32) // an index + 1 must fit into half a slot
#define VALUE_ALIGN ((size_t)16)

void filo_map_init(FiloMap *map, size_t value_size, const FiloAllocator *allocator) {
    *map = (FiloMap){ .value_size = value_size, .allocator = allocator, .ready = true };
}

static size_t capacity_of(size_t slots) { return slots / 4 * 3; }

// The offset of the values, and the size of the block. False on overflow.
static bool block_size(size_t slots, size_t value_size, size_t *values_at, size_t *size) {
    size_t values;
    *values_at = FILO_ALIGN_UP((slots + capacity_of(slots)) * sizeof(uint64_t), VALUE_ALIGN);
    return !__builtin_mul_overflow(capacity_of(slots), value_size, &values) &&
           !__builtin_add_overflow(*values_at, values, size);
}

static void free_block(const FiloMap *map) {
    size_t values_at, size;
    if (map->memory == NULL || !block_size(map->slot_mask + 1, map->value_size, &values_at, &size)) return;
    filo_free(map->allocator, map->memory, size, VALUE_ALIGN);
}

void filo_map_deinit(FiloMap *map) {
    free_block(map);
    *map = (FiloMap){ 0 };
}

void filo_map_clear(FiloMap *map) {
    if (map->memory != NULL) memset(map->slots, 0, (map->slot_mask + 1) * sizeof *map->slots);
    map->count = 0;
}

// ---- Slots --------------------------------------------------------------------------------------------

static uint64_t make_slot(uint32_t hash, size_t index) { return (uint64_t)hash << 32 | (index + 1); }
static uint32_t hash_of(uint64_t slot) { return (uint32_t)(slot >> 32); }
static size_t index_of(uint64_t slot) { return (size_t)(uint32_t)slot - 1; }
static uint32_t hash_key(uint64_t key) { return (uint32_t)filo_hash_u64(key); }

// The slot of a key, or the empty slot for it. There always is an empty slot.
static size_t find_slot(const FiloMap *map, uint64_t key, uint32_t hash) {
    size_t i = hash & map->slot_mask;
    for (uint64_t slot; (slot = map->slots[i]) != 0; i = (i + 1) & map->slot_mask)
        if (hash_of(slot) == hash && map->keys[index_of(slot)] == key) break;
    return i;
}

static size_t find_slot_of_index(const FiloMap *map, size_t index) {
    uint32_t hash = hash_key(map->keys[index]);
    size_t i = hash & map->slot_mask;
    while (map->slots[i] != make_slot(hash, index)) i = (i + 1) & map->slot_mask;
    return i;
}

// Empties a slot, and moves the slots behind it whose search would now end too early.
static void empty_slot(FiloMap *map, size_t hole) {
    size_t mask = map->slot_mask;
    for (size_t i = (hole + 1) & mask; map->slots[i] != 0; i = (i + 1) & mask) {
        size_t start = hash_of(map->slots[i]) & mask;
        if (((i - start) & mask) < ((i - hole) & mask)) continue; // its search starts behind the hole
        map->slots[hole] = map->slots[i];
        hole = i;
    }
    map->slots[hole] = 0;
}

// ---- Growing ------------------------------------------------------------------------------------------

static bool set_slots(FiloMap *map, size_t slots) {
    size_t values_at, size;
    if (slots > MAX_SLOTS || !block_size(slots, map->value_size, &values_at, &size)) {
        filo_out_of_memory("map", SIZE_MAX, "a map cannot have that many pairs");
        return false;
    }
    uint8_t *memory = filo_alloc(map->allocator, size, VALUE_ALIGN);
    if (memory == NULL) return false;

    FiloMap larger = *map;
    larger.memory = memory;
    larger.slots = (uint64_t *)(void *)memory;
    larger.keys = larger.slots + slots;
    larger.values = memory + values_at;
    larger.slot_mask = slots - 1;
    larger.capacity = capacity_of(slots);
    memset(larger.slots, 0, slots * sizeof *larger.slots);
    if (map->count > 0) {
        memcpy(larger.keys, map->keys, map->count * sizeof *map->keys);
        memcpy(larger.values, map->values, map->count * map->value_size);
    }
    for (size_t index = 0; index < map->count; index++) {
        uint32_t hash = hash_key(larger.keys[index]);
        size_t i = hash & larger.slot_mask;
        while (larger.slots[i] != 0) i = (i + 1) & larger.slot_mask;
        larger.slots[i] = make_slot(hash, index);
    }
    free_block(map);
    *map = larger;
    return true;
}

static bool usable(const FiloMap *map) {
    return FILO_CHECK(map->ready, "initialise the map with filo_map_init before using it");
}

bool filo_map_reserve(FiloMap *map, size_t count) {
    if (!usable(map)) return false;
    if (count <= map->capacity) return true;
    size_t slots = FIRST_SLOTS;
    while (capacity_of(slots) < count && slots <= MAX_SLOTS) slots *= 2;
    return set_slots(map, slots);
}

// ---- Pairs --------------------------------------------------------------------------------------------

static void *value_of(const FiloMap *map, size_t index) { return map->values + index * map->value_size; }

void *filo_map_get(const FiloMap *map, uint64_t key) {
    if (map->count == 0) return NULL;
    uint64_t slot = map->slots[find_slot(map, key, hash_key(key))];
    return slot != 0 ? value_of(map, index_of(slot)) : NULL;
}

void *filo_map_put(FiloMap *map, uint64_t key) {
    if (!usable(map)) return NULL;
    uint32_t hash = hash_key(key);
    if (map->memory != NULL) {
        uint64_t slot = map->slots[find_slot(map, key, hash)];
        if (slot != 0) return value_of(map, index_of(slot));
    }
    if (map->count == map->capacity && !filo_map_reserve(map, map->count + 1)) return NULL;
    size_t index = map->count++;
    map->slots[find_slot(map, key, hash)] = make_slot(hash, index);
    map->keys[index] = key;
    memset(value_of(map, index), 0, map->value_size);
    return value_of(map, index);
}

bool filo_map_set(FiloMap *map, uint64_t key, const void *value) {
    // A value inside the map moves when the map grows.
    uintptr_t offset = (uintptr_t)value - (uintptr_t)map->values;
    bool inside = map->values != NULL && offset < map->count * map->value_size;
    void *target = filo_map_put(map, key);
    if (target != NULL && map->value_size > 0)
        memmove(target, inside ? map->values + offset : value, map->value_size);
    return target != NULL;
}

bool filo_map_remove(FiloMap *map, uint64_t key) {
    if (map->count == 0) return false;
    size_t found = find_slot(map, key, hash_key(key));
    if (map->slots[found] == 0) return false;
    size_t index = index_of(map->slots[found]), last = map->count - 1;
    if (index != last) {
        size_t slot_of_last = find_slot_of_index(map, last);
        map->slots[slot_of_last] = make_slot(hash_of(map->slots[slot_of_last]), index);
        map->keys[index] = map->keys[last];
        if (map->value_size > 0) memcpy(value_of(map, index), value_of(map, last), map->value_size);
    }
    map->count = last;
    empty_slot(map, found);
    return true;
}

static bool check_index(const FiloMap *map, size_t index) {
    return FILO_CHECK(index < map->count, "index %zu is outside the map: use one below %zu", index,
                      map->count);
}

uint64_t filo_map_key_at(const FiloMap *map, size_t index) {
    return check_index(map, index) ? map->keys[index] : 0;
}

void *filo_map_value_at(const FiloMap *map, size_t index) {
    return check_index(map, index) ? value_of(map, index) : NULL;
}
