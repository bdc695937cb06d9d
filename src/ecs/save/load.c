// The body of a file as the state of a world.
//
// The bytes may be anything. They are made into a world of its own, with the same components, checked as they
// come; a snapshot of that one is then restored. So a file that is refused half-way has changed nothing, and
// there is only one way to put a state back.

#include "ecs/save/save.h"
#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/component.h"
#include "ecs/storage/components.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/holder.h"
#include "ecs/storage/record.h"
#include "ecs/storage/rows.h"
#include "ecs/storage/table.h"
#include "ecs/storage/tables.h"
#include "ecs/world.h"

#include <filo/hash.h>

// A component of the file.
typedef struct SavedComponent {
    FiloString name;
    uint32_t type;
    EcsComponentData *here;  // NULL: nobody registered it
    bool reported;           // that it is global now
    const uint8_t *required; // numbers of those that it required when it was saved
    uint32_t required_count;
    EcsConversion conversion;
} SavedComponent;

typedef struct Load {
    FiloWorld *target;
    FiloWorld *world; // where it is put together
    const FiloLoadDesc *desc;
    const char *name;
    EcsSaveReader reader;
    uint32_t version; // of the format
    EcsSavedTypes types;
    EcsSavedNames names;
    FiloArray(SavedComponent) components;
    EcsSaveReader component_list; // where the components begin
    FiloBits seen;                // indices that the directory or a table had
    FiloSnapshot *providers;
    EcsLoadReports reports;
} Load;

static FiloResult damaged(const char *what) { return filo_error(FILO_ERROR_DATA, "%s", what); }
static FiloResult no_memory(void) { return filo_error(FILO_ERROR_MEMORY, "no memory to load it"); }
static FiloResult ends(const Load *load, const char *location) {
    return load->reader.failed ? filo_error(FILO_ERROR_DATA, "it ends among the %s", location) : filo_ok();
}

// ---- Reading --------------------------------------------------------------------------------------------

const uint8_t *ecs_load_take(EcsSaveReader *reader, uint64_t count, uint64_t size) {
    uint64_t bytes;
    if (reader->failed || __builtin_mul_overflow(count, size, &bytes) || bytes > reader->size - reader->at) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t *at = reader->bytes + reader->at;
    reader->at += (size_t)bytes;
    return at;
}

uint8_t ecs_load_take_u8(EcsSaveReader *reader) {
    const uint8_t *at = ecs_load_take(reader, 1, 1);
    return at != NULL ? *at : 0;
}

uint32_t ecs_load_take_u32(EcsSaveReader *reader) {
    uint32_t number = 0;
    const uint8_t *at = ecs_load_take(reader, 1, sizeof number);
    if (at != NULL) memcpy(&number, at, sizeof number);
    return number;
}

uint64_t ecs_load_take_u64(EcsSaveReader *reader) {
    uint64_t number = 0;
    const uint8_t *at = ecs_load_take(reader, 1, sizeof number);
    if (at != NULL) memcpy(&number, at, sizeof number);
    return number;
}

FiloString ecs_load_take_text(EcsSaveReader *reader) {
    uint32_t length = ecs_load_take_u32(reader);
    const uint8_t *at = ecs_load_take(reader, length, 1);
    return at != NULL ? filo_string_from((const char *)at, length) : filo_string_from(NULL, 0);
}

static FiloEntity take_entity(const uint8_t *ids, size_t number) {
    FiloEntity entity;
    memcpy(&entity, ids + number * sizeof entity, sizeof entity);
    return entity;
}

static FiloResult read_names(Load *load, uint64_t at) {
    EcsSaveReader reader = load->reader;
    if (at > reader.size || at < reader.at) return damaged("its names are not there");
    reader.at = (size_t)at;
    load->reader.size = (size_t)at; // what comes before them
    uint32_t count = ecs_load_take_u32(&reader);
    for (uint32_t i = 0; i < count && !reader.failed; i++) {
        FiloString text = ecs_load_take_text(&reader);
        if (!filo_array_push(&load->names.texts, text)) return no_memory();
    }
    if (reader.failed) return damaged("it ends among the names");
    return filo_array_resize(&load->names.names, load->names.texts.count) ? filo_ok() : no_memory();
}

// ---- Components -----------------------------------------------------------------------------------------

static EcsComponentData *find_component(const FiloWorld *world, FiloString name) {
    filo_array_each (&world->components, item)
        if (filo_string_equal(name, filo_string((*item)->info.name))) return *item;
    return NULL;
}

static SavedComponent take_head(EcsSaveReader *reader, uint32_t version) {
    SavedComponent component = { .name = ecs_load_take_text(reader) };
    component.type = ecs_load_take_u32(reader);
    ecs_load_take_u8(reader); // its storage is a matter of this program
    component.required_count = version > 1 ? ecs_load_take_u32(reader) : 0;
    component.required = ecs_load_take(reader, component.required_count, sizeof(uint32_t));
    return component;
}

// Whether the file has a component with this name.
static bool is_in_file(const Load *load, FiloString name) {
    EcsSaveReader reader = load->component_list;
    uint32_t count = ecs_load_take_u32(&reader);
    for (uint32_t i = 0; i < count && !reader.failed; i++)
        if (filo_string_equal(take_head(&reader, load->version).name, name)) return true;
    return false;
}

// The component that had this name when the file was written. If the file has its present name too, that is another.
static EcsComponentData *find_renamed(const Load *load, FiloString name) {
    filo_array_each (&load->world->components, item) {
        if (!ecs_component_was(*item, name) || is_in_file(load, filo_string((*item)->info.name))) continue;
        bool taken = false; // by another former name
        filo_array_each (&load->components, other) taken = taken || other->here == *item;
        if (!taken) return *item;
    }
    return NULL;
}

static FiloResult read_component(Load *load) {
    SavedComponent component = take_head(&load->reader, load->version);
    if (load->reader.failed) return ends(load, "components");
    if (component.type >= load->types.types.count ||
        load->types.types.items[component.type].kind != FILO_KIND_STRUCT)
        return damaged("a component is not a struct");
    component.here = find_component(load->world, component.name);
    if (component.here == NULL) component.here = find_renamed(load, component.name);
    filo_array_each (&load->components, other)
        if (component.here != NULL && other->here == component.here)
            return damaged("a component is there twice");
    ecs_conversion_init(&component.conversion, load->desc->allocator);
    component.conversion.types = &load->types;
    component.conversion.names = &load->names;
    component.conversion.reports = &load->reports;
    component.conversion.of_entity_names = component.here == load->world->entity_name;
    component.conversion.size = load->types.types.items[component.type].size;
    if (component.here == NULL) {
        ecs_load_report(&load->reports,
                        "%s: component " FILO_STRING_FORMAT " is not registered; it is dropped", load->name,
                        FILO_STRING_PRINT(component.name));
    } else {
        component.conversion.component = component.here->info.name;
        if (!component.here->info.transient &&
            !ecs_conversion_make(&component.conversion, component.type, component.here->info.type)) {
            ecs_conversion_deinit(&component.conversion);
            return no_memory();
        }
    }
    if (filo_array_push(&load->components, component)) return filo_ok();
    ecs_conversion_deinit(&component.conversion);
    return no_memory();
}

static uint32_t required_number(const SavedComponent *component, uint32_t n) {
    uint32_t number;
    memcpy(&number, component->required + (size_t)n * sizeof number, sizeof number);
    return number;
}

static FiloResult read_components(Load *load) {
    load->component_list = load->reader;
    uint32_t count = ecs_load_take_u32(&load->reader);
    FiloResult result = ends(load, "components");
    for (uint32_t i = 0; i < count && result.code == FILO_OK; i++) result = read_component(load);
    filo_array_each (&load->components, component)
        for (uint32_t i = 0; i < component->required_count && result.code == FILO_OK; i++)
            if (required_number(component, i) >= count)
                result = damaged("a component requires one that does not exist");
    return result;
}

static SavedComponent *take_component(Load *load) {
    uint32_t number = ecs_load_take_u32(&load->reader);
    if (load->reader.failed || number >= load->components.count) return NULL;
    return &load->components.items[number];
}

// Whether entities can have it.
static bool is_loaded(const SavedComponent *component) {
    return component->here != NULL && component->here->global == NULL;
}

static void report_component(Load *load, SavedComponent *component, uint32_t rows) {
    if (component->here == NULL || component->here->global == NULL || component->reported || rows == 0)
        return;
    component->reported = true;
    ecs_load_report(&load->reports, "%s: component %s is global now; what entities had of it is dropped",
                    load->name, component->here->info.name);
}

static FiloResult read_globals(Load *load) {
    uint32_t count = ecs_load_take_u32(&load->reader);
    for (uint32_t i = 0; i < count && !load->reader.failed; i++) {
        SavedComponent *component = take_component(load);
        if (component == NULL) return damaged("a global component does not exist");
        const uint8_t *value = ecs_load_take(&load->reader, 1, component->conversion.size);
        if (value == NULL) break;
        if (component->here == NULL) continue;
        if (component->here->global == NULL) {
            ecs_load_report(&load->reports,
                            "%s: component %s was global and is not any more; its value is dropped",
                            load->name, component->here->info.name);
            continue;
        }
        FiloResult result = ecs_convert(&component->conversion, value, component->here->global);
        if (result.code != FILO_OK) return result;
    }
    return ends(load, "globals");
}

// ---- Entities -------------------------------------------------------------------------------------------

static FiloResult mark(Load *load, uint32_t index) {
    if (index >= load->seen.count) return damaged("an entity has an index beyond the end");
    if (filo_bits_test(&load->seen, index)) return damaged("an entity is there twice");
    filo_bits_set(&load->seen, index);
    return filo_ok();
}

// Each index takes bytes in the file: as one of these, or as an entity. So what is reserved here is no more
// than the file can fill.
static FiloResult read_directory(Load *load) {
    FiloWorld *world = load->world;
    uint32_t end = ecs_load_take_u32(&load->reader);
    if (end > ecs_load_left(&load->reader) / 4 || end > FILO_ENTITY_INDEX_MAX)
        return damaged("it has fewer entities than it says");
    if (!filo_bits_resize(&load->seen, end) || (end > 0 && !ecs_directory_reserve_at(world, end - 1)))
        return no_memory();
    world->index_end = end;
    uint32_t count = ecs_load_take_u32(&load->reader);
    for (uint32_t i = 0; i < count && !load->reader.failed; i++) {
        uint32_t index = ecs_load_take_u32(&load->reader), generation = ecs_load_take_u32(&load->reader);
        if (load->reader.failed) break;
        FiloResult result = mark(load, index);
        if (result.code != FILO_OK) return result;
        if (generation == 0 || generation > ECS_GENERATION_LAST)
            return damaged("a free entity has no generation");
        EcsRecord *record = ecs_record(world, index);
        ecs_record_set_generation(record, generation);
        ecs_directory_append_free(world, index, record);
    }
    count = ecs_load_take_u32(&load->reader);
    for (uint32_t i = 0; i < count && !load->reader.failed; i++) {
        uint32_t index = ecs_load_take_u32(&load->reader);
        FiloResult result = load->reader.failed ? filo_ok() : mark(load, index);
        if (result.code != FILO_OK || load->reader.failed)
            return load->reader.failed ? ends(load, "entities") : result;
        ecs_record_set_location(ecs_record(world, index), ECS_LOCATION_FREE | ECS_LOCATION_LAST);
        ecs_record_set_generation(ecs_record(world, index), 0);
    }
    return ends(load, "entities");
}

// Gives an entity a component with the value of the file, wherever it is stored now.
static FiloResult give(Load *load, SavedComponent *component, FiloEntity entity, const uint8_t *value) {
    EcsComponentData *here = component->here;
    FiloComponent id = { here->id };
    if (filo_entity_has(load->world, entity, id)) return damaged("an entity has a component twice");
    uint8_t *to =
        here->in_table ? filo_entity_add(load->world, entity, id) : ecs_holder_add(load->world, here, entity);
    if (here->size == 0) return filo_entity_has(load->world, entity, id) ? filo_ok() : no_memory();
    return to != NULL ? ecs_convert(&component->conversion, value, to) : no_memory();
}

typedef struct Columns {
    FiloArray(SavedComponent *) components; // of the table in the file
    FiloArray(const uint8_t *) values;
    FiloArray(uint32_t) ids; // those that are in tables here, ascending
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
    for (uint32_t i = 0; i < partition->table->column_count;
         i++) // first all of them, so that hooks can undo it
        ecs_value_construct(partition->table->data[i],
                            ecs_chunk_column(partition, base, i) + (size_t)row * partition->table->sizes[i]);
    for (size_t i = 0; i < columns->components.count; i++) {
        SavedComponent *component = columns->components.items[i];
        if (!is_loaded(component) || !component->here->in_table || component->here->size == 0) continue;
        uint32_t column = ecs_table_column(partition->table, component->here->id);
        FiloResult result = ecs_convert(
            &component->conversion, columns->values.items[i] + number * component->conversion.size,
            ecs_chunk_column(partition, base, column) + row * component->here->size);
        if (result.code != FILO_OK) return result;
    }
    return filo_ok();
}

static FiloResult add_entity(Load *load, const Columns *columns, EcsPartition *partition, FiloEntity entity,
                             size_t number) {
    uint32_t index = filo_entity_index(entity), row;
    FiloResult result = mark(load, index);
    if (result.code != FILO_OK) return result;
    if (entity.id >> 32 == 0 || entity.id >> 32 > ECS_GENERATION_LAST)
        return damaged("an entity has no generation");
    ecs_record_set_generation(ecs_record(load->world, index), (uint32_t)(entity.id >> 32));
    uint8_t *base = ecs_partition_append(load->world, partition, index, ecs_record(load->world, index), &row);
    load->world->entity_count++;
    result = fill_row(columns, partition, base, row, number);
    for (size_t i = 0; i < columns->components.count && result.code == FILO_OK; i++) {
        SavedComponent *component = columns->components.items[i];
        if (!is_loaded(component) || component->here->in_table) continue;
        const uint8_t *values = columns->values.items[i];
        result = give(load, component, entity, values + number * component->conversion.size);
    }
    return result;
}

static FiloResult read_partition(Load *load, Columns *columns, EcsPartition *partition) {
    uint32_t count = ecs_load_take_u32(&load->reader);
    const uint8_t *ids = ecs_load_take(&load->reader, count, sizeof(FiloEntity));
    for (size_t i = 0; i < columns->components.count; i++)
        columns->values.items[i] =
            ecs_load_take(&load->reader, count, columns->components.items[i]->conversion.size);
    if (load->reader.failed) return ends(load, "tables");
    filo_array_each (&columns->components, item) report_component(load, *item, count);
    if (count > 0 && !ecs_partition_grow(load->world, partition, count)) return no_memory();
    FiloResult result = filo_ok();
    for (size_t i = 0; i < count && result.code == FILO_OK; i++)
        result = add_entity(load, columns, partition, take_entity(ids, i), i);
    return result;
}

static FiloResult read_columns(Load *load, Columns *columns) {
    uint32_t count = ecs_load_take_u32(&load->reader);
    filo_array_clear(&columns->components);
    filo_array_clear(&columns->ids);
    for (uint32_t i = 0; i < count && !load->reader.failed; i++) {
        SavedComponent *component = take_component(load);
        if (component == NULL) return damaged("a table has a component that does not exist");
        filo_array_each (&columns->components, other)
            if (*other == component) return damaged("a table has a component twice");
        if (!filo_array_push(&columns->components, component)) return no_memory();
        if (is_loaded(component) && component->here->in_table &&
            !filo_array_push(&columns->ids, component->here->id))
            return no_memory();
    }
    if (!filo_array_resize(&columns->values, columns->components.count)) return no_memory();
    sort_ids(columns->ids.items, columns->ids.count);
    return ends(load, "tables");
}

static FiloResult read_tables(Load *load) {
    Columns columns;
    filo_array_init(&columns.components, load->desc->allocator);
    filo_array_init(&columns.values, load->desc->allocator);
    filo_array_init(&columns.ids, load->desc->allocator);
    uint32_t count = ecs_load_take_u32(&load->reader);
    FiloResult result = ends(load, "tables");
    for (uint32_t i = 0; i < count && result.code == FILO_OK; i++) {
        result = read_columns(load, &columns);
        if (result.code != FILO_OK) break;
        EcsTable *table = ecs_table_of(load->world, columns.ids.items, (uint32_t)columns.ids.count);
        if (table == NULL) result = no_memory();
        for (int h = 0; h < 2 && result.code == FILO_OK; h++)
            result = read_partition(load, &columns, &table->partitions[h]);
    }
    filo_array_deinit(&columns.components);
    filo_array_deinit(&columns.values);
    filo_array_deinit(&columns.ids);
    if (result.code == FILO_OK && filo_bits_count_set(&load->seen) != load->seen.count)
        return damaged("some entities are missing");
    return result;
}

static FiloResult read_holders(Load *load) {
    uint32_t count = ecs_load_take_u32(&load->reader);
    for (uint32_t i = 0; i < count && !load->reader.failed; i++) {
        SavedComponent *component = take_component(load);
        if (component == NULL) return damaged("a component outside of tables does not exist");
        uint32_t rows = ecs_load_take_u32(&load->reader);
        const uint8_t *ids = ecs_load_take(&load->reader, rows, sizeof(FiloEntity));
        const uint8_t *values = ecs_load_take(&load->reader, rows, component->conversion.size);
        if (load->reader.failed) break;
        report_component(load, component, rows);
        for (uint32_t row = 0; row < rows && is_loaded(component); row++) {
            FiloEntity entity = take_entity(ids, row);
            if (!filo_entity_exists(load->world, entity))
                return damaged("a component belongs to an entity that does not exist");
            FiloResult result = give(load, component, entity, values + row * component->conversion.size);
            if (result.code != FILO_OK) return result;
        }
    }
    return ends(load, "components outside of tables");
}

// ---- Required components --------------------------------------------------------------------------------
//
// The world in which a file is put together requires nothing, so that its entities have what the file says. Where a
// component requires more today than when it was saved, its entities get that afterwards. What was required then and
// is missing was removed, and stays so.

static bool was_required(const Load *load, const SavedComponent *component, FiloComponent required) {
    for (uint32_t i = 0; i < component->required_count; i++) {
        const EcsComponentData *here = load->components.items[required_number(component, i)].here;
        if (here != NULL && here->id == required.id) return true;
    }
    return false;
}

// Gives one component to all entities that have another and lack it.
static FiloResult add_where(FiloWorld *world, FiloComponent has, FiloComponent lacks) {
    FiloQueryDesc desc = { .terms = { { .component = has },
                                      { .component = lacks, .kind = FILO_TERM_REJECTED } },
                           .activity = FILO_ANY_ACTIVITY };
    FiloQuery *query = filo_query_create(world, &desc);
    bool good = query != NULL && filo_query_add_all(query, lacks);
    filo_query_release(query);
    return good ? filo_ok() : no_memory();
}

static FiloResult add_required(Load *load) {
    FiloResult result = filo_ok();
    filo_array_each (&load->components, component) {
        if (!is_loaded(component)) continue;
        FiloComponent id = { component->here->id };
        filo_array_each (&ecs_component_data(load->target, id)->required, required)
            if (result.code == FILO_OK && !was_required(load, component, *required))
                result = add_where(load->world, id, *required);
    }
    return result;
}

// ---- Events and providers -------------------------------------------------------------------------------

static uint8_t *add_section(FiloSnapshot *snapshot, uint64_t key, size_t size) {
    size_t end = FILO_ALIGN_UP(snapshot->size + size, (size_t)ECS_SNAPSHOT_ALIGN);
    if (!ecs_snapshot_reserve(snapshot, end, snapshot->sections.count + 1)) return NULL;
    snapshot->sections.items[snapshot->sections.count++] = (EcsSection){ key, snapshot->size, size };
    uint8_t *to = snapshot->bytes + snapshot->size;
    snapshot->size = end;
    return to;
}

static FiloResult read_event(Load *load, FiloBytes *image) {
    uint32_t name_number = ecs_load_take_u32(&load->reader), type_number = ecs_load_take_u32(&load->reader);
    FiloPendingEvent event = { .due = ecs_load_take_u64(&load->reader) };
    event.key.point = ecs_load_take_u64(&load->reader);
    uint32_t origin = ecs_load_take_u32(&load->reader);
    event.key.origin = (FiloEventOrigin)origin;
    event.key.source = ecs_load_take_u32(&load->reader);
    event.key.range = ecs_load_take_u64(&load->reader);
    event.key.sequence = ecs_load_take_u32(&load->reader);
    if (load->reader.failed) return ends(load, "events");
    if (name_number == 0 || name_number > load->names.texts.count || origin > FILO_EVENT_FROM_RECORDER ||
        type_number > load->types.types.count ||
        (type_number > 0 && load->types.types.items[type_number - 1].kind != FILO_KIND_STRUCT))
        return damaged("an event that waits makes no sense");
    const uint8_t *payload =
        type_number > 0 ? ecs_load_take(&load->reader, 1, load->types.types.items[type_number - 1].size)
                        : NULL;
    if (load->reader.failed) return ends(load, "events");
    FiloString text = load->names.texts.items[name_number - 1];
    event.name = filo_name_find(text);
    // Somebody who knows the event must have said what it carries.
    if (load->target->events == NULL || event.name.id == 0 ||
        !filo_events_declared(load->target->events, event.name, &event.type) ||
        (event.type == NULL) != (payload == NULL)) {
        ecs_load_report(&load->reports,
                        "%s: an event \"" FILO_STRING_FORMAT
                        "\" that waits is not known, or carries something else; it is dropped",
                        load->name, FILO_STRING_PRINT(text));
        return filo_ok();
    }
    size_t at = image->count;
    if (!filo_array_resize(image, at + ecs_pending_event_size(&event))) return no_memory();
    uint8_t *to = ecs_pending_write_event(&event, image->items + at);
    if (payload == NULL) return filo_ok();
    memset(to, 0, event.type->size);
    EcsConversion conversion;
    ecs_conversion_init(&conversion, load->desc->allocator);
    conversion.types = &load->types;
    conversion.names = &load->names;
    conversion.reports = &load->reports;
    conversion.component = event.type->name;
    FiloResult result = ecs_conversion_make(&conversion, type_number - 1, event.type)
                            ? ecs_convert(&conversion, payload, to)
                            : no_memory();
    ecs_conversion_deinit(&conversion);
    return result;
}

static FiloResult read_events(Load *load) {
    if (ecs_load_take_u8(&load->reader) == 0) return ends(load, "events");
    FiloEventsClock clock = { .tick = ecs_load_take_u64(&load->reader) };
    clock.point = ecs_load_take_u64(&load->reader);
    clock.sequence = ecs_load_take_u32(&load->reader);
    clock.delivered = ecs_load_take_u32(&load->reader);
    uint32_t count = ecs_load_take_u32(&load->reader);
    FiloBytes image;
    filo_array_init(&image, load->desc->allocator);
    FiloResult result = filo_array_push_many(&image, (const uint8_t *)&clock, sizeof clock)
                            ? ends(load, "events")
                            : no_memory();
    for (uint32_t i = 0; i < count && result.code == FILO_OK; i++) result = read_event(load, &image);
    if (result.code == FILO_OK) {
        uint8_t *to = add_section(load->providers, ecs_section_key(ECS_SECTION_EVENTS, 0), image.count);
        if (to != NULL)
            memcpy(to, image.items, image.count);
        else
            result = no_memory();
    }
    filo_array_deinit(&image);
    return result;
}

static const EcsProviderData *find_provider(const FiloWorld *world, FiloString name) {
    for (size_t i = 0; world->providers != NULL && i < world->providers->items.count; i++) {
        const EcsProviderData *data = &world->providers->items.items[i];
        if (filo_string_equal(name, filo_string(data->provider.name)) && !data->provider.not_in_files)
            return data;
    }
    return NULL;
}

static FiloResult read_providers(Load *load) {
    uint32_t count = ecs_load_take_u32(&load->reader);
    for (uint32_t i = 0; i < count && !load->reader.failed; i++) {
        FiloString name = ecs_load_take_text(&load->reader);
        uint64_t size = ecs_load_take_u64(&load->reader);
        const uint8_t *bytes = ecs_load_take(&load->reader, size, 1);
        if (load->reader.failed) break;
        const EcsProviderData *data = find_provider(load->target, name);
        if (data == NULL) {
            ecs_load_report(&load->reports,
                            "%s: nobody provides " FILO_STRING_FORMAT "; what it saved is dropped",
                            load->name, FILO_STRING_PRINT(name));
            continue;
        }
        uint64_t key = ecs_section_key(ECS_SECTION_PROVIDER, data->name_hash);
        if (ecs_snapshot_find(load->providers, key) != NULL) return damaged("a provider is there twice");
        uint8_t *to = add_section(load->providers, key, (size_t)size);
        if (to == NULL) return no_memory();
        if (size > 0) memcpy(to, bytes, (size_t)size);
    }
    if (!load->reader.failed && load->reader.at != load->reader.size)
        return damaged("something stands behind its end");
    return ends(load, "providers");
}

// ---- All of it ------------------------------------------------------------------------------------------

static FiloResult read_body(Load *load) {
    uint64_t names = ecs_load_take_u64(&load->reader);
    load->world->tick = ecs_load_take_u64(&load->reader);
    load->world->seed = ecs_load_take_u64(&load->reader);
    FiloResult result = ends(load, "first numbers");
    if (result.code == FILO_OK) result = read_names(load, names);
    if (result.code == FILO_OK) result = ecs_saved_types_read(&load->types, &load->reader);
    if (result.code == FILO_OK) result = read_components(load);
    if (result.code == FILO_OK) result = read_globals(load);
    if (result.code == FILO_OK) result = read_directory(load);
    if (result.code == FILO_OK) result = read_tables(load);
    if (result.code == FILO_OK) result = read_holders(load);
    if (result.code == FILO_OK) result = ecs_load_check(load->world, load->desc->allocator);
    if (result.code == FILO_OK) result = add_required(load);
    if (result.code == FILO_OK) result = read_events(load);
    if (result.code == FILO_OK) result = read_providers(load);
    return result;
}

static FiloResult put_into_world(Load *load) {
    FiloSnapshot *snapshot = filo_snapshot_create(load->desc->allocator);
    if (snapshot == NULL) return no_memory();
    FiloResult result = ecs_snapshot_take_with(snapshot, load->world, load->providers);
    if (result.code == FILO_OK) result = filo_snapshot_restore(snapshot, load->target);
    filo_snapshot_destroy(snapshot);
    return result;
}

static void begin(Load *load) {
    const FiloAllocator *allocator = load->desc->allocator;
    ecs_saved_types_init(&load->types, allocator);
    filo_array_init(&load->names.texts, allocator);
    filo_array_init(&load->names.names, allocator);
    filo_array_init(&load->components, allocator);
    filo_bits_init(&load->seen, allocator);
    load->reports.report = load->desc->report;
    load->reports.user = load->desc->user;
    filo_map_init(&load->reports.told, sizeof(uint8_t), allocator);
    load->providers = filo_snapshot_create(allocator);
}

static void end(Load *load, bool good) {
    filo_array_each (&load->names.names, known) {
        if (known->stays && good) filo_name_make_permanent(known->name);
        filo_name_release(known->name);
    }
    filo_array_each (&load->components, component) ecs_conversion_deinit(&component->conversion);
    filo_array_deinit(&load->components);
    filo_array_deinit(&load->names.texts);
    filo_array_deinit(&load->names.names);
    ecs_saved_types_deinit(&load->types);
    filo_bits_deinit(&load->seen);
    filo_map_deinit(&load->reports.told);
    filo_snapshot_destroy(load->providers);
    filo_world_destroy(load->world);
}

FiloResult ecs_save_read(FiloWorld *world, const uint8_t *body, size_t size, uint32_t version,
                         const char *name, const FiloLoadDesc *desc) {
    Load load = {
        .target = world, .desc = desc, .name = name, .reader = { body, size, 0, false }, .version = version
    };
    begin(&load);
    FiloResult result = load.providers != NULL ? filo_ok() : no_memory();
    // Components may be much larger here than in the file, but not without bounds.
    size_t limit = desc->limit > 0 ? desc->limit : ECS_SAVE_LIMIT;
    size_t budget = size < limit / 256 ? size * 256 + FILO_MIB(64) : SIZE_MAX;
    FiloWorldDesc like = { .name = "a world that is loaded",
                           .allocator = desc->allocator,
                           .memory_budget = FILO_MIN(budget, limit) };
    if (result.code == FILO_OK) result = ecs_world_create_like(&load.world, world, &like, false);
    if (result.code == FILO_OK) result = read_body(&load);
    if (result.code == FILO_OK) result = put_into_world(&load);
    end(&load, result.code == FILO_OK);
    return result.code == FILO_OK ? result : filo_error(result.code, "%s: %s", name, result.message);
}
