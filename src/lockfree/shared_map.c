// Shared maps: the values. The keys are in key_table.h.
//
// FiloSharedMap has keys and values in two arrays: a probe reads keys only, eight to a cache line. FiloSharedWordMap
// has each word beside its key: one cache miss instead of two. In both, values are zeroed when the map is created. So
// a key has its value from the moment of its insertion, and no other thread sees it without one.

#include <filo/check.h>

#include "lockfree/key_table.h"

#include <string.h>

static FiloResult no_memory(const char *name, size_t capacity) {
    return filo_error(FILO_ERROR_MEMORY, "%s: no memory for %zu keys", name, capacity);
}

static FiloResult too_large(const char *name, size_t capacity) {
    return filo_error(FILO_ERROR_LIMIT, "%s: %zu keys with their values are more than memory can be", name,
                      capacity);
}

// ---- Shared map ---------------------------------------------------------------------------------------

struct FiloSharedMap {
    LockfreeKeyTable table;
    unsigned char *values; // behind the keys, in the same allocation
    size_t stride, size;
    const FiloAllocator *allocator;
};

// Bytes from value to value: the size, rounded up so that each is aligned as its size allows.
static size_t stride_of(size_t value_size) {
    size_t align = value_size & (~value_size + 1); // the largest power of two that divides it
    return FILO_ALIGN_UP(value_size, FILO_MIN(align, (size_t)16));
}

FiloResult filo_shared_map_create(FiloSharedMap **map, const FiloSharedMapDesc *desc) {
    if (map == NULL || desc == NULL) return FILO_MISTAKE("describe the map, and pass where to put it");
    *map = NULL;
    const char *name = desc->name != NULL ? desc->name : "shared map";
    if (desc->capacity == 0 || desc->value_size == 0)
        return FILO_MISTAKE("%s: give the capacity and the size of values", name);
    size_t slot_count = lockfree_key_table_slot_count(desc->capacity), values, size;
    if (slot_count == 0 || desc->value_size > SIZE_MAX / 2) return too_large(name, desc->capacity);
    size_t values_at =
        FILO_ALIGN_UP(sizeof(FiloSharedMap) + (slot_count + 1) * sizeof(uint64_t), (size_t)FILO_CACHE_LINE);
    size_t stride = stride_of(desc->value_size);
    if (__builtin_mul_overflow(stride, slot_count + 1, &values) || values > SIZE_MAX / 2 ||
        __builtin_add_overflow(values, values_at, &size))
        return too_large(name, desc->capacity);
    FiloSharedMap *created = filo_alloc_zero(desc->allocator, size, FILO_CACHE_LINE);
    if (created == NULL) return no_memory(name, desc->capacity);
    created->table.keys = (unsigned char *)(created + 1);
    created->table.stride = sizeof(uint64_t);
    created->table.mask = slot_count - 1;
    created->table.limit = desc->capacity;
    created->values = (unsigned char *)created + values_at;
    created->stride = stride;
    created->size = size;
    created->allocator = desc->allocator;
    *map = created;
    return filo_ok();
}

void filo_shared_map_destroy(FiloSharedMap *map) {
    if (map != NULL) filo_free(map->allocator, map, map->size, FILO_CACHE_LINE);
}

static void *value_at(const FiloSharedMap *map, size_t slot) {
    return slot != LOCKFREE_KEY_NOT_FOUND ? map->values + slot * map->stride : NULL;
}

void *filo_shared_map_insert(FiloSharedMap *map, uint64_t key, bool *inserted) {
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return NULL;
    bool unused;
    return value_at(map, lockfree_key_table_insert(&map->table, key, inserted != NULL ? inserted : &unused));
}

void *filo_shared_map_find(const FiloSharedMap *map, uint64_t key) {
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return NULL;
    return value_at(map, lockfree_key_table_find(&map->table, key));
}

size_t filo_shared_map_count(const FiloSharedMap *map) {
    return FILO_CHECK(map != NULL, "pass a shared map") ? (size_t)base_load_relaxed(&map->table.count) : 0;
}

bool filo_shared_map_next(const FiloSharedMap *map, size_t *cursor, uint64_t *key, void **value) {
    if (!FILO_CHECK(map != NULL && cursor != NULL, "pass a shared map and a cursor")) return false;
    uint64_t found;
    if (!lockfree_key_table_next(&map->table, cursor, &found)) return false;
    if (key != NULL) *key = found;
    if (value != NULL) *value = value_at(map, *cursor - 1);
    return true;
}

void filo_shared_map_clear(FiloSharedMap *map) {
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return;
    for (size_t slot = 0; slot <= map->table.mask + 1; slot++)
        base_store_relaxed(lockfree_key_at(&map->table, slot), 0);
    memset(map->values, 0, (map->table.mask + 2) * map->stride);
    base_store_relaxed(&map->table.count, 0);
}

// ---- Shared word map ----------------------------------------------------------------------------------

typedef struct WordEntry {
    BASE_ATOMIC(uint64_t) key, word;
} WordEntry;

struct FiloSharedWordMap {
    LockfreeKeyTable table;
    size_t size;
    const FiloAllocator *allocator;
    _Alignas(FILO_CACHE_LINE) WordEntry entries[];
};

FiloResult filo_shared_word_map_create(FiloSharedWordMap **map, const FiloSharedWordMapDesc *desc) {
    if (map == NULL || desc == NULL) return FILO_MISTAKE("describe the map, and pass where to put it");
    *map = NULL;
    const char *name = desc->name != NULL ? desc->name : "shared word map";
    if (desc->capacity == 0) return FILO_MISTAKE("%s: give the capacity", name);
    size_t slot_count = lockfree_key_table_slot_count(desc->capacity);
    if (slot_count == 0 || slot_count > SIZE_MAX / (4 * sizeof(WordEntry)))
        return too_large(name, desc->capacity);
    size_t size = sizeof(FiloSharedWordMap) + (slot_count + 1) * sizeof(WordEntry);
    FiloSharedWordMap *created = filo_alloc_zero(desc->allocator, size, FILO_CACHE_LINE);
    if (created == NULL) return no_memory(name, desc->capacity);
    created->table.keys = (unsigned char *)created->entries;
    created->table.stride = sizeof(WordEntry);
    created->table.mask = slot_count - 1;
    created->table.limit = desc->capacity;
    created->size = size;
    created->allocator = desc->allocator;
    *map = created;
    return filo_ok();
}

void filo_shared_word_map_destroy(FiloSharedWordMap *map) {
    if (map != NULL) filo_free(map->allocator, map, map->size, FILO_CACHE_LINE);
}

// The word of the key, which is inserted if it is missing; NULL if the map is full.
static BASE_ATOMIC(uint64_t) * word_of(FiloSharedWordMap *map, uint64_t key) {
    bool inserted;
    size_t slot = lockfree_key_table_insert(&map->table, key, &inserted);
    return slot != LOCKFREE_KEY_NOT_FOUND ? &map->entries[slot].word : NULL;
}

// All operations on words pair with each other: what a thread wrote before it wrote a word with release is visible to a
// thread that reads that word with acquire.

uint64_t filo_shared_word_map_load(const FiloSharedWordMap *map, uint64_t key) {
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return 0;
    size_t slot = lockfree_key_table_find(&map->table, key);
    return slot != LOCKFREE_KEY_NOT_FOUND ? base_load_acquire(&map->entries[slot].word) : 0;
}

bool filo_shared_word_map_store(FiloSharedWordMap *map, uint64_t key, uint64_t value) {
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return false;
    BASE_ATOMIC(uint64_t) *word = word_of(map, key);
    if (word == NULL) return false;
    base_store_release(word, value);
    return true;
}

bool filo_shared_word_map_exchange(FiloSharedWordMap *map, uint64_t key, uint64_t value, uint64_t *before) {
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return false;
    BASE_ATOMIC(uint64_t) *word = word_of(map, key);
    if (word == NULL) return false;
    uint64_t old = base_exchange_acq_rel(word, value);
    if (before != NULL) *before = old;
    return true;
}

bool filo_shared_word_map_add(FiloSharedWordMap *map, uint64_t key, uint64_t value, uint64_t *before) {
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return false;
    BASE_ATOMIC(uint64_t) *word = word_of(map, key);
    if (word == NULL) return false;
    uint64_t old = base_add_acq_rel(word, value);
    if (before != NULL) *before = old;
    return true;
}

bool filo_shared_word_map_compare_swap(FiloSharedWordMap *map, uint64_t key, uint64_t *expected,
                                       uint64_t value, bool *swapped) {
    if (!FILO_CHECK(map != NULL && expected != NULL && swapped != NULL,
                    "pass a shared map, what is expected, and where the answer goes"))
        return false;
    *swapped = false;
    BASE_ATOMIC(uint64_t) *word = word_of(map, key);
    if (word == NULL) return false;
    *swapped = base_cas_acq_rel_acquire(word, expected, value);
    return true;
}

size_t filo_shared_word_map_count(const FiloSharedWordMap *map) {
    return FILO_CHECK(map != NULL, "pass a shared map") ? (size_t)base_load_relaxed(&map->table.count) : 0;
}

bool filo_shared_word_map_next(const FiloSharedWordMap *map, size_t *cursor, uint64_t *key, uint64_t *value) {
    if (!FILO_CHECK(map != NULL && cursor != NULL, "pass a shared map and a cursor")) return false;
    uint64_t found;
    if (!lockfree_key_table_next(&map->table, cursor, &found)) return false;
    if (key != NULL) *key = found;
    if (value != NULL) *value = base_load_relaxed(&map->entries[*cursor - 1].word);
    return true;
}

void filo_shared_word_map_clear(FiloSharedWordMap *map) {
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return;
    for (size_t slot = 0; slot <= map->table.mask + 1; slot++) {
        base_store_relaxed(&map->entries[slot].key, 0);
        base_store_relaxed(&map->entries[slot].word, 0);
    }
    base_store_relaxed(&map->table.count, 0);
}
