// filo/containers.h: a growing array, a map from 64-bit keys, and a set of bits.
//
//     typedef FiloArray(Enemy) EnemyArray;
//     EnemyArray enemies = { 0 };
//     if (!filo_array_push(&enemies, (Enemy){ .health = 10 })) …                  // no memory
//     filo_array_each (&enemies, enemy) enemy->health--;
//     filo_array_deinit(&enemies);
//
//     FiloMap map;
//     filo_map_init(&map, sizeof(Enemy), NULL);
//     Enemy *enemy = filo_map_put(&map, id);                                      // NULL: no memory
//     filo_map_each (&map, i) printf("%lu\n", (unsigned long)filo_map_key_at(&map, i));
//     filo_map_deinit(&map);
//
//     FiloBits bits = { 0 };
//     if (filo_bits_resize(&bits, 1000)) filo_bits_set(&bits, 7);
//     filo_bits_each (&bits, i) printf("%zu\n", i);
//     filo_bits_deinit(&bits);
//
// All three allocate only in functions that can report "no memory" (false or NULL); the container is then unchanged. A
// container with enough capacity (…_reserve, …_resize) does not allocate at all. Items are moved by memcpy. Each
// container takes a FiloAllocator, which must outlive it; NULL is filo_heap().
//
// The order of iteration is the same in every run and on every machine: it depends only on the operations on the
// container, never on hashes or addresses.
//
// One thread at a time may change a container. Any number of threads may read one that no thread changes.

#ifndef FILO_CONTAINERS_H
#define FILO_CONTAINERS_H

#include <filo/memory.h>
#include <filo/types.h>

#include <string.h>

FILO_BEGIN_DECLS

// ---- Array --------------------------------------------------------------------------------------------

// The type of an array of `Type`. All zero is an empty array on the process's heap. Items are array.items[0]
// to array.items[array.count - 1]; pointers to them are valid until the array grows.
#define FiloArray(Type)                                                                                      \
    struct {                                                                                                 \
        Type *items;                                                                                         \
        size_t count, capacity;                                                                              \
        const FiloAllocator *allocator;                                                                      \
    }

// These are macros over any FiloArray. `array` is a pointer, and may be evaluated more than once.

// An empty array on `allocator_`.
#define filo_array_init(array, allocator_)                                                                   \
    ((void)((array)->items = NULL, (array)->count = (array)->capacity = 0, (array)->allocator = (allocator_)))

// Frees the items; the array is then empty and can be used again.
#define filo_array_deinit(array) filo_array_free_items((array), FILO_ARRAY_ITEM_(array))

// Removes all items; the memory stays allocated.
#define filo_array_clear(array) ((void)((array)->count = 0))

// Allocates memory for exactly `capacity_` items in all. (Without this an array doubles when it is full.) False without
// memory.
#define filo_array_reserve(array, capacity_)                                                                 \
    filo_array_reserve_items((array), FILO_ARRAY_ITEM_(array), (capacity_))

// Changes the count to `count_`; new items are zeroed. False without memory.
#define filo_array_resize(array, count_) filo_array_resize_items((array), FILO_ARRAY_ITEM_(array), (count_))

// Adds an item at the end; it may be a copy of an item of the same array. False without memory.
#define filo_array_push(array, ...)                                                                          \
    (((array)->count < (array)->capacity || filo_array_grow((array), FILO_ARRAY_ITEM_(array), 1)) &&         \
     ((array)->items[(array)->count] = (__VA_ARGS__), filo_array_count_up(&(array)->count)))

// Adds `count_` items from `source`, which may be inside the same array. False without memory.
#define filo_array_push_many(array, source, count_)                                                          \
    ((void)sizeof((array)->items == (source)), /* the compiler compares the types */                         \
     filo_array_push_items((array), FILO_ARRAY_ITEM_(array), (source), (count_)))

// Moves the last item into *out; false if there is none.
#define filo_array_pop(array, out)                                                                           \
    ((array)->count > 0 &&                                                                                   \
     (*(out) = (array)->items[(array)->count - 1], filo_array_count_down(&(array)->count)))

// Inserts an item before the one at `index` (or at the end, if `index` is the count); the items behind it move. False
// without memory.
#define filo_array_insert(array, index, ...)                                                                 \
    (filo_array_check_index((index), (array)->count + 1) && filo_array_push((array), __VA_ARGS__) &&         \
     filo_array_move_last((array), FILO_ARRAY_ITEM_(array), (index)))

// Removes the item at `index`; the items behind it move up in the same order.
#define filo_array_remove(array, index) filo_array_remove_item((array), FILO_ARRAY_ITEM_(array), (index))

// Removes the item at `index` and moves the last item into its slot, in constant time.
#define filo_array_remove_swap(array, index)                                                                 \
    filo_array_remove_item_swap((array), FILO_ARRAY_ITEM_(array), (index))

// Iterates over the items from first to last: filo_array_each (&enemies, enemy) enemy->health--; The array must not
// grow or shrink meanwhile.
#define filo_array_each(array, item)                                                                         \
    for (__typeof__(*(array)->items) *item = (array)->items,                                                 \
                                     *item##_end = item != NULL ? item + (array)->count : item;              \
         item != item##_end; item++)

// ---- Map ----------------------------------------------------------------------------------------------

// A map from any 64-bit number (a hash, an id, a FiloName's id, a pointer) to a value of fixed size. Keys and values
// are dense arrays in the order of insertion; a hash table of indices finds a key in them.
//
// Removing moves the last pair to the index of the removed one, as filo_array_remove_swap does. So pairs may be removed
// while iterating from the end to the start.
//
// The capacity doubles. At most 3/4 of the hash table is in use. Each pair of the capacity takes 19 bytes and its
// value.
typedef struct FiloMap {
    void *memory;     // one block: slots, keys, values
    uint64_t *keys;   // [count], in the order of iteration
    uint8_t *values;  // [count × value_size]
    uint64_t *slots;  // [slot_mask + 1], see map.c
    size_t slot_mask; // 0: no memory yet
    size_t count, capacity;
    size_t value_size;
    const FiloAllocator *allocator;
    bool ready; // set by filo_map_init
} FiloMap;

// `value_size` in bytes, as sizeof gives it; values are aligned like any type up to 16 bytes. 0 makes a set
// of keys. Allocates nothing.
void filo_map_init(FiloMap *map, size_t value_size, const FiloAllocator *allocator);
// Frees everything; the map must be initialised before it is used again.
void filo_map_deinit(FiloMap *map);
// Removes all pairs; the memory stays allocated.
void filo_map_clear(FiloMap *map);
// Allocates memory for `count` pairs in all. False without memory.
bool filo_map_reserve(FiloMap *map, size_t count);

// The value of a key; NULL if the key is not in the map. Valid until the next change of the map's pairs or memory.
void *filo_map_get(const FiloMap *map, uint64_t key);
static inline bool filo_map_has(const FiloMap *map, uint64_t key) { return filo_map_get(map, key) != NULL; }
// The value of a key. A key that is not in the map is added at the end, with a value of zeroes. NULL without memory.
// Valid as long as the result of filo_map_get.
void *filo_map_put(FiloMap *map, uint64_t key);
// Sets the value of a key, new or not, to a copy of `value`, which may be inside the same map. False without memory.
bool filo_map_set(FiloMap *map, uint64_t key, const void *value);
// False if the key was not in the map.
bool filo_map_remove(FiloMap *map, uint64_t key);

static inline size_t filo_map_count(const FiloMap *map) { return map->count; }

// The pair at an index below the count.
uint64_t filo_map_key_at(const FiloMap *map, size_t index);
void *filo_map_value_at(const FiloMap *map, size_t index);

// Iterates over the indices in order: filo_map_each (&map, i) use(filo_map_key_at(&map, i));
#define filo_map_each(map, index) for (size_t index = 0; index < (map)->count; index++)

// ---- Bits ---------------------------------------------------------------------------------------------

// A set of the numbers below `count`, one bit each. All zero is an empty set with a count of 0, on the process's heap;
// filo_bits_resize changes the count. filo_bits_over makes a set on the caller's memory.
typedef struct FiloBits {
    uint64_t *words; // bits at and beyond `count` are 0
    size_t count;    // bits
    size_t capacity; // words; 0 if the words are the caller's
    const FiloAllocator *allocator;
} FiloBits;

#define FILO_BITS_NONE        SIZE_MAX                     // the result of a search that found nothing
#define FILO_BITS_WORDS(bits) (((size_t)(bits) + 63) / 64) // how many 64-bit words hold this many bits

void filo_bits_init(FiloBits *bits, const FiloAllocator *allocator);
// Frees the words, if they are the set's own.
void filo_bits_deinit(FiloBits *bits);
// A set on the caller's FILO_BITS_WORDS(count) words, with the bits that they hold. It cannot be made larger.
FiloBits filo_bits_over(uint64_t *words, size_t count);
// Changes the count. New bits are clear; numbers at and beyond the count are removed. False without memory.
bool filo_bits_resize(FiloBits *bits, size_t count);

// Behind the checks below: reports the mistake and is false.
bool filo_bits_check_failed(size_t index, size_t count) FILO_COLD;

// An index at or beyond the count is a caller's mistake, except in filo_bits_test, where it is not in the set.
static inline bool filo_bits_test(const FiloBits *bits, size_t index) {
    return index < bits->count && (bits->words[index / 64] >> index % 64 & 1) != 0;
}
static inline void filo_bits_set(FiloBits *bits, size_t index) {
    if (FILO_LIKELY(index < bits->count) || filo_bits_check_failed(index, bits->count))
        bits->words[index / 64] |= UINT64_C(1) << index % 64;
}
static inline void filo_bits_clear(FiloBits *bits, size_t index) {
    if (FILO_LIKELY(index < bits->count) || filo_bits_check_failed(index, bits->count))
        bits->words[index / 64] &= ~(UINT64_C(1) << index % 64);
}
static inline void filo_bits_assign(FiloBits *bits, size_t index, bool value) {
    if (value)
        filo_bits_set(bits, index);
    else
        filo_bits_clear(bits, index);
}

// The numbers from `first` on, `count` of them.
void filo_bits_set_range(FiloBits *bits, size_t first, size_t count);
void filo_bits_clear_range(FiloBits *bits, size_t first, size_t count);
void filo_bits_set_all(FiloBits *bits);
void filo_bits_clear_all(FiloBits *bits);

// How many bits are set, in all or among the `count` bits from `first` on.
size_t filo_bits_count_set(const FiloBits *bits);
size_t filo_bits_count_range(const FiloBits *bits, size_t first, size_t count);
// Whether any bit is set.
bool filo_bits_any(const FiloBits *bits);

// Behind filo_bits_next: the first set bit in the words from `word` on.
size_t filo_bits_next_word(const FiloBits *bits, size_t word);

// The first number in the set that is not below `from`; FILO_BITS_NONE if there is none.
static inline size_t filo_bits_next(const FiloBits *bits, size_t from) {
    if (from >= bits->count) return FILO_BITS_NONE;
    uint64_t word = bits->words[from / 64] >> from % 64;
    return word != 0 ? from + (size_t)__builtin_ctzll(word) : filo_bits_next_word(bits, from / 64 + 1);
}
// The first number below the count and not below `from` that is not in the set; FILO_BITS_NONE if there is none.
size_t filo_bits_next_clear(const FiloBits *bits, size_t from);

// Intersection, union and difference, stored in `bits`. Both sets must have the same count.
void filo_bits_and(FiloBits *bits, const FiloBits *other);
void filo_bits_or(FiloBits *bits, const FiloBits *other);
void filo_bits_and_not(FiloBits *bits, const FiloBits *other);
// Makes `bits` equal to `other`, including its count. False without memory.
bool filo_bits_copy(FiloBits *bits, const FiloBits *other);
// True if both have the same count and the same numbers.
bool filo_bits_equal(const FiloBits *a, const FiloBits *b);

// Iterates over the numbers in the set, upwards: filo_bits_each (&bits, i) use(i); Bits may be set and cleared
// meanwhile; for those above i the new state counts.
#define filo_bits_each(bits, index)                                                                          \
    for (size_t index = filo_bits_next((bits), 0); index != FILO_BITS_NONE;                                  \
         index = filo_bits_next((bits), index + 1))

// ---- Behind the macros --------------------------------------------------------------------------------

// Any FiloArray, as these functions see it.
typedef struct FiloArrayParts {
    void *items;
    size_t count, capacity;
    const FiloAllocator *allocator;
} FiloArrayParts;

#define FILO_ARRAY_ITEM_(array) sizeof(*(array)->items), __alignof__(*(array)->items)

bool filo_array_reserve_items(void *array, size_t size, size_t align, size_t capacity);
bool filo_array_resize_items(void *array, size_t size, size_t align, size_t count);
bool filo_array_grow(void *array, size_t size, size_t align, size_t more);
bool filo_array_push_items(void *array, size_t size, size_t align, const void *source, size_t count);
bool filo_array_check_index(size_t index, size_t count);
bool filo_array_move_last(void *array, size_t size, size_t align, size_t index);
void filo_array_remove_item(void *array, size_t size, size_t align, size_t index);
void filo_array_remove_item_swap(void *array, size_t size, size_t align, size_t index);
void filo_array_free_items(void *array, size_t size, size_t align);

static inline bool filo_array_count_up(size_t *count) { return ++*count, true; }
static inline bool filo_array_count_down(size_t *count) { return --*count, true; }

FILO_END_DECLS

#endif
