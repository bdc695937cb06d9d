// A harbour, and a list of its berths outside of the world: observers. It shows
//   - an observer of a component, called at the refresh with all entities for which it was added, removed or set;
//   - a mirror: the list of berths always agrees with the world. The observer gets the values of removed components,
//     so it can free the berth of a ship that no longer exists;
//   - a rule: a ship that gets a berth gets cargo. The observer records that as a change, which is applied in the same
//     refresh, and observed by others in a next round;
//   - an observer of a query: the crane is notified of ships that get both components, and of ships that lose one;
//   - .existing: the observer is called for the ship that existed before it, too.
//
// Try: ./dev run observers --frames 9
//      let `add_cargo` remove the berth and set it again: the number of rounds is limited, which is reported
//      remove .existing: the ferry is not in the list

#include <filo/filo.h>

#include <stdio.h>

// ---- Components ---------------------------------------------------------------------------------------

typedef struct Berth {
    int number;
} Berth;
typedef struct Cargo {
    int crates; // still on board
} Cargo;
FILO_REFLECT(Berth, FILO_FIELD(int, number))
FILO_REFLECT(Cargo, FILO_FIELD(int, crates))

#define BERTHS 3
typedef struct Harbour { // not a component: outside of the world
    FiloEntity at[BERTHS];
} Harbour;

// ---- Observers and systems ----------------------------------------------------------------------------

static const char *name_of(const FiloWorld *world, FiloEntity ship) {
    const char *name = filo_entity_name(world, ship);
    return name != NULL ? name : ship.id != 0 ? "a ship that is gone" : "-";
}

static void leave(Harbour *harbour, FiloEntity ship) {
    for (int i = 0; i < BERTHS; i++)
        if (harbour->at[i].id == ship.id) harbour->at[i] = FILO_ENTITY_NONE;
}

static void update_list(FiloIter *it, const FiloObserved *observed) {
    Harbour *harbour = it->user;
    const Berth *last = filo_observed_values(observed, Berth); // the last values of removed components
    for (size_t i = 0; i < observed->count; i++) {
        FiloEntity ship = observed->entities[i];
        if (observed->kind == FILO_OBSERVE_REMOVED) {
            printf("  %s leaves berth %d\n", name_of(it->world, ship), last[i].number);
            leave(harbour, ship);
            continue;
        }
        int number = filo_get(it->world, ship, Berth)->number;
        printf("  %s %s berth %d\n", name_of(it->world, ship),
               observed->kind == FILO_OBSERVE_ADDED ? "comes to" : "moves to", number);
        leave(harbour, ship); // the berth that it may have had before
        harbour->at[number] = ship;
    }
}

static void add_cargo(FiloIter *it, const FiloObserved *observed) {
    for (size_t i = 0; i < observed->count; i++) filo_set(it->changes, observed->entities[i], Cargo, 3);
}

static void run_crane(FiloIter *it, const FiloObserved *observed) {
    for (size_t i = 0; i < observed->count; i++)
        printf("  the crane %s %s\n", observed->kind == FILO_OBSERVE_ENTERED ? "starts on" : "is done with",
               name_of(it->world, observed->entities[i]));
}

// A crate a tick; with the last one the ship loses cargo and berth.
static void unload(FiloIter *it) {
    Cargo *cargo = filo_write(it, Cargo);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity ship = filo_iter_entity(it, i);
        if (--cargo[i].crates > 0) continue; // writing through a column is not observed
        filo_remove(it->changes, ship, Cargo);
        filo_remove(it->changes, ship, Berth);
    }
}

// ---- Setup --------------------------------------------------------------------------------------------

static FiloEntity arrive(FiloWorld *world, const char *name, int berth) {
    FiloEntity ship = filo_create(world, FILO_SET(Berth, berth));
    filo_entity_set_name(world, ship, name);
    return ship;
}

static void set_up(FiloWorld *world, Harbour *harbour) {
    filo_component(world, Berth);
    filo_component(world, Cargo);
    arrive(world, "the ferry", 0);
    filo_observer_add(
        world, &(FiloObserverDesc){ .name = "update list",
                                    .run = update_list,
                                    .user = harbour,
                                    .type = FILO_TYPE(Berth),
                                    .kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED | FILO_OBSERVE_SET,
                                    .existing = true });
    filo_observer_add(world, &(FiloObserverDesc){ .name = "add cargo",
                                                  .run = add_cargo,
                                                  .type = FILO_TYPE(Berth),
                                                  .kinds = FILO_OBSERVE_ADDED });
    filo_observer_add(world, &(FiloObserverDesc){ .name = "run crane",
                                                  .run = run_crane,
                                                  .query.terms = { FILO_WITH(Berth), FILO_WITH(Cargo) },
                                                  .kinds = FILO_OBSERVE_ENTERED | FILO_OBSERVE_LEFT });
    filo_system_add(
        world, &(FiloSystemDesc){ .name = "unload", .run = unload, .query.terms = { FILO_WRITE(Cargo) } });
}

// Between ticks. Observers are called at the beginning of the next tick, before systems run.
static void sail(FiloWorld *world, uint64_t tick) {
    if (tick == 1) arrive(world, "the tug", 1);
    if (tick == 2) filo_set(world, filo_world_find(world, "the tug"), Berth, 2);
    if (tick == 2)
        filo_entity_destroy(world, arrive(world, "a gull", 1)); // created and destroyed: not observed
    if (tick == 4) arrive(world, "the wreck", 1);
    if (tick == 5) filo_entity_destroy(world, filo_world_find(world, "the wreck"));
}

// ---- Main ---------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    FiloArgs args;
    FiloArgsDesc desc = { .summary = "A list of berths that agrees with the world.",
                          .defaults.frames = 6,
                          .ignores = FILO_ARGS_SCREEN | FILO_ARGS_SEED | FILO_ARGS_STATS | FILO_ARGS_TRACE };
    if (!filo_args_main(&args, argc, argv, &desc)) return args.exit_code;
    FiloJobs *jobs = NULL;
    FiloWorld *world = NULL;
    Harbour harbour = { 0 };
    FiloResult r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = args.common.threads });
    if (r.code == FILO_OK) r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs });
    if (r.code == FILO_OK) set_up(world, &harbour);
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    for (uint64_t i = 0; i < args.common.frames && r.code == FILO_OK; i++) {
        sail(world, i);
        printf("tick %d\n", (int)i);
        r = filo_world_tick(world, 1);
        printf("  berths: %s, %s, %s\n", name_of(world, harbour.at[0]), name_of(world, harbour.at[1]),
               name_of(world, harbour.at[2]));
    }
    if (r.code == FILO_OK && args.common.hash)
        printf("%016llx\n", (unsigned long long)filo_world_hash(world));
    if (r.code == FILO_OK) r = filo_out_of_memory_result();
    if (r.code != FILO_OK) filo_log_error("observers", "%s", r.message);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return r.code == FILO_OK ? 0 : 1;
}

// Prints, on any number of threads:
//
//  tick 0
//    the ferry comes to berth 0
//    berths: the ferry, -, -
//  tick 1
//    the tug comes to berth 1
//    the crane starts on the tug
//    berths: the ferry, the tug, -
//  tick 2
//    the tug moves to berth 2
//    berths: the ferry, -, the tug
//  tick 3
//    the tug leaves berth 2
//    the crane is done with the tug
//    berths: the ferry, -, -
//  tick 4
//    the wreck comes to berth 1
//    the crane starts on the wreck
//    berths: the ferry, the wreck, -
//  tick 5
//    a ship that is gone leaves berth 1
//    the crane is done with a ship that is gone
//    berths: the ferry, -, -
