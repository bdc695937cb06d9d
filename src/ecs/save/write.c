// A world as the body of a file. save.h describes the format.

#include "ecs/save/save.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/components.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/tables.h"

// ---- Bytes ----------------------------------------------------------------------------------------------

void ecs_save_put(EcsSaveWriter *writer, const void *bytes, size_t size) {
    if (writer->failed || size == 0) return;
    if (!filo_array_push_many(&writer->bytes, (const uint8_t *)bytes, size)) writer->failed = true;
}

void ecs_save_put_text(EcsSaveWriter *writer, const char *text) {
    size_t length = strlen(text);
    ecs_save_put_u32(writer, (uint32_t)length);
    ecs_save_put(writer, text, length);
}

// The number of a name in this file.
static uint32_t number_of(EcsSaveWriter *writer, FiloName name) {
    if (name.id == 0) return 0;
    const uint32_t *found = filo_map_get(&writer->names, name.id);
    if (found != NULL) return *found;
    uint32_t number = (uint32_t)writer->name_list.count + 1;
    if (!filo_array_push(&writer->name_list, name) || !filo_map_set(&writer->names, name.id, &number))
        writer->failed = true;
    return number;
}

static void put_names(EcsSaveWriter *writer, const uint8_t *at, size_t size) {
    for (size_t i = 0; i < size; i += sizeof(FiloName)) {
        FiloName name;
        memcpy(&name, at + i, sizeof name);
        ecs_save_put_u32(writer, number_of(writer, name));
    }
}

static void put_text_field(EcsSaveWriter *writer, const uint8_t *at, size_t size) {
    size_t length = strnlen((const char *)at, size);
    ecs_save_put(writer, at, length);
    for (uint64_t zero = 0; length < size; length += FILO_MIN(size - length, sizeof zero))
        ecs_save_put(writer, &zero, FILO_MIN(size - length, sizeof zero));
}

static void put_value(EcsSaveWriter *writer, const EcsRunArray *runs, const uint8_t *value) {
    filo_array_each (runs, run) {
        const uint8_t *at = value + run->offset;
        if (run->kind == ECS_RUN_NAMES)
            put_names(writer, at, run->size);
        else if (run->kind == ECS_RUN_TEXT)
            put_text_field(writer, at, run->size);
        else
            ecs_save_put(writer, at, run->size);
    }
}

// ---- Components -----------------------------------------------------------------------------------------

// The number of a component in the file, from 0. Of a transient one the file has the entities, and no values.
static uint32_t file_number(const EcsComponentData *component) { return component->id - 1; }

static void write_components(EcsSaveWriter *writer) {
    const FiloWorld *world = writer->world;
    ecs_save_put_u32(writer, (uint32_t)world->components.count);
    if (!filo_array_resize(&writer->runs, world->components.count)) writer->failed = true;
    for (size_t i = 0; i < world->components.count && !writer->failed; i++) {
        const EcsComponentData *component = world->components.items[i];
        EcsRunArray *runs = &writer->runs.items[i];
        filo_array_init(runs, writer->bytes.allocator);
        if (!component->info.transient && !ecs_runs_list(runs, component->info.type)) writer->failed = true;
        ecs_save_put_text(writer, component->info.name);
        ecs_save_put_u32(writer, ecs_save_component_type(writer, component));
        ecs_save_put_u8(writer, (uint8_t)component->info.storage);
        ecs_save_put_u32(writer, (uint32_t)component->required.count);
        filo_array_each (&component->required, required)
            ecs_save_put_u32(writer, file_number(ecs_component_data(world, *required)));
    }
}

static void write_globals(EcsSaveWriter *writer) {
    const FiloWorld *world = writer->world;
    uint32_t count = 0;
    filo_array_each (&world->components, item) count += (*item)->global != NULL && !(*item)->info.transient;
    ecs_save_put_u32(writer, count);
    for (size_t i = 0; i < world->components.count && !writer->failed; i++) {
        const EcsComponentData *component = world->components.items[i];
        if (component->global == NULL || component->info.transient) continue;
        ecs_save_put_u32(writer, file_number(component));
        put_value(writer, &writer->runs.items[i], component->global);
    }
}

// ---- Entities -------------------------------------------------------------------------------------------

static void write_directory(EcsSaveWriter *writer) {
    const FiloWorld *world = writer->world;
    ecs_save_put_u32(writer, world->index_end);
    ecs_save_put_u32(writer, world->free_count);
    for (uint32_t index = world->free_first; index != ECS_LOCATION_LAST;) {
        const EcsRecord *record = ecs_record(world, index);
        ecs_save_put_u32(writer, index);
        ecs_save_put_u32(writer, ecs_record_generation(record));
        index = ecs_record_location(record) & ECS_LOCATION_MASK;
    }
    ecs_save_put_u32(writer, world->index_end - world->free_count - (uint32_t)world->entity_count);
    for (uint32_t index = 0; index < world->index_end; index++)
        if (ecs_record_generation(ecs_record(world, index)) == 0) ecs_save_put_u32(writer, index);
}

static void write_column(EcsSaveWriter *writer, const EcsPartition *partition, uint32_t column) {
    const EcsComponentData *component = partition->table->data[column];
    const EcsRunArray *runs = &writer->runs.items[component->id - 1];
    for (uint32_t i = 0; i < ecs_partition_used_chunks(partition); i++) {
        const uint8_t *values = ecs_chunk_column(partition, partition->chunks[i].base, column);
        for (uint32_t row = 0; row < ecs_partition_rows_in(partition, i); row++)
            put_value(writer, runs, values + row * component->size);
    }
}

static void write_partition(EcsSaveWriter *writer, const EcsPartition *partition) {
    const FiloWorld *world = writer->world;
    ecs_save_put_u32(writer, ecs_partition_count(partition));
    for (uint32_t i = 0; i < ecs_partition_used_chunks(partition); i++) {
        const uint32_t *indices = ecs_chunk_indices(partition, partition->chunks[i].base);
        for (uint32_t row = 0; row < ecs_partition_rows_in(partition, i); row++)
            ecs_save_put_u64(writer, ecs_entity_of_index(world, indices[row]).id);
    }
    for (uint32_t i = 0; i < partition->table->column_count; i++)
        if (!partition->table->data[i]->info.transient) write_column(writer, partition, i);
}

static void write_tables(EcsSaveWriter *writer) {
    const FiloWorld *world = writer->world;
    ecs_save_put_u32(writer, (uint32_t)world->tables.count);
    filo_array_each (&world->tables, item) {
        const EcsTable *table = *item;
        ecs_save_put_u32(writer, table->column_count);
        for (uint32_t i = 0; i < table->column_count; i++)
            ecs_save_put_u32(writer, file_number(table->data[i]));
        write_partition(writer, &table->partitions[0]);
        write_partition(writer, &table->partitions[1]);
    }
}

static void write_holder(EcsSaveWriter *writer, const EcsComponentData *component) {
    const FiloWorld *world = writer->world;
    const FiloHolderInterface *interface = component->interface;
    ecs_save_put_u32(writer, file_number(component));
    ecs_save_put_u32(writer, (uint32_t)interface->count(component->holder));
    FiloEntity entity;
    for (uint64_t cursor = 0; interface->next(component->holder, &cursor, &entity);)
        // By index, because the holder of a tag knows no generations.
        ecs_save_put_u64(writer, ecs_entity_of_index(world, filo_entity_index(entity)).id);
    if (component->size == 0 || component->info.transient) return;
    for (uint64_t cursor = 0; interface->next(component->holder, &cursor, &entity);)
        put_value(writer, &writer->runs.items[component->id - 1], interface->get(component->holder, entity));
}

static void write_holders(EcsSaveWriter *writer) {
    uint32_t count = 0;
    filo_array_each (&writer->world->components, item) count += (*item)->holder != NULL;
    ecs_save_put_u32(writer, count);
    filo_array_each (&writer->world->components, item)
        if ((*item)->holder != NULL) write_holder(writer, *item);
}

// ---- Events and providers -------------------------------------------------------------------------------

static void write_event(EcsSaveWriter *writer, const FiloPendingEvent *event) {
    ecs_save_put_u32(writer, number_of(writer, event->name));
    ecs_save_put_u32(writer, event->type != NULL ? ecs_save_type_number(writer, event->type) + 1 : 0);
    ecs_save_put_u64(writer, event->due);
    ecs_save_put_u64(writer, event->key.point);
    ecs_save_put_u32(writer, (uint32_t)event->key.origin);
    ecs_save_put_u32(writer, event->key.source);
    ecs_save_put_u64(writer, event->key.range);
    ecs_save_put_u32(writer, event->key.sequence);
    if (event->type == NULL) return;
    EcsRunArray runs;
    filo_array_init(&runs, writer->bytes.allocator);
    if (ecs_runs_list(&runs, event->type))
        put_value(writer, &runs, event->payload);
    else
        writer->failed = true;
    filo_array_deinit(&runs);
}

// The key of an event depends on how the rows of its system were divided, and so on threads. In the file, events of one
// system, which are consecutive, are numbered in their order instead. `before` is the previous event.
static FiloEventKey key_in_file(const FiloPendingEvent *event, const FiloPendingEvent *before,
                                uint32_t *number) {
    FiloEventKey key = event->key;
    bool by_system = key.origin == FILO_EVENT_FROM_RECORDER && key.source != ECS_OBSERVER_SOURCE;
    bool same = before->key.point == key.point && before->key.origin == key.origin &&
                before->key.source == key.source && before->due == event->due;
    *number = same ? *number + 1 : 0;
    if (!by_system) return key;
    key.range = event->due; // events with different delays have different keys
    key.sequence = *number;
    return key;
}

static void write_events(EcsSaveWriter *writer) {
    FiloEvents *events = writer->world->events;
    ecs_save_put_u8(writer, events != NULL);
    if (events == NULL) return;
    FiloEventsClock clock = filo_events_clock(events);
    ecs_save_put_u64(writer, clock.tick);
    ecs_save_put_u64(writer, clock.point);
    ecs_save_put_u32(writer, clock.sequence);
    ecs_save_put_u32(writer, clock.delivered);
    uint32_t count = 0;
    FiloPendingEvent event;
    for (FiloPendingCursor cursor = { 0 }; filo_events_next_pending(events, &cursor, &event);) count++;
    ecs_save_put_u32(writer, count);
    FiloPendingEvent before = { 0 };
    uint32_t number = 0;
    for (FiloPendingCursor cursor = { 0 }; filo_events_next_pending(events, &cursor, &event);) {
        FiloPendingEvent numbered = event;
        numbered.key = key_in_file(&event, &before, &number);
        write_event(writer, &numbered);
        before = event;
    }
}

static void write_providers(EcsSaveWriter *writer) {
    FiloWorld *world = writer->world;
    size_t count = world->providers != NULL ? world->providers->items.count : 0;
    uint32_t saved = 0;
    for (size_t i = 0; i < count; i++) saved += !world->providers->items.items[i].provider.not_in_files;
    ecs_save_put_u32(writer, saved);
    for (size_t i = 0; i < count; i++) {
        const FiloProvider *provider = &world->providers->items.items[i].provider;
        if (provider->not_in_files) continue;
        size_t size = provider->size(world, provider->user),
               at = writer->bytes.count + 4 + strlen(provider->name) + 8;
        ecs_save_put_text(writer, provider->name);
        ecs_save_put_u64(writer, size);
        if (writer->failed || size == 0) continue;
        if (!filo_array_resize(&writer->bytes, at + size))
            writer->failed = true;
        else
            provider->save(world, writer->bytes.items + at, provider->user);
    }
}

// ---- The body -------------------------------------------------------------------------------------------

static void write_body(EcsSaveWriter *writer) {
    ecs_save_put_u64(writer, 0); // the offset of the names, which is set below
    ecs_save_put_u64(writer, writer->world->tick);
    ecs_save_put_u64(writer, writer->world->seed);
    ecs_save_write_types(writer);
    write_components(writer);
    if (writer->failed) return; // the runs are not complete
    write_globals(writer);
    write_directory(writer);
    write_tables(writer);
    write_holders(writer);
    write_events(writer);
    write_providers(writer);
    uint64_t names = writer->bytes.count;
    ecs_save_put_u32(writer, (uint32_t)writer->name_list.count);
    filo_array_each (&writer->name_list, name) {
        FiloString text = filo_name_string(*name); // may contain zeroes
        ecs_save_put_u32(writer, (uint32_t)text.length);
        ecs_save_put(writer, text.data, text.length);
    }
    if (!writer->failed) memcpy(writer->bytes.items, &names, sizeof names);
}

FiloResult ecs_save_write(FiloWorld *world, FiloBytes *bytes) {
    EcsSaveWriter writer = { .world = world, .bytes = *bytes };
    const FiloAllocator *allocator = bytes->allocator;
    filo_map_init(&writer.names, sizeof(uint32_t), allocator);
    filo_map_init(&writer.types, sizeof(uint32_t), allocator);
    filo_array_init(&writer.name_list, allocator);
    filo_array_init(&writer.runs, allocator);
    write_body(&writer);
    filo_array_each (&writer.runs, runs)
        if (runs->items != NULL) filo_array_deinit(runs);
    filo_array_deinit(&writer.runs);
    filo_array_deinit(&writer.name_list);
    filo_map_deinit(&writer.types);
    filo_map_deinit(&writer.names);
    *bytes = writer.bytes;
    return writer.failed ? filo_error(FILO_ERROR_MEMORY, "no memory to save a world") : filo_ok();
}
