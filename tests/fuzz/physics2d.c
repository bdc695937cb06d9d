// Any bytes as a history of a world with physics: see tests/physics2d/fuzz_run.h.

#include <filo/log.h>

#include <stdio.h>
#include <stdlib.h>

#define FUZZ_FAIL(...)                                                                                       \
    do {                                                                                                     \
        fprintf(stderr, __VA_ARGS__);                                                                        \
        fputc('\n', stderr);                                                                                 \
        abort();                                                                                             \
    } while (0)

#include "physics2d/fuzz_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static FiloJobs *jobs;
    if (jobs == NULL && filo_log_set_filter(FILO_LOG_TERMINAL, "off").code != FILO_OK) abort();
    if (jobs == NULL && filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 3 }).code != FILO_OK) abort();
    fuzz_run(data, size, jobs);
    return 0;
}
