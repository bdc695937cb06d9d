// A first program with entities. It shows
//   - components: plain structs with a description of their fields;
//   - entities: ids that have components;
//   - a query, which finds entities by their components, and a loop over its result;
//   - a system, which the world runs in every tick, on all processors if there are enough entities.
//
// Try: ./dev run ecs --frames 60
//      let the buoy drift: take FILO_WITHOUT(Anchored) out of the system
//      use another storage: filo_component(world, Velocity, .storage = FILO_STORAGE_SPARSE)

#include <filo/filo.h>

#include <stdio.h>

// ---- Components ---------------------------------------------------------------------------------------

typedef struct Position {
    float x, y;
} Position;
FILO_REFLECT(Position, FILO_FIELD(float, x, .unit = "m"), FILO_FIELD(float, y, .unit = "m"))

typedef struct Velocity {
    float x, y;
} Velocity;
FILO_REFLECT(Velocity, FILO_FIELD(float, x, .unit = "m/s"), FILO_FIELD(float, y, .unit = "m/s"))

FILO_TAG(Anchored)

// ---- Systems ------------------------------------------------------------------------------------------

// Called for some rows at a time, with an array for each term of the query below.
static void move(FiloIter *it) {
    Position *position = filo_write(it, Position);
    const Velocity *velocity = filo_read(it, Velocity);
    for (size_t i = 0; i < it->count; i++) {
        position[i].x += velocity[i].x * it->delta;
        position[i].y += velocity[i].y * it->delta;
    }
}

// ---- Setup --------------------------------------------------------------------------------------------

static void set_up(FiloWorld *world) {
    filo_component(world, Position);
    filo_component(world, Velocity);
    filo_component(world, Anchored);

    FiloEntity ship = filo_create(world, FILO_SET(Position, 10, 0), FILO_SET(Velocity, 5, 1));
    FiloEntity gull = filo_create(world, FILO_SET(Position, .y = 8), FILO_SET(Velocity, .x = 12));
    FiloEntity buoy =
        filo_create(world, FILO_SET(Position, 20, 2), FILO_SET(Velocity, 1, 1), FILO_ADD(Anchored));
    FiloEntity rock = filo_create(world, FILO_SET(Position, 30, 3));
    filo_entity_set_name(world, ship, "ship");
    filo_entity_set_name(world, gull, "gull");
    filo_entity_set_name(world, buoy, "buoy");
    filo_entity_set_name(world, rock, "rock");

    filo_system_add(world, &(FiloSystemDesc){ .name = "move",
                                              .run = move,
                                              .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity),
                                                               FILO_WITHOUT(Anchored) },
                                              .parallel = true });
}

static void print_all(FiloWorld *world) {
    FiloQuery *query = filo_query(world, FILO_READ(Position));
    FiloEach each = filo_query_each(query); // one by one: this is not about speed
    while (filo_each_next(&each)) {
        const Position *p = filo_each_read(&each, Position);
        printf("  %s at %g, %g\n", filo_entity_name(world, each.entity), (double)p->x, (double)p->y);
    }
    filo_query_release(query);
}

// ---- Main ---------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Moves a few things by a system.",
                          .defaults.frames = 4,
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_SEED | FILO_ARGS_STATS | FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    FiloJobs *jobs = NULL;
    FiloWorld *world = NULL;
    FiloResult r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = args.common.threads });
    if (r.code == FILO_OK) r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs });
    if (r.code == FILO_OK) set_up(world);
    if (r.code == FILO_OK)
        r = filo_out_of_memory_result(); // checked once, instead of after each line of set_up
    if (r.code == FILO_OK) {
        puts("before:");
        print_all(world);
        for (uint64_t i = 0; i < args.common.frames && r.code == FILO_OK; i++)
            r = filo_world_tick(world, 0.25f);
        puts("after:");
        print_all(world);
        if (args.common.hash) printf("%016llx\n", (unsigned long long)filo_world_hash(world));
    }
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code != FILO_OK) filo_log_error("ecs", "%s", r.message);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//  before:
//    ship at 10, 0
//    gull at 0, 8
//    buoy at 20, 2
//    rock at 30, 3
//  after:
//    ship at 15, 1
//    gull at 12, 8
//    buoy at 20, 2
//    rock at 30, 3
