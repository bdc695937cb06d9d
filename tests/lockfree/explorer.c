// Litmus tests: what the explorer's memory allows and forbids. Most of these programs are from the literature. All
// outcomes are listed, so both a missing and an additional one fail the test.

#include "support/explorer_atomic.h"

#include "support/test.h"

static struct {
    BASE_ATOMIC(int) x, y;
    BASE_ATOMIC(uint8_t) narrow;
    int data, more;
    int a, b, c, d;
    int *block;
} s;

#define CASE(finish_function, ...)                                                                           \
    (&(ExplorerCase){                                                                                        \
        .state = &s, .state_size = sizeof s, .finish = finish_function, .threads = { __VA_ARGS__ } })

static void assert_outcomes(const ExplorerCase *c, const char *outcomes) {
    explorer_or_skip();
    const ExplorerReport *report = explorer_run(c);
    if (report->failed) fail_msg("%s\n%s", report->trace, report->failure);
    assert_true(report->complete);
    assert_string_equal(report->outcomes, outcomes);
}

// ---- Store buffering ----------------------------------------------------------------------------------

static void finish_ab(void) { explorer_outcome("%d%d", s.a, s.b); }

static void sb_left(void) {
    base_store_release(&s.x, 1);
    s.a = base_load_acquire(&s.y);
}
static void sb_right(void) {
    base_store_release(&s.y, 1);
    s.b = base_load_acquire(&s.x);
}

FILO_TEST(store_buffering_is_possible_with_release_and_acquire) {
    assert_outcomes(CASE(finish_ab, { "left", sb_left }, { "right", sb_right }), "00 01 10 11");
}

static void sb_sc_left(void) {
    base_store_seq_cst(&s.x, 1);
    s.a = base_load_seq_cst(&s.y);
}
static void sb_sc_right(void) {
    base_store_seq_cst(&s.y, 1);
    s.b = base_load_seq_cst(&s.x);
}

FILO_TEST(store_buffering_is_forbidden_with_sequential_consistency) {
    assert_outcomes(CASE(finish_ab, { "left", sb_sc_left }, { "right", sb_sc_right }), "01 10 11");
    // A single thread with it is not enough.
    assert_outcomes(CASE(finish_ab, { "left", sb_left }, { "right", sb_sc_right }), "00 01 10 11");
}

static void sb_exchange_left(void) {
    (void)base_exchange_seq_cst(&s.x, 1);
    s.a = base_load_seq_cst(&s.y);
}

FILO_TEST(an_exchange_takes_part_in_the_total_order) {
    assert_outcomes(CASE(finish_ab, { "left", sb_exchange_left }, { "right", sb_sc_right }), "01 10 11");
}

// ---- Message passing ----------------------------------------------------------------------------------

static void mp_writer_relaxed(void) {
    base_store_relaxed(&s.x, 1);
    base_store_relaxed(&s.y, 1);
}
static void mp_writer(void) {
    base_store_relaxed(&s.x, 1);
    base_store_release(&s.y, 1);
}
static void mp_reader_relaxed(void) {
    s.a = base_load_relaxed(&s.y);
    s.b = base_load_relaxed(&s.x);
}
static void mp_reader(void) {
    s.a = base_load_acquire(&s.y);
    s.b = base_load_relaxed(&s.x);
}

FILO_TEST(a_message_passed_with_release_and_acquire_brings_what_was_written_before) {
    assert_outcomes(CASE(finish_ab, { "writer", mp_writer }, { "reader", mp_reader }), "00 01 11");
}

FILO_TEST(a_message_passed_with_less_does_not) {
    assert_outcomes(CASE(finish_ab, { "writer", mp_writer_relaxed }, { "reader", mp_reader }), "00 01 10 11");
    assert_outcomes(CASE(finish_ab, { "writer", mp_writer }, { "reader", mp_reader_relaxed }), "00 01 10 11");
}

static void mp_adder(void) { base_add_relaxed(&s.y, 1); }
static void mp_reader_of_two(void) {
    s.a = base_load_acquire(&s.y);
    if (s.a != 2) return;
    s.b = base_load_relaxed(&s.x);
}

FILO_TEST(a_release_is_carried_on_by_a_relaxed_addition) {
    // 20 would mean: the reader saw both writes of y, but not what was released with the first. If the addition is
    // first, the release store overwrites it, so y is 2 only if the store is first.
    assert_outcomes(
        CASE(finish_ab, { "writer", mp_writer }, { "adder", mp_adder }, { "reader", mp_reader_of_two }),
        "00 10 21");
}

static void mp_overwriter(void) { base_store_relaxed(&s.y, 2); }

FILO_TEST(a_release_is_not_carried_on_by_a_relaxed_store) {
    assert_outcomes(
        CASE(finish_ab, { "writer", mp_writer }, { "other", mp_overwriter }, { "reader", mp_reader_of_two }),
        "00 10 20 21");
}

// ---- Coherence ----------------------------------------------------------------------------------------

static void co_writer(void) {
    base_store_relaxed(&s.x, 1);
    base_store_relaxed(&s.x, 2);
}
static void co_reader(void) {
    s.a = base_load_relaxed(&s.x);
    s.b = base_load_relaxed(&s.x);
}

FILO_TEST(one_location_is_never_read_backwards) {
    assert_outcomes(CASE(finish_ab, { "writer", co_writer }, { "reader", co_reader }), "00 01 02 11 12 22");
}

static void co_reader_writer(void) {
    s.a = base_load_relaxed(&s.x);
    base_store_relaxed(&s.x, 3);
    s.b = base_load_relaxed(&s.x);
}
static void co_single(void) { base_store_relaxed(&s.x, 1); }

FILO_TEST(a_thread_reads_its_own_store_or_a_later_one) {
    assert_outcomes(CASE(finish_ab, { "other", co_single }, { "self", co_reader_writer }), "01 03 13");
}

static void finish_abcd(void) { explorer_outcome("%d%d%d%d", s.a, s.b, s.c, s.d); }

static void co_reader_2(void) {
    s.c = base_load_relaxed(&s.x);
    s.d = base_load_relaxed(&s.x);
}
static void co_two(void) { base_store_relaxed(&s.x, 2); }

FILO_TEST(all_threads_agree_on_the_order_of_one_location) {
    explorer_or_skip();
    const ExplorerReport *report = explorer_run(CASE(finish_abcd, { "one", co_single }, { "two", co_two },
                                                     { "left", co_reader }, { "right", co_reader_2 }));
    assert_true(report->complete);
    assert_contains(report->outcomes, "1212"); // both saw 1 then 2
    assert_contains(report->outcomes, "2121"); // both saw 2 then 1
    assert_null(strstr(report->outcomes, "1221"));
    assert_null(strstr(report->outcomes, "2112"));
}

// ---- Independent reads of independent writes ----------------------------------------------------------

static void iriw_x(void) { base_store_release(&s.x, 1); }
static void iriw_y(void) { base_store_release(&s.y, 1); }
static void iriw_left(void) {
    s.a = base_load_acquire(&s.x);
    s.b = base_load_acquire(&s.y);
}
static void iriw_right(void) {
    s.c = base_load_acquire(&s.y);
    s.d = base_load_acquire(&s.x);
}
static void iriw_sc_x(void) { base_store_seq_cst(&s.x, 1); }
static void iriw_sc_y(void) { base_store_seq_cst(&s.y, 1); }
static void iriw_sc_left(void) {
    s.a = base_load_seq_cst(&s.x);
    s.b = base_load_seq_cst(&s.y);
}
static void iriw_sc_right(void) {
    s.c = base_load_seq_cst(&s.y);
    s.d = base_load_seq_cst(&s.x);
}

FILO_TEST(two_readers_may_see_independent_writes_in_different_orders) {
    assert_outcomes(
        CASE(finish_abcd, { "x", iriw_x }, { "y", iriw_y }, { "left", iriw_left }, { "right", iriw_right }),
        "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111");
}

FILO_TEST(but_not_with_sequential_consistency) {
    assert_outcomes(CASE(finish_abcd, { "x", iriw_sc_x }, { "y", iriw_sc_y }, { "left", iriw_sc_left },
                         { "right", iriw_sc_right }),
                    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111");
}

// ---- Two writes each of two locations -----------------------------------------------------------------

static void finish_xy(void) { explorer_outcome("%d%d", base_load_relaxed(&s.x), base_load_relaxed(&s.y)); }

static void ww_left(void) {
    base_store_release(&s.x, 1);
    base_store_release(&s.y, 2);
}
static void ww_right(void) {
    base_store_release(&s.y, 1);
    base_store_release(&s.x, 2);
}
static void ww_sc_left(void) {
    base_store_seq_cst(&s.x, 1);
    base_store_seq_cst(&s.y, 2);
}
static void ww_sc_right(void) {
    base_store_seq_cst(&s.y, 1);
    base_store_seq_cst(&s.x, 2);
}

FILO_TEST(modification_order_need_not_be_the_order_of_execution) {
    assert_outcomes(CASE(finish_xy, { "left", ww_left }, { "right", ww_right }), "11 12 21 22");
}

FILO_TEST(but_it_is_with_sequential_consistency) {
    assert_outcomes(CASE(finish_xy, { "left", ww_sc_left }, { "right", ww_sc_right }), "12 21 22");
}

static void adds_two(void) {
    base_add_relaxed(&s.x, 1);
    base_add_relaxed(&s.x, 1);
}
static void adds_one(void) { base_add_relaxed(&s.x, 1); }

FILO_TEST(additions_are_never_lost) {
    assert_outcomes(CASE(finish_xy, { "two", adds_two }, { "one", adds_one }, { "another", adds_one }), "40");
}

static void swaps(void) {
    int expected = 0;
    if (base_cas_relaxed(&s.x, &expected, explorer_thread())) base_add_relaxed(&s.y, 1);
}

FILO_TEST(one_compare_and_swap_of_several_succeeds) {
    assert_outcomes(CASE(finish_xy, { "one", swaps }, { "two", swaps }, { "three", swaps }), "11 21 31");
}

static void or_bits(void) { base_or_relaxed(&s.x, 1 << explorer_thread()); }
static void and_bits(void) { base_and_relaxed(&s.y, 0); }
static void narrow_wraps(void) {
    base_sub_relaxed(&s.narrow, 1);
    explorer_check(base_load_relaxed(&s.narrow) == 255, "a byte does not wrap");
    base_add_relaxed(&s.narrow, 2);
    explorer_check(base_load_relaxed(&s.narrow) == 1, "a byte does not wrap back");
}

FILO_TEST(the_other_operations_compute_what_they_should) {
    assert_outcomes(CASE(finish_xy, { "one", or_bits }, { "two", or_bits }, { "and", and_bits },
                         { "byte", narrow_wraps }),
                    "60");
}

// ---- A happens-before that sequential consistency does not follow -------------------------------------

// Lahav and others, PLDI 2017, figure 1 ("Z6.U"): 1 2 0 is allowed, since compilers for POWER produce it,
// though plain happens-before would order the three sequentially consistent operations in a cycle.
static void z_left(void) {
    base_store_seq_cst(&s.x, 1);
    base_store_release(&s.y, 1);
}
static void z_middle(void) {
    s.a = base_add_seq_cst(&s.y, 1);
    s.b = base_load_relaxed(&s.y);
}
static void z_right(void) {
    base_store_seq_cst(&s.y, 3);
    s.c = base_load_seq_cst(&s.x);
}
static void finish_z(void) { explorer_outcome("%d%d%d-%d", s.a, s.b, s.c, base_load_relaxed(&s.y)); }

FILO_TEST(sequential_consistency_is_no_stronger_than_compilers_make_it) {
    explorer_or_skip();
    const ExplorerReport *report =
        explorer_run(CASE(finish_z, { "left", z_left }, { "middle", z_middle }, { "right", z_right }));
    assert_true(report->complete);
    assert_contains(report->outcomes, "130-3");
}

// ---- Plain memory -------------------------------------------------------------------------------------

static void publisher(void) {
    base_plain_store(&s.data, 7);
    base_store_release(&s.x, 1);
}
static void publisher_too_early(void) {
    base_store_release(&s.x, 1);
    base_plain_store(&s.data, 7);
}
static void consumer(void) {
    if (base_load_acquire(&s.x) == 1) explorer_check(base_plain_load(&s.data) == 7, "the data are not there");
}
static void careless_consumer(void) {
    if (base_load_relaxed(&s.x) == 1) (void)base_plain_load(&s.data);
}
static void writes_data(void) { base_plain_store(&s.data, 1); }
static void reads_data(void) { (void)base_plain_load(&s.data); }

FILO_TEST(plain_memory_may_be_handed_over) {
    explorer_expect_pass(CASE(NULL, { "publisher", publisher }, { "consumer", consumer }));
    explorer_expect_pass(CASE(NULL, { "one", reads_data }, { "two", reads_data }));
}

FILO_TEST(plain_memory_that_is_not_ordered_is_a_data_race) {
    explorer_expect_failure(CASE(NULL, { "publisher", publisher }, { "consumer", careless_consumer }),
                            "data race in careless_consumer: reads &s.data");
    explorer_expect_failure(CASE(NULL, { "publisher", publisher_too_early }, { "consumer", consumer }),
                            "data race");
    explorer_expect_failure(CASE(NULL, { "one", writes_data }, { "two", writes_data }), "data race");
    explorer_expect_failure(CASE(NULL, { "one", reads_data }, { "two", writes_data }), "data race");
    explorer_expect_failure(CASE(NULL, { "one", writes_data }, { "two", reads_data }), "data race");
}

static void frees(void) {
    filo_free(explorer_allocator(), s.block, sizeof(int), 0);
    base_store_release(&s.x, 1);
}
static void uses(void) { (void)base_load_relaxed(s.block); }
static void uses_afterwards(void) {
    if (base_load_acquire(&s.x) == 1) (void)base_load_relaxed(s.block);
}
static void allocates(void) {
    s.block = filo_alloc_zero(explorer_allocator(), sizeof(int), 0);
    base_store_relaxed(&s.x, 1);
}
static void uses_carelessly(void) {
    if (base_load_relaxed(&s.x) == 1) (void)base_load_relaxed(s.block);
}

FILO_TEST(memory_is_used_between_its_allocation_and_its_freeing) {
    ExplorerCase *c = CASE(NULL, { "frees", frees }, { "uses", uses });
    c->setup = allocates;
    explorer_expect_failure(c, "free");
    c = CASE(NULL, { "frees", frees }, { "uses", uses_afterwards });
    c->setup = allocates;
    explorer_expect_failure(c, "which has been freed");
    explorer_expect_failure(CASE(NULL, { "allocates", allocates }, { "uses", uses_carelessly }),
                            "whose initialisation it may not see");
}

// ---- The barrier everywhere ---------------------------------------------------------------------------

static void barrier_left(void) {
    base_store_relaxed(&s.x, 1);
    jobs_barrier_everywhere();
    s.a = base_load_relaxed(&s.y);
}
static void barrier_right(void) {
    base_store_relaxed(&s.y, 1);
    jobs_barrier_everywhere();
    s.b = base_load_relaxed(&s.x);
}
static void light_left(void) {
    base_store_relaxed(&s.x, 1);
    jobs_barrier_compiler();
    s.a = base_load_relaxed(&s.y);
}
static void light_right(void) {
    base_store_relaxed(&s.y, 1);
    jobs_barrier_compiler();
    s.b = base_load_relaxed(&s.x);
}

FILO_TEST(a_barrier_everywhere_on_one_side_forbids_store_buffering) {
    assert_outcomes(CASE(finish_ab, { "left", barrier_left }, { "right", light_right }), "01 10 11");
    assert_outcomes(CASE(finish_ab, { "left", light_left }, { "right", barrier_right }), "01 10 11");
    assert_outcomes(CASE(finish_ab, { "left", barrier_left }, { "right", barrier_right }), "01 10 11");
    assert_outcomes(CASE(finish_ab, { "left", light_left }, { "right", light_right }), "00 01 10 11");
}

static void barrier_at_last(void) { jobs_barrier_everywhere(); }

FILO_TEST(a_barrier_everywhere_passes_every_thread_at_one_point_only) {
    // Each of the other threads may have passed before it began, or after it had ended.
    assert_outcomes(
        CASE(finish_ab, { "left", light_left }, { "right", light_right }, { "third", barrier_at_last }),
        "00 01 10 11");
}

static void barrier_reader(void) {
    s.a = base_load_relaxed(&s.y);
    jobs_barrier_everywhere();
    s.b = base_load_relaxed(&s.x);
}

FILO_TEST(a_barrier_everywhere_shows_what_was_written_before_something_seen) {
    assert_outcomes(CASE(finish_ab, { "writer", mp_writer_relaxed }, { "reader", barrier_reader }),
                    "00 01 11");
}

static void barrier_twice(void) {
    jobs_barrier_everywhere();
    s.a = base_load_relaxed(&s.x);
    jobs_barrier_everywhere();
    s.b = base_load_relaxed(&s.x);
}
static void writes_both(void) {
    base_store_relaxed(&s.x, 1);
    s.c = base_load_relaxed(&s.y);
    base_store_relaxed(&s.x, 2);
}

FILO_TEST(each_barrier_everywhere_has_points_of_its_own) {
    assert_outcomes(CASE(finish_ab, { "writer", writes_both }, { "reader", barrier_twice }),
                    "00 01 02 11 12 22");
}

static void publisher_with_less(void) {
    base_plain_store(&s.data, 7);
    base_store_relaxed(&s.x, 1);
}
static void consumer_behind_barrier(void) {
    s.a = base_load_relaxed(&s.x);
    jobs_barrier_everywhere();
    if (s.a == 1) (void)base_plain_load(&s.data);
}

FILO_TEST(a_barrier_everywhere_does_not_order_plain_memory) {
    explorer_expect_failure(
        CASE(NULL, { "publisher", publisher_with_less }, { "consumer", consumer_behind_barrier }),
        "data race");
}

static void fails_if_buffered_behind(void) { explorer_check(s.a + s.b > 0, "both missed each other"); }

FILO_TEST(a_barrier_everywhere_can_be_left_out) {
    ExplorerCase *c = CASE(fails_if_buffered_behind, { "left", barrier_left }, { "right", light_right });
    explorer_expect_pass(c);
    c->weaken =
        (ExplorerWeakening){ "barrier_left", EXPLORER_BARRIER, NULL, EXPLORER_SEQ_CST, EXPLORER_RELAXED };
    const ExplorerReport *report = explorer_expect_failure(c, "both missed each other");
    assert_null(strstr(report->trace, "passed"));
    c->weaken.function = NULL;
    assert_string_equal(explorer_unneeded_orders(c, 1), "");
}

static void fails_always(void) { explorer_check(s.a != 1, "the reader saw it"); }

FILO_TEST(a_barrier_everywhere_is_shown_in_every_thread) {
    const ExplorerReport *report = explorer_expect_failure(
        CASE(fails_always, { "left", barrier_left }, { "right", light_right }), "the reader saw it");
    assert_contains(report->trace, "barrier_left: barrier seq_cst everywhere\n");
    assert_contains(report->trace, "right      explorer.c:");
    assert_contains(report->trace, "barrier_left: barrier seq_cst passed\n");
    assert_contains(report->trace, "barrier_left: barrier seq_cst over\n");
}

// ---- The explorer itself ------------------------------------------------------------------------------

static void spins(void) {
    while (base_load_acquire(&s.x) == 0) base_cpu_relax();
    explorer_check(base_plain_load(&s.data) == 7, "the data are not there");
}
static void idle(void) { base_store_relaxed(&s.y, 1); }

FILO_TEST(a_loop_that_waits_for_another_thread_comes_to_its_end) {
    explorer_expect_pass(CASE(NULL, { "spins", spins }, { "publisher", publisher }));
}

FILO_TEST(a_loop_that_waits_without_a_writer_is_a_failure) {
    explorer_expect_failure(CASE(NULL, { "spins", spins }, { "idle", idle }),
                            "spins reads &s.x over and over");
}

static void fails_if_buffered(void) { explorer_check(s.a + s.b > 0, "neither saw the other"); }

FILO_TEST(a_failure_is_shown_with_every_operation_that_led_to_it) {
    ExplorerCase *c = CASE(NULL, { "left", sb_left }, { "right", sb_right });
    c->finish = fails_if_buffered;
    const ExplorerReport *report = explorer_expect_failure(c, "neither saw the other");
    assert_contains(report->trace, "left       explorer.c:");
    assert_contains(report->trace, "sb_left: store release &s.x becomes 1\n");
    assert_contains(report->trace, "sb_right: store release &s.y becomes 1\n");
    assert_contains(report->trace, "sb_left: load acquire &s.y is 0 (stale)\n");
    assert_contains(report->trace, "sb_right: load acquire &s.x is 0 (stale)\n");
}

static void finish_sc(void) { explorer_check(s.a + s.b > 0, "neither saw the other"); }

FILO_TEST(an_order_can_be_weakened_from_outside) {
    ExplorerCase c = { .state = &s,
                       .state_size = sizeof s,
                       .finish = finish_sc,
                       .threads = { { "left", sb_sc_left }, { "right", sb_sc_right } } };
    explorer_expect_pass(&c);
    c.weaken = (ExplorerWeakening){ "sb_sc_left", EXPLORER_LOAD, "y", EXPLORER_SEQ_CST, EXPLORER_ACQUIRE };
    explorer_expect_failure(&c, "neither saw the other");
    c.weaken.text = "x"; // there is no such load
    explorer_expect_pass(&c);
}

static void publisher_sc(void) {
    base_plain_store(&s.data, 7);
    base_store_seq_cst(&s.x, 1);
}

FILO_TEST(orders_that_are_not_needed_are_listed) {
    ExplorerCase c = { .state = &s,
                       .state_size = sizeof s,
                       .finish = finish_sc,
                       .threads = { { "left", sb_sc_left }, { "right", sb_sc_right } } };
    assert_string_equal(explorer_unneeded_orders(&c, 1), "");
    c = *CASE(NULL, { "publisher", publisher_sc }, { "consumer", consumer });
    assert_string_equal(explorer_unneeded_orders(&c, 1),
                        "publisher_sc: store &s.x seq_cst, release is enough\n");
}

// ---- The search misses nothing ------------------------------------------------------------------------

// Small random programs, searched twice: as explorer.c describes, with hardly any interleaving, and with all of them.
// Both must find the same outcomes.

typedef struct Step {
    ExplorerOperation operation;
    ExplorerOrder order;
    int variable; // 0: x, 1: y
    int value;
} Step;

static struct {
    Step steps[3][3];
    int counts[3];
} program;

static int results[3][3]; // not part of the state: written before it is read in every execution

static int do_step(const Step *step) {
    BASE_ATOMIC(int) *p = step->variable == 0 ? &s.x : &s.y;
    ExplorerSite site =
        EXPLORER_MAKE_SITE(step->operation, step->order, EXPLORER_RELAXED, step->variable == 0 ? "x" : "y");
    if (step->operation == EXPLORER_BARRIER) {
        explorer_barrier(site);
        return 0;
    }
    if (step->operation == EXPLORER_CAS) {
        int expected = step->value - 1;
        bool swapped = explorer_cas(p, sizeof *p, &expected, (uint64_t)step->value, site);
        return swapped ? 9 : expected;
    }
    return (int)explorer_operate(p, sizeof *p, (uint64_t)step->value, site);
}

static void run_steps(void) {
    int t = explorer_thread() - 1;
    for (int i = 0; i < program.counts[t]; i++) results[t][i] = do_step(&program.steps[t][i]);
}

static void finish_steps(void) {
    char text[32];
    int length = 0;
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < program.counts[t]; i++)
            if (program.steps[t][i].operation != EXPLORER_STORE &&
                program.steps[t][i].operation != EXPLORER_BARRIER)
                text[length++] = (char)('0' + results[t][i] % 10);
    text[length] = '\0';
    explorer_outcome("%s/%d%d", text, base_load_relaxed(&s.x), base_load_relaxed(&s.y));
}

static uint32_t random_below(uint32_t *state, uint32_t limit) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % limit;
}

static void make_program(uint32_t *random, bool wide) {
    static const ExplorerOperation operations[] = { EXPLORER_LOAD,  EXPLORER_LOAD,  EXPLORER_LOAD,
                                                    EXPLORER_STORE, EXPLORER_STORE, EXPLORER_STORE,
                                                    EXPLORER_ADD,   EXPLORER_CAS };
    static const ExplorerOrder load_orders[] = { EXPLORER_RELAXED, EXPLORER_ACQUIRE, EXPLORER_SEQ_CST };
    static const ExplorerOrder store_orders[] = { EXPLORER_RELAXED, EXPLORER_RELEASE, EXPLORER_SEQ_CST };
    for (int t = 0; t < 3; t++) {
        program.counts[t] = wide ? 2 : t < 2 ? 3 : 0; // three threads, or two longer ones
        for (int i = 0; i < program.counts[t]; i++) {
            Step *step = &program.steps[t][i];
            step->operation = operations[random_below(random, FILO_COUNT_OF(operations))];
            uint32_t order = random_below(
                random, step->operation == EXPLORER_LOAD || step->operation == EXPLORER_STORE ? 3 : 5);
            step->order = step->operation == EXPLORER_LOAD    ? load_orders[order]
                          : step->operation == EXPLORER_STORE ? store_orders[order]
                                                              : (ExplorerOrder)order;
            step->variable = (int)random_below(random, 2);
            step->value = 1 + (int)random_below(random, 2);
        }
    }
}

static void add_barrier(uint32_t *random) {
    int t = (int)random_below(random, program.counts[2] > 0 ? 3 : 2);
    int i = (int)random_below(random, (uint32_t)program.counts[t]);
    program.steps[t][i] = (Step){ EXPLORER_BARRIER, EXPLORER_SEQ_CST, 0, 0 };
}

static void compare_searches(uint32_t random, int programs, int barriers) {
    static char fast[sizeof((ExplorerReport *)NULL)->outcomes];
    explorer_or_skip();
    uint64_t fast_executions = 0, slow_executions = 0;
    for (int i = 0; i < programs; i++) {
        make_program(&random, i % 2 == 0);
        for (int k = 0; k < barriers; k++) add_barrier(&random);
        ExplorerCase *c =
            CASE(finish_steps, { "one", run_steps }, { "two", run_steps }, { "three", run_steps });
        const ExplorerReport *report = explorer_run(c);
        assert_true(report->complete);
        fast_executions += report->executions + report->dead_ends;
        memcpy(fast, report->outcomes, sizeof fast);
        c->every_interleaving = true;
        report = explorer_run(c);
        assert_true(report->complete);
        slow_executions += report->executions;
        assert_string_equal(fast, report->outcomes);
    }
    assert_true(fast_executions < slow_executions / 4);
}

FILO_TEST(the_fast_search_finds_what_the_slow_one_finds) { compare_searches(1, 60, 0); }
FILO_TEST(the_fast_search_finds_what_the_slow_one_finds_with_barriers) {
    compare_searches(1, 16, 1);
    compare_searches(2, 4, 2);
}
