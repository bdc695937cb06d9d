// Many entities at once: creation as a block, and changes to all entities of a query.

#include "ecs/entity/entity.h"
#include "ecs/entity/value_list.h"
#include "ecs/observe/notify.h"
#include "ecs/query/iter.h"
#include "ecs/storage/holder.h"

// ---- Creating -----------------------------------------------------------------------------------------

// Whether the ids of the caller are valid and free, and there is memory for them. Returns the highest index.
static bool ids_are_valid(FiloWorld *world, const FiloEntity *ids, size_t count, uint32_t *highest) {
    *highest = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t index = filo_entity_index(ids[i]);
        if (!FILO_CHECK(filo_entity_generation(ids[i]) != 0 && ids[i].id >> 48 == 0 &&
                            index < FILO_ENTITY_INDEX_MAX,
                        "%llx is no id of an entity; pass ids that another world gave",
                        (unsigned long long)ids[i].id))
            return false;
        if (filo_entity_at(world, index).id != 0) return false;
        *highest = FILO_MAX(*highest, index);
    }
    return ecs_directory_reserve_at(world, *highest);
}

// Takes the indices of these ids. False if one occurs twice: nothing is taken then.
static bool take_ids(FiloWorld *world, const FiloEntity *ids, size_t count, uint32_t highest) {
    while (world->index_end <= highest) {
        uint32_t end = world->index_end++;
        ecs_record_set_generation(ecs_record(world, end), 1);
        ecs_directory_append_free(world, end, ecs_record(world, end));
    }
    for (size_t i = 0; i < count; i++) {
        EcsRecord *record = ecs_record(world, filo_entity_index(ids[i]));
        if ((ecs_record_location(record) & ECS_LOCATION_PENDING) != 0) {
            for (size_t k = 0; k < i; k++) {
                EcsRecord *marked = ecs_record(world, filo_entity_index(ids[k]));
                ecs_record_set_location(marked, ecs_record_location(marked) & ~ECS_LOCATION_PENDING);
            }
            return false;
        }
        // The bit is above the index of the next free one, so the list stays intact until all are marked.
        ecs_record_set_location(record, ecs_record_location(record) | ECS_LOCATION_PENDING);
    }
    ecs_directory_unlink_pending(world);
    for (size_t i = 0; i < count; i++) {
        EcsRecord *record = ecs_record(world, filo_entity_index(ids[i]));
        ecs_record_set_location(record, 0);
        ecs_record_set_generation(record, filo_entity_generation(ids[i]));
    }
    world->entity_count += count;
    return true;
}

// Sets a column of new rows to one value.
static void fill_column(const EcsListedValue *item, uint8_t *values, size_t count) {
    const EcsComponentData *data = item->data;
    if (count == 0 || data->size == 0) return;
    if (data->plain && item->value == NULL && data->default_value == NULL) {
        memset(values, 0, count * data->size);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t *value = values + i * data->size;
        if (data->plain) {
            ecs_bytes_copy(value, item->value != NULL ? item->value : data->default_value, data->size);
            continue;
        }
        ecs_value_construct(data, value);
        if (item->value != NULL) ecs_value_assign(data, value, item->value);
    }
}

// Adjacent rows of one chunk.
typedef struct Part {
    EcsPartition *partition;
    uint8_t *base;
    uint32_t row, count, chunk_id;
} Part;

// Appends up to `count` rows to a partition, all in one chunk; there is memory.
static Part append_part(FiloWorld *world, EcsPartition *partition, size_t count) {
    if (partition->tail_rows == partition->chunk_rows) ecs_partition_advance(partition);
    EcsChunk *chunk = &partition->chunks[partition->tail];
    Part part = { partition, chunk->base, partition->tail_rows,
                  (uint32_t)FILO_MIN(count, (size_t)partition->chunk_rows - partition->tail_rows),
                  chunk->id };
    partition->tail_rows += part.count;
    ecs_rows_unpoison(partition, part.base, part.row, part.count);
    ecs_chunk_mark_changed(world, chunk->base);
    return part;
}

// Assigns entities to the rows of a part.
static void assign_entities(FiloWorld *world, const Part *part, const FiloEntity *ids, FiloEntity *entities) {
    uint32_t *indices = ecs_chunk_indices(part->partition, part->base) + part->row;
    uint32_t location = ecs_location(part->chunk_id, part->row);
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t index = ids != NULL ? filo_entity_index(ids[i]) : ecs_directory_take(world);
        indices[i] = index;
        ecs_record_set_location(ecs_record(world, index), location + i);
        if (entities != NULL) entities[i] = ecs_entity_of_index(world, index);
    }
}

static void fill_part(FiloWorld *world, const FiloBlockDesc *desc, const EcsValueList *list, const Part *part,
                      size_t first) {
    uint32_t column = 0;
    for (size_t i = 0; i < list->count; i++) {
        const EcsListedValue *item = &list->items[i];
        if (!item->data->in_table) continue;
        uint8_t *values =
            part->base + part->partition->offsets[column] + (size_t)part->row * item->data->size;
        fill_column(item, values, part->count);
        column++;
    }
    if (desc->fill == NULL) return;
    EcsQueryTerm terms[FILO_TERMS];
    const FiloType *types[FILO_TERMS];
    FiloIter it = { .count = part->count,
                    .first = first,
                    .world = world,
                    .tick = world->tick,
                    .term_count_ = (uint32_t)desc->value_count, // at most FILO_TERMS: see outside_is_valid
                    .types_ = types };
    ecs_iter(&it)->terms = terms;
    ecs_iter(&it)->indices = ecs_chunk_indices(part->partition, part->base) + part->row;
    for (size_t i = 0; i < desc->value_count; i++) {
        const FiloComponentValue *value = &desc->values[i];
        FiloComponent component = value->component_type != NULL
                                      ? filo_component_of(world, value->component_type())
                                      : value->component;
        EcsComponentData *data = ecs_component_data(world, component);
        terms[i] = (EcsQueryTerm){ .component = data, .access = FILO_ACCESS_WRITE };
        types[i] = data->info.type;
        uint32_t at = ecs_table_column(part->partition->table, data->id);
        if (at != ECS_NO_COLUMN && data->size > 0)
            it.columns_[i].data = part->base + part->partition->offsets[at] + (size_t)part->row * data->size;
    }
    base_add_relaxed(&world->busy, 1);
    desc->fill(&it, desc->user);
    base_sub_relaxed(&world->busy, 1);
}

static bool outside_is_valid(const FiloBlockDesc *desc, const EcsValueList *list) {
    return FILO_CHECK(
               desc->fill == NULL || !list->listed_outside,
               "cannot fill a block: all its components must lie in tables; add the others afterwards") &&
           FILO_CHECK(desc->fill == NULL || desc->value_count <= FILO_TERMS,
                      "cannot fill a block of more than %d components", FILO_TERMS);
}

// Components outside of tables, entity by entity. False without memory.
static bool add_outside_all(FiloWorld *world, const EcsValueList *list, EcsPartition *partition,
                            uint32_t first, size_t count) {
    for (size_t n = 0; n < count; n++) {
        uint32_t row = first + (uint32_t)n;
        const uint8_t *base = partition->chunks[row / partition->chunk_rows].base;
        FiloEntity entity =
            ecs_entity_of_index(world, ecs_chunk_indices(partition, base)[row % partition->chunk_rows]);
        for (size_t i = 0; i < list->count; i++) {
            const EcsListedValue *item = &list->items[i];
            if (item->data->in_table) continue;
            void *value = ecs_holder_add(world, item->data, entity);
            if (value == NULL) return false;
            if (item->value != NULL && item->data->size > 0) ecs_value_assign(item->data, value, item->value);
        }
    }
    return true;
}

// Undoes the creation of a block. Ids of the caller may have been anywhere in the list of free ones: these entities are
// destroyed, which uses up a generation. All other ids will be used again, so tracked queries are not notified of them.
static void undo(FiloWorld *world, const FiloBlockDesc *desc, EcsPartition *partition, uint32_t first,
                 uint32_t end) {
    while (ecs_partition_count(partition) > first) {
        const uint8_t *base = partition->chunks[partition->tail].base;
        FiloEntity entity =
            ecs_entity_of_index(world, ecs_chunk_indices(partition, base)[partition->tail_rows - 1]);
        if (desc->ids != NULL)
            ecs_entity_destroy_alone(world, entity, ecs_record_find(world, entity));
        else
            ecs_entity_undo_create(world, entity, end);
    }
    if (desc->entities != NULL) memset(desc->entities, 0, desc->count * sizeof *desc->entities);
}

static bool create_block(FiloWorld *world, const FiloBlockDesc *desc, const EcsValueList *list) {
    uint32_t highest = 0;
    EcsTable *table = ecs_value_list_table(world, list);
    if (table == NULL) return false;
    EcsPartition *partition = &table->partitions[desc->inactive];
    if (desc->ids != NULL ? !ids_are_valid(world, desc->ids, desc->count, &highest)
                          : !ecs_directory_reserve(world, desc->count))
        return false;
    if (!ecs_partition_grow(world, partition, desc->count)) return false;
    if (desc->ids != NULL && !take_ids(world, desc->ids, desc->count, highest)) return false;
    uint32_t first = ecs_partition_count(partition), end = world->index_end;
    for (size_t done = 0; done < desc->count;) {
        Part part = append_part(world, partition, desc->count - done);
        assign_entities(world, &part, desc->ids != NULL ? desc->ids + done : NULL,
                        desc->entities != NULL ? desc->entities + done : NULL);
        fill_part(world, desc, list, &part, done);
        if (ecs_observed(world, table))
            for (uint32_t i = 0; i < part.count; i++)
                ecs_observe_created(
                    world, ecs_entity_of_index(world, ecs_chunk_indices(partition, part.base)[part.row + i]),
                    table);
        done += part.count;
    }
    if (!list->outside || add_outside_all(world, list, partition, first, desc->count)) return true;
    undo(world, desc, partition, first, end);
    return false;
}

bool filo_entity_create_block(FiloWorld *world, const FiloBlockDesc *desc) {
    EcsValueList list;
    if (!FILO_CHECK(world != NULL && desc != NULL, "pass a world and a description of the block") ||
        !ecs_may_change(world, "create entities"))
        return false;
    if (desc->count == 0) return true;
    if (desc->count > FILO_ENTITY_INDEX_MAX) {
        filo_out_of_memory(world->name, 0, "a world has at most a billion entities");
        return false;
    }
    if (!ecs_value_list_resolve(world, desc->values, desc->value_count, FILO_ENTITY_NONE, "create entities",
                                &list))
        return false;
    bool ok = outside_is_valid(desc, &list) && create_block(world, desc, &list);
    ecs_value_list_free(world, &list);
    return ok;
}

// ---- All that a query finds ---------------------------------------------------------------------------

// The entities of a query, for changes that cannot be made table by table.
typedef struct Found {
    FiloEntity *entities;
    size_t count;
} Found;

// False without memory.
static bool find_all(FiloQuery *query, Found *found) {
    *found = (Found){ NULL, filo_query_count(query) };
    if (found->count == 0) return true;
    found->entities = filo_alloc(query->world->allocator, found->count * sizeof *found->entities, 0);
    if (found->entities == NULL) return false;
    (void)filo_query_entities(query, found->entities, found->count);
    return true;
}

static void free_found(const FiloQuery *query, const Found *found) {
    filo_free(query->world->allocator, found->entities, found->count * sizeof *found->entities, 0);
}

// Destroys all entities of a partition, if they have no hooks, no observers and no components outside of tables: then
// only the directory changes. False, without a change, otherwise.
static bool destroy_partition(FiloWorld *world, EcsPartition *partition) {
    if (ecs_observed(world, partition->table) || !partition->table->plain) return false;
    for (uint32_t chunk = 0; chunk <= partition->tail && ecs_partition_count(partition) > 0; chunk++) {
        const uint32_t *indices = ecs_chunk_indices(partition, partition->chunks[chunk].base);
        uint32_t rows = chunk == partition->tail ? partition->tail_rows : partition->chunk_rows;
        for (uint32_t i = 0; i < rows; i++)
            if (ecs_entity_is_outside(world, indices[i])) return false;
    }
    for (uint32_t chunk = 0; chunk <= partition->tail && ecs_partition_count(partition) > 0; chunk++) {
        const uint32_t *indices = ecs_chunk_indices(partition, partition->chunks[chunk].base);
        uint32_t rows = chunk == partition->tail ? partition->tail_rows : partition->chunk_rows;
        ecs_directory_free_rows(world, indices, rows);
    }
    ecs_partition_shrink(world, partition, ecs_partition_count(partition));
    return true;
}

// Destroys in small batches, without memory for a list of all.
static void destroy_in_batches(FiloQuery *query) {
    FiloEntity few[256];
    size_t count;
    while ((count = filo_query_entities(query, few, FILO_COUNT_OF(few))) > 0)
        filo_entity_destroy_many(query->world, few, FILO_MIN(count, FILO_COUNT_OF(few)));
}

bool filo_query_destroy_all(FiloQuery *query) {
    if (!FILO_CHECK(query != NULL, "pass a query")) return false;
    FiloWorld *world = query->world;
    if (!ecs_may_change(world, "destroy entities")) return false;
    if (!query->filters && !query->changed)
        for (size_t i = 0; i < query->match_count; i++)
            (void)destroy_partition(world, ecs_query_match(query, i)->partition);
    Found found;
    if (find_all(query, &found)) {
        filo_entity_destroy_many(world, found.entities, found.count);
        free_found(query, &found);
        return true;
    }
    if (query->changed) return false; // destroying some would mark the chunks of the others as changed
    destroy_in_batches(query);
    return true;
}

static bool change_all(FiloQuery *query, FiloComponent component, bool add) {
    if (!FILO_CHECK(query != NULL, "pass a query")) return false;
    FiloWorld *world = query->world;
    const char *what = add ? "add a component" : "remove a component";
    EcsComponentData *data = ecs_component_data(world, component);
    if (!ecs_may_change(world, what) ||
        !FILO_CHECK(data != NULL && data->global == NULL,
                    "cannot %s: component %u is not one that entities have", what, component.id))
        return false;
    Found found;
    if (!find_all(query, &found)) return false;
    bool ok = add ? filo_entity_add_many(world, found.entities, found.count, component)
                  : filo_entity_remove_many(world, found.entities, found.count, component);
    free_found(query, &found);
    return ok;
}

bool filo_query_add_all(FiloQuery *query, FiloComponent component) {
    return change_all(query, component, true);
}
bool filo_query_remove_all(FiloQuery *query, FiloComponent component) {
    return change_all(query, component, false);
}
