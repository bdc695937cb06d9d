#include <filo/containers.h>

#include "support/failing_allocator.h"
#include "support/test.h"

typedef FiloArray(int) IntArray;

static void assert_items(const IntArray *array, const int *expected, size_t count) {
    assert_int_equal(array->count, count);
    for (size_t i = 0; i < count; i++) assert_int_equal(array->items[i], expected[i]);
}
#define assert_array(array, ...)                                                                             \
    assert_items((array), (const int[]){ __VA_ARGS__ }, FILO_COUNT_OF(((const int[]){ __VA_ARGS__ })))

static IntArray counting(int count) {
    IntArray array = { 0 };
    for (int i = 0; i < count; i++) assert_true(filo_array_push(&array, i));
    return array;
}

FILO_TEST(pushed_items_come_out_in_reverse) {
    IntArray array = counting(3);
    int item = 0;
    assert_true(filo_array_pop(&array, &item));
    assert_int_equal(item, 2);
    assert_true(filo_array_pop(&array, &item));
    assert_true(filo_array_pop(&array, &item));
    assert_int_equal(item, 0);
    item = 77;
    assert_false(filo_array_pop(&array, &item));
    assert_int_equal(item, 77);
    filo_array_deinit(&array);
}

FILO_TEST(insert_and_remove_keep_the_order) {
    IntArray array = counting(4);
    assert_true(filo_array_insert(&array, 0, 10));
    assert_true(filo_array_insert(&array, 5, 20));
    assert_true(filo_array_insert(&array, 3, 30));
    assert_array(&array, 10, 0, 1, 30, 2, 3, 20);
    filo_array_remove(&array, 3);
    filo_array_remove(&array, 0);
    filo_array_remove(&array, 4);
    assert_array(&array, 0, 1, 2, 3);
    filo_array_deinit(&array);
}

FILO_TEST(remove_swap_puts_the_last_item_into_the_hole) {
    IntArray array = counting(4);
    filo_array_remove_swap(&array, 1);
    assert_array(&array, 0, 3, 2);
    filo_array_remove_swap(&array, 2);
    assert_array(&array, 0, 3);
    filo_array_deinit(&array);
}

FILO_TEST(an_item_of_the_array_itself_can_be_added_while_it_grows) {
    IntArray array = counting(1);
    array.items[0] = 42;
    for (int i = 0; i < 1000; i++) {
        assert_true(filo_array_push(&array, array.items[0]));
        assert_true(filo_array_insert(&array, 0, array.items[array.count - 1]));
    }
    assert_int_equal(array.count, 2001);
    filo_array_each (&array, item) assert_int_equal(*item, 42);
    filo_array_deinit(&array);
}

FILO_TEST(many_items_can_be_added_at_once_even_the_arrays_own) {
    IntArray array = counting(3);
    assert_true(filo_array_push_many(&array, ((const int[]){ 7, 8 }), 2));
    assert_true(filo_array_push_many(&array, (const int *)NULL, 0));
    for (int i = 0; i < 6; i++) assert_true(filo_array_push_many(&array, array.items, array.count));
    assert_int_equal(array.count, 5 * 64);
    static const int expected[] = { 0, 1, 2, 7, 8 };
    for (size_t i = 0; i < array.count; i++) assert_int_equal(array.items[i], expected[i % 5]);
    filo_array_deinit(&array);
}

FILO_TEST(resize_zeroes_new_items_and_removes_old_ones) {
    IntArray array = counting(5);
    assert_true(filo_array_resize(&array, 2));
    assert_array(&array, 0, 1);
    assert_true(filo_array_resize(&array, 4)); // in memory that held 2 and 3
    assert_array(&array, 0, 1, 0, 0);
    assert_true(filo_array_resize(&array, 1000));
    assert_int_equal(array.items[999], 0);
    assert_true(filo_array_resize(&array, 0));
    assert_int_equal(array.count, 0);
    filo_array_deinit(&array);
}

FILO_TEST(each_visits_all_items_and_none_of_an_empty_array) {
    IntArray array = { 0 };
    int sum = 0;
    filo_array_each (&array, item) sum += *item;
    assert_int_equal(sum, 0);
    for (int i = 1; i <= 10; i++) assert_true(filo_array_push(&array, i));
    const IntArray *constant = &array;
    filo_array_each (constant, item) sum += *item;
    assert_int_equal(sum, 55);
    filo_array_clear(&array);
    filo_array_each (&array, item) sum += *item;
    assert_int_equal(sum, 55);
    filo_array_deinit(&array);
}

FILO_TEST(a_reserved_array_does_not_allocate) {
    FailingAllocator failing = FAILING_AT(failing, 1);
    IntArray array;
    filo_array_init(&array, &failing.allocator);
    assert_true(filo_array_reserve(&array, 100));
    assert_int_equal(array.capacity, 100);
    for (int i = 0; i < 100; i++) assert_true(filo_array_push(&array, i));
    filo_array_clear(&array);
    for (int i = 0; i < 100; i++) assert_true(filo_array_insert(&array, 0, i));
    assert_true(filo_array_reserve(&array, 50));
    assert_int_equal(failing.calls, 1);
    filo_array_deinit(&array);
    assert_int_equal(failing.blocks, 0);
}

FILO_TEST(an_array_can_be_used_again_after_deinit) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    IntArray array;
    filo_array_init(&array, &failing.allocator);
    for (int round = 0; round < 3; round++) {
        assert_true(filo_array_push(&array, round));
        assert_array(&array, round);
        filo_array_deinit(&array);
        assert_int_equal(failing.blocks, 0);
    }
}

FILO_TEST(without_memory_the_array_stays_as_it_was) {
    bool failed = true;
    for (size_t fail_at = 0; failed; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        IntArray array;
        filo_array_init(&array, &failing.allocator);
        int model[256];
        size_t count = 0;
        for (int i = 0; i < 40; i++) {
            if (filo_array_push(&array, i)) model[count++] = i;
            if (filo_array_push_many(&array, ((const int[]){ -i, i }), 2)) {
                model[count++] = -i;
                model[count++] = i;
            }
            if (filo_array_insert(&array, 0, i + 500)) {
                memmove(model + 1, model, count * sizeof model[0]);
                model[0] = i + 500;
                count++;
            }
            assert_items(&array, model, count);
        }
        bool resized = filo_array_resize(&array, 256);
        bool reserved = filo_array_reserve(&array, 1000);
        if (!resized) assert_items(&array, model, count);
        for (size_t i = 0; i < count; i++) assert_int_equal(array.items[i], model[i]);
        failed = failing.calls > fail_at;
        assert_true(failed || (resized && reserved && count == 160));
        filo_array_deinit(&array);
        assert_int_equal(failing.blocks, 0);
    }
}

FILO_TEST(a_size_that_overflows_is_refused) {
    IntArray array = counting(3);
    expect_fault("the size is too large", assert_false(filo_array_reserve(&array, SIZE_MAX / 2)));
    expect_fault("the size is too large", assert_false(filo_array_resize(&array, SIZE_MAX)));
    expect_fault("the size is too large", assert_false(filo_array_push_many(&array, array.items, SIZE_MAX)));
    assert_array(&array, 0, 1, 2);
    filo_array_deinit(&array);
}

FILO_TEST(an_index_outside_is_reported_and_does_nothing) {
    IntArray array = counting(3);
    expect_fault("index 3 is outside the array: use one below 3", filo_array_remove(&array, 3));
    expect_fault("index 3 is outside the array", filo_array_remove_swap(&array, 3));
    expect_fault("index 4 is outside the array: use one below 4",
                 assert_false(filo_array_insert(&array, 4, 9)));
    assert_array(&array, 0, 1, 2);
    filo_array_deinit(&array);
}

// ---- Against a model ----------------------------------------------------------------------------------

// A size beyond the buffer by which insertion moves items.
typedef struct Large {
    uint32_t number;
    uint8_t filling[301];
    double end;
} Large;

static Large make_large(uint32_t number) {
    Large large = { .number = number, .end = number };
    memset(large.filling, (int)(number & 0xFF), sizeof large.filling);
    return large;
}

static bool is_large(const Large *large, uint32_t number) {
    Large expected = make_large(number);
    return large->number == number && large->end == expected.end &&
           memcmp(large->filling, expected.filling, sizeof expected.filling) == 0;
}

FILO_TEST(thousands_of_random_operations_agree_with_a_model) {
    FiloArray(Large) array = { 0 };
    uint32_t model[256];
    size_t count = 0;
    uint64_t random = 1;
    for (uint32_t step = 0; step < 20000; step++) {
        size_t at = count > 0 ? test_random(&random) % count : 0;
        switch (test_random(&random) % (count < 200 ? 6 : 3)) {
        case 0:
            if (count == 0) break;
            filo_array_remove(&array, at);
            memmove(model + at, model + at + 1, (--count - at) * sizeof model[0]);
            break;
        case 1:
            if (count == 0) break;
            filo_array_remove_swap(&array, at);
            model[at] = model[--count];
            break;
        case 2: {
            Large popped;
            assert_int_equal(filo_array_pop(&array, &popped), count > 0);
            if (count > 0) assert_true(is_large(&popped, model[--count]));
            break;
        }
        case 3:
            assert_true(filo_array_insert(&array, at, make_large(step)));
            memmove(model + at + 1, model + at, (count++ - at) * sizeof model[0]);
            model[at] = step;
            break;
        default: assert_true(filo_array_push(&array, make_large(step))); model[count++] = step;
        }
        assert_int_equal(array.count, count);
        if (step % 16 == 0)
            for (size_t i = 0; i < count; i++) assert_true(is_large(&array.items[i], model[i]));
    }
    filo_array_deinit(&array);
}
