#include "jobs/deque.h"

#include "together.h"

#include <stdlib.h>

typedef struct Item {
    int contents; // plain memory, written by the owner before the push
    FILO_ATOMIC(int) times;
} Item;

static Item items[200000];

static void *item(int i) { return &items[i]; }

static FiloDeque made(int64_t capacity) {
    FiloDeque deque;
    assert_true(filo_deque_init(&deque, capacity, NULL));
    return deque;
}

static int buffers(FiloDeque *deque) {
    int count = 0;
    for (FiloDequeBuffer *b = filo_load_relaxed(&deque->buffer); b != NULL; b = b->older) count++;
    return count;
}

// ---- One thread ---------------------------------------------------------------------------------------

FILO_TEST(an_empty_deque_gives_nothing) {
    FiloDeque deque = made(4);
    bool contended = false;
    assert_true(filo_deque_empty(&deque));
    assert_null(filo_deque_take(&deque));
    assert_null(filo_deque_take_alone(&deque));
    assert_null(filo_deque_steal(&deque, &contended));
    assert_false(contended);
    filo_deque_deinit(&deque);
}

FILO_TEST(the_owner_takes_the_newest_and_thieves_the_oldest) {
    FiloDeque deque = made(4);
    bool contended = false;
    for (int i = 0; i < 4; i++) assert_true(filo_deque_push(&deque, item(i)));
    assert_false(filo_deque_empty(&deque));
    assert_ptr_equal(filo_deque_take(&deque), item(3));
    assert_ptr_equal(filo_deque_steal(&deque, &contended), item(0));
    assert_ptr_equal(filo_deque_steal(&deque, &contended), item(1));
    assert_ptr_equal(filo_deque_take(&deque), item(2));
    assert_null(filo_deque_take(&deque));
    assert_null(filo_deque_steal(&deque, &contended));
    assert_false(contended);
    filo_deque_deinit(&deque);
}

FILO_TEST(alone_the_owner_takes_the_newest_too) {
    FiloDeque deque = made(2);
    for (int i = 0; i < 10; i++) assert_true(filo_deque_push(&deque, item(i)));
    for (int i = 9; i >= 0; i--) assert_ptr_equal(filo_deque_take_alone(&deque), item(i));
    assert_null(filo_deque_take_alone(&deque));
    filo_deque_deinit(&deque);
}

FILO_TEST(it_grows_and_keeps_what_is_in_it) {
    FiloDeque deque = made(2);
    bool contended = false;
    assert_true(filo_deque_push(&deque, item(500)));
    assert_ptr_equal(filo_deque_steal(&deque, &contended), item(500)); // so that indices are not from 0 on
    for (int i = 0; i < 100; i++) assert_true(filo_deque_push(&deque, item(i)));
    assert_int_equal(buffers(&deque), 7); // 2, 4, 8, … 128
    for (int i = 0; i < 50; i++) assert_ptr_equal(filo_deque_steal(&deque, &contended), item(i));
    for (int i = 99; i >= 50; i--) assert_ptr_equal(filo_deque_take(&deque), item(i));
    assert_true(filo_deque_empty(&deque));
    filo_deque_deinit(&deque);
}

FILO_TEST(a_small_buffer_is_used_round_and_round_without_growing) {
    FiloDeque deque = made(4);
    bool contended = false;
    int next = 0, oldest = 0;
    for (int round = 0; round < 1000; round++) {
        for (int i = 0; i < 4; i++) assert_true(filo_deque_push(&deque, item(next++)));
        for (int i = 0; i < 4; i++) assert_ptr_equal(filo_deque_steal(&deque, &contended), item(oldest++));
    }
    assert_int_equal(buffers(&deque), 1);
    filo_deque_deinit(&deque);
}

FILO_TEST(a_buffer_of_one_item_works) {
    FiloDeque deque = made(1);
    for (int i = 0; i < 100; i++) {
        assert_true(filo_deque_push(&deque, item(i)));
        assert_ptr_equal(filo_deque_take(&deque), item(i));
    }
    assert_int_equal(buffers(&deque), 1);
    filo_deque_deinit(&deque);
}

FILO_TEST(without_memory_a_full_deque_refuses_and_stays_as_it_was) {
    FiloDeque deque = made(2);
    const FiloAllocator *good = deque.allocator;
    assert_true(filo_deque_push(&deque, item(0)));
    assert_true(filo_deque_push(&deque, item(1)));
    deque.allocator = &no_memory;
    assert_false(filo_deque_push(&deque, item(2)));
    assert_false(filo_deque_make_room(&deque));
    deque.allocator = good;
    assert_ptr_equal(filo_deque_take(&deque), item(1));
    assert_true(filo_deque_push(&deque, item(3))); // and there is room again
    assert_ptr_equal(filo_deque_take(&deque), item(3));
    assert_ptr_equal(filo_deque_take(&deque), item(0));
    filo_deque_deinit(&deque);
    assert_false(filo_deque_init(&deque, 2, &no_memory));
}

FILO_TEST(all_memory_goes_back) {
    FiloHeap heap;
    filo_heap_init(&heap, "deque test", 0);
    FiloDeque deque;
    assert_true(filo_deque_init(&deque, 2, &heap.allocator));
    for (int i = 0; i < 1000; i++) assert_true(filo_deque_push(&deque, item(i)));
    filo_deque_deinit(&deque);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

// ---- Many threads -------------------------------------------------------------------------------------

typedef struct Stress {
    FiloDeque deque;
    int count, most; // items in all, and at a time
    FILO_ATOMIC(int) handed_out, stolen, wrong;
} Stress;

static void receive(Stress *stress, Item *got) {
    if (got->contents != (int)(got - items) + 1) filo_add_relaxed(&stress->wrong, 1);
    filo_add_relaxed(&got->times, 1);
    filo_add_relaxed(&stress->handed_out, 1);
}

static void be_owner(Stress *stress) {
    uint32_t random = 1;
    int next = 0;
    while (filo_load_relaxed(&stress->handed_out) < stress->count) {
        int burst = 1 + (int)(together_random(&random) % (uint32_t)stress->most);
        int64_t inside = filo_load_relaxed(&stress->deque.bottom) - filo_load_relaxed(&stress->deque.top);
        for (int i = (int)inside; i < burst && next < stress->count; i++, next++) {
            items[next].contents = next + 1;
            if (!filo_deque_push(&stress->deque, &items[next])) abort();
        }
        int takes = (int)(together_random(&random) % (uint32_t)(stress->most + 1));
        for (int i = 0; i < takes; i++) {
            Item *got = filo_deque_take(&stress->deque);
            if (got == NULL) break;
            receive(stress, got);
        }
        if (next == stress->count || together_random(&random) % 4 == 0) filo_thread_yield();
    }
}

static void be_thief(Stress *stress) {
    while (filo_load_relaxed(&stress->handed_out) < stress->count) {
        bool contended = false;
        Item *got = filo_deque_steal(&stress->deque, &contended);
        if (got != NULL) {
            receive(stress, got);
            filo_add_relaxed(&stress->stolen, 1);
        } else if (!contended) {
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

static void run_stress(int64_t capacity, int most, int thieves, int count) {
    static Stress stress;
    memset(items, 0, sizeof items);
    memset(&stress, 0, sizeof stress);
    stress.deque = made(capacity);
    stress.count = count;
    stress.most = most;
    together(1 + thieves, take_part, &stress);
    assert_int_equal(filo_load_relaxed(&stress.handed_out), count);
    assert_int_equal(filo_load_relaxed(&stress.wrong), 0);
    for (int i = 0; i < count; i++) assert_int_equal(filo_load_relaxed(&items[i].times), 1);
    assert_true(filo_deque_empty(&stress.deque));
    if (most <= capacity) assert_int_equal(buffers(&stress.deque), 1);
    filo_deque_deinit(&stress.deque);
}

FILO_TEST(each_item_is_handed_out_once_to_three_thieves_or_the_owner) { run_stress(64, 64, 3, 100000); }
FILO_TEST(each_item_is_handed_out_once_to_seven_thieves_or_the_owner) { run_stress(64, 64, 7, 100000); }
FILO_TEST(it_grows_while_thieves_steal) {
    for (int round = 0; round < 20; round++) run_stress(1, 4000, 3, 8000);
}
FILO_TEST(a_small_buffer_wraps_around_while_thieves_steal) { run_stress(2, 2, 3, 20000); }
FILO_TEST(the_last_item_is_fought_over) { run_stress(1, 1, 3, 20000); }
