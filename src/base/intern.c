// Names: strings kept once, found by hash without a lock.
//
// Everything lies in one region of reserved addresses that is filled from the start and never moves:
//
//   Entry   one name: its key, its hash, its id, its text
//   Table   open addressing with linear probing, a power of two of slots, at most half of them in use. A slot
//           is 0 or (upper half of the quick hash, place of the entry): most strangers are told apart without
//           touching their entries
//
// and beside it places[id], the place of the entry of each id. Places count in units of 8 bytes.
//
// Looking up is made for short texts, which most names are: up to 16 bytes are read as two words, hashed by
// one multiplication and compared by two. That hash never leaves this file; the one that users see is XXH3,
// computed when the name is made.
//
// Only insertions change anything, one at a time under `insertion`. A reader sees a name through its slot,
// which is stored last, with release. When a table is half full a larger one is filled and published in the
// same way; the old one stays in the region for the readers that are still in it. They find there all that
// was named before; whoever looks for a name that is not there asks again under the lock, in the newest
// table.

#include <filo/check.h>
#include <filo/strings.h>
#include <filo/threads.h>

#include "base/account.h"
#include "base/atomic.h"
#include "base/virtual_memory.h"

#define SHORT       ((size_t)16) // up to this many bytes a text is two words
#define UNIT        ((size_t)8)
#define FIRST_SLOTS ((size_t)1024)
// The last table has 2 × FILO_NAME_LIMIT slots of 8 bytes, and all before it together as many again.
#define REGION_SIZE (FILO_NAME_TEXT_LIMIT + FILO_MIB(33))

// What a text is looked up by.
typedef struct Key {
    uint64_t first, last; // its bytes if it is short, else its last 16
    uint64_t quick;       // a hash of all of it
} Key;

typedef struct Entry {
    Key key;
    uint64_t hash; // filo_string_hash, the same everywhere
    uint32_t id;
    uint32_t length;
    char text[]; // ends in a zero
} Entry;

typedef struct Table {
    size_t mask;               // slots - 1
    _Atomic uint64_t slots[1]; // or more
} Table;

_Static_assert(sizeof(Entry) + UNIT <= 48, "strings.h promises at most 48 bytes beside the text");
_Static_assert(REGION_SIZE / UNIT <= UINT32_MAX, "a place fits into a slot");
_Static_assert(FILO_MIB(1) + (FILO_NAME_LIMIT << 5) <= FILO_MIB(33), "all tables fit");

static FiloMutex insertion = FILO_MUTEX_INIT;
static FiloMemoryAccount account;
static uint8_t *region; // set before the first slot is stored
static size_t region_used, region_committed, text_used;
static uint32_t places[FILO_NAME_LIMIT];
static _Atomic uint32_t name_count = 1;
// One slot, empty: nothing is found in it, and no look-up has to ask whether there is a table.
static Table no_table;
static _Atomic(Table *) newest_table = &no_table;

static Entry *entry_at(uint32_t place) { return (Entry *)(void *)(region + (size_t)place * UNIT); }

// ---- Texts as words -----------------------------------------------------------------------------------

static uint64_t read_8(const char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static uint64_t read_4(const char *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

// Both halves of the product of two words, folded into one (as in wyhash).
static inline uint64_t fold(uint64_t a, uint64_t b) {
    __extension__ typedef unsigned __int128 Wide;
    Wide product = (Wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline Key make_key(uint64_t first, uint64_t last, uint64_t seed) {
    uint64_t quick = fold(first ^ seed ^ UINT64_C(0x9E3779B97F4A7C15), last ^ UINT64_C(0xD1B54A32D192ED03));
    return (Key){ first, last, quick };
}

// Of 1 to 16 bytes. The words overlap in the middle; with the length they are the whole text.
static inline Key short_key(const char *text, size_t length) {
    if (length >= 8) return make_key(read_8(text), read_8(text + length - 8), length);
    if (length >= 4) return make_key(read_4(text), read_4(text + length - 4), length);
    uint64_t middle = (unsigned char)text[length / 2], last = (unsigned char)text[length - 1];
    return make_key((unsigned char)text[0] | middle << 8, last, length);
}

static inline Key long_key(const char *text, size_t length) {
    uint64_t quick = length;
    for (size_t done = 0; length - done > SHORT; done += SHORT)
        quick = make_key(read_8(text + done), read_8(text + done + 8), quick).quick;
    return make_key(read_8(text + length - 16), read_8(text + length - 8), quick); // some of them again
}

static Key key_of(FiloString string) {
    return string.length <= SHORT ? short_key(string.data, string.length)
                                  : long_key(string.data, string.length);
}

// ---- Looking up ---------------------------------------------------------------------------------------

// The key holds a short text whole, and of a long one the end. (memcmp would cost more than all the rest.)
static inline bool same_text(const Entry *entry, FiloString string, Key key) {
    uint64_t differences =
        (entry->key.first ^ key.first) | (entry->key.last ^ key.last) | (entry->length ^ string.length);
    const char *text = entry->text;
    for (size_t i = 0; differences == 0 && string.length - i > SHORT; i += SHORT)
        differences = (read_8(text + i) ^ read_8(string.data + i)) |
                      (read_8(text + i + 8) ^ read_8(string.data + i + 8));
    return differences == 0;
}

static inline uint32_t find(FiloString string, Key key) {
    // Acquire: pairs with the release in table_with_room; the slots must be filled.
    Table *table = filo_load_acquire(&newest_table);
    for (size_t i = key.quick & table->mask;; i = (i + 1) & table->mask) {
        // Acquire: pairs with the release in store_slot; the entry must be complete.
        uint64_t slot = filo_load_acquire(&table->slots[i]);
        if (slot == 0) return 0;
        if ((slot ^ key.quick) >> 32 != 0) continue;
        const Entry *entry = entry_at((uint32_t)slot);
        if (FILO_LIKELY(same_text(entry, string, key))) return entry->id;
    }
}

// ---- Inserting, under the lock ------------------------------------------------------------------------

// `size` zeroed bytes of the region; NULL if the system has no memory. The region is large enough.
static void *take(size_t size) {
    if (region == NULL) {
        region = filo_virtual_reserve(REGION_SIZE);
        if (region == NULL) return NULL;
        filo_account_open(&account, "names", "names", REGION_SIZE);
        region_used = UNIT; // place 0 is nobody's
    }
    size_t end = region_used + FILO_ALIGN_UP(size, UNIT);
    if (end > region_committed) {
        size_t target = filo_virtual_next_commit(region_committed, REGION_SIZE, end);
        if (!filo_virtual_commit(region, region_committed, target)) return NULL;
        region_committed = target;
    }
    void *memory = region + region_used;
    filo_account_take(&account, end - region_used);
    region_used = end;
    return memory;
}

static void store_slot(Table *table, uint32_t place) {
    uint64_t quick = entry_at(place)->key.quick;
    size_t i = quick & table->mask;
    while (filo_load_relaxed(&table->slots[i]) != 0) i = (i + 1) & table->mask;
    // Release: pairs with the acquire in find.
    filo_store_release(&table->slots[i], (quick >> 32 << 32) | place);
}

// The table to put one more name into, twice as large as the last if that is half full; NULL without memory.
static Table *table_with_room(uint32_t count) {
    Table *table = filo_load_relaxed(&newest_table);
    if (count < (table->mask + 1) / 2) return table;
    size_t slots = FILO_MAX((table->mask + 1) * 2, FIRST_SLOTS);
    Table *larger = take(sizeof(Table) + slots * sizeof larger->slots[0]);
    if (larger == NULL) return NULL;
    larger->mask = slots - 1;
    for (uint32_t id = 1; id < count; id++) store_slot(larger, places[id]);
    // Release: pairs with the acquire in find.
    filo_store_release(&newest_table, larger);
    return larger;
}

static const char too_much_text[] = "there is too much text in names (FILO_NAME_TEXT_LIMIT)";

// Returns the new id; 0, with the reason, if there is no room.
static uint32_t insert(FiloString string, Key key, const char **reason) {
    uint32_t id = filo_load_relaxed(&name_count);
    size_t size = FILO_ALIGN_UP(sizeof(Entry) + string.length + 1, UNIT);
    *reason = "the table of names is full (FILO_NAME_LIMIT)";
    if (id == FILO_NAME_LIMIT) return 0;
    *reason = too_much_text;
    if (size > FILO_NAME_TEXT_LIMIT - text_used) return 0;
    *reason = "the system has no memory left";
    Table *table = table_with_room(id);
    if (table == NULL) return 0;
    Entry *entry = take(size);
    if (entry == NULL) return 0;

    text_used += size;
    entry->key = key;
    entry->hash = filo_string_hash(string);
    entry->id = id;
    entry->length = (uint32_t)string.length;
    memcpy(entry->text, string.data, string.length);
    places[id] = (uint32_t)((size_t)((uint8_t *)entry - region) / UNIT);
    filo_store_relaxed(&name_count, id + 1); // published with the slot
    store_slot(table, places[id]);
    return id;
}

// Makes its own key: handing one over would cost every look-up that succeeds a copy on the stack.
static FILO_COLD FiloName make_name(FiloString string) {
    Key key = key_of(string);
    const char *reason = NULL;
    filo_mutex_lock(&insertion);
    uint32_t id = find(string, key); // somebody may have been faster
    if (id == 0) id = insert(string, key, &reason);
    filo_mutex_unlock(&insertion);
    // After the lock: a hook may want names itself, or not come back.
    if (id == 0) filo_out_of_memory("names", string.length, reason);
    return (FiloName){ id };
}

// ---- The interface ------------------------------------------------------------------------------------

static inline FiloName find_or_make(FiloString string, Key key) {
    uint32_t id = find(string, key);
    return FILO_LIKELY(id != 0) ? (FiloName){ id } : make_name(string);
}

// Apart, to keep the way of short texts short.
static __attribute__((noinline)) FiloName find_or_make_unusual(FiloString string) {
    if (string.length == 0) return (FiloName){ 0 };
    if (string.length >= FILO_NAME_TEXT_LIMIT) {
        filo_out_of_memory("names", string.length, too_much_text);
        return (FiloName){ 0 };
    }
    return find_or_make(string, long_key(string.data, string.length));
}

FiloName filo_name_from(FiloString string) {
    if (string.length - 1 >= SHORT) return find_or_make_unusual(string); // wraps: 0 is unusual too
    return find_or_make(string, short_key(string.data, string.length));
}

FiloName filo_name_find(FiloString string) {
    if (string.length == 0 || string.length >= FILO_NAME_TEXT_LIMIT) return (FiloName){ 0 };
    return (FiloName){ find(string, key_of(string)) };
}

// NULL for {0} and for ids that were never given.
static const Entry *entry_of(FiloName name) {
    if (name.id == 0) return NULL;
    uint32_t count = filo_load_relaxed(&name_count); // whoever has the id properly has seen its count
    if (!FILO_CHECK(name.id < count, "name %u does not exist: use an id that filo_name returned", name.id))
        return NULL;
    return entry_at(places[name.id]);
}

FiloString filo_name_string(FiloName name) {
    const Entry *entry = entry_of(name);
    return entry != NULL ? filo_string_from(entry->text, entry->length) : filo_string_from("", 0);
}

const char *filo_name_text(FiloName name) { return filo_name_string(name).data; }

uint64_t filo_name_hash(FiloName name) {
    const Entry *entry = entry_of(name);
    return entry != NULL ? entry->hash : filo_hash(NULL, 0);
}

uint32_t filo_name_count(void) { return filo_load_relaxed(&name_count); }
