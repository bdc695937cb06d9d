// States are plain data; networks have a number that tells them apart; nothing is allocated while they run; and each
// allocation of building and compiling may fail.

#include "support/compare.h"
#include "support/malloc_count.h"

// ---- Copies -----------------------------------------------------------------------------------------------------

// Steps `states` from sample `from` to `to`, and gives a hash of all outputs that mean something.
static uint64_t run_part(const Compare *c, const Program *program, const FiloNetwork *network,
                         uint8_t *states, int from, int to) {
    static CompareOutputs out;
    uint64_t hash = 7;
    for (int step = from; step < to; step++) {
        CompareInputs in;
        compare_inputs(c, step, &in);
        memset(&out, 0, sizeof out);
        (void)compare_step(network, states, &in, &out, program->root->type, 0, c->rows);
        for (int i = 0; i < compare_leaves(program->root->type); i++)
            for (int k = 0; k < c->rows; k++) hash = hash * 1099511628211u ^ out.bytes[i][k];
    }
    return hash;
}

static void with_random_networks(int count, void (*check)(const Compare *, Program *, const FiloNetwork *)) {
    for (uint64_t seed = 1; seed <= (uint64_t)count; seed++) {
        value_reset();
        Compare c = { .seed = seed, .rows = 3, .steps = COMPARE_STEPS, .quiet = true };
        Program *program = generate_program(seed * 31, 4);
        FiloSfBuilder *builder;
        FiloNetwork *network;
        assert_ok(build_network(&network, program, &builder));
        check(&c, program, network);
        filo_network_destroy(network);
        filo_sf_builder_destroy(builder);
    }
    value_free();
}

static void check_copy(const Compare *c, Program *program, const FiloNetwork *network) {
    size_t size = filo_network_state_size(network) * (size_t)c->rows;
    uint8_t *states = calloc(1, size), *copy = malloc(size + 64);
    (void)run_part(c, program, network, states, 0, 10);
    memcpy(copy + 16, states, size); // elsewhere
    uint64_t first = run_part(c, program, network, states, 10, c->steps);
    uint64_t second = run_part(c, program, network, copy + 16, 10, c->steps);
    assert_true(first == second);
    assert_memory_equal(states, copy + 16, size); // even their states are the same
    free(states);
    free(copy);
}

FILO_TEST(a_copy_of_a_state_goes_on_in_the_same_way) { with_random_networks(300, check_copy); }

// Copies only what the description describes, into other memory.
static void copy_described(const FiloType *type, const uint8_t *from, uint8_t *to) {
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *f = &type->fields[i];
        memcpy(to + f->offset, from + f->offset, filo_field_type(f)->size * (f->count > 0 ? f->count : 1));
    }
}

static void check_description(const Compare *c, Program *program, const FiloNetwork *network) {
    const FiloType *type = filo_network_state_type(network);
    size_t one = filo_network_state_size(network), size = one * (size_t)c->rows;
    assert_int_equal(type->size, one);
    assert_int_equal(one % 8, 0);
    assert_true(type->align <= 8);
    assert_string_equal(type->fields[0].name, "network");
    uint8_t *states = calloc(1, size), *copy = calloc(1, size);
    for (int row = 0; row < c->rows; row++)
        assert_true(filo_reflect_equal(type, states, states + (size_t)row * one));
    (void)run_part(c, program, network, states, 0, 10);
    for (int row = 0; row < c->rows; row++) {
        uint8_t *from = states + (size_t)row * one, *to = copy + (size_t)row * one;
        copy_described(type, from, to);
        uint64_t number = 0;
        memcpy(&number, from, sizeof number);
        assert_int_equal(number, filo_network_id(network));
        assert_true(filo_reflect_equal(type, from, to));
        assert_true(filo_reflect_hash(type, from, 1) == filo_reflect_hash(type, to, 1));
    }
    assert_true(run_part(c, program, network, states, 10, c->steps) ==
                run_part(c, program, network, copy, 10, c->steps));
    for (int row = 0; row < c->rows; row++)
        assert_true(filo_reflect_hash(type, states + (size_t)row * one, 1) ==
                    filo_reflect_hash(type, copy + (size_t)row * one, 1));
    free(states);
    free(copy);
}

FILO_TEST(the_description_has_everything_that_a_state_consists_of) {
    with_random_networks(300, check_description);
}

static FiloNetwork *sum_network(float scale, const char *name) {
    FiloSfBuilder *b = filo_sf_builder_create(
        &(FiloSfBuilderDesc){ .name = name, .inputs = { { .name = "x", .type = FILO_TYPE(float) } } });
    FiloNetwork *network;
    FiloSf sum = filo_sf_named(filo_sf_integral(filo_sf_scale(filo_sf_input(b), scale)), name);
    assert_ok(filo_network_create(&network, sum, NULL));
    filo_sf_builder_destroy(b);
    return network;
}

FILO_TEST(objects_with_the_same_past_have_the_same_hash_and_others_do_not) {
    FiloNetwork *network = sum_network(1, "sum");
    const FiloType *type = filo_network_state_type(network);
    size_t size = filo_network_state_size(network);
    uint8_t *states = calloc(3, size);
    static const float inputs[][3] = { { 1, 1, 2 }, { 3, 3, 3 }, { 0, 0, 0 } };
    for (int step = 0; step < 3; step++)
        assert_ok(filo_network_step(
            network, &(FiloSfRows){ .count = 3, .states = states, .delta = 1, .inputs = { inputs[step] } }));
    assert_true(filo_reflect_hash(type, states, 0) == filo_reflect_hash(type, states + size, 0));
    assert_true(filo_reflect_hash(type, states, 0) != filo_reflect_hash(type, states + 2 * size, 0));
    free(states);
    filo_network_destroy(network);
}

// ---- Numbers of networks ----------------------------------------------------------------------------------------

FILO_TEST(the_number_of_a_network_depends_on_its_meaning_alone) {
    FiloNetwork *a = sum_network(2, "a"), *b = sum_network(2, "b"), *c = sum_network(3, "a");
    assert_int_equal(filo_network_id(a), filo_network_id(b)); // names do not count
    assert_int_not_equal(filo_network_id(a), filo_network_id(c));
    assert_string_equal(filo_network_name(a), "a");
    filo_network_destroy(a);
    filo_network_destroy(b);
    filo_network_destroy(c);
}

FILO_TEST(each_random_network_has_a_number_of_its_own_and_keeps_it) {
    enum { COUNT = 400 };
    static uint32_t ids[COUNT];
    int same = 0;
    for (int i = 0; i < COUNT; i++) {
        for (int again = 0; again < 2; again++) {
            value_reset();
            FiloSfBuilder *builder;
            FiloNetwork *network;
            Program *program = generate_program((uint64_t)i * 17 + 3, 5);
            assert_ok(build_network(&network, program, &builder));
            uint32_t id = filo_network_id(network);
            assert_int_not_equal(id, 0);
            if (again) assert_int_equal(id, ids[i]);
            ids[i] = id;
            filo_network_destroy(network);
            filo_sf_builder_destroy(builder);
        }
        for (int k = 0; k < i; k++) same += ids[k] == ids[i];
    }
    value_free();
    assert_in_range(same, 0, 40); // the generator makes some trivial networks twice
}

FILO_TEST(a_state_of_another_network_is_reported_and_started_again) {
    FiloNetwork *network = sum_network(2, "sum"), *other = sum_network(3, "other");
    enum { ROWS = 70 };
    size_t size = filo_network_state_size(network);
    assert_int_equal(size, filo_network_state_size(other));
    uint8_t *states = calloc(ROWS, size);
    float one = 1, out[ROWS];
    FiloSfRows rows = {
        .count = ROWS, .states = states, .delta = 1, .inputs = { &one }, .same = { true }, .outputs = { out }
    };
    for (int step = 0; step < 3; step++) assert_ok(filo_network_step(network, &rows));
    for (int i = 0; i < ROWS; i++) assert_true(out[i] == 4);
    FiloSfRows some = rows;
    some.count = 3;
    some.states = states + 40 * size;
    memset(some.states, 0, 3 * size);
    assert_ok(filo_network_step(other, &some)); // rows 40 to 42 now belong to it
    FiloResult result = filo_network_step(network, &rows);
    assert_error(result, FILO_ERROR_DATA, "another network");
    for (int i = 0; i < ROWS; i++) assert_true(out[i] == (i >= 40 && i < 43 ? 0 : 6));
    assert_ok(filo_network_step(network, &rows));
    for (int i = 0; i < ROWS; i++) assert_true(out[i] == (i >= 40 && i < 43 ? 2 : 8));
    free(states);
    filo_network_destroy(network);
    filo_network_destroy(other);
}

// ---- Allocations ------------------------------------------------------------------------------------------------

static void check_no_allocation(const Compare *c, Program *program, const FiloNetwork *network) {
    uint8_t *states = calloc((size_t)c->rows, filo_network_state_size(network));
    static CompareInputs inputs[COMPARE_STEPS];
    static CompareOutputs out;
    for (int step = 0; step < c->steps; step++) compare_inputs(c, step, &inputs[step]);
    uint64_t before = filo_test_malloc_calls();
    for (int step = 0; step < c->steps; step++)
        (void)compare_step(network, states, &inputs[step], &out, program->root->type, 0, c->rows);
    assert_int_equal(filo_test_malloc_calls(), before);
    free(states);
}

FILO_TEST(steps_do_not_allocate) { with_random_networks(200, check_no_allocation); }

// Something of everything: switches, a frozen function, a collection, lists, a loop, a pause.
FILO_SF_FUNCTION2(added, float, float, a, float, b) { return a + b; }
static void add_one(FiloSfMembers *members, const void *value);
static FiloSfBranch added_kind;

static FiloSf everything(FiloSfBuilder *b) {
    FiloSf x = filo_sf_in(b, 0), e = filo_sf_in(b, 1);
    FiloSfBranch flying = filo_sf_branch(b, "flying", FILO_TYPE(float)),
                 resting = filo_sf_branch(b, "resting", NULL),
                 kept = filo_sf_branch(b, "kept", FILO_TYPE(float)),
                 member = filo_sf_branch(b, "member", FILO_TYPE(float));
    FiloSf speed = filo_sf_rec(b, FILO_TYPE(float));
    filo_sf_close(speed, filo_sf_integral(filo_sf_sub(x, speed)));
    filo_sf_define(flying,
                   filo_sf_switch(filo_sf_add(filo_sf_parameter(flying), speed), FILO_ON(e, resting)));
    filo_sf_define(resting, filo_sf_switch(filo_sf_delay(x, 1, FILO_SF(float, 0), 4),
                                           FILO_ON(filo_sf_not_yet(e), flying)));
    filo_sf_define(kept, filo_sf_old(kept));
    filo_sf_define(member, filo_sf_add(filo_sf_parameter(member), filo_sf_integral(filo_sf_input(b))));
    added_kind = member;
    FiloSfMember first = { member, FILO_SF(float, 1) };
    FiloSfCollection c = { .capacity = 3, .kinds = { member }, .initial = &first, .initial_count = 1 };
    FiloSf all[] = {
        filo_sf_start(flying, FILO_SF(float, 2)),
        filo_sf_fold(filo_sf_rp_switch(x, &c, e, add_one), FILO_SF(float, 0), &added),
        filo_sf_k_switch(filo_sf_integral(x), FILO_ON(e, kept)),
        filo_sf_pause(filo_sf_is_event(e), x, FILO_SF(float, 0), filo_sf_time(b)),
        filo_sf_fold(filo_sf_sample_window(x, 3, 1), FILO_SF(float, 0), &added),
        filo_sf_provided(filo_sf_less(x, speed), x, speed),
    };
    return filo_sf_named(filo_sf_tuple(b, all, FILO_COUNT_OF(all)), "everything");
}
static void add_one(FiloSfMembers *members, const void *value) {
    if (filo_sf_members_count(members) < 3)
        filo_sf_members_add(members, added_kind, FILO_SF(float, *(const float *)value));
}

static const FiloSfBuilderDesc everything_desc = {
    .name = "everything",
    .inputs = { { .name = "x", .type = NULL, .event = true }, { .name = "e", .type = NULL, .event = true } },
};

FILO_TEST(each_allocation_of_building_and_compiling_may_fail) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    size_t attempts = 0;
    for (size_t fail_at = 0; more; fail_at++, attempts++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloSfBuilderDesc desc = everything_desc;
        desc.inputs[0] = (FiloSfInput){ .name = "x", .type = FILO_TYPE(float) };
        desc.inputs[1].type = FILO_TYPE(float);
        desc.allocator = &failing.allocator;
        FiloSfBuilder *b = filo_sf_builder_create(&desc);
        FiloNetwork *network = NULL;
        if (b != NULL) {
            FiloResult result = filo_network_create(&network, everything(b), &failing.allocator);
            filo_sf_builder_destroy(b);
            more = failing.calls > fail_at;
            assert_int_equal(result.code, more ? FILO_ERROR_MEMORY : FILO_OK);
            assert_true((network == NULL) == more);
        }
        filo_network_destroy(network);
        assert_int_equal(failing.blocks, 0);
    }
    filo_fault_set_handler(before);
    assert_in_range(attempts, 20, 100000);
}

FILO_TEST(a_builder_without_memory_for_one_node_stays_usable_to_report_it) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    FailingAllocator scarce = FAILING_AT(scarce, SIZE_MAX);
    FiloSfBuilderDesc desc = { .inputs = { { .name = "x", .type = FILO_TYPE(float) } },
                               .allocator = &scarce.allocator };
    FiloSfBuilder *b = filo_sf_builder_create(&desc);
    FiloSf x = filo_sf_input(b);
    failing_allow(&scarce, 0);
    for (int i = 0; i < 5000; i++) x = filo_sf_negate(x);
    assert_true(failing_end(&scarce));
    FiloNetwork *network;
    assert_int_equal(filo_network_create(&network, x, NULL).code, FILO_ERROR_MEMORY);
    assert_null(network);
    filo_sf_builder_destroy(b);
    assert_int_equal(scarce.blocks, 0);
    filo_fault_set_handler(before);
}
