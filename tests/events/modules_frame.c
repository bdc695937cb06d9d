// Modules in a program: hooks of the frame and their order, objects, contributions, flags.

#include "events/modules_fixture.h"

static void call(FiloModules *modules, FiloFramePart part) { assert_ok(filo_modules_call(modules, part)); }

// ---- Hooks --------------------------------------------------------------------------------------------------

// A hook that logs the name of its module and of the part.
#define LOG_HOOK(part)                                                                                       \
    static FiloResult part(FiloFrame *frame, void *user) {                                                   \
        assert_non_null(frame->modules);                                                                     \
        log_add(&history, "%s:" #part " ", (const char *)user);                                              \
        return filo_ok();                                                                                    \
    }
LOG_HOOK(poll)
LOG_HOOK(before_ticks)
LOG_HOOK(extract)
LOG_HOOK(render)
LOG_HOOK(panels)
LOG_HOOK(flush)
LOG_HOOK(present)
LOG_HOOK(end)
LOG_HOOK(finish)

static FiloResult fail_in(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    log_add(&history, "%s! ", (const char *)user);
    return filo_error(FILO_ERROR_IO, "%s is empty", (const char *)user);
}

static const FiloFrameHooks all_hooks = { .poll = poll,
                                          .before_ticks = before_ticks,
                                          .extract = extract,
                                          .panels = panels,
                                          .flush = flush,
                                          .present = present,
                                          .end = end,
                                          .finish = finish };

FILO_TEST(hooks_are_called_in_the_order_of_loading_and_only_while_loaded) {
    FiloModules *modules = create();
    const FiloModuleNeed needs[] = { FILO_NEED_MODULE("b", 0) };
    add(modules,
        (FiloModuleDesc){ .name = "a", .user = "a", .needs = needs, .need_count = 1, .frame = all_hooks });
    add(modules, (FiloModuleDesc){ .name = "b", .user = "b", .frame = all_hooks });
    add(modules, (FiloModuleDesc){ .name = "c", .user = "c" }); // has no hooks, and no load
    call(modules, FILO_FRAME_POLL);
    expect_log(&history, ""); // nothing is loaded
    load_all(modules);
    call(modules, FILO_FRAME_POLL);
    call(modules, FILO_FRAME_BEFORE_TICKS);
    call(modules, FILO_FRAME_EXTRACT);
    expect_log(&history, "b:poll a:poll b:before_ticks a:before_ticks b:extract a:extract ");
    call(modules, FILO_FRAME_PANELS);
    expect_log(&history, "b:panels a:panels ");
    call(modules, FILO_FRAME_RENDER);
    expect_log(&history, "b:flush a:flush ");
    call(modules, FILO_FRAME_PRESENT);
    call(modules, FILO_FRAME_END);
    call(modules, FILO_FRAME_FINISH);
    expect_log(&history, "b:present a:present b:end a:end b:finish a:finish ");
    assert_ok(filo_modules_unload(modules, "a"));
    call(modules, FILO_FRAME_POLL);
    expect_log(&history, "b:poll ");
    filo_modules_destroy(modules);
}

FILO_TEST(a_hook_that_fails_is_named_and_the_others_are_still_called) {
    FiloModules *modules = create();
    add(modules, (FiloModuleDesc){ .name = "a", .user = "a", .frame = { .extract = fail_in } });
    add(modules, (FiloModuleDesc){ .name = "b", .user = "b", .frame = { .extract = fail_in } });
    add(modules, (FiloModuleDesc){ .name = "c", .user = "c", .frame = { .extract = extract } });
    load_all(modules);
    assert_error(filo_modules_call(modules, FILO_FRAME_EXTRACT), FILO_ERROR_IO,
                 "module \"a\" failed in extract: a is empty");
    expect_log(&history, "a! b! c:extract ");
    const FiloRenderHook renders[] = { { .render = fail_in } };
    add(modules,
        (FiloModuleDesc){
            .name = "d", .user = "d", .renders = renders, .render_count = 1, .frame = { .flush = fail_in } });
    load_all(modules);
    assert_error(filo_modules_call(modules, FILO_FRAME_RENDER), FILO_ERROR_IO,
                 "module \"d\" failed in render: d is empty");
    expect_log(&history, "d! d! ");
    expect_fault("pass a FiloFramePart; 99 is none", filo_modules_call(modules, (FiloFramePart)99));
    filo_modules_destroy(modules);
}

FILO_TEST(render_hooks_are_sorted_by_order_and_then_by_registration) {
    FiloModules *modules = create();
    const FiloModuleNeed needs[] = { FILO_NEED_MODULE("last", 0) };
    const FiloRenderHook two[] = { { FILO_RENDER_DEBUG, false, render }, { FILO_RENDER_WORLD, false, poll } };
    const FiloRenderHook equal[] = { { FILO_RENDER_UI, false, render } };
    const FiloRenderHook under[] = { { -5, false, render }, { FILO_RENDER_UI, false, end } };
    // Loaded after "last", and drawn before it, because it was registered first.
    add(modules, (FiloModuleDesc){ .name = "first",
                                   .user = "first",
                                   .needs = needs,
                                   .need_count = 1,
                                   .renders = equal,
                                   .render_count = 1 });
    add(modules, (FiloModuleDesc){ .name = "two", .user = "two", .renders = two, .render_count = 2 });
    add(modules, (FiloModuleDesc){ .name = "last", .user = "last", .renders = under, .render_count = 2 });
    load_all(modules);
    call(modules, FILO_FRAME_RENDER);
    expect_log(&history, "last:render two:poll first:render last:end two:render ");
    assert_ok(filo_modules_unload(modules, "two"));
    call(modules, FILO_FRAME_RENDER);
    expect_log(&history, "last:render first:render last:end ");
    filo_modules_destroy(modules);
}

FILO_TEST(what_was_collected_is_drawn_before_a_direct_hook_and_at_the_end) {
    FiloModules *modules = create();
    const FiloRenderHook list[] = { { 0, false, render }, { 1, true, end }, { 2, false, render } };
    add(modules, (FiloModuleDesc){ .name = "collector", .user = "collector", .frame = { .flush = flush } });
    add(modules, (FiloModuleDesc){ .name = "pass", .user = "pass", .renders = list, .render_count = 3 });
    load_all(modules);
    call(modules, FILO_FRAME_RENDER);
    expect_log(&history, "pass:render collector:flush pass:end pass:render collector:flush ");
    filo_modules_destroy(modules);
}

static bool consume_third(FiloFrame *frame, const struct FiloInputChange *change, void *user) {
    FILO_UNUSED(frame), FILO_UNUSED(change);
    log_add(&history, "%s ", (const char *)user);
    return ((const char *)user)[0] == 'c';
}

FILO_TEST(input_is_passed_to_the_last_module_first_until_one_consumes_it) {
    FiloModules *modules = create();
    const char *names[] = { "a", "b", "c", "d" };
    for (int i = 0; i < 4; i++)
        add(modules, (FiloModuleDesc){ .name = names[i],
                                       .user = (void *)(uintptr_t)names[i],
                                       .frame = { .input = consume_third } });
    load_all(modules);
    assert_true(filo_modules_input(modules, NULL));
    expect_log(&history, "d c ");
    assert_ok(filo_modules_unload(modules, "c"));
    assert_false(filo_modules_input(modules, NULL));
    expect_log(&history, "d b a ");
    filo_modules_destroy(modules);
}

static FiloResult log_shot(FiloFrame *frame, const char *path, void *user) {
    FILO_UNUSED(frame);
    log_add(&history, "%s %s ", (const char *)user, path);
    return filo_ok();
}

static FiloResult wait_long(FiloFrame *frame, void *user) {
    frame->waited = *(bool *)user;
    return filo_ok();
}

FILO_TEST(the_first_module_with_a_shot_hook_takes_pictures_and_waiting_is_reported) {
    FiloModules *modules = create();
    bool waits = true;
    assert_error(filo_modules_shot(modules, "x.png"), FILO_ERROR_UNSUPPORTED,
                 "x.png: no module that is loaded takes pictures");
    add(modules, (FiloModuleDesc){ .name = "a", .user = &waits, .frame = { .wait = wait_long } });
    add(modules, (FiloModuleDesc){ .name = "b", .user = "b", .frame = { .shot = log_shot } });
    add(modules, (FiloModuleDesc){ .name = "c", .user = "c", .frame = { .shot = log_shot } });
    load_all(modules);
    assert_ok(filo_modules_shot(modules, "x.png"));
    expect_log(&history, "b x.png ");
    FiloFrame *frame = filo_modules_frame(modules);
    assert_true(frame->headless && frame->width == 0 && frame->modules == modules);
    call(modules, FILO_FRAME_WAIT);
    assert_true(frame->waited);
    waits = false;
    call(modules, FILO_FRAME_WAIT);
    assert_false(frame->waited);
    filo_modules_destroy(modules);
}

static FiloResult change_registry(FiloFrame *frame, void *user) {
    FILO_UNUSED(user);
    assert_int_equal(filo_modules_unload(frame->modules, "a").code, FILO_ERROR_ARGUMENT);
    return filo_ok();
}

FILO_TEST(changing_the_registry_inside_a_hook_is_caught) {
    FiloModules *modules = create();
    add(modules, (FiloModuleDesc){ .name = "a", .frame = { .end = change_registry } });
    load_all(modules);
    expect_fault("a hook of the frame is running: change the registry between frames",
                 call(modules, FILO_FRAME_END));
    assert_ok(filo_modules_unload(modules, "a"));
    filo_modules_destroy(modules);
}

FILO_TEST(a_backend_module_is_loaded_with_all_modules_or_when_it_is_required) {
    FiloModules *modules = create();
    const FiloModuleNeed needs[] = { FILO_NEED_MODULE("window", 0) };
    add(modules, (FiloModuleDesc){ .name = "window", .backend = true });
    add(modules, (FiloModuleDesc){ .name = "sound", .backend = true });
    add(modules, (FiloModuleDesc){ .name = "game" });
    add(modules, (FiloModuleDesc){ .name = "icon", .needs = needs, .need_count = 1 });
    assert_ok(filo_modules_load_core(modules));
    assert_true(filo_modules_loaded(modules, "game") && filo_modules_loaded(modules, "icon"));
    assert_true(filo_modules_loaded(modules, "window")); // required by the icon
    assert_false(filo_modules_loaded(modules, "sound"));
    load_all(modules);
    assert_true(filo_modules_loaded(modules, "sound"));
    filo_modules_destroy(modules);
}

// ---- Objects ------------------------------------------------------------------------------------------------

typedef struct Lamp {
    int light;
} Lamp;

typedef struct Maker {
    Lamp *lamp;
    bool fails;
} Maker;

static const FiloModuleProvide lamps[] = { FILO_PROVIDE_OBJECT(Lamp) };

static FiloResult light(FiloModules *modules, void *user) {
    Maker *maker = user;
    FILO_SET_OBJECT(modules, Lamp, maker->lamp);
    assert_null(FILO_OBJECT(modules, Lamp)); // not loaded yet
    return maker->fails ? filo_error(FILO_ERROR_IO, "no oil") : filo_ok();
}

static FiloResult find_lamp(FiloModules *modules, void *user) {
    *(Lamp **)user = FILO_OBJECT(modules, Lamp);
    return filo_ok();
}

FILO_TEST(an_object_is_found_from_load_to_unload) {
    FiloModules *modules = create();
    Lamp lamp = { 7 }, *seen = NULL;
    Maker maker = { &lamp, false };
    const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(Lamp) };
    add(modules, (FiloModuleDesc){
                     .name = "reader", .user = &seen, .load = find_lamp, .needs = needs, .need_count = 1 });
    assert_error(filo_modules_load_all(modules), FILO_ERROR_NOT_FOUND,
                 "module \"reader\" needs the interface \"Lamp\", which no registered module provides");
    add(modules, (FiloModuleDesc){
                     .name = "lamp", .user = &maker, .load = light, .provides = lamps, .provide_count = 1 });
    assert_null(FILO_OBJECT(modules, Lamp));
    load_all(modules);
    assert_ptr_equal(seen, &lamp);
    assert_ptr_equal(FILO_OBJECT(modules, Lamp), &lamp);
    assert_ok(filo_modules_unload(modules, "lamp"));
    assert_null(FILO_OBJECT(modules, Lamp));
    maker.fails = true;
    assert_error(filo_modules_load_all(modules), FILO_ERROR_IO, "no oil");
    assert_null(FILO_OBJECT(modules, Lamp));
    maker = (Maker){ NULL, false }; // it provides none
    load_all(modules);
    assert_true(filo_modules_loaded(modules, "lamp"));
    assert_null(FILO_OBJECT(modules, Lamp));
    assert_null(seen);
    filo_modules_destroy(modules);
}

FILO_TEST(an_optional_object_is_loaded_before_if_it_is_registered) {
    Lamp lamp = { 7 }, *seen = NULL;
    Maker maker = { &lamp, false };
    const FiloModuleNeed wishes[] = { FILO_OPTIONAL_OBJECT(Lamp) };
    for (int with = 0; with < 2; with++) {
        FiloModules *modules = create();
        add(modules,
            (FiloModuleDesc){
                .name = "reader", .user = &seen, .load = find_lamp, .needs = wishes, .need_count = 1 });
        if (with != 0)
            add(modules,
                (FiloModuleDesc){
                    .name = "lamp", .user = &maker, .load = light, .provides = lamps, .provide_count = 1 });
        load_all(modules);
        assert_ptr_equal(seen, with != 0 ? &lamp : NULL);
        filo_modules_destroy(modules);
    }
}

FILO_TEST(of_two_modules_with_the_same_object_the_chosen_one_is_the_provider) {
    FiloModules *modules = create();
    Lamp oil = { 1 }, gas = { 2 };
    Maker makers[] = { { &oil, false }, { &gas, false } };
    const char *names[] = { "oil", "gas" };
    for (int i = 0; i < 2; i++)
        add(modules,
            (FiloModuleDesc){
                .name = names[i], .user = &makers[i], .load = light, .provides = lamps, .provide_count = 1 });
    assert_ok(filo_modules_choose(modules, "Lamp", "gas"));
    load_all(modules);
    assert_int_equal(FILO_OBJECT(modules, Lamp)->light, 2);
    assert_false(filo_modules_loaded(modules, "oil"));
    filo_modules_destroy(modules);
}

static FiloResult light_another(FiloModules *modules, void *user) {
    filo_modules_set_object(modules, "Torch", user);
    return filo_ok();
}

FILO_TEST(an_object_that_is_set_outside_of_load_or_not_provided_is_caught) {
    FiloModules *modules = create();
    Lamp lamp = { 7 };
    add(modules,
        (FiloModuleDesc){
            .name = "lamp", .user = &lamp, .load = light_another, .provides = lamps, .provide_count = 1 });
    expect_fault("set the object \"Lamp\" in the load of the module that provides it",
                 FILO_SET_OBJECT(modules, Lamp, &lamp));
    expect_fault("module \"lamp\" does not provide the object \"Torch\": say so in its description",
                 load_all(modules));
    FiloModuleProvide both = { "Lamp", 0, &lamp, true };
    expect_fault("module \"m\": interface 0 needs a name and functions, or is an object",
                 filo_modules_register(
                     modules, &(FiloModuleDesc){ .name = "m", .provides = &both, .provide_count = 1 }));
    filo_modules_destroy(modules);
}

// ---- Contributions ------------------------------------------------------------------------------------------

typedef struct Fruit {
    const char *name;
} Fruit;

static const Fruit apples[] = { { "apple" }, { "russet" } }, pears[] = { { "pear" } };
static const FiloModuleContribution orchard[] = { FILO_CONTRIBUTE(Fruit, apples),
                                                  FILO_CONTRIBUTE(Fruit, pears) };

static FiloResult add_fruit(FiloModules *modules, const FiloModuleContribution *contribution, void *user) {
    FILO_UNUSED(modules);
    assert_string_equal(contribution->type, "Fruit");
    const Fruit *fruit = contribution->items;
    for (size_t i = 0; i < contribution->count; i++)
        log_add(&history, "%s+%s ", (const char *)user, fruit[i].name);
    if (strcmp(user, "picky") == 0 && contribution->count == 1)
        return filo_error(FILO_ERROR_KIND, "no pears");
    return filo_ok();
}

static void remove_fruit(FiloModules *modules, const FiloModuleContribution *contribution, void *user) {
    FILO_UNUSED(modules);
    log_add(&history, "%s-%s ", (const char *)user, ((const Fruit *)contribution->items)->name);
}

static FiloResult log_load(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    log_add(&history, "+%s ", (const char *)user);
    if (strcmp(user, "poor") == 0) return filo_error(FILO_ERROR_IO, "no seeds");
    return filo_ok();
}

static FiloResult log_unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    log_add(&history, "-%s ", (const char *)user);
    return filo_ok();
}

static const FiloModuleAccept accepts[] = { { "Fruit", add_fruit, remove_fruit } };

static void add_orchard(FiloModules *modules, const char *name) {
    add(modules, (FiloModuleDesc){ .name = name,
                                   .user = (void *)(uintptr_t)name,
                                   .load = log_load,
                                   .unload = log_unload,
                                   .contributes = orchard,
                                   .contribute_count = 2 });
}

static void add_kitchen(FiloModules *modules, const char *name) {
    add(modules, (FiloModuleDesc){ .name = name,
                                   .user = (void *)(uintptr_t)name,
                                   .load = log_load,
                                   .unload = log_unload,
                                   .accepts = accepts,
                                   .accept_count = 1 });
}

FILO_TEST(contributions_are_added_while_both_modules_are_loaded_in_any_order) {
    FiloModules *modules = create();
    add_orchard(modules, "orchard");
    add_kitchen(modules, "kitchen");
    assert_ok(filo_modules_load(modules, "kitchen"));
    expect_log(&history, "+kitchen ");
    // Contributions are added before the load of the contributor, and removed after its unload.
    load_all(modules);
    expect_log(&history, "kitchen+apple kitchen+russet kitchen+pear +orchard ");
    assert_ok(filo_modules_unload(modules, "orchard"));
    expect_log(&history, "-orchard kitchen-apple kitchen-pear ");
    load_all(modules); // and again
    history = (Log){ 0 };
    // They are added after the load of the accepting module, and removed before its unload.
    assert_ok(filo_modules_unload(modules, "kitchen"));
    expect_log(&history, "kitchen-apple kitchen-pear -kitchen ");
    load_all(modules);
    expect_log(&history, "+kitchen kitchen+apple kitchen+russet kitchen+pear ");
    filo_modules_destroy(modules);
    expect_log(&history, "kitchen-apple kitchen-pear -kitchen -orchard ");
}

FILO_TEST(all_modules_that_accept_a_type_get_its_contributions) {
    FiloModules *modules = create();
    add_kitchen(modules, "one");
    add_kitchen(modules, "two");
    add_orchard(modules, "orchard");
    load_all(modules);
    expect_log(&history, "+one +two one+apple one+russet one+pear two+apple two+russet two+pear +orchard ");
    filo_modules_destroy(modules);
}

FILO_TEST(a_rejected_contribution_fails_the_load_of_the_later_module) {
    FiloModules *modules = create();
    add_kitchen(modules, "picky");
    add_orchard(modules, "orchard");
    assert_error(
        filo_modules_load_all(modules), FILO_ERROR_KIND,
        "module \"orchard\" failed to load: \"picky\" does not accept the Fruit of \"orchard\": no pears");
    // The apples are removed again, the load of "orchard" is not called, and "picky" is unloaded.
    expect_log(&history, "+picky picky+apple picky+russet picky+pear picky-apple -picky ");
    assert_ok(filo_modules_load(modules, "orchard"));
    assert_error(
        filo_modules_load_all(modules), FILO_ERROR_KIND,
        "module \"picky\" failed to load: \"picky\" does not accept the Fruit of \"orchard\": no pears");
    expect_log(&history, "+orchard +picky picky+apple picky+russet picky+pear picky-apple -picky ");
    assert_true(filo_modules_loaded(modules, "orchard") && !filo_modules_loaded(modules, "picky"));
    filo_modules_destroy(modules);
}

FILO_TEST(a_load_that_fails_removes_its_contributions) {
    FiloModules *modules = create();
    add_kitchen(modules, "kitchen");
    add_orchard(modules, "poor");
    assert_ok(filo_modules_load(modules, "kitchen"));
    assert_error(filo_modules_load_all(modules), FILO_ERROR_IO, "module \"poor\" failed to load: no seeds");
    expect_log(&history,
               "+kitchen kitchen+apple kitchen+russet kitchen+pear +poor kitchen-apple kitchen-pear ");
    filo_modules_destroy(modules);
}

// ---- Flags --------------------------------------------------------------------------------------------------

FILO_TEST(flags_of_all_modules_are_listed_and_duplicates_are_rejected) {
    FiloModules *modules = create();
    int rain = 3;
    bool snow = false, fast = false;
    const FiloFlag a[] = { { "rain", "drops", .integer = &rain, .letter = 'r' },
                           { "snow", NULL, .on = &snow } };
    const FiloFlag b[] = { { "fast", NULL, .on = &fast } };
    add(modules, (FiloModuleDesc){ .name = "a", .flags = a, .flag_count = 2 });
    add(modules, (FiloModuleDesc){ .name = "b", .flags = b, .flag_count = 1 });
    FiloFlag flags[2];
    assert_int_equal(filo_modules_flags(modules, flags, 2), 3); // before anything is loaded; two fit
    assert_string_equal(flags[1].name, "snow");
    assert_ptr_equal(flags[0].integer, &rain);
    const FiloFlag again[] = { { "snow", NULL, .on = &fast } };
    assert_error(
        filo_modules_register(modules, &(FiloModuleDesc){ .name = "c", .flags = again, .flag_count = 1 }),
        FILO_ERROR_EXISTS, "module \"c\": the flag --snow, or its letter, belongs to module \"a\" already");
    const FiloFlag letter[] = { { "roar", NULL, .on = &fast, .letter = 'r' } };
    assert_error(
        filo_modules_register(modules, &(FiloModuleDesc){ .name = "c", .flags = letter, .flag_count = 1 }),
        FILO_ERROR_EXISTS, "module \"c\": the flag --roar, or its letter, belongs to module \"a\" already");
    assert_int_equal(filo_modules_count(modules), 2);
    const FiloFlag twice[] = { { "x", NULL, .on = &fast }, { "x", NULL, .on = &fast } };
    expect_fault(
        "module \"c\": two flags have the name or the letter of --x",
        filo_modules_register(modules, &(FiloModuleDesc){ .name = "c", .flags = twice, .flag_count = 2 }));
    const FiloFlag nameless[] = { { NULL, NULL, .on = &fast } };
    expect_fault(
        "module \"c\": give flag 0 a name",
        filo_modules_register(modules, &(FiloModuleDesc){ .name = "c", .flags = nameless, .flag_count = 1 }));
    filo_modules_destroy(modules);
}

FILO_TEST(a_hook_or_contribution_without_its_function_is_rejected) {
    FiloModules *modules = create();
    const FiloRenderHook nothing[] = { { .order = 5 } };
    const FiloModuleContribution empty[] = { { "Fruit", NULL, 0 } };
    const FiloModuleAccept deaf[] = { { "Fruit", NULL, NULL } };
    expect_fault("module \"m\": render hook 0 needs a function",
                 filo_modules_register(
                     modules, &(FiloModuleDesc){ .name = "m", .renders = nothing, .render_count = 1 }));
    expect_fault("module \"m\": contribution 0 needs a type and items",
                 filo_modules_register(
                     modules, &(FiloModuleDesc){ .name = "m", .contributes = empty, .contribute_count = 1 }));
    expect_fault(
        "module \"m\": what it accepts, number 0, needs a type and `add`",
        filo_modules_register(modules, &(FiloModuleDesc){ .name = "m", .accepts = deaf, .accept_count = 1 }));
    filo_modules_destroy(modules);
}

// ---- Memory and events --------------------------------------------------------------------------------------

FILO_TEST(without_memory_a_full_description_is_rejected_and_nothing_leaks) {
    int rain = 0;
    const FiloModuleNeed needs[] = { FILO_OPTIONAL_OBJECT(Lamp) };
    const FiloRenderHook renders[] = { { 0, false, render }, { 1, true, render } };
    const FiloFlag flags[] = { { "rain", NULL, .integer = &rain } };
    const FiloModuleDesc desc = { .name = "m",
                                  .user = "m",
                                  .needs = needs,
                                  .need_count = 1,
                                  .provides = lamps,
                                  .provide_count = 1,
                                  .frame = all_hooks,
                                  .renders = renders,
                                  .render_count = 2,
                                  .flags = flags,
                                  .flag_count = 1,
                                  .contributes = orchard,
                                  .contribute_count = 2,
                                  .accepts = accepts,
                                  .accept_count = 1 };
    int rejected = 0;
    for (size_t fail_at = 0;; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloModules *modules;
        FiloResult r = filo_modules_create(&modules, &(FiloModulesDesc){ .allocator = &failing.allocator });
        if (r.code == FILO_OK) r = filo_modules_register(modules, &desc);
        if (r.code == FILO_OK) {
            history = (Log){ 0 };
            load_all(modules); // it accepts its own contributions
            call(modules, FILO_FRAME_RENDER);
            filo_modules_destroy(modules);
            assert_int_equal(failing.blocks, 0);
            break;
        }
        assert_int_equal(r.code, FILO_ERROR_MEMORY);
        rejected++;
        filo_modules_destroy(modules);
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(rejected >= 4);
}

FILO_TEST(events_can_be_set_until_something_is_loaded) {
    Fixture f = fixture_open(1);
    FiloModules *modules = create();
    assert_null(filo_modules_events(modules));
    filo_modules_set_events(modules, f.events);
    assert_ptr_equal(filo_modules_events(modules), f.events);
    add(modules, (FiloModuleDesc){ .name = "a" });
    load_all(modules);
    expect_fault("set the events before the first module is loaded", filo_modules_set_events(modules, NULL));
    assert_ptr_equal(filo_modules_events(modules), f.events);
    filo_modules_destroy(modules);
    fixture_close(&f);
}
