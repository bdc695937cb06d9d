// Making and ending worlds.

#include "ecs/world.h"
#include "ecs/changes.h"
#include "ecs/rows.h"
#include "ecs/schedule.h"

static FiloResult no_memory(const char *name) {
    return filo_error(FILO_ERROR_MEMORY, "%s: no memory for a world", name);
}

static void free_world(FiloWorld *world) {
    if (world->schedule != NULL) filo_schedule_deinit(world);
    ecs_observers_deinit(world);
    filo_changes_deinit(world);
    filo_queries_deinit(world);
    filo_tables_deinit(world);
    if (world->entity_name != NULL) ecs_names_forget_all(world);
    ecs_names_flush(world);
    filo_components_deinit(world);
    filo_providers_deinit(world);
    filo_original_deinit(world);
    filo_map_deinit(&world->names);
    ecs_family_deinit(world);
    filo_array_deinit(&world->gone_names);
    filo_directory_deinit(world);
    filo_blocks_deinit(&world->blocks);
    filo_mutex_deinit(&world->lent_lock);
    ecs_world_number_give(world);
    bool own_heap = world->allocator == &world->heap.allocator;
    if (own_heap) filo_heap_deinit(&world->heap);
    filo_free(own_heap ? NULL : world->allocator, world, sizeof *world, FILO_CACHE_LINE);
}

FiloResult filo_world_create(FiloWorld **out, const FiloWorldDesc *desc) {
    FiloWorldDesc zero = { 0 };
    if (desc == NULL) desc = &zero;
    if (out == NULL) return FILO_MISTAKE("pass where to put the world");
    *out = NULL;
    const char *name = desc->name != NULL ? desc->name : "world";
    FiloWorld *world = filo_alloc_zero(desc->allocator, sizeof *world, FILO_CACHE_LINE);
    if (world == NULL) return no_memory(name);
    world->name = name;
    world->jobs = desc->jobs;
    world->events = desc->events;
    world->seed = desc->seed;
    world->version = 1;
    ecs_world_number_take(world);
    world->allocator = desc->allocator;
    if (desc->allocator == NULL) {
        filo_heap_init(&world->heap, name, desc->memory_budget);
        world->allocator = &world->heap.allocator;
    }
    filo_blocks_init(&world->blocks, world->allocator, desc->allocator == NULL ? &world->heap.account : NULL);
    world->free_first = world->free_last = FILO_WHERE_LAST;
    filo_array_init(&world->free_places, world->allocator);
    filo_array_init(&world->tables, world->allocator);
    filo_array_init(&world->tracked, world->allocator);
    filo_array_init(&world->watches, world->allocator);
    filo_array_init(&world->observers, world->allocator);
    filo_map_init(&world->table_by_hash, sizeof(FiloTable *), world->allocator);
    filo_map_init(&world->names, sizeof(FiloEntity), world->allocator);
    filo_array_init(&world->gone_names, world->allocator);
    filo_mutex_init(&world->lent_lock);

    FiloResult result = filo_components_init(world);
    if (result.code == FILO_OK) {
        world->empty = filo_table_of(world, NULL, 0);
        world->last_created = world->empty;
        if (world->empty == NULL || !filo_changes_init(world) || !filo_schedule_init(world))
            result = no_memory(name);
    }
    if (result.code != FILO_OK) {
        free_world(world);
        return result;
    }
    *out = world;
    return filo_ok();
}

// Runs the destructors of all values in tables and holders.
static void destruct_all(FiloWorld *world) {
    filo_array_each (&world->components, item) {
        FiloComponentData *component = *item;
        if (component->info.hooks.destruct == NULL) continue;
        if (component->holder != NULL) {
            uint64_t cursor = 0;
            FiloEntity entity;
            while (component->interface->next(component->holder, &cursor, &entity))
                filo_value_destruct(component, component->interface->get(component->holder, entity));
        }
        filo_array_each (&component->tables, table) {
            uint32_t column = filo_table_column(*table, component->id);
            for (int h = 0; h < 2; h++) {
                FiloHalf *half = &(*table)->halves[h];
                for (uint32_t row = 0; row < filo_half_count(half); row++) {
                    uint8_t *base = half->chunks[row / half->chunk_rows].base;
                    filo_value_destruct(component, filo_chunk_column(half, base, column) +
                                                       (size_t)(row % half->chunk_rows) * component->size);
                }
            }
        }
    }
}

void filo_world_destroy(FiloWorld *world) {
    if (world == NULL || !filo_world_may_change(world, "destroy a world")) return;
    filo_schedule_deinit(world); // ends the systems, which may still use the world
    destruct_all(world);
    free_world(world);
}

static void clear_holder(FiloComponentData *component) {
    if (component->interface->clear != NULL) {
        component->interface->clear(component->holder);
        return;
    }
    for (;;) {
        uint64_t cursor = 0;
        FiloEntity entity;
        if (!component->interface->next(component->holder, &cursor, &entity)) return;
        component->interface->remove(component->holder, entity);
    }
}

void filo_world_clear(FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world") || !filo_world_may_change(world, "clear a world")) return;
    if (filo_tracking(world) || world->watches.count > 0) ecs_observe_clear(world);
    destruct_all(world);
    ecs_names_forget_all(world);
    filo_array_each (&world->tables, table)
        for (int h = 0; h < 2; h++)
            filo_half_shrink(world, &(*table)->halves[h], filo_half_count(&(*table)->halves[h]));
    filo_array_each (&world->components, item) {
        FiloComponentData *component = *item;
        if (component->holder != NULL) clear_holder(component);
        if (component->global != NULL) {
            filo_value_destruct(component, component->global);
            filo_value_construct(component, component->global);
        }
        *component->version = world->version;
    }
    filo_changes_drop_waiting(world);
    ecs_groups_reset(world);
    for (uint32_t i = 0; i < world->index_end; i++)
        if ((filo_record_where(filo_record(world, i)) & FILO_WHERE_FREE) == 0) filo_directory_give(world, i);
}

FiloJobs *filo_world_jobs(const FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    return world->jobs;
}
FiloEvents *filo_world_events(const FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    return world->events;
}
uint64_t filo_world_seed(const FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return 0;
    return world->seed;
}
uint64_t filo_world_ticks(const FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return 0;
    return world->tick;
}

FiloWorldStats filo_world_stats(const FiloWorld *world) {
    if (!ecs_may_look(world)) return (FiloWorldStats){ 0 };
    FiloWorldStats stats = { .entities = world->entity_count,
                             .tables = world->tables.count,
                             .chunks = world->place_count - world->free_places.count,
                             .components = world->components.count,
                             .queries = world->query_count,
                             .systems = world->schedule->systems.count };
    filo_array_each (&world->tables, table) stats.inactive += filo_half_count(&(*table)->halves[1]);
    if (world->allocator == &world->heap.allocator) {
        FiloMemoryStats memory = filo_heap_stats(&world->heap);
        stats.memory = memory.used;
        stats.memory_budget = memory.budget;
    } else {
        stats.memory = world->blocks.used;
    }
    return stats;
}
