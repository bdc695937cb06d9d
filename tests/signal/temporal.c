#include "embed_fixture.h"

// ---- Traces of letters ------------------------------------------------------------------------------------------

// The output is two bools, p and q; p is the first leaf.
static FiloSf both(FiloSfBuilder *b) { return filo_sf_input(b); }
static const FiloSfBuilderDesc two_bools = {
    .name = "test",
    .inputs = { { .name = "p", .type = NULL }, { .name = "q", .type = NULL } },
};

static FiloNetwork *bools_network(FiloSf (*write)(FiloSfBuilder *b)) {
    FiloSfBuilderDesc desc = two_bools;
    desc.inputs[0].type = desc.inputs[1].type = FILO_TYPE(bool);
    return make_network(&desc, write);
}

// A sample for each letter, a second apart: 'p', 'q', '2' for both, '.' for none.
static FiloTrace trace_of(const char *letters) {
    FiloNetwork *network = bools_network(both);
    bool p[64], q[64];
    size_t count = strlen(letters);
    assert_true(count > 0 && count <= 64);
    for (size_t i = 0; i < count; i++) {
        p[i] = letters[i] == 'p' || letters[i] == '2';
        q[i] = letters[i] == 'q' || letters[i] == '2';
    }
    FiloTrace trace = { 0 };
    assert_ok(filo_embed(network, &(FiloStream){ .count = count - 1, .delta = 1, .inputs = { p, q } },
                         &(FiloEmbed){ .trace = &trace }));
    filo_network_destroy(network);
    return trace;
}

#define P FILO_OUTPUT(0)
#define Q FILO_OUTPUT(1)

// The sample at which a formula fails; -1: it is true.
static int fails_at(const char *letters, const FiloTemporal *formula) {
    FiloTrace trace = trace_of(letters);
    size_t sample = 1000;
    FiloResult r = filo_trace_check(&trace, formula, &sample);
    assert_true(r.code == FILO_OK || r.code == FILO_ERROR_DATA);
    assert_true((r.code == FILO_OK) == (sample == 1000));
    filo_trace_deinit(&trace);
    return r.code == FILO_OK ? -1 : (int)sample;
}

// ---- The future -------------------------------------------------------------------------------------------------

FILO_TEST(an_output_is_taken_at_the_first_sample) {
    assert_int_equal(fails_at("p.", P), -1);
    assert_int_equal(fails_at(".p", P), 0);
    assert_int_equal(fails_at("p", Q), 0);
}

FILO_TEST(logic_combines_formulas) {
    assert_int_equal(fails_at("2", FILO_AND(P, Q)), -1);
    assert_int_equal(fails_at("p", FILO_AND(P, Q)), 0);
    assert_int_equal(fails_at("q", FILO_OR(P, Q)), -1);
    assert_int_equal(fails_at(".", FILO_OR(P, Q)), 0);
    assert_int_equal(fails_at(".", FILO_NOT(P)), -1);
    assert_int_equal(fails_at("p", FILO_NOT(P)), 0);
    assert_int_equal(fails_at(".", FILO_IMPLIES(P, Q)), -1);
    assert_int_equal(fails_at("q", FILO_IMPLIES(P, Q)), -1);
    assert_int_equal(fails_at("2", FILO_IMPLIES(P, Q)), -1);
    assert_int_equal(fails_at("p", FILO_IMPLIES(P, Q)), 0);
}

FILO_TEST(next_is_true_at_the_end) {
    assert_int_equal(fails_at(".p", FILO_NEXT(P)), -1);
    assert_int_equal(fails_at("p.", FILO_NEXT(P)), 1);
    assert_int_equal(fails_at(".", FILO_NEXT(P)), -1);
    assert_int_equal(fails_at("..p", FILO_NEXT(FILO_NEXT(P))), -1);
}

FILO_TEST(always_fails_at_the_first_sample_that_is_wrong) {
    assert_int_equal(fails_at("pppp", FILO_ALWAYS(P)), -1);
    assert_int_equal(fails_at("pp.p.", FILO_ALWAYS(P)), 2);
    assert_int_equal(fails_at("pppq", FILO_ALWAYS(FILO_NOT(Q))), 3);
}

FILO_TEST(eventually_needs_one_sample) {
    assert_int_equal(fails_at("...p", FILO_EVENTUALLY(P)), -1);
    assert_int_equal(fails_at("p...", FILO_EVENTUALLY(P)), -1);
    assert_int_equal(fails_at("....", FILO_EVENTUALLY(P)), 0);
    // Again and again: at the sample from which on it does not occur any more.
    assert_int_equal(fails_at(".p.p..", FILO_ALWAYS(FILO_EVENTUALLY(P))), 4);
}

FILO_TEST(until_may_wait_for_ever) {
    assert_int_equal(fails_at("ppq.", FILO_UNTIL(P, Q)), -1);
    assert_int_equal(fails_at("q...", FILO_UNTIL(P, Q)), -1);
    assert_int_equal(fails_at("pppp", FILO_UNTIL(P, Q)), -1);
    assert_int_equal(fails_at("pp.q", FILO_UNTIL(P, Q)), 2);
    assert_int_equal(fails_at(".", FILO_UNTIL(P, Q)), 0);
}

FILO_TEST(within_counts_seconds) {
    assert_int_equal(fails_at("..p", FILO_WITHIN(2, P)), -1);
    assert_int_equal(fails_at("...p", FILO_WITHIN(2, P)), 0);
    assert_int_equal(fails_at("p", FILO_WITHIN(0, P)), -1);
    assert_int_equal(fails_at("..", FILO_WITHIN(2, P)), 0); // the trace ends
    // Each p is followed by a q within two seconds.
    const FiloTemporal *answer = FILO_ALWAYS(FILO_IMPLIES(P, FILO_WITHIN(2, Q)));
    assert_int_equal(fails_at("p.q.p.q", answer), -1);
    assert_int_equal(fails_at("p.q.p..q", answer), 4);
    // For two seconds at least.
    assert_int_equal(fails_at("ppp.", FILO_NOT(FILO_WITHIN(2, FILO_NOT(P)))), -1);
    assert_int_equal(fails_at("pp..", FILO_NOT(FILO_WITHIN(2, FILO_NOT(P)))), 0);
}

static bool is_third(const FiloTrace *trace, size_t sample) { return trace->times[sample] == 2; }

FILO_TEST(a_function_of_a_sample_can_be_used) {
    assert_int_equal(fails_at("..p..", FILO_ALWAYS(FILO_IMPLIES(P, FILO_HOLDS(is_third)))), -1);
    assert_int_equal(fails_at("..pp.", FILO_ALWAYS(FILO_IMPLIES(P, FILO_HOLDS(is_third)))), 3);
}

FILO_TEST(the_message_names_sample_time_and_part) {
    FiloTrace trace = trace_of("pp.p");
    assert_error(filo_trace_check(&trace, FILO_ALWAYS(P), NULL), FILO_ERROR_DATA,
                 "sample 2 (2 s): output 0 is false, in always(output 0)");
    assert_ok(filo_trace_check(&trace, FILO_ALWAYS(FILO_IMPLIES(FILO_NOT(P), FILO_HOLDS(is_third))), NULL));
    assert_error(filo_trace_check(&trace, FILO_ALWAYS(FILO_IMPLIES(P, FILO_HOLDS(is_third))), NULL),
                 FILO_ERROR_DATA,
                 "sample 0 (0 s): is_third is false, in always(implies(output 0, is_third))");
    assert_error(filo_trace_check(&trace, FILO_EVENTUALLY(Q), NULL), FILO_ERROR_DATA,
                 "sample 0 (0 s): output 1 is never true from here on");
    assert_error(filo_trace_check(&trace, FILO_WITHIN(1.5f, Q), NULL), FILO_ERROR_DATA,
                 "output 1 is not true within 1.5 s, in within(1.5 s, output 1)");
    assert_error(filo_trace_check(&trace, FILO_WITHIN(9, Q), NULL), FILO_ERROR_DATA,
                 "output 1 is not true within 9 s, and the trace ends");
    assert_error(filo_trace_check(&trace, FILO_NOT(P), NULL), FILO_ERROR_DATA, "output 0 is true, in not(");
    assert_error(filo_trace_check(&trace, FILO_OR(Q, FILO_NOT(P)), NULL), FILO_ERROR_DATA,
                 "or(output 1, not(output 0)) is false");
    filo_trace_deinit(&trace);
}

FILO_TEST(a_formula_is_printed) {
    FiloBuilder text = { 0 };
    const FiloTemporal *all =
        FILO_AND(FILO_NEXT(FILO_ALWAYS(P)), FILO_UNTIL(FILO_WITHIN(0.25f, Q), FILO_HOLDS(is_third)));
    assert_true(filo_temporal_print(all, &text));
    assert_string_equal(filo_builder_text(&text),
                        "and(next(always(output 0)), until(within(0.25 s, output 1), is_third))");
    filo_builder_deinit(&text);
    expect_fault("pass a formula", filo_temporal_print(NULL, &text));
}

FILO_TEST(a_long_formula_is_cut_in_the_message) {
    FiloTemporal chain[200];
    for (size_t i = 0; i < 199; i++)
        chain[i] = (FiloTemporal){ .kind = FILO_TEMPORAL_ALWAYS, .a = &chain[i + 1] };
    chain[199] = *P;
    FiloTrace trace = trace_of("p.");
    FiloResult r = filo_trace_check(&trace, chain, NULL);
    assert_error(r, FILO_ERROR_DATA, "sample 1 (1 s): output 0 is false, in always(always(");
    assert_contains(r.message, "…");
    filo_trace_deinit(&trace);
}

FILO_TEST(misuse_of_a_formula_is_reported) {
    FiloTrace trace = trace_of("pp"), empty = { 0 };
    expect_mistake("pass a trace and a formula", filo_trace_check(NULL, P, NULL));
    expect_mistake("pass a trace and a formula", filo_trace_check(&trace, NULL, NULL));
    expect_mistake("the trace has no samples", filo_trace_check(&empty, P, NULL));
    expect_mistake("a part that is missing", filo_trace_check(&trace, FILO_ALWAYS(NULL), NULL));
    expect_mistake("a part that is missing", filo_trace_check(&trace, FILO_AND(P, NULL), NULL));
    expect_mistake("pass a function to FILO_HOLDS", filo_trace_check(&trace, FILO_HOLDS(NULL), NULL));
    FiloTemporal circle = { .kind = FILO_TEMPORAL_NOT };
    circle.a = &circle;
    expect_mistake("more than 256 parts", filo_trace_check(&trace, &circle, NULL));
    assert_error(filo_trace_check(&trace, FILO_OUTPUT(2), NULL), FILO_ERROR_KIND,
                 "FILO_OUTPUT(2): the trace has 2 leaves");
    filo_trace_deinit(&trace);
}

static FiloSf identity(FiloSfBuilder *b) { return filo_sf_input(b); }

FILO_TEST(only_bools_and_events_are_outputs_of_formulas) {
    FiloSfBuilderDesc desc = with_input(FILO_TYPE(float), true);
    FiloNetwork *network = make_network(&desc, identity);
    FiloTrace trace = { 0 };
    uint8_t present[] = { 0, 1 };
    assert_ok(filo_embed(network, &(FiloStream){ .count = 1, .delta = 1, .inputs = { present } },
                         &(FiloEmbed){ .trace = &trace }));
    assert_ok(filo_trace_check(&trace, FILO_NEXT(FILO_OUTPUT(0)), NULL));
    assert_error(filo_trace_check(&trace, FILO_OUTPUT(1), NULL), FILO_ERROR_KIND,
                 "the leaf is a float, neither a bool nor an event");
    filo_trace_deinit(&trace);
    filo_network_destroy(network);
}

FILO_TEST(a_check_without_memory_says_so) {
    FiloTrace trace = trace_of("pp.");
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloTrace view = trace;
        view.allocator = &failing.allocator;
        FiloResult r = filo_trace_check(&view, FILO_ALWAYS(P), NULL);
        if (fail_at == 0)
            assert_error(r, FILO_ERROR_MEMORY, "no memory to check 3 samples");
        else
            assert_error(r, FILO_ERROR_DATA,
                         "sample 2 (2 s): "); // at most the text of the formula is missing
        assert_int_equal(failing.blocks, 0);
        more = failing.calls > fail_at;
    }
    filo_trace_deinit(&trace);
}

// ---- Against the definition -------------------------------------------------------------------------------------

// The textbook's definition, sample by sample.
static bool holds(const FiloTrace *t, const FiloTemporal *p, size_t i) {
    bool last = i + 1 == t->count;
    switch (p->kind) {
    case FILO_TEMPORAL_OUTPUT: return filo_trace_value(t, p->leaf, i, bool);
    case FILO_TEMPORAL_NOT: return !holds(t, p->a, i);
    case FILO_TEMPORAL_AND: return holds(t, p->a, i) && holds(t, p->b, i);
    case FILO_TEMPORAL_OR: return holds(t, p->a, i) || holds(t, p->b, i);
    case FILO_TEMPORAL_IMPLIES: return !holds(t, p->a, i) || holds(t, p->b, i);
    case FILO_TEMPORAL_NEXT: return last || holds(t, p->a, i + 1);
    case FILO_TEMPORAL_ALWAYS: return holds(t, p->a, i) && (last || holds(t, p, i + 1));
    case FILO_TEMPORAL_EVENTUALLY: return holds(t, p->a, i) || (!last && holds(t, p, i + 1));
    case FILO_TEMPORAL_UNTIL: return holds(t, p->b, i) || (holds(t, p->a, i) && (last || holds(t, p, i + 1)));
    default:
        for (size_t k = i; k < t->count && t->times[k] - t->times[i] <= (double)p->seconds; k++)
            if (holds(t, p->a, k)) return true;
        return false;
    }
}

FILO_TEST(random_formulas_agree_with_the_definition) {
    FiloRandom random = filo_random_sequence(7);
    int truths = 0;
    for (int round = 0; round < 2000; round++) {
        char letters[12] = { 0 };
        uint32_t length = 1 + filo_random_below(&random, 10);
        for (uint32_t i = 0; i < length; i++) letters[i] = "pq2."[filo_random_below(&random, 4)];
        FiloTemporal parts[6]; // each uses those after it
        for (size_t i = 6; i-- > 0;) {
            uint32_t kind = 2 + filo_random_below(&random, FILO_TEMPORAL_KIND_COUNT - 2);
            parts[i] = (FiloTemporal){ .kind = (FiloTemporalKind)kind, .seconds = 2 };
            if (i >= 4) {
                parts[i] = i == 4 ? *P : *Q;
                continue;
            }
            parts[i].a = &parts[i + 1 + filo_random_below(&random, (uint32_t)(5 - i))];
            parts[i].b = &parts[i + 1 + filo_random_below(&random, (uint32_t)(5 - i))];
        }
        FiloTrace trace = trace_of(letters);
        size_t sample = 0;
        bool expected = holds(&trace, parts, 0);
        assert_int_equal(filo_trace_check(&trace, parts, &sample).code == FILO_OK, expected);
        assert_true(sample < trace.count);
        truths += expected;
        filo_trace_deinit(&trace);
    }
    assert_true(truths > 200 && truths < 1800);
}

// ---- The past ---------------------------------------------------------------------------------------------------

static FiloSf so_far(FiloSfBuilder *b) { return filo_sf_so_far(filo_sf_in(b, 0)); }
static FiloSf ever(FiloSfBuilder *b) { return filo_sf_ever(filo_sf_in(b, 0)); }
static FiloSf last_false(FiloSfBuilder *b) { return filo_sf_last(filo_sf_in(b, 0), false); }
static FiloSf last_true(FiloSfBuilder *b) { return filo_sf_last(filo_sf_in(b, 0), true); }
static FiloSf since(FiloSfBuilder *b) { return filo_sf_since(filo_sf_in(b, 0), filo_sf_in(b, 1)); }
static FiloSf until(FiloSfBuilder *b) { return filo_sf_until(filo_sf_in(b, 0), filo_sf_in(b, 1)); }
static FiloSf implies(FiloSfBuilder *b) { return filo_sf_implies(filo_sf_in(b, 0), filo_sf_in(b, 1)); }

// Compares the outputs with '1' and '0'.
static void expect_past(FiloSf (*write)(FiloSfBuilder *b), const char *letters, const char *expected) {
    FiloNetwork *network = bools_network(write);
    bool p[64], q[64], result[64];
    size_t count = strlen(letters);
    for (size_t i = 0; i < count; i++) {
        p[i] = letters[i] == 'p' || letters[i] == '2';
        q[i] = letters[i] == 'q' || letters[i] == '2';
    }
    assert_ok(filo_embed(network, &(FiloStream){ .count = count - 1, .delta = 1, .inputs = { p, q } },
                         &(FiloEmbed){ .outputs = { result } }));
    char shown[64] = { 0 };
    for (size_t i = 0; i < count; i++) shown[i] = result[i] ? '1' : '0';
    assert_string_equal(shown, expected);
    filo_network_destroy(network);
}

FILO_TEST(the_past_is_remembered_from_time_zero_on) {
    expect_past(so_far, "pp.pp", "11000");
    expect_past(so_far, ".ppp", "0000");
    expect_past(ever, "..p..", "00111");
    expect_past(ever, "p..", "111");
    expect_past(last_false, "p.pp.", "01011");
    expect_past(last_true, ".p.", "101");
    expect_past(implies, "p.q2", "0111");
}

FILO_TEST(since_needs_the_second_and_then_the_first) {
    expect_past(since, "ppqpp.pq", "00111001");
    expect_past(since, "qp..", "1100");
    expect_past(since, "2p2p", "1111");
}

FILO_TEST(until_in_the_past_switches_to_the_second_for_good) {
    expect_past(until, "pppp", "1111");
    expect_past(until, "ppqq2q", "111111");
    expect_past(until, "ppqp", "1110"); // the second has to stay
    expect_past(until, "p.qq", "1000"); // too late
    expect_past(until, "qqq", "111");
    expect_past(until, "qq.q", "1100");
}
