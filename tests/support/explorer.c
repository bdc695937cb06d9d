// The search.
//
// Each modelled thread is a coroutine that stops before every atomic operation. The thread that stops decides, on
// its own stack, which thread executes its operation next and with which of the options that the memory
// (explorer_memory.c) offers, and switches to that thread. Where there are several options, a choice is recorded.
// When an execution has ended, the last choice with another option left is changed and the case is run again from
// the start, until no option is left: depth first, with replay.
//
// The search is fast because hardly any interleaving has to be tried. An execution is defined by which message each
// read reads and by the modification orders. Every such execution can be produced in any sequence in which no read
// comes before the write that it reads. So:
//
// - A store is executed at once. It hinders no other thread: all may still read the older messages, and other
//   messages can still be inserted before it.
// - When all threads are at reads, one of them reads each message that exists, or, as one more choice, waits: then
//   it has to read a message that does not exist yet. It continues when there is one, and only with such a message.
//   If all wait and no message comes, this is a dead end. Nothing is missed, since other branches make the same
//   reads.
// - Waiting is not tried where no other thread ever writes to the location. The search finds out which threads
//   write where. If a thread turns out to write to a new location, the search is restarted with that knowledge.
//
// jobs_barrier_everywhere needs a point in each other thread, and the result depends on which one it is. Before each
// operation, a thread chooses for each thread that may call such a barrier whether this is its point. If so, it
// waits until the barrier is called, if necessary, passes it and continues. The caller continues when all others
// have passed. A thread that has ended passes at its end. Waiting for a barrier that is never called is a dead end.
//
// After: Kokologiannakis, Raad and Vafeiadis, "Model checking for weakly consistent libraries", PLDI 2019. The idea
// of enumerating executions instead of interleavings is theirs; this is a simpler form of it.

#include "support/explorer.h"

#include "support/explorer_memory.h"
#include "support/explorer_search.h"
#include "support/test.h"

#include <stdlib.h>
#include <ucontext.h>

#define STACK_SIZE   FILO_KIB(256)
#define ARENA_SIZE   FILO_KIB(64)
#define MAX_CHOICES  2048
#define MAX_EVENTS   1024
#define MAX_WRITTEN  256
#define MAX_OUTCOMES 1024

typedef enum Status { RUNNING, ENDED, DEAD_END, FAILED } Status;

typedef struct Thread {
    ucontext_t context;
    void *stack;
    void (*run)(void);
    enum { ABSENT, STARTING, AT_OPERATION, FINISHED } state;
    ExplorerRequest request;
    ExplorerEffect effect;
    bool waiting;        // for a message that is not there yet
    bool wait_chosen;    // by choice: it could have continued
    int messages_before; // how many existed when it began to wait
    unsigned not_passed; // in a barrier: threads that have not passed it yet
    bool in_barrier;
    int calls;         // of barriers so far
    bool point_chosen; // it is decided which barriers come before this operation
    int point_for;     // the thread whose barrier is passed here, when it is called; 0: none
} Thread;

typedef struct Event {
    int thread;
    bool plain;
    ExplorerSite site;
    const void *address;
    ExplorerEffect effect;
} Event;

static struct {
    const ExplorerCase *c;
    Thread threads[EXPLORER_ALL_THREADS];
    ucontext_t home;
    int current;
    Status status;

    struct {
        uint8_t taken, count;
    } choices[MAX_CHOICES];
    int depth, replay_depth; // choices of this execution so far; choices that are replayed

    struct {
        uintptr_t address;
        unsigned expected, found; // threads that write there: as this search assumes, and as it found
    } written[MAX_WRITTEN];
    int written_count;
    // Of barriers: as this search assumes, and as it found.
    int expected_calls[EXPLORER_ALL_THREADS], found_calls[EXPLORER_ALL_THREADS];

    Event events[MAX_EVENTS];
    int event_count;
    char outcomes[MAX_OUTCOMES][64];
    int outcome_count;
    ExplorerSite sites[EXPLORER_MAX_SITES]; // with an order that is not relaxed, for explorer_unneeded_orders
    int site_count;
    ExplorerReport report;

    size_t arena_used;
    _Alignas(FILO_CACHE_LINE) unsigned char arena[ARENA_SIZE];
} explorer;

const char *const explorer_order_names[] = { "relaxed", "acquire", "release", "acq_rel", "seq_cst" };
const char *const explorer_operation_names[] = { "load", "store", "exchange", "add",    "sub",
                                                 "or",   "and",   "cas",      "barrier" };

int explorer_thread(void) { return explorer.current; }

// ---- The end of an execution --------------------------------------------------------------------------

static void FILO_NORETURN leave(Status status) {
    explorer.status = status;
    setcontext(&explorer.home);
    abort();
}

void explorer_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(explorer.report.failure, sizeof explorer.report.failure, format, arguments);
    va_end(arguments);
    leave(FAILED);
}

void explorer_outcome(const char *format, ...) {
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int index = 0;
    while (index < explorer.outcome_count && strcmp(explorer.outcomes[index], text) < 0) index++;
    if (index < explorer.outcome_count && strcmp(explorer.outcomes[index], text) == 0) return;
    explorer_check(explorer.outcome_count < MAX_OUTCOMES, "more than %d outcomes", MAX_OUTCOMES);
    memmove(explorer.outcomes[index + 1], explorer.outcomes[index],
            (size_t)(explorer.outcome_count - index) * sizeof text);
    memcpy(explorer.outcomes[index], text, sizeof text);
    explorer.outcome_count++;
}

// ---- Choices ------------------------------------------------------------------------------------------

static int choose(int count) {
    if (count <= 1) return 0;
    int depth = explorer.depth++;
    if (depth == explorer.replay_depth) {
        explorer_check(depth < MAX_CHOICES, "more than %d choices in one execution", MAX_CHOICES);
        explorer.choices[depth].taken = 0;
        explorer.choices[depth].count = (uint8_t)count;
        explorer.replay_depth++;
    }
    explorer_check(explorer.choices[depth].count == count,
                   "the case does not behave the same each time: what it does may depend only on what "
                   "it reads");
    return explorer.choices[depth].taken;
}

// Goes to the next execution; false if there is none.
static bool change_last_choice(void) {
    while (explorer.replay_depth > 0) {
        int last = explorer.replay_depth - 1;
        if (explorer.choices[last].taken + 1 < explorer.choices[last].count) {
            explorer.choices[last].taken++;
            return true;
        }
        explorer.replay_depth--;
    }
    return false;
}

// ---- Writers of each address --------------------------------------------------------------------------

static int written_at(const void *address) {
    for (int i = 0; i < explorer.written_count; i++)
        if (explorer.written[i].address == (uintptr_t)address) return i;
    explorer_check(explorer.written_count < MAX_WRITTEN, "more than %d addresses in a case", MAX_WRITTEN);
    int i = explorer.written_count++;
    explorer.written[i].address = (uintptr_t)address;
    explorer.written[i].expected = explorer.written[i].found = 0;
    return i;
}

// Assumes from now on what the search found. True if that is different from what it assumed.
static bool update_expectations(void) {
    bool changed = memcmp(explorer.expected_calls, explorer.found_calls, sizeof explorer.expected_calls) != 0;
    memcpy(explorer.expected_calls, explorer.found_calls, sizeof explorer.expected_calls);
    for (int i = 0; i < explorer.written_count; i++) {
        if (explorer.written[i].expected != explorer.written[i].found) changed = true;
        explorer.written[i].expected = explorer.written[i].found;
    }
    return changed;
}

static bool others_may_write(int thread, const void *address) {
    unsigned writers = explorer.written[written_at(address)].expected;
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++) {
        bool alive = explorer.threads[t].state == STARTING || explorer.threads[t].state == AT_OPERATION;
        if (t != thread && alive && (writers & 1u << t) != 0) return true;
    }
    return false;
}

static void record(int thread, bool plain, const ExplorerSite *site, const void *address,
                   ExplorerEffect effect) {
    explorer_check(explorer.event_count < MAX_EVENTS, "more than %d operations in one execution", MAX_EVENTS);
    explorer.events[explorer.event_count++] = (Event){ thread, plain, *site, address, effect };
}

// ---- Barriers -----------------------------------------------------------------------------------------

static bool is_alive(const Thread *thread) {
    return thread->state == STARTING || thread->state == AT_OPERATION;
}

static void pass_barrier(int t, int caller) {
    explorer_memory_pass_barrier(t, caller);
    explorer.threads[caller].not_passed &= ~(1u << t);
    ExplorerSite site = explorer.threads[caller].request.site;
    site.text = "passed";
    record(t, false, &site, NULL, (ExplorerEffect){ .value = (uint64_t)caller });
}

static void begin_barrier(int caller) {
    Thread *thread = &explorer.threads[caller];
    thread->calls++;
    explorer.found_calls[caller] = FILO_MAX(explorer.found_calls[caller], thread->calls);
    thread->in_barrier = true;
    thread->not_passed = 0;
    explorer_memory_begin_barrier(caller);
    record(caller, false, &thread->request.site, NULL, (ExplorerEffect){ 0 });
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++) {
        const Thread *other = &explorer.threads[t];
        if (t == caller || other->state == ABSENT) continue;
        thread->not_passed |= 1u << t;
        if (!is_alive(other)) pass_barrier(t, caller);
        if (!other->in_barrier) continue;
        // Both are inside a barrier: each may pass the other's there, or later.
        if (choose(2) == 0) pass_barrier(t, caller);
        if ((other->not_passed & 1u << caller) != 0 && choose(2) == 0) pass_barrier(caller, t);
    }
}

static void end_barrier(int caller) {
    explorer_memory_end_barrier(caller);
    explorer.threads[caller].in_barrier = false;
    ExplorerSite site = explorer.threads[caller].request.site;
    site.text = "over";
    record(caller, false, &site, NULL, (ExplorerEffect){ 0 });
}

// Threads whose barrier `t` may pass at this point, now or when they call it.
static unsigned barriers_for(int t) {
    unsigned callers = 0;
    for (int c = 1; c < EXPLORER_ALL_THREADS; c++) {
        const Thread *caller = &explorer.threads[c];
        bool called = caller->in_barrier && (caller->not_passed & 1u << t) != 0;
        bool may_call =
            !explorer.c->every_interleaving && is_alive(caller) && caller->calls < explorer.expected_calls[c];
        if (c != t && (called || may_call)) callers |= 1u << c;
    }
    return callers;
}

// A point before a read of what only this thread writes is equivalent to one behind it.
static bool point_matters(int t, const ExplorerRequest *request) {
    return request->site.operation != EXPLORER_LOAD ||
           (explorer.written[written_at(request->address)].expected & ~(1u << t)) != 0 ||
           explorer.c->every_interleaving;
}

// False if the thread waits for a barrier that has not been called yet.
static bool can_pass(int t) {
    const Thread *thread = &explorer.threads[t], *caller = &explorer.threads[thread->point_for];
    return thread->point_for == 0 || (caller->in_barrier && (caller->not_passed & 1u << t) != 0);
}

// Decides which barriers come before the thread's next operation. False if it cannot execute the operation now.
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
        if (explorer.c->every_interleaving) return false; // other threads may run before the operation
    }
    return true;
}

// Passes the barriers of the threads that still wait for this one.
static void pass_barriers_at_end(int t) {
    for (int c = 1; c < EXPLORER_ALL_THREADS; c++)
        if (explorer.threads[c].in_barrier && (explorer.threads[c].not_passed & 1u << t) != 0)
            pass_barrier(t, c);
}

// ---- Scheduling ---------------------------------------------------------------------------------------

static void perform(int t, ExplorerOption option) {
    Thread *thread = &explorer.threads[t];
    const ExplorerRequest *request = &thread->request;
    // Recorded first, so that an operation that is itself a failure is in the trace.
    record(t, false, &request->site, request->address, (ExplorerEffect){ 0 });
    thread->effect = explorer_memory_perform(t, request, option);
    explorer.events[explorer.event_count - 1].effect = thread->effect;
    // A compare and swap that failed might have succeeded in another sequence: it counts as a write.
    if (request->site.operation != EXPLORER_LOAD)
        explorer.written[written_at(request->address)].found |= 1u << t;
}

// Executes the thread's operation with one of its options; false if the thread waits instead.
static bool advance(int t) {
    Thread *thread = &explorer.threads[t];
    if (thread->state == STARTING) {
        thread->state = AT_OPERATION;
        return true;
    }
    if (!pass_barriers(t)) return false;
    if (thread->request.site.operation == EXPLORER_BARRIER) {
        if (thread->in_barrier) {
            end_barrier(t);
            return true;
        }
        begin_barrier(t);
        return false;
    }
    const ExplorerRequest *request = &thread->request;
    ExplorerOption options[EXPLORER_MAX_OPTIONS];
    int from = thread->waiting ? thread->messages_before : 0;
    int count = explorer_memory_options(t, request, from, false, options);
    bool may_wait = request->site.operation != EXPLORER_STORE && !explorer.c->every_interleaving &&
                    others_may_write(t, request->address);
    if (count > 0) {
        int choice = choose(count + (may_wait ? 1 : 0));
        if (choice < count) {
            thread->waiting = false;
            perform(t, options[choice]);
            return true;
        }
    }
    thread->wait_chosen = count > 0 || (thread->waiting && thread->wait_chosen);
    thread->waiting = true;
    thread->messages_before = explorer_memory_message_count(request);
    return false;
}

// At a store, or about to call a barrier.
static bool is_at_store(int t) {
    const Thread *thread = &explorer.threads[t];
    if (thread->state != AT_OPERATION) return thread->state == STARTING;
    ExplorerOperation operation = thread->request.site.operation;
    return can_pass(t) &&
           (operation == EXPLORER_STORE || (operation == EXPLORER_BARRIER && !thread->in_barrier));
}

static bool is_at_ready_read(int t) {
    const Thread *thread = &explorer.threads[t];
    if (thread->state != AT_OPERATION || thread->request.site.operation == EXPLORER_STORE || !can_pass(t))
        return false;
    if (thread->request.site.operation == EXPLORER_BARRIER) return false;
    return !thread->waiting || explorer_memory_message_count(&thread->request) > thread->messages_before;
}

static bool has_passed_barrier(int t) {
    return explorer.threads[t].in_barrier && explorer.threads[t].not_passed == 0;
}

// A thread that matches, the current one if possible; 0 if there is none.
static int find_thread(bool (*matches)(int t)) {
    if (matches(explorer.current)) return explorer.current;
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++)
        if (matches(t)) return t;
    return 0;
}

static int choose_thread(void) {
    int ready[EXPLORER_ALL_THREADS], count = 0;
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++)
        if (is_at_store(t) || is_at_ready_read(t) || has_passed_barrier(t)) ready[count++] = t;
    return count > 0 ? ready[choose(count)] : 0;
}

static void FILO_NORETURN end_without_runnable_thread(void) {
    bool all_finished = true, chosen = false;
    int spinning = 0;
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++) {
        const Thread *thread = &explorer.threads[t];
        if (thread->state != AT_OPERATION) continue;
        all_finished = false;
        if (thread->wait_chosen || thread->point_for != 0 || thread->in_barrier)
            chosen = true;
        else if (explorer_memory_spins(t, &thread->request))
            spinning = t;
    }
    if (all_finished) leave(ENDED);
    if (chosen) leave(DEAD_END);
    explorer_fail("%s reads %s over and over, and no thread is left to change it",
                  explorer.c->threads[spinning > 0 ? spinning - 1 : 0].name,
                  explorer.threads[spinning].request.site.text);
}

// Returns when the calling thread's operation has been executed and the thread is to continue.
static void dispatch(void) {
    for (;;) {
        int t = explorer.c->every_interleaving ? choose_thread() : find_thread(is_at_store);
        if (t == 0) t = find_thread(is_at_ready_read);
        // Last: another thread may call a barrier while this one is in its own.
        if (t == 0) t = find_thread(has_passed_barrier);
        if (t == 0) end_without_runnable_thread();
        if (!advance(t)) continue;
        if (t != explorer.current) {
            Thread *self = &explorer.threads[explorer.current];
            explorer.current = t;
            swapcontext(&self->context, &explorer.threads[t].context);
        }
        return;
    }
}

static bool weakened(const ExplorerSite *site) {
    const ExplorerWeakening *w = &explorer.c->weaken;
    return w->function != NULL && site->operation == w->operation && site->order == w->from &&
           strcmp(site->function, w->function) == 0 &&
           (w->text == NULL || strstr(site->text, w->text) != NULL);
}

static bool same_site(const ExplorerSite *a, const ExplorerSite *b) {
    return a->line == b->line && a->operation == b->operation && strcmp(a->text, b->text) == 0 &&
           strcmp(a->file, b->file) == 0;
}

void explorer_add_site(ExplorerSite *sites, int *count, const ExplorerSite *site) {
    if (site->order == EXPLORER_RELAXED) return;
    for (int i = 0; i < *count; i++)
        if (same_site(&sites[i], site)) return;
    if (*count < EXPLORER_MAX_SITES) sites[(*count)++] = *site;
}

static ExplorerEffect execute(ExplorerRequest request) {
    Thread *thread = &explorer.threads[explorer.current];
    explorer_add_site(explorer.sites, &explorer.site_count, &request.site);
    if (weakened(&request.site)) request.site.order = explorer.c->weaken.to;
    thread->request = request;
    thread->point_chosen = false;
    if (explorer.current > 0) {
        dispatch();
    } else { // in setup or finish: only the newest message
        ExplorerOption options[EXPLORER_MAX_OPTIONS];
        explorer_memory_options(0, &thread->request, 0, true, options);
        perform(0, options[0]);
    }
    return thread->effect;
}

uint64_t explorer_operate(void *address, size_t size, uint64_t value, ExplorerSite site) {
    return execute((ExplorerRequest){ site, address, size, value, 0 }).value;
}

bool explorer_cas(void *address, size_t size, void *expected, uint64_t value, ExplorerSite site) {
    ExplorerRequest request = { site, address, size, value, 0 };
    memcpy(&request.expected, expected, size);
    ExplorerEffect effect = execute(request);
    if (!effect.wrote) memcpy(expected, &effect.value, size);
    return effect.wrote;
}

void explorer_plain(const void *address, size_t size, bool writes, ExplorerSite site) {
    record(explorer.current, true, &site, address, (ExplorerEffect){ .wrote = writes });
    explorer_memory_plain(explorer.current, address, size, writes, &site);
}

void explorer_barrier(ExplorerSite site) {
    Thread *thread = &explorer.threads[explorer.current];
    explorer_add_site(explorer.sites, &explorer.site_count, &site);
    if (weakened(&site) || explorer.current == 0) return;
    thread->request = (ExplorerRequest){ .site = site };
    thread->point_chosen = false;
    dispatch();
}

// ---- Memory -------------------------------------------------------------------------------------------

static void *arena_resize(void *user, void *old, size_t old_size, size_t new_size, size_t align) {
    FILO_UNUSED(user);
    void *memory = NULL;
    if (new_size > 0) {
        size_t start = FILO_ALIGN_UP(explorer.arena_used, FILO_MAX(align, FILO_CACHE_LINE));
        explorer_check(start + new_size <= ARENA_SIZE, "a case needs more than %zu bytes", ARENA_SIZE);
        memory = explorer.arena + start;
        explorer.arena_used = start + new_size;
        memset(memory, 0xCD, new_size);
        explorer_memory_region_add(explorer.current, memory, new_size);
    }
    if (old != NULL) {
        if (memory != NULL) memcpy(memory, old, FILO_MIN(old_size, new_size));
        explorer_memory_region_free(explorer.current, old);
    }
    return memory;
}

const FiloAllocator *explorer_allocator(void) {
    static const FiloAllocator allocator = { arena_resize, NULL };
    return &allocator;
}

// ---- One execution ------------------------------------------------------------------------------------

static void enter(void) {
    Thread *thread = &explorer.threads[explorer.current];
    thread->run();
    thread->state = FINISHED;
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
    explorer.threads[t].state = AT_OPERATION;
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
    const ExplorerCase *c = explorer.c;
    explorer_memory_reset();
    explorer.depth = explorer.event_count = 0;
    explorer.arena_used = 0;
    if (c->state_size > 0) memset(c->state, 0, c->state_size);
    Status status = run_alone(c->setup);
    if (status != ENDED) return status;
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++) {
        prepare(t, c->threads[t - 1].run);
        if (c->threads[t - 1].run != NULL) explorer_memory_fork(t);
    }
    status = switch_to(1);
    if (status != ENDED) return status;
    for (int t = 1; t < EXPLORER_ALL_THREADS; t++)
        if (c->threads[t - 1].run != NULL) explorer_memory_join(t);
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
    if (e->plain || e->site.operation == EXPLORER_BARRIER)
        what[0] = '\0';
    else if (!e->effect.wrote)
        snprintf(what, sizeof what, " is %s%s%s", read, age,
                 e->site.operation == EXPLORER_CAS ? ": fails" : "");
    else if (e->site.operation == EXPLORER_STORE)
        snprintf(what, sizeof what, " becomes %s%s", stored, age);
    else
        snprintf(what, sizeof what, " was %s, becomes %s%s", read, stored, age);
    const char *operation = e->plain ? "plain" : explorer_operation_names[e->site.operation];
    const char *order = e->plain ? (e->effect.wrote ? "write" : "read") : explorer_order_names[e->site.order];
    int length =
        snprintf(text, size, "%4d  %-10s %s:%d  %s: %s %s %s%s\n", number, thread, file_name(e->site.file),
                 e->site.line, e->site.function, operation, order, e->site.text, what);
    return length < 0 ? 0 : FILO_MIN((size_t)length, size - 1);
}

static void print_trace(void) {
    ExplorerReport *report = &explorer.report;
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
    ExplorerReport *report = &explorer.report;
    memset(report, 0, sizeof *report);
    explorer.replay_depth = explorer.outcome_count = 0;
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
        if (report->executions + report->dead_ends >= EXPLORER_MAX_EXECUTIONS) return;
    } while (change_last_choice());
    report->complete = true;
    print_outcomes();
}

// A fault in the code of a case is a failure of the case.
static FiloFaultAnswer fault_is_failure(const FiloFault *fault, void *user) {
    FILO_UNUSED(user);
    explorer_fail("%s", fault->message);
}

const ExplorerReport *explorer_run(const ExplorerCase *c) {
    explorer.c = c;
    explorer.written_count = explorer.site_count = 0;
    memset(explorer.expected_calls, 0, sizeof explorer.expected_calls);
    memset(explorer.found_calls, 0, sizeof explorer.found_calls);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ fault_is_failure, NULL });
    do search();
    while (!explorer.report.failed && update_expectations());
    filo_fault_set_handler(before);
    return &explorer.report;
}

int explorer_sites(const ExplorerSite **sites) {
    *sites = explorer.sites;
    return explorer.site_count;
}
