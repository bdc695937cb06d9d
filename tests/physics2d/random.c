// Random histories of worlds: what the fuzzer does (tests/fuzz/physics2d.c), with bytes of a random number generator.

#include "physics2d/scene.h"

#include <filo/log.h>

#define FUZZ_FAIL(...) fail_msg(__VA_ARGS__)
#include "physics2d/fuzz_run.h"

static void run_mode(uint8_t mode, int runs) {
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 3 }));
    for (int i = 0; i < runs; i++) {
        uint8_t bytes[600];
        FiloRandom random = filo_random_keyed(11, mode, 0, (uint64_t)i);
        for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)filo_random_below(&random, 256);
        bytes[0] = mode;
        fuzz_run(bytes, sizeof bytes, jobs);
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(anything_may_happen_to_bodies) { run_mode(0, 60); }
FILO_TEST(nothing_gets_out_of_a_closed_room) { run_mode(2, 60); }
FILO_TEST(momentum_is_kept) { run_mode(3, 60); }
