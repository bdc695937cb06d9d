// Types that the program registers: decoding, finishing, uploading, dependencies.

#include "assets/fixture.h"

// A list of names, one on a line: a type whose assets depend on others.
typedef struct List {
    FiloAsset needed[8];
    size_t count;
    int uploaded; // number of the upload function
    char first;
} List;

typedef struct Log {
    char text[512];
    size_t length;
    bool refuse;
} Log;

static void note(Log *log, const char *what, FiloAssets *assets, FiloAsset asset) {
    log->length += (size_t)snprintf(log->text + log->length, sizeof log->text - log->length, "%s %s; ", what,
                                    filo_asset_name(assets, asset));
}

static FiloResult decode_list(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    List *list = filo_alloc_zero(bytes->allocator, sizeof *list, 0);
    if (list == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory", bytes->name);
    FiloString text = filo_string_from(bytes->bytes, bytes->size);
    list->first = text.length > 0 ? text.data[0] : '-';
    FiloSplit split = filo_string_split(text, FILO_STRING("\n"));
    for (FiloString line; filo_split_next(&split, &line);) {
        char name[64];
        if (line.length == 0) continue;
        filo_string_copy(line, name, sizeof name);
        FiloAsset needed = filo_assets_depend(bytes->assets, bytes->asset, name);
        if (needed.id == 0) {
            filo_free(bytes->allocator, list, sizeof *list, 0);
            return filo_error(FILO_ERROR_DATA, "%s: cannot have %s", bytes->name, name);
        }
        list->needed[list->count++] = needed;
    }
    *data = list;
    return filo_ok();
}

static void free_list(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    filo_free(allocator, data, sizeof(List), 0);
}

static FiloResult finish_list(FiloAssets *assets, FiloAsset asset, void *data, void *user) {
    const List *list = data;
    for (size_t i = 0; i < list->count; i++)
        assert_int_equal(filo_asset_state(assets, list->needed[i]), FILO_ASSET_READY);
    note(user, "finish", assets, asset);
    return filo_ok();
}

static FiloResult upload_list(FiloAssets *assets, FiloAsset asset, void *data, const void *old, void *user) {
    Log *log = user;
    note(log, old != NULL ? "replace" : "upload", assets, asset);
    if (log->refuse)
        return filo_error(FILO_ERROR_SPACE, "%s: the card is full", filo_asset_name(assets, asset));
    ((List *)data)->uploaded = old != NULL ? ((const List *)old)->uploaded + 1 : 1;
    return filo_ok();
}

static void release_list(FiloAssets *assets, FiloAsset asset, void *data, void *user) {
    FILO_UNUSED(assets), FILO_UNUSED(asset);
    Log *log = user;
    log->length += (size_t)snprintf(log->text + log->length, sizeof log->text - log->length, "release %d; ",
                                    ((List *)data)->uploaded);
}

static size_t list_size(const void *data, void *user) {
    FILO_UNUSED(data), FILO_UNUSED(user);
    return 1000;
}

static FiloAssetType list_type(Log *log) {
    return (FiloAssetType){ .name = "list",
                            .extensions = { "list" },
                            .decode = decode_list,
                            .finish = finish_list,
                            .upload = upload_list,
                            .release = release_list,
                            .free = free_list,
                            .size = list_size,
                            .user = log };
}

static Fixture open_with_lists(int threads, Log *log) {
    Fixture f = open_fixture(threads, false);
    FiloAssetType type = list_type(log);
    assert_ok(filo_assets_register(f.assets, &type));
    return f;
}

FILO_TEST(a_type_goes_through_all_its_steps) {
    write_text("a.list", "");
    Log log = { 0 };
    Fixture f = open_with_lists(2, &log);
    FiloAsset a = filo_assets_load(f.assets, "a.list");
    assert_null(filo_asset_data(f.assets, a)); // it has no placeholder
    assert_ok(filo_assets_wait(f.assets, a));
    assert_string_equal(log.text, "finish a.list; upload a.list; ");
    assert_int_equal(((const List *)filo_asset_data(f.assets, a))->uploaded, 1);
    assert_int_equal(filo_assets_stats(f.assets).memory, 1000);
    filo_assets_unload(f.assets, a);
    filo_assets_update(f.assets, 0);
    assert_string_equal(log.text, "finish a.list; upload a.list; release 1; ");
    assert_int_equal(filo_assets_stats(f.assets).memory, 0);
    close_fixture(&f);
}

FILO_TEST(a_type_or_extension_can_be_registered_once) {
    Log log = { 0 };
    Fixture f = open_with_lists(1, &log);
    FiloAssetType type = list_type(&log);
    assert_error(filo_assets_register(f.assets, &type), FILO_ERROR_EXISTS, "\"list\" are registered already");
    type.name = "other";
    assert_error(filo_assets_register(f.assets, &type), FILO_ERROR_EXISTS,
                 "files of .list are of type \"list\"");
    type.extensions[0] = "PNG";
    assert_error(filo_assets_register(f.assets, &type), FILO_ERROR_EXISTS,
                 "files of .PNG are of type \"image\"");
    type.extensions[0] = NULL;
    FiloResult result = filo_ok();
    static char names[100][16];
    for (int i = 0; i < 100 && result.code == FILO_OK; i++) {
        snprintf(names[i], sizeof names[i], "t%d", i);
        type.name = names[i];
        result = filo_assets_register(f.assets, &type);
    }
    assert_error(result, FILO_ERROR_LIMIT, "64 types");
    close_fixture(&f);
}

FILO_TEST(an_asset_is_ready_only_when_its_dependencies_are) {
    write_png("red.png", 2, 2, filo_color(255, 0, 0, 255));
    write_text("a.list", "b.list\nc.list\n");
    write_text("b.list", "c.list\nred.png\n");
    write_text("c.list", "red.png");
    for (int threads = 1; threads <= 4; threads++) {
        Log log = { 0 };
        Fixture f = open_with_lists(threads, &log);
        FiloAsset a = filo_assets_load(f.assets, "a.list");
        assert_ok(filo_assets_wait(f.assets, a));
        assert_string_equal(log.text, "finish c.list; upload c.list; finish b.list; upload b.list; "
                                      "finish a.list; upload a.list; ");
        FiloAsset red = filo_assets_find(f.assets, filo_name("red.png"));
        assert_int_equal(filo_asset_reference_count(f.assets, red), 2);
        filo_assets_unload(f.assets, a);
        filo_assets_update(f.assets, 0); // frees its dependencies too
        assert_int_equal(filo_asset_state(f.assets, red), FILO_ASSET_NONE);
        assert_int_equal(filo_assets_stats(f.assets).loaded, 0);
        close_fixture(&f);
    }
}

FILO_TEST(an_asset_fails_if_a_dependency_fails) {
    write_text("a.list", "b.list");
    write_text("b.list", "none.png");
    write_text("c.list", "../out.png");
    Log log = { 0 };
    Fixture f = open_with_lists(2, &log);
    FiloAsset a = filo_assets_load(f.assets, "a.list"), c = filo_assets_load(f.assets, "c.list");
    assert_error(filo_assets_wait(f.assets, a), FILO_ERROR_DATA,
                 "a.list: needs b.list, which could not be loaded");
    assert_error(filo_assets_wait(f.assets, c), FILO_ERROR_DATA, "c.list: cannot have ../out.png");
    assert_string_equal(log.text, "");
    close_fixture(&f);
}

FILO_TEST(an_asset_that_depends_on_itself_fails) {
    write_text("a.list", "b.list");
    write_text("b.list", "c.list");
    write_text("c.list", "a.list");
    write_text("self.list", "self.list");
    for (int threads = 1; threads <= 4; threads++) {
        Log log = { 0 };
        Fixture f = open_with_lists(threads, &log);
        FiloAsset a = filo_assets_load(f.assets, "a.list");
        FiloAsset self = filo_assets_load(f.assets, "self.list");
        filo_assets_wait_all(f.assets);
        assert_error(*filo_asset_error(f.assets, self), FILO_ERROR_DATA, "self.list: depends on itself");
        assert_int_equal(filo_asset_state(f.assets, a), FILO_ASSET_FAILED);
        assert_int_equal(filo_assets_stats(f.assets).loaded, 0);
        filo_assets_unload(f.assets, a);
        filo_assets_unload(f.assets, self);
        filo_assets_update(f.assets, 0);
        assert_int_equal(filo_assets_progress(f.assets).total, 0); // a cycle does not keep them alive
        close_fixture(&f);
    }
}

FILO_TEST(an_upload_that_fails_is_a_failure_of_the_asset) {
    write_text("a.list", "");
    Log log = { .refuse = true };
    Fixture f = open_with_lists(2, &log);
    FiloAsset a = filo_assets_load(f.assets, "a.list");
    assert_error(filo_assets_wait(f.assets, a), FILO_ERROR_SPACE, "a.list: the card is full");
    assert_null(filo_asset_data(f.assets, a));
    close_fixture(&f);
    assert_string_equal(log.text, "finish a.list; upload a.list; "); // nothing to release
}

FILO_TEST(an_upload_step_that_is_set_late_is_called_at_once_and_can_be_removed) {
    write_png("red.png", 2, 2, filo_color(255, 0, 0, 255));
    write_text("a.list", "");
    Log first = { 0 }, second = { 0 };
    Fixture f = open_with_lists(2, &first);
    filo_assets_load(f.assets, "a.list");
    filo_assets_load(f.assets, "red.png");
    filo_assets_wait_all(f.assets);
    assert_ok(filo_assets_set_upload(f.assets, "list", upload_list, release_list, &second));
    assert_string_equal(first.text, "finish a.list; upload a.list; release 1; ");
    assert_string_equal(second.text, "upload a.list; ");
    assert_ok(filo_assets_set_upload(f.assets, "list", NULL, NULL, NULL));
    assert_string_equal(second.text, "upload a.list; release 1; ");
    assert_error(filo_assets_set_upload(f.assets, "wood", NULL, NULL, NULL), FILO_ERROR_NOT_FOUND,
                 "\"wood\"");
    close_fixture(&f);
    assert_string_equal(second.text, "upload a.list; release 1; ");
}

FILO_TEST(data_that_is_replaced_is_passed_to_the_upload_and_released_once) {
    Log log = { 0 };
    Fixture f = open_with_lists(2, &log);
    FiloAsset made = { 0 };
    for (int i = 0; i < 3; i++)
        made = filo_assets_add(f.assets, "list", "made", filo_alloc_zero(NULL, sizeof(List), 0));
    assert_int_equal(((const List *)filo_asset_data(f.assets, made))->uploaded, 3);
    assert_int_equal(filo_asset_reference_count(f.assets, made), 3);
    for (int i = 0; i < 3; i++) filo_assets_unload(f.assets, made);
    filo_assets_update(f.assets, 0);
    assert_string_equal(log.text, "finish made; upload made; finish made; replace made; finish made; replace "
                                  "made; release 3; ");
    close_fixture(&f);
}

static FiloResult upload_and_wait(FiloAssets *assets, FiloAsset asset, void *data, const void *old,
                                  void *user) {
    FILO_UNUSED(asset), FILO_UNUSED(data), FILO_UNUSED(old);
    // Loading more is fine, waiting is not.
    *(FiloAsset *)user = filo_assets_load(assets, "red.png");
    expect_fault("do not update or wait", filo_assets_update(assets, 0));
    expect_mistake("do not update or wait", filo_assets_wait(assets, *(FiloAsset *)user));
    return filo_ok();
}

FILO_TEST(an_upload_may_load_more_but_not_wait) {
    only_in_debug_builds();
    write_png("red.png", 2, 2, filo_color(255, 0, 0, 255));
    write_text("a.list", "");
    Log log = { 0 };
    Fixture f = open_with_lists(2, &log);
    FiloAsset more = { 0 };
    assert_ok(filo_assets_set_upload(f.assets, "list", upload_and_wait, NULL, &more));
    filo_assets_load(f.assets, "a.list");
    filo_assets_wait_all(f.assets);
    assert_int_equal(filo_asset_state(f.assets, more), FILO_ASSET_READY);
    close_fixture(&f);
}

static FiloResult upload_and_ask_for_it(FiloAssets *assets, FiloAsset asset, void *data, const void *old,
                                        void *user) {
    FILO_UNUSED(data), FILO_UNUSED(old);
    (*(int *)user)++;
    assert_int_equal(filo_assets_load(assets, "a.list").id, asset.id);
    return filo_ok();
}

FILO_TEST(an_asset_that_is_loaded_again_while_it_is_being_finished_is_not_loaded_twice) {
    write_text("a.list", "");
    Log log = { 0 };
    Fixture f = open_with_lists(2, &log);
    int uploads = 0;
    assert_ok(filo_assets_set_upload(f.assets, "list", upload_and_ask_for_it, NULL, &uploads));
    FiloAsset a = filo_assets_load(f.assets, "a.list");
    filo_assets_wait_all(f.assets);
    assert_int_equal(uploads, 1);
    assert_int_equal(filo_asset_version(f.assets, a), 1);
    assert_int_equal(filo_asset_reference_count(f.assets, a), 2);
    assert_string_equal(log.text, "finish a.list; ");
    close_fixture(&f);
}

FILO_TEST(assets_are_reloaded_when_a_dependency_changes) {
    write_text("a.list", "made");
    Log log = { 0 };
    Fixture f = open_with_lists(2, &log);
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 1, 1, NULL));
    FiloAsset made = filo_assets_add_pixels(f.assets, "made", &pixels);
    FiloAsset a = filo_assets_load(f.assets, "a.list");
    assert_ok(filo_assets_wait(f.assets, a));
    assert_int_equal(filo_asset_version(f.assets, a), 1);
    filo_assets_add_pixels(f.assets, "made", &pixels);
    assert_int_equal(filo_asset_version(f.assets, made), 2);
    filo_assets_wait_all(f.assets);
    assert_int_equal(filo_asset_version(f.assets, a), 2);
    assert_int_equal(((const List *)filo_asset_data(f.assets, a))->uploaded, 2);
    assert_int_equal(filo_asset_reference_count(f.assets, made), 3); // two of the test, one of the list
    filo_pixels_free(&pixels, NULL);
    close_fixture(&f);
}
