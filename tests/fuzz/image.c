// Any bytes as a picture: refused with a message, or read as a picture that can be written and is then read as the same.

#include <filo/image.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // A name that says TGA makes everything without another signature a TGA.
    decode_as("fuzz.tga", data, size);
    float *values;
    int width, height;
    if (filo_image_decode_float(&values, &width, &height, data, size, "fuzz.hdr", &options).code == FILO_OK)
        filo_free(NULL, values, (size_t)width * (size_t)height * 16, 0);
    return 0;
}
