// Components outside of tables, in snapshots.
//
// Sparse and array storage of plain components are copied as memory, and restored into the holder that is there. All
// others go through the interface of the holder: entities in the order of the holder, and their values. To restore, a
// new holder is filled in this order and replaces the old one. So the order is the same again, and nothing has
// changed if memory runs out before.
//
// The first section of a component has a HolderHeader and its entities, the second the values. With array storage
// there is one section for each page instead.

#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/holder.h"
#include "ecs/storage/rows.h"

typedef struct HolderHeader {
    uint64_t count;
    uint64_t version;
} HolderHeader;

#define PART_BITS   24
#define PART_HEADER 0
#define PART_VALUES 1
#define PART_PAGE   2 // and following

static uint64_t part_key(const EcsComponentData *component, size_t part) {
    return ecs_section_key(ECS_SECTION_HOLDER, (uint64_t)component->id << PART_BITS | part);
}

// Whether a holder is copied as memory.
static bool is_copied(const EcsComponentData *component, FiloStorage storage) {
    return component->info.storage == storage && component->plain;
}

static bool saves_values(const EcsComponentData *component) {
    return component->size > 0 && !component->info.transient;
}

// ---- Taking ---------------------------------------------------------------------------------------------

static FiloEntity *write_header(EcsSnapshotWriter *writer, const EcsComponentData *component, size_t count,
                                bool entities) {
    uint8_t *to = ecs_snapshot_section(writer, part_key(component, PART_HEADER),
                                       sizeof(HolderHeader) + (entities ? count * sizeof(FiloEntity) : 0));
    if (to == NULL) return NULL;
    HolderHeader header = { count, *component->version };
    memcpy(to, &header, sizeof header);
    return (FiloEntity *)(void *)(to + sizeof header);
}

static void write_sparse(EcsSnapshotWriter *writer, const EcsComponentData *component) {
    const EcsSparse *sparse = component->holder;
    FiloEntity *entities = write_header(writer, component, sparse->count, true);
    if (entities != NULL && sparse->count > 0)
        memcpy(entities, sparse->entities, sparse->count * sizeof *entities);
    if (!saves_values(component)) return;
    uint8_t *values =
        ecs_snapshot_section(writer, part_key(component, PART_VALUES), sparse->count * component->size);
    if (values != NULL) memcpy(values, sparse->values, sparse->count * component->size);
}

static size_t page_rows(const EcsArrayHolder *holder) { return (size_t)1 << holder->page_bits; }

static bool page_is_empty(const EcsArrayHolder *holder, const uint8_t *page) {
    const uint8_t *end = page + page_rows(holder) * holder->stride;
    for (const uint8_t *value = page; value < end; value += holder->stride)
        if (*ecs_array_holder_generation(holder, value) != 0) return false;
    return true;
}

static void write_array(EcsSnapshotWriter *writer, const EcsComponentData *component) {
    const EcsArrayHolder *holder = component->holder;
    write_header(writer, component, holder->count, false);
    size_t size = page_rows(holder) * holder->stride;
    for (size_t i = 0; i < holder->capacity >> holder->page_bits; i++) {
        const uint8_t *page = holder->values + i * size;
        if (page_is_empty(holder, page)) continue;
        uint8_t *to = ecs_snapshot_section(writer, part_key(component, PART_PAGE + i), size);
        if (to != NULL) memcpy(to, page, size);
    }
}

static void write_any(EcsSnapshotWriter *writer, const EcsComponentData *component) {
    const FiloHolderInterface *interface = component->interface;
    size_t count = interface->count(component->holder), i = 0;
    FiloEntity *entities = write_header(writer, component, count, true), entity;
    bool values = saves_values(component);
    uint8_t *to =
        values ? ecs_snapshot_section(writer, part_key(component, PART_VALUES), count * component->size)
               : NULL;
    for (uint64_t cursor = 0;
         (values || entities != NULL) && interface->next(component->holder, &cursor, &entity);) {
        if (!FILO_CHECK(i < count, "holder %s of %s lists more entities than it counts", interface->name,
                        component->info.name))
            break;
        if (values && !component->plain) ecs_snapshot_count_hooks(writer, component);
        if (entities != NULL) entities[i] = entity;
        if (to != NULL) {
            const uint8_t *value = interface->get(component->holder, entity);
            if (component->plain)
                memcpy(to + i * component->size, value, component->size);
            else
                ecs_snapshot_copy_values(writer, component, to + i * component->size, value, 1);
        }
        i++;
    }
}

void ecs_snapshot_write_holders(EcsSnapshotWriter *writer) {
    filo_array_each (&writer->world->components, item) {
        const EcsComponentData *component = *item;
        if (component->holder == NULL) continue;
        if (is_copied(component, FILO_STORAGE_SPARSE))
            write_sparse(writer, component);
        else if (is_copied(component, FILO_STORAGE_ARRAY))
            write_array(writer, component);
        else
            write_any(writer, component);
    }
}

// ---- The sections of a component ------------------------------------------------------------------------

typedef struct SavedHolder {
    const HolderHeader *header; // NULL: it was not registered then
    const FiloEntity *entities;
    const uint8_t *values;         // NULL: none
    const EcsSection *pages, *end; // of array storage
} SavedHolder;

// Sections of holders are consecutive and sorted by component. `from` goes over them; NULL at first.
static SavedHolder next_saved(const EcsRestore *restore, const EcsComponentData *component,
                              const EcsSection **from) {
    const EcsSectionArray *sections = &restore->snapshot->sections;
    const EcsSection *end = sections->items + sections->count;
    SavedHolder saved = { 0 };
    if (*from == NULL)
        for (*from = sections->items; *from < end && ecs_section_kind(*from) != ECS_SECTION_HOLDER;) ++*from;
    const EcsSection *section = *from;
    if (section == end || section->key != part_key(component, PART_HEADER)) return saved;
    saved.header = ecs_snapshot_bytes(restore->snapshot, section++);
    saved.entities = (const FiloEntity *)(const void *)(saved.header + 1);
    if (section < end && section->key == part_key(component, PART_VALUES))
        saved.values = ecs_snapshot_bytes(restore->snapshot, section++);
    saved.pages = section;
    while (section < end && ecs_section_kind(section) == ECS_SECTION_HOLDER &&
           ecs_section_which(section) >> PART_BITS == component->id)
        section++;
    saved.end = section;
    *from = section;
    return saved;
}

// ---- Sparse ---------------------------------------------------------------------------------------------

static bool sparse_prepare(EcsSparse *sparse, const SavedHolder *saved) {
    size_t count = saved->header->count, end = 0;
    for (size_t i = 0; i < count; i++) end = FILO_MAX(end, (size_t)(uint32_t)saved->entities[i].id + 1);
    if (!ecs_sparse_reserve_slots(sparse, end)) return false;
    return count <= sparse->capacity || ecs_sparse_grow(sparse, count);
}

static void sparse_commit(EcsComponentData *component, const SavedHolder *saved) {
    EcsSparse *sparse = component->holder;
    for (size_t i = 0; i < sparse->count; i++) *ecs_sparse_slot(sparse, (uint32_t)sparse->entities[i].id) = 0;
    sparse->count = (uint32_t)saved->header->count;
    if (sparse->count == 0) return;
    memcpy(sparse->entities, saved->entities, sparse->count * sizeof *sparse->entities);
    if (saved->values != NULL) memcpy(sparse->values, saved->values, sparse->count * sparse->size);
    for (size_t i = 0; i < sparse->count; i++) {
        *ecs_sparse_slot(sparse, (uint32_t)sparse->entities[i].id) = (uint32_t)i + 1;
        if (saved->values == NULL && sparse->size > 0)
            ecs_value_set_default(component, sparse->values + i * sparse->size);
    }
}

// ---- Array ----------------------------------------------------------------------------------------------

static size_t page_of(const EcsSection *section) {
    return (size_t)(ecs_section_which(section) & ((1u << PART_BITS) - 1)) - PART_PAGE;
}

static bool array_prepare(EcsArrayHolder *holder, const SavedHolder *saved) {
    if (saved->pages == saved->end) return true;
    return ecs_array_holder_reserve(holder, (page_of(saved->end - 1) + 1) << holder->page_bits);
}

static void array_default_values(const EcsComponentData *component, const EcsArrayHolder *holder,
                                 uint8_t *page) {
    for (size_t i = 0; i < page_rows(holder); i++) {
        uint8_t *value = page + i * holder->stride;
        if (*ecs_array_holder_generation(holder, value) != 0) ecs_value_set_default(component, value);
    }
}

static void array_commit(EcsComponentData *component, const EcsRestore *restore, const SavedHolder *saved) {
    EcsArrayHolder *holder = component->holder;
    const EcsSection *section = saved->pages;
    size_t rows = page_rows(holder), size = rows * holder->stride;
    for (size_t i = 0; i < holder->capacity >> holder->page_bits; i++) {
        if (section == saved->end || page_of(section) != i) {
            ecs_array_holder_clear_range(holder, i * rows, (i + 1) * rows);
            continue;
        }
        memcpy(holder->values + i * size, ecs_snapshot_bytes(restore->snapshot, section++), size);
        if (component->info.transient) array_default_values(component, holder, holder->values + i * size);
    }
    holder->count = saved->header->count;
}

// ---- Other storages -------------------------------------------------------------------------------------

static void destruct_all(const EcsComponentData *component, void *holder) {
    FiloEntity entity;
    if (component->info.hooks.destruct == NULL || component->size == 0) return;
    for (uint64_t cursor = 0; component->interface->next(holder, &cursor, &entity);)
        ecs_value_destruct(component, component->interface->get(holder, entity));
}

static bool any_prepare(EcsRestore *restore, const EcsComponentData *component, const SavedHolder *saved) {
    const FiloHolderInterface *interface = component->interface;
    void *holder = ecs_holder_create(restore->world, component);
    if (holder == NULL) return false;
    restore->holders.items[component->id - 1] = holder;
    size_t count = saved->header != NULL ? saved->header->count : 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t *value = interface->add(holder, saved->entities[i]);
        if (value == NULL) return false;
        if (component->size == 0) continue;
        ecs_value_construct(component, value);
        if (saved->values != NULL) ecs_value_assign(component, value, saved->values + i * component->size);
    }
    return true;
}

// ---- All storages ---------------------------------------------------------------------------------------

// Whether the holder that is there becomes empty. One of the user is replaced: its order may depend on what it had.
static bool is_cleared(const EcsComponentData *component, const SavedHolder *saved) {
    return saved->header == NULL && component->info.storage != FILO_STORAGE_USER;
}

static bool prepare(EcsRestore *restore, EcsComponentData *component, const SavedHolder *saved) {
    if (saved->header != NULL && is_copied(component, FILO_STORAGE_SPARSE))
        return sparse_prepare(component->holder, saved);
    if (saved->header != NULL && is_copied(component, FILO_STORAGE_ARRAY))
        return array_prepare(component->holder, saved);
    if (is_cleared(component, saved)) return true;
    return any_prepare(restore, component, saved);
}

bool ecs_restore_prepare_holders(EcsRestore *restore) {
    FiloWorld *world = restore->world;
    if (!filo_array_resize(&restore->holders, world->components.count)) return false;
    const EcsSection *section = NULL;
    filo_array_each (&world->components, item) {
        if ((*item)->holder == NULL) continue;
        SavedHolder saved = next_saved(restore, *item, &section);
        if (!prepare(restore, *item, &saved)) return false;
    }
    return true;
}

void ecs_restore_commit_holders(EcsRestore *restore) {
    const EcsSection *section = NULL;
    filo_array_each (&restore->world->components, item) {
        EcsComponentData *component = *item;
        if (component->holder == NULL) continue;
        SavedHolder saved = next_saved(restore, component, &section);
        void **replacement = &restore->holders.items[component->id - 1];
        if (*replacement != NULL) {
            destruct_all(component, component->holder);
            ecs_holder_destroy(restore->world, component);
            component->holder = *replacement;
            if (component->sparse != NULL) component->sparse = *replacement;
            if (component->tag != NULL) component->tag = *replacement;
            ecs_fast_path_update(restore->world, component);
            *replacement = NULL;
        } else if (saved.header == NULL) {
            destruct_all(component, component->holder);
            component->interface->clear(component->holder);
        } else if (component->info.storage == FILO_STORAGE_SPARSE) {
            sparse_commit(component, &saved);
        } else {
            array_commit(component, restore, &saved);
        }
        *component->version = saved.header != NULL ? saved.header->version : restore->world->version;
    }
}

void ecs_restore_drop_holders(EcsRestore *restore) {
    for (size_t i = 0; i < restore->holders.count; i++) {
        void *holder = restore->holders.items[i];
        if (holder == NULL) continue;
        const EcsComponentData *component = restore->world->components.items[i];
        destruct_all(component, holder);
        component->interface->destroy(holder);
    }
}
