// A house with people who sleep and wake: groups, and the entities that enter and leave them. It shows
//   - a query as a group, which the world updates when components are added and removed;
//   - .tracked: filo_query_entered and filo_query_left list the entities that entered and left since the last run,
//     for any reason: a component was added or removed, an entity was created, destroyed or made inactive;
//   - a system that reads groups without iterating over their rows: .once, with a second query in .extra_queries;
//   - systems in phases: the changes that "live" recorded have been applied when "report" runs.
//
// Try: ./dev run groups --frames 20
//      remove the phase of "report": it then runs in the stage of "live", and reports the tick before
//      create the people before the systems: entities that existed before a query have not entered it

#include <filo/filo.h>

#include <stdio.h>

// ---- Components ---------------------------------------------------------------------------------------

typedef struct Person {
    int energy;
} Person;
FILO_REFLECT(Person, FILO_FIELD(int, energy))

FILO_TAG(Asleep)

// ---- Systems ------------------------------------------------------------------------------------------

// Tired people fall asleep, and people who have slept enough wake.
static void live(FiloIter *it) {
    Person *person = filo_write(it, Person);
    FiloComponent asleep = filo_component_of(it->world, FILO_TYPE(Asleep));
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        Person *p = &person[i];
        if (filo_entity_has(it->world, entity, asleep)) {
            p->energy += 2;
            if (p->energy >= 6) filo_changes_remove(it->changes, entity, asleep);
        } else {
            p->energy -= 1;
            if (p->energy <= 0) filo_changes_add(it->changes, entity, asleep);
        }
    }
}

static void print_names(const FiloWorld *world, const char *what, const FiloEntity *entities, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *name = filo_entity_name(world, entities[i]); // an entity that left may not exist any more
        printf("  %s: %s\n", what, name != NULL ? name : "an entity that no longer exists");
    }
}

static void report(FiloIter *it) {
    FiloQuery *awake = it->query, *asleep = filo_iter_extra_query(it, 0);
    size_t count;
    printf("tick %d: %zu awake, %zu asleep\n", (int)it->tick, filo_query_count(awake),
           filo_query_count(asleep));
    const FiloEntity *entities = filo_query_entered(awake, &count);
    print_names(it->world, "now awake", entities, count);
    entities = filo_query_left(awake, &count);
    print_names(it->world, "no longer awake", entities, count);
    entities = filo_query_entered(asleep, &count);
    print_names(it->world, "now asleep", entities, count);
    entities = filo_query_left(asleep, &count);
    print_names(it->world, "no longer asleep", entities, count);
}

// ---- Setup --------------------------------------------------------------------------------------------

static FiloEntity person(FiloWorld *world, const char *name, int energy) {
    FiloEntity entity = filo_create(world, FILO_SET(Person, energy));
    filo_entity_set_name(world, entity, name);
    return entity;
}

static void set_up(FiloWorld *world) {
    filo_component(world, Person);
    filo_component(world, Asleep);
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "live", .run = live, .query.terms = { FILO_WRITE(Person) } });
    filo_system_add(
        world,
        &(FiloSystemDesc){
            .name = "report",
            .run = report,
            .phase = FILO_PHASE_AFTER,
            .query = { .terms = { FILO_WITH(Person), FILO_WITHOUT(Asleep) }, .tracked = true },
            .extra_queries = { { .terms = { FILO_WITH(Person), FILO_WITH(Asleep) }, .tracked = true } },
            .once = true,
            .main_thread = true });
    person(world, "Ada", 2);
    person(world, "Bert", 4);
}

// Between ticks the world may be changed directly; groups are updated at the next refresh.
static void visit(FiloWorld *world, uint64_t tick) {
    if (tick == 3) person(world, "a guest", 9);
    if (tick == 5) filo_entity_set_active(world, filo_world_find(world, "Bert"), false); // out for a walk
    if (tick == 6) filo_entity_destroy(world, filo_world_find(world, "a guest"));
    if (tick == 7) filo_entity_set_active(world, filo_world_find(world, "Bert"), true);
}

// ---- Main ---------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "Prints which people in a house fall asleep and wake.",
                          .defaults.frames = 8,
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_SEED | FILO_ARGS_STATS | FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    FiloJobs *jobs = NULL;
    FiloWorld *world = NULL;
    FiloResult r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = args.common.threads });
    if (r.code == FILO_OK) r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs });
    if (r.code == FILO_OK) set_up(world);
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    for (uint64_t i = 0; i < args.common.frames && r.code == FILO_OK; i++) {
        visit(world, i);
        r = filo_world_tick(world, 1);
    }
    if (r.code == FILO_OK && args.common.hash)
        printf("%016llx\n", (unsigned long long)filo_world_hash(world));
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code != FILO_OK) filo_log_error("groups", "%s", r.message);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//  tick 0: 2 awake, 0 asleep
//    now awake: Ada
//    now awake: Bert
//  tick 1: 1 awake, 1 asleep
//    no longer awake: Ada
//    now asleep: Ada
//  tick 2: 1 awake, 1 asleep
//  tick 3: 1 awake, 2 asleep
//    now awake: a guest
//    no longer awake: Bert
//    now asleep: Bert
//  tick 4: 2 awake, 1 asleep
//    now awake: Ada
//    no longer asleep: Ada
//  tick 5: 2 awake, 0 asleep
//    no longer asleep: Bert
//  tick 6: 1 awake, 0 asleep
//    no longer awake: an entity that no longer exists
//  tick 7: 1 awake, 1 asleep
//    now asleep: Bert
