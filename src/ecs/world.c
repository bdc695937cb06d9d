// Worlds: create and destroy. world.h describes the data.

#include "ecs/world.h"
#include "ecs/entity/entity.h"
#include "ecs/observe/notify.h"
#include "ecs/query/query.h"
#include "ecs/schedule/schedule.h"
#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/rows.h"

static FiloResult no_memory(const char *name) {
    return filo_error(FILO_ERROR_MEMORY, "%s: no memory for a world", name);
}

// ---- Data of other modules --------------------------------------------------------------------------------

bool filo_world_add_data(FiloWorld *world, const FiloWorldData *data) {
    if (!FILO_CHECK(world != NULL && data != NULL && data->key != NULL && data->data != NULL,
                    "pass a world, a key, and data") ||
        !ecs_may_change(world, "add data") ||
        !FILO_CHECK(filo_world_data(world, data->key) == NULL, "the world has data with this key already") ||
        !FILO_CHECK(world->data_count < FILO_WORLD_DATA, "a world has data of %d modules at most",
                    FILO_WORLD_DATA))
        return false;
    world->data[world->data_count++] = *data;
    return true;
}

void *filo_world_data(const FiloWorld *world, const void *key) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    for (uint32_t i = 0; i < world->data_count; i++)
        if (world->data[i].key == key) return world->data[i].data;
    return NULL;
}

void ecs_data_before_tick(FiloWorld *world) {
    for (uint32_t i = 0; i < world->data_count; i++)
        if (world->data[i].before_tick != NULL) world->data[i].before_tick(world, world->data[i].data);
}

void ecs_data_after_tick(FiloWorld *world) {
    for (uint32_t i = 0; i < world->data_count; i++)
        if (world->data[i].after_tick != NULL) world->data[i].after_tick(world, world->data[i].data);
}

static void destroy_data(FiloWorld *world) {
    while (world->data_count > 0) {
        FiloWorldData data = world->data[--world->data_count];
        if (data.destroy != NULL) data.destroy(world, data.data);
    }
}

// ---- Life -------------------------------------------------------------------------------------------------

static void free_world(FiloWorld *world) {
    if (world->schedule != NULL) ecs_schedule_deinit(world);
    ecs_observers_deinit(world);
    ecs_changes_deinit(world);
    ecs_queries_deinit(world);
    ecs_tables_deinit(world);
    if (world->entity_name != NULL) ecs_names_clear(world);
    ecs_names_flush(world);
    ecs_components_deinit(world);
    ecs_providers_deinit(world);
    ecs_original_deinit(world);
    filo_map_deinit(&world->names);
    ecs_family_deinit(world);
    filo_array_deinit(&world->released_names);
    ecs_directory_deinit(world);
    ecs_blocks_deinit(&world->blocks);
    filo_mutex_deinit(&world->scratch_lock);
    ecs_world_number_release(world);
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
    world->version = ECS_FIRST_VERSION;
    ecs_world_number_acquire(world);
    world->allocator = desc->allocator;
    if (desc->allocator == NULL) {
        filo_heap_init(&world->heap, name, desc->memory_budget);
        world->allocator = &world->heap.allocator;
    }
    ecs_blocks_init(&world->blocks, world->allocator, desc->allocator == NULL ? &world->heap.account : NULL);
    world->free_first = world->free_last = ECS_LOCATION_LAST;
    filo_array_init(&world->free_chunk_ids, world->allocator);
    filo_array_init(&world->tables, world->allocator);
    filo_map_init(&world->queries_by_hash, sizeof(FiloQuery *), world->allocator);
    filo_array_init(&world->tracked, world->allocator);
    filo_array_init(&world->watches, world->allocator);
    filo_array_init(&world->observers, world->allocator);
    filo_map_init(&world->table_by_hash, sizeof(EcsTable *), world->allocator);
    filo_map_init(&world->names, sizeof(FiloEntity), world->allocator);
    filo_array_init(&world->released_names, world->allocator);
    filo_mutex_init(&world->scratch_lock);

    FiloResult result = ecs_components_init(world);
    if (result.code == FILO_OK) {
        world->empty = ecs_table_of(world, NULL, 0);
        if (world->empty == NULL || !ecs_changes_init(world) || !ecs_schedule_init(world))
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
        EcsComponentData *component = *item;
        if (component->info.hooks.destruct == NULL) continue;
        if (component->holder != NULL) {
            uint64_t cursor = 0;
            FiloEntity entity;
            while (component->interface->next(component->holder, &cursor, &entity))
                ecs_value_destruct(component, component->interface->get(component->holder, entity));
        }
        filo_array_each (&component->tables, table) {
            uint32_t column = ecs_table_column(*table, component->id);
            for (int i = 0; i < 2; i++) {
                EcsPartition *partition = &(*table)->partitions[i];
                for (uint32_t row = 0; row < ecs_partition_count(partition); row++) {
                    uint8_t *base = partition->chunks[row / partition->chunk_rows].base;
                    ecs_value_destruct(component,
                                       ecs_chunk_column(partition, base, column) +
                                           (size_t)(row % partition->chunk_rows) * component->size);
                }
            }
        }
    }
}

void filo_world_destroy(FiloWorld *world) {
    if (world == NULL || !ecs_may_change(world, "destroy a world")) return;
    ecs_schedule_deinit(world); // calls the `end` of systems, which may still use the world
    destroy_data(world);
    destruct_all(world);
    free_world(world);
}

void filo_world_refuse_restore(FiloWorld *world, const char *reason) {
    if (FILO_CHECK(world != NULL, "pass a world")) world->restore_refused = reason;
}

void filo_world_refuse_access(FiloWorld *world, bool refused) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return;
    if (refused)
        (void)base_or_relaxed(&world->closed, ECS_CLOSED_CALLER);
    else
        (void)base_and_relaxed(&world->closed, ~(uint32_t)ECS_CLOSED_CALLER);
}

FiloJobs *filo_world_jobs(const FiloWorld *world) {
    return FILO_CHECK(world != NULL, "pass a world") ? world->jobs : NULL;
}
const FiloAllocator *filo_world_allocator(const FiloWorld *world) {
    return FILO_CHECK(world != NULL, "pass a world") ? world->allocator : NULL;
}
FiloEvents *filo_world_events(const FiloWorld *world) {
    return FILO_CHECK(world != NULL, "pass a world") ? world->events : NULL;
}
uint64_t filo_world_seed(const FiloWorld *world) {
    return FILO_CHECK(world != NULL, "pass a world") ? world->seed : 0;
}
uint64_t filo_world_ticks(const FiloWorld *world) { return ecs_may_read(world) ? world->tick : 0; }

float filo_world_delta(const FiloWorld *world) { return ecs_may_read(world) ? world->schedule->delta : 0; }

FiloWorldStats filo_world_stats(const FiloWorld *world) {
    if (!ecs_may_read(world)) return (FiloWorldStats){ 0 };
    FiloWorldStats stats = { .entities = world->entity_count,
                             .tables = world->tables.count,
                             .chunks = world->chunk_end - world->free_chunk_ids.count,
                             .components = world->components.count,
                             .queries = world->query_count,
                             .systems = world->schedule->systems.count };
    filo_array_each (&world->tables, table) stats.inactive += ecs_partition_count(&(*table)->partitions[1]);
    if (world->allocator == &world->heap.allocator) {
        FiloMemoryStats memory = filo_heap_stats(&world->heap);
        stats.memory = memory.used;
        stats.memory_budget = memory.budget;
    } else {
        stats.memory = world->blocks.used;
    }
    return stats;
}
