// Any text as a .gltf file: it is refused with a message, or everything in the model is in range. Buffers are data URIs.

#include "fuzz/gltf_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_gltf(data, size, "fuzz.gltf");
    return 0;
}
