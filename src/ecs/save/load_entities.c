// Loading entities: the directory, tables, and components outside of tables.

#include "ecs/save/load.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/holder.h"
#include "ecs/storage/rows.h"
#include "ecs/storage/tables.h"

static FiloEntity take_entity(const uint8_t *ids, size_t number) {
    FiloEntity entity;
    memcpy(&entity, ids + number * sizeof entity, sizeof entity);
    return entity;
}

static FiloResult mark_used(EcsLoad *load, uint32_t index) {
    if (index >= load->used_indices.count) return ecs_load_damaged("an entity has an index beyond the end");
    if (filo_bits_test(&load->used_indices, index)) return ecs_load_damaged("an entity is there twice");
    filo_bits_set(&load->used_indices, index);
    return filo_ok();
}

// Each index takes at least 4 bytes in the file, as a free one or as an entity. So no more is reserved here than the
// file can fill.
FiloResult ecs_load_read_directory(EcsLoad *load) {
    FiloWorld *world = load->world;
    uint32_t end = ecs_load_take_u32(&load->reader);
    if (end > ecs_load_left(&load->reader) / 4 || end > FILO_ENTITY_INDEX_MAX)
        return ecs_load_damaged("it has fewer entities than it says");
    if (!filo_bits_resize(&load->used_indices, end) || (end > 0 && !ecs_directory_reserve_at(world, end - 1)))
        return ecs_load_no_memory();
    world->index_end = end;
    uint32_t count = ecs_load_take_u32(&load->reader);
    for (uint32_t i = 0; i < count && !load->reader.failed; i++) {
        uint32_t index = ecs_load_take_u32(&load->reader), generation = ecs_load_take_u32(&load->reader);
        if (load->reader.failed) break;
        FiloResult result = mark_used(load, index);
        if (result.code != FILO_OK) return result;
        if (generation == 0 || generation > ECS_GENERATION_LAST)
            return ecs_load_damaged("a free entity has no generation");
        EcsRecord *record = ecs_record(world, index);
        ecs_record_set_generation(record, generation);
        ecs_directory_append_free(world, index, record);
    }
    count = ecs_load_take_u32(&load->reader);
    for (uint32_t i = 0; i < count && !load->reader.failed; i++) {
        uint32_t index = ecs_load_take_u32(&load->reader);
        FiloResult result = load->reader.failed ? filo_ok() : mark_used(load, index);
        if (result.code != FILO_OK || load->reader.failed)
            return load->reader.failed ? ecs_load_check_end(load, "entities") : result;
        ecs_record_set_location(ecs_record(world, index), ECS_LOCATION_FREE | ECS_LOCATION_LAST);
        ecs_record_set_generation(ecs_record(world, index), 0);
    }
    return ecs_load_check_end(load, "entities");
}

// Adds a component with its value in the file to an entity, whatever its storage is now.
static FiloResult add_component(EcsLoad *load, EcsSavedComponent *component, FiloEntity entity,
                                const uint8_t *value) {
    EcsComponentData *here = component->here;
    FiloComponent id = { here->id };
    if (filo_entity_has(load->world, entity, id)) return ecs_load_damaged("an entity has a component twice");
    uint8_t *to =
        here->in_table ? filo_entity_add(load->world, entity, id) : ecs_holder_add(load->world, here, entity);
    if (here->size == 0) return filo_entity_has(load->world, entity, id) ? filo_ok() : ecs_load_no_memory();
    return to != NULL ? ecs_convert(&component->conversion, value, to) : ecs_load_no_memory();
}

typedef struct Columns {
    FiloArray(EcsSavedComponent *) components; // of the table in the file
    FiloArray(const uint8_t *) values;
    FiloArray(uint32_t) ids; // of those that are stored in tables here, ascending
} Columns;

static void sort_ids(uint32_t *ids, size_t count) {
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && ids[k - 1] > ids[k]; k--) {
            uint32_t id = ids[k];
            ids[k] = ids[k - 1];
            ids[k - 1] = id;
        }
}

static FiloResult fill_row(const Columns *columns, const EcsPartition *partition, uint8_t *base, uint32_t row,
                           size_t number) {
    // All columns first, so that the row can be destructed after an error.
    for (uint32_t i = 0; i < partition->table->column_count; i++)
        ecs_value_construct(partition->table->data[i],
                            ecs_chunk_column(partition, base, i) + (size_t)row * partition->table->sizes[i]);
    for (size_t i = 0; i < columns->components.count; i++) {
        EcsSavedComponent *component = columns->components.items[i];
        if (!ecs_load_is_entity_component(component) || !component->here->in_table ||
            component->here->size == 0)
            continue;
        uint32_t column = ecs_table_column(partition->table, component->here->id);
        FiloResult result = ecs_convert(
            &component->conversion, columns->values.items[i] + number * component->conversion.size,
            ecs_chunk_column(partition, base, column) + row * component->here->size);
        if (result.code != FILO_OK) return result;
    }
    return filo_ok();
}

static FiloResult add_entity(EcsLoad *load, const Columns *columns, EcsPartition *partition,
                             FiloEntity entity, size_t number) {
    uint32_t index = filo_entity_index(entity), row;
    FiloResult result = mark_used(load, index);
    if (result.code != FILO_OK) return result;
    if (entity.id >> 32 == 0 || entity.id >> 32 > ECS_GENERATION_LAST)
        return ecs_load_damaged("an entity has no generation");
    ecs_record_set_generation(ecs_record(load->world, index), (uint32_t)(entity.id >> 32));
    uint8_t *base = ecs_partition_append(load->world, partition, index, ecs_record(load->world, index), &row);
    load->world->entity_count++;
    result = fill_row(columns, partition, base, row, number);
    for (size_t i = 0; i < columns->components.count && result.code == FILO_OK; i++) {
        EcsSavedComponent *component = columns->components.items[i];
        if (!ecs_load_is_entity_component(component) || component->here->in_table) continue;
        const uint8_t *values = columns->values.items[i];
        result = add_component(load, component, entity, values + number * component->conversion.size);
    }
    return result;
}

static FiloResult read_partition(EcsLoad *load, Columns *columns, EcsPartition *partition) {
    uint32_t count = ecs_load_take_u32(&load->reader);
    const uint8_t *ids = ecs_load_take(&load->reader, count, sizeof(FiloEntity));
    for (size_t i = 0; i < columns->components.count; i++)
        columns->values.items[i] =
            ecs_load_take(&load->reader, count, columns->components.items[i]->conversion.size);
    if (load->reader.failed) return ecs_load_check_end(load, "tables");
    filo_array_each (&columns->components, item) ecs_load_report_global(load, *item, count);
    if (count > 0 && !ecs_partition_grow(load->world, partition, count)) return ecs_load_no_memory();
    FiloResult result = filo_ok();
    for (size_t i = 0; i < count && result.code == FILO_OK; i++)
        result = add_entity(load, columns, partition, take_entity(ids, i), i);
    return result;
}

static FiloResult read_columns(EcsLoad *load, Columns *columns) {
    uint32_t count = ecs_load_take_u32(&load->reader);
    filo_array_clear(&columns->components);
    filo_array_clear(&columns->ids);
    for (uint32_t i = 0; i < count && !load->reader.failed; i++) {
        EcsSavedComponent *component = ecs_load_take_component(load);
        if (component == NULL) return ecs_load_damaged("a table has a component that does not exist");
        filo_array_each (&columns->components, other)
            if (*other == component) return ecs_load_damaged("a table has a component twice");
        if (!filo_array_push(&columns->components, component)) return ecs_load_no_memory();
        if (ecs_load_is_entity_component(component) && component->here->in_table &&
            !filo_array_push(&columns->ids, component->here->id))
            return ecs_load_no_memory();
    }
    if (!filo_array_resize(&columns->values, columns->components.count)) return ecs_load_no_memory();
    sort_ids(columns->ids.items, columns->ids.count);
    return ecs_load_check_end(load, "tables");
}

FiloResult ecs_load_read_tables(EcsLoad *load) {
    Columns columns;
    filo_array_init(&columns.components, load->desc->allocator);
    filo_array_init(&columns.values, load->desc->allocator);
    filo_array_init(&columns.ids, load->desc->allocator);
    uint32_t count = ecs_load_take_u32(&load->reader);
    FiloResult result = ecs_load_check_end(load, "tables");
    for (uint32_t i = 0; i < count && result.code == FILO_OK; i++) {
        result = read_columns(load, &columns);
        if (result.code != FILO_OK) break;
        EcsTable *table = ecs_table_of(load->world, columns.ids.items, (uint32_t)columns.ids.count);
        if (table == NULL) result = ecs_load_no_memory();
        for (int k = 0; k < 2 && result.code == FILO_OK; k++)
            result = read_partition(load, &columns, &table->partitions[k]);
    }
    filo_array_deinit(&columns.components);
    filo_array_deinit(&columns.values);
    filo_array_deinit(&columns.ids);
    if (result.code == FILO_OK && filo_bits_count_set(&load->used_indices) != load->used_indices.count)
        return ecs_load_damaged("some entities are missing");
    return result;
}

FiloResult ecs_load_read_holders(EcsLoad *load) {
    uint32_t count = ecs_load_take_u32(&load->reader);
    for (uint32_t i = 0; i < count && !load->reader.failed; i++) {
        EcsSavedComponent *component = ecs_load_take_component(load);
        if (component == NULL) return ecs_load_damaged("a component outside of tables does not exist");
        uint32_t rows = ecs_load_take_u32(&load->reader);
        const uint8_t *ids = ecs_load_take(&load->reader, rows, sizeof(FiloEntity));
        const uint8_t *values = ecs_load_take(&load->reader, rows, component->conversion.size);
        if (load->reader.failed) break;
        ecs_load_report_global(load, component, rows);
        for (uint32_t row = 0; row < rows && ecs_load_is_entity_component(component); row++) {
            FiloEntity entity = take_entity(ids, row);
            if (!filo_entity_exists(load->world, entity))
                return ecs_load_damaged("a component belongs to an entity that does not exist");
            FiloResult result =
                add_component(load, component, entity, values + row * component->conversion.size);
            if (result.code != FILO_OK) return result;
        }
    }
    return ecs_load_check_end(load, "components outside of tables");
}
