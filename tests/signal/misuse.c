// Mistakes while a network is written and while it is stepped: each is reported, by names, and harms nothing.

#include "support/embed.h"

#include <float.h>

FILO_SF_FUNCTION(squared, float, float, x) { return x * x; }
FILO_SF_FUNCTION2(plus, float, float, a, float, b) { return a + b; }
FILO_SF_PREDICATE(is_low, float, x) { return x < 1; }

// The inputs of the builder, which the expression may use.
#define REFUSED(inputs, code, message, ...)                                                                  \
    do {                                                                                                     \
        FiloSfBuilder *b = embed_builder(inputs);                                                            \
        FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1);                                                   \
        (void)x, (void)y;                                                                                    \
        embed_refused(b, __VA_ARGS__, code, message);                                                        \
    } while (0)

#define KIND(inputs, message, ...)     REFUSED(inputs, FILO_ERROR_KIND, message, __VA_ARGS__)
#define ARGUMENT(inputs, message, ...) REFUSED(inputs, FILO_ERROR_ARGUMENT, message, __VA_ARGS__)
#define DATA(inputs, message, ...)     REFUSED(inputs, FILO_ERROR_DATA, message, __VA_ARGS__)

// ---- Types ------------------------------------------------------------------------------------------------------

FILO_TEST(operands_that_do_not_fit_are_both_named) {
    KIND("f2", "is float, and get 4 (in1) is FiloVec2", filo_sf_add(x, y));
    KIND("fF", "is float, and get 4 (in1) is an event of float", filo_sf_sub(x, y));
    KIND("fi", "(speed) is float, and get 4 (in1) is int32_t", filo_sf_less(filo_sf_named(x, "speed"), y));
    KIND("ff", "takes bools, and get 2 (in0) is float", filo_sf_and(x, y));
    KIND("bf", "is float, and get 2 (in0) is bool", filo_sf_select(x, y, x));
    KIND("ff", "takes a bool, and get 2 (in0) is float", filo_sf_select(x, y, y));
    KIND("FI", "is an event of float, and get 4 (in1) is an event of int32_t", filo_sf_l_merge(x, y));
}

FILO_TEST(events_and_values_are_not_mixed_up) {
    KIND("ff", "takes an event, and get 2 (in0) is float", filo_sf_hold(x, FILO_SF(float, 1)));
    KIND("ff", "takes an event, and get 2 (in0) is float", filo_sf_once(x));
    KIND("ff", "takes a bool, and get 2 (in0) is float", filo_sf_edge(x));
    KIND("ff", "must be an event", filo_sf_impulse_integral(x, y));
    KIND("Ff", "(for events there is delay_event)", filo_sf_delay(x, 1, FILO_SF(float, 0), 4));
    KIND("bf", "takes a float or a vector, and get 2 (in0) is bool", filo_sf_integral(x));
    KIND("Ff", "takes a float or a vector, and get 2 (in0) is an event of float", filo_sf_integral(x));
}

FILO_TEST(values_of_the_beginning_must_have_the_type_of_the_signal) {
    KIND("Ff", "is an event of float, and the value of the beginning is int32_t",
         filo_sf_hold(x, FILO_SF(int32_t, 1)));
    KIND("Ff", "the value of the beginning is missing", filo_sf_hold(x, FILO_SF_NONE));
    KIND("ff", "is float, and its initial value is int32_t", filo_sf_i_pre(x, FILO_SF(int32_t, 0)));
    KIND("ff", "its initial value is missing", filo_sf_i_pre(x, FILO_SF_NONE));
    KIND("bf", "is float, and the initial value is int32_t",
         filo_sf_pause(x, y, FILO_SF(int32_t, 0), filo_sf_input(b)));
    KIND("ff", "the initial value is", filo_sf_delay(x, 1, FILO_SF(FiloVec2, 0, 0), 4));
}

FILO_TEST(functions_of_values_must_take_what_they_get) {
    KIND("if", "(squared) takes float as argument 1, and get 2 (in0) is int32_t", filo_sf_arr(x, &squared));
    KIND("if", "(plus) takes float as argument 2, and get 2 (in0) is int32_t", filo_sf_arr2(y, x, &plus));
    KIND("ff", "(plus) takes 2 arguments, and gets 1", filo_sf_arr(x, &plus));
    KIND("ff", "takes an event, and get 2 (in0) is float", filo_sf_filter(x, &is_low));
    KIND("Ff", "squared must be a FILO_SF_PREDICATE of the value of get 2", filo_sf_filter(x, &squared));
    KIND("Ff", "squared must be a FILO_SF_MAYBE of the value of get 2", filo_sf_map_filter(x, &squared));
    KIND("Ff", "(int32_t, float)", filo_sf_accum(x, FILO_SF(int32_t, 0), &plus));
    KIND("ff", "takes a list, and get 2 (in0) is float", filo_sf_fold(x, FILO_SF(float, 0), &plus));
}

FILO_TEST(tuples_pairs_and_eithers_are_checked) {
    KIND("ff", "takes a tuple, and get 2 (in0) is float", filo_sf_get(x, 0));
    KIND("ff", "element 7 of", filo_sf_get(filo_sf_input(b), 7));
    KIND("FF", "takes an event of a pair", filo_sf_split(x));
    KIND("ff", "takes an either, and get 2 (in0) is float", filo_sf_left(x, y));
    KIND("ff", "takes a pair, and get 2 (in0) is float", filo_sf_first(x, y));
    KIND("ff", "takes a pair, and get 2 (in0) is float", filo_sf_parallel(x, y, y));
}

FILO_TEST(fields_and_inputs_that_are_not_there) {
    REFUSED("2f", FILO_ERROR_NOT_FOUND, "FiloVec2 has no field \"z\"", filo_sf_field(x, "z"));
    KIND("ff", "takes a struct, and get 2 (in0) is float", filo_sf_field(x, "x"));
    REFUSED("ff", FILO_ERROR_NOT_FOUND, "there is no input \"nothing\"", filo_sf_in_named(b, "nothing"));
}

FILO_TEST(a_pre_without_a_value_is_refused) {
    DATA("ff", "has no value at time 0: use i_pre, or initially around it", filo_sf_pre(x));
    DATA("ff", "has no value at time 0",
         filo_sf_initially(filo_sf_negate(filo_sf_pre(x)), FILO_SF(float, 0)));
}

// ---- Numbers ----------------------------------------------------------------------------------------------------

FILO_TEST(numbers_that_make_no_sense_are_refused) {
    FiloSfValue zero = FILO_SF(float, 0);
    ARGUMENT("ff", "delay takes a number of seconds from 0 on, not -1", filo_sf_delay(x, -1, zero, 4));
    ARGUMENT("ff", "not nan", filo_sf_delay(x, NAN, zero, 4));
    ARGUMENT("ff", "not inf", filo_sf_delay(x, INFINITY, zero, 4));
    ARGUMENT("ff", "delay takes a capacity from 1 to 65535, not 0", filo_sf_delay(x, 1, zero, 0));
    ARGUMENT("ff", "a capacity from 1 to 65535, not 65536", filo_sf_delay(x, 1, zero, 65536));
    ARGUMENT("Ff", "delay_event takes a capacity from 1 to 65535, not 0", filo_sf_delay_event(x, 1, 0));
    ARGUMENT("ff", "repeatedly takes a number of seconds above 0, not 0", filo_sf_repeatedly(b, 0, zero));
    ARGUMENT("ff", "above 0, not -1", filo_sf_repeatedly(b, -1, zero));
    ARGUMENT("ff", "a number of seconds from 0 on, not -1", filo_sf_after(b, -1, zero));
    ARGUMENT("ff", "a number of seconds from 0 on, not nan", filo_sf_after(b, NAN, zero));
    ARGUMENT("ff", "occasionally takes a number of seconds above 0, not 0", filo_sf_occasionally(b, 0, zero));
    ARGUMENT("ff", "noise from 2 to 1", filo_sf_noise(b, 2, 1));
    ARGUMENT("ff", "sample_window takes a capacity from 1 to 65535, not 0", filo_sf_sample_window(x, 0, 1));
    ARGUMENT("ff", "a number of seconds above 0, not 0", filo_sf_sample(x, 0));
    ARGUMENT("ff", "a number of seconds from 0 on, not -1",
             filo_sf_after_each(b, (float[]){ 1, -1 }, FILO_TYPE(float), (float[]){ 1, 2 }, 2));
}

FILO_TEST(a_schedule_without_elements_is_never) {
    FiloSfBuilder *b = embed_builder("");
    embed(b, filo_sf_after_each(b, NULL, FILO_TYPE(float), NULL, 0),
          &(Embed){ .delta = T(0, 1), .out = { E(NO, NO) } });
}

// ---- Loops ------------------------------------------------------------------------------------------------------

FILO_TEST(a_loop_without_delay_names_its_nodes) {
    FiloSfBuilder *b = embed_builder("f");
    FiloSf back = filo_sf_rec(b, FILO_TYPE(float)),
           sum = filo_sf_named(filo_sf_add(back, filo_sf_input(b)), "sum");
    FiloSf half = filo_sf_named(filo_sf_scale(sum, 0.5f), "half");
    filo_sf_close(back, half);
    FiloNetwork *network;
    FiloResult result = filo_network_create(&network, sum, NULL);
    filo_sf_builder_destroy(b);
    assert_error(result, FILO_ERROR_DATA, "a loop without delay");
    assert_contains(result.message, "sum");
    assert_contains(result.message, "half");
}

FILO_TEST(what_is_not_decoupled_does_not_close_a_loop) {
    for (int i = 0; i < 6; i++) {
        FiloSfBuilder *b = embed_builder("f");
        FiloSf back = filo_sf_rec(b, FILO_TYPE(float)), sum = filo_sf_add(back, filo_sf_input(b)),
               closed = sum;
        FiloSf always = filo_sf_event_when(filo_sf_constant(b, FILO_SF(bool, true)), sum);
        if (i == 0) closed = filo_sf_trapezoid_integral(sum);
        if (i == 1) closed = filo_sf_im_integral(sum, FILO_SF(float, 0));
        if (i == 2) closed = filo_sf_hold(always, FILO_SF(float, 0));
        if (i == 3) closed = filo_sf_accum_hold(always, FILO_SF(float, 0), &plus);
        if (i == 4) closed = filo_sf_initially(sum, FILO_SF(float, 0));
        if (i == 5) closed = filo_sf_delay(sum, 0, FILO_SF(float, 0), 4);
        filo_sf_close(back, closed);
        embed_refused(b, sum, FILO_ERROR_DATA, "a loop without delay");
    }
}

FILO_TEST(loops_are_checked_for_their_types) {
    KIND("ff", "takes a function that gives a pair", filo_sf_loop(x, FILO_TYPE(float), x));
    FiloSfBuilder *b = embed_builder("f");
    FiloSf rec = filo_sf_rec(b, FILO_TYPE(float));
    filo_sf_close(rec, filo_sf_i_pre(filo_sf_constant(b, FILO_SF(int32_t, 1)), FILO_SF(int32_t, 1)));
    embed_refused(b, rec, FILO_ERROR_KIND, "is declared as float, and its definition is int32_t");
}

FILO_TEST(a_rec_is_closed_exactly_once) {
    FiloSfBuilder *b = embed_builder("f");
    embed_refused(b, filo_sf_rec(b, FILO_TYPE(float)), FILO_ERROR_DATA,
                  "has no definition: call filo_sf_close");
    b = embed_builder("f");
    FiloSf rec = filo_sf_rec(b, FILO_TYPE(float));
    filo_sf_close(rec, filo_sf_i_pre(rec, FILO_SF(float, 0)));
    filo_sf_close(rec, filo_sf_input(b));
    embed_refused(b, rec, FILO_ERROR_ARGUMENT, "is closed twice");
    b = embed_builder("f");
    filo_sf_close(filo_sf_input(b), filo_sf_input(b));
    embed_refused(b, filo_sf_input(b), FILO_ERROR_ARGUMENT, "filo_sf_close takes a signal of filo_sf_rec");
}

// ---- Branches ---------------------------------------------------------------------------------------------------

FILO_TEST(a_branch_is_defined_exactly_once) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch gone = filo_sf_branch(b, "gone", NULL);
    embed_refused(b, filo_sf_switch(filo_sf_in(b, 0), FILO_ON(filo_sf_in(b, 1), gone)), FILO_ERROR_DATA,
                  "branch \"gone\" is not defined: call filo_sf_define");
    b = embed_builder("fF");
    FiloSfBranch twice = filo_sf_branch(b, "twice", NULL);
    filo_sf_define(twice, filo_sf_in(b, 0));
    filo_sf_define(twice, filo_sf_in(b, 0));
    embed_refused(b, filo_sf_start(twice, FILO_SF_NONE), FILO_ERROR_ARGUMENT,
                  "branch \"twice\" is defined twice");
}

FILO_TEST(a_branch_that_no_switch_leads_to_need_not_be_defined) {
    FiloSfBuilder *b = embed_builder("f");
    (void)filo_sf_branch(b, "unused", NULL);
    embed(b, filo_sf_input(b), &(Embed){ .delta = T(0), .in = { V(1) }, .out = { V(1) } });
}

FILO_TEST(signals_and_branches_of_another_builder_are_refused) {
    FiloSfBuilder *b = embed_builder("fF"), *other = embed_builder("fF");
    embed_refused(b, filo_sf_add(filo_sf_in(b, 0), filo_sf_in(other, 0)), FILO_ERROR_ARGUMENT,
                  "argument 2 of add belongs to another builder");
    b = embed_builder("fF");
    FiloSfBranch foreign = filo_sf_branch(other, "foreign", NULL);
    embed_refused(b, filo_sf_switch(filo_sf_in(b, 0), FILO_ON(filo_sf_in(b, 1), foreign)),
                  FILO_ERROR_ARGUMENT, "a branch of switch is {0} or belongs to another builder");
    filo_sf_builder_destroy(other);
}

// A branch with this definition that a switch of a float leads to by the second input.
static FiloSf lead(FiloSfBuilder *b, FiloSfBranch to, FiloSf definition) {
    filo_sf_define(to, definition);
    return filo_sf_switch(filo_sf_in(b, 0), FILO_ON(filo_sf_in(b, 1), to));
}

FILO_TEST(events_and_branches_must_fit) {
    FiloSfBuilder *b = embed_builder("fI");
    embed_refused(b, lead(b, filo_sf_branch(b, "far", FILO_TYPE(float)), filo_sf_in(b, 0)), FILO_ERROR_KIND,
                  "(in1), which leads to it, is an event of int32_t");
    b = embed_builder("fU");
    embed_refused(b, lead(b, filo_sf_branch(b, "far", FILO_TYPE(float)), filo_sf_in(b, 0)), FILO_ERROR_KIND,
                  "branch \"far\" takes float");
    b = embed_builder("ff");
    embed_refused(b, lead(b, filo_sf_branch(b, "far", NULL), filo_sf_in(b, 0)), FILO_ERROR_KIND,
                  "takes an event for branch \"far\", and");
    b = embed_builder("fI");
    FiloSf other = filo_sf_constant(b, FILO_SF(int32_t, 1));
    embed_refused(b, lead(b, filo_sf_branch(b, "far", NULL), other), FILO_ERROR_KIND,
                  "branch \"start\" gives float, and branch \"far\" gives int32_t");
}

FILO_TEST(parameters_must_fit_and_belong_to_their_branch) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch far = filo_sf_branch(b, "far", FILO_TYPE(float));
    filo_sf_define(far, filo_sf_in(b, 0));
    embed_refused(b, filo_sf_start(far, FILO_SF(int32_t, 3)), FILO_ERROR_KIND,
                  "branch \"far\" takes float, and gets int32_t");
    b = embed_builder("fF");
    far = filo_sf_branch(b, "far", FILO_TYPE(float));
    filo_sf_define(far, filo_sf_in(b, 0));
    embed_refused(b, filo_sf_start(far, FILO_SF_NONE), FILO_ERROR_KIND,
                  "branch \"far\" takes float, and gets nothing");
    b = embed_builder("fF");
    far = filo_sf_branch(b, "far", FILO_TYPE(float));
    embed_refused(b, filo_sf_parameter(far), FILO_ERROR_DATA, "is used outside of its branch");
    b = embed_builder("fF");
    far = filo_sf_branch(b, "far", NULL);
    embed_refused(b, lead(b, far, filo_sf_parameter(far)), FILO_ERROR_KIND, "the branch takes no parameter");
}

FILO_TEST(nesting_without_end_is_refused) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch deep = filo_sf_branch(b, "deep", NULL);
    filo_sf_define(deep, filo_sf_add(filo_sf_in(b, 0), filo_sf_start(deep, FILO_SF_NONE)));
    embed_refused(b, filo_sf_start(deep, FILO_SF_NONE), FILO_ERROR_DATA,
                  "switches inside each other without end");
    b = embed_builder("fF");
    deep = filo_sf_branch(b, "deep", NULL);
    FiloSf again = filo_sf_switch(filo_sf_in(b, 0), FILO_ON(filo_sf_in(b, 1), deep));
    filo_sf_define(deep, filo_sf_negate(again));
    embed_refused(b, filo_sf_start(deep, FILO_SF_NONE), FILO_ERROR_DATA,
                  "switches inside each other without end");
    b = embed_builder("fF");
    deep = filo_sf_branch(b, "deep", NULL);
    FiloSf wrapped = filo_sf_k_switch(filo_sf_negate(filo_sf_old(deep)), FILO_ON(filo_sf_in(b, 1), deep));
    filo_sf_define(deep, wrapped);
    embed_refused(b, filo_sf_k_switch(filo_sf_in(b, 0), FILO_ON(filo_sf_in(b, 1), deep)), FILO_ERROR_DATA,
                  "is wrapped again at each switch, without end");
}

FILO_TEST(old_functions_are_used_once_and_where_there_is_one) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch to = filo_sf_branch(b, "to", NULL);
    embed_refused(b, lead(b, to, filo_sf_old(to)), FILO_ERROR_DATA,
                  "no function is handed over to branch \"to\"");
    b = embed_builder("fF");
    to = filo_sf_branch(b, "to", NULL);
    FiloSf other = filo_sf_pair(filo_sf_scale(filo_sf_in(b, 0), 2), filo_sf_in(b, 1));
    filo_sf_define(to, filo_sf_add(filo_sf_old(to), filo_sf_compose(other, filo_sf_old(to))));
    embed_refused(b, filo_sf_k_switch(filo_sf_in(b, 0), FILO_ON(filo_sf_in(b, 1), to)), FILO_ERROR_DATA,
                  "it is used twice in branch \"to\"");
}

static void no_edit(FiloSfMembers *members, const void *value) { (void)members, (void)value; }

FILO_TEST(only_collections_are_edited) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch to = filo_sf_branch(b, "to", FILO_TYPE(float));
    filo_sf_define(to, filo_sf_old_edited(to, no_edit));
    embed_refused(b, filo_sf_k_switch(filo_sf_in(b, 0), FILO_ON(filo_sf_in(b, 1), to)), FILO_ERROR_KIND,
                  "what is handed over to it is no collection");
}

FILO_TEST(too_many_exits_elements_and_outputs_are_refused) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch to = filo_sf_branch(b, "to", NULL);
    filo_sf_define(to, filo_sf_in(b, 0));
    FiloSfExit exits[FILO_SF_EXITS + 1];
    for (int i = 0; i < FILO_SF_EXITS + 1; i++) exits[i] = (FiloSfExit)FILO_ON(filo_sf_in(b, 1), to);
    embed_refused(b, filo_sf_switch_exits(filo_sf_in(b, 0), exits, FILO_SF_EXITS + 1, false),
                  FILO_ERROR_LIMIT, "a switch with 17 exits; at most 16");
    b = embed_builder("f");
    FiloSf elements[FILO_SF_LEAVES + 1];
    for (int i = 0; i < FILO_SF_LEAVES + 1; i++) elements[i] = filo_sf_input(b);
    embed_refused(b, filo_sf_tuple(b, elements, FILO_SF_LEAVES + 1), FILO_ERROR_LIMIT,
                  "a tuple of 17; at most 16");
    b = embed_builder("f");
    for (int i = 0; i < FILO_SF_LEAVES; i++) elements[i] = filo_sf_input(b);
    FiloSf half = filo_sf_tuple(b, elements, FILO_SF_LEAVES);
    embed_refused(b, filo_sf_pair(half, half), FILO_ERROR_LIMIT, "more than 16 values");
}

FILO_TEST(sixteen_exits_are_allowed) {
    FiloSfBuilder *b = embed_builder("fI");
    FiloSfExit exits[FILO_SF_EXITS];
    for (int i = 0; i < FILO_SF_EXITS; i++) {
        FiloSfBranch to = filo_sf_branch(b, "to", FILO_TYPE(int32_t));
        FiloSf number = filo_sf_constant(b, FILO_SF(int32_t, i));
        filo_sf_define(to, filo_sf_scale(filo_sf_constant(b, FILO_SF(float, 1)), (float)(100 + i)));
        FiloSf hit =
            filo_sf_gate(filo_sf_in(b, 1),
                         filo_sf_equal(filo_sf_from_event(filo_sf_in(b, 1), FILO_SF(int32_t, -1)), number));
        exits[i] = (FiloSfExit)FILO_ON(hit, to);
    }
    embed(b, filo_sf_switch_exits(filo_sf_in(b, 0), exits, FILO_SF_EXITS, false),
          &(Embed){ .delta = T(0, 1, 1), .in = { V(1, 2, 3), E(NO, 15, NO) }, .out = { V(1, 115, 115) } });
}

// ---- Collections ------------------------------------------------------------------------------------------------

FILO_TEST(collections_are_checked) {
    static const struct {
        FiloCode code;
        const char *message;
    } expected[] = {
        { FILO_ERROR_ARGUMENT, "its capacity is not from 1 to 65535" },
        { FILO_ERROR_ARGUMENT, "it has no kinds of members" },
        { FILO_ERROR_KIND, "all members must give one value of the same type" },
        { FILO_ERROR_ARGUMENT, "more members at time 0 than its capacity" },
        { FILO_ERROR_KIND, "has a parameter of type int32_t, and branch \"kind\" takes float" },
        { FILO_ERROR_DATA, "member 1 is of branch \"other\", which is none of its kinds" },
    };
    for (int i = 0; i < 6; i++) {
        FiloSfBuilder *b = embed_builder("f");
        FiloSfBranch kind = filo_sf_branch(b, "kind", FILO_TYPE(float)),
                     other = filo_sf_branch(b, "other", NULL);
        filo_sf_define(kind, filo_sf_input(b));
        filo_sf_define(other, filo_sf_constant(b, FILO_SF(int32_t, 1)));
        FiloSfMember members[3] = { { kind, FILO_SF(float, 1) },
                                    { kind, FILO_SF(float, 1) },
                                    { kind, FILO_SF(float, 1) } };
        FiloSfMember wrong = { kind, FILO_SF(int32_t, 1) }, stranger = { other, FILO_SF_NONE };
        FiloSfCollection c = { .name = "zoo", .capacity = 2, .kinds = { kind } };
        if (i == 0) c.capacity = 0;
        if (i == 1) c.kinds[0] = (FiloSfBranch){ 0 };
        if (i == 2) c.kinds[1] = other;
        if (i >= 3) c.initial = i == 3 ? members : i == 4 ? &wrong : &stranger;
        if (i >= 3) c.initial_count = i == 3 ? 3 : 1;
        embed_refused(b, filo_sf_par(filo_sf_input(b), &c), expected[i].code, expected[i].message);
    }
}

// ---- Stepping ---------------------------------------------------------------------------------------------------

static FiloNetwork *time_network(void) {
    FiloSfBuilder *b = embed_builder("");
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_time(b), NULL));
    filo_sf_builder_destroy(b);
    return network;
}

FILO_TEST(a_delta_that_is_no_time_is_a_mistake_and_nothing_is_done) {
    FiloNetwork *network = time_network();
    float out = -7;
    uint8_t *object = calloc(1, filo_network_state_size(network)),
            *before = calloc(1, filo_network_state_size(network));
    FiloSfRows rows = { .count = 1, .states = object, .delta = 1, .outputs = { &out } };
    assert_ok(filo_network_step(network, &rows));
    assert_ok(filo_network_step(network, &rows));
    assert_true(out == 1);
    memcpy(before, object, filo_network_state_size(network));
    static const float deltas[] = { -1, -FLT_MIN, NAN, INFINITY, -INFINITY };
    for (size_t i = 0; i < FILO_COUNT_OF(deltas); i++) {
        rows.delta = deltas[i];
        out = -7;
        expect_mistake("the seconds since the last step", filo_network_step(network, &rows));
        assert_true(out == -7);
        assert_memory_equal(object, before, filo_network_state_size(network));
    }
    rows.delta = 0; // is allowed
    assert_ok(filo_network_step(network, &rows));
    assert_true(out == 1);
    rows.delta = -0.0f;
    assert_ok(filo_network_step(network, &rows));
    assert_true(out == 1);
    rows.delta = FLT_MAX;
    assert_ok(filo_network_step(network, &rows));
    free(before);
    free(object);
    filo_network_destroy(network);
}

FILO_TEST(no_rows_are_allowed_and_missing_states_are_a_mistake) {
    FiloNetwork *network = time_network();
    assert_ok(filo_network_step(network, &(FiloSfRows){ .delta = 1 }));
    expect_mistake("", filo_network_step(network, &(FiloSfRows){ .count = 1, .delta = 1 }));
    expect_mistake("", filo_network_step(network, NULL));
    expect_mistake("", filo_network_step(NULL, &(FiloSfRows){ .delta = 1 }));
    filo_network_destroy(network);
}

FILO_TEST(switches_that_chase_each_other_are_reported_with_their_branches) {
    FiloSfBuilder *b = embed_builder("U");
    FiloSfBranch cat = filo_sf_branch(b, "cat", NULL), mouse = filo_sf_branch(b, "mouse", NULL);
    FiloSf now = filo_sf_now(b, FILO_SF_NONE);
    filo_sf_define(cat, filo_sf_switch(filo_sf_constant(b, FILO_SF(float, 1)), FILO_ON(now, mouse)));
    filo_sf_define(mouse, filo_sf_switch(filo_sf_constant(b, FILO_SF(float, 2)), FILO_ON(now, cat)));
    FiloNetwork *network;
    FiloSf quiet = filo_sf_switch(filo_sf_constant(b, FILO_SF(float, 0)), FILO_ON(filo_sf_input(b), cat));
    assert_ok(filo_network_create(&network, quiet, NULL));
    filo_sf_builder_destroy(b);
    enum { ROWS = 9 };
    uint8_t *states = calloc(ROWS, filo_network_state_size(network)), events[ROWS] = { 0 };
    float out[ROWS];
    FiloSfRows rows = {
        .count = ROWS, .states = states, .delta = 1, .inputs = { events }, .outputs = { out }
    };
    assert_ok(filo_network_step(network, &rows));
    events[4] = 1;
    FiloResult result = filo_network_step(network, &rows);
    assert_error(result, FILO_ERROR_LIMIT, "switches at one instant");
    assert_contains(result.message, "cat");
    assert_contains(result.message, "mouse");
    for (int i = 0; i < ROWS; i++) assert_true(i == 4 ? out[i] == 1 || out[i] == 2 : out[i] == 0);
    events[4] = 0;
    assert_ok(filo_network_step(network, &rows)); // it stays in the branch that it has reached
    assert_true(out[4] == 1 || out[4] == 2);
    free(states);
    filo_network_destroy(network);
}

FILO_TEST(a_chain_of_as_many_switches_as_allowed_is_followed) {
    // Branch k leads to branch k + 1 at once. 32 switches are followed; with one more it is reported.
    for (int count = FILO_SF_SWITCHES; count <= FILO_SF_SWITCHES + 1; count++) {
        FiloSfBuilder *b = embed_builder("");
        FiloSf now = filo_sf_now(b, FILO_SF_NONE), sf = filo_sf_constant(b, FILO_SF(int32_t, count));
        for (int i = count; i > 0; i--) {
            FiloSfBranch next = filo_sf_branch(b, "next", NULL);
            filo_sf_define(next, sf);
            sf = filo_sf_switch(filo_sf_constant(b, FILO_SF(int32_t, i - 1)), FILO_ON(now, next));
        }
        FiloNetwork *network;
        assert_ok(filo_network_create(&network, sf, NULL));
        filo_sf_builder_destroy(b);
        int32_t out = -1;
        FiloSfRows rows = { .count = 1,
                            .states = calloc(1, filo_network_state_size(network)),
                            .outputs = { &out } };
        FiloResult result = filo_network_step(network, &rows);
        assert_int_equal(result.code, count == FILO_SF_SWITCHES ? FILO_OK : FILO_ERROR_LIMIT);
        assert_int_equal(out, FILO_SF_SWITCHES);
        free(rows.states);
        filo_network_destroy(network);
    }
}

FILO_TEST(the_first_mistake_is_reported) {
    FiloSfBuilder *b = embed_builder("ff");
    (void)filo_sf_repeatedly(b, -3, FILO_SF_NONE);
    (void)filo_sf_in_named(b, "nothing");
    embed_refused(b, filo_sf_input(b), FILO_ERROR_ARGUMENT, "not -3");
}
