#include <filo/containers.h>

#include "support/failing_allocator.h"
#include "support/test.h"

static FiloBits make_bits(size_t count) {
    FiloBits bits = { 0 };
    assert_true(filo_bits_resize(&bits, count));
    return bits;
}

FILO_TEST(bits_are_set_cleared_and_assigned_one_by_one) {
    FiloBits bits = make_bits(130);
    static const size_t indices[] = { 0, 1, 63, 64, 127, 128, 129 };
    for (size_t i = 0; i < FILO_COUNT_OF(indices); i++) {
        assert_false(filo_bits_test(&bits, indices[i]));
        filo_bits_set(&bits, indices[i]);
        assert_true(filo_bits_test(&bits, indices[i]));
    }
    assert_int_equal(filo_bits_count_set(&bits), FILO_COUNT_OF(indices));
    filo_bits_clear(&bits, 64);
    filo_bits_assign(&bits, 63, false);
    filo_bits_assign(&bits, 65, true);
    assert_false(filo_bits_test(&bits, 64));
    assert_false(filo_bits_test(&bits, 63));
    assert_true(filo_bits_test(&bits, 65));
    filo_bits_deinit(&bits);
}

FILO_TEST(a_number_outside_is_not_in_the_set_and_cannot_be_put_there) {
    FiloBits bits = make_bits(70);
    filo_bits_set_all(&bits);
    assert_false(filo_bits_test(&bits, 70));
    assert_false(filo_bits_test(&bits, SIZE_MAX));
    expect_fault("bit 70 is outside the set: use one below 70", filo_bits_set(&bits, 70));
    expect_fault("bit 71 is outside the set", filo_bits_clear(&bits, 71));
    expect_fault("bit 70 is outside the set", filo_bits_assign(&bits, 70, true));
    expect_fault("2 bits from 69 are not all in a set of 70 bits", filo_bits_set_range(&bits, 69, 2));
    expect_fault("bits from 71 are not", filo_bits_clear_range(&bits, 71, 0));
    expect_fault("are not all in", assert_int_equal(filo_bits_count_range(&bits, 1, SIZE_MAX), 0));
    assert_int_equal(filo_bits_count_set(&bits), 70);
    filo_bits_deinit(&bits);
}

FILO_TEST(every_query_of_an_empty_set_has_a_result) {
    FiloBits bits = { 0 }, other = { 0 };
    assert_false(filo_bits_any(&bits));
    assert_int_equal(filo_bits_count_set(&bits), 0);
    assert_int_equal(filo_bits_next(&bits, 0), FILO_BITS_NONE);
    assert_int_equal(filo_bits_next_clear(&bits, 0), FILO_BITS_NONE);
    assert_true(filo_bits_equal(&bits, &other));
    filo_bits_set_all(&bits);
    filo_bits_clear_all(&bits);
    filo_bits_set_range(&bits, 0, 0);
    filo_bits_or(&bits, &other);
    assert_true(filo_bits_copy(&bits, &other));
    filo_bits_each (&bits, i) fail();
    assert_true(filo_bits_resize(&bits, 0));
    filo_bits_deinit(&bits);
}

FILO_TEST(growing_keeps_the_bits_and_adds_clear_ones) {
    FiloBits bits = make_bits(3);
    filo_bits_set_all(&bits);
    for (size_t count = 4; count < 1000; count += 7) {
        assert_true(filo_bits_resize(&bits, count));
        assert_int_equal(filo_bits_count_set(&bits), 3);
    }
    filo_bits_set_all(&bits);
    assert_true(filo_bits_resize(&bits, 67));
    assert_int_equal(filo_bits_count_set(&bits), 67);
    assert_true(filo_bits_resize(&bits, 1000)); // removed bits stay clear
    assert_int_equal(filo_bits_count_set(&bits), 67);
    filo_bits_deinit(&bits);
}

FILO_TEST(a_set_can_use_the_callers_memory) {
    uint64_t words[FILO_BITS_WORDS(70) + 1] = { 5, UINT64_MAX, 0xABCD };
    assert_int_equal(FILO_COUNT_OF(words), 3);
    FiloBits bits = filo_bits_over(words, 70);
    assert_int_equal(filo_bits_count_set(&bits), 2 + 6);
    filo_bits_set_all(&bits);
    assert_int_equal(words[0], UINT64_MAX);
    assert_int_equal(words[1], 0x3F);
    assert_int_equal(words[2], 0xABCD);
    assert_true(filo_bits_resize(&bits, 10));
    assert_int_equal(words[0], 0x3FF);
    expect_fault("cannot be made larger", assert_false(filo_bits_resize(&bits, 100)));
    filo_bits_deinit(&bits);
    assert_int_equal(words[0], 0x3FF);
}

FILO_TEST(iterating_over_a_set_sees_changes_ahead) {
    FiloBits bits = make_bits(200);
    filo_bits_set(&bits, 0);
    filo_bits_set(&bits, 150);
    size_t seen[10], count = 0;
    filo_bits_each (&bits, i) {
        seen[count++] = i;
        if (i == 0) filo_bits_set(&bits, 199), filo_bits_set(&bits, 1), filo_bits_clear(&bits, 150);
        filo_bits_clear(&bits, i);
    }
    assert_int_equal(count, 3);
    assert_int_equal(seen[1], 1);
    assert_int_equal(seen[2], 199);
    assert_false(filo_bits_any(&bits));
    filo_bits_deinit(&bits);
}

FILO_TEST(sets_of_different_counts_do_not_mix) {
    FiloBits a = make_bits(64), b = make_bits(65);
    filo_bits_set_all(&b);
    expect_fault("same count first: they have 64 and 65", filo_bits_and(&a, &b));
    expect_fault("same count first", filo_bits_or(&a, &b));
    expect_fault("same count first", filo_bits_and_not(&a, &b));
    assert_false(filo_bits_any(&a));
    assert_false(filo_bits_equal(&a, &b));
    assert_true(filo_bits_copy(&a, &b));
    assert_true(filo_bits_equal(&a, &b));
    filo_bits_deinit(&a);
    filo_bits_deinit(&b);
}

FILO_TEST(without_memory_the_set_stays_as_it_was) {
    bool failed = true;
    for (size_t fail_at = 0; failed; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloBits bits, copy;
        filo_bits_init(&bits, &failing.allocator);
        filo_bits_init(&copy, &failing.allocator);
        size_t count = 0;
        for (size_t size = 50; size < 5000; size += size / 2) {
            if (filo_bits_resize(&bits, size)) count = size;
            assert_int_equal(bits.count, count);
            filo_bits_set_all(&bits);
            assert_int_equal(filo_bits_count_set(&bits), count);
        }
        if (filo_bits_copy(&copy, &bits))
            assert_true(filo_bits_equal(&copy, &bits));
        else
            assert_int_equal(copy.count, 0);
        failed = failing.calls > fail_at;
        filo_bits_deinit(&bits);
        filo_bits_deinit(&copy);
        assert_int_equal(failing.blocks, 0);
    }
}

// ---- Against a model ----------------------------------------------------------------------------------

enum { MOST = 700 };

typedef struct Model {
    bool bits[MOST];
} Model;

static void assert_model(const FiloBits *bits, const Model *model) {
    size_t set = 0, next = filo_bits_next(bits, 0), next_clear = filo_bits_next_clear(bits, 0);
    for (size_t i = 0; i < bits->count; i++) {
        assert_int_equal(filo_bits_test(bits, i), model->bits[i]);
        set += model->bits[i];
        if (model->bits[i]) {
            assert_int_equal(next, i);
            next = filo_bits_next(bits, i + 1);
        } else {
            assert_int_equal(next_clear, i);
            next_clear = filo_bits_next_clear(bits, i + 1);
        }
    }
    assert_int_equal(next, FILO_BITS_NONE);
    assert_int_equal(next_clear, FILO_BITS_NONE);
    assert_int_equal(filo_bits_count_set(bits), set);
    assert_int_equal(filo_bits_any(bits), set > 0);
    size_t each = 0;
    filo_bits_each (bits, i) each += model->bits[i];
    assert_int_equal(each, set);
}

static void change(FiloBits *bits, Model *model, uint64_t *random) {
    size_t first = test_random(random) % bits->count,
           length = test_random(random) % (bits->count - first + 1);
    uint32_t kind = test_random(random) % 4;
    size_t set = 0;
    for (size_t i = first; i < first + length; i++) set += model->bits[i];
    assert_int_equal(filo_bits_count_range(bits, first, length), set);
    if (kind == 0) {
        filo_bits_set_range(bits, first, length);
        for (size_t i = first; i < first + length; i++) model->bits[i] = true;
    } else if (kind == 1) {
        filo_bits_clear_range(bits, first, length);
        for (size_t i = first; i < first + length; i++) model->bits[i] = false;
    } else {
        filo_bits_assign(bits, first, kind == 2);
        model->bits[first] = kind == 2;
    }
}

static void combine(FiloBits *bits, Model *model, const FiloBits *other, const Model *other_model,
                    uint32_t kind) {
    if (kind == 0) filo_bits_and(bits, other);
    if (kind == 1) filo_bits_or(bits, other);
    if (kind == 2) filo_bits_and_not(bits, other);
    for (size_t i = 0; i < bits->count; i++) {
        bool a = model->bits[i], b = other_model->bits[i];
        model->bits[i] = kind == 0 ? a && b : kind == 1 ? a || b : a && !b;
    }
}

FILO_TEST(thousands_of_random_operations_agree_with_a_model) {
    static const size_t counts[] = { 1, 2, 63, 64, 65, 127, 128, 129, 640, MOST };
    uint64_t random = 11;
    for (size_t n = 0; n < FILO_COUNT_OF(counts); n++) {
        FiloBits a = make_bits(counts[n]), b = make_bits(counts[n]);
        Model a_model = { 0 }, b_model = { 0 };
        for (int step = 0; step < 800; step++) {
            change(&a, &a_model, &random);
            change(&b, &b_model, &random);
            uint32_t kind = test_random(&random) % 8;
            if (kind < 3) combine(&a, &a_model, &b, &b_model, kind);
            assert_model(&a, &a_model);
            assert_int_equal(filo_bits_equal(&a, &b), memcmp(&a_model, &b_model, sizeof a_model) == 0);
        }
        filo_bits_deinit(&a);
        filo_bits_deinit(&b);
    }
}
