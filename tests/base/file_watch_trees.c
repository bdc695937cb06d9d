// Watching trees: folders that come, go and move with what is in them, and paths that lead there.

#include "base/file_watch_fixture.h"

#include <fcntl.h>
#include <unistd.h>

// ---- Trees --------------------------------------------------------------------------------------------

FILO_TEST(new_folders_are_watched_too) {
    make("t");
    FiloFileWatch *watch = watch_paths("t", NULL);
    make("t/a/b/c"); // all at once, before the first of them is watched
    overwrite("t/a/b/c/file", "x");
    assert_string_equal(changes(watch), "+t/a/ +t/a/b/ +t/a/b/c/ +t/a/b/c/file");
    overwrite("t/a/b/c/file", "y");
    make("t/a/b/d");
    assert_string_equal(changes(watch), "*t/a/b/c/file +t/a/b/d/");
    overwrite("t/a/b/d/e", "x");
    assert_string_equal(changes(watch), "+t/a/b/d/e");
    end(watch);
}

FILO_TEST(a_removed_tree_is_reported_file_by_file) {
    make("t/a/b");
    overwrite("t/a/b/1", "x");
    overwrite("t/a/2", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    remove_tree("t/a");
    assert_string_equal(changes(watch), "-t/a/2 -t/a/b/1 -t/a/b/ -t/a/");
    make("t/a"); // and made again
    overwrite("t/a/2", "x");
    assert_string_equal(changes(watch), "+t/a/ +t/a/2");
    end(watch);
}

FILO_TEST(the_files_of_a_moved_tree_are_moved) {
    make("t/a/b");
    make("outside");
    overwrite("t/a/b/1", "x");
    overwrite("t/a/2", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    rename_file("t/a", "t/c");
    assert_string_equal(changes(watch), ">t/a>t/c/ >t/a/2>t/c/2 >t/a/b>t/c/b/ >t/a/b/1>t/c/b/1");
    overwrite("t/c/b/1", "y"); // watched under the new name
    assert_string_equal(changes(watch), "*t/c/b/1");
    rename_file("t/c", "outside/c");
    assert_string_equal(changes(watch), "-t/c/2 -t/c/b/ -t/c/b/1 -t/c/");
    overwrite("outside/c/2", "y"); // not watched any more
    assert_string_equal(changes(watch), "");
    rename_file("outside/c", "t/d");
    assert_string_equal(changes(watch), "+t/d/ +t/d/2 +t/d/b/ +t/d/b/1");
    end(watch);
}

FILO_TEST(a_tree_that_moves_into_a_new_folder_is_watched_there) {
    make("t/a");
    overwrite("t/a/1", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    make("t/new"); // not watched yet when the folder moves into it
    rename_file("t/a", "t/new/a");
    const char *reported = changes(watch);
    assert_contains(reported, "+t/new/");
    assert_contains(reported, "t/new/a/1");
    overwrite("t/new/a/1", "y");
    assert_string_equal(changes(watch), "*t/new/a/1");
    make("t/a");
    overwrite("t/a/1", "y");
    assert_string_equal(changes(watch), "+t/a/ +t/a/1");
    end(watch);
}

FILO_TEST(a_folder_replaced_by_another_is_watched) {
    make("t/empty");
    make("t/full");
    overwrite("t/full/1", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    rename_file("t/full", "t/empty");
    assert_string_equal(changes(watch), "-t/full/ *t/empty/ >t/full/1>t/empty/1");
    overwrite("t/empty/1", "y");
    overwrite("t/empty/2", "y");
    assert_string_equal(changes(watch), "*t/empty/1 +t/empty/2");
    end(watch);
}

FILO_TEST(links_are_reported_but_not_followed) {
    make("t");
    make("outside");
    FiloFileWatch *watch = watch_paths("t", NULL);
    assert_int_equal(symlink("../outside", filo_test_path("t/link")), 0);
    assert_int_equal(symlink("..", filo_test_path("t/loop")), 0);
    assert_string_equal(changes(watch), "+t/link +t/loop");
    overwrite("outside/file", "x");
    assert_string_equal(changes(watch), "");
    remove_file("t/link");
    assert_string_equal(changes(watch), "-t/link");
    end(watch);
}

// ---- Anything at all ----------------------------------------------------------------------------------

#define MAX_MODEL 4096

// The tree that follows from the reported changes alone.
typedef struct Model {
    char paths[MAX_MODEL][96];
    size_t count;
} Model;

static size_t model_find(const Model *model, const char *path) {
    size_t i = 0;
    while (i < model->count && strcmp(model->paths[i], path) != 0) i++;
    return i;
}

static void model_add(Model *model, const char *path) {
    if (model_find(model, path) < model->count) fail_msg("%s was told as new, and is not", path);
    assert_true(model->count < MAX_MODEL);
    snprintf(model->paths[model->count++], sizeof model->paths[0], "%s", path);
}

static void model_remove(Model *model, const char *path) {
    size_t i = model_find(model, path);
    if (i == model->count) fail_msg("%s was told as gone, and was not known", path);
    memmove(model->paths[i], model->paths[--model->count], sizeof model->paths[0]);
}

static void model_apply(Model *model, FiloFileWatch *watch) {
    FiloFileChange change;
    while (base_file_watch_poll_at(watch, &change, now)) {
        const char *path = short_path(change.path);
        if (change.kind == FILO_FILE_MOVED) model_remove(model, short_path(change.old_path));
        if (change.kind == FILO_FILE_REMOVED) model_remove(model, path);
        if (change.kind == FILO_FILE_CREATED || change.kind == FILO_FILE_MOVED) model_add(model, path);
        if (change.kind == FILO_FILE_CHANGED && model_find(model, path) == model->count)
            fail_msg("%s was told as changed, and was not known", path);
        assert_int_not_equal(change.kind, FILO_FILE_RESCAN);
    }
}

static FiloWalkAnswer model_compare(const FiloWalkEntry *entry, void *user) {
    model_remove(user, short_path(entry->path));
    return FILO_WALK_GO_ON;
}

// One of few paths, two or three folders deep, so that they collide.
static const char *random_path(uint32_t *seed) {
    uint32_t bits = *seed = *seed * 1664525u + 1013904223u;
    char name[32];
    snprintf(name, sizeof name, bits >> 31 ? "r/%c/%c/%c" : "r/%c/%c", 'a' + (bits >> 8) % 3,
             'a' + (bits >> 12) % 3, 'a' + (bits >> 16) % 3);
    if ((bits >> 20) % 8 == 0) name[3] = '\0'; // a folder at the top
    return filo_test_path(name);
}

static void do_anything(uint32_t *seed) {
    const char *path = random_path(seed), *other = random_path(seed);
    switch ((*seed >> 24) % 8) { // most of these fail, as they may
    case 0:
    case 1: (void)filo_folder_make(path); break;
    case 2:
    case 3: (void)filo_file_write(path, "x", 1, &without_sync); break;
    case 4: (void)filo_file_append(path, "x", 1); break;
    case 5:
    case 6: (void)rename(path, other); break;
    default:
        if (filo_file_remove(path).code != FILO_OK) (void)filo_folder_remove_tree(path, NULL);
        break;
    }
}

FILO_TEST(the_reported_changes_always_add_up_to_the_tree) {
    static Model model, copy;
    for (uint32_t round = 1; round <= 100; round++) {
        uint32_t seed = round;
        model.count = 0;
        make("r");
        FiloFileWatch *watch = watch_paths("r", NULL);
        for (int i = 0; i < 200; i++) {
            do_anything(&seed);
            if ((seed >> 10) % 4 == 0) now += QUIET / 3;
            if ((seed >> 14) % 3 == 0) model_apply(&model, watch);
        }
        now += QUIET * FILO_FILE_WATCH_PATIENCE;
        model_apply(&model, watch);
        now += QUIET * FILO_FILE_WATCH_PATIENCE;
        model_apply(&model, watch);
        copy = model;
        assert_ok(filo_folder_walk(filo_test_path("r"), model_compare, &copy, NULL));
        if (copy.count > 0) fail_msg("round %u: %s is told to be there, and is not", round, copy.paths[0]);
        end(watch);
    }
}

// ---- Paths that come and go ---------------------------------------------------------------------------

FILO_TEST(a_single_file_is_watched_without_its_neighbours) {
    make("t");
    overwrite("t/a", "x");
    overwrite("t/ab", "x");
    FiloFileWatch *watch = watch_paths("t/a", NULL);
    overwrite("t/ab", "y");
    overwrite("t/b", "y");
    assert_string_equal(changes(watch), "");
    write_text("t/a", "y");
    assert_string_equal(changes(watch), "*t/a");
    remove_file("t/a");
    assert_string_equal(changes(watch), "-t/a");
    overwrite("t/a", "z");
    assert_string_equal(changes(watch), "+t/a");
    end(watch);
}

FILO_TEST(a_file_that_does_not_exist_yet_is_reported_when_it_is_created) {
    make("t");
    FiloFileWatch *watch = watch_paths("t/later", "t/folder/later");
    assert_string_equal(changes(watch), "");
    overwrite("t/later", "x");
    make("t/folder"); // only a folder above what is watched
    assert_string_equal(changes(watch), "+t/later");
    overwrite("t/folder/other", "x");
    overwrite("t/folder/later", "x");
    assert_string_equal(changes(watch), "+t/folder/later");
    end(watch);
}

FILO_TEST(a_path_whose_folders_are_all_created_later_is_found) {
    FiloFileWatch *watch = watch_paths("x/y/z/file", NULL);
    assert_string_equal(changes(watch), "");
    make("x/y");
    assert_string_equal(changes(watch), "");
    make("x/y/z");
    overwrite("x/y/z/file", "1");
    assert_string_equal(changes(watch), "+x/y/z/file");
    remove_tree("x");
    assert_string_equal(changes(watch), "-x/y/z/file");
    make("x/y/z");
    overwrite("x/y/z/file", "1"); // all folders again, before polling
    assert_string_equal(changes(watch), "+x/y/z/file");
    rename_file("x/y/z", "x/y/old"); // the parent folder is moved away and replaced
    make("x/y/z");
    assert_string_equal(changes(watch), "-x/y/z/file");
    overwrite("x/y/old/file", "2");
    assert_string_equal(changes(watch), "");
    overwrite("x/y/z/file", "3");
    assert_string_equal(changes(watch), "+x/y/z/file");
    end(watch);
}

FILO_TEST(a_folder_that_is_removed_while_it_is_open_is_found_again) {
    make("h");
    overwrite("h/file", "x");
    FiloFileWatch *watch = watch_paths("h/file", NULL);
    int held = open(filo_test_path("h"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    remove_tree("h");
    assert_string_equal(changes(watch), "-h/file");
    make("h");
    overwrite("h/file", "y");
    assert_string_equal(changes(watch), "+h/file");
    close(held);
    assert_string_equal(changes(watch), "");
    end(watch);
}

FILO_TEST(folders_further_up_may_be_replaced) {
    make("top/middle/low");
    make("spare/middle/low");
    overwrite("top/middle/low/a", "x");
    overwrite("spare/middle/low/a", "y");
    overwrite("spare/middle/low/b", "y");
    FiloFileWatch *watch = watch_paths("top/middle/low", NULL);
    rename_file("top", "old");
    assert_string_equal(changes(watch), "-top/middle/low/ -top/middle/low/a");
    overwrite("old/middle/low/a", "z");
    assert_string_equal(changes(watch), "");
    rename_file("spare", "top");
    assert_string_equal(changes(watch), "+top/middle/low/ +top/middle/low/a +top/middle/low/b");
    rename_file("top", "spare"); // and both at once
    rename_file("old", "top");
    assert_string_equal(changes(watch), "*top/middle/low/ *top/middle/low/a -top/middle/low/b");
    overwrite("top/middle/low/c", "x");
    assert_string_equal(changes(watch), "+top/middle/low/c");
    end(watch);
}

FILO_TEST(a_watched_tree_may_be_removed_and_created_again) {
    make("t/a");
    overwrite("t/a/1", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    remove_tree("t");
    assert_string_equal(changes(watch), "-t/a/1 -t/a/ -t/");
    make("t/b");
    assert_string_equal(changes(watch), "+t/ +t/b/");
    rename_file("t", "u"); // the path is watched, not the folder
    assert_string_equal(changes(watch), "-t/b/ -t/");
    overwrite("u/b/x", "x");
    assert_string_equal(changes(watch), "");
    rename_file("u", "t");
    assert_string_equal(changes(watch), "+t/ +t/b/ +t/b/x");
    end(watch);
}

FILO_TEST(a_link_is_watched_at_its_target_and_reported_by_its_own_name) {
    make("target");
    overwrite("target/a", "x");
    assert_int_equal(symlink("target", filo_test_path("link")), 0);
    FiloFileWatch *watch = watch_paths("link", NULL);
    overwrite("target/a", "y");
    assert_string_equal(changes(watch), "*link/a");
    end(watch);
}

// ---- Several paths ------------------------------------------------------------------------------------

FILO_TEST(paths_inside_each_other_are_reported_once_under_the_nearest) {
    make("t/sub");
    FiloFileWatch *watch = watch_paths("t", NULL);
    assert_int_equal(chdir(filo_test_folder()), 0);
    assert_ok(filo_file_watch_add(watch, "t/sub")); // as a relative path
    overwrite("t/a", "x");
    overwrite("t/sub/b", "x");
    FiloFileChange change;
    assert_false(base_file_watch_poll_at(watch, &change, now));
    now += QUIET;
    assert_true(base_file_watch_poll_at(watch, &change, now));
    assert_string_equal(change.path, filo_test_path("t/a"));
    assert_true(base_file_watch_poll_at(watch, &change, now));
    assert_string_equal(change.path, "t/sub/b");
    assert_false(base_file_watch_poll_at(watch, &change, now));
    remove_tree("t/sub");
    assert_string_equal(changes(watch), "-t/sub/b -t/sub/");
    make("t/sub");
    overwrite("t/sub/b", "x");
    assert_string_equal(changes(watch), "+t/sub/ +t/sub/b");
    assert_ok(filo_file_watch_remove(watch, filo_test_path("t"))); // the inner one stays
    overwrite("t/a", "y");
    overwrite("t/sub/b", "y");
    assert_string_equal(changes(watch), "*t/sub/b");
    remove_tree("t/sub");
    assert_string_equal(changes(watch), "-t/sub/b -t/sub/");
    end(watch);
    assert_int_equal(chdir("/"), 0);
}

FILO_TEST(a_path_is_added_once) {
    make("t");
    FiloFileWatch *watch = watch_paths("t", NULL);
    assert_ok(filo_file_watch_add(watch, filo_test_path("t")));
    assert_ok(filo_file_watch_add(watch, filo_test_path("t/")));
    assert_error(filo_file_watch_add(watch, filo_test_path("./t")), FILO_ERROR_EXISTS, "under another name");
    overwrite("t/a", "x");
    assert_string_equal(changes(watch), "+t/a");
    end(watch);
}

FILO_TEST(what_is_no_longer_watched_is_no_longer_reported) {
    make("t");
    make("u");
    overwrite("t/old", "x");
    FiloFileWatch *watch = watch_paths("t", "u");
    FiloFileChange change;
    overwrite("t/a", "x");
    rename_file("t/old", "u/old"); // a move with one end in each
    assert_false(base_file_watch_poll_at(watch, &change, now));
    assert_ok(filo_file_watch_remove(watch, filo_test_path("t")));
    assert_string_equal(changes(watch), "+u/old");
    overwrite("t/b", "x");
    overwrite("u/c", "x");
    assert_string_equal(changes(watch), "+u/c");
    assert_error(filo_file_watch_remove(watch, filo_test_path("t")), FILO_ERROR_NOT_FOUND,
                 "t: is not watched");
    assert_ok(filo_file_watch_remove(watch, filo_test_path("u")));
    overwrite("u/c", "y");
    assert_string_equal(changes(watch), "");
    assert_int_equal(watch->node_count, 0);
    assert_int_equal(watch->watched_count, 0);
    end(watch);
}
