// Any bytes as an image: it is refused with a message, or it is read, and can be written and read again as the same.

#include <filo/image.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); // of libFuzzer

static const FiloImageOptions options = { .memory_limit = FILO_KIB(256) };

static void check_error(const FiloResult *result) {
    if (result->message[0] == '\0') abort();
}

static void write_and_read(const FiloPixels *pixels) {
    FiloFileData file;
    FiloPixels again;
    if (filo_image_encode(pixels, &file, NULL).code != FILO_OK) abort();
    if (filo_image_decode(&again, file.bytes, file.size, "again.png", NULL).code != FILO_OK) abort();
    if (filo_pixels_compare(pixels, &again, 0).largest != 0) abort();
    filo_pixels_free(&again, NULL);
    filo_file_free(&file);
}

static void decode_as(const char *name, const uint8_t *data, size_t size) {
    FiloPixels pixels;
    FiloResult result = filo_image_decode(&pixels, data, size, name, &options);
    if (result.code == FILO_OK)
        write_and_read(&pixels);
    else
        check_error(&result);
    FiloImageFrames frames;
    result = filo_image_decode_frames(&frames, data, size, name, &options);
    if (result.code != FILO_OK) check_error(&result);
    if (result.code == FILO_OK && frames.pixels.height != frames.height * frames.frame_count) abort();
    filo_pixels_free(&pixels, NULL);
    filo_image_frames_free(&frames, NULL);
}

static void decode_grey(const uint8_t *data, size_t size) {
    FiloGrey16 grey, again;
    FiloFileData file;
    FiloResult result = filo_grey16_decode(&grey, data, size, "fuzz.png", &options);
    if (result.code != FILO_OK) {
        check_error(&result);
        if (grey.data != NULL) abort();
        // Bytes that are no PNG may be raw values.
        FiloRawDesc raw = { .width = size > 1 ? data[0] : 0, .height = size > 1 ? data[1] : 0 };
        if ((raw.width == 0) != (raw.height == 0)) raw = (FiloRawDesc){ 0 };
        result = filo_grey16_decode_raw(&grey, data, size, "fuzz.r16", &raw, &options);
        if (result.code != FILO_OK) check_error(&result);
    }
    if (result.code != FILO_OK) return;
    if (filo_grey16_encode(&grey, &file, NULL).code != FILO_OK) abort();
    if (filo_grey16_decode(&again, file.bytes, file.size, "again.png", NULL).code != FILO_OK) abort();
    if (again.width != grey.width || again.height != grey.height) abort();
    size_t count = (size_t)grey.width * (size_t)grey.height;
    if (memcmp(again.data, grey.data, count * sizeof *grey.data) != 0) abort();
    filo_grey16_free(&again, NULL);
    filo_grey16_free(&grey, NULL);
    filo_file_free(&file);
}

// ---- Past the checksums of PNG --------------------------------------------------------------------------

static uint32_t checksum(const uint8_t *bytes, size_t count) {
    uint32_t rest = 0xFFFFFFFFu;
    for (size_t i = 0; i < count; i++) {
        rest ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) rest = rest >> 1 ^ (0xEDB88320u & (0u - (rest & 1)));
    }
    return ~rest;
}

static uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Repairs the checksum of every complete chunk. Otherwise mutated images would almost always be refused early.
static void repair_chunks(uint8_t *data, size_t size) {
    static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n' };
    if (size < 8 || memcmp(data, signature, 8) != 0) return;
    for (size_t at = 8; size - at >= 12;) {
        size_t length = big_endian(data + at);
        if (length > size - at - 12) return;
        uint32_t sum = checksum(data + at + 4, length + 4);
        for (unsigned i = 0; i < 4; i++) data[at + 8 + length + i] = (uint8_t)(sum >> (24 - 8 * i));
        at += length + 12;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    size = LLVMFuzzerMutate(data, size, max_size);
    if (seed % 8 != 0) repair_chunks(data, size); // sometimes leaves a wrong one
    return size;
}

// ---- The test ---------------------------------------------------------------------------------------------

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // With this name, bytes without another signature are read as TGA.
    decode_as("fuzz.tga", data, size);
    decode_grey(data, size);
    float *values;
    int width, height;
    if (filo_image_decode_float(&values, &width, &height, data, size, "fuzz.hdr", &options).code == FILO_OK)
        filo_free(NULL, values, (size_t)width * (size_t)height * 16, 0);
    return 0;
}
