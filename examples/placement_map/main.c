// Placement map: a valley from above. Terrain, forests, meadows and scree follow from a seed, an ecotope file
// (assets/valley.ecotope.json) and what you paint. What is visible is computed when it becomes visible.
//
//     ./dev run placement_map                             the map
//     ./dev run placement_map --shot out.png --headless   a picture of it
//     ./dev run placement_map --seed 12 --x 900 --y 700 --metres 0.3
//
// Drag with the middle button, or with Shift and the left one; WASD and the arrow keys move, the wheel, Q and E zoom. The
// left button plants trees, the right one removes them. N is the next seed. + and − change the footprints, 1 to 9 and 0
// hide layers, C chooses what computes (the processor in several ways, GL), H hides the panel,
// which has all of this, too.
//
// The steering is in placement_map.c, the terrain in land.c, pictures in ground.c and art.c; this file computes what is
// visible, and draws it.

#include "placement_map.h"

#include <stdlib.h>

// One object as it is drawn.
typedef struct Symbol {
    float x, y, metres;
    FiloColor color;
    uint8_t kind, variant;
} Symbol;

typedef struct Map {
    float x, y, metres; // flags
    bool numbers;
    // As of the extraction.
    View view;
    Paint paint;
    bool repaint;
    FiloRect painted; // metres
    // Computed.
    Land land;
    Ground *ground;
    View made;       // what the following was made for
    FiloRect covers; // metres
    uint32_t footprints;
    bool valid;
    FiloPlacementResult result;
    FiloPlacementGpu *on_gpu; // NULL: not used yet, or there is none
    FiloArray(Symbol) symbols;
    FiloArray(uint64_t) order; // of the symbols, from the top of the picture down
    Panel panel;
} Map;

static double ms_since(int64_t start) { return (double)(filo_time_ns() - start) / 1e6; }

// ---- Making the land ----------------------------------------------------------------------------------------

static float footprints_of(const View *view) { return 1 + 0.1f * (float)view->footprint; }

static void drop_gpu(Map *map) {
    filo_placement_gpu_destroy(map->on_gpu);
    map->on_gpu = NULL;
}

static FiloResult place(Map *map, uint64_t seed) {
    drop_gpu(map); // before its placement
    map->valid = false;
    return land_place(&map->land, FILO_EXAMPLE_ASSETS "/valley.ecotope.json", seed,
                      footprints_of(&map->view));
}

// Applies what was painted since the last frame to the maps, which the placement reads where they are.
static FiloResult repaint(Map *map) {
    map->repaint = map->valid = false;
    land_paint(&map->land, &map->paint, map->painted);
    ground_forget(map->ground, &map->painted);
    if (map->on_gpu == NULL) return filo_ok();
    int woods = filo_placement_map_find(map->land.placement, "woods");
    return filo_placement_gpu_map_changed(map->on_gpu, woods, 0, 0, LAND_SIDE, LAND_SIDE);
}

// Makes what has changed since the last frame again: all of it, what was painted, or the footprints.
static FiloResult update_land(Map *map, FiloApp *app) {
    const View *view = &map->view;
    uint64_t seed = filo_app_args(app)->seed + view->seed;
    bool other = map->land.placement == NULL || view->seed != map->made.seed;
    bool resized = view->footprint != map->made.footprint;
    map->made = *view;
    if (other) {
        drop_gpu(map);
        FiloResult r = land_make(&map->land, filo_app_jobs(app), seed);
        if (r.code != FILO_OK) return r;
        land_paint(&map->land, &map->paint, filo_rect(filo_vec2(0, 0), filo_vec2(LAND_METRES, LAND_METRES)));
        ground_forget(map->ground, NULL);
        map->repaint = false;
    }
    if (other || resized) return place(map, seed);
    return map->repaint ? repaint(map) : filo_ok();
}

// ---- Computing what is visible ------------------------------------------------------------------------------

// Bit n: footprint n. What would be smaller than a pixel is left out, but not the largest, because 0 would mean all.
static uint32_t footprints_for(const Map *map) {
    uint32_t wanted = 1;
    for (size_t i = 1; i < filo_placement_footprint_count(map->land.placement); i++)
        if (filo_placement_footprint_size(map->land.placement, i) > 1.2f * map->view.metres)
            wanted |= 1u << i;
    return wanted;
}

static FiloPlacementRequest request_for(const Map *map) {
    static const FiloPlacementPath paths[PATH_COUNT] = { FILO_PLACEMENT_SCALAR, FILO_PLACEMENT_SIMD,
                                                         FILO_PLACEMENT_AVX2, FILO_PLACEMENT_BEST,
                                                         FILO_PLACEMENT_BEST };
    FiloRect area = map->covers;
    return (FiloPlacementRequest){
        .area = { (double)area.min.x, (double)area.min.y, (double)area.max.x, (double)area.max.y },
        .path = paths[map->view.path],
        .jobs = map->view.path >= PATH_THREADS ? map->land.jobs : NULL,
        .footprints = map->footprints,
    };
}

// The same bytes by compute shaders, waited for and copied to where the processor would have put them.
static FiloResult compute_on_gpu(Map *map, FiloGpu *gpu, const FiloPlacementRequest *request) {
    FiloResult r = filo_ok();
    FiloPlacementGpuFuture future = { 0 };
    FiloPlacementGpuResult result = { 0 };
    if (map->on_gpu == NULL)
        r = filo_placement_gpu_create(&map->on_gpu, gpu,
                                      &(FiloPlacementGpuDesc){ .placement = map->land.placement });
    if (r.code == FILO_OK) r = filo_placement_gpu_start(&future, map->on_gpu, request);
    if (r.code == FILO_OK) r = filo_placement_gpu_take(map->on_gpu, future, &result);
    if (r.code == FILO_OK) r = filo_placement_gpu_convert(map->on_gpu, &result, &map->result);
    if (r.code == FILO_OK) filo_placement_gpu_release(map->on_gpu, &result);
    return r;
}

static FiloColor shade(float light) {
    uint8_t byte = filo_byte_from_unit(light);
    return filo_color(byte, byte, byte, 255);
}

// One symbol for each object, and their order.
static bool prepare(Map *map) {
    const FiloPlacementResult *result = &map->result;
    filo_array_clear(&map->symbols);
    filo_array_clear(&map->order);
    if (!filo_array_reserve(&map->symbols, result->count) || !filo_array_reserve(&map->order, result->count))
        return false;
    float larger_by = footprints_of(&map->view);
    for (size_t layer = 0; layer < filo_placement_layer_count(map->land.placement); layer++) {
        if (map->view.hidden >> layer & 1) continue;
        const SymbolStyle *style = symbol_style(filo_placement_layer_name(map->land.placement, layer));
        for (size_t i = result->first[layer]; i < result->first[layer + 1]; i++) {
            FiloPlacementPosition at = filo_placement_position(result, &result->objects[i]);
            FiloVariant variant = filo_placement_variant(result, &result->objects[i]);
            Soil soil = land_soil_at(&map->land, filo_vec2((float)at.x, (float)at.y));
            FiloColor light = shade(0.60f + 0.32f * land_sun(&soil));
            float down = map->covers.max.y - (float)at.y;
            (void)filo_array_push(&map->order,
                                  (uint64_t)filo_float_to_bits(filo_max(down, 0)) << 32 | map->symbols.count);
            (void)filo_array_push(&map->symbols, (Symbol){ (float)at.x, (float)at.y,
                                                           style->metres * larger_by * variant.scale,
                                                           filo_color_mul(variant.color, light),
                                                           (uint8_t)style->kind, (uint8_t)variant.variant });
        }
    }
    return true;
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static FiloRect larger(FiloRect rect, float by) {
    return filo_rect(filo_vec2(rect.min.x - by, rect.min.y - by),
                     filo_vec2(rect.max.x + by, rect.max.y + by));
}

static bool covers(FiloRect whole, FiloRect part) {
    return filo_rect_contains(larger(whole, 0.01f), part.min) &&
           filo_rect_contains(larger(whole, 0.01f), part.max);
}

static float area_of(FiloRect rect) { return (rect.max.x - rect.min.x) * (rect.max.y - rect.min.y); }

static FiloRect inside_land(FiloRect rect) {
    return filo_rect_intersection(rect, filo_rect(filo_vec2(0, 0), filo_vec2(LAND_METRES, LAND_METRES)));
}

static FiloResult compute(Map *map, FiloGpu *gpu) {
    FiloPlacementRequest request = request_for(map);
    if (map->view.path == PATH_GPU && gpu != NULL) {
        FiloResult r = compute_on_gpu(map, gpu, &request);
        if (r.code != FILO_ERROR_UNSUPPORTED) return r;
    }
    return filo_placement_compute(map->land.placement, &request, &map->result);
}

static FiloResult update_objects(Map *map, FiloGpu *gpu, const View *before, FiloVec2 size) {
    const View *view = &map->view;
    FiloRect visible = inside_land(larger(map_visible(view, size), 10));
    uint32_t footprints = footprints_for(map);
    bool fits = covers(map->covers, visible) && area_of(map->covers) < 3 * area_of(visible);
    if (map->valid && fits && footprints == map->footprints && view->hidden == before->hidden &&
        view->path == before->path)
        return filo_ok();
    map->covers = inside_land(larger(visible, 0.1f * size.x * view->metres));
    map->footprints = footprints;
    int64_t start = filo_time_ns();
    FiloResult r = compute(map, gpu);
    map->panel.compute_ms = ms_since(start);
    if (r.code != FILO_OK) return r;
    start = filo_time_ns();
    if (!prepare(map)) return filo_error(FILO_ERROR_MEMORY, "no memory for %zu objects", map->result.count);
    qsort(map->order.items, map->order.count, sizeof *map->order.items, compare_keys);
    map->panel.prepare_ms = ms_since(start);
    map->valid = true;
    return r;
}

static void read_paint(Map *map, FiloApp *app) {
    if (map->view.strokes == map->made.strokes) return;
    const Paint *paint = filo_get_global(filo_app_world(app), Paint);
    map->painted = map_paint_changes(&map->paint, paint);
    map->paint = *paint;
    map->repaint = map->painted.min.x < map->painted.max.x;
}

// Computes what has become visible since the last call.
static void update(FiloApp *app) {
    Map *map = filo_app_user(app);
    View before = map->made;
    map->view = *filo_get_global(filo_app_world(app), View);
    read_paint(map, app);
    FiloResult r = update_land(map, app);
    FiloVec2 size = filo_vec2_from_ivec2(filo_window_pixels(filo_app_window(app)));
    if (r.code == FILO_OK) r = update_objects(map, filo_app_gpu(app), &before, size);
    if (r.code == FILO_OK) return;
    filo_log_error("placement_map", "%s", r.message);
    filo_app_quit(app);
}

// ---- Drawing ------------------------------------------------------------------------------------------------

static void draw_objects(const Map *map, FiloDraw *draw, FiloVec2 size) {
    FiloRect visible = larger(map_visible(&map->view, size), 10);
    for (size_t i = 0; i < map->order.count; i++) {
        const Symbol *s = &map->symbols.items[(uint32_t)map->order.items[i]];
        if (!filo_rect_contains(visible, filo_vec2(s->x, s->y))) continue;
        FiloVec2 at = map_to_pixel(&map->view, size, filo_vec2(s->x, s->y));
        symbol_draw(draw, (SymbolKind)s->kind, s->variant, at, s->metres / map->view.metres, s->color);
    }
}

static void draw(FiloApp *app, FiloDraw *draw) {
    Map *map = filo_app_user(app);
    FiloVec2 size = filo_draw_size(draw);
    int64_t start = filo_time_ns();
    int made = ground_update(map->ground, filo_app_gfx2d(app), &map->land, &map->view, size,
                             filo_app_args(app)->headless ? 1 << 20 : 2);
    if (made > 0) map->panel.ground_ms = ms_since(start);
    ground_draw(map->ground, draw, &map->view, size);
    draw_objects(map, draw, size);
}

static void ui(FiloApp *app, FiloUi *ui) {
    Map *map = filo_app_user(app);
    // Times differ from run to run, so a picture without a window has them only if it is asked for.
    if (!map->view.panel || !parameters_shown(app, map->numbers)) return;
    update(app); // for its numbers: panels are made before the extraction
    map->panel.missing_gpu = map->view.path == PATH_GPU && map->on_gpu == NULL;
    panel_show(&map->panel, &map->land, &map->result, app, ui);
}

// ---- Setup --------------------------------------------------------------------------------------------------

static FiloResult load(FiloApp *app) {
    return symbols_make(filo_app_assets(app), filo_app_jobs(app))
               ? filo_ok()
               : filo_error(FILO_ERROR_MEMORY, "no memory for the symbols");
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    return map_define(world) && map_handle_messages(world) ? filo_ok()
                                                           : filo_error(FILO_ERROR_MEMORY, "no memory");
}

static FiloResult create(FiloApp *app) {
    Map *map = filo_app_user(app);
    map->ground = ground_create();
    if (parameters_shown(app, map->numbers)) panel_begin(app);
    if (map->ground == NULL || !map_create(filo_app_world(app), filo_vec2(map->x, map->y), map->metres))
        return filo_error(FILO_ERROR_MEMORY, "no memory for the map");
    map->view = *filo_get_global(filo_app_world(app), View);
    return update_land(map, app);
}

// Without a window there is no player: one tick is enough for a picture.
static void frame(FiloApp *app) {
    const FiloCommonArgs *args = filo_app_args(app);
    if (args->headless && args->shot != NULL && args->frames == 0 && args->replay == NULL) filo_app_quit(app);
}

static void end(FiloApp *app) {
    Map *map = filo_app_user(app);
    drop_gpu(map);
    filo_placement_result_free(&map->result);
    filo_array_deinit(&map->symbols);
    filo_array_deinit(&map->order);
    ground_destroy(map->ground);
    land_free(&map->land);
}

// ---- Main ---------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    static Map map = { .x = 660, .y = 1000, .metres = 0.8f };
    const FiloFlag flags[] = {
        { "x", "the middle of the picture, in metres", .real = &map.x, .max = (double)LAND_METRES },
        { "y", "the middle of the picture, in metres", .real = &map.y, .max = (double)LAND_METRES },
        { "metres", "metres of a pixel", .real = &map.metres, .min = (double)METRES_LEAST,
          .max = (double)METRES_MOST },
        { "numbers", "show the panel without a window, too", .on = &map.numbers, .unrecorded = true },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "placement_map",
                                    .summary = "A valley from above: objects placed by density maps.",
                                    .window = { .title = "Placement map" },
                                    .defaults = { .seed = 2 },
                                    .background = filo_color_from_hex(0x1A242AFF),
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .load = load,
                                    .define = define,
                                    .create = create,
                                    .frame = frame,
                                    .extract = update,
                                    .draw = draw,
                                    .ui = ui,
                                    .end = end,
                                    .user = &map });
}
