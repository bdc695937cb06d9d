// Files that games load, made in memory: a PNG and a JPEG of 3840 × 2160 pixels, 1,000 PNGs of 32 × 32, a minute of Vorbis. The
// references are the libraries alone, which give the same pixels, in memory of Filo's heap too, and samples of 16 bits. Filo
// multiplies by alpha, checks limits and looks for the orientation besides.

#include "audio/sounds/file.h"
#include "bench.h"

#include <math.h>
#include <sndfile.h>
#include <spng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vorbis/vorbisfile.h>

#include <jpeglib.h>

#define WIDTH  3840
#define HEIGHT 2160
#define SMALL  32
#define RATE   44100
#define FRAMES ((size_t)RATE * 60)
#define PART   4096

typedef struct ImageFiles {
    FiloFileData *files;
    size_t count;
    FiloResult (*reference)(const FiloFileData *file, uint8_t *pixels, size_t size);
} ImageFiles;

static double ms_since(int64_t start) { return (double)(filo_time_ns() - start) * 1e-6; }

// Soft waves with some noise, and letters' hard edges, in part transparent.
static FiloPixels make_picture(int width, int height, uint32_t seed) {
    FiloPixels pixels;
    bench_expect(filo_pixels_create(&pixels, width, height, NULL), "memory");
    uint32_t noise = seed * 2654435761u + 1;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            noise = noise * 1664525u + 1013904223u;
            int wave = (int)(100 + 60 * sinf((float)x * 0.011f + (float)seed) * cosf((float)y * 0.017f));
            int value = wave + (int)(noise >> 28) + ((x / 24 + y / 40) % 7 == 0 ? 80 : 0);
            *filo_pixels_at(&pixels, x, y) =
                filo_color_from_bytes((uint8_t)value, (uint8_t)(value / 2 + y % 64), (uint8_t)(255 - value),
                                      y % 96 < 8 ? 128 : 255);
        }
    return pixels;
}

static FiloFileData make_png(int width, int height, uint32_t seed) {
    FiloPixels pixels = make_picture(width, height, seed);
    FiloFileData file;
    bench_expect(filo_image_encode(&pixels, &file, NULL).code == FILO_OK, "a PNG is written");
    filo_pixels_free(&pixels, NULL);
    return file;
}

static void make_jpeg(unsigned char **bytes, unsigned long *size) {
    FiloPixels pixels = make_picture(WIDTH, HEIGHT, 0);
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, bytes, size);
    jpeg.image_width = WIDTH;
    jpeg.image_height = HEIGHT;
    jpeg.input_components = 4;
    jpeg.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 85, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < HEIGHT; y++) {
        JSAMPROW row = (JSAMPROW)filo_pixels_at(&pixels, 0, y);
        (void)jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    filo_pixels_free(&pixels, NULL);
}

// ---- Images ---------------------------------------------------------------------------------------------

static FiloResult spng_alone(const FiloFileData *file, uint8_t *pixels, size_t size) {
    spng_ctx *png = spng_ctx_new(0);
    int error = spng_set_png_buffer(png, file->bytes, file->size);
    if (error == 0) error = spng_decode_image(png, pixels, size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
    spng_ctx_free(png);
    return error == 0 ? filo_ok() : filo_error(FILO_ERROR_DATA, "spng");
}

static FiloResult jpeg_alone(const FiloFileData *file, uint8_t *pixels, size_t size) {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, file->bytes, file->size);
    (void)jpeg_read_header(&jpeg, TRUE);
    jpeg.out_color_space = JCS_EXT_RGBA;
    (void)jpeg_start_decompress(&jpeg);
    while (jpeg.output_scanline < jpeg.output_height) {
        JSAMPROW row = pixels + size / jpeg.output_height * jpeg.output_scanline;
        (void)jpeg_read_scanlines(&jpeg, &row, 1);
    }
    (void)jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    return filo_ok();
}

static double images_filo(void *state) {
    const ImageFiles *images = state;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < images->count; i++) {
        FiloPixels pixels;
        FiloResult r =
            filo_image_decode(&pixels, images->files[i].bytes, images->files[i].size, "bench", NULL);
        bench_expect(r.code == FILO_OK, "the image is read");
        filo_pixels_free(&pixels, NULL);
    }
    return ms_since(start);
}

static double images_alone(void *state) {
    const ImageFiles *images = state;
    size_t size = images->count == 1 ? (size_t)WIDTH * HEIGHT * 4 : (size_t)SMALL * SMALL * 4;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < images->count; i++) {
        uint8_t *pixels = filo_alloc(NULL, size, 0);
        bench_expect(images->reference(&images->files[i], pixels, size).code == FILO_OK, "the image is read");
        filo_free(NULL, pixels, size, 0);
    }
    return ms_since(start);
}

static void compare_images(const char *name, ImageFiles images, const char *library) {
    bench_compare(&(BenchFigure){ .name = name,
                                  .unit = "ms",
                                  .ours = images_filo,
                                  .reference = images_alone,
                                  .reference_name = library,
                                  .state = &images });
}

static void compare_pngs(void) {
    FiloFileData large = make_png(WIDTH, HEIGHT, 0);
    compare_images("assets.png.4k", (ImageFiles){ &large, 1, spng_alone }, "libspng alone");
    filo_file_free(&large);
    FiloFileData small[1000];
    for (size_t i = 0; i < FILO_COUNT_OF(small); i++) small[i] = make_png(SMALL, SMALL, (uint32_t)i);
    compare_images("assets.png.1000", (ImageFiles){ small, FILO_COUNT_OF(small), spng_alone },
                   "libspng alone");
    for (size_t i = 0; i < FILO_COUNT_OF(small); i++) filo_file_free(&small[i]);
}

static void compare_jpeg(void) {
    FiloFileData file = { 0 };
    unsigned long size = 0;
    make_jpeg(&file.bytes, &size);
    file.size = size;
    compare_images("assets.jpeg.4k", (ImageFiles){ &file, 1, jpeg_alone }, "libjpeg-turbo alone");
    free(file.bytes);
}

// ---- Sound ----------------------------------------------------------------------------------------------

static int16_t part[2 * PART];

static FiloFileData make_vorbis(void) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/filo_bench_%d.ogg", (int)getpid());
    SF_INFO info = { .samplerate = RATE, .channels = 2, .format = SF_FORMAT_OGG | SF_FORMAT_VORBIS };
    SNDFILE *sound = sf_open(path, SFM_WRITE, &info);
    bench_expect(sound != NULL, "a sound is written");
    for (size_t frame = 0; frame < FRAMES; frame++) {
        size_t at = frame % PART;
        for (size_t k = 0; k < 2; k++)
            part[2 * at + k] = (int16_t)(9000 * sin((double)frame * (0.03 + 0.01 * (double)k)) +
                                         4000 * sin((double)frame * (double)(frame % RATE) * 1e-5));
        if (at + 1 == PART || frame + 1 == FRAMES) sf_writef_short(sound, part, (sf_count_t)at + 1);
    }
    sf_close(sound);
    FiloFileData file;
    bench_expect(filo_file_read(&file, path, NULL).code == FILO_OK, "a sound is written");
    unlink(path);
    return file;
}

static double vorbis_filo(void *state) {
    const FiloFileData *file = state;
    AudioFile sound;
    int64_t start = filo_time_ns();
    bench_expect(audio_file_open(&sound, file->bytes, file->size, "bench").code == FILO_OK,
                 "the sound opens");
    size_t frames = 0, got;
    while ((got = audio_file_read(&sound, part, PART)) > 0) frames += got;
    audio_file_close(&sound);
    bench_expect(frames == FRAMES, "the sound is read");
    return ms_since(start);
}

static double vorbis_alone(void *state) {
    const FiloFileData *file = state;
    int64_t start = filo_time_ns();
    FILE *stream = fmemopen(file->bytes, file->size, "rb");
    OggVorbis_File vorbis;
    bench_expect(ov_open_callbacks(stream, &vorbis, NULL, 0, OV_CALLBACKS_NOCLOSE) == 0, "the sound opens");
    size_t bytes = 0;
    long got;
    int section;
    while ((got = ov_read(&vorbis, (char *)part, (int)sizeof part, 0, 2, 1, &section)) > 0)
        bytes += (size_t)got;
    ov_clear(&vorbis);
    fclose(stream);
    bench_expect(bytes == FRAMES * 4, "the sound is read");
    return ms_since(start);
}

static void compare_vorbis(void) {
    FiloFileData file = make_vorbis();
    bench_compare(&(BenchFigure){ .name = "assets.vorbis.60s",
                                  .unit = "ms",
                                  .ours = vorbis_filo,
                                  .reference = vorbis_alone,
                                  .reference_name = "libvorbisfile alone",
                                  .state = &file });
    filo_file_free(&file);
}

FILO_BENCH(assets) {
    if (bench_wanted("assets.png")) compare_pngs();
    if (bench_wanted("assets.jpeg")) compare_jpeg();
    if (bench_wanted("assets.vorbis")) compare_vorbis();
}
