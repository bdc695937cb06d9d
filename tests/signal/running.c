// Running and looking at networks: reactimate, inspect, print and draw; lists as inputs; numbers and times at their limits.

#include "support/embed.h"
#include "support/together.h"

FILO_SF_FUNCTION2(add, float, float, a, float, b) { return a + b; }

// A guard that rests, and hunts with the speed of its parameter for 2 seconds.
static FiloNetwork *guard_network(void) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){
        .name = "guard", .inputs = { { .name = "seen", .type = FILO_TYPE(float), .event = true } } });
    FiloSfBranch rest = filo_sf_branch(b, "rest", NULL), hunt = filo_sf_branch(b, "hunt", FILO_TYPE(float));
    FiloSf place = filo_sf_named(filo_sf_integral(filo_sf_named(filo_sf_parameter(hunt), "speed")), "place");
    filo_sf_define(rest,
                   filo_sf_switch(filo_sf_constant(b, FILO_SF(float, -1)), FILO_ON(filo_sf_input(b), hunt)));
    filo_sf_define(hunt, filo_sf_switch(place, FILO_ON(filo_sf_after(b, 2, FILO_SF_NONE), rest)));
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_start(rest, FILO_SF_NONE), NULL));
    filo_sf_builder_destroy(b);
    return network;
}

// ---- Reactimate -------------------------------------------------------------------------------------------------

typedef struct World {
    int sensed, actuated, stop_sensing, stop_actuating;
    float outputs[16];
} World;

static float sense(void *const *inputs, void *user) {
    World *world = user;
    int n = world->sensed++;
    if (n == world->stop_sensing) return -1;
    *(uint8_t *)inputs[0] = n == 1;
    *(float *)inputs[1] = 3;
    return 1;
}
static bool actuate(const void *const *outputs, void *user) {
    World *world = user;
    world->outputs[world->actuated++] = *(const float *)outputs[0];
    return world->actuated != world->stop_actuating;
}

FILO_TEST(reactimate_runs_until_sensing_ends) {
    FiloNetwork *network = guard_network();
    World world = { .stop_sensing = 5 };
    assert_ok(filo_network_reactimate(
        network, &(FiloReactimate){ .sense = sense, .actuate = actuate, .user = &world }));
    assert_int_equal(world.actuated, 5);
    static const float expected[] = { -1, 0, 3, -1, -1 }; // seen at 1 s; at 3 s it rests again
    for (int i = 0; i < 5; i++) assert_true(world.outputs[i] == expected[i]);
    filo_network_destroy(network);
}

FILO_TEST(reactimate_runs_until_actuating_ends_and_keeps_the_state) {
    FiloNetwork *network = guard_network();
    uint8_t *object = calloc(1, filo_network_state_size(network));
    World world = { .stop_sensing = -1, .stop_actuating = 3 };
    FiloReactimate desc = { .sense = sense, .actuate = actuate, .user = &world, .state = object };
    assert_ok(filo_network_reactimate(network, &desc));
    assert_int_equal(world.actuated, 3);
    assert_string_equal(filo_network_branch(network, object), "hunt");
    world = (World){ .sensed = 10, .stop_sensing = -1, .stop_actuating = 1 };
    assert_ok(filo_network_reactimate(network, &desc)); // goes on: 2 seconds have passed
    assert_true(world.outputs[0] == -1);
    free(object);
    filo_network_destroy(network);
}

FILO_TEST(reactimate_needs_both_functions) {
    FiloNetwork *network = guard_network();
    expect_mistake("senses", filo_network_reactimate(network, &(FiloReactimate){ .sense = sense }));
    expect_mistake("senses", filo_network_reactimate(network, NULL));
    filo_network_destroy(network);
}

// ---- Looking ----------------------------------------------------------------------------------------------------

typedef struct Look {
    int count;
    float speed, place;
    bool has_speed, has_place;
} Look;

static void look(const char *path, const FiloType *type, const void *value, bool present, void *user) {
    Look *l = user;
    l->count++;
    assert_non_null(type);
    if (!present) return;
    if (strstr(path, "hunt.speed") != NULL) l->speed = *(const float *)value, l->has_speed = true;
    if (strstr(path, "hunt.place") != NULL) l->place = *(const float *)value, l->has_place = true;
}

FILO_TEST(inspect_visits_the_signals_of_the_branch_that_is_active) {
    FiloNetwork *network = guard_network();
    uint8_t *object = calloc(1, filo_network_state_size(network)), present = 0;
    float speed = 4, out = 0;
    FiloSfRows row = {
        .count = 1, .states = object, .delta = 1, .inputs = { &present, &speed }, .outputs = { &out }
    };
    Look l = { 0 };
    assert_ok(filo_network_inspect(network, &row, look, &l));
    assert_true(l.count > 0 && !l.has_speed && !l.has_place);
    assert_true(out == -1);
    present = 1;
    assert_ok(filo_network_step(network, &row));
    present = 0;
    l = (Look){ 0 };
    assert_ok(filo_network_inspect(network, &row, look, &l));
    assert_true(l.has_speed && l.speed == 4);
    assert_true(l.has_place && l.place == 4);
    assert_true(out == 4); // it is a step
    free(object);
    filo_network_destroy(network);
}

FILO_TEST(inspect_takes_one_row_and_a_function) {
    FiloNetwork *network = guard_network();
    uint8_t *objects = calloc(2, filo_network_state_size(network));
    expect_mistake("pass one row",
                   filo_network_inspect(network, &(FiloSfRows){ .count = 2, .states = objects }, look, NULL));
    expect_mistake("pass one row",
                   filo_network_inspect(network, &(FiloSfRows){ .count = 1, .states = objects }, NULL, NULL));
    free(objects);
    filo_network_destroy(network);
}

FILO_TEST(inspecting_gives_the_same_outputs_as_stepping) {
    FiloNetwork *network = guard_network();
    size_t size = filo_network_state_size(network);
    uint8_t *a = calloc(1, size), *b = calloc(1, size);
    for (int i = 0; i < 20; i++) {
        uint8_t present = i % 7 == 3;
        float speed = (float)i, x = 0, y = 0;
        FiloSfRows row = {
            .count = 1, .states = a, .delta = 0.5f, .inputs = { &present, &speed }, .outputs = { &x }
        };
        assert_ok(filo_network_step(network, &row));
        row.states = b;
        row.outputs[0] = &y;
        Look l = { 0 };
        assert_ok(filo_network_inspect(network, &row, look, &l));
        assert_true(x == y);
        assert_memory_equal(a, b, size);
    }
    free(a);
    free(b);
    filo_network_destroy(network);
}

FILO_TEST(listings_and_drawings_name_signals_and_branches_and_are_cut_to_size) {
    FiloNetwork *network = guard_network();
    size_t (*const functions[])(const FiloNetwork *, char *,
                                size_t) = { filo_network_print, filo_network_draw, filo_network_draw_states };
    for (int i = 0; i < 3; i++) {
        char text[8192];
        size_t length = functions[i](network, text, sizeof text);
        assert_in_range(length, 20, sizeof text - 1);
        assert_int_equal(strlen(text), length);
        assert_contains(text, "rest");
        assert_contains(text, "hunt");
        if (i < 2) assert_contains(text, "place");
        if (i > 0) assert_contains(text, "digraph");
        char cut[16];
        memset(cut, 'x', sizeof cut);
        assert_int_equal(functions[i](network, cut, sizeof cut), length);
        assert_int_equal(strlen(cut), sizeof cut - 1);
        assert_memory_equal(cut, text, sizeof cut - 1);
        assert_int_equal(functions[i](network, NULL, 0), length);
    }
    filo_network_destroy(network);
}

// ---- Threads ----------------------------------------------------------------------------------------------------

enum { SHARED_ROWS = 600, SHARED_STEPS = 40 };

typedef struct Shared {
    const FiloNetwork *network;
    uint8_t *states;
    int threads;
    float outputs[SHARED_STEPS][SHARED_ROWS];
} Shared;

// The rows of a thread, all steps.
static void run_share(int thread, void *user) {
    Shared *shared = user;
    size_t from = (size_t)(SHARED_ROWS * thread / shared->threads),
           to = (size_t)(SHARED_ROWS * (thread + 1) / shared->threads);
    for (size_t step = 0; step < SHARED_STEPS; step++) {
        uint8_t events[SHARED_ROWS];
        float speeds[SHARED_ROWS];
        for (size_t i = from; i < to; i++) {
            events[i - from] = (step + i) % 7 == 0;
            speeds[i - from] = (float)(i % 11);
        }
        FiloSfRows rows = { .count = to - from,
                            .states = shared->states + from * filo_network_state_size(shared->network),
                            .delta = 0.25f,
                            .inputs = { events, speeds },
                            .outputs = { shared->outputs[step] + from } };
        if (rows.count > 0) assert_ok(filo_network_step(shared->network, &rows));
    }
}

FILO_TEST(threads_step_different_rows_of_one_network_with_the_same_results) {
    FiloNetwork *network = guard_network();
    static Shared one, many;
    size_t size = filo_network_state_size(network) * SHARED_ROWS;
    one = (Shared){ .network = network, .states = calloc(1, size), .threads = 1 };
    run_share(0, &one);
    for (int threads = 2; threads <= 16; threads *= 2) {
        many = (Shared){ .network = network, .states = calloc(1, size), .threads = threads };
        together(threads, run_share, &many);
        assert_memory_equal(one.outputs, many.outputs, sizeof one.outputs);
        assert_memory_equal(one.states, many.states, size);
        free(many.states);
    }
    free(one.states);
    filo_network_destroy(network);
}

// ---- Lists as inputs --------------------------------------------------------------------------------------------

FILO_TEST(a_list_as_input_is_folded) {
    FiloSfBuilder *b = filo_sf_builder_create(
        &(FiloSfBuilderDesc){ .inputs = { { .name = "all", .type = FILO_TYPE(float), .capacity = 4 } } });
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_fold(filo_sf_input(b), FILO_SF(float, 100), &add), NULL));
    filo_sf_builder_destroy(b);
    FiloSfLeaf leaf;
    assert_int_equal(filo_network_inputs(network, &leaf, 1), 1);
    enum { ROWS = 67 };
    uint8_t *lists = calloc(ROWS, leaf.type->size), *states = calloc(ROWS, filo_network_state_size(network));
    float out[ROWS];
    for (uint32_t row = 0; row < ROWS; row++) {
        FiloSfList *list = (FiloSfList *)(void *)(lists + row * leaf.type->size);
        *list = (FiloSfList){ .count = row % 5, .capacity = 4 };
        for (uint32_t i = 0; i < list->count; i++) {
            float value = (float)(row + i);
            memcpy((uint8_t *)(uintptr_t)filo_sf_list_at(list, FILO_TYPE(float), i), &value, sizeof value);
        }
    }
    FiloSfRows rows = { .count = ROWS, .states = states, .inputs = { lists }, .outputs = { out } };
    assert_ok(filo_network_step(network, &rows));
    for (int row = 0; row < ROWS; row++) {
        float expected = 100;
        for (int i = 0; i < row % 5; i++) expected += (float)(row + i);
        assert_true(out[row] == expected);
    }
    free(lists);
    free(states);
    filo_network_destroy(network);
}

// ---- Limits -----------------------------------------------------------------------------------------------------

FILO_TEST(a_long_pause_is_one_event_and_the_rhythm_stays) {
    // 8192 periods at once, then half a period, then the other half.
    FiloSfBuilder *b = embed_builder("f");
    FiloSf all[] = { filo_sf_is_event(filo_sf_repeatedly(b, 0.125f, FILO_SF_NONE)),
                     filo_sf_fold(filo_sf_sample_window(filo_sf_input(b), 3, 0.125f), FILO_SF(float, 0),
                                  &add) };
    embed(b, filo_sf_tuple(b, all, 2),
          &(Embed){ .delta = T(0, 1024, 0.0625f, 0.0625f),
                    .in = { V(1, 2, 3, 4) },
                    .out = { V(0, 1, 0, 1), E(NO, 6, NO, 8) } }); // the window is 2 2 2, then 2 2 4
}

FILO_TEST(many_small_steps_add_up_in_time) {
    // Time is added up in double: a million steps of 1/60 s in float would be wrong by more than a second.
    FiloSfBuilder *b = embed_builder("");
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_time(b), NULL));
    filo_sf_builder_destroy(b);
    void *object = calloc(1, filo_network_state_size(network));
    float out = 0, delta = 1.0f / 60;
    FiloSfRows rows = { .count = 1, .states = object, .delta = delta, .outputs = { &out } };
    for (int i = 0; i <= 1000000; i++) (void)filo_network_step(network, &rows);
    assert_true(fabs((double)out - 1e6 * (double)delta) < 0.002);
    free(object);
    filo_network_destroy(network);
}

FILO_TEST(a_network_with_many_pieces_of_state_is_described_as_words) {
    FiloSfBuilder *b = embed_builder("f");
    FiloSf x = filo_sf_input(b);
    for (int i = 0; i < 300; i++) x = filo_sf_i_pre(x, FILO_SF(float, (float)i));
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, x, NULL));
    filo_sf_builder_destroy(b);
    const FiloType *type = filo_network_state_type(network);
    assert_int_equal(type->size, filo_network_state_size(network));
    assert_in_range(type->field_count, 1, FILO_TYPE_FIELDS);
    uint8_t *object = calloc(2, type->size);
    float out = 0;
    for (int i = 0; i < 302; i++) {
        FiloSfRows rows = {
            .count = 1, .states = object, .inputs = { &(float){ (float)(1000 + i) } }, .outputs = { &out }
        };
        assert_ok(filo_network_step(network, &rows));
        assert_true(out == (i < 300 ? (float)(299 - i) : (float)(1000 + i - 300)));
    }
    assert_false(filo_reflect_equal(type, object, object + type->size));
    free(object);
    filo_network_destroy(network);
}

// Steps many rows, of which some get the event, and each of them alone with its id; twice.
static void check_ids(FiloSf sf) {
    enum { ROWS = 90 };
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, sf, NULL));
    filo_sf_builder_destroy(sf.builder);
    size_t size = filo_network_state_size(network);
    uint8_t *many = calloc(ROWS, size), *ones = calloc(ROWS, size), events[ROWS];
    float out[ROWS], alone = 0;
    for (int step = 0; step < 4; step++) {
        for (int i = 0; i < ROWS; i++) events[i] = i % 3 == 1 && step == i % 2;
        FiloSfRows rows = {
            .count = ROWS, .states = many, .inputs = { events }, .outputs = { out }, .seed = 5
        };
        assert_ok(filo_network_step(network, &rows));
        for (size_t i = 0; i < ROWS; i++) {
            FiloSfRows row = { .count = 1,
                               .states = ones + i * size,
                               .inputs = { &events[i] },
                               .outputs = { &alone },
                               .ids = &(uint64_t){ i },
                               .seed = 5 };
            assert_ok(filo_network_step(network, &row));
            assert_true(alone == out[i]);
        }
        assert_true(step == 0 || out[1] != out[7]);
    }
    free(many);
    free(ones);
    filo_network_destroy(network);
}

FILO_TEST(random_numbers_inside_branches_depend_on_the_id_of_the_row) {
    // Rows are in different branches, so those of one branch are gathered; each must keep its own id.
    FiloSfBuilder *b = embed_builder("U");
    FiloSfBranch inside = filo_sf_branch(b, "inside", NULL);
    filo_sf_define(inside, filo_sf_noise(b, 0, 1));
    check_ids(filo_sf_switch(filo_sf_constant(b, FILO_SF(float, -1)), FILO_ON(filo_sf_input(b), inside)));
}

FILO_TEST(random_numbers_of_frozen_paused_and_collected_functions_depend_on_the_id_of_the_row) {
    FiloSfBuilder *b = embed_builder("U");
    FiloSfBranch on = filo_sf_branch(b, "on", NULL);
    filo_sf_define(on, filo_sf_old(on));
    check_ids(filo_sf_k_switch(filo_sf_noise(b, 0, 1), FILO_ON(filo_sf_input(b), on)));
    b = embed_builder("U");
    FiloSf paused = filo_sf_is_event(filo_sf_input(b));
    check_ids(filo_sf_pause(paused, paused, FILO_SF(float, -1), filo_sf_noise(b, 0, 1)));
    b = embed_builder("U");
    FiloSfBranch member = filo_sf_branch(b, "member", NULL);
    filo_sf_define(member, filo_sf_noise(b, 0, 1));
    FiloSfMember members[] = { { member, FILO_SF_NONE }, { member, FILO_SF_NONE } };
    FiloSfCollection c = { .capacity = 2, .kinds = { member }, .initial = members, .initial_count = 2 };
    check_ids(filo_sf_fold(filo_sf_par(filo_sf_input(b), &c), FILO_SF(float, 0), &add));
}

// ---- Mistakes in edit functions ---------------------------------------------------------------------------------

static FiloSfBranch unknown_kind, right_kind;
static void add_unknown(FiloSfMembers *members, const void *value) {
    (void)value;
    assert_int_equal(filo_sf_members_add(members, unknown_kind, FILO_SF_NONE), 0);
}
static void add_without_parameter(FiloSfMembers *members, const void *value) {
    (void)value;
    assert_int_equal(filo_sf_members_add(members, right_kind, FILO_SF_NONE), 0);
}
static void add_with_another_type(FiloSfMembers *members, const void *value) {
    (void)value;
    assert_int_equal(filo_sf_members_add(members, right_kind, FILO_SF(int32_t, 1)), 0);
}

FILO_TEST(members_of_another_kind_or_with_another_parameter_are_not_added) {
    static const FiloSfEdit edits[] = { add_unknown, add_without_parameter, add_with_another_type };
    static const char *const messages[] = { "has no such kind of members", "takes another parameter",
                                            "takes another parameter" };
    for (int i = 0; i < 3; i++) {
        FiloSfBuilder *b = embed_builder("fF");
        right_kind = filo_sf_branch(b, "right", FILO_TYPE(float));
        unknown_kind = filo_sf_branch(b, "unknown", NULL);
        filo_sf_define(right_kind, filo_sf_parameter(right_kind));
        filo_sf_define(unknown_kind, filo_sf_input(b));
        FiloSfCollection c = { .name = "zoo", .capacity = 4, .kinds = { right_kind } };
        FiloSf list = filo_sf_rp_switch(filo_sf_in(b, 0), &c, filo_sf_in(b, 1), edits[i]);
        FiloNetwork *network;
        assert_ok(filo_network_create(&network, list, NULL));
        void *object = calloc(1, filo_network_state_size(network));
        FiloSfRows rows = { .count = 1,
                            .states = object,
                            .inputs = { NULL, &(uint8_t){ 1 }, &(float){ 2 } } };
        FiloResult result = filo_network_step(network, &rows);
        assert_error(result, FILO_ERROR_ARGUMENT, messages[i]);
        assert_contains(result.message, "zoo");
        free(object);
        filo_network_destroy(network);
        filo_sf_builder_destroy(b);
    }
}
