// The explorer: runs a small case of a lock-free structure in every way that the C11 memory orders allow, and
// says in which of them something goes wrong.
//
//     #include "support/explorer_atomic.h" // instead of "base/atomic.h": the same words, modelled
//     #include "../../src/lockfree/free_list.c" // the real code, over modelled atomics
//
//     static struct { FiloFreeList *list; … } s;
//     static void setup(void) { … filo_explorer_allocator() … }     // alone, before the threads
//     static void taker(void) { … }                                 // each modelled thread
//     static void finish(void) { filo_explorer_check(…, "…"); }     // alone, afterwards; sees everything
//
//     FILO_TEST(two_takers_never_get_the_same_block) {
//         FiloExplorerCase c = { .state = &s, .state_size = sizeof s, .setup = setup, .finish = finish,
//                                .threads = { { "first", taker }, { "second", taker } } };
//         filo_explorer_expect_pass(&c);
//     }
//
// The code of a case must behave the same whenever it reads the same values: no time, no random numbers, no
// memory but the state (zeroed before each execution) and what filo_explorer_allocator gives. How the search
// and the model work is told at the top of explorer.c and explorer_memory.c, and in docs/lockfree.md.

#ifndef FILO_TEST_EXPLORER_H
#define FILO_TEST_EXPLORER_H

#include <filo/memory.h>

#define FILO_EXPLORER_THREADS 4 // modelled threads of a case, at most

// Coroutines confuse the thread sanitizer, which has its own idea of what a thread is; the explorer's tests
// are skipped there. (The same structures run on real threads in the other tests, which it watches.)
#if defined(__SANITIZE_THREAD__)
#    define FILO_EXPLORER_AVAILABLE 0
#elif defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#        define FILO_EXPLORER_AVAILABLE 0
#    endif
#endif
#ifndef FILO_EXPLORER_AVAILABLE
#    define FILO_EXPLORER_AVAILABLE 1
#endif

typedef enum FiloOrder {
    FILO_RELAXED,
    FILO_ACQUIRE,
    FILO_RELEASE,
    FILO_ACQ_REL,
    FILO_SEQ_CST,
} FiloOrder;

typedef enum FiloOperation {
    FILO_LOAD,
    FILO_STORE,
    FILO_EXCHANGE,
    FILO_ADD,
    FILO_SUB,
    FILO_OR,
    FILO_AND,
    FILO_CAS,
    FILO_BARRIER, // jobs_barrier_everywhere; its order is sequentially consistent, or relaxed: it is not there
} FiloOperation;

// An atomic operation in the source.
typedef struct FiloSite {
    FiloOperation operation;
    FiloOrder order;         // of a compare and swap: when it succeeds
    FiloOrder failure_order; // of a compare and swap
    const char *text;        // what it works on, as written: "&deque->top"
    const char *function;
    const char *file;
    int line;
} FiloSite;

// Lets one operation of the code have another order than it says: every operation of this kind, in this
// function, whose text contains `text` (NULL: any) and whose order is `from`.
typedef struct FiloWeakening {
    const char *function; // NULL: nothing is weakened
    FiloOperation operation;
    const char *text;
    FiloOrder from, to;
} FiloWeakening;

typedef struct FiloExplorerCase {
    void *state;
    size_t state_size;
    void (*setup)(void); // may be NULL, as may `finish`
    struct {
        const char *name;
        void (*run)(void);
    } threads[FILO_EXPLORER_THREADS];
    void (*finish)(void);
    FiloWeakening weaken;
    bool every_interleaving; // search the slow way, to compare: see explorer.c
} FiloExplorerCase;

typedef struct FiloExplorerReport {
    bool failed;
    bool complete;        // every execution was seen (false if one failed, or there were too many)
    uint64_t executions;  // that came to their end
    uint64_t dead_ends;   // that were given up, because another one is the same
    char failure[512];    // what went wrong
    char trace[32768];    // every operation of that execution, in order, one a line
    char outcomes[32768]; // what filo_explorer_outcome was told, each once, sorted, with blanks between
} FiloExplorerReport;

// Runs the case in every way. The report is valid until the next call.
const FiloExplorerReport *filo_explore(const FiloExplorerCase *c);

// ---- Inside of a case ---------------------------------------------------------------------------------

// Which modelled thread is running, counted from 1; 0 in setup and finish.
int filo_explorer_thread(void);

// Ends the search with this message unless the condition holds.
#define filo_explorer_check(condition, ...) ((condition) ? (void)0 : filo_explorer_fail(__VA_ARGS__))
void filo_explorer_fail(const char *format, ...) FILO_PRINTF(1, 2) FILO_NORETURN;

// Adds to the report's outcomes. In finish.
void filo_explorer_outcome(const char *format, ...) FILO_PRINTF(1, 2);

// Gives memory at the same addresses in every execution, never the same twice. Whoever touches it must be
// ordered after its allocation and before its freeing: if not, that is a failure.
const FiloAllocator *filo_explorer_allocator(void);

// ---- For tests ----------------------------------------------------------------------------------------

// Skips the test where the explorer cannot run.
void filo_explorer_or_skip(void);
// Fails the test, with the interleaving, unless every execution was seen and none failed.
void filo_explorer_expect_pass(const FiloExplorerCase *c);
// Fails the test unless some execution fails, with a message that contains `text`. The report has the
// interleaving.
const FiloExplorerReport *filo_explorer_expect_failure(const FiloExplorerCase *c, const char *text);
// Weakens, one at a time, every order that is not relaxed in the code that these cases run, and returns those
// that no case missed, a line each: "jobs_deque_push: load &deque->top acquire, relaxed is enough". An order
// in that list is stronger than needed, or there is no case for it.
const char *filo_explorer_unneeded_orders(const FiloExplorerCase *cases, size_t count);

// ---- Behind explorer_atomic.h -------------------------------------------------------------------------

uint64_t filo_explorer_operate(void *address, size_t size, uint64_t value, FiloSite site);
bool filo_explorer_cas(void *address, size_t size, void *expected, uint64_t value, FiloSite site);
void filo_explorer_plain(const void *address, size_t size, bool writes, FiloSite site);
void filo_explorer_barrier(FiloSite site);

#endif
