// The free list in every execution of small cases: a number has one owner at a time, which sees all that the previous
// owner wrote into its block, and without the tag the explorer finds the ABA problem.

#include "support/explorer_atomic.h"

static uint32_t tag_step = 1;
#define LOCKFREE_FREE_LIST_TAG_STEP tag_step

#include "../../src/lockfree/free_list.c" // by its path: the tests have the same file names

#include "support/test.h"

#define NUMBERS 3

static struct {
    FiloFreeList *list;
    int owners[NUMBERS]; // plain memory: the thread that has it
} s;

static void make(uint32_t count) {
    FiloResult r = filo_free_list_create(
        &s.list, &(FiloFreeListDesc){ .count = count, .allocator = explorer_allocator() });
    explorer_check(r.code == FILO_OK, "%s", r.message);
}

static void one_number(void) { make(1); }
static void two_numbers(void) { make(2); }
static void three_numbers(void) { make(3); }

static uint32_t take(void) {
    uint32_t number = filo_free_list_take(s.list);
    if (number == FILO_FREE_LIST_EMPTY) return number;
    explorer_check(base_plain_load(&s.owners[number]) == 0, "number %u has two owners", number);
    base_plain_store(&s.owners[number], explorer_thread() + 1);
    return number;
}

static void give(uint32_t number) {
    if (number == FILO_FREE_LIST_EMPTY) return;
    base_plain_store(&s.owners[number], 0);
    filo_free_list_give(s.list, number);
}

// All numbers that are not taken are in the list, once.
static void finish(void) {
    uint32_t kept = 0, left = 0;
    for (uint32_t i = 0; i < s.list->count; i++) kept += s.owners[i] != 0;
    while (take() != FILO_FREE_LIST_EMPTY) left++;
    explorer_check(kept + left == s.list->count, "%u of %u numbers were lost", s.list->count - kept - left,
                   s.list->count);
}

static void takes(void) { take(); }
static void takes_and_gives(void) { give(take()); }
static void takes_twice(void) {
    take();
    take();
}

// The ABA problem: after a thread has read the first number, another takes it and the second, and gives the first back.
static void takes_two_gives_first(void) {
    uint32_t first = take();
    take();
    give(first);
}

#define CASE(setup_function, ...)                                                                            \
    {                                                                                                        \
        .state = &s, .state_size = sizeof s, .setup = setup_function, .finish = finish, .threads = {         \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

enum { ABA, TWO, HAND_OVER, THREE, FEWER_THAN_THREADS };

static const ExplorerCase cases[] = {
    [ABA] = CASE(three_numbers, { "slow", takes_twice }, { "fast", takes_two_gives_first }),
    [TWO] = CASE(two_numbers, { "first", takes_and_gives }, { "second", takes_and_gives }),
    [HAND_OVER] = CASE(one_number, { "first", takes_and_gives }, { "second", takes_and_gives }),
    [THREE] =
        CASE(three_numbers, { "first", takes_and_gives }, { "second", takes_and_gives }, { "third", takes }),
    [FEWER_THAN_THREADS] =
        CASE(two_numbers, { "first", takes }, { "second", takes }, { "third", takes_and_gives }),
};

FILO_TEST(two_threads_take_and_give) { explorer_expect_pass(&cases[TWO]); }
FILO_TEST(one_number_goes_from_owner_to_owner) { explorer_expect_pass(&cases[HAND_OVER]); }
FILO_TEST(three_threads_take_and_give) { explorer_expect_pass(&cases[THREE]); }
FILO_TEST(more_threads_than_numbers) { explorer_expect_pass(&cases[FEWER_THAN_THREADS]); }
FILO_TEST(a_number_that_is_given_back_in_between_is_detected) { explorer_expect_pass(&cases[ABA]); }

FILO_TEST(a_number_that_comes_back_in_between_fools_no_third_thread) {
    ExplorerCase c =
        CASE(three_numbers, { "slow", takes }, { "fast", takes_two_gives_first }, { "third", takes });
    explorer_expect_pass(&c);
}

FILO_TEST(every_order_is_needed) {
    // The one that remains prevents that a load of a link reads what a later owner stores there. The model has no loads
    // that read later stores, so no case fails without this order; the standard requires it.
    assert_string_equal(explorer_unneeded_orders(cases, FILO_COUNT_OF(cases)),
                        "filo_free_list_take: cas &list->head release, relaxed is enough\n");
}

// ---- Deliberate mistakes ------------------------------------------------------------------------------

FILO_TEST(without_its_tag_the_list_hands_a_number_to_two_owners) {
    explorer_or_skip();
    tag_step = 0;
    const ExplorerReport *report = explorer_run(&cases[ABA]);
    tag_step = 1;
    assert_true(report->failed);
    assert_true(strstr(report->failure, "has two owners") != NULL ||
                strstr(report->failure, "data race") != NULL);
    assert_contains(report->trace, "slow       free_list.c:");
    assert_contains(report->trace, "fast       free_list.c:");
    assert_contains(report->trace, "filo_free_list_give: cas release &list->head was 3, becomes 1\n");
    explorer_expect_pass(&cases[ABA]); // with the tag it passes
}

FILO_TEST(a_relaxed_give_hands_blocks_over_before_they_are_free) {
    ExplorerCase c = cases[HAND_OVER];
    c.weaken =
        (ExplorerWeakening){ "filo_free_list_give", EXPLORER_CAS, NULL, EXPLORER_RELEASE, EXPLORER_RELAXED };
    explorer_expect_failure(&c, "data race in take");
}

FILO_TEST(a_relaxed_load_of_the_head_hands_blocks_over_before_they_are_free) {
    ExplorerCase c = cases[HAND_OVER];
    c.weaken = (ExplorerWeakening){ "filo_free_list_take", EXPLORER_LOAD, "head", EXPLORER_ACQUIRE,
                                    EXPLORER_RELAXED };
    explorer_expect_failure(&c, "data race in take");
}
