// The callback table: buckets of slots, found by the hash of their key.
//
// A bucket is a list to which slots are added in front and from which none is ever taken before the table is
// destroyed; a removed function leaves its slot to the next one that is added to the same bucket. So links
// never change, nobody needs to know who is still reading (no reclamation, no ABA problem), and the table
// never holds more slots than were once in use at the same time in each bucket.
//
// Everything that happens to a slot goes through its `state`:
//
//   0                         free
//   WRITING                   somebody is filling it in
//   serial · removed · calls  it holds a function: its serial number, which no other ever has; whether it has
//                             been removed; and how many threads are inside it at the moment
//
//      free ──add──► WRITING ──► serial ──call──► serial, calls + 1 ──return──► serial
//        ▲                          │                   │ remove
//        ├────────remove────────────┘                   ▼
//        └────────────────last return──────── serial, removed, calls
//
// Invariants
// - Only the thread that made a slot WRITING writes its function, user and flag, and only a thread that
// counts
//   among its calls reads them: so they are plain memory. The key is also looked at by threads that do not
//   count, so it is atomic; if the slot has been used again meanwhile, the serial has changed, and the
//   compare and swap with which they want to count fails.
// - No call begins after `removed` is set, and the slot is free only when the last call has returned.
// - A firing goes by serial numbers: from the lowest to the highest that was given out when it began. That is
//   the order of adding, and leaves out what is added meanwhile, whatever the slots' places in the list.

#include <filo/check.h>
#include <filo/lockfree.h>

#include "base/atomic.h"

#include "lockfree/key_table.h"

#define CALLS_MASK   0xFFFFull // 65,535 calls of one function at a time
#define REMOVED      0x10000ull
#define SERIAL_SHIFT 17            // leaves 47 bits: a million additions a second for four years
#define WRITING      (REMOVED | 1) // the serial 0, which nobody has

typedef struct Slot {
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) state;
    BASE_ATOMIC(uint64_t) key;
    FiloCallback function;
    void *user;
    bool finishes_later;
    struct Slot *next; // in the bucket; written before the slot is in it
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
    FiloCallbackTable *fresh = filo_alloc_zero(desc->allocator, size_of(buckets), 0);
    if (fresh == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for %zu keys", name, buckets);
    fresh->bucket_count = buckets;
    fresh->name = name;
    fresh->allocator = desc->allocator;
    *table = fresh;
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
    // Acquire: pairs with the release below; the slots are there.
    for (Slot *slot = base_load_acquire(bucket); slot != NULL; slot = slot->next) {
        uint64_t empty = 0;
        // Acquire: pairs with the releases in leave (which the swap in remove carries on, if it came
        // between); nobody reads its function any more.
        if (base_load_relaxed(&slot->state) == 0 && base_cas_acquire(&slot->state, &empty, WRITING))
            return slot;
    }
    Slot *slot = filo_alloc_zero(table->allocator, sizeof *slot, FILO_CACHE_LINE);
    if (slot == NULL) return NULL;
    base_store_relaxed(&slot->state, WRITING);
    slot->next = base_load_relaxed(bucket);
    // Release: pairs with the acquire of whoever goes through the bucket; it must see `next` and the state.
    // What was in the bucket before is carried on, since all that is ever done to a bucket is such a swap.
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
    // Release: pairs with the acquire in next_slot; whoever calls the function sees all of it.
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
        // Acquire: pairs with the release in leave; if it is not running, what the calls did is visible, and
        // what it used can be freed.
    } while (!base_cas_weak_acquire(&slot->state, &state, next));
    return next == 0 ? FILO_CALLBACK_REMOVED : FILO_CALLBACK_RUNNING;
}

// ---- Calling ------------------------------------------------------------------------------------------

// Counts this thread among the slot's calls; false if the function with this serial number is not there any
// more.
static bool enter(Slot *slot, uint64_t serial) {
    uint64_t state = base_load_relaxed(&slot->state);
    do {
        if (serial_of(state) != serial || (state & REMOVED) != 0) return false;
        FILO_ASSERT((state & CALLS_MASK) != CALLS_MASK, "too many calls of one function at a time");
        // Relaxed: the look at the serial, in next_slot, has acquired what belongs to it.
    } while (!base_cas_weak_relaxed(&slot->state, &state, state + 1));
    return true;
}

static void leave(Slot *slot) {
    // Release: pairs with the acquires in remove and claim; the call is over. Acquire: with the other calls'
    // own releases, if we free the slot for all of them.
    uint64_t state = base_sub_acq_rel(&slot->state, 1) - 1;
    // Removed, and the last to leave: nobody enters any more, so the slot is ours to free.
    if ((state & REMOVED) != 0 && (state & CALLS_MASK) == 0) base_store_release(&slot->state, 0); // as above
}

// The slot with the lowest serial number above `after` and up to `last` under this key, and its number; NULL
// if there is none.
static Slot *next_slot(BASE_ATOMIC(Slot *) * bucket, uint64_t key, uint64_t after, uint64_t last,
                       uint64_t *serial) {
    Slot *best = NULL;
    // Acquire: pairs with the release in claim; the slots are there.
    for (Slot *slot = base_load_acquire(bucket); slot != NULL; slot = slot->next) {
        // Acquire: pairs with the release in add; the key, and function and user, are those that belong to
        // this serial, or later ones, which enter will notice.
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
    base_add_relaxed((BASE_ATOMIC(uint32_t) *)&firing->pending, 1); // we hold one ourselves, so it is not 0
    function(argument, firing, user);
    leave(slot);
    if (!finishes_later) filo_firing_done(firing);
}

size_t filo_callback_table_fire(FiloCallbackTable *table, uint64_t key, void *argument, FiloFiring *firing) {
    if (!FILO_CHECK(table != NULL, "pass a table of callbacks")) return 0;
    if (!FILO_CHECK(firing != NULL, "%s: pass a firing, which stays until it has finished", table->name))
        return 0;
    BASE_ATOMIC(Slot *) *bucket = bucket_of(table, key);
    // Relaxed: a function whose addition happened before this has a serial that is seen here.
    uint64_t last = base_load_relaxed(&table->last_serial), serial = 0, after = 0;
    size_t count = 0;
    base_store_relaxed((BASE_ATOMIC(uint32_t) *)&firing->pending, 1); // for this function itself
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
    // From our own step down on the firing may be finished, and gone: what we need of it we take before.
    void (*finished)(FiloFiring *, void *) = firing->finished;
    void *user = firing->user;
    // Acquire and release: the last one sees what all the others did before.
    if (base_sub_acq_rel(pending, 1) == 1 && finished != NULL) finished(firing, user);
}
