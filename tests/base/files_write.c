// Writing files: atomically, with concurrent readers, killed writers and signals; and failures.

#include "base/files_fixture.h"

#include <filo/threads.h>

#include "base/file_replace.h"
#include "base/file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- Children ---------------------------------------------------------------------------------------------

#define NOBODY 65534

// Runs `function` in a child, and without the rights of root if it has them; true if it returned true.
static bool in_child(bool (*function)(const char *), const char *argument, bool without_rights) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (without_rights && geteuid() == 0 && (setegid(NOBODY) != 0 || seteuid(NOBODY) != 0)) _exit(2);
        _exit(function(argument) ? 0 : 1);
    }
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// ---- Writing ------------------------------------------------------------------------------------------

FILO_TEST(writing_replaces_the_file_and_keeps_its_permissions) {
    const char *folder = new_folder("permissions"), *path = filo_test_path("permissions/file");
    umask(022);
    write_text(path, "old");
    assert_int_equal(mode_of(path), 0644);
    assert_int_equal(chmod(path, 0600), 0);
    assert_ok(filo_file_write(path, "new", 3, NULL));
    assert_text(path, "new");
    assert_int_equal(mode_of(path), 0600);
    assert_int_equal(chmod(path, 0777), 0);
    write_text(path, "newer");
    assert_int_equal(mode_of(path), 0777);
    assert_count(folder, 1);
}

FILO_TEST(writing_keeps_the_owner_if_it_may_be_set) {
    if (geteuid() != 0) skip();
    const char *path = filo_test_path("owned");
    write_text(path, "old");
    assert_int_equal(chown(path, 12345, 54321), 0);
    assert_int_equal(chmod(path, 04755), 0);
    write_text(path, "new");
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_uid, 12345);
    assert_int_equal(info.st_gid, 54321);
    assert_int_equal(info.st_mode & 07777, 04755);
}

FILO_TEST(the_old_file_stays_readable_while_it_is_open) {
    const char *path = filo_test_path("held"), *other = filo_test_path("other name");
    write_text(path, "old");
    assert_int_equal(link(path, other), 0);
    write_text(path, "new");
    assert_text(path, "new");
    assert_text(other, "old");
}

FILO_TEST(writing_to_a_link_writes_its_target) {
    const char *folder = new_folder("links");
    assert_int_equal(mkdir(filo_test_path("links/deep"), 0755), 0);
    const char *target = filo_test_path("links/deep/target");
    const char *first = filo_test_path("links/first"), *second = filo_test_path("links/second");
    assert_int_equal(symlink("deep/target", first), 0);
    char absolute[FILO_PATH_SIZE];
    assert_ok(filo_path_absolute(absolute, sizeof absolute, first));
    assert_int_equal(symlink(absolute, second), 0);
    write_text(second, "made"); // the target does not exist yet
    assert_text(target, "made");
    write_text(second, "replaced");
    assert_text(target, "replaced");
    FiloFileInfo info;
    assert_ok(filo_file_link_info(&info, second));
    assert_int_equal(info.kind, FILO_FILE_LINK);
    assert_ok(filo_file_link_info(&info, first));
    assert_int_equal(info.kind, FILO_FILE_LINK);
    assert_count(folder, 3);
    assert_count(filo_test_path("links/deep"), 1);
}

FILO_TEST(a_link_to_itself_is_an_error) {
    const char *path = filo_test_path("loop");
    assert_int_equal(symlink("loop", path), 0);
    assert_error(filo_file_write(path, "x", 1, NULL), FILO_ERROR_LIMIT, "loop: ");
    FiloFileData data;
    assert_error(filo_file_read(&data, path, NULL), FILO_ERROR_LIMIT, "loop: ");
    assert_error(filo_file_append(path, "x", 1), FILO_ERROR_LIMIT, "loop: ");
}

FILO_TEST(a_link_to_a_deleted_file_creates_no_file) {
    const char *folder = new_folder("deleted"), *path = filo_test_path("deleted/file");
    write_text(path, "x");
    int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_int_equal(unlink(path), 0);
    char magic[64];
    snprintf(magic, sizeof magic, "/proc/self/fd/%d", file); // → ".../file (deleted)"
    assert_error(filo_file_write(magic, "y", 1, NULL), FILO_ERROR_KIND, "no name of its own");
    close(file);
    assert_count(folder, 0);
}

FILO_TEST(a_folder_is_not_written_as_a_file) {
    const char *folder = new_folder("folder");
    assert_error(filo_file_write(folder, "x", 1, NULL), FILO_ERROR_KIND, "is a folder");
    assert_error(filo_file_write(filo_test_path("folder/"), "x", 1, NULL), FILO_ERROR_KIND, "folder/: ");
    assert_error(filo_file_write(filo_test_path("folder/new/"), "x", 1, NULL), FILO_ERROR_KIND, "new/: ");
    assert_error(filo_file_write(filo_test_path("folder/."), "x", 1, NULL), FILO_ERROR_KIND, "/.: ");
    assert_error(filo_file_write(filo_test_path("folder/.."), "x", 1, &exclusive), FILO_ERROR_KIND, "/..: ");
    assert_error(filo_file_write("/", "x", 1, NULL), FILO_ERROR_KIND, "/: ");
    assert_error(filo_file_append(folder, "x", 1), FILO_ERROR_KIND, "is a folder");
    assert_count(folder, 0);
}

FILO_TEST(devices_are_not_replaced) {
    assert_error(filo_file_write("/dev/null", "x", 1, NULL), FILO_ERROR_KIND, "/dev/null: is a device");
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

FILO_TEST(exclusive_creates_a_file_only_if_nothing_exists) {
    const char *folder = new_folder("exclusive"), *path = filo_test_path("exclusive/file");
    assert_ok(filo_file_write(path, "first", 5, &exclusive));
    assert_error(filo_file_write(path, "second", 6, &exclusive), FILO_ERROR_EXISTS, "exclusive/file: ");
    assert_text(path, "first");
    const char *dangling = filo_test_path("exclusive/dangling");
    assert_int_equal(symlink("nowhere", dangling), 0);
    assert_error(filo_file_write(dangling, "x", 1, &exclusive), FILO_ERROR_EXISTS, "dangling: ");
    assert_count(folder, 2);
}

typedef struct Racer {
    FiloThread thread;
    char path[512];
    char letter;
    int won;
} Racer;

static void race(void *user) {
    Racer *racer = user;
    FiloFileWriteDesc desc = { .exclusive = true, .skip_sync = true };
    racer->won = filo_file_write(racer->path, &racer->letter, 1, &desc).code == FILO_OK;
}

FILO_TEST(of_many_threads_that_make_a_file_exclusively_one_wins) {
    const char *folder = new_folder("race");
    for (int round = 0; round < 50; round++) {
        Racer racers[4];
        for (int i = 0; i < 4; i++) {
            racers[i] = (Racer){ .letter = (char)('a' + i) };
            snprintf(racers[i].path, sizeof racers[i].path, "%s/%d", folder, round);
            assert_ok(filo_thread_start(&racers[i].thread,
                                        &(FiloThreadDesc){ .function = race, .user = &racers[i] }));
        }
        int winners = 0;
        char text[2] = "";
        for (int i = 0; i < 4; i++) {
            filo_thread_join(&racers[i].thread);
            winners += racers[i].won;
            if (racers[i].won) text[0] = racers[i].letter;
        }
        assert_int_equal(winners, 1);
        assert_text(racers[0].path, text);
    }
    assert_count(folder, 50);
}

// Version n of a file has (n % 7 + 1) × 1000 bytes, all the letter of n: half a file would show.
static size_t make_version(char *bytes, int version) {
    size_t size = (size_t)(version % 7 + 1) * 1000;
    memset(bytes, 'a' + version % 7, size);
    return size;
}

static void assert_complete_version(const char *path) {
    FiloFileData data;
    char expected[8000];
    assert_ok(filo_file_read(&data, path, NULL));
    assert_true(data.size > 0 && data.text[0] >= 'a' && data.text[0] <= 'g');
    assert_int_equal(data.size, make_version(expected, data.text[0] - 'a'));
    assert_memory_equal(data.text, expected, data.size);
    filo_file_free(&data);
}

static void replace_many(void *user) {
    char bytes[8000];
    for (int i = 0; i < 1000; i++)
        if (filo_file_write(user, bytes, make_version(bytes, i), &without_sync).code != FILO_OK) return;
}

FILO_TEST(readers_see_one_version_or_another_while_threads_replace_the_file) {
    const char *folder = new_folder("versions");
    char path[512], bytes[8000];
    snprintf(path, sizeof path, "%s/file", folder);
    assert_ok(filo_file_write(path, bytes, make_version(bytes, 0), NULL));
    FiloThread threads[2];
    for (int i = 0; i < 2; i++)
        assert_ok(
            filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = replace_many, .user = path }));
    for (int i = 0; i < 500; i++) assert_complete_version(path);
    for (int i = 0; i < 2; i++) filo_thread_join(&threads[i]);
    assert_complete_version(path);
    assert_count(folder, 1);
}

FILO_TEST(a_killed_writer_leaves_one_of_the_complete_versions) {
    new_folder("killed");
    const char *path = filo_test_path("killed/file");
    char bytes[8000];
    assert_ok(filo_file_write(path, bytes, make_version(bytes, 0), NULL));
    int killed = 0;
    for (int round = 0; round < 40; round++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            for (int i = 0;; i++)
                if (filo_file_write(path, bytes, make_version(bytes, i), round % 2 ? &without_sync : NULL)
                        .code)
                    _exit(1);
        struct stat before, now; // wait until it is at work, then strike at another moment each time
        assert_int_equal(stat(path, &before), 0);
        do assert_int_equal(stat(path, &now), 0);
        while (now.st_ino == before.st_ino && waitpid(child, NULL, WNOHANG) == 0);
        usleep((useconds_t)(round * 37));
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        killed += WIFSIGNALED(status);
        assert_complete_version(path);
    }
    assert_int_equal(killed, 40);
    // What the last one may have left is removed by the next.
    assert_ok(filo_file_write(path, bytes, make_version(bytes, 0), NULL));
    assert_count(filo_test_path("killed"), 1);
}

// The temporary file of a process that is still writing stays.
FILO_TEST(a_temporary_file_that_is_in_use_is_not_removed) {
    const char *folder = new_folder("in use"), *path = filo_test_path("in use/file");
    BaseReplacement first, second;
    assert_ok(base_replacement_begin(&first, path, 0666, &without_sync));
    assert_ok(base_replacement_begin(&second, path, 0666, &without_sync));
    assert_string_not_equal(first.temporary, second.temporary);
    assert_int_equal(base_fs_write(first.file, "first", 5), 5);
    assert_int_equal(base_fs_write(second.file, "second", 6), 6);
    assert_count(folder, 2);
    assert_ok(base_replacement_commit(&second, path, &without_sync));
    assert_text(path, "second");
    assert_ok(base_replacement_commit(&first, path, &without_sync));
    assert_text(path, "first");
    assert_count(folder, 1);
}

FILO_TEST(an_abandoned_temporary_file_is_removed_and_one_of_another_file_is_not) {
    const char *folder = new_folder("abandoned"), *path = filo_test_path("abandoned/file");
    char name[64];
    BaseReplacement replacement;
    assert_ok(base_replacement_begin(&replacement, path, 0666, &without_sync));
    snprintf(name, sizeof name, "abandoned/%s", replacement.temporary);
    base_replacement_abort(&replacement);
    write_text(filo_test_path(name), "half");
    write_text(filo_test_path("abandoned/.filo-0000000000000000-0.tmp"), "of another");
    write_text(path, "whole");
    assert_text(path, "whole");
    assert_count(folder, 2);
    assert_text(filo_test_path("abandoned/.filo-0000000000000000-0.tmp"), "of another");
}

// ---- Appending ----------------------------------------------------------------------------------------

FILO_TEST(appending_makes_the_file_and_adds_to_its_end) {
    const char *path = filo_test_path("log");
    umask(022);
    assert_ok(filo_file_append(path, "one\n", 4));
    assert_ok(filo_file_append(path, "two\n", 4));
    assert_ok(filo_file_append(path, NULL, 0));
    assert_text(path, "one\ntwo\n");
    assert_int_equal(mode_of(path), 0644);
}

static void append_lines(void *user) {
    Racer *racer = user;
    char line[101];
    memset(line, racer->letter, 100);
    line[100] = '\n';
    for (int i = 0; i < 200; i++)
        racer->won += filo_file_append(racer->path, line, sizeof line).code == FILO_OK;
}

FILO_TEST(lines_appended_by_several_threads_stay_whole) {
    Racer racers[3];
    for (int i = 0; i < 3; i++) {
        racers[i] = (Racer){ .letter = (char)('a' + i) };
        snprintf(racers[i].path, sizeof racers[i].path, "%s/lines", filo_test_folder());
        assert_ok(filo_thread_start(&racers[i].thread,
                                    &(FiloThreadDesc){ .function = append_lines, .user = &racers[i] }));
    }
    for (int i = 0; i < 3; i++) {
        filo_thread_join(&racers[i].thread);
        assert_int_equal(racers[i].won, 200);
    }
    FiloFileData data;
    assert_ok(filo_file_read(&data, racers[0].path, NULL));
    assert_int_equal(data.size, 3 * 200 * 101);
    for (const char *line = data.text; *line != '\0'; line += 101) {
        for (int i = 0; i < 100; i++) assert_int_equal(line[i], line[0]);
        assert_int_equal(line[100], '\n');
    }
    filo_file_free(&data);
}

// ---- Standard streams -------------------------------------------------------------------------------------

// The system returns the descriptor of a closed stream next.
static bool write_with_closed_streams(const char *folder) {
    char path[512];
    snprintf(path, sizeof path, "%s/file", folder);
    for (int stream = 0; stream <= 2; stream++) close(stream);
    BaseReplacement replacement;
    if (base_replacement_begin(&replacement, path, 0666, &without_sync).code != FILO_OK) return false;
    bool high = replacement.file > 2 && replacement.lock > 2 && replacement.target.folder > 2;
    // What is printed or logged meanwhile is not written to the file, and fails.
    bool silent = write(1, "printed", 7) < 0 && write(2, "logged", 6) < 0;
    if (base_fs_write(replacement.file, "saved", 5) != 5) return false;
    return base_replacement_commit(&replacement, path, &without_sync).code == FILO_OK && high && silent;
}

FILO_TEST(a_file_never_gets_the_descriptor_of_a_stream_that_is_closed) {
    const char *folder = new_folder("streams");
    assert_true(in_child(write_with_closed_streams, folder, false));
    assert_text(filo_test_path("streams/file"), "saved");
}

// Started with standard error closed: what it logs while it writes must not get into the file.
FILO_TEST_PROGRAM(is_started_without_standard_error) {
    const char *path = getenv("FILO_TEST_FILE");
    BaseReplacement replacement;
    if (base_replacement_begin(&replacement, path, 0666, &without_sync).code != FILO_OK) exit(1);
    bool failed = write(STDERR_FILENO, "logged", 6) < 0;
    if (base_fs_write(replacement.file, "saved", 5) != 5 || !failed) exit(2);
    if (base_replacement_commit(&replacement, path, &without_sync).code != FILO_OK) exit(3);
}

FILO_TEST(a_program_without_standard_error_saves_nothing_but_what_it_saves) {
    static FiloTestResult outcome;
    new_folder("started");
    const char *path = filo_test_path("started/file");
    char variable[600];
    snprintf(variable, sizeof variable, "FILO_TEST_FILE=%s", path);
    filo_test_run(&outcome, &(FiloTestRun){ .program = "is_started_without_standard_error",
                                            .environment = { variable },
                                            .errors = FILO_TEST_ERRORS_CLOSED });
    assert_int_equal(outcome.exit_code, 0);
    assert_text(path, "saved");
}

// ---- Failing to write ---------------------------------------------------------------------------------

static bool write_on_a_full_disk(const char *folder) {
    char path[512], bytes[5000] = { 0 };
    snprintf(path, sizeof path, "%s/file", folder);
    signal(SIGXFSZ, SIG_DFL); // which would end the process
    struct rlimit limit = { 1000, 1000 };
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    FiloCode whole = filo_file_write(path, bytes, sizeof bytes, NULL).code;
    FiloCode appended = filo_file_append(path, bytes, sizeof bytes).code;
    snprintf(path, sizeof path, "%s/copy", folder);
    FiloCode copied = filo_file_copy("/proc/self/smaps", path, NULL).code;
    return whole == FILO_ERROR_SPACE && appended == FILO_ERROR_SPACE && copied == FILO_ERROR_SPACE;
}

FILO_TEST(a_full_disk_leaves_the_old_file_and_nothing_else) {
    const char *folder = new_folder("full"), *path = filo_test_path("full/file");
    write_text(path, "the old text");
    assert_true(in_child(write_on_a_full_disk, folder, false));
    assert_text(path, "the old text");
    assert_count(folder, 1);
}

FILO_TEST(a_full_device_is_an_error) {
    assert_error(filo_file_append("/dev/full", "x", 1), FILO_ERROR_SPACE, "/dev/full: ");
    assert_ok(filo_file_append("/dev/null", "x", 1));
}

static bool denied(FiloResult result, const char *what) {
    if (result.code == FILO_ERROR_DENIED) return true;
    print_error("%s: expected to be denied, got %s: %s\n", what, filo_code_name(result.code), result.message);
    return false;
}

static bool everything_is_denied(const char *folder) {
    char file[512], closed[512], fresh_file[512], unreadable[512];
    snprintf(file, sizeof file, "%s/file", folder);
    snprintf(closed, sizeof closed, "%s/read-only/file", folder);
    snprintf(fresh_file, sizeof fresh_file, "%s/read-only/new", folder);
    snprintf(unreadable, sizeof unreadable, "%s/private", folder);
    FiloFileData data;
    FiloFileMap map;
    FiloFolderList list;
    return denied(filo_file_write(file, "x", 1, NULL), "replace a read-only file") &&
           denied(filo_file_append(file, "x", 1), "append to a read-only file") &&
           denied(filo_file_write(closed, "x", 1, NULL), "replace in a read-only folder") &&
           denied(filo_file_write(fresh_file, "x", 1, NULL), "make in a read-only folder") &&
           denied(filo_file_append(fresh_file, "x", 1), "append in a read-only folder") &&
           denied(filo_file_remove(closed), "remove from a read-only folder") &&
           denied(filo_file_move(closed, file, NULL), "move out of a read-only folder") &&
           denied(filo_file_move(file, fresh_file, NULL), "move into a read-only folder") &&
           denied(filo_folder_make(fresh_file), "make a folder in a read-only folder") &&
           denied(filo_file_read(&data, unreadable, NULL), "read") &&
           denied(filo_file_map(&map, unreadable), "map") &&
           denied(filo_file_copy(unreadable, fresh_file, NULL), "copy") &&
           denied(filo_folder_list(&list, "/proc/1/fd", NULL), "list");
}

FILO_TEST(without_permission_nothing_is_written_or_read) {
    const char *folder = new_folder("denied"), *path = filo_test_path("denied/file");
    const char *secret = filo_test_path("denied/private"), *closed = filo_test_path("denied/read-only");
    write_text(path, "mine");
    write_text(secret, "mine");
    assert_int_equal(mkdir(closed, 0755), 0);
    write_text(filo_test_path("denied/read-only/file"), "mine");
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(secret, 0), 0);
    assert_int_equal(chmod(closed, 0555), 0);
    // The folder is open to all: what is refused is refused for the file's own sake.
    assert_int_equal(chmod(filo_test_folder(), 0755), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_true(in_child(everything_is_denied, folder, true));
    assert_int_equal(chmod(closed, 0755), 0);
    assert_text(path, "mine");
    assert_text(filo_test_path("denied/read-only/file"), "mine");
    assert_count(folder, 3);
    assert_count(closed, 1);
}

static bool date_of_a_strangers_file_is_denied(const char *path) {
    return denied(filo_file_set_modified(path, 0), "set the date");
}

FILO_TEST(only_the_owner_sets_a_date) {
    if (geteuid() != 0) skip(); // there is no other user
    const char *path = filo_test_path("dated");
    write_text(path, "x");
    assert_int_equal(chmod(filo_test_folder(), 0755), 0);
    assert_true(in_child(date_of_a_strangers_file_is_denied, path, true));
}

static bool replace_in_a_blind_folder(const char *folder) {
    char path[512];
    snprintf(path, sizeof path, "%s/file", folder);
    return filo_file_write(path, "new", 3, NULL).code == FILO_OK;
}

FILO_TEST(a_folder_that_may_be_written_but_not_listed_is_enough) {
    const char *folder = new_folder("blind");
    assert_int_equal(chmod(folder, 0333), 0);
    assert_int_equal(chmod(filo_test_folder(), 0755), 0);
    assert_true(in_child(replace_in_a_blind_folder, folder, true));
    assert_int_equal(chmod(folder, 0755), 0);
    assert_text(filo_test_path("blind/file"), "new");
}

FILO_TEST(a_read_only_file_system_is_denied) {
    FiloResult result = filo_file_write("/proc/self/new", "x", 1, NULL);
    assert_true(result.code == FILO_ERROR_DENIED || result.code == FILO_ERROR_NOT_FOUND);
    assert_contains(result.message, "/proc/self/new: ");
}

static size_t open_files(void) {
    FiloFolderList list;
    assert_ok(filo_folder_list(&list, "/proc/self/fd", NULL));
    size_t count = list.count;
    filo_folder_list_free(&list);
    return count;
}

FILO_TEST(neither_success_nor_failure_leaves_files_open) {
    const char *folder = new_folder("open"), *path = filo_test_path("open/file");
    const char *missing = filo_test_path("open/no/such"), *fifo = filo_test_path("open/fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    size_t before = open_files();
    for (int round = 0; round < 3; round++) {
        FiloFileData data;
        FiloFileMap map;
        FiloFolderList list;
        write_text(path, "x");
        assert_ok(filo_file_append(path, "y", 1));
        assert_text(path, "xy");
        assert_ok(filo_file_map(&map, path));
        filo_file_unmap(&map);
        (void)filo_file_write(path, "z", 1, &exclusive);
        (void)filo_file_write(missing, "z", 1, NULL);
        (void)filo_file_write(folder, "z", 1, NULL);
        (void)filo_file_append(fifo, "z", 1);
        (void)filo_file_append("/dev/full", "z", 1);
        (void)filo_file_read(&data, folder, NULL);
        (void)filo_file_read(&data, path, &(FiloFileReadDesc){ .limit = 1 });
        (void)filo_file_map(&map, "/proc/self/status");
        assert_ok(filo_file_copy(path, filo_test_path("open/copy"), &without_sync));
        assert_ok(filo_file_copy(path, path, NULL));
        (void)filo_file_copy(path, missing, NULL);
        (void)filo_file_move(missing, path, NULL);
        (void)filo_folder_list(&list, path, NULL);
        (void)filo_folder_remove_tree(path, NULL);
    }
    assert_int_equal(open_files(), before);
}

// ---- Signals ------------------------------------------------------------------------------------------

static void on_alarm(int signal_number) { FILO_UNUSED(signal_number); }

FILO_TEST(signals_do_not_disturb) {
    new_folder("signals");
    const char *path = filo_test_path("signals/file");
    struct sigaction action = { .sa_handler = on_alarm }, before; // without SA_RESTART
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 100; i++) {
        char bytes[8000];
        assert_ok(filo_file_write(path, bytes, make_version(bytes, i), i % 10 ? &without_sync : NULL));
        assert_complete_version(path);
        assert_ok(filo_file_copy(path, filo_test_path("signals/copy"), &without_sync));
    }
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    assert_count(filo_test_path("signals"), 2);
}
