// The modelled memory.
//
// A location holds all messages that were ever written to it, in modification order. Each thread has a view:
// for every location, the oldest message that it may still read. A load reads any message from there on, and
// moves the view up to it. A message written with release carries its writer's view. An acquire that reads the
// message joins that view to the reader's. A read-modify-write reads a message and inserts its own directly
// behind it; no message is ever inserted in between. It passes on the view of the message that it read (release
// sequences). A store is inserted anywhere behind the thread's view, also before messages that exist already:
// modification order need not be the order of execution, and on real machines it is not.
//
// After: Kang, Hur, Lahav, Vafeiadis and Dreyer, "A promising semantics for relaxed-memory concurrency",
// POPL 2017, without promises. So a load never reads what is stored later in the same or another thread's
// program order ("load buffering"); everything else that the orders allow is there: stale reads, store
// buffering, stores that appear in different orders to different threads. Relaxed stores do not continue a
// release sequence, as in C++20 (C17 is stronger there).
//
// Sequentially consistent operations: after Lahav, Vafeiadis, Kang, Hur and Dreyer, "Repairing sequential
// consistency in C/C++11", PLDI 2017. They are acquire and release, and in addition the relation of all of
// them has no cycle. The edges are: program order; happens-before, if it begins and ends with program order
// or stays on one location; modification order; and from a read to the writes behind what it read. An option
// that would close a cycle is not offered. The total order itself is never chosen, so it costs no branching.
//
// jobs_barrier_everywhere: what membarrier promises and no more. Each other thread passes a point at which the
// caller's view from before the call is joined to its own. On return, the views of the others at their points are
// joined to the caller's. That orders no plain memory, and the points of two threads are not ordered among each
// other. A full fence at each point, and two in the caller, would promise more: what holds here holds there.
//
// Happens-before is recorded in vector clocks, joined together with the views. Two accesses to plain memory, one
// of them a write, that it does not order are a data race. A data race is a failure, whichever access came first
// in this execution. Accesses to memory of the explorer's allocator must be ordered after its allocation and
// before its release.

#include "support/explorer_memory.h"

#include <string.h>

#define MAX_LOCATIONS 64
#define MAX_MESSAGES  64
#define MAX_SC_EVENTS 64 // a bit each
#define MAX_PLAIN     128
#define MAX_REGIONS   32
#define SAME_READS    8 // after so many reads of the same message in a row, a loop has to read another one

typedef struct View {
    uint64_t sc_before; // sequentially consistent operations from which program order, then happens-before
    uint32_t clock[EXPLORER_ALL_THREADS];
    uint8_t seen[MAX_LOCATIONS]; // the oldest message that may be read
} View;

typedef struct Message {
    uint64_t value;
    View view;        // joined to the view of an acquire that reads it
    uint8_t position; // in the modification order
    bool glued;       // written by a read-modify-write: stays right behind the message before it
} Message;

typedef struct Location {
    uintptr_t address;
    size_t size;
    int region; // −1: none
    int count;
    Message messages[MAX_MESSAGES]; // in the order of execution
    uint8_t order[MAX_MESSAGES];    // in modification order
    struct {
        int message, times; // the one read last, and how often in a row
    } last[EXPLORER_ALL_THREADS];
} Location;

typedef struct Stamp {
    int thread;
    uint32_t clock; // 0: never
} Stamp;

typedef struct ScEvent {
    Stamp stamp;
    int location, read, written; // −1: none
    uint64_t before;             // all that come before it, and itself
} ScEvent;

typedef struct Plain {
    uintptr_t address;
    Stamp write;
    uint32_t reads[EXPLORER_ALL_THREADS];
} Plain;

typedef struct Region {
    uintptr_t begin, end;
    Stamp born;
    bool freed;
    uint32_t uses[EXPLORER_ALL_THREADS];
} Region;

static struct {
    View views[EXPLORER_ALL_THREADS];
    struct {
        View before, after; // of its caller: at the call, and on return
    } barriers[EXPLORER_ALL_THREADS];
    uint64_t own_sc[EXPLORER_ALL_THREADS];
    Location locations[MAX_LOCATIONS];
    ScEvent sc_events[MAX_SC_EVENTS];
    Plain plain[MAX_PLAIN];
    Region regions[MAX_REGIONS];
    int location_count, sc_count, plain_count, region_count;
} memory;

void explorer_memory_reset(void) {
    memset(memory.views, 0, sizeof memory.views);
    memset(memory.own_sc, 0, sizeof memory.own_sc);
    memory.location_count = memory.sc_count = memory.plain_count = memory.region_count = 0;
}

// ---- Views --------------------------------------------------------------------------------------------

static int position_of(const Location *l, int message) { return l->messages[message].position; }

static void join_seen(View *view, const View *other) {
    for (int i = 0; i < memory.location_count; i++) {
        const Location *l = &memory.locations[i];
        if (position_of(l, other->seen[i]) > position_of(l, view->seen[i])) view->seen[i] = other->seen[i];
    }
}

static void join(View *view, const View *other) {
    view->sc_before |= other->sc_before;
    for (int t = 0; t < EXPLORER_ALL_THREADS; t++) view->clock[t] = FILO_MAX(view->clock[t], other->clock[t]);
    join_seen(view, other);
}

void explorer_memory_begin_barrier(int caller) {
    memory.barriers[caller].before = memory.barriers[caller].after = memory.views[caller];
}

void explorer_memory_pass_barrier(int thread, int caller) {
    View seen = memory.views[thread]; // before the join: the caller gets no more than this
    join_seen(&memory.views[thread], &memory.barriers[caller].before);
    join_seen(&memory.barriers[caller].after, &seen);
}

void explorer_memory_end_barrier(int caller) {
    join_seen(&memory.views[caller], &memory.barriers[caller].after);
}

static bool sees(const View *view, Stamp stamp) { return view->clock[stamp.thread] >= stamp.clock; }

void explorer_memory_fork(int thread) {
    memory.views[0].sc_before |= memory.own_sc[0];
    memory.views[thread] = memory.views[0];
}

void explorer_memory_join(int thread) {
    memory.views[thread].sc_before |= memory.own_sc[thread];
    join(&memory.views[0], &memory.views[thread]);
}

// ---- Regions and plain memory -------------------------------------------------------------------------

static int region_at(uintptr_t address) {
    for (int i = 0; i < memory.region_count; i++)
        if (address >= memory.regions[i].begin && address < memory.regions[i].end) return i;
    return -1;
}

void explorer_memory_region_add(int thread, const void *address, size_t size) {
    explorer_check(memory.region_count < MAX_REGIONS, "more than %d allocations in a case", MAX_REGIONS);
    View *view = &memory.views[thread];
    Region *region = &memory.regions[memory.region_count++];
    *region = (Region){ .begin = (uintptr_t)address, .end = (uintptr_t)address + size };
    region->born = (Stamp){ thread, ++view->clock[thread] };
}

void explorer_memory_region_free(int thread, const void *address) {
    int i = region_at((uintptr_t)address);
    explorer_check(i >= 0 && !memory.regions[i].freed, "frees memory that is not allocated");
    Region *region = &memory.regions[i];
    const View *view = &memory.views[thread];
    bool ordered = sees(view, region->born);
    for (int t = 0; t < EXPLORER_ALL_THREADS; t++) ordered = ordered && view->clock[t] >= region->uses[t];
    explorer_check(ordered, "frees memory that another thread may still be using");
    region->freed = true;
}

static void use_region(int thread, int i, const ExplorerSite *site) {
    if (i < 0) return;
    Region *region = &memory.regions[i];
    View *view = &memory.views[thread];
    explorer_check(!region->freed, "%s: uses %s, which has been freed", site->function, site->text);
    explorer_check(sees(view, region->born),
                   "data race in %s: uses %s, in memory whose initialisation it may not see", site->function,
                   site->text);
    region->uses[thread] = view->clock[thread];
}

static Plain *plain_at(uintptr_t address) {
    for (int i = 0; i < memory.plain_count; i++)
        if (memory.plain[i].address == address) return &memory.plain[i];
    explorer_check(memory.plain_count < MAX_PLAIN, "more than %d plain variables in a case", MAX_PLAIN);
    Plain *plain = &memory.plain[memory.plain_count++];
    *plain = (Plain){ .address = address };
    return plain;
}

void explorer_memory_plain(int thread, const void *address, size_t size, bool writes,
                           const ExplorerSite *site) {
    FILO_UNUSED(size);
    View *view = &memory.views[thread];
    view->clock[thread]++;
    use_region(thread, region_at((uintptr_t)address), site);
    Plain *plain = plain_at((uintptr_t)address);
    explorer_check(sees(view, plain->write), "data race in %s: %s %s, which another thread wrote",
                   site->function, writes ? "writes" : "reads", site->text);
    if (!writes) {
        plain->reads[thread] = view->clock[thread];
        return;
    }
    for (int t = 0; t < EXPLORER_ALL_THREADS; t++)
        explorer_check(view->clock[t] >= plain->reads[t],
                       "data race in %s: writes %s, which another thread reads", site->function, site->text);
    plain->write = (Stamp){ thread, view->clock[thread] };
}

// ---- Locations ----------------------------------------------------------------------------------------

static int location_of(const ExplorerRequest *request) {
    uintptr_t address = (uintptr_t)request->address;
    for (int i = 0; i < memory.location_count; i++)
        if (memory.locations[i].address == address) {
            explorer_check(memory.locations[i].size == request->size, "%s is used with different sizes",
                           request->site.text);
            return i;
        }
    explorer_check(memory.location_count < MAX_LOCATIONS, "more than %d atomic variables in a case",
                   MAX_LOCATIONS);
    int i = memory.location_count++;
    Location *l = &memory.locations[i];
    l->address = address;
    l->size = request->size;
    l->region = region_at(address);
    l->count = 1;
    memset(l->last, 0, sizeof l->last);
    memset(&l->messages[0], 0, sizeof l->messages[0]);
    memcpy(&l->messages[0].value, request->address, request->size); // the value so far; little-endian
    l->order[0] = 0;
    return i;
}

int explorer_memory_message_count(const ExplorerRequest *request) {
    return memory.locations[location_of(request)].count;
}

// Inserts a new message at `position` of the modification order; returns its number.
static int insert(Location *l, int position, uint64_t value, bool glued) {
    explorer_check(l->count < MAX_MESSAGES, "more than %d messages at one location", MAX_MESSAGES);
    int number = l->count++;
    for (int i = number; i > position; i--) {
        l->order[i] = l->order[i - 1];
        l->messages[l->order[i]].position = (uint8_t)i;
    }
    l->order[position] = (uint8_t)number;
    Message *m = &l->messages[number];
    memset(&m->view, 0, sizeof m->view);
    m->value = value;
    m->position = (uint8_t)position;
    m->glued = glued;
    return number;
}

// ---- Sequential consistency ---------------------------------------------------------------------------

static bool acquires(ExplorerOrder order) {
    return order == EXPLORER_ACQUIRE || order == EXPLORER_ACQ_REL || order == EXPLORER_SEQ_CST;
}

static bool releases(ExplorerOrder order) {
    return order == EXPLORER_RELEASE || order == EXPLORER_ACQ_REL || order == EXPLORER_SEQ_CST;
}

static bool happens_before(const ScEvent *e, const View *view, const Message *read) {
    return sees(view, e->stamp) || (read != NULL && sees(&read->view, e->stamp));
}

// The sequentially consistent operations that come right before and right after this one, if it takes this
// option.
static void sc_edges(int thread, int location, ExplorerOption option, uint64_t *before, uint64_t *after) {
    const Location *l = &memory.locations[location];
    const View *view = &memory.views[thread];
    const Message *read = option.read >= 0 ? &l->messages[option.read] : NULL;
    *before = memory.own_sc[thread] | view->sc_before;
    *after = 0;
    for (int i = 0; i < memory.sc_count; i++) {
        const ScEvent *e = &memory.sc_events[i];
        if (e->location != location) continue;
        uint64_t bit = 1ull << i;
        if (happens_before(e, view, read)) *before |= bit;
        int theirs = position_of(l, e->written >= 0 ? e->written : e->read);
        if (option.position >= 0) { // a write: the order of writes, and reads of earlier messages
            if (theirs < option.position)
                *before |= bit;
            else if (e->written >= 0)
                *after |= bit;
        } else if (e->written >= 0) { // a read: of what it wrote, or of an earlier message
            if (theirs == read->position) *before |= bit;
            if (theirs > read->position) *after |= bit;
        }
    }
}

static uint64_t all_before(uint64_t events) {
    uint64_t all = 0;
    for (; events != 0; events &= events - 1) all |= memory.sc_events[__builtin_ctzll(events)].before;
    return all;
}

static bool sc_allows(int thread, int location, ExplorerOption option) {
    uint64_t before, after;
    sc_edges(thread, location, option, &before, &after);
    return (all_before(before) & after) == 0;
}

// Before the view is changed; `written` is filled in later.
static ScEvent *sc_add(int thread, int location, ExplorerOption option) {
    explorer_check(memory.sc_count < MAX_SC_EVENTS,
                   "more than %d sequentially consistent operations in a case", MAX_SC_EVENTS);
    uint64_t before, after;
    sc_edges(thread, location, option, &before, &after);
    uint64_t bit = 1ull << memory.sc_count;
    ScEvent *event = &memory.sc_events[memory.sc_count++];
    event->stamp = (Stamp){ thread, memory.views[thread].clock[thread] };
    event->location = location;
    event->read = option.read;
    event->written = -1;
    event->before = all_before(before) | bit;
    for (int i = 0; i < memory.sc_count; i++)
        if ((memory.sc_events[i].before & after) != 0) memory.sc_events[i].before |= event->before;
    memory.own_sc[thread] |= bit;
    return event;
}

// ---- Operations ---------------------------------------------------------------------------------------

// A compare and swap that reads this value fails.
static bool cas_fails(const ExplorerRequest *request, uint64_t value) {
    return request->site.operation == EXPLORER_CAS && value != request->expected;
}

static ExplorerOrder order_of(const ExplorerRequest *request, ExplorerOption option) {
    bool failed = request->site.operation == EXPLORER_CAS && option.position < 0;
    return failed ? request->site.failure_order : request->site.order;
}

static bool read_too_often(const Location *l, int thread, int message) {
    return l->last[thread].times >= SAME_READS && l->last[thread].message == message;
}

bool explorer_memory_spins(int thread, const ExplorerRequest *request) {
    const Location *l = &memory.locations[location_of(request)];
    return request->site.operation != EXPLORER_STORE && read_too_often(l, thread, l->order[l->count - 1]);
}

static bool can_insert_after(const Location *l, int position) {
    return position + 1 == l->count || !l->messages[l->order[position + 1]].glued;
}

int explorer_memory_options(int thread, const ExplorerRequest *request, int from, bool newest,
                            ExplorerOption options[EXPLORER_MAX_OPTIONS]) {
    int location = location_of(request), count = 0;
    const Location *l = &memory.locations[location];
    ExplorerOperation operation = request->site.operation;
    int oldest = newest ? l->count - 1 : position_of(l, memory.views[thread].seen[location]);
    for (int position = l->count - 1; position >= oldest; position--) {
        int message = l->order[position];
        ExplorerOption option = { message, -1 };
        if (operation == EXPLORER_STORE) {
            option = (ExplorerOption){ -1, position + 1 };
        } else {
            if (message < from || read_too_often(l, thread, message)) continue;
            if (operation != EXPLORER_LOAD && !cas_fails(request, l->messages[message].value))
                option.position = position + 1;
        }
        if (option.position >= 0 && !can_insert_after(l, position)) continue;
        if (order_of(request, option) == EXPLORER_SEQ_CST && !sc_allows(thread, location, option)) continue;
        options[count++] = option;
    }
    return count;
}

static uint64_t new_value(const ExplorerRequest *request, uint64_t old) {
    uint64_t mask = request->size == 8 ? UINT64_MAX : (1ull << (8 * request->size)) - 1;
    switch (request->site.operation) {
    case EXPLORER_ADD: return (old + request->value) & mask;
    case EXPLORER_SUB: return (old - request->value) & mask;
    case EXPLORER_OR: return old | request->value;
    case EXPLORER_AND: return old & request->value;
    default: return request->value & mask;
    }
}

static void count_read(Location *l, int thread, int message) {
    if (l->last[thread].message != message) l->last[thread].times = 0;
    l->last[thread].message = message;
    l->last[thread].times++;
}

ExplorerEffect explorer_memory_perform(int thread, const ExplorerRequest *request, ExplorerOption option) {
    int location = location_of(request);
    Location *l = &memory.locations[location];
    View *view = &memory.views[thread];
    ExplorerOrder order = order_of(request, option);
    ExplorerEffect effect = { .wrote = option.position >= 0 };
    view->clock[thread]++;
    use_region(thread, l->region, &request->site);
    ScEvent *event = order == EXPLORER_SEQ_CST ? sc_add(thread, location, option) : NULL;
    view->sc_before |= memory.own_sc[thread] & ~(event != NULL ? 1ull << (event - memory.sc_events) : 0);
    if (option.read >= 0) {
        const Message *m = &l->messages[option.read];
        effect.value = m->value;
        effect.read_age = l->count - 1 - m->position;
        view->seen[location] = (uint8_t)option.read;
        if (acquires(order)) join(view, &m->view);
        count_read(l, thread, option.read);
    }
    if (option.position >= 0) {
        effect.stored = new_value(request, effect.value);
        effect.write_age = l->count - option.position;
        int number = insert(l, option.position, effect.stored, option.read >= 0);
        Message *m = &l->messages[number];
        view->seen[location] = (uint8_t)number;
        if (option.read >= 0) m->view = l->messages[option.read].view;
        if (releases(order)) join(&m->view, view);
        if (event != NULL) event->written = number;
        for (int i = 0; i < memory.location_count; i++) memory.locations[i].last[thread].times = 0;
    }
    return effect;
}
