// The callback table: buckets of slots, found by the hash of their key.
//
// A bucket is a linked list. Slots are added in front, and none is removed before the table is destroyed. The slot of
// a removed function is reused by the next function that is added to the same bucket. So links never change, no thread
// has to know which others are reading (no reclamation, no ABA problem), and a bucket never has more slots than
// functions were in it at the same time.
//
// All transitions of a slot go through its `state`:
//
//   0                         free
//   WRITING                   a thread is filling it in
//   serial · removed · calls  it holds a function: its serial number, which is never reused; whether it was
//                             removed; and how many threads are calling it now
//
//      free ──add──► WRITING ──► serial ──call──► serial, calls + 1 ──return──► serial
//        ▲                          │                   │ remove
//        ├────────remove────────────┘                   ▼
//        └────────────────last return──────── serial, removed, calls
//
// Invariants
// - Only the thread that set WRITING writes a slot's function, user and flag, and only a thread that is counted in its
//   calls reads them: so they are plain memory. The key is atomic, because threads that are not counted read it, too.
//   If the slot was reused meanwhile, the serial number has changed, and the compare and swap by which such a thread
//   would be counted fails.
// - No call begins after `removed` is set, and the slot is free only when the last call has returned.
// - A firing goes by serial numbers: from the lowest to the highest that existed when it began. That is the order of
//   adding, and leaves out what is added meanwhile, whatever the order of the slots in the list.

#include <filo/check.h>
#include <filo/lockfree.h>

#include "base/atomic.h"

#include "lockfree/key_table.h"

#define CALLS_MASK   0xFFFFull // 65,535 calls of one function at a time
#define REMOVED      0x10000ull
#define SERIAL_SHIFT 17            // leaves 47 bits: a million additions a second for four years
#define WRITING      (REMOVED | 1) // the serial number 0, which no function has

typedef struct Slot {
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) state;
    BASE_ATOMIC(uint64_t) key;
    FiloCallback function;
    void *user;
    bool finishes_later;
    struct Slot *next; // in the bucket; written before the slot is added to it
} Slot;

struct FiloCallbackTable {
    BASE_ATOMIC(uint64_t) last_serial;
    size_t bucket_count; // a power of two
    const char *name;
    const FiloAllocator *allocator;
    BASE_ATOMIC(Slot *) buckets[];
};

static uint64_t serial_of(uint64_t state) { return state >> SERIAL_SHIFT; }

static size_t size_of(size_t buckets) {
    return sizeof(FiloCallbackTable) + buckets * sizeof(BASE_ATOMIC(Slot *));
}

static BASE_ATOMIC(Slot *) * bucket_of(FiloCallbackTable *table, uint64_t key) {
    return &table->buckets[lockfree_key_hash(key) & (table->bucket_count - 1)];
}

FiloResult filo_callback_table_create(FiloCallbackTable **table, const FiloCallbackTableDesc *desc) {
    if (table == NULL) return FILO_MISTAKE("pass where to put the table");
    static const FiloCallbackTableDesc defaults = { 0 };
    if (desc == NULL) desc = &defaults;
    *table = NULL;
    const char *name = desc->name != NULL ? desc->name : "callback table";
    size_t expected = desc->expected != 0 ? FILO_MIN(desc->expected, (size_t)1 << 24) : 64, buckets = 1;
    while (buckets < expected) buckets *= 2;
    FiloCallbackTable *created = filo_alloc_zero(desc->allocator, size_of(buckets), 0);
    if (created == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for %zu keys", name, buckets);
    created->bucket_count = buckets;
    created->name = name;
    created->allocator = desc->allocator;
    *table = created;
    return filo_ok();
}

void filo_callback_table_destroy(FiloCallbackTable *table) {
    if (table == NULL) return;
    for (size_t i = 0; i < table->bucket_count; i++)
        for (Slot *slot = base_load_relaxed(&table->buckets[i]), *next; slot != NULL; slot = next) {
            next = slot->next;
            filo_free(table->allocator, slot, sizeof *slot, FILO_CACHE_LINE);
        }
    filo_free(table->allocator, table, size_of(table->bucket_count), 0);
}

// ---- Adding and removing ------------------------------------------------------------------------------

// A slot that this thread may fill in: a free one of the bucket, or a new one. NULL if there is no memory.
static Slot *claim(FiloCallbackTable *table, BASE_ATOMIC(Slot *) * bucket) {
    // Acquire: pairs with the release below; the slots of the list are visible.
    for (Slot *slot = base_load_acquire(bucket); slot != NULL; slot = slot->next) {
        uint64_t empty = 0;
        // Acquire: pairs with the releases in leave (the swap in filo_callback_table_remove continues their release
        // sequence); no thread reads the slot's function any more.
        if (base_load_relaxed(&slot->state) == 0 && base_cas_acquire(&slot->state, &empty, WRITING))
            return slot;
    }
    Slot *slot = filo_alloc_zero(table->allocator, sizeof *slot, FILO_CACHE_LINE);
    if (slot == NULL) return NULL;
    base_store_relaxed(&slot->state, WRITING);
    slot->next = base_load_relaxed(bucket);
    // Release: pairs with the acquires above and in next_slot; a thread that walks the bucket must see `next` and the
    // state. Earlier slots are visible, too: only such swaps write to a bucket, so they form one release sequence.
    while (!base_cas_weak_release(bucket, &slot->next, slot)) continue;
    return slot;
}

FiloCallbackId filo_callback_table_add(FiloCallbackTable *table, const FiloCallbackDesc *desc) {
    if (!FILO_CHECK(table != NULL, "pass a table of callbacks")) return (FiloCallbackId){ 0 };
    FiloCallbackId none = { NULL, 0 };
    if (!FILO_CHECK(desc != NULL && desc->function != NULL, "%s: give a function to call", table->name))
        return none;
    Slot *slot = claim(table, bucket_of(table, desc->key));
    if (slot == NULL) return none;
    base_store_relaxed(&slot->key, desc->key);
    base_plain_store(&slot->function, desc->function);
    base_plain_store(&slot->user, desc->user);
    base_plain_store(&slot->finishes_later, desc->finishes_later);
    uint64_t serial = base_add_relaxed(&table->last_serial, 1) + 1;
    // Release: pairs with the acquire in next_slot; a thread that calls the function sees all fields.
    base_store_release(&slot->state, serial << SERIAL_SHIFT);
    return (FiloCallbackId){ slot, serial };
}

FiloCallbackRemoval filo_callback_table_remove(FiloCallbackTable *table, FiloCallbackId id) {
    if (!FILO_CHECK(table != NULL, "pass a table of callbacks")) return FILO_CALLBACK_UNKNOWN;
    Slot *slot = id.slot;
    if (!FILO_CHECK(slot != NULL, "%s: remove what filo_callback_table_add returned", table->name))
        return FILO_CALLBACK_UNKNOWN;
    uint64_t state = base_load_relaxed(&slot->state), next;
    do {
        if (serial_of(state) != id.serial || (state & REMOVED) != 0) return FILO_CALLBACK_UNKNOWN;
        next = (state & CALLS_MASK) != 0 ? state | REMOVED : 0;
        // Acquire: pairs with the release in leave; if the function is not running, what its calls did is visible, and
        // the caller can free what it used.
    } while (!base_cas_weak_acquire(&slot->state, &state, next));
    return next == 0 ? FILO_CALLBACK_REMOVED : FILO_CALLBACK_RUNNING;
}

// ---- Calling ------------------------------------------------------------------------------------------

// Counts this thread in the slot's calls; false if the function with this serial number was removed.
static bool enter(Slot *slot, uint64_t serial) {
    uint64_t state = base_load_relaxed(&slot->state);
    do {
        if (serial_of(state) != serial || (state & REMOVED) != 0) return false;
        FILO_ASSERT((state & CALLS_MASK) != CALLS_MASK, "too many calls of one function at a time");
        // Relaxed: the acquire load of the serial number in next_slot has made the fields visible.
    } while (!base_cas_weak_relaxed(&slot->state, &state, state + 1));
    return true;
}

static void leave(Slot *slot) {
    // Release: pairs with the acquires in filo_callback_table_remove and claim; the call is over. Acquire: pairs with
    // the releases of other calls, for which this thread may free the slot.
    uint64_t state = base_sub_acq_rel(&slot->state, 1) - 1;
    // The last call of a removed function frees the slot: no other thread can enter it. Release: as above.
    if ((state & REMOVED) != 0 && (state & CALLS_MASK) == 0) base_store_release(&slot->state, 0);
}

// The slot with the lowest serial number above `after` and up to `last` under this key; NULL if there is none.
// `*serial` receives that number.
static Slot *next_slot(BASE_ATOMIC(Slot *) * bucket, uint64_t key, uint64_t after, uint64_t last,
                       uint64_t *serial) {
    Slot *best = NULL;
    // Acquire: pairs with the release in claim; the slots of the list are visible.
    for (Slot *slot = base_load_acquire(bucket); slot != NULL; slot = slot->next) {
        // Acquire: pairs with the release in filo_callback_table_add; key, function and user belong to this serial
        // number, or to a later one, which enter detects.
        uint64_t state = base_load_acquire(&slot->state), number = serial_of(state);
        if (number <= after || number > last || (state & REMOVED) != 0) continue;
        if (base_load_relaxed(&slot->key) != key || (best != NULL && number > *serial)) continue;
        best = slot;
        *serial = number;
    }
    return best;
}

static void call(Slot *slot, void *argument, FiloFiring *firing) {
    FiloCallback function = base_plain_load(&slot->function);
    void *user = base_plain_load(&slot->user);
    bool finishes_later = base_plain_load(&slot->finishes_later);
    // Not 0: filo_callback_table_fire holds one.
    base_add_relaxed((BASE_ATOMIC(uint32_t) *)&firing->pending, 1);
    function(argument, firing, user);
    leave(slot);
    if (!finishes_later) filo_firing_done(firing);
}

size_t filo_callback_table_fire(FiloCallbackTable *table, uint64_t key, void *argument, FiloFiring *firing) {
    if (!FILO_CHECK(table != NULL, "pass a table of callbacks")) return 0;
    if (!FILO_CHECK(firing != NULL, "%s: pass a firing, which stays until it has finished", table->name))
        return 0;
    BASE_ATOMIC(Slot *) *bucket = bucket_of(table, key);
    // Relaxed: the serial number of a function whose addition happened before this call is visible.
    uint64_t last = base_load_relaxed(&table->last_serial), serial = 0, after = 0;
    size_t count = 0;
    base_store_relaxed((BASE_ATOMIC(uint32_t) *)&firing->pending, 1); // held by this function
    for (Slot *slot; (slot = next_slot(bucket, key, after, last, &serial)) != NULL; after = serial) {
        if (!enter(slot, serial)) continue;
        call(slot, argument, firing);
        count++;
    }
    filo_firing_done(firing);
    return count;
}

void filo_firing_done(FiloFiring *firing) {
    if (!FILO_CHECK(firing != NULL, "pass the firing that the function was given")) return;
    BASE_ATOMIC(uint32_t) *pending = (BASE_ATOMIC(uint32_t) *)&firing->pending;
    if (!FILO_CHECK(base_load_relaxed(pending) != 0, "call filo_firing_done once for each call")) return;
    // Read first: after the subtraction the firing may have finished, and its memory may be reused.
    void (*finished)(FiloFiring *, void *) = firing->finished;
    void *user = firing->user;
    // Acquire and release: pairs with itself; the last one sees what all others did before.
    if (base_sub_acq_rel(pending, 1) == 1 && finished != NULL) finished(firing, user);
}
