// Reading numbers and texts of a file's body.

#include "ecs/save/save.h"

const uint8_t *ecs_load_take(EcsSaveReader *reader, uint64_t count, uint64_t size) {
    uint64_t bytes;
    if (reader->failed || __builtin_mul_overflow(count, size, &bytes) || bytes > reader->size - reader->at) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t *at = reader->bytes + reader->at;
    reader->at += (size_t)bytes;
    return at;
}

uint8_t ecs_load_take_u8(EcsSaveReader *reader) {
    const uint8_t *at = ecs_load_take(reader, 1, 1);
    return at != NULL ? *at : 0;
}

uint32_t ecs_load_take_u32(EcsSaveReader *reader) {
    uint32_t number = 0;
    const uint8_t *at = ecs_load_take(reader, 1, sizeof number);
    if (at != NULL) memcpy(&number, at, sizeof number);
    return number;
}

uint64_t ecs_load_take_u64(EcsSaveReader *reader) {
    uint64_t number = 0;
    const uint8_t *at = ecs_load_take(reader, 1, sizeof number);
    if (at != NULL) memcpy(&number, at, sizeof number);
    return number;
}

FiloString ecs_load_take_text(EcsSaveReader *reader) {
    uint32_t length = ecs_load_take_u32(reader);
    const uint8_t *at = ecs_load_take(reader, length, 1);
    return at != NULL ? filo_string_from((const char *)at, length) : filo_string_from(NULL, 0);
}
