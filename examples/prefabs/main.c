// A harbour full of boats: prefabs, made and used in C. It shows
//   - a prefab: an entity with children that serves as a template, and that queries do not find;
//   - references between its parts: the captain of each instance refers to the lamp of that instance;
//   - a component that requires another: an entity that gets a Speed gets a Position too;
//   - instances, one by one with other values, and thousands in one call;
//   - a prefab that is derived from another: a boat, but faster;
//   - instances that a running system creates, through its change set;
//   - instances are copies: they do not change with the prefab; destroying a boat destroys its children.
//
// Prefabs can also come from files: examples/scene.
//
// Try: ./dev run prefabs --boats 100000
//      give the lamp a child, and let the captain refer to that
//      give the ferry a component that the boat does not have

#include <filo/filo.h>

#include <stdio.h>

// ---- Components ---------------------------------------------------------------------------------------

typedef struct Position {
    float x, y;
} Position;
FILO_REFLECT(Position, FILO_FIELD(float, x, .unit = "m"), FILO_FIELD(float, y, .unit = "m"))

typedef struct Speed {
    float knots;
} Speed;
FILO_REFLECT(Speed, FILO_FIELD(float, knots))

typedef struct Lamp {
    bool lit;
} Lamp;
FILO_REFLECT(Lamp, FILO_FIELD(bool, lit))

typedef struct Captain {
    FiloEntity lamp;
} Captain;
FILO_REFLECT(Captain, FILO_FIELD(FiloEntity, lamp))

typedef struct Shipyard {
    FiloEntity builds; // a prefab
} Shipyard;
FILO_REFLECT(Shipyard, FILO_FIELD(FiloEntity, builds))

// ---- Systems ------------------------------------------------------------------------------------------

static void sail(FiloIter *it) {
    Position *position = filo_write(it, Position);
    const Speed *speed = filo_read(it, Speed);
    for (size_t i = 0; i < it->count; i++) position[i].x += speed[i].knots * it->delta;
}

// A system creates nothing directly: it records an instance, with the values that differ from the prefab.
static void build(FiloIter *it) {
    const Shipyard *shipyard = filo_read(it, Shipyard);
    for (size_t i = 0; i < it->count; i++) {
        filo_instance(it->changes, shipyard[i].builds, FILO_SET(Position, .y = 100 + (float)it->tick));
    }
}

// ---- Setup --------------------------------------------------------------------------------------------

// A boat has a lamp and a captain, who refers to the lamp.
static FiloEntity make_boat(FiloWorld *world) {
    FiloEntity boat = filo_create(world, FILO_SET(Speed, 4)); // Speed requires Position
    FiloEntity lamp = filo_create(world, FILO_ADD(Lamp));
    FiloEntity captain = filo_create(world, FILO_SET(Captain, lamp));
    filo_entity_set_parent(world, lamp, boat);
    filo_entity_set_parent(world, captain, boat);
    filo_entity_set_name(world, boat, "boat");
    filo_prefab_make(world, boat);
    return boat;
}

static void set_up(FiloWorld *world) {
    filo_component(world, Position);
    filo_component(world, Speed, .required = { FILO_REQUIRED(Position) });
    filo_component(world, Lamp);
    filo_component(world, Captain);
    filo_component(world, Shipyard);
    filo_system_add(world, &(FiloSystemDesc){ .name = "sail",
                                              .run = sail,
                                              .query.terms = { FILO_WRITE(Position), FILO_READ(Speed) },
                                              .parallel = true });
    filo_system_add(
        world, &(FiloSystemDesc){ .name = "build", .run = build, .query.terms = { FILO_READ(Shipyard) } });
}

static FiloEntity captain_of(const FiloWorld *world, FiloEntity boat) {
    filo_entity_each_child (world, boat, child)
        if (filo_has(world, child, Captain)) return child;
    return FILO_ENTITY_NONE;
}

static void describe(const FiloWorld *world, const char *what, FiloEntity boat) {
    const Position *at = filo_get(world, boat, Position);
    FiloEntity lamp = filo_get(world, captain_of(world, boat), Captain)->lamp;
    printf("%s: at %g, %g with %g knots; its captain watches %s lamp, which is %s\n", what, (double)at->x,
           (double)at->y, (double)filo_get(world, boat, Speed)->knots,
           filo_entity_equal(filo_entity_parent(world, lamp), boat) ? "its own" : "another's",
           filo_get(world, lamp, Lamp)->lit ? "lit" : "dark");
}

static FiloResult run(FiloWorld *world, size_t boats, uint64_t ticks) {
    FiloQuery *afloat = filo_query(world, FILO_READ(Position), FILO_READ(Speed));
    FiloEntity boat = make_boat(world);
    const FiloComponentValue swift[] = { FILO_SET(Speed, 12) };
    FiloEntity ferry = filo_prefab_derive(world, boat, swift, 1);
    FiloResult r = filo_out_of_memory_result(); // checked once, instead of after each line before
    if (r.code != FILO_OK) return r;
    printf("two prefabs, and %zu boats\n", filo_query_count(afloat)); // prefabs are inactive

    FiloEntity first = filo_instance(world, boat);
    FiloEntity second = filo_instance(world, boat, FILO_SET(Position, 7, 7), FILO_SET(Speed, 2));
    FiloEntity third = filo_instance(world, ferry);
    r = filo_out_of_memory_result();
    if (r.code != FILO_OK) return r;
    filo_edit(world, filo_entity_first_child(world, second), Lamp)->lit = true;
    describe(world, "the first boat", first);
    describe(world, "the second boat", second);
    describe(world, "the ferry", third);

    // Many in one call, all below one parent.
    FiloEntity fleet = filo_entity_create(world);
    filo_prefab_instantiate(world, boat, &(FiloInstanceDesc){ .count = boats, .parent = fleet });
    printf("%zu boats, %zu entities\n", filo_query_count(afloat), filo_world_stats(world).entities);

    // The prefab gets another speed. Instances that exist do not change; later ones have the new speed.
    filo_edit(world, boat, Speed)->knots = 6;
    filo_create(world, FILO_SET(Shipyard, boat));
    for (uint64_t i = 0; i < ticks && r.code == FILO_OK; i++) r = filo_world_tick(world, 1);
    printf("%d ticks later: %zu boats\n", (int)ticks, filo_query_count(afloat));
    describe(world, "the first boat", first);
    if (filo_query_count(afloat) > boats + 3)
        describe(world, "the newest", filo_query_at(afloat, filo_query_count(afloat) - 1));

    filo_entity_destroy(world, fleet); // and all boats in it, with their lamps and captains
    printf("without the fleet: %zu boats, %zu entities\n", filo_query_count(afloat),
           filo_world_stats(world).entities);
    filo_query_release(afloat);
    return r;
}

// ---- Main ---------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    int boats = 5000;
    const FiloFlag flags[] = { { "boats", "in the fleet", .integer = &boats, .min = 1, .max = 1e6 } };
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Makes prefabs and thousands of instances of them.",
                          FILO_ARGS_FLAGS(flags),
                          .defaults.frames = 3,
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_SEED | FILO_ARGS_STATS | FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    FiloJobs *jobs = NULL;
    FiloWorld *world = NULL;
    FiloResult r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = args.common.threads });
    if (r.code == FILO_OK) r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs });
    if (r.code == FILO_OK) set_up(world);
    if (r.code == FILO_OK) r = run(world, (size_t)boats, args.common.frames);
    if (r.code == FILO_OK && args.common.hash)
        printf("%016llx\n", (unsigned long long)filo_world_hash(world));
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code != FILO_OK) filo_log_error("prefabs", "%s", r.message);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//  two prefabs, and 0 boats
//  the first boat: at 0, 0 with 4 knots; its captain watches its own lamp, which is dark
//  the second boat: at 7, 7 with 2 knots; its captain watches its own lamp, which is lit
//  the ferry: at 0, 0 with 12 knots; its captain watches its own lamp, which is dark
//  5003 boats, 15016 entities
//  3 ticks later: 5006 boats
//  the first boat: at 12, 0 with 4 knots; its captain watches its own lamp, which is dark
//  the newest: at 0, 102 with 6 knots; its captain watches its own lamp, which is dark
//  without the fleet: 6 boats, 25 entities
