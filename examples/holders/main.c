// The same system over the same component, in every kind of storage. It shows
//   - that the storage is one word in the registration of a component, and that the system does not depend on it;
//   - what the system gets: a column if values are contiguous, a pointer per row otherwise;
//   - the memory of each storage, if one in ten of 20,000 entities has the component;
//   - a user-defined storage, in ordered.c.
//
// Try: make every entity hot (EVERY 1) and compare the memory
//      ./dev bench ecs measures the time of each storage

#include "ordered.h"

#include <filo/filo.h>

#include <stdio.h>

#define ENTITIES 20000
#define EVERY    10 // one in so many is hot

// ---- Components ---------------------------------------------------------------------------------------

typedef struct Position {
    float x, y;
} Position;
FILO_REFLECT(Position, FILO_FIELD(float, x), FILO_FIELD(float, y))

typedef struct Heat {
    float degrees;
    int32_t glowing; // ticks
} Heat;
FILO_REFLECT(Heat, FILO_FIELD(float, degrees), FILO_FIELD(int32_t, glowing))

// ---- Systems ------------------------------------------------------------------------------------------

typedef struct Seen {
    size_t rows, columns, pointers; // calls that got a column, and a pointer per row
} Seen;

// Works with any storage.
static void cool(FiloIter *it) {
    FiloColumn heat = filo_column(it, Heat), position = filo_column(it, Position);
    for (size_t i = 0; i < it->count; i++) {
        Heat *h = FILO_AT(heat, i, Heat);
        h->degrees -= FILO_AT(position, i, const Position)->y * 0.01f;
        h->glowing += h->degrees > 500;
    }
    Seen *seen = it->user;
    seen->rows += it->count;
    *(heat.rows != NULL ? &seen->pointers : &seen->columns) += 1;
}

// ---- Setup --------------------------------------------------------------------------------------------

typedef struct Kind {
    const char *name;
    FiloStorage storage;
    const FiloHolderInterface *holder;
} Kind;

static const Kind kinds[] = {
    { "table", FILO_STORAGE_TABLE, NULL },
    { "sparse", FILO_STORAGE_SPARSE, NULL },
    { "array", FILO_STORAGE_ARRAY, NULL },
    { "map", FILO_STORAGE_MAP, NULL },
    { "ordered", FILO_STORAGE_USER, &ordered_holder },
};

// A world in which one entity in EVERY has Heat. Returns how many bytes Heat takes.
static size_t set_up(FiloWorld *world, const Kind *kind, Seen *seen) {
    filo_component(world, Position);
    FiloComponent heat = filo_component(world, Heat, .storage = kind->storage, .holder = kind->holder);
    filo_system_add(world, &(FiloSystemDesc){ .name = "cool",
                                              .run = cool,
                                              .user = seen,
                                              .query.terms = { FILO_WRITE(Heat), FILO_READ(Position) } });
    FiloEntity *entities = filo_alloc(NULL, ENTITIES * sizeof *entities, 0);
    if (entities == NULL) return 0;
    for (size_t i = 0; i < ENTITIES; i++)
        entities[i] = filo_create(world, FILO_SET(Position, (float)i, (float)(i % 7)));
    size_t before = filo_world_stats(world).memory;
    for (size_t i = 0; i < ENTITIES; i += EVERY)
        filo_entity_set(world, entities[i], heat, &(Heat){ .degrees = (float)(i % 1000) });
    filo_free(NULL, entities, ENTITIES * sizeof *entities, 0);
    return filo_world_stats(world).memory - before;
}

static FiloResult show(const Kind *kind, FiloJobs *jobs, uint64_t ticks) {
    FiloWorld *world;
    FiloResult r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs });
    if (r.code != FILO_OK) return r;
    Seen seen = { 0 };
    size_t bytes = set_up(world, kind, &seen);
    for (uint64_t i = 0; i < ticks && r.code == FILO_OK; i++) r = filo_world_tick(world, 1.0f / 60);
    printf("%-8s %5zu rows a tick, as %-17s %4zu KiB, hash %016llx\n", kind->name,
           ticks > 0 ? seen.rows / (size_t)ticks : 0, seen.pointers > 0 ? "pointers per row," : "columns,",
           (bytes + 1023) / 1024, (unsigned long long)filo_world_hash(world));
    filo_world_destroy(world);
    return r;
}

// ---- Main ---------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Stores a component in every kind of storage.",
                          .defaults.frames = 10,
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_SEED | FILO_ARGS_HASH | FILO_ARGS_STATS |
                                     FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    FiloJobs *jobs = NULL;
    FiloResult r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = args.common.threads });
    for (size_t i = 0; i < FILO_COUNT_OF(kinds) && r.code == FILO_OK; i++)
        r = show(&kinds[i], jobs, args.common.frames);
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code != FILO_OK) filo_log_error("holders", "%s", r.message);
    if (jobs != NULL) filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//  table     2000 rows a tick, as columns,            66 KiB, hash f3a4a4b69b1e4723
//  sparse    2000 rows a tick, as pointers per row,  194 KiB, hash f3a4a4b69b1e4723
//  array     2000 rows a tick, as pointers per row,  294 KiB, hash f3a4a4b69b1e4723
//  map       2000 rows a tick, as pointers per row,  134 KiB, hash f3a4a4b69b1e4723
//  ordered   2000 rows a tick, as pointers per row,   92 KiB, hash f3a4a4b69b1e4723
