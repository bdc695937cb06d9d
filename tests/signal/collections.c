// Collections: signal functions that run side by side, that come and go.

#include "support/embed.h"

FILO_SF_FUNCTION2(add, float, float, a, float, b) { return a + b; }
FILO_SF_FUNCTION2(follow, float, float, a, float, b) { return 10 * a + b; }

// param + the integral of the input, which is a float.
static FiloSfBranch climbing(FiloSfBuilder *b) {
    FiloSfBranch branch = filo_sf_branch(b, "climb", FILO_TYPE(float));
    filo_sf_define(branch, filo_sf_add(filo_sf_parameter(branch), filo_sf_integral(filo_sf_input(b))));
    return branch;
}

// The branches that edit functions add; they live as long as the builder.
static FiloSfBranch edited_kind, edited_other;

// Above 0: adds a member with the value. Below 0: removes the member with that key, if there is one. 0: removes all.
static void edit(FiloSfMembers *members, const void *event_value) {
    float value = *(const float *)event_value;
    if (value > 0) filo_sf_members_add(members, edited_kind, FILO_SF(float, value));
    if (value < 0) filo_sf_members_remove(members, (uint32_t)-value);
    while (value == 0 && filo_sf_members_count(members) > 0)
        filo_sf_members_remove(members, filo_sf_members_key(members, 0));
}

FILO_TEST(par_runs_its_members_side_by_side) {
    FiloSfBuilder *b = embed_builder("f");
    FiloSfBranch climb = climbing(b);
    FiloSfMember members[] = { { climb, FILO_SF(float, 10) }, { climb, FILO_SF(float, 20) } };
    FiloSfCollection two = {
        .name = "two", .capacity = 4, .kinds = { climb }, .initial = members, .initial_count = 2
    };
    FiloSf list = filo_sf_par(filo_sf_input(b), &two);
    embed(b, filo_sf_pair(list, filo_sf_fold(list, FILO_SF(float, 1), &add)),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { V(1, 2, 3) },
                    .out = { L(2, 10, 20, 2, 11, 21, 2, 13, 23), V(31, 33, 37) } });
}

FILO_TEST(an_empty_collection_is_an_empty_list) {
    FiloSfBuilder *b = embed_builder("f");
    FiloSfCollection none = { .capacity = 2, .kinds = { climbing(b) } };
    FiloSf list = filo_sf_par(filo_sf_input(b), &none);
    embed(b, filo_sf_pair(list, filo_sf_fold(list, FILO_SF(float, 5), &add)),
          &(Embed){ .delta = T(0, 1), .in = { V(1, 2) }, .out = { L(0, 0), V(5, 5) } });
}

FILO_TEST(members_of_different_kinds_and_their_own_switches) {
    // The second kind is 1 until its parameter in seconds has passed, and then counts down in time.
    FiloSfBuilder *b = embed_builder("f");
    FiloSfBranch climb = climbing(b), wait = filo_sf_branch(b, "wait", FILO_TYPE(float)),
                 down = filo_sf_branch(b, "down", NULL);
    FiloSf due = filo_sf_edge(filo_sf_greater(filo_sf_time(b), filo_sf_parameter(wait)));
    filo_sf_define(wait, filo_sf_switch(filo_sf_constant(b, FILO_SF(float, 1)), FILO_ON(due, down)));
    filo_sf_define(down, filo_sf_sub(filo_sf_constant(b, FILO_SF(float, 0)), filo_sf_time(b)));
    FiloSfMember members[] = { { wait, FILO_SF(float, 0.5f) },
                               { climb, FILO_SF(float, 20) },
                               { wait, FILO_SF(float, 1.5f) } };
    FiloSfCollection mixed = {
        .capacity = 3, .kinds = { climb, wait }, .initial = members, .initial_count = 3
    };
    embed(b, filo_sf_par(filo_sf_input(b), &mixed),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 1, 1, 1) },
                    .out = { L(3, 1, 20, 1, 3, 0, 21, 1, 3, -1, 22, 0, 3, -2, 23, -1) } });
}

FILO_TEST(rp_switch_shows_new_members_at_once) {
    // At the second sample a member comes, and starts there: 100, then + 2. At the third the first one (key 1) goes.
    FiloSfBuilder *b = embed_builder("fF");
    edited_kind = climbing(b);
    FiloSfMember members[] = { { edited_kind, FILO_SF(float, 10) }, { edited_kind, FILO_SF(float, 20) } };
    FiloSfCollection two = {
        .capacity = 4, .kinds = { edited_kind }, .initial = members, .initial_count = 2
    };
    embed(b, filo_sf_rp_switch(filo_sf_in(b, 0), &two, filo_sf_in(b, 1), edit),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 2, 3, 4), E(NO, 100, -1, NO) },
                    .out = { L(2, 10, 20, 3, 11, 21, 100, 2, 23, 102, 2, 26, 105) } });
}

FILO_TEST(drp_switch_shows_new_members_one_sample_later) {
    FiloSfBuilder *b = embed_builder("fF");
    edited_kind = climbing(b);
    FiloSfMember members[] = { { edited_kind, FILO_SF(float, 10) }, { edited_kind, FILO_SF(float, 20) } };
    FiloSfCollection two = {
        .capacity = 4, .kinds = { edited_kind }, .initial = members, .initial_count = 2
    };
    embed(b, filo_sf_drp_switch(filo_sf_in(b, 0), &two, filo_sf_in(b, 1), edit),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 2, 3, 4), E(NO, 100, -1, NO) },
                    .out = { L(2, 10, 20, 2, 11, 21, 3, 13, 23, 102, 2, 26, 105) } });
}

FILO_TEST(a_collection_is_edited_at_time_zero) {
    FiloSfBuilder *b = embed_builder("fF");
    edited_kind = climbing(b);
    FiloSfMember members[] = { { edited_kind, FILO_SF(float, 10) } };
    FiloSfCollection one = {
        .capacity = 2, .kinds = { edited_kind }, .initial = members, .initial_count = 1
    };
    FiloSf x = filo_sf_in(b, 0), e = filo_sf_in(b, 1);
    embed(b, filo_sf_pair(filo_sf_rp_switch(x, &one, e, edit), filo_sf_drp_switch(x, &one, e, edit)),
          &(Embed){ .delta = T(9, 1, 1),
                    .in = { V(1, 2, 3), E(50, NO, 0) },
                    .out = { L(2, 10, 50, 2, 11, 51, 0), L(1, 10, 2, 11, 51, 2, 13, 53) } });
}

FILO_TEST(keys_count_from_one_and_are_never_used_again) {
    FiloSfBuilder *b = embed_builder("fF");
    edited_kind = climbing(b);
    FiloSfMember members[] = { { edited_kind, FILO_SF(float, 10) } };
    FiloSfCollection one = {
        .capacity = 3, .kinds = { edited_kind }, .initial = members, .initial_count = 1
    };
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_rp_switch(filo_sf_in(b, 0), &one, filo_sf_in(b, 1), edit),
                                  NULL));
    FiloSfLeaf leaf;
    assert_int_equal(filo_network_outputs(network, &leaf, 1), 1);
    FiloSfList *list = calloc(1, leaf.type->size);
    uint8_t present = 1;
    float value = 0;
    FiloSfRows rows = { .count = 1,
                        .states = calloc(1, filo_network_state_size(network)),
                        .inputs = { NULL, &present, &value },
                        .outputs = { list } };
    static const float events[] = { 5, 6, -2, 7, -3, -4, -1, 8 };
    static const uint32_t keys[][4] = { { 1, 2 }, { 1, 2, 3 }, { 1, 3 }, { 1, 3, 4 },
                                        { 1, 4 }, { 1 },       { 0 },    { 5 } };
    for (size_t i = 0; i < 8; i++) {
        value = events[i];
        assert_ok(filo_network_step(network, &rows));
        size_t count = 0;
        while (keys[i][count] != 0) count++;
        assert_int_equal(list->count, count);
        assert_int_equal(list->capacity, 3);
        for (size_t n = 0; n <= count; n++) assert_int_equal(filo_sf_list_key(list, n), keys[i][n]);
    }
    free(list);
    free(rows.states);
    filo_network_destroy(network);
    filo_sf_builder_destroy(b);
}

FILO_TEST(a_full_collection_drops_the_member_and_the_step_reports_it) {
    FiloSfBuilder *b = embed_builder("fF");
    edited_kind = climbing(b);
    FiloSfMember members[] = { { edited_kind, FILO_SF(float, 10) } };
    FiloSfCollection one = {
        .name = "bullets", .capacity = 1, .kinds = { edited_kind }, .initial = members, .initial_count = 1
    };
    embed(b, filo_sf_rp_switch(filo_sf_in(b, 0), &one, filo_sf_in(b, 1), edit),
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { V(1, 2, 3), E(NO, NO, 100) },
                    .out = { L(1, 10, 1, 11, 1, 13) },
                    .code = FILO_ERROR_LIMIT,
                    .message = "bullets" });
}

// ---- Inside edit ------------------------------------------------------------------------------------------------

typedef struct Seen {
    size_t count, calls;
    uint32_t keys[4], added, removed_unknown;
    bool first_kind[4], had_output[4];
    float parameters[4], outputs[4];
} Seen;
static Seen seen;

// Looks at all members, adds one of the other kind and looks at it too.
static void look(FiloSfMembers *members, const void *event_value) {
    seen = (Seen){ .calls = seen.calls + 1 };
    float value = *(const float *)event_value;
    seen.removed_unknown = filo_sf_members_remove(members, 99) ? 1 : 0;
    seen.added = filo_sf_members_add(members, edited_other, FILO_SF(float, value));
    seen.count = filo_sf_members_count(members);
    for (size_t i = 0; i < seen.count && i < 4; i++) {
        seen.keys[i] = filo_sf_members_key(members, i);
        seen.first_kind[i] = filo_sf_members_branch(members, i).branch == edited_kind.branch;
        seen.parameters[i] = *(const float *)filo_sf_members_parameter(members, i);
        const float *output = filo_sf_members_output(members, i);
        seen.had_output[i] = output != NULL;
        if (output != NULL) seen.outputs[i] = *output;
    }
}

FILO_TEST(edit_sees_keys_kinds_parameters_and_the_last_outputs) {
    FiloSfBuilder *b = embed_builder("fF");
    edited_kind = climbing(b);
    edited_other = filo_sf_branch(b, "other", FILO_TYPE(float));
    filo_sf_define(edited_other, filo_sf_parameter(edited_other));
    FiloSfMember members[] = { { edited_kind, FILO_SF(float, 10) }, { edited_kind, FILO_SF(float, 20) } };
    FiloSfCollection two = {
        .capacity = 4, .kinds = { edited_kind, edited_other }, .initial = members, .initial_count = 2
    };
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_rp_switch(filo_sf_in(b, 0), &two, filo_sf_in(b, 1), look),
                                  NULL));
    uint8_t present = 0;
    float x = 3, value = 77;
    FiloSfRows rows = { .count = 1,
                        .states = calloc(1, filo_network_state_size(network)),
                        .delta = 1,
                        .inputs = { &x, &present, &value } };
    seen = (Seen){ 0 };
    assert_ok(filo_network_step(network, &rows));
    assert_ok(filo_network_step(network, &rows));
    assert_int_equal(seen.calls, 0);
    present = 1;
    assert_ok(filo_network_step(network, &rows));
    assert_int_equal(seen.calls, 1);
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.added, 3);
    assert_int_equal(seen.removed_unknown, 0);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(seen.keys[i], i + 1);
    assert_true(seen.first_kind[0] && seen.first_kind[1] && !seen.first_kind[2]);
    assert_true(seen.parameters[0] == 10 && seen.parameters[1] == 20 && seen.parameters[2] == 77);
    assert_true(seen.had_output[0] && seen.had_output[1] && !seen.had_output[2]);
    assert_true(seen.outputs[0] == 13 && seen.outputs[1] == 23); // of the instant before this one
    free(rows.states);
    filo_network_destroy(network);
    filo_sf_builder_destroy(b);
}

// ---- Routing ----------------------------------------------------------------------------------------------------

// Each member gets the input times its key, and the last one nothing.
static void by_key(const void *const *input, const FiloSfMembers *members, void *inputs) {
    size_t count = filo_sf_members_count(members);
    for (size_t i = 0; i < count; i++)
        ((float *)inputs)[i] =
            i + 1 == count ? 0 : *(const float *)input[0] * (float)filo_sf_members_key(members, i);
}

FILO_TEST(route_gives_each_member_its_own_input) {
    // The members integrate 1·x, 2·x and 0.
    FiloSfBuilder *b = embed_builder("fi");
    FiloSfBranch climb = climbing(b);
    FiloSfMember members[] = { { climb, FILO_SF(float, 0) },
                               { climb, FILO_SF(float, 0) },
                               { climb, FILO_SF(float, 5) } };
    FiloSfCollection three = { .capacity = 3,
                               .kinds = { climb },
                               .initial = members,
                               .initial_count = 3,
                               .route = by_key,
                               .input_type = FILO_TYPE(float) };
    embed(b, filo_sf_par(filo_sf_input(b), &three), // the input is a pair
          &(Embed){ .delta = T(0, 1, 1),
                    .in = { V(1, 2, 3), V(0, 0, 0) },
                    .out = { L(3, 0, 0, 5, 3, 1, 2, 5, 3, 3, 6, 5) } });
}

FILO_TEST(without_a_route_members_get_the_whole_input) {
    FiloSfBuilder *b = embed_builder("ff");
    FiloSfBranch both = filo_sf_branch(b, "both", NULL);
    filo_sf_define(both, filo_sf_add(filo_sf_in(b, 0), filo_sf_integral(filo_sf_in(b, 1))));
    FiloSfMember members[] = { { both, FILO_SF_NONE }, { both, FILO_SF_NONE } };
    FiloSfCollection two = { .capacity = 2, .kinds = { both }, .initial = members, .initial_count = 2 };
    embed(b, filo_sf_par(filo_sf_input(b), &two),
          &(Embed){ .delta = T(0, 1), .in = { V(1, 2), V(10, 20) }, .out = { L(2, 1, 1, 2, 12, 12) } });
}

// ---- Switches of collections ------------------------------------------------------------------------------------

FILO_TEST(p_switch_hands_over_a_frozen_collection_that_is_edited) {
    // The event is that the sum is above 34. The branch adds a member with the value of the event, and the others make the
    // step that they had pending.
    FiloSfBuilder *b = embed_builder("f");
    edited_kind = climbing(b);
    FiloSfMember members[] = { { edited_kind, FILO_SF(float, 10) }, { edited_kind, FILO_SF(float, 20) } };
    FiloSfCollection two = {
        .capacity = 4, .kinds = { edited_kind }, .initial = members, .initial_count = 2
    };
    FiloSf list = filo_sf_par(filo_sf_input(b), &two), sum = filo_sf_fold(list, FILO_SF(float, 0), &add);
    FiloSf above =
        filo_sf_tag(filo_sf_edge(filo_sf_greater(sum, filo_sf_constant(b, FILO_SF(float, 34)))), sum);
    FiloSfBranch more = filo_sf_branch(b, "more", FILO_TYPE(float));
    filo_sf_define(more, filo_sf_old_edited(more, edit));
    embed(b,
          filo_sf_pair(filo_sf_p_switch(list, FILO_ON(above, more)),
                       filo_sf_dp_switch(list, FILO_ON(above, more))),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 2, 3, 4) },
                    .out = { L(2, 10, 20, 2, 11, 21, 3, 13, 23, 36, 3, 16, 26, 39),
                             L(2, 10, 20, 2, 11, 21, 2, 13, 23, 3, 16, 26, 39) } });
}

FILO_TEST(p_switch_may_run_the_collection_on_or_drop_it) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch climb = climbing(b), one = filo_sf_branch(b, "one", FILO_TYPE(float));
    filo_sf_define(one, filo_sf_integral(filo_sf_in(b, 0)));
    FiloSfMember members[] = { { climb, FILO_SF(float, 10) }, { climb, FILO_SF(float, 20) } };
    FiloSfCollection two = { .capacity = 2, .kinds = { climb }, .initial = members, .initial_count = 2 };
    FiloSf sum = filo_sf_fold(filo_sf_par(filo_sf_in(b, 0), &two), FILO_SF(float, 0), &follow);
    FiloSfBranch on = filo_sf_branch(b, "on", NULL);
    filo_sf_define(on, filo_sf_negate(filo_sf_old(on)));
    FiloSf e = filo_sf_in(b, 1);
    embed(b, filo_sf_pair(filo_sf_k_switch(sum, FILO_ON(e, on)), filo_sf_k_switch(sum, FILO_ON(e, one))),
          &(Embed){ .delta = T(0, 1, 1, 1),
                    .in = { V(1, 2, 3, 4), E(NO, NO, 1, NO) },
                    .out = { V(120, 131, -153, -186), V(120, 131, 0, 3) } });
}

FILO_TEST(a_collection_inside_a_member) {
    // Each member is the sum of a collection of its own.
    FiloSfBuilder *b = embed_builder("f");
    FiloSfBranch climb = climbing(b), group = filo_sf_branch(b, "group", FILO_TYPE(float));
    FiloSfMember members[] = { { climb, FILO_SF(float, 1) }, { climb, FILO_SF(float, 2) } };
    FiloSfCollection inner = { .capacity = 2, .kinds = { climb }, .initial = members, .initial_count = 2 };
    FiloSf sum = filo_sf_fold(filo_sf_par(filo_sf_input(b), &inner), FILO_SF(float, 0), &add);
    filo_sf_define(group, filo_sf_add(filo_sf_parameter(group), sum));
    FiloSfMember groups[] = { { group, FILO_SF(float, 100) }, { group, FILO_SF(float, 200) } };
    FiloSfCollection outer = { .capacity = 2, .kinds = { group }, .initial = groups, .initial_count = 2 };
    embed(b, filo_sf_par(filo_sf_input(b), &outer),
          &(Embed){ .delta = T(0, 1), .in = { V(1, 1) }, .out = { L(2, 103, 203, 2, 105, 205) } });
}

// ---- Order, copies and loops ------------------------------------------------------------------------------------

// Above 0: a new member, which comes first. Below 0: all but that many of the first ones go.
static void edit_first(FiloSfMembers *members, const void *event_value) {
    float value = *(const float *)event_value;
    if (value > 0) {
        uint32_t key = filo_sf_members_add(members, edited_kind, FILO_SF(float, value));
        assert_true(filo_sf_members_move(members, key, 0));
    }
    while (value < 0 && filo_sf_members_count(members) > (size_t)-value)
        assert_true(filo_sf_members_remove(members, filo_sf_members_key(members, (size_t)-value)));
}

FILO_TEST(a_new_member_can_be_moved_to_the_front) {
    FiloSfBuilder *b = embed_builder("fF");
    edited_kind = climbing(b);
    FiloSfCollection three = { .capacity = 3, .kinds = { edited_kind } };
    embed(b, filo_sf_rp_switch(filo_sf_in(b, 0), &three, filo_sf_in(b, 1), edit_first),
          &(Embed){ .delta = T(0, 1, 1, 1, 1),
                    .in = { V(1, 1, 1, 1, 1), E(100, 200, 300, NO, -2) },
                    .out = { L(1, 100, 2, 200, 101, 3, 300, 201, 102, 3, 301, 202, 103, 2, 302, 203) } });
}

// Moves the member with the key to the front above 0; to the end below 0.
static void edit_order(FiloSfMembers *members, const void *event_value) {
    float value = *(const float *)event_value;
    size_t last = filo_sf_members_count(members) - 1;
    uint32_t key = (uint32_t)(value > 0 ? value : -value);
    assert_int_equal(filo_sf_members_move(members, key, value > 0 ? 0 : last), key <= 3);
    assert_false(filo_sf_members_move(members, 1, last + 1));
}

FILO_TEST(members_are_moved_with_their_states) {
    FiloSfBuilder *b = embed_builder("fF");
    edited_kind = climbing(b);
    FiloSfMember members[] = { { edited_kind, FILO_SF(float, 10) },
                               { edited_kind, FILO_SF(float, 20) },
                               { edited_kind, FILO_SF(float, 30) } };
    FiloSfCollection three = {
        .capacity = 3, .kinds = { edited_kind }, .initial = members, .initial_count = 3
    };
    embed(
        b, filo_sf_rp_switch(filo_sf_in(b, 0), &three, filo_sf_in(b, 1), edit_order),
        &(Embed){ .delta = T(0, 1, 1, 1, 1),
                  .in = { V(1, 1, 1, 1, 1), E(NO, 3, -3, -1, 9) },
                  .out = { L(3, 10, 20, 30, 3, 31, 11, 21, 3, 12, 22, 32, 3, 23, 33, 13, 3, 24, 34, 14) } });
}

// 1: one more of the last member, as it is. −1: the last one goes, unless it is the only one.
static void edit_length(FiloSfMembers *members, const void *event_value) {
    size_t count = filo_sf_members_count(members);
    uint32_t last = filo_sf_members_key(members, count - 1);
    if (*(const float *)event_value > 0)
        filo_sf_members_copy(members, last);
    else if (count > 1)
        filo_sf_members_remove(members, last);
}

typedef struct Line {
    int32_t count;
    float values[4];
} Line;
FILO_REFLECT(Line, FILO_FIELD(int32_t, count), FILO_FIELD(float, values))

FILO_SF_FUNCTION2(append, Line, Line, line, float, value) {
    if (line.count < 4) line.values[line.count++] = value;
    return line;
}
FILO_SF_FUNCTION(last_of, float, Line, line) { return line.count > 0 ? line.values[line.count - 1] : 0; }

// The first member gets the input, and each other one what the one before it gives.
static void through_line(const void *const *input, const FiloSfMembers *members, void *inputs) {
    float *values = inputs;
    const Line *line = input[1];
    for (size_t i = 0; i < filo_sf_members_count(members); i++)
        values[i] = i == 0 ? *(const float *)input[0] : line->values[i - 1];
}

FILO_TEST(a_delay_line_changes_its_length_by_copies_of_its_last_member) {
    // The line gives 0, 1; then it is longer by one, and gives 1 again; and so on. When it is shorter, one input is left out.
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch cell = filo_sf_branch(b, "cell", NULL);
    filo_sf_define(cell, filo_sf_i_pre(filo_sf_input(b), FILO_SF(float, 0)));
    FiloSfMember members[] = { { cell, FILO_SF_NONE } };
    FiloSfCollection cells = { .capacity = 4,
                               .kinds = { cell },
                               .initial = members,
                               .initial_count = 1,
                               .route = through_line,
                               .input_type = FILO_TYPE(float) };
    FiloSf line = filo_sf_rec(b, FILO_TYPE(Line));
    FiloSf list =
        filo_sf_rp_switch(filo_sf_pair(filo_sf_in(b, 0), line), &cells, filo_sf_in(b, 1), edit_length);
    filo_sf_close(line, filo_sf_fold(list, FILO_SF(Line, 0), &append));
    embed(b, filo_sf_arr(line, &last_of),
          &(Embed){ .delta = T(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
                    .in = { V(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
                            E(NO, 1, NO, NO, 1, NO, NO, -1, NO, 1, NO, NO, 1, NO, NO, -1) },
                    .out = { V(0, 1, 1, 2, 3, 3, 4, 6, 7, 8, 8, 9, 10, 10, 11, 13) } });
}

FILO_TEST(a_copy_in_a_full_collection_is_dropped_and_reported) {
    FiloSfBuilder *b = embed_builder("fF");
    FiloSfBranch climb = climbing(b);
    FiloSfMember members[] = { { climb, FILO_SF(float, 10) }, { climb, FILO_SF(float, 20) } };
    FiloSfCollection two = {
        .name = "two", .capacity = 2, .kinds = { climb }, .initial = members, .initial_count = 2
    };
    embed(b, filo_sf_rp_switch(filo_sf_in(b, 0), &two, filo_sf_in(b, 1), edit_length),
          &(Embed){ .delta = T(0, 1),
                    .in = { V(1, 1), E(NO, 1) },
                    .out = { L(2, 10, 20, 2, 11, 21) },
                    .code = FILO_ERROR_LIMIT,
                    .message = "collection \"two\" is full: it has a capacity of 2" });
}

// ---- Loops -------------------------------------------------------------------------------------------------------

// The number of the first member that has reached 3; 9: none.
typedef struct Reached {
    int32_t at, first;
} Reached;
FILO_REFLECT(Reached, FILO_FIELD(int32_t, at), FILO_FIELD(int32_t, first))

FILO_SF_FUNCTION2(look_at, Reached, Reached, r, float, value) {
    if (value >= 2.99f && r.first == 9) r.first = r.at;
    r.at++;
    return r;
}
FILO_SF_FUNCTION(first_of, int32_t, Reached, r) { return r.first; }

// In place of the n-th member, one that begins at 0.
static void restart(FiloSfMembers *members, const void *event_value) {
    size_t n = (size_t) * (const int32_t *)event_value;
    filo_sf_members_remove(members, filo_sf_members_key(members, n));
    uint32_t key = filo_sf_members_add(members, edited_kind, FILO_SF(float, 0));
    filo_sf_members_move(members, key, n);
}

FILO_TEST(loops_lead_through_the_events_of_delayed_collections) {
    // Three ramps with different phases. The one that has reached 3 starts again at the next sample, the others go on: by
    // drp_switch, and by dp_switch to a branch that leads to itself.
    for (int i = 0; i < 2; i++) {
        FiloSfBuilder *b = embed_builder("");
        FiloSfBranch ramp = edited_kind = filo_sf_branch(b, "ramp", FILO_TYPE(float));
        filo_sf_define(ramp, filo_sf_add(filo_sf_parameter(ramp), filo_sf_integral(filo_sf_float(b, 2))));
        FiloSfMember members[] = { { ramp, FILO_SF(float, 0) },
                                   { ramp, FILO_SF(float, 1) },
                                   { ramp, FILO_SF(float, 2) } };
        FiloSfCollection ramps = { .capacity = 3, .kinds = { ramp }, .initial = members, .initial_count = 3 };
        FiloSf first = filo_sf_rec(b, FILO_TYPE(int32_t));
        FiloSf any = filo_sf_edge(filo_sf_less(first, filo_sf_constant(b, FILO_SF(int32_t, 9))));
        FiloSf reached = filo_sf_tag(any, first), x = filo_sf_float(b, 0), list;
        if (i == 0)
            list = filo_sf_drp_switch(x, &ramps, reached, restart);
        else {
            FiloSfBranch again = filo_sf_branch(b, "again", FILO_TYPE(int32_t));
            filo_sf_define(again,
                           filo_sf_dp_switch(filo_sf_old_edited(again, restart), FILO_ON(reached, again)));
            list = filo_sf_dp_switch(filo_sf_par(x, &ramps), FILO_ON(reached, again));
        }
        filo_sf_close(first, filo_sf_arr(filo_sf_fold(list, FILO_SF(Reached, 0, 9), &look_at), &first_of));
        embed(b, filo_sf_pair(first, list),
              &(Embed){ .delta = T(0, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f),
                        .out = { V(9, 9, 2, 9, 1, 9, 0),
                                 L(3, 0, 1, 2, 3, 0.5f, 1.5f, 2.5f, 3, 1, 2, 3, 3, 1.5f, 2.5f, 0.5f, 3, 2, 3,
                                   1, 3, 2.5f, 0.5f, 1.5f, 3, 3, 1, 2) } });
    }
}
