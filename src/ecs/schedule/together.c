// Systems that run together: FiloSystemDesc.together. schedule.c puts them into one stage.

#include "ecs/query/query.h"
#include "ecs/schedule/schedule.h"

static bool are_together(const EcsSystem *a, const EcsSystem *b) {
    return a->together.id != 0 && a->together.id == b->together.id && a->phase == b->phase;
}

bool ecs_together_is_valid(const FiloWorld *world, const EcsSystem *system) {
    if (!FILO_CHECK(!ecs_system_is_state_hook(system),
                    "system \"%s\": it runs when a state is entered or left, so it cannot run together with "
                    "others",
                    system->name))
        return false;
    filo_array_each (&world->schedule->systems, other) {
        uint32_t component = are_together(system, *other) ? ecs_access_conflict_together(system, *other) : 0;
        if (!FILO_CHECK(
                component == 0,
                "system \"%s\" cannot run together with \"%s\": one of them writes %s, which the other "
                "one uses, and not only for its own rows",
                system->name, (*other)->name,
                component != 0 ? world->components.items[component - 1]->info.name : ""))
            return false;
    }
    return true;
}

#ifndef NDEBUG

// The first partition with rows that both queries match; NULL: none.
static const EcsPartition *common_partition(const FiloQuery *a, const FiloQuery *b) {
    for (size_t i = 0; i < a->match_count; i++) {
        const EcsPartition *partition = ecs_query_match(a, i)->partition;
        if (ecs_partition_count(partition) == 0) continue;
        for (size_t k = 0; k < b->match_count; k++)
            if (ecs_query_match(b, k)->partition == partition) return partition;
    }
    return NULL;
}

static void check(const FiloWorld *world, const EcsSystem *a, const EcsSystem *b) {
    uint32_t component = ecs_access_shared_rows(a, b);
    const EcsPartition *partition = component != 0 ? common_partition(a->query, b->query) : NULL;
    (void)FILO_CHECK(
        partition == NULL,
        "systems \"%s\" and \"%s\" run together, and both use %s of entity %u: one of them writes it, "
        "so their rows must be different entities",
        a->name, b->name, component != 0 ? world->components.items[component - 1]->info.name : "",
        partition != NULL ? ecs_chunk_indices(partition, partition->chunks[0].base)[0] : 0);
}

void ecs_together_check(const FiloWorld *world) {
    const EcsSchedule *schedule = world->schedule;
    for (size_t i = 0; i < schedule->work_count; i++)
        for (size_t k = 0; k < i; k++)
            if (are_together(schedule->work.items[i].system, schedule->work.items[k].system))
                check(world, schedule->work.items[k].system, schedule->work.items[i].system);
}

#endif
