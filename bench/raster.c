// Benchmarks of the rasteriser: a frame of 100,000 sprites. The reference is a loop written for exactly this scene: it
// draws the sprites with vector instructions straight to the picture, on one thread.

#include "bench.h"

#include <filo/raster.h>

#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#    include <immintrin.h>
#endif

#define WIDTH   800
#define HEIGHT  600
#define SPRITES 100000
#define SIDE    16 // of a sprite
#define HALF    (SIDE * 0.5f)

typedef struct Frame {
    FiloJobs *jobs;
    FiloRaster *raster;
    FiloPixels target, other, images[4];
    FiloQuad *quads;
    FiloRasterStats best; // of the fastest frame
} Frame;

static const FiloColor background = { 20, 30, 50, 255 };

// ---- The reference ------------------------------------------------------------------------------------

#ifdef __x86_64__

#    define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i times(__m256i a, __m256i b) { // a · b / 255 of 16 numbers, rounded to the nearest
    __m256i p = _mm256_add_epi16(_mm256_mullo_epi16(a, b), _mm256_set1_epi16(128));
    return _mm256_srli_epi16(_mm256_add_epi16(p, _mm256_srli_epi16(p, 8)), 8);
}

AVX2 static inline __m256i tint_and_blend(__m256i texels, __m256i pixels, __m256i tint) { // 16 bits a channel
    __m256i light = times(texels, tint);
    __m256i alpha = _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(light, 0xFF), 0xFF);
    __m256i behind = times(pixels, _mm256_sub_epi16(_mm256_set1_epi16(255), alpha));
    return _mm256_add_epi16(light, behind);
}

AVX2 static void blit(FiloColor *to, int to_stride, const FiloColor *from, int from_stride, FiloColor color) {
    const __m256i zero = _mm256_setzero_si256();
    __m128i four = _mm_set1_epi32((int)((uint32_t)color.r | (uint32_t)color.g << 8 | (uint32_t)color.b << 16 |
                                        (uint32_t)color.a << 24));
    __m256i tint = _mm256_cvtepu8_epi16(four);
    for (int y = 0; y < SIDE; y++, to += to_stride, from += from_stride) {
        for (int x = 0; x < SIDE; x += 8) {
            __m256i texels = _mm256_loadu_si256((const __m256i *)(const void *)(from + x));
            __m256i pixels = _mm256_loadu_si256((const __m256i *)(const void *)(to + x));
            __m256i low =
                tint_and_blend(_mm256_unpacklo_epi8(texels, zero), _mm256_unpacklo_epi8(pixels, zero), tint);
            __m256i high =
                tint_and_blend(_mm256_unpackhi_epi8(texels, zero), _mm256_unpackhi_epi8(pixels, zero), tint);
            _mm256_storeu_si256((__m256i *)(void *)(to + x), _mm256_packus_epi16(low, high));
        }
    }
}

static bool has_reference(void) { return __builtin_cpu_supports("avx2"); }

#else

static void blit(FiloColor *to, int to_stride, const FiloColor *from, int from_stride, FiloColor color) {
    for (int y = 0; y < SIDE; y++, to += to_stride, from += from_stride)
        for (int x = 0; x < SIDE; x++) to[x] = filo_color_over(filo_color_mul(from[x], color), to[x]);
}

static bool has_reference(void) { return true; }

#endif

// The first pixel whose centre is at or after `edge`, which is rounded to 1/256.
static int first_pixel(float edge) { return (filo_round_to_int(edge * 256.0f) + 127) >> 8; }

static double frame_by_reference(void *state) {
    Frame *frame = state;
    int64_t start = filo_time_ns();
    filo_pixels_fill(&frame->other, background);
    for (size_t i = 0; i < SPRITES; i++) {
        const FiloQuad *q = &frame->quads[i];
        const FiloPixels *image = &frame->images[q->image];
        int x = first_pixel(q->x - q->ax), y = first_pixel(q->y + q->by);
        blit(filo_pixels_at(&frame->other, x, y), frame->other.stride, filo_pixels_at(image, q->u0, q->v0),
             image->stride, q->color);
    }
    bench_clobber();
    return (double)(filo_time_ns() - start) / 1e6;
}

// ---- The rasteriser -----------------------------------------------------------------------------------

static double frame_by_raster(void *state) {
    Frame *frame = state;
    FiloRasterPass pass = { .target = frame->target,
                            .clear = true,
                            .color = background,
                            .view = filo_affine2_identity(),
                            .images = frame->images,
                            .image_count = FILO_COUNT_OF(frame->images),
                            .spans = &(FiloQuadSpan){ frame->quads, SPRITES },
                            .span_count = 1 };
    int64_t start = filo_time_ns();
    filo_raster_draw(frame->raster, &pass);
    double ms = (double)(filo_time_ns() - start) / 1e6;
    FiloRasterStats stats = filo_raster_stats(frame->raster);
    if (frame->best.raster_ns == 0 ||
        stats.bin_ns + stats.raster_ns < frame->best.bin_ns + frame->best.raster_ns)
        frame->best = stats;
    return ms;
}

// ---- Scene --------------------------------------------------------------------------------------------

static FiloColor random_color(FiloRandom *random, float alpha) {
    float red = filo_random_float(random), green = filo_random_float(random),
          blue = filo_random_float(random);
    return filo_color_from_straight(filo_vec4(red, green, blue, alpha));
}

// Discs with soft edges, so that all values of alpha occur.
static void paint(FiloPixels *image, FiloRandom *random) {
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            float dx = (float)(x % SIDE) - 7.5f, dy = (float)(y % SIDE) - 7.5f;
            float alpha = filo_clamp01((64.0f - dx * dx - dy * dy) / 40.0f);
            *filo_pixels_at(image, x, y) = random_color(random, alpha);
        }
    }
}

static void begin(Frame *frame, int threads) {
    *frame = (Frame){ 0 };
    FiloRandom random = filo_random_keyed(5, 6, 7, 8);
    bool made =
        filo_jobs_create(&frame->jobs, &(FiloJobsDesc){ .threads = threads }).code == FILO_OK &&
        filo_raster_create(&frame->raster, &(FiloRasterDesc){ .jobs = frame->jobs }).code == FILO_OK &&
        filo_pixels_create(&frame->target, WIDTH, HEIGHT, NULL) &&
        filo_pixels_create(&frame->other, WIDTH, HEIGHT, NULL);
    for (size_t i = 0; i < FILO_COUNT_OF(frame->images); i++) {
        made = made && filo_pixels_create(&frame->images[i], 4 * SIDE, 4 * SIDE, NULL);
        if (made) paint(&frame->images[i], &random);
    }
    frame->quads = calloc(SPRITES, sizeof *frame->quads);
    if (!made || frame->quads == NULL) filo_panic("no memory for the benchmark");
    for (size_t i = 0; i < SPRITES; i++) {
        FiloQuad *q = &frame->quads[i];
        q->x = HALF + filo_random_float(&random) * (WIDTH - SIDE);
        q->y = HALF + filo_random_float(&random) * (HEIGHT - SIDE);
        q->ax = HALF, q->by = -HALF;
        q->u0 = (uint16_t)(filo_random_u32(&random) % 4 * SIDE), q->u1 = (uint16_t)(q->u0 + SIDE);
        q->v0 = (uint16_t)(filo_random_u32(&random) % 4 * SIDE), q->v1 = (uint16_t)(q->v0 + SIDE);
        q->color = random_color(&random, 0.8f);
        q->image = (uint16_t)(i % FILO_COUNT_OF(frame->images));
    }
}

static void end(Frame *frame) {
    for (size_t i = 0; i < FILO_COUNT_OF(frame->images); i++) filo_pixels_free(&frame->images[i], NULL);
    filo_pixels_free(&frame->target, NULL);
    filo_pixels_free(&frame->other, NULL);
    free(frame->quads);
    filo_raster_destroy(frame->raster);
    filo_jobs_destroy(frame->jobs, FILO_JOBS_FINISH);
}

static double binning(void *state) {
    frame_by_raster(state);
    return ((Frame *)state)->best.bin_ns / 1e6;
}

static double drawing(void *state) { return ((Frame *)state)->best.raster_ns / 1e6; }

FILO_BENCH(raster) {
    if (!bench_wanted("raster") || !has_reference()) return;
    Frame frame;
    begin(&frame, 1);
    bench_compare(&(BenchFigure){ "raster.frame", "ms", frame_by_raster, frame_by_reference,
                                  "AVX2 loop by hand", &frame, 0, false });
    bench_expect(filo_pixels_compare(&frame.target, &frame.other, 0).pixels < 200, "raster.frame");
    bench_compare(
        &(BenchFigure){ "raster.bin", "ms", binning, drawing, "drawing the same", &frame, 0, false });
    end(&frame);
    begin(&frame, 2);
    bench_compare(&(BenchFigure){ "raster.frame_2", "ms", frame_by_raster, frame_by_reference,
                                  "AVX2 loop by hand, one thread", &frame, 0, false });
    end(&frame);
}
