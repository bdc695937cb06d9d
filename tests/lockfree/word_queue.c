#include "lockfree/word_queue.h"

#include "support/together.h"

static FiloWordQueue *made(size_t capacity) {
    FiloWordQueue *queue;
    assert_ok(filo_word_queue_create(&queue, &(FiloWordQueueDesc){ .capacity = capacity }));
    return queue;
}

FILO_TEST(words_come_out_in_the_order_in_which_they_went_in) {
    FiloWordQueue *queue = made(8);
    uint64_t word = 77;
    assert_false(filo_word_queue_pop(queue, &word));
    assert_int_equal(word, 77); // unchanged
    for (uint64_t round = 0; round < 100; round++) {
        for (uint64_t i = 0; i < 5; i++) assert_true(filo_word_queue_push(queue, round * 5 + i));
        for (uint64_t i = 0; i < 5; i++) {
            assert_true(filo_word_queue_pop(queue, &word));
            assert_int_equal(word, round * 5 + i);
        }
        assert_false(filo_word_queue_pop(queue, &word));
    }
    filo_word_queue_destroy(queue);
    filo_word_queue_destroy(NULL);
}

FILO_TEST(a_full_queue_refuses_and_is_unchanged) {
    for (uint64_t capacity = 2; capacity <= 64; capacity *= 2) {
        FiloWordQueue *queue = made(capacity);
        uint64_t word;
        for (uint64_t i = 0; i < capacity; i++) assert_true(filo_word_queue_push(queue, i));
        assert_false(filo_word_queue_push(queue, 1000));
        assert_true(filo_word_queue_pop(queue, &word));
        assert_int_equal(word, 0);
        assert_true(filo_word_queue_push(queue, capacity));
        assert_false(filo_word_queue_push(queue, 1000));
        for (uint64_t i = 1; i <= capacity; i++) {
            assert_true(filo_word_queue_pop(queue, &word));
            assert_int_equal(word, i);
        }
        assert_false(filo_word_queue_pop(queue, &word));
        filo_word_queue_destroy(queue);
    }
}

FILO_TEST(any_word_can_be_queued) {
    static const uint64_t words[] = { 0, 1, UINT64_MAX, 1ull << 63 };
    FiloWordQueue *queue = made(4);
    uint64_t word;
    for (size_t i = 0; i < FILO_COUNT_OF(words); i++) assert_true(filo_word_queue_push(queue, words[i]));
    for (size_t i = 0; i < FILO_COUNT_OF(words); i++) {
        assert_true(filo_word_queue_pop(queue, &word));
        assert_true(word == words[i]);
    }
    filo_word_queue_destroy(queue);
}

FILO_TEST(misuse_is_reported) {
    FiloWordQueue *queue;
    static const size_t wrong[] = { 0, 1, 3, 100 };
    for (size_t i = 0; i < FILO_COUNT_OF(wrong); i++) {
        FiloWordQueueDesc desc = { .name = "orders", .capacity = wrong[i] };
        expect_mistake("orders: the capacity is a power of two from 2 on",
                       filo_word_queue_create(&queue, &desc));
        assert_null(queue);
    }
}

FILO_TEST(want_of_memory_is_an_error) {
    FiloWordQueue *queue;
    FiloWordQueueDesc desc = { .name = "orders", .capacity = 64, .allocator = &no_memory };
    assert_error(filo_word_queue_create(&queue, &desc), FILO_ERROR_MEMORY, "orders: no memory for 64 words");
    assert_null(queue);
    desc = (FiloWordQueueDesc){ .name = "orders", .capacity = (size_t)1 << 62 };
    assert_error(filo_word_queue_create(&queue, &desc), FILO_ERROR_LIMIT, "more than memory can be");
}

FILO_TEST(memory_is_allocated_once_and_freed) {
    FiloHeap heap;
    filo_heap_init(&heap, "queue test", 0);
    FiloWordQueue *queue;
    assert_ok(
        filo_word_queue_create(&queue, &(FiloWordQueueDesc){ .capacity = 16, .allocator = &heap.allocator }));
    uint64_t word;
    for (uint64_t i = 0; i < 1000; i++) {
        assert_true(filo_word_queue_push(queue, i));
        assert_true(filo_word_queue_pop(queue, &word));
    }
    assert_int_equal(filo_heap_stats(&heap).operations, 1);
    filo_word_queue_destroy(queue);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
}

// ---- Many threads -------------------------------------------------------------------------------------

#define PRODUCERS 4

typedef struct Stress {
    FiloWordQueue *queue;
    int producers;
    uint64_t words; // of each producer
    BASE_ATOMIC(uint64_t) popped, sum;
    BASE_ATOMIC(int) wrong;
    int contents[PRODUCERS][20000]; // plain memory, written before the push
} Stress;

static void produce(Stress *stress, int producer) {
    for (uint64_t i = 0; i < stress->words; i++) {
        stress->contents[producer][i] = (int)i + 1;
        while (!filo_word_queue_push(stress->queue, (uint64_t)producer << 32 | i)) filo_thread_yield();
    }
}

static void consume(Stress *stress) {
    uint64_t next[PRODUCERS] = { 0 }, sum = 0;
    while (base_load_relaxed(&stress->popped) < stress->words * (uint64_t)stress->producers) {
        uint64_t word;
        if (!filo_word_queue_pop(stress->queue, &word)) {
            filo_thread_yield();
            continue;
        }
        uint64_t producer = word >> 32, i = word & UINT32_MAX;
        bool right = i >= next[producer] && stress->contents[producer][i] == (int)i + 1;
        if (!right) base_add_relaxed(&stress->wrong, 1);
        next[producer] = i + 1;
        sum += i + 1;
        base_add_relaxed(&stress->popped, 1);
    }
    base_add_relaxed(&stress->sum, sum);
}

static void take_part(int thread, void *user) {
    Stress *stress = user;
    if (thread < stress->producers)
        produce(stress, thread);
    else
        consume(stress);
}

static void run_stress(size_t capacity, int producers, int consumers, uint64_t words) {
    static Stress stress;
    memset(&stress, 0, sizeof stress);
    stress.queue = made(capacity);
    stress.producers = producers;
    stress.words = words;
    together(producers + consumers, take_part, &stress);
    assert_int_equal(base_load_relaxed(&stress.wrong), 0);
    assert_int_equal(base_load_relaxed(&stress.popped), words * (uint64_t)producers);
    assert_int_equal(base_load_relaxed(&stress.sum), words * (words + 1) / 2 * (uint64_t)producers);
    uint64_t word;
    assert_false(filo_word_queue_pop(stress.queue, &word));
    filo_word_queue_destroy(stress.queue);
}

FILO_TEST(each_word_comes_out_once_and_in_its_producers_order) { run_stress(64, 4, 4, 20000); }
FILO_TEST(a_queue_of_two_words_is_enough) { run_stress(2, 2, 2, 10000); }
FILO_TEST(one_producer_and_one_consumer_keep_the_order) { run_stress(16, 1, 1, 20000); }
