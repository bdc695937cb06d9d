// Any text as a .gltf file: it is refused with a message, or everything in the model is in range. Buffers are data URIs.

#include "fuzz/gltf_check.h"

#include <filo/log.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    filo_log_set_filter(FILO_LOG_TERMINAL, "error");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_gltf(data, size, "fuzz.gltf");
    return 0;
}
