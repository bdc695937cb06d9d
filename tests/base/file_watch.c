// Watching files: reported changes of a folder's files, their moves, and waiting for changes.

#include "base/file_watch_fixture.h"

#include <filo/threads.h>

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#define SECONDS INT64_C(1000000000)

// ---- Files in a folder --------------------------------------------------------------------------------

FILO_TEST(what_exists_already_is_not_reported) {
    make("old/sub");
    write_text("old/file", "x");
    FiloFileWatch *watch = watch_paths("old", NULL);
    assert_string_equal(changes(watch), "");
    end(watch);
}

FILO_TEST(creating_changing_and_removing_are_reported) {
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

FILO_TEST(an_editor_that_leaves_a_backup_makes_one_change) {
    make("t");
    overwrite("t/a", "old");
    FiloFileWatch *watch = watch_paths("t", NULL);
    overwrite("t/4913", ""); // vim tries whether it may create files
    remove_file("t/4913");
    rename_file("t/a", "t/a~");
    overwrite("t/a", "new");
    remove_file("t/a~");
    assert_string_equal(changes(watch), "*t/a");
    rename_file("t/a", "t/a~"); // this time the backup stays
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
        assert_false(base_file_watch_poll_at(watch, &change, now));
        now += QUIET - 1; // never quiet for long enough
    }
    overwrite("t/a", "last");
    assert_string_equal(changes(watch), "*t/a");
    end(watch);
}

FILO_TEST(a_file_that_never_becomes_quiet_is_reported_after_a_while) {
    make("t");
    overwrite("t/a", "old");
    FiloFileWatch *watch = watch_paths("t", NULL);
    FiloFileChange change;
    int reports = 0, writes = 10 * FILO_FILE_WATCH_PATIENCE;
    for (int i = 0; i < writes; i++) {
        overwrite("t/a", "more");
        reports += base_file_watch_poll_at(watch, &change, now);
        now += QUIET / 2;
    }
    // One patience is as long as 2 × FILO_FILE_WATCH_PATIENCE writes.
    assert_in_range(reports, 4, 5);
    end(watch);
}

FILO_TEST(a_busy_file_does_not_delay_the_others) {
    make("t");
    FiloFileWatch *watch = watch_paths("t", NULL);
    FiloFileChange change;
    overwrite("t/busy", "x");
    overwrite("t/calm", "x");
    assert_false(base_file_watch_poll_at(watch, &change, now));
    now += QUIET;
    overwrite("t/busy", "y");
    assert_true(base_file_watch_poll_at(watch, &change, now));
    assert_string_equal(short_path(change.path), "t/calm");
    assert_false(base_file_watch_poll_at(watch, &change, now));
    now += QUIET;
    assert_true(base_file_watch_poll_at(watch, &change, now));
    assert_string_equal(short_path(change.path), "t/busy");
    assert_int_equal(change.kind, FILO_FILE_CREATED);
    end(watch);
}

FILO_TEST(a_file_that_was_created_and_removed_is_not_reported) {
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

FILO_TEST(a_file_that_was_removed_and_created_again_is_changed) {
    make("t");
    overwrite("t/a", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    remove_file("t/a");
    overwrite("t/a", "y");
    assert_string_equal(changes(watch), "*t/a");
    end(watch);
}

FILO_TEST(changes_are_reported_in_the_order_in_which_they_began) {
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

FILO_TEST(unusual_names_are_reported) {
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

FILO_TEST(a_move_is_reported_by_its_net_effect) {
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
    rename_file("t/z", "t/y"); // moved out through another name
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

FILO_TEST(a_move_and_a_new_file_at_its_start_are_both_reported) {
    make("t");
    overwrite("t/log", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    rename_file("t/log", "t/log.1"); // as logs are rotated
    overwrite("t/log", "y");
    assert_string_equal(changes(watch), "*t/log +t/log.1");
    end(watch);
}

FILO_TEST(two_files_that_are_swapped_are_both_changed) {
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

FILO_TEST(a_move_with_an_end_that_is_still_busy_is_reported_once) {
    make("t");
    overwrite("t/a", "x");
    FiloFileWatch *watch = watch_paths("t", NULL);
    FiloFileChange change;
    rename_file("t/a", "t/b");
    assert_false(base_file_watch_poll_at(watch, &change, now));
    now += QUIET;
    overwrite("t/b", "more"); // the start is quiet, the end is not
    assert_string_equal(changes(watch), ">t/a>t/b");
    end(watch);
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
    (void)filo_file_write(user, "x", 1, &without_sync);
}

FILO_TEST(waiting_ends_when_another_thread_writes) {
    make("t");
    FiloFileWatch *watch;
    FiloFileChange change;
    char path[512];
    snprintf(path, sizeof path, "%s", filo_test_path("t/a"));
    assert_ok(filo_file_watch_create(&watch, &(FiloFileWatchDesc){ .quiet_ns = 1 }));
    assert_ok(filo_file_watch_add(watch, filo_test_path("t")));
    FiloThread thread;
    assert_ok(filo_thread_start(&thread, &(FiloThreadDesc){ .function = write_later, .user = path }));
    // With a very short quiet time the temporary file may be reported first.
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
