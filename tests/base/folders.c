#include "support/failing_allocator.h"
#include "support/test.h"

#include <filo/files.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static const FiloFileWriteDesc without_sync = { .skip_sync = true };

static void touch(const char *name) {
    assert_ok(filo_file_write(filo_test_path(name), "", 0, &without_sync));
}
static void make(const char *name) { assert_ok(filo_folder_make(filo_test_path(name))); }

// ---- Making and removing ------------------------------------------------------------------------------

FILO_TEST(a_folder_is_made_with_those_above_it) {
    FiloFileInfo info;
    assert_ok(filo_folder_make(filo_test_path("a/b c/d\n/é")));
    assert_ok(filo_file_info(&info, filo_test_path("a/b c/d\n/é")));
    assert_int_equal(info.kind, FILO_FILE_FOLDER);
    assert_ok(filo_folder_make(filo_test_path("a/b c")));
    assert_ok(filo_folder_make(filo_test_path("a//x///y/")));
    assert_true(filo_file_exists(filo_test_path("a/x/y")));
    assert_ok(filo_folder_make(filo_test_path("a/new/../other")));
    assert_true(filo_file_exists(filo_test_path("a/other")));
    assert_ok(filo_folder_make("/"));
    assert_ok(filo_folder_make("."));
}

FILO_TEST(a_link_to_a_folder_counts_as_one) {
    make("real");
    assert_int_equal(symlink("real", filo_test_path("alias")), 0);
    assert_ok(filo_folder_make(filo_test_path("alias")));
    assert_ok(filo_folder_make(filo_test_path("alias/below")));
    assert_true(filo_file_exists(filo_test_path("real/below")));
}

FILO_TEST(a_folder_is_not_made_over_a_file) {
    touch("occupied");
    assert_error(filo_folder_make(filo_test_path("occupied")), FILO_ERROR_KIND, "occupied: ");
    assert_error(filo_folder_make(filo_test_path("occupied/below")), FILO_ERROR_KIND, "occupied/below: ");
    assert_int_equal(symlink("nowhere", filo_test_path("dangling")), 0);
    assert_error(filo_folder_make(filo_test_path("dangling")), FILO_ERROR_KIND, "dangling: ");
    assert_error(filo_folder_make(""), FILO_ERROR_NOT_FOUND, "empty");
    char long_path[2 * FILO_PATH_SIZE];
    memset(long_path, 'x', sizeof long_path - 1);
    long_path[sizeof long_path - 1] = '\0';
    assert_error(filo_folder_make(long_path), FILO_ERROR_LIMIT, "xxx: ");
    long_path[300] = '\0'; // one name, longer than names may be
    assert_error(filo_folder_make(filo_test_path(long_path)), FILO_ERROR_LIMIT, "xxx: ");
}

FILO_TEST(only_an_empty_folder_is_removed) {
    make("full/inside");
    assert_error(filo_folder_remove(filo_test_path("full")), FILO_ERROR_EXISTS, "full: ");
    assert_ok(filo_folder_remove(filo_test_path("full/inside")));
    assert_ok(filo_folder_remove(filo_test_path("full")));
    assert_error(filo_folder_remove(filo_test_path("full")), FILO_ERROR_NOT_FOUND, "full: ");
    assert_error(filo_folder_remove(""), FILO_ERROR_NOT_FOUND, "empty");
    touch("a file");
    assert_error(filo_folder_remove(filo_test_path("a file")), FILO_ERROR_KIND, "a file: ");
}

FILO_TEST(removing_a_tree_removes_everything_in_it) {
    make("forest/a/b/c");
    touch("forest/a/b/file");
    touch("forest/.hidden");
    touch("forest/new\nline");
    assert_int_equal(mkfifo(filo_test_path("forest/fifo"), 0600), 0);
    assert_ok(filo_folder_remove_tree(filo_test_path("forest"), NULL));
    assert_false(filo_file_exists(filo_test_path("forest")));
    make("forest");
    assert_ok(filo_folder_remove_tree(filo_test_path("forest//"), NULL));
    assert_false(filo_file_exists(filo_test_path("forest")));
}

FILO_TEST(removing_a_tree_does_not_follow_links) {
    make("precious");
    touch("precious/file");
    make("doomed");
    assert_int_equal(symlink("../precious", filo_test_path("doomed/link")), 0);
    assert_int_equal(symlink("precious", filo_test_path("link")), 0);
    assert_error(filo_folder_remove_tree(filo_test_path("link"), NULL), FILO_ERROR_KIND, "link: ");
    assert_error(filo_folder_remove_tree(filo_test_path("link/"), NULL), FILO_ERROR_KIND, "link/: ");
    assert_ok(filo_folder_remove_tree(filo_test_path("doomed"), NULL));
    assert_true(filo_file_exists(filo_test_path("precious/file")));
}

FILO_TEST(some_paths_are_never_removed_as_trees) {
    make("kept/inner");
    static const char *const paths[] = { "/", "//", ".", "..", "./", "../" };
    for (size_t i = 0; i < FILO_COUNT_OF(paths); i++)
        assert_error(filo_folder_remove_tree(paths[i], NULL), FILO_ERROR_ARGUMENT, paths[i]);
    assert_error(filo_folder_remove_tree(filo_test_path("kept/."), NULL), FILO_ERROR_ARGUMENT, "kept/.");
    assert_error(filo_folder_remove_tree(filo_test_path("kept/inner/.."), NULL), FILO_ERROR_ARGUMENT, "..");
    assert_error(filo_folder_remove_tree("", NULL), FILO_ERROR_NOT_FOUND, "empty");
    assert_error(filo_folder_remove_tree(filo_test_path("nil"), NULL), FILO_ERROR_NOT_FOUND, "nil: ");
    assert_true(filo_file_exists(filo_test_path("kept/inner")));
    touch("kept/file");
    assert_error(filo_folder_remove_tree(filo_test_path("kept/file"), NULL), FILO_ERROR_KIND, "kept/file: ");
}

FILO_TEST(removing_stops_at_a_mounted_file_system) {
    make("outer/mounted");
    const char *point = filo_test_path("outer/mounted");
    if (mount("none", point, "tmpfs", 0, NULL) != 0) skip(); // only root may
    touch("outer/mounted/file");
    FiloResult result = filo_folder_remove_tree(filo_test_path("outer"), NULL);
    bool survived = filo_file_exists(filo_test_path("outer/mounted/file"));
    umount2(point, MNT_DETACH);
    assert_error(result, FILO_ERROR_BUSY, "outer/mounted: another file system");
    assert_true(survived);
}

// Makes folders inside each other, far beyond the longest path that can be opened.
static void make_deep(const char *name, int depth) {
    make(name);
    int folder = open(filo_test_path(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < depth; i++) {
        assert_int_equal(mkdirat(folder, "quite-a-long-name", 0755), 0);
        int below = openat(folder, "quite-a-long-name", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(below >= 0);
        close(folder);
        folder = below;
    }
    close(folder);
}

static FiloWalkAnswer find_deepest(const FiloWalkEntry *entry, void *user) {
    size_t *deepest = user;
    assert_int_equal(strlen(entry->relative), (entry->depth + 1) * 18 - 1);
    *deepest = entry->depth;
    return FILO_WALK_GO_ON;
}

FILO_TEST(trees_deeper_than_any_path_are_walked_and_removed) {
    make_deep("deep", 2000);
    size_t deepest = 0;
    assert_ok(filo_folder_walk(filo_test_path("deep"), find_deepest, &deepest, NULL));
    assert_int_equal(deepest, 1999);
    assert_ok(filo_folder_remove_tree(filo_test_path("deep"), NULL));
    assert_false(filo_file_exists(filo_test_path("deep")));
}

// ---- Listing ------------------------------------------------------------------------------------------

FILO_TEST(a_list_is_sorted_by_bytes_and_has_kinds) {
    make("list/b folder");
    static const char *const names[] = { "Z", "a", "a.b", "a-b", "é", ".x", "10", "9" };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++) {
        char name[64];
        snprintf(name, sizeof name, "list/%s", names[i]);
        touch(name);
    }
    assert_int_equal(symlink("a", filo_test_path("list/link")), 0);
    assert_int_equal(mkfifo(filo_test_path("list/pipe"), 0600), 0);
    static const char *const expected[] = { ".x",  "10",       "9",    "Z",    "a", "a-b",
                                            "a.b", "b folder", "link", "pipe", "é" };
    FiloFolderList list;
    assert_ok(filo_folder_list(&list, filo_test_path("list"), NULL));
    assert_int_equal(list.count, FILO_COUNT_OF(expected));
    for (size_t i = 0; i < list.count; i++) assert_string_equal(list.entries[i].name, expected[i]);
    assert_int_equal(list.entries[0].kind, FILO_FILE_REGULAR);
    assert_int_equal(list.entries[7].kind, FILO_FILE_FOLDER);
    assert_int_equal(list.entries[8].kind, FILO_FILE_LINK);
    assert_int_equal(list.entries[9].kind, FILO_FILE_OTHER);
    filo_folder_list_free(&list);
    assert_int_equal(list.count, 0);
    assert_null(list.entries);
    filo_folder_list_free(&list);
    filo_folder_list_free(NULL);
}

FILO_TEST(a_folder_with_many_long_names_is_listed_whole) {
    make("many");
    char name[256];
    for (int i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "many/%0245d", (i * 7919) % 500);
        touch(name);
    }
    FiloFolderList list;
    assert_ok(filo_folder_list(&list, filo_test_path("many"), NULL));
    assert_int_equal(list.count, 500);
    for (int i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "%0245d", i);
        assert_string_equal(list.entries[i].name, name);
    }
    filo_folder_list_free(&list);
}

FILO_TEST(an_empty_folder_has_an_empty_list) {
    make("hollow");
    FiloFolderList list;
    assert_ok(filo_folder_list(&list, filo_test_path("hollow"), NULL));
    assert_int_equal(list.count, 0);
    filo_folder_list_free(&list);
}

FILO_TEST(what_is_not_a_folder_cannot_be_listed) {
    FiloFolderList list;
    touch("plain");
    assert_error(filo_folder_list(&list, filo_test_path("plain"), NULL), FILO_ERROR_KIND, "plain: ");
    assert_error(filo_folder_list(&list, filo_test_path("nil"), NULL), FILO_ERROR_NOT_FOUND, "nil: ");
    assert_error(filo_folder_list(&list, "", NULL), FILO_ERROR_NOT_FOUND, "empty");
    assert_int_equal(list.count, 0);
}

// ---- Walking ------------------------------------------------------------------------------------------

typedef struct Record {
    char text[1024];
    const char *skip, *stop;
    int calls;
} Record;

static FiloWalkAnswer record(const FiloWalkEntry *entry, void *user) {
    Record *to = user;
    size_t length = strlen(to->text);
    snprintf(to->text + length, sizeof to->text - length, "%zu%s%s ", entry->depth, entry->relative,
             entry->kind == FILO_FILE_FOLDER ? "/"
             : entry->kind == FILO_FILE_LINK ? "@"
                                             : "");
    to->calls++;
    // The strings agree with each other.
    size_t path_length = strlen(entry->path), relative_length = strlen(entry->relative);
    assert_string_equal(entry->path + path_length - relative_length, entry->relative);
    assert_string_equal(filo_path_name(entry->path), entry->name);
    if (to->stop != NULL && strcmp(entry->name, to->stop) == 0) return FILO_WALK_STOP;
    if (to->skip != NULL && strcmp(entry->name, to->skip) == 0) return FILO_WALK_SKIP;
    return FILO_WALK_GO_ON;
}

static void make_garden(const char *name) {
    char path[64];
    static const char *const files[] = { "a/2", "a/1", "a.txt", "b/c/deep", "z" };
    snprintf(path, sizeof path, "%s/b/c", name);
    make(path);
    snprintf(path, sizeof path, "%s/a", name);
    make(path);
    for (size_t i = 0; i < FILO_COUNT_OF(files); i++) {
        snprintf(path, sizeof path, "%s/%s", name, files[i]);
        touch(path);
    }
    snprintf(path, sizeof path, "%s/b/loop", name);
    assert_int_equal(symlink("..", filo_test_path(path)), 0);
}

FILO_TEST(a_walk_is_sorted_by_name_and_has_no_loops) {
    make_garden("garden");
    Record all = { .text = "" };
    assert_ok(filo_folder_walk(filo_test_path("garden"), record, &all, NULL));
    assert_string_equal(all.text, "0a/ 1a/1 1a/2 0a.txt 0b/ 1b/c/ 2b/c/deep 1b/loop@ 0z ");
    // The path may end in a slash, or be a link.
    Record again = { .text = "" };
    assert_ok(filo_folder_walk(filo_test_path("garden/b/loop//"), record, &again, NULL));
    assert_string_equal(again.text, all.text);
}

FILO_TEST(the_paths_of_a_walk_can_be_opened) {
    make_garden("open");
    assert_int_equal(chdir(filo_test_path("open")), 0);
    Record all = { .text = "" };
    assert_ok(filo_folder_walk(".", record, &all, NULL));
    assert_string_equal(all.text, "0a/ 1a/1 1a/2 0a.txt 0b/ 1b/c/ 2b/c/deep 1b/loop@ 0z ");
    assert_int_equal(chdir("/"), 0);
}

FILO_TEST(a_walk_skips_and_stops_as_the_function_returns) {
    make_garden("told");
    Record skip_b = { .text = "", .skip = "b" };
    assert_ok(filo_folder_walk(filo_test_path("told"), record, &skip_b, NULL));
    assert_string_equal(skip_b.text, "0a/ 1a/1 1a/2 0a.txt 0b/ 0z ");
    Record skip_file = { .text = "", .skip = "a.txt", .stop = "deep" };
    assert_ok(filo_folder_walk(filo_test_path("told"), record, &skip_file, NULL));
    assert_string_equal(skip_file.text, "0a/ 1a/1 1a/2 0a.txt 0b/ 1b/c/ 2b/c/deep ");
    Record stop_folder = { .text = "", .stop = "a" };
    assert_ok(filo_folder_walk(filo_test_path("told"), record, &stop_folder, NULL));
    assert_string_equal(stop_folder.text, "0a/ ");
}

static FiloWalkAnswer remove_what_comes(const FiloWalkEntry *entry, void *user) {
    Record *to = user;
    to->calls++;
    if (strcmp(entry->name, "a") == 0) { // a folder that is to be entered next, and one that comes later
        assert_ok(filo_folder_remove_tree(entry->path, NULL));
        assert_ok(filo_folder_remove_tree(filo_test_path("vanishing/b"), NULL));
        assert_int_equal(symlink("/", filo_test_path("vanishing/b")), 0); // a trap
    }
    return FILO_WALK_GO_ON;
}

FILO_TEST(what_is_removed_during_a_walk_or_becomes_a_link_is_not_entered) {
    make_garden("vanishing");
    Record to = { .text = "" };
    assert_ok(filo_folder_walk(filo_test_path("vanishing"), remove_what_comes, &to, NULL));
    assert_int_equal(to.calls, 4); // a, a.txt, b, z
}

static FiloWalkAnswer move_it_away(const FiloWalkEntry *entry, void *user) {
    FILO_UNUSED(user);
    if (strcmp(entry->name, "deep") == 0)
        assert_ok(filo_file_move(filo_test_path("moving/b/c"), filo_test_path("moving/c"), NULL));
    return FILO_WALK_GO_ON;
}

FILO_TEST(a_walk_does_not_leave_the_tree_by_a_folder_that_is_moved) {
    make_garden("moving");
    assert_error(filo_folder_walk(filo_test_path("moving"), move_it_away, NULL, NULL), FILO_ERROR_BUSY,
                 "was moved");
}

static FiloWalkAnswer check_descriptors(const FiloWalkEntry *entry, void *user) {
    FILO_UNUSED(entry);
    int *open = user;
    *open = 0;
    for (int i = 3; i < 100; i++) {
        int flags = fcntl(i, F_GETFD);
        if (flags < 0) continue;
        ++*open;
        assert_true((flags & FD_CLOEXEC) != 0);
    }
    return FILO_WALK_GO_ON;
}

FILO_TEST(a_walk_opens_one_folder_that_no_child_inherits) {
    make_garden("inherit");
    for (int i = 3; i < 100; i++) { // the test may have been started with open descriptors
        int flags = fcntl(i, F_GETFD);
        if (flags >= 0) fcntl(i, F_SETFD, flags | FD_CLOEXEC);
    }
    int before = 0, during = 0;
    check_descriptors(NULL, &before);
    assert_ok(filo_folder_walk(filo_test_path("inherit"), check_descriptors, &during, NULL));
    assert_int_equal(during, before + 1);
}

FILO_TEST(what_is_not_a_folder_cannot_be_walked) {
    touch("flat");
    Record none = { .text = "" };
    assert_error(filo_folder_walk(filo_test_path("flat"), record, &none, NULL), FILO_ERROR_KIND, "flat: ");
    assert_error(filo_folder_walk(filo_test_path("nil"), record, &none, NULL), FILO_ERROR_NOT_FOUND, "nil: ");
    assert_error(filo_folder_walk("", record, &none, NULL), FILO_ERROR_NOT_FOUND, "empty");
    assert_int_equal(none.calls, 0);
}

FILO_TEST(memory_that_runs_out_in_a_folder_is_an_error_and_leaks_nothing) {
    make_garden("tight");
    FiloCode listed = FILO_ERROR_MEMORY, walked = FILO_ERROR_MEMORY;
    size_t allowed = 0;
    for (; listed != FILO_OK || walked != FILO_OK; allowed++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        failing_allow(&failing, allowed);
        FiloFolderList list;
        FiloResult result = filo_folder_list(&list, filo_test_path("tight"), &failing.allocator);
        listed = result.code;
        if (listed != FILO_OK) assert_error(result, FILO_ERROR_MEMORY, "tight: ");
        filo_folder_list_free(&list);
        assert_int_equal(failing.blocks, 0);

        failing_allow(&failing, allowed);
        Record to = { .text = "" };
        result = filo_folder_walk(filo_test_path("tight"), record, &to, &failing.allocator);
        walked = result.code;
        if (walked != FILO_OK) assert_error(result, FILO_ERROR_MEMORY, "no memory");
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(allowed > 4);
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    failing_allow(&failing, 0);
    assert_error(filo_folder_remove_tree(filo_test_path("tight"), &failing.allocator), FILO_ERROR_MEMORY,
                 "no memory");
    assert_true(filo_file_exists(filo_test_path("tight/b/c/deep")));
}

FILO_TEST(misuse_of_folders_is_reported) {
    FiloFolderList list;
    expect_mistake("pass a path, not NULL", filo_folder_make(NULL));
    expect_mistake("pass a path, not NULL", filo_folder_remove(NULL));
    expect_mistake("pass a path, not NULL", filo_folder_remove_tree(NULL, NULL));
    expect_mistake("pass a path, not NULL", filo_folder_list(&list, NULL, NULL));
    expect_mistake("FiloFolderList", filo_folder_list(NULL, "/", NULL));
    expect_mistake("pass a path, not NULL", filo_folder_walk(NULL, record, NULL, NULL));
    expect_mistake("pass a function", filo_folder_walk("/", NULL, NULL, NULL));
}
