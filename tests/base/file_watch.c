// Most tests bring their own clock (filo_file_watch_poll_at), so that nothing depends on how fast they run.

#include "base/file_watch.h"
#include "support/failing_allocator.h"
#include "support/test.h"

#include <filo/log.h>
#include <filo/threads.h>
#include <filo/time.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define QUIET   INT64_C(100)
#define SECONDS INT64_C(1000000000)

static const FiloFileWriteDesc quick = { .skip_sync = true };
static int64_t now = 1000;

static void write_text(const char *name, const char *text) {
    assert_ok(filo_file_write(filo_test_path(name), text, strlen(text), &quick));
}

// Writes into the file itself, as a program without care does.
static void overwrite(const char *name, const char *text) {
    FILE *file = fopen(filo_test_path(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make(const char *name) { assert_ok(filo_folder_make(filo_test_path(name))); }
static void remove_tree(const char *name) { assert_ok(filo_folder_remove_tree(filo_test_path(name), NULL)); }
static void remove_file(const char *name) { assert_ok(filo_file_remove(filo_test_path(name))); }
static void rename_file(const char *from, const char *to) {
    assert_int_equal(rename(filo_test_path(from), filo_test_path(to)), 0);
}

static FiloFileWatch *watch_paths(const char *first, const char *second) {
    FiloFileWatch *watch;
    assert_ok(filo_file_watch_create(&watch, &(FiloFileWatchDesc){ .quiet_ns = QUIET }));
    assert_ok(filo_file_watch_add(watch, filo_test_path(first)));
    if (second != NULL) assert_ok(filo_file_watch_add(watch, filo_test_path(second)));
    return watch;
}

// Ends a test: the next one finds an empty folder.
static void end(FiloFileWatch *watch) {
    FiloFolderList list;
    filo_file_watch_destroy(watch);
    assert_ok(filo_folder_list(&list, filo_test_folder(), NULL));
    for (size_t i = 0; i < list.count; i++)
        if (list.entries[i].kind == FILO_FILE_FOLDER)
            remove_tree(list.entries[i].name);
        else
            remove_file(list.entries[i].name);
    filo_folder_list_free(&list);
}

// A path as the test calls it.
static const char *short_path(const char *path) {
    size_t length = strlen(filo_test_folder());
    return strncmp(path, filo_test_folder(), length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static void append_change(char *text, size_t size, const FiloFileChange *change) {
    static const char marks[] = { '+', '*', '-', '>', '!' };
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%c%s%s%s%s", length > 0 ? " " : "", marks[change->kind],
             short_path(change->old_path), change->old_path[0] != '\0' ? ">" : "", short_path(change->path),
             change->is_folder ? "/" : "");
}

// All that is told once everything has become quiet: "+" created, "*" changed, "-" removed, ">old>new" moved,
// "!" rescan.
static const char *changes(FiloFileWatch *watch) {
    static char text[8192];
    FiloFileChange change;
    text[0] = '\0';
    assert_false(filo_file_watch_poll_at(watch, &change, now)); // heard, but not quiet yet
    now += QUIET - 1;
    assert_false(filo_file_watch_poll_at(watch, &change, now));
    now += 1;
    while (filo_file_watch_poll_at(watch, &change, now)) append_change(text, sizeof text, &change);
    now += 10 * QUIET;
    assert_false(filo_file_watch_poll_at(watch, &change, now));
    return text;
}

// ---- Files in a folder --------------------------------------------------------------------------------

FILO_TEST(what_is_there_already_is_not_told) {
    make("old/sub");
    write_text("old/file", "x");
    FiloFileWatch *watch = watch_paths("old", NULL);
    assert_string_equal(changes(watch), "");
    end(watch);
}

FILO_TEST(creating_changing_and_removing_are_told) {
    make("t");
    FiloFileWatch *watch = watch_paths("t", NULL);
    overwrite("t/a", "x");
    assert_string_equal(changes(watch), "+t/a");
    overwrite("t/a", "y");
    assert_string_equal(changes(watch), "*t/a");
    assert_ok(filo_file_append(filo_test_path("t/a"), "z", 1));
    assert_string_equal(changes(watch), "*t/a");
    assert_ok(filo_file_set_modified(filo_test_path("t/a"), 0));
    assert_string_equal(changes(watch), "*t/a");
    remove_file("t/a");
    assert_string_equal(changes(watch), "-t/a");
    end(watch);
}

FILO_TEST(reading_is_not_a_change) {
    make("t");
    write_text("t/a", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    FiloFileData data;
    FiloFolderList list;
    assert_ok(filo_file_read(&data, filo_test_path("t/a"), NULL));
    filo_file_free(&data);
    assert_ok(filo_folder_list(&list, filo_test_path("t"), NULL));
    filo_folder_list_free(&list);
    assert_string_equal(changes(watch), "");
    end(watch);
}

FILO_TEST(writing_a_temporary_file_and_renaming_it_is_one_change) {
    make("t");
    write_text("t/a", "old");
    FiloFileWatch *watch = watch_paths("t", NULL);
    write_text("t/a", "new"); // as filo_file_write does it
    assert_string_equal(changes(watch), "*t/a");
    write_text("t/b", "new");
    assert_string_equal(changes(watch), "+t/b");
    end(watch);
}

FILO_TEST(an_editor_that_keeps_a_backup_makes_one_change) {
    make("t");
    overwrite("t/a", "old");
    FiloFileWatch *watch = watch_paths("t", NULL);
    overwrite("t/4913", ""); // vim tries whether it may create files
    remove_file("t/4913");
    rename_file("t/a", "t/a~");
    overwrite("t/a", "new");
    remove_file("t/a~");
    assert_string_equal(changes(watch), "*t/a");
    rename_file("t/a", "t/a~"); // and this time it keeps the backup
    overwrite("t/a", "newer");
    assert_string_equal(changes(watch), "*t/a +t/a~");
    end(watch);
}

FILO_TEST(many_writes_are_one_change) {
    make("t");
    overwrite("t/a", "old");
    FiloFileWatch *watch = watch_paths("t", NULL);
    FiloFileChange change;
    for (int i = 0; i < 10; i++) {
        overwrite("t/a", "more");
        assert_false(filo_file_watch_poll_at(watch, &change, now));
        now += QUIET - 1; // never quiet for long enough
    }
    overwrite("t/a", "last");
    assert_string_equal(changes(watch), "*t/a");
    end(watch);
}

FILO_TEST(a_file_that_never_rests_is_told_after_a_while) {
    make("t");
    overwrite("t/a", "old");
    FiloFileWatch *watch = watch_paths("t", NULL);
    FiloFileChange change;
    int told = 0, writes = 10 * FILO_FILE_WATCH_PATIENCE;
    for (int i = 0; i < writes; i++) {
        overwrite("t/a", "more");
        told += filo_file_watch_poll_at(watch, &change, now);
        now += QUIET / 2;
    }
    // One patience is as long as 2 × FILO_FILE_WATCH_PATIENCE writes.
    assert_in_range(told, 4, 5);
    end(watch);
}

FILO_TEST(a_busy_file_does_not_hold_back_the_others) {
    make("t");
    FiloFileWatch *watch = watch_paths("t", NULL);
    FiloFileChange change;
    overwrite("t/busy", "x");
    overwrite("t/calm", "x");
    assert_false(filo_file_watch_poll_at(watch, &change, now));
    now += QUIET;
    overwrite("t/busy", "y");
    assert_true(filo_file_watch_poll_at(watch, &change, now));
    assert_string_equal(short_path(change.path), "t/calm");
    assert_false(filo_file_watch_poll_at(watch, &change, now));
    now += QUIET;
    assert_true(filo_file_watch_poll_at(watch, &change, now));
    assert_string_equal(short_path(change.path), "t/busy");
    assert_int_equal(change.kind, FILO_FILE_CREATED);
    end(watch);
}

FILO_TEST(what_came_and_went_is_not_told) {
    make("t");
    FiloFileWatch *watch = watch_paths("t", NULL);
    overwrite("t/a", "x");
    remove_file("t/a");
    make("t/b/c");
    overwrite("t/b/c/d", "x");
    remove_tree("t/b");
    assert_string_equal(changes(watch), "");
    end(watch);
}

FILO_TEST(what_went_and_came_back_is_changed) {
    make("t");
    overwrite("t/a", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    remove_file("t/a");
    overwrite("t/a", "y");
    assert_string_equal(changes(watch), "*t/a");
    end(watch);
}

FILO_TEST(changes_come_in_the_order_in_which_they_began) {
    make("t");
    overwrite("t/c", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    overwrite("t/b", "x");
    overwrite("t/c", "y");
    overwrite("t/a", "x");
    overwrite("t/b", "y");
    assert_string_equal(changes(watch), "+t/b *t/c +t/a");
    end(watch);
}

FILO_TEST(strange_names_come_through) {
    make("t");
    FiloFileWatch *watch = watch_paths("t", NULL);
    overwrite("t/new\nline", "x");
    overwrite("t/Ωδή", "x");
    overwrite("t/ ", "x");
    assert_string_equal(changes(watch), "+t/new\nline +t/Ωδή +t/ ");
    end(watch);
}

// ---- Moves --------------------------------------------------------------------------------------------

FILO_TEST(a_file_that_is_renamed_has_moved) {
    make("t/sub");
    overwrite("t/a", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    rename_file("t/a", "t/b");
    assert_string_equal(changes(watch), ">t/a>t/b");
    rename_file("t/b", "t/sub/c");
    assert_string_equal(changes(watch), ">t/b>t/sub/c");
    rename_file("t/sub/c", "t/d"); // twice at once
    overwrite("t/d", "changed too");
    rename_file("t/d", "t/e");
    assert_string_equal(changes(watch), ">t/sub/c>t/e");
    end(watch);
}

FILO_TEST(a_move_is_told_as_what_it_amounts_to) {
    make("t");
    make("outside");
    overwrite("t/a", "x");
    overwrite("t/b", "x");
    overwrite("outside/in", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    rename_file("t/a", "t/b"); // over another
    assert_string_equal(changes(watch), "-t/a *t/b");
    rename_file("t/b", "outside/b");
    assert_string_equal(changes(watch), "-t/b");
    rename_file("outside/in", "t/in");
    assert_string_equal(changes(watch), "+t/in");
    rename_file("t/in", "t/x"); // moved, then removed
    remove_file("t/x");
    assert_string_equal(changes(watch), "-t/in");
    overwrite("t/y", "x"); // made, then moved
    rename_file("t/y", "t/z");
    assert_string_equal(changes(watch), "+t/z");
    rename_file("t/z", "t/y"); // moved out by way of another name
    rename_file("t/y", "outside/y");
    assert_string_equal(changes(watch), "-t/z");
    overwrite("t/z", "x");
    assert_string_equal(changes(watch), "+t/z");
    overwrite("t/y", "x"); // the same, the other name having come first
    remove_file("t/y");
    rename_file("t/z", "t/y");
    rename_file("t/y", "outside/y");
    assert_string_equal(changes(watch), "-t/z");
    end(watch);
}

FILO_TEST(a_move_and_its_start_made_anew_are_told_apart) {
    make("t");
    overwrite("t/log", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    rename_file("t/log", "t/log.1"); // as logs are rotated
    overwrite("t/log", "y");
    assert_string_equal(changes(watch), "*t/log +t/log.1");
    end(watch);
}

FILO_TEST(two_files_that_change_places_are_both_changed) {
    make("t");
    overwrite("t/a", "x");
    overwrite("t/b", "y");
    FiloFileWatch *watch = watch_paths("t", NULL);
    rename_file("t/a", "t/tmp");
    rename_file("t/b", "t/a");
    rename_file("t/tmp", "t/b");
    assert_string_equal(changes(watch), "*t/a *t/b");
    end(watch);
}

FILO_TEST(what_moves_while_another_end_is_still_busy_is_told_once) {
    make("t");
    overwrite("t/a", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    FiloFileChange change;
    rename_file("t/a", "t/b");
    assert_false(filo_file_watch_poll_at(watch, &change, now));
    now += QUIET;
    overwrite("t/b", "more"); // the start is quiet, the end is not
    assert_string_equal(changes(watch), ">t/a>t/b");
    end(watch);
}

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

FILO_TEST(a_removed_tree_is_told_file_by_file) {
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

FILO_TEST(a_tree_that_moves_takes_its_files_along) {
    make("t/a/b");
    make("outside");
    overwrite("t/a/b/1", "x");
    overwrite("t/a/2", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    rename_file("t/a", "t/c");
    assert_string_equal(changes(watch), ">t/a>t/c/ >t/a/2>t/c/2 >t/a/b>t/c/b/ >t/a/b/1>t/c/b/1");
    overwrite("t/c/b/1", "y"); // known under the new name
    assert_string_equal(changes(watch), "*t/c/b/1");
    rename_file("t/c", "outside/c");
    assert_string_equal(changes(watch), "-t/c/2 -t/c/b/ -t/c/b/1 -t/c/");
    overwrite("outside/c/2", "y"); // not ours any more
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
    const char *told = changes(watch);
    assert_contains(told, "+t/new/");
    assert_contains(told, "t/new/a/1");
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

FILO_TEST(links_are_told_but_not_followed) {
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

// What the tree must look like, judging only by what was told.
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
    while (filo_file_watch_poll_at(watch, &change, now)) {
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

// A path two or three deep, out of few, so that they meet.
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
    case 3: (void)filo_file_write(path, "x", 1, &quick); break;
    case 4: (void)filo_file_append(path, "x", 1); break;
    case 5:
    case 6: (void)rename(path, other); break;
    default:
        if (filo_file_remove(path).code != FILO_OK) (void)filo_folder_remove_tree(path, NULL);
        break;
    }
}

FILO_TEST(what_is_told_adds_up_to_the_tree_whatever_happens) {
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

FILO_TEST(a_file_that_does_not_exist_yet_is_told_when_it_appears) {
    make("t");
    FiloFileWatch *watch = watch_paths("t/later", "t/folder/later");
    assert_string_equal(changes(watch), "");
    overwrite("t/later", "x");
    make("t/folder"); // only on the way to what is watched
    assert_string_equal(changes(watch), "+t/later");
    overwrite("t/folder/other", "x");
    overwrite("t/folder/later", "x");
    assert_string_equal(changes(watch), "+t/folder/later");
    end(watch);
}

FILO_TEST(a_path_whose_folders_all_come_later_is_found) {
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
    overwrite("x/y/z/file", "1"); // all the way again, before we look
    assert_string_equal(changes(watch), "+x/y/z/file");
    rename_file("x/y/z", "x/y/old"); // the folder that holds it is moved away, and another takes its place
    make("x/y/z");
    assert_string_equal(changes(watch), "-x/y/z/file");
    overwrite("x/y/old/file", "2");
    assert_string_equal(changes(watch), "");
    overwrite("x/y/z/file", "3");
    assert_string_equal(changes(watch), "+x/y/z/file");
    end(watch);
}

FILO_TEST(a_folder_that_is_removed_while_somebody_has_it_open_is_found_again) {
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

FILO_TEST(folders_further_up_may_be_exchanged) {
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

FILO_TEST(a_watched_tree_may_vanish_and_return) {
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

FILO_TEST(a_link_is_watched_at_its_target_and_told_by_its_own_name) {
    make("target");
    overwrite("target/a", "x");
    assert_int_equal(symlink("target", filo_test_path("link")), 0);
    FiloFileWatch *watch = watch_paths("link", NULL);
    overwrite("target/a", "y");
    assert_string_equal(changes(watch), "*link/a");
    end(watch);
}

// ---- Several paths ------------------------------------------------------------------------------------

FILO_TEST(paths_inside_each_other_are_told_once_under_the_nearest) {
    make("t/sub");
    FiloFileWatch *watch = watch_paths("t", NULL);
    assert_int_equal(chdir(filo_test_folder()), 0);
    assert_ok(filo_file_watch_add(watch, "t/sub")); // as a relative path
    overwrite("t/a", "x");
    overwrite("t/sub/b", "x");
    FiloFileChange change;
    assert_false(filo_file_watch_poll_at(watch, &change, now));
    now += QUIET;
    assert_true(filo_file_watch_poll_at(watch, &change, now));
    assert_string_equal(change.path, filo_test_path("t/a"));
    assert_true(filo_file_watch_poll_at(watch, &change, now));
    assert_string_equal(change.path, "t/sub/b");
    assert_false(filo_file_watch_poll_at(watch, &change, now));
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

FILO_TEST(what_is_no_longer_watched_is_no_longer_told) {
    make("t");
    make("u");
    overwrite("t/old", "x");
    FiloFileWatch *watch = watch_paths("t", "u");
    FiloFileChange change;
    overwrite("t/a", "x");
    rename_file("t/old", "u/old"); // a move with one end in each
    assert_false(filo_file_watch_poll_at(watch, &change, now));
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

// ---- Too much -----------------------------------------------------------------------------------------

FILO_TEST(an_overflow_is_told_as_rescan_and_watching_goes_on) {
    int limit = 0;
    FILE *file = fopen("/proc/sys/fs/inotify/max_queued_events", "re");
    if (file == NULL || fscanf(file, "%d", &limit) != 1 || limit > 200000) skip();
    fclose(file);
    make("t");
    FiloFileWatch *watch = watch_paths("t", NULL);
    char from[512], to[512];
    snprintf(from, sizeof from, "%s", filo_test_path("t/a"));
    snprintf(to, sizeof to, "%s", filo_test_path("t/b"));
    overwrite("t/a", "x");
    for (int i = 0; i <= limit / 2; i++) // two notices each
        assert_int_equal(i % 2 == 0 ? rename(from, to) : rename(to, from), 0);
    assert_ok(filo_folder_make(filo_test_path("t/lost"))); // nobody tells us of this one
    FiloFileChange change;
    assert_false(filo_file_watch_poll_at(watch, &change, now));
    now += QUIET;
    assert_true(filo_file_watch_poll_at(watch, &change, now));
    assert_int_equal(change.kind, FILO_FILE_RESCAN);
    assert_string_equal(change.path, "");
    assert_string_equal(changes(watch), "");
    overwrite("t/lost/new", "x");
    assert_string_equal(changes(watch), "+t/lost/new");
    end(watch);
}

FILO_TEST(many_files_at_once_are_all_told) {
    make("t");
    FiloFileWatch *watch = watch_paths("t", NULL);
    char name[64];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "t/%d", i * 7919 % 1000);
        overwrite(name, "x");
    }
    FiloFileChange change;
    assert_false(filo_file_watch_poll_at(watch, &change, now));
    now += QUIET;
    for (int i = 0; i < 1000; i++) {
        assert_true(filo_file_watch_poll_at(watch, &change, now));
        snprintf(name, sizeof name, "t/%d", i * 7919 % 1000);
        assert_string_equal(short_path(change.path), name);
        assert_int_equal(change.kind, FILO_FILE_CREATED);
    }
    assert_string_equal(changes(watch), "");
    end(watch);
}

// ---- Memory -------------------------------------------------------------------------------------------

FILO_TEST(memory_that_runs_out_while_adding_is_an_error_and_leaks_nothing) {
    make("t/a/b");
    overwrite("t/a/b/c", "x");
    FiloCode code = FILO_ERROR_MEMORY;
    size_t allowed = 0;
    for (; code != FILO_OK; allowed++) {
        FailingAllocator failing;
        failing_init(&failing, SIZE_MAX);
        failing_allow(&failing, allowed);
        FiloFileWatch *watch;
        FiloResult result =
            filo_file_watch_create(&watch, &(FiloFileWatchDesc){ .allocator = &failing.allocator });
        if (result.code == FILO_OK) result = filo_file_watch_add(watch, filo_test_path("t"));
        code = result.code;
        if (code != FILO_OK) {
            assert_error(result, FILO_ERROR_MEMORY, "no memory");
            if (watch != NULL) { // nothing of it stays
                assert_int_equal(watch->root_count, 0);
                assert_int_equal(watch->node_count, 0);
            }
        }
        filo_file_watch_destroy(watch);
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(allowed > 8);
}

static void quiet_log(bool quiet) {
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, quiet ? "off" : "info"));
}

FILO_TEST(memory_that_runs_out_while_watching_is_told_as_rescan) {
    make("t");
    quiet_log(true);
    int rescans = 0;
    for (size_t allowed = 0; allowed < 12; allowed++) {
        FailingAllocator failing;
        failing_init(&failing, SIZE_MAX);
        FiloFileWatch *watch;
        assert_ok(filo_file_watch_create(
            &watch, &(FiloFileWatchDesc){ .quiet_ns = QUIET, .allocator = &failing.allocator }));
        assert_ok(filo_file_watch_add(watch, filo_test_path("t")));
        make("t/a/b");
        overwrite("t/a/b/c", "x");
        FiloFileChange change;
        failing_allow(&failing, allowed);
        assert_false(filo_file_watch_poll_at(watch, &change, now));
        failing_allow(&failing, 1000); // there is memory again
        now += QUIET;
        assert_true(filo_file_watch_poll_at(watch, &change, now));
        rescans += change.kind == FILO_FILE_RESCAN;
        while (filo_file_watch_poll_at(watch, &change, now)) {}
        overwrite("t/a/b/c", "y");
        assert_string_equal(changes(watch), "*t/a/b/c");
        remove_tree("t/a");
        filo_file_watch_destroy(watch);
        assert_int_equal(failing.blocks, 0);
    }
    quiet_log(false);
    assert_in_range(rescans, 2, 11); // neither always nor never
}

FILO_TEST(without_memory_rescan_is_told_again_until_there_is_some) {
    make("t");
    quiet_log(true);
    FailingAllocator failing;
    failing_init(&failing, SIZE_MAX);
    FiloFileWatch *watch;
    FiloFileChange change;
    assert_ok(filo_file_watch_create(
        &watch, &(FiloFileWatchDesc){ .quiet_ns = QUIET, .allocator = &failing.allocator }));
    assert_ok(filo_file_watch_add(watch, filo_test_path("t")));
    failing_allow(&failing, 0);
    overwrite("t/a", "x");
    for (int i = 0; i < 4; i++) {
        assert_false(filo_file_watch_poll_at(watch, &change, now));
        now += QUIET;
        if (i == 3) failing_allow(&failing, 1000);
        assert_true(filo_file_watch_poll_at(watch, &change, now));
        assert_int_equal(change.kind, FILO_FILE_RESCAN);
    }
    overwrite("t/a", "y");
    assert_string_equal(changes(watch), "*t/a");
    end(watch);
    assert_int_equal(failing.blocks, 0);
    quiet_log(false);
}

// ---- Waiting, and the real clock ----------------------------------------------------------------------

FILO_TEST(waiting_ends_with_a_change) {
    make("t");
    FiloFileWatch *watch;
    FiloFileChange change;
    assert_ok(filo_file_watch_create(&watch, NULL));
    assert_ok(filo_file_watch_add(watch, filo_test_path("t")));
    overwrite("t/a", "x");
    assert_true(filo_file_watch_wait(watch, &change, -1));
    assert_int_equal(change.kind, FILO_FILE_CREATED);
    assert_string_equal(change.path, filo_test_path("t/a"));
    assert_string_equal(change.old_path, "");
    assert_false(filo_file_watch_wait(watch, &change, 1000));
    assert_false(filo_file_watch_wait(watch, &change, 0));
    assert_false(filo_file_watch_poll(watch, &change));
    end(watch);
}

static void write_later(void *user) {
    usleep(20000);
    (void)filo_file_write(user, "x", 1, &quick);
}

FILO_TEST(waiting_is_ended_by_what_another_thread_writes) {
    make("t");
    FiloFileWatch *watch;
    FiloFileChange change;
    char path[512];
    snprintf(path, sizeof path, "%s", filo_test_path("t/a"));
    assert_ok(filo_file_watch_create(&watch, &(FiloFileWatchDesc){ .quiet_ns = 1 }));
    assert_ok(filo_file_watch_add(watch, filo_test_path("t")));
    FiloThread thread;
    assert_ok(filo_thread_start(&thread, &(FiloThreadDesc){ .function = write_later, .user = path }));
    // With next to no quiet time the temporary file may be told of first.
    do assert_true(filo_file_watch_wait(watch, &change, 60 * SECONDS));
    while (strcmp(change.path, path) != 0);
    filo_thread_join(&thread);
    end(watch);
}

static int alarms;
static void on_alarm(int signal_number) {
    FILO_UNUSED(signal_number);
    alarms++;
}

FILO_TEST(signals_do_not_end_the_waiting) {
    make("t");
    FiloFileWatch *watch;
    FiloFileChange change;
    assert_ok(filo_file_watch_create(&watch, NULL));
    assert_ok(filo_file_watch_add(watch, filo_test_path("t")));
    struct sigaction action = { .sa_handler = on_alarm }, before;
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
    overwrite("t/a", "x");
    setitimer(ITIMER_REAL, &often, NULL);
    assert_true(filo_file_watch_wait(watch, &change, 60 * SECONDS));
    assert_string_equal(change.path, filo_test_path("t/a"));
    while (alarms == 0) assert_false(filo_file_watch_wait(watch, &change, SECONDS / 100));
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    end(watch);
}

// ---- Bad input ----------------------------------------------------------------------------------------

FILO_TEST(paths_that_cannot_be_watched_are_errors) {
    FiloFileWatch *watch = watch_paths("", NULL); // the test's folder
    char long_path[2 * FILO_PATH_SIZE];
    memset(long_path, 'x', sizeof long_path - 1);
    long_path[sizeof long_path - 1] = '\0';
    assert_error(filo_file_watch_add(watch, ""), FILO_ERROR_NOT_FOUND, "empty");
    assert_error(filo_file_watch_add(watch, long_path), FILO_ERROR_LIMIT, "xxx: ");
    assert_error(filo_file_watch_remove(watch, ""), FILO_ERROR_NOT_FOUND, "empty");
    assert_error(filo_file_watch_remove(watch, long_path), FILO_ERROR_LIMIT, "xxx: ");
    assert_int_equal(symlink("loop", filo_test_path("loop")), 0);
    assert_error(filo_file_watch_add(watch, filo_test_path("loop")), FILO_ERROR_LIMIT, "loop: ");
    assert_int_equal(watch->root_count, 1);
    end(watch);
}

static int watch_what_we_may_not_read(const char *path) {
    FiloFileWatch *watch;
    if (geteuid() == 0 && (setegid(65534) != 0 || seteuid(65534) != 0)) return 2;
    if (filo_file_watch_create(&watch, NULL).code != FILO_OK) return 3;
    FiloResult result = filo_file_watch_add(watch, path);
    filo_file_watch_destroy(watch);
    return result.code == FILO_ERROR_DENIED ? 0 : 4;
}

FILO_TEST(a_file_in_a_folder_that_we_may_not_read_is_denied) {
    make("blind");
    overwrite("blind/file", "x");
    assert_int_equal(chmod(filo_test_folder(), 0755), 0);
    assert_int_equal(chmod(filo_test_path("blind"), 0111), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) _exit(watch_what_we_may_not_read(filo_test_path("blind/file")));
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(chmod(filo_test_path("blind"), 0755), 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

FILO_TEST(too_many_watches_are_an_error_that_says_what_to_raise) {
    // The system's own limit is shared with everybody; that of the process gives the same error.
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = 3;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    FiloFileWatch *watch;
    FiloResult result = filo_file_watch_create(&watch, NULL);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_error(result, FILO_ERROR_LIMIT, "max_user_instances");
    assert_null(watch);
}

FILO_TEST(no_child_inherits_a_watch) {
    FiloFileWatch *watch = watch_paths("", NULL);
    assert_true((fcntl(watch->notices, F_GETFD) & FD_CLOEXEC) != 0);
    end(watch);
}

FILO_TEST(misuse_of_watches_is_reported) {
    FiloFileWatch *watch;
    FiloFileChange change;
    FiloCode argument = FILO_ERROR_ARGUMENT;
    expect_fault("where to put the watch",
                 assert_error(filo_file_watch_create(NULL, NULL), argument, "watch"));
    expect_fault("not negative",
                 assert_error(filo_file_watch_create(&watch, &(FiloFileWatchDesc){ .quiet_ns = -1 }),
                              argument, "negative"));
    assert_null(watch);
    filo_file_watch_destroy(NULL);
    const char *who = "filo_file_watch_create made";
    expect_fault(who, assert_error(filo_file_watch_add(NULL, "x"), argument, "no watch"));
    expect_fault(who, assert_error(filo_file_watch_remove(NULL, "x"), argument, "no watch"));
    expect_fault(who, assert_false(filo_file_watch_poll(NULL, &change)));
    expect_fault(who, assert_false(filo_file_watch_wait(NULL, &change, -1)));
    assert_ok(filo_file_watch_create(&watch, NULL));
    expect_fault("pass a path, not NULL", assert_error(filo_file_watch_add(watch, NULL), argument, "NULL"));
    expect_fault("FiloFileChange", assert_false(filo_file_watch_poll(watch, NULL)));
    expect_fault("FiloFileChange", assert_false(filo_file_watch_wait(watch, NULL, -1)));
    filo_file_watch_destroy(watch);
}
