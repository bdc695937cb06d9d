#include <filo/input.h>

#include "support/failing_allocator.h"
#include "support/test.h"
#include "support/warnings.h"

#include <filo/files.h>
#include <filo/log.h>

static FiloActions *actions;
static FiloInputCollector collector;
static FiloInput input;

static void begin(void) {
    collector = (FiloInputCollector){ 0 };
    assert_ok(filo_actions_create(&actions, NULL));
    assert_ok(filo_actions_add(
        actions, &(FiloActionDesc){ .name = "fire",
                                    .help = "shoots",
                                    .bindings = { FILO_BIND(FILO_KEY_SPACE), FILO_BIND(FILO_PAD_A),
                                                  FILO_BIND_AXIS(FILO_AXIS_RIGHT_TRIGGER) } }));
    assert_ok(filo_actions_add(
        actions, &(FiloActionDesc){ .name = "move x",
                                    .bindings = { FILO_BIND_NEGATIVE(FILO_KEY_A), FILO_BIND(FILO_KEY_D),
                                                  FILO_BIND_AXIS(FILO_AXIS_LEFT_X) } }));
}

static void end(void) { filo_actions_destroy(actions); }

static void key(FiloKey which, bool down) {
    filo_input_collect(&collector,
                       &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = (int32_t)which, .down = down });
}

static void axis(int pad, FiloPadAxis which, float value) {
    filo_input_collect(&collector,
                       &(FiloInputChange){
                           .kind = FILO_INPUT_PAD_AXIS, .pad = pad, .axis = (int32_t)which, .value = value });
}

// The action as the next tick sees it.
static FiloActionState tick(const char *name) {
    filo_input_take(&collector, actions, &input);
    return filo_action(&input, filo_name(name));
}

static void assert_state(FiloActionState state, bool down, bool pressed, bool released) {
    assert_int_equal(state.down, down);
    assert_int_equal(state.pressed, pressed);
    assert_int_equal(state.released, released);
}

static FiloBinding bound(const char *name, size_t slot) {
    for (size_t i = 0; i < filo_actions_count(actions); i++)
        if (strcmp(filo_actions_at(actions, i)->name, name) == 0)
            return filo_actions_at(actions, i)->bindings[slot];
    fail_msg("no action %s", name);
    return (FiloBinding){ 0 };
}

static void assert_binding(FiloBinding a, FiloBinding b) {
    assert_int_equal(a.key, b.key);
    assert_int_equal(a.axis, b.axis);
    assert_int_equal(a.is_axis, b.is_axis);
    assert_true(a.scale == b.scale);
}

// ---- Evaluating -----------------------------------------------------------------------------------------

FILO_TEST(an_action_follows_its_keys_buttons_and_axes) {
    begin();
    assert_state(tick("fire"), false, false, false);
    key(FILO_KEY_SPACE, true);
    assert_state(tick("fire"), true, true, false);
    assert_state(tick("fire"), true, false, false);
    key(FILO_KEY_SPACE, false);
    assert_state(tick("fire"), false, false, true);
    assert_state(tick("fire"), false, false, false);
    axis(2, FILO_AXIS_RIGHT_TRIGGER, 1);
    assert_state(tick("fire"), true, true, false);
    assert_true(filo_action_down(&input, filo_name("fire")) &&
                !filo_action_pressed(&input, filo_name("move x")));
    axis(2, FILO_AXIS_RIGHT_TRIGGER, 0.3f);
    assert_state(tick("fire"), false, false, true);
    assert_true(filo_action_value(&input, filo_name("fire")) > 0.1f);
    end();
}

FILO_TEST(values_add_up_and_stay_between_minus_one_and_one) {
    begin();
    key(FILO_KEY_A, true);
    assert_true(tick("move x").value == -1);
    assert_false(filo_action_down(&input, filo_name("move x"))); // only the positive side is "down"
    key(FILO_KEY_D, true);
    assert_true(tick("move x").value == 0);
    key(FILO_KEY_A, false);
    axis(0, FILO_AXIS_LEFT_X, 1);
    assert_true(tick("move x").value == 1);
    axis(1, FILO_AXIS_LEFT_X, -0.5f); // the gamepad that is moved farther counts
    assert_true(tick("move x").value == 1);
    end();
}

FILO_TEST(a_tap_between_two_ticks_is_pressed_and_released) {
    begin();
    key(FILO_KEY_SPACE, true), key(FILO_KEY_SPACE, false);
    assert_state(tick("fire"), false, true, true);
    assert_state(tick("fire"), false, false, false);
    end();
}

FILO_TEST(a_key_released_and_pressed_between_two_ticks_has_both_edges) {
    begin();
    key(FILO_KEY_SPACE, true);
    tick("fire");
    key(FILO_KEY_SPACE, false), key(FILO_KEY_SPACE, true);
    assert_state(tick("fire"), true, true, true);
    end();
}

FILO_TEST(a_second_key_makes_no_edge_while_the_first_is_held) {
    begin();
    key(FILO_KEY_SPACE, true);
    tick("fire");
    key(FILO_PAD_A, true);
    assert_state(tick("fire"), true, false, false);
    key(FILO_PAD_A, false);
    assert_state(tick("fire"), true, false, false);
    key(FILO_PAD_A, true), key(FILO_PAD_A, false);
    assert_state(tick("fire"), true, false, false);
    end();
}

FILO_TEST(the_threshold_decides_when_an_action_is_down) {
    begin();
    assert_ok(filo_actions_add(
        actions, &(FiloActionDesc){
                     .name = "push", .threshold = 0.9f, .bindings = { FILO_BIND_AXIS(FILO_AXIS_LEFT_Y) } }));
    axis(0, FILO_AXIS_LEFT_Y, 0.8f);
    assert_false(tick("push").down);
    axis(0, FILO_AXIS_LEFT_Y, 1);
    assert_true(tick("push").pressed);
    end();
}

FILO_TEST(an_unknown_action_is_all_zero) {
    begin();
    key(FILO_KEY_SPACE, true);
    FiloActionState none = tick("dance");
    assert_int_equal(none.name.id, 0);
    assert_state(none, false, false, false);
    assert_true(filo_action_value(&input, (FiloName){ 0 }) == 0);
    assert_int_equal(input.action_count, 2);
    end();
}

FILO_TEST(actions_stay_down_when_their_order_changes) {
    begin();
    key(FILO_KEY_SPACE, true);
    tick("fire");
    FiloActions *others;
    assert_ok(filo_actions_create(&others, NULL));
    assert_ok(filo_actions_add(others, &(FiloActionDesc){ .name = "jump" }));
    assert_ok(filo_actions_add(
        others, &(FiloActionDesc){ .name = "fire", .bindings = { FILO_BIND(FILO_KEY_SPACE) } }));
    FiloInput next = input;
    memset(&next.pressed, 0, sizeof next.pressed);
    filo_actions_evaluate(others, &next, &input);
    assert_state(filo_action(&next, filo_name("fire")), true, false, false);
    filo_actions_evaluate(others, &next, NULL);
    assert_state(filo_action(&next, filo_name("fire")), true, true, false);
    filo_actions_destroy(others);
    end();
}

// ---- Adding and binding ---------------------------------------------------------------------------------

FILO_TEST(actions_are_copied_listed_and_not_added_twice) {
    begin();
    char name[] = "wave";
    assert_ok(filo_actions_add(actions, &(FiloActionDesc){ .name = name, .help = name }));
    name[0] = 'X';
    assert_int_equal(filo_actions_count(actions), 3);
    assert_string_equal(filo_actions_at(actions, 2)->name, "wave");
    assert_string_equal(filo_actions_at(actions, 2)->help, "wave");
    assert_null(filo_actions_at(actions, 3));
    assert_error(filo_actions_add(actions, &(FiloActionDesc){ .name = "wave" }), FILO_ERROR_EXISTS,
                 "\"wave\" already");
    end();
}

FILO_TEST(the_number_of_actions_is_limited) {
    begin();
    char name[32];
    for (int i = 2; i < FILO_INPUT_ACTIONS; i++) {
        snprintf(name, sizeof name, "action %d", i);
        assert_ok(filo_actions_add(actions, &(FiloActionDesc){ .name = name }));
    }
    assert_error(filo_actions_add(actions, &(FiloActionDesc){ .name = "last" }), FILO_ERROR_LIMIT,
                 "\"last\"");
    tick("fire");
    assert_int_equal(input.action_count, FILO_INPUT_ACTIONS);
    end();
}

FILO_TEST(a_player_binds_other_keys_and_goes_back) {
    begin();
    assert_ok(filo_actions_bind(actions, "fire", 0, (FiloBinding)FILO_BIND(FILO_MOUSE_LEFT)));
    assert_ok(filo_actions_bind(actions, "fire", 5, (FiloBinding)FILO_BIND(FILO_KEY_F)));
    key(FILO_KEY_SPACE, true);
    assert_false(tick("fire").down);
    key(FILO_KEY_F, true);
    assert_true(tick("fire").down);
    assert_ok(filo_actions_bind(actions, "fire", 5, (FiloBinding){ 0 }));
    assert_false(tick("fire").down);
    assert_int_equal(bound("fire", 1).key, FILO_PAD_A); // the other slots stay
    filo_actions_reset(actions);
    assert_true(tick("fire").down);
    assert_int_equal(bound("fire", 0).key, FILO_KEY_SPACE);
    end();
}

FILO_TEST(invalid_bindings_are_refused_and_nothing_changes) {
    begin();
    assert_error(filo_actions_bind(actions, "dance", 0, (FiloBinding){ 0 }), FILO_ERROR_NOT_FOUND,
                 "\"dance\"");
    expect_mistake("0 to 5, not 6", filo_actions_bind(actions, "fire", 6, (FiloBinding){ 0 }));
    expect_mistake("a key or an axis",
                   filo_actions_bind(actions, "fire", 0, (FiloBinding){ .key = (FiloKey)250 }));
    expect_mistake(
        "a key or an axis",
        filo_actions_bind(actions, "fire", 0, (FiloBinding){ .is_axis = true, .axis = FILO_AXIS_COUNT }));
    expect_mistake(
        "a key or an axis",
        filo_actions_bind(actions, "fire", 0, (FiloBinding){ .key = FILO_KEY_A, .scale = __builtin_inff() }));
    expect_mistake(
        "a scale from -1000 to 1000",
        filo_actions_bind(actions, "fire", 0,
                          (FiloBinding){ .key = FILO_KEY_A, .scale = 5000 })); // it could not be loaded again
    assert_int_equal(bound("fire", 0).key, FILO_KEY_SPACE);
    end();
}

FILO_TEST(mistakes_are_named) {
    only_in_debug_builds();
    begin();
    expect_mistake("pass a pointer to filo_actions_create", filo_actions_create(NULL, NULL));
    expect_mistake("give the action a name", filo_actions_add(actions, &(FiloActionDesc){ .name = "" }));
    expect_mistake("give the action \"x\" a threshold",
                   filo_actions_add(actions, &(FiloActionDesc){ .name = "x", .threshold = -1 }));
    expect_mistake(
        "binding 1 is not",
        filo_actions_add(actions, &(FiloActionDesc){ .name = "x", .bindings = { { 0 }, { .key = 287 } } }));
    expect_mistake("pass actions and a name", filo_actions_bind(actions, NULL, 0, (FiloBinding){ 0 }));
    expect_mistake("pass actions and a path to filo_actions_save", filo_actions_save(actions, NULL));
    expect_mistake("pass actions and a path to filo_actions_load", filo_actions_load(NULL, "x"));
    expect_fault("pass actions and an input", filo_actions_evaluate(actions, NULL, NULL));
    expect_fault("pass actions to filo_actions_count", filo_actions_count(NULL));
    expect_fault("pass actions to filo_actions_at", filo_actions_at(NULL, 0));
    expect_fault("pass actions to filo_actions_reset", filo_actions_reset(NULL));
    filo_actions_destroy(NULL);
    assert_int_equal(filo_actions_count(actions), 2);
    end();
}

// ---- Files ----------------------------------------------------------------------------------------------

static int warnings;
static char warned[4096];

static void append_warning(const FiloLogMessage *message, void *user) {
    FILO_UNUSED(user);
    warnings++;
    snprintf(warned + strlen(warned), sizeof warned - strlen(warned), "%s\n", message->text);
}

static FiloLogSink collect_warnings(void) {
    warnings = 0, warned[0] = '\0';
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    return filo_log_add_sink(&(FiloLogSinkDesc){ .write = append_warning, .filter = "warn" });
}

static FiloResult load_text(const char *text) {
    const char *path = filo_test_path("actions.json");
    assert_ok(filo_file_write(path, text, strlen(text), NULL));
    return filo_actions_load(actions, path);
}

FILO_TEST(bindings_are_saved_and_loaded) {
    begin();
    assert_ok(filo_actions_bind(actions, "fire", 0, (FiloBinding){ 0 }));
    assert_ok(filo_actions_bind(actions, "fire", 4, (FiloBinding){ .key = FILO_KEY_EXTRA, .scale = 0.25f }));
    assert_ok(filo_actions_bind(actions, "move x", 5,
                                (FiloBinding){ .axis = FILO_AXIS_RIGHT_Y, .is_axis = true, .scale = -1 }));
    const char *path = filo_test_path("bindings.json");
    assert_ok(filo_actions_save(actions, path));
    FiloActionDesc fire = *filo_actions_at(actions, 0), move = *filo_actions_at(actions, 1);
    filo_actions_reset(actions);
    assert_ok(filo_actions_load(actions, path));
    for (size_t i = 0; i < FILO_ACTION_BINDINGS; i++) {
        assert_binding(filo_actions_at(actions, 0)->bindings[i], fire.bindings[i]);
        assert_binding(filo_actions_at(actions, 1)->bindings[i], move.bindings[i]);
    }
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    assert_contains(file.text, "\"fire\": [null, \"Pad A\", {\"axis\": \"Right Trigger\"}, null, "
                               "{\"key\": \"Extra\", \"scale\": 0.25}]");
    filo_file_free(&file);
    end();
}

FILO_TEST(every_key_and_axis_survives_a_file) {
    begin();
    const char *path = filo_test_path("all.json");
    for (int i = 1; i < FILO_KEY_COUNT + FILO_AXIS_COUNT; i++) {
        FiloBinding binding = { .key = (FiloKey)i };
        if (i >= FILO_KEY_COUNT)
            binding = (FiloBinding){ .is_axis = true, .axis = (FiloPadAxis)(i - FILO_KEY_COUNT) };
        if (i < FILO_KEY_COUNT && strcmp(filo_key_name((FiloKey)i), "None") == 0) {
            expect_mistake("a key or an axis", filo_actions_bind(actions, "fire", 0, binding));
            continue;
        }
        assert_ok(filo_actions_bind(actions, "fire", 0, binding));
        assert_ok(filo_actions_save(actions, path));
        filo_actions_reset(actions);
        assert_ok(filo_actions_load(actions, path));
        assert_binding(bound("fire", 0), binding);
    }
    end();
}

FILO_TEST(actions_that_a_file_does_not_name_stay) {
    begin();
    assert_ok(filo_actions_bind(actions, "move x", 0, (FiloBinding)FILO_BIND(FILO_KEY_Q)));
    assert_ok(load_text("{\"format\":\"filo actions\",\"version\":1,\"actions\":{\"fire\":[\"x\"]}}"));
    assert_int_equal(bound("fire", 0).key, FILO_KEY_X);
    assert_int_equal(bound("fire", 1).key, FILO_KEY_NONE); // all bindings of an action are replaced
    assert_int_equal(bound("move x", 0).key, FILO_KEY_Q);
    end();
}

FILO_TEST(what_cannot_be_understood_is_skipped_and_logged) {
    begin();
    FiloLogSink sink = collect_warnings();
    assert_ok(load_text("{\"format\":\"filo actions\",\"version\":1,\"more\":[{\"a\":1}],\"actions\":{"
                        "\"dance\":[\"Space\",{\"key\":[]}],"
                        "\"move x\":7,"
                        "\"fire\":[\"Spacebar\",{\"axis\":\"Up\"},{\"key\":\"F\",\"scale\":\"much\"},12,"
                        "{\"key\":\"G\",\"colour\":{\"r\":1}},{\"key\":\"A\",\"axis\":\"Left "
                        "X\"},\"J\",[\"K\"]],\"move x\":[\"Q\"]}}"));
    filo_log_remove_sink(sink);
    assert_contains(warned, "the action \"dance\", which the game does not have, is skipped");
    assert_contains(warned, "an action that is not a list of bindings is skipped");
    assert_contains(warned, "actions.json:1:45: a member that files of actions do not have is skipped");
    assert_contains(warned, "the unknown key \"Spacebar\" of the action \"fire\" is skipped");
    assert_contains(warned, "the unknown axis \"Up\" of the action \"fire\" is skipped");
    assert_contains(warned, "a scale that is not a number");
    assert_contains(warned, "something that is not a binding");
    assert_contains(warned, "a member that a binding does not have");
    assert_contains(warned, "a binding too many");
    for (size_t i = 0; i < FILO_ACTION_BINDINGS; i++)
        assert_int_equal(bound("fire", i).key, i == 4 ? FILO_KEY_G : FILO_KEY_NONE);
    assert_int_equal(bound("move x", 0).key, FILO_KEY_Q); // reading went on after all errors
    end();
}

FILO_TEST(an_action_of_which_nothing_is_understood_stays_as_it_is) {
    static const struct {
        const char *bindings;
        FiloKey expected; // of the first binding
        const char *warning;
    } files[] = {
        { "[\"Spacebar\"]", FILO_KEY_SPACE, "the unknown key \"Spacebar\"" },
        { "[{}]", FILO_KEY_SPACE, "a binding that is not either a key or an axis" },
        { "[{\"key\":\"A\",\"axis\":\"Left X\"}]", FILO_KEY_SPACE, "not either a key or an axis" },
        { "[12, null]", FILO_KEY_SPACE, "something that is not a binding" },
        { "[\"Spase\"]", FILO_KEY_SPACE, "did you mean \"Space\"?" },
        { "[\"Spacebar\", \"B\"]", FILO_KEY_NONE, "the unknown key \"Spacebar\"" },
        { "[null]", FILO_KEY_NONE, "" },
        { "[]", FILO_KEY_NONE, "" }, // the player has removed all
    };
    for (size_t i = 0; i < FILO_COUNT_OF(files); i++) {
        begin();
        FiloLogSink sink = collect_warnings();
        char text[256];
        snprintf(text, sizeof text, "{\"format\":\"filo actions\",\"version\":1,\"actions\":{\"fire\":%s}}",
                 files[i].bindings);
        assert_ok(load_text(text));
        filo_log_remove_sink(sink);
        assert_int_equal(bound("fire", 0).key, files[i].expected);
        assert_contains(warned, files[i].warning);
        end();
    }
}

FILO_TEST(a_broken_file_is_an_error_and_nothing_changes) {
    begin();
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "", "actions.json:1:1" },
        { "[]", "not a file of actions" },
        { "7", "not a file of actions" },
        { "{}", "not a file of actions" },
        { "{\"format\":\"filo scene\",\"version\":1,\"actions\":{\"fire\":[\"X\"]}}",
          "not a file of actions" },
        { "{\"format\":\"filo actions\",\"version\":2,\"actions\":{\"fire\":[\"X\"]}}", "version 2" },
        { "{\"format\":\"filo actions\",\"actions\":{\"fire\":[\"X\"]}}", "version 0" },
        { "{\"format\":\"filo actions\",\"version\":1,\"actions\":{\"fire\":[\"X\"]}", "actions.json:1:" },
        { "{\"format\":\"filo actions\",\"version\":1,\"actions\":{\"fire\":[\"X\"]}} x", "actions.json:1:" },
        { "{\"format\":\"filo actions\",\"version\":1,\"actions\":{\"fire\":[\"X\",{\"key\":",
          "actions.json:1:" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        assert_error(load_text(cases[i].text), FILO_ERROR_DATA, cases[i].message);
        assert_int_equal(bound("fire", 0).key, FILO_KEY_SPACE);
    }
    assert_error(filo_actions_load(actions, filo_test_path("nothing.json")), FILO_ERROR_NOT_FOUND,
                 "nothing.json");
    assert_error(filo_actions_save(actions, filo_test_path("no/such/folder.json")), FILO_ERROR_NOT_FOUND,
                 "folder.json");
    end();
}

FILO_TEST(running_out_of_memory_is_an_error_and_leaks_nothing) {
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    const char *path = filo_test_path("scarce.json");
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloActions *made = NULL;
        FiloResult result = filo_actions_create(&made, &failing.allocator);
        FiloActionDesc desc = { .name = "fire", .help = "shoots", .bindings = { FILO_BIND(FILO_KEY_X) } };
        if (result.code == FILO_OK) result = filo_actions_add(made, &desc);
        if (result.code == FILO_OK) result = filo_actions_save(made, path);
        if (result.code == FILO_OK) result = filo_actions_load(made, path);
        more = failing.calls > fail_at;
        if (more) assert_int_equal(result.code, FILO_ERROR_MEMORY);
        filo_actions_destroy(made);
        assert_int_equal(failing.blocks, 0);
    }
}

// ---- Unknown names --------------------------------------------------------------------------------------

FILO_TEST(a_misspelt_action_is_reported_once_with_the_one_that_was_meant) {
    only_in_debug_builds();
    begin();
    filo_input_take(&collector, actions, &input);
    expect_warning("there is no action \"fier\": did you mean \"fire\"?",
                   assert_false(filo_action_down(&input, filo_name("fier"))));
    expect_no_warning(assert_false(filo_action_down(&input, filo_name("fier"))));
    expect_warning("there is no action \"inventory\"", filo_action(&input, filo_name("inventory")));
    expect_no_warning(filo_action(&input, filo_name("fire")));
    expect_no_warning(filo_action(&input, (FiloName){ 0 }));
    end();
}

FILO_TEST(an_input_without_actions_says_where_an_app_gets_them) {
    only_in_debug_builds();
    FiloInput none = { 0 };
    expect_warning(".action_count", filo_action(&none, filo_name("crouch")));
}

FILO_TEST(an_action_that_was_added_since_the_last_tick_is_no_mistake) {
    begin();
    filo_input_take(&collector, actions, &input);
    assert_ok(filo_actions_add(actions,
                               &(FiloActionDesc){ .name = "dodge", .bindings = { FILO_BIND(FILO_KEY_Q) } }));
    expect_no_warning(tick("dodge"));
    end();
}
