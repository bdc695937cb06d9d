// Taking a snapshot: the sections of snapshot.h, measured and then written.

#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/holder.h"
#include "ecs/storage/rows.h"

// ---- The block of bytes ---------------------------------------------------------------------------------

FiloSnapshot *filo_snapshot_create(const FiloAllocator *allocator) {
    FiloSnapshot *snapshot = filo_alloc_zero(allocator, sizeof *snapshot, 0);
    if (snapshot == NULL) return NULL;
    snapshot->allocator = allocator;
    filo_array_init(&snapshot->sections, allocator);
    filo_array_init(&snapshot->owned, allocator);
    return snapshot;
}

void ecs_snapshot_clear(FiloSnapshot *snapshot) {
    filo_array_each (&snapshot->owned, owned)
        for (size_t i = 0; i < owned->count; i++)
            owned->destruct(snapshot->bytes + owned->offset + i * owned->size, owned->user);
    filo_array_clear(&snapshot->owned);
    filo_array_clear(&snapshot->sections);
    snapshot->size = 0;
    snapshot->has_hooks = false;
}

void filo_snapshot_destroy(FiloSnapshot *snapshot) {
    if (snapshot == NULL) return;
    ecs_snapshot_clear(snapshot);
    filo_free(snapshot->allocator, snapshot->bytes, snapshot->capacity, ECS_SNAPSHOT_ALIGN);
    filo_array_deinit(&snapshot->sections);
    filo_array_deinit(&snapshot->owned);
    filo_free(snapshot->allocator, snapshot, sizeof *snapshot, 0);
}

bool ecs_snapshot_reserve(FiloSnapshot *snapshot, size_t size, size_t sections) {
    if (sections > snapshot->sections.capacity &&
        !filo_array_reserve(&snapshot->sections, sections + sections / 8 + 8))
        return false;
    if (size <= snapshot->capacity) return true;
    // An eighth more, so that a world that grows slowly does not allocate each time.
    size_t capacity = FILO_ALIGN_UP(size + size / 8, (size_t)4096);
    uint8_t *bytes = filo_alloc(snapshot->allocator, capacity, ECS_SNAPSHOT_ALIGN);
    if (bytes == NULL) return false;
    if (snapshot->size > 0) memcpy(bytes, snapshot->bytes, snapshot->size);
    filo_free(snapshot->allocator, snapshot->bytes, snapshot->capacity, ECS_SNAPSHOT_ALIGN);
    snapshot->bytes = bytes;
    snapshot->capacity = capacity;
    return true;
}

const EcsSection *ecs_snapshot_find(const FiloSnapshot *snapshot, uint64_t key) {
    filo_array_each (&snapshot->sections, section)
        if (section->key == key) return section;
    return NULL;
}

const EcsSnapshotHeader *ecs_snapshot_header(const FiloSnapshot *snapshot) {
    const EcsSection *section = ecs_snapshot_find(snapshot, ecs_section_key(ECS_SECTION_HEADER, 0));
    return section != NULL ? ecs_snapshot_bytes(snapshot, section) : NULL;
}

bool filo_snapshot_is_empty(const FiloSnapshot *snapshot) {
    if (!FILO_CHECK(snapshot != NULL, "pass a snapshot")) return true;
    return snapshot->sections.count == 0;
}

size_t filo_snapshot_size(const FiloSnapshot *snapshot) {
    return FILO_CHECK(snapshot != NULL, "pass a snapshot") ? snapshot->size : 0;
}

uint64_t filo_snapshot_ticks(const FiloSnapshot *snapshot) {
    if (!FILO_CHECK(snapshot != NULL, "pass a snapshot")) return 0;
    const EcsSnapshotHeader *header = ecs_snapshot_header(snapshot);
    return header != NULL ? header->tick : 0;
}

// ---- Sections -------------------------------------------------------------------------------------------

uint8_t *ecs_snapshot_section(EcsSnapshotWriter *writer, uint64_t key, size_t size) {
    FiloSnapshot *snapshot = writer->snapshot;
    size_t offset = writer->size;
    writer->size = FILO_ALIGN_UP(offset + size, (size_t)ECS_SNAPSHOT_ALIGN);
    writer->sections++;
    if (writer->measuring) return NULL;
    if (writer->size > snapshot->capacity || snapshot->sections.count == snapshot->sections.capacity) {
        writer->failed = true;
        return NULL;
    }
    snapshot->sections.items[snapshot->sections.count++] = (EcsSection){ key, offset, size };
    // The padding up to the next section is zero.
    memset(snapshot->bytes + offset + size, 0, writer->size - offset - size);
    snapshot->size = writer->size;
    return size > 0 ? snapshot->bytes + offset : NULL;
}

void ecs_snapshot_count_hooks(EcsSnapshotWriter *writer, const EcsComponentData *component) {
    const FiloComponentHooks *hooks = &component->info.hooks;
    if (hooks->destruct != NULL && hooks->copy == NULL) writer->refused = component;
    if (writer->measuring) writer->owned++;
}

void ecs_snapshot_copy_values(EcsSnapshotWriter *writer, const EcsComponentData *component, uint8_t *to,
                              const uint8_t *from, size_t count) {
    FiloSnapshot *snapshot = writer->snapshot;
    snapshot->has_hooks = true;
    for (size_t i = 0; i < count; i++) {
        ecs_value_construct(component, to + i * component->size);
        ecs_value_assign(component, to + i * component->size, from + i * component->size);
    }
    const FiloComponentHooks *hooks = &component->info.hooks;
    if (hooks->destruct == NULL) return;
    // Memory is reserved: ecs_snapshot_count_hooks counted these values.
    snapshot->owned.items[snapshot->owned.count++] =
        (EcsOwned){ hooks->destruct, hooks->user, (size_t)(to - snapshot->bytes), count, component->size };
}

// ---- Header, directory, globals and names ---------------------------------------------------------------

static uint32_t pages_in_use(const FiloWorld *world) {
    return (uint32_t)(((uint64_t)world->index_end + ECS_PAGE_RECORDS - 1) / ECS_PAGE_RECORDS);
}

static void write_header(EcsSnapshotWriter *writer) {
    const FiloWorld *world = writer->world;
    uint8_t *to =
        ecs_snapshot_section(writer, ecs_section_key(ECS_SECTION_HEADER, 0), sizeof(EcsSnapshotHeader));
    if (to == NULL) return;
    EcsSnapshotHeader header = { .seed = world->seed,
                                 .tick = world->tick,
                                 .entity_count = world->entity_count,
                                 .version = world->version,
                                 .index_end = world->index_end,
                                 .free_first = world->free_first,
                                 .free_last = world->free_last,
                                 .free_count = world->free_count,
                                 .page_count = pages_in_use(world),
                                 .table_count = (uint32_t)world->tables.count,
                                 .chunk_id_end = world->chunk_end };
    memcpy(to, &header, sizeof header);
}

// Bits of those of four numbers that are not 0.
static uint64_t nonzero_bits(const uint16_t *numbers) {
    return (uint64_t)(numbers[0] != 0) | (uint64_t)(numbers[1] != 0) << 1 | (uint64_t)(numbers[2] != 0) << 2 |
           (uint64_t)(numbers[3] != 0) << 3;
}

static void write_pages(EcsSnapshotWriter *writer) {
    const FiloWorld *world = writer->world;
    for (uint32_t i = 0; i < pages_in_use(world); i++) {
        uint8_t *to =
            ecs_snapshot_section(writer, ecs_section_key(ECS_SECTION_PAGE, i), sizeof(EcsSnapshotPage));
        if (to == NULL) continue;
        EcsSnapshotPage *page = (EcsSnapshotPage *)(void *)to;
        size_t first = (size_t)i * ECS_PAGE_RECORDS;
        size_t count = FILO_MIN(world->index_end - first, (size_t)ECS_PAGE_RECORDS);
        memcpy(page->records, world->records + first, count * sizeof *page->records);
        memset(page->records + count, 0, sizeof page->records - count * sizeof *page->records);
        memset(page->outside, 0, sizeof page->outside);
        for (size_t index = first; index < FILO_MIN(first + count, (size_t)world->outside_end); index += 4)
            page->outside[(index - first) / 64] |= nonzero_bits(world->outside + index) << index % 64;
    }
}

static void write_globals(EcsSnapshotWriter *writer) {
    filo_array_each (&writer->world->components, item) {
        const EcsComponentData *component = *item;
        if (component->global == NULL || component->info.transient) continue;
        uint8_t *to = ecs_snapshot_section(writer, ecs_section_key(ECS_SECTION_GLOBAL, component->id),
                                           component->size + sizeof(uint64_t));
        if (!component->plain) ecs_snapshot_count_hooks(writer, component);
        if (to == NULL) continue;
        if (component->plain)
            memcpy(to, component->global, component->size);
        else
            ecs_snapshot_copy_values(writer, component, to, component->global, 1);
        memcpy(to + component->size, component->version, sizeof *component->version);
    }
}

static FiloString name_at(const FiloWorld *world, size_t number) {
    FiloEntity entity = *(const FiloEntity *)filo_map_value_at(&world->names, number);
    const FiloEntityName *name = ecs_sparse_get(world->entity_name->holder, entity);
    return filo_name_string(name->name);
}

// Names are saved as texts: the id of a name is valid only as long as an entity has the name.
static void write_names(EcsSnapshotWriter *writer) {
    // Pending notifications of observers hold ids of names.
    filo_array_each (&writer->world->released_names, name) filo_name_make_permanent(*name);
    const FiloMap *names = &writer->world->names;
    size_t count = filo_map_count(names);
    size_t size = count * sizeof(EcsSnapshotName);
    for (size_t i = 0; i < count; i++) size += name_at(writer->world, i).length + 1;
    EcsSnapshotName *to = (void *)ecs_snapshot_section(writer, ecs_section_key(ECS_SECTION_NAMES, 0), size);
    if (to == NULL) return;
    char *text = (char *)(to + count);
    for (size_t i = 0; i < count; i++) {
        FiloString name = name_at(writer->world, i);
        to[i] = (EcsSnapshotName){ .hash = filo_map_key_at(names, i),
                                   .entity = *(const FiloEntity *)filo_map_value_at(names, i),
                                   .length = name.length,
                                   .count = count };
        memcpy(text, name.data, name.length + 1);
        text += name.length + 1;
    }
}

static void write_all(EcsSnapshotWriter *writer) {
    writer->size = writer->sections = 0;
    // Small sections come first, because ecs_snapshot_find is a linear search.
    ecs_snapshot_write_components(writer);
    write_header(writer);
    write_names(writer);
    ecs_snapshot_write_cursors(writer);
    ecs_snapshot_write_watches(writer);
    write_globals(writer);
    write_pages(writer);
    ecs_snapshot_write_tables(writer);
    ecs_snapshot_write_holders(writer);
    ecs_snapshot_write_providers(writer);
}

FiloResult ecs_snapshot_take_with(FiloSnapshot *snapshot, FiloWorld *world, const FiloSnapshot *providers) {
    ecs_snapshot_clear(snapshot);
    EcsSnapshotWriter writer = {
        .world = world, .snapshot = snapshot, .measuring = true, .providers = providers
    };
    write_all(&writer);
    if (writer.refused != NULL)
        return filo_error(
            FILO_ERROR_UNSUPPORTED,
            "component %s has a destruct hook and no copy hook, so it cannot be kept in a snapshot; "
            "give it a copy hook or make it transient",
            writer.refused->info.name);
    if (writer.failed || !ecs_snapshot_reserve(snapshot, writer.size, writer.sections) ||
        (writer.owned > snapshot->owned.capacity && !filo_array_reserve(&snapshot->owned, writer.owned)))
        return filo_error(FILO_ERROR_MEMORY, "no memory for a snapshot of %zu bytes", writer.size);
    writer.measuring = false;
    write_all(&writer);
    if (!writer.failed) return filo_ok();
    ecs_snapshot_clear(snapshot);
    return filo_error(FILO_ERROR_LIMIT, "a provider wrote more than it had said");
}

FiloResult filo_snapshot_take(FiloSnapshot *snapshot, FiloWorld *world) {
    if (world == NULL || snapshot == NULL) return FILO_MISTAKE("pass a snapshot and a world");
    if (ecs_is_beside_tick(world) || ecs_is_running(world))
        return FILO_MISTAKE("take a snapshot between ticks, not inside a system");
    return ecs_snapshot_take_with(snapshot, world, NULL);
}
