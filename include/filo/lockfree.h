// filo/lockfree.h: data structures that many threads use at the same time, without a lock.
//
//     FiloSharedWordMap *hits;                                      // counts by key, from any thread
//     FiloResult r = filo_shared_word_map_create(&hits, &(FiloSharedWordMapDesc){ .capacity = 1000 });
//     …
//     filo_shared_word_map_add(hits, entity.id, 1, NULL);           // in jobs, all at the same time
//     …
//     size_t cursor = 0;                                            // later, when they have finished
//     uint64_t key, count;
//     while (filo_shared_word_map_next(hits, &cursor, &key, &count)) report(key, count);
//     filo_shared_word_map_destroy(hits);
//
//   FiloSharedArray     elements of any size, by index
//   FiloSharedWords     64-bit words, by index, changed atomically
//   FiloSharedMap       a zeroed value of any size for each key, which never moves
//   FiloSharedWordMap   a 64-bit word for each key, changed atomically
//   FiloCallbackTable   functions that are called for a key, and a last one when all of them have finished
//   FiloFreeList        allocates indices, or blocks of memory
//   FiloWordQueue       64-bit words, first in, first out
//
// No operation ever waits. All memory is allocated on creation (only the callback table, rarely, allocates later). So
// each structure has a limit, and a return value for when it is reached: NULL, false, or a constant. A thread that is
// suspended inside an operation never makes another thread wait; but until it continues, a word queue may report
// "full" or "empty".
//
// "Any thread" below includes several at the same time. Create and destroy a structure on one thread, while no other
// thread uses it. "Quiet" means: no other thread changes the structure, and the caller has waited for those that did.
//
// Words are read with acquire and written with release: a thread that reads a word also sees everything that was
// written before the word. Which thread is first is different each time; what a simulation computes must not depend on
// it. (Additions are fine: the sum is the same in any order.)

#ifndef FILO_LOCKFREE_H
#define FILO_LOCKFREE_H

#include <filo/memory.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Shared array -------------------------------------------------------------------------------------

typedef struct FiloSharedArray FiloSharedArray;

typedef struct FiloSharedArrayDesc {
    const char *name;    // for messages; must outlive the array; NULL: "shared array"
    size_t count;        // elements; at least 1
    size_t element_size; // bytes; at least 1
    bool spread; // each element begins a cache line, so that threads that write neighbours do not contend
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloSharedArrayDesc;

// Creates an array of zeroed elements. The first begins a cache line; without `spread` the others follow without gaps.
// `*array` is NULL if there is no memory.
FiloResult filo_shared_array_create(FiloSharedArray **array, const FiloSharedArrayDesc *desc);
void filo_shared_array_destroy(FiloSharedArray *array); // NULL is allowed

size_t filo_shared_array_count(const FiloSharedArray *array);
// The element, valid until the array is destroyed; NULL, and a fault, beyond the end. Any thread. The caller orders
// accesses to an element: usually each job writes its own elements, and they are read after waiting for the jobs.
void *filo_shared_array_at(FiloSharedArray *array, size_t index);

// ---- Shared words -------------------------------------------------------------------------------------

typedef struct FiloSharedWords FiloSharedWords;

typedef struct FiloSharedWordsDesc {
    const char *name; // for messages; must outlive them; NULL: "shared words"
    size_t count;     // words; at least 1
    bool spread;      // each in a cache line of its own: eight times the memory, but no contention for lines
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloSharedWordsDesc;

// Creates `count` words that are 0. `*words` is NULL if there is no memory.
FiloResult filo_shared_words_create(FiloSharedWords **words, const FiloSharedWordsDesc *desc);
void filo_shared_words_destroy(FiloSharedWords *words); // NULL is allowed

// All of these: any thread. An index beyond the end is a fault: nothing is changed, and the result is 0 or false.
size_t filo_shared_words_count(const FiloSharedWords *words);
uint64_t filo_shared_words_load(const FiloSharedWords *words, size_t index);
void filo_shared_words_store(FiloSharedWords *words, size_t index, uint64_t value);
// These return the previous value. Sums wrap around.
uint64_t filo_shared_words_exchange(FiloSharedWords *words, size_t index, uint64_t value);
uint64_t filo_shared_words_add(FiloSharedWords *words, size_t index, uint64_t value);
// Writes `value` if the word is `*expected`, and returns true; if not, `*expected` receives the word.
bool filo_shared_words_compare_swap(FiloSharedWords *words, size_t index, uint64_t *expected, uint64_t value);

// ---- Shared map ---------------------------------------------------------------------------------------

// Any number is a key, 0 too. Keys are never removed one by one, because other threads may be probing past them, or
// hold pointers to their values. Clear the whole map instead, when it is quiet.
typedef struct FiloSharedMap FiloSharedMap;

typedef struct FiloSharedMapDesc {
    const char *name;               // for messages; must outlive the map; NULL: "shared map"
    size_t capacity;                // number of keys that always fit; at least 1
    size_t value_size;              // bytes; at least 1
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloSharedMapDesc;

// Creates an empty map. The number of its slots is a power of two, of which `capacity` keys fill at most three
// quarters. `*map` is NULL if there is no memory.
FiloResult filo_shared_map_create(FiloSharedMap **map, const FiloSharedMapDesc *desc);
void filo_shared_map_destroy(FiloSharedMap *map); // NULL is allowed

// The value of the key, which is inserted if it is missing. NULL if the map is full: then it has at least `capacity`
// keys, and this is not one of them. (It may have a few more than `capacity` when threads insert at the same time.) If
// several threads insert a key at once, all get the same value, and `*inserted` is true for one of them. `inserted`
// may be NULL. Any thread.
//
// The value is aligned to 16 bytes (8, 4, 2 or 1 if its size is no multiple of 16), all zeroes, and never moves. The
// map itself never reads or writes it. A thread that finds the key sees what was written before the insertion, but not
// what is written into the value afterwards: let one thread write it, usually the one that inserted the key, and wait
// for that before other threads read; or make the fields of the value atomic.
void *filo_shared_map_insert(FiloSharedMap *map, uint64_t key, bool *inserted);
// The value of the key; NULL if it is not in the map. Any thread.
void *filo_shared_map_find(const FiloSharedMap *map, uint64_t key);

// Number of keys. Exact when quiet; otherwise keys that other threads insert may be missing.
size_t filo_shared_map_count(const FiloSharedMap *map);
// Returns the keys one by one: start with `*cursor` 0; false at the end. Only when quiet. If threads inserted at the
// same time, the order is different each time: sort, if the order matters. `key` and `value` may be NULL.
bool filo_shared_map_next(const FiloSharedMap *map, size_t *cursor, uint64_t *key, void **value);
// Removes all keys, and zeroes all values. Only when quiet; pointers to values must not be used any more.
void filo_shared_map_clear(FiloSharedMap *map);

// ---- Shared word map ----------------------------------------------------------------------------------

// Every key has a word, initially 0; the map stores the words that were written. So a key that is not in the map and a
// key whose word is 0 are the same, except for filo_shared_word_map_next. Keys are not removed one by one: write 0.
typedef struct FiloSharedWordMap FiloSharedWordMap;

typedef struct FiloSharedWordMapDesc {
    const char *name;               // for messages; must outlive the map; NULL: "shared word map"
    size_t capacity;                // number of keys that always fit; at least 1
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloSharedWordMapDesc;

// As filo_shared_map_create.
FiloResult filo_shared_word_map_create(FiloSharedWordMap **map, const FiloSharedWordMapDesc *desc);
void filo_shared_word_map_destroy(FiloSharedWordMap *map); // NULL is allowed

// The word of the key; 0 if it was never written. Any thread.
uint64_t filo_shared_word_map_load(const FiloSharedWordMap *map, uint64_t key);
// All of these insert the key if it is missing; false if the map is full: then nothing is changed. `before` receives
// the previous word; it may be NULL. Any thread.
bool filo_shared_word_map_store(FiloSharedWordMap *map, uint64_t key, uint64_t value);
bool filo_shared_word_map_exchange(FiloSharedWordMap *map, uint64_t key, uint64_t value, uint64_t *before);
bool filo_shared_word_map_add(FiloSharedWordMap *map, uint64_t key, uint64_t value, uint64_t *before);
// Writes `value` if the word is `*expected`, and sets `*swapped`; if not, `*expected` receives the word.
bool filo_shared_word_map_compare_swap(FiloSharedWordMap *map, uint64_t key, uint64_t *expected,
                                       uint64_t value, bool *swapped);

// As for the shared map.
size_t filo_shared_word_map_count(const FiloSharedWordMap *map);
bool filo_shared_word_map_next(const FiloSharedWordMap *map, size_t *cursor, uint64_t *key, uint64_t *value);
void filo_shared_word_map_clear(FiloSharedWordMap *map);

// ---- Callback table -----------------------------------------------------------------------------------

// Functions by key. Firing a key calls its functions, in the order in which they were added, and then, once, a last
// function: when all of them have finished, which may be later and on other threads.
//
//     static void load_mesh(void *level, FiloFiring *firing, void *user) { …start a job that ends with
//                                                                          filo_firing_done(firing)… }
//     static void all_loaded(FiloFiring *firing, void *user) { … }
//
//     filo_callback_table_add(table, &(FiloCallbackDesc){ .key = LEVEL_OPENED, .function = load_mesh,
//                                                         .finishes_later = true });
//     firing = (FiloFiring){ .finished = all_loaded };        // must stay valid until `finished` is called
//     filo_callback_table_fire(table, LEVEL_OPENED, level, &firing);
typedef struct FiloCallbackTable FiloCallbackTable;

typedef struct FiloCallbackTableDesc {
    const char *name;               // for messages; must outlive the table; NULL: "callback table"
    size_t expected;                // approximate number of keys; 0: 64. More keys are slower, not wrong
    const FiloAllocator *allocator; // thread-safe, for adding from any thread; NULL: filo_heap()
} FiloCallbackTableDesc;

// One firing, in the caller's memory.
typedef struct FiloFiring FiloFiring;
struct FiloFiring {
    void (*finished)(FiloFiring *firing, void *user); // NULL: none. Inside, the firing may be reused
    void *user;
    uint32_t pending; // private
};

typedef void (*FiloCallback)(void *argument, FiloFiring *firing, void *user);

typedef struct FiloCallbackDesc {
    uint64_t key;
    FiloCallback function;
    void *user;
    bool finishes_later; // it has finished when filo_firing_done is called for it, not when it returns
} FiloCallbackDesc;

// An added function; {0} is none.
typedef struct FiloCallbackId {
    void *slot;
    uint64_t serial;
} FiloCallbackId;

typedef enum FiloCallbackRemoval {
    FILO_CALLBACK_REMOVED, // it is not running, and will not be called again
    FILO_CALLBACK_RUNNING, // it will not be called again, but is running now, perhaps on this thread: do not free
                           // what it uses before it has returned
    FILO_CALLBACK_UNKNOWN, // it was removed before
} FiloCallbackRemoval;

FiloResult filo_callback_table_create(FiloCallbackTable **table, const FiloCallbackTableDesc *desc);
void filo_callback_table_destroy(FiloCallbackTable *table); // NULL is allowed

// Adds a function. A firing that has begun does not call it. The table reuses the memory of removed functions, and
// allocates if there is none; {0} if that fails. Any thread, also inside a callback.
FiloCallbackId filo_callback_table_add(FiloCallbackTable *table, const FiloCallbackDesc *desc);
// Removes a function. A firing that has begun and has not called it yet does not call it. Any thread, also inside a
// callback, even the one that is removed.
FiloCallbackRemoval filo_callback_table_remove(FiloCallbackTable *table, FiloCallbackId id);
// Calls the key's functions one after the other on this thread, and returns their number. `firing->finished` is called
// exactly once, also if there are none: when all of them have finished and the last was called, on the thread that
// finishes last. It sees what all of them wrote. Any thread, also inside a callback with another firing. Takes time in
// proportion to the square of the number of functions of the key: use it for dozens, not for thousands.
size_t filo_callback_table_fire(FiloCallbackTable *table, uint64_t key, void *argument, FiloFiring *firing);
// Reports that a function with `finishes_later` has finished. Once for each call of such a function; any thread.
void filo_firing_done(FiloFiring *firing);

// ---- Free list ----------------------------------------------------------------------------------------

// Allocates the numbers 0 to count − 1, each to one owner at a time, and, if it has a block size, a block of memory
// with each.
typedef struct FiloFreeList FiloFreeList;

typedef struct FiloFreeListDesc {
    const char *name;               // for messages; must outlive the list; NULL: "free list"
    uint32_t count;                 // of numbers; at least 1, at most FILO_FREE_LIST_MAX
    size_t block_size;              // bytes of each number's block; 0: no blocks
    size_t align;                   // of the blocks, a power of two up to 4096; 0: 16
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloFreeListDesc;

#define FILO_FREE_LIST_MAX   (UINT32_MAX - 2)
#define FILO_FREE_LIST_EMPTY UINT32_MAX // returned by filo_free_list_take when all are taken

// `*list` is NULL if there is no memory.
FiloResult filo_free_list_create(FiloFreeList **list, const FiloFreeListDesc *desc);
void filo_free_list_destroy(FiloFreeList *list); // NULL is allowed

// Takes a number that has no owner, or returns FILO_FREE_LIST_EMPTY. It is the number that was given back last; from a
// new list 0, 1, 2 and so on. All that its previous owner did with the block is visible. Any thread.
uint32_t filo_free_list_take(FiloFreeList *list);
// Gives back a number that was taken. To do so twice is a fault. Any thread, not only the one that took it.
void filo_free_list_give(FiloFreeList *list, uint32_t number);

// The block of a number, not zeroed; NULL for FILO_FREE_LIST_EMPTY, so that the result of filo_free_list_take can be
// passed.
void *filo_free_list_block(const FiloFreeList *list, uint32_t number);
// The number of a block.
uint32_t filo_free_list_number(const FiloFreeList *list, const void *block);

// ---- Word queue ---------------------------------------------------------------------------------------

// A queue for any number of producers and consumers. Words are numbers, or pointers cast to uintptr_t.
typedef struct FiloWordQueue FiloWordQueue;

typedef struct FiloWordQueueDesc {
    const char *name;               // for messages; must outlive the queue; NULL: "word queue"
    size_t capacity;                // words; a power of two, at least 2
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloWordQueueDesc;

// `*queue` is NULL if there is no memory.
FiloResult filo_word_queue_create(FiloWordQueue **queue, const FiloWordQueueDesc *desc);
void filo_word_queue_destroy(FiloWordQueue *queue); // NULL is allowed

// Appends a word; false if the queue is full, or a pop that has begun is still reading the slot. A thread that pops the
// word sees what was written before the push. Any thread.
bool filo_word_queue_push(FiloWordQueue *queue, uint64_t word);
// Removes the oldest word; false, with `*word` unchanged, if the queue is empty, or a push that has begun is still
// writing the oldest word. Words of one producer are popped in their order. Any thread.
bool filo_word_queue_pop(FiloWordQueue *queue, uint64_t *word);

FILO_END_DECLS

#endif
