#include "jobs/deque.h"

#include "support/together.h"

#include <stdlib.h>

typedef struct Item {
    int contents; // plain memory, written by the owner before the push
    BASE_ATOMIC(int) times;
} Item;

static Item items[200000];

static void *item(int i) { return &items[i]; }

static JobsDeque made(int64_t capacity) {
    JobsDeque deque;
    assert_true(jobs_deque_init(&deque, capacity, NULL));
    return deque;
}

static int buffers(JobsDeque *deque) {
    int count = 0;
    for (JobsDequeBuffer *b = base_load_relaxed(&deque->buffer); b != NULL; b = b->older) count++;
    return count;
}

// ---- One thread ---------------------------------------------------------------------------------------

FILO_TEST(an_empty_deque_gives_nothing) {
    JobsDeque deque = made(4);
    bool contended = false;
    assert_true(jobs_deque_empty(&deque));
    assert_null(jobs_deque_take(&deque));
    assert_false(jobs_deque_has_private(&deque));
    assert_null(jobs_deque_steal(&deque, &contended));
    assert_false(contended);
    jobs_deque_deinit(&deque);
}

FILO_TEST(the_owner_takes_the_newest_and_thieves_the_oldest) {
    JobsDeque deque = made(4);
    bool contended = false;
    for (int i = 0; i < 4; i++) assert_true(jobs_deque_push(&deque, item(i)));
    assert_false(jobs_deque_empty(&deque));
    assert_ptr_equal(jobs_deque_take(&deque), item(3));
    jobs_deque_publish(&deque);
    assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(0));
    assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(1));
    assert_ptr_equal(jobs_deque_take(&deque), item(2));
    assert_null(jobs_deque_take(&deque));
    assert_null(jobs_deque_steal(&deque, &contended));
    assert_false(contended);
    jobs_deque_deinit(&deque);
}

FILO_TEST(what_is_pushed_is_private_until_it_is_published) {
    JobsDeque deque = made(4);
    bool contended = false;
    assert_true(jobs_deque_push(&deque, item(0)));
    assert_true(jobs_deque_push(&deque, item(1)));
    assert_true(jobs_deque_has_private(&deque));
    assert_false(jobs_deque_empty(&deque));
    jobs_deque_publish(&deque);
    assert_false(jobs_deque_has_private(&deque));
    assert_true(jobs_deque_push(&deque, item(2)));
    assert_true(jobs_deque_has_private(&deque)); // only that one
    assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(0));
    assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(1));
    assert_null(jobs_deque_steal(&deque, &contended));
    assert_ptr_equal(jobs_deque_take(&deque), item(2));
    assert_false(contended);
    jobs_deque_deinit(&deque);
}

FILO_TEST(a_thief_that_finds_nothing_makes_the_next_push_public) {
    JobsDeque deque = made(4);
    bool contended = false;
    assert_true(jobs_deque_push(&deque, item(0)));
    assert_null(jobs_deque_steal(&deque, &contended));
    assert_true(jobs_deque_has_private(&deque)); // the owner has not published yet
    assert_true(jobs_deque_push(&deque, item(1)));
    assert_false(jobs_deque_has_private(&deque));
    assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(0));
    assert_ptr_equal(jobs_deque_take(&deque), item(1));
    assert_false(contended);
    jobs_deque_deinit(&deque);
}

FILO_TEST(a_claim_makes_everything_public) {
    if (!jobs_barrier_prepare()) skip();
    JobsDeque deque = made(4);
    bool contended = false;
    assert_false(jobs_deque_claim(&deque, 0)); // it is empty
    for (int i = 0; i < 3; i++) assert_true(jobs_deque_push(&deque, item(i)));
    assert_true(jobs_deque_claim(&deque, 0));
    assert_false(jobs_deque_has_private(&deque));
    assert_false(jobs_deque_claim(&deque, 0));
    assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(0));
    assert_ptr_equal(jobs_deque_take(&deque), item(2));
    assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(1));
    assert_null(jobs_deque_take(&deque));
    assert_true(jobs_deque_push(&deque, item(3)));
    assert_true(jobs_deque_claim(&deque, 100)); // the owner does not answer
    assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(3));
    jobs_deque_deinit(&deque);
}

FILO_TEST(one_thief_claims_at_a_time) {
    if (!jobs_barrier_prepare()) skip();
    JobsDeque deque = made(4);
    assert_true(jobs_deque_push(&deque, item(0)));
    base_store_relaxed(&deque.claiming, 1);
    assert_false(jobs_deque_claim(&deque, 0));
    assert_true(jobs_deque_has_private(&deque));
    base_store_relaxed(&deque.claiming, 0);
    assert_true(jobs_deque_claim(&deque, 0));
    jobs_deque_deinit(&deque);
}

// The part of a claim before its barrier.
static void mark(JobsDeque *deque) {
    base_store_relaxed(&deque->split, base_load_relaxed(&deque->split) | JOBS_DEQUE_MARK);
}

FILO_TEST(the_owner_answers_a_claim_with_what_it_does_not_take) {
    JobsDeque deque = made(4);
    bool contended = false;
    for (int i = 0; i < 3; i++) assert_true(jobs_deque_push(&deque, item(i)));
    mark(&deque);
    assert_true(jobs_deque_has_private(&deque)); // the mark does not count
    assert_null(jobs_deque_steal(&deque, &contended));
    assert_ptr_equal(jobs_deque_take(&deque), item(2));
    assert_false(jobs_deque_has_private(&deque));
    assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(0));
    assert_true(jobs_deque_push(&deque, item(3))); // public, since `wanted` was set before
    assert_false(jobs_deque_has_private(&deque));
    mark(&deque);
    assert_ptr_equal(jobs_deque_take(&deque), item(3));
    mark(&deque);
    assert_ptr_equal(jobs_deque_take(&deque), item(1));
    mark(&deque);
    assert_null(jobs_deque_take(&deque));
    jobs_deque_deinit(&deque);
}

FILO_TEST(what_no_thief_wants_becomes_private_again) {
    JobsDeque deque = made(256);
    bool contended = false;
    assert_null(jobs_deque_steal(&deque, &contended));
    for (int i = 0; i < 200; i++) assert_true(jobs_deque_push(&deque, item(i)));
    assert_false(jobs_deque_has_private(&deque));
    int left = 200;
    while (!jobs_deque_has_private(&deque)) {
        assert_ptr_equal(jobs_deque_take(&deque), item(--left));
        assert_true(left > 100); // long before the deque is empty
    }
    int64_t split = base_load_relaxed(&deque.split);
    assert_in_range(split, 60, 110); // about half
    assert_true(jobs_deque_push(&deque, item(left++)));
    assert_int_equal(base_load_relaxed(&deque.split), split); // and pushes are private again
    assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(0));
    while (left > 1) assert_ptr_equal(jobs_deque_take(&deque), item(--left));
    assert_null(jobs_deque_take(&deque));
    jobs_deque_deinit(&deque);
}

FILO_TEST(an_open_deque_has_nothing_private_ever) {
    JobsDeque deque = made(256);
    bool contended = false;
    jobs_deque_make_all_public(&deque);
    for (int i = 0; i < 200; i++) {
        assert_true(jobs_deque_push(&deque, item(i)));
        assert_false(jobs_deque_has_private(&deque));
    }
    for (int i = 199; i > 0; i--) {
        assert_ptr_equal(jobs_deque_take(&deque), item(i));
        assert_false(jobs_deque_has_private(&deque));
    }
    assert_false(jobs_deque_claim(&deque, 0));
    assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(0));
    jobs_deque_deinit(&deque);
}

FILO_TEST(it_grows_with_its_items) {
    JobsDeque deque = made(2);
    bool contended = false;
    assert_true(jobs_deque_push(&deque, item(500)));
    jobs_deque_publish(&deque);
    assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(500)); // so that indices do not begin with 0
    for (int i = 0; i < 100; i++) assert_true(jobs_deque_push(&deque, item(i)));
    jobs_deque_publish(&deque);
    assert_int_equal(buffers(&deque), 7); // 2, 4, 8, … 128
    for (int i = 0; i < 50; i++) assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(i));
    for (int i = 99; i >= 50; i--) assert_ptr_equal(jobs_deque_take(&deque), item(i));
    assert_true(jobs_deque_empty(&deque));
    jobs_deque_deinit(&deque);
}

FILO_TEST(a_small_buffer_is_used_round_and_round_without_growing) {
    JobsDeque deque = made(4);
    bool contended = false;
    int next = 0, oldest = 0;
    for (int round = 0; round < 1000; round++) {
        for (int i = 0; i < 4; i++) assert_true(jobs_deque_push(&deque, item(next++)));
        jobs_deque_publish(&deque);
        for (int i = 0; i < 4; i++) assert_ptr_equal(jobs_deque_steal(&deque, &contended), item(oldest++));
    }
    assert_int_equal(buffers(&deque), 1);
    jobs_deque_deinit(&deque);
}

FILO_TEST(a_buffer_of_one_item_works) {
    JobsDeque deque = made(1);
    for (int i = 0; i < 100; i++) {
        assert_true(jobs_deque_push(&deque, item(i)));
        assert_ptr_equal(jobs_deque_take(&deque), item(i));
    }
    assert_int_equal(buffers(&deque), 1);
    jobs_deque_deinit(&deque);
}

FILO_TEST(without_memory_a_full_deque_refuses_and_stays_as_it_was) {
    JobsDeque deque = made(2);
    const FiloAllocator *working = deque.allocator;
    assert_true(jobs_deque_push(&deque, item(0)));
    assert_true(jobs_deque_push(&deque, item(1)));
    deque.allocator = &no_memory;
    assert_false(jobs_deque_push(&deque, item(2)));
    assert_false(jobs_deque_reserve(&deque));
    deque.allocator = working;
    assert_ptr_equal(jobs_deque_take(&deque), item(1));
    assert_true(jobs_deque_push(&deque, item(3))); // there is capacity again
    assert_ptr_equal(jobs_deque_take(&deque), item(3));
    assert_ptr_equal(jobs_deque_take(&deque), item(0));
    jobs_deque_deinit(&deque);
    assert_false(jobs_deque_init(&deque, 2, &no_memory));
}

FILO_TEST(all_memory_is_freed) {
    FiloHeap heap;
    filo_heap_init(&heap, "deque test", 0);
    JobsDeque deque;
    assert_true(jobs_deque_init(&deque, 2, &heap.allocator));
    for (int i = 0; i < 1000; i++) assert_true(jobs_deque_push(&deque, item(i)));
    jobs_deque_deinit(&deque);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

// ---- Many threads -------------------------------------------------------------------------------------

typedef enum Manner {
    ASK,   // thieves set `wanted`, and the owner publishes
    CLAIM, // thieves claim private items
    FORCE, // thieves claim, and the owner never publishes
    OPEN,  // the deque has no private part
} Manner;

typedef struct Stress {
    JobsDeque deque;
    Manner manner;
    int count, most; // items in all, and at a time
    BASE_ATOMIC(int) handed_out, stolen, claimed, wrong;
} Stress;

static void receive(Stress *stress, Item *got) {
    if (got->contents != (int)(got - items) + 1) base_add_relaxed(&stress->wrong, 1);
    base_add_relaxed(&got->times, 1);
    base_add_relaxed(&stress->handed_out, 1);
}

static void be_owner(Stress *stress) {
    uint32_t random = 1;
    int next = 0;
    while (base_load_relaxed(&stress->handed_out) < stress->count) {
        int burst = 1 + (int)(together_random(&random) % (uint32_t)stress->most);
        int64_t inside = base_load_relaxed(&stress->deque.bottom) - base_load_relaxed(&stress->deque.top);
        for (int i = (int)inside; i < burst && next < stress->count; i++, next++) {
            items[next].contents = next + 1;
            if (stress->manner == FORCE)
                base_store_relaxed(&stress->deque.wanted, 0); // the owner never publishes
            if (!jobs_deque_push(&stress->deque, &items[next])) abort();
        }
        int takes = (int)(together_random(&random) % (uint32_t)(stress->most + 1));
        if (stress->manner == FORCE) takes = 0;
        for (int i = 0; i < takes; i++) {
            Item *got = jobs_deque_take(&stress->deque);
            if (got == NULL) break;
            receive(stress, got);
        }
        if (next == stress->count || together_random(&random) % 4 == 0) filo_thread_yield();
    }
}

static void be_thief(Stress *stress) {
    while (base_load_relaxed(&stress->handed_out) < stress->count) {
        bool contended = false;
        Item *got = jobs_deque_steal(&stress->deque, &contended);
        if (got != NULL) {
            receive(stress, got);
            base_add_relaxed(&stress->stolen, 1);
        } else if (!contended) {
            bool claims = stress->manner == CLAIM || stress->manner == FORCE;
            if (claims && jobs_deque_claim(&stress->deque, 3)) base_add_relaxed(&stress->claimed, 1);
            filo_thread_yield();
        }
    }
}

static void take_part(int thread, void *user) {
    if (thread == 0)
        be_owner(user);
    else
        be_thief(user);
}

static void run_stress(Manner manner, int64_t capacity, int most, int thieves, int count) {
    static Stress stress;
    if ((manner == CLAIM || manner == FORCE) && !jobs_barrier_prepare()) skip();
    memset(items, 0, sizeof items);
    memset(&stress, 0, sizeof stress);
    stress.deque = made(capacity);
    if (manner == OPEN) jobs_deque_make_all_public(&stress.deque);
    stress.manner = manner;
    stress.count = count;
    stress.most = most;
    together(1 + thieves, take_part, &stress);
    assert_int_equal(base_load_relaxed(&stress.handed_out), count);
    assert_int_equal(base_load_relaxed(&stress.wrong), 0);
    for (int i = 0; i < count; i++) assert_int_equal(base_load_relaxed(&items[i].times), 1);
    assert_true(jobs_deque_empty(&stress.deque));
    if (manner == FORCE) assert_true(base_load_relaxed(&stress.claimed) > 0);
    if (most <= capacity) assert_int_equal(buffers(&stress.deque), 1);
    jobs_deque_deinit(&stress.deque);
}

static const Manner manners[] = { ASK, CLAIM, OPEN };

static void run_stress_in_all_manners(int64_t capacity, int most, int thieves, int count) {
    for (size_t i = 0; i < FILO_COUNT_OF(manners); i++)
        run_stress(manners[i], capacity, most, thieves, count);
}

FILO_TEST(each_item_is_handed_out_once_to_three_thieves_or_the_owner) {
    run_stress_in_all_manners(64, 64, 3, 100000);
}
FILO_TEST(each_item_is_handed_out_once_to_seven_thieves_or_the_owner) {
    run_stress_in_all_manners(64, 64, 7, 50000);
}
FILO_TEST(it_grows_while_thieves_steal) {
    for (int round = 0; round < 8; round++) run_stress_in_all_manners(1, 4000, 3, 8000);
}
FILO_TEST(a_small_buffer_wraps_around_while_thieves_steal) { run_stress_in_all_manners(2, 2, 3, 20000); }
FILO_TEST(the_last_item_is_fought_over) { run_stress_in_all_manners(1, 1, 3, 20000); }
FILO_TEST(an_owner_that_only_pushes_is_robbed_of_everything) { run_stress(FORCE, 64, 64, 3, 20000); }
