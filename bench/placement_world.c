// Placement in a world: what a frame costs with viewers that stand still or walk, and what felling a tree costs.

#include "placement.h"

#include <filo/placement_world.h>

#define PROMOTE 40.0f // metres
#define FELLED  10000 // trees, for the figure of many edits

typedef struct Forest {
    FiloJobs *jobs;
    FiloWorld *world, *empty; // `empty` has the same viewer, and no placement
    FiloPlacementWorld *placement;
    FiloEntity viewer, same;
    FiloQuery *trees;
    float x;
} Forest;

static void make_tree(FiloChanges *changes, FiloEntity entity, const FiloPlacementObject *object,
                      void *user) {
    const Forest *forest = user;
    FiloTransform2 at = filo_placement_transform2(forest->placement, object);
    filo_set(changes, entity, FiloTransform2, at.position, at.rotation, at.scale);
}

static FiloEntity add_viewer(FiloWorld *world, float x) {
    return filo_create(world, FILO_SET(FiloTransform2, .position = { x, 500 }),
                       FILO_ADD(FiloPlacementViewer));
}

static void open_forest(Forest *forest, const PlacementSite *site) {
    *forest = (Forest){ .x = 300 };
    const FiloPlacementEntities trees = { .make = make_tree, .user = forest };
    const FiloPlacementWorldDesc desc = { .placement = site->placement,
                                          .footprints = { { .distance = 300, .promote = PROMOTE } },
                                          .entities = &trees,
                                          .entities_count = 1 };
    bool ok = filo_jobs_create(&forest->jobs, &(FiloJobsDesc){ .threads = 2 }).code == FILO_OK;
    ok = ok && filo_world_create(&forest->world, &(FiloWorldDesc){ .jobs = forest->jobs }).code == FILO_OK;
    ok = ok && filo_placement_world_create(&forest->placement, forest->world, &desc).code == FILO_OK;
    ok = ok && filo_world_create_like(&forest->empty, forest->world, NULL).code == FILO_OK;
    bench_expect(ok && filo_transform_register(forest->empty), "a forest is created");
    forest->viewer = add_viewer(forest->world, forest->x);
    forest->same = add_viewer(forest->empty, forest->x);
    forest->trees = filo_query(forest->world, FILO_READ(FiloPlacedObject));
    for (int i = 0; i < 20; i++) filo_world_tick(forest->world, 1.0f / 60);
    filo_placement_world_wait(forest->placement);
    bench_expect(filo_placement_world_stats(forest->placement).entities > 100, "trees are entities");
}

static void close_forest(Forest *forest) {
    filo_query_release(forest->trees);
    filo_placement_world_destroy(forest->placement);
    filo_world_destroy(forest->empty);
    filo_world_destroy(forest->world);
    filo_jobs_destroy(forest->jobs, FILO_JOBS_FINISH);
}

static void frame(Forest *forest, float speed) {
    forest->x += speed;
    filo_edit(forest->world, forest->viewer, FiloTransform2)->position.x = forest->x;
    filo_world_tick(forest->world, 1.0f / 60);
    filo_placement_world_update(forest->placement);
}

static void empty_frame(Forest *forest, float speed) {
    filo_edit(forest->empty, forest->same, FiloTransform2)->position.x += speed;
    filo_world_tick(forest->empty, 1.0f / 60);
}

// ---- Figures ------------------------------------------------------------------------------------------------------

static double still(void *state) {
    double ns;
    bench_time(ns, 200, frame(state, 0));
    return ns * 1e-3;
}
static double still_empty(void *state) {
    double ns;
    bench_time(ns, 200, empty_frame(state, 0));
    return ns * 1e-3;
}

// To and fro at 12 m/s, a hundred metres: squares and tiles come and go.
static double walk(void *state) {
    double there, back;
    bench_time(there, 500, frame(state, 0.2f));
    bench_time(back, 500, frame(state, -0.2f));
    return (there + back) / 2 * 1e-3;
}
static double walk_empty(void *state) {
    double ns;
    bench_time(ns, 1000, empty_frame(state, 0.2f));
    return ns * 1e-3;
}

static void fell_one(Forest *forest) {
    FiloEach each = filo_query_each(forest->trees);
    FiloEntity tree = filo_each_next(&each) ? each.entity : FILO_ENTITY_NONE;
    filo_each_end(&each);
    filo_entity_destroy(forest->world, tree);
}

// The frame in which a tree is felled, with those in which everything around it is computed again.
static double fell(void *state) {
    double ns;
    bench_time(ns, 1, fell_one(state); for (int i = 0; i < 10; i++) frame(state, 0));
    return ns * 1e-3;
}
static double ten_still(void *state) { return 10 * still(state); }

static void remove_many(Forest *forest) {
    for (int i = 0; i < FELLED; i++) {
        const FiloPlacementId id = { .cell_x = i % 100 - 50,
                                     .cell_y = i / 100 - 50,
                                     .point = (uint16_t)(i % 64) };
        filo_create(forest->world, FILO_SET(FiloPlacementEdit, .kind = FILO_PLACEMENT_REMOVE, .id = id));
    }
    for (int i = 0; i < 20; i++) frame(forest, 0);
    filo_placement_world_wait(forest->placement);
}

static void show(Forest *forest, const char *name, BenchSample ours, BenchSample reference,
                 const char *what) {
    bench_compare(&(BenchFigure){ .name = name,
                                  .unit = "us",
                                  .ours = ours,
                                  .reference = reference,
                                  .reference_name = what,
                                  .state = forest });
}

FILO_BENCH(placement_world) {
    if (!bench_wanted("placement.world")) return;
    PlacementSite *site = placement_site_create(1000);
    Forest forest;
    open_forest(&forest, site);
    show(&forest, "placement.world.still", still, still_empty, "a frame without placement");
    show(&forest, "placement.world.walk", walk, walk_empty, "a frame without placement");
    show(&forest, "placement.world.fell", fell, ten_still, "ten frames without felling");
    remove_many(&forest);
    show(&forest, "placement.world.fell.10000", fell, ten_still, "ten frames without felling");
    close_forest(&forest);
    placement_site_destroy(site);
}
