// Names: interned strings, found by hash without a lock.
//
// Permanent names are in one region of reserved addresses that is filled from the start and never moves:
//
//   Entry   one name: its key, its hash, its id, its text
//   Table   open addressing with linear probing, a power of two of slots, at most half of them in use. A slot is 0 or
//           (upper half of the lookup hash, offset of the entry): most other names are rejected without reading their
//           entries
//
// entries[id] is the entry of each id. Offsets are in units of 8 bytes.
//
// Looking up is optimised for short texts, because most names are short: up to 16 bytes are read as two words, hashed
// by one multiplication and compared by two comparisons. This lookup hash is used only in this file; filo_name_hash is
// XXH3, computed when the name is created.
//
// Only insertions change anything, one at a time under `lock`. A reader finds a name through its slot, which is stored
// last, with release. When a table is half full a larger one is filled and published in the same way; the old one stays
// in the region for the readers that still use it. They find in it all names that existed before. A reader that does
// not find a name searches again under the lock, in the newest table.
//
// A counted name (filo_name_retain) is a block of the heap, in a second table that is used only under the lock. Both
// kinds share the ids. Freed ids are reused in the order of a queue, and only when it is long, so that the use of a
// freed id is detected for a while. When a counted name becomes permanent, its entry is copied into the region and
// published there, under the same id. Its block is not freed, because its text may be in use.

#include <filo/check.h>
#include <filo/memory.h>
#include <filo/strings.h>
#include <filo/threads.h>

#include "base/account.h"
#include "base/atomic.h"
#include "base/memory/virtual_memory.h"

#define SHORT        ((size_t)16) // up to this many bytes a text is two words
#define UNIT         ((size_t)8)
#define FIRST_SLOTS  ((size_t)1024)
#define QUARANTINE   4096u             // freed ids before the first of them is reused
#define BUCKETS      ((size_t)1 << 18) // of counted names
#define BLOCK_STEP   ((size_t)64) // sizes of blocks are multiples of this; some small freed ones are reused
#define BLOCK_SIZES  4
#define SPARE_BLOCKS 1024
// The last table has 2 × FILO_NAME_LIMIT slots of 8 bytes, and all earlier tables together as many again.
#define REGION_SIZE (FILO_NAME_TEXT_LIMIT + FILO_MIB(33))

// A text is looked up by its key.
typedef struct Key {
    uint64_t first, last; // the bytes of a short text; the last 16 bytes of a long one
    uint64_t lookup_hash; // of the whole text
} Key;

typedef struct Entry {
    Key key;
    uint64_t hash; // filo_string_hash, the same on every machine
    uint32_t id;
    uint32_t length;
    char text[]; // ends in a zero
} Entry;

typedef struct Table {
    size_t mask;               // slots - 1
    _Atomic uint64_t slots[1]; // or more
} Table;

// The header of a counted name's block; the entry follows it.
typedef struct Counted {
    struct Counted *next; // in its bucket, in retired_blocks, or in spare_blocks
    size_t size;          // of the block
    uint64_t count;       // of references
} Counted;

_Static_assert(sizeof(Entry) + UNIT <= 48, "strings.h promises at most 48 bytes beside the text");
_Static_assert(REGION_SIZE / UNIT <= UINT32_MAX, "a place fits into a slot");
_Static_assert(FILO_MIB(1) + (FILO_NAME_LIMIT << 5) <= FILO_MIB(33), "all tables fit");

static FiloMutex lock = FILO_MUTEX_INIT;
static FiloMemoryAccount account;
static uint8_t *region; // set before the first slot is stored
static size_t region_used, region_committed, text_used;
static _Atomic(Entry *) entries[FILO_NAME_LIMIT]; // by id; NULL: none has it
static _Atomic uint32_t name_count = 1;           // ids that were ever assigned, with 0
static uint32_t permanent_count = 1;              // names in the table, with 0
static uint32_t next_free_id[FILO_NAME_LIMIT];    // a queue of freed ids
static uint32_t first_free_id, last_free_id, free_id_count;

static Counted *buckets[BUCKETS];
static _Atomic uint32_t counted_count;
static size_t counted_text;                // bytes of their blocks
static Counted *retired_blocks;            // blocks of names that were counted first
static Counted *spare_blocks[BLOCK_SIZES]; // by size
static uint32_t spare_count[BLOCK_SIZES];
// A table with one empty slot, so that a look-up need not test whether there is a table.
static Table no_table;
static _Atomic(Table *) newest_table = &no_table;

static Entry *entry_at(uint32_t offset) { return (Entry *)(void *)(region + (size_t)offset * UNIT); }

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
    uint64_t lookup_hash =
        fold(first ^ seed ^ UINT64_C(0x9E3779B97F4A7C15), last ^ UINT64_C(0xD1B54A32D192ED03));
    return (Key){ first, last, lookup_hash };
}

// Of 1 to 16 bytes. The words overlap in the middle; with the length they are the whole text.
static inline Key short_key(const char *text, size_t length) {
    if (length >= 8) return make_key(read_8(text), read_8(text + length - 8), length);
    if (length >= 4) return make_key(read_4(text), read_4(text + length - 4), length);
    uint64_t middle = (unsigned char)text[length / 2], last = (unsigned char)text[length - 1];
    return make_key((unsigned char)text[0] | middle << 8, last, length);
}

static inline Key long_key(const char *text, size_t length) {
    uint64_t lookup_hash = length;
    for (size_t done = 0; length - done > SHORT; done += SHORT)
        lookup_hash = make_key(read_8(text + done), read_8(text + done + 8), lookup_hash).lookup_hash;
    return make_key(read_8(text + length - 16), read_8(text + length - 8), lookup_hash); // may overlap
}

static Key key_of(FiloString string) {
    return string.length <= SHORT ? short_key(string.data, string.length)
                                  : long_key(string.data, string.length);
}

// ---- Looking up ---------------------------------------------------------------------------------------

// The key contains a whole short text, or the end of a long one. (memcmp would cost more than the whole look-up.)
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
    // Acquire: pairs with the release in table_for_insertion; the slots must be filled.
    Table *table = base_load_acquire(&newest_table);
    for (size_t i = key.lookup_hash & table->mask;; i = (i + 1) & table->mask) {
        // Acquire: pairs with the release in store_slot; the entry must be complete.
        uint64_t slot = base_load_acquire(&table->slots[i]);
        if (slot == 0) return 0;
        if ((slot ^ key.lookup_hash) >> 32 != 0) continue;
        const Entry *entry = entry_at((uint32_t)slot);
        if (FILO_LIKELY(same_text(entry, string, key))) return entry->id;
    }
}

// ---- Inserting, under the lock ------------------------------------------------------------------------

// `size` zeroed bytes of the region; NULL if the system has no memory. The region is large enough.
static void *region_alloc(size_t size) {
    if (region == NULL) {
        region = base_virtual_reserve(REGION_SIZE);
        if (region == NULL) return NULL;
        base_account_open(&account, "names", REGION_SIZE, NULL);
        region_used = UNIT; // offset 0 means an empty slot
    }
    size_t end = region_used + FILO_ALIGN_UP(size, UNIT);
    if (end > region_committed) {
        size_t target = base_virtual_next_commit(region_committed, REGION_SIZE, end);
        if (!base_virtual_commit(region, region_committed, target)) return NULL;
        region_committed = target;
    }
    void *memory = region + region_used;
    base_account_take(&account, end - region_used);
    region_used = end;
    return memory;
}

static uint32_t offset_of(const Entry *entry) {
    return (uint32_t)((size_t)((const uint8_t *)entry - region) / UNIT);
}
static bool is_permanent(const Entry *entry) { return (uintptr_t)entry - (uintptr_t)region < REGION_SIZE; }

static void store_slot(Table *table, uint32_t offset) {
    uint64_t lookup_hash = entry_at(offset)->key.lookup_hash;
    size_t i = lookup_hash & table->mask;
    while (base_load_relaxed(&table->slots[i]) != 0) i = (i + 1) & table->mask;
    // Release: pairs with the acquire in find.
    base_store_release(&table->slots[i], (lookup_hash >> 32 << 32) | offset);
}

// The newest table, or a new one twice as large if it is half full; NULL without memory.
static Table *table_for_insertion(void) {
    Table *table = base_load_relaxed(&newest_table);
    if (permanent_count < (table->mask + 1) / 2) return table;
    size_t slots = FILO_MAX((table->mask + 1) * 2, FIRST_SLOTS);
    Table *larger = region_alloc(sizeof(Table) + slots * sizeof larger->slots[0]);
    if (larger == NULL) return NULL;
    larger->mask = slots - 1;
    uint32_t count = base_load_relaxed(&name_count);
    for (uint32_t id = 1; id < count; id++) {
        const Entry *entry = base_load_relaxed(&entries[id]);
        if (entry != NULL && is_permanent(entry)) store_slot(larger, offset_of(entry));
    }
    // Release: pairs with the acquire in find.
    base_store_release(&newest_table, larger);
    return larger;
}

static const char too_much_text[] = "there is too much text in names (FILO_NAME_TEXT_LIMIT)";
static const char too_many_names[] = "there are too many names (FILO_NAME_LIMIT)";
static const char no_memory[] = "the system has no memory left";

// An id for a new name; 0 if all are in use.
static uint32_t take_id(void) {
    uint32_t id_end = base_load_relaxed(&name_count);
    if (id_end < FILO_NAME_LIMIT && free_id_count <= QUARANTINE) {
        base_store_relaxed(&name_count, id_end + 1); // published with the name
        return id_end;
    }
    uint32_t id = first_free_id;
    if (id == 0) return 0;
    first_free_id = next_free_id[id];
    if (first_free_id == 0) last_free_id = 0;
    free_id_count--;
    return id;
}

static void free_id(uint32_t id) {
    next_free_id[id] = 0;
    if (last_free_id != 0)
        next_free_id[last_free_id] = id;
    else
        first_free_id = id;
    last_free_id = id;
    free_id_count++;
}

// Allocates an entry in the region, and makes sure that `table` has a free slot for it; NULL, with the reason, on
// failure.
static Entry *make_entry(FiloString string, Table **table, const char **reason) {
    size_t size = FILO_ALIGN_UP(sizeof(Entry) + string.length + 1, UNIT);
    *reason = too_much_text;
    if (size > FILO_NAME_TEXT_LIMIT - text_used) return NULL;
    *reason = no_memory;
    *table = table_for_insertion();
    Entry *entry = *table != NULL ? region_alloc(size) : NULL;
    if (entry != NULL) text_used += size;
    return entry;
}

static void fill_entry(Entry *entry, FiloString string, Key key, uint32_t id) {
    entry->key = key;
    entry->hash = filo_string_hash(string);
    entry->id = id;
    entry->length = (uint32_t)string.length;
    memcpy(entry->text, string.data, string.length);
    entry->text[string.length] = 0;
}

static void publish(Table *table, Entry *entry) {
    // Release: pairs with the acquire in entry_of; the entry must be complete.
    base_store_release(&entries[entry->id], entry);
    permanent_count++;
    store_slot(table, offset_of(entry));
}

// Returns the new id; 0, with the reason, on failure.
static uint32_t insert(FiloString string, Key key, const char **reason) {
    *reason = too_many_names;
    if (permanent_count + base_load_relaxed(&counted_count) >= FILO_NAME_LIMIT) return 0;
    Table *table = NULL;
    Entry *entry = make_entry(string, &table, reason);
    if (entry == NULL) return 0;
    uint32_t id = take_id(); // succeeds, because of the test above
    fill_entry(entry, string, key, id);
    publish(table, entry);
    return id;
}

// ---- Counted names, under the lock ----------------------------------------------------------------------

static Entry *entry_behind(Counted *counted) { return (Entry *)(void *)(counted + 1); }

static Counted **find_counted(FiloString string, Key key) {
    Counted **at = &buckets[key.lookup_hash & (BUCKETS - 1)];
    while (*at != NULL && !same_text(entry_behind(*at), string, key)) at = &(*at)->next;
    return at;
}

// A spare block of this size; NULL if there is none.
static Counted *take_block(size_t size) {
    size_t kind = size / BLOCK_STEP - 1;
    Counted *block = kind < BLOCK_SIZES ? spare_blocks[kind] : NULL;
    if (block != NULL) {
        spare_blocks[kind] = block->next;
        spare_count[kind]--;
    }
    return block;
}

// Adds a block to the spare ones; false if there are enough.
static bool reuse_block(Counted *block) {
    size_t kind = block->size / BLOCK_STEP - 1;
    if (kind >= BLOCK_SIZES || spare_count[kind] >= SPARE_BLOCKS) return false;
    block->next = spare_blocks[kind];
    spare_blocks[kind] = block;
    spare_count[kind]++;
    return true;
}

static size_t block_size(FiloString string) {
    return FILO_ALIGN_UP(sizeof(Counted) + sizeof(Entry) + string.length + 1, BLOCK_STEP);
}

// The reason why another counted name is not possible; NULL if it is.
static const char *counted_limit(size_t size) {
    if (permanent_count + base_load_relaxed(&counted_count) >= FILO_NAME_LIMIT - FILO_NAME_RESERVE)
        return too_many_names;
    size_t limit = FILO_NAME_TEXT_LIMIT / 16 * 15, used = text_used + counted_text;
    return used > limit || size > limit - used ? too_much_text : NULL;
}

// `at` is the end of the list, from find_counted.
static void insert_counted(Counted **at, Counted *block, size_t size, FiloString string, Key key) {
    *block = (Counted){ .size = size };
    Entry *entry = entry_behind(block);
    fill_entry(entry, string, key, take_id()); // succeeds, because counted_limit was tested
    *at = block;
    counted_text += size;
    base_store_relaxed(&counted_count, base_load_relaxed(&counted_count) + 1);
    // Release: pairs with the acquire in entry_of.
    base_store_release(&entries[entry->id], entry);
}

static void leave_bucket(Counted **at) {
    Counted *counted = *at;
    *at = counted->next;
    counted_text -= counted->size;
    base_store_relaxed(&counted_count, base_load_relaxed(&counted_count) - 1);
}

// Without memory for a permanent entry, the name remains a counted one with one more reference.
static void make_permanent(Counted **at) {
    Counted *counted = *at;
    const Entry *old = entry_behind(counted);
    FiloString string = filo_string_from(old->text, old->length);
    Table *table = NULL;
    const char *reason;
    Entry *entry = make_entry(string, &table, &reason);
    if (entry == NULL) {
        counted->count++;
        return;
    }
    fill_entry(entry, string, old->key, old->id);
    leave_bucket(at);
    counted->next = retired_blocks;
    retired_blocks = counted;
    publish(table, entry);
}

// Computes the key again: a parameter would cost every successful look-up a copy on the stack.
static FILO_COLD FiloName make_name(FiloString string) {
    Key key = key_of(string);
    const char *reason = NULL;
    filo_mutex_lock(&lock);
    uint32_t id = find(string, key); // another thread may have inserted it
    Counted **counted = id == 0 ? find_counted(string, key) : NULL;
    if (counted != NULL && *counted != NULL) {
        id = entry_behind(*counted)->id;
        make_permanent(counted);
    } else if (id == 0) {
        id = insert(string, key, &reason);
    }
    filo_mutex_unlock(&lock);
    // Not under the lock: a hook may use names, or leave by longjmp.
    if (id == 0) filo_out_of_memory("names", string.length, reason);
    return (FiloName){ id };
}

// ---- The interface ------------------------------------------------------------------------------------

static inline FiloName find_or_make(FiloString string, Key key) {
    uint32_t id = find(string, key);
    return FILO_LIKELY(id != 0) ? (FiloName){ id } : make_name(string);
}

// The empty text and long ones. Not inlined, to keep the path of short texts short.
static __attribute__((noinline)) FiloName find_or_make_long(FiloString string) {
    if (string.length == 0) return (FiloName){ 0 };
    if (string.length >= FILO_NAME_TEXT_LIMIT) {
        filo_out_of_memory("names", string.length, too_much_text);
        return (FiloName){ 0 };
    }
    return find_or_make(string, long_key(string.data, string.length));
}

FiloName filo_name_from(FiloString string) {
    if (string.length - 1 >= SHORT) return find_or_make_long(string); // also for a length of 0, which wraps
    return find_or_make(string, short_key(string.data, string.length));
}

FiloName filo_name_find(FiloString string) {
    if (string.length == 0 || string.length >= FILO_NAME_TEXT_LIMIT) return (FiloName){ 0 };
    Key key = key_of(string);
    FiloName name = { find(string, key) };
    if (name.id != 0 || base_load_relaxed(&counted_count) == 0) return name;
    filo_mutex_lock(&lock);
    name.id = find(string, key);
    Counted **counted = name.id == 0 ? find_counted(string, key) : NULL;
    if (counted != NULL && *counted != NULL) {
        name.id = entry_behind(*counted)->id;
        make_permanent(counted); // the caller does not release it
    }
    filo_mutex_unlock(&lock);
    return name;
}

// Under the lock: adds a reference, if the name exists.
static bool retain(FiloName *name, FiloString string, Key key) {
    name->id = find(string, key);
    if (name->id != 0) return true;
    Counted *counted = *find_counted(string, key);
    if (counted == NULL) return false;
    counted->count++;
    name->id = entry_behind(counted)->id;
    return true;
}

FiloResult filo_name_retain(FiloName *name, FiloString string) {
    if (name == NULL) return FILO_MISTAKE("pass where to put the name");
    *name = (FiloName){ 0 };
    if (string.length == 0) return filo_ok();
    if (string.length >= FILO_NAME_TEXT_LIMIT) return filo_error(FILO_ERROR_LIMIT, "%s", too_much_text);
    Key key = key_of(string);
    name->id = find(string, key);
    if (name->id != 0) return filo_ok(); // a permanent name is not counted
    size_t size = block_size(string);
    const char *reason = NULL;
    Counted *block = NULL;
    filo_mutex_lock(&lock);
    bool found = retain(name, string, key) || (reason = counted_limit(size)) != NULL;
    if (!found) block = take_block(size);
    if (!found && block == NULL) { // allocates not under the lock: a hook may use names, or leave by longjmp
        filo_mutex_unlock(&lock);
        block = filo_alloc(NULL, size, 0);
        if (block == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for names");
        filo_mutex_lock(&lock);
        found = retain(name, string, key) || (reason = counted_limit(size)) != NULL;
    }
    if (!found) {
        insert_counted(find_counted(string, key), block, size, string, key);
        block = NULL;
        retain(name, string, key);
    }
    filo_mutex_unlock(&lock);
    if (block != NULL) filo_free(NULL, block, size, 0);
    return reason == NULL ? filo_ok() : filo_error(FILO_ERROR_LIMIT, "%s", reason);
}

// The counted name of an id, in its bucket; NULL if it is permanent or does not exist.
static Counted **counted_of(FiloName name, bool *exists) {
    Entry *entry = name.id < FILO_NAME_LIMIT ? base_load_relaxed(&entries[name.id]) : NULL;
    *exists = entry != NULL;
    if (entry == NULL || is_permanent(entry)) return NULL;
    Counted **at = &buckets[entry->key.lookup_hash & (BUCKETS - 1)];
    while (entry_behind(*at) != entry) at = &(*at)->next;
    return at;
}

void filo_name_release(FiloName name) {
    if (name.id == 0) return;
    bool exists;
    Counted *unused = NULL;
    filo_mutex_lock(&lock);
    Counted **at = counted_of(name, &exists);
    if (at != NULL && --(*at)->count == 0) {
        unused = *at;
        base_store_relaxed(&entries[name.id], NULL);
        leave_bucket(at);
        free_id(name.id);
        if (reuse_block(unused)) unused = NULL;
    }
    filo_mutex_unlock(&lock);
    if (unused != NULL) filo_free(NULL, unused, unused->size, 0);
    FILO_CHECK(exists, "name %u does not exist: release a name once for each time that it was retained",
               name.id);
}

void filo_name_make_permanent(FiloName name) {
    if (name.id == 0) return;
    bool exists;
    filo_mutex_lock(&lock);
    Counted **at = counted_of(name, &exists);
    if (at != NULL) make_permanent(at);
    filo_mutex_unlock(&lock);
    FILO_CHECK(exists, "name %u does not exist: make a name permanent before it is released", name.id);
}

// NULL for {0} and for ids that no name has.
static const Entry *entry_of(FiloName name) {
    if (name.id == 0) return NULL;
    // Acquire: pairs with the release in publish and insert_counted.
    const Entry *entry = name.id < FILO_NAME_LIMIT ? base_load_acquire(&entries[name.id]) : NULL;
    FILO_CHECK(entry != NULL,
               "name %u does not exist: use an id that filo_name returned, or one that was not released yet",
               name.id);
    return entry;
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

uint32_t filo_name_count(void) { return base_load_relaxed(&name_count); }

uint32_t filo_name_in_use(void) {
    filo_mutex_lock(&lock);
    uint32_t count = permanent_count + base_load_relaxed(&counted_count);
    filo_mutex_unlock(&lock);
    return count;
}

// ---- Names of one source --------------------------------------------------------------------------------

FiloName filo_name_batch_add(FiloNameBatch *batch, FiloString string) {
    FiloName name = { 0 };
    if (!FILO_CHECK(batch != NULL, "pass a batch of names")) return name;
    FiloResult result = filo_name_retain(&name, string);
    bool counted =
        name.id != 0 && !is_permanent(base_load_acquire(&entries[name.id])); // acquire: see entry_of
    if (counted && batch->count == batch->capacity) {
        size_t capacity = FILO_MAX(batch->capacity * 2, (size_t)64);
        FiloName *names =
            filo_resize(NULL, batch->names, batch->capacity * sizeof *names, capacity * sizeof *names, 0);
        if (names == NULL) {
            filo_name_release(name);
            name.id = 0;
            result = filo_error(FILO_ERROR_MEMORY, "no memory for names");
        } else {
            batch->names = names;
            batch->capacity = capacity;
        }
    }
    if (counted && name.id != 0) batch->names[batch->count++] = name;
    if (result.code != FILO_OK && batch->result.code == FILO_OK) batch->result = result;
    return name;
}

void filo_name_batch_end(FiloNameBatch *batch, bool keep_names) {
    if (!FILO_CHECK(batch != NULL, "pass a batch of names")) return;
    for (size_t i = 0; i < batch->count; i++) {
        if (keep_names) filo_name_make_permanent(batch->names[i]);
        filo_name_release(batch->names[i]);
    }
    filo_free(NULL, batch->names, batch->capacity * sizeof *batch->names, 0);
    *batch = (FiloNameBatch){ 0 };
}
