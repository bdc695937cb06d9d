// The word queue in every execution of small cases: each word is popped once, in its producer's order, and a thread
// that pops it sees what was written before the push.

#include "support/explorer_atomic.h"

#include "../../src/lockfree/word_queue.c" // by its path: the tests have the same file names

#include "support/test.h"

#define WORDS 8

static struct {
    FiloWordQueue *queue;
    int contents[WORDS];                     // plain memory, written before the push
    int pushed[WORDS];                       // each by one thread
    int popped[EXPLORER_THREADS + 1][WORDS]; // by thread
    int last[EXPLORER_THREADS + 1];          // what this thread popped last of each producer, plus 1
} s;

static void setup(void) {
    FiloResult r = filo_word_queue_create(
        &s.queue, &(FiloWordQueueDesc){ .capacity = 2, .allocator = explorer_allocator() });
    explorer_check(r.code == FILO_OK, "%s", r.message);
}

static void push(int word) {
    base_plain_store(&s.contents[word], 100 + word);
    s.pushed[word] = filo_word_queue_push(s.queue, (uint64_t)word);
}

static bool pop(void) {
    uint64_t word;
    if (!filo_word_queue_pop(s.queue, &word)) return false;
    explorer_check(word < WORDS, "a word that was not pushed");
    explorer_check(base_plain_load(&s.contents[word]) == 100 + (int)word,
                   "word %d arrived without its contents", (int)word);
    s.popped[explorer_thread()][word]++;
    return true;
}

// Producers push even and odd words, from 0 and 1 on; the consumer checks that each kind comes in order.
static void pop_in_order(void) {
    uint64_t word;
    if (!filo_word_queue_pop(s.queue, &word)) return;
    explorer_check((int)word >= s.last[word % 2], "word %d came after word %d", (int)word,
                   s.last[word % 2] - 1);
    s.last[word % 2] = (int)word + 1;
    s.popped[explorer_thread()][word]++;
}

static void finish(void) {
    while (pop()) continue;
    for (int word = 0; word < WORDS; word++) {
        int times = 0;
        for (int thread = 0; thread <= EXPLORER_THREADS; thread++) times += s.popped[thread][word];
        explorer_check(times >= s.pushed[word], "word %d was lost", word);
        explorer_check(times <= s.pushed[word], "word %d came out twice", word);
    }
}

static void pushes_one(void) { push(explorer_thread()); }
static void pushes_even(void) {
    push(0);
    push(2);
}
static void pushes_odd(void) {
    push(1);
    push(3);
}
static void pushes_three(void) {
    push(0);
    push(2);
    push(4);
}
static void pops_one(void) { pop(); }
static void pops_two(void) {
    pop();
    pop();
}
static void pops_two_in_order(void) {
    pop_in_order();
    pop_in_order();
}
static void pushes_and_pops(void) {
    push(explorer_thread());
    explorer_check(pop(), "it pushed a word and found none, though no other thread was pushing or popping");
}

#define CASE(...)                                                                                            \
    {                                                                                                        \
        .state = &s, .state_size = sizeof s, .setup = setup, .finish = finish, .threads = { __VA_ARGS__ }    \
    }

enum { ROUND_AND_ROUND, TWO_PRODUCERS, TWO_CONSUMERS, TWO_AND_TWO };

static const ExplorerCase cases[] = {
    [ROUND_AND_ROUND] = CASE({ "producer", pushes_three }, { "consumer", pops_two }),
    [TWO_PRODUCERS] = CASE({ "first", pushes_one }, { "second", pushes_one }, { "consumer", pops_two }),
    [TWO_CONSUMERS] = CASE({ "producer", pushes_even }, { "first", pops_one }, { "second", pops_one }),
    [TWO_AND_TWO] = CASE({ "first", pushes_one }, { "second", pushes_one }, { "third", pops_one },
                         { "fourth", pops_one }),
};

FILO_TEST(one_producer_against_one_consumer_round_and_round) {
    explorer_expect_pass(&cases[ROUND_AND_ROUND]);
}
FILO_TEST(two_producers_against_a_consumer) { explorer_expect_pass(&cases[TWO_PRODUCERS]); }
FILO_TEST(a_producer_against_two_consumers) { explorer_expect_pass(&cases[TWO_CONSUMERS]); }
FILO_TEST(two_producers_against_two_consumers) { explorer_expect_pass(&cases[TWO_AND_TWO]); }

FILO_TEST(two_producers_of_two_words_fill_the_queue) {
    ExplorerCase c = CASE({ "even", pushes_even }, { "odd", pushes_odd });
    explorer_expect_pass(&c);
}

FILO_TEST(two_producers_of_two_words_against_two_consumers) {
    ExplorerCase c =
        CASE({ "even", pushes_even }, { "odd", pushes_odd }, { "third", pops_one }, { "fourth", pops_one });
    explorer_expect_pass(&c);
}

FILO_TEST(words_of_one_producer_come_in_order) {
    ExplorerCase c = CASE({ "producer", pushes_even }, { "consumer", pops_two_in_order });
    explorer_expect_pass(&c);
}

FILO_TEST(alone_what_is_pushed_can_be_popped) {
    ExplorerCase c = CASE({ "only", pushes_and_pops });
    explorer_expect_pass(&c);
}

FILO_TEST(every_order_is_needed) {
    assert_string_equal(explorer_unneeded_orders(cases, FILO_COUNT_OF(cases)), "");
}

// ---- Deliberate mistakes ------------------------------------------------------------------------------

static void expect_failure_with(int number, ExplorerWeakening weaken, const char *text) {
    ExplorerCase c = cases[number];
    c.weaken = weaken;
    explorer_expect_failure(&c, text);
}

FILO_TEST(a_relaxed_sequence_in_push_hands_out_words_that_are_not_there) {
    expect_failure_with(TWO_PRODUCERS,
                        (ExplorerWeakening){ "filo_word_queue_push", EXPLORER_STORE, "sequence",
                                             EXPLORER_RELEASE, EXPLORER_RELAXED },
                        "data race in filo_word_queue_pop: reads &cell->word");
}

FILO_TEST(a_relaxed_sequence_in_pop_lets_a_word_be_overwritten_while_it_is_read) {
    expect_failure_with(ROUND_AND_ROUND,
                        (ExplorerWeakening){ "filo_word_queue_pop", EXPLORER_STORE, "sequence",
                                             EXPLORER_RELEASE, EXPLORER_RELAXED },
                        "data race in filo_word_queue_push: writes &cell->word");
}
