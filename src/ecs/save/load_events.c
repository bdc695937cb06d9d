// Loading pending events and what providers saved: into sections of a snapshot.

#include "ecs/save/load.h"

static uint8_t *add_section(FiloSnapshot *snapshot, uint64_t key, size_t size) {
    size_t end = FILO_ALIGN_UP(snapshot->size + size, (size_t)ECS_SNAPSHOT_ALIGN);
    if (!ecs_snapshot_reserve(snapshot, end, snapshot->sections.count + 1)) return NULL;
    snapshot->sections.items[snapshot->sections.count++] = (EcsSection){ key, snapshot->size, size };
    uint8_t *to = snapshot->bytes + snapshot->size;
    snapshot->size = end;
    return to;
}

static FiloResult read_event(EcsLoad *load, FiloBytes *section) {
    uint32_t name_number = ecs_load_take_u32(&load->reader), type_number = ecs_load_take_u32(&load->reader);
    FiloPendingEvent event = { .due = ecs_load_take_u64(&load->reader) };
    event.key.point = ecs_load_take_u64(&load->reader);
    uint32_t origin = ecs_load_take_u32(&load->reader);
    event.key.origin = (FiloEventOrigin)origin;
    event.key.source = ecs_load_take_u32(&load->reader);
    event.key.range = ecs_load_take_u64(&load->reader);
    event.key.sequence = ecs_load_take_u32(&load->reader);
    if (load->reader.failed) return ecs_load_check_end(load, "events");
    if (name_number == 0 || name_number > load->names.texts.count || origin > FILO_EVENT_FROM_RECORDER ||
        type_number > load->types.types.count ||
        (type_number > 0 && load->types.types.items[type_number - 1].kind != FILO_KIND_STRUCT))
        return ecs_load_damaged("an event that waits makes no sense");
    const uint8_t *payload =
        type_number > 0 ? ecs_load_take(&load->reader, 1, load->types.types.items[type_number - 1].size)
                        : NULL;
    if (load->reader.failed) return ecs_load_check_end(load, "events");
    FiloString text = load->names.texts.items[name_number - 1];
    event.name = filo_name_find(text);
    // Its type must be declared in this program.
    if (load->target->events == NULL || event.name.id == 0 ||
        !filo_events_declared(load->target->events, event.name, &event.type) ||
        (event.type == NULL) != (payload == NULL)) {
        ecs_load_report(&load->reports,
                        "%s: an event \"" FILO_STRING_FORMAT
                        "\" that waits is not known, or carries something else; it is dropped",
                        load->name, FILO_STRING_PRINT(text));
        return filo_ok();
    }
    size_t at = section->count;
    if (!filo_array_resize(section, at + ecs_pending_event_size(&event))) return ecs_load_no_memory();
    uint8_t *to = ecs_pending_write_event(&event, section->items + at);
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
                            : ecs_load_no_memory();
    ecs_conversion_deinit(&conversion);
    return result;
}

FiloResult ecs_load_read_events(EcsLoad *load) {
    if (ecs_load_take_u8(&load->reader) == 0) return ecs_load_check_end(load, "events");
    FiloEventsClock clock = { .tick = ecs_load_take_u64(&load->reader) };
    clock.point = ecs_load_take_u64(&load->reader);
    clock.sequence = ecs_load_take_u32(&load->reader);
    clock.delivered = ecs_load_take_u32(&load->reader);
    uint32_t count = ecs_load_take_u32(&load->reader);
    FiloBytes section;
    filo_array_init(&section, load->desc->allocator);
    FiloResult result = filo_array_push_many(&section, (const uint8_t *)&clock, sizeof clock)
                            ? ecs_load_check_end(load, "events")
                            : ecs_load_no_memory();
    for (uint32_t i = 0; i < count && result.code == FILO_OK; i++) result = read_event(load, &section);
    if (result.code == FILO_OK) {
        uint8_t *to = add_section(load->providers, ecs_section_key(ECS_SECTION_EVENTS, 0), section.count);
        if (to != NULL)
            memcpy(to, section.items, section.count);
        else
            result = ecs_load_no_memory();
    }
    filo_array_deinit(&section);
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

FiloResult ecs_load_read_providers(EcsLoad *load) {
    uint32_t count = ecs_load_take_u32(&load->reader);
    for (uint32_t i = 0; i < count && !load->reader.failed; i++) {
        FiloString name = ecs_load_take_text(&load->reader);
        uint64_t size = ecs_load_take_u64(&load->reader);
        const uint8_t *bytes = ecs_load_take(&load->reader, size, 1);
        if (load->reader.failed) break;
        const EcsProviderData *data = find_provider(load->target, name);
        if (data == NULL) {
            ecs_load_report(&load->reports,
                            "%s: there is no provider " FILO_STRING_FORMAT "; what it saved is dropped",
                            load->name, FILO_STRING_PRINT(name));
            continue;
        }
        uint64_t key = ecs_section_key(ECS_SECTION_PROVIDER, data->name_hash);
        if (ecs_snapshot_find(load->providers, key) != NULL)
            return ecs_load_damaged("a provider is there twice");
        uint8_t *to = add_section(load->providers, key, (size_t)size);
        if (to == NULL) return ecs_load_no_memory();
        if (size > 0) memcpy(to, bytes, (size_t)size);
    }
    if (!load->reader.failed && load->reader.at != load->reader.size)
        return ecs_load_damaged("something stands behind its end");
    return ecs_load_check_end(load, "providers");
}

FiloResult ecs_load_check_providers(const EcsLoad *load) {
    const EcsProviders *providers = load->target->providers;
    for (size_t i = 0; providers != NULL && i < providers->items.count; i++) {
        const EcsProviderData *data = &providers->items.items[i];
        const EcsSection *section =
            ecs_snapshot_find(load->providers, ecs_section_key(ECS_SECTION_PROVIDER, data->name_hash));
        if (section == NULL || data->provider.check == NULL) continue;
        FiloResult result = data->provider.check(load->world, ecs_snapshot_bytes(load->providers, section),
                                                 section->size, data->provider.user);
        if (result.code != FILO_OK)
            return filo_error(result.code, "provider %s: %s", data->provider.name, result.message);
    }
    return filo_ok();
}
