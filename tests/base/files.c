#include "support/failing_allocator.h"
#include "support/test.h"

#include <filo/files.h>
#include <filo/threads.h>
#include <filo/time.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

static const FiloFileWriteDesc quick = { .skip_sync = true };
static const FiloFileWriteDesc exclusive = { .exclusive = true };

// A folder of this name for one test, empty.
static const char *fresh(const char *name) {
    const char *path = filo_test_path(name);
    assert_int_equal(mkdir(path, 0755), 0);
    return path;
}

static void write_text(const char *path, const char *text) {
    assert_ok(filo_file_write(path, text, strlen(text), &quick));
}

static void assert_text(const char *path, const char *text) {
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    assert_int_equal(data.size, strlen(text));
    assert_string_equal(data.text, text);
    filo_file_free(&data);
}

// Fails unless the folder holds this many things: nothing was left behind.
static void assert_count(const char *folder, size_t count) {
    FiloFolderList list;
    assert_ok(filo_folder_list(&list, folder, NULL));
    assert_int_equal(list.count, count);
    filo_folder_list_free(&list);
}

static mode_t mode_of(const char *path) {
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    return info.st_mode & 07777;
}

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

// ---- Reading ------------------------------------------------------------------------------------------

FILO_TEST(what_was_written_is_read_with_a_zero_after_the_end) {
    const char *path = filo_test_path("text");
    static const uint8_t bytes[] = { 'a', 0, 0xFF, '\n', 0 };
    assert_ok(filo_file_write(path, bytes, sizeof bytes, NULL));
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    assert_int_equal(data.size, sizeof bytes);
    assert_memory_equal(data.bytes, bytes, sizeof bytes);
    assert_int_equal(data.bytes[data.size], 0);
    filo_file_free(&data);
    assert_null(data.bytes);
    assert_int_equal(data.size, 0);
    filo_file_free(&data);
    filo_file_free(NULL);
}

FILO_TEST(an_empty_file_is_read_as_an_empty_string) {
    const char *path = filo_test_path("empty");
    assert_ok(filo_file_write(path, NULL, 0, NULL));
    assert_text(path, "");
}

FILO_TEST(files_of_every_size_come_back_whole) {
    const char *path = filo_test_path("sizes");
    static const size_t sizes[] = { 1, 4095, 4096, 4097, 8191, 8192, 100000, 3000000 };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        char *bytes = malloc(sizes[i]);
        for (size_t k = 0; k < sizes[i]; k++) bytes[k] = (char)(k * 31 + k / 251);
        assert_ok(filo_file_write(path, bytes, sizes[i], &quick));
        FiloFileData data;
        assert_ok(filo_file_read(&data, path, NULL));
        assert_int_equal(data.size, sizes[i]);
        assert_memory_equal(data.bytes, bytes, sizes[i]);
        filo_file_free(&data);
        free(bytes);
    }
}

FILO_TEST(names_may_have_spaces_newlines_and_any_script) {
    static const char *const names[] = {
        "with space", "new\nline", "Ωδή 日本", "\xFF\xFE bytes", "-rf", "~"
    };
    const char *folder = fresh("names");
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++) {
        char path[512];
        assert_true(filo_path_join(path, sizeof path, folder, names[i]));
        write_text(path, names[i]);
        assert_text(path, names[i]);
    }
    assert_count(folder, FILO_COUNT_OF(names));
}

FILO_TEST(files_that_do_not_know_their_size_are_read_to_the_end) {
    FiloFileData data;
    assert_ok(filo_file_read(&data, "/proc/self/status", NULL));
    assert_true(data.size > 100);
    assert_contains(data.text, "VmSize");
    assert_int_equal(data.text[data.size], 0);
    filo_file_free(&data);
    assert_ok(filo_file_read(&data, "/proc/self/smaps", NULL)); // longer than the first try
    assert_true(data.size > 8192);
    assert_int_equal(strlen(data.text), data.size);
    filo_file_free(&data);
}

FILO_TEST(a_file_above_the_limit_is_refused) {
    const char *path = filo_test_path("limit");
    write_text(path, "12345678");
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, &(FiloFileReadDesc){ .limit = 8 }));
    filo_file_free(&data);
    assert_error(filo_file_read(&data, path, &(FiloFileReadDesc){ .limit = 7 }), FILO_ERROR_LIMIT,
                 "limit: is larger than 7 bytes");
    assert_null(data.bytes);
    // Also where the size is not known beforehand.
    static const size_t limits[] = { 1, 10, 4095, 4096, 4097, 5000 };
    for (size_t i = 0; i < FILO_COUNT_OF(limits); i++) {
        assert_error(filo_file_read(&data, "/proc/self/smaps", &(FiloFileReadDesc){ .limit = limits[i] }),
                     FILO_ERROR_LIMIT, "larger than");
        assert_null(data.bytes);
    }
}

FILO_TEST(a_huge_file_with_holes_is_refused_before_memory_is_taken) {
    const char *path = filo_test_path("huge");
    write_text(path, "x");
    assert_int_equal(truncate(path, (off_t)1 << 40), 0);
    FiloHeap heap;
    filo_heap_init(&heap, "files", 0);
    FiloFileData data;
    assert_error(filo_file_read(&data, path, &(FiloFileReadDesc){ .allocator = &heap.allocator }),
                 FILO_ERROR_LIMIT, "huge");
    assert_int_equal(filo_heap_stats(&heap).peak, 0);
    filo_heap_deinit(&heap);
}

FILO_TEST(only_regular_files_are_read_and_nothing_waits) {
    FiloFileData data;
    const char *fifo = filo_test_path("fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_error(filo_file_read(&data, fifo, NULL), FILO_ERROR_KIND, "fifo: is a pipe");
    assert_error(filo_file_read(&data, "/dev/zero", NULL), FILO_ERROR_KIND, "/dev/zero: is a device");
    assert_error(filo_file_read(&data, filo_test_folder(), NULL), FILO_ERROR_KIND, "is a folder");
    assert_error(filo_file_append(fifo, "x", 1), FILO_ERROR_KIND, "fifo: is a pipe");
    assert_error(filo_file_write(fifo, "x", 1, NULL), FILO_ERROR_KIND, "fifo: is a pipe");
    FiloFileMap map;
    assert_error(filo_file_map(&map, fifo), FILO_ERROR_KIND, "fifo: is a pipe");
    assert_error(filo_file_copy(fifo, filo_test_path("copy"), NULL), FILO_ERROR_KIND, "fifo: is a pipe");
}

FILO_TEST(a_socket_is_not_a_file) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    const char *path = filo_test_path("socket");
    assert_true(strlen(path) < sizeof address.sun_path);
    memcpy(address.sun_path, path, strlen(path) + 1);
    int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(server, (struct sockaddr *)&address, sizeof address), 0);
    FiloFileData data;
    assert_error(filo_file_read(&data, path, NULL), FILO_ERROR_KIND, "socket: is a socket");
    assert_error(filo_file_append(path, "x", 1), FILO_ERROR_KIND, "socket: is a socket");
    close(server);
}

FILO_TEST(missing_and_impossible_paths_are_errors_that_name_them) {
    FiloFileData data;
    const char *file = filo_test_path("file");
    write_text(file, "x");
    char below[600], long_path[2 * FILO_PATH_SIZE];
    snprintf(below, sizeof below, "%s/below", file);
    memset(long_path, 'x', sizeof long_path - 1);
    long_path[sizeof long_path - 1] = '\0';
    assert_error(filo_file_read(&data, filo_test_path("no/such"), NULL), FILO_ERROR_NOT_FOUND, "no/such: ");
    assert_error(filo_file_read(&data, "", NULL), FILO_ERROR_NOT_FOUND, "the path is empty");
    assert_error(filo_file_read(&data, below, NULL), FILO_ERROR_KIND, "file/below: ");
    assert_error(filo_file_read(&data, long_path, NULL), FILO_ERROR_LIMIT, "xxx: ");
    assert_error(filo_file_write(filo_test_path("no/such"), "", 0, NULL), FILO_ERROR_NOT_FOUND, "no/such: ");
    assert_error(filo_file_write("", "", 0, NULL), FILO_ERROR_NOT_FOUND, "the path is empty");
    assert_error(filo_file_write(below, "", 0, NULL), FILO_ERROR_KIND, "file/below: ");
    assert_error(filo_file_write(long_path, "", 0, NULL), FILO_ERROR_LIMIT, "xxx: ");
    assert_error(filo_file_write(long_path, "", 0, &exclusive), FILO_ERROR_LIMIT, "xxx: ");
    assert_error(filo_file_append(below, "", 0), FILO_ERROR_KIND, "file/below: ");
    assert_error(filo_file_append("", "", 0), FILO_ERROR_NOT_FOUND, "the path is empty");
    assert_error(filo_file_append(long_path, "", 0), FILO_ERROR_LIMIT, "xxx: ");
    assert_error(filo_file_remove(long_path), FILO_ERROR_LIMIT, "xxx: ");
    assert_error(filo_file_remove(""), FILO_ERROR_NOT_FOUND, "the path is empty");
    assert_error(filo_file_copy(file, long_path, NULL), FILO_ERROR_LIMIT, "xxx: ");
    assert_error(filo_file_move(file, long_path, NULL), FILO_ERROR_LIMIT, "xxx: ");
    assert_error(filo_file_move(long_path, file, NULL), FILO_ERROR_LIMIT, "xxx: ");
    assert_error(filo_file_move("", file, NULL), FILO_ERROR_NOT_FOUND, "the path is empty");
    assert_error(filo_file_move(file, "", NULL), FILO_ERROR_NOT_FOUND, "the path is empty");
    assert_false(filo_file_exists(""));
    assert_false(filo_file_exists(long_path));
    assert_text(file, "x");
}

FILO_TEST(the_cause_stands_in_the_message_however_long_the_path_is) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%0200d/%0200d", filo_test_folder(), 0, 0);
    assert_ok(filo_folder_make(path));
    FiloFileData data;
    assert_error(filo_file_read(&data, path, NULL), FILO_ERROR_KIND, "000: is a folder, not a file");
}

FILO_TEST(memory_that_runs_out_at_any_moment_is_an_error_and_leaks_nothing) {
    const char *path = filo_test_path("memory");
    write_text(path, "some text");
    const char *paths[] = { path, "/proc/self/smaps" };
    for (size_t i = 0; i < FILO_COUNT_OF(paths); i++) {
        FiloCode code = FILO_ERROR_MEMORY;
        size_t allowed = 0;
        for (; code != FILO_OK; allowed++) {
            FailingAllocator failing;
            failing_init(&failing, SIZE_MAX);
            failing_allow(&failing, allowed);
            FiloFileData data;
            FiloResult result =
                filo_file_read(&data, paths[i], &(FiloFileReadDesc){ .allocator = &failing.allocator });
            code = result.code;
            if (code == FILO_OK)
                filo_file_free(&data);
            else
                assert_error(result, FILO_ERROR_MEMORY, filo_path_name(paths[i]));
            assert_int_equal(failing.blocks, 0);
        }
        assert_true(allowed > 1);
    }
}

FILO_TEST(misuse_of_files_is_reported) {
    FiloFileData data;
    FiloFileMap map;
    FiloFileInfo info;
    FiloCode argument = FILO_ERROR_ARGUMENT;
    expect_fault("pass a path, not NULL", assert_error(filo_file_read(&data, NULL, NULL), argument, "NULL"));
    expect_fault("FiloFileData", assert_error(filo_file_read(NULL, "x", NULL), argument, "read into"));
    expect_fault("pass a path, not NULL", assert_error(filo_file_write(NULL, "", 0, NULL), argument, "NULL"));
    expect_fault("pass the bytes", assert_error(filo_file_write("x", NULL, 1, NULL), argument, "write"));
    expect_fault("pass a path, not NULL", assert_error(filo_file_append(NULL, "", 0), argument, "NULL"));
    expect_fault("pass the bytes", assert_error(filo_file_append("x", NULL, 1), argument, "append"));
    expect_fault("pass a path, not NULL", assert_error(filo_file_map(&map, NULL), argument, "NULL"));
    expect_fault("FiloFileMap", assert_error(filo_file_map(NULL, "x"), argument, "map into"));
    expect_fault("pass a path, not NULL", assert_error(filo_file_info(&info, NULL), argument, "NULL"));
    expect_fault("FiloFileInfo", assert_error(filo_file_info(NULL, "x"), argument, "fill"));
    expect_fault("pass a path, not NULL", assert_false(filo_file_exists(NULL)));
    expect_fault("pass a path, not NULL", assert_error(filo_file_set_modified(NULL, 0), argument, "NULL"));
    expect_fault("pass a path, not NULL", assert_error(filo_file_remove(NULL), argument, "NULL"));
    expect_fault("pass a path, not NULL", assert_error(filo_file_copy(NULL, "x", NULL), argument, "NULL"));
    expect_fault("pass a path, not NULL", assert_error(filo_file_move(NULL, "x", NULL), argument, "NULL"));
    expect_fault("pass a path, not NULL", assert_error(filo_file_move("x", NULL, NULL), argument, "NULL"));
    expect_fault("pass a path, not NULL",
                 assert_error(filo_file_copy("/proc/self/status", NULL, NULL), argument, "NULL"));
    assert_false(filo_file_exists("x"));
}

// ---- Writing ------------------------------------------------------------------------------------------

FILO_TEST(writing_replaces_the_file_and_keeps_its_permissions) {
    const char *folder = fresh("permissions"), *path = filo_test_path("permissions/file");
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

FILO_TEST(writing_keeps_the_owner_where_it_may) {
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

FILO_TEST(the_old_file_lives_on_for_those_who_hold_it) {
    const char *path = filo_test_path("held"), *other = filo_test_path("other name");
    write_text(path, "old");
    assert_int_equal(link(path, other), 0);
    write_text(path, "new");
    assert_text(path, "new");
    assert_text(other, "old");
}

FILO_TEST(writing_to_a_link_writes_its_target) {
    const char *folder = fresh("links");
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

FILO_TEST(a_link_to_a_deleted_file_makes_no_file_of_that_strange_name) {
    const char *folder = fresh("deleted"), *path = filo_test_path("deleted/file");
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
    const char *folder = fresh("folder");
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

FILO_TEST(exclusive_makes_a_file_only_where_nothing_is) {
    const char *folder = fresh("exclusive"), *path = filo_test_path("exclusive/file");
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
    const char *folder = fresh("race");
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
        if (filo_file_write(user, bytes, make_version(bytes, i), &quick).code != FILO_OK) return;
}

FILO_TEST(readers_see_one_version_or_another_while_threads_replace_the_file) {
    const char *folder = fresh("versions");
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
    fresh("killed");
    const char *path = filo_test_path("killed/file");
    char bytes[8000];
    assert_ok(filo_file_write(path, bytes, make_version(bytes, 0), NULL));
    int killed = 0;
    for (int round = 0; round < 40; round++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            for (int i = 0;; i++)
                if (filo_file_write(path, bytes, make_version(bytes, i), round % 2 ? &quick : NULL).code)
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
}

// ---- Failing to write ---------------------------------------------------------------------------------

static bool write_on_a_full_disk(const char *folder) {
    char path[512], bytes[5000] = { 0 };
    snprintf(path, sizeof path, "%s/file", folder);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = { 1000, 1000 };
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    FiloCode whole = filo_file_write(path, bytes, sizeof bytes, NULL).code;
    FiloCode appended = filo_file_append(path, bytes, sizeof bytes).code;
    snprintf(path, sizeof path, "%s/copy", folder);
    FiloCode copied = filo_file_copy("/proc/self/smaps", path, NULL).code;
    return whole == FILO_ERROR_SPACE && appended == FILO_ERROR_SPACE && copied == FILO_ERROR_SPACE;
}

FILO_TEST(a_full_disk_leaves_the_old_file_and_nothing_else) {
    const char *folder = fresh("full"), *path = filo_test_path("full/file");
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
    const char *folder = fresh("denied"), *path = filo_test_path("denied/file");
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
    if (geteuid() != 0) skip(); // no stranger at hand
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
    const char *folder = fresh("blind");
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
    const char *folder = fresh("open"), *path = filo_test_path("open/file");
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
        assert_ok(filo_file_copy(path, filo_test_path("open/copy"), &quick));
        assert_ok(filo_file_copy(path, path, NULL));
        (void)filo_file_copy(path, missing, NULL);
        (void)filo_file_move(missing, path, NULL);
        (void)filo_folder_list(&list, path, NULL);
        (void)filo_folder_remove_tree(path, NULL);
    }
    assert_int_equal(open_files(), before);
}

// ---- Appending, mapping, dates ------------------------------------------------------------------------

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

FILO_TEST(a_mapped_file_shows_its_bytes) {
    const char *path = filo_test_path("mapped");
    write_text(path, "hello");
    FiloFileMap map;
    assert_ok(filo_file_map(&map, path));
    assert_int_equal(map.size, 5);
    assert_memory_equal(map.bytes, "hello", 5);
    write_text(path, "other and longer"); // replaced, not overwritten: the map keeps the old file
    assert_memory_equal(map.bytes, "hello", 5);
    filo_file_unmap(&map);
    assert_null(map.bytes);
    filo_file_unmap(&map);
    filo_file_unmap(NULL);
}

FILO_TEST(an_empty_file_can_be_mapped) {
    const char *path = filo_test_path("nothing");
    write_text(path, "");
    FiloFileMap map;
    assert_ok(filo_file_map(&map, path));
    assert_non_null(map.bytes);
    assert_int_equal(map.size, 0);
    filo_file_unmap(&map);
}

FILO_TEST(what_cannot_be_mapped_is_an_error) {
    FiloFileMap map;
    assert_error(filo_file_map(&map, filo_test_path("none")), FILO_ERROR_NOT_FOUND, "none: ");
    assert_null(map.bytes);
    assert_error(filo_file_map(&map, filo_test_folder()), FILO_ERROR_KIND, "is a folder");
    assert_error(filo_file_map(&map, "/proc/self/status"), FILO_ERROR_UNSUPPORTED, "read it instead");
}

FILO_TEST(info_tells_kind_size_date_and_permissions) {
    const char *path = filo_test_path("info"), *link = filo_test_path("info link");
    int64_t before = filo_calendar_ns();
    write_text(path, "12345");
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("info", link), 0);
    FiloFileInfo info;
    assert_ok(filo_file_info(&info, link));
    assert_int_equal(info.kind, FILO_FILE_REGULAR);
    assert_int_equal(info.size, 5);
    assert_int_equal(info.permissions, 0640);
    // The kernel's clock for files is coarse; a minute is far beyond that and far below a wrong unit.
    assert_true(info.modified_ns > before - INT64_C(60000000000));
    assert_true(info.modified_ns < before + INT64_C(60000000000));
    assert_ok(filo_file_link_info(&info, link));
    assert_int_equal(info.kind, FILO_FILE_LINK);
    assert_int_equal(info.size, 0);
    assert_ok(filo_file_info(&info, filo_test_folder()));
    assert_int_equal(info.kind, FILO_FILE_FOLDER);
    assert_ok(filo_file_info(&info, "/dev/null"));
    assert_int_equal(info.kind, FILO_FILE_OTHER);
    assert_error(filo_file_info(&info, filo_test_path("nil")), FILO_ERROR_NOT_FOUND, "nil: ");
    assert_int_equal(info.kind, FILO_FILE_NONE);
    assert_true(filo_file_exists(path));
    assert_true(filo_file_exists(filo_test_folder()));
    assert_false(filo_file_exists(filo_test_path("nil")));
    assert_int_equal(unlink(path), 0);
    assert_false(filo_file_exists(link));
}

FILO_TEST(dates_can_be_set_also_before_1970) {
    const char *path = filo_test_path("date");
    write_text(path, "x");
    static const int64_t seconds[] = { 0, 1000000000, -1000000000, 4000000000 };
    for (size_t i = 0; i < FILO_COUNT_OF(seconds); i++) {
        FiloFileInfo info;
        assert_ok(filo_file_set_modified(path, seconds[i] * 1000000000));
        assert_ok(filo_file_info(&info, path));
        assert_true(info.modified_ns == seconds[i] * 1000000000);
        assert_ok(filo_file_set_modified(path, seconds[i] * 1000000000 + 250000000));
        assert_ok(filo_file_info(&info, path));
        assert_true(info.modified_ns >= seconds[i] * 1000000000);
        assert_true(info.modified_ns <= seconds[i] * 1000000000 + 250000000);
    }
    assert_error(filo_file_set_modified(filo_test_path("nil"), 0), FILO_ERROR_NOT_FOUND, "nil: ");
    assert_error(filo_file_set_modified("", 0), FILO_ERROR_NOT_FOUND, "empty");
}

// ---- Copying, moving, removing ------------------------------------------------------------------------

FILO_TEST(a_copy_has_the_bytes_and_permissions_of_the_original) {
    const char *folder = fresh("copies"), *from = filo_test_path("copies/from");
    const char *to = filo_test_path("copies/to");
    umask(022);
    char bytes[100000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(i % 251);
    assert_ok(filo_file_write(from, bytes, sizeof bytes, &quick));
    assert_int_equal(chmod(from, 0755), 0);
    assert_ok(filo_file_copy(from, to, NULL));
    FiloFileData data;
    assert_ok(filo_file_read(&data, to, NULL));
    assert_int_equal(data.size, sizeof bytes);
    assert_memory_equal(data.bytes, bytes, sizeof bytes);
    filo_file_free(&data);
    assert_int_equal(mode_of(to), 0755);
    assert_error(filo_file_copy(from, to, &exclusive), FILO_ERROR_EXISTS, "copies/to: ");
    write_text(from, "");
    assert_int_equal(chmod(to, 0600), 0);
    assert_ok(filo_file_copy(from, to, NULL));
    assert_text(to, "");
    assert_int_equal(mode_of(to), 0600);
    assert_count(folder, 2);
}

FILO_TEST(copying_takes_what_does_not_know_its_size_and_leaves_itself_alone) {
    const char *folder = fresh("itself"), *path = filo_test_path("itself/file");
    assert_ok(filo_file_copy("/proc/self/status", path, NULL));
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    assert_contains(data.text, "VmSize");
    filo_file_free(&data);
    assert_int_equal(chmod(path, 0644), 0); // the original is read-only
    write_text(path, "same");
    assert_ok(filo_file_copy(path, path, NULL));
    assert_text(path, "same");
    assert_count(folder, 1);
    assert_error(filo_file_copy(folder, filo_test_path("itself/x"), NULL), FILO_ERROR_KIND, "is a folder");
    assert_error(filo_file_copy(filo_test_path("nil"), path, NULL), FILO_ERROR_NOT_FOUND, "nil: ");
    assert_text(path, "same");
}

FILO_TEST(moving_renames_files_and_folders) {
    const char *folder = fresh("moves");
    const char *a = filo_test_path("moves/a"), *b = filo_test_path("moves/b");
    write_text(a, "a");
    assert_ok(filo_file_move(a, b, NULL));
    assert_false(filo_file_exists(a));
    assert_text(b, "a");
    write_text(a, "new");
    assert_error(filo_file_move(a, b, &exclusive), FILO_ERROR_EXISTS, "moves/b");
    assert_ok(filo_file_move(a, b, NULL));
    assert_text(b, "new");
    assert_ok(filo_folder_make(filo_test_path("moves/folder")));
    assert_ok(filo_file_move(filo_test_path("moves/folder/"), filo_test_path("moves/other/"), NULL));
    assert_count(folder, 2);
    FiloResult missing = filo_file_move(a, b, NULL);
    assert_error(missing, FILO_ERROR_NOT_FOUND, "moves/a");
    assert_contains(missing.message, "moves/b");
    assert_error(filo_file_move(b, filo_test_path("moves/other"), NULL), FILO_ERROR_KIND, "moves/other");
    assert_error(filo_file_move(filo_test_path("moves/other"), filo_test_path("moves/other/in"), NULL),
                 FILO_ERROR_ARGUMENT, "moves/other");
}

FILO_TEST(removing_takes_files_and_links_but_not_folders_or_targets) {
    const char *folder = fresh("removal"), *path = filo_test_path("removal/file");
    const char *link = filo_test_path("removal/link");
    write_text(path, "x");
    assert_int_equal(symlink("file", link), 0);
    assert_ok(filo_file_remove(link));
    assert_text(path, "x");
    assert_ok(filo_file_remove(path));
    assert_error(filo_file_remove(path), FILO_ERROR_NOT_FOUND, "removal/file: ");
    assert_error(filo_file_remove(folder), FILO_ERROR_KIND, "removal: ");
    assert_count(folder, 0);
}

// ---- Another file system ------------------------------------------------------------------------------

static char elsewhere[64];

static void remove_elsewhere(void) {
    if (elsewhere[0] != '\0') (void)filo_folder_remove_tree(elsewhere, NULL);
}

// An empty folder on another file system than the test's; skips the test if there is none.
static const char *other_file_system(void) {
    struct stat here, there;
    if (elsewhere[0] == '\0') atexit(remove_elsewhere);
    remove_elsewhere(); // that of the test before
    elsewhere[0] = '\0';
    if (stat("/dev/shm", &there) != 0 || stat(filo_test_folder(), &here) != 0 || here.st_dev == there.st_dev)
        skip();
    snprintf(elsewhere, sizeof elsewhere, "/dev/shm/filo-test-XXXXXX");
    assert_non_null(mkdtemp(elsewhere));
    return elsewhere;
}

FILO_TEST(a_file_moves_to_another_file_system_with_its_date_and_permissions) {
    const char *other = other_file_system(), *from = filo_test_path("here");
    char to[128];
    snprintf(to, sizeof to, "%s/there", other);
    write_text(from, "travelling");
    assert_int_equal(chmod(from, 0751), 0);
    assert_ok(filo_file_set_modified(from, INT64_C(1000000000000000000)));
    assert_ok(filo_file_move(from, to, NULL));
    assert_false(filo_file_exists(from));
    assert_text(to, "travelling");
    assert_int_equal(mode_of(to), 0751);
    FiloFileInfo info;
    assert_ok(filo_file_info(&info, to));
    assert_true(info.modified_ns == INT64_C(1000000000000000000));
    // And over a file that is there, or not.
    write_text(from, "second");
    assert_error(filo_file_move(from, to, &exclusive), FILO_ERROR_EXISTS, "there: ");
    assert_text(from, "second");
    assert_text(to, "travelling");
    assert_ok(filo_file_move(from, to, &quick));
    assert_text(to, "second");
    // A link moves as a link.
    assert_int_equal(symlink("no such target", from), 0);
    assert_ok(filo_file_move(from, to, NULL));
    assert_ok(filo_file_link_info(&info, to));
    assert_int_equal(info.kind, FILO_FILE_LINK);
    assert_count(other, 1);
}

FILO_TEST(a_tree_moves_to_another_file_system) {
    const char *other = other_file_system(), *from = filo_test_path("tree");
    char to[128], path[256];
    snprintf(to, sizeof to, "%s/tree", other);
    assert_ok(filo_folder_make(filo_test_path("tree/a/b")));
    write_text(filo_test_path("tree/a/b/file"), "deep");
    write_text(filo_test_path("tree/z"), "flat");
    assert_int_equal(symlink("/no/where", filo_test_path("tree/link")), 0);
    assert_int_equal(chmod(filo_test_path("tree/a"), 0555), 0); // filled before it becomes read-only
    assert_ok(filo_file_set_modified(filo_test_path("tree/a"), INT64_C(1000000000000000000)));
    if (geteuid() != 0) assert_int_equal(chmod(filo_test_path("tree/a"), 0755), 0); // to be removable
    assert_ok(filo_file_move(from, to, NULL));
    assert_false(filo_file_exists(from));
    snprintf(path, sizeof path, "%s/a/b/file", to);
    assert_text(path, "deep");
    snprintf(path, sizeof path, "%s/z", to);
    assert_text(path, "flat");
    FiloFileInfo info;
    snprintf(path, sizeof path, "%s/link", to);
    assert_ok(filo_file_link_info(&info, path));
    assert_int_equal(info.kind, FILO_FILE_LINK);
    snprintf(path, sizeof path, "%s/a", to);
    assert_ok(filo_file_info(&info, path));
    assert_int_equal(info.permissions, geteuid() == 0 ? 0555 : 0755);
    assert_true(info.modified_ns == INT64_C(1000000000000000000));
    assert_count(other, 1);
}

FILO_TEST(a_move_across_file_systems_that_fails_leaves_the_original_and_no_copy) {
    const char *other = other_file_system();
    char to[128];
    snprintf(to, sizeof to, "%s/tree", other);
    assert_ok(filo_folder_make(filo_test_path("stuck/a")));
    write_text(filo_test_path("stuck/a/file"), "stays");
    assert_int_equal(mkfifo(filo_test_path("stuck/z pipe"), 0600), 0); // cannot be copied, and comes last
    assert_error(filo_file_move(filo_test_path("stuck"), to, NULL), FILO_ERROR_UNSUPPORTED, "z pipe: ");
    assert_text(filo_test_path("stuck/a/file"), "stays");
    assert_count(other, 0);
    // The destination is a folder that is not empty.
    assert_int_equal(unlink(filo_test_path("stuck/z pipe")), 0);
    char inside[160];
    snprintf(inside, sizeof inside, "%s/inside", to);
    assert_ok(filo_folder_make(inside));
    assert_error(filo_file_move(filo_test_path("stuck"), to, NULL), FILO_ERROR_EXISTS, "stuck");
    assert_text(filo_test_path("stuck/a/file"), "stays");
    assert_count(other, 1);
    // Memory runs out.
    for (size_t allowed = 0; allowed < 3; allowed++) {
        FailingAllocator failing;
        failing_init(&failing, SIZE_MAX);
        failing_allow(&failing, allowed);
        snprintf(inside, sizeof inside, "%s/elsewhere", other);
        assert_error(filo_file_move(filo_test_path("stuck"), inside,
                                    &(FiloFileWriteDesc){ .allocator = &failing.allocator }),
                     FILO_ERROR_MEMORY, "no memory");
        assert_int_equal(failing.blocks, 0);
        assert_text(filo_test_path("stuck/a/file"), "stays");
    }
}

// ---- Signals ------------------------------------------------------------------------------------------

static void on_alarm(int signal_number) { FILO_UNUSED(signal_number); }

FILO_TEST(signals_do_not_disturb) {
    fresh("signals");
    const char *path = filo_test_path("signals/file");
    struct sigaction action = { .sa_handler = on_alarm }, before; // without SA_RESTART
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 100; i++) {
        char bytes[8000];
        assert_ok(filo_file_write(path, bytes, make_version(bytes, i), i % 10 ? &quick : NULL));
        assert_complete_version(path);
        assert_ok(filo_file_copy(path, filo_test_path("signals/copy"), &quick));
    }
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    assert_count(filo_test_path("signals"), 2);
}
