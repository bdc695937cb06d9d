// Shared maps: key_table.h says where keys are; here are the values.
//
// The map of bytes keeps keys and values in two arrays: a probe runs over keys only, eight to a cache line.
// The map of words keeps each word beside its key: one miss instead of two. In both, a value is zeroed when
// the map is made, before anybody can insert; so a key that has just been put in has a value already, and
// there is no moment in between that others could see.

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

// ---- Bytes --------------------------------------------------------------------------------------------

struct FiloSharedMap {
    LockfreeKeyTable table;
    unsigned char *values; // behind the keys, in the same allocation
    size_t stride, size;
    const FiloAllocator *allocator;
};

// The distance of values: the size, rounded up so that each is aligned as its size allows.
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
    size_t places = lockfree_key_table_places(desc->capacity), values, size;
    if (places == 0 || desc->value_size > SIZE_MAX / 2) return too_large(name, desc->capacity);
    size_t values_at =
        FILO_ALIGN_UP(sizeof(FiloSharedMap) + (places + 1) * sizeof(uint64_t), (size_t)FILO_CACHE_LINE);
    size_t stride = stride_of(desc->value_size);
    if (__builtin_mul_overflow(stride, places + 1, &values) || values > SIZE_MAX / 2 ||
        __builtin_add_overflow(values, values_at, &size))
        return too_large(name, desc->capacity);
    FiloSharedMap *fresh = filo_alloc_zero(desc->allocator, size, FILO_CACHE_LINE);
    if (fresh == NULL) return no_memory(name, desc->capacity);
    fresh->table.keys = (unsigned char *)(fresh + 1);
    fresh->table.stride = sizeof(uint64_t);
    fresh->table.mask = places - 1;
    fresh->table.limit = desc->capacity;
    fresh->values = (unsigned char *)fresh + values_at;
    fresh->stride = stride;
    fresh->size = size;
    fresh->allocator = desc->allocator;
    *map = fresh;
    return filo_ok();
}

void filo_shared_map_destroy(FiloSharedMap *map) {
    if (map != NULL) filo_free(map->allocator, map, map->size, FILO_CACHE_LINE);
}

static void *value_at(const FiloSharedMap *map, size_t place) {
    return place != LOCKFREE_KEY_NOT_FOUND ? map->values + place * map->stride : NULL;
}

void *filo_shared_map_insert(FiloSharedMap *map, uint64_t key, bool *inserted) {
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return NULL;
    bool unwanted;
    return value_at(map,
                    lockfree_key_table_insert(&map->table, key, inserted != NULL ? inserted : &unwanted));
}

void *filo_shared_map_find(const FiloSharedMap *map, uint64_t key) {
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return NULL;
    return value_at(map, lockfree_key_table_find(&map->table, key));
}

size_t filo_shared_map_count(const FiloSharedMap *map) {
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return 0;
    return (size_t)base_load_relaxed(&map->table.count);
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
    for (size_t place = 0; place <= map->table.mask + 1; place++)
        base_store_relaxed(lockfree_key_at(&map->table, place), 0);
    memset(map->values, 0, (map->table.mask + 2) * map->stride);
    base_store_relaxed(&map->table.count, 0);
}

// ---- Words --------------------------------------------------------------------------------------------

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
    size_t places = lockfree_key_table_places(desc->capacity);
    if (places == 0 || places > SIZE_MAX / (4 * sizeof(WordEntry))) return too_large(name, desc->capacity);
    size_t size = sizeof(FiloSharedWordMap) + (places + 1) * sizeof(WordEntry);
    FiloSharedWordMap *fresh = filo_alloc_zero(desc->allocator, size, FILO_CACHE_LINE);
    if (fresh == NULL) return no_memory(name, desc->capacity);
    fresh->table.keys = (unsigned char *)fresh->entries;
    fresh->table.stride = sizeof(WordEntry);
    fresh->table.mask = places - 1;
    fresh->table.limit = desc->capacity;
    fresh->size = size;
    fresh->allocator = desc->allocator;
    *map = fresh;
    return filo_ok();
}

void filo_shared_word_map_destroy(FiloSharedWordMap *map) {
    if (map != NULL) filo_free(map->allocator, map, map->size, FILO_CACHE_LINE);
}

// The key's word, NULL if the map is full.
static BASE_ATOMIC(uint64_t) * word_of(FiloSharedWordMap *map, uint64_t key) {
    bool inserted;
    size_t place = lockfree_key_table_insert(&map->table, key, &inserted);
    return place != LOCKFREE_KEY_NOT_FOUND ? &map->entries[place].word : NULL;
}

// Words pair with each other: what was written before a word was written with release is visible to whoever
// reads it with acquire.

uint64_t filo_shared_word_map_load(const FiloSharedWordMap *map, uint64_t key) {
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return 0;
    size_t place = lockfree_key_table_find(&map->table, key);
    return place != LOCKFREE_KEY_NOT_FOUND ? base_load_acquire(&map->entries[place].word) : 0;
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
    if (!FILO_CHECK(map != NULL, "pass a shared map")) return 0;
    return (size_t)base_load_relaxed(&map->table.count);
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
    for (size_t place = 0; place <= map->table.mask + 1; place++) {
        base_store_relaxed(&map->entries[place].key, 0);
        base_store_relaxed(&map->entries[place].word, 0);
    }
    base_store_relaxed(&map->table.count, 0);
}
