// Random networks whose states are damaged between steps, for the tests and the fuzzer.

#ifndef FILO_TEST_SIGNAL_DAMAGE_H
#define FILO_TEST_SIGNAL_DAMAGE_H

#include "compare.h"
#include "support/damage_word.h"

#include <math.h>

// Runs a random network for some steps, in which `next` says what becomes of the state: a place, and what it gets; UINT32_MAX:
// nothing. How many steps reported a problem.
static inline size_t damage_run(uint64_t seed, int steps, uint32_t (*next)(void *user), void *user) {
    value_reset();
    Compare c = { .seed = seed, .rows = 3, .steps = steps, .quiet = true };
    Program *program = generate_program(seed * 31, 4);
    FiloSfBuilder *builder = NULL;
    FiloNetwork *network = NULL;
    size_t problems = 0;
    if (build_network(&network, program, &builder).code == FILO_OK) {
        size_t row = filo_network_state_size(network), size = row * (size_t)c.rows;
        uint8_t *states = calloc(1, size);
        static CompareOutputs out;
        for (int step = 0; step < steps && states != NULL; step++) {
            CompareInputs in;
            compare_inputs(&c, step % COMPARE_STEPS, &in);
            FiloResult r = compare_step(network, states, &in, &out, program->root->type, 0, c.rows);
            problems += r.code != FILO_OK;
            for (int i = 0; i < 8; i++) {
                uint32_t place = next(user) % (uint32_t)(size / 4), choice = next(user), word;
                if (choice == UINT32_MAX || place * 4 % row == 0) continue; // it says whose state it is
                memcpy(&word, states + 4 * (size_t)place, sizeof word);
                word = damage_word(choice, word);
                memcpy(states + 4 * (size_t)place, &word, sizeof word);
            }
        }
        free(states);
    }
    filo_network_destroy(network);
    filo_sf_builder_destroy(builder);
    return problems;
}

#endif
