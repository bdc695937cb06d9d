// The explorer: runs a small case of a lock-free structure in every execution that the C11 memory orders allow,
// and reports one that fails.
//
//     #include "support/explorer_atomic.h" // instead of "base/atomic.h": the same names, modelled
//     #include "../../src/lockfree/free_list.c" // the real code, over modelled atomics
//
//     static struct { FiloFreeList *list; … } s;
//     static void setup(void) { … explorer_allocator() … }     // alone, before the threads
//     static void taker(void) { … }                                 // each modelled thread
//     static void finish(void) { explorer_check(…, "…"); }     // alone, afterwards; sees everything
//
//     FILO_TEST(two_takers_never_get_the_same_block) {
//         ExplorerCase c = { .state = &s, .state_size = sizeof s, .setup = setup, .finish = finish,
//                                .threads = { { "first", taker }, { "second", taker } } };
//         explorer_expect_pass(&c);
//     }
//
// The code of a case must behave the same whenever it reads the same values: no time, no random numbers, and no
// memory but the state (zeroed before each execution) and that of explorer_allocator. The search is described at
// the top of explorer.c, the model at the top of explorer_memory.c, and both in docs/lockfree.md.

#ifndef FILO_TEST_EXPLORER_H
#define FILO_TEST_EXPLORER_H

#include <filo/memory.h>

#define EXPLORER_THREADS        4 // modelled threads of a case, at most
#define EXPLORER_MAX_EXECUTIONS 20000000

// The thread sanitizer does not support coroutines; the explorer's tests are skipped there. (Other tests run the
// same structures on real threads under the sanitizer.)
#if defined(__SANITIZE_THREAD__)
#    define EXPLORER_AVAILABLE 0
#elif defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#        define EXPLORER_AVAILABLE 0
#    endif
#endif
#ifndef EXPLORER_AVAILABLE
#    define EXPLORER_AVAILABLE 1
#endif

typedef enum ExplorerOrder {
    EXPLORER_RELAXED,
    EXPLORER_ACQUIRE,
    EXPLORER_RELEASE,
    EXPLORER_ACQ_REL,
    EXPLORER_SEQ_CST,
} ExplorerOrder;

typedef enum ExplorerOperation {
    EXPLORER_LOAD,
    EXPLORER_STORE,
    EXPLORER_EXCHANGE,
    EXPLORER_ADD,
    EXPLORER_SUB,
    EXPLORER_OR,
    EXPLORER_AND,
    EXPLORER_CAS,
    EXPLORER_BARRIER, // jobs_barrier_everywhere; EXPLORER_SEQ_CST, or EXPLORER_RELAXED: it does nothing
} ExplorerOperation;

// An atomic operation in the source.
typedef struct ExplorerSite {
    ExplorerOperation operation;
    ExplorerOrder order;         // of a compare and swap: when it succeeds
    ExplorerOrder failure_order; // of a compare and swap
    const char *text;            // its first argument, as in the source: "&deque->top"
    const char *function;
    const char *file;
    int line;
} ExplorerSite;

// Replaces the order of every operation of this kind, in this function, whose text contains `text` (NULL: any)
// and whose order is `from`.
typedef struct ExplorerWeakening {
    const char *function; // NULL: nothing is weakened
    ExplorerOperation operation;
    const char *text;
    ExplorerOrder from, to;
} ExplorerWeakening;

typedef struct ExplorerCase {
    void *state;
    size_t state_size;
    void (*setup)(void); // may be NULL, as may `finish`
    struct {
        const char *name;
        void (*run)(void);
    } threads[EXPLORER_THREADS];
    void (*finish)(void);
    ExplorerWeakening weaken;
    bool every_interleaving; // try all interleavings, for comparison: see explorer.c
} ExplorerCase;

typedef struct ExplorerReport {
    bool failed;
    bool
        complete; // all executions were run (false if one failed, or there were more than EXPLORER_MAX_EXECUTIONS)
    uint64_t executions;  // that ran to their end
    uint64_t dead_ends;   // that were abandoned, because another execution equals them
    char failure[512];    // what went wrong
    char trace[32768];    // every operation of that execution, in order, one a line
    char outcomes[32768]; // arguments of explorer_outcome, each once, sorted, separated by blanks
} ExplorerReport;

// Runs every execution of the case. The report is valid until the next call.
const ExplorerReport *explorer_run(const ExplorerCase *c);

// ---- Inside of a case ---------------------------------------------------------------------------------

// The modelled thread that is running, counted from 1; 0 in setup and finish.
int explorer_thread(void);

// Ends the search with this message unless the condition holds.
#define explorer_check(condition, ...) ((condition) ? (void)0 : explorer_fail(__VA_ARGS__))
void explorer_fail(const char *format, ...) FILO_PRINTF(1, 2) FILO_NORETURN;

// Adds to the report's outcomes. In finish.
void explorer_outcome(const char *format, ...) FILO_PRINTF(1, 2);

// Returns memory at the same addresses in every execution, and never reuses it. An access that is not ordered
// after the allocation and before the release is a failure.
const FiloAllocator *explorer_allocator(void);

// ---- For tests ----------------------------------------------------------------------------------------

// Skips the test where the explorer cannot run.
void explorer_or_skip(void);
// Fails the test, with the interleaving, unless all executions were run and none failed.
void explorer_expect_pass(const ExplorerCase *c);
// Fails the test unless some execution fails, with a message that contains `text`. The report has the
// interleaving.
const ExplorerReport *explorer_expect_failure(const ExplorerCase *c, const char *text);
// Weakens, one at a time, every order that is not relaxed in the code that these cases run, and returns those
// whose weakening failed no case, a line each: "jobs_deque_push: load &deque->top acquire, relaxed is enough". An
// order in that list is stronger than needed, or there is no case for it.
const char *explorer_unneeded_orders(const ExplorerCase *cases, size_t count);

// ---- Behind explorer_atomic.h -------------------------------------------------------------------------

uint64_t explorer_operate(void *address, size_t size, uint64_t value, ExplorerSite site);
bool explorer_cas(void *address, size_t size, void *expected, uint64_t value, ExplorerSite site);
void explorer_plain(const void *address, size_t size, bool writes, ExplorerSite site);
void explorer_barrier(ExplorerSite site);

#endif
