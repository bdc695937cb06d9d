// A world as new: restoring a snapshot of a world that was just created, with the systems, queries, observers and
// providers that are there. Such a snapshot has a header, one empty table and the clock of events. Everything else that
// restoring does not find gets its initial value (restore.c).

#include "ecs/observe/observe.h"
#include "ecs/schedule/schedule.h"
#include "ecs/snapshot/snapshot.h"

typedef struct NewWorld {
    EcsSnapshotHeader header;
    FiloEventsClock clock;
    uint32_t tables[ECS_NEW_TABLES_WORDS];
} NewWorld;

FiloResult filo_world_reset(FiloWorld *world, uint64_t seed) {
    if (world == NULL) return FILO_MISTAKE("pass a world");
    FiloResult result = ecs_check_restore(world, "reset a world");
    if (result.code != FILO_OK) return result;
    NewWorld new_world = { .header = { .seed = seed,
                                       .version = ECS_FIRST_VERSION,
                                       .free_first = ECS_LOCATION_LAST,
                                       .free_last = ECS_LOCATION_LAST,
                                       .table_count = 1 } };
    EcsSection sections[] = {
        { ecs_section_key(ECS_SECTION_HEADER, 0), offsetof(NewWorld, header), sizeof new_world.header },
        { ecs_section_key(ECS_SECTION_EVENTS, 0), offsetof(NewWorld, clock), sizeof new_world.clock },
        { ecs_section_key(ECS_SECTION_TABLES, 0), offsetof(NewWorld, tables), sizeof new_world.tables },
    };
    FiloSnapshot snapshot = { .bytes = (uint8_t *)&new_world, .size = sizeof new_world };
    snapshot.sections.items = sections;
    snapshot.sections.count = FILO_COUNT_OF(sections);
    result = ecs_snapshot_restore(&snapshot, world);
    if (result.code != FILO_OK) return result;
    world->schedule->delta = 0;
    filo_array_each (&world->observers, observer) (*observer)->reports_existing = (*observer)->existing;
    return filo_ok();
}
