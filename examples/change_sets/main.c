// Guns that shoot, on all processors, and always with the same result. It shows
//   - change sets: a running system creates and destroys nothing directly; it records changes, and the world applies
//     them at the end of the phase, by system, then by row, then in the order of recording;
//   - temporary ids: an entity that was just recorded can be used as a parent and inside values, and read through
//     the change set that recorded it;
//   - two changes to one entity: one system adds a component to a bullet, another one of the same phase destroys it.
//     Destroying wins, and neither system depends on the other;
//   - random numbers that depend on the entity and the tick, not on the thread.
//
// Try: ./dev run change_sets --threads 1     and 2, 4, …: the same to the last bit, which --hash shows
//      ./dev run change_sets --guns 100000 --trace out/guns.json, then open that at ui.perfetto.dev
//      ./dev run change_sets --seed 7
//      ./dev run change_sets --schedule | dot -Tsvg > out/schedule.svg    which systems share a stage

#include <filo/filo.h>

#include <stdio.h>

// ---- Components ---------------------------------------------------------------------------------------

typedef struct Position {
    float x, y;
} Position;
FILO_REFLECT(Position, FILO_FIELD(float, x), FILO_FIELD(float, y))

typedef struct Gun {
    float chance; // to shoot in a tick
} Gun;
FILO_REFLECT(Gun, FILO_FIELD(float, chance))

typedef struct Bullet {
    FiloEntity gun;
    float speed;
    int ticks_left;
} Bullet;
FILO_REFLECT(Bullet, FILO_FIELD(FiloEntity, gun), FILO_FIELD(float, speed), FILO_FIELD(int, ticks_left))

typedef struct Smoke { // behind a bullet, and its child
    FiloEntity bullet;
} Smoke;
FILO_REFLECT(Smoke, FILO_FIELD(FiloEntity, bullet))

FILO_TAG(Stuck)

// ---- Systems ------------------------------------------------------------------------------------------

static void shoot(FiloIter *it) {
    const Position *position = filo_read(it, Position);
    const Gun *gun = filo_read(it, Gun);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        if (!filo_random_chance(&random, gun[i].chance)) continue;
        float speed = filo_random_float_range(&random, 1, 9);
        const Position *p = &position[i];

        FiloEntity bullet = filo_create(it->changes, FILO_SET(Position, p->x + 1, p->y), // a temporary id
                                        FILO_SET(Bullet, filo_iter_entity(it, i), speed, 5));

        // The bullet does not exist yet, but its recorded position can be read.
        const Position *recorded = filo_get(it->changes, bullet, Position);
        if (recorded == NULL) continue; // no memory for it
        Position behind = { recorded->x - 0.5f, recorded->y };
        FiloEntity smoke = filo_create(it->changes, FILO_SET_COPY(Position, &behind),
                                       FILO_SET(Smoke, bullet)); // replaced by the real id
        filo_changes_set_parent(it->changes, smoke, bullet);     // destroyed with the bullet
    }
}

// Stuck is stored as a bit for each entity, so entities without it are not contiguous: each row has a pointer.
static void fly(FiloIter *it) {
    FiloColumn position = filo_column(it, Position), bullet = filo_column(it, Bullet);
    for (size_t i = 0; i < it->count; i++)
        FILO_AT(position, i, Position)->x += FILO_AT(bullet, i, const Bullet)->speed;
}

// The next two systems share a stage: neither writes what the other reads.
static void stick(FiloIter *it) {
    FiloColumn position = filo_column(it, Position);
    for (size_t i = 0; i < it->count; i++)
        if (FILO_AT(position, i, const Position)->x > 20)
            filo_add(it->changes, filo_iter_entity(it, i), Stuck);
}

static void age(FiloIter *it) {
    Bullet *bullet = filo_write(it, Bullet);
    for (size_t i = 0; i < it->count; i++)
        if (--bullet[i].ticks_left == 0)
            filo_destroy(it->changes, filo_iter_entity(it, i)); // wins over Stuck
}

// ---- Setup --------------------------------------------------------------------------------------------

static void fill_guns(FiloIter *it, void *user) {
    FILO_UNUSED(user);
    Position *position = filo_write(it, Position);
    for (size_t i = 0; i < it->count; i++) position[i].y = (float)(it->first + i);
}

static void set_up(FiloWorld *world, size_t guns) {
    filo_component(world, Position);
    filo_component(world, Gun);
    filo_component(world, Bullet);
    filo_component(world, Smoke);
    filo_component(world, Stuck, .storage = FILO_STORAGE_TAG);

    const FiloComponentValue with[] = { FILO_ADD(Position), FILO_SET(Gun, 0.02f) };
    filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = guns, .values = with, .value_count = 2, .fill = fill_guns });

    const FiloSystemDesc systems[] = {
        { "shoot", shoot, .query.terms = { FILO_READ(Position), FILO_READ(Gun) }, .parallel = true },
        { "fly", fly, .query.terms = { FILO_WRITE(Position), FILO_READ(Bullet), FILO_WITHOUT(Stuck) },
          .parallel = true },
        { "stick", stick, .query.terms = { FILO_READ(Position), FILO_WITH(Bullet), FILO_WITHOUT(Stuck) },
          .parallel = true },
        { "age", age, .query.terms = { FILO_WRITE(Bullet) }, .parallel = true },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++) filo_system_add(world, &systems[i]);
}

static FiloResult run(FiloWorld *world, uint64_t ticks) {
    FiloQuery *bullets = filo_query(world, FILO_READ(Bullet));
    FiloQuery *smokes = filo_query(world, FILO_READ(Smoke));
    FiloQuery *stuck = filo_query(world, FILO_WITH(Bullet), FILO_WITH(Stuck));
    FiloResult r = filo_out_of_memory_result(); // checked once, instead of after each line before
    for (uint64_t i = 0; i < ticks && r.code == FILO_OK; i++) {
        r = filo_world_tick(world, 1);
        printf("tick %d: %zu bullets, %zu of them stuck, %zu with smoke\n", (int)i, filo_query_count(bullets),
               filo_query_count(stuck), filo_query_count(smokes));
    }
    if (r.code != FILO_OK) return r; // the world releases its queries
    FiloEntity bullet = filo_query_first(bullets), smoke = filo_entity_first_child(world, bullet);
    if (smoke.id != 0)
        printf("bullet %u is of gun %u; its smoke %u is behind %u\n", filo_entity_index(bullet),
               filo_entity_index(filo_get(world, bullet, Bullet)->gun), filo_entity_index(smoke),
               filo_entity_index(filo_get(world, smoke, Smoke)->bullet));
    filo_query_release(bullets);
    filo_query_release(smokes);
    filo_query_release(stuck);
    return r;
}

// ---- Main ---------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    int guns = 2000;
    bool schedule = false;
    const FiloFlag flags[] = { { "guns", "how many", .integer = &guns, .min = 1, .max = 1e7 },
                               { "schedule", "draw the schedule for Graphviz instead", .on = &schedule } };
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Guns shoot, in systems that run on several threads.",
                          FILO_ARGS_FLAGS(flags),
                          .defaults = { .frames = 8, .seed = 1 },
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_STATS };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    if (args.common.trace != NULL) filo_profile_start(NULL);
    FiloJobs *jobs = NULL;
    FiloWorld *world = NULL;
    FiloResult r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = args.common.threads });
    if (r.code == FILO_OK)
        r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs, .seed = args.common.seed });
    if (r.code == FILO_OK) {
        set_up(world, (size_t)guns);
        char drawing[2000];
        if (schedule && filo_world_draw_schedule(world, drawing, sizeof drawing) < sizeof drawing)
            fputs(drawing, stdout);
        else
            r = run(world, args.common.frames);
        if (args.common.hash) printf("%016llx\n", (unsigned long long)filo_world_hash(world));
    }
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    if (r.code == FILO_OK && args.common.trace != NULL) r = filo_profile_save_trace(args.common.trace, NULL);
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code != FILO_OK) filo_log_error("change_sets", "%s", r.message);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//  tick 0: 36 bullets, 0 of them stuck, 36 with smoke
//  tick 1: 78 bullets, 0 of them stuck, 78 with smoke
//  tick 2: 112 bullets, 0 of them stuck, 112 with smoke
//  tick 3: 171 bullets, 11 of them stuck, 171 with smoke
//  tick 4: 214 bullets, 34 of them stuck, 214 with smoke
//  tick 5: 215 bullets, 36 of them stuck, 215 with smoke
//  tick 6: 202 bullets, 38 of them stuck, 202 with smoke
//  tick 7: 204 bullets, 46 of them stuck, 204 with smoke
//  bullet 2430 is of gun 224; its smoke 2431 is behind 2430
