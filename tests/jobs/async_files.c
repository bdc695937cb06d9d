// Files in the background. Every test runs twice, by io_uring and on threads, and must not see a difference.

#include <filo/async.h>
#include <filo/log.h>
#include <filo/threads.h>

#include "jobs/async.h"
#include "support/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

typedef BASE_ATOMIC(int) AtomicInt;

// ---- Helpers ------------------------------------------------------------------------------------------

static FiloJobs *create(bool ring, int threads, int async_threads) {
    FiloJobs *jobs;
    FiloJobsDesc desc = { .threads = threads, .async_threads = async_threads, .no_io_uring = !ring };
    assert_ok(filo_jobs_create(&jobs, &desc));
    return jobs;
}

static JobsUringState ring_state(FiloJobs *jobs) {
    filo_mutex_lock(&jobs->async->lock);
    JobsUringState state = jobs->async->ring_state;
    filo_mutex_unlock(&jobs->async->lock);
    return state;
}

static void end(FiloJobs *jobs, FiloRequest request) {
    filo_async_wait(jobs, request);
    filo_async_release(jobs, request);
}

static bool kernel_has_ring(void) {
    FiloJobs *jobs = create(true, 1, 1);
    end(jobs, filo_async_read_file(jobs, "/proc/self/status", NULL, NULL));
    bool ready = ring_state(jobs) == JOBS_URING_READY;
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    if (!ready) print_message("skipped: this kernel or build has no io_uring for us\n");
    return ready;
}

#define SKIP_WITHOUT_RING()                                                                                  \
    if (!kernel_has_ring()) skip()

static FiloResult result_of(FiloJobs *jobs, FiloRequest request, size_t *bytes) {
    assert_int_not_equal(request.id, 0);
    filo_async_wait(jobs, request);
    FiloResult result = filo_async_result(jobs, request, bytes);
    filo_async_release(jobs, request);
    return result;
}

static uint8_t byte_at(size_t i, unsigned seed) { return (uint8_t)((i * 2654435761u + seed * 40503u) >> 13); }

static uint8_t *make_bytes(size_t size, unsigned seed) {
    uint8_t *bytes = malloc(size + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++) bytes[i] = byte_at(i, seed);
    return bytes;
}

static void write_now(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void expect_file(const char *path, const void *bytes, size_t size) {
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    assert_int_equal(data.size, size);
    assert_memory_equal(data.bytes, bytes, size);
    filo_file_free(&data);
}

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
    FiloJobs *jobs = create(ring, 2, 0);
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
        filo_async_release(jobs, request); // what was taken stays
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
    FiloJobs *jobs = create(ring, 1, 0);
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
FILO_TEST(files_that_do_not_know_their_size_are_read_by_ring) {
    SKIP_WITHOUT_RING();
    read_file_without_size(true);
}
FILO_TEST(files_that_do_not_know_their_size_are_read_on_threads) { read_file_without_size(false); }

static void read_ranges(bool ring) {
    FiloJobs *jobs = create(ring, 1, 0);
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
    FiloJobs *jobs = create(ring, 2, 4);
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
    if (ring) { // the ring needs one thread, however many there are
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
    FiloJobs *jobs = create(ring, 1, 0);
    const char *path = filo_test_path("written");
    size_t count;
    assert_ok(result_of(jobs, filo_async_write(jobs, path, 0, "hello world", 11, NULL), &count)); // made
    assert_int_equal(count, 11);
    expect_file(path, "hello world", 11);
    assert_ok(result_of(jobs, filo_async_write(jobs, path, 6, "W", 1, NULL), &count)); // the rest stays
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
    FiloJobs *jobs = create(true, 1, 0);
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
static FiloResult try_path(FiloJobs *jobs, int way, const char *path) {
    char buffer[4];
    size_t count;
    switch (way) {
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
    FiloJobs *jobs = create(ring, 1, 0);
    FiloJobs *peer = create(false, 1, 0);
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
        for (int way = 0; way < TRIES; way++) {
            FiloResult result = try_path(jobs, way, bad[i].path);
            assert_error(result, bad[i].code, bad[i].cause);
            assert_string_equal(result.message, try_path(peer, way, bad[i].path).message);
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
    FiloJobs *jobs = create(ring, 1, 0);
    for (int way = 0; way < TRIES; way++)
        assert_error(try_path(jobs, way, path), FILO_ERROR_DENIED, "private: Permission denied");
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
    FiloJobs *jobs = create(ring, 1, 0);
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
    assert_int_equal(count, LIMIT); // as far as it came
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
    FiloJobs *jobs = create(ring, 1, 0);
    const char *path = filo_test_path("big");
    write_now(path, "0123456789", 10);
    AtomicInt asked = 0;
    FiloAllocator none = { refuse_memory, &asked };
    FiloFileReadDesc desc = { .allocator = &none };
    assert_error(result_of(jobs, filo_async_read_file(jobs, path, &desc, NULL), NULL), FILO_ERROR_MEMORY,
                 "big: no memory for its 11 bytes");
    assert_int_equal(asked, 1);
    desc = (FiloFileReadDesc){ .limit = 9 };
    assert_error(result_of(jobs, filo_async_read_file(jobs, path, &desc, NULL), NULL), FILO_ERROR_LIMIT,
                 "big: is larger than 9 bytes");
    desc.limit = 100; // also where the size is not known beforehand
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
    FiloJobs *jobs = create(ring, 2, 0);
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
FILO_TEST(files_that_nobody_takes_are_freed_by_ring) {
    SKIP_WITHOUT_RING();
    leave_files_untaken(true);
}
FILO_TEST(files_that_nobody_takes_are_freed_on_threads) { leave_files_untaken(false); }

FILO_TEST(mistakes_are_named) {
    FiloJobs *jobs = create(true, 1, 0);
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

// ---- Cancelling ---------------------------------------------------------------------------------------

static FiloResult hold(FiloAsyncCall *call, void *user) {
    (void)call;
    while (base_load_acquire((AtomicInt *)user) == 0) usleep(100);
    return filo_ok();
}

static void cancel_while_waiting(bool ring) {
    FiloJobs *jobs = create(ring, 1, 1);
    const char *path = filo_test_path("never");
    AtomicInt open = 0;
    FiloRequest holder = filo_async_run(jobs, hold, &open, NULL); // the only thread
    FiloRequest request = filo_async_write(jobs, path, 0, "x", 1, NULL);
    assert_int_equal(filo_async_state(jobs, request), FILO_REQUEST_WAITING);
    assert_true(filo_async_cancel(jobs, request));
    assert_error(result_of(jobs, request, NULL), FILO_ERROR_CANCELLED, "never: cancelled");
    base_store_release(&open, 1);
    end(jobs, holder);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    assert_int_not_equal(access(path, F_OK), 0);
}
FILO_TEST(a_waiting_file_request_is_cancelled_by_ring) {
    SKIP_WITHOUT_RING();
    cancel_while_waiting(true);
}
FILO_TEST(a_waiting_file_request_is_cancelled_on_threads) { cancel_while_waiting(false); }

// A terminal whose other end says nothing: reading from it takes for ever.
static int open_silent_terminal(char *path, size_t size) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0) return -1;
    if (grantpt(master) == 0 && unlockpt(master) == 0 && ptsname_r(master, path, size) == 0) return master;
    close(master);
    return -1;
}

static void await_running(FiloJobs *jobs, FiloRequest request) {
    while (filo_async_state(jobs, request) != FILO_REQUEST_RUNNING) usleep(100);
    usleep(2000); // most likely it is being read from by now
}

FILO_TEST(reading_that_takes_for_ever_is_cancelled_in_the_ring) {
    SKIP_WITHOUT_RING();
    char path[128], buffer[8], other[4];
    int master = open_silent_terminal(path, sizeof path);
    if (master < 0) skip();
    FiloJobs *jobs = create(true, 1, 1);
    for (int i = 0; i < 10; i++) {
        FiloRequest request = filo_async_read(jobs, path, 0, buffer, sizeof buffer, NULL);
        await_running(jobs, request);
        FiloRequest quick = filo_async_read(jobs, "/dev/zero", 0, other, sizeof other, NULL);
        assert_ok(result_of(jobs, quick, NULL)); // others are not held up
        assert_int_equal(filo_async_state(jobs, request), FILO_REQUEST_RUNNING);
        assert_false(filo_async_cancel(jobs, request));
        assert_error(result_of(jobs, request, NULL), FILO_ERROR_CANCELLED, ": cancelled");
    }
    (void)filo_async_read(jobs, path, 0, buffer, sizeof buffer, NULL);
    filo_jobs_destroy(jobs, FILO_JOBS_CANCEL); // also when it is being destroyed
    close(master);
}

static void read_terminal(bool ring) {
    char path[128], buffer[4];
    int master = open_silent_terminal(path, sizeof path);
    if (master < 0) skip();
    FiloJobs *jobs = create(ring, 1, 1);
    FiloRequest request = filo_async_read(jobs, path, 0, buffer, sizeof buffer, NULL);
    await_running(jobs, request);
    assert_int_equal(write(master, "a\n", 2), 2); // in two parts
    usleep(1000);
    assert_int_equal(write(master, "b\n", 2), 2);
    size_t count;
    assert_ok(result_of(jobs, request, &count));
    assert_int_equal(count, 4);
    assert_memory_equal(buffer, "a\nb\n", 4);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    close(master);
}
FILO_TEST(short_reads_are_continued_by_ring) {
    SKIP_WITHOUT_RING();
    read_terminal(true);
}
FILO_TEST(short_reads_are_continued_on_threads) { read_terminal(false); }

// ---- Falling back -------------------------------------------------------------------------------------

// Makes io_uring_setup fail for the calling thread, and those that it starts, as a container does.
static bool forbid_ring(int error) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { FILO_COUNT_OF(code), code };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static AtomicInt told;
static void count_messages(const FiloLogMessage *message, void *user) {
    (void)user;
    if (strstr(message->text, "files are read and written on threads") != NULL) base_add_acq_rel(&told, 1);
}

typedef struct Fallback {
    const char *path;
    bool skipped;
} Fallback;

static void read_without_ring(void *user) {
    Fallback *fallback = user;
    if (!forbid_ring(EPERM)) {
        fallback->skipped = true;
        return;
    }
    FiloJobs *jobs = create(true, 2, 4);
    char buffer[50][4];
    FiloRequest requests[50];
    for (int i = 0; i < 50; i++) requests[i] = filo_async_read(jobs, fallback->path, 3, buffer[i], 4, NULL);
    for (int i = 0; i < 50; i++) {
        assert_ok(result_of(jobs, requests[i], NULL));
        assert_memory_equal(buffer[i], "3456", 4);
    }
    assert_int_equal(ring_state(jobs), JOBS_URING_REFUSED);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(where_the_kernel_refuses_threads_take_over_and_one_line_says_so) {
    Fallback fallback = { .path = filo_test_path("digits") };
    write_now(fallback.path, "0123456789", 10);
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ .write = count_messages, .filter = "debug" });
    FiloThread thread;
    assert_ok(
        filo_thread_start(&thread, &(FiloThreadDesc){ .function = read_without_ring, .user = &fallback }));
    filo_thread_join(&thread);
    filo_log_remove_sink(sink);
    if (fallback.skipped) skip_because("this system lets no thread forbid itself a call of the kernel");
    assert_int_equal(told, jobs_async_has_ring() ? 1 : 0);
}

// ---- Stopping, many threads ---------------------------------------------------------------------------

static void finish_at_the_end(bool ring) {
    for (int round = 0; round < 20; round++) {
        FiloJobs *jobs = create(ring, 1 + round % 2, 1 + round % 3);
        const char *path = filo_test_path("finished");
        uint8_t bytes[64], back[64][8];
        for (unsigned i = 0; i < 64; i++) bytes[i] = byte_at(i, (unsigned)round);
        for (unsigned i = 0; i < 64; i++)
            (void)filo_async_write(jobs, path, i, &bytes[i], 1, NULL); // none is released
        for (unsigned i = 0; i < 64; i++) (void)filo_async_read(jobs, "/dev/zero", 0, back[i], 8, NULL);
        (void)filo_async_read_file(jobs, "/proc/self/status", NULL, NULL);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
        expect_file(path, bytes, 64);
        assert_int_equal(unlink(path), 0);

        jobs = create(ring, 1 + round % 2, 1 + round % 3);
        for (unsigned i = 0; i < 64; i++) (void)filo_async_read(jobs, "/dev/zero", 0, back[i], 8, NULL);
        filo_jobs_destroy(jobs, FILO_JOBS_CANCEL);
    }
}
FILO_TEST(requests_are_finished_or_cancelled_at_the_end_by_ring) {
    SKIP_WITHOUT_RING();
    finish_at_the_end(true);
}
FILO_TEST(requests_are_finished_or_cancelled_at_the_end_on_threads) { finish_at_the_end(false); }

typedef struct Stress {
    FiloJobs *jobs;
    uint32_t number;
} Stress;

static void check_and_release(FiloJobs *jobs, FiloRequest request, void *user) {
    FiloFileData data;
    FiloResult result = filo_async_take_file(jobs, request, &data);
    if (result.code == FILO_OK) {
        assert_int_equal(data.size, 3000);
        for (size_t i = 0; i < data.size; i++) assert_int_equal(data.bytes[i], byte_at(i, *(unsigned *)user));
    } else {
        assert_int_equal(result.code, FILO_ERROR_CANCELLED);
    }
    filo_file_free(&data);
    filo_async_release(jobs, request);
}

static void stress_thread(void *user) {
    Stress *s = user;
    static unsigned seeds[4] = { 0, 1, 2, 3 };
    char path[512], own[512], buffer[16];
    uint32_t random = s->number + 1;
    snprintf(own, sizeof own, "%s/own%u", filo_test_folder(), s->number);
    for (uint32_t i = 0; i < 150; i++) {
        random = random * 1664525u + 1013904223u;
        unsigned file = random >> 30, what = random >> 20 & 7;
        snprintf(path, sizeof path, "%s/shared%u", filo_test_folder(), file);
        FiloAsyncOptions options = { .ended = check_and_release,
                                     .ended_user = &seeds[file],
                                     .on_main = what & 1 };
        (void)filo_async_read_file(s->jobs, path, NULL, &options);
        FiloRequest request = filo_async_write(s->jobs, own, i * 4, &i, 4, NULL);
        if (what < 3) filo_async_cancel(s->jobs, request);
        FiloResult result = result_of(s->jobs, request, NULL);
        assert_true(result.code == FILO_OK || result.code == FILO_ERROR_CANCELLED);
        assert_ok(result_of(s->jobs, filo_async_read(s->jobs, path, 100, buffer, 16, NULL), NULL));
        for (size_t k = 0; k < 16; k++) assert_int_equal((uint8_t)buffer[k], byte_at(100 + k, file));
    }
}

static void stress(bool ring) {
    FiloJobs *jobs = create(ring, 2, 3);
    filo_async_set_idle_time(jobs, 20000);
    char name[32];
    for (unsigned i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "shared%u", i);
        uint8_t *bytes = make_bytes(3000, i);
        write_now(filo_test_path(name), bytes, 3000);
        free(bytes);
    }
    Stress all[4];
    FiloThread threads[4];
    for (uint32_t i = 0; i < 4; i++) {
        all[i] = (Stress){ jobs, i };
        assert_ok(
            filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = stress_thread, .user = &all[i] }));
    }
    for (int i = 0; i < 4; i++) filo_thread_join(&threads[i]);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
FILO_TEST(many_threads_read_write_and_cancel_by_ring) {
    SKIP_WITHOUT_RING();
    stress(true);
}
FILO_TEST(many_threads_read_write_and_cancel_on_threads) { stress(false); }
