// Random networks: the compiled network and a naive interpreter give the same outputs, bit for bit.

#include "support/compare.h"

static void run_cases(uint64_t first, int count, int depth, int rows) {
    int same = 0, chasing = 0, failed = 0;
    for (int i = 0; i < count && failed < 3; i++) {
        CompareVerdict verdict = compare_case(first + (uint64_t)i, depth, rows);
        same += verdict == COMPARE_SAME;
        chasing += verdict == COMPARE_CHASING;
        failed += verdict == COMPARE_DIFFERENT || verdict == COMPARE_NOT_BUILT;
    }
    value_free();
    assert_int_equal(failed, 0);
    assert_true(same > 4 * chasing); // most networks have a meaning
}

FILO_TEST(small_random_networks_run_as_interpreted) { run_cases(1, 3000, 2, 2); }
FILO_TEST(random_networks_run_as_interpreted) { run_cases(100000, 1500, 4, 3); }
FILO_TEST(large_random_networks_run_as_interpreted) { run_cases(200000, 300, 6, 5); }
FILO_TEST(random_networks_of_many_rows_run_as_interpreted) { run_cases(300000, 60, 4, 80); }

// Without a compiled network: the interpreter and the generator alone, to find out how much has a meaning.
FILO_TEST(the_interpreter_gives_each_random_network_the_same_meaning_twice) {
    static CompareExpected first, second;
    for (uint64_t seed = 1; seed < 200; seed++) {
        value_reset();
        Compare c = { .seed = seed, .rows = 2, .steps = COMPARE_STEPS };
        const Program *program = generate_program(seed, 4);
        if (!compare_interpret(&c, program, &first)) continue;
        assert_true(compare_interpret(&c, program, &second));
        for (int step = 0; step < c.steps; step++)
            for (int row = 0; row < c.rows; row++)
                assert_true(value_same(first.value[step][row], second.value[step][row]));
    }
    value_free();
}
