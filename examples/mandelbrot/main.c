// The Mandelbrot set on all processors: rows of a picture as the items of a loop. It shows
//   - filo_jobs_for_each: some rows cost a hundred times as much as others, and still no worker is idle;
//   - the same picture, to the bit, on any number of threads (--hash), because each pixel is written by one job;
//   - the speed-up by more threads (--stats), and a timeline of the threads (--trace).
//
// Try: ./dev run mandelbrot --x -0.5 --y 0 --zoom 0.8 --depth 300          the whole set
//      ./dev run mandelbrot --threads 1 --hash, then 2, then 64
//      ./dev run mandelbrot --trace out/mandelbrot.json, then open that in a browser at ui.perfetto.dev

#include <filo/filo.h>
#include <filo/jobs.h>

#include <stdatomic.h>
#include <stdio.h>
#include <strings.h>
#include <unistd.h>

// ---- Data ---------------------------------------------------------------------------------------------

typedef struct Picture {
    int width, height, samples; // samples: of a pixel, in each direction
    int depth;                  // steps after which a point counts as inside
    float x, y, zoom;           // the centre, and the magnification: at 1 the picture is 3 wide
    FiloColor *pixels;
    FiloJobs *jobs;
    int64_t started_ns, shown_ns;
    bool interactive; // prints to a terminal
    atomic_int rows_done;
} Picture;

static const FiloVec3 palette[] = { { 0.02f, 0.03f, 0.14f }, { 0.04f, 0.22f, 0.55f }, { 0.45f, 0.78f, 0.95f },
                                    { 1.00f, 0.97f, 0.86f }, { 1.00f, 0.66f, 0.12f }, { 0.55f, 0.13f, 0.10f },
                                    { 0.14f, 0.02f, 0.12f } };

// ---- Work ---------------------------------------------------------------------------------------------

static FiloVec3 from_palette(float t) { // periodic
    const size_t count = FILO_COUNT_OF(palette);
    float position = filo_fract(t) * (float)count;
    size_t i = FILO_MIN((size_t)filo_to_int(position), count - 1);
    float s = position - (float)i;
    return filo_vec3_lerp(palette[i], palette[(i + 1) % count], s * s * (3 - 2 * s));
}

// The colour of the point c = cx + i cy. z is the iterated value, d its derivative by c, from which follows the slope
// of the picture there, for light from the upper left.
static FiloVec3 colour_of(double cx, double cy, int depth) {
    double zx = 0, zy = 0, dx = 0, dy = 0;
    for (int step = 0; step < depth; step++) {
        double xx = zx * zx, yy = zy * zy, next = 2 * (zx * dx - zy * dy) + 1;
        dy = 2 * (zx * dy + zy * dx);
        dx = next;
        zy = 2 * zx * zy + cy;
        zx = xx - yy + cx;
        double size = zx * zx + zy * zy;
        if (size < 1e6) continue;
        float smooth = (float)(step + 1) - filo_log2(0.5f * filo_log2((float)size));
        FiloVec2 slope = filo_vec2_normalise(
            filo_vec2((float)((zx * dx + zy * dy) / size), (float)((zy * dx - zx * dy) / size)));
        float light = (1.4f - 0.7071f * (slope.x - slope.y)) / 2.4f;
        return filo_vec3_scale(from_palette(0.11f * filo_sqrt(smooth) + 0.42f), 0.45f + 0.75f * light);
    }
    return filo_vec3(0, 0, 0);
}

static void show_progress(Picture *picture) { // only on the main thread
    int64_t now = filo_time_ns();
    if (!picture->interactive || now - picture->shown_ns < 50 * FILO_MILLISECOND) return;
    picture->shown_ns = now;
    int done = atomic_load(&picture->rows_done);
    printf("\r%3d %%  %6.0f rows/s ", done * 100 / picture->height,
           done * 1e9 / (double)(now - picture->started_ns));
    fflush(stdout);
}

static FiloColor pixel_at(const Picture *picture, int column, int row) {
    int samples = picture->samples;
    double step = 3.0 / (double)picture->zoom / picture->width / samples;
    FiloVec3 sum = filo_vec3(0, 0, 0);
    for (int i = 0; i < samples * samples; i++) {
        int across = i % samples, down = i / samples;
        double x = (column - picture->width * 0.5) * samples + across + 0.5;
        double y = (picture->height * 0.5 - row) * samples - down - 0.5;
        FiloVec3 colour =
            colour_of((double)picture->x + x * step, (double)picture->y + y * step, picture->depth);
        sum = filo_vec3_add_scaled(sum, colour, 1.0f / (float)(samples * samples));
    }
    return filo_color_from_straight(filo_vec4_from_vec3(sum, 1));
}

static void draw_rows(size_t begin, size_t end, void *user) {
    FILO_ZONE("rows");
    Picture *picture = user;
    for (size_t row = begin; row < end; row++) {
        FiloColor *pixels = picture->pixels + row * (size_t)picture->width;
        for (int column = 0; column < picture->width; column++)
            pixels[column] = pixel_at(picture, column, (int)row);
        atomic_fetch_add(&picture->rows_done, 1);
        if (filo_jobs_worker(picture->jobs) == 0) show_progress(picture);
    }
}

// ---- Setup --------------------------------------------------------------------------------------------

static size_t size_of(const Picture *picture) {
    return (size_t)picture->width * (size_t)picture->height * sizeof *picture->pixels;
}

// Draws the picture on so many threads (0: one per processor), and returns the time and the number of threads.
static FiloResult draw(Picture *picture, int threads, double *ms, int *threads_used) {
    FiloResult r = filo_jobs_create(&picture->jobs, &(FiloJobsDesc){ .threads = threads });
    if (r.code != FILO_OK) return r;
    picture->started_ns = picture->shown_ns = filo_time_ns();
    atomic_store(&picture->rows_done, 0);
    filo_jobs_for_each(picture->jobs, (size_t)picture->height, draw_rows, picture);
    *ms = (double)(filo_time_ns() - picture->started_ns) / 1e6;
    *threads_used = filo_jobs_threads(picture->jobs);
    filo_jobs_destroy(picture->jobs, FILO_JOBS_FINISH);
    return filo_ok();
}

// Checks the path before the picture is drawn, which may take long.
static FiloResult prepare(const char *path) {
    const char *extension = filo_path_extension(path);
    if (extension[0] != '\0' && strcasecmp(extension, "png") != 0)
        return filo_error(FILO_ERROR_UNSUPPORTED, "%s: pictures are written as PNG: let the name end in .png",
                          path);
    char folder[FILO_PATH_SIZE];
    return filo_path_folder(folder, sizeof folder, path) ? filo_folder_make(folder) : filo_ok();
}

static FiloResult save(const Picture *picture, const char *path) {
    FiloPixels pixels = { picture->pixels, picture->width, picture->height, .stride = picture->width };
    return filo_pixels_save(&pixels, path);
}

static FiloResult run(Picture *picture, const FiloCommonArgs *common) {
    double ms, ms_alone;
    int threads, threads_alone;
    FiloResult r = prepare(common->shot);
    if (r.code == FILO_OK) r = draw(picture, common->threads, &ms, &threads);
    if (r.code == FILO_OK) r = save(picture, common->shot);
    if (r.code != FILO_OK) return r;
    const char *begin = picture->interactive ? "\r" : "";
    printf("%s%s: %d x %d pixels, %.0f ms on %d threads\n", begin, common->shot, picture->width,
           picture->height, ms, threads);
    if (common->hash) printf("%016llx\n", (unsigned long long)filo_hash(picture->pixels, size_of(picture)));
    if (!common->stats) return r;
    r = draw(picture, 1, &ms_alone, &threads_alone); // once more, to compare
    if (r.code != FILO_OK) return r;
    printf("%s{\"ms\":%.1f,\"threads\":%d,\"ms_alone\":%.1f,\"efficiency\":%.3f}\n", begin, ms, threads,
           ms_alone, ms_alone / ms / threads);
    return r;
}

// ---- Main ---------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    Picture picture = { 960, 540, 2, 2000, -0.74335f, 0.13135f, 750, .interactive = isatty(STDOUT_FILENO) };
    const FiloFlag flags[] = {
        { "width", "of the picture, in pixels", .integer = &picture.width, .min = 1, .max = 16384 },
        { "height", "of the picture, in pixels", .integer = &picture.height, .min = 1, .max = 16384 },
        { "samples", "points in a pixel, in each direction", .integer = &picture.samples, .min = 1,
          .max = 16 },
        { "depth", "steps until a point counts as inside", .integer = &picture.depth, .min = 1, .max = 1e6 },
        { "x", "centre of the picture", .real = &picture.x, .min = -3, .max = 3 },
        { "y", "centre of the picture", .real = &picture.y, .min = -3, .max = 3 },
        { "zoom", "magnification; 1: the whole set", .real = &picture.zoom, .min = 0.1, .max = 1e9 },
    };
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Draws the Mandelbrot set on all processors.",
                          FILO_ARGS_FLAGS(flags),
                          .defaults = { .shot = "out/mandelbrot.png" },
                          .ignores =
                              (FILO_ARGS_SCREEN & ~FILO_ARGS_SHOT) | FILO_ARGS_FRAMES | FILO_ARGS_SEED };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    if (args.common.trace != NULL) filo_profile_start(NULL);
    FiloResult r = filo_error(FILO_ERROR_MEMORY, "no memory for the picture");
    picture.pixels = filo_alloc(NULL, size_of(&picture), 0);
    if (picture.pixels != NULL) r = run(&picture, &args.common);
    if (r.code == FILO_OK && args.common.trace != NULL) r = filo_profile_save_trace(args.common.trace, NULL);
    if (r.code != FILO_OK) filo_log_error("mandelbrot", "%s", r.message);
    filo_free(NULL, picture.pixels, size_of(&picture), 0);
    return r.code == FILO_OK ? 0 : 1;
}
