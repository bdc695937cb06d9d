// The deque in every execution of small cases: each item is handed out exactly once, with its contents, and
// every order in the code is needed.

#include "support/explorer_atomic.h"

#include "../../src/jobs/deque.c" // by its path: the tests have the same file names

#include "support/test.h"

#define ITEMS 4

static struct {
    JobsDeque deque;
    int contents[ITEMS]; // plain memory, written before the push
    bool pushed[ITEMS];
    int by_thread[EXPLORER_THREADS + 1][ITEMS];
} s;

static void setup_sized(int64_t capacity) {
    bool made = jobs_deque_init(&s.deque, capacity, explorer_allocator());
    explorer_check(made, "no deque");
}

static void setup(void) { setup_sized(4); }
static void setup_small(void) { setup_sized(2); }

static void setup_open(void) {
    setup_sized(4);
    jobs_deque_make_all_public(&s.deque);
}
static void setup_open_small(void) {
    setup_sized(2);
    jobs_deque_make_all_public(&s.deque);
}
static void setup_open_smallest(void) {
    setup_sized(1);
    jobs_deque_make_all_public(&s.deque);
}

static void push(int item) {
    base_plain_store(&s.contents[item], 100 + item);
    explorer_check(jobs_deque_push(&s.deque, &s.contents[item]), "no memory");
    s.pushed[item] = true;
}

static void receive(const int *item) {
    if (item == NULL) return;
    int index = (int)(item - s.contents);
    explorer_check(base_plain_load(item) == 100 + index, "item %d arrived without its contents", index);
    s.by_thread[explorer_thread()][index]++;
}

static void take(void) { receive(jobs_deque_take(&s.deque)); }

static void steal(void) {
    bool contended = false;
    receive(jobs_deque_steal(&s.deque, &contended));
}

static void claim(void) { jobs_deque_claim(&s.deque, 0); }

// With private items.
static void setup_one_private(void) {
    setup();
    push(0);
}
static void setup_two_private(void) {
    setup();
    push(0);
    push(1);
}
static void setup_small_two_private(void) {
    setup_small();
    push(0);
    push(1);
}
// With one public and one private item.
static void setup_one_of_each(void) {
    setup();
    push(0);
    jobs_deque_publish(&s.deque);
    push(1);
}
// With public items, and no steal for a long time.
static void setup_unwanted(int count) {
    setup();
    for (int i = 0; i < count; i++) push(i);
    jobs_deque_publish(&s.deque);
    s.deque.takes_at_last_top = TAKES_WITHOUT_THIEF;
}
static void setup_two_unwanted(void) { setup_unwanted(2); }
static void setup_three_unwanted(void) { setup_unwanted(3); }
static void setup_none_wanted(void) { // empty; but `wanted` is set, and the next public take lowers split far
    setup_unwanted(0);
    base_store_relaxed(&s.deque.wanted, 1);
}

// Afterwards a thief and the owner empty the deque; then each item was handed out once.
static void finish(void) {
    bool contended = false;
    for (int *item; (item = jobs_deque_steal(&s.deque, &contended)) != NULL;) receive(item);
    for (int *item; (item = jobs_deque_take(&s.deque)) != NULL;) receive(item);
    for (int item = 0; item < ITEMS; item++) {
        int times = s.pushed[item] ? 0 : 1;
        for (int thread = 0; thread <= EXPLORER_THREADS; thread++) times += s.by_thread[thread][item];
        explorer_check(times > 0, "item %d was lost", item);
        explorer_check(times < 2, "item %d was handed out twice", item);
    }
}

static void pushes_two_takes_two(void) {
    push(0);
    push(1);
    take();
    take();
}

static void pushes_and_takes_in_turn(void) {
    push(0);
    take();
    push(1);
    take();
}

static void pushes_one_takes_one(void) {
    push(0);
    take();
}

static void pushes_three(void) {
    push(0);
    push(1);
    push(2);
    take();
}

static void pushes_through_one_slot(void) {
    push(0);
    take();
    push(1);
    push(2); // grows, unless the thief has stolen
    take();
}

static void pushes_one(void) { push(0); }

static void pushes_two_takes_one(void) {
    push(0);
    push(1);
    take();
}

static void pushes_and_publishes(void) {
    push(0);
    jobs_deque_publish(&s.deque);
}

static void pushes_three_takes_one(void) {
    push(0);
    push(1);
    push(2);
    take();
}

static void steals_twice(void) {
    steal();
    steal();
}

static void takes_twice(void) {
    take();
    take();
}

static void takes_and_pushes(void) {
    take();
    push(2);
    take();
}

static void pushes_and_takes(void) {
    push(2);
    take();
}

static void takes_and_publishes(void) {
    take();
    push(2);
    jobs_deque_publish(&s.deque);
    take();
}

static void claims_and_steals(void) {
    claim();
    steal();
}

static void claims_and_steals_twice(void) {
    claim();
    steal();
    steal();
}

static void requests_claims_and_steals(void) {
    steal();
    claim();
    steal();
}

static void claims_twice(void) {
    claim();
    claim();
    steal();
}

#define CASE(setup_function, ...)                                                                            \
    {                                                                                                        \
        .state = &s, .state_size = sizeof s, .setup = setup_function, .finish = finish, .threads = {         \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

enum {
    ONE_THIEF,
    ONE_THIEF_TWICE,
    IN_TURN,
    IN_TURN_TWICE,
    GROWTH,
    WRAP,
    ONE_ITEM,
    PUBLISHED,
    CLAIM_ONE,
    CLAIM_PUSHED,
    CLAIM_TAKEN,
    CLAIM_LEFT_OVER,
    CLAIM_GROWTH,
    LOWERED,
    LOWERED_TOO_FAR,
    LOWERED_AND_CLAIMED,
    CLAIM_FOR_ANOTHER,
    TWO_THIEVES,
    LOWERED_AND_RAISED,
    CLAIM_ANSWERED,
    LARGE_CASES, // from here on: left out where all cases are run many times
    LOWERED_TWO_THIEVES = LARGE_CASES,
    IN_TURN_TWO_THIEVES,
    GROWTH_TWO_THIEVES,
    CLAIM_BOTH,
    CLAIM_PUSHES,
    CLAIM_BEHIND_PUBLIC,
    CLAIM_REQUESTED,
    CLAIM_PUBLISHED,
    CLAIM_TWICE,
    TWO_CLAIMS,
    TWO_CLAIMS_OF_ONE,
};

static const ExplorerCase cases[] = {
    [ONE_THIEF] = CASE(setup_open, { "owner", pushes_two_takes_two }, { "thief", steal }),
    [ONE_THIEF_TWICE] = CASE(setup_open, { "owner", pushes_two_takes_two }, { "thief", steals_twice }),
    [TWO_THIEVES] =
        CASE(setup_open, { "owner", pushes_two_takes_two }, { "thief", steal }, { "second", steal }),
    [IN_TURN] = CASE(setup_open, { "owner", pushes_and_takes_in_turn }, { "thief", steal }),
    [IN_TURN_TWICE] = CASE(setup_open, { "owner", pushes_and_takes_in_turn }, { "thief", steals_twice }),
    [IN_TURN_TWO_THIEVES] =
        CASE(setup_open, { "owner", pushes_and_takes_in_turn }, { "thief", steal }, { "second", steal }),
    [GROWTH] = CASE(setup_open_small, { "owner", pushes_three }, { "thief", steal }),
    [GROWTH_TWO_THIEVES] =
        CASE(setup_open_small, { "owner", pushes_three }, { "thief", steal }, { "second", steal }),
    [WRAP] = CASE(setup_open_smallest, { "owner", pushes_through_one_slot }, { "thief", steal }),
    [ONE_ITEM] = CASE(setup_open, { "owner", pushes_one_takes_one }, { "thief", steal }, { "second", steal }),
    [CLAIM_PUSHED] = CASE(setup, { "owner", pushes_one_takes_one }, { "thief", claims_and_steals }),
    [CLAIM_TAKEN] = CASE(setup_two_private, { "owner", take }, { "thief", claims_and_steals_twice }),
    [CLAIM_ONE] = CASE(setup_one_private, { "owner", take }, { "thief", claims_and_steals }),
    [CLAIM_BOTH] = CASE(setup_two_private, { "owner", takes_twice }, { "thief", claims_and_steals }),
    [CLAIM_TWICE] = CASE(setup_two_private, { "owner", takes_twice }, { "thief", claims_twice }),
    [CLAIM_PUSHES] = CASE(setup_two_private, { "owner", takes_and_pushes }, { "thief", claims_and_steals }),
    [CLAIM_REQUESTED] =
        CASE(setup_two_private, { "owner", takes_and_pushes }, { "thief", requests_claims_and_steals }),
    [CLAIM_PUBLISHED] =
        CASE(setup_two_private, { "owner", takes_and_publishes }, { "thief", claims_and_steals }),
    [CLAIM_BEHIND_PUBLIC] =
        CASE(setup_one_of_each, { "owner", takes_twice }, { "thief", claims_and_steals_twice }),
    [CLAIM_GROWTH] =
        CASE(setup_small_two_private, { "owner", pushes_and_takes }, { "thief", claims_and_steals }),
    [CLAIM_FOR_ANOTHER] = CASE(setup, { "owner", pushes_one }, { "thief", claim }, { "second", steal }),
    [CLAIM_LEFT_OVER] = CASE(setup, { "owner", pushes_two_takes_one }, { "thief", claims_and_steals }),
    [CLAIM_ANSWERED] =
        CASE(setup, { "owner", pushes_two_takes_one }, { "thief", claim }, { "second", steal }),
    [PUBLISHED] = CASE(setup, { "owner", pushes_and_publishes }, { "thief", steal }),
    [TWO_CLAIMS] = CASE(setup_two_private, { "owner", take }, { "thief", claim }, { "second", claim }),
    [TWO_CLAIMS_OF_ONE] = CASE(setup_one_private, { "owner", take }, { "thief", claim }, { "second", claim }),
    [LOWERED] = CASE(setup_three_unwanted, { "owner", takes_twice }, { "thief", steal }),
    [LOWERED_TOO_FAR] = CASE(setup_three_unwanted, { "owner", takes_twice }, { "thief", steals_twice }),
    [LOWERED_AND_RAISED] =
        CASE(setup_none_wanted, { "owner", pushes_three_takes_one }, { "thief", steal }, { "second", steal }),
    [LOWERED_TWO_THIEVES] =
        CASE(setup_two_unwanted, { "owner", takes_twice }, { "thief", steal }, { "second", steal }),
    [LOWERED_AND_CLAIMED] =
        CASE(setup_three_unwanted, { "owner", takes_twice }, { "thief", claims_and_steals }),
};

FILO_TEST(owner_with_two_items_against_a_thief) { explorer_expect_pass(&cases[ONE_THIEF]); }
FILO_TEST(owner_with_two_items_against_a_thief_that_comes_twice) {
    explorer_expect_pass(&cases[ONE_THIEF_TWICE]);
}
FILO_TEST(owner_with_two_items_against_two_thieves) { explorer_expect_pass(&cases[TWO_THIEVES]); }
FILO_TEST(owner_in_turn_against_a_thief) { explorer_expect_pass(&cases[IN_TURN]); }
FILO_TEST(owner_in_turn_against_a_thief_that_comes_twice) { explorer_expect_pass(&cases[IN_TURN_TWICE]); }
FILO_TEST(owner_in_turn_against_two_thieves) { explorer_expect_pass(&cases[IN_TURN_TWO_THIEVES]); }
FILO_TEST(growth_against_a_thief) { explorer_expect_pass(&cases[GROWTH]); }
FILO_TEST(growth_against_two_thieves) { explorer_expect_pass(&cases[GROWTH_TWO_THIEVES]); }
FILO_TEST(wrapping_around_against_a_thief) { explorer_expect_pass(&cases[WRAP]); }
FILO_TEST(one_item_between_three) { explorer_expect_pass(&cases[ONE_ITEM]); }

FILO_TEST(a_claim_against_a_push_and_a_take) { explorer_expect_pass(&cases[CLAIM_PUSHED]); }
FILO_TEST(a_claim_against_a_take) { explorer_expect_pass(&cases[CLAIM_TAKEN]); }
FILO_TEST(a_claim_against_a_take_of_the_only_item) { explorer_expect_pass(&cases[CLAIM_ONE]); }
FILO_TEST(a_claim_against_two_takes) { explorer_expect_pass(&cases[CLAIM_BOTH]); }
FILO_TEST(two_claims_in_turn_against_two_takes) { explorer_expect_pass(&cases[CLAIM_TWICE]); }
FILO_TEST(a_claim_against_a_take_a_push_and_a_take) { explorer_expect_pass(&cases[CLAIM_PUSHES]); }
FILO_TEST(a_claim_after_a_question_against_a_take_a_push_and_a_take) {
    explorer_expect_pass(&cases[CLAIM_REQUESTED]);
}
FILO_TEST(a_claim_against_publishing) { explorer_expect_pass(&cases[CLAIM_PUBLISHED]); }
FILO_TEST(a_claim_behind_something_public) { explorer_expect_pass(&cases[CLAIM_BEHIND_PUBLIC]); }
FILO_TEST(a_claim_against_growth) { explorer_expect_pass(&cases[CLAIM_GROWTH]); }
FILO_TEST(a_claim_for_another_thief) { explorer_expect_pass(&cases[CLAIM_FOR_ANOTHER]); }
FILO_TEST(a_claim_of_what_a_take_left_over) { explorer_expect_pass(&cases[CLAIM_LEFT_OVER]); }
FILO_TEST(a_claim_that_the_owner_answers) { explorer_expect_pass(&cases[CLAIM_ANSWERED]); }
FILO_TEST(what_is_published_arrives) { explorer_expect_pass(&cases[PUBLISHED]); }
FILO_TEST(two_claims_against_a_take) { explorer_expect_pass(&cases[TWO_CLAIMS]); }
FILO_TEST(two_claims_against_a_take_of_the_only_item) { explorer_expect_pass(&cases[TWO_CLAIMS_OF_ONE]); }
FILO_TEST(taking_back_against_a_thief) { explorer_expect_pass(&cases[LOWERED]); }
FILO_TEST(taking_back_too_much_against_a_thief_that_comes_twice) {
    explorer_expect_pass(&cases[LOWERED_TOO_FAR]);
}
FILO_TEST(taking_back_and_giving_up_what_was_just_pushed) {
    explorer_expect_pass(&cases[LOWERED_AND_RAISED]);
}
FILO_TEST(taking_back_against_two_thieves) { explorer_expect_pass(&cases[LOWERED_TWO_THIEVES]); }
FILO_TEST(taking_back_against_a_claim) { explorer_expect_pass(&cases[LOWERED_AND_CLAIMED]); }

FILO_TEST(every_order_is_needed) {
    // Those that remain prevent that a thief's load of a slot reads what is stored there later, and that a thief's last
    // compare and swap of a claim reads the mark of the next one. The model has no loads that read later stores, so no
    // case fails without these orders; the standard requires them.
    assert_string_equal(explorer_unneeded_orders(cases, LARGE_CASES),
                        "jobs_deque_reserve: load &deque->top acquire, relaxed is enough\n"
                        "jobs_deque_claim: cas &deque->claiming acquire, relaxed is enough\n"
                        "jobs_deque_claim: store &deque->claiming release, relaxed is enough\n");
}

// ---- Deliberate mistakes ------------------------------------------------------------------------------

static const ExplorerReport *expect_failure_with(int number, ExplorerWeakening weaken, const char *text) {
    ExplorerCase c = cases[number];
    c.weaken = weaken;
    return explorer_expect_failure(&c, text);
}

FILO_TEST(a_relaxed_exchange_in_take_hands_an_item_out_twice) {
    const ExplorerReport *report = expect_failure_with(
        TWO_THIEVES,
        (ExplorerWeakening){ "take_public", EXPLORER_EXCHANGE, NULL, EXPLORER_SEQ_CST, EXPLORER_RELAXED },
        "was handed out twice");
    assert_contains(report->trace, "take_public: exchange relaxed &deque->split was 2, becomes 1");
    assert_contains(report->trace, "owner      deque.h:");
    assert_contains(report->trace, "second     deque.h:");
    assert_contains(report->trace, "(stale)");
}

FILO_TEST(an_exchange_in_take_that_is_not_sequentially_consistent_hands_an_item_out_twice) {
    expect_failure_with(
        TWO_THIEVES,
        (ExplorerWeakening){ "take_public", EXPLORER_EXCHANGE, NULL, EXPLORER_SEQ_CST, EXPLORER_ACQ_REL },
        "was handed out twice");
}

FILO_TEST(a_relaxed_store_of_split_in_push_hands_out_items_without_contents) {
    expect_failure_with(ONE_THIEF,
                        (ExplorerWeakening){ "jobs_deque_push_fast", EXPLORER_STORE, "split",
                                             EXPLORER_RELEASE, EXPLORER_RELAXED },
                        "data race in");
}

FILO_TEST(a_relaxed_publication_of_the_larger_buffer_is_a_data_race) {
    expect_failure_with(
        GROWTH, (ExplorerWeakening){ "grow", EXPLORER_STORE, "buffer", EXPLORER_RELEASE, EXPLORER_RELAXED },
        "whose initialisation it may not see");
}

FILO_TEST(a_relaxed_load_of_the_buffer_in_steal_is_a_data_race) {
    expect_failure_with(GROWTH,
                        (ExplorerWeakening){ "jobs_deque_steal", EXPLORER_LOAD, "buffer", EXPLORER_ACQUIRE,
                                             EXPLORER_RELAXED },
                        "whose initialisation it may not see");
}

FILO_TEST(a_relaxed_swap_in_take_lets_a_thief_steal_what_was_taken) {
    expect_failure_with(
        ONE_THIEF,
        (ExplorerWeakening){ "take_public", EXPLORER_CAS, NULL, EXPLORER_RELEASE, EXPLORER_RELAXED },
        "was handed out twice");
}

FILO_TEST(without_the_barrier_a_claim_hands_out_what_was_taken) {
    const ExplorerReport *report = expect_failure_with(
        CLAIM_ONE,
        (ExplorerWeakening){ "jobs_deque_claim", EXPLORER_BARRIER, NULL, EXPLORER_SEQ_CST, EXPLORER_RELAXED },
        "was handed out twice");
    assert_contains(report->trace, "(stale)");
}

FILO_TEST(a_relaxed_store_of_bottom_in_push_lets_a_claim_hand_out_items_without_contents) {
    expect_failure_with(CLAIM_PUSHED,
                        (ExplorerWeakening){ "jobs_deque_push_fast", EXPLORER_STORE, "bottom",
                                             EXPLORER_RELEASE, EXPLORER_RELAXED },
                        "data race in");
}

FILO_TEST(a_relaxed_store_of_bottom_in_take_lets_a_claim_hand_out_items_without_contents) {
    expect_failure_with(CLAIM_LEFT_OVER,
                        (ExplorerWeakening){ "jobs_deque_take", EXPLORER_STORE, "bottom", EXPLORER_RELEASE,
                                             EXPLORER_RELAXED },
                        "data race in");
}

FILO_TEST(a_relaxed_answer_to_a_claim_hands_out_items_without_contents) {
    expect_failure_with(CLAIM_ANSWERED,
                        (ExplorerWeakening){ "jobs_deque_take_slow", EXPLORER_CAS, "split", EXPLORER_RELEASE,
                                             EXPLORER_RELAXED },
                        "data race in");
}

FILO_TEST(a_relaxed_end_of_a_claim_hands_out_items_without_contents) {
    expect_failure_with(
        CLAIM_FOR_ANOTHER,
        (ExplorerWeakening){ "jobs_deque_claim", EXPLORER_CAS, "split", EXPLORER_RELEASE, EXPLORER_RELAXED },
        "data race in");
}
