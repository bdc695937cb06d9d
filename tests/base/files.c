// Reading files: whole, up to a limit, and mapped; and the mistakes with all that files can do.

#include "base/files_fixture.h"
#include "support/failing_allocator.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

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
        assert_ok(filo_file_write(path, bytes, sizes[i], &without_sync));
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
    const char *folder = new_folder("names");
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++) {
        char path[512];
        assert_true(filo_path_join(path, sizeof path, folder, names[i]));
        write_text(path, names[i]);
        assert_text(path, names[i]);
    }
    assert_count(folder, FILO_COUNT_OF(names));
}

FILO_TEST(files_that_report_no_size_are_read_to_the_end) {
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
    // Also if the file reports no size.
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

FILO_TEST(the_cause_is_in_the_message_however_long_the_path_is) {
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
            FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
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

// ---- Mapping ------------------------------------------------------------------------------------------

FILO_TEST(a_mapped_file_shows_its_bytes) {
    const char *path = filo_test_path("mapped");
    write_text(path, "hello");
    FiloFileMap map;
    assert_ok(filo_file_map(&map, path));
    assert_int_equal(map.size, 5);
    assert_memory_equal(map.bytes, "hello", 5);
    write_text(path, "other and longer"); // replaced, not overwritten: the map still has the old file
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

// ---- Misuse -------------------------------------------------------------------------------------------

FILO_TEST(misuse_of_files_is_reported) {
    FiloFileData data;
    FiloFileMap map;
    FiloFileInfo info;
    expect_mistake("pass a path, not NULL", filo_file_read(&data, NULL, NULL));
    expect_mistake("FiloFileData", filo_file_read(NULL, "x", NULL));
    expect_mistake("pass a path, not NULL", filo_file_write(NULL, "", 0, NULL));
    expect_mistake("pass the bytes", filo_file_write("x", NULL, 1, NULL));
    expect_mistake("pass a path, not NULL", filo_file_append(NULL, "", 0));
    expect_mistake("pass the bytes", filo_file_append("x", NULL, 1));
    expect_mistake("pass a path, not NULL", filo_file_map(&map, NULL));
    expect_mistake("FiloFileMap", filo_file_map(NULL, "x"));
    expect_mistake("pass a path, not NULL", filo_file_info(&info, NULL));
    expect_mistake("FiloFileInfo", filo_file_info(NULL, "x"));
    expect_fault("pass a path, not NULL", assert_false(filo_file_exists(NULL)));
    expect_mistake("pass a path, not NULL", filo_file_set_modified(NULL, 0));
    expect_mistake("pass a path, not NULL", filo_file_remove(NULL));
    expect_mistake("pass a path, not NULL", filo_file_copy(NULL, "x", NULL));
    expect_mistake("pass a path, not NULL", filo_file_move(NULL, "x", NULL));
    expect_mistake("pass a path, not NULL", filo_file_move("x", NULL, NULL));
    expect_mistake("pass a path, not NULL", filo_file_copy("/proc/self/status", NULL, NULL));
    assert_false(filo_file_exists("x"));
}
