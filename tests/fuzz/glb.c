// Any bytes as a .glb file. Bytes that begin with "glTF" are taken as they are. Others are JSON up to a zero byte and the
// buffer after it, and get the headers of a GLB, because random changes of lengths are hardly ever right.

#include "fuzz/gltf_check.h"

#include <string.h>

static uint8_t *add_u32(uint8_t *out, size_t number) {
    uint32_t value = (uint32_t)number;
    memcpy(out, &value, sizeof value);
    return out + sizeof value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size >= 4 && memcmp(data, "glTF", 4) == 0) {
        fuzz_gltf(data, size, "fuzz.glb");
        return 0;
    }
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    size_t json = zero != NULL ? (size_t)(zero - data) : size, binary = zero != NULL ? size - json - 1 : 0;
    uint8_t *glb = malloc(28 + json + binary), *out = glb;
    if (glb == NULL) return 0;
    memcpy(out, "glTF", 4);
    out = add_u32(add_u32(out + 4, 2), 28 + json + binary);
    out = add_u32(out, json);
    memcpy(out, "JSON", 4);
    if (json > 0) memcpy(out + 4, data, json);
    out = add_u32(out + 4 + json, binary);
    memcpy(out, "BIN", 4);
    if (binary > 0) memcpy(out + 4, zero + 1, binary);
    fuzz_gltf(glb, 28 + json + binary, "fuzz.glb");
    free(glb);
    return 0;
}
