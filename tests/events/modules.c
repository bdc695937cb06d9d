// The registry of modules: order, versions, interfaces, failures, and changes at run time.

#include <filo/log.h>

#include "events/modules_fixture.h"

typedef struct Voice {
    const char *(*speak)(void);
} Voice;
#define Voice_VERSION FILO_VERSION(1, 1, 0)

static const char *meow(void) { return "meow"; }
static const char *woof(void) { return "woof"; }
static const Voice cat_voice = { meow }, dog_voice = { woof };

// A module of these tests. It logs its loads and unloads, and may fail.
typedef struct Behaviour {
    const char *name;
    bool fail_load, fail_unload;
    bool needs_voice; // reads the interface in its load
    const char *heard;
} Behaviour;

static FiloResult load(FiloModules *modules, void *user) {
    Behaviour *b = user;
    log_add(&history, "+%s ", b->name);
    if (b->needs_voice) b->heard = FILO_INTERFACE(modules, Voice)->speak();
    assert_false(filo_modules_loaded(modules, b->name)); // not yet
    return b->fail_load ? filo_error(FILO_ERROR_IO, "no device") : filo_ok();
}

static FiloResult unload(FiloModules *modules, void *user) {
    Behaviour *b = user;
    log_add(&history, "-%s ", b->name);
    if (b->needs_voice) assert_non_null(FILO_INTERFACE(modules, Voice)); // its dependencies are still loaded
    return b->fail_unload ? filo_error(FILO_ERROR_BUSY, "stuck") : filo_ok();
}

static FiloResult add_full(FiloModules *modules, Behaviour *b, FiloVersion version,
                           const FiloModuleNeed *needs, size_t need_count, const FiloModuleProvide *provides,
                           size_t provide_count) {
    return filo_modules_register(modules, &(FiloModuleDesc){ .name = b->name,
                                                             .version = version,
                                                             .needs = needs,
                                                             .need_count = need_count,
                                                             .provides = provides,
                                                             .provide_count = provide_count,
                                                             .load = load,
                                                             .unload = unload,
                                                             .user = b });
}

// A module, version 1.0.0, that requires up to three others by name.
#define add(modules, behaviour, ...) add_needing((modules), (behaviour), (const char *[4]){ __VA_ARGS__ })

static void add_needing(FiloModules *modules, Behaviour *b, const char *names[4]) {
    FiloModuleNeed needs[4] = { { 0 } };
    size_t count = 0;
    for (; count < 4 && names[count] != NULL; count++) needs[count].module = names[count];
    assert_ok(add_full(modules, b, FILO_VERSION(1, 0, 0), needs, count, NULL, 0));
}

// ---- Order ----

FILO_TEST(modules_are_loaded_after_their_dependencies_and_unloaded_in_reverse) {
    FiloModules *modules = create();
    Behaviour game = { .name = "game" }, sound = { .name = "sound" }, files = { .name = "files" },
              alone = { .name = "alone" };
    add(modules, &game, "sound", "files");
    add(modules, &sound, "files");
    add(modules, &alone, NULL);
    add(modules, &files, NULL);
    assert_ok(filo_modules_load_all(modules));
    // "alone" and "files" have no dependencies, and "alone" was registered first.
    expect_log(&history, "+alone +files +sound +game ");
    assert_true(filo_modules_loaded(modules, "sound"));
    assert_string_equal(filo_modules_loaded_at(modules, 3), "game");
    assert_null(filo_modules_loaded_at(modules, 4));
    assert_ok(filo_modules_load_all(modules)); // nothing left to do
    expect_log(&history, "");
    assert_ok(filo_modules_unload_all(modules));
    expect_log(&history, "-game -sound -files -alone ");
    filo_modules_destroy(modules);
    expect_log(&history, "");
}

FILO_TEST(destroying_the_registry_unloads_everything) {
    FiloModules *modules = create();
    Behaviour a = { .name = "a" }, b = { .name = "b" };
    add(modules, &a, NULL);
    add(modules, &b, "a");
    assert_ok(filo_modules_load_all(modules));
    history = (Log){ 0 };
    filo_modules_destroy(modules);
    expect_log(&history, "-b -a ");
    filo_modules_destroy(NULL);
}

FILO_TEST(a_cycle_is_reported_with_all_its_modules_and_nothing_is_loaded) {
    FiloModules *modules = create();
    Behaviour zero = { .name = "zero" }, a = { .name = "a" }, b = { .name = "b" }, c = { .name = "c" },
              d = { .name = "d" };
    add(modules, &zero, NULL);
    add(modules, &d, "a"); // leads into the cycle, and is not part of it
    add(modules, &a, "zero", "b");
    add(modules, &b, "c");
    add(modules, &c, "a");
    assert_error(filo_modules_load_all(modules), FILO_ERROR_DATA,
                 "modules need each other in a cycle: a → b → c → a");
    expect_log(&history, "");
    filo_modules_destroy(modules);
}

FILO_TEST(a_module_that_requires_itself_is_a_cycle) {
    FiloModules *modules = create();
    Behaviour a = { .name = "a" };
    add(modules, &a, "a");
    assert_error(filo_modules_load(modules, "a"), FILO_ERROR_DATA, "in a cycle: a → a");
    filo_modules_destroy(modules);
}

FILO_TEST(a_missing_dependency_is_named) {
    FiloModules *modules = create();
    Behaviour game = { .name = "game" }, other = { .name = "other" };
    add(modules, &other, NULL);
    add(modules, &game, "physics");
    assert_error(filo_modules_load_all(modules), FILO_ERROR_NOT_FOUND,
                 "module \"game\" needs \"physics\", which is not registered");
    expect_log(&history, "");
    assert_ok(filo_modules_load(modules, "other")); // does not require it
    filo_modules_destroy(modules);
}

// ---- Versions ----

static void expect_unfit(FiloVersion version, const char *message) {
    FiloModules *modules = create();
    Behaviour game = { .name = "game" }, physics = { .name = "physics" };
    FiloModuleNeed needs[] = { FILO_NEED_MODULE("physics", FILO_VERSION(1, 2, 3)) };
    assert_ok(add_full(modules, &physics, version, NULL, 0, NULL, 0));
    assert_ok(add_full(modules, &game, FILO_VERSION(0, 1, 0), needs, 1, NULL, 0));
    assert_error(filo_modules_load_all(modules), FILO_ERROR_UNSUPPORTED, message);
    expect_log(&history, "");
    filo_modules_destroy(modules);
}

FILO_TEST(a_version_that_is_too_low_is_named) {
    expect_unfit(FILO_VERSION(1, 2, 2),
                 "module \"game\" needs \"physics\" 1.2.3 or newer, but that is 1.2.2");
}

FILO_TEST(a_new_major_version_does_not_fit) {
    expect_unfit(FILO_VERSION(2, 0, 0),
                 "module \"game\" needs \"physics\" 1.2.3 or newer, but that is 2.0.0, a new major version");
}

FILO_TEST(versions_fit_from_the_minimum_to_the_next_major_one) {
    assert_true(filo_version_fits(FILO_VERSION(1, 2, 3), FILO_VERSION(1, 2, 3)));
    assert_true(filo_version_fits(FILO_VERSION(1, 10, 0), FILO_VERSION(1, 9, 9)));
    assert_false(filo_version_fits(FILO_VERSION(1, 2, 3), FILO_VERSION(1, 2, 4)));
    assert_false(filo_version_fits(FILO_VERSION(2, 0, 0), FILO_VERSION(1, 0, 0)));
    assert_true(filo_version_fits(FILO_VERSION(2, 0, 0), 0));
    assert_true(filo_version_fits(0, 0));
    FiloVersion v = FILO_VERSION(3, 65535, 7);
    assert_int_equal(FILO_VERSION_MAJOR(v), 3);
    assert_int_equal(FILO_VERSION_MINOR(v), 65535);
    assert_int_equal(FILO_VERSION_PATCH(v), 7);
}

// ---- Interfaces ----

typedef struct Animals {
    FiloModules *modules;
    Behaviour cat, dog, game;
} Animals;

static void add_animals(Animals *a) {
    *a = (Animals){ .modules = create(),
                    .cat = { .name = "cat" },
                    .dog = { .name = "dog" },
                    .game = { .name = "game", .needs_voice = true } };
    static const FiloModuleNeed needs[] = { FILO_NEED_INTERFACE(Voice) };
    static const FiloModuleProvide cats[] = { FILO_PROVIDE(Voice, &cat_voice) };
    static const FiloModuleProvide dogs[] = { FILO_PROVIDE(Voice, &dog_voice) };
    assert_ok(add_full(a->modules, &a->game, FILO_VERSION(1, 0, 0), needs, 1, NULL, 0));
    assert_ok(add_full(a->modules, &a->cat, FILO_VERSION(1, 0, 0), NULL, 0, cats, 1));
    assert_ok(add_full(a->modules, &a->dog, FILO_VERSION(1, 0, 0), NULL, 0, dogs, 1));
}

FILO_TEST(the_first_registered_module_is_the_provider_of_an_interface) {
    Animals a;
    add_animals(&a);
    assert_string_equal(filo_modules_provider(a.modules, "Voice"), "cat");
    assert_null(FILO_INTERFACE(a.modules, Voice)); // not loaded yet
    assert_ok(filo_modules_load_all(a.modules));
    expect_log(&history, "+cat +game "); // the dog is not the provider, so it is not loaded
    assert_string_equal(a.game.heard, "meow");
    assert_string_equal(FILO_INTERFACE(a.modules, Voice)->speak(), "meow");
    filo_modules_destroy(a.modules);
}

FILO_TEST(the_game_chooses_the_provider_of_an_interface) {
    Animals a;
    add_animals(&a);
    assert_ok(filo_modules_choose(a.modules, "Voice", "dog"));
    assert_string_equal(filo_modules_provider(a.modules, "Voice"), "dog");
    assert_ok(filo_modules_load_all(a.modules));
    expect_log(&history, "+dog +game ");
    assert_string_equal(a.game.heard, "woof");
    assert_error(filo_modules_choose(a.modules, "Voice", "cat"), FILO_ERROR_BUSY,
                 "the interface \"Voice\" is in use by module \"game\": unload it first");
    // Replacing it at run time unloads its dependants too.
    assert_ok(filo_modules_unload(a.modules, "dog"));
    assert_ok(filo_modules_choose(a.modules, "Voice", NULL)); // the first registered one again
    assert_ok(filo_modules_load_all(a.modules));
    expect_log(&history, "-game -dog +cat +game ");
    assert_string_equal(a.game.heard, "meow");
    filo_modules_destroy(a.modules);
}

FILO_TEST(choosing_a_module_that_does_not_exist_or_provide_is_an_error) {
    Animals a;
    add_animals(&a);
    assert_error(filo_modules_choose(a.modules, "Voice", "cow"), FILO_ERROR_NOT_FOUND,
                 "module \"cow\" is not registered");
    assert_error(filo_modules_choose(a.modules, "Voice", "game"), FILO_ERROR_KIND,
                 "module \"game\" does not provide the interface \"Voice\"");
    assert_ok(filo_modules_choose(a.modules, "Voice", "dog"));
    assert_ok(filo_modules_choose(a.modules, "Voice", "cat"));
    assert_ok(filo_modules_choose(a.modules, "Voice", "dog"));
    assert_ok(filo_modules_unregister(a.modules, "dog")); // removes the choice too
    assert_string_equal(filo_modules_provider(a.modules, "Voice"), "cat");
    filo_modules_destroy(a.modules);
}

FILO_TEST(a_module_that_was_not_chosen_is_loaded_if_it_is_required_by_name) {
    Animals a;
    Behaviour kennel = { .name = "kennel" };
    add_animals(&a);
    add(a.modules, &kennel, "dog");
    assert_ok(filo_modules_load_all(a.modules));
    expect_log(&history, "+cat +game +dog +kennel ");
    assert_string_equal(FILO_INTERFACE(a.modules, Voice)->speak(), "meow");
    filo_modules_destroy(a.modules);
}

FILO_TEST(an_interface_that_is_missing_or_too_old_is_named) {
    FiloModules *modules = create();
    Behaviour game = { .name = "game" }, cat = { .name = "cat" };
    FiloModuleNeed needs[] = { FILO_NEED_INTERFACE(Voice) };
    assert_ok(add_full(modules, &game, FILO_VERSION(1, 0, 0), needs, 1, NULL, 0));
    assert_error(filo_modules_load_all(modules), FILO_ERROR_NOT_FOUND,
                 "module \"game\" needs the interface \"Voice\", which no registered module provides");
    FiloModuleProvide old[] = { { "Voice", FILO_VERSION(1, 0, 9), &cat_voice, false } };
    assert_ok(add_full(modules, &cat, FILO_VERSION(7, 0, 0), NULL, 0, old, 1));
    assert_error(
        filo_modules_load_all(modules), FILO_ERROR_UNSUPPORTED,
        "module \"game\" needs the interface \"Voice\" 1.1.0 or newer, but that of \"cat\" is 1.0.9");
    assert_ok(filo_modules_load(modules, "cat"));
    assert_null(FILO_INTERFACE(modules, Voice));
    assert_ptr_equal(filo_modules_interface(modules, "Voice", FILO_VERSION(1, 0, 0)), &cat_voice);
    assert_ptr_equal(filo_modules_interface(modules, "Voice", 0), &cat_voice);
    assert_null(filo_modules_interface(modules, "Vice", 0));
    assert_null(filo_modules_provider(modules, "Vice"));
    filo_modules_destroy(modules);
}

FILO_TEST(a_cycle_through_interfaces_is_reported) {
    FiloModules *modules = create();
    Behaviour a = { .name = "a" }, b = { .name = "b" }, own = { .name = "own" };
    FiloModuleNeed needs_b[] = { { .module = "b" } }, needs_voice[] = { FILO_NEED_INTERFACE(Voice) };
    FiloModuleProvide voice[] = { FILO_PROVIDE(Voice, &cat_voice) };
    assert_ok(add_full(modules, &a, FILO_VERSION(1, 0, 0), needs_b, 1, voice, 1));
    assert_ok(add_full(modules, &b, FILO_VERSION(1, 0, 0), needs_voice, 1, NULL, 0));
    assert_error(filo_modules_load_all(modules), FILO_ERROR_DATA, "in a cycle: a → b → a");
    filo_modules_destroy(modules);
    // A module may require the interface that it provides itself.
    modules = create();
    assert_ok(add_full(modules, &own, FILO_VERSION(1, 0, 0), needs_voice, 1, voice, 1));
    assert_ok(filo_modules_load_all(modules));
    expect_log(&history, "+own ");
    filo_modules_destroy(modules);
}

FILO_TEST(an_optional_dependency_is_loaded_first_if_it_is_registered) {
    FiloModules *modules = create();
    Behaviour game = { .name = "game" }, sound = { .name = "sound" };
    FiloModuleNeed needs[] = { { .module = "sound", .version = FILO_VERSION(1, 1, 0), .optional = true } };
    assert_ok(add_full(modules, &game, FILO_VERSION(1, 0, 0), needs, 1, NULL, 0));
    assert_ok(filo_modules_load_all(modules));
    expect_log(&history, "+game ");
    // The game was loaded without it, and stays loaded when it is unloaded.
    assert_ok(add_full(modules, &sound, FILO_VERSION(1, 1, 0), NULL, 0, NULL, 0));
    assert_ok(filo_modules_load_all(modules));
    assert_ok(filo_modules_unload(modules, "sound"));
    expect_log(&history, "+sound -sound ");
    assert_ok(filo_modules_unload_all(modules));
    assert_ok(filo_modules_load_all(modules));
    expect_log(&history, "-game +sound +game ");
    assert_ok(filo_modules_unload_all(modules));
    assert_ok(filo_modules_unregister(modules, "sound"));
    assert_ok(add_full(modules, &sound, FILO_VERSION(1, 0, 0), NULL, 0, NULL, 0)); // too old: ignored
    history = (Log){ 0 };
    assert_ok(filo_modules_load(modules, "game"));
    expect_log(&history, "+game ");
    filo_modules_destroy(modules);
}

// ---- Failures ----

FILO_TEST(a_load_that_fails_unloads_what_was_loaded_and_says_why) {
    FiloModules *modules = create();
    Behaviour early = { .name = "early" }, a = { .name = "a" }, b = { .name = "b" },
              c = { .name = "c", .fail_load = true }, d = { .name = "d" };
    add(modules, &early, NULL);
    assert_ok(filo_modules_load_all(modules));
    add(modules, &a, NULL);
    add(modules, &b, "a");
    add(modules, &c, "b");
    add(modules, &d, "c");
    history = (Log){ 0 };
    assert_error(filo_modules_load_all(modules), FILO_ERROR_IO, "module \"c\" failed to load: no device");
    expect_log(&history, "+a +b +c -b -a ");
    assert_true(filo_modules_loaded(modules, "early")); // by an earlier call
    assert_false(filo_modules_loaded(modules, "a"));
    c.fail_load = false;
    assert_ok(filo_modules_load_all(modules));
    expect_log(&history, "+a +b +c +d ");
    filo_modules_destroy(modules);
}

FILO_TEST(an_unload_that_fails_does_not_stop_the_others) {
    FiloModules *modules = create();
    Behaviour a = { .name = "a" }, b = { .name = "b", .fail_unload = true }, c = { .name = "c" };
    add(modules, &a, NULL);
    add(modules, &b, "a");
    add(modules, &c, "b");
    assert_ok(filo_modules_load_all(modules));
    history = (Log){ 0 };
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    assert_error(filo_modules_unload_all(modules), FILO_ERROR_BUSY, "module \"b\" failed to unload: stuck");
    expect_log(&history, "-c -b -a ");
    assert_false(filo_modules_loaded(modules, "b"));
    assert_ok(filo_modules_load_all(modules));
    assert_error(filo_modules_unload(modules, "a"), FILO_ERROR_BUSY, "module \"b\" failed to unload");
    filo_modules_destroy(modules);
}

// ---- At run time ----

FILO_TEST(a_module_is_loaded_with_its_dependencies_and_unloaded_with_its_dependants) {
    FiloModules *modules = create();
    Behaviour base = { .name = "base" }, left = { .name = "left" }, right = { .name = "right" },
              top = { .name = "top" }, other = { .name = "other" };
    add(modules, &top, "left", "right");
    add(modules, &left, "base");
    add(modules, &right, "base");
    add(modules, &base, NULL);
    add(modules, &other, NULL);
    assert_ok(filo_modules_load(modules, "left"));
    assert_ok(filo_modules_load(modules, "left"));
    expect_log(&history, "+base +left ");
    assert_ok(filo_modules_load_all(modules));
    expect_log(&history, "+right +top +other ");
    assert_ok(filo_modules_unload(modules, "left"));
    expect_log(&history, "-top -left ");
    assert_ok(filo_modules_unload(modules, "left"));
    assert_ok(filo_modules_load_all(modules));
    expect_log(&history, "+left +top ");
    assert_ok(filo_modules_unload(modules, "base"));
    expect_log(&history, "-top -left -right -base ");
    assert_true(filo_modules_loaded(modules, "other"));
    filo_modules_destroy(modules);
}

FILO_TEST(reloading_a_module_reloads_its_dependants) {
    FiloModules *modules = create();
    Behaviour a = { .name = "a" }, b = { .name = "b" }, c = { .name = "c" };
    add(modules, &a, NULL);
    add(modules, &b, "a");
    add(modules, &c, NULL);
    assert_ok(filo_modules_load_all(modules));
    history = (Log){ 0 };
    assert_ok(filo_modules_reload(modules, "a"));
    expect_log(&history, "-b -a +a +b ");
    assert_ok(filo_modules_reload(modules, "c"));
    expect_log(&history, "-c +c ");
    assert_ok(filo_modules_unload(modules, "a"));
    assert_ok(filo_modules_reload(modules, "a")); // only loads it
    expect_log(&history, "-b -a +a ");
    assert_ok(filo_modules_load_all(modules));
    b.fail_load = true;
    history = (Log){ 0 };
    assert_error(filo_modules_reload(modules, "a"), FILO_ERROR_IO, "module \"b\" failed to load: no device");
    expect_log(&history, "-b -a +a +b -a ");
    filo_modules_destroy(modules);
}

FILO_TEST(modules_can_be_listed_and_unregistered) {
    FiloModules *modules = create();
    Behaviour a = { .name = "a" }, b = { .name = "b" };
    add(modules, &a, NULL);
    add(modules, &b, NULL);
    assert_ok(filo_modules_load(modules, "b"));
    assert_int_equal(filo_modules_count(modules), 2);
    assert_string_equal(filo_modules_at(modules, 0).name, "a");
    assert_false(filo_modules_at(modules, 0).loaded);
    assert_true(filo_modules_at(modules, 1).loaded);
    assert_int_equal(filo_modules_at(modules, 1).version, FILO_VERSION(1, 0, 0));
    expect_fault("there are 2 modules, and no number 2", filo_modules_at(modules, 2));
    assert_error(filo_modules_unregister(modules, "b"), FILO_ERROR_BUSY,
                 "module \"b\" is loaded: unload it first");
    assert_ok(filo_modules_unregister(modules, "a"));
    assert_int_equal(filo_modules_count(modules), 1);
    assert_error(filo_modules_unregister(modules, "a"), FILO_ERROR_NOT_FOUND,
                 "module \"a\" is not registered");
    assert_error(filo_modules_load(modules, "a"), FILO_ERROR_NOT_FOUND, "module \"a\" is not registered");
    assert_error(filo_modules_unload(modules, "a"), FILO_ERROR_NOT_FOUND, "\"a\"");
    assert_error(filo_modules_reload(modules, "a"), FILO_ERROR_NOT_FOUND, "\"a\"");
    assert_false(filo_modules_loaded(modules, "a"));
    filo_modules_destroy(modules);
}

// ---- Misuse ----

static FiloResult change_inside(FiloModules *modules, void *user) {
    (void)user;
    return filo_modules_load_all(modules);
}

FILO_TEST(changing_the_registry_inside_a_load_is_caught) {
    FiloModules *modules = create();
    assert_ok(filo_modules_register(modules, &(FiloModuleDesc){ .name = "a", .load = change_inside }));
    FiloResult r;
    expect_fault("its function may look interfaces up, not change the registry",
                 r = filo_modules_load_all(modules));
    assert_error(r, FILO_ERROR_ARGUMENT, "module \"a\" failed to load");
    filo_modules_destroy(modules);
}

FILO_TEST(an_incomplete_description_is_rejected) {
    FiloModules *modules = create();
    FiloModuleNeed both = { .module = "a", .interface_name = "b" }, neither = { 0 };
    FiloModuleProvide nothing = { "Voice", 0, NULL, false };
    expect_mistake("give the module a name", filo_modules_register(modules, &(FiloModuleDesc){ 0 }));
    expect_mistake(
        "module \"m\": need 0 names a module or an interface, one of them",
        filo_modules_register(modules, &(FiloModuleDesc){ .name = "m", .needs = &both, .need_count = 1 }));
    expect_mistake(
        "module \"m\": need 0 names",
        filo_modules_register(modules, &(FiloModuleDesc){ .name = "m", .needs = &neither, .need_count = 1 }));
    expect_mistake("module \"m\": interface 0 needs a name and functions",
                   filo_modules_register(
                       modules, &(FiloModuleDesc){ .name = "m", .provides = &nothing, .provide_count = 1 }));
    assert_ok(filo_modules_register(modules, &(FiloModuleDesc){ .name = "m" }));
    assert_error(filo_modules_register(modules, &(FiloModuleDesc){ .name = "m" }), FILO_ERROR_EXISTS,
                 "module \"m\" is registered already");
    assert_ok(filo_modules_load_all(modules)); // without functions it is loaded as well
    assert_true(filo_modules_loaded(modules, "m"));
    filo_modules_destroy(modules);
}

// ---- Memory ----

FILO_TEST(without_memory_registering_fails_and_nothing_leaks) {
    bool complete = false;
    for (size_t left = 0; !complete; left++) {
        assert_true(left < 50);
        FailingAllocator failing = FAILING_AT(failing, 0);
        failing_allow(&failing, left);
        FiloModules *modules;
        history = (Log){ 0 };
        FiloResult r = filo_modules_create(&modules, &(FiloModulesDesc){ .allocator = &failing.allocator });
        if (r.code != FILO_OK) {
            assert_error(r, FILO_ERROR_MEMORY, "no memory");
            continue;
        }
        FiloModuleProvide voice[] = { FILO_PROVIDE(Voice, &cat_voice) };
        static Behaviour b[4] = { { .name = "a" }, { .name = "b" }, { .name = "c" }, { .name = "d" } };
        size_t count = 0;
        for (int i = 0; i < 4; i++) {
            r = add_full(modules, &b[i], FILO_VERSION(1, 0, 0), NULL, 0, voice, i == 0);
            if (r.code == FILO_OK)
                count++;
            else
                assert_error(r, FILO_ERROR_MEMORY, "no memory");
        }
        assert_int_equal(filo_modules_count(modules), count);
        bool chosen = filo_modules_choose(modules, "Voice", "a").code == FILO_OK;
        failing_allow(&failing, 0);
        assert_ok(filo_modules_load_all(modules)); // loading allocates nothing
        assert_int_equal(filo_modules_loaded_at(modules, count) == NULL, 1);
        complete = count == 4 && chosen;
        filo_modules_destroy(modules);
        assert_int_equal(failing.blocks, 0);
    }
}

// ---- With events ----

static FiloResult load_ringer(FiloModules *modules, void *user) {
    (void)user;
    return filo_events_emit(filo_modules_events(modules), filo_name("bell"), NULL, NULL)
               ? filo_ok()
               : filo_error(FILO_ERROR_MEMORY, "no memory");
}

static FiloResult load_listener(FiloModules *modules, void *user) {
    filo_events_subscribe(
        filo_modules_events(modules),
        &(FiloHandlerDesc){ .event = filo_name("bell"), .function = log_event, .user = user, .owner = user });
    return filo_ok();
}

static FiloResult unload_listener(FiloModules *modules, void *user) {
    filo_events_unsubscribe_owner(filo_modules_events(modules), user);
    return filo_ok();
}

FILO_TEST(modules_communicate_by_events) {
    Fixture f = fixture_open(2);
    FiloModules *modules;
    Log log = { 0 };
    assert_ok(filo_modules_create(&modules, &(FiloModulesDesc){ .events = f.events }));
    assert_ok(filo_modules_register(modules, &(FiloModuleDesc){ .name = "ringer", .load = load_ringer }));
    assert_ok(filo_modules_register(
        modules, &(FiloModuleDesc){
                     .name = "listener", .load = load_listener, .unload = unload_listener, .user = &log }));
    assert_ok(filo_modules_load_all(modules));
    filo_events_deliver(f.events);
    expect_log(&log, "bell\n");
    assert_ok(filo_modules_reload(modules, "ringer"));
    assert_ok(filo_modules_unload(modules, "listener"));
    filo_events_deliver(f.events);
    expect_log(&log, "");
    filo_modules_destroy(modules);
    fixture_close(&f);
}
