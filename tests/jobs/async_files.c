// Files in the background: reading, writing, bad paths, full disks, and lack of memory.

#include "jobs/async_files_fixture.h"

#include <dirent.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static int entries_in(const char *folder) {
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        count += entry->d_name[0] != '.' || entry->d_name[1] == 'f';
    closedir(dir);
    return count;
}

static int open_descriptors(void) { return entries_in("/proc/self/fd"); }

// ---- Reading ------------------------------------------------------------------------------------------

static void read_whole_files(bool ring) {
    FiloJobs *jobs = create_by(ring, 2, 0);
    static const size_t sizes[] = {
        0, 1, 4095, 4096, 4097, 100000, (16u << 20) - 1, 16u << 20, (40u << 20) + 7
    };
    for (unsigned i = 0; i < FILO_COUNT_OF(sizes); i++) {
        const char *path = filo_test_path("whole");
        uint8_t *bytes = make_bytes(sizes[i], i);
        write_now(path, bytes, sizes[i]);
        FiloRequest request = filo_async_read_file(jobs, path, NULL, NULL);
        filo_async_wait(jobs, request);
        size_t count;
        assert_ok(filo_async_result(jobs, request, &count));
        assert_int_equal(count, sizes[i]);
        FiloFileData data;
        assert_ok(filo_async_take_file(jobs, request, &data));
        filo_async_release(jobs, request); // the taken file stays valid
        assert_int_equal(data.size, sizes[i]);
        assert_memory_equal(data.bytes, bytes, sizes[i]);
        assert_int_equal(data.bytes[data.size], 0);
        filo_file_free(&data);
        free(bytes);
    }
    assert_int_equal(ring_state(jobs), ring ? JOBS_URING_READY : JOBS_URING_REFUSED);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
FILO_TEST(whole_files_are_read_by_ring) {
    SKIP_WITHOUT_RING();
    read_whole_files(true);
}
FILO_TEST(whole_files_are_read_on_threads) { read_whole_files(false); }

static void read_file_without_size(bool ring) {
    FiloJobs *jobs = create_by(ring, 1, 0);
    FiloFileData now, data;
    assert_ok(filo_file_read(&now, "/proc/self/smaps", NULL));
    assert_true(now.size > 4096); // more than the first piece
    FiloRequest request = filo_async_read_file(jobs, "/proc/self/smaps", NULL, NULL);
    filo_async_wait(jobs, request);
    assert_ok(filo_async_take_file(jobs, request, &data));
    assert_true(data.size > 4096);
    assert_int_equal(strlen(data.text), data.size);
    assert_contains(data.text, "VmFlags:");
    assert_int_equal(data.text[data.size - 1], '\n');
    filo_async_release(jobs, request);
    filo_file_free(&now);
    filo_file_free(&data);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
FILO_TEST(files_without_a_size_are_read_by_ring) {
    SKIP_WITHOUT_RING();
    read_file_without_size(true);
}
FILO_TEST(files_without_a_size_are_read_on_threads) { read_file_without_size(false); }

static void read_ranges(bool ring) {
    FiloJobs *jobs = create_by(ring, 1, 0);
    const char *path = filo_test_path("range");
    uint8_t *bytes = make_bytes(100000, 3), buffer[5000];
    write_now(path, bytes, 100000);
    static const struct {
        uint64_t offset;
        size_t size, expected;
    } ranges[] = { { 0, 5000, 5000 },     { 1, 1, 1 },       { 99999, 1, 1 },
                   { 99000, 5000, 1000 }, { 100000, 10, 0 }, { 1u << 30, 10, 0 },
                   { 50000, 0, 0 },       { 4095, 2, 2 },    { INT64_MAX, 0, 0 } };
    for (unsigned i = 0; i < FILO_COUNT_OF(ranges); i++) {
        memset(buffer, 0xEE, sizeof buffer);
        size_t count = 99;
        FiloRequest request = filo_async_read(jobs, path, ranges[i].offset, buffer, ranges[i].size, NULL);
        assert_ok(result_of(jobs, request, &count));
        assert_int_equal(count, ranges[i].expected);
        if (count > 0) assert_memory_equal(buffer, bytes + ranges[i].offset, count);
        for (size_t k = count; k < sizeof buffer; k++) assert_int_equal(buffer[k], 0xEE);
    }
    size_t count;
    assert_ok(result_of(jobs, filo_async_read(jobs, "/dev/zero", 0, buffer, sizeof buffer, NULL), &count));
    assert_int_equal(count, sizeof buffer);
    assert_int_equal(buffer[17], 0);
    free(bytes);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
FILO_TEST(ranges_are_read_by_ring) {
    SKIP_WITHOUT_RING();
    read_ranges(true);
}
FILO_TEST(ranges_are_read_on_threads) { read_ranges(false); }

static void read_thousands(bool ring) {
    enum { FILES = 100, EACH = 40 };
    FiloJobs *jobs = create_by(ring, 2, 4);
    char name[32];
    for (unsigned i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "small%u", i);
        uint8_t *bytes = make_bytes(i * 37, i);
        write_now(filo_test_path(name), bytes, i * 37);
        free(bytes);
    }
    int descriptors = open_descriptors();
    FiloRequest *requests = calloc(FILES * EACH, sizeof *requests);
    assert_non_null(requests);
    for (unsigned i = 0; i < FILES * EACH; i++) { // all at once
        snprintf(name, sizeof name, "small%u", i % FILES);
        requests[i] = filo_async_read_file(jobs, filo_test_path(name), NULL, NULL);
    }
    for (unsigned i = 0; i < FILES * EACH; i++) {
        FiloFileData data;
        filo_async_wait(jobs, requests[i]);
        assert_ok(filo_async_take_file(jobs, requests[i], &data));
        assert_int_equal(data.size, i % FILES * 37);
        for (size_t k = 0; k < data.size; k++) assert_int_equal(data.bytes[k], byte_at(k, i % FILES));
        filo_file_free(&data);
        filo_async_release(jobs, requests[i]);
    }
    if (ring) { // the ring needs one thread for any number of files
        assert_int_equal(filo_jobs_stats(jobs).async_threads, 1);
        assert_true(open_descriptors() <= descriptors + 2);
    } else {
        assert_int_equal(open_descriptors(), descriptors);
    }
    free(requests);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    assert_int_equal(open_descriptors(), descriptors);
}
FILO_TEST(thousands_of_small_files_are_read_by_ring_with_one_thread) {
    SKIP_WITHOUT_RING();
    read_thousands(true);
}
FILO_TEST(thousands_of_small_files_are_read_on_threads) { read_thousands(false); }

// ---- Writing ------------------------------------------------------------------------------------------

static void write_ranges(bool ring) {
    FiloJobs *jobs = create_by(ring, 1, 0);
    const char *path = filo_test_path("written");
    size_t count;
    assert_ok(result_of(jobs, filo_async_write(jobs, path, 0, "hello world", 11, NULL), &count)); // created
    assert_int_equal(count, 11);
    expect_file(path, "hello world", 11);
    // The rest does not change.
    assert_ok(result_of(jobs, filo_async_write(jobs, path, 6, "W", 1, NULL), &count));
    expect_file(path, "hello World", 11);
    assert_ok(result_of(jobs, filo_async_write(jobs, path, 13, "!", 1, NULL), &count)); // a gap
    expect_file(path, "hello World\0\0!", 14);
    assert_ok(result_of(jobs, filo_async_write(jobs, path, 5, NULL, 0, NULL), &count)); // nothing
    assert_int_equal(count, 0);
    expect_file(path, "hello World\0\0!", 14);

    size_t size = (33u << 20) + 5;
    uint8_t *bytes = make_bytes(size, 9);
    path = filo_test_path("large");
    assert_ok(result_of(jobs, filo_async_write(jobs, path, 0, bytes, size, NULL), &count));
    assert_int_equal(count, size);
    expect_file(path, bytes, size);
    free(bytes);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
FILO_TEST(ranges_are_written_by_ring) {
    SKIP_WITHOUT_RING();
    write_ranges(true);
}
FILO_TEST(ranges_are_written_on_threads) { write_ranges(false); }

FILO_TEST(whole_files_are_replaced_and_nothing_is_left_over) {
    FiloJobs *jobs = create_by(true, 1, 0);
    const char *path = filo_test_path("save");
    size_t count, size = (17u << 20) + 3;
    uint8_t *bytes = make_bytes(size, 4);
    assert_ok(result_of(jobs, filo_async_write_file(jobs, path, "old", 3, NULL, NULL), &count));
    assert_int_equal(count, 3);
    assert_ok(result_of(jobs, filo_async_write_file(jobs, path, bytes, size, NULL, NULL), &count));
    assert_int_equal(count, size);
    expect_file(path, bytes, size);
    assert_ok(result_of(jobs, filo_async_write_file(jobs, path, NULL, 0, NULL, NULL), &count));
    expect_file(path, "", 0);
    FiloFileWriteDesc exclusive = { .exclusive = true };
    assert_error(result_of(jobs, filo_async_write_file(jobs, path, "x", 1, &exclusive, NULL), &count),
                 FILO_ERROR_EXISTS, path);
    assert_int_equal(entries_in(filo_test_folder()), 1);
    free(bytes);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- Bad paths, full disks ----------------------------------------------------------------------------

enum { TRIES = 4 };
static FiloResult try_path(FiloJobs *jobs, int call, const char *path) {
    char buffer[4];
    size_t count;
    switch (call) {
    case 0: return result_of(jobs, filo_async_read_file(jobs, path, NULL, NULL), &count);
    case 1: return result_of(jobs, filo_async_read(jobs, path, 0, buffer, sizeof buffer, NULL), &count);
    case 2: return result_of(jobs, filo_async_write(jobs, path, 0, "abcd", 4, NULL), &count);
    default: return result_of(jobs, filo_async_write_file(jobs, path, "abcd", 4, NULL, NULL), &count);
    }
}

static void make_socket(const char *path) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    assert_int_equal(bind(descriptor, (struct sockaddr *)&address, sizeof address), 0);
    close(descriptor);
}

static void refuse_bad_paths(bool ring) {
    FiloJobs *jobs = create_by(ring, 1, 0);
    FiloJobs *peer = create_by(false, 1, 0);
    char long_path[5000];
    memset(long_path, 'a', sizeof long_path);
    long_path[sizeof long_path - 1] = '\0';
    const char *file = filo_test_path("file"), *below = filo_test_path("file/below");
    const char *folder = filo_test_path("folder"), *pipe_path = filo_test_path("pipe");
    const char *socket_path = filo_test_path("socket"), *loop = filo_test_path("loop");
    write_now(file, "1234", 4);
    assert_int_equal(mkdir(folder, 0755), 0);
    assert_int_equal(mkfifo(pipe_path, 0644), 0);
    assert_int_equal(symlink(loop, loop), 0);
    make_socket(socket_path);
    const struct {
        const char *path;
        FiloCode code;
        const char *cause;
    } bad[] = {
        { filo_test_path("missing/file"), FILO_ERROR_NOT_FOUND, "missing/file: No such file" },
        { "", FILO_ERROR_NOT_FOUND, "the path is empty" },
        { below, FILO_ERROR_KIND, "file/below: Not a directory" },
        { long_path, FILO_ERROR_LIMIT, "File name too long" },
        { loop, FILO_ERROR_LIMIT, "loop: Too many levels" },
        { folder, FILO_ERROR_KIND, "folder: is a folder, not a file" },
        { pipe_path, FILO_ERROR_KIND, "pipe: is a pipe, not a file" },
        { socket_path, FILO_ERROR_KIND, "socket: is a socket, not a file" },
    };
    int descriptors = open_descriptors();
    for (unsigned i = 0; i < FILO_COUNT_OF(bad); i++) {
        for (int call = 0; call < TRIES; call++) {
            FiloResult result = try_path(jobs, call, bad[i].path);
            assert_error(result, bad[i].code, bad[i].cause);
            assert_string_equal(result.message, try_path(peer, call, bad[i].path).message);
        }
    }
    assert_error(try_path(jobs, 0, "/dev/zero"), FILO_ERROR_KIND, "/dev/zero: is a device, not a file");
    assert_true(open_descriptors() <= descriptors + 2); // the ring's own
    filo_jobs_destroy(peer, FILO_JOBS_FINISH);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    assert_int_equal(open_descriptors(), descriptors);
}
FILO_TEST(bad_paths_are_refused_with_path_and_cause_by_ring) {
    SKIP_WITHOUT_RING();
    refuse_bad_paths(true);
}
FILO_TEST(bad_paths_are_refused_with_path_and_cause_on_threads) { refuse_bad_paths(false); }

static void refuse_without_permission(bool ring) {
    const char *path = filo_test_path("private");
    assert_int_equal(chmod(filo_test_folder(), 0777), 0);
    write_now(path, "1234", 4);
    assert_int_equal(chmod(path, 0000), 0);
    bool root = geteuid() == 0;
    if (root) setfsuid(65534); // threads that are started from now on inherit it
    FiloJobs *jobs = create_by(ring, 1, 0);
    for (int call = 0; call < TRIES; call++)
        assert_error(try_path(jobs, call, path), FILO_ERROR_DENIED, "private: Permission denied");
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    if (root) setfsuid(0);
    assert_int_equal(chmod(path, 0600), 0);
    expect_file(path, "1234", 4);
}
FILO_TEST(files_without_permission_are_refused_by_ring) {
    SKIP_WITHOUT_RING();
    refuse_without_permission(true);
}
FILO_TEST(files_without_permission_are_refused_on_threads) { refuse_without_permission(false); }

static void fill_disk(bool ring) {
    FiloJobs *jobs = create_by(ring, 1, 0);
    assert_error(try_path(jobs, 2, "/dev/full"), FILO_ERROR_SPACE, "/dev/full: No space left on device");
    assert_error(try_path(jobs, 3, "/dev/full"), FILO_ERROR_KIND, "/dev/full: is a device, not a file");

    enum { LIMIT = 65536 };
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){ LIMIT, old.rlim_max };
    const char *path = filo_test_path("half"), *save = filo_test_path("saved");
    write_now(save, "old", 3);
    uint8_t *bytes = make_bytes(LIMIT + 1000, 1);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    size_t count = 0;
    FiloResult ranged = result_of(jobs, filo_async_write(jobs, path, 0, bytes, LIMIT + 1000, NULL), &count);
    FiloResult whole =
        result_of(jobs, filo_async_write_file(jobs, save, bytes, LIMIT + 1000, NULL, NULL), NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_error(ranged, FILO_ERROR_SPACE, "half: File too large");
    assert_int_equal(count, LIMIT); // what was written before the failure
    expect_file(path, bytes, LIMIT);
    assert_error(whole, FILO_ERROR_SPACE, "saved: File too large");
    expect_file(save, "old", 3);
    assert_int_equal(entries_in(filo_test_folder()), 2);
    free(bytes);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
FILO_TEST(full_disks_are_reported_and_no_signal_kills_by_ring) {
    SKIP_WITHOUT_RING();
    fill_disk(true);
}
FILO_TEST(full_disks_are_reported_and_no_signal_kills_on_threads) { fill_disk(false); }

static void *refuse_memory(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    (void)memory, (void)old_size, (void)align;
    if (new_size > 0) base_add_acq_rel((AtomicInt *)user, 1);
    return NULL;
}

static void run_out_of_memory(bool ring) {
    FiloJobs *jobs = create_by(ring, 1, 0);
    const char *path = filo_test_path("big");
    write_now(path, "0123456789", 10);
    AtomicInt requests = 0;
    FiloAllocator none = { refuse_memory, &requests };
    FiloFileReadDesc desc = { .allocator = &none };
    assert_error(result_of(jobs, filo_async_read_file(jobs, path, &desc, NULL), NULL), FILO_ERROR_MEMORY,
                 "big: no memory for its 11 bytes");
    assert_int_equal(requests, 1);
    desc = (FiloFileReadDesc){ .limit = 9 };
    assert_error(result_of(jobs, filo_async_read_file(jobs, path, &desc, NULL), NULL), FILO_ERROR_LIMIT,
                 "big: is larger than 9 bytes");
    desc.limit = 100; // also for files without a size
    assert_error(result_of(jobs, filo_async_read_file(jobs, "/proc/self/status", &desc, NULL), NULL),
                 FILO_ERROR_LIMIT, "/proc/self/status: is larger than 100 bytes");
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
FILO_TEST(reading_without_memory_fails_by_ring) {
    SKIP_WITHOUT_RING();
    run_out_of_memory(true);
}
FILO_TEST(reading_without_memory_fails_on_threads) { run_out_of_memory(false); }

static void release_it(FiloJobs *jobs, FiloRequest request, void *user) {
    if (user != NULL) filo_async_release(jobs, request);
}

static void leave_files_untaken(bool ring) {
    FiloJobs *jobs = create_by(ring, 2, 0);
    const char *path = filo_test_path("untaken");
    write_now(path, "0123456789", 10);
    for (int i = 0; i < 300; i++) {
        FiloHeap heap;
        filo_heap_init(&heap, "files", 0);
        FiloFileReadDesc desc = { .allocator = &heap.allocator };
        FiloJob group;
        filo_job_init(&group, filo_job_do_nothing, NULL, 0);
        FiloAsyncOptions options = { .parent = &group,
                                     .ended = release_it,
                                     .ended_user = i % 3 == 0 ? &heap : NULL };
        FiloRequest request = filo_async_read_file(jobs, path, &desc, i % 3 < 2 ? &options : NULL);
        if (i % 3 == 1) filo_async_release(jobs, request);
        if (i % 3 == 2) end(jobs, request);
        filo_jobs_run(jobs, &group);
        filo_jobs_wait(jobs, &group);
        filo_heap_deinit(&heap); // reports what was not freed
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
FILO_TEST(files_that_are_not_taken_are_freed_by_ring) {
    SKIP_WITHOUT_RING();
    leave_files_untaken(true);
}
FILO_TEST(files_that_are_not_taken_are_freed_on_threads) { leave_files_untaken(false); }

FILO_TEST(mistakes_are_named) {
    FiloJobs *jobs = create_by(true, 1, 0);
    char buffer[4];
    expect_fault("pass a path, not NULL",
                 assert_int_equal(filo_async_read_file(jobs, NULL, NULL, NULL).id, 0));
    expect_fault("need memory", assert_int_equal(filo_async_read(jobs, "a", 0, NULL, 4, NULL).id, 0));
    expect_fault("need memory", assert_int_equal(filo_async_write(jobs, "a", 0, NULL, 4, NULL).id, 0));
    expect_fault("need memory",
                 assert_int_equal(filo_async_write_file(jobs, "a", NULL, 4, NULL, NULL).id, 0));
    expect_fault("bytes up to 2^63",
                 assert_int_equal(filo_async_read(jobs, "a", INT64_MAX, buffer, 4, NULL).id, 0));
    FiloRequest request = filo_async_read_file(jobs, "/proc/self/status", NULL, NULL);
    filo_async_wait(jobs, request);
    FiloFileData data, again;
    assert_ok(filo_async_take_file(jobs, request, &data));
    expect_mistake("take it once", filo_async_take_file(jobs, request, &again));
    filo_file_free(&data);
    filo_async_release(jobs, request);
    request = filo_async_read_file(jobs, "/missing", NULL, NULL);
    filo_async_wait(jobs, request);
    assert_error(filo_async_take_file(jobs, request, &data), FILO_ERROR_NOT_FOUND, "/missing");
    assert_null(data.bytes);
    filo_async_release(jobs, request);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
