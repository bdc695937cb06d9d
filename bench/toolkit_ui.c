// The UI: a table of ten thousand rows, of which only the visible ones may cost.

#include "bench.h"

#include <filo/ui.h>

#define WIDTH  1280
#define HEIGHT 720
#define ROWS   10000
#define FRAMES 50

typedef struct Stage {
    FiloJobs *jobs;
    FiloWorld *world;
    FiloGpu *gpu;
    FiloGfx2d *gfx;
    FiloUi *ui;
    size_t visible; // rows that fit
} Stage;

static bool begin(Stage *stage) {
    *stage = (Stage){ 0 };
    FiloResult r = filo_jobs_create(&stage->jobs, &(FiloJobsDesc){ .threads = 1 });
    if (r.code == FILO_OK) r = filo_world_create(&stage->world, &(FiloWorldDesc){ .jobs = stage->jobs });
    if (r.code == FILO_OK) r = filo_gpu_create(&stage->gpu, &(FiloGpuDesc){ .kind = FILO_GPU_NULL });
    if (r.code == FILO_OK)
        r = filo_gfx2d_create(&stage->gfx, &(FiloGfx2dDesc){ .world = stage->world, .gpu = stage->gpu });
    if (r.code == FILO_OK) r = filo_ui_create(&stage->ui, &(FiloUiDesc){ .gfx = stage->gfx });
    bench_expect(r.code == FILO_OK, "a UI on the null device");
    return r.code == FILO_OK;
}

static void end(Stage *stage) {
    filo_ui_destroy(stage->ui);
    filo_gfx2d_destroy(stage->gfx);
    filo_gpu_destroy(stage->gpu);
    filo_world_destroy(stage->world);
    filo_jobs_destroy(stage->jobs, FILO_JOBS_FINISH);
}

// The same number of rows is visible, whatever the number of rows is.
static size_t show_table(FiloUi *ui, size_t rows) {
    static const FiloUiColumn columns[] = { { .title = "Number", .width = 100, .right = true },
                                            { .title = "Name" },
                                            { .title = "Size", .width = 120, .right = true } };
    FiloUiTable table = { .columns = columns, .column_count = 3, .row_count = rows, .stripes = true };
    size_t built = 0;
    filo_ui_begin_window(ui, "Objects", &(FiloUiWindow){ .position = { 20, 20 }, .size = { 800, 640 } });
    if (filo_ui_begin_table(ui, "table", &table))
        for (size_t row; filo_ui_table_row(ui, &row); built++) {
            filo_ui_format(ui, "%zu", row);
            filo_ui_format(ui, "object %zu", row);
            filo_ui_format(ui, "%zu", row * 977 % 5000);
        }
    filo_ui_end(ui);
    filo_ui_end(ui);
    return built;
}

static size_t run_frame(Stage *stage, size_t rows) {
    filo_ui_begin_frame(
        stage->ui, &(FiloUiFrame){ .width = WIDTH, .height = HEIGHT, .seconds = 1.0f / 60, .still = true });
    size_t built = show_table(stage->ui, rows);
    filo_ui_end_frame(stage->ui);
    filo_gfx2d_extract(stage->gfx, &(FiloExtract){ .width = WIDTH, .height = HEIGHT, .blend = 1 });
    filo_ui_draw(stage->ui, filo_gfx2d_draw(stage->gfx));
    filo_gfx2d_render(stage->gfx);
    filo_gpu_end_frame(stage->gpu);
    filo_gpu_null_forget(stage->gpu);
    return built;
}

static double microseconds(Stage *stage, size_t rows) {
    double ns;
    for (int i = 0; i < 3; i++) run_frame(stage, rows);
    bench_time(ns, FRAMES, bench_use(run_frame(stage, rows)));
    return ns / 1000;
}

static double all_rows(void *state) { return microseconds(state, ROWS); }
static double visible_rows(void *state) { return microseconds(state, ((Stage *)state)->visible); }

FILO_BENCH(toolkit) {
    Stage stage;
    if (!bench_shows("toolkit.table_10k") || !begin(&stage)) return;
    run_frame(&stage, ROWS);
    stage.visible = run_frame(&stage, ROWS);
    bench_expect(stage.visible > 10 && stage.visible < 60, "only the visible rows are built");
    bench_compare(&(BenchFigure){ .name = "toolkit.table_10k",
                                  .unit = "µs",
                                  .ours = all_rows,
                                  .reference = visible_rows,
                                  .reference_name = "a table of the visible rows alone",
                                  .state = &stage });
    end(&stage);
}
