// Runs a tree (ast.h) as a compiled network and by the interpreter, compares both, and makes a failing one smaller.

#ifndef FILO_TEST_SIGNAL_COMPARE_H
#define FILO_TEST_SIGNAL_COMPARE_H

#include "build.h"
#include "denote.h"
#include "generate.h"

#define COMPARE_STEPS  24
#define COMPARE_ROWS   80
#define COMPARE_LEAVES 8

typedef enum CompareVerdict {
    COMPARE_SAME,
    COMPARE_CHASING, // without meaning: the switches of the network chase each other
    COMPARE_DIFFERENT,
    COMPARE_NOT_BUILT,
} CompareVerdict;

typedef struct Compare {
    uint64_t seed; // of inputs, deltas and splits
    int rows, steps;
    bool quiet;
} Compare;

// Inputs of all rows at one instant, as leaves.
typedef struct CompareInputs {
    float a[COMPARE_ROWS], b[COMPARE_ROWS], event_value[COMPARE_ROWS];
    bool c[COMPARE_ROWS];
    int32_t d[COMPARE_ROWS];
    uint8_t event[COMPARE_ROWS], signal[COMPARE_ROWS];
    float delta;
} CompareInputs;

static inline uint32_t compare_mix(uint64_t seed, int step, int row) {
    uint64_t state = seed * 0x9E3779B97F4A7C15u + (uint64_t)step * 1000003u + (uint64_t)row * 7919u;
    test_random(&state);
    test_random(&state);
    return test_random(&state);
}

// The inputs of a row do not depend on how many rows there are.
static inline void compare_inputs(const Compare *c, int step, CompareInputs *in) {
    static const float deltas[2][8] = { { 0.25f, 0.125f, 0.5f, 1.0f, 0.25f, 0.0625f, 0.0f,
                                          2.0f }, // sums are exact
                                        { 0.1f, 1.0f / 60, 0.33333f, 0.7f, 0.1f, 0.016f, 0.0f, 1.9f } };
    in->delta = deltas[c->seed % 2][compare_mix(c->seed, step, -1) % 8];
    for (int row = 0; row < c->rows; row++) {
        uint32_t r = compare_mix(c->seed, step, row), s = compare_mix(c->seed + 1, step, row);
        in->a[row] = 0.5f * (float)((int)(r % 13) - 6);
        in->b[row] = 0.1f * (float)((int)(r / 13 % 41) - 20);
        in->c[row] = s % 3 == 0;
        in->d[row] = (int32_t)(s / 3 % 9) - 4;
        in->event[row] = s / 32 % 3 == 0;
        in->event_value[row] = 0.5f * (float)((int)(s / 128 % 9) - 4);
        in->signal[row] = s / 2048 % 4 == 0;
    }
}

static inline const Value *compare_input(const CompareInputs *in, int row) {
    Value *tuple = value_new(VALUE_TUPLE, 6);
    tuple->of[0] = value_float(in->a[row]);
    tuple->of[1] = value_float(in->b[row]);
    tuple->of[2] = value_bool(in->c[row]);
    tuple->of[3] = value_int(in->d[row]);
    tuple->of[4] = in->event[row] ? value_event(value_float(in->event_value[row])) : &value_no_event;
    tuple->of[5] = in->signal[row] ? value_event(&value_unit) : &value_no_event;
    return tuple;
}

// ---- Outputs ----------------------------------------------------------------------------------------------------

typedef struct CompareOutputs {
    _Alignas(16) uint8_t bytes[COMPARE_LEAVES][COMPARE_ROWS * 8];
} CompareOutputs;

static inline int compare_leaves(const Type *type) {
    if (type->kind == TYPE_UNIT) return 0;
    if (type_is_plain(type)) return 1;
    int count = type->kind == TYPE_EVENT || type->kind == TYPE_EITHER ? 1 : 0;
    for (int i = 0; i < type->count; i++) count += compare_leaves(type->of[i]);
    return count;
}

// The value that a row has in the outputs. `leaf` is the first leaf, and is advanced.
static inline const Value *compare_read(const CompareOutputs *out, const Type *type, int row, int *leaf) {
    if (type->kind == TYPE_UNIT) return &value_unit;
    if (type_is_plain(type)) {
        const uint8_t *bytes = out->bytes[(*leaf)++] + (size_t)row * value_size(type->kind);
        return value_from_bytes(type->kind, bytes);
    }
    if (type->kind == TYPE_EVENT) {
        uint8_t present = out->bytes[(*leaf)++][row];
        const Value *value = compare_read(out, type->of[0], row, leaf);
        return present ? value_event(value) : &value_no_event;
    }
    if (type->kind == TYPE_EITHER) {
        uint8_t left = out->bytes[(*leaf)++][row];
        const Value *a = compare_read(out, type->of[0], row, leaf),
                    *b = compare_read(out, type->of[1], row, leaf);
        return value_of1(left ? VALUE_LEFT : VALUE_RIGHT, left ? a : b);
    }
    Value *tuple = value_new(VALUE_TUPLE, type->count);
    for (int i = 0; i < type->count; i++) tuple->of[i] = compare_read(out, type->of[i], row, leaf);
    return tuple;
}

// ---- Running ----------------------------------------------------------------------------------------------------

typedef struct CompareExpected {
    const Value *value[COMPARE_STEPS][COMPARE_ROWS];
    bool overflow[COMPARE_STEPS][COMPARE_ROWS];
} CompareExpected;

// False if the switches of a row chase each other.
static inline bool compare_interpret(const Compare *c, const Program *program, CompareExpected *expected) {
    Env *env = value_allocate(sizeof *env);
    env->program = program;
    const Machine *machines[COMPARE_ROWS];
    denote_overflow = false;
    const Machine *root = machine_compose(machine_arr(denote_enter_of, NULL), denote(program->root, env));
    for (int row = 0; row < c->rows; row++) machines[row] = root;
    for (int step = 0; step < c->steps; step++) {
        CompareInputs in;
        compare_inputs(c, step, &in);
        for (int row = 0; row < c->rows; row++) {
            machine_switches = 0;
            machine_chasing = false;
            denote_overflow = false;
            Output out = machine_step(machines[row], (double)in.delta, compare_input(&in, row));
            if (machine_chasing) return false;
            machines[row] = out.next;
            expected->value[step][row] = out.value;
            expected->overflow[step][row] = denote_overflow;
        }
    }
    return true;
}

// Steps rows [from, to).
static inline FiloResult compare_step(const FiloNetwork *network, uint8_t *states, const CompareInputs *in,
                                      CompareOutputs *out, const Type *type, int from, int to) {
    FiloSfRows rows = { .count = (size_t)(to - from),
                        .states = states + (size_t)from * filo_network_state_size(network),
                        .delta = in->delta,
                        .inputs = { in->a + from, in->b + from, in->c + from, in->d + from, in->event + from,
                                    in->event_value + from, in->signal + from } };
    FiloSfLeaf leaves[COMPARE_LEAVES];
    size_t count = filo_network_outputs(network, leaves, COMPARE_LEAVES);
    assert_int_equal(count, compare_leaves(type));
    for (size_t i = 0; i < count; i++)
        rows.outputs[i] = out->bytes[i] + (size_t)from * (leaves[i].presence ? 1 : leaves[i].type->size);
    return filo_network_step(network, &rows);
}

static inline void compare_report(const Compare *c, const CompareExpected *expected, int step, int row,
                                  const Value *got, const Program *program) {
    if (c->quiet) return;
    fprintf(stderr, "seed %llu, row %d of %d, step %d: expected ", (unsigned long long)c->seed, row, c->rows,
            step);
    value_print(expected->value[step][row]);
    fputs(", got ", stderr);
    value_print(got);
    fputs("\n", stderr);
    for (int i = 0; i <= step; i++) {
        CompareInputs in;
        compare_inputs(c, i, &in);
        fprintf(stderr, "  step %d delta %g in ", i, (double)in.delta);
        value_print(compare_input(&in, row));
        fputs(" out ", stderr);
        value_print(expected->value[i][row]);
        fputs("\n", stderr);
    }
    ast_print(program);
}

static inline CompareVerdict compare_network(const Compare *c, const Program *program,
                                             const FiloNetwork *network, const CompareExpected *expected) {
    CompareVerdict verdict = COMPARE_SAME;
    size_t size = filo_network_state_size(network) * (size_t)c->rows;
    uint8_t *states = calloc(1, size);
    int moved = (int)(compare_mix(c->seed, -5, 0) % (uint32_t)c->steps);
    CompareOutputs out;
    for (int step = 0; step < c->steps && verdict == COMPARE_SAME; step++) {
        CompareInputs in;
        compare_inputs(c, step, &in);
        memset(&out, 0xA5, sizeof out);
        if (step == moved) { // states are plain data
            uint8_t *copy = malloc(size);
            memcpy(copy, states, size);
            memset(states, 0xCD, size);
            free(states);
            states = copy;
        }
        int split = (int)(compare_mix(c->seed, step, -2) % (uint32_t)(c->rows + 1));
        for (int part = 0; part < 2; part++) {
            int from = part == 0 ? 0 : split, to = part == 0 ? split : c->rows;
            if (from == to) continue;
            FiloResult result = compare_step(network, states, &in, &out, program->root->type, from, to);
            bool overflow = false;
            for (int row = from; row < to; row++) overflow = overflow || expected->overflow[step][row];
            // A collection that no output depends on does not run.
            if (result.code != FILO_OK && !(overflow && result.code == FILO_ERROR_LIMIT)) {
                if (!c->quiet) {
                    fprintf(stderr, "step %d: expected %s, got %s: %s\n", step,
                            overflow ? "overflow" : "success", filo_code_name(result.code), result.message);
                    ast_print(program);
                }
                verdict = COMPARE_DIFFERENT;
            }
        }
        for (int row = 0; row < c->rows && verdict == COMPARE_SAME; row++) {
            int leaf = 0;
            const Value *got = compare_read(&out, program->root->type, row, &leaf);
            if (value_same(got, expected->value[step][row])) continue;
            verdict = COMPARE_DIFFERENT;
            compare_report(c, expected, step, row, got, program);
        }
    }
    free(states);
    return verdict;
}

static inline CompareVerdict compare_run(const Compare *c, Program *program) {
    static CompareExpected expected;
    if (!compare_interpret(c, program, &expected)) return COMPARE_CHASING;
    FiloSfBuilder *builder;
    FiloNetwork *network;
    FiloResult result = build_network(&network, program, &builder);
    if (result.code != FILO_OK) {
        if (!c->quiet) {
            fprintf(stderr, "seed %llu: %s\n", (unsigned long long)c->seed, result.message);
            ast_print(program);
        }
        filo_sf_builder_destroy(builder);
        return COMPARE_NOT_BUILT;
    }
    CompareVerdict verdict = compare_network(c, program, network, &expected);
    filo_network_destroy(network);
    filo_sf_builder_destroy(builder); // the edit functions name its branches
    return verdict;
}

// ---- Making a failing case smaller ------------------------------------------------------------------------------

typedef struct Shrink {
    Compare compare;
    Program *program;
    CompareVerdict verdict;
    int attempts;
} Shrink;

static inline bool shrink_still_fails(Shrink *s) {
    s->attempts++;
    return s->attempts < 4000 && compare_run(&s->compare, s->program) == s->verdict;
}

static inline bool shrink_try(Shrink *s, Node **slot, Node *replacement) {
    Node *before = *slot;
    if (replacement == NULL || replacement == before) return false;
    *slot = replacement;
    if (shrink_still_fails(s)) return true;
    *slot = before;
    return false;
}

static inline Node *shrink_simplest(const Type *type) {
    if (type->kind == TYPE_EVENT && (type_is_plain(type->of[0]) || type->of[0]->kind == TYPE_UNIT))
        return ast_new(OP_NEVER, type, NULL, NULL, NULL);
    if (!type_is_plain(type)) return NULL;
    Node *node = ast_new(OP_CONSTANT, type, NULL, NULL, NULL);
    node->value = value_zero(type);
    return node;
}

static inline bool shrink_slot(Shrink *s, Node **slot, bool root) {
    Node *node = *slot;
    if (node == NULL) return false;
    bool simple = node->op == OP_CONSTANT || node->op == OP_NEVER || node->op == OP_OLD ||
                  node->op == OP_OLD_EDITED || node->op == OP_INPUT;
    if (!simple && shrink_try(s, slot, shrink_simplest(node->type))) return true;
    for (int i = 0; i < 3 && node->op != OP_REC; i++)
        if (node->x[i] != NULL &&
            (type_equal(node->x[i]->type, node->type) ||
             (root && node->x[i]->type->kind != TYPE_LIST && compare_leaves(node->x[i]->type) <= 4)))
            if (shrink_try(s, slot, node->x[i])) return true;
    if (root)
        for (int i = 0; i < node->exit_count; i++)
            if (shrink_try(s, slot, node->exits[i].event)) return true;
    for (int i = 0; i < 3; i++)
        if (shrink_slot(s, &node->x[i], false)) return true;
    for (int i = 0; i < 2; i++)
        if (shrink_slot(s, &node->f[i], false)) return true;
    while (node->exit_count > 1) {
        node->exit_count--;
        if (shrink_still_fails(s)) return true;
        node->exit_count++;
        break;
    }
    for (int i = 0; i < node->exit_count; i++)
        if (shrink_slot(s, &node->exits[i].event, false)) return true;
    if (node->member_count > 0) {
        node->member_count--;
        if (shrink_still_fails(s)) return true;
        node->member_count++;
    }
    return false;
}

static inline void shrink(Shrink *s) {
    s->compare.quiet = true;
    for (int rows = 1; rows < s->compare.rows; rows = 2 * rows) {
        Compare before = s->compare;
        s->compare.rows = rows;
        if (shrink_still_fails(s)) break;
        s->compare = before;
    }
    bool smaller = true;
    while (smaller && s->attempts < 4000) {
        smaller = false;
        while (s->compare.steps > 1) {
            s->compare.steps--;
            if (shrink_still_fails(s)) continue;
            s->compare.steps++;
            break;
        }
        smaller = shrink_slot(s, &s->program->root, true);
        bool used[AST_BRANCHES] = { false };
        ast_mark_branches(s->program, s->program->root, used);
        for (int i = 0; i < s->program->branch_count && !smaller; i++)
            if (used[i]) smaller = shrink_slot(s, &s->program->branches[i].definition, false);
    }
}

// Runs one random network; on failure prints the smallest that fails too.
static inline CompareVerdict compare_case(uint64_t seed, int depth, int rows) {
    value_reset();
    Compare c = { .seed = seed, .rows = rows, .steps = COMPARE_STEPS, .quiet = true };
    Program *program = generate_program(seed, depth);
    CompareVerdict verdict = compare_run(&c, program);
    if (verdict == COMPARE_SAME || verdict == COMPARE_CHASING) return verdict;
    Shrink s = { .compare = c, .program = program, .verdict = verdict };
    shrink(&s);
    s.compare.quiet = false;
    fprintf(stderr, "random network %llu, made smaller:\n", (unsigned long long)seed);
    compare_run(&s.compare, s.program);
    return verdict;
}

#endif
