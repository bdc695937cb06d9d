// The deque in every execution of small cases: each item is handed out exactly once, with its contents, and
// every order in the code is needed.

#include "support/explorer_atomic.h"

#include "../../src/jobs/deque.c" // by its place: tests have the same names

#include "support/test.h"

#define ITEMS 4

static struct {
    FiloDeque deque;
    int contents[ITEMS]; // plain memory, written before the push
    int pushed;
    int by_thread[FILO_EXPLORER_THREADS + 1][ITEMS];
} s;

static void setup_sized(int64_t capacity) {
    bool made = filo_deque_init(&s.deque, capacity, filo_explorer_allocator());
    filo_explorer_check(made, "no deque");
}

static void setup(void) { setup_sized(4); }
static void setup_small(void) { setup_sized(2); }
static void setup_smallest(void) { setup_sized(1); }

static void push(int item) {
    filo_plain_store(&s.contents[item], 100 + item);
    filo_explorer_check(filo_deque_push(&s.deque, &s.contents[item]), "no memory");
    s.pushed++;
}

static void receive(const int *item) {
    if (item == NULL) return;
    int index = (int)(item - s.contents);
    filo_explorer_check(filo_plain_load(item) == 100 + index, "item %d arrived without its contents", index);
    s.by_thread[filo_explorer_thread()][index]++;
}

static void take(void) { receive(filo_deque_take(&s.deque)); }

static void steal(void) {
    bool contended = false;
    receive(filo_deque_steal(&s.deque, &contended));
}

// Afterwards the owner empties the deque; then each item was handed out once.
static void finish(void) {
    for (int *item; (item = filo_deque_take(&s.deque)) != NULL;) receive(item);
    for (int item = 0; item < s.pushed; item++) {
        int times = 0;
        for (int thread = 0; thread <= FILO_EXPLORER_THREADS; thread++) times += s.by_thread[thread][item];
        filo_explorer_check(times > 0, "item %d was lost", item);
        filo_explorer_check(times < 2, "item %d was handed out twice", item);
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

static void pushes_through_one_place(void) {
    push(0);
    take();
    push(1);
    push(2); // grows, unless the thief was here
    take();
}

static void steals_twice(void) {
    steal();
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
    TWO_THIEVES,
    IN_TURN,
    IN_TURN_TWICE,
    IN_TURN_TWO_THIEVES,
    GROWTH,
    GROWTH_TWO_THIEVES,
    WRAP,
    ONE_ITEM,
};

static const FiloExplorerCase cases[] = {
    [ONE_THIEF] = CASE(setup, { "owner", pushes_two_takes_two }, { "thief", steal }),
    [ONE_THIEF_TWICE] = CASE(setup, { "owner", pushes_two_takes_two }, { "thief", steals_twice }),
    [TWO_THIEVES] = CASE(setup, { "owner", pushes_two_takes_two }, { "thief", steal }, { "second", steal }),
    [IN_TURN] = CASE(setup, { "owner", pushes_and_takes_in_turn }, { "thief", steal }),
    [IN_TURN_TWICE] = CASE(setup, { "owner", pushes_and_takes_in_turn }, { "thief", steals_twice }),
    [IN_TURN_TWO_THIEVES] =
        CASE(setup, { "owner", pushes_and_takes_in_turn }, { "thief", steal }, { "second", steal }),
    [GROWTH] = CASE(setup_small, { "owner", pushes_three }, { "thief", steal }),
    [GROWTH_TWO_THIEVES] =
        CASE(setup_small, { "owner", pushes_three }, { "thief", steal }, { "second", steal }),
    [WRAP] = CASE(setup_smallest, { "owner", pushes_through_one_place }, { "thief", steal }),
    [ONE_ITEM] = CASE(setup, { "owner", pushes_one_takes_one }, { "thief", steal }, { "second", steal }),
};

FILO_TEST(owner_with_two_items_against_a_thief) { filo_explorer_expect_pass(&cases[ONE_THIEF]); }
FILO_TEST(owner_with_two_items_against_a_thief_that_comes_twice) {
    filo_explorer_expect_pass(&cases[ONE_THIEF_TWICE]);
}
FILO_TEST(owner_with_two_items_against_two_thieves) { filo_explorer_expect_pass(&cases[TWO_THIEVES]); }
FILO_TEST(owner_in_turn_against_a_thief) { filo_explorer_expect_pass(&cases[IN_TURN]); }
FILO_TEST(owner_in_turn_against_a_thief_that_comes_twice) {
    filo_explorer_expect_pass(&cases[IN_TURN_TWICE]);
}
FILO_TEST(owner_in_turn_against_two_thieves) { filo_explorer_expect_pass(&cases[IN_TURN_TWO_THIEVES]); }
FILO_TEST(growth_against_a_thief) { filo_explorer_expect_pass(&cases[GROWTH]); }
FILO_TEST(growth_against_two_thieves) { filo_explorer_expect_pass(&cases[GROWTH_TWO_THIEVES]); }
FILO_TEST(wrapping_around_against_a_thief) { filo_explorer_expect_pass(&cases[WRAP]); }
FILO_TEST(one_item_between_three) { filo_explorer_expect_pass(&cases[ONE_ITEM]); }

FILO_TEST(every_order_is_needed) {
    // The one that remains keeps a thief's read of a slot from seeing what is stored there later. Reads of
    // the future are what the model does not have, so it cannot miss the order; the standard asks for it.
    assert_string_equal(filo_explorer_unneeded_orders(cases, FILO_COUNT_OF(cases)),
                        "filo_deque_make_room: load &deque->top acquire, relaxed is enough\n");
}

// ---- Deliberate mistakes ------------------------------------------------------------------------------

static const FiloExplorerReport *expect_failure_with(int number, FiloWeakening weaken, const char *text) {
    FiloExplorerCase c = cases[number];
    c.weaken = weaken;
    return filo_explorer_expect_failure(&c, text);
}

FILO_TEST(a_relaxed_exchange_in_take_hands_an_item_out_twice) {
    const FiloExplorerReport *report = expect_failure_with(
        TWO_THIEVES, (FiloWeakening){ "filo_deque_take", FILO_EXCHANGE, NULL, FILO_SEQ_CST, FILO_RELAXED },
        "was handed out twice");
    assert_contains(report->trace, "filo_deque_take: exchange relaxed &deque->bottom was 2, becomes 1");
    assert_contains(report->trace, "owner      deque.h:");
    assert_contains(report->trace, "second     deque.h:");
    assert_contains(report->trace, "(stale)");
}

FILO_TEST(an_exchange_in_take_that_is_not_sequentially_consistent_hands_an_item_out_twice) {
    expect_failure_with(TWO_THIEVES,
                        (FiloWeakening){ "filo_deque_take", FILO_EXCHANGE, NULL, FILO_SEQ_CST, FILO_ACQ_REL },
                        "was handed out twice");
}

FILO_TEST(a_relaxed_store_of_bottom_in_push_hands_out_items_without_contents) {
    expect_failure_with(
        ONE_THIEF,
        (FiloWeakening){ "filo_deque_push_into_room", FILO_STORE, "bottom", FILO_RELEASE, FILO_RELAXED },
        "data race in");
}

FILO_TEST(a_relaxed_publication_of_the_larger_buffer_is_a_data_race) {
    expect_failure_with(GROWTH, (FiloWeakening){ "grow", FILO_STORE, "buffer", FILO_RELEASE, FILO_RELAXED },
                        "whose initialisation it may not see");
}

FILO_TEST(a_relaxed_load_of_the_buffer_in_steal_is_a_data_race) {
    expect_failure_with(
        GROWTH, (FiloWeakening){ "filo_deque_steal", FILO_LOAD, "buffer", FILO_ACQUIRE, FILO_RELAXED },
        "whose initialisation it may not see");
}

FILO_TEST(a_relaxed_swap_in_take_lets_a_thief_steal_what_was_taken) {
    expect_failure_with(ONE_THIEF,
                        (FiloWeakening){ "filo_deque_take", FILO_CAS, NULL, FILO_RELEASE, FILO_RELAXED },
                        "was handed out twice");
}
