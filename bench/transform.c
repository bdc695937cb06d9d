// Transform propagation: the time of the systems of filo/transform.h in a tick. The reference is a simple loop over
// arrays in which parents come before their children, with the same arithmetic.
//
// A hundred thousand entities in trees with five levels, each a chain; or, for some figures, 1,000 wide trees: a root
// with ten children that have ten children each. The name of a figure says what moves.

#include "bench.h"

#include <filo/ecs.h>
#include <filo/transform.h>

#include <stdlib.h>

#define LEVELS 5
#define TREES  20000
#define COUNT  (LEVELS * TREES)

#define WIDE_TREES 1000u
#define WIDE       10u                     // children
#define WIDE_TREE  (1 + WIDE * (1 + WIDE)) // entities
#define WIDE_COUNT (WIDE_TREES * WIDE_TREE)
#define SOME       100u // SOME_ROOTS: one tree in this many

// Values of Hierarchy.levels for other changes in a tick.
enum {
    ONE_TREE = -1,   // one tree moves
    NEW_PARENT = -2, // one child is reparented
    SOME_ROOTS = -3, // some roots move
    NEW_CHILD = -4,  // one child is destroyed, and another one created
};

typedef struct Hierarchy {
    FiloJobs *jobs;
    FiloWorld *world;
    FiloSystemId begin, end;
    FiloEntity *entities;
    int levels; // that move: 0 none, 1 roots, LEVELS all; or one of the values above
    bool wide;
    size_t count;
    // The arrays of the reference:
    FiloTransform2 *transforms2;
    FiloTransform3 *transforms3;
    FiloAffine2 *worlds2;
    FiloMat4 *worlds3;
    int32_t *parents;
} Hierarchy;

typedef struct Level {
    uint32_t tree, level;
} Level;
FILO_REFLECT(Level, FILO_FIELD(uint32_t, tree), FILO_FIELD(uint32_t, level))

static Level level_of(const Hierarchy *h, uint32_t i) {
    if (!h->wide) return (Level){ i / LEVELS, i % LEVELS };
    uint32_t in_tree = i % WIDE_TREE;
    return (Level){ i / WIDE_TREE, in_tree == 0 ? 0 : (in_tree - 1) % (WIDE + 1) == 0 ? 1 : 2 };
}

static int32_t parent_of(const Hierarchy *h, uint32_t i) {
    Level level = level_of(h, i);
    if (level.level == 0) return -1;
    if (!h->wide) return (int32_t)i - 1;
    return (int32_t)(level.level == 1 ? level.tree * WIDE_TREE : i - (i % WIDE_TREE - 1) % (WIDE + 1));
}

static size_t tree_size(const Hierarchy *h) { return h->wide ? WIDE_TREE : LEVELS; }

static bool moves(const Hierarchy *hierarchy, Level level) {
    if (hierarchy->levels >= 0) return level.level < (uint32_t)hierarchy->levels;
    if (hierarchy->levels == SOME_ROOTS) return level.level == 0 && level.tree % SOME == 0;
    return hierarchy->levels == ONE_TREE && level.tree == TREES / 2;
}

// ---- Moving -------------------------------------------------------------------------------------------------

static void step2(FiloTransform2 *transform) {
    transform->position.x += 0.25f;
    transform->rotation += 0.01f;
}

static void step3(FiloTransform3 *transform) {
    transform->position.x += 0.25f;
    transform->rotation =
        filo_quat_normalise(filo_quat_mul(filo_quat(0.01f, 0.0f, 0.005f, 1.0f), transform->rotation));
}

static void move2(FiloIter *it) {
    const Hierarchy *hierarchy = it->user;
    if (hierarchy->levels == 0) return;
    if (hierarchy->levels == NEW_PARENT) {
        size_t last = LEVELS - 1, parent = it->tick % 2 == 0 ? last - 1 : LEVELS;
        filo_changes_set_parent(it->changes, hierarchy->entities[last], hierarchy->entities[parent]);
        return;
    }
    if (hierarchy->levels == NEW_CHILD) {
        FiloEntity parent = hierarchy->entities[hierarchy->count - 1];
        FiloEntity child = filo_create(it->changes, FILO_SET(FiloTransform2, .position = { 1, 0 }));
        filo_destroy(it->changes, filo_entity_first_child(it->world, parent));
        filo_changes_set_parent(it->changes, child, parent);
        return;
    }
    if (hierarchy->levels == SOME_ROOTS) {
        for (size_t i = 0, size = tree_size(hierarchy); i < hierarchy->count; i += SOME * size)
            step2(filo_edit(it->world, hierarchy->entities[i], FiloTransform2));
        return;
    }
    if (hierarchy->levels < 0) {
        for (size_t i = 0; i < LEVELS; i++)
            step2(filo_edit(it->world, hierarchy->entities[TREES / 2 * LEVELS + i], FiloTransform2));
        return;
    }
    FiloIter rows = filo_iter_over(it, it->query);
    while (filo_iter_next(&rows)) {
        FiloTransform2 *transform = filo_iter_column(&rows, 0).data;
        const Level *level = filo_iter_column(&rows, 1).data;
        for (size_t i = 0; i < rows.count; i++)
            if (moves(hierarchy, level[i])) step2(&transform[i]);
    }
}

static void move3(FiloIter *it) {
    FiloIter rows = filo_iter_over(it, it->query);
    while (filo_iter_next(&rows)) {
        FiloTransform3 *transform = filo_iter_column(&rows, 0).data;
        for (size_t i = 0; i < rows.count; i++) step3(&transform[i]);
    }
}

// ---- Ours ---------------------------------------------------------------------------------------------------

static double our_tick(void *state) {
    Hierarchy *hierarchy = state;
    FiloResult r = filo_world_tick(hierarchy->world, 1.0f / 60.0f);
    bench_expect(r.code == FILO_OK, "a tick");
    return (filo_system_stats(hierarchy->world, hierarchy->begin).last_ns +
            filo_system_stats(hierarchy->world, hierarchy->end).last_ns) /
           (double)hierarchy->count;
}

// ---- The reference --------------------------------------------------------------------------------------------

static __attribute__((noinline)) void reference2(const Hierarchy *h, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        const FiloTransform2 *t = &h->transforms2[i];
        FiloAffine2 local = filo_affine2_from_parts(t->position, t->rotation, t->scale);
        h->worlds2[i] = h->parents[i] >= 0 ? filo_affine2_mul(h->worlds2[h->parents[i]], local) : local;
    }
}

static __attribute__((noinline)) void reference3(const Hierarchy *h) {
    for (size_t i = 0; i < h->count; i++) {
        const FiloTransform3 *t = &h->transforms3[i];
        FiloMat4 local = filo_mat4_from_parts(t->position, t->rotation, t->scale);
        h->worlds3[i] = h->parents[i] >= 0 ? filo_mat4_mul(h->worlds3[h->parents[i]], local) : local;
    }
}

static double reference_tick(void *state) {
    const Hierarchy *h = state;
    for (uint32_t i = 0; i < h->count; i++) {
        if (!moves(h, level_of(h, i))) continue;
        if (h->transforms2 != NULL)
            step2(&h->transforms2[i]);
        else
            step3(&h->transforms3[i]);
    }
    int64_t start = filo_time_ns();
    if (h->levels == SOME_ROOTS)
        for (size_t i = 0, size = tree_size(h); i < h->count; i += SOME * size) reference2(h, i, i + size);
    else if (h->transforms2 != NULL)
        reference2(h, 0, h->count);
    else
        reference3(h);
    return (double)(filo_time_ns() - start) / (double)h->count;
}

// ---- Figures ------------------------------------------------------------------------------------------------

static void create_entities(Hierarchy *h, bool in_space, bool scattered) {
    h->entities = calloc(h->count, sizeof(FiloEntity));
    h->parents = calloc(h->count, sizeof(int32_t));
    uint32_t *rows = calloc(h->count, sizeof(uint32_t));
    if (h->entities == NULL || h->parents == NULL || rows == NULL) filo_panic("no memory for the benchmark");
    for (uint32_t i = 0; i < h->count; i++) rows[i] = i;
    FiloRandom random = filo_random_sequence(7);
    for (uint32_t i = (uint32_t)h->count - 1; scattered && i > 0; i--) {
        uint32_t k = filo_random_below(&random, i + 1), swap = rows[i];
        rows[i] = rows[k];
        rows[k] = swap;
    }
    for (uint32_t n = 0; n < h->count; n++) {
        uint32_t i = rows[n];
        float at = (float)(i % 100);
        FiloTransform2 two = { { at, 1.0f }, at * 0.1f, { 1.0f, 1.0f } };
        FiloTransform3 three = { { at, 1.0f, 2.0f }, filo_quat_identity(), { 1.0f, 1.0f, 1.0f } };
        Level level = level_of(h, i);
        FiloComponentValue values[] = {
            { filo_type_Level, { 0 }, &level },
            { in_space ? filo_type_FiloTransform3 : filo_type_FiloTransform2,
              { 0 },
              in_space ? (void *)&three : (void *)&two },
            { in_space ? filo_type_FiloWorldTransform3 : filo_type_FiloWorldTransform2, { 0 }, NULL }
        };
        h->entities[i] = filo_entity_create_with(h->world, values, FILO_COUNT_OF(values));
        if (in_space)
            h->transforms3[i] = three;
        else
            h->transforms2[i] = two;
    }
    for (uint32_t i = 0; i < h->count; i++) {
        h->parents[i] = parent_of(h, i);
        if (h->parents[i] >= 0)
            bench_expect(filo_entity_set_parent(h->world, h->entities[i], h->entities[h->parents[i]]),
                         "parents");
    }
    free(rows);
}

static Hierarchy open_hierarchy(bool in_space, bool wide, bool scattered, int threads) {
    Hierarchy h = { .wide = wide, .count = wide ? WIDE_COUNT : COUNT };
    if (threads > 0) {
        FiloResult jobs = filo_jobs_create(&h.jobs, &(FiloJobsDesc){ .threads = threads });
        if (jobs.code != FILO_OK) filo_panic("no workers for the benchmark: %s", jobs.message);
    }
    FiloResult r = filo_world_create(&h.world, &(FiloWorldDesc){ .jobs = h.jobs });
    if (r.code != FILO_OK) filo_panic("no world for the benchmark: %s", r.message);
    bench_expect(filo_transform_register(h.world), "registering");
    filo_component(h.world, Level);
    if (in_space) {
        h.transforms3 = calloc(h.count, sizeof *h.transforms3);
        h.worlds3 = calloc(h.count, sizeof *h.worlds3);
    } else {
        h.transforms2 = calloc(h.count, sizeof *h.transforms2);
        h.worlds2 = calloc(h.count, sizeof *h.worlds2);
    }
    create_entities(&h, in_space, scattered);
    if (!in_space) reference2(&h, 0, h.count);
    h.begin = filo_system_named(h.world, in_space ? "begin 3D world transforms" : "begin world transforms");
    h.end = filo_system_named(h.world, in_space ? "propagate 3D transforms" : "propagate transforms");
    filo_world_measure(h.world, true);
    return h;
}

// Compares the results of both.
static void compare(const Hierarchy *h) {
    for (size_t i = 0; i < h->count; i += 997) {
        if (h->worlds2 != NULL)
            bench_expect(filo_vec2_equal(filo_get(h->world, h->entities[i], FiloWorldTransform2)->now.origin,
                                         h->worlds2[i].origin),
                         "transform.propagate");
        else
            bench_expect(filo_get(h->world, h->entities[i], FiloWorldTransform3)->now.m[12] ==
                             h->worlds3[i].m[12],
                         "transform.propagate.3d");
    }
}

static void close_hierarchy(Hierarchy *h) {
    filo_world_destroy(h->world);
    if (h->jobs != NULL) filo_jobs_destroy(h->jobs, FILO_JOBS_FINISH);
    free(h->entities), free(h->parents);
    free(h->transforms2), free(h->transforms3), free(h->worlds2), free(h->worlds3);
}

static void measure_shape(const char *name, int levels, bool in_space, bool wide, bool scattered,
                          int threads) {
    if (!bench_shows(name)) return;
    Hierarchy h = open_hierarchy(in_space, wide, scattered, threads);
    h.levels = levels;
    FiloSystemDesc system = { .name = "move", .run = in_space ? move3 : move2, .once = true, .user = &h };
    system.query.terms[0] =
        in_space ? (FiloTerm)FILO_WRITE(FiloTransform3) : (FiloTerm)FILO_WRITE(FiloTransform2);
    system.query.terms[1] = (FiloTerm)FILO_READ(Level);
    bench_expect(filo_system_add(h.world, &system).id != 0, "a system");
    if (levels == NEW_CHILD) { // the first one to be destroyed
        FiloEntity child = filo_create(h.world, FILO_SET(FiloTransform2, .position = { 1, 0 }));
        bench_expect(filo_entity_set_parent(h.world, child, h.entities[h.count - 1]), "a parent");
    }
    bench_compare(&(BenchFigure){ .name = name,
                                  .unit = "ns/entity",
                                  .ours = our_tick,
                                  .reference = reference_tick,
                                  .reference_name = levels == SOME_ROOTS ? "parents-first arrays, what moves"
                                                                         : "parents-first arrays, all",
                                  .state = &h });
    if (levels != NEW_PARENT && levels != NEW_CHILD) compare(&h);
    close_hierarchy(&h);
}

static void measure(const char *name, int levels, bool in_space, bool scattered, int threads) {
    measure_shape(name, levels, in_space, false, scattered, threads);
}

FILO_BENCH(transform) {
    if (!bench_wanted("transform")) return;
    measure("transform.propagate", LEVELS, false, false, 0);
    measure("transform.propagate.scattered", LEVELS, false, true, 0);
    measure("transform.propagate.2_threads", LEVELS, false, false, 2);
    measure("transform.propagate.roots", 1, false, false, 0);
    measure("transform.propagate.one_tree", ONE_TREE, false, false, 0);
    measure("transform.propagate.new_parent", NEW_PARENT, false, false, 0);
    measure("transform.propagate.new_child", NEW_CHILD, false, false, 0);
    measure("transform.propagate_still", 0, false, false, 0);
    measure_shape("transform.propagate_wide", 3, false, true, false, 0);
    measure_shape("transform.propagate_roots", 1, false, true, false, 0);
    measure_shape("transform.propagate_some", SOME_ROOTS, false, true, false, 0);
    measure_shape("transform.propagate_some.chains", SOME_ROOTS, false, false, false, 0);
    measure("transform.propagate.3d", LEVELS, true, false, 0);
}
