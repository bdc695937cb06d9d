// A small simulation that is rewound, branched and saved. Ants carry crumbs to their nest. It shows
//   - a history with a snapshot of each tick, and a rewind: the run then continues exactly as it did;
//   - a branch: the same run with more ants, in a second world;
//   - the difference between two worlds, as text;
//   - saving to a file, and loading it;
//   - a hash of the whole world, which shows that two states are the same.
//
// Try: ./dev run snapshots --ticks 200        a longer run
//      ./dev run snapshots --seed 7           other ants

#include <filo/filo.h>

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

// ---- Components -----------------------------------------------------------------------------------------

typedef struct Position {
    float x, y;
} Position;
FILO_REFLECT(Position, FILO_FIELD(float, x, .unit = "cm"), FILO_FIELD(float, y, .unit = "cm"))

typedef struct Ant {
    int32_t carried; // crumbs so far
    bool loaded;
} Ant;
FILO_REFLECT(Ant, FILO_FIELD(int32_t, carried), FILO_FIELD(bool, loaded))

typedef struct Crumb {
    float size;
} Crumb;
FILO_REFLECT(Crumb, FILO_FIELD(float, size, .unit = "mg"))

typedef struct Nest {
    int32_t crumbs;
    float food;
} Nest;
FILO_REFLECT(Nest, FILO_FIELD(int32_t, crumbs), FILO_FIELD(float, food, .unit = "mg"))

// ---- Systems --------------------------------------------------------------------------------------------

// Ants walk at random; a loaded ant goes home.
static void wander(FiloIter *it) {
    Position *position = filo_write(it, Position);
    const Ant *ant = filo_read(it, Ant);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        Position *at = &position[i];
        bool loaded = ant[i].loaded;
        at->x += filo_random_float_range(&random, -3, 3) - (loaded ? at->x * 0.25f : 0);
        at->y += filo_random_float_range(&random, -3, 3) - (loaded ? at->y * 0.25f : 0);
    }
}

static float squared_distance(const Position *a, const Position *b) {
    return (a->x - b->x) * (a->x - b->x) + (a->y - b->y) * (a->y - b->y);
}

// One ant after the other, so that no two take the same crumb.
static void carry(FiloIter *it) {
    static const Position home = { 0, 0 };
    Nest *nest = filo_write_global(it, Nest);
    const Position *position = filo_read(it, Position);
    Ant *ant = filo_write(it, Ant);
    for (size_t i = 0; i < it->count; i++) {
        const Position *at = &position[i];
        Ant *self = &ant[i];
        if (self->loaded && squared_distance(at, &home) < 9) {
            self->loaded = false;
            self->carried++;
            nest->crumbs++;
        }
        FiloIter crumbs = filo_iter_over(it, filo_iter_extra_query(it, 0));
        while (filo_iter_next(&crumbs)) {
            const Position *crumb_position = filo_read(&crumbs, Position);
            Crumb *crumb = filo_write(&crumbs, Crumb);
            for (size_t k = 0; k < crumbs.count && !self->loaded; k++) {
                Crumb *found = &crumb[k];
                if (found->size == 0 || squared_distance(at, &crumb_position[k]) > 4) continue;
                self->loaded = true;
                nest->food += found->size;
                found->size = 0; // taken: no other ant takes it in this tick
                filo_destroy(it->changes, filo_iter_entity(&crumbs, k));
            }
        }
    }
}

static void add_systems(FiloWorld *world) {
    FiloSystemDesc wander_desc = { .name = "wander",
                                   .run = wander,
                                   .parallel = true,
                                   .query.terms = { FILO_WRITE(Position), FILO_READ(Ant) } };
    FiloSystemDesc carry_desc = { .name = "carry",
                                  .run = carry,
                                  .query.terms = { FILO_READ(Position), FILO_WRITE(Ant), FILO_WRITE(Nest) },
                                  .extra_queries[0].terms = { FILO_READ(Position), FILO_WRITE(Crumb) } };
    filo_system_add(world, &wander_desc);
    filo_system_add(world, &carry_desc);
}

// ---- Setup ----------------------------------------------------------------------------------------------

static void populate(FiloWorld *world) {
    filo_component(world, Position);
    filo_component(world, Ant);
    filo_component(world, Crumb);
    filo_component(world, Nest, .storage = FILO_STORAGE_GLOBAL);
    FiloRandom random = filo_random_keyed(filo_world_seed(world), 0, 0, 0);
    for (int i = 0; i < 20; i++) filo_create(world, FILO_ADD(Position), FILO_ADD(Ant));
    for (int i = 0; i < 300; i++) {
        // In separate statements: the order of calls in an initialiser is not defined in C.
        float x = filo_random_float_range(&random, -40, 40);
        float y = filo_random_float_range(&random, -40, 40);
        float weight = filo_random_float_range(&random, 1, 5);
        filo_create(world, FILO_SET(Position, x, y), FILO_SET(Crumb, weight));
    }
    filo_entity_set_name(world, filo_entity_at(world, 0), "Anna");
}

static void report(const char *what, FiloWorld *world) {
    const Nest *nest = filo_get_global(world, Nest);
    printf("%-26s tick %3" PRIu64 ", %2d crumbs in the nest, hash %016" PRIx64 "\n", what,
           filo_world_ticks(world), nest->crumbs, filo_world_hash(world));
}

// ---- Rewind, branch, save -------------------------------------------------------------------------------

static FiloResult run_ticks(FiloWorld *world, FiloHistory *history, int ticks) {
    FiloResult r = filo_ok();
    for (int i = 0; i < ticks && r.code == FILO_OK; i++) {
        r = filo_world_tick(world, 1.0f / 60);
        if (r.code == FILO_OK && history != NULL) r = filo_history_push(history, world);
    }
    return r;
}

static FiloResult rewind_half(FiloWorld *world, FiloHistory *history, int ticks) {
    FiloResult r = run_ticks(world, history, ticks);
    if (r.code != FILO_OK) return r;
    report("at first", world);
    r = filo_history_rewind(history, world, (size_t)ticks / 2);
    if (r.code == FILO_OK) report("rewound by half", world);
    if (r.code == FILO_OK) r = run_ticks(world, history, ticks / 2);
    if (r.code == FILO_OK) report("and on again", world);
    return r;
}

// The second half of the run again, with ten ants more.
static FiloResult run_branch(FiloWorld *world, FiloHistory *history, int ticks) {
    FiloWorld *branch = NULL;
    char difference[160];
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    FiloResult r = snapshot != NULL ? filo_history_get(history, (size_t)ticks / 2, snapshot)
                                    : filo_error(FILO_ERROR_MEMORY, "no memory for a snapshot");
    if (r.code == FILO_OK) r = filo_world_create_like(&branch, world, NULL);
    if (r.code == FILO_OK) r = filo_snapshot_restore(snapshot, branch);
    if (r.code == FILO_OK) {
        add_systems(branch);
        for (int i = 0; i < 10; i++) filo_create(branch, FILO_ADD(Position), FILO_ADD(Ant));
        r = run_ticks(branch, NULL, ticks / 2);
    }
    if (r.code == FILO_OK) {
        report("with ten ants more", branch);
        if (filo_world_difference(branch, world, difference, sizeof difference)) printf("  %s\n", difference);
    }
    filo_world_destroy(branch);
    filo_snapshot_destroy(snapshot);
    return r;
}

static FiloResult save_and_load(FiloWorld *world, FiloHistory *history) {
    char path[FILO_PATH_SIZE], name[64];
    snprintf(name, sizeof name, "filo-snapshots-%ld.save", (long)getpid());
    FiloResult r = filo_path_standard(path, sizeof path, FILO_FOLDER_TEMPORARY, name);
    if (r.code == FILO_OK) r = filo_world_save(world, path, &(FiloSaveDesc){ .skip_sync = true });
    if (r.code != FILO_OK) return r;
    r = filo_history_rewind(history, world, filo_history_count(history) - 1);
    if (r.code == FILO_OK) report("rewound to the start", world);
    if (r.code == FILO_OK) r = filo_world_load(world, path, NULL);
    if (r.code == FILO_OK) report("loaded from a file", world);
    (void)filo_file_remove(path);
    return r;
}

// ---- Main -----------------------------------------------------------------------------------------------

static FiloResult run(FiloJobs *jobs, uint64_t seed, int ticks) {
    FiloWorld *world;
    FiloHistory *history = NULL;
    FiloResult r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs, .seed = seed });
    if (r.code != FILO_OK) return r;
    populate(world);
    add_systems(world);
    r = filo_out_of_memory_result(); // checked once, instead of after each line of populate and add_systems
    if (r.code == FILO_OK)
        r = filo_history_create(&history, &(FiloHistoryDesc){ .length = (size_t)ticks + 1 });
    if (r.code == FILO_OK) r = rewind_half(world, history, ticks);
    if (r.code == FILO_OK) r = run_branch(world, history, ticks);
    if (r.code == FILO_OK) r = save_and_load(world, history);
    filo_history_destroy(history);
    filo_world_destroy(world);
    return r;
}

int main(int argc, char **argv) {
    int ticks = 100;
    const FiloFlag flags[] = { { "ticks", "how long it runs", .integer = &ticks, .min = 2, .max = 10000 } };
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Ants carry crumbs; time goes back and forth.",
                          FILO_ARGS_FLAGS(flags),
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_FRAMES | FILO_ARGS_HASH | FILO_ARGS_STATS |
                                     FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    FiloJobs *jobs;
    FiloResult r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = args.common.threads });
    if (r.code == FILO_OK) {
        r = run(jobs, args.common.seed, ticks);
        filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    }
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code != FILO_OK) filo_log_error("snapshots", "%s", r.message);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//  at first                   tick 100, 42 crumbs in the nest, hash dbe37b79fffa4a9f
//  rewound by half            tick  50, 25 crumbs in the nest, hash 43bc9f2161f21821
//  and on again               tick 100, 42 crumbs in the nest, hash dbe37b79fffa4a9f
//  with ten ants more         tick 100, 48 crumbs in the nest, hash f701e9c8def184a4
//    Nest.crumbs is 48, was 42
//  rewound to the start       tick   1,  0 crumbs in the nest, hash 8ef9b8bdc0522860
//  loaded from a file         tick 100, 42 crumbs in the nest, hash dbe37b79fffa4a9f
