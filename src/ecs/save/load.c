// The body of a file as the state of a world.
//
// The bytes may be anything. They are read into a world of its own with the same components, and checked meanwhile. A
// snapshot of that world is then restored into the target. So a file that is refused has changed nothing, and there is
// only one function that restores a state.

#include "ecs/save/load.h"

static FiloResult read_names(EcsLoad *load, uint64_t at) {
    EcsSaveReader reader = load->reader;
    if (at > reader.size || at < reader.at) return ecs_load_damaged("its names are not there");
    reader.at = (size_t)at;
    load->reader.size = (size_t)at; // all other parts come before the names
    uint32_t count = ecs_load_take_u32(&reader);
    for (uint32_t i = 0; i < count && !reader.failed; i++) {
        FiloString text = ecs_load_take_text(&reader);
        if (!filo_array_push(&load->names.texts, text)) return ecs_load_no_memory();
    }
    if (reader.failed) return ecs_load_damaged("it ends among the names");
    return filo_array_resize(&load->names.names, load->names.texts.count) ? filo_ok() : ecs_load_no_memory();
}

static FiloResult read_body(EcsLoad *load) {
    uint64_t names = ecs_load_take_u64(&load->reader);
    load->world->tick = ecs_load_take_u64(&load->reader);
    load->world->seed = ecs_load_take_u64(&load->reader);
    FiloResult result = ecs_load_check_end(load, "first numbers");
    if (result.code == FILO_OK) result = read_names(load, names);
    if (result.code == FILO_OK) result = ecs_saved_types_read(&load->types, &load->reader);
    if (result.code == FILO_OK) result = ecs_load_read_components(load);
    if (result.code == FILO_OK) result = ecs_load_read_globals(load);
    if (result.code == FILO_OK) result = ecs_load_read_directory(load);
    if (result.code == FILO_OK) result = ecs_load_read_tables(load);
    if (result.code == FILO_OK) result = ecs_load_read_holders(load);
    if (result.code == FILO_OK) result = ecs_load_check(load->world, load->desc->allocator);
    if (result.code == FILO_OK) result = ecs_load_add_required(load);
    if (result.code == FILO_OK) result = ecs_load_read_events(load);
    if (result.code == FILO_OK) result = ecs_load_read_providers(load);
    if (result.code == FILO_OK) result = ecs_load_check_providers(load);
    return result;
}

static FiloResult restore_into_target(EcsLoad *load) {
    FiloSnapshot *snapshot = filo_snapshot_create(load->desc->allocator);
    if (snapshot == NULL) return ecs_load_no_memory();
    FiloResult result = ecs_snapshot_take_with(snapshot, load->world, load->providers);
    if (result.code == FILO_OK) result = filo_snapshot_restore(snapshot, load->target);
    filo_snapshot_destroy(snapshot);
    return result;
}

static void begin(EcsLoad *load) {
    const FiloAllocator *allocator = load->desc->allocator;
    ecs_saved_types_init(&load->types, allocator);
    filo_array_init(&load->names.texts, allocator);
    filo_array_init(&load->names.names, allocator);
    filo_array_init(&load->components, allocator);
    filo_bits_init(&load->used_indices, allocator);
    load->reports.report = load->desc->report;
    load->reports.user = load->desc->user;
    filo_map_init(&load->reports.reported, sizeof(uint8_t), allocator);
    load->providers = filo_snapshot_create(allocator);
}

static void end(EcsLoad *load, bool accepted) {
    filo_array_each (&load->names.names, saved) {
        if (saved->permanent && accepted) filo_name_make_permanent(saved->name);
        filo_name_release(saved->name);
    }
    filo_array_each (&load->components, component) ecs_conversion_deinit(&component->conversion);
    filo_array_deinit(&load->components);
    filo_array_deinit(&load->names.texts);
    filo_array_deinit(&load->names.names);
    ecs_saved_types_deinit(&load->types);
    filo_bits_deinit(&load->used_indices);
    filo_map_deinit(&load->reports.reported);
    filo_snapshot_destroy(load->providers);
    filo_world_destroy(load->world);
}

FiloResult ecs_save_read(FiloWorld *world, const uint8_t *body, size_t size, uint32_t version,
                         const char *name, const FiloLoadDesc *desc) {
    EcsLoad load = {
        .target = world, .desc = desc, .name = name, .reader = { body, size, 0, false }, .version = version
    };
    begin(&load);
    FiloResult result = load.providers != NULL ? filo_ok() : ecs_load_no_memory();
    // Components may be larger here than in the file, but not without limits.
    size_t budget = desc->limit > 0 ? desc->limit : 3 * FILO_MAX(size, ECS_SAVE_SMALL);
    FiloWorldDesc like = { .name = "a world that is loaded",
                           .allocator = desc->allocator,
                           .memory_budget = budget };
    if (result.code == FILO_OK) result = ecs_world_create_like(&load.world, world, &like, false);
    if (result.code == FILO_OK) result = read_body(&load);
    if (result.code == FILO_OK) result = restore_into_target(&load);
    end(&load, result.code == FILO_OK);
    if (result.code == FILO_ERROR_MEMORY)
        result = filo_error(
            FILO_ERROR_MEMORY,
            "no memory to load it, or its world takes more than %zu bytes: see FiloLoadDesc.limit", budget);
    return result.code == FILO_OK ? result : filo_error(result.code, "%s: %s", name, result.message);
}
