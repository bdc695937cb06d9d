// The shared maps in every execution of small cases: a key has one value, whichever thread inserts it, and a thread
// that finds the key sees what was written before the insertion.

#include "support/explorer_atomic.h"

#include "../../src/lockfree/shared_map.c" // by its path: the tests have the same file names

#include "support/test.h"

static struct {
    FiloSharedMap *map;
    FiloSharedWordMap *words;
    int before[EXPLORER_THREADS + 1]; // plain memory, written before an insertion
    void *values[EXPLORER_THREADS + 1];
    bool inserted[EXPLORER_THREADS + 1];
    uint64_t sum[EXPLORER_THREADS + 1];
} s;

static void setup(void) {
    FiloSharedMapDesc desc = { .capacity = 3, .value_size = 8, .allocator = explorer_allocator() };
    FiloSharedWordMapDesc word_desc = { .capacity = 3, .allocator = explorer_allocator() };
    FiloResult r = filo_shared_map_create(&s.map, &desc);
    explorer_check(r.code == FILO_OK, "%s", r.message);
    r = filo_shared_word_map_create(&s.words, &word_desc);
    explorer_check(r.code == FILO_OK, "%s", r.message);
}

static void insert(uint64_t key) {
    int t = explorer_thread();
    base_plain_store(&s.before[t], 1);
    s.values[t] = filo_shared_map_insert(s.map, key, &s.inserted[t]);
}

static void inserts_five(void) { insert(5); }
static void inserts_zero(void) { insert(0); }
static void inserts_own(void) { insert((uint64_t)explorer_thread()); }
static void finds_five(void) {
    if (filo_shared_map_find(s.map, 5) != NULL)
        explorer_check(base_plain_load(&s.before[1]) == 1, "the key came without what was before it");
}

static void one_value(void) {
    int threads = 0, inserted = 0;
    for (int t = 1; t <= EXPLORER_THREADS; t++) {
        if (s.values[t] == NULL) continue;
        threads++;
        inserted += s.inserted[t];
        explorer_check(s.values[t] == s.values[1], "two threads have different values for one key");
    }
    explorer_check(threads >= 2 && inserted == 1, "%d of %d threads inserted the key", inserted, threads);
    explorer_check(filo_shared_map_count(s.map) == 1, "the map has not one key");
}

static void own_values(void) {
    for (int t = 1; t <= 3; t++) {
        explorer_check(s.values[t] != NULL && s.inserted[t], "thread %d could not insert", t);
        explorer_check(filo_shared_map_find(s.map, (uint64_t)t) == s.values[t], "key %d moved", t);
    }
    explorer_check(filo_shared_map_count(s.map) == 3, "the map has not three keys");
}

#define CASE(finish_function, ...)                                                                           \
    (&(ExplorerCase){ .state = &s,                                                                           \
                      .state_size = sizeof s,                                                                \
                      .setup = setup,                                                                        \
                      .finish = finish_function,                                                             \
                      .threads = { __VA_ARGS__ } })

FILO_TEST(one_key_has_one_value) {
    explorer_expect_pass(CASE(one_value, { "one", inserts_five }, { "two", inserts_five }));
    explorer_expect_pass(
        CASE(one_value, { "one", inserts_five }, { "two", inserts_five }, { "three", inserts_five }));
    explorer_expect_pass(CASE(one_value, { "one", inserts_zero }, { "two", inserts_zero }));
}

FILO_TEST(different_keys_have_different_values) {
    explorer_expect_pass(
        CASE(own_values, { "one", inserts_own }, { "two", inserts_own }, { "three", inserts_own }));
}

FILO_TEST(a_key_brings_what_was_written_before_it) {
    ExplorerCase *c = CASE(NULL, { "inserts", inserts_five }, { "finds", finds_five });
    explorer_expect_pass(c);
    c->weaken = (ExplorerWeakening){ "lockfree_key_table_find", EXPLORER_LOAD, NULL, EXPLORER_ACQUIRE,
                                     EXPLORER_RELAXED };
    explorer_expect_failure(c, "data race in finds_five");
    c->weaken = (ExplorerWeakening){ "lockfree_key_table_insert", EXPLORER_CAS, NULL, EXPLORER_ACQ_REL,
                                     EXPLORER_ACQUIRE };
    explorer_expect_failure(c, "data race in finds_five");
}

// ---- Words --------------------------------------------------------------------------------------------

static void adds_one(void) { explorer_check(filo_shared_word_map_add(s.words, 7, 1, NULL), "full"); }
static void reads_sum(void) { s.sum[explorer_thread()] = filo_shared_word_map_load(s.words, 7); }
static void finish_sum(void) {
    explorer_outcome("%d-%d", (int)s.sum[3], (int)filo_shared_word_map_load(s.words, 7));
}

FILO_TEST(no_addition_is_lost_and_a_key_that_is_not_there_is_0) {
    explorer_or_skip();
    const ExplorerReport *report =
        explorer_run(CASE(finish_sum, { "one", adds_one }, { "two", adds_one }, { "reads", reads_sum }));
    assert_true(report->complete);
    assert_string_equal(report->outcomes, "0-2 1-2 2-2");
}
