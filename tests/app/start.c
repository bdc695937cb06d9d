// Failures at the start, such as too little memory: the result has the reason, and nothing leaks.

#include "stage.h"

#include <filo/files.h>

#include <errno.h>
#include <stdlib.h>

// ---- An allocation that fails -----------------------------------------------------------------------------

// The sanitizers replace malloc themselves.
#define CAN_FAIL (!FILO_TEST_SANITIZED)

static int64_t allocations_left = INT64_MAX; // until one fails; atomic by builtins
static bool fail_all_after;

static inline bool fails(void) {
    int64_t left = __atomic_sub_fetch(&allocations_left, 1, __ATOMIC_RELAXED);
    return left == 0 || (left < 0 && fail_all_after);
}

#if CAN_FAIL

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t align, size_t size);

#    define REPLACES __attribute__((visibility("default")))

REPLACES void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
REPLACES void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
REPLACES void *realloc(void *memory, size_t size) { return fails() ? NULL : __libc_realloc(memory, size); }
REPLACES int posix_memalign(void **memory, size_t align, size_t size) {
    void *block = fails() ? NULL : __libc_memalign(align, size);
    if (block == NULL) return ENOMEM;
    *memory = block;
    return 0;
}

#endif

static FiloResult create_some(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    FiloEntity entity = filo_create(world, FILO_ADD(FiloTransform2), FILO_ADD(FiloSprite));
    return entity.id != 0 ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "no memory for the level");
}

// ---- A module that allocates wherever a module can --------------------------------------------------------

static FiloResult decode(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    *data = filo_alloc_zero(bytes->allocator, 16, 0);
    return *data != NULL ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "%s: no memory", bytes->name);
}

static void free_data(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    filo_free(allocator, data, 16, 0);
}

static FiloResult do_nothing(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame), FILO_UNUSED(user);
    return filo_ok();
}

static FiloResult load_greedy(FiloModules *modules, void *user) {
    void *memory = filo_alloc(NULL, 100, 0);
    *(void **)user = memory;
    assert_non_null(FILO_OBJECT(modules, FiloDraw));
    return memory != NULL ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "no memory for greed");
}

static FiloResult unload_greedy(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    filo_free(NULL, *(void **)user, 100, 0);
    return filo_ok();
}

static const FiloAssetType types[] = {
    { .name = "thing", .extensions = { "thing" }, .decode = decode, .free = free_data }
};

static FiloModuleDesc greedy_module(void) {
    static void *memory;
    static bool on;
    static const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloAssets), FILO_NEED_OBJECT(FiloDraw) };
    static const FiloModuleProvide provides[] = { { "Greed", 1, &on, false } };
    static const FiloRenderHook renders[] = { { FILO_RENDER_UI, false, do_nothing },
                                              { FILO_RENDER_WORLD, true, do_nothing } };
    static const FiloFlag flags[] = { { "greed", NULL, .on = &on } };
    static const FiloModuleContribution contributes[] = { FILO_CONTRIBUTE(FiloAssetType, types) };
    return (FiloModuleDesc){ .name = "greedy",
                             .needs = needs,
                             .need_count = FILO_COUNT_OF(needs),
                             .provides = provides,
                             .provide_count = FILO_COUNT_OF(provides),
                             .load = load_greedy,
                             .unload = unload_greedy,
                             .user = &memory,
                             .renders = renders,
                             .render_count = FILO_COUNT_OF(renders),
                             .flags = flags,
                             .flag_count = FILO_COUNT_OF(flags),
                             .contributes = contributes,
                             .contribute_count = FILO_COUNT_OF(contributes) };
}

static size_t heap_in_use(void) {
    FiloMemoryStats accounts[64];
    size_t count = FILO_MIN(filo_memory_list(accounts, FILO_COUNT_OF(accounts)), FILO_COUNT_OF(accounts));
    for (size_t i = 0; i < count; i++)
        if (strcmp(accounts[i].name, "heap") == 0) return accounts[i].used;
    return 0;
}

// Creates an app whose n-th allocation fails, and runs it if it began all the same. False if none failed.
static bool try_with_failure(int64_t n, bool all_after) {
    FiloCommonArgs args = { .headless = true, .backend = FILO_BACKEND_NULL, .threads = 1 };
    const FiloActionDesc action = { "jump", "up", { FILO_BIND(FILO_KEY_J) }, 0 };
    const FiloModuleDesc module = greedy_module();
    const FiloAppDesc desc = { .name = "test",
                               .asset_folder = filo_test_folder(),
                               .actions = &action,
                               .action_count = 1,
                               .modules = &module,
                               .module_count = 1,
                               .create = create_some };
    size_t before = heap_in_use();
    FiloApp *app = NULL;
    fail_all_after = all_after;
    __atomic_store_n(&allocations_left, n, __ATOMIC_RELAXED);
    FiloResult r = filo_app_create(&app, &desc, &args);
    bool failed = __atomic_exchange_n(&allocations_left, INT64_MAX, __ATOMIC_RELAXED) <= 0;
    if (r.code == FILO_OK) { // the app works without it
        for (int i = 0; i < 2; i++) assert_true(filo_app_frame(app));
        filo_app_destroy(app);
    } else {
        assert_null(app);
        assert_true(r.message[0] != '\0');
    }
    assert_true(r.code == FILO_OK || failed);
    if (heap_in_use() != before)
        fail_msg("allocation %d fails (\"%s\"): %d bytes are left", (int)n, r.message,
                 (int)(heap_in_use() - before));
    return failed;
}

// The first app allocates what stays until the process ends (names, the heap itself).
static void fail_in_turn(bool all_after) {
    if (!CAN_FAIL) skip();
    hush();
    (void)try_with_failure(INT64_MAX / 2, false);
    int64_t n = 1;
    while (try_with_failure(n, all_after)) n++;
    assert_true(n > 100); // otherwise nothing was tested
}

FILO_TEST(every_single_allocation_of_the_start_may_fail) { fail_in_turn(false); }
FILO_TEST(memory_may_end_at_any_point_of_the_start) { fail_in_turn(true); }

// ---- Modules ----------------------------------------------------------------------------------------------

static FiloResult refuse(FiloModules *modules, void *user) {
    FILO_UNUSED(modules), FILO_UNUSED(user);
    return filo_error(FILO_ERROR_DATA, "the music is missing");
}

FILO_TEST(a_module_that_does_not_load_ends_the_start_with_its_message) {
    hush();
    const FiloModuleDesc modules[] = { { .name = "music", .load = refuse } };
    for (int threads = 1; threads <= 4; threads++) {
        FiloCommonArgs args = headless;
        args.threads = threads;
        FiloApp *app;
        assert_error(filo_app_create(&app, &(FiloAppDesc){ .modules = modules, .module_count = 1 }, &args),
                     FILO_ERROR_DATA, "the music is missing");
        assert_null(app);
    }
}

// After each of the built-in modules has been loaded, in turn.
FILO_TEST(modules_that_were_loaded_before_a_module_that_fails_are_unloaded) {
    hush();
    const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloWorld), FILO_NEED_OBJECT(FiloAssets),
                                     FILO_NEED_OBJECT(FiloWindow), FILO_NEED_OBJECT(FiloDraw),
                                     FILO_NEED_MODULE("debug view", 0) };
    size_t before = 0;
    for (int round = 0; round < 2; round++) // the first allocates what stays until the process ends
        for (size_t i = 0; i < FILO_COUNT_OF(needs); i++)
            for (int backend = 0; backend < 2; backend++) {
                const FiloModuleDesc modules[] = {
                    greedy_module(),
                    { .name = "music",
                      .load = refuse,
                      .needs = &needs[i],
                      .need_count = 1,
                      .backend = backend != 0 },
                };
                FiloApp *app;
                const FiloAppDesc desc = { .name = "test", .modules = modules, .module_count = 2 };
                assert_error(filo_app_create(&app, &desc, &headless), FILO_ERROR_DATA,
                             "module \"music\" failed to load: the music is missing");
                assert_null(app);
                if (round == 0) before = heap_in_use();
                assert_int_equal(heap_in_use(), before);
            }
}

FILO_TEST(a_module_with_a_missing_need_is_named) {
    hush();
    const FiloModuleNeed needs[] = { FILO_NEED_MODULE("orchestra", FILO_VERSION(1, 0, 0)) };
    const FiloModuleDesc modules[] = { { .name = "music", .needs = needs, .need_count = 1 } };
    FiloApp *app;
    FiloResult r = filo_app_create(&app, &(FiloAppDesc){ .modules = modules, .module_count = 1 }, &headless);
    assert_int_not_equal(r.code, FILO_OK);
    assert_contains(r.message, "orchestra");
    assert_null(app);
}

FILO_TEST(two_actions_of_one_name_are_refused) {
    const FiloActionDesc actions[] = { { "jump", NULL, { FILO_BIND(FILO_KEY_J) }, 0 },
                                       { "jump", NULL, { FILO_BIND(FILO_KEY_K) }, 0 } };
    FiloApp *app;
    assert_error(filo_app_create(&app, &(FiloAppDesc){ .actions = actions, .action_count = 2 }, &headless),
                 FILO_ERROR_EXISTS, "jump");
    assert_null(app);
}

FILO_TEST(a_recording_that_cannot_be_written_is_refused_at_the_start) {
    FiloCommonArgs args = headless;
    args.record = "/nowhere/at/all";
    FiloApp *app;
    FiloResult r = filo_app_create(&app, NULL, &args);
    assert_int_equal(r.code, FILO_ERROR_NOT_FOUND);
    assert_contains(r.message, "/nowhere/at/all");
}

FILO_TEST(a_world_beyond_its_budget_says_so_at_the_start) {
    hush();
    FiloApp *app;
    FiloResult r = filo_app_create(&app, &(FiloAppDesc){ .memory_budget = 100 }, &headless);
    assert_int_equal(r.code, FILO_ERROR_MEMORY);
    assert_null(app);
}

// ---- Names ------------------------------------------------------------------------------------------------

FILO_TEST(an_app_without_a_name_has_that_of_the_program) {
    FiloApp *app = start(NULL, &headless);
    assert_contains(app->name, "test_app_start");
    filo_app_destroy(app);
}

FILO_TEST(a_long_name_is_cut_and_still_recognised) {
    const FiloAppDesc desc = {
        .name = "a game whose name goes on and on, beyond all that anyone would ever type"
    };
    FiloCommonArgs args = headless;
    args.record = filo_test_path("record");
    FiloApp *app = start(&desc, &args);
    filo_app_frame(app);
    assert_ok(filo_input_recorder_finish(app->recorder, 0));
    filo_app_destroy(app);
    args.replay = args.record;
    args.record = NULL;
    app = start(&desc, &args);
    filo_app_destroy(app);
}

FILO_TEST(a_game_has_a_folder_for_its_saves_by_its_name) {
    setenv("XDG_DATA_HOME", filo_test_path("data"), 1);
    FiloApp *app = start(&(FiloAppDesc){ .name = "moles" }, &headless);
    char path[FILO_PATH_SIZE];
    assert_ok(filo_app_user_path(app, path, sizeof path, "slot.save"));
    assert_contains(path, "data/moles/slot.save");
    assert_ok(filo_world_save(filo_app_world(app), path, NULL));
    expect_mistake("pass an app", filo_app_user_path(NULL, path, sizeof path, "slot.save"));
    filo_app_destroy(app);
}
