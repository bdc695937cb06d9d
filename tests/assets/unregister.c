// Unregistering types, and the asset system as a module.

#include "assets/fixture.h"

#include <filo/time.h>

typedef struct Note {
    char text[16];
} Note;

static int alive; // atomic by builtins

static FiloResult decode(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    if (bytes->size > 0 && *(const char *)bytes->bytes == '?')
        return filo_error(FILO_ERROR_DATA, "%s: not a note", bytes->name);
    if (bytes->size > 0 && *(const char *)bytes->bytes == '>') // it needs another
        filo_assets_depend(bytes->assets, bytes->asset, "a.note");
    Note *note = filo_alloc_zero(bytes->allocator, sizeof *note, 0);
    if (note == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory", bytes->name);
    memcpy(note->text, bytes->bytes, FILO_MIN(bytes->size, sizeof note->text - 1));
    __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED);
    *data = note;
    return filo_ok();
}

static void free_note(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED);
    filo_free(allocator, data, sizeof(Note), 0);
}

static const FiloAssetType notes = {
    .name = "note", .extensions = { "note" }, .decode = decode, .free = free_note
};
static const FiloAssetType letters = {
    .name = "letter", .extensions = { "letter" }, .decode = decode, .free = free_note
};

FILO_TEST(a_type_is_removed_with_its_assets_and_can_be_registered_again) {
    write_text("a.note", "first");
    write_text("b.note", "second");
    write_text("bad.note", "?");
    Fixture f = open_fixture(2, false);
    for (int round = 0; round < 100; round++) { // more often than the maximum number of types
        assert_ok(filo_assets_register(f.assets, &notes));
        FiloAssetGroup group = filo_assets_group(f.assets, "notes");
        FiloAsset a = filo_assets_load(f.assets, "a.note");
        FiloAsset b = filo_assets_group_load(f.assets, group, "b.note");
        FiloAsset bad = filo_assets_load(f.assets, "bad.note");
        filo_assets_wait_all(f.assets);
        assert_string_equal(((const Note *)filo_asset_data(f.assets, b))->text, "second");
        assert_int_equal(filo_asset_state(f.assets, bad), FILO_ASSET_FAILED);
        assert_int_equal(alive, 2);
        assert_ok(filo_assets_unregister(f.assets, "note"));
        assert_int_equal(alive, 0);
        assert_int_equal(filo_asset_state(f.assets, a), FILO_ASSET_NONE);
        assert_null(filo_asset_data(f.assets, b));
        assert_int_equal(filo_assets_stats(f.assets).failed, 0);
        assert_int_equal(filo_assets_failed_at(f.assets, 0).id, 0);
        assert_int_equal(filo_assets_load(f.assets, "a.note").id, 0); // no type has that extension
        filo_assets_group_unload(f.assets, group);                    // stale handles in it do no harm
        filo_assets_update(f.assets, 0);
    }
    close_fixture(&f);
}

FILO_TEST(unregistering_cancels_loads_of_the_type_and_no_others) {
    for (int i = 0; i < 40; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.note", i);
        write_text(name, "note");
        snprintf(name, sizeof name, "%d.letter", i);
        write_text(name, "letter");
    }
    static const int threads[] = { 1, 2, 8 };
    for (size_t t = 0; t < FILO_COUNT_OF(threads); t++) {
        Fixture f = open_fixture(threads[t], false);
        assert_ok(filo_assets_register(f.assets, &notes));
        assert_ok(filo_assets_register(f.assets, &letters));
        FiloAsset last = { 0 };
        for (int i = 0; i < 40; i++) {
            char name[32];
            snprintf(name, sizeof name, "%d.note", i);
            filo_assets_load(f.assets, name);
            snprintf(name, sizeof name, "%d.letter", i);
            last = filo_assets_load(f.assets, name);
        }
        if (t == 1) filo_sleep_ns(FILO_MILLISECOND); // some have been decoded
        assert_ok(filo_assets_unregister(f.assets, "note"));
        filo_assets_wait_all(f.assets);
        assert_int_equal(filo_assets_stats(f.assets).loaded, 40);
        assert_int_equal(filo_asset_state(f.assets, last), FILO_ASSET_READY);
        assert_int_equal(alive, 40);
        close_fixture(&f);
        assert_int_equal(alive, 0);
    }
}

FILO_TEST(assets_that_depend_on_a_removed_asset_keep_their_data) {
    write_text("a.note", "needed");
    write_text("b.letter", "> a.note");
    Fixture f = open_fixture(2, false);
    assert_ok(filo_assets_register(f.assets, &notes));
    assert_ok(filo_assets_register(f.assets, &letters));
    FiloAsset b = filo_assets_load(f.assets, "b.letter");
    assert_ok(filo_assets_wait(f.assets, b));
    assert_ok(filo_assets_unregister(f.assets, "note"));
    assert_int_equal(filo_asset_state(f.assets, b), FILO_ASSET_READY);
    assert_string_equal(((const Note *)filo_asset_data(f.assets, b))->text, "> a.note");
    filo_assets_unload(f.assets, b);
    filo_assets_update(f.assets, 0);
    assert_int_equal(alive, 0);
    close_fixture(&f);
}

static void *made(const char *text) {
    Note *note = filo_alloc_zero(NULL, sizeof *note, 0);
    filo_string_copy(filo_string(text), note->text, sizeof note->text);
    alive++;
    return note;
}

FILO_TEST(data_that_was_replaced_is_freed_too) {
    Fixture f = open_fixture(1, false);
    assert_ok(filo_assets_register(f.assets, &notes));
    filo_assets_add(f.assets, "note", "mine", made("old"));
    filo_assets_add(f.assets, "note", "mine", made("new")); // the old one waits for the next update
    assert_int_equal(alive, 2);
    assert_ok(filo_assets_unregister(f.assets, "note"));
    assert_int_equal(alive, 0);
    close_fixture(&f);
}

static FiloResult unregister_inside(FiloAssets *assets, FiloAsset asset, void *data, const void *old,
                                    void *user) {
    FILO_UNUSED(asset), FILO_UNUSED(data), FILO_UNUSED(old), FILO_UNUSED(user);
    return filo_assets_unregister(assets, "note");
}

FILO_TEST(builtin_types_and_types_in_use_cannot_be_unregistered) {
    write_text("a.note", "first");
    Fixture f = open_fixture(1, false);
    assert_error(filo_assets_unregister(f.assets, "note"), FILO_ERROR_NOT_FOUND,
                 "there are no assets of type \"note\"");
    expect_fault("assets of type \"image\" are Filo's own, and stay",
                 assert_int_equal(filo_assets_unregister(f.assets, "image").code, FILO_ERROR_ARGUMENT));
    FiloAssetType type = notes;
    type.upload = unregister_inside;
    assert_ok(filo_assets_register(f.assets, &type));
    FiloAsset a = filo_assets_load(f.assets, "a.note");
    expect_fault("unregister types of assets on the main thread, outside of updates",
                 (void)filo_assets_wait(f.assets, a));
    assert_int_equal(filo_asset_state(f.assets, a), FILO_ASSET_FAILED);
    close_fixture(&f);
}

// ---- As a module --------------------------------------------------------------------------------------------

static FiloResult give_jobs(FiloModules *modules, void *user) {
    FILO_SET_OBJECT(modules, FiloJobs, (FiloJobs *)user);
    return filo_ok();
}

static const FiloModuleProvide jobs_provides[] = { FILO_PROVIDE_OBJECT(FiloJobs) };

typedef struct Program {
    FiloJobs *jobs;
    FiloModules *modules;
    FiloAssetsModule settings;
} Program;

static void begin_program(Program *program) {
    *program = (Program){ .settings.desc.folder = filo_test_folder() };
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "error,assets=off,modules=off"));
    assert_ok(filo_jobs_create(&program->jobs, &(FiloJobsDesc){ .threads = 2 }));
    assert_ok(filo_modules_create(&program->modules, NULL));
    const FiloModuleDesc assets = filo_assets_module(&program->settings);
    assert_ok(filo_modules_register(program->modules, &assets));
    assert_ok(filo_modules_register(program->modules, &(FiloModuleDesc){ .name = "program",
                                                                         .user = program->jobs,
                                                                         .load = give_jobs,
                                                                         .provides = jobs_provides,
                                                                         .provide_count = 1 }));
}

static void end_program(Program *program) {
    filo_modules_destroy(program->modules);
    filo_jobs_destroy(program->jobs, FILO_JOBS_FINISH);
    assert_int_equal(alive, 0);
}

FILO_TEST(the_module_loads_in_frames_and_registers_types_of_other_modules) {
    write_text("a.note", "first");
    Program program;
    begin_program(&program);
    const FiloAssetType types[] = { notes, letters };
    const FiloModuleContribution contributes[] = { FILO_CONTRIBUTE(FiloAssetType, types) };
    assert_ok(filo_modules_register(
        program.modules,
        &(FiloModuleDesc){ .name = "mail", .contributes = contributes, .contribute_count = 1 }));
    assert_ok(filo_modules_load_all(program.modules));
    FiloAssets *assets = FILO_OBJECT(program.modules, FiloAssets);
    FiloAsset a = filo_assets_load(assets, "a.note");
    FiloAsset missing = filo_assets_load(assets, "missing.note");
    FiloFrame *frame = filo_modules_frame(program.modules);
    assert_true(frame->headless); // so it waits for all of them
    assert_ok(filo_modules_call(program.modules, FILO_FRAME_BEFORE_TICKS));
    assert_int_equal(filo_asset_state(assets, a), FILO_ASSET_READY);
    assert_int_equal(filo_asset_state(assets, missing), FILO_ASSET_FAILED);
    FiloLine lines[4];
    FiloLines page = { .items = lines, .capacity = 4 };
    filo_modules_problems(program.modules, &page);
    assert_int_equal(page.count, 1);
    assert_contains(lines[0].text, "missing.note");
    assert_ok(filo_modules_call(program.modules, FILO_FRAME_WAIT));
    assert_false(frame->waited); // there was nothing to wait for
    FiloAsset b = filo_assets_load(assets, "a.letter");
    assert_ok(filo_modules_call(program.modules, FILO_FRAME_WAIT));
    assert_true(frame->waited);
    assert_int_equal(filo_asset_state(assets, b), FILO_ASSET_FAILED);
    frame->headless = false; // with a window, a little in each frame
    a = filo_assets_load(assets, "a.note");
    assert_ok(filo_modules_call(program.modules, FILO_FRAME_BEFORE_TICKS));
    assert_ok(filo_modules_unload(program.modules, "mail"));
    assert_int_equal(filo_asset_state(assets, a), FILO_ASSET_NONE);
    assert_ok(filo_modules_load_all(program.modules));
    assert_ok(filo_modules_reload(program.modules, "assets"));
    end_program(&program);
}

FILO_TEST(a_module_whose_type_is_already_registered_is_not_loaded) {
    Program program;
    begin_program(&program);
    FiloAssetType pictures = notes;
    pictures.name = "picture";
    pictures.extensions[0] = "png";
    const FiloAssetType types[] = { letters, pictures };
    const FiloModuleContribution contributes[] = { FILO_CONTRIBUTE(FiloAssetType, types) };
    assert_ok(filo_modules_register(
        program.modules,
        &(FiloModuleDesc){ .name = "mail", .contributes = contributes, .contribute_count = 1 }));
    assert_ok(filo_modules_load(program.modules, "assets"));
    assert_error(
        filo_modules_load_all(program.modules), FILO_ERROR_EXISTS,
        "module \"mail\" failed to load: \"assets\" does not accept the FiloAssetType of \"mail\": type "
        "\"picture\": files of .png are of type \"image\" already");
    FiloAssets *assets = FILO_OBJECT(program.modules, FiloAssets);
    assert_error(filo_assets_unregister(assets, "letter"), FILO_ERROR_NOT_FOUND, "letter"); // nothing is left
    end_program(&program);
}
