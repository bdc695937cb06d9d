// Watching at its limits: too many events, no memory, and paths that cannot be watched.

#include "base/file_watch_fixture.h"
#include "support/failing_allocator.h"

#include <filo/log.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- Too much -----------------------------------------------------------------------------------------

FILO_TEST(an_overflow_is_reported_as_rescan_and_watching_goes_on) {
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
    for (int i = 0; i <= limit / 2; i++) // two events each
        assert_int_equal(i % 2 == 0 ? rename(from, to) : rename(to, from), 0);
    assert_ok(filo_folder_make(filo_test_path("t/lost"))); // there is no event for this one
    FiloFileChange change;
    assert_false(base_file_watch_poll_at(watch, &change, now));
    now += QUIET;
    assert_true(base_file_watch_poll_at(watch, &change, now));
    assert_int_equal(change.kind, FILO_FILE_RESCAN);
    assert_string_equal(change.path, "");
    assert_string_equal(changes(watch), "");
    overwrite("t/lost/new", "x");
    assert_string_equal(changes(watch), "+t/lost/new");
    end(watch);
}

FILO_TEST(many_files_at_once_are_all_reported) {
    make("t");
    FiloFileWatch *watch = watch_paths("t", NULL);
    char name[64];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "t/%d", i * 7919 % 1000);
        overwrite(name, "x");
    }
    FiloFileChange change;
    assert_false(base_file_watch_poll_at(watch, &change, now));
    now += QUIET;
    for (int i = 0; i < 1000; i++) {
        assert_true(base_file_watch_poll_at(watch, &change, now));
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
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
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

FILO_TEST(memory_that_runs_out_while_watching_is_reported_as_rescan) {
    make("t");
    quiet_log(true);
    int rescans = 0;
    for (size_t allowed = 0; allowed < 12; allowed++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        FiloFileWatch *watch;
        assert_ok(filo_file_watch_create(
            &watch, &(FiloFileWatchDesc){ .quiet_ns = QUIET, .allocator = &failing.allocator }));
        assert_ok(filo_file_watch_add(watch, filo_test_path("t")));
        make("t/a/b");
        overwrite("t/a/b/c", "x");
        FiloFileChange change;
        failing_allow(&failing, allowed);
        assert_false(base_file_watch_poll_at(watch, &change, now));
        failing_allow(&failing, 1000); // there is memory again
        now += QUIET;
        assert_true(base_file_watch_poll_at(watch, &change, now));
        rescans += change.kind == FILO_FILE_RESCAN;
        while (base_file_watch_poll_at(watch, &change, now)) {}
        overwrite("t/a/b/c", "y");
        assert_string_equal(changes(watch), "*t/a/b/c");
        remove_tree("t/a");
        filo_file_watch_destroy(watch);
        assert_int_equal(failing.blocks, 0);
    }
    quiet_log(false);
    assert_in_range(rescans, 2, 11); // neither always nor never
}

FILO_TEST(without_memory_rescan_is_reported_again_until_there_is_memory) {
    make("t");
    quiet_log(true);
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloFileWatch *watch;
    FiloFileChange change;
    assert_ok(filo_file_watch_create(
        &watch, &(FiloFileWatchDesc){ .quiet_ns = QUIET, .allocator = &failing.allocator }));
    assert_ok(filo_file_watch_add(watch, filo_test_path("t")));
    failing_allow(&failing, 0);
    overwrite("t/a", "x");
    for (int i = 0; i < 4; i++) {
        assert_false(base_file_watch_poll_at(watch, &change, now));
        now += QUIET;
        if (i == 3) failing_allow(&failing, 1000);
        assert_true(base_file_watch_poll_at(watch, &change, now));
        assert_int_equal(change.kind, FILO_FILE_RESCAN);
    }
    overwrite("t/a", "y");
    assert_string_equal(changes(watch), "*t/a");
    end(watch);
    assert_int_equal(failing.blocks, 0);
    quiet_log(false);
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

FILO_TEST(a_file_in_an_unreadable_folder_is_denied) {
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

FILO_TEST(too_many_watches_are_an_error_that_names_the_limit_to_raise) {
    // The limit of the system is shared with other processes; the limit of this process gives the same error.
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
    assert_true((fcntl(watch->inotify, F_GETFD) & FD_CLOEXEC) != 0);
    end(watch);
}

FILO_TEST(misuse_of_watches_is_reported) {
    FiloFileWatch *watch;
    FiloFileChange change;
    expect_mistake("where to put the watch", filo_file_watch_create(NULL, NULL));
    expect_mistake("not negative", filo_file_watch_create(&watch, &(FiloFileWatchDesc){ .quiet_ns = -1 }));
    assert_null(watch);
    filo_file_watch_destroy(NULL);
    const char *message = "filo_file_watch_create made";
    expect_mistake(message, filo_file_watch_add(NULL, "x"));
    expect_mistake(message, filo_file_watch_remove(NULL, "x"));
    expect_fault(message, assert_false(filo_file_watch_poll(NULL, &change)));
    expect_fault(message, assert_false(filo_file_watch_wait(NULL, &change, -1)));
    assert_ok(filo_file_watch_create(&watch, NULL));
    expect_mistake("pass a path, not NULL", filo_file_watch_add(watch, NULL));
    expect_fault("FiloFileChange", assert_false(filo_file_watch_poll(watch, NULL)));
    expect_fault("FiloFileChange", assert_false(filo_file_watch_wait(watch, NULL, -1)));
    filo_file_watch_destroy(watch);
}
