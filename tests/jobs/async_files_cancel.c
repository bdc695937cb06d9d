// Files in the background: cancelling, kernels without io_uring, stopping, and many threads.

#include "jobs/async_files_fixture.h"

#include <filo/log.h>
#include <filo/threads.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

// ---- Cancelling ---------------------------------------------------------------------------------------

static void cancel_while_waiting(bool ring) {
    FiloJobs *jobs = create_by(ring, 1, 1);
    const char *path = filo_test_path("never");
    Hold h = { 0 };
    FiloRequest holder = filo_async_run(jobs, hold, &h, NULL); // on the only thread
    FiloRequest request = filo_async_write(jobs, path, 0, "x", 1, NULL);
    assert_int_equal(filo_async_state(jobs, request), FILO_REQUEST_WAITING);
    assert_true(filo_async_cancel(jobs, request));
    assert_error(result_of(jobs, request, NULL), FILO_ERROR_CANCELLED, "never: cancelled");
    base_store_release(&h.open, 1);
    end(jobs, holder);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    assert_int_not_equal(access(path, F_OK), 0);
}
FILO_TEST(a_waiting_file_request_is_cancelled_by_ring) {
    SKIP_WITHOUT_RING();
    cancel_while_waiting(true);
}
FILO_TEST(a_waiting_file_request_is_cancelled_on_threads) { cancel_while_waiting(false); }

// A terminal whose other end writes nothing: reading from it takes for ever.
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
    FiloJobs *jobs = create_by(true, 1, 1);
    for (int i = 0; i < 10; i++) {
        FiloRequest request = filo_async_read(jobs, path, 0, buffer, sizeof buffer, NULL);
        await_running(jobs, request);
        FiloRequest short_read = filo_async_read(jobs, "/dev/zero", 0, other, sizeof other, NULL);
        assert_ok(result_of(jobs, short_read, NULL)); // others are not delayed
        assert_int_equal(filo_async_state(jobs, request), FILO_REQUEST_RUNNING);
        assert_false(filo_async_cancel(jobs, request));
        assert_error(result_of(jobs, request, NULL), FILO_ERROR_CANCELLED, ": cancelled");
    }
    (void)filo_async_read(jobs, path, 0, buffer, sizeof buffer, NULL);
    filo_jobs_destroy(jobs, FILO_JOBS_CANCEL); // cancels the read, too
    close(master);
}

static void read_terminal(bool ring) {
    char path[128], buffer[4];
    int master = open_silent_terminal(path, sizeof path);
    if (master < 0) skip();
    FiloJobs *jobs = create_by(ring, 1, 1);
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

// Makes io_uring_setup fail for the calling thread and those that it starts, as in a container.
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

static AtomicInt message_count;
static void count_messages(const FiloLogMessage *message, void *user) {
    (void)user;
    if (strstr(message->text, "files are read and written on threads") != NULL)
        base_add_acq_rel(&message_count, 1);
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
    FiloJobs *jobs = create_by(true, 2, 4);
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
    assert_int_equal(message_count, jobs_async_has_ring() ? 1 : 0);
}

// ---- Stopping, many threads ---------------------------------------------------------------------------

static void finish_at_the_end(bool ring) {
    for (int round = 0; round < 20; round++) {
        FiloJobs *jobs = create_by(ring, 1 + round % 2, 1 + round % 3);
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

        jobs = create_by(ring, 1 + round % 2, 1 + round % 3);
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
    FiloJobs *jobs = create_by(ring, 2, 3);
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
