// filo/lockfree.h: structures that many threads use at once, without a lock.
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
//   FiloSharedArray     elements of any size, reached by index
//   FiloSharedWords     64-bit words, reached by index, changed atomically
//   FiloSharedMap       a zeroed value of any size for each key, which never moves
//   FiloSharedWordMap   a 64-bit word for each key, changed atomically
//   FiloCallbackTable   functions to call when something happens, and one to call when all of them are done
//   FiloFreeList        hands out indices, or blocks of memory, and takes them back
//   FiloWordQueue       64-bit words, first in, first out
//
// None of them ever waits, and none allocates after it was made (except, rarely, the callback table). All
// memory is taken at the beginning, so each has a limit, and an answer for when it is reached: NULL, false,
// or a value that says so. A thread that is stopped anywhere inside never makes another wait; a word queue
// may only say "full" or "empty" until it goes on.
//
// "Any thread" below includes several at the same moment. Creating and destroying is for one thread, while no
// other uses the structure. "Quiet" means: while nobody else changes it, and what they did has been waited
// for.
//
// Words are read with acquire and written with release: who reads a word also sees everything that was
// written before the word was. Which thread comes first is different each time; what a simulation computes
// must not depend on it. (Additions are fine: the sum is the same in any order.)

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
    bool spread;         // each element begins a cache line, so that neighbours do not slow each other
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloSharedArrayDesc;

// Makes an array of zeroed elements. The first begins a cache line; without `spread` the others follow
// without gaps. `*array` is NULL if there is no memory.
FiloResult filo_shared_array_create(FiloSharedArray **array, const FiloSharedArrayDesc *desc);
void filo_shared_array_destroy(FiloSharedArray *array); // NULL is allowed

size_t filo_shared_array_count(const FiloSharedArray *array);
// The element, valid until the array is destroyed; NULL, and a fault, beyond the end. Any thread. Who may
// write which element, and when others may read it, is the caller's affair: usually each job has elements of
// its own, and they are read after the jobs have been waited for.
void *filo_shared_array_at(FiloSharedArray *array, size_t index);

// ---- Shared words -------------------------------------------------------------------------------------

typedef struct FiloSharedWords FiloSharedWords;

typedef struct FiloSharedWordsDesc {
    const char *name; // for messages; must outlive them; NULL: "shared words"
    size_t count;     // words; at least 1
    bool spread;      // each in a cache line of its own: eight times the memory, but no quarrel about lines
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloSharedWordsDesc;

// Makes `count` words that are 0. `*words` is NULL if there is no memory.
FiloResult filo_shared_words_create(FiloSharedWords **words, const FiloSharedWordsDesc *desc);
void filo_shared_words_destroy(FiloSharedWords *words); // NULL is allowed

// Any thread, all of them. An index beyond the end is a fault: nothing is changed, and the answer is 0 or
// false.
size_t filo_shared_words_count(const FiloSharedWords *words);
uint64_t filo_shared_words_load(const FiloSharedWords *words, size_t index);
void filo_shared_words_store(FiloSharedWords *words, size_t index, uint64_t value);
// These return the value before. Sums wrap around.
uint64_t filo_shared_words_exchange(FiloSharedWords *words, size_t index, uint64_t value);
uint64_t filo_shared_words_add(FiloSharedWords *words, size_t index, uint64_t value);
// Writes `value` if the word is `*expected`, and returns true; if not, `*expected` becomes what it is.
bool filo_shared_words_compare_swap(FiloSharedWords *words, size_t index, uint64_t *expected, uint64_t value);

// ---- Shared map ---------------------------------------------------------------------------------------

// Any number is a key, 0 too. Keys are never removed one by one: others may be on their way past them, and
// may hold pointers to their values. Clear the whole map instead, at a quiet moment.
typedef struct FiloSharedMap FiloSharedMap;

typedef struct FiloSharedMapDesc {
    const char *name;               // for messages; must outlive the map; NULL: "shared map"
    size_t capacity;                // keys that have room for certain; at least 1
    size_t value_size;              // bytes; at least 1
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloSharedMapDesc;

// Makes an empty map, with a power of two of places of which `capacity` keys fill at most three quarters.
// `*map` is NULL if there is no memory.
FiloResult filo_shared_map_create(FiloSharedMap **map, const FiloSharedMapDesc *desc);
void filo_shared_map_destroy(FiloSharedMap *map); // NULL is allowed

// The key's value, put in if it was not there. NULL if the map is full: then at least `capacity` keys are in
// it, and this is not one of them. (A few more than `capacity` may get in when threads insert at the same
// moment.) If several threads insert a key at once, all get the same value, and `*inserted` (NULL: not
// wanted) is true for one of them. Any thread.
//
// The value is aligned to 16 bytes (8, 4, 2 or 1 if its size is no multiple of 16), all zeroes, and never
// moves. The map itself never touches it. What a thread wrote before it inserted the key is seen by whoever
// finds it, but what it writes into the value afterwards is not: let one thread write, usually the one that
// inserted, and the others read when that has been waited for; or make the value's parts atomic.
void *filo_shared_map_insert(FiloSharedMap *map, uint64_t key, bool *inserted);
// The key's value, or NULL if it is not there. Any thread.
void *filo_shared_map_find(const FiloSharedMap *map, uint64_t key);

// Number of keys; for others than the threads that insert a moment's guess, exact when quiet.
size_t filo_shared_map_count(const FiloSharedMap *map);
// Gives the keys one by one: start with `*cursor` 0; false at the end. Only when quiet. The order is
// different each time when threads inserted at once: sort, if the order matters. `key` and `value` may be
// NULL.
bool filo_shared_map_next(const FiloSharedMap *map, size_t *cursor, uint64_t *key, void **value);
// Removes all keys, and zeroes all values. Only when quiet; pointers to values must not be used any more.
void filo_shared_map_clear(FiloSharedMap *map);

// ---- Shared word map ----------------------------------------------------------------------------------

// Every key has a word, 0 in the beginning; the map keeps those that were written. So a key that is not there
// and a word that is 0 are the same thing, except for `next`. No removal, as above: write 0.
typedef struct FiloSharedWordMap FiloSharedWordMap;

typedef struct FiloSharedWordMapDesc {
    const char *name;               // for messages; must outlive the map; NULL: "shared word map"
    size_t capacity;                // keys that have room for certain; at least 1
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloSharedWordMapDesc;

// As filo_shared_map_create.
FiloResult filo_shared_word_map_create(FiloSharedWordMap **map, const FiloSharedWordMapDesc *desc);
void filo_shared_word_map_destroy(FiloSharedWordMap *map); // NULL is allowed

// The key's word; 0 if it was never written. Any thread.
uint64_t filo_shared_word_map_load(const FiloSharedWordMap *map, uint64_t key);
// All of these put the key in if it is not there; false if the map is full, and then nothing has happened.
// `before` receives the word's value before; it may be NULL. Any thread.
bool filo_shared_word_map_store(FiloSharedWordMap *map, uint64_t key, uint64_t value);
bool filo_shared_word_map_exchange(FiloSharedWordMap *map, uint64_t key, uint64_t value, uint64_t *before);
bool filo_shared_word_map_add(FiloSharedWordMap *map, uint64_t key, uint64_t value, uint64_t *before);
// Writes `value` if the word is `*expected`; `*swapped` says whether. If not, `*expected` becomes what it is.
bool filo_shared_word_map_compare_swap(FiloSharedWordMap *map, uint64_t key, uint64_t *expected,
                                       uint64_t value, bool *swapped);

// As for the shared map.
size_t filo_shared_word_map_count(const FiloSharedWordMap *map);
bool filo_shared_word_map_next(const FiloSharedWordMap *map, size_t *cursor, uint64_t *key, uint64_t *value);
void filo_shared_word_map_clear(FiloSharedWordMap *map);

// ---- Callback table -----------------------------------------------------------------------------------

// Functions under keys. Firing a key calls its functions, in the order in which they were added, and then,
// once, a last one: when all of them have finished, which may be later and on other threads.
//
//     static void load_mesh(void *level, FiloFiring *firing, void *user) { …start a job that ends with
//                                                                          filo_firing_done(firing)… }
//     static void all_loaded(FiloFiring *firing, void *user) { … }
//
//     filo_callback_table_add(table, &(FiloCallbackDesc){ .key = LEVEL_OPENED, .function = load_mesh,
//                                                         .finishes_later = true });
//     firing = (FiloFiring){ .finished = all_loaded };        // yours, until `finished` is called
//     filo_callback_table_fire(table, LEVEL_OPENED, level, &firing);
typedef struct FiloCallbackTable FiloCallbackTable;

typedef struct FiloCallbackTableDesc {
    const char *name;               // for messages; must outlive the table; NULL: "callback table"
    size_t expected;                // about how many keys there are; 0: 64. More is slower, not wrong
    const FiloAllocator *allocator; // thread-safe, for adding from any thread; NULL: filo_heap()
} FiloCallbackTableDesc;

// One firing, in memory of the caller's.
typedef struct FiloFiring FiloFiring;
struct FiloFiring {
    void (*finished)(FiloFiring *firing, void *user); // NULL: none. The firing may be used again from here on
    void *user;
    uint32_t pending; // private
};

typedef void (*FiloCallback)(void *argument, FiloFiring *firing, void *user);

typedef struct FiloCallbackDesc {
    uint64_t key;
    FiloCallback function;
    void *user;
    bool finishes_later; // not when it returns, but when filo_firing_done is called for it
} FiloCallbackDesc;

// An added function; {0} is none.
typedef struct FiloCallbackId {
    void *slot;
    uint64_t serial;
} FiloCallbackId;

typedef enum FiloCallbackRemoval {
    FILO_CALLBACK_REMOVED, // it is not running, and will not be called again
    FILO_CALLBACK_RUNNING, // it will not be called again, but is being called at this moment, perhaps by this
                           // very thread: leave what it uses alone until it has returned
    FILO_CALLBACK_UNKNOWN, // it was removed before
} FiloCallbackRemoval;

FiloResult filo_callback_table_create(FiloCallbackTable **table, const FiloCallbackTableDesc *desc);
void filo_callback_table_destroy(FiloCallbackTable *table); // NULL is allowed

// Adds a function. A firing that has begun does not call it. {0} if there is no memory: the table keeps the
// places of removed functions for new ones, and grows when it has none. Any thread, also inside a callback.
FiloCallbackId filo_callback_table_add(FiloCallbackTable *table, const FiloCallbackDesc *desc);
// Removes a function. A firing that has begun and has not come to it yet does not call it. Any thread, also
// inside a callback, its own too.
FiloCallbackRemoval filo_callback_table_remove(FiloCallbackTable *table, FiloCallbackId id);
// Calls the key's functions one after the other on this thread, and returns how many. `firing->finished` is
// called exactly once: when all of them have finished and this function has called the last, by the thread on
// which that comes true; also if there are none. It sees what all of them wrote. Any thread, also inside a
// callback with another firing. Takes time by the square of the number of functions under one key: this is
// for dozens, not for thousands.
size_t filo_callback_table_fire(FiloCallbackTable *table, uint64_t key, void *argument, FiloFiring *firing);
// A function that finishes later has finished. Once for each call of such a function; any thread.
void filo_firing_done(FiloFiring *firing);

// ---- Free list ----------------------------------------------------------------------------------------

// Hands out the numbers 0 to count − 1, each to one owner at a time, and if wanted a block of memory with
// each.
typedef struct FiloFreeList FiloFreeList;

typedef struct FiloFreeListDesc {
    const char *name;               // for messages; must outlive the list; NULL: "free list"
    uint32_t count;                 // numbers; at least 1, at most FILO_FREE_LIST_MAX
    size_t block_size;              // bytes of each number's block; 0: no blocks
    size_t align;                   // of the blocks, a power of two up to 4096; 0: 16
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloFreeListDesc;

#define FILO_FREE_LIST_MAX   (UINT32_MAX - 2)
#define FILO_FREE_LIST_EMPTY UINT32_MAX // what take returns when all are taken

// `*list` is NULL if there is no memory.
FiloResult filo_free_list_create(FiloFreeList **list, const FiloFreeListDesc *desc);
void filo_free_list_destroy(FiloFreeList *list); // NULL is allowed

// A number that nobody else has, or FILO_FREE_LIST_EMPTY. The one that was given back last; from a fresh list
// 0, 1, 2 and so on. What its owner before did with the block is over and visible. Any thread.
uint32_t filo_free_list_take(FiloFreeList *list);
// Gives back a number that was taken. Twice is a fault. Any thread, not only the one that took it.
void filo_free_list_give(FiloFreeList *list, uint32_t number);

// The number's block, not zeroed; NULL for FILO_FREE_LIST_EMPTY, so that the answer of take can be passed on.
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

// Puts a word in; false if the queue is full, or so nearly that the place is still being emptied by a pop
// that has begun. What was written before is seen by whoever pops the word. Any thread.
bool filo_word_queue_push(FiloWordQueue *queue, uint64_t word);
// Takes the oldest word out; false, and `*word` as it was, if the queue is empty, or the oldest word is still
// being put in by a push that has begun. Words of one producer come out in their order. Any thread.
bool filo_word_queue_pop(FiloWordQueue *queue, uint64_t *word);

FILO_END_DECLS

#endif
