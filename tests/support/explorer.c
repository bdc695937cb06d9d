// The search.
//
// Each modelled thread is a coroutine that stops before every atomic operation. Whoever stops decides, on its
// own stack, which thread does its operation next and in which of the ways that the memory
// (explorer_memory.c) offers, and goes over to that thread. Where there are several ways, a choice is taken
// down; when an execution has ended, the last choice that has another way left is changed and the case is run
// again from the start, until there are none left: depth first, with replay.
//
// What makes it quick is that hardly any interleaving has to be tried. What an execution is, is decided by
// which message each read reads and by the modification orders, and every such execution can be had in any
// sequence in which no read comes before the write that it reads. So:
//
// - a store is done at once: nobody is hindered by a message more, since all may still read the older ones,
//   and other messages can still be put before it;
// - when all threads are at reads, one of them reads each message that is there, or, as one choice more,
//   waits: then it is to read a message that is not there yet. It goes on when there is one, and only with
//   such a message. If all wait and nothing comes, this is a dead end: nothing is missed, since the same
//   reads are made in other branches.
// - waiting is not even tried where no other thread ever writes to the location. Who writes where is learnt
//   on the way: if a thread turns out to write somewhere new, the search begins again, knowing it.
//
// A barrier everywhere needs a point in each other thread, and which one it is makes a difference. A thread that another
// one may call such a barrier upon chooses before each operation whether this is its point for that. If so it waits,
// if need be, for the barrier to be called, then passes it and goes on. The caller goes on when all have passed; a thread
// that has come to its end passes there. Where a thread waits for a barrier that never comes, this is a dead end.
//
// After: Kokologiannakis, Raad and Vafeiadis, "Model checking for weakly consistent libraries", PLDI 2019,
// whose idea of enumerating executions instead of interleavings this is, in a plainer form.

#include "support/explorer.h"

#include "support/explorer_memory.h"
#include "support/test.h"

#include <stdlib.h>
#include <ucontext.h>

#define STACK_SIZE     FILO_KIB(256)
#define ARENA_SIZE     FILO_KIB(64)
#define MAX_CHOICES    2048
#define MAX_EVENTS     1024
#define MAX_WRITTEN    256
#define MAX_OUTCOMES   1024
#define MAX_SITES      64
#define MAX_EXECUTIONS 20000000

typedef enum Status { RUNNING, ENDED, DEAD_END, FAILED } Status;

typedef struct Thread {
    ucontext_t context;
    void *stack;
    void (*run)(void);
    enum { ABSENT, STARTING, ASKING, GONE } state;
    Request request;
    Effect effect;
    bool waiting;        // for a message that is not there yet
    bool wait_chosen;    // and it could have gone on
    int messages_before; // how many were there
    unsigned to_pass;    // in a barrier: threads that have not passed it yet
    bool in_barrier;
    int calls;         // of barriers so far
    bool point_chosen; // whether a barrier comes before this operation is decided, …
    int point_for;     // … or it waits here for this thread to call one
} Thread;

typedef struct Event {
    int thread;
    bool plain;
    FiloSite site;
    const void *address;
    Effect effect;
} Event;

static struct {
    const FiloExplorerCase *c;
    Thread threads[EXPLORER_ALL_THREADS];
    ucontext_t home;
    int current;
    Status status;

    struct {
        uint8_t taken, count;
    } choices[MAX_CHOICES];
    int depth, known_depth; // of this execution; that are replayed

    struct {
        uintptr_t address;
        unsigned known, found; // threads that write there: what this search goes by, and what it found
    } written[MAX_WRITTEN];
    int written_count;
    int known_calls[EXPLORER_ALL_THREADS],
        found_calls[EXPLORER_ALL_THREADS]; // the same for barriers: how many

    Event events[MAX_EVENTS];
    int event_count;
    char outcomes[MAX_OUTCOMES][64];
    int outcome_count;
    FiloSite sites[MAX_SITES]; // with an order that is not relaxed, for filo_explorer_unneeded_orders
    int site_count;
    FiloExplorerReport report;

    size_t arena_used;
    _Alignas(FILO_CACHE_LINE) unsigned char arena[ARENA_SIZE];
} explorer;

static const char *const order_names[] = { "relaxed", "acquire", "release", "acq_rel", "seq_cst" };
static const char *const operation_names[] = { "load", "store", "exchange", "add",    "sub",
                                               "or",   "and",   "cas",      "barrier" };

int filo_explorer_thread(void) { return explorer.current; }

// ---- The end of an execution --------------------------------------------------------------------------

static void FILO_NORETURN leave(Status status) {
    explorer.status = status;
    setcontext(&explorer.home);
    abort();
}

void filo_explorer_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(explorer.report.failure, sizeof explorer.report.failure, format, arguments);
    va_end(arguments);
    leave(FAILED);
}

void filo_explorer_outcome(const char *format, ...) {
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int place = 0;
    while (place < explorer.outcome_count && strcmp(explorer.outcomes[place], text) < 0) place++;
    if (place < explorer.outcome_count && strcmp(explorer.outcomes[place], text) == 0) return;
    filo_explorer_check(explorer.outcome_count < MAX_OUTCOMES, "more than %d outcomes", MAX_OUTCOMES);
    memmove(explorer.outcomes[place + 1], explorer.outcomes[place],
            (size_t)(explorer.outcome_count - place) * sizeof text);
    memcpy(explorer.outcomes[place], text, sizeof text);
    explorer.outcome_count++;
}

// ---- Choices ------------------------------------------------------------------------------------------

static int choose(int count) {
    if (count <= 1) return 0;
    int depth = explorer.depth++;
    if (depth == explorer.known_depth) {
        filo_explorer_check(depth < MAX_CHOICES, "more than %d choices in one execution", MAX_CHOICES);
        explorer.choices[depth].taken = 0;
        explorer.choices[depth].count = (uint8_t)count;
        explorer.known_depth++;
    }
    filo_explorer_check(explorer.choices[depth].count == count,
                        "the case does not behave the same each time: what it does may depend only on what "
                        "it reads");
    return explorer.choices[depth].taken;
}

// Goes to the next execution; false if there is none.
static bool change_last_choice(void) {
    while (explorer.known_depth > 0) {
        int last = explorer.known_depth - 1;
        if (explorer.choices[last].taken + 1 < explorer.choices[last].count) {
            explorer.choices[last].taken++;
            return true;
        }
        explorer.known_depth--;
    }
    return false;
}

// ---- Who writes where ---------------------------------------------------------------------------------

static int written_at(const void *address) {
    for (int i = 0; i < explorer.written_count; i++)
        if (explorer.written[i].address == (uintptr_t)address) return i;
    filo_explorer_check(explorer.written_count < MAX_WRITTEN, "more than %d addresses in a case",
                        MAX_WRITTEN);
    int i = explorer.written_count++;
    explorer.written[i].address = (uintptr_t)address;
    explorer.written[i].known = explorer.written[i].found = 0;
    return i;
}

// True if the search found somebody who writes where it did not know of it.
static bool learn(void) {
    bool learnt = memcmp(explorer.known_calls, explorer.found_calls, sizeof explorer.known_calls) != 0;
    memcpy(explorer.known_calls, explorer.found_calls, sizeof explorer.known_calls);
    for (int i = 0; i < explorer.written_count; i++) {
        if (explorer.written[i].known != explorer.written[i].found) learnt = true;
        explorer.written[i].known = explorer.written[i].found;
    }
    return learnt;
}

static bool others_may_write(int thread, const void *address) {
    unsigned writers = explorer.written[written_at(address)].known;
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++) {
        bool alive = explorer.threads[t].state == STARTING || explorer.threads[t].state == ASKING;
        if (t != thread && alive && (writers & 1u << t) != 0) return true;
    }
    return false;
}

static void record(int thread, bool plain, const FiloSite *site, const void *address, Effect effect) {
    filo_explorer_check(explorer.event_count < MAX_EVENTS, "more than %d operations in one execution",
                        MAX_EVENTS);
    explorer.events[explorer.event_count++] = (Event){ thread, plain, *site, address, effect };
}

// ---- Barriers -----------------------------------------------------------------------------------------

static bool is_alive(const Thread *thread) { return thread->state == STARTING || thread->state == ASKING; }

static void pass_barrier(int t, int caller) {
    memory_pass_barrier(t, caller);
    explorer.threads[caller].to_pass &= ~(1u << t);
    FiloSite site = explorer.threads[caller].request.site;
    site.text = "passed";
    record(t, false, &site, NULL, (Effect){ .value = (uint64_t)caller });
}

static void begin_barrier(int caller) {
    Thread *thread = &explorer.threads[caller];
    thread->calls++;
    explorer.found_calls[caller] = FILO_MAX(explorer.found_calls[caller], thread->calls);
    thread->in_barrier = true;
    thread->to_pass = 0;
    memory_begin_barrier(caller);
    record(caller, false, &thread->request.site, NULL, (Effect){ 0 });
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++) {
        const Thread *other = &explorer.threads[t];
        if (t == caller || other->state == ABSENT) continue;
        thread->to_pass |= 1u << t;
        if (!is_alive(other)) pass_barrier(t, caller);
        if (!other->in_barrier) continue;
        // Both are inside of one: each may pass the other's there, or later.
        if (choose(2) == 0) pass_barrier(t, caller);
        if ((other->to_pass & 1u << caller) != 0 && choose(2) == 0) pass_barrier(caller, t);
    }
}

static void end_barrier(int caller) {
    memory_end_barrier(caller);
    explorer.threads[caller].in_barrier = false;
    FiloSite site = explorer.threads[caller].request.site;
    site.text = "over";
    record(caller, false, &site, NULL, (Effect){ 0 });
}

// Threads whose barrier `t` may pass at this point, now or when they call it.
static unsigned barriers_for(int t) {
    unsigned callers = 0;
    for (int c = 1; c < EXPLORER_ALL_THREADS; c++) {
        const Thread *caller = &explorer.threads[c];
        bool called = caller->in_barrier && (caller->to_pass & 1u << t) != 0;
        bool may_call =
            !explorer.c->every_interleaving && is_alive(caller) && caller->calls < explorer.known_calls[c];
        if (c != t && (called || may_call)) callers |= 1u << c;
    }
    return callers;
}

// A point before the reading of what only this thread writes is as good as one behind it.
static bool point_matters(int t, const Request *request) {
    return request->site.operation != FILO_LOAD ||
           (explorer.written[written_at(request->address)].known & ~(1u << t)) != 0 ||
           explorer.c->every_interleaving;
}

// False if the thread waits for a barrier that has not been called yet.
static bool can_pass(int t) {
    const Thread *thread = &explorer.threads[t], *caller = &explorer.threads[thread->point_for];
    return thread->point_for == 0 || (caller->in_barrier && (caller->to_pass & 1u << t) != 0);
}

// Decides which barriers come before the thread's next operation. False if it does not get to that now.
static bool pass_barriers(int t) {
    Thread *thread = &explorer.threads[t];
    while (!thread->point_chosen) {
        if (thread->point_for == 0) {
            unsigned callers = point_matters(t, &thread->request) ? barriers_for(t) : 0;
            int choice = choose(1 + __builtin_popcount(callers));
            for (int i = 1; i < choice; i++) callers &= callers - 1;
            thread->point_chosen = choice == 0;
            thread->point_for = choice == 0 ? 0 : __builtin_ctz(callers);
            continue;
        }
        if (!can_pass(t)) return false;
        pass_barrier(t, thread->point_for);
        thread->point_for = 0;
        if (explorer.c->every_interleaving) return false; // others may come before the operation
    }
    return true;
}

// Whoever still waits for this thread to pass.
static void pass_barriers_at_end(int t) {
    for (int c = 1; c < EXPLORER_ALL_THREADS; c++)
        if (explorer.threads[c].in_barrier && (explorer.threads[c].to_pass & 1u << t) != 0)
            pass_barrier(t, c);
}

// ---- Scheduling ---------------------------------------------------------------------------------------

static void perform(int t, Way way) {
    Thread *thread = &explorer.threads[t];
    const Request *request = &thread->request;
    // First, so that an operation that is itself a failure is in the trace.
    record(t, false, &request->site, request->address, (Effect){ 0 });
    thread->effect = memory_perform(t, request, way);
    explorer.events[explorer.event_count - 1].effect = thread->effect;
    // A compare and swap that failed might have succeeded, had others waited: it counts as a write.
    if (request->site.operation != FILO_LOAD) explorer.written[written_at(request->address)].found |= 1u << t;
}

// Lets the thread do its operation, in one of its ways; false if it waits instead.
static bool advance(int t) {
    Thread *thread = &explorer.threads[t];
    if (thread->state == STARTING) {
        thread->state = ASKING;
        return true;
    }
    if (!pass_barriers(t)) return false;
    if (thread->request.site.operation == FILO_BARRIER) {
        if (thread->in_barrier) {
            end_barrier(t);
            return true;
        }
        begin_barrier(t);
        return false;
    }
    const Request *request = &thread->request;
    Way ways[EXPLORER_WAYS];
    int from = thread->waiting ? thread->messages_before : 0;
    int count = memory_ways(t, request, from, false, ways);
    bool may_wait = request->site.operation != FILO_STORE && !explorer.c->every_interleaving &&
                    others_may_write(t, request->address);
    if (count > 0) {
        int choice = choose(count + (may_wait ? 1 : 0));
        if (choice < count) {
            thread->waiting = false;
            perform(t, ways[choice]);
            return true;
        }
    }
    thread->wait_chosen = count > 0 || (thread->waiting && thread->wait_chosen);
    thread->waiting = true;
    thread->messages_before = memory_message_count(request);
    return false;
}

// At a store, or about to call a barrier.
static bool is_store(int t) {
    const Thread *thread = &explorer.threads[t];
    if (thread->state != ASKING) return thread->state == STARTING;
    FiloOperation operation = thread->request.site.operation;
    return can_pass(t) && (operation == FILO_STORE || (operation == FILO_BARRIER && !thread->in_barrier));
}

static bool is_ready_read(int t) {
    const Thread *thread = &explorer.threads[t];
    if (thread->state != ASKING || thread->request.site.operation == FILO_STORE || !can_pass(t)) return false;
    if (thread->request.site.operation == FILO_BARRIER) return false;
    return !thread->waiting || memory_message_count(&thread->request) > thread->messages_before;
}

static bool is_behind_barrier(int t) {
    return explorer.threads[t].in_barrier && explorer.threads[t].to_pass == 0;
}

// The thread to go on with: stores first, and the one that is running if possible. 0 if there is none.
static int pick(bool (*is_right)(int t)) {
    if (is_right(explorer.current)) return explorer.current;
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++)
        if (is_right(t)) return t;
    return 0;
}

static int pick_any(void) {
    int ready[EXPLORER_ALL_THREADS], count = 0;
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++)
        if (is_store(t) || is_ready_read(t) || is_behind_barrier(t)) ready[count++] = t;
    return count > 0 ? ready[choose(count)] : 0;
}

static void FILO_NORETURN nobody_can_go_on(void) {
    bool all_gone = true, chosen = false;
    int spinning = 0;
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++) {
        const Thread *thread = &explorer.threads[t];
        if (thread->state != ASKING) continue;
        all_gone = false;
        if (thread->wait_chosen || thread->point_for != 0 || thread->in_barrier)
            chosen = true;
        else if (memory_spins(t, &thread->request))
            spinning = t;
    }
    if (all_gone) leave(ENDED);
    if (chosen) leave(DEAD_END);
    filo_explorer_fail("%s reads %s over and over, and nobody is left to change it",
                       explorer.c->threads[spinning > 0 ? spinning - 1 : 0].name,
                       explorer.threads[spinning].request.site.text);
}

// Returns when it is the calling thread's turn again, its operation being done.
static void dispatch(void) {
    for (;;) {
        int t = explorer.c->every_interleaving ? pick_any() : pick(is_store);
        if (t == 0) t = pick(is_ready_read);
        if (t == 0) t = pick(is_behind_barrier); // last: others may call one while this is in its own
        if (t == 0) nobody_can_go_on();
        if (!advance(t)) continue;
        if (t != explorer.current) {
            Thread *self = &explorer.threads[explorer.current];
            explorer.current = t;
            swapcontext(&self->context, &explorer.threads[t].context);
        }
        return;
    }
}

static bool weakened(const FiloSite *site) {
    const FiloWeakening *w = &explorer.c->weaken;
    return w->function != NULL && site->operation == w->operation && site->order == w->from &&
           strcmp(site->function, w->function) == 0 &&
           (w->text == NULL || strstr(site->text, w->text) != NULL);
}

static bool same_site(const FiloSite *a, const FiloSite *b) {
    return a->line == b->line && a->operation == b->operation && strcmp(a->text, b->text) == 0 &&
           strcmp(a->file, b->file) == 0;
}

static void note_site(const FiloSite *site) {
    if (site->order == FILO_RELAXED) return;
    for (int i = 0; i < explorer.site_count; i++)
        if (same_site(&explorer.sites[i], site)) return;
    if (explorer.site_count < MAX_SITES) explorer.sites[explorer.site_count++] = *site;
}

static Effect ask(Request request) {
    Thread *thread = &explorer.threads[explorer.current];
    note_site(&request.site);
    if (weakened(&request.site)) request.site.order = explorer.c->weaken.to;
    thread->request = request;
    thread->point_chosen = false;
    if (explorer.current > 0) {
        dispatch();
    } else { // alone: there is only the newest
        Way ways[EXPLORER_WAYS];
        memory_ways(0, &thread->request, 0, true, ways);
        perform(0, ways[0]);
    }
    return thread->effect;
}

uint64_t filo_explorer_operate(void *address, size_t size, uint64_t value, FiloSite site) {
    return ask((Request){ site, address, size, value, 0 }).value;
}

bool filo_explorer_cas(void *address, size_t size, void *expected, uint64_t value, FiloSite site) {
    Request request = { site, address, size, value, 0 };
    memcpy(&request.expected, expected, size);
    Effect effect = ask(request);
    if (!effect.wrote) memcpy(expected, &effect.value, size);
    return effect.wrote;
}

void filo_explorer_plain(const void *address, size_t size, bool writes, FiloSite site) {
    record(explorer.current, true, &site, address, (Effect){ .wrote = writes });
    memory_plain(explorer.current, address, size, writes, &site);
}

void filo_explorer_barrier(FiloSite site) {
    Thread *thread = &explorer.threads[explorer.current];
    note_site(&site);
    if (weakened(&site) || explorer.current == 0) return;
    thread->request = (Request){ .site = site };
    thread->point_chosen = false;
    dispatch();
}

// ---- Memory -------------------------------------------------------------------------------------------

static void *arena_resize(void *user, void *old, size_t old_size, size_t new_size, size_t align) {
    FILO_UNUSED(user);
    void *memory = NULL;
    if (new_size > 0) {
        size_t start = FILO_ALIGN_UP(explorer.arena_used, FILO_MAX(align, FILO_CACHE_LINE));
        filo_explorer_check(start + new_size <= ARENA_SIZE, "a case needs more than %zu bytes", ARENA_SIZE);
        memory = explorer.arena + start;
        explorer.arena_used = start + new_size;
        memset(memory, 0xCD, new_size);
        memory_region_add(explorer.current, memory, new_size);
    }
    if (old != NULL) {
        if (memory != NULL) memcpy(memory, old, FILO_MIN(old_size, new_size));
        memory_region_free(explorer.current, old);
    }
    return memory;
}

const FiloAllocator *filo_explorer_allocator(void) {
    static const FiloAllocator allocator = { arena_resize, NULL };
    return &allocator;
}

// ---- One execution ------------------------------------------------------------------------------------

static void enter(void) {
    Thread *thread = &explorer.threads[explorer.current];
    thread->run();
    thread->state = GONE;
    if (explorer.current == 0) leave(ENDED);
    pass_barriers_at_end(explorer.current);
    dispatch();
}

static void prepare(int t, void (*run)(void)) {
    Thread *thread = &explorer.threads[t];
    thread->run = run;
    thread->waiting = thread->wait_chosen = false;
    thread->in_barrier = thread->point_chosen = false;
    thread->point_for = thread->calls = 0;
    thread->state = run != NULL ? STARTING : ABSENT;
    if (run == NULL) return;
    if (thread->stack == NULL) {
        thread->stack = malloc(STACK_SIZE);
        if (thread->stack == NULL || getcontext(&thread->context) != 0) abort();
    }
    thread->context.uc_stack.ss_sp = thread->stack;
    thread->context.uc_stack.ss_size = STACK_SIZE;
    thread->context.uc_link = NULL;
    makecontext(&thread->context, enter, 0);
}

static Status switch_to(int t) {
    explorer.current = t;
    explorer.threads[t].state = ASKING;
    explorer.status = RUNNING;
    swapcontext(&explorer.home, &explorer.threads[t].context);
    return explorer.status;
}

static Status run_alone(void (*run)(void)) {
    if (run == NULL) return ENDED;
    prepare(0, run);
    Status status = switch_to(0);
    explorer.threads[0].state = ABSENT;
    return status;
}

static Status run_once(void) {
    const FiloExplorerCase *c = explorer.c;
    memory_reset();
    explorer.depth = explorer.event_count = 0;
    explorer.arena_used = 0;
    if (c->state_size > 0) memset(c->state, 0, c->state_size);
    Status status = run_alone(c->setup);
    if (status != ENDED) return status;
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++) {
        prepare(t, c->threads[t - 1].run);
        if (c->threads[t - 1].run != NULL) memory_fork(t);
    }
    status = switch_to(1);
    if (status != ENDED) return status;
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++)
        if (c->threads[t - 1].run != NULL) memory_join(t);
    return run_alone(c->finish);
}

// ---- The report ---------------------------------------------------------------------------------------

// What is after the last slash.
static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void print_value(char *text, size_t size, uint64_t value) {
    if (value >= (uintptr_t)explorer.arena && value < (uintptr_t)explorer.arena + ARENA_SIZE)
        snprintf(text, size, "memory+%zu", (size_t)(value - (uintptr_t)explorer.arena));
    else if (value >= (uintptr_t)explorer.c->state &&
             value < (uintptr_t)explorer.c->state + explorer.c->state_size)
        snprintf(text, size, "state+%zu", (size_t)(value - (uintptr_t)explorer.c->state));
    else if (value < 1u << 16 || value > UINT64_MAX - (1u << 16))
        snprintf(text, size, "%lld", (long long)value);
    else
        snprintf(text, size, "0x%llx", (unsigned long long)value);
}

static size_t print_event(char *text, size_t size, int number, const Event *e) {
    const char *thread = e->thread == 0 ? "alone" : explorer.c->threads[e->thread - 1].name;
    const char *age = "";
    char read[32], stored[32], what[128];
    print_value(read, sizeof read, e->effect.value);
    print_value(stored, sizeof stored, e->effect.stored);
    if (e->effect.read_age > 0) age = " (stale)";
    if (e->effect.write_age > 0) age = " (before a newer one)";
    if (e->plain || e->site.operation == FILO_BARRIER)
        what[0] = '\0';
    else if (!e->effect.wrote)
        snprintf(what, sizeof what, " is %s%s%s", read, age, e->site.operation == FILO_CAS ? ": fails" : "");
    else if (e->site.operation == FILO_STORE)
        snprintf(what, sizeof what, " becomes %s%s", stored, age);
    else
        snprintf(what, sizeof what, " was %s, becomes %s%s", read, stored, age);
    const char *operation = e->plain ? "plain" : operation_names[e->site.operation];
    const char *order = e->plain ? (e->effect.wrote ? "write" : "read") : order_names[e->site.order];
    int length =
        snprintf(text, size, "%4d  %-10s %s:%d  %s: %s %s %s%s\n", number, thread, file_name(e->site.file),
                 e->site.line, e->site.function, operation, order, e->site.text, what);
    return length < 0 ? 0 : FILO_MIN((size_t)length, size - 1);
}

static void print_trace(void) {
    FiloExplorerReport *report = &explorer.report;
    size_t used = 0;
    for (int i = 0; i < explorer.event_count && used + 1 < sizeof report->trace; i++)
        used += print_event(report->trace + used, sizeof report->trace - used, i + 1, &explorer.events[i]);
}

static void print_outcomes(void) {
    size_t used = 0;
    for (int i = 0; i < explorer.outcome_count; i++) {
        int length = snprintf(explorer.report.outcomes + used, sizeof explorer.report.outcomes - used, "%s%s",
                              i > 0 ? " " : "", explorer.outcomes[i]);
        used = FILO_MIN(used + (size_t)length, sizeof explorer.report.outcomes - 1);
    }
}

// ---- The search ---------------------------------------------------------------------------------------

static void search(void) {
    FiloExplorerReport *report = &explorer.report;
    memset(report, 0, sizeof *report);
    explorer.known_depth = explorer.outcome_count = 0;
    do {
        Status status = run_once();
        if (status == FAILED) {
            report->failed = true;
            print_trace();
            return;
        }
        if (status == ENDED)
            report->executions++;
        else
            report->dead_ends++;
        if (report->executions + report->dead_ends >= MAX_EXECUTIONS) return;
    } while (change_last_choice());
    report->complete = true;
    print_outcomes();
}

// A fault in the code of a case is a failure of the case.
static FiloFaultAnswer fault_is_failure(const FiloFault *fault, void *user) {
    FILO_UNUSED(user);
    filo_explorer_fail("%s", fault->message);
}

const FiloExplorerReport *filo_explore(const FiloExplorerCase *c) {
    explorer.c = c;
    explorer.written_count = explorer.site_count = 0;
    memset(explorer.known_calls, 0, sizeof explorer.known_calls);
    memset(explorer.found_calls, 0, sizeof explorer.found_calls);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ fault_is_failure, NULL });
    do search();
    while (!explorer.report.failed && learn());
    filo_fault_set_handler(before);
    return &explorer.report;
}

void filo_explorer_or_skip(void) {
    if (FILO_EXPLORER_AVAILABLE) return;
    print_message("the explorer's coroutines cannot run under the thread sanitizer\n");
    skip();
}

void filo_explorer_expect_pass(const FiloExplorerCase *c) {
    filo_explorer_or_skip();
    const FiloExplorerReport *report = filo_explore(c);
    if (report->failed) {
        fputs(report->trace, stderr); // too long for cmocka
        fail_msg("%s", report->failure);
    }
    if (!report->complete) fail_msg("the case is too large: %d executions are not all", MAX_EXECUTIONS);
    if (getenv("FILO_EXPLORER_VERBOSE") != NULL)
        print_message("%llu executions, %llu dead ends\n", (unsigned long long)report->executions,
                      (unsigned long long)report->dead_ends);
}

const FiloExplorerReport *filo_explorer_expect_failure(const FiloExplorerCase *c, const char *text) {
    filo_explorer_or_skip();
    const FiloExplorerReport *report = filo_explore(c);
    if (!report->failed) fail_msg("no execution of %llu failed", (unsigned long long)report->executions);
    assert_contains(report->failure, text);
    if (getenv("FILO_EXPLORER_VERBOSE") != NULL) fprintf(stderr, "%s%s\n", report->trace, report->failure);
    return report;
}

// ---- Orders that nobody needs -------------------------------------------------------------------------

// The orders that are one step weaker than this one, for this operation; returns how many.
static int weaker(FiloOperation operation, FiloOrder order, FiloOrder orders[2]) {
    if (order == FILO_SEQ_CST) {
        orders[0] = operation == FILO_LOAD      ? FILO_ACQUIRE
                    : operation == FILO_STORE   ? FILO_RELEASE
                    : operation == FILO_BARRIER ? FILO_RELAXED
                                                : FILO_ACQ_REL;
        return 1;
    }
    if (order == FILO_ACQ_REL) {
        orders[0] = FILO_ACQUIRE;
        orders[1] = FILO_RELEASE;
        return 2;
    }
    orders[0] = FILO_RELAXED;
    return 1;
}

static bool any_case_fails(const FiloExplorerCase *cases, size_t count, const FiloWeakening *weaken) {
    for (size_t i = 0; i < count; i++) {
        FiloExplorerCase c = cases[i];
        c.weaken = *weaken;
        if (filo_explore(&c)->failed) return true;
    }
    return false;
}

const char *filo_explorer_unneeded_orders(const FiloExplorerCase *cases, size_t count) {
    static char text[4096];
    static FiloSite sites[MAX_SITES];
    size_t used = 0;
    int site_count = 0;
    text[0] = '\0';
    filo_explorer_or_skip();
    for (size_t i = 0; i < count; i++) {
        if (filo_explore(&cases[i])->failed) fail_msg("%s", explorer.report.failure);
        for (int k = 0; k < explorer.site_count; k++) {
            bool known = false;
            for (int n = 0; n < site_count; n++) known = known || same_site(&sites[n], &explorer.sites[k]);
            if (!known && site_count < MAX_SITES) sites[site_count++] = explorer.sites[k];
        }
    }
    for (int i = 0; i < site_count; i++) {
        const FiloSite *site = &sites[i];
        FiloOrder orders[2];
        int order_count = weaker(site->operation, site->order, orders);
        for (int k = 0; k < order_count; k++) {
            FiloWeakening weaken = { site->function, site->operation, site->text, site->order, orders[k] };
            if (any_case_fails(cases, count, &weaken)) continue;
            int length = snprintf(text + used, sizeof text - used, "%s: %s %s %s, %s is enough\n",
                                  site->function, operation_names[site->operation], site->text,
                                  order_names[site->order], order_names[orders[k]]);
            used = FILO_MIN(used + (size_t)length, sizeof text - 1);
        }
    }
    return text;
}
