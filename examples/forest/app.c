// The forest as an app: what is made at the start, and what happens in a frame.

#include "meshes.h"

// ---- Setup --------------------------------------------------------------------------------------------------------

static FiloResult load(FiloApp *app) {
    Forest *forest = filo_app_user(app);
    double metres = (double)LAND_TEXEL * forest->side;
    filo_log_info("forest", "making %.1f km² of land", metres * metres / 1e6);
    uint64_t seed = filo_app_args(app)->seed;
    FiloResult r = land_make(&forest->land, filo_app_jobs(app), seed, forest->side,
                             forest->cache || !filo_app_args(app)->headless);
    if (r.code == FILO_OK)
        r = placements_create(&forest->placements, &forest->land, filo_app_jobs(app), seed);
    return r;
}

static FiloResult define(FiloApp *app) {
    Forest *forest = filo_app_user(app);
    return forest_define(filo_app_world(app), forest->placements) &&
                   forest_handle_messages(filo_app_world(app))
               ? filo_ok()
               : filo_error(FILO_ERROR_MEMORY, "no memory for the rules");
}

static FiloResult make_picture(Forest *forest, FiloApp *app) {
    FiloGfx3d *gfx = filo_app_gfx3d(app);
    FiloResult r = plants_make(&forest->plants, gfx, filo_app_jobs(app));
    if (r.code == FILO_OK)
        r = forest_scene_make(&forest->scene, gfx, filo_app_gpu(app), filo_app_world(app), &forest->land);
    if (r.code == FILO_OK)
        r = tiles_create(&forest->tiles, &(TilesDesc){ .placements = forest->placements,
                                                       .gfx = gfx,
                                                       .gpu = filo_app_gpu(app),
                                                       .meshes = { forest->plants.objects,
                                                                   forest->plants.grass, forest->plants.far },
                                                       .mesh_counts = { FILO_COUNT_OF(forest->plants.objects),
                                                                        FILO_COUNT_OF(forest->plants.grass),
                                                                        FILO_COUNT_OF(forest->plants.far) },
                                                       .timeline = &forest->timeline });
    return r;
}

static FiloResult create(FiloApp *app) {
    Forest *forest = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    View view = { .hour = forest->hour, .fog = 1, .panel = true };
    panel_begin(app);
    if (!forest_create(world, &forest->land, &view, forest->at, forest->yaw, forest->pitch))
        return filo_error(FILO_ERROR_MEMORY, "no memory for the camera");
    forest->stump_query = filo_query_create(world, &(FiloQueryDesc){ .terms = { FILO_READ(Stump) } });
    if (forest->stump_query == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a query");
    return filo_app_gfx3d(app) != NULL ? make_picture(forest, app) : filo_ok();
}

static void end(FiloApp *app) {
    Forest *forest = filo_app_user(app);
    tiles_destroy(forest->tiles);
    forest_scene_end(&forest->scene);
    filo_array_deinit(&forest->stumps);
    placements_destroy(forest->placements);
    land_free(&forest->land);
}

// ---- A frame ------------------------------------------------------------------------------------------------------

static void read_stumps(Forest *forest) {
    filo_array_clear(&forest->stumps);
    FiloIter it = filo_query_iter(forest->stump_query);
    while (filo_iter_next(&it)) (void)filo_array_push_many(&forest->stumps, filo_read(&it, Stump), it.count);
}

static void save_or_load(FiloApp *app) {
    const FiloInput *input = filo_app_input(app);
    bool save = filo_input_pressed(input, FILO_KEY_F5), read = filo_input_pressed(input, FILO_KEY_F9);
    if (!save && !read) return;
    char path[FILO_PATH_SIZE];
    FiloResult r = filo_app_user_path(app, path, sizeof path, "forest.save");
    if (r.code == FILO_OK && save) r = filo_world_save(filo_app_world(app), path, NULL);
    if (r.code == FILO_OK && read) r = filo_world_load(filo_app_world(app), path, NULL);
    if (r.code != FILO_OK) filo_log_warn("forest", "%s", r.message);
}

static void frame(FiloApp *app) {
    Forest *forest = filo_app_user(app);
    int64_t now = filo_time_ns();
    if (forest->drawing_began != 0) timeline_add(&forest->timeline, LANE_DRAW, forest->drawing_began, now);
    if (forest->frame_began != 0) forest->panel.frame_ms = (double)(now - forest->frame_began) / 1e6;
    forest->frame_began = now;
    const FiloCommonArgs *args = filo_app_args(app);
    save_or_load(app);
    if (forest->tiles == NULL) return;
    FiloWorld *world = filo_app_world(app);
    const FiloTransform3 *camera = filo_get(world, forest_camera(world), FiloTransform3);
    const View *view = filo_get_global(world, View);
    read_stumps(forest);
    if (camera != NULL && !forest->bare)
        tiles_update(forest->tiles, camera->position, view, forest->stumps.items, forest->stumps.count,
                     args->headless && !forest->stream);
    // Without a window there is no player: one tick is enough for a picture.
    if (args->headless && args->shot != NULL && args->frames == 0 && args->replay == NULL) filo_app_quit(app);
}

static void extract(FiloApp *app) {
    Forest *forest = filo_app_user(app);
    forest->drawing_began = filo_time_ns();
    if (forest->tiles == NULL) return;
    forest->panel.now = forest->drawing_began;
    forest->panel.tiles = tiles_stats(forest->tiles);
    forest->panel.gfx = filo_gfx3d_stats(filo_app_gfx3d(app));
    forest->panel.ground = filo_gfx3d_ground_stats(filo_app_gfx3d(app), forest->scene.ground);
    forest->panel.seed = filo_app_args(app)->seed;
    forest->panel.stumps = forest->stumps.count;
}

static void ui(FiloApp *app, FiloUi *ui) {
    Forest *forest = filo_app_user(app);
    // Times differ from run to run, so a picture without a window has them only if it is asked for.
    bool shown = filo_get_global(filo_app_world(app), View)->panel && parameters_shown(app, forest->numbers);
    if (forest->tiles != NULL && shown) panel_show(&forest->panel, &forest->timeline, app, ui);
}

FiloAppDesc forest_app(Forest *forest) {
    // Two cascades instead of three: most triangles are in shadows.
    static const FiloGfx3dDesc options = { .shadow_cascades = 2 };
    return (FiloAppDesc){ .name = "forest",
                          .summary = "30 km² of mountains and woods, placed by density maps.",
                          .window = { .title = "Forest", .width = 960, .height = 540 },
                          .defaults = { .seed = 4 },
                          .asset_folder = FILO_EXAMPLE_ASSETS,
                          .gfx3d = true,
                          .gfx3d_options = &options,
                          .load = load,
                          .define = define,
                          .create = create,
                          .frame = frame,
                          .extract = extract,
                          .ui = ui,
                          .end = end,
                          .user = forest };
}
