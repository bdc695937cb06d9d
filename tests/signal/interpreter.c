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

// ---- Many rows --------------------------------------------------------------------------------------------------

enum { MANY = 2500 }; // more than are computed at once

typedef struct ManyRows {
    float a[MANY], b[MANY], event_value[MANY];
    bool c[MANY];
    int32_t d[MANY];
    uint8_t event[MANY], signal[MANY];
    _Alignas(16) uint8_t out[COMPARE_LEAVES][MANY * 8];
} ManyRows;

// Row i has the inputs of row i % COMPARE_ROWS.
static void repeat_inputs(const CompareInputs *in, ManyRows *many) {
    for (int i = 0; i < MANY; i++) {
        int row = i % COMPARE_ROWS;
        many->a[i] = in->a[row];
        many->b[i] = in->b[row];
        many->c[i] = in->c[row];
        many->d[i] = in->d[row];
        many->event[i] = in->event[row];
        many->event_value[i] = in->event_value[row];
        many->signal[i] = in->signal[row];
    }
}

FILO_TEST(thousands_of_rows_at_once_are_as_a_few) {
    static ManyRows many;
    static CompareOutputs few_out;
    for (uint64_t seed = 1; seed <= 25; seed++) {
        value_reset();
        Compare c = { .seed = seed, .rows = COMPARE_ROWS, .steps = 10, .quiet = true };
        Program *program = generate_program(seed * 101, 4);
        FiloSfBuilder *builder;
        FiloNetwork *network;
        assert_ok(build_network(&network, program, &builder));
        size_t size = filo_network_state_size(network);
        uint8_t *few = calloc(COMPARE_ROWS, size), *states = calloc(MANY, size);
        FiloSfLeaf leaves[COMPARE_LEAVES];
        size_t count = filo_network_outputs(network, leaves, COMPARE_LEAVES);
        for (int step = 0; step < c.steps; step++) {
            CompareInputs in;
            compare_inputs(&c, step, &in);
            repeat_inputs(&in, &many);
            memset(&few_out, 0, sizeof few_out);
            memset(many.out, 0, sizeof many.out);
            (void)compare_step(network, few, &in, &few_out, program->root->type, 0, COMPARE_ROWS);
            FiloSfRows rows = { .count = MANY,
                                .states = states,
                                .delta = in.delta,
                                .inputs = { many.a, many.b, many.c, many.d, many.event, many.event_value,
                                            many.signal } };
            for (size_t i = 0; i < count; i++) rows.outputs[i] = many.out[i];
            (void)filo_network_step(network, &rows);
            for (size_t i = 0; i < count; i++) {
                size_t width = leaves[i].presence ? 1 : leaves[i].type->size;
                for (size_t row = 0; row < MANY; row++)
                    assert_memory_equal(many.out[i] + row * width,
                                        few_out.bytes[i] + row % COMPARE_ROWS * width, width);
            }
        }
        for (size_t row = 0; row < MANY; row++)
            assert_memory_equal(states + row * size, few + row % COMPARE_ROWS * size, size);
        free(few);
        free(states);
        filo_network_destroy(network);
        filo_sf_builder_destroy(builder);
    }
    value_free();
}

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
